"""Damaged game files and records give a clean error or a playable game, within limits of time and memory.

``python -m tests.attack --mutants 30000 --seed 1`` tries more of them.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from shibumi3d.catalogue.catalogue import load_catalogue
from shibumi3d.match import record
from shibumi3d.match.record import RecordError
from shibumi3d.rules.errors import GameFileError, RuleFailure
from tests.attack.__main__ import ROOT, chunk
from tests.attack.hostile import HOSTILE
from tests.attack.mutants import mutant, names
from tests.attack.trial import MAX_MEMORY_BYTES
from tests.share import some

SHARE = 75
"""Number of mutants tried in every test run: about 8 s of CPU."""
THIRDS = 3
"""The games are divided into this many parts; every test run tries one of them."""


def test_sample_of_mutants_is_refused_or_playable() -> None:
    # Two of the first fifty deal marbles for ever; they must be stopped before they use up the memory.
    done = chunk(seed=5, first=0, count=SHARE, seconds=10.0)
    assert [line for line in done if line["end"] == "wrong"] == []
    assert {line["number"] for line in done} == set(range(SHARE))
    ends = [line["end"] for line in done]
    # A fuzzer whose mutants all fail at the first check would find nothing.
    assert ends.count("played") + ends.count("open") > SHARE // 5


@pytest.mark.parametrize("third", some(range(THIRDS), 1))
def test_every_game_survives_boards_visible_to_one_seat(third: int) -> None:
    first, end = (len(names()) * part // THIRDS for part in (third, third + 1))
    done = chunk(seed=0, first=first - len(names()), count=end - first, seconds=10.0)
    assert [line for line in done if line["end"] == "wrong"] == []
    assert [line["game"] for line in done] == list(names())[first:end]
    # Many games are refused because they refer to boards or owners that no longer exist.
    assert sum(line["end"] in ("played", "open") for line in done) > len(done) // 2


def test_mutants_are_reproducible_from_the_seed() -> None:
    assert [mutant(3, n).data for n in range(20)] == [mutant(3, n).data for n in range(20)]
    assert mutant(3, 0).data != mutant(4, 0).data


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_files_are_refused_with_messages(name: str, tmp_path: Path) -> None:
    path = tmp_path / "game.yaml"
    path.write_bytes(HOSTILE[name])
    count, problems = load_catalogue().check([path])
    assert count == 1
    assert problems
    assert all(str(problem.message) and "\n" not in str(problem.message) for problem in problems)
    assert all(problem.location.file == str(path) and problem.location.line > 0 for problem in problems)
    with pytest.raises(GameFileError):
        load_catalogue().open(path).game().start()


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_files_are_refused_as_records(name: str) -> None:
    with pytest.raises(RecordError) as caught:
        record.parse(HOSTILE[name])
    assert "\n" not in str(caught.value)
    with pytest.raises(RecordError):
        record.parse(b"shibumi3d: 1\n" + HOSTILE[name])


def test_hostile_files_stay_within_the_limits() -> None:
    """All hostile files are refused, both as games and as records.

    Reading them writes no file, runs no program, and stays within the limits of time and memory.
    """
    command = [sys.executable, "-m", "tests.attack.hostile"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    results = json.loads(done.stdout)
    assert results["refused"] == [f"{kind} {name}" for name in HOSTILE for kind in ("game", "record")]
    assert results["peak"] < MAX_MEMORY_BYTES


class TestFaultsFoundByMutants:
    def test_setup_choice_without_options_is_handled(self) -> None:
        text = b"title: x\nseats: none\nsetup: {place: own}\nturn: {place: red}\nend: [{when: stuck, lose: me}]\n"
        game = load_catalogue().parse(text, Path("x.yaml")).game()
        with pytest.raises(RuleFailure, match="no deal meets the setup's requirements"):
            game.start()

    def test_endless_deal_in_setup_is_stopped(self) -> None:
        text = (
            b"title: x\nboards: {size: 10}\nstocks: {bag: {holds: {all_colours: 200}}}\nsetup:\n"
            b"  - {draw: 385, from: bag, at: points}\n  - require: not filled\n"
            b"turn: {place: own}\nend: [{when: stuck, lose: me}]\n"
        )
        game = load_catalogue().parse(text, Path("x.yaml")).game()
        with pytest.raises(RuleFailure, match="too much computation for a single choice"):
            game.start()
