"""Certificates: stored proofs of who wins a two-player game.

A certificate is a set of position keys. In each of these positions, the loser is to move and loses: after any move,
the winner either can reach another position in the set or has a win that is quick to prove. Walking through a
certificate therefore verifies it. A player who follows a certificate never needs a proof that takes longer than a move
may take.

For small games, the set holds all positions in which the side to move loses, whichever side that is (see
:mod:`.position_table`). The value of every reachable position is then known.

A second file, of replies, holds more positions in which the side to move loses. They are reached in the first few
turns, even if either side makes mistakes. The replies cover wins that are slow to prove and that the certificate lacks,
because they don't come up if its winner follows it.

``python -m tools certificates`` creates the files.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from shibumi3d.rules.marbles.basic import BasicGame
from shibumi3d.rules.marbles.engines import get_engine
from shibumi3d.rules.marbles.notation import choice_text
from shibumi3d.rules.marbles.search.position_table import (
    KEY_BYTES,
    PositionKeys,
    PositionTableSearch,
    TooManyPositions,
)
from shibumi3d.rules.marbles.search.relevance import find_counted_details
from shibumi3d.rules.marbles.search.symmetry import get_equivalence
from shibumi3d.rules.marbles.state import State

if TYPE_CHECKING:
    from shibumi3d.rules.marbles.engine.fast_game import FastGame

CERTIFICATE_FOLDER = "solved"
MAX_PLAY_PROOF_WORK = 10_000_000
"""Maximum number of units of work for proving a win that no certificate covers.

It is less than the strongest level spends on a move.
"""
MAX_STORAGE_PROOF_WORK = MAX_PLAY_PROOF_WORK // 3
"""Maximum number of units of work for proving a win that a certificate leaves out because it is quick to prove.

