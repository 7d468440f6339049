"""The wordings of `corpus/domain/pages.toml`: what a line of a page says of itself, and what a heading says of its section."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from functools import cache
from typing import Any, Final

from chipwise.corpus import domain_folder
from chipwise.domain.cues import Lexicon
from chipwise.domain.records import Voice
from chipwise.files import read_text
from chipwise.values import dataclass

MOST_READ: Final = 1000  # characters of a text in which wordings are looked for


@dataclass(frozen=True, slots=True)
class Wording:
    """A row of the file. `most` is the number of words that the line has at most, 0 for any number; a `part` of a heading is enough."""

    kind: str
    most: int = 0
    weight: int = 1
    part: bool = False


class Wordings:
    """All rows, ready for searching."""

    def __init__(self, rows: list[dict[str, Any]]) -> None:
        words = [Voice(str(n), str(n), "sentence", tuple(row.pop("words"))) for n, row in enumerate(rows)]
        self._rows = [Wording(**row) for row in rows]
        self._lexicon = Lexicon(words)

    def find(self, text: str) -> Iterator[tuple[Wording, int, int]]:
        """Yield each row that the text has words of, once, and where the first of them begin and end."""
        cues = {cue.puts: cue for cue in reversed(self._lexicon.find(text[:MOST_READ]))}
        for number in sorted(map(int, cues)):
            yield self._rows[number], cues[str(number)].start, cues[str(number)].end

    def weigh(self, kind: str, text: str, count: int = 0) -> int:
        """The weights of the rows of one kind that the text has words of, and that allow a line of `count` words."""
        return sum(
            row.weight for row, *_ in self.find(text) if row.kind == kind and (count <= row.most or not row.most)
        )


@cache
def wordings() -> Wordings:
    """The shipped wordings, read once per process."""
    return Wordings(tomllib.loads(read_text(domain_folder() / "pages.toml"))["wording"])
