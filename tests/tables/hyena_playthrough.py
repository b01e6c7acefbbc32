"""The golden playthrough of Hyena Spiral: every decision, the move made and its events, then the table.

``python -m tests.tables.hyena_playthrough`` writes it and a test compares it, so that a change to the rules or texts
appears as a change in a file that can be reviewed.
"""

from __future__ import annotations

from dataclasses import astuple, fields
from enum import Enum
from pathlib import Path
from random import Random

import shibumi3d
from shibumi3d.rules.game import Event
from shibumi3d.rules.hyena_spiral.text import describe_event

FILE = Path(__file__).with_name("hyena_playthrough.txt")
NAMES = ("Aiko", "Ben", "Cleo")
SEED = 7


def format_event(event: Event) -> str:
    values = [
        f"{field.name} {value.value if isinstance(value, Enum) else value}"
        for field, value in zip(fields(event), astuple(event), strict=True)
        if field.name != "seat" or value >= 0
    ]
    return f"{type(event).__name__} {', '.join(values)}"


def text() -> str:
    """Return a transcript of a random match with three seats and one round, on a path of 48 spaces.

    The transcript is the same on all platforms.
    """
    game = shibumi3d.game("hyena-spiral", options={"length": 48, "rounds": 1})
    state, chance = game.start(3, seed=SEED), Random(SEED)
    rows = [f"{game.title}: 3 seats, seed {SEED}"]
    while moves := game.moves(state):
        move = moves[int(chance.random() * len(moves))]
        rows.append(f"{NAMES[state.mover]} – {game.describe_decision(state, 'en', NAMES)}: {move}")
        before = state
        state, events = game.apply(state, move)
        for event in events:
            rows += [f"    {format_event(event)}"]
            rows += [f"      {line}" for line in (describe_event(before, event, "en", NAMES),) if line]
    rows += game.table_lines(state, "en", NAMES)
    outcome = game.outcome(state)
    assert outcome is not None
    winners = ", ".join(NAMES[seat] for seat in outcome.winners) or "nobody"
    return "\n".join([*rows, f"won by {winners}: {outcome.reason}"]) + "\n"


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8")
