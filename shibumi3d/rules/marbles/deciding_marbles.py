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

from shibumi3d.rules.errors import RuleFailure, UnknownOutcomeError
from shibumi3d.rules.marbles import position
from shibumi3d.rules.marbles.bits import iter_bits
from shibumi3d.rules.marbles.engine.rules import EndRule, LoopTerm, Result, Rules, Snapshot, Term
from shibumi3d.rules.marbles.engines import get_runner
from shibumi3d.rules.marbles.facts import ops_in
from shibumi3d.rules.marbles.pyramid import Pyramid
from shibumi3d.rules.marbles.state import State

if TYPE_CHECKING:
    from shibumi3d.rules.marbles.engine.build.expressions import NodeBuilder


POINT_SET_OPS = frozenset(
    {"OwnMarbles", "ColourMarbles", "Marbles", "Filled", "Visible", "Movable", "Free", "Linked", "Relation"}
)
"""Operations whose value is always a set of points."""
SET_OPS = frozenset({"And", "Or", "Without"})
"""Set operations whose value is a set of points if at least one operand is."""
TRANSPARENT_OPS = frozenset(
    {"Plus", "Times", "Equal", "Unequal", "BoolAnd", "Negative", "ListItems", "Owner", "AnyOf"}
)
"""Operations whose value depends on all marbles on which their operands depend."""


@dataclass(frozen=True, slots=True)
class DecidingMarbles:
    """Marbles that decided a match, as one mask for each board.

    ``player`` is the player to whom they belong or for whom they count, or -1 if there is no single such player.
    ``has_won`` is set if that player won the match or, in a series, the last game; if ``player`` is -1, it is set if
    anybody won. ``is_counted`` is set if the marbles were counted one by one, and ``is_connected`` if they form a
    single line, group or chain.
    """

    player: int
    has_won: bool
    marbles: tuple[int, ...]
    is_counted: bool = False
    is_connected: bool = False


def find_deciding_marbles(state: State) -> tuple[DecidingMarbles, ...]:
    """Return the marbles that decided the match.

    If the end rule compares seats, the result can include marbles of losing seats. The result is empty if the match is
    not over. If nobody won, it contains only the line or group that the end rule found, if any. If somebody won but no
    deciding marbles can be found, :func:`_winners_marbles` determines the result.
    """
    if state._snapshot.result is None:
        return ()
    parts = _find_by_seat(state._rules, state._snapshot)
    # In a series, seats of the last game are not player numbers.
    return tuple(
        replace(part, player=state.player_at(part.player)) if part.player >= 0 else part for part in parts
    )


@lru_cache(maxsize=8)
def _find_by_seat(rules: Rules, snapshot: Snapshot) -> tuple[DecidingMarbles, ...]:
    result = snapshot.result
    assert result is not None
    if not result.winners:
        return (_named_shape(result, -1),) if any(result.deciding_points) else ()
    try:
        analyser = _EndRuleAnalyser(rules, snapshot)
        found = (
            analyser.find_scoring_marbles(result) if result.rule == -2 else analyser.find_rule_marbles(result)
        )
    except (RuleFailure, UnknownOutcomeError, LookupError):
        # A view hides marbles, which then can't be counted.
        found = []
    # The winner of a series need not own the shape that decided its last game.
    owner = -1 if result.rule == -2 else _sole_winner(result)
    parts = found or ([_named_shape(result, owner)] if any(result.deciding_points) else [])
    return tuple(parts or _winners_marbles(rules, snapshot, result))


def _sole_winner(result: Result) -> int:
    """Return the seat that won alone, or -1 if there isn't exactly one winner."""
    return result.winners.bit_length() - 1 if result.winners.bit_count() == 1 else -1


def _named_shape(result: Result, seat: int) -> DecidingMarbles:
    return DecidingMarbles(seat, bool(result.winners), result.deciding_points, is_connected=True)


