"""Plans: errors are reported with their location, missing jobs are run, and stored rows are reused."""

from __future__ import annotations

import json
import re
from itertools import pairwise
from pathlib import Path

import pytest

from shibumi3d.catalogue.catalogue import load_catalogue
from shibumi3d.cli.main import main
from shibumi3d.lab.jobs import GameText, Judging, Matches
from shibumi3d.lab.plans import Task, read_plan, task_progress, unique_jobs
from shibumi3d.lab.report import report_jobs
from shibumi3d.lab.row_store import RowStore
from shibumi3d.lab.runner import run
from shibumi3d.rules.errors import GameFileError

DOCS = Path(__file__).resolve().parents[2] / "docs"
SMALL = GameText.from_entry("spline", size=3)
PLAN = """\
tasks:
  - {what: selfplay, games: spline, sizes: 3, matches: 600}
  - {what: judge, games: spline, sizes: 3, matches: 5, seeds: [4]}
"""


def tasks(text: str, folder: Path = Path()) -> tuple[Task, ...]:
    return read_plan(text.encode(), folder / "plan.yaml", load_catalogue())


def mistakes(*lines: str) -> list[str]:
    with pytest.raises(GameFileError) as wrong:
        tasks("\n".join(("tasks:", *lines)))
    return [str(problem).removeprefix("plan.yaml:") for problem in wrong.value.problems]


def test_task_covers_every_game_size_and_seed() -> None:
    found = tasks(
        "tasks: [{what: selfplay, games: [spline, splice], sizes: [3, 4], seeds: [1, 2], seats: [2, random], "
        "iterations: 5, matches: 15}]"
    )
    assert [(one.table.id, one.table.size, one.seed) for one in found] == [
        (game, size, seed) for game in ("spline", "splice") for size in (3, 4) for seed in (1, 2)
    ]
    # The jobs are the same as those of the command, so that it finds the results of a plan.
    matches = Matches(SMALL, ("stone", "random"), seed=1, tries=5, count=15)
    assert found[0].jobs == tuple(matches.split())


def test_plan_tasks_match_the_commands() -> None:
    judged, reported = tasks(
        "tasks:\n- {what: judge, games: spline, sizes: 3, matches: 20}\n"
        "- {what: report, games: spline, sizes: 3, matches: 8, openings: false}"
    )
    assert judged.jobs == tuple(Judging(SMALL, count=20).split())
    assert reported.jobs == tuple(report_jobs(SMALL, 0, 8, opening=False))


def test_strengths_task_pairs_adjacent_levels() -> None:
    (one,) = tasks("tasks: [{what: strengths, games: spline, sizes: 3, seeds: 2, matches: 12}]")
    names = ("random", "pebble", "stone", "river", "mountain", "sky")
    pairs = [(upper, lower) for lower, upper in pairwise(names)]
    assert one.jobs == tuple(job for pair in pairs for job in Matches(SMALL, pair, 2, count=12).split())
    # Jobs of one pair are reported together, those of another pair separately.
    assert task_progress([one], None)[0].missing[:2] == (
        {"kind": "matches", "first": 0, "count": 12, "players": ["pebble", "random"]},
        {"kind": "matches", "first": 0, "count": 12, "players": ["stone", "pebble"]},
    )


def test_reports_plan_covers_the_whole_catalogue() -> None:
    found = tasks((DOCS / "measurements" / "reports.yaml").read_text())
    titles = {one.id: one.title for one in load_catalogue()}
    assert {one.table.id for one in found} == set(titles)
    page = (DOCS / "measurements" / "reports.md").read_text(encoding="utf-8")
    listed = {line.split(" | ")[0].removeprefix("| ") for line in page.splitlines() if line.startswith("| ")}
    left = re.search(r"^Not measured: (.*)\.$", page, re.MULTILINE)
    missing = set(left[1].split(", ")) if left is not None else set()
    assert listed - {"game", "---"} | missing == set(titles.values())


def test_relative_paths_start_from_the_plan(tmp_path: Path) -> None:
    (tmp_path / "wider.yaml").write_text("title: Wider\nextends: spline\n")
    (own,) = tasks("tasks: [{what: judge, games: ./wider.yaml, sizes: 5}]", tmp_path)
    assert (own.table.id, own.table.size) == ("wider", 5)


