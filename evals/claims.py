"""How many of the claims of a text are found, how many of those found are right, and how long it takes.

    python evals/claims.py [SHARED] [--wrong]

SHARED holds `sources/` and `bench/` (default: ../shared); what is not there is skipped.

Recall is against a list that somebody else made of what four articles say (gold_000_003.jsonl says which claims
of ours would do for each row). The rules were written with these articles in sight, so that it is a floor to be held, no measure.
A row is found when subject, metric and value fit; `in full` means that what the row says of scope and baseline fits too.
"beyond" are rows on chips that no metric can say; they are counted as missed in `all rows`.

Precision is against labels.jsonl, judgements of claims from documents that no rule was written on. A label holds as
long as the very same claim is extracted; one whose claim has changed, or is gone, is counted and left out, so that
precision over what is left is high by construction where mending removes wrong claims: what a sample says is what
was right when it was judged. Sample 3 judged whatever had no label that held, so that nearly every figure has one.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks import BENCH, BenchmarkMissing
from metrics import share
from records import shipped
from results import Tree, markdown

from chipwise.claims.extract import extract
from chipwise.claims.model import Claim
from chipwise.corpus import shipped_documents
from chipwise.reading import read_bytes, read_file
from chipwise.splitting import split
from chipwise.types import Document

HERE = Path(__file__).parent / "claims"
GOLD = HERE / "gold_000_003.jsonl"
LABELS = HERE / "labels.jsonl"
TOLERANCE = 0.06  # relative, of an end of a claim's interval: "about 52%" reaches from 49.4 to 54.6
MEGABYTE = 1_000_000
Row = Mapping[str, Any]  # one line of a .jsonl file here


@dataclass(frozen=True)
class Read:
    """A document with the claims found in it."""

    document: Document
    claims: Sequence[Claim]

    def line(self, claim: Claim) -> int:
        """Where the claim's figure or words stand, from 1."""
        return self.document.text.count("\n", 0, claim.value_start) + 1


@dataclass(frozen=True, slots=True)
class Found:
    """What became of a gold row: `value` when a claim says it, `full` when with its scope and baseline too, `certain` without doubt."""

    row: Row
    value: bool
    full: bool
    certain: bool


def measure(bench: Path) -> dict[str, Tree]:
    """Recall, precision and seconds, of whatever lies beside `bench`."""
    tree: dict[str, Tree] = {}
    if sources := find_sources(bench.parent):
        tree["recall"] = recall_figures(match_rows(read_rows(GOLD), sources))
    if documents := find_documents(bench):
        tree["precision"] = precision_figures(read_rows(LABELS), documents)
        tree["seconds"] = seconds(bench)
    if not tree:
        raise BenchmarkMissing("no sources/ beside the folder of benchmarks, and no hardware/docs/ in it")
    return tree


def read_rows(path: Path) -> list[Row]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]


def find_sources(shared: Path) -> dict[str, Read]:
    """The articles by their file's name; none where the folder lacks one."""
    names = sorted({row["source"] for row in read_rows(GOLD)})
    paths = [shared / "sources" / name for name in names]
    return {path.name: read_document(path) for path in paths} if all(path.is_file() for path in paths) else {}


def find_documents(bench: Path) -> dict[str, Read]:
    """The long documents by their file's name."""
    return {path.name: read_document(path) for path in sorted((bench / "hardware" / "docs").glob("*.md"))}


def read_document(path: Path) -> Read:
    """The document of a file with its claims, read as a build reads it."""
    document, domain = read_file(path), shipped()[0]
    return Read(document, extract(split(document), domain, document.info.title)[1])


# Recall


def match_rows(rows: Iterable[Row], sources: Mapping[str, Read]) -> list[Found]:
    """Each row that is not excluded, with whether some claim on its line says it."""
    found: list[Found] = []
    for row in rows:
        if row["kind"] == "excluded":
            continue
        read = sources[row["source"]]
        claims = [claim for claim in read.claims if read.line(claim) == row["line"]]
        if row["kind"] == "numeric":
            said = [claim for claim in claims if says_figure(row, claim)]
            certain = any(not claim.doubt for claim in said)
            found.append(Found(row, bool(said), any(scope_fits(row, claim) for claim in said), certain))
        else:
            fits = says_category(row, claims)
            found.append(Found(row, fits, fits, fits))
    return found


