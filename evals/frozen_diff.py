"""The frozen state against the present one: two lists of records in, a report out. Touches no file and no product code."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

Record = dict[str, Any]
Key = Callable[[Record], Hashable]


@dataclass(frozen=True, slots=True)
class Diff:
    """What became of the records: `changed` are pairs, before and now."""

    same: int
    changed: list[tuple[Record, Record]]
    lost: list[Record]
    new: list[Record]

    @property
    def counts(self) -> str:
        """The four numbers in one line."""
        return f"{self.same:,} same, {len(self.changed):,} changed, {len(self.lost):,} lost, {len(self.new):,} new"


@dataclass(slots=True)
class Report:
    """What is printed: the summary first. `worse` when a right answer was lost."""

    summary: list[str]
    details: list[str] = field(default_factory=list)
    worse: bool = False


def compare(before: Sequence[Record], now: Sequence[Record], keys: Sequence[Key]) -> Diff:
    """Records are matched where they are equal, then by each key in turn, the strictest first; each matches once."""
    left, coming, pairs = _matched(before, now, lambda record: repr(sorted(record.items())))
    changed: list[tuple[Record, Record]] = []
    for key in keys:
        left, coming, found = _matched(left, coming, key)
        changed += found
    return Diff(len(pairs), changed, left, coming)


def _matched(
    before: Sequence[Record], now: Sequence[Record], key: Key
) -> tuple[list[Record], list[Record], list[tuple[Record, Record]]]:
    """What is left of either side, and the pairs, in the order of `before`."""
    waiting: dict[Hashable, list[Record]] = defaultdict(list)
    for record in reversed(now):
        waiting[key(record)].append(record)
    left, pairs = [], []
    for record in before:
        same = waiting[key(record)]
        if same:
            pairs.append((record, same.pop()))
        else:
            left.append(record)
    taken = {id(record) for _, record in pairs}
    return left, [record for record in now if id(record) not in taken], pairs


def report(part: str, before: Sequence[Record], now: Sequence[Record]) -> Report:
    """The report of a part: answers, findings or claims."""
    return {"answers": report_answers}[part](before, now)


def report_answers(before: Sequence[Record], now: Sequence[Record]) -> Report:
    """Right answers lost come first, then those won, then everything else that changed."""
    diff = compare(before, now, [_case])
    lost = [pair for pair in diff.changed if pair[0]["right"] and not pair[1]["right"]]
    won = [pair for pair in diff.changed if pair[1]["right"] and not pair[0]["right"]]
    rest = [pair for pair in diff.changed if pair[0]["right"] == pair[1]["right"]]
    made = Report([f"answers: {diff.counts}"], worse=bool(lost))
    made.summary += [
        f"right before and not now: {len(lost)}",
        f"right now and not before: {len(won)}",
        "right, by set: " + ", ".join(_rights(before, now)),
    ]
    kinds = Counter(_what_changed(*pair) for pair in rest)
    made.summary += [f"otherwise changed, {kind}: {count}" for kind, count in kinds.most_common()]
    for title, pairs in (
        ("right before and not now", lost),
        ("right now and not before", won),
        ("otherwise changed", rest),
    ):
        made.details += [f"== {title}"] if pairs else []
        made.details += [line for pair in pairs for line in _both(*pair)]
    return made


def _case(record: Record) -> Hashable:
    return record["case"]


def set_of(record: Record) -> str:
    """All of a case's id but its last part."""
    return str(record["case"]).rpartition("/")[0]


def _rights(before: Sequence[Record], now: Sequence[Record]) -> Iterator[str]:
    """ "dev 125 of 134" for each set, with what it was where that differs."""
    was, is_ = (Counter(set_of(r) for r in records if r["right"]) for records in (before, now))
    for name, count in Counter(map(set_of, now)).items():
        yield f"{name} {is_[name]} of {count}" + (f" (was {was[name]})" if was[name] != is_[name] else "")
    yield f"all {is_.total()} of {len(now)}" + (f" (was {was.total()})" if was.total() != is_.total() else "")


def _what_changed(before: Record, now: Record) -> str:
    if before["status"] != now["status"]:
        return f"{before['status']} before, {now['status']} now"
    return next((name for name in ("text", "reason", "citations", "disagreements") if before[name] != now[name]), "?")


def _both(before: Record, now: Record) -> Iterator[str]:
    yield f"{before['case']}  {now['question']}  [{_what_changed(before, now)}]"
    if _said(before) != _said(now):
        yield f"   before: {_said(before)}"
        yield f"   now:    {_said(now)}"
    for name in ("citations", "disagreements"):
        if before[name] != now[name] and _said(before) == _said(now):
            gone, come = ([item for item in a if item not in b] for a, b in _ways(before[name], now[name]))
            yield f"   {name}: gone {gone}, new {come}" if gone or come else f"   {name}: another order"


def _ways(a: list[Any], b: list[Any]) -> tuple[tuple[list[Any], list[Any]], ...]:
    return (a, b), (b, a)


def _said(record: Record) -> str:
    return str(record["text"]) if record["status"] == "answered" else f"REFUSED: {record['reason']}"
