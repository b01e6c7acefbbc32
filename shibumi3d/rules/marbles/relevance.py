"""What of a position can still matter in a game for two, read from its rules.

Where they ask only whether a line is all of some colours, a marble in no line that may still be filled by a seat it
helps is to the rest of the match as good as one of any other colour: positions that differ there alone are one and the
same to a proof. So is a marble on which only certain colours may be built once all is built that rests on it, so are
stocks that can't run out any more, and some rules don't ask of colours at all.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

from shibumi3d.rules.marbles.engine.rules import Alike, EndRule, LoopTerm, Rules, Term

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


def _parts(value: Any) -> Iterator[Term]:
    if isinstance(value, (tuple, list)):
        for part in value:
            yield from _parts(part)
    elif isinstance(value, LoopTerm):
        yield from _parts((value.source, value.tests, value.whole))
    elif isinstance(value, Term):
        yield value
        yield from _parts(value.args)


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
