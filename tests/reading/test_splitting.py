"""Documents into passages: what stays together, what divides, and that every span is verbatim."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from chipwise.reading import read_bytes
from chipwise.splitting import HEADER_WORDS, PASSAGE_WORDS, WORD_CHARACTERS, split, whole_tables
from chipwise.types import Block, Document, Passage, Role, SourceInfo

INFO = SourceInfo(id="doc", title="Doc", origin="/doc.md")


def passages(markdown: str) -> list[Passage]:
    return split(read_bytes(markdown.encode(), name="doc.md", origin="/doc.md"))


def check_spans(document: Document, made: list[Passage]) -> None:
    assert [p.ordinal for p in made] == list(range(1, len(made) + 1))
    assert all(a.end <= b.start for a, b in pairwise(made))
    for passage in made:
        assert document.text[passage.start : passage.end] == passage.text == passage.text.strip()
        assert passage.line == document.text.count("\n", 0, passage.start) + 1
        assert all(0 <= start < end <= len(passage.text) for start, end in passage.sentences)
        spans = passage.sentences
        assert all(a[1] <= b[0] for a, b in pairwise(spans))


def document_of(parts: list[tuple[Role, str, int]]) -> Document:
    """Blocks one after another; the number is which heading they stand under."""
    text, blocks, above = "", [], None
    for role, words, heading in parts:
        if heading != above and role is not Role.HEADING:
            blocks.append(Block(len(text), len(text) + 1, text.count("\n") + 1, Role.HEADING, (f"H{heading}",)))
            text, above = f"{text}H\n\n", heading
        start = len(text)
        text += f"{words}\n\n"
        blocks.append(Block(start, start + len(words), text.count("\n", 0, start) + 1, role, (f"H{heading}",)))
    return Document(INFO, text, tuple(blocks))


WORDS = st.text(st.sampled_from("ab1. \n|-!"), min_size=1, max_size=300).map(str.strip).filter(bool)
PARTS = st.lists(st.tuples(st.sampled_from(list(Role)), WORDS, st.integers(0, 2)), max_size=8)


@given(PARTS)
def test_passages_stand_in_their_document(parts: list[tuple[Role, str, int]]) -> None:
    document = document_of(parts)
    made = split(document)
    check_spans(document, made)
    kept = {c for block in document.blocks if block.role is not Role.HEADING for c in range(block.start, block.end)}
    covered = {c for passage in made for c in range(passage.start, passage.end)}
    lost = [document.text[c] for c in sorted(kept - covered) if document.text[c].isalnum()]
    assert lost == [], "every word of every block is in a passage"


@given(PARTS)
@example([(Role.COMMENT, "1", 0), (Role.TABLE, ".", 0), (Role.COMMENT, "1", 0)])
def test_a_passage_has_one_heading_and_one_voice(parts: list[tuple[Role, str, int]]) -> None:
    document = document_of(parts)
    for passage in split(document):
        inside = [b for b in document.blocks if b.start < passage.end and passage.start < b.end]
        assert Role.HEADING not in {block.role for block in inside}
        assert {block.heading for block in inside} == {passage.heading}
        assert {block.role.speaks_for_the_source for block in inside} == {passage.role.speaks_for_the_source}


def test_a_paragraph_and_the_list_that_it_introduces_are_one_passage() -> None:
    (passage,) = passages("# Doc\n\nThere are two:\n\n- one\n- two\n")
    assert passage.role is Role.BODY
    assert passage.text == "There are two:\n\n- one\n- two"


def test_a_heading_divides() -> None:
    assert [(p.heading, p.text) for p in passages("# Doc\n\nOne.\n\n## A\n\nTwo.\n\n### B\n\nThree.\n")] == [
        ((), "One."),
        (("A",), "Two."),
        (("A", "B"), "Three."),
    ]


def test_a_long_paragraph_divides_between_sentences() -> None:
    sentence = "Word " * 29 + "end."
    made = passages("# Doc\n\n" + f"{sentence} " * 20)
    per_passage = PASSAGE_WORDS // len(sentence.split())
    assert [len(p.sentences) for p in made] == [per_passage] * (20 // per_passage) + [20 % per_passage] * (
        20 % per_passage > 0
    )
    assert all(p.text.endswith("end.") for p in made)


def test_a_sentence_without_end_divides_between_words() -> None:
    made = passages("# Doc\n\n" + "word " * (PASSAGE_WORDS * 3))
    assert [len(p.text.split()) for p in made] == [PASSAGE_WORDS] * 3


def test_a_word_without_end_divides_too() -> None:
    made = passages("# Doc\n\n" + "x" * 10_000)
    assert "".join(p.text for p in made) == "x" * 10_000
    assert max(len(p.text) for p in made) == PASSAGE_WORDS * WORD_CHARACTERS


def test_a_text_without_blanks_between_words_divides() -> None:
    made = passages("# Doc\n\n" + "显存有多大。" * 2000)
    assert max(len(p.text) for p in made) <= PASSAGE_WORDS * WORD_CHARACTERS


TABLE = "# Doc\n\n| GPU | Memory |\n|---|---|\n" + "".join(f"| chip{n} | {n} GB |\n" for n in range(100))


def test_each_part_of_a_long_table_has_its_header_as_context() -> None:
    made = passages(TABLE)
    assert len(made) > 1
    assert {p.role for p in made} == {Role.TABLE}
    assert all("GPU" in p.context and "Memory" in p.context for p in made)
    rows = [p.text[slice(*span)] for p in made for span in p.sentences]
    assert rows == [f"| chip{n} | {n} GB |" for n in range(100)], "each row is a sentence; header and rule are none"


def test_a_header_as_long_as_a_text_is_cut() -> None:
    header = " | ".join(f"column{n}" for n in range(100))
    rule = "|".join("-" * 3 for _ in range(100))
    cells = " | ".join(str(n) for n in range(100))
    made = passages(f"# Doc\n\n| {header} |\n|{rule}|\n| {cells} |\n")
    assert all(len(p.context.split()) <= HEADER_WORDS for p in made)


def test_a_table_is_no_part_of_the_text_around_it() -> None:
    made = passages("# Doc\n\nBefore.\n\n| A | B |\n|---|---|\n| 1 | 2 |\n\nAfter.\n")
    assert [p.role for p in made] == [Role.BODY, Role.TABLE, Role.BODY]
    assert [p.context for p in made][0::2] == ["", ""]


def test_pages_divide() -> None:
    text = "One.\n\nTwo."
    blocks = (Block(0, 4, 1, Role.BODY, (), 1), Block(6, 10, 3, Role.BODY, (), 2))
    assert [(p.text, p.page) for p in split(Document(INFO, text, blocks))] == [("One.", 1), ("Two.", 2)]


def test_headings_alone_make_no_passage() -> None:
    document = Document(INFO, "Title", (Block(0, 5, 1, Role.HEADING),))
    assert split(document) == []


@pytest.mark.parametrize(
    ("role", "piece"),
    [
        (Role.BODY, "A sentence of some words. "),
        (Role.BODY, "line\n"),
        (Role.BODY, "x"),
        (Role.BODY, ". "),
        (Role.LIST, "- an item of a list\n"),
        (Role.TABLE, "| a cell | b |\n"),
        (Role.TABLE, "cell "),
    ],
)
def test_a_megabyte_of_one_block_splits(role: Role, piece: str) -> None:
    text = (piece * (1_000_000 // len(piece))).strip()
    made = split(Document(INFO, text, (Block(0, len(text), 1, role),)))
    assert sum(len(p.text.split()) for p in made) >= len(text.split())
    assert max(len(p.text.split()) for p in made) <= PASSAGE_WORDS
    assert max(len(p.text) for p in made) <= PASSAGE_WORDS * WORD_CHARACTERS


def test_thousands_of_blocks_split() -> None:
    document = document_of([(Role.BODY, "A sentence of some words.", n // 10) for n in range(4000)])
    made = split(document)
    assert len(made) == 4000 // 10, "one for each heading"
    check_spans(document, made)


def test_parts_of_one_table_know_its_first_and_another_table_is_its_own() -> None:
    rows = "".join(f"| chip {n} | {'word ' * 20}|\n" for n in range(40))
    table = f"| a | b |\n|---|---|\n{rows}"
    made = [p for p in passages(f"{table}\n{table}") if p.role is Role.TABLE]
    first = whole_tables((p.ordinal, p.start, p.end) for p in made)
    second = next(p.ordinal for p in made[1:] if p.text.startswith("| a"))
    assert set(first.values()) == {made[0].ordinal, second}
    assert [first[p.ordinal] for p in made] == [made[0].ordinal if p.ordinal < second else second for p in made]
