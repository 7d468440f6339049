"""`chipwise.toml`: the knowledge base, register, baseline and color setting of a project or a user.

    # chipwise.toml, in a project's folder or one above it, or in the user's folder of settings
    kb = "docs/kb"
    register = "docs/findings.toml"
    baseline = "docs/chipwise-baseline.json"
    color = "never"

Options come first, then the environment, the project's file, the user's file, and the defaults. Relative paths are
resolved against the file's folder. A project may come from anywhere, so its file can't choose what this machine connects
to or which models it loads: its `kb` is a folder of the project that uses the default model.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from chipwise.errors import SettingsInvalid
from chipwise.files import user_folder

NAME = "chipwise.toml"
COLORS = {"always": True, "never": False, "auto": None}
KEYS = ("kb", "register", "baseline", "color")  # paths, and one of COLORS


def settings() -> dict[str, Any]:
    """The settings for the current folder, by KEYS; what neither file has is left out. Raises SettingsInvalid."""
    found: dict[str, Any] = {}
    for path in (user_file(), find_project_file(Path.cwd())):
        if path is not None and path.is_file():
            found |= read_settings(path)
    return found


def chosen_base() -> Path | str | None:
    """The `kb` of the nearest file that has one. Raises SettingsInvalid where a project's file reaches beyond its project."""
    chosen: Path | str | None = settings().get("kb")
    file = find_project_file(Path.cwd())
    if chosen is None or file is None or "kb" not in read_settings(file):
        return chosen
    from chipwise import KnowledgeBase  # noqa: PLC0415

    if isinstance(chosen, str):
        what = "a database"
    elif not chosen.resolve().is_relative_to(file.parent.resolve()):
        what = "a folder outside of the project"
    elif (model := KnowledgeBase(chosen).model) != KnowledgeBase.DEFAULT_MODEL:
        what = f"the model {model}"
    else:
        return chosen
    hint = f"if you trust it, pass --kb, or set CHIPWISE_KB or `kb` in {user_file()}"
    raise SettingsInvalid(f"{file}: the `kb` of a project can't use {what}", hint=hint)


def find_project_file(folder: Path) -> Path | None:
    """The file in `folder`, or in the nearest one above, but not above a repository's root or the home folder."""
    home = os.path.expanduser("~")  # noqa: PTH111  Path.home() raises where there is none
    for place in (folder, *folder.parents):
        if (place / NAME).is_file():
            return place / NAME
        if (place / ".git").exists() or str(place) == home:
            return None
    return None


def user_file() -> Path:
    """Where the user's own settings are looked for."""
    return user_folder("config") / NAME


def read_settings(path: Path) -> dict[str, Any]:
    """What one file says: paths, the URL of a database, a color setting. Raises SettingsInvalid, which names file and key."""
    import tomllib  # noqa: PLC0415

    try:
        data = tomllib.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:  # TOML's and Unicode's errors are ValueErrors
        raise SettingsInvalid(f"{path}: {error}", hint="fix or remove that file") from None
    for key, value in data.items():
        if key not in KEYS:
            raise SettingsInvalid(f"{path}: there is no setting `{key}`", hint=f"settings are {', '.join(KEYS)}")
        if not isinstance(value, str) or not value or "\0" in value:
            raise SettingsInvalid(f"{path}: `{key}` must be a string, without nulls", hint=f'write {key} = "..."')
        if key == "color" and value not in COLORS:
            raise SettingsInvalid(f"{path}: `color` is {value!r}", hint=f"it may be {', '.join(COLORS)}")
    return {key: value if key == "color" or "://" in value else _path(path, value) for key, value in data.items()}


def color_setting(chosen: str | None = None) -> bool | None:
    """True to print colors, False not to; None prints them on a terminal only. See no-color.org and force-color.org."""
    if chosen is not None:
        return COLORS[chosen]
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR", "0") != "0":
        return True
    return COLORS[settings().get("color", "auto")]


def _path(file: Path, value: str) -> Path:
    try:
        return file.parent / Path(value).expanduser()
    except RuntimeError as error:  # ~nobody
        raise SettingsInvalid(f"{file}: {value}: {error}", hint="name a folder that exists") from None
