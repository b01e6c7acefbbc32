"""Digests of 200 seeded matches of each game, which the engine must reproduce both in plain Python and compiled.

They were first computed with the interpreter that the engine replaced.

``python -m tests.games.digests GAMES`` prints differences, ``… write GAMES`` writes the digests, and ``… show GAME
SEED`` prints one match, so that two checkouts can be compared. A line of the file holds a game's id, the first of
twenty seeds, and a hash for each of :data:`ASPECTS`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path

import shibumi3d
from shibumi3d.rules.marbles.game import MarbleGame
from shibumi3d.rules.marbles.pyramid import get_pyramid
from tests.games.goldens import describe_event
from tests.marble_games import marble_games

FILE = Path(__file__).resolve().parent.parent / "digests.txt"
SEEDS = 200
BLOCK = 20
SHORT, LONG, WIDE = 12, 120, 4
"""Maximum numbers of choices in most games, in every fifth game, and in games on boards of size 6 or more."""
ASPECTS = ("choices", "events", "states", "views", "results")
"""What is hashed after each choice, in this order."""


def pseudorandom(seed: int, number: int, most: int) -> int:
    """Return a pseudorandom number from 0 to ``most`` - 1, computed without the game engine.

    ``seed`` selects a sequence of numbers, and ``number`` is the index in this sequence. The index may be negative.
    """
    data = f"{seed} {number}".encode()
    return int.from_bytes(blake2b(data, digest_size=8).digest(), "big") % most


def game_for_seed(name: str, seed: int, games: dict[tuple[int | None, str | None], MarbleGame]) -> MarbleGame:
    """Return a game in the form chosen by ``seed``: its default form, one of its sizes or a variant.

    ``name`` is the id of the game. If the game has variants, seeds that end in 3 or 7 choose one of them. If it has
    several sizes, seeds that end in 9 choose one of these, which may be the default size. All other seeds choose the
    default form. ``games`` caches the forms of the game by size and variant; another game needs a cache of its own.
    """
    entry = next(entry for entry in marble_games() if entry.id == name)
    size: int | None = None
    variant: str | None = None
    if entry.variants and seed % 10 in (3, 7):
        variant = entry.variants[seed // 10 % len(entry.variants)]
    elif len(entry.sizes) > 1 and seed % 10 == 9:
        size = entry.sizes[seed // 10 % len(entry.sizes)]
    if (size, variant) not in games:
        games[size, variant] = shibumi3d.game(name, size=size, variant=variant)
    return games[size, variant]


def play_game(game: MarbleGame, seed: int) -> Iterator[tuple[str, ...]]:
    """Play a pseudorandom match, and after each choice yield a text for each of :data:`ASPECTS`, in order.

    ``seed`` determines the number of seats and all choices. The match is cut short after :data:`SHORT`, :data:`LONG` or
    :data:`WIDE` choices, depending on the seed and the board size.
    """
    least, most = game.players
    names = get_pyramid(game.size).point_names
    seats = least + seed % (most - least + 1)
    state = game.start(seats, seed=seed)
    limit = LONG if seed % 5 == 0 else SHORT
    if game.size > 5:
        limit = WIDE
    for number in range(limit):
        moves = sorted(game.moves(state), key=str)
        if not moves:
            break
        choices = " ".join(map(str, moves))
        state, events = game.apply(state, moves[pseudorandom(seed, number, len(moves))])
        seen = game.observe(state, pseudorandom(seed, -number, seats))
        public, hidden = (
            "\n".join([str(known), str(known.reserves), str(known.held), str(known.step)])
            for known in (state, seen)
        )
        for board in range(len(state.boards)):
            public += (
                f"\n{state.placed_points(board)} {state.moved_points(board)} {state.fallen_points(board)}"
            )
        public += f"\n{state.to_move} {state.mover} {state.turn} {state.phase} {state.game_number}"
        end = state.result
        ended = "" if end is None else f"{end.winners} {end.scores} {end.deciding_points}"
        yield (
            choices,
            "\n".join(describe_event(event, names) for event in events),
            public,
            hidden,
            f"{state.scores} {state.totals} {ended}",
        )


def hash_block(name: str, first: int) -> dict[str, str]:
    """Return a hash for each of :data:`ASPECTS`, computed from twenty matches with consecutive seeds.

    ``name`` is the id of the game, and ``first`` the first seed.
    """
    games: dict[tuple[int | None, str | None], MarbleGame] = {}
    hashes = {aspect: blake2b(digest_size=4) for aspect in ASPECTS}
    for seed in range(first, first + BLOCK):
        for step in play_game(game_for_seed(name, seed, games), seed):
            for aspect, text in zip(ASPECTS, step, strict=True):
                hashes[aspect].update(f"{seed}\n{text}\n".encode())
    return {aspect: found.hexdigest() for aspect, found in hashes.items()}


def differing_aspects(name: str, first: int, known: dict[str, str]) -> list[str]:
    found = hash_block(name, first)
    return [aspect for aspect in ASPECTS if found[aspect] != known[aspect]]


def stored_hashes() -> dict[tuple[str, int], dict[str, str]]:
    lines = map(str.split, FILE.read_text(encoding="utf-8").splitlines())
    return {(name, int(first)): dict(zip(ASPECTS, hashes, strict=True)) for name, first, *hashes in lines}


def main() -> None:
    words = sys.argv[1:]
    if words[:1] == ["show"]:
        name, seed = words[1], int(words[2])
        for number, step in enumerate(play_game(game_for_seed(name, seed, {}), seed)):
            for aspect, text in zip(ASPECTS, step, strict=True):
                print(f"{number} {aspect}: {text}")
        return
    writing = words[:1] == ["write"]
    known = stored_hashes()
    wrong = False
    for name in words[writing:] or [entry.id for entry in marble_games()]:
        for first in range(0, SEEDS, BLOCK):
            if writing:
                known[name, first] = hash_block(name, first)
            elif aspects := differing_aspects(name, first, known[name, first]):
                wrong = True
                print(f"{name}, seeds from {first} on: {', '.join(aspects)}", flush=True)
    if writing:
        lines = (f"{name} {first} {' '.join(known[name, first].values())}\n" for name, first in sorted(known))
        FILE.write_text("".join(lines), encoding="utf-8")
    sys.exit(wrong)


if __name__ == "__main__":
    main()
