"""``shibumi3d lab``: run plans of many matches, show their progress, and create a report page about a game."""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from time import process_time
from typing import TYPE_CHECKING, Any

from shibumi3d import files
from shibumi3d.cli.common import (
    CommandError,
    add_command,
    add_game_options,
    add_players_option,
    add_seed_option,
    open_catalogue,
    parse_positive,
    print_line,
    read_page,
)
from shibumi3d.cli.job_runner import (
    add_lab_options,
    add_store_option,
    localized_failures,
    open_store,
    run_from_args,
    setup_from_args,
)
from shibumi3d.i18n import N_, _, localize, ngettext, pgettext
from shibumi3d.lab.jobs import GameText, Row
from shibumi3d.rules.errors import GameFileError
from shibumi3d.wording import game_title

if TYPE_CHECKING:
    from shibumi3d.cli.common import Commands
    from shibumi3d.lab.plans import Task, TaskProgress
    from shibumi3d.lab.row_store import RowStore
    from shibumi3d.lab.runner import JobProgress


LAB_GAP_TEXTS = {
    "matches": N_("matches"),
    "among": N_("matches with {players}"),
    "judging": N_("matches"),
    "watched": N_("observed matches"),
    "doubled": N_("matches with {ways} simulations per move against twice as many,"),
    "copying": N_("matches with a copying player"),
    "opening": N_("first moves"),
    "mining": N_("matches"),
}

MAX_GAPS_SHOWN = 4
"""Maximum number of gaps that are listed for a task."""


def add_plan_commands(below: Commands) -> None:
    """Add the ``run``, ``status`` and ``rows`` commands."""
    for name, run, text in (
        ("run", run_plan, _("run the missing jobs of a plan")),
        ("status", run_status, _("show how much of a plan is done and what is missing")),
        ("rows", run_rows, _("print the results of a plan so far as lines of JSON, usually one per match")),
    ):
        parser = add_command(below, name, run, text)
        parser.add_argument(
            "plan",
            type=Path,
            metavar=_("PLAN.yaml"),
            help=_("a plan that says which matches of which games to play"),
        )
        (add_lab_options if name == "run" else add_store_option)(parser)
        if name != "rows":
            parser.add_argument("--json", action="store_true", help=_("print the result as JSON"))


def run_plan(args: argparse.Namespace) -> int:
    """Run the missing jobs of a plan and print its progress.

    Jobs that were done only by another version of the program are run again.
    """
    from shibumi3d.lab.plans import unique_jobs

    tasks = _load_tasks(args)
    run_from_args(args, unique_jobs(tasks), _print_progress_json if args.json else None, return_rows=False)
    return _print_status(args, tasks, _open_existing_store(args))


def run_status(args: argparse.Namespace) -> int:
    """Print the progress of a plan."""
    return _print_status(args, _load_tasks(args), _open_existing_store(args))


def run_rows(args: argparse.Namespace) -> int:
    """Print the rows that have been computed for a plan so far, each as one line of JSON.

    Each line also contains the job of its row. Only rows computed by this version of the program are printed. If the
    store doesn't exist, nothing is printed.
    """
    from shibumi3d.lab.jobs import job_to_json
    from shibumi3d.lab.plans import unique_jobs
    from shibumi3d.lab.runner import program_version

    tasks = _load_tasks(args)
    store = _open_existing_store(args)
    if store is None:
        return 0
    for job in unique_jobs(tasks):
        with localized_failures():
            rows = store.load_rows(job, program_version()) or []
        for row in rows:
            print_line(json.dumps({"job": json.loads(job_to_json(job)), **row}, ensure_ascii=False))
    return 0


def _load_tasks(args: argparse.Namespace) -> tuple[Task, ...]:
    """Return the tasks of the plan in the file ``args.plan``.

    If ``args.store`` is None, it is set to the path of a ``.db`` file next to the plan. Raises :class:`.CommandError`
    if the plan can't be read or has errors.
    """
    from shibumi3d.lab.plans import read_plan

    data = read_page(args.plan).encode()
    if args.store is None:
        args.store = args.plan.with_suffix(".db")
    try:
        return read_plan(data, args.plan, open_catalogue())
    except GameFileError as error:
        raise CommandError("\n".join((_("the plan has errors"), localize(error)))) from None


def _open_existing_store(args: argparse.Namespace) -> RowStore | None:
    """Open the row store that ``args.store`` names, or return None if it does not exist."""
    with localized_failures():
        return open_store(args.store) if os.path.exists(args.store) else None


