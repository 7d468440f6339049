"""Asks every question of a set and compares answers and citations with the gold.

    python evals/questions.py evals/questions/dev.jsonl --kb DIR [--failures]

Prints, of the answerable questions, how many answers hold every gold term, how
many were refused, and how well their citations carry the gold; of the
unanswerable ones, how many were refused; and what refusing the less sure
answers would buy, with the threshold chosen on one half and reported on the other.
"""

from __future__ import annotations

import argparse
import hashlib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks import BenchmarkMissing, json_lines
from indexing import CACHE
from metrics import Curve, area_under, coverage_at, mean, risk_coverage, share
from results import Tree, markdown

from asking import Result, ask
from chipwise.building.documents import add_files, initialise
from chipwise.knowledge import KnowledgeFolder
from chipwise.models import DEFAULT_MODEL
from chipwise.opening import opened

FOLDER = Path(__file__).parent / "questions"
SHIPPED = ("dev", "holdout", "frozen", "arithmetic", "disagreement")  # asked of the corpus that ships
RAW = ("raw", "holdout_raw")  # asked of raw web pages, which lie beside the project
# as people ask, of the corpus that ships; no sources are listed. blind_documents was written from the five source documents alone,
# before its writer saw how the corpus puts them; documents by one who knew
PUBLIC = ("real", "sums", "documents", "blind_documents")
TOLERATED_RISK = 0.1  # of the answers given, when a threshold is chosen


def measure(_bench: Path, kb: Path | None = None, names: Iterable[str] = SHIPPED) -> dict[str, Tree]:
    """Figures by set, and over all of them. `kb` is built or brought up to date first; benchmarks are not needed."""
    with opened(KnowledgeFolder(kb or CACHE / "kb")) as index:
        asked = {name: [ask(index, record) for record in read_set(name)] for name in names}
    pooled = [result for results in asked.values() for result in results]
    return {
        "sets": {name: figures(results) for name, results in asked.items()},
        "by kind": by_kind(pooled),
        "refusing the less sure": selective(pooled),
    }


def measure_raw(bench: Path) -> dict[str, Tree]:
    """The same over raw pages alone. Raises BenchmarkMissing."""
    pages = find_raw_pages(bench)
    folder = CACHE / f"raw-{hashlib.sha256(repr(pages).encode()).hexdigest()[:8]}"
    with opened(prepare_raw(bench, folder)) as index:
        return {name: figures([ask(index, record) for record in read_set(name)]) for name in RAW}


def find_raw_pages(bench: Path) -> list[Path]:
    """The raw web pages beside the folder of benchmarks; none where they are not there."""
    return sorted((bench.parent / "sources").glob("*.txt"))


def prepare_raw(bench: Path, folder: Path) -> KnowledgeFolder:
    """The knowledge base of the raw pages alone, made in `folder` where it is not there. Raises BenchmarkMissing."""
    pages = find_raw_pages(bench)
    if not pages:
        raise BenchmarkMissing("no sources/ beside the folder of benchmarks")
    base = KnowledgeFolder(folder)
    if not base.contents_path.exists():
        initialise(base, shipped=False, model=DEFAULT_MODEL)
        add_files(base, pages)
    return base


def read_set(name: str) -> list[dict[str, Any]]:
    """The records of one of our sets."""
    return [dict(record) for record in json_lines(FOLDER / f"{name}.jsonl")]


def figures(results: Sequence[Result]) -> Mapping[str, Tree]:
    """What a set says, by the names that the baseline uses."""
    answerable = [r for r in results if r.record["answerable"]]
    unanswerable = [r for r in results if not r.record["answerable"]]
    given = [r for r in answerable if r.answer.answered]
    refused = [r for r in results if not r.answer.answered]
    quoting = [r for r in results if r.answer.citations]
    found: dict[str, Tree] = {
        "answered rightly, of the answerable": share(sum(r.right for r in answerable), len(answerable)),
        "refused wrongly, of the answerable": share(len(answerable) - len(given), len(answerable)),
        "citation precision": mean([r.precision for r in given]),
        "citation recall": mean([r.recall for r in given]),
        "quotes verbatim": share(sum(r.verbatim for r in quoting), len(quoting)),
    }
    if any(r.record["sources"] for r in given):
        found["citations of a listed source"] = mean([r.known for r in given])
    if unanswerable:
        found["refusal precision"] = share(sum(not r.record["answerable"] for r in refused), len(refused))
        found["refusal recall"] = share(sum(r.right for r in unanswerable), len(unanswerable))
    due = [r for r in results if r.record.get("disagreement")]
    if due:
        calm = [r for r in results if r.record.get("disagreement") == []]
        found["disagreement raised where due"] = share(sum(r.raised for r in due), len(due))
        found["none raised where none is"] = share(sum(r.raised for r in calm), len(calm))
    return found


