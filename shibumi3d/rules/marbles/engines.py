"""Choice of the engine for a board size, and runners, which load snapshots into a machine and take new ones.

There are up to four compiled engines: the normal one, whose sets of points fit into 62 bits, and copies for larger
boards, with sets of up to 124 bits, of up to 186 bits and of any size.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Protocol, cast

from shibumi3d.rules.marbles.engine.board import IS_COMPILED
from shibumi3d.rules.marbles.engine.rules import WORK_BUDGET, Rules, Snapshot

if TYPE_CHECKING:
    from shibumi3d.rules.marbles.engine.interface import (
        ConstantEvaluator,
        ExhaustiveSearch,
        FastGame,
        ProofNumberSearch,
        SearchTree,
        SelfPlay,
        Weights,
    )
    from shibumi3d.rules.marbles.engine.machine import Machine, Step

MAX_NARROW_SIZE = 5
"""Largest board size whose sets of points fit into 62 bits.

The uncompiled engine can play any size.
"""
LARGE_BOARD_ENGINES = {"engine_double": 6, "engine_triple": 7}
"""Fixed-width engines for larger boards, each with the largest board size that it can play.

Not every compiler can build all of them.
"""


class Engine(Protocol):
    """Interface of an engine module.

    The module is either :mod:`~shibumi3d.rules.marbles.engine.interface` or one of its copies for larger boards. These
    modules use the same class names, and differ only in how many points a set can contain.
    """

    FAILED: int
    AWAITING_CHOICE: int
    NO: int
    UNDECIDED: int
    YES: int
    FastGame: type[FastGame]
    SearchTree: type[SearchTree]
    ConstantEvaluator: type[ConstantEvaluator]
    ExhaustiveSearch: type[ExhaustiveSearch]
    ProofNumberSearch: type[ProofNumberSearch]
    Weights: type[Weights]
    SelfPlay: type[SelfPlay]

    def build_machine(self, rules: Rules, full: bool = True) -> Machine:
        """Return a machine for the compiled ``rules``.

        If ``full`` is set, the machine maintains everything that players can see; otherwise, it maintains only what the
        rules read.
        """

    def begin_match(self, m: Machine, stocks: tuple[tuple[int, ...], ...]) -> None:
        """Set up a match and run it to the first choice.

        ``stocks`` contains one tuple for each stock, with the number of marbles of each colour.
        """

    def begin_at_position(
        self,
        m: Machine,
        boards: list[tuple[int, ...]],
        stocks: dict[int, list[int]],
        phase: int,
        mover: int,
    ) -> None:
        """Begin a turn of ``mover`` in ``phase`` with the given boards and stocks.

        The machine runs to the next choice or the end of the match. ``boards`` has one mask per colour for each board.
        ``stocks`` maps the index of a stock to its number of marbles of each colour.
        """

    def load_snapshot(self, m: Machine, snapshot: Snapshot) -> None:
        """Set the machine to the state in a snapshot."""

    def save_snapshot(self, m: Machine) -> Snapshot:
        """Return a snapshot of the match."""

    def legal_choices(self, m: Machine) -> list[int]:
        """Return the codes of the legal choices."""

    def pseudo_legal_choices(self, m: Machine) -> list[int]:
        """Return the codes of the legal choices, and possibly of others after which the turn can't be completed."""

    def play_choice(self, m: Machine, code: int) -> None:
        """Carry out a legal choice."""

    def play_unchecked(self, m: Machine, code: int) -> int:
        """Carry out a choice other than a pass, run the steps after it, and return how the run ended.

        If the turn is then complete, it is ended; if the setup is complete, the first turn begins. See
        :meth:`run_steps` for the ways in which a run can end.
        """

    def run_steps(self, m: Machine, goal: Step | None) -> int:
        """Run the steps until a choice is needed, the turn ends, a step fails or ``goal`` is reached.

        Returns AWAITING_CHOICE if a choice is needed, FAILED if the turn can't be completed, and another value
        otherwise. During a look-ahead, the run also stops at random outcomes.
        """

    def take_option(self, m: Machine, code: int, goal: Step | None) -> int:
        """Carry out a choice and run the steps after it (see :meth:`run_steps`); return how the run ended."""

    def current_scores(self, m: Machine) -> tuple[int, ...]:
        """Return the score of every seat."""

    def ranking_values(self, m: Machine) -> list[int]:
        """Return the number by which each seat is currently ranked."""

    def is_solvable(self, m: Machine) -> bool:
        """Return whether the game file's ``solvable`` condition holds.

        The file must have such a condition.
        """

    def hide_who_has_chosen(self, m: Machine, seat: int) -> None:
        """Mark all seats of the current secret block, except ``seat``, as still to choose."""

    def tallies_after_secrets(self, m: Machine) -> list[int]:
        """Return what the tallies would be if the current secret block ended now.

        The steps from the end of the block to the next choice or the end of the turn are included. Returns [] if there
        is no such block.
        """

    def restart_turn(self, m: Machine) -> None:
        """Restart the turn and run to its first choice, recomputing everything before that choice."""

    def push_registers(self, m: Machine) -> int:
        """Save the registers in the undo log, and return a mark.

        Passing the mark to ``Machine.undo`` restores the registers along with everything else that has changed since.
        """


