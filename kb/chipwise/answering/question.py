"""What a question asks for: about what, which metric, and what kind of answer.

"Which has more memory, the H100 or the H200?"
    ->  comparison of nvidia-h100 and nvidia-h200 by memory_capacity
"""

from __future__ import annotations

from dataclasses import replace

from chipwise import patterns as re
from chipwise.answering.askedmentions import (
    defines,
    forms_compared,
    is_form,
    joined,
)
from chipwise.answering.framing import find_statement
from chipwise.answering.kinds import (
    AT_PRESENT,
    BARE_SUPERLATIVE,
    COUNTED_BEFORE,
    OPINION_WANTED,
    RANKED,
    RANKING_WANTED,
    RANKS,
    SETS_APART,
    YEAR,
    YES_NO,
    Kind,
    kind_of,
)
from chipwise.answering.metricsasked import by_their_words, metrics_asked, unit_asked
from chipwise.answering.unknown import unknown_generations, unknown_siblings, unknown_words
from chipwise.domain.model import Domain
from chipwise.domain.phrasebook import Mention
from chipwise.errors import QuestionInvalid
from chipwise.text import blanked, content_words, one_line
from chipwise.values import dataclass

MAX_WORDS = 400  # a longer text is a document: `check` and `add` take those


@dataclass(frozen=True, slots=True)
class Question:
    """A question understood.

    `subjects` holds one tuple of entity ids for each thing that it names, several
    ids where the name is ambiguous. `free_words` are its content words outside of
    any name that the domain knows; `names` those of them that look like names
    all the same (a digit, or a capital inside the sentence), lower-case, and
    `years` the years that it names; `generations` are numbered names of a line that no
    chip of it has ("Gaudi 7"), `siblings` those of a series ("RTX 6090"). `parts` are
    the metrics of each of several things asked for. `unit` is what it wants counted or measured in
    ("how many chips", "in watts"). A ranking is of the products of all `makers`, or of those named.
    `wants_verdict` is true where yes or no answers it. What is asked begins at `since`, what stands before it was said before.
    """

    text: str
    kind: Kind
    subjects: tuple[tuple[str, ...], ...]
    metrics: tuple[str, ...]
    terms: tuple[str, ...]
    words: tuple[str, ...]
    free_words: tuple[str, ...]
    names: tuple[str, ...]
    generations: tuple[str, ...]
    siblings: tuple[str, ...]
    parts: tuple[tuple[str, ...], ...]
    years: tuple[str, ...]
    unit: str
    wants_opinion: bool
    wants_ranking: bool
    wants_verdict: bool
    makers: tuple[str, ...] = ()
    since: int = 0

    def naming(self, strange: tuple[str, ...]) -> Question:
        """With words that stand nowhere taken for names, where a metric of nothing known is asked for: "memory of a Zyxel"."""
        looked_up = self.metrics and not self.subjects and not self.terms and self.kind in (Kind.LOOKUP, Kind.OPEN)
        return replace(self, names=tuple(dict.fromkeys((*self.names, *strange)))) if looked_up else self


_MEANS = re.compile(r"^what (?:does|do|did|is|are)\b.*\b(mean|meant)(?: by (?:it|that))?\W*$", re.I)
_ANY_CHIP = re.compile(r"\b(?:chips?|processors?)\b", re.I)
# "the largest GPU on AWS" asks for what is rented there
_PLACED = re.compile(r"\b(?:on|at|in|via|through|using) (?:the )?$", re.I)
_ALL_CHIPS = "accelerator"  # the line above all others


def check(text: str) -> str:
    """`text` on one line, fit for display. Raises QuestionInvalid when there is nothing to ask, or far too much."""
    asked = one_line(text)
    count = len(asked.split())
    if not any(c.isalnum() for c in asked):
        raise QuestionInvalid("the question is empty", hint='ask one, such as chipwise ask "What is MFU?"')
    if count > MAX_WORDS:
        raise QuestionInvalid(
            f"the question has {count:,} words, more than {MAX_WORDS}",
            hint="ask one thing at a time; `chipwise add` takes documents",
        )
    return asked


