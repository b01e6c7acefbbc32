"""Heuristics for Arcanoid: selection of the moves to search, playouts, and evaluation of states.

The constants are based on the strength that a hand can achieve in one suit by discarding everything else. At the start
of a game, the median strength is 14.5, and one hand in twenty achieves 20; after eight turns, these figures are 17.5
and 32.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import exp
from random import Random

from shibumi3d.rules.arcanoid.cards import (
    CHARIOT,
    COURT_CARDS,
    DEATH,
    DEVIL,
    EMPEROR,
    EMPRESS,
    FOOL,
    HANGED_MAN,
    HERMIT,
    HIEROPHANT,
    HIGH_PRIESTESS,
    JUDGEMENT,
    JUSTICE,
    KING,
    KNAVE,
    LOVERS,
    MAGICIAN,
    MINOR_COUNT,
    MOON,
    NUMBER_CARDS,
    QUEEN,
    STARS,
    STRENGTH,
    SUIT_SIZE,
    SUN,
    TEMPERANCE,
    TOWER,
    WHEEL_OF_FORTUNE,
    WORLD,
    card_points,
    cards_in,
)
from shibumi3d.rules.arcanoid.moves import COUPLE_KINDS, Move, engagement_kind, engagement_points
from shibumi3d.rules.arcanoid.state import ENGAGED, OPEN, CardRules, State
from shibumi3d.rules.game import Game

PLAYOUT_MOVES = 40
CHARIOT_MASK = 1 << CHARIOT
MAX_CANDIDATES = 12
"""Maximum number of moves to search."""
PLAYOUT_NOISE = 0.25
"""Standard deviation of the random noise added to move values in playouts."""
HOLD_PROBABILITY = {"illegitimate": 0.93, "royal": 0.97, "imperial": 0.99, "world": 1.0}
"""Probability that forces of each kind hold against an opponent whose field is still open."""
MAJOR_PLAY_VALUES = {
    HIGH_PRIESTESS: 0.3,
    HIEROPHANT: 0.15,
    JUSTICE: -0.2,
    HERMIT: 0.5,
    WHEEL_OF_FORTUNE: 0.6,
    STRENGTH: 0.8,
    HANGED_MAN: -0.1,
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
MAJOR_HOLD_VALUES = {EMPRESS: 0.8, EMPEROR: 0.8, LOVERS: 1.0, MAGICIAN: 0.6, WORLD: 1.2, FOOL: 1.0}
"""Value of keeping a major that is not played on its own, relative to a useless card."""


def candidate_moves(game: Game, view: State, seat: int, moves: Sequence[Move]) -> list[Move]:
    """Return the most promising of ``moves``, at most ``MAX_CANDIDATES``, best first."""
    evaluator = MoveEvaluator(view)
    return sorted(moves, key=lambda move: -evaluator.move_value(move))[:MAX_CANDIDATES]


def playout_move(game: Game, state: State, seat: int, moves: Sequence[Move], rng: Random) -> Move:
    """Return the move that ``seat`` makes in a playout.

    It is the move with the highest value after random noise is added to every value.
    """
    if len(moves) == 1:
        return moves[0]
    evaluator = MoveEvaluator(state)
    return max(moves, key=lambda move: evaluator.move_value(move) + PLAYOUT_NOISE * rng.gauss(0.0, 1.0))


def estimate_values(game: Game, state: State) -> list[float]:
    """Return the value of a state for each seat, from 0 to 1.

    The value is based on the fields won in earlier rounds and on the chances of winning those of the current round.
    """
    expected = [float(score) for score in state.scores]
    for suit in range(4) if state.result is None else ():
        for seat, part in _win_chances(state, suit):
            if seat >= 0:
                expected[seat] += part
    left = state.rules.rounds - state.round
    # The more rounds are left, the less a lead means.
    weights = [exp(1.2 * value / (1 + 0.35 * left)) for value in expected]
    total = sum(weights)
    return [weight / total for weight in weights]


def _win_chances(state: State, suit: int) -> list[tuple[int, float]]:
    """Return the chances of winning the field of ``suit``, as pairs of seat and probability.

    Each participant that a seat controls and whose field of this suit is still open has a pair. So has the participant
    with the strongest forces on the field, if there are any forces. If this participant is an Automaton, the seat in
    its pair is -1. A seat that controls several participants can have several pairs.
    """
    still = [
        participant
        for participant in range(state.participants)
        if state.field_status(participant, suit).kind == OPEN and state.controlling_seats[participant] >= 0
    ]
    best = _strongest_forces(state, suit)
    if best is None:
        if not still:
            return []
        return [(state.controlling_seats[participant], 1 / len(still)) for participant in still]
    chance, participant = best
    held = chance ** len(still) if still else 1.0
    chances = [(state.controlling_seats[participant], held)]
    return chances + [(state.controlling_seats[card], (1 - held) / len(still)) for card in still]


def _strongest_forces(state: State, suit: int) -> tuple[float, int] | None:
    """Return the probability that the strongest forces on a field hold, and the participant to whom they belong.

    Return None if there are no forces on the field.
    """
    found = [
        (_hold_probability(state.engaged_cards(participant, suit), suit, state), participant)
        for participant in range(state.participants)
        if state.field_status(participant, suit).kind == ENGAGED
    ]
    return max(found, default=None)


def _hold_probability(card_mask: int, suit: int, state: State) -> float:
    """Return the probability that the given forces hold against an opponent whose field is still open.

    Hidden forces, for which ``card_mask`` is 0, are assumed to have average strength.
    """
    return _cached_hold_probability(card_mask, suit, state.rules)


@lru_cache(1 << 14)
def _cached_hold_probability(card_mask: int, suit: int, rules: CardRules) -> float:
    kind = engagement_kind(card_mask, suit, rules)
    if kind in COUPLE_KINDS or kind == "world":
        return HOLD_PROBABILITY[kind]
    value = engagement_points(card_mask, rules) if card_mask else 14.5
    return 0.92 / (1 + exp((14.5 - value) / 3.0))


class MoveEvaluator:
    """Evaluator of the legal moves of the participant to move."""

    def __init__(self, state: State) -> None:
        self.state = state
        task = state.tasks[-1]
        self.participant = task[1] if isinstance(task[1], int) else 0
        self.stock_size = state.counts_at[0]
        self.strongest_by_suit: dict[int, float] = {}
        self.rivals_by_suit: dict[int, int] = {}
        for suit in range(4):
            found = _strongest_forces(state, suit)
            self.strongest_by_suit[suit] = found[0] if found else 0.0
            self.rivals_by_suit[suit] = sum(
                state.field_status(participant, suit).kind == OPEN
                and state.controlling_seats[participant] >= 0
                and participant != self.participant
                for participant in range(state.participants)
            )
        self.own_cards = state.playable_cards(self.participant)

    def move_value(self, move: Move) -> float:
        """Return the value of a move, relative to discarding a useless card."""
        kind = move.kind
        if kind in ("engage", "reinforce"):
            return self._engagement_value(move)
        if kind == "discard":
            return -self._holding_value(int(move.cards).bit_length() - 1)
        if kind == "abdicate":
            return (
                -0.6
                if self.state.stock_closed or not self.stock_size
                else -2.0 + 0.2 * (self.strongest_by_suit[move.suits[0]] > 0.9)
            )
        if kind == "play":
            return self._major_value(move)
        if kind == "call":
            return self._call_value(move.cards.bit_length() - 1)
        return self._answer_value(kind)

    def _engagement_value(self, move: Move) -> float:
        suit = move.suits[0]
        chance = _hold_probability(move.cards & ~CHARIOT_MASK, suit, self.state)
        if chance <= self.strongest_by_suit[suit]:
            return -1.5
        rivals = self.rivals_by_suit[suit]
        won = float(chance**rivals)
        waiting = 1 / (rivals + 1.5) + 0.15 * min(1.0, self.stock_size / 40)
        return 4 * (won * len(move.suits) - waiting)

    def _holding_value(self, card: int) -> float:
        if card >= MINOR_COUNT:
            return MAJOR_HOLD_VALUES.get(card, max(0.1, MAJOR_PLAY_VALUES.get(card, 0.0)))
        suit, rank = divmod(card, SUIT_SIZE)
        if self.state.field_status(self.participant, suit).kind != OPEN:
            return 0.0
        if rank in (QUEEN, KING):
            other = suit * SUIT_SIZE + QUEEN + KING - rank
            return 1.5 if self.own_cards >> other & 1 else 0.45
        return 0.7 if rank >= KNAVE else 0.08 * card_points(card)

    def _major_value(self, move: Move) -> float:
        card = move.cards.bit_length() - 1
        value = MAJOR_PLAY_VALUES.get(card, 0.0)
        state, mine = self.state, self.state.controlling_seats[self.participant]
        rival = move.target >= 0 and state.controlling_seats[move.target] != mine
        if card == TOWER:
            suit = move.suits[0]
            strong = _hold_probability(state.engaged_cards(move.target, suit), suit, state)
            return value + 1.4 * strong if rival and strong >= self.strongest_by_suit[suit] else -1.5
        if card == JUDGEMENT:
            return value + 0.3 * (4 - len(state.open_fields(move.target))) if rival else -1.0
        if card == HIGH_PRIESTESS:
            return value if rival else -1.0
        if card == HANGED_MAN and not rival:
            return 0.8 - 0.35 * sum(
                self._holding_value(each) for each in cards_in(state.known_hand_cards(self.participant))
            )
        if card == TEMPERANCE:
            own = self.own_cards & (NUMBER_CARDS | COURT_CARDS)
            suit = move.suits[0]
            return value + 0.12 * sum(each // SUIT_SIZE == suit for each in cards_in(own))
        if card == DEATH:
            ahead = 4 - len(state.open_fields(self.participant)) - 1.5
            return value + 0.4 * ahead
        return value

    def _call_value(self, card: int) -> float:
        if card >= MINOR_COUNT:
            return (
                0.6 if card in (EMPRESS, EMPEROR) and self.own_cards & (1 << EMPRESS | 1 << EMPEROR) else -0.2
            )
        if (
            self.own_cards >> card & 1
            or self.state.field_status(self.participant, card // SUIT_SIZE).kind != OPEN
        ):
            return -1.0
        seen = any(cards >> card & 1 for cards in self.state.cards_at[1:4]) and not self.state.seed
        return (-1.0 if seen else 0.0) + self._holding_value(card)

    def _answer_value(self, kind: str) -> float:
        state = self.state
        if kind == "steal":
            task = state.tasks[-1]
            victim, suit = task[1], task[2]
            assert isinstance(victim, int)
            assert isinstance(suit, int)
            chance = _hold_probability(state.engaged_cards(victim, suit), suit, state)
            return 4 * (float(chance ** max(0, self.rivals_by_suit[suit])) - 0.45)
        if kind == "yes":
            return 0.4 if not state.stock_renewals else -0.6
        if kind == "load":
            return -0.8
        return {"extra": 0.15, "unload": -1.5, "lift": -0.3, "done": -0.3}.get(kind, 0.0)
