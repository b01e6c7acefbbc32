"""``python -m tools certificates span=1`` proves that a player wins a game for two, and writes what is needed of it.

``… spodd=whole`` writes who wins from wherever a turn begins, of a game with few positions. It takes long with the
engine compiled, and far longer without. Workers of a scheduler must be begun in a checkout.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from shibumi3d.cli.common import Failure, command, entry_of, positive
from shibumi3d.cli.laboratory import add_lab_options, rows_of
from shibumi3d.files import make_folder, write
from shibumi3d.lab.jobs import GameText, Row
from shibumi3d.rules.kinds import USUAL
from shibumi3d.rules.marbles.thinking.certificates import FOLDER, WHOLE, CertificateMaker, name_of, written
from shibumi3d.rules.marbles.thinking.whole import TableMaker, TooMany

if TYPE_CHECKING:
    from shibumi3d.cli.common import Commands

WORK = 400_000_000_000
"""What each proof may cost, as rules count work."""
WINNERS = {"1": 0, "2": 1, "whole": WHOLE}


@dataclass(frozen=True, slots=True)
class Proving:
    """The proof that a seat wins a game for two, or with :data:`WHOLE` who wins from wherever a turn begins."""

    kind: ClassVar[str] = "proving"
    table: GameText
    winner: int
    work: int = WORK

    def rows(self) -> list[Row]:
        """Prove, and return one row: the ``keys`` that are kept, None where it is given up, and what is ``told``."""
        game: Any = self.table.game()
        told: list[str] = []
        if self.winner == WHOLE:
            try:
                maker = TableMaker(game)
                worth = maker.make(self.work)
            except TooMany:
                return [{"keys": None, "told": ["there are too many positions, or too much of them matters"]}]
            told.append(f"the start is {('lost', 'drawn', 'won')[worth + 1]} for whoever begins")
            return [{"keys": sorted(maker.lost), "looked": len(maker.worth), "told": told}]
        proof = CertificateMaker(game, self.winner, told.append)
        proved = proof.make(self.work)
        return [{"keys": sorted(proof.keys) if proved else None, "looked": proof.looked, "told": told}]


def add(commands: Commands) -> None:
    """Add the command."""
    parser = command(
        commands, "certificates", run, "prove who wins games for two, and write what is needed of it"
    )
    parser.add_argument(
        "proof",
        metavar="GAME=WINNER",
        nargs="+",
        help="1 for the first player, 2 for the second, whole for all positions",
    )
    parser.add_argument("--size", type=positive, metavar="N", help="size of the board")
    parser.add_argument("--variant", metavar="NAME", help="variant of the game")
    parser.add_argument(
        "--out", type=Path, metavar="FOLDER", help="a folder (default: where players find them)"
    )
    add_lab_options(parser)


def run(args: argparse.Namespace) -> int:
    """Prove and write; 1 when one is given up."""
    jobs = [_job(args, text) for text in args.proof]
    folder = args.out or Path(str(files("shibumi3d.rules.marbles.thinking"))) / FOLDER
    rows, seconds = rows_of(args, jobs)
    make_folder(folder)
    for job, row in zip(jobs, rows, strict=True):
        game: Any = job.table.game()
        for line in row["told"]:
            print(f"{game.title}: {line}")
        if row["keys"] is None:
            print(f"{game.title}: given up")
            continue
        out = folder / name_of(game)
        write(out, written(job.winner, set(row["keys"])))
        size = out.stat().st_size
        print(f"{game.title}: {row['looked']} positions looked at, {len(row['keys'])} kept, {size} bytes")
    print(f"{seconds:.0f} s of CPU time")
    return 1 if any(row["keys"] is None for row in rows) else 0


def _job(args: argparse.Namespace, text: str) -> Proving:
    """The job of an argument such as ``span=1``."""
    name, _, winner = text.partition("=")
    if winner not in WINNERS:
        raise Failure(f"'{text}' is not GAME=WINNER, with 1, 2 or whole for the winner")
    entry = entry_of(name)
    if entry.kind != USUAL:
        raise Failure(f"{entry.title} is no game of marbles")
    return Proving(GameText.of(entry, seats=2, size=args.size, variant=args.variant), WINNERS[winner])
