"""States that differ only in what a seat may not know give that seat equal views and equal choices."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest

import shibumi3d
from shibumi3d.rules.marbles.engine.rules import ALL_SEATS
from shibumi3d.rules.marbles.game import MarbleGame
from shibumi3d.rules.marbles.state import State
from tests.marble_games import marble_games


def keeps_secrets(name: str) -> bool:
    rules = shibumi3d.game(name)._rules_for()
    hidden = any(sight != ALL_SEATS for sight in (*rules.stock_viewers, *rules.board_viewers))
    return hidden or any(step.op == "ByBegin" and step.terms[3] for step in rules.program)


SECRET = [entry.id for entry in marble_games() if keeps_secrets(entry.id)]


def lookalike_states(state: State, seat: int, rng: Random) -> Iterator[State]:
    """Yield states that differ from ``state`` only in what is hidden from ``seat``.

    Each state has one difference: its random seed is different, two marbles of different colours have been exchanged
    between hidden stocks, or one marble has been moved between stocks whose sizes the seat doesn't know.
    """
    yield replace(state, seed=rng.getrandbits(32))
    rules, stocks = state._rules, [list(content) for content in state._snapshot.stocks]
    unseen = [i for i, sight in enumerate(rules.stock_viewers) if not sight >> seat & 1 and sum(stocks[i])]
    for a in unseen:
        for b in unseen:
            swaps = [(c, d) for c in range(3) for d in range(3) if c != d and stocks[a][c] and stocks[b][d]]
            if a < b and swaps:
                c, d = rng.choice(swaps)
                changed = [list(content) for content in stocks]
                changed[a][c] -= 1
                changed[a][d] += 1
                changed[b][d] -= 1
                changed[b][c] += 1
                yield replace(state, _snapshot=state._snapshot._replace(stocks=tuple(map(tuple, changed))))
    uncounted = [i for i, sight in enumerate(rules.stock_size_viewers) if not sight >> seat & 1]
    for a in uncounted:
        for b in uncounted:
            if a != b and sum(stocks[a]):
                changed = [list(content) for content in stocks]
                c = next(c for c in range(3) if changed[a][c])
                changed[a][c] -= 1
                changed[b][c] += 1
                yield replace(state, _snapshot=state._snapshot._replace(stocks=tuple(map(tuple, changed))))


def secret_choice_pairs(game: MarbleGame, state: State, rng: Random) -> Iterator[tuple[State, State]]:
    """Yield pairs of states that follow different choices in a secret block and are still in that block.

    Everyone may know which seat is next, so both states of a pair have the same next seat.
    """
    moves = list(game.moves(state))
    rng.shuffle(moves)
    after = [game.apply(state, move)[0] for move in moves[:3]]
    going_on = [one for one in after if len(one._snapshot.secret_parts) >= len(state._snapshot.secret_parts)]
    for other in going_on[1:]:
        # Everyone sees that a choice was made, and who is next.
        if (other._snapshot.me, len(other._snapshot.secret_parts)) == (
            going_on[0]._snapshot.me,
            len(going_on[0]._snapshot.secret_parts),
        ):
            yield going_on[0], other


def test_known_games_with_secrets_are_covered() -> None:
    assert {"spagyric", "spanic", "spindizzy", "spy", "spalone"} <= set(SECRET)


@pytest.mark.parametrize("name", SECRET)
def test_hidden_information_does_not_change_observations(name: str) -> None:
    game = shibumi3d.game(name)
    checked = 0
    for seed in range(6):
        rng = Random(seed)
        state = game.start(seed=seed)
        for _ in range(120):
            moves = game.moves(state)
            if not moves:
                break
            for seat in range(state.seats):
                view = game.observe(state, seat)
                assert view.seed is None
                for other in lookalike_states(state, seat, rng):
                    assert game.observe(other, seat) == view
                    checked += 1
                    if state.to_move == seat:
                        assert game.moves(other) == moves
                if state._snapshot.secret_parts and state.to_move != seat:
                    for one, other in secret_choice_pairs(game, state, rng):
                        assert game.observe(one, seat) == game.observe(other, seat)
                        checked += 1
                        if one.to_move == seat:
                            assert game.moves(one) == game.moves(other)
            state, _ = game.apply(state, rng.choice(moves))
    assert checked > 10


@pytest.mark.parametrize("name", SECRET)
def test_everything_is_visible_at_the_end(name: str) -> None:
    game = shibumi3d.game(name)
    rng = Random(1)
    state = game.start(seed=1)
    while moves := game.moves(state):
        state, _ = game.apply(state, rng.choice(moves))
    assert all(game.observe(state, seat) == state for seat in range(state.seats))
