"""The state of a Hyena Spiral match, and its rules from a game file."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from enum import Enum

from shibumi3d.i18n import Plural
from shibumi3d.rules.game import Decision, FormerStateNames, Outcome
from shibumi3d.rules.python_games import item_at
from shibumi3d.rules.source import Item, Problem
from shibumi3d.rules.table_reader import TableReader

CHIP_COUNT = 3
"""Number of chips in a throw; each shows white or black."""
MAX_VALUE = 200
"""Maximum number of steps, tabas or points in a game file, and maximum length of the path."""
TABLE_KEYS = ("throw", "taba", "buy", "fees", "hyena", "points", "exact")
MAX_FEES = 4
OPTION_BOUNDS = {"length": (2, MAX_VALUE), "rounds": (1, 100)}
"""Options that a game file may offer before a match, with their minimum and maximum values."""


@dataclass(frozen=True, slots=True)
class HyenaRules:
    """Parameters of the game: throws, prices, fees and points.

    ``steps_by_whites`` and ``tabas_by_whites`` say how far a villager walks after a throw and how many tabas she takes.
    Both are indexed by the number of white faces. If both values are positive, the player chooses between them, unless
    the pawn can't walk these steps. ``step_price`` tabas buy ``steps_bought`` steps. ``villager_fees`` are paid at the
    well, one per turn. The hyena's steps, tabas and prices are multiplied by ``hyena_factor``, and its only fee at the
    well is ``hyena_fee``. A villager who comes home scores ``home_points`` points; a hyena that lets nobody come home
    scores ``hyena_points``. If ``exact_arrival`` is set, the well must be reached by exact count.
    """

    steps_by_whites: tuple[int, ...] = (12, 0, 4, 6)
    tabas_by_whites: tuple[int, ...] = (1, 1, 0, 0)
    step_price: int = 2
    steps_bought: int = 12
    villager_fees: tuple[int, ...] = (2, 2)
    hyena_factor: int = 2
    hyena_fee: int = 10
    home_points: int = 1
    hyena_points: int = 2
    exact_arrival: bool = False

    @property
    def min_throw_steps(self) -> int:
        """Smallest number of steps that a villager can walk after a throw; throws without steps don't count."""
        return min(steps for steps in self.steps_by_whites if steps)


def read_rules(rules_item: Item, problems: list[Problem]) -> HyenaRules:
    """Return the parameters under ``table:`` in a game file, with defaults for missing ones.

    ``rules_item`` is the mapping of all rules in the file. Any errors are appended to ``problems``; if there are any,
    the result must not be used.
    """
    usual = HyenaRules()
    reader = TableReader(item_at(rules_item, "table"), "table", TABLE_KEYS, problems)
    before = len(problems)
    thrown = dict(enumerate(usual.steps_by_whites))
    steps = reader.read_int_mapping(
        "throw", (0, CHIP_COUNT), (1, MAX_VALUE), {w: n for w, n in thrown.items() if n}
    )
    tabas = reader.read_ints("taba", 0, CHIP_COUNT, [w for w, n in enumerate(usual.tabas_by_whites) if n])
    nothing = [whites for whites in range(CHIP_COUNT + 1) if whites not in steps and whites not in tabas]
    if nothing and len(problems) == before:
        place = reader.items.get("throw", rules_item).location
        problems.append(
            Problem(
                place,
                Plural(
                    "throw: no steps are given for {n} white face; add them here, or list {n} under 'taba'",
                    "throw: no steps are given for {n} white faces; add them here, or list {n} under 'taba'",
                ),
                n=nothing[0],
            )
        )
    buy = reader.sub_reader("buy", ("pay", "steps"))
    hyena = reader.sub_reader("hyena", ("times", "fee"))
    points = reader.sub_reader("points", ("home", "hyena"))
    fees = reader.read_ints("fees", 1, MAX_VALUE, usual.villager_fees)
    if not 1 <= len(fees) <= MAX_FEES:
        reader.report_error("fees", "1 to {most} numbers", most=MAX_FEES)
    return HyenaRules(
        steps_by_whites=tuple(steps.get(whites, 0) for whites in range(CHIP_COUNT + 1)),
        tabas_by_whites=tuple(int(whites in tabas) for whites in range(CHIP_COUNT + 1)),
        step_price=buy.read_int("pay", 1, MAX_VALUE, usual.step_price),
        steps_bought=buy.read_int("steps", 1, MAX_VALUE, usual.steps_bought),
        villager_fees=fees,
        hyena_factor=hyena.read_int("times", 1, 10, usual.hyena_factor),
        hyena_fee=hyena.read_int("fee", 1, MAX_VALUE, usual.hyena_fee),
        home_points=points.read_int("home", 1, MAX_VALUE, usual.home_points),
        hyena_points=points.read_int("hyena", 1, MAX_VALUE, usual.hyena_points),
        exact_arrival=reader.read_flag("exact"),
    )


class Leg(Enum):
    """Stage of a pawn's journey in the round: on its way out, at the well, on its way back, home, or eaten."""

    OUT = "out"
    WELL = "well"
    BACK = "back"
    HOME = "home"
    EATEN = "eaten"


FINISHED_LEGS = (Leg.HOME, Leg.EATEN)
"""Legs on which a seat takes no more turns in the round."""


