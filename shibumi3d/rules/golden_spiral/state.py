"""Moves and immutable states of the Golden Spiral."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Literal

from shibumi3d.rules import game
from shibumi3d.rules.game import Ask, Outcome, asked_first

CLASH, STRATEGY, JOKERS, REINFORCE = range(4)
"""Phases of a Spiral."""
UNSEEN = -1
"""Placeholder for a number that has been set but is hidden from the viewer."""
DISCARD = -1
"""Value used in place of a seat number for the discard, which receives medals that are lost or paid."""

Question = Literal["", "bid", "joker", "amount", "reinforce"]


@dataclass(frozen=True, slots=True)
class Move(game.Move):
    """A move.

    ======== ============================================== ================
    kind     meaning                                        text
    ======== ============================================== ================
    bid      set a number behind the screen                 ``7``
    joker    announce a joker                               ``second-clash``
    pass     announce nothing                               ``pass``
    amount   choose how much a joker takes, moves or swaps  ``2``, ``1G``, ``2S``
    turn     turn that many medals back to Gold             ``1``
    ======== ============================================== ================

    In records, a move made out of turn is prefixed with the number of its seat, e.g. ``2:7``. Such moves occur when
    both seats are asked at the same time and the second one answers first.
    """

    number: int = 0
    """Number set, or the number of medals or stars that the move concerns."""


@dataclass(frozen=True, slots=True)
class Clashed:
    """Result of a clash between different numbers.

    Seat ``high`` set ``number``, which exceeds the number of seat ``low`` by ``difference``.
    """

    high: int
    number: int
    low: int
    difference: int


@dataclass(frozen=True, slots=True)
class State:
    """The state of a match.

    The first three fields count Gold, Spiral and stars by seat. In a view, ``seed`` is None and the numbers of other
    seats in ``bids`` are 0.
    """

    gold: tuple[int, ...]
    spiral: tuple[int, ...]
    stars: tuple[int, ...]
    discard: int = 0
    laid: tuple[int, ...] = (0, 0)
    """Number of stars that each seat has spent in this Spiral. Spent stars are not returned."""
    numbers: tuple[int, ...] = (0, 0)
    """Numbers that the dice have shown since the last clash; 0 before the first one."""
    bids: tuple[int, ...] = (0, 0)
    """Numbers set for the pending clash; 0 for a seat that hasn't set one."""
    clash: Clashed | None = None
    """Result of the first clash of this Spiral.

    It is None until that clash is over, and stays None if the numbers were equal.
    """
    question: Question = "bid"
    asked: tuple[int, ...] = (0, 1)
    """Seats that have yet to make the pending decision."""
    first: int = -1
    """Seat that speaks first in this Spiral, or -1 if no seat does or this isn't decided yet."""
    spoken: tuple[str, ...] = ()
    """Ids of the jokers announced in this Spiral, in order, with "" for a pass."""
    used: int = 0
    """Number of entries of ``spoken`` that have been carried out."""
    waiting: tuple[int, ...] = ()
    """Seats that have yet to carry out their reinforcement, in order."""
    allowance: tuple[int, ...] = (0, 0)
    """Maximum number of medals that each seat may turn back in this reinforcement."""
    turn: int = 0
    step: int = 0
    phase: int = CLASH
    result: Outcome | None = None
    seed: int | None = None
    viewer: int = field(default=-1, compare=False)
    """Seat whose view this is; -1 for the full state and for spectators."""

    @property
    def seats(self) -> int:
        """Number of seats."""
        return len(self.gold)

    @property
    def ask(self) -> Ask | None:
        """Pending decision, or None if the match is over."""
        if not self.asked:
            return None
        if self.question == "bid":
            return Ask("bid", self.asked, "hidden")
        return Ask(self.question, self.asked)

    @property
    def to_move(self) -> int | None:
        """First seat with a pending decision, or None if the match is over.

        In the view of a seat with a pending decision, it is that seat.
        """
        return asked_first(self.ask, self.viewer)

    @property
    def mover(self) -> int:
        """Seat whose turn it is; 0 if the match is over."""
        return self.asked[0] if self.asked else 0

    @property
    def standing(self) -> Hashable:
        """Key for detecting repetitions: medals, stars, phase, announced jokers and seats to answer."""
        return (
            self.gold,
            self.spiral,
            self.stars,
            self.discard,
            self.phase,
            self.spoken,
            self.used,
            self.asked,
        )

    @property
    def game_number(self) -> int:
        """Always 1, because there is no series."""
        return 1

    @property
    def scores(self) -> tuple[int, ...]:
        """Always 0 for each seat, because there is no score."""
        return (0,) * self.seats

    @property
    def totals(self) -> tuple[int, ...]:
        """Always empty, because there is no series."""
        return ()

    def total(self, seat: int) -> int:
        """Return the number of medals of a seat, Gold and Spiral together."""
        return self.gold[seat] + self.spiral[seat]

    def speaker(self, number: int) -> int:
        """Return the seat that speaks first (``number`` 0) or second (1) in this Spiral."""
        return self.first if number == 0 else 1 - self.first
