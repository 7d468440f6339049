"""What a figure is of: one chip, a part of one, or how many together.

    "192 GB per chip, in 4-chip VMs"     of one
    "8 chips with 760 GB in all"         of 8

What is written at the figure goes before what the sentence says elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from chipwise import patterns as re
from chipwise.claims.naming import wholes
from chipwise.claims.scene import Scene
from chipwise.domain.catalogue import PARTS
from chipwise.domain.model import Domain
from chipwise.domain.phrasebook import Mention
from chipwise.nouns import CARD, CHIP
from chipwise.numbers.numerals import NUMBER_WORD, SEVERAL, numeral_at
from chipwise.numbers.quantities import Quantity

_WITH = re.compile(r"\swith\b", re.I)  # "together with its cache"
_COUNT_BEFORE = re.compile(rf"(?:\d\s?[x×]?|\b(?:{SEVERAL}|several|many|all))[\s-]$", re.I)
_NEAR = 45  # characters, with what parts clauses: "750 W, and decides how a rack is cooled" is of no rack
_PER_PART = re.compile(r"/\s?([A-Za-z]{2,10})\b")
# an answer that counts what was asked for: "4,096, with 32 GiB each"
_SO_MANY_WITH = re.compile(r"^\W*\d[\d,]*,?\s(?:of\sthem,?\s)?(?:with|at)\s(?:about\s)?$")
_COUNTED = re.compile(rf"(?<![\w.,])(?:\d[\d,]*|{NUMBER_WORD})\s(?:[\w-]+\s){{0,2}}?[A-Za-z]{{2,}}s\b", re.I)
_SO_MANY_OF = re.compile(rf"(?:\b\d+\s?[x×]?|\b(?:{SEVERAL}))\s(?:(?-i:[A-Z])[\w.-]*\s){{1,4}}\(?$", re.I)
_SORT_BEHIND = re.compile(r"\)?\s(?:(?-i:[A-Z])[\w-]*\s){0,2}(?:GPUs|cards|chips|accelerators|TPUs|boards)\b", re.I)
_BARE_BEFORE = re.compile(r"[,(;]\s(?:or\s|about\s|some\s|that\sis\s)?~?\d[\d,.]*\s$")  # and behind it "per GPU"
_CONSEQUENCE = re.compile(r"[,;—–]\s?(?:so|because|since|which\smeans|and\s(?:so|it|we|they|I|that))\b", re.I)
_LABELS = re.compile(r"\)\**:\**\s?[~≈$€£]*")
_BY_COUNT = re.compile(r"\d+\s?[x×]", re.I)  # "8x H100" is the name of a machine, too
_EACH_BEHIND = re.compile(
    r"\s?(?:of\s(?:[\w-]+\s){1,3}|(?:(?:GPU|device|total)\s)?(?:memory|V?RAM|HBM\w*)\s)?(?:each|apiece)\b", re.I
)
# "$8.05 a GPU", and not "to a GPU startup"
_A_CHIP = re.compile(
    rf"\s(?:an?|for\s(?:each|every))\s(?:{CHIP}|{CARD})(?=[,.;:)]|\s(?:in|on|at|and|or|per|when|with|by)\b|\s*$)", re.I
)
# "four GPUs, each running at 400 W", and not "32 GiB each and 1.1 EFLOPS"
_EACH_BEFORE = re.compile(r"\b(each)(?!\s(?:and|or)\b)(?:\s[a-z]+){1,6}\s[~$]?$")
_NEXT_WORD = re.compile(r"(?:['’]s)?\s([A-Za-z]+)\b")
_OF_THEM = re.compile(
    rf"\b(\d{{1,5}}|{NUMBER_WORD})\s(?:of\s(?:them|these|those)(?!\s[a-z]+s\b)|such\s[a-z]+)\b[^.;:]{{0,60}}$", re.I
)
_IN_A = re.compile(
    r"\s(?:in|of|on|inside|within|from)\s(?:the|an?|each|every|this|our)\s[^,;.:]{0,30}", re.I
)  # "a chip in the pod"
_EACH = re.compile(r"\b(?:per|each|every|single|one|individual|lone)(?:\sof)?\s(?:an?\s|the\s)?$", re.I)
# "a TPU v4 chip offers", of which no pod is made
_AN = re.compile(r"\ban?\s(?:(?-i:[A-Z])\w+\s)?$", re.I)
_A_NOUN, _NAMED_SO = re.compile(rf"\s(?:{CHIP}|card)\b", re.I), re.compile(rf"\s(?:{CHIP}|card)$", re.I)
_DOES = re.compile(r"\s(?:has|holds|offers|provides|delivers|reaches|draws|costs|gives|peaks|carries|comes)\b")
_ON_IT = re.compile(r"\s(?:on|of|for|in|with)\s(?:the\s|an?\s|each\s|one\s)?(?-i:[A-Z]\w+\s)?", re.I)
_EACH_OF = re.compile(r"(?:per|each|apiece|between)\b", re.I)  # "per rack" is said of the figure wherever it stands


def values_of(mention: Mention) -> Iterator[tuple[str, str]]:
    """The (axis, value) pairs that a wording may state."""
    for name in mention.ids:
        axis, _, value = name.partition("=")
        yield axis, value


def take(found: dict[str, str], mention: Mention, wanted: Iterable[str]) -> None:
    """What a wording states on the axes `wanted`, where nothing did before."""
    for axis, value in values_of(mention):
        if axis in wanted:
            found.setdefault(axis, value)


def leads(scene: Scene, mention: Mention) -> bool:
    """True for a wording before the first figure of its sentence."""
    return mention.end <= min((q.start for q in scene.figures), default=0)


def scope(domain: Domain, scene: Scene, quantity: Quantity) -> dict[str, str]:
    """What the figure is of: one chip, or how many together. What is written at it goes before what the sentence says."""
    return (
        scope_at(domain, scene, quantity)
        or _scope_of_them(domain, scene, quantity)
        or _scope_around(domain, scene, quantity)
    )


def scope_at(domain: Domain, scene: Scene, quantity: Quantity) -> dict[str, str]:
    """The scope in the figure's unit, in "8 x 80 GB" and "16 GB each", and behind a slash: "32 KiB L1/CU"."""
    by_unit = _scope_of_unit(domain, quantity)
    if by_unit:
        return by_unit
    if quantity.count > 1:
        return {"aggregation": "chip"}
    for part in _PER_PART.findall(_stretch(scene, quantity)):  # of "192 KiB L1/texture memory/SM", only SM is one
        for mention in domain.find_qualifiers(f"per {part}"):
            if _scopes(mention):
                return {"aggregation": _scopes(mention)}
    a_chip = quantity.dimension.startswith("price") and _A_CHIP.match(scene.text, quantity.end)
    if a_chip or _is_in_a_name(scene, quantity) or _is_in_brackets_of_a_sort(domain, scene, quantity):
        return {"aggregation": "chip"}
    if labelled := _counted_in_label(domain, scene, quantity):
        return labelled
    others = [q for q in scene.quantities if q is not quantity]
    told = _EACH_BEHIND.match(scene.text, quantity.end) or _is_put_before(scene, others, quantity)
    counted = any(_counts_chips(domain, q) for q in others) or _is_in_one_machine(domain, scene)
    counted = counted or any(_BY_COUNT.match(scene.text, m.start, m.end) for m in scene.entities)
    counted = counted or any(
        _COUNT_BEFORE.search(scene.text, 0, m.start) for m in scene.entities if _is_chip(domain, m)
    )
    each = (
        told
        and not _counts_chips(domain, quantity)
        and (counted or _SO_MANY_WITH.search(scene.text, 0, quantity.start))
    )
    return _of_each(domain, scene, quantity) or {"aggregation": "chip"} if each else {}


