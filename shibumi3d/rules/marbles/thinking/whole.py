"""Whole games as a table, where all their positions are few: who wins is known wherever a turn begins.

Positions are few where little of them matters: which points are filled, in any orientation that the rules keep, and
how many marbles of each colour lie in some sets (see :func:`.relevance.counted`). The table holds the keys of those in
which whoever is to move loses; from any other, that wins, one of these can be reached. Made by
``python -m tools.certificates``.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import Any

from shibumi3d.rules.marbles.basic import BasicGame
from shibumi3d.rules.marbles.engine.rules import WORK
from shibumi3d.rules.marbles.thinking.relevance import counted
from shibumi3d.rules.marbles.thinking.symmetry import alike

BYTES = 6
"""Of each key so many are kept."""


class TooMany(Exception):
    """There are more positions than a table should hold, or they can't be told apart by little."""


class Keys:
    """The keys of positions of a game for two at which turns begin, on a machine."""

    def __init__(self, game: BasicGame, fast: Any) -> None:
        """Raises :class:`TooMany` where what matters of a position is not known to be little."""
        self.machine = fast.machine
        known = counted(fast.machine.rules)
        if known is None:
            raise TooMany
        self.sets, self.blind = known.sets, known.blind
        points = game.start(2)._rules.pyramid.count
        self._step = (points + 7) // 8 * 256
        # Sets that are turned are other sets.
        images = () if self.sets else alike(game, 2).images
        base = fast.machine.rules.colours * self._step
        self._images = [image[base : base + self._step] for image in images]

    def key(self) -> int:
        """Return the key of the position at which the machine stands; equal where the rest of the match is."""
        m = self.machine
        board = m.board
        filled = board.filled
        lie = [word.v for word in board.by_colour] if self.sets else []
        told = (
            min(self._turned(image, filled) for image in self._images) if self._images else filled,
            [(each & lying).bit_count() for each in self.sets for lying in lie],
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
    """Looks at what can be reached from where a machine stands, and remembers what each position is worth."""

    def __init__(self, game: BasicGame, fast: Any, every: bool = False) -> None:
        """``every``: look at all positions, also where it is known already that whoever is to move wins."""
        self.fast, self.every = fast, every
        self.keys = Keys(game, fast)
        self.left = 0
        """The work that may still be spent, as rules count it."""
        self.worth: dict[int, int] = {}
        """By key what a position brings whoever is to move: lost (-1), drawn (0) or won (1)."""

    @property
    def lost(self) -> set[int]:
        """The keys of positions in which whoever is to move loses."""
        return {key for key, worth in self.worth.items() if worth < 0}

    def ask(self) -> int:
        """Return what the position is worth to whoever chooses.

        Raises :class:`TooMany` when the work does not suffice; then the machine stands anywhere.
        """
        if self.fast.machine.step:
            return self._best(self.fast.seat, set(), self.every)
        key = self.keys.key()
        if key not in self.worth:
            self.worth[key] = self._best(self.fast.seat, set(), self.every)
        return self.worth[key]

    def holding(self) -> int:
        """Return a choice that keeps what :meth:`ask` finds. Raises as that does."""
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
        """What a choice brings a seat, which has just been made; None where it leads to what was met."""
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
        """The best that a seat can make of the turn from here on; of what it has met nothing more is asked."""
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
    """Makes the table of a game: looks at every position that can be reached."""

    def __init__(self, game: BasicGame) -> None:
        """Raises :class:`TooMany` where what matters of a position is not known to be little."""
        super().__init__(game, game.fast(2), every=True)
        self.game = game

    def make(self, work: int) -> int:
        """Return what the start brings whoever begins. Raises :class:`TooMany` when so much work does not suffice."""
        self.fast.load(self.game.start(2))
        self.left = work
        return self.ask()
