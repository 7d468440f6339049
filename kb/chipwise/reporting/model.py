"""What a report and a plot are made of, as values: nothing here draws.

    Strips   figures of one metric, by what they are of             (`plot "memory bandwidth"`)
    Chart    points and lines over two logarithmic axes             (`plot roofline`, `plot price-performance`)
    Report   findings, a table of chips, strips and charts          (`report`)

Every number in a plot carries where it stands. Values are in the plot's own unit.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from chipwise.audit.codes import Codes
    from chipwise.audit.model import Audit
    from chipwise.types import Evidence, SourceInfo

TELLING = ("contradiction", "scope", "drift", "unresolved")  # verdicts that mark a figure and a source


@dataclass(frozen=True, slots=True)
class Mark:
    """One figure as all that say so write it: its interval, whose `low` or `high` may be infinite, and the number.

    `against` are the fingerprints of the findings that quote it, `contradicts` is True where one of them is a
    contradiction about this metric. `outdated` says why the facts table calls it wrong, "" where it does not.
    """

    low: float
    high: float
    middle: float
    text: str
    cited: tuple[Evidence, ...]
    note: str = ""
    against: tuple[str, ...] = ()
    contradicts: bool = False
    outdated: str = ""
    curated: bool = False  # True where it is a fact of the table

    @property
    def sources(self) -> int:
        """How many sources say so."""
        return len({cited.source for cited in self.cited})


@dataclass(frozen=True, slots=True)
class Band:
    """All figures of one thing, the lowest first."""

    title: str
    marks: tuple[Mark, ...]

    @property
    def contradicts(self) -> bool:
        """True where one of them is in a contradiction."""
        return any(mark.contradicts for mark in self.marks)

    @property
    def disagrees(self) -> bool:
        """True where a finding quotes one of them."""
        return any(mark.against for mark in self.marks)

    @property
    def sources(self) -> int:
        """How many sources have a say."""
        return len({cited.source for mark in self.marks for cited in mark.cited})


@dataclass(frozen=True, slots=True)
class Strips:
    """The figures of one metric; `left_out` counts the things whose figures did not fit."""

    id: str
    title: str
    unit: str
    bands: tuple[Band, ...]
    left_out: int = 0
    notes: tuple[str, ...] = ()

    @property
    def is_empty(self) -> bool:
        """True where there is nothing to draw."""
        return not self.bands


@dataclass(frozen=True, slots=True)
class Point:
    """One thing's place in a chart; `says` how it comes about, `cited` each figure that it rests on."""

    x: float
    y: float
    says: str
    cited: tuple[Evidence, ...]


@dataclass(frozen=True, slots=True)
class Series:
    """What one chip has in a chart: a line through `path`, and points. Drawn in one color and with one shape."""

    name: str
    points: tuple[Point, ...]
    path: tuple[tuple[float, float], ...] = ()


@dataclass(frozen=True, slots=True)
class Chart:
    """Series over two logarithmic axes, called `x` and `y` with their units; `notes` say what is not in it, and why.

    `guides` are lines of equal y / x that help to read it: 400 (the unit is in a note).
    """

    id: str
    title: str
    x: str
    y: str
    series: tuple[Series, ...]
    guides: tuple[float, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def is_empty(self) -> bool:
        """True where there is nothing to draw."""
        return not self.series


Plot = Strips | Chart


@dataclass(frozen=True, slots=True)
class ChipRow:
    """A chip's row of the table: by column the figure as it is written and where it stands, None where nobody gives one."""

    name: str
    figures: tuple[tuple[str, Evidence] | None, ...]
    sources: int


@dataclass(frozen=True, slots=True)
class Report:
    """Everything that the page shows. `links` are the addresses that may be followed, by source: those of shipped sources."""

    audit: Audit
    codes: Codes
    data: str  # "chipwise 0.1.0, data of 2026-11-28"
    columns: tuple[str, ...]
    chips: tuple[ChipRow, ...]
    strips: tuple[Strips, ...]
    charts: tuple[Chart, ...]
    sources: tuple[SourceInfo, ...]
    subjects: Mapping[str, str]  # what a finding is about, by its subject: the chip's name
    links: Mapping[str, str] = field(default_factory=dict)
