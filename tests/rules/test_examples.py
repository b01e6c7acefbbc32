"""Positions from the rule book and edge cases: legal moves and winners.

``examples/<game>.yaml`` holds drawn positions of a game. Seats count from 1 there, as in the texts of moves.

=========== ================================================================================================
key         value in an example
=========== ================================================================================================
name, why   what it shows, and how the position follows from the book; ``page``: the page of the book
board       board text of a position at the beginning of a turn (a list if there are several boards)
play        instead of ``board``, moves from the start of a match, in one text; without both, the start itself
to_move     whose turn it is (default: 1); ``seats``, ``size``, ``variant``, ``phase``: of the game and match
stocks      stocks of a drawn position that differ from the start; ``deal``: the deal of a match from its start
offered     all legal moves
tries       moves that are tried, each from this position
=========== ================================================================================================

A try has ``moves`` (in one text), a ``verdict`` (win, lose, draw, continues, or illegal for the last move) and ``who``
(the winning or losing seats). It may also have the ``board``, the ``next`` seat to move and the ``scores`` afterwards.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

import shibumi3d
from shibumi3d.rules.errors import IllegalMove
from shibumi3d.rules.marbles.game import MarbleGame
from shibumi3d.rules.marbles.state import State

FOLDER = Path(__file__).parent / "examples"
EXAMPLE_KEYS = {
    "name", "page", "why", "board", "play", "to_move", "seats", "size", "variant", "phase", "stocks", "deal",
    "offered", "tries",
}  # fmt: skip
TRY_KEYS = {"moves", "verdict", "who", "board", "next", "scores"}
LEAST = 6


def load(path: Path) -> dict[str, Any]:
    data: dict[str, Any] = yaml.safe_load(path.read_text(encoding="utf-8"))
    return data


FILES = sorted(FOLDER.glob("*.yaml"))
EXAMPLES = [
    pytest.param(data["game"], example, id=f"{data['game']}: {example['name']}")
    for data in map(load, FILES)
    for example in data["examples"]
]


def words(text: object) -> list[str]:
    return str(text).split()


def seats_of(entry: int | list[int]) -> list[int]:
    """Return the seats in ``entry`` in ascending order, counted from 0.

    The example files count seats from 1.
    """
    seats = entry if isinstance(entry, list) else [entry]
    return sorted(seat - 1 for seat in seats)


def start_example(name: str, example: dict[str, Any]) -> tuple[MarbleGame, State]:
    game = shibumi3d.game(name, size=example.get("size"), variant=example.get("variant"))
    seats = example.get("seats")
    if "board" in example:
        state = game.position(
            example["board"],
            seats=seats,
            to_move=example.get("to_move", 1) - 1,
            phase=example.get("phase", 0),
            stocks=example.get("stocks"),
        )
    else:
        state = game.start(seats=seats, deal=example.get("deal"))
    return game, play(game, state, words(example.get("play", "")))


def play(game: MarbleGame, state: State, moves: list[str]) -> State:
    for move in moves:
        state, _ = game.apply(state, move)
    return state


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_example_files_are_well_formed(path: Path) -> None:
    data = load(path)
    assert set(data) == {"game", "examples"}
    assert data["game"] == path.stem
    assert len(data["examples"]) >= LEAST
    names = [example["name"] for example in data["examples"]]
    assert len(set(names)) == len(names)
    for example in data["examples"]:
        assert set(example) <= EXAMPLE_KEYS
        assert example["why"]
        assert example.get("tries") or example.get("offered")
        for tried in example.get("tries", []):
            assert set(tried) <= TRY_KEYS
            assert ("who" in tried) == (tried["verdict"] in ("win", "lose")), tried


@pytest.mark.parametrize(("name", "example"), EXAMPLES)
def test_example_matches_rules(name: str, example: dict[str, Any]) -> None:
    game, start = start_example(name, example)
    if "offered" in example:
        assert sorted(move.text for move in game.moves(start)) == sorted(words(example["offered"]))
    for tried in example.get("tries", []):
        check_try(game, start, tried)


def check_try(game: MarbleGame, start: State, tried: dict[str, Any]) -> None:
    moves, verdict = words(tried["moves"]), tried["verdict"]
    if verdict == "illegal":
        state = play(game, start, moves[:-1])
        assert moves[-1] not in [move.text for move in game.moves(state)], tried
        with pytest.raises(IllegalMove):
            game.apply(state, moves[-1])
        return
    state = play(game, start, moves)
    outcome = game.outcome(state)
    if verdict == "continues":
        assert outcome is None, (tried, outcome)
        assert game.moves(state), tried
        assert "next" not in tried or state.to_move == tried["next"] - 1, tried
    else:
        assert outcome is not None, tried
        assert not game.moves(state), tried
        everyone = set(range(state.seats))
        if verdict == "win":
            assert list(outcome.winners) == seats_of(tried["who"]), (tried, outcome)
        elif verdict == "lose":
            assert list(outcome.winners) == sorted(everyone - set(seats_of(tried["who"]))), (tried, outcome)
        else:
            assert verdict == "draw", tried
            assert outcome.winners == (), (tried, outcome)
    assert "scores" not in tried or list(state.scores) == tried["scores"], (tried, state.scores)
    assert "board" not in tried or state.boards[0] == tried["board"], (tried, state.boards[0])
