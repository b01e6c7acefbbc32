"""Files of learned weights: those shipped with the program, and the user's own.

The program comes with weights only for games in which tests showed that they improve play. A text file holds the
weights for one game, size, variant and number of seats, as learned by ``shibumi3d learn``. It also contains a checksum
of the rules for which they were learned, calculated from a few random matches. Files that are damaged, belong
to other rules or have an unknown version are ignored.

The name of a user's file contains a hash of the rules, so a file is no longer found once the rules change.
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

from shibumi3d.i18n import InvalidValueError, Message
from shibumi3d.rules.errors import RuleFailure
from shibumi3d.rules.marbles.basic import BasicGame
from shibumi3d.rules.marbles.engine.learned_evaluation import GROUP_MARBLES_VERSION, GROUPS_VERSION
from shibumi3d.rules.marbles.search.learning import (
    LESSONS_PER_COURSE,
    count_course_matches,
    explain_cannot_learn,
    run_lesson,
)
from shibumi3d.rules.marbles.search.playout_settings import settings_key
from shibumi3d.rules.source import to_plain_data

READABLE_VERSIONS = "1", "2", "3"
"""Versions of the features, and thus of the files, that can be read; all other files are ignored.

Files of version 1 don't specify a share of minimax values.
"""
STORED_WEIGHT_UNIT = 64
"""Unit of stored weights, as a multiple of the engine's unit.

It is chosen so that a weight fits into two bytes.
"""
CHECKSUM_MATCHES = 6
"""Number of random matches used to calculate the checksum of the rules."""
MAX_CHECKSUM_MOVES = 200
"""Maximum length of a random match, in moves."""
CACHE_KEYS = WEIGHTS_CACHE_KEY, IGNORED_CACHE_KEY = "weights", "weights left aside"
"""First items of the cache keys for a game's weights, and for the reason why a file is ignored."""
SETTINGS_TO_TRY = ((1.0, 0.03, 0.95), (0.5, 0.7, 0.0))
"""Settings to try with learned weights.

Each consists of the weights' share of an evaluation, the exploration constant, and the share of minimax values.
"""
MAX_EXPLORATION = 10.0
"""Largest exploration constant that a file may specify."""
MAX_UNPACKED_BYTES = 1 << 20
"""Largest unpacked size of a file's weights."""
MAX_FILE_BYTES = 1 << 20
"""Largest size of a weights file; larger files are ignored as damaged."""


class LearnedWeights(NamedTuple):
    """Learned weights of a game, and the settings with which a search uses them.

    The settings are the weights' share of an evaluation, the exploration constant, and the share of minimax values in
    the selection of nodes. ``feature_version`` determines which features have weights; see :class:`.Weights`.
    """

    values: list[int]
    weights_share: float
    exploration: float
    minimax_share: float = 0.0
    feature_version: int = GROUP_MARBLES_VERSION


def rules_checksum(game: BasicGame, seats: int) -> str:
    """Return a checksum that identifies the rules of a game, as eight hexadecimal digits.

    It is calculated from the moves and results of a few random matches.
    """
    fast = game.make_fast_game(seats, 3)
    start, checksum = game.start(seats, 3), 0
    for number in range(CHECKSUM_MATCHES):
        fast.load(start, number)
        moves_made = 0
        with suppress(RuleFailure):
            while fast.result() is None and moves_made < MAX_CHECKSUM_MOVES:
                code = fast.random_move()
                fast.make(code)
                moves_made += 1
                checksum = zlib.crc32(f"{code} {fast.seat_to_move}".encode(), checksum)
        ended = fast.result()
        checksum = zlib.crc32(repr(ended and ended[:2]).encode(), checksum)
    return f"{checksum:08x}"


def format_weights(game: BasicGame, seats: int, weights: LearnedWeights) -> str:
    """Return the text of a weights file that contains ``weights``.

    Each value is divided by :data:`STORED_WEIGHT_UNIT`, rounded, and limited to the range of a signed 16-bit integer.
    """
    numbers = array(
        "h", (max(-32768, min(32767, round(number / STORED_WEIGHT_UNIT))) for number in weights.values)
    )
    if array("H", [1]).tobytes()[0] != 1:
        numbers.byteswap()
    packed = base64.b85encode(zlib.compress(numbers.tobytes(), 9)).decode()
    lines = [packed[at : at + 100] for at in range(0, len(packed), 100)]
    settings = f"{weights.weights_share:g} {weights.exploration:g}"
    if weights.feature_version >= GROUPS_VERSION:
        settings += f" {weights.minimax_share:g}"
    header = f"{weights.feature_version} {settings_key(game, seats)} {rules_checksum(game, seats)} {settings}"
    return "\n".join((header, *lines)) + "\n"


def parse_weights(text: str, game: BasicGame, seats: int) -> LearnedWeights:
    """Parse the text of a weights file.

    Raises InvalidValueError if the text is damaged, has an unknown version or was made for different rules.
    """
    name = game.title
    try:
        header, *lines = text.splitlines()
        version, _, checksum, share, exploration, *minimax = header.split()
        if version not in READABLE_VERSIONS:
            raise InvalidValueError(
                "{game}: these weights are version {version}, but this program reads version {wanted}",
                game=name,
                version=version,
                wanted=READABLE_VERSIONS[-1],
            )
        if checksum != rules_checksum(game, seats):
            raise InvalidValueError("{game}: these weights were made for different rules", game=name)
        unpacked = zlib.decompressobj()
        numbers = array("h", unpacked.decompress(base64.b85decode("".join(lines)), MAX_UNPACKED_BYTES))
        (minimax_share,) = map(float, minimax or ("0",))
        learned_weights = LearnedWeights([], float(share), float(exploration), minimax_share, int(version))
        if not (
            unpacked.eof
            and 0 <= learned_weights.weights_share <= 1
            and 0 <= learned_weights.exploration <= MAX_EXPLORATION
            and 0 <= learned_weights.minimax_share <= 1
        ):
            raise InvalidValueError("{game}: these weights are damaged", game=name)
    except (ValueError, zlib.error, binascii.Error) as problem:
        if isinstance(problem, InvalidValueError):
            raise
        raise InvalidValueError("{game}: these weights are damaged", game=name) from problem
    if array("H", [1]).tobytes()[0] != 1:
        numbers.byteswap()
    return learned_weights._replace(values=[number * STORED_WEIGHT_UNIT for number in numbers])


