"""Evaluation of end rules: whether the match is over, who has won, and with what score."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shibumi3d.rules.marbles.engine.machine import BoundEndRule, Machine
from shibumi3d.rules.marbles.engine.rules import END_RULE_LOCATION, SCORE_LOCATION, Result

if TYPE_CHECKING:
    from mypy_extensions import i64 as M


def score_at(m: Machine, seat: M) -> M:
    """Return the current score of a seat: the value of the game file's formula or, if it has none, the seat's tally."""
    formula = m.score_node
    if formula is None:
        return m.tallies[seat].value
    before = m.me
    reading = m.location_code
    m.location_code = SCORE_LOCATION
    m.spend_work(m.score_cost)
    m.me = seat
    value = formula.eval(m)
    m.me = before
    m.location_code = reading
    return value


def current_scores(m: Machine) -> tuple[int, ...]:
    """Return the current score of every seat."""
    result: list[int] = []
    for seat in range(m.seats):
        result.append(score_at(m, seat))
    return tuple(result)


def find_ranking_rule(m: Machine) -> BoundEndRule | None:
    """Return the end rule that compares the seats by a number, or None if there is none.

    If there are several, return the last one that applies to the whole match, or else the last one in the last phase
    that has any.
    """
    ranking_rule: BoundEndRule | None = None
    for phase in m.phases:
        for rule in phase.end_rules:
            if rule.compared_values and not rule.is_list_by_value[0]:
                ranking_rule = rule
    for rule in m.end_rules:
        if rule.compared_values and not rule.is_list_by_value[0]:
            ranking_rule = rule
    return ranking_rule


def ranking_value(m: Machine, seat: M, rule: BoundEndRule | None) -> M:
    """Return the number by which a seat is currently ranked.

    This is the first value that ``rule`` compares, or the score if ``rule`` is None.
    """
    if rule is None:
        return score_at(m, seat)
    before = m.me
    reading = m.location_code
    m.location_code = END_RULE_LOCATION
    m.spend_work(rule.cost)
    m.me = seat
    value = rule.compared_values[0].eval(m)
    m.me = before
    m.location_code = reading
    return value


def ranking_values(m: Machine) -> list[int]:
    """Return, for each seat, the number by which it is currently ranked.

    If an end rule compares the seats by a number, this is the first value that the rule compares. Otherwise, it is the
    score.
    """
    rule = find_ranking_rule(m)
    result: list[int] = []
    for seat in range(m.seats):
        result.append(ranking_value(m, seat, rule))
    return result


def test_early_end_rules(m: Machine) -> bool:
    """Test the early end rules of the current phase, and return whether one decided the match."""
    return m.phase >= 0 and test_end_rules(m, m.phases[m.phase].early_end_rules)


def test_end_rules(m: Machine, rules: list[BoundEndRule]) -> bool:
    """Test end rules in order until one decides the match, and return whether one did.

    A rule that is tested for each seat is tested for the mover first, then for the others in turn order, until its
    condition holds. A rule with ``only_when_stuck`` is skipped unless the mover is stuck. The rule that decides the
    match sets the result.
    """
    if not rules:
        return False
    me = m.me
    for rule in rules:
        if rule.only_when_stuck and not m.is_stuck:
            continue
        m.location_code = rule.location_code
        seat = m.mover
        seats_left: M = 1
        if rule.is_tested_by_seat:
            seats_left = m.seats
        while seats_left:
            m.me = seat
            m.spend_work(rule.cost)
            if rule.when.eval(m):
                if apply_end_rule(m, rule):
                    m.me = me
                    m.location_code = 0
                    return True
                break
            seats_left -= 1
            seat += 1
            if seat == m.seats:
                seat = 0
    m.me = me
    m.location_code = 0
    return False


def compared_values_of(m: Machine, rule: BoundEndRule) -> list[int]:
    """Return the values that an end rule compares, computed for the acting seat.

    A list contributes all its items.
    """
    result: list[int] = []
    for i in range(len(rule.compared_values)):
        if rule.is_list_by_value[i]:
            result += rule.compared_values[i].items(m)
        else:
            result.append(rule.compared_values[i].eval(m))
    return result


def break_tie(m: Machine, rule: BoundEndRule) -> M:
    """Break a tie between the seats in ``m.tied``, as ``rule.tie`` says.

    Returns the winners as a set of seats, or 0 if there are none. If the value of ``rule.tie`` is a set of seats, these
    seats win, whether they are tied or not. If it is a list of such sets, the first one that contains a tied seat wins.
    """
    tie = rule.tie
    assert tie is not None
    if not rule.tie_is_list:
        return tie.eval(m)
    tied: int = m.tied
    for seat in tie.items(m):
        if seat & tied:
            return seat
    return 0


def apply_end_rule(m: Machine, rule: BoundEndRule) -> bool:
    """Determine the winners by an end rule that holds for the current seat, and set the result.

    Returns False, without setting a result, if the rule's tie-break selects nobody. The caller then tests the next
    rule.
    """
    everyone: int = (1 << m.seats) - 1
    m.tied = 0
    values: list[list[int]] = []
    winners: int = 0
    if rule.compared_values:
        me = m.me
        for seat in range(m.seats):
            m.me = seat
            values.append(compared_values_of(m, rule))
        m.me = me
        best = values[0]
        for value in values:
            if value > best:
                best = value
        bit = 1
        for value in values:
            if value == best:
                winners |= bit
            bit <<= 1
        if winners & (winners - 1) and rule.tie is not None:
            m.tied = winners
            winners = break_tie(m, rule)
            if not winners:
                return False
        elif is_draw(m, winners):
            winners = 0
    elif rule.lose is not None:
        losers: int = rule.lose.eval(m)
        winners = everyone & ~losers
    elif rule.win is not None:
        winners = rule.win.eval(m)
    m.winners = winners
    if rule.compared_values and rule.compares_only_score:
        scores = tuple([value[0] for value in values])
        m.result = Result(winners, scores, rule.number, find_deciding_points(m, rule))
    elif m.for_display or has_scores(m):
        m.result = Result(winners, current_scores(m), rule.number, find_deciding_points(m, rule))
    else:
        m.result = scoreless_result(m, rule, winners)
    return True


def has_scores(m: Machine) -> bool:
    """Return whether the game has a formula for scores, or any seat has a tally other than 0."""
    if m.score_node is not None:
        return True
    for tally in m.tallies:
        if tally.value:
            return True
    return False


def scoreless_result(m: Machine, rule: BoundEndRule, winners: int) -> Result:
    """Return a result with the given winners, scores of 0 and no deciding points.

    Results are cached, because millions of playouts share only a few different results.
    """
    result = rule.scoreless_results.get(winners)
    if result is None:
        scores = tuple([0 for _ in range(m.seats)])
        result = Result(winners, scores, rule.number, tuple([0 for _ in m.boards]))
        rule.scoreless_results[winners] = result
    return result


def is_draw(m: Machine, best: int) -> bool:
    """Return whether the result is a draw: the mask ``best`` contains all seats, and there are at least two."""
    return m.seats > 1 and best == (1 << m.seats) - 1


def find_deciding_points(m: Machine, rule: BoundEndRule) -> tuple[int, ...]:
    """Return the occupied points of the lines or groups that make an end rule hold, as one mask per board.

    A line or group is included only if it is found by an ``any`` in the rule's condition (see :meth:`.Node.witnesses`).
    If there is none, the masks are empty. They are also empty for machines without ``for_display``.
    """
    result: list[int] = []
    before = m.board
    for board in m.boards:
        points: M = 0
        if m.for_display:
            m.board = board
            m.board_version += 1
            points = rule.unoptimized_when.witnesses(m) & board.filled
        result.append(points)
    m.board = before
    m.board_version += 1
    return tuple(result)


def end_in_draw(m: Machine) -> None:
    """Set the game's result to a draw.

    Call this if no end rule decides the game. That is the case if the seat to act is stuck and may not pass, or if
    ``m.idle_count`` has reached its limit (see :func:`~.turns.finish_turn`). Callers must then call
    :func:`~.turns.end_game`.
    """
    m.winners = 0
    m.result = Result(0, current_scores(m), -1, tuple([0 for _ in m.boards]))


def removed_without_effect(m: Machine) -> bool:
    """Return whether this turn moved, removed or recoloured marbles but left all boards unchanged.

    Recolouring marbles to the colour that they already have counts, too. In a ``by`` block, only the acting seat's part
    of the turn is considered. During the setup, the result is always False.
    """
    if not m.has_removed.value or m.phase < 0:
        return False
    for board in m.boards:
        if board.key != board.turn_start_key.value:
            return False
    return True
