"""The key of one cell: metric, unit, axes and product, each by the nearest label that says it. No fact is known here."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field, replace
from decimal import Decimal
from enum import Enum
from functools import cached_property
from typing import Final, NamedTuple

from chipwise.domain.model import COUNTED_CHIPS, Domain
from chipwise.grids.arithmetic import number_of
from chipwise.grids.labels import CHIPS, UNCLEAR, UNSURE, Labels, Meaning, words_of
from chipwise.grids.tree import Label, Node
from chipwise.numbers.quantity import Quantity
from chipwise.values import dataclass

NO_UNIT: Final = "its unit is not stated"
_UNKNOWN_NAME: Final = "its name has an unknown word"
_OTHER, _MORE = "makes another quantity of a label", "its label says more"
_COUNT, _PEAK, _PRICE = "count", "compute_rate", "price_rate"
_KIND, _DTYPE, _GROUP, _DIRECTION = "memory_kind", "dtype", "group", "direction"
_SCOPE, _BANDWIDTH = "aggregation", "a bandwidth of something"
# axes that a comment farther out states; of its scope and memory it may speak for another
OF_ALL: Final = frozenset((_DTYPE, "sparsity", "direction", "engine"))
_NO_FIGURE: Final = frozenset(("text", "date"))
_MINUTE, _RATES = 60.0, ("token_rate", _PEAK)
_MOST_OWNERS, _MOST_OF = 4, 256  # products of a cell, and times that it can have a figure
_LONGEST_FORM: Final = 60  # characters of a label that adds a form factor to a name
_PROCESSORS, _OF_CHIP = "CPUs", "memory_capacity"  # what only a machine has; what a chip has beside them
_BINARY: Final = Decimal(2**20)
_BINARY_PREFIXES: Final = ("Mi", "Gi", "Ti")  # without the B, as Kubernetes writes "80Gi"
_IN_FULL: Final = 10**9  # from which a number is written in full, and no prefix of a unit is meant as well


class Place(Enum):
    """Where a label stands, as seen from the cell."""

    OWN = "own"  # the cell's key
    NOTE = "note"
    NAME = "name"  # what names the record or the row
    SIDE = "side"  # another field of the record
    HEAD = "head"  # the key of what encloses it
    FILE = "file"


_LABELS: Final = (Place.OWN, Place.NAME, Place.HEAD, Place.FILE)


class Around(NamedTuple):
    """A label around a cell, `level` steps out."""

    label: Label
    place: Place
    level: int


@dataclass(slots=True)
class Level:
    """A node on the way to a cell, with what its fields say of each other."""

    node: Node
    names: list[Label] = field(default_factory=list)
    sides: list[Label] = field(default_factory=list)
    alike: bool = True  # the numbers in it go by one key, or by none
    chips: int = 0
    products: tuple[str, ...] = ()  # the names of those that its rows or keys are of


@dataclass(frozen=True, slots=True)
class Reading:
    """A cell as read. Without `subject` or `metric` where the labels leave it open; `doubt` is why it is not sure."""

    cell: Label
    subject: str
    metric: str
    quantity: Quantity | None
    object: str = ""
    axes: tuple[tuple[str, str], ...] = ()
    doubt: str = ""
    baseline: str = ""
    chips: int = 0  # that its record gives
    measured: bool = False  # as its record is


@dataclass()
class CellKey:
    """One cell with the meanings of its labels, nearest first."""

    domain: Domain
    labels: Labels
    node: Node
    above: tuple[Level, ...]
    meant: list[tuple[Around, Meaning]]
    sole: tuple[str, ...]

    @cached_property
    def _said(self) -> list[tuple[Around, Meaning]]:
        return [(a, m) for a, m in self.meant if a.place is Place.OWN]

    def readings(self) -> Iterator[Reading]:
        """What the cell says, of each product that it is about."""
        value = self.node.value
        assert value is not None  # noqa: S101
        number = number_of(value.text)
        stated = self._stated(value.text) if number is None else None
        written = "" if stated is not None or number is not None else self._bare(value.text)
        if number is None and stated is None and not written:
            yield from self._categories(value)
            return
        if (self._is_unplaced() or self._is_opaque()) if stated is None else self.labels.meaning(value.text).entities:
            return  # "8 x MI300X 192 GB" names a machine
        metric = self._metric(stated) if stated is not None else self._of_labels("")
        factors = [self.labels.meaning(label.text) for label in self.node.units]  # "max_comp_units" names no unit
        if not metric or any(not m.units and m.scale == 1 and max(map(len, m.left), default=0) > 1 for m in factors):
            return
        number = self._version(metric, number)
        priced = None if stated is None else self._per_hour(metric, stated, value.text)
        quantity, doubt = priced or self._quantity(metric, number, written)
        if quantity is None:
            return
        start, end = 0, value.end - value.start
        if stated is not None and end == len(value.text):
            start, end = stated.start, min(stated.end, end)
        quantity = replace(quantity, start=value.start + start, end=value.start + end)
        subjects, unsure = self._subjects(metric)
        axes = self._axes(metric)
        doubt = doubt or self._unused(metric)
        if self._is_of_run:
            metric = self.domain.metrics[metric].measured_as or metric
        if dict(axes).get(_SCOPE) in ("chip", "core", "die"):
            subjects = [self.domain.nearest_chip(subject) or subject for subject in subjects]
        against = next((m.against for _, m in self.meant if m.against), "")
        for subject in subjects or [""]:
            holds = any(self.labels.names_holder(a.label.text) for a, _ in self._said)
            if metric == CHIPS and self.domain.is_chip(subject) and not holds:
                continue  # how many are in an offer is no property of the chip
            of = self.domain.metric_of(metric, subject) if subject else metric
            baseline = against if quantity.compares else ""
            yield Reading(value, subject, of, quantity, "", axes, doubt or unsure, baseline, measured=self._is_of_run)

    def _version(self, metric: str, number: Decimal | None) -> Decimal | None:
        """The 8.6 of (8, 6), which is one version; None of its second part."""
        parts = [c for c in self.above[0].node.children if c.value and not c.keys] if self.above else []
        if not self.domain.metrics[metric].exact or self.node not in parts[:2] or len(parts) < 2:  # noqa: PLR2004
            return number
        written = ".".join(c.value.text for c in parts[:2] if c.value)
        return number_of(written) if self.node is parts[0] else None

    @cached_property
    def _is_of_run(self) -> bool:
        """True in a record of what was measured: TFLOPS beside tokens per second are achieved, unless their own label is a peak's."""
        if any({_DTYPE, "basis"} & {*m.axes} for _, m in self._said):
            return False
        keys = [c.keys[0].text for level in self.above[:1] for c in level.node.children if c.keys]
        meant, units = [self.labels.meaning(key) for key in keys], self.domain.units
        times = (m.units["time"] for m in meant if set(m.units) == {"time"} and not m.metrics)  # "Time (μs)", no year
        rates = (self.domain.metrics[i] for m in meant for i in m.metrics)
        timed = any(units[unit].scale <= _MINUTE for unit in times)
        return timed or any(r.nature == "measured" and r.dimension in _RATES for r in rates)

    @property
    def _in_row(self) -> bool:
        return bool(self.above) and self.above[0].node.row

    def _stated(self, text: str) -> Quantity | None:
        """The figure with a unit that a cell gives: the one at its beginning or the only one, of a sum its result."""
        found = self.domain.unit_table.find(f"{text}B" if text.endswith(_BINARY_PREFIXES) else text)
        found = [q for q in found if q.start > text.rfind("=")] or found
        one = text[found[0].start : found[0].end] if len(found) > 1 else "-"
        if one.isdigit() and text[found[0].end :].startswith("/"):
            return None  # "8/16GB" are two
        first = [q for q in found if q.start <= 1] or [q for q in found if len(found) == 1 and self._in_row]
        return first[0] if first and first[0].count <= _MOST_OF else None  # "4,500 x 72 TFLOPS" are 72 times 4,500

    def _bare(self, text: str) -> str:
        """The number of a cell without a unit, with the signs and words for its precision: "~1,980", "54.2 billion", "528 (4th gen)"."""
        core = "" if self.labels.meaning(text).entities else text.partition("(")[0].strip()
        found = self.domain.unit_table.find_all(core) if any(map(str.isdigit, core)) else []
        rest = core[found[0].end :].strip() if len(found) == 1 else "-"
        alone = len(found) == 1 and found[0].start <= 1 and len(rest) <= 1
        return core if alone and found[0].dimension == "number" else ""

    def _metric(self, stated: Quantity) -> str:
        """The metric of a figure with a unit; a price under a header of prices per hour is one."""
        if stated.compares:
            assert self.node.value is not None  # noqa: S101
            if any(map(str.isalpha, (w[0] for w in self.labels.meaning(self.node.value.text).left))):
                return ""  # the "8 x" of "8 x HDR 200" counts
            whole = not any(m.left for _, m in self._said)  # "Relative to HBM3e"
            named = (i for a, m in self.meant if whole and a.place in _LABELS for i in m.metrics)
            return next((i for i in named if self.domain.metrics[i].dimension not in _NO_FIGURE), "")
        if stated.dimension == "price" and (metric := self._of_labels(_PRICE)):
            return metric
        return self._of_labels(stated.dimension)

    def _per_hour(self, metric: str, stated: Quantity, text: str) -> tuple[Quantity | None, str]:
        if stated.dimension != "price" or self.domain.metrics[metric].dimension != _PRICE:
            return stated, ""
        found = self.domain.unit_table.find(f"{text[stated.start : stated.end]}/hour")
        return (found[0], self._untimed()) if len(found) == 1 else (None, "")

    def _untimed(self) -> str:
        """Why a price may be a card's: no label tells of a time, or names a machine, which is rented."""
        dimensions = [{self.domain.metrics[i].dimension for i in m.metrics} for _, m in self.meant]
        timed = any({"time", _PRICE} & {*m.units} or self.labels.names_machine(a.label.text) for a, m in self.meant)
        return "" if timed or {_PRICE} in dimensions else NO_UNIT

    def _categories(self, value: Label) -> Iterator[Reading]:
        """A cell in words, with the label that says what of its one product it gives."""
        subjects, unsure = self._subjects("")
        own = (a.label for a, m in self.meant if a.place in (Place.OWN, Place.NAME) and not m.entities)
        labels = [label.text for label in own if label is not value]
        if len(subjects) == 1 and labels and (self._in_row or self.node.keys):
            yield Reading(value, subjects[0], "", None, labels[0], doubt=unsure)

    def _own(self) -> list[tuple[Around, Meaning]]:
        """The key of the cell; of an element of a list or a call with one element, that of the list."""
        if self._said or not self.above or self._in_row:
            return self._said if self.node.units else self._said[:1]
        return [(a, m) for a, m in self.meant if a.place is Place.HEAD and a.level == 1][:1]

    def _is_opaque(self) -> bool:
        """True where the cell's own key has a word that nobody knows, so that what else it says tells too little."""
        own = self._own()
        if own and own[0][1].entities and self._in_row:
            return False  # a column's product may have any name
        unknown = [(a, m) for a, m in own if m.left]
        if not unknown:
            return False
        if own[0][1] != Meaning(left=own[0][1].left):
            return True
        left = {word.lower() for _, m in unknown for word in m.left}
        ranks = not self.domain.word_group(_OTHER).isdisjoint(left)  # "Rank" below "Ranking by TFLOPS"
        return ranks or (not (self.above and self.above[0].alike) and not self.node.units)

    def _is_unplaced(self) -> bool:
        """True of one of several values whose places tell what they are: ("H100", 80, 3.35); not of {"memory": [80, 40]}."""
        beside = self.above[0].node.children if self.above else []
        if self._in_row or len(beside) < 2 or self.node.keys:  # noqa: PLR2004
            return False
        head = next((m for a, m in self.meant if a.place is Place.HEAD and a.level == 1), Meaning())
        alike = all(not c.keys and c.value is not None and number_of(c.value.text) is not None for c in beside)
        return not (alike and (head.metrics or head.units))

    def _of_labels(self, dimension: str) -> str:
        """The metric of the nearest label that names one, by what it is measured in."""
        for places in (_LABELS, (Place.NOTE,)):
            for around, meaning in self.meant:
                named = around.place is Place.NAME
                if around.place not in places or (named and not self._names_metric(around, meaning)):
                    continue
                found = self._fitting(meaning, dimension or self._dimension(meaning))
                found = self._of_link(found) if found and around.place is Place.OWN else found
                formatted = any(_DTYPE in m.axes for _, m in self._said)
                units = {d for a, m in self.meant if a.level == 0 for d in m.units} - {_COUNT}
                other = formatted and {_PEAK} == units != {self.domain.metrics[found].dimension} if found else False
                if found and formatted and (other or _DTYPE not in self.domain.metrics[found].qualifiers):
                    continue  # what has a number format is no memory, and no throughput in TFLOPS, whatever a comment speaks of
                if found:  # of a row's label that says more nobody knows what it is of
                    return "" if named and meaning.left else found
                if around.place is Place.OWN and self._counts_others(meaning):
                    return ""
                own = (named or around.place is Place.OWN) and around.label not in self.node.units
                says = meaning.metrics or not set(meaning.units) <= {_COUNT}
                if own and (says or (named and not meaning.entities and meaning != Meaning())):
                    return ""  # what the cell's own labels leave open, no heading tells
        formats = [m for _, m in self._said if _DTYPE in m.axes]
        peaks = bool(formats) and (dimension == _PEAK or (not dimension and any(map(self._is_format, formats))))
        return self.domain.default_metrics.get(_PEAK, "") if peaks else ""

    def _of_link(self, metric: str) -> str:
        """What an open "bandwidth" is of: of the link that a label farther out names, the nearest first; memory has no direction."""
        metrics, own = self.domain.metrics, self.domain.metrics[metric]
        near = (m for a, m in self.meant if a.place in (Place.NAME, Place.HEAD) and not (m.entities and a.level > 1))
        named = [i for m in near for i in m.metrics if metrics[i].dimension == own.dimension]
        if any(_DIRECTION in m.axes for _, m in self._said) and _DIRECTION not in own.qualifiers:
            named += [m.id for m in metrics.values() if m.main and _DIRECTION in m.qualifiers]
        return named[0] if self._is_open and named and _KIND in own.qualifiers else metric

    @cached_property
    def _is_open(self) -> bool:
        """True where the cell's own label speaks of a bandwidth and not of memory."""
        words = [w for a, _ in self._said for w in words_of(a.label.text).lower().split()]
        rest = [w for w in words if w not in self.domain.word_group(_BANDWIDTH)]
        of = self.labels.meaning(" ".join(rest)).metrics
        return rest != words and not any(_KIND in self.domain.metrics[i].qualifiers for i in of)

    def _counts_others(self, meaning: Meaning) -> bool:
        """True of a label that only names what is counted, and no chips: "Stacks"."""
        said = {*meaning.axes} - {"aggregation"} or meaning.metrics or meaning.entities
        bare = not said and set(meaning.units) == {_COUNT}
        return bare and self.domain.counted(meaning.units[_COUNT]) != COUNTED_CHIPS

    @staticmethod
    def _is_format(meaning: Meaning) -> bool:
        """True of "FP8 Tensor Core": a number format and nothing else."""
        return bool(meaning.axes) and not meaning.metrics and not meaning.left and set(meaning.units) <= {_COUNT}

    def _names_metric(self, around: Around, meaning: Meaning) -> bool:
        """True of a row's label and of a field that says which quantity a record is about; "A100 80GB NVLink" is a product."""
        if meaning.entities:
            return False
        node, named = self.above[around.level - 1].node, self.labels.named
        first = node.row and node.children[0].value is around.label
        fields = (c.keys[0].text for c in node.children if c.value is around.label and c.keys)
        return first or any(named("names a quantity", key) for key in fields)

    def _dimension(self, meaning: Meaning) -> str:
        """The dimension of the label's unit, else the one that the nearest unit has of those its metrics have."""
        dimensions = {self.domain.metrics[m].dimension for m in meaning.metrics}
        # the "USD" of a price per hour: its label says the rest of the unit in words
        parts = {d for d in meaning.units if d == "time" or any(o.startswith(d) for o in dimensions)}
        parts = {_COUNT, *(parts if dimensions else ())}
        own = next((d for d in meaning.units if d in dimensions or d not in parts), "")
        if own or not dimensions:
            return own
        return next((d for _, other in self.meant for d in other.units if d in dimensions), "")

    def _fitting(self, meaning: Meaning, dimension: str) -> str:
        if not self.domain.word_group(_OTHER).isdisjoint(word.lower() for word in meaning.left):
            return ""  # "MEMORY_FREQ_LIMIT" is of another quantity
        figures = [m for m in meaning.metrics if self.domain.metrics[m].dimension not in _NO_FIGURE]
        fits = [m for m in figures if self.domain.metrics[m].dimension == dimension]
        if fits or not dimension:
            free = [m for m in fits if m not in self._taken] if len(fits) > 1 else []
            return (free or fits or figures or [""])[0]
        if not self._is_format(meaning) and dimension not in meaning.units:
            return ""
        if "/" not in meaning.units.get(dimension, "/"):  # the "in" of code is no inch
            return self.domain.default_metrics.get(dimension, "")
        fits = [m.id for m in self.domain.metrics.values() if m.dimension == dimension]
        return self.domain.default_metrics.get(dimension) or (fits[0] if len(fits) == 1 else "")

    @cached_property
    def _taken(self) -> frozenset[str]:
        """What the fields beside the cell are of: beside "VRAM" the "RAM" is the machine's, and beside "vCPU" the memory, too."""
        keys = [c.keys[0] for level in self.above[:1] for c in level.node.children if c.keys and c is not self.node]
        meanings = [self.labels.meaning(key.text) for key in keys]
        taken = {next(iter(ids)) for ids in (set(m.metrics) for m in meanings) if len(ids) == 1}
        counts = (m.units[_COUNT] for m in meanings if _COUNT in m.units)
        return frozenset({*taken, *(_OF_CHIP for unit in counts if self.domain.counted(unit) == _PROCESSORS)})

    def _quantity(self, metric: str, number: Decimal | None, written: str) -> tuple[Quantity | None, str]:
        """A bare number in the unit that a label states, else in the one that goes without saying, as precise as it is written."""
        record = self.domain.metrics[metric]
        if record.dimension.startswith("price") and any(m.is_foreign for _, m in self.meant):
            return None, ""
        scale = next((m.scale for _, m in self.meant if m.scale != 1 and metric in m.metrics), 1.0)
        units = [m.units[record.dimension] for _, m in self.meant if record.dimension in m.units]
        unit = units[0] if units else None
        if record.dimension == _COUNT and not (unit and self.domain.counts(record, unit)):
            own = (m.units[_COUNT] for _, m in self._said if _COUNT in m.units)  # "compute_dies" are no cores
            unit = next((u for u in own if self.domain.counted(u) != COUNTED_CHIPS), record.unit)
        doubt = ""
        if unit is None:
            unit, doubt = self._unsaid(metric, number or Decimal(0))
        elif unit.endswith(UNSURE):  # a link's, unless "in GB/s" stands beside "_gbps"; memory is not counted in bits
            stated = next((u for u in units if not u.endswith(UNSURE) and u[0] == unit[0]), "")
            doubt = "" if stated or "direction" not in record.qualifiers else UNCLEAR
            unit = stated or unit.removesuffix(UNSURE)
        if unit is None:
            return None, ""
        read = self._as_written(number, unit) if number is not None else self._in_unit(written, unit)
        if read is None or scale == 1:
            return read, doubt
        return replace(read, low=read.low * scale, high=read.high * scale), doubt

    def _unsaid(self, metric: str, number: Decimal) -> tuple[str | None, str]:
        """The unit of a number that states none: counts have none; sizes and rates in full are in bytes, FLOP, hertz."""
        record = self.domain.metrics[metric]
        if record.dimension == _PRICE:
            return record.unit, self._untimed()
        own = self.domain.units.get(record.unit)
        if record.dimension == _COUNT or (own and own.scale == 1):
            return record.unit, ""
        keyed = not self._in_row and any(_DTYPE in m.axes for _, m in self._said)
        if record.bare and record.least <= number < _BINARY and (keyed or record.dimension != _PEAK):
            return record.bare, ""
        if (base := self._base(record.dimension)) is not None and number >= _BINARY:
            return base, ""
        larger = {"M": "G", "G": "T"}.get(record.unit[:1], "") + record.unit[1:]
        unit = larger if number < record.least and larger in self.domain.units else record.unit
        return (unit, NO_UNIT) if record.dimension != "ratio" else (None, "")

    def _base(self, dimension: str) -> str | None:
        return next((u.id for u in self.domain.units.values() if u.dimension == dimension and u.scale == 1), None)

    def _as_written(self, number: Decimal, unit: str) -> Quantity | None:
        """The quantity, in the larger unit in which its digits are few, so that its precision is that of the digits."""
        forms = self.domain.units.get(unit)
        if forms is None:
            return None
        if abs(number) >= _IN_FULL and forms.scale >= _IN_FULL:  # a comment beside 90e12 tells of TFLOPS
            forms = self.domain.units[self._base(forms.dimension) or unit]
        total = number * Decimal(forms.scale)
        if forms.scale == 1 and abs(total) >= _BINARY:
            kind, units = (forms.dimension, forms.of), self.domain.units.values()
            alike = [u for u in units if (u.dimension, u.of) == kind and not u.offset]
            binary = [u for u in alike if u.id.startswith("Gi") and total % Decimal(u.scale) == 0]
            steps = [u for u in alike if 1 <= u.scale <= total and Decimal(u.scale).log10() % 3 == 0]
            steps = [u for u in steps if u.id == u.forms[0] and not u.per] or steps
            forms = binary[0] if binary else max(steps, key=lambda u: u.scale, default=forms)
        return self._in_unit(f"{(total / Decimal(forms.scale)).normalize():f}", forms.id)

    def _in_unit(self, written: str, unit: str) -> Quantity | None:
        forms = self.domain.units.get(unit)
        if forms is None:
            return None
        form = next((f for f in forms.forms if f.strip() == f and len(f) > 1), forms.forms[0])
        found = self.domain.unit_table.find(f"{written} {form}")
        return found[0] if len(found) == 1 and found[0].dimension == forms.dimension else None

    def _axes(self, metric: str) -> tuple[tuple[str, str], ...]:
        """Where the labels place the figure on the axes that its metric has."""
        allowed = self.domain.metrics[metric].qualifiers
        found: dict[str, str] = {}
        for around, meaning in self.meant:
            far = around.level > 0 and around.place is Place.NOTE
            for axis, value in meaning.axes.items() if around.place is not Place.FILE else ():
                aside = axis not in OF_ALL if far else axis == _KIND and around.place is Place.SIDE
                # "3958 / 2  # with sparsity" is not what the comment says of the sheet
                aside = aside or (self.node.reckoned and axis == "sparsity" and around.place is Place.NOTE)
                told = around.label.end or self.labels.named("tells of each", around.label.text)
                titled = axis == _SCOPE and not told  # "Node types"
                aside = aside or (around.place is Place.HEAD and (titled or value == _GROUP))  # "The whole lineage"
                if not aside and (axis in allowed or (axis == _COUNT and _SCOPE in allowed)):
                    found.setdefault(axis, value)
        found = {axis: value for axis, value in self._contrasts().items() if axis in allowed} | found
        beside = self.domain.unit_table.find(self.node.value.text)[1:] if self.node.value is not None else []
        of = [q for q in beside if q.is_single and self.domain.counted(q.unit) == COUNTED_CHIPS]
        if len(of) == 1 and _SCOPE in allowed:  # "760 GB (8 chips)"
            found.setdefault(_COUNT, f"{of[0].middle:.0f}")
        return tuple(sorted(found.items()))

    def _unused(self, metric: str) -> str:
        """Why a figure is not sure whose label says more than what it is read as: "Peak decode bandwidth", "KV cache GB/s"."""
        metrics = self.domain.metrics
        known = {*metrics[metric].qualifiers, _COUNT, "form_factor", "engine"}
        for around, meaning in self.meant:
            own = around.place is Place.OWN or (around.place is Place.NAME and self._names_metric(around, meaning))
            if own and meaning.left and not (around.label.end or self._in_row):
                return _MORE  # of words beside a figure of a text
            formats = {i.partition("=")[2] for ids in meaning.each if own for i in ids if i.startswith("dtype=")}
            if len(formats) > 1 and not formats <= {*self.domain.axes[_DTYPE].alike}:
                return _MORE  # "TF32/FP32"
            for ids in meaning.each if own else ():
                axis, _, value = ids[0].partition("=")
                if not value and self._is_open and metrics[axis].dimension == metrics[metric].dimension:
                    continue  # the "BW" of a link
                if axis not in known if value else (metric not in ids and metrics[axis].dimension not in _NO_FIGURE):
                    return _MORE
        return ""

    def _contrasts(self) -> dict[str, str]:
        """What a label leaves unsaid and the one beside it says: "FP16" next to "FP16 Tensor Core" is the vector rate."""
        for around, meaning in self.meant:
            if _DTYPE not in meaning.axes or around.place not in (Place.OWN, Place.NAME):
                continue
            own = around.place is Place.OWN
            nodes = self.above[0].node.children if own else [c for lv in self.above[1:2] for c in lv.node.children]
            labels = (c.keys[0] if own else c.children[0].value for c in nodes if (c.keys if own else c.children))
            texts, text = [label.text for label in labels if label], around.label.text
            if any(words_of(t) == words_of(text) and "*" in t + text and t != text for t in texts):
                return {"sparsity": "2:4" if "*" in text else "dense"}  # "FP8*" below "FP8"
            others = [self.labels.meaning(t).axes for t in texts]
            rules = [r for r in self.domain.explanations.values() if r.axis in OF_ALL and r.more and r.less]
            return {r.axis: r.less for r in rules if {**meaning.axes, r.axis: r.more} in others}
        return {}

    def _subjects(self, metric: str) -> tuple[list[str], str]:
        """The products that the nearest label with a name gives, and why that is not sure."""
        nearer: list[Around] = []
        titles = ((a.label.text, m) for a, m in self.meant if a.place in (Place.NAME, Place.HEAD))
        named = (m for text, m in titles if self.labels.names_machine(text))
        machine = next(named, None) if self._is_of_machine(metric) else None
        if machine is not None:  # "p5.48xlarge" above {"gpu": "H100", "price": 98}
            return [machine.entities[0][0]], ""
        for number, (around, meaning) in enumerate(self.meant):
            if around.place in (Place.NOTE, Place.SIDE):
                nearer += [around] if around.place is Place.SIDE or meaning.axes.get("form_factor") else []
                continue
            if meaning.entities:
                beside = [a for a, _ in self.meant if a.place is Place.SIDE and a.level == around.level]
                return self._owners(around, meaning, [*nearer, *beside], metric)
            farther = (*(a.label.text for a, _ in self.meant[number:]), *(p for lv in self.above for p in lv.products))
            wider = (self.labels.completed(around.label.text, text) for text in farther)
            if around.level and (whole := next(filter(None, wider), "")):
                return [whole], ""
            unknown = meaning.left and not meaning.metrics and any(map(str.isdigit, around.label.text))
            if around.place is Place.NAME and unknown:
                return [], ""  # a chip that the domain lacks
            nearer.append(around)
        if self.sole:
            return [self._one_of(self.sole, metric)], ""
        return [], ""

    def _owners(self, around: Around, meaning: Meaning, nearer: Sequence[Around], metric: str) -> tuple[list[str], str]:
        texts = [a.label.text for a, m in self.meant if a[1:] == around[1:] and m.entities]
        if around.place is Place.NAME:  # of "p5.48xlarge" beside "H100" the price is the machine's
            texts = sorted(texts, key=lambda text: self.labels.names_machine(text) != self._is_of_machine(metric))[:1]
            meaning = self.labels.meaning(texts[0])
        subjects: list[str] = []
        for text in texts:
            for ids in self.labels.meaning(text).entities:
                if subjects and len(ids) > 1:
                    continue  # what "NVL72" is the name before it tells
                one = self._one_of(ids, metric)
                one = next((v for a in nearer if (v := self._variant(text, a, one))), one)
                if not any(self.domain.are_kin(one, other) for other in subjects):
                    subjects.append(one)
                subjects = [one if other in self.domain.ancestors(one) else other for other in subjects]
        find = self.domain.unit_table.find  # "32GB", "96G"
        unknown = [w for w in meaning.left if not find(w) and not (w[0].isdigit() and find(f"{w}B"))]
        unknown = [w for w in unknown if self.labels.completed(w, texts[0]) not in subjects]  # "Ironwood (v7)"
        unsure = _UNKNOWN_NAME if around.place is Place.NAME and unknown else ""
        return subjects[:_MOST_OWNERS], unsure

    def _is_of_machine(self, metric: str) -> bool:
        record = self.domain.metrics.get(metric)
        return metric == CHIPS or bool(record and (record.nature == "priced" or record.of_systems or record.of_hosts))

    def _one_of(self, ids: Sequence[str], metric: str) -> str:
        """Of what a name may be: the chip for a chip's figure; a name in data is no plural."""
        return ([i for i in ids if self.domain.is_chip(i)] or [*ids])[-1]

    def _variant(self, text: str, nearer: Around, subject: str) -> str:
        """The variant that a label between the cell and the name adds: "PCIe" below "H100"."""
        if len(nearer.label.text) > _LONGEST_FORM:
            return ""
        read = (self.labels.meaning(nearer.label.text, prose=prose) for prose in (False, True))
        forms = (m.axes["form_factor"] for m in read if "form_factor" in m.axes and nearer.place is not Place.SIDE)
        made = (self.labels.variant(subject, word) for word in (words_of(nearer.label.text), *forms))
        return next(filter(None, made), "")
