"""A headless browser, driven through the DevTools protocol over a pipe."""

from __future__ import annotations

import base64
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

COMMANDS = ("chromium", "chromium-browser", "google-chrome")
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
    "--use-gl=angle",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--remote-debugging-pipe",
)
TIMEOUT_SECONDS = 60
START = """
import fcntl, os, sys
ends = [fcntl.fcntl(int(end), fcntl.F_DUPFD, 10) for end in sys.argv[1:3]]
for end, number in zip(ends, (3, 4)):
    os.dup2(end, number)
os.execvp(sys.argv[3], sys.argv[3:])
"""
"""A program that runs a command with the given pipe ends as file descriptors 3 and 4."""


class Browser:
    """A page of a headless browser.

    ``problems`` collects console messages, errors and uncaught exceptions. ``folder`` holds the browser's profile. If
    neither Chromium nor Chrome is installed, the constructor skips the test or, in CI, fails it.
    """

    def __init__(self, folder: Path) -> None:
        command = next((path for name in COMMANDS if (path := shutil.which(name))), None)
        if command is None:
            if os.environ.get("CI"):
                pytest.fail("Chromium is not installed")
            pytest.skip("Chromium is not installed")
        # The browser reads commands from descriptor 3 and writes answers to descriptor 4.
        command_read, self._write = os.pipe()
        self._read, answer_write = os.pipe()
        self._process = subprocess.Popen(
            [
                sys.executable,
                "-c",
                START,
                str(command_read),
                str(answer_write),
                command,
                *FLAGS,
                f"--user-data-dir={folder}",
                "about:blank",
            ],
            pass_fds=(command_read, answer_write),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(command_read)
        os.close(answer_write)
        self._number = 0
        self._buffer = b""
        self.problems: list[str] = []
        target = next(
            each for each in self._call("Target.getTargets")["targetInfos"] if each["type"] == "page"
        )
        self._session = self._call("Target.attachToTarget", targetId=target["targetId"], flatten=True)[
            "sessionId"
        ]
        for domain in ("Page", "Runtime", "Log"):
            self.call(f"{domain}.enable")

    def _call(self, method: str, session: str = "", **params: object) -> dict[str, Any]:
        self._number += 1
        message: dict[str, object] = {"id": self._number, "method": method, "params": params}
        if session:
            message["sessionId"] = session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._receive()
            if answer.get("id") == self._number:
                assert "error" not in answer, answer
                return dict(answer["result"])
            self._note(answer)

    def _receive(self) -> dict[str, Any]:
        while b"\0" not in self._buffer:
            data = os.read(self._read, 1 << 20)
            assert data, "the browser has ended"
            self._buffer += data
        message, _, self._buffer = self._buffer.partition(b"\0")
        return dict(json.loads(message))

    def _note(self, event: dict[str, Any]) -> None:
        params = event.get("params", {})
        if event.get("method") == "Runtime.exceptionThrown":
            self.problems.append(str(params["exceptionDetails"]))
        elif event.get("method") == "Runtime.consoleAPICalled":
            self.problems.append(str(params["args"]))
        elif event.get("method") == "Log.entryAdded" and params["entry"]["level"] == "error":
            self.problems.append(str(params["entry"]))

    def call(self, method: str, **params: object) -> dict[str, Any]:
        return self._call(method, self._session, **params)

    def open(self, file: Path, width: int = 1280, height: int = 720, **media: str) -> None:
        """Open a file in a window of the given size and wait until it is loaded.

        ``problems`` is emptied first. ``media`` are the CSS media features to emulate, with underscores instead of
        hyphens in their names.
        """
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=False,
        )
        features = [{"name": name.replace("_", "-"), "value": value} for name, value in media.items()]
        self.call("Emulation.setEmulatedMedia", features=features)
        self.problems.clear()
        self.call("Page.navigate", url=file.as_uri())
        self.wait("document.readyState === 'complete'")

    def run(self, script: str) -> Any:
        """Evaluate a JavaScript expression and return its value; if that is a promise, return what it resolves to."""
        result = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in result, result
        return result["result"].get("value")

    def wait(self, condition: str) -> None:
        end = time.monotonic() + TIMEOUT_SECONDS
        while not self.run(condition):
            assert time.monotonic() < end, condition
            time.sleep(0.02)

    def press(self, key: str) -> None:
        """Press and release a key, given as in JavaScript's ``KeyboardEvent.key``."""
        text = {"text": key} if key == " " else {}
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, **(text if kind == "keyDown" else {}))

    def picture(self) -> bytes:
        self.run("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))")
        return base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"])

    def close(self) -> None:
        os.close(self._write)
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        os.close(self._read)


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    found = Browser(tmp_path_factory.mktemp("chromium"))
    yield found
    found.close()
