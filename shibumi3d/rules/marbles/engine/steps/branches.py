"""Steps for control flow: ``choose``, ``may``, ``first``, ``if``, ``require``, ``repeat`` and ``best``."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final, final

from shibumi3d.rules.errors import RuleFailure, Unforeseen
from shibumi3d.rules.marbles import event as ev
from shibumi3d.rules.marbles.engine.board import Word
from shibumi3d.rules.marbles.engine.build.maker import Maker
from shibumi3d.rules.marbles.engine.lookahead import (
    FAILED,
    TRIAL_COST,
    WAITING,
    any_option,
    arrive,
    greatest,
    hold,
    leads_on,
    let_go,
    matter_key,
    possible,
    run,
)
from shibumi3d.rules.marbles.engine.rules import DONE, LABEL, Instruction, Term
from shibumi3d.rules.marbles.engine.steps.choices import ChoiceStep
from shibumi3d.rules.marbles.engine.workspace import ENDS, WAITS, Machine, Node, Step
from shibumi3d.rules.marbles.notation import text_of

if TYPE_CHECKING:
    from mypy_extensions import i64 as M

ROUNDS: Final = 10_000
"""Limit on the rounds of one ``repeat`` in a turn, beyond which it is considered endless."""
ROUND_COST: Final = 60
"""Work charged for one round of a ``repeat``, in addition to its steps."""


SILENT = frozenset(
    {"Jump", "Put", "Remove", "Recolour", "Deal", "AddScore", "Let", "SetMark", "SetNext", "Require", "If"}
)
"""Operations that :class:`RepeatAll` can run.

They involve no choice, no chance and no look-ahead.
"""


@final
class EndTurn(Step):
    """The last instruction of every turn."""

    def __init__(self) -> None:
        super().__init__()
        self.kind = ENDS


@final
class Jump(Step):
    """An unconditional jump."""

    def run(self, m: Machine) -> Step | None:
        return self.next


@final
class Choose(ChoiceStep):
    """A choice between branches: ``choose``, or whether to continue in ``may`` and ``repeat``.

    A seat selects a branch by making the first choice in it. A branch without choices is offered as "done". With
    ``labels``, the options are the labels of the branches instead.
    """

    def __init__(self, labels: list[int]) -> None:
        super().__init__(-1)
        self.starts: list[Step] = []
        """First step of each branch; ``next`` for an empty branch."""
        self.labels: Final = labels
        self.kinds: list[int] = []
        """Kind of choice that leads to each branch; empty if the kind is not enough to tell."""

    def offer_branch(self, m: Machine, start: Step) -> None:
        """Push the codes of the choices that can begin a branch."""
        m.spend(start.cost)
        if start.kind == WAITS:
            start.offer(m)
            return
        if start is self.next:
            m.push(DONE)
            return
        m.spend(TRIAL_COST)
        held = hold(m)
        m.at = start
        try:
            ended = run(m, self.next)
            if ended == WAITING:
                m.at.offer(m)
            elif ended != FAILED:
                m.push(DONE)
        except Unforeseen:
            pass
        let_go(m, held)

    def offer(self, m: Machine) -> None:
        base = m.height
        for i, start in enumerate(self.starts):
            first = m.height
            self.offer_branch(m, start)
            if self.labels:
                if m.height > first:
                    m.height = first
                    m.push(self.labels[i] << 4 | LABEL)
            elif not self.kinds and first > base:
                self.once(m, base, first)

    def once(self, m: Machine, base: M, first: M) -> None:
        """Remove the codes from index ``first`` on that an earlier branch already offers.

        The codes of the earlier branches are between the indices ``base`` and ``first``.
        """
        kept = first
        at = first
        m.spend((m.height - first) * (first - base))
        while at < m.height:
            code = m.stack[at].v
            before = base
            while before < first and m.stack[before].v != code:
                before += 1
            if before == first:
                m.stack[kept].v = code
                kept += 1
            at += 1
        m.height = kept

    def holds(self, m: Machine, start: Step, code: M) -> bool:
        """Return whether a choice with this code can begin a branch."""
        base = m.height
        self.offer_branch(m, start)
        found = False
        at = base
        m.spend(m.height - base)
        while at < m.height:
            if m.stack[at].v == code:
                found = True
            at += 1
        m.height = base
        return found

    def accept(self, m: Machine, code: M) -> Step | None:
        if self.labels:
            if m.events is not None:
                m.events.append(ev.Chose(m.who(m.me), text_of(m.rules, code, m.board.index)))
            label: int = code >> 4
            return self.starts[self.labels.index(label)]
        if self.kinds:
            kind: int = code & 15
            return self.enter(m, self.starts[self.kinds.index(kind)], code)
        fitting = [start for start in self.starts if self.holds(m, start, code)]
        if not fitting:
            return None  # the options are hidden from the seat that tries this
        for start in fitting[:-1]:
            if self.good(m, start, code):
                return self.enter(m, start, code)
        return self.enter(m, fitting[-1], code)

    def good(self, m: Machine, start: Step, code: M) -> bool:
        """Return whether the turn can be completed after beginning this branch with the given choice."""
        me = m.me
        m.spend(TRIAL_COST)
        held = hold(m)
        ended = arrive(m, self.enter(m, start, code), None)
        found = leads_on(m, ended, me, {})
        let_go(m, held)
        return found

    def enter(self, m: Machine, start: Step, code: M) -> Step | None:
        """Enter a branch by its first choice; return the next instruction, or None if it is impossible."""
        if start.kind == WAITS:
            return start.accept(m, code)
        m.at = start
        looking = m.looking
        m.looking = True  # so that chance is not resolved before the branch is entered
        ended = run(m, self.next)
        m.looking = looking
        if ended == WAITING and m.at is not self.next:
            return m.at.accept(m, code)
        if ended == FAILED:
            return None
        return m.at


@final
class AskFirst(Step):
    """Test before an optional choice: skip it if declining is the only option."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: Step = self

    def run(self, m: Machine) -> Step | None:
        before = m.at
        m.at = self.asked
        if m.looking or m.lazy:
            found = raw_but_done(m, self.asked)
        else:
            found = any_option(m, DONE)
        m.at = before
        if found:
            return self.asked
        return self.next


