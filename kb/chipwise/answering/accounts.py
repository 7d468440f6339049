"""Check how much of a question a derivation accounts for: its figures, number format, chips and words."""

from __future__ import annotations

from functools import cached_property
from itertools import combinations, pairwise

from chipwise.answering.asked import AXES
from chipwise.answering.givens import Given
from chipwise.answering.readings import Readings
from chipwise.answering.scoping import ALL, CHIP
from chipwise.answering.targets import CHIP as CHIP_NAME
from chipwise.answering.targets import Plan, Target, tokens_of
from chipwise.claims.model import Fact
from chipwise.domain.formulas import ONE, Variable
from chipwise.figures.derivation import FACT, MODEL, Binding, Derivation, Step
from chipwise.text import STOP_WORDS

_EACH = "each"
_DIVIDED = ("price_rate", "power")  # kinds of figures that may as well be of one chip as of all
_COUNTED = ("chips", "systems")
_HOUR = 3600.0
_SIGNS = ("$", "%", "&", "s")  # "s" is left of "what's"
PLAINLY = 2  # words that have to ask for what cannot be told
_FEW = 6  # words of a question that may stay unused beside two figures that are used
_FEWER = 2  # where the figures were told before


class Accounts(Readings):
    """A question, and whether a derivation is one of all that it says."""

    def _is_sum(self, derivation: Derivation) -> bool:
        """True where it uses the chips and the format that the question names, and more than one figure."""
        given = any(b.source == MODEL or self._is_told(b) for b in derivation.bindings.values())
        metrics = [self.sources.network.variables[v].metric for v, b in derivation.bindings.items() if b.source == FACT]
        facts = len(metrics) + sum(self._is_of_machine(b) for b in derivation.bindings.values())
        if len(set(metrics)) < len(metrics):  # the price of a machine by that of its chip counts nothing
            return False
        if self._only_says_again(derivation) or self._mixes_up(derivation):
            return False
        if not given and derivation.wanted in _COUNTED:  # what facts count is looked up, and not worked out
            return False
        if not derivation.steps or not (given or facts > 1) or self._may_be_of_all(derivation):
            return False
        return self._is_whole(derivation)

    def _only_says_again(self, derivation: Derivation) -> bool:
        """True where what comes out is the one figure that went in."""
        told = [(v, b) for v, b in derivation.bindings.items() if self._is_told(b)]
        variables = self.sources.network.variables
        return len(told) == 1 and any(
            b.value == derivation.value and variables[v].dimension == derivation.variable.dimension for v, b in told
        )

    def _mixes_up(self, derivation: Derivation) -> bool:
        """True where two figures of a kind take different parts, and nothing tells which takes which: "128 GB" and "16 GB" are no addends."""
        variables = self.sources.network.variables
        given = [(variables[v], b.origin) for v, b in derivation.bindings.items() if isinstance(b.origin, Given)]
        return any(
            g is not h
            and g.kind == h.kind
            and not (g.of or h.of)
            and not self._are_told_apart(v, g, w, h, added=any(map(_adds, derivation.steps)))
            for (v, g), (w, h) in combinations(given, 2)
        )

    def _are_told_apart(self, v: Variable, g: Given, w: Variable, h: Given, *, added: bool) -> bool:
        """True where one figure is of one chip and the other of all, or words name what one of them is of; of two that are added, what each is of."""
        scopes = [self._scope(g), self._scope(h)]
        if any(scope == CHIP and x.of != ONE for scope, x in zip(scopes, (v, w), strict=True)):
            return False  # "an 80 GB card" is not full of weights
        said = {t.text for t in self.tokens if not t.metrics}
        own, other = (
            {p for p in (x.name, *x.names, *x.asks) if "{" not in p and said.issuperset(p.split())} for x in (v, w)
        )
        if added:
            return bool(own - other and other - own)
        return (v.of != w.of and scopes[0] != scopes[1]) or own != other

    def _is_told(self, binding: Binding) -> bool:
        """True for a figure of the question; a price per hour is one, and needs no sum."""
        is_hour = binding.figure == "duration" and self.duration is not None and self.duration[0] == _HOUR
        return bool(binding.figure) and not is_hour and not self._is_of_machine(binding)

    def _is_of_machine(self, binding: Binding) -> bool:
        """True for how many chips a machine has, which the question does not say itself."""
        return binding.figure == "chips" and not isinstance(binding.origin, Given)

    def _may_be_of_all(self, derivation: Derivation) -> bool:
        """True where a figure is taken for one chip's, or for that of all, and nothing tells which it is."""
        if self.asked.chips is None or self.asked.chips.value == 1:
            return False
        for variable, binding in derivation.bindings.items():
            of, given = self.sources.network.variables[variable].of, binding.origin
            if isinstance(given, Given) and not self._scope(given) and (of == ONE or (of and given.kind in _DIVIDED)):
                return True
        return False

    def _is_whole(self, derivation: Derivation) -> bool:
        tokens = {b.figure for b in derivation.bindings.values()}
        wants_format = self.asked.wanted.get("dtype", "") in dict(self.domain.variables["precision"].values)
        has_format = "format" in tokens or any(
            b.source == FACT and isinstance(b.origin, Fact) and b.origin.claim.qualifier("dtype")
            for b in derivation.bindings.values()
        )
        if wants_format and not has_format:
            return False
        return self.asked.chips is None or "chips" in tokens or self._is_of_all(derivation)

    def _is_of_all(self, derivation: Derivation) -> bool:
        """True where no number of chips goes into it because all its figures are of all of them, or of the machine."""
        variables = [self.sources.network.variables[v] for v in derivation.bindings]
        of_machine = any(
            derivation.bindings[v.id].source == FACT and (v.id.startswith("system_") or v.id == "chips_per_system")
            for v in variables
        )
        origins = [derivation.bindings[v.id].origin for v in variables if v.of == ALL]
        of_all = any(isinstance(o, Given) and self._scope(o) == ALL for o in origins)
        given = [b.origin for b in derivation.bindings.values() if isinstance(b.origin, Given)]
        if any(g.scope == CHIP for g in given):  # "410 TFLOPS per GPU" of each of the eight
            return True
        return of_machine or (of_all and not any(v.of == ONE for v in variables)) or derivation.wanted == "chips"

    def _plan(self, target: Target, derivation: Derivation) -> Plan:
        """The plan with the words that nothing in it accounts for, and how many only stand there for the sake of the sentence."""
        used = [self.sources.network.variables[v] for v in derivation.used]
        words = {w for v in (*used, target.variable) for phrase in v.words for w in phrase.replace("-", " ").split()}
        tokens = {b.figure for b in derivation.bindings.values()}
        places = set(target.places)
        if self.duration is not None and "duration" in tokens:
            places.update(self.duration[2])
        neutral = self.domain.change_nothing("sum")
        unused: list[str] = []
        loose = 0
        for n, token in enumerate(self.tokens):
            word = token.text
            if (
                token.start < self.asked.question.since
                or n in places
                or word in words
                or word.startswith("{")
                or word in STOP_WORDS
                or word in _SIGNS
            ):
                continue
            if (
                word.isdigit()
                or self.domain.find_unit(word)
                or self._is_said(n)
                or any(o.kind == "states" for o in self.domain.operators_in(word))
                or (len(self.chips) > 1 and any(o.kind in ("rank", "compare") for o in self.domain.operators_in(word)))
            ):
                continue
            if word in neutral or word.removesuffix("s") in words:
                loose += 1
            else:
                unused.append(word)
        unused += [w for w in self._names_apart if w not in unused]
        if target.variable.of == ALL and self._asks_of_each:
            unused.append(_EACH)
        return Plan(target, derivation, tuple(unused), loose)

    @cached_property
    def _names_apart(self) -> list[str]:
        """Words that look like names, beside the model's, and are of nothing that is known."""
        model = self.asked.question.text[slice(*self._model_named[1])].lower() if self._model_named else ""
        known = {w for v in self.domain.variables.values() for w in v.words}
        names = self.asked.question.names
        return [w for w in names if w in self.asked.text.lower() and w not in model and w not in known]

    @cached_property
    def _names_another_chip(self) -> bool:
        """True where what was said before the question names a chip that it is not about: "8 GPUs, H100 vs A100: how many tokens/s"."""
        named = [m.ids[0] for m in self.domain.find_entities(self.asked.question.text) if self.domain.is_chip(m.ids[0])]
        return bool(self.chips) and not all(any(self.domain.are_kin(n, c) for c in self.chips) for n in named)

    @cached_property
    def _asks_of_each(self) -> bool:
        """True for "does each of the 8 H100s have" and "tokens/s per GPU"; the "each" of "700 W each" tells of what the figure is."""
        told = any(g.scope == CHIP for g in self.asked.figures)
        texts = [t.text for t in self.tokens]
        chips = {CHIP_NAME, *self.domain.word_group("chip-word")}
        return not told and (_EACH in texts or any(a == "per" and b in chips for a, b in pairwise(texts)))

    def _is_said(self, place: int) -> bool:
        """True for a word of a qualifier: the "FP8" and "dense" of a question are used as axes."""
        return self.tokens[place].text in self._qualifier_words

    @cached_property
    def _qualifier_words(self) -> frozenset[str]:
        text = self.asked.question.text
        found = [text[m.start : m.end] for m in self.domain.find_qualifiers(text) if m.ids[0].partition("=")[0] in AXES]
        found += [text[m.start : m.end] for m in self.domain.find_terms(text) if self._is_model_or_format(m.ids[0])]
        found += [w for w in self.said if w in text.lower()]
        return frozenset(t.text for said in found for t in tokens_of(said, self.domain))

    def _is_model_or_format(self, term: str) -> bool:
        return self.domain.terms[term].kind in ("model", "precision", "cloud")

    def _is_close(self, plan: Plan) -> bool:
        """True where the words that nothing accounts for change nothing: a few, none a name or a metric, beside given figures."""
        if not plan.unused:
            return True
        figures = sum(bool(b.figure) for b in plan.derivation.bindings.values())
        facts = sum(b.source == FACT for b in plan.derivation.bindings.values())
        plain = figures > 1 or (facts > 1 and plan.target.length >= PLAINLY)
        few = _FEWER if self.asked.question.since else _FEW
        return plain and len(plan.unused) <= few and self._is_of_all_names(plan)

    def _is_of_all_names(self, plan: Plan) -> bool:
        """True where no name, metric or variable is among the words that nothing accounts for."""
        dimensions = {self.sources.network.variables[v].dimension for v in plan.derivation.used} | {"count", "text"}
        others = {
            t.text
            for t in self.tokens
            if t.metrics and not any(self.domain.metrics[m].dimension in dimensions for m in t.metrics)
        }
        if self._names_another_chip:
            return False
        used = {*plan.derivation.used, plan.target.variable.id}
        named = {v.name.split()[-1] for v in self.domain.variables.values() if v.kinds and v.id not in used}
        return {*self._names_apart, *others, *named, _EACH}.isdisjoint(plan.unused)


def _adds(step: Step) -> bool:
    """True for a step that adds all its inputs, and takes none from another."""
    signs = {step.equation.left: -1, **dict(step.equation.powers)}
    return step.equation.adds and len({signs[v] for v in step.inputs}) == 1
