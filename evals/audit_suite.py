"""Does the audit find what is wrong, and only that? Generated cases, each with one planted change or with a harmless one.

    python evals/audit_suite.py [--split tune|report|both] [--only FAMILY,…] [--failures [N]] [--show N] [--cases N] [--seed N]

Documents are made from the facts table and audit_templates.toml, never from the rules of the audit. A harmful case counts
as found when a finding of a fitting code, of low severity or above, is about the planted figure; where values or units
clash it has to be a contradiction. In a harmless case every contradiction is a false alarm. The "report" split has other
subjects and other sentences than the "tune" split; look only at the failures of the latter.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import audit_harmful as harmful
import audit_harmless as harmless
import audit_sayings as sayings
import audit_sums as sums
from audit_bank import SPLITS, Bank
from audit_pages import Case, Made, Page
from metrics import share
from results import Tree, as_json, markdown

from chipwise.claims.model import Fact
from chipwise.corpus import digests_folder, domain_folder, facts_folder
from chipwise.reading import read_bytes
from chipwise.types import Document, Evidence, Finding

SEED = 20_250_601
CASES = 60  # of each family and split
HARMFUL: dict[str, Made] = {
    "another value": harmful.value,
    "unit": harmful.unit,
    "scope": harmful.scope,
    "baseline": sayings.baseline,
    "modality": sayings.modality,
    "polarity": sayings.polarity,
    "arithmetic": sums.arithmetic,
    "category": harmful.category,
    "record": harmful.record,
}
HARMLESS: dict[str, Made] = {
    "rounding": harmless.rounding,
    "unit conversion": harmless.conversion,
    "scope stated": harmless.scope_stated,
    "dense and sparse": harmless.density,
    "paraphrase": harmless.paraphrase,
    "reported speech": harmless.reported_speech,
    "hypothetical": harmless.hypothetical,
    "another workload": harmless.workload,
    "another variant": harmless.variant,
    "another dtype": harmless.dtype,
    "another subject": harmless.subject,
    "direction stated": harmless.direction,
    "up to": harmless.at_most,
    "another date": harmless.dates,
    "own baseline": harmless.baselines,
    "modality kept": harmless.modality_kept,
    "polarity kept": harmless.polarity_kept,
    "arithmetic right": sums.right,
    "record right": harmless.record_right,
    "record total": harmless.record_total,
}
FAMILIES = HARMFUL | HARMLESS
Judge = Callable[
    [Sequence[Document], bool], Sequence[Finding]
]  # documents, whether the facts table is audited with them


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the judge said of a case. `alarms` are contradictions that are none; `noise` is all else that it reported."""

    case: Case
    findings: tuple[Finding, ...]
    found: bool
    alarms: int
    noise: int

    @property
    def right(self) -> bool:
        """What is wrong was found, or what is right was left alone."""
        return self.found if self.case.harmful else not self.alarms


def measure(bench: Path, cases: int = CASES) -> dict[str, Tree]:  # noqa: ARG001
    """Recall by harmful family and false alarms by harmless one, for each split. Needs no benchmark."""
    return figures(judge_all(make_cases(count=cases), shipped_judge()))


def make_cases(
    splits: Sequence[str] = SPLITS, families: Iterable[str] = tuple(FAMILIES), *, count: int = CASES, seed: int = SEED
) -> list[Case]:
    """`count` different cases of each family and split; the same ones for the same seed, whichever else are made."""
    names = list(families)
    cases: list[Case] = []
    for bank in _banks():
        if bank.split not in splits:
            continue
        for name in names:
            chance = random.Random(f"{seed}/{bank.split}/{name}")  # noqa: S311
            made: dict[tuple[Page, ...], Case] = {}
            while len(made) < count:
                case = FAMILIES[name](bank, chance)
                made.setdefault(case.pages, case)
            cases += made.values()
    return cases


def shipped_judge() -> Judge:
    """The audit of this checkout, with its domain and facts read once."""
    from chipwise.audit.auditing import audit_documents
    from chipwise.building.facts import read_facts
    from chipwise.domain.files import read_domain

    domain = read_domain(domain_folder())
    facts = read_facts(facts_folder(), digests_folder(), domain)

    def judge(documents: Sequence[Document], recorded: bool) -> Sequence[Finding]:
        known = _about(documents, facts) if recorded else ()
        findings = audit_documents(documents, domain, known, everything=False).findings
        own = {d.info.id for d in documents}
        return [f for f in findings if any(e.source in own for e in f.evidence)]

    return judge


def _about(documents: Sequence[Document], facts: Sequence[Fact]) -> list[Fact]:
    """The facts on products that the documents name: the others can be compared with nothing in them."""
    text = "\n".join(d.text for d in documents)
    banks = _banks()
    stems = {_stem(s.id) for bank in banks for s in bank.subjects.values() if any(n in text for n in s.names)}
    for system in (s for bank in banks for s in bank.systems if any(n in text for n in s.names)):
        stems |= {_stem(system.id), _stem(system.chip)}
    return [fact for fact in facts if _stem(fact.claim.subject) in stems]


@cache
def _banks() -> tuple[Bank, ...]:
    return tuple(Bank(split) for split in SPLITS)


def _stem(subject: str) -> str:
    """ "nvidia-h100" for all of its variants; all TPUs are one."""
    return "-".join(subject.split("-")[:2])


def judge_all(cases: Iterable[Case], judge: Judge) -> list[Outcome]:
    return [outcome(case, judge(documents(case), case.facts)) for case in cases]


