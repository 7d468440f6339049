"""`audit`: what the claims of a knowledge base, or of some documents, say against each other.

claims + facts -> statements -> witnesses -> comparisons -> findings, worst first
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache

from chipwise import patterns as re
from chipwise.audit.casebook import Casebook, Statement, made_of, place
from chipwise.audit.checks import ceiling, equation, scope, shape
from chipwise.audit.checks import sum as written
from chipwise.audit.drift import find_drift
from chipwise.audit.equations import find_breaches
from chipwise.audit.evidence import claim_evidence, fact_evidence
from chipwise.audit.kept import kept_audit
from chipwise.audit.lineage import find_copies, find_witnesses
from chipwise.audit.model import SEVERITIES, Audit
from chipwise.audit.ratios import find_disproportions
from chipwise.audit.readings import compare_all
from chipwise.audit.scopes import find_scope_mixes
from chipwise.audit.settling import settle
from chipwise.audit.spreads import find_explained, find_spreads
from chipwise.audit.statements import find_opposites
from chipwise.audit.unlabelled import find_unlabelled_peaks
from chipwise.audit.values import find_contradictions, find_record_conflicts
from chipwise.audit.verdicts import Verdict
from chipwise.claims.extract import extract_document
from chipwise.claims.model import Claim, Fact
from chipwise.domain.model import Domain
from chipwise.errors import SourceUnknown
from chipwise.knowledge import KnowledgeFolder
from chipwise.opening import OpenIndex, opened
from chipwise.splitting import split, whole_tables
from chipwise.text import Span, blanked, counted, overlap
from chipwise.types import Document, Evidence, Finding, Passage, Role, SourceInfo

_NONE = "no "  # before what a fact says that its subject has not
_LISTS = re.compile(r"(?:no )?(?:\s|,|and)*")
_MARKS = ".,;:!?()[]*_`\"'"
_OF_TABLE = "CW7"  # codes of what contradicts the table of facts
_MOST_REASONS = 12  # for which pairs were left open, the commonest first
UNCHECKED_MEANING = "sentences without a figure or a category were not compared"


def audit_documents(
    documents: Sequence[Document], domain: Domain, facts: Iterable[Fact] = (), *, everything: bool = False
) -> Audit:
    """The findings on documents by themselves, with what the facts table adds; one alone is checked against it."""
    statements: list[Statement] = []
    passages: dict[tuple[str, int], Passage] = {}
    facts = list(facts)
    for document in documents:
        parts = split(document)
        passages |= {(p.source, p.ordinal): p for p in parts}
        claims = extract_document(document, parts, domain, unplaced=True)[1]
        statements += placed(domain, claims, parts)
    sources = {d.info.id: d.info for d in documents}
    texts = {d.info.id: d.text for d in documents}
    left = [s for s in statements if s.claim.quantity is not None and not (s.claim.metric and s.claim.subject)]
    aside = set(map(id, left))
    said = [s for s in statements if id(s) not in aside]
    book = make_casebook(
        *(domain, said, facts, sources),
        lambda: find_witnesses(said, sources, texts),
        lambda key: passages[key],
        lambda source: [p for p in passages.values() if p.source == source],
    )
    book = replace(book, left=left)
    return audit_book(book, source=documents[0].info.id if len(documents) == 1 else "", everything=everything)


def placed(domain: Domain, claims: Iterable[Claim], passages: Sequence[Passage]) -> list[Statement]:
    """Claims of one source as statements, by the passages that they stand in."""
    tables = whole_tables((p.ordinal, p.start, p.end) for p in passages if p.role is Role.TABLE)
    roles = {(p.source, p.ordinal): p.role for p in passages}
    return _placed(domain, claims, roles, {(p.source, p.ordinal): tables.get(p.ordinal, 0) for p in passages})


def _placed(
    domain: Domain,
    claims: Iterable[Claim],
    roles: Mapping[tuple[str, int], Role],
    tables: Mapping[tuple[str, int], int],
) -> list[Statement]:
    """Claims with the role of their passage and the table that it is a part of, both by source and ordinal."""
    return [
        place(domain, claim, roles.get(at, Role.BODY), table=tables.get(at, 0))
        for claim in claims
        for at in [(claim.source, claim.passage)]
    ]


def make_casebook(
    domain: Domain,
    statements: Sequence[Statement],
    facts: Iterable[Fact],
    sources: Mapping[str, SourceInfo],
    find_witnesses_: Callable[[], Mapping[str, str]],
    find_passage: Callable[[tuple[str, int]], Passage],
    passages_of: Callable[[str], Sequence[Passage]],
) -> Casebook:
    """Everything that an audit needs, from wherever it was read."""
    curated = [place(domain, claim, Role.BODY, fact) for fact in facts for claim in _said_by(domain, fact)]

    @cache
    def evidence(statement: Statement) -> Evidence:
        if statement.fact is not None:
            return fact_evidence(statement.fact)
        claim = statement.claim
        passage = find_passage((claim.source, claim.passage))
        return claim_evidence(claim, sources[claim.source], passage)

    everything = [*statements, *curated]
    return Casebook(domain, everything, sources, evidence, find_witnesses_, passages_of)


def _said_by(domain: Domain, fact: Fact) -> Iterator[Claim]:
    """The claim of a fact; of one that lists what its subject has, or has not, one for each: "BF16 and FP8", "no FP4".

    What says more than that ("only TensorFlow", "2D torus") stays whole.
    """
    written = fact.claim.object
    listed = domain.find_terms(written) if written and written not in domain.terms else ()
    if not listed or not _LISTS.fullmatch(blanked(written, ((m.start, m.end) for m in listed))):
        yield fact.claim
        return
    for m in listed:
        yield replace(fact.claim, object=m.ids[0], polarity=not written.startswith(_NONE))


def audit_book(book: Casebook, *, source: str = "", everything: bool = False) -> Audit:
    """All findings, worst first; with `everything`, pairs that are explained as well; with `source`, its figures' pairs alone."""
    book = replace(book, checked=source)
    compared = settle(book, compare_all(book, source))
    findings: list[Finding] = [
        *find_contradictions(book, compared),
        *find_record_conflicts(book),
        *find_scope_mixes(book, source),
        *find_unlabelled_peaks(book, source),
        *scope.check(book),
        *find_drift(book),
        *find_breaches(book, source),
        *equation.check(book),
        *ceiling.check(book),
        *_once(
            book,
            (
                *find_disproportions(book, source),
                *written.check(book),
                *shape.check(book),
            ),
        ),
        *find_opposites(book),
        *find_spreads(book, compared, alike=bool(source)),
        *find_copies(book),
        *find_explained(book, compared),
    ]
    # subtle: of findings with one fingerprint the first stays, so the dictionary is filled from the end
    unique = {f.fingerprint: f for f in reversed(findings) if everything or f.severity != "info"}
    ordered = sorted(_one_for_a_fault(unique.values()), key=lambda f: (SEVERITIES.index(f.severity), f.code, f.title))
    open_ = (c.relation.reason for c in compared if c.relation.verdict is Verdict.UNRESOLVED)
    reasons = Counter(reason for reason in open_ if not any(map(str.isdigit, reason)))
    silent = tuple(f"{counted(n, 'pair')} not compared: {why}" for why, n in reasons.most_common(_MOST_REASONS))
    return Audit(
        tuple(ordered), len(book.sources), len(book.said), len(compared), (UNCHECKED_MEANING,), uncompared=silent
    )


