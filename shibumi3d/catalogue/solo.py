"""Ladders of solo games: deals that are proved winnable, or whose best score is proved, graded into five levels.

The built-in ladders are in ``games/solo``. Each file holds the deals of one game and is named after it. As in the
problem files (:mod:`.problems`), the header identifies the rules under which all proofs were made::

    rules: 0f3a52c19e77
    deals:
      - {id: 1, level: 1, seed: 12, won: {random: 20, pebble: 75}, only: 3, line: "W@Aa1, B@Ab1", work: 190}

``seed``, ``size`` and ``variant`` are those of the match; ``size`` and ``variant`` are given only if they differ from
the usual ones. A deal may begin later than the match does: from a ``position``, after the turns ``moves``, or both.

``line`` is a line of play to a win or, in games played for a score, to the ``best`` score, which is proved to be the
highest possible. ``work`` is the number of moves tried for the proof.

The level comes from measurements. ``won`` gives, for players of various strengths, the percentage of tries in which
they won or reached the best score. ``only`` is the number of turns in the line that contain an only move:
every other move is proved to lose or to miss the best score.
"""

from __future__ import annotations

import json
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING

from shibumi3d import paths
from shibumi3d.catalogue import yaml_parser
from shibumi3d.catalogue.catalogue import SUFFIX, load_catalogue
from shibumi3d.catalogue.fields import FieldReader, check_keys
from shibumi3d.catalogue.notation import format_position, format_turns
from shibumi3d.catalogue.problems import (
    Turn,
    games_with_file,
    quote_scalar,
    read_position,
    read_turns,
    rules_hash,
)
from shibumi3d.i18n import N_, Message
from shibumi3d.rules.errors import GameFileError, ProblemList
from shibumi3d.rules.game import Position, initial_state, match_state_key
from shibumi3d.rules.source import Item
from shibumi3d.rules.source import Problem as Mistake

if TYPE_CHECKING:
    from shibumi3d.catalogue.schema import Entry
    from shibumi3d.rules.game import Game, State

FOLDER = "solo"
LEVELS = (1, 2, 3, 4, 5)
"""Levels of a ladder, from easy to hard."""
DEALS_PER_LEVEL = 20
STRENGTHS = ("random", "pebble", "stone", "river", "mountain", "sky")
"""Players whose win percentages a row may give, from weak to strong."""
HEADER_KEYS = ("rules", "deals")
ROW_KEYS = (
    "id", "level", "seed", "size", "variant", "position", "moves", "best", "won", "only", "line", "work",
)  # fmt: skip
LIMITS = yaml_parser.Limits(size=1024 * 1024, depth=6, items=100_000)


@dataclass(frozen=True, slots=True)
class SoloDeal:
    """A deal of a ladder; the module docstring explains its fields.

    ``id`` is the number of the deal within its game and is never reused. A ``size`` of 0 means the usual size.
    """

    game: str
    id: int
    level: int
    line: tuple[Turn, ...]
    seed: int = 0
    size: int = 0
    variant: str = ""
    position: Position | None = None
    moves: tuple[Turn, ...] = ()
    """The turns played before the deal begins."""
    best: int | None = None
    """The highest possible score, or None if the game can only be won or lost."""
    won: Mapping[str, int] = field(default_factory=dict)
    only: int = 0
    work: int = 0
    rules: str = ""

    @property
    def name(self) -> str:
        """Name of the deal, such as ``spoff#12``."""
        return f"{self.game}#{self.id}"

    @property
    def lead(self) -> tuple[str, ...]:
        """The moves of the turns in :attr:`moves`, one after another."""
        return tuple(move for turn in self.moves for move in turn)

    def load_game(self, entry: Entry) -> Game:
        """Return the game in the size and variant of this deal."""
        return entry.game(size=self.size or None, variant=self.variant)

    def start_state(self, game: Game) -> State:
        """Return the state in which the deal begins.

        Raises IllegalMove if a move in :attr:`lead` is not legal in ``game``, and ValueError if the position is not
        valid.
        """
        state = initial_state(game, 1, self.seed, self.position)
        for move in self.lead:
            state, _ = game.apply(state, move)
        return state

    def start_key(self, game: Game) -> Hashable:
        """Return a key that is equal for deals that are the same to the player.

        In a game without chance, deals with different seeds may be the same. Raises the same errors as
        :meth:`start_state`.
        """
        state = self.start_state(game)
        has_chance = game.facts(1).has_chance
        return self.size, self.variant, match_state_key(state) if has_chance else state.repetition_key

    def to_row(self) -> str:
        """Format the deal as a row of a ladder."""
        parts = [f"id: {self.id}", f"level: {self.level}", f"seed: {self.seed}"]
        parts += [f"size: {self.size}"] if self.size else []
        parts += [f"variant: {quote_scalar(self.variant)}"] if self.variant else []
        parts += [f"position: {quote_scalar(format_position(self.position))}"] if self.position else []
        parts += [f"moves: {quote_scalar(format_turns(self.moves))}"] if self.moves else []
        parts += [f"best: {self.best}"] if self.best is not None else []
        parts.append(f"won: {{{', '.join(f'{name}: {share}' for name, share in self.won.items())}}}")
        parts += [f"only: {self.only}", f"line: {quote_scalar(format_turns(self.line))}"]
        return f"{{{', '.join(parts)}, work: {self.work}}}"


