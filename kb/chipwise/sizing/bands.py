"""Measured rates of the same model on the same chip, as a note beside what a plan works out."""

from __future__ import annotations

from chipwise.figures.llms import LanguageModel
from chipwise.figures.worksheet import Draft
from chipwise.measured.rows import Wanted, band, read_measurements, select
from chipwise.numbers.intervals import Interval

_LEAST = 3  # runs that make a band


def note_measured(draft: Draft, model: LanguageModel, *, training: bool, form: str = "") -> None:
    """Adds the least, the median and the greatest rate of a chip in known runs, in the number format where some are told with it."""
    names, chip = draft.sources.names, draft.about.chip
    every = read_measurements()
    kin = frozenset(
        r.subject for r in every if chip in names.ancestors(r.subject) or r.subject in names.ancestors(chip)
    )
    axes = {"format": form} if form else {}
    rows = select(every, Wanted(("throughput",), (model.name,), kin | {chip}, training, axes))
    rows = [row for row in rows if row.unit == "tokens/s"]
    if len(rows) < _LEAST:
        return
    least, median, most = (draft.amount("token_rate", Interval.of(rate)) for rate in band(rows))
    publishers = ", ".join(dict.fromkeys(row.source.publisher for row in rows))
    formats = ", ".join(dict.fromkeys(row.format.upper() for row in rows if row.format))
    dates = f"{min(row.date for row in rows)[:4]} to {max(row.date for row in rows)[:4]}"
    told = f"measured in {len(rows)} runs: {least} to {most} per chip, median {median}"
    draft.notes.append(f"{told} ({publishers}; {formats or 'format not told'}; {dates})")
