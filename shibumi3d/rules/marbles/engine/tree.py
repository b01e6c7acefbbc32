"""Monte Carlo tree search on a machine, with proofs of wins, draws and losses.

A node is a single choice by one seat. Turns with several choices, more than two seats and shared wins therefore need no
special treatment: each seat maximizes its own share (max-n). If chance or hidden information is involved, the legal
choices are determined again at every visit of a node (information set MCTS: Cowling, Powley and Whitehouse 2012). Seats
that choose in secret at the same time each have a tree of their own until the choices are revealed.

Selection is UCT (Kocsis and Szepesvári 2006). Proofs are propagated as in MCTS-Solver (Winands, Björnsson and Saito
2008), but as bounds instead of values (Cazenave and Saffidine 2010), so that draws are proved as well.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final, final

from shibumi3d.rules.marbles.engine.board import mixed
from shibumi3d.rules.marbles.engine.ends import score_of, standings
from shibumi3d.rules.marbles.engine.play import choices, play
from shibumi3d.rules.marbles.engine.playouts import Kept, play_turn
from shibumi3d.rules.marbles.engine.rules import WORK
from shibumi3d.rules.marbles.engine.turns import end_turn
from shibumi3d.rules.marbles.engine.workspace import Machine
from shibumi3d.rules.marbles.engine.worth import Share, Weights, goes_on, logistic

if TYPE_CHECKING:
    from mypy_extensions import i64 as M

EXPLORE: Final = 0.7
"""Default exploration constant of UCT, for values from 0 to 1."""
MOST_NODES: Final = 400_000
"""Number of nodes at which a tree stops growing."""
WORST: Final = 0
DRAW: Final = 1
BEST: Final = 2
"""Proved values of a match for player 0: a loss, a draw or a win."""


@final
class Branch:
    """A node of the tree: a choice, and statistics about what followed it."""

    def __init__(self, code: M) -> None:
        self.code: Final[M] = code
        self.player: M = -1
        """Player who makes the choice; -1 at a root."""
        self.visits: M = 0
        self.offered: M = 0
        """Number of times the choice was available."""
        self.value: float = 0.0
        """Sum of the results of all visits, for ``player``."""
        self.low: M = WORST
        self.high: M = BEST
        """Bounds on the proved value for player 0, in games of two players."""
        self.far: M = 0
        """Turn in which a proved result is reached, counted from the start of the match."""
        self.turn: M = 0
        """Number of turns of the match that are complete once the choice has been made."""
        self.grown = False
        """Whether all children have been added."""
        self.first: Branch | None = None
        """First child; all children are choices of the same player."""
        self.after: Branch | None = None
        """Next sibling."""
        self.parts: Final[list[Branch]] = []
        """Root of each player's own tree, where choices in secret begin; else empty."""

    def child(self, code: M) -> Branch | None:
        """Return the child for the choice with this code, or None."""
        found = self.first
        while found is not None and found.code != code:
            found = found.after
        return found


