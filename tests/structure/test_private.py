"""Nothing leaves the machine, and nothing but our own folders is left on it, whatever the libraries below us would do."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from chipwise.knowledge import KnowledgeFolder

from ..conftest import COMMAND, ROOT

# over the library and the command, in one process that stays open for as long as a report takes to be sent
A_DAY = """
import importlib.util, json, subprocess, sys, time
import chipwise
from chipwise_cli.main import cli
folder, draft = sys.argv[1:]
with chipwise.KnowledgeBase(folder) as kb:
    kb.add(draft)
    kb.ask("Why does a decode step wait for memory?")
    kb.check(draft)
for arguments in (["ask", "How much memory does an H200 have?"], ["check", draft], ["audit"], ["search", "memory"]):
    cli.main(["--kb", folder, *arguments], standalone_mode=False)
if importlib.util.find_spec("mcp"):
    serving = [sys.executable, "-c", "from chipwise_cli.main import main; main()", "--kb", folder, "mcp"]
    server = subprocess.Popen(serving, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    client = {"protocolVersion": "2025-03-26", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
    call = {"name": "ask", "arguments": {"question": "Why does a decode step wait for memory?"}}
    asked = ({"id": 1, "method": "initialize", "params": client}, {"method": "notifications/initialized"})
    for message in (*asked, {"id": 2, "method": "tools/call", "params": call}):
        print(json.dumps({"jsonrpc": "2.0", **message}), file=server.stdin, flush=True)
    assert any(json.loads(line).get("id") == 2 for line in server.stdout)
time.sleep(5)
"""


# what asks the server; a process of its own, in which a connection to this machine is none of ours
CLIENT = """
import socket, sys, time, urllib.request
for attempt in range(600):
    with socket.socket() as probe:
        if probe.connect_ex(("127.0.0.1", int(sys.argv[1]))) == 0:
            break
    time.sleep(0.1)
for path in ("", "?q=How+much+memory+does+an+H200+have%3F", "check"):
    assert urllib.request.urlopen(f"http://127.0.0.1:{sys.argv[1]}/{path}").status == 200
"""


def test_serve_opens_the_one_socket_that_it_listens_on_and_leaves_no_file_of_others(
    own: KnowledgeFolder, tmp_path: Path
) -> None:
    if shutil.which("strace") is None:
        pytest.skip("strace is not installed, and nothing else sees what native code does")
    home, trace, port = tmp_path / "home", tmp_path / "trace", str(20_000 + os.getpid() % 20_000)
    home.mkdir()
    path = os.pathsep.join((str(ROOT / "kb"), str(ROOT / "cli")))  # without what refuses sockets
    others = ("CI", "ORT_DISABLE_TELEMETRY", "XDG_DATA_HOME", "XDG_STATE_HOME")
    environment = {name: value for name, value in os.environ.items() if name not in others}
    environment |= {"HOME": str(home), "TMPDIR": str(tmp_path), "PYTHONPATH": path}
    watch = ["strace", "-f", "-qq", "-e", "trace=socket,connect,bind", "-o", trace]
    serving = [*watch, *COMMAND, "--kb", own.folder, "serve", "--port", port]
    server = subprocess.Popen(serving, env=environment, stdout=subprocess.DEVNULL, start_new_session=True)
    try:
        subprocess.run([sys.executable, "-c", CLIENT, port], env=environment, check=True)
    finally:
        os.killpg(server.pid, signal.SIGTERM)  # strace alone would leave it running
        server.wait(20)
    calls = [line.partition(" ")[2].strip() for line in trace.read_text().splitlines() if "AF_INET" in line]
    assert [call.partition("(")[0] for call in calls] == ["socket", "bind"]
    assert "127.0.0.1" in calls[1]
    assert [path for path in home.rglob("*") if path.is_file() and "chipwise" not in path.parts] == []


def test_a_days_use_opens_no_socket_and_leaves_no_file_of_others(own: KnowledgeFolder, tmp_path: Path) -> None:
    if shutil.which("strace") is None:
        pytest.skip("strace is not installed, and nothing else sees what native code does")
    home, trace, draft = tmp_path / "home", tmp_path / "trace", tmp_path / "draft.md"
    for folder in (home, tmp_path / "temporary"):
        folder.mkdir(exist_ok=True)
    draft.write_text("# Draft\n\nThe H200 has 170 GB of memory.\n")
    others = ("CI", "ORT_DISABLE_TELEMETRY", "XDG_DATA_HOME", "XDG_STATE_HOME")
    environment = {name: value for name, value in os.environ.items() if name not in others}
    environment |= {"HOME": str(home), "TMPDIR": str(tmp_path / "temporary")}
    watch = ["strace", "-f", "-qq", "-e", "trace=socket,connect", "-o", trace]
    done = subprocess.run(
        [*watch, sys.executable, "-c", A_DAY, own.folder, draft], capture_output=True, text=True, env=environment
    )
    assert done.returncode == 0, done.stderr
    calls = [line for line in trace.read_text().splitlines() if "(" in line]
    assert calls == []
    left = [path for path in (*home.rglob("*"), *(tmp_path / "temporary").rglob("*")) if path.is_file()]
    assert [path for path in left if "chipwise" not in path.relative_to(tmp_path).parts] == []
