"""Code as tokens, alike in most languages; Python's come from its tokenizer, whose indented blocks are brackets."""

from __future__ import annotations

import io
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum
from functools import cache
from itertools import accumulate
from typing import Final, NamedTuple

from chipwise import patterns as re
from chipwise.errors import SourceUnreadable
from chipwise.grids.tree import Label

OPEN, CLOSE = {"{": "}", "[": "]", "(": ")", "": ""}, frozenset("}])")
# what a line that ends in it, or begins with it, goes on from
_GOES_ON: Final = frozenset("= : => := -> , + - * / ** & | && || < ? ( [ { . :: !".split())
_COMMON: Final = r"""
  (?P<string>{strings})
| (?P<number>0[xX][\da-fA-F_]+|(?:\d[\d_]*(?:\.(?!\.)[\d_]*)?|\.\d[\d_]*)(?:[eE][+-]?\d+)?)(?:_?(?:[fui](?:8|16|32|64)?|usize|UL{{0,2}}|LL?|n|F|f))?(?![A-Za-z])
| (?P<name>[A-Za-z_$][\w$]*)
| (?P<newline>\n)
| (?P<op>=>|->|:=|==|!=|<=|>=|&&|\|\||::|\*\*|<<|>>|[^\s\w])
"""
_SLASHES: Final = r"(?P<comment>//[^\n]*|/\*.*?(?:\*/|\Z))|"
_HASH: Final = r"(?P<comment>\#[^\n]*)|"
_QUOTED: Final = r'"(?:[^"\\\n]|\\.)*"'
_SINGLE: Final = r"'(?:[^'\\\n]|\\.)*'"


class Kind(Enum):
    """What a token is; of brackets the text is the bracket, "" of an indented block."""

    NAME = "name"
    NUMBER = "number"
    STRING = "string"
    COMMENT = "comment"
    OP = "op"
    NEWLINE = "newline"
    OPEN = "open"
    CLOSE = "close"


class Token(NamedTuple):
    """A string's text and span are without its quotation marks, a comment's without its signs."""

    kind: Kind
    text: str
    start: int
    end: int
    line: int


@dataclass(slots=True)
class Group:
    """What stands between two brackets, or in an indented block."""

    open: str
    items: list[Item] = field(default_factory=list)


@dataclass(slots=True)
class Item:
    """One statement or element, with the comments behind it and above it."""

    parts: list[Token | Group] = field(default_factory=list)
    notes: list[Label] = field(default_factory=list)
    above: list[Label] = field(default_factory=list)


_STRINGS: Final = {
    "rust": _QUOTED + r"|'(?:[^'\\\n]|\\.)'",
    "toml": r'"""(?:[^\\]|\\.)*?"""|' + r"'''.*?'''|" + _QUOTED + r"|'[^'\n]*'",
    "": _QUOTED + "|" + _SINGLE + r"|`(?:[^`\\]|\\.)*`",
}
_QUOTES: Final = ("'''", '"""', "'", '"', "`")


@cache
def _lexer(language: str) -> re.Pattern[str]:
    comments = _HASH if language == "toml" else _SLASHES
    return re.compile(comments + _COMMON.format(strings=_STRINGS.get(language, _STRINGS[""])), re.X | re.S)


def tokens_of(text: str, language: str, name: str) -> Iterator[Token]:
    """The tokens of a file; new lines only where they end a statement. Raises SourceUnreadable for what is no Python."""
    if language == "python":
        yield from _python(text, name)
        return
    yield from _joined(_lexed(text, _lexer(language)))


def _lexed(text: str, lexer: re.Pattern[str]) -> Iterator[Token]:
    line, counted = 1, 0
    for found in lexer.finditer(text):
        kind = Kind(found.lastgroup or "op")
        line += text.count("\n", counted, found.start())
        counted = found.start()
        group = found[kind.value]
        start, end = found.span(kind.value)
        if kind is Kind.OP and group in OPEN:
            kind = Kind.OPEN
        elif kind is Kind.OP and group in CLOSE:
            kind = Kind.CLOSE
        elif kind in (Kind.STRING, Kind.COMMENT):
            group, start, end = _bare(kind, group, start)
        yield Token(kind, group, start, end, line)


def _bare(kind: Kind, written: str, start: int) -> tuple[str, int, int]:
    """A string without its quotation marks, a comment without its signs."""
    if kind is Kind.COMMENT:
        inner = written.strip("/*#! \t\n")
        lead = written.index(inner) if inner else 0
        return inner, start + lead, start + lead + len(inner)
    lead = len(written) - len(written.lstrip("rRbBuUfF"))
    quote = next((q for q in _QUOTES if written.startswith(q, lead) and len(written) >= lead + 2 * len(q)), "")
    inner = written[lead + len(quote) : len(written) - len(quote)]
    return inner, start + lead + len(quote), start + lead + len(quote) + len(inner)


def _joined(tokens: Iterator[Token]) -> Iterator[Token]:
    """Without the new lines that end nothing: behind a comma or an operator, before an operator or a closing bracket."""
    before: Token | None = None
    newline: Token | None = None
    for token in tokens:
        if token.kind is Kind.NEWLINE:
            if before is not None and not (before.kind in (Kind.OP, Kind.OPEN) and before.text in _GOES_ON):
                newline = newline or token
            continue
        if token.kind is not Kind.COMMENT:
            goes_on = token.kind in (Kind.OP, Kind.CLOSE) and (token.text in _GOES_ON or token.text in CLOSE)
            if newline and not goes_on:
                yield newline
            newline, before = None, token
        yield token


def _python(text: str, name: str) -> Iterator[Token]:
    begins = [0, *accumulate(len(line) + 1 for line in text.split("\n"))]
    alike = (Kind.NAME, Kind.NUMBER, Kind.COMMENT, Kind.NEWLINE)
    kinds: dict[int, Kind] = {getattr(tokenize, kind.name): kind for kind in alike}
    try:
        for made in tokenize.generate_tokens(io.StringIO(text).readline):
            start = begins[min(made.start[0] - 1, len(begins) - 1)] + made.start[1]
            end = begins[min(made.end[0] - 1, len(begins) - 1)] + made.end[1]
            line = made.start[0]
            if made.type in (tokenize.INDENT, tokenize.DEDENT):
                yield Token(Kind.OPEN if made.type == tokenize.INDENT else Kind.CLOSE, "", start, start, line)
            elif made.type in (tokenize.STRING, tokenize.COMMENT):
                kind = kinds.get(made.type, Kind.STRING)
                yield Token(kind, *_bare(kind, made.string, start), line)
            elif made.type == tokenize.OP:
                kind = Kind.OPEN if made.string in OPEN else Kind.CLOSE if made.string in CLOSE else Kind.OP
                yield Token(kind, made.string, start, end, line)
            elif made.type in kinds:
                yield Token(kinds[made.type], made.string, start, end, line)
    except tokenize.TokenError:
        return  # a part of a file, whose last bracket is open
    except SyntaxError as error:
        raise SourceUnreadable(f"{name}:{error.lineno}: {error.msg}", hint="fix the syntax there") from error
