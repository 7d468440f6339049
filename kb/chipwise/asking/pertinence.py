"""Which sentences can answer a question by what they name; others share words with it, and speak of something else.

"Can I run PyTorch on Cerebras?"    ->  those on both
"When did NVIDIA announce Rubin?"   ->  those on Rubin that tell a date
"Which clouds rent out B300s?"      ->  those that name a cloud
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from chipwise.asking.candidates import Candidate
from chipwise.asking.forms import tells_a_date
from chipwise.asking.kinds import Kind
from chipwise.asking.question import Question
from chipwise.asking.searching import stem
from chipwise.asking.training import counts_chips, counts_its_chips, tells_training, trained_models
from chipwise.domain.model import Domain
from chipwise.text import words

_HAD = ("cloud", "company", "library", "framework")  # kinds of terms that have a chip, or that it has, or not
_ONLY = re.compile(r"\b(?:only|exclusive(?:ly)?|alone|no other|nowhere else)\b", re.I)
_OVER = re.compile(
    r"\b(?:choose|pick|prefer|use|take|buy|rent|go (?:for|with))\b.+?\b(?:over|instead of|rather than|to|than)\b", re.I
)
_CHOICE = re.compile(
    r"\b(?:better|best|prefer\w*|choices?|recommend\w*|favou?r\w*|suit\w*|ideal|wins?|shines?|excels?)\b", re.I
)
_GENERATION = re.compile(r"(?P<link>[A-Za-z]+(?: [A-Z][a-z]+)?)[\s-]?(?P<number>\d)(?!\w|[.,]?\d|\s?[A-Za-z]*/s)")
_DOES = re.compile(r"\b(?:does|did|do|has|have|will)\s$", re.I)
_COUNTED = re.compile(r"\bhow many ([a-z]{3,})\b", re.I)
COINED = re.compile(r"\b\w*[a-z][A-Z]\w*")  # no word of any language


def to_the_point(question: Question, candidates: list[Candidate], domain: Domain) -> list[Candidate]:
    """The candidates that may answer by what they name; others share words with the question, and speak of something else."""
    candidates = _on_names(question, candidates, domain)
    agents = {i for m in domain.find_terms(question.text) if _DOES.search(question.text[: m.start]) for i in m.ids}
    terms = {t for t in question.terms if domain.terms[t].kind == "price_term"}
    if terms and any(domain.metrics[m].nature == "priced" for m in question.metrics):
        # what something costs on demand, or on no terms, is no price of three years; that of one year is near
        alike = {t.partition("-")[0] for t in terms}
        candidates = [c for c in candidates if any(t.partition("-")[0] in alike for t in (*c.sentence.terms, *c.terms))]
    parties = {t for t in had(question, domain) if domain.terms[t].kind == "company" and t in agents}
    if parties and question.subjects:  # what Midjourney rents is told of it
        candidates = [c for c in candidates if parties <= c.terms]
    clouds = [t for t in question.terms if domain.terms[t].kind == "cloud"]
    if clouds and question.kind is not Kind.YES_NO:
        candidates = [c for c in candidates if _is_at(c, clouds, domain) and _is_on_all(question, c, domain)]
    models = trained_models(question, domain)
    told = [c for c in candidates if tells_training(c, models, domain)] if models else []
    if counts_its_chips(question, domain):
        return [c for c in told if counts_chips(c, domain)]
    if told or (models and question.wants_verdict):
        return told
    if not question.subjects:
        return candidates
    if question.kind is Kind.YES_NO:
        return [c for c in candidates if _joins(question, c, domain) and _speaks_of_it(question, c, domain)]
    category = all(domain.metrics[m].dimension == "text" for m in question.metrics)
    objects = {kind for m in question.metrics if m in domain.relations for kind in domain.relations[m].objects}
    if objects and category and question.kind in (Kind.LOOKUP, Kind.LIST):
        # "which clouds" is answered by one that is named, and that has the chip
        candidates = [
            c
            for c in candidates
            if c.about and any(t in objects or domain.terms[t].kind in objects for t in c.sentence.terms)
        ]
    if question.metrics and all(domain.metrics[m].dimension == "date" for m in question.metrics):
        candidates = [c for c in candidates if tells_a_date(c.text) and len(c.about) == len(question.subjects)]
    return _on_the_one_asked(question, candidates, domain) if question.kind is Kind.ADVICE else candidates


def _on_names(question: Question, candidates: list[Candidate], domain: Domain) -> list[Candidate]:
    """Those with the coined names, the numbered links and the counted things of the question."""
    coined = coined_names(question)
    if coined:
        candidates = [c for c in candidates if coined <= _words_of(c)]
    numbered = _numbered_links(question, domain)
    if numbered:
        candidates = [c for c in candidates if any(n.search(c.text) for n in numbered)]
    counted = counted_thing(question, domain)
    if counted:
        candidates = [c for c in candidates if stem(counted.lower()) in map(stem, _words_of(c))]
    return candidates


def counted_thing(question: Question, domain: Domain) -> str:
    """What is to be counted, where it is neither a product nor a metric: the people of "how many people"."""
    found = _COUNTED.search(question.text)
    counted = found[1] if found is not None and found[1].lower() in question.free_words else ""
    unit = domain.units.get(question.unit)
    return "" if unit is not None and unit.of == "chips" else counted


def _is_on_all(question: Question, candidate: Candidate, domain: Domain) -> bool:
    """True for a sentence on all that the question names; "8 H100s" are any machine's of eight."""
    chips = {domain.nearest_chip(i) for ids in question.subjects for i in ids if domain.holds_several(i)} - {""}
    of_chips = any(domain.covers(chip, i) for chip in chips for i in candidate.sentence.subjects if domain.is_chip(i))
    return len(candidate.about) == len(question.subjects) or of_chips


