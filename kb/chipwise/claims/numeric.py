"""A claim for each figure of a sentence: what it measures, whose it is, under which conditions, and why that may be misread."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from chipwise import patterns as re
from chipwise.claims import baselines, owners, voice
from chipwise.claims.around import between
from chipwise.claims.clauses import Clause, clause_at, clauses_of
from chipwise.claims.departing import hardly_its
from chipwise.claims.doubts import doubt
from chipwise.claims.headed import of_its_heading, of_several_above
from chipwise.claims.holding import Held, exact_if_way, find_held, may_be_part, of_the_maker
from chipwise.claims.implying import implied
from chipwise.claims.inverting import turned
from chipwise.claims.leading import item_of, lead
from chipwise.claims.levels import is_level
from chipwise.claims.misreadings import UNKNOWN_VARIANT, is_of_some, no_such_size
from chipwise.claims.model import Claim, Modality, Qualifiers
from chipwise.claims.naming import own_mentions
from chipwise.claims.particular import is_bare_item
from chipwise.claims.polarity import negated
from chipwise.claims.putting import is_built_in, is_put_so
from chipwise.claims.qualifying import model_size, qualifiers, stated_above, terms_stated, with_run
from chipwise.claims.recognising import (
    may_be_of,
    named_at,
    owner_given,
    owner_proven,
    prove,
    reached,
    settled,
)
from chipwise.claims.rivals import of_listed_part
from chipwise.claims.scene import Scene
from chipwise.claims.scoping import without_sum_of_one
from chipwise.claims.topics import Topic
from chipwise.claims.variantwords import told_variant, variant_before, without_other_form
from chipwise.domain.catalogue import SCOPE
from chipwise.domain.model import Domain
from chipwise.domain.phrasebook import Mention
from chipwise.domain.records import Metric
from chipwise.numbers.quantities import Quantity
from chipwise.text import Span, asks, blanked
from chipwise.types import Passage

_ANYTHING = re.compile(
    r"\W*(?:some(?:thing|body|one)?|any(?:thing|body|one)?|no(?:thing|body|ne)?|whatever|other|another|most|many)\b",
    re.I,
)


# before a list: "It does **not**:", but not "Believe it or not:" and "What it won't:"
_DENIES = re.compile(
    r"^(?!.*\b(?:what|why|how|if|where|or)\b).*\b(?:(?:do|does|did|can|could|will|would|is|are|was|were)(?:\W+not|n['’]t)|cannot|never)\W*:\W*$",
    re.I | re.S,
)
_OWN = ("memory_kind", "form_factor")  # axes that a clause states for its own figures alone


@dataclass(frozen=True)
class _Reading:
    """A sentence, and what holds for all of its figures."""

    topic: Topic
    scene: Scene
    passage: Passage
    span: Span
    attribution: str
    above: Sequence[Mention]  # what the heading says of what was run
    run: str  # the size of the model that was
    lead: str  # of the list that it is an item of
    others_since: bool  # whether something else was named since its subject was
    before: Scene | None  # the sentence before

    @property
    def headings(self) -> Sequence[str]:
        return self.passage.heading or (self.topic.title,)


def find_numeric(
    topic: Topic, scenes: Sequence[Scene], passage: Passage, number: int, metrics: dict[Quantity, str]
) -> Iterator[Claim]:
    """The claims of the figures in sentence `number` of a passage, each with what it measures in `metrics`.

    `scenes` are those of all its sentences. Figures that the text gives to nobody have no subject.
    """
    domain, scene = topic.domain, scenes[number]
    if not scene.figures or asks(scene.text):
        return
    reading = _read(topic, scenes, passage, number)
    told = (topic.domain.metrics.get(metrics[q]) for q in scene.figures if not q.compares)
    measured_too = any(m is not None and m.nature == Modality.MEASURED for m in told)
    held = find_held(topic.domain, scene, topic.carried(scene) if topic.fresh else ())
    clauses = clauses_of(domain, scene)
    for quantity in (*scene.figures, *(q for q in held if q not in scene.figures and is_level(scene.text, q))):
        clause = clause_at(clauses, quantity)
        whole = held.get(quantity)
        metric = _metric(topic.domain, scene, quantity, whole, metrics)
        if metric is None or _is_of_a_name(scene, quantity, metric):
            continue
        alike = [q for q in scene.figures if metrics[q] == metric.id and not q.compares]
        relative = topic.relative(clause.scene, quantity)
        named = named_at(topic, clause.scene, quantity, metric)
        about = (named,) if named else _whose(topic, clause, quantity, metric, alike, whole, relative)
        about = about if whole or metric.about else settled(topic, clause.scene, metric, quantity, about)
        metric = metric if whole else reached(topic, metric, scene, quantity, about)
        baseline = baselines.baseline(topic.domain, scene, quantity, about)
        about = about or _set_against(topic, scene, baseline)
        if not _is_placed(metric, quantity, about, baseline, whole):
            continue
        measured = turned(topic.domain, metric, scene.text, quantity, about, baseline)
        if measured is None:
            continue
        metric, about, baseline = measured
        if metric.nature == "specified" and metric.dimension != "count" and not quantity.compares:
            about = tuple(i for i in about if not topic.domain.is_generic(i))
        shared = replace(_claim(reading, quantity, metric), baseline=baseline)
        if quantity.compares and metric.general and measured_too and shared.modality is Modality.SPECIFIED:
            shared = replace(shared, modality=Modality.MEASURED)  # "7,600 tokens/s, a 2.7x speed-up"
        for subject in about or ("",):
            placed = _with_all_held(domain, replace(shared, subject=subject), held)
            if named:  # "4x A100 40GB servers" have four of them, and each 40 GB
                placed = replace(placed, qualifiers=tuple(q for q in placed.qualifiers if q[0] not in SCOPE))
            placed = placed if len(clauses) == 1 else replace(placed, qualifiers=_of_clause(clause, placed))
            since = reading.others_since and relative is None
            claim = _of_subject(replace(reading, scene=clause.scene, others_since=since), quantity, metric, placed)
            prove(topic, claim)
            yield claim


def _of_clause(clause: Clause, claim: Claim) -> Qualifiers:
    """Less the kind of memory and the form that another clause states: "Maia 100 had 64 GB; Maia 200 has 216 GB of HBM3e"."""
    here = {i for m in clause.scene.qualifiers for i in m.ids}
    return tuple((axis, value) for axis, value in claim.qualifiers if axis not in _OWN or f"{axis}={value}" in here)


def _read(topic: Topic, scenes: Sequence[Scene], passage: Passage, number: int) -> _Reading:
    domain, scene = topic.domain, scenes[number]
    since = not own_mentions(domain, scene) and topic.others_since and not topic.in_named_item
    return _Reading(
        topic,
        scene,
        passage,
        passage.sentences[number],
        attribution=voice.attribution(domain, scene.text, passage.heading),
        above=stated_above(domain, topic.above),
        run=model_size(scene.text) or model_size(topic.above),
        lead=lead(passage, number) if item_of(passage, number) is not None else "",
        others_since=since,
        before=scenes[number - 1] if number else None,
    )


def _is_of_a_name(scene: Scene, quantity: Quantity, metric: Metric) -> bool:
    """True for the 40 GB of "an L2 cache of 40 MB for one A100 40GB", which tell which A100, and are no cache's."""
    named = any(m.start < quantity.start and quantity.end <= m.end for m in scene.entities)
    return named and not metric.plain


