"""What so many hours cost at the price of one that stands beside it (CW403).

    "One H100 at $6.88 an hour comes to $5,953.60 for a month of 720 hours."   ->  720 x $6.88 an hour = $4,953.60

Nothing is checked where more is reckoned with: a discount, a utilisation, several prices or counts that leave it open.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

from chipwise import patterns as re
from chipwise.audit.casebook import Casebook
from chipwise.audit.lines import Line
from chipwise.audit.products import TOLERANCE, Product, draft_product
from chipwise.numbers.intervals import Interval
from chipwise.numbers.quantity import Quantity
from chipwise.types import Finding

_RULE = "So many hours cost as many times the price of one."
_LEAST = 2.0  # hours: "an hour" counts none
_MORE = re.compile(
    r"%|\b(?:plus|minus|discount\w*|sav\w+|less|more|off|tax|storage|egress|idle|per\s(?:million|token)|instead|rather)\b",
    re.I,
)
_HOUR = "hour"
# right before the money: what the hours come to
_COMES_TO = re.compile(
    r"(?:\b(?:com(?:es?|ing)\sto|costs?|is|are|makes?|totals?|amounts?\sto|sums?\sto|adds?\sup\sto|or)|=)\s(?:about\s|around\s|roughly\s|some\s|nearly\s|almost\s)?~?$",
    re.I,
)
_SEVERAL = re.compile(
    r"\b(?:dual|twin|pair|dozen|couple|per\s(?:GPU|chip|card|accelerator))\b|\b(?:who|that|which)\b(?!\s(?:comes?|costs?|is|makes?|amounts?|totals?)\s)|[;?]",
    re.I,
)
_FAR = 20.0  # times: such sums are of something else


def find_wrong_bills(book: Casebook, lines: Sequence[Line]) -> Iterator[Finding]:
    """One finding for each sum of money that its hours and price do not make."""
    for line in lines:
        if not line.dimensions >= {"price", "price_rate", "time"}:
            continue
        found = _bill(line)
        if found is not None:
            whole, rate, hours = found
            made = Product(line.statement(whole), line.statement(rate), round(hours))
            yield draft_product(book, made, _RULE, "medium", "hours", unit_id=whole.unit)


def _bill(line: Line) -> tuple[Quantity, Quantity, float] | None:
    """The sum, the price and the hours of a sentence where no way to multiply them makes the sum, with what it counts or without."""
    scene = line.scene
    told = [q for q in scene.quantities if q.form == "value" and not q.compares]
    rates = [q for q in told if q.dimension == "price_rate"]
    sums = [q for q in told if q.dimension == "price"]
    hours = [h for q in told if q.dimension == "time" and (h := _hours(line, q)) >= _LEAST]
    if len(rates) != 1 or len(sums) != 1 or len(hours) != 1 or _MORE.search(scene.text) or _SEVERAL.search(scene.text):
        return None
    (rate,), (whole,), counts = rates, sums, [q for q in told if q.dimension == "count"]
    if len(counts) > 1 or line.other_numbers([whole, rate]) > 1 or whole.low <= 0:
        return None
    if (
        not _COMES_TO.search(scene.text, 0, whole.start)
        or not 1 / _FAR < whole.middle / (rate.middle * hours[0]) < _FAR
    ):
        return None
    times = [1.0, *(q.middle for q in counts)]
    claimed = Interval(whole.low, whole.high)
    price = Interval(rate.low, rate.high)
    if any((price * Interval.of(h * n)).gap(claimed) <= 1 + TOLERANCE for h, n in product(hours, times)):
        return None
    return whole, rate, hours[0]


def _hours(line: Line, quantity: Quantity) -> float:
    """How many hours a time is, 0 for one in another unit: "a month" has as many as somebody says."""
    if not quantity.unit.startswith(_HOUR) and quantity.unit != "h":
        return 0.0
    unit = line.book.domain.units.get(quantity.unit)
    return quantity.middle / unit.scale if unit is not None else 0.0
