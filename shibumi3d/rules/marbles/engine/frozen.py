"""Conversion between machines and immutable snapshots."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from shibumi3d.rules.marbles.engine.board import Board, Word
from shibumi3d.rules.marbles.engine.rules import Rules, Snapshot
from shibumi3d.rules.marbles.engine.workspace import Machine

if TYPE_CHECKING:
    from mypy_extensions import i64 as M


def boards_of(m: Machine) -> tuple[tuple[tuple[int, ...], int, int, tuple[int, ...]], ...]:
    """Return the marbles, filled points, playable points and marks of every board."""
    found: list[tuple[tuple[int, ...], int, int, tuple[int, ...]]] = []
    for board in m.boards:
        cells: tuple[int, ...] = tuple([word.v for word in board.by_colour])
        marks: tuple[int, ...] = tuple([word.v for word in board.marks[:-1]])
        found.append((cells, board.filled, board.playable, marks))
    return tuple(found)


def stocks_of(m: Machine) -> tuple[tuple[int, ...], ...]:
    """Return the contents of every stock as one count per colour.

    If a stock contains marbles whose colour the viewer doesn't know, the number of these is added as a final count.
    """
    found: list[tuple[int, ...]] = []
    for row in m.stocks:
        numbers: list[int] = [word.v for word in row]
        if not numbers[-1]:
            numbers.pop()
        found.append(tuple(numbers))
    return tuple(found)


def names_of(m: Machine) -> tuple[Any, ...]:
    """Return the values of the names that are saved as part of a match."""
    found: list[Any] = []
    shapes = m.rules.shapes
    for i in range(m.rules.saved_names):
        shape = shapes.get(i, "")
        if shape == "items":
            found.append(tuple(m.boxes[i].items))
        elif shape == "lists":
            found.append(tuple([tuple(items) for items in m.boxes[i].lists]))
        else:
            found.append(m.names[i].v)
    return tuple(found)


def save(m: Machine) -> Snapshot:
    """Return the state of the machine as a snapshot."""
    held: tuple[int, int, int, int] | None = None
    if m.held_colour.v >= 0:
        held = (m.held_colour.v, m.held_point.v, m.held_board.v, m.held_marks.v)
    history: list[int] = []
    if m.past:
        history = [word.v for word in m.history[: m.past]]
    return Snapshot(
        boards_of(m),
        stocks_of(m),
        names_of(m),
        tuple([word.v for word in m.tallies]),
        m.at.number,
        tuple([word.v for word in m.loops]),
        tuple([word.v for word in m.prints]),
        m.me,
        m.mover,
        m.next_seat.v,
        m.board.index,
        m.phase,
        m.phase_turns,
        m.turn,
        m.idle,
        m.passed,
        m.taken.v,
        m.removed.v != 0,
        m.step,
        m.origin.v,
        held,
        tuple([(board.began_filled.v, board.began_key.v) for board in m.boards]),
        tuple(history),
        m.draws,
        m.orders,
        m.secret,
        m.stuck,
        m.game_number,
        m.totals,
        m.result,
    )


def exact_key(rules: Rules, at: Snapshot) -> tuple[Any, ...]:
    """Return everything on which the rest of a match depends, as a hashable key.

    This is the whole snapshot except for three counters. No rule reads the number of turns. Of the number of choices in
    the turn, it only matters whether it is 0. The length of the phase matters only if another phase follows.
    """
    phase_turns = 0
    if at.phase + 1 < len(rules.phases):
        phase_turns = at.phase_turns
    return tuple(at._replace(phase_turns=phase_turns, turn=0, step=int(at.step > 0)))


def stand(m: Machine, board: Board, cells: tuple[int, ...]) -> None:
    """Change the marbles on a board to those in ``cells``, with as few changes as possible."""
    wrong: M = 0
    filled: M = 0
    for colour, mask in enumerate(cells):
        wrong |= mask ^ board.by_colour[colour].v
        filled |= mask
    if not wrong:
        return
    m.version += 1
    # Remove marbles from the top down, so that none is ever unsupported.
    for cell in reversed(board.cells):
        if board.filled & cell.bit:
            before = board.colour_at(cell.bit)
            if not filled & cell.bit:
                board.lift(cell, before)
            elif wrong & cell.bit:
                board.paint(cell, before, colour_in(cells, cell.bit))
    for cell in board.cells:
        if filled & cell.bit and not board.filled & cell.bit:
            board.put(cell, colour_in(cells, cell.bit))


def colour_in(cells: tuple[int, ...], bit: M) -> M:
    """Return the colour of the marble on a point, given one mask for each colour."""
    for colour, mask in enumerate(cells):
        if mask & bit:
            return colour
    return 0


def load(m: Machine, at: Snapshot) -> None:
    """Set the machine to a snapshot and clear the undo log."""
    m.length = 0
    m.height = 0
    m.depth = 0
    for board, (cells, _, _, marks) in zip(m.boards, at.boards, strict=True):
        stand(m, board, cells)
        for i, mark in enumerate(marks):
            board.marks[i].v = mark
    for row, numbers in zip(m.stocks, at.stocks, strict=True):
        row[m.colours].v = 0
        for i, number in enumerate(numbers):
            row[i].v = number
    load_names(m, at.names)
    fill(m.tallies, at.tallies)
    fill(m.loops, at.frames)
    fill(m.prints, at.prints)
    m.at = m.code[at.pc]
    m.me = at.me
    m.mover = at.mover
    m.next_seat.v = at.next_seat
    m.board = m.boards[at.board_index]
    m.phase = at.phase
    m.phase_turns = at.phase_turns
    m.turn = at.turn
    m.idle = at.idle
    m.passed = at.passed
    m.taken.v = at.taken
    m.removed.v = 0
    if at.removed:
        m.removed.v = 1
    m.step = at.step
    m.origin.v = at.origin
    held = at.held
    if held is None:
        m.held_colour.v = -1
    else:
        m.held_colour.v, m.held_point.v, m.held_board.v, m.held_marks.v = held
    for board, (filled, key) in zip(m.boards, at.began, strict=True):
        board.began_filled.v = filled
        board.began_key.v = key
    while len(m.history) < len(at.history):
        m.history.append(Word(0))
    fill(m.history, at.history)
    m.past = len(at.history)
    m.draws = at.draws
    m.orders = at.orders
    m.secret = at.secret
    m.stuck = at.stuck
    m.game_number = at.game_number
    m.totals = at.totals
    m.result = at.result
    if at.result is not None:
        m.winners = at.result.winners
    m.version += 1


def load_names(m: Machine, names: tuple[Any, ...]) -> None:
    """Set the names that are saved as part of a match."""
    shapes = m.rules.shapes
    for i, value in enumerate(names):
        shape = shapes.get(i, "")
        if shape == "items":
            m.boxes[i].items = list(value or ())
        elif shape == "lists":
            m.boxes[i].lists = [list(items) for items in value or ()]
        else:
            m.names[i].v = value


def fill(words: list[Word], values: tuple[int, ...]) -> None:
    """Set numbers to ``values``, and any remaining numbers to 0."""
    n = len(values)
    for i, word in enumerate(words):
        if i < n:
            word.v = values[i]
        else:
            word.v = 0
