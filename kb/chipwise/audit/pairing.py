"""Which two figures a percentage or a multiple compares: in its own sentence, or in the ones beside it.

    "It used to cost $2.25 an hour. It now costs $1.31, which is 72% less."    $2.25 and $1.31
    "96 GB against the 16 GB of the T4, 7.8 times as much"                      96 GB and 16 GB
    "80 GB became 141 GB, and training got 1.9x faster"                         none: it is of something else

Each word beside a comparison has to be accounted for: by a metric of the figures, a name, or by saying nothing of what
is compared. Where more figures could be meant, or others are named than have them, none are.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from chipwise import patterns as re
from chipwise.audit.casebook import Casebook
from chipwise.audit.lines import Line, Place, key_of
from chipwise.claims.levels import is_level
from chipwise.domain.model import Domain
from chipwise.domain.phrasebook import Mention
from chipwise.numbers.quantity import Quantity
from chipwise.text import blanked, words
from chipwise.types import Role

_TWO = 2
_BREAK = re.compile(r"[;:|()—–]|\.(?:\s|$)")
_ANY, _MONEY, _PACE = "comparison", "comparison of prices", "comparison of pace"  # of neutral.toml
_PACED = frozenset(("token_rate", "time"))  # what tells how fast something is done
_BACK = frozenset(("that", "this", "those"))
# what stands beside two figures of another kind in sentences of their own, and goes into no reckoning with them
_OF_THEIR_OWN = frozenset({"information", "information_rate", "compute_rate", "power", "frequency", "length"})


@dataclass(frozen=True, slots=True)
class Comparison:
    """A percentage or a multiple with the two figures that it is of, or the one range that has both."""

    line: Line
    stated: Quantity
    pair: tuple[Place, ...]


def find_comparisons(book: Casebook, lines: Sequence[Line]) -> Iterator[Comparison]:
    """The comparisons of lines that stand together, each whose two figures are beyond doubt."""
    for at, line in enumerate(lines):
        if not (("ratio" in line.dimensions or "of" in line.text) and line.may_compare):
            continue  # most sentences compare nothing, and are read no further
        for q in line.scene.quantities if line.is_its_own else ():
            pair = _pair(book.domain, lines, at, q) if q.compares and not line.denies(q) else ()
            if pair and _is_clear(book.domain, line, q, pair):
                yield Comparison(line, q, pair)


def _pair(domain: Domain, lines: Sequence[Line], at: int, stated: Quantity) -> tuple[Place, ...]:
    """The figures that `stated` is of; () where it is open which."""
    line = lines[at]
    kinds = _kinds(domain, line, stated)
    others = [q for q in line.scene.quantities if q is not stated and q.compares]
    alike = line.passage.role is not Role.TABLE and any(q.unit == stated.unit for q in others)
    if kinds is None or alike or (others and not kinds) or _is_of_that(line, stated):
        return ()
    found: list[tuple[Place, ...]] = []
    for key, figures in _candidates(domain, lines, at).items():
        if (kinds and key not in kinds) or (key == "time" and not kinds):
            continue  # "at 12 h" and "for 24 h" are settings mostly
        one = len(figures) == 1 and _is_from_to(*figures[0])
        if one or (len(figures) == _TWO and all(q.form == "value" for _, q in figures)):
            found.append(tuple(figures))
    return found[0] if len(found) == 1 else ()


def _kinds(domain: Domain, line: Line, stated: Quantity) -> set[str] | None:
    """What the words beside a comparison say that it is of, none in particular, or None for something else."""
    if line.passage.role is Role.TABLE:
        said = set(words(header(line, stated)))
        return set() if said and said <= domain.change_nothing(_ANY) else None
    start, end = stretch(line, stated)
    scene, kinds = line.scene, set[str]()
    spans = [(stated.start, stated.end), *((m.start, m.end) for m in (*scene.entities, *scene.qualifiers))]
    named = [(m, _dimensions(domain, m)) for m in scene.metrics if start < m.end and m.start < end]
    behind = [dimensions for m, dimensions in named if m.start >= stated.end and dimensions]
    kinds |= set().union(*(behind[:1] or [dimensions for _, dimensions in named]))
    if "time" in kinds:
        return None  # of times there are many
    spans += [(m.start, m.end) for m, dimensions in named if dimensions]
    inside = ((max(a, start) - start, min(b, end) - start) for a, b in spans if a < end and start < b)
    for word in words(blanked(scene.text[start:end], inside)):
        if word in domain.change_nothing(_MONEY):
            kinds |= {m.dimension for m in domain.metrics.values() if m.implied_by}
        elif word in domain.change_nothing(_PACE):
            kinds |= _PACED
        elif word not in domain.change_nothing(_ANY) and not word.isdecimal():
            return None
    return kinds


def _dimensions(domain: Domain, mention: Mention) -> set[str]:
    """What the metrics that words may name are of, as far as their figures are levels; a price as one of an hour."""
    found = {domain.metrics[i].dimension for i in mention.ids} - {"text", "date", "ratio", "count"}
    return {next((m.dimension for m in domain.metrics.values() if d in m.implied_by), d) for d in found}


def stretch(line: Line, stated: Quantity) -> tuple[int, int]:
    """Where what is said of a comparison begins and ends: at marks, and at the figures beside it."""
    text = line.scene.text
    breaks = [(m.start(), m.end()) for m in _BREAK.finditer(text)]
    breaks += [(q.start, q.end) for q in line.scene.quantities if q is not stated]
    start = max((end for _, end in breaks if end <= stated.start), default=0)
    return start, min((begin for begin, _ in breaks if begin >= stated.end), default=len(text))


def header(line: Line, stated: Quantity) -> str:
    """The label of the column of a table that a figure stands in."""
    first = (line.passage.context or line.passage.text).strip().split("\n")[0]
    cells, column = first.split("|"), line.text.count("|", 0, stated.start)
    return cells[column] if len(cells) > 1 and column < len(cells) else ""


def _is_of_that(line: Line, stated: Quantity) -> bool:
    """True for "FP8 at twice that", whose result nobody gives, and for the factor of "four times 80 GB"."""
    later = any(q.start > stated.end for q in line.scene.quantities)
    if stated.unit == "x" and any(0 <= q.start - stated.end <= 1 for q in line.scene.quantities):
        return True
    return bool(_BACK & set(words(line.scene.text[stated.end :])[:2])) and not later


def _candidates(domain: Domain, lines: Sequence[Line], at: int) -> Mapping[str, list[Place]]:
    """By kind, the figures of the sentence; with the nearest sentence's where it has only one of two, or none."""
    own = _operands(domain, lines[at])
    before = [_operands(domain, line) for line in reversed(lines[max(0, at - 2) : at])]
    if before and not before[0]:
        before = before[1:]  # "So much for the price." has nothing to add
    if not own:
        nearest = dict(before[0]) if before else {}
        for key, figures in nearest.items():
            if len(figures) == 1 and len(before) > 1 and not _is_from_to(*figures[0]):
                nearest[key] = [*before[1].get(key, ()), *figures]
        return nearest
    after = _operands(domain, lines[at + 1]) if at + 1 < len(lines) else {}
    found: dict[str, list[Place]] = {}
    for key, figures in own.items():
        beside = next((told[key] for told in before if key in told), None) or after.get(key) or []
        found[key] = figures if len(figures) > 1 or _is_from_to(*figures[0]) else [*beside, *figures]
    return found


