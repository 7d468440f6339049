"""Why a figure that does not stand right at its subject may be of something else: what lies between says more than the claim.

"HBM3 stacks hold 80 GB, and reads reach 3.35 TB/s"      another figure parts it from what it measures
"The L2, divided in 32 slices, serves 128 B a clock"      words of which nothing is known tell of a part, a mode, a condition
"57 % faster on our larger batch than the H100"           so they do in a comparison

A figure right at the name of its subject is told by that, and where what is measured stands
right at it and nobody else is named, the rest may be told besides. Of any other, what stands
from its subject and its metric to it has to be understood: each word names something that
the claim knows, or says nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from chipwise import patterns as re
from chipwise.claims.around import clause, is_right_at, named, segment, unaccounted_in
from chipwise.claims.dates import read_dates
from chipwise.claims.misreadings import words_of
from chipwise.claims.model import Claim
from chipwise.claims.referring import ON_A_CHIP
from chipwise.claims.scene import Scene
from chipwise.domain.model import Domain
from chipwise.domain.phrasebook import Mention
from chipwise.numbers.numerals import NUMBER_WORD
from chipwise.numbers.quantities import Quantity
from chipwise.text import Span

_SAYS_NOTHING = ("statement", "source")  # of neutral.toml: words that say that a figure is so, and not of what
_SPARE = 1  # an adjective, an adverb: more than one tells something
_AT = 30  # characters between a figure and the words for what it measures, right at it
# so many of the chip, which are counted elsewhere
_OF_THEM = re.compile(rf"\b(?:\d+|{NUMBER_WORD})\sof\s(?:them|these|those)\b", re.I)
_LABELS = re.compile(r"[\s*_]*[:(][\s*_~≈]*")
_PARTS = re.compile(r"[,;]")


def set_apart(domain: Domain, scene: Scene, quantity: Quantity, claim: Claim) -> str:
    """What parts a figure from its metric, or which words around it nothing accounts for."""
    own, known = _mentions(domain, scene, claim.subject), _known(domain, scene)
    said = words_of(domain, claim)
    if quantity.compares:
        return _unread(domain, scene, quantity, [*own, *_mentions(domain, scene, claim.baseline)], known, said)
    right_at = [m for m in own if is_right_at(scene, quantity, m)]
    if right_at and (right_at[0].start < quantity.start or not _names_a_format(scene)):
        return ""
    cues = [m for m in scene.metrics if claim.metric in m.ids]
    on_chip = quantity.dimension == "information" and ON_A_CHIP.match(scene.text, quantity.end)
    if (reason := _of_no_format(domain, quantity, claim)) or right_at or on_chip:
        return reason
    if reason := _parted(domain, scene, quantity, claim, cues, known):
        return reason
    if (
        own
        and not _names_others(domain, scene, own)
        and any(_is_right_at(domain, scene, quantity, m, known) for m in cues)
    ):
        return ""
    return _unread(domain, scene, quantity, [*own, *cues], known, said)


def _of_no_format(domain: Domain, quantity: Quantity, claim: Claim) -> str:
    """A rate of computing, another one in each number format, that states none."""
    rated = quantity.dimension == "compute_rate" and "dtype" in domain.metrics[claim.metric].qualifiers
    return "of which number format it is is not said" if rated and not claim.qualifier("dtype") else ""


def _names_a_format(scene: Scene) -> bool:
    """True where a sentence speaks of formats, and leaves that of a figure open: "1,248 TOPS on the A100; 4x faster than FP16"."""
    return any(i.startswith("dtype=") for m in scene.qualifiers for i in m.ids)


def _mentions(domain: Domain, scene: Scene, about: str) -> list[Mention]:
    return [m for m in scene.entities if any(i == about or domain.are_kin(about, i) for i in m.ids)] if about else []


def _known(domain: Domain, scene: Scene) -> Sequence[Span]:
    voices = ((cue.start, cue.end) for cue in domain.voice_lexicon.find(scene.text))
    dates = ((d.start, d.end) for d in read_dates(scene.text))
    return [*named(scene), *((m.start, m.end) for m in scene.terms), *voices, *dates]


def _names_others(domain: Domain, scene: Scene, own: Sequence[Mention]) -> bool:
    others = (m for m in scene.entities if m not in own)
    return bool(scene.unknown) or any(domain.is_specific(i) for m in others for i in m.ids)


def _parted(
    domain: Domain, scene: Scene, quantity: Quantity, claim: Claim, cues: Sequence[Mention], known: Sequence[Span]
) -> str:
    """The metric's nearest cue, where it stands outside of the figure's segment and something else between them."""
    rivals = [m for m in scene.metrics if claim.metric not in m.ids and quantity.dimension in _kinds(domain, m)]
    if domain.default_metrics.get(quantity.dimension) == claim.metric and not rivals:
        return ""  # what has TFLOPS is a rate of computing
    kinds = {(m.start, m.end) for m in scene.terms if any(domain.terms[i].kind == "memory" for i in m.ids)}
    cues = [m for m in cues if (m.start, m.end) not in kinds]  # "HBM2e" is told of more than one figure
    if not cues or any(_is_beside(scene, quantity, m) for m in cues):
        return ""
    cue = min(cues, key=lambda m: scene.distance(quantity, m))
    start, end = min(cue.end, quantity.end), max(cue.start, quantity.start)
    own = _mentions(domain, scene, claim.subject)
    # "918 TFLOPS in BF16 and 1,836 TOPS in INT8" are of one metric
    parting = [(q.start, q.end) for q in scene.quantities if q.dimension != quantity.dimension and not q.compares]
    parting += [(m.start, m.end) for m in (*rivals, *(e for e in scene.entities if e not in own))]
    between = any(start <= a and b <= end for a, b in parting)
    if between or len(set(_telling(domain, scene, start, end, known))) > 1:
        return f"{scene.text[cue.start : cue.end]!r} stands apart from it"
    return ""


def _is_beside(scene: Scene, quantity: Quantity, cue: Mention) -> bool:
    """True for a cue of the figure's segment, and for the label before it: "Memory bandwidth: **2 TB/s**"."""
    start, end = segment(scene, quantity)
    labels = cue.end <= quantity.start and _LABELS.fullmatch(scene.text, cue.end, quantity.start) is not None
    return labels or (start <= cue.start and cue.end <= end)


