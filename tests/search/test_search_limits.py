"""How much work a search does between two calls to ``should_stop``, and the memory used by its tree."""

from __future__ import annotations

import gc
import os
import tracemalloc
from typing import Any

import pytest

import shibumi3d
from shibumi3d.rules.marbles.engine.mcts import MAX_NODES
from shibumi3d.rules.marbles.engine.rules import WORK_BUDGET
from shibumi3d.rules.marbles.search import marble_search
from shibumi3d.search.worker import MAX_MEMORY_BYTES
from tests.marble_games import slow_in_plain_python

OBEYED = 0.2
"""Seconds within which a search must stop."""


def search_of(name: str, choices: int = 0) -> Any:
    game = shibumi3d.game(name)
    state = game.start(seed=1)
    for _ in range(choices):
        state, _ = game.apply(state, game.moves(state)[0])
    return game.make_search(game.observe(state, state.to_move), state.to_move, 1)


class Clock:
    """Simulated clock on which each iteration of ``search`` takes ``cost`` seconds.

    The tree of ``search`` is replaced by one that advances the clock for every iteration but really runs at most two
    per call. ``now`` is the simulated time, ``stops`` the number of calls to :meth:`stop`, and ``longest`` the longest
    time between two successive calls, or from the start to the first call.
    """

    def __init__(self, search: Any, cost: float) -> None:
        self.now = self.asked = self.longest = 0.0
        self.stops = 0
        search.run_simulations(1, lambda: False)
        tree = search._tree

        class Counting:
            """Search tree whose iterations advance the clock."""

            def run(_, number: int) -> bool:
                self.now += number * cost
                return bool(tree.run(min(number, 2)))  # what it finds is not looked at

            def set_root(_) -> None:
                tree.set_root()

        search._tree = Counting()

    def stop(self) -> bool:
        self.longest = max(self.longest, self.now - self.asked)
        self.asked = self.now
        self.stops += 1
        return False


@slow_in_plain_python
@pytest.mark.parametrize("name", ["spargo", "spanic"])
@pytest.mark.parametrize("cost", [0.000_01, 0.001, 0.05])
def test_search_checks_for_stop_often(name: str, cost: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """The search asks at least every 0.1 s whether to stop, since it must stop within 0.2 s.

    The time is simulated. An iteration costs from 10 µs, as in compiled code, to 50 ms, as in the slowest games, Spy
    and Spawn.
    """
    search = search_of(name)
    clock = Clock(search, cost)
    monkeypatch.setattr(marble_search, "monotonic", lambda: clock.now)
    search.run_simulations(2_000 if cost < 0.01 else 40, clock.stop)
    assert clock.stops > (1 if cost < 0.000_1 else 20)
    assert clock.longest <= OBEYED / 2


@pytest.mark.parametrize("name", ["spline", "spawn"])
def test_proof_search_checks_for_stop_after_each_slice(name: str) -> None:
    """The work between two calls to ``should_stop`` is at most one slice plus the cost of one position."""
    search = search_of(name, 4)
    asked: list[int] = []

    def stop() -> bool:
        asked.append(marble_search.PROOF_SLICE_WORK - search._exhaustive_search.work_left)
        return len(asked) == 3

    search.prove_by_lookahead(60, 10**9, stop)
    assert asked
    assert max(asked) <= marble_search.PROOF_SLICE_WORK + WORK_BUDGET
    del asked[:]
    search.is_proved_loss(search.move_texts[0], 60, 10**9, stop)
    assert max(asked, default=0) <= marble_search.PROOF_SLICE_WORK + WORK_BUDGET


def test_stopped_proof_does_one_slice_at_most() -> None:
    """If ``should_stop`` returns True at its first call, the proof stops after a single slice of work."""
    search = search_of("spline")
    search.prove_by_lookahead(60, 10**9, lambda: True)
    assert -WORK_BUDGET <= search._exhaustive_search.work_left <= 0
    assert not search.is_proved_loss(search.move_texts[0], 60, 10**9, lambda: True)
    assert -WORK_BUDGET <= search._exhaustive_search.work_left <= 0


@slow_in_plain_python
@pytest.mark.parametrize("name", ["spline", "spargo"])
def test_largest_search_tree_fits_in_memory(name: str) -> None:
    """A full tree takes less than half of the memory limit, leaving the rest for other parts of the program."""
    search = search_of(name)
    search.run_simulations(1, lambda: False)
    gc.collect()
    tracemalloc.start()
    held, before = search._tree.node_count, tracemalloc.get_traced_memory()[0]
    search.run_simulations(400, lambda: False)
    gc.collect()
    grown, after = search._tree.node_count - held, tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    assert grown > 400
    each = (after - before) / grown
    assert each > 100
    assert each * MAX_NODES < MAX_MEMORY_BYTES / 2


@pytest.mark.skipif(os.environ["SHIBUMI3D_NATIVE"] == "yes", reason="the limit is compiled in")
def test_search_tree_stops_growing_at_its_node_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shibumi3d.rules.marbles.engine.mcts.MAX_NODES", 200)
    search = search_of("spline")
    search.run_simulations(600, lambda: False)
    assert search.iterations == 600
    assert search._tree.node_count < 200 + len(search.move_texts)
    assert search.ranked_moves()[0].visits > 1


def test_garbage_collection_is_paused_while_the_tree_grows() -> None:
    """Garbage collection is switched on again when the search is stopped or fails."""
    search = search_of("spline")
    seen: list[bool] = []

    def stop() -> bool:
        seen.append(gc.isenabled())
        if len(seen) == 2:
            raise MemoryError
        return True

    assert not search.run_simulations(10_000, stop)
    assert gc.isenabled()
    with pytest.raises(MemoryError):
        search.run_simulations(10_000, stop)
    assert gc.isenabled()
    assert seen == [False, False]
