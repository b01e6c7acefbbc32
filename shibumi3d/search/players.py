"""Computer players for every game.

Given what a seat may know, they return a move and its evaluation.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from copy import copy
from dataclasses import dataclass, replace
from math import ceil, log10
from random import Random
from time import monotonic
from typing import TYPE_CHECKING, Self

from shibumi3d.i18n import InvalidValueError, Message
from shibumi3d.rules.errors import RuleFailure
from shibumi3d.rules.game import Game
from shibumi3d.rules.search_protocols import MoveEvaluation, Search
from shibumi3d.search.heuristics import make_search
from shibumi3d.search.levels import RANDOM, Level, find_level
from shibumi3d.search.solver import solve

if TYPE_CHECKING:
    from shibumi3d.rules.game import State

REPORT_INTERVAL_SECONDS = 0.1
"""Time between progress reports, in seconds."""
MIN_RELIABLE_VISITS = 30
"""Number of visits below which the value of a turn is only a rough guess."""
PROVED, SEARCHED, GUESSED = "proved", "looked at", "judged"
"""Degrees of reliability of a value: proved, based on many simulations, or based on few simulations."""
EQUAL_VALUE_TOLERANCE = 0.03
"""Maximum difference in value from the best turn at which a hint treats another turn as equally good."""
ONE_TURN_PROOF_SHARE, TREE_SEARCH_SHARE = 0.3, 0.96
"""Fractions of a time limit at which the one-turn proof and the tree search end.

The remaining time is used to check the chosen move.
"""
DEEP_PROOF_SHARE, SOLVER_SHARE = 0.15, 0.3
"""Fractions of a time limit at which the two deeper proofs end.

The first proof searches turn by turn, the second is the solver. They are attempted only near the end of a match; before
that, the tree search makes better use of the time. In games that have a stored proof, the solver is used at any time.
"""
STORED_PROOF_FACTOR = 25
"""Factor by which the work for a proof is multiplied in games that have a stored proof, at any stage of the match.

In these games, most positions that the stored proof does not cover can be solved in about a second with the compiled
engine.
"""
NEAR_END_EXPONENT = 4.5
"""A match is nearly over if a proof visits fewer positions than 10 to the power of this exponent.

The number of positions is about the square root of the number of lines, which is estimated as the current number of
legal moves to the power of the number of turns left. The exponent is for a time limit of 0.01 seconds; each tenfold
increase of the limit adds 1 to it.
"""
MAX_FINISHING_WORK = 1_000_000
"""Maximum work for finding a win this turn, in the units of the rules, for levels that never miss one."""
CLOSE_VISITS_RATIO = 8
"""Factor that limits the choice of players that keep the match close.

