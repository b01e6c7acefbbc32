"""A moment of a match: where everybody is on the spiral, what each holds, and whose turn it is."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from enum import Enum

from shibumi3d.rules.game import Ask, Outcome
from shibumi3d.rules.hyena_spiral.numbers import Numbers


class Leg(Enum):
    """The part of the way on which somebody is."""

    OUT = "out"
    WELL = "well"
    BACK = "back"
    HOME = "home"
    EATEN = "eaten"


GONE = (Leg.HOME, Leg.EATEN)
"""Where nobody has a turn any more in the round."""


@dataclass(frozen=True, slots=True)
class Walker:
    """What a seat has: its pawn and its tabas.

    ``place`` counts from the village, 0, to the well. ``paid`` is how many fees are paid there. ``points`` and
    ``hunts`` (rounds in which the seat let nobody home as the hyena) are those of the whole match.
    """

    leg: Leg = Leg.OUT
    place: int = 0
    tabas: int = 0
    paid: int = 0
    hyena: bool = False
    points: int = 0
    hunts: int = 0


@dataclass(frozen=True, slots=True)
class State:
    """A moment of a match; ``seed`` is None and ``forced`` empty in a view.

    ``length`` is the place of the well. ``round`` counts from 1 to ``rounds``. ``draws`` counts the throws so far,
    ``forced`` are the white faces of throws still to come that were given. ``chips`` are the faces of the last throw
    (True: white), none before the first; ``choosing``: they leave a choice between steps and tabas.
    """

    numbers: Numbers
    length: int
    rounds: int
    walkers: tuple[Walker, ...]
    mover: int
    starter: int
    seed: int | None
    round: int = 1
    turn: int = 0
    draws: int = 0
    forced: tuple[int, ...] = ()
    chips: tuple[bool, ...] = ()
    choosing: bool = False
    result: Outcome | None = None

    @property
    def seats(self) -> int:
        """How many seats play."""
        return len(self.walkers)

    @property
    def to_move(self) -> int | None:
        """Whose turn it is; None when the match is over."""
        return None if self.result is not None else self.mover

    @property
    def ask(self) -> Ask | None:
        """What is asked: "turn", "chips" after a throw that leaves a choice, "pay" for a turn that is a payment."""
        if self.result is not None:
            return None
        if self.choosing:
            return Ask("chips", (self.mover,))
        if 0 < self.due(self.mover) <= self.walkers[self.mover].tabas:
            return Ask("pay", (self.mover,), default="pay")
        return Ask("turn", (self.mover,))

    @property
    def standing(self) -> Hashable:
        """Never the same twice: chance goes on, so nothing stands still because a position comes again."""
        return self.turn, self.step

    @property
    def step(self) -> int:
        """Choices made in this turn so far."""
        return int(self.choosing)

    @property
    def phase(self) -> int:
        """The round, from 0."""
        return self.round - 1

    @property
    def game_number(self) -> int:
        """One game; its rounds are no series."""
        return 1

    @property
    def scores(self) -> tuple[int, ...]:
        """The points of every seat."""
        return tuple([walker.points for walker in self.walkers])

    @property
    def totals(self) -> tuple[int, ...]:
        """Empty: there is no series."""
        return ()

    @property
    def hyena(self) -> int | None:
        """The seat that is the hyena in this round; None as long as nobody is."""
        return next((seat for seat, walker in enumerate(self.walkers) if walker.hyena), None)

    def times(self, seat: int) -> int:
        """Return the factor by which a seat walks, takes and pays what a villager does."""
        return self.numbers.times if self.walkers[seat].hyena else 1

    def due(self, seat: int) -> int:
        """Return the tabas that a seat has to pay next at the well; 0 when it is not there, or owes nothing any
        more.
        """
        walker = self.walkers[seat]
        if walker.leg is not Leg.WELL:
            return 0
        fees = (self.numbers.hyena_fee,) if walker.hyena else self.numbers.fees
        return fees[walker.paid] if walker.paid < len(fees) else 0

    def fees(self, seat: int) -> int:
        """Return how many payments a seat makes at the well in all."""
        return 1 if self.walkers[seat].hyena else len(self.numbers.fees)

    def reach(self, seat: int, steps: int) -> int:
        """Return the place to which so many steps bring a seat, walked as the hyena walks them if it is the hyena."""
        walker = self.walkers[seat]
        if walker.leg is Leg.OUT:
            return min(self.length, walker.place + steps)
        return max(0, walker.place - steps)

    def void(self, seat: int, steps: int) -> bool:
        """Return whether so many steps lead past a well that is to be reached exactly."""
        walker = self.walkers[seat]
        return self.numbers.exact and walker.leg is Leg.OUT and walker.place + steps > self.length

    def prey(self, seat: int, place: int) -> tuple[int, ...]:
        """Return the villagers that the hyena on ``seat`` eats as it moves to ``place``.

        On its way home these are those that it reaches or passes, and, as it leaves the well, also those still there
        or not yet there.
        """
        hunter = self.walkers[seat]
        if not hunter.hyena or hunter.leg is Leg.OUT:
            return ()
        behind = (Leg.OUT, Leg.WELL) if hunter.leg is Leg.WELL else ()
        return tuple(
            [
                other
                for other, walker in enumerate(self.walkers)
                if not walker.hyena
                and (walker.leg in behind or (walker.leg is Leg.BACK and walker.place >= place))
            ]
        )
