"""Controls for matches between computers only: their speed, and how many are played in a row."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from shibumi3d.i18n import _, ngettext

from ..host.series import MATCHES, SPEEDS, Series
from ..ui.button import Button
from .parts import MatchTable

if TYPE_CHECKING:
    pass

BETWEEN = 3.0
"""Pause between the end of a match and the start of the next, in seconds at normal speed."""


class Halting(Protocol):
    """Computer players that can be paused."""

    halted: bool


class Watched(MatchTable, Protocol):
    """Match page that may show a match between computers."""

    @property
    def computers(self) -> Halting:
        """Computer players."""


class Watching:
    """Controls for watching matches between computers: speed, and number of matches in a row.

    They are hidden if a person plays.
    """

    def __init__(self, page: Watched) -> None:
        self.page, matches = page, page.app.matches
        self.alone = not page.session.persons
        if matches.series is None or not self.alone:
            matches.series = Series(page.match.names)
        self.series = matches.series
        self.pace = Button("", self._faster, kind="quiet", tip=_("How fast the computers play"), name="speed")
        self.number = Button(
            "",
            self._more,
            kind="quiet",
            tip=_("Number of matches in a row; seats rotate after each one"),
            name="how many",
        )
        self.buttons = (self.pace, self.number)
        for button in self.buttons:
            button.visible = self.alone
        self._label()

    def _label(self) -> None:
        self.pace.label = _("Speed ×{speed}", speed=self.series.speed)
        self.number.label = ngettext("{n} match", "{n} matches", self.series.wanted)

    def _faster(self) -> None:
        self.series.speed = _after(SPEEDS, self.series.speed)
        self._changed()

    def _more(self) -> None:
        self.series.wanted = _after(MATCHES, self.series.wanted)
        self._changed()
        if self.over:
            self.next_soon()

    def _changed(self) -> None:
        self._label()
        self.page.update()

    @property
    def speed(self) -> float:
        """Factor by which play is sped up; 1 if a person plays."""
        return float(self.series.speed) if self.alone else 1.0

    def motion(self, usual: str) -> str:
        """Return the animation speed to use, a key of ``motion.SPEEDS``.

        ``usual`` is the speed chosen in the settings.
        """
        if self.speed >= 4:
            return "off"
        return "fast" if self.speed > 1 and usual != "off" else usual

    @property
    def over(self) -> bool:
        """Whether a match between computers is over."""
        return self.alone and self.page.match.state.to_move is None

    @property
    def between(self) -> bool:
        """Whether another match will follow, unless play is paused."""
        return self.over and self.series.goes_on

    def ended(self) -> None:
        """Count the finished match, and schedule the next one."""
        if self.alone:
            self.series.note(self.page.match)
            self.next_soon()

    def next_soon(self) -> None:
        """Schedule the next match of the series, if there is one."""
        if self.between:
            self.page.app.later(BETWEEN / self.speed, self._next)

    def _next(self) -> None:
        page = self.page
        if page.on_window and self.between and page.session.asking and not page.computers.halted:
            page.app.matches.rematch(page.match, page.entry, 1)


def _after(values: Sequence[int], value: int) -> int:
    """Return the value after ``value`` in ``values``, wrapping around at the end."""
    return values[(values.index(value) + 1) % len(values)]
