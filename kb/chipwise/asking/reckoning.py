"""Answers that are sums of facts and of figures in the question, with the formula and where each input stands.

    "BF16 peak of eight v5p chips"  ->  "Total = chips x what one has: 8 chips x 459 TFLOPS [1] = 3,672 TFLOPS."

What a question can ask for is data (derivations.toml). A sum is made only where every
input can be filled and every figure of the question is used; else the passages answer.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from chipwise.asking.answers import Ruling
from chipwise.asking.derivable import is_asked, possible
from chipwise.asking.filling import Sums
from chipwise.asking.givens import Asked, Filled, read_question
from chipwise.asking.question import Question, understand
from chipwise.asking.quoting import Told, together
from chipwise.asking.ranking import products
from chipwise.asking.workings import compose, result, worth
from chipwise.domain.degrees import DOWNWARD, RANKING
from chipwise.domain.formulas import Derivation
from chipwise.domain.model import Domain
from chipwise.domain.names import Names
from chipwise.index.store import Store
from chipwise.text import blanked

_BOUNDS = re.compile(r"\bat (?:most|least|best)\b", re.I)
_TOP = 3  # of a ranking
_JUDGES = ("better", "best", "worse", "worst")  # which way these look depends on what comes out


def reckon(question: Question, store: Store, domain: Domain, names: Names) -> Told | None:
    """The answer's text, its citations and the facts in it; None where no derivation has all that it needs."""
    derivations = possible(question, domain)
    asked = read_question(question, store, domain) if derivations else None
    if asked is None:
        return None
    if question.wants_ranking and not asked.figures:  # "the biggest model for 80 GB" ranks no chips
        return _best(question, asked, derivations, store, domain, names)
    made = _made(asked, derivations, store, domain, names)
    if made is None:
        return None
    derivation, found = made
    told = compose(derivation, asked, found, store, domain, names)
    first = _verdict(derivation, asked, found) or _in_order(derivation, asked, found, domain)
    return told.led(first)


def reckon_each(question: Question, store: Store, domain: Domain, names: Names) -> Told | None:
    """The same sum for each of several metrics, "memory and power of eight H200"; None where one of them cannot be made."""
    if len(question.parts) < 2 or question.wants_ranking or question.wants_verdict:  # noqa: PLR2004
        return None
    mentions = domain.find_metrics_asked(question.text)
    told: list[Told] = []
    for metrics, _ in question.parts:
        others = [(m.start, m.end) for m in mentions if not set(m.ids) & set(metrics)]
        found = reckon(understand(blanked(question.text, others), domain), store, domain, names)
        if found is None:
            return None
        if found not in told:  # "draws" and "power" ask for one sum
            told.append(found)
    return together(told)


def sum_asked(question: Question, store: Store, domain: Domain, names: Names) -> tuple[float, Told] | None:
    """The one result, in base units, of what a question asks for, and the answer; None where there are several or none."""
    derivations = possible(question, domain)
    asked = read_question(question, store, domain) if derivations else None
    made = _made(asked, derivations, store, domain, names) if asked else None
    if asked is None or made is None or len(made[1]) != 1:
        return None
    derivation, found = made
    return worth(derivation, found[0][1]), compose(derivation, asked, found, store, domain, names)


_Sum = tuple[str, dict[str, Filled]]


def _made(
    asked: Asked, derivations: Sequence[Derivation], store: Store, domain: Domain, names: Names
) -> tuple[Derivation, list[_Sum]] | None:
    """The first derivation that is asked for and can be made, with its sums."""
    for derivation in derivations:
        if is_asked(derivation, asked, domain):
            every = Sums(derivation, asked, store, domain, names).all()
            found = [s for s in every if worth(derivation, s[1]) >= derivation.least]
            if found:
                return derivation, found
    return None


def _best(
    question: Question, asked: Asked, derivations: Sequence[Derivation], store: Store, domain: Domain, names: Names
) -> Told | None:
    """Chips ranked by the first derivation of two figures that is asked for: one figure of each is ranked without a sum."""
    of_two = (d for d in derivations if sum(bool(i.metrics) for i in d.inputs) > 1)
    derivation = next((d for d in of_two if is_asked(d, asked, domain)), None)
    if derivation is None:
        return None
    sums = Sums(derivation, asked, store, domain, names).of_each(products(question, domain))
    return _ranked(derivation, asked, sums, store, domain, names)


def _verdict(derivation: Derivation, asked: Asked, sums: Sequence[tuple[str, dict[str, Filled]]]) -> Ruling | None:
    """Whether the chips that the question asks about are as many as it takes; None where it does not ask, or variants differ."""
    if not (derivation.needs and asked.question.wants_verdict):
        return None
    there = asked.chips.value if asked.chips is not None else 1
    enough = {worth(derivation, filled) <= there for _, filled in sums}
    return None if len(enough) > 1 else Ruling.YES if True in enough else Ruling.NO


def _in_order(
    derivation: Derivation, asked: Asked, sums: Sequence[tuple[str, dict[str, Filled]]], domain: Domain
) -> str:
    """Which of several products comes out first, where the question sets them in order; "" where it does not."""
    spans = [(m.start, m.end) for m in domain.find_metrics(asked.text)]
    spans += [m.span() for m in _BOUNDS.finditer(asked.question.text)]
    told = RANKING.search(blanked(asked.question.text, spans))
    if not told or len(asked.subjects) < 2 or len(sums) != len(asked.subjects):  # noqa: PLR2004
        return ""
    least = bool(DOWNWARD.search(told[0])) if told[0].lower() not in _JUDGES else derivation.better == "less"
    least ^= told[0].lower() in ("worse", "worst")
    order = sorted(sums, key=lambda named: worth(derivation, named[1]), reverse=not least)
    first, second, *others = (result(derivation, asked, filled, domain) for _, filled in order)
    if {first} == {second, *others}:
        return f"The same: {first}. "
    if first == second:
        return ""  # two of them share the first place
    if not others:
        return f"{'Lower' if least else 'Higher'}: {order[0][0]}, {first} against {second}. "
    return f"{'Lowest' if least else 'Highest'}: {order[0][0]}, {first} against {second} of the {order[1][0]}. "


def _ranked(
    derivation: Derivation,
    asked: Asked,
    sums: Sequence[tuple[str, dict[str, Filled]]],
    store: Store,
    domain: Domain,
    names: Names,
) -> Told | None:
    """The highest (or lowest) of the sums of many chips."""
    least = DOWNWARD.search(asked.question.text) is not None
    order = sorted(sums, key=lambda named: worth(derivation, named[1]), reverse=not least)
    first: dict[tuple[str, ...], tuple[str, dict[str, Filled]]] = {}
    for name, filled in order:  # of an H200 and its variant that have the same facts the one that is listed first
        first.setdefault(tuple(f.fact.id for f in filled.values() if f.fact), (name, filled))
    if not order:
        return None
    told = compose(derivation, asked, list(first.values())[:_TOP], store, domain, names)
    return told.led(f"{'Lowest' if least else 'Highest'} first, of {len(first)} whose figures are known: ")
