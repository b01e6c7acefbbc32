"""Heuristics for Arcanoid: which moves are worth searching, playouts, and evaluation of states.

The numbers are based on the strength that a hand can reach in one suit by discarding everything else. At first, the
median is 14.5, and one hand in twenty reaches 20; after eight turns, these figures are 17.5 and 32.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import exp
from random import Random

from shibumi3d.rules.arcanoid.cards import (
    CHARIOT,
    COURTS,
    DEATH,
    DEVIL,
    EMPEROR,
    EMPRESS,
    FOOL,
    HANGED,
    HERMIT,
    HIEROPHANT,
    JUDGEMENT,
    JUSTICE,
    KING,
    KNAVE,
    LOVERS,
    MAGICIAN,
    MINORS,
    MOON,
    NUMERIC,
    PRIESTESS,
    QUEEN,
    STARS,
    STRENGTH,
    SUIT_SIZE,
    SUN,
    TEMPERANCE,
    TOWER,
    WHEEL,
    WORLD,
    cards_in,
    points,
)
from shibumi3d.rules.arcanoid.move import Move
from shibumi3d.rules.arcanoid.sets import COUPLES, sort_of, value_of
from shibumi3d.rules.arcanoid.state import FORCES, OPEN, State
from shibumi3d.rules.arcanoid.table import CardRules
from shibumi3d.rules.game import Game

HORIZON = 40
CARRIER = 1 << CHARIOT
MOST = 12
"""Maximum number of moves to search."""
WARMTH = 0.25
"""Standard deviation of the random noise added to move values in playouts."""
COUPLE = {"illegitimate": 0.93, "royal": 0.97, "imperial": 0.99, "world": 1.0}
"""Probability that forces of each kind hold against an opponent whose field is still open."""
USUAL = {
    PRIESTESS: 0.3,
    HIEROPHANT: 0.15,
    JUSTICE: -0.2,
    HERMIT: 0.5,
    WHEEL: 0.6,
    STRENGTH: 0.8,
    HANGED: -0.1,
    DEATH: -0.4,
    TEMPERANCE: 0.1,
    DEVIL: 1.0,
    TOWER: -0.3,
    STARS: 0.35,
    MOON: 0.45,
    SUN: 0.55,
    JUDGEMENT: 0.1,
}
"""Value of playing a major, regardless of its target, relative to discarding a useless card."""
KEPT = {EMPRESS: 0.8, EMPEROR: 0.8, LOVERS: 1.0, MAGICIAN: 0.6, WORLD: 1.2, FOOL: 1.0}
"""Value of holding cards that are not played on their own."""


def candidates(game: Game, view: State, seat: int, moves: Sequence[Move]) -> list[Move]:
    """Return the moves worth searching, best first."""
    judged = _Judged(view)
    return sorted(moves, key=lambda move: -judged.worth(move))[:MOST]


def likely(game: Game, state: State, seat: int, moves: Sequence[Move], chance: Random) -> Move:
    """Return the move that ``seat`` makes in a playout."""
    if len(moves) == 1:
        return moves[0]
    judged = _Judged(state)
    return max(moves, key=lambda move: judged.worth(move) + WARMTH * chance.gauss(0.0, 1.0))


def estimate(game: Game, state: State) -> list[float]:
    """Return the value of a state for each seat, from 0 to 1.

    The value is based on the fields won and the chances of winning the others.
    """
    expected = [float(score) for score in state.scores]
    for suit in range(4) if state.result is None else ():
        for seat, part in _shares(state, suit):
            if seat >= 0:
                expected[seat] += part
    left = state.rules.rounds - state.round
    # The more rounds are left, the less a lead means.
    weights = [exp(1.2 * value / (1 + 0.35 * left)) for value in expected]
    total = sum(weights)
    return [weight / total for weight in weights]


def _shares(state: State, suit: int) -> list[tuple[int, float]]:
    """Return the chances of winning a field, as pairs of seat and probability.

    There is one pair for each participant that has a chance.
    """
    still = [
        who
        for who in range(state.participants)
        if state.stand(who, suit).kind == OPEN and state.masters[who] >= 0
    ]
    best = _best(state, suit)
    if best is None:
        if not still:
            return []
        return [(state.masters[who], 1 / len(still)) for who in still]
    chance, who = best
    held = chance ** len(still) if still else 1.0
    found = [(state.masters[who], held)]
    return found + [(state.masters[each], (1 - held) / len(still)) for each in still]


def _best(state: State, suit: int) -> tuple[float, int] | None:
    """Return the strongest visible forces on a field: the probability that they hold, and their owner."""
    found = [
        (_chance(state.forces(who, suit), suit, state), who)
        for who in range(state.participants)
        if state.stand(who, suit).kind == FORCES
    ]
    return max(found, default=None)


def _chance(cards: int, suit: int, state: State) -> float:
    """Return the probability that forces hold against an open opponent.

    Hidden forces count as average.
    """
    return _chance_of(cards, suit, state.rules)


@lru_cache(1 << 14)
def _chance_of(cards: int, suit: int, rules: CardRules) -> float:
    sort = sort_of(cards, suit, rules)
    if sort in COUPLES or sort == "world":
        return COUPLE[sort]
    value = value_of(cards, rules) if cards else 14.5
    return 0.92 / (1 + exp((14.5 - value) / 3.0))


class _Judged:
    """Values of the legal moves, for the participant who is to move."""

    def __init__(self, state: State) -> None:
        self.state = state
        task = state.tasks[-1]
        self.kind = task[0]
        self.who = task[1] if isinstance(task[1], int) else 0
        self.stock = state.count[0]
        self.best: dict[int, float] = {}
        self.rivals: dict[int, int] = {}
        for suit in range(4):
            found = _best(state, suit)
            self.best[suit] = found[0] if found else 0.0
            self.rivals[suit] = sum(
                state.stand(who, suit).kind == OPEN and state.masters[who] >= 0 and who != self.who
                for who in range(state.participants)
            )
        self.mine = state.available(self.who)

    def worth(self, move: Move) -> float:
        """Return the value of a move, relative to discarding a useless card."""
        kind = move.kind
        if kind in ("engage", "reinforce"):
            return self._engaged(move)
        if kind == "discard":
            return -self._kept(int(move.cards).bit_length() - 1)
        if kind == "abdicate":
            return (
                -0.6 if self.state.dead or not self.stock else -2.0 + 0.2 * (self.best[move.suits[0]] > 0.9)
            )
        if kind == "play":
            return self._played(move)
        if kind == "call":
            return self._called(move.cards.bit_length() - 1)
        return self._said(kind)

    def _engaged(self, move: Move) -> float:
        suit = move.suits[0]
        chance = _chance(move.cards & ~CARRIER, suit, self.state)
        if chance <= self.best[suit]:
            return -1.5
        rivals = self.rivals[suit]
        won = float(chance**rivals)
        waiting = 1 / (rivals + 1.5) + 0.15 * min(1.0, self.stock / 40)
        return 4 * (won * len(move.suits) - waiting)

    def _kept(self, card: int) -> float:
        """Return the value of keeping a card in the hand."""
        if card >= MINORS:
            return KEPT.get(card, max(0.1, USUAL.get(card, 0.0)))
        suit, rank = divmod(card, SUIT_SIZE)
        if self.state.stand(self.who, suit).kind != OPEN:
            return 0.0
        if rank in (QUEEN, KING):
            other = suit * SUIT_SIZE + QUEEN + KING - rank
            return 1.5 if self.mine >> other & 1 else 0.45
        return 0.7 if rank >= KNAVE else 0.08 * points(card)

    def _played(self, move: Move) -> float:
        card = move.cards.bit_length() - 1
        worth = USUAL.get(card, 0.0)
        state, mine = self.state, self.state.masters[self.who]
        rival = move.who >= 0 and state.masters[move.who] != mine
        if card == TOWER:
            suit = move.suits[0]
            strong = _chance(state.forces(move.who, suit), suit, state)
            return worth + 1.4 * strong if rival and strong >= self.best[suit] else -1.5
        if card == JUDGEMENT:
            return worth + 0.3 * (4 - len(state.open_fields(move.who))) if rival else -1.0
        if card == PRIESTESS:
            return worth if rival else -1.0
        if card == HANGED and not rival:
            return 0.8 - 0.35 * sum(self._kept(each) for each in cards_in(state.hand(self.who)))
        if card == TEMPERANCE:
            own = self.mine & (NUMERIC | COURTS)
            suit = move.suits[0]
            return worth + 0.12 * sum(each // SUIT_SIZE == suit for each in cards_in(own))
        if card == DEATH:
            ahead = 4 - len(state.open_fields(self.who)) - 1.5
            return worth + 0.4 * ahead
        return worth

    def _called(self, card: int) -> float:
        if card >= MINORS:
            return 0.6 if card in (EMPRESS, EMPEROR) and self.mine & (1 << EMPRESS | 1 << EMPEROR) else -0.2
        if self.mine >> card & 1 or self.state.stand(self.who, card // SUIT_SIZE).kind != OPEN:
            return -1.0
        seen = any(cards >> card & 1 for cards in self.state.at[1:4]) and not self.state.seed
        return (-1.0 if seen else 0.0) + self._kept(card)

    def _said(self, kind: str) -> float:
        state = self.state
        if kind == "steal":
            task = state.tasks[-1]
            victim, suit = task[1], task[2]
            assert isinstance(victim, int)
            assert isinstance(suit, int)
            chance = _chance(state.forces(victim, suit), suit, state)
            return 4 * (float(chance ** max(0, self.rivals[suit])) - 0.45)
        if kind == "yes":
            return 0.4 if not state.renewals else -0.6
        if kind == "load":
            return -0.8
        return {"extra": 0.15, "unload": -1.5, "lift": -0.3, "done": -0.3}.get(kind, 0.0)