A move can be chosen only if it has at least 1 / ``CLOSE_VISITS_RATIO`` of the visits of the most visited move.
"""
DRAW_REPETITIONS = 3
"""Number of occurrences of a position at which a draw may be claimed."""


@dataclass(frozen=True, slots=True)
class Budget:
    """Limits on thinking about one move.

    ``iterations`` is the number of simulations, or None to use the level's default. ``seconds`` is the time limit, or
    None for no limit. If only ``seconds`` is given, the number of simulations is unlimited for a level with
    ``uses_full_time``. ``clock`` measures the time; if it measures CPU time, a busy machine does not weaken the player.
    """

    iterations: int | None = None
    seconds: float | None = None
    clock: Callable[[], float] = monotonic


@dataclass(frozen=True, slots=True)
class Analysis:
    """A seat's evaluation of a position.

    ``mean`` is the value, from 0 (lost) to 1 (won). ``turns`` contains the best turns found, best first; a turn is cut
    short where the search ended. ``wins_in`` and ``loses_in`` are the numbers of the seat's own turns, including this
    one, until a proved win or loss. They are 0 if none is proved, or if it is proved but the number of turns isn't
    known.

    ``iterations`` is the total number of visits of all moves. Usually, this is the number of simulations that were run;
    a policy of the heuristics provides visits without simulations. However, if the move was chosen by sampling, it is
    the maximum number of samples; if the solver found a win in a solo or cooperative game, it is the maximum number of
    simulations.
    """

    seat: int
    iterations: int
    mean: float
    turns: tuple[MoveEvaluation, ...] = ()
    wins_in: int = 0
    loses_in: int = 0


@dataclass(frozen=True, slots=True)
class Choice:
    """A chosen move, as text, with the evaluation of the position in which it was chosen.

    ``reasons`` contains the reasons for the move; it is empty if none were requested or found.
    """

    move: str
    analysis: Analysis
    reasons: tuple[Message, ...] = ()


ChoiceCallback = Callable[[Choice], None]


def never_stop() -> bool:
    """Return False; this is a ``should_stop`` callback that never stops a search."""
    return False


@contextmanager
def gc_disabled() -> Iterator[None]:
    """Disable garbage collection within the block.

    A search tree has no reference cycles but many objects, and traversing them would take up a good part of the
    thinking time.
    """
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


def reliability(evaluation: MoveEvaluation) -> str:
    """Return how reliable the value of a turn is: :data:`PROVED`, :data:`SEARCHED` or :data:`GUESSED`."""
    return (
        PROVED if evaluation.is_proved else SEARCHED if evaluation.visits >= MIN_RELIABLE_VISITS else GUESSED
    )


def player(name: str | int, seed: int = 0) -> Player:
    """Return a computer player of a given level, or one that plays at random.

    ``name`` is the name or number of a level, or "random". Raises ValueError if there is no such level.
    """
    return Player(None if str(name).strip().casefold() == RANDOM else find_level(name), seed)


class Player:
    """A player that can play any seat of any game.

    It is stateless: with the same seed and arguments, it chooses the same move unless a time limit or ``should_stop``
    cuts the search short. If ``level`` is None, all moves are random.
    """

    def __init__(self, level: Level | None, seed: int = 0) -> None:
        self.level = level
        self.seed = seed

    @property
    def name(self) -> str:
        """Name of the player's level, or "random" if it has none."""
        return self.level.name if self.level is not None else RANDOM

    def with_seed(self, seed: int) -> Self:
        """Return a copy of the player with another seed."""
        other = copy(self)
        other.seed = seed
        return other

    def choose(
        self,
        game: Game,
        view: State,
        budget: Budget | None = None,
        should_stop: Callable[[], bool] = never_stop,
        *,
        seat: int | None = None,
        past_states: Iterable[State] = (),
        moves: Sequence[str] | None = None,
        on_progress: ChoiceCallback | None = None,
    ) -> Choice:
        """Choose a move for ``seat`` in ``view``, which contains only what that seat may know.

        By default, ``seat`` is the seat to move. If ``budget`` is None, the level's number of simulations applies, and
        there is no time limit. ``should_stop`` is called often; thinking ends when it returns True. ``past_states``
        contains the states at the start of earlier turns, for games in which positions recur. ``moves`` contains the
        texts of the legal moves; it must be given if the view alone does not determine them. ``on_progress`` is called
        with the best choice so far, about ten times a second. Raises ValueError if the match is over and no ``seat`` is
        given.
        """
        asked = view.to_move if seat is None else seat
        if asked is None:
            raise InvalidValueError("the match is over, so there is nothing to choose")
        start_time = (budget or Budget()).clock()
        with gc_disabled():
            return self._choose(
                game, view, budget, should_stop, asked, past_states, moves, on_progress, start_time
            )

    def _choose(
        self,
        game: Game,
        view: State,
        budget: Budget | None,
        should_stop: Callable[[], bool],
        seat: int,
        past_states: Iterable[State],
        moves: Sequence[str] | None,
        on_progress: ChoiceCallback | None,
        start_time: float,
    ) -> Choice:
        """Choose a move as :meth:`choose` does.

        This is a separate method so that the search is freed on return, while garbage collection is still disabled.
        """
        chance = Random(f"{self.seed}/{view.game_number}/{view.turn}/{view.step}/{seat}")
        search = make_search(game, view, seat, chance.getrandbits(30), past_states)
        if moves is not None:
            search.restrict_moves(moves)
        open_ = search.move_texts
        if len(open_) == 1 or self.level is None:
            return Choice(chance.choice(open_), Analysis(seat, 0, 0.5))
        # Draw once for the whole turn, so that a turn that begins well does not end at random.
        turn = f"{self.seed}/{view.game_number}/{view.turn}/{seat}"
        slips = Random(f"{turn}/slip").random() < self.level.blunder_rate
        strength = self.level
        if strength.lookahead_rate < 1 and Random(f"{turn}/heed").random() >= strength.lookahead_rate:
            strength = replace(strength, search_work=0)
        move_choice = _MoveChoice(
            search, seat, strength, budget or Budget(), should_stop, on_progress, chance, start_time
        )
        if self.level.finishes_wins:
            won = move_choice.find_win_this_turn()
            if won is not None:
                return won
        if slips:
            return Choice(chance.choice(open_), Analysis(seat, 0, 0.5))
        return move_choice.choose(game, view)