def _metric(
    domain: Domain, scene: Scene, quantity: Quantity, whole: Held | None, metrics: dict[Quantity, str]
) -> Metric | None:
    metric = domain.metrics.get(whole.metric if whole else metrics[quantity])
    if metric is not None and not whole and scene.is_a_part(quantity):
        # of a peak it is what was reached, of a memory nothing that it has
        return domain.metrics.get(metric.measured_as)
    return metric


def _claim(reading: _Reading, quantity: Quantity, metric: Metric) -> Claim:
    """What a figure says, whosever it is."""
    domain, scene, passage = reading.topic.domain, reading.scene, reading.passage
    start = passage.start + reading.span[0]
    stated = implied(domain, metric, quantity)
    above = [m for m in reading.above if not _is_other_deed(metric, m)]
    if metric.nature == "priced" and reading.lead:  # "On-demand prices are:"
        above += terms_stated(domain, reading.lead)
    return Claim(
        source=passage.source,
        passage=passage.ordinal,
        start=start,
        end=passage.start + reading.span[1],
        value_start=start + quantity.start,
        value_end=start + quantity.end,
        subject="",
        metric=metric.id,
        quantity=exact_if_way(domain, stated, scene.text[: quantity.start]).moved(start),
        qualifiers=with_run(domain, metric, qualifiers(domain, scene, quantity, metric, above), reading.run),
        modality=_as_headed(reading.topic, _modality(domain, scene, quantity, metric), built_in=is_built_in(metric)),
        attribution=reading.attribution,
        # "without sparsity" denies the sparsity
        polarity=not (
            _DENIES.search(reading.lead)
            or negated(blanked(scene.text, ((m.start, m.end) for m in scene.qualifiers)), quantity.start)
        ),
    )


