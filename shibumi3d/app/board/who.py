"""Of a match on a table of any kind: who is asked, and who looks. No pixels.

The curtain is decided here alone: what is answered with a view of one's own is asked behind it when somebody else
looked last, who may not know as much. While all look nobody's own things are shown.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar, cast

from shibumi3d.match.match import Match

from ..marbles import secrets


@dataclass(frozen=True, slots=True)
class Answerer:
    """The seat that says that it answers, while all are asked whether anybody does; -1 for nobody."""

    seat: int


T = TypeVar("T")


def once(find: Callable[[Any], T]) -> T:
    """Make a property of a moment, found once until the match, or who looks at what, is another."""

    def read(session: Any) -> T:
        found = session.found()
        if find not in found:
            found[find] = find(session)
        result: T = found[find]
        return result

    # To a checker it is what it tells, as a property is.
    return cast("T", property(read, doc=find.__doc__))


class Who:
    """Who is asked and who looks, of a ``match``.

    ``looking`` is the number of moves shown, None for the match as it is; ``looker`` who looked last.
    """

    def __init__(self, match: Match) -> None:
        self.match = match
        self.looking: int | None = None
        self.looker: int | None = None
        self.facts = match.game.facts(len(match.seats))
        self.taught: Callable[[], bool] = lambda: False
        """Whether it is a lesson, which asks whom it means."""
        self.waits: Callable[[], bool] = lambda: False
        """Whether nothing is chosen on the table for the time being, though the match goes on."""
        self._answers: tuple[Any, int] | None = None
        """Where a seat said that it answers, and which."""
        self._found: tuple[tuple[Any, ...], dict[Any, Any]] = (), {}
        """What was found of the moment."""

    def found(self) -> dict[Any, Any]:
        """Return what was found of this moment so far."""
        key, kept = self.moment(), self._found
        if not kept[0] or kept[0][0] is not key[0] or kept[0][1:] != key[1:]:
            kept = self._found = key, {}
        return kept[1]

    def moment(self) -> tuple[Any, ...]:
        """Return what the moment depends on, the state first: as soon as it is another one of them is."""
        return *self.match.stamp, self.looking, self.looker, self._answers, self.taught(), self.waits()

    @once
    def persons(self) -> list[int]:
        """The seats at which somebody sits."""
        return [number for number, seat in enumerate(self.match.seats) if not seat.computer]

    @property
    def live(self) -> bool:
        """Whether the match is shown as it is now."""
        return self.looking is None

    @once
    def asking(self) -> bool:
        """Whether somebody may choose something now."""
        return self.live and not self.waits()

    @property
    def opening(self) -> bool:
        """Whether all look at what was chosen in secret."""
        return False

    @once
    def thinking(self) -> int | None:
        """The first of the seats asked that a computer plays: computers answer first."""
        return next(iter(self.computers), None)

    @once
    def computers(self) -> tuple[int, ...]:
        """All seats asked that computers play, each once."""
        ask = self.match.state.ask
        return tuple(filter(self.match.by_computer, dict.fromkeys(ask.seats))) if ask is not None else ()

    @once
    def telltale(self) -> bool:
        """Whether the time that an answer takes could tell what its seat holds: the answer is kept hidden, or there is
        one for whoever has nothing to say, and the seat knows what others do not."""
        match, ask = self.match, self.match.state.ask
        if ask is None or not (ask.sight == "hidden" or (ask.sight == "own" and ask.default)):
            return False
        common = match.game.view(match.state, None)
        return any(match.game.view(match.state, seat) != common for seat in self.computers)

    @once
    def window(self) -> tuple[int, ...]:
        """The persons who are asked in front of all whether any of them answers, before one of them looks at what is
        its own; empty elsewhere. Who says nothing gives the usual answer."""
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
        """A seat says, in front of all, that it looks at what is its own before it answers."""
        self._answers = self.match.state, seat

    @once
    def asked(self) -> int | None:
        """The person who is asked now; None while computers answer or all are asked, and when the match is over."""
        ask = self.match.state.ask
        if ask is None or self.thinking is not None or self.window:
            return None
        if self._answering is not None:
            return self._answering
        return self.looker if self.looker in ask.seats else ask.seats[0]

    @once
    def private(self) -> bool:
        """Whether what is asked now is answered with a view of one's own."""
        ask = self.match.state.ask
        return ask is not None and ask.sight != "open" and self.asked is not None

    @once
    def viewer(self) -> int | None:
        """Whose view is shown; :data:`.secrets.ALL` for everybody's; None for all when the match is over."""
        if self.match.state.to_move is None:
            return None
        if len(self.persons) == 1:
            return self.persons[0]
        return self.asked if self.private else self.onlooker

    @once
    def onlooker(self) -> int:
        """Whose view is shown while nobody is asked for an answer of their own."""
        return secrets.ALL

    @once
    def covered(self) -> bool:
        """Whether a curtain has to fall before the one asked may look."""
        seat = self.asked
        if seat is None or not self.private or len(self.persons) < 2 or seat == self.looker:
            return False
        return not self.taught() and self.knows_more(seat)

    def knows_more(self, seat: int) -> bool:
        """Whether a seat may know what whoever looked last may not."""
        return self.facts.secrets

    def curtain(self) -> int | None:
        """Let the one asked look from now on; the seat before whom a curtain has to fall, if one has to."""
        seat, covered = self.asked, self.covered
        if self.private:
            self.looker = seat
        return seat if covered else None

    @once
    def sitting(self) -> int:
        """The seat from which the table is seen."""
        viewer = self.viewer
        if viewer is not None and viewer != secrets.ALL:
            return viewer
        return self.asked if self.asked is not None else self.match.state.mover
