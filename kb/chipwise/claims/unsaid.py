"""What a reader who knows the chips adds to a text: the unit of a bare number, and what it is that a date is of.

    "Memory: 192 GB at 5.3 TB/s, whereas the H100 makes do with 80 GB at 3.35"    3.35 TB/s, as the H100 has
    "The B200's dense FP8 figure is 4,500"                                        TFLOPS, as its peak is
    "The H100 followed, shown in March 2022"                                      when it was announced

Only what agrees with the table to the last digit is read so, where something of the kind was spoken of right before, and
where nothing stated beside it is against it. What departs from the table is left alone: it may be anything.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from chipwise import patterns as re
from chipwise.claims import voice
from chipwise.claims.dates import MONTH, Date, read_dates
from chipwise.claims.implying import in_unit
from chipwise.claims.known import Known, telling_digits
from chipwise.claims.model import Claim, Modality
from chipwise.claims.naming import own_mentions
from chipwise.claims.polarity import negated
from chipwise.claims.qualifying import qualifiers
from chipwise.claims.scene import Scene
from chipwise.claims.topics import Topic
from chipwise.claims.variantwords import told_variant
from chipwise.domain.catalogue import ONE_CHIP
from chipwise.domain.model import Domain
from chipwise.numbers.quantities import Quantity
from chipwise.text import asks, words
from chipwise.types import Passage, Role

_TELLING = 2  # digits of a number of at least three that hardly anything else has
_WRITTEN = 3
_LEAST = {"priced": 4, "measured": 4}  # of what varies
_BOUND_BEFORE = 12  # characters of "up to ", "about " and the like
_OF_MANY = frozenset(("count", "ratio"))  # dimensions of much that has nothing to do with another
_NUMBER = re.compile(
    r"(?<![\w.,$€£/%×=-])(?<!:\s)(?<!=\s)~?(\d{1,3}(?:,\d{3})+|\d+(?:\.\d+)?)(?![\w%])(?!,\d|\.\d|\s?%|-\w|\s?[x×/]\s?\d)"
)
_YEAR = re.compile(r"(?:19|20)\d\d")
_BINARY = 128  # of which sizes, strides and widths of all kinds are multiples
# behind a number that stands for a figure: no noun that it would count
_GOES_ON = re.compile(
    r"[*_\"']*(?:[.,;:)|—–?!]|\s?$|\s(?:[-–—(]|(?:and|or|but|while|whereas|where|with|without|if|when|that|which|in|on|of|for|from|to|at|as|is|are|was|were"
    r"|holds?|you|it|they|we|instead|out|both|one\sway|each|apiece|counting|once|only|before|after|because|though|although|since|so|then|than|against"
    r"|versus|vs|dense|sparse|per)\b))"
)
# before a number that is part of a name or of a date
_NAMED = re.compile(
    r"(?:\b(?:in|since|page|section|chapter|slide|step|item|issue|version|no\.?|number|gen|table|figure|fig\.|line)|(?<=\w\s)[A-Z][a-z]+)\s$"
)
_OF_SOMETHING_ELSE = re.compile(
    r"\b(?:prices?|priced|lists?|listed|survey|version|driver|release\snotes|results?|round|benchmark|MLPerf|paper|edition|updated|measured)\b",
    re.I,
)


def bare_figures(
    topic: Topic, scenes: Sequence[Scene], passage: Passage, number: int, told: Iterable[Claim]
) -> Iterator[Claim]:
    """The figures of sentence `number` without a unit that are known of whom the sentence names, or is about."""
    scene, known = scenes[number], topic.known
    if not known or asks(scene.text) or passage.role is Role.TABLE:
        return
    start = passage.start + passage.sentences[number][0]
    taken = [(c.value_start - start, c.value_end - start) for c in told if c.quantity is not None]
    taken += [(q.start, q.end) for q in scene.quantities] + [(m.start, m.end) for m in scene.entities]
    kinds = _spoken_of(topic.domain, scenes[max(0, number - 2) : number + 1])
    for match in _NUMBER.finditer(scene.text):
        if any(a < match.end(1) and match.start(1) < b for a, b in taken) or not _stands_for_a_figure(
            scene.text, match
        ):
            continue
        if (claim := _known_claim(topic, scene, match, kinds)) is not None:
            yield replace(
                claim,
                source=passage.source,
                passage=passage.ordinal,
                start=start,
                end=passage.start + passage.sentences[number][1],
                value_start=start + match.start(1),
                value_end=start + match.end(1),
                quantity=claim.quantity.moved(start) if claim.quantity is not None else None,
                attribution=voice.attribution(topic.domain, scene.text, passage.heading),
            )


def bare_dates(topic: Topic, scene: Scene, passage: Passage, number: int, told: Iterable[Claim]) -> Iterator[Claim]:
    """The dates of a sentence of which it does not say what they are of, and which are known of whom it names, or is about."""
    if not topic.known or asks(scene.text) or _OF_SOMETHING_ELSE.search(scene.text):
        return
    start = passage.start + passage.sentences[number][0]
    taken = [(c.value_start - start, c.value_end - start) for c in told]
    for date in read_dates(scene.text):
        if len(date.iso) < MONTH or date.approx or any(a < date.end and date.start < b for a, b in taken):
            continue
        for subject in _whose(topic, scene, date.start):
            found = [metric for metric, iso in topic.known.dates(subject) if _is_same(date, iso)]
            if len(found) == 1 and not negated(scene.text, date.start):
                yield Claim(
                    passage.source,
                    passage.ordinal,
                    start,
                    passage.start + passage.sentences[number][1],
                    start + date.start,
                    start + date.end,
                    subject,
                    found[0],
                    object=date.iso,
                )
                break


def _is_same(date: Date, iso: str) -> bool:
    return len(iso) >= MONTH and (iso.startswith(date.iso) or date.iso.startswith(iso))


def _stands_for_a_figure(text: str, number: re.Match[str]) -> bool:
    written = number[1]
    if (
        telling_digits(written) < _TELLING
        or sum(map(str.isdigit, written)) < _WRITTEN
        or (_YEAR.fullmatch(written) and "," not in written)
        or (written.isdigit() and int(written) % _BINARY == 0)
    ):
        return False
    return bool(_GOES_ON.match(text, number.end())) and not _NAMED.search(text, 0, number.start())


def _spoken_of(domain: Domain, scenes: Sequence[Scene]) -> set[str]:
    """The dimensions of the figures and metrics of some sentences; of counts the metrics that are named."""
    found = {q.dimension for scene in scenes for q in scene.quantities if not q.compares}
    return {_kind(domain, i) for scene in scenes for m in scene.metrics for i in m.ids} | (found - _OF_MANY)


def _kind(domain: Domain, metric: str) -> str:
    """What a figure has to be spoken of as: its dimension, or where that says little its metric."""
    dimension = domain.metrics[metric].dimension
    return metric if dimension in _OF_MANY else dimension


def _known_claim(topic: Topic, scene: Scene, number: re.Match[str], kinds: set[str]) -> Claim | None:
    """What is known of the one that a number is nearest to, in the unit that it is known in; what else is stated must fit it."""
    domain, at = topic.domain, number.start(1)
    begin = max(0, at - _BOUND_BEFORE)
    around = domain.unit_table.find_all(scene.text[begin : number.end(1)])  # with its "~" and "up to"
    read = next((q for q in around if q.dimension == "number" and q.end == number.end(1) - begin), None)
    if read is None or negated(scene.text, at):
        return None
    figure = replace(read, start=at, end=number.end(1))
    facts = ((subject, fact) for subject in _whose(topic, scene, at) for fact in topic.known.facts(subject))
    spoken_of = ((subject, fact) for subject, fact in facts if _kind(domain, fact.metric) in kinds)
    told = (_stated_again(topic, scene, subject, fact, figure) for subject, fact in spoken_of)
    return next(filter(None, told), None)


def _stated_again(topic: Topic, scene: Scene, subject: str, fact: Claim, number: Quantity) -> Claim | None:
    """A fact on `subject` that a number states again; None where it has too few digits, or its sentence says anything else of it."""
    domain, metric = topic.domain, topic.domain.metrics[fact.metric]
    tells = telling_digits(scene.text[number.start : number.end]) >= _LEAST.get(metric.nature, _TELLING)
    figure = _as_known(topic.known, fact, number) if tells else None
    of_one = fact.qualifier("aggregation") in ONE_CHIP or not domain.is_chip(subject)
    if figure is None or not of_one:
        return None
    beside = replace(scene, quantities=sorted([*scene.quantities, figure], key=lambda q: q.start))
    stated = qualifiers(domain, beside, figure, metric)
    supposed = voice.modality(domain, scene.text, metric.nature, figure.start) is Modality.HYPOTHETICAL
    if supposed or not all(fact.qualifier(axis) in ("", value) for axis, value in stated):
        return None
    whose = fact.subject if _tells_form(domain, scene, fact.subject) else ""
    whose = whose or told_variant(domain, beside, figure, subject, stated, topic.title)
    own = tuple((axis, value) for axis, value in stated if fact.qualifier(axis))
    return replace(fact, subject=whose, quantity=figure, qualifiers=own, doubt="")


def _tells_form(domain: Domain, scene: Scene, variant: str) -> bool:
    """True for the H100 PCIe of "the PCIe form of the H100 enables 114", whose bare "PCIe" might be a bus of anybody else."""
    form = domain.entities[variant].form_factor
    return bool(form) and form.lower() in words(scene.text)


def _as_known(known: Known, fact: Claim, number: Quantity) -> Quantity | None:
    """A number in the unit in which it is the figure of a fact; None where it is that in none, or only bounds it."""
    if fact.quantity is None or not fact.quantity.is_single or number.bound not in ("exact", "about"):
        return None
    figures = (in_unit(known.domain, unit, number) for unit in known.units_of(fact.metric))
    return next((figure for figure in figures if figure.agrees_with(fact.quantity)), None)


def _whose(topic: Topic, scene: Scene, at: int) -> list[str]:
    """Whom a figure may be of: who is named in its sentence, the nearest first, or whom that is about."""
    own = sorted(own_mentions(topic.domain, scene), key=lambda m: min(abs(at - m.end), abs(m.start - at)))
    named = [m.ids[0] for m in own if len(m.ids) == 1 and topic.domain.is_specific(m.ids[0])]
    return list(dict.fromkeys(named or [i for i in topic.carried(scene) if topic.domain.is_specific(i)]))
