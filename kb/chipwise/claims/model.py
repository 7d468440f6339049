"""What a source says, as data.

    "The H100 has 80 GB of HBM3, up to 2x the A100's memory."
        -> Claim(nvidia-h100, memory_capacity, 80 GB, memory_kind=hbm3)
        -> Claim(nvidia-h100, memory_capacity, <= 2x, baseline=nvidia-a100)

A slot that the text does not fill stays empty: "not stated" is a value of its own,
and never a default.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from chipwise.numbers.quantity import Quantity
from chipwise.values import dataclass

DOUBTED = "doubted"  # the attribution of what the source itself calls wrong or casts doubt on
RELEASE = "release"  # the "approx" of a date that may be the launch's or that of general availability, months later
Qualifiers = tuple[tuple[str, str], ...]  # (axis, value), by axis
_UNIT = "aggregation"  # this axis and the next are together a scope
_COUNT = "count"


@dataclass(frozen=True, slots=True)
class Scope:
    """What a figure is the figure of: one chip, a node of 8, a pod of 8,960. `count` is None where it is not stated.

    `unit` is "" where only a number of chips is stated.
    """

    unit: str
    count: int | None = None


@dataclass(frozen=True, slots=True)
class Key:
    """What a value is the value of. Two values with one key can be compared.

    `scope` is None where it is not stated, and an axis that is not stated is not among `axes`.
    """

    subject: str
    metric: str
    scope: Scope | None = None
    axes: Qualifiers = ()

    @classmethod
    def of(cls, subject: str, metric: str, qualifiers: Qualifiers) -> Key:
        """The key of a statement with these qualifiers."""
        stated = dict(qualifiers)
        unit, count = stated.pop(_UNIT, ""), stated.pop(_COUNT, "")
        scope = Scope(unit, int(count) if count else None) if unit or count else None
        return cls(subject, metric, scope, tuple(sorted(stated.items())))

    @property
    def is_of_one(self) -> bool:
        """True for what may be one chip's: its scope is a chip, or is not stated."""
        return self.scope is None or self.scope.unit in ("", "chip")

    def axis(self, name: str) -> str:
        """The value on an axis, or "" where it is not stated."""
        return next((value for axis, value in self.axes if axis == name), "")


class Modality(StrEnum):
    """How the text puts what it says."""

    SPECIFIED = "specified"  # a property that the maker gives, stated as it is
    MEASURED = "measured"
    PRICED = "priced"
    REPORTED = "reported"  # of someone else: "reportedly", "according to"
    ESTIMATED = "estimated"  # "analysis suggests", "roughly", "could"
    HYPOTHETICAL = "hypothetical"  # "suppose", "even if", "for example"
    PROMISED = "promised"  # "will", "is expected to"


@dataclass(frozen=True, slots=True)
class Claim:
    """One statement of one source.

    A figure has a `quantity`; a category ("runs PyTorch") an `object`, the id of a
    term or an entity, and `polarity` False where the text denies it. `baseline` is
    the entity that a multiple, change or discount is against. `attribution` holds
    the words for whoever is reported to say it, empty where the source itself does.
    `doubt` is why it is not certain that the text says this, "" where it is: a doubtful
    claim is shown and searched for, and never compared. `confidence` is how sure the
    claim reader is of subject and metric, and `rivals` what else it may be: subject, metric, scope
    and probability, likeliest first.

    `[start, end)` is the sentence or table row and `[value_start, value_end)` the
    figure or the words for the category, both in the source's text.
    """

    source: str
    passage: int  # ordinal in its source
    start: int
    end: int
    value_start: int
    value_end: int
    subject: str
    metric: str
    quantity: Quantity | None = None
    object: str = ""
    baseline: str = ""
    qualifiers: Qualifiers = ()
    modality: Modality = Modality.SPECIFIED
    attribution: str = ""
    polarity: bool = True
    doubt: str = ""
    confidence: float = 1.0
    rivals: tuple[tuple[str, str, str, float], ...] = ()

    @property
    def key(self) -> Key:
        """What this is the value of."""
        return Key.of(self.subject, self.metric, self.qualifiers)

    def qualifier(self, axis: str) -> str:
        """The value on `axis`, or "" where it is not stated."""
        for name, value in self.qualifiers:  # asked of every pair of claims, a million times an audit
            if name == axis:
                return value
        return ""

    def states(self, wanted: Mapping[str, str]) -> bool:
        """True where it has the value that is wanted on each axis."""
        return all(self.qualifier(axis) == value for axis, value in wanted.items())


@dataclass(frozen=True, slots=True)
class Citation:
    """Where a fact's quote stands: a digest need not be a source of the knowledge base that uses its facts."""

    title: str
    origin: str
    publisher: str
    published: str
    quote: str
    line: int


@dataclass(frozen=True, slots=True)
class Fact:
    """A claim that the curated table stands behind, at a rank.

    `rank` is preferred, normal or deprecated, the last with a `reason`. The claim's
    spans point into the digest that it cites; `value` and `unit` are as the table writes them.
    """

    id: str
    claim: Claim
    value: str
    unit: str
    rank: str
    reason: str
    as_of: str
    place: str  # in the table: "nvidia.csv:12"; empty for what an added document says
    citation: Citation

    @property
    def amount(self) -> float:
        """In base units: of a range its middle, of a bound what it is bound by; 0 for a category."""
        quantity = self.claim.quantity
        return quantity.middle if quantity is not None else 0.0

    @property
    def is_single(self) -> bool:
        """True for one number, be it an "about"; false for a bound, a range, a category."""
        quantity = self.claim.quantity
        return quantity is not None and quantity.is_single

    @property
    def is_exact(self) -> bool:
        """True for one number that nothing qualifies."""
        quantity = self.claim.quantity
        return quantity is not None and quantity.is_single and quantity.bound == "exact"


@dataclass(frozen=True, slots=True)
class Figure:
    """One number that a sentence states, its span counted from the passage's start.

    `subject` or `metric` is empty where the text does not tell.
    """

    subject: str
    metric: str
    quantity: Quantity


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of a passage with what it names, by which answering ranks it.

    `entities` are named in it; `carried` are what it is about without naming
    them. Spans count from the passage's start.
    """

    start: int
    end: int
    entities: tuple[str, ...] = ()
    carried: tuple[str, ...] = ()
    metrics: tuple[str, ...] = ()
    terms: tuple[str, ...] = ()
    figures: tuple[Figure, ...] = ()

    @property
    def subjects(self) -> tuple[str, ...]:
        """What it is about: named, or carried from before."""
        return self.entities or self.carried


@dataclass(frozen=True, slots=True)
class Category:
    """One thing said of `subject`; `[start, end)` are the words for `object` in the sentence.

    `qualifiers` are of exclusive (only: the object is all there is; subject: there is no other subject),
    degree, scale and condition, the last verbatim, and approx, what blurs a date. `doubt` is why it is not certain, or ""; `confidence` is
    lower where the words may be bound to something else.
    """

    subject: str
    relation: str
    object: str
    start: int
    end: int
    polarity: bool = True
    qualifiers: tuple[tuple[str, str], ...] = ()
    doubt: str = ""
    confidence: float = 1.0