def _modality(domain: Domain, scene: Scene, quantity: Quantity, metric: Metric) -> Modality:
    """How the text puts a figure; nobody measures how much memory a chip has: "for the benchmark on an A100 with 80 GB"."""
    put = voice.modality(domain, scene.text, metric.nature, quantity.start)
    if metric.nature != Modality.SPECIFIED or quantity.compares:
        return put
    measured = put is Modality.MEASURED and is_built_in(metric)
    return Modality.SPECIFIED if measured or not is_put_so(domain, scene, quantity, put) else put


def _as_headed(topic: Topic, own: Modality, *, built_in: bool) -> Modality:
    """How a figure is put where its heading says more; below "Training estimate" the memory of a chip is what it has."""
    headed = topic.as_headed(own)
    return own if built_in and headed is Modality.ESTIMATED else headed


def _is_other_deed(metric: Metric, above: Mention) -> bool:
    """True for the heading "Inference" over how long the training took."""
    return any(i == f"workload={deed}" for i in above.ids for deed in metric.never_in)


def _with_all_held(domain: Domain, claim: Claim, held: Mapping[Quantity, Held]) -> Claim:
    """With the number of chips that a claim of a chip is of: 9,216 for the 1.77 PB of "A full pod has 9,216 chips and 1.77 PB"."""
    counts = [q for q, h in held.items() if claim.qualifier("aggregation") in domain.metrics[h.metric].holders]
    if not is_of_some(domain, claim) or len(counts) != 1 or not counts[0].middle.is_integer():
        return claim
    return replace(claim, qualifiers=tuple(sorted((*claim.qualifiers, ("count", f"{counts[0].middle:.0f}")))))


def _of_subject(reading: _Reading, quantity: Quantity, metric: Metric, shared: Claim) -> Claim:
    """The claim of one that has the figure: of the variant that is told, with the first reason to doubt it."""
    domain, scene, subject = reading.topic.domain, reading.scene, shared.subject
    # what a section says of "the A100" is of the one that it is on
    variant = reading.topic.variants.get(subject, subject)
    whose = told_variant(domain, scene, quantity, variant or subject, shared.qualifiers, reading.headings[-1])
    own = without_other_form(domain, whose, shared.qualifiers)
    own = without_sum_of_one(domain, scene, subject, own) if metric.nature == "specified" else own
    claim = replace(shared, subject=whose, qualifiers=own)
    given = reading.topic.known.has(whose, claim.metric, quantity)
    if given:
        claim = replace(claim, modality=_as_known(reading, quantity, metric, claim.modality))
    placed = replace(claim, metric=domain.metric_of(claim.metric, claim.subject))
    told = (
        (doubt(domain, scene, quantity, claim, others_since=reading.others_since, given=given) if subject else "")
        or of_listed_part(domain, reading.lead)
        or may_be_part(domain, metric, quantity, scene.text)
        or (may_be_of(reading.topic, scene, metric, quantity, whose) if subject else "")
        or (hardly_its(reading.topic.known, scene, metric, quantity, placed, reading.headings) if subject else "")
        or of_its_heading(domain, claim, quantity, reading.headings)
        or of_several_above(domain, placed, (reading.lead,))
        or _of_a_bare_item(reading, quantity, placed)
        or (UNKNOWN_VARIANT if subject and (not variant or reading.topic.is_mobile(scene, subject)) else "")
        or no_such_size(domain, quantity, placed)
    )
    if whose == subject:
        whose = variant_before(domain, reading.before, scene, subject)
    return replace(placed, subject=whose, doubt=told)


