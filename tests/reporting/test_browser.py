"""The page in a real browser: it loads quietly, fetches nothing, fits a phone, follows light and dark, works by keyboard."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from .browser import Tab, find_browser, opened

BROWSER = find_browser()
pytestmark = pytest.mark.skipif(BROWSER is None, reason="no Chromium here: `apt-get install -y chromium`")


@pytest.fixture(scope="module")
def file(page: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("page") / "report.html"
    path.write_text(page, "utf-8")
    return path


@pytest.fixture(scope="module")
def tab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tab]:
    assert BROWSER is not None
    with opened(BROWSER, tmp_path_factory.mktemp("profile")) as tab:
        yield tab


@pytest.mark.parametrize(("width", "scheme"), [(1100, "light"), (1100, "dark"), (360, "light"), (360, "dark")])
def test_the_page_loads_quietly_and_fits(tab: Tab, file: Path, width: int, scheme: str) -> None:
    tab.open(file.as_uri(), width=width, scheme=scheme)
    tab.value("document.querySelectorAll('details').forEach(one => { one.open = true })")
    assert tab.value("document.documentElement.scrollWidth") == width
    assert [event["request"]["url"] for event in tab.told("Network.requestWillBeSent")] == [file.as_uri()]
    for quiet in ("Log.entryAdded", "Runtime.consoleAPICalled", "Runtime.exceptionThrown"):
        assert tab.told(quiet) == []
    assert tab.value("document.title").startswith("chipwise")


def test_the_policy_stops_what_the_page_does_not_hold(tab: Tab, file: Path) -> None:
    """That the tests above would see it: an image that is added later is refused, and told of."""
    tab.open(file.as_uri())
    tab.value("document.body.append(Object.assign(new Image(), {src: 'https://example.invalid/x.png'}))")
    tab.value("1")
    told = [event["entry"]["text"] for event in tab.told("Log.entryAdded")]
    assert any("Content Security Policy" in text for text in told)


def test_colours_follow_light_and_dark(tab: Tab, file: Path) -> None:
    found = {}
    for scheme in ("light", "dark"):
        tab.open(file.as_uri(), scheme=scheme)
        found[scheme] = tab.value("getComputedStyle(document.body).backgroundColor")
        assert tab.value("getComputedStyle(document.querySelector('.plot .ground')).fill") == found[scheme]
    assert found["light"] == "rgb(255, 255, 255)"
    assert found["dark"] != found["light"]


def test_words_can_be_told_from_the_ground(tab: Tab, file: Path) -> None:
    """WCAG 2's contrast of 4.5 for words, and 3 for marks, in both schemes."""
    for scheme in ("light", "dark"):
        tab.open(file.as_uri(), scheme=scheme)
        style = "getComputedStyle(document.documentElement).getPropertyValue('--{}')"
        ground = luminance(tab.value(style.format("ground")))
        for name, least in [
            ("ink", 4.5),
            ("soft", 4.5),
            ("bad", 4.5),
            ("s0", 4.5),
            *((f"s{n}", 3) for n in range(1, 8)),
        ]:
            lighter, darker = sorted((ground, luminance(tab.value(style.format(name)))), reverse=True)
            assert (lighter + 0.05) / (darker + 0.05) >= least, (scheme, name)


def luminance(colour: str) -> float:
    """Relative luminance of "#rrggbb", by WCAG 2."""
    parts = [int(colour.strip()[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_the_keyboard_skips_to_the_findings_and_unfolds_a_plot(tab: Tab, file: Path) -> None:
    tab.open(file.as_uri())
    tab.press("Tab", 9)
    assert tab.value("document.activeElement.className") == "skip"
    assert tab.value("document.activeElement.getBoundingClientRect().left") >= 0
    tab.press("Enter", 13)
    assert tab.value("location.hash") == "#main"
    tab.value("document.querySelector('#figures details:not([open]) > summary').focus()")
    tab.press("Enter", 13)
    assert tab.value("document.activeElement.parentElement.open") is True


def test_a_desk_and_a_phone_each_see_one_drawing(tab: Tab, file: Path) -> None:
    shown = "[...document.querySelectorAll('#chart-roofline svg')].filter(one => one.getBoundingClientRect().width > 0).length"
    for width, size in ((1100, 720), (360, 328)):
        tab.open(file.as_uri(), width=width)
        assert tab.value(shown) == 1
        wide = "Math.max(...[...document.querySelectorAll('#chart-roofline svg')].map(one => one.getBoundingClientRect().width))"
        assert tab.value(wide) == pytest.approx(size, abs=1)
