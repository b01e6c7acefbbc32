"""A match on a table of any kind: the moment shown, who is asked, who looks. No pixels.

The curtain is decided here alone: what is answered with a view of one's own is asked behind it when somebody else
looked last, who may not know as much. While all look nobody's own things are shown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar, cast

from shibumi3d.match.match import Match
from shibumi3d.match.ply import Ply

from ..marbles import secrets
from .rereading import state_after


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


class Session:
    """``looking`` is the number of moves shown, None for the match as it is; ``looker`` who looked last."""

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

    @once
    def state(self) -> Any:
        """The state shown."""
        return self.match.state if self.looking is None else state_after(self.match, self.looking)

    @property
    def cursor(self) -> int:
        """How many moves are shown."""
        return self.match.cursor if self.looking is None else self.looking

    def passed(self) -> Sequence[Ply]:
        """The moves that led to what is shown."""
        return self.match.plies[: self.cursor]

    @once
    def view(self) -> Any:
        """The state shown, as whoever looks may know it."""
        state, kept = (self.state, self.viewer), self._view
        if kept is None or kept[0][0] is not state[0] or kept[0][1] != state[1]:
            kept = self._view = state, secrets.view_of(self.match.game, *state)
        return kept[1]

    _view: tuple[tuple[Any, int | None], Any] | None = None
    """The same as long as state and viewer are, so that it can be told by what it is."""

    def view_before(self, ply: int) -> Any:
        """The state before move number ``ply``, as whoever looks may know it."""
        return secrets.view_of(self.match.game, state_after(self.match, ply), self.viewer)

    def own_view(self) -> Any:
        """The state as the person asked knows it."""
        return self.match.game.view(self.match.state, self.asked)

    def as_seen(self, events: Iterable[Any]) -> list[Any]:
        """The events that led to the state shown, as whoever looks may know them."""
        return secrets.as_seen_by(self.match.game, self.state, self.viewer, events)

    def moves_as_seen(self, plies: Iterable[Ply]) -> list[Any]:
        """The events of moves as whoever looks may know them."""
        found = []
        for ply in plies:
            found += secrets.as_seen_by(self.match.game, ply.state, self.viewer, ply.events)
        return found

    def moves(self) -> tuple[Any, ...]:
        """What the person asked may choose now."""
        if self.asked is None or not self.live or self.covered:
            return ()
        return self.match.game.moves(self.match.state, self.asked)

    @once
    def hidden(self) -> frozenset[int]:
        """The numbers of the moves that whoever looks may not read, of those that were taken back among them."""
        match = self.match
        back = self.kept_back() if match.undone else frozenset()
        return secrets.masked(match, match.plies, self.viewer) | back

    def masked(self, number: int) -> bool:
        """Whether whoever looks may not read a move, one that was taken back among them."""
        return number in self.hidden

    def kept_back(self) -> frozenset[int]:
        """The numbers of the moves taken back that whoever looks may not read."""
        match = self.match
        every = match.plies + match.undone
        # The move that ended the match opened everything: not while it goes on elsewhere.
        ended = every[-1].state.result is not None
        hidden = secrets.masked(match, every[:-1] if ended else every, self.viewer)
        return frozenset(number for number in hidden if number >= match.cursor)

    def past(self, seat: int) -> list[Any]:
        """The states at which the turns before this one began, as ``seat`` may know them; none where none recurs."""
        if not self.facts.recurs or not self.match.plies:
            return []
        begun = [self.match.first, *[ply.state for ply in self.match.plies[:-1]]]
        return [self.match.game.view(state, seat) for state in begun if not state.step]

    def turn_start(self) -> int:
        """The number of the first move of the last turn, or of this one if it has begun."""
        plies = self.match.plies
        first = len(plies) - 1
        while first > 0 and plies[first - 1].turn == plies[-1].turn:
            first -= 1
        return max(first, 0)

    def forced(self) -> Any:
        """The one answer that the question before everybody has, which is given by itself; None where there is none."""
        ask = self.match.state.ask
        if ask is None or ask.sight != "open" or not ask.default:
            return None
        moves = self.match.game.moves(self.match.state, ask.seats[0])
        return moves[0] if len(moves) == 1 and moves[0].text == ask.default else None

    def last(self) -> Sequence[Any]:
        """The events of the last turn shown."""
        plies = self.match.plies[: self.cursor]
        turn = [ply for ply in plies if ply.turn == plies[-1].turn] if plies else []
        return self.as_seen([event for ply in turn for event in ply.events])
