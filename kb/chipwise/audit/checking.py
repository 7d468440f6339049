"""`check`: each claim of a document that is not kept, judged against the knowledge base."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Sequence
from dataclasses import replace
from pathlib import Path

from chipwise.audit.agreeing import exceeds
from chipwise.audit.auditing import audit_book, casebook_beside
from chipwise.audit.casebook import Casebook, Statement
from chipwise.audit.comparing import CALLED, DIFFERS, gap, relate
from chipwise.audit.differing import is_wider
from chipwise.audit.drafting import figure, name, place
from chipwise.audit.model import Audit, Judgement, Standing
from chipwise.audit.peaks import peak_above
from chipwise.audit.scopes import AMBIGUOUS
from chipwise.audit.sifting import place_in, sifted, touching
from chipwise.audit.submitted import read_submitted
from chipwise.audit.unlabelled import CODE as UNLABELLED
from chipwise.audit.values import is_just_below
from chipwise.audit.verdicts import Relation, Verdict
from chipwise.claims.leftover import why_left
from chipwise.claims.model import Modality
from chipwise.domain.catalogue import PARTS
from chipwise.knowledge import KnowledgeFolder
from chipwise.opening import opened
from chipwise.text import counted
from chipwise.types import Evidence, Finding

Stands = tuple[Standing, str, Sequence[Evidence]]
"""How the knowledge base stands to a claim, why, and whose quotes say so."""
_SHOWN = 3  # quotes for or against a claim
_STANDINGS = (  # the first that some statement of the knowledge base gives a claim; by its verdicts, the best to quote first
    ((Verdict.SAME, Verdict.COMPATIBLE), Standing.SUPPORTED),
    ((Verdict.EXPLAINED, Verdict.SPREAD), Standing.EXPLAINED),
)


def run_check(
    base: KnowledgeFolder,
    file: Path | None,
    text: str | None,
    *,
    lines: Collection[int] | None = None,
) -> Audit:
    """The judgement on every claim of `file`, or of `text` where there is none, and the findings that touch it.

    With `lines`, only what stands on those. Raises SourceUnreadable. Nothing of the document is stored.
    """
    submitted = read_submitted(file, text)
    with opened(base) as index:
        placed = submitted.placed()
        source = placed.source
        near = _near(casebook_beside(index, placed.document), source)
        audit = audit_book(near, source=source)
        findings = touching(source, audit.findings)
        checked = [s for s in near.said if s.claim.source == source and s.claim.metric != AMBIGUOUS]
        alike: dict[Hashable, list[Statement]] = {}
        for s in checked:
            alike.setdefault(_content(s), []).append(s)
        stands = {said: _standing(near, alike[said][0], alike[said], findings) for said in alike}
        told = [(_judge(near, s, stands[_content(s)]), s) for s in checked]
        right = {place_in(j.claim): True for j, _ in told}
        for j, _ in told:
            right[place_in(j.claim)] &= j.standing is Standing.SUPPORTED
        findings = sifted(source, findings, lambda e: right.get(place_in(e), False))
        told += [(_leave(near, s), s) for s in near.left]
        told.sort(key=lambda pair: pair[1].claim.value_start)
    judgements = tuple(judgement for judgement, _ in told)
    audit = replace(
        audit, findings=findings, sources=1, claims=sum(j.is_claim for j in judgements), judgements=judgements
    )
    return placed.settled(audit, lines)


def _near(book: Casebook, source: str) -> Casebook:
    """The casebook with what `source` says first: a disagreement is told once, by the first pair that has it."""
    kept = sorted(book.statements, key=lambda s: s.claim.source != source)
    return replace(book, statements=kept, passages_of=lambda s: book.passages_of(s) if s == source else ())


def _judge(book: Casebook, s: Statement, stands: Stands) -> Judgement:
    evidence = book.find_evidence(s)
    standing, because, against = stands
    reading = f"{name(book, s.claim.subject)}, {name(book, s.claim.metric)}: {'' if s.claim.polarity else 'not '}{figure(book, s)}"
    return Judgement(evidence, reading, standing, because, tuple(against), is_claim=bool(s.claim.subject))


def _leave(book: Casebook, s: Statement) -> Judgement:
    """The judgement on a figure that makes no claim: none, and why."""
    evidence = book.find_evidence(s)
    written = figure(book, s)
    why = why_left(s.claim).replace("it ", f"{written} ", 1)
    subject = name(book, s.claim.subject) if s.claim.subject else "no chip stated"
    return Judgement(evidence, f"{subject}: {written}", Standing.UNCHECKED, why, is_claim=False)


def _standing(book: Casebook, s: Statement, alike: Sequence[Statement], findings: Sequence[Finding]) -> Stands:
    """Of a claim that `alike` make in the document, `s` the first of them."""
    if reason := _unchecked(s):
        return Standing.UNCHECKED, reason, ()
    # a finding quotes one place of the document: what stands there stands wherever the document says it again
    places = {place_in(book.find_evidence(o)) for o in alike}
    others = [o for o in book.statements if o.key == s.key and o.asserted and o.claim.source != s.claim.source]
    related = [(o, relate(book.domain, s, o)) for o in others]
    tabled = any(
        o.fact is not None and r.verdict is Verdict.SAME and _counts(book, Standing.SUPPORTED, s, o, r)
        for o, r in related
    )
    for finding in findings:
        # of figures that do not come out together, one that the table has is not the wrong one
        quoted = finding.evidence[:1] if tabled and finding.code.startswith(_ARITHMETIC) else finding.evidence
        if finding.verdict == "contradiction" and any(place_in(e) in places for e in quoted):
            against = [e for e in finding.evidence if place_in(e) not in places]
            return Standing.CONTRADICTED, f"{finding.code}: {finding.title}", against
    for finding in findings:
        if finding.code == UNLABELLED and any(place_in(e) in places for e in finding.evidence):
            others_quoted = [e for e in finding.evidence if place_in(e) not in places]
            return Standing.EXPLAINED, f"{finding.code}: {finding.explanation}", others_quoted
    for verdicts, standing in _STANDINGS:
        found = [(o, r) for o, r in related if r.verdict in verdicts and _counts(book, standing, s, o, r)]
        if found:
            found.sort(key=lambda pair: verdicts.index(pair[1].verdict))
            return standing, _because(book, standing, found), [book.find_evidence(o) for o, _ in found[:_SHOWN]]
    beside = _beside_the_table(book, s)
    if beside is not None:
        return beside
    return Standing.UNKNOWN, *_nearest(book, s, related)


def _nearest(
    book: Casebook, s: Statement, related: Sequence[tuple[Statement, Relation]]
) -> tuple[str, Sequence[Evidence]]:
    """Why nothing there settles a claim, and what comes closest to it: of the facts first."""
    if any(r.verdict in _AGREE for _, r in related):
        return "the figure stands there, but not under all that this claim says of it", ()
    left_open = [(o, r) for o, r in related if r.verdict is Verdict.UNRESOLVED and r.reason]
    if left_open:
        other, relation = min(left_open, key=lambda pair: (pair[0].fact is None, gap(s, pair[0])))
        there = f"{figure(book, other)} stands there ({place(book, other)}): {relation.reason}"
        return there, (book.find_evidence(other),)
    what = f"what there is on {name(book, s.claim.metric)} is of something else"
    return what if related else "nothing there speaks of it", ()


def _beside_the_table(book: Casebook, s: Statement) -> Stands | None:
    """How a figure stands to the peak of its format."""
    above = peak_above(book, s)
    if above is not None:
        why = f"it does not say whether it is the peak: {figure(book, above)} is"
        return Standing.UNCHECKED, why, (book.find_evidence(above),)
    return None


def _counts(book: Casebook, standing: Standing, s: Statement, other: Statement, relation: Relation) -> bool:
    """True when `other` carries a standing: what supports a claim says all that the claim says, and no less.

    "989 or 1,979 TFLOPS, the first dense" does not support "1,979 TFLOPS dense", "up to
    700 W" not "350 W", and "runs JAX" not "runs only JAX".
    """
    if standing is Standing.EXPLAINED:
        known = _is_known_as_it_is(book, s, relation) or _is_of_no_such_chip(book, s, other, relation)
        return relation.rule == CALLED or (relation.rule != DIFFERS and not known)
    a, b = s.claim, other.claim
    stated = all(b.qualifier(axis) == value for axis, value in a.qualifiers if axis in _BINDING)
    stated = stated and _is_of_its_kind(book, s) and _is_of_its_day(s, other)
    bound = a.quantity is None or b.quantity is None or b.quantity.bound in ("exact", "about", a.quantity.bound)
    about = a.subject == b.subject or a.subject in book.domain.ancestors(b.subject)
    wide = is_wider(a.object, b.object)  # "uses HBM" does not support "uses HBM3e"
    # a price that does not say of how many chips it is has no support in that of eight
    scope = a.qualifier("aggregation")
    whole = scope not in ("", "chip", *PARTS)  # what a node has one chip has not
    as_many = s.count == other.count is not None or (s.count is None and other.count in (None, 1) and not whole)
    as_many = as_many or (whole and s.count is None and b.qualifier("aggregation") == scope)
    as_many = as_many and (scope not in PARTS or b.qualifier("aggregation") == scope)  # a die has not what the chip has
    metric = book.domain.metrics.get(a.metric)
    reached = metric is None or not exceeds(metric, s, other) or is_just_below(book, s, other)
    return stated and bound and reached and about and wide and as_many


def _is_of_its_kind(book: Casebook, s: Statement) -> bool:
    """False for "216 GB of HBM3" where the table has HBM3e alone: the number is right, and what is said of it is not."""
    stated = [(axis, value) for axis, value in s.claim.qualifiers if axis in book.domain.relations]
    known = {axis: [f.claim.object for f in book.facts.get((s.chip, axis), ()) if f.asserted] for axis, _ in stated}
    fits = ((known[axis], value) for axis, value in stated if known[axis])
    return all(any(is_wider(value, o) or is_wider(o, value) for o in objects) for objects, value in fits)


def _is_known_as_it_is(book: Casebook, s: Statement, relation: Relation) -> bool:
    """True where there are figures of the format that `s` states: what another format has explains nothing of it."""
    stated = [(axis, s.claim.qualifier(axis)) for axis in relation.axes if s.claim.qualifier(axis)]
    return any(f.claim.qualifier(axis) == value for f in book.facts.get(s.key, ()) for axis, value in stated)


def _is_of_no_such_chip(book: Casebook, s: Statement, other: Statement, relation: Relation) -> bool:
    """True where neither states what would explain the gap, and the table knows the chip without it: a TPU's 2:4 sparsity."""
    rule = book.domain.explanations.get(relation.rule)
    if rule is None or not rule.more:
        return False
    facts = [f.claim.qualifier(rule.axis) for f in book.facts.get(s.key, ())]
    stated = (s.claim.qualifier(rule.axis), other.claim.qualifier(rule.axis))
    return bool(facts) and rule.more not in (*facts, *stated)


