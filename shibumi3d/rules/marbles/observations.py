"""Hidden information: what a seat may know about a state and about events.

In this module, ``seat`` is a player. In a series, players change seats from game to game, and the rules refer to the
seat in the current game (:meth:`~shibumi3d.rules.marbles.state.State.seat_of_player`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

from shibumi3d.rules.marbles import event as ev
from shibumi3d.rules.marbles import position
from shibumi3d.rules.marbles.engine.board import hash_cells
from shibumi3d.rules.marbles.engine.rules import Rules, Snapshot
from shibumi3d.rules.marbles.engines import get_runner
from shibumi3d.rules.marbles.state import UNKNOWN_COUNT, State

NO_SEAT = -1
"""Seat number that matches no seat, used for the view that all seats share."""


def make_view(state: State, seat: int | None) -> State:
    """Return the part of a state that ``seat`` may know.

    If ``seat`` is None, this is the part that all seats may know. The contents of hidden stocks are replaced by their
    size, or by UNKNOWN_COUNT if the size is hidden too. Hidden boards are empty, and the seed and the order of future
    draws are removed. Moves made by others in a secret block that is still open are left out. Once the match is over,
    nothing is hidden.
    """
    snapshot, rules = state._snapshot, state._rules
    if snapshot.result is not None:
        return state
    if state.common_view is not None:
        # A view no longer holds the secret moves, so the view of another seat is made from what everyone knows.
        viewer, common = state.common_view
        if viewer == seat:
            return state
        snapshot = common
    if state.seats == 1:
        seat = 0
    me = NO_SEAT if seat is None else state.seat_of_player(seat)
    viewers = (1 << state.seats) - 1 if seat is None else 1 << me
    observed = _observe_snapshot(snapshot, rules, me, viewers)
    if state.common_view is not None:
        return State(rules, observed, None, (seat, state.common_view[1]))
    if not snapshot.secret_parts:
        return State(rules, observed, None)
    alone = seat is None or state.seats == 1
    common = observed if alone else _observe_snapshot(snapshot, rules, NO_SEAT, (1 << state.seats) - 1)
    return State(rules, observed, None, (seat, common))


def _observe_snapshot(full: Snapshot, rules: Rules, viewing_seat: int, viewers: int) -> Snapshot:
    """Return the part of a snapshot that all seats in the mask ``viewers`` may know.

    For the view of one seat, ``viewing_seat`` is that seat, and ``viewers`` contains only this seat. For the view that
    all seats share, ``viewing_seat`` is NO_SEAT, and ``viewers`` contains all seats.
    """
    snapshot = full
    if snapshot.secret_parts:
        snapshot = _without_others_secrets(snapshot, rules, viewing_seat)
        if snapshot.me == viewing_seat:
            # The view must not show which of the other seats have already moved.
            snapshot, _ = get_runner(rules).with_others_unchosen(snapshot, viewing_seat)
    stocks = tuple(
        content
        if rules.stock_viewers[i] & viewers == viewers
        else (
            *(0,) * rules.colour_count,
            sum(content) if rules.stock_size_viewers[i] & viewers == viewers else UNKNOWN_COUNT,
        )
        for i, content in enumerate(snapshot.stocks)
    )
    blank = ((0,) * rules.colour_count, 0, rules.pyramid.holes, (0,) * rules.mark_count)
    boards = tuple(
        b if rules.board_viewers[i] & viewers == viewers else blank for i, b in enumerate(snapshot.boards)
    )
    hidden_boards = any(sight & viewers != viewers for sight in rules.board_viewers)
    # An empty stock hides nothing: what it held when a checkpoint was made is visible by now, or hidden elsewhere.
    hidden_stocks = any(
        sight & viewers != viewers and any(content)
        for sight, content in zip(rules.stock_viewers, snapshot.stocks, strict=True)
    )
    sees_hand = snapshot.me == viewing_seat or not hidden_boards
    return snapshot._replace(
        boards=boards,
        stocks=stocks,
        # Checkpoints are hashes of everything on the table when a loop or a shared turn began, so they could reveal it.
        checkpoints=() if hidden_boards or hidden_stocks or snapshot.secret_parts else snapshot.checkpoints,
        # The seat that holds a marble knows its colour, even if it comes from a hidden board.
        held_marble=snapshot.held_marble
        if snapshot.me == viewing_seat
        or snapshot.held_marble is None
        or rules.board_viewers[snapshot.held_marble[2]] & viewers == viewers
        else None,
        origin=snapshot.origin if sees_hand else 0,
        taken_colours=snapshot.taken_colours if sees_hand else 0,
        draw_orders=(),
        secret_parts=(),
        history=() if hidden_boards or snapshot.secret_parts else snapshot.history,
        turn_start=_observe_turn_start(full, rules, viewing_seat, viewers, boards),
    )


def _observe_turn_start(
    snapshot: Snapshot, rules: Rules, viewing_seat: int, viewers: int, boards: Sequence[Any]
) -> tuple[tuple[int, int], ...]:
    """Return ``Snapshot.turn_start`` for a view: each board's filled points and hash when the turn began.

    ``boards`` are the boards of the view. Outside secret blocks, a board that all ``viewers`` can see has the values
    that ``snapshot`` gives; the values of any other board describe the board of the view as it is now.

    In a secret block, the values of every board describe the board of the view, with one exception: if ``viewing_seat``
    is acting and the rules need the start of the turn, the changes that this seat has made since
    ``snapshot.turn_start`` are left out on the boards that all ``viewers`` can see.
    """
    found = []
    for i, (cells, filled, *_) in enumerate(boards):
        observed = rules.board_viewers[i] & viewers == viewers
        key = hash_cells(i, cells)
        if observed and not snapshot.secret_parts:
            filled, key = snapshot.turn_start[i]
        elif observed and snapshot.me == viewing_seat and rules.needs_turn_start:
            now = snapshot.boards[i]
            filled ^= now[1] ^ snapshot.turn_start[i][0]
            key ^= hash_cells(i, now[0]) ^ snapshot.turn_start[i][1]
        found.append((filled, key))
    return tuple(found)


def observe_events(state: State, events: Iterable[ev.Event], seat: int) -> tuple[ev.Event, ...]:
    """Return the part of the events that ``seat`` may know in ``state``.

    Events on hidden boards are omitted, and so are transfers between stocks whose size the seat may not know. In other
    transfers between hidden stocks, the colour is replaced by -1. Once the match is over, nothing is hidden.

    Not every event says who moved. Therefore, visible results of a move in a secret block are included even while the
    block is still in progress, although :func:`make_view` leaves that move out. A caller that passes events on as they
    happen must hold back those of other seats until the moves in the block are revealed.
    """
    if state.result is not None:
        return tuple(events)
    hidden_boards = state.hidden_boards(seat)
    result: list[ev.Event] = []
    for event in events:
        if not isinstance(event, ev.Drew | ev.Given):
            if getattr(event, "board", -1) not in hidden_boards:
                result.append(event)
        elif not _is_hidden_transfer(state, seat, event, state._rules.stock_viewers):
            result.append(event)
        elif not _is_hidden_transfer(state, seat, event, state._rules.stock_size_viewers):
            result.append(replace(event, colour=-1))
    return tuple(result)


def _is_hidden_transfer(
    state: State, seat: int, event: ev.Drew | ev.Given, viewers_by_stock: Sequence[int]
) -> bool:
    """Return whether an event moves a marble between two stocks that are hidden from ``seat``.

    For ``viewers_by_stock``, see :func:`_is_hidden_stock`.
    """
    receiver = event.seat if isinstance(event, ev.Drew) else event.receiver
    return _is_hidden_stock(state, seat, event.stock, receiver, viewers_by_stock) and _is_hidden_stock(
        state, seat, event.source, event.seat, viewers_by_stock
    )


def _is_hidden_stock(
    state: State, seat: int, stock: str, holder: int, viewers_by_stock: Sequence[int]
) -> bool:
    """Return whether a stock is hidden from a player.

    ``seat`` and ``holder`` are players, not seats of the current game. ``stock`` is the name of the stock; the result
    is False if there is no stock with this name. ``holder`` is the player who holds it, and doesn't matter for a shared
    stock. Pass ``Rules.stock_viewers`` as ``viewers_by_stock`` to check the contents, or ``Rules.stock_size_viewers``
    to check the size.
    """
    rules = state._rules
    if stock not in rules.stock_names:
        return False
    number = rules.stock_names.index(stock)
    if rules.stock_names.count(stock) > 1 and holder >= 0:
        number += state.seat_of_player(holder)
    return not viewers_by_stock[number] >> state.seat_of_player(seat) & 1


def _without_others_secrets(snapshot: Snapshot, rules: Rules, viewing_seat: int) -> Snapshot:
    """Return ``snapshot`` without the moves that other seats have made in the current secret block.

    ``snapshot`` must have been taken during a secret block. The result combines the state before the block with the
    changes made by ``viewing_seat`` alone. If ``viewing_seat`` is NO_SEAT, all moves made in the block are left out.
    """
    boards, stocks, names, tallies, (following, taken_colours, removed, step) = snapshot.secret_parts[0][1]
    moments = [*snapshot.secret_parts, (-1, secret_parts_of(snapshot, rules), 0)]
    for (seat, before, _), (_, after, _) in pairwise(moments):
        if seat != viewing_seat:
            continue
        boards = tuple(_apply_changes(rules, *each) for each in zip(boards, before[0], after[0], strict=True))
        stocks = tuple(
            tuple([n + b - a for n, a, b in zip(*each, strict=True)])
            for each in zip(stocks, before[1], after[1], strict=True)
        )
        names = tuple([n if a == b else b for n, a, b in zip(names, before[2], after[2], strict=True)])
        tallies = tuple([n + b - a for n, a, b in zip(tallies, before[3], after[3], strict=True)])
        following = after[4][0] if after[4][0] != before[4][0] else following
        taken_colours |= after[4][1] & ~before[4][1]
        removed = removed or (after[4][2] and not before[4][2])
        step += after[4][3] - before[4][3]
    is_own_part = snapshot.me == viewing_seat
    local = rules.saved_name_count - rules.var_count
    return snapshot._replace(
        boards=boards,
        stocks=stocks,
        name_values=(*names, *(snapshot.name_values[rules.var_count :] if is_own_part else (0,) * local)),
        tallies=tallies,
        next_seat=following,
        taken_colours=taken_colours,
        has_removed=bool(removed),
        choices_made=step,
        origin=snapshot.origin if is_own_part else 0,
        held_marble=snapshot.held_marble if is_own_part else None,
        step_index=snapshot.step_index if is_own_part else snapshot.secret_parts[-1][2],
        loop_values=snapshot.loop_values if is_own_part else (),
    )


def secret_parts_of(snapshot: Snapshot, rules: Rules) -> tuple[object, ...]:
    """Return the parts of a snapshot that a secret move can change.

    They have the format in which the engine saves them when a seat begins its moves in a secret block.
    """
    turn = (snapshot.next_seat, snapshot.taken_colours, int(snapshot.has_removed), snapshot.choices_made)
    return snapshot.boards, snapshot.stocks, snapshot.name_values[: rules.var_count], snapshot.tallies, turn


def _apply_changes(rules: Rules, board: Any, before: Any, after: Any) -> Any:
    """Return ``board`` with the differences between ``before`` and ``after`` applied to it."""
    cells = tuple([n ^ a ^ b for n, a, b in zip(board[0], before[0], after[0], strict=True)])
    marks = tuple([n ^ a ^ b for n, a, b in zip(board[3], before[3], after[3], strict=True)])
    filled = board[1] ^ before[1] ^ after[1]
    return cells, filled, position.playable_points(rules.pyramid, filled), marks
