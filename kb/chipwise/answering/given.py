"""Questions for a sum and for a conversion: the figures that are given, and the variables of the network that are wanted.

"How many H200s hold a 405B model in FP8?"   ->  chips wanted, 405 billion parameters given
"819 GB/s in GiB/s"                          ->  the figure given, wanted in another unit
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from chipwise.answering import givens as found_figures
from chipwise.answering.mentions import Slot
from chipwise.answering.query import Given, Measure, Query, Set
from chipwise.answering.targets import FIGURE, Target, Token, targets, tokens_of
from chipwise.claims.model import Qualifiers
from chipwise.domain.model import Domain
from chipwise.figures.llms import find_in
from chipwise.text import STOP_WORDS, Span, blanked, overlap, words

_MOST = 3  # variables that the words may ask for
_AXES = ("dtype", "sparsity", "engine", "direction")
# operators whose words a sum needs no more of
_PLAIN = (
    "filler",
    "question",
    "opener",
    "kind",
    "group",
    "and",
    "with",
    "verb",
    "states",
    "or",
    "than",
    "bound",
    "relate",
    "rank",
    "compare",
    "multiple",
)


def sums_of(text: str, found: Sequence[Slot], of: Set, at: Qualifiers, domain: Domain) -> Iterator[Query]:
    """The readings of a question as a sum, that first which more words ask for."""
    figures = found_figures.givens(text, domain)
    if figures is None:
        return
    model = find_in(text)
    if not figures and model is None and domain.word_group("derived").isdisjoint(words(text)):
        return  # what a fact gives, or as many times a fact
    spans = [(g.start, g.end) for g in figures]
    rest = blanked(text, [*spans, *([model[1]] if model else [])], "#")
    tokens = tokens_of(rest, domain)
    formats = {
        w for m in domain.find_qualifiers(text) if m.ids[0].startswith("dtype=") for w in words(text[m.start : m.end])
    } | {"in"}
    wanted = [
        t
        for t in targets(tokens, domain, {g.kind for g in figures})
        if not _is_of_figure(t, tokens, figures) and not {tokens[n].text for n in t.places} <= formats
    ]
    given = tuple(_given(g, domain) for g in figures if not _is_count_of(g, of))
    for target in wanted[:_MOST]:
        variable = target.variable
        if not given and model is None and domain.word_group("derived").isdisjoint(words(text)):
            continue  # what a fact gives, or as many times a fact
        if not given and model is None and not (of.entities or of.unknown):
            continue
        axes = tuple(sorted({(a, v) for s in found for a, v in s.axes if a in _AXES}))
        measure = Measure(variable.id, axes, is_variable=True)
        named = at if model is None else tuple((a, v) for a, v in at if a != "workload")
        named += (("model", model[0].id),) if model else ()
        covered = [*spans, *([model[1]] if model else [])]
        yield Query(
            text,
            of,
            (measure,),
            given=given,
            at=tuple(sorted(named)),
            left=_left(text, found, covered, target, given, domain),
        )


def _is_of_figure(target: Target, tokens: Sequence[Token], figures: Sequence[found_figures.Given]) -> bool:
    """True for the "MFU" of "at 40% MFU", which says what the figure is and asks for none."""
    if len(target.places) > 1 or not any(set(target.variable.kinds) & {g.kind} for g in figures):
        return False
    (place,) = target.places
    beside = [tokens[n].text for n in (place - 2, place - 1, place + 1, place + 2) if 0 <= n < len(tokens)]
    return FIGURE in beside


def _is_count_of(figure: found_figures.Given, of: Set) -> bool:
    """True for the 8 of "8 H100", which the set tells."""
    return figure.kind in ("chips", "systems") and any(c.count == figure.value for c in of.entities)


def _given(figure: found_figures.Given, domain: Domain) -> Given:
    """A figure with the variable that it stands for, where it can be only one."""
    fitting = [v.id for v in domain.variables.values() if figure.kind in v.kinds and _is_of(v.of, figure.scope)]
    return Given(
        fitting[0] if len(fitting) == 1 else "", figure.quantity, (figure.start, figure.end), figure.kind, figure.scope
    )


def _is_of(of: str, scope: str) -> bool:
    return not of or not scope or of == scope


def _left(
    text: str, found: Sequence[Slot], covered: Sequence[Span], target: Target, given: Sequence[Given], domain: Domain
) -> tuple[Span, ...]:
    """The words that a sum does not account for."""
    known = {
        w
        for v in domain.variables.values()
        if v.id == target.variable.id or v.id in {g.variable for g in given}
        for p in v.words
        for w in words(p)
    }
    known |= {w for phrase in target.variable.asks for w in words(phrase)} | domain.change_nothing("sum") | STOP_WORDS
    known |= {w for c in domain.conventions.values() for p in c.words for w in words(p)}
    left: list[Span] = []
    for slot in found:
        span = (slot.start, slot.end)
        if any(overlap(span, c) for c in covered) or slot.names or (slot.axes and not slot.categories) or slot.axes:
            continue
        if any(o.kind in _PLAIN for o in slot.operators) or slot.unit or slot.date:
            continue
        if not set(words(text[slot.start : slot.end])) <= known:
            left.append(span)
    return tuple(left)


def conversion_of(text: str, found: Sequence[Slot], domain: Domain) -> Query | None:
    """A figure wanted in another unit of its dimension; None where more is asked."""
    figures = [s for s in found if s.quantity is not None and s.number is None]
    units = [s for s in found if s.unit and s.quantity is None]
    if len(figures) != 1 or not units or (any(s.names for s in found) and not _is_of_named(figures[0], found)):
        return None
    quantity = figures[0].quantity
    if quantity is None or any(domain.units[s.unit].dimension != quantity.dimension for s in units):
        return None
    convert = domain.change_nothing("conversion")
    named = any(s.names for s in found)
    rest = [
        s
        for s in found
        if s not in figures
        and s not in units
        and not s.names
        and not (s.metrics and named)
        and not any(o.kind in ("filler", "question", "opener") for o in s.operators)
    ]
    left = tuple((s.start, s.end) for s in rest if not set(words(text[s.start : s.end])) <= convert)
    given = Given("", quantity, (quantity.start, quantity.end), quantity.dimension)
    return Query(text, what=tuple(Measure("", unit=s.unit) for s in units), given=(given,), left=left)


def _is_of_named(figure: Slot, found: Sequence[Slot]) -> bool:
    """True for "96 GiB of Trainium2 memory": the name says only what the figure is of, and nothing is counted or compared."""
    kinds = {(o.kind, o.value) for s in found for o in s.operators}
    if any(k not in ("filler", "question", "opener", "hint") or v in ("count", "which") for k, v in kinds):
        return False
    behind = [s for s in found if s.start >= figure.end]
    name = next((n for n, s in enumerate(behind) if s.names), -1)
    return name >= 0 and all(any(o.kind == "filler" for o in s.operators) for s in behind[:name])
