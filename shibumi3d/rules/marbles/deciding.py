"""Determination of the marbles that decided a finished match.

They are derived from the final state alone. The engine itself records only the line or group found by a quantifier.
This module also interprets the end rule, to find out which marbles were counted and compared for each seat.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

from shibumi3d.rules.errors import RuleFailure, Unforeseen
from shibumi3d.rules.marbles import position
from shibumi3d.rules.marbles.bits import bits
from shibumi3d.rules.marbles.engine.rules import EndRule, LoopTerm, Result, Rules, Snapshot, Term
from shibumi3d.rules.marbles.engines import runner_of
from shibumi3d.rules.marbles.pyramid import Pyramid
from shibumi3d.rules.marbles.state import State

if TYPE_CHECKING:
    from shibumi3d.rules.marbles.engine.build.expressions import NodeBuilder

ON_BOARDS = frozenset(
    {"OwnMarbles", "ColourMarbles", "Marbles", "Filled", "Visible", "Movable", "Free", "Linked", "Relation"}
)
"""Operations whose value is always a set of points."""
PARTED = frozenset({"And", "Or", "Without"})
"""Set operations whose value is a set of points if at least one operand is."""
THROUGH = frozenset(
    {"Plus", "Times", "Equal", "Unequal", "BoolAnd", "Negative", "ListItems", "Owner", "AnyOf"}
)
"""Operations whose value depends on the marbles behind all their operands."""


@dataclass(frozen=True, slots=True)
class Part:
    """Marbles that decided a match, as one mask for each board.

    ``player`` is the player who owns them or for whom they count, or -1 for nobody. ``won`` is set if that player won.
    ``counted`` is set if the marbles were counted one by one, and ``joined`` if they form a single line, group or
    chain.
    """

    player: int
    won: bool
    marbles: tuple[int, ...]
    counted: bool = False
    joined: bool = False


def deciding(state: State) -> tuple[Part, ...]:
    """Return the marbles that decided the match, for the winners and for the seats compared with them.

    The result is empty if the match is not over. For a draw, it contains only the shape named in the rules, if any.
    """
    if state._at.result is None:
        return ()
    parts = _deciding(state._rules, state._at)
    # In a series, seats of the last game are not player numbers.
    return tuple(
        replace(part, player=state.player(part.player)) if part.player >= 0 else part for part in parts
    )


@lru_cache(maxsize=8)
def _deciding(rules: Rules, at: Snapshot) -> tuple[Part, ...]:
    result = at.result
    assert result is not None
    if not result.winners:
        return (_shape(result, -1),) if any(result.shape) else ()
    try:
        looking = _Looking(rules, at)
        found = looking.gained(result) if result.rule == -2 else looking.found(result)
    except (RuleFailure, Unforeseen, LookupError):
        # A view hides marbles, which then can't be counted.
        found = []
    parts = found or ([_shape(result, _only(result))] if any(result.shape) else [])
    return tuple(parts or _remaining(rules, at, result))


def _only(result: Result) -> int:
    """Return the seat that won alone, or -1 if there isn't exactly one winner."""
    return result.winners.bit_length() - 1 if result.winners.bit_count() == 1 else -1


def _shape(result: Result, seat: int) -> Part:
    return Part(seat, bool(result.winners), result.shape, joined=True)


def _remaining(rules: Rules, at: Snapshot, result: Result) -> list[Part]:
    """Return the marbles of the winners, or all marbles in a solo game.

    This is the fallback if no particular marbles decided the match.
    """
    boards = [sum(cells) for cells, *_ in at.boards]
    if rules.seats == 1:
        return [Part(0, True, tuple(boards))] if any(boards) else []
    if result.rule == -2 or result.winners == (1 << rules.seats) - 1:
        return []
    found = []
    for seat in bits(result.winners):
        owned = rules.owned[seat] if seat < len(rules.owned) else 0
        mine = tuple(sum(cells[colour] for colour in bits(owned)) for cells, *_ in at.boards)
        if any(mine):
            found.append(Part(seat, True, mine))
    return found


@dataclass(slots=True)
class _Seen:
    """Marbles on one board on which the value of an expression depends."""

    board: int
    marbles: int
    counted: bool
    joined: bool


