"""``shibumi3d solo``: find, prove and grade deals of solo games, and check them again."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from shibumi3d import files
from shibumi3d.cli.common import CommandError, add_command, find_entry, parse_positive, print_line
from shibumi3d.cli.job_runner import (
    add_lab_options,
    add_mining_options,
    job_runner,
    mine_games,
    parallel_job_count,
)
from shibumi3d.i18n import N_, _, ngettext
from shibumi3d.search.solo import PROOF_MOVES
from shibumi3d.wording import game_title

if TYPE_CHECKING:
    from shibumi3d.catalogue.schema import Entry
    from shibumi3d.catalogue.solo import SoloDeal
    from shibumi3d.cli.common import Commands
    from shibumi3d.cli.job_runner import RunJobs
    from shibumi3d.lab.jobs import Job, Row

FAULT_TEXTS = {
    "moves": N_("its moves can't be played"),
    "line": N_("its moves lead neither to a win nor to the best score"),
    "best": N_("a higher score is possible"),
    "open": N_("the proof couldn't be completed within the limit"),
    "rules": N_("the rules have changed"),
}
MAX_FILE_BYTES = 1024 * 1024
"""Maximum size in bytes of a ladder."""


def register(commands: Commands) -> None:
    """Add the ``solo`` command."""
    parser = add_command(
        commands,
        "solo",
        run_mine,
        _("find, prove and grade deals of solo games, and check them again"),
    )
    below = parser.add_subparsers(title=_("commands"), metavar=_("COMMAND"), required=True)
    mine = add_command(below, "mine", run_mine, _("find deals that can be won, and grade them"))
    add_mining_options(mine, _("file to write, or a folder for several games; deals already in it are kept"))
    mine.add_argument(
        "--deals",
        type=parse_positive,
        metavar="N",
        help=_("number of deals to try for each game, instead of a time limit"),
    )
    mine.add_argument(
        "--work",
        type=parse_positive,
        default=PROOF_MOVES,
        metavar="N",
        help=_("maximum number of moves to try for a proof (default: {work})", work=PROOF_MOVES),
    )
    check = add_command(below, "check", run_check, _("repeat the proofs of all deals of a ladder"))
    check.add_argument(
        "file",
        metavar=_("FILE"),
        type=Path,
        nargs="+",
        help=_("a ladder, in a file named after its game"),
    )
    check.add_argument(
        "--first", type=parse_positive, metavar="N", help=_("check only the first N deals of each level")
    )
    add_lab_options(check)


def run_mine(args: argparse.Namespace) -> int:
    """Search for deals of solo games and write them to a ladder file or, for several games, to a folder."""
    return mine_games(args, _mine_game)


def _mine_game(args: argparse.Namespace, entry: Entry, out: Path, run_jobs: RunJobs) -> str:
    """Search for deals of one game, write its ladder to the file ``out`` and return a summary.

    Deals already in ``out`` are kept, unless the rules have changed. The file is written after each batch of jobs, but
    not while the ladder is empty. Raises :class:`CommandError` if the game isn't a solo game.
    """
    from shibumi3d.catalogue.problems import rules_hash
    from shibumi3d.catalogue.solo import LEVELS, format_ladder_file
    from shibumi3d.lab.solo_mining import LadderBuilder, mine_ladder

    if entry.players[0] != 1 or not entry.game().facts(1).solver:
        raise CommandError(_("{game} is not a solo game", game=game_title(entry)))
    rules = rules_hash(entry)
    old = [deal for deal in _read_ladder(out, entry.id) if deal.rules == rules] if out.is_file() else []
    builder = LadderBuilder(entry, rules, old)

    def write() -> None:
        if builder.deals:
            files.write(out, format_ladder_file(rules, builder.deals))

    def run_and_write(jobs: Sequence[Job]) -> tuple[list[Row], float]:
        found = run_jobs(jobs)
        write()
        return found

    limit = {
        "deals": args.deals,
        "seconds": args.seconds,
        "max_moves": args.work,
        "parallel_jobs": parallel_job_count(args),
    }
    tried, spent = mine_ladder(builder, run_and_write, seed=args.seed, **limit)
    write()
    counts = Counter(deal.level for deal in builder.deals)
    return ngettext(
        "{game}: {n} deal saved ({levels}); {tried} tried in {seconds} s.",
        "{game}: {n} deals saved ({levels}); {tried} tried in {seconds} s.",
        len(builder.deals),
        game=game_title(entry),
        levels=" + ".join(str(counts[level]) for level in LEVELS),
        tried=tried,
        seconds=f"{spent:.0f}",
    )


def _read_ladder(file: Path, game: str) -> tuple[SoloDeal, ...]:
    from shibumi3d.catalogue.solo import parse_ladder_file

    return parse_ladder_file(files.read(file, MAX_FILE_BYTES), str(file), game)


def run_check(args: argparse.Namespace) -> int:
    """Prove the deals in the given files again, and print the faults and a summary.

    With ``--first N``, only the first N deals of each level are checked. If the rules of the game have changed since a
    deal was found, the deal isn't proved again but counts as a fault. Returns 1 if there are any faults, else 0.
    """
    from shibumi3d.catalogue.problems import rules_hash
    from shibumi3d.catalogue.solo import LEVELS
    from shibumi3d.lab.solo_mining import check_jobs

    wrong = checked = 0
    spent = 0.0
    with job_runner(args) as run_jobs:
        for file in args.file:
            entry = find_entry(file.name.removesuffix(".yaml"))
            deals, rules = _read_ladder(file, entry.id), rules_hash(entry)
            if args.first:
                levels = ([deal for deal in deals if deal.level == level][: args.first] for level in LEVELS)
                deals = tuple(deal for part in levels for deal in part)
            current = [deal for deal in deals if deal.rules == rules]
            rows, seconds = run_jobs(list(check_jobs(entry, current, rules)))
            faults = {row["id"]: row["faults"] for row in rows}
            for deal in deals:
                for key in faults.get(deal.id, ["rules"]):
                    wrong += 1
                    reason = _(FAULT_TEXTS[key])
                    print_line(
                        _("{game} {number}: {reason}.", game=game_title(entry), number=deal.id, reason=reason)
                    )
            checked, spent = checked + len(deals), spent + seconds
    print_line(
        ngettext(
            "{n} deal checked, {wrong} wrong, {seconds} s.",
            "{n} deals checked, {wrong} wrong, {seconds} s.",
            checked,
            wrong=wrong,
            seconds=f"{spent:.0f}",
        )
    )
    return 1 if wrong else 0
