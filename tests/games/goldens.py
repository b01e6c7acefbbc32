"""Golden files: one playthrough and one perft table a game, written by ``make goldens`` and read by the tests.

A playthrough shows every choice with its events and the board after every turn, so that a change of the rules shows
as a change of text that a person can review.
"""

from __future__ import annotations

import sys
from contextlib import suppress
from dataclasses import astuple, fields
from pathlib import Path

import shibumi3d
from shibumi3d.rules.marbles.engine.chance import scrambled
from shibumi3d.rules.marbles.event import Event
from shibumi3d.rules.marbles.game import RuleGame
from shibumi3d.rules.marbles.perft import by_move, by_turn

HERE = Path(__file__).resolve().parent.parent
SEED = 7
LONGEST = 120
"""Moves that a playthrough shows at most."""
NODES = 20_000
"""Sequences that a perft table counts at most at its greatest depth."""


def described(event: Event, names: tuple[str, ...]) -> str:
    """An event on one line: its name and fields, points by name."""
    parts = []
    for field, value in zip(fields(event), astuple(event), strict=True):
        if field.name in ("point", "origin"):
            parts.append(names[value])
        elif (field.name != "board" or value) and (field.name != "seat" or value >= 0):
            parts.append(str(value))
    return f"{type(event).__name__} {' '.join(parts)}".rstrip()


def playthrough(game: RuleGame) -> str:
    """A game played by numbers that are the same everywhere, as text."""
    state = game.start(seed=SEED)
    names = state.rules.pyramid.names
    lines = [f"{game.title}: {state.seats} seats, size {state.size}, seed {SEED}", f"start {state}"]
    for number in range(1, LONGEST + 1):
        moves = game.moves(state)
        if not moves:
            break
        move = moves[scrambled(SEED, number) % len(moves)]
        seat, turn = state.to_move, state.turn
        state, events = game.apply(state, move)
        lines.append(f"{number:>3} seat {(seat or 0) + 1}: {move} of {len(moves)}")
        lines += [f"      {described(event, names)}" for event in events]
        if state.turn > turn:
            lines.append(f"    = {state} scores {' '.join(map(str, state.scores))}")
    outcome = game.outcome(state)
    if outcome is None:
        lines.append("goes on")
    else:
        winners = ", ".join(str(seat + 1) for seat in outcome.winners) or "nobody"
        lines.append(f"won by {winners}: {outcome.reason}; scores {' '.join(map(str, outcome.scores))}")
    return "\n".join(lines) + "\n"


def perft_table(game: RuleGame) -> str:
    """Move and turn counts to the greatest depth that stays small."""
    state = game.start(seed=SEED)
    depth = 1
    while depth < 6 and by_move(state, depth)[-1] * 12 < NODES:
        depth += 1
    moves = by_move(state, depth)
    lines = [f"{game.title}: seed {SEED}", "depth moves"]
    lines += [f"{number} {count}" for number, count in enumerate(moves, 1)]
    with suppress(OverflowError):  # a turn of many choices
        lines += ["depth turns", f"1 {by_turn(state, 1, most=NODES)[0]}"]
    return "\n".join(lines) + "\n"


def main() -> None:
    """Write the golden files of the games named, or of all."""
    for entry in shibumi3d.games():
        if sys.argv[1:] and entry.id not in sys.argv[1:]:
            continue
        game = shibumi3d.game(entry.id)
        (HERE / "playthroughs" / f"{entry.id}.txt").write_text(playthrough(game), encoding="utf-8")
        (HERE / "perft" / f"{entry.id}.txt").write_text(perft_table(game), encoding="utf-8")
        print(entry.id)


if __name__ == "__main__":
    main()
