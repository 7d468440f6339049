"""Under which settings something was measured, and what a price is the price of: the axes of runs and offers.

    "8x H100 SXM do 24,133 tokens/s on Llama 2 70B (Offline, TensorRT 10.2.0)"
        ->  model "llama-2 70b", chips 8, scenario offline, software "tensorrt 10.2.0"

They stand in the figure's own row or sentence, then in its paragraph, what leads into its table, the headings, the title; what the
nearer one states the farther one does not change, and the rows beside a figure's own say nothing of it. Which axes there are, and
the words for them, is data (axes.toml).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import pairwise

from chipwise import patterns as re
from chipwise.claims.dates import MONTH, read_dates
from chipwise.claims.model import Claim, Modality
from chipwise.domain.catalogue import SCOPE
from chipwise.domain.model import Domain
from chipwise.domain.records import Metric
from chipwise.grids.labels import OPEN
from chipwise.grids.tables import Table
from chipwise.grids.tree import Node
from chipwise.numbers.quantity import Quantity
from chipwise.numbers.spoken import SMALL
from chipwise.text import overlap
from chipwise.types import Passage, Role

_OF = {"measured": "run", "priced": "offer"}  # by a metric's nature, what its settings are those of
_SHARED = {
    "dtype": "run",
    "benchmark": "run",
    "provider": "offer",
    "price_terms": "offer",
}  # axes of other figures, too
_OF_FIGURES = frozenset(("dtype", "sparsity", "direction"))  # axes that a sentence states of its one figure
_NUMBERED = frozenset(("model", "framework", "library"))  # kinds of terms that have sizes or versions
_SURE = 0.9  # of a claim whose subject and unit the text itself gives
_PROPERTIES = 2  # columns of a table that is a list of properties
_NUMBER = r"\d[\d,]*(?:\.\d+)?%?"
_BEHIND = re.compile(rf"[\s\"'_-]*(?:(?:size|length|of|is|was|at|target)\b|[=:~])?[\s\"'_-]*({_NUMBER})(?![\w.]*\w)")
_BEFORE = re.compile(rf"(?<![\w.,])({_NUMBER}|[A-Za-z]+)[\s-]*(?:[x×]\s?)?(?:tokens?[\s-])?$")
_NAME_BEHIND = re.compile(r"[\s:=\"']*((?:[\w.-]*[A-Z\d][\w.-]*\s?){1,4})")
_DETAIL = re.compile(r"(?:[\s-]*|\s?\((?=[\d.]+[BM]\b))(v?\d\w*(?:\.\w+)*(?:-[A-Za-z]*\d\w*)*)(?![\w.]*%)", re.I)
_TOKEN = re.compile(r"[a-z]+|\d\w*(?:\.\w+)*")
_GIGABYTES = re.compile(r"[\s,(]{1,2}(\d{2,3})\s?GB\b")


@dataclass(frozen=True, slots=True)
class Part:
    """A stretch that settings are read from, `start` where it stands in the source, `header` what a table calls it."""

    text: str
    start: int = -1
    header: str = ""


@dataclass(frozen=True, slots=True)
class Stated:
    """A value on an axis, and the words for it within their part."""

    axis: str
    value: str
    start: int = 0
    end: int = 0


class Settings:
    """Reads the settings of one source's figures."""

    def __init__(self, domain: Domain, passages: Sequence[Passage], title: str, tables: Mapping[int, Table]) -> None:
        self.domain, self.title, self.tables = domain, title, tables
        self.passages = {p.ordinal: p for p in passages}
        self._before = {b.ordinal: a for a, b in pairwise(passages)}
        self._stated = lru_cache(maxsize=2048)(lambda *part: tuple(self._read(*part)))

    def applied(self, claim: Claim, *, alone: bool = False) -> Claim:
        """A claim on what was measured or is asked with its settings, any other with the axes that its metric has.

        An `alone` figure is the only one of its metric in its sentence: what that states once is said of it.
        """
        q, metric = claim.quantity, self.domain.metrics.get(claim.metric)
        if q is not None and not claim.metric:  # read as none: a rate of tokens is one all the same
            metric = self._by_unit.get(q.unit) or (next(iter(self._by_unit.values())) if not q.unit else None)
        if claim.metric and metric is not None and q is not None:
            told = {x: v for x, v in claim.qualifiers if self._is_axis_of(metric, x)}
            if told.get("count") and (before := self._behind_name(claim)):  # "8x H100 SXM 80 GB" are 80 GB each
                # "eight H200 (1,128 GB)" and "8x H100 (80 GB)" leave open of how many, where we did not write it down ourselves
                glossed = before.endswith("(")
                each = {} if glossed else {"aggregation": "chip"}
                if not (glossed and claim.confidence == 1):
                    told = {x: v for x, v in told.items() if x not in SCOPE} | each
            told = self._stated_once(claim, metric) | told if alone else told
            claim = replace(claim, qualifiers=tuple(sorted(told.items())))
        if metric is None or metric.nature not in _OF or q is None or q.compares or claim.passage not in self.passages:
            return claim
        return self._settled(claim, metric, [level for level in self._levels(claim) if level])

    def of_record(self, claim: Claim, record: Sequence[Part]) -> Claim:
        """The claim of a cell of data with the settings that its record has beside it."""
        metric = self.domain.metrics.get(claim.metric)
        if self._is_setting(claim, record):
            return replace(claim, doubt=claim.doubt or "it is a setting of a measurement")
        if metric is None or metric.nature not in _OF or not record:
            return claim
        return self._settled(claim, metric, [record, [Part(self.title)]])

    def _is_setting(self, claim: Claim, record: Sequence[Part]) -> bool:
        """True for the batch and the number of chips beside a rate: they tell how that was reached."""
        own = next((p for p in record if p.start <= claim.value_start < p.start + max(len(p.text), 1)), None)
        if own is None or not self._headed(own.header, "run"):
            return False
        headers = (p.header.replace("_", " ") for p in record if p is not own)
        rates = {m.id for m in self._by_unit.values()}
        return any(i in rates for h in headers for m in self.domain.find_metrics(h) for i in m.ids)

    def _settled(self, claim: Claim, metric: Metric, levels: Sequence[Sequence[Part]]) -> Claim:
        return (self._run if metric.nature == "measured" else self._offer)(claim, metric, levels)

    def _is_axis_of(self, metric: Metric, axis: str) -> bool:
        """False for an axis that a metric does not have: the "board" of a price beside the power of the board."""
        known = self.domain.axes.get(axis)
        return known is None or axis in metric.qualifiers or axis == "count" or bool(known.of)

    def _stated_once(self, claim: Claim, metric: Metric) -> dict[str, str]:
        """The axes of which a sentence states one value."""
        passage = self.passages[claim.passage]
        text = passage.text[claim.start - passage.start : claim.end - passage.start]
        found: dict[str, set[str]] = {}
        for axis, _, value in (m.ids[0].partition("=") for m in self.domain.find_qualifiers(text) if len(m.ids) == 1):
            found.setdefault(axis, set()).add(value)
        kept = (x for x in found if x in _OF_FIGURES and x in metric.qualifiers and len(found[x]) == 1)
        return {x: next(iter(found[x])) for x in kept}

    def _behind_name(self, claim: Claim) -> str:
        """The text before a figure that stands right behind the name of a chip, or in brackets there; "" elsewhere."""
        passage = self.passages.get(claim.passage)
        before = passage.text[: claim.value_start - passage.start].rstrip()[-80:] if passage is not None else ""
        named, end = self.domain.find_entities(before), len(before.rstrip("( "))
        return before if any(m.end == end and any(map(self.domain.is_chip, m.ids)) for m in named) else ""

    @cached_property
    def _by_unit(self) -> dict[str, Metric]:
        """By unit, also per chip or minute, the one metric that is given in it, where that is measured."""
        of = [m for m in self.domain.metrics.values() if m.unit]
        alone = [m for m in of if m.nature == "measured" and sum(m.unit == o.unit for o in of) == 1 and "/" in m.unit]
        units = self.domain.units.values()
        alike = [(u, m) for u in units for m in alone if (u.dimension, _thing(u.id)) == (m.dimension, _thing(m.unit))]
        return {u.id: m for u, m in alike if not u.per or self._scopes(f"per {u.per}", 0)}  # not "per user"

    def unread(self, passage: Passage, claims: Sequence[Claim]) -> Iterator[Claim]:
        """The rates of a table that nobody read: numbers in cells under the name of what is measured, with their row's unit."""
        table = self.tables.get(passage.ordinal)
        known = {c.value_start for c in claims}
        for row, node in table.rows.items() if table is not None else ():
            listed = table is not None and len(table.headers) <= _PROPERTIES and node.row
            for part in parts_of(node)[node.row :]:
                header = _called(node) if listed else part.header
                named = [i for m in self.domain.find_metrics(header.replace("_", " ")) for i in m.ids]
                start, end = part.start, part.start + len(part.text)
                if start in known or not any(self.domain.metrics[i] in self._by_unit.values() for i in named):
                    continue
                made = Claim(
                    passage.source, passage.ordinal, *row, start, end, "", "", Quantity(start, end, "", "", 0.0, 0.0)
                )
                applied = self.applied(made)
                if applied.metric:
                    yield applied

    def _levels(self, claim: Claim) -> Iterator[list[Part]]:
        """The stretches around a figure, nearest first; those of one level are as near."""
        passage, table = self.passages[claim.passage], self.tables.get(claim.passage)
        at = claim.value_start - passage.start
        if table is not None:
            yield from self._around_cell(passage, table, claim.value_start)
        else:
            own = (claim.start - passage.start, claim.end - passage.start)
            yield [Part(passage.text[slice(*own)], claim.start)]
            begin = passage.text.rfind("\n\n", 0, at) + 1
            end = passage.text.find("\n\n", at) % (len(passage.text) + 1)
            others = [s for s in passage.sentences if begin <= s[0] and s[1] <= end and not overlap(s, own)]
            yield [Part(passage.text[slice(*s)], passage.start + s[0]) for s in others]
            if passage.role is Role.CODE:  # the command above its result
                yield [Part(passage.text[: max(begin, 0)], passage.start)]
        yield from ([Part(words)] for words in (*reversed(passage.heading), self.title))

    def _around_cell(self, passage: Passage, table: Table, at: int) -> Iterator[list[Part]]:
        row = table.row_at(at)
        if row is not None and len(table.headers) <= _PROPERTIES:
            # of properties one below the other, all are of the one thing that the table is of
            yield [replace(p, header=_called(n)) for n in table.rows.values() for p in parts_of(n)[n.row :]]
            yield [Part(header) for header in table.headers[:1]]
        elif row is not None:
            node = table.rows[row]
            parts = parts_of(node)
            yield parts
            yield [Part(p.header) for p in parts if p.start <= at < p.start + len(p.text)]
            yield [Part(key.text) for key in node.keys]
        before = self._before.get(passage.ordinal)
        if before is not None and before.heading == passage.heading and before.ordinal not in self.tables:
            yield [Part(before.text.rstrip().rpartition("\n\n")[2])]

    def _run(self, claim: Claim, metric: Metric, levels: Sequence[Sequence[Part]]) -> Claim:
        read = self._settings(levels, "run")
        subject = self._subject(levels, claim.subject)
        q = self._quantity(claim, levels[0])
        by_unit = self._by_unit.get(q.unit) if q is not None else None
        own = dict(claim.qualifiers)
        if by_unit is not None and subject:
            # what a neighbour states has got into a row or a sentence: what it does not state itself it has not
            own = {x: v for x, v in own.items() if x not in (*_SHARED, "workload", "aggregation", "count")}
            ids = [
                i for i in (read.get("model", "").partition(" ")[0], read.get("phase", "")) if i in self.domain.terms
            ]
            own |= {"workload": ids[0]} if ids else {}
        own |= read | self._scope(claim, levels, read.get("chips", ""))
        claim = replace(claim, qualifiers=tuple(sorted(own.items()))) if claim.metric else claim
        if by_unit is None or not subject:
            return claim
        modality = Modality.MEASURED if claim.modality is Modality.SPECIFIED else claim.modality
        return replace(
            claim, quantity=q, subject=subject, metric=by_unit.id, qualifiers=tuple(sorted(own.items())), modality=modality,
            doubt="", confidence=max(claim.confidence, _SURE), rivals=(),
        )  # fmt: skip

    def _quantity(self, claim: Claim, row: Sequence[Part]) -> Quantity | None:
        """A figure, with a bare number in the unit that its row has a cell for; None for what is a setting itself."""
        passage = self.passages.get(claim.passage)
        own = next((p for p in row if p.header and p.start <= claim.value_start < p.start + len(p.text)), None)
        written = own.text if own is not None else ""
        if passage is not None and claim.passage:
            written = passage.text[claim.value_start - passage.start : claim.value_end - passage.start]
        if own is not None and self._headed(own.header, "run"):
            return None
        units = [p.text.strip("*` ") for p in row if p.header.strip().lower() in ("unit", "units")]
        bare = not any(c.isalpha() or c in "%$€£" for c in written)
        found = self.domain.unit_table.find(f"{written} {units[0]}") if bare and units else []
        return replace(found[0], start=claim.value_start, end=claim.value_end) if len(found) == 1 else claim.quantity

    def _subject(self, levels: Sequence[Sequence[Part]], told: str) -> str:
        """Whose figure it is: the one chip that the nearest stretch with a chip or machine names, as narrow as it does; "" of several.

        Of a name with several readings it is the one that was `told`.
        """
        domain = self.domain
        for level in levels:
            mentions = [m.ids for p in level for m in domain.find_entities(p.text)]
            named = [ids[0] if len(ids) == 1 else told for ids in mentions if len(ids) == 1 or told in ids]
            specific = list(dict.fromkeys(i for i in named if domain.is_specific(i)))
            if specific:
                if len({domain.chip_of(i) for i in specific}) > 1:
                    return ""
                chips = [i for i in specific if domain.is_chip(i)] or specific
                variants = [i for i in chips if domain.kind(i) == "variant"] or chips[:1]
                return variants[0] if len(variants) == 1 else domain.chip_of(variants[0])
        return ""

    def _scope(self, claim: Claim, levels: Sequence[Sequence[Part]], chips: str) -> dict[str, str]:
        """Of one chip, or of all of the run, as its unit, a cell or the words nearest to the figure tell."""
        unit = self.domain.units.get(claim.quantity.unit) if claim.quantity is not None else None
        said = self._scopes(f"per {unit.per}", 0) if unit is not None and unit.per else []
        for level in levels[:2]:
            said = said or [s for p in level for s in self._scopes(p.text, claim.value_end - p.start)]
        scope = min(said)[1] if said else claim.qualifier("aggregation")
        if scope == "chip" or (not scope and chips == "1"):
            return {"aggregation": "chip"}
        count = chips if chips.isdigit() else claim.qualifier("count")
        return {"aggregation": scope} | ({"count": count} if count else {}) if scope else {}

    def _scopes(self, text: str, at: int) -> list[tuple[int, str]]:
        """The scopes that a stretch names with how far from `at`, less the node of "one node", where a run only ran."""
        named = [(m.start, i.partition("=")) for m in self.domain.find_qualifiers(text) for i in m.ids]
        return [
            (abs(start - at), value)
            for start, (axis, _, value) in named
            if axis == "aggregation" and not ((one := _BEFORE.search(text, 0, start)) and _number(one[1]))
        ]

    def _offer(self, claim: Claim, metric: Metric, levels: Sequence[Sequence[Part]]) -> Claim:
        own, read = dict(claim.qualifiers), self._settings(levels, "offer")
        dates = (
            {d.iso[:MONTH] for p in level for d in read_dates(p.text, bare=not n) if not n or len(d.iso) >= MONTH}
            for n, level in enumerate(levels)
        )
        read["as_of"] = OPEN.join(sorted(next(filter(None, dates), ())))
        known = (x for x in read if x in metric.qualifiers or self.domain.axes[x].of)
        more = {x: read[x] for x in known if x not in own and read[x] and OPEN not in read[x]}
        return replace(claim, qualifiers=tuple(sorted((own | more).items()))) if more else claim

    def _settings(self, levels: Sequence[Sequence[Part]], of: str) -> dict[str, str]:
        """By axis what the nearest level states."""
        read: dict[str, str] = {}
        for level in levels:
            here: dict[str, list[str]] = {}
            for part in level:
                for stated in self._stated(part.text, part.header, of):
                    here.setdefault(stated.axis, []).append(stated.value)
            read = {axis: self._together(axis, values) for axis, values in here.items()} | read
        return read

    def _together(self, axis: str, values: Sequence[str]) -> str:
        if self.domain.axes[axis].several:
            return ", ".join(sorted({one for value in values for one in value.split(", ")}))
        full = (v for v in values if all({*o.split()} <= {*v.split()} or (o.isalpha() and o in v) for o in values))
        return next(full, OPEN.join(sorted(set(values))))

    def _read(self, text: str, header: str, of: str) -> Iterator[Stated]:
        """What one stretch states; a cell that is headed like an axis states that axis alone."""
        domain = self.domain
        worded = list(self._worded(text, of))
        headed = self._headed(header, of)
        value = self._of_cell(headed, text, worded) if headed else ""
        if value:
            yield Stated(headed, value)
            return
        yield from worded
        for m in domain.find_settings(text):
            for axis in (i[:-1] for i in m.ids if i.endswith(":") and not text.startswith("/", m.end)):
                if domain.axes[axis].of == of and (value := self._beside(axis, text, m.start, m.end)):
                    yield Stated(axis, value)
        for e in domain.find_entities(text):
            size = _GIGABYTES.match(text, e.end) if of == "run" and any(map(domain.is_chip, e.ids)) else None
            if size is not None:
                yield Stated("chip_memory", size[1])
            counted = _BEFORE.search(text, 0, e.start) if of == "run" and any(map(domain.is_specific, e.ids)) else None
            if counted is not None and (number := _number(counted[1])):
                yield Stated("chips", number)

    def _headed(self, header: str, of: str) -> str:
        """The axis that a header names, and little else: "Accelerators (total)", "global_batch"."""
        words = header.replace("_", " ").strip()
        found = (m for m in self.domain.find_settings(words) if not words.startswith("/", m.end))  # "output tokens/s"
        most = [m for m in found if 2 * (m.end - m.start) > len(words)]
        return next((i[:-1] for m in most for i in m.ids if i.endswith(":") and self.domain.axes[i[:-1]].of == of), "")

    def _of_cell(self, axis: str, text: str, worded: Sequence[Stated]) -> str:
        values = sorted({s.value for s in worded if s.axis == axis})
        if values or self.domain.axes[axis].spelled:
            return ", ".join(values) or _plain(text)
        number = re.match(rf"\W*({_NUMBER})", text)
        return _number(number[1]) if number is not None else ""

    def _worded(self, text: str, of: str) -> Iterator[Stated]:
        """The words and terms of a stretch that are values."""
        domain = self.domain
        for m in domain.find_settings(text):
            values = [i.partition("=") for i in m.ids if "=" in i]
            yield from (Stated(axis, value, m.start, m.end) for axis, _, value in values if domain.axes[axis].of == of)
        for m in domain.find_qualifiers(text):
            axis, _, value = m.ids[0].partition("=")
            if len(m.ids) == 1 and _SHARED.get(axis) == of:
                yield Stated(axis, value, m.start, m.end)
                mark = domain.terms.get(value) if axis == "benchmark" else None
                told, end = _with_details(text, m.start, m.end, mark.name, value) if mark is not None else ("", 0)
                if version := told.partition(" ")[2]:
                    yield Stated("benchmark_version", version, m.end, end)
        axes = {kind: a.id for a in domain.axes.values() if a.of == of for kind in a.terms}
        words = [(m.start, m.end) for m in domain.find_settings(text) if "=" in m.ids[0]]
        words += [(m.start, m.end) for m in domain.find_entities(text)]  # the maker of "NVIDIA H100" measured nothing
        for m in domain.find_terms(text):
            if any(overlap(span, (m.start, m.end)) for span in words):
                continue  # the training of "training tokens"
            term = domain.terms[m.ids[0]]
            if (named := axes.get(term.kind)) is not None:
                value, end = m.ids[0], m.end
                if term.kind in _NUMBERED:
                    value, end = _with_details(text, m.start, m.end, term.name, term.id)
                yield Stated(named, value, m.start, end)

    def _beside(self, axis: str, text: str, start: int, end: int) -> str:
        """The number or the name right behind a label, or the number right before it."""
        if self.domain.axes[axis].spelled:
            name = _NAME_BEHIND.match(text, end)
            return _plain(name[1]) if name is not None else ""
        figures = self.domain.unit_table.find(text)
        if any(q.start <= start and end <= q.end for q in figures):
            return ""  # the output tokens of "1,900 output tokens per second" are no length
        measured = [q for q in figures if q.dimension != "count"]  # "in each GPU: 11.03 GiB"
        found = (match for match in (_BEHIND.match(text, end), _BEFORE.search(text, 0, start)) if match is not None)
        bare = (m for m in found if not any(q.start <= m.start(1) < q.end for q in measured))
        return next((number for match in bare if (number := _number(match[1]))), "")