class _Looking:
    """Evaluator of a game's end rules in the state in which the match ended."""

    def __init__(self, rules: Rules, at: Snapshot) -> None:
        self.rules = rules
        self.runner = runner_of(rules)
        self.m = self.runner.stand(at, 0)
        package = type(self.m).__module__.rpartition(".")[0]
        self.nodes: NodeBuilder = import_module(f"{package}.build.expressions").NodeBuilder(self.m, True)
        self.sets: set[int] = set()
        """Variable slots that currently hold points of a board."""

    def found(self, result: Result) -> list[Part]:
        """Return the marbles on which the rule that ended the match depends.

        If it depends on none, return those of the closest rule tested before it that depends on some.
        """
        tried = [*self.rules.ends, *[rule for phase in self.rules.phases for rule in phase.ends]]
        tried += [rule for phase in self.rules.phases for rule in phase.early if rule not in tried]
        number = next((i for i, rule in enumerate(tried) if rule.number == result.rule), None)
        if number is None:
            return []
        m, me, board = self.m, self.m.me, self.m.board
        try:
            for rule in (tried[number], *reversed(tried[:number])):
                if found := self._by_rule(rule, result):
                    return found
            return []
        finally:
            m.me, m.board = me, board
            m.version += 1
            self.runner.at = None  # the loops have changed the machine

    def gained(self, result: Result) -> list[Part]:
        """Return the marbles that earned points in the last game of a series.

        Marbles of earlier games are no longer on the boards. If the points depend on who won the last game, return the
        marbles on which the end rule of that game depends.
        """
        series, m, me = self.rules.series, self.m, self.m.me
        if series is None:
            return []
        if _reads(series.gain, "Winners"):
            return self._last_game(result)
        found = []
        for seat in range(self.rules.seats):
            m.me = seat
            if self._value(series.gain) and (seen := list(self.seen(series.gain))):
                found.append(replace(self._part(-1, True, seen), counted=False))
        m.me = me
        return found

    def _last_game(self, result: Result) -> list[Part]:
        """Return the marbles on which the end rule of the last game of a series depends.

        The final state doesn't say who won that game. If seats were compared, the best seats are therefore determined
        again. Lines and groups are returned without an owner.
        """
        m, me = self.m, self.m.me
        found: list[Part] = []
        for rule in self.rules.ends:
            m.me = m.mover
            if not rule.by_seat and not self._value(rule.when):
                continue
            if rule.most is None:
                found = [replace(part, player=-1) for part in self._by_rule(rule, result)]
            else:
                rated = self._ratings(rule)
                best = [seat for seat, values in enumerate(rated) if values == max(rated)]
                if len(best) < len(rated) and (len(best) == 1 or rule.tie is None):
                    found = self._compared(rule, result._replace(winners=sum(1 << seat for seat in best)))
            if found or not rule.by_seat:
                break
        m.me = me
        return found

    def _by_rule(self, rule: EndRule, result: Result) -> list[Part]:
        if rule.most:
            return self._compared(rule, result)
        m = self.m
        for step in range(self.rules.seats if rule.by_seat else 1):
            m.me = (m.mover + step) % self.rules.seats
            if self._value(rule.when):
                break
        else:
            m.me = m.mover
        terms = [rule.win] if rule.win is not None and rule.win.op not in ("Const", "Slot") else []
        seen = list(self.seen(rule.when)) or [each for term in terms for each in self.seen(term)]
        return [self._part(_only(result), True, seen)] if seen else []

    def _compared(self, rule: EndRule, result: Result) -> list[Part]:
        """Return the marbles behind the value that decided a comparison of seats, for each seat.

        ``most`` lists the values to compare, in order. The deciding value is the first in which the winners and the
        best of the other seats differ. Seats that are already behind at an earlier value are left out.
        """
        m, rated = self.m, self._ratings(rule)
        losers = [rated[seat] for seat in range(len(rated)) if not result.winners >> seat & 1]
        best = rated[result.winners.bit_length() - 1]
        against = max(losers, default=best)
        at = next((i for i, (one, other) in enumerate(zip(best, against, strict=True)) if one != other), 0)
        found = []
        for seat in range(self.rules.seats):
            m.me = seat
            won = bool(result.winners >> seat & 1)
            if (won or rated[seat][:at] == best[:at]) and (seen := self._item(rule, at)):
                found.append((rated[seat][at], self._part(seat, won, seen)))
        # Numbering the marbles helps only if the last number is the value compared.
        whole = all(
            part.counted and abs(value) == sum(mask.bit_count() for mask in part.marbles)
            for value, part in found
        )
        parts = [replace(part, counted=whole) for _, part in found]
        return parts if any(part.won for part in parts) else self._alike(rule, result, at)

    def _alike(self, rule: EndRule, result: Result, at: int) -> list[Part]:
        """Return the winners' marbles behind a value before ``at``, in which other seats equal them.

        This is the fallback if there are no marbles behind value ``at``. It uses the last earlier value that depends on
        any marbles.
        """
        for number in reversed(range(at)):
            found = []
            for seat in bits(result.winners):
                self.m.me = seat
                if seen := self._item(rule, number):
                    found.append(replace(self._part(seat, True, seen), counted=False))
            if found:
                return found
        return []

    def _ratings(self, rule: EndRule) -> list[list[int]]:
        """Return, for each seat, the values that ``most`` compares."""
        assert rule.most is not None
        rated = []
        for seat in range(self.rules.seats):
            self.m.me = seat
            pairs = zip(rule.most, rule.most_lists, strict=True)
            rated.append([value for term, listed in pairs for value in self._rating(term, listed)])
        return rated

    def _rating(self, term: Term, listed: bool) -> list[int]:
        node = self.nodes.node(term)
        return list(node.items(self.m)) if listed else [node.eval(self.m)]

    def _item(self, rule: EndRule, at: int) -> list[_Seen]:
        """Return the marbles behind number ``at`` of the values that ``most`` compares."""
        assert rule.most is not None
        for term, listed in zip(rule.most, rule.most_lists, strict=True):
            long = len(self._rating(term, listed))
            if at >= long:
                at -= long
            elif not listed:
                return list(self.seen(term))
            elif term.op == "ListItems":
                return list(self.seen(term.args[0][at]))
            elif term.op == "Listing":
                loops, element = term.args
                for number, _ in enumerate(self._rounds(loops)):
                    if number == at:
                        return list(self.seen(element))
                return []
            else:
                return []
        return []

    def _part(self, seat: int, won: bool, seen: list[_Seen]) -> Part:
        masks = [0] * len(self.m.boards)
        for each in seen:
            masks[each.board] |= each.marbles
        total = sum(each.marbles.bit_count() for each in seen)
        counted = all(each.counted for each in seen) and total == sum(mask.bit_count() for mask in masks)
        different = {(each.board, each.marbles) for each in seen}
        return Part(seat, won, tuple(masks), counted, len(different) == 1 and seen[0].joined)

    # ------------------------------------------------------------ expressions

    def _value(self, term: Term) -> int:
        return int(self.nodes.node(term).eval(self.m))

    def _points(self, term: Term) -> bool:
        """Return whether the value of a term is a set of points on a board."""
        if term.op in ON_BOARDS:
            return True
        if term.op == "Slot":
            return term.args[0] in self.sets
        if term.op == "Bind":
            return self._points(term.args[3])
        parts = term.args[1:] if term.op == "Choice" else term.args if term.op in PARTED else ()
        return any(isinstance(part, Term) and self._points(part) for part in parts)

    def _rounds(self, loops: tuple[LoopTerm, ...]) -> Iterator[int]:
        """Run nested loops; for each iteration, set all variables and yield the innermost value."""
        loop, m = loops[0], self.m
        if loop.kind == "lists":
            return
        word = self.nodes.word(loop.slot)
        if loop.kind == "sets" or (loop.kind == "bits" and self._points(loop.source)):
            self.sets.add(loop.slot)
        for value in list(self.nodes.source(loop).items(m)):
            word.v = value
            if all(self._value(test) for test in loop.tests):
                if len(loops) > 1:
                    yield from self._rounds(loops[1:])
                else:
                    yield value

    def _marbles(self, points: int, counted: bool = False, joined: bool = False) -> Iterator[_Seen]:
        board = self.m.board
        if points & board.filled:
            yield _Seen(int(board.index), int(points & board.filled), counted, joined)

    def seen(self, term: Term) -> Iterator[_Seen]:
        """Yield the marbles on which the value of a term depends, for the current seat."""
        op, args = term.op, term.args
        if op == "Count":
            if self._points(args[0]):
                yield from self._marbles(self._value(args[0]), True, self._one(args[0]))
            else:
                yield from self.seen(args[0])
        elif op == "ColoursOn":
            yield from self._marbles(self._value(args[0]))
        elif op == "LongestPath":
            yield from self._marbles(self._path(self._value(args[0])), True, True)
        elif self._points(term):
            yield from self._marbles(self._value(term), joined=self._one(term))
        elif op in ("Total", "CountItems"):
            yield from self._total(args)
        elif op in ("Any", "All"):
            yield from self._any(*args)
        elif op == "Score":
            yield from self._score(args[0])
        elif op == "Choice":
            chosen = args[1] if self._value(args[0]) else args[2]
            yield from self.seen(args[0] if chosen.op == "Const" and chosen.value else chosen)
        elif op in ("Less", "AtMost"):
            if self._value(term):
                yield from self.seen(args[1])
        elif op == "PartOf" and args[0].op == "ColoursIn" and args[0].args[0].op == "StockValue":
            yield from self._coloured(self._value(args[0]))
        elif op == "ScalarOr":
            yield from self.seen(args[0] if self._value(args[0]) else args[1])
        elif op in ("Minus", "Modulo", "Divided"):
            yield from self.seen(args[0])
        elif op == "Bind":
            yield from self._bound(*args)
        elif op == "OnBoard":
            yield from self._on_board(*args)
        elif op in THROUGH:
            for part in args:
                if isinstance(part, Term):
                    yield from self.seen(part)

    def _coloured(self, colours: int) -> Iterator[_Seen]:
        """Yield the marbles of the given colours on all boards."""
        for board in self.m.boards:
            marbles = sum(int(word.v) for colour, word in enumerate(board.by_colour) if colours >> colour & 1)
            if marbles:
                yield _Seen(int(board.index), marbles, False, False)

    def _one(self, term: Term) -> bool:
        """Return whether a set of points is a single line or group, i.e. a loop variable."""
        return term.op == "Slot"

    def _total(self, args: tuple[Any, ...]) -> Iterator[_Seen]:
        """Yield the marbles behind a total, an extreme value or a number of lines or groups."""
        name, listed = args if len(args) == 2 else ("each", args[0])
        if listed.op in ("Groups", "FullGroups"):
            for group in self.nodes.node(listed).items(self.m):
                yield from self._marbles(group, joined=True)
            return
        if listed.op not in ("Listing", "Family"):
            return
        loops, element = listed.args
        rounds: list[tuple[int, list[_Seen]]] = []
        # A sum of contacts includes both ends of each contact: the counted neighbour and the marble itself.
        contacts = len(loops) == 1 and element.op == "Count" and element.args[0].op in PARTED
        for each in self._rounds(loops):
            value = 1 if name == "each" else self._value(element)
            seen = list(self.seen(element))
            if contacts and seen and loops[0].slot in self.sets:
                seen += self._marbles(each)
            rounds.append((value, seen))
        if rounds and name in ("max", "min"):
            best = (max if name == "max" else min)(value for value, _ in rounds)
            rounds = [one for one in rounds if one[0] == best][:1]
        for value, found in rounds:
            if value:
                yield from found

    def _any(self, loops: tuple[LoopTerm, ...], element: Term) -> Iterator[_Seen]:
        for value in self._rounds(loops):
            if self._value(element):
                if loops[-1].kind == "sets":
                    yield from self._marbles(value, joined=True)
                else:
                    yield from self.seen(element)

    def _score(self, seat: Term) -> Iterator[_Seen]:
        if self.rules.score is None:
            return
        m, me = self.m, self.m.me
        m.me = max(self._value(seat), 1).bit_length() - 1
        yield from self.seen(self.rules.score)
        m.me = me

    def _bound(
        self, slots: tuple[int, ...], args: tuple[Term, ...], shapes: tuple[str, ...], body: Term
    ) -> Iterator[_Seen]:
        if all(shape == "scalar" for shape in shapes):
            for slot, arg in zip(slots, args, strict=True):
                if self._points(arg):
                    self.sets.add(slot)
                self.nodes.word(slot).v = self._value(arg)
            yield from self.seen(body)

    def _on_board(self, which: Term, body: Term) -> Iterator[_Seen]:
        m, before = self.m, self.m.board
        m.board = m.boards[self._value(which)]
        m.version += 1
        yield from self.seen(body)
        m.board = before
        m.version += 1

    def _path(self, points: int) -> int:
        """Return the longest chain of one colour as a mask, or the first of several that are longest."""
        board, pyramid = self.m.board, self.rules.pyramid
        filled = int(board.filled)
        chains = [_chain(pyramid, filled, points & int(word.v)) for word in board.by_colour]
        return max(chains, key=int.bit_count, default=0)


