"""Matches between computer players.

Each opening is played from every seat, so that no player has an advantage.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from math import sqrt
from random import Random
from typing import TYPE_CHECKING, Any

from shibumi3d.rules.game import Game
from shibumi3d.search.fought import Fought as Fought
from shibumi3d.search.players import TIMES, Budget, Player

if TYPE_CHECKING:
    from shibumi3d.rules.game import State

LONGEST = 2_000
"""Number of moves after which a match is abandoned."""


@dataclass(frozen=True, slots=True)
class Tally:
    """Totals of a series of matches.

    ``wins`` counts the matches that each player won, alone or with others; ``draws`` and ``unfinished`` count the rest.
    ``share`` is the first player's share of all points, with a draw divided equally among all players. ``interval`` is
    the 95 % confidence interval of this share; it takes into account that matches from the same opening are correlated.
    """

    games: int
    wins: tuple[int, ...]
    draws: int
    unfinished: int
    share: float
    interval: tuple[float, float]


def fight(
    game: Game,
    players: Sequence[Player],
    *,
    games: int,
    seed: int = 0,
    opening: int = 2,
    budget: Budget | None = None,
) -> Iterator[Fought]:
    """Play ``games`` matches, yielding each of them.

    An opening is a sequence of ``opening`` random turns. Each opening is played from every rotation of the seating
    order before the next opening is drawn.
    """
    for number in range(games):
        yield numbered(game, players, number, seed, opening, budget)


def numbered(
    game: Game, players: Sequence[Player], number: int, seed: int, opening: int, budget: Budget | None
) -> Fought:
    """Play match number ``number`` of the series that :func:`fight` plays."""
    seats = len(players)
    first = number % seats
    seated = [players[(seat + first) % seats] for seat in range(seats)]
    fought = match(game, seated, f"{seed}/{number // seats}", opening, budget)
    winners = None if fought.winners is None else tuple(sorted((w + first) % seats for w in fought.winners))
    scores = tuple(fought.scores[(place - first) % seats] for place in range(seats)) if fought.scores else ()
    return Fought(fought.moves, fought.turns, winners, scores, fought.reason)


def match(game: Game, seated: Sequence[Player], seed: str, opening: int, budget: Budget | None) -> Fought:
    """Play one match between players in the given seats.

    The winners in the result are given as seats. A position that occurs for the third time ends the match as a draw.
    """
    chance = Random(f"{seed}/opening")
    state, made = _opened(game, len(seated), chance, opening)
    recurs: Counter[Hashable] = Counter()
    past: list[State] = []
    number = chance.getrandbits(30)
    seated = [type(one)(one.level, one.seed * 1_000_003 + number) for one in seated]
    while state.to_move is not None and len(made) < LONGEST:
        if state.step == 0 and len(seated) > 1 and not game.facts(len(seated)).secrets:
            recurs[state.standing] += 1
            if recurs[state.standing] >= TIMES:
                state, _ = game.drawn(state)
                break
        seat = state.to_move
        view = game.view(state, seat)
        moves = [move.text for move in game.moves(state)]
        chosen = seated[seat].choose(game, view, budget, seat=seat, past=past, moves=moves)
        if state.step == 0:
            past.append(view)
        state, _ = game.apply(state, chosen.move)
        made.append(chosen.move)
    outcome = game.outcome(state)
    if outcome is None:
        return Fought(tuple(made), state.turn, None, ())
    return Fought(tuple(made), state.turn, outcome.winners, outcome.scores, outcome.reason)


def first_seed(seed: str) -> int:
    """Return the seed of the initial state of the match that :func:`match` plays with ``seed``."""
    return Random(f"{seed}/opening").getrandbits(30)


def _opened(game: Game, seats: int, chance: Random, turns: int) -> tuple[Any, list[str]]:
    """Return a state reached by ``turns`` random turns, and the moves made.

    If the match ends before that, try again with fewer turns.
    """
    seed = chance.getrandbits(30)
    while True:
        state = game.start(seats, seed)
        made: list[str] = []
        while state.to_move is not None and (state.turn < turns or state.step):
            move = chance.choice(game.moves(state))
            state, _ = game.apply(state, move)
            made.append(move.text)
        if state.to_move is not None:
            return state, made
        turns -= 1


def tally(fought: Sequence[Fought], seats: int) -> Tally:
    """Return the totals of matches, given in the order in which :func:`fight` yields them."""
    wins = [sum(one.winners is not None and place in one.winners for one in fought) for place in range(seats)]
    credit = credits_of(fought, seats)
    share = sum(credit) / len(credit) if credit else 0.0
    return Tally(
        len(fought),
        tuple(wins),
        sum(one.winners == () for one in fought),
        sum(one.winners is None for one in fought),
        share,
        _interval(credit, seats),
    )


def credits_of(fought: Sequence[Fought], seats: int) -> list[float]:
    """Return the first player's result in each match, from 0 to 1.

    A draw is divided equally among all players.
    """
    return [
        (1 / len(one.winners) if 0 in one.winners else 0.0) if one.winners else 1 / seats for one in fought
    ]


def _interval(credit: Sequence[float], seats: int) -> tuple[float, float]:
    """Return the 95 % Wilson score interval of the mean.

    Matches from the same opening are correlated and therefore treated as a cluster. The effective sample size is
    derived from the variance between openings.
    """
    rounds = [sum(credit[i : i + seats]) / seats for i in range(0, len(credit) - seats + 1, seats)]
    if not rounds:
        return 0.0, 1.0
    number = len(rounds)
    mean = sum(rounds) / number
    spread = sum((one - mean) ** 2 for one in rounds) / max(1, number - 1)
    tries = float(number)
    if 0 < mean < 1 and spread > 0:
        tries = max(tries, min(mean * (1 - mean) / spread, 4.0 * seats) * number)
    z = 1.96
    middle = (mean + z * z / (2 * tries)) / (1 + z * z / tries)
    reach = z * sqrt(mean * (1 - mean) / tries + z * z / (4 * tries * tries)) / (1 + z * z / tries)
    return max(0.0, middle - reach), min(1.0, middle + reach)