def get_engine(size: int) -> Engine:
    """Return the engine for a board size.

    If the engines are compiled, boards larger than :data:`MAX_NARROW_SIZE` are played by other engines than smaller
    ones. If they are not, one engine plays all sizes.
    """
    name = "engine"
    if IS_COMPILED and size > MAX_NARROW_SIZE:
        fitting = (
            each for each, largest in LARGE_BOARD_ENGINES.items() if size <= largest and _has_engine(each)
        )
        name = next(fitting, "engine_wide")
    return cast(Engine, import_module(f"shibumi3d.rules.marbles.{name}.interface"))


@cache
def _has_engine(name: str) -> bool:
    """Return whether the build has produced the engine of this name."""
    return find_spec(f"shibumi3d.rules.marbles.{name}") is not None


class Runner:
    """Owner of the one machine that evaluates and advances all states under the same rules.

    The machine keeps its position between calls, so nothing needs to be loaded to continue from the last snapshot.
    """

    def __init__(self, rules: Rules) -> None:
        self.engine = get_engine(rules.pyramid.size)
        self.machine = self.engine.build_machine(rules)
        self.loaded: Snapshot | None = None
        self.moves_by_code: dict[int, dict[int, Any]] = {}
        """The moves that have been decoded, by board and code."""

    def load(self, snapshot: Snapshot, seed: int | None) -> Machine:
        """Return the machine, loaded with a snapshot and a random seed (None counts as 0).

        Callers that then advance the machine must call :meth:`take_snapshot`.
        """
        m = self.machine
        if self.loaded is not snapshot:
            self.loaded = None
            self.engine.load_snapshot(m, snapshot)
            self.loaded = snapshot
        m.seed = seed or 0
        m.events = None
        m.is_looking_ahead = m.is_previewing = False
        m.work_left, m.location_code = WORK_BUDGET, 0
        return m

    def take_snapshot(self) -> Snapshot:
        """Save the current state of the machine as the loaded snapshot, and return it.

        This empties the undo log.
        """
        self.machine.undo_length = 0
        self.loaded = self.engine.save_snapshot(self.machine)
        return self.loaded

    def scores(self, snapshot: Snapshot) -> tuple[int, ...]:
        """Return the score of every seat in a snapshot."""
        result: tuple[int, ...] = self.engine.current_scores(self.load(snapshot, 0))
        return result

    def is_solvable(self, snapshot: Snapshot) -> bool:
        """Return whether the game file's ``solvable`` condition holds in a snapshot.

        The file must have such a condition.
        """
        result: bool = self.engine.is_solvable(self.load(snapshot, 0))
        return result

    def with_others_unchosen(self, snapshot: Snapshot, seat: int) -> tuple[Snapshot, bool]:
        """Return a copy of ``snapshot``, changed so that all seats but ``seat`` have yet to make their secret choices.

        Also return whether a secret block is in progress in the snapshot.
        """
        m = self.load(snapshot, 0)
        self.engine.hide_who_has_chosen(m, seat)
        result: Snapshot = self.engine.save_snapshot(m)
        self.loaded = None
        return result, any(word.value for word in m.secret_outer_seats)

    def reset_after_failure(self) -> str:
        """Discard the machine's position after a rule failed, and return where it failed.

        The result is a file and a line, or "" if they are unknown.
        """
        self.loaded = None
        program_index: int = self.machine.current_step.program_index
        rules: Rules = self.machine.rules
        if self.machine.location_code:
            return rules.source_locations.get(self.machine.location_code, "")
        return rules.program[program_index].source_location if 0 <= program_index < len(rules.program) else ""


def get_runner(rules: Rules) -> Runner:
    """Return the cached runner for ``rules``, creating it on first use."""
    if rules.cached_runner is None:
        rules.cached_runner = Runner(rules)
    runner: Runner = rules.cached_runner
    return runner
