"""From the heads' scores of one window to readings: of each figure the best legal one, how sure it is, and what else it may be.

A figure has one owner. Figures of one metric that stand side by side in a list ("80, 141 and 192 GB") have different owners
where enough names stand there, one each, in the joint assignment that is likeliest. A chip whose variant is named right there is that variant.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import permutations, product
from typing import Any

import numpy as np
import numpy.typing as npt

from chipwise.claims.candidates import Candidate, Name
from chipwise.claims.readerspec import METRIC_FREE, MODALITIES, NO_CLAIM, Classes
from chipwise.claims.scene import TIMES
from chipwise.claims.units import Unit
from chipwise.claims.windows import Window, referent
from chipwise.domain.model import Domain
from chipwise.grids.keys import OF_ALL
from chipwise.grids.tables import bracketed

Scores = Mapping[str, npt.NDArray[np.float32]]  # logits by head: (figures, classes) or (figures, others)
RIVALS = 6  # runner-up readings that are kept
_LIKELY = 3  # of each slot that they are made of
_LEAST = 0.01  # chance below which one is not kept
_LISTED = 4  # figures of a list that are assigned together at most
_JOINS = frozenset((",", "/", "and", "or", "&", "|", ", and", ", or", "und", "versus", "vs", "vs.", "against"))
_REACH = 48  # characters from a multiple to what it is a multiple of
_SETS_AGAINST = frozenset(("versus", "than"))
_ENDS_CLAUSE = frozenset(",;:.()|")
_OWNS = ("", "'s", "’s", "(", "with", "at")  # between a yardstick and its own figure
_EVEN = 0.5
_CARRIED = 0.05  # chance of all that a sentence names, below which its figure is of what came before
_BEHIND = (" ", " of ", " (", " in ")  # between a figure and a value that is its own
_NEVER = -30.0  # the score of what a figure cannot have
_SCOPE = "aggregation"  # the axis that the words for a scope are cues of


@dataclass(frozen=True, slots=True)
class Reading:
    """What a figure is read as. Without a `metric` it is no claim, for `reason`.

    `subject` is an id, or "?" and a name that the domain lacks, or "" where none is named. `rivals` are the
    runner-up (subject, metric, scope) with their probabilities; `confidence` is that of subject and metric together.
    """

    unit: int
    figure: int  # of the unit
    candidate: Candidate
    metric: str
    subject: str
    confidence: float
    reason: str = ""
    scope: str = ""
    count: int | None = None
    axes: tuple[tuple[str, str], ...] = ()
    baseline: str = ""
    modality: str = "specified"
    ratio: bool = False
    rivals: tuple[tuple[str, str, str, float], ...] = ()


class Decoder:
    """`temperatures` by zone soften what training left too sure."""

    def __init__(self, domain: Domain, classes: Classes, temperatures: Mapping[str, float] | None = None) -> None:
        self.domain, self.classes, self.temperatures = domain, classes, dict(temperatures or {})

    def read(self, window: Window, units: Sequence[Unit], scores: Scores) -> list[Reading]:
        """A reading for every figure of the window, in order."""
        owners = [_named(self.domain, window, j) for j in range(len(window.names))]
        scores = {**scores, "axes": np.where(_barred(window, units), np.float32(_NEVER), scores["axes"])}
        made, chances = list[Reading](), list[dict[str, float]]()
        for i, (unit, k, candidate) in enumerate(window.figures):
            heat = self.temperatures.get(units[unit].zone, 1.0)
            # a heading is of what stands below it
            later = np.array([False, *(n > unit and units[n].zone == "heading" for n, _, _ in window.names)])
            metrics = _softmax(scores["metric"][i] / heat)
            subjects = _softmax(np.where(later, -np.inf, scores["subject"][i]) / heat)
            chance = dict.fromkeys(["", *owners], 0.0)
            for owner, p in zip(["", *owners], subjects, strict=True):
                chance[owner] += float(p)
            chance = self._of_those_named(chance, units[unit], candidate)
            chances.append(chance)
            made.append(self._reading(window, scores, i, unit, k, candidate, metrics, chance, owners))
        for group in _lists(units, made):
            made = _one_each(made, chances, group)
        return [self._narrowed(r, units) for r in self._with_what_follows(_told_apart(window, scores, made), units)]

    def _of_those_named(self, chance: dict[str, float], unit: Unit, candidate: Candidate) -> dict[str, float]:
        """The chances without what only other sentences name, where this one names a product or a family that the figure may be of.

        What something is set against ("2x the H100's") may be named beside a subject that is carried over.
        """
        compares = candidate.quantity is not None and candidate.quantity.compares
        own = [n for n in unit.found.names if compares or not self._is_yardstick(unit, n) or _owns(unit, n, candidate)]
        chance = _without_yardsticks(chance, unit, own)
        named = {i for n in own for i in n.ids if self.domain.is_specific(i) or self.domain.kind(i) == "family"}
        best = max(chance, key=lambda s: chance[s])
        likely = {s: p for s, p in chance.items() if s in named}
        settled = best in named or not best or any(self.domain.are_kin(best, i) for i in named)
        if compares or settled or sum(likely.values()) < _CARRIED:
            return chance
        return {s: likely.get(s, 0.0) / sum(likely.values()) for s in chance}

    def _is_yardstick(self, unit: Unit, name: Name) -> bool:
        """True for the v5e of "2x v5e", "2.4x the bandwidth of the v5e" and "than the v5e"."""
        before = unit.text[max(0, name.start - _REACH) : name.start]
        last_words = (m.ids for m in self.domain.find_operators(before) if not before[m.end :].strip())
        if any(self.domain.operators[i].kind in _SETS_AGAINST for ids in last_words for i in ids):
            return True
        multiples = (f for f in unit.found.figures if f.end <= name.start and f.quantity is not None)
        last = max(multiples, key=lambda f: f.end, default=None)
        if last is None or last.quantity is None or last.quantity.unit != TIMES:
            return False
        between = unit.text[last.end : name.start]
        return len(between) <= _REACH and _ENDS_CLAUSE.isdisjoint(between)

    def _reading(
        self,
        window: Window,
        scores: Scores,
        i: int,
        unit: int,
        k: int,
        candidate: Candidate,
        metrics: Any,
        chance: Mapping[str, float],
        owners: Sequence[str],
    ) -> Reading:
        free = float(metrics[:METRIC_FREE].sum())
        best = METRIC_FREE + int(metrics[METRIC_FREE:].argmax())
        metric = self.classes.metric_ids[best - METRIC_FREE]
        subject = max(chance, key=lambda s: chance[s])
        scopes = self._scopes(window, scores, i)
        scope = max(scopes, key=lambda s: scopes[s])
        is_claim = free < metrics[best]
        rivals = self._rivals(metrics, chance, scopes, (subject, metric, scope) if is_claim else ("", "", ""))
        if not is_claim:
            reason = NO_CLAIM[int(metrics[:METRIC_FREE].argmax())]
            return Reading(unit, k, candidate, "", subject, free, reason, rivals=rivals)
        kin = sum(p for s, p in chance.items() if s == subject or (s and subject and self._same_chip(s, subject)))
        axes = self._axes(window, scores["axes"][i])
        counted = axes.pop("count", "")
        against = dict.fromkeys(["", *owners], 0.0)
        for owner, p in zip(["", *owners], _softmax(scores["baseline"][i]), strict=True):
            against[owner] += float(p)
        return Reading(
            unit, k, candidate, metric, subject, float(metrics[best]) * min(1.0, kin), "", scope,
            int(counted) if counted and scope not in ("", "chip") else None, tuple(sorted(axes.items())),
            max(against, key=lambda s: against[s]), MODALITIES[int(scores["modality"][i].argmax())], bool(scores["ratio"][i] > 0), rivals,
        )  # fmt: skip

    def _rivals(
        self, metrics: Any, chance: Mapping[str, float], scopes: Mapping[str, float], chosen: tuple[str, str, str]
    ) -> tuple[tuple[str, str, str, float], ...]:
        owners = _likeliest_of({s: p for s, p in chance.items() if s in self.domain.entities})
        likely = _likeliest_of(
            {m: float(p) for m, p in zip(self.classes.metric_ids, metrics[METRIC_FREE:], strict=True)}
        )
        made = [
            (s, m, scope, round(p * q * r, 4))
            for s, p in owners
            for m, q in likely
            for scope, r in _likeliest_of(scopes)
        ]
        return tuple(sorted((r for r in made if r[:3] != chosen and r[3] >= _LEAST), key=lambda r: -r[3])[:RIVALS])

    def _scopes(self, window: Window, scores: Scores, i: int) -> dict[str, float]:
        """The chance of each scope: that of the words for it ("per rack") as far as one of them goes with the figure, else the head's."""
        chances = dict(zip(self.classes.scope_ids, map(float, _softmax(scores["scope"][i])), strict=True))
        surest, said = 0.0, ""
        for (_, _, cue), logit in zip(window.axes, scores["axes"][i], strict=True):
            axis, _, value = cue.ids[0].partition("=")
            if axis == _SCOPE and value in chances and (p := 1 / (1 + math.exp(-float(logit)))) > surest:
                surest, said = p, value
        return {scope: p * (1 - surest) + surest * (scope == said) for scope, p in chances.items()}

    def _same_chip(self, a: str, b: str) -> bool:
        domain = self.domain
        return domain.is_specific(a) and domain.is_specific(b) and domain.are_kin(a, b)

    def _axes(self, window: Window, logits: npt.NDArray[np.float32]) -> dict[str, str]:
        """The likeliest value of each axis that is likelier than not."""
        chosen: dict[str, tuple[float, str]] = {}
        for (_, _, cue), logit in zip(window.axes, logits, strict=True):
            p = 1 / (1 + math.exp(-float(logit)))
            axis, _, value = cue.ids[0].partition("=")
            if p > max(_EVEN, chosen.get(axis, (0.0, ""))[0]) and axis != _SCOPE:
                chosen[axis] = (p, value)
        return {axis: value for axis, (_, value) in chosen.items()}

    def _with_what_follows(self, readings: Sequence[Reading], units: Sequence[Unit]) -> list[Reading]:
        """With the value of an axis that stands right behind a figure as its own: "1.25 TFLOPS of FP64", "216 GB HBM3".

        Another figure of the same thing that nothing else would tell from it has not that value: "896 GB/s over seven links, or
        448 GB/s one way".
        """
        own: dict[tuple[int, str, str], set[int]] = {}
        told = [dict(r.axes) for r in readings]
        for n, reading in enumerate(readings):
            text, allowed = (
                units[reading.unit].text,
                self.domain.metrics[reading.metric].qualifiers if reading.metric else (),
            )
            for cue in units[reading.unit].found.axes:
                axis, _, value = cue.ids[0].partition("=")
                behind = cue.start > reading.candidate.end and text[reading.candidate.end : cue.start] in _BEHIND
                if behind and axis in allowed and axis != _SCOPE:
                    told[n][axis] = value
                    own.setdefault((reading.unit, axis, value), set()).add(n)
        for (_, axis, _), owners in own.items():
            for o, n in product(owners, range(len(readings))):
                alike = n not in owners and _whose(readings[n]) == _whose(readings[o]) and told[n] == told[o]
                if alike and not _are_listed(readings[n], readings[o], units):
                    told[n].pop(axis, None)
        return [
            replace(r, axes=tuple(sorted(t.items()))) if r.metric else r for r, t in zip(readings, told, strict=True)
        ]

    def _narrowed(self, reading: Reading, units: Sequence[Unit]) -> Reading:
        """With the one variant of its chip that its sentence names and the chip not: "H100: the SXM5 has 80 GB"."""
        if self.domain.kind(reading.subject) != "chip":
            return reading
        here = {n.ids[0] for n in units[reading.unit].found.names if len(n.ids) == 1}
        variants = {v for v in here if self.domain.kind(v) == "variant" and reading.subject in self.domain.ancestors(v)}
        return (
            replace(reading, subject=next(iter(variants)))
            if len(variants) == 1 and reading.subject not in here
            else reading
        )


