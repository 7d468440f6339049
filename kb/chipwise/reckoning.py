"""Answers that are sums of facts and of figures in the question, with the formula and where each input stands.

    "BF16 peak of eight v5p chips"  ->  "Total = chips x what one has: 8 chips x 459 TFLOPS [1] = 3,672 TFLOPS."

What a question can ask for is data (derivations.toml). A sum is made only where every
input can be filled and every figure of the question is used; else the passages answer.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from chipwise.audit.intervals import Interval, evaluate_tree, parse
from chipwise.claims.model import Fact
from chipwise.composing import Citation
from chipwise.domain import Domain
from chipwise.lookup import covered
from chipwise.names import CHIP_LEVEL, MANY, Names
from chipwise.phrasing import in_words, value_text
from chipwise.question import Kind, Question
from chipwise.records import Derivation, DerivationInput
from chipwise.store import Store
from chipwise.tabled import fact_evidence
from chipwise.types import Evidence
from chipwise.workings import ALL, CHIP, Given, Part, givens, is_system, number, shown

MOST = 3  # variants of one chip, each with a sum of its own
_FIGURE = re.compile(
    r"(?<![\w.-])[$€£]?\d|\b(?:two|three|four|five|six|seven|eight|nine|ten|twelve|sixteen|thirty|sixty|hundred|thousand)\b",
    re.I,
)
_POD = re.compile(r"\b(?:full|whole|entire|a|one|complete)\b[^.?]*\b(?:super)?pod\b", re.I)
_SAID = re.compile(
    r"\b(?:why|should|better|worth|disagree|claim(?:s|ed)?|according|source|announce[ds]?|history|who|when|where|compare[ds]?|"
    r"cheaper|cheapest|versus|vs|explain|mean|average|real-world)\b",
    re.I,
)
_AXES = ("dtype", "sparsity", "form_factor")
_COUNTS = ("pod_size", "slice_size", "chips_per_node")


@dataclass(frozen=True, slots=True)
class _Filled:
    """What stands for a symbol: `fact` or `evidence` is what it is cited by, `given` the figure of the question that it is."""

    text: str
    value: float
    fact: Fact | None = None
    evidence: Evidence | None = None
    given: Given | None = None


@dataclass(frozen=True, slots=True)
class _Asked:
    """The question with its figures; `text` has them blanked out. `chips` is how many it is about, None where it is one."""

    question: Question
    text: str
    figures: tuple[Given, ...]
    chips: _Filled | None
    subjects: tuple[str, ...]  # chips, or what is made of them
    wanted: Mapping[str, str]  # values by axis


def reckon(
    question: Question, store: Store, domain: Domain, names: Names
) -> tuple[str, list[Citation], list[Fact]] | None:
    """The answer's text, its citations and the facts in it; None where no derivation has all that it needs."""
    if question.kind is Kind.WHY or question.years or question.wants_opinion or _SAID.search(question.text):
        return None
    possible = [d for d in domain.derivations.values() if _may_be_asked(d, question, domain)]
    asked = _understood(question, store, domain, names) if possible else None
    if asked is None:
        return None
    for derivation in possible:
        if not any(_found(p, asked.text) for p in derivation.asks) or any(
            _found(p, asked.text) for p in derivation.never
        ):
            continue
        sums = _Sums(derivation, asked, store, domain, names).all()
        if sums:
            return _composed(derivation, asked, sums, store, domain, names)
    return None


def _found(pattern: str, text: str) -> bool:
    return re.search(pattern, text, re.I) is not None


def _may_be_asked(derivation: Derivation, question: Question, domain: Domain) -> bool:
    """A first look, without the finding of quantities."""
    if not any(_found(pattern, question.text) for pattern in derivation.asks):
        return False
    many = any(is_system(domain, i) for ids in question.subjects for i in ids) or _POD.search(question.text)
    figure = _FIGURE.search(question.text)
    for wanted in derivation.inputs:
        if wanted.chips and not (figure or many):
            return False
        if wanted.given and not (wanted.words or wanted.metrics or figure):
            return False
        if wanted.metrics and not wanted.given and _metric(wanted, question, domain) is None:
            return False
    return True


def _metric(wanted: DerivationInput, question: Question, domain: Domain) -> str | None:
    """The metric that an input is of: the only one, or the one that the question names."""
    if len(wanted.metrics) == 1:
        return wanted.metrics[0]
    others = [m for m in question.metrics if m not in wanted.metrics and domain.metrics[m].dimension != "count"]
    named = [m for m in question.metrics if m in wanted.metrics]
    return None if not named or (wanted.alone and (others or len(named) > 1)) else named[0]


