"""``shibumi3d lab run``, ``status`` and ``rows``: run a plan, and show its progress and results."""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from shibumi3d.cli.common import Failure, catalogue, command, page, say
from shibumi3d.cli.laboratory import add_lab_options, add_store_option, open_store, refusals, rows_of
from shibumi3d.i18n import N_, _, localize, ngettext, pgettext
from shibumi3d.rules.errors import GameFileError

if TYPE_CHECKING:
    from shibumi3d.cli.common import Commands
    from shibumi3d.lab.plans import Gaps, Task
    from shibumi3d.lab.running import Advance
    from shibumi3d.lab.store import RowStore

LAB_GAP_TEXTS = {
    "matches": N_("matches"),
    "among": N_("matches with {players}"),
    "judging": N_("matches"),
    "watched": N_("observed matches"),
    "doubled": N_("matches with {ways} simulations against twice as many"),
    "copying": N_("matches with copying"),
    "opening": N_("first moves"),
    "mining": N_("matches"),
}

SHOWN = 4
"""Maximum number of gaps that are listed for a task."""


def add(below: Commands) -> None:
    """Add the ``run``, ``status`` and ``rows`` commands."""
    for name, run, text in (
        ("run", run_plan, _("run the missing jobs of a plan")),
        ("status", run_status, _("show how much of a plan is done and what is missing")),
        ("rows", run_rows, _("print the results of a plan so far, one line of JSON each")),
    ):
        parser = command(below, name, run, text)
        parser.add_argument(
            "plan",
            type=Path,
            metavar=_("PLAN.yaml"),
            help=_("a plan: which matches to play, of which games"),
        )
        (add_lab_options if name == "run" else add_store_option)(parser)
        if name != "rows":
            parser.add_argument("--json", action="store_true", help=_("print JSON"))


def run_plan(args: argparse.Namespace) -> int:
    """Run the jobs of a plan that have not been done yet."""
    from shibumi3d.lab.plans import jobs_of

    tasks = _tasks(args)
    rows_of(args, jobs_of(tasks), _tell if args.json else None, wanted=False)
    return _show(args, tasks, _store(args))


def run_status(args: argparse.Namespace) -> int:
    """Print the progress of a plan."""
    return _show(args, _tasks(args), _store(args))


def run_rows(args: argparse.Namespace) -> int:
    """Print the rows computed so far as JSON, one per line."""
    from shibumi3d.lab.jobs import told as named
    from shibumi3d.lab.plans import jobs_of
    from shibumi3d.lab.running import program

    tasks = _tasks(args)
    store = _store(args)
    if store is None:
        return 0
    for job in jobs_of(tasks):
        with refusals():
            rows = store.rows(job, program()) or []
        for row in rows:
            say(json.dumps({"job": json.loads(named(job)), **row}, ensure_ascii=False))
    return 0


def _tasks(args: argparse.Namespace) -> tuple[Task, ...]:
    """Read the tasks of a plan.

    Unless an option names the file for their rows, set it to a file next to the plan.
    """
    from shibumi3d.lab.plans import read_plan

    data = page(args.plan).encode()
    if args.store is None:
        args.store = args.plan.with_suffix(".db")
    try:
        return read_plan(data, args.plan, catalogue())
    except GameFileError as error:
        raise Failure("\n".join((_("the plan has errors"), localize(error)))) from None


def _store(args: argparse.Namespace) -> RowStore | None:
    """Open the store of rows, or return None if it does not exist."""
    with refusals():
        return open_store(args.store) if os.path.exists(args.store) else None


def _tell(progress: Advance) -> None:
    """Print the progress as a line of JSON."""
    print(json.dumps(asdict(progress)), flush=True)


def _show(args: argparse.Namespace, tasks: tuple[Task, ...], store: RowStore | None) -> int:
    """Print the progress of each task and of the whole plan."""
    from shibumi3d.lab.plans import gaps_of

    with refusals():
        found = gaps_of(tasks, store)
    done, wanted = sum(one.done for one in found), sum(len(one.task.jobs) for one in found)
    if args.json:
        tasks_told = [_plain(one) for one in found]
        print(
            json.dumps(
                {
                    "plan": str(args.plan),
                    "store": str(args.store),
                    "done": done,
                    "wanted": wanted,
                    "tasks": tasks_told,
                }
            )
        )
        return 0
    for one in found:
        say(_line(one))
    seconds = sum(one.seconds for one in found)
    say(
        _(
            "{done} of {wanted} jobs are done, in {seconds} s of CPU time; the results are in {path}",
            done=done,
            wanted=wanted,
            seconds=f"{seconds:.0f}",
            path=args.store,
        )
    )
    return 0


def _plain(one: Gaps) -> dict[str, Any]:
    task = one.task
    table = task.table
    return {
        "what": task.what,
        "game": table.id,
        "size": table.size,
        "variant": table.variant,
        "players": table.seats,
        "options": dict(table.options),
        "seed": task.seed,
        "done": one.done,
        "wanted": len(task.jobs),
        "of another version": one.others,
        "seconds": round(one.seconds, 3),
        "missing": list(one.missing),
    }


def _line(one: Gaps) -> str:
    """Format a task as a line with its description, its progress and what is missing."""
    task = one.task
    table = task.table
    form = [
        *([_("size {size}", size=table.size)] if table.size else []),
        *([table.variant] if table.variant else []),
        ngettext("{n} player", "{n} players", table.seats),
        *(f"{name}={value}" for name, value in table.options),
        pgettext("terminal", "seed {seed}", seed=task.seed),
    ]
    line = _(
        "{what} {game} ({form}): {done} of {wanted} jobs",
        what=task.what,
        game=table.id,
        form=", ".join(form),
        done=one.done,
        wanted=len(task.jobs),
    )
    gaps = [*map(_gap, one.missing[:SHOWN]), *(["…"] if len(one.missing) > SHOWN else [])]
    if gaps:
        line += _("; missing: {gaps}", gaps=", ".join(gaps))
    if one.others:
        line += ngettext(
            "; {n} job was done by another version", "; {n} jobs were done by another version", one.others
        )
    return line


def _gap(one: Mapping[str, Any]) -> str:
    """Describe a gap: the kind of job and the range of matches that are missing."""
    kind = "among" if "players" in one else one["kind"]
    players = ", ".join(one.get("players", ()))
    name = _(LAB_GAP_TEXTS[kind], ways=one.get("ways", 0), players=players)
    return f"{name} {one['first']}–{one['first'] + one['count'] - 1}" if "first" in one else name
