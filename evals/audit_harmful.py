"""Cases with one planted change that an audit should find, each family a function from a bank and chance to a case.

another value  80 GB here, 96 GB there      category  HBM2e for HBM3
unit           80 GB becomes 80 TB          record    one document against the facts table
scope          80 GB for a node of eight

Those of baselines, modality and polarity are in audit_sayings, those of arithmetic in audit_sums.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from audit_bank import KINDS, Bank, Fact, Random, Row, System
from audit_pages import Case, Page, around, marked, page, sentence
from audit_sayings import related
from audit_surfaces import MISTAKEN, number, other, whole, written

FOUNDRIES = {"tsmc": "TSMC", "samsung": "Samsung", "globalfoundries": "GlobalFoundries", "smic": "SMIC"}
MONTHS = "January February March April May June July August September October November December".split()
SCALING = {"memory_capacity": "memory", "memory_bandwidth": "memory bandwidth", "peak_compute": "dense BF16 compute"}
NUMBERS = {4: "four", 8: "eight", 12: "twelve", 16: "sixteen"}


def value(bank: Bank, chance: Random) -> Case:
    fact = pick(bank, chance)
    wrong = other(fact, bank.values(fact), chance, counts=counts(bank, fact))
    right, changed = (written(v, fact.unit, chance) for v in (fact.value, wrong))
    pages = two(bank, fact, right, changed, chance)
    return _case("another value", bank, fact, pages, ("CW1", "CW7"), f"{right} / {changed}", verdict="contradiction")


def unit(bank: Bank, chance: Random) -> Case:
    fact = pick(bank, chance, tuple(MISTAKEN))
    right = written(fact.value, fact.unit, chance)
    changed = written(fact.value, chance.choice(MISTAKEN[fact.unit]), chance)
    pages = two(bank, fact, right, changed, chance)
    return _case("unit", bank, fact, pages, ("CW1", "CW7"), f"{right} / {changed}", verdict="contradiction")


def record(bank: Bank, chance: Random) -> Case:
    """A single document against the facts table."""
    fact = pick(bank, chance)
    changed = written(other(fact, bank.values(fact), chance, counts=counts(bank, fact)), fact.unit, chance)
    pages = (page(bank, fact, changed, chance),)
    found = _case(
        "record",
        bank,
        fact,
        pages,
        ("CW7", "CW1"),
        f"{number(fact.value)} {fact.unit} is {changed}",
        verdict="contradiction",
    )
    return replace(found, facts=True)


def category(bank: Bank, chance: Random) -> Case:
    """Another kind of memory, foundry or month."""
    metric = chance.choice(("memory_kind", "foundry", "announcement_date"))
    row, right, wrong = chance.choice(_categories(bank, metric, chance))
    subject = bank.subjects[row["subject"]]
    a, b = chance.sample(bank.texts(metric), 2)
    texts = [
        sentence(t, {"it": chance.choice(subject.names), "maker": subject.maker, "v": marked(v)})
        for t, v in ((a, right), (b, wrong))
    ]
    chance.shuffle(texts)
    pages = tuple(around(bank, text, chance) for text in texts)
    return Case("category", True, bank.split, pages, ("CW1", "CW5", "CW7"), subject.id, metric, f"{right} / {wrong}")


def _categories(bank: Bank, metric: str, chance: Random) -> list[tuple[Row, str, str]]:
    found = []
    for row in bank.rows:
        said = row["value"]
        if row["metric"] != metric or row["modality"] != "specified":
            continue
        if metric == "announcement_date" and said.count("-"):
            year, month = (int(part) for part in said.split("-")[:2])
            moved = year * 12 + month - 1 + chance.choice((-14, -9, -5, 5, 8, 13))
            found.append((row, f"{MONTHS[month - 1]} {year}", f"{MONTHS[moved % 12]} {moved // 12}"))
        elif said in (names := KINDS if metric == "memory_kind" else FOUNDRIES):
            others = [name for id_, name in names.items() if not (id_.startswith(said) or said.startswith(id_))]
            found.append((row, names[said], chance.choice(others)))
    return found


def scope(bank: Bank, chance: Random) -> Case:
    """A chip's figure put to a node, a node's to a chip, one row with both, or a count that a name does not mean."""
    system, fact = pick_system(bank, chance)
    kinds: list[Callable[..., tuple[str, ...]]] = [_node_as_chip, _chip_as_node, _dropped, _mixed]
    if system.cores:
        kinds.append(_misnamed)
    kind = chance.choice(kinds)
    pages = tuple(around(bank, text, chance) for text in kind(bank, system, fact, chance))
    codes, name = ("CW1", "CW2", "CW4", "CW7"), kind.__name__.strip("_")
    found = Case("scope", True, bank.split, pages, codes, fact.subject.id, fact.metric, name)
    return replace(found, facts=kind is _mixed)  # that the other figure is of one chip, the table knows


def _node_as_chip(bank: Bank, system: System, fact: Fact, chance: Random) -> tuple[str, ...]:
    slots = scoped(system, fact, chance)
    right = sentence(chance.choice(bank.texts("node counted")), slots | {"v": marked(slots["all"])})
    wrong = sentence(chance.choice(bank.texts("node total")), slots | {"v": marked(slots["one"])})
    return right, wrong


def _chip_as_node(bank: Bank, system: System, fact: Fact, chance: Random) -> tuple[str, ...]:
    slots = scoped(system, fact, chance)
    right, wrong = chance.sample(bank.texts("chip each"), 2)
    return sentence(right, slots | {"v": marked(slots["one"])}), sentence(wrong, slots | {"v": marked(slots["all"])})


def _dropped(bank: Bank, system: System, fact: Fact, chance: Random) -> tuple[str, ...]:
    """The node's figure, then the same one without a word of the node."""
    slots = scoped(system, fact, chance)
    right = sentence(chance.choice(bank.texts("node open")), slots | {"v": marked(slots["all"])})
    wrong = sentence(chance.choice(bank.texts("chip open")), slots | {"v": marked(slots["all"])})
    return (f"{right}\n\n{wrong}",) if chance.random() < 0.5 else (right, wrong)


