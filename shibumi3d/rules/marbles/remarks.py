"""Detection of notable events in a turn, such as captures and falls."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from shibumi3d.rules import game
from shibumi3d.rules.marbles import event as ev
from shibumi3d.rules.marbles.bits import bits
from shibumi3d.rules.marbles.state import State

SET_DOWN = (ev.Placed, ev.Moved, ev.Entered)
"""Events that put a marble on a point chosen by the player."""


def remarks(before: State, after: State, events: Sequence[game.Event], seat: int) -> frozenset[str]:
    """Return the names of the notable events in a turn.

    The possible names are listed in :class:`shibumi3d.rules.game.Remarkable`.
    """
    return frozenset(_said(before, after, events, before.owned(seat)))


def _said(before: State, after: State, events: Sequence[game.Event], own: tuple[int, ...]) -> Iterator[str]:
    if any(isinstance(event, ev.Captured) for event in events):
        yield "capture"
    if any(event.falls for event in events):
        yield "fall"
    if _in_play(after, own) < _in_play(before, own):
        yield "loss"
    if any(_climbs(after, event, own) for event in events):
        yield "climb"
    if any(
        sum(held) > 0 == sum(left)
        for name in before.reserves
        for held, left in zip(before.contents(name), after.contents(name), strict=True)
    ):
        yield "last"


def _in_play(state: State, own: tuple[int, ...]) -> int:
    """Return the number of marbles of the colours ``own`` on all boards."""
    boards = range(len(state.board_names))
    return sum(state.cells(board)[colour].bit_count() for board in boards for colour in own)


def _climbs(state: State, event: game.Event, own: tuple[int, ...]) -> bool:
    """Return whether a marble of the colours ``own`` was set down mainly on others' marbles.

    That is the case if more than half of its supports are not of the colours ``own``.
    """
    if not isinstance(event, SET_DOWN) or event.colour not in own:
        return False
    cells, mine = state.cells(event.board), 0
    for colour in own:
        mine |= cells[colour]
    below = list(bits(state.pyramid.supports[event.point]))
    others = [p for p in below if not mine >> p & 1]
    return bool(state.filled(event.board) >> event.point & 1) and 2 * len(others) > len(below)
