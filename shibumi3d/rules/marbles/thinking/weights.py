"""What games have learned, as texts: with the program come those of which it was measured that judging by them is
better, and others lie in a folder of the user's.

One text holds the weights of a game in one form, for one number of seats, as ``shibumi3d learn`` finds them. It says
for which rules it was made, by what comes of a few matches drawn by lot: weights of other rules are left aside, those
of another version, or broken ones, too. The user's are named by the rules themselves, so that a changed rule forgets
them.
"""

from __future__ import annotations

import base64
import binascii
import json
import zlib
from array import array
from contextlib import suppress
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import Any, NamedTuple

from shibumi3d.i18n import Message, Unusable
from shibumi3d.rules.errors import RuleFailure
from shibumi3d.rules.marbles.basic import BasicGame
from shibumi3d.rules.marbles.thinking.knowledge import LESSONS, lesson, matches_of, unfit
from shibumi3d.rules.marbles.thinking.switches import name_of
from shibumi3d.rules.source import plain

VERSION = "1"
"""Of the file, and of what is weighed: weights of another version are left aside."""
FINE = 64
"""Weights are kept in units of this part of the engine's, so that two bytes hold one."""
DRAWN = 6
"""Matches drawn by lot by which rules are known."""
LONGEST = 200
"""Choices after which such a match is left."""
KEPT, ASIDE = "weights", "weights left aside"
"""As what they are kept with a game, and why others were left aside."""
WAYS = ((1.0, 0.4), (0.5, 0.7))
"""Parts of a judgement that may be the weights', and how much is tried then that is little known."""
MOST_TRIED = 10.0
"""The most that may be tried so."""
MOST_BYTES = 1 << 20
"""The most that a text of weights may hold, unpacked."""


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
    """Return the weights that a text holds. Raises Unusable where it is broken, of another version, or for something
    else."""
    name = game.title
    try:
        head, *lines = text.splitlines()
        version, _, seal, trust, explore = head.split()
        if version != VERSION:
            raise Unusable(
                "{game}: these weights are version {version}, but this program reads version {wanted}",
                game=name,
                version=version,
                wanted=VERSION,
            )
        if seal != rules_seal(game, seats):
            raise Unusable("{game}: these weights were made for other rules", game=name)
        unpacked = zlib.decompressobj()
        numbers = array("h", unpacked.decompress(base64.b85decode("".join(lines)), MOST_BYTES))
        found = Knowledge([], float(trust), float(explore))
        if not (unpacked.eof and 0 <= found.trust <= 1 and 0 <= found.explore <= MOST_TRIED):
            raise Unusable("{game}: these weights are damaged", game=name)
    except (ValueError, zlib.error, binascii.Error) as problem:
        if isinstance(problem, Unusable):
            raise
        raise Unusable("{game}: these weights are damaged", game=name) from problem
    if array("H", [1]).tobytes()[0] != 1:
        numbers.byteswap()
    return found._replace(numbers=[number * FINE for number in numbers])


def after_lesson(game: BasicGame, seats: int, known: str, part: int, seed: int) -> str:
    """Return what a game knows after one of its :data:`LESSONS`, from 0; ``known`` is what it knew before it.

    Raises Unusable where it can't learn.
    """
    reason = unfit(game, seats)
    if reason:
        raise Unusable(reason)
    every = matches_of(game, seats)
    matches = every * (part + 1) // LESSONS - every * part // LESSONS
    before = read_weights(known, game, seats).numbers if known else []
    numbers = lesson(game, seats, before, part, matches, seed)
    return written_out(game, seats, Knowledge(numbers, *WAYS[0]))


def judgings(game: BasicGame, seats: int, known: str) -> tuple[str, ...]:
    """Return what a game knows in each way in which it may be judged by."""
    numbers = read_weights(known, game, seats).numbers
    return tuple(written_out(game, seats, Knowledge(numbers, *way)) for way in WAYS)


def file_of(game: BasicGame, seats: int) -> str:
    """Return the name of the file with a game's weights, among those that come with the program."""
    return f"{name_of(game, seats).replace('/', '_')}.txt"


def own_file_of(game: BasicGame, seats: int) -> str:
    """Return the name of the file with a game's weights in a folder of the user's: another one for other rules."""
    rules = json.dumps([plain(game._item), game.size, seats], default=str)
    return f"{sha256(rules.encode('utf-8', 'surrogatepass')).hexdigest()[:24]}.txt"


def known_weights(game: BasicGame, seats: int) -> Knowledge | None:
    """Return the weights of a game, the user's before those that come with the program; None where none fit."""
    kept: dict[Any, Any] = game.kept
    if (KEPT, seats) not in kept:
        kept[KEPT, seats] = None
        if not unfit(game, seats):
            _look_for(game, seats)
    found: Knowledge | None = kept[KEPT, seats]
    return found


def _look_for(game: BasicGame, seats: int) -> None:
    """Keep with a game the first weights that are there and fit."""
    places = [files("shibumi3d.rules.marbles.thinking") / "weights" / file_of(game, seats)]
    if game.library:
        places.insert(0, Path(game.library) / own_file_of(game, seats))
    for path in places:
        if game.kept[KEPT, seats] is None and path.is_file():
            try:
                game.kept[KEPT, seats] = read_weights(path.read_text(encoding="ascii"), game, seats)
            except (OSError, ValueError) as problem:
                reason = problem.message if isinstance(problem, Unusable) else None
                game.kept[ASIDE, seats] = reason or Message(
                    "{game}: these weights are damaged", game=game.title
                )


def left_aside(game: BasicGame, seats: int) -> Message | None:
    """Return why weights that are there are not used; None where all is well, or there are none."""
    known_weights(game, seats)
    found: Message | None = game.kept.get((ASIDE, seats))
    return found


def use_weights(game: BasicGame, seats: int, known: Knowledge | None) -> None:
    """Judge a game by these weights from now on, or by none."""
    game.kept[KEPT, seats] = known
