"""Which ways of turning and mirroring the board the rules keep: found by trying them, not declared."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from shibumi3d.rules.errors import RuleFailure
from shibumi3d.rules.marbles.basic import BasicGame
from shibumi3d.rules.marbles.engine.board import key_of_cells, marble_key
from shibumi3d.rules.marbles.engine.rules import ENTER, POINTS, SET, Alike, Rules, Snapshot
from shibumi3d.rules.marbles.engines import engine_of
from shibumi3d.rules.marbles.pyramid import Pyramid
from shibumi3d.rules.marbles.thinking.relevance import relevant

MATCHES = 40
"""Matches played at random on which a symmetry is tried."""
FEW_MATCHES = 12
"""Matches on which a symmetry is tried that need only be kept mostly."""
MOSTLY = 0.9
"""The part of the moments tried in which a way must be kept to be kept mostly."""
TURNS = 2
"""The last turns of each, which are all tried; of others, each fifth."""
LONGEST = 200
"""Turns after which such a match is left."""


SEEN_ALIKE = frozenset({"Bool", "Colours", "Int", "Seats"})
"""Types of vars that are the same from all sides."""


def alike(game: BasicGame, seats: int) -> Alike:
    """Return what makes positions of a game count as one."""
    kept: Alike | None = game.kept.get(("alike", seats))
    if kept is None:
        tables = found(game, seats)
        rules = game.start(seats)._rules
        kept = relevant(rules)._replace(images=tuple(tables), names=_vars(rules)) if tables else Alike()
        game.kept["alike", seats] = kept
    return kept


def _vars(rules: Rules) -> tuple[int, ...]:
    """The vars that may change from turn to turn and are the same from all sides."""
    found: list[int] = []
    for one in rules.starts:
        if not one.mark and one.type in SEEN_ALIKE:
            found += range(one.slot, one.slot + (rules.seats if one.by_seat else 1))
    return tuple(found)


def found(game: BasicGame, seats: int) -> list[list[int]]:
    """Return for each symmetry of the rules, the identity first, a number for every byte of a set of points.

    :class:`~.engine.rules.Alike` says what these numbers are. There are none where more decides than one board, what
    lies on it and vars. A symmetry counts when in :data:`MATCHES` matches what may be chosen, and what comes of it,
    is the same turned.
    """
    rules = game.start(seats)._rules
    if len(rules.board_names) > 1 or rules.lasting_marks:
        return []
    same, turn, *others = every = ways(rules.pyramid)
    mirror = others.pop(2)
    kept = _kept_by(game, seats, [turn, mirror])
    if kept is None:
        return []
    # A quarter turn and a mirror make all the others.
    kept = every if len(kept) == 2 else [same, *kept, *(_kept_by(game, seats, others) or [])]
    return [_table(rules.pyramid, rules.colours, way) for way in kept] if len(kept) > 1 else []


def kept_mostly(game: BasicGame, seats: int) -> list[tuple[int, ...]]:
    """Return the ways of turning and mirroring that the rules keep but for rare cases, the identity first.

    Enough to judge by, not to prove: a way counts where nearly always the same may be done, and the same comes of it,
    in the midst of matches as at their ends. On several boards it is the identity alone.
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
    """Which of some ways of turning the rules keep in all matches; None where more than what lies on the board
    decides."""
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
        # Ends tell most: what is won on one side of the board may not be on another.
        for at, codes in [*turns[:-TURNS:5], *turns[-TURNS:]]:
            kept = [way for way in kept if _kept(engine, fast, at, codes, way)]
    return kept


def ways(pyramid: Pyramid) -> list[tuple[int, ...]]:
    """Return the eight ways of turning and mirroring a pyramid, the identity first: where each point comes to lie."""
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
    """Return a set of points, each where it comes to lie."""
    found = 0
    while mask:
        low = mask & -mask
        found |= 1 << way[low.bit_length() - 1]
        mask ^= low
    return found


def _turned(at: Snapshot, way: Sequence[int]) -> Snapshot:
    """A moment at the beginning of a turn, turned."""
    cells, filled, playable, marks = at.boards[0]
    cells = tuple([turned(mask, way) for mask in cells])
    board = (cells, turned(filled, way), turned(playable, way), tuple([turned(mask, way) for mask in marks]))
    return at._replace(
        boards=(board,), began=((board[1], key_of_cells(0, cells)),), taken=turned(at.taken, way)
    )


def _code(code: int, way: Sequence[int]) -> int:
    """A choice, turned; -1 where that is not known."""
    kind = code & 15
    if kind <= SET:
        return code & ~(511 << 7) | way[code >> 7 & 511] << 7
    if kind == POINTS:
        return code & 255 | turned(code >> 8, way) << 8
    return -1 if kind == ENTER else code


def _kept(engine: Any, fast: Any, at: Snapshot, codes: Sequence[int], way: Sequence[int]) -> bool:
    """Whether the same may be done at a moment turned, and the same comes of a turn."""
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
    """By colour, and for a colour that does not matter, byte of a set and value of the byte: what the marbles there,
    turned, add to a key."""
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
