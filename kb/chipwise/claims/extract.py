"""From the passages of one source to its sentences, with what they name, and its claims.

    "The H100 has 80 GB of memory; its successor, the H200, has 141 GB."
        ->  (nvidia-h100, memory_capacity, 80 GB), (nvidia-h200, memory_capacity, 141 GB)

Runs once, at ingest, in reading order: a sentence without a chip of its own is
about what was spoken of last under the same heading.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from chipwise import patterns as re
from chipwise.claims import owners, slots, voice
from chipwise.claims.beside import kinds_beside
from chipwise.claims.categories import find_categories
from chipwise.claims.clauses import clause_at, clauses_of
from chipwise.claims.departing import hardly_its_date, in_many_sizes
from chipwise.claims.grid import Grid
from chipwise.claims.known import Known
from chipwise.claims.leading import item_of, lead, opens_paragraph, question_before, unmarked
from chipwise.claims.leftover import find_leftover, without_told
from chipwise.claims.model import Claim, Figure, Modality, Sentence
from chipwise.claims.naming import own_mentions
from chipwise.claims.nesting import depth_of
from chipwise.claims.notes import lead_in, notes_on
from chipwise.claims.numeric import find_numeric
from chipwise.claims.offers import Offers
from chipwise.claims.onlyone import beside_the_known, without_rivals
from chipwise.claims.places import PAIR, read_tables
from chipwise.claims.recognising import metric_given
from chipwise.claims.rivals import names_a_relative
from chipwise.claims.scene import Scene, ids, read_scene, read_scenes
from chipwise.claims.tabular import claims_of_table
from chipwise.claims.topics import Topic, named_above, sole_product
from chipwise.claims.unsaid import bare_dates, bare_figures
from chipwise.domain.model import Domain
from chipwise.numbers.quantities import Quantity
from chipwise.text import Span
from chipwise.types import Passage, Role

_COMPARED = 40  # characters of a title and of a text that tell that one begins the other
# a text without a title is called by how it begins, which heads nothing
_SENTENCE = re.compile(r"(?:[.:;,]|…)\W*$")


def extract(
    passages: Sequence[Passage], domain: Domain, title: str = "", *, unplaced: bool = False, known: Known | None = None
) -> tuple[list[tuple[Sentence, ...]], list[Claim]]:
    """For each passage of one source, in order, its sentences; and all claims of the source.

    Where no heading names a chip, the source's `title` may: "H200 Tensor Core GPU". With
    `unplaced`, also the figures that the text gives to nothing that it names, as claims
    without a subject, and those of which it does not tell what they measure, as claims
    without a metric: a check tells that they are there, and nothing can be said of them.
    """
    read = {
        p.ordinal: read_scenes(
            domain,
            [(unmarked(p.text[slice(*span)]), not opens_paragraph(p, at)) for at, span in enumerate(p.sentences)],
        )
        for p in passages
        if p.role is not Role.CODE  # "--shm-size=4G" says nothing of a chip
    }
    opening = next((p.text for p in passages), "").lstrip("#*_ \n")
    title = "" if _SENTENCE.search(title) and opening.startswith(title[:_COMPARED].rstrip(".…")) else title
    topic = Topic(domain, Known(domain) if known is None else known, title, sole=sole_product(domain, title, passages))
    annotated: list[tuple[Sentence, ...]] = []
    claims: list[Claim] = []
    tables, offers = read_tables(passages, domain), Offers(domain, title)
    for number, passage in enumerate(passages):
        about = topic.about
        topic.enter(passage)
        offers.enter(passage)
        if passage.ordinal not in read:
            annotated.append(tuple(Sentence(*span, (), (), (), ()) for span in passage.sentences))
            continue
        grid = tables.get(passage.ordinal)
        section = _section_subject(topic, about, grid) if grid else ()
        notes = notes_on(domain, passages, number) if grid else []
        led = lead_in(passages, number) if grid else ""
        cells = (
            list(claims_of_table(domain, passage, grid, section, notes, led, known=topic.known, unplaced=unplaced))
            if grid
            else []
        )
        sentences = []
        scenes = read[passage.ordinal]
        for at in range(len(scenes)):
            if opens_paragraph(passage, at):
                topic.begin_paragraph()
            sentence, found = _read(topic, scenes, passage, at, unplaced=unplaced)
            sentences.append(_with_cells(sentence, passage, cells) if cells else sentence)
            if grid is None or not grid.headers:
                offers.follow(scenes[at])
                claims += (offers.applied(c, passage) for c in found if c.subject or unplaced)
        cells = [offers.applied(c, passage) for c in beside_the_known(topic.known, cells)]
        claims += cells
        claims += kinds_beside(domain, passage, [c for c in claims if c.passage == passage.ordinal])
        annotated.append(tuple(sentences))
    claims = [*in_many_sizes(topic.known, claims)]
    return annotated, without_told(claims) if unplaced else claims


def _section_subject(topic: Topic, before: tuple[str, ...], grid: Grid) -> tuple[str, ...]:
    """What a table without subjects of its own is about: its heading's chip, or for a list of properties what came before.

    Rows that name other things than chips ("HBM2e", "HBM3") are not about what was spoken of before.
    """
    parts = (*reversed(topic.heading or ()), topic.title)
    headed = named_above(topic.domain, parts)
    if len({m.ids for m in headed if any(map(topic.domain.is_specific, m.ids))}) > 1:
        return ()  # below "RTX 4060 / RTX 4060 Ti" the "8-16 GB" are neither's
    if not headed and any(read_scene(topic.domain, part).unknown for part in parts):
        return ()
    specific = tuple(i for m in headed[:1] for i in m.ids if topic.domain.is_specific(i))
    return specific or (before if len(grid.headers) <= PAIR else ())


def _with_cells(sentence: Sentence, passage: Passage, cells: Sequence[Claim]) -> Sentence:
    """A table row whose figures are its cells'."""
    start, end = passage.start + sentence.start, passage.start + sentence.end
    own = [c for c in cells if c.quantity is not None and start <= c.start and c.end <= end]
    figures = tuple(
        Figure(c.subject, c.metric, c.quantity.moved(-passage.start)) for c in own if c.quantity is not None
    )
    return replace(sentence, figures=figures) if figures else sentence


