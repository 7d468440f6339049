"""Words that open what is behind them where they stand: citations in an answer, the figures of a draft. No script is needed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from chipwise.reporting.findings import Name, quote
from chipwise.reporting.markup import Child, Element, el
from chipwise.text import one_line
from chipwise.types import Evidence

if TYPE_CHECKING:
    from chipwise.audit.model import Judgement
    from chipwise.claims.model import Citation


def opening(words: str, inside: Iterable[Child], class_: str) -> Element:
    """Words that open what is behind them."""
    return el("details", el("summary", words), el("div", inside, class_="inside"), class_=class_)


def sentence(text: str) -> str:
    """Words with a capital letter and a period."""
    text = one_line(text)
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "?", "!")) or not text else ".")


def with_citations(text: str, cited: Mapping[str, Sequence[Child]]) -> Iterator[Child]:
    """A text whose numbers in brackets open what they cite."""
    first, *parts = text.split("[")
    yield first
    for part in parts:
        number, _, rest = part.partition("]")
        known = number in cited
        yield opening(number, cited[number], "cite") if known else "["
        yield rest if known else part


def sourced(told: str, citation: Citation) -> Iterator[Element]:
    """The quote that a fact rests on, what it is told of, and whose it is."""
    yield el("blockquote", el("p", citation.quote))
    by = (told, citation.publisher, citation.title, citation.published)
    yield el("p", one_line(", ".join(filter(None, by))), class_="soft small")


def with_readings(text: str, judgements: Iterable[Judgement], name: Name) -> Iterator[Child]:
    """A checked text with its figures marked; each opens how it was read, and what speaks for or against it."""
    at = 0
    for judgement in sorted(judgements, key=lambda j: _span(j.claim)):
        start, end = _span(judgement.claim)
        if start < at:
            continue  # two readings of one figure: the first stands
        standing = judgement.standing.value
        inside = [el("p", el("strong", f"{standing}: "), judgement.reading), el("p", sentence(judgement.because))]
        inside += [quote(evidence, name(evidence)) for evidence in judgement.against]
        yield text[at:start]
        yield opening(text[start:end], inside, f"figure {standing.partition(' ')[0]}")
        at = end
    yield text[at:]


def _span(evidence: Evidence) -> tuple[int, int]:
    first, last = evidence.mark or (0, len(evidence.quote))
    return evidence.start + first, evidence.start + last
