"""Candidate positions for problems, taken from matches, and the problems found in them."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field, fields
from random import Random
from typing import TYPE_CHECKING, Any, Literal, cast

from shibumi3d.rules.errors import RuleFailure
from shibumi3d.rules.game import Game, match_state_key
from shibumi3d.search.players import Budget, Player, player

if TYPE_CHECKING:
    from shibumi3d.rules.game import State


Turn = tuple[str, ...]
MAX_TURNS = 300
"""Maximum number of possible turns in a position; positions with more are skipped."""
TURNS_BEFORE_END = (1, 24)
"""Range of positions to examine, in turns before the end of a match."""
PLAYER_SIMULATIONS = 60
"""Number of simulations for each move of the computer players."""


@dataclass(frozen=True, slots=True)
class Requirements:
    """Requirements for a problem.

    ``min_choices`` is the minimum number of different turns, ``min_surviving`` the minimum number of wrong turns that
    do not lose immediately, and ``max_length`` the maximum length of a winning line, counting the turns of both
    players.
    """

    min_choices: int = 6
    min_surviving: int = 2
    max_length: int = 9


DEFAULT_REQUIREMENTS = Requirements()
LOWER_REQUIREMENTS = Requirements(4, 0, 19)
"""Lower requirements, for games with few problems.

In these games, there is little choice in the last turns, and it takes many turns to win.
"""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A candidate position, in which ``seat`` is about to begin a turn.

    It was reached in a match by the turns in ``moves``. ``seed`` is the seed of the match, or 0 in games without
    chance.
    """

    game: Game
    state: State
    moves: tuple[Turn, ...]
    previous_state: State | None = None
    """State at the start of the previous turn; None at the start of the match."""
    seed: int = 0
    requirements: Requirements = DEFAULT_REQUIREMENTS

    @property
    def seat(self) -> int:
        """The seat that has to find the solution."""
        return cast("int", self.state.to_move)  # the match is not over


def state_after(game: Game, state: State, turn: Sequence[str]) -> State:
    """Return the state after the moves of ``turn`` are made in ``state``."""
    for move in turn:
        state, _ = game.apply(state, move)
    return state


def possible_turns(game: Game, state: State, max_turns: int = MAX_TURNS) -> list[tuple[Turn, State]]:
    """Return every turn that can be played from a state, with the state after it.

    If several turns lead to the same state, only one of them is returned. The list is empty if there are more than
    ``max_turns`` turns, or if more than ``10 * max_turns`` sequences of moves are waiting to be examined.
    """
    first_turn, seat = state.turn, state.to_move
    result: list[tuple[Turn, State]] = []
    seen_keys: set[Hashable] = set()
    ways: list[tuple[Turn, State]] = [((), state)]
    while ways:
        turn, current_state = ways.pop()
        if turn and (
            current_state.result is not None
            or current_state.turn != first_turn
            or current_state.to_move != seat
        ):
            result.append((turn, current_state))
            if len(result) > max_turns:
                return []
            continue
        for move in reversed(game.moves(current_state)):
            next_state, _ = game.apply(current_state, move)
            if match_state_key(next_state) not in seen_keys:
                seen_keys.add(match_state_key(next_state))
                ways.append(((*turn, move.text), next_state))
        if len(ways) > 10 * max_turns:
            return []
    return result


def generate_matches(
    game: Game, seed: int, seats: int | None = None
) -> Iterator[tuple[list[State], list[Turn], int]]:
    """Yield an endless series of matches, numbered from ``seed``.

    Each match is given as its states, its turns and its seed. The states are those at the start of the match and after
    each turn. If the game has chance, the seed is the number of the match; otherwise, it is 0. One match in three is
    played by computer players of different strengths; in the others, all moves are random. A match is abandoned if it
    is too long or if its rules fail. It is then given as two empty lists and its number.
    """
    number = seed
    while True:
        chance = Random(f"problems {number}")
        players = [player("random", number), player("random", number)]
        if number % 3 == 1:
            players = [player("pebble", number), player("stone", number)]
            chance.shuffle(players)
        try:
            states, turns = play_match(
                game, players, chance, number if game.facts(seats).has_chance else 0, seats
            )
        except RuleFailure:
            states, turns = [], []
        if not states or states[-1].result is None:
            yield [], [], number  # abandoned matches too, so that the caller can check its time limit
        else:
            yield states, turns, number if game.facts(seats).has_chance else 0
        number += 1