def _counted_in_label(domain: Domain, scene: Scene, quantity: Quantity) -> dict[str, str]:
    """The eight of "- MI300X (8 GPUs): $24 an hour", of which the price is; what each has would be said so."""
    counts = [q for q in scene.quantities if q.end < quantity.start and _counts_chips(domain, q)]
    found: dict[str, str] = {}
    if len(counts) == 1 and counts[0].low > 1 and quantity.dimension.startswith("price"):
        between = scene.text[counts[0].end : quantity.start]
        if scene.text[: counts[0].start].endswith("(") and _LABELS.fullmatch(between):
            _take_count(found, counts[0])
    return found


def _is_in_a_name(scene: Scene, quantity: Quantity) -> bool:
    """True for the 32 GB of "a DGX-1 with 8 V100 32GB GPUs", which tell of which sort each of them is."""
    sort = quantity.dimension == "information" and _SORT_BEHIND.match(scene.text, quantity.end)
    return bool(sort and _SO_MANY_OF.search(scene.text, max(0, quantity.start - 48), quantity.start))


def _is_in_brackets_of_a_sort(domain: Domain, scene: Scene, quantity: Quantity) -> bool:
    """True for the 1000 W of "a server with 8x MI325X (256GB, 1000W) GPUs"."""
    opened = scene.text.rfind("(", 0, quantity.start)
    closed = scene.text.find(")", quantity.end)
    if opened < 0 or closed < 0 or ")" in scene.text[opened : quantity.start]:
        return False
    named = (m for m in scene.entities if _is_chip(domain, m) and scene.text[m.end : opened].strip() == "")
    counted = any(_COUNT_BEFORE.search(scene.text, 0, m.start) for m in named if m.end <= opened)
    return counted and _SORT_BEHIND.match(scene.text, closed) is not None


