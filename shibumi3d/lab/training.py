"""Training of the learned evaluation by self-play, in this process or in a worker that reports its progress.

Training begins with the lessons, each of which starts from the knowledge gained in the one before. The top level (Sky)
with the new knowledge then plays against the top level with the knowledge in use, or without any if there is none. A
few matches with each weighting of the evaluation show which weighting is best. Matches with that weighting are then
played until a sequential test decides or their maximum number is reached. Both sides have the same CPU time per move,
and every opening is played from all seats.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import process_time
from typing import TYPE_CHECKING, Any, ClassVar

from shibumi3d import files
from shibumi3d.i18n import InvalidValueError, Message
from shibumi3d.lab.jobs import GameText, Job, Row, match_to_row, row_to_match, split_job
from shibumi3d.lab.row_store import RowStore
from shibumi3d.lab.runner import JobProgress, run
from shibumi3d.rules.game import LearnsBySelfPlay
from shibumi3d.search.arena import (
    PlayedMatch,
    SeriesResult,
    SprtResult,
    play_series_match,
    points_of_first,
    run_sprt,
    sum_up,
)
from shibumi3d.search.levels import LEVELS
from shibumi3d.search.players import Budget, Choice, Player
from shibumi3d.search.worker import limit_memory, report_progress

if TYPE_CHECKING:
    from shibumi3d.rules.game import Game

COMPARISON_MATCHES = 24
"""Number of matches played with each weighting to find the best one."""
MAX_TEST_MATCHES = 400
"""Maximum number of matches in the test."""
MATCHES_PER_JOB = 12
"""Number of matches per job.

