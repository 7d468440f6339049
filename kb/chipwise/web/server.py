"""The addresses of the pages, on 127.0.0.1 alone.

A page of another site that a browser shows can still send requests there, or give the address a name of its own: so the
Host header has to be ours, and a form counts only when a page of ours sent it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import uvicorn
from starlette.applications import Starlette
from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from chipwise.errors import ChipwiseError, StorageFailed
from chipwise.health import Status
from chipwise.reporting.opening import sentence
from chipwise.session import KnowledgeBase
from chipwise.web import pages

HOST = "127.0.0.1"
LARGEST = 16_000_000  # bytes of a form
_SENT: dict[str, pages.Show] = {"/check": pages.check, "/learn": pages.guess}  # by forms
_HEADERS = {
    "Content-Security-Policy": pages.POLICY,
    "Cache-Control": "no-store",
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
}


class Site:
    """The pages of one knowledge base. All run in the server's one thread, to which SQLite's connection belongs."""

    def __init__(self, base: KnowledgeBase) -> None:
        self.base = base
        self._status: Status | None = None

    def application(self) -> Starlette:
        """Return the ASGI application."""
        routes = [Route(path, self._page(show)) for path, (_, show) in pages.PAGES.items()]
        routes += [Route(path, self._page(show), methods=["POST"]) for path, show in _SENT.items()]
        routes += [Route("/plot.svg", self._plot), Route("/favicon.ico", lambda _: Response(status_code=204))]
        hosts = Middleware(TrustedHostMiddleware, allowed_hosts=[HOST, "localhost"])
        failures = {ChipwiseError: _failed, HTTPException: _failed}
        return Starlette(routes=routes, middleware=[hosts], exception_handlers=failures)

    def _now(self) -> KnowledgeBase:
        """The knowledge base as it is now, opened again if somebody changed it."""
        if self.base.status() != self._status:
            self.base.open()
            self._status = self.base.status()
        return self.base

    def _page(self, show: pages.Show) -> Callable[[Request], Awaitable[Response]]:
        async def answer(request: Request) -> Response:
            fields: dict[str, str | bytes] = dict(request.query_params)
            if request.method == "POST":
                fields |= await _sent(request)
            return _response(show(self._now(), fields).html(request.url.path))

        return answer

    async def _plot(self, request: Request) -> Response:
        return _response(pages.plot(self._now(), dict(request.query_params)), kind="image/svg+xml")


async def _sent(request: Request) -> dict[str, str | bytes]:
    """The fields of a form; a file is its bytes, and its name is in the field `name`."""
    if request.headers.get("origin") != f"http://{request.headers.get('host')}":
        raise HTTPException(403, "another site sent this form")
    if not request.headers.get("content-length", "").isdecimal() or int(request.headers["content-length"]) > LARGEST:
        raise HTTPException(413, f"a draft may have {LARGEST:,} bytes")
    fields: dict[str, str | bytes] = {}
    async with request.form(max_files=1, max_part_size=LARGEST) as form:
        for name, value in form.multi_items():
            if isinstance(value, UploadFile):
                fields |= {name: await value.read(), "name": value.filename or ""}
            else:
                fields[name] = value
    return fields


def _response(text: str, code: int = 200, kind: str = "text/html") -> Response:
    return Response(text, code, _HEADERS, kind)


async def _failed(request: Request, error: Exception) -> Response:
    code, said = (error.status_code, error.detail) if isinstance(error, HTTPException) else (400, str(error))
    told = getattr(error, "hint", "")  # what names a command is of no use here
    hint = told if told and "`chipwise" not in told else "start from one of the pages above"
    words = f"{sentence(said)} {sentence(hint)}"
    return _response(pages.Page("That did not work", [pages.notice(words)]).html(request.url.path), code)


def serve(base: KnowledgeBase, port: int) -> None:
    """Answer this machine's requests until Ctrl-C. Raises StorageFailed for a port that is taken."""
    app = Site(base).application()
    try:
        uvicorn.run(app, host=HOST, port=port, ws="none", lifespan="off", log_level="error", server_header=False)
    except SystemExit:
        raise StorageFailed(f"port {port} of {HOST} can't be opened", hint="choose another one with --port") from None
