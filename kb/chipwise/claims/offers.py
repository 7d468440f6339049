"""When, and on which terms, the prices of a text are asked, where it says so once for all of them.

"On-demand list prices, September 2026:"        of the table below it
"All of this is on demand, as of March 2026."   of what follows below the same heading
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from chipwise import patterns as re
from chipwise.claims.dates import MONTH, read_dates
from chipwise.claims.model import Claim
from chipwise.claims.scene import Scene
from chipwise.domain.model import Domain
from chipwise.types import Passage

_YEAR = re.compile(r"\b20[12]\d\b")
_PRICES = re.compile(
    r"\b(?:prices?|priced|pricing|price\slists?|list(?:ed)?|rates?|costs?|on[\s-]demand|quot(?:ed?|ation)|survey)\b",
    re.I,
)
_TERMS, _AS_OF = "price_terms", "as_of"
_LISTED = "on-demand"


@dataclass
class Offers:
    """What the text has said of its prices so far, below one heading: axes with their values."""

    domain: Domain
    title: str = ""
    heading: tuple[str, ...] | None = None
    stated: dict[str, str] = field(default_factory=dict)

    def enter(self, passage: Passage) -> None:
        """Begins a passage; what the title says, a heading below it may say otherwise."""
        if passage.heading != self.heading:
            self.heading, self.stated = passage.heading, {}
            for part in (self.title, *passage.heading):
                self.stated |= self._told(part)
        self.stated |= self._told(passage.context)

    def follow(self, scene: Scene) -> None:
        """Notes what a sentence says of prices without giving one; one that gives a price says it of that."""
        if not any(q.dimension.startswith("price") for q in scene.quantities):
            told = self._told(scene.text)
            # "spot is cheaper" says nothing of the prices behind it, "we looked up on-demand prices" does
            of_all = _AS_OF in told or scene.text.rstrip(" *_").endswith(":") or told.get(_TERMS) == _LISTED
            if not of_all:
                told.pop(_TERMS, None)
            self.stated |= told

    def applied(self, claim: Claim, passage: Passage) -> Claim:
        """A price with what neither it nor anything in its sentence or row says of itself."""
        metric, q = self.domain.metrics.get(claim.metric), claim.quantity
        if not self.stated or metric is None or metric.nature != "priced" or q is None or q.compares:
            return claim
        own = dict(claim.qualifiers)
        text = passage.text[claim.start - passage.start : claim.end - passage.start]
        told = {i.partition("=")[0] for m in self.domain.find_qualifiers(text) for i in m.ids}
        told |= {_AS_OF} if _YEAR.search(text) else set()
        more = {x: v for x, v in self.stated.items() if x in metric.qualifiers and x not in own and x not in told}
        return replace(claim, qualifiers=tuple(sorted((own | more).items()))) if more else claim

    def _told(self, text: str) -> dict[str, str]:
        """The one month and the one kind of terms that a text on prices names."""
        if not _PRICES.search(text):
            return {}
        dates = {date.iso[:MONTH] for date in read_dates(text) if len(date.iso) >= MONTH}
        named = [
            {i.partition("=")[2] for i in m.ids if i.startswith(f"{_TERMS}=")}
            for m in self.domain.find_qualifiers(text)
        ]
        readings = list(filter(None, named))
        terms = set.intersection(*readings) if readings else set[str]()  # "on-demand list prices"
        told = ((_AS_OF, dates), (_TERMS, terms))
        return {axis: values.pop() for axis, values in told if len(values) == 1}