def _is_put_before(scene: Scene, others: Iterable[Quantity], quantity: Quantity) -> bool:
    """True for "each running at 400 W", and not in "8 GPUs with 80 GB each make 640 GB", where another figure is of each."""
    each = _EACH_BEFORE.search(scene.text, 0, quantity.start)
    return each is not None and all(scene.text[q.end : each.start(1)].strip() for q in others if q.end <= each.start(1))


def _scope_of_them(domain: Domain, scene: Scene, quantity: Quantity) -> dict[str, str]:
    """The scope of "An H200 has 141 GB, and eight of them 1,128 GB"; of machines it is open how many chips they have."""
    start = max((q.end for q in scene.figures if q.end <= quantity.start), default=0)
    told = _OF_THEM.search(scene.text, start, quantity.start)
    many = numeral_at(scene.text, told.start(1)) if told is not None else None
    if many is None or not all(_is_chip(domain, m) for m in scene.entities):
        return {}
    found: dict[str, str] = {}
    _take_count(found, Quantity(0, 0, "count", "chips", many.value, many.value))
    return found


def _is_chip(domain: Domain, mention: Mention) -> bool:
    return all(not domain.is_machine(i) for i in mention.ids)


def _is_of_one(domain: Domain, scene: Scene) -> bool:
    """True where a sentence speaks of one chip, and neither of several nor of what holds some."""
    named = [m for m in scene.entities if all(domain.is_chip(i) for i in m.ids)]
    several = any(scene.text[m.end - 1] == "s" or _COUNT_BEFORE.search(scene.text, 0, m.start) for m in named)
    machines = len(named) < len(scene.entities) or any(
        _scopes(m) not in ("", "group", "chip", *PARTS) for m in scene.qualifiers
    )
    return (
        len(named) == 1 and not several and not machines and not any(_counts_chips(domain, q) for q in scene.quantities)
    )


