"""What players do with a machine: ask for the choices open now, and carry one out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from shibumi3d.rules.errors import RuleFailure
from shibumi3d.rules.marbles import event as ev
from shibumi3d.rules.marbles.engine.frozen import stand
from shibumi3d.rules.marbles.engine.lookahead import FAILED, OVER, any_option, completable, options, run, take
from shibumi3d.rules.marbles.engine.rules import PASS, SOLVABLE_TERM, WORK
from shibumi3d.rules.marbles.engine.steps.blocks import ByBegin
from shibumi3d.rules.marbles.engine.turns import (
    begin_stuck,
    begin_turn,
    end_turn,
    first_turn,
    lay_out,
    may_pass_now,
    note_registers,
    remember,
    set_up,
)
from shibumi3d.rules.marbles.engine.workspace import Machine

if TYPE_CHECKING:
    from mypy_extensions import i64 as M

OPTION_COST: Final = 100
"""What an option costs that is offered: it is written down, and shown."""


def begin(m: Machine, stocks: tuple[tuple[int, ...], ...]) -> None:
    """Set a match up, with these stocks, and go on to the first choice."""
    m.work = WORK
    m.length = 0
    set_up(m, stocks)


def choices(m: Machine) -> list[int]:
    """Return the choices open now, as codes, in a fixed order; none when the match is over."""
    if m.result is not None:
        return []
    m.work = WORK
    found: list[int] = []
    if not m.stuck:
        # Nothing is offered after which the turn can't be completed, unless chance or others come in.
        found = options(m, m.step > 0 and m.phase >= 0 and not m.rules.uncertain)
        m.spend(OPTION_COST * len(found))
    if may_pass_now(m):
        found.append(PASS)
    return found


def sampled(m: Machine) -> M:
    """Return one of the choices open now at random, -1 when the match is over.

    Options are tried in random order, and the first from which the turn can be completed is taken.
    """
    if m.result is not None:
        return -1
    m.work = WORK
    base = m.height
    if not m.stuck:
        m.at.offer(m)
    if may_pass_now(m):
        m.push(PASS)
    known: dict[int, bool] = {}
    found: M = -1
    while m.height > base and found < 0:
        drawn = m.stack[base + m.below(m.height - base)]
        code = drawn.v
        m.height -= 1
        drawn.v = m.stack[m.height].v
        if code == PASS or not m.at.look or completable(m, code, known):
            found = code
    m.height = base
    return found


def raw_choices(m: Machine) -> list[int]:
    """Return choices among which are all that are open now, not tried out."""
    m.work = WORK
    base = m.height
    m.at.offer(m)
    found: list[int] = [word.v for word in m.stack[base : m.height]]
    m.height = base
    if may_pass_now(m):
        found.append(PASS)
    return found


def play(m: Machine, code: M) -> None:
    """Carry out one of the :func:`choices`. Raises RuleFailure where the turn can't be completed after it."""
    m.work = WORK
    if code == PASS:
        if m.events is not None:
            m.events.append(ev.Passed(m.who(m.mover)))
        end_turn(m, True)
        return
    ended = carry_out(m, code)
    if ended == FAILED and not m.rules.uncertain:
        raise RuleFailure("the turn can't be completed")
    if ended == FAILED or (ended != OVER and m.rules.uncertain and not any_option(m, -1)):
        # Nobody looked past chance or another seat's part: what comes there may be impossible.
        begin_stuck(m)


def carry_out(m: Machine, code: M) -> M:
    """Take a choice, and end the turn when it was the last of it; returns how the run ended."""
    ended = take(m, code, None)
    if ended == OVER:
        if m.phase < 0:
            first_turn(m)
        else:
            end_turn(m, False)
    return ended


def solvable_now(m: Machine) -> bool:
    """Return whether the rules say that what was dealt can be won."""
    solvable = m.solvable
    assert solvable is not None
    me = m.me
    m.me = m.mover
    m.reading = SOLVABLE_TERM
    found = solvable.eval(m) != 0
    m.reading = 0
    m.me = me
    return found


def settled(m: Machine) -> list[int]:
    """Return the tallies if all had chosen in the secret block that is under way, and the rest of the turn came now.

    Returns nothing where there is no such block.
    """
    found: list[int] = []
    for i in range(len(m.secret_blocks)):
        begin = m.secret_blocks[i]
        before = m.secret_me[i].v
        if before and isinstance(begin, ByBegin):
            mark = note_registers(m)
            m.sit(before - 1)
            m.at = begin.leave
            m.work = WORK
            run(m, None)
            for word in m.tallies:
                found.append(word.v)
            m.undo(mark)
            return found
    return found


def begin_at(
    m: Machine,
    boards: list[tuple[int, ...]],
    stocks: dict[int, list[int]],
    phase: int,
    mover: int,
) -> None:
    """Begin a turn on given boards (one mask a colour), whose marbles come out of the box, and given stocks."""
    m.work = WORK
    m.length = 0
    lay_out(m, m.rules.stock_start)
    box = m.stocks[0]
    for board, cells in zip(m.boards, boards, strict=True):
        for colour, mask in enumerate(cells):
            before: int = board.by_colour[colour].v
            left: int = box[colour].v + before.bit_count() - mask.bit_count()
            box[colour].v = max(left, 0)
        stand(m, board, cells)
    for at, numbers in stocks.items():
        for colour, number in enumerate(numbers):
            m.stocks[at][colour].v = number
    m.phase = phase
    m.mover = mover
    m.past = 0
    if m.needs_history:
        remember(m)
    begin_turn(m)
