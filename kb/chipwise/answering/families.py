"""Which generation a chip is of: "Is the T4 Volta or Turing?", "What architecture is the L4?".

That a chip is of one family is the domain's word; the sentence that is cited is a source's.
"""

from __future__ import annotations

from collections.abc import Iterator

from chipwise.answering.base import Base
from chipwise.answering.model import Ruling
from chipwise.answering.query import FAMILY, Query
from chipwise.answering.quoting import Cited, Told
from chipwise.answering.sentences import Writer, name, the
from chipwise.audit.evidence import span_evidence
from chipwise.figures.variants import covered
from chipwise.index.rows import StoredPassage
from chipwise.types import Evidence

_MOST = 3  # chips, and names of a family that are looked for
_PASSAGES = 8  # read for each pair of names


def families(query: Query, base: Base) -> Told | None:
    """The generation of each chip that is named, or which of those asked about it is; None where no source names both."""
    chips = [c.entity for c in query.of.entities]
    if not chips or len(chips) > _MOST or (query.asserts is not None and len(chips) > 1):
        return None
    writer = Writer(base)
    for chip in chips:
        family = _family(chip, query, base)
        evidence = next(_named_with(chip, family, base), None) if family else None
        if evidence is None:
            return None
        writer.next()
        _judge(writer, chip, query)
        writer.add(f"{the(chip, base)} is of the {name(family, base)} generation ")
        writer.cite(Cited(evidence))
        writer.end()
    return writer.told()


def _family(chip: str, query: Query, base: Base) -> str:
    """The generation that is asked about where the chip is of it, else the closest; "" for none."""
    above = [a for a in base.domain.ancestors(chip)[1:] if base.domain.kind(a) == FAMILY]
    asked = (query.asserts.value, *query.asserts.others) if query.asserts is not None else ()
    return next((a for a in above if a in asked), "") or next(iter(above), "")


def _judge(writer: Writer, chip: str, query: Query) -> None:
    """Yes or no, or which of several it is."""
    asserted, base = query.asserts, writer.base
    if asserted is None:
        return
    above = base.domain.ancestors(chip)
    options = (str(asserted.value), *asserted.others)
    fitting = [o for o in options if o in above]
    if asserted.others:
        writer.add(f"{name(fitting[0], base) if fitting else 'Neither'}: ")
    else:
        writer.add(Ruling.YES if bool(fitting) == asserted.holds else Ruling.NO)


def _named_with(chip: str, family: str, base: Base) -> Iterator[Evidence]:
    """Sentences that name a chip and its family, else one of the two below a heading or a title with the other."""
    chips, above = (_surfaces(i, base) for i in (chip, family))
    read: list[StoredPassage] = []
    for surface in chips:
        for other in above[:_MOST]:
            rows = [row for row, _ in base.store.match([surface, other], _PASSAGES)]
            read += base.store.passages(rows).values()
    found = [e for stored in {s.row: s for s in read}.values() for e in _sentences(stored, chip, family, base)]
    yield from (evidence for _, evidence in sorted(found, key=lambda f: f[0]))


def _sentences(stored: StoredPassage, chip: str, family: str, base: Base) -> Iterator[tuple[int, Evidence]]:
    """The sentences that tell, each with a rank: 0 where it names both, 1 where its heading names the chip, 2 the family."""
    passage = stored.passage
    info = base.store.find_source(passage.source)
    title = info.title if info is not None else ""
    above = " / ".join((title, *passage.heading, passage.context))
    kin = set(covered(base.names, chip))  # a variant is of its chip's generation
    for sentence in stored.sentences:
        names_family = _names(passage.text[sentence.start : sentence.end], family, base)
        named = not kin.isdisjoint(sentence.entities)
        about = not kin.isdisjoint(sentence.carried) or _names(above, chip, base)
        rank = 0 if named and names_family else 1 if about and names_family else 2
        if rank < 2 or (named and _names(above, family, base)):  # noqa: PLR2004
            yield rank, span_evidence(passage, info, sentence.start, sentence.end)


def _names(text: str, family: str, base: Base) -> bool:
    return any(family in m.ids for m in base.domain.find_entities(text))


def _surfaces(id_: str, base: Base) -> list[str]:
    """Its names without the maker's, the shortest first, as sentences have them."""
    entity = base.domain.entities[id_]
    return sorted(
        {n.removeprefix(f"{entity.vendor} ") for n in (entity.name, *entity.aliases)}, key=lambda n: (len(n), n)
    )
