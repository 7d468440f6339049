"""The frozen state against the present one: two lists of records in, a report out. Touches no file and no product code."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

Record = dict[str, Any]
Pair = tuple[Record, Record]  # the same thing before and now
Key = Callable[[Record], Hashable]
ABSENT = "-"  # stands for what a record does not have
ASIDE = "_"  # before a name that is shown and neither compared nor kept


@dataclass(frozen=True, slots=True)
class Diff:
    """What became of the records."""

    same: int
    changed: list[Pair]
    lost: list[Record]
    new: list[Record]

    @property
    def counts(self) -> str:
        """The four numbers in one line."""
        return f"{self.same:,} same, {len(self.changed):,} changed, {len(self.lost):,} lost, {len(self.new):,} new"


@dataclass(slots=True)
class Report:
    """What is printed: the summary first. `worse` when something right was lost."""

    summary: list[str]
    details: list[str] = field(default_factory=list)
    worse: bool = False

    def list_under(self, title: str, lines: Iterable[str]) -> None:
        """Adds lines to the details, with a title where there are any."""
        found = list(lines)
        self.details += [f"== {title}", *found] if found else []


def report(part: str, before: Sequence[Record], now: Sequence[Record]) -> Report:
    """The report of a part: answers, findings or claims."""
    return {"answers": report_answers, "findings": report_findings, "claims": report_claims}[part](before, now)


# Matching


def compare(before: Sequence[Record], now: Sequence[Record], keys: Sequence[Key]) -> Diff:
    """Records are matched where they are equal, then by each key in turn, the strictest first; each matches once."""
    left, coming, pairs = _matched(before, now, lambda record: repr(sorted(kept(record).items())))
    changed: list[Pair] = []
    for key in keys:
        left, coming, found = _matched(left, coming, key)
        changed += found
    return Diff(len(pairs), changed, left, coming)


def kept(record: Record) -> Record:
    """Without what is only shown."""
    return {name: value for name, value in record.items() if not name.startswith(ASIDE)}


def _matched(
    before: Sequence[Record], now: Sequence[Record], key: Key
) -> tuple[list[Record], list[Record], list[Pair]]:
    """What is left of either side, and the pairs, in the order of `before`."""
    waiting: dict[Hashable, list[Record]] = defaultdict(list)
    for record in reversed(now):
        waiting[key(record)].append(record)
    left: list[Record] = []
    pairs: list[Pair] = []
    for record in before:
        alike = waiting[key(record)]
        if alike:
            pairs.append((record, alike.pop()))
        else:
            left.append(record)
    taken = {id(record) for _, record in pairs}
    return left, [record for record in now if id(record) not in taken], pairs


def _by(*names: str) -> Key:
    return lambda record: ("case", record["case"], *(str(record.get(name)) for name in names))


def set_of(record: Record) -> str:
    """The case's set: "dev" of "dev/D001", "drafts/third" of "drafts/third/C04/true"."""
    parts = str(record["case"]).split("/")
    return "/".join(parts[: min(2, len(parts) - 1)])


def _told(record: Record, names: Iterable[str]) -> str:
    return "  ".join(str(record[name]) for name in names if name in record)


def _differences(before: Record, now: Record) -> dict[str, str]:
    """By name of what differs, "before -> now"."""
    names = dict.fromkeys([*kept(before), *kept(now)])
    return {
        name: f"{before.get(name, ABSENT)} -> {now.get(name, ABSENT)}"
        for name in names
        if before.get(name) != now.get(name)
    }


# Answers


