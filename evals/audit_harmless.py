"""Cases in which nothing is wrong, and in which a tool that compares bare numbers would raise an alarm."""

from __future__ import annotations

from audit_bank import DTYPES, Bank, Fact, Random, Row
from audit_harmful import MONTHS, SCALING, pick, pick_system, scoped, two
from audit_pages import Case, Page, around, marked, page, say, sentence
from audit_sayings import CLOUDS, MEASURED, another_base, clouds, compared, dtypes, frameworks, multiple, reported
from audit_surfaces import CONVERTED, WRITTEN, number, rounded, whole, written

VARIANTS = {
    "tune": (("nvidia-h100-sxm", "nvidia-h100-pcie", "nvidia-h100-nvl"), ("nvidia-v100-sxm2", "nvidia-v100-pcie")),
    "report": (
        ("nvidia-a100-sxm-80gb", "nvidia-a100-sxm-40gb", "nvidia-a100-pcie-80gb", "nvidia-a100-pcie-40gb"),
        ("nvidia-h200-sxm", "nvidia-h200-nvl"),
        ("intel-gaudi-3-oam", "intel-gaudi-3-pcie"),
    ),
}
TERMS = ("on-demand",)
UNITS = {"mfu": "an MFU of {}%", "achieved_compute": "{} TFLOPS per chip", "throughput": "{} tokens per second"}


def rounding(bank: Bank, chance: Random) -> Case:
    fact = pick(bank, chance, tuple(WRITTEN))
    while (coarse := rounded(fact.value)) is None:
        fact = pick(bank, chance, tuple(WRITTEN))
    short = written(coarse, fact.unit, chance)
    if chance.random() < 0.7 or len(f"{coarse:g}".strip("0")) < 2:
        short = chance.choice(bank.texts("rounded")).format(v=short)
    return _paired("rounding", bank, fact, written(fact.value, fact.unit, chance), short, chance)


def conversion(bank: Bank, chance: Random) -> Case:
    fact = pick(bank, chance, tuple(CONVERTED))
    unit, factor = chance.choice(CONVERTED[fact.unit])
    other = float(f"{fact.value * factor:.4g}")
    return _paired(
        "unit conversion", bank, fact, written(fact.value, fact.unit, chance), written(other, unit, chance), chance
    )


def paraphrase(bank: Bank, chance: Random) -> Case:
    fact = pick(bank, chance)
    return _paired(
        "paraphrase", bank, fact, written(fact.value, fact.unit, chance), written(fact.value, fact.unit, chance), chance
    )


def reported_speech(bank: Bank, chance: Random) -> Case:
    fact = pick(bank, chance)
    plain = page(bank, fact, written(fact.value, fact.unit, chance), chance)
    said = "Plan"
    while said.startswith(("Plan", "What")):
        said = say(bank, fact, marked(written(fact.value, fact.unit, chance)), chance)
    other = around(bank, reported(bank, chance, "according", said, fact.subject.maker), chance)
    return _case("reported speech", bank, fact, _shuffled((plain, other), chance))


def hypothetical(bank: Bank, chance: Random) -> Case:
    fact = chance.choice(bank.of("memory_capacity"))
    real = page(bank, fact, written(fact.value, fact.unit, chance), chance)
    surface = marked(f"{written(fact.value * chance.choice((1.5, 2, 3)), fact.unit, chance)} of memory")
    text = sentence(chance.choice(bank.texts("hypothetical")), fact.slots(chance) | {"v": surface})
    return _case("hypothetical", bank, fact, _shuffled((real, around(bank, text, chance)), chance))


def scope_stated(bank: Bank, chance: Random) -> Case:
    system, fact = pick_system(bank, chance)
    slots = scoped(system, fact, chance)
    each = sentence(chance.choice(bank.texts("chip each")), slots | {"v": marked(slots["one"])})
    total = sentence(chance.choice(bank.texts("node counted")), slots | {"v": marked(slots["all"])})
    if chance.random() < 0.4:
        return _case("scope stated", bank, fact, (around(bank, f"{each} {total}", chance),))
    return _case(
        "scope stated", bank, fact, _shuffled((around(bank, each, chance), around(bank, total, chance)), chance)
    )


def density(bank: Bank, chance: Random) -> Case:
    """Dense here, with sparsity there."""
    dense = [
        f
        for f in bank.of("peak_compute", sparsity="dense")
        if bank.find(f.subject.id, "peak_compute", dtype=f.dtype, sparsity="2:4")
    ]
    fact = chance.choice(dense)
    sparse = bank.find(fact.subject.id, "peak_compute", dtype=fact.dtype, sparsity="2:4")
    return _differing("dense and sparse", bank, fact, sparse or fact, chance)


