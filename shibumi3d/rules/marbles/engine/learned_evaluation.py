"""Learned evaluation of positions: weights for small patterns, and how they are learned.

A position is described by a few hundred patterns: the contents of a point, of two points in contact, of a line, of a
square with the point above it, and of a point with its neighbours; the marbles left in a stock; who leads; and who is
to choose. Groups are described by their size, their freedoms (playable points that touch them), their eyes and whose
turn it is, and each marble by the freedoms and eyes of its group. Each pattern has a weight, and the sum of the weights
predicts who will win. Sums are integers, so that plain Python and compiled code agree on every machine.

Weights are learned by self-play with TD(λ) (Sutton 1988; Tesauro 1995).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final, final

from shibumi3d.i18n import InvalidValueError
from shibumi3d.rules.marbles.engine.board import Board, Word, count_bits, table_index
from shibumi3d.rules.marbles.engine.end_rules import ranking_values
from shibumi3d.rules.marbles.engine.machine import Machine
from shibumi3d.rules.marbles.engine.play import legal_choices, play_choice
from shibumi3d.rules.marbles.engine.playouts import Checkpoint
from shibumi3d.rules.marbles.engine.rules import Result
from shibumi3d.rules.marbles.engine.turns import push_registers

if TYPE_CHECKING:
    from mypy_extensions import i64 as M


UNIT: Final = 65536
"""The integer that represents a weight of 1."""
POINT_CONTENT_COUNT: Final = 5
"""Number of possible contents of a point: not playable, playable, or a marble of one of three colours."""
MAX_COUNTED_MARBLES: Final = 4
"""Maximum count of marbles of one colour on a set of points; larger counts are treated as this one."""
COUNT_PAIRS: Final = 25
STOCK_COUNT_CLASSES: Final = 8
"""Number of classes for counts of marbles in a stock: 0 to 6, and 7 or more."""
LEAD_CLASSES: Final = 13
"""Number of classes of leads in score; the middle class stands for no lead."""
TURN_STEP_CLASSES: Final = 4
"""Number of classes for the choices of a turn: first, second, third, and fourth or later."""
MAX_GROUP_SIZE: Final = 4
"""Largest group size with its own weights; larger groups are treated as groups of this size."""
FREEDOM_CLASSES: Final = 6
"""Number of classes for counts of a group's freedoms on the lowest level: 0 to 4, and 5 or more."""
UPPER_FREEDOM_CLASSES: Final = 4
"""Number of classes for counts of a group's freedoms above the lowest level: 0 to 2, and 3 or more."""
EYE_CLASSES: Final = 3
"""Number of classes for counts of the eyes next to a group: 0, 1, and 2 or more."""
TOTAL_EYE_CLASSES: Final = 5
"""Number of classes for counts of all eyes of a colour: 0 to 3, and 4 or more."""
MOBILITY_CLASSES: Final = 12
"""Number of classes for counts of playable points: 0 to 10, and 11 or more."""
MARBLE_CLASSES: Final = FREEDOM_CLASSES * EYE_CLASSES
"""Number of weights for the marbles in groups, for each colour, seat that must choose and stage of the match."""
GROUP_CLASSES: Final = MAX_GROUP_SIZE * (MARBLE_CLASSES + UPPER_FREEDOM_CLASSES)
"""Number of weights for groups, for each colour, seat that must choose and stage of the match."""
GROUPS_VERSION: Final = 2
"""First feature version that describes groups."""
GROUP_MARBLES_VERSION: Final = 3
"""First feature version that describes each marble by the freedoms and eyes of its group."""
MAX_COMPARED_CHOICES: Final = 12
"""Maximum number of choices compared in self-play; if there are more, this many are drawn at random."""
RANDOM_CHOICES_PER_1000: Final = 150
"""Average number of random choices per 1,000 choices in self-play."""
TD_LAMBDA: Final = 0.8
"""λ in TD(λ): the weight of later estimates and the outcome; the next estimate has the weight 1 − λ."""


@final
class Share:
    """A mutable number: a player's share, from 0 to 1, of the one point that a match is worth."""

    def __init__(self) -> None:
        self.value: float = 0.0


@final
class Pattern:
    """Points on a board that are evaluated together: one point, two points in contact, or a set.

    For one or two points, ``point`` is the first of them, and ``mask`` is 0. ``other_point`` is the second of two
    points in contact, or -1 in other patterns.

    For a set, ``mask`` contains the points on which marbles of the first two colours are counted. The counts are
    combined with the contents of ``point``, the point that rests on the set or is surrounded by it. If there is no such
    point, ``point`` is -1.

    ``first_weight`` is the index of the pattern's first weight among the weights of a stage.
    """

    def __init__(self, point: M, other: M, mask: M, base: M) -> None:
        self.point: Final[M] = point
        self.other_point: Final[M] = other
        self.mask: Final[M] = mask
        self.first_weight: Final[M] = base


