"""What the heads of the claim reader choose from, and which metrics a figure of each dimension may be of."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from chipwise.claims.candidates import BARE, DATE, DIMENSIONS, OTHER
from chipwise.claims.model import Modality
from chipwise.domain.model import Domain

# why a figure is no claim; the first is "for whatever reason"
NO_CLAIM = ("", "requirement", "use", "host", "setting", "total", "other", "date", "reference", "example")
SCOPES = (  # a figure is the figure of; "" where the text does not say
    "",
    "chip",
    "node",
    "group",
    "slice",
    "rack",
    "pod",
    "cluster",
    "core",
    "die",
    "link",
    "peer",
    "axis",
    "nic",
    "stack",
    "pair",
)
MODALITIES = tuple(str(m.value) for m in Modality)
METRIC_FREE = len(NO_CLAIM)  # classes that are no metric


@dataclass
class Classes:
    """The order of the classes: first the reasons, then the metrics. `allowed` has the metrics of each dimension."""

    metric_ids: tuple[str, ...]
    scope_ids: tuple[str, ...]
    allowed: dict[str, set[str]] = field(default_factory=dict)

    @classmethod
    def of(cls, domain: Domain, allowed: Mapping[str, Iterable[str]] | None = None) -> Classes:
        """Those of a domain; `allowed` are further metrics by dimension, as training met them."""
        made = cls(tuple(sorted(domain.metrics)), SCOPES)
        for metric in domain.metrics.values():
            for dimension in _dimensions(metric.dimension):
                made.allow(dimension, metric.id)
        for dimension, metrics in (allowed or {}).items():
            for metric_id in metrics:
                made.allow(dimension, metric_id)
        return made

    @classmethod
    def trained(cls, domain: Domain, spec: Mapping[str, Any]) -> Classes:
        """Those that weights were trained to, in their order; what the domain does not measure no figure may be of."""
        allowed = {d: {m for m in metrics if m in domain.metrics} for d, metrics in spec["allowed"].items()}
        return cls(tuple(spec["metrics"]), tuple(spec["scopes"]), allowed)

    @property
    def metrics(self) -> dict[str, int]:
        """The class of each metric."""
        return {m: n for n, m in enumerate(self.metric_ids, METRIC_FREE)}

    @property
    def reasons(self) -> dict[str, int]:
        """The class of each reason."""
        return {r: n for n, r in enumerate(NO_CLAIM)}

    @property
    def scopes(self) -> dict[str, int]:
        """The class of each scope."""
        return {s: n for n, s in enumerate(self.scope_ids)}

    def allow(self, dimension: str, metric: str) -> None:
        """A figure of this dimension may be of the metric."""
        self.allowed.setdefault(dimension, set()).add(metric)

    def mask(self) -> npt.NDArray[np.bool_]:
        """(dimensions, classes): which classes a figure of each dimension may have."""
        made = np.zeros((len(DIMENSIONS), METRIC_FREE + len(self.metric_ids)), dtype=bool)
        made[:, :METRIC_FREE] = True
        for dimension, metrics in self.allowed.items():
            for metric in metrics:
                if metric in self.metrics:
                    made[DIMENSIONS.index(dimension), self.metrics[metric]] = True
        return made


def _dimensions(dimension: str) -> tuple[str, ...]:
    if dimension == "text":
        return ()
    if dimension == "date":
        return (DATE, BARE)
    if dimension == "ratio":
        return ("share", "multiple", BARE)
    return (dimension if dimension in DIMENSIONS else OTHER, BARE)
