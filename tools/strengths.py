"""Generator of docs/measurements/strengths.md: each level against the next lower one."""

from __future__ import annotations

import argparse
import json
import re
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING

from shibumi3d.cli.common import (
    CommandError,
    add_command,
    add_seed_option,
    check_player_count,
    find_entry,
    parse_positive,
    read_page,
    user_errors,
)
from shibumi3d.cli.job_runner import add_lab_options, run_from_args
from shibumi3d.files import check_writable, write

if TYPE_CHECKING:
    from shibumi3d.cli.common import Commands
    from shibumi3d.search.arena import SeriesResult

GAMES = (
    "sp-dancers", "spargo", "spight", "spinca", "splice", "sploof", "spone", "sponnect", "spree", "spuds",
)  # fmt: skip
"""Two-player games of different kinds, in which moving first isn't too great an advantage.

They are about lines, chains, groups, scores, captures, moving marbles, and having no move left.
"""
DEFAULT_MATCHES = 40
SHARE_PATTERN = re.compile(r"\d{1,3}%")
"""Pattern for the share of points at the beginning of a table cell."""
MIN_SHARE = 0.65
"""Share of points that each level should win against the next lower one; a draw counts as half a point."""


def register(commands: Commands) -> None:
    """Add the ``strengths`` command."""
    parser = add_command(
        commands, "strengths", run, "play each level against the next lower one, and print the results"
    )
    parser.add_argument(
        "game", metavar="GAME", nargs="*", help="games (default: ten games of different kinds)"
    )
    parser.add_argument(
        "--games",
        type=parse_positive,
        metavar="N",
        default=DEFAULT_MATCHES,
        help=f"matches between each pair of levels (default: {DEFAULT_MATCHES})",
    )
    add_seed_option(parser)
    parser.add_argument(
        "--out",
        type=Path,
        metavar="FILE",
        help="write a page of results to FILE; results of other games already there are kept",
    )
    add_lab_options(parser)
    parser.add_argument("--json", action="store_true", help="print JSON, one line for each pair of levels")


def run(args: argparse.Namespace) -> int:
    """Play each level against the next lower one, and print the results.

    If an output file is given, also write the page of results to it.
    """
    from shibumi3d.lab.jobs import GameText, level_matches, row_to_match
    from shibumi3d.search.arena import sum_up
    from shibumi3d.search.levels import LEVELS

    entries = [find_entry(name) for name in args.game or GAMES]
    for entry in entries:
        check_player_count(entry.game(), 2)
    tables = [(entry.title, GameText.from_entry(entry, seats=2)) for entry in entries]
    table = Page(args.out)
    if args.out is not None:
        with user_errors():
            check_writable(args.out)
    for title, game in tables:
        for matches in level_matches(game, args.seed, args.games):
            upper, lower = matches.players
            rows, seconds = run_from_args(args, matches.split())
            result = sum_up([row_to_match(row) for row in rows], 2)
            if args.json:
                figures = {
                    "game": game.id,
                    "upper": upper,
                    "lower": lower,
                    "games": result.games,
                    "share": result.share,
                }
                print(
                    json.dumps({**figures, "interval": result.interval, "seconds": round(seconds, 1)}),
                    flush=True,
                )
            else:
                print(
                    f"{title:<12}{upper:>9} vs {lower:<9}{format_cell(result)}  {seconds:.0f} s",
                    flush=True,
                )
            table.note(title, upper, result)
        # Write after each game, so that results are kept if the command is interrupted or the disk is full.
        with user_errors():
            table.write([level.name for level in LEVELS])
    return 0


def format_cell(result: SeriesResult) -> str:
    """Return a table cell with the share of points, its confidence interval and the number of matches.

    For example, "62% (46% to 76%; 40)" says that the first player won 62% of the points in 40 matches, and that the 95%
    confidence interval is from 46% to 76%.
    """
    low, high = result.interval
    return f"{result.share:.0%} ({low:.0%} to {high:.0%}; {result.games})"