@dataclass(frozen=True, slots=True)
class Walker:
    """State of a seat, including its pawn, tabas and points.

    ``place`` is the distance from the village along the path. ``fees_paid`` is the number of fees paid at the well in
    this round. ``points`` is the number of points scored in the match so far. ``hyena_wins`` is the number of rounds of
    the match in which the seat was the hyena and let nobody come home.
    """

    leg: Leg = Leg.OUT
    place: int = 0
    tabas: int = 0
    fees_paid: int = 0
    is_hyena: bool = False
    points: int = 0
    hyena_wins: int = 0


@dataclass(frozen=True, slots=True)
class State(FormerStateNames):
    """The state of a match; in a view, ``seed`` is None and ``preset_throws`` is empty.

    ``length`` is the place of the well. ``round`` counts from 1 to ``rounds``; ``first_seat`` is the seat that takes
    the first turn of this round. ``throws_made`` is the number of throws so far. ``preset_throws`` lists the results of
    the next throws, each as its number of white faces. ``last_throw`` holds the faces of the last throw (True: white);
    it is empty before the first throw. ``is_choosing`` is set while the player has to choose between the steps and the
    tabas of that throw.
    """

    rules: HyenaRules
    length: int
    rounds: int
    walkers: tuple[Walker, ...]
    mover: int
    first_seat: int
    seed: int | None
    round: int = 1
    turn: int = 0
    throws_made: int = 0
    preset_throws: tuple[int, ...] = ()
    last_throw: tuple[bool, ...] = ()
    is_choosing: bool = False
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
    def decision(self) -> Decision | None:
        """Pending decision, or None if the match is over.

        Its kind is "chips" after a throw that leaves a choice, "pay" if the turn can only be used to pay a fee, else
        "turn".
        """
        if self.result is not None:
            return None
        if self.is_choosing:
            return Decision("chips", (self.mover,))
        if 0 < self.fee_due(self.mover) <= self.walkers[self.mover].tabas:
            return Decision("pay", (self.mover,), default="pay")
        return Decision("turn", (self.mover,))

    @property
    def repetition_key(self) -> Hashable:
        """Key for detecting repetitions; every move changes it, so no state counts as a repetition.

        Throws are random, so a position that occurs again doesn't mean that the match is stuck.
        """
        return self.turn, self.step

    @property
    def step(self) -> int:
        """Number of moves made in the current turn: 1 after a throw that leaves a choice, else 0."""
        return int(self.is_choosing)

    @property
    def phase(self) -> int:
        """Number of the current round, counted from 0."""
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
    def hyena_seat(self) -> int | None:
        """Seat that is the hyena in this round, or None if there is no hyena yet."""
        return next((seat for seat, walker in enumerate(self.walkers) if walker.is_hyena), None)

    def factor_for(self, seat: int) -> int:
        """Return the factor for a seat's steps, tabas and prices; it is 1 for a villager."""
        return self.rules.hyena_factor if self.walkers[seat].is_hyena else 1

    def fee_due(self, seat: int) -> int:
        """Return the next fee, in tabas, that a seat must pay at the well.

        Returns 0 if the seat is not at the well or has paid all its fees.
        """
        walker = self.walkers[seat]
        if walker.leg is not Leg.WELL:
            return 0
        fees = (self.rules.hyena_fee,) if walker.is_hyena else self.rules.villager_fees
        return fees[walker.fees_paid] if walker.fees_paid < len(fees) else 0

    def fee_count(self, seat: int) -> int:
        """Return the total number of payments that a seat must make at the well."""
        return 1 if self.walkers[seat].is_hyena else len(self.rules.villager_fees)

    def place_after(self, seat: int, steps: int) -> int:
        """Return the place that a seat's pawn reaches by moving ``steps`` steps.

        The pawn stops at the well or the village if it would go past it. For the hyena, ``steps`` must already be
        multiplied by its factor.
        """
        walker = self.walkers[seat]
        if walker.leg is Leg.OUT:
            return min(self.length, walker.place + steps)
        return max(0, walker.place - steps)

    def overshoots_well(self, seat: int, steps: int) -> bool:
        """Return whether ``steps`` would go past a well that must be reached by exact count."""
        walker = self.walkers[seat]
        return self.rules.exact_arrival and walker.leg is Leg.OUT and walker.place + steps > self.length

    def villagers_eaten(self, seat: int, place: int) -> tuple[int, ...]:
        """Return the seats whose villagers the hyena of ``seat`` eats if it moves to ``place``.

        There are none if ``seat`` doesn't play the hyena or if the hyena is on its way out. When the hyena leaves the
        well, it eats everyone still at the well or on the way out. In that move and in all later ones, it eats every
        villager on her way home whom it reaches or passes.
        """
        hyena = self.walkers[seat]
        if not hyena.is_hyena or hyena.leg is Leg.OUT:
            return ()
        behind = (Leg.OUT, Leg.WELL) if hyena.leg is Leg.WELL else ()
        return tuple(
            [
                other
                for other, walker in enumerate(self.walkers)
                if not walker.is_hyena
                and (walker.leg in behind or (walker.leg is Leg.BACK and walker.place >= place))
            ]
        )
