"""Computer players in another process: they can be polled, hurried, stopped or killed, and never hang."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from time import monotonic, sleep
from typing import Any

import pytest

import shibumi3d
from shibumi3d.search import engine_client
from shibumi3d.search.engine_client import EngineClient, EngineFailure, Progress
from shibumi3d.search.players import Budget, Choice, player

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 300.0
"""Seconds after which a process counts as hanging; generous, because the machine may be busy."""
LONG = Budget(seconds=PATIENCE)


@pytest.fixture
def thinker() -> Iterator[EngineClient]:
    made = EngineClient()
    yield made
    made.close()
    engine_client.end_idle_worker()
    assert not multiprocessing.active_children()


def poll_until(thinker: EngineClient, kind: type[Any]) -> Any:
    end = monotonic() + PATIENCE
    while monotonic() < end:
        found = thinker.poll()
        if isinstance(found, kind):
            return found
        assert found is None or isinstance(found, Progress)
        sleep(0.005)
    raise AssertionError("nothing came")


def make_view(name: str, choices: int = 0) -> tuple[Any, Any, set[str]]:
    """Return the game ``name``, the view of the seat to move, and the texts of its legal moves.

    ``choices`` is the number of random choices that are made first.
    """
    game = shibumi3d.game(name)
    chance = Random(1)
    state = game.start(seed=1)
    for _ in range(choices):
        state, _ = game.apply(state, chance.choice(game.moves(state)))
    assert state.to_move is not None
    return game, game.observe(state, state.to_move), {move.text for move in game.moves(state)}


def test_engine_client_chooses_like_its_player(thinker: EngineClient) -> None:
    assert (thinker.is_busy, thinker.poll(), thinker.pid) == (False, None, None)
    game, view, _ = make_view("spagyric", 4)
    thinker.request_move(game, view, "river", seed=3, budget=Budget(iterations=30))
    assert thinker.is_busy
    assert poll_until(thinker, Choice) == player("river", 3).choose(game, view, Budget(iterations=30))
    assert (thinker.is_busy, thinker.poll()) == (False, None)
    first = thinker.pid
    thinker.request_move(game, view, 1, budget=Budget(iterations=3))
    poll_until(thinker, Choice)
    assert thinker.pid == first


def test_progress_is_reported_and_hurry_ends_search(thinker: EngineClient) -> None:
    game, view, moves = make_view("spline")
    thinker.request_move(game, view, "sky", budget=LONG)
    progress = poll_until(thinker, Progress)
    assert progress.choice.move in moves
    assert progress.choice.analysis.iterations > 0
    thinker.hurry()
    assert poll_until(thinker, Choice).move in moves


@pytest.mark.parametrize(("name", "choices"), [("spy", 70), ("spawn", 4)])
def test_slow_games_can_be_cancelled(thinker: EngineClient, name: str, choices: int) -> None:
    game, view, moves = make_view(name, choices)
    thinker.request_move(game, view, "sky", budget=Budget(iterations=10**7))
    sleep(1.0)
    thinker.cancel()
    assert not thinker.is_busy
    end = monotonic() + PATIENCE
    while thinker._worker.is_busy:
        assert thinker.poll() is None
        assert monotonic() < end
        sleep(0.005)
    thinker.request_move(game, view, "pebble", budget=Budget(iterations=2))
    thinker.hurry()
    assert poll_until(thinker, Choice).move in moves


def test_unresponsive_engine_process_is_killed(
    thinker: EngineClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, view, moves = make_view("spline")
    thinker.request_move(game, view, "sky", budget=LONG)
    poll_until(thinker, Progress)
    monkeypatch.setattr(thinker._worker, "hurry", lambda: None)
    thinker.hurry()
    assert poll_until(thinker, Choice).move in moves
    assert thinker.pid is None


def test_killed_engine_restarts_once_and_reports(thinker: EngineClient) -> None:
    game, view, moves = make_view("spline")
    thinker.request_move(game, view, "sky", budget=LONG)
    poll_until(thinker, Progress)
    for again in (True, False):
        killed = thinker.pid
        assert killed is not None
        os.kill(killed, signal.SIGTERM)
        trouble = poll_until(thinker, EngineFailure)
        assert trouble.is_restarting is again
        if again:
            assert thinker.pid != killed
            poll_until(thinker, Progress)
    assert (thinker.is_busy, thinker.poll()) == (False, None)
    thinker.request_move(game, view, "pebble")
    assert poll_until(thinker, Choice).move in moves


def test_process_is_passed_on_from_client_to_client(thinker: EngineClient) -> None:
    """The idle process of a closed client is used by the next one; a busy or dead process is replaced."""
    game, view, moves = make_view("spline")
    thinker.request_move(game, view, "pebble")
    poll_until(thinker, Choice)
    first = thinker.pid
    thinker.close()
    other = EngineClient()
    assert other.pid == first
    game, view, moves = make_view("span", 2)
    other.request_move(game, view, "pebble")
    assert poll_until(other, Choice).move in moves
    assert (other.pid, thinker.pid) == (first, None)

    game, view, moves = make_view("spargo")
    other.request_move(game, view, "sky", budget=LONG)
    poll_until(other, Progress)
    other.close()
    assert not multiprocessing.active_children(), "a process that is still thinking ends"
    last = EngineClient()
    last.request_move(game, view, "pebble")
    poll_until(last, Choice)
    assert last.pid is not None
    assert last.pid != first
    os.kill(last.pid, signal.SIGKILL)
    last._worker._process.join()
    last.close()
    after = EngineClient()
    after.request_move(game, view, "pebble")
    assert poll_until(after, Choice).move in moves
    after.close()


def test_unknown_strength_is_reported(thinker: EngineClient) -> None:
    game, view, _ = make_view("spline")
    thinker.request_move(game, view, "rock")
    assert "unknown level 'rock': choose" in str(poll_until(thinker, EngineFailure).message)
    assert not thinker.is_busy


@pytest.mark.skipif(not Path("/proc/self/limits").exists(), reason="needs /proc")
def test_engine_process_memory_is_limited(thinker: EngineClient) -> None:
    game, view, _ = make_view("spline")
    thinker.request_move(game, view, "sky", budget=LONG)
    poll_until(thinker, Progress)
    limits = Path(f"/proc/{thinker.pid}/limits").read_text(encoding="ascii")
    line = next(line for line in limits.splitlines() if line.startswith("Max data size"))
    assert line.split()[3] == str(300 * 1024 * 1024)


def test_engine_process_ends_with_program() -> None:
    program = """
import shibumi3d, sys, time
from shibumi3d.search.engine_client import EngineClient, Progress
from shibumi3d.search.players import Budget
if __name__ == "__main__":
    game = shibumi3d.game("spline")
    thinker = EngineClient()
    thinker.request_move(game, game.observe(game.start(), 0), "sky", budget=Budget(seconds=600))
    while not isinstance(thinker.poll(), Progress):
        time.sleep(0.01)
    print(thinker.pid)
"""
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
        timeout=PATIENCE,
    )
    end = monotonic() + PATIENCE
    while True:
        try:
            os.kill(int(done.stdout), 0)
        except ProcessLookupError:
            return
        assert monotonic() < end
        sleep(0.02)


def test_engine_receives_only_the_observation(monkeypatch: pytest.MonkeyPatch) -> None:
    game = shibumi3d.game("spanic")
    state = game.start(3, 1)
    sent: list[Any] = []
    thinker = engine_client.EngineClient()
    monkeypatch.setattr(thinker._worker, "submit", lambda name, *args: sent.append(args))
    thinker.request_move(game, game.observe(state, 0), "stone", seat=0)
    assert sent[0][1].seed is None
    assert sent[0][1] != state
