"""A game learns beside a program that is told how far it has got."""

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
"""What the lessons are kept in while they go on, in the folder of what can be made anew."""


@dataclass(frozen=True, slots=True)
class LearningStep:
    """How far a game has got: ``done`` of ``wanted``, at most, of a ``step``: "lesson", matches of a "way" of judging
    or of the "test". ``share`` is what it took in the test so far; None before."""

    step: str
    done: int
    wanted: int
    share: float | None = None


def teach(table: GameText, store: Path | None, seconds: float = SECONDS, most: int = MOST) -> Learned:
    """Let a game learn within the process of a worker, telling of it by :class:`LearningStep`.

    ``store`` is a file of what was done before, and is from now on; where it can't be used, it goes without.
    ``seconds`` of CPU time are for a choice, ``most`` matches for the test.
    """
    bound_memory()
    return Teaching(table, store, most).learned(seconds)


class Teaching:
    """The jobs of a game that learns, done one after the other, and how far that is."""

    def __init__(self, table: GameText, store: Path | None, most: int) -> None:
        self.table, self.most = table, most
        self.store: RowStore | None = None
        self.tried = False
        """Whether ways of judging have played against each other."""
        self.fought: list[Fought] = []
        """The matches of the test."""
        if store is not None:
            try:
                files.make_folder(store.parent)
                self.store = RowStore(store)
            except (OSError, ValueError):
                self.store = None

    def learned(self, seconds: float) -> Learned:
        """Learn, and return what came of it."""
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
