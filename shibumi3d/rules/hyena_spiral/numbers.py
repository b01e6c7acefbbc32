"""Parameters of Hyena Spiral, read from ``table:`` in a game file."""

from __future__ import annotations

from dataclasses import dataclass

from shibumi3d.i18n import Plural
from shibumi3d.rules.plain import entry
from shibumi3d.rules.reading import TableReader
from shibumi3d.rules.source import Item, Problem

CHIPS = 3
"""Number of chips in a throw; each shows white or black."""
MOST = 200
"""Maximum number of steps, tabas or points in a game file."""
TABLE_KEYS = ("throw", "taba", "buy", "fees", "hyena", "points", "exact")
MOST_FEES = 4
CHOICES = {"length": (2, MOST), "rounds": (1, 100)}
"""Options that a game file may offer before a match, with their minimum and maximum values."""


@dataclass(frozen=True, slots=True)
class Numbers:
    """Parameters of the game: throws, prices, fees and points.

    ``steps`` and ``tabas`` say how far a villager walks after a throw and how many tabas she takes. Both are indexed by
    the number of white faces. If both values are positive, the player chooses between them. ``price`` tabas buy
    ``bought`` steps. ``fees`` are paid at the well, one per turn. The hyena's steps, tabas and prices are multiplied by
    ``times``, and its only fee at the well is ``hyena_fee``. A villager who comes home scores ``home`` points; a hyena
    that lets nobody come home scores ``alone``. If ``exact`` is set, the well must be reached by exact count.
    """

    steps: tuple[int, ...] = (12, 0, 4, 6)
    tabas: tuple[int, ...] = (1, 1, 0, 0)
    price: int = 2
    bought: int = 12
    fees: tuple[int, ...] = (2, 2)
    times: int = 2
    hyena_fee: int = 10
    home: int = 1
    alone: int = 2
    exact: bool = False

    @property
    def least(self) -> int:
        """Smallest number of steps that a throw can give a villager."""
        return min(steps for steps in self.steps if steps)


def read(rules: Item, problems: list[Problem]) -> Numbers:
    """Return the parameters under ``table:``, with defaults for missing ones.

    Any errors are appended to ``problems``.
    """
    usual = Numbers()
    table = TableReader(entry(rules, "table"), "table", TABLE_KEYS, problems)
    before = len(problems)
    thrown = dict(enumerate(usual.steps))
    steps = table.by_number("throw", (0, CHIPS), (1, MOST), {w: n for w, n in thrown.items() if n})
    tabas = table.wholes("taba", 0, CHIPS, [w for w, n in enumerate(usual.tabas) if n])
    nothing = [whites for whites in range(CHIPS + 1) if whites not in steps and whites not in tabas]
    if nothing and len(problems) == before:
        place = table.items.get("throw", rules).mark
        problems.append(
            Problem(
                place,
                Plural(
                    "throw: no steps for {n} white face; add them here, or list {n} under taba",
                    "throw: no steps for {n} white faces; add them here, or list {n} under taba",
                ),
                n=nothing[0],
            )
        )
    buy = table.table("buy", ("pay", "steps"))
    hyena = table.table("hyena", ("times", "fee"))
    points = table.table("points", ("home", "hyena"))
    fees = table.wholes("fees", 1, MOST, usual.fees)
    if not 1 <= len(fees) <= MOST_FEES:
        table.wrong("fees", "1 to {most} numbers", most=MOST_FEES)
    return Numbers(
        steps=tuple(steps.get(whites, 0) for whites in range(CHIPS + 1)),
        tabas=tuple(int(whites in tabas) for whites in range(CHIPS + 1)),
        price=buy.whole("pay", 1, MOST, usual.price),
        bought=buy.whole("steps", 1, MOST, usual.bought),
        fees=fees,
        times=hyena.whole("times", 1, 10, usual.times),
        hyena_fee=hyena.whole("fee", 1, MOST, usual.hyena_fee),
        home=points.whole("home", 1, MOST, usual.home),
        alone=points.whole("hyena", 1, MOST, usual.alone),
        exact=table.flag("exact"),
    )
