"""A sum as the text of an answer: the formula in words and in figures, each with what it is cited by, and the result.

n * p  ->  "8 chips x 459 TFLOPS [1] = 3,672 TFLOPS"
"""

from __future__ import annotations

import ast
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from chipwise.asking.amounts import number, plain
from chipwise.asking.answers import Row
from chipwise.asking.givens import Asked, Filled
from chipwise.asking.quoting import Cited, Told, evidence_in_passage
from chipwise.claims.model import Fact, Key
from chipwise.domain.formulas import Derivation
from chipwise.domain.model import Domain
from chipwise.domain.names import Names
from chipwise.index.store import Store
from chipwise.lookups.phrasing import in_words, listed
from chipwise.numbers.intervals import Interval, evaluate_tree, parse
from chipwise.numbers.quantity import Quantity

_THOUSAND = 1000
_SIGNS: dict[type[ast.operator], str] = {ast.Add: "+", ast.Sub: "-", ast.Mult: "x", ast.Div: "/"}


@dataclass(frozen=True, slots=True)
class Part:
    """What stands for a symbol in a sum, with its value in base units."""

    text: str
    value: float


def compose(
    derivation: Derivation,
    asked: Asked,
    sums: Sequence[tuple[str, dict[str, Filled]]],
    store: Store,
    domain: Domain,
    names: Names,
) -> Told:
    """The answer's text, its citations and the facts in it, from what is put in for each symbol, by variant where they differ."""
    cited: dict[str, Cited] = {}
    facts: list[Fact] = []
    lines: list[str] = []
    rows: list[Row] = []
    said: dict[str, list[str]] = {}
    for name, filled in sums:
        parts: dict[str, Part] = {}
        for symbol, f in _ordered(derivation, filled):
            evidence = evidence_in_passage(store, f.fact) if f.fact is not None else f.evidence
            mark = ""
            if evidence is not None:
                key = f"{evidence.source} {evidence.start} {evidence.end} {f.fact.id if f.fact else ''}"
                cited.setdefault(key, Cited(evidence))
                mark = f" [{[*cited].index(key) + 1}]"
            if f.fact is not None and f.fact not in facts:
                facts.append(f.fact)
                said.setdefault(
                    _described(f.fact, names, of=_unnamed(f.fact, name, names) or f is asked.chips), []
                ).append(f.text + mark)
            parts[symbol] = Part(f.shown.format(f.text + mark), f.value)
        if "{n}" in parts:
            n = parts.pop("{n}").text
            parts = {s: Part(p.text.replace("{n}", n), p.value) for s, p in parts.items()}
        rows.append(_row(derivation, asked, {s: p.value for s, p in parts.items()}, facts, domain))
        lines.append(f"{f'{name}: ' if name else ''}{shown(parse(derivation.formula), parts)} = {rows[-1].text}.")
    notes = [
        f"{listed(figures)} {'is' if len(figures) == 1 and 'chips' not in figures[0] else 'are'} {what}"
        for what, figures in said.items()
    ]
    if asked.figures:
        notes.append(f"{listed([g.text for g in asked.figures])} as given")
    text = f"{derivation.says}. {' '.join(lines)} {'; '.join(notes)}."
    return replace(Told.of(text, list(cited.values()), facts), rows=tuple(rows))


def worth(derivation: Derivation, filled: Mapping[str, Filled]) -> float:
    """The result of a sum, in base units."""
    values = {symbol: Interval.of(f.value) for symbol, f in filled.items() if symbol != "{n}"}
    return evaluate_tree(parse(derivation.formula), values).middle


def result(derivation: Derivation, asked: Asked, filled: Mapping[str, Filled], domain: Domain) -> str:
    """The result of a sum with its unit, as the sum itself has it."""
    facts = [f.fact for _, f in _ordered(derivation, filled) if f.fact is not None]
    return _result(derivation, asked, worth(derivation, filled), facts, domain)


def _ordered(derivation: Derivation, filled: Mapping[str, Filled]) -> Iterator[tuple[str, Filled]]:
    """The inputs in the order of the formula; of two chips the larger figure first."""
    symbols = [i.symbol for i in derivation.inputs]
    if any(i.of for i in derivation.inputs):
        values = sorted((filled[s] for s in symbols), key=lambda f: f.value, reverse=True)
        yield from zip(symbols, values, strict=True)
        return
    order = sorted(filled, key=lambda s: derivation.formula.find(s) if s != "{n}" else len(derivation.formula))
    yield from ((s, filled[s]) for s in order)


def _unnamed(fact: Fact, name: str, names: Names) -> bool:
    """True where the label of a sum does not tell whose figure goes into it: it may be a provider's."""
    return names.name(fact.claim.subject) not in name


def _described(fact: Fact, names: Names, *, of: bool) -> str:
    claim, name = fact.claim, names.name(fact.claim.subject)
    qualified = in_words(claim, names, less="" if of else claim.qualifier("form_factor"))
    dated = names.metrics[claim.metric].nature == "priced" and fact.as_of
    qualified = ", ".join(filter(None, (qualified, f"as of {fact.as_of}" if dated else "")))
    whose = f" of {'the ' if ' ' in name else ''}{name}" if of else ""
    return f"the {names.metrics[claim.metric].name}{whose}{f' ({qualified})' if qualified else ''}"


