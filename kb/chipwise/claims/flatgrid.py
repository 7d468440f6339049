"""Tables whose cells are parted by one blank: a row's cells are told by its values.

    "Feature NVIDIA H100 Google TPU v5p"                 ->  columns by the names in it
    "Memory (per chip/node) 80GB HBM 760GB (8-chip)"     ->  "80GB HBM", "760GB (8-chip)"

A row with another number of values than columns is ambiguous and gets no cells:
"not checked", and never a value in a column that it was not written for.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from chipwise import patterns as re
from chipwise.text import Span

Finder = Callable[[str], list[Span]]

# "up to 80 GB", "~$12", "8 x 400 Gb/s": what belongs to the value behind it.
_LEADS_IN = re.compile(
    r"(?:(?<!\S)(?:up to|at least|at most|about|around|approx\.?|roughly|nearly|over|under|more than|less than|from)\s+)?"
    r"(?:(?<!\S)\d{1,4}\s?[x×]\s?)?[~≈<>≤≥±+$€£-]*$",
    re.IGNORECASE,
)
_LOOK_BACK = 32  # characters: the longest that _LEADS_IN takes
# "700 W at 1.2 GHz", "$12 per 8 chips": the second figure qualifies the first.
_QUALIFIES = re.compile(r"(?<!\S)(?:per|at|@|for|of|in|with|every|each|on|across)\s+[~$]?$", re.IGNORECASE)
_JOINS = re.compile(r"\s*(?:[-–—/+,&x×]\s*~?|to\s|or\s|and\s)\s*", re.IGNORECASE)
_BARE = re.compile(r"(?<!\S)[~≈<>≤≥±+$€£-]*(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?[%x×]?(?!\S)")
_NO_VALUE = re.compile(r"(?<!\S)(?:n/?a|tbd|tba)(?!\S)", re.IGNORECASE)
_TILDE = re.compile(r"\s+(?=[~≈]\s?[$€£]?\d)")  # "52% ~58%" is two figures; "52~58%" is a range
_BRACKETED = re.compile(r"\s*\([^()]*\)")
_COLUMN = re.compile(r"[^\s(]\S*(?:\s*\([^()]*\))?|\([^()]*\)")


@dataclass(frozen=True, slots=True)
class FlatHeader:
    """What the header tells: `texts` of all columns; `named` where they are the subjects' names."""

    texts: tuple[str, ...]
    named: bool


def find_none(_: str) -> list[Span]:
    """A finder for callers without one."""
    return []


def read_header(header: str, entity_spans: Finder) -> FlatHeader:
    """The columns by the names in the header; without a name, a word (with its unit) is a column."""
    names = _apart(entity_spans(header))
    if not names:
        return FlatHeader(tuple(" ".join(m[0].split()) for m in _COLUMN.finditer(header)), False)
    starts = [start for start, _ in names]
    ends = [*starts[1:], len(header)]
    columns = (header[s:e] for s, e in zip(starts, ends, strict=True))
    return FlatHeader(tuple(" ".join(part.split()) for part in (header[: starts[0]], *columns)), True)


def read_row(row: str, header: FlatHeader, entity_spans: Finder, quantity_spans: Finder) -> list[Span]:
    """The label's span, then one span per column of the header, empty for "n/a"; [] where the row is ambiguous."""
    wanted = len(header.texts) - 1
    if wanted < 1:
        return []
    names = _apart(entity_spans(row))
    found = _apart([part for span in quantity_spans(row) for part in _divided(row, span)])
    blank = [m.span() for m in _NO_VALUE.finditer(row)]
    bare = [m.span() for m in _BARE.finditer(row)]
    anywhere, outside_names = _outside(row, []), _outside(row, names)
    tries = [([*found, *blank], outside_names), ([*found, *blank], anywhere)]
    if not found and _ends_in(row, bare[-wanted:]):
        tries.append((bare, outside_names))
    elif found and not header.named and names and not row[: names[0][0]].strip():
        tries.append(([*found, *bare, *blank], outside_names))  # what stands in the name is no value
    # "A100 80GB 80 GB" names a variant, "H100 80 GB" a chip: the number of values tells
    for values, is_outside in tries:
        groups = _groups(row, _apart([span for span in values if is_outside(span)]))
        if len(groups) == wanted:
            return _cells(row, groups, set(blank))
    return []


