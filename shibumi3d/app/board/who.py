"""Whose turn it is to answer and who is looking, for tables of any kind.

Nothing here depends on how a table is drawn. This module alone decides when the curtain closes between two people at
one screen: before a question that is answered with a private view, if someone else looked last who may not know as
much. While everybody is looking, no seat's private information is shown.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar, cast

from shibumi3d.match.match import Match

from ..marbles import secrets


@dataclass(frozen=True, slots=True)
class Answerer:
    """Choice of the seat that will answer a question put to everybody, or -1 if nobody answers."""

    seat: int


T = TypeVar("T")


def once(find: Callable[[Any], T]) -> T:
    """Turn a method into a property that is cached until the match or the viewer changes."""

    def read(session: Any) -> T:
        found = session.found()
        if find not in found:
            found[find] = find(session)
        result: T = found[find]
        return result

    # Type checkers see the type of the value, as with a property.
    return cast("T", property(read, doc=find.__doc__))


class Who:
    """The seats that are to answer, and the viewer, in ``match``.

    ``looking`` is the number of moves shown, or None for the current state. ``looker`` is the seat that looked last, or
    None.
    """

    def __init__(self, match: Match) -> None:
        self.match = match
        self.looking: int | None = None
        self.looker: int | None = None
        self.facts = match.game.facts(len(match.seats))
        self.taught: Callable[[], bool] = lambda: False
        """Callback that returns whether this is a lesson, which decides itself whom to ask."""
        self.waits: Callable[[], bool] = lambda: False
        """Callback that returns whether choices are suspended although the match goes on."""
        self._answers: tuple[Any, int] | None = None
        """State in which a seat announced that it wants to answer, and that seat; or None."""
        self._found: tuple[tuple[Any, ...], dict[Any, Any]] = (), {}
        """Key of the latest moment, and the values cached for it."""

    def found(self) -> dict[Any, Any]:
        """Return the cache of the current moment, which is empty if the moment is a new one."""
        key, kept = self.moment(), self._found
        if not kept[0] or kept[0][0] is not key[0] or kept[0][1:] != key[1:]:
            kept = self._found = key, {}
        return kept[1]

    def moment(self) -> tuple[Any, ...]:
        """Return a key for the current moment, starting with the state.

        The state is compared by identity, the other items by value.
        """
        return *self.match.stamp, self.looking, self.looker, self._answers, self.taught(), self.waits()

    @once
    def persons(self) -> list[int]:
        """Seats played by humans."""
        return [number for number, seat in enumerate(self.match.seats) if not seat.computer]

    @property
    def live(self) -> bool:
        """Whether the current state is shown, not an earlier one."""
        return self.looking is None

    @once
    def asking(self) -> bool:
        """Whether someone may make a choice now."""
        return self.live and not self.waits()

    @property
    def opening(self) -> bool:
        """Whether secret choices are being revealed to everybody."""
        return False

    @once
    def thinking(self) -> int | None:
        """First of the computer seats that are to answer, or None; computers answer before humans."""
        return next(iter(self.computers), None)

    @once
    def computers(self) -> tuple[int, ...]:
        """Computer seats that are to answer, each listed once."""
        ask = self.match.state.ask
        return tuple(filter(self.match.by_computer, dict.fromkeys(ask.seats))) if ask is not None else ()

    @once
    def telltale(self) -> bool:
        """Whether the thinking time of a computer could reveal its private information.

        That is possible if answers are secret or a seat may decline privately, and if one of the computers that are to
        answer knows something that a spectator does not.
        """
        match, ask = self.match, self.match.state.ask
        if ask is None or not (ask.sight == "hidden" or (ask.sight == "own" and ask.default)):
            return False
        common = match.game.view(match.state, None)
        return any(match.game.view(match.state, seat) != common for seat in self.computers)

    @once
    def window(self) -> tuple[int, ...]:
        """Humans who are asked together whether one of them wants to answer, else empty.

        They are asked in the open, before one of them looks at a private view. Seats that don't answer play the default
        move.
        """
        ask = self.match.state.ask
        if ask is None or ask.sight != "own" or not ask.default or self.thinking is not None:
            return ()
        if len(self.persons) < 2 or not self.facts.secrets or self.taught() or self._answering is not None:
            return ()
        return tuple(ask.seats)

    @property
    def _answering(self) -> int | None:
        return self._answers[1] if self._answers and self._answers[0] is self.match.state else None

    def answers(self, seat: int) -> None:
        """Record that ``seat`` wants to answer, and so will look at its private view."""
        self._answers = self.match.state, seat

    @once
    def asked(self) -> int | None:
        """Human who is to answer now, or None.

        It is None while computers answer, while all humans are asked together, and when the match is over.
        """
        ask = self.match.state.ask
        if ask is None or self.thinking is not None or self.window:
            return None
        if self._answering is not None:
            return self._answering
        return self.looker if self.looker in ask.seats else ask.seats[0]

    @once
    def private(self) -> bool:
        """Whether the current question is answered with a private view."""
        ask = self.match.state.ask
        return ask is not None and ask.sight != "open" and self.asked is not None

    @once
    def viewer(self) -> int | None:
        """Seat whose view is shown, or :data:`.secrets.ALL` for what everybody may know.

        It is None when the match is over: then everything is shown.
        """
        if self.match.state.to_move is None:
            return None
        if len(self.persons) == 1:
            return self.persons[0]
        return self.asked if self.private else self.onlooker

    @once
    def onlooker(self) -> int:
        """Viewer while no human is to answer privately."""
        return secrets.ALL

    @once
    def covered(self) -> bool:
        """Whether the curtain must close before the seat to answer may look."""
        seat = self.asked
        if seat is None or not self.private or len(self.persons) < 2 or seat == self.looker:
            return False
        return not self.taught() and self.knows_more(seat)

    def knows_more(self, seat: int) -> bool:
        """Return whether ``seat`` may know things that the seat that looked last may not."""
        return self.facts.secrets

    def curtain(self) -> int | None:
        """Let the seat that must answer see its view; return the seat if the curtain must close first, else None.

        ``looker`` changes only if the question is answered with a private view.
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
