"""Writes corpus/devices/table.json from the names, the entities and the facts: `python evals/devices.py`.

`chipwise.peak` reads nothing else, so that it answers in milliseconds. A test tells when the file is out of date.
"""

from __future__ import annotations

import csv
import json
import re
import sys
import tomllib
from collections import defaultdict
from pathlib import Path
from typing import Any

import yaml

from chipwise.devices.table import read_label

CORPUS = Path(__file__).resolve().parents[1] / "corpus"
TABLE = CORPUS / "devices" / "table.json"
SCALE = {"T": 1e12, "P": 1e15, "E": 1e18, "G": 1e9}
CHIPS = ("chip", "variant")
PCI_MAKERS = {"10de": "NVIDIA", "1002": "AMD", "8086": "Intel", "1da3": "Habana", "1d0f": "Amazon"}
SAME = 1.02  # figures that differ by less are one, rounded
PLAIN = ("fp32", "fp64")  # the vector units do these, and are meant unless matrix units are named
# block formats that answer for the plain one; a chip with FP8 need not have MXFP8
FORMS = {"fp4": ("nvfp4", "mxfp4"), "fp8": ("mxfp8",)}


def read_toml(path: Path) -> dict[str, Any]:
    return tomllib.loads(path.read_text("utf-8"))


def facts() -> list[dict[str, str]]:
    """Rows of the facts table that are not deprecated, of one chip."""
    paths = sorted((CORPUS / "facts").glob("*.csv"))
    rows = [row for path in paths for row in csv.DictReader(path.read_text("utf-8").splitlines())]
    return [row for row in rows if row["rank"] != "deprecated" and row["aggregation"] in ("", "chip")]


def figure(row: dict[str, str]) -> list[Any] | None:
    """dtype, sparsity, engine, value, unit, source, quote, date, notes; None for a range, a bound or no format."""
    if not row["dtype"] or ".." in row["value"] or row["bound"] in ("at most", "at least", "below", "above"):
        return None
    unit = row["unit"]
    value = float(f"{float(row['value']) * SCALE[unit[0]]:.12g}")
    notes = [f"about {row['value']} {unit}"] if row["bound"] else []
    notes += [row["modality"]] if row["modality"] != "specified" else []
    notes += [row["reason"]] if row["reason"] else []
    rate = "FLOP/s" if "FLOP" in unit else "OP/s"
    return [row["dtype"], row["sparsity"], row["engine"], value, rate, row["source"], row["quote"], row["as_of"], notes]


def differing(entities: dict[str, Any], of: dict[str, list[dict[str, str]]]) -> set[str]:
    """Chips of which two variants, or the chip and a variant, have different figures for one thing: nothing is inherited there."""
    values: dict[tuple[str, ...], set[float]] = defaultdict(set)
    for id_, entity in entities.items():
        for row in of[id_]:
            if row["rank"] == "preferred" and (one := figure(row)):
                owner = entity["parent"] if entity["kind"] == "variant" else id_
                values[owner, one[0], one[1], one[2]].add(one[3])
    return {key[0] for key, seen in values.items() if max(seen) > SAME * min(seen)}


def best(rows: list[dict[str, str]], sparse: bool, engine: str, has_matrix: bool) -> str | None:
    """The fact that answers: preferred rank, then the units that are meant, then a density that is stated."""
    has_sparse = any(row["sparsity"] == "2:4" for row in rows)

    def fits(row: dict[str, str]) -> bool:
        if sparse:
            return row["sparsity"] not in ("", "dense")
        # where sparse figures are printed too, one that does not say which it is may be one of them
        return row["sparsity"] == "dense" or (row["sparsity"] == "" and (not has_sparse or row["engine"] == "vector"))

    def order(row: dict[str, str]) -> tuple[int, int, bool]:
        wanted = ("vector", "", "matrix") if row["dtype"] in PLAIN else ("matrix", "", "vector")
        return ("preferred", "normal").index(row["rank"]), wanted.index(row["engine"]), row["sparsity"] != "dense"

    fitting = [row for row in rows if fits(row) and engine in ("", row["engine"]) and figure(row)]
    if not engine and has_matrix and rows[0]["dtype"] not in PLAIN:
        fitting = [row for row in fitting if row["engine"] != "vector"]
    return min(fitting, key=order)["id"] if fitting else None


