"""Seats of a match, the moves made in it, and its variations.

Each variation is stored as a whole history, and shown from the move where it differs from the current history.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from shibumi3d.rules.game import Event, State

PERSON = "person"
"""Player type of a human player."""


@dataclass(frozen=True, slots=True)
class Seat:
    """A player in a match. ``player_type`` is "person", "random" or the level of the computer player."""

    name: str
    player_type: str = PERSON

    @property
    def is_computer(self) -> bool:
        """Whether a computer plays this seat."""
        return self.player_type != PERSON


@dataclass(frozen=True, slots=True)
class Ply:
    """A move made by ``seat`` in turn ``turn`` (both counted from 0), with its events and the state after it.

    ``move`` is the text of the move. If the move was made out of turn, the text is prefixed with the seat, counted from
    1, as in ``3:steal``. The types of ``state`` and ``events`` depend on the game.
    """

    seat: int
    turn: int
    move: str
    events: tuple[Event, ...]
    state: State


MAX_VARIATIONS = 100
"""Maximum number of variations of a match."""


def moves_by_turn(plies: Iterable[Ply]) -> tuple[tuple[str, ...], ...]:
    """Return the moves of each turn, in order."""
    turns: dict[int, list[str]] = {}
    for ply in plies:
        turns.setdefault(ply.turn, []).append(ply.move)
    return tuple(map(tuple, turns.values()))


Line = tuple[Ply, ...]
"""A whole history, starting with the first move."""


class Variations:
    """Alternative lines of a match.

    A line isn't a variation if another line or the current history begins with it.
    """

    def __init__(self) -> None:
        self._lines: list[Line] = []

    def add(self, line: Line) -> None:
        """Add a line, unless a longer stored line begins with it.

        Stored lines that are prefixes of the new line are removed. If there are more than :data:`MAX_VARIATIONS` lines,
        the oldest is removed.
        """
        remaining = [other for other in self._lines if common_prefix_length(other, line) < len(other)]
        if all(common_prefix_length(line, other) < len(line) for other in remaining):
            remaining.append(line)
        self._lines = remaining[-MAX_VARIATIONS:]

    def branches_from(self, history: Sequence[Ply]) -> tuple[tuple[int, Line], ...]:
        """Return the variations of ``history``.

        Each variation is given as the number of moves it shares with ``history``, followed by its remaining moves.
        """
        found = []
        for line in self._lines:
            after = common_prefix_length(line, history)
            if after < len(line):
                found.append((after, line[after:]))
        return tuple(found)

    def remove_prefixes_of(self, history: Sequence[Ply]) -> None:
        """Remove the lines that are prefixes of ``history``, since they are no longer variations."""
        self._lines = [line for line in self._lines if common_prefix_length(line, history) < len(line)]

    def remove(self, line: Line) -> None:
        """Remove ``line``, if it is stored."""
        self._lines = [other for other in self._lines if other != line]


def common_prefix_length(line: Sequence[Ply], other: Sequence[Ply]) -> int:
    """Return how many moves two histories share at their beginning."""
    pairs = zip(line, other, strict=False)
    return next(
        (n for n, (a, b) in enumerate(pairs) if (a.move, a.seat, a.turn) != (b.move, b.seat, b.turn)),
        min(len(line), len(other)),
    )
