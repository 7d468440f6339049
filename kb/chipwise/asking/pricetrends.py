"""The prices of one thing at several dates, or under several terms, and by how much they differ.

"What did AWS ask for an H100 in 2023, and what now?"  ->  12.29 USD/hour (2023-07) [1], 6.88 USD/hour (2026-09) [2]: -44%
"H100 spot against on demand"                          ->  the latest price under each, of one provider
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from chipwise import patterns as re
from chipwise.asking.kinds import AT_PRESENT
from chipwise.asking.question import Question
from chipwise.asking.quoting import Told, cite, sentence
from chipwise.claims.model import Fact
from chipwise.domain.model import Domain
from chipwise.domain.names import Names
from chipwise.figures.alike import ON_DEMAND
from chipwise.figures.phrasing import value_text
from chipwise.figures.prices import sold_as, terms_asked
from chipwise.figures.resolve import latest
from chipwise.figures.variants import covered
from chipwise.index.store import Store
from chipwise.text import words

_COURSE = re.compile(
    r"\b(?:over time|histor\w+|trend\w*|develop\w*|evol\w+|chang\w+|drop\w*|f[ae]ll(?:en|s)?|r[io]sen?|risen|went (?:up|down)|go(?:ne)? (?:up|down)|cut)\b",
    re.I,
)
_AXIS = "price_terms"
_SPANS = frozenset(("since", "until", "till"))
_SINCE = re.compile(r"\bsince\b", re.I)
_MOST = 6  # prices shown


def prices_apart(question: Question, store: Store, domain: Domain, names: Names) -> Told | None:
    """Dated prices of one thing, or its latest price under each of two terms; None for a question about anything else."""
    metric = next((m for m in question.metrics if "provider" in domain.metrics[m].qualifiers), "")
    if not metric or len(question.subjects) != 1 or len(question.subjects[0]) != 1:
        return None
    terms = terms_asked(question.text, domain)
    course = bool(question.years) or _COURSE.search(question.text) is not None
    if (len(terms) != 2 and not course) or not _is_plain(question, domain, terms):  # noqa: PLR2004
        return None
    subject = question.subjects[0][0]
    facts = [f for f in store.facts(sold_as(subject, domain, names), [metric]) if store.holds(f) and f.as_of]
    own = [f for f in facts if f.claim.subject in covered(names, subject)] or facts
    providers = {t for t in question.terms if domain.terms[t].kind == "cloud"}
    sold = [f for f in own if not providers or f.claim.qualifier("provider") in providers]
    if len(terms) == 2:  # noqa: PLR2004
        return _by_terms(sold, terms, store, names)
    return _by_date([f for f in sold if f.claim.qualifier(_AXIS) == (terms or [ON_DEMAND])[0]], question, store, names)


def _is_plain(question: Question, domain: Domain, terms: Sequence[str]) -> bool:
    """True where beside names, dates and terms nothing narrows what is asked."""
    known = {t for t in question.terms if domain.terms[t].kind in ("cloud", "company") or t in terms}
    said = domain.change_nothing("look-up", "price", "sum") | set(question.years)
    said |= {w for t in terms for w in words(domain.terms[t].name)} if all(t in domain.terms for t in terms) else set()
    rest = [w for w in question.free_words if w not in said | _SPANS and not _COURSE.fullmatch(w)]
    return set(question.terms) <= known and not rest


def _by_date(facts: Iterable[Fact], question: Question, store: Store, names: Names) -> Told | None:
    """All of the years asked about with the latest one where "now" is asked, else the whole course of one provider's prices."""
    dated = sorted(facts, key=lambda f: f.as_of)
    by_provider: dict[str, list[Fact]] = {}
    for fact in dated:
        by_provider.setdefault(fact.claim.qualifier("provider"), []).append(fact)
    course = max(by_provider.values(), key=len, default=[])
    if question.years and _SINCE.search(question.text):
        since = min(question.years)
        course = max((_since(of, since) for of in by_provider.values()), key=len, default=[])
    elif question.years:
        then = [f for f in dated if f.as_of[:4] in question.years]
        same = [
            f
            for f in latest(dated, names)
            if not then or f.claim.qualifier("provider") == then[-1].claim.qualifier("provider")
        ]
        course = [*then, *(same[-1:] if AT_PRESENT.search(question.text) and then else [])]
    shown = list({f.id: f for f in course}.values())[-_MOST:]
    if not shown or (len(shown) < 2 and not question.years):  # noqa: PLR2004
        return None
    return _told(shown, store, names)


def _since(prices: Sequence[Fact], year: str) -> list[Fact]:
    """One provider's prices from the one that held when the year began."""
    before = [f for f in prices if f.as_of[:4] < year]
    return [*before[-1:], *(f for f in prices if f.as_of[:4] >= year)]


def _by_terms(facts: Sequence[Fact], terms: Sequence[str], store: Store, names: Names) -> Told | None:
    """The latest price under each of two terms, of a provider that has both."""
    standing = [f for f in latest(facts, names) if f.rank != "deprecated"]
    for provider in dict.fromkeys(f.claim.qualifier("provider") for f in standing):
        of = [f for f in standing if f.claim.qualifier("provider") == provider]
        each = [
            max((f for f in of if f.claim.qualifier(_AXIS) == t), key=lambda f: f.as_of, default=None) for t in terms
        ]
        shown = [f for f in each if f is not None]
        alike = len({f.claim.key.scope for f in shown}) == 1
        if len(shown) == 2 and alike:  # noqa: PLR2004
            return _told(shown, store, names)
    return None


def _told(facts: Sequence[Fact], store: Store, names: Names) -> Told:
    """The prices, and what the last is of the first where both are single figures of one thing."""
    said = [sentence(f, names, n) for n, f in enumerate(facts, start=1)]
    first, last = facts[0], facts[-1]
    one_seller = first.claim.qualifier("provider") == last.claim.qualifier("provider")
    if len(facts) > 1 and one_seller and first.is_single and last.is_single and first.amount > 0:
        steps = f"{value_text(last, names)} [{len(facts)}] / {value_text(first, names)} [1] - 1"
        said.append(f"{steps} = {100 * (last.amount / first.amount - 1):+.3g}%.")
    return Told.of(" ".join(said), cite(store, facts), list(facts))
