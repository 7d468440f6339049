"""`chipwise plan train`: from model, tokens, chips, time, price and MFU what follows for the one that is not given.

plan_training(TrainRequest("llama 3.1 70b", tokens="15T", chips="1024", on="H100"), sources)  ->  days, chip-hours, cost
the same with days="30" instead of chips                                                      ->  chips
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import asdict

from chipwise.errors import QuestionInvalid
from chipwise.figures import chips
from chipwise.figures.bindings import About, Sources, offers
from chipwise.figures.derivation import Binding
from chipwise.figures.modellines import computed_with
from chipwise.figures.prices import offered
from chipwise.figures.worksheet import ASSUMED, Draft, Worksheet
from chipwise.numbers.intervals import Interval
from chipwise.sizing.bands import note_mfu
from chipwise.sizing.requests import TrainRequest, amount, count, share, sized

_DAY, _HOUR = 86_400.0, 3600.0
# what may be unknown, in the order of telling it; what a convention stands for is no unknown
_TOLD = "training_compute parameters training_tokens chip_time chips time training_rate energy energy_cost".split()
_GOALS = frozenset(("parameters", "training_tokens", "chip_time", "chips", "time", "mfu", "peak"))


def plan_training(request: TrainRequest, sources: Sources) -> Worksheet:
    """The worksheet of a run. Raises NameUnknown and QuestionInvalid for what cannot be understood."""
    draft = Draft(sources)
    what = sized(request.model) if request.model else None
    draft.given = known = {b.variable: b for b in _given(request, draft.sources)}
    if what is not None:
        known["parameters"] = computed_with(draft, what.parameters, what.model)
    chip = chips.spoken_for(draft, chips.named_chip(sources, request.on)) if request.on else ""
    draft.about = About(chip=chip)
    cost = _set_aside_what_follows(draft)
    assumed: Sequence[str] = ASSUMED
    if "mfu" not in known and (needed := draft.find("mfu", ())) is not None:
        draft.tell(needed)
        assumed = ("pue",)  # no convention beside an MFU that follows
        known["mfu"] = Binding.of("mfu", needed.value)
        usual = draft.network.conventions_of["mfu"][0]
        if needed.value.low > 1:
            note = "no chip does more than its peak: such a run takes more chips, more days or fewer tokens"
            draft.notes.append(note)
        elif needed.value.low > usual.high:
            reach = draft.amount("mfu", Interval(usual.low, usual.high))
            draft.notes.append(f"large training runs report an MFU of {reach}")
    for wanted in _TOLD:
        if wanted not in known and (found := draft.find(wanted, assumed)) is not None:
            draft.tell(found)
    _tell_money(draft, cost)
    _tell_what_is_open(draft)
    if chip and what is not None and what.model is not None:
        note_mfu(draft, what.model)
    if chip and draft.lines:
        draft.tell_unknown(energy=bool(request.pue or request.kwh_price))
    if line := next((line for line in draft.lines if line.id == "chips"), None):
        machines = dict.fromkeys(f"{chips.can_have(math.ceil(n)):,}" for n in (line.low, line.high))
        draft.notes.append(f"in whole machines of {chips.MACHINE} that is {' to '.join(machines)} chips")
    title = f"Training {what.title}" if what else "Training"
    goals = _GOALS | {"cost", "price", "energy_cost", "measured_mfu"}
    return draft.finished("plan", title, {"what": "train", **asdict(request)}, goals)


def _given(request: TrainRequest, sources: Sources) -> list[Binding]:
    if request.chips and request.days and request.chip_hours:
        said = "--chip-hours are --chips times --days: one of the three is too many"
        raise QuestionInvalid(said, hint="leave one out")
    texts: list[tuple[str, str, Callable[[str], float]]] = [
        ("training_tokens", request.tokens, lambda t: count(t, "tokens")),
        ("chips", request.chips, _whole),
        ("time", request.days, lambda t: count(t, "days") * _DAY),
        ("chip_time", request.chip_hours, lambda t: count(t, "chip-hours") * _HOUR),
        ("mfu", request.mfu, lambda t: share(t, "MFU", above=0.0)),
        ("cost", request.cost, lambda t: count(t.replace("$", "").removesuffix("USD"), "dollars")),
    ]
    found = [Binding.of(v, read(text)) for v, text, read in texts if text]
    return found + money_and_power(request.price, request.pue, request.kwh_price, sources)


def _whole(text: str) -> float:
    number = count(text, "chips")
    if number % 1:
        raise QuestionInvalid(f"{text} is not a whole number of chips", hint="give 1 or more")
    return number


def money_and_power(price: str, pue: str, kwh_price: str, sources: Sources) -> list[Binding]:
    """What is given in units of its own: a price per hour, a PUE, a price of energy."""
    texts = {"price": price, "pue": pue, "energy_price": kwh_price}
    found = [amount(sources, sources.network.variables[v], text) for v, text in texts.items() if text]
    if any(b.variable == "pue" and b.value.low < 1 for b in found):
        raise QuestionInvalid(f"a PUE cannot be {pue}", hint="give 1 or more, such as 1.2")
    return found


def _set_aside_what_follows(draft: Draft) -> Binding | None:
    """Leaves one way to everything: the time, or the cost, is worked out where the rest gives it; gives back a cost to find the price for."""
    known, over = draft.given, "nothing was left open: {} were given, hold them against the {} here"
    if draft.about.chip and {"parameters", "training_tokens", "chips", "time", "mfu"} <= set(known):
        draft.notes.append(over.format(draft.amount("time", known.pop("time").value), "time"))
    cost = known.pop("cost", None)
    if cost is None:
        return None
    if draft.find("chip_time", () if "price" in known else ASSUMED) is None:
        known["cost"] = cost
        if "price" not in known:
            _price_from_facts(draft)
    elif "price" in known:
        draft.notes.append(over.format(draft.amount("cost", cost.value), "cost"))
    else:
        return cost
    return None


def _price_from_facts(draft: Draft) -> None:
    """From the lowest price to the highest, where a budget buys what they allow."""
    found = [*offers(draft.sources, draft.about, draft.network.variables["price"]).values()]
    if found:
        low, high = found[0], found[-1]
        ends = Interval(low.value, high.value)
        marks = dict.fromkeys(draft.mark_of(o.fact) for o in (low, high))
        draft.given["price"] = Binding.of("price", ends, draft.amount("price", ends) + "".join(marks))
        names = draft.sources.names
        draft.assume(f"on-demand prices from {offered(low.fact, names)} to {offered(high.fact, names)}")


def _tell_money(draft: Draft, cost: Binding | None) -> None:
    """What it costs, or the price or the peak that makes it cost and take what is given."""
    if not draft.about.chip and (peak := draft.find("peak")) is not None:
        draft.tell(peak)
    if cost is not None:
        draft.given["cost"] = cost
        if (price := draft.find("price")) is not None:
            draft.tell(price)
    elif "cost" not in draft.given:
        draft.tell_priced("cost", draft.given)


def _tell_what_is_open(draft: Draft) -> None:
    """What is missing where nothing follows, and what would make more follow."""
    known, chip, told = set(draft.given), draft.about.chip, {line.id for line in draft.lines}
    if chip and not {"mfu", "peak"} & told and not draft.had("peak", "", draft.given, ()):
        draft.missing.append(f"the dense BF16 peak of the {draft.sources.names.name(chip)}: no figure is known")
    elif not told & _GOALS:
        needed = {
            "the model": "parameters" in known,
            "--tokens": "training_tokens" in known,
            "the chip (--on)": bool(chip),
            "--chips with --days, --chip-hours or --cost": bool({"chip_time", "cost"} & known)
            or {"chips", "time"} <= known,
        }
        listed = "; ".join(what for what, is_given in needed.items() if not is_given)
        draft.missing.append(f"too much is open; all but one of these have to be given: {listed}")
    elif not {"time", "chips"} & known:
        draft.notes.append("days follow once --chips is given, and chips once --days is")
