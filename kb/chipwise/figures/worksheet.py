"""What `size` and `plan` give: lines of arithmetic with their results, what is assumed, what is cited, what is missing.

    weights in BF16: 70.6 billion parameters x 2 B = 141 GB

A line is made from an equation of the network wherever there is one.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from chipwise.claims.model import Citation, Fact
from chipwise.domain.formulas import Convention, Equation
from chipwise.errors import QuestionInvalid
from chipwise.figures.amounts import interval_text
from chipwise.figures.bindings import Sources
from chipwise.figures.derivation import Binding, Derivation, Step, arithmetic
from chipwise.figures.network import Network
from chipwise.numbers.intervals import Interval

_SUFFIXES = {"k": 1e3, "m": 1e6, "b": 1e9, "g": 1e9, "t": 1e12}
DIGITS = 3  # of what rests on assumptions
_OF_CONTEXT = {"k": 1024.0, "m": 1024.0**2}  # a context of "8k" has 8,192 tokens


@dataclass(frozen=True, slots=True)
class Line:
    """One result: what it is, its arithmetic as text, its value in `unit`, and how that is printed."""

    id: str
    name: str
    says: str
    low: float
    high: float
    unit: str
    text: str


@dataclass(frozen=True, slots=True)
class Reference:
    """What a number in brackets stands for."""

    n: int
    source: str
    citation: Citation


@dataclass(frozen=True, slots=True)
class Fit:
    """How many of a chip hold something, from the fewest to the most: by the arithmetic, and `offered`, what one can have.

    The most are None where no number does without dividing what every chip has.
    """

    chip: str
    name: str
    of: str
    memory: str
    least: tuple[int, int | None]
    offered: tuple[int, int | None]


@dataclass(frozen=True, slots=True)
class Worksheet:
    """What follows from what was given. `missing` says what does not, and why."""

    command: str
    title: str
    inputs: Mapping[str, Any]
    lines: tuple[Line, ...]
    fits: tuple[Fit, ...]
    notes: tuple[str, ...]
    assumptions: tuple[str, ...]
    references: tuple[Reference, ...]
    missing: tuple[str, ...]
    answers: tuple[Line, ...] = ()  # the lines that were wanted, where the others lead to them

    @property
    def follows(self) -> bool:
        """False where something that was asked for does not follow."""
        return bool(self.lines) and not self.missing


@dataclass
class Draft:
    """A worksheet in the making."""

    sources: Sources
    lines: list[Line] = field(default_factory=list)
    fits: list[Fit] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    assumed: dict[str, None] = field(default_factory=dict)
    cited: dict[tuple[str, int, str], Citation] = field(default_factory=dict)
    missing: list[str] = field(default_factory=list)

    @property
    def network(self) -> Network:
        """The network of equations."""
        return self.sources.network

    def finished(self, command: str, title: str, inputs: Mapping[str, Any], wanted: Collection[str] = ()) -> Worksheet:
        """The worksheet; its answers are the lines whose id, up to a dot, is wanted."""
        references = tuple(Reference(n, key[0], c) for n, (key, c) in enumerate(self.cited.items(), start=1))
        return Worksheet(
            command,
            title,
            inputs,
            lines=tuple(self.lines),
            fits=tuple(self.fits),
            notes=tuple(self.notes),
            assumptions=tuple(self.assumed),
            references=references,
            missing=tuple(self.missing),
            answers=tuple(line for line in self.lines if line.id.partition(".")[0] in wanted),
        )

    def assume(self, text: str, source: str = "", quote: str = "") -> None:
        """Something that nobody gave, printed once."""
        self.assumed.setdefault(text + self.mark(source, quote))

    def convention(self, convention: Convention) -> None:
        """A convention of the network as an assumption."""
        self.assume(convention.says, convention.source, convention.quote)

    def mark(self, source: str, quote: str) -> str:
        """ " [2]" for words of a source; "" where the knowledge base does not hold them."""
        info = self.sources.store.find_source(source) if source else None
        for stored in self.sources.store.source_passages(source) if info is not None else ():
            at = stored.passage.text.find(quote)
            if at >= 0 and info is not None:
                line = stored.passage.line + stored.passage.text.count("\n", 0, at)
                return self._mark(
                    source, Citation(info.title, info.origin, info.publisher, info.published, quote, line)
                )
        return ""

    def cite(self, fact: Fact) -> str:
        """ " [1]" for a fact."""
        return self._mark(fact.claim.source, fact.citation)

    def note_reference(self, source: str, citation: Citation) -> str:
        """ " [1]" for something outside of the sources, such as a row of the table of models."""
        return self._mark(source, citation)

    def _mark(self, source: str, citation: Citation) -> str:
        key = (source, citation.line, citation.quote)
        self.cited.setdefault(key, citation)
        return f" [{[*self.cited].index(key) + 1}]"

    def law(self, equation: Equation) -> str:
        """The mark of what an equation rests on, "" where it goes without."""
        return self.mark(equation.source, equation.quote) if equation.source else ""

    def shown(self, binding: Binding) -> str:
        """A value as the arithmetic prints it, with its mark where it is a fact."""
        text = binding.text or self.amount(binding.variable, binding.value)
        return text + (self.cite(binding.origin) if isinstance(binding.origin, Fact) else "")

    def product(self, id_: str, name: str, equation: Equation, bindings: Sequence[Binding]) -> Interval:
        """One equation worked out as a line: "name: 2 x 3 B = 6 B"; gives its value, in base units."""
        wanted = equation.left
        derivation = Derivation(self.network, wanted, (Step(equation, wanted),), {b.variable: b for b in bindings}, 0.0)
        operands = {b.variable: self.shown(b) for b in bindings}
        self.add(id_, name, arithmetic(equation, wanted, operands, equation.shows), wanted, derivation.value)
        return derivation.value

    def add(self, id_: str, name: str, sums: str, variable: str, value: Interval, unit: str = "") -> None:
        """A line whose value is one of a variable, in base units."""
        text = self.amount(variable, value, unit)
        first = self.network.variables[variable].units
        shown = unit or (first[0] if first else "")
        scale = self.network.scales[shown] if shown else 1.0
        says = f"{name}: {sums} = {text}" if sums else f"{name}: {text}"
        self.lines.append(Line(id_, name, says, value.low / scale, value.high / scale, shown, text))

    def amount(self, variable: str, value: Interval, unit: str = "") -> str:
        """A value as it is printed: three digits, which is more than most assumptions are worth."""
        shown = replace(self.network.variables[variable], digits=DIGITS)
        return interval_text(value, shown, self.network.scales, unit, short=True)


def count(text: str | float, what: str, suffixes: Mapping[str, float] = _SUFFIXES) -> float:
    """ "70B", "15T", "8k", "8,192" as a number of something above 0. Raises QuestionInvalid."""
    written = str(text).replace(",", "").replace("_", "").strip().lower()
    scale = 1.0
    if written[-1:] in suffixes:
        scale = suffixes[written[-1]]
        written = written[:-1]
    try:
        value = float(written) * scale
    except ValueError:
        value = 0.0
    if not 0 < value < 1e30:  # noqa: PLR2004 (beyond all that could be meant, infinity and nan too)
        raise QuestionInvalid(
            f"{text!r} is no number of {what}", hint="give a number above 0, such as 8192, 8k, 70B or 15T"
        )
    return value


def tokens(text: str | float, what: str = "tokens") -> int:
    """A length of context: "8k" is 8,192, "1M" 1,048,576."""
    return max(1, round(count(text, what, {**_SUFFIXES, **_OF_CONTEXT})))


def share(text: str | float, what: str) -> float:
    """ "40%", "0.4" or 0.4 as a share between 0 and 1, 1 included. Raises QuestionInvalid."""
    written = str(text).strip()
    try:
        value = float(written.removesuffix("%")) / (100 if written.endswith("%") else 1)
    except ValueError:
        value = -1.0
    if not 0 <= value <= 1:
        raise QuestionInvalid(f"{text!r} is no {what}", hint="give a share such as 40% or 0.4")
    return value
