"""Random playouts, optimized for speed.

Playouts are lazy: whether a seat can move at all is determined only when the seat tries to move. Changes are recorded
in the undo log only if the rules need look-ahead (``Machine.tries``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, final

from shibumi3d.rules.errors import RuleFailure
from shibumi3d.rules.marbles.engine.board import Box, Word, count
from shibumi3d.rules.marbles.engine.lookahead import FAILED, OPEN, OVER, WAITING, reach, run, take
from shibumi3d.rules.marbles.engine.rules import PASS, WORK
from shibumi3d.rules.marbles.engine.turns import begin_stuck, end_turn, first_turn, may_pass_now
from shibumi3d.rules.marbles.engine.workspace import Machine, Registers, Step

if TYPE_CHECKING:
    from mypy_extensions import i64 as M


def play_out(m: Machine, limit: M) -> bool:
    """Make random choices to the end of the match; return whether it ended within ``limit`` turns.

    Every choice is drawn uniformly from the legal ones.
    """
    keep = m.keep
    lazy = m.lazy
    m.keep = m.tries
    m.lazy = True
    m.rolling = True
    end = m.turn + limit
    while m.result is None and m.turn < end:
        m.length = 0
        m.work = WORK
        if m.stuck:
            end_turn(m, True)
        else:
            play_turn(m)
    m.keep = keep
    m.lazy = lazy
    m.rolling = False
    return m.result is not None


def play_turn(m: Machine) -> None:
    """Make one random choice, or play a whole random turn if its choices need look-ahead.

    Raises RuleFailure if the turn can't be completed.
    """
    step = m.at
    passing = not m.never_pass and (m.passes or m.step == 0) and may_pass_now(m)
    if step.look:
        m.looking = True
        m.passing = False
        ended = reach(m, WAITING, None, {}, True, passing)
        m.looking = False
        if m.passing:
            m.passing = False
            end_turn(m, True)
            return
        if ended == FAILED:
            begin_stuck(m)
            return
        if ended == OPEN:
            ended = run(m, None)
    else:
        if step.simple and not passing:
            code = drawn_point(m, step)
        else:
            code = drawn_option(m, step, passing)
        if code == PASS:
            end_turn(m, True)
            return
        if code < 0:
            begin_stuck(m)
            return
        ended = take(m, code, None)
    if ended == OVER:
        if m.phase < 0:
            first_turn(m)
        else:
            end_turn(m, False)
    elif ended == FAILED:
        if not m.rules.uncertain:
            raise RuleFailure("the turn can't be completed")
        begin_stuck(m)


def drawn_point(m: Machine, step: Step) -> M:
    """Return the code of a random option of a simple choice, or -1 if there is none.

    The options of a simple choice are the points of one mask; see ``Step.simple``.
    """
    mask = step.mask(m)
    n = m.below(count(mask))
    if not mask:
        return -1
    while n:
        mask &= mask - 1
        n -= 1
    low: int = mask & -mask
    return step.head | m.board.index << 16 | low.bit_length() - 1 << 7


def drawn_option(m: Machine, step: Step, passing: bool) -> M:
    """Return the code of a random option of a choice, or -1 if there is none.

    If ``passing`` is set, PASS is one of the options.
    """
    base = m.height
    step.offer(m)
    if passing:
        m.push(PASS)
    n = m.height - base
    code: M = -1
    if n:
        code = m.stack[base + m.below(n)].v
    m.height = base
    return code


@final
class Kept:
    """A checkpoint to which a machine can be reset any number of times.

    Its storage is allocated once and then filled by :meth:`keep`.
    """

    def __init__(self, m: Machine) -> None:
        self.registers = Registers(m)
        self.words: Final[list[Word]] = all_words(m)
        self.values: Final[list[Word]] = [Word(0) for _ in self.words]
        self.boxes: Final[list[Box]] = [Box() for _ in m.boxes]
        self.boards: Final[list[Word]] = []
        for board in m.boards:
            for _ in range(4 + len(board.cells)):
                self.boards.append(Word(0))
        self.past: list[int] = []

    def keep(self, m: Machine) -> None:
        """Save the current state of the machine."""
        self.registers = Registers(m)
        i: M = 0
        for word in self.words:
            self.values[i].v = word.v
            i += 1
        i = 0
        for box in m.boxes:
            kept = self.boxes[i]
            kept.items = box.items
            kept.lists = box.lists
            i += 1
        i = 0
        for board in m.boards:
            self.boards[i].v = board.filled
            self.boards[i + 1].v = board.playable
            self.boards[i + 2].v = board.hidden
            self.boards[i + 3].v = board.key
            i += 4
            if board.connected:
                for cell in board.cells:
                    self.boards[i].v = cell.contacts
                    i += 1
        # The next game of a series overwrites the history of the current one.
        self.past = [word.v for word in m.history[: m.past]] if m.gain is not None else []

    def restore(self, m: Machine) -> None:
        """Reset the machine to the saved state."""
        i: M = 0
        end = len(self.words)
        while i < end:
            self.words[i].v = self.values[i].v
            i += 1
        i = 0
        for box in m.boxes:
            kept = self.boxes[i]
            box.items = kept.items
            box.lists = kept.lists
            i += 1
        i = 0
        for board in m.boards:
            board.filled = self.boards[i].v
            board.playable = self.boards[i + 1].v
            board.hidden = self.boards[i + 2].v
            board.key = self.boards[i + 3].v
            i += 4
            if board.connected:
                for cell in board.cells:
                    board.connect(cell, self.boards[i].v)
                    i += 1
        for at in range(len(self.past)):
            m.history[at].v = self.past[at]
        m.version += 1
        self.registers.restore(m)


def all_words(m: Machine) -> list[Word]:
    """Return every :class:`~.board.Word` that a checkpoint must save, other than the history."""
    found: list[Word] = []
    for words in (m.saved, m.tallies, m.loops, m.prints, m.turn_words):
        found += words
    for row in m.stocks:
        found += row
    for board in m.boards:
        found += board.by_colour
        found += board.marks
        found.append(board.began_filled)
        found.append(board.began_key)
    return found
