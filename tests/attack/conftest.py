"""What the attacks share with the tests of the command line."""

from tests.cli.conftest import run

__all__ = ["run"]
