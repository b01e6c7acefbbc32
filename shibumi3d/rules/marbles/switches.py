"""How a tree search plays a game out: to the end, or only some turns and then judged by the lead in score.

Where the lead at half time says who wins, judging early is far better; where it does not, far worse. So it is measured
on matches played at random: for the games of the catalogue by a command that writes ``switches.txt``, for others when
they are first searched.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from math import sqrt
from statistics import median
from typing import TYPE_CHECKING, NamedTuple

from shibumi3d.rules.errors import RuleFailure
from shibumi3d.rules.marbles.engines import engine_of

if TYPE_CHECKING:
    from shibumi3d.rules.marbles.game import RuleGame

MATCHES = 120
"""Matches played at random to find out. Leads are taken when all have had as many turns."""
LONGEST = 300
"""Turns after which such a match is left."""
TELLING = 0.25
"""The least correlation of the lead at half time with the result at which playouts are cut."""
LEAST, MOST = 3, 8
"""Turns after which they are cut: a quarter of a match, but no fewer and no more than these."""
FILE = "switches.txt"


class Switches(NamedTuple):
    """``cut``: turns after which a playout is judged by the lead, 0 for never; ``scale``: the lead that counts as
    much; ``limit``: turns after which a playout that is not cut counts as a draw; ``telling``: the correlation."""

    cut: int = 0
    scale: float = 1.0
    limit: int = 400
    telling: float = 0.0

    def line(self, name: str) -> str:
        """As a line of the file."""
        return f"{name} {self.cut} {self.scale:g} {self.limit} {self.telling:.2f}"


def name_of(game: RuleGame, seats: int) -> str:
    """What a game in one form is called in the file."""
    return f"{game.id}/{game.size}/{game.variant.replace(' ', '-') or '-'}/{seats}"


@cache
def written() -> dict[str, Switches]:
    """What the file says."""
    found = {}
    for line in (files("shibumi3d.rules.marbles") / FILE).read_text(encoding="utf-8").splitlines():
        name, cut, scale, limit, telling = line.split()
        found[name] = Switches(int(cut), float(scale), int(limit), float(telling))
    return found


def switches(game: RuleGame, seats: int) -> Switches:
    """How playouts of a game go, read or measured when first asked for."""
    if seats not in game._switches:
        known = written().get(name_of(game, seats))
        game._switches[seats] = known if known is not None else measured(game, seats)
    return game._switches[seats]


def measured(game: RuleGame, seats: int) -> Switches:
    """How playouts of a game should go, found by playing at random: the same on every machine."""
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
    if telling < TELLING:
        return Switches(limit=limit, telling=telling)
    scale = sqrt(sum(lead * lead for lead in leads) / len(leads)) / 2
    return Switches(min(MOST, max(LEAST, middle // 4)), round(scale, 3), limit, telling)


def correlation(a: list[float], b: list[float]) -> float:
    """Pearson's correlation; 0 where one of the two never changes."""
    if len(a) < 2:
        return 0.0
    mean_a, mean_b = sum(a) / len(a), sum(b) / len(b)
    both = sum((x - mean_a) * (y - mean_b) for x, y in zip(a, b, strict=True))
    squares = sum((x - mean_a) ** 2 for x in a) * sum((y - mean_b) ** 2 for y in b)
    return both / sqrt(squares) if squares else 0.0
