"""Cleans up a typed question: puts it on one line, writes out shorthand, and corrects misspelled words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from chipwise import patterns as re
from chipwise.answering.naming import in_full
from chipwise.domain.model import Domain
from chipwise.errors import QuestionInvalid
from chipwise.index.store import Store
from chipwise.text import WORD, one_line

MAX_WORDS = 400  # a longer text is a document: `check` and `add` take those
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
