"""The claims of one document, of the knowledge base or not, with the text that they stand in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from chipwise.claims.model import Claim, Sentence
from chipwise.domain.names import Names
from chipwise.errors import NameUnknown, SourceUnknown
from chipwise.figures.alike import covered
from chipwise.index.store import Store
from chipwise.lookups.facts import select
from chipwise.text import plain
from chipwise.types import Passage, Role

if TYPE_CHECKING:
    from chipwise.domain.model import Domain

_NEAR = 3  # ids that an error proposes


@dataclass(frozen=True, slots=True)
class Listing:
    """A source and what was understood of it; the claims' spans point into `text`.

    `unknown` are names beside figures that look like products'. Of a file read now, `left` are its figures in no claim.
    `others` counts the claims that were not asked for.
    """

    source: str
    title: str
    origin: str
    text: str
    claims: tuple[Claim, ...]
    left: tuple[Claim, ...] = ()
    unknown: tuple[str, ...] = ()
    others: int = 0

    def of(self, names: Names, subject: str, metric: str) -> Listing:
        """The claims about what `subject` names and of what `metric` names, or of all where that is "". Raises NameUnknown."""
        subjects = select(names, (subject,)).subjects if subject else ()
        metrics = select(names, (metric,)).metrics if metric else ()
        if (subject and not subjects) or (metric and not metrics):
            wanted = f"subject {subject!r}" if subject and not subjects else f"metric {metric!r}"
            hint = "`chipwise facts` lists subjects and, for each, its metrics"
            raise NameUnknown(f"there is no {wanted}", hint=hint)
        about = {i for s in subjects for i in covered(names, s, widely=True)}
        claims = (c for c in self.claims if not about or c.subject in about)
        kept = tuple(c for c in claims if not metrics or c.metric in metrics)
        return replace(self, claims=kept, others=self.others + len(self.claims) - len(kept))

    def reasons_left(self) -> Counter[str]:
        """Why figures are in no claim, each as a sentence, with how many are so."""
        from chipwise.claims.leftover import why_left  # noqa: PLC0415

        return Counter(why_left(claim) for claim in self.left)

    def line(self, claim: Claim) -> int:
        """The line of a claim's figure or category, from 1, as a check has it: a sentence may go over several."""
        return self.text.count("\n", 0, claim.value_start) + 1

    def quote(self, claim: Claim) -> str:
        """The sentence or row, verbatim."""
        return self.text[claim.start : claim.end]

    def written(self, claim: Claim) -> str:
        """The figure or the words for the category, verbatim."""
        return self.text[claim.value_start : claim.value_end]


def listing_of(source: str | Path, store: Store, domain: Callable[[], Domain]) -> Listing:
    """What the index holds of a source, else what a file says. Raises SourceUnknown, SourceUnreadable."""
    named = plain(str(source))
    if (info := store.find_source(named)) is not None:
        claims = tuple(sorted(store.claims(source=named), key=lambda c: c.value_start))
        unknown = _unknown(domain(), ((p.passage, p.sentences) for p in store.source_passages(named)))
        return Listing(named, info.title, info.origin, store.source_text(named), claims, unknown=unknown)
    path = Path(source).expanduser()
    if not path.is_file():
        raise unknown_source(store, named)
    return read_listing(path, domain())


def _unknown(domain: Domain, passages: Iterable[tuple[Passage, Sequence[Sentence]]]) -> tuple[str, ...]:
    """Names that look like products', of rows and of sentences with figures that name nothing known, the commonest first."""
    from chipwise.claims.scene import read_scene  # noqa: PLC0415

    found = Counter[str]()
    for passage, sentences in passages:
        scenes = (read_scene(domain, passage.text[s.start : s.end]) for s in sentences if not s.entities)
        found.update(n for s in scenes if s.quantities or passage.role is Role.TABLE for n in s.unknown_names)
    return tuple(name for name, _ in found.most_common())


def read_listing(path: Path, domain: Domain) -> Listing:
    """What a file says, read now and stored nowhere. Raises SourceUnreadable."""
    from chipwise.claims.extract import extract_document  # noqa: PLC0415
    from chipwise.reading import read_file  # noqa: PLC0415
    from chipwise.splitting import split  # noqa: PLC0415

    document = read_file(path)
    info, text, passages = document.info, document.text, split(document)
    sentences, found = extract_document(document, passages, domain, unplaced=True)
    claims = sorted(found, key=lambda c: c.value_start)
    left = tuple(c for c in claims if not (c.metric and c.subject))
    kept = tuple(c for c in claims if c.metric and c.subject)
    unknown = _unknown(domain, zip(passages, sentences, strict=True))
    return Listing(info.id, info.title, info.origin, text, kept, left, unknown)


def unknown_source(store: Store, source: str) -> SourceUnknown:
    """The error for a source that is neither in the index nor a file, with the ids that come near."""
    import difflib  # noqa: PLC0415

    ids = store.source_ids()
    within = [id_ for id_ in ids if source and source.lower() in id_]
    close = list(dict.fromkeys([*within, *difflib.get_close_matches(source.lower(), ids, n=_NEAR, cutoff=0.5)]))[:_NEAR]
    known = "`chipwise sources` lists them; a file is read where its path is right"
    hint = f"did you mean {' or '.join(close)}?" if close else known
    return SourceUnknown(f"there is no source or file {source!r}", hint=hint)
