"""Self-play that learns the weights with which a search evaluates positions.

This module knows nothing about the rules of individual games. The features come from the geometry of the board.
Features that a rotation or reflection maps onto each other share their weights if the rules have that symmetry. The
weights are learned by TD(λ) (Sutton 1988); see :mod:`~shibumi3d.rules.marbles.engine.learned_evaluation`.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

from shibumi3d.i18n import N_, InvalidValueError
from shibumi3d.rules.errors import RuleFailure
from shibumi3d.rules.marbles.basic import BasicGame
from shibumi3d.rules.marbles.engine.learned_evaluation import (
    COUNT_PAIRS,
    GROUP_MARBLES_VERSION,
    GROUPS_VERSION,
    MAX_COMPARED_CHOICES,
    POINT_CONTENT_COUNT,
)
from shibumi3d.rules.marbles.engines import get_engine
from shibumi3d.rules.marbles.pyramid import Pyramid
from shibumi3d.rules.marbles.search.playout_settings import get_playout_settings
from shibumi3d.rules.marbles.search.symmetry import find_approximate_symmetries, transform_mask

if TYPE_CHECKING:
    from shibumi3d.rules.marbles.engine.learned_evaluation import Weights
    from shibumi3d.rules.marbles.engine.machine import Machine


LESSONS_PER_COURSE = 10
"""Number of lessons in a course; the learning rate decreases from lesson to lesson."""
MAX_FEATURE_EVALUATIONS, MAX_MATCHES = 1_800_000_000, 24_000
"""Limits of a course: the approximate number of feature evaluations, and the number of matches.

With the compiled engine, a course takes less than a minute.
"""
SAMPLE_MATCHES, MAX_SAMPLE_MOVES = 20, 400
"""Number of random matches used to estimate the cost of a match, and their maximum length in moves."""
MATCHES_PER_DEAL = 50
"""Number of matches that share one initial deal.

If one of them exceeds the work limit of the rules, the remaining ones are not played.
"""
FIRST_LEARNING_RATE, LAST_LEARNING_RATE_FRACTION = 0.001, 0.2
"""Learning rate of the first lesson, and the fraction of it that remains in the last lesson."""
FEATURES_CACHE_KEY = "pieces"
"""First item of the cache keys for a game's features."""
STAGE_COUNT, MAX_WEIGHTS = 3, 9_000
"""Number of stages of a match, each with its own weights, and the maximum number of these weights.

If separate weights would exceed the maximum, all stages share the same ones.
"""


class Feature(NamedTuple):
    """Feature of a position: a point, two points in contact, or a set of points.

    A single point is given by ``point``, and two points in contact by ``point`` and ``other_point``. If the feature is
    a set, the marbles on the points in ``mask`` are counted. If this set is a line, ``point`` is -1. Otherwise, the set
    consists of the supports of ``point`` or of its neighbours on its level, and the counts are combined with the
    contents of ``point``. If there is no second point, ``other_point`` is -1; if the feature isn't a set, ``mask`` is
    0.

    ``first_weight`` is the index of the feature's first weight among the weights of a stage.
    """

    point: int
    other_point: int
    mask: int
    first_weight: int


def explain_cannot_learn(game: BasicGame, seats: int) -> str:
    """Return a translatable explanation of why a game cannot learn weights, or "" if it can."""
    facts = game.facts(seats)
    if seats < 2 or facts.solver:
        return N_("there is no opponent to practise against")
    if facts.has_secrets or facts.has_simultaneous_moves:
        return N_("too much depends on hidden information, and training only sees the board")
    if facts.is_series:
        return N_("a match is a series of games, and training only handles a single game")
    return ""


def get_features(
    game: BasicGame, seats: int, feature_version: int = GROUP_MARBLES_VERSION
) -> tuple[list[list[Feature]], int]:
    """Return the features of each board, and the total number of their weights for one stage of a match.

    If ``feature_version`` is at least :data:`.GROUPS_VERSION`, each point with its neighbours on its level is a feature
    as well. The result is cached with the game.
    """
    key: Any = FEATURES_CACHE_KEY, seats, feature_version
    features: tuple[list[list[Feature]], int] | None = game.cache.get(key)
    if features is None:
        features = game.cache[key] = _compute_features(game, seats, feature_version >= GROUPS_VERSION)
    return features


def _compute_features(game: BasicGame, seats: int, reads_groups: bool) -> tuple[list[list[Feature]], int]:
    rules = game.start(seats)._rules
    symmetries = find_approximate_symmetries(game, seats)
    offsets: dict[Hashable, int] = {}
    result: list[list[Feature]] = []
    used = 0
    for board in range(len(rules.board_names)):
        these: list[Feature] = []
        for kind, size, point, other, mask in _feature_shapes(rules.pyramid, reads_groups):
            alike, turn = min(
                (_transform_feature(symmetry, point, other, mask), n) for n, symmetry in enumerate(symmetries)
            )
            if other >= 0 and alike[0] != symmetries[turn][point]:
                point, other = other, point
            name = (board, kind, alike)
            if name not in offsets:
                offsets[name] = used
                used += size
            these.append(Feature(point, other, mask, offsets[name]))
        result.append(these)
    return result, used


