"""Mining of problems: which jobs the workers are given, and which of the problems that they find are kept."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest

from shibumi3d.lab.jobs import GameText, Row
from shibumi3d.lab.mining import MiningJob, mine_problems
from shibumi3d.lab.runner import run
from shibumi3d.search.problems import candidates, proofs
from shibumi3d.search.problems.candidates import FoundProblem
from shibumi3d.search.problems.requirements import verify

SPLINE, SMALL = GameText.from_entry("spline"), GameText.from_entry("spline", size=3)


class FruitlessWorker:
    """Worker that finds nothing, claims to take three seconds per job, and records the jobs in ``asked``."""

    def __init__(self) -> None:
        self.asked: list[tuple[int, int, bool]] = []

    def __call__(self, jobs: Sequence[Any]) -> tuple[list[Row], float]:
        self.asked += [(job.first, job.count, job.modest) for job in jobs]
        return [{"problems": []} for job in jobs for _ in range(job.count)], 3.0 * len(jobs)


def test_mined_problems_are_proved_and_survive_json(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(proofs, "PROOF_SECONDS", 60.0)  # a busy machine finds them too
    rows = json.loads(json.dumps(run(MiningJob(SMALL, 2, 1, modest=True).split())))

    def kept(fits: bool = True, known: Sequence[FoundProblem] = ()) -> list[FoundProblem]:
        looked, found = mine_problems(
            SMALL, lambda one: fits, lambda jobs: (rows, 0.0), matches=1, known=known
        )
        assert looked == 1
        return found.sorted_problems()

    found = kept()
    assert len(rows[0]["problems"]) == len(found) > 0
    assert all(verify(one.candidate, one) == [] for one in found)
    assert kept(fits=False) == []
    assert kept(known=found) == found


def test_mining_lowers_its_standard_after_a_third() -> None:
    vain = FruitlessWorker()
    assert mine_problems(SPLINE, lambda one: True, vain, seed=5, matches=16)[0] == 16
    # A third of 16 is six matches, done in jobs of four.
    assert vain.asked == [(5, 4, False), (9, 2, False), (11, 4, True), (15, 4, True), (19, 2, True)]


def test_timed_mining_starts_one_job_per_worker() -> None:
    vain = FruitlessWorker()
    # Each pass takes six seconds: after the first, more than a third of the 15 seconds is used up.
    assert mine_problems(SPLINE, lambda one: True, vain, seconds=15.0, parallel_jobs=2)[0] == 24
    assert vain.asked == [
        *((1, 4, False), (5, 4, False)), *((9, 4, True), (13, 4, True)), *((17, 4, True), (21, 4, True)),
    ]  # fmt: skip


def test_aborted_match_has_no_problems(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(candidates, "play_match", lambda game, *_: ([game.start()], []))
    assert MiningJob(SPLINE, 1, 2).run() == [{"number": 1, "problems": []}, {"number": 2, "problems": []}]