def _once(book: Casebook, findings: Iterable[Finding]) -> Iterator[Finding]:
    """Without what sources that are one witness say again."""
    told: set[tuple[str, str]] = set()
    for finding in findings:
        source = finding.evidence[0].source
        said = book.witness_of.get(source, source), finding.title
        if said not in told:
            told.add(said)
            yield finding


def _one_for_a_fault(findings: Iterable[Finding]) -> list[Finding]:
    """Without contradictions of the table by figures that another contradiction already calls wrong, and more surely."""
    kept = list(findings)
    surer = [(e, f.confidence) for f in kept if _accuses(f) and not f.code.startswith(_OF_TABLE) for e in f.evidence]

    def is_told(finding: Finding) -> bool:
        own = finding.evidence[-1]
        return any(
            c > finding.confidence and e.source == own.source and overlap(_span(e), _span(own)) for e, c in surer
        )

    return [f for f in kept if not (_accuses(f) and f.code.startswith(_OF_TABLE) and is_told(f))]


def _accuses(finding: Finding) -> bool:
    return finding.verdict == "contradiction"


def _span(evidence: Evidence) -> Span:
    """Where the marked words of a quote stand in their source."""
    first, last = evidence.mark or (0, len(evidence.quote))
    return evidence.start + first, evidence.start + last


