"""Steps for control flow: ``choose``, ``may``, ``first``, ``if``, ``require``, ``repeat`` and ``best``."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final, final

from shibumi3d.rules.errors import RuleFailure, UnknownOutcomeError
from shibumi3d.rules.marbles import event as ev
from shibumi3d.rules.marbles.engine.board import Word
from shibumi3d.rules.marbles.engine.build.context import BuildContext
from shibumi3d.rules.marbles.engine.lookahead import (
    AWAITING_CHOICE,
    FAILED,
    TRIAL_WORK,
    can_complete_from,
    can_reach,
    continue_at,
    has_option,
    lasting_state_key,
    max_over_ways,
    rollback,
    run_steps,
    save,
)
from shibumi3d.rules.marbles.engine.machine import AWAITS_CHOICE, ENDS_TURN, Machine, Node, Step
from shibumi3d.rules.marbles.engine.rules import DONE, LABEL, Instruction, Term
from shibumi3d.rules.marbles.engine.steps.choices import ChoiceStep
from shibumi3d.rules.marbles.notation import choice_text

if TYPE_CHECKING:
    from mypy_extensions import i64 as M


MAX_ROUNDS: Final = 10_000
"""Limit on the rounds of one ``repeat`` in a turn, beyond which it is considered endless."""
ROUND_WORK: Final = 60
"""Work charged for one round of a ``repeat``, in addition to its steps."""


CHOICELESS_OPS = frozenset(
    {"Jump", "Put", "Remove", "Recolour", "Deal", "AddScore", "Let", "SetMark", "SetNext", "Require", "If"}
)
"""Operations that :class:`RepeatAll` can run.

