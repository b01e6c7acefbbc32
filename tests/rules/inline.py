"""Games that are defined in the tests themselves, and their positions."""

from __future__ import annotations

from collections.abc import Sequence

from shibumi3d.catalogue import yaml_parser
from shibumi3d.catalogue.schema import read_entry
from shibumi3d.rules.errors import GameFileError
from shibumi3d.rules.marbles.event import Ended, Event, TurnEnded
from shibumi3d.rules.marbles.game import MarbleGame
from shibumi3d.rules.marbles.state import State
from shibumi3d.rules.source import Problem
from tests.rules.drawn import board

EMPTY = "...,...,.../..,../."
"""An empty board of size 3."""


def inline(text: str, *, size: int = 3, variant: str | None = None) -> MarbleGame:
    """Return the game described by a YAML text, or the variant of it that is called ``variant``.

    The board has the size ``size``, unless the text has the key ``boards`` or ``sizes``. Raises GameFileError, which
    lists all errors, if the text isn't valid YAML or if the game's metadata has errors. Raises CatalogueError if there
    is no such variant. Errors in the rules are only found when the game is first played.
    """
    lines = [line for line in text.splitlines() if line.strip()]
    margin = len(lines[0]) - len(lines[0].lstrip())
    text = "\n".join(line[margin:] for line in lines)
    if "boards:" not in text:
        text += f"\nboards: {{size: {size}}}"
    problems: list[Problem] = []
    item = yaml_parser.parse_yaml(f"title: Inline\n{text}\n".encode(), "game.yaml", problems)
    entry = read_entry("inline", "game.yaml", item, problems, own=item) if item is not None else None
    if problems or entry is None:
        raise GameFileError(problems)
    return entry.game(variant=variant)


def at(game: MarbleGame, picture: str = "", **more: object) -> State:
    """Return a state of ``game`` with the position drawn in ``picture``.

    Drawings are explained in :mod:`.drawn`. ``more`` holds further arguments of ``game.position``, such as ``to_move``.
    With further arguments but no picture, the board is empty and has size 3. With neither, the result is the start of
    the game.
    """
    if not picture and not more:
        return game.start()
    drawn = board(picture) if picture else EMPTY
    return game.position(drawn, **more)  # type: ignore[arg-type]  # passed on as they come


def options(game: MarbleGame, state: State) -> str:
    return " ".join(str(move) for move in game.moves(state))


def play(game: MarbleGame, state: State, moves: str | Sequence[str]) -> State:
    """Return the state after playing the moves from ``state``.

    If ``moves`` is a string, the moves in it are separated by spaces.
    """
    for move in moves.split() if isinstance(moves, str) else moves:
        state, _ = game.apply(state, move)
    return state


def events_of(game: MarbleGame, state: State, moves: str | Sequence[str]) -> list[Event]:
    """Return the events of moves played from ``state``, except for ends of turns and of the match.

    If ``moves`` is a string, the moves in it are separated by spaces.
    """
    found: list[Event] = []
    for move in moves.split() if isinstance(moves, str) else moves:
        state, events = game.apply(state, move)
        found += [event for event in events if not isinstance(event, TurnEnded | Ended)]
    return found


def problems_of(text: str, *, size: int = 3) -> list[str]:
    """Return the errors in a game text, each as ``line:column: message``.

    Lines and columns are counted after blank lines and common indentation have been removed from the text; it then
    starts on line 2, after a title line. Errors in the rules are found only if there are none in the metadata. ``size``
    is the size of the board, unless the text has the key ``boards``, or a key ``sizes`` that doesn't list this size.
    """
    try:
        game = inline(text, size=size)
        game._rules_for()
    except GameFileError as error:
        return [str(problem).removeprefix("game.yaml:") for problem in error.problems]
    return []
