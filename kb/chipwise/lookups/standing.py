"""Which variant stands for a chip where its variants differ: one rule for answers and for tables.

A100 beside H100  ->  the A100 SXM 80GB: in a form that the H100 has too, and the one that most is known of
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from chipwise.claims.model import Fact
from chipwise.domain.names import Names
from chipwise.index.store import Store
from chipwise.lookups.alike import kind
from chipwise.lookups.lookup import covered, name_words


def known_of(store: Store, names: Names, subject: str) -> list[Fact]:
    """What stands of a chip and of its variants, or of a variant."""
    found = (f for f in store.facts(covered(names, subject)) if f.rank != "deprecated")
    return without_inherited(names, subject, list(found))


def standing_variants(
    store: Store, names: Names, subjects: Sequence[str], metrics: Collection[str] = ()
) -> dict[int, str]:
    """By column the variant that all its figures are to be of, where facts of several variants are known of its subject."""
    pools = [known_of(store, names, subject) for subject in subjects]
    made = [_forms(pool) for pool in pools]
    chosen: dict[int, str] = {}
    for column, (subject, pool) in enumerate(zip(subjects, pools, strict=True)):
        variants = _variants(names, subject, pool)
        if len(variants) < 2:  # noqa: PLR2004
            continue
        # beside the A100 80GB an A100 is another one
        rest = [s for n, s in enumerate(subjects) if n != column]
        variants = [v for v in variants if not any(told_of(names, v, s) for s in rest)] or variants
        others = {form for n, forms in enumerate(made) if n != column and len(forms) == 1 for form in forms}
        # of equals the later: the domain lists the one with less memory first
        # beside an A100 PCIe 80GB, or what stands for it, an A100 SXM has 80 GB as well
        settled = [chosen.get(n, s) for n, s in enumerate(subjects) if n != column]
        alike = {a for s in settled for a in names.ancestors(s) if names.kind(a) == "variant"}
        ranked = [(_fitness(names, v, pool, others, metrics, alike), n) for n, v in enumerate(variants)]
        chosen[column] = variants[max(ranked)[1]]
    return chosen


def of_product(names: Names, variant: str, facts: Sequence[Fact]) -> list[Fact]:
    """Those of a chip's facts that hold for one variant: what is said of it, of wider ones, and of no other form."""
    told = [f for f in facts if told_of(names, variant, f.claim.subject)]
    forms = _forms([f for f in told if f.claim.subject == variant])
    return [f for f in told if not forms or f.claim.qualifier("form_factor") in ("", *forms)]


def told_of(names: Names, variant: str, subject: str) -> bool:
    """True when what is said of `subject` holds for `variant`: "A100 SXM" and "A100 80GB" are each an "A100 SXM 80GB"."""
    if names.chip_of(subject) != names.chip_of(variant):
        return False
    return subject in names.ancestors(variant) or name_words(names, subject) <= name_words(names, variant)


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


def _variants(names: Names, subject: str, pool: Sequence[Fact]) -> list[str]:
    """The variants with facts of their own, without those that another one is a kind of."""
    above = names.ancestors(subject)
    found = [s for s in dict.fromkeys(f.claim.subject for f in pool) if s not in above and names.is_chip(s)]
    return [v for v in found if not any(v != w and told_of(names, w, v) for w in found)]


def _fitness(
    names: Names,
    variant: str,
    pool: Sequence[Fact],
    forms: Collection[str],
    metrics: Collection[str],
    alike: Collection[str],
) -> tuple[bool, bool, bool, bool, int]:
    """Known by what is asked, called by the chip's name, of a kind with another, made in the one form that another is made in, and known best."""
    told = of_product(names, variant, pool)
    asked = not metrics or any(f.claim.metric in metrics for f in told)
    # the GPU of a GB200 is no B200 that one can have by itself
    by_itself = name_words(names, names.chip_of(variant)) <= name_words(names, variant)
    return (
        asked,
        by_itself,
        not set(alike).isdisjoint(names.ancestors(variant)),
        any(f.claim.subject == variant and f.claim.qualifier("form_factor") in forms for f in told),
        len(told),
    )


def _forms(facts: Sequence[Fact]) -> set[str]:
    return {f.claim.qualifier("form_factor") for f in facts} - {""}
