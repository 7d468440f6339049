"""Answers by worksheet, as `chipwise size` makes them: a result with its arithmetic, what its figures are of, what is assumed.

Of memory: the need of a model, whether it fits, and how many chips hold it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

from chipwise.answering.answer import Cited, Row, Ruling, Told, evidence_in_passage
from chipwise.answering.givens import CHIP, Given
from chipwise.answering.inputs import ADAPTED, OF_SPEED, Inputs
from chipwise.answering.query import FIT, SURELY_WANTED, Wish
from chipwise.answering.sentences import capital
from chipwise.audit.evidence import span_evidence
from chipwise.claims.model import Fact, Key
from chipwise.domain.names import Names
from chipwise.errors import ChipwiseError
from chipwise.figures.alike import covered
from chipwise.figures.bindings import Sources
from chipwise.figures.format import in_words, listed
from chipwise.figures.llms import LanguageModel, read_models, row_evidence
from chipwise.figures.network import Binding, Derivation
from chipwise.index.store import Store
from chipwise.numbers.intervals import Interval
from chipwise.numbers.quantity import Quantity
from chipwise.sizing.footprint import BITS, FILES
from chipwise.sizing.memory import WAYS, size
from chipwise.sizing.requests import SizeRequest
from chipwise.sizing.worksheet import Reference, Worksheet
from chipwise.types import Evidence

_NEED, _CHIPS = "need", "chips"
MEMORY = frozenset((_NEED, FIT, "weights"))  # what a size answers where no chip is named
_METRIC = "memory_capacity"
_KINDS = frozenset("parameters active-parameters tokens sequences users width".split())  # figures that a size goes by
_OF_BITS = {32: "fp32", 16: "bf16", 8: "int8", 4: "int4"}
_ROUNDED = 0.08  # between GB and GiB
_FAIRLY = 0.5  # how sure a wish has to be where all else speaks for it
_SPARE = 0.2  # of what is counted, to be left for what is not
_LONGEST = 2e7  # tokens; more are those of a training
_TIGHT = f" only if less than {SizeRequest.reserve} of it is left free for the driver and buffers"
_NO_CONTEXT = "give a context length to add the KV cache"
_NO_SHAPE = "give a context length, and the name of the model or its layers and KV heads, to add the KV cache"

Cards = Sequence[Given]


def write(sheet: Worksheet, lead: str, rows: Sequence[Row], sources: Sources, ruling: Ruling | None = None) -> Told:
    """A worksheet behind a ruling and its result; each figure is cited by what it rests on, and a fact's says what it is of."""
    steps = [line.says for line in sheet.lines]
    used = [r for r in sheet.references if any(f" [{r.n}]" in text for text in (lead, *steps))]
    assumed = "; ".join(text.partition(": give --")[0] for text in sheet.assumptions)
    notes = [*_described(used, sources.names), *([f"Assumed: {assumed}"] if assumed else []), *sheet.notes]
    # each of several steps stands on a line; behind a ruling the result begins small: "Yes: in FP8 ..."
    step, ends = ("\n- ", "\n") if lead and len(steps) > 1 else (" ", " ")
    first, *others = filter(None, (lead, *steps))
    parts = [first if ruling is not None else capital(first), *(f"{step}{capital(said)}" for said in others)]
    text, cited = "".join(f"{part}." for part in parts), list[Cited]()
    text += "".join(f"{' ' if n else ends}{capital(note)}." for n, note in enumerate(notes))
    for reference in sheet.references:
        mark, evidence = f" [{reference.n}]", _evidence(reference, sources.store)
        cited += [Cited(evidence)] if evidence is not None and mark in text else []
        text = text.replace(mark, f" [#{len(cited)}]" if evidence is not None else "")
    facts = [r.of for r in used if isinstance(r.of, Fact)]
    return replace(Told.of(text.replace("[#", "["), cited, facts, ruling), rows=tuple(rows))


def _evidence(reference: Reference, store: Store) -> Evidence | None:
    """The quote behind a number; None where the knowledge base does not hold it."""
    if isinstance(reference.of, Fact):
        return evidence_in_passage(store, reference.of)
    if isinstance(reference.of, LanguageModel):
        return row_evidence(reference.of)
    quote, info = reference.citation.quote, store.find_source(reference.source)
    for stored in store.source_passages(reference.source):
        at = stored.passage.text.find(quote)
        if at >= 0:
            return span_evidence(stored.passage, info, at, at + len(quote))
    return None


def _described(references: Sequence[Reference], names: Names) -> Iterator[str]:
    """What each fact is a figure of: "[1] is the peak compute of NVIDIA H100 SXM (BF16, dense, per chip)"."""
    for reference in references:
        if isinstance(fact := reference.of, Fact):
            claim, dated = fact.claim, names.metrics[fact.claim.metric].nature == "priced" and fact.as_of
            qualified = ", ".join(filter(None, (in_words(claim, names), f"as of {fact.as_of}" if dated else "")))
            what = f"the {names.metrics[claim.metric].name} of {names.name(claim.subject)}"
            yield f"From [{reference.n}]: {what}{f' ({qualified})' if qualified else ''}"


