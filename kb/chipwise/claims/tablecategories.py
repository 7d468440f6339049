"""What the cells of a table say that is no figure: "HBM3" in a column "Memory type"."""

from __future__ import annotations

from collections.abc import Iterator

from chipwise.claims import voice
from chipwise.claims.categories import categories_of_cell
from chipwise.claims.grid import Grid
from chipwise.claims.model import Claim
from chipwise.claims.places import places
from chipwise.domain.model import Domain
from chipwise.types import Passage


def categories_of_table(domain: Domain, passage: Passage, grid: Grid, about: tuple[str, ...]) -> Iterator[Claim]:
    """The categories that the cells give to their one subject each; `about` is what the section is about."""
    for place in places(domain, grid, about):
        if len(place.subjects) != 1:
            continue
        row = passage.text[place.row.start : place.row.end]
        told = place.property, place.cell.text, place.cell.start
        for c in categories_of_cell(domain, place.subjects[0], *told, named=place.named):
            yield Claim(
                source=passage.source,
                passage=passage.ordinal,
                start=passage.start + place.row.start,
                end=passage.start + place.row.end,
                value_start=passage.start + c.start,
                value_end=passage.start + c.end,
                subject=place.subjects[0],
                metric=c.relation,
                object=c.object,
                polarity=c.polarity,
                qualifiers=c.qualifiers,
                attribution=voice.attribution(domain, place.cell.text, ())
                or voice.attribution(domain, row, passage.heading),
                doubt=c.doubt,
            )
