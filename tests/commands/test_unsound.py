"""What is wrong with a quote itself reaches an answer: drift and arithmetic (CW3xx, CW4xx)."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from chipwise.answering.disagreeing import find_unsound
from chipwise.knowledge import KnowledgeFolder
from chipwise.opening import OpenIndex, opened
from chipwise.types import Evidence, Role

from ..conftest import Chipwise
from .checked_base import base_of

SAYS = {
    "drifted.md": "The TPU v5p trains up to 2.8x faster than the TPU v4.",
    "other.md": "The TPU v5p trains 2.8x faster than the H100.",
    "sum.md": "On the H100 training reaches an MFU of 130%.\n\nAn hour of the B200 costs $6.00.",
    "plain.md": "The MI300X has 192 GB of memory.",
}


@pytest.fixture(scope="module")
def kb(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KnowledgeFolder]:
    """Sources whose figures drift or do not add up."""
    with pytest.MonkeyPatch.context() as patch:
        yield base_of(patch, tmp_path_factory.mktemp("unsound"), SAYS)


def quoted(index: OpenIndex, source: str, quote: str) -> Evidence:
    start = index.store.source_text(source).index(quote)
    return Evidence(
        source, source, source, "", "", (), Role.BODY, quote, start, start + len(quote), 1, None, f"{source}#0"
    )


@pytest.mark.parametrize(
    ("source", "quote", "codes"),
    [
        ("drifted", SAYS["drifted.md"], {"CW301"}),
        ("other", SAYS["other.md"], {"CW301"}),
        ("sum", SAYS["sum.md"].partition("\n")[0], {"CW404"}),
        ("sum", "An hour of the B200 costs $6.00.", set()),  # another sentence of that source
        ("plain", SAYS["plain.md"], set()),
    ],
)
def test_what_is_wrong_with_a_quote_is_found_and_nothing_beside_it(
    kb: KnowledgeFolder, source: str, quote: str, codes: set[str]
) -> None:
    with opened(kb) as index:
        found = find_unsound(index.store, index.domain, [quoted(index, source, quote)])
    assert {f.code for f in found} == codes


def test_an_answer_names_it_in_a_line_and_says_where_the_arithmetic_is(chipwise: Chipwise, kb: KnowledgeFolder) -> None:
    shown = chipwise("ask", "How much faster does the TPU v5p train than the H100?", kb=kb).stdout
    (line,) = (part for part in shown.split("\n\n") if part.startswith("CW301"))
    assert len(line.splitlines()) <= 2
    assert "`chipwise audit --all --source " in " ".join(line.split())
