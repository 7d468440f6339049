"""Whether the text of a figure leaves open what would explain it: a gap that only happens to fit a number of chips is none.

"The H100 has 640 GB of memory."                     nothing there is of several: eight have that, and one has 80
"Our node is quick. The H100 has 640 GB of memory."  may be of the node: unresolved
"""

from __future__ import annotations

import re

from chipwise.audit.casebook import Casebook, Statement
from chipwise.audit.comparing import DIE, relate
from chipwise.audit.drafting import figure, name
from chipwise.audit.verdicts import Relation, Verdict
from chipwise.domain.catalogue import PARTS
from chipwise.numbers.spoken import read_words
from chipwise.types import Passage, Role

_WHOLE = re.compile(r"(?<![\w.,])\d{1,3}(?:,\d{3})+(?![\w.,]\d)|(?<![\w.,])\d+(?![\w.,]\d)")
_WORD = re.compile(r"\b[A-Za-z]+")
_OF_ONE = PARTS | {"chip"}
TOTAL = "total"  # the rule where what several have together is put as the figure of one
_SEVERAL = ("scope", "count")  # rules that take a figure without a scope for that of several chips


def earned(book: Casebook, relation: Relation, fact: Statement, said: Statement) -> Relation:
    """The relation, or a contradiction where the text of `said` leaves nothing open that the relation supposes."""
    if relation.rule not in _SEVERAL or said.count is not None or fact.count != 1 or said.middle <= fact.middle:
        return relation
    metric = book.domain.metrics[said.claim.metric]
    count = round(said.middle / fact.middle)
    if metric.nature != "specified" or speaks_of_several(book, said, count):
        return relation
    reason = (
        f"{count} x {figure(book, fact)} = {figure(book, said)}: what {count} chips have together, put as the figure"
        f" of one {name(book, said.claim.subject)}?"
    )
    return Relation(Verdict.CONTRADICTION, TOTAL, (), reason)


def of_a_die(book: Casebook, relation: Relation, said: Statement) -> Relation:
    """A contradiction with the words for what it is: the figure of one of a chip's dies; unresolved where the text speaks of dies."""
    facts = (f for f in book.facts.get(said.key, ()) if f.asserted)
    of_die = next((f for f in facts if relate(book.domain, f, said).rule == DIE), None)
    if of_die is None:
        return relation
    die = of_die.claim.qualifier("aggregation")
    if _scopes(book, _section(book, said)) & PARTS:
        return Relation(Verdict.UNRESOLVED, DIE, ("aggregation",), f"it may be of one {die}, as others in the text are")
    reason = f"{figure(book, of_die)} is what one {die} of {name(book, said.chip)} has, put as the figure of the whole"
    return Relation(Verdict.CONTRADICTION, DIE, (), reason)


def speaks_of_several(book: Casebook, said: Statement, count: int) -> bool:
    """True where the section of a figure names a machine, a scope above a chip, or the number of chips."""
    text = _section(book, said)
    domain = book.domain
    machines = any(domain.is_machine(i) for m in domain.find_entities(text) for i in m.ids)
    return machines or bool(_scopes(book, text) - _OF_ONE) or count in _counts(text)


def _scopes(book: Casebook, text: str) -> set[str]:
    """The scopes that a text names: "per node", "each die"."""
    ids = (i for m in book.domain.find_qualifiers(text) for i in m.ids)
    return {value for axis, _, value in (i.partition("=") for i in ids) if axis == "aggregation"}


def _counts(text: str) -> set[int]:
    """The whole numbers of a text that stand by themselves: "8", "eight", "1,024"."""
    written = {int(m[0].replace(",", "")) for m in _WHOLE.finditer(text)}
    spoken = (read_words(text, m.start()) for m in _WORD.finditer(text))
    return written | {int(w.value) for w in spoken if w is not None}


def _section(book: Casebook, said: Statement) -> str:
    """The title of the source, and all that stands under the heading of the figure; of a table whose rows are of one thing each, its own row."""
    passages = book.passages_of(said.claim.source)
    own = next((p for p in passages if p.ordinal == said.claim.passage), None)
    title = book.sources[said.claim.source].title if said.claim.source in book.sources else ""
    if own is None:
        return title
    under = [p.text for p in passages if p.heading == own.heading]
    row = _row(own, said)
    if row and any(said.claim.subject in m.ids for m in book.domain.find_entities(row)):
        under = [row, *(p.text.partition("\n")[0] for p in passages if p.ordinal == said.table)]
    return "\n".join((title, *own.heading, *under))


def _row(own: Passage, said: Statement) -> str:
    """The line of a table that a figure stands in; "" where it stands in none."""
    at = said.claim.value_start - own.start
    begin, end = own.text.rfind("\n", 0, at) + 1, own.text.find("\n", at)
    return own.text[begin : end if end >= 0 else None] if own.role is Role.TABLE else ""
