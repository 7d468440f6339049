"""From the passages of one source to its sentences, with what they name, and its claims.

    "The H100 has 80 GB of memory; its successor, the H200, has 141 GB."
        ->  (nvidia-h100, memory_capacity, 80 GB), (nvidia-h200, memory_capacity, 141 GB)

Runs once, at ingest, in reading order: a sentence without a chip of its own is
about what was spoken of last under the same heading.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from chipwise.claims import owners, slots, voice
from chipwise.claims.categories import find_categories
from chipwise.claims.doubts import doubt, without_rivals
from chipwise.claims.grid import Grid
from chipwise.claims.holding import Held, exact_if_way, find_held, may_be_part, of_the_maker
from chipwise.claims.inverting import turned
from chipwise.claims.leftover import find_leftover, without_told
from chipwise.claims.misreadings import UNKNOWN_VARIANT, no_such_size, of_its_heading
from chipwise.claims.model import Claim, Modality
from chipwise.claims.notes import notes_on
from chipwise.claims.places import PAIR, read_tables
from chipwise.claims.polarity import negated
from chipwise.claims.qualifying import model_size, qualifiers, stated_above, with_run
from chipwise.claims.rivals import names_a_relative, of_listed_part
from chipwise.claims.scene import SPECIFIC, Scene, ids, read_scene
from chipwise.claims.tabular import claims_of_table
from chipwise.claims.topics import Topic, own_mentions
from chipwise.claims.variants import told_variant, without_other_form
from chipwise.domain import Domain
from chipwise.figures import Figure, Sentence
from chipwise.quantities import Quantity
from chipwise.records import Metric
from chipwise.text import BULLET, ITEM_MARK, Span, asks, blanked
from chipwise.types import Passage, Role

_ANYTHING = re.compile(
    r"\W*(?:some(?:thing|body|one)?|any(?:thing|body|one)?|no(?:thing|body|ne)?|whatever|other|another|most|many)\b",
    re.I,
)
_OPENING = re.compile(rf"\s*{BULLET}\s+\**([^.:?!]{{3,60}}:)")  # "- Use GPUs if: ..."


def extract(
    passages: Sequence[Passage], domain: Domain, title: str = "", *, unplaced: bool = False
) -> tuple[list[tuple[Sentence, ...]], list[Claim]]:
    """For each passage of one source, in order, its sentences; and all claims of the source.

    Where no heading names a chip, the source's `title` may: "H200 Tensor Core GPU". With
    `unplaced`, also the figures that the text gives to nothing that it names, as claims
    without a subject, and those of which it does not tell what they measure, as claims
    without a metric: a check tells that they are there, and nothing can be said of them.
    """
    topic = Topic(domain, title)
    annotated: list[tuple[Sentence, ...]] = []
    claims: list[Claim] = []
    tables = read_tables(passages, domain)
    for number, passage in enumerate(passages):
        about = topic.about
        topic.enter(passage)
        if passage.role is Role.CODE:  # "--shm-size=4G" says nothing of a chip
            annotated.append(tuple(Sentence(*span, (), (), (), ()) for span in passage.sentences))
            continue
        grid = tables.get(passage.ordinal)
        section = _section_subject(topic, about, grid) if grid else ()
        notes = notes_on(domain, passages, number) if grid else []
        cells = list(claims_of_table(domain, passage, grid, section, notes, unplaced=unplaced)) if grid else []
        sentences = []
        for at in range(len(passage.sentences)):
            sentence, found = _read(topic, passage, at, unplaced=unplaced)
            sentences.append(_with_cells(sentence, passage, cells) if cells else sentence)
            claims += [] if grid is not None and grid.headers else (c for c in found if c.subject or unplaced)
        claims += cells
        annotated.append(tuple(sentences))
    return annotated, without_told(claims) if unplaced else claims


def _section_subject(topic: Topic, before: tuple[str, ...], grid: Grid) -> tuple[str, ...]:
    """What a table without subjects of its own is about: its heading's chip, or for a list of properties what came before.

    Rows that name other things than chips ("HBM2e", "HBM3") are not about what was spoken of before.
    """
    headed = [m for part in (*reversed(topic.heading or ()), topic.title) for m in topic.domain.find_entities(part)]
    specific = tuple(i for m in headed[:1] for i in m.ids if topic.is_specific(i))
    return specific or (before if len(grid.headers) <= PAIR else ())


def _with_cells(sentence: Sentence, passage: Passage, cells: Sequence[Claim]) -> Sentence:
    """A table row whose figures are its cells'."""
    start, end = passage.start + sentence.start, passage.start + sentence.end
    own = [c for c in cells if c.quantity is not None and start <= c.start and c.end <= end]
    figures = tuple(
        Figure(c.subject, c.metric, c.quantity.moved(-passage.start)) for c in own if c.quantity is not None
    )
    return replace(sentence, figures=figures) if figures else sentence


