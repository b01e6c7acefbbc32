"""Turns, games and series: how a match begins, which seat is next, and when the match is over."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from shibumi3d.rules.errors import RuleFailure, Unforeseen
from shibumi3d.rules.marbles import event as ev
from shibumi3d.rules.marbles.engine.board import Word
from shibumi3d.rules.marbles.engine.ends import drawn, finish_draw, test_rules
from shibumi3d.rules.marbles.engine.lookahead import (
    FAILED,
    OPEN,
    OVER,
    TRIAL_COST,
    WAITING,
    any_option,
    hold,
    let_go,
    options,
    run,
)
from shibumi3d.rules.marbles.engine.rules import GAIN_TERM, UNTIL_TERM, Result
from shibumi3d.rules.marbles.engine.workspace import ON_REGISTERS, WAITS, Machine, Registers

if TYPE_CHECKING:
    from mypy_extensions import i64 as M

DEALS: Final = 1_000
"""Maximum number of deals to try if the ``require`` in a setup fails."""
DEAL_COST: Final = 500
"""Work charged for one deal, in addition to its marbles."""


def note_registers(m: Machine) -> M:
    """Save the registers in the undo log, and return a mark.

    Passing it to ``undo`` restores the registers along with everything else that has changed since.
    """
    mark = m.length
    m.entry(ON_REGISTERS).registers = Registers(m)
    return mark


# ---------------------------------------------------------------- one turn


def pass_allowed(m: Machine) -> bool:
    """Return whether the rules let the mover pass at the start of this turn."""
    rule = m.phases[m.phase].passing
    if rule is None:
        return False
    before = m.me
    m.me = m.mover
    allowed = rule.eval(m) != 0
    m.me = before
    return allowed


def may_pass_now(m: Machine) -> bool:
    """Return whether a pass is legal now.

    This is the case if the seat is stuck, or at the start of a turn if the rules allow it.
    """
    if m.phase < 0:
        return False
    return m.stuck or (m.step == 0 and m.me == m.mover and pass_allowed(m))


def clear_turn(m: Machine) -> None:
    """Reset everything that lasts for only one turn."""
    at: M = 0
    end = len(m.turn_cleared)
    while at < end:
        if m.turn_cleared[at].v:
            m.set(m.turn_cleared[at], 0)
        at += 1
    if m.next_seat.v != -1:
        m.set(m.next_seat, -1)
    for box in m.boxes_cleared:
        if box.items or box.lists:
            m.set_box(box, [], [])
    if m.needs_began:
        for board in m.boards:
            m.set(board.began_filled, board.filled)
            m.set(board.began_key, board.key)


def open_turn(m: Machine) -> None:
    """Reset the state of the turn, with the mover to act, and go to the start of the phase's program."""
    m.me = m.mover
    m.step = 0
    m.stuck = False
    m.at = m.phases[m.phase].start
    clear_turn(m)


def reopen(m: Machine) -> None:
    """Restart the turn and run to its first choice, recomputing everything before that choice."""
    open_turn(m)
    run(m, None)


def begin_turn(m: Machine) -> None:
    """Start the mover's turn, and run to the next choice or the end of the match.

    Turns that offer no choice are played automatically.
    """
    while True:
        phase = m.phases[m.phase]
        open_turn(m)
        if m.lazy and m.at.kind == WAITS:
            return
        mark: M = 0
        happened = 0
        if phase.prelude:
            mark = note_registers(m)
            if m.events is not None:
                happened = len(m.events)
        ended = run(m, None)
        if ended == WAITING:
            if m.lazy or any_option(m, -1) or may_pass_now(m):
                return
        elif ended == OVER:
            m.spend(TRIAL_COST)
            m.idle += 2
            if close_turn(m, False):
                return
            continue
        elif phase.prelude:
            m.undo(mark)
            if m.events is not None:
                del m.events[happened:]
        begin_stuck(m)
        return


def begin_stuck(m: Machine) -> None:
    """Let the seat to act, which is stuck, pass if the rules allow it; otherwise end the match.

    Raises RuleFailure during the setup, and Unforeseen if the result depends on hidden information.
    """
    if m.phase < 0:
        raise RuleFailure("the setup can't be completed")
    phase = m.phases[m.phase]
    if m.blind and (m.veiled or m.covered):
        raise Unforeseen
    m.stuck = True
    if phase.pass_stuck or (phase.passing is not None and pass_allowed(m)):
        return
    m.mover = m.me
    if not test_rules(m, phase.ends) and not test_rules(m, m.ends):
        finish_draw(m)
    conclude(m)


