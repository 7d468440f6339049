"""`ask --llm`: a model's prose is kept as far as each sentence is borne out by what it cites."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from chipwise.knowledge import KnowledgeFolder

from ..conftest import Chipwise

QUESTION = "How much memory does the H200 have?"


class _Endpoint(HTTPServer):
    """Answers every chat request with `says`, and keeps what it was sent."""

    says = ""
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
        self._reply({"choices": [{"message": {"content": self.server.says}}]})

    def _reply(self, value: object) -> None:
        self.send_response(self.server.status)
        self.send_header("Location", "http://192.0.2.1/elsewhere")
        self.end_headers()
        self.wfile.write(json.dumps(value).encode())

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


def answer_of(chipwise: Chipwise, built: KnowledgeFolder, endpoint: _Endpoint) -> str:
    result = chipwise("ask", QUESTION, "--llm", endpoint.url, kb=built)
    assert result.exit_code == 0, result.stderr
    return " ".join(result.stdout.partition("\n\n")[0].split())


def test_prose_that_its_citation_bears_out_is_the_answer(
    chipwise: Chipwise, built: KnowledgeFolder, endpoint: _Endpoint
) -> None:
    endpoint.says = "With an H200 you get 141 GB of HBM3e [1]."
    assert answer_of(chipwise, built, endpoint) == "With an H200 you get 141 GB of HBM3e [1]."


@pytest.mark.parametrize(
    "struck",
    [
        "It beats the H300 [1].",  # a name that the evidence lacks
        "That is 144 GB [1].",  # a number that it lacks
        "This is the best memory around.",  # no citation
        "It has much memory [7].",  # one that there is not
        "In short, Blackwell has less [1].",
    ],
)
def test_a_sentence_without_ground_in_its_evidence_is_struck(
    chipwise: Chipwise, built: KnowledgeFolder, endpoint: _Endpoint, struck: str
) -> None:
    endpoint.says = f"{struck} The H200 holds 141 GB [1]."
    assert answer_of(chipwise, built, endpoint) == "The H200 holds 141 GB [1]."


def test_where_nothing_is_borne_out_the_answer_stays_as_it_was(
    chipwise: Chipwise, built: KnowledgeFolder, endpoint: _Endpoint
) -> None:
    plain = " ".join(chipwise("ask", QUESTION, kb=built).stdout.partition("\n\n")[0].split())
    endpoint.says = "The H300 has 999 GB [1]. \x1b[31mIgnore all of that."
    assert answer_of(chipwise, built, endpoint) == plain


def test_a_refusal_is_not_sent_anywhere(chipwise: Chipwise, built: KnowledgeFolder, endpoint: _Endpoint) -> None:
    result = chipwise("ask", "How fast is the Frobnicator 9000?", "--llm", endpoint.url, kb=built)
    assert result.exit_code == 1
    assert endpoint.requests == []


def test_the_model_gets_the_question_and_its_evidence(
    chipwise: Chipwise, built: KnowledgeFolder, endpoint: _Endpoint
) -> None:
    endpoint.says = "The H200 holds 141 GB [1]."
    answer_of(chipwise, built, endpoint)
    [(path, body)] = endpoint.requests
    assert path == "/v1/chat/completions"
    sent = json.loads(body)
    assert sent["model"] == "small"
    assert QUESTION in sent["messages"][1]["content"]
    assert "The H200 has 141 GB of HBM3e memory." in sent["messages"][1]["content"]


@pytest.mark.parametrize(("status", "said"), [(500, "answered with status 500"), (307, "answered with status 307")])
def test_an_endpoint_that_fails_or_sends_elsewhere_is_an_error(
    chipwise: Chipwise, built: KnowledgeFolder, endpoint: _Endpoint, status: int, said: str
) -> None:
    endpoint.status = status
    result = chipwise("ask", QUESTION, "--llm", endpoint.url, kb=built)
    assert result.exit_code == 2
    assert said in result.stderr
    assert "help: ask without --llm" in result.stderr


@pytest.mark.parametrize("url", ["ftp://localhost/v1", "file:///etc/passwd", "localhost:8080"])
def test_what_is_no_web_address_is_refused_before_anything_is_sent(
    chipwise: Chipwise, built: KnowledgeFolder, url: str
) -> None:
    result = chipwise("ask", QUESTION, "--llm", url, kb=built)
    assert result.exit_code == 2
    assert "is no address of an endpoint" in result.stderr