def _print_progress_json(progress: JobProgress) -> None:
    print(json.dumps(asdict(progress)), flush=True)


def _print_status(args: argparse.Namespace, tasks: tuple[Task, ...], store: RowStore | None) -> int:
    from shibumi3d.lab.plans import task_progress

    with localized_failures():
        found = task_progress(tasks, store)
    done, wanted = sum(one.done_count for one in found), sum(len(one.task.jobs) for one in found)
    if args.json:
        tasks_json = [_task_json(one) for one in found]
        print(
            json.dumps(
                {
                    "plan": str(args.plan),
                    "store": str(args.store),
                    "done": done,
                    "wanted": wanted,
                    "tasks": tasks_json,
                }
            )
        )
        return 0
    for one in found:
        print_line(_format_task(one))
    seconds = sum(one.seconds for one in found)
    print_line(
        ngettext(
            "{done} of {n} job done in {seconds} s of CPU time; the results are in {path}",
            "{done} of {n} jobs done in {seconds} s of CPU time; the results are in {path}",
            wanted,
            done=done,
            seconds=f"{seconds:.0f}",
            path=args.store,
        )
    )
    return 0


def _task_json(progress: TaskProgress) -> dict[str, object]:
    task = progress.task
    setup = task.table
    return {
        "what": task.what,
        "game": setup.id,
        "size": setup.size,
        "variant": setup.variant,
        "players": setup.seats,
        "options": dict(setup.options),
        "seed": task.seed,
        "done": progress.done_count,
        "wanted": len(task.jobs),
        "of another version": progress.outdated_count,
        "seconds": round(progress.seconds, 3),
        "missing": list(progress.missing),
    }


def _format_task(progress: TaskProgress) -> str:
    task = progress.task
    setup = task.table
    form = [
        *([_("size {size}", size=setup.size)] if setup.size else []),
        *([setup.variant] if setup.variant else []),
        ngettext("{n} player", "{n} players", setup.seats),
        *(f"{name}={value}" for name, value in setup.options),
        pgettext("terminal", "seed {seed}", seed=task.seed),
    ]
    line = ngettext(
        "{what} {game} ({form}): {done} of {n} job",
        "{what} {game} ({form}): {done} of {n} jobs",
        len(task.jobs),
        what=task.what,
        game=setup.id,
        form=", ".join(form),
        done=progress.done_count,
    )
    gaps = [
        *map(_describe_gap, progress.missing[:MAX_GAPS_SHOWN]),
        *(["…"] if len(progress.missing) > MAX_GAPS_SHOWN else []),
    ]
    if gaps:
        line += _("; missing: {gaps}", gaps=", ".join(gaps))
    if progress.outdated_count:
        line += ngettext(
            "; {n} job was done by another version of the program",
            "; {n} jobs were done by another version of the program",
            progress.outdated_count,
        )
    return line


def _describe_gap(gap: Mapping[str, Any]) -> str:
    """Describe successive jobs that are still missing.

    ``gap`` is one of the entries of ``TaskProgress.missing``. The players and match numbers that it contains are
    included.
    """
    kind = "among" if "players" in gap else gap["kind"]
    players = ", ".join(gap.get("players", ()))
    name = _(LAB_GAP_TEXTS[kind], ways=gap.get("ways", 0), players=players)
    return f"{name} {gap['first']}–{gap['first'] + gap['count'] - 1}" if "first" in gap else name


MATCH_COUNTS = (100, 48, 24, 12)
"""Possible default numbers of matches for a report.

The largest number with which the whole report takes at most :data:`MAX_SECONDS` is used, or else the smallest.
"""
MAX_SECONDS = 540.0
"""CPU time in seconds that a report shouldn't exceed, if the user doesn't set the number of matches."""
REPORT_COST_FACTOR = 2.0
"""Estimated CPU time of a whole report, as a multiple of the time for its observed matches.

The rest of the time is needed for matches between unequal players, mirror play and the values of first moves.
"""
RATE_SECONDS = 0.3
"""CPU time in seconds for measuring how many random matches are played per second."""


