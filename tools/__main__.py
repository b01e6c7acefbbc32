"""Measure speed and playing strength, prove games and generate reports.

All other tools are started as modules of their own, e.g. ``python -m tools.sounds``.
"""

from __future__ import annotations

import sys
from importlib import import_module

from shibumi3d.cli.common import LocalizedParser
from shibumi3d.cli.main import main

COMMANDS = ("bench", "certificates", "reports", "strengths")


def run(arguments: list[str]) -> int:
    """Run the command given by ``arguments`` and return its exit code."""
    top = LocalizedParser(prog="python -m tools", description=__doc__, allow_abbrev=False)
    commands = top.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for name in COMMANDS:
        import_module(f"tools.{name}").register(commands)
    args = top.parse_args(arguments)
    code: int = args.run(args)
    return code


if __name__ == "__main__":
    sys.exit(main(run=run))
