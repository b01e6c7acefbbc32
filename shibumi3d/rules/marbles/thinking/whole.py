"""Solving games that have few positions, by a table of the results of all positions.

The number of positions is small if only two things matter: which points are filled, up to the symmetries of the rules,
and how many marbles of each colour lie in certain sets of points (see :func:`.relevance.counted`). The stored table
holds the keys of the positions in which the side to move loses; from any won position, a move leads to one of these.
``python -m tools certificates`` creates it.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING

from shibumi3d.rules.marbles.basic import BasicGame
from shibumi3d.rules.marbles.engine.rules import WORK
from shibumi3d.rules.marbles.thinking.relevance import counted
from shibumi3d.rules.marbles.thinking.symmetry import alike

if TYPE_CHECKING:
    from shibumi3d.rules.marbles.engine.fast import FastGame

BYTES = 6
"""Size of a stored key, in bytes."""


class TooMany(Exception):
    """Raised if a game has too many positions, or if too many details of a position matter."""


class Keys:
    """Keys of positions at the start of a turn, in a two-player game."""

    def __init__(self, game: BasicGame, fast: FastGame) -> None:
        """Prepare to calculate keys.

        Raises :class:`TooMany` if too many details of a position matter.
        """
        self.machine = fast.machine
        known = counted(fast.machine.rules)
        if known is None:
            raise TooMany
        self.sets, self.blind = known.sets, known.blind
        points = game.start(2)._rules.pyramid.count
        self._step = (points + 7) // 8 * 256
        # A symmetry would map the sets to other ones.
        images = () if self.sets else alike(game, 2).images
        base = fast.machine.rules.colours * self._step
        self._images = [image[base : base + self._step] for image in images]

    def key(self) -> int:
        """Return the key of the current position.

        Positions that agree in everything that matters for the rest of the match have the same key.
        """
        m = self.machine
        board = m.board
        filled = board.filled
        lie = [word.v for word in board.by_colour] if self.sets else []
        told = (
            min(self._turned(image, filled) for image in self._images) if self._images else filled,
            [int(each & lying).bit_count() for each in self.sets for lying in lie],
            [] if self.blind else [word.v for row in m.stocks for word in row],
            [word.v for word in m.tallies],
            (m.mover, m.stuck, m.passed, m.idle),
        )
        return int.from_bytes(blake2b(repr(told).encode(), digest_size=BYTES).digest(), "big")

    @staticmethod
    def _turned(image: list[int], filled: int) -> int:
        found = at = 0
        while filled:
            found ^= image[at + (filled & 255)]
            filled >>= 8
            at += 256
        return found


class Look:
    """Exhaustive search from the current position that remembers the value of each position."""

    def __init__(self, game: BasicGame, fast: FastGame, every: bool = False) -> None:
        """Prepare a search.

        If ``every`` is set, the search visits all positions instead of stopping at the first winning move.
        """
        self.fast, self.every = fast, every
        self.keys = Keys(game, fast)
        self.left = 0
        """Remaining work budget, in the unit used for rules."""
        self.worth: dict[int, int] = {}
        """Value of each position for the side to move, by key: lost (-1), drawn (0) or won (1)."""

    @property
    def lost(self) -> set[int]:
        """Keys of the positions in which the side to move loses."""
        return {key for key, worth in self.worth.items() if worth < 0}

    def ask(self) -> int:
        """Return the value of the position for the seat to move: -1, 0 or 1.

        Raises :class:`TooMany` if the work limit is exceeded; the engine is then left in an arbitrary position.
        """
        if self.fast.machine.step:
            return self._best(self.fast.seat, set(), self.every)
        key = self.keys.key()
        if key not in self.worth:
            self.worth[key] = self._best(self.fast.seat, set(), self.every)
        return self.worth[key]

    def holding(self) -> int:
        """Return a move that preserves the value returned by :meth:`ask`.

        Raises :class:`TooMany` in the same case as :meth:`ask`.
        """
        worth, seat = self.ask(), self.fast.seat
        codes: list[int] = self.fast.choices()
        for code in codes:
            self.fast.make(code)
            kept = self._after(seat, set(), False) == worth
            self.fast.unmake()
            if kept:
                return code
        raise AssertionError("nothing brings what the position is worth")

    def _after(self, seat: int, met: set[int], every: bool) -> int | None:
        """Return the value for ``seat`` after the last move, or None if the position is in ``met``."""
        fast = self.fast
        result = fast.result()
        if result is not None:
            return {1 << seat: 1, 2 >> seat: -1}.get(result.winners, 0)
        begins = not fast.machine.step
        key = self.keys.key() if begins else -1 - fast.key()
        if key in met:
            return None
        met.add(key)
        if not begins:
            return self._best(seat, met, every)
        return self.ask() if fast.seat == seat else -self.ask()

    def _best(self, seat: int, met: set[int], every: bool) -> int:
        """Return the best value that a seat can reach with the rest of its turn.

        Positions in ``met`` have been visited in this turn and are not searched again.
        """
        fast, machine, best = self.fast, self.fast.machine, -1
        codes = fast.choices()
        self.left -= WORK - machine.work
        if self.left < 0:
            raise TooMany
        for code in codes:
            fast.make(code)
            self.left -= WORK - machine.work
            worth = self._after(seat, met, every)
            fast.unmake()
            if worth is not None and worth > best:
                best = worth
                if best > 0 and not every:
                    break
        return best


class TableMaker(Look):
    """Exhaustive search that visits every reachable position of a game to build its table."""

    def __init__(self, game: BasicGame) -> None:
        """Prepare the search.

        Raises :class:`TooMany` if too many details of a position matter.
        """
        super().__init__(game, game.fast(2), every=True)
        self.game = game

    def make(self, work: int) -> int:
        """Search the whole game; return the value of the initial position for the first player.

        Raises :class:`TooMany` if it takes more than ``work``.
        """
        self.fast.load(self.game.start(2))
        self.left = work
        return self.ask()
