"""``python -m tools.switches`` measures anew how a search plays out each game, and writes it down.

First it measures matches played at random. Then, in games for two whose seats see all, players that judge playouts
early, as soon as might be good and after a quarter of a match, play against one that never does. Each may play out
about as many turns, so the one with short playouts has more of them. Early is taken where such a player wins clearly,
and given up where none does so well as the one that never does. With names of games only those are measured, with
``--untried`` no matches are played.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

from shibumi3d.catalogue.catalogue import load
from shibumi3d.files import write
from shibumi3d.rules.marbles.basic import BasicGame
from shibumi3d.rules.marbles.thinking.switches import Switches, measured, name_of, use, written
from shibumi3d.search.arena import fight, tally
from shibumi3d.search.levels import Level
from shibumi3d.search.players import Choice, Player

MATCHES = 40
"""Matches of each pair of players."""
CLEARLY = 0.55
"""The share that is taken for better where the correlation does not speak for judging early; where it does, half of
all is enough."""
ITERATIONS = 100
"""Of a player that plays out to the end."""
MORE = 4
"""How many times as many another has at most."""


def line(game: Any, seats: int, tries: bool = True) -> str:
    """What is measured of a game, as a line; empty where its seats can't be compared."""
    found = measured(game, seats) if isinstance(game, BasicGame) else Switches()
    if not found.telling:
        return ""
    name = name_of(game, seats)
    if not tries or seats != 2 or game.facts(2).secrets:
        return found.line(name)
    shares = {cut: share(game, found._replace(cut=cut), found._replace(cut=0)) for cut in found.cuts}
    best = max(shares, key=lambda cut: shares[cut])
    enough = shares[best] >= (0.5 if found.cut else CLEARLY)
    return found._replace(cut=best if enough else 0, share=shares[best]).line(name)


def share(game: Any, one: Switches, other: Switches) -> float:
    """The share of a player with some switches against one with others."""
    players = [playing(one, 1), playing(other, 2)]
    return tally(list(fight(game, players, games=MATCHES, seed=1)), 2).share


def playing(switches: Switches, seed: int) -> Player:
    """A player that thinks by the tree alone, and plays games out in a certain way."""

    class Switched(Player):
        def choose(self, game: Any, *args: Any, **others: Any) -> Choice:
            use(game, 2, switches)
            return super().choose(game, *args, **others)

    more = 1.0
    if switches.cut:
        # Half of a match lies ahead on average, and a match takes a quarter of the limit.
        more = min(MORE, max(1.0, switches.limit / 8 / switches.cut))
    return Switched(Level(0, "tree", "", round(ITERATIONS * more)), seed)


def main(argv: Sequence[str] | None = None) -> None:
    """Measure, and write the file."""
    parser = argparse.ArgumentParser(prog="python -m tools.switches", description=__doc__)
    parser.add_argument("game", nargs="*", help="games (default: all)")
    parser.add_argument("--untried", action="store_true", help="play no matches between players")
    args = parser.parse_args(argv)
    path = Path(str(files("shibumi3d.rules.marbles.thinking") / "switches.txt"))
    catalogue = load()
    found = {name: told.line(name) for name, told in written().items()} if args.game else {}
    for entry in [catalogue.get(name) for name in args.game] or catalogue:
        game = entry.game()
        least, most = entry.players
        for seats in range(max(2, least), most + 1):
            told = line(game, seats, not args.untried)
            if told:
                print(told, flush=True)
                found[told.split()[0]] = told
                lines = [found[name] for name in sorted(found)]
                write(path, "\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
