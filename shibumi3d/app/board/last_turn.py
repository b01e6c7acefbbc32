"""Signs on the board that show what the last turn did."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Protocol

from shibumi3d.match.ply import Ply
from shibumi3d.rules.marbles import event as ev
from shibumi3d.scene.marbles.signs import Ghost, Sign, SignKind
from shibumi3d.scene.marbles.steps import steps

from .seen import Seen

if TYPE_CHECKING:
    from ..host import Host


LANDED = ev.Placed | ev.Moved | ev.Entered
TAKEN = ev.Lifted | ev.Removed


def landed(events: Iterable[ev.Event]) -> list[tuple[int, int]]:
    """Return the board and point of the first marble set down.

    The result is a list with one item, or an empty list if no marble was set down. Marbles that land later are
    consequences of the move, so they are ignored.
    """
    for event in events:
        if isinstance(event, LANDED):
            return [(event.board, event.point)]
    return []


def numbered(seats: Sequence[tuple[int, int]], strong: bool = False) -> list[Sign]:
    """Return signs that number these places in order, or none if there is only one place.

    Each place is a (board, point) pair.
    """
    if len(seats) < 2:
        return []
    return [Sign(SignKind.NUMBER, *seat, strong=strong, number=i) for i, seat in enumerate(seats, 1)]


def struck(plies: Sequence[Ply]) -> tuple[list[Sign], list[Ghost]]:
    """Return signs and ghosts that show an alternative turn as crossed out.

    The turn hasn't been made on the board. Ghosts show the marbles that it would set down, and signs mark the marbles
    that it would take. Only the first such event of each ply is shown, since the consequences of a better move may be
    the same.
    """
    places: dict[tuple[int, int], Sign] = {}
    ghosts: dict[tuple[int, int], Ghost] = {}
    ways: list[Sign] = []
    for ply in plies:
        event = next((each for each in ply.events if isinstance(each, LANDED | TAKEN)), None)
        if event is None:
            continue
        place = event.board, event.point
        places[place] = Sign(SignKind.DOOMED, *place)
        if isinstance(event, LANDED):
            ghosts[place] = Ghost(*place, event.colour)
        if isinstance(event, ev.Moved) and event.origin >= 0:
            places.pop((event.board, event.origin), None)
            ways.append(Sign(SignKind.WAY, event.board, event.origin, to=event.point))
    return [*ways, *places.values()], list(ghosts.values())


class Passed(Protocol):
    """Page that shows the moves played."""

    app: Host

    @property
    def seen(self) -> Seen:
        """Position shown, limited to what the viewer may know."""

    def refresh(self) -> None:
        """Request a redraw."""


class LastTurn:
    """The last turn in which a marble was set down, and the signs that show it."""

    def __init__(self, page: Passed) -> None:
        self.page = page
        self.trails: list[Sign] = []
        """Signs for the paths of marbles that have just fallen."""

    def plies(self, passed: Sequence[Ply], unread: frozenset[int]) -> list[Ply]:
        """Return the plies of the last turn in which a marble was set down.

        Plies with an index in ``unread`` are hidden from the viewer, so they are ignored.
        """
        plies = [ply for number, ply in enumerate(passed) if number not in unread]
        turn = next((ply.turn for ply in reversed(plies) if landed(ply.events)), None)
        return [ply for ply in plies if ply.turn == turn]

    def landed(self, plies: Sequence[Ply]) -> list[tuple[int, int]]:
        """Return the board and point of each marble that was set down in ``plies`` and is still there."""
        seen = self.page.seen.view
        found = [seat for ply in plies for seat in landed(ply.events)]
        return [seat for seat in found if seen.filled(seat[0]) >> seat[1] & 1]

    def signs(self, plies: Sequence[Ply]) -> list[Sign]:
        """Return signs that show where marbles came from and in which order they were placed.

        ``plies`` are the plies of the last turn. There are no signs once the next turn has begun or the match is over.
        """
        seen = self.page.seen.view
        if seen.step or seen.result is not None:
            return []
        events = [event for ply in plies for event in ply.events]
        # With reduced motion, falls are not animated, so they are numbered as well.
        falls = self.page.app.settings.reduced
        done = [s for s in steps(events) if seen.filled(s.board) >> s.point & 1 and (falls or not s.fell)]
        ways = [s for s in done if s.origin not in (-1, s.point) and not s.fell]
        signs = [Sign(SignKind.WAY, s.board, s.origin, to=s.point) for s in ways]
        return signs + numbered([(s.board, s.point) for s in done])

    def leave_trails(self, events: Iterable[ev.Event]) -> None:
        """Show the paths of fallen marbles until the next input."""
        kinds = (ev.Dropped, ev.SideDropped)
        self.trails = [
            Sign(SignKind.TRAIL, e.board, e.origin, to=e.point) for e in events if isinstance(e, kinds)
        ]