def report_answers(before: Sequence[Record], now: Sequence[Record]) -> Report:
    """Right answers lost come first, then those won, then everything else that changed."""
    diff = compare(before, now, [_by()])
    lost = [pair for pair in diff.changed if pair[0]["right"] and not pair[1]["right"]]
    won = [pair for pair in diff.changed if pair[1]["right"] and not pair[0]["right"]]
    rest = [pair for pair in diff.changed if pair[0]["right"] == pair[1]["right"]]
    gone = [record for record in diff.lost if record["right"]]
    made = Report([f"answers: {diff.counts}"], worse=bool(lost or gone))
    made.summary += [
        f"right before and not now: {len(lost)}" + (f", and {len(gone)} not asked any more" if gone else ""),
        f"right now and not before: {len(won)}",
        "right, by set: " + ", ".join(_rights(before, now)),
    ]
    kinds = Counter(_what_changed(*pair) for pair in rest)
    made.summary += [f"otherwise changed, {kind}: {count}" for kind, count in kinds.most_common()]
    made.list_under("right before and not now", (line for pair in lost for line in _both(*pair)))
    made.list_under("right now and not before", (line for pair in won for line in _both(*pair)))
    made.list_under("otherwise changed", (line for pair in rest for line in _both(*pair)))
    return made


def _rights(before: Sequence[Record], now: Sequence[Record]) -> Iterator[str]:
    """ "dev 125 of 134" for each set, with what it was where that differs."""
    was, is_ = (Counter(set_of(r) for r in records if r["right"]) for records in (before, now))
    for name, count in Counter(map(set_of, now)).items():
        yield f"{name} {is_[name]} of {count}" + (f" (was {was[name]})" if was[name] != is_[name] else "")
    yield f"all {is_.total()} of {len(now)}" + (f" (was {was.total()})" if was.total() != is_.total() else "")


def _what_changed(before: Record, now: Record) -> str:
    if before["status"] != now["status"]:
        return f"{before['status']} before, {now['status']} now"
    return next(iter(_differences(before, now)))


def _both(before: Record, now: Record) -> Iterator[str]:
    yield f"{before['case']}  {now['question']}  [{_what_changed(before, now)}]"
    if any(before[name] != now[name] for name in ("status", "text", "reason")):
        yield f"   before: {_said(before)}"
        yield f"   now:    {_said(now)}"
        return
    for name in ("citations", "disagreements"):
        a, b = before[name], now[name]
        if a != b:
            gone, new = [item for item in a if item not in b], [item for item in b if item not in a]
            yield f"   {name}: gone {gone}, new {new}" if gone or new else f"   {name}: in another order"


def _said(record: Record) -> str:
    return (
        str(record.get("_text", record["text"])) if record["status"] == "answered" else f"REFUSED: {record['reason']}"
    )


# Findings


def report_findings(before: Sequence[Record], now: Sequence[Record]) -> Report:
    """Planted changes that are found no more come first, then new false alarms, then what else changed."""
    diff = compare(before, now, [_by("fingerprint"), _by("code", "place"), _by("place"), _by("code")])
    was, is_ = _planted(before), _planted(now)
    alarms = [record for record in (*diff.new, *(b for a, b in diff.changed if "alarm" not in a)) if "alarm" in record]
    made = Report([f"findings: {diff.counts}"], worse=bool(was.keys() - is_.keys()))
    made.summary += [
        f"planted changes found before and not now: {len(was.keys() - is_.keys())}",
        f"planted changes found now and not before: {len(is_.keys() - was.keys())}",
        f"contradictions where all is right: {sum('alarm' in r for r in before)} before, {sum('alarm' in r for r in now)} now",
        "contradictions, by set: " + ", ".join(_contradictions(before, now)),
    ]
    made.list_under("planted changes found before and not now", (_line(was[k]) for k in was if k not in is_))
    made.list_under("planted changes found now and not before", (_line(is_[k]) for k in is_ if k not in was))
    made.list_under("new contradictions where all is right", map(_line, alarms))
    made.list_under("lost", map(_line, diff.lost))
    made.list_under("new", map(_line, diff.new))
    made.list_under("changed", (f"{_line(a)}\n   {_listed(a, b)}" for a, b in diff.changed))
    return made


