"""Mining of deals: mined deals can be proved again, and no deal is added to a ladder twice."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from shibumi3d.catalogue.catalogue import load_catalogue
from shibumi3d.catalogue.notation import format_turns
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
    monkeypatch.setattr(solo, "measure_success_percentage", lambda game, state, best, strength: 50)


def row(line: str, *, seed: int = 1, lead: str = "") -> Row:
    start = {"seed": seed, "position": "", "lead": lead}
    return {**start, "line": line, "best": None, "work": 1, "level": 1, "won": {}, "only": 0}


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

    def answer(jobs: Sequence[Any]) -> tuple[list[Row], float]:
        seeds = (known.seed, known.seed + 777)
        return [{"number": seed, "deal": row("Aa1 xAa4", seed=seed)} for seed in seeds], 1.0

    mine_ladder(builder, answer, deals=1)
    assert [deal.seed for deal in builder.deals] == [known.seed, known.seed + 777]


def test_seed_makes_no_new_deal_where_nothing_is_random() -> None:
    spin = load_catalogue().get("spin")
    builder = LadderBuilder(spin, "abc")

    def answer(jobs: Sequence[Any]) -> tuple[list[Row], float]:
        return [{"number": seed, "deal": row("W@Aa1", seed=seed)} for seed in (1, 2)], 1.0

    mine_ladder(builder, answer, deals=1)
    assert [deal.seed for deal in builder.deals] == [1]


def test_reflection_of_a_deal_is_no_new_deal() -> None:
    builder = LadderBuilder(load_catalogue().get("spuzzle"), "abc")
    leads = ("W@Aa1, B@Ab1", "W@Ac3, B@Ac2", "W@Ac3, B@Ab1")

    def answer(jobs: Sequence[Any]) -> tuple[list[Row], float]:
        return [{"number": n, "deal": row("W@Ab2", lead=lead)} for n, lead in enumerate(leads)], 1.0

    mine_ladder(builder, answer, deals=1)
    boards = [deal.position.boards[0].split("/")[0] for deal in builder.deals if deal.position is not None]
    assert boards == ["...,...,WB.", "..W,...,.B."]


def test_deal_may_begin_some_turns_before_the_end_of_a_proved_line() -> None:
    job = SoloMiningJob(GameText.from_entry("spin"), lead=2, turns_left=5, first=1, count=3)
    found = [row["deal"] for row in job.run() if row["deal"] is not None]
    assert found
    assert {len(deal["line"].split(", ")) for deal in found} == {5}


def test_variations_of_known_deals_are_tried() -> None:
    """A variation has the same seed as a deal of the ladder, but other moves lead to its start."""
    known = [deal for deal in load_ladder("spoff") if deal.level >= 4]
    builder = LadderBuilder(SPOFF, known[0].rules, known)
    bases: list[str] = []

    def remember(jobs: Sequence[Any]) -> tuple[list[Row], float]:
        bases.extend(job.bases for job in jobs if job.bases)
        return [{"number": 0, "deal": None}], 1.0

    mine_ladder(builder, remember, deals=40)
    job = SoloMiningJob(GameText.from_entry("spoff"), bases=bases[0], count=4)
    rows = [row["deal"] for row in job.run() if row["deal"] is not None]
    assert rows
    assert {deal["seed"] for deal in rows} <= {deal.seed for deal in known}
    assert not {deal["lead"] for deal in rows} & {format_turns(deal.moves) for deal in known}


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
    assert "Spoff: 2 deals saved (2 + 0 + 0 + 0 + 0); 2 tried" in capsys.readouterr().out
    assert main(["solo", "check", str(out)]) == 0
    assert "2 deals checked, 0 wrong" in capsys.readouterr().out
    text = out.read_text(encoding="utf-8")
    out.write_text(text.replace(text.splitlines()[0], 'rules: "0"'), encoding="utf-8")
    assert main(["solo", "check", str(out)]) == 1
    assert "Spoff 1: the rules have changed." in capsys.readouterr().out
    assert main(["solo", "mine", "spline", "--out", str(out)]) == 1
    assert "Spline is not a solo game" in capsys.readouterr().err
