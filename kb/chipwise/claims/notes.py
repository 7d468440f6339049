"""What the text around a table says of all of its figures, or of those that a mark sends to it.

| FP8 | 3,958 TFLOPS* |
* With sparsity.                        of the figures with that mark
All figures are without sparsity.       of all that say nothing else
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from chipwise import patterns as re
from chipwise.claims.cells import BOLD, NOTED
from chipwise.claims.places import Place
from chipwise.domain.model import Domain
from chipwise.domain.phrasebook import Mention
from chipwise.types import Passage, Role

_AXES = ("sparsity=",)  # what such notes tell, and tables leave out
_AROUND = 3  # sentences before and behind a table that may be of it
_LONGEST_LEAD = 60  # characters; what is longer is a sentence of the text
_MARK = re.compile(r"\s*(\\?[*†‡]{1,3}|\[\^?\w{1,3}\]|<sup>\w{1,3}</sup>)\s*(?=\S)")
_LABEL_NOTED = re.compile(r"(?<=\w)(?:\\?([*†‡]{1,3})|(\[\^?\w{1,3}\]|<sup>\w{1,3}</sup>))\s*(?:$|\|)")
_OF_ALL = re.compile(
    r"\b(?:all|figures?|numbers?|values?|flops|flop/s|tflops|performance|peaks?|specs?|specifications?|throughput|shown|listed|above|below|table)\b",
    re.I,
)
# "the second number of each pair assumes sparsity"
_OF_SOME = re.compile(
    r"\b(?:first|second|last|former|latter|left|right|upper|lower|pairs?|half|columns?|rows?|some|many|most|both|either|only|not all)\b",
    re.I,
)


_CAPTION = 5  # words


@dataclass(frozen=True, slots=True)
class Note:
    """What a sentence states; `mark` is the mark of the figures that it is of, "" where it is of all."""

    mark: str
    stated: tuple[Mention, ...]


def notes_on(domain: Domain, passages: Sequence[Passage], number: int) -> list[Note]:
    """The notes on the table in `passages[number]`: sentences under its heading that name no product and give no figure."""
    before, behind = passages[:number][-1:], passages[number + 1 :][:1]
    texts = [t for p in before for t in _sentences(p, passages[number])[-_AROUND:]]
    texts += [t for p in behind for t in _sentences(p, passages[number])[:_AROUND]]
    found = []
    for text in texts:
        stated = tuple(m for m in domain.find_qualifiers(text) if all(i.startswith(_AXES) for i in m.ids))
        mark = _MARK.match(BOLD.sub(r"\2", text))
        if len({m.ids for m in stated}) != 1 or domain.find_entities(text) or domain.unit_table.find(text):
            continue
        if mark is not None or _is_caption(text) or (_OF_ALL.search(text) and not _OF_SOME.search(text)):
            found.append(Note(mark[1].lstrip("\\") if mark else "", stated))
    return found


def _is_caption(text: str) -> bool:
    """True for "**Without sparsity**": a line that says no more."""
    return bool(BOLD.fullmatch(text.strip())) and len(text.split()) <= _CAPTION


def lead_in(passages: Sequence[Passage], number: int) -> str:
    """The line that leads into the table in `passages[number]`: "Announced, availability not confirmed:"."""
    before = [t for p in passages[:number][-1:] for t in _sentences(p, passages[number])[-1:]]
    plain = BOLD.sub(r"\2", before[0]).strip() if before else ""
    return plain if plain.endswith(":") and len(plain) <= _LONGEST_LEAD else ""


def _sentences(passage: Passage, table: Passage) -> list[str]:
    if passage.heading != table.heading or passage.role in (Role.TABLE, Role.CODE):
        return []
    return [passage.text[slice(*span)] for span in passage.sentences]


def stated_by(notes: Sequence[Note], mark: str) -> list[Mention]:
    """What the notes state of a figure with that mark behind it, "" for none."""
    return [m for note in notes if note.mark == mark for m in note.stated]


def mark_of_cell(passage: Passage, place: Place) -> str:
    """The mark behind a cell's figure that sends the reader to a note, or ""."""
    match = NOTED.match(passage.text, place.cell.end)
    found = (match[1] or match[2]) if match else ""
    return "" if found and passage.text[: place.cell.start].endswith(found) else found  # "**14 PFLOPS**" is bold


def mark_of_label(place: Place) -> str:
    """The same behind the label of a row or the header of a column: "FP8*"."""
    match = _LABEL_NOTED.search(BOLD.sub(r"\2", place.row.called))
    return (match[1] or match[2]) if match else place.mark
