"""A knowledge base on the shipped domain with digests and a facts table of a test's own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from chipwise import corpus, knowledge
from chipwise.answering.answer import Told, together, written
from chipwise.answering.parse import understand_last
from chipwise.answering.reply import answer
from chipwise.answering.sums import work_out
from chipwise.answering.typed import asked_in, readings_of
from chipwise.building import building
from chipwise.building.building import build
from chipwise.building.documents import add_files, initialise
from chipwise.knowledge import KnowledgeFolder
from chipwise.lookups.facts import KnownFacts
from chipwise.models import DEFAULT_MODEL
from chipwise.opening import OpenIndex, opened

from ..building.test_facts import ROW
from ..documents import write
from ..fakes import install


@contextmanager
def tabled_base(
    folder: Path, digests: Mapping[str, str], table: str, *, held: Sequence[str], added: Mapping[str, str]
) -> Iterator[OpenIndex]:
    """The index with `table` over `digests`; the knowledge base holds those named in `held`, and the documents `added`."""
    write(folder / "digests", dict(digests))
    write(folder / "facts", {"t.csv": table})
    with pytest.MonkeyPatch.context() as patch:
        install(patch.setattr)
        patch.setattr(knowledge, "domain_folder", corpus.domain_folder)
        for module in (knowledge, building):
            patch.setattr(module, "facts_folder", lambda: folder / "facts")
        for module in (corpus, building):
            patch.setattr(module, "digests_folder", lambda: folder / "digests")
        base = KnowledgeFolder(folder / "kb")
        initialise(base, shipped=False, model=DEFAULT_MODEL)
        add_files(base, [*(folder / "digests" / name for name in held), *write(folder / "added", dict(added))])
        build(base)
        with opened(base) as found:
            found.known = KnownFacts(found.store, found.names, frozenset())  # what documents say is not told as facts
            yield found


def row_of(
    quotes: Mapping[str, str], said: str, subject: str, metric: str, value: str, unit: str, **more: str
) -> dict[str, str]:
    """A row of the table, of one chip where `more` does not say otherwise, that cites the quote `said`."""
    slots = {"subject": subject, "metric": metric, "value": value, "unit": unit, "aggregation": "chip"}
    return ROW | {"id": said, "quote": quotes[said]} | slots | more


def index_on(quotes: Iterable[str], table: str) -> Any:
    """The fixture of a module: an index with `table` over one digest that holds its quotes."""

    @pytest.fixture(scope="module")
    def index(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OpenIndex]:
        sheet = "# A sheet\n\n" + "\n\n".join(quotes) + "\n"
        with tabled_base(
            tmp_path_factory.mktemp("tabled"), {"sheet.md": sheet}, table, held=["sheet.md"], added={}
        ) as found:
            yield found

    return index


def told_by_facts(index: OpenIndex, question: str) -> Told | None:
    """What facts answer without a passage: by queries, and else by sums."""
    parts = asked_in(question, index.domain)
    told: list[Told] = []
    for part, readings in zip(parts, readings_of(question, parts, index.domain), strict=True):
        draft = answer(readings, index)
        if draft is None or not draft.answered:
            found = work_out(understand_last(question[: part.end], part.begin, index.domain), index)
            if found is None or isinstance(found, str):
                return None
            told.append(found)
        else:
            told.append(draft.told)
    return together(told, "\n\n")


def answered(index: OpenIndex, question: str) -> str:
    """The answer's text; "" where facts alone give none. Each number in brackets is that of a citation."""
    found = told_by_facts(index, question)
    if found is None:
        return ""
    text = written(found)
    assert all(f"[{n}]" in text for n in range(1, len(found.cited) + 1))
    return text
