"""Reports and plots as text to be written: a page, a drawing, characters."""

from __future__ import annotations

from pathlib import Path

from chipwise.files import write_atomically
from chipwise.reporting.chartsvg import draw_chart
from chipwise.reporting.model import Chart, Plot, Report
from chipwise.reporting.page import page
from chipwise.reporting.stripsvg import draw_strips
from chipwise.reporting.svg import document
from chipwise.reporting.terminal import chart_text, strips_text


def as_svg(plot: Plot, width: int) -> str:
    """An SVG document, `width` pixels wide."""
    return document(draw_chart(plot, width) if isinstance(plot, Chart) else draw_strips(plot, width))


def as_text(plot: Plot, width: int) -> str:
    """Drawn in characters, `width` columns wide."""
    return chart_text(plot, width) if isinstance(plot, Chart) else strips_text(plot, width)


def save(made: Report | Plot, path: Path, width: int) -> None:
    """Puts a page or a drawing into a file, in place of what is there. Raises StorageFailed."""
    write_atomically(path, page(made) if isinstance(made, Report) else as_svg(made, width))