def is_stuck(m: Machine) -> bool:
    """Return whether the seat to act has no choices (the word ``stuck``).

    During the setup, this is determined by trying out the first turn.
    """
    if m.phase >= 0:
        return m.stuck
    seat = m.next_seat.v
    if seat < 0:
        seat = m.mover
    return turn_of(m, seat, 0) == FAILED


def able(m: Machine, seats: M) -> bool:
    """Return whether any of some seats could do more than pass if it moved next (the word ``able``).

    A turn that offers no choice counts as a pass. The seats are tried in turn order, starting after the mover. Raises
    Unforeseen if the answer depends on hidden information.
    """
    if m.blind and (m.veiled or m.covered):
        raise Unforeseen
    phase = m.phase
    if not m.stuck:
        phase = next_phase(m)
    left = m.seats
    seat = m.mover
    while left:
        left -= 1
        seat += 1
        if seat == m.seats:
            seat = 0
        if seats >> seat & 1:
            ended = turn_of(m, seat, phase)
            if ended == WAITING or ended == OPEN:
                return True
    return False


def turn_of(m: Machine, seat: M, phase: M) -> M:
    """Try out the start of a seat's turn, and return how this trial ends.

    The result is WAITING if there is a legal choice, otherwise OPEN, OVER or FAILED.
    """
    winners = m.winners
    tied = m.tied
    m.spend(TRIAL_COST)
    held = hold(m)
    note_registers(m)
    if m.needs_history and not m.stuck:
        remember(m)
    m.mover = seat
    m.phase = phase
    m.use_board(0)
    open_turn(m)
    ended = run(m, None)
    if ended == WAITING and not any_option(m, -1):
        ended = FAILED
    let_go(m, held)
    m.winners = winners
    m.tied = tied
    return ended


def end_turn(m: Machine, passing: bool) -> None:
    """End the mover's turn, test the end rules, and begin the next turn unless the match is over.

    This updates ``m.idle``, which counts consecutive turns without a choice: a pass counts 1, a turn that offered no
    choice counts 2.
    """
    if passing:
        m.idle += 1
    else:
        m.idle = 0
    if not close_turn(m, passing):
        begin_turn(m)


def remember(m: Machine) -> None:
    """Append the hash of the position to the history."""
    if m.past == len(m.history):
        m.history.append(Word(0))
    m.set(m.history[m.past], m.boards_key())
    m.past += 1


def repeats(m: Machine) -> M:
    """Return how many turns ago the current position on the boards last occurred, or 0 if never."""
    now = m.boards_key()
    at = m.past
    m.spend(2 * at)
    ago: M = 0
    while at:
        at -= 1
        ago += 1
        if m.history[at].v == now:
            return ago
    return 0


def close_turn(m: Machine, passing: bool) -> bool:
    """Update the counters, phase and mover at the end of a turn; return whether the game is over."""
    m.turn += 1
    m.step = 0
    m.stuck = False
    if passing:
        m.passed |= 1 << m.mover
    else:
        m.passed &= ~(1 << m.mover)
    if m.events is not None:
        m.events.append(ev.TurnEnded(m.who(m.mover), m.turn))
    phase = m.phases[m.phase]
    m.spend(phase.cost)
    if m.result is not None or (phase.ends and test_rules(m, phase.ends)) or test_rules(m, m.ends):
        return conclude(m)
    if m.needs_history:
        remember(m)
    following = next_phase(m)
    m.phase_turns += 1
    if following != m.phase:
        m.phase = following
        m.phase_turns = 0
        m.idle = 0
    if m.idle >= 2 * m.seats:
        finish_draw(m)
        return conclude(m)
    seat = m.next_seat.v
    if seat >= 0:
        m.mover = seat
        m.set(m.next_seat, -1)
    else:
        m.mover += 1
        if m.mover == m.seats:
            m.mover = 0
    return False


def next_phase(m: Machine) -> M:
    """Return the index of the phase that follows this turn."""
    if m.phase + 1 == len(m.phases):
        return m.phase
    phase = m.phases[m.phase]
    over = m.phase_turns + 1 == phase.turns
    until = phase.until
    if not over and until is not None:
        me = m.me
        m.me = m.mover
        m.reading = UNTIL_TERM + 2 * m.phase
        over = until.eval(m) != 0
        m.reading = 0
        m.me = me
    if over:
        return m.phase + 1
    return m.phase


# ---------------------------------------------------------------- the whole match


