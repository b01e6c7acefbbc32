"""The facts of games, compared with the rule book."""

from __future__ import annotations

import pytest

import shibumi3d
from shibumi3d.rules.game import Game, Outcome, State
from shibumi3d.rules.marbles.facts import marble_facts
from tests.rules.inline import inline


def test_marble_game_meets_game_contract() -> None:
    game: Game = shibumi3d.game("spline")
    state: State = game.start(2)
    assert (game.kind, dict(game.form)) == ("marbles", {"size": 4, "variant": ""})
    assert state.decision is not None
    assert (state.decision.seats, state.decision.visibility) == ((0,), "open")
    for text in ("W@Aa1", "B@Ab1", "W@Aa2", "B@Ab2", "W@Aa3", "B@Ab3", "W@Aa4"):
        state, _ = game.apply(state, game.parse(state, text))
    assert state.decision is None
    assert isinstance(game.outcome(state), Outcome)


# Hidden information, chance and simultaneous choices, according to the rule book and the games' own pages.
@pytest.mark.parametrize(
    ("name", "seats", "secrets", "chance", "simultaneous"),
    [
        ("spline", 2, False, False, False),
        ("spanic", 3, True, True, False),  # hands drawn from a bag
        ("spagyric", 2, True, False, True),  # colours chosen together
        ("spindizzy", 3, True, False, True),
        ("spoker", 2, False, True, False),  # marbles drawn in the open
        ("spy", 3, True, False, True),  # a pyramid under a cloth; the disciples build at the same time
        ("spalone", 1, False, True, False),
    ],
)
def test_game_facts_state_secrets_and_chance(
    name: str, seats: int, secrets: bool, chance: bool, simultaneous: bool
) -> None:
    facts = shibumi3d.game(name).facts(seats)
    assert (facts.has_secrets, facts.has_chance, facts.has_simultaneous_moves) == (
        secrets,
        chance,
        simultaneous,
    )


# Solo games that are won or lost, solo games with a score, and a cooperative game for up to five.
@pytest.mark.parametrize(
    ("name", "seats", "solver"),
    [
        ("spline", 2, ""),
        ("spin", 1, "win"),
        ("spuzzle", 1, "score"),
        ("sprout", 4, "win"),
        ("splink", 2, ""),
    ],
)
def test_game_facts_state_solver(name: str, seats: int, solver: str) -> None:
    assert shibumi3d.game(name).facts(seats).solver == solver


# From the rule book: marbles are only added (Spline), first added and then only removed (Special Cake) or only
# removed (Spectacular Tumble); in other games they move or return.
@pytest.mark.parametrize(
    ("name", "recurs"),
    [
        ("spline", False),
        ("special-cake", False),
        ("spectacular-tumble", False),
        ("splush", True),
        ("spline-plus", True),
        ("sphlag", True),
        ("spargo", True),  # captured marbles go, and come again
        ("spillway", True),
        # Their number decreases (book p. 57) or increases with every turn, whatever else moves.
        ("spoing", False),
        ("sphlying-marbles", False),
        ("splink", False),
        ("spinca", False),
    ],
)
def test_game_facts_state_position_repetition(name: str, recurs: bool) -> None:
    assert marble_facts(shibumi3d.game(name)).positions_may_repeat is recurs


@pytest.mark.parametrize(
    ("name", "variant", "chance", "draws"),
    [
        ("special-cake", "candy", True, False),  # the cake is dealt, and no more
        ("spoker", None, True, True),
        ("spalone", None, True, True),
        ("spline", None, False, False),
    ],
)
def test_game_facts_distinguish_chance_in_play(
    name: str, variant: str | None, chance: bool, draws: bool
) -> None:
    facts = marble_facts(shibumi3d.game(name, variant=variant))
    assert (facts.has_chance, facts.has_chance_in_play) == (chance, draws)


def test_game_facts_describe_series_and_stocks() -> None:
    duel = shibumi3d.game("splink").facts()
    assert (duel.is_series, duel.games_in_series) == (True, 2)  # book p. 69: each is the Mediator once
    hands = shibumi3d.game("spanic").facts(3)
    assert hands.dealable_names == {"bag"}
    hand = hands.stock("hand")
    assert hand is not None
    assert (hand.is_per_seat, hand.is_hidden, hand.is_drawn_from) == (True, True, False)


def test_options_list_sizes_and_variants() -> None:
    options = {option.name: option for option in shibumi3d.game("splade").facts().options}
    assert options["size"].default == 4
    assert options["variant"].values == ("", "before")  # the winner precedes the other colour, book p. 24


def test_drawing_onto_points_adds_marbles() -> None:
    game = inline("""
        stocks: {bag: {holds: {white: 5}, see: none}}
        turn: [{take: filled, to: bag}, {draw: 1, from: bag, at: Aa1}]
        """)
    assert marble_facts(game).positions_may_repeat


def test_stock_that_everyone_sees_is_not_hidden() -> None:
    game = inline("""
        stocks: {hand: {each: {own: 5}, see: everyone}}
        turn: {place: own, from: hand}
        """)
    hand = marble_facts(game).stock("hand")
    assert hand is not None
    assert not hand.is_hidden
