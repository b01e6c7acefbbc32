"""Turns, games and series: how a match begins, which seat is next, and when the match is over."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from shibumi3d.rules.errors import RuleFailure, UnknownOutcomeError
from shibumi3d.rules.marbles import event as ev
from shibumi3d.rules.marbles.engine.board import Word
from shibumi3d.rules.marbles.engine.end_rules import end_in_draw, is_draw, test_end_rules
from shibumi3d.rules.marbles.engine.lookahead import (
    AWAITING_CHOICE,
    FAILED,
    STOPPED_AT_CHANCE,
    TRIAL_WORK,
    TURN_OVER,
    completable_options,
    has_option,
    rollback,
    run_steps,
    save,
)
from shibumi3d.rules.marbles.engine.machine import AWAITS_CHOICE, UNDO_REGISTERS, Machine, Registers
from shibumi3d.rules.marbles.engine.rules import GAIN_LOCATION, UNTIL_LOCATION, Result

if TYPE_CHECKING:
    from mypy_extensions import i64 as M

MAX_DEAL_ATTEMPTS: Final = 1_000
"""Maximum number of deals to try until one meets the setup's requirements."""
DEAL_WORK: Final = 500
"""Work charged for one deal, not including the work for its marbles."""


def push_registers(m: Machine) -> M:
    """Save the registers in the undo log, and return a mark.

    Passing the mark to ``Machine.undo`` restores the registers and undoes all changes recorded in the log since. Other
    attributes, such as ``winners`` and ``work_left``, are not restored.
    """
    mark = m.undo_length
    m.add_undo_entry(UNDO_REGISTERS).registers = Registers(m)
    return mark


# ---------------------------------------------------------------- one turn


def rules_allow_pass(m: Machine) -> bool:
    """Return whether the mover meets the current phase's condition for passing.

    Returns False if the phase has no such condition.
    """
    rule = m.phases[m.phase].pass_condition
    if rule is None:
        return False
    before = m.me
    m.me = m.mover
    allowed = rule.eval(m) != 0
    m.me = before
    return allowed


def can_pass_now(m: Machine) -> bool:
    """Return whether a pass is legal now.

    A seat can pass if it is stuck, or at the start of its turn if the rules allow it. During the setup, no pass is
    legal.
    """
    if m.phase < 0:
        return False
    return m.is_stuck or (m.choices_made == 0 and m.me == m.mover and rules_allow_pass(m))


def reset_turn_words(m: Machine) -> None:
    """Reset the words and lists that last for only one turn.

    If the rules need the position at the start of the turn, it is also recorded.
    """
    at: M = 0
    end = len(m.words_cleared_each_turn)
    while at < end:
        if m.words_cleared_each_turn[at].value:
            m.set_word(m.words_cleared_each_turn[at], 0)
        at += 1
    if m.next_seat.value != -1:
        m.set_word(m.next_seat, -1)
    for box in m.lists_cleared_each_turn:
        if box.items or box.lists:
            m.set_list(box, [], [])
    if m.needs_turn_start:
        for board in m.boards:
            m.set_word(board.turn_start_filled, board.filled)
            m.set_word(board.turn_start_key, board.key)


def start_turn(m: Machine) -> None:
    """Prepare the mover's turn, without running any of its steps.

    The mover becomes the seat to act, the state of the turn is reset, and the first step of the phase's program becomes
    the current step.
    """
    m.me = m.mover
    m.choices_made = 0
    m.is_stuck = False
    m.current_step = m.phases[m.phase].start
    reset_turn_words(m)


def restart_turn(m: Machine) -> None:
    """Start the mover's turn again in the current position, and run to its first choice.

    Everything that the rules compute before that choice is recomputed. Changes that the turn has already made to the
    boards and stocks are not undone.
    """
    start_turn(m)
    run_steps(m, None)


def begin_turns(m: Machine) -> None:
    """Start the mover's turn, and run to the next choice or the end of the match.

    Turns that are completed without any choice are played automatically. If the turn fails, or if the choice reached
    has no legal option and passing isn't allowed, the seat to act is stuck; see :func:`handle_stuck_seat`. With
    ``m.defers_option_checks``, it isn't checked whether the choice has a legal option.
    """
    while True:
        phase = m.phases[m.phase]
        start_turn(m)
        if m.defers_option_checks and m.current_step.kind == AWAITS_CHOICE:
            return
        mark: M = 0
        happened = 0
        if phase.may_end_before_choice:
            mark = push_registers(m)
            if m.events is not None:
                happened = len(m.events)
        ended = run_steps(m, None)
        if ended == AWAITING_CHOICE:
            if m.defers_option_checks or has_option(m, -1) or can_pass_now(m):
                return
        elif ended == TURN_OVER:
            m.spend_work(TRIAL_WORK)
            m.idle_count += 2
            if finish_turn(m, False):
                return
            continue
        elif phase.may_end_before_choice:
            m.undo(mark)
            if m.events is not None:
                del m.events[happened:]
        handle_stuck_seat(m)
        return


