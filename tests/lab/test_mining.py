"""Problems that many workers look for make the set that one would make."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest

from shibumi3d.lab.jobs import GameText, Row
from shibumi3d.lab.mining import Mining, mine
from shibumi3d.lab.running import run
from shibumi3d.search.problems import candidates, proofs
from shibumi3d.search.problems.faults import faults
from shibumi3d.search.problems.finding import Finding

SPLINE, SMALL = GameText.of("spline"), GameText.of("spline", size=3)


class Vain:
    """Finds nothing, in three seconds a job, and notes what it was asked for."""

    def __init__(self) -> None:
        self.asked: list[tuple[int, int, bool]] = []

    def __call__(self, jobs: Sequence[Any]) -> tuple[list[Row], float]:
        self.asked += [(job.first, job.count, job.modest) for job in jobs]
        return [{"problems": []} for job in jobs for _ in range(job.count)], 3.0 * len(jobs)


def test_problems_of_a_match_are_proved_ones_and_come_back_from_json(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(proofs, "SECONDS", 60.0)  # a busy machine finds them too
    rows = json.loads(json.dumps(run(Mining(SMALL, 2, 1, modest=True).jobs())))

    def kept(fits: bool = True, known: Sequence[Finding] = ()) -> list[Finding]:
        looked, found = mine(SMALL, lambda one: fits, lambda jobs: (rows, 0.0), matches=1, known=known)
        assert looked == 1
        return found.chosen()

    found = kept()
    assert len(rows[0]["problems"]) == len(found) > 0
    assert all(faults(one.spot, one) == [] for one in found)
    assert kept(fits=False) == []
    assert kept(known=found) == found


def test_of_so_many_matches_a_third_is_looked_at_before_less_is_demanded() -> None:
    vain = Vain()
    assert mine(SPLINE, lambda one: True, vain, seed=5, matches=16)[0] == 16
    # A third of 16 are six matches, in jobs of four.
    assert vain.asked == [(5, 4, False), (9, 2, False), (11, 4, True), (15, 4, True), (19, 2, True)]


def test_in_so_many_seconds_as_many_jobs_are_begun_as_there_are_workers() -> None:
    vain = Vain()
    # Six seconds are spent each time, more than a third of 15 after the first.
    assert mine(SPLINE, lambda one: True, vain, seconds=15.0, at_once=2)[0] == 24
    assert vain.asked == [
        *((1, 4, False), (5, 4, False)), *((9, 4, True), (13, 4, True)), *((17, 4, True), (21, 4, True)),
    ]  # fmt: skip


def test_a_match_that_is_broken_off_has_no_problems(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(candidates, "played", lambda game, *_: ([game.start()], []))
    assert Mining(SPLINE, 1, 2).rows() == [{"number": 1, "problems": []}, {"number": 2, "problems": []}]
