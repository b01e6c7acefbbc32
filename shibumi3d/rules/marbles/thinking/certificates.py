"""Certificates: who wins a game for two, as the positions that the winner plays to.

A certificate holds keys of positions in which the other is to move and loses. Whatever the other does there, either one
of these positions can be reached again, or the win is near enough to be proved at once. So a certificate proves itself
to whoever walks it, and whoever plays by it needs no proof that takes longer than a move. Of a game that is small, all
positions are kept in which whoever is to move loses, whoever that is (see :mod:`.whole`): then every position that can
be reached is known. Made by ``python -m tools certificates``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from importlib.resources import files
from typing import Any

from shibumi3d.rules.marbles.basic import BasicGame
from shibumi3d.rules.marbles.engines import engine_of
from shibumi3d.rules.marbles.notation import text_of
from shibumi3d.rules.marbles.state import State
from shibumi3d.rules.marbles.thinking.symmetry import alike
from shibumi3d.rules.marbles.thinking.whole import BYTES, Keys

FOLDER = "solved"
NEAR = 1_200_000
"""What proving a win that is near may cost, as rules count work: less than the strongest player spends on a choice."""
SURE = NEAR // 3
"""With what a certificate is made: other orientations of the same position take more or less work."""
WIN = 2
WHOLE = 2
"""In place of a winner: the keys are those of all positions in which whoever is to move loses."""


def name_of(game: BasicGame) -> str:
    """Return the name of the file of a game in one form."""
    return f"{game.id}-{game.size}{'-' + game.variant.replace(' ', '-') if game.variant else ''}.bin"


@cache
def _read(name: str) -> tuple[int, frozenset[int]] | None:
    """The winner of the game of a file (or :data:`WHOLE`), and the keys; None when there is no such file, or a damaged
    one."""
    path = files("shibumi3d.rules.marbles.thinking") / FOLDER / name
    if not path.is_file():
        return None
    data = path.read_bytes()
    if len(data) % BYTES != 1 or data[0] > WHOLE:
        return None
    rest = range(1, len(data), BYTES)
    return data[0], frozenset(int.from_bytes(data[at : at + BYTES], "big") for at in rest)


def known(game: BasicGame) -> tuple[int, frozenset[int]] | None:
    """Return who wins a game (or :data:`WHOLE`), and the keys of its certificate; None when there is none.

    Games that people wrote have none.
    """
    return _read(name_of(game)) if len(game.start(2)._rules.board_names) == 1 else None


def written(winner: int, keys: set[int]) -> bytes:
    """Return the content of the file of a certificate."""
    return bytes([winner]) + b"".join(key.to_bytes(BYTES, "big") for key in sorted(keys))


class Certificate:
    """A certificate and a machine of its own on which it is looked at; ``winner`` is a seat, ``whole`` whether its keys
    are those of the whole game."""

    def __init__(
        self, game: BasicGame, winner: int, keys: frozenset[int] | set[int], whole: bool = False
    ) -> None:
        self.game, self.winner, self.keys = game, winner, keys
        self.engine = engine_of(game.size)
        self.fast = game.fast(2)
        self.alike = alike(game, 2)
        self.prover = self.engine.Prover(self.fast.machine, self.alike)
        self._whole = Keys(game, self.fast) if whole else None
        self.seen: set[int] = set()
        """Keys of positions that were looked at."""
        self.near = 0
        """How many wins were near enough to be proved at once."""

    def load(self, state: Any) -> None:
        """Set the machine to a state."""
        self.fast.load(state)

    def key(self) -> int:
        """Return the key of the position, as a certificate keeps it."""
        if self._whole is not None:
            return self._whole.key()
        return int(self.prover.key()) & ((1 << 8 * BYTES) - 1)

    def keeping(self) -> list[int]:
        """Return the choices of the winner that win, or that lead within the turn to a position of the certificate."""
        return [code for code in self.fast.choices() if self._keeps(code)]

    def _keeps(self, code: int) -> bool:
        self.fast.make(code)
        result = self.fast.result()
        if result is not None:
            kept = bool(result.winners == 1 << self.winner)
        elif self.fast.seat == self.winner:
            kept = any(map(self._keeps, self.fast.choices()))
        else:
            kept = self.key() in self.keys
        self.fast.unmake()
        return kept

    def proves(self, work: int = NEAR) -> bool:
        """Return whether the winner is proved to win from here at a cost of ``work``."""
        prover = self.engine.Prover(self.fast.machine, self.alike)
        prover.work = work
        return bool(prover.prove(self.winner, WIN) == self.engine.YES)

    def holes(self, near: Callable[[], bool]) -> Iterator[list[int]]:
        """Walk the certificate from where the machine stands; yield the ways to positions from which it knows no way
        on.

        Those that are proved at once, as ``near`` says, are left out; there are none when it proves that the winner
        wins.
        """
        yield from self._holes(near, [])

    def _holes(self, near: Callable[[], bool], way: list[int]) -> Iterator[list[int]]:
        result = self.fast.result()
        if result is not None:
            if result.winners != 1 << self.winner:
                yield list(way)
            return
        key = self.key()
        if key in self.seen:
            return
        self.seen.add(key)
        codes = self.fast.choices()
        if self.fast.seat == self.winner:
            codes = self.keeping()[:1]
            if not codes:
                self.near += 1
                if not near():
                    yield list(way)
                return
        for code in codes:
            self.fast.make(code)
            way.append(code)
            yield from self._holes(near, way)
            way.pop()
            self.fast.unmake()


def certain(game: BasicGame, view: State, state: State, seat: int) -> tuple[bool, tuple[str, ...]]:
    """Return what the certificate of a game says of a whole ``state`` that looks like the ``view`` of a seat, if there
    is one: whether the seat has lost, and the texts of the choices that keep a win.
    """
    certificate = known(game)
    if certificate is None:
        return False, ()
    winner, keys = certificate
    whole = winner == WHOLE
    walker = Certificate(game, seat if whole else winner, keys, whole)
    walker.load(state)
    if (whole or winner != seat) and not view.step and walker.key() in keys:
        return True, ()
    if not whole and winner != seat:
        return False, ()
    board = state._at.board_index
    return False, tuple([text_of(view._rules, code, board) for code in walker.keeping()])


class CertificateMaker:
    """Makes a certificate: proves, and keeps of the proof what is too far from the end to be proved in play."""

    def __init__(self, game: BasicGame, winner: int, tell: Callable[[str], None]) -> None:
        self.keys: set[int] = set()
        self.walker = walker = Certificate(game, winner, self.keys)
        self.tell = tell
        self.covered: set[int] = set()
        self.prover: Any = walker.engine.Prover(walker.fast.machine, walker.alike)
        """What it finds of one opening serves the others."""
        self.looked = 0
        """Positions looked at in proofs."""

    def make(self, work: int) -> bool:
        """Prove that the winner wins from the start, one position after another; return False when one was given up."""
        walker = self.walker
        walker.load(walker.game.start(2))
        if walker.fast.seat == walker.winner:
            return self._prove(work) and self.mend(work)
        met: set[int] = set()
        for code in walker.fast.choices():
            walker.fast.make(code)
            key = walker.key()
            done = key in met or self._prove(work)
            met.add(key)
            walker.fast.unmake()
            if not done:
                return False
        self.keys.add(walker.key())
        return self.mend(work)

    def mend(self, work: int) -> bool:
        """Walk what was made, and keep more where a win was near in one orientation and is not in another; return
        whether all is proved.
        """
        walker, start = self.walker, self.walker.game.start(2)
        while True:
            walk = Certificate(walker.game, walker.winner, self.keys)
            walk.load(start)
            holes = list(walk.holes(walk.proves))
            self.tell(f"{walk.near} wins near, {len(holes)} of them not proved")
            if not holes:
                return True
            for way in holes:
                walker.load(start)
                for code in way:
                    walker.fast.make(code)
                self.prover.work = work
                if self.prover.prove(walker.winner, WIN) != walker.engine.YES:
                    return False
                self._lead_on()

    def _prove(self, work: int) -> bool:
        walker = self.walker
        self.prover.work = work
        found = self.prover.prove(walker.winner, WIN)
        self.looked = self.prover.looked
        self.tell(f"{self.prover.looked} positions: {'won' if found == walker.engine.YES else 'not proved'}")
        if found != walker.engine.YES:
            return False
        self.prover.work = work
        self._cover()
        self.tell(f"{len(self.keys)} positions kept")
        return True

    def _cover(self) -> None:
        """Keep what is needed from here on, where the winner is proved to win."""
        walker = self.walker
        key = walker.key()
        if walker.fast.result() is not None or key in self.covered:
            return
        self.covered.add(key)
        if walker.fast.seat != walker.winner:
            for code in walker.fast.choices():
                walker.fast.make(code)
                self._cover()
                walker.fast.unmake()
        elif not (walker.proves(SURE) or walker.keeping()):
            self._lead_on()

    def _lead_on(self) -> None:
        """Keep the position to which a turn of the winner leads, and what is needed from there on."""
        walker = self.walker
        number = 0
        while walker.fast.result() is None and walker.fast.seat == walker.winner:
            walker.fast.make(self._holding())
            number += 1
        self.keys.add(walker.key())
        self._cover()
        for _ in range(number):
            walker.fast.unmake()

    def _holding(self) -> int:
        """A choice of the winner that keeps the win."""
        holding = self.prover.holding()
        if not holding:
            self.prover.prove(self.walker.winner, WIN)
            holding = self.prover.holding()
        return int(holding[0])
