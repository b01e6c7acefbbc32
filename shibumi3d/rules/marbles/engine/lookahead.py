"""Execution of programs, and look-ahead that is rolled back with the undo log."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias

from shibumi3d.rules.errors import Unforeseen
from shibumi3d.rules.marbles.engine.board import Word, mixed
from shibumi3d.rules.marbles.engine.ends import nothing_done, test_early
from shibumi3d.rules.marbles.engine.rules import PASS
from shibumi3d.rules.marbles.engine.workspace import CHANCE, ENDS, RUNS, WAITS, Machine, Node, Step, Way

if TYPE_CHECKING:
    from mypy_extensions import i64 as M

    from shibumi3d.rules.marbles.engine.rules import Result
    from shibumi3d.rules.marbles.event import Event

WAITING: Final = 0
OVER: Final = 1
FAILED: Final = 2
REACHED: Final = 3
OPEN: Final = 4
"""How a run ended.

WAITING: a choice is needed, perhaps from another seat. OVER: the turn is complete. FAILED: it can't be completed.
REACHED: the goal of the look-ahead was reached. OPEN: the look-ahead stopped at a random outcome.
"""

KEY: Final = (1 << 61) - 1
"""Largest hash of a position.

Larger values, such as sets on wide boards, are mixed into a hash separately.
"""
TRIAL_COST: Final = 80
"""Cost of trying out a choice, not including its effects."""


Held: TypeAlias = "tuple[M, Step, M, Result | None, list[Event] | None, bool]"
"""The part of a machine's state that :func:`hold` saves because the undo log does not record it.

It is a tuple, because mypyc stores tuples without allocating an object; with an object, some games run 10% slower.
"""


def hold(m: Machine) -> Held:
    """Start a trial: until the matching :func:`let_go`, the machine looks ahead and emits no events."""
    held = (m.length, m.at, m.step, m.result, m.events, m.looking)
    m.events = None
    m.looking = True
    return held


def let_go(m: Machine, held: Held) -> None:
    """Roll back everything since the matching :func:`hold`."""
    mark, at, step, result, events, looking = held
    m.undo(mark)
    m.at = at
    m.step = step
    m.result = result
    m.events = events
    m.looking = looking


def run(m: Machine, goal: Step | None) -> M:
    """Execute steps from ``m.at`` until a choice is needed or the turn ends.

    Returns WAITING, OVER, FAILED, REACHED or OPEN. A look-ahead stops at random outcomes, and at the step ``goal`` if
    it is given. Raises Unforeseen for a random outcome during a preview.
    """
    step = m.at
    early = m.early
    while True:
        if step is goal:
            m.at = step
            return REACHED
        kind = step.kind
        if kind != RUNS:
            m.at = step
            if kind == WAITS:
                return WAITING
            if kind == ENDS:
                if nothing_done(m):
                    return FAILED
                return OVER
            if kind == CHANCE:
                if m.looking:
                    return OPEN
                if m.blind:
                    raise Unforeseen
        if step.sure and m.looking and goal is None:
            m.at = step
            if nothing_done(m):
                return FAILED
            return OVER
        work = m.work - step.cost
        m.work = work
        if work < 0:
            m.spend(0)
        following = step.run(m)
        if following is None:
            m.at = step
            return FAILED
        if early and step.acts and test_early(m):
            m.at = following
            return OVER
        step = following


def arrive(m: Machine, following: Step | None, goal: Step | None) -> M:
    """Count a choice, continue at the step ``following``, and return how the run ended.

    If ``following`` is None, the choice was impossible.
    """
    if following is None:
        return FAILED
    m.at = following
    m.step += 1
    if m.early and test_early(m):
        return OVER
    return run(m, goal)


def take(m: Machine, code: M, goal: Step | None) -> M:
    """Carry out one of the current step's options, run, and return how the run ended."""
    return arrive(m, m.at.accept(m, code), goal)


