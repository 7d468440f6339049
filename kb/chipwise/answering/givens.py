"""The figures that a question gives for a sum, and of what each is.

"8x H100 at $2 per GPU-hour"  ->  8 chips; 2 USD/hour, of one chip
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from chipwise import patterns as re
from chipwise.answering.scoping import ONE, ONE_BEHIND, is_of_card, product_of, scope_of
from chipwise.domain.model import Domain
from chipwise.domain.phrasebook import Mention
from chipwise.domain.records import Numbered
from chipwise.figures.format import counted, number
from chipwise.figures.llms import SIZED_NAME, find_in
from chipwise.numbers.quantity import Quantity
from chipwise.text import blanked, words
from chipwise.values import dataclass

_AROUND_THE_CLOCK = re.compile(r"\b24\s?[/x]\s?7\b|\b(?:a)?round the clock\b", re.I)  # no number
_OF = re.compile(r"\sof\s(?:the\s)?", re.I)
_CHIP_HOURS = re.compile(rf"[\s-]?(?:{ONE}[\s-]?)?(?:hours|hrs)\b", re.I)  # "2,000 v5p chip hours", "500 H100 hours"
_PER_PARAMETER = re.compile(r"\s*(?:/|per|a|each|for each|for every)\s*(?:model )?(?:parameter|param|weight)s?\b", re.I)
_MODEL = re.compile(r"[\d.]+\s?[MBT]$")
_SIZE = re.compile(r"(?<![\w.$€£-])(?P<size>\d+(?:\.\d+)?)b(?![\w/])")  # "a 70b"
_TIMES_CHIP = re.compile(r"(?<![\w.])(?P<count>\d{1,6})[x×]\s?$")  # before a chip: "256xH100"
_PER_MILLION = re.compile(r"\s*(?:/|per|a|for a)\s*(?:1\s?)?(?:million|M)\b(?:\s*tok\w*)?")  # "$0.50 per million"
_PER_TOKENS = re.compile(
    r"\bper\s+(?:1\s?)?(?:M|million)\s+tok\w*", re.I
)  # a unit, and no figure: "cost per 1M tokens"
_ACTIVE = ("active", "activated")  # what a mixture of experts uses of its parameters
_CENTS = re.compile(r"(?<![\d.])\d{1,3}\.\d\d(?!\d)")
_LIKE_A_YEAR = re.compile(r"(?<![\w.,$€£-])(?:19|20)\d\d(?![\w%]|[.,]\d)")
_WIDEST = 64  # bits of one number; "a 128 bit bus" has none
_SMALL = 3  # a number in words up to which counts what the sentence names
_LEAST_PRICE = 1e4  # dollars, from which on a bare number where something is bought is what it costs
_LEAST_MODEL = 1e6  # parameters; a smaller number of "models" counts models
_OVER = re.compile(r"\bover (?:an? |the )?$", re.I)


@dataclass(frozen=True, slots=True)
class Given:
    """A figure of the question, as `quantity` has it: its `kind` is its dimension, or what it counts, `text` is to be shown.

    `of` is the product that it is said of, where the question gives several of the kind: "if the H100 is $3 an hour and the H200 $4".
    """

    kind: str
    quantity: Quantity
    text: str
    scope: str
    end: int
    of: str = ""

    @property
    def value(self) -> float:
        """In base units."""
        return self.quantity.middle

    @property
    def start(self) -> int:
        """Where it begins in the question."""
        return self.quantity.start


def givens(text: str, domain: Domain) -> list[Given] | None:
    """The figures of a question; None where one is a bound, a range or of a kind that no sum takes."""
    found: list[Given] = []
    known = find_in(text)  # a model whose shape is known: the numbers in its name are no figures
    text = blanked(text, [known[1]]) if known is not None else text
    named_models = [*SIZED_NAME.finditer(text), *_SIZE.finditer(text)]
    entities = domain.find_entities(text)
    found += [_model(m) for m in named_models]
    found += [given for m in entities if (given := _counted_times(text, m, domain)) is not None]
    set_aside = [m.span() for p in (_AROUND_THE_CLOCK, _PER_TOKENS) for m in p.finditer(text)]
    set_aside += [m.span() for m in named_models]
    quantities = [*domain.unit_table.find_all(blanked(text, set_aside)), *_numbers_like_years(text, domain)]
    for q in quantities:
        counted_so = _counted_by_name(text, q, domain) or _counted_machines(text, q, entities, domain)
        if counted_so is not None:
            if (counted_so.kind, counted_so.value) != ("systems", 1):  # of "one 8x B200 node" the eight count
                found.append(counted_so)
            continue
        if q.dimension == "count" and q.unit not in domain.units and any(m.start <= q.start < m.end for m in entities):
            continue  # the "3090 versus" of "RTX 3090 versus"
        named = any(m.start <= q.start and q.end <= m.end for m in entities)
        if q.dimension == "number" and not (_MODEL.search(text[q.start : q.end]) and not named):
            bare = _bare(text, q, domain, named=named)
            if bare is None:
                return None
            found += bare
            continue
        if not _is_exact(text, q) or q.form not in ("value", "share", "change", "discount"):
            return None
        # "per chip" behind another figure says nothing of this one
        others = [(o.start, o.end) for o in quantities if o is not q]
        given = _given(blanked(text, others, "#"), q, domain)
        if given.kind == "chips" or not named:  # "A100 80GB" is a name
            found.append(given)
        if q.count > 1 and is_of_card(text, q, domain):  # "4x 16 GB cards"
            several = replace(q, dimension="count", unit="chips", low=float(q.count), high=float(q.count))
            found.append(Given("chips", several, f"{q.count} chips", "", q.end))
    once = {(g.kind, g.start): g for g in found}  # "4x L4" by the name and by the number
    return _told_apart([*once.values()], text, entities)


def _bare(text: str, q: Quantity, domain: Domain, *, named: bool) -> list[Given] | None:
    """What a number without a unit is, if anything; None where nothing tells."""
    kind = _numbered(text, q, domain)
    if kind and kind.usual == q.middle:
        return []
    if kind:
        return [Given(kind.id, q, kind.says.format(number(q.middle)), "", q.end)]
    if not named and _is_price(text, q, domain):
        return [Given("price", replace(q, dimension="price", unit="USD"), f"{number(q.middle)} USD", "", q.end)]
    is_plain = named or re.search(r"\w", text[q.end : q.end + 1]) or _says_little(text, q)  # the 200 of "Maia 200"
    return [] if is_plain else None


def _numbers_like_years(text: str, domain: Domain) -> Iterator[Quantity]:
    """The 2048 of "a context of 2048", which is a year but for the words around it."""
    for year in _LIKE_A_YEAR.finditer(text):
        q = Quantity(*year.span(), "number", "", float(year[0]), float(year[0]))
        if _numbered(text, q, domain):
            yield q


def _model(named: re.Match[str]) -> Given:
    """The parameters that a model's name tells: "llama-70b"."""
    size = float(named["size"]) * 1e9
    quantity = Quantity(named.start(), named.end(), "count", "parameters", size, size)
    return Given("parameters", quantity, f"{number(size)} parameters", "", named.end())


