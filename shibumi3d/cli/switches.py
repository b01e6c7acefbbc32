"""``python -m shibumi3d.cli.switches`` measures anew how a search plays out each game, and writes it down."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from shibumi3d.catalogue.catalogue import load
from shibumi3d.search.kinds import search_of


def lines() -> list[str]:
    """A line a game whose seats can be compared, on its usual board, for each number of seats."""
    found = []
    for entry in load():
        game = entry.game()
        least, most = entry.players
        for seats in range(max(2, least), most + 1):
            state = game.start(seats)
            seat = state.to_move or 0
            found.append(search_of(game, game.view(state, seat), seat).measured())
    return sorted(line for line in found if line)


if __name__ == "__main__":
    path = Path(str(files("shibumi3d.rules") / "marbles" / "switches.txt"))
    path.write_text("\n".join(lines()) + "\n", encoding="utf-8")