class Page:
    """Page in the form of docs/measurements/strengths.md: a row for each game, a column for each level.

    If the file at ``path`` exists, it is read, so that results of other games are kept. ``path`` is None if nothing is
    to be written. Raises :class:`CommandError` if the file isn't such a page or has an invalid row.
    """

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self.rows: dict[str, dict[str, str]] = {}
        self.below = ""
        """Sections below the table, which other commands have written and which are kept."""
        if path is not None and path.exists():
            text, heading, rest = read_page(path).partition("\n## ")
            self.below = heading + rest
            if text.strip() and not text.startswith(PAGE.partition("\n")[0]):
                raise CommandError(f"{path} is not a table of strengths; it was left unchanged")
            rows = [_cells(line) for line in text.splitlines() if line.startswith("| ")]
            for title, *cells in rows[2:]:
                if len(cells) != len(rows[0]) - 1 or any(
                    cell and not SHARE_PATTERN.match(cell) for cell in cells
                ):
                    raise CommandError(f"{path} can't be read: the row of '{title}' is invalid")
                self.rows[title] = dict(zip(rows[0][1:], cells, strict=True))

    def note(self, title: str, upper: str, result: SeriesResult) -> None:
        """Store how well level ``upper`` did against the next lower level in the game called ``title``."""
        self.rows.setdefault(title, {})[upper] = format_cell(result)

    def write(self, names: list[str]) -> None:
        """Write the page, or do nothing if its path is None.

        ``names`` are the levels, weakest first.
        """
        if self.path is None:
            return
        table = [f"| game | {' | '.join(names)} |", f"| --- |{' --- |' * len(names)}"]
        for title in sorted(self.rows):
            table.append(f"| {title} | {' | '.join(self.rows[title].get(name, '') for name in names)} |")
        pairs = [
            (title, name, row[name])
            for title, row in self.rows.items()
            for name in names[1:]
            if row.get(name)
        ]
        below: dict[str, list[str]] = {}  # titles of games, by level
        for title, name, cell_text in sorted(pairs, key=lambda pair: (names.index(pair[1]), pair[0])):
            if int(cell_text.partition("%")[0]) < 100 * MIN_SHARE:
                below.setdefault(name, []).append(title)
        verdict = f"In every pairing, the stronger level scores at least {MIN_SHARE:.0%}."
        if below:
            count = sum(map(len, below.values()))
            parts = [f"{name} in {_join(titles)}" for name, titles in below.items()]
            verdict = (
                f"In {count} of the {len(pairs)} pairings, the stronger level scores less than {MIN_SHARE:.0%}: "
                f"{'; '.join(parts)}."
            )
        text = PAGE.format(
            table="\n".join(table),
            verdict=fill(
                f"{verdict} With so few matches, the intervals are wide.", 120, break_on_hyphens=False
            ),
            least=MIN_SHARE,
            met=len(pairs) - sum(map(len, below.values())),
            number=len(pairs),
        )
        write(self.path, text + self.below)


def _cells(line: str) -> list[str]:
    return [part.strip() for part in line.strip().strip("|").split("|")]


def _join(titles: list[str]) -> str:
    return " and ".join(filter(None, [", ".join(titles[:-1]), titles[-1]]))


PAGE = """\
# Strength of the levels

In each game, each level should score at least {least:.0%} against the next lower one. Of the {number} pairings of two
levels in the table, {met} reach this goal.

Each column shows how well a level plays against the next lower one; in the column *pebble*, the opponent moves at
random. Each cell gives the level's share of all wins, where a draw counts as half a win, followed by the 95% interval
and the number of matches. Each match begins with two random turns, and each of these openings is played from both
seats. Each level runs its usual number of simulations per move, without a time limit.

{table}

{verdict}

`python -m tools strengths --out docs/measurements/strengths.md` measures ten games and updates their rows in this
table. To measure other games instead, name them at the end of the command.
"""
