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
    from chipwise.answering.model import Answer, Row
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

# name -> where it is
_PLACES = {
    "Answer": "chipwise.answering.model:Answer",
    "Audit": "chipwise.audit.model:Audit",
    "Chip": "chipwise.devices.table:Chip",
    "ChipwiseError": "chipwise.errors:ChipwiseError",
    "Claim": "chipwise.claims.model:Claim",
    "Evidence": "chipwise.types:Evidence",
    "Fact": "chipwise.claims.model:Fact",
    "Finding": "chipwise.types:Finding",
    "Key": "chipwise.claims.model:Key",
    "KnowledgeBase": "chipwise.session:KnowledgeBase",
    "Peak": "chipwise.devices.peaks:Peak",
    "Quantity": "chipwise.numbers.quantity:Quantity",
    "Row": "chipwise.answering.model:Row",
    "Scope": "chipwise.claims.model:Scope",
    "Utilization": "chipwise.devices.peaks:Utilization",
    "Verdict": "chipwise.figures.relate:Verdict",
    "chip": "chipwise.devices.table:chip",
    "devices_here": "chipwise.devices.here:devices_here",
    "export_peaks": "chipwise.devices.peaks:export_peaks",
    "extract": "chipwise.standalone:extract",
    "mfu": "chipwise.devices.peaks:mfu",
    "peak": "chipwise.devices.peaks:peak",
    "relate": "chipwise.standalone:relate",
    "solve": "chipwise.figures.solve:solve",
    "Query": "chipwise.answering.query:Query",
}
__all__ = [
    "Answer", "Audit", "Chip", "ChipwiseError", "Claim", "Evidence", "Fact", "Finding", "Key", "KnowledgeBase",
    "Peak", "Quantity", "Query", "Row", "Scope", "Utilization", "Verdict", "chip", "devices_here", "export_peaks",
    "extract", "mfu", "peak", "relate", "solve",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    """A public name, its module loaded now (PEP 562)."""
    if name not in _PLACES:
        raise AttributeError(f"module 'chipwise' has no attribute {name!r}")
    module, _, own_name = _PLACES[name].partition(":")
    value = globals()[name] = getattr(import_module(module), own_name)
    return value


def __dir__() -> list[str]:
    """The public names, for `dir()` and completion."""
    return [*__all__, "__version__", "errors"]
