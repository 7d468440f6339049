"""What a text calls chips and machines where it does not name them: alternatives for patterns, in the singular.

"this card", "each node": a figure beside one of these is of what was spoken of before.
"""

from __future__ import annotations

CHIP = "chip|GPU|TPU|accelerator"
CARD = "card|device|board|module|processor|part"  # a chip as one buys it
SYSTEM = "system|machine|instance|rack"
PRODUCT, MACHINE = f"{CHIP}|{CARD}", f"{SYSTEM}|node|server|pod|slice"
HOLDER = f"{MACHINE}|cluster|box"  # what holds several chips, of whatever size
# what points at one of them: "the same chip", "this whole node"
THE = r"(?:the|this|that|each|every|one)\s(?:(?:single|individual|same|whole|full|new)\s)?"
