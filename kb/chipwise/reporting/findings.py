"""Findings as elements: the quotes side by side with the figure marked, the arithmetic, what settles it.

A page says with `Name` how it refers to a quote's source: by an entry on the same page, or by a link.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from chipwise.reporting.markup import Child, Element, el
from chipwise.text import one_line, plain
from chipwise.types import Evidence, Finding, Role

if TYPE_CHECKING:
    from chipwise.audit.codes import Code

Name = Callable[[Evidence], Iterable[Child]]
_MARKS = {"**": "", "__": "", "`": "", "|": " · "}  # Markdown that says nothing once it is quoted
_STARTS = "-*#>· "


def finding_article(finding: Finding, code: Code | None, reason: str, name: Name) -> Element:
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
