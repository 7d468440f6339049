"""Statements of a category that cannot both hold (CW5xx): "TPUs can't run PyTorch", "PyTorch/XLA runs on TPUs"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from chipwise.audit.book import Book
from chipwise.audit.writer import draft, name, place
from chipwise.claims.model import DOUBTED, Modality
from chipwise.domain.model import Domain
from chipwise.figures.relate import is_wider
from chipwise.figures.statement import Statement
from chipwise.text import counted
from chipwise.types import Finding

ADVICE = "workload_fit"
_SHOWN = 4
_SOFTWARE = ("framework", "library")
_WEAK, _FORMAT = ("limited", "improving", "nearly"), "precision"
_PEAK, _FORMATS, _DTYPE = "peak_compute", "dtype_support", "dtype"  # the last of a peak alone


def check(book: Book) -> Iterator[Finding]:
    """Pairs of categorical statements, each disagreement once."""
    by_relation: dict[str, list[Statement]] = {}
    for s in book.statements:
        if s.claim.quantity is None and s.claim.object and _stands(s) and s.claim.metric in book.domain.relations:
            by_relation.setdefault(s.claim.metric, []).append(s)
    for relation, statements in by_relation.items():
        yield from _opposite(book, [*statements, *(_with_peaks(book) if relation == _FORMATS else ())])
        if relation != ADVICE:
            yield from _exclusive(book, statements)


def _with_peaks(book: Book) -> Iterator[Statement]:
    """That a chip has the formats of the peaks that are given for it: "fp8_tflops": 275."""
    for s in (s for source in book.audited for s in book.by_source.get(source, ()) if s.claim.metric == _PEAK):
        dtype, q = s.claim.qualifier(_DTYPE), s.claim.quantity
        if dtype in book.domain.terms and s.asserted and q is not None and q.high > 0 and not s.comparative:
            yield replace(s, claim=replace(s.claim, metric=_FORMATS, object=dtype, quantity=None))


def _stands(s: Statement) -> bool:
    """Like `asserted`, but a statement under a condition that it names ("if the disk is slow") counts too."""
    conditional = s.claim.modality is Modality.HYPOTHETICAL and bool(s.claim.qualifier("condition"))
    kept = s.fact is None or s.fact.rank != "deprecated"
    return s.asserted or (conditional and s.role.speaks_for_the_source and s.claim.attribution != DOUBTED and kept)


def _line(domain: Domain, subject: str) -> str:
    """The broadest product line that `subject` belongs to, below "accelerator": GPUs and TPUs are rivals, H100 and H200 not."""
    lines = [a for a in domain.ancestors(subject) if domain.entities[a].parent]
    return lines[-1] if lines else subject


def _opposite(book: Book, statements: Sequence[Statement]) -> Iterator[Finding]:
    by_object: dict[str, list[Statement]] = {}
    for s in statements:
        by_object.setdefault(s.claim.object, []).append(s)
    for said in by_object.values():
        affirmed = [s for s in said if s.claim.polarity]
        denied = [s for s in said if not (s.claim.polarity or _is_partly_so(book, s))]
        # what one chip lacks, its line may have all the same: "GPUs are on AWS", "the A10 is not"
        up = book.domain.ancestors
        pairs = [(yes, no) for no in denied for yes in affirmed if no.claim.subject in up(yes.claim.subject)]
        pairs = [(yes, no) for yes, no in pairs if no.fact is not None or not yes.claim.qualifier(_DTYPE)]
        # who affirms what the table does is right; it is the table that the other one denies
        borne_out = {id(no) for yes, no in pairs if yes.fact is not None}
        pairs = [(yes, no) for yes, no in pairs if yes.fact is not None or id(no) not in borne_out]
        told: set[str | int] = set()
        # what is said without a condition goes first: a condition excuses only what has it; then what is read most surely
        for yes, no in sorted(pairs, key=lambda p: (any(map(_condition, p)), -min(s.claim.confidence for s in p))):
            # each peak of a table is a figure of its own
            line = yes.claim.value_start if yes.claim.qualifier(_DTYPE) else _line(book.domain, no.claim.subject)
            held = any(_condition(s) or _until(book, s) for s in (yes, no))
            # under conditions of their own both can hold, and so can what is so for a while
            if line not in told and not (held or book.domain.relations[no.claim.metric].passing):
                told.add(line)
                yield _opposed(book, yes, no)


def _is_partly_so(book: Book, s: Statement) -> bool:
    """True for a denial that leaves something: "not on all of them", "no FP8 in PyTorch yet", "GPUs without FP8"."""
    quote, terms, many = book.find_evidence(s).quote, book.domain.terms, book.domain.is_many(s.claim.subject)
    kind = terms[s.claim.object].kind if s.claim.object in terms else _SOFTWARE[0]
    named = (i for m in book.domain.find_terms(quote) for i in m.ids) if kind not in _SOFTWARE else ()
    partly = book.domain.find_phrase("partly", quote) or (many and kind == _FORMAT)
    return bool(partly) or any(terms[i].kind in _SOFTWARE for i in named)


def _opposed(book: Book, yes: Statement, no: Statement) -> Finding:
    subject, object_ = name(book, no.claim.subject), name(book, no.claim.object)
    verb = book.domain.relations[no.claim.metric].verb
    counts = f"{place(book, yes)} says so, {place(book, no)} denies it."
    title = f"Sources disagree on whether {subject} {verb} {object_}"
    if yes.claim.qualifier(_DTYPE):
        title = f"{name(book, yes.claim.subject)} has a peak in {object_}, which {subject} lacks"
        counts = f"{place(book, yes)} gives a peak in {object_}; {place(book, no)}: it has no {object_}."
    help_ = "Check the vendor's list and its date."
    return draft(book, "CW501", "contradiction", "high", title, counts, (yes, no), help=help_)


def _until(book: Book, s: Statement) -> str:
    """The words that say that something was otherwise once: "no longer", "since release 2.26", "an earlier edition named only JAX"."""
    return book.domain.find_phrase("partly" if s.claim.polarity else "since", book.find_evidence(s).quote)


def _condition(s: Statement) -> bool:
    return any(map(s.claim.qualifier, ("condition", "scale"))) or s.claim.qualifier("degree") in _WEAK


def _exclusive(book: Book, statements: Sequence[Statement]) -> Iterator[Finding]:
    """ "Only on X" against each Y that somebody else affirms: one finding for each line and X, and one for two "only"."""
    # what one source lists together under one "only" is one set
    alone, kinds = dict[tuple[str, str], set[str]](), {i: term.kind for i, term in book.domain.terms.items()}
    for s in filter(_is_exclusive, statements):
        alone.setdefault(_source_and_line(book, s), set()).add(s.claim.object)
    told: set[tuple[str, str]] = set()
    plain = [s for s in statements if _is_exclusive(s) and not (s.claim.qualifier("condition") or _until(book, s))]
    for only in sorted(plain, key=lambda s: -s.claim.confidence):
        line, own = _line(book.domain, only.claim.subject), alone[_source_and_line(book, only)]
        others = [
            s
            for s in statements
            if s.claim.polarity
            and s.claim.object not in own
            # two "only" are told once, from the first one's side; what shares something with X opposes it not
            and not (_is_exclusive(s) and (alone[_source_and_line(book, s)] & own or (line, s.claim.object) in told))
            and s.claim.qualifier("degree") not in _WEAK
            # that some GPU has GDDR opposes no "the MI300X has only HBM"
            and (not s.claim.subject or only.claim.subject in book.domain.ancestors(s.claim.subject))
            and kinds.get(s.claim.object, "") == kinds.get(only.claim.object)  # one of a kind excludes the other
            and not is_wider(s.claim.object, only.claim.object)
            and book.domain.terms[s.claim.object].part_of not in own
        ]
        if others and not any((line, x) in told for x in own):
            told |= {(line, x) for x in own}
            most = max(s.claim.confidence for s in others)
            yield _excluded(book, only, [s for s in others if s.claim.confidence == most])


def _source_and_line(book: Book, s: Statement) -> tuple[str, str]:
    return s.claim.source, _line(book.domain, s.claim.subject)


def _is_exclusive(s: Statement) -> bool:
    return s.claim.qualifier("exclusive") == "only" and s.claim.polarity


def _excluded(book: Book, only: Statement, others: Sequence[Statement]) -> Finding:
    named = sorted({name(book, s.claim.object) for s in others})
    subject, object_ = name(book, only.claim.subject), name(book, only.claim.object)
    title = f"{subject} {name(book, only.claim.metric)}: only {object_}, but others name {', '.join(named[:_SHOWN])}"
    sources = len({s.claim.source for s in others})
    lines = [
        f"{place(book, only)} says only {object_}.",
        f"{counted(sources, 'source')}, {book.witnesses(others)} independent, name{'s' * (sources == 1)} {', '.join(named)}.",
    ]
    quoted = {s.claim.object: s for s in reversed(others)}  # the first that names each
    evidence = (only, *list(reversed(quoted.values()))[: _SHOWN - 1])
    help_ = 'Drop "only", or give the date.'
    return draft(book, "CW502", "contradiction", "high", title, "\n".join(lines), evidence, help=help_)
