"""Which engine runs a board: the one for sets of 62 bits, or, where that is compiled, its twin for wide boards."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Protocol, cast

from shibumi3d.rules.marbles.engine.board import NATIVE
from shibumi3d.rules.marbles.engine.rules import WORK, Rules, Snapshot

if TYPE_CHECKING:
    from shibumi3d.rules.marbles.engine.machine import (
        Exact,
        FastGame,
        Fixed,
        Lessons,
        Prover,
        Tree,
        Weights,
    )
    from shibumi3d.rules.marbles.engine.workspace import Machine, Step

WIDEST = 5
"""The largest board whose sets of points fit into 62 bits. Uncompiled, the same engine serves all sizes."""


class Engine(Protocol):
    """What the module :mod:`~shibumi3d.rules.marbles.engine.machine` offers, and its twin for wide boards.

    The twin's classes are named as those of the other; they differ in how large a set of points may be.
    """

    FAILED: int
    WAITING: int
    NO: int
    OPEN: int
    YES: int
    FastGame: type[FastGame]
    Tree: type[Tree]
    Fixed: type[Fixed]
    Exact: type[Exact]
    Prover: type[Prover]
    Weights: type[Weights]
    Lessons: type[Lessons]

    def machine(self, rules: Rules, full: bool = True) -> Machine:
        """Return a machine for a game."""

    def begin(self, m: Machine, stocks: tuple[tuple[int, ...], ...]) -> None:
        """Set a match up, and go on to the first choice."""

    def begin_at(
        self,
        m: Machine,
        boards: list[tuple[int, ...]],
        stocks: dict[int, list[int]],
        phase: int,
        mover: int,
    ) -> None:
        """Begin a turn on given boards and stocks."""

    def load(self, m: Machine, at: Snapshot) -> None:
        """Take the match up where a snapshot left it."""

    def save(self, m: Machine) -> Snapshot:
        """Return the match as it is now."""

    def choices(self, m: Machine) -> list[int]:
        """Return the choices open now."""

    def raw_choices(self, m: Machine) -> list[int]:
        """Return choices among which are all that are open now."""

    def play(self, m: Machine, code: int) -> None:
        """Carry out a choice."""

    def carry_out(self, m: Machine, code: int) -> int:
        """Take a choice, and end the turn when it was the last of it; return how the run ended."""

    def run(self, m: Machine, goal: Step | None) -> int:
        """Run on to the next choice; return how the run ended."""

    def take(self, m: Machine, code: int, goal: Step | None) -> int:
        """Take a choice and run on; return how the run ended."""

    def scores_now(self, m: Machine) -> tuple[int, ...]:
        """Return the score of every seat."""

    def standings(self, m: Machine) -> list[int]:
        """Return how every seat stands now, by what decides in the end."""

    def solvable_now(self, m: Machine) -> bool:
        """Return whether the rules say that what was dealt can be won."""

    def let_others_choose(self, m: Machine, seat: int) -> None:
        """Let all seats but one be still to choose in the secret block under way."""

    def settled(self, m: Machine) -> list[int]:
        """Return the tallies if all had chosen in the secret block under way."""

    def reopen(self, m: Machine) -> None:
        """Find anew, at the first choice of a turn, what the turn finds before it."""

    def note_registers(self, m: Machine) -> int:
        """Begin something that can be taken back as a whole; return the mark for ``undo``."""


def engine_of(size: int) -> Engine:
    """Return the engine that plays boards of a size: the usual one, or its twin for wide boards where that is
    compiled.
    """
    wide = NATIVE and size > WIDEST
    name = "engine_wide" if wide else "engine"
    return cast(Engine, import_module(f"shibumi3d.rules.marbles.{name}.machine"))


class Runner:
    """The one machine on which the states of some rules are looked at and led on.

    It stays where it was left, so that going on from there costs nothing.
    """

    def __init__(self, rules: Rules) -> None:
        self.engine = engine_of(rules.pyramid.size)
        self.machine = self.engine.machine(rules)
        self.at: Snapshot | None = None

    def stand(self, at: Snapshot, seed: int | None) -> Machine:
        """Return the machine, set to a snapshot. Whoever moves it on says so by :meth:`moved`."""
        m = self.machine
        if self.at is not at:
            self.at = None
            self.engine.load(m, at)
            self.at = at
        m.seed = seed or 0
        m.events = None
        m.looking = m.blind = False
        m.work, m.reading = WORK, 0
        return m

    def moved(self) -> Snapshot:
        """Return what the machine has become."""
        self.machine.length = 0
        self.at = self.engine.save(self.machine)
        return self.at

    def scores(self, at: Snapshot) -> tuple[int, ...]:
        """Return the score of every seat at a snapshot."""
        found: tuple[int, ...] = self.engine.scores_now(self.stand(at, 0))
        return found

    def solvable(self, at: Snapshot) -> bool:
        """Return whether the rules say that what was dealt can be won."""
        found: bool = self.engine.solvable_now(self.stand(at, 0))
        return found

    def with_others_to_choose(self, at: Snapshot, seat: int) -> tuple[Snapshot, bool]:
        """Return a moment in which all seats but one are still to choose in the secret block that is under way.

        The second value is whether there is such a block.
        """
        m = self.stand(at, 0)
        self.engine.let_others_choose(m, seat)
        found: Snapshot = self.engine.save(m)
        self.at = None
        return found, any(word.v for word in m.secret_me)

    def lost(self) -> str:
        """Forget where the machine stands, as a rule failed on the way; return the rule's file and line, where it
        has them.
        """
        self.at = None
        number: int = self.machine.at.number
        rules: Rules = self.machine.rules
        if self.machine.reading:
            return rules.places.get(self.machine.reading, "")
        return rules.code[number].place if 0 <= number < len(rules.code) else ""


def runner_of(rules: Rules) -> Runner:
    """Return the runner of some rules, made when first asked for."""
    if rules.runner is None:
        rules.runner = Runner(rules)
    found: Runner = rules.runner
    return found
