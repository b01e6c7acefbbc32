"""Search from a position in a marble game, using only what one seat may know.

Hidden information is resampled for every iteration (information set Monte Carlo tree search: Cowling et al. 2012).
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from random import Random
from time import monotonic
from typing import TYPE_CHECKING

from shibumi3d.i18n import Unusable
from shibumi3d.rules.errors import RuleFailure
from shibumi3d.rules.marbles.basic import BasicGame
from shibumi3d.rules.marbles.engine.board import key_of_cells, mixed
from shibumi3d.rules.marbles.engines import engine_of
from shibumi3d.rules.marbles.notation import text_of
from shibumi3d.rules.marbles.state import State
from shibumi3d.rules.marbles.thinking.certificates import certain, known
from shibumi3d.rules.marbles.thinking.dealing import Deals
from shibumi3d.rules.marbles.thinking.hidden_boards import HiddenBoards
from shibumi3d.rules.marbles.thinking.knowledge import blank
from shibumi3d.rules.marbles.thinking.relevance import counted
from shibumi3d.rules.marbles.thinking.switches import switches
from shibumi3d.rules.marbles.thinking.symmetry import alike, turned, ways
from shibumi3d.rules.marbles.thinking.weights import known_weights
from shibumi3d.rules.marbles.thinking.whole import Look, TooMany
from shibumi3d.rules.search import Considered

if TYPE_CHECKING:
    from collections.abc import Hashable

    from shibumi3d.rules.marbles.engine.exact import Exact
    from shibumi3d.rules.marbles.engine.fast import FastGame
    from shibumi3d.rules.marbles.engine.proofs import Prover
    from shibumi3d.rules.marbles.engine.tree import Tree

WIN, DRAW = 2, 1
"""Result codes of the engine, used as the minimum result that a proof has to show."""
SLICE = 100_000
"""Work between two calls of ``stop`` during a proof, in the unit used for rules."""
LOOKS = 300_000
"""Work between two calls of ``stop`` in a search that can be resumed at almost no cost."""
LOOKED = 300
"""Minimum number of positions that a proof should visit between two calls of ``stop``.

Each resumption starts again at the root, so the work of shorter slices would be wasted.
"""
MOST_WAYS = 1_000
"""Maximum number of positions, during a turn and at its end, visited to list all whole turns."""
MATCHES = 5
"""Number of random matches used to estimate how many turns are left."""
ROUND = 0.01
"""Seconds between two calls of ``stop`` during simulations.

