"""The claims of one document, of the knowledge base or not, with the text that they stand in."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from chipwise.claims.model import Claim, Fact
from chipwise.errors import SourceUnknown
from chipwise.index.store import Store

if TYPE_CHECKING:
    from chipwise.domain.model import Domain

_NEAR = 3  # ids that an error proposes


@dataclass(frozen=True, slots=True)
class Listing:
    """A source and what was understood of it; the claims' spans point into `text`.

    Of a file that was read now, `left` are its figures in no claim, without metric or
    subject, and `unknown` the names in their sentences that look like products' and are
    not known.
    """

    source: str
    title: str
    origin: str
    text: str
    claims: tuple[Claim, ...]
    left: tuple[Claim, ...] = ()
    unknown: tuple[str, ...] = ()

    def line(self, claim: Claim) -> int:
        """The line of a claim's figure or category, from 1, as a check has it: a sentence may go over several."""
        return self.text.count("\n", 0, claim.value_start) + 1

    def quote(self, claim: Claim) -> str:
        """The sentence or row, verbatim."""
        return self.text[claim.start : claim.end]

    def written(self, claim: Claim) -> str:
        """The figure or the words for the category, verbatim."""
        return self.text[claim.value_start : claim.value_end]


def stored_listing(store: Store, source: str) -> Listing | None:
    """What the index holds of `source`, or None where it holds no such source."""
    info = store.find_source(source)
    if info is None:
        return None
    claims = tuple(sorted(store.claims(source=source), key=lambda c: c.value_start))
    return Listing(source, info.title, info.origin, store.source_text(source), claims)


def read_listing(path: Path, domain: Domain, facts: Iterable[Fact]) -> Listing:
    """What a file says, read now and stored nowhere. Raises SourceUnreadable."""
    from chipwise.claims.extract import extract  # noqa: PLC0415
    from chipwise.claims.known import Known  # noqa: PLC0415
    from chipwise.claims.scene import read_scene  # noqa: PLC0415
    from chipwise.reading import read_file  # noqa: PLC0415
    from chipwise.splitting import split  # noqa: PLC0415

    document = read_file(path)
    info, text = document.info, document.text
    _, found = extract(split(document), domain, info.title, unplaced=True, known=Known(domain, facts))
    claims = sorted(found, key=lambda c: c.value_start)
    left = tuple(c for c in claims if not (c.metric and c.subject))
    sentences = dict.fromkeys(text[c.start : c.end] for c in left if not c.subject)
    unknown = dict.fromkeys(n for sentence in sentences for n in read_scene(domain, sentence).unknown_names)
    kept = tuple(c for c in claims if c.metric and c.subject)
    return Listing(info.id, info.title, info.origin, text, kept, left, tuple(unknown))


def unknown_source(store: Store, source: str) -> SourceUnknown:
    """The error for a source that is neither in the index nor a file, with the ids that come near."""
    import difflib  # noqa: PLC0415

    ids = store.source_ids()
    within = [id_ for id_ in ids if source and source.lower() in id_]
    close = list(dict.fromkeys([*within, *difflib.get_close_matches(source.lower(), ids, n=_NEAR, cutoff=0.5)]))[:_NEAR]
    hint = (
        f"did you mean {' or '.join(close)}?"
        if close
        else "`chipwise sources` lists them; a file is read where its path is right"
    )
    return SourceUnknown(f"there is no source or file {source!r}", hint=hint)


def among(claims: Sequence[Claim], subjects: Sequence[str], metrics: Sequence[str]) -> list[Claim]:
    """The claims about one of `subjects` and of one of `metrics`; all where none are given."""
    return [c for c in claims if (not subjects or c.subject in subjects) and (not metrics or c.metric in metrics)]
