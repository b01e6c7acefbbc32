"""Hidden information: what a seat may know about a state and about events.

In this module, ``seat`` is a player. In a series, players change seats from game to game, and the rules refer to the
seat in the current game (:meth:`~shibumi3d.rules.marbles.state.State.seat_of`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

from shibumi3d.rules.marbles import event as ev
from shibumi3d.rules.marbles import position
from shibumi3d.rules.marbles.engine.board import key_of_cells
from shibumi3d.rules.marbles.engine.rules import Rules, Snapshot
from shibumi3d.rules.marbles.engines import runner_of
from shibumi3d.rules.marbles.state import UNCOUNTED, State

NOBODY = -1
"""Seat number that matches no seat, used for a viewer who has not moved in the open secret block."""


def view_of(state: State, seat: int | None) -> State:
    """Return the part of a state that ``seat`` may know, or for None the part that all seats may know.

    The contents of hidden stocks are replaced by their size, or by UNCOUNTED if the size is hidden too. Hidden boards
    are empty, and the seed and the order of the bag are removed. Moves made by others in a secret block that is still
    open are left out. Once the match is over, nothing is hidden.
    """
    at, rules = state._at, state._rules
    if at.result is not None:
        return state
    if state.aside is not None:
        # A view no longer holds the secret moves, so the view of another seat is made from what everyone knows.
        viewer, common = state.aside
        if viewer == seat:
            return state
        at = common
    if state.seats == 1:
        seat = 0
    me = NOBODY if seat is None else state.seat_of(seat)
    eyes = (1 << state.seats) - 1 if seat is None else 1 << me
    seen = _seen(at, rules, me, eyes)
    if state.aside is not None:
        return State(rules, seen, None, (seat, state.aside[1]))
    if not at.secret:
        return State(rules, seen, None)
    alone = seat is None or state.seats == 1
    common = seen if alone else _seen(at, rules, NOBODY, (1 << state.seats) - 1)
    return State(rules, seen, None, (seat, common))


def _seen(whole: Snapshot, rules: Rules, me: int, eyes: int) -> Snapshot:
    """Return the part of a snapshot that all seats in the mask ``eyes`` may know.

    ``me`` is the viewing seat, or NOBODY for the view that all seats share.
    """
    at = whole
    if at.secret:
        at = _before_secrets(at, rules, me)
        if at.me == me:
            # The view must not show which of the other seats have already moved.
            at, _ = runner_of(rules).with_others_to_choose(at, me)
    stocks = tuple(
        content
        if rules.stock_sight[i] & eyes == eyes
        else (*(0,) * rules.colours, sum(content) if rules.size_sight[i] & eyes == eyes else UNCOUNTED)
        for i, content in enumerate(at.stocks)
    )
    blank = ((0,) * rules.colours, 0, rules.pyramid.holes, (0,) * rules.marks)
    boards = tuple(b if rules.board_sight[i] & eyes == eyes else blank for i, b in enumerate(at.boards))
    hidden_boards = any(sight & eyes != eyes for sight in rules.board_sight)
    hidden_stocks = any(sight & eyes != eyes for sight in rules.stock_sight)
    told = at.me == me or not hidden_boards
    return at._replace(
        boards=boards,
        stocks=stocks,
        # Prints are hashes of everything on the table when a loop or a shared turn began, so they could reveal it.
        prints=() if hidden_boards or hidden_stocks or at.secret else at.prints,
        # The seat that holds a marble knows its colour, even if it comes from a hidden board.
        held=at.held
        if at.me == me or at.held is None or rules.board_sight[at.held[2]] & eyes == eyes
        else None,
        origin=at.origin if told else 0,
        taken=at.taken if told else 0,
        orders=(),
        secret=(),
        history=() if hidden_boards or at.secret else at.history,
        began=_began(whole, rules, me, eyes, boards),
    )


def _began(
    at: Snapshot, rules: Rules, me: int, eyes: int, boards: Sequence[Any]
) -> tuple[tuple[int, int], ...]:
    """Return ``Snapshot.began`` for a view: each board's mask and hash at the start of the turn.

    ``boards`` are the boards of the view. In a secret block, the values are those at the start of the moves of seat
    ``me``, without the secret moves of other seats.
    """
    found = []
    for i, (cells, filled, *_) in enumerate(boards):
        seen = rules.board_sight[i] & eyes == eyes
        key = key_of_cells(i, cells)
        if seen and not at.secret:
            filled, key = at.began[i]
        elif seen and at.me == me and rules.needs_began:
            now = at.boards[i]
            filled ^= now[1] ^ at.began[i][0]
            key ^= key_of_cells(i, now[0]) ^ at.began[i][1]
        found.append((filled, key))
    return tuple(found)


def as_seen_by(state: State, events: Iterable[ev.Event], seat: int) -> tuple[ev.Event, ...]:
    """Return the part of the events that ``seat`` may know at ``state``.

    Events on hidden boards are omitted, and so are transfers between stocks whose size the seat may not know. In other
    transfers between hidden stocks, the colour is replaced by -1.

    An event does not say who moved. Therefore, visible results of a move in an open secret block are included, although
    :func:`view_of` leaves that move out. A caller that passes events on as they happen must hold back those of other
    seats until an event reveals their moves.
    """
    if state.result is not None:
        return tuple(events)
    shut = state.covered(seat)
    found: list[ev.Event] = []
    for event in events:
        if not isinstance(event, ev.Drew | ev.Given):
            if getattr(event, "board", -1) not in shut:
                found.append(event)
        elif not _between(state, seat, event, state._rules.stock_sight):
            found.append(event)
        elif not _between(state, seat, event, state._rules.size_sight):
            found.append(replace(event, colour=-1))
    return tuple(found)


def _between(state: State, seat: int, event: ev.Drew | ev.Given, sight: Sequence[int]) -> bool:
    """Return whether an event moves a marble between two stocks that ``sight`` hides from ``seat``."""
    receiver = event.seat if isinstance(event, ev.Drew) else event.receiver
    return _unseen(state, seat, event.stock, receiver, sight) and _unseen(
        state, seat, event.source, event.seat, sight
    )


def _unseen(state: State, seat: int, stock: str, holder: int, sight: Sequence[int]) -> bool:
    """Return whether ``sight`` hides a stock from ``seat``.

    For each stock, ``sight`` is a mask of the seats that may see its contents, or of those that may know its size.
    """
    rules = state._rules
    if stock not in rules.stock_names:
        return False
    number = rules.stock_names.index(stock)
    if rules.stock_names.count(stock) > 1 and holder >= 0:
        number += state.seat_of(holder)
    return not sight[number] >> state.seat_of(seat) & 1


def _before_secrets(at: Snapshot, rules: Rules, me: int) -> Snapshot:
    """Return a snapshot in a secret block without the secret moves of seats other than ``me``.

    Where several seats changed the same stock or board, the state before the block is taken and only the changes by
    ``me`` are applied to it.
    """
    boards, stocks, names, tallies, (following, taken, removed, step) = at.secret[0][1]
    moments = [*at.secret, (-1, parts_of(at, rules), 0)]
    for (seat, before, _), (_, after, _) in pairwise(moments):
        if seat != me:
            continue
        boards = tuple(_changed_board(rules, *each) for each in zip(boards, before[0], after[0], strict=True))
        stocks = tuple(
            tuple([n + b - a for n, a, b in zip(*each, strict=True)])
            for each in zip(stocks, before[1], after[1], strict=True)
        )
        names = tuple([n if a == b else b for n, a, b in zip(names, before[2], after[2], strict=True)])
        tallies = tuple([n + b - a for n, a, b in zip(tallies, before[3], after[3], strict=True)])
        following = after[4][0] if after[4][0] != before[4][0] else following
        taken |= after[4][1] & ~before[4][1]
        removed = removed or (after[4][2] and not before[4][2])
        step += after[4][3] - before[4][3]
    mine = at.me == me
    local = rules.saved_names - rules.var_names
    return at._replace(
        boards=boards,
        stocks=stocks,
        names=(*names, *(at.names[rules.var_names :] if mine else (0,) * local)),
        tallies=tallies,
        next_seat=following,
        taken=taken,
        removed=bool(removed),
        step=step,
        origin=at.origin if mine else 0,
        held=at.held if mine else None,
        pc=at.pc if mine else at.secret[-1][2],
        frames=at.frames if mine else (),
    )


def parts_of(at: Snapshot, rules: Rules) -> tuple[Any, ...]:
    """Return the parts of a snapshot that a secret move can change.

    The format is the one in which the engine saves them when a seat begins its moves in a secret block.
    """
    turn = (at.next_seat, at.taken, int(at.removed), at.step)
    return at.boards, at.stocks, at.names[: rules.var_names], at.tallies, turn


def _changed_board(rules: Rules, board: Any, before: Any, after: Any) -> Any:
    """Return ``board`` with the differences between ``before`` and ``after`` applied to it."""
    cells = tuple([n ^ a ^ b for n, a, b in zip(board[0], before[0], after[0], strict=True)])
    marks = tuple([n ^ a ^ b for n, a, b in zip(board[3], before[3], after[3], strict=True)])
    filled = board[1] ^ before[1] ^ after[1]
    return cells, filled, position.playable(rules.pyramid, filled), marks
