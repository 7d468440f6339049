"""A text as somebody typed it: shorthand written out, misspelt words mended, and taken apart into its questions.

What a follow-up leaves out is taken from the query before it.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from chipwise import patterns as re
from chipwise.answering.mentions import Slot, slots
from chipwise.answering.naming import in_full
from chipwise.answering.parse import is_about_something, parse, readings, settled
from chipwise.answering.query import Query
from chipwise.domain.model import Domain
from chipwise.index.store import Store
from chipwise.text import WORD, Span, sentences, words

_LEAST, _STEM, _LONG = 5, 4, 8  # letters of a word that is mended, of the stem of an English one, of a long word
_LAST = frozenset("sdernmy")  # letters that make another word at the end: "chips" is no slip for "chip"
_ENDINGS = frozenset("##ly ##s ##r ##er ##ers ##est ##ing ##d ##ed ##able ##ness ##ise ##n".split())
_SHORT = re.compile(r"(?<![\w.-])[A-Za-z]+\d?(?![\w-]|\s(?:of\s)?(?:19|20)\d\d)")  # but the "Q4" of "Q4 2024"
_GIGABYTES = re.compile(r"(?<![\w.,/-])(\d{2,4})[gG](?!\w|[./-]\w)")
# how one types in a hurry, and what that stands for
_CASUAL = tuple(
    (re.compile(pattern, re.I), written)
    for pattern, written in (
        (r"\b(what|how|who|where)s\b", r"\1's"),
        (r"[,\s]*\b(?:pls|plz|thx|tnx|please(?=\W*$))\b", ""),
        (r"\bw/o\b", "without"),
        (r"(?<!\S)(?-i:w/)\s?(?=[A-Za-z])", "with "),
        (r"(?<!in )(?<!at )\b(\d+(?:\.\d+)?)b\b", r"\1B"),  # a "70b" has parameters, "in 8b" has bits
        (r"(?<![\w.])(\d{1,4})[*x×](?=\d+ ?G(?:i?B)?\b)", r"\1x "),  # "8x40 GB"
    )
)
_ASKS = ("question", "refuse", "versus", "relate")
_ASK_NOTHING = ("same", "as much", "ratio", "percent", "outside")  # values of those that begin a statement as well
_LEADS = ("manners", "preamble", "and", "prepositions")  # what stands before that which asks: "so", "and", "into"


def written_out(asked: str, domain: Domain) -> str:
    """The question with what is typed in a hurry, numbers that are names and gigabytes written out: "160G"."""
    short = dict(said.split(" ", 1) for said in domain.word_group("stands for"))
    asked = _SHORT.sub(lambda m: short.get(m[0].lower(), m[0]), in_words(asked))
    text = in_full(asked, domain)
    # "160G" is memory, and a rate in "100G Ethernet"
    if _GIGABYTES.search(text) and all("network_bandwidth" not in m.ids for m in domain.find_metrics(text)):
        return _GIGABYTES.sub(r"\1GB", text)
    return text


def in_words(asked: str) -> str:
    """The question with what is typed in a hurry written out: "whats", "w/", "pls"."""
    for pattern, written in _CASUAL:
        asked = pattern.sub(written, asked)
    return asked


def mended(asked: str, store: Store, domain: Domain, tokenizer: Callable[[], Any]) -> dict[str, str]:
    """The misspelt words of a question, each with the one word of the vocabulary that is meant: "memroy" is memory.

    What stands in a document or is English is none: "naively", which the encoder parts into "naive" and "##ly", is not "natively".
    """
    typed = [w for w in WORD.findall(asked) if len(w) >= _LEAST and w.isascii() and w.isalpha() and w.islower()]
    unheard = {word for word, count in store.document_frequencies(typed).items() if not count}
    found: dict[str, str] = {}
    for word in unheard - domain.question_words if unheard else ():  # they take longer to list than a look-up
        near = [known for known in domain.question_words if known.isalpha() and _is_near(word, known)]
        if len(near) == 1:
            stem, *endings = tokenizer().encode(word, add_special_tokens=False).tokens
            found |= {} if len(stem) >= _STEM and _ENDINGS.issuperset(endings) else {word: near[0]}
    return found


def _is_near(word: str, known: str) -> bool:
    """True for one letter too many or missing before the ending, wrong in a long word, or in its neighbor's place."""
    if word[0] != known[0] or abs(len(word) - len(known)) > 1:
        return False
    begin, end = _shared(word, known), _shared(word[::-1], known[::-1])
    if len(word) != len(known):
        return begin + end >= min(len(word), len(known)) and bool(end or max(word, known, key=len)[-1] not in _LAST)
    a, b = word[begin : len(word) - end], known[begin : len(known) - end]
    return (a == b[::-1] and not a[2:]) or (not a[1:] and len(word) >= _LONG)


