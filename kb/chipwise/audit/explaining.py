"""A breach of a law in words: its title, and each step with where its figures stand: in the source, or in the facts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from chipwise.audit.book import Book
from chipwise.audit.stated import Reading
from chipwise.audit.writer import figure, name, place
from chipwise.figures.format import times
from chipwise.figures.solve import Law
from chipwise.numbers.intervals import Interval

Chosen = Mapping[str, Reading]  # by variable


@dataclass(frozen=True, slots=True)
class Breach:
    """Figures that break a law in the reading that is kindest to them: of one chip, or of two.

    `claimed` is None where two sides should be one, and where a share is more than all.
    """

    law: Law
    code: str
    chips: tuple[str, ...]
    sides: tuple[Chosen, ...]
    claimed: Reading | None
    off: float  # how many times the sides are apart, as written

    @property
    def readings(self) -> list[Reading]:
        """The claimed one first."""
        first = [self.claimed] if self.claimed is not None else []
        return [*first, *(r for side in self.sides for r in side.values() if r is not self.claimed)]


def title(book: Book, breach: Breach) -> str:
    """ "NVIDIA H100: achieved compute does not follow from peak compute and MFU"."""
    subjects = " and ".join(name(book, chip) for chip in breach.chips)
    rest = [brief(book, r) for r in breach.sides[0].values() if r is not breach.claimed]
    if breach.claimed is None:
        return f"{subjects}: {', '.join(rest[:-1])} and {rest[-1]} are not consistent for one workload"
    return f"{subjects}: {brief(book, breach.claimed)} does not follow from {' and '.join(rest)}"


def brief(book: Book, reading: Reading) -> str:
    """What a reading is of, by its metric; of what any figure may be, by the variable."""
    full = name(book, reading.statement.claim.metric)
    return full[full.index("(") + 1 : -1] if full.endswith(")") and "(" in full else full


def explain(book: Book, breach: Breach) -> Iterator[str]:
    """The law, each step with its places, and what it rests on."""
    law = breach.law
    yield law.steps[-1].equation.says
    made = []
    for chip, side in zip(breach.chips, breach.sides, strict=True):
        of = f"{name(book, chip)}: "
        derivation = law.derivation({v: (r.nominal, _text(book, r)) for v, r in side.items()})
        made.append(derivation.value)
        *before, last = derivation.lines()
        yield from (f"{of}{line}" for line in before)
        yield f"{of}{last}   {_places(book, [r for r in side.values() if r is not breach.claimed])}"
    if breach.claimed is not None:
        ratio = made[0] / made[1]
        yield f"from these: {' to '.join(dict.fromkeys(map(times, (ratio.low, ratio.high))))}x"
        yield f"claimed: {_text(book, breach.claimed)}   {_places(book, [breach.claimed])}"
    if breach.claimed is None:
        yield from _impossible(book, breach, made)
    yield from _grounds(book, breach)


def _text(book: Book, reading: Reading) -> str:
    """A figure as written, divided by the chips that it is of: "3,672 TFLOPS / 8"."""
    text = figure(book, reading.statement)
    return f"{text} / {reading.count}" if reading.count > 1 else text


def _places(book: Book, readings: Iterable[Reading]) -> str:
    """Where figures stand: "[note.md:12, facts nvidia.csv:12]"."""
    found = (f"facts {place(book, r.statement)}" if r.statement.fact else place(book, r.statement) for r in readings)
    return f"[{', '.join(dict.fromkeys(found))}]"


def _impossible(book: Book, breach: Breach, made: list[Interval]) -> Iterator[str]:
    """The share that would have to be more than all for two sides to be one."""
    sides = zip(breach.chips, breach.sides, made, reversed(made), strict=True)
    for chip, r, off in ((c, r, other.middle / own.middle) for c, side, own, other in sides for r in side.values()):
        if r.variable.most and (needed := r.nominal.middle * off) > 1:
            yield f"for both to hold, the {brief(book, r)} of {name(book, chip)} would have to be {needed:.1%}"


def _grounds(book: Book, breach: Breach) -> Iterator[str]:
    """What was taken from elsewhere than the source's words on the subject itself."""
    for chip, side in zip(breach.chips, breach.sides, strict=True):
        for r in side.values():
            if r.statement.fact is not None:
                yield f"the {brief(book, r)} of {name(book, r.statement.claim.subject)} is from the facts table"
            elif r.line:
                yield f"the source gives the {brief(book, r)} for {name(book, r.line)} in general; here it is used for {name(book, chip)}"
    yield "this assumes that both have the same workload"