def _mixed(bank: Bank, system: System, fact: Fact, chance: Random) -> tuple[str, ...]:
    same = {"dtype": fact.dtype, "sparsity": fact.sparsity}
    others = [f for f in bank.of(fact.metric, **same) if not related(f, fact)]
    single = chance.choice(others)
    slots = scoped(system, fact, chance)
    name, one = chance.choice(single.subject.names), written(single.value, single.unit, chance)
    if chance.random() < 0.5:
        count = f" ({system.count} chips)" if chance.random() < 0.5 else ""
        what = slots["what"][0].upper() + slots["what"][1:]
        return (
            f"| | {name} | {slots['sys']}{count} |\n|---|---|---|\n| {what} | {marked(one)} | {marked(slots['all'])} |",
        )
    template = chance.choice(bank.texts("mixed row"))
    return (sentence(template, slots | {"it": name, "one": marked(one), "v": marked(slots["all"])}),)


def _misnamed(bank: Bank, system: System, _fact: Fact, chance: Random) -> tuple[str, ...]:
    right, wrong = chance.sample(bank.texts("slice count"), 2)
    name = chance.choice(system.names)
    return sentence(right, {"sys": name, "n": marked(str(system.count))}), sentence(
        wrong, {"sys": name, "n": marked(str(system.cores))}
    )


def scoped(system: System, fact: Fact, chance: Random) -> dict[str, str]:
    """Slots for one chip's figure ("one") and the node's ("all")."""
    total = whole(fact.value * system.count, fact.unit)
    count = NUMBERS.get(system.count, "") if chance.random() < 0.4 else ""
    own = {
        "sys": chance.choice(system.names),
        "node": system.node,
        "n": count or str(system.count),
        "what": SCALING[fact.metric],
    }
    return fact.slots(chance) | own | {"one": written(fact.value, fact.unit, chance), "all": written(*total, chance)}


def pick(bank: Bank, chance: Random, units: tuple[str, ...] = ()) -> Fact:
    """A fact, every metric as likely as the number of its facts, cut off at a dozen."""
    found = [f for f in bank.facts if not units or f.unit in units]
    metrics = sorted({f.metric for f in found})
    weights = [min(12, sum(f.metric == m for f in found)) for m in metrics]
    metric = chance.choices(metrics, weights)[0]
    return chance.choice([f for f in found if f.metric == metric])


def pick_system(bank: Bank, chance: Random) -> tuple[System, Fact]:
    while True:
        system, metric = chance.choice(bank.systems), chance.choice(tuple(SCALING))
        axes = {"dtype": "bf16", "sparsity": "dense"} if metric == "peak_compute" else {}
        if (fact := bank.find(system.chip, metric, **axes)) is not None:
            return system, fact


def counts(bank: Bank, fact: Fact) -> set[int]:
    """In what numbers the chip is sold, as far as a change must not hide behind them."""
    return {s.count for s in bank.systems if s.chip == fact.subject.id} | {8, 72}


def two(bank: Bank, fact: Fact, one: str, another: str, chance: Random) -> tuple[Page, ...]:
    """Two documents with a surface each, in either order; in one case of four, one document with both."""
    pages = [page(bank, fact, surface, chance) for surface in (one, another)]
    chance.shuffle(pages)
    if chance.random() < 0.75:
        return tuple(pages)
    first, second = pages
    gap = len(first.text) + 1
    marks = tuple((start + gap, end + gap) for start, end in second.marks)
    return (Page(f"{first.text}\n{second.text}", first.marks + marks),)


def _case(
    family: str,
    bank: Bank,
    fact: Fact,
    pages: tuple[Page, ...],
    codes: tuple[str, ...],
    planted: str,
    verdict: str = "",
) -> Case:
    return Case(family, True, bank.split, pages, codes, fact.subject.id, fact.metric, planted, verdict=verdict)