def register(commands: Commands) -> None:
    """Add the ``lab`` command."""
    parser = add_command(
        commands, "lab", run, _("play many matches, to write a report about a game or to run a plan")
    )
    below = parser.add_subparsers(title=_("commands"), metavar=_("COMMAND"), required=True)
    parser = add_command(
        below,
        "report",
        run,
        _(
            "write a web page about a game, with measurements, their margins of error, and pictures; the "
            "numbers are also saved as JSON next to the page"
        ),
    )
    parser.add_argument("game", metavar=_("GAME"), help=_("name of a game, or path of a game file"))
    parser.add_argument(
        "--out",
        type=Path,
        required=True,
        metavar=_("OUT"),
        help=_("the page to write, NAME.html; the numbers are saved in NAME.json"),
    )
    parser.add_argument(
        "--games",
        type=parse_positive,
        metavar="N",
        help=_(
            "number of matches between equally strong players; about as many are played between "
            "unequal ones (default: {most}, or fewer if the whole report would take more than {minutes} minutes)",
            most=MATCH_COUNTS[0],
            minutes=round(MAX_SECONDS / 60),
        ),
    )
    add_game_options(parser)
    add_seed_option(parser)
    add_players_option(parser)
    add_lab_options(parser)
    add_plan_commands(below)


def run(args: argparse.Namespace) -> int:
    """Play matches of a game, then write the report as an HTML page and its numbers as a JSON file."""
    from shibumi3d.cli.report import format_report
    from shibumi3d.lab.report import make_report, report_jobs

    if args.out.suffix != ".html":
        raise CommandError(
            _("{path} must end in .html: the numbers are saved next to it in a .json file", path=args.out)
        )
    table = setup_from_args(args)
    jobs = report_jobs(table, args.seed, args.games or _affordable_matches(table, args.seed))
    rows, _unused = run_from_args(args, jobs)
    found = make_report(jobs, rows)
    numbers = args.out.with_suffix(".json")
    title = game_title(table.load_game())
    files.write(
        args.out,
        format_report(
            title, found, _animate_typical_match(table, found), _draw_problems(table), _measure_rate(table)
        ),
    )
    files.write(numbers, json.dumps(found, indent=1, ensure_ascii=False) + "\n")
    print_line(_("saved {page} and {numbers}", page=args.out, numbers=numbers))
    return 0


def _affordable_matches(setup: GameText, seed: int) -> int:
    """Return the largest of :data:`MATCH_COUNTS` with which the report takes at most :data:`MAX_SECONDS`.

    If there is none, return the smallest. The time is estimated from one match.
    """
    from shibumi3d.lab.report import RecordedMatchesJob

    start_time = process_time()
    RecordedMatchesJob(setup, seed, count=1).run()
    each = REPORT_COST_FACTOR * (process_time() - start_time)
    return next((count for count in MATCH_COUNTS if count * each <= MAX_SECONDS), MATCH_COUNTS[-1])


def _animate_typical_match(setup: GameText, report: Row) -> str:
    """Return the typical match of a report as an animated SVG diagram.

    Returns "" if there is no typical match or the game isn't played with marbles.
    """
    from shibumi3d.export.svg import animate_match
    from shibumi3d.match.marbles import has_marbles
    from shibumi3d.match.match import Match

    typical_match = report["match"]
    if typical_match is None:
        return ""
    match = Match(setup.load_game(), ["–"] * setup.seats, typical_match["first seed"])
    if not has_marbles(match):
        return ""
    for move in typical_match["moves"]:
        match.play(move)
    return animate_match(match)


def _draw_problems(setup: GameText) -> str:
    """Return SVG drawings of a game's easiest, median and hardest problems, or of all if there are at most two.

    Returns "" if the game has no problems, no marbles or no catalogue entry, or isn't played in its standard form.
    """
    from shibumi3d.catalogue.problems import load_problems
    from shibumi3d.cli.problems import format_task, match_at_start
    from shibumi3d.export.svg import draw_problems
    from shibumi3d.match.marbles import has_marbles

    entry = open_catalogue().find(setup.id)
    if entry is None or setup != GameText.from_entry(entry):
        return ""
    ranked = sorted(load_problems(setup.id), key=lambda problem: problem.rating)
    chosen = [ranked[0], ranked[len(ranked) // 2], ranked[-1]] if len(ranked) > 2 else ranked
    matches = [(problem, match_at_start(problem, entry)) for problem in chosen]
    return draw_problems(
        [
            (match, str(problem.id), format_task(problem, match))
            for problem, match in matches
            if has_marbles(match)
        ]
    )


def _measure_rate(setup: GameText) -> float:
    """Measure how many random matches are played per second of CPU time."""
    from shibumi3d.lab.jobs import Matches

    count, start_time = 0, process_time()
    while (spent := process_time() - start_time) < RATE_SECONDS:
        count += len(Matches(setup, first=count, count=1).run())
    return count / spent
