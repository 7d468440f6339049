"""HTML: what a reader of the page sees, with the role its place gives it."""

from __future__ import annotations

import pytest

from chipwise.errors import SourceUnreadable
from chipwise.types import Role

from .said import found, read, role, words

PAGE = """<!doctype html><html><head><title>Two chips compared | Example Site</title>
<meta name="author" content="Ann Lee"><meta property="article:published_time" content="2025-03-04T10:00:00Z"><style>p { color: red }</style></head>
<body class="has-sidebar"><nav><ul><li><a href="/">Home</a></li><li><a href="/b">Blog</a></li></ul></nav>
<div id="main"><h1>Two chips compared</h1>
<p>The first has <b>80&nbsp;GB</b> and <script>alert("secret")</script>a <a href="x">link</a>.<br>Second line.<br><br>Another paragraph.</p>
<p style="display: none">secret price</p><p hidden>secret too</p><span class="sr-only">secret label</span><!-- secret comment -->
<h2>Figures</h2>
<table><caption>Per chip</caption><tr><th>Chip</th><th>Memory</th></tr><tr><td>H100</td><td>80 GB</td></tr><tr><td>H200</td><td>141 GB</td></tr></table>
<ul><li>One item<ul><li>nested a</li></ul></li><li><p>Two</p><p>more</p></li></ul>
<dl><dt>Power</dt><dd><p>700 W</p></dd></dl>
<h2>FAQ</h2><h3>Is it fast?</h3><p>Yes it is.</p>
<aside>Read our other things.</aside></div>
<div id="comments"><h2>2 Comments</h2><ol><li><p>Bob</p><p>I like it.</p></li></ol></div>
<aside><h3>Related</h3><a href="1">Foo and bar</a></aside>
<footer>Made by Example</footer></body></html>"""


def test_scripts_styles_comments_and_hidden_text_never_appear() -> None:
    text = read(PAGE, "a.html").text
    assert not any(part in text for part in ("secret", "alert", "color", "<"))


@pytest.mark.parametrize(
    ("part", "expected"),
    [
        ("Home", Role.BOILERPLATE),
        ("The first has 80 GB and a link.\nSecond line.", Role.BODY),
        ("Another paragraph", Role.BODY),
        ("Figures", Role.HEADING),
        ("141 GB", Role.TABLE),
        ("nested a", Role.LIST),
        ("Power: 700 W", Role.LIST),
        ("Yes it is", Role.FAQ),
        ("other things", Role.BOILERPLATE),
        ("I like it", Role.COMMENT),
        ("Foo and bar", Role.BOILERPLATE),
        ("Made by", Role.BOILERPLATE),
    ],
)
def test_each_part_of_a_page_gets_its_role(part: str, expected: Role) -> None:
    assert role(read(PAGE, "a.html"), part) is expected


def test_tables_are_rows_of_cells_with_a_header() -> None:
    document = read(PAGE, "a.html")
    table = found(document, "141 GB")
    assert words(document, table) == "Chip | Memory\nH100 | 80 GB\nH200 | 141 GB"
    assert table.header == (table.start, table.start + len("Chip | Memory"))
    assert table.heading == ("Figures", "Per chip")


def test_spanning_cells_are_repeated() -> None:
    source = (
        "<table><tr><th>Chip<th colspan=2>Memory<tr><td rowspan=2>H100<td>SXM<td>80 GB<tr><td>PCIe<td>80 GB</table>"
    )
    assert read(source, "a.html").text == "Chip | Memory | Memory\nH100 | SXM | 80 GB\nH100 | PCIe | 80 GB"


def test_the_page_says_who_wrote_it_and_when() -> None:
    info = read(PAGE, "a.html").info
    assert (info.title, info.author, info.published) == ("Two chips compared", "Ann Lee", "2025-03-04")


def test_without_a_heading_the_title_loses_the_site_s_name() -> None:
    source = "<title>How much memory an accelerator needs - Example Site</title><p>words</p>"
    assert read(source, "a.html").info.title == "How much memory an accelerator needs"


def test_a_layout_table_is_walked_like_any_box() -> None:
    document = read(
        "<table><tr><td><h2>Left</h2><p>words one</p></td><td><table><tr><td>a<td>b<tr><td>c<td>d</table></td></tr></table>",
        "a.html",
    )
    assert role(document, "words one") is Role.BODY
    assert role(document, "c | d") is Role.TABLE


def test_a_sidebar_that_holds_the_article_is_the_article() -> None:
    long = "The chip has a lot of memory. " * 20
    assert role(read(f"<div class='sidebar'><p>{long}</p></div><p>x y</p>", "a.html"), "a lot") is Role.BODY


@pytest.mark.parametrize(
    "source",
    ["<p>one<div>two</p></b></div><table><td>three", "<html><body><p>one <two three", "<ul><li>one<li>two three</p>"],
)
def test_malformed_html_is_read_as_far_as_it_goes(source: str) -> None:
    assert "one" in read(source, "a.html").text


def test_html_is_told_by_its_first_bytes_where_the_name_says_nothing() -> None:
    assert read("<!DOCTYPE html><p>words</p>", "page").text == "words"


def test_the_declared_encoding_is_used_where_utf_8_does_not_fit() -> None:
    source = "<meta charset='koi8-r'><p>память ускорителя</p>".encode("koi8-r")
    assert "память" in read(source, "a.html").text


def test_a_page_without_text_is_refused() -> None:
    with pytest.raises(SourceUnreadable, match="has no text"):
        read("<html><script>x</script></html>", "a.html")
