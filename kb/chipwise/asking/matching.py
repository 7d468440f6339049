"""How many of one thing have together what another has.

"How many H100s match the memory of one GB200 NVL72?"
    ->  "168 x NVIDIA H100 or more: 13.4 TB [2] / 80 GB [1] = 167.5. ..."
"""

from __future__ import annotations

import math
from dataclasses import replace

from chipwise import patterns as re
from chipwise.asking.howmany import counts_in, in_all
from chipwise.asking.kinds import COUNTED_BEFORE, Kind
from chipwise.asking.question import Question
from chipwise.asking.quoting import Told, cite, sentence
from chipwise.asking.tabled import answer_from_table
from chipwise.claims.model import Fact
from chipwise.domain.model import Domain
from chipwise.domain.names import Names
from chipwise.domain.phrasebook import Mention
from chipwise.figures.amounts import number
from chipwise.figures.phrasing import value_text
from chipwise.index.store import Store

_MATCH = re.compile(
    r"\b(?:match(?:es|ing)?|equal(?:s|ing)?|replac(?:e|es|ing)|as (?:much|many|fast)|the same|equivalent|make up|corresponds?|rival|(?:has|have|get|reach) the (?:[\w-]+ ){1,3}of (?:one|an?|the)|adds? up to)\b",
    re.I,
)
_SLACK = 1e-9


def matched(question: Question, store: Store, domain: Domain, names: Names) -> Told | None:
    """The number of chips with the total, from a figure of each; None where a question asks for no such thing."""
    mentions = domain.find_entities(question.text)
    counted = next((m.ids[0] for m in mentions if COUNTED_BEFORE.search(question.text[: m.start])), "")
    others = [ids[0] for ids in question.subjects if ids[0] != counted]
    asked = question.metrics if question.parts else question.metrics[:1]  # of what "HBM" may mean, the first is meant
    metrics = [m for m in asked if domain.metrics[m].scales]
    if (
        not (counted and domain.is_chip(counted) and _MATCH.search(question.text))
        or len(others) != 1
        or len(metrics) != 1
    ):
        return None
    one, whole = (find_figure(question, subject, metrics[0], store, domain, names) for subject in (counted, others[0]))
    if one is None or whole is None:
        return None
    if not (one.is_single and whole.is_single) or one.amount <= 0:
        return None
    many = next((m.count for m in counts_in(question.text, domain) if m.of == others[0]), 1)
    ratio = many * whole.amount / one.amount
    count = math.ceil(ratio - _SLACK)
    times = f"{many} x " if many > 1 else ""
    steps = f"{times}{value_text(whole, names)} [2] / {value_text(one, names)} [1] = {number(ratio)}"
    said = " ".join(sentence(f, names, n) for n, f in enumerate((one, whole), start=1))
    more = "" if math.isclose(ratio, count) else " or more"
    return Told.of(
        f"{number(count)} x {names.name(one.claim.subject)}{more}: {steps}. {said}",
        cite(store, [one, whole]),
        [one, whole],
    )


def find_figure(
    question: Question, subject: str, metric: str, store: Store, domain: Domain, names: Names
) -> Fact | None:
    """The figure that stands for one of the things named, as a look-up of it alone would give it."""
    spans = ((m.start, m.end) for m in domain.find_qualifiers(question.text) if not _is_named(m, question, domain))
    totals = in_all(question.text, domain)  # it is here that the total is made
    qualified = " ".join(question.text[start:end] for start, end in spans if (start, end) not in totals)
    text = f"{domain.metrics[metric].name} of {domain.entities[subject].name} {qualified}"
    alone = replace(
        question, text=text, subjects=((subject,),), metrics=(metric,),
        kind=Kind.LOOKUP, free_words=(), parts=(), unit="", modifier="",
    )  # fmt: skip
    found = answer_from_table(alone, store, domain, names)
    return found.facts[0] if found is not None else None


def _is_named(qualifier: Mention, question: Question, domain: Domain) -> bool:
    """True for the SXM of "H100 SXM"."""
    return any(m.start <= qualifier.start and qualifier.end <= m.end for m in domain.find_entities(question.text))
