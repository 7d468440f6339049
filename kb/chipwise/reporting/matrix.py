"""Which sources speak of which chips, how often, and where a finding stands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from chipwise.audit.model import badness
from chipwise.domain.names import Names
from chipwise.index.store import Store
from chipwise.reporting.model import TELLING, Matrix
from chipwise.types import Finding

SUBJECTS = 20  # columns: as many as a desk's page has room for
FEWEST = 2  # of the columns that a source must speak of to have a row


def matrix(store: Store, names: Names, findings: Sequence[Finding], chips: Sequence[str] = ()) -> Matrix:
    """The chips that most sources speak of, and `chips`, against the sources that speak of several of them.

    A fact counts as a claim of the source that it cites; what is said of a variant or a machine is of its chip.
    """
    counts: Counter[tuple[str, str]] = Counter()
    seen: set[tuple[str, int, int, str]] = set()
    for claim in (*(fact.claim for fact in store.facts()), *store.claims()):
        chip = names.chip_of(claim.subject)
        key = (claim.source, claim.value_start, claim.value_end, claim.metric)
        if chip and key not in seen:
            seen.add(key)
            counts[claim.source, chip] += 1
    spoken = Counter(chip for _, chip in counts)
    most = sorted(spoken, key=lambda chip: (-spoken[chip], chip))[:SUBJECTS]
    columns = sorted({*most, *(names.chip_of(c) or c for c in chips)}, key=lambda chip: (-spoken[chip], chip))
    told = Counter(source for source, chip in counts if chip in columns)
    infos = [info for info in store.sources() if told[info.id] >= FEWEST or (told[info.id] and len(told) < SUBJECTS)]
    rows = sorted(infos, key=lambda info: (-told[info.id], info.title, info.id))
    return Matrix(
        subjects=tuple((chip, names.name(chip)) for chip in columns),
        sources=tuple(rows),
        counts={k: n for k, n in sorted(counts.items()) if k[1] in columns},
        disputed=_disputed(names, findings),
        left_out=len(store.source_ids()) - len(rows),
    )


def _disputed(names: Names, findings: Sequence[Finding]) -> dict[tuple[str, str], str]:
    """By source and chip the worst finding that quotes the one about the other."""
    found: dict[tuple[str, str], str] = {}
    for finding in sorted((f for f in findings if f.verdict in TELLING), key=badness):
        chip = names.chip_of(finding.subject) or finding.subject
        for evidence in finding.evidence:
            found.setdefault((evidence.source, chip), finding.fingerprint)
    return found
