"""Analysis of the rules of two-player games: which details of a position can still matter.

A proof treats positions as equal if they differ only in details that cannot matter:

If the rules test only whether lines consist of certain colours, a marble's colour matters only while it helps a seat in
a line that this seat can still complete. If only certain colours may be built on a marble, its colour no longer matters
once everything above it is built. The size of a stock does not matter once it cannot run out. Some rules do not depend
on colours at all.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any, NamedTuple

from shibumi3d.rules.marbles.bits import bits
from shibumi3d.rules.marbles.engine.rules import PLACED, Alike, EndRule, LoopTerm, Rules, Term

PLAIN = frozenset(
    {
        "Among", "And", "AtMost", "BoolAnd", "BySeat", "Choice", "Const", "ConstItems", "Count", "CountStock",
        "Divided", "Empty", "Equal", "Filled", "Less", "Me", "Minus", "Modulo", "Negative", "Neighbour", "Not", "Or",
        "PartOf", "Playable", "Plus", "ProperPartOf", "Relation", "ScalarAnd", "ScalarOr", "Slot", "StockOf",
        "StockValue", "Stuck", "Times", "Truth", "Unequal", "Without",
    }
)  # fmt: skip
"""Operations of terms that do not depend on colours themselves, although their operands may."""
OFF_BOARD = frozenset({"CountStock", "StockOf"})
"""Operations that depend on the number of marbles in a stock."""
STEPS = frozenset({"Place", "Choose", "Jump", "EndTurn"})
"""Instructions allowed in turns that only add marbles, one at a time, and never change them."""
BLIND = PLAIN | {
    "All", "Any", "Family", "MarkValue", "MemberOfFixed", "Mover", "Owner", "Score", "Tied", "Union",
}  # fmt: skip
"""Operations that depend on nothing but their operands, not on the colours on the board."""
TAKING = frozenset(
    {
        "AddScore", "Ask", "Choose", "EndTurn", "If", "Jump", "Let", "Pick", "RepeatBegin", "RepeatEnd", "RepeatTest",
        "Require", "SetMark", "Take", "TimesBegin", "TimesEnd", "TimesOver", "TimesTest",
    }
)  # fmt: skip
"""Instructions allowed in turns that only remove marbles.

