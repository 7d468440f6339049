"""Chosen sentences as what an answer tells, each cited."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from chipwise.asking.answers import Row
from chipwise.asking.candidates import Candidate, comparable, parts_from
from chipwise.asking.disagreeing import are_at_odds
from chipwise.asking.question import Question
from chipwise.asking.quoting import Cited, Told, together
from chipwise.audit.evidence import span_evidence
from chipwise.claims.model import Figure
from chipwise.domain.degrees import DOWNWARD, OPPOSITE
from chipwise.domain.model import Domain
from chipwise.index.store import Store
from chipwise.text import BULLET, one_line
from chipwise.types import Evidence, Finding, Role

# Marks that a reader of the rendered page would not see; a bare "2**10" or "> 100 GB/s" is no mark.
_ITEM = re.compile(rf"^\s*{BULLET}\s+|^#{{1,6}}\s+")
_STRONG = re.compile(r"(?<![\w*])(\*\*|__)(?=\S)(.+?)(?<=\S)\1(?![\w*])|`([^`]+)`")
_LINK = re.compile(r"!?\[([^\]]*)\]\([^)\s]*\)")
_SPEAKERS = {
    Role.COMMENT: "Only a reader comment says: ",
    Role.BOILERPLATE: "Only advertising says: ",
    Role.BIO: "Only an author's biography says: ",
    Role.CODE: "Only a listing shows: ",
}

_SET_ASIDE = "Out of date or in doubt by the facts table: "


def compose(chosen: Sequence[Candidate], store: Store) -> Told:
    """Each sentence followed by what it is cited by, with the values in them that the question asks for."""
    each = [(candidate, Cited(_evidence(candidate, store))) for candidate in chosen]
    rows = (row for candidate in chosen for row in _rows(candidate, store))
    told = together(Told((f"{_shown(candidate)} ", cited), (cited,)) for candidate, cited in each)
    return replace(told, rows=tuple(dict.fromkeys(rows)))


def _rows(candidate: Candidate, store: Store) -> Iterator[Row]:
    """The claims of a sentence that have the figures asked for."""
    passage = candidate.passage
    wanted = {(passage.start + f.quantity.start, f.subject, f.metric) for f in candidate.figures.values()}
    for claim in store.claims(source=passage.source) if wanted else ():
        if claim.quantity is not None and (claim.value_start, claim.subject, claim.metric) in wanted:
            text = one_line(passage.text[claim.value_start - passage.start : claim.value_end - passage.start])
            unit = claim.quantity.unit
            yield Row(claim.subject, claim.key, claim.quantity, unit, text, claim, claim.doubt)


def compare(question: Question, chosen: Sequence[Candidate], domain: Domain) -> str:
    """ "More memory capacity: NVIDIA H200, 141 GB [2] against 80 GB [1]. " for two things with one figure each.

    The one asked for goes first: of "which has lower TDP" the one with less. Empty unless the figures are comparable, each about the very thing asked and the
    only one of its sentence for that, and further apart than their precision.
    """
    if len(question.subjects) != 2:  # noqa: PLR2004
        return ""
    of_first, of_second = (_figure_of(question, chosen, number, domain) for number in (0, 1))
    if of_first is None or of_second is None:
        return ""
    (a, a_text, a_n), (b, b_text, b_n) = of_first, of_second
    exact = a.quantity.bound == b.quantity.bound == "exact" and not a.quantity.agrees_with(b.quantity)
    metric = domain.metrics.get(a.metric)
    if not exact or metric is None or not metric.bigger_is or {"workload", "benchmark"} & set(metric.qualifiers):
        return ""  # what depends on the workload is not compared by two sentences
    if not comparable(chosen[a_n - 1], a, chosen[b_n - 1], b, domain):
        return ""
    least = bool(DOWNWARD.search(question.text)) and metric.bigger_is in OPPOSITE
    won = int((a.quantity.low > b.quantity.high) == least)
    name = domain.entities[question.subjects[won][0]].name
    first, second = ((a_text, a_n), (b_text, b_n)) if won == 0 else ((b_text, b_n), (a_text, a_n))
    lead = f"{OPPOSITE[metric.bigger_is] if least else metric.bigger_is} {metric.name}"
    return f"{lead[0].upper()}{lead[1:]}: {name}, {first[0]} [{first[1]}] against {second[0]} [{second[1]}]. "


def differing(chosen: Sequence[Candidate], cited: Sequence[Cited], store: Store, domain: Domain) -> tuple[Finding, ...]:
    """A finding for each quote whose figure parts from the first one's, for the same metric of the same thing.

    What contradicts a quote is found elsewhere, so that the verdict is never
    "contradiction": values that part are a spread until something explains them.
    """
    stated = [(c.figure, c, one.evidence) for c, one in zip(chosen, cited, strict=True) if c.figure]
    return tuple(
        _finding(stated[0], other, domain)
        for other in stated[1:]
        if parts_from(stated[0][1], stated[0][0], other[1], other[0], domain)
        and are_at_odds(store, domain, _place(stated[0]), _place(other))
    )


def _place(stated: tuple[Figure, Candidate, Evidence]) -> tuple[str, int]:
    """The source of a figure, and where it stands in its text."""
    figure, candidate, evidence = stated
    return evidence.source, candidate.passage.start + figure.quantity.start


def _finding(a: tuple[Figure, Candidate, Evidence], b: tuple[Figure, Candidate, Evidence], domain: Domain) -> Finding:
    values = [one_line(c.passage.text[f.quantity.start : f.quantity.end]) for f, c, _ in (a, b)]
    subject, metric = domain.entities[a[0].subject].name, a[0].metric
    name = domain.metrics[metric].name if metric in domain.metrics else "figure"
    parts = sorted(f"{e.source} {f.quantity.low} {f.quantity.high} {f.quantity.unit}" for f, _, e in (a, b))
    digest = hashlib.sha256("\n".join((a[0].subject, metric, *parts)).encode()).hexdigest()
    return Finding(
        code="CW101",
        verdict="spread",
        severity="low",
        title=f"{subject} {name}: {values[0]} against {values[1]}",
        explanation="one subject, one metric, two values; edition, rounding or scope may explain it",
        evidence=(a[2], b[2]),
        fingerprint=digest[:16],
    )


def _figure_of(
    question: Question, chosen: Sequence[Candidate], number: int, domain: Domain
) -> tuple[Figure, str, int] | None:
    """The figure of the `number`-th thing asked, as it is written, with the number of its citation."""
    for n, candidate in enumerate(chosen, start=1):
        figure = candidate.figures.get(number)
        if figure is not None and any(domain.covers(asked, figure.subject) for asked in question.subjects[number]):
            if sum(f.metric == figure.metric and f.subject == figure.subject for f in candidate.sentence.figures) > 1:
                return None  # of two values neither is the one
            written = candidate.passage.text[figure.quantity.start : figure.quantity.end]
            return figure, one_line(written), n
    return None


def _evidence(candidate: Candidate, store: Store) -> Evidence:
    passage, sentence = candidate.passage, candidate.sentence
    return span_evidence(passage, store.find_source(passage.source), sentence.start, sentence.end)


def _shown(candidate: Candidate) -> str:
    """The sentence for reading: without Markdown marks, a table row with its header, and saying who speaks."""
    passage, text = candidate.passage, candidate.text
    speaker = _SET_ASIDE * candidate.set_aside + _SPEAKERS.get(passage.role, "")
    if passage.role is Role.TABLE:
        return speaker + one_line(_unmarked(_row(text, passage.context)))
    lines = [one_line(_unmarked(_ITEM.sub("", line))) for line in text.splitlines()]
    if _is_list(text):
        # a list with its lead-in is one quote of several lines, and reads as one sentence
        return speaker + lines[0] + " " + "; ".join(line.rstrip(".;,") for line in lines[1:] if line)
    return speaker + " ".join(lines)


def _unmarked(text: str) -> str:
    return _STRONG.sub(lambda match: match[2] or match[3], _LINK.sub(r"\1", text))


def _is_list(text: str) -> bool:
    lines = text.splitlines()
    return len(lines) > 1 and lines[0].rstrip().endswith(":")


def _row(row: str, header: str) -> str:
    """ "| H100 | 80 GB |" under "| GPU | Memory |" becomes "H100 (Memory: 80 GB)"."""
    if row.startswith("<"):
        from chipwise.taggedrows import barred, is_tagged  # noqa: PLC0415

        row = barred(row) if is_tagged(row) else row
    cells, names = _cells(row), _cells(header)
    if len(cells) < 2:  # noqa: PLR2004
        return f"{header}: {row}" if header else row
    if len(cells) != len(names):
        return "; ".join(filter(None, cells))
    pairs = [f"{name}: {cell}" for name, cell in zip(names[1:], cells[1:], strict=True) if cell]
    return f"{cells[0] or names[0]} ({'; '.join(pairs)})"


def _cells(row: str) -> list[str]:
    inner = row.strip().removeprefix("|").removesuffix("|")
    return [cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", inner)]
