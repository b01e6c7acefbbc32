"""``shibumi3d replay``: replay a recorded match in the window or in the terminal."""

from __future__ import annotations

import argparse
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from shibumi3d.app.marbles import secrets
from shibumi3d.app.wording import titled
from shibumi3d.cli.common import catalogue, command, plain_failures, say
from shibumi3d.cli.text import result_line, told_turns
from shibumi3d.cli.window import open_window
from shibumi3d.i18n import _, language
from shibumi3d.match import record
from shibumi3d.match.match import Match, entry_of, game_of
from shibumi3d.match.record import RecordError
from shibumi3d.match.store import games_folder
from shibumi3d.paths import games

if TYPE_CHECKING:
    from shibumi3d.cli.common import Commands


def add(commands: Commands) -> None:
    """Add the ``replay`` command."""
    parser = command(commands, "replay", run, _("replay a saved game"))
    parser.add_argument("file", metavar=_("FILE"), type=Path, help=_("a saved game"))
    parser.add_argument("--text", action="store_true", help=_("print it in the terminal"))


def run(args: argparse.Namespace) -> int:
    """Replay the recorded match."""
    match = match_of(args.file)  # loaded even if the window will open, so that errors are reported here
    if not args.text:
        return open_window(text=f"shibumi3d replay {args.file} --text", record=args.file)
    names = tuple(match.names)
    form = f", {match.game.variant}" if match.game.variant else ""
    say(
        _(
            "{game}{form}, size {size}: {names}",
            game=titled(match.game),
            form=form,
            size=match.game.size,
            names=", ".join(names),
        )
    )
    say()
    viewer = secrets.public_viewer(match)
    for turn, told in told_turns(match, viewer):
        ply = turn[-1]
        say(_("turn {turn}, {name}: {did}", turn=ply.turn + 1, name=names[ply.seat], did=told))
        seen = secrets.view_of(match.game, ply.state, viewer)
        print("\n".join(match.game.lines(seen, language(), names=names)))
    say(result_line(match) or _("Not finished."))
    return 0


def files_of(file: Path) -> list[Path]:
    """Return ``file`` and the game files that it may depend on; none of them must be overwritten.

    The game files are the one that a record names, and all those in the folders of games.
    """
    read = [file]
    with suppress(RecordError):
        if (told := record.load(file)).file:
            read.append(Path(told.file))
    with suppress(OSError):
        read += games_folder().glob("*.yaml")
    if isinstance(came := games(), Path):
        read += came.glob("*.yaml")
    return read


def match_of(file: Path) -> Match:
    """Return the match recorded in ``file``, at its last move.

    Raises :class:`Failure` if it can't be read.
    """
    with plain_failures():
        told = record.load(file)
        game = game_of(told, entry_of(told, catalogue()))
        return Match.from_record(told, game)
