"""What people at one table agree on besides the rules: clocks, who begins, whether the second seat may swap, who begins
with marbles more or fewer."""

from __future__ import annotations

import random
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from shibumi3d.i18n import _, ngettext
from shibumi3d.match.clock import TimeLimit

if TYPE_CHECKING:
    pass

PACES = ("", "3+2", "5", "10", "10+5", "30", "30+10", "60", "10s", "30s", "60s", "120s")
"""The clocks that are offered, as :class:`TimeLimit` writes them."""
T = TypeVar("T")


@dataclass(frozen=True)
class Terms:
    """``pace`` is None without clocks; ``lot``: who sits where is drawn by lot; ``swap``: the second seat may swap;
    ``handicap`` is written as :func:`.handicap.read` takes it."""

    pace: TimeLimit | None = None
    lot: bool = False
    swap: bool = False
    handicap: str = ""

    @classmethod
    def last(cls, clock: object, lot: object, swap: object, handicap: object = "") -> Terms:
        """Return terms as they were kept; whatever can't be read is as usual."""
        pace = None
        with suppress(ValueError):
            pace = TimeLimit.read(str(clock or ""))
        return cls(pace, bool(lot), bool(swap), str(handicap or ""))

    def kept(self) -> dict[str, int | str]:
        """Return what is remembered of the terms: only what is not as usual."""
        told: dict[str, int | str] = {
            "clock": str(self.pace or ""),
            "lot": int(self.lot),
            "swap": int(self.swap),
            "handicap": self.handicap,
        }
        return {name: value for name, value in told.items() if value}

    def told(self) -> str:
        """Return the terms in a few words."""
        return " · ".join([pace_told(self.pace), *self.more_told()])

    def more_told(self) -> list[str]:
        """Return the terms besides the clock, a few words each."""
        parts = [_("random order")] if self.lot else []
        parts += [_("swap rule")] if self.swap else []
        return parts + ([_("handicap")] if self.handicap else [])


USUAL = Terms()
"""No clocks, everybody where they sit, nobody swaps."""


def pace_told(pace: TimeLimit | None) -> str:
    """Return a clock in words."""
    if pace is None:
        return _("no clock")
    if pace.each_turn:
        return ngettext("{n} s per turn", "{n} s per turn", pace.seconds)
    told = ngettext("{n} min", "{n} min", pace.seconds // 60)
    return _("{told} + {more} s per turn", told=told, more=pace.more) if pace.more else told


def lots(seed: int, *each: Sequence[T]) -> list[list[T]]:
    """Return lists of what belongs to each seat, all in the order that the lot of ``seed`` gives."""
    order = list(range(len(each[0])))
    random.Random(f"seats/{seed}").shuffle(order)
    return [[given[place] for place in order] for given in each]
