"""What a question takes for granted of a chip, held against the categories that facts give: its link, its memory, what it supports.

    "What is the NVLink bandwidth of the MI300X?"  ->  "Not NVLink: AMD MI300X: interconnect Infinity Fabric. "
    "Does Gaudi 3 have NVLink?"                    ->  "No: ..."
    "Why did Intel drop the HBM from the Gaudi 3?" ->  "Not so: ..."

Silence of the facts denies nothing: only another value of what a chip has one of, or a fact that says "no FP8".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from chipwise import patterns as re
from chipwise.asking.answers import Ruling
from chipwise.asking.excluding import LACKS
from chipwise.asking.kinds import PACE, Kind
from chipwise.asking.question import Question
from chipwise.asking.quoting import Told, cite
from chipwise.audit.differing import is_wider
from chipwise.claims.model import Fact
from chipwise.domain.degrees import LESS
from chipwise.domain.model import Domain
from chipwise.domain.names import Names
from chipwise.domain.records import Term
from chipwise.figures.phrasing import value_text
from chipwise.figures.variants import covered
from chipwise.index.store import Store
from chipwise.text import words

_THAN = re.compile(r"\bthan\b", re.I)
HAD = ("precision", "memory", "interconnect")  # kinds of terms that a chip has
_CLOUD = "cloud"
_SOFTWARE, _RUNS = (
    ("framework", "library"),
    "framework_support",
)  # kinds of what runs on chips, and the metric that says so
# what says that it has: "when did it start supporting NVLink", "why does it use HBM"
_GAINS = re.compile(
    r"\b(?:support(?:s|ed|ing)?|us(?:e[sd]?|ing)|ha(?:ve|s|d|ving)|get(?:s|ting)?|got|add(?:s|ed|ing)?|gain(?:s|ed|ing)?|adopt(?:s|ed|ing)?)\s(?:the\s|its\s|an?\s)?$",
    re.I,
)
_WHEN = re.compile(r"^(?:since |from )?when\b", re.I)
_STOPPED = re.compile(
    r"\b(?:(?:stop|quit|end|ceas)\w*\s(?:making|building|designing|selling|developing|releasing|producing)|(?:g[ia]ve|giving) up (?:on|making|building)|abandon\w*|discontinu\w*)\b[^.?!]{0,80}\bafter\s(?:the\s)?(?:\w+\s)?$",
    re.I,
)
_NO = re.compile(r"\b(?:no|without)\s(?:any\s)?$", re.I)
_ASKS_MORE = re.compile(r"\b(?:needs?|must|have to|has to|only|without|all|same|other|than|more|better|not)\b", re.I)


def category_asked(question: Question, store: Store, domain: Domain, names: Names) -> Told | None:
    """Yes or no with the fact that says so, for "does X have, use or support Y"; None where no fact does."""
    lacked, said = _lacked(question, domain)
    says_more = set(question.free_words) - domain.change_nothing("category") - said
    plain = question.wants_verdict and question.kind is Kind.YES_NO and not says_more
    asked = _asked(question, domain)
    if not plain or not asked or question.years or _ASKS_MORE.search(question.text):
        return None
    facts = _facts(question, store, names)
    met = next((f for f in facts if is_met(f, asked[0], domain)), None) if len(asked) == 1 else None
    # of "BF16 tensor cores" either may be what is denied
    fact = met or next((f for term in asked for f in facts if denies(f, term, domain)), None)
    if fact is None and lacked is None and len(asked) == 1:
        # what is wrong of a chip goes before what holds for its line: TensorFlow runs on TPUs, and not on the TPU7x
        told = _set_aside(covered(names, question.subjects[0][0]), asked[0], store)
        fact = met = None if told else next(iter(_of_its_lines(question, asked[0], store, domain)), None)
        if fact is None:
            return told or _set_aside(_lines_of(question, domain), asked[0], store)
    if fact is None:
        return None
    so = bool(met) == (lacked is None)  # "does the A100 lack FP8" is so where it has none
    return _told(fact, store, names, Ruling.YES if so else Ruling.NO)


def lack_denied(question: Question, store: Store, domain: Domain, names: Names) -> Told | None:
    """That a chip has what a "why" takes it to lack: "why does the H100 not support FP8"; None where no fact says so."""
    lacked, said = _lacked(question, domain)
    says_more = set(question.free_words) - domain.change_nothing("category") - said
    if question.kind is not Kind.WHY or lacked is None or says_more:
        return None
    fact = next((f for f in _by_category(question, store, names) if is_met(f, lacked, domain)), None)
    return None if fact is None else _told(fact, store, names, Ruling.NOT_SO)


def gain_denied(question: Question, store: Store, domain: Domain, names: Names) -> Told | None:
    """That a chip has not what a "why" or a "when" takes it to have: "when did the MI300X start supporting NVLink"."""
    if question.kind is not Kind.WHY and not _WHEN.match(question.text):
        return None
    mentions = [m for m in domain.find_terms(question.text) if domain.terms[m.ids[0]].kind in HAD]
    gained = [m for m in mentions if _GAINS.search(question.text[: m.start])]
    if len(gained) != 1 or _lacked(question, domain)[0] is not None:
        return None
    # "why does the TPU v4 support FP8 whereas the v5p does not" takes it of the first
    whose = [m.ids for m in domain.find_entities(question.text) if m.end <= gained[0].start][-1:]
    facts = _facts(replace(question, subjects=tuple(whose)), store, names)
    taken = [domain.terms[gained[0].ids[0]]]
    if any(is_met(f, term, domain) for f in facts for term in taken):
        return None
    fact = next((f for term in taken for f in facts if denies(f, term, domain)), None)
    return None if fact is None else _told(fact, store, names, Ruling.NOT_SO)


def end_denied(question: Question, store: Store, domain: Domain, names: Names) -> Told | None:
    """That others came after the chip which a question takes for the last: "why did Google stop making TPUs after v5p"."""
    if question.kind is not Kind.WHY and not _WHEN.match(question.text):
        return None
    named = domain.find_entities(question.text)
    last = [m.ids[0] for m in named if _STOPPED.search(question.text[: m.start])]
    # "why did NVIDIA stop selling the A100 after the H100" takes no chip for the last
    if len(last) != 1 or [m.ids[0] for m in named if domain.is_chip(m.ids[0])] != last:
        return None
    vendor = domain.entities[last[0]].vendor
    line = [
        e.id
        for e in domain.entities.values()
        if e.vendor == vendor and domain.is_chip(e.id) and domain.share_a_line(e.id, last[0])
    ]
    known = {m: _dates(m, line, store) for m in domain.metrics if domain.metrics[m].dimension == "date"}
    own = max(
        (f.value for facts in known.values() for f in facts if f.claim.subject in covered(names, last[0])), default=""
    )
    later = (f for facts in known.values() for f in facts if f.value[: len(own)] > own > "")
    fact = max(later, key=lambda f: f.value, default=None)  # the latest speaks most plainly
    return None if fact is None else _told(fact, store, names, Ruling.NOT_SO)


def _dates(metric: str, chips: Sequence[str], store: Store) -> list[Fact]:
    return [f for f in store.facts(chips, [metric]) if f.rank == "preferred" and store.holds(f)]


def _by_category(question: Question, store: Store, names: Names) -> list[Fact]:
    """What stands of the chip, categories before figures."""
    return sorted(_facts(question, store, names), key=lambda f: f.claim.quantity is not None)


def _lacked(question: Question, domain: Domain) -> tuple[Term | None, frozenset[str]]:
    """What a question says that the one chip has not, where it says that right before it, and the words for that."""
    for m in domain.find_terms(question.text) if len(question.subjects) == 1 else ():
        before = question.text[: m.start]
        term = domain.terms[m.ids[0]]
        said = LACKS.search(before) or _NO.search(before)
        if term.kind in HAD and said:
            return term, frozenset(words(before[before.rfind(" ", 0, said.start()) + 1 :]))  # "does" of "doesn't", too
    return None, frozenset()


def format_denied(question: Question, store: Store, domain: Domain, names: Names) -> Told | None:
    """That one of two chips has not the format that their pace is compared in: "is the A100 faster in FP8 than the H100"."""
    terms = [domain.terms[t] for t in question.terms if domain.terms[t].kind == "precision"]
    of_pace = set(question.metrics) <= {"peak_compute"} and PACE.search(question.text) is not None
    if not (question.wants_verdict and of_pace) or len(terms) != 1 or len(question.subjects) != 2:  # noqa: PLR2004
        return None
    for number, ids in enumerate(question.subjects):
        facts = _facts(replace(question, subjects=(ids,)), store, names)
        fact = next((f for f in facts if denies(f, terms[0], domain)), None)
        if fact is not None:
            is_so = number == 0 and _THAN.search(question.text) and not LESS.search(question.text)
            return _told(fact, store, names, Ruling.NO if is_so else None)
    return None


def denial(question: Question, store: Store, domain: Domain, names: Names, opening: str = "Not") -> Told | None:
    """What a look-up takes for granted wrongly, to go before its answer; None where nothing."""
    asked = _asked(question, domain)
    facts = _facts(question, store, names) if asked else []
    if any(is_met(f, term, domain) for f in facts for term in asked if f.claim.quantity is None):
        return None
    for term in asked:
        fact = next((f for f in facts if denies(f, term, domain)), None)
        if fact is not None:
            return _told(fact, store, names, f"{opening} {term.name}: ").followed(" ")
    return None


def _asked(question: Question, domain: Domain) -> list[Term]:
    return [domain.terms[t] for t in question.terms] if len(question.subjects) == 1 else []


def _facts(question: Question, store: Store, names: Names) -> list[Fact]:
    """What stands of the chip asked about, from sources that this knowledge base holds."""
    if len(question.subjects) != 1 or len(question.subjects[0]) != 1 or not names.is_chip(question.subjects[0][0]):
        return []
    found = store.facts(covered(names, question.subjects[0][0]))
    specified = (f for f in found if f.rank != "deprecated" and f.claim.modality.value == "specified")
    return [f for f in specified if store.holds(f)]


def _lines_of(question: Question, domain: Domain) -> list[str]:
    """The family and the line of the one thing that is asked about, and itself where it is one."""
    about = question.subjects[0][0] if len(question.subjects[0]) == 1 else ""
    return [a for a in domain.ancestors(about) if domain.is_many(a)] if about else []


def _of_its_lines(question: Question, term: Term, store: Store, domain: Domain) -> list[Fact]:
    """What says of a chip's family or line that some software runs on it: what runs on AMD GPUs runs on the MI300X, too.

    Only of software: a cloud that has some GPU need not have this one, and not every Hopper has NVLink. Of a line
    itself also that a cloud has it.
    """
    lines = _lines_of(question, domain)
    found = store.facts(lines, [_RUNS]) if term.kind in _SOFTWARE else []
    if term.kind == _CLOUD and lines:
        found = store.facts([i for i in question.subjects[0] if i in lines])
    return [f for f in found if f.rank != "deprecated" and store.holds(f) and is_met(f, term, domain)]


def _set_aside(about: Sequence[str], term: Term, store: Store) -> Told | None:
    """That the table has something as said and wrong, of a chip or of its lines: "TPUs are on AWS"; None where it has not."""
    found = [f for f in store.facts(about) if f.value == term.id and store.holds(f)]
    if not found or any(f.rank != "deprecated" for f in found):
        return None
    reason = found[0].reason.rstrip(".")
    return Told.of(f"{reason}. [1]", cite(store, found[:1]), found[:1], Ruling.BECAUSE)


def is_met(fact: Fact, term: Term, domain: Domain) -> bool:
    """True for the category itself or a kind of it (HBM3e is HBM, and not HBM3), and for a figure in the format, or of the memory."""
    if fact.claim.quantity is not None:
        memory = fact.claim.qualifier("memory_kind")
        return (term.kind == "precision" and fact.claim.qualifier("dtype") == term.id) or (
            term.kind == "memory" and bool(memory) and is_wider(term.id, memory)
        )
    return any(is_wider(term.id, t.id) for t in _terms_of(fact, domain))


def denies(fact: Fact, term: Term, domain: Domain) -> bool:
    """True for "no FP8", and for another one of what a chip has one of: GDDR6 denies HBM."""
    if fact.claim.quantity is not None:
        return False
    exclusive = term.id in domain.metrics[fact.claim.metric].exclusive
    # one of which the fact says "HBM" may have HBM3e
    apart = (t for t in _terms_of(fact, domain) if not is_wider(term.id, t.id) and not is_wider(t.id, term.id))
    other = any(t.kind == term.kind for t in apart)
    return (exclusive and other) or fact.value == f"no {term.name}"


def _terms_of(fact: Fact, domain: Domain) -> Iterator[Term]:
    if fact.value in domain.terms:
        yield domain.terms[fact.value]


def _told(fact: Fact, store: Store, names: Names, lead: Ruling | str | None) -> Told:
    metric, claim = names.metrics[fact.claim.metric].name, fact.claim
    of = names.values.get(claim.qualifier("dtype") or claim.qualifier("memory_kind"), "")
    said = f" ({of})" if of and claim.quantity is not None else ""
    colon = "" if claim.quantity is not None or fact.value in names.values else ":"
    text = f"{names.name(claim.subject)}: {metric}{colon} {value_text(fact, names)}{said}. [1]"
    return Told.of(text, cite(store, [fact]), [fact], lead)
