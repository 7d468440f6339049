"""What holds of every table, whatever its text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chipwise.claims.grid import read_grids
from chipwise.reading import find_files, read_file
from chipwise.splitting import split
from chipwise.types import Role

from ..conftest import ROOT
from ..scaling import grows_in_proportion
from .grids import check, passage_of, read_grid

ODD = st.text(st.sampled_from("ab1| \t\n*_`[](){}<>\\/$~–—,.:-&;8GB"), min_size=1, max_size=200).filter(
    lambda t: t.strip() != ""
)


@given(ODD, st.one_of(st.just(""), ODD), st.integers(0, 2))
def test_every_cell_stands_verbatim_in_its_row_whatever_the_text(text: str, context: str, rows_from: int) -> None:
    passage = passage_of(text, context=context, rows_from=rows_from)
    for made in (read_grid(passage), read_grids([passage]).get(passage.ordinal)):
        assert (made is None) == (not passage.sentences)
        if made is not None:
            check(passage, made)


def test_every_row_of_the_corpus_is_kept_with_its_headers() -> None:
    rows = 0
    for path in find_files(ROOT / "corpus" / "sources"):
        passages = [p for p in split(read_file(path)) if p.role is Role.TABLE]
        made = read_grids(passages)
        for passage in passages:
            check(passage, made[passage.ordinal])
            assert made[passage.ordinal].headers, f"{passage.id} has no headers"
            assert [(r.start, r.end) for r in made[passage.ordinal].rows] == list(passage.sentences)
            assert all(r.label and (r.cells or r.section) for r in made[passage.ordinal].rows)
            rows += len(passage.sentences)
    assert rows > 300


@pytest.mark.parametrize(
    "filling", ["|", "| ", "[a](", "<a ", "*", "(", "1 ", "~1", "\t", "a  ", "\\|", "&amp;", "[^", "-"]
)
def test_a_line_of_any_length_takes_time_in_proportion(filling: str) -> None:
    def read(count: int) -> object:
        passage = passage_of(filling * count + "\nb 1 GB 2 GB", context="Feature H100 H200")
        return read_grid(passage)

    assert grows_in_proportion(read, 12_500)
