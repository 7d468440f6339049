"""Chips by name, and their memory."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import NamedTuple

from chipwise.claims.model import Key, Scope
from chipwise.errors import NameUnknown
from chipwise.figures.bindings import About, Sources, available
from chipwise.figures.llms import LanguageModel
from chipwise.figures.network import FACT, Binding
from chipwise.figures.resolve import resolve
from chipwise.numbers.intervals import Interval
from chipwise.sizing.worksheet import Worksheet
from chipwise.text import blanked

MACHINE = 8  # chips of a usual machine
OFFERED = "chips come in groups of 1, 2, 4 or 8, then in machines of 8"
_SMALL = (1, 2, 4, 8)  # chips that one machine is parted into
_MOST = 100_000


class Room(NamedTuple):
    """A kind of chip and the memory of one."""

    chip: str
    name: str
    memory: Binding


def named_chip(sources: Sources, name: str) -> str:
    """The id of a chip by any of its names. Raises NameUnknown with those that come near."""
    names = sources.names
    if name in names.entities and names.is_chip(name):
        return name
    mentions = names.find_entities(name)
    found = [i for m in mentions for i in m.ids if names.is_chip(i)]
    if len(mentions) == len(found) == 1 and not blanked(name, [(mentions[0].start, mentions[0].end)]).strip(" -"):
        return found[0]
    machine = next((i for m in mentions for i in m.ids if names.holds_several(i) and names.nearest_chip(i)), "")
    if machine:
        held, chip = names.entities[machine].chips, names.name(names.nearest_chip(machine))
        raise NameUnknown(f"the {names.name(machine)} is a machine of {held:,} chips", hint=f"name the chip: {chip}")
    from difflib import get_close_matches  # noqa: PLC0415

    called = {phrase: names.name(i) for phrase, ids in names.surfaces() for i in ids[:1] if names.is_chip(i)}
    near = [*map(names.name, found)] or [called[k] for k in get_close_matches(name.lower(), called, 9, 0.5)]
    hint = f"did you mean {' or '.join([*dict.fromkeys(near)][:3])}?" if near else "`chipwise facts` lists them"
    raise NameUnknown(f"no single chip is called {name!r}", hint=hint)


def with_each_memory(sheet: Worksheet, chips: Iterable[str]) -> list[str]:
    """Each chip once; one that is sold with several capacities gives way to a variant of each, the least first, which is noted."""
    found, names = dict[str, None](), sheet.sources.names
    for chip in dict.fromkeys(chips):
        held: dict[float, str] = {}
        for variant in [] if memory_of(sheet.sources, chip) else names.members(chip):
            if (memory := memory_of(sheet.sources, variant)) is not None:
                held.setdefault(memory.value.low, variant)
        variants = [held[memory] for memory in sorted(held)]
        if len(variants) > 1:
            several = ", ".join(map(names.name, variants))
            sheet.notes.append(f"the {names.name(chip)} comes with several capacities: {several}")
        found |= dict.fromkeys(variants or [chip])
    return [*found]


def memory_of(sources: Sources, chip: str) -> Binding | None:
    """The usable memory of one chip, a fact; None where none is known."""
    return next((b for b in available(sources, About(chip=chip), "memory") if b.source == FACT), None)


def no_memory(sources: Sources, chip: str) -> str:
    """What is missing where the memory of a chip is not known, and where to look."""
    name = sources.names.name(chip)
    return f'the memory of the {name}: no single figure is known; `chipwise facts "{name}" memory` lists what there is'


def spoken_for(sheet: Worksheet, chip: str) -> str:
    """The variant that speaks for a chip whose variants differ, as an assumption; else the chip itself."""
    for variable in (sheet.network.variables[v] for v in ("peak", "bandwidth", "power")):
        basis = (("basis", "peak"),) if "basis" in sheet.sources.domain.metrics[variable.metric].qualifiers else ()
        wanted = Key(chip, variable.metric, Scope("chip"), tuple(sorted((*basis, *variable.axes))))
        found = resolve(sheet.sources.store, sheet.sources.names, wanted)
        if found.one is None and found.variant:
            name = sheet.sources.names.name
            sheet.assume(f"{name(chip)} means the {name(found.variant)}")
            return found.variant
    return chip


def rentable(sources: Sources) -> list[str]:
    """The chips that somebody rents out by the hour; of a chip with variants these, the least memory first."""
    facts = sources.store.facts(None, [sources.network.variables["price"].metric])
    priced = {f.claim.subject for f in facts if f.rank == "preferred"}
    chips = [c for c in sources.names.entities if c in priced and sources.names.is_chip(c)]
    chips = [c for c in chips if not any(c in sources.names.ancestors(other)[1:] for other in chips)]
    held = {c: b.value.low for c in chips if (b := memory_of(sources, c)) is not None}
    return sorted(held, key=lambda c: held[c])


def rooms(sheet: Worksheet, chips: Iterable[str]) -> list[Room]:
    """The chips whose memory is known; that of another is missing."""
    held = {chip: memory_of(sheet.sources, chip) for chip in chips}
    sheet.missing += [no_memory(sheet.sources, chip) for chip, memory in held.items() if memory is None]
    return [Room(c, sheet.sources.names.name(c), memory) for c, memory in held.items() if memory is not None]


def copies_of_the_cache(model: LanguageModel, chips: int) -> list[str]:
    """A note where tensor parallelism over so many chips keeps copies of a cache that is counted as divided evenly."""
    whole = "tensor parallelism leaves all of an MLA cache on every chip; data parallelism in the attention divides it"
    if chips > 1 and model.attention == "mla":
        return [whole]
    heads = f"{model.kv_heads:,} KV head{'s' if model.kv_heads > 1 else ''}"
    copied = f"tensor parallelism over more chips than {heads} keeps copies of the cache; pipeline parallelism does not"
    return [copied] if chips > model.kv_heads else []


def chips_needed(divided: Interval, each: Interval, room: float) -> tuple[int, int | None]:
    """The chips with `room` that hold what is divided among them, and what each holds.

    For the least, what each holds is divided as well; for the most it is not. No most where no number then does.
    """
    low = max(math.ceil((divided.low + each.low) / room), 1)
    high = math.ceil(divided.high / (room - each.high)) if each.high < room else None
    return low, None if high is None or high > _MOST else max(low, high)


def can_have(chips: int) -> int:
    """The next number of chips that one can have: 1, 2, 4, 8, then machines of 8."""
    return next((n for n in _SMALL if n >= chips), math.ceil(chips / MACHINE) * MACHINE)
