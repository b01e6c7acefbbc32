"""``shibumi3d completion``: print a shell script that completes commands, options, files and names of games."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from shibumi3d.cli.common import add_command, open_catalogue
from shibumi3d.i18n import _

if TYPE_CHECKING:
    from collections.abc import Mapping

    from shibumi3d.cli.common import Commands

SHELLS = ("bash", "zsh", "fish")


def register(commands: Commands) -> None:
    """Add the ``completion`` command."""
    parser = add_command(commands, "completion", run, _("print a completion script for a shell"))
    parser.add_argument("shell", choices=SHELLS, help=_("the shell that will run the script"))


def run(args: argparse.Namespace) -> int:
    """Print the completion script.

    The names of the current games are part of the script, so completing a command doesn't start the program.
    """
    import shtab

    from shibumi3d.cli.main import make_parser

    top = make_parser()
    meanings: dict[str, Mapping[str, object]] = {
        _("GAME"): _game_completions(),
        _("GAME|FILE"): _game_completions(),
        _("FILE"): shtab.FILE,
        _("OUT"): shtab.FILE,
        "PNG": shtab.FILE,
    }
    _set_completions(top, meanings)
    # Safe to print unescaped: the only external input is the names of games, which are plain words.
    print(shtab.complete(top, args.shell))
    return 0


def _set_completions(parser: argparse.ArgumentParser, meanings: Mapping[str, Mapping[str, object]]) -> None:
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for each in action.choices.values():
                _set_completions(each, meanings)
        elif isinstance(action.metavar, str) and action.metavar in meanings:
            action.complete = meanings[action.metavar]  # type: ignore[attr-defined]  # where shtab looks


def _game_completions() -> dict[str, object]:
    names = " ".join(entry.id for entry in open_catalogue())
    return {
        "bash": "_shibumi3d_games",
        "zsh": f"({names})",
        "fish": f"(string split ' ' '{names}')",
        "preamble": {
            "bash": f'_shibumi3d_games() {{\n  compgen -W \'{names}\' -- "$1"\n  compgen -f -- "$1"\n}}'
        },
    }
