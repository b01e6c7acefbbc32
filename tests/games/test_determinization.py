"""Determinizations: complete states that look the same to a seat and from which the match can continue."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from shibumi3d.app.host.player_setup import lesson_match
from shibumi3d.catalogue.catalogue import load_catalogue
from shibumi3d.catalogue.schema import Entry
from shibumi3d.catalogue.shown_problems import tip_lessons
from shibumi3d.rules.marbles.game import MarbleGame
from shibumi3d.rules.marbles.state import State
from tests.marble_games import marble_games

HIDING = [
    entry.id
    for entry in marble_games()
    if (facts := entry.game().facts(entry.players[0])).has_secrets or facts.has_chance
]


def test_known_games_with_hidden_information_are_covered() -> None:
    # According to the book: bags, dealt pyramids, hands, fists, codes, goals and simultaneous choices.
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


def _given_positions(entry: Entry) -> Iterator[tuple[MarbleGame, State]]:
    """Yield (game, state) for the example, the exercise and the tips of a game.

    The marbles in play needn't add up to the usual number.
    """
    shown = [entry.example, entry.exercise, *tip_lessons(entry.id, entry.tips)]
    for lesson in filter(None, shown):
        match = lesson_match(entry, lesson)
        assert isinstance(match.game, MarbleGame)
        assert isinstance(match.state, State)
        yield match.game, match.state


def _known_sizes(view: State) -> dict[tuple[str, int], int]:
    """Return the number of marbles in each stock whose size isn't hidden in ``view``.

    The keys are (name, holder). The holder is the index of a seat, or 0 for a shared stock. If the size of a stock is
    hidden, its count of marbles of unknown colour is UNKNOWN_COUNT, which is negative.
    """
    return {
        (name, holder): sum(content.values())
        for name, contents in view.reserves.items()
        for holder, content in enumerate(contents)
        if min(content.values()) >= 0
    }


@pytest.mark.parametrize("name", HIDING)
def test_determinizations_of_given_positions_hold_as_many_marbles_as_is_known(name: str) -> None:
    for game, state in _given_positions(load_catalogue().get(name)):
        for seat in range(state.seats):
            view = game.observe(state, seat)
            assert isinstance(view, State)
            for seed in range(4):
                whole = game.determinize(view, seat, Random(seed))
                assert isinstance(whole, State)
                full = _known_sizes(whole)
                assert {stock: full[stock] for stock in _known_sizes(view)} == _known_sizes(view)


def test_playouts_from_a_given_position_with_hidden_hands_differ() -> None:
    game, state = next(_given_positions(load_catalogue().get("spindizzy")))
    view, ends = game.observe(state, 0), set()
    for seed in range(12):
        chance = Random(seed)
        whole = game.determinize(view, 0, chance)
        while whole.to_move is not None:
            whole, _ = game.apply(whole, chance.choice(game.moves(whole)))
        assert whole.result is not None
        ends.add((whole.result.winners, whole.result.scores))
    assert len(ends) > 4
