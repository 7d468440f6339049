"""Markdown tables of a page, under the heading that each stands under."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field


@dataclass(slots=True)
class Table:
    """Header and rows of one table. `headings` are the headings above it, by depth; `before` is the last line of prose."""

    headings: dict[int, str]
    before: str
    header: list[str]
    rows: list[list[str]] = field(default_factory=list)


def tables(text: str) -> Iterator[Table]:
    """All pipe tables, in order."""
    headings: dict[int, str] = {}
    table: Table | None = None
    before = ""
    for line in text.splitlines():
        stripped = line.strip()
        if stripped.startswith("|"):
            cells = [cell.strip() for cell in stripped.strip("|").split("|")]
            if table is None:
                table = Table(dict(headings), before, cells)
            elif set("".join(cells)) - set("-: "):
                table.rows.append(cells)
            continue
        if table is not None:
            yield table
            table, before = None, ""
        if stripped.startswith("#"):
            depth = len(stripped) - len(stripped.lstrip("#"))
            headings = {d: h for d, h in headings.items() if d < depth} | {depth: stripped.lstrip("# ").strip()}
            before = ""
        elif stripped:
            before = stripped
    if table is not None:
        yield table
