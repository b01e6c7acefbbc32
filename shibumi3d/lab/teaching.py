"""Learning by self-play in a worker process that reports its progress."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from shibumi3d import files
from shibumi3d.lab.jobs import GameText, Job, Row, fought_of
from shibumi3d.lab.learning import MOST, SECONDS, Learned, Learning, SkyDuel, learn, learner
from shibumi3d.lab.running import Advance, run
from shibumi3d.lab.store import RowStore
from shibumi3d.search.arena import tally
from shibumi3d.search.worker import bound_memory, tell

if TYPE_CHECKING:
    from shibumi3d.search.fought import Fought

STORE = "learning.db"
"""Name of the file in the cache folder that stores completed jobs while learning is in progress."""


@dataclass(frozen=True, slots=True)
class LearningStep:
    """Progress of learning: ``done`` of at most ``wanted`` lessons or matches in a ``step``.

    The step is "lesson", "way" for matches that compare weightings, or "test" for matches that test the result.
    ``share`` is the fraction of wins in the test so far, or None.
    """

    step: str
    done: int
    wanted: int
    share: float | None = None


def teach(table: GameText, store: Path | None, seconds: float = SECONDS, most: int = MOST) -> Learned:
    """Teach a game in a worker process and report each :class:`LearningStep`.

    ``store`` is a file in which completed jobs are stored for later runs; if it can't be used, nothing is stored.
    ``seconds`` is the CPU time per move, and ``most`` the maximum number of matches in the test.
    """
    bound_memory()
    return Teaching(table, store, most).learned(seconds)


class Teaching:
    """Runs the jobs of a game that learns, one after another, and reports their progress."""

    def __init__(self, table: GameText, store: Path | None, most: int) -> None:
        self.table, self.most = table, most
        self.store: RowStore | None = None
        self.tried = False
        """Whether the weightings have been compared."""
        self.fought: list[Fought] = []
        """Test matches played so far."""
        if store is not None:
            try:
                files.make_folder(store.parent)
                self.store = RowStore(store)
            except (OSError, ValueError):
                self.store = None

    def learned(self, seconds: float) -> Learned:
        """Train the game and return the result.

        ``seconds`` is the CPU time per move in the test matches.
        """
        (learned,) = learn([self.table], self._do, seconds=seconds, most=self.most)
        return learned

    def _do(self, jobs: Sequence[Job]) -> list[Row]:
        duels = [job for job in jobs if isinstance(job, SkyDuel)]
        matches = sum(duel.count for duel in duels)
        if duels and not self.tried:
            self.tried = True
            return self._run(jobs, lambda at: LearningStep("way", matches * at.done // at.wanted, matches))
        if not duels:
            (lesson,) = jobs
            assert isinstance(lesson, Learning)
            reached = LearningStep("lesson", lesson.number, learner(self.table).lessons)
            return self._run(jobs, lambda at: reached)
        share = tally(self.fought, self.table.seats).share if self.fought else None
        reached = LearningStep("test", len(self.fought), self.most, share)
        rows = self._run(jobs, lambda at: reached)
        self.fought += [fought_of(row) for row in rows]
        return rows

    def _run(self, jobs: Sequence[Job], reached: Callable[[Advance], LearningStep]) -> list[Row]:
        return run(jobs, store=self.store, told=lambda at: tell(reached(at)))