def analyse(
    game: Game,
    view: State,
    budget: Budget | None = None,
    should_stop: Callable[[], bool] = never_stop,
    *,
    seat: int | None = None,
    past_states: Iterable[State] = (),
    moves: Sequence[str] | None = None,
    on_progress: ChoiceCallback | None = None,
) -> Analysis:
    """Return an evaluation of ``view`` for ``seat`` by a search at the strongest level.

    The arguments are those of :meth:`Player.choose`. Raises ValueError if the match is over and no ``seat`` is given.
    """
    start_time = (budget or Budget()).clock()
    strongest = find_level(5)
    asked = view.to_move if seat is None else seat
    if asked is None:
        raise InvalidValueError("the match is over, so there is nothing to analyse")
    search = make_search(game, view, asked, 1, past_states)
    if moves is not None:
        search.restrict_moves(moves)
    return (
        _MoveChoice(
            search, asked, strongest, budget or Budget(), should_stop, on_progress, Random(1), start_time
        )
        .choose(game, view)
        .analysis
    )


class _MoveChoice:
    """The search for one move, with its results so far.

    ``start_time`` is the time at which thinking began, on the budget's clock.
    """

    def __init__(
        self,
        search: Search,
        seat: int,
        level: Level,
        budget: Budget,
        should_stop: Callable[[], bool],
        on_progress: ChoiceCallback | None,
        chance: Random,
        start_time: float,
    ) -> None:
        self.search = search
        search.set_learned_weight(level.learned_weight)
        self.seat = seat
        self.level = level
        self.iterations = level.iterations if budget.iterations is None else budget.iterations
        if budget.iterations is None and budget.seconds is not None and level.uses_full_time:
            self.iterations = 1 << 40
        self.search_work = level.search_work
        self.deadline = None if budget.seconds is None else start_time + budget.seconds
        self.start_time, self.seconds, self.clock = start_time, budget.seconds, budget.clock
        self.stop_requested = should_stop
        self.on_progress = on_progress
        self.chance = chance
        self.next_report = self.clock() + REPORT_INTERVAL_SECONDS
        self.moves = list(search.move_texts)
        chance.shuffle(self.moves)
        self.proved: dict[str, MoveEvaluation] = {}
        self.is_lost = False
        """Whether the opponent is proved to win, in an unknown number of turns."""

    def should_stop(self) -> bool:
        """Report progress if a report is due; return whether to stop now."""
        now = self.clock()
        if self.on_progress is not None and now >= self.next_report:
            self.next_report = now + REPORT_INTERVAL_SECONDS
            best = self.rank_moves()[0]
            if best.visits or best.is_proved:
                self.on_progress(Choice(best.move_texts[0], self.analysis()))
        return (self.deadline is not None and now >= self.deadline) or self.stop_requested()

    def stop_after(self, fraction: float) -> Callable[[], bool]:
        """Return a callback like :meth:`should_stop` that also returns True after a fraction of the time limit.

        If there is no time limit, return :meth:`should_stop` itself.
        """
        if self.seconds is None:
            return self.should_stop
        end = self.start_time + fraction * self.seconds
        return lambda: self.should_stop() or self.clock() >= end

    def choose(self, game: Game, view: State) -> Choice:
        search = self.search
        if search.prefers_sampling:
            tries = max(1, min(8, self.iterations // 50))
            return Choice(search.sample_move(tries, self.should_stop), Analysis(self.seat, tries, 0.5))
        solution = self.solve_solo(game, view)
        if solution:
            return Choice(solution[0], Analysis(self.seat, self.iterations, 1.0))
        try:
            won = self.prove_results()
            if not won:
                search.run_simulations(self.iterations, self.stop_after(TREE_SEARCH_SHARE))
            ranked = self.rank_moves()
            move = ranked[0].move_texts[0] if won else self.pick_move(ranked)
        except (RuleFailure, MemoryError):
            # A simulation exceeded a limit of the rules, or the tree ran out of memory: use what is known so far.
            move = self.rank_moves()[0].move_texts[0]
        return Choice(move, self.analysis())

    def find_win_this_turn(self) -> Choice | None:
        for evaluation in self.search.prove_by_lookahead(1, MAX_FINISHING_WORK, self.should_stop):
            if evaluation.is_proved and evaluation.lower_bound == 1.0:
                self.proved[evaluation.move_texts[0]] = evaluation
                return Choice(evaluation.move_texts[0], self.analysis())
        return None

    def solve_solo(self, game: Game, view: State) -> tuple[str, ...]:
        """Return moves that lead to a win, or () if none are found.

        The search is limited to solo and cooperative games that have no chance and are not played for a score. It is
        skipped in turns in which the level attempts no proofs.
        """
        facts = game.facts(view.seats)
        if facts.solver != "win" or facts.has_chance or not self.level.search_work or self.stop_requested():
            return ()
        return solve(game, self.search.sampled_state, max_moves=self.iterations).moves

    def prove_results(self) -> bool:
        """Search for forced results, store them, and return whether a win is proved.

        The first search covers one turn, and the second looks further ahead. At the highest level, the solver follows.
        With a time limit, the last two searches are made only near the end of a match. However, if there is a stored
        proof, the solver is used at any time.
        """
        if not self.level.search_work or self.stop_requested():
            return False
        looking, proving = (DEEP_PROOF_SHARE, SOLVER_SHARE) if self.is_near_end() else (0.0, 0.0)
        for turns, work, part in (
            (1, self.search_work, ONE_TURN_PROOF_SHARE),
            (MAX_LOOKAHEAD_TURNS, self.search_work // 4, looking),
        ):
            looks_no_more = self.stop_after(part)
            if looks_no_more():
                break
            for evaluation in self.search.prove_by_lookahead(turns, work, looks_no_more):
                if evaluation.is_proved:
                    self.proved[evaluation.move_texts[0]] = evaluation
                if evaluation.lower_bound == 1.0:
                    return True
        # A stored proof is looked up even if no time is left: it costs little, and nothing proved is thrown away.
        has_stored_proof = self.level.uses_full_time and self.search.has_stored_proof
        if self.should_stop() and not has_stored_proof:
            return False
        if self.level.uses_full_time and any(
            move not in self.proved or not self.proved[move].is_proved for move in self.moves
        ):
            # Beyond that, the solver may still find who wins, without the number of turns. A certificate costs no work.
            proves_no_more = self.stop_after(SOLVER_SHARE if has_stored_proof else proving)
            if has_stored_proof:
                work = self.search_work * STORED_PROOF_FACTOR  # part of it is done even if no time is left
            else:
                work = 0 if proves_no_more() else self.search_work
            low, high, keeping = self.search.solve(work, proves_no_more)
            self.is_lost = high == 0.0
            if low == 1.0 and keeping:
                self.proved[keeping[0]] = MoveEvaluation(keeping[:1], 0, 1.0, 1.0, 1.0, 0)
        return bool(self.proved) and any(evaluation.lower_bound == 1.0 for evaluation in self.proved.values())

    def is_near_end(self) -> bool:
        """Return whether so little of the match is left that much can be proved in the time available.

        Without a time limit, this is always True.
        """
        if self.seconds is None:
            return True
        reach = NEAR_END_EXPONENT + log10(max(self.seconds, 0.01) * 100)
        every = log10(max(2, len(self.moves))) / 2
        return self.search.estimate_turns_left(ceil(reach / every)) * every < reach

    def rank_moves(self) -> list[MoveEvaluation]:
        """Return the evaluations of all moves, best first, in the order of :func:`rank_key`.

        For a level that proves nothing, they are sorted by visits only.
        """
        evaluations = {move: MoveEvaluation((move,), 0, 0.5) for move in self.moves}
        evaluations.update(
            (ranked_move.move_texts[0], ranked_move)
            for ranked_move in self.search.ranked_moves()
            if ranked_move.move_texts[0] in evaluations
        )
        for move, evaluation in self.proved.items():
            considered = evaluations[move]
            if not considered.is_proved or evaluation.lower_bound == 1.0:
                evaluations[move] = MoveEvaluation(
                    (move,),
                    considered.visits,
                    evaluation.lower_bound,
                    evaluation.lower_bound,
                    evaluation.upper_bound,
                    evaluation.turns_to_end,
                )
        if not self.level.search_work:
            return sorted(evaluations.values(), key=lambda evaluation: -evaluation.visits)
        return sorted(evaluations.values(), key=rank_key)

    def pick_move(self, ranked: Sequence[MoveEvaluation]) -> str:
        """Choose a move as the level prescribes; return its text.

        ``ranked`` contains the evaluations of the moves, best first. If the level attempts proofs, a proved win is
        played at once, and moves that are proved to lose are avoided. Moves after which a draw by repetition could be
        claimed are avoided too. If no other moves are left, such moves are played all the same.
        """
        best = ranked[0]
        if self.level.search_work:
            if best.lower_bound == 1.0 or best.upper_bound == 0.0:
                return best.move_texts[0]
            ranked = [evaluation for evaluation in ranked if evaluation.upper_bound > 0.0]
        repeating = [
            evaluation
            for evaluation in ranked
            if self.search.count_repetitions(evaluation.move_texts[0]) + 1 >= DRAW_REPETITIONS
        ]
        if len(repeating) < len(ranked):
            ranked = [evaluation for evaluation in ranked if evaluation not in repeating]
        if self.level.keeps_match_close:
            enough = max(evaluation.visits for evaluation in ranked) / CLOSE_VISITS_RATIO
            considered = [evaluation for evaluation in ranked if evaluation.visits >= enough] or ranked
            ranked = sorted(considered, key=lambda evaluation: abs(evaluation.mean_value - 0.5))
        temperature = 0.0 if self.level.keeps_match_close else self.level.temperature
        if self.search.is_simultaneous:
            temperature = max(temperature, 1.0)
        left = list(ranked)
        while left:
            evaluation = left[0]
            if temperature:
                max_visits = max(each.visits for each in left) or 1
                weights = [(each.visits / max_visits) ** (1 / temperature) for each in left]
                evaluation = self.chance.choices(left, weights)[0] if any(weights) else left[0]
            if len(left) == 1 or not self.level.search_work:
                return evaluation.move_texts[0]
            if not self.search.is_proved_loss(
                evaluation.move_texts[0], 2, self.search_work, self.should_stop
            ):
                return evaluation.move_texts[0]
            left.remove(evaluation)
        return ranked[0].move_texts[0]

    def analysis(self) -> Analysis:
        """Return the current evaluation.

        The value of the position is the value of its best turn.
        """
        ranked = self.rank_moves()
        best = ranked[0]
        turns = [
            ranked_turn
            for ranked_turn in self.search.ranked_turns(3)
            if ranked_turn.move_texts[0] in {each.move_texts[0] for each in ranked}
        ]
        turns = sorted((self._with_proof(turn) for turn in turns), key=rank_key)
        if not turns or (best.is_proved and best.lower_bound == 1.0 and turns[0].lower_bound < 1.0):
            turns = [self._with_proof(best), *turns][:3]
        first = turns[0]
        ends_in = (first.turns_to_end + 1) // 2
        wins = ends_in if first.is_proved and first.lower_bound == 1.0 else 0
        loses = ends_in if first.is_proved and first.upper_bound == 0.0 else 0
        shown = tuple(turns) if first.visits or first.is_proved else ()
        return Analysis(
            self.seat, sum(evaluation.visits for evaluation in ranked), first.mean_value, shown, wins, loses
        )

    def _with_proof(self, turn: MoveEvaluation) -> MoveEvaluation:
        """Return a turn with its proved value, if the proofs so far establish one.

        A turn whose value is already proved is returned unchanged. Otherwise, the proved value of its first move is
        used; for a turn of several moves, only a proved loss is, because the later moves could still spoil a better
        result. If this gives no value and the position is proved to be lost, the value is 0.
        """
        evaluation = self.proved.get(turn.move_texts[0])
        if (
            not turn.is_proved
            and evaluation is not None
            and evaluation.is_proved
            and (len(turn.move_texts) == 1 or evaluation.upper_bound == 0.0)
        ):
            return MoveEvaluation(
                turn.move_texts,
                turn.visits,
                evaluation.lower_bound,
                evaluation.lower_bound,
                evaluation.upper_bound,
                evaluation.turns_to_end,
            )
        if self.is_lost and not turn.is_proved:
            return MoveEvaluation(turn.move_texts, turn.visits, 0.0, 0.0, 0.0, 0)
        return turn


MAX_LOOKAHEAD_TURNS = 60
"""Maximum number of turns to look ahead for forced results."""


def rank_key(evaluation: MoveEvaluation) -> tuple[int, float, float]:
    """Return a sort key for moves: proved wins first, proved losses last, and all others in between.

    Wins are sorted by the number of turns to the end, fewest first, and losses by the same number, most first. All
    others, including proved draws, are sorted by visits, most first.
    """
    if evaluation.is_proved and evaluation.lower_bound == 1.0:
        return 0, evaluation.turns_to_end, -evaluation.visits
    if evaluation.is_proved and evaluation.upper_bound == 0.0:
        return 2, -evaluation.turns_to_end, -evaluation.visits
    return 1, -evaluation.visits, -evaluation.mean_value
