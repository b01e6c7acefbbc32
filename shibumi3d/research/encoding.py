"""Moves, results and observations as numbers and arrays."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar

import numpy as np
import numpy.typing as npt

from shibumi3d.deprecation import FormerNames
from shibumi3d.i18n import InvalidValueError
from shibumi3d.rules.game import Game, NumericallyEncoded, Outcome

if TYPE_CHECKING:
    from shibumi3d.rules.game import State


MAX_MOVES = 2_000
"""Maximum number of moves in a match. A match that is cut off by this limit has no winner."""


class Choices(FormerNames, Sequence[str]):
    """Two-way mapping between the texts of a game's moves and their numbers, counted from 0.

    The order of the moves depends only on the rules.
    """

    FORMER_NAMES: ClassVar[Mapping[str, str]] = {"open": "legal_numbers"}

    def __init__(self, texts: Iterable[str]) -> None:
        self.texts = tuple(texts)
        self._numbers = {text: number for number, text in enumerate(self.texts)}

    def __len__(self) -> int:
        return len(self.texts)

    def __getitem__(self, number):  # type: ignore[no-untyped-def]  # as Sequence has it, with slices too
        return self.texts[number]

    def text(self, number: int) -> str:
        """Return the text of the move with this number."""
        return self.texts[number]

    def number(self, text: str) -> int:
        """Return the number of the move with this text. Raises KeyError if no move has it."""
        return self._numbers[text]

    def legal_numbers(self, moves: Iterable[object]) -> list[int]:
        """Return the numbers of the legal ``moves`` in ascending order."""
        return sorted(self._numbers[str(move)] for move in moves)


def choices(game: Game, seats: int | None = None) -> Choices:
    """Return the numbering of all moves of a game with ``seats`` seats (by default the minimum).

    Raises ValueError if the game has no fixed list of moves. A marble game also raises ValueError if it can't be played
    with that many seats. Hyena Spiral doesn't check the number, since its list is always the same.
    """
    if not isinstance(game, NumericallyEncoded):
        raise InvalidValueError(
            "{game} has no fixed list of moves, so it can't be played by move number", game=game.title
        )
    return Choices(game.all_move_texts(seats))


def returns(outcome: Outcome | None, seats: int) -> list[float]:
    """Return each seat's return: 1 for a win, -1 for a loss, otherwise 0.

    All returns are 0 if the match is not over, or if there are several seats and all or none of them win. In a finished
    solo game, the return is 1 if the game was solved, else -1; the score is in the ``scores`` of the state.
    """
    if outcome is None or (not outcome.winners and seats > 1) or len(outcome.winners) == seats > 1:
        return [0.0] * seats
    return [1.0 if seat in outcome.winners else -1.0 for seat in range(seats)]


def planes(game: Game, view: State, seat: int) -> npt.NDArray[np.float32]:
    """Return an array of numbers that encodes ``view``, a state as seen by ``seat``.

    The shape of the array is the same throughout a match. The meaning of the numbers is documented in docs/research.md
    and in the method ``encode_observation`` of each kind of game. Raises ValueError for a game whose states can't be
    encoded.
    """
    if not isinstance(game, NumericallyEncoded):
        raise InvalidValueError("states of {game} can't be encoded as numbers", game=game.title)
    shape, values = game.encode_observation(view, seat)
    return np.array(values, np.float32).reshape(shape)
