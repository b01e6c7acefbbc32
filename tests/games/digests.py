"""Digests of 200 seeded games of each game: what every engine and every mode of it must play alike.

They were first taken from the interpreter that the engine replaced.

``python -m tests.games.digests`` compares and prints what differs, ``… write GAMES`` writes. A line holds a game's id
and a hash for every twenty seeds, so that a difference can be found again.
"""

from __future__ import annotations

import sys
from hashlib import blake2b
from pathlib import Path

import shibumi3d
from shibumi3d.rules.marbles.game import RuleGame
from shibumi3d.rules.marbles.pyramid import pyramid
from tests.games.goldens import described
from tests.marble_games import marble_games

FILE = Path(__file__).resolve().parent.parent / "digests.txt"
SEEDS = 200
BLOCK = 20
SHORT, LONG, WIDE = 12, 120, 4
"""Choices of most games, of every fifth, and of those on boards from size 6 on."""


def mixed(seed: int, number: int, most: int) -> int:
    """A number below ``most``, by a generator that belongs to no engine."""
    data = f"{seed} {number}".encode()
    return int.from_bytes(blake2b(data, digest_size=8).digest(), "big") % most


def form_of(name: str, seed: int, games: dict[tuple[int | None, str | None], RuleGame]) -> RuleGame:
    """The game as played with a seed: mostly the usual form, now and then another size or variant."""
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


def played(game: RuleGame, seed: int) -> bytes:
    """The hash of one game: all choices, events and what there is to see after each."""
    least, most = game.players
    names = pyramid(game.size).names
    seats = least + seed % (most - least + 1)
    state = game.start(seats, seed=seed)
    found = blake2b(digest_size=16)
    limit = LONG if seed % 5 == 0 else SHORT
    if game.size > 5:
        limit = WIDE
    for number in range(limit):
        moves = sorted(game.moves(state), key=str)
        if not moves:
            break
        found.update(" ".join(map(str, moves)).encode())
        state, events = game.apply(state, moves[mixed(seed, number, len(moves))])
        seen = game.view(state, mixed(seed, -number, seats))
        lines = [described(event, names) for event in events]
        for known in (state, seen):
            lines += [str(known), str(known.reserves), str(known.held), str(known.step)]
        lines.append(f"{state.to_move} {state.mover} {state.turn} {state.phase} {state.game_number}")
        end = state.result
        ended = "" if end is None else f"{end.winners} {end.scores} {end.reason} {end.shape}"
        lines.append(f"{state.scores} {state.totals} {ended}")
        for board in range(len(state.boards)):
            lines.append(f"{state.placed(board)} {state.moved(board)} {state.fallen(board)}")
        found.update("\n".join(lines).encode())
    return found.digest()


def block_of(name: str, number: int) -> str:
    """The hash of twenty games."""
    games: dict[tuple[int | None, str | None], RuleGame] = {}
    block = blake2b(digest_size=6)
    for seed in range(number * BLOCK, (number + 1) * BLOCK):
        block.update(played(form_of(name, seed, games), seed))
    return block.hexdigest()


def line_of(name: str) -> str:
    """The digests of one game."""
    return " ".join([name, *[block_of(name, number) for number in range(SEEDS // BLOCK)]])


def stored() -> dict[str, str]:
    """The lines as written, by game."""
    lines = FILE.read_text(encoding="utf-8").splitlines() if FILE.exists() else []
    return {line.split()[0]: line for line in lines}


def main() -> None:
    """Compare, or write, the digests of the games named, or of all."""
    words = sys.argv[1:]
    writing = words[:1] == ["write"]
    known = stored()
    wrong = 0
    for name in words[writing:] or [entry.id for entry in marble_games()]:
        line = line_of(name)
        if writing:
            known[name] = line
        elif known.get(name) != line:
            wrong += 1
            pairs = zip(line.split()[1:], known.get(name, "").split()[1:], strict=False)
            print(name, "differs in blocks", [i for i, (a, b) in enumerate(pairs) if a != b], flush=True)
    if writing:
        FILE.write_text("".join(f"{known[name]}\n" for name in sorted(known)), encoding="utf-8")
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
