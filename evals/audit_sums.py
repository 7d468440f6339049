"""Cases of arithmetic: figures that belong together in one document, right or with one of them changed."""

from __future__ import annotations

from audit_bank import Bank, Fact, Random
from audit_harmful import SCALING, pick_system, scoped
from audit_pages import Case, around, marked, sentence
from audit_surfaces import number, other, whole, written

MODEL = 6 * 7e9  # FLOP a token of a model with 7 billion parameters takes to train
Sum = tuple[dict[str, str], Fact]


def arithmetic(bank: Bank, chance: Random) -> Case:
    """One figure of a sum, ratio, saving, utilisation or throughput that the others rule out."""
    return _made(bank, chance, wrong=True)


def right(bank: Bank, chance: Random) -> Case:
    """The same, as it should be."""
    return _made(bank, chance, wrong=False)


def _made(bank: Bank, chance: Random, *, wrong: bool) -> Case:
    use = chance.choice([use for use in MAKERS if bank.has(use)])
    slots, fact = MAKERS[use](bank, chance, wrong)
    page = around(bank, sentence(chance.choice(bank.texts(use)), slots), chance)
    family = "arithmetic" if wrong else "arithmetic right"
    return Case(family, wrong, bank.split, (page,), ("CW4",), fact.subject.id, fact.metric, use)


def _total(bank: Bank, chance: Random, wrong: bool) -> Sum:
    system, fact = pick_system(bank, chance)
    slots = scoped(system, fact, chance)
    if wrong:
        total = other(
            Fact(fact.subject, fact.metric, fact.value * system.count, fact.unit),
            [fact.value],
            chance,
            counts=[system.count],
        )
        slots["all"] = written(*whole(total, fact.unit), chance)
    return slots | {"v": marked(slots["all"])}, fact


def _two(bank: Bank, chance: Random, metric: str) -> tuple[Fact, Fact]:
    """Two chips of one unit whose figures are at least a fifth apart, the greater first."""
    axes = {"dtype": "bf16", "sparsity": "dense"} if metric == "peak_compute" else {}
    while True:
        a, b = sorted(chance.sample(bank.of(metric, **axes), 2), key=lambda f: -f.value)
        if (
            a.unit == b.unit
            and a.value / b.value >= 1.2
            and not (a.subject.id.startswith(b.subject.id) or b.subject.id.startswith(a.subject.id))
        ):
            return a, b


def _off(value: float, chance: Random) -> float:
    """Clearly another number, to one or two digits."""
    return value * chance.choice((0.5, 0.6, 0.7, 1.4, 1.6, 1.9))


def _multiple(bank: Bank, chance: Random, wrong: bool) -> Sum:
    metric = chance.choice(tuple(SCALING))
    a, b = _two(bank, chance, metric)
    ratio = a.value / b.value
    said = ratio * chance.choice((1.3, 1.6, 2.2)) if wrong else ratio
    slots = {"it": chance.choice(a.subject.names), "base": chance.choice(b.subject.names), "what": SCALING[metric]}
    figures = {"a": written(a.value, a.unit, chance), "b": written(b.value, b.unit, chance)}
    return slots | figures | {"m": marked(number(round(said, 1 if said >= 1.5 else 2)))}, a


def _drop(bank: Bank, chance: Random, wrong: bool) -> Sum:
    rows = [r for r in bank.rows if r["metric"] == "price_per_hour" and ".." not in r["value"]]
    row = chance.choice(rows)
    before = round(float(row["value"]), 2)
    after = round(before * chance.uniform(0.45, 0.85), 2)
    saved = 100 * (1 - after / before)
    said = 100 * (before / after - 1) if wrong and chance.random() < 0.5 else saved
    if wrong and abs(said / saved - 1) < 0.15:
        said = saved * chance.choice((0.6, 1.4))
    subject = bank.subjects[row["subject"]]
    slots = {
        "it": chance.choice(subject.names),
        "a": f"{before:.2f}",
        "b": f"{after:.2f}",
        "m": marked(f"{min(said, 96):.0f}"),
    }
    return slots, Fact(subject, "price_per_hour", before, "USD/hour")


def _peak(bank: Bank, chance: Random) -> Fact:
    return chance.choice(bank.of("peak_compute", dtype="bf16", sparsity="dense"))


def _used(bank: Bank, chance: Random, wrong: bool) -> Sum:
    fact = _peak(bank, chance)
    share = chance.uniform(1.12, 1.6) if wrong else chance.uniform(0.35, 0.8)
    slots = fact.slots(chance) | {"peak": written(fact.value, fact.unit, chance)}
    return slots | {"v": marked(written(float(f"{fact.value * share:.3g}"), fact.unit, chance))}, fact


