"""Matches between computer players in every marble game, checked choice by choice.

``python -m tests.search.matches`` plays each game with the fewest and with the most players: 20 matches against random
players and 20 between equal players. The tests play fewer.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from random import Random
from time import process_time
from typing import Any

from shibumi3d.catalogue.catalogue import load_catalogue
from shibumi3d.search.arena import MAX_MOVES
from shibumi3d.search.players import DRAW_REPETITIONS, Budget, Player, player

STRENGTHS = ("stone", "river", "pebble", "mountain", "sky")
LOOKS = 5
"""Interval, in choices, between checks that hidden information doesn't affect the choice."""


class Failed(AssertionError):
    """Raised if one of the checks during a match fails."""


@dataclass(frozen=True, slots=True)
class MatchStatistics:
    """Statistics of a match.

    ``choices`` is the number of choices made. ``compared`` is the number of those that were made a second time, after
    the information hidden from the seat had been redrawn at random, to check that it doesn't affect the choice.
    ``drawn`` is set after a threefold repetition, and ``given_up`` if the match was stopped at the limit of choices.
    """

    choices: int
    compared: int
    drawn: bool = False
    given_up: bool = False


def play_checked_match(game: Any, seated: list[Player], seed: int, budget: Budget) -> MatchStatistics:
    """Play a match, check the choices in it, and return its statistics.

    ``seated`` contains the players by seat. The match is stopped when it is drawn by repetition or reaches the limit of
    choices.

    Raise Failed if a choice is illegal, exceeds the budget or depends on hidden information, or if a determinization
    changes the seat's view. To check the last two conditions, every :data:`LOOKS`-th choice in games with secrets or
    chance is made again on a determinization. Also raise Failed if the match ends without a result, or if it reaches
    the limit in a game whose positions can't repeat.
    """
    seats = len(seated)
    chance = Random(seed)
    facts = game.facts(seats)
    hides = facts.has_secrets or facts.has_chance
    state = game.start(seats, seed)
    stood: Counter[Hashable] = Counter()
    past: list[Any] = []
    choices = compared = 0
    while state.to_move is not None:
        if choices == MAX_MOVES:
            if facts.positions_may_repeat:
                return MatchStatistics(choices, compared, given_up=True)
            raise Failed(f"not over after {MAX_MOVES} choices")
        if facts.positions_may_repeat and state.step == 0:
            stood[state.repetition_key] += 1
            if stood[state.repetition_key] >= DRAW_REPETITIONS:
                state, _ = game.drawn(state)
                return MatchStatistics(choices, compared, drawn=True)
        seat = state.to_move
        view = game.observe(state, seat)
        moves = [move.text for move in game.moves(state)]
        chosen = seated[seat].choose(game, view, budget, seat=seat, past_states=past, moves=moves)
        if chosen.move not in moves:
            raise Failed(f"{chosen.move} is not open at choice {choices}")
        if chosen.analysis.iterations > (budget.iterations or 0):
            raise Failed(f"{chosen.analysis.iterations} tries at choice {choices}")
        if hides and choices % LOOKS == seed % LOOKS:
            other = game.observe(game.determinize(view, seat, chance), seat)
            if other != view:
                raise Failed(f"what is dealt anew looks different at choice {choices}")
            if seated[seat].choose(game, other, budget, seat=seat, past_states=past, moves=moves) != chosen:
                raise Failed(f"what is hidden changes choice {choices}")
            compared += 1
        if state.step == 0 and facts.positions_may_repeat:
            past.append(view)
        state, _ = game.apply(state, chosen.move)
        choices += 1
    if game.outcome(state) is None:
        raise Failed("over without a result")
    return MatchStatistics(choices, compared)


def play_match_pairs(game: Any, seats: int, number: int, iterations: int) -> Iterator[MatchStatistics]:
    """Play ``number`` pairs of matches, and yield the statistics of each match.

    In the first match of a pair, one computer player sits among random players; in the second, computer players of the
    same level have all the seats. The level rotates from pair to pair, and so does the seat of the one computer player.
    ``iterations`` is the maximum number of simulations per choice. Raises Failed if a match fails a check.
    """
    budget = Budget(iterations=iterations)
    for seed in range(number):
        strength = STRENGTHS[seed % len(STRENGTHS)]
        against = [player("random", seat) for seat in range(seats)]
        against[seed % seats] = player(strength, seed)
        yield play_checked_match(game, against, seed, budget)
        yield play_checked_match(
            game, [player(strength, seed + seat) for seat in range(seats)], seed + 1000, budget
        )


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.search.matches", description=__doc__)
    parser.add_argument("game", nargs="*", help="games (default: all)")
    parser.add_argument("--games", type=int, default=20, metavar="N", help="pairs of matches (default 20)")
    parser.add_argument("--iterations", type=int, default=4, metavar="N", help="tries a choice (default 4)")
    args = parser.parse_args()
    wrong = 0
    for entry in load_catalogue():
        if entry.kind != "marbles" or (args.game and entry.id not in args.game):
            continue
        for seats in sorted({entry.players[0], entry.players[-1]}):
            started_at = process_time()
            note = ""
            found: list[MatchStatistics] = []
            try:
                for one in play_match_pairs(entry.game(), seats, args.games, args.iterations):
                    found.append(one)
            except Failed as failure:
                note, wrong = f"  {failure}", wrong + 1
            print(
                f"{entry.id:<20}{seats} seats {len(found):4} matches {sum(one.choices for one in found):7} choices "
                f"{sum(one.compared for one in found):6} compared {sum(one.drawn for one in found):3} drawn "
                f"{sum(one.given_up for one in found):3} given up "
                f"{process_time() - started_at:7.1f} s{note}",
                flush=True,
            )
    print("All is well." if not wrong else f"{wrong} went wrong.")
    raise SystemExit(bool(wrong))


if __name__ == "__main__":
    main()
