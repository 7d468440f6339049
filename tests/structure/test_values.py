"""Our frozen dataclasses behave as the standard library's."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from collections.abc import Callable
from typing import Any

import pytest

from chipwise.claims.model import Key, Scope
from chipwise.types import Passage, Role
from chipwise.values import dataclass

Maker = Callable[..., Any]
MAKERS = (dataclass, dataclasses.dataclass)


def made(maker: Maker, *, slots: bool = True) -> Any:
    """One class of all kinds of fields, as `maker` makes it."""

    @maker(frozen=True, slots=slots)
    class Chip:
        """A chip."""

        name: str
        cores: int = 1
        notes: list[str] = dataclasses.field(default_factory=list, compare=False)
        hidden: str = dataclasses.field(default="x", repr=False)
        seen: int = dataclasses.field(default=7, init=False)

        def __post_init__(self) -> None:
            if self.cores < 1:
                raise ValueError("no cores")

    Chip.__qualname__ = "Chip"
    return Chip


@pytest.mark.parametrize("slots", [True, False])
def test_a_class_says_and_equals_what_the_standard_librarys_does(slots: bool) -> None:
    ours, theirs = (made(maker, slots=slots) for maker in MAKERS)
    for chip in (ours, theirs):
        assert chip("a") == chip("a", 1, ["n"])
        assert chip("a") != chip("a", 2)
        assert chip("a") != "a"
        assert hash(chip("a", notes=[])) == hash(chip("a", notes=["n"]))
        assert dataclasses.replace(chip("a"), cores=3) == chip("a", 3)
        assert chip("a").notes is not chip("a").notes
    assert repr(ours("a", 2, ["n"])) == repr(theirs("a", 2, ["n"]))
    assert hash(ours("a")) == hash(theirs("a"))
    assert dataclasses.asdict(ours("a")) == dataclasses.asdict(theirs("a"))
    assert ours.__match_args__ == theirs.__match_args__
    assert hasattr(ours("a"), "__dict__") is hasattr(theirs("a"), "__dict__") is not slots


@pytest.mark.parametrize("maker", MAKERS)
def test_a_value_can_be_neither_changed_nor_made_wrongly(maker: Maker) -> None:
    chip = made(maker)
    with pytest.raises(dataclasses.FrozenInstanceError):
        chip("a").name = "b"
    with pytest.raises(dataclasses.FrozenInstanceError):
        del chip("a").name
    with pytest.raises(TypeError):
        chip()
    with pytest.raises(TypeError):
        chip("a", seen=1)
    with pytest.raises(ValueError, match="no cores"):
        chip("a", cores=0)


def test_what_a_class_defines_itself_stays() -> None:
    @dataclass(frozen=True, slots=True)
    class Loud:
        name: str

        def __repr__(self) -> str:
            return self.name.upper()

    assert repr(Loud("a")) == "A"


def test_a_subclass_has_its_bases_fields_before_its_own() -> None:
    @dataclass(frozen=True)
    class Base:
        name: str

    @dataclass(frozen=True)
    class Below(Base):
        size: int = 2

    base, below = Base("a"), Below("a")
    assert (below.name, below.size) == ("a", 2)
    assert base != below
    assert Base("b").name == "b"


@pytest.mark.parametrize(
    "value", [Key("h100", "memory", Scope("chip", 1)), Passage("s", 1, 0, 2, 1, Role.BODY, (), None, "it", "", ())]
)
def test_values_go_through_pickle_and_copy(value: object) -> None:
    assert pickle.loads(pickle.dumps(value)) == copy.deepcopy(value) == copy.copy(value) == value  # noqa: S301