def _understood(question: Question, store: Store, domain: Domain, names: Names) -> _Asked | None:
    """The figures, the chips and the qualifiers of the question; None where one of them is not plain."""
    text = question.text
    found = givens(text, domain) if _FIGURE.search(text) else []
    if found is None or any(len(ids) != 1 for ids in question.subjects):
        return None
    left = list(text)
    for g in found:
        left[g.start : g.end] = "#" + " " * (g.end - g.start - 1)
    rest = "".join(left)
    unknown = [n for n in question.names if n in rest.lower()]
    if any(not count for count in store.document_frequencies(unknown).values()):
        return None
    subjects = tuple(i for (i,) in question.subjects if domain.entities[i].kind not in MANY)
    stated: dict[str, set[str]] = {}
    for mention in domain.find_qualifiers(text):
        axis, _, value = mention.ids[0].partition("=")
        stated.setdefault(axis, set()).add(value)
    if any(len(stated.get(axis, ())) > 1 for axis in _AXES):
        return None
    chips, plain = _chips(found, subjects, text, store, domain, names)
    wanted = {axis: next(iter(stated[axis])) for axis in _AXES if axis in stated}
    return _Asked(question, rest, tuple(found), chips, subjects, wanted) if plain else None


def _chips(
    found: Sequence[Given], subjects: Sequence[str], text: str, store: Store, domain: Domain, names: Names
) -> tuple[_Filled | None, bool]:
    """How many chips the question is about, if it says so; and whether that is one number."""
    counts = [g for g in found if g.kind == "chips"]
    systems = [i for i in subjects if is_system(domain, i)]
    if len(counts) > 1 or len(systems) > 1:
        return None, False
    if counts:
        fits = not systems or domain.entities[systems[0]].chips == counts[0].value
        return _Filled(counts[0].text, counts[0].value, given=counts[0]), fits
    about = systems[0] if systems else subjects[0] if len(subjects) == 1 and _POD.search(text) else ""
    if not about:
        return None, True
    chip = next((a for a in domain.ancestors(about) if domain.entities[a].kind in CHIP_LEVEL), about)
    facts = store.facts([about, chip], _COUNTS)
    held = domain.entities[about].chips if systems else 0
    for fact in sorted(facts, key=lambda f: f.claim.subject != about):
        value = _exact(fact)
        fits = value == held or (not systems and fact.claim.metric == "pod_size")
        if value is not None and fits and fact.rank == "preferred" and store.find_source(fact.claim.source) is not None:
            return _Filled(f"{number(value)} chips", value, fact), True
    return (_Filled(f"{held} chips", held), True) if held else (None, True)


def _exact(fact: Fact) -> float | None:
    """The value of a fact in base units, None for a bound or a range."""
    q = fact.claim.quantity
    return (q.low + q.high) / 2 if q is not None and q.bound == "exact" and q.form != "range" else None


