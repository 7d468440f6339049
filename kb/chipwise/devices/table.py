"""The products that names lead to, from corpus/devices/table.json, and which of them a printed name is of."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

from chipwise.corpus import shipped_folder
from chipwise.devices.names import Label, read_label, split_words
from chipwise.errors import NameUnknown


class Chip(NamedTuple):
    """What a name stands for: a chip or a variant, `chips` of them where a machine or a number was named.

    `id` is the product's in the facts. `variants` are the ids it may be where the name leaves that open, `machine` the
    id or the name of what was rented, `slice` the part of a GPU under MIG, `tdp` with its unit.
    """

    id: str
    name: str
    vendor: str
    form_factors: tuple[str, ...] = ()
    memory_gb: tuple[str, ...] = ()
    tdp: str = ""
    chips: int = 1
    machine: str = ""
    slice: str = ""
    variants: tuple[str, ...] = ()


@cache
def table() -> dict[str, Any]:
    """The whole table, which `evals/devices.py` writes."""
    return json.loads((shipped_folder() / "devices" / "table.json").read_bytes())  # type: ignore[no-any-return]


def chip(name: str) -> Chip:
    """The chip that a driver, a framework or a cloud calls `name`.

    Raises NameUnknown for a name of nothing that is known, or of several products, its `candidates`.
    """
    # "Mobile / Max-Q" is one chip of laptops, where another slash stands between products
    text = name.strip().replace("Mobile / Max-Q", "Laptop").replace("Max-Q / Mobile", "Laptop")
    if rented := table()["machines"].get(text.lower()):
        return _made(rented[0], chips=rented[1], machine=rented[2])
    products = table()["gfx"].get(text.lower().partition(":")[0]) or _listed(text)
    if products and len(products) > 1:
        raise _ambiguous(text, products)
    return _named(products[0] if products else text, text)


def _listed(text: str) -> list[str] | None:
    """The products of a PCI id or of a line of `lspci`: "10de:2330", "... GH100 [H100 PCIe] (rev a1)"."""
    inside = [part.partition("]")[0] for part in text.split("[")[1:]]
    for part in inside or [text]:
        vendor, colon, device = part.lower().partition(":")
        if colon and vendor in table()["pci"]["makers"] and len(device) == len(vendor):
            if part.lower() not in table()["pci"]:
                raise _unknown(part)
            return [f"{table()['pci']['makers'][vendor]} {one}" for one in table()["pci"][part.lower()]]
    titles = [part for part in inside if "ati" not in split_words(part)]
    makers = read_label(text.partition("[")[0], table()["words"]).makers
    return [f"{' '.join(makers)} {one.strip()}" for one in titles[-1].split("/")] if titles else None


def _named(text: str, asked: str) -> Chip:
    """The product of a name in words: the only one that fits, or what all that fit are variants of."""
    label, products = read_label(text, table()["words"]), table()["products"]
    printed = table()["printed"].get(label.words) or table()["printed"].get(label.core)
    theirs, fits = ([printed], [printed]) if printed else _fitting(label, asked)
    lowest = [one for one in fits if not any(one in products[other]["above"] for other in fits)]
    if label.stated and len(lowest) == 1:
        fits = lowest
    above = [one for one in theirs if all(one in (other, *products[other]["above"]) for other in lowest)]
    if not above or (not printed and label.core in table()["shared"]):
        raise _ambiguous(asked, fits)
    best = (max if label.stated else min)(above, key=lambda one: len(products[one]["above"]))
    record = products[best]
    if record["kind"] in ("line", "family") or record.get("ambiguous"):
        below = [one for one, other in products.items() if other["above"][:1] == [best]]
        raise _ambiguous(asked, below or [one for one in products if one.startswith(best)])
    if record["kind"] in ("system", "slice"):
        return _made(record["above"][0], chips=record["chips"], machine=best)
    others = tuple(one for one in lowest if one != best)
    return _made(best, chips=label.chips or 1, slice=label.slice, variants=others)


def _fitting(label: Label, asked: str) -> tuple[list[str], list[str]]:
    """The products of that core and maker, and those of them whose form factor and memory are the name's."""
    products, same = table()["products"], table()["cores"].get(label.core, [])
    theirs = [one for one in same if not label.makers or products[one]["vendor"] in label.makers]
    fits = [one for one in theirs if all(value in products[one].get(name, ()) for name, value in label.stated.items())]
    if not fits:
        raise _unknown(asked, theirs)
    return theirs, fits


def _made(product: str, **stated: Any) -> Chip:
    record = table()["products"][product]
    forms, memory = (tuple(record.get(name, ())) for name in ("form_factors", "memory"))
    return Chip(product, record["name"], record["vendor"], forms, memory, record.get("tdp", ""), **stated)


def _ambiguous(asked: str, products: Sequence[str]) -> NameUnknown:
    names = tuple(table()["products"].get(one, {}).get("name", one) for one in products)
    return NameUnknown(f"{asked!r} is any of {', '.join(names[:8])}", names, hint="give one of these names")


def _unknown(asked: str, kin: Sequence[str] = ()) -> NameUnknown:
    known = ", ".join(table()["products"][one]["name"] for one in kin[:8])
    hint = f"known of that kind: {known}" if known else "`chipwise facts` lists what is known"
    return NameUnknown(f"no chip, card or machine is known as {asked!r}", hint=hint)
