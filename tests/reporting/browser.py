"""A headless Chromium, spoken to over a pipe: no port is opened and nothing is installed with pip for it."""

from __future__ import annotations

import base64
import contextlib
import json
import os
import select
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

_NAMES = ("chromium", "chromium-browser", "google-chrome")
_PATIENCE = 120  # seconds: a busy machine starts a browser slowly
_FLAGS = (
    "--headless=new --no-sandbox --disable-gpu --disable-dev-shm-usage --no-first-run --hide-scrollbars"
    " --disable-background-networking --disable-component-update --disable-sync --remote-debugging-pipe"
).split()


def find_browser() -> str | None:
    """The path of a Chromium on this machine."""
    return next((path for path in map(shutil.which, _NAMES) if path), None)


class Tab:
    """One tab: `events` are all that the browser told of it, oldest first."""

    def __init__(self, to: int, back: int) -> None:
        self._to, self._back, self._number, self._rest = to, back, 0, b""
        self._session = ""
        self.events: list[dict[str, Any]] = []

    def send(self, method: str, **params: Any) -> dict[str, Any]:
        """The result of a command of the DevTools protocol."""
        self._number += 1
        message = {"id": self._number, "method": method, "params": params}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._to, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._read()
            if answer.get("id") == self._number:
                assert "error" not in answer, answer
                result: dict[str, Any] = answer["result"]
                return result
            self.events.append(answer)

    def attach(self) -> None:
        """Opens the tab and listens to its console and its network."""
        target = self.send("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Network", "Log", "Runtime"):
            self.send(f"{domain}.enable")

    def open(self, url: str, *, width: int = 1000, height: int = 900, scheme: str = "light") -> None:
        """Shows a page in a window of that size, and waits until it has loaded."""
        self.send("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.send("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        self.events.clear()
        self.send("Page.navigate", url=url)
        while not any(event.get("method") == "Page.loadEventFired" for event in self.events):
            self.events.append(self._read())

    def value(self, expression: str) -> Any:
        """What an expression gives in the page."""
        found = self.send("Runtime.evaluate", expression=expression, returnByValue=True)
        assert "exceptionDetails" not in found, found
        return found["result"].get("value")

    def press(self, key: str, code: int) -> None:
        """A key goes down and up."""
        text = "\r" if key == "Enter" else ""
        for kind in ("keyDown", "keyUp"):
            self.send("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=code, text=text)

    def screenshot(self, path: Path) -> None:
        """What the window shows, as a PNG file."""
        path.write_bytes(base64.b64decode(self.send("Page.captureScreenshot")["data"]))

    def told(self, method: str) -> list[dict[str, Any]]:
        """The parameters of all events of one kind since the page was opened."""
        return [event["params"] for event in self.events if event.get("method") == method]

    def _read(self) -> dict[str, Any]:
        while b"\0" not in self._rest:
            assert select.select([self._back], [], [], _PATIENCE)[0], "the browser says nothing"
            more = os.read(self._back, 1 << 16)
            assert more, "the browser went away"
            self._rest += more
        line, _, self._rest = self._rest.partition(b"\0")
        message: dict[str, Any] = json.loads(line)
        return message


@contextlib.contextmanager
def opened(browser: str, profile: Path) -> Iterator[Tab]:
    """A tab of a browser that is started for it, and ended after it."""
    read_by_browser, to = os.pipe()
    back, written_by_browser = os.pipe()

    def connect() -> None:
        # the browser reads commands from its descriptor 3 and writes to 4
        spare = os.dup(read_by_browser), os.dup(written_by_browser)
        os.dup2(spare[0], 3)
        os.dup2(spare[1], 4)

    process = subprocess.Popen(
        [browser, *_FLAGS, f"--user-data-dir={profile}"],
        preexec_fn=connect,
        close_fds=False,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    os.close(read_by_browser)
    os.close(written_by_browser)
    try:
        tab = Tab(to, back)
        tab.attach()
        yield tab
    finally:
        process.terminate()
        process.wait(20)
        os.close(to)
        os.close(back)
