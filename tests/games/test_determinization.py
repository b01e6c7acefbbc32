"""Determinizations: complete states that look the same to a seat and from which the match can continue."""

from __future__ import annotations

from random import Random

import pytest

from shibumi3d.catalogue.catalogue import load_catalogue
from tests.marble_games import marble_games

HIDING = [
    entry.id
    for entry in marble_games()
    if (facts := entry.game().facts(entry.players[0])).has_secrets or facts.has_chance
]


def test_known_games_with_hidden_information_are_covered() -> None:
    # By the book: bags, dealt pyramids, hands, fists, codes, goals and simultaneous choices.
    assert set(HIDING) == {
        "spagyric", "spalone", "spangle", "spanic", "sphlying-marbles", "spindizzy",
        "spoff", "spoker", "springe", "sprout", "spruit", "spy",
    }  # fmt: skip


@pytest.mark.parametrize("name", HIDING)
def test_determinizations_match_the_observation_and_are_playable(name: str) -> None:
    entry = load_catalogue().get(name)
    game, seats = entry.game(), entry.players[0]
    chance = Random(5)
    state = game.start(seats, 5)
    for _ in range(40):
        seat = state.to_move
        if seat is None:
            break
        view = game.observe(state, seat)
        whole = game.determinize(view, seat, chance)
        assert game.observe(whole, seat) == view
        assert {move.text for move in game.moves(whole)} == {move.text for move in game.moves(state)}
        for _ in range(120):
            moves = game.moves(whole)
            if not moves:
                break
            whole, _ = game.apply(whole, chance.choice(moves))
        state, _ = game.apply(state, chance.choice(game.moves(state)))


def test_determinizations_vary_hidden_information() -> None:
    game = load_catalogue().get("spanic").game()
    view = game.observe(game.start(3, 1), 0)
    hands = {str(game.determinize(view, 0, Random(seed)).reserves["hand"][1]) for seed in range(8)}
    assert len(hands) > 1
