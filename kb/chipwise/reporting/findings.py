"""Findings and quotes as elements: the quotes side by side with the figure marked, the arithmetic, what settles it.

A page says with `_Name` how it refers to a quote's source: by an entry on the same page, or by a link. Words open what is
behind them where they stand (citations in an answer, the figures of a draft); no script is needed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from chipwise.reporting.markup import Child, Element, el
from chipwise.text import one_line, plain
from chipwise.types import Evidence, Finding, Role

if TYPE_CHECKING:
    from chipwise.audit.codes import Code
    from chipwise.audit.model import Judgement
    from chipwise.claims.model import Citation

_Name = Callable[[Evidence], Iterable[Child]]
_MARKS = {"**": "", "__": "", "`": "", "|": " · "}  # Markdown that says nothing once it is quoted
_STARTS = "-*#>· "


def finding_article(finding: Finding, code: Code | None, reason: str, name: _Name) -> Element:
    """One finding, its sentence first and its code last; `reason` is what the register says of it. Its id is what links lead to."""
    known = finding.status != "open"
    told = f" {finding.verdict}, {finding.status} · " if known else f" {finding.verdict} · "
    return el(
        "article",
        el("h3", one_line(finding.title)),
        el(
            "p",
            el("span", finding.severity, class_=f"badge {finding.severity}"),
            f"{told}{finding.code} ",
            el("code", finding.fingerprint),
            class_="meta",
        ),
        el("div", (quote(e, name(e)) for e in finding.evidence), class_="sides"),
        el("pre", finding.explanation, class_="sum") if finding.explanation else None,
        el("p", el("strong", "To settle it: "), finding.help) if finding.help and not reason else None,
        el("p", el("strong", "Judged: "), reason, class_="judged") if reason else None,
        _meaning(code) if code is not None else None,
        id=anchor(finding),
        class_=f"finding {finding.severity} {'known' if known else 'open'}",
    )


def _meaning(code: Code) -> Element:
    paragraphs = (el("p", " ".join(part.split())) for part in (*code.meaning.split("\n\n"), code.settle))
    return el("details", el("summary", f"What {code.code} means: {code.title}"), paragraphs, class_="small")


def anchor(finding: Finding) -> str:
    """The id of a finding on a page."""
    return f"f-{finding.fingerprint}"


def by_line(evidence: Evidence) -> str:
    """Whose quote it is: publisher, title, date."""
    said = one_line(", ".join(filter(None, (evidence.publisher, evidence.title, evidence.published))))
    return said or evidence.source


def quote(evidence: Evidence, by: Iterable[Child]) -> Element:
    """The quote with the figure marked, `by` whom it is, and where it stands."""
    words = evidence.quote
    start, end = evidence.mark or (0, 0)
    before, figure, after = words[:start], words[start:end], words[end:]
    if evidence.role not in (Role.CODE, Role.DATA):
        before, figure, after = readable(before), readable(figure), readable(after, ends=True)
    marked = (before, el("mark", figure) if figure else None, after)
    place = f"page {evidence.page}" if evidence.page else "" if evidence.digest else f"line {evidence.line}"
    role = "" if evidence.role.speaks_for_the_source else evidence.role.value
    where = " · ".join(filter(None, (" > ".join(evidence.heading), place, role)))
    caption = el("figcaption", *by, f" · {one_line(where)}" if where else "")
    return el("figure", el("blockquote", el("p", marked)), caption)


def readable(words: str, *, ends: bool = False) -> str:
    """A quote without Markdown's marks; with `ends`, what follows a marked figure, whose first blank space counts."""
    while (middle := words.find("](")) >= 0 and (end := words.find(")", middle)) >= 0:  # a link's words stay
        start = words.rfind("[", 0, middle)
        words = words[: max(start, 0)] + words[start + 1 : middle] + words[end + 1 :]
    for mark, instead in _MARKS.items():
        words = words.replace(mark, instead)
    text = plain(words)
    return text.rstrip(" ·") if ends else text.lstrip(_STARTS)


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


def with_readings(text: str, judgements: Iterable[Judgement], name: _Name) -> Iterator[Child]:
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
