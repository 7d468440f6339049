"""The pages over HTTP, without a server: what they show, what they refuse, and that no document becomes markup."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from html.parser import HTMLParser
from typing import Any
from urllib.parse import quote

import pytest

from chipwise import KnowledgeBase
from chipwise.knowledge import KnowledgeFolder
from chipwise.web.server import LARGEST, Site

from ..reporting.conftest import EVIL_TITLE

HOST = "127.0.0.1:8765"
TAGS = set(
    """html head meta title style body a header strong nav ul li main h1 h2 h3 p form label input button section details
    summary div figure figcaption blockquote mark article span code pre table caption thead tbody tr th td picture source
    img select option textarea ol dl dt dd""".split()
)
EVIL = "</textarea><script>alert(1)</script><img src=x onerror=alert(2)> The H200 has 96 GB of memory. [1] &lt;b&gt;"


@dataclass
class Got:
    """A response."""

    status: int
    headers: dict[str, str]
    text: str


Ask = Callable[..., Got]


@pytest.fixture
def ask(folder: KnowledgeFolder) -> Iterator[Ask]:
    with KnowledgeBase(folder.folder) as base:
        app = Site(base).application()

        def call(path: str, body: bytes = b"", **headers: str) -> Got:
            return asyncio.run(_call(app, path, body, {"host": HOST, **headers}))

        yield call


async def _call(app: Any, path: str, body: bytes, headers: dict[str, str]) -> Got:
    method, (path, _, query) = "POST" if "origin" in headers else "GET", path.partition("?")
    if body:
        headers = {"content_length": str(len(body)), **headers}
    sent = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    scope = {"type": "http", "method": method, "path": path, "query_string": query.encode(), "headers": sent}
    told: list[Any] = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": body}

    async def send(message: Any) -> None:
        told.append(message)

    await app(scope | {"http_version": "1.1", "scheme": "http"}, receive, send)
    text = b"".join(m.get("body", b"") for m in told).decode()
    return Got(told[0]["status"], {k.decode(): v.decode() for k, v in told[0]["headers"]}, text)


def form(**fields: str) -> tuple[bytes, str]:
    """The body of a form, and its kind."""
    return "&".join(f"{k}={quote(v)}" for k, v in fields.items()).encode(), "application/x-www-form-urlencoded"


def sent(ask: Ask, path: str, origin: str = f"http://{HOST}", **fields: str) -> Got:
    body, kind = form(**fields)
    return ask(path, body, origin=origin, content_type=kind)


def elements(page: str) -> set[str]:
    found: set[str] = set()
    parser = HTMLParser()
    parser.handle_starttag = lambda tag, attributes: found.update((tag, *(f"@{a}" for a, _ in attributes)))  # type: ignore[method-assign]
    parser.feed(page)
    return found


def test_what_anybody_writes_stays_text(ask: Ask) -> None:
    pages = [
        ask(f"/?q={quote(EVIL)}"),
        ask(f"/compare?chips={quote(EVIL)},h100"),
        ask("/findings"),
        ask("/nope<script>"),
    ]
    pages += [sent(ask, "/check", text=EVIL), sent(ask, "/learn", step=EVIL, guess="a")]
    for page in pages:
        found = elements(page.text)
        assert {tag for tag in found if not tag.startswith("@")} <= TAGS
        assert not {name for name in found if name.startswith("@on") or name in ("@style", "@srcdoc")}
    assert EVIL_TITLE.replace("<", "&lt;").replace(">", "&gt;").replace(" & ", " &amp; ") in pages[2].text


def test_an_answer_holds_the_quote_behind_each_number(ask: Ask) -> None:
    page = ask("/?q=How+much+memory+does+the+H200+have%3F").text
    assert '<details class="cite"><summary>1</summary>' in page
    assert page.count("<blockquote>") >= 1
    assert '<a href="/" aria-current="page">Ask</a>' in page


def test_chips_stand_side_by_side_with_plots_of_them(ask: Ask) -> None:
    page = ask("/compare?chips=h100+sxm,mi300x").text
    assert '<th scope="col">NVIDIA H100 SXM</th>' in page
    assert 'src="/plot.svg?what=roofline&amp;chips=h100+sxm%2Cmi300x' in page
    plot = ask("/plot.svg?what=roofline&chips=h100+sxm,mi300x")
    assert plot.headers["content-type"].startswith("image/svg+xml")
    assert "H100 SXM" in plot.text


def test_a_draft_has_its_figures_marked_with_their_readings(ask: Ask) -> None:
    page = sent(ask, "/check", text="Notes.\r\nThe H200 has 96 GB of memory.").text
    assert '<details class="figure contradicted"><summary>96 GB</summary>' in page
    assert "NVIDIA H200, memory capacity: 96 GB" in page
    assert "Notes." in page


def test_findings_are_filtered(ask: Ask) -> None:
    every, none = ask("/findings").text, ask("/findings?chip=AMD+MI300X").text
    assert every.count("<article") > none.count("<article") == 0
    assert '<option value="contradiction">' in every


def test_only_this_machine_asks_under_its_own_name_and_only_our_forms_count(ask: Ask) -> None:
    assert ask("/", host="evil.example").status == 400
    assert sent(ask, "/learn", origin="https://evil.example", step="dense-or-sparse", guess="a").status == 403
    assert sent(ask, "/check", origin="null", text="x").status == 403
    assert ask("/check", b"x", origin=f"http://{HOST}", content_length=str(LARGEST + 1)).status == 413
    headers = ask("/").headers
    assert "default-src 'none'" in headers["content-security-policy"]
    assert "script" not in headers["content-security-policy"]
    assert headers["x-frame-options"] == "DENY"


def test_what_goes_wrong_is_a_page_that_says_what_to_do(ask: Ask) -> None:
    page = ask("/compare?chips=zorgon,h100")
    assert page.status == 400
    assert "zorgon" in page.text.lower()
    assert ask("/nope").status == 404


def test_an_error_names_no_command(ask: Ask) -> None:
    got = ask("/compare?chips=qwertyuiop")
    assert got.status == 400
    assert "nothing is called" in got.text.lower()
    assert "chipwise facts" not in got.text
    assert "Did you mean NVIDIA H100" in ask("/compare?chips=h1000").text