It is lower than :data:`MAX_PLAY_PROOF_WORK` because the same proof may take more work when the position is rotated or
mirrored.
"""
WIN = 2
ALL_POSITIONS = 2
"""Value used in place of the winner if the keys cover all positions in which the side to move loses."""


def certificate_file_name(game: BasicGame) -> str:
    """Return the file name of the certificate for a game in its current size and variant."""
    return f"{game.id}-{game.size}{'-' + game.variant.replace(' ', '-') if game.variant else ''}.bin"


def replies_file_name(game: BasicGame) -> str:
    """Return the file name of the replies for a game in its current size and variant."""
    return certificate_file_name(game).replace(".bin", "-replies.bin")


@cache
def _read_certificate(name: str) -> tuple[int, frozenset[int]] | None:
    """Return the winner (or :data:`ALL_POSITIONS`) and the keys from the certificate file called ``name``.

    Returns None if there is no such file, or if its length or its first byte is invalid.
    """
    path = files("shibumi3d.rules.marbles.search") / CERTIFICATE_FOLDER / name
    if not path.is_file():
        return None
    data = path.read_bytes()
    if len(data) % KEY_BYTES != 1 or data[0] > ALL_POSITIONS:
        return None
    rest = range(1, len(data), KEY_BYTES)
    return data[0], frozenset(int.from_bytes(data[at : at + KEY_BYTES], "big") for at in rest)


def load_certificate(game: BasicGame) -> tuple[int, frozenset[int]] | None:
    """Return the winning seat and the keys from a game's certificate.

    The first value is :data:`ALL_POSITIONS` instead of a seat if the keys cover all positions in which the side to move
    loses. Return None if the game has no certificate, or if the length or the first byte of its file is invalid. Games
    with several boards never have one, nor do games written by users, even if they share their id with a built-in game.
    Raises InvalidValueError if a built-in game can't be played by two.
    """
    if (game.meta or {}).get("own") or len(game.start(2)._rules.board_names) != 1:
        return None
    return _read_certificate(certificate_file_name(game))


def load_replies(game: BasicGame) -> frozenset[int]:
    """Return the keys of the replies stored for a game, or an empty set if there are none.

    The set is also empty if the length or the first byte of the file is invalid; other damage isn't detected. The game
    must be one that has a certificate; this isn't checked.
    """
    _, keys = _read_certificate(replies_file_name(game)) or (ALL_POSITIONS, frozenset())
    return keys


def encode_certificate(winner: int, keys: set[int]) -> bytes:
    """Return the content of a certificate file or of a file of replies.

    It is one byte for ``winner``, a seat or :data:`ALL_POSITIONS`, followed by the sorted keys, each of them
    :data:`KEY_BYTES` bytes in big-endian order.
    """
    return bytes([winner]) + b"".join(key.to_bytes(KEY_BYTES, "big") for key in sorted(keys))


class Certificate:
    """A set of position keys that proves a win, with a fast game for walking through it.

    ``winner`` is the seat whose winning moves are looked up. ``keys`` are the keys of positions in which the side to
    move loses. Only those in which the other seat is to move are used to look up winning moves. If ``keys`` is a set
    rather than a frozenset, more keys can be added to it while the certificate is in use. If ``covers_all`` is set,
    ``keys`` cover all positions of the game in which the side to move loses, and keys are computed by
    :class:`.PositionKeys`.
    """

    def __init__(
        self, game: BasicGame, winner: int, keys: frozenset[int] | set[int], covers_all: bool = False
    ) -> None:
        self.game, self.winner, self.keys = game, winner, keys
        self.engine = get_engine(game.size)
        self.fast = game.make_fast_game(2)
        self.equivalence = get_equivalence(game, 2)
        self.prover = self.engine.ProofNumberSearch(self.fast.machine, self.equivalence)
        self._position_keys = PositionKeys(game, self.fast) if covers_all else None
        self.visited_keys: set[int] = set()
        """Keys of the positions visited so far."""
        self.uncovered_count = 0
        """Number of positions in which the certificate offers the winner no move."""

    def load(self, state: State) -> None:
        """Make ``state`` the current position."""
        self.fast.load(state)

    def position_key(self) -> int:
        """Return the key of the current position in the form that certificates store."""
        if self._position_keys is not None:
            return self._position_keys.position_key()
        return int(self.prover.position_key()) & ((1 << 8 * KEY_BYTES) - 1)

    def winning_moves(self) -> list[int]:
        """Return the moves with which the winner can reach its goal before the other seat is to move.

        The goal is a win or a stored position. The winner must be the seat to move. A move is included even if the
        winner needs further moves to reach the goal.
        """
        return [code for code in self.fast.choices() if self._keeps_win(code)]

    def _keeps_win(self, code: int) -> bool:
        self.fast.make(code)
        result = self.fast.result()
        if result is not None:
            keeps_win = bool(result.winners == 1 << self.winner)
        elif self.fast.seat_to_move == self.winner:
            keeps_win = any(map(self._keeps_win, self.fast.choices()))
        else:
            keeps_win = self.position_key() in self.keys
        self.fast.unmake()
        return keeps_win

    def can_prove_win(self, max_work: int = MAX_PLAY_PROOF_WORK) -> bool:
        """Return whether the winner's win can be proved with at most ``max_work`` units of work.

        The proof starts from the current position.
        """
        prover = self.engine.ProofNumberSearch(self.fast.machine, self.equivalence)
        prover.work_left = max_work
        return bool(prover.prove(self.winner, WIN) == self.engine.YES)

    def find_gaps(self, can_prove: Callable[[], bool]) -> Iterator[list[int]]:
        """Walk through the certificate from the current position, and yield the path to each gap.

        A path is a list of moves. A gap is a position in which the certificate offers the winner no move and
        ``can_prove`` returns False, or a finished match that the winner has not won. ``can_prove`` is called while the
        position in question is the current one.

        Positions that have been visited before, even by an earlier call, are skipped. If neither this call nor an
        earlier one finds a gap, the win is proved.
        """
        yield from self._find_gaps_from(can_prove, [])

    def _find_gaps_from(self, can_prove: Callable[[], bool], path: list[int]) -> Iterator[list[int]]:
        result = self.fast.result()
        if result is not None:
            if result.winners != 1 << self.winner:
                yield list(path)
            return
        key = self.position_key()
        if key in self.visited_keys:
            return
        self.visited_keys.add(key)
        codes = self.fast.choices()
        if self.fast.seat_to_move == self.winner:
            codes = self.winning_moves()[:1]
            if not codes:
                self.uncovered_count += 1
                if not can_prove():
                    yield list(path)
                return
        for code in codes:
            self.fast.make(code)
            path.append(code)
            yield from self._find_gaps_from(can_prove, path)
            path.pop()
            self.fast.unmake()


def look_up_certificate(
    game: BasicGame, view: State, state: State, seat: int
) -> tuple[bool, tuple[str, ...]]:
    """Return whether ``seat`` is proved to lose, and the texts of its proved winning moves.

    ``seat`` is the seat to move, and ``state`` is a full state consistent with ``view``. The proof is the game's
    certificate or the replies stored for the game. A loss is recognized only at the start of a turn. If there is no
    certificate, or if nothing is found, the result is ``(False, ())``.
    """
    certificate = load_certificate(game)
    if certificate is None:
        return False, ()
    winner, keys = certificate
    covers_all = winner == ALL_POSITIONS
    walker = Certificate(game, seat if covers_all else winner, keys, covers_all)
    walker.load(state)
    if not view.step and walker.position_key() in keys:
        return True, ()
    codes = walker.winning_moves() if covers_all or winner == seat else []
    if not codes and not covers_all and (replies := load_replies(game)):
        walker.winner, walker.keys = seat, replies
        if not view.step and walker.position_key() in replies:
            return True, ()
        codes = walker.winning_moves()
    board = state._snapshot.board_index
    return False, tuple([choice_text(view._rules, code, board) for code in codes])


class CertificateMaker:
    """Builder of a certificate from proofs that ``winner`` wins.

    A certificate contains only those positions of a proof that are too far from the end to be proved again during a
    match. ``on_progress`` is called with texts that report the progress.
    """

    def __init__(self, game: BasicGame, winner: int, on_progress: Callable[[str], None]) -> None:
        self.keys: set[int] = set()
        self.walker = walker = Certificate(game, winner, self.keys)
        self.on_progress = on_progress
        self.covered_keys: set[int] = set()
        self.prover = walker.engine.ProofNumberSearch(walker.fast.machine, walker.equivalence)
        """Prover for all proofs, so that each can use the positions proved by earlier ones."""
        self.positions_searched = 0
        """Number of positions searched in proofs."""

    def collect_proof(self, max_work: int) -> bool:
        """Try to prove that the winner wins from the start of the game, and collect the certificate's keys.

        Return whether the certificate is complete afterwards. If the other player begins, every position after the
        first move needs a proof; equivalent positions share one. ``max_work`` is the maximum number of units of work
        for each proof.
        """
        walker = self.walker
        walker.load(walker.game.start(2))
        if walker.fast.seat_to_move == walker.winner:
            return self._prove(max_work) and self.close_gaps(max_work)
        seen_keys: set[int] = set()
        for code in walker.fast.choices():
            walker.fast.make(code)
            key = walker.position_key()
            done = key in seen_keys or self._prove(max_work)
            seen_keys.add(key)
            walker.fast.unmake()
            if not done:
                return False
        self.keys.add(walker.position_key())
        return self.close_gaps(max_work)

    def close_gaps(self, max_work: int) -> bool:
        """Try to close the gaps in the certificate; return whether it is complete afterwards.

        A gap is a position in which the certificate offers the winner no move and the win isn't quick to prove (see
        :meth:`Certificate.find_gaps`). Gaps arise because a win is left out of the certificate if it is quick to prove
        in one orientation of the board, although it may take longer to prove in another. ``max_work`` is the maximum
        number of units of work for each proof. If it isn't enough to prove the win in one of the gaps, the result is
        False.
        """
        walker, start = self.walker, self.walker.game.start(2)
        while True:
            walk = Certificate(walker.game, walker.winner, self.keys)
            walk.load(start)
            holes = list(walk.find_gaps(walk.can_prove_win))
            self.on_progress(f"{walk.uncovered_count} wins near, {len(holes)} of them not proved")
            if not holes:
                return True
            for move in holes:
                walker.load(start)
                for code in move:
                    walker.fast.make(code)
                self.prover.work_left = max_work
                if self.prover.prove(walker.winner, WIN) != walker.engine.YES:
                    return False
                self._store_winning_turn()

    def _prove(self, max_work: int) -> bool:
        walker = self.walker
        self.prover.work_left = max_work
        proof_result = self.prover.prove(walker.winner, WIN)
        self.positions_searched = self.prover.positions_searched
        is_won = proof_result == walker.engine.YES
        self.on_progress(f"{self.positions_searched} positions: {'won' if is_won else 'not proved'}")
        if not is_won:
            return False
        self.prover.work_left = max_work
        self._collect_keys()
        self.on_progress(f"{len(self.keys)} positions kept")
        return True

    def _collect_keys(self) -> None:
        """Add to the certificate the keys needed to win from the current position.

        A win from this position must already have been proved.
        """
        walker = self.walker
        key = walker.position_key()
        if walker.fast.result() is not None or key in self.covered_keys:
            return
        self.covered_keys.add(key)
        if walker.fast.seat_to_move != walker.winner:
            for code in walker.fast.choices():
                walker.fast.make(code)
                self._collect_keys()
                walker.fast.unmake()
        elif not (walker.can_prove_win(MAX_STORAGE_PROOF_WORK) or walker.winning_moves()):
            self._store_winning_turn()

    def _store_winning_turn(self) -> None:
        """Store the key of the position after a winning turn, and the keys needed to win from there.

        The turn is played for this purpose, and then taken back.
        """
        walker = self.walker
        number = 0
        while walker.fast.result() is None and walker.fast.seat_to_move == walker.winner:
            walker.fast.make(self._find_winning_move())
            number += 1
        self.keys.add(walker.position_key())
        self._collect_keys()
        for _ in range(number):
            walker.fast.unmake()

    def _find_winning_move(self) -> int:
        """Return a move that preserves the winner's win, repeating the proof if necessary.

        The winner must be the seat to move, and its win must already have been proved. Raises IndexError if the
        prover's remaining work isn't enough to repeat the proof.
        """
        holding = self.prover.winning_choices()
        if not holding:
            self.prover.prove(self.walker.winner, WIN)
            holding = self.prover.winning_choices()
        return int(holding[0])


class ReplyMaker:
    """Collector of replies: the positions that either seat reaches by a winning turn early in a game.

    No reply is collected for a win that is covered by the game's certificate or can be proved quickly enough during a
    match. ``on_progress`` is called with texts that report the progress.
    """

    def __init__(self, game: BasicGame, on_progress: Callable[[str], None]) -> None:
        self.game, self.on_progress = game, on_progress
        self.certificate_winner, self.certificate_keys = load_certificate(game) or (
            ALL_POSITIONS,
            frozenset(),
        )
        self.keys: set[int] = set()
        self.walker = walker = Certificate(game, 0, self.keys)
        self.provers = [
            walker.engine.ProofNumberSearch(walker.fast.machine, walker.equivalence) for _ in range(2)
        ]
        """Provers, one for each seat, which remember what they have proved."""
        self.table: PositionTableSearch | None = None
        """Table of positions, used instead of the provers in games with few positions."""
        if find_counted_details(walker.fast.machine.rules) is not None:
            self.table = PositionTableSearch(game, walker.fast)
        self.unproved_count = 0
        """Number of positions in which neither a win nor its absence could be proved."""
        self.positions_visited = 0
        self._path: tuple[int, ...] = ()
        self._other_fast = game.make_fast_game(2)
        """Copy of the game for searches that must not use what has been searched before."""

    def collect(self, max_turns: int, max_work: int) -> None:
        """Collect replies to the positions reached within the first ``max_turns`` turns.

        Positions from which a computer player can search the rest of the game are skipped. ``max_work`` is the maximum
        number of units of work for each proof.
        """
        paths: list[tuple[int, ...]] = [()]
        seen_keys: set[int] = set()
        for turn in range(max_turns + 1):
            following: list[tuple[int, ...]] = []
            for path in paths:
                self._play(path)
                if self._can_search_all_during_play():
                    continue
                self._store_reply(max_work)
                if turn < max_turns:
                    self._collect_turns(path, seen_keys, following)
            self.positions_visited += len(paths)
            self.on_progress(
                f"after {turn} turns: {len(paths)} positions, {len(self.keys)} replies kept, "
                f"{self.unproved_count} positions not proved"
            )
            paths = following

    def _play(self, path: tuple[int, ...]) -> None:
        self._path = path
        self._replay(self.walker.fast, path)

    def _replay(self, fast: FastGame, path: tuple[int, ...]) -> None:
        fast.load(self.game.start(2))
        for code in path:
            fast.make(code)

    def _collect_turns(
        self, path: tuple[int, ...], seen_keys: set[int], found: list[tuple[int, ...]]
    ) -> None:
        """Append to ``found`` all paths that continue ``path`` to the end of a turn and reach a new position.

        The engine must be in the position after ``path``. If ``path`` ends within a turn, that turn is completed;
        otherwise, the next turn is added. Turns that end the match are left out. ``seen_keys`` contains the keys of the
        positions found before; the keys of new positions are added to it.
        """
        fast = self.walker.fast
        for code in fast.choices():
            fast.make(code)
            longer = (*path, code)
            if fast.machine.choices_made and fast.result() is None:
                self._collect_turns(longer, seen_keys, found)
            elif fast.result() is None and (key := self.walker.position_key()) not in seen_keys:
                seen_keys.add(key)
                found.append(longer)
            fast.unmake()

    def _store_reply(self, max_work: int) -> None:
        """Store the position after a winning turn of the seat to move.

        Nothing is stored if no win can be proved with ``max_work`` units of work, if the certificate or the stored
        replies cover the current position, if a computer player's search would find the win without a stored reply, or
        if the turn ends the match.
        """
        walker = self.walker
        seat = walker.winner = walker.fast.seat_to_move
        key = walker.position_key()
        if key in self.certificate_keys or key in self.keys:
            return
        if seat == self.certificate_winner:
            walker.keys = self.certificate_keys
            if walker.winning_moves():
                return
        walker.keys = self.keys
        if walker.winning_moves() or self._can_prove_win_during_play():
            return
        answer = self._prove_win(seat, max_work)
        if answer is None:
            self.unproved_count += 1
        if not answer:
            return
        number = 0
        while walker.fast.result() is None and walker.fast.seat_to_move == seat:
            walker.fast.make(self._winning_choice(seat, max_work))
            number += 1
        if walker.fast.result() is None:
            self.keys.add(walker.position_key())
        for _ in range(number):
            walker.fast.unmake()

    def _can_search_all_during_play(self) -> bool:
        """Return whether a computer player can search all positions after this one during a match.

        This is so if the search takes at most :data:`MAX_STORAGE_PROOF_WORK` units of work. No reply is then needed in
        any of these positions. Without ``table``, the result is always False.
        """
        return self.table is not None and self._evaluate_anew(visits_all=True) is not None

    def _can_prove_win_during_play(self) -> bool:
        """Return whether the seat to move has a win that a computer player finds without a stored reply.

        This is so if the win can be proved with at most :data:`MAX_STORAGE_PROOF_WORK` units of work. ``walker.winner``
        must be the seat to move.
        """
        if self.table is None:
            return self.walker.can_prove_win(MAX_STORAGE_PROOF_WORK)
        return self._evaluate_anew() == 1

    def _evaluate_anew(self, visits_all: bool = False) -> int | None:
        """Return the value of the position for the seat to move, as found by a search with an empty table.

        The value is -1 (lost), 0 (drawn) or 1 (won). If ``visits_all`` is set, the search visits every position that
        can follow this one. Return None if the search takes more than :data:`MAX_STORAGE_PROOF_WORK` units of work.
        """
        table = PositionTableSearch(self.game, self._other_fast, visits_all)
        self._replay(self._other_fast, self._path)
        table.work_left = MAX_STORAGE_PROOF_WORK
        try:
            return table.evaluate()
        except TooManyPositions:
            return None

    def _prove_win(self, seat: int, max_work: int) -> bool | None:
        """Return whether ``seat`` can force a win, or None if this isn't decided.

        It isn't decided if the proof takes more than ``max_work`` units of work or fills the prover's table of
        positions. The current position must be the one after ``self._path``, with ``seat`` to move. It is the same
        again when the method returns.
        """
        if self.table is not None:
            self.table.work_left = max_work
            try:
                return self.table.evaluate() > 0
            except TooManyPositions:
                self._play(self._path)
                return None
        prover = self.provers[seat]
        prover.work_left = max_work
        answer = prover.prove(seat, WIN)
        return None if answer == self.walker.engine.UNDECIDED else bool(answer == self.walker.engine.YES)

    def _winning_choice(self, seat: int, max_work: int) -> int:
        """Return a choice that preserves the proved win of ``seat``, which must be the seat to move.

        If the proof has to be repeated, at most ``max_work`` units of work are done. If that is not enough, raises
        TooManyPositions (with a table of positions) or IndexError (with a prover).
        """
        if self.table is not None:
            self.table.work_left = max_work
            return self.table.best_move()
        prover = self.provers[seat]
        if not prover.winning_choices():
            prover.work_left = max_work
            prover.prove(seat, WIN)
        return int(prover.winning_choices()[0])
