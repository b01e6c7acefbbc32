"""Programs killed at fifty random moments: stored data is intact, and nothing reported as saved is lost."""

from __future__ import annotations

import os
import random
import signal
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import datetime
from itertools import count
from pathlib import Path

import numpy as np
import pytest

from shibumi3d.catalogue import catalogue
from shibumi3d.export import encoder
from shibumi3d.match.match import Match
from shibumi3d.match.results import ResultStore
from shibumi3d.match.store import MatchStore
from tests.match.test_result_store import WON

TIMES = 50
SOON = 0.03
"""Maximum number of seconds from a process's first report until it is killed."""

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not hasattr(os, "fork"), reason="programs are begun by forking"),
]


def run_and_kill(work: Callable[[], Iterator[int]], dice: random.Random, soon: float = SOON) -> int:
    """Run ``work`` in a child process, kill it at a random moment, and return the last number that it reported.

    ``work`` reports its progress by yielding increasing numbers, the first of which is 1. The child is killed at most
    ``soon`` seconds after its first report.
    """
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        try:
            os.close(reading)
            for done in work():
                os.write(writing, b"%d\n" % done)
        finally:
            os._exit(1)
    os.close(writing)
    with open(reading, "rb") as reports:
        assert reports.readline().strip(), "it has begun"
        time.sleep(dice.uniform(0, soon))
        os.kill(child, signal.SIGKILL)
        lines = [b"1", *reports.read().split(b"\n")[:-1]]
    assert os.waitpid(child, 0)[1] == signal.SIGKILL
    return int(lines[-1])


def test_killed_match_keeps_every_reported_move(tmp_path: Path) -> None:
    game = catalogue.load_catalogue().get("spline").game()
    line = []
    match = Match(game, ["Ann", "Ben"], 1)
    dice = random.Random(5)
    while match.state.to_move is not None:
        line.append(dice.choice(game.moves(match.state)).text)
        match.play(line[-1])

    def play() -> Iterator[int]:
        match = Match(game, ["Ann", "Ben"], 1)
        MatchStore(tmp_path).save_new(match, datetime(2026, 3, 1))
        for number in count(1):
            for moves, move in enumerate(line, 1):
                match.play(move)
                yield len(line) * (number - 1) + moves
            match.go_to(0)

    for turn in range(TIMES):
        done = run_and_kill(play, dice)
        saved = MatchStore(tmp_path).list_files()
        assert len(saved) == turn + 1
        assert not [each.problem for each in saved if each.problem]
        newest = max(saved, key=lambda each: each.path.stat().st_mtime_ns)
        assert newest.record is not None
        back = Match.from_record(newest.record, game)
        moves = [ply.move for ply in (*back.plies, *back.undone)]
        assert moves == line[: len(moves)]
        assert len(moves) >= min(done, len(line))
    store = MatchStore(tmp_path)
    assert store.find_unfinished() is None or store.claim(store.find_unfinished().path)  # type: ignore[union-attr]


def test_killed_writer_keeps_every_reported_result(tmp_path: Path) -> None:
    results, dice = ResultStore(tmp_path / "results.sqlite"), random.Random(6)
    for turn in range(TIMES):

        def write(turn: int = turn) -> Iterator[int]:
            mine = ResultStore(results.path)
            for number in count(1):
                if mine.add(replace(WON, key=f"{turn}-{number:05}")):
                    yield number

        done = run_and_kill(write, dice)
        kept = [each.key for each in results.load() if each.key.startswith(f"{turn}-")]
        assert results.take_problem() is None
        assert len(kept) >= done
        assert kept == [f"{turn}-{number:05}" for number in range(1, len(kept) + 1)]


def test_killed_film_export_keeps_the_previous_film(tmp_path: Path) -> None:
    out, dice = tmp_path / "film.gif", random.Random(7)
    pictures = [np.full((16, 16, 3), shade, np.uint8) for shade in (0, 90, 180)]
    out.write_bytes(b"what was there before")

    def make() -> Iterator[int]:
        for number in count(1):
            yield number
            encoder.encode_film(out, "gif", [(picture, 1) for picture in pictures], 10, pictures)

    for _ in range(TIMES):
        run_and_kill(make, dice, 0.12)
        found = out.read_bytes()
        assert found == b"what was there before" or (found.startswith(b"GIF89a") and found.endswith(b";"))