They involve no choice, no chance and no look-ahead.
"""


@final
class EndTurn(Step):
    """The last step of every turn, and of the setup if there is one."""

    def __init__(self) -> None:
        super().__init__()
        self.kind = ENDS_TURN


@final
class Jump(Step):
    """An unconditional jump."""

    def run(self, m: Machine) -> Step | None:
        return self.next


@final
class Choose(ChoiceStep):
    """A choice between branches, for ``choose``, ``may`` or ``repeat``.

    A seat selects a branch by making the first choice in it. If a branch ends or reaches a random outcome before its
    first choice, it is offered as "done". If ``labels`` isn't empty, the options are the labels of the branches
    instead.
    """

    def __init__(self, labels: list[int]) -> None:
        super().__init__(-1)
        self.branch_starts: list[Step] = []
        """First step of each branch; ``next`` for an empty branch."""
        self.labels: Final = labels
        self.kind_by_branch: list[int] = []
        """Kind of choice that leads to each branch; empty if the kind alone doesn't determine the branch."""

    def push_branch_options(self, m: Machine, start: Step) -> None:
        """Push the codes of the choices that can begin the branch at ``start``.

        DONE is pushed instead if there is no choice before the branch ends, the turn ends or a random outcome is
        reached. Nothing is pushed if the branch fails before its first choice or depends on an unknown outcome.
        However, if the branch starts with a choice and the options of that choice are unknown, UnknownOutcomeError is
        raised.
        """
        m.spend_work(start.cost)
        if start.kind == AWAITS_CHOICE:
            start.push_options(m)
            return
        if start is self.next:
            m.push_option(DONE)
            return
        m.spend_work(TRIAL_WORK)
        saved = save(m)
        m.current_step = start
        try:
            ended = run_steps(m, self.next)
            if ended == AWAITING_CHOICE:
                m.current_step.push_options(m)
            elif ended != FAILED:
                m.push_option(DONE)
        except UnknownOutcomeError:
            pass
        rollback(m, saved)

    def push_options(self, m: Machine) -> None:
        base = m.stack_height
        for i, start in enumerate(self.branch_starts):
            first = m.stack_height
            self.push_branch_options(m, start)
            if self.labels:
                if m.stack_height > first:
                    m.stack_height = first
                    m.push_option(self.labels[i] << 4 | LABEL)
            elif not self.kind_by_branch and first > base:
                self.remove_duplicates(m, base, first)

    def remove_duplicates(self, m: Machine, base: M, first: M) -> None:
        """Remove the options at index ``first`` and above that an earlier branch already offers.

        The options of the earlier branches start at index ``base``.
        """
        kept_end = first
        at = first
        m.spend_work((m.stack_height - first) * (first - base))
        while at < m.stack_height:
            code = m.option_stack[at].value
            before = base
            while before < first and m.option_stack[before].value != code:
                before += 1
            if before == first:
                m.option_stack[kept_end].value = code
                kept_end += 1
            at += 1
        m.stack_height = kept_end

    def can_begin_with(self, m: Machine, start: Step, code: M) -> bool:
        """Return whether the choice ``code`` can begin the branch at ``start``."""
        base = m.stack_height
        self.push_branch_options(m, start)
        result = False
        at = base
        m.spend_work(m.stack_height - base)
        while at < m.stack_height:
            if m.option_stack[at].value == code:
                result = True
            at += 1
        m.stack_height = base
        return result

    def apply_choice(self, m: Machine, code: M) -> Step | None:
        if self.labels:
            if m.events is not None:
                m.events.append(ev.Chose(m.player_at(m.me), choice_text(m.rules, code, m.board.index)))
            label: int = code >> 4
            return self.branch_starts[self.labels.index(label)]
        if self.kind_by_branch:
            kind: int = code & 15
            return self.enter_branch(m, self.branch_starts[self.kind_by_branch.index(kind)], code)
        fitting = [start for start in self.branch_starts if self.can_begin_with(m, start, code)]
        if not fitting:
            return None  # the options are hidden from the seat that tries this
        for start in fitting[:-1]:
            if self.can_complete_with(m, start, code):
                return self.enter_branch(m, start, code)
        return self.enter_branch(m, fitting[-1], code)

    def can_complete_with(self, m: Machine, start: Step, code: M) -> bool:
        """Return whether the turn can be completed if the branch at ``start`` is entered with ``code``.

        ``code`` is a choice that can begin the branch. As in :func:`.can_complete_from`, the result is True if another
        seat's choice or a random outcome can be reached. Everything is undone afterwards.
        """
        me = m.me
        m.spend_work(TRIAL_WORK)
        saved = save(m)
        ended = continue_at(m, self.enter_branch(m, start, code), None)
        result = can_complete_from(m, ended, me, {})
        rollback(m, saved)
        return result

    def enter_branch(self, m: Machine, start: Step, code: M) -> Step | None:
        """Enter the branch at ``start`` by making the choice ``code``, and return the next step.

        The steps before the branch's first choice are carried out, too. ``code`` is DONE if the branch or the turn
        ends, or a random outcome is reached, before any choice; in that case, the step reached is returned. Returns
        None if the branch can't be entered with this choice.
        """
        if start.kind == AWAITS_CHOICE:
            return start.apply_choice(m, code)
        m.current_step = start
        looking = m.is_looking_ahead
        m.is_looking_ahead = True  # so that chance is not resolved before the branch is entered
        ended = run_steps(m, self.next)
        m.is_looking_ahead = looking
        if ended == AWAITING_CHOICE and m.current_step is not self.next:
            return m.current_step.apply_choice(m, code)
        if ended == FAILED:
            return None
        return m.current_step


@final
class SkipIfOnlyDone(Step):
    """Step that skips the following optional choice if declining is the only option."""

    def __init__(self) -> None:
        super().__init__()
        self.optional_choice: Step = self

    def run(self, m: Machine) -> Step | None:
        before = m.current_step
        m.current_step = self.optional_choice
        if m.is_looking_ahead or m.defers_option_checks:
            found = has_raw_option_but_done(m, self.optional_choice)
        else:
            found = has_option(m, DONE)
        m.current_step = before
        if found:
            return self.optional_choice
        return self.next


