"""From the passages of one source to its sentences, with what they name, and its claims.

    figures      the learned reader, or what is authored beside a shipped source
    categories   words ("runs PyTorch", "announced in May 2022")

Runs once, at ingest, in reading order: a sentence without a chip of its own is about what was spoken of last. No fact is known here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import takewhile
from pathlib import PurePath

from chipwise import patterns as re
from chipwise.claims import voice
from chipwise.claims.authored import placed_in
from chipwise.claims.beside import kinds_beside
from chipwise.claims.categories import find_categories
from chipwise.claims.leading import item_of, lead, unmarked
from chipwise.claims.model import Claim, Figure, Sentence
from chipwise.claims.reader import reader_of
from chipwise.claims.scene import Scene, ids, read_scene
from chipwise.claims.settings import Part, Settings, parts_of
from chipwise.claims.tabular import TableReader, claims_at
from chipwise.claims.told import read_claims
from chipwise.claims.topics import Topic, named_above, own_mentions, sole_product
from chipwise.domain.model import Domain
from chipwise.grids.around import CellReader
from chipwise.grids.tables import Table
from chipwise.grids.tree import Label
from chipwise.reading.blocks import DataDocument
from chipwise.text import Span
from chipwise.types import Document, Passage, Role

OURS = ("primer", "chipwise")  # kind and publisher of a text that is written here, and found nowhere else
UNREVIEWED = "read in a text of chipwise's own, and not reviewed"
_PAIR = 2  # columns: a property and its value
_COMPARED = 40  # characters of a title and of a text that tell that one begins the other
# a text without a title is called by how it begins, which heads nothing
_SENTENCE = re.compile(r"(?:[.:;,]|…)\W*$")


def extract(
    passages: Sequence[Passage],
    domain: Domain,
    title: str = "",
    *,
    figures: Sequence[Claim] | None = None,
    unplaced: bool = False,
) -> tuple[list[tuple[Sentence, ...]], list[Claim]]:
    """For each passage of one source, in order, its sentences; and all claims of the source.

    `figures` are the claims on figures where they are known already; else the learned reader reads them. With `unplaced`, also
    figures of nothing that the domain knows, without a subject, and those that are none, without a metric: a check tells why.
    """
    opening = next((p.text for p in passages), "").lstrip("#*_ \n")
    title = "" if _SENTENCE.search(title) and opening.startswith(title[:_COMPARED].rstrip(".…")) else title
    authored = figures is not None
    if figures is None:
        figures = read_claims(reader_of(domain), domain, passages, title, unplaced=unplaced)
    of_passage: dict[int, list[Claim]] = {}
    for claim in figures:
        of_passage.setdefault(claim.passage, []).append(claim)
    topic = Topic(domain, title, sole=sole_product(domain, title, passages))
    table = TableReader.of(domain, title, passages)
    settings = Settings(domain, passages, title, table.tables)
    annotated: list[tuple[Sentence, ...]] = []
    claims: list[Claim] = []
    listed = dict[int, list[Claim]]()
    for at, (before, passage) in enumerate(zip((None, *passages), passages, strict=False)):
        about = topic.about
        topic.enter(passage)
        own = of_passage.get(passage.ordinal, [])
        told = list[Claim]()
        if passage.ordinal in table.tables:
            of, caption = _section_subject(topic, about, table.tables[passage.ordinal]), _caption(passage, before)
            told = [*table.claims(passage, of, caption, unplaced=unplaced)]
            own = own if authored else [c for c in told if c.quantity is not None]
        if passage.role is Role.CODE and not authored:
            if before is None or before.role is not Role.CODE:
                parts = [*takewhile(lambda p: p.role is Role.CODE, passages[at:])]
                for claim in table.of_listing(parts, about, _caption(passage, before)):
                    listed.setdefault(claim.passage, []).append(claim)
            own = listed.get(passage.ordinal) or _of_sole(topic, own)
        sentences, found = _read(topic, settings, passage, own)
        annotated.append(sentences)
        claims += found
        there = {(c.value_start, c.subject, c.metric) for c in found}  # a kind beside a figure is told already
        claims += (c for c in told if c.quantity is None and (c.value_start, c.subject, c.metric) not in there)
    return annotated, claims


def extract_document(
    document: Document, passages: Sequence[Passage], domain: Domain, *, figures: Sequence[Claim] | None = None, unplaced: bool = False
) -> tuple[list[tuple[Sentence, ...]], list[Claim]]:  # fmt: skip
    """The same of a document; one of cells or code is read by its labels. A primer is no source: what is only read there is in doubt."""
    if not isinstance(document, DataDocument):
        sentences, found = extract(passages, domain, document.info.title, figures=figures, unplaced=unplaced)
        is_ours = figures is None and (document.info.kind, document.info.publisher) == OURS
        return sentences, [replace(c, doubt=c.doubt or UNREVIEWED) for c in found] if is_ours else found
    readings = CellReader(domain, PurePath(document.info.origin).stem).read(document.tree)
    settings = Settings(domain, passages, document.info.title, {})
    records = _records(document)
    read = (r for r in readings if r.subject or (r.metric and unplaced))
    made = (c for r in read for c in claims_at(domain, document.info.id, document.text, 0, r))
    claims = placed_in(passages, (settings.of_record(c, records.get(c.value_start, [])) for c in made))
    annotated = list[tuple[Sentence, ...]]()
    for p in passages:
        own = [c for c in claims if c.passage == p.ordinal]
        about = {c.start - p.start: (c.subject,) for c in own if c.subject}
        annotated.append(tuple(_sentence(p, span, about.get(span[0], ()), (), (), (), own) for span in p.sentences))
    return annotated, claims


def _records(document: DataDocument) -> dict[int, list[Part]]:
    """By where a cell begins, the cells of its record with what they are called."""
    return {part.start: record for record in map(parts_of, document.tree.walk()) for part in record}


def _of_sole(topic: Topic, claims: Sequence[Claim]) -> list[Claim]:
    """What a result says of "the GPU", as measured on the one chip that the page names; a line with two rates is a log's."""
    lines = Counter((c.start, c.metric) for c in claims)
    measured = {m.id for m in topic.domain.metrics.values() if m.nature == "measured"} if topic.sole else set()
    general = (c.metric in measured and not topic.domain.is_specific(c.subject) for c in claims)
    own = (g and lines[c.start, c.metric] == 1 for g, c in zip(general, claims, strict=True))
    return [replace(c, subject=topic.sole) if o else c for o, c in zip(own, claims, strict=True)]


