"""Answers that need no passage, in the order in which they are tried.

a conversion         "141 GB in GiB"
the cheapest of some "H200 on CoreWeave or AWS"
some of a line       "which GPUs have at least 100 GB"
a ranking            "which TPU has the most memory"
totals               "2x H200 or one MI300X"
how many have that   "how many H100 match a GB200 NVL72 in memory"
prices then and now  "price of an H100 on AWS in 2023"
values of a category "which clouds offer the MI300X"
a look-up            or a comparison, with a yes or no where that is asked for
a sum                "power of eight H100 SXM"
main rows            what chips differ in, where the question names no metric
prices put unlike    "cheapest of H100 and H200 on CoreWeave"
a category           "does the MI300X have NVLink"

Of several metrics ("memory and bandwidth of the H200") a sum is tried first, then each look-up by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from chipwise.asking.categorical import categories_of
from chipwise.asking.cheapest import cheapest_of_chips
from chipwise.asking.conversions import converted, in_unit, without_unit
from chipwise.asking.counted import compare_totals
from chipwise.asking.dated import came_first
from chipwise.asking.differences import main_rows
from chipwise.asking.filtering import products_with
from chipwise.asking.kinds import Kind
from chipwise.asking.matching import matched
from chipwise.asking.premises import category_asked, denial
from chipwise.asking.pricetrends import prices_apart
from chipwise.asking.question import Question, understand
from chipwise.asking.quoting import Told, together
from chipwise.asking.ranking import answer_by_rank, cheapest_of_named
from chipwise.asking.reckoning import reckon
from chipwise.asking.stated import borne_out
from chipwise.asking.tabled import answer_from_table
from chipwise.asking.verdict import IN_PERCENT, NO_LESS, SIZES, difference, find_factor, lead
from chipwise.domain.model import Domain
from chipwise.domain.names import Names
from chipwise.index.store import Store
from chipwise.lookups.phrasing import listed
from chipwise.text import blanked

_Way = Callable[[Question, Store, Domain, Names], Told | None]


def answer_from_facts(question: Question, store: Store, domain: Domain, names: Names) -> Told | None:
    """The answer's text, its citations and the facts in it; None where passages have to be read."""
    # of several metrics ("TFLOPS per watt") the table would give the first
    several = len(question.metrics) > 1
    ways: tuple[_Way, ...] = (reckon, _each_part, _looked_up) if several else (_looked_up, reckon, main_rows)
    ways = (
        converted,
        cheapest_of_named,
        came_first,
        products_with,
        answer_by_rank,
        compare_totals,
        matched,
        prices_apart,
        categories_of,
        *ways,
        cheapest_of_chips,
        category_asked,
    )
    return next(filter(None, (way(question, store, domain, names) for way in ways)), None)


def _looked_up(question: Question, store: Store, domain: Domain, names: Names) -> Told | None:
    """What the table gives, and whether it bears out a figure or a multiple that the question states."""
    of_two = question.wants_verdict and len(question.subjects) == 2  # noqa: PLR2004
    factor = find_factor(question.text, domain) if of_two else None
    if factor:
        question = understand(blanked(question.text, [factor.span]), domain)
    elif question.wants_verdict and question.kind is Kind.YES_NO:
        return borne_out(question, store, domain, names)
    asked = question
    if IN_PERCENT.search(question.text):  # says how to put the difference
        question = replace(understand(IN_PERCENT.sub(" ", question.text), domain), wants_verdict=False)
    if NO_LESS.search(question.text):  # "as large as" says how to compare, and nothing of what
        question = replace(question, free_words=tuple(w for w in question.free_words if w not in SIZES))
    found = answer_from_table(without_unit(question, domain), store, domain, names)
    if found is None:
        return None
    text, citations, facts = found
    several = len(question.subjects)
    compared = facts[:several] if several > 1 else facts  # behind them are what their other variants have
    text += in_unit(question, facts, domain, names) + difference(asked, names, compared)
    wrong, cited, of = denial(question, store, domain, names, len(citations))
    return Told(wrong + lead(question, names, compared, factor) + text, [*citations, *cited], [*facts, *of])


def _each_part(question: Question, store: Store, domain: Domain, names: Names) -> Told | None:
    """The answers for each metric asked for, one behind the other, and which of them there is none for."""
    states = question.wants_verdict and question.kind is Kind.YES_NO  # all its figures are judged together
    if not question.parts or question.wants_ranking or states:
        return None
    told: list[Told] = []
    missed: list[str] = []
    for named, modifier in question.parts:
        metrics = _meant(named, question, domain)
        counted = question.unit and domain.units[question.unit].dimension == domain.metrics[metrics[0]].dimension
        part = replace(question, metrics=metrics, modifier=modifier, parts=(), unit=question.unit if counted else "")
        found = _looked_up(part, store, domain, names)
        if found is None:
            missed.append(domain.metrics[metrics[0]].name)
        else:
            told.append(found)
    if told and missed:
        told.append(Told(f"Left out, as no fact simply gives it: {listed(missed)}.", [], []))
    return together(told) if told else None


def _meant(named: Sequence[str], question: Question, domain: Domain) -> tuple[str, ...]:
    """What a part asks for, given whose it is: what a machine pulls is no TDP."""
    of_one = [ids[0] for ids in question.subjects if len(ids) == 1]
    whose = [domain.metric_of(m, i) for i in of_one for m in named] or named
    return tuple(dict.fromkeys(m for m in whose if m in question.metrics)) or tuple(named)
