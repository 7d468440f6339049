"""The plans for a question: for each variable that its words ask for the cheapest derivation that uses every figure, and which one is meant."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cached_property

from chipwise.answering.accounts import PLAINLY, Accounts
from chipwise.answering.asked import Asked
from chipwise.answering.targets import Plan, Target, targets
from chipwise.answering.wish import LEAST, NOTHING, SURE, Wish
from chipwise.claims.model import Fact
from chipwise.domain.formulas import Variable
from chipwise.figures.bindings import Sources, available, offer_binding, offers
from chipwise.figures.derivation import CONVENTION, FACT
from chipwise.figures.solve import agree, conventions, derivations, missing, unknowns
from chipwise.figures.variants import name_words

MOST = 4  # variants of one chip, or several chips, each with a sum of its own
_DEARER = 2.5  # what a derivation may cost more than the cheapest, where it accounts for the words better
_LIKELY = 0.4  # probability of what is meant, where the figures allow for nothing else
_MOST_MISSING = 2  # figures that a question may be said to lack
_OPTIONAL = ("chips", "duration", "format")  # what a question says and a sum may do without


class Sums(Accounts):
    """A question that may be a sum, and the plans that use all its figures."""

    def __init__(self, asked: Asked, sources: Sources, wish: Wish) -> None:
        super().__init__(asked, sources)
        self.wish = wish

    @cached_property
    def targets(self) -> list[Target]:
        """What the words ask for, and what questions like this one want."""
        kinds = {g.kind for g in self.asked.figures}
        worded = targets(self.tokens, self.domain, kinds, self.asked.question.since)
        places = {t.variable.id: t.places for t in worded}
        others = [v for v in self.domain.variables.values() if v.id not in places and self._share(v) >= LEAST]
        return [self._target(t.variable, t.places) for t in worded] + [self._target(v) for v in others]

    def _share(self, variable: Variable) -> float:
        return self.wish.of(variable, self.domain.variables)

    def _target(self, variable: Variable, places: frozenset[int] = frozenset()) -> Target:
        return Target(variable, places, self._share(variable))

    def plans(self, of: Iterable[Target] | None = None) -> list[Plan]:
        """The best plan, once, or once for each variant, chip or provider where these differ; empty where there is none."""
        wanted = list(self.targets if of is None else of)
        if len(self.chips) > 1:
            return self._beside_one_another(wanted) if len(self.chips) <= MOST and self.asked.chips is None else []
        chip = self.chips[0] if self.chips else ""
        best = self.best(wanted, chip)
        if best is not None:
            return self.of_each_convention(best) or self._at_both_ends(best, chip)
        names = self.sources.names
        # the GPU of a GB200 is no B200 that stands in a machine of eight
        variants = [v for v in names.members(chip) if name_words(names, chip) <= name_words(names, v)] if chip else []
        found = [(v, plan) for v in variants if (plan := self.best(wanted, v)) is not None and _has_own(v, plan)]
        return [replace(plan, label=names.name(v)) for v, plan in found] if 0 < len(found) <= MOST else []

    def _beside_one_another(self, wanted: Sequence[Target]) -> list[Plan]:
        """One plan for each chip, all for one variable; empty where they are none that can be compared."""
        likeliest = self.of_each(self.chips, wanted)
        for variable in dict.fromkeys(p.derivation.wanted for p in likeliest):
            each = self.of_each(self.chips, [t for t in wanted if t.variable.id == variable])
            if len(each) == len(self.chips) and are_comparable(each):
                return each
        return []

    def of_each(self, chips: Sequence[str], wanted: Sequence[Target]) -> list[Plan]:
        """The plan of each of several chips; of one whose variants differ, of the first that has all figures."""
        found: list[Plan] = []
        for chip in chips:
            plans = ((v, self.best(wanted, v)) for v in (chip, *self.sources.names.members(chip)))
            found += [replace(plan, label=self.sources.names.name(v)) for v, plan in plans if plan is not None][:1]
        return found

    def asks_for(self, variable: str) -> bool:
        """True where a variable surely is wanted, or words ask for it and nothing else surely is."""
        return any(t.variable.id == variable and (t.share >= SURE or self._is_worded(t)) for t in self.targets)

    def _is_worded(self, target: Target) -> bool:
        return bool(target.places) and (target.share >= LEAST or self.wish.surely is None)

    def best(self, wanted: Sequence[Target], chip: str) -> Plan | None:
        """The plan that accounts for the words best; None where there is none, or two that are as good differ."""
        every = sorted((p for target in wanted for p in self._plans_of(target, chip)), key=lambda p: p.rank)
        meant = [p for p in every if self._is_worded(p.target) or p.target not in self.targets]
        found = self._likeliest(every) or [p for p in meant if self._is_close(p)]
        if not found:
            return None
        first = found[0]
        rivals = [p for p in found[1:] if p.rank == first.rank]
        return first if all(agree(first.derivation, p.derivation) for p in rivals) else None

    def _likeliest(self, plans: Sequence[Plan]) -> list[Plan]:
        """The plans for the variable that is surely meant, of those that the figures allow for; of each whatever words are left."""
        plans = [p for p in plans if self._is_of_all_names(p)]
        shares = {p.target.variable.total or p.derivation.wanted: p.target.share for p in plans}
        likeliest = max(shares, key=shares.__getitem__, default="")
        rivals = sum(shares.values()) + self.wish.shares.get(NOTHING, 0.0)
        if not likeliest or shares[likeliest] < max(SURE * rivals, _LIKELY):
            return []
        return [p for p in plans if likeliest in (p.target.variable.total, p.derivation.wanted)]

    def _plans_of(self, target: Target, chip: str) -> list[Plan]:
        variable = target.variable
        given = self.readings(variable, chip)
        if any(b.variable == variable.id and b.figure == b.variable for b in given):
            return []
        about = self._about(chip)
        optional = {*_OPTIONAL, *self._said_twice, *self.said_as_unit(variable)}
        for left_out in [set(), self._said_before] if self._said_before else [set()]:
            made = derivations(
                self.sources.network,
                variable.id,
                given,
                lambda v: available(self.sources, about, v),
                optional=optional | left_out,
                accepts=lambda d: self._is_sum(d) and d.value.high >= variable.least,
                within=_DEARER,
            )
            if made:
                break
        if self._is_reported(target):  # by sources, and rather than worked out from facts alone
            made = [d for d in made if any(map(self._is_told, d.bindings.values()))]
        return [self._plan(target, d) for d in made]

    def _is_reported(self, target: Target) -> bool:
        """True where the words that ask for a variable name what turns on a workload: "performance per dollar"."""
        named = {m for n in target.places for m in self.tokens[n].metrics}
        return any(self.domain.metrics[m].turns_on for m in named)

    def lacks(self) -> tuple[Variable, list[Variable]] | None:
        """What the question wants and which one or two figures are missing for it; None where that is not plain."""
        if len(self.chips) > 1:
            return None
        sure = [t for t in self.targets if t.share >= SURE]
        plainest = sure or [t for t in self.targets if t.length == self.targets[0].length >= PLAINLY]
        return next(filter(None, map(self._lacks, plainest)), None)

    def _lacks(self, target: Target) -> tuple[Variable, list[Variable]] | None:
        chip, network = next(iter(self.chips), ""), self.sources.network
        about = self._about(chip)
        given = self.readings(target.variable, chip)
        found = missing(network, target.variable.id, given, lambda v: available(self.sources, about, v), _OPTIONAL)
        if found is None or self._is_metric(target.variable):
            return None
        wanting = [network.variables[v] for v in unknowns(found)]
        figures = sum(bool(b.figure) for b in found.bindings.values())
        has = figures > 1 or (
            figures + sum(b.source == FACT for b in found.bindings.values()) and not self._is_measured(target.variable)
        )
        plain = has and 0 < len(wanting) <= _MOST_MISSING and not self._plan(target, found).unused
        return (target.variable, wanting) if plain else None

    def _is_measured(self, variable: Variable) -> bool:
        """True for what runs tell, whatever could be worked out."""
        metrics = self.domain.metrics.values()
        return any(m.dimension == variable.dimension and m.nature == "measured" for m in metrics)

    def _is_metric(self, variable: Variable) -> bool:
        """True for what sources may state themselves."""
        return bool(variable.metric) or any(v.total == variable.id and v.metric for v in self.domain.variables.values())

    def of_each_convention(self, plan: Plan) -> list[Plan]:
        """Weights in each usual format, where none is named."""
        variable = plan.derivation.variable.each_of
        bound = plan.derivation.bindings.get(variable)
        if bound is None or bound.source != CONVENTION:
            return []
        every = conventions(self.sources.network, variable)
        return [
            replace(
                plan,
                derivation=plan.derivation.with_binding(b),
                label=f"{b.origin.says[:1].upper()}{b.origin.says[1:]}",
            )
            for b in every
        ]

    def _at_both_ends(self, plan: Plan, chip: str) -> list[Plan]:
        """With the lowest price and with the highest, where several providers have one and none is named."""
        about = self._about(chip)
        for variable in plan.derivation.bindings:
            if plan.derivation.bindings[variable].source != FACT or about.provider:
                continue
            found = offers(self.sources, about, self.sources.network.variables[variable])
            if len(found) > 1:
                ends = (next(iter(found)), next(reversed(found)))
                said = (f"lowest of {len(found)} providers", "highest")
                names = self.sources.names
                return [
                    replace(
                        plan,
                        derivation=plan.derivation.with_binding(offer_binding(variable, found[end], names)),
                        label=f"{names.name(end) if end else 'provider not named'} ({words})",
                    )
                    for end, words in zip(ends, said, strict=True)
                ]
        return [plan]


def are_comparable(plans: Sequence[Plan]) -> bool:
    """True for plans for one variable; what is better where there is more of it, for as many chips each."""
    variables = {p.derivation.wanted for p in plans}
    counts = {p.derivation.values.get("chips") for p in plans}
    is_price = plans[0].derivation.variable.better == "less"
    return len(variables) == 1 and (is_price or len(counts) == 1 or variables == {"chips"})


def _has_own(variant: str, plan: Plan) -> bool:
    facts = (b.origin for b in plan.derivation.bindings.values() if isinstance(b.origin, Fact))
    return any(f.claim.subject == variant for f in facts)
