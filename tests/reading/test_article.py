"""What of a page is its article: menus and teasers that no class gives away are none, and none of the article is lost."""

from __future__ import annotations

from chipwise.types import Role

from .said import read, role

PROSE = [
    "The accelerator keeps its weights in stacks of memory beside the die, and each stack has a wide bus of its own.",
    "Because every token reads all of them once, the rate at which text comes out follows from that bandwidth.",
    "A larger batch shares one reading among many requests, until the cache of their contexts fills what is left.",
    "Beyond that point a second card helps more than a faster one, since it brings memory as well as bandwidth.",
    "Links between the cards then carry partial sums, a little for each layer, and their delay begins to count.",
]
TEASERS = [
    "Seven laptops for the autumn",
    "Our pick of headphones",
    "Win a trip to the coast",
    "Subscribe for two issues",
]
PAGE = f"""<html><head><title>Where decoding spends its time</title></head><body>
<div class="x1"><ul>{"".join(f"<li><a href='/{n}'>{words}</a></li>" for n, words in enumerate(TEASERS))}</ul></div>
<div class="x2"><h1>Where decoding spends its time</h1>{"".join(f"<p>{words}</p>" for words in PROSE[:3])}
<h2>More than one card</h2>{"".join(f"<p>{words}</p>" for words in PROSE[3:])}
<table><tr><th>Chip</th><th>Memory</th></tr><tr><td>H100</td><td>80 GB</td></tr></table></div>
<div class="x3"><h3>Readers also chose</h3><div><a href="/a">The best kettle of the year</a></div>
<div><a href="/b">Which lamp for which room</a></div></div></body></html>"""


def test_teasers_that_no_class_gives_away_are_furniture() -> None:
    document = read(PAGE, "a.html")
    for words in (*TEASERS, "The best kettle of the year", "Which lamp for which room"):
        assert role(document, words) is Role.BOILERPLATE


def test_the_article_its_headings_and_its_table_stay_what_they_are() -> None:
    document = read(PAGE, "a.html")
    assert {role(document, words) for words in PROSE} == {Role.BODY}
    assert role(document, "More than one card") is Role.HEADING
    assert role(document, "80 GB") is Role.TABLE


def test_what_a_class_calls_furniture_and_is_the_article_is_body() -> None:
    page = PAGE.replace(f"<p>{PROSE[1]}</p>", f'<p class="promo">{PROSE[1]}</p>')
    assert role(read(page, "a.html"), PROSE[1]) is Role.BODY


def test_a_page_of_a_few_words_is_left_as_it_is() -> None:
    assert role(read("<ul><li><a href=x>The H100 has 80 GB</a></ul>", "a.html"), "80 GB") is Role.LIST
