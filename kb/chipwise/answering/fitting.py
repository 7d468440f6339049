"""What a model takes and which chips hold it, by the worksheet of `chipwise size`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from chipwise.answering.base import Base
from chipwise.answering.givens import Given
from chipwise.answering.model import Row, Ruling
from chipwise.answering.query import Query
from chipwise.answering.quoting import Cited, Told, evidence_in_passage
from chipwise.answering.scoping import CHIP
from chipwise.answering.sumplans import Sums
from chipwise.answering.sums import open_sums
from chipwise.answering.sumtext import quoted
from chipwise.answering.wish import FIT
from chipwise.claims.model import Key
from chipwise.errors import ChipwiseError
from chipwise.figures import chips
from chipwise.figures.derivation import Derivation
from chipwise.figures.footprint import BITS
from chipwise.figures.format import number as number_text
from chipwise.figures.worksheet import Worksheet, given
from chipwise.numbers.intervals import Interval
from chipwise.numbers.quantity import Quantity
from chipwise.sizing.memory import size
from chipwise.sizing.requests import SizeRequest

NEED, _STATES = "need", "training_states"
_KINDS = frozenset("parameters active-parameters tokens sequences users width".split())  # figures that a size goes by
_TRAINING = frozenset(("training", "pre-training", "fine-tuning"))
_OF_SPEED = frozenset(("time", "token_rate"))  # dimensions
_ADAPTED = ("qlora", "lora")
_OF_BITS = {32: "fp32", 16: "bf16", 8: "int8", 4: "int4"}
_COUNT = " [count]"  # behind a number of chips, which is cited where a machine has them
_FREE = 0.9  # of the memory, what `size` fills
_LONGEST = 2e7  # tokens; more are those of a training
_TIGHT = " only if no tenth of it is left for the driver and buffers"
_WITH_MORE = " With the name of the model, or its layers and KV heads, and a context length I can add the KV cache."


def fits(question: Query, base: Base) -> Told | None:
    """Whether what is needed fits into the chips that the question names; None where it asks for something else."""
    sums = open_sums(question, base)
    if sums is None or not sums.asks_for(NEED) or not (sums.wish.surely == FIT or question.wants_verdict):
        return None
    cards = _cards(sums)
    if len(sums.chips) > 1 or len(cards) > 1 or not (sums.chips or cards):
        return None
    number = int(sums.asked.chips.value) if sums.asked.chips is not None else 1
    sheet = _sheet(question, sums, cards, number)
    judged = [*_judged(sheet, sums, number)] if sheet is not None else []
    rulings = {ruling for ruling, *_ in judged}
    if sheet is None or not judged:  # a chip whose memory nobody tells
        return None
    told = _told(sheet, f"{'; '.join(text for _, text, _ in judged)}.", sums, [row for *_, row in judged])
    return told.led(rulings.pop() if len(rulings) == 1 else Ruling.DEPENDS)


def _judged(sheet: Worksheet, sums: Sums, number: int) -> Iterator[tuple[Ruling, str, Row]]:
    """For each format and each kind of chip whether it fits, in words, and what it takes."""
    lines = {line.id: line for line in sheet.lines}
    for id_, line in lines.items():
        side, _, rest = id_.partition(".")
        chip, _, of = rest.rpartition(".")
        if side in ("left", "short"):
            ids = (f"total.{of}", "total", "states", *(i for i in lines if i.startswith(f"weights.{of}")), *lines)
            need, room = next(lines[i] for i in ids if i in lines), lines[f"room.{chip}"]
            held, shown = room.low / _FREE, room.inputs[0].text
            shown = f"{number}{_COUNT} x {shown} = {number_text(held)} {room.unit}" if number > 1 else shown
            kept = side == "short" and line.low <= held - room.low
            ruling = Ruling.YES if side == "left" else Ruling.DEPENDS if kept else Ruling.NO
            says = f"{'does not fit' if ruling is Ruling.NO else 'fits'} in {shown}{_TIGHT if kept else ''}"
            name = f"in {of.upper()}" if of in BITS else "for training"
            row = _row("", NEED, Interval(need.low * 1e9, need.high * 1e9), "GB", need.text, sums)
            yield ruling, f"{name} {need.text} {says}", row


def chips_for(question: Query, base: Base) -> Told | None:
    """How many of a chip it takes to run a model; None for a question that asks for something else, or for a training."""
    sums = open_sums(question, base)
    if sums is None or question.wants_verdict or question.side or _is_training(question, sums):
        return None
    measured = {sums.domain.metrics[m].dimension for m in question.metrics}
    if len(sums.chips) != 1 or sums.asked.chips is not None or sums.machine or measured & _OF_SPEED:
        return None  # "with a latency under a second" asks for no size
    sheet = _sheet(question, sums, _cards(sums), None) if sums.asks_for("chips") else None
    if sheet is None or not sheet.fits:
        return None
    each = []
    for fit in sheet.fits:
        practice = f", in practice {fit.offered[0]:,}" if fit.offered[0] != fit.least[0] else ""
        each.append(f"{fit.least[0]:,} {fit.name} of {fit.memory} in {fit.of}{practice}")
    counts = [Interval(f.least[0], f.least[1] or f.least[0]) for f in sheet.fits]
    rows = [_row(f.chip, "chips", n, "chips", f"{n.low:,}", sums) for f, n in zip(sheet.fits, counts, strict=True)]
    return _told(sheet, f"{'; '.join(each)}.", sums, rows)


def _sheet(question: Query, sums: Sums, cards: Sequence[Given], number: int | None) -> Worksheet | None:
    """The worksheet of what a question states; None where it states what no size goes by, or no model."""
    counted = sums.asked.chips.given if sums.asked.chips is not None else None
    held = {card.value * (number or 1) for card in cards}  # "96 GB in total" says it again
    figures = {g.kind: g for g in sums.asked.figures if g not in (counted, *cards) and g.value not in held}
    size_of = figures.get("parameters")
    model = sums.model.name if sums.model is not None else f"{size_of.value:.0f}" if size_of is not None else ""
    context, together_ = figures.get("tokens"), figures.get("sequences") or figures.get("users")
    if not model or not figures.keys() <= _KINDS or (context is not None and context.value > _LONGEST):
        return None
    on = tuple(card.text for card in cards) or tuple(sums.chips)
    forms = _formats(sums, figures.get("width"))
    training = _is_training(question, sums)
    way = next((w for w in _ADAPTED if w in question.text.lower()), "full") if training else ""
    length = context.value if context is not None and not training else 0.0
    shown = f"{length / 1e3:.0f}k" if length % 1e3 == 0 else f"{length:.0f}"  # "32k" are 32,768, as in `size`
    batch = int(together_.value) if together_ is not None else 1
    request = SizeRequest(model, shown if length else "", batch, formats=forms, train=way, on=on, chips=number)
    try:
        return size(request, sums.sources)
    except ChipwiseError:  # a format that no weights have
        return None


def _is_training(question: Query, sums: Sums) -> bool:
    """True where a training is named, or words ask for what only a training has."""
    return bool(_TRAINING & set(question.terms)) or any(t.variable.id == _STATES and t.places for t in sums.targets)


def _formats(sums: Sums, width: Given | None) -> tuple[str, ...]:
    dtype = sums.asked.wanted.get("dtype", "")
    bits = round(width.value / sums.domain.units["bit"].scale) if width is not None else 0
    return (dtype,) if dtype else (_OF_BITS.get(bits, f"{bits} bits"),) if bits else ()


def _cards(sums: Sums) -> tuple[Given, ...]:
    """The memory of one card, and not the 96 GB of "4x 24 GB, 96 GB in total"; where no chip is named, the memory that is there."""
    several = sums.asked.chips.value if sums.asked.chips is not None else 1.0
    is_told = not sums.chips and several == 1
    sizes = [g for g in sums.asked.figures if g.kind == "information" and (g.scope == CHIP or is_told)]
    return tuple(g for g in sizes if several == 1 or not any(g.value == several * o.value for o in sizes))


def _row(subject: str, variable: str, value: Interval, unit: str, text: str, sums: Sums) -> Row:
    """A result as a row of the answer."""
    dimension = "information" if variable == NEED else "count"
    quantity = Quantity(0, 0, dimension, unit, value.low, value.high)
    derivation = Derivation(sums.sources.network, variable, (), {variable: given(variable, value)}, 0.0)
    return Row(subject, Key(subject, variable), quantity, unit, text, derivation)


def _told(sheet: Worksheet, first: str, sums: Sums, rows: Sequence[Row]) -> Told:
    """A worksheet as an answer: what comes first, the arithmetic, what is assumed, what is open."""
    says = [line.says for line in sheet.lines if line.id.partition(".")[0] not in ("left", "short")]
    assumed = [text.partition(": give --")[0] for text in sheet.assumptions]
    text = f"{first} {' '.join(f'{s[:1].upper()}{s[1:]}.' for s in says)} Assumed: {'; '.join(assumed)}."
    text += _WITH_MORE if not any(line.id == "cache" for line in sheet.lines) and not sheet.inputs["train"] else ""
    sources, kinds = sums.sources, [v for c in sums.chips for v in (c, *sums.sources.names.members(c))]
    memories = [b.origin for v in kinds if (b := chips.memory_of(sources, v)) is not None]
    facts = {f.citation: f for f in memories if any(r.citation == f.citation for r in sheet.references)}
    cited: list[Cited] = []
    for reference in sheet.references:
        cites, mark = reference.citation, f" [{reference.n}]"
        found = quoted(sources.store, reference.source, cites.quote) if cites not in facts else None
        evidence = evidence_in_passage(sources.store, facts[cites]) if cites in facts else found
        cited += [Cited(evidence)] if evidence is not None and mark in text else []
        text = text.replace(mark, f" [#{len(cited)}]" if evidence is not None else "")
    if (count := sums.asked.chips.fact if sums.asked.chips is not None and _COUNT in text else None) is not None:
        cited.append(Cited(evidence_in_passage(sources.store, count)))
    text = text.replace(_COUNT, f" [{len(cited)}]" if count is not None else "").replace("[#", "[")
    return replace(Told.of(text, cited, [*facts.values(), *filter(None, (count,))]), rows=tuple(rows))