def by_kind(results: Sequence[Result]) -> Mapping[str, Tree]:
    """Of each kind of question, how many came out right."""
    kinds = sorted({r.record["category"] for r in results})
    of = {kind: [r.right for r in results if r.record["category"] == kind] for kind in kinds}
    return {kind: share(sum(right), len(right)) for kind, right in of.items()}


def selective(results: Sequence[Result]) -> Mapping[str, Tree]:
    """Risk and coverage over the answers given, and a threshold from one half applied to the other."""
    halves = [[r for r in results if _half(r) == half] for half in (0, 1)]
    threshold = least_confidence(halves[0])
    kept = [r for r in halves[1] if r.answer.answered and r.confidence >= threshold]
    before = [r for r in halves[1] if r.answer.answered]
    refused = [r for r in halves[1] if r not in kept]
    return {
        "mean risk (area under the curve)": area_under(curve(results)),
        "coverage at 5% risk": coverage_at(curve(results), 0.05),
        "coverage at 10% risk": coverage_at(curve(results), 0.10),
        "risk by coverage": " ".join(f"{c:.0%}:{risk:.1%}" for c, risk in _deciles(curve(results))),
        f"threshold for {TOLERATED_RISK:.0%} risk, of one half": threshold,
        "other half, all answers: wrong": share(sum(not r.right for r in before), len(before)),
        "other half, sure answers: wrong": share(sum(not r.right for r in kept), len(kept)),
        "other half, sure answers: given": share(len(kept), len(halves[1])),
        "other half: refusal precision": share(sum(not r.record["answerable"] for r in refused), len(refused)),
        "other half: refusal recall": share(
            sum(not r.record["answerable"] for r in refused), sum(not r.record["answerable"] for r in halves[1])
        ),
    }


def _half(result: Result) -> int:
    return hashlib.sha256(result.record["id"].encode()).digest()[0] % 2


def curve(results: Sequence[Result]) -> Curve:
    """Risk by coverage of all questions, the surest answers first."""
    given = [r for r in results if r.answer.answered]
    return risk_coverage([r.confidence for r in given], [r.right for r in given], len(results))


def least_confidence(results: Sequence[Result]) -> float:
    """The lowest confidence at which at most TOLERATED_RISK of the answers are wrong."""
    coverage = coverage_at(curve(results), TOLERATED_RISK)
    surest = sorted((r.confidence for r in results if r.answer.answered), reverse=True)
    kept = round(coverage * len(results))
    return surest[kept - 1] if kept else float("inf")


def _deciles(points: Curve) -> list[tuple[float, float]]:
    """The curve at each tenth of the coverage that it reaches."""
    return [min(points, key=lambda p: abs(p[0] - points[-1][0] * n / 10)) for n in range(1, 11)] if points else []


def failures(results: Iterable[Result]) -> str:
    """What went wrong, to be read."""
    lines = []
    for r in results:
        if not (r.right and r.verbatim and (r.recall == 1 or not r.record["answerable"])):
            lines.append(
                f"{r.record['id']} [{r.record['category']}] {r.record['question']}\n   gold {r.record['gold']}"
            )
            lines.append(f"   got {r.answer.text or 'REFUSED: ' + r.answer.reason}")
            cited = [c.evidence.passage for c in r.answer.citations]
            lines.append(f"   cited {cited} wanted {r.record['sources']}\n")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("questions", type=Path, nargs="+")
    parser.add_argument("--kb", type=Path, required=True, help="the knowledge base to ask")
    parser.add_argument("--failures", action="store_true", help="print what went wrong, too")
    options = parser.parse_args()
    with opened(KnowledgeFolder(options.kb)) as index:
        results = [ask(index, record) for path in options.questions for record in json_lines(path)]
    if options.failures:
        print(failures(results))
    tree = {"figures": figures(results), "by kind": by_kind(results), "refusing the less sure": selective(results)}
    print(markdown(tree))


if __name__ == "__main__":
    main()
