"""What a question asks for, as one typed value: of which things, which measures, in what order, under what conditions.

    "Which GPUs have at least 100 GB and draw under 1,000 W?"
        -> Query(of=Set(lines=("gpu",), where=(memory_capacity >= 100 GB, tdp < 1,000 W)))
    "2x H200 or one MI300X: which has more memory?"
        -> Query(of=Set((Counted("nvidia-h200", 2), Counted("amd-mi300x"))), what=(memory_capacity,), order=most)

One thing and a measure is a look-up, several are a comparison, an order ranks, a condition filters, an assertion is verified.
A `Wish` is what a question wants worked out, and how surely: `wishes` reads it off the question, the plans for a sum go by it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import field
from enum import StrEnum
from typing import Literal

from chipwise.claims.model import Qualifiers, Scope
from chipwise.domain.formulas import Variable
from chipwise.numbers.quantity import Quantity
from chipwise.text import Span, content_words
from chipwise.values import dataclass

CLOUDS, COUNTS, DESIGNER = "cloud_availability", "chips_per_node", "designer"
PRICES = ("price_per_hour", "purchase_price")
Side = Literal["most", "least", "best", "worst"]  # which way the better one looks depends on what is measured
Relation = Literal["", "difference", "ratio", "percent", "same", "count"]  # count: how many of the first
FIT, NOTHING = "fit", ""  # what is wanted beside variables: whether it fits; no sum
SURELY_WANTED, LEAST_WANTED = 0.6, 0.04  # probabilities: without much doubt; below it something else is meant
_NAMED = 3.0  # times as likely
_NEED = "need"  # the variable of what has to fit


class Kind(StrEnum):
    """The kind of answer that a question wants. A reason, advice and a meaning stand in no table."""

    LOOKUP = "lookup"
    COMPARISON = "comparison"
    DEFINITION = "definition"
    YES_NO = "yes/no"
    WHY = "why"
    ADVICE = "advice"
    LIST = "list"
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class Measure:
    """A metric of the domain, on the axes that the question names; "" of a figure that is given. `unit` as asked for, or ""."""

    metric: str
    axes: Qualifiers = ()
    scope: Scope | None = None
    unit: str = ""


@dataclass(frozen=True, slots=True)
class Counted:
    """So many of one thing: "2x H200". `count` is None where none is named, which is one of it for a property."""

    entity: str
    count: int | None = None
    unit: str = ""  # what they are together: "node" of "an 8x H100 node", "slice" of "v4-2048"


@dataclass(frozen=True, slots=True)
class Unknown:
    """A name of nothing that is known ("RTX 6090"), and what is known of its series: an answer says so, and never takes a relative for it."""

    name: str
    known: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Condition:
    """What members of a set have to fulfil: a figure within bounds ("at least 100 GB"), a category ("in FP8", "on AWS"), the chips of a machine."""

    measure: Measure
    value: Quantity | Counted | str
    holds: bool = True  # False for "without HBM"
    strict: bool = False  # "more than 100 GB", which 100 GB are not


@dataclass(frozen=True, slots=True)
class Set:
    """Which things are asked about: those named, or all of some lines, kinds and makers that fulfil the conditions; or none."""

    entities: tuple[Counted, ...] = ()
    lines: tuple[str, ...] = ()  # ids of lines and families: "gpu", "tpu"
    kinds: tuple[str, ...] = ()  # of entities: "chip", "system"; of terms: "cloud", "company", "framework"
    makers: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    where: tuple[Condition, ...] = ()
    unknown: tuple[Unknown, ...] = ()

    @property
    def is_open(self) -> bool:
        """True where the members have to be looked for."""
        return not self.entities and bool(self.lines or self.kinds or self.makers)


@dataclass(frozen=True, slots=True)
class Order:
    """The most or the least first, of the first measure of the query; `limit` as asked for, 1 for "which has more"."""

    first: Side
    limit: int = 1


@dataclass(frozen=True, slots=True)
class Assertion:
    """What the question puts forward to be judged: a value, a category, or that the first thing named has more than the others."""

    value: Quantity | str | None = None  # None for a comparison: `order` says of what there is more
    holds: bool = True  # False for "has no NVLink"
    strict: bool = False  # "more than 141 GB"
    others: tuple[str, ...] = ()  # categories beside `value` of which one is to be picked: "Volta or Turing"


@dataclass(frozen=True, slots=True)
class Query:
    """One reading of a question: the table is read by its first half, passages are searched and sums are set up by its second.

    `at` are axes that hold for all measures: a date, a cloud, terms of a price, the work to be done. `left` are words not accounted
    for, `assumed` says what was filled in and not asked, `unused` what changes nothing and is told as such.

    `subjects` has one tuple of entity ids for each thing named, several ids where a name is ambiguous; `metrics` are what its words
    may measure, and `parts` those of each of several measures that are joined. `stressed` are the words of what is named; `names` look
    like names of nothing known (a digit, or a capital inside the sentence), in lower case. `unit` is what it wants counted or
    measured in, `side` which way its words rank or compare. What is asked begins at `since`, what stands before it was said before.
    """

    text: str
    of: Set = Set()
    what: tuple[Measure, ...] = ()
    order: Order | None = None
    relate: Relation = ""  # how the figures of several are put
    asserts: Assertion | None = None
    at: Qualifiers = ()
    left: tuple[Span, ...] = ()
    assumed: tuple[str, ...] = ()
    unused: tuple[str, ...] = ()
    kind: Kind = Kind.OPEN
    subjects: tuple[tuple[str, ...], ...] = ()
    metrics: tuple[str, ...] = ()
    parts: tuple[tuple[str, ...], ...] = ()
    terms: tuple[str, ...] = ()
    stressed: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    unit: str = ""
    side: str = ""
    wants_number: bool = False
    wants_opinion: bool = False
    wants_verdict: bool = False  # yes or no answers it
    since: int = 0

    @property
    def words(self) -> tuple[str, ...]:
        """The words that say something, in order."""
        return tuple(content_words(self.text[self.since :]))

    @property
    def years(self) -> tuple[str, ...]:
        """The years that it is about."""
        return tuple(dict.fromkeys(value[:4] for axis, value in self.at if axis == "as_of" and value))

    @property
    def unknown(self) -> tuple[str, ...]:
        """Names of a series or a line that nothing there has, as written."""
        return tuple(u.name for u in self.of.unknown)


@dataclass(frozen=True, slots=True)
class Wish:
    """The probability of each variable, of FIT and of NOTHING; empty where nothing tells."""

    shares: Mapping[str, float] = field(default_factory=dict)

    @property
    def surely(self) -> str | None:
        """What is wanted without much doubt; None where nothing is sure."""
        likeliest = max(self.shares, key=self.shares.__getitem__, default=None)
        return likeliest if likeliest is not None and self.shares[likeliest] >= SURELY_WANTED else None

    def is_one_of(self, wants: Collection[str]) -> bool:
        """True where one of these is wanted without much doubt, whichever: what a model needs, its weights, whether that fits."""
        return sum(self.shares.get(want, 0.0) for want in wants) >= SURELY_WANTED

    def given(self, known: Collection[str], named: Collection[str]) -> Wish:
        """The same where some variables are known, and not wanted, and the metrics of others are named, which makes them likelier."""
        left = {v: share * (_NAMED if v in named else 1) for v, share in self.shares.items() if v not in known}
        return Wish({v: share / (sum(left.values()) or 1.0) for v, share in left.items()})

    def of(self, variable: Variable, variables: Mapping[str, Variable]) -> float:
        """How likely a variable is wanted: of one chip or of all, which the figures decide."""
        every = {variable.id, variable.total, *(v.id for v in variables.values() if v.total == variable.id)}
        every |= {FIT} if variable.id == _NEED else set()
        return sum(self.shares.get(v, 0.0) for v in every if v)
