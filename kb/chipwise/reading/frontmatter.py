"""The metadata of a Markdown file, between two lines of "---".

Imported only if a file begins with such a line, because pydantic and yaml are slow to load. The
result is a plain FrontMatter.
"""

from __future__ import annotations

import datetime
from typing import Annotated, Any, Final

import yaml
from pydantic import AliasChoices, BaseModel, BeforeValidator, Field, ValidationError

from chipwise import patterns as re
from chipwise.errors import SourceUnreadable
from chipwise.reading.blocks import FrontMatter
from chipwise.reading.decoding import one_line
from chipwise.text import Span

_OPEN: Final = re.compile(r"---[ \t]*\n")
_CLOSE: Final = re.compile(r"^(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.MULTILINE)
_LINE: Final = re.compile(r"^([A-Za-z][\w-]*):(?:[ \t]+(\S.*))?$", re.MULTILINE)
_PROSE: Final = re.compile(
    r"^(?![A-Za-z][\w-]*:(?:\s|$)|[ \t#-]|$)", re.MULTILINE
)  # a line that is no key, list item, comment or indented line
_LOADER: Final = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
MOST_CHARACTERS: Final = 64 * 1024  # real ones have some 3,000; with more, the "---" is a horizontal rule
MOST_NAMES: Final = 100
_AUTHOR_KEYS: Final = ("name", "user", "username", "login", "title")  # as site generators call an author
LONGEST_VALUE: Final = 2000  # a URL with its query; titles are far shorter


def _as_text(value: Any) -> Any:
    """Convert scalars, dates and (lists of) names to text; anything else fails validation."""
    if value is None:
        return ""
    if isinstance(value, datetime.date):
        return value.isoformat()[:10]
    if isinstance(value, dict):
        author = next((value[key] for key in _AUTHOR_KEYS if isinstance(value.get(key), str)), None)
        return value if author is None else _as_text(author)
    if isinstance(value, list):
        # subtle: YAML aliases nest lists whose size only shows when they are joined
        texts = [_as_text(item) for item in value[:MOST_NAMES] if not isinstance(item, list)]
        texts = [text for text in texts if not isinstance(text, dict)]  # "- key: jdoe" points to a name elsewhere
        return ", ".join(texts) if all(isinstance(text, str) for text in texts) else value
    if isinstance(value, bool | int | float | str):
        return one_line(str(value), LONGEST_VALUE)
    return value


def _as_texts(value: Any) -> Any:
    if value is None or value == "":
        return ()
    return tuple(map(_as_text, value[:MOST_NAMES] if isinstance(value, list) else [value]))


_Text = Annotated[str, BeforeValidator(_as_text)]


class _Model(BaseModel):
    """The validated keys; unknown ones belong to other programs and are ignored."""

    id: _Text = ""
    title: _Text = ""
    publisher: _Text = ""
    # static site generators say "authors" and "date"
    author: _Text = Field("", validation_alias=AliasChoices("author", "authors"))
    published: _Text = Field("", validation_alias=AliasChoices("published", "date"))
    url: _Text = ""
    kind: _Text = ""
    lineage: Annotated[tuple[str, ...], BeforeValidator(_as_texts)] = ()
    verified: _Text = ""


def read_front_matter(text: str, name: str) -> tuple[FrontMatter, int]:
    """Return the front matter and the start of the body; (empty, 0) if there is none.

    Text between two rules without any key is prose, not front matter. Raises SourceUnreadable for a
    value of the wrong kind.
    """
    span = _find_span(text)
    if span is None:
        return FrontMatter(), 0
    values = _load(text[slice(*span)])
    if not isinstance(values, dict) or not values:
        return FrontMatter(), 0
    newline = text.find("\n", span[1])
    # some site generators write "Title:"
    matter = _validate({str(key).lower(): value for key, value in values.items()}, name)
    return matter, len(text) if newline < 0 else newline + 1


def _find_span(text: str) -> Span | None:
    """The span of the lines between the two rules, or None."""
    opened = _OPEN.match(text)
    if opened is None:
        return None
    closed = _CLOSE.search(text, opened.end(), opened.end() + MOST_CHARACTERS)
    return (opened.end(), closed.start()) if closed else None


def _load(source: str) -> object:
    """Parse YAML; if it isn't valid, take its "key: value" lines.

    One page in fifty has a title with a colon or a list indented by tabs, which its site generator
    accepts. That is no reason to refuse its text.
    """
    try:
        return yaml.load(source, Loader=_LOADER)  # noqa: S506 (a safe loader, in C where built)
    except (yaml.YAMLError, RecursionError, ValueError, TypeError):  # "2026-13-45" is a date to YAML
        if _PROSE.search(source):
            return None
        return {line[1]: (line[2] or "").strip(" \t\"'") for line in _LINE.finditer(source)}


def _validate(values: dict[str, Any], name: str) -> FrontMatter:
    try:
        checked = _Model.model_validate(values)
    except (ValidationError, RecursionError) as error:
        key = error.errors()[0]["loc"][0] if isinstance(error, ValidationError) else "value"
        raise SourceUnreadable(
            f"{name}:1: the front matter's {one_line(str(key), 40)!r} must be text",
            hint="write it as `key: value`, quoted if it contains a colon",
        ) from error
    return FrontMatter(**checked.model_dump())
