"""Certificates: stored proofs of who wins a two-player game.

A certificate is a set of position keys. In each of these positions, the loser is to move and loses: after any reply,
the winner either can reach another position in the set or has a win that is quick to prove. Walking through a
certificate therefore verifies it. A player who follows a certificate never needs a proof that takes longer than a move
may take.

For small games, the set holds all positions in which the side to move loses, whichever side that is (see
:mod:`.whole`). The value of every reachable position is then known.

``python -m tools certificates`` creates the files.
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
"""Maximum work for proving a win that no certificate covers.

It is less than the strongest level spends on a move.
"""
SURE = NEAR // 3
"""Maximum work for proving a win while a certificate is made.

It is lower than :data:`NEAR` because the same proof may take more work when the position is rotated or mirrored.
"""
WIN = 2
WHOLE = 2
"""Value used in place of the winner if the keys cover all positions that the side to move loses."""


def name_of(game: BasicGame) -> str:
    """Return the file name of the certificate for a game of its current size and variant."""
    return f"{game.id}-{game.size}{'-' + game.variant.replace(' ', '-') if game.variant else ''}.bin"


@cache
def _read(name: str) -> tuple[int, frozenset[int]] | None:
    """Return the winner (or :data:`WHOLE`) and the keys from a certificate file.

    Return None if the file is missing or damaged.
    """
    path = files("shibumi3d.rules.marbles.thinking") / FOLDER / name
    if not path.is_file():
        return None
    data = path.read_bytes()
    if len(data) % BYTES != 1 or data[0] > WHOLE:
        return None
    rest = range(1, len(data), BYTES)
    return data[0], frozenset(int.from_bytes(data[at : at + BYTES], "big") for at in rest)


def known(game: BasicGame) -> tuple[int, frozenset[int]] | None:
    """Return the winner of a game (or :data:`WHOLE`) and the keys of its certificate.

    Return None if the game has no certificate. Games written by users and games with several boards never have one.
    """
    return _read(name_of(game)) if len(game.start(2)._rules.board_names) == 1 else None


def written(winner: int, keys: set[int]) -> bytes:
    """Return the content of a certificate file.

    It is one byte for the winner, followed by the sorted keys in big-endian order, :data:`BYTES` bytes each.
    """
    return bytes([winner]) + b"".join(key.to_bytes(BYTES, "big") for key in sorted(keys))


class Certificate:
    """A loaded certificate, with its own engine for walking through it.

    ``winner`` is the seat that the certificate proves to win. If ``whole`` is set, the certificate covers all positions
    of the game, and its keys are computed by :class:`.whole.Keys`.
    """

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
        """Keys of the positions visited so far."""
        self.near = 0
        """Number of positions in which the certificate offers the winner no move."""

    def load(self, state: Any) -> None:
        """Load a state into the engine."""
        self.fast.load(state)

    def key(self) -> int:
        """Return the key of the current position in the form that certificates store."""
        if self._whole is not None:
            return self._whole.key()
        return int(self.prover.key()) & ((1 << 8 * BYTES) - 1)

    def keeping(self) -> list[int]:
        """Return the winner's moves that win at once or follow the certificate.

        A move follows the certificate if it leads to one of the stored positions, if necessary with further moves in
        the same turn.
        """
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
        """Return whether the winner can be proved to win with at most ``work``."""
        prover = self.engine.Prover(self.fast.machine, self.alike)
        prover.work = work
        return bool(prover.prove(self.winner, WIN) == self.engine.YES)

    def holes(self, near: Callable[[], bool]) -> Iterator[list[int]]:
        """Walk through the certificate from the current position; yield the path to each gap.

        A path is a list of moves. A gap is a position in which the certificate offers the winner no move and ``near()``
        returns False, or a finished match that the winner has not won. If there are no gaps, the certificate proves the
        win.
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
    """Return whether the certificate proves that ``seat`` loses, and the seat's winning moves.

    ``state`` is a full state consistent with ``view``. The moves are given as texts. If there is no certificate, or if
    it does not cover the position, the result is ``(False, ())``.
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
    """Builder of certificates from proofs that a player wins.

    A certificate contains only those positions of a proof that are too far from the end to be proved again during a
    match.
    """

    def __init__(self, game: BasicGame, winner: int, tell: Callable[[str], None]) -> None:
        self.keys: set[int] = set()
        self.walker = walker = Certificate(game, winner, self.keys)
        self.tell = tell
        self.covered: set[int] = set()
        self.prover = walker.engine.Prover(walker.fast.machine, walker.alike)
        """Prover for all proofs, so that each can use the positions proved by earlier ones."""
        self.looked = 0
        """Number of positions searched in proofs."""

    def make(self, work: int) -> bool:
        """Prove that the winner wins from the start of the game, and collect the keys.

        Return False if no proof was found. If the other player begins, each of the first moves needs a proof of its
        own; ``work`` is the limit for each proof.
        """
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
        """Close the gaps in the certificate; return whether it is then complete.

        There is a gap where a win was quick to prove in one orientation of the board but isn't in another.
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
        """Add the keys needed from the current position, which has been proved to be won."""
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
        """Play a winning turn, and store the resulting position and the keys needed from there.

        The turn is then taken back.
        """
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
        """Return a move that preserves the winner's win, repeating the proof if necessary."""
        holding = self.prover.holding()
        if not holding:
            self.prover.prove(self.walker.winner, WIN)
            holding = self.prover.holding()
        return int(holding[0])
