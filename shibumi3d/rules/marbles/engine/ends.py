"""Evaluation of end rules: whether the match is over, who has won, and with what score."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shibumi3d.rules.marbles.engine.rules import END_TERM, SCORE_TERM, Result
from shibumi3d.rules.marbles.engine.workspace import BoundEnd, Machine

if TYPE_CHECKING:
    from mypy_extensions import i64 as M


def score_of(m: Machine, seat: M) -> M:
    """Return the current score of a seat: the value of the game file's formula, or the seat's tally."""
    formula = m.score
    if formula is None:
        return m.tallies[seat].v
    before = m.me
    reading = m.reading
    m.reading = SCORE_TERM
    m.spend(m.score_cost)
    m.me = seat
    value = formula.eval(m)
    m.me = before
    m.reading = reading
    return value


def scores_now(m: Machine) -> tuple[int, ...]:
    """Return the current score of every seat."""
    found: list[int] = []
    for seat in range(m.seats):
        found.append(score_of(m, seat))
    return tuple(found)


def rated_by(m: Machine) -> BoundEnd | None:
    """Return the end rule that compares the seats by a number, or None if there is none.

    If there are several, return the last one that applies to the whole match, or else the last one in the last phase
    that has any.
    """
    found: BoundEnd | None = None
    for phase in m.phases:
        for rule in phase.ends:
            if rule.most and not rule.listed[0]:
                found = rule
    for rule in m.ends:
        if rule.most and not rule.listed[0]:
            found = rule
    return found


def standing_of(m: Machine, seat: M, rule: BoundEnd | None) -> M:
    """Return the number by which a seat is currently ranked.

    This is the first value that ``rule`` compares, or the score if ``rule`` is None.
    """
    if rule is None:
        return score_of(m, seat)
    before = m.me
    reading = m.reading
    m.reading = END_TERM
    m.spend(rule.cost)
    m.me = seat
    value = rule.most[0].eval(m)
    m.me = before
    m.reading = reading
    return value


def standings(m: Machine) -> list[int]:
    """Return the number by which each seat is currently ranked."""
    rule = rated_by(m)
    found: list[int] = []
    for seat in range(m.seats):
        found.append(standing_of(m, seat, rule))
    return found


def test_early(m: Machine) -> bool:
    """Test the end rules that apply after every step, and return whether the match is over."""
    return m.phase >= 0 and test_rules(m, m.phases[m.phase].early)


def test_rules(m: Machine, rules: list[BoundEnd]) -> bool:
    """Test end rules in order until one decides the match, and return whether one did.

    A rule that is tested for each seat is tested for the mover first, then in turn order. The rule that decides the
    match sets the result.
    """
    if not rules:
        return False
    me = m.me
    for rule in rules:
        if rule.when_stuck and not m.stuck:
            continue
        m.reading = rule.reading
        seat = m.mover
        left: M = 1
        if rule.by_seat:
            left = m.seats
        while left:
            m.me = seat
            m.spend(rule.cost)
            if rule.when.eval(m):
                if decide(m, rule):
                    m.me = me
                    m.reading = 0
                    return True
                break
            left -= 1
            seat += 1
            if seat == m.seats:
                seat = 0
    m.me = me
    m.reading = 0
    return False


def rating(m: Machine, rule: BoundEnd) -> list[int]:
    """Return the current seat's values that ``most`` compares."""
    found: list[int] = []
    for i in range(len(rule.most)):
        if rule.listed[i]:
            found += rule.most[i].items(m)
        else:
            found.append(rule.most[i].eval(m))
    return found


def broken(m: Machine, rule: BoundEnd) -> M:
    """Break a tie; return the winners as a set of seats, or 0 if ``tie`` selects nobody.

    If ``tie`` is a list, its first entry that is among the tied seats wins.
    """
    tie = rule.tie
    assert tie is not None
    if not rule.tie_listed:
        return tie.eval(m)
    tied: int = m.tied
    for seat in tie.items(m):
        if seat & tied:
            return seat
    return 0


def decide(m: Machine, rule: BoundEnd) -> bool:
    """Determine the winners by an end rule that holds for the current seat, and set the result.

    Returns False if the rule's tie-break selects nobody; the next rule is then tested.
    """
    everyone: int = (1 << m.seats) - 1
    m.tied = 0
    values: list[list[int]] = []
    winners: int = 0
    if rule.most:
        me = m.me
        for seat in range(m.seats):
            m.me = seat
            values.append(rating(m, rule))
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
            winners = broken(m, rule)
            if not winners:
                return False
        elif drawn(m, winners):
            winners = 0
    elif rule.lose is not None:
        losers: int = rule.lose.eval(m)
        winners = everyone & ~losers
    elif rule.win is not None:
        winners = rule.win.eval(m)
    m.winners = winners
    if rule.most and rule.most_is_score:
        scores = tuple([value[0] for value in values])
    else:
        scores = scores_now(m)
    m.result = Result(winners, scores, rule.number, shapes(m, rule))
    return True


def drawn(m: Machine, best: int) -> bool:
    """Return whether all seats share the best rating, which makes the match a draw.

    A solo game is never a draw in this sense.
    """
    return m.seats > 1 and best == (1 << m.seats) - 1


def shapes(m: Machine, rule: BoundEnd) -> tuple[int, ...]:
    """Return the points, one mask for each board, of the line or group that makes an end rule hold.

    Only full machines find these points; for other machines, all masks are empty.
    """
    found: list[int] = []
    before = m.board
    for board in m.boards:
        points: M = 0
        if m.full:
            m.board = board
            m.version += 1
            points = rule.shown.witnesses(m) & board.filled
        found.append(points)
    m.board = before
    m.version += 1
    return tuple(found)


def finish_draw(m: Machine) -> None:
    """End the match as a draw because nobody can continue and no rule decides."""
    m.winners = 0
    m.result = Result(0, scores_now(m), -1, tuple([0 for _ in m.boards]))


def nothing_done(m: Machine) -> bool:
    """Return whether marbles were removed in this turn but all boards ended up unchanged."""
    if not m.removed.v or m.phase < 0:
        return False
    for board in m.boards:
        if board.key != board.began_key.v:
            return False
    return True
