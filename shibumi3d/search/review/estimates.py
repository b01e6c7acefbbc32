"""Estimates, by simulation, of the values of turns without a proved value."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import TYPE_CHECKING, Any

from shibumi3d.rules.errors import IllegalMove, RuleFailure
from shibumi3d.rules.identity import identity
from shibumi3d.rules.search import Considered
from shibumi3d.search.kinds import search_of
from shibumi3d.search.review.course import Course, begins, ended, order
from shibumi3d.search.review.moments import MARKS, Judged, Moment, Worth
from shibumi3d.search.review.proofs import Proofs
from shibumi3d.search.rollouts import LESS, Rollouts

if TYPE_CHECKING:
    from shibumi3d.rules.game import State

QUICK = 100
"""Number of simulations in the first, quick pass over all turns."""
OTHERS = 5
"""Maximum number of times that a suggested turn is replaced because it is proved to lose."""
DEALS = 6
"""Number of determinizations in which each turn is tried."""


class Estimates:
    """Estimates for the turns of ``course``, within the bounds proved by ``proofs``."""

    def __init__(self, course: Course, proofs: Proofs) -> None:
        self._course, self._proofs = course, proofs
        self._seen: dict[tuple[int, int, frozenset[tuple[str, ...]]], tuple[Worth, Considered | None]] = {}
        """Cached search results, by number of moves made, simulations and excluded turns.

        Each holds the value for the seat to move and the best turn.
        """

    def look(self, place: int, tries: int) -> None:
        """Estimate the value of a turn with ``tries`` simulations, unless the value is proved."""
        one = self._course.moments[place]
        texts = [self._course.text(n) for n in range(one.at, one.until)]
        try:
            if not all(texts):
                self._course.put(place, best=self._position(one.at, one.seat, tries))
            elif not self._course.hides:
                self._look_openly(place, texts, tries)
            else:
                self._look_hidden(place, texts[0], tries)
        except (RuleFailure, IllegalMove, MemoryError):
            return  # what cannot be tried is not judged

    def _look_openly(self, place: int, texts: Sequence[str], tries: int) -> None:
        """Judge a turn in a game without chance or hidden information.

        The values of the turn played and of the best turn come from searches for the seat that replies.
        """
        one = self._course.moments[place]
        here, there = self._course.states[one.at], self._course.states[one.until]
        sure = self._course.sure.get(one.at)
        forced = len(texts) == 1 and len(self._course.game.moves(here, one.seat)) == 1
        played = self._after(one.until, one.seat, tries)
        lost = self._course.lost.get(one.at, frozenset())
        _, considered = self._search(one.at, here, one.seat, tries, lost)
        better, reached = self._whole_turn(here, one.seat, considered, tries, one.at)
        if identity(reached) == identity(there):
            best = played
        elif begins(better, lost):
            best = Worth(0.0, 0.0, 0.0)
        else:
            best = self._worth(reached, one.seat, tries, one.at)
        if played.value >= best.value:
            better, best = tuple(texts), played
        low, high = best.low, 1.0
        if sure is not None:
            low, high = max(low, sure.low), sure.high
            played = Worth(played.mean, min(played.low, high), min(played.high, high))
        self._course.put(
            place, best=Worth(best.value, min(low, high), high), played=played, better=better, forced=forced
        )

    def check(self, place: int, tries: int) -> None:
        """Search longer at a turn that seems to be a mistake but is not proved to be one.

        If the turn suggested instead is proved to lose, exclude it and search again.
        """
        for number in range(OTHERS + 1):
            one = self._course.moments[place]
            if self._course.hides or one.proved or one.loss < MARKS[-1][0]:
                return
            self.look(place, tries)
            if number == OTHERS:
                return
            one, game = self._course.moments[place], self._course.game
            after = self._course.made(self._course.states[one.at], one.seat, one.better)
            if after.result is not None or self._course.stop():
                return
            search = search_of(game, game.view(after, after.to_move), after.to_move, 1)
            if not search.exact:
                return
            sure, _, _, _ = self._proofs.of(search)
            if (sure if after.to_move == one.seat else sure.other()).high > 0.0:
                return
            lost = self._course.lost.get(one.at, frozenset())
            self._course.lost[one.at] = lost | {one.better}

    def _look_hidden(self, place: int, text: str, tries: int) -> None:
        """Judge a move where chance or hidden information matters.

        The best move and the move played are tried in the same determinizations.
        """
        one = self._course.moments[place]
        game, here, seat = self._course.game, self._course.states[one.at], one.seat
        view = game.view(here, seat)
        open_ = [move.text for move in game.moves(here, seat)]
        if len(open_) == 1:
            self._course.put(place, forced=True)
            return
        search = search_of(game, view, seat, self._course.chance(one.at), self._course.past(one.at, seat))
        search.offer(open_)
        if search.guesses:
            return
        search.grow(tries, self._course.stop)
        ranked = sorted(search.choices(), key=order)
        secretly = self._course.facts.simultaneous and here.ask is not None and here.ask.sight == "hidden"
        if secretly or search.simultaneous:
            looked = sum(each.visits for each in ranked) or 1
            shares = [(each.moves[0], round(each.visits / looked, 3)) for each in ranked if each.visits]
            mean = sum(each.visits * each.mean for each in ranked) / looked
            self._course.put(place, best=Worth(mean) if ranked else None, mix=tuple(shares))
            return
        if not ranked:
            return
        better = ranked[0].moves[0]
        known = {each.moves[0]: each.mean for each in ranked}
        if isinstance(search, Rollouts) and not search.iterations and text in known and any(known.values()):
            worths = [known[better], known[text]]  # the heuristics knew the values, so nothing was simulated
        else:
            worths = [self._tried(one, move, tries) for move in (better, text)]
        if worths[1] >= worths[0] or better == text:
            better, worths = text, [worths[1], worths[1]]
        self._course.put(place, best=Worth(worths[0]), played=Worth(worths[1]), better=(better,))

    def _tried(self, one: Moment, text: str, tries: int) -> float:
        """Return the mean value of a move over several determinizations."""
        game, here, seat = self._course.game, self._course.states[one.at], one.seat
        view = game.view(here, seat)
        chance, sums, number = Random(self._course.chance(one.at)), 0.0, 0
        search = search_of(game, view, seat, self._course.chance(one.at))
        if isinstance(search, Rollouts):
            for _ in range(max(1, round(tries**LESS / 2))):
                whole = game.sample_hidden(view, seat, chance)
                try:
                    sums += search.played_out(whole, [game.parse(whole, text, seat)])[seat]
                except IllegalMove:
                    continue
                number += 1
                if self._course.stop():
                    break
        else:
            for _ in range(DEALS):
                whole = game.sample_hidden(view, seat, chance)
                try:
                    after, _ = game.apply(whole, game.parse(whole, text, seat))
                except IllegalMove:
                    continue
                sums += self._worth(after, seat, tries // DEALS, one.at).value
                number += 1
        return sums / number if number else 0.5

    def _after(self, until: int, seat: int, tries: int) -> Worth:
        """Return the value of a position of the match for the seat whose turn led to it."""
        state = self._course.states[until]
        if state.result is not None:
            return ended(state, seat)
        found, sure = self._position(until, seat, tries), self._proofs.sure_after(until, seat)
        if sure is not None:
            found = Worth(found.mean, max(found.low, sure.low), min(found.high, sure.high))
        return found

    def _position(self, n: int, seat: int, tries: int) -> Worth:
        """Return the value for a seat of the position after ``n`` moves."""
        return self._worth(self._course.states[n], seat, tries, n, known=True)

    def _worth(self, state: State, seat: int, tries: int, n: int, known: bool = False) -> Worth:
        """Return the value of a state for a seat.

        Until the seat is to move, each of the other seats is assumed to play the turn that it considers best.
        """
        for followed in range(2 * state.seats + 2):
            if state.result is not None:
                # A result after moves that are only estimated proves nothing.
                end = ended(state, seat)
                return Worth(end.mean) if followed else end
            mover = state.to_move
            found, best = self._search(n if known else -1 - n, state, mover, tries)
            if mover == seat:
                return Worth(found.mean) if followed else found
            if state.seats == 2 and not self._course.facts.solver:
                return found.other()
            if best is None:
                break
            state, known = self._course.made(state, mover, best.moves), False
        return Worth(0.5)

    def _search(
        self, n: int, state: State, seat: int, tries: int, lost: frozenset[tuple[str, ...]] = frozenset()
    ) -> tuple[Worth, Considered | None]:
        """Return the value that a search finds for the seat to move, and the best turn.

        A turn that begins with a sequence in ``lost`` is returned only if there is no other. ``n`` is the number of
        moves made in the match; if the position did not occur in the match, ``n`` is encoded as -1 - n.
        """
        key = n, tries, lost
        if n >= 0 and key in self._seen:
            return self._seen[key]
        game, past = self._course.game, self._course.past(n if n >= 0 else -1 - n, seat)
        search = search_of(game, game.view(state, seat), seat, self._course.chance(n), past)
        search.grow(max(1, tries), self._course.stop)
        ranked = sorted(search.choices(), key=order)
        worth, best = Worth(0.5), None
        if ranked:
            low = max(one.low for one in ranked) if search.exact else 0.0
            every = len(ranked) == len(search.moves)
            high = max(one.high for one in ranked) if search.exact and every else 1.0
            if low not in (0.0, 1.0) or high not in (0.0, 1.0):
                low, high = 0.0, 1.0  # a draw may depend on recurring positions: leave that to the solver
            worth = Worth(ranked[0].mean, low, high)
            turns = [] if self._course.hides else sorted(search.turns(8), key=order)
            turns = [one for one in turns if not begins(one.moves, lost)] or turns
            best = turns[0] if turns and (turns[0].low == 1.0 or ranked[0].low < 1.0) else ranked[0]
        if n >= 0:
            self._seen[key] = worth, best
        return worth, best

    def _whole_turn(
        self, here: Any, seat: int, considered: Considered | None, tries: int, n: int
    ) -> tuple[tuple[str, ...], Any]:
        """Return the complete best turn and the state after it.

        If the search found only the first moves of the turn, further searches complete it. ``n`` is the number of moves
        made in the match.
        """
        texts = list(considered.moves) if considered is not None else []
        state = self._course.made(here, seat, texts)
        while state.result is None and (state.to_move, state.turn) == (seat, here.turn):
            _, best = self._search(-1 - n, state, seat, max(QUICK // 2, tries // 4))
            if best is None:
                break
            texts += best.moves
            state = self._course.made(state, seat, best.moves)
        return tuple(texts), state

    def tried(self, one: Moment, texts: Sequence[str], tries: int) -> Judged:
        """Return the value of an alternative to the turn played, and the best reply to it."""
        if self._course.hides:
            return Judged(Worth(self._tried(one, texts[0], tries)))
        state = self._course.made(self._course.states[one.at], one.seat, texts)
        if state.result is not None:
            return Judged(ended(state, one.seat))
        mover = state.to_move
        search = search_of(self._course.game, self._course.game.view(state, mover), mover, 1)
        sure, better, _, _ = self._proofs.of(search) if search.exact else (Worth(0.5), (), 0, 0)
        found = self._worth(state, one.seat, tries, one.at)
        if sure.proved:
            found = sure if mover == one.seat else sure.other()
        if mover == one.seat:
            return Judged(found)
        _, considered = self._search(-1 - one.at, state, mover, tries)
        if better:
            considered = Considered(better, 0, 0.5)
        return Judged(found, self._whole_turn(state, mover, considered, tries, one.at)[0])
