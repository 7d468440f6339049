"""Why it is not certain that a cell is of what its place in the table says.

"9,999*" without its note               what the note says of it is not known
"LPU rack" over a price                 of no LPU, but of what holds several
"A10G - large" beside a price           one of several machines with that card
"Typical power draw" below a card       it may be of the machine around it
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from chipwise import patterns as re
from chipwise.claims.around import named, unaccounted_in
from chipwise.claims.misreadings import UNKNOWN_VARIANT
from chipwise.claims.model import Claim
from chipwise.claims.notes import Note, mark_of_cell, stated_by
from chipwise.claims.places import Place, counts_chips, is_part_of_a_name
from chipwise.claims.rivals import goes_on
from chipwise.claims.scene import Scene, read_scene
from chipwise.domain.model import Domain
from chipwise.domain.phrasebook import Mention
from chipwise.text import Span, words
from chipwise.types import Passage

OF_EACH = re.compile(r"\b(?:per|each|every)\b", re.I)
_HOLDERS = frozenset(f"aggregation={scope}" for scope in ("node", "rack", "pod", "cluster"))
_BRACKETS = re.compile(r"\W{0,3}\(([^()]*)\)")
_NAME = re.compile(r"[\w-]+")
_DIE = re.compile(r"[A-Z]{2}\d{2,3}[A-Z]?")
# behind a name, one of several machines with it, each of which has its price: "A10G - large"
_SIZE = re.compile(r"\b(?:small|medium|large|big|x-?large|mini|half|full|high|low)(?:er|est)?\b", re.I)


def doubt_of_place(domain: Domain, passage: Passage, place: Place, notes: Sequence[Note], claim: Claim) -> str:
    """What stands around a table's cell that may make its figure one of something else."""
    noted, measured = mark_of_cell(passage, place), domain.metrics[claim.metric].nature == "measured"
    heading = passage.heading[-1] if passage.heading else ""
    scoped = {i for m in domain.find_qualifiers(heading) for i in m.ids}
    headed = not heading or bool(domain.find_entities(heading))  # the table is of what stands right above it
    told = (
        (noted and not stated_by(notes, noted), "a note qualifies it"),
        (
            place.count > 1 and claim.qualifier("count") == str(place.count) and not counts_chips(place.naming),
            f"it may be of one or of all {place.count}",
        ),
        (
            any(i.startswith("aggregation=") for i in scoped) and not claim.qualifier("aggregation"),
            "its heading speaks of several",
        ),
        (not place.named and measured, "the table does not say what was run"),
        (not place.named and not headed and _is_vague(domain, place, claim), "it may be of the machine"),
        (_holds_several(domain, place, claim), "it may be of what holds several"),
        (_goes_on(domain, place, claim), UNKNOWN_VARIANT),
    )
    return next((reason for doubted, reason in told if doubted), "")


def _goes_on(domain: Domain, place: Place, claim: Claim) -> bool:
    """True where what names the subject goes on to a variant that is not known."""
    naming = read_scene(domain, place.naming)
    if domain.metrics[claim.metric].nature == "priced" and _SIZE.search(naming.text, _behind_the_name(naming)):
        return True
    one = any(domain.is_specific(i) for m in naming.entities for i in m.ids)  # whose family may be named with it
    goes = any(
        not _is_of(domain, claim.subject, m)
        or (goes_on(naming, m) and not (one and all(domain.is_many(i) for i in m.ids)))
        for m in naming.entities
    )
    return goes or is_part_of_a_name(domain, place.naming, naming.entities) or _has_a_tail(domain, naming)


def _has_a_tail(domain: Domain, naming: Scene) -> bool:
    """True for "A10G - large": what stands behind the name tells one of several; not for "V100 (Volta GV100)", which tells of all."""
    known = [*named(naming), *((m.start, m.end) for m in naming.terms), *_families(domain, naming)]
    return any(unaccounted_in(naming.text, _behind_the_name(naming), len(naming.text), known))


def _families(domain: Domain, naming: Scene) -> Iterator[Span]:
    """Where a name's brackets say of what family it is, or by which die: "(Ada)", "(Turing TU102)"."""
    brackets = _BRACKETS.match(naming.text, min((m.end for m in naming.entities), default=len(naming.text)))
    lines = {a for m in naming.entities for i in m.ids for a in domain.ancestors(i) if domain.is_many(a)}
    called = {word for a in lines for alias in domain.entities[a].aliases for word in words(alias)}
    for word in _NAME.finditer(naming.text, brackets.start(1), brackets.end(1)) if brackets else ():
        if word[0].lower() in called or _DIE.fullmatch(word[0]):
            yield word.span()


def _behind_the_name(naming: Scene) -> int:
    return max((m.end for m in naming.entities), default=len(naming.text))


def _is_vague(domain: Domain, place: Place, claim: Claim) -> bool:
    """True for the "Typical power draw" of a table below the name of a card: it may be of the machine around it."""
    vague = {cue.lower() for cue in domain.metrics[claim.metric].vague}
    told = [place.label[m.start : m.end].lower() for m in domain.find_metrics(place.label) if claim.metric in m.ids]
    return bool(vague) and all(wording in vague for wording in told)


def _holds_several(domain: Domain, place: Place, claim: Claim) -> bool:
    """True for the price under "LPU rack", which is of no LPU."""
    if not domain.is_chip(claim.subject) or "aggregation" not in domain.metrics[claim.metric].qualifiers:
        return False
    named = [(m.start, m.end) for m in domain.find_entities(place.naming)]
    scopes = [m for m in domain.find_qualifiers(place.naming) if any(i in _HOLDERS for i in m.ids)]
    outside = any(not any(a <= m.start and m.end <= b for a, b in named) for m in scopes)
    return outside and not OF_EACH.search(place.naming) and not claim.qualifier("aggregation")


def _is_of(domain: Domain, subject: str, mention: Mention) -> bool:
    """False for the HGX of "A100 HGX", which is no A100."""
    return any(domain.are_kin(subject, i) for i in mention.ids)