def documents(case: Case) -> list[Document]:
    """The pages as they would be read from "a.md", "b.md"."""
    names = (f"{letter}.md" for letter in "abcdef")
    return [read_bytes(p.text.encode(), name=n, origin=n, source_id=n) for p, n in zip(case.pages, names, strict=False)]


def outcome(case: Case, findings: Sequence[Finding]) -> Outcome:
    """Whether the planted change was found, and what was reported that is none."""
    heard = [f for f in findings if f.severity != "info"]
    about = [f for f in heard if case.harmful and concerns(case, f)]
    rest = [f for f in heard if f not in about]
    alarms = sum(f.verdict == "contradiction" for f in rest)
    return Outcome(case, tuple(findings), any(fits(case, f) for f in about), alarms, len(rest) - alarms)


def fits(case: Case, finding: Finding) -> bool:
    """True for what is to be found: about the planted figure, heard, of a fitting code and verdict."""
    heard = case.harmful and finding.severity != "info" and concerns(case, finding)
    return heard and finding.code.startswith(case.codes) and case.verdict in ("", finding.verdict)


def concerns(case: Case, finding: Finding) -> bool:
    """True when a quote holds a planted figure, or when it is about the same metric of the same subject."""
    return (finding.subject, finding.metric) == (case.subject, case.metric) or any(
        _holds(case, e) for e in finding.evidence
    )


def _holds(case: Case, evidence: Evidence) -> bool:
    index = "abcdef".find(evidence.source[:1])
    if evidence.source != f"{'abcdef'[index]}.md" or index >= len(case.pages):
        return False
    return any(start < evidence.end and evidence.start < end for start, end in case.pages[index].marks)


def figures(outcomes: Sequence[Outcome]) -> dict[str, Tree]:
    """By split: recall of each harmful family, false alarms of each harmless one, and both over all."""
    return {
        split: _split([o for o in outcomes if o.case.split == split])
        for split in SPLITS
        if any(o.case.split == split for o in outcomes)
    }


def _split(outcomes: Sequence[Outcome]) -> Tree:
    bad, good = ([o for o in outcomes if o.case.harmful is harmful_] for harmful_ in (True, False))
    recall: dict[str, Tree] = {f: share(sum(o.found for o in of), len(of)) for f, of in _by_family(bad).items()}
    false: dict[str, Tree] = {f: share(sum(not o.right for o in of), len(of)) for f, of in _by_family(good).items()}
    made: dict[str, Tree] = {}
    if bad:
        made["planted changes found"] = recall | {"all": share(sum(o.found for o in bad), len(bad))}
        made["contradictions beside the planted one"] = share(sum(o.alarms > 0 for o in bad), len(bad))
    if good:
        made["harmless, called a contradiction"] = false | {"all": share(sum(not o.right for o in good), len(good))}
        made["harmless, something milder reported"] = {
            f: share(sum(o.noise > 0 for o in of), len(of))
            for f, of in _by_family(good).items()
            if any(o.noise for o in of)
        } or "none"
    return made


def _by_family(outcomes: Sequence[Outcome]) -> dict[str, list[Outcome]]:
    return {f: [o for o in outcomes if o.case.family == f] for f in dict.fromkeys(o.case.family for o in outcomes)}


def readable(result: Outcome) -> str:
    """A case with its documents, what should have come out, and what did."""
    case = result.case
    wanted = f"a finding of {', '.join(c + '..' for c in case.codes)}" if case.harmful else "no contradiction"
    lines = [
        f"== {case.split}, {case.family}: {case.planted} ({case.subject}, {case.metric})",
        f"wanted: {wanted} {case.verdict}".rstrip(),
    ]
    for name, found in zip("abcdef", case.pages, strict=False):
        marks = " ".join(f"[{found.text[start:end]}]" for start, end in found.marks)
        lines += [f"--- {name}.md  {marks}", found.text.rstrip()]
    said = [f"{f.code} {f.verdict}, {f.severity}: {f.title} ({f.subject}, {f.metric})" for f in result.findings]
    return "\n".join([*lines, "--- findings", *(said or ["none"]), ""])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--split", choices=(*SPLITS, "both"), default="both")
    parser.add_argument("--only", default="", help="families, parted by commas")
    parser.add_argument("--cases", type=int, default=CASES, help="of each family and split")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument(
        "--failures",
        type=int,
        nargs="?",
        const=10_000,
        default=0,
        help="print at most so many failing cases of each family",
    )
    parser.add_argument("--show", type=int, default=0, help="print so many cases at random, and judge none")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    names = [n for n in options.only.split(",") if n] or list(FAMILIES)
    if unknown := [n for n in names if n not in FAMILIES]:
        parser.error(f"there is no family {unknown[0]!r}; there are {', '.join(FAMILIES)}")
    splits = SPLITS if options.split == "both" else (options.split,)
    cases = make_cases(splits, names, count=options.cases, seed=options.seed)
    if options.show:
        chosen = random.Random(options.seed).sample(cases, options.show)  # noqa: S311
        print("\n".join(readable(Outcome(case, (), False, 0, 0)) for case in chosen))
        return
    started = time.perf_counter()
    outcomes = judge_all(cases, shipped_judge())
    for of in _by_family([o for o in outcomes if not o.right]).values():
        print(*map(readable, of[: options.failures]), sep="\n", end="")
    made = figures(outcomes)
    print(json.dumps(as_json(made), indent=1) if options.json else markdown(made))
    if not options.json:
        print(f"{len(cases)} cases in {time.perf_counter() - started:.0f} s")


if __name__ == "__main__":
    main()