def has_raw_option_but_done(m: Machine, step: Step) -> bool:
    """Return whether ``step`` has any option other than DONE.

    Options count even if the turn can't be completed after them.
    """
    base = m.stack_height
    m.spend_work(step.cost)
    step.push_options(m)
    result = False
    at = base
    while at < m.stack_height and not result:
        result = m.option_stack[at].value & 15 != DONE
        at += 1
    m.stack_height = base
    return result


@final
class Require(Step):
    """Step of ``require``: fail unless the condition holds."""

    def __init__(self, test: Node) -> None:
        super().__init__()
        self.test: Final = test

    def run(self, m: Machine) -> Step | None:
        if self.test.eval(m):
            return self.next
        return None


@final
class If(Step):
    """Step of ``if``: go to ``next`` if the condition holds, to ``otherwise`` if not."""

    def __init__(self, test: Node) -> None:
        super().__init__()
        self.test: Final = test
        self.otherwise: Step = self

    def run(self, m: Machine) -> Step | None:
        if self.test.eval(m):
            return self.next
        return self.otherwise


@final
class FirstPossible(Step):
    """Step of ``first``: enter the first branch that can be completed; fail if there is none.

    A branch also counts as completable if the turn can end in it, or if a random outcome or another seat's choice can
    be reached; see :func:`.can_reach`.
    """

    def __init__(self) -> None:
        super().__init__()
        self.branch_starts: list[Step] = []
        self.branch_ends: list[Step] = []

    def run(self, m: Machine) -> Step | None:
        for i in range(len(self.branch_starts)):
            start = self.branch_starts[i]
            stop = self.branch_ends[i]
            if start is stop or can_reach(m, start, stop):
                return start
        return None


# ---------------------------------------------------------------- loops


class LoopStep(Step):
    """Base class of the steps that control a loop.

    The steps that control the same loop share three Words, which are reset to 0 when the loop is left. ``rounds``
    counts the rounds. In a ``repeat`` with ``times``, ``min_rounds`` and ``max_rounds`` are the limits on the number of
    rounds. In a ``repeat`` without ``times``, ``min_rounds`` is a hash of the state before the current round, and
    ``max_rounds`` is always 0.
    """

    def __init__(self, rounds: Word, min_rounds: Word, max_rounds: Word) -> None:
        super().__init__()
        self.rounds: Final = rounds
        self.min_rounds: Final = min_rounds
        self.max_rounds: Final = max_rounds

    def reset_counters(self, m: Machine) -> None:
        """Reset the three Words that the steps of the loop share.

        Each of them is set to 0.
        """
        m.set_word(self.rounds, 0)
        m.set_word(self.min_rounds, 0)
        m.set_word(self.max_rounds, 0)


@final
class RepeatBegin(LoopStep):
    """Start of a ``repeat`` without ``times``: set the count of rounds to 0."""

    def run(self, m: Machine) -> Step | None:
        m.set_word(self.rounds, 0)
        return self.next


@final
class RepeatTest(LoopStep):
    """Head of a ``repeat`` without ``times``: run the body if it can be completed, else leave the loop.

    Before each round, a hash of the state is stored in ``min_rounds`` (see :func:`.lasting_state_key`).
    :class:`RepeatEnd` compares it with the hash of the state after the round. Raises RuleFailure if the loop hasn't
    ended after :data:`MAX_ROUNDS` + 1 rounds.
    """

    def __init__(self, rounds: Word, min_rounds: Word, max_rounds: Word) -> None:
        super().__init__(rounds, min_rounds, max_rounds)
        self.exit_step: Step = self
        self.body_end: Step = self

    def run(self, m: Machine) -> Step | None:
        rounds = self.rounds.value
        if rounds > MAX_ROUNDS:
            raise RuleFailure("a 'repeat' never ends")
        m.spend_work(ROUND_WORK)
        if not can_reach(m, self.next, self.body_end):
            self.reset_counters(m)
            return self.exit_step
        m.set_word(self.rounds, rounds + 1)
        m.set_word(self.min_rounds, lasting_state_key(m))
        return self.next