def test_errors_have_line_numbers_and_suggestions() -> None:
    assert mistakes(
        "- {what: selfply, games: spline}",
        "- {what: judge, games: [splne], seats: [stone]}",
        "- {what: judge, games: spline, sizes: [3, 99], matches: many}",
        "- {what: selfplay, games: spline, seats: [stone, pebbl, river], seed: 3}",
        "- {what: report, games: spline, players: 5, openings: maybe}",
        "- {games: spline}",
        "- {what: strengths, games: [spline, spoff], players: 2}",
    ) == [
        "2:10: what: unknown word 'selfply', did you mean 'selfplay'?",
        "3:25: there is no game 'splne', did you mean 'spline'?",
        "3:40: seats: a 'judge' task has no such key",
        "4:43: Spline can't be played on a board of size 99; possible sizes: 3, 4, 5, 6, 7, 8, 10",
        "4:57: matches: expected a whole number from 1 to 1000000",
        "5:42: Spline is for 2 players, not 3",
        "5:50: unknown level 'pebbl': choose pebble, stone, river, mountain, sky, a number from 1 to 5, or random",
        "5:65: plan: tasks 4: unknown key 'seed', did you mean 'seeds'?",
        "6:42: Spline is for 2 players, not 5",
        "6:55: openings: expected true or false",
        "7:3: what: expected text",
        "8:54: players: a 'strengths' task has no such key",
        "8:54: Spoff is for 1 player, not 2",
    ]


def test_file_that_is_not_a_plan_is_refused() -> None:
    for text in ("title: Spline", "[1, 2]", "tasks: spline"):
        with pytest.raises(GameFileError):
            tasks(text)


def test_missing_jobs_are_listed_and_run(tmp_path: Path) -> None:
    plan, store = tasks(PLAN), RowStore(tmp_path / "rows.db")
    played, judged = plan
    run(played.jobs[1:2], store=store)
    first, second = task_progress(plan, store)
    assert (first.done_count, second.done_count) == (1, 0)
    # 600 random matches are split into jobs of at most 250; the middle one is stored.
    assert first.missing == (
        {"kind": "matches", "first": 0, "count": 250},
        {"kind": "matches", "first": 500, "count": 100},
    )
    assert second.missing == ({"kind": "judging", "first": 0, "count": 5},)
    assert task_progress(plan, None)[0].missing == ({"kind": "matches", "first": 0, "count": 600},)
    run(unique_jobs((*plan, judged)), store=store)
    assert [(one.done_count, one.missing) for one in task_progress(plan, store)] == [(3, ()), (1, ())]


def test_results_of_another_version_count_as_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plan, store = tasks(PLAN)[1:], RowStore(tmp_path / "rows.db")
    with monkeypatch.context() as patched:
        patched.setattr("shibumi3d.lab.runner.program_version", lambda: "another")
        run(plan[0].jobs, store=store)
    (one,) = task_progress(plan, store)
    assert (one.done_count, one.outdated_count, len(one.missing)) == (0, 1, 1)


def test_plan_is_run_and_its_status_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "plan.yaml"
    file.write_text(PLAN)
    assert main(["lab", "status", str(file)]) == 0
    output = capsys.readouterr().out
    assert "missing: matches 0–599" in output
    assert "0 of 3 jobs;" in output
    assert "0 of 1 job;" in output
    assert "0 of 4 jobs done in 0 s" in output
    assert not file.with_suffix(".db").exists()
    assert main(["lab", "run", str(file), "--json"]) == 0
    *steps, whole = map(json.loads, capsys.readouterr().out.splitlines())
    assert [step["done"] for step in steps] == [0, 1, 2, 3, 4]
    assert (whole["done"], whole["wanted"]) == (4, 4)
    assert [task["missing"] for task in whole["tasks"]] == [[], []]
    assert main(["lab", "rows", str(file)]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [row["number"] for row in rows] == [*range(600), *range(5)]
    assert rows[0]["job"]["table"]["id"] == "spline"
    # The corresponding command finds all its results in the store.
    base = str(file.with_suffix(".db"))
    assert main(["selfplay", "spline", "--size", "3", "--games", "600", "--store", base, "--json"]) == 0
    assert capsys.readouterr().err == ""


def test_invalid_plan_is_refused_with_its_errors(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "plan.yaml"
    file.write_text("tasks: [{what: judge, games: spline, match: 3}]")
    assert main(["lab", "run", str(file)]) == 1
    assert "plan: tasks 1: unknown key 'match', did you mean 'matches'?" in capsys.readouterr().err
    assert not file.with_suffix(".db").exists()
