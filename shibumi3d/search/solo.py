"""Deals of solo games: proof of a win or of the best score, and measurement of their difficulty."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from shibumi3d.rules.errors import IllegalMove
from shibumi3d.rules.game import Game, State, match_state_key
from shibumi3d.search.players import player
from shibumi3d.search.solver import find_best_score, solve

PROOF_MOVES = 30_000
"""Maximum number of moves tried to prove a deal."""
ALTERNATIVE_MOVES = 1_000
"""Maximum number of moves tried to find out whether another move keeps the win."""
RANDOM_TRIES, TRIES = 20, 4
"""Numbers of tries: with random moves, and by each computer player."""
MEASURED_STRENGTHS = ("pebble", "stone", "river")
"""Computer players that try each deal, from weak to strong."""
MAX_RANDOM_SHARE = 60
"""Maximum percentage of wins by random play; a deal that it wins more often leaves nothing to think about."""
MIN_LINE_TURNS = 4
"""Minimum number of turns in the proved line of a deal."""
MAX_LEAD_TRIES = 20
"""Number of random moves tried in one position; if all of them would end the match, the lead-in is given up."""


@dataclass(frozen=True, slots=True)
class ProvedDeal:
    """Proof of a win or, in games played for a score, of the best score in a deal.

    ``line`` holds the moves to the win or to the best score. ``best`` is the best score; it is None unless the game is
    played for a score. ``work`` is the number of moves tried.
    """

    line: tuple[str, ...]
    best: int | None
    work: int


def prove_deal(game: Game, state: State, max_moves: int = PROOF_MOVES) -> ProvedDeal | None:
    """Return a proof that a deal can be won or, in games played for a score, a proof of its best score.

    Return None if no proof is found. At most ``max_moves`` moves are tried, or twice as many for a best score. The
    proof may use the order in which marbles will be drawn.
    """
    if game.facts(1).solver == "score":
        best = find_best_score(game, state, max_moves=2 * max_moves, known_chance=True)
        if best.score is None or not best.is_proved:
            return None
        return ProvedDeal(best.moves, best.score, best.moves_tried)
    solve_result = solve(game, state, max_moves=max_moves, known_chance=True)
    return (
        ProvedDeal(solve_result.moves, None, solve_result.moves_tried) if solve_result.is_winnable else None
    )


def keeps_win(
    game: Game,
    state: State,
    best: int | None,
    max_moves: int = ALTERNATIVE_MOVES,
    *,
    known_chance: bool = True,
) -> bool | None:
    """Return whether a win can still be achieved from ``state``, or None if this is unknown.

    If ``best`` is not None, a win must have at least this score. For ``max_moves`` and ``known_chance``, see
    :func:`.solve`.
    """
    return solve(game, state, max_moves=max_moves, known_chance=known_chance, target_score=best).is_winnable


def count_only_moves(game: Game, state: State, proved: ProvedDeal) -> int:
    """Return the number of turns in ``proved.line`` that contain an only move.

    A move is an only move if every other move is proved to lose, or to miss the best score. Moves that lead to the same
    position count as one. Turns without a choice don't count.
    """
    narrow_turns = set()
    for text in proved.line:
        if is_only_move(game, state, text, proved.best):
            narrow_turns.add(state.turn)
        state, _ = game.apply(state, text)
    return len(narrow_turns)


def positions_after(game: Game, state: State) -> dict[Hashable, State]:
    """Return the different states to which the legal moves lead, by their :func:`.match_state_key`.

    If several moves lead to states with the same key, only the state after the first of these moves is returned.
    """
    following = [game.apply(state, move)[0] for move in game.moves(state)]
    return {match_state_key(after): after for after in reversed(following)}


def is_only_move(
    game: Game,
    state: State,
    text: str,
    best: int | None,
    max_moves: int = ALTERNATIVE_MOVES,
    *,
    known_chance: bool = True,
) -> bool:
    """Return whether every move other than ``text`` is proved to lose, or to miss the score ``best``.

    If ``best`` is None, there is no score to miss. Moves that lead to the same position count as one. If there is no
    other move, return False. ``max_moves`` limits the moves tried for each proof. For ``known_chance``, see
    :func:`.solve`.
    """
    following, _ = game.apply(state, text)
    others = positions_after(game, state)
    others.pop(match_state_key(following), None)
    return bool(others) and all(
        keeps_win(game, after, best, max_moves, known_chance=known_chance) is False
        for after in others.values()
    )


def make_lead_in(
    game: Game, state: State, turn_count: int, rng: Random
) -> tuple[tuple[str, ...], ...] | None:
    """Return ``turn_count`` random turns, played in sequence from ``state`` without ending the match.

    Return None if, in one of the positions, :data:`MAX_LEAD_TRIES` randomly chosen moves would all end the match.
    """
    lead: list[tuple[str, ...]] = []
    while len(lead) < turn_count:
        turn: list[str] = []
        number = state.turn
        while state.turn == number:
            for _ in range(MAX_LEAD_TRIES):
                move = rng.choice(game.moves(state))
                following, _events = game.apply(state, move)
                if following.to_move is not None:
                    break
            else:
                return None
            state = following
            turn.append(move.text)
        lead.append(tuple(turn))
    return tuple(lead)


def play_to_end(game: Game, state: State, strength: str, seed: int) -> State:
    """Let a player of the given strength play a solo game to its end; return the state at the end."""
    chance = Random(f"{strength}/{seed}")
    player_of_deal = player(strength, chance.getrandbits(30))
    while state.to_move is not None:
        moves = [move.text for move in game.moves(state)]
        if strength == "random":
            text = chance.choice(moves)
        else:
            text = player_of_deal.choose(game, game.observe(state, 0), seat=0, moves=moves).move
        state, _ = game.apply(state, text)
    return state


def reaches_best_result(game: Game, state: State, best: int | None, strength: str, seed: int) -> bool:
    """Let a player of the given strength play a deal to its end; return whether it achieved the best result.

    The best result is the score ``best`` or, if ``best`` is None, a win.
    """
    result = play_to_end(game, state, strength, seed).result
    return result is not None and bool(result.winners) and (best is None or result.scores[0] >= best)


def measure_success_percentage(game: Game, state: State, best: int | None, strength: str) -> int:
    """Return the percentage of tries in which a player of the given strength achieves the best result.

    The best result is the score ``best`` or, if ``best`` is None, a win.
    """
    tries = RANDOM_TRIES if strength == "random" else TRIES
    return round(
        100 * sum(reaches_best_result(game, state, best, strength, seed) for seed in range(tries)) / tries
    )


def grade_deal(
    game: Game, state: State, best: int | None, wanted_levels: Sequence[int]
) -> tuple[int, Mapping[str, int]] | None:
    """Return a deal's level, from 1 to 5, and the percentage of successful tries for each strength.

    The strengths measured are "random" and those in :data:`MEASURED_STRENGTHS`. A try is successful if it achieves the
    best result: the score ``best`` or, if ``best`` is None, a win. The level is 1, 2 or 3 if the pebble, the stone or
    the river, respectively, is the weakest of the three to succeed in at least half of its tries. If none of them does,
    the level is 4 if the river succeeds in at least a quarter of its tries, and 5 if not.

    Return None as soon as it is clear that the level isn't in ``wanted_levels``, or if random play succeeds too often.
    """
    won = {"random": measure_success_percentage(game, state, best, "random")}
    if won["random"] > MAX_RANDOM_SHARE:
        return None
    level = 0
    for place, strength in enumerate(MEASURED_STRENGTHS, 1):
        won[strength] = share = measure_success_percentage(game, state, best, strength)
        if not level and strength == "river":
            level = 3 if share >= 50 else 4 if share >= 25 else 5
        elif not level and share >= 50:
            level = place
        if level not in wanted_levels if level else max(wanted_levels, default=0) <= place:
            return None
    return level, won


def find_deal_faults(
    game: Game, state: State, line: Sequence[str], best: int | None, max_moves: int = PROOF_MOVES
) -> list[str]:
    """Prove a deal again; return a list with the key of the first fault found, or [] if there is none.

    The keys are "moves" (the line can't be played), "line" (the line doesn't end in a win, or its score isn't
    ``best``), "best" (a score higher than ``best`` is possible) and "open" (the proof couldn't be completed within
    ``max_moves`` moves). ``best`` is None unless the game is played for a score.
    """
    end = state
    for text in line:
        try:
            end, _ = game.apply(end, text)
        except IllegalMove:
            return ["moves"]
    result = end.result
    if result is None or not result.winners or (best is not None and result.scores[0] != best):
        return ["line"]
    if best is None:
        return [] if solve(game, state, max_moves=max_moves, known_chance=True).is_winnable else ["open"]
    higher = keeps_win(game, state, best + 1, max_moves)
    return [] if higher is False else ["best"] if higher else ["open"]
