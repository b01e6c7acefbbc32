"""Analysis of the rules of two-player games: which details of a position can still matter.

A proof treats positions as equal if they differ only in details that cannot matter.

If the rules test only whether lines consist of certain colours, a marble's colour matters only while it helps a seat in
a line that this seat can still complete. If only certain colours may be built on a marble, its colour no longer matters
once everything above it is built. The size of a stock does not matter once it cannot run out. Some rules do not depend
on colours at all.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import NamedTuple

from shibumi3d.rules.marbles.bits import iter_bits
from shibumi3d.rules.marbles.engine.rules import PLACED, EndRule, LoopTerm, PositionEquivalence, Rules, Term
from shibumi3d.rules.marbles.facts import all_end_rules, ops_in, subterms

COLOUR_INDEPENDENT_OPS = frozenset(
    {
        "Among", "And", "AtMost", "BoolAnd", "BySeat", "Choice", "Const", "ConstItems", "Count", "CountStock",
        "Divided", "Empty", "Equal", "Filled", "Less", "Me", "Minus", "Modulo", "Negative", "Neighbour", "Not", "Or",
        "PartOf", "Playable", "Plus", "ProperPartOf", "Relation", "ScalarAnd", "ScalarOr", "Slot", "StockOf",
        "StockValue", "Stuck", "Times", "Truth", "Unequal", "Without",
    }
)  # fmt: skip
"""Operations of terms that do not themselves depend on colours, although their operands may."""
STOCK_SIZE_OPS = frozenset({"CountStock", "StockOf"})
"""Operations that depend on the number of marbles in a stock."""
PLACING_INSTRUCTIONS = frozenset({"Place", "Choose", "Jump", "EndTurn"})
"""Instructions allowed in turns that only add marbles, one at a time, and never change them."""
OPERAND_ONLY_OPS = COLOUR_INDEPENDENT_OPS | {
    "All", "Any", "Family", "MarkValue", "MemberOfFixed", "Mover", "Owner", "Score", "Tied", "Union",
}  # fmt: skip
"""Operations that depend on the colours on the board only through their operands."""
TAKING_INSTRUCTIONS = frozenset(
    {
        "AddScore", "Ask", "Choose", "EndTurn", "If", "Jump", "Let", "Pick", "RepeatBegin", "RepeatEnd", "RepeatTest",
        "Require", "SetMark", "Take", "TimesBegin", "TimesEnd", "TimesOver", "RepeatTimesHead",
    }
)  # fmt: skip
"""Instructions allowed, besides ``Place``, in turns that either only add or only remove marbles."""


COUNTING_OPS = frozenset({"Bind", "EntryOf", "Listing", "Total"})
"""Operations allowed, besides :data:`OPERAND_ONLY_OPS`, in rules that only count colours."""
MARBLE_SET_OPS = frozenset({"ColourMarbles", "Marbles", "OwnMarbles"})
"""Operations whose value is the set of marbles of certain colours."""


class _UnsupportedRules(Exception):
    """Raised if an analysis doesn't support the rules, usually because of how they depend on colours."""


def find_equivalence(rules: Rules) -> PositionEquivalence:
    """Return which positions of a game are equivalent for reasons other than symmetry.

    The result is an empty PositionEquivalence if the analysis does not support the rules.
    """
    if rules.seats != 2 or len(rules.board_names) > 1 or rules.series or rules.needs_history:
        return PositionEquivalence()
    try:
        return _equivalence_without_colours(rules)
    except _UnsupportedRules:
        pass
    try:
        return _equivalence_by_lines(rules)
    except _UnsupportedRules:
        return PositionEquivalence()