def _winners_marbles(rules: Rules, snapshot: Snapshot, result: Result) -> list[DecidingMarbles]:
    """Return the marbles of the winners, or all marbles in a solo game.

    This is the fallback if no particular marbles decided the match. In games for several seats, a winner's marbles are
    those of the colours that it owns; a winner without such marbles on the boards is left out. In these games, the
    result is empty after a series, or if all seats won.
    """
    boards = [sum(cells) for cells, *_ in snapshot.boards]
    if rules.seats == 1:
        return [DecidingMarbles(0, True, tuple(boards))] if any(boards) else []
    if result.rule == -2 or result.winners == (1 << rules.seats) - 1:
        return []
    winners_marbles = []
    for seat in iter_bits(result.winners):
        owned = rules.owned_colours[seat] if seat < len(rules.owned_colours) else 0
        marbles_by_board = tuple(
            sum(cells[colour] for colour in iter_bits(owned)) for cells, *_ in snapshot.boards
        )
        if any(marbles_by_board):
            winners_marbles.append(DecidingMarbles(seat, True, marbles_by_board))
    return winners_marbles


@dataclass(slots=True)
class _MarblesOnBoard:
    """Marbles on one board that determine the value of an expression.

    ``board`` is the index of the board, and ``marbles`` is the mask of their points. ``is_counted`` is set if the
    marbles are counted one by one, and ``is_connected`` if they form a single line, group or chain.
    """

    board: int
    marbles: int
    is_counted: bool
    is_connected: bool


