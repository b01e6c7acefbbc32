"""Monte Carlo tree search on a machine, with proofs of wins, draws and losses.

A node is a single choice by one seat. Turns with several choices, more than two seats and shared wins therefore need no
special treatment: each seat maximizes its own share (max-n). If chance or hidden information is involved, the legal
choices are determined again at every visit of a node (information set MCTS: Cowling, Powley and Whitehouse 2012). Seats
that choose in secret at the same time each have a tree of their own until the choices are revealed.

Selection is UCT (Kocsis and Szepesvári 2006). If positions are evaluated by learned weights alone, without playouts, a
node is evaluated together with all its siblings, and selection mixes the mean value with the minimax value of the
subtree (implicit minimax backups: Lanctot, Winands, Pepels and Sturtevant 2014). Proofs are propagated as in
MCTS-Solver (Winands, Björnsson and Saito 2008), but as bounds instead of values (Cazenave and Saffidine 2010), so that
draws are proved as well.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final, final

from shibumi3d.rules.marbles.engine.board import mix_hash
from shibumi3d.rules.marbles.engine.end_rules import ranking_values, score_at
from shibumi3d.rules.marbles.engine.learned_evaluation import (
    Share,
    Weights,
    is_ongoing,
    logistic,
    share_in_result,
)
from shibumi3d.rules.marbles.engine.machine import Machine
from shibumi3d.rules.marbles.engine.play import legal_choices, play_choice
from shibumi3d.rules.marbles.engine.playouts import Checkpoint, play_random_turn
from shibumi3d.rules.marbles.engine.rules import WORK_BUDGET
from shibumi3d.rules.marbles.engine.turns import end_turn, push_registers

if TYPE_CHECKING:
    from mypy_extensions import i64 as M


DEFAULT_EXPLORATION: Final = 0.7
"""Default exploration constant of UCT, for values from 0 to 1."""
MAX_NODES: Final = 400_000
"""Number of nodes at which a tree stops growing."""
LOSS: Final = 0
DRAW: Final = 1
WIN: Final = 2
"""Values of a match that can be proved for player 0: a loss, a draw or a win."""


@final
class TreeNode:
    """A node of the search tree: a choice, and statistics about what followed it."""

    def __init__(self, code: M) -> None:
        self.code: Final[M] = code
        self.player: M = -1
        """Player who makes the choice; -1 at a root."""
        self.visits: M = 0
        self.available_count: M = 0
        """Number of times the choice was available."""
        self.value_sum: float = 0.0
        """Sum of the results of all visits, for ``player``."""
        self.minimax_value: float = 0.5
        """Minimax value of the evaluations below this node, for ``player``; see :attr:`SearchTree.minimax_share`."""
        self.low: M = LOSS
        self.high: M = WIN
        """Proved bounds on the value for player 0, in games of two players."""
        self.proved_turn: M = 0
        """Turn in which a proved result is reached, counted from the start of the match."""
        self.turns_completed: M = 0
        """Number of turns of the match that are complete once the choice has been made."""
        self.is_expanded = False
        """Whether all children have been added."""
        self.first_child: TreeNode | None = None
        """First child, or None if there are none; all children are choices of the same player."""
        self.next_sibling: TreeNode | None = None
        """Next child of the same parent, or None."""
        self.roots_by_player: Final[list[TreeNode]] = []
        """Roots of the players' own trees if secret choices begin at this node; otherwise empty."""

    def find_child(self, code: M) -> TreeNode | None:
        """Return the child for the choice with this code, or None if there is none."""
        child = self.first_child
        while child is not None and child.code != code:
            child = child.next_sibling
        return child