def raw_but_done(m: Machine, step: Step) -> bool:
    """Return whether a choice has any option other than DONE, without look-ahead."""
    base = m.height
    m.spend(step.cost)
    step.offer(m)
    found = False
    at = base
    while at < m.height and not found:
        found = m.stack[at].v & 15 != DONE
        at += 1
    m.height = base
    return found


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
class First(Step):
    """Step of ``first``: enter the first branch that can be carried out completely."""

    def __init__(self) -> None:
        super().__init__()
        self.starts: list[Step] = []
        self.stops: list[Step] = []

    def run(self, m: Machine) -> Step | None:
        for i in range(len(self.starts)):
            start = self.starts[i]
            stop = self.stops[i]
            if start is stop or possible(m, start, stop):
                return start
        return None


# ---------------------------------------------------------------- loops


class LoopStep(Step):
    """Base class of the steps of a loop.

    The counters of the loop are Words of the machine, which are 0 while the loop isn't running.
    """

    def __init__(self, rounds: Word, least: Word, most: Word) -> None:
        super().__init__()
        self.rounds: Final = rounds
        self.least: Final = least
        self.most: Final = most

    def close(self, m: Machine) -> None:
        """Reset the counters at the end of the loop."""
        m.set(self.rounds, 0)
        m.set(self.least, 0)
        m.set(self.most, 0)


@final
class RepeatBegin(LoopStep):
    """Start of a ``repeat`` without ``times``."""

    def run(self, m: Machine) -> Step | None:
        m.set(self.rounds, 0)
        return self.next


@final
class RepeatTest(LoopStep):
    """Head of a ``repeat`` without ``times``: run the body if it can be completed, else leave the loop.

    ``least`` stores a hash of the state before the round, which :class:`RepeatEnd` compares with the one after it.
    """

    def __init__(self, rounds: Word, least: Word, most: Word) -> None:
        super().__init__(rounds, least, most)
        self.leave: Step = self
        self.stop: Step = self

    def run(self, m: Machine) -> Step | None:
        rounds = self.rounds.v
        if rounds > ROUNDS:
            raise RuleFailure("a 'repeat' never ends")
        m.spend(ROUND_COST)
        if not possible(m, self.next, self.stop):
            self.close(m)
            return self.leave
        m.set(self.rounds, rounds + 1)
        m.set(self.least, matter_key(m))
        return self.next


@final
class RepeatAll(Step):
    """A complete ``repeat`` whose body involves neither choices nor chance.

    It stops after a round that changes nothing, or after undoing one that fails.
    """

    def __init__(self) -> None:
        super().__init__()
        self.body: Step = self
        self.stop: Step = self
        self.leave: Step = self

    def run(self, m: Machine) -> Step | None:
        rounds: M = 0
        while True:
            rounds += 1
            if rounds > ROUNDS + 1:
                raise RuleFailure("a 'repeat' never ends")
            m.spend(ROUND_COST)
            mark = m.length
            key = m.boards_key()
            happened = 0
            if m.events is not None:
                happened = len(m.events)
            m.at = self.body
            if run(m, self.stop) == FAILED:
                m.undo(mark)
                if m.events is not None:
                    del m.events[happened:]
                return self.leave
            if m.boards_key() == key and not m.changed_since(mark):
                return self.leave


@final
class RepeatEnd(LoopStep):
    """End of a round of a ``repeat`` without ``times``: leave the loop if nothing changed."""

    def __init__(self, rounds: Word, least: Word, most: Word) -> None:
        super().__init__(rounds, least, most)
        self.leave: Step = self

    def run(self, m: Machine) -> Step | None:
        if self.least.v == matter_key(m):
            self.close(m)
            return self.leave
        return self.next


