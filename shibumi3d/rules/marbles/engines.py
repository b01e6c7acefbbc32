"""Choice of the engine for a board size, and runners, which move a machine between snapshots.

There are two compiled engines: the normal one, whose sets of points fit into 62 bits, and a copy for larger boards.
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
"""Largest board size whose sets of points fit into 62 bits.

The uncompiled engine can play any size.
"""


class Engine(Protocol):
    """Interface of an engine module.

    The module is either :mod:`~shibumi3d.rules.marbles.engine.machine` or its copy for large boards. Both use the same
    class names, and differ only in how large a set of points may be.
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
        """Return a machine for the compiled ``rules``."""

    def begin(self, m: Machine, stocks: tuple[tuple[int, ...], ...]) -> None:
        """Set up a match with the given stocks and run to the first choice."""

    def begin_at(
        self,
        m: Machine,
        boards: list[tuple[int, ...]],
        stocks: dict[int, list[int]],
        phase: int,
        mover: int,
    ) -> None:
        """Start a turn of ``mover`` with the given boards and stocks."""

    def load(self, m: Machine, at: Snapshot) -> None:
        """Restore the match from a snapshot."""

    def save(self, m: Machine) -> Snapshot:
        """Return a snapshot of the match."""

    def choices(self, m: Machine) -> list[int]:
        """Return the codes of the legal choices."""

    def raw_choices(self, m: Machine) -> list[int]:
        """Return a superset of the legal choices.

        Whether the turn can be completed after each of them is not checked.
        """

    def play(self, m: Machine, code: int) -> None:
        """Carry out a legal choice."""

    def carry_out(self, m: Machine, code: int) -> int:
        """Carry out a choice, end the turn if it is complete, and return how the run ended."""

    def run(self, m: Machine, goal: Step | None) -> int:
        """Run to the next choice; return how the run ended."""

    def take(self, m: Machine, code: int, goal: Step | None) -> int:
        """Carry out a choice and run to the next one; return how the run ended."""

    def scores_now(self, m: Machine) -> tuple[int, ...]:
        """Return the score of every seat."""

    def standings(self, m: Machine) -> list[int]:
        """Return the number by which each seat is currently ranked."""

    def solvable_now(self, m: Machine) -> bool:
        """Return whether the deal can be won according to the game file's ``solvable`` condition."""

    def let_others_choose(self, m: Machine, seat: int) -> None:
        """Mark all seats but one as yet to choose in the current secret block."""

    def settled(self, m: Machine) -> list[int]:
        """Return what the tallies would be if every seat had chosen in the current secret block."""

    def reopen(self, m: Machine) -> None:
        """Restart the turn and run to its first choice, recomputing everything before that choice."""

    def note_registers(self, m: Machine) -> int:
        """Start a group of changes that are undone together; return the mark to pass to ``undo``."""


def engine_of(size: int) -> Engine:
    """Return the engine for a board size.

    This is the engine for large boards only if the engine is compiled and ``size`` exceeds :data:`WIDEST`.
    """
    wide = NATIVE and size > WIDEST
    name = "engine_wide" if wide else "engine"
    return cast(Engine, import_module(f"shibumi3d.rules.marbles.{name}.machine"))


class Runner:
    """The single machine that evaluates and advances all states under the same rules.

    The machine keeps its position between calls, so nothing needs to be loaded to continue from the last snapshot.
    """

    def __init__(self, rules: Rules) -> None:
        self.engine = engine_of(rules.pyramid.size)
        self.machine = self.engine.machine(rules)
        self.at: Snapshot | None = None

    def stand(self, at: Snapshot, seed: int | None) -> Machine:
        """Return the machine, loaded with a snapshot.

        Callers that then advance the machine must call :meth:`moved`.
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
        """Return a snapshot of the machine after a caller has advanced it."""
        self.machine.length = 0
        self.at = self.engine.save(self.machine)
        return self.at

    def scores(self, at: Snapshot) -> tuple[int, ...]:
        """Return the score of every seat in a snapshot."""
        found: tuple[int, ...] = self.engine.scores_now(self.stand(at, 0))
        return found

    def solvable(self, at: Snapshot) -> bool:
        """Return whether the deal in a snapshot can be won according to the game file."""
        found: bool = self.engine.solvable_now(self.stand(at, 0))
        return found

    def with_others_to_choose(self, at: Snapshot, seat: int) -> tuple[Snapshot, bool]:
        """Return a copy of a snapshot in which all seats but ``seat`` have yet to make secret choices.

        Also return True if a secret block is in progress in the snapshot, else False.
        """
        m = self.stand(at, 0)
        self.engine.let_others_choose(m, seat)
        found: Snapshot = self.engine.save(m)
        self.at = None
        return found, any(word.v for word in m.secret_me)

    def lost(self) -> str:
        """Discard the machine's position after a rule failed, and return where it failed.

        The result is a file and a line, or "" if they are unknown.
        """
        self.at = None
        number: int = self.machine.at.number
        rules: Rules = self.machine.rules
        if self.machine.reading:
            return rules.places.get(self.machine.reading, "")
        return rules.code[number].place if 0 <= number < len(rules.code) else ""


def runner_of(rules: Rules) -> Runner:
    """Return the runner for some rules, creating it on first use."""
    if rules.runner is None:
        rules.runner = Runner(rules)
    found: Runner = rules.runner
    return found