def run_audit(
    base: KnowledgeFolder,
    *,
    source: str = "",
    subject: str = "",
    metric: str = "",
    everything: bool = False,
) -> Audit:
    """The findings on a knowledge base, built first where it must be; narrowed to a source, subject or metric.

    Raises SourceUnknown for a name that the knowledge base or the domain does not know.
    """
    with opened(base) as index:
        narrowing = _narrowing(index, source, subject, metric)
        audit = kept_audit(index, lambda: audit_book(stored_casebook(index), everything=True))
    told = (f for f in audit.findings if everything or f.severity != "info")
    return replace(audit, findings=tuple(f for f in told if narrowing(f)))


def stored_casebook(index: OpenIndex) -> Casebook:
    """Everything that the knowledge base knows."""
    store, domain = index.store, index.domain
    statements = _placed(domain, store.claims(), store.roles(), store.tables())
    sources = {info.id: info for info in store.sources()}

    def passages_of(source: str) -> Sequence[Passage]:
        return [stored.passage for stored in store.source_passages(source)]

    return make_casebook(
        *(domain, statements, store.facts(), sources),
        lambda: _witnesses(index),
        lambda key: store.find_passage(*key),
        passages_of,
    )


def casebook_beside(index: OpenIndex, document: Document) -> Casebook:
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
    roles = store.roles({c.source for c in known})
    others = _placed(domain, known, roles, store.tables())
    sources = {info.id: info for info in store.sources()} | {document.info.id: document.info}
    passages = {(p.source, p.ordinal): p for p in parts}

    def find_passage(key: tuple[str, int]) -> Passage:
        return passages[key] if key in passages else store.find_passage(*key)

    def passages_of(source: str) -> Sequence[Passage]:
        return parts if source == document.info.id else [p.passage for p in store.source_passages(source)]

    book = make_casebook(
        domain, [*own, *others], store.facts(about), sources, lambda: _witnesses(index), find_passage, passages_of
    )
    return replace(book, left=left)


def _doubted(domain: Domain, s: Statement, parts: Sequence[Passage]) -> Statement:
    """A figure that is said of a variant that the domain lacks, as one in doubt: "RTX 4090 Laptop GPU", "RTX 2080 with Max-Q"."""
    part = next(p for p in parts if p.ordinal == s.claim.passage)
    text = part.text[s.claim.start - part.start : s.claim.end - part.start]
    for m in domain.find_entities(text) if domain.is_chip(s.claim.subject) else ():
        behind = text[m.end :].removeprefix(" with")
        word = behind[1:].split(maxsplit=1)[0].strip(_MARKS) if behind[:1] == " " and behind.strip() else ""
        at = len(text) - len(behind) + 1
        if s.claim.subject in m.ids and word[:1].isupper() and not _is_known(domain, text, at, word):
            why = f"it is said of a variant that is not known here: {text[m.start : at + len(word)]}"
            return replace(s, claim=replace(s.claim, doubt=s.claim.doubt or why))
    return s


def _is_known(domain: Domain, text: str, at: int, word: str) -> bool:
    """True for a word that means something else than a variant: "Tensor" of "Tensor Core", "GPU", "TB"."""
    finders = (
        domain.find_entities,
        domain.find_terms,
        domain.find_metrics,
        domain.find_qualifiers,
        domain.find_settings,
    )
    return word in domain.unit_by_form or any(m.start <= at < m.end for find in finders for m in find(text))


def _witnesses(index: OpenIndex) -> Mapping[str, str]:
    """Which sources of a knowledge base are one witness."""
    store = index.store
    statements = _placed(index.domain, store.claims(), store.roles(), store.tables())
    sources = {info.id: info for info in store.sources()}
    return find_witnesses(statements, sources, {source: store.source_text(source) for source in sources})


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
