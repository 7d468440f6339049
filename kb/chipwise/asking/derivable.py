"""Which sums a question asks for: what derivations.toml has words for, and nothing beside that."""

from __future__ import annotations

import re

from chipwise.asking.givens import Asked
from chipwise.asking.kinds import FIGURE, POD, Kind
from chipwise.asking.question import Question
from chipwise.domain.degrees import RANKING
from chipwise.domain.formulas import Derivation, DerivationInput
from chipwise.domain.model import Domain

_CLOSE = 30  # characters that a pattern covers, beyond which it says nothing of what stands in between
_SAID = re.compile(
    r"\b(?:why|should|worth|disagree|claim(?:s|ed)?|according|source|announce[ds]?|history|who|"
    r"when (?:did|was|were|is|are|will|does|do|has|have)(?!\b.*\b(?:break|pay)s?\b)|where (?:can|do|does|did|was|were|will|could|should|to)|"
    r"cheaper|cheapest|explain|average|real-world)\b",
    re.I,
)
_WEIGHS = re.compile(r"\b(?:break[- ]?even|buying|owning)\b", re.I)  # to buy against to rent, one thing
_SETS_BESIDE = re.compile(r"\b(?:compare[ds]?|versus|vs|better)\b", re.I)


def possible(question: Question, domain: Domain) -> list[Derivation]:
    """The derivations that the question may ask for, by a first look."""
    if _says_more(question):
        return []
    return [d for d in domain.derivations.values() if _may_be_asked(d, question, domain)]


def is_asked(derivation: Derivation, asked: Asked, domain: Domain) -> bool:
    """True where the question, its figures read, asks for this sum and says nothing that is no part of it."""
    says = any(stands_in(p, asked.text) for p in derivation.asks) and not any(
        stands_in(p, asked.text) for p in derivation.never
    )
    wording = _wording(derivation, domain)
    ranks = len(asked.subjects) > 1
    known = all(word.removesuffix("s") in wording or (ranks and RANKING.fullmatch(word)) for word in asked.words)
    return says and known and not _asks_more(derivation, asked, domain)


def _says_more(question: Question) -> bool:
    """True for what no sum answers: reasons, opinions, what was at some time, two things of which one is not named."""
    alone = len(question.subjects) < 2  # noqa: PLR2004
    beside = alone and _SETS_BESIDE.search(question.text) and not _WEIGHS.search(question.text)
    told = _SAID.search(question.text) or beside
    return bool(told or question.kind is Kind.WHY or question.years or question.wants_opinion)


def _may_be_asked(derivation: Derivation, question: Question, domain: Domain) -> bool:
    """A first look, without the finding of quantities."""
    many = any(domain.holds_several(i) for ids in question.subjects for i in ids) or POD.search(question.text)
    figure = FIGURE.search(question.text)
    for wanted in derivation.inputs:
        if (wanted.chips and not (figure or many)) or (wanted.given and not (wanted.words or wanted.metrics or figure)):
            return False
    # last, as each pattern has to be compiled
    if not any(stands_in(pattern, question.text) for pattern in derivation.asks):
        return False
    named = (i for i in derivation.inputs if i.metrics and not i.given)
    return all(metric_of(wanted, question, domain) is not None for wanted in named)


def _asks_more(derivation: Derivation, asked: Asked, domain: Domain) -> bool:
    """True when the question names a metric that has no part in the sum: "serve a 70B model in FP8 at low latency"."""
    told = (derivation.unit, derivation.larger, domain.find_unit(derivation.ends.rpartition("-")[2]))  # of "chip-hours"
    units = [domain.units[u].dimension for u in told if u in domain.units]
    metrics = [domain.metrics[m].dimension for i in derivation.inputs for m in i.metrics]
    dimensions = {"count", "text", *units, *metrics, *(kind for i in derivation.inputs for kind in i.given)}
    kinds = {d.partition("_")[0] for d in dimensions}  # a price is asked about as a price per hour
    patterns = (*derivation.asks, *(p for i in derivation.inputs for p, _, _ in i.words))
    spans = [m.span() for p in patterns if p != "." for m in re.finditer(p, asked.text, re.I) if len(m[0]) < _CLOSE]
    # what only stands between the ends of a pattern is none of its words: the memory of "total memory and power"
    ends = [(end - 1, end) for _, end in spans] + [(start, start + 1) for start, _ in spans]
    parts = ends + [(g.start, g.end) for g in asked.figures]
    qualifiers = domain.find_qualifiers(asked.question.text)  # "in FP8", and not the "total" of "total memory"
    return not all(
        domain.metrics[mention.ids[0]].dimension.partition("_")[0] in kinds
        or any(start < mention.end and mention.start < end for start, end in parts)
        or any(q.start < mention.end <= q.end for q in qualifiers)
        for mention in domain.find_metrics_asked(asked.question.text)
    )


def _wording(derivation: Derivation, domain: Domain) -> str:
    """All that its patterns have words for, and those of the numbers that it is made of."""
    said = (pattern for wanted in derivation.inputs for pattern, _, _ in wanted.words)
    counted = (
        domain.numbered[kind] for wanted in derivation.inputs for kind in wanted.given if kind in domain.numbered
    )
    numbered = (pattern for kind in counted for pattern in (*kind.before, *kind.behind))
    return " ".join((*derivation.asks, *said, *numbered)).lower()


def stands_in(pattern: str, text: str) -> bool:
    """True where a pattern of a derivation stands in a question, whatever its case."""
    return re.search(pattern, text, re.I) is not None


def metric_of(wanted: DerivationInput, question: Question, domain: Domain) -> str | None:
    """The metric that an input is of: the only one, or the one that the question names."""
    if len(wanted.metrics) == 1:
        return wanted.metrics[0]
    # what can be said of several metrics ("HBM") is said of the first
    asked = list(dict.fromkeys(m.ids[0] for m in domain.find_metrics_asked(question.text)))
    others = [m for m in asked if m not in wanted.metrics and domain.metrics[m].dimension not in ("count", "text")]
    named = [m for m in asked if m in wanted.metrics]
    return None if not named or (wanted.alone and (others or len(named) > 1)) else named[0]
