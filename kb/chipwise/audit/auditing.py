"""`audit`: what the claims of a knowledge base, or of some documents, say against each other.

claims + facts -> book -> checks -> findings, one for a fault, worst first
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from chipwise.audit.book import Book, make_book, named, placed, placed_by
from chipwise.audit.checks import ALL, OF_RESULTS
from chipwise.audit.kept import WITNESSES, kept, kept_audit
from chipwise.audit.lineage import find_witnesses
from chipwise.audit.model import SEVERITIES, Audit
from chipwise.claims.extract import extract_document
from chipwise.claims.model import Fact
from chipwise.domain.model import Domain
from chipwise.errors import SourceUnknown
from chipwise.figures.relate import Verdict, differing_axes, gap
from chipwise.figures.statement import Statement, made_of
from chipwise.grids.keys import NO_UNIT
from chipwise.grids.labels import UNCLEAR
from chipwise.knowledge import KnowledgeFolder
from chipwise.opening import OpenIndex, opened
from chipwise.splitting import split
from chipwise.text import Span, counted, overlap
from chipwise.types import Document, Evidence, Finding, Passage, Role, SourceInfo

_MARKS = ".,;:!?()[]*_`\"'"
_OF_TABLE = "CW7"  # codes of what contradicts the table of facts
_OTHER_UNIT = 4.0  # times: bits and bytes are 8 apart, prefixes 1,000
_ORDINAL = ("st", "nd", "rd", "th")  # "456 (4th gen)" is one figure
_MOST_REASONS = 12  # for which pairs were left open, the commonest first
UNCHECKED_MEANING = "sentences that state neither a figure nor a category (such as a memory type) were not compared"


def audit_documents(
    documents: Sequence[Document], domain: Domain, facts: Iterable[Fact] = (), *, everything: bool = False
) -> Audit:
    """The findings on documents by themselves, with what the facts table adds; one alone is checked against it."""
    book = book_of(documents, domain, facts)
    checked = documents[0].info.id if len(documents) == 1 else ""
    return audit_book(replace(book, checked=checked), everything=everything)


def book_of(documents: Sequence[Document], domain: Domain, facts: Iterable[Fact] = ()) -> Book:
    """What documents say, by themselves."""
    statements: list[Statement] = []
    passages: dict[tuple[str, int], Passage] = {}
    for document in documents:
        parts = split(document)
        passages |= {(p.source, p.ordinal): p for p in parts}
        statements += placed(domain, extract_document(document, parts, domain, unplaced=True)[1], parts)
    sources = {d.info.id: d.info for d in documents}
    said = [s for s in statements if s.claim.quantity is None or (s.claim.metric and s.claim.subject)]
    kept = set(map(id, said))
    return replace(
        make_book(domain, said, facts, sources, lambda key: passages[key]),
        find_witnesses=lambda: find_witnesses(said, sources),
        passages_of=lambda source: [p for p in passages.values() if p.source == source],
        left=[s for s in statements if id(s) not in kept],
    )


def audit_book(book: Book, *, everything: bool = False) -> Audit:
    """All findings, worst first; with `everything`, pairs that are explained as well."""
    checks = OF_RESULTS if book.results else ALL
    findings = [finding for check in checks.values() for finding in check(book)]
    # subtle: of findings with one fingerprint the first stays, so the dictionary is filled from the end
    unique = {f.fingerprint: f for f in reversed(findings) if everything or f.severity != "info"}
    told = _one_for_a_fault(book, unique.values())
    ordered = sorted(told, key=lambda f: (SEVERITIES.index(f.severity), f.code, f.title))
    open_ = (p.relation.reason for p in book.pairs if p.relation.verdict is Verdict.UNRESOLVED)
    reasons = Counter(reason for reason in open_ if not any(map(str.isdigit, reason)))
    silent = tuple(f"{counted(n, 'pair')} not compared: {why}" for why, n in reasons.most_common(_MOST_REASONS))
    tabled = sum(len(readings) * len(book.facts.get(key, ())) for key, readings in book.readings.items())
    pairs = len(book.pairs) + tabled
    return Audit(tuple(ordered), len(book.sources), len(book.said), pairs, (UNCHECKED_MEANING,), uncompared=silent)


def _one_for_a_fault(book: Book, findings: Iterable[Finding]) -> list[Finding]:
    """One finding for each fault: of what one witness says twice the first, and none against the table of a figure that arithmetic calls wrong more surely."""
    told: dict[tuple[str, str], Finding] = {}
    for finding in findings:
        source = finding.evidence[0].source
        cause = book.witness_of.get(source, source) if finding.code.startswith("CW4") else finding.fingerprint
        told.setdefault((cause, finding.title), finding)
    kept = list(told.values())
    accused = [(e, f.confidence) for f in kept if _accuses(f) and not f.code.startswith(_OF_TABLE) for e in f.evidence]

    def is_told(finding: Finding) -> bool:
        own = finding.evidence[-1]
        surer = (e for e, c in accused if c > finding.confidence and e.source == own.source)
        return any(overlap(_span(e), _span(own)) for e in surer)

    kept = [f for f in kept if not (_accuses(f) and f.code.startswith(_OF_TABLE) and is_told(f))]
    # "affirmed and denied", "only X" and "known wrong value" about one category may be one matter: the surest stays
    codes: dict[tuple[str, str, Span], str] = {}
    on_categories = [f for f in kept if _accuses(f) and f.metric in book.domain.relations]
    for f in sorted(on_categories, key=lambda f: -f.confidence):
        if {codes.setdefault((f.metric, e.source, _span(e)), f.code) for e in f.evidence} != {f.code}:
            kept.remove(f)
    return kept


def _accuses(finding: Finding) -> bool:
    return finding.verdict == "contradiction"


def _span(evidence: Evidence) -> Span:
    """Where the marked words of a quote stand in their source."""
    first, last = evidence.mark or (0, len(evidence.quote))
    return evidence.start + first, evidence.start + last


def run_audit(
    base: KnowledgeFolder, *, source: str = "", subject: str = "", metric: str = "", everything: bool = False
) -> Audit:
    """The findings on a knowledge base, built first where it must be; narrowed to a source, subject or metric.

    Raises SourceUnknown for a name that the knowledge base or the domain does not know.
    """
    with opened(base) as index:
        narrowing = _narrowing(index, source, subject, metric)
        audit = kept_audit(index, lambda: audit_book(stored_book(index), everything=True))
    told = (f for f in audit.findings if everything or f.severity != "info")
    return replace(audit, findings=tuple(f for f in told if narrowing(f)))


def stored_book(index: OpenIndex) -> Book:
    """Everything that the knowledge base knows."""
    store, domain = index.store, index.domain
    statements = placed_by(domain, store.claims(), store.roles(), store.tables())
    sources = {info.id: info for info in store.sources()}
    return replace(
        make_book(domain, statements, store.facts(), sources, lambda key: store.find_passage(*key)),
        find_witnesses=lambda: _witnesses(index),
        passages_of=lambda source: [stored.passage for stored in store.source_passages(source)],
    )


def book_beside(index: OpenIndex, document: Document) -> Book:
    """What a document says, and what the knowledge base has on the chips that it names and the metrics that it states."""
    store, domain = index.store, index.domain
    parts = split(document)
    sentences, claims = extract_document(document, parts, domain, unplaced=True)
    found = placed(domain, claims, parts)
    own = [_doubted(domain, s, parts) for s in found if s.claim.metric]
    # a text that names nothing of the domain is about something else
    left = [s for s in found if not s.claim.metric] if any(s.subjects for p in sentences for s in p) else []
    # what is only named has a memory into which something is said to fit
    named = {i for p in parts for m in domain.find_entities(p.text) for i in m.ids}
    chips = {s.chip for s in own} | {made_of(domain, i)[0] for i in named | {s.claim.baseline for s in own}}
    lines = {a for s in own for a in domain.ancestors(s.chip)}
    about = {i for i in domain.entities if i in chips | lines or made_of(domain, i)[0] in chips}
    known = store.claims_about(about, {s.claim.metric for s in own})
    others = placed_by(domain, known, store.roles({c.source for c in known}), store.tables())
    sources = {info.id: info for info in store.sources()} | {document.info.id: document.info}
    passages = {(p.source, p.ordinal): p for p in parts}

    def find_passage(key: tuple[str, int]) -> Passage:
        return passages[key] if key in passages else store.find_passage(*key)

    book = make_book(domain, [*own, *others], store.facts(about), sources, find_passage)
    return replace(
        book,
        statements=[_in_its_unit(book, s) for s in book.statements],
        find_witnesses=lambda: _witnesses(index),
        passages_of=lambda source: parts if source == document.info.id else (),
        left=left,
        checked=document.info.id,
    )


def _doubted(domain: Domain, s: Statement, parts: Sequence[Passage]) -> Statement:
    """A figure of a variant that the domain lacks ("RTX 4090 Laptop GPU"), or a halved one that is read as sparse, as one in doubt."""
    part = next(p for p in parts if p.ordinal == s.claim.passage)
    text = part.text[s.claim.start - part.start : s.claim.end - part.start]
    first, last = s.claim.value_start - part.start, s.claim.value_end - part.start
    before, after = part.text[:first].rstrip()[-1:], part.text[last:].replace(" ", "")[:2]
    listed = s.role is Role.TABLE and (before == "/" or (after[:1] == "/" and after[1:].isdigit()))
    inside = part.text[first:last].partition("(")[2].split()
    two = listed or any(any(map(str.isdigit, w)) and w[-2:] not in _ORDINAL for w in inside)
    halved = s.claim.qualifier("sparsity") == "2:4" and "/2" in part.text[first : last + 5].replace(" ", "")
    if two or halved:
        why = "its cell gives two figures" if two else "it is divided by two, and may be the dense peak"
        return replace(s, claim=replace(s.claim, doubt=s.claim.doubt or why))
    for m in domain.find_entities(text) if domain.is_chip(s.claim.subject) else ():
        behind = text[m.end :].removeprefix(" with")
        word = next(iter(behind[1:].replace(",", " ").split()), "").strip(_MARKS) if behind[:1] == " " else ""
        at = len(text) - len(behind) + 1 + len(behind[1:]) - len(behind[1:].lstrip(_MARKS))
        known = word in domain.unit_by_form or word.lower() in domain.word_group("chip-word")
        known = known or any(start <= at < end for start, end in named(domain, text))
        if s.claim.subject in m.ids and word[:1].isupper() and not known:
            why = f"it is about a variant that is not known here: {text[m.start : at + len(word)]}"
            return replace(s, claim=replace(s.claim, doubt=s.claim.doubt or why))
    return s


def _in_its_unit(book: Book, s: Statement) -> Statement:
    """A figure without its unit, undoubted where the table has about as much in the unit that it is taken for: all others are far off."""
    if s.claim.doubt not in (NO_UNIT, UNCLEAR):
        return s
    known = (f for f in book.facts.get(s.key, ()) if f.count in (None, 1))
    alike = (f for f in known if f.quantity.dimension == s.quantity.dimension and gap(f, s) < _OTHER_UNIT)
    near = any(not differing_axes(book.domain, f, s) for f in alike)
    return replace(s, claim=replace(s.claim, doubt="")) if near else s


def _witnesses(index: OpenIndex) -> Mapping[str, str]:
    """Which sources of a knowledge base are one witness."""

    def work_out() -> dict[str, str]:
        store = index.store
        statements = placed_by(index.domain, store.claims(), store.roles(), store.tables())
        sources: Mapping[str, SourceInfo] = {info.id: info for info in store.sources()}
        return find_witnesses(statements, sources)

    return kept(index, WITNESSES, work_out)


def _narrowing(index: OpenIndex, source: str, subject: str, metric: str) -> Callable[[Finding], bool]:
    domain = index.domain
    if source and index.store.find_source(source) is None:
        raise SourceUnknown(f"no source is called {source!r}", hint="`chipwise sources` lists them")
    subjects = {i for m in domain.find_entities(subject) for i in m.ids}
    metrics = {i for m in domain.find_metrics_asked(metric) for i in m.ids} | ({metric} & set(domain.metrics))
    if subject and not subjects:
        raise SourceUnknown(f"no chip or system is called {subject!r}", hint="`chipwise facts` lists them")
    if metric and not metrics:
        raise SourceUnknown(f"no metric is called {metric!r}", hint="name one as `chipwise facts CHIP` prints it")

    def keeps(finding: Finding) -> bool:
        return (
            (not source or any(e.source == source for e in finding.evidence))
            and (not subject or any(domain.are_kin(finding.subject, s) for s in subjects))
            and (not metric or finding.metric in metrics)
        )

    return keeps