def _read(
    topic: Topic, scenes: Sequence[Scene], passage: Passage, number: int, *, unplaced: bool
) -> tuple[Sentence, list[Claim]]:
    domain, span, scene = topic.domain, passage.sentences[number], scenes[number]
    item = item_of(passage, number)
    topic.in_item = item is not None and item < number
    if not topic.in_item:
        topic.outer.begin(depth_of(passage, number) if item is not None else None)
    carried = topic.carried(scene)
    asked = slots.told_above(domain, question_before(passage, number))
    topic.answers = bool(asked)
    before = passage.text[slice(*passage.sentences[number - 1])] if number and topic.fresh else ""
    above = (*asked, *slots.told_above(domain, topic.above))
    topic.hourly = topic.hourly or slots.is_rate(" ".join((*passage.heading, scene.text)))
    metrics = topic.with_measured(scene, slots.metrics(domain, scene, above, before, hourly=topic.hourly))
    metrics |= _metrics_given(topic, scene, [q for q in scene.figures if not metrics[q]])
    continued = topic.continued(scene)
    claims = list(without_rivals(topic.known, scene, list(find_numeric(topic, scenes, passage, number, metrics))))
    claims += [*bare_figures(topic, scenes, passage, number, claims)]
    claims += find_leftover(domain, scene, passage, span, continued) if unplaced else ()
    claims += _categories(topic, scene, passage, number, carried)
    claims += [*bare_dates(topic, scene, passage, number, claims)]
    claims += _ambiguous(domain, scene, passage, span)
    own = any(domain.is_specific(i) for m in own_mentions(domain, scene) for i in m.ids)
    specific = () if own else tuple(i for i in carried if topic.domain.is_specific(i))
    figures = tuple(_figures(topic, scene, span, metrics, specific))
    topic.follow(scene)
    if item == number:
        topic.outer.end(domain, depth_of(passage, number), scene)
    names = (ids(scene.entities), specific, ids(scene.metrics), ids(scene.terms))
    return Sentence(*span, *names, figures), claims


def _metrics_given(topic: Topic, scene: Scene, figures: Sequence[Quantity]) -> dict[Quantity, str]:
    """Of figures that no words tell of what they are: the metric of which whoever has one is known to have just that."""
    clauses = clauses_of(topic.domain, scene) if figures and topic.known else []
    found = {}
    for quantity in figures if clauses else ():
        clause = clause_at(clauses, quantity)
        about = owners.subjects(topic.domain, clause.scene, quantity, clause.it or topic.carried(scene))
        if metric := metric_given(topic, scene, quantity, about):
            found[quantity] = metric
    return found


def _categories(topic: Topic, scene: Scene, passage: Passage, number: int, carried: tuple[str, ...]) -> Iterator[Claim]:
    """What the sentence says that is no figure."""
    span = passage.sentences[number]
    start = passage.start + span[0]
    above = lead(passage, number)
    named = [m for m in scene.entities if not names_a_relative(scene, m)]
    carried = carried if len(named) == len(scene.entities) else ()
    found = find_categories(topic.domain, scene.text, named, scene.terms, carried, above)
    said_by = voice.attribution(topic.domain, scene.text, passage.heading) if found else ""
    for c in found:
        yield Claim(
            source=passage.source,
            passage=passage.ordinal,
            start=start,
            end=passage.start + span[1],
            value_start=start + c.start,
            value_end=start + c.end,
            subject=c.subject,
            metric=c.relation,
            object=c.object,
            polarity=c.polarity,
            qualifiers=c.qualifiers,
            modality=Modality.PROMISED
            if c.promised
            else voice.modality(topic.domain, scene.text, "specified", c.start),
            attribution=said_by,
            doubt=c.doubt or hardly_its_date(topic.known, scene, c.subject, c.relation, c.object),
        )


def _ambiguous(domain: Domain, scene: Scene, passage: Passage, span: Span) -> Iterator[Claim]:
    """Names with two readings: nothing is said with them, but a reader should know."""
    for m in scene.entities:
        # "L40s" may be one product or the plural of another; "GB200" is mostly settled by the words around it
        if len(m.ids) > 1 and any(
            a.case_sensitive and set(a.entities) == set(m.ids) for a in domain.ambiguous.values()
        ):
            start = passage.start + span[0]
            yield Claim(
                source=passage.source,
                passage=passage.ordinal,
                start=start,
                end=passage.start + span[1],
                value_start=start + m.start,
                value_end=start + m.end,
                subject=" ".join(m.ids),
                metric="ambiguous_name",
                object=scene.text[m.start : m.end],
            )


def _figures(
    topic: Topic, scene: Scene, span: Span, metrics: dict[Quantity, str], carried: Sequence[str]
) -> Iterator[Figure]:
    """The figures that answering ranks sentences by; offsets count from the passage."""
    for quantity in scene.quantities:
        about = owners.subjects(topic.domain, scene, quantity, carried)
        metric = metrics.get(quantity) or topic.domain.default_metrics.get(quantity.dimension, "")
        yield Figure(about[0] if len(about) == 1 else "", metric, quantity.moved(span[0]))
