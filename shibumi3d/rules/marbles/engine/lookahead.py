"""Execution of programs, and look-ahead that is rolled back with the undo log."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias

from shibumi3d.rules.errors import UnknownOutcomeError
from shibumi3d.rules.marbles.engine.board import Word, mix_hash
from shibumi3d.rules.marbles.engine.end_rules import removed_without_effect, test_early_end_rules
from shibumi3d.rules.marbles.engine.machine import (
    AUTOMATIC,
    AWAITS_CHOICE,
    CHANCE,
    ENDS_TURN,
    LookaheadLevel,
    Machine,
    Node,
    Step,
)
from shibumi3d.rules.marbles.engine.rules import PASS

if TYPE_CHECKING:
    from mypy_extensions import i64 as M

    from shibumi3d.rules.marbles.engine.rules import Result
    from shibumi3d.rules.marbles.event import Event

AWAITING_CHOICE: Final = 0
TURN_OVER: Final = 1
FAILED: Final = 2
GOAL_REACHED: Final = 3
STOPPED_AT_CHANCE: Final = 4
"""How a run ended.

AWAITING_CHOICE: a choice is needed, perhaps from another seat. TURN_OVER: the turn is complete or sure to be
completed, or the match has ended. FAILED: the turn can't be completed. GOAL_REACHED: the goal of the look-ahead was
reached. STOPPED_AT_CHANCE: the look-ahead stopped at a random outcome.
"""

MAX_KEY: Final = (1 << 61) - 1
"""Largest hash of a position.

Larger values, such as sets on wide boards, are mixed into a hash separately.
"""
TRIAL_WORK: Final = 80
"""Work charged for trying out a choice, not including its effects."""


TrialState: TypeAlias = "tuple[M, Step, M, Result | None, list[Event] | None, bool]"
"""The part of a machine's state that :func:`save` saves because the undo log does not record it.

