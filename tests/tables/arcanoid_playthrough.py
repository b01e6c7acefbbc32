"""The golden playthroughs of Arcanoid.

They contain every choice and its expected outcome, the events as described to the first seat, and the final table.
``python -m tests.tables.arcanoid_playthrough`` writes them and a test compares them, so that a change to the rules or
texts appears as a change in a file that can be reviewed.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from random import Random

import shibumi3d
from shibumi3d.rules.arcanoid.game import CardGame
from shibumi3d.rules.arcanoid.moves import Move
from shibumi3d.rules.arcanoid.text import describe_event

FILE = Path(__file__).with_name("arcanoid_playthrough.txt")
NAMES = ("Aiko", "Ben", "Cleo")
MATCHES: tuple[tuple[str, int, int, Mapping[str, int | str]], ...] = (
    ("", 3, 7, {"rounds": 1}),
    ("malta", 2, 8, {"rounds": 1, "dummies": 1}),
    ("koblenz", 3, 12, {"rounds": 1}),
    ("gaza", 2, 5, {"rounds": 1}),
)
"""Variant, number of seats, seed and options of each match."""


def text() -> str:
    """Return transcripts of random matches, which are the same on all platforms.

    For each move, all kinds of legal moves are equally likely.
    """
    return "\n".join(_match(*match) for match in MATCHES)


def _match(variant: str, seats: int, seed: int, options: Mapping[str, int | str]) -> str:
    game = shibumi3d.game("arcanoid", variant=variant or None, options=options)
    assert isinstance(game, CardGame)
    state, chance = game.start(seats, seed), Random(seed)
    rows = [f"{game.title} {variant}: {seats} seats, seed {seed}"]
    lang = "fr" if variant == "malta" else "en"
    while (ask := state.decision) is not None:
        seat = ask.seats[int(chance.random() * len(ask.seats))]
        kinds: dict[str, list[Move]] = {}
        for move in game.moves(state, seat):
            kinds.setdefault(move.kind, []).append(move)
        some = kinds[sorted(kinds)[int(chance.random() * len(kinds))]]
        move = some[int(chance.random() * len(some))]
        view = game.observe(state, seat)
        rows.append(f"{NAMES[seat]} – {game.describe_decision(view, lang, NAMES)}: {move}")
        rows.append(f"  {game.describe_outcome(view, move, lang, NAMES)}")
        state, events = game.apply(state, move)
        for line in (
            describe_event(state, event, lang, NAMES) for event in game.observe_events(state, events, 0)
        ):
            rows += [f"    {line}"] if line else []
    rows += game.table_lines(game.observe(state, None), lang, NAMES)
    outcome = game.outcome(state)
    assert outcome is not None
    winners = ", ".join(NAMES[seat] for seat in outcome.winners) or "nobody"
    return "\n".join([*rows, f"won by {winners}: {outcome.reason}"]) + "\n"


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8")
