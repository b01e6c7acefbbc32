"""Games learn by matches against themselves, and what they have learned is kept where it makes the strongest stronger.

First the lessons, each of which begins with what was known after the one before. Then the sky that judges by it plays
against the sky that does not, in each way in which it may be judged by, a few matches each; and in the better way for
as long as a sequential test takes. Both have the same CPU time a choice, and every opening from all seats.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from time import process_time
from typing import ClassVar

from shibumi3d import files
from shibumi3d.i18n import Message, Unusable
from shibumi3d.lab.jobs import GameText, Job, Row, cut, fought_of, row_of
from shibumi3d.rules.learner import Learner
from shibumi3d.search.arena import Tally, credits_of, numbered, tally
from shibumi3d.search.fought import Fought
from shibumi3d.search.levels import LEVELS
from shibumi3d.search.players import Budget, Player
from shibumi3d.search.sequential import Sprt, sprt

TRIED = 24
"""Matches that choose between the ways in which may be judged."""
MOST = 400
"""Matches after which the test is given up."""
AT_ONCE = 12
"""Matches of a job: every opening from two seats or three."""
SECONDS = 0.03
"""Of CPU time a choice."""
OPENING = 2
"""Turns of an opening that are drawn by lot."""
Doing = Callable[[Sequence[Job]], list[Row]]
"""What does jobs, and returns their rows."""


@dataclass(frozen=True, slots=True)
class Learning:
    """A lesson of a game, by number from 0, after which it knows more than it ``knew`` ("": nothing)."""

    kind: ClassVar[str] = "learning"
    table: GameText
    knew: str = ""
    number: int = 0
    seed: int = 0

    def rows(self) -> list[Row]:
        """Learn, and return what is ``known``."""
        return [{"known": learner(self.table).lesson(self.table.seats, self.knew, self.number, self.seed)}]


@dataclass(frozen=True, slots=True)
class SkyDuel:
    """Matches ``first`` to ``first + count`` of the sky that judges by what is ``known`` against the sky that doesn't.

    How far a choice is thought about depends on the machine, so other machines may play other matches.
    """

    kind: ClassVar[str] = "duel"
    table: GameText
    known: str
    seconds: float = SECONDS
    seed: int = 0
    first: int = 0
    count: int = AT_ONCE

    def rows(self) -> list[Row]:
        """Play, and return a row for each match."""
        game, seats = self.table.game(), self.table.seats
        learner(self.table).know(seats, self.known)
        sky = LEVELS[-1]
        plain = replace(sky, knows=0.0)
        players = [Player(sky if not place else plain, place) for place in range(seats)]
        budget = Budget(None, self.seconds, process_time)
        numbers = range(self.first, self.first + self.count)
        try:
            return [row_of(n, numbered(game, players, n, self.seed, OPENING, budget)) for n in numbers]
        finally:
            learner(self.table).know(seats, None)


@dataclass(frozen=True, slots=True)
class Learned:
    """What came of it: what is ``known`` in the better way, how the ``duel`` of it went, and what the ``test`` says of
    that; or the ``reason`` why nothing can be learned."""

    table: GameText
    known: str = ""
    duel: Tally | None = None
    test: Sprt | None = None
    reason: Message | None = None

    @property
    def accepted(self) -> bool:
        """Whether it makes the strongest stronger."""
        return self.test is not None and self.test.better is True


def learner(table: GameText) -> Learner:
    """Return the game of a table as one that learns. Raises Unusable where its kind never does."""
    game = table.game()
    if not isinstance(game, Learner):
        raise Unusable("games at tables of this kind don't learn")
    return game


def keep(one: Learned, library: Path, *, own: bool = True) -> Path | None:
    """Keep what makes the strongest stronger in a folder, the user's ``own`` or the program's; return its file.

    None where nothing is kept now: what was kept before and is no better is taken away, unless nothing could be
    learned. Raises OSError.
    """
    if one.reason is not None:
        return None
    path = library / learner(one.table).known_as(one.table.seats, own)
    if one.accepted:
        files.make_folder(library)
        files.write(path, one.known)
        return path
    path.unlink(missing_ok=True)
    return None


def reason_of(table: GameText) -> Message | None:
    """Return why a game can't learn; None where it can."""
    try:
        return learner(table).cannot_learn(table.seats)
    except Unusable as error:
        return error.message


def learn(
    tables: Sequence[GameText],
    do: Doing,
    *,
    seed: int = 0,
    seconds: float = SECONDS,
    most: int = MOST,
    at_once: int = 1,
    told: Callable[[Learned], object] = lambda learned: None,
) -> list[Learned]:
    """Let games learn, and return what came of it, for each table in order.

    The lessons follow from ``seed`` alone. ``seconds`` of CPU time are for a choice of the matches between skies,
    ``most`` are played in a test, ``at_once`` jobs in a row before it is looked at. ``told`` is called as games end.
    """
    found: dict[int, Learned] = {}

    def end(place: int, learned: Learned) -> None:
        found[place] = learned
        told(learned)

    for place, table in enumerate(tables):
        if (reason := reason_of(table)) is not None:
            end(place, Learned(table, reason=reason))
    left = [place for place in range(len(tables)) if place not in found]
    known = dict.fromkeys(left, "")
    lessons = {place: learner(tables[place]).lessons for place in left}
    for number in range(max(lessons.values(), default=0)):
        now = [place for place in left if number < lessons[place]]
        rows = do([Learning(tables[place], known[place], number, seed) for place in now])
        known.update((place, str(row["known"])) for place, row in zip(now, rows, strict=True))
    for place in left:
        known[place] = _better(tables[place], known[place], do, seed, seconds)
    played: dict[int, list[Fought]] = {place: [] for place in left}
    while left:
        share = AT_ONCE * max(1, -(-at_once // len(left)))
        jobs: list[SkyDuel] = []
        for place in left:
            first = len(played[place])
            wanted = min(share, most - first)
            duel = SkyDuel(tables[place], known[place], seconds, seed + 1, first, wanted)
            jobs += cut(duel, AT_ONCE)
        fought = [fought_of(row) for row in do(jobs)]
        for place in list(left):
            number = min(share, most - len(played[place]))
            played[place] += fought[:number]
            del fought[:number]
            seats = tables[place].seats
            test = sprt(credits_of(played[place], seats), seats)
            if test.better is not None or len(played[place]) >= most:
                left.remove(place)
                won = tally(played[place][: test.played], seats)
                end(place, Learned(tables[place], known[place], won, test))
    return [found[place] for place in range(len(tables))]


def _better(table: GameText, known: str, do: Doing, seed: int, seconds: float) -> str:
    """What is known, in the way in which judging by it does best in a few matches."""
    ways = learner(table).judgings(table.seats, known)
    jobs = [job for way in ways for job in cut(SkyDuel(table, way, seconds, seed, 0, TRIED), AT_ONCE)]
    fought = [fought_of(row) for row in do(jobs)]
    parts = [fought[at : at + TRIED] for at in range(0, len(fought), TRIED)]
    shares = [tally(part, table.seats).share for part in parts]
    return ways[shares.index(max(shares))]
