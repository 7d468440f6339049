"""`chipwise plan train`: from model, tokens, chips, time, price and MFU what follows for the one that is not given.

    plan_training(TrainRequest("llama 3.1 70b", tokens="15T", chips="1024", on="H100"), sources)  ->  days, chip-hours, cost
    the same with days="30" instead of chips                                                      ->  chips

All of it is solved in the network of equations. Serving is in `serving`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass

from chipwise.errors import QuestionInvalid
from chipwise.figures.bindings import About, Sources, offers
from chipwise.figures.derivation import Binding
from chipwise.figures.holding import MACHINE, can_have, named_chip, spoken_for
from chipwise.figures.modellines import sized
from chipwise.figures.planner import ASSUMED, Planner, computed_with, money_and_power, renamed
from chipwise.figures.prices import offered
from chipwise.figures.worksheet import Draft, Worksheet, count, share
from chipwise.numbers.intervals import Interval

_DAY, _HOUR = 86_400.0, 3600.0
# what may be unknown, in the order of telling it; what a convention stands for is no unknown
_TOLD = (
    "training_compute",
    "parameters",
    "training_tokens",
    "chip_time",
    "chips",
    "time",
    "training_rate",
    "energy",
    "energy_cost",
)
_GOALS = frozenset(("parameters", "training_tokens", "chip_time", "chips", "time", "mfu", "peak"))


@dataclass(frozen=True)
class TrainRequest:
    """What is known of a run, as one types it; "" for what is not."""

    model: str = ""
    tokens: str = ""
    on: str = ""
    chips: str = ""
    days: str = ""
    chip_hours: str = ""
    mfu: str = ""
    price: str = ""
    cost: str = ""
    pue: str = ""
    kwh_price: str = ""


def plan_training(request: TrainRequest, sources: Sources) -> Worksheet:
    """The worksheet of a run. Raises NameUnknown and QuestionInvalid for what cannot be understood."""
    sources = renamed(sources, {})
    draft = Draft(sources)
    what = sized(request.model) if request.model else None
    given = {b.variable: b for b in _given(request, sources)}
    if what is not None:
        given["parameters"] = computed_with(draft, what)
    chip = spoken_for(draft, named_chip(sources, request.on)) if request.on else ""
    planner = Planner(draft, About(chip=chip), given)
    cost = _set_aside_what_follows(planner)
    assumed: Sequence[str] = ASSUMED
    if "mfu" not in given and (needed := planner.find("mfu", ())) is not None:
        planner.tell(needed)
        assumed = ("pue",)  # no convention beside an MFU that follows
        given["mfu"] = Binding.given("mfu", needed.value.low, needed.value.high)
        if needed.value.low > 1:
            draft.notes.append(
                "no chip does more than its peak: such a run takes more chips, more days or fewer tokens"
            )
        elif needed.value.low > _usual_mfu(draft).high:
            draft.notes.append(f"large training runs report an MFU of {draft.amount('mfu', _usual_mfu(draft))}")
    for wanted in _TOLD:
        if wanted not in given and (found := planner.find(wanted, assumed)) is not None:
            planner.tell(found)
    _tell_money(planner, cost)
    _tell_what_is_open(planner)
    if chip and draft.lines:
        planner.tell_unknown(energy=bool(request.pue or request.kwh_price))
    if chips := next((line for line in draft.lines if line.id == "chips"), None):
        machines = "to".join(dict.fromkeys(f" {can_have(math.ceil(n)):,} " for n in (chips.low, chips.high))).strip()
        draft.notes.append(f"in whole machines of {MACHINE} that is {machines} chips")
    title = f"Training {what.title}" if what else "Training"
    return draft.finished(
        "plan", title, {"what": "train", **asdict(request)}, _GOALS | {"cost", "price", "energy_cost"}
    )


def _tell_money(planner: Planner, cost: Binding | None) -> None:
    """What it costs, or the price or the peak that makes it cost and take what is given."""
    given = planner.given
    if not planner.about.chip and (peak := planner.find("peak")) is not None:
        planner.tell(peak)
    if cost is not None:
        planner.given = {**given, "cost": cost}
        price = planner.find("price")
        if price is not None:
            planner.tell(price)
    elif "cost" not in given:
        planner.tell_priced("cost")


def _tell_what_is_open(planner: Planner) -> None:
    """What is missing where nothing follows, and what would make more follow."""
    draft, given = planner.draft, planner.given
    if (
        planner.about.chip
        and not {"mfu", "peak"} & {line.id for line in draft.lines}
        and not planner.had("peak", "", ())
    ):
        name = draft.sources.names.name(planner.about.chip)
        draft.missing.append(f"the dense BF16 peak of the {name}: no figure is known")
    elif not any(line.id in _GOALS for line in draft.lines):
        has_budget = bool({"chip_time", "cost"} & set(given)) or {"chips", "time"} <= set(given)
        needed = {
            "the model": "parameters" in given,
            "--tokens": "training_tokens" in given,
            "the chip (--on)": bool(planner.about.chip),
            "--chips with --days, --chip-hours or --cost": has_budget,
        }
        listed = "; ".join(what for what, is_given in needed.items() if not is_given)
        draft.missing.append(f"too much is open; all but one of these have to be given: {listed}")
    elif not {"time", "chips"} & set(given):
        draft.notes.append("days follow once --chips is given, and chips once --days is")


def _given(request: TrainRequest, sources: Sources) -> list[Binding]:
    if request.chips and request.days and request.chip_hours:
        raise QuestionInvalid(
            "--chip-hours are --chips times --days: one of the three is too many", hint="leave one out"
        )
    texts: list[tuple[str, str, Callable[[str], float]]] = [
        ("training_tokens", request.tokens, lambda t: count(t, "tokens")),
        ("chips", request.chips, _whole),
        ("time", request.days, lambda t: count(t, "days") * _DAY),
        ("chip_time", request.chip_hours, lambda t: count(t, "chip-hours") * _HOUR),
        ("mfu", request.mfu, lambda t: _above_nothing(share(t, "MFU"), "an MFU")),
        ("cost", request.cost, lambda t: count(t.replace("$", "").removesuffix("USD"), "dollars")),
    ]
    found = [Binding.given(v, read(text), read(text)) for v, text, read in texts if text]
    return found + money_and_power(request.price, request.pue, request.kwh_price, sources)


def _whole(text: str) -> float:
    number = count(text, "chips")
    if number % 1:
        raise QuestionInvalid(f"{text} is not a whole number of chips", hint="give 1 or more")
    return number


def _usual_mfu(draft: Draft) -> Interval:
    """What large runs reach, by the convention of the network."""
    (convention,) = draft.network.conventions_of["mfu"]
    return Interval(convention.low, convention.high)


def _above_nothing(value: float, what: str) -> float:
    if not value:
        raise QuestionInvalid(f"{what} cannot be 0", hint="give a share such as 40%")
    return value


def _set_aside_what_follows(planner: Planner) -> Binding | None:
    """Leaves one way to everything: the time, or the cost, is worked out where the rest gives it; gives back a cost to find the price for."""
    given, draft = planner.given, planner.draft
    if planner.about.chip and {"parameters", "training_tokens", "chips", "time", "mfu"} <= set(given):
        days = draft.amount("time", given.pop("time").value)
        draft.notes.append(f"nothing was left open: {days} were given, hold them against the time here")
    cost = given.pop("cost", None)
    if cost is None:
        return None
    if "price" in given:
        if planner.find("chip_time", ()) is None:
            given["cost"] = cost
        else:
            text = draft.amount("cost", cost.value)
            draft.notes.append(f"nothing was left open: {text} were given, hold them against the cost here")
        return None
    if planner.find("chip_time") is None:
        given["cost"] = cost
        _price_from_facts(planner)
        return None
    return cost


def _price_from_facts(planner: Planner) -> None:
    """From the lowest price to the highest, where a budget buys what they allow."""
    draft = planner.draft
    found = [*offers(draft.sources, planner.about, draft.network.variables["price"]).values()]
    if found:
        low, high = found[0], found[-1]
        text = draft.amount("price", Interval(low.value, high.value))
        marks = "".join(dict.fromkeys(draft.cite(offer.fact) for offer in (low, high)))
        planner.given["price"] = Binding.given("price", low.value, high.value, text + marks)
        names = draft.sources.names
        draft.assume(f"on-demand prices from {offered(low.fact, names)} to {offered(high.fact, names)}")
