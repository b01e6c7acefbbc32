"""``python -m tools reports``: the main measures of every game in one table, as the page docs/reports.md."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from shibumi3d.catalogue.catalogue import load
from shibumi3d.cli.common import add_seed_option, command, plain_failures, positive
from shibumi3d.cli.lab import measured
from shibumi3d.cli.laboratory import add_lab_options
from shibumi3d.files import writable, write
from shibumi3d.lab.jobs import GameText
from shibumi3d.lab.watching import WAYS

if TYPE_CHECKING:
    from shibumi3d.cli.common import Commands

GAMES = 40
HEADS = ("length", "choices", "forced", "completion", "draws", "seat 1", "drama", "leads", "decided")


def add(commands: Commands) -> None:
    """Add the command."""
    parser = command(commands, "reports", run, "measure every game, and write a table of them")
    parser.add_argument(
        "game", metavar="GAME", nargs="*", help="games (default: all that came with the program)"
    )
    parser.add_argument(
        "--games", type=positive, metavar="N", default=GAMES, help=f"matches (default {GAMES})"
    )
    parser.add_argument("--out", type=Path, metavar="FILE", required=True, help="the page")
    add_seed_option(parser, 1)
    add_lab_options(parser)


def run(args: argparse.Namespace) -> int:
    """Measure and write."""
    with plain_failures():
        writable(args.out)
    catalogue = load()
    entries = [catalogue.get(name) for name in args.game] or list(catalogue)
    rows: dict[str, str] = {}
    # The tables of other kinds take longest.
    for entry in sorted(entries, key=lambda entry: entry.kind != "marbles"):
        rows[entry.title] = row(entry.title, measured(args, GameText.of(entry), opening=False))
        print(rows[entry.title], flush=True)
        # Whoever stops it has what was measured before.
        _write(args, rows, [one.title for one in catalogue if one.title not in rows])
    return 0


def _write(args: argparse.Namespace, found: dict[str, str], left: list[str]) -> None:
    rows = [found[title] for title in sorted(found)]
    missing = f"\nNot measured: {', '.join(left)}.\n" if left else ""
    heads = [name if name != "seat 1" else "first seat" for name in HEADS]
    lines = (
        f"| game | players | {' | '.join(heads)} | skill |", f"| --- |{' ---: |' * (len(HEADS) + 2)}", *rows
    )  # fmt: skip
    write(
        args.out,
        PAGE.format(table="\n".join(lines), games=args.games, seed=args.seed, ways=WAYS, missing=missing),
    )


def row(title: str, found: dict[str, Any]) -> str:
    """Return the line of a game."""
    cells = [_cell(found["measures"].get(name)) for name in HEADS]
    skill = "" if found["area"] is None else f"{found['area']:+.2f}"
    return f"| {title} | {found['seats']} | {' | '.join(cells)} | {skill} |"


def _cell(one: dict[str, Any] | None) -> str:
    if one is None:
        return ""
    low, high = one["interval"]
    if low is None:
        return f"{one['value']:.2f}"
    return f"{one['value']:.2f} ± {max(one['value'] - low, high - one['value']):.2f}"


PAGE = """\
# The games in figures

Each row tells of {games} matches of a game between computers of one strength, which look at {ways} ways on for a
choice, with the fewest players it takes and the usual board. After ± stands the wider side of where the figure lies
with 95 %, from match to match. {games} matches are few: a difference within these bounds tells nothing.

{table}
{missing}
- *length*: turns of a match. *choices*: moves open, the mean of each match. *forced*: part of choices with one move.
- *completion*: part of matches that ended; *draws*: part of those that nobody won; *first seat*: its share of wins, a
  draw or a match given up shared by all (of a solo game: how often it was solved).
- With h, what the later winner could hope for from 0 to 1 in its own eyes, or by what the only other one hoped for:
  *drama*: the greatest max(0, 1/2 − h) / (1/2) of a match; *leads*: how often h passed 1/2; *decided*: the part of all
  turns before h stayed at 3/4 or more.
- *skill*: how much more than an even share a seat takes that looks at twice as many ways on, the mean of 6, 12, 24, 48.

Made by `python -m tools reports --games {games} --seed {seed} --out docs/reports.md`. `shibumi3d lab report GAME --out
game.html` writes a whole page on a game, with pictures: [the laboratory](laboratory.md).
"""