def _row(
    derivation: Derivation, asked: Asked, values: Mapping[str, float], facts: Sequence[Fact], domain: Domain
) -> Row:
    """The result of a sum, of the chip that its figures are of."""
    value = evaluate_tree(parse(derivation.formula), {s: Interval.of(v) for s, v in values.items()}).middle
    of = {fact.claim.subject for fact in facts}
    unit = domain.units.get(derivation.unit or (facts[-1].unit if facts and not derivation.ends else ""))
    counts = derivation.whole or derivation.room
    dimension = "count" if counts else unit.dimension if unit is not None else ""
    low = math.ceil(value - 1e-9) if derivation.whole else math.floor(value + 1e-9) if derivation.room else value
    subject = of.pop() if len(of) == 1 else ""
    written = "" if unit is None else unit.id
    return Row(
        subject,
        Key(subject, derivation.id),
        Quantity(0, 0, dimension, written, low, low),
        written,
        _result(derivation, asked, value, facts, domain),
        derivation,
    )


def _result(derivation: Derivation, asked: Asked, value: float, facts: Sequence[Fact], domain: Domain) -> str:
    digits = derivation.digits or 4
    if derivation.whole or derivation.room:
        count = math.ceil(value - 1e-9) if derivation.whole else math.floor(value + 1e-9)
        return f"{number(value)}, so {number(count)} {_noun(derivation, asked, domain, count)}"
    id_ = derivation.unit or (facts[-1].unit if facts and not derivation.ends else "")
    unit, larger = domain.units.get(id_), domain.units.get(derivation.larger or _greater(id_, value, domain))
    amount = value / (unit.scale if unit is not None else 1.0)
    money = unit is not None and unit.dimension.startswith("price") and abs(amount) < 1e6 and abs(amount) >= 1  # noqa: PLR2004
    above = derivation.above or 10_000
    is_large = larger is not None and amount >= above
    first = f"{amount:,.2f}" if money and round(amount, 9) % 1 else number(amount, 4 if is_large else digits)
    glue = "" if id_ == "%" else " "
    says = f"{first}{glue}{_plural(id_, amount)} {derivation.ends}".rstrip().replace("  ", " ")
    if is_large and larger is not None:
        again = value / larger.scale
        short = number(round(again), digits) if digits == 2 and again >= 10 else number(again, min(digits, 4))  # noqa: PLR2004
        says += f", {'about' if digits == 2 else 'that is'} {short} {_plural(larger.id, again)}"  # noqa: PLR2004
    return says


def _greater(id_: str, value: float, domain: Domain) -> str:
    """The unit a thousand times as large or more in which a value reads best: PFLOPS for TFLOPS, TB for GB."""
    unit = domain.units.get(id_)
    if unit is None or not id_.startswith(("T", "G", "M")):
        return ""
    prefixes = "GTPE"
    tail = id_[1:]
    fitting = [
        p + tail for p in prefixes if p + tail in domain.units and 1 <= value / domain.units[p + tail].scale < _THOUSAND
    ]
    return next((u for u in fitting if u != id_), "")


def _plural(unit: str, amount: float) -> str:
    return f"{unit}s" if unit in ("hour", "day") and amount != 1 else unit


def _noun(derivation: Derivation, asked: Asked, domain: Domain, count: float) -> str:
    machines = [domain.entities[s].name for s in asked.subjects if domain.holds_several(s)]
    if machines and derivation.ends != "chips":  # how many chips of a machine it takes is no number of machines
        return f"{machines[0]}{'s' if count != 1 and machines[0][-1].islower() else ''}"
    lines = [domain.entities[a].name for s in asked.subjects for a in domain.ancestors(s) if domain.kind(a) == "line"]
    noun = next((name for name in reversed(lines) if name.isupper() and name.isalpha()), "chip")
    return noun if count == 1 else f"{noun}s"


def shown(tree: ast.expr, parts: Mapping[str, Part]) -> str:
    """A formula with what stands for its symbols."""
    match tree:
        case ast.Name(id=name):
            return parts[name].text
        case ast.Constant(value=int() | float() as value):
            return plain(float(value))
        case ast.BinOp(left=left, op=op, right=right):
            a, b = shown(left, parts), shown(right, parts)
            weak = isinstance(op, ast.Mult | ast.Div)
            a = f"({a})" if weak and _is_sum(left) else a
            inner = parts[right.id].text if isinstance(right, ast.Name) else ""
            strong = isinstance(op, ast.Div | ast.Sub) and (isinstance(right, ast.BinOp) or " x " in inner)
            b = f"({b})" if strong or (weak and _is_sum(right)) else b
            return f"{a} {_SIGNS[type(op)]} {b}"
    raise ValueError(f"no arithmetic: {ast.dump(tree)}")


def _is_sum(tree: ast.expr) -> bool:
    return isinstance(tree, ast.BinOp) and isinstance(tree.op, ast.Add | ast.Sub)
