"""Symmetries of the board and of the rules (found in random matches), and the reply that mirrors a move."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from shibumi3d.rules.errors import RuleFailure
from shibumi3d.rules.marbles.basic import BasicGame
from shibumi3d.rules.marbles.colours import COLOURS
from shibumi3d.rules.marbles.engine.board import hash_cells, zobrist_key
from shibumi3d.rules.marbles.engine.rules import ENTER, POINTS, SET, PositionEquivalence, Rules, Snapshot
from shibumi3d.rules.marbles.engines import get_engine
from shibumi3d.rules.marbles.move import Move
from shibumi3d.rules.marbles.pyramid import Pyramid
from shibumi3d.rules.marbles.search.relevance import find_equivalence

if TYPE_CHECKING:
    from shibumi3d.rules.marbles.engine.fast_game import FastGame
    from shibumi3d.rules.marbles.engines import Engine


TEST_MATCHES = 40
"""Number of random matches in which a symmetry is tested."""
APPROXIMATE_TEST_MATCHES = 12
"""Number of random matches in which an approximate symmetry is tested."""
MIN_AGREEMENT_FRACTION = 0.9
"""Minimum fraction of the tested turns for which an approximate symmetry must hold."""
FINAL_TURNS_TESTED = 2
"""Number of turns at the end of a match that are all tested for exact symmetries.

