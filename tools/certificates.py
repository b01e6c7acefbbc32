"""``python -m tools.certificates span 1`` proves that a player wins a game for two, and writes what somebody
who plays needs of the proof; ``… spodd whole`` writes who wins from wherever a turn begins, of a game with few
positions. It takes long with the engine compiled, and far longer without."""

from __future__ import annotations

import argparse
from importlib.resources import files
from pathlib import Path
from time import process_time
from typing import Any

from shibumi3d.catalogue.catalogue import load
from shibumi3d.files import make_folder, write
from shibumi3d.rules.marbles.thinking.certificates import FOLDER, WHOLE, CertificateMaker, name_of, written
from shibumi3d.rules.marbles.thinking.whole import TableMaker, TooMany

WORK = 400_000_000_000
"""What each proof may cost, as rules count work."""


def main() -> int:
    """Prove and write; 1 when that is given up."""
    parser = argparse.ArgumentParser(prog="python -m tools.certificates", description=__doc__)
    parser.add_argument("game")
    parser.add_argument(
        "winner",
        choices=("1", "2", "whole"),
        help="1 for the first player, 2 for the second, whole for all positions",
    )
    parser.add_argument("--size", type=int)
    parser.add_argument("--variant")
    parser.add_argument("--out", type=Path, help="a file (default: where players find it)")
    args = parser.parse_args()
    entry = load().get(args.game)
    if entry.kind != "marbles":
        raise SystemExit(f"{entry.title} is no game of marbles")
    game: Any = entry.game(size=args.size, variant=args.variant)
    begun = process_time()

    def tell(said: str) -> None:
        print(f"{said}  {process_time() - begun:.0f} s", flush=True)

    if args.winner == "whole":
        try:
            maker = TableMaker(game)
            worth = maker.make(WORK)
        except TooMany:
            raise SystemExit(f"{entry.title} has too many positions, or too much of them matters") from None
        winner, keys, looked = WHOLE, maker.lost, len(maker.worth)
        tell(f"the start is {('lost', 'drawn', 'won')[worth + 1]} for whoever begins")
    else:
        proof = CertificateMaker(game, int(args.winner) - 1, tell)
        if not proof.make(WORK):
            return 1
        winner, keys, looked = proof.walker.winner, proof.keys, proof.looked
    out = args.out or Path(str(files("shibumi3d.rules.marbles.thinking"))) / FOLDER / name_of(game)
    make_folder(out.parent)
    write(out, written(winner, keys))
    tell(f"{looked} positions looked at, {len(keys)} kept, {out.stat().st_size} bytes")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
