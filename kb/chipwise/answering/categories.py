"""Whether something has a category: "Does the MI300X have NVLink", "Can I run TensorFlow on a TPU7x", "Is the L4 on Azure".

It has what a fact says of it or of its variants; it has not what a fact denies, or what a fact says of another one of a kind of
which it has one. What is wrong of a chip goes before what holds for its line: TensorFlow runs on TPUs, and not on the TPU7x.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from chipwise.answering.base import Base
from chipwise.answering.cells import DENIAL, Cell
from chipwise.answering.members import has, lacks
from chipwise.answering.model import Ruling
from chipwise.answering.query import DESIGNER
from chipwise.answering.quoting import Told
from chipwise.answering.sentences import Writer, say, the, value
from chipwise.claims.model import Fact
from chipwise.domain.records import Term
from chipwise.figures.phrasing import listed
from chipwise.figures.variants import covered

_OF_LINES = ("framework_support",)  # what a chip has where its line does


def has_category(cell: Cell, wanted: str, holds: bool, base: Base) -> Told | None:
    """Yes or no with the fact that says so; None where none does."""
    term = base.domain.terms.get(wanted)
    if term is None:
        return None
    about = covered(base.names, cell.of.entity)
    own = [*(cell.facts if cell.measure.metric == DESIGNER else ()), *_known(about, cell, base)]
    # what is said of the very thing goes before what is said of its family: some H100s have HBM2e, and no H100 SXM
    very = [f for f in own if f.claim.subject == cell.of.entity and f.claim.metric == cell.measure.metric]
    own = very if any(has(f, term, base) or lacks(f, term, base) for f in very) else own
    found = next((f for f in own if has(f, term, base)), None)
    denied = next((f for f in own if lacks(f, term, base)), None) if found is None else None
    writer = Writer(base)
    if found is None and denied is None:
        lines = [
            a
            for a in base.names.ancestors(cell.of.entity)[1:]
            if base.names.is_many(a) and base.domain.entities[a].vendor
        ]
        aside = _set_aside(about, cell, term, base)
        if aside is None and cell.measure.metric in _OF_LINES:
            found = next((f for f in _known(lines, cell, base) if has(f, term, base)), None)
        aside = aside or (_set_aside(lines, cell, term, base) if found is None else None)
        if aside is not None:
            writer.add(Ruling.BECAUSE if holds else Ruling.YES, f"{aside.reason.rstrip('.')} ", aside)
            writer.end()
            return writer.told()
    fact = found or denied
    if fact is None:
        return _of_wider(own, term, base)
    writer.add(Ruling.YES if (found is not None) == holds else Ruling.NO)
    if fact.value.startswith(DENIAL):
        writer.add(f"{the(fact.claim.subject, base)} has {value(fact, base)} ", fact)
    else:
        say(writer, fact)
    writer.end()
    return writer.told()


def _of_wider(own: Sequence[Fact], term: Term, base: Base) -> Told | None:
    """What is known of the format that one with block scales is made of: that there is FP4, where nothing tells of NVFP4."""
    wider = base.domain.terms.get(term.part_of) if term.kind == "precision" else None
    fact = next((f for f in own if has(f, wider, base)), None) if wider is not None else None
    if fact is None:
        return None
    writer = Writer(base)
    say(writer, fact)
    writer.end()
    writer.add(f" Of {term.name} no fact tells.")
    return writer.told()


def which_category(cell: Cell, wanted: Sequence[str], base: Base) -> Told | None:
    """Which of several categories something has, with the facts that say so; None where no fact tells."""
    terms = [base.domain.terms[w] for w in wanted if w in base.domain.terms]
    own = _known(covered(base.names, cell.of.entity), cell, base)
    had = [(t, f) for t in terms if (f := next((f for f in own if has(f, t, base)), None)) is not None]
    instead = next((f for f in own if f.claim.metric == cell.measure.metric), None)
    if not had and (instead is None or not all(any(lacks(f, t, base) for f in own) for t in terms)):
        return None
    writer = Writer(base)
    which = "Both" if len(had) == len(terms) > 1 else listed(t.name for t, _ in had) or "Neither"
    writer.add(f"{which}: ")
    facts = list({f.id: f for _, f in had}.values()) or ([instead] if instead is not None else [])
    for fact in facts:
        writer.next()
        say(writer, fact)
        writer.end()
    having = [t for t, _ in had]
    denied = (next((f for f in own if lacks(f, t, base)), None) for t in terms if t not in having)
    for fact in (f for f in denied if f is not None and f.value.startswith(DENIAL) and f not in facts):
        writer.next()
        writer.add(f"{the(fact.claim.subject, base)} has {value(fact, base)} ", fact)
        writer.end()
    return writer.told()


def _known(about: Iterable[str], cell: Cell, base: Base) -> list[Fact]:
    """The facts of the category before figures that tell it, and those of what is closest first."""
    closest = list(about)
    found = [f for f in base.known.facts(closest) if f.rank != "deprecated" and base.known.holds(f)]
    found = [f for f in found if f.claim.metric == cell.measure.metric or f.claim.quantity is not None]
    return sorted(
        found, key=lambda f: (f.claim.quantity is not None, f.rank != "preferred", closest.index(f.claim.subject))
    )


def _set_aside(about: Iterable[str], cell: Cell, term: Term, base: Base) -> Fact | None:
    """What the table says to be wrong, with the reason."""
    found = base.known.facts(list(about), [cell.measure.metric])
    return next((f for f in found if f.rank == "deprecated" and f.value == term.id and base.known.holds(f)), None)