def matter_key(m: Machine) -> M:
    """Return a hash of the boards, marks, stocks, saved names and tallies."""
    key: M = 0
    m.spend(m.key_cost)
    for board in m.boards:
        key = mixed(key, board.key)
    key = stirred(key, m.lying)
    for box in m.saved_boxes:
        key = mixed(key, len(box.items) + len(box.lists))
        m.spend(4 * len(box.items))
        for item in box.items:
            key = mixed(key, item)
    return key


def key_of(m: Machine) -> M:
    """Return a hash of everything on which the rest of a turn depends."""
    key = mixed(matter_key(m), m.at.number << 8 | m.me << 4 | m.board.index)
    key = stirred(key, m.under_way)
    if m.step:
        return key ^ 1
    return key


def stirred(key: M, words: list[Word]) -> M:
    """Return a hash of ``key`` and some numbers.

    The numbers are first multiplied by their salts and added up. Zeros, which are frequent, are skipped.
    """
    total: M = 0
    at: M = 0
    end = len(words)
    while at < end:
        value = words[at].v
        if value:
            if value > KEY:
                key = mixed(key ^ words[at].salt, value)
            else:
                total += value * words[at].salt
        at += 1
    return mixed(key, total & KEY)


def open_way(m: Machine, key: M) -> Way:
    """Add a level to the look-ahead, with the options of the step at which the machine waits."""
    depth = m.depth
    m.depth = depth + 1
    if depth == len(m.ways):
        m.ways.append(Way(m.at))
    way = m.ways[depth]
    way.at = m.at
    way.mark = m.length
    way.base = m.height
    way.step = m.step
    way.key = key
    m.spend(m.at.cost)
    m.at.offer(m)
    if not m.rolling:
        # Options are tried from the top of the stack down. Reverse them, since game files list first what is most often
        # possible.
        low = way.base
        high = m.height - 1
        while low < high:
            code = m.stack[low].v
            m.stack[low].v = m.stack[high].v
            m.stack[high].v = code
            low += 1
            high -= 1
    return way


def retreat(m: Machine, way: Way) -> None:
    """Undo everything back to the choice for which ``way`` was opened."""
    m.undo(way.mark)
    m.at = way.at
    m.step = way.step
    m.result = None


def reach(
    m: Machine, ended: M, goal: Step | None, known: dict[int, bool], at_random: bool, passing: bool
) -> M:
    """Search for a way to the goal or to the end of the turn; return how it ends, or FAILED.

    The depth-first search starts where :func:`run` stopped with ``ended``. If a way is found, the machine is left at
    its end; otherwise, the machine is left where it was. The search doesn't go past other seats' choices or random
    outcomes. ``known`` caches, for positions that can recur, whether they lead to success.

    With ``at_random``, options are tried in random order. Each complete turn is then as likely as if every choice were
    drawn uniformly from the legal options. With ``passing``, passing is an additional option at the first choice.
    """
    actor = m.me
    floor = m.depth
    while True:
        if ended == WAITING and m.me == actor:
            step = m.at
            if goal is None and not step.look and not at_random:
                m.spend(step.cost)
                good = step.any_raw(m)
            else:
                good = False
                if step.again:
                    key = key_of(m)
                    found = known.get(key)
                    if found is None:
                        known[key] = False
                        open_way(m, key)
                    else:
                        good = found and not at_random
                        if found and at_random:
                            open_way(m, key)
                else:
                    open_way(m, -1)
                if passing:
                    m.push(PASS)
                    passing = False
        else:
            good = ended != FAILED
        if good:
            if m.depth > floor:
                m.height = m.ways[floor].base
            if at_random:
                # Nothing reads ``known`` after a random turn.
                m.depth = floor
            while m.depth > floor:
                m.depth -= 1
                key = m.ways[m.depth].key
                if key >= 0:
                    known[key] = True
            return ended
        while True:
            if m.depth == floor:
                return FAILED
            way = m.ways[m.depth - 1]
            retreat(m, way)
            left = m.height - way.base
            if left:
                break
            m.depth -= 1
        m.spend(TRIAL_COST)
        m.height -= 1
        last = m.stack[m.height]
        code = last.v
        if at_random and left > 1:
            drawn = m.stack[way.base + m.below(left)]
            code = drawn.v
            drawn.v = last.v
        if code == PASS:
            m.height = m.ways[floor].base
            m.depth = floor
            m.passing = True
            return OVER
        ended = take(m, code, goal)


