"""What the bare numbers of a column are, where no header tells: what most of them are known to be.

    | GPU      | Peak | Best |       989 and 2,250 are the known peaks of these two in TFLOPS,
    | H100 SXM |  989 |  795 |       so that any other number of the column is a peak in TFLOPS, too,
    | B200 SXM | 2250 | 1745 |       whether it is the known one or not

One number that agrees may do so by chance, where the header does not name the metric; three do not, and none but few of a column may depart.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from chipwise.claims.cellfigures import bare_number
from chipwise.claims.implying import in_unit
from chipwise.claims.known import Known, telling_digits
from chipwise.claims.places import Place
from chipwise.domain.model import Domain
from chipwise.numbers.quantities import Quantity

_LEAST = 3  # different numbers that agree
_LEAST_DIGITS = 5  # or the digits that tell in all of them, of two at least
_SHARE = 2 / 3  # of the rows of which something is known


@dataclass(frozen=True, slots=True)
class Meaning:
    """The metric and the unit of a column's numbers."""

    metric: str
    unit: str

    def of(self, domain: Domain, number: Quantity) -> Quantity:
        """A bare number as the figure that it is."""
        return in_unit(domain, self.unit, number)


@dataclass(frozen=True, slots=True)
class _Number:
    """A bare number of a column, whose it is, and how it is written."""

    subject: str
    written: str
    figure: Quantity


def meanings(known: Known, told: Sequence[Place]) -> dict[tuple[str, str], Meaning]:
    """What the bare numbers of each property of a table are, by section and property; less those that nothing tells."""
    columns: dict[tuple[str, str], list[_Number]] = {}
    labels: dict[tuple[str, str], list[str]] = {}
    for place in told if known else ():
        bare = bare_number(known.domain, place.cell.text) if len(place.subjects) == 1 else None
        if bare is not None and bare.form == "value":
            columns.setdefault(key(place), []).append(_Number(place.subjects[0], place.cell.text, bare))
            labels.setdefault(key(place), []).append(place.label)
    return {k: one for k, column in columns.items() if (one := _meaning(known, column, labels[k])) is not None}


def key(place: Place) -> tuple[str, str]:
    """What tells the property of a cell from the others of its table."""
    return place.row.section, place.property


def _meaning(known: Known, column: Sequence[_Number], labels: Sequence[str]) -> Meaning | None:
    """The one metric and unit in which enough of a column's numbers are what their subjects are known to have."""
    agreeing: dict[Meaning, list[str]] = {}
    for number in column:
        for one in _candidates(known, number):
            agreeing.setdefault(one, []).append(number.written)
    named = [{i for m in known.domain.find_metrics(label) for i in m.ids} for label in dict.fromkeys(labels)]
    said = set.intersection(*named)
    likely = {
        one: len(numbers)
        for one, numbers in agreeing.items()
        if (one.metric in said or _is_no_chance(numbers))
        and len(numbers) >= _SHARE * sum(any(m == one.metric for m, _ in known.figures(n.subject)) for n in column)
    }
    best = [one for one, count in likely.items() if count == max(likely.values())]
    usual = known.units_of(best[0].metric) if len({one.metric for one in best}) == 1 else ()
    return min(best, key=lambda one: usual.index(one.unit)) if usual else None


def _is_no_chance(numbers: Sequence[str]) -> bool:
    different = set(numbers)
    return len(different) >= _LEAST or (len(different) > 1 and sum(map(telling_digits, different)) >= _LEAST_DIGITS)


def _candidates(known: Known, number: _Number) -> set[Meaning]:
    """Each metric of which the subject has such a figure, with the unit in which it is."""
    units = ((m, figure, unit) for m, figure in known.figures(number.subject) for unit in known.units_of(m))
    return {
        Meaning(m, unit)
        for m, figure, unit in units
        if figure.form == "value"
        and figure.bound in ("exact", "about")
        and Meaning(m, unit).of(known.domain, number.figure).agrees_with(figure)
    }
