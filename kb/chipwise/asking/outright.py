"""Answers that need no passage, in the order in which they are tried.

a conversion         "141 GB in GiB"
the cheapest of some "H200 on CoreWeave or AWS"
some of a line       "which GPUs have at least 100 GB", "and draw under 1,000 W"
the cheapest         "cheapest H100", under each kind of terms
a ranking            "which TPU has the most memory"
totals               "2x H200 or one MI300X"
how many have that   "how many H100 match a GB200 NVL72 in memory"
prices then and now  "price of an H100 on AWS in 2023"
values of a category "which clouds offer the MI300X"
figures under values "FP8 and BF16 peak of the B300"
a look-up            or a comparison, with a yes or no where that is asked for
a sum                "power of eight H100 SXM"
main rows            what chips differ in, where the question names no metric
prices put unlike    "cheapest of H100 and H200 on CoreWeave"
a category           "does the MI300X have NVLink"

Of several metrics ("memory and bandwidth of the H200") a sum is tried first, then each look-up by itself.
"""

from __future__ import annotations

from collections.abc import Callable

from chipwise.asking.categorical import categories_of
from chipwise.asking.cheapest import cheapest_by_terms, cheapest_of_chips, cheapest_of_named
from chipwise.asking.conversions import converted
from chipwise.asking.counted import compare_totals
from chipwise.asking.dated import came_first
from chipwise.asking.differences import main_rows
from chipwise.asking.filtering import products_with
from chipwise.asking.matching import matched
from chipwise.asking.narrowing import narrowed
from chipwise.asking.premises import category_asked
from chipwise.asking.pricetrends import prices_apart
from chipwise.asking.question import Question
from chipwise.asking.quoting import Told
from chipwise.asking.ranking import answer_by_rank
from chipwise.asking.reckoning import reckon
from chipwise.asking.severally import each_part, each_value
from chipwise.asking.single import looked_up
from chipwise.domain.model import Domain
from chipwise.domain.names import Names
from chipwise.index.store import Store

_Way = Callable[[Question, Store, Domain, Names], Told | None]


def answer_from_facts(question: Question, store: Store, domain: Domain, names: Names) -> Told | None:
    """The answer's text, its citations and the facts in it; None where passages have to be read."""
    # of several metrics ("TFLOPS per watt") the table would give the first
    several = len(question.metrics) > 1
    ways: tuple[_Way, ...] = (reckon, each_part, looked_up) if several else (looked_up, reckon, main_rows)
    first = (reckon,) if question.wants_ranking else ()  # "most TFLOPS per watt" ranks what is of two figures
    ways = (
        converted,
        *first,
        cheapest_of_named,
        came_first,
        narrowed,
        products_with,
        cheapest_by_terms,
        answer_by_rank,
        compare_totals,
        matched,
        prices_apart,
        categories_of,
        each_value,
        *ways,
        cheapest_of_chips,
        category_asked,
    )
    return next(filter(None, (way(question, store, domain, names) for way in ways)), None)
