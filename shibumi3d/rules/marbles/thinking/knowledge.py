"""Learning, by self-play, of the weights with which a search evaluates positions.

This module knows nothing about the rules of individual games. The features (called "pieces") come from the geometry of
the board. Features that a rotation or reflection maps onto each other share their weights if the rules have that
symmetry. The weights are learned by TD(λ) (Sutton 1988); see :mod:`~shibumi3d.rules.marbles.engine.worth`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

from shibumi3d.i18n import N_, Unusable
from shibumi3d.rules.errors import RuleFailure
from shibumi3d.rules.marbles.basic import BasicGame
from shibumi3d.rules.marbles.engine.worth import CONTENTS, COUNTS
from shibumi3d.rules.marbles.engine.worth import FEW as MOST_COMPARED
from shibumi3d.rules.marbles.engines import engine_of
from shibumi3d.rules.marbles.pyramid import Pyramid
from shibumi3d.rules.marbles.thinking.switches import switches
from shibumi3d.rules.marbles.thinking.symmetry import kept_mostly, turned

if TYPE_CHECKING:
    from shibumi3d.rules.marbles.engine.workspace import Machine
    from shibumi3d.rules.marbles.engine.worth import Weights

LESSONS = 10
"""Number of lessons in a course; the learning rate decreases from lesson to lesson."""
WORK, MOST_MATCHES = 450_000_000, 24_000
"""Limits of a course: the approximate number of feature evaluations, and the number of matches.

With the compiled engine, a course takes less than a minute.
"""
LOOKS, LONGEST = 20, 400
"""Number of random matches used to estimate the cost of a match, and their maximum length in moves."""
FEW = 50
"""Number of matches that share one initial deal.

If one of them exceeds the work limit of the rules, the remaining ones are not played.
"""
PACE, LAST_PACE = 0.02, 0.2
"""Learning rate of the first lesson, and that of the last lesson as a fraction of it."""
KEPT = "pieces"
"""Key of the features in the cache of a game."""
STAGES, MOST = 3, 9_000
"""Number of stages of a match, each with its own weights, and the maximum number of weights.

If separate weights would exceed the maximum, all stages share the same ones.
"""


class Weighed(NamedTuple):
    """A feature: one point, two points in contact, or a set of points whose marbles are counted.

    A set may be combined with the point above it, given as ``point``. Unused points are -1, and ``mask`` is 0 if there
    is no set. ``base`` is the index of the feature's first weight.
    """

    point: int
    other: int
    mask: int
    base: int


def unfit(game: BasicGame, seats: int) -> str:
    """Return a translatable message that says why a game cannot learn weights; empty if it can."""
    facts = game.facts(seats)
    if seats < 2 or facts.solver:
        return N_("there is no opponent to practise against")
    if facts.secrets or facts.simultaneous:
        return N_("too much depends on hidden information, and training only sees the board")
    if facts.series:
        return N_("a match is a series of games, and training only handles a single game")
    return ""


def pieces(game: BasicGame, seats: int) -> tuple[list[list[Weighed]], int]:
    """Return the features of each board, and the total number of weights.

    The result is cached with the game.
    """
    kept: tuple[list[list[Weighed]], int] | None = game.kept.get((KEPT, seats))
    if kept is None:
        kept = game.kept[KEPT, seats] = _pieces(game, seats)
    return kept


def _pieces(game: BasicGame, seats: int) -> tuple[list[list[Weighed]], int]:
    rules = game.start(seats)._rules
    ways = kept_mostly(game, seats)
    begins: dict[Any, int] = {}
    found: list[list[Weighed]] = []
    used = 0
    for board in range(len(rules.board_names)):
        these: list[Weighed] = []
        for kind, size, point, other, mask in _shapes(rules.pyramid):
            alike, turn = min((_moved(way, point, other, mask), n) for n, way in enumerate(ways))
            if other >= 0 and alike[0] != ways[turn][point]:
                point, other = other, point
            name = (board, kind, alike)
            if name not in begins:
                begins[name] = used
                used += size
            these.append(Weighed(point, other, mask, begins[name]))
        found.append(these)
    return found, used


def _moved(way: Sequence[int], point: int, other: int, mask: int) -> tuple[int, int, int]:
    """Return the image of a feature under a symmetry.

    Of two points in contact, the one with the lower number comes first.
    """
    one = way[point] if point >= 0 else -1
    two = way[other] if other >= 0 else -1
    if two >= 0:
        one, two = min(one, two), max(one, two)
    return one, two, turned(mask, way)


def _shapes(pyramid: Pyramid) -> Iterable[tuple[str, int, int, int, int]]:
    """Yield kind, number of weights, point, other point and mask of each feature of a board."""
    for point in range(pyramid.count):
        yield "point", CONTENTS, point, -1, 0
    for one, two, _ in pyramid.contacts:
        yield "contact", CONTENTS * CONTENTS, one, two, 0
    for line in pyramid.full_lines:
        yield "line", COUNTS, -1, -1, line
    for point, supports in enumerate(pyramid.supports):
        if supports:
            yield "square", COUNTS * CONTENTS, point, -1, supports


def blank(game: BasicGame, machine: Machine, seats: int) -> Weights:
    """Return the initial weights of a game that has not learned anything, all 0.

    Raises Unusable if the game cannot learn.
    """
    reason = unfit(game, seats)
    if reason:
        raise Unusable(reason)
    boards, used = pieces(game, seats)
    stages = STAGES if used * STAGES <= MOST else 1
    scale = switches(game, seats).scale / 2 if game.facts(seats).scored else 0.0
    every = [[(one.point, one.other, one.mask, one.base) for one in board] for board in boards]
    return engine_of(game.size).Weights(machine, every, used, stages, scale)


def matches_of(game: BasicGame, seats: int) -> int:
    """Return the number of matches in a course; it is the same on every machine.

    It is smaller for games with long matches or large boards.
    """
    fast, start, looks = game.fast(seats, 5), game.start(seats, 1), 1
    for number in range(LOOKS):
        fast.load(start, number)
        with suppress(RuleFailure):
            for _ in range(LONGEST):
                if fast.result() is not None:
                    break
                looks += min(MOST_COMPARED, len(fast.choices()))
                fast.make(fast.sample())
    boards, _ = pieces(game, seats)
    found = WORK * LOOKS // (looks * max(1, sum(map(len, boards))))
    return max(LESSONS, min(MOST_MATCHES, found))


def lesson(
    game: BasicGame, seats: int, numbers: Sequence[int], part: int, matches: int, seed: int = 0
) -> list[int]:
    """Return the weights after lesson ``part`` of :data:`LESSONS`, counted from 0.

    A lesson consists of ``matches`` matches of self-play, and its result is the same on every machine. ``numbers`` are
    the weights before the lesson, empty for a game that has not learned anything. Raises Unusable if the game cannot
    learn.
    """
    fast, dealt = game.fast(seats, seed * LESSONS + part), game.facts(seats).chance
    fast.load(game.start(seats))
    weights = blank(game, fast.machine, seats)
    if numbers:
        weights.fill(list(numbers))
    limit, engine = switches(game, seats).limit, engine_of(game.size)
    pace = PACE * (1.0 - (1.0 - LAST_PACE) * part / (LESSONS - 1))
    for done in range(0, matches, FEW):
        fast.load(game.start(seats, part * matches + done if dealt else 0))
        with suppress(RuleFailure):  # nothing is learned from a match that exceeds the work limit
            engine.Lessons(fast.machine, weights, limit).matches(min(FEW, matches - done), pace)
    return list(weights.all_numbers())
