"""Whatever comes in: spans hold, nothing drives a terminal, and one error is all that is raised."""

from __future__ import annotations

import re

from hypothesis import example, given
from hypothesis import strategies as st

from chipwise.errors import SourceUnreadable
from chipwise.reading import READABLE, read_bytes
from chipwise.types import Document, Role

FORBIDDEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff\U000e0000-\U000e0fff]"
)
SUFFIXES = [*sorted(READABLE), ".log", ""]
PIECES = st.sampled_from(
    [
        "# Title", "## FAQ", "Comments", "3 Comments", "Related Posts", "About the author", "- item", "• point", "1. first", "  - nested",
        "| a | b |", "|---|---|", "| 1 | 2 |", "Feature NVIDIA H100 Google TPU v5p", "Memory 80GB HBM 760GB", "Cost $12 $8", "---", "```",
        "> quote", "<p>text</p>", "<script>x</script>", "<!-- c -->", "<table><tr><td>a<td>b<tr><td>c<td>d</table>", "<ul><li>x<li>y</ul>",
        "<dl><dt>a<dd>b</dl>", "</div>", "<h2>What?</h2>", "What is a GPU?", "It is a chip that computes many things at once, and fast.",
        '"I love it, it saves me time."', "Ann Lee", "I think the author is wrong!! lol", "Click below to start a chat", "", "", "\t", "*", "[a](b)",
        "title: x", "a: [", "Ann Lee is a Systems Engineer at Acme with years of experience in servers. She likes it.", "\x1b[31mred", "\u202eabc",
    ]
)  # fmt: skip
TEXTS = st.one_of(st.text(max_size=300), st.lists(PIECES, max_size=25).map("\n".join))


def check(document: Document) -> None:
    reached = 0
    for block in document.blocks:
        said = document.text[block.start : block.end]
        assert reached <= block.start < block.end
        assert said == said.strip()
        assert block.line == 1 + document.text.count("\n", 0, block.start)
        if block.header:
            assert block.role is not Role.BODY
            assert block.start <= block.header[0] < block.header[1] <= block.end
        assert all(heading.strip() and "\n" not in heading for heading in block.heading)
        reached = block.end
    shown = [document.text, *(value for value in (document.info.id, document.info.title, document.info.origin))]
    shown += [heading for block in document.blocks for heading in block.heading]
    assert not any(FORBIDDEN.search(words) for words in shown)
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", document.info.id)
    assert document.info.title


@given(text=TEXTS, suffix=st.sampled_from(SUFFIXES))
@example(text="---\nid: '\x1b[31m'\ntitle: \"\\e[31mred\"\n---\nwords", suffix=".md")
@example(text="---\ntitle: 'a\n---\nwords", suffix=".md")
@example(text="<li><li>", suffix=".html")
def test_spans_are_in_order_disjoint_stripped_and_on_their_line(text: str, suffix: str) -> None:
    try:
        document = read_bytes(text.encode("utf-8", "replace"), name=f"file{suffix}", origin="/somewhere/file")
    except SourceUnreadable:
        return
    check(document)


@given(
    data=st.binary(max_size=400),
    start=st.sampled_from([b"", b"%PDF-1.7\n", b"PK\x03\x04", b"\xff\xfe", b"<html>"]),
    suffix=st.sampled_from(SUFFIXES),
)
def test_any_bytes_are_read_or_refused_with_one_kind_of_error(data: bytes, start: bytes, suffix: str) -> None:
    try:
        document = read_bytes(start + data, name=f"file{suffix}", origin="/somewhere/file")
    except SourceUnreadable as error:
        said = f"{error}{error.hint}"
        complaint = not error.hint or "\n" in said or FORBIDDEN.search(said)
        if complaint:
            raise AssertionError(said) from error
    else:
        check(document)


@given(
    lines=st.lists(
        st.text(alphabet=st.characters(codec="ascii", exclude_characters="\r"), max_size=30), min_size=1, max_size=10
    )
)
def test_lines_of_a_text_file_keep_their_numbers(lines: list[str]) -> None:
    source = "\n".join([*lines, "words at the end"])
    try:
        document = read_bytes(source.encode(), name="a.txt", origin="a.txt")
    except SourceUnreadable:
        return
    assert len(document.text) == len(source)
    assert document.text.count("\n") == source.count("\n")


TAGS = [
    *(
        "p",
        "div",
        "ul",
        "ol",
        "li",
        "dl",
        "dt",
        "dd",
        "table",
        "tr",
        "td",
        "th",
        "thead",
        "caption",
        "h1",
        "h2",
        "summary",
    ),
    *("details", "br", "a", "b", "pre", "nav", "footer", "aside", "form", "script", "span", "section", "blockquote"),
]
ATTRIBUTES = [
    "",
    " hidden",
    " class=comments",
    " class='related-posts'",
    " class=faq",
    " rowspan=3",
    " colspan=2",
    " style='display:none'",
    " id=author-bio",
]
SOUP = st.lists(
    st.one_of(
        st.tuples(st.sampled_from(TAGS), st.sampled_from(ATTRIBUTES)).map(lambda tag: f"<{tag[0]}{tag[1]}>"),
        st.sampled_from(TAGS).map(lambda tag: f"</{tag}>"),
        st.sampled_from(["words", "Is it?", " ", "\n", "more words that make a sentence.", "&nbsp;", "80 GB"]),
    ),
    max_size=60,
).map("".join)


@given(source=SOUP)
def test_any_soup_of_tags_is_read_or_refused(source: str) -> None:
    try:
        document = read_bytes(source.encode(), name="a.html", origin="a.html")
    except SourceUnreadable:
        return
    check(document)