If no rule depends on colours, marbles may be added too.
"""


COUNTING = frozenset({"Bind", "EntryOf", "Listing", "Total"})
"""Operations that depend only on their operands, and on colours only as counts."""
MARBLES = frozenset({"ColourMarbles", "Marbles", "OwnMarbles"})
"""Operations whose value is the set of marbles of certain colours."""


class _Unknown(Exception):
    """Raised if the rules may depend on colours in a way that this analysis does not support."""


def relevant(rules: Rules) -> Alike:
    """Return the details that distinguish positions of a game, apart from symmetries.

    The result is an empty Alike if the analysis does not support the rules.
    """
    if rules.seats != 2 or len(rules.board_names) > 1 or rules.series or rules.needs_history:
        return Alike()
    try:
        return _without_colours(rules)
    except _Unknown:
        pass
    try:
        return _by_lines(rules)
    except _Unknown:
        return Alike()


def _by_lines(rules: Rules) -> Alike:
    """Return what matters if marbles are only added and colours are tested only in lines.

    Raises _Unknown for other rules.
    """
    phase, ends = rules.phases[0], _ends(rules)
    if (
        len(rules.phases) > 1 or rules.uncertain or rules.saved_names or any(rule.most or rule.early for rule in ends)
    ):  # fmt: skip
        raise _Unknown
    sets: set[int] = set()
    seen: set[tuple[int, ...]] = set()
    for rule in ends:
        family, colours_of = _line(rule)
        sets |= family
        seen |= colours_of
    code = rules.code[phase.start :]
    if len(seen) != 1 or not all(step.op in STEPS for step in code):
        raise _Unknown
    of = seen.pop()
    always, under = _always([phase.passing]), 0
    for step in code:
        if step.op == "Place":
            colours, at, stock = step.terms
            always |= _always([colours, stock])
            more, carrying = _built_on(at)
            always |= more
            under |= carrying
        else:
            always |= _always(step.terms)
    spare, alone = _spare(rules)
    return Alike((), (), tuple(sorted(sets)), (of[0], of[1]), always, under & ~always, 0, False, spare, alone)


def _ends(rules: Rules) -> list[EndRule]:
    """Return all rules that end a match, including those of its phases."""
    return [*rules.ends, *(rule for phase in rules.phases for rule in phase.ends)]


def _built_on(at: Term | None) -> tuple[int, int]:
    """Return masks of the colours that a term for points depends on: anywhere, and below a point.

    The colours in the second mask matter only for marbles that would support the new one.
    """
    always = under = 0
    for part in at.args if at is not None and at.op == "Or" else [at] if at is not None else []:
        if part.op == "Relation" and part.args[0] == "resting":
            under |= _always(part.args[1:])
        else:
            always |= _always([part])
    return always, under


def _spare(rules: Rules) -> tuple[int, int]:
    """Return masks of colours that matter only in that they may run out, and of a subset of these.

    The subset holds the colours that only one seat takes, provided that nobody may pass and that a turn takes at most
    one marble. Both masks are 0 unless the box is the only stock and no rule counts its contents.
    """
    phase = rules.phases[0]
    code = rules.code
    if len(rules.stock_names) > 1 or OFF_BOARD & _operations(
        [[step.terms for step in code[phase.start :]], phase.passing, [rule.when for rule in _ends(rules)]]
    ):
        return 0, 0
    every = (1 << rules.colours) - 1

    @cache
    def most(number: int) -> int:
        """Return the maximum number of marbles that the rest of a turn may take.

        The recursion ends because only loops jump backwards, and there are none.
        """
        step = code[number]
        return (step.op == "Place") + max(map(most, step.targets()), default=0)

    if phase.passing is not None or phase.pass_stuck or most(phase.start) > 1:
        return every, 0
    takes = [_by_seat(step.terms[0]) for step in code[phase.start :] if step.op == "Place"]
    first, second = (_united(seats[seat] for seats in takes) for seat in (0, 1))
    return every, first ^ second


def _operations(value: Any) -> set[str]:
    """Return the names of the operations in terms, including nested ones."""
    return {part.op for part in _parts(value)}


def _parts(value: Any, loops: bool = False) -> Iterator[Any]:
    """Yield all terms in a value, including nested ones; if ``loops`` is set, also yield loop terms."""
    if isinstance(value, (tuple, list)):
        for part in value:
            yield from _parts(part, loops)
    elif isinstance(value, LoopTerm):
        if loops:
            yield value
        yield from _parts((value.source, value.tests, value.whole), loops)
    elif isinstance(value, Term):
        yield value
        yield from _parts(value.args, loops)


def _without_colours(rules: Rules) -> Alike:
    """Return what matters if the rules depend on colours only at certain points.

    After the setup, marbles must be either only added or only removed. Raises _Unknown for other rules.
    """
    code = [step for phase in rules.phases[:1] for step in rules.code[phase.start :]]
    placing = any(step.op == "Place" for step in code)
    if len(rules.phases) > 1 or not all(step.op in TAKING or step.op == "Place" for step in code):
        raise _Unknown
    if placing and any(step.op in ("Take", "Pick") for step in code):
        raise _Unknown
    phase, ends = rules.phases[0], _ends(rules)
    read = [
        [step.terms for step in code],
        [phase.until, phase.passing, rules.score],
        [(rule.when, rule.win, rule.lose, rule.most, rule.tie) for rule in ends],
    ]
    places = 0
    for part in _parts(read):
        if part.op == "ColoursOn" and part.args[0].op == "Const":
            places |= part.args[0].value
        elif part.op not in BLIND:
            raise _Unknown
    counts = placing or bool(OFF_BOARD & _operations(read))
    return Alike(lines=(0,), places=places, blind=not counts)


class Counted(NamedTuple):
    """The details that matter at the start of a turn, in games that may have few positions."""

    sets: tuple[int, ...]
    """Sets of points; colours matter only through the number of marbles of each colour in each set."""
    blind: bool
    """Whether marbles off the board can be ignored."""


def counted(rules: Rules) -> Counted | None:
    """Return what matters in games whose rules only count colours in constant sets of points.

    Return None if anything else matters.
    """
    phase, ends = rules.phases[0], _ends(rules)
    code = rules.code[phase.start :]
    if (
        rules.seats != 2 or len(rules.board_names) > 1 or len(rules.phases) > 1 or rules.series
        or rules.needs_history or rules.lasting_marks or any(not one.mark for one in rules.starts)
        or not all(step.op in TAKING or step.op in ("First", "Place") for step in code)
    ):  # fmt: skip
        return None
    placing = any(step.op == "Place" for step in code)
    taking = any(step.op in ("Take", "Pick") for step in code)
    # Marbles placed in this turn are not part of the position at its start, so their colours may be read.
    placed_only = not any(step.op == "SetMark" and step.terms[0] == PLACED for step in code)
    read = [
        [step.terms for step in code],
        [phase.until, phase.passing, rules.score],
        [(rule.when, rule.win, rule.lose, rule.most, rule.tie) for rule in ends],
    ]
    sets: set[int] = set()
    try:
        for value in read:
            sets |= _counted_in(value, _fixed(value), placed_only)
    except _Unknown:
        return None
    if taking and (placing or sets):
        return None  # the colour of a marble that is taken matters
    return Counted(tuple(sorted(sets)), not (placing or OFF_BOARD & _operations(read)))


def _fixed(value: Any) -> dict[int, frozenset[int] | None]:
    """Return the sets of points that each slot may hold, or None where they are not constant."""
    found: dict[int, frozenset[int] | None] = {}

    def held(slot: int, source: Any) -> None:
        items = _items(source)
        before = found.get(slot, frozenset())
        found[slot] = None if items is None or before is None else before | items

    for part in _parts(value, loops=True):
        if isinstance(part, LoopTerm):
            held(part.slot, part.source if part.kind == "sets" else None)
        elif part.op == "Bind":
            for slot, source in zip(part.args[0], part.args[1], strict=True):
                held(slot, source)
    return found


def _items(source: Any) -> frozenset[int] | None:
    """Return the sets of points that a term may yield, or None if they are not constant."""
    if not isinstance(source, Term):
        return None
    if source.op == "Const":
        return frozenset(source.args)
    if source.op == "ConstItems":
        return frozenset(source.args[0])
    return _items(source.args[0]) if source.op == "EntryOf" else None


def _counted_in(value: Any, fixed: Mapping[int, frozenset[int] | None], placed_only: bool) -> set[int]:
    """Return the sets of points in which a value counts colours.

    Raises _Unknown if the value depends on colours in any other way.
    """
    found: set[int] = set()
    if isinstance(value, (tuple, list)):
        for part in value:
            found |= _counted_in(part, fixed, placed_only)
    elif isinstance(value, LoopTerm):
        found |= _counted_in((value.source, value.tests, value.whole), fixed, placed_only)
    elif isinstance(value, Term):
        if value.op == "Count" and value.args[0].op == "And":
            at, of = sorted(value.args[0].args, key=lambda part: part.op in MARBLES)
            if of.op in MARBLES and at.op not in MARBLES:
                sets = fixed.get(at.args[0]) if at.op == "Slot" else _items(at)
                if sets is None:
                    raise _Unknown
                return set(sets)
        if value.op == "ColoursOn":
            of = value.args[0]
            if of.op == "Const":
                return {1 << point for point in bits(of.args[0])}
            if not placed_only or of.op != "MarkValue" or of.args[0] != PLACED:
                raise _Unknown
            return found
        if value.op not in BLIND and value.op not in COUNTING:
            raise _Unknown
        found |= _counted_in(value.args, fixed, placed_only)
    return found


def _line(rule: EndRule) -> tuple[set[int], set[tuple[int, ...]]]:
    """Return the lines that an end rule tests, and for each seat the colours that complete them.

    The rule has the form ``any(l <= X and … for l in SETS)``, where SETS contains the lines and X the colours. Both
    results are empty for a rule that does not depend on colours. Raises _Unknown for other rules.
    """
    when = rule.when
    _none_always([rule.win, rule.lose, rule.tie])
    if when.op != "Any":
        _none_always([when])
        return set(), set()
    loops, element = when.args
    loop: LoopTerm = loops[0]
    if len(loops) > 1 or loop.kind != "sets" or loop.source.op != "ConstItems" or loop.whole is None:
        raise _Unknown
    _none_always([element])
    for test in loop.tests:
        # Colours within the line itself may be read: the line is still open here, so they are told apart anyway.
        inside = test.op == "And" and any(
            part.op == "Slot" and part.args[0] == loop.slot for part in test.args
        )
        for part in test.args if inside else (test,):
            if not (inside and part.op in ("OwnMarbles", "ColourMarbles")):
                _none_always([part])
    return set(loop.source.args[0]), {_colours(loop.whole)}


def _colours(whole: Term) -> tuple[int, ...]:
    """Return the colours of the marbles that a term selects, as one mask for each seat."""
    if whole.op == "OwnMarbles":
        return tuple([1 << colour for colour in whole.args[0]])
    if whole.op == "Marbles":
        return _by_seat(whole.args[0])
    raise _Unknown


def _by_seat(colours: Term) -> tuple[int, ...]:
    if colours.op == "Const":
        return (colours.args[0],) * 2
    if colours.op == "BySeat":
        return tuple(colours.args[0])
    if colours.op == "Or":
        parts = [_by_seat(part) for part in colours.args]
        return tuple([_united(part[seat] for part in parts) for seat in (0, 1)])
    raise _Unknown


def _united(sets: Iterable[int]) -> int:
    found = 0
    for one in sets:
        found |= one
    return found


def _none_always(terms: Iterable[Any]) -> None:
    if _always(terms):
        raise _Unknown


def _always(values: Iterable[Any]) -> int:
    """Return the colours that terms depend on, wherever marbles of these colours are.

    Raises _Unknown if the terms may depend on others.
    """
    found = 0
    for value in values:
        if isinstance(value, (tuple, list)):
            found |= _always(value)
        elif isinstance(value, LoopTerm):
            raise _Unknown
        elif isinstance(value, Term):
            if value.op == "ColourMarbles":
                found |= 1 << value.args[0]
            elif value.op in PLAIN:
                found |= _always(value.args)
            else:
                raise _Unknown
    return found
