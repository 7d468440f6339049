"""One request to a chat endpoint of the common form (`POST …/chat/completions`), such as a server on this machine."""

from __future__ import annotations

import json
import os
from http.client import HTTPException
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, OpenerDirector, ProxyHandler, Request, build_opener

from chipwise.errors import EndpointFailed

TIMEOUT = 120  # seconds; a large model on a CPU takes its time
MOST = 1_000_000  # bytes of a reply that are read
_ASK_WITHOUT = "ask without --llm, or check the address and that the server runs"


class _Stays(HTTPRedirectHandler):
    """What is sent goes to the address that was given, and nowhere else."""

    def redirect_request(self, *_: Any) -> None:
        """No redirection is followed."""


def complete(url: str, instructions: str, text: str, model: str = "") -> str:
    """What the model says to `text`; without a name the first one that the endpoint lists. Raises EndpointFailed.

    `url` is the base that such servers name, "http://localhost:8080/v1". A key is sent where CHIPWISE_LLM_KEY holds one.
    """
    base = url.rstrip("/").removesuffix("/chat/completions")
    if urlsplit(base).scheme not in ("http", "https") or not urlsplit(base).netloc:
        raise EndpointFailed(f"{url} is no address of an endpoint", hint="give one like http://localhost:8080/v1")
    opener = build_opener(ProxyHandler({}), _Stays())
    body = {
        "model": model or _first_model(opener, base),
        "messages": [{"role": "system", "content": instructions}, {"role": "user", "content": text}],
        "temperature": 0,
    }
    try:
        content = _fetch(opener, f"{base}/chat/completions", body)["choices"][0]["message"]["content"]
    except (LookupError, TypeError) as error:
        raise EndpointFailed(f"{base} gave a reply of another form", hint=_ASK_WITHOUT) from error
    return content if isinstance(content, str) else ""


def _first_model(opener: OpenerDirector, base: str) -> str:
    try:
        return str(_fetch(opener, f"{base}/models")["data"][0]["id"])
    except (LookupError, TypeError) as error:
        raise EndpointFailed(f"{base} lists no model", hint="name one with --llm-model") from error


def _fetch(opener: OpenerDirector, url: str, body: object = None) -> Any:
    """JSON from the endpoint; a POST where there is a body."""
    key = os.environ.get("CHIPWISE_LLM_KEY", "")
    headers = {"Content-Type": "application/json", **({"Authorization": f"Bearer {key}"} if key else {})}
    request = Request(url, None if body is None else json.dumps(body).encode(), headers)  # noqa: S310 (scheme checked)
    try:
        with opener.open(request, timeout=TIMEOUT) as reply:
            return json.loads(reply.read(MOST))
    except HTTPError as error:
        raise EndpointFailed(f"{url} answered with status {error.code}", hint=_ASK_WITHOUT) from error
    except (URLError, HTTPException, OSError) as error:
        raise EndpointFailed(f"{url} does not answer ({getattr(error, 'reason', error)})", hint=_ASK_WITHOUT) from error
    except ValueError as error:
        raise EndpointFailed(f"{url} gave no JSON", hint=_ASK_WITHOUT) from error