def conclude(m: Machine) -> bool:
    """End the match or begin the next game of a series, after a game has been decided.

    Always returns True, which tells callers not to begin another turn. Raises Unforeseen if another game would begin
    during a preview (``m.blind``).
    """
    series = m.rules.series
    result = m.result
    assert result is not None
    gain = m.gain
    if series is not None and gain is not None:
        gains: list[int] = []
        m.reading = GAIN_TERM
        for seat in range(m.seats):
            m.me = seat
            gains.append(gain.eval(m))
        m.reading = 0
        rotation = m.game_number - 1
        totals: list[int] = list(m.totals) if m.totals else [0 for _ in gains]
        for i, more in enumerate(gains):
            totals[(i + rotation) % len(totals)] += more
        m.totals = tuple(totals)
        over = m.game_number >= 1000
        if series.games:
            over = m.game_number >= series.games
        elif max(totals) >= series.target:
            over = True
        if not over:
            m.game_number += 1
            if m.events is not None:
                m.events.append(ev.GameStarted(m.game_number))
            if m.blind:
                raise Unforeseen
            m.result = None
            m.orders = ()
            set_up(m, m.rules.stock_start)
            return True
        best = max(totals)
        winners = 0
        for i, total in enumerate(totals):
            if total == best:
                winners |= 1 << i
        if drawn(m, winners):
            winners = 0
        m.result = Result(winners, tuple(totals), -2, result.shape)
    if m.events is not None and m.result is not None:
        found = m.result.winners
        seats = tuple([i for i in range(len(m.tallies)) if found >> i & 1])
        why = m.rules.reason(m.result.rule, found, m.result.scores)
        m.events.append(ev.Ended(seats, why["en"]))
    return True


def set_up(m: Machine, stocks: tuple[tuple[int, ...], ...]) -> None:
    """Set up the match: boards, stocks, vars and the setup program, up to the first choice.

    Deals are repeated until one meets the requirements of the setup. Raises RuleFailure if the given deal can't be
    played, or if no playable deal is found in DEALS attempts.
    """
    begun = m.length
    for attempt in range(DEALS):
        m.spend(DEAL_COST)
        lay_out(m, stocks)
        if attempt:
            m.orders = ()
        setup = m.setup
        if setup is None:
            first_turn(m)
            return
        m.phase = -1
        m.at = setup
        events = m.events
        if events is not None:
            m.events = []
        ended = run(m, None)
        if ended == FAILED or (ended == WAITING and not options(m)):
            m.events = events
            if m.orders and attempt == 0:
                raise RuleFailure("the given deal can't be played")
            # Several deals may be tried. One that fails is undone completely, except that the random numbers are not
            # reset.
            drawn = m.draws
            m.undo(begun)
            m.draws = drawn
            continue
        if events is not None and m.events is not None:
            events += m.events
            m.events = events
        if ended == OVER:
            first_turn(m)
        return
    raise RuleFailure("no deal meets the setup's requirements")


def clear_boards(m: Machine) -> None:
    """Remove all marbles, from the top down, and all marks from the boards."""
    for board in m.boards:
        for cell in reversed(board.cells):
            if board.filled & cell.bit:
                m.lift(cell, board.colour_at(cell.bit))
        for word in board.marks:
            m.set(word, 0)


def lay_out(m: Machine, stocks: tuple[tuple[int, ...], ...]) -> None:
    """Set boards, stocks, vars and counters to their initial values."""
    rules = m.rules
    clear_boards(m)
    for board in m.boards:
        for cell in board.cells:
            p: int = cell.point
            for colour, mask in enumerate(rules.start_cells):
                if mask >> p & 1:
                    m.put(cell, colour)
    for row, content in zip(m.stocks, stocks, strict=True):
        for colour, number in enumerate(content):
            m.set(row[colour], number)
        m.set(row[m.colours], 0)
    for word in m.names:
        m.set(word, 0)
    for box in m.boxes:
        if box.items or box.lists:
            m.set_box(box, [], [])
    for words in (m.tallies, m.loops, m.prints, m.turn_words):
        for word in words:
            m.set(word, 0)
    m.set(m.next_seat, -1)
    m.set(m.held_colour, -1)
    m.past = 0
    m.secret = ()
    m.phase = m.phase_turns = m.idle = m.passed = m.step = m.mover = m.me = 0
    if m.game_number == 1:
        m.turn = 0
    m.stuck = False
    m.result = None
    m.colour = 0
    m.use_board(0)
    for board in m.boards:
        m.set(board.began_filled, board.filled)
        m.set(board.began_key, board.key)
    for start in m.starts:
        start.run(m)
    if m.needs_history:
        remember(m)


def first_turn(m: Machine) -> None:
    """Begin the first turn after the setup."""
    m.phase = 0
    if m.next_seat.v >= 0:
        m.mover = m.next_seat.v
    m.set(m.next_seat, -1)
    if m.needs_history:
        m.past = 0
        remember(m)
    begin_turn(m)
