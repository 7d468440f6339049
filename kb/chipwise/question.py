"""What a question asks for: about what, which metric, and what kind of answer.

    "Which has more memory, the H100 or the H200?"
        ->  comparison of nvidia-h100 and nvidia-h200 by memory_capacity
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from chipwise.domain import Domain, Mention
from chipwise.errors import QuestionInvalid
from chipwise.text import STOP_WORDS, WORD, content_words, plain

MAX_WORDS = 400  # a longer text is a document: `check` and `add` take those


class Kind(StrEnum):
    """What kind of answer a question wants."""

    LOOKUP = "lookup"
    COMPARISON = "comparison"
    DEFINITION = "definition"
    YES_NO = "yes/no"
    WHY = "why"
    ADVICE = "advice"
    LIST = "list"
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class Question:
    """A question understood.

    `subjects` holds one tuple of entity ids for each thing that it names, several
    ids where the name is ambiguous; `names` are its words that look like names
    (they hold a digit, or capitals inside the sentence), lower-case.
    """

    text: str
    kind: Kind
    subjects: tuple[tuple[str, ...], ...]
    metrics: tuple[str, ...]
    terms: tuple[str, ...]
    words: tuple[str, ...]
    names: tuple[str, ...]
    wants_number: bool


_KINDS: tuple[tuple[Kind, re.Pattern[str]], ...] = (
    (Kind.WHY, re.compile(r"^(?:why|how come|what (?:causes|makes|explains))\b", re.I)),
    (
        Kind.ADVICE,
        re.compile(
            r"\b(?:should (?:i|we|one|you|a team)|when (?:to|do i|does it make|would|is it (?:better|worth))|recommend|"
            r"better (?:for|to)|best (?:for|to|choice)|worth|suited|pick|choose)\b",
            re.I,
        ),
    ),
    (
        Kind.DEFINITION,
        re.compile(
            r"^(?:what (?:is|are) (?:an? |the )?(?:[^?]{1,60}?)(?: and (?:what|how|why) .*)?\?*$|"
            r"what does .{1,60} (?:mean|stand for)|define\b|meaning of|what is meant by|explain (?:what )?)",
            re.I,
        ),
    ),
    (Kind.YES_NO, re.compile(r"^(?:is|are|was|were|do|does|did|can|could|has|have|will|would|must|may)\b", re.I)),
    (Kind.LIST, re.compile(r"^(?:which|what) (?:\w+ ){0,3}\w+s\b|^(?:list|name)\b|^who\b", re.I)),
)
_COMPARES = re.compile(
    r"\b(?:vs\.?|versus|compare[ds]?|comparison|differ(?:s|ence|ent)?|than|more|less|faster|slower|cheaper|larger|bigger|smaller|"
    r"higher|lower|or|better|most|least|fastest|cheapest|largest|which)\b",
    re.I,
)
_NUMBER_WANTED = re.compile(
    r"\b(?:how (?:much|many|fast|big|large|long|often|expensive|hot)|what (?:percentage|share|fraction|speed|price|cost|number)|"
    r"cost|price|cheap|figures?)\b",
    re.I,
)


def check(text: str) -> str:
    """`text` on one line, fit for display. Raises QuestionInvalid when there is nothing to ask, or far too much."""
    asked = " ".join(plain(text).split())
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
    entities = domain.find_entities(asked)
    metrics = _metrics(domain, asked)
    subjects = _subjects(domain, entities)
    return Question(
        text=asked,
        kind=_kind(asked, subjects, metrics),
        subjects=subjects,
        metrics=metrics,
        terms=tuple(dict.fromkeys(i for m in domain.find_terms(asked) for i in m.ids)),
        words=tuple(content_words(asked)),
        names=_names(asked),
        wants_number=bool(_NUMBER_WANTED.search(asked)) or any(domain.metrics[m].dimension not in ("text", "date") for m in metrics),
    )


def _metrics(domain: Domain, asked: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(i for mention in domain.find_metrics(asked) for i in mention.ids))


def _subjects(domain: Domain, mentions: list[Mention]) -> tuple[tuple[str, ...], ...]:
    """What the question names, most specific only: "GPU" says nothing beside "H100 GPU"."""
    named = list(dict.fromkeys(m.ids for m in mentions))
    above = {a for ids in named for i in ids for a in domain.ancestors(i)[1:]}
    return tuple(ids for ids in named if not all(i in above for i in ids))


def _kind(asked: str, subjects: tuple[tuple[str, ...], ...], metrics: tuple[str, ...]) -> Kind:
    matched = next((kind for kind, pattern in _KINDS if pattern.search(asked)), Kind.OPEN)
    if matched in (Kind.WHY, Kind.ADVICE):
        return matched
    if len(subjects) > 1 and _COMPARES.search(asked):
        return Kind.COMPARISON
    if matched is Kind.YES_NO:
        return matched
    if metrics and subjects:
        return Kind.LOOKUP
    return matched


def _names(asked: str) -> tuple[str, ...]:
    found = []
    for number, match in enumerate(WORD.finditer(asked)):
        word = match.group()
        has_digit = any(c.isdigit() for c in word) and not word.isdigit()
        capital = number > 0 and any(c.isupper() for c in word)
        if (has_digit or capital) and word.lower() not in STOP_WORDS:
            found.append(word.lower())
    return tuple(dict.fromkeys(found))
