"""The predicted effect of a choice is what then happens, checked in random play of every game."""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random

import pytest

import shibumi3d
from shibumi3d.rules.marbles import event as ev
from shibumi3d.rules.marbles.game import MarbleGame
from shibumi3d.rules.marbles.state import State
from tests.marble_games import marble_games, thinned

GAMES = [entry.id for entry in marble_games()]
TRIED = 2
"""Number of legal choices whose predictions are checked before each move."""
OVER = re.compile(r"\b(wins?|loses|ends the game|ends this game)\b")
SCORE = re.compile(r"score: .*[+−]\d")


def certain_events(events: Sequence[ev.Event]) -> list[ev.Event]:
    """Return the events before the first random draw, reveal or new game."""
    unsure = (ev.Drew, ev.Revealed, ev.GameStarted)
    end = next((i for i, event in enumerate(events) if isinstance(event, unsure)), len(events))
    return list(events[:end])


def has_hidden_information(game: MarbleGame, state: State) -> bool:
    """Return whether marbles are hidden from the seat to move, or a secret block is in progress.

    The marbles may be on a board or in a stock. The seed and the order of future draws don't count, though they are
    always hidden. In a secret block, seats move without seeing each other's moves.
    """
    assert state.to_move is not None
    view = game.observe(state, state.to_move)
    stocks = any(held.get("unknown") for holders in view.reserves.values() for held in holders)
    return stocks or view.boards != state.boards or state.is_in_secret_block


def missing_effects(line: str, events: Sequence[ev.Event], certain: bool, point: int) -> list[str]:
    """Return the effects that happened but aren't mentioned in the description ``line``.

    ``events`` are those of the described choice. The end of the turn always counts, and the end of the match counts if
    ``certain`` is true. All other effects count only before the first event that can't be previewed. ``point`` is the
    point of the choice, or -1 if it has none. If the choice has a point and ``line`` describes no effect at all, the
    result also contains "anything".
    """
    turn = events[: next((i for i, e in enumerate(events) if not e.can_be_previewed), len(events))]
    is_described = {
        "the end": not any(isinstance(e, ev.Ended) for e in events) or not certain or OVER.search(line),
        "a score": not any(isinstance(e, ev.Scored) for e in turn) or SCORE.search(line),
        "a capture": not any(isinstance(e, ev.Captured) for e in turn) or "captures " in line,
        "a marble taken": not any(isinstance(e, ev.Removed) for e in turn)
        or re.search(r"\bTake |\b(takes|captures|removes)\b", line),
        "a new colour": not any(isinstance(e, ev.Recoloured) for e in turn)
        or re.search(r"\bturns? (white|black|red)\b", line),
        "a drop": not any(isinstance(e, ev.Dropped) for e in turn) or "drop" in line,
        "the turn's end": not any(isinstance(e, ev.TurnEnded) for e in events)
        or re.search(r"ends the turn|End the turn|^Pass\b", line)
        or OVER.search(line),
    }
    return [what for what, said in is_described.items() if not said] + (
        [] if point < 0 or " – " in line else ["anything"]
    )


def game_configurations() -> list[tuple[str, str, int]]:
    """Return the games to test, as tuples of game, variant and number of seats.

    Each game and each of its variants is listed with the fewest seats, and each game also with the most.
    """
    found = []
    for entry in marble_games():
        found += [(entry.id, variant, entry.players[0]) for variant in ("", *entry.variants)]
        if entry.players[1] > entry.players[0]:
            found.append((entry.id, "", entry.players[1]))
    return found


@pytest.mark.parametrize(("name", "variant", "seats"), thinned(game_configurations(), 3))
def test_predicted_events_match_what_happens(name: str, variant: str, seats: int) -> None:
    game = shibumi3d.game(name, variant=variant or None)
    wrong = set()
    for seed in range(1 if variant else 2):
        rng = Random(seed)
        state = game.start(seats, seed=seed)
        for _ in range(200):
            moves = game.moves(state)
            if not moves:
                break
            assert state.to_move is not None
            view = game.observe(state, state.to_move)
            certain = not has_hidden_information(game, state)
            for move in rng.sample(moves, min(TRIED, len(moves))):
                line = game.describe_outcome(view, move)
                after, events = game.apply(state, move)
                known = certain_events(events)
                if certain or not any(isinstance(event, ev.Given) for event in events):
                    # Only the rules know what is given from a hidden stock.
                    lacking = missing_effects(line, known, certain, move.point)
                    if lacking:
                        wrong.add(f"{move}: '{line}' lacks {', '.join(lacking)}")
                if (
                    certain
                    and known == list(events)
                    and after.scores != state.scores
                    and after.result is None
                ):
                    assert SCORE.search(line), f"{move}: '{line}' tells of no score"
                assert not line.endswith(("–", ",", ".", " ")), line
            state, _ = game.apply(state, rng.choice(moves))
    assert not wrong


@pytest.mark.parametrize("name", thinned(GAMES, 3))
def test_predicted_winners_match_the_outcome(name: str) -> None:
    game = shibumi3d.game(name)
    for seed in range(3):
        rng = Random(seed)
        state = game.start(seed=seed)
        while moves := game.moves(state):
            move = rng.choice(moves)
            assert state.to_move is not None
            view, me = game.observe(state, state.to_move), state.to_move
            seen = game.preview(view, move)
            line = game.describe_outcome(view, move, names=[f"<{seat}>" for seat in range(state.seats)])
            state, events = game.apply(state, move)
            assert list(seen.events) == list(events[: len(seen.events)])
            if seen.outcome is not None:
                assert state.result is not None
                assert seen.outcome.winners == state.result.winners
                assert seen.outcome.reason == state.result.reason
            prediction = re.search(r"– ([^:]*?) (wins?|share the win)\b", line)
            if prediction and state.seats > 1 and "nobody" not in line:
                assert state.result is not None
                assert {int(seat) for seat in re.findall(r"<(\d)>", prediction.group(1))} == set(
                    state.result.winners
                )
            if re.search(r"– wins\b", line):
                assert state.result is not None
                assert state.result.winners == (me,)


@pytest.mark.parametrize("name", GAMES)
def test_every_decision_has_a_description(name: str) -> None:
    game = shibumi3d.game(name)
    rng = Random(5)
    state = game.start(seed=5)
    for _ in range(60):
        moves = game.moves(state)
        if not moves:
            break
        assert state.to_move is not None
        view = game.observe(state, state.to_move)
        assert game.describe_decision(view, moves=moves)
        for move in moves[:5]:
            assert game.move_label(view, move)[:1].strip()
        state, _ = game.apply(state, rng.choice(moves))