def peaks(id_: str, entities: dict[str, Any], of: dict[str, list[dict[str, str]]], apart: set[str]) -> dict[str, str]:
    """ "bf16", "bf16 sparse", "fp64 matrix" -> the id of the fact, the product's own or that of what it is a variant of."""
    found: dict[str, str] = {}
    has_matrix = id_.startswith(tuple(read_toml(CORPUS / "devices" / "names.toml")["units"]["matrix"]))
    while id_:
        for dtype in sorted({row["dtype"] for row in of[id_] if row["dtype"]}):
            rows = [row for row in of[id_] if row["dtype"] == dtype]
            for sparse in (False, True):
                for engine in ("", "matrix", "vector"):
                    fact = best(rows, sparse, engine, has_matrix)
                    if fact:
                        found.setdefault(" ".join(filter(None, (dtype, "sparse" if sparse else "", engine))), fact)
        inherits = entities[id_]["kind"] == "variant" and entities[id_]["parent"] not in apart
        id_ = entities[id_]["parent"] if inherits else ""
    for form, others in FORMS.items():
        for ending in ("", " sparse", " matrix", " sparse matrix"):
            stands = [found[other + ending] for other in others if other + ending in found]
            if stands:
                found.setdefault(form + ending, stands[0])
    return found


def product(entity: dict[str, Any], rows: list[dict[str, str]]) -> dict[str, Any]:
    by_metric: dict[str, list[dict[str, str]]] = defaultdict(list)
    for row in rows:
        by_metric[row["metric"]].append(row)
    record = {name: entity[name] for name in ("name", "vendor", "kind", "chips")}
    if entity["ambiguous"]:
        record["ambiguous"] = True
    form = {"pcie": "PCIe", "oam": "OAM", "sxm": "SXM"}
    forms = [entity.get("form_factor", ""), *(form.get(row["value"], "") for row in by_metric["form_factor"])]
    kinds = [row["value"] for row in by_metric["memory_kind"]] + [
        row["memory_kind"] for row in by_metric["memory_capacity"]
    ]
    record["form_factors"] = sorted({one for one in forms if one})
    record["memory"] = sorted(
        {
            size
            for row in by_metric["memory_capacity"]
            if row["unit"] in ("GB", "GiB")
            for size in row["value"].split("..")
        },
        key=float,
    )
    record["memory_kinds"] = sorted({one for one in kinds if one})
    powers = [row for row in by_metric["tdp"] if row["rank"] == "preferred"]
    record["tdp"] = f"{powers[0]['value']} {powers[0]['unit']}" if len(powers) == 1 else ""
    return {name: value for name, value in record.items() if value not in ([], "")}


def ancestors(entities: dict[str, Any], id_: str) -> list[str]:
    """What a product is a variant of, and what that is of, upwards."""
    above = entities[id_]["parent"]
    return [above, *ancestors(entities, above)] if above else []


def inherit(products: dict[str, Any], id_: str, name: str) -> None:
    """What is not said of a variant is that of what it is a variant of."""
    record = products[id_]
    if record["kind"] == "variant" and name not in record:
        parent = record["above"][0]
        inherit(products, parent, name)
        if name in products[parent]:
            record[name] = products[parent][name]


def cores(
    entities: dict[str, Any], ambiguous: list[dict[str, Any]], words: dict[str, Any], products: dict[str, Any]
) -> dict[str, list[str]]:
    """What is left of each name and alias -> the products that have it. What an alias says of memory and form is theirs."""
    found: dict[str, dict[str, None]] = defaultdict(dict)
    for id_, entity in entities.items():
        if "cpu" in (id_, *products[id_]["above"]):
            continue
        for surface in (entity["name"], *entity["aliases"]):
            label = read_label(surface, words)
            if label.chips or not label.core:
                continue
            found[label.core][id_] = None
            for name, value in label.stated.items() if entity["kind"] in CHIPS else ():
                products[id_][name] = sorted({*products[id_].get(name, ()), value})
    for core, ids in shared(ambiguous, words).items():
        found[core] |= dict.fromkeys(ids)
    return {core: list(ids) for core, ids in sorted(found.items())}


def shared(ambiguous: list[dict[str, Any]], words: dict[str, Any]) -> dict[str, list[str]]:
    """What is left of the names that several products have -> the products."""
    found = [one for one in ambiguous if not one["case_sensitive"]]
    return {read_label(one["surface"], words).core: one["entities"] for one in found}


