"""Functions for playing on a machine, such as listing the legal choices and carrying one out."""

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
"""Work charged for each choice that :func:`choices` returns, because callers list and show it."""


def begin(m: Machine, stocks: tuple[tuple[int, ...], ...]) -> None:
    """Set up a match with the given stocks and run to the first choice.

    ``stocks`` holds, for each stock, the number of marbles of each colour.
    """
    m.work = WORK
    m.length = 0
    set_up(m, stocks)


def choices(m: Machine) -> list[int]:
    """Return the codes of the legal choices, in a fixed order; empty if the match is over.

    See :data:`~.rules.PASS` for the codes. A choice is illegal if the turn can't be completed after it, as far as that
    can be determined without looking past random outcomes or another seat's part of the turn.
    """
    if m.result is not None:
        return []
    m.work = WORK
    found: list[int] = []
    if not m.stuck:
        # Only choices that allow the turn to be completed are offered. Once a turn has begun, a single option therefore
        # needs no check, unless chance or other seats are involved.
        found = options(m, m.step > 0 and m.phase >= 0 and not m.rules.uncertain)
        m.spend(OPTION_COST * len(found))
    if may_pass_now(m):
        found.append(PASS)
    return found


def sampled(m: Machine) -> M:
    """Return a random legal choice, or -1 if there is none.

    Options are tried in random order until one is found after which the turn can be completed, so every legal choice is
    equally likely.
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
    """Return a superset of the legal choices, without checking that the turn can be completed."""
    m.work = WORK
    base = m.height
    m.at.offer(m)
    found: list[int] = [word.v for word in m.stack[base : m.height]]
    m.height = base
    if may_pass_now(m):
        found.append(PASS)
    return found


def play(m: Machine, code: M) -> None:
    """Carry out one of the :func:`choices`.

    Raises RuleFailure if the turn can't be completed after it. If the rules involve chance or turns shared by several
    seats, the seat is treated as stuck instead.
    """
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
        # Look-ahead stops at random outcomes and at other seats' parts, so what follows may be impossible.
        begin_stuck(m)


def carry_out(m: Machine, code: M) -> M:
    """Carry out a choice, end the turn if it is complete, and return how the run ended."""
    ended = take(m, code, None)
    if ended == OVER:
        if m.phase < 0:
            first_turn(m)
        else:
            end_turn(m, False)
    return ended


def solvable_now(m: Machine) -> bool:
    """Return whether the game file's ``solvable`` condition holds in the current position.

    The game must have such a condition.
    """
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
    """Return what the tallies would be if the current secret block ended now.

    The program runs from the end of the block, as if all seats had chosen, until it stops; everything is then undone.
    Returns an empty list if there is no current secret block.
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
    """Begin a turn in a given position.

    ``boards`` holds one mask per colour for each board. The marbles are deducted from the box, whose counts don't go
    below zero. ``stocks`` maps the index of a stock to its number of marbles of each colour. All other stocks have
    their initial contents.
    """
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
