"""A figure of several that is not as many times what one has (CW403): the finding, with the arithmetic shown.

by these: 8 x 80 GB = 640 GB
claimed: 760 GB
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from chipwise.audit.amounts import FAR_OFF
from chipwise.audit.casebook import Casebook, Statement
from chipwise.audit.drafting import draft, figure, name, place
from chipwise.audit.steps import number
from chipwise.types import Finding

TOLERANCE = 0.03  # a total is rounded more often than what it is made of


@dataclass(frozen=True, slots=True)
class Product:
    """What `whole` should be: `count` of what `one` has, as `counted` says where there is a statement that does."""

    whole: Statement
    one: Statement
    count: int
    counted: Statement | None = None

    @property
    def made(self) -> float:
        """The figure that it should be, in base units."""
        return self.count * self.one.middle

    @property
    def is_far_off(self) -> bool:
        """True where no rounding explains what is claimed."""
        return not 1 / FAR_OFF < self.whole.middle / self.made < FAR_OFF

    @property
    def statements(self) -> Sequence[Statement]:
        """All of them once, what is claimed first."""
        return tuple(dict.fromkeys(s for s in (self.whole, self.one, self.counted) if s is not None))


def draft_product(book: Casebook, product: Product, rule: str, severity: str, of: str, *, unit_id: str = "") -> Finding:
    """The finding for a figure that breaks `rule`; `of` says what is counted ("chips"), `unit_id` what it is in, if not in the claim's."""
    whole, one = product.whole, product.one
    quantity, each = whole.claim.quantity, one.claim.quantity
    unit = book.domain.units.get(unit_id or quantity.unit) if quantity is not None else None
    scale, written = (unit.scale, unit.id) if unit is not None else (1.0, "")
    # "8 x 80 GB" is written as a product itself
    written_out = each is not None and each.count > 1 and figure(book, one).startswith(f"{product.count} ")
    factors = figure(book, one) if written_out else f"{product.count} x {figure(book, one)}"
    places = ", ".join(dict.fromkeys(place(book, s) for s in (product.counted, one) if s is not None))
    about = next((s.claim.subject for s in (whole, one) if s.claim.subject), "")
    lines = [
        rule,
        f"by these: {factors} = {f'{number(product.made / scale)} {written}'.strip()}   [{places}]",
        f"claimed: {figure(book, whole)}   [{place(book, whole)}]",
    ]
    title = f"{f'{name(book, about)}: ' if about else ''}{figure(book, whole)} is not {factors}"
    hint = f"see which of these figures is off, or is of another number of {of}"
    return draft(book, "CW403", "contradiction", severity, title, "\n".join(lines), product.statements, help=hint)
