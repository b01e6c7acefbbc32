"""Immutable states of Hyena Spiral."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from enum import Enum

from shibumi3d.rules.game import Ask, Outcome
from shibumi3d.rules.hyena_spiral.numbers import Numbers


class Leg(Enum):
    """A part of a pawn's route, such as the way out or the way back."""

    OUT = "out"
    WELL = "well"
    BACK = "back"
    HOME = "home"
    EATEN = "eaten"


GONE = (Leg.HOME, Leg.EATEN)
"""Legs on which a seat takes no more turns in the round."""


@dataclass(frozen=True, slots=True)
class Walker:
    """The pawn and the tabas of a seat.

    ``place`` is the distance from the village along the path. ``paid`` is the number of fees paid at the well in this
    round. ``points`` is the number of points scored in the match so far. ``hunts`` is the number of rounds of the match
    in which the seat was the hyena and let nobody come home.
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
    """The state of a match; in a view, ``seed`` is None and ``forced`` is empty.

    ``length`` is the place of the well. ``round`` counts from 1 to ``rounds``. ``draws`` is the number of throws so
    far. ``forced`` presets the next throws, each given as its number of white faces. ``chips`` are the faces of the
    last throw (True: white), or empty before the first throw. ``choosing`` is set if that throw leaves a choice between
    steps and tabas.
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
        """Number of seats."""
        return len(self.walkers)

    @property
    def to_move(self) -> int | None:
        """Seat to move, or None if the match is over."""
        return None if self.result is not None else self.mover

    @property
    def ask(self) -> Ask | None:
        """Pending decision, or None if the match is over.

        Its kind is "chips" after a throw that leaves a choice, "pay" if the turn can only be used to pay a fee, else
        "turn".
        """
        if self.result is not None:
            return None
        if self.choosing:
            return Ask("chips", (self.mover,))
        if 0 < self.due(self.mover) <= self.walkers[self.mover].tabas:
            return Ask("pay", (self.mover,), default="pay")
        return Ask("turn", (self.mover,))

    @property
    def standing(self) -> Hashable:
        """Key for detecting repetitions, which is different for all states of a match.

        Throws are random, so a position that occurs again doesn't mean that the match is stuck.
        """
        return self.turn, self.step

    @property
    def step(self) -> int:
        """Number of moves made in the current turn: 1 after a throw that leaves a choice, else 0."""
        return int(self.choosing)

    @property
    def phase(self) -> int:
        """Round, counted from 0."""
        return self.round - 1

    @property
    def game_number(self) -> int:
        """Always 1, because the rounds of a match are not a series."""
        return 1

    @property
    def scores(self) -> tuple[int, ...]:
        """Points of each seat in the match so far."""
        return tuple([walker.points for walker in self.walkers])

    @property
    def totals(self) -> tuple[int, ...]:
        """Always empty, because there is no series."""
        return ()

    @property
    def hyena(self) -> int | None:
        """Seat that is the hyena in this round, or None if there is no hyena yet."""
        return next((seat for seat, walker in enumerate(self.walkers) if walker.hyena), None)

    def times(self, seat: int) -> int:
        """Return the factor for a seat's steps, tabas and prices; it is 1 for a villager."""
        return self.numbers.times if self.walkers[seat].hyena else 1

    def due(self, seat: int) -> int:
        """Return the next fee, in tabas, that a seat must pay at the well.

        Returns 0 if the seat is not at the well or has paid all its fees.
        """
        walker = self.walkers[seat]
        if walker.leg is not Leg.WELL:
            return 0
        fees = (self.numbers.hyena_fee,) if walker.hyena else self.numbers.fees
        return fees[walker.paid] if walker.paid < len(fees) else 0

    def fees(self, seat: int) -> int:
        """Return the total number of payments that a seat must make at the well."""
        return 1 if self.walkers[seat].hyena else len(self.numbers.fees)

    def reach(self, seat: int, steps: int) -> int:
        """Return the place that a seat reaches with ``steps``, but not beyond the well or the village.

        ``steps`` must already include the hyena's factor.
        """
        walker = self.walkers[seat]
        if walker.leg is Leg.OUT:
            return min(self.length, walker.place + steps)
        return max(0, walker.place - steps)

    def void(self, seat: int, steps: int) -> bool:
        """Return whether ``steps`` would go past a well that must be reached by exact count."""
        walker = self.walkers[seat]
        return self.numbers.exact and walker.leg is Leg.OUT and walker.place + steps > self.length

    def prey(self, seat: int, place: int) -> tuple[int, ...]:
        """Return the seats whose villagers the hyena of ``seat`` eats if it moves to ``place``.

        There are none if ``seat`` isn't the hyena or if the hyena is on its way out. When the hyena leaves the well, it
        eats everyone still at the well or on the way out. From then on, it eats every villager on her way home whom it
        reaches or passes.
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
