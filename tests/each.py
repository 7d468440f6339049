"""A test that holds for each of many cases: one test, which names every case that fails."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import pytest

_SHOWN = 20  # failures in full; of the others only the names

Cases = Iterable[Any] | Callable[[], Iterable[Any]]


def each(names: str, cases: Cases, *, name: Callable[[Any], object] = repr) -> Callable[[Any], Any]:
    """Calls the test for each case and fails once, with the name of each case that failed and why.

    `names` are the test's parameters that a case fills, as for `parametrize`; the others stay fixtures.
    `cases` is called when the test runs where collecting it would read files. A temporary folder or a
    monkeypatch is one for all cases.
    """
    parameters = [part.strip() for part in names.split(",")]

    def decorate(test: Callable[..., None]) -> Callable[..., None]:
        signature = inspect.signature(test)

        @functools.wraps(test)
        def run(*of_class: object, **fixtures: object) -> None:
            failures = []
            every = list(cases() if callable(cases) else cases)
            assert every, "there is no case"
            for case in every:
                values = [case] if len(parameters) == 1 else case
                try:
                    test(*of_class, **fixtures, **dict(zip(parameters, values, strict=True)))
                except (Exception, pytest.fail.Exception) as error:
                    reason = str(error) if isinstance(error, AssertionError) else f"{type(error).__name__}: {error}"
                    failures.append(f"{name(case)}: {reason}" if len(failures) < _SHOWN else f"{name(case)}")
            assert not failures, f"{len(failures)} of {len(every)} cases fail\n\n" + "\n\n".join(failures)

        rest = [parameter for parameter in signature.parameters.values() if parameter.name not in parameters]
        assert len(rest) + len(parameters) == len(signature.parameters), "a case fills parameters of the test"
        run.__signature__ = signature.replace(parameters=rest)  # type: ignore[attr-defined]
        return run

    return decorate


def key(field: str) -> Callable[[Mapping[str, object]], object]:
    """Names a case by one of its fields."""
    return lambda case: case[field]