def _ends_in(row: str, bare: Sequence[Span]) -> bool:
    """Whether the row's last words are these figures: "Cores 16896 14592", but not "PCIe 5 yes 16896"."""
    nexts = [start for start, _ in bare[1:]] + [len(row)] * bool(bare)
    gaps = (row[end:following] for (_, end), following in zip(bare, nexts, strict=True))
    return bool(bare) and not any(map(str.strip, gaps))


def _outside(row: str, names: Sequence[Span]) -> Callable[[Span], bool]:
    """Whether a span begins outside of parentheses and names."""
    inside = bytearray(len(row) + 1)
    depth = 0
    for at, character in enumerate(row):
        depth = max(0, depth + (character == "(") - (character == ")"))
        inside[at] = depth > 0
    for start, end in names:
        inside[start:end] = b"\1" * (end - start)
    return lambda span: not inside[span[0]]


def _apart(spans: Sequence[Span]) -> list[Span]:
    """In order; of two that overlap the one that begins first."""
    kept: list[Span] = []
    for span in sorted(spans, key=lambda span: (span[0], -span[1])):
        if span[0] < span[1] and (not kept or span[0] >= kept[-1][1]):
            kept.append(span)
    return kept


def _divided(row: str, span: Span) -> list[Span]:
    gaps = [gap.span() for gap in _TILDE.finditer(row, *span)]
    return list(zip([span[0], *(end for _, end in gaps)], [*(start for start, _ in gaps), span[1]], strict=True))


def _groups(row: str, values: Sequence[Span]) -> list[Span]:
    """Values that make one cell together ("$12 - $15", "80 GB / 94 GB"), with what leads into the first."""
    groups: list[Span] = []
    for start, end in values:
        if _QUALIFIES.search(row, max(0, start - _LOOK_BACK), start):
            continue
        reached = groups[-1][1] if groups else 0
        joint = row[reached:start]
        if groups and _JOINS.fullmatch(joint):
            groups[-1] = (groups[-1][0], end)
            continue
        lead = _LEADS_IN.search(row, max(reached, start - _LOOK_BACK), start)
        groups.append((lead.start() if lead else start, end))
    return groups


def _cells(row: str, groups: Sequence[Span], blank: set[Span]) -> list[Span]:
    label = _strip(row, 0, groups[0][0])
    if label[0] == label[1]:
        return []
    nexts = [*(start for start, _ in groups[1:]), len(row)]
    # subtle: behind every value but the last, words may as well lead into the next one ("HBM3 80 GB HBM2e 40 GB")
    trailing = len(groups) == 1 or bool(row[_glued_end(row, groups[-1][1]) :].strip())
    cells = [label]
    for group, following in zip(groups, nexts, strict=True):
        end = following if trailing else _value_end(row, group[1], following)
        cells.append((group[0], group[0]) if group in blank else _strip(row, group[0], end))
    return cells


def _glued_end(row: str, end: int) -> int:
    while end < len(row) and not row[end].isspace():
        end += 1
    return end


def _value_end(row: str, end: int, limit: int) -> int:
    """Behind what is glued to the value ("300 W/350 W") and the bracket that follows."""
    end = min(_glued_end(row, end), limit)
    bracket = _BRACKETED.match(row, end, limit)
    return bracket.end() if bracket else end


def _strip(row: str, start: int, end: int) -> Span:
    while start < end and row[start] in " \t:,;|":
        start += 1
    while end > start and row[end - 1] in " \t:,;|":
        end -= 1
    return start, end
