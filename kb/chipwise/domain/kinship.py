"""Kinds of entities and how they descend from each other.

    H100 SXM (variant) -> H100 (chip) -> Hopper (family) -> NVIDIA GPU (line) -> GPU (line)
    DGX H100 (system)  -> H100 SXM -> ...

Serves the whole domain and the smaller `Names` of a look-up: both hold entities by id.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

CHIPS = frozenset(("chip", "variant"))
MACHINES = frozenset(("system", "slice"))
SPECIFIC = CHIPS | MACHINES  # narrow enough for a figure
MANY = frozenset(("line", "family"))  # too wide for a figure


class Kinship:
    """Answers about the ids of `entities`; an unknown id gives False, "" or an empty list."""

    entities: Mapping[str, Any]  # Entity or EntityName: kind, parent, within, chips

    def kind(self, id_: str) -> str:
        """The kind of an entity: line, family, chip, variant, system or slice; "" for an unknown id."""
        return self.entities[id_].kind if id_ in self.entities else ""

    def is_chip(self, id_: str) -> bool:
        """True for a chip or a variant."""
        return self.kind(id_) in CHIPS

    def is_machine(self, id_: str) -> bool:
        """True for anything made of chips, whatever their number: a system, a slice."""
        return self.kind(id_) in MACHINES

    def holds_several(self, id_: str) -> bool:
        """True for a machine with a known number of chips above 1; False for "a TPU pod"."""
        return self.is_machine(id_) and self.entities[id_].chips > 1

    def is_specific(self, id_: str) -> bool:
        """True for a chip, a variant or a machine."""
        return self.kind(id_) in SPECIFIC

    def is_many(self, id_: str) -> bool:
        """True for a line or a family, which include many chips."""
        return self.kind(id_) in MANY

    def ancestors(self, id_: str) -> Sequence[str]:
        """`id_` and everything that it is a kind of or made of, nearest first."""
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
        """True if one is the other, a kind of it, or made of it. H100 and H200 are not kin, nor are SXM and PCIe."""
        return a == b or a in self.ancestors(b) or b in self.ancestors(a)

    def chip_of(self, id_: str) -> str:
        """The chip of an entity: the H100 for an H100 SXM and for a DGX H100; "" if there is none."""
        return next((a for a in self.ancestors(id_) if self.entities[a].kind == "chip"), "")

    def variant_of(self, id_: str) -> str:
        """The variant that an entity is or is made of: for a GB200 NVL72, that of its GPUs; "" if there is none."""
        return next((a for a in self.ancestors(id_) if self.entities[a].kind == "variant"), "")

    def nearest_chip(self, id_: str) -> str:
        """The chip or variant that an entity is or is made of: the H100 SXM for itself, and for a DGX H100 made of these."""
        return next((a for a in self.ancestors(id_) if self.is_chip(a)), "")

    @cached_property
    def _members(self) -> dict[str, list[str]]:
        members: dict[str, list[str]] = {}
        for id_ in filter(self.is_chip, self.entities):
            for above in self.ancestors(id_)[1:]:
                members.setdefault(above, []).append(id_)
        return members

    def members(self, id_: str) -> list[str]:
        """Chips and variants of the kind `id_`, without `id_` itself, in order."""
        return self._members.get(id_, [])

    def variants(self, id_: str) -> list[str]:
        """Variants of a chip, of a wider variant, or of all chips of a line."""
        return [i for i in self.members(id_) if self.kind(i) == "variant"]

    def covers(self, asked: str, said: str) -> bool:
        """True if a statement about `said` can answer a question about `asked`.

        A variant answers for its chip ("H100 SXM" for "H100"), and a chip for its variant if nothing
        closer is known; a whole line ("GPU") answers for no chip.
        """
        return asked == said or (self.is_chip(asked) and self.is_chip(said) and self.are_kin(asked, said))