def _is_in_one_machine(domain: Domain, scene: Scene) -> bool:
    """True for "How many chips has a TPU v4 pod? 4,096, with 32 GiB each": nothing else that is counted there could have it."""
    machines = [m for m in scene.entities if all(domain.is_machine(i) for i in m.ids)]
    several = any(scene.text[m.end - 1] == "s" or _COUNT_BEFORE.search(scene.text, 0, m.start) for m in machines)
    measures = [q for q in scene.quantities if q.dimension != "count"]
    counted = (m for m in _COUNTED.finditer(scene.text) if not any(q.start <= m.start() < q.end for q in measures))
    return 0 < len(machines) == len(scene.entities) and not several and not any(counted)


def _counts_chips(domain: Domain, quantity: Quantity) -> bool:
    return quantity.dimension == "count" and domain.units[quantity.unit].of in ("chips", "chip")


def _scope_around(domain: Domain, scene: Scene, quantity: Quantity) -> dict[str, str]:
    """The scope that the sentence gives to the figure."""
    if each := _of_each(domain, scene, quantity):
        return each
    found: dict[str, str] = {}
    held = [
        m
        for m in scene.qualifiers
        if _scopes(m) and _holds(scene, quantity, m) and not _is_of_what_has_it(domain, scene, quantity, m)
    ]
    ones = [m for m in held if _scopes(m) == "chip"]
    held = [
        m for m in held if _scopes(m) == "chip" or not any(_IN_A.fullmatch(scene.text, o.end, m.start) for o in ones)
    ]
    held = [m for m in held if _scopes(m) != "group" or not _WITH.match(scene.text, m.end)]
    held = [m for m in held if not (_scopes(m) in PARTS and _is_all(scene.text[m.start : m.end]))]
    held = [m for m in held if not (_is_in_an_aside(scene, quantity, m) or _is_of_a_bare_number(scene, quantity, m))]
    if _is_of_one(domain, scene):
        held = [m for m in held if _scopes(m) != "group"]  # what "the H100 has in total" is of one H100
    # "760 GB of total memory in an 8-chip slice": "total" says less than any other scope
    nearest = min(held, key=lambda m: (_scopes(m) == "group", scene.distance(quantity, m)), default=None)
    if nearest is not None and (scene.distance(quantity, nearest) <= _NEAR or leads(scene, nearest)):
        found["aggregation"] = _scopes(nearest)
    for count in scene.quantities:
        of_chips = scene.tells_scope(count) and _counts_chips(domain, count)
        as_mention = Mention(count.start, count.end, ())
        if not of_chips or not _holds(scene, quantity, as_mention):
            continue
        # "192 GB per chip, in 4-chip VMs": what stands closer says what it is of
        is_of_each = nearest is not None and found.get("aggregation") == "chip"
        if not (is_of_each and nearest and scene.distance(quantity, nearest) <= scene.distance(quantity, as_mention)):
            _take_count(found, count)
    return found


def _is_in_an_aside(scene: Scene, quantity: Quantity, mention: Mention) -> bool:
    """True for the server of "sips 70 W, so it fits any server"."""
    return mention.start >= quantity.end and bool(_CONSEQUENCE.search(scene.text, quantity.end, mention.start))


def _is_of_a_bare_number(scene: Scene, quantity: Quantity, mention: Mention) -> bool:
    """True for the GPU of "27.45 USD an hour, 3.43 per GPU", which is of the number right before it."""
    bare = _BARE_BEFORE.search(scene.text, quantity.end, mention.start) if mention.start > quantity.end else None
    return bare is not None and not any(q.start < bare.end() and bare.start() < q.end for q in scene.quantities)


def _is_all(wording: str) -> bool:
    """True for "HBM stacks", which are all that a chip has, where "per stack" is one."""
    return wording.endswith("s") and not _EACH_OF.match(wording)


def _stretch(scene: Scene, quantity: Quantity) -> str:
    """What follows a figure up to the next one: as far as a "/part" behind it can be its own."""
    following = next((q.start for q in scene.quantities if q.start >= quantity.end), len(scene.text))
    return scene.text[quantity.end : min(following, quantity.end + 60)]


def _scopes(mention: Mention) -> str:
    """The scope that a wording states, or ""."""
    return next((value for axis, value in values_of(mention) if axis == "aggregation"), "")