def parts_of(node: Node) -> list[Part]:
    """The cells of a record or a row with what they are called."""
    cells = [(c, c.value) for c in node.children if c.value is not None]
    return [Part(value.text, value.start, c.keys[0].text if c.keys else "") for c, value in cells]


def _called(row: Node) -> str:
    """The label of a row, or ""."""
    return next((c.value.text for c in row.children[:1] if row.row and c.value is not None), "")


def _thing(unit: str) -> str:
    """What a rate is a rate of: the tokens of "tokens/s/GPU"."""
    return unit.partition("/")[0]


def _number(word: str) -> str:
    """A number as axes have it: "4096" for "4,096", "8" for "eight"; "" for another word."""
    if word[0].isdigit():
        return word.replace(",", "")
    value = 1 if word.lower() == "single" else SMALL.get(word.lower())
    return f"{value:g}" if value else ""


def _plain(words: str) -> str:
    return " ".join(words.lower().replace("_", " ").strip(" .,;:()[]\"'*`").split())


def _with_details(text: str, start: int, end: int, name: str, id_: str) -> tuple[str, int]:
    """A term with the sizes and versions that its mention has beyond its name: "llama-2 70b" of "Llama 2 70B"."""
    while (detail := _DETAIL.match(text, end)) is not None:
        end = detail.end()
    known = set(_TOKEN.findall(name.lower()))
    written = (t for t in _TOKEN.findall(text[start:end].lower()) if t[0].isdigit() and t not in known)
    more = [t for t in written if not any(k.startswith(f"{t}.") for k in known)]  # "Llama 3 405B" is one of 3.1
    return " ".join([id_, *more]), end
