"""`chipwise plan serve`: the most tokens per second by memory bandwidth and by compute, and what they cost there.

plan_serving(ServeRequest("llama 3.1 70b", on="H200", chips=8, batch=32), sources)  ->  ceilings, cost per million tokens
without chips                                                                       ->  the fewest that hold it
without batch                                                                       ->  the largest that they hold
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace

from chipwise.errors import NameUnknown, QuestionInvalid
from chipwise.figures import footprint
from chipwise.figures.bindings import About, Sources, available
from chipwise.figures.derivation import FACT, Binding, Derivation
from chipwise.figures.holding import (
    can_have,
    chips_needed,
    copies_of_the_cache,
    memory_of,
    named_chip,
    no_memory,
    spoken_for,
)
from chipwise.figures.llms import LanguageModel
from chipwise.figures.modellines import CONTEXT, Sized, cache_lines, sized, weight_lines
from chipwise.figures.planner import Planner, amount, computed_with, money_and_power, renamed
from chipwise.figures.worksheet import Draft, Worksheet, share, tokens
from chipwise.numbers.intervals import Interval

_NAMES = {
    "batch_rate": "token rate by bandwidth",
    "prefill_rate": "token rate by compute",
    "mfu": "share of the peak in use",
    "energy": "energy of a million tokens",
    "energy_cost": "cost of the energy of a million tokens",
    "total_token_rate": "token rate",
}
_WANTED = ("chips", "sequences", "total_token_rate", "user_token_rate", "mfu", "token_cost", "price", "energy_cost")
_MILLION = 1e6
_COMPUTED_IN = {
    "bf16": "bf16",
    "fp16": "bf16",
    "fp8": "fp8",
    "int8": "int8",
}  # weights of fewer bits are widened to BF16


@dataclass(frozen=True)
class ServeRequest:
    """What is known of a service, as one types it; "" and None for what is not."""

    model: str = ""
    on: str = ""
    chips: int | None = None
    batch: int | None = None
    context: str = ""
    format: str = "bf16"
    kv_format: str = "bf16"
    utilization: str = "100%"
    rate: str = ""
    price: str = ""
    token_cost: str = ""
    pue: str = ""
    kwh_price: str = ""
    reserve: str = "10%"


def plan_serving(request: ServeRequest, sources: Sources) -> Worksheet:
    """The worksheet of a service. Raises NameUnknown and QuestionInvalid for what cannot be understood."""
    sources = renamed(sources, _NAMES)
    draft = Draft(sources)
    what = sized(request.model) if request.model else None
    _check(request)
    chip = named_chip(sources, request.on) if request.on else ""
    title = f"Serving {what.title}" if what else "Serving"
    if what is None or what.model is None:
        draft.missing.append("the shape of the model, for its KV cache: name a model of the table")
    elif not chip:
        draft.missing.append("the chip: name one with --on")
    else:
        active = computed_with(draft, what)
        _Service(draft, request, what.model, spoken_for(draft, chip), active).tell(what)
    return draft.finished("plan", title, {"what": "serve", **asdict(request)}, _WANTED)


def _check(request: ServeRequest) -> None:
    for name in (request.format, request.kv_format):
        if name not in footprint.BITS:
            raise NameUnknown(f"no number format is called {name!r}", hint=f"there are {', '.join(footprint.BITS)}")
    for what, value in (("chips", request.chips), ("batch", request.batch)):
        if value is not None and value < 1:
            raise QuestionInvalid(f"{what} cannot be {value}", hint="give 1 or more")
    if not share(request.utilization, "utilization") or share(request.reserve, "reserve") == 1:
        raise QuestionInvalid("a utilization of 0 or a reserve of 100% leaves nothing", hint="give shares between them")


@dataclass
class _Service:
    """A model on a kind of chip; `active` are the parameters that a token is multiplied with."""

    draft: Draft
    request: ServeRequest
    model: LanguageModel
    chip: str
    active: Binding

    def tell(self, what: Sized) -> None:
        """Adds all lines: what has to fit and on how many chips, the rates, the costs."""
        draft, request = self.draft, self.request
        memory = memory_of(draft.sources, self.chip)
        if memory is None:
            draft.missing.append(no_memory(draft.sources, self.chip))
            return
        context = tokens(request.context) if request.context else min(CONTEXT, self.model.context)
        if not request.context:
            draft.assume(f"{context:,} tokens of context: give --context for others")
        weights = weight_lines(draft, what, request.format)
        batch = request.batch or self._largest_batch(weights, context, memory)
        if not batch:
            draft.missing.append("room: the weights and the cache of one sequence do not fit on these chips")
            return
        cache = cache_lines(draft, self.model, context, batch, request.kv_format)
        need, both = weights + cache, f"{draft.amount('weights', weights)} + {draft.amount('cache', cache)}"
        draft.add("need", "memory needed", both, "need", need)
        reserve = share(request.reserve, "reserve")
        fewest, most = chips_needed(need, Interval.of(0.0), memory.value.low * (1 - reserve))
        enough = can_have(most or fewest)
        each = f"{draft.shown(memory)} a chip, {reserve:.0%} of it left free"
        if request.chips is not None and request.chips < fewest:
            draft.missing.append(
                f"room: {request.chips:,} x {each}, does not hold {draft.amount('need', need)}; {enough:,} do"
            )
            return
        chips = request.chips or self._for_rate(batch, cache, enough)
        draft.notes += copies_of_the_cache(self.model, chips)
        if request.chips is None:
            if chips > enough:
                draft.notes.append("a larger --batch gives the same rate on fewer chips")
            why = f"as many as {request.rate} tokens/s take" if chips > enough else "as many as hold it"
            draft.add("chips", "chips", f"{why}, with {each}", "chips", Interval.of(float(chips)))
            draft.assume("chips come as 1, 2, 4 or 8, then as machines of 8")
        planner = self._planner(batch, cache, chips)
        rates = _rates(planner)
        if not rates:
            draft.missing.append(planner.why_not("batch_rate"))
            return
        rate = _tell_rates(planner, rates, batch)
        _tell_costs(planner, request, rate)
        planner.tell_unknown(energy=bool(request.pue or request.kwh_price))

    def _largest_batch(self, weights: Interval, context: int, memory: Binding) -> int:
        """The sequences that the chips have room for beside the weights; one where the chips are not given either."""
        draft, chips = self.draft, self.request.chips
        if chips is None:
            draft.assume("a batch of one sequence: give --batch for others, or --chips for the largest that fits")
            return 1
        one = footprint.cached(self.model, context, 1, self.request.kv_format)
        used = 1 - share(self.request.reserve, "reserve")
        batch = max(math.floor((chips * memory.value.low * used - weights.high) / one.high), 0)
        sums = f"({chips:,} x {draft.shown(memory)} x {used:.0%} - {draft.amount('weights', weights)}) / {draft.amount('cache', one)} a sequence"
        draft.add("sequences", "largest batch", sums, "sequences", Interval.of(float(batch)))
        return batch

    def _planner(self, batch: int, cache: Interval, chips: int) -> Planner:
        draft, form = self.draft, self.request.format
        use = share(self.request.utilization, "utilization")
        read = footprint.read_per_step(self.model, batch, form)
        if self.model.experts:
            draft.assume("the tokens of a batch are sent to the experts evenly")
        given = [Binding.given("sequences", batch, batch), Binding.given("chips", chips, chips), self.active]
        given += [Binding.given("read_weights", read.low, read.high), Binding.given("cache", cache.low, cache.high)]
        given += [Binding.given(v, use, use) for v in ("bandwidth_use", "mfu")]
        given += money_and_power(self.request.price, self.request.pue, self.request.kwh_price, draft.sources)
        about = About(chip=self.chip, stated={"dtype": _COMPUTED_IN.get(form, "bf16")})
        if not any(b.source == FACT for b in available(draft.sources, about, "peak")):
            about = About(chip=self.chip, stated={"dtype": "bf16"})
        if about.stated["dtype"] not in (form, _COMPUTED_IN.get(form)):
            draft.assume(f"{form.upper()} weights are multiplied in BF16")
        return Planner(draft, about, {b.variable: b for b in given})

    def _for_rate(self, batch: int, cache: Interval, enough: int) -> int:
        """As many chips as a wanted rate takes at least, where that is more than hold the model: both ceilings go with the chips."""
        rates = _rates(self._planner(batch, cache, enough)) if self.request.rate else {}
        if not rates:
            return enough
        most = min(d.value.high for d in rates.values())
        return max(enough, can_have(math.ceil(enough * _wanted(self.draft, self.request).high / most)))


def _wanted(draft: Draft, request: ServeRequest) -> Interval:
    return amount(draft.sources, draft.network.variables["total_token_rate"], request.rate).value


def _rates(planner: Planner) -> dict[str, Derivation]:
    """The rates that bandwidth and compute allow, as far as the chip's figures are known."""
    found = {id_: planner.find(id_, ()) for id_ in ("batch_rate", "prefill_rate")}
    return {id_: derivation for id_, derivation in found.items() if derivation is not None}