@final
class Weights:
    """The weights of patterns and other features for one form of a game.

    With two seats, there is one set of weights, for the chances of seat 0; with more seats, there is one set for each
    seat. ``patterns`` has, for each board, the tuples (point or -1, other point or -1, mask or 0, first weight) of its
    patterns; see :class:`Pattern`. ``pattern_weight_count`` is the number of weights for these patterns in one stage.
    ``stage_count`` is the number of stages of a match; the stage depends on how many marbles are on the boards.
    ``lead_class_width`` is the width of a class of leads in score, or 0 if leads are ignored.

    If ``feature_version`` is at least :data:`GROUPS_VERSION`, groups, eyes and the number of playable points have
    weights, too. If it is at least :data:`GROUP_MARBLES_VERSION`, the marbles in groups also have weights.
    """

    def __init__(
        self,
        machine: Machine,
        patterns: list[list[tuple[int, int, int, int]]],
        pattern_weight_count: int,
        stage_count: int,
        lead_class_width: float,
        feature_version: int,
    ) -> None:
        m = machine
        self.patterns: Final[list[list[Pattern]]] = [
            [Pattern(*count) for count in board] for board in patterns
        ]
        self.pattern_weight_count: Final[M] = pattern_weight_count
        self.stage_count: Final[M] = stage_count
        self.lead_class_width: Final[float] = lead_class_width
        self.stock_rows: Final[M] = m.colours + 1
        self.point_count: Final[M] = len(m.boards[0].cells) * len(m.boards)
        """Number of points on all boards."""
        self.weight_set_count: M = m.seats
        if m.seats == 2:
            self.weight_set_count = 1
        self.seats: Final[M] = m.seats
        self.colour_count: Final[M] = m.colours
        self.stock_offset: Final[M] = pattern_weight_count * stage_count
        """Index of the first weight for stocks; those for leads and for the seat that must choose follow."""
        self.lead_offset: Final[M] = self.stock_offset + len(m.stocks) * self.stock_rows * STOCK_COUNT_CLASSES
        self.mover_offset: Final[M] = self.lead_offset + self.seats * LEAD_CLASSES
        self.feature_version: Final[M] = feature_version
        self.group_offset: Final[M] = self.mover_offset + self.seats * TURN_STEP_CLASSES
        """Index of the first weight for groups; those for eyes, playable points and marbles in groups follow."""
        self.eye_offset: Final[M] = self.group_offset + stage_count * m.colours * self.seats * GROUP_CLASSES
        self.mobility_offset: Final[M] = (
            self.eye_offset + stage_count * self.seats * TOTAL_EYE_CLASSES * TOTAL_EYE_CLASSES
        )
        self.marble_offset: Final[M] = self.mobility_offset + stage_count * self.seats * MOBILITY_CLASSES
        last = self.group_offset
        if feature_version >= GROUP_MARBLES_VERSION:
            last = self.marble_offset + stage_count * self.seats * m.colours * MARBLE_CLASSES
        elif feature_version >= GROUPS_VERSION:
            last = self.marble_offset
        self.weights_per_seat: Final[M] = last
        """Number of weights for one seat."""
        self.weights: Final[list[Word]] = [
            Word(0) for _ in range(self.weights_per_seat * self.weight_set_count)
        ]
        self.shares: Final[list[Share]] = [Share() for _ in range(m.seats)]
        """Each seat's expected share of the point that the match is worth; see :meth:`compute_shares`."""
        self.point_contents: Final[list[Word]] = [Word(0) for _ in m.boards[0].cells]
        most = len(m.stocks) * self.stock_rows + 2 * m.seats + 2
        for board in self.patterns:
            most += len(board)
        if feature_version >= GROUPS_VERSION:
            most += len(m.boards) * (3 * len(m.boards[0].cells) + 2)
        self.active_weights: Final[list[Word]] = [Word(0) for _ in range(most)]
        """Indices of the weights that apply to the position last passed to :meth:`find_active`.

        An index is relative to the first weight of a seat.
        """
        self.active_count: M = 0
        """Number of valid entries in ``active_weights``."""

    def set_weights(self, numbers: list[int]) -> None:
        """Set all weights, given in units of 1 / 65,536.

        Raises InvalidValueError if the number of values differs from the number of weights of the game.
        """
        if len(numbers) != len(self.weights):
            raise InvalidValueError(
                "{found} weights given, but the game needs {wanted}",
                found=len(numbers),
                wanted=len(self.weights),
            )
        for i in range(len(numbers)):
            self.weights[i].value = numbers[i]

    def weight_values(self) -> list[int]:
        """Return all weights, in units of 1 / 65,536."""
        return [word.value for word in self.weights]

    def add_active(self, weight_index: M) -> None:
        """Add the weight at ``weight_index`` to those that apply to the current position."""
        self.active_weights[self.active_count].value = weight_index
        self.active_count += 1

    def find_active(self, m: Machine) -> None:
        """Find the weights that apply to a machine's position, and store their indices in ``active_weights``."""
        self.active_count = 0
        filled: M = 0
        for board in m.boards:
            filled += count_bits(board.filled)
        stage = filled * self.stage_count // (self.point_count + 1)
        begin = stage * self.pattern_weight_count
        content = self.point_contents
        board_index: M = 0
        for board in m.boards:
            for word in content:
                word.value = 0
            set_contents(content, board.playable, 1)
            colour: M = 0
            first: M = 0
            second: M = 0
            for cells in board.by_colour:
                if colour == 0:
                    first = cells.value
                elif colour == 1:
                    second = cells.value
                set_contents(content, cells.value, 2 + colour)
                colour += 1
            for piece in self.patterns[board_index]:
                at = begin + piece.first_weight
                if piece.mask:
                    count = count_bits(piece.mask & first)
                    two = count_bits(piece.mask & second)
                    if count > MAX_COUNTED_MARBLES:
                        count = MAX_COUNTED_MARBLES
                    if two > MAX_COUNTED_MARBLES:
                        two = MAX_COUNTED_MARBLES
                    at += count * 5 + two
                    if piece.point >= 0:
                        at += content[piece.point].value * COUNT_PAIRS
                else:
                    at += content[piece.point].value
                    if piece.other_point >= 0:
                        at += content[piece.other_point].value * POINT_CONTENT_COUNT
                self.add_active(at)
            board_index += 1
        at = self.stock_offset
        for stock in m.stocks:
            for word in stock:
                left = word.value
                if left >= STOCK_COUNT_CLASSES:
                    left = STOCK_COUNT_CLASSES - 1
                elif left < 0:
                    left = 0
                self.add_active(at + left)
                at += STOCK_COUNT_CLASSES
        seat = m.me
        if m.is_stuck:
            seat = m.mover
        step = m.choices_made
        if step >= TURN_STEP_CLASSES:
            step = TURN_STEP_CLASSES - 1
        self.add_active(self.mover_offset + seat * TURN_STEP_CLASSES + step)
        if self.feature_version >= GROUPS_VERSION:
            for board in m.boards:
                self.add_active_groups(board, stage * self.seats + seat)
        if self.lead_class_width > 0.0:
            self.add_active_leads(m)

    def add_active_groups(self, board: Board, situation: M) -> None:
        """Add the weights for the groups, eyes and playable points of a board to the active weights.

        From feature version :data:`GROUP_MARBLES_VERSION` on, also add a weight for each marble of every group.
        ``situation`` is the stage of the match times the number of seats, plus the seat that must choose. An eye is a
        playable hole whose neighbouring holes all contain marbles of a single colour.
        """
        cells = board.cells_by_table_index
        holes = board.all_points & ~board.upper_points
        free_holes = board.playable & holes
        upper = board.playable & ~holes
        eye_class: M = 0
        colour: M = 0
        for word in board.by_colour:
            marbles = word.value & ~board.hidden
            eyes: M = 0
            left = free_holes
            if not marbles:
                left = 0
            while left:
                low = left & -left
                left ^= low
                if not cells[table_index(low)].touching & holes & ~word.value:
                    eyes |= low
            if colour < 2:
                count = count_bits(eyes)
                if count >= TOTAL_EYE_CLASSES:
                    count = TOTAL_EYE_CLASSES - 1
                eye_class = eye_class * TOTAL_EYE_CLASSES + count
            at = self.group_offset + (situation * self.colour_count + colour) * GROUP_CLASSES
            while marbles:
                low = marbles & -marbles
                group = board.find_visible_group(low, marbles & ~low)
                marbles &= ~group
                around: M = 0
                left = group
                while left:
                    low = left & -left
                    left ^= low
                    around |= cells[table_index(low)].touching
                marbles_left: M = count_bits(group)
                size = marbles_left
                if size > MAX_GROUP_SIZE:
                    size = MAX_GROUP_SIZE
                freedoms = count_bits(around & free_holes)
                if freedoms >= FREEDOM_CLASSES:
                    freedoms = FREEDOM_CLASSES - 1
                eye_count = count_bits(around & eyes)
                if eye_count >= EYE_CLASSES:
                    eye_count = EYE_CLASSES - 1
                upper_freedoms = count_bits(around & upper)
                if upper_freedoms >= UPPER_FREEDOM_CLASSES:
                    upper_freedoms = UPPER_FREEDOM_CLASSES - 1
                marble_class = freedoms * EYE_CLASSES + eye_count
                row = at + (size - 1) * (MARBLE_CLASSES + UPPER_FREEDOM_CLASSES)
                self.add_active(row + marble_class)
                self.add_active(row + MARBLE_CLASSES + upper_freedoms)
                if self.feature_version >= GROUP_MARBLES_VERSION:
                    row = self.marble_offset + (situation * self.colour_count + colour) * MARBLE_CLASSES
                    while marbles_left:
                        self.add_active(row + marble_class)
                        marbles_left -= 1
            colour += 1
        self.add_active(self.eye_offset + situation * TOTAL_EYE_CLASSES * TOTAL_EYE_CLASSES + eye_class)
        mobility = count_bits(board.playable)
        if mobility >= MOBILITY_CLASSES:
            mobility = MOBILITY_CLASSES - 1
        self.add_active(self.mobility_offset + situation * MOBILITY_CLASSES + mobility)

    def add_active_leads(self, m: Machine) -> None:
        """Add one active weight for each seat: the weight for its lead over the best other seat.

        A lead is the difference between two values returned by :func:`.ranking_values`; it is negative for a seat that
        is behind.
        """
        ranking = ranking_values(m)
        seat: M = 0
        while seat < self.seats:
            best: float = -1e18
            other: M = 0
            while other < self.seats:
                score: float = float(ranking[other])
                if other != seat and score > best:
                    best = score
                other += 1
            lead: float = (float(ranking[seat]) - best) / self.lead_class_width + 6.5
            bucket: M = 0
            if lead >= 12.0:
                bucket = 12
            elif lead > 0.0:
                bucket = int(lead)
            self.add_active(self.lead_offset + seat * LEAD_CLASSES + bucket)
            seat += 1

    def compute_shares(self) -> None:
        """Set ``shares`` to each seat's expected share of a win.

        The shares add up to 1. They apply to the position last passed to :meth:`find_active`.
        """
        seat: M = 0
        total: float = 0.0
        while seat < self.weight_set_count:
            share = self.shares[seat]
            share.value = self.win_probability(seat)
            total += share.value
            seat += 1
        if self.weight_set_count == 1:
            self.shares[1].value = 1.0 - self.shares[0].value
        else:
            for share in self.shares:
                share.value /= total

    def win_probability(self, weight_set: M) -> float:
        """Return a seat's probability of winning, according to its own weights alone.

        ``weight_set`` is the seat; if there are two seats, only seat 0 has weights. The position is described by
        ``active_weights``.
        """
        numbers = self.weights
        found = self.active_weights
        shift = weight_set * self.weights_per_seat
        total: M = 0
        i: M = 0
        while i < self.active_count:
            total += numbers[found[i].value + shift].value
            i += 1
        return logistic(float(total) / UNIT)

    def adjust(self, weight_set: M, target: float, learning_rate: float) -> None:
        """Adjust the weights of seat ``weight_set`` to bring its win probability closer to ``target``.

        Only the weights that apply to the position described by ``active_weights`` are changed.
        """
        step: M = int((target - self.win_probability(weight_set)) * learning_rate * UNIT)
        shift = weight_set * self.weights_per_seat
        i: M = 0
        while i < self.active_count:
            self.weights[self.active_weights[i].value + shift].value += step
            i += 1