def _equivalence_by_lines(rules: Rules) -> PositionEquivalence:
    """Return which positions are equivalent if the end rules look at colours only within lines.

    The rules must have a single phase, in which marbles are only added. The conditions for placing and passing may
    depend on colours outside the lines; the result says which colours matter there. Raises _UnsupportedRules if the end
    rules look at colours in any other way, or if anything else, such as uncertainty, prevents the analysis.
    """
    phase, ends = rules.phases[0], all_end_rules(rules)
    if (
        len(rules.phases) > 1
        or rules.has_uncertainty
        or rules.saved_name_count
        or any(rule.compared_values or rule.is_early for rule in ends)
    ):
        raise _UnsupportedRules
    sets: set[int] = set()
    seen: set[tuple[int, ...]] = set()
    for rule in ends:
        family, colours_of = _lines_tested(rule)
        sets |= family
        seen |= colours_of
    code = rules.program[phase.start :]
    if len(seen) != 1 or not all(step.op in PLACING_INSTRUCTIONS for step in code):
        raise _UnsupportedRules
    of = seen.pop()
    always, under = _colours_read([phase.pass_condition]), 0
    for step in code:
        if step.op == "Place":
            colours, allowed_points, stock = step.terms
            always |= _colours_read([colours, stock])
            more, carrying = _colours_read_for_placing(allowed_points)
            always |= more
            under |= carrying
        else:
            always |= _colours_read(step.terms)
    spare, alone = _supply_limited_colours(rules)
    return PositionEquivalence(
        (), (), tuple(sorted(sets)), (of[0], of[1]), always, under & ~always, 0, False, spare, alone
    )


def _colours_read_for_placing(points: Term | None) -> tuple[int, int]:
    """Return two masks of the colours on which the set of points allowed for placing depends.

    ``points`` is the term for this set; if it is None, both masks are 0. The first mask holds the colours that matter
    anywhere on the board. The second holds the colours that matter in the marbles that would support the new marble. A
    colour can be in both. Raises _UnsupportedRules if the term may depend on colours in any other way.
    """
    always = under = 0
    for part in (
        points.args if points is not None and points.op == "Or" else [points] if points is not None else []
    ):
        if part.op == "Relation" and part.args[0] == "resting":
            under |= _colours_read(part.args[1:])
        else:
            always |= _colours_read([part])
    return always, under


def _supply_limited_colours(rules: Rules) -> tuple[int, int]:
    """Return ``supply_limited_colours`` and ``single_seat_colours`` for a :class:`.PositionEquivalence`.

    The first mask contains all colours if the box is the only stock and if its contents are counted neither in the
    turns nor in the conditions for passing and ending. Otherwise, both masks are 0. The second mask contains the
    colours that only one of the two seats can place, but it is 0 if a seat may pass or if a turn can place more than
    one marble. Raises _UnsupportedRules if the second mask can't be determined because it isn't known in advance which
    colours each seat can place.
    """
    phase = rules.phases[0]
    code = rules.program
    if len(rules.stock_names) > 1 or STOCK_SIZE_OPS & ops_in(
        [
            [step.terms for step in code[phase.start :]],
            phase.pass_condition,
            [rule.when for rule in all_end_rules(rules)],
        ]
    ):
        return 0, 0
    every = (1 << rules.colour_count) - 1

    @cache
    def max_taken(index: int) -> int:
        """Return the maximum number of marbles that a turn can place, starting at the instruction ``index``.

        The recursion ends because only loops jump backwards, and the turns analysed here contain no loops.
        """
        step = code[index]
        return (step.op == "Place") + max(map(max_taken, step.successors()), default=0)

    if phase.pass_condition is not None or phase.stuck_may_pass or max_taken(phase.start) > 1:
        return every, 0
    taken_by_seat = [_colours_by_seat(step.terms[0]) for step in code[phase.start :] if step.op == "Place"]
    first, second = (_union(seats[seat] for seats in taken_by_seat) for seat in (0, 1))
    return every, first ^ second


def _equivalence_without_colours(rules: Rules) -> PositionEquivalence:
    """Return which positions are equivalent under rules that depend on colours only at certain points.

    After the setup, there must be a single phase, in which marbles are either only added or only removed. Raises
    _UnsupportedRules for other rules.
    """
    code = [step for phase in rules.phases[:1] for step in rules.program[phase.start :]]
    placing = any(step.op == "Place" for step in code)
    if len(rules.phases) > 1 or not all(
        step.op in TAKING_INSTRUCTIONS or step.op == "Place" for step in code
    ):
        raise _UnsupportedRules
    if placing and any(step.op in ("Take", "Pick") for step in code):
        raise _UnsupportedRules
    phase, ends = rules.phases[0], all_end_rules(rules)
    read = [
        [step.terms for step in code],
        [phase.until, phase.pass_condition, rules.score],
        [(rule.when, rule.win, rule.lose, rule.compared_values, rule.tie) for rule in ends],
    ]
    places = 0
    for part in subterms(read):
        if part.op == "ColoursOn" and part.args[0].op == "Const":
            places |= part.args[0].value
        elif part.op not in OPERAND_ONLY_OPS:
            raise _UnsupportedRules
    counts = placing or bool(STOCK_SIZE_OPS & ops_in(read))
    return PositionEquivalence(lines=(0,), always_relevant_points=places, ignores_stocks=not counts)


