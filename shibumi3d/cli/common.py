"""What several commands need: failures, options of a match, finding a game by name or file."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from shibumi3d.catalogue.catalogue import Catalogue, load
from shibumi3d.catalogue.schema import CatalogueError, Entry
from shibumi3d.rules.errors import GameFileError

if TYPE_CHECKING:
    from shibumi3d.rules.marbles.game import RuleGame

    Commands = argparse._SubParsersAction[argparse.ArgumentParser]


class Failure(Exception):
    """A command can't do what was asked. The message is what the user reads."""


def command(
    commands: Commands, name: str, run: Callable[[argparse.Namespace], int], text: str
) -> argparse.ArgumentParser:
    """Add a command to the parser; ``text`` is its help, a sentence without a full stop."""
    parser = commands.add_parser(
        name, help=text, description=f"{text[0].upper()}{text[1:]}.", allow_abbrev=False
    )
    parser.set_defaults(run=run)
    return parser


def add_game_options(parser: argparse.ArgumentParser) -> None:
    """The options that choose a form of a game."""
    parser.add_argument(
        "--size", type=positive, metavar="N", help="side of the board, where the game allows several"
    )
    add_variant_option(parser)


def add_variant_option(parser: argparse.ArgumentParser) -> None:
    """The variant of a game."""
    parser.add_argument("--variant", metavar="NAME", help="a variant of the game")


def add_seed_option(parser: argparse.ArgumentParser, default: int | None = 0) -> None:
    """What chance decides; the ``default`` None leaves it open."""
    usual = "another each time" if default is None else str(default)
    parser.add_argument(
        "--seed", type=int, metavar="N", default=default, help=f"what chance decides (default {usual})"
    )


def add_players_option(parser: argparse.ArgumentParser) -> None:
    """The number of players, for commands in which nobody has a name."""
    parser.add_argument(
        "--players", type=positive, metavar="N", help="number of players (default: the least)"
    )


def positive(text: str) -> int:
    """An argument that is a whole number from 1."""
    number = int(text)
    if number < 1:
        raise ValueError(text)
    return number


def catalogue() -> Catalogue:
    """The games that came with the program and the user's own."""
    from shibumi3d.match.store import games_folder

    return load(games_folder())


def entry_of(name: str) -> Entry:
    """The game called ``name``, or the one in the file ``name`` when it is the path of a game file."""
    with plain_failures():
        return catalogue().get(name)


def game_of(name: str, size: int | None, variant: str | None) -> RuleGame:
    """The game called ``name`` or in the file ``name``, on a board of ``size``, in a ``variant``."""
    entry = entry_of(name)
    with plain_failures():
        return entry.game(size=size, variant=variant)


def players_of(game: RuleGame, asked: int | None) -> int:
    """The number of players: the one asked for if the game allows it, else the least."""
    least, most = game.players
    if asked is None:
        return least
    if not least <= asked <= most:
        allowed = f"{least}" if least == most else f"{least} to {most}"
        raise Failure(f"{game.title} is for {allowed} player{'s' if most > 1 else ''}, not for {asked}")
    return asked


@contextmanager
def plain_failures() -> Iterator[None]:
    """Turn the errors that people cause into failures with the sentence they carry."""
    from shibumi3d.match.record import RecordError
    from shibumi3d.rules.errors import IllegalMove, RuleFailure

    try:
        yield
    except GameFileError as error:
        raise Failure(f"the game file is wrong\n{error}") from None
    except (CatalogueError, RecordError, IllegalMove, RuleFailure) as error:
        raise Failure(str(error)) from None
    except OSError as error:
        name = f"{error.filename}: " if error.filename else ""
        raise Failure(f"{name}{error.strerror or error}") from None
