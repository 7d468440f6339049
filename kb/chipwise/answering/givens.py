"""The figures that a question gives for a sum, and of what each is: in "8x H100 at $2 per GPU-hour" the price is of one chip."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from chipwise import patterns as re
from chipwise.domain.model import Domain
from chipwise.domain.phrasebook import Mention
from chipwise.domain.records import Numbered
from chipwise.figures.format import counted, number
from chipwise.figures.llms import SIZED_NAME, find_in
from chipwise.numbers.pieces import HOLDERS
from chipwise.numbers.quantity import Quantity
from chipwise.text import blanked, words
from chipwise.values import dataclass

CHIP, ALL = "chip", "all"  # what a figure is of; "" where the question does not tell
_OF_CHIP = frozenset(("chip", "GPU", "TPU", "device", "accelerator"))  # as units call it
_OF_ALL = frozenset(("node", "instance"))
_ONE = r"(?:chip|GPU|TPU|accelerator|card|device)"
_MANY = rf"(?:{HOLDERS}|superpod)"
_HOURLY = r"(?:\s*(?:/|per|an?|each)\s*(?:hours?|hr|h)|\s+hourly)?"
_ONE_BEHIND = re.compile(
    rf"{_HOURLY}(?:\s*(?:/|per|for each|for every|an?|each|every)[\s-]?{_ONE}\b|\s+each\b|\s+apiece\b)", re.I
)
_MANY_BEHIND = re.compile(
    rf"{_HOURLY}\s*(?:/|per|an?|for|for the|for a|across|on|from|in total|of|on the|on an?)\s*(?:whole |entire |full |\S+ )?{_MANY}\b"
    r"|\s+(?:in total|altogether|in all|together|combined)\b",
    re.I,
)
_BEFORE = re.compile(
    rf"\b(?:(?P<one>(?:per|each|every|one|a|an|single) (?:\S+ )?{_ONE}|each)|(?P<many>{_MANY}))\b", re.I
)
_REACH = 45  # characters before a figure in which what it is of may stand
# what may stand between a product and its figure, and the other way round
_IS = re.compile(
    r"(?:s|['’]s)?\s*(?:[:=(]|,?\s*(?:is|are|costs?|at|for|runs?|goes for|go for|rents? (?:for|at|out at)|is priced at|priced at|draws?|does|do|gets?)\b)?\s*(?:about |around |roughly )?",
    re.I,
)
_FOR_IT = re.compile(r"\s*(?:per|for|on)\s+(?:an? |the |one |each )?", re.I)
_AROUND_THE_CLOCK = re.compile(r"\b24\s?[/x]\s?7\b|\b(?:a)?round the clock\b", re.I)  # no number
_OF = re.compile(r"\sof\s(?:the\s)?", re.I)
_CHIP_HOURS = re.compile(rf"[\s-]?(?:{_ONE}[\s-]?)?(?:hours|hrs)\b", re.I)  # "2,000 v5p chip hours", "500 H100 hours"
_PER_PARAMETER = re.compile(r"\s*(?:/|per|a|each|for each|for every)\s*(?:model )?(?:parameter|param|weight)s?\b", re.I)
_MODEL = re.compile(r"[\d.]+\s?[MBT]$")
_SIZE = re.compile(r"(?<![\w.$€£-])(?P<size>\d+(?:\.\d+)?)b(?![\w/])")  # "a 70b"
_TIMES_CHIP = re.compile(r"(?<![\w.])\d{1,6}(?P<times>[x×])\s?$")  # before a chip: "256xH100"
_PER_MILLION = re.compile(r"\s*(?:/|per|a|for a)\s*(?:1\s?)?(?:million|M)\b(?:\s*tok\w*)?")  # "$0.50 per million"
# a unit, and no figure: "cost per 1M tokens"
_PER_TOKENS = re.compile(r"\bper\s+(?:1\s?)?(?:M|million)\s+tok\w*", re.I)
_ACTIVE = ("active", "activated")  # what a mixture of experts uses of its parameters
_CENTS = re.compile(r"(?<![\d.])\d{1,3}\.\d\d(?!\d)")
_WIDEST = 64  # bits of one number; "a 128 bit bus" has none
_SMALL = 3  # a number in words up to which counts what the sentence names
_LEAST_PRICE = 1e4  # dollars, from which on a bare number where something is bought is what it costs
_LEAST_MODEL = 1e6  # parameters; a smaller number of "models" counts models
_OVER = re.compile(r"\bover (?:an? |the )?$", re.I)


def _scope_of(text: str, q: Quantity, end: int, domain: Domain) -> str:
    """Whether a figure that is told up to `end` is of one chip or of all: by its unit, by what stands behind it, else by the nearest thing before it."""
    per = domain.units[q.unit].per if q.unit in domain.units else ""
    if per in _OF_CHIP or _is_of_card(text, q, domain) or (q.count > 1 and q.dimension == "information"):
        return CHIP
    if per in _OF_ALL:
        return ALL
    if _ONE_BEHIND.match(text, end):
        return CHIP
    if _MANY_BEHIND.match(text, end):
        return ALL
    since = max(0, q.start - _REACH)
    found = [(m.end(), CHIP if m["one"] else ALL) for m in _BEFORE.finditer(text, since, q.start)]
    found += [
        (m.end, ALL) for m in domain.find_entities(text) if since < m.end <= q.start and domain.holds_several(m.ids[0])
    ]
    return max(found, default=(0, ""))[1]


def _is_of_card(text: str, q: Quantity, domain: Domain) -> bool:
    """True for the memory of "a 24 GB card"."""
    behind = words(text[q.end :])[:1]
    return q.dimension == "information" and not domain.word_group("chip-word").isdisjoint(behind)


def _product_of(text: str, start: int, end: int, entities: Sequence[Mention]) -> str:
    """The product right before a figure ("H100 at $3"), or the one that it is for ("$3 per H100"); "" where none stands there."""
    named = [m for m in entities if len(m.ids) == 1]
    before = (m.ids[0] for m in reversed(named) if m.end <= start and _IS.fullmatch(text, m.end, start))
    behind = (m.ids[0] for m in named if m.start >= end and _FOR_IT.fullmatch(text, end, m.start))
    return next(before, "") or next(behind, "")


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
    before = [_TIMES_CHIP.search(text[: m.start]) for m in entities if domain.is_chip(m.ids[0])]
    text = blanked(text, [m.span("times") for m in before if m is not None])
    found += [_model(m) for m in named_models]
    set_aside = [m.span() for p in (_AROUND_THE_CLOCK, _PER_TOKENS) for m in p.finditer(text)]
    set_aside += [m.span() for m in named_models]
    quantities = domain.unit_table.find_all(blanked(text, set_aside))
    for q in quantities:
        if (things := _counted(text, q, quantities, entities, domain)) is not None:
            if (things.kind, things.value) != ("systems", 1):  # of "one 8x B200 node" the eight count
                found.append(things)
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
        if q.count > 1 and q.dimension == "information":  # "4x 16 GB"
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
    bought = domain.variables.get("purchase_price")  # "to buy the box for 300k"
    is_large = not named and q.form == "value" and q.middle >= _LEAST_PRICE
    if bought is not None and is_large and not set(words(text)).isdisjoint(bought.words):
        return [Given("price", replace(q, dimension="price", unit="USD"), f"{number(q.middle)} USD", "", q.end)]
    little = q.low == q.high and (q.low == 1 or (q.low <= _SMALL and not text[q.start].isdigit()))  # "two moments"
    is_plain = named or little or re.search(r"\w", text[q.end : q.end + 1])  # the 200 of "Maia 200"
    return [] if is_plain else None


def _model(named: re.Match[str]) -> Given:
    """The parameters that a model's name tells: "llama-70b"."""
    size = float(named["size"]) * 1e9
    quantity = Quantity(named.start(), named.end(), "count", "parameters", size, size)
    return Given("parameters", quantity, f"{number(size)} parameters", "", named.end())


