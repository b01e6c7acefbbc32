"""The game of the catalogue without jokers: ``python -m tests.search.clashes`` solves it and tells the mix."""

from __future__ import annotations

import shibumi3d
from shibumi3d.search.clashes import Clashes

if __name__ == "__main__":
    table = shibumi3d.game("golden-spiral").table
    clashes = Clashes(table)
    opening = (table.medals, 0, table.medals, 0)
    mix = clashes.mix(opening)
    told = ", ".join(f"{number}: {often:.1%}" for number, often in enumerate(mix, 1) if often > 0.0005)
    print(f"value {clashes.value(opening):+.3f}, {clashes.positions()} positions, {told}")