@final
class SearchTree:
    """Search tree for one position.

    ``machine`` holds that position, or one that looks the same to the seat for which the search runs.
    ``is_cooperative`` is set if all players win or lose together, and ``plays_for_score`` if a single player plays for
    a score. If ``positions_may_recur`` is set, a repetition counts as a draw.

    If ``playout_turns`` isn't 0, a playout stops after that many turns, and an unfinished one is valued by the lead in
    score, in units of ``score_scale``. Otherwise, a playout stops after ``max_playout_turns`` turns, and an unfinished
    one counts as a draw. In solo and cooperative games, a draw is worth no more than a loss. If ``plays_for_score`` is
    set, every playout is valued by its score instead: the current score if it is unfinished, 0 if the match ended
    without a winner, and otherwise the final score. In a series, a playout also stops at the end of the current game;
    if the series isn't over then, the playout is valued by the totals.
    """

    def __init__(
        self,
        machine: Machine,
        is_cooperative: bool,
        plays_for_score: bool,
        playout_turns: int,
        score_scale: float,
        max_playout_turns: int,
        positions_may_recur: bool,
    ) -> None:
        m = machine
        self.machine: Final = m
        self.is_cooperative: Final = is_cooperative
        self.plays_for_score: Final = plays_for_score
        self.playout_turns: Final[M] = playout_turns
        self.score_scale: Final[float] = score_scale
        self.max_playout_turns: Final[M] = max_playout_turns
        self.positions_may_recur: Final = positions_may_recur
        self.weights: Weights | None = None
        self.weights_share: float = 0.0
        self.exploration: float = DEFAULT_EXPLORATION
        self.minimax_share: float = 0.0
        """Share of minimax values in selection, from 0 to 1.

        If it isn't 0, all children of a node are evaluated together, and each of them counts as an iteration.
        """
        self.requested_iterations: M = 0
        self.choices_vary: Final = m.rules.has_uncertainty
        self.can_prove = m.seats == 2 and not self.choices_vary and m.rules.series is None
        self.root: Final = TreeNode(-1)
        self.node_count: M = 1
        self.iterations: M = 0
        self.shares: Final[list[Share]] = [Share() for _ in range(m.rules.seats)]
        self.path: Final[list[TreeNode]] = []
        self.earlier_keys: Final[set[int]] = set()
        """Keys of positions that occurred earlier in the match."""
        self.path_keys: Final[list[int]] = []
        """Keys of the positions on the current path."""
        self.score_count: M = 0
        self.mean_score: float = 0.0
        self.squared_deviation_sum: float = 0.0
        self.root_checkpoint: Final = Checkpoint(m)
        self.root_checkpoint.save(m)
        self.game_number: Final[int] = m.game_number

    def use_weights(
        self, weights: Weights, weights_share: float, exploration: float, minimax_share: float
    ) -> None:
        """Make the search evaluate leaves by learned weights.

        ``weights_share``, from 0 to 1, is their share in the value of a leaf; the rest comes from the result of a
        playout. ``exploration`` is the exploration constant. ``minimax_share`` is the share of minimax values in
        selection; it is ignored if ``weights_share`` is less than 1 or if the search can't prove anything in this game.
        """
        self.weights = weights
        self.weights_share = weights_share
        self.exploration = exploration
        if self.can_prove and weights_share == 1.0:
            self.minimax_share = minimax_share

    def set_root(self) -> None:
        """Make later iterations start from the machine's current position.

        To the seat for which the search runs, this position must look the same as the previous root.
        """
        self.root_checkpoint.save(self.machine)

    def player_to_move(self) -> M:
        """Return the player who must choose."""
        m = self.machine
        seat = m.me
        if m.is_stuck:
            seat = m.mover
        game: M = m.game_number
        return (seat + game - 1) % m.seats

    def is_choosing_in_secret(self) -> bool:
        """Return whether seats are currently choosing in secret."""
        for word in self.machine.secret_outer_seats:  # generators are slow in compiled code
            if word.value:
                return True
        return False

    # ------------------------------------------------------------ one iteration

    def run(self, iterations: int) -> bool:
        """Run ``iterations`` more iterations, or stop early if the value of the root is proved.

        Return whether all of them were run. If all children of a node are evaluated together, each counts as an
        iteration, so more iterations than requested may be run; later calls then run fewer. Afterwards, the machine is
        in the position at the root.
        """
        m = self.machine
        events = m.events
        rolling = m.uses_own_random
        m.events = None
        m.uses_own_random = True
        # Evaluating several children at once may exceed the requested number; the next call makes up for it.
        self.requested_iterations += iterations
        root = self.root
        while self.iterations < self.requested_iterations and (root.low < root.high or not self.can_prove):
            self.run_iteration()
        self.root_checkpoint.restore(m)
        m.undo_length = 0
        m.uses_own_random = rolling
        m.events = events
        return self.iterations >= self.requested_iterations

    def run_iteration(self) -> None:
        """Run one iteration: selection, expansion, evaluation and backpropagation.

        If all children of a node are evaluated at once, each of them counts as an iteration.
        """
        m = self.machine
        self.root_checkpoint.restore(m)
        m.undo_length = 0
        path = self.path
        path.clear()
        keys = self.path_keys
        keys.clear()
        node = self.root
        path.append(node)
        parts: list[TreeNode] = []
        proved = False
        repeated = False
        evaluated = False
        while m.result is None and m.game_number == self.game_number:
            player = self.player_to_move()
            if self.is_choosing_in_secret():
                if not parts:
                    while len(node.roots_by_player) < len(self.shares):
                        node.roots_by_player.append(TreeNode(-1))
                    parts = node.roots_by_player[:]
                node = parts[player]
            elif parts:
                break
            if self.choices_vary:
                chosen = self.select_available_child(node, player)
            else:
                if node.low == node.high and len(path) > 1:
                    proved = True
                    break
                if not node.is_expanded:
                    if (not node.visits and len(path) > 1) or self.node_count >= MAX_NODES:
                        break
                    self.expand(node, player)
                    if self.minimax_share > 0.0 and self.weights is not None and node.first_child is not None:
                        self.evaluate_children(node, player, self.weights)
                        evaluated = True
                        break
                chosen = self.select_child(node, player)
            if chosen is None:
                break
            new = chosen.visits == 0
            play_choice(m, chosen.code)
            m.undo_length = 0
            chosen.turns_completed = m.turn
            path.append(chosen)
            if parts:
                parts[player] = chosen
            node = chosen
            if self.positions_may_recur and m.choices_made == 0 and is_ongoing(m):
                key: int = mix_hash(m.hash_boards(), m.mover)
                if key in self.earlier_keys or key in keys:
                    repeated = True
                    break
                keys.append(key)
            if new and not parts:
                break
        if not evaluated:
            self.iterations += 1
        if repeated:
            self.share_draw()
        elif evaluated:
            pass
        elif proved:
            self.share_proved(node.low)
        elif self.weights is not None and is_ongoing(m) and m.game_number == self.game_number:
            self.evaluate_leaf(self.weights)
        else:
            if m.result is None and m.game_number == self.game_number:
                self.run_playout()
            elif self.can_prove:
                self.record_terminal(node)
            self.score_position()
        for i in range(len(path)):
            node = path[i]
            node.visits += 1
            if node.player >= 0:
                node.value_sum += self.shares[node.player].value
        at: M = len(path) - 1
        if evaluated:
            at += 1
        if self.can_prove and (evaluated or node.low == node.high):
            self.propagate_bounds(at)
        if self.minimax_share > 0.0:
            if not evaluated:
                node.minimax_value = self.shares[max(0, node.player)].value
            self.propagate_minimax(at)

    def expand(self, node: TreeNode, player: M) -> None:
        """Expand a node at which ``player`` must choose, by adding all its children in random order."""
        m = self.machine
        codes = legal_choices(m)
        left: M = len(codes)
        while left:
            at: int = m.random_below(left)
            left -= 1
            last: int = left
            code = codes[at]
            codes[at] = codes[last]
            self.add_child(node, code, player)
        node.is_expanded = True

    def evaluate_children(self, node: TreeNode, player: M, weights: Weights) -> None:
        """Evaluate all children of a node by learned weights; set the players' shares according to the best child.

        Children at which the match ends are evaluated by its result. Each child counts as an iteration. ``player`` is
        the player to move at the node.
        """
        m = self.machine
        best: float = 0.0
        child = node.first_child
        while child is not None:
            mark = push_registers(m)
            play_choice(m, child.code)
            child.turns_completed = m.turn
            child.visits = 1
            value: float
            result = m.result
            if result is not None:
                self.record_terminal(child)
                value = share_in_result(result, player, m.seats)
            else:
                weights.find_active(m)
                weights.compute_shares()
                value = weights.shares[player].value
            m.undo(mark)
            child.value_sum = value
            child.minimax_value = value
            if value > best:
                best = value
            self.iterations += 1
            child = child.next_sibling
        self.shares[player].value = best
        self.shares[1 - player].value = 1.0 - best

    def add_child(self, node: TreeNode, code: M, player: M) -> TreeNode:
        """Add a child to ``node`` and return the child.

        It stands for the choice ``code``, made by ``player``.
        """
        tree_node = TreeNode(code)
        tree_node.player = player
        tree_node.next_sibling = node.first_child
        node.first_child = tree_node
        self.node_count += 1
        return tree_node

    def select_child(self, node: TreeNode, player: M) -> TreeNode | None:
        """Return the child of ``node`` to visit next, or None if the node has no children.

        ``player`` is the player who chooses at the node. Unvisited children come first, and proved losses for this
        player come last. The other children are compared by their value for this player if it is proved, else by UCT.
        If :attr:`minimax_share` isn't 0, UCT uses a mix of the mean value and the minimax value.
        """
        best: TreeNode | None = None
        best_value: float = -1.0
        log_visits: float = math.log(float(node.visits) + 1.0)
        proves = self.can_prove
        explore = self.exploration
        mixed = self.minimax_share
        child = node.first_child
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
                value = child.value_sum / visits
                if mixed > 0.0:
                    value = (1.0 - mixed) * value + mixed * child.minimax_value
                value += explore * math.sqrt(log_visits / visits)
            if value > best_value:
                best_value = value
                best = child
            child = child.next_sibling
        return best

    def select_available_child(self, node: TreeNode, player: M) -> TreeNode | None:
        """Return the child to visit next when legal choices vary from visit to visit.

        Legal choices without a child get one, unless the tree is full. Returns None if no legal choice has a child.
        Unvisited children come first, in random order. The others are compared by UCT, based on how often each of them
        was available (Cowling et al. 2012).
        """
        m = self.machine
        best: TreeNode | None = None
        best_value: float = -1.0
        new: TreeNode | None = None
        fresh: M = 0
        for code in legal_choices(m):
            child = node.find_child(code)
            if child is None:
                if self.node_count >= MAX_NODES:
                    continue
                child = self.add_child(node, code, player)
            child.available_count += 1
            if child.visits == 0:
                fresh += 1
                if m.random_below(fresh) == 0:
                    new = child
                continue
            visits: float = float(child.visits)
            value = child.value_sum / visits + self.exploration * math.sqrt(
                math.log(float(child.available_count) + 1.0) / visits
            )
            if value > best_value:
                best_value = value
                best = child
        if new is not None:
            return new
        return best

    # ------------------------------------------------------------ evaluation

    def evaluate_leaf(self, weights: Weights) -> None:
        """Set the players' shares to the estimate of the learned weights, averaged with the result of a playout.

        ``weights_share`` is the weight of the estimate in this average. If it is 1, no playout is made.
        """
        weights.find_active(self.machine)
        weights.compute_shares()
        trust = self.weights_share
        if trust < 1.0:
            self.run_playout()
            self.score_position()
        i: M = 0
        for share in self.shares:
            share.value = trust * weights.shares[i].value + (1.0 - trust) * share.value
            i += 1

    def run_playout(self) -> None:
        """Play at random until the match or the current game of a series ends, or the turns run out.

        The number of turns is limited to ``playout_turns`` or, if that is 0, to ``max_playout_turns``.
        """
        m = self.machine
        keep = m.records_undo
        m.records_undo = m.playouts_need_undo
        m.defers_option_checks = True
        end = m.turn + self.max_playout_turns
        if self.playout_turns:
            end = m.turn + self.playout_turns
        while m.result is None and m.turn < end and m.game_number == self.game_number:
            m.undo_length = 0
            m.work_left = WORK_BUDGET
            if m.is_stuck:
                end_turn(m, True)
            else:
                play_random_turn(m)
        m.records_undo = keep
        m.defers_option_checks = False

    def score_position(self) -> None:
        """Set the players' shares according to the position that the machine has reached."""
        m = self.machine
        result = m.result
        if result is None and m.game_number != self.game_number:
            self.share_totals()
            return
        if self.plays_for_score:
            score: float = float(score_at(m, 0))
            if result is not None:
                if result.scores:
                    score = float(result.scores[0])
                if not result.winners:
                    score = 0.0
            self.share_score(score)
            return
        if result is None:
            if self.playout_turns:
                self.share_lead()
            else:
                self.share_draw()
            return
        winners: M = result.winners
        if self.is_cooperative:
            self.share_team_result(winners != 0)
            return
        self.share_winners(winners)

    def share_winners(self, winners: M) -> None:
        """Give the winners equal shares that add up to 1.

        If there are no winners, the match is a draw; see :meth:`share_draw`.
        """
        winner_count: float = 0.0
        remaining = winners
        while remaining:
            remaining &= remaining - 1
            winner_count += 1.0
        if winner_count == 0.0:
            self.share_draw()
            return
        bit: M = 1
        for share in self.shares:
            share.value = 0.0
            if winners & bit:
                share.value = 1.0 / winner_count
            bit <<= 1

    def share_team_result(self, won: bool) -> None:
        """Set all players' shares to 1 if they have won as a team, else to 0."""
        for share in self.shares:
            share.value = 0.0
            if won:
                share.value = 1.0

    def share_draw(self) -> None:
        """Give all players equal shares that add up to 1.

        In a solo or cooperative game, all shares are 0 instead.
        """
        equal_share: float = 1.0 / float(len(self.shares))
        if self.is_cooperative or len(self.shares) == 1:
            equal_share = 0.0
        for share in self.shares:
            share.value = equal_share

    def share_proved(self, value: M) -> None:
        """Set the shares of the two players according to the result proved for player 0.

        ``value`` is LOSS, DRAW or WIN.
        """
        self.shares[0].value = float(value) * 0.5
        self.shares[1].value = 1.0 - float(value) * 0.5

    def share_totals(self) -> None:
        """Give the players with the highest total equal shares that add up to 1, and the others a share of 0.

        This is used after a game of a series, unless that game ended the series.
        """
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
        """Set the shares in an unfinished match according to how far each player leads or trails.

        A player's lead is its ranking value minus the highest ranking value of any other player (see
        :func:`.ranking_values`). It is divided by ``score_scale`` and converted by the logistic function. The results
        are then scaled so that the shares add up to 1.
        """
        m = self.machine
        total: float = 0.0
        seat: M = 0
        ranking = ranking_values(m)
        while seat < m.seats:
            own: float = float(ranking[seat])
            best: float = -1e18
            other: M = 0
            while other < m.seats:
                if other != seat:
                    score: float = float(ranking[other])
                    if score > best:
                        best = score
                other += 1
            share = self.shares[seat]
            share.value = logistic((own - best) / self.score_scale)
            total += share.value
            seat += 1
        for share in self.shares:
            share.value /= total

    def share_score(self, score: float) -> None:
        """Record a solo player's score, and compare it with all scores so far to set the player's share."""
        self.score_count += 1
        more: float = score - self.mean_score
        self.mean_score += more / float(self.score_count)
        self.squared_deviation_sum += more * (score - self.mean_score)
        deviation: float = math.sqrt(self.squared_deviation_sum / float(self.score_count) + 1e-9)
        self.shares[0].value = logistic((score - self.mean_score) / (deviation + 1e-9))

    # ------------------------------------------------------------ proofs

    def record_terminal(self, node: TreeNode) -> None:
        """Record that the match ends at this node, which proves the node's value."""
        result = self.machine.result
        assert result is not None
        winners: M = result.winners
        node.low = DRAW
        if winners == 1:
            node.low = WIN
        elif winners == 2:
            node.low = LOSS
        node.high = node.low
        node.proved_turn = self.machine.turn
        node.is_expanded = True

    def propagate_minimax(self, changed: M) -> None:
        """Update the minimax values of the nodes on the path, from the bottom up.

        The node at index ``changed - 1`` of :attr:`path` is updated first. The update ends just below the root, or
        earlier at a node whose value stays the same or that has no children.
        """
        path = self.path
        at = changed
        while at > 1:
            at -= 1
            node = path[at]
            child = node.first_child
            if child is None:
                return
            best: float = -1.0
            player = child.player
            while child is not None:
                value: float = child.minimax_value
                if child.low == child.high:
                    value = float(child.low) * 0.5
                    if player:
                        value = 1.0 - value
                if value > best:
                    best = value
                child = child.next_sibling
            if node.player != player:
                best = 1.0 - best
            if best == node.minimax_value:
                return
            node.minimax_value = best

    def propagate_bounds(self, changed: M) -> None:
        """Propagate proved bounds up the path.

        The node at index ``changed - 1`` of :attr:`path` is updated first. The update ends at the root, or earlier at a
        node whose bounds stay the same or whose children haven't all been added. If the value of a node is now proved,
        its proved turn is set too.
        """
        path = self.path
        at = changed
        while at:
            at -= 1
            node = path[at]
            child = node.first_child
            if child is None or not node.is_expanded:
                return
            first_player = child.player == 0
            low: M = LOSS
            high: M = LOSS
            if not first_player:
                low = WIN
                high = WIN
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
                child = child.next_sibling
            if low == node.low and high == node.high:
                return
            node.low = low
            node.high = high
            if low == high:
                node.proved_turn = self.proved_turn_of(node, first_player)

    def proved_turn_of(self, node: TreeNode, first_player: bool) -> M:
        """Return the number of the turn in which the proved result of ``node`` is reached.

        The player who chooses at this node is assumed to win as early as possible and to delay any other result.
        ``first_player`` says whether that player is player 0.
        """
        wins = (node.low == WIN) == first_player and node.low != DRAW
        result: M = -1
        child = node.first_child
        while child is not None:
            if child.low == child.high and child.low == node.low:
                far = child.proved_turn
                if result < 0 or (wins and far < result) or (not wins and far > result):
                    result = far
            child = child.next_sibling
        return result

    # ------------------------------------------------------------ results

    def choice_statistics(self, player: int) -> list[tuple[int, int, float, int, int, int]]:
        """Return the choices at the root, most visited first.

        Each is a tuple of code, visits, mean value, low, high and proved turn; see :class:`TreeNode`. If the players
        choose in secret, the choices are those of ``player``.
        """
        node = self.root
        if node.roots_by_player:
            node = node.roots_by_player[player]
        result: list[tuple[int, int, float, int, int, int]] = []
        child = node.first_child
        while child is not None:
            mean: float = 0.0
            if child.visits:
                mean = child.value_sum / float(child.visits)
            result.append((child.code, child.visits, mean, child.low, child.high, child.proved_turn))
            child = child.next_sibling
        result.sort(key=choice_sort_key)
        return result

    def turn_statistics(
        self, player: int, max_count: int
    ) -> list[tuple[list[int], int, float, int, int, int]]:
        """Return the turns that the search has tried for ``player`` at the root, most visited first.

        At most ``max_count`` turns are returned. Each is a tuple of codes, visits, mean value, low, high and proved
        turn; see :class:`TreeNode`. If the tree contains only the beginning of a turn, only that part is listed.
        """
        node = self.root
        if node.roots_by_player:
            node = node.roots_by_player[player]
        result: list[tuple[list[int], int, float, int, int, int]] = []
        todo: list[tuple[list[int], TreeNode]] = [([], node)]
        while todo:
            codes, node = todo.pop()
            inside = False
            child = node.first_child
            if not codes or node.turns_completed == self.root_checkpoint.registers.turn:
                while child is not None:
                    if child.visits and child.player == player:
                        inside = True
                        todo.append(([*codes, child.code], child))
                    child = child.next_sibling
            if not inside and codes:
                mean = node.value_sum / float(node.visits)
                result.append((codes, node.visits, mean, node.low, node.high, node.proved_turn))
        result.sort(key=turn_sort_key)
        return result[:max_count]


def choice_sort_key(statistics: tuple[int, int, float, int, int, int]) -> tuple[int, int]:
    """Return a sort key that puts the most visited choices first.

    ``statistics`` is one of the tuples that :meth:`SearchTree.choice_statistics` returns. Of equally visited choices,
    the one with the lower code comes first.
    """
    return -statistics[1], statistics[0]


def turn_sort_key(
    statistics: tuple[list[int], int, float, int, int, int],
) -> tuple[int, list[int]]:
    """Return a sort key that puts the most visited turns first."""
    return -statistics[1], statistics[0]
