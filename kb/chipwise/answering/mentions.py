"""The words of a question as typed mentions: what each stretch of it may be, the longest match winning.

    "which GPUs have at least 100 GB"
        ->  which: asks | GPUs: thing gpu | have: filler | at least 100 GB: quantity

A slot is one stretch of the question with everything that it may be; slots follow one another and cover all words.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from chipwise import patterns as re
from chipwise.answering.naming import Named, names_in
from chipwise.claims.model import Qualifiers
from chipwise.domain.model import Domain
from chipwise.domain.phrasebook import Mention
from chipwise.domain.records import Operator
from chipwise.figures.llms import find_in
from chipwise.numbers.quantity import Quantity
from chipwise.numbers.wording import bound_after, bound_before
from chipwise.text import WORD, Span, blanked, overlap

_LISTS = str.maketrans(",&+", "|||")  # "memory, bandwidth" are two metrics
_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()
_DATE = re.compile(
    r"(?:\b(?P<month>jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?,?\s(?:of\s)?|\bq(?P<quarter>[1-4])\s|\b(?:late|early|mid|end of|year)[\s-])?"
    r"(?<![\w$€£.,-])(?P<year>(?:199|20\d)\d)(?:-(?P<number>0[1-9]|1[0-2]))?(?![\w%]|[.,]\d)",
    re.I,
)
_ASKS = ("question", "compare", "rank", "opener", "relate")  # begin a metric's wording: "how much memory", "most FLOPS"


@dataclass(slots=True)
class Slot:
    """A stretch of the question and what it may be; a slot with none of it is a word that nothing knows.

    `metrics` is empty for no metric; `is_weak` where the metric is only named by a value of it ("NVLink", "in BF16").
    """

    start: int
    end: int
    names: Named | None = None
    metrics: tuple[str, ...] = ()
    is_weak: bool = False
    axes: Qualifiers = ()
    categories: tuple[str, ...] = ()  # ids of terms and values; with "!" before what is denied by its contrary
    makers: tuple[str, ...] = ()
    quantity: Quantity | None = None
    is_strict: bool = False  # True for "more than", "under": the bound itself is none of it
    number: float | None = None
    is_word: bool = False  # True for a number in letters, which may be part of a phrase: "which of the two"
    date: str = ""
    unit: str = ""
    operators: tuple[Operator, ...] = field(default=())

    @property
    def is_known(self) -> bool:
        """False for a word that nothing accounts for."""
        named = self.names or self.metrics or self.axes or self.categories or self.makers or self.quantity
        return bool(named or self.operators or self.date or self.unit) or self.number is not None


_WORDING = 3  # the rank of words that are neither names nor figures
_LONG = 4  # letters of a unit that is no other word
_BEFORE_UNITS = ("in", "into", "many", "to", "of", "and", "number")
OF_METRICS = ("power_basis", "basis", "aggregation", "capacity")  # axes of which the name of a metric says a value


def slots(text: str, domain: Domain) -> list[Slot]:
    """The slots of a question, in order."""
    taken: dict[Span, Slot] = {}
    _take(list(_candidates(text, domain)), taken)
    rest = blanked(text, taken, "|")
    if WORD.search(rest):  # words of a longer phrase that gave way to a name or a figure
        _take(list(_candidates(rest, domain)), taken)
    for word in WORD.finditer(text):
        if not any(start < word.end() and word.start() < end for start, end in taken):
            taken[word.span()] = Slot(*word.span())
    return [taken[span] for span in sorted(taken)]


def _take(found: list[Slot], taken: dict[Span, Slot]) -> None:
    """Adds to `taken` what overlaps with nothing there, longest first; names, figures and dates go before wording."""
    for slot in sorted(found, key=lambda s: (_rank(s) == _WORDING, s.start - s.end, _rank(s))):
        span = (slot.start, slot.end)
        if span in taken:
            _merge(taken[span], slot)
        elif not any(start < slot.end and slot.start < end for start, end in taken):
            taken[span] = slot


def _rank(slot: Slot) -> int:
    if slot.names:
        return 0
    if slot.quantity or slot.number is not None:
        return _WORDING if slot.is_word else 1
    return 2 if slot.date else _WORDING


def _merge(slot: Slot, other: Slot) -> None:
    """Everything that two readings of one stretch say."""
    for name in ("names", "metrics", "axes", "categories", "makers", "quantity", "date", "unit", "operators"):
        if not getattr(slot, name):
            setattr(slot, name, getattr(other, name))
    slot.is_weak = slot.is_weak or other.is_weak


def _candidates(text: str, domain: Domain) -> Iterator[Slot]:
    dates = [m for m in _DATE.finditer(text) if not _counts_something(text, m, domain)]
    model = find_in(text)
    names = names_in(text, domain, [*(m.span() for m in dates), *([model[1]] if model is not None else [])])
    wholes = [(q.start, q.end) for q in domain.unit_table.find(text) if q.dimension != "count"]
    qualifiers = domain.find_qualifiers(text)
    if any(domain.is_machine(i) for n in names for i in n.ids):  # "per GPU" of a rack is not asked of all GPUs
        wholes += [(m.start, m.end) for m in qualifiers if m.ids[0].startswith("aggregation=")]
    names = [n for n in names if not _is_within(n, wholes, domain)]
    yield from (Slot(n.start, n.end, names=n) for n in names)
    dates = [m for m in dates if not any(n.start < m.end() and m.start() < n.end for n in names)]
    yield from (Slot(*m.span(), date=_date(m)) for m in dates)
    phrases = [(m.start, m.end) for m in (*qualifiers, *domain.find_terms(text))]
    yield from _figures(text, domain, names, [*(m.span() for m in dates), *phrases])
    yield from (Slot(m.start, m.end, operators=operators) for m, operators in _found_in(text, domain))
    inner = [(m, "axis") for m in qualifiers]
    inner += [(m, "category") for m in (*domain.find_terms(text), *domain.find_values(text))]
    for mention, kind in inner:
        if kind == "axis":
            axis, _, value = mention.ids[0].partition("=")
            yield Slot(mention.start, mention.end, axes=((axis, value),))
        elif not _is_concept(mention.ids[0], domain):
            yield Slot(mention.start, mention.end, categories=mention.ids)
    yield from (Slot(m.start, m.end, makers=m.ids) for m in domain.find_makers(text))
    yield from _metrics(text, domain)
    yield from _units(text, domain)


def _is_within(name: Named, wholes: list[Span], domain: Domain) -> bool:
    """True for the "GPU" of "$2 per GPU-hour" or of "per GPU"."""
    many = bool(name.ids) and all(domain.is_many(i) for i in name.ids)
    return many and any(start < name.start and name.end <= end for start, end in wholes)


def _metrics(text: str, domain: Domain) -> Iterator[Slot]:
    """Wording of metrics, without the words before it that only ask ("how much HBM"), and with the values that stand inside."""
    for mention in domain.find_metrics_asked(text.translate(_LISTS)):
        said = text[mention.start : mention.end]
        cut, operators = _leading(said, domain)
        start = mention.start
        if cut and said[cut:].strip() and not _says_nothing(said[cut:], domain):
            yield Slot(start, start + cut, operators=operators)
            start += cut + len(said[cut:]) - len(said[cut:].lstrip())
        rest = text[start : mention.end]
        if _says_more(_without_entities(rest, domain), domain):
            continue  # the "GPUs are in" of "how many GPUs are in" and "faster": the operators say it
        stated = [(m, *m.ids[0].partition("=")[::2]) for m in domain.find_qualifiers(rest)]
        stated = [(m, axis, value) for m, axis, value in stated if axis not in OF_METRICS]
        axes = tuple((axis, value) for _, axis, value in stated)
        values = [m for m in (*domain.find_terms(rest), *domain.find_values(rest)) if not _is_concept(m.ids[0], domain)]
        categories = tuple(m.ids[0] for m in values)
        dimension, unit = domain.metrics[mention.ids[0]].dimension, _unit(rest, domain)
        around = [(rest[: m.start], rest[m.end :]) for m in (*(m for m, *_ in stated), *values)]
        around = [(a, b) for a, b in around if _says_nothing(a, domain)]
        around = [(a, b) for a, b in around if (_says_nothing(b, domain) if dimension == "text" else not b)]
        weak = bool(around) and not any(o.value in ("amount", "count") for o in operators)
        denied = weak and any(o.kind == "not" for o in domain.operators_in(around[0][0]))
        categories = tuple(f"!{c}" for c in categories) if denied else categories
        counts = unit and (dimension == "count") == (domain.units[unit].dimension == "count")
        unit = unit if counts and (dimension == "count" or rest in domain.unit_by_form) else ""
        yield Slot(start, mention.end, metrics=mention.ids, is_weak=weak, axes=axes, categories=categories, unit=unit)


def _is_concept(id_: str, domain: Domain) -> bool:
    """True for what is asked about and no category of anything: TDP, the KV cache."""
    return (
        id_ in domain.terms
        and domain.terms[id_].kind == "concept"
        and not any(id_ in r.objects for r in domain.relations.values())
    )


def _without_entities(text: str, domain: Domain) -> str:
    for m in reversed(domain.find_entities(text)):
        text = text[: m.start] + text[m.end :]
    return text


def _figures(text: str, domain: Domain, names: list[Named], dates: list[Span]) -> Iterator[Slot]:
    """Quantities with the words that bound them, and bare numbers."""
    for q in domain.unit_table.find_all(text):
        span = (q.start, q.end)
        within = any(start <= q.start and q.end <= end and (start, end) != span for start, end in dates)
        if within or (q.dimension == "number" and any(overlap(date, span) for date in dates)):
            continue
        is_word = text[q.start].isalpha() and q.dimension == "number"
        inside = next((n for n in names if n.start < q.end and q.start < n.end), None)
        if inside is not None:
            # the "2" of "2 H200"
            if q.start < inside.start and q.form == "value" and q.dimension in ("count", "number"):
                end = q.start + len(text[q.start : inside.start].rstrip(" xX×-"))
                yield Slot(q.start, end, number=q.middle)
            continue
        if q.dimension == "count" and domain.counted(q.unit) == "chips" and q.form == "value" and q.bound == "exact":
            end = q.start + next((n for n, c in enumerate(text[q.start : q.end]) if c in " -"), q.end - q.start)
            yield Slot(q.start, end, number=q.middle)  # "8 GPUs" and "top 3 chips": a number and what it counts
            continue
        start = bound_before(text, q.start)[1]
        end = max(q.end, bound_after(text, q.end)[1]) if start == q.start else q.end
        if q.dimension == "number":
            yield Slot(q.start, q.end, number=q.middle, is_word=is_word, quantity=q if q.bound != "exact" else None)
        else:
            yield Slot(min(start, q.start), end, quantity=q, is_strict=_is_strict(text[start : q.start], domain))


def _is_strict(before: str, domain: Domain) -> bool:
    """True behind "more than" and "under", not behind "no more than" and "at most"."""
    said = domain.operators_in(before)
    kinds = {o.kind for o in said}
    outside = any(o.kind == "bound" and o.value in ("above", "below") for o in said)
    return (outside or {"compare", "than"} <= kinds) and "not" not in kinds


def _counts_something(text: str, date: re.Match[str], domain: Domain) -> bool:
    """True for "2048 GPUs" and "2000 W", which are no years."""
    if date["month"] or date["quarter"] or date["number"]:
        return False
    return any(q.start == 0 for q in domain.unit_table.find(text[date.start("year") : date.end() + 20]))


def _date(m: re.Match[str]) -> str:
    number = m["number"] or (f"{_MONTHS.index(m['month'].lower()[:3]) + 1:02d}" if m["month"] else "")
    return f"{m['year']}-{number}" if number else m["year"]


def _unit(said: str, domain: Domain) -> str:
    """The unit that a phrase begins with: as it is written, else in any case ("Gbps" and "GBPS" are two)."""
    return domain.unit_by_form.get(said) or domain.unit_by_form.get(said.split(maxsplit=1)[0]) or domain.find_unit(said)


def _units(text: str, domain: Domain) -> Iterator[Slot]:
    """Units that a figure is asked in: "how many watts", "in GB/s and in Gbps"."""
    for m in re.finditer(r"(?<![\w/'’])[A-Za-z%][\w/%]*(?: (?:per|a|an) [a-z]+| [a-z]+)?", text):
        for said in (m[0], m[0].split()[0]):
            is_meant = len(said) > 1 or text[: m.start()].lower().endswith((" in ", "many ", " to "))
            unit = _unit(said, domain) if is_meant else ""
            if unit and said.lower() not in ("in", "a", "as", "at", "am"):
                lengths = range(1, len(said.split()) + 1)
                whole = next(n for n in lengths if _unit(" ".join(said.split()[:n]), domain) == unit)
                if domain.units[unit].of != "chips" and (
                    whole > 1
                    or text[: m.start()].rstrip().rpartition(" ")[2].lower() in _BEFORE_UNITS
                    or (len(said) >= _LONG and domain.units[unit].dimension != "count")
                ):
                    yield Slot(m.start(), m.start() + len(" ".join(said.split()[:whole])), unit=unit)
                break


def _found_in(text: str, domain: Domain) -> list[tuple[Mention, tuple[Operator, ...]]]:
    """The operators in `text`, longest first and never overlapping, each with all that its words may do."""
    return [(m, tuple(domain.operators[i] for i in m.ids)) for m in domain.find_operators(text)]


def _leading(text: str, domain: Domain) -> tuple[int, tuple[Operator, ...]]:
    """Where the words end that ask for what follows them in `text`, and what they do; (0, ()) where it begins with none."""
    found = _found_in(text, domain)
    if not found or found[0][0].start != 0:
        return 0, ()
    mention, operators = found[0]
    asking = tuple(o for o in operators if o.kind in _ASKS)
    return (mention.end, asking) if asking else (0, ())


def _says_more(text: str, domain: Domain) -> bool:
    """True where every word of `text` is an operator's, and of one that carries something: "faster", "clouds offer"."""
    kinds = {o.kind for _, operators in _found_in(text, domain) for o in operators[:1]}
    return _says_nothing(text, domain) and bool(kinds - {"filler", "verb", "hint"})


def _says_nothing(text: str, domain: Domain) -> bool:
    """True where every word of `text` is an operator's: "are in" of "how many GPUs are in"."""
    covered = sum(m.end - m.start for m in domain.find_operators(text))
    return covered >= len("".join(text.split()))
