"""Findings as a compiler shows them: code and title, each place with its excerpt and `^^^`, the arithmetic, what helps.

CW101 H200 memory capacity disagrees: 141 GB against 144 GB
  --> note.md:12:29
12 | The H200 carries 141 GB of HBM3e.
   |                  ^^^^^^
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from chipwise import Audit, Evidence, Finding
from chipwise.text import counted, one_line, plain
from chipwise_cli.annotations import at
from chipwise_cli.display import say, width, wrapped
from chipwise_cli.excerpt import CUT, excerpt
from chipwise_cli.places import is_address, marked, region
from chipwise_cli.summary import summary

if TYPE_CHECKING:
    from chipwise.results import Judgement

PLACES = 6  # that one finding shows; the other formats have them all
_CONTRADICTED = "contradicted"
QUOTE_LINES = 4  # of a quote in which nothing is marked
_COLOURS = {"high": "red", "medium": "yellow", "low": "cyan", "info": "blue"}


def show_findings(audit: Audit, *, checking: bool, everything: bool, most: int | None = None) -> None:
    """The findings that are open, an audit's confirmed ones, or all with `everything`; the numbers; what was not looked at.

    Of a check also the claims that are contradicted and in no finding, or with `everything` how each one stands.
    """
    told = ("open",) if checking else ("open", "confirmed")  # those confirmed are real contradictions
    shown = [finding for finding in audit.findings if everything or finding.status in told]
    for finding in shown[:most]:
        say("\n".join((*finding_lines(finding, audit.reasons.get(finding.fingerprint, "")), "")))
    judgements = [j for j in audit.judgements if everything or _is_news(j, audit)]
    for judgement in judgements:
        say("\n".join(_judgement_lines(judgement)))
    if judgements:
        say()
    say(click.style(summary(audit, checking=checking), bold=True))
    for note in audit.unchecked:
        say(wrapped(f"not checked: {one_line(note)}", "  ", first=""))
    for note in audit.uncompared if everything else ():
        say(wrapped(one_line(note), "  ", first=""))


def finding_lines(finding: Finding, reason: str = "") -> Iterator[str]:
    """The lines of one finding; `reason` is why it was acknowledged."""
    code = click.style(one_line(finding.code), fg=_COLOURS.get(finding.severity), bold=True)
    yield f"{code} {click.style(one_line(finding.title), bold=True)}"
    gutter = max((len(str(region(e).line)) for e in finding.evidence), default=1)
    for evidence in finding.evidence[:PLACES]:
        yield from _place_lines(evidence, gutter)
    if len(finding.evidence) > PLACES:
        more = len(finding.evidence) - PLACES
        yield f"{' ' * gutter}... and {counted(more, 'more place')}"
    for line in plain(finding.explanation).splitlines():
        indent = line[: len(line) - len(line.lstrip(" "))]
        yield wrapped(line.strip(), f"{indent}  ", first=indent) if line.strip() else ""
    known = f", {one_line(reason or finding.status)}" if finding.status != "open" else ""
    kind = one_line(f"{finding.severity} {finding.verdict}, {finding.fingerprint}")
    yield click.style(wrapped(f"= {kind}{known}", " " * (gutter + 3), first=" " * (gutter + 1)), dim=True)
    if finding.help:
        said = wrapped(one_line(finding.help), "      ", first="help: ")
        yield click.style("help:", bold=True) + said.removeprefix("help:")


def _place_lines(evidence: Evidence, gutter: int) -> Iterator[str]:
    arrow, bar = (click.style(mark, fg="blue", bold=True) for mark in ("-->", "|"))
    yield f"{' ' * gutter}{arrow} {at(evidence)}{_who(evidence)}"
    number = str(region(evidence).line).rjust(gutter)
    room = max(width() - gutter - 3, 20)
    if evidence.mark is None:
        for count, line in enumerate(_quote_lines(evidence.quote, room)):
            yield f"{' ' * gutter if count else number} {bar} {line}"
        return
    text, carets = excerpt(evidence.quote, *marked(evidence), room)
    yield f"{number} {bar} {text}".rstrip()
    yield f"{' ' * gutter} {bar} {click.style(carets, fg='red', bold=True)}"


def _quote_lines(quote: str, room: int) -> list[str]:
    """A quote in which nothing is marked, filled to at most QUOTE_LINES lines."""
    lines: list[str] = []
    rest = one_line(quote)
    while rest:
        text, _ = excerpt(rest, 0, 0, room)
        if text == rest or len(lines) == QUOTE_LINES - 1:
            return [*lines, text]
        lines.append(text.removesuffix(CUT))
        rest = rest[len(lines[-1]) :].lstrip()
    return lines


def _who(evidence: Evidence) -> str:
    """Page and role where they matter; for what is not a file here, whose it is and how `show` calls it."""
    known = [f"page {evidence.page}"] if evidence.page else []
    known += [] if evidence.role.speaks_for_the_source else [evidence.role.value]
    if is_address(evidence.origin):
        known += [evidence.publisher, evidence.published, evidence.passage or evidence.source]
    words = one_line(", ".join(filter(None, known)))
    return click.style(f" ({words})", dim=True) if words else ""


def _is_news(judgement: Judgement, audit: Audit) -> bool:
    """Whether a claim is contradicted and no finding shows its words."""
    claim = judgement.claim
    return judgement.standing.value == _CONTRADICTED and not any(
        e.source == claim.source and e.start < claim.end and claim.start < e.end
        for finding in audit.findings
        for e in finding.evidence
    )


def _judgement_lines(judgement: Judgement) -> Iterator[str]:
    bad = judgement.standing.value == _CONTRADICTED
    standing = click.style(judgement.standing.value, fg="red" if bad else None, bold=bad)
    yield f"{at(judgement.claim)}: {standing}: {one_line(judgement.reading)}"
    if judgement.because:
        yield wrapped(one_line(judgement.because), "    ")
    for evidence in judgement.against[:PLACES]:
        first, last = marked(evidence)
        mark = evidence.quote[first:last] if evidence.mark else ""
        said = f' "{one_line(mark)}"' if mark else ""
        yield f"    --> {at(evidence)}{_who(evidence)}{said}"