It is a multiple of two and three, so that every opening is played from all seats.
"""
MOVE_SECONDS = 0.03
"""CPU time per move in seconds."""
OPENING_TURNS = 2
"""Number of random turns in an opening."""
RunJobs = Callable[[Sequence[Job]], list[Row]]
"""Function that runs jobs and returns their rows."""


@dataclass(frozen=True, slots=True)
class LessonJob:
    """Job that carries out lesson ``number`` of a game, counted from 0.

    ``knew`` is the knowledge before the lesson, or an empty string if there is none.
    """

    kind: ClassVar[str] = "learning"
    table: GameText
    knew: str = ""
    number: int = 0
    seed: int = 0

    def run(self) -> list[Row]:
        """Carry out the lesson and return a single row, in which "known" is the knowledge after the lesson."""
        return [
            {"known": learner_of(self.table).run_lesson(self.table.seats, self.knew, self.number, self.seed)}
        ]


@dataclass(frozen=True, slots=True)
class EvaluationMatchesJob:
    """Job that plays the top level with new knowledge against the top level with the knowledge in use.

    ``known`` is the new knowledge, and ``in_use`` the knowledge in use, or an empty string if there is none. The job
    plays matches ``first`` to ``first + count - 1`` of a series. Since ``seconds``, the CPU time per move, limits the
    number of simulations, the matches may differ between machines.
    """

    kind: ClassVar[str] = "duel"
    table: GameText
    known: str
    in_use: str = ""
    seconds: float = MOVE_SECONDS
    seed: int = 0
    first: int = 0
    count: int = MATCHES_PER_JOB

    def run(self) -> list[Row]:
        """Play the matches and return a row for each."""
        game, seats = self.table.load_game(), self.table.seats
        trained, present = (
            learner_of(self.table).with_knowledge(seats, knowledge) for knowledge in (self.known, self.in_use)
        )
        players = [_TrainedPlayer(present if place else trained, place) for place in range(seats)]
        budget = Budget(None, self.seconds, process_time)
        numbers = range(self.first, self.first + self.count)
        return [
            match_to_row(n, play_series_match(game, players, n, self.seed, OPENING_TURNS, budget))
            for n in numbers
        ]


class _TrainedPlayer(Player):
    """Player of the top level with the knowledge of ``trained_game`` instead of that of the game being played."""

    def __init__(self, trained_game: Game, seed: int) -> None:
        super().__init__(LEVELS[-1], seed)
        self.trained_game = trained_game

    def choose(self, game: Game, *args: Any, **options: Any) -> Choice:
        return super().choose(self.trained_game, *args, **options)


NOTHING_NEW = Message("Sky would learn nothing new")
"""Reason for not testing knowledge that is already in use."""


@dataclass(frozen=True, slots=True)
class TrainingResult:
    """Result of training a game.

    ``weights`` is the knowledge with the best weighting, as text, and ``series`` the totals of the test matches.
    ``test`` is the result of the sequential test. If no test was played, ``reason`` says why.
    """

    table: GameText
    weights: str = ""
    series: SeriesResult | None = None
    test: SprtResult | None = None
    reason: Message | None = None

    @property
    def is_accepted(self) -> bool:
        """Whether the test has shown that the knowledge makes the top level stronger."""
        return self.test is not None and self.test.is_better is True


def learner_of(text: GameText) -> LearnsBySelfPlay:
    """Load and return the game of ``text``.

    Raises ValueError if its table kind cannot learn.
    """
    game = text.load_game()
    if not isinstance(game, LearnsBySelfPlay):
        raise InvalidValueError("games of this kind aren't supported")
    return game


def save_if_accepted(result: TrainingResult, folder: Path, *, is_user_file: bool = True) -> Path | None:
    """Write the knowledge to a file in ``folder`` if it was accepted, and return the path; otherwise, return None.

    ``is_user_file`` is passed to :meth:`.LearnsBySelfPlay.knowledge_file_name`. Raises OSError if the file can't be
    written.
    """
    if not result.is_accepted:
        return None
    path = folder / learner_of(result.table).knowledge_file_name(result.table.seats, is_user_file)
    files.make_folder(folder)
    files.write(path, result.weights)
    return path


def why_untrainable(text: GameText) -> Message | None:
    """Return why the evaluation of a game cannot be learned by self-play, or None if it can."""
    try:
        return learner_of(text).explain_cannot_learn(text.seats)
    except InvalidValueError as error:
        return error.message


def train(
    tables: Sequence[GameText],
    run_jobs: RunJobs,
    *,
    seed: int = 0,
    seconds: float = MOVE_SECONDS,
    max_matches: int = MAX_TEST_MATCHES,
    parallel_jobs: int = 1,
    learned_folder: str = "",
    on_finished: Callable[[TrainingResult], object] = lambda learned: None,
) -> list[TrainingResult]:
    """Learn the evaluation of games by self-play, and return the results in the order of ``tables``.

    Knowledge is accepted only if it makes the top level stronger than it is with the knowledge in use. The knowledge in
    use is read from ``learned_folder``. If there is none in that folder, the knowledge shipped with the program is
    used. What the lessons teach depends only on the game and ``seed``. How this knowledge is weighted, and whether it
    is accepted, also depends on the speed of the machine.

    ``seconds`` is the CPU time per move in the matches, and ``max_matches`` the maximum number of matches in a test.
    ``parallel_jobs`` is the number of jobs that can run at once. The tests are evaluated after each batch of jobs,
    which contains at least one job for each test still running. ``on_finished`` is called with the result of each game
    as soon as it is known.
    """
    found: dict[int, TrainingResult] = {}

    def record_result(index: int, result: TrainingResult) -> None:
        found[index] = result
        on_finished(result)

    for place, table in enumerate(tables):
        if (reason := why_untrainable(table)) is not None:
            record_result(place, TrainingResult(table, reason=reason))
    left = [place for place in range(len(tables)) if place not in found]
    known = dict.fromkeys(left, "")
    lessons = {place: learner_of(tables[place]).lesson_count for place in left}
    for number in range(max(lessons.values(), default=0)):
        now = [place for place in left if number < lessons[place]]
        rows = run_jobs([LessonJob(tables[place], known[place], number, seed) for place in now])
        known.update((place, str(row["known"])) for place, row in zip(now, rows, strict=True))
    in_use = {
        place: learner_of(tables[place]).stored_knowledge(tables[place].seats, learned_folder)
        for place in left
    }
    for place in list(left):
        table = tables[place]
        variants = learner_of(table).knowledge_weightings(table.seats, known[place])
        if in_use[place] in variants:
            left.remove(place)
            record_result(place, TrainingResult(table, reason=NOTHING_NEW))
            continue
        known[place] = _best_weighting(table, variants, in_use[place], run_jobs, seed, seconds)
    played: dict[int, list[PlayedMatch]] = {place: [] for place in left}
    while left:
        share = MATCHES_PER_JOB * max(1, -(-parallel_jobs // len(left)))
        jobs: list[EvaluationMatchesJob] = []
        for place in left:
            first = len(played[place])
            wanted = min(share, max_matches - first)
            duel = EvaluationMatchesJob(
                tables[place], known[place], in_use[place], seconds, seed + 1, first, wanted
            )
            jobs += split_job(duel, MATCHES_PER_JOB)
        fought = [row_to_match(row) for row in run_jobs(jobs)]
        for place in list(left):
            number = min(share, max_matches - len(played[place]))
            played[place] += fought[:number]
            del fought[:number]
            seats = tables[place].seats
            test = run_sprt(points_of_first(played[place], seats), seats)
            if test.is_better is not None or len(played[place]) >= max_matches:
                left.remove(place)
                won = sum_up(played[place][: test.played], seats)
                record_result(place, TrainingResult(tables[place], known[place], won, test))
    return [found[place] for place in range(len(tables))]


def _best_weighting(
    text: GameText, variants: Sequence[str], in_use: str, run_jobs: RunJobs, seed: int, seconds: float
) -> str:
    """Return the item of ``variants`` that scores best in a few matches against ``in_use``.

    The variants are differently weighted versions of the newly learned knowledge; ``in_use`` is the knowledge used so
    far.
    """
    jobs = [
        job
        for settings in variants
        for job in split_job(
            EvaluationMatchesJob(text, settings, in_use, seconds, seed, 0, COMPARISON_MATCHES),
            MATCHES_PER_JOB,
        )
    ]
    fought = [row_to_match(row) for row in run_jobs(jobs)]
    parts = [fought[at : at + COMPARISON_MATCHES] for at in range(0, len(fought), COMPARISON_MATCHES)]
    shares = [sum_up(part, text.seats).share for part in parts]
    return variants[shares.index(max(shares))]


STORE_FILE = "learning.db"
"""Name of the file in the cache folder that stores completed jobs while training is in progress."""


@dataclass(frozen=True, slots=True)
class TrainingProgress:
    """Progress of training: ``done`` of at most ``total`` lessons or matches in the current step.

    ``step`` is "lesson" during the lessons, "way" during the matches that compare the weightings, and "test" during the
    matches that test the result. ``share`` is the share of the points that the new knowledge has won in the test so
    far. It is None until the first matches of the test are finished.
    """

    step: str
    done: int
    total: int
    share: float | None = None


def train_in_worker(
    text: GameText,
    store: Path | None,
    seconds: float = MOVE_SECONDS,
    max_matches: int = MAX_TEST_MATCHES,
    learned_folder: str = "",
) -> TrainingResult:
    """Train the evaluation for a game, reporting the progress, and return the result.

    Call this function in a worker process, whose memory it limits. ``store`` is a file in which completed jobs are
    stored for later runs; if it is None or can't be used, nothing is stored. ``seconds`` is the CPU time per move, and
    ``max_matches`` the maximum number of matches in the test. ``learned_folder`` is the folder with the knowledge
    learned on this computer; see :func:`train`.
    """
    limit_memory()
    return Trainer(text, store, max_matches, learned_folder).train(seconds)


class Trainer:
    """Trainer for one game.

    It runs the training jobs one after another and reports their progress.
    """

    def __init__(
        self, text: GameText, store: Path | None, max_matches: int, learned_folder: str = ""
    ) -> None:
        self.table, self.max_matches, self.learned_folder = text, max_matches, learned_folder
        self.store: RowStore | None = None
        self.has_compared = False
        """Whether the comparison of the weightings has begun."""
        self.test_matches: list[PlayedMatch] = []
        """Test matches played so far."""
        if store is not None:
            try:
                files.make_folder(store.parent)
                self.store = RowStore(store)
            except (OSError, ValueError):
                self.store = None

    def train(self, seconds: float) -> TrainingResult:
        """Train the game and return the result.

        ``seconds`` is the CPU time per move in the matches.
        """
        (learned,) = train(
            [self.table],
            self._run_step,
            seconds=seconds,
            max_matches=self.max_matches,
            learned_folder=self.learned_folder,
        )
        return learned

    def _run_step(self, jobs: Sequence[Job]) -> list[Row]:
        duels = [job for job in jobs if isinstance(job, EvaluationMatchesJob)]
        matches = sum(duel.count for duel in duels)
        if duels and not self.has_compared:
            self.has_compared = True
            return self._run_jobs(
                jobs, lambda at: TrainingProgress("way", matches * at.done // at.wanted, matches)
            )
        if not duels:
            (lesson,) = jobs
            assert isinstance(lesson, LessonJob)
            reached = TrainingProgress("lesson", lesson.number, learner_of(self.table).lesson_count)
            return self._run_jobs(jobs, lambda at: reached)
        share = sum_up(self.test_matches, self.table.seats).share if self.test_matches else None
        reached = TrainingProgress("test", len(self.test_matches), self.max_matches, share)
        rows = self._run_jobs(jobs, lambda at: reached)
        self.test_matches += [row_to_match(row) for row in rows]
        return rows

    def _run_jobs(self, jobs: Sequence[Job], reached: Callable[[JobProgress], TrainingProgress]) -> list[Row]:
        return run(jobs, store=self.store, on_progress=lambda at: report_progress(reached(at)))
