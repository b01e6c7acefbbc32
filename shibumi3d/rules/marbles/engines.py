"""Choice of the engine for a board size, and the runner that moves one machine between snapshots.

There are two compiled engines: the usual one, whose point sets fit into 62 bits, and a copy of it for larger boards.
"""

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
"""Largest board size whose point sets fit into 62 bits. The uncompiled engine plays any size."""


class Engine(Protocol):
    """Interface of an engine module.

    It is either :mod:`~shibumi3d.rules.marbles.engine.machine` or its copy for large boards. Both use the same class
    names. They differ only in how large a set of points may be.
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
        """Return a machine that plays by ``rules``."""

    def begin(self, m: Machine, stocks: tuple[tuple[int, ...], ...]) -> None:
        """Set up a match with these stocks and run to the first choice."""

    def begin_at(
        self,
        m: Machine,
        boards: list[tuple[int, ...]],
        stocks: dict[int, list[int]],
        phase: int,
        mover: int,
    ) -> None:
        """Start a turn of ``mover`` from custom boards and stocks."""

    def load(self, m: Machine, at: Snapshot) -> None:
        """Restore the match from a snapshot."""

    def save(self, m: Machine) -> Snapshot:
        """Return a snapshot of the match."""

    def choices(self, m: Machine) -> list[int]:
        """Return the codes of the legal choices."""

    def raw_choices(self, m: Machine) -> list[int]:
        """Return a superset of the legal choices.

        It is not tested whether the turn can be completed after them.
        """

    def play(self, m: Machine, code: int) -> None:
        """Carry out a legal choice."""

    def carry_out(self, m: Machine, code: int) -> int:
        """Make a choice, ending the turn if it was the last one; return how the run ended."""

    def run(self, m: Machine, goal: Step | None) -> int:
        """Run to the next choice; return how the run ended."""

    def take(self, m: Machine, code: int, goal: Step | None) -> int:
        """Make a choice and run to the next one; return how the run ended."""

    def scores_now(self, m: Machine) -> tuple[int, ...]:
        """Return the score of every seat."""

    def standings(self, m: Machine) -> list[int]:
        """Return the current value of what decides the match, for every seat."""

    def solvable_now(self, m: Machine) -> bool:
        """Return whether the rules declare this deal to be winnable."""

    def let_others_choose(self, m: Machine, seat: int) -> None:
        """Mark every seat but one as still to choose in the current block of secret choices."""

    def settled(self, m: Machine) -> list[int]:
        """Return the tallies as if every seat had chosen in the current block of secret choices."""

    def reopen(self, m: Machine) -> None:
        """Restart a turn at its first choice.

        What the turn computes before that choice is computed again.
        """

    def note_registers(self, m: Machine) -> int:
        """Start a group of changes that is undone as a whole; return its mark for ``undo``."""


def engine_of(size: int) -> Engine:
    """Return the engine that plays boards of a size.

    This is the engine for large boards only if the engine is compiled and ``size`` exceeds :data:`WIDEST`.
    """
    wide = NATIVE and size > WIDEST
    name = "engine_wide" if wide else "engine"
    return cast(Engine, import_module(f"shibumi3d.rules.marbles.{name}.machine"))


class Runner:
    """The one machine that evaluates and advances all states of the same rules.

    The machine keeps its position between calls, so continuing from the last snapshot needs no reload.
    """

    def __init__(self, rules: Rules) -> None:
        self.engine = engine_of(rules.pyramid.size)
        self.machine = self.engine.machine(rules)
        self.at: Snapshot | None = None

    def stand(self, at: Snapshot, seed: int | None) -> Machine:
        """Return the machine, loaded with a snapshot.

        Whoever then advances it must call :meth:`moved`.
        """
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
        """Return a snapshot of the machine after it was advanced."""
        self.machine.length = 0
        self.at = self.engine.save(self.machine)
        return self.at

    def scores(self, at: Snapshot) -> tuple[int, ...]:
        """Return the score of every seat in a snapshot."""
        found: tuple[int, ...] = self.engine.scores_now(self.stand(at, 0))
        return found

    def solvable(self, at: Snapshot) -> bool:
        """Return whether the rules declare the deal of a snapshot to be winnable."""
        found: bool = self.engine.solvable_now(self.stand(at, 0))
        return found

    def with_others_to_choose(self, at: Snapshot, seat: int) -> tuple[Snapshot, bool]:
        """Return a copy of a snapshot in which only ``seat`` may have made its secret choices.

        All other seats have yet to choose. The second value tells whether a block of secret choices is in progress at
        all.
        """
        m = self.stand(at, 0)
        self.engine.let_others_choose(m, seat)
        found: Snapshot = self.engine.save(m)
        self.at = None
        return found, any(word.v for word in m.secret_me)

    def lost(self) -> str:
        """Invalidate the machine's position after a rule failed; return the place of the failure.

        The place is a file and a line, or "" if it is unknown.
        """
        self.at = None
        number: int = self.machine.at.number
        rules: Rules = self.machine.rules
        if self.machine.reading:
            return rules.places.get(self.machine.reading, "")
        return rules.code[number].place if 0 <= number < len(rules.code) else ""


def runner_of(rules: Rules) -> Runner:
    """Return the runner of some rules, creating it on first use."""
    if rules.runner is None:
        rules.runner = Runner(rules)
    found: Runner = rules.runner
    return found