def handle_stuck_seat(m: Machine) -> None:
    """Record that the seat to act is stuck, and end the game unless the rules let the seat pass.

    An end rule decides the result; if none does, the game is a draw. Raises RuleFailure during the setup. During a
    preview, raises UnknownOutcomeError if a stock or board is hidden, or if the next game of a series would begin.
    """
    if m.phase < 0:
        raise RuleFailure("the setup can't be completed")
    phase = m.phases[m.phase]
    if m.is_previewing and (m.hidden_stocks or m.hidden_boards):
        raise UnknownOutcomeError
    m.is_stuck = True
    if phase.stuck_may_pass or (phase.pass_condition is not None and rules_allow_pass(m)):
        return
    m.mover = m.me
    if not test_end_rules(m, phase.end_rules) and not test_end_rules(m, m.end_rules):
        end_in_draw(m)
    end_game(m)


def is_stuck(m: Machine) -> bool:
    """Return whether the seat to act is stuck, so that it can do nothing except possibly pass.

    This implements the word ``stuck`` of the rule language. During the setup, the start of the first turn is tried out
    for the seat that moves first. Otherwise, the result is ``m.is_stuck``. A seat isn't stuck if its turn's first
    choice has no option but the phase's condition for passing holds, even though a pass is then its only legal choice.
    """
    if m.phase >= 0:
        return m.is_stuck
    seat = m.next_seat.value
    if seat < 0:
        seat = m.mover
    return try_turn_start(m, seat, 0) == FAILED


def can_any_move(m: Machine, seats: M) -> bool:
    """Return whether any seat in the mask ``seats`` could do more than pass if it moved next.

    This implements the word ``able`` of the rule language. A turn that offers no choice counts as a pass, unless it
    involves chance. The seats are tried in turn order, starting after the mover. Raises UnknownOutcomeError if a stock
    or board is hidden during a preview.
    """
    if m.is_previewing and (m.hidden_stocks or m.hidden_boards):
        raise UnknownOutcomeError
    phase = m.phase
    if not m.is_stuck:
        phase = next_phase_index(m)
    left = m.seats
    seat = m.mover
    while left:
        left -= 1
        seat += 1
        if seat == m.seats:
            seat = 0
        if seats >> seat & 1:
            ended = try_turn_start(m, seat, phase)
            if ended == AWAITING_CHOICE or ended == STOPPED_AT_CHANCE:
                return True
    return False


def try_turn_start(m: Machine, seat: M, phase: M) -> M:
    """Try out the start of a seat's turn in the given phase, and return how this trial ends.

    The result is AWAITING_CHOICE if there is a legal choice other than a pass. Otherwise, it is TURN_OVER if the turn
    is completed without a choice, STOPPED_AT_CHANCE if a random outcome comes first, and FAILED in all other cases. All
    changes made by the trial are undone.
    """
    winners = m.winners
    tied = m.tied
    m.spend_work(TRIAL_WORK)
    saved = save(m)
    push_registers(m)
    if m.needs_history and not m.is_stuck:
        append_to_history(m)
    m.mover = seat
    m.phase = phase
    m.use_board(0)
    start_turn(m)
    ended = run_steps(m, None)
    if ended == AWAITING_CHOICE and not has_option(m, -1):
        ended = FAILED
    rollback(m, saved)
    m.winners = winners
    m.tied = tied
    return ended


def end_turn(m: Machine, is_pass: bool) -> None:
    """End the mover's turn, test the end rules, and begin the next turn unless the match is over.

    ``is_pass`` says whether the turn was a pass. A pass adds 1 to ``m.idle_count``, and any other turn resets it to 0;
    :func:`finish_turn` also resets it when the next phase begins. For a turn that offers no choice, :func:`begin_turns`
    adds 2 instead of calling this function. If the turn ends a game of a series that goes on, the next game begins.
    """
    if is_pass:
        m.idle_count += 1
    else:
        m.idle_count = 0
    if not finish_turn(m, is_pass):
        begin_turns(m)


