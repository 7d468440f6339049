"""Tiny documents round one figure: prose, a list, a table, or a heading with pronouns below it.

The figure that a case is about stands between marks, which `unmarked` takes out again. A Case is made of such pages.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from audit_bank import Bank, Fact, Random
from audit_surfaces import written

OPEN, CLOSE = "\ue000", "\ue001"
Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Page:
    """A Markdown text, and where the figures stand in it that the case is about."""

    text: str
    marks: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Case:
    """Tiny documents with what is to be found in them: `codes` are the beginnings of codes that fit.

    `facts` tells whether the facts table is audited with them; `planted` says in words what was changed.
    """

    family: str
    harmful: bool
    split: str
    pages: tuple[Page, ...]
    codes: tuple[str, ...]
    subject: str
    metric: str
    planted: str
    facts: bool = False
    verdict: str = ""  # that a finding must have; any where empty


Made = Callable[[Bank, Random], Case]


def marked(surface: str) -> str:
    return f"{OPEN}{surface}{CLOSE}"


def unmarked(text: str) -> Page:
    """The text without marks, with their spans."""
    spans: list[Span] = []
    plain = ""
    for part in text.split(OPEN):
        inside, closed, after = part.partition(CLOSE)
        if closed:
            spans.append((len(plain), len(plain) + len(inside)))
        plain += inside + after
    return Page(plain, tuple(spans))


def say(bank: Bank, fact: Fact, surface: str, chance: Random, *, form: str = "named", avoid: str = "") -> str:
    """A sentence for the fact with the figure written as `surface`, in another template than `avoid` was made of."""
    templates = [t for t in bank.sentences(fact.metric, form) if t != avoid]
    return sentence(chance.choice(templates), fact.slots(chance) | {"v": surface})


def sentence(template: str, slots: Mapping[str, str]) -> str:
    made = template.format_map(slots)
    start = made.lstrip(OPEN)
    return made if not start[:1].islower() else made.replace(start[0], start[0].upper(), 1)


def page(bank: Bank, fact: Fact, surface: str, chance: Random, layout: str = "") -> Page:
    """A document that gives `fact` as `surface`, among other true figures."""
    chosen = layout or chance.choice(tuple(LAYOUTS))
    text = LAYOUTS[chosen](bank, fact, marked(surface), chance)
    return around(bank, text, chance) if chosen == "prose" else unmarked(f"{text}\n")


def around(bank: Bank, text: str, chance: Random) -> Page:
    """`text` as a document of its own, now and then below a title and an opening."""
    if chance.random() < 0.4 and not text.startswith("|"):
        text = f"{chance.choice(bank.texts('intro'))} {text}"
    head = f"# {chance.choice(bank.texts('title'))}\n\n" if chance.random() < 0.5 else ""
    return unmarked(f"{head}{text}\n")


def beside(bank: Bank, fact: Fact, chance: Random, most: int = 2) -> list[Fact]:
    """Other figures of the same subject, each of another metric."""
    others = {f.metric: f for f in chance.sample(bank.facts, len(bank.facts)) if f.subject is fact.subject}
    found = [f for f in others.values() if f.metric != fact.metric]
    return found[: chance.randint(0, most)]


def _prose(bank: Bank, fact: Fact, surface: str, chance: Random) -> str:
    parts = [say(bank, fact, surface, chance)]
    parts += [say(bank, f, written(f.value, f.unit, chance), chance) for f in beside(bank, fact, chance)]
    chance.shuffle(parts)
    return " ".join(parts)


def _list(bank: Bank, fact: Fact, surface: str, chance: Random) -> str:
    slots = fact.slots(chance)
    bold = chance.random() < 0.5
    lines = []
    for f in (fact, *beside(bank, fact, chance, 3)):
        label = label_of(bank, f, chance)
        shown = surface if f is fact else written(f.value, f.unit, chance)
        shown = shown.replace(" transistors", "")
        lines.append(f"- **{label}:** {shown}" if bold else f"- {label}: {shown}")
    chance.shuffle(lines)
    head = f"## {slots['it']}" if chance.random() < 0.6 else f"# {chance.choice(bank.texts('title'))}\n\n{slots['it']}:"
    return f"{head}\n\n" + "\n".join(lines)


def _below(bank: Bank, fact: Fact, surface: str, chance: Random) -> str:
    parts = [say(bank, fact, surface, chance, form="bare")]
    parts += [say(bank, f, written(f.value, f.unit, chance), chance, form="bare") for f in beside(bank, fact, chance)]
    chance.shuffle(parts)
    name = chance.choice(fact.subject.names)
    return f"# {chance.choice(bank.texts('title'))}\n\n## {name}\n\n" + " ".join(parts)


def _table(bank: Bank, fact: Fact, surface: str, chance: Random) -> str:
    """Chips as columns or as rows; what the table does not have is a dash."""
    rows = [fact, *beside(bank, fact, chance)]
    same = {"dtype": fact.dtype, "sparsity": fact.sparsity, "direction": fact.direction}
    others = [f.subject for f in bank.of(fact.metric, **same) if f.subject is not fact.subject and _alike(f, fact)]
    subjects = [fact.subject, *chance.sample(others, min(len(others), chance.randint(0, 2)))]
    chance.shuffle(subjects)
    grid = [["", *(chance.choice(s.names) for s in subjects)]]
    for row in rows:
        cells = []
        for subject in subjects:
            axes = {"dtype": row.dtype, "sparsity": row.sparsity, "direction": row.direction}
            found = row if subject is row.subject else bank.find(subject.id, row.metric, power=row.power, **axes)
            found = found if found and _alike(found, row) else None
            cell = surface if found is fact else written(found.value, found.unit, chance) if found else "–"
            cells.append(cell.replace(" transistors", ""))
        grid.append([label_of(bank, row, chance, alone=len(subjects) == 1), *cells])
    if chance.random() < 0.5:
        grid = [list(column) for column in zip(*grid, strict=True)]
    grid[0][0] = chance.choice(("Model", "Chip")) if chance.random() < 0.6 else ""
    return "\n".join([_line(grid[0]), "|---" * len(grid[0]) + "|", *map(_line, grid[1:])])


def _alike(a: Fact, b: Fact) -> bool:
    """True when one label fits both: NVLink is no ICI, and an L2 cache no other on-chip memory."""
    names = {
        "interconnect_bandwidth": (a.subject.link, b.subject.link),
        "on_chip_sram": (a.subject.sram, b.subject.sram),
    }
    one, another = names.get(a.metric, ("", ""))
    return one == another


def label_of(bank: Bank, fact: Fact, chance: Random, *, alone: bool = True) -> str:
    """What stands before a figure in a list or a row."""
    slots = fact.slots(chance) | ({} if alone else {"noun": "chip"})
    return sentence(chance.choice(bank.sentences(fact.metric, "labels")), slots)


def _line(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


LAYOUTS: dict[str, Callable[[Bank, Fact, str, Random], str]] = {
    "prose": _prose,
    "list": _list,
    "below": _below,
    "table": _table,
}