@final
class SelfPlay:
    """Repeated self-play from a machine's position, to learn the weights for a game."""

    def __init__(self, machine: Machine, weights: Weights, max_turns: int) -> None:
        self.machine: Final = machine
        self.weights: Final = weights
        self.max_turns: Final[M] = max_turns
        """Number of turns after which a match counts as a draw."""
        self.start: Final = Checkpoint(machine)
        self.start.save(machine)
        self.active_weights_history: Final[list[list[int]]] = []
        """Indices of the weights that apply to each position of the match."""

    def learn_from_matches(self, count: int, learning_rate: float) -> None:
        """Play ``count`` matches, and learn from each with the given learning rate.

        Raises RuleFailure if the rules require too much work.
        """
        m = self.machine
        rolling = m.uses_own_random
        m.uses_own_random = True
        for _ in range(count):
            self.start.restore(m)
            self.active_weights_history.clear()
            self.play_match()
            self.learn_from_match(learning_rate)
        self.start.restore(m)
        m.undo_length = 0
        m.uses_own_random = rolling

    def play_match(self) -> None:
        """Play one match with the current weights, making some choices at random.

        The match stops after ``max_turns`` turns, even if it isn't over. After each choice that doesn't end the match,
        the indices of the weights that apply to the position are added to ``active_weights_history``.
        """
        m = self.machine
        weights = self.weights
        while is_ongoing(m) and m.turn < self.max_turns:
            m.undo_length = 0
            codes = legal_choices(m)
            if not codes:
                return
            code: M = codes[0]
            if len(codes) > 1:
                if m.random_below(1000) < RANDOM_CHOICES_PER_1000:
                    code = codes[m.random_below(len(codes))]
                else:
                    code = self.best_choice(codes)
            play_choice(m, code)
            if is_ongoing(m):
                weights.find_active(m)
                self.active_weights_history.append(
                    [word.value for word in weights.active_weights[: weights.active_count]]
                )

    def best_choice(self, codes: list[int]) -> M:
        """Return the choice that leads to the best position for the seat that must choose.

        Positions are valued by the current weights; if the match is over, its result counts instead. At most
        :data:`MAX_COMPARED_CHOICES` of the choices, drawn at random, are compared. ``codes`` must not be empty, and it
        is overwritten.
        """
        m = self.machine
        weights = self.weights
        seat = m.me
        if m.is_stuck:
            seat = m.mover
        choices_left: M = len(codes)
        compared: M = 0
        best: M = codes[0]
        best_value: float = -1.0
        while choices_left and compared < MAX_COMPARED_CHOICES:
            at: int = m.random_below(choices_left)
            choices_left -= 1
            compared += 1
            last: int = choices_left
            code: M = codes[at]
            codes[at] = codes[last]
            mark = push_registers(m)
            play_choice(m, code)
            value: float
            result = m.result
            if result is not None:
                value = share_in_result(result, seat, m.seats)
            else:
                weights.find_active(m)
                weights.compute_shares()
                value = weights.shares[seat].value
            m.undo(mark)
            if value > best_value:
                best_value = value
                best = code
        return best

    def learn_from_match(self, learning_rate: float) -> None:
        """Adjust the weights by TD(λ) to the match just played, going backward from its end.

        At the last position, the target of the prediction is the seat's share in the result, or an equal share if the
        match isn't over. At every other position, the target is a mean of the next position's prediction and target,
        weighted as described at :data:`TD_LAMBDA`.
        """
        m = self.machine
        weights = self.weights
        seat: M = 0
        while seat < weights.weight_set_count:
            result = m.result
            target: float = 1.0 / float(m.seats)
            if result is not None:
                target = share_in_result(result, seat, m.seats)
            at: M = len(self.active_weights_history)
            while at:
                at -= 1
                pieces = self.active_weights_history[at]
                weights.active_count = 0
                for piece in pieces:
                    weights.add_active(piece)
                probability = weights.win_probability(seat)
                weights.adjust(seat, target, learning_rate)
                target = (1.0 - TD_LAMBDA) * probability + TD_LAMBDA * target
            seat += 1


