"""Who must choose and who is looking at the screen, for tables of any kind.

Nothing here depends on how a table is drawn. Only this module decides when a curtain (the handover screen) covers the
board between two people who share a screen. It does so before a choice made with a private view, unless the person who
looked last may know everything in that view. While everybody is looking, no private information is shown.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar, cast

from shibumi3d.match.match import Match
from shibumi3d.rules.game import State

from ..marbles import secrets


@dataclass(frozen=True, slots=True)
class Answerer:
    """Choice of the seat that will respond to a question put to everybody, or -1 if nobody responds."""

    seat: int


T = TypeVar("T")


def once(find: Callable[[Any], T]) -> T:
    """Turn a method into a property whose value is cached until the match or the viewer changes."""

    def read(session: Who) -> T:
        if session._match_version != session.match.version:
            session.start_moment()
        found = session._cached
        if find not in found:
            found[find] = find(session)
        result: T = found[find]
        return result

    # Type checkers see the type of the value, as with a property.
    return cast("T", property(read, doc=find.__doc__))


class Who:
    """The seats that must choose in ``match``, and its viewer.

    ``looking`` is the number of moves shown, or None for the current state. ``looker`` is the seat that looked last, or
    None.
    """

    def __init__(self, match: Match) -> None:
        self._match_version = -1
        self.match = match
        self.looking: int | None = None
        self.looker: int | None = None
        self.facts = match.game.facts(len(match.seats))
        self.in_lesson = False
        """Whether this is a lesson, which decides itself whom to ask."""
        self.suspended = False
        """Whether choices are suspended although the match goes on."""
        self._answers: tuple[State, int] | None = None
        """State in which a seat announced that it wants to answer, and that seat; or None."""

    def __setattr__(self, name: str, value: object) -> None:
        """Set an attribute, and start a new moment if it is public.

        Values that are cached until the moment changes depend on public attributes and on the match alone.
        """
        object.__setattr__(self, name, value)
        if not name.startswith("_"):
            self.start_moment()

    def start_moment(self) -> None:
        """Forget all values that were cached for the current moment."""
        self._cached: dict[Callable[[Any], Any], Any] = {}
        self._match_version = self.match.version

    @property
    def moment(self) -> object:
        """An object that identifies the current moment: another one whenever anything has changed."""
        if self._match_version != self.match.version:
            self.start_moment()
        return self._cached

    @once
    def persons(self) -> list[int]:
        """Seats played by people."""
        return [number for number, seat in enumerate(self.match.seats) if not seat.computer]

    @property
    def live(self) -> bool:
        """Whether the current state is shown, rather than an earlier one."""
        return self.looking is None

    @once
    def asking(self) -> bool:
        """Whether somebody may make a choice now."""
        return self.live and not self.suspended

    @property
    def opening(self) -> bool:
        """Whether secret choices are being revealed to everybody."""
        return False

    @once
    def thinking(self) -> int | None:
        """First of the computer seats that must choose, or None. Computers choose before people."""
        return next(iter(self.computers), None)

    @once
    def computers(self) -> tuple[int, ...]:
        """Computer seats that must choose, each listed once."""
        ask = self.match.state.ask
        return tuple(filter(self.match.by_computer, dict.fromkeys(ask.seats))) if ask is not None else ()

    @once
    def telltale(self) -> bool:
        """Whether the thinking time of a computer could reveal its private information.

        This is possible only if one of the computers that must choose knows something that a spectator doesn't. In
        addition, the choices must be secret, or a seat must be able to decline privately.
        """
        match, ask = self.match, self.match.state.ask
        if ask is None or not (ask.sight == "hidden" or (ask.sight == "own" and ask.default)):
            return False
        common = match.game.view(match.state, None)
        return any(match.game.view(match.state, seat) != common for seat in self.computers)

    @once
    def window(self) -> tuple[int, ...]:
        """Seats that are asked together whether one of them wants to respond; empty if none are.

        The question is asked openly, before any of them looks at a private view. Seats that don't respond play the
        default move.
        """
        ask = self.match.state.ask
        if ask is None or ask.sight != "own" or not ask.default or self.thinking is not None:
            return ()
        if len(self.persons) < 2 or not self.facts.secrets or self.in_lesson or self._answering is not None:
            return ()
        return tuple(ask.seats)

    @property
    def _answering(self) -> int | None:
        return self._answers[1] if self._answers and self._answers[0] is self.match.state else None

    def answers(self, seat: int) -> None:
        """Record that ``seat`` wants to respond, which means that it will look at its private view."""
        self._answers = self.match.state, seat
        self.start_moment()

    @once
    def asked(self) -> int | None:
        """Seat of the person who must choose now, or None.

        It is None while computers choose, while several seats are asked together, and when the match is over.
        """
        ask = self.match.state.ask
        if ask is None or self.thinking is not None or self.window:
            return None
        if self._answering is not None:
            return self._answering
        return self.looker if self.looker in ask.seats else ask.seats[0]

    @once
    def private(self) -> bool:
        """Whether the current choice is made with a private view."""
        ask = self.match.state.ask
        return ask is not None and ask.sight != "open" and self.asked is not None

    @once
    def viewer(self) -> int | None:
        """Seat whose view is shown, or :data:`.secrets.ALL` to show only what everybody may know.

        When the match is over, this is None, and everything is shown.
        """
        if self.match.state.to_move is None:
            return None
        if len(self.persons) == 1:
            return self.persons[0]
        return self.asked if self.private else self.onlooker

    @once
    def onlooker(self) -> int:
        """Viewer while no person has to choose privately, which shows only what everybody may know."""
        return secrets.ALL

    @once
    def covered(self) -> bool:
        """Whether the screen must be covered before the person who must choose may look."""
        seat = self.asked
        if seat is None or not self.private or len(self.persons) < 2 or seat == self.looker:
            return False
        return not self.in_lesson and self.knows_more(seat)

    def knows_more(self, seat: int) -> bool:
        """Return whether ``seat`` may know things that the seat that looked last may not know."""
        return self.facts.secrets

    def curtain(self) -> int | None:
        """Record who looks at the screen for a private choice; return the seat if a curtain is needed.

        Returns None if the screen needn't be covered first. If the choice isn't private, ``looker`` doesn't change.
        """
        seat, covered = self.asked, self.covered
        if self.private:
            self.looker = seat
        return seat if covered else None

    @once
    def sitting(self) -> int:
        """Seat from whose side the table is shown."""
        viewer = self.viewer
        if viewer is not None and viewer != secrets.ALL:
            return viewer
        return self.asked if self.asked is not None else self.match.state.mover
