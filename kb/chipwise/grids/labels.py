"""Labels such as "mem_bw_gb_s", read as the products, metrics, units and axis values that the domain's names find in them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import accumulate, pairwise
from math import prod
from typing import Final

from chipwise import patterns as re
from chipwise.domain.model import COUNTED_CHIPS, Domain
from chipwise.domain.phrasebook import Mention, Phrasebook
from chipwise.text import Span, blanked

_CAMEL: Final = re.compile(
    r"(?<=[a-z])(?<![KMGTP]i)(?=[A-Z])|(?<=[a-z]{2}\d)(?=[A-Z][a-z])|(?<=[a-z]\d\d)(?=[A-Z][a-z])|(?<=[A-Z]{3})(?=[A-Z][a-z]{2})"
    r"|(?<=[A-Za-z]\d)(?=[A-Z]{3})|(?<=[A-Za-z]\d\d)(?=[A-Z]{3})"  # "int8TOPS", "FP16TFLOPS"
)
_RUN_ON: Final = re.compile(
    r"(?<=FLOPS)(?=\d\d\b)|(?<=[a-z]\d)(?=(?:b?fp?|int|tf)\d)|(?<=[a-z]\d\d)(?=(?:b?fp?|int|tf)\d)|(?<=[A-Za-z\d])(?=[\u4e00-\u9fff])"
)
_APART: Final = str.maketrans(dict.fromkeys("_./\\:()[],;|*-", " "))
_WORD: Final = re.compile(r"[$€£¥₹元亿%](?:/[A-Za-z]+)*|[A-Za-zµμ]+\d*(?:/[A-Za-z$]+)*|\d[\w.]*")
LONGEST_UNIT: Final = 6  # words; "USD per chip per hour" has five
LONGEST_SHORT: Final = 16  # characters of a name without its line
LONGEST_LABEL: Final = 300  # characters; a longer text names nothing
SCALES: Final = {"thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12, "亿": 1e8}
_IN_KEYS: Final = ("aggregation=", "memory_kind=")
_OF_CORE, _DTYPE, _LETTERS = "aggregation=core", "dtype=", "abcdefghijklmnopqrstuvwxyz"
OPEN: Final = (
    "|"  # between the values of an axis of which a text states several, and does not tell which is the figure's
)
_BITS_OR_BYTES, _RATES = "bps", frozenset(("mbs", "gbs", "tbs"))  # in small letters, as in memory_bandwidth_gbps
CHIPS: Final = "chips_per_node"
_OPERATED, _GROUP = frozenset((sign, digit) for sign in "/*x×" for digit in "0123456789"), ("aggregation", "group")
UNCLEAR: Final = "it may be in bits or in bytes"
_FOREIGN: Final = "price_"  # dimensions of currencies that prices are not kept in: nothing tells what they are worth
UNSURE: Final = "?"  # behind the id of a unit of bytes that may be one of bits


@dataclass(frozen=True, slots=True)
class Meaning:
    """What one label says. `units` are ids by dimension, with a "?" behind one that may be of bits or of bytes.

    `left` are the words that nobody knows. A `metric` may be several: which is meant the dimension tells. `against` is the
    product that a multiple is one of: "vs H100".
    """

    entities: tuple[tuple[str, ...], ...] = ()
    metrics: tuple[str, ...] = ()
    units: dict[str, str] = field(default_factory=dict)
    axes: dict[str, str] = field(default_factory=dict)
    scale: float = 1.0
    left: tuple[str, ...] = ()
    against: str = ""
    each: tuple[tuple[str, ...], ...] = ()  # the ids of each metric and value of an axis whose words say something

    @property
    def is_foreign(self) -> bool:
        """True where it names a currency that prices are not kept in."""
        return any(d.startswith(_FOREIGN) and "/" not in unit for d, unit in self.units.items())


class Labels:
    """Looks labels up, each text once."""

    def __init__(self, domain: Domain) -> None:
        self.domain = domain
        self._known: dict[tuple[str, bool], Meaning] = {}

    def meaning(self, text: str, *, prose: bool = False) -> Meaning:
        """Of a key, a header, the name of a product; of a comment in `prose` a unit behind a number is that number's."""
        if (text, prose) not in self._known:
            self._known[text, prose] = self._read(text, prose=prose)
        return self._known[text, prose]

    def named(self, group: str, text: str) -> bool:
        """True where a word of `text` is one of a group of phrases.toml."""
        return not self.domain.word_group(group).isdisjoint(words_of(text).lower().split())

    def names_holder(self, text: str) -> bool:
        """True of "GPUs per node", which an H100 may be said to have."""
        of = self.domain.metrics.get(CHIPS)
        return of is not None and any(noun.lower() in words_of(text).lower() for noun in of.holders)

    def names_machine(self, text: str) -> bool:
        """True of "p5.48xlarge", and of nothing that has more words."""
        meaning = self.meaning(text)
        return not meaning.left and any(self.domain.kind(i) == "system" for ids in meaning.entities for i in ids)

    def _without_sizes(self, rest: str, named: Sequence[Mention]) -> str:
        """The text without what names a product together with its name: "AMD MI300X 192 GB"."""
        sizes = [q for q in self.domain.unit_table.find(rest) if q.dimension == "information" and "/" not in q.unit]
        behind = [q for q in sizes if any(m.end <= q.start and not rest[m.end : q.start].strip(" (") for m in named)]
        return blanked(rest, ((q.start, q.end) for q in behind))

    def _read(self, text: str, *, prose: bool = False) -> Meaning:
        domain, text = self.domain, _RUN_ON.sub(lambda m: " FP" if text[m.start() - 1] == "S" else " ", text)
        if len(text) > LONGEST_LABEL or not (prose or any(map(str.isalpha, text))):
            return Meaning(tuple(tuple(ids) for ids in [domain.short_names.get(text, ())] if len(ids) == 1))  # "4090"
        words = prose or " " in text.strip()  # and no identifier
        raw = text.replace("_", " ") if words else text.replace("_", " ").replace("/", " ")
        joined = domain.find_entities(raw.replace("-", "")) if "-" in raw and not prose else ()
        whole = [Mention(0, len(raw), m.ids) for m in joined if m.end - m.start == len(raw) - raw.count("-")]
        raw = raw if words or whole else next((r for r in (raw, words_of(raw)) if domain.find_entities(r)), raw)
        mentions = domain.find_entities(raw) or whole  # "ModelH100", "A-100"
        named = [m for m in mentions if any(map(domain.is_specific, m.ids))]
        against = next((m for m in named if self._stands_against(raw, m)), None)
        entities = tuple(tuple(i for i in m.ids if domain.is_specific(i)) for m in named if m is not against)
        rest = blanked(raw, ((m.start, m.end) for m in named))
        rest = rest if prose else self._without_sizes(rest if words else _spaced(rest), named)
        axes = self._axes(text, rest, prose=prose)
        formats = [(m.start, m.end) for m in axes if m.ids[0].startswith(("dtype=", _OF_CORE))]  # no count of cores
        metrics = [m for m in self._metrics(rest) if not any(s <= m.start and m.end <= e for s, e in formats)]
        forms = self._forms_named(rest, metrics) if entities and not prose else set()
        entities = tuple(next(((v,) for f in forms if (v := self.variant(ids[-1], f))), ids) for ids in entities)
        metrics = [m for m in metrics if rest[m.start : m.end] not in forms]
        units, spans = self._units(blanked(rest, formats), prose=prose)  # the "M3" of "FP8_E4M3" is no volume
        named_so = {rest[m.start : m.end].lower() for m in metrics[:1] if len(metrics) == 1}
        units = {d: u for d, u in units.items() if d == "count" or not self._is_name(u, named_so)}
        covered = [*metrics, *axes, *domain.find_terms(rest), *domain.find_entities(rest)]
        scale = prod((SCALES.get(word[0].lower().removesuffix("s"), 1.0) for word in _WORD.finditer(rest)), start=1.0)
        left = self._left(rest, [*spans, *((m.start, m.end) for m in covered)])
        ids = tuple(i for m in metrics for i in m.ids)
        if "/" not in text and self._ends_with_count(rest, units):
            ids = tuple(i for i in ids if domain.metrics[i].dimension == "count")  # "HBM stacks"
        # "per server" is what chips per server are, and "dram" of a bandwidth tells no kind of it
        keyed = [m for m in metrics if set(m.ids) & self._counting or self._keys.find(rest[m.start : m.end])]
        aside = [m for m in axes if m.ids[0].startswith(_IN_KEYS)]
        told = [m for m in aside if any(k.start <= m.start and m.end <= k.end for k in keyed)]
        values = [(i.partition("=")[0], i.partition("=")[2]) for m in axes if m not in told for i in m.ids[:1]]
        # "Total GPU bandwidth" is one GPU's
        values = [
            v for v in values if v != _GROUP or not any(domain.counted(u) == COUNTED_CHIPS for u in units.values())
        ]
        several = {a for a, v in values if f"{a}=" in _IN_KEYS and any(a == x and v != other for x, other in values)}
        values = [pair for pair in values if pair[0] not in several]  # "per chip/node" says neither
        before = raw[: named[0].start].split() if len(named) == 1 else []
        chips = [q for q in domain.unit_table.find(rest) if domain.counted(q.unit) == COUNTED_CHIPS and q.low == q.high]
        times = [w[:-1] for w in before if w[-1] in "x×" and w[:-1].isdigit()]  # "8x NVIDIA H100"
        times += [f"{q.low:.0f}" for q in chips if self._counting.isdisjoint(ids)]  # "cost (8 chips)"
        values += [("count", n) for n in times]
        if prose:  # "165.0,  # with sparsity: 330" says what the 330 are
            free = blanked(rest, ((m.start, m.end) for m in axes))
            figures = [q for q in domain.unit_table.find_all(free) if q.dimension in ("number", "compute_rate")]
            own = {m.ids[0] for m in axes if any(self._adjoins(rest, m, q.start, q.end) for q in figures)}
            values = [v for v in values if v[0] != "sparsity" or f"{v[0]}={v[1]}" not in own]
        if prose and not _OPERATED.isdisjoint(zip(raw.replace(" ", ""), raw.replace(" ", "")[1:], strict=False)):
            values = [pair for pair in values if pair[0] != "sparsity"]  # "OPS = sparse OPS/2" are dense, if anything
        worded = (m for m in (*metrics, *axes) if (m.start, m.end) not in spans)  # the "MHz" of a clock is its unit
        each = tuple(m.ids for m in worded if self.telling(rest[m.start : m.end].split()))
        whom, stated = against.ids[0] if against else "", dict(reversed(values))
        return Meaning(entities, ids, units, stated, scale, left, whom, each)

    def _left(self, text: str, known: Sequence[Span]) -> tuple[str, ...]:
        """The words of a label that nobody knows."""
        left: list[str] = []
        for word in _WORD.finditer(text):
            ends = accumulate((len(part) + 1 for part in word[0].split("/")), initial=word.start())
            units = self.domain.unit_by_form if "/" in word[0] else ()  # the "s" of "FLOPs/s/chip"
            parts = ((a, b - 1) for a, b in pairwise(ends) if text[a : b - 1] not in units)
            inside = all(any(s <= a and b <= e for s, e in known) for a, b in parts)
            if not inside and word[0].lower().removesuffix("s") not in SCALES and not self._says_nothing(word[0]):
                left.append(word[0])
        return tuple(left)

    def _ends_with_count(self, text: str, units: dict[str, str]) -> bool:
        """True of a label that names what is counted, and no chips."""
        *before, last = text.lower().split() or [""]
        counts = set(units) == {"count"} and self.domain.counted(units["count"]) != COUNTED_CHIPS
        return counts and bool(before) and before[-1] != "per" and self.domain.find_unit(last) == units["count"]

    def _axes(self, text: str, rest: str, *, prose: bool) -> list[Mention]:
        axes = [*self.domain.find_qualifiers(rest), *self._each(text, rest)]
        sums = self.domain.word_group("what sums are kept in")  # "FP16 (FP32 accumulate)" are rates in FP16
        axes = [m for m in axes if sums.isdisjoint(words_of(rest[m.end :]).lower().split()[:1])]
        formats = {m.ids[0].removeprefix(_DTYPE) for m in axes if m.ids[0].startswith(_DTYPE)} - {"tf32"}
        if len({f.lstrip(_LETTERS) for f in formats}) == 1 < len(formats - {*self.domain.axes["dtype"].alike}):
            both = (f"{_DTYPE}{OPEN.join(sorted(formats))}",)  # "FP8/INT8" are both
            axes = [replace(m, ids=both) if m.ids[0].startswith(_DTYPE) else m for m in axes]
        return [*axes, *(self.engines(rest) if not prose and formats else [])]

    @staticmethod
    def _adjoins(text: str, cue: Mention, start: int, end: int) -> bool:
        between = text[cue.end : start] if cue.end <= start else text[end : cue.start] if end <= cue.start else "-"
        return not between.strip(" :=(~")

    def _each(self, text: str, rest: str) -> list[Mention]:
        """The scope behind a slash: "BW/Stack" is of each stack."""
        words = [part.split(maxsplit=1)[0] for part in text.split("/")[1:] if part.strip()]
        found = [(of, m) for of in words if of.isalpha() for m in self.domain.find_qualifiers(f"per {of}")]
        found = [(of, m) for of, m in found if m.ids[0].startswith("aggregation=")]
        return [Mention(rest.rfind(of), rest.rfind(of) + len(of), m.ids) for of, m in found]

    def engines(self, text: str) -> list[Mention]:
        """The "Tensor" of "13 (51 Tensor)" and of "fp16_tensor", without the core."""
        words = [w for w in text.replace("(", " ").replace(")", " ").split() if w.isalpha()]
        named = ((text.index(w), w, m) for w in words for m in self.domain.find_qualifiers(f"{w} core"))
        return [Mention(at, at + len(w), m.ids) for at, w, m in named if m.ids[0].startswith("engine=")]

    def _stands_against(self, text: str, name: Mention) -> bool:
        """True for the H100 of "vs H100"."""
        words = (m for m in self.domain.find_operators(text[: name.start]) if not text[m.end : name.start].strip())
        return any(self.domain.operators[i].kind in ("versus", "than") for m in words for i in m.ids)

    def _is_name(self, unit: str, names: Collection[str]) -> bool:
        """True for the FLOPS of {"flops": 312}: what names a metric and has no prefix states no unit."""
        forms = self.domain.units.get(unit)
        named = {word for name in names for word in name.split()}
        return forms is not None and forms.scale == 1 and not named.isdisjoint(f.lower() for f in forms.forms)

    def _forms_named(self, text: str, metrics: Iterable[Mention]) -> set[str]:
        """The form factors that go by a metric's name: "H100 for PCIe" is a card and no link."""
        words = {text[m.start : m.end] for m in metrics}
        return {q.id for q in self.domain.qualifiers.values() if q.axis == "form_factor" and q.id in words}

    def variant(self, subject: str, word: str) -> str:
        """The variant of a product that a word added to its name makes: "PCIe" of the H100."""
        name = f"{self.domain.entities[subject].name} {word}"
        found = self.domain.find_entities(name)
        ids = found[0].ids if len(found) == 1 and found[0].end == len(name) else ()
        return ids[0] if len(ids) == 1 and subject in self.domain.ancestors(ids[0])[1:] else ""

    def completed(self, name: str, around: str) -> str:
        """The product whose name a label has without its line or maker, which a label around it says or shows.

        "5090" below "RTX 50 series", "v2" beside "TPU v5e".
        """
        short = words_of(name.rpartition(".")[2])
        if len(short) > LONGEST_SHORT or not any(map(str.isdigit, short)):
            return ""
        kin = [a for ids in self.meaning(around).entities for i in ids[:1] for a in (i, *self.domain.ancestors(i))]
        beside = [self.domain.entities[i].name for i in kin]
        for word in words_of(" ".join([around, *beside])).split():
            if word.lower() in self._lines:
                found = self.domain.find_entities(f"{word} {short}")
                ids = found[0].ids if len(found) == 1 and found[0].end == len(word) + len(short) + 1 else ()
                if len(ids) == 1 and not found[0].start and self.domain.is_specific(ids[0]):
                    return ids[0]
        return ""

    @cached_property
    def _lines(self) -> frozenset[str]:
        """The first words of products' names behind which a number stands: "RTX" of "RTX 5090"."""
        names = (name.split() for e in self.domain.entities.values() for name in (e.name, *e.aliases))
        return frozenset(n[0].lower() for n in names if len(n) > 1 and any(map(str.isdigit, n[1])) and n[0].isalpha())

    @cached_property
    def _counting(self) -> frozenset[str]:
        """Metrics of which a number of chips or cores is the figure: "per server" is what they are, and no axis."""
        return frozenset(m.id for m in self.domain.metrics.values() if m.dimension == "count")

    def _metrics(self, rest: str) -> list[Mention]:
        kept: list[Mention] = []
        for m in sorted([*self._keys.find(rest), *self.domain.find_metrics(rest)], key=lambda m: m.start - m.end):
            if not any(m.start < k.end and k.start < m.end for k in kept):
                kept.append(m)  # of two that overlap the longer one: "memory bandwidth" of "GPU memory bandwidth"
        return kept

    @cached_property
    def _keys(self) -> Phrasebook:
        return Phrasebook((key, m.id) for m in self.domain.metrics.values() for key in m.keys)

    def telling(self, words: Iterable[str]) -> set[str]:
        """Those of the words that say something in a label."""
        return {w for w in words if not self._says_nothing(w)}

    def _says_nothing(self, word: str) -> bool:
        return word.lower() in self.domain.word_group("says nothing in a label") or word.replace(".", "").isdigit()

    def _units(self, rest: str, *, prose: bool) -> tuple[dict[str, str], list[tuple[int, int]]]:
        """Units by their dimension, those that stand last first, and where they stand."""
        words = [*_WORD.finditer(rest)]
        found: dict[str, str] = {}
        spans: list[tuple[int, int]] = []
        last = len(words)
        while last > 0:
            for count in range(min(LONGEST_UNIT, last), 0, -1):
                window = words[last - count : last]
                if prose and last > count and words[last - count - 1][0][0].isdigit():
                    continue  # the unit of a number that the comment has
                letter = window[0][0].isalpha() and len(window[0][0]) == count == 1
                lone = letter and (last < len(words) or (len(words) == 1 and not prose))
                made = {} if lone else self._unit([w[0] for w in window])
                if made:
                    for dimension, unit in made.items():
                        found.setdefault(dimension, unit)
                    spans.append((window[0].start(), window[-1].end()))
                    last -= count - 1
                    break
            last -= 1
        if len(found) > 1:
            found.pop("count", None)  # "GPU memory, GB" counts no GPUs
        return found, spans

    def _unit(self, words: Sequence[str]) -> dict[str, str]:
        """The units that words spell, by dimension: "gb", "s" GB/s, "usd", "h" dollars an hour."""
        words = ["$" if w.lower() in ("usd", "dollars") else w for w in words]
        parts = [w for w in words if w.lower() != "per"]
        spelled = dict.fromkeys(("/".join(parts), " ".join(words), "".join(words)))
        if words[-1].lower() in _RATES and len(words) == 1:  # "hbm_gbs", but "memory (GBs)"
            forms = (f"{words[-1][:-1]}/s", words[-1])
            return self._by_dimension(u for form in forms for u in self._forms.get(form.lower(), ()))
        for form in spelled:
            if form in self.domain.unit_by_form and not (form.islower() and form.endswith(_BITS_OR_BYTES)):
                return self._by_dimension([self.domain.unit_by_form[form]])
        for form in spelled:
            if units := self._forms.get(form.lower()):
                return self._by_dimension(units, small=form.lower().endswith(_BITS_OR_BYTES))
        money, slash, _ = words[0].partition("/")
        made = self._by_dimension([self.domain.unit_by_form.get(money, "")] if slash else [])
        return {d: unit for d, unit in made.items() if d.startswith(_FOREIGN)}  # "€/h"

    def _by_dimension(self, ids: Iterable[str], *, small: bool = False) -> dict[str, str]:
        made: dict[str, str] = {}
        units = self.domain.units
        for unit in filter(None, ids):
            dimension = units[unit].dimension
            other = made.get(dimension)
            if other is None or other == unit:
                made[dimension] = unit
            elif units[other.removesuffix(UNSURE)].scale != units[unit].scale:
                # bytes are what a key in small letters means: "gb", "gb_s"; of "gbps" nobody knows
                larger = max(other.removesuffix(UNSURE), unit, key=lambda u: units[u].scale)
                made[dimension] = larger + UNSURE if small or other.endswith(UNSURE) else larger
        return made

    @cached_property
    def _forms(self) -> dict[str, list[str]]:
        """Units by the ways to write them, in small letters."""
        found: dict[str, list[str]] = {}
        for form, unit in self.domain.unit_by_form.items():
            if unit not in (known := found.setdefault(form.strip().lower(), [])):
                known.append(unit)
        return found


def words_of(text: str) -> str:
    """A key as words: "boardPower" and "board_power" are "board power"."""
    return " ".join(_spaced(text).split())


def _spaced(text: str) -> str:
    apart = text.translate(_APART)
    words = _CAMEL.sub(" ", apart)
    # the case of "vramGb" parts words and tells no bits from bytes
    return words if words == apart else " ".join(w.lower() if w.istitle() else w for w in words.split(" "))
