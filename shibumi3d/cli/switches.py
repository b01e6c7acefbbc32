"""``python -m shibumi3d.cli.switches`` writes how a search plays out each game of the catalogue, measured anew."""

from __future__ import annotations

from pathlib import Path

from shibumi3d.catalogue.catalogue import load
from shibumi3d.rules.marbles import switches
from shibumi3d.rules.marbles.game import RuleGame


def lines() -> list[str]:
    """A line a game that has scores, on its usual board, for each number of seats."""
    found = []
    for entry in load():
        game = entry.game()
        assert isinstance(game, RuleGame)
        least, most = entry.players
        for seats in range(max(2, least), most + 1):
            told = switches.measured(game, seats)
            if told.telling:
                found.append(told.line(switches.name_of(game, seats)))
    return sorted(found)


if __name__ == "__main__":
    path = Path(switches.__file__).with_name(switches.FILE)
    path.write_text("\n".join(lines()) + "\n", encoding="utf-8")
