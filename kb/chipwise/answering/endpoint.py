"""One request to a chat endpoint of the common form (`POST …/chat/completions`), such as a server on this machine."""

from __future__ import annotations

import json
import os
from concurrent.futures import Future
from http.client import HTTPException
from threading import Thread
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import SplitResult, urlsplit
from urllib.request import HTTPRedirectHandler, OpenerDirector, ProxyHandler, Request, build_opener

from chipwise.errors import EndpointFailed

TIMEOUT = 120  # seconds for all of it; a large model on a CPU takes its time
MOST = 1_000_000  # bytes of a reply that are read
_ASK_WITHOUT = "ask without --llm, or check the address and that the server runs"


class _Stays(HTTPRedirectHandler):
    """What is sent goes to the address that was given, and nowhere else."""

    def redirect_request(self, *_: Any) -> None:
        """No redirection is followed."""


def shown(url: str) -> str:
    """An address as it may be printed: without user, password and query."""
    parts = _split(url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"


def complete(url: str, instructions: str, text: str, model: str = "") -> str:
    """What the model says to `text`; without a name the first one that the endpoint lists. Raises EndpointFailed.

    `url` is the base that such servers name, "http://localhost:8080/v1". A key is sent where CHIPWISE_LLM_KEY holds one.
    """
    place = shown(url)
    kept: Future[str] = Future()

    def run() -> None:
        try:
            kept.set_result(_complete(url, instructions, text, model))
        except BaseException as error:
            kept.set_exception(error)

    # a socket's own limit holds for each of its reads, and a server that sends a byte a second never meets it
    Thread(target=run, daemon=True).start()
    try:
        return kept.result(TIMEOUT)
    except TimeoutError:
        raise EndpointFailed(f"{place} did not answer within {TIMEOUT} seconds", hint=_ASK_WITHOUT) from None


def _split(url: str) -> SplitResult:
    """The parts of an address. Raises EndpointFailed where it is none, without repeating it: it may hold a password."""
    try:
        parts = urlsplit(url.rstrip("/").removesuffix("/chat/completions"))
        sound = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:  # a bracket that is not closed, a port that is no number
        sound = False
    if not sound or not url.isascii() or not url.isprintable() or " " in url:
        raise EndpointFailed("--llm has no address of an endpoint", hint="give one like http://localhost:8080/v1")
    return parts


def _complete(url: str, instructions: str, text: str, model: str) -> str:
    parts = _split(url)
    base = parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()
    opener = build_opener(ProxyHandler({}), _Stays())
    body = {
        "model": model or _first_model(opener, base),
        "messages": [{"role": "system", "content": instructions}, {"role": "user", "content": text}],
        "temperature": 0,
    }
    try:
        content = _fetch(opener, f"{base}/chat/completions", body)["choices"][0]["message"]["content"]
    except (LookupError, TypeError) as error:
        raise EndpointFailed(f"{shown(base)} gave a reply of another form", hint=_ASK_WITHOUT) from error
    return content if isinstance(content, str) else ""


def _first_model(opener: OpenerDirector, base: str) -> str:
    try:
        return str(_fetch(opener, f"{base}/models")["data"][0]["id"])
    except (LookupError, TypeError) as error:
        raise EndpointFailed(f"{shown(base)} lists no model", hint="name one with --llm-model") from error


def _fetch(opener: OpenerDirector, url: str, body: object = None) -> Any:
    """JSON from the endpoint; a POST where there is a body."""
    headers = {"Content-Type": "application/json"}
    if key := os.environ.get("CHIPWISE_LLM_KEY", ""):
        headers["Authorization"] = f"Bearer {key}"
    place = shown(url)
    try:
        request = Request(url, None if body is None else json.dumps(body).encode(), headers)  # noqa: S310 (scheme checked)
        with opener.open(request, timeout=TIMEOUT) as reply:
            return json.loads(reply.read(MOST))
    except HTTPError as error:
        error.close()
        raise EndpointFailed(f"{place} answered with status {error.code}", hint=_ASK_WITHOUT) from error
    except HTTPException as error:
        raise EndpointFailed(f"{place} does not speak HTTP", hint=_ASK_WITHOUT) from error
    except (URLError, OSError) as error:
        raise EndpointFailed(
            f"{place} does not answer ({getattr(error, 'reason', error)})", hint=_ASK_WITHOUT
        ) from error
    except (ValueError, RecursionError) as error:
        raise EndpointFailed(f"{place} gave no JSON", hint=_ASK_WITHOUT) from error
