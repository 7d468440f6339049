"""`chipwise plan serve`: the most tokens per second by memory bandwidth and by compute, what they cost, and what limits them."""

from __future__ import annotations

import math
from dataclasses import asdict, replace

from chipwise.errors import QuestionInvalid
from chipwise.figures.bindings import About, Sources, available
from chipwise.figures.llms import LanguageModel, advice
from chipwise.figures.network import FACT, Binding, Derivation
from chipwise.numbers.intervals import Interval
from chipwise.sizing import chips, footprint
from chipwise.sizing.bands import Load, note_rate
from chipwise.sizing.lines import add_up, cache_lines, computed_with, weight_lines
from chipwise.sizing.memory import CONTEXT
from chipwise.sizing.requests import ServeRequest, amount, at_least_one, one_of, share, sized, tokens
from chipwise.sizing.training import money_and_power
from chipwise.sizing.worksheet import ZERO, Worksheet

_RATE = "total_token_rate"
_NAMES = {
    "batch_rate": "token rate by bandwidth",
    "prefill_rate": "token rate by compute",
    "mfu": "share of the peak in use",
    "energy": "energy of a million tokens",
    "energy_cost": "cost of the energy of a million tokens",
    _RATE: "token rate",
    "token_cost": "token cost",
}
_WANTED = "chips sequences total_token_rate measured_rate user_token_rate mfu token_cost price energy_cost".split()
_RATES = {"batch_rate": "memory bandwidth", "prefill_rate": "compute"}
_COMPUTED_IN = {"bf16": "bf16", "fp16": "bf16", "fp8": "fp8", "int8": "int8"}  # fewer bits are widened to BF16
_MILLION = 1e6
_WITH_A_CACHE = Interval.of(1.5)  # times the weights, where neither chips nor batch are given


def plan_serving(request: ServeRequest, sources: Sources) -> Worksheet:
    """The worksheet of a service. Raises NameUnknown and QuestionInvalid for what cannot be understood."""
    what = sized(request.model) if request.model else None
    title = f"Serving {what.title}" if what else "Serving"
    sheet = Worksheet(sources, "plan", title, {"what": "serve", **asdict(request)}, _WANTED, _NAMES)
    one_of("number format", footprint.BITS, (request.format, request.kv_format))
    at_least_one({"chips": request.chips, "batch": request.batch})
    if not share(request.utilization, "utilization") or share(request.reserve, "reserve") == 1:
        raise QuestionInvalid("a utilization of 0 or a reserve of 100% leaves nothing", hint="give shares between them")
    chip = chips.named_chip(sources, request.on) if request.on else ""
    if what is None or what.model is None:
        sheet.missing.append(f"the shape of the model, for its KV cache: {advice(what.parameters if what else 70e9)}")
    elif not chip:
        sheet.missing.append("the chip: name one with --on")
    else:
        parameters = computed_with(sheet, what.parameters, what.model)
        sheet.about = About(chip=chips.spoken_for(sheet, chip))
        if memory := chips.memory_of(sheet.sources, sheet.about.chip):
            context = tokens(request.context) if request.context else min(CONTEXT, what.model.context)
            if not request.context:
                sheet.assume(f"{context:,} tokens of context: give --context for others")
            weights = weight_lines(sheet, what.parameters, what.model, request.format)
            _serve(sheet, request, what.model, memory, weights, context, parameters)
        else:
            sheet.missing.append(chips.no_memory(sheet.sources, sheet.about.chip))
    return sheet


def _serve(
    sheet: Worksheet,
    request: ServeRequest,
    model: LanguageModel,
    memory: Binding,
    weights: Interval,
    context: int,
    parameters: Binding,
) -> None:
    """Adds all lines behind the weights: what has to fit and on how many chips, the rates, the costs."""
    reserve = share(request.reserve, "reserve")
    one, room = footprint.cached(model, context, 1, request.kv_format), memory.value.low * (1 - reserve)
    least = weights + one if request.batch else max(weights + one, weights * _WITH_A_CACHE, key=lambda n: n.high)
    fewest = request.chips or chips.can_have(chips.chips_needed(least, ZERO, room)[0])
    batch = request.batch or max(math.floor((fewest * room - weights.high) / one.high), 0)
    if not batch:
        sheet.missing.append("room: the weights and the cache of one sequence do not fit on these chips")
        return
    if not request.batch:
        held = f"{fewest:,} x {sheet.shown(memory)} x {1 - reserve:.0%}"
        sums = f"({held} - {sheet.amount('weights', weights)}) / {sheet.amount('cache', one)} per sequence"
        sheet.add("sequences", "largest batch", sums, "sequences", Interval.of(float(batch)))
    cache = cache_lines(sheet, model, context, batch, request.kv_format)
    need, each = weights + cache, f"{sheet.shown(memory)} per chip, {reserve:.0%} of it left free"
    add_up(sheet, "need", "memory needed", weights, cache)
    holding = chips.can_have(chips.chips_needed(need, ZERO, room)[0])
    if request.chips and request.chips < chips.chips_needed(need, ZERO, room)[0]:
        held = f"{request.chips:,} x {each}, does not hold {sheet.amount('need', need)}"
        sheet.missing.append(f"room: {held}; {holding:,} do")
        return
    number = enough = request.chips or holding
    sheet.given = _bindings(sheet, request, model, batch, cache) | {"parameters": parameters}
    if request.rate and not request.chips and (rates := _rates(sheet, enough)):
        most = min(d.value.high for d in rates.values())  # both ceilings go with the chips
        wanted = amount(sheet.sources, _RATE, request.rate).value.high
        number = max(enough, chips.can_have(math.ceil(enough * wanted / most)))
    sheet.notes += chips.copies_of_the_cache(model, number)
    if not request.chips:
        if number > enough:
            sheet.notes.append("a larger --batch gives the same rate on fewer chips")
        why = f"as many as {request.rate} tokens/s needs" if number > enough else "the fewest that hold it"
        sheet.add("chips", "chips", f"{why}, with {each}", "chips", Interval.of(float(number)))
        sheet.assume(chips.OFFERED + ("" if request.batch else "; at least a third of the memory is for the cache"))
    rates = _rates(sheet, number)
    if not rates:
        sheet.missing.append(sheet.why_not("batch_rate"))
        return
    rate = _tell_rates(sheet, rates, batch)
    if not request.batch and sheet.limits == _RATES["batch_rate"]:
        sheet.limits += "; a larger batch would raise the rate, but memory has no room for it"
    sheet.notes += [f"limited by {sheet.limits}"] if sheet.limits else []
    load = Load(number, batch, context / 2, context / 2, request.format, request.kv_format)
    _tell_costs(sheet, request, rate, note_rate(sheet, model, load))
    sheet.tell_unknown(energy=bool(request.pue or request.kwh_price))


