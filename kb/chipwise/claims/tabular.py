"""Tables, listings and data as claims: what the labels around a cell make of it, with its row or line as the evidence.

| GPU      | FP8 TFLOPS* |
| H100 SXM |       3,958 |      ->   peak compute of the H100 SXM in FP8, and with sparsity, as the note says
* with sparsity
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from chipwise import patterns as re
from chipwise.claims import voice
from chipwise.claims.authored import placed_in
from chipwise.claims.categories import categories_of_cell
from chipwise.claims.model import Claim, Modality
from chipwise.domain.model import Domain
from chipwise.grids.around import CellReader
from chipwise.grids.keys import Reading
from chipwise.grids.labels import Labels, words_of
from chipwise.grids.listing import read_listings
from chipwise.grids.tables import Table, read_tables
from chipwise.grids.tree import Label, Node
from chipwise.reading.blocks import strip_span
from chipwise.text import Span
from chipwise.types import Passage, Role

QUOTED = 80  # characters on each side of a cell in a long line: JSON may be one line
_GENERAL = (Role.BODY, Role.LIST)
COMPUTE = "OPS"  # FLOPS, TFLOPS, TOPS
_NOTE = re.compile(r"^[\s>|-]{0,6}(?:<sup>)?\\?([*†‡]{1,3}|\[\^?\w{1,3}\]|<sup>\w{1,3})(?:</sup>)?:?\s*(\S.*)$", re.M)


@dataclass(frozen=True)
class TableReader:
    """Reads the tables of one source, by the passage's ordinal; `general` is what it says of all its peaks."""

    domain: Domain
    title: str
    tables: dict[int, Table]
    general: tuple[Label, ...] = ()

    @classmethod
    def of(cls, domain: Domain, title: str, passages: Sequence[Passage]) -> TableReader:
        """For a source with these passages, whose footnotes are looked up by their marks."""
        found = ((p.start, m) for p in passages for m in _NOTE.finditer(p.text))
        notes = {m[1].removeprefix("<sup>"): Label(m[2], at + m.start(2), at + m.end(2)) for at, m in found}
        return cls(domain, title, read_tables(passages, domain, notes), tuple(_general(domain, passages)))

    def claims(
        self, passage: Passage, about: tuple[str, ...], caption: Label | None, *, unplaced: bool
    ) -> Iterator[Claim]:
        """What the cells say; `about` is the product of a table that names none, `caption` the sentence before it."""
        table = self.tables[passage.ordinal]
        heads = [Label(words, 0, 0) for words in reversed(passage.heading)]
        tree = Node(heads, notes=[*([caption] if caption else []), *self.general], children=[*table.rows.values()])
        for read in CellReader(self.domain, self.title).read(tree, about if len(about) == 1 else ()):
            row = table.row_at(read.cell.start)
            if row is None:
                continue
            if read.metric:
                if read.subject or unplaced:
                    yield self._figure(passage, row, read)
            elif read.subject:
                yield from self._categories(passage, row, read)

    def of_listing(self, passages: Sequence[Passage], about: tuple[str, ...], caption: Label | None) -> list[Claim]:
        """What code and data say in a listing, whose parts the passages are."""
        start, last = passages[0].start, passages[-1]
        text = " " * (last.end - start)
        for p in passages:
            text = text[: p.start - start] + p.text + text[p.end - start :]
        heads = [Label(words, 0, 0) for words in reversed(passages[0].heading)]
        reader, made = CellReader(self.domain, self.title), list[Claim]()
        for at, body, tree in read_listings(text):
            node = Node(heads, notes=[caption] if caption else [], children=tree.children)
            read = reader.read(node, about if len(about) == 1 else ())
            own = (r for r in read if r.subject)
            made += (c for r in own for c in claims_at(self.domain, passages[0].source, body, start + at, r))
        return placed_in(passages, made)

    def _figure(self, passage: Passage, row: Span, read: Reading) -> Claim:
        assert read.quantity is not None  # noqa: S101  what has a metric is a figure
        written = passage.text[row[0] - passage.start : row[1] - passage.start]
        said_by = voice.attribution(self.domain, written, passage.heading)
        metric = self.domain.metrics[read.metric]
        above = voice.modality(self.domain, " ".join((self.title, *passage.heading)), metric.nature)
        if above is Modality.MEASURED and metric.measured_as:
            metric = self.domain.metrics[metric.measured_as]  # below "Benchmark results"
        measured = read.measured or above is Modality.MEASURED
        achieved = measured and metric.nature == "specified" and metric.dimension.endswith("_rate")
        put = Modality.MEASURED if achieved else Modality(metric.nature)
        return Claim(
            passage.source, passage.ordinal, *row, read.quantity.start, read.quantity.end, read.subject, metric.id,
            read.quantity, baseline=read.baseline, qualifiers=read.axes, modality=put, attribution=said_by, doubt=read.doubt,
        )  # fmt: skip

    def _categories(self, passage: Passage, row: Span, read: Reading) -> Iterator[Claim]:
        """ "HBM3" under "Memory type"."""
        begin, end = read.cell.start - passage.start, read.cell.end - passage.start
        cell, written = passage.text[begin:end], passage.text[row[0] - passage.start : row[1] - passage.start]
        said_by = voice.attribution(self.domain, cell, ()) or voice.attribution(self.domain, written, passage.heading)
        for c in categories_of_cell(self.domain, read.subject, read.object, cell, read.cell.start):
            yield Claim(
                passage.source, passage.ordinal, *row, c.start, c.end, read.subject, c.relation, object=c.object,
                polarity=c.polarity, qualifiers=c.qualifiers, attribution=said_by, doubt=c.doubt or read.doubt,
            )  # fmt: skip


def _general(domain: Domain, passages: Sequence[Passage]) -> list[Label]:
    """Sentences without a figure that give the one unit of compute of a page: "All TFLOPS are without sparsity"."""
    labels, found = Labels(domain), dict[Label, str]()
    for p in passages:
        for start, end in p.sentences if p.role in _GENERAL and COMPUTE in p.text else ():
            text = p.text[start:end]
            told = labels.meaning(text, prose=True).units if not any(map(str.isdigit, text)) else {}
            if unit := told.get("compute_rate"):
                found[Label(text, p.start + start, p.start + end)] = unit
    return list(found) if len(set(found.values())) == 1 else []


def claims_at(domain: Domain, source: str, text: str, start: int, read: Reading) -> Iterator[Claim]:
    """A cell of data as claims, with its line; the text begins at `start` of its source."""
    at, end = read.cell.start, read.cell.end
    first = max(text.rfind("\n", 0, at) + 1, at - QUOTED)
    last = min(len(text), *(n for n in (text.find("\n", end),) if n >= 0), end + QUOTED)
    first, last = strip_span(text, first, last)
    line, q = (source, 0, start + first, start + last), read.quantity
    if q is not None:
        yield Claim(*line, start + at, start + end, read.subject, read.metric, q.moved(start), baseline=read.baseline,
                    qualifiers=read.axes, doubt=read.doubt)  # fmt: skip
        return
    for c in categories_of_cell(domain, read.subject, words_of(read.object), text[at:end], start + at):
        yield Claim(
            *line, c.start, c.end, read.subject, c.relation, object=c.object,
            polarity=c.polarity, qualifiers=c.qualifiers, doubt=c.doubt or read.doubt,
        )  # fmt: skip
