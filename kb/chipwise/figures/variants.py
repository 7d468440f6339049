"""Whose facts fill the figures of a product, and which variant speaks for a chip where its variants differ.

    covered("A100 80GB")                ->  itself, the A100, the A100 SXM 80GB and the A100 PCIe 80GB
    speakers(["A100", "H100"])          ->  the A100 SXM 80GB, the H100 SXM: most is known of them
    speakers(["A100", "H100 PCIe"])     ->  the A100 PCIe 80GB: in the form that the other is made in

Everything is told from the facts that are handed in; nothing is read here.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence

from chipwise.claims.model import Fact
from chipwise.domain.names import Names
from chipwise.figures.alike import kind

_SEVERAL = 2


def covered(names: Names, subject: str, *, widely: bool = False) -> list[str]:
    """What facts about `subject` may be about: itself, of chips what it is a variant of and its variants; `widely`, all chips of a family."""
    if names.is_many(subject):
        return [subject, *(names.members(subject) if widely else ())]
    if not names.is_chip(subject):
        return [subject]
    return [*filter(names.is_chip, names.ancestors(subject)), *names.members(subject)]


def goes_by(names: Names, variant: str, chip: str) -> bool:
    """True where a variant is called by the chip's name: the GPU of a GB200 is no B200 that one can have by itself."""
    return name_words(names, chip) <= name_words(names, variant)


def name_words(names: Names, id_: str) -> set[str]:
    """What the name of an entity says, whatever the order."""
    return set(names.name(id_).lower().split())


def without_inherited(names: Names, subject: str, facts: Sequence[Fact]) -> list[Fact]:
    """Facts about a variant: its own before those of what it is a variant of, and no run of the wider chip as its own.

    The GPU of a GB200 is a B200 with more memory; what H100s reached in a benchmark is no result of the PCIe card.
    """
    above = names.ancestors(subject)[1:]
    own = {(f.claim.metric, kind(f, names)) for f in facts if f.claim.subject not in above}
    return [
        f
        for f in facts
        if f.claim.subject not in above
        or (names.metrics[f.claim.metric].nature == "specified" and (f.claim.metric, kind(f, names)) not in own)
    ]


def said_of(names: Names, variant: str, facts: Sequence[Fact]) -> list[Fact]:
    """Those of a chip's facts that hold for one variant: what is said of it, of wider ones if it has no other figure itself, and of no other form."""
    told = [f for f in facts if f.claim.subject in names.ancestors(variant)]
    own = [f for f in told if f.claim.subject == variant]
    forms = _forms(own)
    of_form = [f for f in told if not forms or f.claim.qualifier("form_factor") in ("", *forms)]
    return [f for f in of_form if f.claim.subject == variant or not any(_replaces(o, f) for o in own)]


def _replaces(own: Fact, wider: Fact) -> bool:
    """True where a variant has another figure than what is said of the chip: 9.5 TFLOPS of a P100 PCIe, 10.6 of a P100."""
    a, b = own.claim, wider.claim
    if a.metric != b.metric or a.quantity is None or b.quantity is None or a.quantity.agrees_with(b.quantity):
        return False
    shared = dict(a.qualifiers).keys() & dict(b.qualifiers).keys()
    return own.unit == wider.unit and own.rank == wider.rank and all(a.qualifier(x) == b.qualifier(x) for x in shared)


def speakers(
    names: Names,
    subjects: Sequence[str],
    pools: Sequence[Sequence[Fact]],
    is_asked: Callable[[Fact], bool] = lambda _: True,
) -> list[str]:
    """For each subject the variant that all its figures are to be of, "" where facts of fewer than two are known.

    `pools` holds all that is known of each; known by what `is_asked`, a variant goes before others.
    """
    forms = [_forms(pool) for pool in pools]
    chosen = [""] * len(subjects)
    for column, (subject, pool) in enumerate(zip(subjects, pools, strict=True)):
        variants = _variants(names, subject, pool)
        if len(variants) < _SEVERAL:
            continue
        rest = [n for n in range(len(subjects)) if n != column]
        # beside the A100 80GB an A100 is another one
        apart = [v for v in variants if not any(subjects[n] in names.ancestors(v) for n in rest)] or variants
        others = {form for n in rest if len(forms[n]) == 1 for form in forms[n]}
        # beside an A100 PCIe 80GB, or what speaks for it, an A100 SXM has 80 GB as well
        kin = {a for n in rest for a in names.ancestors(chosen[n] or subjects[n]) if names.kind(a) == "variant"}
        # of equals the later: the domain lists the one with less memory first
        ranked = [(_fitness(names, v, pool, is_asked, others, kin), n) for n, v in enumerate(apart)]
        chosen[column] = apart[max(ranked)[1]]
    return chosen


def _variants(names: Names, subject: str, pool: Sequence[Fact]) -> list[str]:
    """The variants with facts of their own, without those that another one is a kind of."""
    above = names.ancestors(subject)
    found = [s for s in dict.fromkeys(f.claim.subject for f in pool) if s not in above and names.is_chip(s)]
    return [v for v in found if not any(v != w and v in names.ancestors(w) for w in found)]


def _fitness(
    names: Names,
    variant: str,
    pool: Sequence[Fact],
    is_asked: Callable[[Fact], bool],
    forms: Collection[str],
    kin: Collection[str],
) -> tuple[bool, bool, bool, bool, int]:
    """Known by what is asked, called by the chip's name, of a kind with another, made in the one form that another is made in, and known best."""
    told = said_of(names, variant, pool)
    return (
        any(map(is_asked, told)),
        goes_by(names, variant, names.chip_of(variant)),
        not set(kin).isdisjoint(names.ancestors(variant)),
        any(f.claim.subject == variant and f.claim.qualifier("form_factor") in forms for f in told),
        len(told),
    )


def _forms(facts: Iterable[Fact]) -> set[str]:
    return {f.claim.qualifier("form_factor") for f in facts} - {""}
