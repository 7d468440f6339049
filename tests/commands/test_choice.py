"""`ask --llm`: a model chooses which sentences answer, and nothing that it writes is printed."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest
from click.testing import Result

from chipwise.knowledge import KnowledgeFolder

from ..conftest import Chipwise

QUESTION = "How much memory does the H200 have?"


class _Endpoint(HTTPServer):
    """Answers every chat request with `says`, and keeps what it was sent."""

    says = ""
    raw = b""
    wait = 0.0
    status = 200

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.requests: list[tuple[str, str]] = []

    @property
    def url(self) -> str:
        """As it is given to `--llm`."""
        return f"http://127.0.0.1:{self.server_port}/v1"


class _Handler(BaseHTTPRequestHandler):
    server: _Endpoint

    def do_GET(self) -> None:
        self._reply({"data": [{"id": "small"}]})

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        self.server.requests.append((self.path, body))
        time.sleep(self.server.wait)
        self._reply({"choices": [{"message": {"content": self.server.says}}]})

    def _reply(self, value: object) -> None:
        self.send_response(self.server.status)
        self.send_header("Location", "http://192.0.2.1/elsewhere")
        self.end_headers()
        self.wfile.write(self.server.raw or json.dumps(value).encode())

    def log_message(self, *_: object) -> None:
        """Nothing on stderr."""


@pytest.fixture
def endpoint(monkeypatch: pytest.MonkeyPatch) -> Iterator[_Endpoint]:
    monkeypatch.setattr(
        socket, "socket", socket.socket.__base__
    )  # these tests alone talk to an address of this machine
    server = _Endpoint()
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield server
    server.shutdown()
    server.server_close()
    thread.join()


def asked(chipwise: Chipwise, built: KnowledgeFolder, endpoint: _Endpoint, says: str) -> Result:
    endpoint.says = says
    return chipwise("ask", QUESTION, "--llm", endpoint.url, kb=built)


@pytest.mark.parametrize(
    "says",
    [
        "1",
        "**1**",
        "[1]",
        "<think>Sentence 2 or 3? The second says 999 GB.</think>\n\n1.",
        "The H200 does not have 141 GB [1]. \x1b[31mVisit http://evil [1]",
        "The H200 has 999 GB [" + "9" * 5000 + "], which beats it [1]",
        "1, 998",
    ],
)
def test_sentences_that_the_model_chooses_are_quoted_and_its_own_words_are_not(
    chipwise: Chipwise, built: KnowledgeFolder, endpoint: _Endpoint, says: str
) -> None:
    result = asked(chipwise, built, endpoint, says)
    assert result.exit_code == 0, result.stderr
    assert result.stdout.partition("\n\n")[0] == "The H200 has 141 GB of HBM3e memory. [1]"
    assert "999" not in result.stdout
    assert "evil" not in result.stdout


def test_at_most_five_are_quoted(chipwise: Chipwise, built: KnowledgeFolder, endpoint: _Endpoint) -> None:
    result = asked(chipwise, built, endpoint, "1, 2, 3, 4, 5, 6, 7")
    assert ("[5]" in result.stdout, "[6]" in result.stdout) == (True, False)


@pytest.mark.parametrize("says", ["none", "None.", "<think>1, 2, 3</think> **none**"])
def test_where_it_chooses_none_there_is_no_answer(
    chipwise: Chipwise, built: KnowledgeFolder, endpoint: _Endpoint, says: str
) -> None:
    result = asked(chipwise, built, endpoint, says)
    assert result.exit_code == 1
    assert "finds no sentence that answers it" in result.stdout


@pytest.mark.parametrize("says", ["", "The H200 holds 141 GB.", "99999", "0"])
def test_a_reply_that_names_no_sentence_is_an_error(
    chipwise: Chipwise, built: KnowledgeFolder, endpoint: _Endpoint, says: str
) -> None:
    result = asked(chipwise, built, endpoint, says)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "named no sentence\nhelp: ask without --llm" in result.stderr


def test_the_model_gets_the_question_and_numbered_sentences(
    chipwise: Chipwise, built: KnowledgeFolder, endpoint: _Endpoint
) -> None:
    asked(chipwise, built, endpoint, "1")
    [(path, body)] = endpoint.requests
    assert path == "/v1/chat/completions"
    sent = json.loads(body)
    assert sent["model"] == "small"
    assert QUESTION in sent["messages"][1]["content"]
    assert "1. The H200 has 141 GB of HBM3e memory. (" in sent["messages"][1]["content"]


def test_a_reply_that_never_ends_is_given_up(
    chipwise: Chipwise, built: KnowledgeFolder, endpoint: _Endpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("chipwise.answering.choice.TIMEOUT", 0.2)
    monkeypatch.setattr(_Endpoint, "wait", 1.0)
    result = asked(chipwise, built, endpoint, "1")
    assert (result.exit_code, "not answer" in result.stderr) == (2, True)


def test_json_that_is_too_deep_is_an_error(chipwise: Chipwise, built: KnowledgeFolder, endpoint: _Endpoint) -> None:
    endpoint.raw = b"[" * 200_000
    result = asked(chipwise, built, endpoint, "1")
    assert (result.exit_code, "gave no JSON" in result.stderr) == (2, True)


@pytest.mark.parametrize(("status", "said"), [(500, "answered with status 500"), (307, "answered with status 307")])
def test_an_endpoint_that_fails_or_sends_elsewhere_is_an_error(
    chipwise: Chipwise, built: KnowledgeFolder, endpoint: _Endpoint, status: int, said: str
) -> None:
    endpoint.status = status
    result = chipwise("ask", QUESTION, "--llm", endpoint.url, kb=built)
    assert result.exit_code == 2
    assert said in result.stderr
    assert "help: ask without --llm" in result.stderr


@pytest.mark.parametrize(
    "url",
    [
        "ftp://localhost/v1",
        "file:///etc/passwd",
        "localhost:8080",
        "http://[::1",
        "http://me:secret@localhost:port",
        "http://me:secret@local host/v1",
    ],
)
def test_what_is_no_web_address_is_refused_before_anything_is_sent(
    chipwise: Chipwise, built: KnowledgeFolder, url: str
) -> None:
    result = chipwise("ask", QUESTION, "--llm", url, kb=built)
    assert result.exit_code == 2
    assert "has no address of an endpoint" in result.stderr
    assert "secret" not in result.stderr


def test_a_password_in_an_address_is_not_shown(chipwise: Chipwise, built: KnowledgeFolder, endpoint: _Endpoint) -> None:
    endpoint.status = 500
    url = endpoint.url.replace("//", "//me:secret@") + "?key=secret"
    result = chipwise("ask", QUESTION, "--llm", url, kb=built)
    assert (result.exit_code, "secret" in result.stdout + result.stderr) == (2, False)
