"""``shibumi3d replay``: replay a recorded match in the window or in the terminal."""

from __future__ import annotations

import argparse
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from shibumi3d import files
from shibumi3d.catalogue.sharing import MAX_LINE_LENGTH
from shibumi3d.cli import problems
from shibumi3d.cli.common import (
    CommandError,
    add_command,
    find_entry,
    open_catalogue,
    print_line,
    user_errors,
)
from shibumi3d.cli.window import open_window
from shibumi3d.i18n import _, language
from shibumi3d.match import record, sharing, visibility
from shibumi3d.match.match import Match, entry_of_record, game_of_record
from shibumi3d.match.record import Record, RecordError
from shibumi3d.match.store import games_folder
from shibumi3d.paths import catalogue_folder
from shibumi3d.wording import describe_result, describe_turns, title_with_variant

if TYPE_CHECKING:
    from shibumi3d.cli.common import Commands


def register(commands: Commands) -> None:
    """Add the ``replay`` command."""
    parser = add_command(commands, "replay", run, _("replay a saved game"))
    parser.add_argument("file", metavar=_("FILE"), type=Path, help=_("a saved game, or a link to a match"))
    parser.add_argument("--text", action="store_true", help=_("print the moves in the terminal"))


def run(args: argparse.Namespace) -> int:
    """Open a match in the window, or print it if ``args.text`` is set.

    ``args.file`` is a link, or the path of a file that contains a match or a link. Links to challenges and problems are
    accepted too. Files with games or problems can only be opened in the window.
    """
    if link := sharing.find_link(str(args.file)):
        return _open_link(link, in_terminal=args.text)
    args.file = _local_path(args.file)
    text = read_start(args.file)
    kind = sharing.classify_file(text)
    if kind == "link":
        return _open_link(sharing.find_link(text), in_terminal=args.text)
    if kind != "match" and not args.text:  # a game or problems, as when the desktop opens such a file
        return open_window(terminal_command=f"shibumi3d play {args.file} --text", record=args.file)
    match = load_match(args.file)  # loaded even if the window will open, so that errors are reported here
    if not args.text:
        return open_window(terminal_command=f"shibumi3d replay {args.file} --text", record=args.file)
    return _print_match(match)


def read_start(path: Path) -> str:
    """Return the beginning of a text file, or "" if it can't be read.

    The reason is reported later, when the file is loaded.
    """
    with suppress(OSError):
        return files.read(path, MAX_LINE_LENGTH).decode("utf-8-sig", "replace")
    return ""


def _local_path(path: Path) -> Path:
    """Return ``path``, or the path in the URI if ``path`` is a ``file:`` URI.

    Some desktops pass such URIs.
    """
    # A path has lost the empty host of the URI: file:///home becomes file:/home.
    if not str(path).startswith("file:"):
        return path
    from urllib.parse import unquote

    return Path(unquote(str(path).removeprefix("file:")))


def _open_link(link: str, *, in_terminal: bool) -> int:
    """Open a link to a match, challenge or problem, and return the exit code.

    It opens in the window. If ``in_terminal`` is set, its content is printed instead.
    """
    with user_errors():
        received = sharing.decode(link)
        if isinstance(received, sharing.ProblemChallenge):
            try:
                match = problems.match_at_start(received.problem, find_entry(received.problem.game))
            except ValueError:
                raise CommandError(_(problems.PROBLEMS_FAULT_TEXTS["moves"])) from None
            task = problems.format_task(received.problem, match)
        else:
            match = _match_of_record(received if isinstance(received, Record) else received.record)
            task = ""
    if in_terminal and task:
        seen = match.game.observe(match.state, match.state.to_move)
        print_line("\n".join([*match.game.table_lines(seen, language()), task]))
        return 0
    if in_terminal:
        return _print_match(match)
    return open_window(terminal_command=f"shibumi3d replay {link} --text", link=link)


def _print_match(match: Match) -> int:
    names = tuple(match.names)
    title, joined_names = title_with_variant(match.game), ", ".join(names)
    if match.game.size:
        print_line(_("{game}, size {size}: {names}", game=title, size=match.game.size, names=joined_names))
    else:
        print_line(_("{game}: {names}", game=title, names=joined_names))
    print_line()
    viewer = visibility.public_viewer(match)
    for turn, description in describe_turns(match, viewer):
        ply = turn[-1]
        print_line(_("turn {turn}, {name}: {did}", turn=ply.turn + 1, name=names[ply.seat], did=description))
        seen = visibility.observe(match.game, ply.state, viewer)
        print("\n".join(match.game.table_lines(seen, language(), names=names)))
    print_line(describe_result(match) or _("Not finished."))
    return 0


def source_files(file: Path) -> list[Path]:
    """Return the files that must not be overwritten: ``file`` and the game files it may depend on.

    The game files are all those in the user's folder of games and in the built-in one. If ``file`` is a record that
    names a game file, that game file is included too.
    """
    read = [file]
    with suppress(RecordError):
        if (record_ := record.load(file)).file:
            read.append(Path(record_.file))
    with suppress(OSError):
        read += games_folder().glob("*.yaml")
    if isinstance(folder := catalogue_folder(), Path):
        read += folder.glob("*.yaml")
    return read


def load_match(file: Path) -> Match:
    """Return the match recorded in ``file``, positioned after the last move that wasn't undone.

    Raises :class:`.CommandError` if the match can't be loaded.
    """
    with user_errors():
        return _match_of_record(record.load(file))


def _match_of_record(record: Record) -> Match:
    """Return the match in a record, positioned after the last move that wasn't undone."""
    game = game_of_record(record, entry_of_record(record, open_catalogue()))
    return Match.from_record(record, game)
