"""Answers on memory: the need of a model, whether it fits, and how many chips hold it, by the worksheet of `chipwise size`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from chipwise.answering.givens import Given
from chipwise.answering.inputs import OF_SPEED, Inputs
from chipwise.answering.model import Row, Ruling
from chipwise.answering.quoting import Told
from chipwise.answering.scoping import CHIP
from chipwise.answering.sheets import row, write
from chipwise.answering.wish import FIT, SURE, Wish
from chipwise.claims.model import Fact
from chipwise.errors import ChipwiseError
from chipwise.figures.derivation import Binding, Derivation
from chipwise.figures.footprint import BITS
from chipwise.figures.format import number
from chipwise.figures.worksheet import Line, Reference, Worksheet
from chipwise.numbers.intervals import Interval
from chipwise.sizing.memory import size
from chipwise.sizing.requests import SizeRequest, share

_NEED, _CHIPS = "need", "chips"
MEMORY = frozenset((_NEED, FIT, "weights"))  # what a size answers where no chip is named
_METRIC = "memory_capacity"
_KINDS = frozenset("parameters active-parameters tokens sequences users width".split())  # figures that a size goes by
_ADAPTED = ("qlora", "lora")
_OF_BITS = {32: "fp32", 16: "bf16", 8: "int8", 4: "int4"}
_FILLED = 1 - share(SizeRequest.reserve, "reserve")  # of the memory, what `size` fills
_LONGEST = 2e7  # tokens; more are those of a training
_TIGHT = f" only if less than {1 - _FILLED:.0%} of it is left free for the driver and buffers"
_NO_CONTEXT = "with a context length I can add the KV cache"
_NO_SHAPE = "with the name of the model, or its layers and KV heads, and a context length I can add the KV cache"


def memory_told(inputs: Inputs, wish: Wish) -> Told | None:
    """The answer of a worksheet of memory; None for a question that asks for something else."""
    question, wants, cards = inputs.question, wish.surely, _cards(inputs)
    needs = wish.of(inputs.domain.variables[_NEED], inputs.domain.variables) >= SURE
    kinds = len(inputs.chips) + len(cards)
    if kinds == 1 and needs and (wants == FIT or question.wants_verdict):
        return _fits(inputs, cards)
    if question.wants_verdict or question.side or inputs.count is not None or inputs.machine:
        return None
    measured = {inputs.domain.metrics[m].dimension for m in question.metrics}
    if kinds == 1 and wants == _CHIPS and not (inputs.is_training or measured & OF_SPEED):
        return _chips_for(inputs, cards)
    asked = wants is None and _METRIC in question.metrics
    return _amount(inputs) if not kinds and (needs or asked or wish.is_one_of(MEMORY)) else None


def _fits(inputs: Inputs, cards: Sequence[Given]) -> Told | None:
    sheet = _sheet(inputs, cards, int(inputs.many))
    if sheet is None:
        return None
    of_count, mark = inputs.count.origin if inputs.count is not None else None, ""
    if isinstance(of_count, Fact):  # of a machine
        counted = Reference(len(sheet.references) + 1, of_count.claim.source, of_count.citation, of_count)
        sheet, mark = replace(sheet, references=(*sheet.references, counted)), f" [{counted.n}]"
    judged = [*_judged(sheet, inputs, mark)]
    rulings = {ruling for ruling, *_ in judged}
    if not judged:  # a chip whose memory nobody tells
        return None
    ruling = rulings.pop() if len(rulings) == 1 else Ruling.DEPENDS
    sheet = replace(sheet, lines=tuple(_with_rest(sheet, f"{inputs.many:.0f}{mark}")))
    return _written(sheet, "; ".join(text for _, text, _ in judged), inputs, [row for *_, row in judged], ruling)


def _judged(sheet: Worksheet, inputs: Inputs, mark: str) -> Iterator[tuple[Ruling, str, Row]]:
    """For each format and each kind of chip whether it fits, in words, and what it takes; `mark` cites the number of chips."""
    lines = {line.id: line for line in sheet.lines}
    for id_, line in lines.items():
        side, _, rest = id_.partition(".")
        chip, _, of = rest.rpartition(".")
        if side in ("left", "short"):
            need, room = _need(lines, of), lines[f"room.{chip}"]
            held, shown = room.low / _FILLED, room.inputs[0].text
            shown = f"{inputs.many:.0f}{mark} x {shown} = {number(held)} {room.unit}" if inputs.many > 1 else shown
            kept = side == "short" and line.low <= held - room.low
            ruling = Ruling.YES if side == "left" else Ruling.DEPENDS if kept else Ruling.NO
            says = f"{'does not fit' if ruling is Ruling.NO else 'fits'} in {shown}{_TIGHT if kept else ''}"
            name = f"in {of.upper()}" if of in BITS else "for training"
            yield ruling, f"{name} {need.text} {says}", _row(inputs, _NEED, Interval(need.low * 1e9, need.high * 1e9))


def _with_rest(sheet: Worksheet, chips: str) -> Iterator[Line]:
    """The lines, with what is left of the room as a difference; a training's need grows with the chips, and has none."""
    lines = {line.id: line for line in sheet.lines}
    for id_, line in lines.items():
        side, _, rest = id_.partition(".")
        chip, _, of = rest.rpartition(".")
        if side != "left":
            yield line
        elif of in BITS:
            room = f"{chips} x {lines[f'room.{chip}'].inputs[0].text} x {_FILLED:.0%}"
            yield replace(line, says=f"left in {of.upper()}: {room} - {_need(lines, of).text} = {line.text}")


