"""What of a position can still matter in a game for two, read from its rules.

Where they ask only whether a line is all of some colours, a marble in no line that may still be filled by a seat it
helps is to the rest of the match as good as one of any other colour: positions that differ there alone are one and the
same to a proof. So is a marble on which only certain colours may be built once all is built that rests on it, so are
stocks that can't run out any more, and some rules don't ask of colours at all.
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
"""Operations that see no colours themselves."""
OFF_BOARD = frozenset({"CountStock", "StockOf"})
"""Those that see how many marbles lie in a stock."""
STEPS = frozenset({"Place", "Choose", "Jump", "EndTurn"})
"""What may happen in a turn: marbles only come, one by one, and never change."""
BLIND = PLAIN | {
    "All", "Any", "Family", "MarkValue", "MemberOfFixed", "Mover", "Owner", "Score", "Tied", "Union",
}  # fmt: skip
"""Operations that see no colours on the board, nor anything but what their parts see."""
TAKING = frozenset(
    {
        "AddScore", "Ask", "Choose", "EndTurn", "If", "Jump", "Let", "Pick", "RepeatBegin", "RepeatEnd", "RepeatTest",
        "Require", "SetMark", "Take", "TimesBegin", "TimesEnd", "TimesOver", "TimesTest",
    }
)  # fmt: skip
"""What may happen in a turn in which marbles only go; where nothing is seen of colours they may come too."""


COUNTING = frozenset({"Bind", "EntryOf", "Listing", "Total"})
"""Operations that see no more than their parts, where only numbers of colours are seen."""
MARBLES = frozenset({"ColourMarbles", "Marbles", "OwnMarbles"})
"""The marbles of some colours."""


class _Unknown(Exception):
    """Something else may see colours."""


def relevant(rules: Rules) -> Alike:
    """Return what matters in positions of a game, but for its symmetries."""
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
    """What is seen where marbles only come and colours are asked of in lines."""
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
    """All rules by which a match ends."""
    return [*rules.ends, *(rule for phase in rules.phases for rule in phase.ends)]


def _built_on(at: Term | None) -> tuple[int, int]:
    """The colours that points to choose from see wherever they lie, and those they see only below what they choose."""
    always = under = 0
    for part in at.args if at is not None and at.op == "Or" else [at] if at is not None else []:
        if part.op == "Relation" and part.args[0] == "resting":
            under |= _always(part.args[1:])
        else:
            always |= _always([part])
    return always, under


def _spare(rules: Rules) -> tuple[int, int]:
    """The colours of which only that they run out matters, and those of them of which only every other turn takes
    one: nothing counts what lies in the box, the only stock."""
    phase = rules.phases[0]
    code = rules.code
    if len(rules.stock_names) > 1 or OFF_BOARD & _operations(
        [[step.terms for step in code[phase.start :]], phase.passing, [rule.when for rule in _ends(rules)]]
    ):
        return 0, 0
    every = (1 << rules.colours) - 1

    @cache
    def most(number: int) -> int:
        """How many marbles the rest of a turn may take. Nothing jumps back without a loop, and there is none."""
        step = code[number]
        return (step.op == "Place") + max(map(most, step.targets()), default=0)

    if phase.passing is not None or phase.pass_stuck or most(phase.start) > 1:
        return every, 0
    takes = [_by_seat(step.terms[0]) for step in code[phase.start :] if step.op == "Place"]
    first, second = (_united(seats[seat] for seats in takes) for seat in (0, 1))
    return every, first ^ second


def _operations(value: Any) -> set[str]:
    """The operations of terms and of all their parts."""
    return {part.op for part in _parts(value)}


def _parts(value: Any, loops: bool = False) -> Iterator[Any]:
    """All terms in a value, also those within others; with ``loops`` what their loops go through too."""
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
    """What is seen where nothing depends on colours but at some points: once the setup is done, marbles either only
    come or only go."""
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
    """What matters at the beginning of a turn in games of which all positions may be few."""

    sets: tuple[int, ...]
    """Sets of points: how many marbles of each colour lie in each is seen, and nothing else of colours."""
    blind: bool
    """What lies off the board is not seen at all."""


def counted(rules: Rules) -> Counted | None:
    """Return what matters where colours are seen only by how many marbles have them in sets that never change.

    Returns None where more matters.
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
    # What is placed in this turn is no part of what stood at its beginning.
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
        return None  # which colour goes is seen
    return Counted(tuple(sorted(sets)), not (placing or OFF_BOARD & _operations(read)))


def _fixed(value: Any) -> dict[int, frozenset[int] | None]:
    """By slot the sets of points it may hold; None where that may be others."""
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
    """The sets of points that a term may be, if they are always the same."""
    if not isinstance(source, Term):
        return None
    if source.op == "Const":
        return frozenset(source.args)
    if source.op == "ConstItems":
        return frozenset(source.args[0])
    return _items(source.args[0]) if source.op == "EntryOf" else None


def _counted_in(value: Any, fixed: Mapping[int, frozenset[int] | None], placed_only: bool) -> set[int]:
    """The sets in which colours are counted. Raises _Unknown where they are seen otherwise."""
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
    """The sets of ``any(l <= X and … for l in SETS)``, and the colours of X by seat; none for what sees no colours."""
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
        # What lies in the line itself is seen: it is open where this is asked.
        inside = test.op == "And" and any(
            part.op == "Slot" and part.args[0] == loop.slot for part in test.args
        )
        for part in test.args if inside else (test,):
            if not (inside and part.op in ("OwnMarbles", "ColourMarbles")):
                _none_always([part])
    return set(loop.source.args[0]), {_colours(loop.whole)}


def _colours(whole: Term) -> tuple[int, ...]:
    """The colours of marbles, a set a seat."""
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
    """The colours that terms see wherever they lie. Raises _Unknown for those that may see others."""
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
