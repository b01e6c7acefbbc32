"""What a game teaches itself: the weights by which a search may judge moments, learned from matches against itself.

Nothing of a game's rules is known here: the pieces of the board that are weighed come from its geometry, and pieces
that a way of turning or mirroring the board takes to one another share their weights where the rules keep that way.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from shibumi3d.i18n import N_, Unusable
from shibumi3d.rules.errors import RuleFailure
from shibumi3d.rules.marbles.basic import BasicGame
from shibumi3d.rules.marbles.engine.worth import CONTENTS, COUNTS
from shibumi3d.rules.marbles.engine.worth import FEW as MOST_COMPARED
from shibumi3d.rules.marbles.engines import engine_of
from shibumi3d.rules.marbles.pyramid import Pyramid
from shibumi3d.rules.marbles.thinking.switches import switches
from shibumi3d.rules.marbles.thinking.symmetry import kept_mostly, turned

LESSONS = 10
"""The parts in which a game learns; from part to part less is changed."""
WORK, MOST_MATCHES = 450_000_000, 24_000
"""Pieces that are looked at in all, about: with the engine compiled less than a minute. And matches, at most."""
LOOKS, LONGEST = 20, 400
"""Matches by lot by which it is known how many moments a match looks at, and choices after which one is left."""
FEW = 50
"""Matches from one deal, and that are lost, at most, where one asks for more work than rules may."""
PACE, LAST_PACE = 0.02, 0.2
"""How much a match changes the weights at first, and the part of it at the end."""
KEPT = "pieces"
"""As what the pieces are kept with a game."""
STAGES, MOST = 3, 9_000
"""The stages of a match that have weights of their own, where these are no more in all than that."""


class Weighed(NamedTuple):
    """Points that are weighed together: one, two in contact, or a set of which marbles are counted, with a point above
    it or none (-1)."""

    point: int
    other: int
    mask: int
    base: int


def unfit(game: BasicGame, seats: int) -> str:
    """Return why a game can't learn weights, as the key of a sentence; nothing where it can."""
    facts = game.facts(seats)
    if seats < 2 or facts.solver:
        return N_("there is no opponent to practise against")
    if facts.secrets or facts.simultaneous:
        return N_("too much depends on hidden information, and training only sees the board")
    if facts.series:
        return N_("a match is a series of games, and training only handles a single game")
    return ""


def pieces(game: BasicGame, seats: int) -> tuple[list[list[Weighed]], int]:
    """Return by board the pieces that are weighed, and how many weights they have: found once, and kept."""
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
    """A piece, each point where it comes to lie; of two in contact the lower number comes first."""
    one = way[point] if point >= 0 else -1
    two = way[other] if other >= 0 else -1
    if two >= 0:
        one, two = min(one, two), max(one, two)
    return one, two, turned(mask, way)


def _shapes(pyramid: Pyramid) -> Iterable[tuple[str, int, int, int, int]]:
    """The pieces of a board: kind, how many weights, point, other point, set."""
    for point in range(pyramid.count):
        yield "point", CONTENTS, point, -1, 0
    for one, two, _ in pyramid.contacts:
        yield "contact", CONTENTS * CONTENTS, one, two, 0
    for line in pyramid.full_lines:
        yield "line", COUNTS, -1, -1, line
    for point, supports in enumerate(pyramid.supports):
        if supports:
            yield "square", COUNTS * CONTENTS, point, -1, supports


def blank(game: BasicGame, machine: Any, seats: int) -> Any:
    """Return weights for a game that knows nothing yet: all are nought. Raises Unusable where it can't learn."""
    reason = unfit(game, seats)
    if reason:
        raise Unusable(reason)
    boards, used = pieces(game, seats)
    stages = STAGES if used * STAGES <= MOST else 1
    scale = switches(game, seats).scale / 2 if game.facts(seats).scored else 0.0
    every = [[(one.point, one.other, one.mask, one.base) for one in board] for board in boards]
    return engine_of(game.size).Weights(machine, every, used, stages, scale)


def matches_of(game: BasicGame, seats: int) -> int:
    """Return from how many matches a game learns in all: the same number on every machine, fewer where matches are
    long and boards are large."""
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
    """Return the weights after one of the :data:`LESSONS`, from 0, of so many matches against oneself: the same on
    every machine.

    ``numbers`` are the weights before, none for a game that knows nothing yet. Raises Unusable where a game can't
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
        with suppress(RuleFailure):  # a match that asks for more work than rules may teaches nothing
            engine.Lessons(fast.machine, weights, limit).matches(min(FEW, matches - done), pace)
    return list(weights.all_numbers())
