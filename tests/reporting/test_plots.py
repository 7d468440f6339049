"""What plots hold and where they put it: values, places, words in a terminal."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from chipwise import KnowledgeBase, errors
from chipwise.figures.format import plain
from chipwise.knowledge import KnowledgeFolder
from chipwise.reporting.drawing import Scale, fitted, linear_ticks, log_ticks, strip_range
from chipwise.reporting.model import Band, Chart, Mark, Point, Series, Strips
from chipwise.reporting.plots import fitting, kind_of
from chipwise.results import Report
from chipwise.types import Evidence, Role

from .drawings import NAMESPACE, parsed


def said_in(source: str, title: str, publisher: str, published: str, quote: str, line: int) -> Evidence:
    return Evidence(source, title, "", publisher, published, (), Role.BODY, quote, 0, len(quote), line, None, "")


CITED = said_in("note", "Notes", "Example Press", "2026", "It has 80 GB.", 3)
EVIL = said_in("evil", "<b>T</b>", "\x1b[31m</svg><script>", "", "quote \x1b]0;x\x07 </title>", 1)


def mark(middle: float, cited: Evidence = CITED, **known: object) -> Mark:
    values: dict[str, object] = {"low": middle - 1, "high": middle + 1, "text": f"{middle:g} GB", **known}
    return Mark(middle=middle, cited=(cited,), **values)  # type: ignore[arg-type]


def strips(*marks: Mark) -> Strips:
    return Strips("memory", "memory", "GB", (Band("a chip", marks),))


class TestScales:
    def test_a_linear_scale_maps_ends_on_ends_and_keeps_what_is_beyond_at_the_end(self) -> None:
        scale = Scale(10, 20, 100, 300)
        assert [scale(v) for v in (10, 15, 20, 25, -math.inf)] == [100, 200, 300, 300, 100]

    def test_a_logarithmic_scale_puts_the_geometric_middle_in_the_middle(self) -> None:
        assert Scale(1, 100, 0, 50, logarithmic=True)(10) == pytest.approx(25)

    def test_a_small_gap_looks_small(self) -> None:
        low, high = strip_range([989.0, 989.4])
        assert high - low >= 0.5 * 989
        assert low <= 989
        assert high >= 989.4

    def test_ticks_are_round_and_inside(self) -> None:
        assert linear_ticks(742, 1237) == [800, 900, 1000, 1100, 1200]
        assert log_ticks(3, 60) == [5, 10, 20, 50]

    def test_words_are_cut_where_they_would_not_fit(self) -> None:
        assert fitted("short", 200, 13) == "short"
        assert fitted("a long line of words", 60, 13).endswith("…")


class TestStrips:
    def test_a_mark_is_told_apart_by_shape_and_by_colour(self) -> None:
        kinds = [mark(1), mark(1, against=("f",)), mark(1, against=("f",), contradicts=True), mark(1, outdated="old")]
        assert [kind_of(m) for m in kinds] == ["", "odd", "bad", "old"]
        signs = [KnowledgeBase.as_text(strips(m), 80).splitlines()[3] for m in kinds]
        assert [next(c for c in line if c in "●◇◆×") for line in signs] == list("●◇◆×")

    def test_the_interval_is_drawn_to_scale(self) -> None:
        root = parsed(KnowledgeBase.as_svg(strips(mark(100, low=90, high=110), mark(60))))
        spans = [e for e in root.iter() if e.get("class") == "span" and e.get("y1") == e.get("y2")]
        grid = sorted({float(e.get("x1", "")) for e in root.iter() if e.get("class") == "grid"})
        ticks = [float(e.text or "") for e in root.iter() if e.get("text-anchor") == "middle"]
        a_unit = (grid[-1] - grid[0]) / (ticks[-1] - ticks[0])
        wide = max(float(e.get("x2", "")) - float(e.get("x1", "")) for e in spans)
        assert wide == pytest.approx((110 - 90) * a_unit, abs=0.3)

    def test_an_open_side_has_no_end(self) -> None:
        root = parsed(KnowledgeBase.as_svg(strips(mark(80, high=math.inf), mark(60, low=60, high=60))))
        caps = [e for e in root.iter() if e.get("class") == "span" and e.get("x1") == e.get("x2")]
        assert len(caps) == 1

    def test_a_row_names_as_many_of_its_sources_as_fit(self) -> None:
        other = said_in("other", "Other notes", "Other Press", "", "", 1)
        both = replace(mark(1), cited=(CITED, other))
        assert fitting(mark(1), 40) == "Example Press 2026"
        assert fitting(both, 60) == "Other Press, Example Press 2026"
        assert fitting(both, 30) == "Other Press and 1 more"
        assert all(len(fitting(both, letters)) <= letters for letters in range(16, 60))
        assert "\x1b" not in fitting(mark(1, EVIL, note="spot"), 40)

    def test_a_hostile_source_drives_neither_a_terminal_nor_a_drawing(self) -> None:
        plot = strips(mark(80, EVIL))
        assert "\x1b" not in KnowledgeBase.as_text(plot, 80)
        root = parsed(KnowledgeBase.as_svg(plot))
        assert "</title>" in "".join(root.itertext())
        assert not [e for e in root.iter() if "script" in e.tag]


CHART = Chart(
    "test",
    "Test",
    "across (x)",
    "up (y)",
    (
        Series("first", (Point(10, 100, "ten and a hundred", (CITED,)),), ((1, 10), (10, 100), (50, 100))),
        Series("second", (Point(20, 50, "twenty and fifty", (CITED, EVIL)),)),
    ),
    notes=("third: not known",),
)


class TestCharts:
    def test_a_drawing_has_each_point_with_what_it_says(self) -> None:
        for width in (720, 340):
            root = parsed(KnowledgeBase.as_svg(CHART, width))
            assert root.get("viewBox", "").startswith(f"0 0 {width} ")
            told = [e.text for e in root.iter(f"{NAMESPACE}title")]
            assert told == ["Test", "ten and a hundred", "twenty and fifty"]

    def test_a_terminal_has_letters_sources_and_notes(self) -> None:
        text = KnowledgeBase.as_text(CHART, 80)
        assert "A  first\n   ten and a hundred [1]\n" in text
        assert "   twenty and fifty [1][2]\n" in text
        assert "note: third: not known" in text
        assert "[1] Example Press 2026, Notes, line 3 (note)" in text
        assert "\x1b" not in text
        assert max(map(len, text.splitlines())) <= 80 + 8

    def test_no_point_of_a_terminal_falls_outside(self) -> None:
        for width in (24, 40, 100):
            assert KnowledgeBase.as_text(CHART, width).count("A") >= 2


class TestFromAKnowledgeBase:
    def test_the_corner_of_a_roof_is_peak_by_bandwidth(self, folder: KnowledgeFolder) -> None:
        with KnowledgeBase(folder.folder) as kb:
            chart = kb.plot("roofline", "h100 sxm", "mi300x")
        assert isinstance(chart, Chart)
        corners = {s.name: (s.points[0].x, s.points[0].y) for s in chart.series}
        assert corners["H100 SXM"] == pytest.approx((989e12 / 3.35e12, 989))
        assert corners["MI300X"] == pytest.approx((1307.4e12 / 5.3e12, 1307.4))
        for series in chart.series:
            (x1, y1), (x2, y2), _ = series.path
            assert y1 / x1 == pytest.approx(y2 / x2), "below the corner it is bandwidth x intensity"
            assert len(series.points[0].cited) == 2

    def test_what_a_chip_lacks_is_told(self, folder: KnowledgeFolder) -> None:
        with KnowledgeBase(folder.folder) as kb:
            chart = kb.plot("roofline", "v100", dtype="fp8")
        assert isinstance(chart, Chart)
        assert chart.is_empty
        assert "dense FP8 peak" in chart.notes[0]

    def test_a_price_of_a_chip_is_a_point_by_provider(self, folder: KnowledgeFolder) -> None:
        with KnowledgeBase(folder.folder) as kb:
            chart = kb.plot("price-performance", "h100")
        assert isinstance(chart, Chart)
        (series,) = chart.series
        assert len(series.points) > 3
        for point in series.points:
            assert point.y == 989
            assert 0.5 < point.x < 50
            assert f"= {plain(point.y / point.x)} TFLOPS" in point.says

    def test_a_metric_has_a_row_for_each_source_and_marks_who_contradicts(self, report: Report) -> None:
        memory = next(plot for plot in report.strips if plot.id == "memory_capacity")
        band = next(b for b in memory.bands if b.title.startswith("NVIDIA H200"))
        said = {m.text: m.contradicts for m in band.marks}
        assert said["141 GB"] or said["96 GB"]
        assert {"96 GB", "150 GB"} <= set(said)
        assert memory.bands[0].disagrees, "what disagrees comes first"

    def test_a_figure_has_one_mark_whoever_says_it(self, report: Report) -> None:
        for band in (band for plot in report.strips for band in plot.bands):
            given = [(f"{m.low:.6g}", f"{m.high:.6g}", bool(m.outdated)) for m in band.marks]
            assert len(given) == len(set(given))

    def test_what_one_source_alone_says_and_no_finding_quotes_has_no_mark(self, report: Report) -> None:
        for band in (band for plot in report.strips for band in plot.bands):
            sure = [m.curated or bool(m.against) or m.sources > 1 for m in band.marks]
            assert all(sure) or not any(sure)

    def test_the_chips_of_a_chart_are_of_several_makers(self, folder: KnowledgeFolder) -> None:
        with KnowledgeBase(folder.folder) as kb:
            chart = kb.plot("roofline")
        assert isinstance(chart, Chart)
        assert len(chart.series) == 8
        names = " ".join(s.name for s in chart.series)
        assert all(name in names for name in ("H100", "MI300X", "TPU"))

    @pytest.mark.parametrize(
        ("what", "names"),
        [
            ("zorgon", ()),
            ("roofline", ("zorgon",)),
            ("roofline", ("dgx h100",)),
            ("memory capacity", ("fp8",)),
            ("h100", ()),
        ],
    )
    def test_what_names_nothing_to_draw_is_an_error(
        self, folder: KnowledgeFolder, what: str, names: tuple[str, ...]
    ) -> None:
        with KnowledgeBase(folder.folder) as kb, pytest.raises(errors.NameUnknown):
            kb.plot(what, *names)

    def test_a_metric_without_figures_is_an_error(self, folder: KnowledgeFolder) -> None:
        with KnowledgeBase(folder.folder) as kb, pytest.raises(errors.QuestionInvalid, match="is not a number"):
            kb.plot("memory type")