def append_to_history(m: Machine) -> None:
    """Append the hash of the position to the history."""
    if m.history_length == len(m.history):
        m.history.append(Word(0))
    m.set_word(m.history[m.history_length], m.hash_boards())
    m.history_length += 1


def turns_since_repetition(m: Machine) -> M:
    """Return how many turns ago the boards were last as they are now, or 0 if they never were.

    Only the positions in ``m.history`` are compared, from the last to the first; they are the positions at the start of
    turns. The result 1 stands for the last of them, which is normally the position at the start of the current turn.
    """
    now = m.hash_boards()
    at = m.history_length
    m.spend_work(2 * at)
    ago: M = 0
    while at:
        at -= 1
        ago += 1
        if m.history[at].value == now:
            return ago
    return 0


def finish_turn(m: Machine, is_pass: bool) -> bool:
    """Count a turn that has ended, and test the end rules; return whether the game is over.

    If the game isn't over, the phase and the mover are set for the next turn. If it is, the match ends or the next game
    of a series begins. If no rule decides the game, it is drawn when ``m.idle_count`` reaches twice the number of
    seats.
    """
    m.turn += 1
    m.choices_made = 0
    m.is_stuck = False
    if is_pass:
        m.passed_seats |= 1 << m.mover
    else:
        m.passed_seats &= ~(1 << m.mover)
    if m.events is not None:
        m.events.append(ev.TurnEnded(m.player_at(m.mover), m.turn))
    phase = m.phases[m.phase]
    m.spend_work(phase.cost)
    if (
        m.result is not None
        or (phase.end_rules and test_end_rules(m, phase.end_rules))
        or test_end_rules(m, m.end_rules)
    ):
        return end_game(m)
    if m.needs_history:
        append_to_history(m)
    following = next_phase_index(m)
    m.phase_turns += 1
    if following != m.phase:
        m.phase = following
        m.phase_turns = 0
        m.idle_count = 0
    if m.idle_count >= 2 * m.seats:
        end_in_draw(m)
        return end_game(m)
    seat = m.next_seat.value
    if seat >= 0:
        m.mover = seat
        m.set_word(m.next_seat, -1)
    else:
        m.mover += 1
        if m.mover == m.seats:
            m.mover = 0
    return False


def next_phase_index(m: Machine) -> M:
    """Return the index of the phase to which the next turn belongs.

    Call this when a turn has ended but is not yet counted in ``m.phase_turns``. The result is the index of the current
    phase, or of the next one if the phase has had its maximum number of turns or if its ``until`` condition holds. The
    last phase never ends.
    """
    if m.phase + 1 == len(m.phases):
        return m.phase
    phase = m.phases[m.phase]
    over = m.phase_turns + 1 == phase.max_turns
    until = phase.until
    if not over and until is not None:
        me = m.me
        m.me = m.mover
        m.location_code = UNTIL_LOCATION + 2 * m.phase
        over = until.eval(m) != 0
        m.location_code = 0
        m.me = me
    if over:
        return m.phase + 1
    return m.phase


# ---------------------------------------------------------------- the whole match


def end_game(m: Machine) -> bool:
    """End the match or begin the next game of a series, after a game has been decided.

    In a series, the points that each player gained in the game are first added to ``m.totals``. Always returns True,
    which tells callers not to begin another turn. Raises UnknownOutcomeError if another game would begin during a
    preview (``m.is_previewing``).
    """
    series = m.rules.series
    result = m.result
    assert result is not None
    gain = m.gain_node
    if series is not None and gain is not None:
        gains: list[int] = []
        m.location_code = GAIN_LOCATION
        for seat in range(m.seats):
            m.me = seat
            gains.append(gain.eval(m))
        m.location_code = 0
        rotation = m.game_number - 1
        totals: list[int] = list(m.totals) if m.totals else [0 for _ in gains]
        for i, more in enumerate(gains):
            totals[(i + rotation) % len(totals)] += more
        m.totals = tuple(totals)
        over = m.game_number >= 1000
        if series.game_count:
            over = m.game_number >= series.game_count
        elif max(totals) >= series.target_total:
            over = True
        if not over:
            m.game_number += 1
            if m.events is not None:
                m.events.append(ev.GameStarted(m.game_number))
            if m.is_previewing:
                raise UnknownOutcomeError
            m.result = None
            m.draw_orders = ()
            set_up(m, m.rules.initial_stocks)
            return True
        best = max(totals)
        winners = 0
        for i, total in enumerate(totals):
            if total == best:
                winners |= 1 << i
        if is_draw(m, winners):
            winners = 0
        m.result = Result(winners, tuple(totals), -2, result.deciding_points)
    if m.events is not None and m.result is not None:
        found = m.result.winners
        seats = tuple([i for i in range(len(m.tallies)) if found >> i & 1])
        reason = m.rules.end_reason(m.result.rule, found, m.result.scores)
        m.events.append(ev.Ended(seats, reason["en"]))
    return True


