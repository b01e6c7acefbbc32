"""Computers at a table of any kind: they answer after a moment that is always the same."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from ...board import computers
from ...text import say
from .parts import Table

if TYPE_CHECKING:
    from .parts import Acting

SECRET = 2.0
"""Seconds after which computers answer what is asked of hands nobody else sees: always as many, or twice as many and so
on where thinking took longer, so that the time tells nothing of the hand."""
SPARE = 0.6
"""Seconds of these that are not for thinking."""


class Seated(Table, Protocol):
    """A table at which computers sit."""

    @property
    def doing(self) -> Acting:
        """What makes moves."""


class Computers(computers.Computers):
    """The seats that computers play; those that are asked at the same time answer together."""

    def __init__(self, page: Seated) -> None:
        super().__init__(page, say("computer.stop"))
        self.page, self.session = page, page.session
        self._ready: float | None = None
        """For how long nothing had moved when all had thought."""
        self.buttons = (self.now, self.stop, self.on)

    @property
    def seats(self) -> Sequence[int]:
        return self.session.computers

    @property
    def live(self) -> bool:
        return self.session.live

    @property
    def moving(self) -> bool:
        return self.page.scene.busy(self.page.now())

    @property
    def hasty(self) -> bool:
        # Where time must tell nothing nobody is hurried.
        return not self.session.telltale

    def limit(self) -> float:
        if self.session.telltale:
            return (SECRET - SPARE) / len(self.session.computers)
        return super().limit()

    def moved(self) -> None:
        self._ready = None

    def answer(self, seats: Sequence[int], still: float) -> None:
        if self._ready is None:
            self._ready = still
        wait = computers.PAUSE
        if self.session.telltale:
            wait = SECRET * max(1, math.ceil(self._ready / SECRET))
        if still < wait:
            return
        match, choices = self.session.match, self.choices
        self.forget()
        for seat in seats:
            # What another has answered just now may leave nothing to answer, or something else.
            if match.state.ask is None or seat not in match.state.ask.seats:
                continue
            text = choices[seat].move
            if seat == seats[0] or any(text == move.text for move in match.game.moves(match.state, seat)):
                self.page.doing.made(match.play(text, seat))