@cache
def games_with_ladder() -> tuple[str, ...]:
    """Return the sorted names of the built-in games that have a ladder, without reading the ladders."""
    return games_with_file(FOLDER)


@cache
def load_ladder(game_name: str) -> tuple[SoloDeal, ...]:
    """Return the deals in the ladder of a built-in game, sorted by level and number.

    The ladder file is read only once. The result is empty if the game has no ladder, or if its rules have changed since
    the deals were proved. Raises :class:`GameFileError` with all errors if the file has any.
    """
    entry = load_catalogue().find(game_name)
    if entry is None or game_name not in games_with_ladder():
        return ()
    name = f"{game_name}{SUFFIX}"
    data = (paths.catalogue_folder() / FOLDER / name).read_bytes()
    deals = parse_ladder_file(data, f"games/{FOLDER}/{name}", game_name)
    if any(deal.rules != rules_hash(entry) for deal in deals):
        return ()
    return tuple(sorted(deals, key=lambda deal: (deal.level, deal.id)))


def format_ladder_file(rules_hash: str, deals: Iterable[SoloDeal]) -> str:
    """Return the content of a ladder file."""
    rows = "".join(f"  - {deal.to_row()}\n" for deal in sorted(deals, key=lambda deal: (deal.level, deal.id)))
    return f"rules: {json.dumps(rules_hash)}\ndeals:\n{rows}"


def parse_ladder_file(data: bytes, file: str, game: str) -> tuple[SoloDeal, ...]:
    """Return the deals in a ladder file of ``game``.

    ``data`` is the content of the file, and ``file`` is its name in messages. Raises :class:`GameFileError`, with all
    errors, if the file has any.
    """
    mistakes = ProblemList()
    item = yaml_parser.parse_yaml(data, file, mistakes, LIMITS)
    found: list[SoloDeal] = []
    if item is not None:
        rows = item.value.get("deals") if isinstance(item.value, dict) else None
        check_keys(item, HEADER_KEYS, Message("key"), mistakes)
        rules = FieldReader(item, mistakes).text("rules")
        if not isinstance(rows, Item) or not isinstance(rows.value, list):
            mistakes.append(Mistake(item.location, N_("deals: expected a list of deals")))
        else:
            read = (_read_deal(row, game, rules, mistakes) for row in rows.value)
            found = [deal for deal in read if deal is not None]
        if len({deal.id for deal in found}) < len(found):
            mistakes.append(Mistake(item.location, N_("two deals have the same number")))
    if mistakes:
        raise GameFileError(mistakes)
    return tuple(found)


def _read_deal(item: Item, game: str, rules_hash: str, mistakes: list[Mistake]) -> SoloDeal | None:
    """Return the deal in the row ``item``, or None if the row is invalid.

    Errors are appended to ``mistakes``.
    """
    if not isinstance(item.value, dict):
        mistakes.append(
            Mistake(item.location, N_("expected a deal, as in {{id: 1, level: 1, seed: 5, line: ...}}"))
        )
        return None
    before = len(mistakes)
    check_keys(item, ROW_KEYS, Message("key"), mistakes)
    for key in ("id", "level", "line"):
        if key not in item.value:
            mistakes.append(Mistake(item.location, N_("a deal needs the key '{key}'"), key=key))
    read = FieldReader(item, mistakes)
    shares = read.mapping("won", STRENGTHS)
    deal = SoloDeal(
        game=game,
        id=read.integer("id", 1, 10**9),
        level=read.integer("level", LEVELS[0], LEVELS[-1]),
        line=read_turns(item, "line", mistakes),
        seed=read.integer("seed", 0, 10**9),
        size=read.integer("size", 1, 100),
        variant=read.text("variant"),
        position=read_position(item, mistakes),
        moves=read_turns(item, "moves", mistakes),
        best=read.integer("best", -(10**6), 10**6) if "best" in item.value else None,
        won={name: shares.integer(name, 0, 100) for name in STRENGTHS if name in shares.entries},
        only=read.integer("only", 0, 10**6),
        work=read.integer("work", 0, 10**12),
        rules=rules_hash,
    )
    return deal if len(mistakes) == before else None