def _shared(a: str, b: str) -> int:
    return next((n for n, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))


@dataclass(frozen=True, slots=True)
class Asked:
    """One question of a text, at `[begin, end)`; what is said from `start` on sets its scene, and up to `until` comes after it."""

    start: int
    begin: int
    end: int
    until: int


def readings_of(text: str, parts: Sequence[Asked], domain: Domain) -> list[list[Query]]:
    """The readings of each of the `parts` of a text."""
    if len(parts) < 2:  # noqa: PLR2004
        return [_alone(text, p, domain) for p in parts]
    found: list[list[Query]] = []
    before: Query | None = None
    for part in parts:
        read = [_completed(q, before) for q in readings(text[part.start : part.end], domain)]
        read = [_moved(settled(q), text, part.start) for q in read if is_about_something(q)]
        read.sort(key=lambda q: sum(e - s for s, e in q.left))
        found.append(read)
        before = read[0] if read and not read[0].left else None  # what a query leaves over is not taken on
    return found


def _alone(text: str, part: Asked, domain: Domain) -> list[Query]:
    """The readings of the one question of a text, without what sets its scene where that leaves words over."""
    read: list[Query] = []
    for start in dict.fromkeys((part.start, part.begin)):
        scene = tuple(filter(None, (text[part.start : start].strip(" ."),)))
        queries = [_moved(q, text, start) for q in parse(text[start : part.until], domain)]
        own = [replace(q, unused=(*scene, *q.unused)) for q in (_without_aside(q, text, part) for q in queries)]
        if own and not own[0].left and (not scene or (own[0].what and own[0].of.entities)):
            return own
        read = read or own
    return read


def asked_in(text: str, domain: Domain) -> list[Asked]:
    """The questions of a text. What only sets the scene ("We serve a 405B model.") belongs to the one behind it, at the end to the one before."""
    found: list[Asked] = []
    scene: int | None = None
    for start, end in _sentences(text):
        first = start if scene is None else scene
        is_last = end == len(text.rstrip())
        if not _asks(text[start:end], domain, is_marked="?" in text) and not (
            is_last and (not found or _is_whole(text[first:end], domain))
        ):
            scene = first
            continue
        scene = None
        for a, b in _clauses(text, start, end, domain):
            begin = _begin(text, a, b, domain, has_scene=first < a == start)
            found.append(Asked(first if a == start else a, begin, b, b))
    if scene is not None:
        found[-1] = replace(found[-1], until=len(text))
    return found


def _begin(text: str, start: int, end: int, domain: Domain, *, has_scene: bool) -> int:
    """Where what is asked begins behind more of a scene: "If we rent it, how ..."."""
    if not has_scene or domain.word_group("scene").isdisjoint(words(text[start:end])[:1]):
        return start
    found = slots(text[start:end], domain)
    behind_comma = (
        b.start for a, b in itertools.pairwise(found) if "," in text[start + a.end : start + b.start] and _begins(b)
    )
    begin = start + next(behind_comma, 0)
    # what a clause names is asked about: "if we move to the H200"
    return start if domain.find_entities(text[start:begin]) else begin


