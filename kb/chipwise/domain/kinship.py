"""Of what kind things are, what they are a kind of or made of, and so which are of one kin.

    H100 SXM (variant) -> H100 (chip) -> Hopper (family) -> NVIDIA GPU (line) -> GPU (line)
    DGX H100 (system)  -> H100 SXM -> ...

For the whole domain as for the names alone that a look-up reads: both have entities by id.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Protocol

CHIPS = frozenset(("chip", "variant"))
MACHINES = frozenset(("system", "slice"))
SPECIFIC = CHIPS | MACHINES  # what a figure can be of
MANY = frozenset(("line", "family"))  # what is too wide for one


class Kin(Protocol):
    """See records.Entity."""

    @property
    def kind(self) -> str:
        """line, family, chip, variant, system or slice."""

    @property
    def parent(self) -> str:
        """What it is a kind of or made of, "" at the top."""

    @property
    def vendor(self) -> str:
        """Whose line or chip it is, "" where that is nobody's."""

    @property
    def predecessor(self) -> str:
        """What it succeeds, "" for the first of a line."""

    @property
    def within(self) -> Sequence[str]:
        """What else it is a kind of: the A100 SXM 80GB is an A100 SXM, and an A100 80GB."""

    @property
    def chips(self) -> int:
        """How many a machine holds."""


class Kinship:
    """Answers by the ids of `entities`; of what is none of these every answer is no, "" or empty."""

    entities: Mapping[str, Kin]

    def kind(self, id_: str) -> str:
        """See Kin.kind; "" of what is no entity."""
        return self.entities[id_].kind if id_ in self.entities else ""

    def is_chip(self, id_: str) -> bool:
        """True for a chip and for a variant of one."""
        return self.kind(id_) in CHIPS

    def is_machine(self, id_: str) -> bool:
        """True for what is made of chips, of however many: a system, a slice."""
        return self.kind(id_) in MACHINES

    def holds_several(self, id_: str) -> bool:
        """True for a machine of several chips; false for "a TPU pod", of which nobody says how many."""
        return self.is_machine(id_) and self.entities[id_].chips > 1

    def is_specific(self, id_: str) -> bool:
        """True for a chip, a variant, a machine."""
        return self.kind(id_) in SPECIFIC

    def is_many(self, id_: str) -> bool:
        """True for a line and for a family, which are many chips."""
        return self.kind(id_) in MANY

    def ancestors(self, id_: str) -> Sequence[str]:
        """`id_` and what it is a kind of or made of, nearest first."""
        if id_ not in self._ancestors:
            self._ancestors[id_] = tuple(self._climb(id_))
        return self._ancestors[id_]

    @cached_property
    def _ancestors(self) -> dict[str, tuple[str, ...]]:
        return {}

    def _climb(self, id_: str) -> list[str]:
        chain: list[str] = []
        while id_ in self.entities and id_ not in chain:
            chain.append(id_)
            id_ = self.entities[id_].parent
        besides = [w for a in chain for w in self.entities[a].within]
        at = next((n for n, a in enumerate(chain) if self.entities[a].kind not in ("system", "variant")), len(chain))
        return [*chain[:at], *besides, *chain[at:]] if besides else chain

    def are_kin(self, a: str, b: str) -> bool:
        """True where one is the other, or a kind of it, or made of it. The H100 and the H200 are two, and so are SXM and PCIe."""
        return a == b or a in self.ancestors(b) or b in self.ancestors(a)

    def chip_of(self, id_: str) -> str:
        """The chip that something is, is a variant of or is made of: the H100 of an H100 SXM and of a DGX H100."""
        return next((a for a in self.ancestors(id_) if self.entities[a].kind == "chip"), "")

    def variant_of(self, id_: str) -> str:
        """The variant that something is or is made of: of the B200s of a GB200 NVL72 that of its GPUs; "" where it is of none."""
        return next((a for a in self.ancestors(id_) if self.entities[a].kind == "variant"), "")

    def nearest_chip(self, id_: str) -> str:
        """The chip or variant that something is or is made of: an H100 SXM of itself, and of a DGX H100 if it is made of these."""
        return next((a for a in self.ancestors(id_) if self.is_chip(a)), "")

    def latest_of(self, line: str) -> str:
        """The chip of a maker's line that none of the line succeeds: the WSE-3 of the wafer-scale engines; "" where that is not one."""
        chips = [i for i in self.members(line) if self.entities[i].kind == "chip"]
        before = {self.entities[i].predecessor for i in chips}
        last = [i for i in chips if i not in before]
        return last[0] if len(last) == 1 and self.entities[line].vendor else ""

    @cached_property
    def _members(self) -> dict[str, list[str]]:
        members: dict[str, list[str]] = {}
        for id_ in filter(self.is_chip, self.entities):
            for above in self.ancestors(id_)[1:]:
                members.setdefault(above, []).append(id_)
        return members

    def members(self, id_: str) -> list[str]:
        """The chips and variants that are of the kind `id_`, itself left out, in order."""
        return self._members.get(id_, [])

    def variants(self, id_: str) -> list[str]:
        """The variants of a chip, of a wider variant, or of all chips of a line."""
        return [i for i in self.members(id_) if self.kind(i) == "variant"]

    def covers(self, asked: str, said: str) -> bool:
        """True when a statement about `said` can answer a question about `asked`.

        A variant answers for its chip ("H100 SXM" for "H100"), and a chip for its
        variant where nothing closer is known; a whole line ("GPU") answers for no chip.
        """
        return asked == said or (self.is_chip(asked) and self.is_chip(said) and self.are_kin(asked, said))