def row(derivation: Derivation, subject: str = "") -> Row:
    """The result, of the chip or machine that its facts are of."""
    variable, value = derivation.variable, derivation.value
    of = {b.origin.claim.subject for b in derivation.bindings.values() if isinstance(b.origin, Fact)}
    subject = subject or (of.pop() if len(of) == 1 else "")
    unit = variable.units[0] if variable.units else variable.noun
    quantity = Quantity(0, 0, variable.dimension, unit, value.low, value.high)
    return Row(subject, Key(subject, variable.id), quantity, unit, derivation.result(), derivation)


def memory_told(inputs: Inputs, wish: Wish) -> Told | None:
    """The answer of a worksheet of memory; None for a question that asks for something else."""
    question, wants, cards = inputs.question, wish.surely, _cards(inputs)
    kinds = len(inputs.chips) + len(cards)
    tunes = bool(kinds and inputs.ways)  # a model, a way to train and a card: there is little else to ask
    needs = wish.of(inputs.domain.variables[_NEED], inputs.domain.variables) >= (_FAIRLY if tunes else SURELY_WANTED)
    if kinds == 1 and needs and (wants == FIT or question.wants_verdict or tunes):
        return _fits(inputs, cards)
    if question.wants_verdict or question.side or inputs.count is not None or inputs.machine:
        return None
    measured = {inputs.domain.metrics[m].dimension for m in question.metrics}
    if kinds == 1 and wants == _CHIPS and not (inputs.trained or measured & OF_SPEED):
        return _chips_for(inputs, cards)
    asked = wants is None and _METRIC in question.metrics
    states = ("training_states",) if {*ADAPTED} & {*inputs.ways} else ()  # of all parameters; an adapter has none
    return _amount(inputs) if not kinds and (needs or asked or wish.is_one_of({*MEMORY, *states})) else None


def _fits(inputs: Inputs, cards: Cards) -> Told | None:
    """Whether it fits, in each format; what is left of the room as a difference, but of a training, whose need grows with the chips."""
    sheet = _sheet(inputs, cards, chips=int(inputs.many))
    if sheet is None or not sheet.held:  # a chip whose memory nobody tells
        return None
    asked = len(sheet.held)
    sheet = _with_smaller(sheet, inputs, cards)
    origin = inputs.count.origin if inputs.count is not None else None
    count = f"{inputs.many:.0f}{sheet.mark_of(origin) if isinstance(origin, Fact) else ''}"  # of a machine
    rulings, says = [], []
    for held in sheet.held:
        need = sheet.amount(_NEED, sheet.needs[held.of])
        ruling = Ruling[held.verdict.upper()]
        scarce = bool(sheet.missing) and held.left.low < _SPARE * sheet.needs[held.of].high
        rulings.append(Ruling.DEPENDS if ruling is Ruling.YES and scarce else ruling)
        whole = f"{count} x {held.each} = {sheet.amount(_NEED, held.memory)}" if inputs.many > 1 else held.each
        fits = f"{'does not fit' if ruling is Ruling.NO else 'fits'} in {whole}{_TIGHT * (ruling is Ruling.DEPENDS)}"
        says.append(f"{_needed(held.of, need, inputs)}{', which' * (held.of in WAYS)} {fits}")
    first = {*rulings[:asked]}
    ruling = first.pop() if len(first) == 1 and _formats(inputs) + inputs.ways else Ruling.DEPENDS
    ruling = rulings[0] if len({*rulings}) == 1 else ruling
    reversed_ = inputs.domain.find_phrase("overflow", inputs.question.text)  # "does it OOM": yes when it does not fit
    rows = [_row(inputs, _NEED, sheet.needs[held.of]) for held in sheet.held]
    return _written(sheet, "; ".join(says), inputs, rows, None if reversed_ else ruling)


def _with_smaller(sheet: Worksheet, inputs: Inputs, cards: Cards) -> Worksheet:
    """The same with files of fewer bits, down to one that fits, where no format of the sheet does."""
    forms = [held.of for held in sheet.held]
    least = min(BITS[form][0] for form in forms) if not inputs.ways else 0.0
    for form in FILES:
        if BITS[form][1] < least and not any(held.verdict == "yes" for held in sheet.held):
            smaller = _sheet(inputs, cards, chips=int(inputs.many), formats=(*forms, form))
            sheet = smaller or sheet
    return sheet


def _needed(of: str, need: str, inputs: Inputs) -> str:
    """Say what needs an amount: "in FP8, 70 GB", or "full training needs 112 GB plus the activations" without a model."""
    more = f" plus the activations{' and the adapters' * (of != 'full')}" if inputs.model is None else ""
    return f"{WAYS[of]} needs {need}{more}" if of in WAYS else f"in {of.upper()}, {need}"


def _chips_for(inputs: Inputs, cards: Cards) -> Told | None:
    sheet = _sheet(inputs, cards)
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
    sheet = _sheet(inputs, ())
    if sheet is None:
        return None
    lead = "; ".join(_needed(of, sheet.amount(_NEED, need), inputs) for of, need in sheet.needs.items())
    return _written(sheet, lead, inputs, [_row(inputs, _NEED, need) for need in sheet.needs.values()])


