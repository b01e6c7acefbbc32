"""Training as jobs: lessons are the same wherever they run, only better weights are kept, and it can be resumed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from shibumi3d.lab import GameText, RowStore, run, training
from shibumi3d.lab.runner import JobProgress, program_version
from shibumi3d.lab.training import (
    EvaluationMatchesJob,
    LessonJob,
    TrainingProgress,
    TrainingResult,
    learner_of,
    train,
)
from shibumi3d.rules.marbles.search import learned_weights
from shibumi3d.search.arena import PlayedMatch
from shibumi3d.search.levels import LEVELS

SMALL = GameText.from_entry("spline", size=3)


@pytest.fixture
def short_course(monkeypatch: pytest.MonkeyPatch) -> None:
    """Set the number of self-play matches in a training course to 30."""
    monkeypatch.setattr(learned_weights, "count_course_matches", lambda game, seats: 30)


class FakeLaboratory:
    """Laboratory that runs lessons but makes up the results of evaluation matches.

    ``shares`` holds the share of the points that the trained player wins with each weighting of its knowledge, in the
    order in which the weightings are tried. ``ways`` lists the weightings tried so far, and ``jobs`` all jobs received.
    """

    def __init__(self, *shares: float) -> None:
        self.shares = shares
        self.ways: list[str] = []
        self.jobs: list[Any] = []

    def __call__(self, jobs: Any) -> list[dict[str, Any]]:
        rows: list[dict[str, Any]] = []
        for job in jobs:
            self.jobs.append(job)
            if isinstance(job, LessonJob):
                rows += job.run()
                continue
            if job.known not in self.ways:
                self.ways.append(job.known)
            share = self.shares[self.ways.index(job.known)]
            for number in range(job.first, job.first + job.count):
                won = int((number + 1) * share) > int(number * share)
                row = {"number": number, "moves": [], "turns": 9, "winners": [0 if won else 1]}
                rows.append({**row, "scores": [], "reason": ""})
        return rows


@pytest.mark.usefixtures("short_course")
def test_better_weights_are_tested_before_acceptance() -> None:
    for shares, better, share, trust in (
        ((0.5, 0.75), True, 0.75, "0.5"),
        ((0.75, 0.5), True, 0.75, "1"),
        ((0.5, 0.25), False, 0.5, "1"),
    ):
        results: list[TrainingResult] = []
        (found,) = train([SMALL], FakeLaboratory(*shares), on_finished=results.append)
        assert results == [found]
        assert (found.is_accepted, found.test.is_better) == (better, better)  # type: ignore[union-attr]
        assert found.series is not None
        assert found.series.share == pytest.approx(share, abs=0.03)
        assert found.weights.split()[3] == trust


@pytest.mark.usefixtures("short_course")
def test_inconclusive_test_is_not_accepted() -> None:
    (found,) = train([SMALL], FakeLaboratory(0.56, 0.5), max_matches=60)
    assert found.test is not None
    assert (found.is_accepted, found.test.is_better, found.test.played) == (False, None, 60)


@pytest.mark.usefixtures("short_course")
def test_training_is_reproducible_in_parts_or_at_once() -> None:
    first, second = (train([SMALL], FakeLaboratory(0.75, 0.5))[0].weights for _ in range(2))
    assert first == second
    known = ""
    for number in range(learner_of(SMALL).lesson_count):
        (row,) = run([LessonJob(SMALL, known, number)])
        known = row["known"]
    assert known == first
    assert train([SMALL], FakeLaboratory(0.75, 0.5), seed=1)[0].weights != first


@pytest.mark.usefixtures("short_course")
def test_killed_training_resumes_where_it_stopped(tmp_path: Path) -> None:
    """Four of ten lessons were done before the interruption.

    The next run does only the other six, and its weights are those of an uninterrupted run.
    """
    store = RowStore(tmp_path / "rows.db")
    whole = train([SMALL], FakeLaboratory(0.75, 0.5))[0].weights
    done: list[int] = []

    def do(jobs: Any, most: int = 100) -> list[dict[str, Any]]:
        if isinstance(jobs[0], EvaluationMatchesJob):
            return FakeLaboratory.__call__(duels, jobs)
        for job in jobs:
            if store.load_rows(job, program_version()) is None:
                if len(done) == most:
                    raise KeyboardInterrupt
                done.append(job.number)
        return run(jobs, store=store)

    duels = FakeLaboratory(0.75, 0.5)
    with pytest.raises(KeyboardInterrupt):
        train([SMALL], lambda jobs: do(jobs, 4))
    assert done == [0, 1, 2, 3]
    (found,) = train([SMALL], do)
    assert done == list(range(10))
    assert found.weights == whole


@pytest.mark.usefixtures("short_course")
def test_evaluation_match_leaves_the_game_unchanged(monkeypatch: pytest.MonkeyPatch) -> None:
    """Evaluation matches are played with new weights, but the game itself doesn't get these weights.

    Proofs are switched off because they are slow in plain Python.
    """
    monkeypatch.setattr(training, "LEVELS", (replace(LEVELS[-1], search_work=0),))
    game = SMALL.load_game()
    known = learner_of(SMALL).run_lesson(2, "", 0)
    rows = run([EvaluationMatchesJob(SMALL, known, seconds=0.002, count=2)])
    assert [row["number"] for row in rows] == [0, 1]
    assert all(row["winners"] is not None for row in rows)
    assert learned_weights.get_weights(game, 2) is None  # type: ignore[arg-type]


@pytest.mark.usefixtures("short_course")
def test_new_weights_must_beat_those_in_use(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """New weights replace the user's only if they make the strongest level, sky, play better.

    In the evaluation matches, the new weights win half of the points, which isn't enough, or three quarters, which is.
    If training yields the weights already in use, sky would learn nothing new. In each evaluation match, the first
    player has the new weights, and the second player has the weights in use.
    """
    stored, _ = learner_of(SMALL).knowledge_weightings(2, learner_of(SMALL).run_lesson(2, "", 0, seed=5))
    path = tmp_path / learner_of(SMALL).knowledge_file_name(2)
    path.write_text(stored)
    for share, kept in ((0.5, stored), (0.75, None)):
        duels = FakeLaboratory(share, share)
        (found,) = train([SMALL], duels, learned_folder=str(tmp_path))
        assert {job.in_use for job in duels.jobs if isinstance(job, EvaluationMatchesJob)} == {stored}
        training.save_if_accepted(found, tmp_path)
        assert path.read_text() == (kept or found.weights)
    (found,) = train([SMALL], duels, learned_folder=str(tmp_path))
    assert found.reason is not None
    assert found.reason.text == "Sky would learn nothing new"
    seated: list[list[str]] = []

    def read_weights(game: Any, players: Any, *args: Any) -> Any:
        seated.append(
            [
                learned_weights.format_weights(
                    one.trained_game,
                    2,
                    learned_weights.get_weights(one.trained_game, 2),  # type: ignore[arg-type]
                )
                for one in players
            ]
        )
        return PlayedMatch((), 9, (0,), ())

    monkeypatch.setattr(training, "play_series_match", read_weights)
    run([EvaluationMatchesJob(SMALL, found.weights or path.read_text(), stored, count=1)])
    assert seated == [[path.read_text(), stored]]


@pytest.mark.usefixtures("short_course")
def test_training_progress_is_reported(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Training consists of ten lessons, a comparison of two weightings and a sequential test.

    In the comparison, each weighting plays 24 matches, in jobs of twelve. In the test, which allows 60 matches, the
    first weighting scores 9 of every 12 points. After 36 matches, the log likelihood ratio is log(.6/.5) * 27 -
    log(.5/.4) * 9 = 2.91, just under the bound of 2.94. The next twelve matches, which make 48 in all, therefore decide
    the test.
    """
    reports: list[TrainingProgress] = []
    do = FakeLaboratory(0.75, 0.5)
    monkeypatch.setattr(training, "report_progress", reports.append)
    monkeypatch.setattr(
        training,
        "run",
        lambda jobs, store, on_progress: [on_progress(JobProgress(0, len(jobs), 0, 0.0)), do(jobs)][1],
    )
    found = training.train_in_worker(SMALL, tmp_path / "new" / "rows.db", max_matches=60)
    assert found.is_accepted
    assert [(each.step, each.done, each.total) for each in reports] == [
        *[("lesson", number, 10) for number in range(10)],
        ("way", 0, 48),
        *[("test", done, 60) for done in (0, 12, 24, 36)],
    ]
    assert [each.share for each in reports[-4:]] == [None, 0.75, 0.75, 0.75]


def test_untrainable_games_give_a_reason() -> None:
    tables = [GameText.from_entry("splink"), GameText.from_entry("arcanoid"), GameText.from_entry("spalone")]
    found = train(tables, FakeLaboratory())
    keys = [one.reason.text for one in found if one.reason is not None]
    assert keys == [
        "a match is a series of games, and training only handles a single game",
        "games of this kind aren't supported",
        "there is no opponent to practise against",
    ]
    assert not any(one.is_accepted for one in found)
