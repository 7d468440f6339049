"""Texts whose every figure is labelled, as people write them: `labelled/*.txt`, some of them twice in `labelled_again`.

    === blog-01 kind=blog
    The H200 has [[141 GB|nvidia-h200|memory_capacity|scope=chip]], of which the model takes [[120 GB|-|use]].

A label is `surface|subject|metric|more` or `surface|-|reason`. `more` are axes with their values, `scope=node:8`,
`baseline=ENTITY`, `modality=measured` and the flag `ratio`. A subject of our own making is `?` and its name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

LABELLED, AGAIN = Path(__file__).parent / "labelled", Path(__file__).parent / "labelled_again"
REASONS = ("requirement", "use", "host", "setting", "total", "other", "date", "reference", "example")
_HEAD = re.compile(r"^=== (?P<id>\S+)(?P<rest>.*)$", re.M)
_LABEL = re.compile(r"\[\[(.+?)\]\]", re.S)


@dataclass(frozen=True)
class Label:
    """What `[start, end)` of a text is. Without a `metric` it is no claim, for a `reason` that may be unknown ("").

    What is None is not told: nobody labelled it.
    """

    start: int
    end: int
    metric: str = ""
    reason: str = ""
    subject: str = ""
    scope: str | None = None  # "" where the text states none, "node"
    count: str = ""  # of the scope: "8"
    axes: tuple[tuple[str, str], ...] | None = None
    baseline: str | None = None
    modality: str | None = None
    ratio: bool | None = None


@dataclass(frozen=True)
class Labelled:
    """A text with its labels; where it is `whole`, every other figure in it is no claim, else nobody knows."""

    id: str
    kind: str
    text: str
    labels: tuple[Label, ...]
    whole: bool = True


def read_labels(paths: Iterable[Path]) -> Iterator[Labelled]:
    """The documents of label files, in order. Raises ValueError for a label that is none."""
    for path in paths:
        text = path.read_text("utf-8")
        heads = list(_HEAD.finditer(text))
        for head, after in zip(heads, [*heads[1:], None], strict=True):
            body = text[head.end() : after.start() if after else len(text)].strip("\n") + "\n"
            kind = re.search(r"kind=(\w+)", head["rest"])
            yield parse(head["id"], kind[1] if kind else "other", body)


def parse(id_: str, kind: str, marked: str) -> Labelled:
    """A text without its marks, and where they stood."""
    text, at, labels = "", 0, list[Label]()
    for mark in _LABEL.finditer(marked):
        text += marked[at : mark.start()]
        surface, *parts = mark[1].split("|")
        labels.append(_label(len(text), len(text) + len(surface), parts, f"{id_}: {mark[0]}"))
        text += surface
        at = mark.end()
    return Labelled(id_, kind, text + marked[at:], tuple(labels))


def _label(start: int, end: int, parts: list[str], where: str) -> Label:
    if len(parts) < 2:
        raise ValueError(f"{where} names no subject and metric")
    subject, what = parts[0].strip(), parts[1].strip()
    if subject == "-":
        return Label(start, end, reason=what if what in REASONS else "")
    more = dict(p.partition("=")[::2] for p in map(str.strip, ",".join(parts[2:]).split(",")) if p)
    scope, _, count = more.pop("scope", "").partition(":")
    baseline, modality = more.pop("baseline", ""), more.pop("modality", "")
    ratio = "ratio" in more
    axes = tuple(sorted((k, v) for k, v in more.items() if k not in ("ratio", "polarity")))
    return Label(start, end, what, "", subject, scope, count, axes, baseline, modality or None, ratio)
