"""`check`: each claim of a document that is not kept, judged against the knowledge base."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Sequence
from dataclasses import replace
from pathlib import Path

from chipwise.audit.auditing import audit_book, book_beside, book_of
from chipwise.audit.book import Book
from chipwise.audit.checks.against import assess
from chipwise.audit.model import Audit, Judgement
from chipwise.audit.submitted import read_submitted
from chipwise.audit.writer import figure, name, place
from chipwise.claims.leftover import why_left
from chipwise.claims.model import Modality
from chipwise.figures.judge import UNLABELLED, Assessment, Standing, judge
from chipwise.figures.relate import DIFFERS
from chipwise.figures.statement import Statement
from chipwise.knowledge import KnowledgeFolder
from chipwise.opening import opened
from chipwise.text import counted
from chipwise.types import Evidence, Finding

_SHOWN = 3  # quotes for or against a claim
_ARITHMETIC, _PEAK = "CW4", "CW207"
# verdicts that a figure which is right as it stands need not be told
_PAIRED = ("spread", "explained", "unresolved", "lineage")


def run_check(
    base: KnowledgeFolder,
    file: Path | None,
    text: str | None,
    *,
    lines: Collection[int] | None = None,
    against: Sequence[Path] = (),
) -> Audit:
    """The judgement on every claim of `file`, or of `text` where there is none, and the findings that touch it.

    With `lines`, only what stands on those. With result files `against` which it is checked, they are the only other
    sources. Raises SourceUnreadable. Nothing of the document is stored.
    """
    submitted = read_submitted(file, text)
    with opened(base) as index:
        placed = submitted.placed()
        if against:
            results = [read_submitted(path, None).placed().document for path in against]
            book = book_of([placed.document, *results], index.domain)
            book = replace(book, checked=placed.source, results=frozenset(r.info.id for r in results))
        else:
            book = book_beside(index, placed.document)
        audit = audit_book(book)
        own = [_own_first(f, book.checked) for f in audit.findings if any(e.source == book.checked for e in f.evidence)]
        checked = [s for s in book.said if s.claim.source == book.checked]
        alike: dict[Hashable, list[Statement]] = {}
        for s in checked:
            alike.setdefault(_content(s), []).append(s)
        stands = {said: _judge(book, statements, own) for said, statements in alike.items()}
        told = [(replace(stands[_content(s)], claim=book.find_evidence(s)), s) for s in checked]
        wrong = {_place(j.claim) for j, _ in told if j.standing is not Standing.SUPPORTED}
        right = {_place(j.claim) for j, _ in told} - wrong
        findings = _one_for_a_cause(book.checked, own, lambda e: _place(e) in right)
        told += [(_leave(book, s), s) for s in book.left]
        told.sort(key=lambda pair: pair[1].claim.value_start)
    judgements = tuple(judgement for judgement, _ in told)
    claims = sum(j.is_claim for j in judgements)
    return placed.settled(replace(audit, findings=findings, sources=1, claims=claims, judgements=judgements), lines)


def _own_first(finding: Finding, source: str) -> Finding:
    """A finding with the quotes of `source` first: where a review tool shows it is the file that was checked."""
    return replace(finding, evidence=tuple(sorted(finding.evidence, key=lambda e: e.source != source)))


def _one_for_a_cause(
    source: str, findings: Sequence[Finding], is_right: Callable[[Evidence], bool]
) -> tuple[Finding, ...]:
    """The findings that are news: what contradicts first, and of one figure nothing less beside it.

    USD 113.93 at one provider beside 68.80 at another, both as the table has them, is no news.
    """
    told: list[tuple[Finding, frozenset[Hashable]]] = []
    for finding in sorted(findings, key=lambda f: f.verdict != "contradiction"):
        own = [e for e in finding.evidence if e.source == source]
        if finding.verdict in _PAIRED:
            own = [e for e in own if not is_right(e)]
        places = frozenset(map(_place, own))
        # two contradictions may be of two subjects that the words give one figure to; what is less than one is of the figure
        alike = [f for f, at in told if places <= at and finding.metric == f.metric]
        known = any(finding.verdict != "contradiction" or finding.subject == f.subject for f in alike)
        if own and not known:
            told.append((finding, places))
    kept = {id(finding) for finding, _ in told}
    return tuple(f for f in findings if id(f) in kept)


def _place(evidence: Evidence) -> Hashable:
    """Where the words stand that a quote is given for."""
    return evidence.source, evidence.start, evidence.mark


def _judge(book: Book, alike: Sequence[Statement], findings: Sequence[Finding]) -> Judgement:
    """The judgement on what `alike` say in the document; a finding on one of them is one on all."""
    s = alike[0]
    evidence, places = book.find_evidence(s), {_place(book.find_evidence(o)) for o in alike}
    denies = "" if s.claim.polarity else "not "
    reading = f"{name(book, s.claim.subject)}, {name(book, s.claim.metric)}: {denies}{figure(book, s)}"
    made = Judgement(evidence, reading, Standing.UNCHECKED, "", is_claim=bool(s.claim.subject))
    if reason := _unchecked(s):
        return replace(made, because=reason)
    beside = [o for o in book.by_key[s.key] if o.fact is None and o.claim.source != s.claim.source]
    known = [*beside, *book.facts_for(s)]
    found = assess(book, s) if book.results else judge(book.domain, s, known, book.surroundings)
    # of figures that do not come out together, one that the table has is not the wrong one
    tabled = found.standing is Standing.SUPPORTED and any(o.fact is not None for o in found.by)
    for finding in sorted(findings, key=lambda f: f.verdict != "contradiction"):
        quoted = finding.evidence[:1] if tabled and finding.code.startswith(_ARITHMETIC) else finding.evidence
        wrong = finding.verdict == "contradiction"
        if (wrong or finding.code == _PEAK) and any(_place(e) in places for e in quoted):
            against = tuple(e for e in finding.evidence if _place(e) not in places)
            because = f"{finding.code}: {finding.title if wrong else finding.explanation}"
            standing = Standing.CONTRADICTED if wrong else Standing.EXPLAINED
            return replace(made, standing=standing, because=because, against=against)
    standing = found.standing
    if standing is Standing.CONTRADICTED or found.relation.rule == UNLABELLED:
        standing = Standing.UNKNOWN  # no finding says so: the source itself tells the two apart
    first = {o.claim.source: o for o in reversed(found.by)}  # a source's other quotes stand behind those of all sources
    by = sorted(found.by, key=lambda o: first[o.claim.source] is not o)
    against = tuple(map(book.find_evidence, by[:_SHOWN]))
    because = _because(book, s, replace(found, standing=standing))
    return replace(made, standing=standing, because=because, against=against)


def _because(book: Book, s: Statement, found: Assessment) -> str:
    """Why a claim stands as it does, in a sentence."""
    if not found.by:
        related = any(o.asserted and o.claim.source != s.claim.source for o in book.by_key[s.key])
        else_ = f"the known figures for {name(book, s.claim.metric)} are for something else"
        return else_ if related else "nothing there covers it"
    other, relation = found.by[0], found.relation
    if found.standing is Standing.SUPPORTED:
        many = counted(len({o.claim.source for o in found.by}), "source")
        return f"{many}, {book.witnesses(found.by)} independent"
    if found.standing is Standing.UNCHECKED:
        return f"it does not say whether it is the peak, which is {figure(book, other)}"
    if relation.agrees:
        return "the figure is there, but not with everything that this claim says about it"
    shown, where = figure(book, other), place(book, other)
    if found.standing is Standing.EXPLAINED:
        return f"{relation.reason} ({where}: {shown})"
    so = f"so for {name(book, other.claim.subject)}" if relation.rule == DIFFERS else f"the sources have {shown}"
    return ": ".join(filter(None, (f"{so} ({where})", relation.reason)))


def _leave(book: Book, s: Statement) -> Judgement:
    """The judgement on a figure that makes no claim: none, and why."""
    written = figure(book, s)
    subject = name(book, s.claim.subject) if s.claim.subject else "no chip stated"
    why = why_left(s.claim).replace("it ", f"{written} ", 1)
    return Judgement(book.find_evidence(s), f"{subject}: {written}", Standing.UNCHECKED, why, is_claim=False)


def _unchecked(s: Statement) -> str:
    """Why a claim is not one that could be judged, or ""."""
    if s.claim.modality is Modality.HYPOTHETICAL:
        return "it is hypothetical"
    if s.claim.quantity is not None and not s.claim.polarity:
        return "it denies a figure, and denials are not judged"
    if not s.chip:
        return "the text does not say which product it is about"
    return f"not sure: {s.claim.doubt}" if s.claim.doubt else ""


def _content(s: Statement) -> Hashable:
    """What a statement says, wherever it stands."""
    c = s.claim
    said = (c.subject, c.object, c.polarity, c.baseline, s.quantity.bound, c.modality, frozenset(c.qualifiers))
    return s.key, s.low, s.high, s.count, said, _unchecked(s)
