"""Which two figures a percentage or a multiple compares: in its own sentence, or in the ones beside it.

    "It used to cost $2.25 an hour. It now costs $1.31, which is 72% less."    $2.25 and $1.31
    "96 GB against the 16 GB of the T4, 7.8 times as much"                      96 GB and 16 GB
    "80 GB became 141 GB, and training got 1.9x faster"                         none: it is of something else

Where more figures could be meant, or others are named than have them, none are.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from chipwise import patterns as re
from chipwise.audit.casebook import Casebook
from chipwise.audit.clauses import PACED, SAID_OF, clause_of, header, kinds_meant, names_that_time
from chipwise.audit.lines import Line, Place, key_of
from chipwise.audit.ownterms import is_of_its_own
from chipwise.claims.levels import is_level
from chipwise.domain.model import Domain
from chipwise.numbers.quantity import Quantity
from chipwise.types import Role

_TWO = 2
_COMPARES = re.compile(
    r"%|\bper\s?cent\b|\btimes\b|\d\s?[x×](?![\w-])|fold\b|\btwice\b|\bthrice\b|\bhal[fv]|\b(?:factor|ratio) of\b|doubl|tripl|quadrupl|\bthird\b|\bquarter\b",
    re.I,
)
_FROM = re.compile(
    r"\b(?:from|between|dropped|fell|rose|grew|went|slid|climbed|lowered|raised)\s[\w\s,$€£~≈]{0,12}$", re.I
)
_WAS = re.compile(r"\bfrom\s[~$€£]?$", re.I)
_OTHERS = re.compile(r"\b(?:than|over|of|against|versus)\s(.*)", re.I | re.S)
_NEXT = re.compile(r"\s?((?i:(?:the|its)\s.*)|[A-Z].*)", re.S)
_KNOWN_TO_ALL = re.compile(
    r"(?:it|they|that|those|what|before|then|last|earlier|previously|on[- ]demand|list|the (?:old|first|former|same|original|initial|lower|higher))\b|\W*$",
    re.I,
)
# "the 80GB version": which one it is, not what it has
_NAMES_A_KIND = re.compile(r"[\s-](?:version|variant|model|edition|one|sibling|flavou?r|card|part|SKU)s?\b", re.I)
_BESIDE = re.compile(r"\W*(?:\w+\W+){0,4}")  # "2.5 times as much of the memory", and no metric further on
_WIDTH = re.compile(r"\d+-bit", re.I)  # of numbers, or of a bus
_COUNTS = re.compile(r"\d+\s?[x×]")
# "2x PSU", "$4,100 for 4x": so many of a thing
_OF_A_THING = re.compile(r"\s?(?:\(?[A-Z]|\W*$|[,;)])")
_THAT = re.compile(r"\s(?:of\s)?(?:that|this|those)\b(?:\s(?!of\b)[a-z]+)?", re.I)
_BARE_THAT = re.compile(r"\s(?:of\s)?that", re.I)  # "twice that number" is another one
_WITH = re.compile(r"\W*(?:with|at)\s(?:(?:its|the|an?|all|full|about|some)\s){0,2}[$~]?", re.I)
_NAMELY = re.compile(r",?\s(?:(?:namely|or|i\.e\.,?|that is,?|about|which is)\s)*[~$(]?", re.I)
_IN_A_TIME = re.compile(
    r"\s?(?:/|per\s|an?\s|each\s|every\s)(?:year|month|quarter|week|day)|\s(?:annually|yearly|monthly)\b", re.I
)
_FOR_SO_MANY = re.compile(r"\bfor\s(?:the\s)?$", re.I)
_ENDS_THERE = re.compile(r"\s?(?:[,;.)]|$)")


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
        likely = ("ratio" in line.dimensions or "of" in line.text) and _COMPARES.search(line.text)
        if not (likely and line.may_compare):
            continue  # most sentences compare nothing, and are read no further
        stated = [q for q in line.scene.quantities if q.compares and not (_is_so_many(line, q) or _is_of_that(line, q))]
        for q in stated if line.is_its_own else ():
            pair = _pair(book.domain, lines, at, q, others=_others(line, q))
            if (
                pair
                and _is_clear(book.domain, line, q, pair)
                and names_that_time(line, q, pair)
                and not is_of_its_own(line, q, pair)
            ):
                yield Comparison(line, q, pair)


def _is_of_that(line: Line, q: Quantity) -> bool:
    """True for "rated at 989 TFLOPS, and FP8 at twice that", whose result nobody gives; not for "twice that, or 1,979".

    Nor for "With its 80 GB, the H100 has twice that", which gives it first.
    """
    that = _THAT.match(line.scene.text, q.end)
    text, figures = line.scene.text, line.scene.quantities
    namely = any(_NAMELY.fullmatch(text, that.end(), o.start) for o in figures if o.start > q.end) if that else False
    given = (o for o in figures if o.end < q.start and o.dimension != "count")
    first = that is not None and _BARE_THAT.fullmatch(that[0]) and any(_WITH.fullmatch(text, 0, o.start) for o in given)
    return that is not None and not (namely or first)


def _is_so_many(line: Line, q: Quantity) -> bool:
    """True for the "2x" of "with 2x PSU" and "$4,100 for 4x", so many of a thing, and for "10x/year", which is a pace."""
    text = line.scene.text
    if _IN_A_TIME.match(text, q.end):
        return True
    if not _COUNTS.fullmatch(text, q.start, q.end) or not _OF_A_THING.match(text, q.end):
        return False
    return text[q.end :].lstrip(" (")[:1].isupper() or bool(_FOR_SO_MANY.search(text[: q.start]))


def _pair(
    domain: Domain, lines: Sequence[Line], at: int, stated: Quantity, *, others: Sequence[Quantity]
) -> tuple[Place, ...]:
    """The figures that `stated` is of; () where it is open which."""
    line = lines[at]
    named = kinds_meant(domain, line, stated)
    alone = not any(o.compares for o in others)
    if named is None or not (alone or named) or any(_shares(line, stated, o) for o in others):
        return ()
    found: dict[str, tuple[Place, ...]] = {}
    for key, figures in _candidates(domain, lines, at).items():
        if (named and key not in named) or (key == "time" and not named):
            continue  # "at 12 h" and "for 24 h" are settings mostly
        if (len(figures) == 1 and _is_from_to(*figures[0])) or (
            len(figures) == _TWO and all(q.form == "value" for _, q in figures) and _are_of_one_column(domain, figures)
        ):
            found[key] = tuple(figures)
    return next(iter(found.values())) if len(found) == 1 else ()


def _are_of_one_column(domain: Domain, figures: Sequence[Place]) -> bool:
    """False for the "$98.32" below "Hourly cost" and the "$0.85" below "$/1M tokens" of a table."""
    heads = [domain.find_metrics(header(line, q)) for line, q in figures if line.passage.role is Role.TABLE]
    return len({frozenset(i for m in found for i in m.ids) for found in heads}) <= 1


def _others(line: Line, stated: Quantity) -> list[Quantity]:
    return [q for q in line.scene.quantities if q is not stated and (q.compares or q.unit == stated.unit)]


def _shares(line: Line, stated: Quantity, other: Quantity) -> bool:
    """True for the two of "fell 25% in May and 20% in June": what the first is of, the second is of as well."""
    if line.passage.role is Role.TABLE or stated.unit != other.unit:
        return False
    start, end = clause_of(line.scene.text, other)
    told = any(start <= m.start and m.end <= end for m in (*line.scene.metrics, *line.scene.entities))
    figures = any(start <= q.start < end for q in line.scene.quantities if q is not other and not q.compares)
    return not told and not figures and not SAID_OF.match(line.scene.text[start : other.start])


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
    scene = line.scene
    for q in scene.quantities:
        told = q.form == "range" or is_level(scene.text, q)
        if (
            q.form in ("value", "range")
            and q.dimension not in ("ratio", "number")
            and told
            and not scene.tells_scope(q)
            and not _is_in_a_name(line, q)
            and not _WIDTH.fullmatch(scene.text, q.start, q.end)
        ):
            found.setdefault(key_of(domain, q), []).append((line, q))
    return found


def _is_in_a_name(line: Line, q: Quantity) -> bool:
    """True for "A100 40GB" and "the 80GB version", and not for "the H100's 80 GB"."""
    text = line.scene.text
    if _NAMES_A_KIND.match(text, q.end):
        return True
    if _ENDS_THERE.match(text, q.end) and " " in text[q.start : q.end]:
        return False  # "the A100 has 40 GB and the H200 141 GB, ..."
    return any(
        m.start < q.start and q.end <= m.end and not re.search(r"['’]s?\s", text[m.start : q.start])
        for m in line.scene.entities
    )


def _is_from_to(line: Line, q: Quantity) -> bool:
    """True for "from 80 to 141 GB", and not for "between two and four"."""
    return q.form == "range" and q.low < q.high and bool(_FROM.search(line.text[: q.start]))


def _is_clear(domain: Domain, line: Line, stated: Quantity, pair: Sequence[Place]) -> bool:
    """False where more is reckoned with, or named, than the two figures."""
    involved = list(dict.fromkeys((line, *(place[0] for place in pair))))
    used = {o: [q for of, q in pair if of is o] + ([stated] if o is line else []) for o in involved}
    # where the comparison stands in a sentence of its own, what the figures' sentences tell besides is no part of it
    if all(of is not line for of, _ in pair[:1]):
        for o in involved:
            used[o] += [q for q in o.scene.quantities if q.dimension in _OF_THEIR_OWN - {pair[0][1].dimension}]
    if (
        any(not o.is_its_own for o in involved)
        or line.denies(stated)
        or sum(o.other_numbers(used[o]) for o in involved) > 1
    ):
        return False
    if any(q.bound not in ("exact", "about") and not _is_compared_with(of, stated, q) for of, q in pair):
        return False
    if pair[0][1].dimension in PACED and len({q.low for o in involved for q in o.counts}) > 1:
        return False  # "eight of them took 22 minutes, sixteen of these 29"
    units = [domain.units[q.unit] for _, q in pair if q.unit in domain.units]
    if len({u.per for u in units if u.dimension == units[0].dimension}) > 1 or any(q.count > 1 for _, q in pair):
        return False
    chips = set().union(*(o.chips for o in involved))
    return len(chips) <= _TWO and _compares_these(domain, line, stated, pair)


def _is_compared_with(line: Line, stated: Quantity, q: Quantity) -> bool:
    """ "76% less than 141 GB", "down to $2, from $4": no bounds, although "less than 141 GB" and "from $4" are some."""
    if _WAS.search(line.text[: q.start]):
        return True
    between = line.text[stated.end : q.start]
    return stated.end <= q.start and re.fullmatch(r"\s?(?:\w+\s)?than\s(?:the\s|its\s)?", between) is not None


def _compares_these(domain: Domain, line: Line, stated: Quantity, pair: Sequence[Place]) -> bool:
    """False for "3x more than the V100" and "than the previous generation", of which no figure stands there."""
    _, end = clause_of(line.scene.text, stated)
    owners = {a for of, q in pair for a in domain.ancestors(of.statement(q).claim.subject)}
    elsewhere = set().union(*(of.chips for of, _ in pair if of is not line))
    named = {i for m in line.scene.entities if stated.end <= m.start < end for i in m.ids if i in line.chips}
    if named:
        # "the GB200 needed 122 minutes and the H100 269, so the GB200 is 2.2 times as fast as the H100"
        here = {
            i for m in line.scene.entities if m.start < stated.start for i in m.ids if all(of is line for of, _ in pair)
        }
        return bool(named & (owners | elsewhere | here))
    after = (m for m in line.scene.metrics if _BESIDE.fullmatch(line.scene.text, stated.end, m.start) and m.end <= end)
    measured = [m.end for m in after if any(domain.metrics[i].dimension != "ratio" for i in m.ids)]
    behind = max(measured, default=stated.end)  # "2.5 times the memory of ..."
    if _is_of_another_format(line, stated, pair, behind):
        return False
    following = _NEXT.match(line.scene.text, stated.end, end)  # "7 times PCIe" names it all the same
    if following is None or (measured and not following[1][0].isupper()):
        following = _OTHERS.search(line.scene.text, behind, end)
    within = any(of is line and stated.end <= q.start < end for of, q in pair)
    return following is None or within or bool(_KNOWN_TO_ALL.match(following[1]))


def _is_of_another_format(line: Line, stated: Quantity, pair: Sequence[Place], end: int) -> bool:
    """True for "4x the dense FP8 peak" beside a figure in INT8 and one in FP16."""
    of = {i for m in line.scene.qualifiers if stated.end <= m.start < end for i in m.ids if i.startswith("dtype=")}
    told = {f"dtype={own.statement(q).claim.qualifier('dtype')}" for own, q in pair}
    return bool(of) and "dtype=" not in told and of.isdisjoint(told)
