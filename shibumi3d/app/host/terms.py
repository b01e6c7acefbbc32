"""Match settings that aren't part of the rules: clocks, seating order, swap rule and handicap."""

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
"""Time limits on offer, in the format of :meth:`TimeLimit.read`."""
T = TypeVar("T")


@dataclass(frozen=True)
class Terms:
    """Match settings that aren't part of the rules.

    ``pace`` is the time limit, or None for a match without clocks. If ``lot`` is set, seats are assigned at random. If
    ``swap`` is set, the second seat may swap. ``handicap`` is in the format of :func:`.handicap.read`.
    """

    pace: TimeLimit | None = None
    lot: bool = False
    swap: bool = False
    handicap: str = ""

    @classmethod
    def last(cls, clock: object, lot: object, swap: object, handicap: object = "") -> Terms:
        """Restore match settings from saved values; invalid values are replaced by their defaults."""
        pace = None
        with suppress(ValueError):
            pace = TimeLimit.read(str(clock or ""))
        return cls(pace, bool(lot), bool(swap), str(handicap or ""))

    def kept(self) -> dict[str, int | str]:
        """Return the values to save, i.e. those that differ from the default."""
        told: dict[str, int | str] = {
            "clock": str(self.pace or ""),
            "lot": int(self.lot),
            "swap": int(self.swap),
            "handicap": self.handicap,
        }
        return {name: value for name, value in told.items() if value}

    def told(self) -> str:
        """Return a short description of these match settings."""
        return " · ".join([pace_told(self.pace), *self.more_told()])

    def more_told(self) -> list[str]:
        """Return short descriptions of all these match settings except the clock."""
        parts = [_("random turn order")] if self.lot else []
        parts += [_("swap rule")] if self.swap else []
        return parts + ([_("handicap")] if self.handicap else [])


USUAL = Terms()
"""Default match settings: no clocks, the listed seating order, no swap and no handicap."""


def pace_told(pace: TimeLimit | None) -> str:
    """Return a description of a time limit."""
    if pace is None:
        return _("no clock")
    if pace.each_turn:
        return ngettext("{n} s per turn", "{n} s per turn", pace.seconds)
    told = ngettext("{n} min", "{n} min", pace.seconds // 60)
    return _("{told} + {more} s per turn", told=told, more=pace.more) if pace.more else told


def lots(seed: int, *each: Sequence[T]) -> list[list[T]]:
    """Shuffle several lists that are indexed by seat, applying the same permutation to each.

    The permutation depends on ``seed``.
    """
    order = list(range(len(each[0])))
    random.Random(f"seats/{seed}").shuffle(order)
    return [[given[place] for place in order] for given in each]
