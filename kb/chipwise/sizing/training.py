"""`chipwise plan train`: from model, tokens, chips, time, price and MFU what follows for the one that is not given.

plan_training(TrainRequest("llama 3.1 70b", tokens="15T", chips="1024", on="H100"), sources)  ->  days, chip-hours, cost
the same with days="30" instead of chips                                                      ->  chips
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import asdict

from chipwise.errors import QuestionInvalid
from chipwise.figures.bindings import About, Sources, offers
from chipwise.figures.network import Binding
from chipwise.figures.resolve import offered
from chipwise.numbers.intervals import Interval
from chipwise.sizing import chips
from chipwise.sizing.bands import note_mfu
from chipwise.sizing.lines import computed_with
from chipwise.sizing.requests import TrainRequest, amount, count, share, sized
from chipwise.sizing.worksheet import ASSUMED, Worksheet

_DAY, _HOUR = 86_400.0, 3600.0
# what may be unknown, in the order of telling it; what a convention stands for is no unknown
_TOLD = "training_compute parameters training_tokens chip_time chips time training_rate energy energy_cost".split()
_GOALS = frozenset(("parameters", "training_tokens", "chip_time", "chips", "time", "mfu", "peak"))
_ANSWERS = _GOALS | {"cost", "price", "energy_cost", "measured_mfu"}


def plan_training(request: TrainRequest, sources: Sources) -> Worksheet:
    """The worksheet of a run. Raises NameUnknown and QuestionInvalid for what cannot be understood."""
    what = sized(request.model) if request.model else None
    title = f"Training {what.title}" if what else "Training"
    sheet = Worksheet(sources, "plan", title, {"what": "train", **asdict(request)}, _ANSWERS)
    sheet.given = known = {b.variable: b for b in _given(request, sheet.sources)}
    if what is not None:
        known["parameters"] = computed_with(sheet, what.parameters, what.model)
    chip = chips.spoken_for(sheet, chips.named_chip(sources, request.on)) if request.on else ""
    sheet.about = About(chip=chip)
    cost = _set_aside_what_follows(sheet)
    assumed: Sequence[str] = ASSUMED
    if "mfu" not in known and (needed := sheet.find("mfu", ())) is not None:
        sheet.tell(needed)
        assumed = ("pue",)  # no convention beside an MFU that follows
        known["mfu"] = Binding.of("mfu", needed.value)
        usual = sheet.network.conventions_of["mfu"][0]
        if needed.value.low > 1:
            sheet.notes.append("no chip exceeds its peak: this run takes more chips, more days or fewer tokens")
        elif needed.value.low > usual.high:
            reach = sheet.amount("mfu", Interval(usual.low, usual.high))
            sheet.notes.append(f"large training runs report an MFU of {reach}")
    for wanted in _TOLD:
        if wanted not in known and (found := sheet.find(wanted, assumed)) is not None:
            sheet.tell(found)
    _tell_money(sheet, cost)
    _tell_what_is_open(sheet)
    if chip and what is not None and what.model is not None:
        note_mfu(sheet, what.model)
    if chip and sheet.lines:
        sheet.tell_unknown(energy=bool(request.pue or request.kwh_price))
    if line := next((line for line in sheet.lines if line.id == "chips"), None):
        machines = dict.fromkeys(f"{chips.can_have(math.ceil(n)):,}" for n in (line.low, line.high))
        sheet.notes.append(f"in whole machines of {chips.MACHINE} that is {' to '.join(machines)} chips")
    return sheet


def _given(request: TrainRequest, sources: Sources) -> list[Binding]:
    if request.chips and request.days and request.chip_hours:
        raise QuestionInvalid("--chip-hours are --chips times --days: give two of the three", hint="leave one out")
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
    found = [amount(sources, v, text) for v, text in texts.items() if text]
    if any(b.variable == "pue" and b.value.low < 1 for b in found):
        raise QuestionInvalid(f"a PUE cannot be {pue}", hint="give 1 or more, such as 1.2")
    return found


def _set_aside_what_follows(sheet: Worksheet) -> Binding | None:
    """Leaves one way to everything: the time, or the cost, is worked out where the rest gives it; gives back a cost to find the price for."""
    known, over = sheet.given, "nothing was left open: {} were given; compare them with the {} here"
    if sheet.about.chip and {"parameters", "training_tokens", "chips", "time", "mfu"} <= set(known):
        sheet.notes.append(over.format(sheet.amount("time", known.pop("time").value), "time"))
    cost = known.pop("cost", None)
    if cost is None:
        return None
    if sheet.find("chip_time", () if "price" in known else ASSUMED) is None:
        known["cost"] = cost
        if "price" not in known:
            _price_from_facts(sheet)
    elif "price" in known:
        sheet.notes.append(over.format(sheet.amount("cost", cost.value), "cost"))
    else:
        return cost
    return None


def _price_from_facts(sheet: Worksheet) -> None:
    """From the lowest price to the highest, where a budget buys what they allow."""
    found = [*offers(sheet.sources, sheet.about, sheet.network.variables["price"]).values()]
    if found:
        low, high = found[0], found[-1]
        ends = Interval(low.value, high.value)
        marks = dict.fromkeys(sheet.mark_of(o.fact) for o in (low, high))
        sheet.given["price"] = Binding.of("price", ends, sheet.amount("price", ends) + "".join(marks))
        names = sheet.sources.names
        sheet.assume(f"on-demand prices from {offered(low.fact, names)} to {offered(high.fact, names)}")


def _tell_money(sheet: Worksheet, cost: Binding | None) -> None:
    """What it costs, or the price or the peak that makes it cost and take what is given."""
    if not sheet.about.chip and (peak := sheet.find("peak")) is not None:
        sheet.tell(peak)
    if cost is not None:
        sheet.given["cost"] = cost
        if (price := sheet.find("price")) is not None:
            sheet.tell(price)
    elif "cost" not in sheet.given:
        sheet.tell_priced("cost", sheet.given)


def _tell_what_is_open(sheet: Worksheet) -> None:
    """What is missing where nothing follows, and what would make more follow."""
    known, chip, told = set(sheet.given), sheet.about.chip, {line.id for line in sheet.lines}
    if chip and not {"mfu", "peak"} & told and not sheet.had("peak", "", sheet.given, ()):
        sheet.missing.append(f"the dense BF16 peak of the {sheet.sources.names.name(chip)}: no figure is known")
    elif not told & _GOALS:
        needed = {
            "the model": "parameters" in known,
            "--tokens": "training_tokens" in known,
            "the chip (--on)": bool(chip),
            "--chips with --days, --chip-hours or --cost": bool({"chip_time", "cost"} & known)
            or {"chips", "time"} <= known,
        }
        listed = "; ".join(what for what, is_given in needed.items() if not is_given)
        sheet.missing.append(f"too much is open; all but one of these have to be given: {listed}")
    elif not {"time", "chips"} & known:
        sheet.notes.append("days follow once --chips is given, and chips once --days is")
