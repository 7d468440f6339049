"""The types of a knowledge base's results, for annotations; the most common ones are in `chipwise` itself."""

# ruff: noqa: PLC0414 (mypy takes a name for public that is imported as itself)

from __future__ import annotations

from chipwise.answering.searching import Hit as Hit
from chipwise.audit.acknowledging import Acknowledged as Acknowledged
from chipwise.audit.codes import Code as Code
from chipwise.audit.codes import Codes as Codes
from chipwise.audit.marks import Mark as Mark
from chipwise.audit.model import Judgement as Judgement
from chipwise.audit.model import Remark as Remark
from chipwise.building.documents import AddReport as AddReport
from chipwise.building.planning import BuildReport as BuildReport
from chipwise.figures.judge import Standing as Standing
from chipwise.figures.network import Derivation as Derivation
from chipwise.figures.relate import Relation as Relation
from chipwise.health import Ailment as Ailment
from chipwise.health import Status as Status
from chipwise.learning.figures import Cited as Cited
from chipwise.learning.progress import Progress as Progress
from chipwise.learning.steps import Course as Course
from chipwise.learning.steps import Option as Option
from chipwise.learning.steps import Step as Step
from chipwise.lookups.compare import Comparison as Comparison
from chipwise.lookups.compare import ComparisonRow as ComparisonRow
from chipwise.lookups.facts import FactList as FactList
from chipwise.lookups.find import Echo as Echo
from chipwise.lookups.find import Match as Match
from chipwise.lookups.find import Trace as Trace
from chipwise.lookups.listing import Listing as Listing
from chipwise.reporting.model import Chart as Chart
from chipwise.reporting.model import Report as Report
from chipwise.reporting.model import Strips as Strips
from chipwise.sizing.worksheet import Fit as Fit
from chipwise.sizing.worksheet import Worksheet as Worksheet
from chipwise.types import Passage as Passage
from chipwise.types import SourceInfo as SourceInfo