def _says_little(text: str, q: Quantity) -> bool:
    """True for a one, and for a small number in words: "two moments"."""
    return q.low == q.high and (q.low == 1 or (q.low <= _SMALL and not text[q.start].isdigit()))


def _counted_times(text: str, mention: Mention, domain: Domain) -> Given | None:
    """ "256xH100" counts chips."""
    before = _TIMES_CHIP.search(text[: mention.start])
    if before is None or not domain.is_chip(mention.ids[0]):
        return None
    count = float(before["count"])
    quantity = Quantity(before.start(), before.end(), "count", "chips", count, count)
    return Given("chips", quantity, f"{number(count)} {counted('chips', count)}", "", before.end())


def _told_apart(found: list[Given], text: str, entities: Sequence[Mention]) -> list[Given]:
    """The figures, each with the product that it is said of where there are several of a kind and each is of another product."""
    kinds: dict[str, list[Given]] = {}
    for given in found:
        kinds.setdefault(given.kind, []).append(given)
    whose: dict[int, str] = {}
    for alike in kinds.values():
        owners = [product_of(text, g.start, g.end, entities) for g in alike]
        if len(alike) > 1 and all(owners) and len(set(owners)) == len(owners):
            whose |= {g.start: owner for g, owner in zip(alike, owners, strict=True)}
    return [replace(g, of=whose.get(g.start, "")) for g in found]


def _numbered(text: str, q: Quantity, domain: Domain) -> Numbered | None:
    """What a bare number counts by the words around it: "PUE of 1.3", "8 KV heads"."""
    for kind in domain.numbered.values():
        named = any(
            re.search(rf"\b(?:{re.escape(p)})[\s:=]*(?:of|is|at|around|about)?\s*$", text[: q.start], re.I)
            for p in kind.before
        )
        if named or any(re.match(rf"[\s-]*(?:{re.escape(p)})\b", text[q.end :], re.I) for p in kind.behind):
            return kind
    return None


def _is_price(text: str, q: Quantity, domain: Domain) -> bool:
    """True for the "300k" of "to buy the box for 300k": a large number without a unit where something is bought."""
    bought = domain.variables.get("purchase_price")  # a domain of one's own may have no prices
    is_large = q.form == "value" and q.middle >= _LEAST_PRICE
    return bought is not None and is_large and not set(words(text)).isdisjoint(bought.words)


def _is_exact(text: str, q: Quantity) -> bool:
    """True for a figure that is one, or the most that is allowed; bytes go "over" a link and chips are rented "over" months."""
    over = q.dimension in ("information_rate", "time") and _OVER.search(text[: q.start])
    return q.bound in ("exact", "at most") or bool(over)