@final
class Tree:
    """Search tree of one position.

    ``machine`` is set to that position, or to one that looks the same to the seat for which the search runs.
    ``together`` is set if all players win or lose together, and ``for_score`` if a single player plays for a score. A
    playout stops after ``cut`` turns (0 means never); it is then valued by the lead in score, in units of ``scale``. A
    playout that reaches ``limit`` turns counts as a draw. ``recurs`` is set if positions may recur; a repetition counts
    as a draw.
    """

    def __init__(
        self,
        machine: Machine,
        together: bool,
        for_score: bool,
        cut: int,
        scale: float,
        limit: int,
        recurs: bool,
    ) -> None:
        m = machine
        self.machine: Final = m
        self.together: Final = together
        self.for_score: Final = for_score
        self.cut: Final[M] = cut
        self.scale: Final[float] = scale
        self.limit: Final[M] = limit
        self.recurs: Final = recurs
        self.weights: Weights | None = None
        self.trust: float = 0.0
        self.explore: float = EXPLORE
        self.open: Final = m.rules.uncertain
        self.proves = m.seats == 2 and not self.open and m.rules.series is None
        self.root: Final = Branch(-1)
        self.nodes: M = 1
        self.iterations: M = 0
        self.shares: Final[list[Share]] = [Share() for _ in range(m.rules.seats)]
        self.path: Final[list[Branch]] = []
        self.met: Final[set[int]] = set()
        """Keys of positions that occurred earlier in the match."""
        self.keys: Final[list[int]] = []
        """Keys of the positions on the current path."""
        self.seen_scores: M = 0
        self.mean: float = 0.0
        self.spread: float = 0.0
        self.kept: Final = Kept(m)
        self.kept.keep(m)
        self.game: Final[int] = m.game_number

    def judge_by(self, weights: Weights, trust: float, explore: float) -> None:
        """Evaluate leaves by learned weights.

        ``trust``, from 0 to 1, is their share in the value of a leaf; the rest comes from the result of a playout.
        ``explore`` is the exploration constant.
        """
        self.weights = weights
        self.trust = trust
        self.explore = explore

    def stand(self) -> None:
        """Continue the search from the machine's new position.

        The new position must look the same as the previous one to the seat for which the search runs.
        """
        self.kept.keep(self.machine)

    def player(self) -> M:
        """Return the player who must choose."""
        m = self.machine
        seat = m.me
        if m.stuck:
            seat = m.mover
        game: M = m.game_number
        return (seat + game - 1) % m.seats

    def in_secret(self) -> bool:
        """Return whether seats are currently choosing in secret."""
        for word in self.machine.secret_me:  # generators are slow in compiled code
            if word.v:
                return True
        return False

    # ------------------------------------------------------------ one iteration

    def run(self, iterations: int) -> bool:
        """Run ``iterations`` iterations; return False if the value of the root was proved before the end."""
        m = self.machine
        events = m.events
        rolling = m.rolling
        m.events = None
        m.rolling = True
        left: M = iterations
        root = self.root
        while left and (root.low < root.high or not self.proves):
            self.once()
            left -= 1
        self.kept.restore(m)
        m.length = 0
        m.rolling = rolling
        m.events = events
        return left == 0

    def once(self) -> None:
        """Run one iteration: selection, expansion, evaluation and backpropagation."""
        m = self.machine
        self.kept.restore(m)
        m.length = 0
        path = self.path
        path.clear()
        keys = self.keys
        keys.clear()
        node = self.root
        path.append(node)
        parts: list[Branch] = []
        proved = False
        repeated = False
        while m.result is None and m.game_number == self.game:
            player = self.player()
            if self.in_secret():
                if not parts:
                    while len(node.parts) < len(self.shares):
                        node.parts.append(Branch(-1))
                    parts = node.parts[:]
                node = parts[player]
            elif parts:
                break
            if self.open:
                chosen = self.choose_open(node, player)
            else:
                if node.low == node.high and len(path) > 1:
                    proved = True
                    break
                if not node.grown:
                    if (not node.visits and len(path) > 1) or self.nodes >= MOST_NODES:
                        break
                    self.grow(node, player)
                chosen = self.choose(node, player)
            if chosen is None:
                break
            new = chosen.visits == 0
            play(m, chosen.code)
            m.length = 0
            chosen.turn = m.turn
            path.append(chosen)
            if parts:
                parts[player] = chosen
            node = chosen
            if self.recurs and m.step == 0 and goes_on(m):
                key: int = mixed(m.boards_key(), m.mover)
                if key in self.met or key in keys:
                    repeated = True
                    break
                keys.append(key)
            if new and not parts:
                break
        self.iterations += 1
        if repeated:
            self.share_draw()
        elif proved:
            self.share_proved(node.low)
        elif self.weights is not None and goes_on(m) and m.game_number == self.game:
            self.weigh(self.weights)
        else:
            if m.result is None and m.game_number == self.game:
                self.roll()
            elif self.proves:
                self.settle(node)
            self.judge()
        for i in range(len(path)):
            node = path[i]
            node.visits += 1
            if node.player >= 0:
                node.value += self.shares[node.player].v
        if self.proves and node.low == node.high:
            self.prove()

    def grow(self, node: Branch, player: M) -> None:
        """Expand a node by adding all its children in random order."""
        m = self.machine
        codes = choices(m)
        left: M = len(codes)
        while left:
            at: int = m.below(left)
            left -= 1
            last: int = left
            code = codes[at]
            codes[at] = codes[last]
            self.add(node, code, player)
        node.grown = True

    def add(self, node: Branch, code: M, player: M) -> Branch:
        """Add a child to a node and return it."""
        found = Branch(code)
        found.player = player
        found.after = node.first
        node.first = found
        self.nodes += 1
        return found

    def choose(self, node: Branch, player: M) -> Branch | None:
        """Return the child to visit next, or None if there is none.

        Unvisited children come first and proved losses last; all others are compared by UCT.
        """
        best: Branch | None = None
        best_value: float = -1.0
        known: float = math.log(float(node.visits) + 1.0)
        proves = self.proves
        explore = self.explore
        child = node.first
        while child is not None:
            if child.visits == 0:
                return child
            value: float
            if proves and child.low == child.high:
                value = float(child.low) * 0.5
                if player:
                    value = 1.0 - value
                if value == 0.0:
                    value = -0.5
            else:
                visits: float = float(child.visits)
                value = child.value / visits + explore * math.sqrt(known / visits)
            if value > best_value:
                best_value = value
                best = child
            child = child.after
        return best

    def choose_open(self, node: Branch, player: M) -> Branch | None:
        """Return the child to visit next when legal choices vary from visit to visit, or None.

        Unvisited children come first, in random order. The others are compared by UCT, based on how often each of them
        was available (Cowling et al. 2012).
        """
        m = self.machine
        best: Branch | None = None
        best_value: float = -1.0
        new: Branch | None = None
        fresh: M = 0
        for code in choices(m):
            child = node.child(code)
            if child is None:
                if self.nodes >= MOST_NODES:
                    continue
                child = self.add(node, code, player)
            child.offered += 1
            if child.visits == 0:
                fresh += 1
                if m.below(fresh) == 0:
                    new = child
                continue
            visits: float = float(child.visits)
            value = child.value / visits + self.explore * math.sqrt(
                math.log(float(child.offered) + 1.0) / visits
            )
            if value > best_value:
                best_value = value
                best = child
        if new is not None:
            return new
        return best

    # ------------------------------------------------------------ evaluation

    def weigh(self, weights: Weights) -> None:
        """Set the players' shares by the learned weights, combined with the result of a playout."""
        weights.look(self.machine)
        weights.weigh()
        trust = self.trust
        if trust < 1.0:
            self.roll()
            self.judge()
        i: M = 0
        for share in self.shares:
            share.v = trust * weights.shares[i].v + (1.0 - trust) * share.v
            i += 1

    def roll(self) -> None:
        """Play at random until the match or the current game of a series ends, or the turn limit is reached."""
        m = self.machine
        keep = m.keep
        m.keep = m.tries
        m.lazy = True
        end = m.turn + self.limit
        if self.cut:
            end = m.turn + self.cut
        while m.result is None and m.turn < end and m.game_number == self.game:
            m.length = 0
            m.work = WORK
            if m.stuck:
                end_turn(m, True)
            else:
                play_turn(m)
        m.keep = keep
        m.lazy = False

    def judge(self) -> None:
        """Set the players' shares according to the position that the machine has reached."""
        m = self.machine
        result = m.result
        if result is None and m.game_number != self.game:
            self.share_totals()
            return
        if self.for_score:
            score: float = float(score_of(m, 0))
            if result is not None:
                if result.scores:
                    score = float(result.scores[0])
                if not result.winners:
                    score = 0.0
            self.share_score(score)
            return
        if result is None:
            if self.cut:
                self.share_lead()
            else:
                self.share_draw()
            return
        winners: M = result.winners
        if self.together:
            self.share_all(winners != 0)
            return
        self.share_winners(winners)

    def share_winners(self, winners: M) -> None:
        """Divide a share of 1 among the winners, or among all players in a draw."""
        number: float = 0.0
        left = winners
        while left:
            left &= left - 1
            number += 1.0
        if number == 0.0:
            self.share_draw()
            return
        bit: M = 1
        for share in self.shares:
            share.v = 0.0
            if winners & bit:
                share.v = 1.0 / number
            bit <<= 1

    def share_all(self, won: bool) -> None:
        """Set each player's share to 1 if they have won together, else to 0."""
        for share in self.shares:
            share.v = 0.0
            if won:
                share.v = 1.0

    def share_draw(self) -> None:
        """Divide a share of 1 among all players.

        In a game with one player or with players who win together, all shares are 0 instead.
        """
        part: float = 1.0 / float(len(self.shares))
        if self.together or len(self.shares) == 1:
            part = 0.0
        for share in self.shares:
            share.v = part

    def share_proved(self, worth: M) -> None:
        """Set the shares of two players according to a proved value."""
        self.shares[0].v = float(worth) * 0.5
        self.shares[1].v = 1.0 - float(worth) * 0.5

    def share_totals(self) -> None:
        """Divide a share of 1 among the players with the highest total after a game of a series."""
        totals = self.machine.totals
        best = max(totals)
        winners: M = 0
        bit: M = 1
        for total in totals:
            if total == best:
                winners |= bit
            bit <<= 1
        self.share_winners(winners)

    def share_lead(self) -> None:
        """Set each player's share according to its lead in score, for a match that isn't over."""
        m = self.machine
        total: float = 0.0
        seat: M = 0
        stand = standings(m)
        while seat < m.seats:
            own: float = float(stand[seat])
            best: float = -1e18
            other: M = 0
            while other < m.seats:
                if other != seat:
                    score: float = float(stand[other])
                    if score > best:
                        best = score
                other += 1
            share = self.shares[seat]
            share.v = logistic((own - best) / self.scale)
            total += share.v
            seat += 1
        for share in self.shares:
            share.v /= total

    def share_score(self, score: float) -> None:
        """Set a single player's share according to how a score compares with scores reached before."""
        self.seen_scores += 1
        more: float = score - self.mean
        self.mean += more / float(self.seen_scores)
        self.spread += more * (score - self.mean)
        deviation: float = math.sqrt(self.spread / float(self.seen_scores) + 1e-9)
        self.shares[0].v = logistic((score - self.mean) / (deviation + 1e-9))

    # ------------------------------------------------------------ proofs

    def settle(self, node: Branch) -> None:
        """Record that the match ends at this node, which proves the node's value."""
        result = self.machine.result
        assert result is not None
        winners: M = result.winners
        node.low = DRAW
        if winners == 1:
            node.low = BEST
        elif winners == 2:
            node.low = WORST
        node.high = node.low
        node.far = self.machine.turn
        node.grown = True

    def prove(self) -> None:
        """Propagate proved bounds up the path from its last node, until they no longer change."""
        path = self.path
        at: M = len(path) - 1
        while at:
            at -= 1
            node = path[at]
            child = node.first
            if child is None or not node.grown:
                return
            first_player = child.player == 0
            low: M = WORST
            high: M = WORST
            if not first_player:
                low = BEST
                high = BEST
            while child is not None:
                if first_player:
                    if child.low > low:
                        low = child.low
                    if child.high > high:
                        high = child.high
                else:
                    if child.low < low:
                        low = child.low
                    if child.high < high:
                        high = child.high
                child = child.after
            if low == node.low and high == node.high:
                return
            node.low = low
            node.high = high
            if low == high:
                node.far = self.distance(node, first_player)

    def distance(self, node: Branch, first_player: bool) -> M:
        """Return the turn in which a proved result is reached.

        The winner is assumed to win as early as possible; otherwise, the result is delayed as long as possible.
        """
        wins = (node.low == BEST) == first_player and node.low != DRAW
        found: M = -1
        child = node.first
        while child is not None:
            if child.low == child.high and child.low == node.low:
                far = child.far
                if found < 0 or (wins and far < found) or (not wins and far > found):
                    found = far
            child = child.after
        return found

    # ------------------------------------------------------------ results

    def found(self, player: int) -> list[tuple[int, int, float, int, int, int]]:
        """Return the choices at the root, most visited first.

        Each is a tuple of code, visits, mean value, low, high and far; see :class:`Branch`.
        """
        node = self.root
        if node.parts:
            node = node.parts[player]
        every: list[tuple[int, int, float, int, int, int]] = []
        child = node.first
        while child is not None:
            mean: float = 0.0
            if child.visits:
                mean = child.value / float(child.visits)
            every.append((child.code, child.visits, mean, child.low, child.high, child.far))
            child = child.after
        every.sort(key=most_visited)
        return every

    def turns(self, player: int, most: int) -> list[tuple[list[int], int, float, int, int, int]]:
        """Return the ``most`` most visited turns of a player in the tree.

        Each is a tuple of codes, visits, mean value, low, high and far; see :class:`Branch`.
        """
        node = self.root
        if node.parts:
            node = node.parts[player]
        every: list[tuple[list[int], int, float, int, int, int]] = []
        todo: list[tuple[list[int], Branch]] = [([], node)]
        while todo:
            codes, node = todo.pop()
            inside = False
            child = node.first
            if not codes or node.turn == self.kept.registers.turn:
                while child is not None:
                    if child.visits and child.player == player:
                        inside = True
                        todo.append(([*codes, child.code], child))
                    child = child.after
            if not inside and codes:
                mean = node.value / float(node.visits)
                every.append((codes, node.visits, mean, node.low, node.high, node.far))
        every.sort(key=most_visited_turn)
        return every[:most]


def most_visited(found: tuple[int, int, float, int, int, int]) -> tuple[int, int]:
    """Return a sort key that puts the most visited choices first."""
    return -found[1], found[0]


def most_visited_turn(
    found: tuple[list[int], int, float, int, int, int],
) -> tuple[int, list[int]]:
    """Return a sort key that puts the most visited turns first."""
    return -found[1], found[0]