def _caption(table: Passage, before: Passage | None) -> Label | None:
    """The sentence right before a table, under its heading."""
    if before is None or before.heading != table.heading or before.role is Role.TABLE or not before.sentences:
        return None
    start, end = before.sentences[-1]
    return Label(before.text[start:end], before.start + start, before.start + end)


def _section_subject(topic: Topic, before: tuple[str, ...], table: Table) -> tuple[str, ...]:
    """What a table without subjects of its own is about: its heading's chip, or for a list of properties what came before."""
    parts = (*reversed(topic.heading or ()), topic.title)
    headed = named_above(topic.domain, parts)
    if len({m.ids for m in headed if any(map(topic.domain.is_specific, m.ids))}) > 1:
        return ()  # below "RTX 4060 / RTX 4060 Ti" the "8-16 GB" are neither's
    if not headed and any(read_scene(topic.domain, part).unknown for part in parts):
        return ()
    specific = tuple(i for m in headed[:1] for i in m.ids if topic.domain.is_specific(i))
    return specific or (before if len(table.headers) <= _PAIR else ())


def _read(
    topic: Topic, settings: Settings, passage: Passage, figures: Sequence[Claim]
) -> tuple[tuple[Sentence, ...], list[Claim]]:
    """The sentences of one passage and its claims; `figures` are those that are read already."""
    domain = topic.domain
    if passage.role is Role.CODE:  # "--shm-size=4G" names no chip, and a listing's lines are the reader's
        told = [settings.applied(c) for c in figures]
        return tuple(_sentence(passage, span, (), (), (), (), told) for span in passage.sentences), told
    sentences, claims = list[Sentence](), list[Claim]()
    for at, span in enumerate(passage.sentences):
        scene = read_scene(domain, unmarked(passage.text[slice(*span)]))
        item = item_of(passage, at)
        topic.in_item = item is not None and item < at
        carried = topic.carried(scene)
        if at or passage.role is not Role.TABLE:  # a header names what the columns are of, and says nothing of it
            claims += _categories(topic, scene, passage, at, carried)
        named = any(domain.is_specific(i) for m in own_mentions(domain, scene) for i in m.ids)
        specific = () if named else tuple(i for i in carried if domain.is_specific(i))
        names = (ids(scene.entities), specific, ids(scene.metrics), ids(scene.terms))
        sentences.append(_sentence(passage, span, *names, figures))
        topic.follow(scene)
    beside = Counter((c.start, c.metric) for c in figures)
    prose = passage.role is not Role.TABLE
    told = [settings.applied(c, alone=prose and beside[c.start, c.metric] == 1) for c in figures]
    told += settings.unread(passage, told)
    claims += told
    claims += kinds_beside(domain, passage, [*claims])
    return tuple(sentences), claims


def _sentence(
    passage: Passage,
    span: Span,
    entities: tuple[str, ...],
    carried: tuple[str, ...],
    metrics: tuple[str, ...],
    terms: tuple[str, ...],
    claims: Sequence[Claim],
) -> Sentence:
    """A sentence with the figures that are claims of it, their spans counted from the passage's start."""
    start, end = passage.start + span[0], passage.start + span[1]
    own = [c for c in claims if start <= c.value_start and c.value_end <= end]
    moved = ((c, c.quantity.moved(-passage.start)) for c in own if c.quantity is not None)
    figures = tuple(Figure(c.subject, c.metric, quantity) for c, quantity in moved)
    return Sentence(*span, entities, carried, metrics, terms, figures)


def _categories(topic: Topic, scene: Scene, passage: Passage, number: int, carried: tuple[str, ...]) -> Iterator[Claim]:
    """What the sentence says that is no figure."""
    span = passage.sentences[number]
    start = passage.start + span[0]
    above = lead(passage, number)
    found = find_categories(topic.domain, scene.text, scene.entities, scene.terms, carried, above)
    said_by = voice.attribution(topic.domain, scene.text, passage.heading) if found else ""
    for c in found:
        if not c.subject:
            continue
        yield Claim(
            passage.source, passage.ordinal, start, passage.start + span[1], start + c.start, start + c.end, c.subject, c.relation,
            object=c.object, polarity=c.polarity, qualifiers=c.qualifiers, attribution=said_by, doubt=c.doubt,
            confidence=c.confidence, modality=voice.modality(topic.domain, scene.text, "specified", c.start),
        )  # fmt: skip
