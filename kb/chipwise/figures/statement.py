"""A claim or a fact as it is compared: of which chip it is in the end, and of how many.

"An 8-GPU H100 server costs $12-$15 hourly"  ->  about nvidia-h100, of 8 chips, 12 to 15 USD/hour
"DGX H100: 640 GB"                           ->  about nvidia-h100, of 8 chips, 640 GB
"""

from __future__ import annotations

from collections.abc import Iterable

from chipwise.claims.model import DOUBTED, Claim, Fact, Modality
from chipwise.domain.model import Domain
from chipwise.numbers.quantity import Quantity
from chipwise.types import Role
from chipwise.values import dataclass

RECORDS = (Role.TABLE, Role.DATA)  # whose cells say what a thing has
_BEYOND_A_NODE = ("rack", "pod", "cluster")
_MOST_IN_A_NODE = 16
_NOTHING = Quantity(0, 0, "", "", 0.0, 0.0)
StatementKey = tuple[str, str]  # the chip, and the metric


@dataclass(frozen=True, slots=True)
class Statement:
    """A claim in its surroundings; `fact` where the curated table makes it.

    `chip` is the chip that it is about in the end, a line or a model where it is about no chip, "" where the text does
    not tell. `count` is how many chips the figure is of: 1 for one chip, None where the text does not tell. `table` is
    the first passage of the table that it stands in, 0 outside of one.
    """

    claim: Claim
    role: Role
    chip: str
    count: int | None
    fact: Fact | None = None
    table: int = 0

    @property
    def key(self) -> StatementKey:
        """The chip and the metric, which claims must share to be compared at all."""
        return self.chip, self.claim.metric

    @property
    def asserted(self) -> bool:
        """True where its source stands behind it: as `stands`, and it is no reader's comment, advertising or listing."""
        return self.role.speaks_for_the_source and self.stands

    @property
    def stands(self) -> bool:
        """True for what is put as true by whoever says it: no guess, no example, no figure called wrong, none that may be misread."""
        return (
            (self.claim.polarity or self.claim.quantity is None)  # "does not have 141 GB" gives no figure
            and self.claim.modality is not Modality.HYPOTHETICAL
            and self.claim.attribution != DOUBTED
            and not self.claim.doubt
            and not self.deprecated
        )

    @property
    def recorded(self) -> bool:
        """True for a cell of a table or of data that is not called measured: what stands there is what a thing has."""
        measured = self.claim.modality is Modality.MEASURED or self.claim.qualifier("basis") not in ("", "peak")
        return self.role in RECORDS and not measured and not self.comparative

    @property
    def deprecated(self) -> bool:
        """True for a figure that the table has as a known wrong one."""
        return self.fact is not None and self.fact.rank == "deprecated"

    @property
    def preferred(self) -> bool:
        """True for a figure that the table stands behind."""
        return self.fact is not None and self.fact.rank == "preferred"

    @property
    def quantity(self) -> Quantity:
        """The figure; of a category one of no dimension."""
        return self.claim.quantity if self.claim.quantity is not None else _NOTHING

    @property
    def low(self) -> float:
        """The least value that the words allow, in the dimension's base unit."""
        return self.quantity.low

    @property
    def high(self) -> float:
        """The greatest value that the words allow."""
        return self.quantity.high

    @property
    def middle(self) -> float:
        """The figure as one number."""
        return self.quantity.middle

    @property
    def comparative(self) -> bool:
        """True for a figure that sets one thing against another: "2.3x", "76% more"."""
        return self.quantity.compares

    @property
    def scope(self) -> str:
        """What the text says that the figure is of: "chip", "node"; "" where it does not tell."""
        return self.claim.qualifier("aggregation")

    @property
    def scoped(self) -> bool:
        """True where the text tells of how many chips the figure is."""
        return bool(self.scope or self.claim.qualifier("count"))


def place(domain: Domain, claim: Claim, role: Role, fact: Fact | None = None, table: int = 0) -> Statement:
    """`claim` as a statement."""
    chip, inside = made_of(domain, claim.subject)
    stated, scope = claim.qualifier("count"), claim.qualifier("aggregation")
    count: int | None = None
    if stated:
        count = int(stated)
    elif inside > 1:
        beyond = scope in _BEYOND_A_NODE and inside <= _MOST_IN_A_NODE  # a rack of DGX machines has more than one
        count = 1 if scope == "chip" else None if beyond else inside
    elif scope == "chip" or (scope == "die" and chip in domain.entities and domain.entities[chip].dies == 1):
        count = 1
    return Statement(claim, role, chip, count, fact, table)


def made_of(domain: Domain, subject: str) -> tuple[str, int]:
    """The chip (not its variant) that `subject` is or is made of, and how many are in it; 1 where that is open."""
    entity = domain.entities.get(subject)
    return domain.chip_of(subject) or subject, entity.chips if entity is not None else 1


def group(statements: Iterable[Statement]) -> dict[StatementKey, list[Statement]]:
    """By chip and metric, in order; statements about nothing that is known are left out."""
    groups: dict[StatementKey, list[Statement]] = {}
    for statement in statements:
        if statement.chip:
            groups.setdefault(statement.key, []).append(statement)
    return groups
