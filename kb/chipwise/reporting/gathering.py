"""A report and its plots from an open knowledge base and its audit."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace

from chipwise import __version__
from chipwise.audit.codes import Codes
from chipwise.audit.model import Audit
from chipwise.domain.names import Names
from chipwise.errors import NameUnknown, QuestionInvalid
from chipwise.figures.bindings import Sources
from chipwise.index.store import Store
from chipwise.lookups.facts import select, unknown
from chipwise.reporting.charts import (
    COLUMNS,
    PRICES,
    ROOFLINE,
    Figures,
    chip_rows,
    chips_named,
    format_named,
    price_performance,
    roofline,
)
from chipwise.reporting.model import Chart, ChipRow, Report, Strips
from chipwise.text import plain
from chipwise.types import Evidence, SourceInfo

CHARTS = {ROOFLINE: roofline, PRICES: price_performance}
_SAFE = "https://"


def gather(index: Sources, audit: Audit, codes: Codes, built: str, own: frozenset[str], chips: Sequence[str]) -> Report:
    """All that a report shows, of `chips` or of those that most sources speak of; `own` are the shipped sources.

    Findings are those that `audit` lists, and of `chips` those about them. Raises NameUnknown.
    """
    store, names = index.store, index.names
    chosen = chips_named(index, chips)
    audit = audit.surer_than()
    if chips:
        wanted = {names.chip_of(chip) or chip for chip in chosen}
        audit = replace(audit, findings=tuple(f for f in audit.findings if names.chip_of(f.subject) in wanted))
    figures = Figures.of(store, index.domain, names, audit.findings)
    charts = [draw(index, chosen, format_named(names, "")) for draw in CHARTS.values()] if chosen else []
    strips, rows = tuple(figures.each(chosen if chips else ())), chip_rows(index, chosen)
    sources = _cited(store, [*_shown(strips, charts, rows), *(e for f in audit.findings for e in f.evidence)])
    return Report(
        audit=audit,
        codes=codes,
        data=f"chipwise {__version__}, index of {built}",
        columns=(*COLUMNS, "an hour on demand"),
        chips=rows,
        strips=strips,
        charts=tuple(charts),
        sources=sources,
        subjects={f.subject: names.name(names.chip_of(f.subject) or f.subject) for f in audit.findings if f.subject},
        links={i.id: i.origin for i in sources if i.id in own and i.origin.startswith(_SAFE)},
    )


def _shown(strips: Iterable[Strips], charts: Iterable[Chart], rows: Iterable[ChipRow]) -> Iterable[Evidence]:
    yield from (c for plot in strips for band in plot.bands for mark in band.marks for c in mark.cited)
    yield from (c for chart in charts for series in chart.series for point in series.points for c in point.cited)
    yield from (figure[1] for row in rows for figure in row.figures if figure is not None)


def _cited(store: Store, evidence: Iterable[Evidence]) -> tuple[SourceInfo, ...]:
    """The sources of the quotes, those too that only facts cite, in order of their ids."""
    known = {info.id: info for info in store.sources()}
    found: dict[str, SourceInfo] = {}
    for e in evidence:
        if e.source not in found:
            cited = SourceInfo(e.source, e.title, e.origin, e.publisher, "", e.published)
            found[e.source] = known.get(e.source, cited)
    return tuple(found[source] for source in sorted(found))


def draw_chart(index: Sources, kind: str, chips: Sequence[str], dtype: str) -> Chart:
    """A roofline or a price chart of chips, or of those that most sources speak of. Raises NameUnknown."""
    return CHARTS[kind](index, chips_named(index, chips), format_named(index.names, dtype))


def metric_named(names: Names, word: str) -> str:
    """The metric that is named. Raises NameUnknown for what names none, or several, with the plots that come near."""
    with suppress(NameUnknown):
        found = select(names, [plain(word)])
        if len(found.metrics) == 1 and not (found.subjects or found.values):
            return found.metrics[0]
    numbers = {id_ for id_, metric in names.metrics.items() if metric.dimension != "text"}
    known = {phrase: ids for phrase, ids in names.surfaces() if ids[0] in numbers}
    raise unknown(names, word, known | {kind: (kind,) for kind in CHARTS})


def draw_strips(index: Sources, metric: str, subjects: Sequence[str], audit: Callable[[], Audit]) -> Strips:
    """The figures of a metric by source, of `subjects` or of all that have several. Raises NameUnknown, QuestionInvalid."""
    names = index.names
    if names.metrics[metric].dimension == "text":
        raise QuestionInvalid(f"{names.name(metric)} is not a number", hint="`chipwise facts CHIP` lists its values")
    asked = select(names, subjects)
    if asked.metrics or asked.values:
        raise unknown(names, " ".join(subjects))
    findings = audit().surer_than().findings
    return Figures.of(index.store, index.domain, names, findings, metric).strips(metric, asked.subjects)
