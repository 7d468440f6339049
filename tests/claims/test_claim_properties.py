"""What holds of every claim, of whatever text: its quote stands verbatim at its span, its ids are of the domain."""

from __future__ import annotations

import contextlib
import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chipwise.claims.authored import authored_claims
from chipwise.claims.extract import extract
from chipwise.corpus import shipped_documents
from chipwise.errors import SourceUnreadable
from chipwise.index.rows import dump_claim, load_claim
from chipwise.reading import read_file
from chipwise.splitting import split
from chipwise.types import Document

from ..conftest import EVERYTHING
from ..each import each
from ..shipped import document as document_at
from .texts import claims_of, document, shipped

SHARED = Path(__file__).parents[3] / "shared"
SAMPLE = 1 if EVERYTHING else 30  # of so many documents one is read: what ships has its claims beside it
LARGE = 2**16  # bytes that take ten seconds to read
RAW, LONG = SHARED / "sources", SHARED / "bench" / "hardware" / "docs"


def outside() -> list[Path]:
    files = [path for folder in (RAW, LONG) if folder.is_dir() for path in sorted(folder.iterdir()) if path.is_file()]
    return [path for path in files if EVERYTHING or path.stat().st_size < LARGE]


def hold_true(made: Document, *, authored: bool = False) -> int:
    """Asserts of each sentence and claim what they promise; how many claims there are."""
    domain, text, passages = shipped(), made.text, split(made)
    written = authored_claims(made, passages) if authored else None
    annotated, claims = extract(passages, domain, made.info.title, figures=written)
    for passage, sentences in zip(passages, annotated, strict=True):
        assert [(s.start, s.end) for s in sentences] == list(passage.sentences)
        for sentence in sentences:
            assert 0 <= sentence.start < sentence.end <= len(passage.text)
            inside = [f.quantity for f in sentence.figures]
            assert all(sentence.start <= q.start < q.end <= sentence.end for q in inside)
            assert {f.subject for f in sentence.figures} <= {*domain.entities, *domain.terms, ""}
            assert {f.metric for f in sentence.figures} <= {*domain.metrics, ""}
    parts = {passage.ordinal: passage for passage in passages}
    for claim in claims:
        passage = parts[claim.passage]
        assert claim.source == made.info.id
        assert passage.start <= claim.start <= claim.value_start < claim.value_end <= claim.end <= passage.end
        quote = text[claim.start : claim.end]
        assert quote == passage.text[claim.start - passage.start : claim.end - passage.start]
        assert quote.strip()
        assert {claim.subject} <= {*domain.entities, *domain.terms, ""}
        assert claim.metric in domain.metrics
        assert claim.baseline in {*domain.entities, ""}
        assert {axis for axis, _ in claim.qualifiers} <= {
            *domain.axes,
            "exclusive",
            "degree",
            "scale",
            "condition",
            "approx",
        }
        assert list(claim.qualifiers) == sorted(claim.qualifiers) or claim.quantity is None
        assert load_claim(dump_claim(claim)) == claim
        if claim.quantity is None:
            assert claim.object
        else:
            q = claim.quantity
            assert (q.start, q.end) == (claim.value_start, claim.value_end)
            assert text[q.start : q.end].strip() == text[q.start : q.end]
            assert q.unit in domain.units
            assert q.low <= q.high
            assert not math.isnan(q.low)
            assert math.isfinite(q.low) or math.isfinite(q.high)
    return len(claims)


@each("path", lambda: shipped_documents()[:: 1 if EVERYTHING else 12], name=lambda path: path.name)
def test_every_claim_that_ships_stands_verbatim_at_its_span(path: Path) -> None:
    hold_true(document_at(path), authored=True)


@each("path", lambda: shipped_documents()[::SAMPLE], name=lambda path: path.name)
def test_every_claim_that_is_read_in_the_corpus_stands_verbatim_at_its_span(path: Path) -> None:
    hold_true(document_at(path))


