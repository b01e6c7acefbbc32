"""Solving games that have few positions, with a table of the results of all positions.

The number of positions is small if only two things matter: which points are filled, up to the symmetries of the rules,
and how many marbles of each colour lie in certain sets of points (see :func:`.find_counted_details`). The stored table
holds the keys of the positions in which the side to move loses; in every won position, some turn wins at once or leads
to one of these. ``python -m tools certificates`` creates it.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING

from shibumi3d.rules.marbles.basic import BasicGame
from shibumi3d.rules.marbles.engine.rules import WORK_BUDGET
from shibumi3d.rules.marbles.search.relevance import find_counted_details
from shibumi3d.rules.marbles.search.symmetry import get_equivalence

if TYPE_CHECKING:
    from shibumi3d.rules.marbles.engine.fast_game import FastGame


KEY_BYTES = 6
"""Size of a stored key, in bytes."""


class TooManyPositions(Exception):
    """Raised if a search exceeds its work limit or doesn't support the rules of the game."""


class PositionKeys:
    """Calculator of keys for positions at the start of a turn in a two-player game.

    The keys identify positions in tables that cover a whole game. They exist only for games in which few details of a
    position matter (see :func:`.find_counted_details`).
    """

    def __init__(self, game: BasicGame, fast: FastGame) -> None:
        """Prepare to calculate keys.

        Raises :class:`TooManyPositions` if :func:`.find_counted_details` doesn't support the game's rules.
        """
        self.machine = fast.machine
        known = find_counted_details(fast.machine.rules)
        if known is None:
            raise TooManyPositions
        self.point_sets, self.ignores_stocks = known.point_sets, known.ignores_stocks
        points = game.start(2)._rules.pyramid.point_count
        self._table_length = (points + 7) // 8 * 256
        # A symmetry would map the sets to other ones.
        images = () if self.point_sets else get_equivalence(game, 2).symmetry_tables
        base = fast.machine.rules.colour_count * self._table_length
        self._symmetry_tables = [image[base : base + self._table_length] for image in images]

    def position_key(self) -> int:
        """Return the key of the current position, a hash of :data:`KEY_BYTES` bytes.

        The key covers the filled points, the stocks, the tallies, the seat whose turn it is, whether it is stuck, and
        the record of recent passes. It also covers how many marbles of each colour lie in each of ``point_sets``, the
        sets of points in which this number matters. Stocks are left out if the rules don't depend on them. If
        ``point_sets`` is empty, otherwise equal positions whose filled points differ only by a symmetry of the rules
        have the same key. Apart from very rare collisions, positions that differ in anything that matters have
        different keys.
        """
        m = self.machine
        board = m.board
        filled = board.filled
        lie = [word.value for word in board.by_colour] if self.point_sets else []
        details = (
            min(self._hash_transformed(image, filled) for image in self._symmetry_tables)
            if self._symmetry_tables
            else filled,
            [int(point_set & lying).bit_count() for point_set in self.point_sets for lying in lie],
            [] if self.ignores_stocks else [word.value for row in m.stocks for word in row],
            [word.value for word in m.tallies],
            (m.mover, m.is_stuck, m.passed_seats, m.idle_count),
        )
        return int.from_bytes(blake2b(repr(details).encode(), digest_size=KEY_BYTES).digest(), "big")

    @staticmethod
    def _hash_transformed(image: list[int], filled: int) -> int:
        result = at = 0
        while filled:
            result ^= image[at + (filled & 255)]
            filled >>= 8
            at += 256
        return result


