"""Products by printed name, from corpus/devices/table.json. A name is read word by word.

"8x NVIDIA A100-SXM4-80GB"  ->  SXM, 80 GB, 8 of them, made by NVIDIA, and the core "a100": all remaining words
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from chipwise.corpus import shipped_folder
from chipwise.errors import NameUnknown, intact

_APART = str.maketrans(dict.fromkeys("-_/,()[]:;+\t\n®™", " "))
_UNITS = (["gb"], ["gib"])


class Label(NamedTuple):
    """The parts of a name: the identifying `core`, `words` without number and slice, `stated` form factor and memory."""

    core: str
    words: str
    makers: set[str]
    stated: dict[str, str]
    chips: int
    slice: str


def read_label(name: str, vocabulary: Mapping[str, Any]) -> Label:
    """Split a name into its parts by the vocabulary of corpus/devices/names.toml."""
    words, _, part = (side.split() for side in f" {' '.join(split_words(name))} ".partition(" mig "))
    chips, words = _number(words)
    makers, core, stated = set[str](), "", dict[str, str]()
    for place, word in enumerate(words):
        size = word.removesuffix("ib").removesuffix("b").removesuffix("g") if "g" in word else word
        if word in vocabulary["makers"]:
            makers = makers.intersection(vocabulary["makers"][word]) or set(vocabulary["makers"][word])
        elif word in vocabulary["form_factors"]:
            form = vocabulary["form_factors"][word]
            stated["form_factors"] = (
                "NVL" if "NVL" in (form, stated.get("form_factors")) else form
            )  # an NVL is PCIe, too
        elif word in vocabulary["memory_kinds"]:
            stated["memory_kinds"] = word
        elif size.isdecimal() and (size != word or words[place + 1 : place + 2] in _UNITS):
            stated["memory"] = size
        elif word not in vocabulary["empty"] and not ([word] in _UNITS and "memory" in stated):
            core += vocabulary["same"].get(word, word)
    return Label(core, " ".join(words), makers, stated, chips, " ".join(part))


def split_words(name: str) -> list[str]:
    """Return the words of a name in lower case; a dot survives only inside a word ("1g.5gb")."""
    text = name.lower().replace("(r)", " ").replace("(tm)", " ").replace("pci-e", "pcie")
    return [word for part in text.translate(_APART).split() if (word := part.strip("."))]


def _number(words: list[str]) -> tuple[int, list[str]]:
    """Return the count before a name and its other words: "8x H100", "8 x H100", "8xH100", but not "7900 XT"."""
    number, _, rest = " ".join(words).replace(" x ", "x ", 1).partition("x")
    return (int(number), rest.split()) if number.isdecimal() and rest else (0, words)


class Chip(NamedTuple):
    """The product behind a name: a chip or a variant, and `chips` of them for a machine or a count.

    `id` is the product's in the facts. `variants` are the possible ids if the name leaves that open, `machine` the
    id or name of a rented machine, `slice` the part of a GPU under MIG; `tdp` includes its unit.
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
    """The whole table, written by `evals/devices.py`."""
    path = shipped_folder() / "devices" / "table.json"
    with intact(path):
        return json.loads(path.read_bytes())  # type: ignore[no-any-return]


def chip(name: str) -> Chip:
    """Return the chip that a driver, a framework or a cloud calls `name`.

    Raises NameUnknown for an unknown name, or one that fits several products: the `candidates`.
    """
    # "Mobile / Max-Q" is one laptop chip; any other slash separates products
    text = name.strip().replace("Mobile / Max-Q", "Laptop").replace("Max-Q / Mobile", "Laptop")
    if rented := table()["machines"].get(text.lower()):
        return _made(rented[0], chips=rented[1], machine=rented[2])
    products = table()["gfx"].get(text.lower().partition(":")[0]) or _listed(text)
    if products and len(products) > 1:
        raise _ambiguous(text, products)
    return _named(products[0] if products else text, text)


def _listed(text: str) -> list[str] | None:
    """Return the products of a PCI id or a line of `lspci`: "10de:2330", "... GH100 [H100 PCIe] (rev a1)"."""
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
    """Return the product of a name in words: the only one that fits, or the one that all that fit are variants of."""
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
    """Return the products with that core and maker, and those that also match form factor and memory."""
    products, same = table()["products"], table()["cores"].get(label.core, [])
    theirs = [one for one in same if not label.makers or products[one]["vendor"] in label.makers]
    fits = [one for one in theirs if all(value in products[one].get(name, ()) for name, value in label.stated.items())]
    if not fits:
        raise _unknown(asked, theirs)
    return theirs, fits


def _made(product: str, **details: Any) -> Chip:
    record = table()["products"][product]
    forms, memory = (tuple(record.get(name, ())) for name in ("form_factors", "memory"))
    return Chip(product, record["name"], record["vendor"], forms, memory, record.get("tdp", ""), **details)


def _ambiguous(asked: str, products: Sequence[str]) -> NameUnknown:
    names = tuple(table()["products"].get(one, {}).get("name", one) for one in products)
    return NameUnknown(f"{asked!r} could be {', '.join(names[:8])}", names, hint="use one of these names")


def _unknown(asked: str, kin: Sequence[str] = ()) -> NameUnknown:
    names = ", ".join(table()["products"][one]["name"] for one in kin[:8])
    hint = f"similar: {names}" if names else "`peak` knows the shipped chips; `chipwise facts` lists your own as well"
    return NameUnknown(f"no chip, card or machine is called {asked!r}", hint=hint)