@final
class RepeatAll(Step):
    """A ``repeat`` without ``times`` that is run as one step.

    This is possible because its body consists of operations in :data:`CHOICELESS_OPS` and the game has no early end
    rules. The loop stops after a round that changes nothing, or after undoing one that fails. It raises RuleFailure if
    it has not stopped after :data:`MAX_ROUNDS` + 1 rounds.
    """

    def __init__(self) -> None:
        super().__init__()
        self.body: Step = self
        self.body_end: Step = self
        self.exit_step: Step = self

    def run(self, m: Machine) -> Step | None:
        rounds: M = 0
        while True:
            rounds += 1
            if rounds > MAX_ROUNDS + 1:
                raise RuleFailure("a 'repeat' never ends")
            m.spend_work(ROUND_WORK)
            mark = m.undo_length
            key = m.hash_boards()
            happened = 0
            if m.events is not None:
                happened = len(m.events)
            m.current_step = self.body
            if run_steps(m, self.body_end) == FAILED:
                m.undo(mark)
                if m.events is not None:
                    del m.events[happened:]
                return self.exit_step
            if m.hash_boards() == key and not m.changed_since(mark):
                return self.exit_step


@final
class RepeatEnd(LoopStep):
    """End of a round of a ``repeat`` without ``times``: leave the loop if the round changed nothing.

    Only changes to the boards, marks, stocks, named values and tallies count; see :func:`.lasting_state_key`.
    """

    def __init__(self, rounds: Word, min_rounds: Word, max_rounds: Word) -> None:
        super().__init__(rounds, min_rounds, max_rounds)
        self.exit_step: Step = self

    def run(self, m: Machine) -> Step | None:
        if self.min_rounds.value == lasting_state_key(m):
            self.reset_counters(m)
            return self.exit_step
        return self.next


@final
class TimesBegin(LoopStep):
    """Start of a ``repeat`` with ``times``: set the counter, the minimum and the maximum.

    The maximum is limited to :data:`MAX_ROUNDS`. A minimum above this limit raises RuleFailure.
    """

    def __init__(self, rounds: Word, min_rounds: Word, max_rounds: Word, low: Node, high: Node) -> None:
        super().__init__(rounds, min_rounds, max_rounds)
        self.min_node: Final = low
        self.max_node: Final = high

    def run(self, m: Machine) -> Step | None:
        least = self.min_node.eval(m)
        if least > MAX_ROUNDS:
            raise RuleFailure("a 'repeat' would run more than {most:,} times", most=MAX_ROUNDS)
        most = self.max_node.eval(m)
        if most > MAX_ROUNDS:
            most = MAX_ROUNDS
        m.set_word(self.rounds, 0)
        m.set_word(self.min_rounds, least)
        m.set_word(self.max_rounds, most)
        return self.next


@final
class RepeatTimesHead(LoopStep):
    """Head of a ``repeat`` with ``times``: run the body, ask whether to continue, or leave the loop."""

    def __init__(self, rounds: Word, min_rounds: Word, max_rounds: Word) -> None:
        super().__init__(rounds, min_rounds, max_rounds)
        self.ask_step: Step = self
        self.exit_step: Step = self

    def run(self, m: Machine) -> Step | None:
        rounds = self.rounds.value
        if rounds < self.min_rounds.value:
            return self.next
        if rounds >= self.max_rounds.value:
            return self.exit_step
        return self.ask_step


@final
class TimesEnd(LoopStep):
    """End of a round of a ``repeat`` with ``times``: count the round."""

    def run(self, m: Machine) -> Step | None:
        m.spend_work(ROUND_WORK)
        m.set_word(self.rounds, self.rounds.value + 1)
        return self.next


@final
class TimesExit(LoopStep):
    """Exit of a ``repeat`` with ``times``: reset its counters."""

    def run(self, m: Machine) -> Step | None:
        self.reset_counters(m)
        return self.next


