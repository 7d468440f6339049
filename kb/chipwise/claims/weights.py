"""Where the claim reader's trained parts are."""

from __future__ import annotations

WEIGHTS = "weights.npz"
SPEC = "classes.json"
