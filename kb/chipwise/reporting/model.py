"""What a report and a plot are made of, as values: nothing here draws.

    Strips   figures of one metric, by what they are of and by source   (`plot "memory bandwidth"`)
    Chart    points and lines over two logarithmic axes                 (`plot roofline`, `plot price-performance`)
    Report   findings, a matrix, strips and charts                      (`report`)

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
    """One figure of one source: its interval, and the number as one writes it. `low` or `high` may be infinite.

    `against` are the fingerprints of the findings that quote it, `contradicts` is True where one of them is a
    contradiction about this metric. `outdated` says why the facts table calls it wrong, "" where it does not.
    """

    low: float
    high: float
    middle: float
    text: str
    cited: Evidence
    note: str = ""
    against: tuple[str, ...] = ()
    contradicts: bool = False
    outdated: str = ""


@dataclass(frozen=True, slots=True)
class Band:
    """All figures of one thing, the lowest first."""

    title: str
    marks: tuple[Mark, ...]

    @property
    def disagrees(self) -> bool:
        """True where a finding quotes one of them."""
        return any(mark.against for mark in self.marks)

    @property
    def sources(self) -> int:
        """How many sources have a say."""
        return len({mark.cited.source for mark in self.marks})


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
class Axis:
    """A logarithmic axis: "arithmetic intensity", "FLOP/byte"."""

    name: str
    unit: str

    @property
    def title(self) -> str:
        """The name with the unit."""
        return f"{self.name} ({self.unit})" if self.unit else self.name


@dataclass(frozen=True, slots=True)
class Point:
    """One thing's place in a chart; `says` how it comes about, `cited` each figure that it rests on."""

    x: float
    y: float
    says: str
    cited: tuple[Evidence, ...]


@dataclass(frozen=True, slots=True)
class Series:
    """What one chip has in a chart: a line through `path`, and points. Drawn in one colour and with one shape."""

    name: str
    points: tuple[Point, ...]
    path: tuple[tuple[float, float], ...] = ()


@dataclass(frozen=True, slots=True)
class Guide:
    """A line that helps to read a chart, with its label."""

    label: str
    path: tuple[tuple[float, float], tuple[float, float]]


@dataclass(frozen=True, slots=True)
class Chart:
    """Series over two logarithmic axes; `notes` say what is not in it, and why."""

    id: str
    title: str
    x: Axis
    y: Axis
    series: tuple[Series, ...]
    guides: tuple[Guide, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def is_empty(self) -> bool:
        """True where there is nothing to draw."""
        return not self.series


Plot = Strips | Chart


@dataclass(frozen=True, slots=True)
class Matrix:
    """How often each source speaks of each subject; `disputed` maps (source, subject) to the finding that is worst there."""

    subjects: tuple[tuple[str, str], ...]  # id, name
    sources: tuple[SourceInfo, ...]
    counts: Mapping[tuple[str, str], int]
    disputed: Mapping[tuple[str, str], str]
    left_out: int = 0  # sources that speak of none of the subjects


@dataclass(frozen=True, slots=True)
class Report:
    """Everything that the page shows. `links` are the addresses that may be followed, by source: those of shipped sources."""

    audit: Audit
    codes: Codes
    matrix: Matrix
    strips: tuple[Strips, ...]
    charts: tuple[Chart, ...]
    sources: tuple[SourceInfo, ...]
    links: Mapping[str, str] = field(default_factory=dict)
