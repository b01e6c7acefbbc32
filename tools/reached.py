"""Pytest plugin that records the coverage and time of each test: ``pytest -p tools.reached``.

The environment variable ``REACHED`` names the file to write, and ``REACHED_FOLDERS`` the folders to measure. Tests that
start processes are listed as well, since those processes may run any line.
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
_current_test = ""


def _record_start(begin: Any) -> Any:
    """Return a function that records the current test and then calls ``begin``, which starts a process."""

    def begin_and_record(*args: Any, **kwargs: Any) -> Any:
        _outside.add(_current_test)
        return begin(*args, **kwargs)

    return begin_and_record


subprocess.Popen.__init__ = _record_start(subprocess.Popen.__init__)  # type: ignore[method-assign]
multiprocessing.process.BaseProcess.start = _record_start(multiprocessing.process.BaseProcess.start)  # type: ignore[method-assign]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Record the coverage and the CPU time of a test under its name."""
    global _current_test
    _current_test = item.nodeid
    _COVERAGE.switch_context(_current_test)
    before = time.process_time()
    result = yield
    _seconds[_current_test] = round(time.process_time() - before, 3)
    _current_test = ""
    _COVERAGE.switch_context("")
    return result


def pytest_sessionfinish() -> None:
    """Stop the recording and save its results as JSON in the file that ``REACHED`` names.

    The environment variable ``REACHED`` holds the path. The results are the CPU seconds of each test, the tests that
    started processes, and for each line the tests that ran it. Lines that ran outside tests, such as those that ran
    while tests were collected, are recorded under an empty test name.
    """
    _COVERAGE.stop()
    data = _COVERAGE.get_data()
    lines = {
        Path(file).relative_to(Path.cwd()).as_posix(): data.contexts_by_lineno(file)
        for file in data.measured_files()
    }
    record = {"seconds": _seconds, "outside": sorted(_outside - {""}), "lines": lines}
    Path(os.environ["REACHED"]).write_text(json.dumps(record), encoding="utf-8")