def _reads(part: object, op: str) -> bool:
    """Return whether a term contains operation ``op``, at any depth."""
    if isinstance(part, Term) and part.op == op:
        return True
    inner = part.args if isinstance(part, Term) else part
    return isinstance(inner, tuple) and any(_reads(each, op) for each in inner)


def _chain(pyr: Pyramid, filled: int, marbles: int) -> int:
    """Return the marbles of the longest chain, as measured by :func:`position.longest_path`."""
    best = 0
    for group in sorted(position.groups(pyr, filled, marbles), key=int.bit_count, reverse=True):
        if group.bit_count() <= best.bit_count():
            break
        links = {p: pyr.uncut[p][filled & pyr.resting[p]] & group for p in bits(group)}
        known: dict[tuple[int, int], int] = {}
        for p in links:
            best = max(best, 1 << p | _onward(links, p, group ^ 1 << p, known), key=int.bit_count)
            if best == group:
                break
    return best


def _onward(links: dict[int, int], at: int, left: int, known: dict[tuple[int, int], int]) -> int:
    """Return the longest continuation of a chain from ``at`` through the points in ``left``."""
    key = at, left
    if key not in known:
        ways = (1 << p | _onward(links, p, left ^ 1 << p, known) for p in bits(links[at] & left))
        known[key] = max(ways, key=int.bit_count, default=0)
    return known[key]
