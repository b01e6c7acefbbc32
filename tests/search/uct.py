"""Play the strongest level against plain UCT with the same CPU time: ``python -m tests.search.uct``.

Plain UCT uses the same kind of tree, but it doesn't try to prove wins and losses, doesn't use learned weights, and
plays every playout to the end. Every opening of two random turns is played from both seats.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from random import Random
from time import process_time
from typing import Any, ClassVar

from shibumi3d.catalogue.catalogue import load_catalogue
from shibumi3d.rules.marbles.engines import get_engine
from shibumi3d.rules.marbles.search.playout_settings import get_playout_settings
from shibumi3d.search.arena import play_series, sum_up
from shibumi3d.search.levels import find_level
from shibumi3d.search.players import Analysis, Budget, Choice, Player
from tools.strengths import format_cell

GAMES = ("spargo", "sprite", "speq", "spillway", "spodd", "span")
SLICE = 4
"""Iterations between two readings of the clock."""


class Timed(Player):
    """Player that records its CPU time and number of choices."""

    totals: ClassVar[dict[str, list[float]]] = {}
    """CPU seconds and number of choices, by player name."""

    def choose(self, *args: Any, **others: Any) -> Choice:
        started_at = process_time()
        chosen = self.choose_untimed(*args, **others)
        total = self.totals.setdefault(self.name, [0.0, 0.0])
        total[0] += process_time() - started_at
        total[1] += 1
        return chosen

    def choose_untimed(self, *args: Any, **others: Any) -> Choice:
        """Choose a move; :meth:`choose` records the time that this takes."""
        return super().choose(*args, **others)


class Plain(Timed):
    """Player that uses plain UCT, the basic form of Monte Carlo tree search.

    It doesn't try to prove wins and losses, doesn't use learned weights, and never estimates the result of an
    unfinished playout from the scores. A playout is stopped only if it reaches the maximum number of turns in the
    game's playout settings; it then counts as a draw.
    """

    name = "plain UCT"

    def choose_untimed(self, game: Any, view: Any, budget: Budget, *, seat: int, **others: Any) -> Choice:
        """Search until the CPU time of ``budget`` is used up, and return the most visited choice."""
        until = process_time() + (budget.seconds or 0.0)
        facts = game.facts(view.seats)
        fast = game.make_fast_game(view.seats, Random(f"{self.seed}/{view.turn}/{view.step}").getrandbits(30))
        fast.load(view)
        limit = get_playout_settings(game, view.seats).max_playout_turns
        tree = get_engine(game.size).SearchTree(
            fast.machine, False, False, 0, 1.0, limit, facts.positions_may_repeat
        )
        tree.can_prove = False
        tree.run(SLICE)
        while process_time() < until:
            tree.run(SLICE)
        code, visits, mean, *_ = tree.choice_statistics(seat)[0]
        return Choice(game.decode_move(view, code).text, Analysis(seat, visits, mean))


def compare_players(game: Any, number: int, seconds: float, seed: int, tell: Callable[[str], None]) -> None:
    """Play ``number`` matches between level 5 and plain UCT, and pass a line with the results to ``tell``.

    ``seconds`` is the CPU time allowed for each choice. For each player, the line also shows the mean CPU time per
    choice.
    """
    Timed.totals.clear()
    strong, plain = Timed(find_level(5), seed), Plain(find_level(5), seed + 1)
    found = sum_up(
        list(
            play_series(
                game,
                [strong, plain],
                match_count=number,
                seed=seed,
                budget=Budget(None, seconds, process_time),
            )
        ),
        2,
    )
    used = ", ".join(
        f"{name} {spent / most * 1000:.0f} ms a choice" for name, (spent, most) in Timed.totals.items()
    )
    tell(f"{game.title:<12}{format_cell(found)}  {used}")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.search.uct", description=__doc__)
    parser.add_argument("game", nargs="*", help=f"games (default: {', '.join(GAMES)})")
    parser.add_argument("--games", type=int, default=200, metavar="N", help="matches of each (default 200)")
    parser.add_argument("--seconds", type=float, default=0.02, help="of CPU a choice (default 0.02)")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    for name in args.game or GAMES:
        compare_players(
            load_catalogue().get(name).game(),
            args.games,
            args.seconds,
            args.seed,
            lambda line: print(line, flush=True),
        )


if __name__ == "__main__":
    main()
