"""Random playouts: finished matches have values that sum to 1, and nothing is called proved."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from shibumi3d.catalogue.catalogue import load_catalogue
from shibumi3d.rules import registry as kinds
from shibumi3d.search.rollouts import PlayoutSearch
from tests.tables import sealed


@pytest.fixture
def game(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setitem(kinds.KIND_MODULES, "sealed", "tests.tables.sealed")
    return load_catalogue().parse(sealed.TEXT.encode(), Path("sealed.yaml")).game()


def start_and_search(game: Any, seats: int = 3) -> tuple[Any, PlayoutSearch]:
    state = game.start(seats, 1)
    return state, PlayoutSearch(game, game.observe(state, 0), 0)


@pytest.mark.parametrize(
    ("points", "worth"),
    [
        ((2, 1, 0), [1.0, 0.0, 0.0]),
        ((2, 0, 2), [0.5, 0.0, 0.5]),
        ((1, 1, 1), [1 / 3, 1 / 3, 1 / 3]),
    ],
    ids=["one wins", "two share", "a draw"],
)
def test_finished_match_values_sum_to_one(game: Any, points: tuple[int, ...], worth: list[float]) -> None:
    state, search = start_and_search(game)
    assert search.evaluate(replace(state, points=points, turn=state.last)) == worth


def test_rollout_search_proves_nothing(game: Any) -> None:
    state, search = start_and_search(game)
    assert [search.can_prove, search.prefers_sampling, search.has_stored_proof] == [False, False, False]
    assert search.is_simultaneous is True
    assert search.sampled_state.hands[0] == tuple(sorted(state.hands[0]))
    assert set(search.move_texts) == {str(card) for card in state.hands[0]}


def test_more_simulations_are_asked_for_until_a_stop(game: Any) -> None:
    _, search = start_and_search(game)
    assert search.run_simulations(30, lambda: False)
    assert not search.run_simulations(30, lambda: True)
    _, search = start_and_search(game)
    search.restrict_moves(search.move_texts[:1])
    assert not search.run_simulations(30, lambda: False)


def test_simultaneous_results_are_counted_per_seat(game: Any) -> None:
    _, search = start_and_search(game)
    secret = search._simultaneous_search
    assert secret is not None
    for _ in range(20):
        secret.simulate(search.sampled_state)
    tries = list(secret.results.values())
    assert sum(known[0] for known in tries) == 20
    # The values of all seats add up to one.
    assert all(sum(known[1:]) == pytest.approx(known[0]) for known in tries)
