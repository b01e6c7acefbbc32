"""Measurement of the best playout settings for each game, stored in ``switches.txt``.

First, ``python -m tools.switches`` measures random matches. For two-player games with perfect information, it then
plays matches between a player that never cuts playouts and players that cut them, after a quarter of a match or sooner.
Players that cut playouts may run more of them, so that all play out about the same number of turns. Playouts of the
game will be cut if such a player wins at least half of the points or, if the lead at half time says little about the
result, at least 55%. If names of games are given, only these are measured; ``--untried`` skips the matches between
players.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

from shibumi3d.catalogue.catalogue import load_catalogue
from shibumi3d.files import write
from shibumi3d.rules.marbles.basic import BasicGame
from shibumi3d.rules.marbles.search.playout_settings import (
    PlayoutSettings,
    measure_playout_settings,
    set_playout_settings,
    settings_key,
    stored_settings,
)
from shibumi3d.search.arena import play_series, sum_up
from shibumi3d.search.levels import Level
from shibumi3d.search.players import Choice, Player

MATCHES = 40
"""Number of matches played to compare two players."""
MIN_SHARE_AGAINST_CORRELATION = 0.55
"""Minimum share of points for cutting playouts if the correlation suggests not cutting them.

If the correlation suggests cutting them, half of the points is enough.
"""
SIMULATIONS = 100
"""Number of simulations per move of a player that never cuts playouts."""
MAX_SIMULATION_FACTOR = 4
"""Maximum number of simulations per move of a player that cuts playouts, as a multiple of :data:`SIMULATIONS`."""


def line(game: Any, seats: int, tries: bool = True) -> str:
    """Measure a game with ``seats`` players and return its line for ``switches.txt``.

    The line is empty if ``game`` isn't a :class:`.BasicGame`, or if the correlation between the lead and the result is
    exactly 0 or can't be measured (see :func:`.measure_playout_settings`). If ``tries`` is true, there are two seats
    and the game has no secrets, the settings are also tested in matches between computer players.
    """
    settings = measure_playout_settings(game, seats) if isinstance(game, BasicGame) else PlayoutSettings()
    if not settings.lead_correlation:
        return ""
    name = settings_key(game, seats)
    if not tries or seats != 2 or game.facts(2).has_secrets:
        return settings.format_line(name)
    shares = {
        cut: share(game, settings._replace(playout_turns=cut), settings._replace(playout_turns=0))
        for cut in settings.candidate_playout_turns
    }
    best = max(shares, key=lambda cut: shares[cut])
    enough = shares[best] >= (0.5 if settings.playout_turns else MIN_SHARE_AGAINST_CORRELATION)
    return settings._replace(playout_turns=best if enough else 0, cut_players_share=shares[best]).format_line(
        name
    )


def share(game: Any, settings: PlayoutSettings, other_settings: PlayoutSettings) -> float:
    """Return the share of points that a player with ``settings`` wins against one with ``other_settings``."""
    players = [playing(settings, 1), playing(other_settings, 2)]
    return sum_up(list(play_series(game, players, match_count=MATCHES, seed=1)), 2).share


def playing(switches: PlayoutSettings, seed: int) -> Player:
    """Return a player that uses only the tree search, with the playout settings ``switches``.

    Playout settings are stored in the game object, which both players share. The player therefore sets its own again
    before each choice, for matches with two seats. If its playouts are cut early enough to save time, it runs more than
    :data:`SIMULATIONS` simulations, but at most :data:`MAX_SIMULATION_FACTOR` times that number.
    """

    class Switched(Player):
        def choose(self, game: Any, *args: Any, **others: Any) -> Choice:
            set_playout_settings(game, 2, switches)
            return super().choose(game, *args, **others)

    more = 1.0
    if switches.playout_turns:
        # On average, half of a match lies ahead, and a match takes a quarter of the limit.
        more = min(MAX_SIMULATION_FACTOR, max(1.0, switches.max_playout_turns / 8 / switches.playout_turns))
    return Switched(Level(0, "tree", "", round(SIMULATIONS * more)), seed)


def main(argv: Sequence[str] | None = None) -> None:
    """Determine the playout settings of the given games, or of all, and write them to ``switches.txt``.

    If games are given, the lines of other games are kept.
    """
    parser = argparse.ArgumentParser(prog="python -m tools.switches", description=__doc__)
    parser.add_argument("game", nargs="*", help="games (default: all)")
    parser.add_argument("--untried", action="store_true", help="don't play matches between players")
    args = parser.parse_args(argv)
    path = Path(str(files("shibumi3d.rules.marbles.search") / "switches.txt"))
    catalogue = load_catalogue()
    lines_by_name = (
        {name: settings.format_line(name) for name, settings in stored_settings().items()}
        if args.game
        else {}
    )
    for entry in [catalogue.get(name) for name in args.game] or catalogue:
        game = entry.game()
        min_players, max_players = entry.players
        for seats in range(max(2, min_players), max_players + 1):
            settings = line(game, seats, not args.untried)
            if settings:
                print(settings, flush=True)
                lines_by_name[settings.split()[0]] = settings
                lines = [lines_by_name[name] for name in sorted(lines_by_name)]
                write(path, "\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