Of the earlier turns, every fifth is tested.
"""
MAX_TEST_TURNS = 200
"""Maximum length of a random match, in turns."""


INVARIANT_TYPE_NAMES = frozenset({"Bool", "Colours", "Int", "Seats"})
"""Types of variables whose values no rotation or reflection of the board changes."""


def get_equivalence(game: BasicGame, seats: int) -> PositionEquivalence:
    """Return the equivalences between positions of a game; they are cached with the game.

    If :func:`find_symmetry_tables` returns no tables, the result is an empty PositionEquivalence.
    """
    equivalence: PositionEquivalence | None = game.cache.get(("alike", seats))
    if equivalence is None:
        tables = find_symmetry_tables(game, seats)
        rules = game.start(seats)._rules
        equivalence = (
            find_equivalence(rules)._replace(
                symmetry_tables=tuple(tables), var_indices=_invariant_variable_slots(rules)
            )
            if tables
            else PositionEquivalence()
        )
        game.cache["alike", seats] = equivalence
    return equivalence


def _invariant_variable_slots(rules: Rules) -> tuple[int, ...]:
    """Return the slots of the variables whose types guarantee that no symmetry changes their values.

    :data:`INVARIANT_TYPE_NAMES` contains these types. Marks and lists are left out. A variable with a value for each
    seat has a slot for each seat.
    """
    result: list[int] = []
    for initial_value in rules.initial_values:
        if not initial_value.is_mark and initial_value.type_name in INVARIANT_TYPE_NAMES:
            result += range(
                initial_value.slot, initial_value.slot + (rules.seats if initial_value.by_seat else 1)
            )
    return tuple(result)


def find_symmetry_tables(game: BasicGame, seats: int) -> list[list[int]]:
    """Return a table for each symmetry of the rules, the identity first.

    For each colour, and then for marbles whose colour is ignored, a table has 256 entries for each byte of a mask of
    points, as described at :class:`~shibumi3d.rules.marbles.engine.rules.PositionEquivalence`. A symmetry is tested on
    a sample of the turns of :data:`TEST_MATCHES` random matches. It is accepted if it preserves the legal moves and the
    effect of the moves played in each of these turns. If a quarter turn and a reflection are both accepted, so are all
    other symmetries, because these two generate them.

    The list is empty if there is no symmetry but the identity, or if the game has several boards or lasting marks. It
    is also empty if anything outside the board that a symmetry might change, such as a variable that holds points,
    isn't the same at the start of every turn in these matches.
    """
    rules = game.start(seats)._rules
    if len(rules.board_names) > 1 or rules.lasting_marks:
        return []
    same, turn, *others = every = board_symmetries(rules.pyramid)
    mirror = others.pop(2)
    accepted = _filter_exact_symmetries(game, seats, [turn, mirror])
    if accepted is None:
        return []
    # A quarter turn and a reflection generate all the others.
    accepted = (
        every
        if len(accepted) == 2
        else [same, *accepted, *(_filter_exact_symmetries(game, seats, others) or [])]
    )
    return (
        [_symmetry_table(rules.pyramid, rules.colour_count, way) for way in accepted]
        if len(accepted) > 1
        else []
    )


def find_approximate_symmetries(game: BasicGame, seats: int) -> list[tuple[int, ...]]:
    """Return the approximate symmetries of the rules as maps of points, the identity first.

    They are tested in :data:`APPROXIMATE_TEST_MATCHES` random matches: in the last turn of each match, and in a sample
    of the earlier turns. A symmetry is accepted if it preserves the legal moves and their results in at least the
    fraction :data:`MIN_AGREEMENT_FRACTION` of these last turns, and in at least the same fraction of the earlier ones.
    That is good enough for an evaluation but not for a proof. For games with several boards, only the identity is
    returned.
    """
    rules = game.start(seats)._rules
    same, *others = board_symmetries(rules.pyramid)
    if len(rules.board_names) > 1:
        return [same]
    engine, fast = get_engine(game.size), game.make_fast_game(seats, seed=5)
    fast.load(game.start(seats))
    begin = engine.save_snapshot(fast.machine)
    tried = [0, 0]
    counts_by_symmetry = {way: [0, 0] for way in others}
    for _ in range(APPROXIMATE_TEST_MATCHES):
        engine.load_snapshot(fast.machine, begin)
        turns: list[tuple[Snapshot, list[int]]] = []
        while fast.result() is None and len(turns) < MAX_TEST_TURNS:
            snapshot = engine.save_snapshot(fast.machine)
            if snapshot.choices_made == 0:
                turns.append((snapshot, []))
            if turns:
                turns[-1][1].append(fast.random_move())
                fast.make(turns[-1][1][-1])
            else:
                fast.make(fast.random_move())
        if not turns:
            continue
        for snapshot, codes in [*turns[:-1:8], *turns[-1:]]:
            last = codes is turns[-1][1]
            tried[last] += 1
            for way, agreed in counts_by_symmetry.items():
                try:
                    agreed[last] += _preserves_turn(engine, fast, snapshot, codes, way)
                except RuleFailure:
                    continue
    return [
        same,
        *(
            way
            for way, agreed in counts_by_symmetry.items()
            if all(a >= MIN_AGREEMENT_FRACTION * t for a, t in zip(agreed, tried, strict=True))
        ),
    ]


def _filter_exact_symmetries(
    game: BasicGame, seats: int, symmetries: Sequence[tuple[int, ...]]
) -> list[tuple[int, ...]] | None:
    """Return those ``symmetries`` that hold in a sample of the turns of random matches.

    The sample comes from :data:`TEST_MATCHES` matches. Some values outside the board might change under a symmetry.
    Return None if any of these values isn't the same at the start of every turn.
    """
    engine = get_engine(game.size)
    fast = game.make_fast_game(seats, seed=5)
    accepted = list(symmetries)
    named = _invariant_variable_slots(fast.machine.rules)
    fixed = [i for i in range(fast.machine.rules.var_count) if i not in named]
    still: set[object] = set()
    fast.load(game.start(seats))
    begin = engine.save_snapshot(fast.machine)
    for _ in range(TEST_MATCHES):
        engine.load_snapshot(fast.machine, begin)
        turns: list[tuple[Snapshot, list[int]]] = []
        while fast.result() is None and len(turns) < MAX_TEST_TURNS:
            snapshot = engine.save_snapshot(fast.machine)
            if snapshot.choices_made == 0:
                names = [snapshot.name_values[i] for i in fixed]
                still.add(
                    (
                        *names,
                        snapshot.next_seat,
                        snapshot.held_marble,
                        snapshot.loop_values,
                        snapshot.checkpoints,
                        snapshot.game_number,
                        snapshot.history,
                    )
                )
                if len(still) > 1:
                    return None
                turns.append((snapshot, []))
            turns[-1][1].append(fast.random_move())
            fast.make(turns[-1][1][-1])
        # The last turns are the most informative: what wins on one side of the board may not win on another.
        for snapshot, codes in [*turns[:-FINAL_TURNS_TESTED:5], *turns[-FINAL_TURNS_TESTED:]]:
            accepted = [way for way in accepted if _preserves_turn(engine, fast, snapshot, codes, way)]
    return accepted


def board_symmetries(pyramid: Pyramid) -> list[tuple[int, ...]]:
    """Return the eight symmetries of a pyramid as maps from point to point, the identity first."""
    result = []
    for mirrored in (False, True):
        for turns in range(4):
            moved = []
            for point in range(pyramid.point_count):
                level, x, y = pyramid.level[point], pyramid.file[point], pyramid.rank[point]
                side = pyramid.size - level
                if mirrored:
                    x = side - 1 - x
                for _ in range(turns):
                    x, y = side - 1 - y, x
                moved.append(pyramid.point_by_name[f"{chr(65 + level)}{chr(97 + x)}{y + 1}"])
            result.append(tuple(moved))
    return result


def transform_mask(mask: int, symmetry: Sequence[int]) -> int:
    """Return the image of a mask of points under a symmetry.

    ``symmetry`` contains the image of each point, in the order of the points.
    """
    result = 0
    while mask:
        low = mask & -mask
        result |= 1 << symmetry[low.bit_length() - 1]
        mask ^= low
    return result


def _transform_snapshot(snapshot: Snapshot, symmetry: Sequence[int]) -> Snapshot:
    """Return the image of a snapshot under a symmetry.

    The snapshot must have a single board and must have been taken at the start of a turn. The marbles, the playable
    points and the marks on the board are transformed, and ``turn_start`` is recomputed from the transformed marbles.
    Everything else, such as the values of names, is kept unchanged.
    """
    cells, filled, playable, marks = snapshot.boards[0]
    cells = tuple([transform_mask(mask, symmetry) for mask in cells])
    board = (
        cells,
        transform_mask(filled, symmetry),
        transform_mask(playable, symmetry),
        tuple([transform_mask(mask, symmetry) for mask in marks]),
    )
    return snapshot._replace(
        boards=(board,),
        turn_start=((board[1], hash_cells(0, cells)),),
    )


def _transform_move_code(code: int, symmetry: Sequence[int]) -> int:
    """Return the code of a move's image under a symmetry, or -1 if it cannot be determined."""
    kind = code & 15
    if kind <= SET:
        return code & ~(511 << 7) | symmetry[code >> 7 & 511] << 7
    if kind == POINTS:
        return code & 255 | transform_mask(code >> 8, symmetry) << 8
    return -1 if kind == ENTER else code


