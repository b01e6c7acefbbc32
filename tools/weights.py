"""``python -m tools.weights GAME …`` lets games learn, and keeps what makes the strongest player stronger.

A game for two plays against itself. Then the sky with what was learned plays against the sky without, with the same CPU
time a choice and every opening from both seats: judging by the weights alone, and half by them and half by playouts.
The better way is kept where it takes surely more than half of all, in other matches than those that chose it; else
the game keeps no weights. Compile the engine first.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from time import process_time
from typing import Any

from shibumi3d.catalogue.catalogue import load
from shibumi3d.files import write
from shibumi3d.rules.marbles.thinking import search
from shibumi3d.rules.marbles.thinking.knowledge import MATCHES, learned, unfit
from shibumi3d.rules.marbles.thinking.weights import Knowledge, file_of, use_weights, written_out
from shibumi3d.sayings import Saying
from shibumi3d.search import players
from shibumi3d.search.arena import Tally, fight, tally
from shibumi3d.search.levels import LEVELS
from shibumi3d.search.players import Budget, Player
from tools.strengths import cell

WAYS = ((1.0, 0.4), (0.5, 0.7))
"""Parts of a judgement that are the weights', and how much is tried then that is little known."""
TRIED = 24
"""Matches that choose between them."""
HALF = 0.5
"""What the lower bound of the share must reach."""


def share(game: Any, known: Knowledge, games: int, seconds: float, seed: int) -> Tally:
    """How the sky with some weights does against the sky without any."""
    use_weights(game, 2, known)
    sky = LEVELS[-1]
    pair = [Player(sky, seed), Player(replace(sky, knows=0.0), seed + 1)]
    return tally(list(fight(game, pair, games=games, seed=seed, budget=Budget(None, seconds))), 2)


def taught(game: Any, games: int, seconds: float, matches: int) -> tuple[str, str]:
    """What is to be told of a game, and the text of its file: empty where it keeps no weights."""
    reason = unfit(game, 2)
    if reason:
        return str(Saying(reason)), ""
    begun = process_time()
    numbers = learned(game, 2, matches)
    spent = process_time() - begun
    tried = [Knowledge(numbers, *way) for way in WAYS]
    best = max(tried, key=lambda one: share(game, one, TRIED, seconds, 1).share)
    found = share(game, best, games, seconds, 2)
    told = f"{cell(found)}, trust {best.trust:g}, learned in {spent:.0f} s"
    if found.interval[0] < HALF:
        return f"{told}: not surely better, so it keeps no weights", ""
    return told, written_out(game, 2, best)


def main(argv: Sequence[str] | None = None) -> None:
    """Learn, try, and write or take away the files."""
    parser = argparse.ArgumentParser(prog="python -m tools.weights", description=__doc__)
    parser.add_argument("game", nargs="+", help="games for two")
    parser.add_argument("--games", type=int, default=120, metavar="N", help="matches of each (default 120)")
    parser.add_argument("--seconds", type=float, default=0.03, help="of CPU a choice (default 0.03)")
    parser.add_argument("--matches", type=int, default=MATCHES, help=f"to learn from (default {MATCHES})")
    args = parser.parse_args(argv)
    for module in (players, search):
        vars(module)["monotonic"] = process_time  # a busy machine must not take time from either
    folder = Path(str(files("shibumi3d.rules.marbles.thinking") / "weights"))
    for name in args.game:
        game: Any = load().get(name).game()
        told, text = taught(game, args.games, args.seconds, args.matches)
        print(f"{game.title}: {told}", flush=True)
        path = folder / file_of(game, 2)
        if text:
            write(path, text)
        else:
            path.unlink(missing_ok=True)


if __name__ == "__main__":
    main()
