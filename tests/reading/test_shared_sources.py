"""The raw dumps that the reader was made for, where this checkout has them beside it."""

from __future__ import annotations

from pathlib import Path

import pytest

from chipwise.reading import read_file
from chipwise.types import Document, Role

from .said import found, role

FOLDER = Path(__file__).parents[3] / "shared" / "sources"
pytestmark = pytest.mark.skipif(not FOLDER.is_dir(), reason="no ../shared/sources beside this checkout")


def dump(number: str) -> Document:
    (path,) = FOLDER.glob(f"{number}_*.txt")
    return read_file(path)


@pytest.mark.parametrize(
    ("number", "part", "expected"),
    [
        ("000", "big tech firms", Role.COMMENT),
        ("000", "quietly released", Role.COMMENT),
        ("000", "honda civic", Role.COMMENT),
        ("000", "only available on Google Cloud Platform", Role.FAQ),
        ("000", "biggest mistake companies", Role.HEADING),
        ("000", "19% of their theoretical", Role.BODY),
        ("000", "70% cheaper", Role.LIST),
        ("001", "Bekah", Role.BOILERPLATE),
        ("001", "Hourly Cost", Role.TABLE),
        ("001", "Artistic drawing", Role.BOILERPLATE),
        ("001", "exclusive to Google Cloud", Role.FAQ),
        ("001", "Similar Post", Role.BOILERPLATE),
        ("001", "52% lower TCO", Role.BODY),
        ("002", "Struggling to scale", Role.BOILERPLATE),
        ("002", "must not be fetched", Role.BOILERPLATE),
        ("002", "endless scrolling", Role.BOILERPLATE),
        ("002", "smarter every time", Role.BOILERPLATE),
        ("002", "creative chaos", Role.BODY),
        ("002", "custom kernels", Role.BODY),
        ("003", "Company Spotlights", Role.BOILERPLATE),
        ("003", "2 Minutes Read", Role.BOILERPLATE),
        ("003", "2.8 times", Role.BODY),
        ("003", "captcha", Role.BOILERPLATE),
        ("003", "Sorry, no results", Role.BOILERPLATE),
        ("003", "In conclusion", Role.BODY),
        ("004", "Optimized configs", Role.BOILERPLATE),
        ("004", "Get premium", Role.BOILERPLATE),
        ("004", "leading the industry", Role.BOILERPLATE),
        ("004", "Versatile", Role.LIST),
        ("004", "aren’t quite as fine-tuned", Role.BODY),
        ("004", "Amy also enjoys", Role.BIO),
    ],
)
def test_marked_lines_have_their_role(number: str, part: str, expected: Role) -> None:
    assert role(dump(number), part) is expected


def test_the_flattened_table_has_its_caption_and_header() -> None:
    document = dump("001")
    table = found(document, "Hourly Cost")
    assert table.header is not None
    assert document.text[slice(*table.header)].startswith("Feature NVIDIA")
    assert table.heading[-1].startswith("Comparison of")


def test_readers_are_named_above_what_they_wrote() -> None:
    assert found(dump("000"), "honda civic").heading == ("comment by Vishal Gaur",)


@pytest.mark.parametrize(
    ("number", "title"), [("001", "Compute Infrastructure"), ("003", "Unpacking"), ("004", "TPU vs GPU: A beginner")]
)
def test_the_title_is_the_article_s(number: str, title: str) -> None:
    assert dump(number).info.title.startswith(title)
