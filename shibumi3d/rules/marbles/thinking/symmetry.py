"""Symmetries of the rules of a game, found by testing those of the board in random matches."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from shibumi3d.rules.errors import RuleFailure
from shibumi3d.rules.marbles.basic import BasicGame
from shibumi3d.rules.marbles.engine.board import key_of_cells, marble_key
from shibumi3d.rules.marbles.engine.rules import ENTER, POINTS, SET, Alike, Rules, Snapshot
from shibumi3d.rules.marbles.engines import engine_of
from shibumi3d.rules.marbles.pyramid import Pyramid
from shibumi3d.rules.marbles.thinking.relevance import relevant

if TYPE_CHECKING:
    from shibumi3d.rules.marbles.engine.fast import FastGame
    from shibumi3d.rules.marbles.engines import Engine

MATCHES = 40
"""Number of random matches in which a symmetry is tested."""
FEW_MATCHES = 12
"""Number of random matches that test an approximate symmetry."""
MOSTLY = 0.9
"""Fraction of the tested turns for which an approximate symmetry must hold."""
TURNS = 2
"""Number of turns at the end of a match that are all tested; earlier, every fifth turn is tested."""
LONGEST = 200
"""Number of turns after which a random match is abandoned."""


SEEN_ALIKE = frozenset({"Bool", "Colours", "Int", "Seats"})
"""Types of variables whose values no rotation or reflection of the board changes."""


def alike(game: BasicGame, seats: int) -> Alike:
    """Return the equivalences between positions of a game; they are cached with the game."""
    kept: Alike | None = game.kept.get(("alike", seats))
    if kept is None:
        tables = found(game, seats)
        rules = game.start(seats)._rules
        kept = relevant(rules)._replace(images=tuple(tables), names=_vars(rules)) if tables else Alike()
        game.kept["alike", seats] = kept
    return kept


def _vars(rules: Rules) -> tuple[int, ...]:
    """Return the slots of variables that may change from turn to turn but that no symmetry changes."""
    found: list[int] = []
    for one in rules.starts:
        if not one.mark and one.type in SEEN_ALIKE:
            found += range(one.slot, one.slot + (rules.seats if one.by_seat else 1))
    return tuple(found)


def found(game: BasicGame, seats: int) -> list[list[int]]:
    """Return a table for each symmetry of the rules, the identity first.

    A table has an entry for each byte of a mask of points, as described at :class:`~.engine.rules.Alike`. A symmetry is
    accepted if, in :data:`MATCHES` matches, the legal moves and their results are the same up to the symmetry. The list
    is empty if there is no symmetry but the identity, if the game has several boards or lasting marks, or if turns
    begin with different values of anything else that a symmetry might change.
    """
    rules = game.start(seats)._rules
    if len(rules.board_names) > 1 or rules.lasting_marks:
        return []
    same, turn, *others = every = ways(rules.pyramid)
    mirror = others.pop(2)
    kept = _kept_by(game, seats, [turn, mirror])
    if kept is None:
        return []
    # A quarter turn and a reflection generate all the others.
    kept = every if len(kept) == 2 else [same, *kept, *(_kept_by(game, seats, others) or [])]
    return [_table(rules.pyramid, rules.colours, way) for way in kept] if len(kept) > 1 else []


def kept_mostly(game: BasicGame, seats: int) -> list[tuple[int, ...]]:
    """Return the approximate symmetries of the rules as maps of points, the identity first.

    The legal moves and their results must nearly always be the same, both during matches and at their ends. That is
    good enough for an evaluation but not for a proof. For games with several boards, only the identity is returned.
    """
    rules = game.start(seats)._rules
    same, *others = ways(rules.pyramid)
    if len(rules.board_names) > 1:
        return [same]
    engine, fast = engine_of(game.size), game.fast(seats, seed=5)
    fast.load(game.start(seats))
    begin = engine.save(fast.machine)
    tried = [0, 0]
    kept = {way: [0, 0] for way in others}
    for _ in range(FEW_MATCHES):
        engine.load(fast.machine, begin)
        turns: list[tuple[Snapshot, list[int]]] = []
        while fast.result() is None and len(turns) < LONGEST:
            at = engine.save(fast.machine)
            if at.step == 0:
                turns.append((at, []))
            if turns:
                turns[-1][1].append(fast.sample())
                fast.make(turns[-1][1][-1])
            else:
                fast.make(fast.sample())
        if not turns:
            continue
        for at, codes in [*turns[:-1:8], *turns[-1:]]:
            last = codes is turns[-1][1]
            tried[last] += 1
            for way, agreed in kept.items():
                try:
                    agreed[last] += _kept(engine, fast, at, codes, way)
                except RuleFailure:
                    continue
    return [
        same,
        *(
            way
            for way, agreed in kept.items()
            if all(a >= MOSTLY * t for a, t in zip(agreed, tried, strict=True))
        ),
    ]


def _kept_by(game: BasicGame, seats: int, left: Sequence[tuple[int, ...]]) -> list[tuple[int, ...]] | None:
    """Return those of the given symmetries that hold in all matches.

    Return None if turns begin with different values of anything outside the board that a symmetry might change.
    """
    engine = engine_of(game.size)
    fast = game.fast(seats, seed=5)
    kept = list(left)
    named = _vars(fast.machine.rules)
    fixed = [i for i in range(fast.machine.rules.var_names) if i not in named]
    still: set[Any] = set()
    fast.load(game.start(seats))
    begin = engine.save(fast.machine)
    for _ in range(MATCHES):
        engine.load(fast.machine, begin)
        turns: list[tuple[Snapshot, list[int]]] = []
        while fast.result() is None and len(turns) < LONGEST:
            at = engine.save(fast.machine)
            if at.step == 0:
                names = [at.names[i] for i in fixed]
                still.add((*names, at.next_seat, at.held, at.frames, at.prints, at.game_number, at.history))
                if len(still) > 1:
                    return None
                turns.append((at, []))
            turns[-1][1].append(fast.sample())
            fast.make(turns[-1][1][-1])
        # The last turns are the most informative: what wins on one side of the board may not win on another.
        for at, codes in [*turns[:-TURNS:5], *turns[-TURNS:]]:
            kept = [way for way in kept if _kept(engine, fast, at, codes, way)]
    return kept


def ways(pyramid: Pyramid) -> list[tuple[int, ...]]:
    """Return the eight symmetries of a pyramid as maps from point to point, the identity first."""
    found = []
    for mirrored in (False, True):
        for turns in range(4):
            moved = []
            for point in range(pyramid.count):
                level, x, y = pyramid.level[point], pyramid.file[point], pyramid.rank[point]
                side = pyramid.size - level
                if mirrored:
                    x = side - 1 - x
                for _ in range(turns):
                    x, y = side - 1 - y, x
                moved.append(pyramid.index[f"{chr(65 + level)}{chr(97 + x)}{y + 1}"])
            found.append(tuple(moved))
    return found


def turned(mask: int, way: Sequence[int]) -> int:
    """Return the image of a mask of points under a symmetry."""
    found = 0
    while mask:
        low = mask & -mask
        found |= 1 << way[low.bit_length() - 1]
        mask ^= low
    return found


def _turned(at: Snapshot, way: Sequence[int]) -> Snapshot:
    """Return the image of a snapshot at the start of a turn under a symmetry."""
    cells, filled, playable, marks = at.boards[0]
    cells = tuple([turned(mask, way) for mask in cells])
    board = (cells, turned(filled, way), turned(playable, way), tuple([turned(mask, way) for mask in marks]))
    return at._replace(
        boards=(board,), began=((board[1], key_of_cells(0, cells)),), taken=turned(at.taken, way)
    )


def _code(code: int, way: Sequence[int]) -> int:
    """Return the image of a move under a symmetry, or -1 if it cannot be determined."""
    kind = code & 15
    if kind <= SET:
        return code & ~(511 << 7) | way[code >> 7 & 511] << 7
    if kind == POINTS:
        return code & 255 | turned(code >> 8, way) << 8
    return -1 if kind == ENTER else code


def _kept(engine: Engine, fast: FastGame, at: Snapshot, codes: Sequence[int], way: Sequence[int]) -> bool:
    """Return whether a symmetry preserves the legal moves in a turn and the result of the turn."""
    m = fast.machine
    engine.load(m, at)
    offered = fast.choices()
    for code in codes:
        fast.make(code)
    one = engine.save(m)
    engine.load(m, _turned(at, way))
    if m.rules.saved_names > m.rules.var_names:
        engine.reopen(m)
    if sorted(fast.choices()) != sorted(_code(code, way) for code in offered):
        return False
    for code in codes:
        if _code(code, way) not in fast.choices():
            return False
        fast.make(_code(code, way))
    two = engine.save(m)
    if (one.result is None) != (two.result is None):
        return False
    if one.result is not None and two.result is not None and one.result[:2] != two.result[:2]:
        return False
    cells = tuple([turned(mask, way) for mask in one.boards[0][0]])
    vars_kept = one.names[: m.rules.var_names] == two.names[: m.rules.var_names]
    return bool(cells == two.boards[0][0] and one.stocks == two.stocks and vars_kept)


def _table(pyramid: Pyramid, colours: int, way: Sequence[int]) -> list[int]:
    """Return the hash table for the images of marbles under a symmetry.

    For each colour, and then for marbles whose colour does not matter, there are 256 entries for each byte of a mask.
    An entry is what the images of the marbles in that byte contribute to the key (Zobrist 1970).
    """
    found = []
    for colour in range(colours + 1):
        for byte in range((pyramid.count + 7) // 8):
            for value in range(256):
                key = 0
                for bit in range(8):
                    point = byte * 8 + bit
                    if value >> bit & 1 and point < pyramid.count:
                        key ^= marble_key(0, way[point], colour)
                found.append(key)
    return found
