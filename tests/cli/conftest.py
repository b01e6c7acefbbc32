"""Fixtures that run the command line within the test process."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import pytest

from shibumi3d.cli.main import main
from tools.__main__ import run as tools


class Ran(NamedTuple):
    code: int
    out: str
    err: str


Run = Callable[..., Ran]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    return runner(capsys)


@pytest.fixture
def tool(capsys: pytest.CaptureFixture[str]) -> Run:
    """Function that runs ``python -m tools`` with the given arguments, within the test process.

    It returns the exit code and what was written to the standard output and the standard error. The fixture ``run``
    does the same for the program itself.
    """
    return runner(capsys, tools)


def runner(capsys: pytest.CaptureFixture[str], what: Callable[[list[str]], int] | None = None) -> Run:
    def ran(*arguments: object) -> Ran:
        try:
            code = main([str(argument) for argument in arguments], what)
        except SystemExit as stop:  # argparse
            code = stop.code if isinstance(stop.code, int) else 1
        out, err = capsys.readouterr()
        return Ran(code, out, err)

    return ran
