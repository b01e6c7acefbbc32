"""Pytest plugin that records the coverage and time of each test: ``pytest -p tools.reached``.

The environment variable ``REACHED`` names the file to write, and ``REACHED_FOLDERS`` the folders to measure. Tests that
start processes are listed as well, as they may run any line in them.
"""

from __future__ import annotations

import json
import multiprocessing.process
import os
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from coverage import Coverage

_FOLDERS = [os.path.abspath(folder) for folder in os.environ["REACHED_FOLDERS"].split()]
_COVERAGE = Coverage(data_file=None, config_file=False, include=[f"{folder}/*" for folder in _FOLDERS])
_COVERAGE.start()

_seconds: dict[str, float] = {}
_outside: set[str] = set()
_now = ""


def _noting(begin: Any) -> Any:
    """Wrap ``begin``, which starts a process, to record the current test."""

    def noted(*args: Any, **kwargs: Any) -> Any:
        _outside.add(_now)
        return begin(*args, **kwargs)

    return noted


subprocess.Popen.__init__ = _noting(subprocess.Popen.__init__)  # type: ignore[method-assign]
multiprocessing.process.BaseProcess.start = _noting(multiprocessing.process.BaseProcess.start)  # type: ignore[method-assign]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Record coverage and CPU time of each test on its own."""
    global _now
    _now = item.nodeid
    _COVERAGE.switch_context(_now)
    before = time.process_time()
    result = yield
    _seconds[_now] = round(time.process_time() - before, 3)
    _now = ""
    _COVERAGE.switch_context("")
    return result


def pytest_sessionfinish() -> None:
    """Write the record.

    Lines that were run while tests were collected have the empty string as their test.
    """
    _COVERAGE.stop()
    found = _COVERAGE.get_data()
    lines = {
        Path(file).relative_to(Path.cwd()).as_posix(): found.contexts_by_lineno(file)
        for file in found.measured_files()
    }
    told = {"seconds": _seconds, "outside": sorted(_outside - {""}), "lines": lines}
    Path(os.environ["REACHED"]).write_text(json.dumps(told), encoding="utf-8")
