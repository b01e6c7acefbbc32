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
        """Set up a match and run it to the first choice or the end of the match.

        ``stocks`` contains one tuple for each stock, with the number of marbles of each colour. Raises RuleFailure if
        the deal given by ``m.draw_orders`` can't be played, or if no playable deal is found.
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

        The machine runs to the next choice or the end of the match. ``phase`` is the index of the phase. ``boards`` has
        one mask per colour for each board. ``stocks`` maps the index of a stock to its number of marbles of each
        colour. All other stocks have their initial contents, except the box: if it is not in ``stocks``, marbles are
        moved between it and the boards to turn the initial position into the given one. If the box lacks marbles for
        this, they are put on the boards all the same.
        """

    def load_snapshot(self, m: Machine, snapshot: Snapshot) -> None:
        """Set the machine to the state in a snapshot, and clear the undo log.

        The machine's random seed doesn't change.
        """

    def save_snapshot(self, m: Machine) -> Snapshot:
        """Return a snapshot of the match."""

    def legal_choices(self, m: Machine) -> list[int]:
        """Return the codes of the legal choices."""

    def pseudo_legal_choices(self, m: Machine) -> list[int]:
        """Return the codes of the legal choices, and possibly of others.

        The others are choices after which the turn can't be completed. The match must not be over, and the seat to act
        must not be stuck.
        """

    def play_choice(self, m: Machine, code: int) -> None:
        """Carry out a legal choice, and run to the next choice or the end of the match.

        If the turn can't be completed after the choice, RuleFailure is raised. Games with ``Rules.has_uncertainty`` are
        an exception: after the setup, the seat to act counts as stuck instead, which ends the game unless the rules let
        the seat pass.
        """

    def play_unchecked(self, m: Machine, code: int) -> int:
        """Carry out a choice other than a pass, run the steps after it, and return how the run ended.

        If this completes the turn, the turn is ended, and the next one begins unless the match is over. If it completes
        the setup, the first turn begins. If the run fails, the result is FAILED, and nothing is undone. See
        :meth:`run_steps` for the other results.
        """

    def run_steps(self, m: Machine, goal: Step | None) -> int:
        """Run the steps until a choice is needed, the turn ends, a step fails or ``goal`` is reached.

        ``goal`` may be None. Returns AWAITING_CHOICE if a choice is needed, FAILED if the turn can't be completed, and
        another value otherwise. During a look-ahead, the run also stops at random outcomes and, without a goal, where
        the turn is sure to be completed. Raises UnknownOutcomeError for an unknown outcome during a preview, or for a
        random one if the machine rejects chance. Raises RuleFailure if a rule can't be carried out or if the work
        budget is exceeded.
        """

    def take_option(self, m: Machine, code: int, goal: Step | None) -> int:
        """Carry out a choice and run the steps after it (see :meth:`run_steps`); return how the run ended."""

    def current_scores(self, m: Machine) -> tuple[int, ...]:
        """Return the score of every seat."""

    def ranking_values(self, m: Machine) -> list[int]:
        """Return, for each seat, the number by which it is currently ranked.

        If an end rule compares the seats by a number, this is the first value that the rule compares. Otherwise, it is
        the score.
        """

    def is_solvable(self, m: Machine) -> bool:
        """Return whether the game file's ``solvable`` condition holds.

        The file must have such a condition.
        """

    def hide_who_has_chosen(self, m: Machine, seat: int) -> None:
        """Mark all seats of the current secret block, except ``seat``, as still to choose.

        A view made in this state doesn't reveal which of the other seats have already chosen. If no secret block is in
        progress, nothing is changed.
        """

    def tallies_after_secrets(self, m: Machine) -> list[int]:
        """Return what the tallies would be if the current secret block ended now.

        To find out, the steps after the block are carried out, up to the next choice or the end of the turn, and then
        undone. Returns [] if no secret block is in progress.
        """

    def restart_turn(self, m: Machine) -> None:
        """Start the turn again in the current position, and run to its first choice.

        Everything that the rules compute before that choice is recomputed. Changes that the turn has already made to
        the boards and stocks are not undone.
        """

    def push_registers(self, m: Machine) -> int:
        """Save the registers in the undo log, and return a mark.

        Passing the mark to ``Machine.undo`` restores the registers and undoes all changes recorded in the log since.
        Other attributes, such as ``winners`` and ``work_left``, are not restored.
        """


def get_engine(size: int) -> Engine:
    """Return the engine for a board size.

    If the engines are compiled, there are separate engines for boards larger than :data:`MAX_NARROW_SIZE`. If they
    aren't compiled, a single engine plays all sizes.
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

        Callers that then advance the machine must call :meth:`take_snapshot` or set ``loaded`` to None. Otherwise, a
        later call with the same snapshot wouldn't load it again.
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
        """Return a copy of ``snapshot`` in which the other seats are marked as still to choose in secret.

        The other seats are all seats of the secret block in progress, except ``seat``. What they have already changed
        by their choices isn't undone. The second value returned says whether a secret block is in progress; if none is,
        nothing is changed.
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
