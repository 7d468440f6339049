"""A report and its plots from an open knowledge base and its audit."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from chipwise.answering.facts import select, unknown
from chipwise.audit.codes import Codes
from chipwise.audit.model import Audit
from chipwise.domain.model import Domain
from chipwise.domain.names import Names
from chipwise.errors import QuestionInvalid
from chipwise.index.store import Store
from chipwise.reporting.charts import PRICES, ROOFLINE, price_performance, roofline
from chipwise.reporting.chips import chips_named, format_named, usual_chips
from chipwise.reporting.matrix import matrix
from chipwise.reporting.model import Chart, Report, Strips
from chipwise.reporting.said import Figures
from chipwise.text import plain
from chipwise.types import SourceInfo

CHARTS = {ROOFLINE: roofline, PRICES: price_performance}
_SAFE = "https://"


class Opened(Protocol):
    """What is read: an open index."""

    @property
    def store(self) -> Store:
        """Its facts and claims."""

    @property
    def domain(self) -> Domain:
        """Its domain."""

    @property
    def names(self) -> Names:
        """The domain's names."""


def gather(index: Opened, audit: Audit, codes: Codes, own: frozenset[str], chips: Sequence[str] = ()) -> Report:
    """All that a report shows; the charts are of `chips`, or of those that most sources speak of. `own` are the shipped sources.

    Raises NameUnknown.
    """
    store, domain, names = index.store, index.domain, index.names
    chosen = chips_named(store, names, chips) if chips else usual_chips(store, domain, names)
    dtype = format_named(names, "") if chosen else ""
    figures = Figures.of(store, domain, names, audit.findings)
    charts = [draw(store, domain, names, chosen, dtype) for draw in CHARTS.values()] if chosen else []
    sources = _cited(store, audit, figures)
    return Report(
        audit=audit,
        codes=codes,
        matrix=matrix(store, names, audit.findings, chosen if chips else ()),
        strips=tuple(figures.each()),
        charts=tuple(charts),
        sources=sources,
        links=_links(sources, own),
    )


def _cited(store: Store, audit: Audit, figures: Figures) -> tuple[SourceInfo, ...]:
    """Every source, with those that only findings and facts cite, in order of their ids."""
    found = {info.id: info for info in store.sources()}
    evidence = [*(e for f in audit.findings for e in f.evidence), *figures.evidence()]
    for e in evidence:
        found.setdefault(e.source, SourceInfo(e.source, e.title, e.origin, e.publisher, "", e.published))
    return tuple(found[source] for source in sorted(found))


def draw_chart(index: Opened, kind: str, chips: Sequence[str], dtype: str) -> Chart:
    """A roofline or a price chart of chips, or of those that most sources speak of. Raises NameUnknown."""
    store, domain, names = index.store, index.domain, index.names
    chosen = chips_named(store, names, chips) if chips else usual_chips(store, domain, names)
    return CHARTS[kind](store, domain, names, chosen, format_named(names, dtype))


def metric_named(names: Names, word: str) -> str:
    """The metric that is named. Raises NameUnknown for what names none, or several."""
    found = select(names, [plain(word)])
    if len(found.metrics) != 1 or found.subjects or found.values:
        raise unknown(names, word)
    return found.metrics[0]


def draw_strips(index: Opened, metric: str, subjects: Sequence[str], audit: Callable[[], Audit]) -> Strips:
    """The figures of a metric by source, of `subjects` or of all that have several. Raises NameUnknown, QuestionInvalid."""
    names = index.names
    if names.metrics[metric].dimension == "text":
        raise QuestionInvalid(f"{names.name(metric)} is not a number", hint="`chipwise facts CHIP` lists its values")
    asked = select(names, subjects)
    if asked.metrics or asked.values:
        raise unknown(names, " ".join(subjects))
    figures = Figures.of(index.store, index.domain, names, audit().findings, metric)
    return figures.strips(metric, asked.subjects)


def _links(sources: Sequence[SourceInfo], own: frozenset[str]) -> dict[str, str]:
    """The addresses that a page may link to: of shipped sources, by https. What a user's document calls its origin is text."""
    return {info.id: info.origin for info in sources if info.id in own and info.origin.startswith(_SAFE)}
