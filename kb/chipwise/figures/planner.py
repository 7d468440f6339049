"""Derivations for a plan: from what is given, facts and conventions, each step a line of the worksheet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from chipwise.domain.formulas import Variable
from chipwise.errors import QuestionInvalid, Underdetermined
from chipwise.figures.amounts import number
from chipwise.figures.bindings import About, Sources, available, offer_binding, offers
from chipwise.figures.derivation import CONVENTION, FACT, Binding, Derivation
from chipwise.figures.modellines import MEMORY, Sized, cite_model
from chipwise.figures.prices import offered
from chipwise.figures.solve import bind, derivations, derive
from chipwise.figures.worksheet import DIGITS, Draft, Line

_MOE = "Memory of an MoE model follows the total parameters, and FLOPs follow the active parameters."
ASSUMED = ("mfu", "pue")  # the variables that a convention may stand for


@dataclass
class Planner:
    """Derivations for one chip from what is given, each step of them a line of the draft."""

    draft: Draft
    about: About
    given: dict[str, Binding]

    def had(self, variable: str, wanted: str, assumed: Sequence[str]) -> Sequence[Binding]:
        """What may stand for a variable that is not given: a fact, or one of the conventions that are wanted here."""
        if variable == wanted or variable in self.given:
            return ()
        found = available(self.draft.sources, self.about, variable)
        return [b for b in found if b.source != CONVENTION or variable in assumed]

    def find(self, wanted: str, assumed: Sequence[str] = ASSUMED) -> Derivation | None:
        """The cheapest derivation, whether or not it uses all that is given; None where nothing follows."""
        figures = list(self.given.values())
        found = derivations(
            self.draft.network, wanted, figures, lambda v: self.had(v, wanted, assumed), list(self.given)
        )
        return found[0] if found else None

    def why_not(self, wanted: str) -> str:
        """What is missing for a variable."""
        needed = [b for b in self.given.values() if b.variable != wanted]
        try:
            derive(self.draft.network, wanted, needed, lambda v: self.had(v, wanted, ASSUMED))
        except Underdetermined as error:
            return str(error)
        return f"the {self.draft.network.variables[wanted].name} does not follow"

    def tell(self, derivation: Derivation, label: str = "") -> None:
        """Adds its steps that no line tells yet."""
        draft = self.draft
        steps = [s for s in derivation.steps if not s.is_alias or s.variable == derivation.wanted]
        for step, says in zip(steps, derivation.lines(draft.shown, draft.law), strict=True):
            id_ = f"{step.variable}.{label}" if label and step.variable == derivation.wanted else step.variable
            if all(line.id != id_ for line in draft.lines):
                said = f"{says} ({label})" if label and step.variable == derivation.wanted else says
                name = draft.network.variables[step.variable].name + (f" ({label})" if said != says else "")
                draft.lines.append(_line(draft, (id_, name, said), derivation, step.variable))
        for convention in derivation.assumes:
            draft.convention(convention)

    def tell_unknown(self, *, energy: bool) -> None:
        """Which of the chip's price and power is not known, so that what rests on it does not follow; missing where `energy` is asked for."""
        draft, name = self.draft, self.draft.sources.names.name(self.about.chip)
        known = {v for v in ("price", "power") if v in self.given or available(draft.sources, self.about, v)}
        told = {line.id.partition(".")[0] for line in draft.lines}
        if "price" not in known and not told & {"cost", "price", "token_cost"}:
            draft.notes.append(f"no on-demand price of the {name} is known: give --price for what it costs")
        if energy and "power" not in known:
            draft.missing.append(f"the power of the {name}, and with it the energy: no figure is known")
        elif energy and "energy" not in told:
            draft.missing.append(self.why_not("energy"))

    def tell_priced(self, wanted: str) -> None:
        """The same where it rests on a price: at that which is given, or at the lowest and the highest that somebody asks."""
        derivation = self.find(wanted)
        if derivation is None:
            return
        priced = derivation.bindings.get("price")
        if priced is None or priced.source != FACT:
            self.tell(derivation)
            return
        sources = self.draft.sources
        found = [*offers(sources, self.about, self.draft.network.variables["price"]).values()]
        for offer in dict.fromkeys((found[0], found[-1])):
            at = derivation.with_binding(offer_binding("price", offer, sources.names))
            self.tell(at, offered(offer.fact, sources.names))
        several = f"on-demand prices of {len(found)} providers: the lowest and the highest"
        self.draft.assume(several if len(found) > 1 else "the one on-demand price that is known")


def _line(draft: Draft, told: tuple[str, str, str], derivation: Derivation, variable: str) -> Line:
    value, v = derivation.values[variable], draft.network.variables[variable]
    unit = v.units[0] if v.units else ""
    scale = draft.network.scales[unit] if unit else 1.0
    return Line(*told, value.low / scale, value.high / scale, unit, draft.amount(variable, value))


def money_and_power(price: str, pue: str, kwh_price: str, sources: Sources) -> list[Binding]:
    """What is given in units of its own: a price per hour, a PUE, a price of energy."""
    texts = {"price": price, "pue": pue, "energy_price": kwh_price}
    found = [amount(sources, sources.network.variables[v], text) for v, text in texts.items() if text]
    for binding in found:
        if binding.variable == "pue" and binding.value.low < 1:
            raise QuestionInvalid(f"a PUE cannot be {pue}", hint="give 1 or more, such as 1.2")
    return found


def amount(sources: Sources, variable: Variable, text: str) -> Binding:
    """ "2.50", "$2.50" or "2.50 USD/hour" as a value of a variable. Raises QuestionInvalid, NameUnknown."""
    try:
        value: str | float = float(text.strip().removeprefix("$"))
    except ValueError:
        value = text
    found = bind(sources.domain, sources.network, variable, value)
    if not 0 < found.value.low <= found.value.high < 1e30:  # noqa: PLR2004
        raise QuestionInvalid(f"{text!r} is no {variable.name}", hint="give an amount above 0")
    return found


def computed_with(draft: Draft, what: Sized) -> Binding:
    """The parameters that a token is multiplied with: of a mixture of experts the active ones, which is told."""
    if what.model is None:
        return Binding.given("parameters", what.parameters, what.parameters)
    cite_model(draft, what.model)
    active = float(what.model.active_parameters)
    if active == what.parameters:
        return Binding.given("parameters", active, active)
    draft.notes.append("compute goes by the active parameters" + draft.mark(MEMORY, _MOE))
    return Binding.given("parameters", active, active, f"{number(active, 3)} active parameters")


def renamed(sources: Sources, names: dict[str, str]) -> Sources:
    """The same sources with other names for some variables, as what they stand for in one plan, and no more digits than it is worth."""
    variables = {
        id_: replace(v, name=names.get(id_, v.name), digits=DIGITS) for id_, v in sources.network.variables.items()
    }
    return replace(sources, network=replace(sources.network, variables=variables))