def _bindings(
    sheet: Worksheet, request: ServeRequest, model: LanguageModel, batch: int, cache: Interval
) -> dict[str, Binding]:
    """All that the rates and the costs go by but for chips and parameters; the sheet is about the peak in the format that is computed in."""
    use = share(request.utilization, "utilization")
    if model.experts:
        sheet.assume("the tokens of a batch are sent to the experts evenly")
    read = footprint.read_per_step(model, batch, request.format)
    known: dict[str, Interval | float] = {"sequences": batch, "read_weights": read, "cache": cache}
    known |= dict.fromkeys(("bandwidth_use", "mfu"), use)
    sheet.about = replace(sheet.about, stated={"dtype": _COMPUTED_IN.get(request.format, "bf16")})
    if not any(b.source == FACT for b in available(sheet.sources, sheet.about, "peak")):
        sheet.about = replace(sheet.about, stated={"dtype": "bf16"})
    if sheet.about.stated["dtype"] not in (request.format, _COMPUTED_IN.get(request.format)):
        sheet.assume(f"{request.format.upper()} weights are multiplied in BF16")
    priced = money_and_power(request.price, request.pue, request.kwh_price, sheet.sources)
    return {v: Binding.of(v, value) for v, value in known.items()} | {b.variable: b for b in priced}


def _rates(sheet: Worksheet, number: int) -> dict[str, Derivation]:
    """The rates that bandwidth and compute of so many chips allow, as far as the chip's figures are known."""
    sheet.given["chips"] = Binding.of("chips", number)
    return {id_: derivation for id_ in _RATES if (derivation := sheet.find(id_, ())) is not None}


def _tell_rates(sheet: Worksheet, rates: dict[str, Derivation], batch: int) -> Interval:
    """Adds both rates, and the lower one as the ceiling, which it gives back."""
    for derivation in rates.values():
        sheet.tell(derivation)
    sheet.notes += [f"not known: {sheet.why_not(id_)}" for id_ in _RATES if id_ not in rates]
    lower = min(rates, key=lambda id_: rates[id_].value.high)
    sheet.limits = _RATES[lower] if len(rates) == len(_RATES) else ""
    rate = Interval(min(d.value.low for d in rates.values()), rates[lower].value.high)
    why = f"the lower of the two, by {'bandwidth' if lower == 'batch_rate' else 'compute'}"
    sheet.add(_RATE, "token rate, at most", why, _RATE, rate)
    each = rate / Interval.of(float(batch))
    sheet.add("user_token_rate", "rate per sequence", f"{sheet.lines[-1].text} / {batch:,}", "user_token_rate", each)
    ceiling = "at most: counts only the reading of weights and cache; nothing waits, and prompts are left out"
    in_use = "bandwidth and compute have the same share in use"
    sheet.assume(ceiling if sheet.given["mfu"].value.low == 1 else in_use)
    return rate


def _tell_costs(sheet: Worksheet, request: ServeRequest, rate: Interval, practice: Interval | None) -> None:
    """Add the cost of a million tokens in rent and energy, at best and in practice, or the price or utilization that meets a target."""
    known = {v: b for v, b in sheet.given.items() if v in ("chips", "price", "pue", "energy_price")}
    known[_RATE] = Binding.of(_RATE, rate)
    if request.token_cost and "price" not in known:
        target = amount(sheet.sources, "token_cost", request.token_cost)
        if (price := sheet.find("price", (), {**known, "token_cost": target})) is not None:
            sheet.tell(price)
    else:
        at_best = "at best" if sheet.given["mfu"].value.low == 1 else "at that utilization"
        for when, each in ((at_best, rate), ("in practice", practice)):
            if each is not None:
                sheet.tell_priced("token_cost", known | {_RATE: Binding.of(_RATE, each)}, when)
    if request.rate:
        wanted = amount(sheet.sources, _RATE, request.rate).value
        sums = f"{sheet.amount(_RATE, wanted)} / {sheet.amount(_RATE, rate)}"
        sheet.add("mfu", "share of the ceiling that the target rate needs", sums, "mfu", wanted / rate)
    for id_ in ("energy", "energy_cost"):
        million = {**known, "generated_tokens": Binding.of("generated_tokens", _MILLION)}
        if (made := sheet.find(id_, given=million)) is not None:
            sheet.tell(made)
