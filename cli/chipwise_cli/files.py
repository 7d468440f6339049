"""Files that a command writes: named by the user, and only of the kind that it makes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import click


def written_file(*suffixes: str) -> Callable[[click.Context, click.Parameter, str | None], Path | None]:
    """A callback that lets a path through which ends so: a slip of the hand replaces no document."""

    def checked(_ctx: click.Context, _param: click.Parameter, value: str | None) -> Path | None:
        if value is None:
            return None
        path = Path(value)
        if path.suffix.lower() not in suffixes:
            raise click.BadParameter(f"{value!r} does not end in {' or '.join(suffixes)}.")
        return path

    return checked