def _tell_rates(planner: Planner, rates: Mapping[str, Derivation], batch: int) -> Interval:
    """Adds both rates, and the lower one as the ceiling, which it gives back."""
    draft = planner.draft
    for derivation in rates.values():
        planner.tell(derivation)
    for id_ in {"batch_rate", "prefill_rate"} - set(rates):
        draft.notes.append(f"not known: {planner.why_not(id_)}")
    rate = Interval(min(d.value.low for d in rates.values()), min(d.value.high for d in rates.values()))
    lower = min(rates, key=lambda id_: rates[id_].value.high)
    why = f"the lower of the two, by {'bandwidth' if lower == 'batch_rate' else 'compute'}"
    draft.add("total_token_rate", "token rate, at most", why, "total_token_rate", rate)
    one = rate / Interval.of(float(batch))
    draft.add("user_token_rate", "of each sequence", f"{draft.lines[-1].text} / {batch:,}", "user_token_rate", one)
    ceiling = "a ceiling: nothing but weights and cache is read, nothing waits, and prompts are left out"
    in_use = "the share in use is of bandwidth and of compute alike"
    draft.assume(ceiling if planner.given["mfu"].value.low == 1 else in_use)
    return rate


def _tell_costs(planner: Planner, request: ServeRequest, rate: Interval) -> None:
    """What a million tokens cost at that rate, in rent and in energy; or the price, or the share in use, that a target takes."""
    draft = planner.draft
    given = {v: b for v, b in planner.given.items() if v in ("chips", "price", "pue", "energy_price")}
    given["total_token_rate"] = Binding.given("total_token_rate", rate.low, rate.high)
    priced = replace(planner, given=given)
    if request.token_cost and "price" not in given:
        target = amount(draft.sources, draft.network.variables["token_cost"], request.token_cost)
        found = replace(planner, given={**given, "token_cost": target}).find("price", ())
        if found is not None:
            priced.tell(found)
    else:
        priced.tell_priced("token_cost")
    if request.rate:
        wanted = _wanted(draft, request)
        sums = f"{draft.amount('total_token_rate', wanted)} / {draft.amount('total_token_rate', rate)}"
        draft.add("mfu", "share of the ceiling that the wanted rate takes", sums, "mfu", wanted / rate)
    million = Binding.given("generated_tokens", _MILLION, _MILLION)
    powered = replace(planner, given={**given, "generated_tokens": million})
    for id_ in ("energy", "energy_cost"):
        if (derivation := powered.find(id_)) is not None:
            powered.tell(derivation)
