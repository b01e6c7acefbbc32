"""Playout settings: whether playouts run to the end, or are cut and judged by the score lead.

If the lead at half time predicts the winner, cutting playouts short is far better; if it does not, it is often far
worse. The correlation between lead and result is therefore measured in random matches. For the games of the catalogue,
``python -m tools.switches`` does this and writes ``switches.txt``; other games are measured when they are first
searched.

In some games, cutting helps even though the correlation is low. For two-player games, the command therefore also plays
matches between players that cut playouts and players that do not. Their result overrides the correlation.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from math import sqrt
from statistics import median
from typing import NamedTuple

from shibumi3d.rules.errors import RuleFailure
from shibumi3d.rules.marbles.basic import BasicGame
from shibumi3d.rules.marbles.engines import engine_of

MATCHES = 120
"""Number of random matches used for a measurement.

Leads are measured when all seats have had the same number of turns.
"""
LONGEST = 300
"""Number of turns after which a random match is abandoned."""
TELLING = 0.25
"""Minimum correlation between the lead at half time and the result for playouts to be cut."""
LEAST, MOST = 3, 8
"""Bounds for the number of turns after which playouts are cut.

The number is normally a quarter of a match.
"""
SOON = 4
"""An earlier cut that is also tried, in turns."""
FILE = "switches.txt"
KEPT = "switches"
"""Key of the settings in the cache of a game."""


class Switches(NamedTuple):
    """Playout settings of a game.

    ``cut`` is the number of turns after which a playout is judged by the lead; 0 means never. ``scale`` is the lead
    that corresponds to 1 in the logistic function that converts leads into results. A playout that is not cut counts as
    a draw after ``limit`` turns. ``telling`` is the correlation between lead and result. ``share`` is the share of
    points won by players that cut playouts against players that do not, or negative if no such matches were played.
    """

    cut: int = 0
    scale: float = 1.0
    limit: int = 400
    telling: float = 0.0
    share: float = -1.0

    def line(self, name: str) -> str:
        """Return the settings as a line of ``switches.txt``."""
        share = "-" if self.share < 0 else f"{self.share:.2f}"
        return f"{name} {self.cut} {self.scale:g} {self.limit} {self.telling:.2f} {share}"

    @property
    def cuts(self) -> tuple[int, ...]:
        """Numbers of turns after which playouts may be cut: a quarter of a match, or sooner."""
        usual = min(MOST, max(LEAST, self.limit // 16))
        return tuple(sorted({usual, min(usual, SOON)}))


def name_of(game: BasicGame, seats: int) -> str:
    """Return the name of a game in ``switches.txt``, made of id, size, variant and number of seats."""
    return f"{game.id}/{game.size}/{game.variant.replace(' ', '-') or '-'}/{seats}"


def read(line: str) -> tuple[str, Switches]:
    """Parse a line of ``switches.txt`` into the name of a game and its settings."""
    name, cut, scale, limit, telling, share = line.split()
    tried = -1.0 if share == "-" else float(share)
    return name, Switches(int(cut), float(scale), int(limit), float(telling), tried)


@cache
def written() -> dict[str, Switches]:
    """Return the settings stored in ``switches.txt``, by name of the game."""
    text = (files("shibumi3d.rules.marbles.thinking") / FILE).read_text(encoding="utf-8")
    return dict(map(read, text.splitlines()))


def switches(game: BasicGame, seats: int) -> Switches:
    """Return the playout settings of a game, measuring them if they are not stored."""
    found: Switches | None = game.kept.get((KEPT, seats)) or written().get(name_of(game, seats))
    if found is None:
        found = measured(game, seats)
    game.kept[KEPT, seats] = found
    return found


def use(game: BasicGame, seats: int, found: Switches) -> None:
    """Use these playout settings for a game from now on."""
    game.kept[KEPT, seats] = found


def measured(game: BasicGame, seats: int) -> Switches:
    """Measure the playout settings of a game in random matches.

    The result is the same on every machine.
    """
    facts = game.facts(seats)
    if seats < 2 or facts.solver or facts.series:
        return Switches()
    fast, engine = game.fast(seats, 9), engine_of(game.size)
    leads: list[float] = []
    shares: list[float] = []
    lengths: list[int] = []
    start = game.start(seats, 1)
    for number in range(MATCHES):
        fast.load(start, number)
        after: list[list[int]] = []
        try:
            while fast.result() is None and len(after) < LONGEST:
                if fast.machine.turn >= len(after):
                    after.append(engine.standings(fast.machine))
                fast.make(fast.sample())
        except RuleFailure:
            return Switches()
        lengths.append(len(after))
        result = fast.result()
        if result is None:
            continue
        if not number and not (facts.scored or any(map(any, after))):
            return Switches()
        won = [seat for seat in range(seats) if result.winners >> seat & 1] or list(range(seats))
        scores = after[len(after) // 2 // seats * seats]
        for seat in range(seats):
            leads.append(scores[seat] - max(score for other, score in enumerate(scores) if other != seat))
            shares.append(1 / len(won) if seat in won else 0.0)
    middle = round(median(lengths))
    telling = correlation(leads, shares)
    limit = max(40, 4 * middle)
    scale = sqrt(sum(lead * lead for lead in leads) / max(1, len(leads))) / 2 or 1.0
    found = Switches(0, round(scale, 3), limit, telling)
    return found if telling < TELLING else found._replace(cut=found.cuts[-1])


def correlation(a: list[float], b: list[float]) -> float:
    """Return Pearson's correlation coefficient, or 0 if either list is constant."""
    if len(a) < 2:
        return 0.0
    mean_a, mean_b = sum(a) / len(a), sum(b) / len(b)
    both = sum((x - mean_a) * (y - mean_b) for x, y in zip(a, b, strict=True))
    squares = sum((x - mean_a) ** 2 for x in a) * sum((y - mean_b) ** 2 for y in b)
    return both / sqrt(squares) if squares else 0.0