def _told_apart(found: list[Given], text: str, entities: Sequence[Mention]) -> list[Given]:
    """The figures, each with the product that it is said of where there are several of a kind and each is of another product."""
    kinds: dict[str, list[Given]] = {}
    for given in found:
        kinds.setdefault(given.kind, []).append(given)
    whose: dict[int, str] = {}
    for alike in kinds.values():
        owners = [_product_of(text, g.start, g.end, entities) for g in alike]
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


def _is_exact(text: str, q: Quantity) -> bool:
    """True for a figure that is one, or the most that is allowed; bytes go "over" a link, chips are rented "over" months, models trained "over" tokens."""
    over = (q.dimension in ("information_rate", "time") or q.unit == "tokens") and _OVER.search(text[: q.start])
    return q.bound in ("exact", "at most", "about") or bool(over)


def _counted(
    text: str, q: Quantity, quantities: Sequence[Quantity], entities: Sequence[Mention], domain: Domain
) -> Given | None:
    """What a number right before a name counts: "2 L4", "two 24 GB cards", "500 H100 hours", "3 GB300 NVL72 racks", "3 racks of GB300 NVL72"."""
    if q.dimension not in ("number", "count") or q.low % 1:
        return None
    of = _OF.match(text, q.end) if q.dimension == "count" else None
    behind = len(text[q.end :]) - len(text[q.end :].lstrip(" -*x×")) if q.dimension == "number" else 0
    at = of.end() if of else q.end + behind
    named = next((m for m in entities if q.start < m.start <= at), None)
    if named is not None and domain.holds_several(named.ids[0]):
        return Given("systems", q, f"{number(q.high)} machines", "", q.end)
    if q.dimension == "count":
        return None
    if named is not None and domain.is_chip(named.ids[0]):
        if hours := _CHIP_HOURS.match(text, named.end):
            return Given("chip-hours", q, f"{number(q.low)} chip-hours", "", hours.end())
    elif not any(s.start == at and _is_of_card(text, s, domain) for s in quantities):
        return None
    return Given("chips", q, f"{number(q.low)} {counted('chips', q.low)}", "", q.end)


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
    if not domain.word_group("host memory").isdisjoint(words(text[end:])[:1]):
        kind = "host memory"  # no card has it, and no sum takes it for a card's
    per = unit.per if unit is not None else ""
    scope = _scope_of(text, q, end, domain)
    one = _ONE_BEHIND.match(text, end) if kind == "price_rate" else None
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
    if kind == "parameters" and not set(words(text[q.end :])[:1]).isdisjoint(_ACTIVE):
        kind, shown = "active-parameters", "active parameters"
    elif kind == "chips" and (hours := _CHIP_HOURS.match(text, q.end)):
        kind, shown, end = "chip-hours", "chip-hours", hours.end()
    return Given(kind, q, f"{number(q.middle)} {counted(shown, q.middle)}", "", end)
