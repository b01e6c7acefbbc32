"""Match settings that aren't part of the rules: clocks, seating order, swap rule and handicap."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TypeVar

from shibumi3d.i18n import _, ngettext
from shibumi3d.match.clock import TimeLimit, format_clock

TIME_LIMITS = ("", "3+2", "5", "10", "10+5", "30", "30+10", "60", "10s", "30s", "60s", "120s")
"""Available time limits, in the format of :meth:`.TimeLimit.parse`; an empty string means no limit."""
T = TypeVar("T")


@dataclass(frozen=True)
class MatchSettings:
    """Match settings that aren't part of the rules.

    ``time_limit`` is None for a match without clocks. If ``random_seats`` is set, seats are assigned at random. If
    ``swap_rule`` is set, the second seat may take over the first turn. ``handicap`` is in the format of
    :func:`.handicap.parse_handicap`.
    """

    time_limit: TimeLimit | None = None
    random_seats: bool = False
    swap_rule: bool = False
    handicap: str = ""

    @classmethod
    def from_saved(
        cls, clock: object, random_seats: object, swap_rule: object, handicap: object = ""
    ) -> MatchSettings:
        """Restore match settings from saved values.

        A missing or invalid ``clock`` means no time limit. The handicap isn't checked.
        """
        pace = None
        with suppress(ValueError):
            pace = TimeLimit.parse(str(clock or ""))
        return cls(pace, bool(random_seats), bool(swap_rule), str(handicap or ""))

    def to_saved(self, *, recommends_swap: bool = False) -> dict[str, int | str]:
        """Return the values to save, i.e. those that differ from the default.

        Set ``recommends_swap`` if the swap rule applies by default.
        """
        values: dict[str, int | str] = {
            "clock": str(self.time_limit or ""),
            "lot": int(self.random_seats),
            "handicap": self.handicap,
        }
        saved = {name: value for name, value in values.items() if value}
        if self.swap_rule != recommends_swap:
            saved["swap"] = int(self.swap_rule)
        return saved

    def describe(self) -> str:
        """Return a description of the clock and the other settings in use, such as "5 min · swap rule"."""
        return " · ".join([describe_time_limit(self.time_limit), *self.describe_except_clock()])

    def describe_except_clock(self) -> list[str]:
        """Return the names of the settings that are in use, except for the clock."""
        parts = [_("random turn order")] if self.random_seats else []
        parts += [_("swap rule")] if self.swap_rule else []
        return parts + ([_("handicap")] if self.handicap else [])


DEFAULT_MATCH_SETTINGS = MatchSettings()
"""Default match settings: no clocks, seats in the order listed, no swap rule and no handicap."""


def describe_time_limit(time_limit: TimeLimit | None) -> str:
    """Return a time limit as text in the current language, such as "10 min + 5 s per turn" or "no clock"."""
    if time_limit is None:
        return _("no clock")
    if time_limit.is_per_turn:
        return ngettext("{n} s per turn", "{n} s per turn", time_limit.seconds)
    description = (
        _("{time} min", time=format_clock(time_limit.seconds))
        if time_limit.seconds % 60
        else ngettext("{n} min", "{n} min", time_limit.seconds // 60)
    )
    return (
        _("{told} + {more} s per turn", told=description, more=time_limit.increment)
        if time_limit.increment
        else description
    )


def shuffle_seats(seed: int, *lists: Sequence[T]) -> list[list[T]]:
    """Return shuffled copies of lists that are indexed by seat, applying the same permutation to each.

    The permutation depends only on ``seed`` and the number of seats.
    """
    order = list(range(len(lists[0])))
    random.Random(f"seats/{seed}").shuffle(order)
    return [[items[seat] for seat in order] for items in lists]


def parse_seed(text: str) -> int:
    """Return the seed for a text that the user has typed.

    A number of up to 15 digits is used as is, and an empty text gives a random seed below a million. Any other text is
    hashed, with the same result on every machine.
    """
    text = text.strip()
    if not text:
        return random.randrange(1_000_000)
    if text.isdecimal() and len(text) <= 15:
        return int(text)
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:6], "big")
