"""At the end of a won game, part of the picture is highlighted and the rest is dimmed, in every game."""

from __future__ import annotations

from random import Random

import pytest

import shibumi3d
from shibumi3d.export.drawing import MarbleDrawing
from shibumi3d.match.match import Match
from shibumi3d.rules.marbles.bits import iter_bits
from shibumi3d.rules.marbles.deciding_marbles import find_deciding_marbles
from shibumi3d.scene.frame import Frame
from tests.marble_games import marble_games, slow_in_plain_python, thinned

DARK = {
    ("special-cake", "candy"): "all marbles are eaten, and none of them was anybody's",
}
"""Why nothing is highlighted at the end of a game, by (id, variant)."""
BY_LAST = {
    ("spanic", ""): "whoever wins has no marbles left",
    ("spook", "random start"): "whoever wins has no marbles left",
    ("spawn", ""): "nobody owns marbles, and no more can be played",
    ("splink", "auction"): "what is missing from the board can't be highlighted",
    ("spoker", ""): "challenges that were won leave no marbles",
    ("spy", ""): "correct guesses leave no marbles",
}
"""Why only the last marble placed is highlighted at some ends of a game, by (id, variant)."""
NOT_AT_RANDOM = {"spalone", "spin", "sprout", "spruit"}
"""Games that aren't won in random play."""
SEEDS = 6
"""Number of random matches tried to find one that is won."""
LONG = 3000


def find_won_match(game: str, variant: str) -> Match | None:
    """Return a won match, played at random with as few seats as the variant allows, or None if none is found."""
    entry = next(entry for entry in marble_games() if entry.id == game)
    seats = entry.with_variant(variant).players[0]
    for seed in range(SEEDS):
        rules = shibumi3d.game(game, variant=variant or None)
        match, chance = Match(rules, [f"P{seat}" for seat in range(seats)], seed), Random(seed)
        for _ in range(LONG):
            if match.state.to_move is None:
                break
            match.play(chance.choice(rules.moves(match.state)))
        if match.state.result is not None and match.state.result.winners:
            return match
    return None


def draw_end(match: Match) -> tuple[Frame, int]:
    """Return a frame of the final position, and the number of marbles on the boards.

    The frame also shows the marbles beside the boards.
    """
    state = match.state
    on_boards = sum(state.filled(board).bit_count() for board in range(len(state.board_names)))
    return MarbleDrawing(match, 16 / 9, table=True).draw_still(), on_boards


CASES = [(entry.id, variant) for entry in marble_games() for variant in ("", *entry.variants)]


@slow_in_plain_python
@pytest.mark.parametrize(("game", "variant"), thinned(CASES, 10))
def test_deciding_marbles_are_highlighted_and_others_dimmed(game: str, variant: str) -> None:
    match = find_won_match(game, variant)
    if match is None:
        assert game in NOT_AT_RANDOM
        return
    frame, on_boards = draw_end(match)
    standing, beside = frame.balls[:on_boards], frame.balls[on_boards:]
    lit = [ball for ball in frame.balls if ball.gold_rim]
    assert bool(lit) == ((game, variant) not in DARK)
    parts = find_deciding_marbles(match.state)
    if not parts and not any(ball.gold_rim for ball in beside):
        assert (game, variant) in {**BY_LAST, **DARK}
    decided = {
        (board, point)
        for part in parts
        for board, mask in enumerate(part.marbles)
        for point in iter_bits(mask)
    }
    strong = [ball for ball in standing if ball.saturation == 1.0]
    assert {ball for ball in lit if ball in standing} <= set(strong)
    assert len(strong) <= max(len(decided), sum(ball.gold_rim > 0.0 for ball in standing))


def test_winners_captured_marbles_are_highlighted() -> None:
    """In Spuds, players take off their own marbles; here, Black has taken all eight and wins by 8 to 7.

    Of the marbles beside the board, the black ones have gold rims and the white ones don't. The marbles still on the
    board are dimmed.
    """
    match = Match(shibumi3d.game("spuds"), ["Ann", "Ben"], 2)
    chance = Random(2)
    while match.state.to_move is not None:
        match.play(chance.choice(match.game.moves(match.state)))
    state = match.state
    assert state.result is not None
    assert (state.result.winners, state.result.scores) == ((1,), (7, 8))
    assert not state.cells(0)[1], "no black marble is left on the board"
    frame, on_boards = draw_end(match)
    assert all(ball.gold_rim == 0.0 and ball.saturation < 1.0 for ball in frame.balls[:on_boards])
    beside = frame.balls[on_boards:]
    assert {ball.colour for ball in beside if ball.gold_rim} == {1}
    assert {ball.colour for ball in beside if not ball.gold_rim} == {0}