def says_figure(row: Row, claim: Claim) -> bool:
    """Subject, metric and value fit a numeric row, whose open end is null."""
    if claim.quantity is None or claim.subject not in row["subjects"] or claim.metric not in row["metrics"]:
        return False
    return _end_fits(row["low"], claim.quantity.low) and _end_fits(row["high"], claim.quantity.high)


def _end_fits(gold: float | None, end: float) -> bool:
    return math.isinf(end) if gold is None else abs(end - gold) <= TOLERANCE * abs(gold)


def scope_fits(row: Row, claim: Claim) -> bool:
    """What the row says of scope is said, and of a baseline."""
    scoped = all(claim.qualifier(axis) in values for axis, values in row.get("scope", {}).items())
    return scoped and (not row.get("baseline") or claim.baseline in row["baseline"])


def says_category(row: Row, claims: Sequence[Claim]) -> bool:
    """One alternative of `any` is said, or each part of `all`; never for a row "beyond" the metrics."""
    parts = row.get("all") or row.get("any", ())
    said = [
        any(
            claim.quantity is None
            and claim.polarity == part["polarity"]
            and claim.subject in part["subjects"]
            and claim.metric in part["metrics"]
            and claim.object in part["objects"]
            for claim in claims
        )
        for part in parts
    ]
    return bool(said) and (all(said) if "all" in row else any(said))


def recall_figures(found: Sequence[Found]) -> Tree:
    """Shares of the rows by kind."""
    numeric = [f for f in found if f.row["kind"] == "numeric"]
    categorical = [f for f in found if f.row["kind"] == "categorical"]
    return {
        "numeric": share(sum(f.value for f in numeric), len(numeric)),
        "numeric, in full": share(sum(f.full for f in numeric), len(numeric)),
        "numeric, not doubted": share(sum(f.certain for f in numeric), len(numeric)),
        "categorical": share(sum(f.value for f in categorical), len(categorical)),
        "all rows": share(sum(f.value for f in found), len(found)),
        "beyond any metric": sum(f.row["kind"] == "beyond" for f in found),
    }


# Precision


def key_of(read: Read, claim: Claim) -> dict[str, Any]:
    """What a label knows a claim by: no text of the document, whose licence is its own."""
    quote = read.document.text[claim.start : claim.end]
    return {
        "start": claim.value_start,
        "end": claim.value_end,
        "subject": claim.subject,
        "metric": claim.metric,
        "quote": _short_hash(quote),
        "state": _short_hash(state_of(claim)),
    }


def state_of(claim: Claim) -> str:
    """Everything that a judgement was about, in one line."""
    q = claim.quantity
    body = f"{q.low:.6g} {q.high:.6g} {q.unit} {q.form} {q.bound}" if q else f"{claim.object} {claim.polarity}"
    qualifiers = ";".join(f"{axis}={value}" for axis, value in sorted(claim.qualifiers))
    return "|".join((claim.subject, claim.metric, body, claim.baseline, qualifiers, claim.modality))


def _short_hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def precision_figures(labels: Sequence[Row], documents: Mapping[str, Read]) -> Tree:
    """By sample: the share right of the labels that still hold, of these without modality, and what became of the others."""
    found = {(name, *key_of(read, claim).values()): claim for name, read in documents.items() for claim in read.claims}
    places = {key[:3] for key in found}
    tree: dict[str, Tree] = {}
    for sample in dict.fromkeys(_sample(label) for label in labels):
        own = [label for label in labels if _sample(label) == sample and label["document"] in documents]
        held = [label for label in own if _key(label) in found]
        judged = [label for label in held if label["verdict"]]
        lost = [label for label in own if _key(label) not in found]
        certain = [label for label in judged if not found[_key(label)].doubt]
        of_right = [label for label in judged if label["verdict"] == "right"]
        right = {
            "right": share(len(of_right), len(judged)),
            "right but for modality": share(sum(not {*label["slots"]} - {"modality"} for label in judged), len(judged)),
            "right of those not doubted": share(sum(label in of_right for label in certain), len(certain)),
            "not doubted of the right": share(sum(label in certain for label in of_right), len(of_right)),
        }
        tree[sample] = {
            **(right if judged else {}),
            "changed since": sum(_key(label)[:3] in places for label in lost),
            "gone": sum(_key(label)[:3] not in places for label in lost),
            "gone or changed, was right": sum(label["verdict"] == "right" for label in lost),
            "not judged yet": len(held) - len(judged),
        }
    labelled = {_key(label)[:3] for label in labels}
    tree["claims"] = {"all": len(found), "at places without a label": sum(key[:3] not in labelled for key in found)}
    return tree