class _Sums:
    """One derivation with the inputs that a question and the facts give."""

    def __init__(self, derivation: Derivation, asked: _Asked, store: Store, domain: Domain, names: Names) -> None:
        self.derivation, self.asked = derivation, asked
        self.store, self.domain, self.names = store, domain, names

    def all(self) -> list[tuple[str, dict[str, _Filled]]]:
        """By symbol what is put in, once, or once for each variant ("NVIDIA H100 SXM") where variants differ."""
        pairs = any(i.of for i in self.derivation.inputs)
        chips = list(dict.fromkeys(filter(None, map(self._chip_of, self.asked.subjects))))
        if len(chips) != (2 if pairs else len(chips[:1])) or (
            pairs and (self.asked.chips or len(self.asked.subjects) > 2)
        ):  # noqa: PLR2004
            return []
        filled = self._fill(chips)
        if filled is not None:
            return [("", filled)]
        variants = self.names.members(chips[0]) if len(chips) == 1 and self._wants_facts() else []
        each = [(self.names.name(v), f) for v in variants if (f := self._fill([v])) is not None and self._has_own(v, f)]
        return each if len(each) <= MOST else []

    def _chip_of(self, subject: str) -> str:
        return next((a for a in self.domain.ancestors(subject) if self.domain.entities[a].kind in CHIP_LEVEL), "")

    def _wants_facts(self) -> bool:
        return any(i.metrics for i in self.derivation.inputs)

    @staticmethod
    def _has_own(variant: str, filled: Mapping[str, _Filled]) -> bool:
        return any(f.fact is not None and f.fact.claim.subject == variant for f in filled.values())

    def _fill(self, chips: Sequence[str]) -> dict[str, _Filled] | None:
        left = list(self.asked.figures)
        filled: dict[str, _Filled] = {}
        for wanted in self.derivation.inputs:
            found = (
                self._given(wanted, left) or self._said(wanted) or self._fact(wanted, chips) or self._constant(wanted)
            )
            if found is None:
                return None
            if found.given in left:
                left.remove(found.given)
            filled[wanted.symbol] = found
        scaled = self._scaled(filled)
        return scaled if scaled is not None and self._is_whole(left, scaled) else None

    def _given(self, wanted: DerivationInput, left: Sequence[Given]) -> _Filled | None:
        if wanted.chips:
            return self.asked.chips
        fitting = [g for g in left if g.kind in wanted.given]
        if len(fitting) != 1:
            return None
        given = fitting[0]
        unit = self.domain.units.get(wanted.unit)
        if unit is None:
            return _Filled(given.text, given.value, given=given)
        return _Filled(f"{number(given.value / unit.scale)} {wanted.unit}s", given.value / unit.scale, given=given)

    def _said(self, wanted: DerivationInput) -> _Filled | None:
        """What the question says without a figure: a precision, "a week"."""
        bits = dict(wanted.values).get(self.asked.wanted.get(wanted.by, ""))
        if bits is not None:
            return _Filled(f"{number(bits)} {wanted.text}", bits)
        for pattern, value, text in wanted.words:
            if _found(pattern, self.asked.text):
                return self._cited(wanted, text, value)
        return None

    def _constant(self, wanted: DerivationInput) -> _Filled | None:
        return self._cited(wanted, wanted.text, wanted.value) if wanted.value else None

    def _cited(self, wanted: DerivationInput, text: str, value: float) -> _Filled | None:
        if not wanted.source:
            return _Filled(text, value)
        evidence = quoted(self.store, wanted.source, wanted.quote)
        return _Filled(text, value, evidence=evidence) if evidence is not None else None

    def _fact(self, wanted: DerivationInput, chips: Sequence[str]) -> _Filled | None:
        """The preferred figure of one chip; None where there are several of the kind."""
        metric = _metric(wanted, self.asked.question, self.domain) if wanted.metrics else None
        if metric is None or len(chips) < max(1, wanted.of):
            return None
        subject, axes = chips[max(0, wanted.of - 1)], self.domain.metrics[metric].qualifiers
        stated = {**dict(wanted.qualifiers), **self.asked.wanted}
        sought = {axis: value for axis, value in stated.items() if axis in axes}
        found = self.store.facts(covered(self.names, subject), [metric])
        fitting = [f for f in found if self._stands(f) and _fits(f, sought)]
        for kin in (lambda s: s == subject, self.domain.ancestors(subject).__contains__, lambda _: True):
            near = [f for f in fitting if kin(f.claim.subject)]
            if near:
                same = len({_exact(f) for f in near}) == 1
                value = _exact(near[0])
                return _Filled(value_text(near[0], self.names), value, near[0]) if same and value is not None else None
        return None

    def _stands(self, fact: Fact) -> bool:
        """True for what is preferred, of one chip, and cited from a source that is here."""
        of_one = fact.claim.qualifier("aggregation") in ("", "chip") and fact.claim.qualifier("basis") in ("", "peak")
        return fact.rank == "preferred" and of_one and self.store.find_source(fact.claim.source) is not None

    def _scaled(self, filled: Mapping[str, _Filled]) -> dict[str, _Filled] | None:
        """The inputs for as many chips as the formula wants them; None where it is not told what a figure is of."""
        per = {i.symbol: i.per for i in self.derivation.inputs if i.per}
        scopes = {s: f.given.scope for s, f in filled.items() if s in per and f.given is not None}
        same = {scopes[s] for s in scopes if per[s] == "same"}
        scaled = dict(filled)
        for symbol, scope in scopes.items():
            if self.asked.chips is not None and not scope and per[symbol] != "whole":
                return None
            if (per[symbol] == "whole" and scope == CHIP) or (per[symbol] == "chip" and scope == ALL):
                return None
            if scope == CHIP and (per[symbol] == "all" or same == {CHIP, ALL}):
                if self.asked.chips is None:
                    if per[symbol] == "same":
                        return None
                    continue
                one, n = filled[symbol], self.asked.chips
                scaled[symbol] = _Filled(f"{one.text} x {{n}}", one.value * n.value, given=one.given)
                scaled["{n}"] = n
        return scaled

    def _is_whole(self, left: Sequence[Given], filled: Mapping[str, _Filled]) -> bool:
        """True when no figure of the question is left over, and the result is not that of a chip where a system is asked about."""
        n = self.asked.chips
        uses = any(f is n for f in filled.values())
        if any(not (n is not None and uses and g is n.given) for g in left):
            return n is not None and len(left) == 1 and left[0] is n.given and self._is_of_one(filled)
        if n is not None and not uses and any(f.fact for f in filled.values()):
            return False
        given = [f.given for f in filled.values() if f.given is not None and f.given.kind != "chips"]
        metric = next((f.fact.claim.metric for f in filled.values() if f.fact and f is not n), "")
        return bool(given) or not self._is_stated(metric)

    def _is_of_one(self, filled: Mapping[str, _Filled]) -> bool:
        return any(f.given is not None and f.given.scope == CHIP for f in filled.values())

    def _is_stated(self, metric: str) -> bool:
        """True when a fact of the very system gives what would be the sum."""
        systems = [s for s in self.asked.subjects if is_system(self.domain, s)]
        dtype = self.asked.wanted.get("dtype", "")
        stated = self.store.facts(systems, [metric]) if systems and metric else []
        return any(
            f.rank == "preferred" and _exact(f) is not None and f.claim.qualifier("dtype") in ("", dtype or "bf16")
            for f in stated
        )


