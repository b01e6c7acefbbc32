"""What views show and offer, in every game with secrets and at every kind of table.

The public view contains no more than what all seats see. A seat that must choose has the same choices in its own view
as in the full state, except for those that depend on what it can't know.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

import shibumi3d
from shibumi3d.catalogue.catalogue import load_catalogue
from shibumi3d.rules.game import as_move_of
from tests.rules.inline import inline, play


def games_with_secrets_or_chance() -> list[str]:
    found = []
    for entry in load_catalogue():
        facts = shibumi3d.game(entry.id).facts(shibumi3d.game(entry.id).players[1])
        if facts.has_secrets or facts.has_simultaneous_moves or facts.has_chance:
            found.append(entry.id)
    return found


HIDING = games_with_secrets_or_chance()
SECRET_CHOICES = [
    name
    for name in HIDING
    if shibumi3d.game(name).facts(shibumi3d.game(name).players[1]).has_simultaneous_moves
]
"""Games in which players choose in secret."""


def test_every_kind_of_secret_is_covered() -> None:
    assert {"arcanoid", "golden-spiral", "spagyric", "spangle", "sprout", "spy"} <= set(HIDING)


def random_states(name: str, number: int) -> Iterator[tuple[Any, Any, Random]]:
    """Yield (game, state, random generator) for the states of random matches, except final ones.

    One match is played with the fewest seats and, if the game also allows more, another with the most. At most
    ``number`` states of each match are yielded. The generator is the one that chooses the moves.
    """
    game = shibumi3d.game(name)
    for seed, seats in enumerate(sorted(set(game.players))):
        chance = Random(f"{name} {seats}")
        state: Any = game.start(seats, seed=seed)
        for _ in range(number):
            if state.decision is None:
                break
            yield game, state, chance
            seat = chance.choice(state.decision.seats)
            move = chance.choice(game.moves(state, seat))
            state, _ = game.apply(state, as_move_of(move, seat, state))


def texts(moves: Any) -> list[str]:
    return [move.text for move in moves]


@pytest.mark.parametrize("name", HIDING)
def test_observation_offers_the_moves_of_the_real_state(name: str) -> None:
    for game, state, chance in random_states(name, 40):
        for seat in state.decision.seats:
            view = game.observe(state, seat)
            offered, seen = texts(game.moves(state, seat)), texts(game.moves(view, seat))
            assert texts(game.moves(view)) == seen
            assert view.to_move == seat
            assert [text for text in offered if text in seen] == seen, "a view offers what can't be done"
            if offered != seen:
                # Allowed only if it depends on what the seat can't know.
                worlds = [game.determinize(view, seat, chance) for _ in range(200)]
                assert any(texts(game.moves(world, seat)) != offered for world in worlds)


@pytest.mark.parametrize("name", SECRET_CHOICES)
def test_seats_not_asked_in_secret_are_offered_nothing(name: str) -> None:
    checked = 0
    for game, state, _ in random_states(name, 60):
        if state.decision.visibility != "hidden":
            continue
        for seat in (None, *range(state.seats)):
            if seat in state.decision.seats:
                continue
            checked += 1
            view = game.observe(state, seat)
            if seat is not None:
                assert game.moves(view, seat) == ()
            if game.kind == "marbles":
                assert game.moves(view) == ()
                assert game.describe_decision(view) == game.describe_decision(view, "fr") == ""
            assert isinstance(game.describe_decision(view), str)
            assert game.table_lines(view, "en")
    assert checked


@pytest.mark.parametrize("name", HIDING)
def test_public_observation_is_common_to_all_seats(name: str) -> None:
    for game, state, chance in random_states(name, 40):
        common = game.observe(state, None)
        assert common.seed is None
        assert game.observe(common, None) == common
        for seat in range(state.seats):
            view = game.observe(state, seat)
            assert game.observe(view, seat) == view
            assert game.observe(view, None) == common, "everybody sees what a seat does not"
            if game.kind == "marbles" and state.decision.visibility == "hidden":
                continue  # in a sampled moment nobody else has chosen yet
            # This state looks the same to that seat, so it must look the same to all.
            other = game.determinize(view, seat, chance)
            assert game.observe(other, None) == common
            assert game.table_lines(game.observe(other, None), "fr") == game.table_lines(common, "fr")


@pytest.mark.parametrize("name", SECRET_CHOICES)
def test_secret_choice_is_invisible_to_everyone(name: str) -> None:
    compared = 0
    for game, state, chance in random_states(name, 60):
        if state.decision.visibility != "hidden":
            continue
        seat = chance.choice(state.decision.seats)
        before = game.observe(state, None)
        after = []
        for move in game.moves(state, seat):
            one, events = game.apply(state, as_move_of(move, seat, state))
            if not any(event.ends_secrecy for event in events) and one.result is None:
                after.append((move.text, one))
        compared += len(after) > 1
        for text, one in after:
            seen = game.observe(one, None)
            assert game.table_lines(seen) == game.table_lines(before), f"{text} is seen"
            if one.to_move == after[0][1].to_move:
                assert seen == game.observe(after[0][1], None), f"{text} is told from {after[0][0]}"
    assert compared


# ---------------------------------------------------------------- by hand

FISTS = """
    seats: none
    stocks: {hand: {each: {all_colours: 2}, see: me}, fist: {each: {}}}
    vars: {mine: {each: none}, last: 0}
    turn:
      - by: everyone
        secret: true
        do:
          - {give: colours(hand), from: hand, to: fist, as: mine}
          - {score: 1}
          - {place: red, at: holes}
          - {may: {pick: Aa1 | Ab1}}
      - {pick: Aa1}
    """


def test_partial_secret_choice_is_invisible_to_others() -> None:
    game = inline(FISTS)
    start = game.start()
    view_at_start = game.observe(start, None)
    assert view_at_start.reserves["fist"] == ({"white": 0, "black": 0, "red": 0},) * 2
    for moves in ("R!", "R! R@Aa1", "W! R@Ab1", "R! R@Aa1 done", "W! R@Ab1 Aa1 B!", "B! R@Ab1 Aa1 B! R@Aa2"):
        common = game.observe(play(game, start, moves), None)
        assert common.boards == ("...,...,.../..,../.",)
        assert common.reserves == view_at_start.reserves
        assert common.scores == (0, 0)
    # Everyone sees who is choosing, but no more.
    assert game.observe(play(game, start, "R! R@Aa1"), None) == game.observe(
        play(game, start, "W! R@Ab1"), None
    )
    finished = play(game, start, "R! R@Aa1 done W! R@Ab1 done")
    assert game.observe(finished, None).boards == ("...,...,RR./..,../.",)
    assert game.observe(finished, None).scores == (1, 1)


def test_hidden_stock_offers_only_what_it_must_contain() -> None:
    game = inline("""
        players: 2
        seats: none
        stocks:
          box: {holds: {}}
          bag: {holds: {white: 3, black: 1}, see: none}
          hand: {each: {}, see: me}
        setup: {by: everyone, do: {draw: 1, from: bag, to: hand}}
        turn: {give: colours(bag), from: bag, to: hand}
        """)
    # Seat 1 holds white, so seat 2 may hold the only black marble, or one of the two white ones.
    state = game.start(deal={"bag": "WW"})
    assert texts(game.moves(state)) == ["W!", "B!"]
    assert texts(game.moves(game.observe(state, 0))) == ["W!"]
    # Seat 1 holds black, so only white marbles are left.
    state = game.start(deal={"bag": "BW"})
    assert texts(game.moves(state)) == texts(game.moves(game.observe(state, 0))) == ["W!"]