def _barred(window: Window, units: Sequence[Unit]) -> npt.NDArray[np.bool_]:
    """A (figures, values) mask, True where brackets give a value to another figure: "312 TFLOPS (624 with sparsity)"."""
    barred = np.zeros((len(window.figures), len(window.axes)), dtype=np.bool_)
    for j, (at, _, cue) in enumerate(window.axes):
        text, figures = units[at].text, units[at].found.figures
        for start, end in bracketed(text):
            if start < cue.start < end and figures and cue.ids[0].partition("=")[0] in OF_ALL:
                own = [f for f in figures if start < f.start < end]
                own = own or [f for f in figures if f.end <= start and not text[f.end : start].strip()]
                barred[:, j] = [bool(own) and (n != at or f not in own) for n, _, f in window.figures]
    return barred


def _without_yardsticks(chance: dict[str, float], unit: Unit, own: Sequence[Name]) -> dict[str, float]:
    """The chances without what the sentence names as a yardstick only: no amount is the v5e's in "32 GB, 2x v5e"."""
    against = {i for n in unit.found.names for i in n.ids} - {i for n in own for i in n.ids}
    left = {s: p for s, p in chance.items() if s not in against}
    total = sum(left.values())
    return {s: left.get(s, 0.0) / total for s in chance} if len(left) < len(chance) and total > _CARRIED else chance


