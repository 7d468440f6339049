"""Nouns by which a text refers to chips and machines without a name, as alternatives for patterns, in the singular.

In "this card" or "each node", a figure belongs to the product mentioned before.
"""

from __future__ import annotations

CHIP = "chip|GPU|TPU|accelerator"
CARD = "card|device|board|module|processor|part"  # a chip as sold
SYSTEM = "system|machine|instance|rack"
PRODUCT, MACHINE = f"{CHIP}|{CARD}", f"{SYSTEM}|node|server|pod|slice"
HOLDER = f"{MACHINE}|cluster|box"  # anything that holds several chips
# determiners that refer to one of them: "the same chip", "this whole node"
THE = r"(?:the|this|that|each|every|one)\s(?:(?:single|individual|same|whole|full|new)\s)?"
