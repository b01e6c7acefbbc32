"""What the last turn did, as signs on the board."""

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
    """Board and point of the marble that a move set down: the first, others follow from it."""
    for event in events:
        if isinstance(event, LANDED):
            return [(event.board, event.point)]
    return []


def numbered(seats: Sequence[tuple[int, int]], strong: bool = False) -> list[Sign]:
    """Order numbers on boards and points, where there is an order at all."""
    if len(seats) < 2:
        return []
    return [Sign(SignKind.NUMBER, *seat, strong=strong, number=i) for i, seat in enumerate(seats, 1)]


def struck(plies: Sequence[Ply]) -> tuple[list[Sign], list[Ghost]]:
    """Return a turn that is not on the board crossed out: where marbles were set down, pale, and where some were taken.

    Of each choice only what was done by hand: what followed from it may follow from a better one too.
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
    """A page that shows what was played."""

    app: Host

    @property
    def seen(self) -> Seen:
        """What is shown of it, as the person at the screen may know it."""

    def refresh(self) -> None:
        """Ask for a new picture."""


class LastTurn:
    """The turn in which a marble was last set down, and the signs of it."""

    def __init__(self, page: Passed) -> None:
        self.page = page
        self.trails: list[Sign] = []
        """Where marbles have just fallen from."""

    def plies(self, passed: Sequence[Ply], unread: frozenset[int]) -> list[Ply]:
        """The moves of the turn in which a marble was last set down, so far as they may be read."""
        plies = [ply for number, ply in enumerate(passed) if number not in unread]
        turn = next((ply.turn for ply in reversed(plies) if landed(ply.events)), None)
        return [ply for ply in plies if ply.turn == turn]

    def landed(self, plies: Sequence[Ply]) -> list[tuple[int, int]]:
        """Where the marbles of the last turn, or of this one so far, were set down by ``plies``."""
        seen = self.page.seen.view
        found = [seat for ply in plies for seat in landed(ply.events)]
        return [seat for seat in found if seen.filled(seat[0]) >> seat[1] & 1]

    def signs(self, plies: Sequence[Ply]) -> list[Sign]:
        """Where the marbles of the last turn, ``plies``, came from and in which order, until the next is begun."""
        seen = self.page.seen.view
        if seen.step or seen.result is not None:
            return []
        events = [event for ply in plies for event in ply.events]
        # Where nothing flies, the order tells what would have been seen.
        falls = self.page.app.settings.reduced
        done = [s for s in steps(events) if seen.filled(s.board) >> s.point & 1 and (falls or not s.fell)]
        ways = [s for s in done if s.origin not in (-1, s.point) and not s.fell]
        signs = [Sign(SignKind.WAY, s.board, s.origin, to=s.point) for s in ways]
        return signs + numbered([(s.board, s.point) for s in done])

    def leave_trails(self, events: Iterable[ev.Event]) -> None:
        """Shows the ways on which marbles fell, until the next input."""
        kinds = (ev.Dropped, ev.SideDropped)
        self.trails = [
            Sign(SignKind.TRAIL, e.board, e.origin, to=e.point) for e in events if isinstance(e, kinds)
        ]