def _fits(fact: Fact, sought: Mapping[str, str]) -> bool:
    """True when a fact states what is sought, or what goes without saying."""
    loose = {("sparsity", "dense"), *(("form_factor", sought.get("form_factor", "")),)}
    return all(fact.claim.qualifier(a) in ((v, "") if (a, v) in loose else (v,)) for a, v in sought.items())


def quoted(store: Store, source: str, quote: str) -> Evidence | None:
    """Where `quote` stands in a source, None where it does not."""
    info = store.find_source(source)
    for stored in store.source_passages(source) if info is not None else ():
        passage = stored.passage
        at = passage.text.find(quote)
        if at >= 0 and info is not None:
            start, line = passage.start + at, passage.line + passage.text.count("\n", 0, at)
            return Evidence(
                source=source, title=info.title, origin=info.origin, publisher=info.publisher, published=info.published,
                heading=passage.heading, role=passage.role, quote=quote, start=start, end=start + len(quote),
                line=line, page=passage.page, passage=passage.id,
            )  # fmt: skip
    return None


def _composed(
    derivation: Derivation,
    asked: _Asked,
    sums: Sequence[tuple[str, dict[str, _Filled]]],
    store: Store,
    domain: Domain,
    names: Names,
) -> tuple[str, list[Citation], list[Fact]]:
    cited: dict[str, Citation] = {}
    facts: list[Fact] = []
    lines: list[str] = []
    said: dict[str, list[str]] = {}
    for name, filled in sums:
        parts: dict[str, Part] = {}
        for symbol, f in _ordered(derivation, filled):
            evidence = fact_evidence(store, f.fact) if f.fact is not None else f.evidence
            mark = ""
            if evidence is not None:
                key = f"{evidence.source} {evidence.start} {evidence.end} {f.fact.id if f.fact else ''}"
                cited.setdefault(key, Citation(len(cited) + 1, evidence))
                mark = f" [{cited[key].n}]"
            if f.fact is not None and f.fact not in facts:
                facts.append(f.fact)
                said.setdefault(_described(f.fact, names, of=not name or f is asked.chips), []).append(f.text + mark)
            parts[symbol] = Part(f.text + mark, f.value)
        if "{n}" in parts:
            n = parts.pop("{n}").text
            parts = {s: Part(p.text.replace("{n}", n), p.value) for s, p in parts.items()}
        lines.append(
            f"{name}: {_sum(derivation, asked, parts, facts, domain)}"
            if name
            else _sum(derivation, asked, parts, facts, domain)
        )
    notes = [f"{_listed(figures)} {'is' if len(figures) == 1 else 'are'} {what}" for what, figures in said.items()]
    if asked.figures:
        notes.append(f"{_listed([g.text for g in asked.figures])} as given")
    return f"{derivation.says}. {' '.join(lines)} {'; '.join(notes)}.", list(cited.values()), facts


