"""Golden files: a playthrough and a perft table for each game, written by ``make goldens`` and read by the tests.

A playthrough shows every choice with its events, and the board after every turn, so that a change of the rules appears
as a change of text that can be reviewed.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import astuple, fields
from functools import partial
from pathlib import Path
from time import process_time

import shibumi3d
from shibumi3d.rules.marbles.engine.steps.verbs import hash_random
from shibumi3d.rules.marbles.event import Event
from shibumi3d.rules.marbles.game import MarbleGame
from shibumi3d.rules.marbles.perft import count_by_move, count_by_turn
from tests.marble_games import marble_games

FORMS: dict[str, tuple[int | None, str]] = {
    "spargo margo 7": (7, "margo"),
    "spargo margo superko 7": (7, "margo superko"),
    "sploof full board": (None, "full board"),
    "sponnect no first pass": (None, "no first pass"),
    "spook large board": (None, "large board"),
    "spook random start": (None, "random start"),
}
"""Size and variant of forms that have golden files beside those of their game's usual form, by the files' name, which
begins with the game's."""
HERE = Path(__file__).resolve().parent.parent
SEED = 7
LONGEST = 120
"""Moves that a playthrough shows at most."""
SECONDS = 1.0, 0.3
"""CPU time for the moves of a perft table, and for its turns, which in many games are the same."""
DEEPEST = 8
NODES = 200_000
"""Moves made at most to count turns: a turn may be a long one."""


def golden_names() -> list[str]:
    """The names of the golden files: of games in their usual forms and of :data:`FORMS`."""
    return sorted([*(entry.id for entry in marble_games()), *FORMS])


def golden_game(name: str) -> MarbleGame:
    """The game and form of a golden file."""
    size, variant = FORMS.get(name, (None, ""))
    return shibumi3d.game(name.split()[0], size=size, variant=variant or None)


def described(event: Event, names: tuple[str, ...]) -> str:
    """An event on one line: its name and fields, points by name."""
    parts = []
    for field, value in zip(fields(event), astuple(event), strict=True):
        if field.name in ("point", "origin"):
            parts.append(names[value])
        elif (field.name != "board" or value) and (field.name != "seat" or value >= 0):
            parts.append(str(value))
    return f"{type(event).__name__} {' '.join(parts)}".rstrip()


def playthrough(game: MarbleGame) -> str:
    """A game played by numbers that are the same everywhere, as text."""
    state = game.start(seed=SEED)
    names = state.pyramid.point_names
    lines = [f"{game.title}: {state.seats} seats, size {state.size}, seed {SEED}", f"start {state}"]
    for number in range(1, LONGEST + 1):
        moves = game.moves(state)
        if not moves:
            break
        move = moves[hash_random(SEED, number) % len(moves)]
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


def perft_table(game: MarbleGame, moves: int, turns: int) -> str:
    """How many sequences of so many moves there are, and of so many turns (0: a turn is too long to count any)."""
    state = game.start(seed=SEED)
    lines = [f"{game.title}: seed {SEED}", "depth moves"]
    lines += [f"{number} {count}" for number, count in enumerate(count_by_move(state, moves), 1)]
    if turns:
        lines.append("depth turns")
        lines += [f"{number} {count}" for number, count in enumerate(count_by_turn(state, turns), 1)]
    return "\n".join(lines) + "\n"


def depths(table: str) -> tuple[int, int]:
    """To how many moves and turns a table counts."""
    _, _, counts = table.partition("depth moves\n")
    moves, _, turns = counts.partition("depth turns\n")
    return moves.count("\n"), turns.count("\n")


def affordable(count: Callable[[int], Sequence[int]], seconds: float, least: int) -> int:
    """The depth to which ``count`` counts in so many seconds, as far as can be told without trying for much longer."""
    depth, before = 0, 1
    while depth < DEEPEST:
        begun = process_time()
        try:
            found = count(depth + 1)[-1]
        except OverflowError:
            break
        took = process_time() - begun
        if took > seconds:
            break
        depth += 1
        # The next takes longer by as much as the number grows.
        if took * found / before > 2 * seconds:
            break
        before = max(found, 1)
    return max(depth, least)


def main() -> None:
    """Write the golden files of the games named, or of all; with ``deep`` first, count as deep as is affordable."""
    words = sys.argv[1:]
    deep = words[:1] == ["deep"]
    for name in golden_names():
        if words[deep:] and name not in words[deep:]:
            continue
        game = golden_game(name)
        (HERE / "playthroughs" / f"{name}.txt").write_text(playthrough(game), encoding="utf-8")
        table = HERE / "perft" / f"{name}.txt"
        moves, turns = depths(table.read_text(encoding="utf-8")) if table.exists() else (0, 0)
        if deep or not moves:
            state = game.start(seed=SEED)
            moves = affordable(partial(count_by_move, state), SECONDS[0], max(moves, 1))
            turns = affordable(partial(count_by_turn, state, max_moves=NODES), SECONDS[1], turns)
        table.write_text(perft_table(game, moves, turns), encoding="utf-8")
        print(name, moves, turns, flush=True)


if __name__ == "__main__":
    main()
