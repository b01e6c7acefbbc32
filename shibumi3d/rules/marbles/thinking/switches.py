"""How a tree search plays a game out: to the end, or only some turns and then judged by the lead in score.

Where the lead at half time says who wins, judging early is far better; where it does not, often far worse. So it is
measured on matches played at random: for the games of the catalogue by a command that writes ``switches.txt``, for
others when they are first searched. In some games it is better all the same: for those for two the command also lets
players with and without it play, and what they say goes before the correlation.
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
"""Matches played at random to find out. Leads are taken when all have had as many turns."""
LONGEST = 300
"""Turns after which such a match is left."""
TELLING = 0.25
"""The least correlation of the lead at half time with the result at which playouts are cut."""
LEAST, MOST = 3, 8
"""Turns after which they are cut: a quarter of a match, but no fewer and no more than these."""
SOON = 4
"""Or after so many, which is tried as well."""
FILE = "switches.txt"
KEPT = "switches"
"""As what they are kept with a game."""


class Switches(NamedTuple):
    """``cut``: turns after which a playout is judged by the lead, 0 for never; ``scale``: the lead that counts as
    much; ``limit``: turns after which a playout that is not cut counts as a draw; ``telling``: the correlation;
    ``share``: of who judges early in matches against who does not, negative where none were played."""

    cut: int = 0
    scale: float = 1.0
    limit: int = 400
    telling: float = 0.0
    share: float = -1.0

    def line(self, name: str) -> str:
        """Return the switches as a line of the file."""
        share = "-" if self.share < 0 else f"{self.share:.2f}"
        return f"{name} {self.cut} {self.scale:g} {self.limit} {self.telling:.2f} {share}"

    @property
    def cuts(self) -> tuple[int, ...]:
        """After how many turns playouts might be cut, if they are: a quarter of a match, or sooner."""
        usual = min(MOST, max(LEAST, self.limit // 16))
        return tuple(sorted({usual, min(usual, SOON)}))


def name_of(game: BasicGame, seats: int) -> str:
    """Return what a game in one form is called in the file."""
    return f"{game.id}/{game.size}/{game.variant.replace(' ', '-') or '-'}/{seats}"


def read(line: str) -> tuple[str, Switches]:
    """Return what a line of the file says: what the game is called, and its switches."""
    name, cut, scale, limit, telling, share = line.split()
    tried = -1.0 if share == "-" else float(share)
    return name, Switches(int(cut), float(scale), int(limit), float(telling), tried)


@cache
def written() -> dict[str, Switches]:
    """Return what the file says."""
    text = (files("shibumi3d.rules.marbles.thinking") / FILE).read_text(encoding="utf-8")
    return dict(map(read, text.splitlines()))


def switches(game: BasicGame, seats: int) -> Switches:
    """Return how playouts of a game go, read or measured when first asked for."""
    found: Switches | None = game.kept.get((KEPT, seats)) or written().get(name_of(game, seats))
    if found is None:
        found = measured(game, seats)
    game.kept[KEPT, seats] = found
    return found


def use(game: BasicGame, seats: int, found: Switches) -> None:
    """Play a game out so from now on."""
    game.kept[KEPT, seats] = found


def measured(game: BasicGame, seats: int) -> Switches:
    """Return how playouts of a game should go, found by playing at random: the same on every machine."""
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
    """Return Pearson's correlation, from -1 to 1; 0 where one of the two never changes."""
    if len(a) < 2:
        return 0.0
    mean_a, mean_b = sum(a) / len(a), sum(b) / len(b)
    both = sum((x - mean_a) * (y - mean_b) for x, y in zip(a, b, strict=True))
    squares = sum((x - mean_a) ** 2 for x in a) * sum((y - mean_b) ** 2 for y in b)
    return both / sqrt(squares) if squares else 0.0
