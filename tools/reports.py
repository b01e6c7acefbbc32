"""Generator of docs/measurements/reports.md, a table of the main measures of every game."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from shibumi3d.catalogue.catalogue import load_catalogue
from shibumi3d.cli.common import CommandError, add_command, read_page, user_errors
from shibumi3d.cli.job_runner import add_lab_options, run_from_args
from shibumi3d.files import check_writable, write
from shibumi3d.lab.plans import read_plan
from shibumi3d.lab.report import SIMULATIONS, make_report

if TYPE_CHECKING:
    from shibumi3d.cli.common import Commands

DEFAULT_PLAN = Path(__file__).parents[1] / "docs" / "measurements" / "reports.yaml"
MEASURES = ("length", "choices", "forced", "completion", "draws", "seat 1", "drama", "leads", "decided")


def register(commands: Commands) -> None:
    """Add the ``reports`` command."""
    parser = add_command(
        commands, "reports", run, "measure the games of a plan, and write a table of the results"
    )
    parser.add_argument(
        "plan",
        metavar="PLAN",
        nargs="?",
        type=Path,
        default=DEFAULT_PLAN,
        help="plan that lists reports (default: docs/measurements/reports.yaml, with all games)",
    )
    parser.add_argument("--out", type=Path, metavar="FILE", required=True, help="Markdown page to write")
    add_lab_options(parser)


def run(args: argparse.Namespace) -> int:
    """Measure the games of a plan and write a page with a table of the results.

    The page is written again after each game, so that results are kept if the command is interrupted. Return 0. Raises
    CommandError if the plan can't be read or has errors, if ``args.out`` isn't writable at the start, or on reaching a
    task that isn't a report.
    """
    with user_errors():
        check_writable(args.out)
        tasks = read_plan(read_page(args.plan).encode(), args.plan, load_catalogue())
    catalogue = load_catalogue()
    rows: dict[str, str] = {}
    # Kinds other than marbles come last, since they take longest.
    for task in sorted(tasks, key=lambda task: catalogue.get(task.table.id).kind != "marbles"):
        if task.what != "report":
            raise CommandError(f"{args.plan} contains tasks other than reports")
        title = catalogue.get(task.table.id).title
        report = make_report(task.jobs, run_from_args(args, task.jobs)[0])
        rows[title] = format_row(title, report)
        print(rows[title], flush=True)
        # Write after each game, so that results are kept if the command is interrupted.
        _write(args, rows, report, [entry.title for entry in catalogue if entry.title not in rows])
    return 0


def _write(
    args: argparse.Namespace, rows: dict[str, str], last_report: dict[str, Any], missing_titles: list[str]
) -> None:
    missing = f"\nNot measured: {', '.join(missing_titles)}.\n" if missing_titles else ""
    headings = [name if name != "seat 1" else "first seat" for name in MEASURES]
    lines = (
        f"| game | players | {' | '.join(headings)} | skill |",
        f"| --- |{' ---: |' * (len(MEASURES) + 2)}",
        *(rows[title] for title in sorted(rows)),
    )
    match_count = last_report["measures"]["length"]["from"]
    write(
        args.out,
        PAGE.format(
            table="\n".join(lines),
            games=match_count,
            seed=last_report["seed"],
            ways=SIMULATIONS,
            missing=missing,
        ),
    )


def format_row(title: str, report: dict[str, Any]) -> str:
    """Return the row of a game in the Markdown table of measures.

    ``title`` is the game's title, and ``report`` the result of :func:`.make_report`. A cell is empty if the report has
    no value for it.
    """
    cells = [_format_cell(report["measures"].get(name)) for name in MEASURES]
    skill = "" if report["area"] is None else f"{report['area']:+.2f}"
    return f"| {title} | {report['seats']} | {' | '.join(cells)} | {skill} |"


def _format_cell(measure: dict[str, Any] | None) -> str:
    if measure is None:
        return ""
    low, high = measure["interval"]
    if low is None:
        return f"{measure['value']:.2f}"
    return f"{measure['value']:.2f} ± {max(measure['value'] - low, high - measure['value']):.2f}"


PAGE = """\
# Measurements of every game

Each row describes one game. It is based on {games} matches between computer players of equal strength, which run {ways}
simulations per move and play on the default board, with the smallest number of players that the game allows. The number
after ± is the distance from the value to the farther end of its 95% confidence interval. With only {games} matches,
these intervals are wide: small differences between games mean nothing.

{table}
{missing}
- *length*: the average number of turns in a match.
- *choices*: the average number of legal moves that a player could choose from.
- *forced*: the fraction of moves to which there was no alternative.
- *completion*: the fraction of matches that were played to the end.
- *draws*: the fraction of finished matches that nobody won.
- *first seat*: the first player's share of wins. Draws and abandoned matches are split evenly among all players. In a
  solo game, this is the fraction of matches in which the game was solved.
- *drama*: how close the winner came to losing. It is 0 if the winner's chance of winning never fell below 50%, and 1 if
  it fell to 0%.
- *leads*: how often the lead changed during a match, on average. This is measured only in games for two players.
- *decided*: the fraction of the match that was played before the winner's chance of winning reached 75% for good.
- *skill*: how much a player gains from running twice as many simulations as the others. This is the player's share of
  wins minus an even share, averaged over further matches, in which the others run 6, 12, 24 or 48 simulations.

*Drama* and *decided* are based on the winner's own estimates of its chance of winning, one for each of its moves. In
games for two players, the loser's estimates are used as well. *Leads* is based on the estimates of both players:
whoever has a chance above 50% is in the lead.

`python -m tools reports --out docs/measurements/reports.md` writes this page from the plan
[reports.yaml](reports.yaml), with seed {seed}. For a full report on a game, with pictures, run
`shibumi3d lab report GAME --out game.html`: see [the laboratory](../laboratory.md).
"""
