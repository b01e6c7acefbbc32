"""Matches between computer players, random matches, the totals of a series, and a sequential test (SPRT).

In a series, each opening is played from every seat, so that none of the players has an advantage.

The sequential test finds out whether the first player is stronger. Its null hypothesis is that this player gets its
expected share of the points, which is one half with two players. The alternative hypothesis is that the player gets an
additional tenth of all points, i.e. 60% with two players. Each hypothesis is wrongly accepted with a probability of
about 5%.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from math import log
from random import Random
from typing import TYPE_CHECKING

from shibumi3d.intervals import wilson_interval
from shibumi3d.rules.game import Game
from shibumi3d.search.players import DRAW_REPETITIONS, Budget, Player

if TYPE_CHECKING:
    from shibumi3d.rules.game import State


MAX_RANDOM_MOVES = 10_000
"""Number of moves after which a random match is abandoned, since some games can go on forever."""


@dataclass(frozen=True, slots=True)
class PlayedMatch:
    """A finished or abandoned match.

    ``winners`` is None if the match was abandoned, and empty for a draw, a lost solo game or a common loss. Otherwise,
    it contains the winning seats. ``scores`` contains the score of each seat; it is empty if the match was abandoned.
    In a series, where the players change seats, both fields refer to players instead of seats, by their index in the
    list of players. ``reason`` says why the match ended; it is empty if the match was abandoned.
    """

    moves: tuple[str, ...]
    turns: int
    winners: tuple[int, ...] | None
    scores: tuple[int, ...]
    reason: str = ""
    is_swapped: bool = False
    """Whether the second player swapped seats after the first turn."""


def play_randomly(game: Game, seats: int, rng: Random) -> PlayedMatch:
    """Play a match with random moves.

    ``rng`` chooses the moves and seeds the game's own random events. A match that isn't over after
    :data:`MAX_RANDOM_MOVES` moves is abandoned.
    """
    state = game.start(seats, rng.getrandbits(32))
    made: list[str] = []
    while game.outcome(state) is None and len(made) < MAX_RANDOM_MOVES:
        move = rng.choice(game.moves(state))
        state, _ = game.apply(state, move)
        made.append(move.text)
    outcome = game.outcome(state)
    if outcome is None:
        return PlayedMatch(tuple(made), state.turn, None, ())
    return PlayedMatch(tuple(made), state.turn, outcome.winners, outcome.scores, outcome.reason)


MAX_MOVES = 2_000
"""Number of moves after which a match between computer players is abandoned."""


@dataclass(frozen=True, slots=True)
class SeriesResult:
    """Totals of a series of matches.

    ``games`` is the number of matches. ``wins`` counts the matches that each player won, alone or with others.
    ``draws`` counts the finished matches without a winner, and ``unfinished`` the abandoned matches. ``share`` is the
    mean of the first player's scores, as returned by :func:`points_of_first`. ``interval`` is the 95% confidence
    interval of this share. It takes into account that matches from the same opening are correlated.
    """

    games: int
    wins: tuple[int, ...]
    draws: int
    unfinished: int
    share: float
    interval: tuple[float, float]


def play_series(
    game: Game,
    players: Sequence[Player],
    *,
    match_count: int,
    seed: int = 0,
    opening_turns: int = 2,
    budget: Budget | None = None,
) -> Iterator[PlayedMatch]:
    """Play ``match_count`` matches, yielding each of them.

    An opening is a sequence of ``opening_turns`` random turns. Each opening is repeated until every player has played
    it from every seat. Then the next opening is drawn.
    """
    for number in range(match_count):
        yield play_series_match(game, players, number, seed, opening_turns, budget)


def play_series_match(
    game: Game, players: Sequence[Player], index: int, seed: int, opening_turns: int, budget: Budget | None
) -> PlayedMatch:
    """Play match number ``index``, counted from 0, of the series that :func:`play_series` plays."""
    seats = len(players)
    first = index % seats
    seated = [players[(seat + first) % seats] for seat in range(seats)]
    fought = play_match(game, seated, f"{seed}/{index // seats}", opening_turns, budget)
    winners = None if fought.winners is None else tuple(sorted((w + first) % seats for w in fought.winners))
    scores = tuple(fought.scores[(place - first) % seats] for place in range(seats)) if fought.scores else ()
    return PlayedMatch(fought.moves, fought.turns, winners, scores, fought.reason)


def play_match(
    game: Game, players: Sequence[Player], seed: str, opening_turns: int, budget: Budget | None
) -> PlayedMatch:
    """Play one match; each player takes the seat at its index in ``players``.

    The match begins with ``opening_turns`` random turns, or with fewer if the match would end within them. The winners
    are given as seats. In a game with several seats and no secrets, positions are counted at the start of each turn
    after the opening; the match is drawn when one occurs for the third time. A match that isn't over after
    :data:`MAX_MOVES` moves is abandoned.
    """
    chance = Random(f"{seed}/opening")
    state, made = _play_opening(game, len(players), chance, opening_turns)
    return continue_match(game, players, state, made, chance.getrandbits(30), budget)


def continue_match(
    game: Game,
    players: Sequence[Player],
    state: State,
    moves: Sequence[str],
    seed: int,
    budget: Budget | None,
    *,
    has_swap_rule: bool = False,
) -> PlayedMatch:
    """Continue a match as :func:`play_match` does, from a state that was reached by ``moves``.

    ``seed`` varies the players' seeds. With ``has_swap_rule``, the second player swaps seats after the first turn if
    that player expects a result below one half. The winners are given as seats. The moves of the result include
    ``moves``. A match that isn't over after :data:`MAX_MOVES` moves is abandoned.
    """
    made = list(moves)
    is_swapped = False
    recurs: Counter[Hashable] = Counter()
    past: list[State] = []
    players = [player.with_seed(player.seed * 1_000_003 + seed) for player in players]
    while (seat := state.to_move) is not None and len(made) < MAX_MOVES:
        if state.step == 0 and len(players) > 1 and not game.facts(len(players)).has_secrets:
            recurs[state.repetition_key] += 1
            if recurs[state.repetition_key] >= DRAW_REPETITIONS:
                state, _ = game.agree_to_draw(state)
                break
        view = game.observe(state, seat)
        legal = [move.text for move in game.moves(state)]
        chosen = players[seat].choose(game, view, budget, seat=seat, past_states=past, moves=legal)
        may_swap = has_swap_rule and not is_swapped and (seat, state.turn, state.step) == (1, 1, 0)
        if may_swap and chosen.analysis.mean < 0.5:
            is_swapped, players = True, players[::-1]
            chosen = players[seat].choose(game, view, budget, seat=seat, past_states=past, moves=legal)
        if state.step == 0:
            past.append(view)
        state, _ = game.apply(state, chosen.move)
        made.append(chosen.move)
    outcome = game.outcome(state)
    if outcome is None:
        return PlayedMatch(tuple(made), state.turn, None, (), is_swapped=is_swapped)
    return PlayedMatch(tuple(made), state.turn, outcome.winners, outcome.scores, outcome.reason, is_swapped)


def initial_state_seed(seed: str) -> int:
    """Return the seed of the initial state that :func:`play_match` creates for ``seed``."""
    return Random(f"{seed}/opening").getrandbits(30)


def _play_opening(game: Game, seats: int, rng: Random, turns: int) -> tuple[State, list[str]]:
    """Return a state reached by ``turns`` random turns, and the moves made.

    If the match ends within these turns, try again with one turn fewer.
    """
    seed = rng.getrandbits(30)
    while True:
        state = game.start(seats, seed)
        made: list[str] = []
        while state.to_move is not None and (state.turn < turns or state.step):
            move = rng.choice(game.moves(state))
            state, _ = game.apply(state, move)
            made.append(move.text)
        if state.to_move is not None:
            return state, made
        turns -= 1


def sum_up(matches: Sequence[PlayedMatch], seats: int) -> SeriesResult:
    """Return the totals of a series of matches between ``seats`` players.

    The matches must be in the order in which :func:`play_series` yields them, because the confidence interval depends
    on which matches share an opening.
    """
    wins = [
        sum(match.winners is not None and place in match.winners for match in matches)
        for place in range(seats)
    ]
    credit = points_of_first(matches, seats)
    share = sum(credit) / len(credit) if credit else 0.0
    return SeriesResult(
        len(matches),
        tuple(wins),
        sum(match.winners == () for match in matches),
        sum(match.winners is None for match in matches),
        share,
        _clustered_interval(credit, seats),
    )


def points_of_first(matches: Sequence[PlayedMatch], seats: int) -> list[float]:
    """Return the first player's score in each match, from 0 to 1.

    A match is worth one point, which is split equally among the winners. If nobody won, or if the match was abandoned,
    the point is split among all players.
    """
    return [
        (1 / len(match.winners) if 0 in match.winners else 0.0) if match.winners else 1 / seats
        for match in matches
    ]


def _clustered_interval(points: Sequence[float], seats: int) -> tuple[float, float]:
    """Return the 95% Wilson score interval of the mean of the points.

    Matches from the same opening are correlated and therefore treated as a cluster. The effective sample size is
    derived from the variance between openings. The last opening is left out unless it was played from every seat. If no
    opening was played from every seat, return the interval from 0 to 1.
    """
    round_means = [sum(points[i : i + seats]) / seats for i in range(0, len(points) - seats + 1, seats)]
    if not round_means:
        return 0.0, 1.0
    rounds = len(round_means)
    mean = sum(round_means) / rounds
    variance = sum((round_mean - mean) ** 2 for round_mean in round_means) / max(1, rounds - 1)
    samples = float(rounds)
    if 0 < mean < 1 and variance > 0:
        samples = max(samples, min(mean * (1 - mean) / variance, 4.0 * seats) * rounds)
    return wilson_interval(mean, samples)


ADVANTAGE = 0.1
"""Share of the points that a stronger player gets in addition to its expected share."""
ERROR_RATE = 0.05
"""Error probability of the test, for both types of error."""
LLR_BOUND = log((1 - ERROR_RATE) / ERROR_RATE)
"""Absolute log-likelihood ratio at which one of the hypotheses is accepted."""


@dataclass(frozen=True, slots=True)
class SprtResult:
    """Result of a sequential probability ratio test.

    ``is_better`` says whether the first player is stronger; it is None while the test is undecided. ``llr`` is the
    log-likelihood ratio; it is positive if the matches favour the hypothesis that the first player is stronger.
    ``played`` is the number of matches used.
    """

    is_better: bool | None
    llr: float
    played: int


def run_sprt(points: Sequence[float], seats: int) -> SprtResult:
    """Run the sequential test of whether the first player is stronger.

    ``points`` are that player's results, from 0 to 1, in the order played. The test is evaluated only after complete
    rounds, in which the players have rotated through all seats, so that no player has an advantage. Matches after the
    decision are ignored.
    """
    usual = 1 / seats
    won, lost = log((usual + ADVANTAGE) / usual), log((1 - usual - ADVANTAGE) / (1 - usual))
    llr = 0.0
    for played, credit in enumerate(points, 1):
        llr += credit * won + (1 - credit) * lost
        if played % seats == 0 and abs(llr) >= LLR_BOUND:
            return SprtResult(llr > 0, llr, played)
    return SprtResult(None, llr, len(points))
