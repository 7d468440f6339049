"""Shares of more than all, and compute beyond a peak (CW404); tokens beyond what memory feeds (CW410), models beyond a memory (CW411).

"We benchmarked the H100 SXM at 1,200 TFLOPS in BF16."    ->  its dense peak is 989 TFLOPS
"An RTX 3090 decodes Llama 3 8B in FP16 at 95 tokens/s for one user"   ->  936 GB/s / 16.1 GB = 58 tokens/s at most
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from chipwise.audit.amounts import amounts
from chipwise.audit.book import Book
from chipwise.audit.sentences import sentences_of, statement_at
from chipwise.audit.stated import is_said
from chipwise.audit.writer import draft, figure, name, place
from chipwise.claims.model import Modality
from chipwise.figures.format import plain
from chipwise.figures.relate import differing_axes
from chipwise.figures.statement import RECORDS, Statement
from chipwise.measured.ceilings import BILLION, one_stream, too_large
from chipwise.sizing.footprint import BITS
from chipwise.types import Finding

_MOST_ROWS = 3
_OVER, _FED, _BINARY, _OF_MANY = 1.05, 1.1, 1.074, 20.0  # times a peak, as peaks are rounded; GB may be GiB
_PEAK, _ACHIEVED = "peak_compute", "achieved_compute"
_MAY_DIFFER = frozenset(("basis", "aggregation", "count", "workload", "sparsity"))  # of a rate and its bound


def check(book: Book) -> Iterator[Finding]:
    """One finding for each figure; where row after row of a table exceeds its peak, the peaks are other ones."""
    found = list(_findings(book))
    rows = Counter((s.claim.source, s.table) for s, _ in found if s.role in RECORDS)
    yield from (finding for s, finding in found if rows[s.claim.source, s.table] <= _MOST_ROWS)
    for sentence in (one for source in book.audited for (one,) in sentences_of(book, source, widest=1)):
        (words, all_, _), q = too_large(book.domain, BITS, sentence.text, sentence.quantities) or (("", 0.0, 0.0), None)
        if q is not None and q.high * _BINARY < all_ and sentence.is_its_own:
            start, at = sentence.start, (sentence.start, sentence.end)
            said = statement_at(book, sentence.passage, at, start + q.start, start + q.end)
            why = f"It takes {plain(all_ / BILLION, 3)} GB, without KV cache and activations   [{place(book, said)}]"
            held = sentence.text[q.start : q.end]
            yield draft(book, "CW411", "contradiction", "high", f"{words} does not fit in {held}", why, [said])


def _findings(book: Book) -> Iterator[tuple[Statement, Finding]]:
    bounded = {m: v.most for v in book.domain.variables.values() if v.most for m in v.claims}
    for s in (s for source in book.audited for s in book.by_source.get(source, ()) if is_said(s)):
        metric = book.domain.metrics.get(s.claim.metric)
        both = amounts(metric, s) if metric is not None and s.claim.polarity else None
        if both is None:
            continue
        if both[0].low > bounded.get(s.claim.metric, float("inf")):
            what = f"{name(book, s.claim.metric)} of {figure(book, s)}"
            yield s, _draft(book, [s], what, "a share cannot exceed 100%")
        elif s.claim.metric == "throughput" and both[0].low > 0:
            yield from ((s, finding) for finding in _too_fast(book, s, both[0].low))
        elif _is_measured(book, s) and (peaks := _peaks(book, s)):
            most, count = max(peaks, key=lambda p: p.high), s.count or 1
            if most.middle > 0 and both[0].low / count > _OVER * most.high:
                why = f"that would be {plain(100 * both[1].middle / count / most.middle, 3)}% of it"
                yield s, _draft(book, [s, most], f"{figure(book, s)} of a peak of {figure(book, most)}", why)


def _too_fast(book: Book, s: Statement, low: float) -> Iterator[Finding]:
    """Decoding one sequence reads every weight that a token uses once."""
    e, kin = book.find_evidence(s), book.domain.are_kin
    (words, _, read), chips = one_stream(book.domain, BITS, s, e.quote, "\n".join((e.quote, *e.heading, e.title)))
    known = (f for f in book.facts.get((s.chip, "memory_bandwidth"), ()) if f.asserted and f.count in (1, None))
    most = max((f for f in known if kin(f.claim.subject, s.claim.subject)), key=lambda f: f.high, default=None)
    if most is not None and _FED < low * read / (chips * most.high) < _OF_MANY:
        why = f"{chips} x {figure(book, most)} / {plain(read / BILLION, 3)} GB for {words}"
        why += f" = {plain(chips * most.high / read, 3)} tokens/s at most   [{place(book, most)}]"
        title = f"{name(book, s.claim.subject)}: {figure(book, s)} are more than its memory can feed"
        yield draft(book, "CW410", "contradiction", "high", title, why, (s, most))


def _is_measured(book: Book, s: Statement) -> bool:
    """True for a rate that was reached, by so many chips as are told."""
    basis = s.claim.qualifier("basis")
    measured = basis in ("measured", "sustained") or (basis == "" and s.claim.modality is Modality.MEASURED)
    if not (s.claim.metric == _ACHIEVED or (s.claim.metric == _PEAK and measured)):
        return False
    text = "\n".join([book.find_evidence(s).quote, *(p.text for p in book.passages_of(s.claim.source))])
    counted = book.domain.unit_table.find(text)  # who runs on eight of them gives the figure of eight
    several = any(book.domain.counted(q.unit) == "chips" and q.low > 1 for q in counted)
    return bool(s.count and s.count > 1) or not several


def _peaks(book: Book, s: Statement) -> Sequence[Statement]:
    """The peaks that the source itself states of the chip and format, else those of the table."""
    stated = [o for o in book.by_source[s.claim.source] if o.claim.metric == _PEAK and not _is_measured(book, o)]
    beside = {o.chip for o in stated if o.claim.passage == s.claim.passage}
    chip = s.chip or (beside.pop() if len(beside) == 1 else "")
    own = [o for o in stated if o.chip == chip and o is not s]
    for known in (own, book.facts.get((chip, _PEAK), ())):
        found = [p for p in known if p.asserted and p.count in (1, None) and p.high < float("inf")]
        if fitting := [p for p in found if not set(differing_axes(book.domain, p, s)) - _MAY_DIFFER]:
            return fitting
    return ()


def _draft(book: Book, said: Sequence[Statement], what: str, why: str) -> Finding:
    subject = name(book, said[0].claim.subject) if said[0].claim.subject else "An unnamed subject"
    where = ", ".join(dict.fromkeys(place(book, s) for s in said))
    which = "which of these figures" if len(said) > 1 else "whether this figure"
    return draft(
        book, "CW404", "contradiction", "high", f"{subject}: {what}", f"{why}   [{where}]", said,
        help=f"Check {which} is wrong, or is for another format, scope or number of chips.",
    )  # fmt: skip