def _planted(records: Iterable[Record]) -> dict[tuple[str, int], Record]:
    """By case and number of a planted change, the first finding that tells it."""
    found: dict[tuple[str, int], Record] = {}
    for record in records:
        for number in record.get("planted", ()):
            found.setdefault((record["case"], number), record)
    return found


def _contradictions(before: Sequence[Record], now: Sequence[Record]) -> Iterator[str]:
    was, is_ = (Counter(set_of(r) for r in records if r["verdict"] == "contradiction") for records in (before, now))
    for name in dict.fromkeys([*was, *is_]):
        yield f"{name} {is_[name]}" + (f" (was {was[name]})" if was[name] != is_[name] else "")


def _line(finding: Record) -> str:
    return _told(finding, ("case", "code", "verdict", "place", "title"))


def _listed(before: Record, now: Record) -> str:
    return "; ".join(f"{name}: {change}" for name, change in _differences(before, now).items())


# Claims


def report_claims(before: Sequence[Record], now: Sequence[Record]) -> Report:
    """A claim is the same thing where its figure stands at the same place; what is sure counts apart from what is doubted."""
    places = [_by("span", "subject", "metric"), _by("span", "metric"), _by("span", "subject"), _by("span")]
    diff = compare(before, now, [*places, _starts, _ends, _by("text", "subject", "metric")])
    was, is_ = _understood(before), _understood(now)
    made = Report([f"claims: {diff.counts}"])
    made.summary += [
        f"statements of drafts understood before and not now: {len(was.keys() - is_.keys())}",
        f"statements of drafts understood now and not before: {len(is_.keys() - was.keys())}",
        *(f"{name}: {_sure(records)}" for name, records in (("lost", diff.lost), ("new", diff.new)) if records),
        "sure, by set: " + ", ".join(_sure_by_set(before, now)),
    ]
    slots = Counter(name for pair in diff.changed for name in _differences(*pair))
    made.summary += [f"changed in {name}: {count:,}" for name, count in slots.most_common()]
    doubts = Counter("doubted" in now for before, now in diff.changed if ("doubted" in before) != ("doubted" in now))
    made.summary += [f"doubted now and not before: {doubts[True]:,}, before and not now: {doubts[False]:,}"]
    made.list_under("understood before and not now", (_claim(was[k]) for k in was if k not in is_))
    made.list_under("understood now and not before", (_claim(is_[k]) for k in is_ if k not in was))
    made.list_under("lost", map(_claim, diff.lost))
    made.list_under("new", map(_claim, diff.new))
    made.list_under("changed", (f"{_claim(a)}\n   {_listed(a, b)}" for a, b in diff.changed))
    return made


def _starts(record: Record) -> Hashable:
    return record["case"], record["span"][0]


def _ends(record: Record) -> Hashable:
    return record["case"], record["span"][1]


def _understood(records: Iterable[Record]) -> dict[tuple[str, int], Record]:
    """By draft and number of a statement, the first claim that says it."""
    found: dict[tuple[str, int], Record] = {}
    for record in records:
        for number in record.get("says", ()):
            found.setdefault((record["case"], number), record)
    return found


def _sure(records: Sequence[Record]) -> str:
    doubted = sum("doubted" in record for record in records)
    return f"{len(records) - doubted:,} sure, {doubted:,} doubted"


def _sure_by_set(before: Sequence[Record], now: Sequence[Record]) -> Iterator[str]:
    was, is_ = (Counter(set_of(r) for r in records if "doubted" not in r) for records in (before, now))
    for name in dict.fromkeys([*was, *is_]):
        yield f"{name} {is_[name]:,}" + (f" (was {was[name]:,})" if was[name] != is_[name] else "")


def _claim(record: Record) -> str:
    slots = ("case", "span", "text", "subject", "metric", "value", "unit", "form", "qualifiers", "modality", "baseline")
    return _told(record, slots) + "".join(f"  {flag}" for flag in ("denied", "doubted") if record.get(flag))
