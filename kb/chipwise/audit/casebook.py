"""All that an audit looks at: claims and facts in their surroundings, made ready to be compared.

"An 8-GPU H100 server costs $12-$15 hourly"  ->  about nvidia-h100, of 8 chips, 12 to 15 USD/hour
"DGX H100: 640 GB"                           ->  about nvidia-h100, of 8 chips, 640 GB
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property

from chipwise import patterns as re
from chipwise.claims.model import DOUBTED, Claim, Fact, Modality
from chipwise.domain.model import Domain
from chipwise.types import Evidence, Passage, Role, SourceInfo
from chipwise.values import dataclass

_LAST_NUMBER = re.compile(r"(\d+)$")
_BEYOND_A_NODE = ("rack", "pod", "cluster")
_MOST_IN_A_NODE = 16


@dataclass(frozen=True, slots=True)
class Statement:
    """A claim in its surroundings; `fact` where the curated table makes it.

    `chip` is the chip that it is about in the end, a line or a model where it is about
    no chip, "" where the text does not tell. `count` is how many chips the figure
    is of: 1 for one chip, None where the text does not tell. `table` is the first passage
    of the table that it stands in, 0 outside of one.
    """

    claim: Claim
    role: Role
    chip: str
    count: int | None
    fact: Fact | None = None
    table: int = 0

    @property
    def key(self) -> tuple[str, str]:
        """What claims must share to be compared at all: the chip and the metric."""
        return self.chip, self.claim.metric

    @property
    def asserted(self) -> bool:
        """True when its source stands behind it: as `stands`, and it is no reader's comment, advertising or listing."""
        return self.role.speaks_for_the_source and self.stands

    @property
    def stands(self) -> bool:
        """True for what is put as true by whoever says it: no guess, no example, no figure called wrong, none that may be misread."""
        return (
            (self.claim.polarity or self.claim.quantity is None)  # "does not have 141 GB" gives no figure
            and self.claim.modality is not Modality.HYPOTHETICAL
            and self.claim.attribution != DOUBTED
            and not self.claim.doubt
            and (self.fact is None or self.fact.rank != "deprecated")
        )

    @property
    def low(self) -> float:
        """The least value that the words allow, in the dimension's base unit."""
        return self.claim.quantity.low if self.claim.quantity is not None else 0.0

    @property
    def high(self) -> float:
        """The greatest value that the words allow."""
        return self.claim.quantity.high if self.claim.quantity is not None else 0.0

    @property
    def middle(self) -> float:
        """The figure as one number."""
        return self.claim.quantity.middle if self.claim.quantity is not None else 0.0


def _no_passages(_: str) -> Sequence[Passage]:
    return ()


@dataclass(frozen=True)
class Casebook:
    """Everything to be audited. `find_evidence` makes a claim into a quote with its place."""

    domain: Domain
    statements: Sequence[Statement]
    sources: Mapping[str, SourceInfo]
    find_evidence: Callable[[Statement], Evidence]
    find_witnesses: Callable[[], Mapping[str, str]] = dict
    passages_of: Callable[[str], Sequence[Passage]] = _no_passages  # of a source, in order, for what is no claim
    left: Sequence[Statement] = ()  # figures that make no claim: they go into sums and are compared with nothing
    checked: str = ""  # the one source whose findings are wanted, "" for those of all

    @property
    def audited(self) -> Sequence[str]:
        """The sources whose findings are wanted."""
        return (self.checked,) if self.checked else tuple(self.sources)

    @cached_property
    def witness_of(self) -> Mapping[str, str]:
        """Of sources that repeat one another the first, by source: worked out when somebody asks for it."""
        return self.find_witnesses()

    @cached_property
    def said(self) -> list[Statement]:
        """What the documents say, without the facts table."""
        return [s for s in self.statements if s.fact is None]

    @cached_property
    def claimed(self) -> dict[tuple[str, int], Statement]:
        """The figures that the documents state, by source and place; the first where one is stated of several."""
        stated = (s for s in reversed((*self.said, *self.left)) if s.claim.quantity is not None)
        return {(s.claim.source, s.claim.value_start): s for s in stated}

    @cached_property
    def by_source(self) -> dict[str, list[Statement]]:
        """What each document says, and its figures that make no claim."""
        found: dict[str, list[Statement]] = {}
        for s in (*self.said, *self.left):
            found.setdefault(s.claim.source, []).append(s)
        return found

    @cached_property
    def facts(self) -> dict[tuple[str, str], list[Statement]]:
        """The curated table, by chip and metric."""
        return group(s for s in self.statements if s.fact is not None)

    @cached_property
    def by_key(self) -> dict[tuple[str, str], list[Statement]]:
        """All that is said and known, by chip and metric."""
        return group(self.statements)

    def witnesses(self, statements: Iterable[Statement]) -> int:
        """How many independent sources stand behind statements."""
        return len({self.witness_of.get(s.claim.source, s.claim.source) for s in statements})


def group(statements: Iterable[Statement]) -> dict[tuple[str, str], list[Statement]]:
    """By chip and metric, in order; statements about nothing that is known are left out."""
    groups: dict[tuple[str, str], list[Statement]] = {}
    for statement in statements:
        if statement.chip:
            groups.setdefault(statement.key, []).append(statement)
    return groups


def place(domain: Domain, claim: Claim, role: Role, fact: Fact | None = None, table: int = 0) -> Statement:
    """`claim` as a statement: what its subject is made of, and how many of it."""
    chip, inside = made_of(domain, claim.subject)
    stated = claim.qualifier("count")
    scope = claim.qualifier("aggregation")
    if stated:
        count: int | None = int(stated)
    elif inside > 1:
        beyond = scope in _BEYOND_A_NODE and inside <= _MOST_IN_A_NODE  # a rack of DGX machines has more than one
        count = 1 if scope == "chip" else None if beyond else inside
    elif scope == "chip" or (scope == "die" and chip in domain.entities and domain.entities[chip].dies == 1):
        count = 1
    else:
        count = None
    return Statement(claim, role, chip, count, fact, table)


def made_of(domain: Domain, subject: str) -> tuple[str, int]:
    """The chip (not its variant) that `subject` is or is made of, and how many are in it; 1 where that is open."""
    entity = domain.entities.get(subject)
    return domain.chip_of(subject) or subject, entity.chips if entity is not None else 1


def is_comparative(s: Statement) -> bool:
    """True for a figure that sets one thing against another: "2.3x", "76% more"."""
    q = s.claim.quantity
    return q is not None and q.compares


def number_in_name(domain: Domain, subject: str) -> int | None:
    """The 8 of "v5p-8", which is taken for its chips; None for what is no slice, or has no number."""
    number = _LAST_NUMBER.search(domain.entities[subject].name) if domain.kind(subject) == "slice" else None
    return int(number[1]) if number is not None else None