The number of iterations that fit into that time has no influence on the result.
"""


class Search:
    """Search for ``seat`` from ``view``; implements :class:`shibumi3d.rules.search.Search`.

    ``seed`` is the random seed. ``past`` holds the state at the start of each earlier turn: in games where positions
    can repeat, returning to one of them counts as a draw.
    """

    def __init__(
        self, game: BasicGame, view: State, seat: int, seed: int = 0, past: Iterable[State] = ()
    ) -> None:
        self.game = game
        self.view = view
        self.seat = seat
        self.facts = game.facts(view.seats)
        self.iterations = 0
        self._chance = Random(seed)
        self._deals = Deals(game, view, seat, self._chance)
        self._fast = game.fast(view.seats, seed)
        self._past = tuple(past) if self.facts.recurs else ()
        self._looker: Exact | None = None
        self._prover: Prover | None = None
        self._look: Look | None = None
        self._tree: Tree | None = None
        self._trust = 0.0

    @property
    def whole(self) -> State:
        """A full state that is consistent with the view."""
        return self._deals.first

    def offer(self, moves: Sequence[str]) -> None:
        """Restrict the seat's legal moves to ``moves``, which its view alone may not determine.

        From now on, determinizations have exactly these legal moves, if such determinizations can be found.
        """
        self._deals.offer(moves, self.iterations)

    @property
    def moves(self) -> tuple[str, ...]:
        """Texts of the legal moves."""
        return self._deals.moves

    @property
    def exact(self) -> bool:
        """Whether wins and losses can be proved: two seats, perfect information and no chance."""
        facts = self.facts
        return self.view.seats == 2 and not (self._deals.hides or facts.series or facts.solver)

    @property
    def simultaneous(self) -> bool:
        """Whether other seats move at the same time without seeing each other's moves."""
        return self.view.in_secret

    # ------------------------------------------------------------ tree search

    def grow(self, iterations: int, stop: Callable[[], bool]) -> bool:
        """Run this many simulations (UCT: Kocsis & Szepesvári 2006).

        Return False if ``stop`` returned True or if further simulations cannot change the result.
        """
        if self._tree is None:
            self._tree = self._begin()
        with _uncollected():
            return self._grown(self._tree, self.iterations + iterations, stop)

    def _grown(self, tree: Tree, end: int, stop: Callable[[], bool]) -> bool:
        """Run simulations until their total number is ``end``; the result is that of :meth:`grow`."""
        number = 1
        looked = monotonic()
        while self.iterations < end:
            if self._deals.hides and self.iterations:
                self._fast.load(self._deals.of(self.iterations), 0)
                tree.stand()
            number = 1 if self._deals.hides else min(number, end - self.iterations)
            more = tree.run(number)
            self.iterations += number
            if not more:
                return False
            now = monotonic()
            if now - looked < ROUND / 2:
                number *= 2
            elif now - looked > ROUND:
                number = max(1, number // 2)
            if not self._deals.hides or now - looked > ROUND or self.iterations == end:
                looked = now
                if stop():
                    return False
        return True

    def trust(self, part: float) -> None:
        """Use the evaluation that the game has learned, if there is one.

        ``part`` scales its weight from 0 (ignore it) to 1 (the weight that was measured to work best). This must be
        called before the first :meth:`grow`.
        """
        self._trust = part

    def _begin(self) -> Tree:
        self._fast.load(self.whole, 0)
        together = self.facts.solver == "win" and self.view.seats > 1
        tree = engine_of(self.game.size).Tree(
            self._fast.machine,
            together,
            self.facts.solver == "score",
            *switches(self.game, self.view.seats)[:3],
            self.facts.recurs,
        )
        learned = known_weights(self.game, self.view.seats) if self._trust else None
        if learned is not None:
            weights = blank(self.game, self._fast.machine, self.view.seats)
            with suppress(Unusable):  # raised if the number of weights does not match
                weights.fill(learned.numbers)
                tree.judge_by(weights, learned.trust * self._trust, learned.explore)
        for state in self._past:
            tree.met.add(_key(state))
        return tree

    def choices(self) -> list[Considered]:
        """Return the legal moves with their evaluations, most visited first."""
        if self._tree is None:
            return []
        board = self.whole._at.board_index
        return [
            self._considered((text_of(self.view._rules, code, board),), visits, mean, low, high, far)
            for code, visits, mean, low, high, far in self._tree.found(self.seat)
        ]

    def turns(self, most: int = 3) -> list[Considered]:
        """Return up to ``most`` turns with their evaluations, most visited first.

        A turn may be incomplete: it contains only the moves that the search has reached.
        """
        if self._tree is None:
            return []
        found = []
        for codes, visits, mean, low, high, far in self._tree.turns(self.seat, most):
            texts = self._texts(codes)
            if texts:
                found.append(self._considered(texts, visits, mean, low, high, far))
        return found

    def _texts(self, codes: list[int]) -> tuple[str, ...]:
        """Return the texts of consecutive moves, stopping before the first illegal one."""
        fast = self._fast
        fast.load(self.whole, 0)
        found = []
        for code in codes:
            if code not in fast.choices():
                break
            found.append(text_of(self.view._rules, code, fast.machine.board.index))
            fast.make(code)
        fast.load(self.whole, 0)
        return tuple(found)

    def _considered(
        self, moves: tuple[str, ...], visits: int, mean: float, low: int, high: int, far: int
    ) -> Considered:
        turns = 0
        if not self.exact:
            low, high = 0, WIN
        elif self.seat:
            low, high = WIN - high, WIN - low
        if low == high:
            mean = low / WIN
            turns = far - self.view.turn
        return Considered(moves, visits, mean, low / WIN, high / WIN, turns)

    # ------------------------------------------------------------ proofs

    def _exact(self, work: int) -> Exact:
        """Return the lookahead search, loaded with the root position and limited to ``work``."""
        looker = self._unloaded()
        self._fast.load(self.whole, 0)
        looker.work = work
        return looker

    def _unloaded(self) -> Exact:
        """Return the lookahead search, without changing the position it starts from."""
        if self._looker is None:
            self._looker = engine_of(self.game.size).Exact(self._fast.machine)
        return self._looker

    def forced(self, turns: int, work: int, stop: Callable[[], bool]) -> list[Considered]:
        """Return bounds on the values of the moves, proved by looking ahead ``turns`` turns.

        The proof costs at most ``work``. If there is a forced win, only the shortest one is returned. The list is empty
        if nothing can be proved.
        """
        if not self.exact:
            return []
        left, part = work, SLICE
        while True:
            # Results are kept, so starting again costs little and ``stop`` can be called often.
            given = min(left, part)
            looker = self._exact(given)
            known = len(looker.table)
            looked = looker.look(self.seat, turns)
            left -= given - looker.work
            if looker.work > 0 or left <= 0 or stop():
                break
            if len(looker.table) == known:
                part *= 2  # making the legal moves alone used up the slice
        board = self.whole._at.board_index
        found = []
        for one in looked:
            text = text_of(self.view._rules, one.code, board)
            low, high = one.low / WIN, one.high / WIN
            found.append(Considered((text,), 0, low, low, high, one.far))
        return [one for one in found if one.low == 1.0][:1] or found

    def solved(self, work: int, stop: Callable[[], bool]) -> tuple[float, float, tuple[str, ...]]:
        """Return proved bounds on the value of the position, and moves that secure the lower bound.

        The value is from 0 (the seat loses) to 1 (it wins). The proof costs at most ``work``. It uses the certificate
        of the game, a table of its positions, or proof-number search (df-pn: Nagai 2002).
        """
        low, high = 0.0, 1.0
        keeping: tuple[str, ...] = ()
        if not self.exact or self.facts.recurs:
            return low, high, keeping
        lost, keeping = certain(self.game, self.view, self.whole, self.seat)
        if lost or keeping or not work:
            return float(bool(keeping)), float(not lost), keeping
        self._fast.load(self.whole, 0)
        if self._look is None and counted(self._fast.machine.rules) is not None:
            self._look = Look(self.game, self._fast)
        if self._look is not None:
            return self._looked(self._look, work, stop)
        engine = engine_of(self.game.size)
        if self._prover is None:
            self._prover = engine.Prover(self._fast.machine, alike(self.game, self.view.seats))
        prover, board = self._prover, self.whole._at.board_index
        for least in (WIN, DRAW):
            answer, left = engine.OPEN, work // 2 if least == WIN else work - work // 2
            part = SLICE
            while answer == engine.OPEN and left > 0 and not stop():
                prover.work = min(left, part)
                left -= part
                looked = prover.looked
                answer = prover.prove(self.seat, least)
                if prover.looked - looked < LOOKED:
                    part *= 2
            if answer == engine.YES:
                keeping = tuple([text_of(self.view._rules, code, board) for code in prover.holding()])
                return max(low, least / WIN), high, keeping
            if answer == engine.NO:
                high = (least - 1) / WIN
            else:
                break
        return low, high, keeping

    def _looked(
        self, look: Look, work: int, stop: Callable[[], bool]
    ) -> tuple[float, float, tuple[str, ...]]:
        """Return the result of :meth:`solved` for a game with few positions, by searching all of them."""
        board = self.whole._at.board_index
        while work > 0 and not stop():
            self._fast.load(self.whole, 0)
            look.left = min(work, LOOKS)
            work -= LOOKS
            try:
                worth = (look.ask() + 1) / 2
                codes = [look.holding()] if worth else []
            except TooMany:
                continue
            return worth, worth, tuple([text_of(self.view._rules, code, board) for code in codes])
        return 0.0, 1.0, ()

    @property
    def settled(self) -> bool:
        """Whether the game has a certificate, i.e. a stored proof of who wins."""
        return self.exact and known(self.game) is not None

    def turns_left(self, most: int) -> int:
        """Estimate how many turns are left by playing a few random matches.

        Return ``most`` if there are more turns or if no estimate is possible.
        """
        if not self.exact:
            return most
        self._fast.load(self.whole, 0)
        try:
            return int(self._fast.turns_left(MATCHES, most))
        except RuleFailure:
            return most

    def worths(
        self,
        work: int,
        stop: Callable[[], bool],
        *,
        within: int = 0,
        own: int = 0,
        enough: int = 0,
        sure: bool = False,
    ) -> list[Considered]:
        """Return every whole turn that can be played now, with proved bounds on its value.

        The arguments are described at :meth:`shibumi3d.rules.search.Search.worths`.
        """
        if not self.exact or (self.facts.recurs and not within and not own):
            return []
        self._fast.load(self.whole, 0)
        turns = whole_turns(self._fast)
        engine = engine_of(self.game.size)
        low, high = dict.fromkeys(turns, 0), dict.fromkeys(turns, WIN)
        for least in (WIN,) if own else (WIN, DRAW):
            wins = 0
            for codes in turns:
                if high[codes] < least or stop():
                    continue
                self._fast.load(self.whole, 0)
                for code in codes:
                    self._fast.make(code)
                found = self._asked(least, work, within, own, stop)
                if found == engine.YES:
                    low[codes] = least
                    wins += least == WIN
                    if wins == enough and enough:
                        break
                elif found == engine.NO:
                    high[codes] = least - 1
                elif sure:
                    wins = -1
                    break
            if wins:
                break
        self._fast.load(self.whole, 0)
        return [
            Considered(self._texts(list(codes)), 0, low[codes] / WIN, low[codes] / WIN, high[codes] / WIN)
            for codes in turns
        ]

    def _asked(self, least: int, work: int, within: int, own: int, stop: Callable[[], bool]) -> int:
        """Return whether the seat can force ``least`` or better from the engine's position.

        The result is the engine's YES, NO or OPEN.
        """
        engine = engine_of(self.game.size)
        if own:
            return self._ahead(self._unloaded(), least, own - 1, work, stop, own=True)[0]
        if within:
            left = self.whole._at.turn + within - self._fast.machine.turn
            return self._ahead(self._unloaded(), least, left, work, stop)[0]
        if self._prover is None:
            self._prover = engine.Prover(self._fast.machine, alike(self.game, self.view.seats))
        prover, answer, part = self._prover, engine.OPEN, SLICE
        while answer == engine.OPEN and work > 0 and not stop():
            prover.work = min(work, part)
            work -= part
            looked = prover.looked
            answer = prover.prove(self.seat, least)
            if prover.looked - looked < LOOKED:
                part *= 2
        return int(answer)

    def wins_within(self, turns: int, work: int, stop: Callable[[], bool]) -> int:
        """Return the minimum number of turns in which the seat can force a win.

        Either seat may be to move, and turns of both players count. Return 0 if there is no win within ``turns`` turns,
        and -1 if ``work`` does not suffice to decide.
        """
        if not self.exact:
            return -1
        looker = self._exact(0)
        engine = engine_of(self.game.size)
        for number in range(1, turns + 1):
            answer, work = self._ahead(looker, WIN, number, work, stop)
            if answer == engine.YES:
                return number
            if answer == engine.NO:
                return 0
            if work <= 0 or stop():
                return -1
        return 0

    def own_turns(self, most: int, work: int, stop: Callable[[], bool]) -> int:
        """Return the minimum number of its own turns in which the seat can force a win.

        Either seat may be to move. Return 0 if the opponent loses before the seat has a turn, ``most`` + 1 if there is
        no win in at most ``most`` turns, and -1 if ``work`` does not suffice to decide.
        """
        if not self.exact:
            return -1
        looker = self._exact(0)
        engine = engine_of(self.game.size)
        for number in range(int(self._fast.machine.mover == self.seat), most + 1):
            answer, work = self._ahead(looker, WIN, number, work, stop, own=True)
            if answer == engine.YES:
                return number
            if answer == engine.NO:
                break
            if work <= 0 or stop() or looker.too_deep:
                return -1
        return most + 1

    def _ahead(
        self, looker: Exact, least: int, turns: int, work: int, stop: Callable[[], bool], own: bool = False
    ) -> tuple[int, int]:
        """Return whether the seat can force ``least`` within ``turns`` turns, and the remaining work.

        The answer is the engine's YES, NO or OPEN. If ``own`` is set, only the seat's own turns count. The search runs
        in slices, each of which resumes from the results of the previous one.
        """
        part = LOOKS
        while True:
            given = min(work, part)
            looker.work = given
            table = looker.own_table if own else looker.table
            known = len(table)
            answer = int((looker.ask_own if own else looker.ask)(self.seat, least, turns))
            left = looker.work
            work -= given - max(left, 0)
            deep = own and looker.too_deep
            if answer != engine_of(self.game.size).OPEN or left > 0 or work <= 0 or deep or stop():
                return answer, work
            if len(table) == known:
                part *= 2

    def same(self, other: State) -> bool:
        """Return whether another view is equivalent for the rest of the match, up to symmetry."""
        ends = [
            None if end is None else (end.winners, end.scores) for end in (self.view.result, other.result)
        ]
        if ends != [None, None]:
            return ends[0] == ends[1] and not self.unlike(other)
        if self._prover is None:
            self._prover = engine_of(self.game.size).Prover(
                self._fast.machine, alike(self.game, self.view.seats)
            )
        keys = []
        for state in (other, self.whole):
            self._fast.load(state, 0)
            keys.append(self._prover.key())
        return bool(keys[0] == keys[1])

    def unlike(self, other: State) -> int:
        """Return the number of points on which another view differs, in its most similar orientation."""
        pairs = list(zip(self.view._at.boards, other._at.boards, strict=True))
        least = self.view._rules.pyramid.count * len(pairs)
        for way in ways(self.view._rules.pyramid):
            number = 0
            for (mine, *_), (theirs, *_) in pairs:
                differ = 0
                for here, there in zip(mine, theirs, strict=True):
                    differ |= turned(here, way) ^ there
                number += differ.bit_count()
            least = min(least, number)
        return least

    def loses(self, move: str, turns: int, work: int, stop: Callable[[], bool]) -> bool:
        """Return whether a move is proved to lose within ``turns`` turns.

        The proof costs at most ``work``.
        """
        if not self.exact:
            return False
        engine, board = engine_of(self.game.size), self.whole._at.board_index
        self._exact(0)
        codes = self._fast.choices()
        code = next((code for code in codes if text_of(self.view._rules, code, board) == move), None)
        answer, left, part = engine.OPEN, work, SLICE
        while code is not None and answer == engine.OPEN and left > 0:
            # As in forced(): work in slices, each of which resumes from the results of the last.
            given = min(left, part)
            looker = self._exact(given)
            known = len(looker.table)
            answer = looker.after(code, self.seat, DRAW, turns)
            left -= given - looker.work
            if looker.work > 0 or stop():
                break
            if len(looker.table) == known:
                part *= 2
        return bool(answer == engine.NO)

    # ------------------------------------------------------------ repetition and hidden boards

    def comes_back(self, move: str) -> int:
        """Return how many times the position after a move has occurred before.

        Only positions at the start of a turn count.
        """
        if not self._past:
            return 0
        after, _ = self.game.apply(self.whole, move)
        if after.step or after._at.result is not None:
            return 0
        return sum(state.standing == after.standing for state in self._past)

    def guess(self, tries: int, stop: Callable[[], bool]) -> str:
        """Return the best move when whole boards are hidden.

        This is the move with the highest expected score over ``tries`` guesses that fit what is known. If no guess is
        possible, the move is random.
        """
        moves = self.moves
        if moves != self._deals.open:
            return self._chance.choice(moves)
        try:
            return HiddenBoards(self.game, self.view, self.seat, self._chance).best(moves, tries, stop)
        except RuleFailure:
            return self._chance.choice(moves)

    @property
    def guesses(self) -> bool:
        """Whether whole boards are hidden.

        If they are, :meth:`guess` plays better than a tree search.
        """
        everyone = (1 << self.view.seats) - 1
        return any(sight & everyone != everyone for sight in self.view._rules.board_sight)


@contextmanager
def _uncollected() -> Iterator[None]:
    """Suspend garbage collection within a ``with`` block.

    A tree has no reference cycles but a great many objects; scanning them repeatedly would take two thirds of the time.
    """
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


def whole_turns(fast: FastGame) -> list[tuple[int, ...]]:
    """Return the moves of the turns that can be played now, with one turn for each resulting position.

    Return an empty list if more than :data:`MOST_WAYS` positions would have to be visited.
    """
    machine = fast.machine
    begun = machine.turn
    met: set[tuple[Hashable, bool]] = set()
    found: list[tuple[int, ...]] = []

    def go_on(codes: tuple[int, ...]) -> bool:
        for code in fast.choices():
            fast.make(code)
            key = (fast.exact_key(), fast.result() is None)
            more = True
            if key not in met:
                met.add(key)
                if len(met) > MOST_WAYS:
                    more = False
                elif fast.result() is not None or machine.turn != begun:
                    found.append((*codes, code))
                else:
                    more = go_on((*codes, code))
            fast.unmake()
            if not more:
                return False
        return True

    return found if go_on(()) else []


def _key(state: State) -> int:
    """Return the key that the tree uses for a position at the start of a turn."""
    key = 0
    for index, board in enumerate(state._at.boards):
        key ^= key_of_cells(index, board[0])
    return mixed(key, state._at.mover)