_ARITHMETIC = "CW4"
_AGREE = (Verdict.SAME, Verdict.COMPATIBLE)
_BINDING = ("dtype", "sparsity", "direction", "exclusive", "price_terms", "provider", "region", "capacity")


def _is_of_its_day(s: Statement, other: Statement) -> bool:
    """False for the price of another month than the one that the text states."""
    day, known = (
        s.claim.qualifier("as_of"),
        other.fact.as_of if other.fact is not None else other.claim.qualifier("as_of"),
    )
    return not day or (bool(known) and (known.startswith(day) or day.startswith(known)))


def _unchecked(s: Statement) -> str:
    """Why a claim is not one that could be judged, or ""."""
    if s.claim.modality is Modality.HYPOTHETICAL:
        return "it is put as a supposition"
    if s.claim.quantity is not None and not s.claim.polarity:
        return "it denies a figure, and denials of figures are not judged"
    if not s.chip:
        return "the text does not say of what"
    return f"not sure: {s.claim.doubt}" if s.claim.doubt else ""


def _because(book: Casebook, standing: Standing, found: Sequence[tuple[Statement, Relation]]) -> str:
    statements = [o for o, _ in found]
    if standing is Standing.SUPPORTED:
        sources = len({o.claim.source for o in statements})
        return f"{counted(sources, 'source')}, {book.witnesses(statements)} independent"
    other, relation = found[0]
    return f"{relation.reason} ({place(book, other)}: {figure(book, other)})"


def _content(s: Statement) -> Hashable:
    """What a statement says, wherever it stands."""
    c = s.claim
    bound = c.quantity.bound if c.quantity is not None else ""
    said = (c.subject, c.object, c.polarity, c.baseline, bound, c.modality, frozenset(c.qualifiers))
    return s.key, s.low, s.high, s.count, said, _unchecked(s)
