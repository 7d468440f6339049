"""Requests as one types them: "8k" tokens, "70B" parameters, a share of "10%", "$2.50" an hour; "" and None for what is open."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from chipwise.errors import NameUnknown, QuestionInvalid
from chipwise.figures.bindings import Sources
from chipwise.figures.llms import LanguageModel, find_model, named_model
from chipwise.figures.network import Binding
from chipwise.figures.solve import bind

_SUFFIXES = {"k": 1e3, "m": 1e6, "b": 1e9, "g": 1e9, "t": 1e12}
_OF_CONTEXT = {"k": 1024.0, "m": 1024.0**2}  # a context of "8k" has 8,192 tokens
_MOST = 1e30  # beyond all that could be meant; infinity and nan are refused with it


@dataclass(frozen=True)
class SizeRequest:
    """A model to run, or with `train` one to train."""

    model: str
    context: str = ""
    batch: int = 1
    formats: Sequence[str] = ()
    kv_format: str = "bf16"
    train: str = ""
    rank: int = 16
    target: str = ""
    seq: str = ""
    micro_batch: int = 1
    recompute: str = "selective"
    optimizer: str = "adamw"
    on: Sequence[str] = ()
    chips: int | None = None
    reserve: str = "10%"


@dataclass(frozen=True)
class TrainRequest:
    """A training run, one part of which is open."""

    model: str = ""
    tokens: str = ""
    on: str = ""
    chips: str = ""
    days: str = ""
    chip_hours: str = ""
    mfu: str = ""
    price: str = ""
    cost: str = ""
    pue: str = ""
    kwh_price: str = ""


@dataclass(frozen=True)
class ServeRequest:
    """A service."""

    model: str = ""
    on: str = ""
    chips: int | None = None
    batch: int | None = None
    context: str = ""
    format: str = "bf16"
    kv_format: str = "bf16"
    utilization: str = "100%"
    rate: str = ""
    price: str = ""
    token_cost: str = ""
    pue: str = ""
    kwh_price: str = ""
    reserve: str = "10%"


def count(text: str | float, what: str, suffixes: Mapping[str, float] = _SUFFIXES) -> float:
    """ "70B", "15T", "8k", "8,192" as a number above 0. Raises QuestionInvalid."""
    written = str(text).replace(",", "").replace("_", "").strip().lower()
    scale = suffixes.get(written[-1:], 1.0)
    try:
        value = float(written[:-1] if written[-1:] in suffixes else written) * scale
    except ValueError:
        value = 0.0
    if not 0 < value < _MOST:
        hint = "give a number above 0, such as 8192, 8k, 70B or 15T"
        raise QuestionInvalid(f"{text!r} is not a number of {what}", hint=hint)
    return value


def tokens(text: str | float) -> int:
    """A length of context: "8k" is 8,192, "1M" 1,048,576."""
    return max(1, round(count(text, "tokens", {**_SUFFIXES, **_OF_CONTEXT})))


def share(text: str | float, what: str, above: float = -1.0) -> float:
    """ "40%", "0.4" or 0.4 as a share from 0 to 1, and above a bound. Raises QuestionInvalid."""
    written = str(text).strip()
    try:
        value = float(written.removesuffix("%")) / (100 if written.endswith("%") else 1)
    except ValueError:
        value = -1.0
    if not 0 <= value <= 1 or value <= above:
        raise QuestionInvalid(f"{text!r} is not a value for the {what}", hint="give a share such as 40% or 0.4")
    return value


def amount(sources: Sources, name: str, text: str) -> Binding:
    """ "2.50", "$2.50" or "2.50 USD/hour" as a value of the variable with that id. Raises QuestionInvalid, NameUnknown."""
    variable = sources.network.variables[name]
    try:
        value: str | float = float(text.strip().removeprefix("$"))
    except ValueError:
        value = text
    found = bind(sources.domain, sources.network, variable, value)
    if not 0 < found.value.low <= found.value.high < _MOST:
        raise QuestionInvalid(f"{text!r} is not a value for the {variable.name}", hint="give an amount above 0")
    return found


def card_memory(sources: Sources, text: str) -> Binding | None:
    """ "24 GB" as the memory of one chip; None for what is no amount of memory."""
    found = sources.domain.unit_table.find_all(text) if text[:1].isdigit() else []
    dimension = sources.network.variables["memory"].dimension
    same = [q for q in found if q.dimension == dimension and q.start == 0 and q.end == len(text)]
    return amount(sources, "memory", text) if same else None


def one_of(kind: str, known: Iterable[str], names: Iterable[str]) -> None:
    """Raises NameUnknown for a name that is none of those that are known; "" is left out."""
    for name in names:
        if name and name not in known:
            raise NameUnknown(f"no {kind} is called {name!r}", hint=f"there are {', '.join(known)}")


def at_least_one(numbers: Mapping[str, int | None]) -> None:
    """Raises QuestionInvalid for a number below 1."""
    for name, number in numbers.items():
        if number is not None and number < 1:
            raise QuestionInvalid(f"{name} cannot be {number}", hint="give 1 or more")


@dataclass(frozen=True)
class Sized:
    """A model of the table, or a bare number of parameters."""

    name: str
    parameters: float
    model: LanguageModel | None = None

    @property
    def title(self) -> str:
        """What it is, in a line."""
        m, billions = self.model, f"{self.parameters / 1e9:,.4g} billion parameters"
        if m is None:
            return billions
        kv = "MLA" if m.attention == "mla" else f"{m.kv_heads} KV heads"
        active = f" ({m.active_parameters / 1e9:,.3g} billion active)" if m.experts else ""
        return f"{m.name}: {billions}{active}, {m.layers} layers, hidden size {m.hidden:,}, {m.heads} heads, {kv}"


def sized(name: str) -> Sized:
    """What a name or a number of parameters stands for. Raises NameUnknown, with names that come near."""
    model = find_model(name)
    if model is None:
        try:
            return Sized(name, count(name, "parameters"))
        except QuestionInvalid:
            model = named_model(name)  # raises
    return Sized(model.name, float(model.parameters), model)
