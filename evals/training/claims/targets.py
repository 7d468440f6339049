"""What the heads should say of a window: labels become numbers here, beside the window that they are of."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from chipwise.claims.candidates import AFTER, BEFORE, DIMENSIONS
from chipwise.claims.readerspec import MODALITIES, Classes
from chipwise.claims.units import Unit
from chipwise.claims.windows import Window, referent
from chipwise.domain.model import Domain
from chipwise.text import Span

from .labels import Label, Labelled

UNTOLD = -1
SCOPE = "aggregation"  # the axis of a scope


class Targets:
    """Makes `window.gold` from a document's labels."""

    def __init__(self, domain: Domain, classes: Classes) -> None:
        self.domain, self.classes = domain, classes
        self.grade = lru_cache(maxsize=None)(self._grade)

    def set(self, window: Window, units: Sequence[Unit], labelled: Labelled) -> int:
        """How many of the figures have a target."""
        c, e, a = len(window.figures), len(window.names) + 1, len(window.axes)
        gold = window.gold = {
            "metric": np.full(c, UNTOLD), "free": np.zeros(c, bool), "subject": np.zeros((c, e), np.float32), "baseline": np.zeros((c, e), np.float32),
            "axes": np.full((c, a), UNTOLD, np.float32), "scope": np.full(c, UNTOLD), "modality": np.full(c, UNTOLD), "ratio": np.full(c, UNTOLD, np.float32),
        }  # fmt: skip
        for i, (unit, k, _) in enumerate(window.figures):
            label = _label_at(units[unit].places[k], labelled)
            if label is None:
                continue
            if not label.metric:
                gold["metric"][i] = self.classes.reasons.get(label.reason, 0)
                gold["free"][i] = not label.reason  # any reason will do
                continue
            gold["metric"][i] = self.classes.metrics[label.metric]
            self.classes.allow(DIMENSIONS[window.dimensions[i]], label.metric)
            gold["subject"][i] = self._names(label.subject, window, i)
            if label.baseline is not None:
                gold["baseline"][i] = self._names(label.baseline, window, i) if label.baseline else np.eye(1, e)[0]
            if label.scope is not None:
                gold["scope"][i] = self.classes.scopes.get(label.scope, UNTOLD)
            if label.modality:
                gold["modality"][i] = MODALITIES.index(label.modality) if label.modality in MODALITIES else UNTOLD
            elif label.axes is not None:
                gold["modality"][i] = 0
            if label.ratio is not None:
                gold["ratio"][i] = label.ratio
            if label.axes is not None:
                self._axes(label, window, i)
        return int((gold["metric"] >= 0).sum())

    def _axes(self, label: Label, window: Window, i: int) -> None:
        told = dict(label.axes or ()) | ({"count": label.count} if label.count else {}) | {SCOPE: label.scope or ""}
        for j, (_, _, cue) in enumerate(window.axes):
            axes = [v.split("=", 1) for v in cue.ids]
            if label.scope is None and axes[0][0] == SCOPE:
                continue
            window.gold["axes"][i, j] = float(any(told.get(axis) == value for axis, value in axes))

    def _names(self, subject: str, window: Window, i: int) -> np.ndarray:
        """1 for each name that stands for the subject as closely as any does; "none" where no name does."""
        best = np.zeros(len(window.names) + 1, np.float32)
        unit = window.figures[i][0]
        for j, (at, _, name) in enumerate(window.names):
            if subject.startswith("?"):
                same = not name.ids and name.surface and _same(name.surface, subject[1:])
                best[j + 1] = 4.0 * bool(same)
            elif name.kind in (BEFORE, AFTER):
                near = 0 <= unit - at <= 1
                best[j + 1] = (
                    2.5 * any(self.grade(r, subject) >= 2 for r in referent(self.domain, window.names, j)) * near
                )
            else:
                best[j + 1] = max((self.grade(r, subject) for r in name.ids[:3]), default=0)
        named = max(
            (b for b, (_, _, n) in zip(best[1:], window.names, strict=True) if n.kind not in (BEFORE, AFTER)),
            default=0.0,
        )
        top = named or best.max()
        chosen = best == top if top else np.zeros_like(best, bool)
        for j, (at, _, name) in enumerate(window.names):
            if name.kind in (BEFORE, AFTER) and at == unit and best[j + 1]:
                chosen[j + 1] = True
        made = chosen.astype(np.float32)
        if not chosen.any():
            made[0] = 1
        return made

    def _grade(self, named: str, subject: str) -> float:
        """How well a name stands for a subject: 4 itself, 3 a specific kind above it, 2 one below, 1 a line or family of it, 0 not."""
        domain = self.domain
        if named == subject:
            return 4
        if named in domain.ancestors(subject):
            return 3 if domain.is_specific(named) else 1
        if subject in domain.ancestors(named):
            return 2 if domain.is_specific(subject) else 1
        return 0


def _same(a: str, b: str) -> bool:
    a, b = a.lower().strip("*` "), b.lower().strip("*` ")
    return a in b or b in a


def _label_at(place: Span, labelled: Labelled) -> Label | None:
    """The label that overlaps most with a figure's place; in a whole document "no claim" where there is none."""
    overlaps = [(min(place[1], lab.end) - max(place[0], lab.start), lab) for lab in labelled.labels]
    best = max(overlaps, key=lambda o: o[0], default=(0, None))
    if best[0] > 0 and best[1] is not None:
        return best[1]
    return Label(*place) if labelled.whole else None
