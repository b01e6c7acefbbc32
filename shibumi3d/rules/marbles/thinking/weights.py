"""Files of learned weights: those shipped with the program, and the user's own.

The program comes with weights only for games in which they were measured to play better. A text file holds the weights
for one game, size, variant and number of seats, as learned by ``shibumi3d learn``. It also contains a checksum of the
rules for which they were learned, calculated from a few random matches. Files that are damaged, or that belong to other
rules or another version, are ignored.

The name of a user's file is a hash of the rules, so that weights are forgotten when the rules change.
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
"""Version of the file format and of the features; files of other versions are ignored."""
FINE = 64
"""Unit of stored weights, as a multiple of the engine's unit.

It is chosen so that a weight fits into two bytes.
"""
DRAWN = 6
"""Number of random matches used to calculate the checksum of the rules."""
LONGEST = 200
"""Number of moves after which a random match is abandoned."""
KEPT, ASIDE = "weights", "weights left aside"
"""Keys in the cache of a game: for the weights, and for the reason why a file is ignored."""
WAYS = ((1.0, 0.4), (0.5, 0.7))
"""Settings to try weights with: their share of an evaluation, and the exploration constant."""
MOST_TRIED = 10.0
"""Largest exploration constant that a file may specify."""
MOST_BYTES = 1 << 20
"""Largest unpacked size of a file's weights."""


class Knowledge(NamedTuple):
    """Weights of a game, their share of an evaluation, and the exploration constant for the search."""

    numbers: list[int]
    trust: float
    explore: float


def rules_seal(game: BasicGame, seats: int) -> str:
    """Return a checksum that identifies the rules of a game, as eight hexadecimal digits.

    It is calculated from the moves and results of a few random matches.
    """
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
    """Return weights in the text format of a file."""
    numbers = array("h", (max(-32768, min(32767, round(number / FINE))) for number in known.numbers))
    if array("H", [1]).tobytes()[0] != 1:
        numbers.byteswap()
    packed = base64.b85encode(zlib.compress(numbers.tobytes(), 9)).decode()
    lines = [packed[at : at + 100] for at in range(0, len(packed), 100)]
    head = f"{VERSION} {name_of(game, seats)} {rules_seal(game, seats)} {known.trust:g} {known.explore:g}"
    return "\n".join((head, *lines)) + "\n"


def read_weights(text: str, game: BasicGame, seats: int) -> Knowledge:
    """Parse the text of a weights file.

    Raises Unusable if it is damaged, of another version or for other rules.
    """
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
    """Return the text of a weights file after lesson ``part`` of :data:`LESSONS`.

    Lessons are counted from 0. ``known`` is the text before the lesson, empty at first. Raises Unusable if the game
    cannot learn.
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
    """Return the texts of files that combine the weights with each of the settings in :data:`WAYS`."""
    numbers = read_weights(known, game, seats).numbers
    return tuple(written_out(game, seats, Knowledge(numbers, *way)) for way in WAYS)


def file_of(game: BasicGame, seats: int) -> str:
    """Return the name of the weights file that ships with the program for a game."""
    return f"{name_of(game, seats).replace('/', '_')}.txt"


def own_file_of(game: BasicGame, seats: int) -> str:
    """Return the name of a game's weights file in the user's folder; it changes with the rules."""
    rules = json.dumps([plain(game._item), game.size, seats], default=str)
    return f"{sha256(rules.encode('utf-8', 'surrogatepass')).hexdigest()[:24]}.txt"


def known_weights(game: BasicGame, seats: int) -> Knowledge | None:
    """Return the weights of a game, or None if there are none for its rules.

    The user's own weights take precedence over those shipped with the program.
    """
    kept: dict[Any, Any] = game.kept
    if (KEPT, seats) not in kept:
        kept[KEPT, seats] = None
        if not unfit(game, seats):
            _look_for(game, seats)
    found: Knowledge | None = kept[KEPT, seats]
    return found


def _look_for(game: BasicGame, seats: int) -> None:
    """Find the first weights that exist and match the rules, and cache them with the game."""
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
    """Return why the weights file of a game is ignored; None if it is used or does not exist."""
    known_weights(game, seats)
    found: Message | None = game.kept.get((ASIDE, seats))
    return found


def use_weights(game: BasicGame, seats: int, known: Knowledge | None) -> None:
    """Use these weights for a game from now on, or none if ``known`` is None."""
    game.kept[KEPT, seats] = known