@final
class TimesBegin(LoopStep):
    """Start of a ``repeat`` with ``times``: set the counter, the minimum and the maximum."""

    def __init__(self, rounds: Word, least: Word, most: Word, low: Node, high: Node) -> None:
        super().__init__(rounds, least, most)
        self.low: Final = low
        self.high: Final = high

    def run(self, m: Machine) -> Step | None:
        least = self.low.eval(m)
        if least > ROUNDS:
            raise RuleFailure("a 'repeat' would run more than {most:,} times", most=ROUNDS)
        most = self.high.eval(m)
        if most > ROUNDS:
            most = ROUNDS
        m.set(self.rounds, 0)
        m.set(self.least, least)
        m.set(self.most, most)
        return self.next


@final
class TimesTest(LoopStep):
    """Head of a ``repeat`` with ``times``: run the body, ask whether to continue, or leave the loop."""

    def __init__(self, rounds: Word, least: Word, most: Word) -> None:
        super().__init__(rounds, least, most)
        self.ask: Step = self
        self.leave: Step = self

    def run(self, m: Machine) -> Step | None:
        rounds = self.rounds.v
        if rounds < self.least.v:
            return self.next
        if rounds >= self.most.v:
            return self.leave
        return self.ask


@final
class TimesEnd(LoopStep):
    """End of a round of a ``repeat`` with ``times``: count the round."""

    def run(self, m: Machine) -> Step | None:
        m.spend(ROUND_COST)
        m.set(self.rounds, self.rounds.v + 1)
        return self.next


@final
class TimesOver(LoopStep):
    """Exit of a ``repeat`` with ``times``."""

    def run(self, m: Machine) -> Step | None:
        self.close(m)
        return self.next


@final
class BestBegin(Step):
    """Start of ``best``: find the greatest value that any way through the body can reach."""

    def __init__(self, value: Node, best: Word) -> None:
        super().__init__()
        self.value: Final = value
        self.best: Final = best
        self.stop: Step = self

    def run(self, m: Machine) -> Step | None:
        found = greatest(m, self.next, self.stop, self.value, self.cost)
        if not found:
            return None
        m.set(self.best, found[0])
        return self.next


@final
class BestEnd(Step):
    """End of ``best``: fail unless the greatest value has been reached."""

    def __init__(self, value: Node, best: Word) -> None:
        super().__init__()
        self.value: Final = value
        self.best: Final = best

    def run(self, m: Machine) -> Step | None:
        if self.value.eval(m) != self.best.v:
            return None
        m.set(self.best, 0)
        return self.next


# ---------------------------------------------------------------- building steps from instructions


def _choose(b: Maker, i: Instruction) -> Step:
    return Choose(list(i.labels))


def _ask(b: Maker, i: Instruction) -> Step:
    return AskFirst()


def _end_turn(b: Maker, i: Instruction) -> Step:
    return EndTurn()


def _jump(b: Maker, i: Instruction) -> Step:
    return Jump()


def _require(b: Maker, i: Instruction, test: Term) -> Step:
    return Require(b.nodes.node(test))


def _if(b: Maker, i: Instruction, test: Term) -> Step:
    return If(b.nodes.node(test))


def _first(b: Maker, i: Instruction) -> Step:
    return First()


def _repeat_begin(b: Maker, i: Instruction, key: int) -> Step:
    code = b.rules.code
    test = code[key + 1]
    if not b.rules.early and all(step.op in SILENT for step in code[key + 2 : test.stops[0]]):
        return RepeatAll()
    return RepeatBegin(*b.of_repeat(key))


def _repeat_test(b: Maker, i: Instruction, key: int) -> Step:
    return RepeatTest(*b.of_repeat(key))


def _repeat_end(b: Maker, i: Instruction, key: int) -> Step:
    return RepeatEnd(*b.of_repeat(key))


def _times_begin(b: Maker, i: Instruction, key: int, least: Term, most: Term) -> Step:
    return TimesBegin(*b.of_loop(key), b.nodes.node(least), b.nodes.node(most))


def _times_test(b: Maker, i: Instruction, key: int, forced: bool) -> Step:
    return TimesTest(*b.of_loop(key))


def _times_end(b: Maker, i: Instruction, key: int) -> Step:
    return TimesEnd(*b.of_loop(key))


def _times_over(b: Maker, i: Instruction, key: int) -> Step:
    return TimesOver(*b.of_loop(key))


def _best_begin(b: Maker, i: Instruction, key: int, value: Term) -> Step:
    return BestBegin(b.nodes.node(value), b.of_block(key))


def _best_end(b: Maker, i: Instruction, key: int, value: Term) -> Step:
    return BestEnd(b.nodes.node(value), b.of_block(key))


MAKERS: Final[dict[str, Callable[..., Step]]] = {
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
    "TimesTest": _times_test,
    "TimesEnd": _times_end,
    "TimesOver": _times_over,
    "BestBegin": _best_begin,
    "BestEnd": _best_end,
}
"""Functions that build the step of an instruction, by operation."""