def _read(topic: Topic, passage: Passage, number: int, *, unplaced: bool) -> tuple[Sentence, list[Claim]]:
    domain, span = topic.domain, passage.sentences[number]
    text = passage.text[slice(*span)]
    scene = read_scene(domain, text)
    item = _item(passage, number)
    topic.in_item = item is not None and item < number
    carried = topic.carried(scene)
    asked = slots.told_above(domain, _question_before(passage, number))
    before = passage.text[slice(*passage.sentences[number - 1])] if number and topic.fresh else ""
    metrics = slots.metrics(domain, scene, (*asked, *slots.told_above(domain, topic.above)), before)
    continued = topic.continued(scene)
    claims = list(without_rivals(domain, list(_numeric(topic, scene, passage, number, metrics))))
    claims += find_leftover(domain, scene, passage, span, continued) if unplaced else ()
    claims += _categories(topic, scene, passage, number, carried)
    claims += _ambiguous(domain, scene, passage, span)
    own = any(domain.entities[i].kind in SPECIFIC for m in own_mentions(domain, scene) for i in m.ids)
    specific = () if own else tuple(i for i in carried if topic.is_specific(i))
    figures = tuple(_figures(topic, scene, span, metrics, specific))
    topic.follow(scene)
    names = (ids(scene.entities), specific, ids(scene.metrics), ids(scene.terms))
    return Sentence(*span, *names, figures), claims


def _question_before(passage: Passage, number: int) -> str:
    """The question that a sentence answers: "How much memory has it? 80 GB."."""
    before = passage.text[slice(*passage.sentences[number - 1])].strip() if number else ""
    return before if before.endswith("?") else ""


def _numeric(
    topic: Topic,
    scene: Scene,
    passage: Passage,
    number: int,
    metrics: dict[Quantity, str],
) -> Iterator[Claim]:
    domain = topic.domain
    if not scene.figures or asks(scene.text):
        return
    span = passage.sentences[number]
    start = passage.start + span[0]
    said_by = voice.attribution(domain, scene.text, passage.heading)
    own = bool(own_mentions(domain, scene))
    above, run = stated_above(domain, topic.above), model_size(scene.text) or model_size(topic.above)
    headings = passage.heading or (topic.title,)
    held = find_held(domain, scene)
    listed_under = of_listed_part(domain, _lead(passage, number)) if _item(passage, number) is not None else ""
    for quantity in (*scene.figures, *(q for q in held if q not in scene.figures)):
        whole = held.get(quantity)
        metric = domain.metrics.get(whole.metric if whole else metrics[quantity])
        if metric is not None and not whole and scene.is_a_part(quantity):
            # of a peak it is what was reached, of a memory nothing that it has
            metric = domain.metrics.get(metric.measured_as)
        if metric is None:
            continue
        alike = [q for q in scene.figures if metrics[q] == metric.id and not q.compares]
        about = _whose(topic, scene, quantity, metric, alike, whole)
        baseline = owners.baseline(domain, scene, quantity, about)
        about = about or _set_against(topic, scene, baseline)
        if not _is_placed(metric, quantity, about, baseline, whole):
            continue
        measured = turned(domain, metric, scene.text, quantity, about, baseline)
        if measured is None:
            continue
        metric, about, baseline = measured
        if metric.nature == "specified" and metric.dimension != "count" and not quantity.compares:
            about = tuple(i for i in about if not _is_any(domain, i))
        shared = Claim(
            source=passage.source,
            passage=passage.ordinal,
            start=start,
            end=passage.start + span[1],
            value_start=start + quantity.start,
            value_end=start + quantity.end,
            subject="",
            metric=metric.id,
            quantity=exact_if_way(domain, slots.implied(domain, metric, quantity), scene.text[: quantity.start]).moved(
                start
            ),
            baseline=baseline,
            qualifiers=with_run(domain, metric, qualifiers(domain, scene, quantity, metric, above), run),
            modality=topic.as_headed(voice.modality(domain, scene.text, metric.nature, quantity.start)),
            attribution=said_by,
            # "without sparsity" denies the sparsity
            polarity=not negated(blanked(scene.text, ((m.start, m.end) for m in scene.qualifiers)), quantity.start),
        )
        since = not own and topic.others_since and not topic.in_named_item
        for subject in about or ("",):
            variant = topic.variants.get(
                subject, subject
            )  # what a section says of "the A100" is of the one that it is on
            whose = told_variant(domain, scene, quantity, variant or subject, shared.qualifiers)
            claim = replace(shared, subject=whose, qualifiers=without_other_form(domain, whose, shared.qualifiers))
            told = doubt(domain, scene, quantity, claim, others_since=since) if subject else ""
            told = (
                told
                or listed_under
                or may_be_part(domain, metric, quantity, scene.text)
                or of_its_heading(domain, claim, quantity, headings)
            )
            told = told or (UNKNOWN_VARIANT if not variant and subject else "")
            placed = replace(claim, metric=domain.metric_of(claim.metric, claim.subject))
            yield replace(placed, doubt=told or no_such_size(domain, quantity, placed))


