"""What somebody typed as it is read: on one line, and what is typed in a hurry written out."""

from __future__ import annotations

from chipwise import patterns as re
from chipwise.answering.naming import in_full
from chipwise.domain.model import Domain
from chipwise.errors import QuestionInvalid
from chipwise.text import one_line

MAX_WORDS = 400  # a longer text is a document: `check` and `add` take those
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
    text = in_full(in_words(asked), domain)
    # "160G" is memory, and a rate in "100G Ethernet"
    if _GIGABYTES.search(text) and all("network_bandwidth" not in m.ids for m in domain.find_metrics(text)):
        return _GIGABYTES.sub(r"\1GB", text)
    return text


def in_words(asked: str) -> str:
    """The question with what is typed in a hurry written out: "whats", "w/", "pls"."""
    for pattern, written in _CASUAL:
        asked = pattern.sub(written, asked)
    return asked
