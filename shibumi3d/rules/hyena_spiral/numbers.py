"""The numbers of the table, read from the ``table:`` of a game file, with everything that is wrong with them."""

from __future__ import annotations

from dataclasses import dataclass

from shibumi3d.i18n import Plural
from shibumi3d.rules.plain import entry
from shibumi3d.rules.reading import TableReader
from shibumi3d.rules.source import Item, Problem

CHIPS = 3
"""Chips thrown at once; each shows white or black."""
MOST = 200
"""The greatest number of steps, tabas or points that a file may name."""
TABLE_KEYS = ("throw", "taba", "buy", "fees", "hyena", "points", "exact")
MOST_FEES = 4
CHOICES = {"length": (2, MOST), "rounds": (1, 100)}
"""What a file may leave to be chosen before a match, each from the least to the greatest."""


@dataclass(frozen=True, slots=True)
class Numbers:
    """What throws, prices and fees are.

    ``steps`` and ``tabas`` have an entry for each number of white faces from 0: how far a villager walks, and how many
    tabas she takes; where both are given she chooses. ``price`` buys ``bought`` steps. ``fees`` are paid one after
    another at the well. The hyena walks, takes and pays ``times`` as much, and pays ``hyena_fee`` once at the well.
    ``home`` are the points of a villager who comes home, ``alone`` those of a hyena who lets nobody home. ``exact``:
    the well is reached by the exact number only.
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
        """The fewest steps that a throw lets a villager walk."""
        return min(steps for steps in self.steps if steps)


def read(rules: Item, problems: list[Problem]) -> Numbers:
    """Return the numbers under ``table``, the usual ones for those left out; what is wrong is added to ``problems``."""
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
