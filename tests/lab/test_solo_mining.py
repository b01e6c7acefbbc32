"""Deals mined by workers form a ladder of increasing difficulty, which can be proved again."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from shibumi3d.catalogue.catalogue import load_catalogue
from shibumi3d.catalogue.solo import load_ladder
from shibumi3d.cli.main import main
from shibumi3d.lab.jobs import GameText, Row
from shibumi3d.lab.runner import run
from shibumi3d.lab.solo_mining import (
    MAX_FRUITLESS_DEALS,
    LadderBuilder,
    SoloMiningJob,
    check_jobs,
    mine_ladder,
)
from shibumi3d.search import solo

SPOFF = load_catalogue().get("spoff")


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solo, "measure_share", lambda game, state, best, strength: 50)


def test_mined_deal_is_proved_and_survives_json() -> None:
    job = SoloMiningJob(GameText.from_entry("spoff"), lead=10, first=1, count=3)
    rows = json.loads(json.dumps(run(job.split())))
    found = [row for row in rows if row["deal"] is not None]
    assert [row["number"] for row in rows] == [1, 2, 3]
    assert found
    builder = LadderBuilder(SPOFF, "abc")

    def answer(jobs: Sequence[Any]) -> tuple[list[Row], float]:
        return (rows, 1.0) if jobs[0].lead == 0 else ([{"number": 0, "deal": None}], 1.0)

    mine_ladder(builder, answer, deals=len(rows))
    assert [deal.seed for deal in builder.deals] == [row["number"] for row in found]
    assert {(deal.level, deal.rules) for deal in builder.deals} == {(1, "abc")}
    checked = run(check_jobs(SPOFF, builder.deals, "abc"))
    assert [row["faults"] for row in checked] == [[]] * len(found)


def test_deal_with_a_wrong_line_is_reported() -> None:
    deal = load_ladder("spoff")[0]
    wrong = replace(deal, line=deal.line[:-1])
    assert [row["faults"] for row in run(check_jobs(SPOFF, [wrong], deal.rules))] == [["line"]]


def test_same_deal_is_not_added_twice() -> None:
    known = next(deal for deal in load_ladder("spoff") if not deal.lead)
    builder = LadderBuilder(SPOFF, known.rules, [known])
    found = {"lead": "", "line": "Aa1 xAa4", "best": None, "work": 1, "level": 1, "won": {}, "only": 0}

    def answer(jobs: Sequence[Any]) -> tuple[list[Row], float]:
        return [{"number": seed, "deal": found} for seed in (known.seed, known.seed + 777)], 1.0

    mine_ladder(builder, answer, deals=1)
    assert [deal.seed for deal in builder.deals] == [known.seed, known.seed + 777]


def test_seed_makes_no_new_deal_where_nothing_is_random() -> None:
    spin = load_catalogue().get("spin")
    builder = LadderBuilder(spin, "abc")
    found = {"lead": "", "line": "W@Aa1", "best": None, "work": 1, "level": 1, "won": {}, "only": 0}

    def answer(jobs: Sequence[Any]) -> tuple[list[Row], float]:
        return [{"number": seed, "deal": found} for seed in (1, 2)], 1.0

    mine_ladder(builder, answer, deals=1)
    assert [deal.seed for deal in builder.deals] == [1]


def test_fruitless_forms_are_given_up() -> None:
    asked: list[int] = []

    def nothing(jobs: Sequence[Any]) -> tuple[list[Row], float]:
        asked.extend(job.count for job in jobs)
        return [{"number": n, "deal": None} for job in jobs for n in range(job.count)], 0.0

    tried, _ = mine_ladder(LadderBuilder(SPOFF, "abc"), nothing, seconds=1e9)
    assert tried == sum(asked)
    assert tried >= MAX_FRUITLESS_DEALS


def test_solo_commands_mine_and_check(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "spoff.yaml"
    assert main(["solo", "mine", "spoff", "--out", str(out), "--deals", "2"]) == 0
    assert "Spoff: 2 deals (2 + 0 + 0 + 0 + 0) after 2 tried" in capsys.readouterr().out
    assert main(["solo", "check", str(out)]) == 0
    assert "2 deals checked, 0 wrong" in capsys.readouterr().out
    text = out.read_text(encoding="utf-8")
    out.write_text(text.replace(text.splitlines()[0], 'rules: "0"'), encoding="utf-8")
    assert main(["solo", "check", str(out)]) == 1
    assert "Spoff 1: the rules have changed." in capsys.readouterr().out
    assert main(["solo", "mine", "spline", "--out", str(out)]) == 1
    assert "Spline is not a solo game" in capsys.readouterr().err