class CountedDetails(NamedTuple):
    """What matters about colours and stocks at the start of a turn, if the rules only count marbles.

    Such rules count the marbles of each colour in fixed sets of points; see :func:`find_counted_details`.
    """

    point_sets: tuple[int, ...]
    """Sets of points; colours matter only through the number of marbles of each colour in each set."""
    ignores_stocks: bool
    """Whether marbles off the board can be ignored."""


def find_counted_details(rules: Rules) -> CountedDetails | None:
    """Return what matters at the start of a turn if the rules only count colours in fixed sets of points.

    Return None for other rules, and for all rules that the analysis doesn't support, such as those with more or fewer
    than two seats, several boards, several phases, variables or a series.
    """
    phase, ends = rules.phases[0], all_end_rules(rules)
    code = rules.program[phase.start :]
    if (
        rules.seats != 2 or len(rules.board_names) > 1 or len(rules.phases) > 1 or rules.series
        or rules.needs_history or rules.lasting_marks
        or any(not initial_value.is_mark for initial_value in rules.initial_values)
        or not all(step.op in TAKING_INSTRUCTIONS or step.op in ("First", "Place") for step in code)
    ):  # fmt: skip
        return None
    placing = any(step.op == "Place" for step in code)
    taking = any(step.op in ("Take", "Pick") for step in code)
    # Marbles placed in this turn are not part of the position at its start, so their colours may be read.
    placed_only = not any(step.op == "SetMark" and step.terms[0] == PLACED for step in code)
    read = [
        [step.terms for step in code],
        [phase.until, phase.pass_condition, rules.score],
        [(rule.when, rule.win, rule.lose, rule.compared_values, rule.tie) for rule in ends],
    ]
    sets: set[int] = set()
    try:
        for value in read:
            sets |= _find_counted_sets(value, _constant_sets_by_slot(value), placed_only)
    except _UnsupportedRules:
        return None
    if taking and (placing or sets):
        return None  # the colour of a marble that is taken matters
    return CountedDetails(tuple(sorted(sets)), not (placing or STOCK_SIZE_OPS & ops_in(read)))


def _constant_sets_by_slot(value: object) -> dict[int, frozenset[int] | None]:
    """Return, for each slot bound in ``value``, the sets of points it can hold, or None if they are unknown."""
    result: dict[int, frozenset[int] | None] = {}

    def held(slot: int, source: object) -> None:
        items = _constant_sets(source)
        before = result.get(slot, frozenset())
        result[slot] = None if items is None or before is None else before | items

    for part in subterms(value, include_loops=True):
        if isinstance(part, LoopTerm):
            held(part.slot, part.source if part.kind == "sets" else None)
        elif part.op == "Bind":
            for slot, source in zip(part.args[0], part.args[1], strict=True):
                held(slot, source)
    return result


def _constant_sets(source: object) -> frozenset[int] | None:
    """Return the sets of points that a term may yield, or None if they aren't known to be constant.

    For a family, these are its members. The result is also None if ``source`` isn't a term.
    """
    if not isinstance(source, Term):
        return None
    if source.op == "Const":
        return frozenset(source.args)
    if source.op == "ConstItems":
        return frozenset(source.args[0])
    return _constant_sets(source.args[0]) if source.op == "EntryOf" else None


