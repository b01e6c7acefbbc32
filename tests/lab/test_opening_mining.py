"""Opening statistics from matches: each first turn begins the same number of matches, and all of them are counted."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from shibumi3d.catalogue.openings import parse_openings
from shibumi3d.cli.main import main
from shibumi3d.lab import openings
from shibumi3d.lab.jobs import GameText
from shibumi3d.lab.openings import OpeningJob
from shibumi3d.lab.runner import run

SPLINE = GameText.from_entry("spline", size=3)


def test_each_first_turn_begins_as_many_matches() -> None:
    job = OpeningJob(SPLINE, (("W@Aa1",), ("W@Ab2",)), count=4)
    rows = json.loads(json.dumps(run(job.split())))
    assert [row["number"] for row in rows] == [0, 1, 2, 3]
    assert [row["moves"][0] for row in rows] == ["W@Aa1", "W@Ab2", "W@Aa1", "W@Ab2"]
    assert all(row["winners"] is not None for row in rows)
    assert run(job.split()) == rows


def test_mined_statistics_count_all_matches(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(openings, "SIMULATIONS", 1)
    out = tmp_path / "openings.yaml"
    assert main(["openings", "mine", "spline", "--out", str(out), "--matches", "6"]) == 0
    assert "6 matches with 3 different first turns, " in capsys.readouterr().out
    statistics = parse_openings(out.read_bytes(), "openings")
    assert [row.matches for row in statistics.turns] == [2, 2, 2]
    assert all(sum(row.wins) + row.draws == 2 for row in statistics.turns)
    assert main(["openings", "mine", "spalone", "--out", str(out)]) == 0
    assert "a solo game has no openings" in capsys.readouterr().out
