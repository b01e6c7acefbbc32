"""Detection of notable events in a turn, such as captures and falls."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from shibumi3d.rules import game
from shibumi3d.rules.marbles import event as ev
from shibumi3d.rules.marbles.bits import iter_bits
from shibumi3d.rules.marbles.state import State

SETTING_DOWN_EVENTS = (ev.Placed, ev.Moved, ev.Entered)
"""Events that set a marble down, as opposed to dropping or pushing it."""


def find_notable_events(
    before: State, after: State, events: Sequence[game.Event], seat: int
) -> frozenset[str]:
    """Return the names of the notable events in a turn.

    The possible names are listed in :class:`shibumi3d.rules.game.RecognizesNotableEvents`; "loss" and "climb" concern
    the marbles of ``seat``.
    """
    return frozenset(_iter_notable_events(before, after, events, before.owned_colours(seat)))


def _iter_notable_events(
    before: State, after: State, events: Sequence[game.Event], own_colours: tuple[int, ...]
) -> Iterator[str]:
    if any(isinstance(event, ev.Captured) for event in events):
        yield "capture"
    if any(event.includes_fall for event in events):
        yield "fall"
    if _count_in_play(after, own_colours) < _count_in_play(before, own_colours):
        yield "loss"
    if any(_is_climb(after, event, own_colours) for event in events):
        yield "climb"
    if any(
        sum(held) > 0 == sum(left)
        for name in before.reserves
        for held, left in zip(before.stock_contents(name), after.stock_contents(name), strict=True)
    ):
        yield "last"


def _count_in_play(state: State, own_colours: tuple[int, ...]) -> int:
    """Return the number of marbles of ``own_colours`` on all boards."""
    boards = range(len(state.board_names))
    return sum(state.cells(board)[colour].bit_count() for board in boards for colour in own_colours)


def _is_climb(state: State, event: game.Event, own_colours: tuple[int, ...]) -> bool:
    """Return whether ``event`` sets down a marble of ``own_colours`` mainly on marbles of other colours.

    ``state`` is the state after the turn. In it, more than half of the points that support the marble's point must hold
    marbles of other colours, and the marble's point must still be filled.
    """
    if not isinstance(event, SETTING_DOWN_EVENTS) or event.colour not in own_colours:
        return False
    cells, own_marbles = state.cells(event.board), 0
    for colour in own_colours:
        own_marbles |= cells[colour]
    below = list(iter_bits(state.pyramid.supports[event.point]))
    others = [p for p in below if not own_marbles >> p & 1]
    return bool(state.filled(event.board) >> event.point & 1) and 2 * len(others) > len(below)