def _need(lines: dict[str, Line], of: str) -> Line:
    """The line of all that is needed in a format, or for training."""
    ids = (f"total.{of}", "total", "states", *(i for i in lines if i.startswith(f"weights.{of}")), *lines)
    return next(lines[i] for i in ids if i in lines)


def _chips_for(inputs: Inputs, cards: Sequence[Given]) -> Told | None:
    sheet = _sheet(inputs, cards, None)
    if sheet is None or not sheet.fits:
        return None
    each = []
    for fit in sheet.fits:
        practice = f", in practice {fit.offered[0]:,}" if fit.offered[0] != fit.least[0] else ""
        each.append(f"{fit.least[0]:,} x {fit.name} ({fit.memory} each) in {fit.of}{practice}")
    rows = [_row(inputs, _CHIPS, Interval(f.least[0], f.least[1] or f.least[0]), f.chip) for f in sheet.fits]
    return _written(sheet, "; ".join(each), inputs, rows)


def _amount(inputs: Inputs) -> Told | None:
    """The memory that a model takes; its weights alone where no context is told."""
    sheet = _sheet(inputs, (), None)
    if sheet is None:
        return None
    has_cache = any(g.kind == "tokens" for g in inputs.figures)
    kept = [line for line in sheet.lines if has_cache or sheet.inputs["train"] or line.id.startswith("weights.")]
    lines = {line.id: line for line in kept}
    if sheet.inputs["train"]:
        found = {"for training": _need(lines, "")}
    else:
        forms = dict.fromkeys(i.split(".")[1] for i in lines if i.startswith("weights."))
        found = {f"in {of.upper()}": _need(lines, of) for of in forms}
    rows = [_row(inputs, _NEED, Interval(line.low * 1e9, line.high * 1e9)) for line in found.values()]
    notes = tuple(n for n in sheet.notes if "--on" not in n and "KV cache" not in n)
    assumed = tuple(a for a in sheet.assumptions if "chip" not in a and (has_cache or "context" not in a))
    sheet = replace(sheet, lines=tuple(kept), notes=notes, assumptions=assumed)
    return _written(sheet, "; ".join(f"{name} {line.text}" for name, line in found.items()), inputs, rows)


def _written(sheet: Worksheet, lead: str, inputs: Inputs, rows: Sequence[Row], ruling: Ruling | None = None) -> Told:
    """The sheet, and where it lacks the KV cache, what would add it."""
    more = (_NO_SHAPE if inputs.model is None else _NO_CONTEXT,)
    has_all = any(line.id == "cache" for line in sheet.lines) or sheet.inputs["train"]
    notes = tuple(n for n in sheet.notes if "name a model" not in n)
    return write(replace(sheet, notes=() if has_all else (*notes, *more)), lead, rows, inputs.sources, ruling)


def _sheet(inputs: Inputs, cards: Sequence[Given], chips: int | None) -> Worksheet | None:
    """The worksheet of what a question states; None where it states what no size goes by, or no model."""
    counted = inputs.count.origin if inputs.count is not None else None
    held = {card.value * inputs.many for card in cards}  # "96 GB in total" says it again
    figures = {g.kind: g for g in inputs.figures if g is not counted and g not in cards and g.value not in held}
    size_of = figures.get("parameters")
    model = inputs.model.name if inputs.model is not None else f"{size_of.value:.0f}" if size_of is not None else ""
    context, together = figures.get("tokens"), figures.get("sequences") or figures.get("users")
    if not model or not figures.keys() <= _KINDS or (context is not None and context.value > _LONGEST):
        return None
    training = inputs.is_training
    length = context.value if context is not None and not training else 0.0
    shown = f"{length / 1e3:.0f}k" if length % 1e3 == 0 else f"{length:.0f}"  # "32k" are 32,768, as in `size`
    request = SizeRequest(
        model,
        shown if length else "",
        int(together.value) if together is not None else 1,
        formats=_formats(inputs, figures.get("width")),
        train=next((w for w in _ADAPTED if w in inputs.question.text.lower()), "full") if training else "",
        on=tuple(card.text for card in cards) or tuple(inputs.chips),
        chips=chips,
    )
    try:
        return size(request, inputs.sources)
    except ChipwiseError:  # a format that no weights have
        return None


def _formats(inputs: Inputs, width: Given | None) -> tuple[str, ...]:
    dtype = inputs.axes.get("dtype", "")
    bits = round(width.value / inputs.domain.units["bit"].scale) if width is not None else 0
    return (dtype,) if dtype else (_OF_BITS.get(bits, f"{bits} bits"),) if bits else ()


def _cards(inputs: Inputs) -> tuple[Given, ...]:
    """The memory of one card, and not the 96 GB of "4x 24 GB, 96 GB in total"; where no chip is named, the memory that is there."""
    is_told = not inputs.chips and inputs.many == 1
    sizes = [g for g in inputs.figures if g.kind == "information" and (g.scope == CHIP or is_told)]
    return tuple(g for g in sizes if inputs.many == 1 or not any(g.value == inputs.many * o.value for o in sizes))


def _row(inputs: Inputs, variable: str, value: Interval, subject: str = "") -> Row:
    """A result as a row of the answer."""
    derivation = Derivation(inputs.sources.network, variable, (), {variable: Binding.of(variable, value)}, 0.0)
    return row(derivation, subject)
