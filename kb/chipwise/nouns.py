"""Nouns by which a text refers to chips and to what holds several of them, as alternatives for patterns, in the singular."""

from __future__ import annotations

CHIP = "chip|GPU|TPU|accelerator"
HOLDER = "system|machine|instance|rack|node|server|pod|slice|cluster|box"