def _written(sheet: Worksheet, lead: str, inputs: Inputs, rows: Sequence[Row], ruling: Ruling | None = None) -> Told:
    """The sheet, and where it lacks the KV cache, what would add it."""
    has_all = any(line.id == "cache" for line in sheet.lines) or sheet.inputs["train"]
    notes = [n for n in sheet.notes if "name a model" not in n]
    open_ = listed(dict.fromkeys(text.partition(":")[0] for text in sheet.missing)) if inputs.ways else ""
    notes += [f"not counted: {open_}; name the model to add them"] if open_ else []
    notes = notes if has_all else [*notes, _NO_SHAPE if inputs.model is None else _NO_CONTEXT]
    return write(replace(sheet, notes=notes), lead, rows, inputs.sources, ruling)


def _sheet(inputs: Inputs, cards: Cards, chips: int | None = None, formats: Sequence[str] = ()) -> Worksheet | None:
    """The worksheet of what a question states; None where it states what no size goes by, or no model."""
    counted = inputs.count.origin if inputs.count is not None else None
    held = {card.value * inputs.many for card in cards}  # "96 GB in total" says it again
    told = (g for g in inputs.figures if g is not counted and g not in cards and g.value not in held)
    figures = {g.kind: g for g in told if g.kind != "information" or not _is_their_memory(inputs, g)}
    size_of, context = figures.get("parameters"), figures.get("tokens")
    on = tuple(card.text for card in cards) or tuple(inputs.chips)
    shape = inputs.model or (_alike(size_of.value) if size_of is not None and context is not None else None)
    model = shape.name if shape is not None else f"{size_of.value:.0f}" if size_of is not None else ""
    together = figures.get("sequences") or figures.get("users")
    if not model or not figures.keys() <= _KINDS or (context is not None and context.value > _LONGEST):
        return None
    length = context.value if context is not None and not inputs.trained else 0.0
    shown = f"{length / 1e3:.0f}k" if length % 1e3 == 0 else f"{length:.0f}"  # "32k" are 32,768, as in `size`
    request = SizeRequest(
        model,
        shown if length else "",
        int(together.value) if together is not None else int(bool(length or on)),
        formats=formats or _formats(inputs),
        train=",".join(inputs.ways),
        recompute="full" if {*ADAPTED} & {*inputs.ways} else SizeRequest.recompute,  # as libraries for adapters do
        on=on,
        chips=chips,
    )
    try:
        sheet = size(request, inputs.sources, fits=bool(on))
        if shape is not inputs.model:
            sheet.assume(f"the shape of {model}, the known model nearest in size")
        return sheet
    except ChipwiseError:  # a format that no weights have
        return None


def _alike(parameters: float) -> LanguageModel | None:
    """Pick the plain dense model nearest in size, the newest of equals, whose shape stands for that of a model of unknown name."""
    newest = sorted(read_models(), key=lambda m: m.released, reverse=True)
    near = [(round(abs(m.parameters / parameters - 1), 2), m) for m in newest if m.is_plain and not m.experts]
    return min((n for n in near if n[0] <= _ROUNDED), key=lambda n: n[0], default=(0.0, None))[1]


def _is_their_memory(inputs: Inputs, given: Given) -> bool:
    """True for what the chips have anyway, each or together: the "48 GB" of "4 x A6000 (48 GB)"."""
    facts = inputs.sources.store.facts([v for c in inputs.chips for v in covered(inputs.sources.names, c)], [_METRIC])
    each = {f.amount for f in facts if f.rank == "preferred"}
    return any(math.isclose(given.value, n * amount, rel_tol=_ROUNDED) for amount in each for n in (1, inputs.many))


def _formats(inputs: Inputs) -> tuple[str, ...]:
    """The format of the weights that the question states."""
    dtype, width = inputs.axes.get("dtype", ""), next((g for g in inputs.figures if g.kind == "width"), None)
    bits = round(width.value / inputs.domain.units["bit"].scale) if width is not None else 0
    return (dtype.replace("-", "_"),) if dtype else (_OF_BITS.get(bits, f"{bits} bits"),) if bits else ()


def _cards(inputs: Inputs) -> tuple[Given, ...]:
    """The memory of one card, and not the 96 GB of "4x 24 GB, 96 GB in total"; where no chip is named, the memory that is there."""
    is_told = not inputs.chips and inputs.many == 1
    sizes = [g for g in inputs.figures if g.kind == "information" and (g.scope == CHIP or is_told)]
    return tuple(g for g in sizes if inputs.many == 1 or not any(g.value == inputs.many * o.value for o in sizes))


def _row(inputs: Inputs, variable: str, value: Interval, subject: str = "") -> Row:
    """A result as a row of the answer."""
    derivation = Derivation(inputs.sources.network, variable, (), {variable: Binding.of(variable, value)}, 0.0)
    return row(derivation, subject)
