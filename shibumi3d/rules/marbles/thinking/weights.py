"""The weights that come with the program: for games of which it was measured that judging by them is better.

A file a game, in one form, for one number of seats, made by ``python -m tools.weights``. It says for which rules it was
made, by what comes of a few matches drawn by lot: weights of other rules are left aside.
"""

from __future__ import annotations

import base64
import binascii
import zlib
from array import array
from contextlib import suppress
from importlib.resources import files
from typing import Any, NamedTuple

from shibumi3d.rules.errors import RuleFailure
from shibumi3d.rules.marbles.basic import BasicGame
from shibumi3d.rules.marbles.thinking.knowledge import unfit
from shibumi3d.rules.marbles.thinking.switches import name_of
from shibumi3d.sayings import Unusable

VERSION = "1"
"""Of the file, and of what is weighed: weights of another version are left aside."""
FINE = 64
"""Weights are kept in units of this part of the engine's, so that two bytes hold one."""
DRAWN = 6
"""Matches drawn by lot by which rules are known."""
LONGEST = 200
"""Choices after which such a match is left."""
KEPT = "weights"
"""As what they are kept with a game."""


class Knowledge(NamedTuple):
    """Weights of a game, the part of a judgement that is theirs, and how much is tried that is little known."""

    numbers: list[int]
    trust: float
    explore: float


def rules_seal(game: BasicGame, seats: int) -> str:
    """Return by what the rules of a game are known: eight digits that change when the rules do."""
    fast = game.fast(seats, 3)
    start, seal = game.start(seats, 3), 0
    for number in range(DRAWN):
        fast.load(start, number)
        made = 0
        with suppress(RuleFailure):
            while fast.result() is None and made < LONGEST:
                code = fast.sample()
                fast.make(code)
                made += 1
                seal = zlib.crc32(f"{code} {fast.seat}".encode(), seal)
        ended = fast.result()
        seal = zlib.crc32(repr(ended and ended[:2]).encode(), seal)
    return f"{seal:08x}"


def written_out(game: BasicGame, seats: int, known: Knowledge) -> str:
    """Return weights as the text of a file."""
    numbers = array("h", (max(-32768, min(32767, round(number / FINE))) for number in known.numbers))
    if array("H", [1]).tobytes()[0] != 1:
        numbers.byteswap()
    packed = base64.b85encode(zlib.compress(numbers.tobytes(), 9)).decode()
    lines = [packed[at : at + 100] for at in range(0, len(packed), 100)]
    head = f"{VERSION} {name_of(game, seats)} {rules_seal(game, seats)} {known.trust:g} {known.explore:g}"
    return "\n".join((head, *lines)) + "\n"


def read_weights(text: str, game: BasicGame, seats: int) -> Knowledge:
    """Return the weights that the text of a file holds. Raises Unusable where it is broken, or for something else."""
    name = name_of(game, seats)
    try:
        head, *lines = text.splitlines()
        version, made_for, seal, trust, explore = head.split()
        if version != VERSION or made_for != name or seal != rules_seal(game, seats):
            raise Unusable("weights.other", game=name)
        numbers = array("h", zlib.decompress(base64.b85decode("".join(lines))))
        found = Knowledge([], float(trust), float(explore))
    except (ValueError, zlib.error, binascii.Error) as problem:
        if isinstance(problem, Unusable):
            raise
        raise Unusable("weights.broken", game=name) from problem
    if array("H", [1]).tobytes()[0] != 1:
        numbers.byteswap()
    return found._replace(numbers=[number * FINE for number in numbers])


def file_of(game: BasicGame, seats: int) -> str:
    """Return the name of the file with a game's weights."""
    return f"{name_of(game, seats).replace('/', '_')}.txt"


def known_weights(game: BasicGame, seats: int) -> Knowledge | None:
    """Return the weights that come with the program for a game, None where there are none that fit."""
    kept: dict[Any, Any] = game.kept
    if (KEPT, seats) not in kept:
        kept[KEPT, seats] = None
        path = files("shibumi3d.rules.marbles.thinking") / "weights" / file_of(game, seats)
        if path.is_file() and not unfit(game, seats):
            with suppress(Unusable):
                kept[KEPT, seats] = read_weights(path.read_text(encoding="ascii"), game, seats)
    found: Knowledge | None = kept[KEPT, seats]
    return found


def use_weights(game: BasicGame, seats: int, known: Knowledge | None) -> None:
    """Judge a game by these weights from now on, or by none."""
    game.kept[KEPT, seats] = known
