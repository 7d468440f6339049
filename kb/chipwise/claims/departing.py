"""What the table of facts tells against: a figure that is none of those that its product is known to have.

    "Dual RTX 3090 (48 GB total)"     a name and a figure, and no word that the one has the other
    "- Optimizer: 8 GB"               below a card that has 24 GB

    | GPU  | Min VRAM |
    | L40S | 45 GB    |     none of the column's figures is what its product has: it is a column of something else
    | A40  | 45 GB    |

    "H100 PCIe 96 GB: 3,360 GB/s"     of a variant with more memory than any that the table knows

Most of what departs from a data sheet is no error of a text but something else that it gives: what is needed, what is in use, what two
have together. So it has to be said plainly: "The RTX 3090 has 48 GB" is held against the table, and what only stands beside a name is not.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

from chipwise import patterns as re
from chipwise.claims.around import between, named
from chipwise.claims.columns import key
from chipwise.claims.known import Known
from chipwise.claims.misreadings import UNKNOWN_VARIANT
from chipwise.claims.model import Claim
from chipwise.claims.naming import names
from chipwise.claims.onlyone import is_single
from chipwise.claims.places import Place
from chipwise.claims.scene import Scene
from chipwise.claims.stretches import PRONOUN
from chipwise.domain.phrasebook import Mention
from chipwise.domain.records import Metric
from chipwise.numbers.quantities import Quantity
from chipwise.text import blanked, words

_NEAR = 0.1  # of a figure: what a driver counts of a memory, GB for GiB, a rounded rate
_FAR = 30.0  # times: of a thing of another kind
_NO_SLIP = 0.02  # of the logarithm: 1,000 and 1,024 times are slips of a unit
_LEAST = 2  # figures of a column that depart
_MANY = 3  # figures of one product in a text
# words between a name and a figure that tie them no closer: "RTX 3070 or better (24 GB VRAM)", "Dual RTX 3090 (48 GB total)"
_NO_TIE = frozenset("or and better newer higher above similar equivalent total each".split())
_LABELS = re.compile(r"[:.]\**\s")
_GIVES = re.compile(
    r"\b(?:gives?|gave|giving|lends?|affords?|grants?|provides?|allows?|leaves?)\s(?:(?:the|each|every|an?|its)\s)?$",
    re.I,
)
_OPENS_BRACKET = re.compile(r"\W*\s?\(\W*(?:up to\s)?[~≈]?")
_CLOSES_IT = re.compile(r"\s?(?:[\w-]+\s){0,2}\W{0,2}[),;]")
_IN_ITS_NAME = re.compile(r"[\s-]")  # before the memory of a variant: "H100 PCIe 96 GB"


def hardly_its(
    known: Known, scene: Scene, metric: Metric, quantity: Quantity, claim: Claim, headings: Sequence[str] = ()
) -> str:
    """Why a figure is hardly of the one that a sentence gives it to, which is known to have another; or ""."""
    given = _given(known, metric, quantity, claim.subject)
    if not given or known.has(claim.subject, metric.id, quantity):
        return ""
    if any(_has_another_size(known, text, claim.subject) for text in (scene.text, *headings)):
        return UNKNOWN_VARIANT
    if PRONOUN.match(scene.text):
        return ""
    own = [m for m in scene.entities if names(known.domain, m, claim.subject)]
    if own:
        plain = not is_single(metric) or _is_near(quantity, given) or any(_says_so(scene, quantity, m) for m in own)
        return "" if plain else "it only stands beside a name, and the table gives another one"
    unnamed = not any(metric.id in m.ids for m in scene.metrics) and metric.dimension == "information"
    of_one = claim.qualifier("aggregation") in ("", "chip") and not claim.qualifier("count")
    if unnamed or (of_one and _is_far(quantity, given)):
        name = known.domain.entities[claim.subject].name
        return f"what it is of is not named there, and the {name} has another one"
    times = {round(quantity.middle / q.middle, 3) for q in given if q.middle > 0}
    several = metric.scales and known.domain.is_chip(claim.subject) and not claim.qualifier("aggregation")
    return "it may be of several together" if several and any(t > 1 and t.is_integer() for t in times) else ""


def hardly_its_date(known: Known, scene: Scene, subject: str, metric: str, iso: str) -> str:
    """Why a date is hardly of what was spoken of before, which is known to have another: "- Released January 2025" below some model; or ""."""
    given = [other for m, other in known.dates(subject) if m == metric]
    own = PRONOUN.match(scene.text) or any(names(known.domain, m, subject) for m in scene.entities)
    if own or not given or any(other.startswith(iso) or iso.startswith(other) for other in given):
        return ""
    return "what it is of is not named there, and the table gives another date"


def _has_another_size(known: Known, text: str, subject: str) -> bool:
    """True where a name goes on to a memory that its product is known to come without: "H100 PCIe 96 GB"."""
    kept = {m for m, _ in known.figures(subject) if _is_memory(known.domain.metrics[m])}
    own = [m for m in known.domain.find_entities(text) if names(known.domain, m, subject)] if kept else []
    written = known.domain.unit_table.find(text) if own else []
    return any(
        q.dimension == "information" and not any(known.has(subject, metric, q) for metric in kept)
        for m in own
        for q in written
        if _IN_ITS_NAME.fullmatch(text, m.end, q.start)
    )


def _is_memory(metric: Metric) -> bool:
    return metric.dimension == "information" and bool(metric.plain)


def in_odd_places(known: Known, told: Sequence[tuple[Place, Claim]]) -> Iterator[Claim]:
    """The claims of a table; doubted where most of a column is none of what its products are known to have, or of one product in several sizes.

    As well as what departs in a row of a variant that the table does not know.
    """
    columns: dict[tuple[str, str, str], list[bool]] = {}  # whether a figure departs, by what it is a figure of
    rows: dict[tuple[object, ...], set[float]] = {}  # the sizes that one product has there
    for place, claim in told:
        if (departs := _departs(known, claim)) is not None and claim.quantity is not None:
            columns.setdefault((*key(place), claim.metric), []).append(departs)
            rows.setdefault(_one(place, claim), set()).add(round(claim.quantity.middle, 9))
    for place, claim in told:
        column = columns.get((*key(place), claim.metric), [])
        odd = column.count(True) >= _LEAST and column.count(True) > column.count(False) and _departs(known, claim)
        single = claim.metric in known.domain.metrics and is_single(known.domain.metrics[claim.metric])
        several = single and len(rows.get(_one(place, claim), ())) > 1 and not known.gives(claim)
        doubt = claim.doubt or ("most of its column is none of what is known" if odd else "")
        doubt = doubt or ("its column gives several of them" if several else "")
        if not (doubt or known.gives(claim)) and _has_another_size(known, place.naming, claim.subject):
            doubt = UNKNOWN_VARIANT
        yield replace(claim, doubt=doubt)


def in_many_sizes(known: Known, told: Sequence[Claim]) -> Iterator[Claim]:
    """The claims of a text; doubted where it gives one product many figures of what that has one of, none of them its own.

    "VRAM: ~3 GB" below one model, "VRAM: ~14 GB" below the next, in a text about one card: they say what is used of it.
    """
    departing = [c.metric in known.domain.metrics and bool(_departs(known, c)) for c in told]
    sizes: dict[tuple[str, str], set[float]] = {}
    for claim, departs in zip(told, departing, strict=True):
        if departs and not claim.doubt and claim.quantity and is_single(known.domain.metrics[claim.metric]):
            sizes.setdefault((claim.subject, claim.metric), set()).add(round(claim.quantity.middle, 9))
    for claim, departs in zip(told, departing, strict=True):
        many = departs and len(sizes.get((claim.subject, claim.metric), ())) >= _MANY
        yield replace(claim, doubt="the text gives it many such figures") if many and not claim.doubt else claim


def _one(place: Place, claim: Claim) -> tuple[object, ...]:
    """What a product has one of, in one column of a table."""
    return (*key(place), claim.subject, claim.metric, claim.qualifiers)


def _departs(known: Known, claim: Claim) -> bool | None:
    """Whether a figure departs from what is known of its subject; None where nothing is, or it is no figure of a property."""
    metric = known.domain.metrics.get(claim.metric)
    if metric is None or claim.quantity is None:
        return None
    given = _given(known, metric, claim.quantity, claim.subject)
    if not given:
        return None
    return not (known.gives(claim) or _is_near(claim.quantity, given))


def _given(known: Known, metric: Metric, quantity: Quantity, subject: str) -> list[Quantity]:
    """The figures of a property that the table gives, where such a one can be held against them."""
    if quantity.compares or metric.nature != "specified" or not quantity.is_single:
        return []
    given = (q for m, q in known.figures(subject) if m == metric.id)
    return [q for q in given if q.is_single and q.dimension == quantity.dimension]


def _is_far(quantity: Quantity, given: Sequence[Quantity]) -> bool:
    """True for what is many times as much or as little as is known, and no slip of a unit, which leaves the digits."""
    times = [
        max(quantity.middle, q.middle) / min(quantity.middle, q.middle)
        for q in given
        if min(quantity.middle, q.middle) > 0
    ]
    return all(t > _FAR and abs(math.log10(t) - round(math.log10(t))) > _NO_SLIP for t in times)


def _is_near(quantity: Quantity, given: Sequence[Quantity]) -> bool:
    return any(abs(quantity.middle - q.middle) <= _NEAR * q.middle for q in given)


def _says_so(scene: Scene, quantity: Quantity, mention: Mention) -> bool:
    """True where words between a name and a figure may say that the one has the other, or brackets behind the name what it is."""
    if _OPENS_BRACKET.fullmatch(scene.text, mention.end, quantity.start):
        told = [m.end for m in (*scene.metrics, *scene.qualifiers) if 0 <= m.start - quantity.end <= len(" of ")]
        return bool(told) and _CLOSES_IT.match(scene.text, max(told)) is not None
    start, end = between((mention.start, mention.end), quantity)
    if mention.end <= quantity.start:
        labelled = _LABELS.search(scene.text, start, end) is not None
        if labelled or any(start <= m.start and m.end <= end for m in scene.metrics):
            return True
        if _GIVES.search(scene.text, 0, mention.start) and not scene.text[start:end].strip():
            return True
    return bool(set(words(blanked(scene.text, named(scene))[start:end])) - _NO_TIE)