def _scope_of_unit(domain: Domain, quantity: Quantity) -> dict[str, str]:
    """The scope that a unit itself states: "USD/chip-hour" is per chip."""
    unit = domain.units.get(quantity.unit)
    found: dict[str, str] = {}
    for mention in domain.find_qualifiers(f"per {unit.per}") if unit is not None and unit.per else ():
        take(found, mention, ("aggregation",))
    return found


def _of_each(domain: Domain, scene: Scene, quantity: Quantity) -> dict[str, str]:
    """The scope of "1,280 GB/s per Trainium2 chip", of "8 GiB for each TPU v2 core" and of "a TPU v4 chip offers 275 TFLOPS"."""
    for m in scene.entities:
        chip = all(domain.is_chip(i) for i in m.ids)
        if chip and scene.owner(m) is quantity and _AN.search(scene.before(m, 24)) and _is_a_chip(scene, m):
            return {"aggregation": "chip"}
        if chip and scene.owner(m) is quantity and _EACH.search(scene.text[max(0, m.start - 12) : m.start]):
            part = _NEXT_WORD.match(scene.text, m.end)
            parts = domain.find_qualifiers(f"per {part[1]}") if part else ()
            return {"aggregation": next(filter(None, map(_scopes, parts)), "chip")}
    return {}


def _is_a_chip(scene: Scene, mention: Mention) -> bool:
    """True for "H100 GPU has" and "TPU v4 chip offers", whose noun may be part of the name."""
    noun = _A_NOUN.match(scene.text, mention.end) or _NAMED_SO.search(scene.text, mention.start, mention.end)
    return noun is not None and _DOES.match(scene.text, noun.end()) is not None


def _holds(scene: Scene, quantity: Quantity, mention: Mention) -> bool:
    """True when a wording of scope is this figure's: it stands closest, or before all figures and no new name between.

    "An 8-chip H100 node costs $12, a v5p-8 slice $8": the slice begins a scope of its own.
    """
    if scene.owner(mention) is quantity:
        return True
    first = min((q.end for q in scene.figures), default=0)
    renamed = any(first <= m.start < quantity.start for m in scene.entities) or _is_of_another(scene, quantity)
    return not renamed and leads(scene, mention)


def _is_of_another(scene: Scene, quantity: Quantity) -> bool:
    """True for the second figure of "The slice has 9.6 TB/s against 820 GB/s on the Trainium1": whose it is stands behind it."""
    after = next((m for m in scene.entities if m.start >= quantity.end), None)
    named = any(m.end <= quantity.start for m in scene.entities) and quantity.dimension != "count"
    return named and after is not None and _ON_IT.fullmatch(scene.text, quantity.end, after.start) is not None


def _is_of_what_has_it(domain: Domain, scene: Scene, quantity: Quantity, mention: Mention) -> bool:
    """True for the rack of "With a TDP of 750 W, the Gaudi 2 decides how a rack is cooled": something is said of the chip there."""
    if any(m.start <= mention.start <= m.end for m in wholes(domain, scene)):
        return True  # "an H100 of a DGX H100 node"
    if mention.start < quantity.end or _EACH_OF.match(scene.text, mention.start):
        return False
    chips = (m for m in scene.entities if all(domain.is_specific(i) for i in m.ids))
    between = (m for m in chips if quantity.end <= m.start and m.end < mention.start)
    return any(scene.text[m.end : mention.start].strip() for m in between)


def _take_count(found: dict[str, str], count: Quantity) -> None:
    """How many chips a figure is of, which makes it one of a group; "4 to 8 chips" tells no number, nor does "½ chips"."""
    if count.low == count.high == 1:  # "one such chip"
        found.setdefault("aggregation", "chip")
    elif count.low == count.high and count.low >= 1 and count.low.is_integer():
        found["count"] = f"{count.low:.0f}"
        if found.get("aggregation", "chip") == "chip":
            found["aggregation"] = "group"