def set_up(m: Machine, stocks: tuple[tuple[int, ...], ...]) -> None:
    """Reset the match, run any setup program, and go on to the first choice or the end of the match.

    ``stocks`` has, for each stock, the number of marbles of each colour. New deals are tried until one meets the
    requirements of the setup, but a deal given by ``m.draw_orders`` is the only one tried. Raises RuleFailure if the
    given deal can't be played, or if no playable deal is found in :data:`MAX_DEAL_ATTEMPTS` attempts.
    """
    mark = m.undo_length
    for attempt in range(MAX_DEAL_ATTEMPTS):
        m.spend_work(DEAL_WORK)
        reset_match(m, stocks)
        if attempt:
            m.draw_orders = ()
        setup = m.setup
        if setup is None:
            begin_first_turn(m)
            return
        m.phase = -1
        m.current_step = setup
        events = m.events
        if events is not None:
            m.events = []
        ended = run_steps(m, None)
        if ended == FAILED or (ended == AWAITING_CHOICE and not completable_options(m)):
            m.events = events
            if m.draw_orders and attempt == 0:
                raise RuleFailure("the given deal can't be played")
            # Several deals may be tried. One that fails is undone completely, except that the random numbers are not
            # reset.
            drawn = m.draw_count
            m.undo(mark)
            m.draw_count = drawn
            continue
        if events is not None and m.events is not None:
            events += m.events
            m.events = events
        if ended == TURN_OVER:
            begin_first_turn(m)
        return
    raise RuleFailure("no deal meets the setup's requirements")


def clear_boards(m: Machine) -> None:
    """Remove all marbles, from the top down, and all marks from the boards."""
    for board in m.boards:
        for cell in reversed(board.cells):
            if board.filled & cell.bit:
                m.remove(cell, board.colour_at(cell.bit))
        for word in board.marks:
            m.set_word(word, 0)


def reset_match(m: Machine, initial_stocks: tuple[tuple[int, ...], ...]) -> None:
    """Set boards, stocks, vars and counters to their initial values.

    ``initial_stocks`` gives the number of marbles of each colour in each stock. In a series, the count of turns
    continues from game to game.
    """
    rules = m.rules
    clear_boards(m)
    for board in m.boards:
        for cell in board.cells:
            p: int = cell.point
            for colour, mask in enumerate(rules.initial_cells):
                if mask >> p & 1:
                    m.put(cell, colour)
    for row, content in zip(m.stocks, initial_stocks, strict=True):
        for colour, number in enumerate(content):
            m.set_word(row[colour], number)
        m.set_word(row[m.colours], 0)
    for word in m.name_words:
        m.set_word(word, 0)
    for box in m.list_words:
        if box.items or box.lists:
            m.set_list(box, [], [])
    for words in (m.tallies, m.loop_words, m.checkpoint_words, m.turn_words):
        for word in words:
            m.set_word(word, 0)
    m.set_word(m.next_seat, -1)
    m.set_word(m.held_colour, -1)
    m.history_length = 0
    m.secret_parts = ()
    m.phase = m.phase_turns = m.idle_count = m.passed_seats = m.choices_made = m.mover = m.me = 0
    if m.game_number == 1:
        m.turn = 0
    m.is_stuck = False
    m.result = None
    m.chosen_colour = 0
    m.use_board(0)
    for board in m.boards:
        m.set_word(board.turn_start_filled, board.filled)
        m.set_word(board.turn_start_key, board.key)
    for start in m.initial_value_steps:
        start.run(m)
    if m.needs_history:
        append_to_history(m)


def begin_first_turn(m: Machine) -> None:
    """Begin the first turn of a game, and run to the first choice or the end of the match.

    If there is a setup, it must be complete. The mover is the seat in ``m.next_seat``, if the setup has set one;
    otherwise, it stays the same.
    """
    m.phase = 0
    if m.next_seat.value >= 0:
        m.mover = m.next_seat.value
    m.set_word(m.next_seat, -1)
    if m.needs_history:
        m.history_length = 0
        append_to_history(m)
    begin_turns(m)