@final
class BestBegin(Step):
    """Start of ``best``: store the greatest value that any way through the body can reach.

    Ways that end the turn or reach a random outcome within the body count as well. The step fails if there is no way.
    """

    def __init__(self, value: Node, best: Word) -> None:
        super().__init__()
        self.value: Final = value
        self.best: Final = best
        self.body_end: Step = self

    def run(self, m: Machine) -> Step | None:
        found = max_over_ways(m, self.next, self.body_end, self.value, self.cost)
        if not found:
            return None
        m.set_word(self.best, found[0])
        return self.next


@final
class BestEnd(Step):
    """End of ``best``: fail unless this way through the body has reached the greatest value."""

    def __init__(self, value: Node, best: Word) -> None:
        super().__init__()
        self.value: Final = value
        self.best: Final = best

    def run(self, m: Machine) -> Step | None:
        if self.value.eval(m) != self.best.value:
            return None
        m.set_word(self.best, 0)
        return self.next


# ---------------------------------------------------------------- building steps from instructions


def _choose(context: BuildContext, instruction: Instruction) -> Step:
    return Choose(list(instruction.labels))


def _ask(context: BuildContext, instruction: Instruction) -> Step:
    return SkipIfOnlyDone()


def _end_turn(context: BuildContext, instruction: Instruction) -> Step:
    return EndTurn()


def _jump(context: BuildContext, instruction: Instruction) -> Step:
    return Jump()


def _require(context: BuildContext, instruction: Instruction, test: Term) -> Step:
    return Require(context.nodes.build(test))


def _if(context: BuildContext, instruction: Instruction, test: Term) -> Step:
    return If(context.nodes.build(test))


def _first(context: BuildContext, instruction: Instruction) -> Step:
    return FirstPossible()


def _repeat_begin(context: BuildContext, instruction: Instruction, key: int) -> Step:
    code = context.rules.program
    test = code[key + 1]
    if not context.rules.has_early_end_rules and all(
        step.op in CHOICELESS_OPS for step in code[key + 2 : test.branch_ends[0]]
    ):
        return RepeatAll()
    return RepeatBegin(*context.words_for_repeat(key))


def _repeat_test(context: BuildContext, instruction: Instruction, key: int) -> Step:
    return RepeatTest(*context.words_for_repeat(key))


def _repeat_end(context: BuildContext, instruction: Instruction, key: int) -> Step:
    return RepeatEnd(*context.words_for_repeat(key))


def _times_begin(
    context: BuildContext, instruction: Instruction, key: int, minimum: Term, maximum: Term
) -> Step:
    return TimesBegin(*context.loop_counters(key), context.nodes.build(minimum), context.nodes.build(maximum))


def _times_test(context: BuildContext, instruction: Instruction, key: int, forced: bool) -> Step:
    return RepeatTimesHead(*context.loop_counters(key))


def _times_end(context: BuildContext, instruction: Instruction, key: int) -> Step:
    return TimesEnd(*context.loop_counters(key))


def _times_over(context: BuildContext, instruction: Instruction, key: int) -> Step:
    return TimesExit(*context.loop_counters(key))


def _best_begin(context: BuildContext, instruction: Instruction, key: int, value: Term) -> Step:
    return BestBegin(context.nodes.build(value), context.block_word(key))


def _best_end(context: BuildContext, instruction: Instruction, key: int, value: Term) -> Step:
    return BestEnd(context.nodes.build(value), context.block_word(key))


CONTROL_FLOW_STEP_BUILDERS: Final[dict[str, Callable[..., Step]]] = {
    "Choose": _choose,
    "Ask": _ask,
    "EndTurn": _end_turn,
    "Jump": _jump,
    "Require": _require,
    "If": _if,
    "First": _first,
    "RepeatBegin": _repeat_begin,
    "RepeatTest": _repeat_test,
    "RepeatEnd": _repeat_end,
    "TimesBegin": _times_begin,
    "RepeatTimesHead": _times_test,
    "TimesEnd": _times_end,
    "TimesOver": _times_over,
    "BestBegin": _best_begin,
    "BestEnd": _best_end,
}
"""Functions that build steps, by the operation of the instruction."""