def _owns(unit: Unit, name: Name, candidate: Candidate) -> bool:
    """True for the 197 TFLOPS of "4.7x the v5e's 197 TFLOPS"."""
    return candidate.start >= name.end and unit.text[name.end : candidate.start].strip(" *`~") in _OWNS


def _whose(reading: Reading) -> tuple[int, str, str]:
    return reading.unit, reading.subject, reading.metric


def _are_listed(first: Reading, last: Reading, units: Sequence[Unit]) -> bool:
    """True for the 40 and the 80 of "40 or 80 GB of HBM2e"."""
    between = units[first.unit].text[first.candidate.end : last.candidate.start]
    return first.metric == last.metric and between.strip() in _JOINS


def _likeliest_of(chances: Mapping[str, float]) -> list[tuple[str, float]]:
    return sorted(chances.items(), key=lambda c: -c[1])[:_LIKELY]


def _named(domain: Domain, window: Window, at: int) -> str:
    ids = referent(domain, window.names, at)
    surface = window.names[at][2].surface
    return ids[0] if ids else f"?{surface.strip('*` ')}" if surface else "?"


def _softmax(logits: npt.NDArray[np.floating[Any]]) -> npt.NDArray[np.float64]:
    shifted = np.exp(logits.astype(np.float64) - logits.max())
    made: npt.NDArray[np.float64] = shifted / shifted.sum()
    return made