def _kinds(domain: Domain, cue: Mention) -> set[str]:
    return {domain.metrics[i].dimension for i in cue.ids}


def _is_right_at(domain: Domain, scene: Scene, quantity: Quantity, cue: Mention, known: Sequence[Span]) -> bool:
    """True for "1,000 GB/s of memory bandwidth" and "a die size of 814 mm2"."""
    start, end = min(cue.end, quantity.end), max(cue.start, quantity.start)
    figures = any(start <= q.start and q.end <= end for q in scene.quantities)
    if end - start > _AT or figures or _PARTS.search(scene.text, start, end):
        return False
    return not any(_telling(domain, scene, start, end, known))


def _telling(domain: Domain, scene: Scene, start: int, end: int, known: Sequence[Span]) -> Iterator[str]:
    nothing = domain.change_nothing(*_SAYS_NOTHING)
    text = _OF_THEM.sub(lambda m: " " * len(m[0]), scene.text)
    return (word for word in unaccounted_in(text, start, end, known) if word.lower() not in nothing)


def _unread(
    domain: Domain,
    scene: Scene,
    quantity: Quantity,
    told: Sequence[Mention],
    known: Sequence[Span],
    own: frozenset[str],
) -> str:
    """The words of the clause, from what is told in it to the end of the figure's segment, that nothing accounts for.

    Those in `own` are the metric's: "each host has eight chips".
    """
    (first, last), (start, end) = clause(scene, quantity), segment(scene, quantity)
    here = [m for m in told if first <= m.start and m.end <= last]
    start = min((*(m.start for m in here), quantity.start if quantity.compares else start))
    end = max((*(m.end for m in here), end))
    left = list(dict.fromkeys(_telling(domain, scene, start, min(end, last), known)))
    left = [word for word in left if word.lower() not in own]
    return f"{' '.join(left[:4])!r} around it is not understood" if len(left) > _SPARE else ""
