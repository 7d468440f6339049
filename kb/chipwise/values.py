"""Frozen dataclasses whose methods are written when they are first called.

    from chipwise.values import dataclass

The standard library writes six functions for each class when its module is loaded. A question loads some
140 such classes, which is half of what loading our modules takes, and makes instances of a part of them.
Everything else is theirs: `fields`, `replace` and `asdict` work, and so do slots, defaults and inheritance.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from typing import Any, TypeVar, dataclass_transform

T = TypeVar("T")

_ABSENT: Any = object()


@dataclass_transform(field_specifiers=(dataclasses.field,))
def dataclass(*, frozen: bool = False, slots: bool = False) -> Callable[[type[T]], type[T]]:
    """As `dataclasses.dataclass`, for frozen classes; one with keyword-only fields or `InitVar` is theirs to make."""
    if not frozen:
        return dataclasses.dataclass(slots=slots)

    def made_of(cls: type[T]) -> type[T]:
        made: Any = dataclasses.dataclass(init=False, repr=False, eq=False, slots=slots)(cls)
        for name, written in _METHODS.items():
            if cls.__dict__.get(name) is None:
                setattr(made, name, _later(made, name, written))
        made.__setattr__ = made.__delattr__ = _refuse
        if slots:
            made.__getstate__, made.__setstate__ = _state, _restore
        return made  # type: ignore[no-any-return]

    return made_of


def _later(made: Any, name: str, written: Callable[[Any], tuple[str, dict[str, Any]]]) -> Callable[..., Any]:
    """A method that puts the one of that name in its own place when it is first called."""

    def first(self: Any, *arguments: Any, **named: Any) -> Any:
        text, known = written(made)
        exec(text, known)  # noqa: S102 (names and defaults of our own classes, as in the standard library)
        method = known[name]
        method.__qualname__ = f"{made.__qualname__}.{name}"
        setattr(made, name, method)
        return method(self, *arguments, **named)

    return first


def _written_init(made: Any) -> tuple[str, dict[str, Any]]:
    known: dict[str, Any] = {"put": object.__setattr__, "absent": _ABSENT}
    arguments, lines = [], []
    for field in dataclasses.fields(made):
        name, default, factory = field.name, f"default_{field.name}", field.default_factory
        if factory is not dataclasses.MISSING:
            known[default] = factory
            arguments += [f"{name}=absent"] if field.init else []
            value = f"{default}() if {name} is absent else {name}" if field.init else f"{default}()"
        elif field.default is not dataclasses.MISSING:
            known[default] = field.default
            arguments += [f"{name}={default}"] if field.init else []
            value = name if field.init else default
        else:
            arguments.append(name)
            value = name
        lines.append(f"    put(self, {name!r}, {value})")
    lines += ["    self.__post_init__()"] if hasattr(made, "__post_init__") else []
    return "\n".join((f"def __init__({', '.join(('self', *arguments))}):", *(lines or ["    pass"]))), known


def _written_equal(made: Any) -> tuple[str, dict[str, Any]]:
    names = [field.name for field in dataclasses.fields(made) if field.compare]
    mine, others = (f"({''.join(f'{one}.{name}, ' for name in names)})" for one in ("self", "other"))
    text = f"def __eq__(self, other):\n    if other.__class__ is self.__class__:\n        return {mine} == {others}"
    return f"{text}\n    return NotImplemented", {}


def _written_hash(made: Any) -> tuple[str, dict[str, Any]]:
    hashed = (f.name for f in dataclasses.fields(made) if (f.compare if f.hash is None else f.hash))
    return f"def __hash__(self):\n    return hash(({''.join(f'self.{name}, ' for name in hashed)}))", {}


def _written_repr(made: Any) -> tuple[str, dict[str, Any]]:
    shown = ", ".join(f"{f.name}={{self.{f.name}!r}}" for f in dataclasses.fields(made) if f.repr)
    return f'def __repr__(self):\n    return f"{{self.__class__.__qualname__}}({shown})"', {}


_METHODS = {
    "__init__": _written_init,
    "__eq__": _written_equal,
    "__hash__": _written_hash,
    "__repr__": _written_repr,
}


def _refuse(_self: object, name: str, _value: object = None) -> None:
    raise dataclasses.FrozenInstanceError(f"cannot change field {name!r}")


def _names(self: Any) -> Iterator[str]:
    return (field.name for field in dataclasses.fields(self))


def _state(self: Any) -> list[Any]:
    return [getattr(self, name) for name in _names(self)]


def _restore(self: Any, state: list[Any]) -> None:
    for name, value in zip(_names(self), state, strict=True):
        object.__setattr__(self, name, value)