def _whose(
    topic: Topic, scene: Scene, quantity: Quantity, metric: Metric, alike: Sequence[Quantity], whole: Held | None
) -> tuple[str, ...]:
    """Whose a figure is: of a count of chips what holds them, of several alike figures one each, else the owner.

    `alike` are the figures of the sentence with the same metric.
    """
    domain, carried = topic.domain, topic.continued(scene)
    if whole and whole.about:
        return of_the_maker(domain, whole.about) if whole.anybodys else whole.about
    if metric.about:
        return owners.models(domain, scene, quantity, metric)
    found = topic.one_each(scene, alike, quantity) or owners.subjects(domain, scene, quantity, carried)
    if whole and whole.anybodys:  # "the rack has 72 GPUs": the GPUs are not whose they are
        return of_the_maker(domain, found) or of_the_maker(domain, carried)
    return found


def _set_against(topic: Topic, scene: Scene, baseline: str) -> tuple[str, ...]:
    """What a text is about, where a sentence sets something unnamed against another: "A chip with 4.7x the peak of v5p ..."."""
    if not baseline or _ANYTHING.match(scene.text):
        return ()
    return tuple(i for i in topic.carried(scene) if topic.is_specific(i) and i != baseline)


def _is_any(domain: Domain, subject: str) -> bool:
    """True for "GPU" and "accelerator", which are of all vendors: no such thing is specified of all of them."""
    entity = domain.entities.get(subject)
    return entity is not None and entity.kind == "line" and not entity.vendor


def _is_placed(metric: Metric, quantity: Quantity, about: Sequence[str], baseline: str, whole: Held | None) -> bool:
    """False where nobody is named whose figure it can be: "70B parameters" of no model, "twice the bandwidth" of what?"""
    if not quantity.compares:
        return bool(about) or not (metric.about or (whole and whole.anybodys))
    saved = quantity.form == "discount" or (metric.dimension == "ratio" and metric.nature == "priced")
    return bool(about) and (saved or bool(baseline))  # "30% off" is off its own price


def _categories(topic: Topic, scene: Scene, passage: Passage, number: int, carried: tuple[str, ...]) -> Iterator[Claim]:
    """What the sentence says that is no figure."""
    span = passage.sentences[number]
    start = passage.start + span[0]
    lead = _lead(passage, number)
    named = [m for m in scene.entities if not names_a_relative(scene, m)]
    carried = carried if len(named) == len(scene.entities) else ()
    found = find_categories(topic.domain, scene.text, named, scene.terms, carried, lead)
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
        )


def _lead(passage: Passage, number: int) -> str:
    """What a sentence stands under: the words that open its item or lead into its list, a question, its heading."""
    item = _item(passage, number)
    if item is not None:
        own = _OPENING.match(passage.text[slice(*passage.sentences[item])])
        if own and number > item:
            return own[1]
        for earlier in range(item - 1, -1, -1):
            if _item(passage, earlier) is None:
                before = passage.text[slice(*passage.sentences[earlier])].strip()
                return before if before.endswith(":") else ""
    if number:
        before = passage.text[slice(*passage.sentences[number - 1])].strip()
        if before.endswith(("?", ":")):
            return before
    return passage.heading[-1] if passage.heading and number == 0 else ""


def _item(passage: Passage, number: int) -> int | None:
    """The sentence that begins the list item of this one: itself, or one before it on its line."""
    for at in range(number, -1, -1):
        start = passage.sentences[at][0]
        if ITEM_MARK.match(passage.text[start : passage.sentences[at][1]]):
            return at
        if at and "\n" in passage.text[passage.sentences[at - 1][1] : start]:
            return None
    return None


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