def dtype(bank: Bank, chance: Random) -> Case:
    facts = bank.of("peak_compute", sparsity=chance.choice(("dense", "2:4")))
    fact = chance.choice(facts)
    others = [f for f in facts if f.subject is fact.subject and f.dtype != fact.dtype and f.value != fact.value]
    return _differing("another dtype", bank, fact, chance.choice(others), chance) if others else dtype(bank, chance)


def direction(bank: Bank, chance: Random) -> Case:
    facts = bank.of("interconnect_bandwidth")
    fact = chance.choice(facts)
    others = [f for f in facts if f.subject is fact.subject and f.direction != fact.direction]
    return (
        _differing("direction stated", bank, fact, chance.choice(others), chance) if others else direction(bank, chance)
    )


def variant(bank: Bank, chance: Random) -> Case:
    family = chance.choice(VARIANTS[bank.split])
    fact = chance.choice([f for f in bank.facts if f.subject.id in family])
    others = [f for f in bank.facts if f.subject.id in family and f.key[1:] == fact.key[1:] and f.value != fact.value]
    return _differing("another variant", bank, fact, chance.choice(others), chance) if others else variant(bank, chance)


def subject(bank: Bank, chance: Random) -> Case:
    fact = pick(bank, chance)
    others = [
        f for f in bank.facts if f.key[1:] == fact.key[1:] and f.subject is not fact.subject and f.value != fact.value
    ]
    return _differing("another subject", bank, fact, chance.choice(others), chance) if others else subject(bank, chance)


def workload(bank: Bank, chance: Random) -> Case:
    rows = [r for r in bank.rows if r["metric"] in UNITS and r["workload"] and ".." not in r["value"]]
    row = chance.choice(rows)
    others = [
        r
        for r in rows
        if (r["subject"], r["metric"]) == (row["subject"], row["metric"]) and r["workload"] != row["workload"]
    ]
    others = [r for r in others if r["dtype"] == row["dtype"] and r["unit"] == row["unit"] and not r["bound"]]
    if not others or row["bound"]:
        return workload(bank, chance)
    texts = chance.sample(bank.texts("workload"), 2)
    own = bank.subjects[row["subject"]]
    pages = [
        around(bank, _measured(t, r, chance.choice(own.names)), chance)
        for t, r in zip(texts, (row, chance.choice(others)), strict=True)
    ]
    return Case("another workload", False, bank.split, tuple(pages), (), own.id, row["metric"], "")


def _measured(template: str, row: Row, name: str) -> str:
    head, comma, rest = row["workload"].partition(", ")
    rest = rest.partition(" (")[0]
    shown = marked(UNITS[row["metric"]].format(number(float(row["value"]))))
    return sentence(template, {"workload": f"{head} ({rest})" if comma else head, "it": name, "v": shown})


def at_most(bank: Bank, chance: Random) -> Case:
    """Up to a figure that is larger than the one stated elsewhere, or as large."""
    if chance.random() < 0.5:
        it, base, metric, factor = compared(bank, chance)
        less = round(max(1.1, factor * chance.uniform(0.6, 1)), 1)
        a, b = chance.sample(bank.comparisons(metric), 2)
        bound = multiple(chance, it, base, a, factor, "up to ")
        if less == factor:
            less = round(factor * 0.8, 1)
        pages = (around(bank, bound, chance), around(bank, multiple(chance, it, base, b, less), chance))
        return Case("up to", False, bank.split, _shuffled(pages, chance), (), it.subject.id, metric, "")
    fact = chance.choice(bank.of("memory_capacity"))
    named = fact.subject.id.endswith("gb")  # "A100 40GB" is never up to 80 GB
    most = written(round(fact.value * (1 if named else chance.choice((1, 1.25, 1.5, 2)))), fact.unit, chance)
    slots = fact.slots(chance) | {"v": marked(most), "what": fact.kind}
    bound = sentence(chance.choice(bank.texts("at most")), slots)
    pages = (around(bank, bound, chance), page(bank, fact, written(fact.value, fact.unit, chance), chance))
    return _case("up to", bank, fact, _shuffled(pages, chance))


