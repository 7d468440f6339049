"""`chipwise serve` in a real browser: by keyboard, dark and light, on a phone's width, with no script and nothing from elsewhere."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import uvicorn

from chipwise import KnowledgeBase
from chipwise.knowledge import KnowledgeFolder
from chipwise.web.server import Site

from ..reporting.browser import Tab, find_browser, opened

BROWSER = find_browser()
pytestmark = pytest.mark.skipif(BROWSER is None, reason="no Chromium here: `apt-get install -y chromium`")
TAB, ENTER = ("Tab", 9), ("Enter", 13)


@pytest.fixture(scope="module")
def site(folder: KnowledgeFolder, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server in a thread of this process, to which the connection of its knowledge base belongs."""
    servers: list[uvicorn.Server] = []

    def serve() -> None:
        with KnowledgeBase(folder.folder) as base:
            servers.append(
                uvicorn.Server(uvicorn.Config(Site(base).application(), port=0, log_level="error", lifespan="off"))
            )
            servers[0].run()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket, "socket", socket.socket.__base__)  # the one that may listen
        thread = threading.Thread(target=serve)
        thread.start()
        while not servers or not servers[0].started:
            time.sleep(0.05)
        yield f"http://127.0.0.1:{servers[0].servers[0].sockets[0].getsockname()[1]}/"
        servers[0].should_exit = True
        thread.join(20)


@pytest.fixture(scope="module")
def tab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tab]:
    assert BROWSER is not None
    with opened(BROWSER, tmp_path_factory.mktemp("profile")) as tab:
        yield tab


PAGES = (
    "",
    "?q=How+much+memory+does+the+H200+have%3F",
    "compare?chips=h100+sxm,mi300x",
    "check",
    "learn",
)


def test_each_page_loads_quietly_fits_and_follows_the_scheme(tab: Tab, site: str) -> None:
    for page in PAGES:
        for width, scheme in ((1100, "light"), (360, "dark")):
            tab.open(site + page, width=width, scheme=scheme)
            tab.value("document.querySelectorAll('details').forEach(one => { one.open = true })")
            assert tab.value("document.documentElement.scrollWidth") == width, page
            assert tab.value("document.scripts.length") == 0
            asked = [event["request"]["url"] for event in tab.told("Network.requestWillBeSent")]
            assert all(url.startswith(site) for url in asked)
            for quiet in ("Log.entryAdded", "Runtime.consoleAPICalled", "Runtime.exceptionThrown"):
                assert tab.told(quiet) == [], page
            light = tab.value("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
            assert light == (scheme == "light")


def test_a_question_is_asked_and_its_citation_opened_by_keyboard(tab: Tab, site: str) -> None:
    tab.open(site)
    focused = (tab.value("document.activeElement.id") for _ in range(100) if not time.sleep(0.05))
    assert "q" in focused  # a browser moves the focus when it draws, which may be after loading
    tab.value("document.activeElement.value = 'How much memory does the H200 have?'")
    go(tab, lambda: tab.press(*ENTER))
    assert "141 GB" in tab.value("document.querySelector('.answer').innerText")
    tab.value("document.querySelector('#q').focus()")
    for _ in range(2):
        tab.press(*TAB)
    assert tab.value("document.activeElement.tagName") == "SUMMARY"
    tab.press(*ENTER)
    assert tab.value("document.querySelector('details.cite blockquote').getBoundingClientRect().height") > 0


def test_a_pasted_draft_shows_how_each_figure_was_read(tab: Tab, site: str) -> None:
    tab.open(site + "check")
    tab.value("document.querySelector('textarea').value = '<b>The H200</b> has 170 GB of memory. <script>x()</script>'")
    go(tab, lambda: tab.value("document.querySelector('form button').click()"))
    assert tab.value("document.querySelector('.draft').innerText").startswith("<b>The H200</b> has 170 GB")
    assert tab.value("document.querySelectorAll('.draft b, script').length") == 0
    tab.value("document.querySelector('details.contradicted > summary').focus()")
    tab.press(*ENTER)
    assert "141" in tab.value("document.querySelector('details.contradicted .inside').innerText")


def test_a_file_is_dropped(tab: Tab, site: str, tmp_path: Path) -> None:
    draft = tmp_path / "prices.csv"
    draft.write_text("chip,memory_gb\nH200,170\n", "utf-8")
    tab.open(site + "check")
    node = tab.send("Runtime.evaluate", expression="document.querySelector('#file')")["result"]["objectId"]
    tab.send("DOM.setFileInputFiles", files=[str(draft)], objectId=node)
    go(tab, lambda: tab.value("document.querySelector('form button').click()"))
    assert tab.value("document.querySelector('h1').innerText") == "prices.csv"
    assert tab.value("document.querySelectorAll('details.figure').length") == 1


def test_a_step_is_guessed(tab: Tab, site: str) -> None:
    tab.open(site + "learn")
    go(tab, lambda: tab.value("document.querySelector('.steps a').click()"))
    tab.value("document.querySelector('.options button').focus()")
    go(tab, lambda: tab.press(*ENTER))
    assert tab.value("document.querySelector('.notice').innerText").split()[0] in ("Right:", "No:")


def go(tab: Tab, act: Callable[[], object]) -> None:
    """Does what leads to another page, and waits for it."""
    tab.events.clear()
    act()
    while not tab.told("Page.loadEventFired"):
        tab.events.append(tab._read())
