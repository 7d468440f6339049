"""Findings as a compiler shows them: code and title, each place with its excerpt and `^^^`, the arithmetic, what helps.

CW101 H200 memory capacity disagrees: 141 GB against 144 GB
  --> note.md:12:29
12 | The H200 carries 141 GB of HBM3e.
   |                  ^^^^^^

And an audit in numbers: what every form of output begins or ends with.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import click

from chipwise import Audit, Evidence, Finding
from chipwise.text import counted, one_line, plain
from chipwise_cli.display import say, width, wrapped
from chipwise_cli.places import CUT, at, excerpt, is_address, marked, region

if TYPE_CHECKING:
    from chipwise.results import Judgement

PLACES = 6  # that one finding shows; the other formats have them all
_CONTRADICTED = "contradicted"
QUOTE_LINES = 4  # of a quote in which nothing is marked
_COLOURS = {"high": "red", "medium": "yellow", "low": "cyan", "info": "blue"}
SEVERITIES = ("high", "medium", "low", "info")  # worst first
STATUSES = ("confirmed", "explained", "accepted")  # of a finding that was looked at
_CALLED = {"baseline": "in the baseline"}
_STANDINGS = ("supported", "contradicted", "explained difference", "not in the knowledge base", "not checked")
# verdicts, worst first: one of them, several of them
VERDICTS = {
    "contradiction": ("contradiction", "contradictions"),
    "scope": ("mixed scope", "mixed scopes"),
    "drift": ("drifted statement", "drifted statements"),
    "unresolved": ("unresolved", "unresolved"),
    "spread": ("spread", "spreads"),
    "lineage": ("shared origin", "shared origins"),
    "explained": ("explained difference", "explained differences"),
    "compatible": ("compatible pair", "compatible pairs"),
    "same": ("pair in agreement", "pairs in agreement"),
}


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


def summary(audit: Audit, *, checking: bool) -> str:
    """ "3 contradictions, 2 spreads in 12 sources: 841 claims, 312 pairs compared; 5 acknowledged: 5 confirmed"; a check's, by its claims."""
    if checking:
        return check_summary(audit)
    looked_at = f"{counted(audit.claims, 'claim')}, {counted(audit.pairs, 'pair')} compared"
    counts = verdict_counts(audit)
    return f"{counts[:1].upper()}{counts[1:]} in {counted(audit.sources, 'source')}: {looked_at}{_acknowledged(audit)}"


def check_summary(audit: Audit) -> str:
    """ "27 claims: 25 supported, 2 contradicted; 2 contradictions, 1 spread; 1 acknowledged: 1 accepted; 3 numbers skipped (...)"."""
    made = [judgement for judgement in audit.judgements if judgement.is_claim]
    counts = Counter(judgement.standing.value for judgement in made)
    nouns = ("explained difference",)
    parts = [counted(counts[s], s) if s in nouns else f"{counts[s]:,} {s}" for s in _STANDINGS if counts[s]]
    claims, left = counted(len(made), "claim"), len(audit.judgements) - len(made)
    what = "not a claim" if left == 1 else "not claims"
    skipped = f"; {counted(left, 'number')} skipped ({what} about hardware)" if left else ""
    found = f"; {verdict_counts(audit)}" if any(f.status == "open" for f in audit.findings) else ""
    return f"{claims}{': ' if parts else ''}{', '.join(parts)}{found}{_acknowledged(audit)}{skipped}"


def verdict_counts(audit: Audit) -> str:
    """ "3 contradictions, 2 spreads" of those that are open; "no open contradictions" where the register has some."""
    counts = Counter(finding.verdict for finding in audit.findings if finding.status == "open")
    names = {**VERDICTS, **{other: (other, other) for other in counts if other not in VERDICTS}}
    parts = [f"{counts[v]:,} {names[v][counts[v] != 1]}" for v in names if counts[v]]
    known = any(finding.verdict == "contradiction" for finding in acknowledged(audit.findings))
    none = "no open contradictions" if known else "no contradictions"
    return ", ".join(parts if counts["contradiction"] else [none, *parts])


def acknowledged(findings: Iterable[Finding]) -> list[Finding]:
    """Select the findings that the register has."""
    return [finding for finding in findings if finding.status != "open"]


def _acknowledged(audit: Audit) -> str:
    known = acknowledged(audit.findings)
    counts = Counter(finding.status for finding in known)
    ways = [f"{counts[s]:,} {_CALLED.get(s, s)}" for s in dict.fromkeys((*STATUSES, *counts)) if counts[s]]
    return f"; {len(known):,} acknowledged: {', '.join(ways)}" if known else ""