def _mfu(bank: Bank, chance: Random, wrong: bool) -> Sum:
    fact = _peak(bank, chance)
    share = chance.uniform(104, 160) if wrong else chance.uniform(30, 68)
    return (
        fact.slots(chance) | {"v": marked(f"{share:.0f}{chance.choice((' %', '%'))}")},
        Fact(fact.subject, "mfu", share, "%"),
    )


def _rates(bank: Bank, chance: Random, wrong: bool) -> Sum:
    a, b = _two(bank, chance, "peak_compute")
    m, n = chance.randint(35, 65), chance.randint(35, 65)
    v, w = (fact.value * 1e12 * share / 100 / MODEL for fact, share in ((a, m), (b, n)))
    if wrong:
        v *= chance.choice((0.4, 0.5, 0.6, 1.6, 1.8))
    slots = {"it": chance.choice(a.subject.names), "base": chance.choice(b.subject.names), "m": str(m), "n": str(n)}
    figures = {"a": written(a.value, a.unit, chance), "b": written(b.value, b.unit, chance)}
    return (
        slots | figures | {"v": marked(f"{round(v, -1):,.0f}"), "w": f"{round(w, -1):,.0f}"},
        Fact(a.subject, "throughput", v, "tokens/s"),
    )


def _worth(bank: Bank, chance: Random, wrong: bool) -> Sum:
    a, b = _two(bank, chance, "peak_compute")
    p, q = chance.uniform(1, 9), chance.uniform(1, 9)
    v, w = (round(f.value * 1e12 * chance.uniform(0.35, 0.6) / MODEL, -1) for f in (a, b))
    p, q = round(p, 2), round(q, 2)
    ratio = (v / p) / (w / q)
    if ratio < 1:
        a, b, p, q, v, w, ratio = b, a, q, p, w, v, 1 / ratio
    said = _off(ratio, chance) if wrong else ratio
    if wrong and said < 1.1:
        said = ratio * 1.9
    slots = {
        "it": chance.choice(a.subject.names),
        "base": chance.choice(b.subject.names),
        "a": f"{p:.2f}",
        "b": f"{q:.2f}",
    }
    figures = {"v": f"{v:,.0f}", "w": f"{w:,.0f}", "m": marked(number(round(said, 1)))}
    return slots | figures, Fact(a.subject, "price_performance", ratio, "x")


def _cost(bank: Bank, chance: Random, wrong: bool) -> Sum:
    """Dollars for a million tokens, of a price per hour and a throughput."""
    fact = _peak(bank, chance)
    price = round(chance.uniform(1, 9), 2)
    rate = round(fact.value * 1e12 * chance.uniform(0.35, 0.6) / MODEL, -1)
    cost = price / (rate * 3600) * 1e6
    said = _off(cost, chance) if wrong else cost
    slots = {"it": chance.choice(fact.subject.names), "a": f"{price:.2f}", "w": f"{rate:,.0f}"}
    return slots | {"v": marked(f"{said:.3f}")}, Fact(fact.subject, "cost_per_token", said, "USD/Mtoken")


def _energy(bank: Bank, chance: Random, wrong: bool) -> Sum:
    fact = chance.choice([f for f in bank.of("tdp") if f.unit == "W"])
    hours = chance.choice((24, 48, 72, 100, 168, 720))
    energy = fact.value * hours / 1000
    said = _off(energy, chance) if wrong else energy
    slots = fact.slots(chance) | {"a": number(fact.value), "n": str(hours)}
    return slots | {"v": marked(number(float(f"{said:.4g}")))}, Fact(fact.subject, "energy", said, "kWh")


def _node_price(bank: Bank, chance: Random, wrong: bool) -> Sum:
    """What one chip costs of a node that is priced as a whole."""
    system, fact = pick_system(bank, chance)
    one = round(chance.uniform(1, 9), 2)
    said = _off(one, chance) if wrong else one
    slots = scoped(system, fact, chance) | {"a": f"{one * system.count:,.2f}"}
    return slots | {"v": marked(f"{said:.2f}")}, Fact(fact.subject, "price_per_hour", said, "USD/hour")


def _reached(bank: Bank, chance: Random, wrong: bool) -> Sum:
    fact = _peak(bank, chance)
    share = chance.randint(35, 65)
    achieved = fact.value * share / 100
    said = achieved * chance.choice((0.6, 0.75, 1.3, 1.45)) if wrong else achieved
    slots = fact.slots(chance) | {"peak": written(fact.value, fact.unit, chance), "m": str(share)}
    made = written(float(f"{said:.3g}"), fact.unit, chance)
    return slots | {"v": marked(made)}, Fact(fact.subject, "achieved_compute", said, fact.unit)


MAKERS = {  # by the use of their templates; a split has those that it has templates for
    "sum": _total,
    "multiple": _multiple,
    "drop": _drop,
    "used": _used,
    "mfu": _mfu,
    "rates": _rates,
    "worth": _worth,
    "cost": _cost,
    "energy": _energy,
    "node price": _node_price,
    "reached": _reached,
}
