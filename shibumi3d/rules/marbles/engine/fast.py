"""The form of a match used for searches, in which moves are numbers and can be undone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, final

from shibumi3d.rules.errors import RuleFailure, Unforeseen
from shibumi3d.rules.marbles.engine.board import mixed
from shibumi3d.rules.marbles.engine.build.program import machine
from shibumi3d.rules.marbles.engine.ends import scores_now
from shibumi3d.rules.marbles.engine.frozen import exact_key, load, save
from shibumi3d.rules.marbles.engine.lookahead import FAILED, key_of, stirred
from shibumi3d.rules.marbles.engine.play import carry_out, choices, play, raw_choices, sampled
from shibumi3d.rules.marbles.engine.playouts import Kept, play_out
from shibumi3d.rules.marbles.engine.rules import PASS, WORK, HasSnapshot, Result, Rules, Snapshot
from shibumi3d.rules.marbles.engine.turns import note_registers
from shibumi3d.rules.marbles.engine.workspace import Machine

if TYPE_CHECKING:
    from mypy_extensions import i64 as M

TURNS: Final = 2_000
"""Default number of turns after which a playout is abandoned."""


@final
class FastGame:
    """A match for use by searches; it maintains only what the rules read.

    It has no events and no marks for display. Moves are choice codes as in :mod:`~shibumi3d.rules.marbles.notation`.
    ``seed`` seeds the random numbers of playouts. Random outcomes in :meth:`make` depend on the seed given to
    :meth:`load` instead.
    """

    def __init__(self, rules: Rules, seed: int = 0) -> None:
        self.machine: Final[Machine] = machine(rules, False)
        self.kept: Final = Kept(self.machine)
        self.marks: list[int] = []
        self.lasted: int = 0
        """Number of turns of the last :meth:`playout`."""
        self.reseed(seed)

    def reseed(self, seed: int) -> None:
        """Reseed the random number generator."""
        m = self.machine
        key: int = mixed(mixed(0x1234567, seed & 0xFFFFFFFF), 1)
        m.x = (key & 0x3FFFFFFF) | 1
        m.y = (key >> 30 & 0x3FFFFFFF) | 1

    def load(self, state: HasSnapshot, seed: int = 0, careful: bool = False) -> None:
        """Set the match to a state and clear the history of moves.

        ``seed`` is the seed for random outcomes. If ``careful`` is set, a random outcome raises Unforeseen instead.
        """
        load(self.machine, state._at)
        self.machine.seed = seed
        self.machine.careful = careful
        self.marks = []

    def save(self) -> Snapshot:
        """Return the current state as a snapshot."""
        return save(self.machine)

    @property
    def seat(self) -> int:
        """Seat to move."""
        m = self.machine
        if m.stuck:
            return m.mover
        return m.me

    def choices(self) -> list[int]:
        """Return the legal choices in a fixed order; there are none if the match is over."""
        return choices(self.machine)

    def make(self, code: int) -> None:
        """Play one of the :meth:`choices`."""
        self.marks.append(note_registers(self.machine))
        play(self.machine, code)

    def candidates(self) -> list[int]:
        """Return pseudo-legal choices, which include all legal ones.

        This is faster than :meth:`choices`, because no choice is tried out. :meth:`attempt` rejects illegal ones.
        """
        m = self.machine
        if m.result is not None or m.stuck or m.rules.uncertain:
            return choices(m)
        return raw_choices(m)

    def attempt(self, code: int) -> bool:
        """Play one of the :meth:`candidates`; return False if the turn can't be completed after it.

        The match is left unchanged if this returns False or raises RuleFailure or Unforeseen.
        """
        m = self.machine
        mark = note_registers(m)
        made = True
        try:
            if code == PASS or m.rules.uncertain:
                play(m, code)
            else:
                m.work = WORK
                made = carry_out(m, code) != FAILED
        except (RuleFailure, Unforeseen):
            m.height = 0
            m.depth = 0
            m.looking = False
            m.undo(mark)
            raise
        if made:
            self.marks.append(mark)
        else:
            m.undo(mark)
        return made

    def unmake(self) -> None:
        """Undo the last choice."""
        self.machine.undo(self.marks.pop())

    def sample(self) -> int:
        """Return a random legal choice, or -1 if the match is over."""
        return sampled(self.machine)

    def playout(self, limit: int = TURNS) -> int:
        """Play at random to the end, undo these moves, and return the winners as a set of seats.

        Returns -1 if the match is not over after ``limit`` turns.
        """
        m = self.machine
        kept = self.kept
        kept.keep(m)
        length = m.length
        m.length = 0
        journal = m.journal
        m.journal = []
        begun = m.turn
        found: int = -1
        if play_out(m, limit):
            found = m.winners
        self.lasted = m.turn - begun
        m.journal = journal
        m.length = length
        kept.restore(m)
        return found

    def playouts(self, number: int, limit: int = TURNS) -> list[int]:
        """Return how many of ``number`` playouts each seat wins, followed by how many are unfinished.

        A shared win counts for each winner. A playout is abandoned after ``limit`` turns.
        """
        m = self.machine
        kept = self.kept
        kept.keep(m)
        length = m.length
        journal = m.journal
        m.journal = []
        found: list[int] = [0 for _ in m.tallies]
        found.append(0)
        seats = m.seats
        for _ in range(number):
            if play_out(m, limit):
                winners = m.winners
                seat: M = 0
                while seat < seats:
                    if winners >> seat & 1:
                        found[seat] += 1
                    seat += 1
            else:
                found[-1] += 1
            m.length = 0
            kept.restore(m)
        m.journal = journal
        m.length = length
        return found

    def turns_left(self, number: int, most: int) -> int:
        """Return the median length of ``number`` playouts from here, in turns.

        Playouts are abandoned after ``most`` turns.
        """
        found: list[int] = []
        for _ in range(number):
            self.playout(most)
            found.append(self.lasted)
        found.sort()
        return found[number // 2]

    def key(self) -> int:
        """Return a hash of the position, equal for positions with the same continuations.

        Collisions are very rare.
        """
        return position_key(self.machine)

    def exact_key(self) -> tuple[object, ...]:
        """Return everything on which the rest of the match depends, as a hashable key.

        Unlike :meth:`key`, it never collides.
        """
        return exact_key(self.machine.rules, save(self.machine))

    def result(self) -> Result | None:
        """Return how the match ended, or None if it is not over."""
        return self.machine.result

    def scores(self) -> tuple[int, ...]:
        """Return the current or final score of every seat."""
        result = self.machine.result
        if result is not None:
            return result.scores
        return scores_now(self.machine)


def position_key(m: Machine) -> int:
    """Return a hash of the position in a machine; see :meth:`FastGame.key`."""
    key = mixed(key_of(m), m.mover << 8 | m.phase << 1 | m.stuck)
    if m.step and m.needs_began:
        # During a turn, rules may refer to the boards at its start.
        for board in m.boards:
            key = mixed(mixed(key, board.began_filled.v), board.began_key.v)
        key = stirred(key, m.turn_began)
    key = mixed(key, m.passed << 8 | m.idle)
    if m.phase + 1 < len(m.phases):
        key = mixed(key, m.phase_turns)
    at: M = 0
    while at < m.past:
        key = mixed(key, m.history[at].v)
        at += 1
    return mixed(key, m.game_number)
