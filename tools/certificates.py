"""Prove who wins a two-player game, and store a certificate: ``python -m tools certificates span=1``.

With ``span=replies``, it searches the first few turns of a game that already has a certificate, and stores the turns
that preserve a win of either seat. With ``spodd=whole``, the certificate holds all positions in which the side to move
loses, so that the value of every position is known; this is possible for games with few positions. Proofs take a long
time with the compiled engine, and much longer in plain Python. If a dask scheduler is used, its workers must have been
started in a checkout.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from shibumi3d.cli.common import CommandError, add_command, find_entry, parse_positive
from shibumi3d.cli.job_runner import add_lab_options, run_from_args
from shibumi3d.files import make_folder, write
from shibumi3d.lab.jobs import GameText, Row
from shibumi3d.rules.marbles.search.certificates import (
    ALL_POSITIONS,
    CERTIFICATE_FOLDER,
    CertificateMaker,
    ReplyMaker,
    certificate_file_name,
    encode_certificate,
    replies_file_name,
)
from shibumi3d.rules.marbles.search.position_table import PositionTableMaker, TooManyPositions
from shibumi3d.rules.registry import DEFAULT_KIND

if TYPE_CHECKING:
    from shibumi3d.cli.common import Commands

MAX_WORK = 400_000_000_000
"""Maximum cost of each proof, in the work units of the rules."""
REPLIES = 3
WINNERS = {"1": 0, "2": 1, "whole": ALL_POSITIONS, "replies": REPLIES}


@dataclass(frozen=True, slots=True)
class ProofJob:
    """Job that proves a win for the seat ``winner`` in a two-player game.

    If ``winner`` is :data:`ALL_POSITIONS`, the job solves the whole game instead, and finds all positions in which the
    side to move loses. If ``winner`` is :data:`REPLIES`, the job looks at the positions reached in the first ``turns``
    turns. If the seat to move has a win that a computer player wouldn't find by itself, the job collects the position
    after a turn that preserves this win.

    ``work`` is the maximum cost of each proof, or of solving the whole game, in the work units of the rules.
    """

    kind: ClassVar[str] = "proving"
    table: GameText
    winner: int
    work: int = MAX_WORK
    turns: int = 0

    def run(self) -> list[Row]:
        """Search for the proof and return one row.

        In this row, ``keys`` is the list of the keys of the positions to store, or None if nothing was proved.
        ``messages`` is a list of lines to print. ``looked`` is the number of positions searched. It is missing if the
        whole game couldn't be solved as requested: either its rules don't allow that, or it takes more than ``work``.
        """
        game: Any = self.table.load_game()
        messages: list[str] = []
        if self.winner == ALL_POSITIONS:
            try:
                maker = PositionTableMaker(game)
                value = maker.make(self.work)
            except TooManyPositions:
                return [
                    {
                        "keys": None,
                        "messages": ["too many positions, or too many details of a position matter"],
                    }
                ]
            messages.append(f"the start is {('lost', 'drawn', 'won')[value + 1]} for whoever begins")
            return [{"keys": sorted(maker.lost_keys), "looked": len(maker.values), "messages": messages}]
        if self.winner == REPLIES:
            replies = ReplyMaker(game, messages.append)
            replies.collect(self.turns, self.work)
            return [{"keys": sorted(replies.keys), "looked": replies.positions_visited, "messages": messages}]
        proof = CertificateMaker(game, self.winner, messages.append)
        is_proved = proof.collect_proof(self.work)
        return [
            {
                "keys": sorted(proof.keys) if is_proved else None,
                "looked": proof.positions_searched,
                "messages": messages,
            }
        ]


def register(commands: Commands) -> None:
    """Add the ``certificates`` command."""
    parser = add_command(
        commands, "certificates", run, "prove who wins two-player games, and write certificates of the proofs"
    )
    parser.add_argument(
        "proof",
        metavar="GAME=WINNER",
        nargs="+",
        help="1 to prove a win for the first player, 2 for the second, whole to solve all positions, replies to store "
        "the turns that keep the wins of both players in the first turns",
    )
    parser.add_argument(
        "--turns",
        type=parse_positive,
        metavar="N",
        default=4,
        help="for replies: how many turns may have been played before (default: 4)",
    )
    parser.add_argument("--size", type=parse_positive, metavar="N", help="board size")
    parser.add_argument("--variant", metavar="NAME", help="variant of the game")
    parser.add_argument(
        "--out",
        type=Path,
        metavar="FOLDER",
        help="folder for the certificates (default: that of the program)",
    )
    add_lab_options(parser)


def run(args: argparse.Namespace) -> int:
    """Search for each proof or set of replies named on the command line, and write what is found.

    A proof is written as a certificate, and replies are written to a file of their own. The results are also printed.
    Return 1 if any proof wasn't found, else 0.
    """
    jobs = [_parse_job(args, text) for text in args.proof]
    folder = args.out or Path(str(files("shibumi3d.rules.marbles.search"))) / CERTIFICATE_FOLDER
    rows, seconds = run_from_args(args, jobs)
    make_folder(folder)
    for job, row in zip(jobs, rows, strict=True):
        game: Any = job.table.load_game()
        for line in row["messages"]:
            print(f"{game.title}: {line}")
        if row["keys"] is None:
            print(f"{game.title}: no proof found")
            continue
        is_replies = job.winner == REPLIES
        out = folder / (replies_file_name(game) if is_replies else certificate_file_name(game))
        write(out, encode_certificate(ALL_POSITIONS if is_replies else job.winner, set(row["keys"])))
        size = out.stat().st_size
        print(f"{game.title}: {row['looked']} positions searched, {len(row['keys'])} stored, {size} bytes")
    print(f"{seconds:.0f} s of CPU time")
    return 1 if any(row["keys"] is None for row in rows) else 0


def _parse_job(args: argparse.Namespace, text: str) -> ProofJob:
    """Return the job for an argument such as ``span=1``.

    ``text`` is the argument, and ``args`` holds the options of the command, such as the size and the variant. Raises
    CommandError if the argument isn't of the form GAME=WINNER or if the game isn't a marble game. Raises the same
    errors as :func:`find_entry` if the game can't be loaded. Raises ValueError if the game doesn't have that size or
    variant, or isn't for two players.
    """
    name, _, winner = text.partition("=")
    if winner not in WINNERS:
        raise CommandError(f"'{text}' is not of the form GAME=WINNER, where WINNER is 1, 2, whole or replies")
    entry = find_entry(name)
    if entry.kind != DEFAULT_KIND:
        raise CommandError(f"{entry.title} is not a marble game")
    return ProofJob(
        GameText.from_entry(entry, seats=2, size=args.size, variant=args.variant),
        WINNERS[winner],
        turns=args.turns,
    )