def _operands(domain: Domain, line: Line) -> dict[str, list[Place]]:
    """The figures of a line that can be compared, by what they are of: a dimension, a kind of thing counted."""
    found: dict[str, list[Place]] = {}
    for q in line.scene.quantities:
        told = q.form == "range" or (
            q.form == "value" and is_level(line.scene.text, q) and not line.scene.tells_scope(q)
        )
        if told and q.dimension not in ("ratio", "number") and not _is_in_a_name(line, q):
            found.setdefault(key_of(domain, q), []).append((line, q))
    return found


def _is_in_a_name(line: Line, q: Quantity) -> bool:
    """True for "A100 40GB" and "the 80GB version", and not for "the H100's 80 GB"."""
    text = line.scene.text
    if set(words(text[q.end : q.end + 12])[:1]) & line.book.domain.change_nothing("kind"):
        return True
    named = (m for m in line.scene.entities if m.start < q.start and q.end <= m.end)
    return " " not in text[q.start : q.end] and any(not {"'", "’"} & set(text[m.start : q.start]) for m in named)


def _is_from_to(line: Line, q: Quantity) -> bool:
    """True for "from 80 to 141 GB", and not for "between two and four"."""
    moved = line.book.domain.change_nothing("moved")
    return q.form == "range" and q.low < q.high and bool(moved & set(words(line.text[: q.start])[-2:]))


