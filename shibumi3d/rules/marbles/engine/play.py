"""Functions for playing on a machine, such as listing the legal choices and carrying one out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from shibumi3d.rules.errors import RuleFailure
from shibumi3d.rules.marbles import event as ev
from shibumi3d.rules.marbles.engine.lookahead import (
    FAILED,
    TURN_OVER,
    can_complete_after,
    completable_options,
    has_option,
    run_steps,
    take_option,
)
from shibumi3d.rules.marbles.engine.machine import Machine
from shibumi3d.rules.marbles.engine.rules import PASS, SOLVABLE_LOCATION, WORK_BUDGET
from shibumi3d.rules.marbles.engine.snapshots import set_board
from shibumi3d.rules.marbles.engine.steps.blocks import ByBegin
from shibumi3d.rules.marbles.engine.turns import (
    append_to_history,
    begin_first_turn,
    begin_turns,
    can_pass_now,
    end_turn,
    handle_stuck_seat,
    push_registers,
    reset_match,
    set_up,
)

if TYPE_CHECKING:
    from mypy_extensions import i64 as M

CHOICE_WORK: Final = 100
"""Work charged for each choice that :func:`legal_choices` returns, because callers list and show it."""


def begin_match(m: Machine, stocks: tuple[tuple[int, ...], ...]) -> None:
    """Set up a match with the given stocks, and run to the first choice or the end of the match.

    ``stocks`` holds, for each stock, the number of marbles of each colour. See :func:`~.turns.set_up` for errors.
    """
    m.work_left = WORK_BUDGET
    m.undo_length = 0
    set_up(m, stocks)


def legal_choices(m: Machine) -> list[int]:
    """Return the codes of the legal choices in a fixed order, or an empty list if the match is over.

    See :data:`~.rules.PASS` for the codes. A choice is illegal if the turn can't be completed after it. The look-ahead
    stops at random outcomes and at another seat's part of the turn, so what follows these may still prove impossible.
    If the match isn't over, ``m.work_left`` is first reset to the full work budget; RuleFailure is raised if the budget
    is exceeded.
    """
    if m.result is not None:
        return []
    m.work_left = WORK_BUDGET
    result: list[int] = []
    if not m.is_stuck:
        # Only choices that allow the turn to be completed are offered. Once a turn has begun, a single option therefore
        # needs no check, unless chance or other seats are involved.
        result = completable_options(m, m.choices_made > 0 and m.phase >= 0 and not m.rules.has_uncertainty)
        m.spend_work(CHOICE_WORK * len(result))
    if can_pass_now(m):
        result.append(PASS)
    return result


def sample_choice(m: Machine) -> M:
    """Return a random legal choice, or -1 if there is none.

    Options are tried in random order until one allows the turn to be completed, so every legal choice is equally
    likely.
    """
    if m.result is not None:
        return -1
    m.work_left = WORK_BUDGET
    base = m.stack_height
    if not m.is_stuck:
        m.current_step.push_options(m)
    if can_pass_now(m):
        m.push_option(PASS)
    known = m.completions
    known.clear()
    result: M = -1
    while m.stack_height > base and result < 0:
        drawn = m.option_stack[base + m.random_below(m.stack_height - base)]
        code = drawn.value
        m.stack_height -= 1
        drawn.value = m.option_stack[m.stack_height].value
        if code == PASS or not m.current_step.needs_lookahead or can_complete_after(m, code, known):
            result = code
    m.stack_height = base
    return result


def pseudo_legal_choices(m: Machine) -> list[int]:
    """Return a superset of the legal choices, without checking that the turn can be completed."""
    m.work_left = WORK_BUDGET
    base = m.stack_height
    m.current_step.push_options(m)
    result: list[int] = [word.value for word in m.option_stack[base : m.stack_height]]
    m.stack_height = base
    if can_pass_now(m):
        result.append(PASS)
    return result


def play_choice(m: Machine, code: M) -> None:
    """Carry out one of the :func:`legal_choices`, and run to the next choice or the end of the match.

    If the turn can't be completed after this choice, the seat to act counts as stuck, which ends the game unless the
    rules let the seat pass. During the setup, or if ``Rules.has_uncertainty`` is not set, RuleFailure is raised
    instead. RuleFailure is also raised if a rule can't be carried out or needs too much computation. Raises
    UnknownOutcomeError for an unknown outcome during a preview, or for a random one if the machine rejects chance.
    """
    m.work_left = WORK_BUDGET
    if code == PASS:
        if m.events is not None:
            m.events.append(ev.Passed(m.player_at(m.mover)))
        end_turn(m, True)
        return
    ended = play_unchecked(m, code)
    if ended == FAILED and not m.rules.has_uncertainty:
        raise RuleFailure("the turn can't be completed")
    if ended == FAILED or (ended != TURN_OVER and m.rules.has_uncertainty and not has_option(m, -1)):
        # Look-ahead stops at random outcomes and at other seats' parts, so what follows may be impossible.
        handle_stuck_seat(m)


def play_unchecked(m: Machine, code: M) -> M:
    """Carry out a choice other than a pass, run the steps after it, and return how the run ended.

    Returns AWAITING_CHOICE, TURN_OVER or FAILED; see :func:`~.lookahead.run_steps`. If the turn is then complete, it is
    ended, and the next turn begins unless the match is over. If the setup is complete, the first turn begins. If the
    run fails, nothing is undone; the caller must handle the failure.
    """
    ended = take_option(m, code, None)
    if ended == TURN_OVER:
        if m.phase < 0:
            begin_first_turn(m)
        else:
            end_turn(m, False)
    return ended


def is_solvable(m: Machine) -> bool:
    """Return whether the game file's ``solvable`` condition holds in the current position.

    The game must have such a condition.
    """
    solvable = m.solvable_node
    assert solvable is not None
    me = m.me
    m.me = m.mover
    m.location_code = SOLVABLE_LOCATION
    result = solvable.eval(m) != 0
    m.location_code = 0
    m.me = me
    return result


def tallies_after_secrets(m: Machine) -> list[int]:
    """Return what the tallies would be if the current secret block ended now.

    The steps from the end of the block to the next choice or the end of the turn are carried out, and then undone.
    Returns an empty list if there is no current secret block.
    """
    result: list[int] = []
    for i in range(len(m.secret_blocks)):
        begin = m.secret_blocks[i]
        before = m.secret_outer_seats[i].value
        if before and isinstance(begin, ByBegin):
            mark = push_registers(m)
            m.set_acting_seat(before - 1)
            m.current_step = begin.exit_step
            m.work_left = WORK_BUDGET
            run_steps(m, None)
            for word in m.tallies:
                result.append(word.value)
            m.undo(mark)
            return result
    return result


def begin_at_position(
    m: Machine,
    board_masks: list[tuple[int, ...]],
    stock_counts: dict[int, list[int]],
    phase: int,
    mover: int,
) -> None:
    """Begin a turn in a given position, and run to the next choice or the end of the match.

    ``mover`` is the seat whose turn begins, and ``phase`` the index of the phase. ``board_masks`` holds one mask per
    colour for each board. ``stock_counts`` maps the index of a stock to its number of marbles of each colour. All other
    stocks have their initial contents, except the box: if it is not in ``stock_counts``, marbles are moved between it
    and the boards to turn the initial position into the given one. If the box has too few marbles of a colour for this,
    it is left with none of that colour, and the boards are still filled as given.
    """
    m.work_left = WORK_BUDGET
    m.undo_length = 0
    reset_match(m, m.rules.initial_stocks)
    box = m.stocks[0]
    for board, cells in zip(m.boards, board_masks, strict=True):
        for colour, mask in enumerate(cells):
            before: int = board.by_colour[colour].value
            left: int = box[colour].value + before.bit_count() - mask.bit_count()
            box[colour].value = max(left, 0)
        set_board(m, board, cells)
    for at, numbers in stock_counts.items():
        for colour, number in enumerate(numbers):
            m.stocks[at][colour].value = number
    m.phase = phase
    m.mover = mover
    m.history_length = 0
    if m.needs_history:
        append_to_history(m)
    begin_turns(m)
