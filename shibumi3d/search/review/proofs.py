"""Proofs about the turns of a match."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from shibumi3d.rules.errors import RuleFailure
from shibumi3d.rules.identity import identity
from shibumi3d.rules.search import Considered
from shibumi3d.search.kinds import search_of
from shibumi3d.search.review.course import Course, ended
from shibumi3d.search.review.moments import Moment, Worth

WORK = 8_000_000
"""Maximum work for the proof of one position, in the units of the rules."""
FAR = 60
"""Maximum number of turns to look ahead for forced results."""
OPEN = 2
"""Number of consecutive positions without a proof after which no earlier positions are tried."""
TURNS = 200
"""Maximum number of positions compared when determining whether a turn is the only good one."""


class Proofs:
    """Proofs about the turns of ``course``, starting with the last one."""

    def __init__(self, course: Course) -> None:
        self._course = course
        self.left_open = 0
        """Number of consecutive positions without a proof so far."""

    def prove(self, place: int, _: int = 0) -> None:
        """Prove the value of the position before a turn, and judge the turn by it.

        The attempt ends at the work limit.
        """
        one = self._course.moments[place]
        here = self._course.states[one.at]
        if here.to_move != one.seat or here.result is not None:
            return
        try:
            self._prove(place, one, here)
        except (RuleFailure, MemoryError):
            self.left_open += 1

    def _prove(self, place: int, one: Moment, here: Any) -> None:
        texts = tuple(self._course.text(n) for n in range(one.at, one.until))
        game, past = self._course.game, self._course.past(one.at, one.seat)
        search = search_of(game, game.view(here, one.seat), one.seat, 1, past)
        if not search.exact:
            self.left_open = OPEN
            return
        sure, better, wins_in, loses_in = self.of(search, one.at)
        played = self.sure_after(one.until, one.seat) if all(texts) else None
        if played is not None:
            sure = Worth(sure.mean, max(sure.low, played.low), max(sure.high, played.low))
        self._course.sure[one.at] = sure
        self.left_open = 0 if sure.proved else self.left_open + 1
        if not sure.proved:
            return
        found: dict[str, Any] = {"best": sure, "wins_in": wins_in, "loses_in": loses_in}
        if sure.high == 0.0:
            played = sure
        if played is not None:
            found["played"] = played
            if played.proved and played.low == sure.low:
                found["better"] = texts
                found["only"] = sure.low > 0.0 and self._alone(one, sure.low)
            elif better:
                found["better"] = self._kept(one, better, sure.low)
        self._course.proved[place] = found
        self._course.put(place)

    def of(self, search: Any, at: int = -1) -> tuple[Worth, tuple[str, ...], int, int]:
        """Return what is proved about a position.

        The result contains the bounds, a move that secures the value, and the distances to a win and to a loss. A
        distance is a number of turns of the seat to move, or 0 if it is unknown. ``at`` is the number of moves in the
        match before the position, or -1 if the position did not occur in the match.
        """
        low, high, better, wins_in, loses_in = 0.0, 1.0, (), 0, 0
        looked = search.forced(FAR, WORK // 2, self._course.stop)
        if at >= 0:
            self._note_lost(at, looked)
        if looked:
            low, high = max(one.low for one in looked), max(one.high for one in looked)
            if low == 1.0:
                high = 1.0
            best = max(looked, key=lambda one: (one.low, one.turns))
            if low == high:
                better = best.moves if low > 0.0 else ()
                wins_in = (best.turns + 1) // 2 if low == 1.0 else 0
                loses_in = (best.turns + 1) // 2 if high == 0.0 else 0
        if low < high:
            least, most, keeping = search.solved(WORK // 2, self._course.stop)
            if least > low and keeping:
                better = keeping[:1]
            low, high = max(low, least), min(high, most)
        return Worth((low + high) / 2, low, high), better, wins_in, loses_in

    def _note_lost(self, at: int, looked: Sequence[Considered]) -> None:
        """Record the initial moves of turns that are proved to lose."""
        self._course.lost[at] = frozenset(one.moves for one in looked if one.high == 0.0)

    def sure_after(self, until: int, seat: int) -> Worth | None:
        """Return what is proved about a position for the seat whose turn led to it."""
        state = self._course.states[until]
        if state.result is not None:
            return ended(state, seat)
        sure = self._course.sure.get(until)
        return sure if sure is None or state.to_move == seat else sure.other()

    def _kept(self, one: Moment, better: tuple[str, ...], worth: float) -> tuple[str, ...]:
        """Return a complete turn that begins with ``better`` and is proved to keep the value."""
        here = self._course.states[one.at]
        state = self._course.made(here, one.seat, better)
        while state.result is None and (state.to_move, state.turn) == (one.seat, here.turn):
            search = search_of(self._course.game, self._course.game.view(state, one.seat), one.seat, 1)
            found, more, _, _ = self.of(search)
            if found.low < worth or not more:
                break
            better += more
            state = self._course.made(state, one.seat, more)
        return better

    def _alone(self, one: Moment, worth: float) -> bool:
        """Return whether every turn that leads to a different position is proved to be worse."""
        here, goal = self._course.states[one.at], self._course.states[one.until]
        met = {identity(goal)}
        ways, others = [here], list[Any]()
        while ways:
            state = ways.pop()
            for move in self._course.game.moves(state, one.seat):
                after, _ = self._course.game.apply(state, move)
                if identity(after) in met:
                    continue
                met.add(identity(after))
                inside = after.result is None and (after.to_move, after.turn) == (one.seat, here.turn)
                (ways if inside else others).append(after)
                if len(met) > TURNS:
                    return False
        if not others:
            return False
        for after in others:
            if after.result is not None:
                if ended(after, one.seat).low >= worth:
                    return False
                continue
            mover = after.to_move
            search = search_of(self._course.game, self._course.game.view(after, mover), mover, 1)
            found, _, _, _ = self.of(search)
            if (found if mover == one.seat else found.other()).high >= worth:
                return False
        return True
