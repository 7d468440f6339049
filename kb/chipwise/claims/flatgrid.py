"""Tables whose cells are parted by one blank: a row's cells are told by its values.

    "Feature NVIDIA H100 Google TPU v5p"                 ->  columns by the names in it
    "Memory (per chip/node) 80GB HBM 760GB (8-chip)"     ->  "80GB HBM", "760GB (8-chip)"

A row with another number of values than columns is ambiguous and gets no cells:
"not checked", and never a value in a column that it was not written for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate, islice

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
_BEHIND = re.compile(r"\S*(?:\s*\([^()]*\))?")  # what is glued to a value, and the bracket that follows
_COLUMN = re.compile(r"[^\s(]\S*(?:\s*\([^()]*\))?|\([^()]*\)")


def find_none(_: str) -> list[Span]:
    """A finder for callers without one."""
    return []


def read_header(header: str, entity_spans: Finder) -> tuple[str, ...]:
    """The columns by the names in the header; without a name, a word (with its unit) is a column."""
    starts = [start for start, _ in _apart(entity_spans(header))]
    if not starts:
        return tuple(" ".join(m[0].split()) for m in _COLUMN.finditer(header))
    parts = zip([0, *starts], [*starts, len(header)], strict=True)
    return tuple(" ".join(header[start:end].split()) for start, end in parts)


def read_row(row: str, columns: int, entity_spans: Finder, quantity_spans: Finder) -> list[Span]:
    """The label's span, then one span per column behind it, empty for "n/a"; [] where the row is ambiguous."""
    names = _apart(entity_spans(row))
    found = _apart([part for span in quantity_spans(row) for part in _divided(row, span)])
    blank = [m.span() for m in _NO_VALUE.finditer(row)]
    bare = [m.span() for m in _BARE.finditer(row)]
    leads = bool(names) and not row[: names[0][0]].strip()  # a row of one product
    last = bare[1 - columns :]
    tries = [
        ([*found, *blank], names),
        ([*found, *blank], []),
    ]  # "A100 80GB 80 GB" names a variant, "H100 80 GB" a chip
    if leads if found else last and not row[last[0][0] :].translate(_DIGITS).strip():
        tries.append(([*found, *bare, *blank], names))
    for values, closed in tries if columns > 1 else ():
        inside = _closed(row, closed)
        groups = _groups(row, [v for v in _apart(values) if not inside[v[0]]])
        if len(groups) == columns - 1:
            return _cells(row, groups, set(blank))
    return []


_DIGITS = dict.fromkeys(map(ord, "0123456789.,~≈<>≤≥±+$€£-%x×"), " ")


def _closed(row: str, names: Sequence[Span]) -> list[bool]:
    """By character, whether it stands in parentheses or in a name."""
    depths = accumulate(row, lambda depth, c: max(0, depth + (c == "(") - (c == ")")), initial=0)
    inside = [depth > 0 for depth in islice(depths, 1, None)]
    for start, end in names:
        inside[start:end] = [True] * (end - start)
    return inside


def _apart(spans: Sequence[Span]) -> list[Span]:
    """In order; of two that overlap the one that begins first."""
    kept: list[Span] = []
    for span in sorted(spans, key=lambda span: (span[0], -span[1])):
        if span[0] < span[1] and (not kept or span[0] >= kept[-1][1]):
            kept.append(span)
    return kept


def _divided(row: str, span: Span) -> Iterator[Span]:
    gaps = [gap.span() for gap in _TILDE.finditer(row, *span)]
    return zip([span[0], *(end for _, end in gaps)], [*(start for start, _ in gaps), span[1]], strict=True)


def _groups(row: str, values: Sequence[Span]) -> list[Span]:
    """Values that make one cell together ("$12 - $15", "80 GB / 94 GB"), with what leads into the first."""
    groups: list[Span] = []
    for start, end in values:
        if _QUALIFIES.search(row, max(0, start - _LOOK_BACK), start):
            continue
        reached = groups[-1][1] if groups else 0
        if groups and _JOINS.fullmatch(row[reached:start]):
            groups[-1] = (groups[-1][0], end)
            continue
        lead = _LEADS_IN.search(row, max(reached, start - _LOOK_BACK), start)
        groups.append((lead.start() if lead else start, end))
    return groups


def _cells(row: str, groups: Sequence[Span], blank: set[Span]) -> list[Span]:
    """The label and the cells; words behind a value are its own where words stand behind the last one too."""
    label = _strip(row, 0, groups[0][0])
    ends = [m.end() for _, end in groups if (m := _BEHIND.match(row, end))]
    nexts = [*(start for start, _ in groups[1:]), len(row)]
    trailing = len(groups) == 1 or bool(row[groups[-1][1] :].partition(" ")[2].strip())
    made = [
        (start, start) if (start, end) in blank else _strip(row, start, following if trailing else min(own, following))
        for (start, end), own, following in zip(groups, ends, nexts, strict=True)
    ]
    return [label, *made] if label[0] < label[1] else []


def _strip(row: str, start: int, end: int) -> Span:
    words = row[start:end]
    lead = len(words) - len(words.lstrip(" \t:,;|"))
    return start + min(lead, len(words)), max(start + lead, start + len(words.rstrip(" \t:,;|")))