def completable(m: Machine, code: M, known: dict[int, bool]) -> bool:
    """Return whether the turn can be completed after a choice, as far as the seat to move can know."""
    me = m.me
    m.spend(TRIAL_COST)
    held = hold(m)
    ended = take(m, code, None)
    good = leads_on(m, ended, me, known)
    let_go(m, held)
    return good


def leads_on(m: Machine, ended: M, actor: M, known: dict[int, bool]) -> bool:
    """Return whether the turn can be completed after a run that stopped with ``ended``.

    The answer relies only on what ``actor`` can know. It is therefore True if another seat is to choose.
    """
    if ended == WAITING and m.me != actor:
        return True
    return reach(m, ended, None, known, False, False) != FAILED


def keep_options(m: Machine, base: M) -> None:
    """Of the options from index ``base`` on, remove those after which the turn can't be completed."""
    if not m.at.look:
        return
    known: dict[int, bool] = {}
    kept = base
    end = m.height
    at = base
    while at < end:
        code = m.stack[at].v
        if completable(m, code, known):
            m.stack[kept].v = code
            kept += 1
        at += 1
    m.height = kept


def options(m: Machine, open_turn: bool = False) -> list[int]:
    """Return the options of the current step after which the turn can be completed, in order.

    If ``open_turn`` is set, the turn is known to be completable, so a single option isn't tried out.
    """
    base = m.height
    m.spend(m.at.cost)
    m.at.offer(m)
    if not open_turn or m.height - base > 1:
        keep_options(m, base)
    found: list[int] = []
    at = base
    while at < m.height:
        found.append(m.stack[at].v)
        at += 1
    m.height = base
    return found


def any_option(m: Machine, but: M) -> bool:
    """Return whether the turn can be completed with any option that is not of the kind ``but``.

    If ``but`` is -1, options of all kinds count.
    """
    step = m.at
    m.spend(step.cost)
    if not step.look and but < 0:
        return step.any_raw(m)
    base = m.height
    step.offer(m)
    known: dict[int, bool] = {}
    at = base
    found = False
    while at < m.height and not found:
        code = m.stack[at].v
        found = code & 15 != but and (not step.look or completable(m, code, known))
        at += 1
    m.height = base
    return found


def possible(m: Machine, start: Step, goal: Step) -> bool:
    """Return whether the part of the program from ``start`` to ``goal`` can be carried out."""
    m.spend(TRIAL_COST)
    held = hold(m)
    m.at = start
    good = reach(m, run(m, goal), goal, {}, False, False) != FAILED
    let_go(m, held)
    return good


def greatest(m: Machine, start: Step, goal: Step, value: Node, cost: M) -> list[int]:
    """Return the maximum of an expression over all ways from ``start`` to ``goal``, as a list.

    The list is empty if there is no way. ``cost`` is the cost of the expression.
    """
    floor = m.depth
    best: list[int] = []
    seen: set[int] = set()
    held = hold(m)
    m.at = start
    ended = run(m, goal)
    while True:
        if ended == REACHED or ended == OVER or ended == OPEN:
            m.spend(cost)
            found: int = value.eval(m)
            if not best or found > best[0]:
                best = [found]
        elif ended == WAITING:
            key = key_of(m)
            if key not in seen:
                seen.add(key)
                open_way(m, key)
        left: M = 0
        while m.depth > floor:
            way = m.ways[m.depth - 1]
            retreat(m, way)
            left = m.height - way.base
            if left:
                break
            m.depth -= 1
        if not left:
            break
        m.spend(TRIAL_COST)
        m.height -= 1
        ended = take(m, m.stack[m.height].v, goal)
    let_go(m, held)
    return best