def _is_clear(domain: Domain, line: Line, stated: Quantity, pair: Sequence[Place]) -> bool:
    """False where more is reckoned with, or named, than the two figures."""
    involved = list(dict.fromkeys((line, *(place[0] for place in pair))))
    used = {o: [q for of, q in pair if of is o] + ([stated] if o is line else []) for o in involved}
    # where the comparison stands in a sentence of its own, what the figures' sentences tell besides is no part of it
    if all(of is not line for of, _ in pair[:1]):
        for o in involved:
            used[o] += [q for q in o.scene.quantities if q.dimension in _OF_THEIR_OWN - {pair[0][1].dimension}]
    if not all(o.is_its_own for o in involved) or sum(o.other_numbers(used[o]) for o in involved) > 1:
        return False
    if any(q.count > 1 or not (q.bound in ("exact", "about") or _is_moved_from(of, q)) for of, q in pair):
        return False
    if pair[0][1].dimension in _PACED and len({q.low for o in involved for q in o.counts}) > 1:
        return False  # "eight of them took 22 minutes, sixteen of these 29"
    units = [domain.units[q.unit] for _, q in pair if q.unit in domain.units]
    one_rate = len({u.per for u in units if u.dimension == units[0].dimension}) <= 1
    in_prose = line.passage.role is not Role.TABLE
    if in_prose and all(q.dimension == "price" and not _is_told(domain, of, q) for of, q in pair):
        return False  # "a record of $2.3 billion, up 80%, a $1 billion increase" grows from what is not told
    chips = set().union(*(o.chips for o in involved))
    return one_rate and len(chips) <= _TWO and _is_of_these(domain, line, stated, pair)


def _is_told(domain: Domain, line: Line, price: Quantity) -> bool:
    """True where a price is a claim, or its sentence has a word for what it is of."""
    named = (domain.metrics[i] for m in line.scene.metrics for i in m.ids)
    return bool(line.statement(price).claim.metric) or any(
        price.dimension in (m.dimension, *m.implied_by) for m in named
    )


def _is_moved_from(line: Line, q: Quantity) -> bool:
    """True for "less than 141 GB" and "from $4", which are no bounds beside another figure."""
    return bool({"from", "than"} & set(words(line.text[max(0, q.start - 12) : q.end])))


def _is_of_these(domain: Domain, line: Line, stated: Quantity, pair: Sequence[Place]) -> bool:
    """False for "3x more than the V100" and "4x the FP8 peak", of which no figure stands there."""
    _, end = stretch(line, stated)
    here = {i for m in line.scene.entities if m.start < stated.start for i in m.ids}
    owners = {a for of, q in pair for a in domain.ancestors(of.statement(q).claim.subject)}
    elsewhere = set().union(*(of.chips for of, _ in pair if of is not line))
    named = {i for m in line.scene.entities if stated.end <= m.start < end for i in m.ids if i in line.chips}
    formats = {i for m in line.scene.qualifiers if stated.end <= m.start < end for i in m.ids if i.startswith("dtype=")}
    told = {f"dtype={own.statement(q).claim.qualifier('dtype')}" for own, q in pair}
    return named <= owners | elsewhere | here and (not formats or "dtype=" in told or bool(formats & told))
