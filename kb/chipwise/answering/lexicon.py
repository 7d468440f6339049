"""The words of a question that name nothing: what operators.toml says of them, and which of them carry nothing at all."""

from __future__ import annotations

from chipwise.domain.model import Domain
from chipwise.domain.phrasebook import Mention
from chipwise.domain.records import Operator

ASKS = (
    "question",
    "compare",
    "rank",
    "opener",
    "relate",
)  # what may begin a metric's wording: "how much memory", "most FLOPS"


def found_in(text: str, domain: Domain) -> list[tuple[Mention, tuple[Operator, ...]]]:
    """The operators in `text`, longest first and never overlapping, each with all that its words may do."""
    return [(m, tuple(domain.operators[i] for i in m.ids)) for m in domain.find_operators(text)]


def leading(text: str, domain: Domain) -> tuple[int, tuple[Operator, ...]]:
    """Where the words end that ask for what follows them in `text`, and what they do; (0, ()) where it begins with none."""
    found = found_in(text, domain)
    if not found or found[0][0].start != 0:
        return 0, ()
    mention, operators = found[0]
    asking = tuple(o for o in operators if o.kind in ASKS)
    return (mention.end, asking) if asking else (0, ())


def says_more(text: str, domain: Domain) -> bool:
    """True where every word of `text` is an operator's, and of one that carries something: "faster", "clouds offer"."""
    kinds = {o.kind for _, operators in found_in(text, domain) for o in operators[:1]}
    return says_nothing(text, domain) and bool(kinds - {"filler", "verb", "hint"})


def says_nothing(text: str, domain: Domain) -> bool:
    """True where every word of `text` is an operator's: "are in" of "how many GPUs are in"."""
    covered = sum(m.end - m.start for m in domain.find_operators(text))
    return covered >= len("".join(text.split()))