def learn_lesson(game: BasicGame, seats: int, text_before: str, lesson_index: int, seed: int) -> str:
    """Run a lesson of self-play, and return the resulting weights as the text of a weights file.

    ``lesson_index`` is the number of the lesson, from 0 to :data:`.LESSONS_PER_COURSE` - 1. ``text_before`` is the text
    of the weights file before the lesson, or "" for a game that has not learned anything. Raises InvalidValueError if
    the game cannot learn or if ``text_before`` is not the text of a valid weights file of the game.
    """
    reason = explain_cannot_learn(game, seats)
    if reason:
        raise InvalidValueError(reason)
    every = count_course_matches(game, seats)
    matches = every * (lesson_index + 1) // LESSONS_PER_COURSE - every * lesson_index // LESSONS_PER_COURSE
    before = parse_weights(text_before, game, seats).values if text_before else []
    numbers = run_lesson(game, seats, before, lesson_index, matches, seed)
    return format_weights(game, seats, LearnedWeights(numbers, *SETTINGS_TO_TRY[0]))


def make_weight_variants(game: BasicGame, seats: int, text: str) -> tuple[str, ...]:
    """Return the texts of weights files that combine the weights in ``text`` with each of :data:`SETTINGS_TO_TRY`.

    Raises InvalidValueError if ``text`` is not a valid weights file of the game.
    """
    numbers = parse_weights(text, game, seats).values
    return tuple(
        format_weights(game, seats, LearnedWeights(numbers, *settings)) for settings in SETTINGS_TO_TRY
    )


def shipped_file_name(game: BasicGame, seats: int) -> str:
    """Return the file name of the weights supplied with the program for a game with ``seats`` seats."""
    return f"{settings_key(game, seats).replace('/', '_')}.txt"


def user_file_name(game: BasicGame, seats: int) -> str:
    """Return the name of a game's weights file in the user's folder.

    The name depends on the rules, the size and the number of seats.
    """
    rules = json.dumps([to_plain_data(game._item), game.size, seats], default=str)
    return f"{sha256(rules.encode('utf-8', 'surrogatepass')).hexdigest()[:24]}.txt"


def get_weights(game: BasicGame, seats: int) -> LearnedWeights | None:
    """Return the weights of a game, or None if it cannot learn or has no valid weights.

    The user's own weights take precedence over those shipped with the program. The result is cached with the game, so
    the files are read only once; :func:`set_weights` replaces it.
    """
    cache: dict[Any, Any] = game.cache
    if (WEIGHTS_CACHE_KEY, seats) not in cache:
        cache[WEIGHTS_CACHE_KEY, seats] = None
        if not explain_cannot_learn(game, seats):
            _load_weights(game, seats)
    weights: LearnedWeights | None = cache[WEIGHTS_CACHE_KEY, seats]
    return weights


def _load_weights(game: BasicGame, seats: int) -> None:
    """Load the user's weights or, if these aren't usable, the shipped ones, and cache them with the game.

    Weights are usable if their file can be read and was made for the same rules. The cache must already contain an
    entry for the weights, which is None; it stays None if no usable weights are found. If a file is ignored, the reason
    is cached, too. If both files are ignored, only the reason for the second one is kept.
    """
    places = [files("shibumi3d.rules.marbles.search") / "weights" / shipped_file_name(game, seats)]
    if game.learned_folder:
        places.insert(0, Path(game.learned_folder) / user_file_name(game, seats))
    for path in places:
        if game.cache[WEIGHTS_CACHE_KEY, seats] is None and path.is_file():
            try:
                with path.open("rb") as file:
                    data = file.read(MAX_FILE_BYTES + 1)
                if len(data) > MAX_FILE_BYTES:
                    raise InvalidValueError("{game}: these weights are damaged", game=game.title)
                game.cache[WEIGHTS_CACHE_KEY, seats] = parse_weights(data.decode("ascii"), game, seats)
            except (OSError, ValueError) as problem:
                reason = problem.message if isinstance(problem, InvalidValueError) else None
                game.cache[IGNORED_CACHE_KEY, seats] = reason or Message(
                    "{game}: these weights are damaged", game=game.title
                )


def explain_ignored_weights(game: BasicGame, seats: int) -> Message | None:
    """Return why a game's weights files are ignored, or None if no reason is known.

    If several are ignored, return the reason for the last one. Return None if the game has usable weights, if it has no
    weights file, if the files were not read because :func:`set_weights` was called first, or if the game cannot learn.
    """
    if get_weights(game, seats) is not None:
        return None
    result: Message | None = game.cache.get((IGNORED_CACHE_KEY, seats))
    return result


def set_weights(game: BasicGame, seats: int, weights: LearnedWeights | None) -> None:
    """Use ``weights`` for a game with ``seats`` seats from now on, or no learned weights if ``weights`` is None."""
    game.cache[WEIGHTS_CACHE_KEY, seats] = weights