def _as_known(reading: _Reading, quantity: Quantity, metric: Metric, put: Modality) -> Modality:
    """How a figure is put that the table gives as well: a roadmap promises nothing that is there.

    "It has 80 GB, and for more you would buy another": nobody supposes or guesses the 80.
    """
    scene = reading.scene
    joined = any(not scene.text[slice(*between((m.start, m.end), quantity))].strip(" (-") for m in scene.entities)
    if is_built_in(metric) and (put in (Modality.HYPOTHETICAL, Modality.ESTIMATED) or joined):
        return Modality.SPECIFIED  # "the goal: to run it on a 24 GB RTX 4090"
    own = _modality(reading.topic.domain, scene, quantity, metric)
    return own if own is Modality.SPECIFIED else put


def _of_a_bare_item(reading: _Reading, quantity: Quantity, claim: Claim) -> str:
    """What an item says that is a figure and no more, below no name: "- 32 GB" may be a cell of a table that is written as lists."""
    topic = reading.topic
    told = topic.in_named_item or claim.subject in topic.headed or topic.domain.find_entities(reading.lead)
    return "" if told or not is_bare_item(reading.scene, quantity) else "the item does not say of what it is"


def _whose(
    topic: Topic,
    clause: Clause,
    quantity: Quantity,
    metric: Metric,
    alike: Sequence[Quantity],
    whole: Held | None,
    relative: tuple[str, ...] | None,
) -> tuple[str, ...]:
    """Whose a figure is: of a count of chips what holds them, of several alike figures one each, else the owner.

    `alike` are the figures of the sentence with the same metric, `relative` whom "its predecessor" before it means.
    """
    domain, scene = topic.domain, clause.scene
    carried = clause.it or topic.continued(scene)
    if whole and whole.about:
        return of_the_maker(domain, whole.about) if whole.anybodys else whole.about
    if metric.about:
        return owners.models(domain, scene, quantity, metric)
    found = topic.one_each(scene, alike, quantity)
    found = found or (owners.subjects(domain, scene, quantity, carried) if relative is None else relative)
    found = topic.of_the_company(scene, found)
    if not any(domain.is_specific(i) for m in own_mentions(domain, scene) for i in m.ids):
        found = owner_given(topic, scene, metric, quantity, found) or found or owner_proven(topic, scene)
    if whole and whole.anybodys:  # "the rack has 72 GPUs": the GPUs are not whose they are
        about = carried or (topic.carried(scene) if topic.fresh and not scene.entities else ())
        counted = {i for m in scene.entities if m.start < quantity.end and quantity.start < m.end for i in m.ids}
        # "each instance has 8 x H100" is of no HGX H100, by which name one may call the eight
        return of_the_maker(domain, [i for i in found if not (i in counted and domain.is_machine(i))]) or of_the_maker(
            domain, about
        )
    return found


def _set_against(topic: Topic, scene: Scene, baseline: str) -> tuple[str, ...]:
    """What a text is about, where a sentence sets something unnamed against another: "A chip with 4.7x the peak of v5p ..."."""
    named = (i for m in own_mentions(topic.domain, scene) for i in m.ids if topic.domain.is_specific(i))
    if not baseline or _ANYTHING.match(scene.text) or any(i != baseline for i in named):
        return ()
    return tuple(i for i in topic.carried(scene) if topic.domain.is_specific(i) and i != baseline)


def _is_placed(metric: Metric, quantity: Quantity, about: Sequence[str], baseline: str, whole: Held | None) -> bool:
    """False where nobody is named whose figure it can be: "70B parameters" of no model, "twice the bandwidth" of what?"""
    if not quantity.compares:
        return bool(about) or not (metric.about or (whole and whole.anybodys))
    saved = quantity.form == "discount" or (metric.dimension == "ratio" and metric.nature == "priced")
    return bool(about) and (saved or bool(baseline))  # "30% off" is off its own price
