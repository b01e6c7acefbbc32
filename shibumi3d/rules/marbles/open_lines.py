"""Which colours can still matter, where rules ask of colours only whether a line is all of some: read from the rules.

A marble in no line that may still be filled by a seat it helps is to the rest of the match as good as one of any other
colour, so positions that differ there alone are one and the same to a proof.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from shibumi3d.rules.marbles.engine.rules import EndRule, LoopTerm, Rules, Term

PLAIN = frozenset(
    {
        "And", "BySeat", "Const", "ConstItems", "Count", "CountStock", "Empty", "Equal", "Filled", "Me", "Neighbour",
        "Not", "Or", "Playable", "Relation", "ScalarAnd", "ScalarOr", "Slot", "StockOf", "StockValue", "Stuck",
    }
)  # fmt: skip
"""Operations that see no colours themselves."""
STEPS = frozenset({"Place", "Choose", "Jump", "EndTurn"})
"""What may happen in a turn: marbles only come, one by one, and never change."""
BLIND = PLAIN - {"CountStock", "StockOf"} | {"Family", "MarkValue", "Mover"}
"""Operations that see neither colours nor what lies off the board, nor anything but what their parts see."""
TAKING = frozenset(
    {
        "Choose", "EndTurn", "If", "Jump", "Pick", "RepeatBegin", "RepeatEnd", "RepeatTest", "Require", "SetMark",
        "Take", "TimesBegin", "TimesEnd", "TimesOver", "TimesTest",
    }
)  # fmt: skip
"""What may happen in a turn in which marbles only go."""


class Lines(NamedTuple):
    """``sets`` of points, each seen as long as it may still become all of the colours ``of`` a seat (sets of colours
    for two seats), and the colours that are ``always`` seen. No sets: all colours are. ``blind``: none is, nor what
    lies off the board; the only set is empty."""

    sets: tuple[int, ...] = ()
    of: tuple[int, ...] = (0, 0)
    always: int = 0
    blind: bool = False


class _Unknown(Exception):
    """Something else may see colours."""


def read_lines(rules: Rules) -> Lines:
    """Return what a game for two sees of colours."""
    if _is_blind(rules):
        return Lines((0,), blind=True)
    phase = rules.phases[0] if len(rules.phases) == 1 else None
    ends = [*rules.ends, *(phase.ends if phase else ())]
    if (
        phase is None or rules.seats != 2 or len(rules.board_names) > 1 or rules.series or rules.uncertain
        or rules.needs_history or rules.saved_names or any(rule.most or rule.early for rule in ends)
    ):  # fmt: skip
        return Lines()
    try:
        sets: set[int] = set()
        seen: set[tuple[int, ...]] = set()
        for rule in ends:
            family, of = _line(rule)
            sets |= family
            seen |= of
        if len(seen) != 1:
            return Lines()
        code = rules.code[phase.start :]
        if not all(step.op in STEPS for step in code):
            return Lines()
        always = _always([*(step.terms for step in code), phase.passing])
    except _Unknown:
        return Lines()
    return Lines(tuple(sorted(sets)), seen.pop(), always)


def _is_blind(rules: Rules) -> bool:
    """Whether marbles only go once the setup is done, and nothing depends on their colours."""
    phase = rules.phases[0]
    if len(rules.phases) > 1 or len(rules.board_names) > 1 or rules.series or rules.needs_history:
        return False
    code = rules.code[phase.start :]
    ends = [*rules.ends, *phase.ends]
    return (
        all(step.op in TAKING for step in code)
        and _sees_nothing([step.terms for step in code])
        and _sees_nothing([phase.until, phase.passing])
        and not any(rule.most for rule in ends)
        and _sees_nothing([(rule.when, rule.win, rule.lose, rule.tie) for rule in ends])
    )


def _sees_nothing(value: Any) -> bool:
    """Whether terms see no colours."""
    if isinstance(value, (tuple, list)):
        return all(map(_sees_nothing, value))
    if isinstance(value, LoopTerm):
        return _sees_nothing((value.source, value.tests, value.whole))
    return not isinstance(value, Term) or (value.op in BLIND and _sees_nothing(value.args))


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