def understand(text: str, domain: Domain) -> Question:
    """The question in `text`. Raises QuestionInvalid as `check` does."""
    asked = check(text)
    stated = find_statement(asked)
    asked = stated or asked
    entities, term_mentions = domain.find_entities(asked), domain.find_terms(asked)
    # "does it do BF16" asks for no figure, "the H100 in BF16" does
    states = bool(stated or YES_NO.search(asked))
    metric_mentions = metrics_asked(domain, asked, entities, states=states and not SETS_APART.search(asked))
    means = _MEANS.search(asked)  # "what does NVL72 mean" asks for no mean power
    metric_mentions = [m for m in metric_mentions if means is None or m.end <= means.start(1)]
    subjects = _subjects(domain, entities, asked)
    forms = forms_compared(domain, asked, subjects)
    if forms:
        subjects = tuple((i,) for i in forms)
        metric_mentions = [m for m in metric_mentions if not is_form(domain, asked, m)]
    metrics = by_their_words(domain, asked, _unique_ids(metric_mentions))
    if subjects and all(len(ids) == 1 for ids in subjects):
        meant = dict.fromkeys(domain.metric_of(m, i) for (i,) in subjects for m in metrics)
        # "power" is a chip's or a machine's: of chips what each has
        metrics = tuple(m for m in meant if not any(domain.metrics[o].of_machines == m for o in meant))
    ranked = RANKED.search(asked) if metrics and not states else None
    which = RANKING_WANTED.search(asked) or ranked
    wants_ranking = bool(which or (metrics and RANKS.search(asked) and not states))
    makers = makers_in(asked, domain) if wants_ranking else []
    if which:  # of "which Trainium" one of the line is asked for, and not the first chip that went by its name
        lines = (tuple(i for i in ids if domain.kind(i) == "line") for ids in subjects)
        subjects = tuple(line or ids for line, ids in zip(lines, subjects, strict=True))
    any_chip = (which and makers) or _ANY_CHIP.search(asked) or _is_bare(domain, asked, metric_mentions, term_mentions)
    if wants_ranking and metrics and not subjects and any_chip and _ALL_CHIPS in domain.entities:
        subjects = ((_ALL_CHIPS,),)
    named = [*entities, *metric_mentions, *term_mentions, *makers]
    unsaid = [m.span() for m in AT_PRESENT.finditer(asked)] + ([ranked.span()] if ranked else [])
    bare = blanked(asked, unsaid)
    unit = unit_asked(domain, asked)
    kind = kind_of(asked, subjects, metrics, unit)
    if stated and kind is not Kind.COMPARISON:
        kind = Kind.YES_NO
    if defines(asked, [m for m in named if _is_notion(domain, m)]):
        kind = Kind.DEFINITION
    return Question(
        text=asked,
        kind=kind,
        subjects=subjects,
        metrics=metrics,
        terms=_unique_ids(term_mentions),
        words=tuple(content_words(asked)),
        free_words=tuple(content_words(blanked(bare, ((m.start, m.end) for m in named)))),
        names=unknown_words(domain, asked, named),
        generations=unknown_generations(domain, asked, entities),
        siblings=unknown_siblings(domain, asked, named),
        parts=tuple(_unique_ids(list(part)) for part in joined(bare, metric_mentions)),
        years=tuple(dict.fromkeys(YEAR.findall(asked))),
        unit=unit,
        wants_opinion=bool(OPINION_WANTED.search(asked)),
        wants_ranking=wants_ranking and _only_lines(domain, subjects),
        makers=_unique_ids(makers),
        wants_verdict=states,
    )


def understand_last(text: str, begin: int, domain: Domain) -> Question:
    """The question that begins at `begin`, about what was said before it where it names nothing itself. Raises QuestionInvalid."""
    text = text.rstrip()
    question = understand(text[begin:], domain)
    if not begin or question.text != text[begin:]:
        return question
    subjects = question.subjects or understand(text[:begin], domain).subjects
    return replace(question, text=text, subjects=subjects, since=begin)


def makers_in(asked: str, domain: Domain) -> list[Mention]:
    """The makers whose products a question is about: neither the AWS of "on AWS" nor the Google of "Google Cloud"."""
    clouds = [(m.start, m.end) for m in domain.find_terms(asked) if domain.terms[m.ids[0]].kind == "cloud"]

    def is_cloud(m: Mention) -> bool:
        around = next(((s, e) for s, e in clouds if s <= m.start and m.end <= e), None)
        return around is not None and (around[1] > m.end or _PLACED.search(asked[: m.start]) is not None)

    return [m for m in domain.find_makers(asked) if not is_cloud(m)]


def _is_bare(domain: Domain, asked: str, metrics: list[Mention], terms: list[Mention]) -> bool:
    """True for the most or the least of what chips are specified with, and no word on whose."""
    specified = bool(metrics) and all(domain.metrics[i].nature == "specified" for m in metrics for i in m.ids)
    others = any(not any(m.start < t.end and t.start < m.end for m in metrics) for t in terms)
    return specified and not others and BARE_SUPERLATIVE.search(asked) is not None


def _only_lines(domain: Domain, subjects: tuple[tuple[str, ...], ...]) -> bool:
    """True when the question names product lines or families alone, so that every chip of theirs would have to be ranked."""
    return bool(subjects) and all(domain.is_many(i) for ids in subjects for i in ids)


def _is_notion(domain: Domain, mention: Mention) -> bool:
    """True for what can be defined: a term, a metric, pods as such; a chip, or one system, is looked up."""
    return not any(domain.is_chip(i) or domain.holds_several(i) for i in mention.ids)


def _unique_ids(mentions: list[Mention]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(i for mention in mentions for i in mention.ids))


def _subjects(domain: Domain, mentions: list[Mention], asked: str) -> tuple[tuple[str, ...], ...]:
    """What the question names, most specific only: "GPU" says nothing beside "H100 GPU"; "B200 vs GB200" are two chips.

    The CPUs of "how many CPUs are in a DGX B200" are what it asks of the machine.
    """
    counted = [m for m in mentions if COUNTED_BEFORE.search(asked[: m.start]) and all(map(domain.is_many, m.ids))]
    rest = [m for m in mentions if m not in counted]
    in_machine = bool(rest) and all(domain.holds_several(i) for m in rest for i in m.ids)
    named = list(dict.fromkeys(m.ids for m in (rest if in_machine else mentions)))
    above = {a for ids in named for i in ids for a in domain.ancestors(i)[1:]}
    if SETS_APART.search(asked):
        above = {a for a in above if domain.is_many(a)}
    return tuple(ids for ids in named if not all(i in above for i in ids))
