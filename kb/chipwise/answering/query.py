"""What a question asks for, as one typed value: of which things, which measures, in what order, under what conditions.

    "Which GPUs have at least 100 GB and draw under 1,000 W?"
        -> Query(of=Set(lines=("gpu",), where=(memory_capacity >= 100 GB, tdp < 1,000 W)))
    "2x H200 or one MI300X: which has more memory?"
        -> Query(of=Set((Counted("nvidia-h200", 2), Counted("amd-mi300x"))), what=(memory_capacity,), order=most)

There is no list of kinds of questions. What a query is shows in what it fills: one thing and a measure is a look-up, several are
a comparison, an order ranks, a condition filters, and an assertion is verified. What figures of the question lead to is a sum.
"""

from __future__ import annotations

from typing import Literal

from chipwise.claims.model import Qualifiers, Scope
from chipwise.numbers.quantity import Quantity
from chipwise.values import dataclass

Span = tuple[int, int]
CLOUDS, COUNTS, DESIGNER = "cloud_availability", "chips_per_node", "designer"
PRICES = ("price_per_hour", "purchase_price")
Side = Literal["most", "least", "best", "worst"]  # which way the better one looks depends on what is measured
Relation = Literal["", "difference", "ratio", "percent", "same", "count"]  # count: how many of the first


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
    """What members of a set have to fulfil: a figure within bounds ("at least 100 GB"), or a category ("in FP8", "on AWS")."""

    measure: Measure
    value: Quantity | str
    holds: bool = True  # False for "without HBM"
    strict: bool = False  # "more than 100 GB", which 100 GB are not


@dataclass(frozen=True, slots=True)
class Set:
    """Which things are asked about: those named, or all of some lines, kinds and makers that fulfil the conditions.

    An empty set asks about no product ("What is MFU?").
    """

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
    """One reading of a question.

    `at` are axes that hold for all measures: a date, a cloud, terms of a price, the work to be done. `left` are words that nothing in the query accounts for: where there are any, passages are read too, and the answer says
    which words were not used. `assumed` says in words what was filled in and not asked, `unused` are figures that change nothing and that the answer tells.
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

    @property
    def confidence(self) -> float:
        """The share of the question's letters that it accounts for, in [0, 1]."""
        left = sum(len(self.text[start:end].replace(" ", "")) for start, end in self.left)
        return 1 - left / max(1, len(self.text.replace(" ", "")))
