"""Whether some chips have room for something.

"Does a 70B model in FP8 fit on one H100?"     ->  "Yes: ", 70 GB of 80 GB
"Does Mixtral in 4 bit fit on a 24 GB card?"   ->  "It depends: ", 23.35 GB of 24 GB, of which `size` leaves a tenth free
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from chipwise.answering.asked import HOW_MANY
from chipwise.answering.base import Base
from chipwise.answering.givens import Given
from chipwise.answering.model import Ruling
from chipwise.answering.naming import Named, names_in
from chipwise.answering.question import Question, understand_last
from chipwise.answering.quoting import Cited, Told, together
from chipwise.answering.scoping import CHIP
from chipwise.answering.sumplans import Sums
from chipwise.answering.sums import open_sums
from chipwise.answering.sumtext import compose, quoted
from chipwise.answering.targets import Plan
from chipwise.answering.wish import FIT
from chipwise.domain.model import Domain
from chipwise.numbers.intervals import Interval
from chipwise.numbers.quantity import Quantity
from chipwise.text import Span, blanked

NEED, _THERE = "need", "total_memory"
_FREE = 0.1  # of the memory
_WHY_FREE = "the driver and preloaded kernels take 0.5 to 2 GiB per GPU, and fragmentation takes more."


def fits(question: Question, base: Base) -> Told | None:
    """Whether what is needed fits into the memory of the chips that the question names, or of each of several; None where it asks for something else."""
    each = _alternatives(question, base.domain)
    found = [(name, _fits(understand_last(text, question.since, base.domain), base)) for name, text in each]
    told = [one.led(f"{name}: ") for name, one in found if one is not None]
    return together(told, "\n\n") if told and len(told) == len(each) else _fits(question, base)


def _alternatives(question: Question, domain: Domain) -> list[tuple[str, str]]:
    """What "or" offers to choose from, each with the question without the others: "on 2x A100 or 8x H100", "on 2x A100, or do I need 4x"."""
    text = question.text
    quantities = domain.unit_table.find_all(text)
    rooms = [_grown(n, text, quantities) for n in names_in(text, domain) if n.ids and n.start >= question.since]
    ors = [m for m in domain.find_operators(text) if any(domain.operators[i].kind == "or" for i in m.ids)]
    for joint in (o for o in ors for r in rooms[-2:-1] if r[1] <= o.start and o.end <= rooms[-1][0]):
        return [
            (text[a:b], blanked(text, [*(r for r in rooms if r != (a, b)), (joint.start, joint.end)])) for a, b in rooms
        ]
    if len(rooms) != 1 or not text[rooms[0][0]].isdigit():
        return []
    ((start, end),) = rooms
    for joint in (o for o in ors if o.start >= end):
        more = next((q for q in quantities if q.start >= joint.end and text[q.start].isdigit()), None)
        if more is not None and more.form == "multiple":
            other = f"{text[more.start : more.end]} {text[start:end].split(maxsplit=1)[-1]}"
            return [
                (text[start:end], text[: joint.start]),
                (other, f"{text[:start]}{other}{text[end : joint.start]}"),
            ]
    return []


def _grown(named: Named, text: str, quantities: Sequence[Quantity]) -> Span:
    """Where a product stands, with how many of it before and the size of its memory right behind."""
    counts = [q.start for q in quantities if q.start < named.start <= q.end]
    sizes = [q.end for q in quantities if q.start >= named.end and not text[named.end : q.start].strip(" (")]
    return min([named.start, *counts]), max([named.end, *sizes])


def _fits(question: Question, base: Base) -> Told | None:
    sums = open_sums(question, base)
    if sums is None or not sums.asks_for(NEED) or not (sums.wish.surely == FIT or question.wants_verdict):
        return None
    cards = _cards(sums)
    if len(sums.chips) > 1 or len(cards) > 1 or not (sums.chips or cards):
        return None
    counted = sums.asked.chips.given if sums.asked.chips is not None else None
    room = [*_room(sums, tuple(g for g in (counted, *cards) if g is not None))]
    held = {p.derivation.value.low for p in room}  # "96 GB in total" says it again
    beside = (g for g in sums.asked.figures if g not in (counted, *cards))
    others = tuple(g for g in beside if not (g.kind == "information" and g.value in held))
    alone = Sums(replace(sums.asked, chips=None, figures=others), sums.sources, sums.wish)
    need = alone.best(alone.asked_for(NEED), "")
    if need is None or not room:
        return None
    needs = alone.of_each_convention(need) or [need]
    rulings = {_verdict(n.derivation.value, r.derivation.value) for n in needs for r in room}
    if len(rulings) == 1:
        needs, room = needs[:1], [replace(room[0], label="")]
    plans = _labelled(needs, room)
    if HOW_MANY.search(question.text):  # "and how many of its GPUs does it take"
        plans += [plan for chip in _with_variants(alone)[:1] if (plan := alone.of("chips", chip)) is not None]
    told = compose(plans, sums.asked, sums.sources).led(rulings.pop() if len(rulings) == 1 else Ruling.DEPENDS)
    return together([told, *_left_free(need, room[0], base)])


def _room(sums: Sums, figures: tuple[Given, ...]) -> Iterator[Plan]:
    """The memory that is there, of each capacity that variants of the chip have; of the one that is given, where one is."""
    of_chips = Sums(replace(sums.asked, figures=figures, wanted={}), sums.sources, sums.wish)
    given = any(g.kind == "information" for g in figures)
    seen: set[float] = set()
    for chip in [""] if given else _with_variants(of_chips):
        plan = of_chips.of(_THERE, chip)
        if plan is not None and plan.derivation.value.low not in seen:
            seen.add(plan.derivation.value.low)
            yield replace(plan, unused=(), label=sums.sources.names.name(chip) if chip else "")
            if chip in sums.chips:
                return


def _cards(sums: Sums) -> tuple[Given, ...]:
    """The memory of one card, and not the 96 GB of "4x 24 GB, 96 GB in total"; where no chip is named, the memory that is there."""
    several = sums.asked.chips.value if sums.asked.chips is not None else 1.0
    is_told = not sums.chips and several == 1
    sizes = [g for g in sums.asked.figures if g.kind == "information" and (g.scope == CHIP or is_told)]
    return tuple(g for g in sizes if several == 1 or not any(g.value == several * o.value for o in sizes))


def _with_variants(sums: Sums) -> list[str]:
    """The chip, and its variants where only these have a memory of their own."""
    return [v for chip in sums.chips for v in (chip, *sums.sources.names.members(chip))]


def _labelled(needs: Sequence[Plan], room: Sequence[Plan]) -> list[Plan]:
    """The plans; of several formats, or of several capacities, each with whether it fits."""
    fit = {Ruling.YES: "fits", Ruling.NO: "does not fit", Ruling.DEPENDS: "hardly fits"}

    def judged(plan: Plan, need: Plan, there: Plan) -> Plan:
        return replace(plan, label=f"{plan.label}, {fit[_verdict(need.derivation.value, there.derivation.value)]}")

    if len(needs) > 1 and len(room) == 1:
        return [*(judged(n, n, room[0]) for n in needs), *room]
    return [*needs, *(judged(r, needs[0], r) if len(room) > 1 and len(needs) == 1 else r for r in room)]


def _verdict(need: Interval, there: Interval) -> Ruling:
    """Whether what is needed is there: it depends where that hangs on what is assumed, or on a tenth that is better left free."""
    if need.high <= there.low * (1 - _FREE):
        return Ruling.YES
    return Ruling.NO if need.low > there.high else Ruling.DEPENDS


def _left_free(need: Plan, there: Plan, base: Base) -> Iterator[Told]:
    """What to know where the bytes fit and little else does."""
    needed, room = need.derivation.value, there.derivation.value
    if room.low * (1 - _FREE) < needed.high <= room.low:
        evidence = quoted(base.store, "memory-planning", _WHY_FREE)
        mark = " [1]" if evidence is not None else ""
        text = (
            f"The bytes fit, but not with a tenth of the memory left for the driver, buffers and fragmentation{mark}."
        )
        yield Told.of(text, [Cited(evidence)] if evidence is not None else [])
