"""chipwise: answers about AI accelerators, cited, with the disagreements between sources shown.

    import chipwise
    kb = chipwise.KnowledgeBase()
    print(kb.ask("How much memory does an H200 have?").text)

A name below is loaded when it is first used: `import chipwise` by itself loads next to nothing.
Errors other than their base are in `chipwise.errors`.
"""

from __future__ import annotations

import os
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from chipwise.answering.answer import Answer, Row
    from chipwise.answering.query import Query
    from chipwise.audit.model import Audit
    from chipwise.claims.model import Claim, Fact, Key, Scope
    from chipwise.devices.here import devices_here
    from chipwise.devices.peaks import Peak, Utilization, export_peaks, mfu, peak
    from chipwise.devices.table import Chip, chip
    from chipwise.errors import ChipwiseError
    from chipwise.figures.relate import Verdict
    from chipwise.figures.solve import solve
    from chipwise.numbers.quantity import Quantity
    from chipwise.session import KnowledgeBase
    from chipwise.standalone import extract, relate
    from chipwise.types import Evidence, Finding

__version__ = "0.1.0"

# onnxruntime reports its use from 1.29 on unless this is set before it is imported; every module of ours comes after this line
os.environ["ORT_DISABLE_TELEMETRY"] = "1"

# module -> its public names
_PLACES = {
    "answering.answer": ("Answer", "Row"),
    "answering.query": ("Query",),
    "audit.model": ("Audit",),
    "claims.model": ("Claim", "Fact", "Key", "Scope"),
    "devices.here": ("devices_here",),
    "devices.peaks": ("Peak", "Utilization", "export_peaks", "mfu", "peak"),
    "devices.table": ("Chip", "chip"),
    "errors": ("ChipwiseError",),
    "figures.relate": ("Verdict",),
    "figures.solve": ("solve",),
    "numbers.quantity": ("Quantity",),
    "session": ("KnowledgeBase",),
    "standalone": ("extract", "relate"),
    "types": ("Evidence", "Finding"),
}
__all__ = [
    "Answer", "Audit", "Chip", "ChipwiseError", "Claim", "Evidence", "Fact", "Finding", "Key", "KnowledgeBase",
    "Peak", "Quantity", "Query", "Row", "Scope", "Utilization", "Verdict", "chip", "devices_here", "export_peaks",
    "extract", "mfu", "peak", "relate", "solve",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    """A public name, its module loaded now (PEP 562)."""
    module = next((module for module, names in _PLACES.items() if name in names), None)
    if module is None:
        raise AttributeError(f"module 'chipwise' has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(f"chipwise.{module}"), name)
    return value


def __dir__() -> list[str]:
    """The public names, for `dir()` and completion."""
    return [*__all__, "__version__", "errors"]