def _told_apart(window: Window, scores: Scores, readings: list[Reading]) -> list[Reading]:
    """Figures of one thing in one sentence with a value of an axis each: "1,979 with sparsity and 989 dense" are not both dense."""
    made = list(readings)
    groups: dict[tuple[int, str, str], list[int]] = {}
    for i, r in enumerate(readings):
        if r.metric and r.subject:
            groups.setdefault((r.unit, r.subject, r.metric), []).append(i)
    for (unit, _, _), group in groups.items():
        for axis, values in _values_in(window, unit).items():
            chosen = [dict(readings[i].axes).get(axis, "") for i in group]
            apart = len(set(chosen)) == len(group) or not any(chosen)
            if apart or not 1 < len(group) <= min(_LISTED, len(values)):
                continue
            likely = {(v, i): float(scores["axes"][i, cues].max()) for v, cues in values.items() for i in group}
            best = _likeliest(tuple(values), group, likely)
            for i, value in zip(group, best, strict=True):
                made[i] = replace(made[i], axes=tuple(sorted({**dict(made[i].axes), axis: value}.items())))
    return made


def _likeliest(values: Sequence[str], group: Sequence[int], likely: Mapping[tuple[str, int], float]) -> tuple[str, ...]:
    """A value for each of the group, no two the same."""
    return max(
        permutations(values, len(group)), key=lambda vs: sum(likely[pair] for pair in zip(vs, group, strict=True))
    )


def _values_in(window: Window, unit: int) -> dict[str, dict[str, list[int]]]:
    """By axis and value the cues of one unit."""
    found: dict[str, dict[str, list[int]]] = {}
    for j, (at, _, cue) in enumerate(window.axes):
        axis, _, value = cue.ids[0].partition("=")
        if at == unit and axis not in (_SCOPE, "count"):
            found.setdefault(axis, {}).setdefault(value, []).append(j)
    return found


def _lists(units: Sequence[Unit], readings: Sequence[Reading]) -> list[list[int]]:
    """Neighbours of one metric in one sentence with nothing but a comma or an "and" between them."""
    groups: list[list[int]] = []
    for i, reading in enumerate(readings):
        before = readings[i - 1] if i else None
        text = units[reading.unit].text
        joined = (
            before is not None
            and before.unit == reading.unit
            and reading.metric
            and before.metric == reading.metric
            and text[before.candidate.end : reading.candidate.start].strip().lower() in _JOINS
        )
        if joined and groups and groups[-1][-1] == i - 1:
            groups[-1].append(i)
        else:
            groups.append([i])
    return [g for g in groups if 1 < len(g) <= _LISTED]


def _one_each(readings: list[Reading], chances: Sequence[Mapping[str, float]], group: Sequence[int]) -> list[Reading]:
    """The likeliest assignment of different owners; as they are where too few names are likely at all."""
    likely = sorted({s for i in group for s, p in chances[i].items() if s and p > 0.02})  # noqa: PLR2004
    if len(likely) < len(group) or len({readings[i].subject for i in group}) == len(group) or len(likely) > 2 * _LISTED:
        return readings
    best = max(
        permutations(likely, len(group)),
        key=lambda names: sum(math.log(chances[i].get(s, 0.0) + 1e-6) for i, s in zip(group, names, strict=True)),
    )
    made = list(readings)
    for i, subject in zip(group, best, strict=True):
        p, before = chances[i].get(subject, 0.0), max(chances[i].get(readings[i].subject, 0.0), 1e-6)
        if subject != readings[i].subject and p > 0.1:  # noqa: PLR2004
            made[i] = replace(readings[i], subject=subject, confidence=readings[i].confidence * min(1.0, p / before))
    return made
