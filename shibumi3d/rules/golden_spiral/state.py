"""What lies on the table and who is asked what: a frozen state, and the choices made at it."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Literal

from shibumi3d.rules import game
from shibumi3d.rules.game import Ask, Outcome, asked_first

CLASH, STRATEGY, JOKERS, REINFORCE = range(4)
"""The phases of a Spiral."""
UNSEEN = -1
"""A number that is set, and hidden from who looks."""
DISCARD = -1
"""Where lost medals are, as a holder beside the seats."""

Question = Literal["", "bid", "joker", "amount", "reinforce"]


@dataclass(frozen=True, slots=True)
class Move(game.Move):
    """One choice.

    ======== ============================================== ================
    kind     meaning                                        text
    ======== ============================================== ================
    bid      a number is set behind the screen              ``7``
    joker    a joker is announced                           ``second-clash``
    pass     none is                                        ``pass``
    amount   how much a joker takes, destroys or swaps      ``2``, ``1G``, ``2S``
    turn     so many medals are turned back to Gold         ``1``
    ======== ============================================== ================

    Who is asked at the same time as others, and is not the first of them, writes the own seat before: ``2:7``.
    """

    number: int = 0
    """The number set, or how many."""


@dataclass(frozen=True, slots=True)
class Clashed:
    """How a clash went: the ``high`` seat showed ``number``, ``difference`` more than the ``low`` one."""

    high: int
    number: int
    low: int
    difference: int


@dataclass(frozen=True, slots=True)
class State:
    """A moment of a match. What is hidden is left out in views: numbers that are set (UNSEEN), the seed (None)."""

    gold: tuple[int, ...]
    spiral: tuple[int, ...]
    stars: tuple[int, ...]
    discard: int = 0
    laid: tuple[int, ...] = (0, 0)
    """The stars laid down in this Spiral; they leave the game."""
    numbers: tuple[int, ...] = (0, 0)
    """What the dice show since the last clash; 0: blank."""
    bids: tuple[int, ...] = (0, 0)
    """What is set behind the screens for the clash to come; 0: nothing yet."""
    clash: Clashed | None = None
    """The last clash of this Spiral; None: none yet, or equal numbers."""
    question: Question = "bid"
    asked: tuple[int, ...] = (0, 1)
    """The seats that may answer."""
    first: int = -1
    """Who spoke first in this Spiral; -1: nobody spoke."""
    spoken: tuple[str, ...] = ()
    """What was announced, in order; "" for a pass."""
    used: int = 0
    """How many of those were carried out."""
    waiting: tuple[int, ...] = ()
    """The seats that still have to reinforce."""
    allowance: tuple[int, ...] = (0, 0)
    """How many medals each seat may turn back."""
    turn: int = 0
    step: int = 0
    phase: int = CLASH
    result: Outcome | None = None
    seed: int | None = None
    viewer: int = field(default=-1, compare=False)
    """In the view of a seat, that seat."""

    @property
    def seats(self) -> int:
        """How many play."""
        return len(self.gold)

    @property
    def ask(self) -> Ask | None:
        """The question open now; None when the match is over."""
        if not self.asked:
            return None
        if self.question == "bid":
            return Ask("bid", self.asked, "hidden")
        return Ask(self.question, self.asked)

    @property
    def to_move(self) -> int | None:
        """The first of the seats asked, or the one that looks; None when the match is over."""
        return asked_first(self.ask, self.viewer)

    @property
    def mover(self) -> int:
        """Whose turn it is."""
        return self.asked[0] if self.asked else 0

    @property
    def standing(self) -> Hashable:
        """What lies on the table and who is to move."""
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
        """Always the first: there is no series."""
        return 1

    @property
    def scores(self) -> tuple[int, ...]:
        """Nothing is scored."""
        return (0,) * self.seats

    @property
    def totals(self) -> tuple[int, ...]:
        """Empty: there is no series."""
        return ()

    def total(self, seat: int) -> int:
        """Return the medals of a seat, of both sides."""
        return self.gold[seat] + self.spiral[seat]

    def speaker(self, number: int) -> int:
        """Return who spoke, or speaks, as the first (``number`` 0) or the second (1)."""
        return self.first if number == 0 else 1 - self.first