def _sample(label: Row) -> str:
    return f"sample {label['sample']} ({label['use']})"


def _key(label: Row) -> tuple[Any, ...]:
    return tuple(label[name] for name in ("document", "start", "end", "subject", "metric", "quote", "state"))


# Speed


def seconds(bench: Path) -> Tree:
    """Seconds of splitting and extracting, without reading: the three long documents, and 1 MB of the shipped corpus."""
    documents = [read_file(path) for path in sorted((bench / "hardware" / "docs").glob("*.md"))]
    text = "\n\n".join(path.read_text("utf-8") for path in shipped_documents())
    text = (text * (MEGABYTE // max(1, len(text)) + 1))[:MEGABYTE]
    return {
        "long documents": _timed(documents),
        "1 MB of the corpus": _timed([read_bytes(text.encode(), name="corpus.md", origin="corpus.md")]),
    }


def _timed(documents: Sequence[Document]) -> float:
    domain, _ = shipped()
    started = time.perf_counter()
    for document in documents:
        extract(split(document), domain)
    return round(time.perf_counter() - started, 2)


# The command


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("shared", nargs="?", type=Path, default=BENCH.parent, help="holds sources/ and bench/")
    parser.add_argument("--wrong", action="store_true", help="also list the labels called wrong that still hold")
    options = parser.parse_args()
    if sources := find_sources(options.shared):
        found = match_rows(read_rows(GOLD), sources)
        print("## recall\n\n" + markdown(recall_figures(found)))
        print("\n".join(missed(found)), end="\n\n")
    else:
        print("skipped recall: the articles are not in SHARED/sources", file=sys.stderr)
    bench = options.shared / "bench"
    documents = find_documents(bench)
    if not documents:
        sys.exit("skipped precision and speed: no documents in SHARED/bench/hardware/docs")
    labels = read_rows(LABELS)
    print("## precision\n\n" + markdown(precision_figures(labels, documents), 3))
    if options.wrong:
        print("\n".join(still_wrong(labels, documents)), end="\n\n")
    print("## seconds\n\n" + markdown(seconds(bench)))


def missed(found: Iterable[Found]) -> Iterator[str]:
    """A line for each row that no claim says, or not in full."""
    for f in found:
        if f.row["kind"] != "beyond" and not f.full:
            what = "scope or baseline differs" if f.value else "missed"
            wanted = f.row.get("metrics") or [m for p in f.row.get("all") or f.row["any"] for m in p["metrics"]]
            yield f"{f.row['id']} line {f.row['line']}: {what} ({', '.join(dict.fromkeys(wanted))})"


def still_wrong(labels: Iterable[Row], documents: Mapping[str, Read]) -> Iterator[str]:
    """The labels called wrong whose claims are still extracted, by mechanism, the most frequent first."""
    found = {(name, *key_of(read, claim).values()) for name, read in documents.items() for claim in read.claims}
    wrong = [label for label in labels if label["verdict"] == "wrong" and _key(label) in found]
    counts = Counter(label["mechanism"] for label in wrong)
    for label in sorted(wrong, key=lambda label: (-counts[label["mechanism"]], label["mechanism"])):
        slots = ", ".join(label["slots"])
        yield f"{label['mechanism']}: {label['document']}:{label['line']} {label['subject'] or '?'} {label['metric']} ({slots}) {label['reason']}"


if __name__ == "__main__":
    main()
