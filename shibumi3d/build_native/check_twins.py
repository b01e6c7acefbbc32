"""Check of a library that stores sets in 128 or 192 bits.

It is run as ``python -m shibumi3d.build_native.check_twins FOLDER PACKAGE``. The library depends on details of the C
code that mypyc generates, so it is compared with plain Python before it is installed. The exit code is 0 if both agree.
"""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from random import Random

from shibumi3d.native import DOUBLE, ENGINE_PACKAGE, TRIPLE, BuildRecord, EngineFinder

CHECKED_SETS = 1000
"""Number of random sets to compare."""
CHECKED_MARBLES = 2000
"""Number of marbles to put on a board or remove from it."""
BOARDS = {DOUBLE: (2, 6), TRIPLE: (3, 7)}
"""Number of words that store a set, and size of the board to compare."""


def main(folder: Path, package: str) -> int:
    """Compare the library that contains ``package`` with plain Python; return 0 if they agree, else 1.

    The library is in ``folder``. The result is also 1 if the library doesn't store sets in the number of bits that
    ``package`` is meant to use: 128 or 192.
    """
    twins = next(each for each in BOARDS if each.package == package)
    word_count, size = BOARDS[twins]
    name = f"{package}.board"
    finder = EngineFinder(folder, BuildRecord((), {}), {twins: BuildRecord((name,), {})})
    sys.meta_path.insert(0, finder)
    compiled, plain = import_module(name), import_module(f"{ENGINE_PACKAGE}.board")
    pyramid = import_module("shibumi3d.rules.marbles.pyramid").get_pyramid(size)
    if not (compiled.USES_128_BIT_SETS if twins is DOUBLE else compiled.USES_192_BIT_SETS):
        return 1
    chance = Random(1)
    for _ in range(CHECKED_SETS):
        mask = chance.getrandbits(chance.randint(1, word_count * compiled.WORD_BITS))
        if compiled.Word(mask).value != mask or compiled.Word(-mask).value != -mask:
            return 1
        if compiled.count_bits(mask) != plain.count_bits(mask):
            return 1
        if compiled.highest_bit(mask) != plain.highest_bit(mask):
            return 1
    boards = [module.Board(0, pyramid, 3, 3) for module in (compiled, plain)]
    for _ in range(CHECKED_MARBLES):
        point, among = chance.randrange(pyramid.point_count), chance.getrandbits(pyramid.point_count)
        results = []
        for board in boards:
            cell, filled = board.cells[point], board.filled
            if board.playable & cell.bit:
                board.put(cell, 0)
            elif filled & cell.bit and not filled & cell.points_above:
                board.remove(cell, 0)
            group = board.find_visible_group(cell.bit, board.filled & among & ~cell.bit)
            contacts = [each.uncut_contacts for each in board.cells]
            results.append(
                (board.filled, board.playable, board.hidden, board.key, group, board.find_pinned(), contacts)
            )
        if results[0] != results[1]:
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2]))