def _numbered_links(question: Question, domain: Domain) -> list[re.Pattern[str]]:
    """How a generation of a link is written, where the question names one: the 3 of "NVLink 3"."""
    links = [m for m in domain.find_terms(question.text) if domain.terms[m.ids[0]].kind == "interconnect"]
    found = (_GENERATION.match(question.text, m.start) for m in links)
    return [re.compile(rf"{re.escape(n['link'])}[\s-]?{n['number']}(?![\d.]\d)", re.I) for n in found if n]


def had(question: Question, domain: Domain) -> list[str]:
    """The terms that a chip has or that have it, by the question: neither its maker nor the AMD of "AMD GPUs"."""
    makers = {domain.entities[i].vendor for ids in question.subjects for i in ids}
    named = (t for t in question.terms if domain.terms[t].kind in _HAD and domain.terms[t].name not in makers)
    return [t for t in named if t not in _makers_named(question, domain)]


def _makers_named(question: Question, domain: Domain) -> set[str]:
    """Terms that only say whose chips are asked about: the AMD of "AMD GPUs"."""
    spans = [(m.start, m.end) for m in domain.find_entities(question.text)]
    within = (m for m in domain.find_terms(question.text) if any(s <= m.start and m.end <= e for s, e in spans))
    return {t for m in within for t in m.ids}


def _joins(question: Question, candidate: Candidate, domain: Domain) -> bool:
    """True for a sentence on the subject and all that the question asks of it: PyTorch on Cerebras, and not on others.

    What "only" some have is denied of all others: "only on Google Cloud" answers for AWS.
    """
    wanted = set(had(question, domain))
    if not wanted:  # how other chips are cooled says nothing of the one that is asked about
        return bool(candidate.about) or not any(map(domain.is_specific, candidate.sentence.entities))
    clouds = {t for t in candidate.sentence.terms if domain.terms[t].kind == "cloud"}
    elsewhere = clouds and any(domain.terms[t].kind == "cloud" for t in wanted) and _ONLY.search(candidate.text)
    return bool(candidate.about) and (wanted <= candidate.terms or bool(elsewhere))


def _speaks_of_it(question: Question, candidate: Candidate, domain: Domain) -> bool:
    """True for a sentence on what is asked, where that is a category: "is the H200 air-cooled" is of its cooling."""
    categories = {m for m in question.metrics if domain.metrics[m].dimension == "text"}
    if not categories or categories != set(question.metrics) or had(question, domain):
        return True
    told = domain.find_metrics(candidate.text), domain.find_metrics_asked(candidate.text)
    return any(not categories.isdisjoint(m.ids) for found in told for m in found)


def coined_names(question: Question) -> set[str]:
    """Names that are no words of any language, as "MaxText" is, and that the domain does not know; in lower case."""
    return {name.lower() for name in COINED.findall(question.text)}.intersection(question.names)


def _words_of(candidate: Candidate) -> set[str]:
    passage = candidate.passage
    return set(words(" ".join((*passage.heading, passage.context, passage.text))))


def _is_at(candidate: Candidate, clouds: Sequence[str], domain: Domain) -> bool:
    """True for a sentence on one of some clouds; what stands above it counts where it names none itself."""
    own = {t for t in candidate.sentence.terms if domain.terms[t].kind == "cloud"}
    return not (own or candidate.terms).isdisjoint(clouds)


def _on_the_one_asked(question: Question, candidates: Sequence[Candidate], domain: Domain) -> list[Candidate]:
    """Of sentences that advise those on what is asked about: of two chips, and for the one of "when would I choose X over Y"."""
    if len(question.subjects) > 1:
        candidates = [c for c in candidates if not _on_another(question, c, domain)]
    match = _OVER.search(question.text)
    named = [m.ids for m in domain.find_entities(question.text) if match and m.start >= match.start()]
    if len(named) < 2:  # noqa: PLR2004
        return list(candidates)
    asked, other = named[:2]
    against = [c for c in candidates if _spoken_for(c.text, other, domain) and not _spoken_for(c.text, asked, domain)]
    return [c for c in candidates if c not in against]


def _on_another(question: Question, candidate: Candidate, domain: Domain) -> bool:
    """True for a sentence that names a chip which the question does not, and not all that it does."""
    chips = [i for i in candidate.sentence.entities if domain.is_chip(i)]
    foreign = (i for i in chips if not any(domain.covers(a, i) for ids in question.subjects for a in ids))
    return len(candidate.about) < len(question.subjects) and any(foreign)


def _spoken_for(text: str, ids: Sequence[str], domain: Domain) -> bool:
    """True where a word of choice follows the name of one of `ids`, or a kind of it, with no other name in between."""
    mentions = domain.find_entities(text)
    for cue in _CHOICE.finditer(text):
        before = [m for m in mentions if m.end <= cue.start()]
        if before and any(a in ids for i in before[-1].ids for a in domain.ancestors(i)):
            return True
    return False