class PositionTableSearch:
    """Exhaustive search of a two-player game, starting from the current position of ``fast``.

    It remembers the values of the positions at the start of a turn, so that it evaluates each of them only once.
    """

    def __init__(self, game: BasicGame, fast: FastGame, visits_all: bool = False) -> None:
        """Prepare a search that starts in the current position of ``fast``.

        If ``visits_all`` is set, the search visits all positions that can follow; otherwise, the search of each turn
        stops at the first winning move. Set :attr:`work_left`, which is 0 at first, before searching. Raises
        :class:`TooManyPositions` if :func:`.find_counted_details` returns None for the rules.
        """
        self.fast, self.visits_all = fast, visits_all
        self.keys = PositionKeys(game, fast)
        self.work_left = 0
        """Remaining work, in the unit of the rules' work budget."""
        self.values: dict[int, int] = {}
        """Value of each position for the side to move, by key: lost (-1), drawn (0) or won (1)."""

    @property
    def lost_keys(self) -> set[int]:
        """Keys of the evaluated positions in which the side to move loses."""
        return {key for key, worth in self.values.items() if worth < 0}

    def evaluate(self) -> int:
        """Return the value of the position for the seat to move: lost (-1), drawn (0) or won (1).

        Raises :class:`TooManyPositions` if the work limit is exceeded; the engine's position is then arbitrary.
        """
        if self.fast.machine.choices_made:
            return self._best_value(self.fast.seat_to_move, set(), self.visits_all)
        key = self.keys.position_key()
        if key not in self.values:
            self.values[key] = self._best_value(self.fast.seat_to_move, set(), self.visits_all)
        return self.values[key]

    def best_move(self) -> int:
        """Return the code of a move that preserves the value returned by :meth:`evaluate`.

        Raises :class:`TooManyPositions` in the same case as :meth:`evaluate`.
        """
        value, seat = self.evaluate(), self.fast.seat_to_move
        codes: list[int] = self.fast.choices()
        for code in codes:
            self.fast.make(code)
            keeps_value = self._value_after(seat, set(), False) == value
            self.fast.unmake()
            if keeps_value:
                return code
        raise AssertionError("no move keeps the value of the position")

    def _value_after(self, seat: int, visited: set[int], visits_all: bool) -> int | None:
        """Return the value of the current position for ``seat``, or None if the position is in ``visited``.

        The value is -1 (lost), 0 (drawn) or 1 (won). The position is added to ``visited`` unless the match is over. For
        ``visits_all``, see :meth:`_best_value`. Raises :class:`TooManyPositions` if the work limit is exceeded; the
        engine's position is then arbitrary.
        """
        fast = self.fast
        result = fast.result()
        if result is not None:
            return {1 << seat: 1, 2 >> seat: -1}.get(result.winners, 0)
        begins = not fast.machine.choices_made
        key = self.keys.position_key() if begins else -1 - fast.position_hash()
        if key in visited:
            return None
        visited.add(key)
        if not begins:
            return self._best_value(seat, visited, visits_all)
        return self.evaluate() if fast.seat_to_move == seat else -self.evaluate()

    def _best_value(self, seat: int, visited: set[int], visits_all: bool) -> int:
        """Return the best value that a seat can achieve with the rest of its turn.

        The value is -1 (lost), 0 (drawn) or 1 (won). Positions in ``visited`` have been visited in this turn and are
        not searched again; if all moves lead to such positions, the result is -1. Unless ``visits_all`` is set, the
        search of this turn stops at the first winning move. Raises :class:`TooManyPositions` if the work limit is
        exceeded.
        """
        fast, machine, best = self.fast, self.fast.machine, -1
        codes = fast.choices()
        self.work_left -= WORK_BUDGET - machine.work_left
        if self.work_left < 0:
            raise TooManyPositions
        for code in codes:
            fast.make(code)
            self.work_left -= WORK_BUDGET - machine.work_left
            value = self._value_after(seat, visited, visits_all)
            fast.unmake()
            if value is not None and value > best:
                best = value
                if best > 0 and not visits_all:
                    break
        return best


class PositionTableMaker(PositionTableSearch):
    """Exhaustive search that builds a table of the values of all reachable positions at the start of a turn."""

    def __init__(self, game: BasicGame) -> None:
        """Prepare the search.

        Raises :class:`TooManyPositions` if :func:`.find_counted_details` returns None for the rules of the game.
        """
        super().__init__(game, game.make_fast_game(2), visits_all=True)
        self.game = game

    def make(self, max_work: int) -> int:
        """Search the whole game and return the value of the initial position for the first player.

        The value is -1 (lost), 0 (drawn) or 1 (won). Raises :class:`TooManyPositions` if the search takes more than
        ``max_work`` units of work.
        """
        self.fast.load(self.game.start(2))
        self.work_left = max_work
        return self.evaluate()
