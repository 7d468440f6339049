"""From what somebody typed to one answer: its parts, each answered by itself, put together.

A part is tried with what it says alone and, where that leaves something open, with what was said before
it; first by facts, then by passages. What is taken for granted ("since the H100 has 96 GB", "why does the
TPU use NVLink") is looked up, too, and denied where facts deny it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from typing import Protocol

from chipwise import patterns as re
from chipwise.asking.answers import Answer, Ruling
from chipwise.asking.completing import names_in
from chipwise.asking.excluding import left_out_last
from chipwise.asking.howmany import in_all
from chipwise.asking.kinds import FIGURE, HOW_MANY, NUMBER_WANTED, Kind
from chipwise.asking.outright import answer_outright
from chipwise.asking.parting import Parts, part
from chipwise.asking.question import Question, understand
from chipwise.asking.quoting import Told, together
from chipwise.asking.relatives import read_relatives
from chipwise.asking.rendering import Draft, render
from chipwise.asking.spelling import read_misspelt
from chipwise.domain.model import Domain
from chipwise.domain.names import Names
from chipwise.domain.shortnames import in_full
from chipwise.index.store import Store
from chipwise.nouns import CHIP, MACHINE
from chipwise.numbers.quantity import Quantity
from chipwise.text import Span, words

_UNMEASURED = frozenset(("speedup", "workload_fit"))  # what "faster" and "better" ask for, which no chip has by itself
_BESIDE_ONE = (Kind.DEFINITION,)
_BESIDE_SEVERAL = (Kind.COMPARISON, Kind.ADVICE, Kind.WHY, Kind.OPEN)
_WHY = re.compile(r"^why (?=(?:is|are|was|were|does|do|did|can|could|has|have)\b)", re.I)


_RATIO_WANTED = re.compile(
    r"\b(?:by how (?:much|many)|how (?:much|many) (?:more|less|times)|(?:what|which) (?:factor|ratio|multiple))\b", re.I
)
_WHICH_WAY = re.compile(r"\b(?:per|each|one|both|single) (?:direction|way)s?\b|\b(?:uni|bi)directional\b", re.I)
_DENSITY = re.compile(r"\b(?:dense|sparse|sparsity)\b", re.I)
# "and is that dense or sparse?", of what was asked before
_ASKS_BACK = re.compile(r"^(?:is|are|was|were|does|do) (?:it|that|this|those|these|they)\b", re.I)
_ALONE = re.compile(r"\s+of (?:all )?the (?:chip|gpu|tpu|card|accelerator)s?(?= |\W*$).*$", re.I)
_PUE = re.compile(r"\bPUE (?:of |is |at |= ?)?\d(?:\.\d+)?", re.I)
_COUNT = "count"  # the dimension of a number of chips
_OF = " of "
_THAT_TIME = re.compile(r"\s(?:in|over|for|during|within) (?:that|this|the same) (?:time|period|span|while)\b", re.I)
_QUALIFIES = re.compile(
    r"^((?:which|what) [\w-]+(?: [\w-]+)?) (?:qualify|qualifies|suffices?|fits?|(?:would |will |can )?get (?:me|us) (?:there|that)|(?:have|has|reach(?:es)?|offers?|gives? (?:me|us)) (?:that|it|this|enough|so much|that much)|are enough|do|would do|would fit|would qualify|meets? (?:that|this|it|them)|can do (?:that|this)|works?|are there)\W*$",
    re.I,
)
_NEEDS = re.compile(
    r"^(?:so |well )?(?:i|we) (?:need|want|require|must have|am looking for|are looking for|look for|have to have) (.+?)[.;]?$",
    re.I,
)
_OF_ONE = re.compile(rf"\s?(?:(?:per|/|on each|for each|on every|each)\s?(?:{CHIP}|card)\b|each\b)", re.I)
_BARE = re.compile(r"\d[\d.,]*\s?[A-Za-z/]+(?: of [A-Za-z0-9 ]+)?", re.I)  # "24 GB at most" says what it bounds
_OF_MACHINES = re.compile(rf"\b(?:{MACHINE})s?\b", re.I)
_IN_ONE = re.compile(r"\s(?:in|on|per|within) (?:one|an?|a single|each) (?:node|machine|server|box|system)$", re.I)
_SIZE = re.compile(r"[\s-]\d+(?:\.\d+)?[BT]$", re.I)
_SAME = re.compile(r"\bthe same\b", re.I)
_PERIOD = re.compile(r"\b(?:per|an?|each|every) (?:hour|day|week|month|year)\b", re.I)


class Sources(Protocol):
    """What questions are answered from."""

    @property
    def store(self) -> Store: ...  # noqa: D102
    @property
    def domain(self) -> Domain: ...  # noqa: D102
    @property
    def names(self) -> Names: ...  # noqa: D102
    def read(self, question: Question, count: int | None, told: Collection[str]) -> Draft:
        """What the best `count` passages answer."""
        ...


Beside = Callable[[Sequence[str], Sources], Told | None]


def reply(typed: str, sources: Sources, passages: int | None = None, beside: Beside | None = None) -> Answer:
    """The answer to all that a text asks and that no query answers, from facts or the best `passages` passages.

    `beside` gives the main figures of the products that an answer in words is about.
    """
    asked, shortened = in_full(sources.domain, left_out_last(typed))
    reading = read_misspelt(asked, sources.domain, sources.store)
    named = read_relatives(sources.domain, reading.text)
    if named.reason:
        return render(typed, [Draft(typed, reason=named.reason)], sources.names)
    parts = part(named.text, sources.domain)
    found: list[Draft] = []
    for number in range(len(parts.questions)):
        if found and _ASKS_BACK.match(parts.questions[number]) and _tells(found[-1], parts.questions[number]):
            continue
        draft = _outright(parts, number, sources)
        whole = None if draft else _as_one_sum(named.text, sources)
        if whole is not None:
            found = [whole]
            break
        lacking = "" if draft else _lacking(parts.questions[number], sources)
        draft = Draft(parts.questions[number], reason=lacking) if lacking else draft
        told = {c.evidence.quote for each in found for c in each.told.cited}
        found.append(
            draft or _from_passages(parts, number, sources, reading.strange, count=passages, told=told, beside=beside)
        )
    denied = _outright_if_denied(f"Is it true that {parts.premise}?", sources) if parts.premise else None
    drafts = [*([denied] if denied else []), *found]
    return render(typed, drafts, sources.names, (*shortened, *reading.slips, *named.pairs))


def answer_query(
    question: Question, sources: Sources, passages: int | None = None, beside: Beside | None = None
) -> Answer:
    """The answer to one question that is understood already, from facts or from passages."""
    found = _looked_up(question, sources) or _read(question, sources, passages, beside=beside)
    return render(question.text, [found], sources.names)


def _lacking(text: str, sources: Sources) -> str:
    """What a question for a sum lacks to be answered; "" for any other question."""
    question = understand(text, sources.domain)
    named = not sources.domain.word_group("derived").isdisjoint(question.words)
    if question.kind in (Kind.WHY, Kind.ADVICE, Kind.DEFINITION) or not (FIGURE.search(text) or named):
        return ""
    from chipwise.asking.sums import reason_why_not  # noqa: PLC0415

    return reason_why_not(question, sources.store, sources.domain, sources.names)


def _as_one_sum(text: str, sources: Sources) -> Draft | None:
    """One sum of all that a text says, where a part of it has no answer by itself and all its figures go into one."""
    if text.count("?") > 1 or not FIGURE.search(text):
        return None
    from chipwise.asking.sums import sum_of_all  # noqa: PLC0415

    told = sum_of_all(understand(text, sources.domain), sources.store, sources.domain, sources.names)
    return Draft(text, told) if told is not None else None


def _outright(parts: Parts, number: int, sources: Sources) -> Draft | None:
    """What facts answer to one part, read as each of its wordings in turn."""
    for text in _wordings(parts, number, sources.domain):
        question = understand(text, sources.domain)
        if question.kind is Kind.WHY and _WHY.match(text):
            denied = _outright_if_denied(_WHY.sub("", text), sources)
            if denied:
                return denied
        found = _looked_up(question, sources)
        if found:
            return _saying_what_is_left(found, parts, number, sources)
    head = parts.heads.get(number, "")
    found = _looked_up(understand(head, sources.domain), sources) if head else None
    if found is None:
        return None
    left = _left(parts, number)
    return found if _tells(found, left) else replace(found, unused=left)


def _tells(found: Draft, left: str) -> bool:
    """True where the answer tells what is left to ask: how many, of which direction, dense or sparse."""
    told = found.told
    counted = HOW_MANY.search(left) and any(
        isinstance(r.value, Quantity) and r.value.dimension == _COUNT for r in told.rows
    )
    way = _WHICH_WAY.search(left) and told.states("direction")
    return bool(counted or way or (_DENSITY.search(left) and told.states("sparsity")))


def _saying_what_is_left(found: Draft, parts: Parts, number: int, sources: Sources) -> Draft:
    """The answer with what it leaves of a part that says nothing by itself: it is that of the head alone."""
    left = _left(parts, number)
    if not left or _RATIO_WANTED.search(left):  # an answer tells the ratio anyway
        return found
    if _tells(found, left):
        return found
    if set(words(left)) <= sources.domain.change_nothing("sum", "price"):  # "Bill?" is what was asked for
        return found
    alone = _looked_up(understand(parts.heads[number], sources.domain), sources)
    return replace(found, unused=left) if alone is not None and alone.told == found.told else found


def _left(parts: Parts, number: int) -> str:
    """What stands behind the head of a part; "" where it has none."""
    head = parts.heads.get(number, "")
    return parts.questions[number][len(head.rstrip("?.,")) :].strip(" ,?") if head else ""


def _wordings(parts: Parts, number: int, domain: Domain) -> Iterator[str]:
    """A part by itself, with the figures and number formats that were told before, and behind its whole context."""
    asked, context = parts.questions[number], parts.context
    if not (context or number):  # nothing was told before
        yield asked
        return
    if context and in_all(asked, domain) and FIGURE.search(context):  # of all that was counted before
        yield f"{context} {_ALONE.sub('', asked)}"
    figures = _figures_before(parts, number, domain)
    with_figures = f"{_THAT_TIME.sub('', asked)} ({', '.join(figures)})" if figures else ""
    priced = _is_priced(asked, domain)  # in whatever format
    # "they quoted $2.50 per GPU-hour" is the price that counts, and "the same" is for as long
    quoted = _prices(context, domain) and not _names_a_cloud(asked, domain)
    if with_figures and priced and (quoted or _SAME.search(asked)):
        yield with_figures
    own = priced or _formats(asked, domain)
    formats = [] if own else [context[s:e] for s, e in _formats(context, domain)]
    if formats:  # "for a model in FP8: which is faster?"
        yield f"{asked} ({', '.join(formats)})"
    yield asked
    if with_figures:
        yield with_figures
    if not context:
        return
    yield f"{context} {asked}"
    if needs := _needs(context, asked):
        yield needs
    told = " ".join((context, *parts.questions[:number]))
    named = [] if names_in(asked, domain) else names_in(told, domain)
    if named and figures:  # whatever else is said of them: "we have 256 A100s and usually see 45% MFU"
        yield f"{asked} ({', '.join((*named, *figures))})"


def _figures_before(parts: Parts, number: int, domain: Domain) -> list[str]:
    """The figures that were told before a part and may go into what it asks; of a price in what format, nobody says."""
    asked = parts.questions[number]
    told = " ".join((parts.context, *(() if parts.apart else parts.questions[:number])))
    left = _formats(told, domain) if _is_priced(asked, domain) else []
    if _names_a_cloud(asked, domain):  # "and at AWS?" asks for a price of theirs, whatever was quoted
        left += [(q.start, q.end) for q in _prices(told, domain)]
    return list(dict.fromkeys(told[start:end] for start, end in _figures(told, domain) if (start, end) not in left))


def _prices(said: str, domain: Domain) -> list[Quantity]:
    return [q for q in domain.unit_table.find_all(said) if q.dimension.startswith("price")] if said else []


def _names_a_cloud(asked: str, domain: Domain) -> bool:
    return any(domain.terms[i].kind == "cloud" for m in domain.find_terms(asked) for i in m.ids)


def _needs(said: str, asked: str) -> str:
    """ "Which accelerators have at least 180 GB" of "I need at least 180 GB. Which accelerators qualify?"; "" of others."""
    which, needs = _QUALIFIES.match(asked), _NEEDS.match(said)
    if not which or not needs:
        return ""
    wanted = _IN_ONE.sub("", needs[1]) if _OF_MACHINES.search(which[1]) else needs[1]
    return f"{which[1]} have {'at least ' if _BARE.fullmatch(wanted) else ''}{wanted}?"


def _is_priced(asked: str, domain: Domain) -> bool:
    metrics = understand(asked, domain).metrics
    return bool(metrics) and all(domain.metrics[m].nature == "priced" for m in metrics)


def _figures(told: str, domain: Domain) -> list[Span]:
    """Where figures with a unit of their own, models with their size and number formats stand; "8 H100s" are of what was spoken of there."""
    quantities = [q for q in domain.unit_table.find_all(told) if q.unit] if FIGURE.search(told) else []
    named = [m for m in domain.find_entities(told) if not all(map(domain.is_many, m.ids))]  # "$2.50 per GPU-hour"
    # "3 nodes of p5.48xlarge", "4x L4"
    counted = {len(told[: m.start].removesuffix(_OF).rstrip()) for m in named}
    free = [
        (
            q.start,
            each.end() if (each := _OF_ONE.match(told, q.end)) else q.end,
        )  # "410 TFLOPS per GPU" is no figure of all
        for q in quantities
        if q.end not in counted
        and (q.dimension != "count" or not any(m.start < q.end and q.start < m.end for m in named))
    ]
    models = (m for m in domain.find_terms(told) if domain.terms[m.ids[0]].kind == "model")
    free += [(m.start, m.end) for m in models if _SIZE.search(told, m.start, m.end)]
    free += [m.span() for p in (_PERIOD, _PUE) for m in p.finditer(told)]
    return sorted({*free, *_formats(told, domain)})


def _formats(told: str, domain: Domain) -> list[Span]:
    return [(m.start, m.end) for m in domain.find_qualifiers(told) if m.ids[0].startswith("dtype=")]


def _looked_up(question: Question, sources: Sources) -> Draft | None:
    return answer_outright(question, sources.store, sources.domain, sources.names)


def _outright_if_denied(asked: str, sources: Sources) -> Draft | None:
    """What facts say against what is taken for granted, asked as a question of its own; None where they do not."""
    found = _looked_up(understand(asked, sources.domain), sources)
    return found if found and found.told.ruling is Ruling.NO else None


def _from_passages(
    parts: Parts,
    number: int,
    sources: Sources,
    strange: tuple[str, ...],
    *,
    count: int | None,
    told: Collection[str],
    beside: Beside | None,
) -> Draft:
    question = understand(parts.questions[number], sources.domain)
    specific = any(not sources.domain.is_many(i) for ids in question.subjects for i in ids)
    if parts.context and not (specific or question.terms or question.metrics):
        question = understand(f"{parts.context} {parts.questions[number]}", sources.domain)
    return _read(question.naming(strange), sources, count, told, beside=beside)


def _read(
    question: Question, sources: Sources, count: int | None, told: Collection[str] = (), *, beside: Beside | None
) -> Draft:
    """What the best `count` passages answer, less sentences that were told, with the main figures of what it is about."""
    found = sources.read(question, count, told)
    read = found.consulted and question.kind in (Kind.ADVICE, Kind.COMPARISON)  # passages were read, and none would do
    return _with_figures(question, found, sources, beside) if beside is not None and (found.answered or read) else found


def _with_figures(question: Question, found: Draft, sources: Sources, beside: Beside) -> Draft:
    """An answer in words with the main figures of what it is about, where those are known."""
    subjects = [ids[0] for ids in question.subjects if len(ids) == 1]
    kinds = _BESIDE_SEVERAL if len(subjects) > 1 else _BESIDE_ONE
    number = question.kind is not Kind.ADVICE and NUMBER_WANTED.search(question.text)
    measured = not _UNMEASURED.issuperset(question.metrics)
    if not subjects or len(subjects) < len(question.subjects) or question.kind not in kinds or number or measured:
        return found  # without loading what tells figures
    told = beside(subjects, sources)
    if told is None or not (found.answered or len(question.subjects) > 1):
        return found
    if not found.answered:
        told = told.led("No passage answers that in words. ")
        return Draft(found.question, told, consulted=found.consulted)
    verdict_first = len(subjects) > 1 and question.kind in (Kind.COMPARISON, Kind.ADVICE)
    return replace(found, told=together([told, found.told] if verdict_first else [found.told, told], "\n\n"))