It is a tuple, because mypyc stores tuples without allocating an object; with an object, some games run 10% slower.
"""


def save(m: Machine) -> TrialState:
    """Start a trial, and return what :func:`rollback` needs to end it.

    During the trial, the machine looks ahead and emits no events.
    """
    held = (m.undo_length, m.current_step, m.choices_made, m.result, m.events, m.is_looking_ahead)
    m.events = None
    m.is_looking_ahead = True
    return held


def rollback(m: Machine, saved: TrialState) -> None:
    """End a trial by rolling back everything since the call to :func:`save` that returned ``saved``."""
    mark, at, step, result, events, looking = saved
    m.undo(mark)
    m.current_step = at
    m.choices_made = step
    m.result = result
    m.events = events
    m.is_looking_ahead = looking


def run_steps(m: Machine, goal: Step | None) -> M:
    """Execute steps from ``m.current_step`` until a choice is needed or the turn ends.

    Returns AWAITING_CHOICE, TURN_OVER, FAILED, GOAL_REACHED or STOPPED_AT_CHANCE. FAILED means that a step failed, or
    that the turn moved marbles but left the boards unchanged (see :func:`.removed_without_effect`). TURN_OVER is also
    returned if an early end rule decides the match. The run also stops at the step ``goal``, if it is given. A
    look-ahead stops at random outcomes. Without a goal, a look-ahead treats a step with ``always_completes`` as the end
    of the turn. Raises UnknownOutcomeError for an unknown outcome during a preview, or for a random one if the machine
    rejects chance. Raises RuleFailure if a rule can't be carried out or if the work budget is exceeded.
    """
    step = m.current_step
    early = m.has_early_end_rules
    while True:
        if step is goal:
            m.current_step = step
            return GOAL_REACHED
        kind = step.kind
        if kind != AUTOMATIC:
            m.current_step = step
            if kind == AWAITS_CHOICE:
                return AWAITING_CHOICE
            if kind == ENDS_TURN:
                if removed_without_effect(m):
                    return FAILED
                return TURN_OVER
            if kind == CHANCE:
                if m.is_looking_ahead:
                    return STOPPED_AT_CHANCE
                if m.is_previewing:
                    raise UnknownOutcomeError
        if step.always_completes and m.is_looking_ahead and goal is None:
            m.current_step = step
            if removed_without_effect(m):
                return FAILED
            return TURN_OVER
        work = m.work_left - step.cost
        m.work_left = work
        if work < 0:
            m.spend_work(0)
        following = step.run(m)
        if following is None:
            m.current_step = step
            return FAILED
        if early and step.changes_match and test_early_end_rules(m):
            m.current_step = following
            return TURN_OVER
        step = following


def continue_at(m: Machine, following: Step | None, goal: Step | None) -> M:
    """Count a choice, continue at the step ``following``, and return the result of :func:`run_steps`.

    Returns FAILED if ``following`` is None, which means that the choice was impossible. Returns TURN_OVER without
    continuing if an early end rule decides the match.
    """
    if following is None:
        return FAILED
    m.current_step = following
    m.choices_made += 1
    if m.has_early_end_rules and test_early_end_rules(m):
        return TURN_OVER
    return run_steps(m, goal)


def take_option(m: Machine, code: M, goal: Step | None) -> M:
    """Carry out one of the current step's options, and run the steps that follow.

    The run stops at the step ``goal``, if it is given. Returns how the run ended; see :func:`continue_at`.
    """
    return continue_at(m, m.current_step.apply_choice(m, code), goal)


def lasting_state_key(m: Machine) -> M:
    """Return a hash of the boards, marks, stocks, saved values and tallies.

    Of a saved list of lists, only the length is hashed.
    """
    key: M = 0
    m.spend_work(m.key_cost)
    for board in m.boards:
        key = mix_hash(key, board.key)
    key = mix_words(key, m.lasting_words)
    for box in m.saved_list_words:
        key = mix_hash(key, len(box.items) + len(box.lists))
        m.spend_work(4 * len(box.items))
        for item in box.items:
            key = mix_hash(key, item)
    return key


def turn_state_key(m: Machine) -> M:
    """Return a hash of what can change during a turn and affect the rest of it.

    As in :func:`lasting_state_key`, only the length of a saved list of lists is hashed.
    """
    key = mix_hash(lasting_state_key(m), m.current_step.program_index << 8 | m.me << 4 | m.board.index)
    key = mix_words(key, m.in_progress_words)
    if m.choices_made:
        return key ^ 1
    return key


def mix_words(key: M, words: list[Word]) -> M:
    """Return a hash of ``key`` and the values of ``words``.

    Zeros, which are frequent, are skipped. Values above MAX_KEY are mixed in one by one. All other values are
    multiplied by the salts of their Words, and only the sum is mixed in.
    """
    total: M = 0
    at: M = 0
    end = len(words)
    while at < end:
        value = words[at].value
        if value:
            if value > MAX_KEY:
                key = mix_hash(key ^ words[at].salt, value)
            else:
                total += value * words[at].salt
        at += 1
    return mix_hash(key, total & MAX_KEY)


def open_level(m: Machine, key: M) -> LookaheadLevel:
    """Add a level with the options of the current step to the look-ahead, and return the level.

    ``key`` is the key of the position, or -1 if the position need not be remembered.
    """
    depth = m.lookahead_depth
    m.lookahead_depth = depth + 1
    if depth == len(m.lookahead_levels):
        m.lookahead_levels.append(LookaheadLevel(m.current_step))
    level = m.lookahead_levels[depth]
    level.choice_step = m.current_step
    level.undo_mark = m.undo_length
    level.stack_base = m.stack_height
    level.choices_made = m.choices_made
    level.position_key = key
    m.spend_work(m.current_step.cost)
    m.current_step.push_options(m)
    if not m.uses_own_random:
        # Options are tried from the top of the stack down. Reverse them, since game files list first what is most often
        # possible.
        low = level.stack_base
        high = m.stack_height - 1
        while low < high:
            code = m.option_stack[low].value
            m.option_stack[low].value = m.option_stack[high].value
            m.option_stack[high].value = code
            low += 1
            high -= 1
    return level


def back_up(m: Machine, level: LookaheadLevel) -> None:
    """Undo everything that happened after ``level`` was opened."""
    m.undo(level.undo_mark)
    m.current_step = level.choice_step
    m.choices_made = level.choices_made
    m.result = None


def find_completion(
    m: Machine,
    run_status: M,
    goal: Step | None,
    success_by_key: dict[int, bool] | None,
    at_random: bool,
    may_pass: bool,
) -> M:
    """Search for a way to the goal or to the end of the turn; return how the last run ended, or FAILED.

    The depth-first search starts where :func:`run_steps` stopped with ``run_status``. If a way is found, the machine is
    left at the end of that way, or at a choice from which the rest is known to be possible. Otherwise, the machine is
    left where it was. A way that reaches another seat's choice or a random outcome counts as found, and the search
    doesn't go past that point. ``success_by_key`` is a cache that says, for positions that can recur, whether they lead
    to success. If it is None, a cache is made when the first such position comes up.

    With ``at_random``, options are tried in random order. Each complete turn is then as likely as if every choice were
    drawn uniformly from the legal options. With ``may_pass``, passing is an additional option at the first choice; if
    it is chosen, ``m.chose_pass`` is set, the machine is left at that choice, and the result is TURN_OVER.
    """
    actor = m.me
    floor = m.lookahead_depth
    while True:
        if run_status == AWAITING_CHOICE and m.me == actor:
            step = m.current_step
            if goal is None and not step.needs_lookahead and not at_random:
                m.spend_work(step.cost)
                good = step.has_raw_option(m)
            else:
                good = False
                if step.may_recur:
                    key = turn_state_key(m)
                    if success_by_key is None:
                        success_by_key = {}
                    found = success_by_key.get(key)
                    if found is None:
                        success_by_key[key] = False
                        open_level(m, key)
                    else:
                        good = found and not at_random
                        if found and at_random:
                            open_level(m, key)
                else:
                    open_level(m, -1)
                if may_pass:
                    m.push_option(PASS)
                    may_pass = False
        else:
            good = run_status != FAILED
        if good:
            if m.lookahead_depth > floor:
                m.stack_height = m.lookahead_levels[floor].stack_base
            if at_random:
                # Nothing reads ``success_by_key`` after a random turn.
                m.lookahead_depth = floor
            while m.lookahead_depth > floor:
                m.lookahead_depth -= 1
                key = m.lookahead_levels[m.lookahead_depth].position_key
                if key >= 0 and success_by_key is not None:
                    success_by_key[key] = True
            return run_status
        while True:
            if m.lookahead_depth == floor:
                return FAILED
            level = m.lookahead_levels[m.lookahead_depth - 1]
            back_up(m, level)
            left = m.stack_height - level.stack_base
            if left:
                break
            m.lookahead_depth -= 1
        m.spend_work(TRIAL_WORK)
        m.stack_height -= 1
        last = m.option_stack[m.stack_height]
        code = last.value
        if at_random and left > 1:
            drawn = m.option_stack[level.stack_base + m.random_below(left)]
            code = drawn.value
            drawn.value = last.value
        if code == PASS:
            m.stack_height = m.lookahead_levels[floor].stack_base
            m.lookahead_depth = floor
            m.chose_pass = True
            return TURN_OVER
        run_status = take_option(m, code, goal)


def can_complete_after(m: Machine, code: M, success_by_key: dict[int, bool]) -> bool:
    """Return whether the turn can be completed after a choice, as far as the seat to act can know.

    ``code`` is the choice. If a random outcome or another seat's choice can be reached after it, the result is True,
    because what follows is unknown. ``success_by_key`` is the cache for :func:`find_completion`. The machine's position
    is restored.
    """
    me = m.me
    m.spend_work(TRIAL_WORK)
    saved = save(m)
    ended = take_option(m, code, None)
    good = can_complete_from(m, ended, me, success_by_key)
    rollback(m, saved)
    return good


def can_complete_from(m: Machine, run_status: M, actor: M, success_by_key: dict[int, bool]) -> bool:
    """Return whether the turn can be completed after a run that stopped with ``run_status``.

    The result is also True if another seat's choice or a random outcome can be reached, because ``actor`` can't know
    what follows. ``success_by_key`` is the cache for :func:`find_completion`. The search may change the machine, so the
    caller must roll it back.
    """
    if run_status == AWAITING_CHOICE and m.me != actor:
        return True
    return find_completion(m, run_status, None, success_by_key, False, False) != FAILED


def remove_dead_end_options(m: Machine, base: M) -> None:
    """Remove from the option stack the options after which the turn can't be completed.

    Only the options at index ``base`` and above are considered. The look-ahead stops at random outcomes and at other
    seats' choices, so what follows an option that is kept may still prove impossible. If the current step doesn't need
    look-ahead, nothing is removed.
    """
    if not m.current_step.needs_lookahead:
        return
    known: dict[int, bool] = {}
    kept_end = base
    end = m.stack_height
    at = base
    while at < end:
        code = m.option_stack[at].value
        if can_complete_after(m, code, known):
            m.option_stack[kept_end].value = code
            kept_end += 1
        at += 1
    m.stack_height = kept_end


def completable_options(m: Machine, is_completable: bool = False) -> list[int]:
    """Return the current step's options, except those that leave the turn impossible to complete.

    They are in the order in which the step offers them. The look-ahead stops at random outcomes and at other seats'
    choices, so what follows these may still prove impossible. Set ``is_completable`` if the turn is known to be
    completable; a single option then isn't tried out.
    """
    base = m.stack_height
    m.spend_work(m.current_step.cost)
    m.current_step.push_options(m)
    if not is_completable or m.stack_height - base > 1:
        remove_dead_end_options(m, base)
    result: list[int] = []
    at = base
    while at < m.stack_height:
        result.append(m.option_stack[at].value)
        at += 1
    m.stack_height = base
    return result


def has_option(m: Machine, excluded_kind: M) -> bool:
    """Return whether the current step has an option after which the turn can be completed.

    Options of the kind ``excluded_kind`` don't count. If it is -1, options of all kinds count.
    """
    step = m.current_step
    m.spend_work(step.cost)
    if not step.needs_lookahead and excluded_kind < 0:
        return step.has_raw_option(m)
    base = m.stack_height
    step.push_options(m)
    known: dict[int, bool] = {}
    at = base
    result = False
    while at < m.stack_height and not result:
        code = m.option_stack[at].value
        result = code & 15 != excluded_kind and (
            not step.needs_lookahead or can_complete_after(m, code, known)
        )
        at += 1
    m.stack_height = base
    return result


def can_reach(m: Machine, start: Step, goal: Step) -> bool:
    """Return whether the part of the program from ``start`` to ``goal`` can be carried out.

    The result is also True if the turn can end on the way, or if a random outcome or another seat's choice can be
    reached.
    """
    m.spend_work(TRIAL_WORK)
    saved = save(m)
    m.current_step = start
    good = find_completion(m, run_steps(m, goal), goal, None, False, False) != FAILED
    rollback(m, saved)
    return good


def max_over_ways(m: Machine, start: Step, goal: Step, value: Node, cost: M) -> list[int]:
    """Return the maximum of ``value`` over all ways from ``start`` to ``goal``, as a list of one item.

    The list is empty if there is no way. A way consists of the steps and choices that lead from ``start`` to ``goal``;
    ``value`` is evaluated at its end. A way that ends the turn or reaches a random outcome before ``goal`` counts as
    well. Each evaluation of ``value`` costs ``cost`` units of work. The machine's position is restored.
    """
    floor = m.lookahead_depth
    best: list[int] = []
    visited: set[int] = set()
    saved = save(m)
    m.current_step = start
    ended = run_steps(m, goal)
    while True:
        if ended == GOAL_REACHED or ended == TURN_OVER or ended == STOPPED_AT_CHANCE:
            m.spend_work(cost)
            value_reached: int = value.eval(m)
            if not best or value_reached > best[0]:
                best = [value_reached]
        elif ended == AWAITING_CHOICE:
            key = turn_state_key(m)
            if key not in visited:
                visited.add(key)
                open_level(m, key)
        left: M = 0
        while m.lookahead_depth > floor:
            level = m.lookahead_levels[m.lookahead_depth - 1]
            back_up(m, level)
            left = m.stack_height - level.stack_base
            if left:
                break
            m.lookahead_depth -= 1
        if not left:
            break
        m.spend_work(TRIAL_WORK)
        m.stack_height -= 1
        ended = take_option(m, m.option_stack[m.stack_height].value, goal)
    rollback(m, saved)
    return best