@pytest.mark.skipif(not SHARED.is_dir(), reason="no ../shared beside this checkout")
@each("path", outside, name=lambda path: path.name)
def test_every_claim_of_the_shared_documents_stands_verbatim_at_its_span(path: Path) -> None:
    assert hold_true(read_file(path)) > 0


def test_a_source_is_extracted_alike_every_time() -> None:
    path = shipped_documents()[0]
    assert claims_of(read_file(path)) == claims_of(read_file(path))


# --- Texts that nobody wrote ---

NAMES = "H100|H200|the TPU v5p|TPUs|an 8-chip slice|v5p-8|its successor|GPUs|L40s|it|they|DGX H100".split("|")
SAYS = "has|draws|costs|is faster than|reaches|than the|with|per chip|memory|bandwidth|MFU|HBM3|BF16|dense".split("|")
FIGURES = "80 GB|141GB|$12-$15 per hour|2.8x|52%|up to 4x|3,800 tokens/s|989 TFLOPS|half|700 W|8|0.5|1e9|x".split("|")
FIGURES += "0 W|0 GB|½|0%|1e999".split("|")
MARKS = [
    "\n",
    "\n\n",
    "\n# ",
    "\n## ",
    "\n- ",
    " | ",
    "|\n|",
    "|---|",
    "; ",
    ". ",
    ", ",
    " (",
    ") ",
    "? ",
    "> ",
    "**",
    "`",
    ":",
]
pieces = st.sampled_from([*NAMES, *SAYS, *FIGURES, *MARKS])
made_up = st.lists(pieces, max_size=40).map(" ".join)


@given(made_up | st.text(max_size=200), st.sampled_from(["note.md", "note.txt"]))
def test_any_text_has_claims_that_stand_in_it(text: str, name: str) -> None:
    with contextlib.suppress(SourceUnreadable):  # no text at all
        hold_true(document(text, name))


cells = st.lists(
    st.sampled_from([*NAMES, *FIGURES, "Memory (GB)", "TDP, W", "BF16 dense", "80", "", "n/a", "~", "1,979"]),
    max_size=5,
)


@given(cells, st.lists(cells, max_size=6), st.booleans())
def test_any_table_has_claims_that_stand_in_it(header: list[str], body: list[list[str]], flat: bool) -> None:
    if flat:
        text = "\n".join(" ".join(row) for row in ([*header], *body))
    else:
        lines = [header, ["---"] * len(header), *body]
        text = "# Chips\n\n" + "\n".join(f"| {' | '.join(row)} |" for row in lines)
    with contextlib.suppress(SourceUnreadable):  # no text at all
        hold_true(document(text, "note.txt" if flat else "note.md"))


@pytest.mark.parametrize(
    "text",
    [
        "9" * 10_000 + " GB in the H100",
        "The H100 has " + "1" + ",000" * 1_000 + " GB of memory.",
        "(" * 10_000 + "the H100 has 80 GB of memory" + ")" * 10_000,
        "[" * 5_000 + "H100" + "](80 GB)" * 500,
        "a|b|" * 25_000,
        "|a|b|\n" * 4_000,
        "| H100 | 80 GB |\n" * 250,
        "H100 " * 2_000 + "80 GB",
        "80 GB " * 1_000 + "H100",
        "H100, " * 1_000 + "have 80 GB of memory respectively.",
        "H100 80 GB, " * 500 + "respectively",
        "> " * 10_000 + "The H100 has 80 GB.",
        "# " * 10_000 + "H100",
        "than the " * 8_000 + "H100 (80 GB)",
        "up to " * 10_000 + "4x faster than the H100",
        "TPUs only run " * 1_000 + "JAX",
        "The H100 has 80 GB of memory" * 250,
    ],
    ids=lambda text: text[:16].strip(),
)
def test_a_text_made_to_hang_is_read_to_its_end(text: str) -> None:
    hold_true(document(text))