def play_match(
    game: Game, players: Sequence[Player], chance: Random, seed: int, seats: int | None = None
) -> tuple[list[State], list[Turn]]:
    """Play a match; return its states and its turns.

    The states are those at the start of the match and after each turn. ``players`` contains a player for the even seats
    and one for the odd seats. The first two turns are always random; if ``players[0]`` plays at random, all turns are
    random. ``chance`` chooses the random moves, and ``seed`` is the seed of the match. A match is left unfinished after
    120 turns.
    """
    state = game.start(seats, seed)
    states: list[State] = [state]
    turns: list[Turn] = []
    turn: Turn = ()
    while state.result is None and len(turns) < 120:
        seat = state.to_move
        assert seat is not None
        moves = game.moves(state)
        if players[0].level is None or len(turns) < 2:
            text = chance.choice(moves).text
        else:
            budget = Budget(iterations=PLAYER_SIMULATIONS)
            view = game.observe(state, seat)
            text = players[seat % 2].choose(game, view, budget, seat=seat, moves=[m.text for m in moves]).move
        before = state.turn
        state, _ = game.apply(state, text)
        turn = (*turn, text)
        if state.turn != before or state.result is not None:
            states.append(state)
            turns.append(turn)
            turn = ()
    return states, turns


def generate_candidates(game: Game, seed: int, seats: int | None = None) -> Iterator[list[Candidate]]:
    """Yield the candidate positions of an endless series of matches, one list per match.

    In each list, the latest position comes first. A list can be empty, for example if the match was abandoned.
    """
    for states, turns, seeded in generate_matches(game, seed, seats):
        found = []
        for back in range(TURNS_BEFORE_END[0], min(TURNS_BEFORE_END[1], len(turns)) + 1):
            index = len(turns) - back
            before = states[index - 1] if index else None
            if states[index].step == 0 and states[index].phase >= 0:
                found.append(Candidate(game, states[index], tuple(turns[:index]), before, seeded))
        yield found


@dataclass(frozen=True, slots=True)
class FoundProblem:
    """A newly found problem.

    ``candidate`` is the position from which the problem starts. The other fields are explained in the module
    :mod:`shibumi3d.catalogue.problems`.
    """

    kind: Literal["win", "hold", "once"]
    candidate: Candidate = field(repr=False)
    n: int
    line: tuple[Turn, ...]
    also: tuple[Turn, ...] = ()
    wrong: tuple[tuple[Turn, Turn], ...] = ()
    surprise: int = 0
    themes: tuple[str, ...] = ()
    rating: int = 0
    work: int = 0
    slip: bool = False
    """Whether the previous turn was a proved mistake."""

    @property
    def solution(self) -> Turn:
        """The solution, which is the first turn of ``line``.

        Equivalent solutions are in the field ``also``.
        """
        return self.line[0]

    def to_row(self) -> dict[str, Any]:
        """Return the problem as JSON data, with the moves and the seed of its candidate."""
        own = {field.name: getattr(self, field.name) for field in fields(self) if field.name != "candidate"}
        return {"moves": self.candidate.moves, "seed": self.candidate.seed, **own}


def difficulty(finding: FoundProblem) -> str:
    """Return the difficulty of a problem: "easy", "middling" or "hard"."""
    if finding.n >= 4 or finding.surprise >= 1_000:
        return "hard"
    return "easy" if finding.n <= 2 and finding.surprise <= 100 else "middling"
