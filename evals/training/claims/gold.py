"""Where the labels come from: label files, drafts, the digests behind the facts, golden sentences."""

from __future__ import annotations

import json
import random
import re
import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from chipwise.building.facts import read_facts
from chipwise.corpus import digests_folder, domain_folder, facts_folder
from chipwise.domain.model import Domain
from chipwise.reading import read_bytes
from chipwise.types import Document

from .labels import LABELLED, Label, Labelled, read_labels

ROOT = Path(__file__).resolve().parents[3]
DRAFTS = ROOT / "evals" / "drafts"
TRAINED, BLIND = ("tuned", "third", "fourth", "fifth", "sixth"), ("seventh", "other")
GOLDEN = ROOT / "tests" / "golden" / "claims.jsonl"
_NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")
HELD = 7  # one label document in so many is never trained on


def document(labelled: Labelled) -> Document:
    """The text as reading gives it. Raises ValueError where reading changes it, so that no label would hold."""
    name = f"{labelled.id}.md"
    made = read_bytes(labelled.text.encode(), name=name, origin=name, source_id=name)
    if made.text == labelled.text or made.text.rstrip() == labelled.text.rstrip():
        return made
    raise ValueError(f"reading changes the text of {labelled.id}")


def is_held(labelled: Labelled) -> bool:
    """True for the label documents that are only measured by, by a hash of their name."""
    return zlib.crc32(labelled.id.encode()) % HELD == 0


def label_files(more: Iterable[Path] = ()) -> list[Path]:
    """The label files here and in further folders; of two with one name the larger."""
    found: dict[str, Path] = {}
    for folder in (LABELLED, *more):
        for path in sorted(folder.glob("*.txt")):
            if path.name not in found or path.stat().st_size > found[path.name].stat().st_size:
                found[path.name] = path
    return [found[name] for name in sorted(found)]


def written(more: Iterable[Path] = ()) -> list[Labelled]:
    """All documents of the label files."""
    return list(read_labels(label_files(more)))


def drafts(names: Iterable[str]) -> Iterator[Labelled]:
    """Drafts: subject and metric of each statement are told, and what is not on the list is taken for no claim."""
    for name in names:
        for line in (DRAFTS / f"{name}.jsonl").read_text("utf-8").splitlines():
            record = json.loads(line)
            labels = tuple(Label(s["at"], s["end"], s["metric"], "", s["subject"]) for s in record["said"])
            yield Labelled(record["id"], "draft", record["text"], labels)


def digests(domain: Domain) -> Iterator[Labelled]:
    """The digests with the facts that cite them; of other figures nobody says whether they are claims."""
    by_source: dict[str, list[Label]] = {}
    for fact in read_facts(facts_folder(), digests_folder(), domain):
        claim = fact.claim
        if claim.quantity is None:
            continue
        axes = dict(claim.qualifiers)
        count = axes.pop("count", "") if axes.pop("aggregation", "") else ""
        told = tuple(sorted((a, v) for a, v in axes.items() if a not in ("as_of", "basis", "form_factor")))
        by_source.setdefault(claim.source, []).append(
            Label(
                claim.value_start,
                claim.value_end,
                claim.metric,
                "",
                claim.subject,
                None,  # a fact's scope is what is meant, which its sentence need not say
                count,
                told,
                claim.baseline,
                str(claim.modality.value),
            )
        )
    for path in sorted(digests_folder().glob("*.md")):
        found = by_source.get(path.stem, [])
        if found:
            made = read_bytes(path.read_bytes(), name=path.name, origin=path.name, source_id=path.stem)
            yield Labelled(path.stem, "digest", made.text, tuple(found), whole=False)


def golden() -> Iterator[Labelled]:
    """The golden sentences with an even hash, the others are for measuring."""
    for number, line in enumerate(GOLDEN.read_text("utf-8").splitlines()):
        record = json.loads(line)
        labels = [_golden_label(record["text"], c) for c in record.get("claims", ()) if "value" in c]
        if zlib.crc32(record["text"].encode()) % 2 == 0 and all(labels):
            yield Labelled(
                f"golden-{number}", "golden", record["text"] + "\n", tuple(label for label in labels if label)
            )


def _golden_label(text: str, claim: Mapping[str, Any]) -> Label | None:
    number = _NUMBER.search(claim["value"])
    places = (
        [m.start() for m in re.finditer(rf"(?<![\d.,]){re.escape(number[0])}(?![\d]|[.,]\d)", text)] if number else []
    )
    if number is None or len(places) != 1 or not claim.get("subject") or not claim.get("metric"):
        return None
    return Label(places[0], places[0] + len(number[0]), claim["metric"], "", claim["subject"])


def redrawn(labelled: Labelled, rng: random.Random) -> Labelled:
    """The same text with other digits in every labelled figure, of the same order of magnitude; the places stay."""
    text = list(labelled.text)
    for label in labelled.labels:
        if not label.metric:
            continue
        first = True
        for at in range(label.start, min(label.end, len(text))):
            if text[at].isdigit() and not (first and text[at] == "0"):
                text[at] = str(rng.randint(1 if first else 0, 9))
                first = False
    return replace(labelled, text="".join(text))


def read_domain_here() -> Domain:
    """The shipped domain, as it stands in this checkout."""
    from chipwise.domain.files import read_domain

    return read_domain(domain_folder())
