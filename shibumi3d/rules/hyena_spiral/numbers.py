"""The numbers of the table, read from the ``table:`` of a game file, with everything that is wrong with them."""

from __future__ import annotations

from dataclasses import dataclass

from shibumi3d.rules.source import FilePlace, Item, Problem, nearest

CHIPS = 3
"""Chips thrown at once; each shows white or black."""
MOST = 200
"""The greatest number of steps, tabas or points that a file may name."""
TABLE_KEYS = ("throw", "taba", "buy", "fees", "hyena", "points", "exact")
NEEDED = TABLE_KEYS[:-1]


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


def read(rules: Item, problems: list[Problem]) -> Numbers | None:
    """The numbers under ``table``; what is wrong is added to ``problems``, and None is returned then."""
    before = len(problems)
    table = _entries(rules).get("table")
    if table is None:
        problems.append(Problem(rules.mark, f"a table: with {', '.join(NEEDED)} is needed"))
        return None
    reader = _Reader(problems)
    keys = reader.mapping(table, "table", TABLE_KEYS, NEEDED)
    steps = reader.by_whites(keys.get("throw"))
    chips = reader.whites(keys.get("taba"))
    buy = reader.numbers(keys.get("buy"), "buy", ("pay", "steps"))
    hyena = reader.numbers(keys.get("hyena"), "hyena", ("times", "fee"))
    points = reader.numbers(keys.get("points"), "points", ("home", "hyena"))
    fees = reader.fees(keys.get("fees"))
    exact = reader.flag(keys.get("exact"))
    if len(problems) == before and not any(steps):
        problems.append(Problem(keys["throw"].mark, "throw: no throw lets anybody walk"))
    for whites in range(CHIPS + 1):
        if len(problems) == before and not steps[whites] and whites not in chips:
            message = f"throw: no steps for {whites} white; give steps here, or name it under taba"
            problems.append(Problem(keys["throw"].mark, message))
    if len(problems) > before:
        return None
    return Numbers(
        steps=steps,
        tabas=tuple(int(whites in chips) for whites in range(CHIPS + 1)),
        price=buy["pay"],
        bought=buy["steps"],
        fees=fees,
        times=hyena["times"],
        hyena_fee=hyena["fee"],
        home=points["home"],
        alone=points["hyena"],
        exact=exact,
    )


def _entries(item: Item) -> dict[str, Item]:
    return item.value if isinstance(item.value, dict) else {}


class _Reader:
    """Takes numbers out of items, noting what does not fit."""

    def __init__(self, problems: list[Problem]) -> None:
        self.problems = problems

    def wrong(self, mark: FilePlace, message: str) -> None:
        self.problems.append(Problem(mark, message))

    def mapping(
        self, item: Item, name: str, known: tuple[str, ...], needed: tuple[str, ...]
    ) -> dict[str, Item]:
        """The entries of a mapping: all of them known, none that is needed left out."""
        if not isinstance(item.value, dict):
            self.wrong(item.mark, f"{name}: expected a mapping with {', '.join(known)}")
            return {}
        for key, mark in item.keys.items():
            if key not in known:
                hint = nearest(key, known) or f"; expected one of {', '.join(known)}"
                self.wrong(mark, f"unknown key of {name} '{key}'{hint}")
        for key in needed:
            if key not in item.value:
                self.wrong(item.mark, f"{name}: '{key}' is missing")
        return item.value

    def number(self, item: Item, name: str, least: int = 1, most: int = MOST) -> int:
        """A number within bounds; 0, noted, for anything else."""
        value = item.value
        if isinstance(value, int) and not isinstance(value, bool) and least <= value <= most:
            return value
        self.wrong(item.mark, f"{name}: expected a number from {least} to {most}")
        return 0

    def numbers(self, item: Item | None, name: str, keys: tuple[str, ...]) -> dict[str, int]:
        """A number under each of some keys."""
        if item is None:
            return dict.fromkeys(keys, 0)
        entries = self.mapping(item, name, keys, keys)
        return {key: self.number(entries[key], key) if key in entries else 0 for key in keys}

    def by_whites(self, item: Item | None) -> tuple[int, ...]:
        """Steps by the number of white faces."""
        known = tuple(str(whites) for whites in range(CHIPS + 1))
        entries = self.mapping(item, "throw", known, ()) if item is not None else {}
        return tuple(self.number(entries[key], f"throw {key}") if key in entries else 0 for key in known)

    def whites(self, item: Item | None) -> frozenset[int]:
        """The numbers of white faces that give a taba."""
        if item is None:
            return frozenset()
        entries = item.value if isinstance(item.value, list) else [item]
        return frozenset(self.number(entry, "taba", 0, CHIPS) for entry in entries)

    def fees(self, item: Item | None) -> tuple[int, ...]:
        """What a villager pays at the well, in order."""
        if item is None:
            return ()
        if not isinstance(item.value, list) or not 1 <= len(item.value) <= 4:
            self.wrong(item.mark, "fees: expected a list of 1 to 4 numbers, as in [2, 2]")
            return ()
        return tuple(self.number(entry, "fees") for entry in item.value)

    def flag(self, item: Item | None) -> bool:
        """True or false."""
        if item is None:
            return False
        if not isinstance(item.value, bool):
            self.wrong(item.mark, "exact: expected true or false")
        return item.value is True