def dates(bank: Bank, chance: Random) -> Case:
    rows = [
        r for r in bank.rows if r["metric"] == "price_per_hour" and r["price_terms"] in TERMS and ".." not in r["value"]
    ]
    row = chance.choice(rows)
    own, price = bank.subjects[row["subject"]], float(row["value"])
    months = [f"{chance.choice(MONTHS)} {year}" for year in chance.sample(range(2023, 2027), 2)]
    prices = price, price * chance.choice((0.6, 0.75, 1.3, 1.8))
    texts = [
        sentence(t, {"it": chance.choice(own.names), "noun": own.noun, "date": m, "v": marked(f"${p:.2f}")})
        for t, m, p in zip(chance.sample(bank.texts("price"), 2), months, prices, strict=True)
    ]
    pages = tuple(around(bank, text, chance) for text in texts)
    return Case("another date", False, bank.split, pages, (), own.id, "price_per_hour", "")


def baselines(bank: Bank, chance: Random) -> Case:
    """Two chips to compare with, each with its own multiple."""
    it, base, metric, factor = compared(bank, chance)
    other = another_base(bank, chance, it, base, factor)
    own = round(factor * base.value / other.value, 1)
    if own < 1.1 or own == factor:
        return baselines(bank, chance)
    a, b = chance.sample(bank.comparisons(metric), 2)
    texts = (multiple(chance, it, base, a, factor), multiple(chance, it, other, b, own))
    return Case(
        "own baseline", False, bank.split, tuple(around(bank, t, chance) for t in texts), (), it.subject.id, metric, ""
    )


def modality_kept(bank: Bank, chance: Random) -> Case:
    it, base, metric, factor = compared(bank, chance, MEASURED)
    kind = chance.choice(("bound", "estimated", "promised", "measured"))
    texts = []
    for template in chance.sample(bank.comparisons(metric), 2):
        text = multiple(chance, it, base, template, factor, "up to " if kind == "bound" else "")
        texts.append(text if kind == "bound" else reported(bank, chance, kind, text, it.subject.maker))
    return Case(
        "modality kept",
        False,
        bank.split,
        tuple(around(bank, t, chance) for t in texts),
        (),
        it.subject.id,
        metric,
        kind,
    )


def polarity_kept(bank: Bank, chance: Random) -> Case:
    """The same said twice; or of one thing what is denied of another; or of two clouds without an "only"."""
    own, metric, use, slots = chance.choice((dtypes, frameworks, clouds))(bank, chance)
    kind = use.partition(" ")[0]
    pole = chance.choice(("yes", "no"))
    a, b = chance.sample(bank.texts(f"{kind} {pole}"), 2)
    second = dict(slots)
    if chance.random() < 0.4:
        b = chance.choice(bank.texts(f"{kind} {'no' if pole == 'yes' else 'yes'}"))
        things = {
            "dtype": tuple(DTYPES.values()),
            "framework": ("PyTorch", "JAX", "TensorFlow"),
            "cloud": tuple(CLOUDS.values()),
        }
        second["x"] = chance.choice([thing for thing in things[kind] if thing != slots["x"]])
    texts = (marked(sentence(a, slots)), marked(sentence(b, second)))
    return Case(
        "polarity kept", False, bank.split, tuple(around(bank, t, chance) for t in texts), (), own, metric, kind
    )


def record_right(bank: Bank, chance: Random) -> Case:
    """One document that says what the facts table says."""
    fact = pick(bank, chance)
    made = page(bank, fact, written(fact.value, fact.unit, chance), chance)
    return Case("record right", False, bank.split, (made,), (), fact.subject.id, fact.metric, "", facts=True)


def record_total(bank: Bank, chance: Random) -> Case:
    """One document with a node's total, against a table that has the chip."""
    system, fact = pick_system(bank, chance)
    total = written(*whole(fact.value * system.count, fact.unit), chance)
    slots = scoped(system, fact, chance) | {"v": marked(total)}
    made = around(bank, sentence(chance.choice(bank.texts("node counted")), slots), chance)
    return Case(
        "record total",
        False,
        bank.split,
        (made,),
        (),
        system.id,
        fact.metric,
        f"{SCALING[fact.metric]} of {system.count}",
        facts=True,
    )


def _paired(family: str, bank: Bank, fact: Fact, one: str, another: str, chance: Random) -> Case:
    return _case(family, bank, fact, two(bank, fact, one, another, chance))


def _differing(family: str, bank: Bank, fact: Fact, other: Fact, chance: Random) -> Case:
    pages = tuple(page(bank, f, written(f.value, f.unit, chance), chance) for f in (fact, other))
    return _case(family, bank, fact, _shuffled(pages, chance))


def _shuffled(pages: tuple[Page, ...], chance: Random) -> tuple[Page, ...]:
    return tuple(chance.sample(pages, len(pages)))


def _case(family: str, bank: Bank, fact: Fact, pages: tuple[Page, ...]) -> Case:
    return Case(family, False, bank.split, pages, (), fact.subject.id, fact.metric, "")