def machines(names: dict[str, Any], entities: dict[str, Any]) -> dict[str, list[Any]]:
    """The name that a cloud has for a machine -> its chip, how many, and its id where it is one of ours."""
    systems = {
        surface.lower(): id_
        for id_, entity in entities.items()
        if entity["kind"] == "system"
        for surface in (entity["name"], *entity["aliases"])
    }
    found: dict[str, list[Any]] = {}
    for machine in names["machine"]:
        for size, count in machine["sizes"].items():
            name = machine["name"].format(size)
            row = [machine["chip"], count, systems.get(name.lower(), name)]
            found[name.lower()] = found[name.lower().removeprefix("standard_")] = row
            if ".".join(name.split(".")[1:]).endswith("xlarge"):
                found[f"ml.{name.lower()}"] = row  # as SageMaker calls it
    return found


def dated(matter: dict[str, Any]) -> str:
    """When a page was published, or in which month it was read where it doesn't say."""
    return str(matter["published"]) or f"read {re.findall(r'20[0-9]{2}-[0-9]{2}', matter['verified'])[-1]}"


def table() -> dict[str, Any]:
    names, domain = read_toml(CORPUS / "devices" / "names.toml"), read_toml(CORPUS / "domain" / "entities.toml")
    entities = {entity["id"]: entity for entity in domain["entity"]}
    by_subject: dict[str, list[dict[str, str]]] = defaultdict(list)
    for row in facts():
        by_subject[row["subject"]].append(row)
    of = {id_: [row for row in by_subject[id_] if row["metric"] == "peak_compute"] for id_ in entities}
    products = {id_: product(entity, by_subject[id_]) for id_, entity in entities.items()}
    words = names["words"]
    for id_, record in products.items():
        record["above"] = ancestors(entities, id_)
    dies = words.pop("dies")
    by_core = {
        core: ids for core, ids in cores(entities, domain["ambiguous"], words, products).items() if core not in dies
    }
    apart = differing(entities, of)
    for id_, record in products.items():
        for name in ("form_factors", "memory", "memory_kinds"):
            inherit(products, id_, name)
        if entities[id_]["kind"] in CHIPS and (own := peaks(id_, entities, of, apart)):
            record["peaks"] = own
    used = {fact for record in products.values() for fact in record.get("peaks", {}).values()}
    figures = {row["id"]: one for rows in of.values() for row in rows if row["id"] in used and (one := figure(row))}
    for id_, note in names["notes"].items():
        for fact in set(products[id_]["peaks"].values()):
            figures[fact][-1].append(note)
    cited = sorted({one[5] for one in figures.values()})
    matter = {
        one: yaml.safe_load((CORPUS / "sources" / f"{one}.md").read_text("utf-8").split("---\n")[1]) for one in cited
    }
    printed = {}
    for surface, id_ in names["printed"].items():
        label = read_label(surface, words)
        printed[label.words if label.makers else label.core] = id_
    pci = dict(
        line.split("\t", 1)
        for line in (CORPUS / "devices" / "pci.tsv").read_text("utf-8").splitlines()
        if not line.startswith("#")
    )
    return {
        "words": words,
        "dtypes": names["dtypes"],
        "printed": printed,
        "gfx": names["gfx"],
        "pci": {"makers": PCI_MAKERS} | {id_: title.split("/") for id_, title in pci.items()},
        "machines": machines(names, entities),
        "cores": by_core,
        "shared": dict.fromkeys(shared(domain["ambiguous"], words), True),
        "figures": figures,
        "sources": {id_: [one["title"], one["url"], dated(one)] for id_, one in matter.items()},
        "products": products,
    }


def written(whole: dict[str, Any]) -> str:
    """The table as JSON with a line for each entry, so that changes of two people meet only where they are of one product."""
    parts = []
    for name, part in whole.items():
        rows = part.items() if isinstance(part, dict) else enumerate(part)
        lines = [
            json.dumps(v, ensure_ascii=False)
            if isinstance(part, list)
            else f"{json.dumps(k)}: {json.dumps(v, ensure_ascii=False)}"
            for k, v in rows
        ]
        opening, closing = "[]" if isinstance(part, list) else "{}"
        parts.append(f'"{name}": {opening}\n' + ",\n".join(lines) + f"\n{closing}")
    return "{" + ",\n".join(parts) + "}\n"


if __name__ == "__main__":
    if "--check" not in sys.argv:
        TABLE.write_text(written(table()), "utf-8")
    sys.exit(TABLE.read_text("utf-8") != written(table()))
