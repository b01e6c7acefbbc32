"""Conversion between machines and immutable snapshots."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from shibumi3d.rules.marbles.engine.board import Board, Word
from shibumi3d.rules.marbles.engine.machine import Machine
from shibumi3d.rules.marbles.engine.rules import Rules, Snapshot

if TYPE_CHECKING:
    from mypy_extensions import i64 as M


def snapshot_boards(m: Machine) -> tuple[tuple[tuple[int, ...], int, int, tuple[int, ...]], ...]:
    """Return the marbles, filled points, playable points and marks of every board.

    The mark of marbles about to be removed is left out.
    """
    result: list[tuple[tuple[int, ...], int, int, tuple[int, ...]]] = []
    for board in m.boards:
        cells: tuple[int, ...] = tuple([word.value for word in board.by_colour])
        marks: tuple[int, ...] = tuple([word.value for word in board.marks[:-1]])
        result.append((cells, board.filled, board.playable, marks))
    return tuple(result)


def snapshot_stocks(m: Machine) -> tuple[tuple[int, ...], ...]:
    """Return the contents of every stock as one count per colour.

    If a stock contains marbles whose colour the viewer doesn't know, the number of these is added as a final count. If
    this number is hidden too, the final count is -1.
    """
    result: list[tuple[int, ...]] = []
    for row in m.stocks:
        numbers: list[int] = [word.value for word in row]
        if not numbers[-1]:
            numbers.pop()
        result.append(tuple(numbers))
    return tuple(result)


def snapshot_names(m: Machine) -> tuple[Any, ...]:
    """Return the values of the names that are saved as part of a match."""
    result: list[Any] = []
    shapes = m.rules.list_shapes
    for i in range(m.rules.saved_name_count):
        shape = shapes.get(i, "")
        if shape == "items":
            result.append(tuple(m.list_words[i].items))
        elif shape == "lists":
            result.append(tuple([tuple(items) for items in m.list_words[i].lists]))
        else:
            result.append(m.name_words[i].value)
    return tuple(result)


def save_snapshot(m: Machine) -> Snapshot:
    """Return the state of the machine as a snapshot."""
    held: tuple[int, int, int, int] | None = None
    if m.held_colour.value >= 0:
        held = (m.held_colour.value, m.held_point.value, m.held_board.value, m.held_marks.value)
    history: list[int] = []
    if m.history_length:
        history = [word.value for word in m.history[: m.history_length]]
    return Snapshot(
        snapshot_boards(m),
        snapshot_stocks(m),
        snapshot_names(m),
        tuple([word.value for word in m.tallies]),
        m.current_step.program_index,
        tuple([word.value for word in m.loop_words]),
        tuple([word.value for word in m.checkpoint_words]),
        m.me,
        m.mover,
        m.next_seat.value,
        m.board.index,
        m.phase,
        m.phase_turns,
        m.turn,
        m.idle_count,
        m.passed_seats,
        m.taken_colours.value,
        m.has_removed.value != 0,
        m.choices_made,
        m.origin.value,
        held,
        tuple([(board.turn_start_filled.value, board.turn_start_key.value) for board in m.boards]),
        tuple(history),
        m.draw_count,
        m.draw_orders,
        m.secret_parts,
        m.is_stuck,
        m.game_number,
        m.totals,
        m.result,
    )


def position_tuple(rules: Rules, snapshot: Snapshot) -> tuple[Any, ...]:
    """Return everything in a snapshot on which the rest of the match depends, as a hashable key.

    This is the whole snapshot, with three counters simplified. ``turn`` is set to 0, because no rule reads it.
    ``choices_made`` is set to 0 or 1, because all that matters is whether it is 0. ``phase_turns`` is set to 0 in the
    last phase, because it matters only if another phase follows.
    """
    phase_turns = 0
    if snapshot.phase + 1 < len(rules.phases):
        phase_turns = snapshot.phase_turns
    return tuple(
        snapshot._replace(phase_turns=phase_turns, turn=0, choices_made=int(snapshot.choices_made > 0))
    )


def set_board(m: Machine, board: Board, cells: tuple[int, ...]) -> None:
    """Make the marbles on a board match ``cells``, with as few changes as possible.

    ``cells`` contains one mask for each colour. The changes aren't added to the undo log.
    """
    changed_points: M = 0
    filled: M = 0
    for colour, mask in enumerate(cells):
        changed_points |= mask ^ board.by_colour[colour].value
        filled |= mask
    if not changed_points:
        return
    m.board_version += 1
    # Remove marbles from the top down, so that none is ever unsupported.
    for cell in reversed(board.cells):
        if board.filled & cell.bit:
            before = board.colour_at(cell.bit)
            if not filled & cell.bit:
                board.remove(cell, before)
            elif changed_points & cell.bit:
                board.recolour(cell, before, colour_of_point(cells, cell.bit))
    for cell in board.cells:
        if filled & cell.bit and not board.filled & cell.bit:
            board.put(cell, colour_of_point(cells, cell.bit))


def colour_of_point(cells: tuple[int, ...], bit: M) -> M:
    """Return the colour of the marble on the filled point ``bit``; ``cells`` has one mask for each colour."""
    for colour, mask in enumerate(cells):
        if mask & bit:
            return colour
    return 0


def load_snapshot(m: Machine, snapshot: Snapshot) -> None:
    """Set the machine to the state in a snapshot and clear the undo log."""
    m.undo_length = 0
    m.stack_height = 0
    m.lookahead_depth = 0
    for board, (cells, _, _, marks) in zip(m.boards, snapshot.boards, strict=True):
        set_board(m, board, cells)
        for i, mark in enumerate(marks):
            board.marks[i].value = mark
    for row, numbers in zip(m.stocks, snapshot.stocks, strict=True):
        row[m.colours].value = 0
        for i, number in enumerate(numbers):
            row[i].value = number
    load_names(m, snapshot.name_values)
    set_words(m.tallies, snapshot.tallies)
    set_words(m.loop_words, snapshot.loop_values)
    set_words(m.checkpoint_words, snapshot.checkpoints)
    m.current_step = m.program[snapshot.step_index]
    m.me = snapshot.me
    m.mover = snapshot.mover
    m.next_seat.value = snapshot.next_seat
    m.board = m.boards[snapshot.board_index]
    m.phase = snapshot.phase
    m.phase_turns = snapshot.phase_turns
    m.turn = snapshot.turn
    m.idle_count = snapshot.idle_count
    m.passed_seats = snapshot.passed_seats
    m.taken_colours.value = snapshot.taken_colours
    m.has_removed.value = 0
    if snapshot.has_removed:
        m.has_removed.value = 1
    m.choices_made = snapshot.choices_made
    m.origin.value = snapshot.origin
    held = snapshot.held_marble
    if held is None:
        m.held_colour.value = -1
    else:
        m.held_colour.value, m.held_point.value, m.held_board.value, m.held_marks.value = held
    for board, (filled, key) in zip(m.boards, snapshot.turn_start, strict=True):
        board.turn_start_filled.value = filled
        board.turn_start_key.value = key
    while len(m.history) < len(snapshot.history):
        m.history.append(Word(0))
    set_words(m.history, snapshot.history)
    m.history_length = len(snapshot.history)
    m.draw_count = snapshot.draw_count
    m.draw_orders = snapshot.draw_orders
    m.secret_parts = snapshot.secret_parts
    m.is_stuck = snapshot.is_stuck
    m.game_number = snapshot.game_number
    m.totals = snapshot.totals
    m.result = snapshot.result
    if snapshot.result is not None:
        m.winners = snapshot.result.winners
    m.board_version += 1


def load_names(m: Machine, names: tuple[Any, ...]) -> None:
    """Assign the values in ``names`` to the names that are saved with a match.

    The values are in the order of the slots of the names.
    """
    shapes = m.rules.list_shapes
    for i, value in enumerate(names):
        shape = shapes.get(i, "")
        if shape == "items":
            m.list_words[i].items = list(value or ())
        elif shape == "lists":
            m.list_words[i].lists = [list(items) for items in value or ()]
        else:
            m.name_words[i].value = value


def set_words(words: list[Word], values: tuple[int, ...]) -> None:
    """Assign ``values`` to ``words`` in order, and set any remaining words to 0."""
    n = len(values)
    for i, word in enumerate(words):
        if i < n:
            word.value = values[i]
        else:
            word.value = 0