def _counted_machines(text: str, q: Quantity, entities: Sequence[Mention], domain: Domain) -> Given | None:
    """ "3 GB300 NVL72 racks" and "3 racks of GB300 NVL72" count no GPUs, and an "8-GPU DGX H100" does."""
    next_to = q.end + (q.dimension == "number")
    of = _OF.match(text, q.end) if q.dimension == "count" and not _counts_chips(q, domain) else None
    next_to = of.end() if of else next_to
    before = any(q.start < m.start <= next_to and domain.holds_several(m.ids[0]) for m in entities)
    return (
        Given("systems", q, f"{number(q.high)} machines", "", q.end)
        if before and q.dimension in ("number", "count")
        else None
    )


def _counts_chips(q: Quantity, domain: Domain) -> bool:
    """False for a noun that no unit has: the "versus" of "RTX 3090 versus", taken for a plural."""
    return q.unit in domain.units and domain.units[q.unit].of == "chips"


def _counted_by_name(text: str, q: Quantity, domain: Domain) -> Given | None:
    """ "3 v5p pods", "2 L4": a bare number before a name counts what is called by it."""
    if q.dimension != "number" or q.bound != "exact" or q.low != q.high or q.low % 1:
        return None
    sized = next((s for s in domain.unit_table.find(text) if s.start == q.end + 1), None)
    if sized is not None and is_of_card(text, sized, domain):  # "two 24 GB cards"
        return Given("chips", q, f"{number(q.low)} {counted('chips', q.low)}", "", q.end)
    named = next((m for m in domain.find_entities(text) if m.start == q.end + 1), None)
    if named is None or len(named.ids) != 1 or text[q.end] not in " -":
        return None
    entity = domain.entities[named.ids[0]]
    if domain.is_chip(entity.id):
        if hours := _CHIP_HOURS.match(text, named.end):
            return Given("chip-hours", q, f"{number(q.low)} chip-hours", "", hours.end())
        return Given("chips", q, f"{number(q.low)} {counted('chips', q.low)}", "", q.end)
    many = domain.holds_several(entity.id)
    plural = "s" if q.low != 1 and entity.name[-1].islower() else ""
    return Given("systems", q, f"{number(q.low)} {entity.name}{plural}", "", q.end) if many else None


def _given(text: str, q: Quantity, domain: Domain) -> Given:
    unit = domain.units.get(q.unit)
    if q.dimension in ("count", "number"):
        return _count_given(text, q, unit.of if unit is not None else "")
    if q.dimension == "price" and (million := _PER_MILLION.match(text, q.end)):
        per_token = replace(q, dimension="price_per_token", low=q.high / 1e6, high=q.high / 1e6)
        return Given("price_per_token", per_token, f"{number(q.high)} USD per million tokens", "", million.end())
    value = q.middle
    kind, shown, end = q.dimension, unit.id if unit is not None else "", q.end
    if unit is not None and unit.per == "user":
        kind = f"{kind} per user"
    if unit is not None and unit.id == "bit" and 1 <= value / unit.scale <= _WIDEST:
        return Given("width", q, f"{number(value / unit.scale)} bits", "", end)
    if q.dimension == "information" and (behind := _PER_PARAMETER.match(text, q.end)):
        kind, shown, end = "information per parameter", f"{'bytes' if shown == 'B' else shown}/parameter", behind.end()
    per = unit.per if unit is not None else ""
    scope = scope_of(text, q, end, domain)
    one = ONE_BEHIND.match(text, end) if kind == "price_rate" else None
    end = one.end() if one else end  # "$2.10/hr per GPU" is one figure
    if per:
        shown = shown.replace(f"/{per}-hour", "/hour").removesuffix(f"/{per}")
    return Given(kind, q, _amount(text, q, shown, unit.scale if unit is not None else 1.0), scope, end)


def _amount(text: str, q: Quantity, shown: str, scale: float) -> str:
    """A figure as a sum writes it: "3 weeks", "0.50 USD"."""
    if q.dimension == "time" and q.middle != scale:
        shown += "s" if len(shown) > 2 else ""  # noqa: PLR2004
    cents = q.dimension.startswith("price") and _CENTS.search(text[q.start : q.end])
    amount = f"{q.middle / scale:.2f}" if cents else number(q.middle / scale)
    return f"{amount}{'' if shown == '%' else ' '}{shown}"


def _count_given(text: str, q: Quantity, counts: str) -> Given:
    """A number of things; a large one of models, or of nothing, are a model's parameters."""
    kind = shown = counts
    end = q.end
    if (kind == "models" or not kind) and q.middle >= _LEAST_MODEL:
        kind = shown = "parameters"
    if kind == "parameters" and _is_active(text, q):
        kind, shown = "active-parameters", "active parameters"
    elif kind == "chips" and (hours := _CHIP_HOURS.match(text, q.end)):
        kind, shown, end = "chip-hours", "chip-hours", hours.end()
    return Given(kind, q, f"{number(q.middle)} {counted(shown, q.middle)}", "", end)


def _is_active(text: str, q: Quantity) -> bool:
    """True for "13B active parameters" and "17B of 400B are active"."""
    behind = words(text[q.end :])[:1]
    return bool(behind) and behind[0] in _ACTIVE