class _EndRuleAnalyser:
    """Analyser that finds the marbles on which the result of a match depends, by means of the end rules."""

    def __init__(self, rules: Rules, snapshot: Snapshot) -> None:
        self.rules = rules
        self.runner = get_runner(rules)
        self.machine = self.runner.load(snapshot, 0)
        package = type(self.machine).__module__.rpartition(".")[0]
        self.node_builder: NodeBuilder = import_module(f"{package}.build.expressions").NodeBuilder(
            self.machine, True
        )
        self.point_set_slots: set[int] = set()
        """Variable slots that currently hold points of a board."""

    def find_rule_marbles(self, result: Result) -> list[DecidingMarbles]:
        """Return the marbles on which the rule that ended the match depends.

        If that rule depends on no marbles, the rules before it are tried, nearest first, until one depends on marbles.
        In the order used here, the file's end rules come first, followed by those of each phase. The result is empty if
        no end rule ended the match, or if none of the rules tried depends on marbles.
        """
        tried = [*self.rules.end_rules, *[rule for phase in self.rules.phases for rule in phase.end_rules]]
        tried += [rule for phase in self.rules.phases for rule in phase.early_end_rules if rule not in tried]
        number = next((i for i, rule in enumerate(tried) if rule.number == result.rule), None)
        if number is None:
            return []
        m, me, board = self.machine, self.machine.me, self.machine.board
        try:
            for rule in (tried[number], *reversed(tried[:number])):
                if deciding := self._find_by_rule(rule, result):
                    return deciding
            return []
        finally:
            m.me, m.board = me, board
            m.board_version += 1
            self.runner.loaded = None  # the loops have changed the machine

    def find_scoring_marbles(self, result: Result) -> list[DecidingMarbles]:
        """Return the marbles that earned points in the last game of a series.

        Marbles of earlier games are no longer on the boards. If the points depend on who won the last game, return the
        marbles on which the end rule of that game depends.
        """
        series, m, me = self.rules.series, self.machine, self.machine.me
        if series is None:
            return []
        if "Winners" in ops_in(series.gain):
            return self._find_in_last_game(result)
        scoring = []
        for seat in range(self.rules.seats):
            m.me = seat
            if self._evaluate(series.gain) and (marbles := list(self.marbles_behind(series.gain))):
                scoring.append(replace(self._combine(-1, True, marbles), is_counted=False))
        m.me = me
        return scoring

    def _find_in_last_game(self, result: Result) -> list[DecidingMarbles]:
        """Return the marbles that decided the last game of a series, according to its end rule.

        The final state says neither which end rule ended that game nor who won it. The first rule whose condition holds
        now is therefore used; a rule that is tested for each seat is used only if it yields any marbles. If the rule
        compares seats, the best seats are determined again. Such a rule yields no marbles if all seats are equally
        good, or if several seats are best and the rule has a tie-break. If the rule doesn't compare seats, the marbles
        are returned with player -1. End rules that belong to a particular phase are not considered.
        """
        m, me = self.machine, self.machine.me
        found: list[DecidingMarbles] = []
        for rule in self.rules.end_rules:
            m.me = m.mover
            if not rule.is_tested_by_seat and not self._evaluate(rule.when):
                continue
            if rule.compared_values is None:
                found = [replace(part, player=-1) for part in self._find_by_rule(rule, result)]
            else:
                rated = self._compared_values(rule)
                best = [seat for seat, values in enumerate(rated) if values == max(rated)]
                if len(best) < len(rated) and (len(best) == 1 or rule.tie is None):
                    found = self._find_compared_marbles(
                        rule, result._replace(winners=sum(1 << seat for seat in best))
                    )
            if found or not rule.is_tested_by_seat:
                break
        m.me = me
        return found

    def _find_by_rule(self, rule: EndRule, result: Result) -> list[DecidingMarbles]:
        if rule.compared_values:
            return self._find_compared_marbles(rule, result)
        m = self.machine
        for step in range(self.rules.seats if rule.is_tested_by_seat else 1):
            m.me = (m.mover + step) % self.rules.seats
            if self._evaluate(rule.when):
                break
        else:
            m.me = m.mover
        terms = [rule.win] if rule.win is not None and rule.win.op not in ("Const", "Slot") else []
        marbles = list(self.marbles_behind(rule.when)) or [
            element for term in terms for element in self.marbles_behind(term)
        ]
        return [self._combine(_sole_winner(result), True, marbles)] if marbles else []

    def _find_compared_marbles(self, rule: EndRule, result: Result) -> list[DecidingMarbles]:
        """Return, for each seat, the marbles behind the value that decided a comparison of seats.

        ``rule.compared_values`` lists the values to compare, in order. The deciding value is the first one that differs
        between the winners and the best of the other seats; if none differs, it is the first value compared. A seat is
        left out if no marbles are behind its deciding value, or if it already ranks lower on an earlier value. If this
        leaves out all winners, return the result of :meth:`_find_equalled_marbles` instead.
        """
        m, rated = self.machine, self._compared_values(rule)
        losers = [rated[seat] for seat in range(len(rated)) if not result.winners >> seat & 1]
        best = rated[result.winners.bit_length() - 1]
        against = max(losers, default=best)
        at = next((i for i, (one, other) in enumerate(zip(best, against, strict=True)) if one != other), 0)
        found = []
        for seat in range(self.rules.seats):
            m.me = seat
            won = bool(result.winners >> seat & 1)
            if (won or rated[seat][:at] == best[:at]) and (marbles := self._marbles_behind_value(rule, at)):
                found.append((rated[seat][at], self._combine(seat, won, marbles)))
        # Numbering the marbles helps only if the last number is the value compared.
        covers_all = all(
            part.is_counted and abs(value) == sum(mask.bit_count() for mask in part.marbles)
            for value, part in found
        )
        parts = [replace(part, is_counted=covers_all) for _, part in found]
        return parts if any(part.has_won for part in parts) else self._find_equalled_marbles(rule, result, at)

    def _find_equalled_marbles(self, rule: EndRule, result: Result, index: int) -> list[DecidingMarbles]:
        """Return the winners' marbles behind a value that was compared before the deciding one.

        This is the fallback if the winners have no marbles behind the deciding value, which is at ``index``. The
        earlier values are tried from the last to the first, until one depends on marbles for at least one winner. The
        result is empty if none does.
        """
        for number in reversed(range(index)):
            equalled = []
            for seat in iter_bits(result.winners):
                self.machine.me = seat
                if marbles := self._marbles_behind_value(rule, number):
                    equalled.append(replace(self._combine(seat, True, marbles), is_counted=False))
            if equalled:
                return equalled
        return []

    def _compared_values(self, rule: EndRule) -> list[list[int]]:
        """Return, for each seat, the values that an end rule compares."""
        assert rule.compared_values is not None
        rated = []
        for seat in range(self.rules.seats):
            self.machine.me = seat
            pairs = zip(rule.compared_values, rule.is_list_by_value, strict=True)
            rated.append([value for term, listed in pairs for value in self._evaluate_values(term, listed)])
        return rated

    def _evaluate_values(self, term: Term, is_list: bool) -> list[int]:
        node = self.node_builder.build(term)
        return list(node.items(self.machine)) if is_list else [node.eval(self.machine)]

    def _marbles_behind_value(self, rule: EndRule, index: int) -> list[_MarblesOnBoard]:
        """Return the marbles on which a value compared by ``rule`` depends.

        The value is that of the machine's acting seat. ``index`` is the index of the value among all values that
        ``rule`` compares; if an expression yields a list, each item is a value. Returns an empty list if the value
        depends on no marbles or if they can't be determined.
        """
        assert rule.compared_values is not None
        for term, listed in zip(rule.compared_values, rule.is_list_by_value, strict=True):
            long = len(self._evaluate_values(term, listed))
            if index >= long:
                index -= long
            elif not listed:
                return list(self.marbles_behind(term))
            elif term.op == "ListItems":
                return list(self.marbles_behind(term.args[0][index]))
            elif term.op == "Listing":
                loops, element = term.args
                for number, _ in enumerate(self._iterate(loops)):
                    if number == index:
                        return list(self.marbles_behind(element))
                return []
            else:
                return []
        return []

    def _combine(self, seat: int, won: bool, marbles: list[_MarblesOnBoard]) -> DecidingMarbles:
        masks = [0] * len(self.machine.boards)
        for marble in marbles:
            masks[marble.board] |= marble.marbles
        total = sum(marble.marbles.bit_count() for marble in marbles)
        counted = all(marble.is_counted for marble in marbles) and total == sum(
            mask.bit_count() for mask in masks
        )
        different = {(marble.board, marble.marbles) for marble in marbles}
        return DecidingMarbles(
            seat, won, tuple(masks), counted, len(different) == 1 and marbles[0].is_connected
        )

    # ------------------------------------------------------------ expressions

    def _evaluate(self, term: Term) -> int:
        return int(self.node_builder.build(term).eval(self.machine))

    def _is_point_set(self, term: Term) -> bool:
        if term.op in POINT_SET_OPS:
            return True
        if term.op == "Slot":
            return term.args[0] in self.point_set_slots
        if term.op == "Bind":
            return self._is_point_set(term.args[3])
        parts = term.args[1:] if term.op == "Choice" else term.args if term.op in SET_OPS else ()
        return any(isinstance(part, Term) and self._is_point_set(part) for part in parts)

    def _iterate(self, loops: tuple[LoopTerm, ...]) -> Iterator[int]:
        """Run nested loops, and yield the innermost variable's value in each iteration in which all tests hold.

        When a value is yielded, the variables of all the loops have their current values. Loops of kind ``lists`` are
        not run and yield nothing.
        """
        loop, m = loops[0], self.machine
        if loop.kind == "lists":
            return
        word = self.node_builder.word(loop.slot)
        if loop.kind == "sets" or (loop.kind == "bits" and self._is_point_set(loop.source)):
            self.point_set_slots.add(loop.slot)
        for value in list(self.node_builder.source(loop).items(m)):
            word.value = value
            if all(self._evaluate(test) for test in loop.tests):
                if len(loops) > 1:
                    yield from self._iterate(loops[1:])
                else:
                    yield value

    def _on_current_board(
        self, points: int, counted: bool = False, joined: bool = False
    ) -> Iterator[_MarblesOnBoard]:
        board = self.machine.board
        if points & board.filled:
            yield _MarblesOnBoard(int(board.index), int(points & board.filled), counted, joined)

    def marbles_behind(self, term: Term) -> Iterator[_MarblesOnBoard]:
        """Yield the marbles that account for the value of a term, evaluated for the machine's acting seat.

        Where only one operand matters, only that operand's marbles are yielded:

        - for a conditional, the chosen branch, or the condition if that branch is a constant other than 0;
        - for ``a - b``, ``a``;
        - for a ``Less`` or ``AtMost`` term that is true, the second operand.

        A ``Less`` or ``AtMost`` term that is false yields no marbles, and neither does an operation that isn't
        analysed.
        """
        op, args = term.op, term.args
        if op == "Count":
            if self._is_point_set(args[0]):
                yield from self._on_current_board(
                    self._evaluate(args[0]), True, self._is_single_shape(args[0])
                )
            else:
                yield from self.marbles_behind(args[0])
        elif op == "ColoursOn":
            yield from self._on_current_board(self._evaluate(args[0]))
        elif op == "LongestPath":
            yield from self._on_current_board(self._find_longest_chain(self._evaluate(args[0])), True, True)
        elif self._is_point_set(term):
            yield from self._on_current_board(self._evaluate(term), joined=self._is_single_shape(term))
        elif op in ("Total", "CountItems"):
            yield from self._marbles_behind_total(args)
        elif op in ("Any", "All"):
            yield from self._behind_any(*args)
        elif op == "Score":
            yield from self._behind_score(args[0])
        elif op == "Choice":
            chosen = args[1] if self._evaluate(args[0]) else args[2]
            yield from self.marbles_behind(args[0] if chosen.op == "Const" and chosen.value else chosen)
        elif op in ("Less", "AtMost"):
            if self._evaluate(term):
                yield from self.marbles_behind(args[1])
        elif op == "PartOf" and args[0].op == "ColoursIn" and args[0].args[0].op == "StockValue":
            yield from self._marbles_of_colours(self._evaluate(args[0]))
        elif op == "ScalarOr":
            yield from self.marbles_behind(args[0] if self._evaluate(args[0]) else args[1])
        elif op in ("Minus", "Modulo", "Divided"):
            yield from self.marbles_behind(args[0])
        elif op == "Bind":
            yield from self._behind_definition(*args)
        elif op == "OnBoard":
            yield from self._behind_other_board(*args)
        elif op in TRANSPARENT_OPS:
            for part in args:
                if isinstance(part, Term):
                    yield from self.marbles_behind(part)

    def _marbles_of_colours(self, colours: int) -> Iterator[_MarblesOnBoard]:
        """Yield the marbles of the given colours, as one item for each board that has any of them.

        ``colours`` is a mask. The marbles are marked as neither counted nor connected.
        """
        for board in self.machine.boards:
            marbles = sum(
                int(word.value) for colour, word in enumerate(board.by_colour) if colours >> colour & 1
            )
            if marbles:
                yield _MarblesOnBoard(int(board.index), marbles, False, False)

    def _is_single_shape(self, term: Term) -> bool:
        """Return whether a term is a variable; only variables are assumed to stand for a single line or group."""
        return term.op == "Slot"

    def _marbles_behind_total(self, args: tuple[Any, ...]) -> Iterator[_MarblesOnBoard]:
        """Yield the marbles that account for a sum, product, extreme value, or number of lines or groups.

        ``args`` are the arguments of the ``Total`` or ``CountItems`` term. An element whose value is 0 contributes no
        marbles. For a maximum or minimum, only the first element with that value contributes.
        """
        name, listed = args if len(args) == 2 else ("each", args[0])
        if listed.op in ("Groups", "FullGroups"):
            for group in self.node_builder.build(listed).items(self.machine):
                yield from self._on_current_board(group, joined=True)
            return
        if listed.op not in ("Listing", "Family"):
            return
        loops, element = listed.args
        rounds: list[tuple[int, list[_MarblesOnBoard]]] = []
        # A sum of contacts includes both ends of each contact: the counted neighbour and the marble itself.
        contacts = len(loops) == 1 and element.op == "Count" and element.args[0].op in SET_OPS
        for each in self._iterate(loops):
            value = 1 if name == "each" else self._evaluate(element)
            marbles = list(self.marbles_behind(element))
            if contacts and marbles and loops[0].slot in self.point_set_slots:
                marbles += self._on_current_board(each)
            rounds.append((value, marbles))
        if rounds and name in ("max", "min"):
            best = (max if name == "max" else min)(value for value, _ in rounds)
            rounds = [one for one in rounds if one[0] == best][:1]
        for value, found in rounds:
            if value:
                yield from found

    def _behind_any(self, loops: tuple[LoopTerm, ...], element: Term) -> Iterator[_MarblesOnBoard]:
        for value in self._iterate(loops):
            if self._evaluate(element):
                if loops[-1].kind == "sets":
                    yield from self._on_current_board(value, joined=True)
                else:
                    yield from self.marbles_behind(element)

    def _behind_score(self, seat: Term) -> Iterator[_MarblesOnBoard]:
        if self.rules.score is None:
            return
        m, me = self.machine, self.machine.me
        m.me = max(self._evaluate(seat), 1).bit_length() - 1
        yield from self.marbles_behind(self.rules.score)
        m.me = me

    def _behind_definition(
        self, slots: tuple[int, ...], args: tuple[Term, ...], shapes: tuple[str, ...], body: Term
    ) -> Iterator[_MarblesOnBoard]:
        if all(shape == "scalar" for shape in shapes):
            for slot, arg in zip(slots, args, strict=True):
                if self._is_point_set(arg):
                    self.point_set_slots.add(slot)
                self.node_builder.word(slot).value = self._evaluate(arg)
            yield from self.marbles_behind(body)

    def _behind_other_board(self, which: Term, body: Term) -> Iterator[_MarblesOnBoard]:
        m, before = self.machine, self.machine.board
        m.board = m.boards[self._evaluate(which)]
        m.board_version += 1
        yield from self.marbles_behind(body)
        m.board = before
        m.board_version += 1

    def _find_longest_chain(self, points: int) -> int:
        """Return a mask of the longest chain of one colour among ``points``.

        The mask is 0 if none of the points holds a visible marble. If several chains are equally long, the first one
        found is returned.
        """
        board, pyramid = self.machine.board, self.rules.pyramid
        filled = int(board.filled)
        chains = [_longest_chain(pyramid, filled, points & int(word.value)) for word in board.by_colour]
        return max(chains, key=int.bit_count, default=0)