def _ordered(derivation: Derivation, filled: Mapping[str, _Filled]) -> Iterator[tuple[str, _Filled]]:
    """The inputs in the order of the formula; of two chips the larger figure first."""
    symbols = [i.symbol for i in derivation.inputs]
    if any(i.of for i in derivation.inputs):
        values = sorted((filled[s] for s in symbols), key=lambda f: f.value, reverse=True)
        yield from zip(symbols, values, strict=True)
        return
    order = sorted(filled, key=lambda s: derivation.formula.find(s) if s != "{n}" else len(derivation.formula))
    yield from ((s, filled[s]) for s in order)


def _described(fact: Fact, names: Names, *, of: bool) -> str:
    claim, name = fact.claim, names.name(fact.claim.subject)
    qualified = in_words(claim, names, less="" if of else claim.qualifier("form_factor"))
    whose = f" of {'the ' if ' ' in name else ''}{name}" if of else ""
    return f"the {names.metrics[claim.metric].name}{whose}{f' ({qualified})' if qualified else ''}"


def _listed(texts: Sequence[str]) -> str:
    return texts[0] if len(texts) == 1 else f"{', '.join(texts[:-1])} and {texts[-1]}"


def _sum(
    derivation: Derivation, asked: _Asked, parts: Mapping[str, Part], facts: Sequence[Fact], domain: Domain
) -> str:
    tree = parse(derivation.formula)
    value = evaluate_tree(tree, {s: Interval.of(p.value) for s, p in parts.items()}).middle
    return f"{shown(tree, parts)} = {_result(derivation, asked, value, facts, domain)}."


def _result(derivation: Derivation, asked: _Asked, value: float, facts: Sequence[Fact], domain: Domain) -> str:
    digits = derivation.digits or 4
    if derivation.whole:
        count = math.ceil(value - 1e-9)
        return f"{number(value)}, so {number(count)} {_noun(asked, domain, count)}"
    id_ = derivation.unit or (facts[-1].unit if facts and not derivation.ends else "")
    unit, larger = domain.units.get(id_), domain.units.get(derivation.larger or _greater(id_, value, domain))
    amount = value / (unit.scale if unit is not None else 1.0)
    money = unit is not None and unit.dimension.startswith("price") and abs(amount) < 1e6 and abs(amount) >= 1  # noqa: PLR2004
    above = derivation.above or 10_000
    is_large = larger is not None and amount >= above
    first = f"{amount:,.2f}" if money and round(amount, 9) % 1 else number(amount, 4 if is_large else digits)
    glue = "" if id_ == "%" else " "
    says = f"{first}{glue}{_plural(id_, amount)} {derivation.ends}".rstrip().replace("  ", " ")
    if is_large and larger is not None:
        again = value / larger.scale
        short = number(round(again), digits) if digits == 2 and again >= 10 else number(again, min(digits, 4))  # noqa: PLR2004
        says += f", {'about' if digits == 2 else 'that is'} {short} {_plural(larger.id, again)}"  # noqa: PLR2004
    return says


def _greater(id_: str, value: float, domain: Domain) -> str:
    """The unit a thousand times as large or more in which a value reads best: PFLOPS for TFLOPS, TB for GB."""
    unit = domain.units.get(id_)
    if unit is None or not id_.startswith(("T", "G", "M")):
        return ""
    prefixes = "GTPE"
    tail = id_[1:]
    fitting = [
        p + tail for p in prefixes if p + tail in domain.units and 1 <= value / domain.units[p + tail].scale < 1000
    ]  # noqa: PLR2004
    return next((u for u in fitting if u != id_), "")


def _plural(unit: str, amount: float) -> str:
    return f"{unit}s" if unit in ("hour", "day") and amount != 1 else unit


def _noun(asked: _Asked, domain: Domain, count: float) -> str:
    lines = [
        domain.entities[a].name
        for s in asked.subjects
        for a in domain.ancestors(s)
        if domain.entities[a].kind == "line"
    ]
    noun = next((name for name in reversed(lines) if name.isupper() and name.isalpha()), "chip")
    return noun if count == 1 else f"{noun}s"