def _find_counted_sets(
    value: object, constant_sets: Mapping[int, frozenset[int] | None], placed_only: bool
) -> set[int]:
    """Return the sets of points, as masks, in which ``value`` counts marbles by colour.

    ``value`` is part of the rules: a term, a loop, or a tuple or list of such values. If it reads the colours on fixed
    points, each of these points is returned as a set of its own. ``constant_sets`` contains, for each slot, the sets of
    points that it can hold, or None if they are unknown; see :func:`_constant_sets_by_slot`. If ``placed_only`` is set,
    the value may also depend on the colours of the marbles placed in this turn. Raises _UnsupportedRules if the value
    counts marbles in unknown sets, or if it may depend on colours in any other way.
    """
    counted_sets: set[int] = set()
    if isinstance(value, (tuple, list)):
        for part in value:
            counted_sets |= _find_counted_sets(part, constant_sets, placed_only)
    elif isinstance(value, LoopTerm):
        counted_sets |= _find_counted_sets(
            (value.source, value.tests, value.superset), constant_sets, placed_only
        )
    elif isinstance(value, Term):
        if value.op == "Count" and value.args[0].op == "And":
            at, of = sorted(value.args[0].args, key=lambda part: part.op in MARBLE_SET_OPS)
            if of.op in MARBLE_SET_OPS and at.op not in MARBLE_SET_OPS:
                sets = constant_sets.get(at.args[0]) if at.op == "Slot" else _constant_sets(at)
                if sets is None:
                    raise _UnsupportedRules
                return set(sets)
        if value.op == "ColoursOn":
            of = value.args[0]
            if of.op == "Const":
                return {1 << point for point in iter_bits(of.args[0])}
            if not placed_only or of.op != "MarkValue" or of.args[0] != PLACED:
                raise _UnsupportedRules
            return counted_sets
        if value.op not in OPERAND_ONLY_OPS and value.op not in COUNTING_OPS:
            raise _UnsupportedRules
        counted_sets |= _find_counted_sets(value.args, constant_sets, placed_only)
    return counted_sets


def _lines_tested(rule: EndRule) -> tuple[set[int], set[tuple[int, ...]]]:
    """Return the lines that an end rule tests, and the colours with which each seat completes them.

    The second result is empty or contains a single tuple, with a mask of colours for each seat. ``rule.win``,
    ``rule.lose`` and ``rule.tie`` must not depend on colours. If the rule's condition is not an ``any``, it must not
    depend on colours either, and both results are empty. Otherwise, the condition must have the form ``any(l <= X and …
    for l in SETS)``, where SETS contains the lines and X the marbles of these colours; any other tests in it may depend
    on colours only within the line ``l``. Raises _UnsupportedRules for other rules.
    """
    when = rule.when
    _require_colour_independence([rule.win, rule.lose, rule.tie])
    if when.op != "Any":
        _require_colour_independence([when])
        return set(), set()
    loops, element = when.args
    loop: LoopTerm = loops[0]
    if len(loops) > 1 or loop.kind != "sets" or loop.source.op != "ConstItems" or loop.superset is None:
        raise _UnsupportedRules
    _require_colour_independence([element])
    for test in loop.tests:
        # Colours within the line itself may be read: the line is still open here, so they are told apart anyway.
        inside = test.op == "And" and any(
            part.op == "Slot" and part.args[0] == loop.slot for part in test.args
        )
        for part in test.args if inside else (test,):
            if not (inside and part.op in ("OwnMarbles", "ColourMarbles")):
                _require_colour_independence([part])
    return set(loop.source.args[0]), {_line_colours(loop.superset)}


def _line_colours(term: Term) -> tuple[int, ...]:
    """Return the colours of the marbles that a term selects, as one mask for each seat.

    Raises _UnsupportedRules if the analysis does not support the term.
    """
    if term.op == "OwnMarbles":
        return tuple([1 << colour for colour in term.args[0]])
    if term.op == "Marbles":
        return _colours_by_seat(term.args[0])
    raise _UnsupportedRules


def _colours_by_seat(colours: Term) -> tuple[int, ...]:
    if colours.op == "Const":
        return (colours.args[0],) * 2
    if colours.op == "BySeat":
        return tuple(colours.args[0])
    if colours.op == "Or":
        parts = [_colours_by_seat(part) for part in colours.args]
        return tuple([_union(part[seat] for part in parts) for seat in (0, 1)])
    raise _UnsupportedRules


def _union(sets: Iterable[int]) -> int:
    result = 0
    for one in sets:
        result |= one
    return result


def _require_colour_independence(terms: Iterable[object]) -> None:
    if _colours_read(terms):
        raise _UnsupportedRules


def _colours_read(values: Iterable[object]) -> int:
    """Return a mask of the colours whose marbles the terms in ``values`` refer to.

    Raises _UnsupportedRules if the terms may depend on colours in any other way.
    """
    result = 0
    for value in values:
        if isinstance(value, (tuple, list)):
            result |= _colours_read(value)
        elif isinstance(value, LoopTerm):
            raise _UnsupportedRules
        elif isinstance(value, Term):
            if value.op == "ColourMarbles":
                result |= 1 << value.args[0]
            elif value.op in COLOUR_INDEPENDENT_OPS:
                result |= _colours_read(value.args)
            else:
                raise _UnsupportedRules
    return result