def _longest_chain(pyramid: Pyramid, filled: int, marbles: int) -> int:
    """Return the longest chain among ``marbles`` as a mask, or 0 if none of them is visible.

    A chain is a simple path of visible connections; see :func:`.position.longest_path_length`. If several chains are
    equally long, the first one found is returned. ``filled`` is the mask of all marbles on the board.
    """
    best = 0
    for group in sorted(position.visible_groups(pyramid, filled, marbles), key=int.bit_count, reverse=True):
        if group.bit_count() <= best.bit_count():
            break
        links = {p: pyramid.uncut_contacts[p][filled & pyramid.resting[p]] & group for p in iter_bits(group)}
        cache: dict[tuple[int, int], int] = {}
        for p in links:
            best = max(
                best, 1 << p | _longest_continuation(links, p, group ^ 1 << p, cache), key=int.bit_count
            )
            if best == group:
                break
    return best


def _longest_continuation(
    links: dict[int, int], point: int, unvisited: int, cache: dict[tuple[int, int], int]
) -> int:
    """Return a mask of the longest continuation of a chain from ``point`` through points in ``unvisited``.

    ``links`` maps each point to the mask of the points that can follow it in a chain. ``cache`` stores results.
    """
    key = point, unvisited
    if key not in cache:
        ways = (
            1 << p | _longest_continuation(links, p, unvisited ^ 1 << p, cache)
            for p in iter_bits(links[point] & unvisited)
        )
        cache[key] = max(ways, key=int.bit_count, default=0)
    return cache[key]
