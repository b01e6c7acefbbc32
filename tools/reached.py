"""Tell which lines of the program each test runs, and how long it takes: ``pytest -p tools.reached``.

What is told goes into the file that ``REACHED`` names, of the folders that ``REACHED_FOLDERS`` names. A test that
starts programs or processes may run any line in them.
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
    """Start a process as `begin` does, and note which test asks for it."""

    def noted(*args: Any, **kwargs: Any) -> Any:
        _outside.add(_now)
        return begin(*args, **kwargs)

    return noted


subprocess.Popen.__init__ = _noting(subprocess.Popen.__init__)  # type: ignore[method-assign]
multiprocessing.process.BaseProcess.start = _noting(multiprocessing.process.BaseProcess.start)  # type: ignore[method-assign]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Keep apart what each test runs."""
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
    """Write down what was run; what was run while tests were read is under the empty name."""
    _COVERAGE.stop()
    found = _COVERAGE.get_data()
    lines = {
        Path(file).relative_to(Path.cwd()).as_posix(): found.contexts_by_lineno(file)
        for file in found.measured_files()
    }
    told = {"seconds": _seconds, "outside": sorted(_outside - {""}), "lines": lines}
    Path(os.environ["REACHED"]).write_text(json.dumps(told), encoding="utf-8")