def _preserves_turn(
    engine: Engine, fast: FastGame, snapshot: Snapshot, codes: Sequence[int], symmetry: Sequence[int]
) -> bool:
    """Return whether a symmetry preserves the legal moves in ``snapshot`` and the effect of ``codes``.

    ``snapshot`` must have been taken at the start of a turn on a single board; ``codes`` are moves that are played from
    there. After them, the marbles, the stocks, the variables and, if the match is over, the winners and scores are
    compared. The position in the machine of ``fast`` changes.
    """
    m = fast.machine
    engine.load_snapshot(m, snapshot)
    offered = fast.choices()
    for code in codes:
        fast.make(code)
    end_snapshot = engine.save_snapshot(m)
    engine.load_snapshot(m, _transform_snapshot(snapshot, symmetry))
    if m.rules.saved_name_count > m.rules.var_count:
        engine.restart_turn(m)
    if sorted(fast.choices()) != sorted(_transform_move_code(code, symmetry) for code in offered):
        return False
    for code in codes:
        if _transform_move_code(code, symmetry) not in fast.choices():
            return False
        fast.make(_transform_move_code(code, symmetry))
    image_end_snapshot = engine.save_snapshot(m)
    if (end_snapshot.result is None) != (image_end_snapshot.result is None):
        return False
    if (
        end_snapshot.result is not None
        and image_end_snapshot.result is not None
        and end_snapshot.result[:2] != image_end_snapshot.result[:2]
    ):
        return False
    cells = tuple([transform_mask(mask, symmetry) for mask in end_snapshot.boards[0][0]])
    vars_kept = (
        end_snapshot.name_values[: m.rules.var_count] == image_end_snapshot.name_values[: m.rules.var_count]
    )
    return bool(
        cells == image_end_snapshot.boards[0][0]
        and end_snapshot.stocks == image_end_snapshot.stocks
        and vars_kept
    )


def _symmetry_table(pyramid: Pyramid, colours: int, symmetry: Sequence[int]) -> list[int]:
    """Return the table of Zobrist keys for the images of marbles under a symmetry.

    The table has a section for each colour, and a last one for marbles whose colour does not matter. A section has 256
    entries for each byte of a mask, one for each value of the byte. An entry is what the images of the marbles at the
    byte's set bits contribute to the key (Zobrist 1970).
    """
    result = []
    for colour in range(colours + 1):
        for byte in range((pyramid.point_count + 7) // 8):
            for value in range(256):
                key = 0
                for bit in range(8):
                    point = byte * 8 + bit
                    if value >> bit & 1 and point < pyramid.point_count:
                        key ^= zobrist_key(0, symmetry[point], colour)
                result.append(key)
    return result


WHITE, BLACK = COLOURS.index("white"), COLOURS.index("black")
OPPOSITE_COLOUR = {WHITE: BLACK, BLACK: WHITE}


def find_mirrored_move(pyramid: Pyramid, move: Move, moves: Iterable[Move]) -> Move | None:
    """Return the move in ``moves`` that copies ``move``, rotated by 180° on the board, or None.

    If possible, white and black are exchanged; otherwise, the copy has the colour of ``move``. If copies on several
    boards are possible, the one on the board of ``move`` is preferred.
    """
    open_ = sorted(moves, key=lambda one: one.board != move.board)
    half = board_symmetries(pyramid)[2]
    point = half[move.point] if move.point >= 0 else -1
    side = move.side ^ 1 if move.side >= 0 else -1  # swap west with east, south with north
    value = transform_mask(move.value, half) if move.kind == "points" else move.value
    for colour in dict.fromkeys((OPPOSITE_COLOUR.get(move.colour, move.colour), move.colour)):
        for one in open_:
            if (one.kind, one.point, one.side, one.value, one.colour, one.label) == (
                move.kind, point, side, value, colour, move.label,
            ):  # fmt: skip
                return one
    return None
