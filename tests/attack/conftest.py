"""Fixtures that the attacks share with the command-line tests."""

from tests.cli.conftest import run

__all__ = ["run"]
