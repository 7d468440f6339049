"""A text under analysis: its units and what is settled of each."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise

from chipwise.reading.lines import Unit
from chipwise.types import Role


@dataclass
class Page:
    """Units with the role settled for each, None where nothing is.

    `headings` are indices of units; `paths` the heading path that a heading opens
    where it is not just its own words.
    """

    units: list[Unit]
    roles: list[Role | None]
    headings: set[int]
    title: str = ""
    paths: dict[int, tuple[str, ...]] = field(default_factory=dict)

    def segments(self) -> list[tuple[int, list[int]]]:
        """Each heading with the units below it, down to the next heading."""
        at = [*sorted(self.headings), len(self.units)]
        return [(head, list(range(head + 1, end))) for head, end in pairwise(at)]

    def claim(self, at: int, role: Role) -> None:
        """Gives the unit the role if nothing has claimed it before."""
        self.roles[at] = self.roles[at] or role