def share_in_result(result: Result, seat: M, seats: M) -> float:
    """Return a seat's share of the one point that a match is worth.

    The winners share the point equally; if there are no winners, all seats share it.
    """
    winners: M = result.winners
    if not winners:
        return 1.0 / float(seats)
    if winners >> seat & 1:
        return 1.0 / float(count_bits(winners))
    return 0.0


def set_contents(content: list[Word], mask: M, value: M) -> None:
    """Set ``content[point].value`` to ``value`` for every point in ``mask``."""
    left = mask
    while left:
        low = left & -left
        n: int = low
        content[n.bit_length() - 1].value = value
        left ^= low


def is_ongoing(m: Machine) -> bool:
    """Return whether the match is still going on.

    Use this rather than testing ``m.result`` repeatedly. Type checkers assume that calls don't change attributes, so
    they would treat the later tests as redundant.
    """
    return m.result is None


def logistic(x: float) -> float:
    """Return the logistic function of ``x``, which turns any number into a probability.

    It is applied to sums of weights and to scaled differences between scores. The result is exactly 1 if ``x`` is above
    30, and exactly 0 if it is below -30.
    """
    if x > 30.0:
        return 1.0
    if x < -30.0:
        return 0.0
    return 1.0 / (1.0 + math.exp(-x))
