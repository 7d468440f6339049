"""The words of a question that name nothing: what operators.toml says of them, and which of them carry nothing at all."""

from __future__ import annotations

from collections.abc import Iterable

from chipwise.domain.model import Domain
from chipwise.domain.phrasebook import Mention
from chipwise.domain.records import Operator

FILLER = "filler"
ASKS = (
    "question",
    "compare",
    "rank",
    "opener",
    "relate",
)  # what may begin a metric's wording: "how much memory", "most FLOPS"


class Lexicon:
    """The operators of one domain."""

    def __init__(self, domain: Domain) -> None:
        self._domain = domain

    def find(self, text: str) -> list[tuple[Mention, tuple[Operator, ...]]]:
        """The operators in `text`, longest first and never overlapping, each with all that its words may do."""
        return [(m, self.of(m.ids)) for m in self._domain.find_operators(text)]

    def of(self, ids: Iterable[str]) -> tuple[Operator, ...]:
        """The operators of some ids."""
        return tuple(self._domain.operators[i] for i in ids)

    def leading(self, text: str) -> tuple[int, tuple[Operator, ...]]:
        """Where the words end that ask for what follows them in `text`, and what they do; (0, ()) where it begins with none."""
        found = self.find(text)
        if not found or found[0][0].start != 0:
            return 0, ()
        mention, operators = found[0]
        asking = tuple(o for o in operators if o.kind in ASKS)
        return (mention.end, asking) if asking else (0, ())

    def says_more(self, text: str) -> bool:
        """True where every word of `text` is an operator's, and of one that carries something: "faster", "clouds offer"."""
        kinds = {o.kind for _, operators in self.find(text) for o in operators[:1]}
        return self.says_nothing(text) and bool(kinds - {FILLER, "verb", "hint"})

    def says_nothing(self, text: str) -> bool:
        """True where every word of `text` is an operator's: "are in" of "how many GPUs are in"."""
        covered = sum(m.end - m.start for m, _ in self.find(text))
        return covered >= len("".join(text.split()))