def _transform_feature(symmetry: Sequence[int], point: int, other: int, mask: int) -> tuple[int, int, int]:
    """Return the image of a feature under a symmetry, as its point, other point and mask.

    Of two points in contact, the one with the lower number comes first.
    """
    feature = symmetry[point] if point >= 0 else -1
    two = symmetry[other] if other >= 0 else -1
    if two >= 0:
        feature, two = min(feature, two), max(feature, two)
    return feature, two, transform_mask(mask, symmetry)


def _feature_shapes(pyramid: Pyramid, reads_groups: bool) -> Iterable[tuple[str, int, int, int, int]]:
    """Yield the kind, number of weights, point, other point and mask of each feature of a board.

    A point that a feature lacks is -1, and a mask that it lacks is 0; see :class:`Feature`. If ``reads_groups`` is set,
    each point with its neighbours on its level is a feature as well, unless it has no neighbours.
    """
    for point in range(pyramid.point_count):
        yield "point", POINT_CONTENT_COUNT, point, -1, 0
    for feature, two, _ in pyramid.contacts:
        yield "contact", POINT_CONTENT_COUNT * POINT_CONTENT_COUNT, feature, two, 0
    for line in pyramid.full_lines:
        yield "line", COUNT_PAIRS, -1, -1, line
    for point, supports in enumerate(pyramid.supports):
        if supports:
            yield "square", COUNT_PAIRS * POINT_CONTENT_COUNT, point, -1, supports
    if reads_groups:
        for point in range(pyramid.point_count):
            neighbours = pyramid.touching[point] & pyramid.levels[pyramid.level[point]]
            if neighbours:
                yield "neighbours", COUNT_PAIRS * POINT_CONTENT_COUNT, point, -1, neighbours


def create_weights(
    game: BasicGame, machine: Machine, seats: int, feature_version: int = GROUP_MARBLES_VERSION
) -> Weights:
    """Return the initial weights for learning a game, all of them 0.

    ``feature_version`` determines which features have weights; see :class:`.Weights`. Raises InvalidValueError if no
    weights can be learned for the game.
    """
    reason = explain_cannot_learn(game, seats)
    if reason:
        raise InvalidValueError(reason)
    boards, used = get_features(game, seats, feature_version)
    stages = STAGE_COUNT if used * STAGE_COUNT <= MAX_WEIGHTS else 1
    scale = get_playout_settings(game, seats).score_scale / 2 if game.facts(seats).has_scores else 0.0
    every = [
        [(feature.point, feature.other_point, feature.mask, feature.first_weight) for feature in board]
        for board in boards
    ]
    return get_engine(game.size).Weights(machine, every, used, stages, scale, feature_version)


def count_course_matches(game: BasicGame, seats: int) -> int:
    """Return the number of self-play matches in a training course of :data:`LESSONS_PER_COURSE` lessons.

    The number is lower if matches are longer, offer more choices or are played on larger boards, but it stays between
    one match per lesson and :data:`MAX_MATCHES`. It is estimated from random matches, and is the same on every machine.
    """
    fast, start, looks = game.make_fast_game(seats, 5), game.start(seats, 1), 1
    for number in range(SAMPLE_MATCHES):
        fast.load(start, number)
        with suppress(RuleFailure):
            for _ in range(MAX_SAMPLE_MOVES):
                if fast.result() is not None:
                    break
                looks += min(MAX_COMPARED_CHOICES, len(fast.choices()))
                fast.make(fast.random_move())
    boards, _ = get_features(game, seats)
    match_count = MAX_FEATURE_EVALUATIONS * SAMPLE_MATCHES // (looks * max(1, sum(map(len, boards))))
    return max(LESSONS_PER_COURSE, min(MAX_MATCHES, match_count))


def run_lesson(
    game: BasicGame,
    seats: int,
    start_values: Sequence[int],
    lesson_index: int,
    match_count: int,
    seed: int = 0,
) -> list[int]:
    """Run a lesson of up to ``match_count`` matches of self-play, and return the resulting weights.

    ``start_values`` are the weights before the lesson; they are empty for a game that has not learned anything.
    ``lesson_index`` is the number of the lesson, from 0 to :data:`LESSONS_PER_COURSE` - 1. Up to
    :data:`MATCHES_PER_DEAL` matches share an initial deal; if one of them exceeds the work limit of the rules, the
    remaining ones are not played. ``seed`` varies the random choices. For the same arguments, the result is the same on
    every machine. Raises InvalidValueError if the game cannot learn or if the number of ``start_values`` is wrong.
    """
    fast, dealt = (
        game.make_fast_game(seats, seed * LESSONS_PER_COURSE + lesson_index),
        game.facts(seats).has_chance,
    )
    fast.load(game.start(seats))
    weights = create_weights(game, fast.machine, seats)
    if start_values:
        weights.set_weights(list(start_values))
    limit, engine = get_playout_settings(game, seats).max_playout_turns, get_engine(game.size)
    learning_rate = FIRST_LEARNING_RATE * (
        1.0 - (1.0 - LAST_LEARNING_RATE_FRACTION) * lesson_index / (LESSONS_PER_COURSE - 1)
    )
    for done in range(0, match_count, MATCHES_PER_DEAL):
        fast.load(game.start(seats, lesson_index * match_count + done if dealt else 0))
        with suppress(RuleFailure):  # nothing is learned from a match that exceeds the work limit
            engine.SelfPlay(fast.machine, weights, limit).learn_from_matches(
                min(MATCHES_PER_DEAL, match_count - done), learning_rate
            )
    return list(weights.weight_values())