def _sentences(text: str) -> Iterator[Span]:
    """Those of the text, and what goes on in small letters behind a question."""
    for start, end in sentences(text):
        cuts = [n + 1 for n in range(start, end - 1) if text[n] == "?" and text[n + 1] == " "]
        for a, b in itertools.pairwise((start, *cuts, end)):
            yield a + len(text[a:b]) - len(text[a:b].lstrip()), b


def _asks(text: str, domain: Domain, *, is_marked: bool) -> bool:
    """True for a question mark; without one for a request, or a clause that begins with a question word unless the text `is_marked` elsewhere."""
    if "?" in text:
        return True
    first = True
    found = slots(text, domain)
    for slot, behind in zip(found, (*(s.start for s in found[1:]), len(text)), strict=False):  # a text may have none
        kinds = {o.kind for o in slot.operators if o.value not in _ASK_NOTHING}
        bids = slot.start == 0 and not kinds.isdisjoint(("opener", "relate"))
        if first and (bids or not (is_marked or kinds.isdisjoint(_ASKS))):
            return True
        leads = any(o.id in _LEADS for o in slot.operators)
        first = leads or bool(text[slot.end : behind].strip())
    return False


def _is_whole(text: str, domain: Domain) -> bool:
    """True for what no question word asks and can be answered all the same: "Memory of the B200, too"."""
    read = parse(text, domain)
    return bool(read) and not read[0].left and bool(read[0].what)


def _clauses(text: str, start: int, end: int, domain: Domain) -> list[Span]:
    """A sentence in its questions: those that "and" joins, if the whole does not hold together as one query."""
    said = text[start:end]
    found = slots(said, domain)
    cuts = [
        slot.start
        for n, (before, slot) in enumerate(itertools.pairwise(found))
        if (any(o.kind == "and" for o in before.operators) or ";" in said[before.end : slot.start])
        and _begins(slot)
        and any(map(_begins, found[: n + 1]))
    ]
    parts = list(itertools.pairwise((0, *cuts, len(said))))
    if cuts and (whole := parse(said, domain)) and (whole[0].of.unknown or not whole[0].left):
        read = [next(iter(readings(said[a:b], domain)), None) for a, b in parts]
        times = {v for q in read if q is not None for a, v in q.at if a == "as_of"}
        whole_each = all(q is not None and q.what and q.of.entities and not q.left for q in read)
        if not whole_each and len(times) < 2:  # noqa: PLR2004
            parts = [(0, len(said))]
    return [(start + a, start + b) for a, b in parts]


def _begins(slot: Slot) -> bool:
    """True for what a question begins with."""
    return any(o.kind in ("question", "opener") for o in slot.operators)


def _completed(query: Query, before: Query | None) -> Query:
    """A query with the slots that it leaves empty filled from the one before."""
    if before is None:
        return query
    of, told = query.of, before.of
    has_subject = of.entities or of.unknown or of.is_open
    of = of if has_subject else replace(told, without=of.without or told.without, where=of.where or told.where)
    wants = query.what or query.order or query.asserts
    what = query.what if wants else before.what
    order = query.order if wants else before.order
    own = dict(query.at)
    at = tuple(sorted({**dict(before.at), **own}.items())) if not has_subject or not wants else query.at
    return replace(query, of=of, what=what, order=order, at=at)


def _moved(query: Query, text: str, by: int) -> Query:
    """With the places counted in the whole text."""
    return replace(query, text=text, left=tuple((s + by, e + by) for s, e in query.left))


def _without_aside(query: Query, text: str, part: Asked) -> Query:
    """What is said behind a question and no query takes is named as not used, and ends no reading: "... I checked, AWS has it for $4"."""
    left = tuple(span for span in query.left if span[0] < part.end)
    aside = text[part.end : part.until].strip(" .") if len(left) < len(query.left) else ""
    return replace(query, left=left, unused=(*query.unused, *filter(None, (aside,))))
