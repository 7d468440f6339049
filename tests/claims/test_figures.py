"""What each sentence is about: named, carried over from before, or from the heading."""

from __future__ import annotations

import pytest

from chipwise.claims.extract import extract
from chipwise.claims.model import Sentence
from chipwise.domain.files import read_domain
from chipwise.domain.model import Domain
from chipwise.reading import read_bytes
from chipwise.splitting import split

from ..fakes import DOMAIN


@pytest.fixture(scope="module")
def domain() -> Domain:
    return read_domain(DOMAIN)


def read(domain: Domain, body: str) -> list[tuple[str, Sentence]]:
    """Every sentence of a Markdown text under the title "Doc", with what it names."""
    made = split(read_bytes(f"# Doc\n\n{body}".encode(), name="doc.md", origin="/doc.md"))
    annotated = extract(made, domain)[0]
    return [(p.text[s.start : s.end], s) for p, own in zip(made, annotated, strict=True) for s in own]


def figures(domain: Domain, body: str) -> list[tuple[str, str, str]]:
    """(subject, metric, the words of the quantity) of every figure."""
    made = split(read_bytes(f"# Doc\n\n{body}".encode(), name="doc.md", origin="/doc.md"))
    return [
        (f.subject, f.metric, p.text[f.quantity.start : f.quantity.end])
        for p, own in zip(made, extract(made, domain)[0], strict=True)
        for s in own
        for f in s.figures
    ]


def test_each_figure_belongs_to_the_chip_named_last_before_it(domain: Domain) -> None:
    assert figures(domain, "The H100 has 80 GB of memory; its successor, the H200, has 141 GB of memory.") == [
        ("h100", "memory_capacity", "80 GB"),
        ("h200", "memory_capacity", "141 GB"),
    ]


def test_a_figure_before_any_name_belongs_to_the_first_one_after_it(domain: Domain) -> None:
    assert figures(domain, "With 141 GB of memory, the H200 leads.") == [("h200", "memory_capacity", "141 GB")]


def test_a_sentence_without_a_name_is_about_what_was_named_last(domain: Domain) -> None:
    (_, first), (_, second) = read(domain, "The H100 is a GPU. It draws 700 W.")
    assert first.entities[:1] == ("h100",)
    assert (second.entities, second.carried, second.subjects) == ((), ("h100",), ("h100",))
    assert figures(domain, "The H100 is a GPU. It draws 700 W.") == [("h100", "power", "700 W")]


def test_what_a_sentence_is_about_is_carried_and_not_what_it_mentions(domain: Domain) -> None:
    sentences = read(domain, "The H100 came before the H200. It has more memory.")
    assert sentences[1][1].carried == ("h100",)


def test_a_line_of_products_is_not_carried(domain: Domain) -> None:
    sentences = read(domain, "A GPU has memory. It is fast.")
    assert sentences[1][1].carried == ()


def test_a_heading_says_what_the_sentences_below_are_about(domain: Domain) -> None:
    assert figures(
        domain, "## The H200\n\nIt has 141 GB of memory.\n\n## Others\n\nThere is also 80 GB of memory."
    ) == [
        ("h200", "memory_capacity", "141 GB"),
        ("", "memory_capacity", "80 GB"),
    ]


def test_nothing_is_carried_over_a_heading_or_into_a_comment(domain: Domain) -> None:
    sentences = read(domain, "## A\n\nThe H100 is old.\n\n## Comments\n\n> It is loud, says a reader.")
    assert [s.carried for _, s in sentences] == [(), ()]


def test_a_row_is_about_its_own_first_cell(domain: Domain) -> None:
    table = "## H100 and H200\n\n| GPU | Memory |\n|---|---|\n| H100 | 80 GB |\n| H200 | 141 GB |\n| other | 12 GB |\n"
    assert figures(domain, table) == [
        ("h100", "memory_capacity", "80 GB"),
        ("h200", "memory_capacity", "141 GB"),
        ("", "memory_capacity", "12 GB"),
    ]


def test_the_header_says_which_metric_a_bare_figure_is(domain: Domain) -> None:
    assert figures(domain, "| GPU | Power |\n|---|---|\n| H100 | 700 W |\n") == [("h100", "power", "700 W")]


def test_the_dimension_decides_between_metrics(domain: Domain) -> None:
    assert figures(domain, "The H200 has HBM3e memory of 141 GB and a bandwidth of 4.8 TB/s and draws 700 W.") == [
        ("h200", "memory_capacity", "141 GB"),
        ("h200", "memory_bandwidth", "4.8 TB/s"),
        ("h200", "power", "700 W"),
    ]


def test_a_figure_whose_metric_is_not_stated_has_none(domain: Domain) -> None:
    assert figures(domain, "The H100 was sold beside 80 GB of something.") == [("h100", "", "80 GB")]


def test_an_ambiguous_name_makes_no_subject(domain: Domain) -> None:
    ((_, sentence),) = read(domain, "Two L40s have 96 GB of memory.")
    assert sentence.entities == ("l40", "l40s")
    assert sentence.figures[0].subject == ""


def test_terms_are_told(domain: Domain) -> None:
    ((_, sentence),) = read(domain, "An optical circuit switch joins racks.")
    assert sentence.terms == ("ocs",)


def test_spans_count_from_the_start_of_the_passage(domain: Domain) -> None:
    body = "The H100 is a chip. It has 80 GB of memory. It draws 700 W."
    made = split(read_bytes(f"# Doc\n\n{body}".encode(), name="doc.md", origin="/doc.md"))
    ((first, second, third),) = extract(made, domain)[0]
    text = made[0].text
    assert text[second.start : second.end] == "It has 80 GB of memory."
    assert [text[f.quantity.start : f.quantity.end] for s in (first, second, third) for f in s.figures] == [
        "80 GB",
        "700 W",
    ]
