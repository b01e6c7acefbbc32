"""Golden files: a playthrough and a perft table for each game, written by ``make goldens`` and read by the tests.

A playthrough shows every choice with its events, and the board after every turn, so that a change to the rules appears
as a change in the text that can be reviewed.
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
"""Forms with golden files of their own: size and variant by file name. The name starts with the game's id."""
HERE = Path(__file__).resolve().parent.parent
SEED = 7
LONGEST = 120
"""Maximum number of moves in a playthrough."""
SECONDS = 1.0, 0.3
"""CPU seconds for counting the moves and the turns of a perft table, respectively."""
DEEPEST = 8
NODES = 200_000
"""Maximum number of moves made to count turns, as turns may be long."""


def golden_names() -> list[str]:
    """Return the names of the golden files: the id of each marble game, and the keys of :data:`FORMS`."""
    return sorted([*(entry.id for entry in marble_games()), *FORMS])


def golden_game(name: str) -> MarbleGame:
    size, variant = FORMS.get(name, (None, ""))
    return shibumi3d.game(name.split()[0], size=size, variant=variant or None)


def describe_event(event: Event, names: tuple[str, ...]) -> str:
    """Return an event as one line: the name of its class, then the values of its fields.

    Points are given by name; ``names`` holds the name of each point. Board 0 and a negative seat are left out.
    """
    parts = []
    for field, value in zip(fields(event), astuple(event), strict=True):
        if field.name in ("point", "origin"):
            parts.append(names[value])
        elif (field.name != "board" or value) and (field.name != "seat" or value >= 0):
            parts.append(str(value))
    return f"{type(event).__name__} {' '.join(parts)}".rstrip()


def playthrough(game: MarbleGame) -> str:
    """Return a transcript of at most :data:`LONGEST` random moves of a game.

    It is the same on all platforms.
    """
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
        lines += [f"      {describe_event(event, names)}" for event in events]
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
    """Return a table of perft numbers for 1 to ``moves`` moves and for 1 to ``turns`` turns.

    A perft number is the number of possible sequences of a given length. If ``turns`` is 0, only sequences of moves are
    counted.
    """
    state = game.start(seed=SEED)
    lines = [f"{game.title}: seed {SEED}", "depth moves"]
    lines += [f"{number} {count}" for number, count in enumerate(count_by_move(state, moves), 1)]
    if turns:
        lines.append("depth turns")
        lines += [f"{number} {count}" for number, count in enumerate(count_by_turn(state, turns), 1)]
    return "\n".join(lines) + "\n"


def depths(table: str) -> tuple[int, int]:
    _, _, counts = table.partition("depth moves\n")
    moves, _, turns = counts.partition("depth turns\n")
    return moves.count("\n"), turns.count("\n")


def affordable_depth(count: Callable[[int], Sequence[int]], seconds: float, least: int) -> int:
    """Return the depth, at most :data:`DEEPEST`, that ``count`` reaches in about ``seconds`` of CPU time.

    ``count`` takes a depth and returns the number of sequences of each length from 1 to that depth. It is called for
    one depth after another. If it raises OverflowError because there are too many sequences, the previous depth counts
    as reached. If the depth reached is less than ``least``, ``least`` is returned instead.
    """
    depth, before = 0, 1
    while depth < DEEPEST:
        started_at = process_time()
        try:
            found = count(depth + 1)[-1]
        except OverflowError:
            break
        took = process_time() - started_at
        if took > seconds:
            break
        depth += 1
        # The next depth takes longer in proportion to the number of sequences.
        if took * found / before > 2 * seconds:
            break
        before = max(found, 1)
    return max(depth, least)


def main() -> None:
    """Write the golden files named on the command line, or all of them.

    Names other than those returned by :func:`golden_names` are ignored. A new perft table is made as deep as the limits
    on time and depth allow. An existing table keeps its depth, unless the first argument is ``deep``; it then becomes
    deeper if the limits allow.
    """
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
            moves = affordable_depth(partial(count_by_move, state), SECONDS[0], max(moves, 1))
            turns = affordable_depth(partial(count_by_turn, state, max_moves=NODES), SECONDS[1], turns)
        table.write_text(perft_table(game, moves, turns), encoding="utf-8")
        print(name, moves, turns, flush=True)


if __name__ == "__main__":
    main()
