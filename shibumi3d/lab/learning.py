"""Learning by self-play. What a game has learned is kept only if it makes the top level stronger.

Learning begins with the lessons, each of which starts from the knowledge gained in the one before. The top level (Sky)
with the learned evaluation then plays against the top level without it. A few matches with each weighting of the
evaluation show which weighting is better. Matches with the better weighting are then played until a sequential test
decides. Both sides have the same CPU time per move, and every opening is played from all seats.
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
"""Number of matches played with each weighting to find the better one."""
MOST = 400
"""Maximum number of matches in the test."""
AT_ONCE = 12
"""Number of matches per job.

It is a multiple of two and three, so that every opening is played from all seats.
"""
SECONDS = 0.03
"""CPU time per move in seconds."""
OPENING = 2
"""Number of random turns in an opening."""
Doing = Callable[[Sequence[Job]], list[Row]]
"""Function that runs jobs and returns their rows."""


@dataclass(frozen=True, slots=True)
class Learning:
    """Job that carries out lesson ``number`` of a game, counting from 0.

    ``knew`` is the knowledge before the lesson, or an empty string if there is none.
    """

    kind: ClassVar[str] = "learning"
    table: GameText
    knew: str = ""
    number: int = 0
    seed: int = 0

    def rows(self) -> list[Row]:
        """Carry out the lesson and return a row that contains the knowledge, ``known``."""
        return [{"known": learner(self.table).lesson(self.table.seats, self.knew, self.number, self.seed)}]


@dataclass(frozen=True, slots=True)
class SkyDuel:
    """Job that plays the top level with the learned evaluation against the top level without it.

    It plays matches ``first`` to ``first + count - 1``. The number of simulations depends on the speed of the machine,
    so the matches may differ between machines.
    """

    kind: ClassVar[str] = "duel"
    table: GameText
    known: str
    seconds: float = SECONDS
    seed: int = 0
    first: int = 0
    count: int = AT_ONCE

    def rows(self) -> list[Row]:
        """Play the matches and return a row for each."""
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
    """Result of learning.

    ``known`` is the knowledge with the better weighting, and ``duel`` the result of the matches that chose it. ``test``
    is the result of the sequential test. If the game cannot learn, ``reason`` says why.
    """

    table: GameText
    known: str = ""
    duel: Tally | None = None
    test: Sprt | None = None
    reason: Message | None = None

    @property
    def accepted(self) -> bool:
        """Whether the knowledge makes the top level stronger."""
        return self.test is not None and self.test.better is True


def learner(table: GameText) -> Learner:
    """Return the game as a :class:`Learner`. Raises Unusable if its table kind cannot learn."""
    game = table.game()
    if not isinstance(game, Learner):
        raise Unusable("games of this kind can't learn")
    return game


def keep(one: Learned, library: Path, *, own: bool = True) -> Path | None:
    """Store accepted knowledge in a folder, the user's ``own`` or the program's; return the file.

    If the knowledge is not accepted, the file stored earlier is deleted and None is returned. If the game could not
    learn, the file is left alone and None is returned. Raises OSError.
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
    """Return why a game cannot learn, or None if it can."""
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
    """Train games and return the results in the order of ``tables``.

    The lessons depend only on ``seed``. ``seconds`` is the CPU time per move in the test matches, and ``most`` the
    maximum number of matches in a test. ``at_once`` is the number of jobs that run before the test is evaluated again.
    ``told`` is called when a game is finished.
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
    """Return the knowledge with the weighting that scores better in a few matches."""
    ways = learner(table).judgings(table.seats, known)
    jobs = [job for way in ways for job in cut(SkyDuel(table, way, seconds, seed, 0, TRIED), AT_ONCE)]
    fought = [fought_of(row) for row in do(jobs)]
    parts = [fought[at : at + TRIED] for at in range(0, len(fought), TRIED)]
    shares = [tally(part, table.seats).share for part in parts]
    return ways[shares.index(max(shares))]
