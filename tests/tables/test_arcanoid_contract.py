"""Arcanoid meets the contract of all table kinds in every variant, and long random matches run without errors."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

import shibumi3d
from shibumi3d.rules.arcanoid.cards import ALL_CARDS
from shibumi3d.rules.arcanoid.game import CardGame
from shibumi3d.rules.arcanoid.state import OPEN, State
from tests.tables.arcanoid_playthrough import FILE as PLAYTHROUGH
from tests.tables.arcanoid_playthrough import text as playthrough
from tests.tables.contract import check_random_match

NAME = "arcanoid"
FORMS = [
    ("", 2, {}),
    ("nassau", 4, {}),
    ("koblenz", 3, {}),
    ("mainz", 10, {}),
    ("malta", 3, {"dummies": 2}),
    ("worms", 5, {}),
    ("gaza", 2, {}),
]


def card_game(variant: str, options: dict[str, int | str]) -> CardGame:
    game = shibumi3d.game(NAME, variant=variant or None, options=options)
    assert isinstance(game, CardGame)
    return game


def check_state(state: State) -> None:
    """Assert that a state of Arcanoid is consistent.

    Each of the 78 cards must be in exactly one place, and the number of cards in each place must be right. Four fields
    must have been decided in each finished round, and the scores must add up to the number of fields won by seats, not
    by Automatons. During the match, a participant must have left the round if and only if none of its fields is open.
    This last condition need not hold while others may still use the Fool to steal the cards just engaged, since that
    would open the field again.
    """
    seen = 0
    for cards, count in zip(state.cards_at, state.counts_at, strict=True):
        assert cards.bit_count() == count
        assert not seen & cards
        seen |= cards
    assert seen == ALL_CARDS
    rounds = state.round if state.result is not None else state.round - 1
    assert len(state.won_fields) == 4 * rounds
    assert sum(state.scores) == sum(won.seat >= 0 for won in state.won_fields)
    if state.result is None:
        for who in range(state.participants):
            assert state.has_left_round(who) == all(
                state.field_status(who, suit).kind != OPEN for suit in range(4)
            ) or (state.tasks[-1][0] == "fool")


@pytest.mark.parametrize(("variant", "seats", "options"), FORMS)
def test_arcanoid_meets_table_contract(variant: str, seats: int, options: dict[str, int | str]) -> None:
    check_random_match(card_game(variant, options | {"rounds": 2}), seats, 7, every=7, also=check_state)


def play_random_match(game: CardGame, seats: int, seed: int) -> int:
    """Play a random match, check the state after each move, and return the number of moves.

    For each move, a kind of move is chosen first, and then a move of that kind, so all kinds are equally likely. Fails
    if the match isn't over after 20,000 moves.
    """
    rng = Random(seed)
    state = game.start(seats, seed)
    made = 0
    while state.result is None:
        assert made < 20_000, "a match does not end"
        assert state.decision is not None
        kinds: dict[str, list[Any]] = {}
        for move in game.moves(state, rng.choice(state.decision.seats)):
            kinds.setdefault(move.kind, []).append(move)
        state, _ = game.apply(state, rng.choice(kinds[rng.choice(list(kinds))]))
        made += 1
        check_state(state)
    return made


def test_random_matches_end() -> None:
    """Each of 60 random matches ends within 20,000 choices, and each choice leads to a valid state.

    To play 10,000 matches, run ``python -m tests.tables.test_arcanoid_contract 10000``.
    """
    play_many(60)


def play_many(number: int) -> int:
    made = 0
    for seed in range(number):
        variant, _, _ = FORMS[seed % len(FORMS)]
        dummies = seed % 3 if seed % 5 == 0 or variant == "gaza" else 0
        seats = min(2 + seed // len(FORMS) % 9, 12 - dummies)
        made += play_random_match(card_game(variant, {"dummies": dummies}), seats, seed)
    return made


def test_dummies_and_round_options_apply() -> None:
    game = card_game("", {"dummies": 2, "rounds": 3})
    state = game.start(10, 1)
    assert state.participants == 12
    assert state.rules.rounds == 3
    assert state.counts_at[0] == 78 - 72
    assert card_game("gaza", {}).start(2).participants == 3
    assert card_game("", {}).start(2).rules.rounds == 5


def test_playthrough_matches_golden_file() -> None:
    assert playthrough() == PLAYTHROUGH.read_text(encoding="utf-8"), (
        "run 'python -m tests.tables.arcanoid_playthrough'"
    )


def test_invalid_deal_is_refused_with_message() -> None:
    game = card_game("", {})
    for deal, message in (
        ({"stock": "S1"}, "there is no card 'S1'"),
        ({"stock": "S2 S2"}, "the card S2 is listed twice"),
        ({"first": "3"}, "'first' must be a seat from 1 to 2, not '3'"),
        ({"throws": "1"}, "can't set 'throws'"),
    ):
        with pytest.raises(ValueError, match=message):
            game.start(2, 1, deal)


if __name__ == "__main__":
    import sys

    print(play_many(int(sys.argv[1])), "choices")
