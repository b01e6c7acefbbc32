"""Choices and observations as numbers, for which only numpy is needed."""

from __future__ import annotations

import hashlib
import random
from pathlib import Path

import numpy as np
import pytest

import shibumi3d
from shibumi3d.catalogue.catalogue import load_catalogue
from shibumi3d.i18n import InvalidValueError
from shibumi3d.research import choices, planes, returns
from shibumi3d.rules.game import Game, Outcome
from tests.share import some

TABLES = Path(__file__).parent / "tables.txt"
UNLISTED = {"arcanoid", "golden-spiral", "special-cake", "spetris", "spred"}
"""Games whose choices include cards, dice, shapes or numbers."""
LISTED = [entry.id for entry in load_catalogue().entries if entry.id not in UNLISTED]


def test_spline_move_table_lists_all_placements() -> None:
    """Spline's choices are a marble of each of three colours at each of 30 points, followed by "done" and "pass".

    The points are sorted by level, rank and file.
    """
    table = choices(shibumi3d.game("spline"))
    assert len(table) == 3 * 30 + 2
    assert table.texts[:4] == ("W@Aa1", "B@Aa1", "R@Aa1", "W@Ab1")
    assert table.texts[-5:] == ("W@Da1", "B@Da1", "R@Da1", "done", "pass")
    assert [table.number(text) for text in ("W@Aa1", "B@Aa2", "pass")] == [0, 3 * 4 + 1, 91]


def test_splush_move_table_lists_level_edge_entries() -> None:
    """In Splush, a marble can be taken from any of 30 points, or pushed in at the edge of a level.

    The levels B, C and D have edges of 3, 2 and 1 points. From the four sides, a marble of each colour can therefore
    enter them in 12, 8 and 4 ways, respectively. Bb2, in the middle of level B, is at no edge.
    """
    texts = choices(shibumi3d.game("splush")).texts
    assert sum(text.startswith("x") for text in texts) == 30
    entries = [text for text in texts if "/" in text]
    assert len(entries) == 3 * (12 + 8 + 4)
    assert "W>Ba2/W" in entries
    assert "W>Bb2/W" not in entries


@pytest.mark.parametrize("name", some(LISTED, 6))
def test_every_legal_move_has_a_number(name: str) -> None:
    game = load_catalogue().get(name).game()
    table = choices(game)
    assert len(set(table.texts)) == len(table)
    chance = random.Random(name)
    state = game.start(None, 5)
    for _ in range(120):
        for seat in state.decision.seats if state.decision is not None else ():
            moves = game.moves(state, seat)
            numbers = table.legal_numbers(moves)
            assert sorted(table.text(number) for number in numbers) == sorted(move.text for move in moves)
        if state.to_move is None:
            break
        state, _ = game.apply(state, chance.choice(game.moves(state)))


def _format_choices(game: Game) -> str:
    texts = choices(game).texts
    return f"{game.id} {len(texts)} {hashlib.sha256(' '.join(texts).encode()).hexdigest()[:12]}"


def test_move_tables_match_previous_versions() -> None:
    """Every choice must keep its number, or trained models would become useless."""
    assert [_format_choices(load_catalogue().get(name).game()) for name in LISTED] == TABLES.read_text(
        encoding="utf-8"
    ).splitlines()


@pytest.mark.parametrize("name", sorted(UNLISTED))
def test_games_without_fixed_move_list_are_refused(name: str) -> None:
    game = load_catalogue().get(name).game()
    with pytest.raises(InvalidValueError, match=r"no fixed list|listed in advance") as refused:
        choices(game)
    assert str(refused.value) in (
        f"{game.title} has no fixed list of moves, so it can't be played by move number",
        f"the moves of {game.title} can't be numbered: players choose shapes or numbers that "
        "can't be listed in advance",
    )


def test_planes_encode_board_from_own_seat() -> None:
    """A view of Spline is encoded as 25 planes, two of which depend on the observing seat.

    12 planes show where the marbles are: one for each of the three colours on each of the four levels. 4 planes, one
    for each level, show from which point the marble in hand was lifted, and 3 show its colour. 3 planes count the
    marbles in the box, 2 show which seat is to move, and 1 holds the phase. The two planes for the seat to move depend
    on the observing seat: the first is filled with 1 if that seat is to move, and the second if the other seat is. In
    Spline, there is never a marble in hand.
    """
    game = shibumi3d.game("spline")
    state = game.start(2)
    for text in ("W@Ab1", "B@Ad3"):
        state, _ = game.apply(state, text)
    white, black = planes(game, game.observe(state, 0), 0), planes(game, game.observe(state, 1), 1)
    assert white.shape == (25, 4, 4)
    assert white.dtype == np.float32
    expected = np.zeros((25, 4, 4))
    expected[0, 0, 1] = 1  # white, first rank, file b
    expected[1, 2, 3] = 1  # black, third rank, file d
    expected[19], expected[20], expected[21] = white[19:22]  # the box is checked below
    expected[22] = 1  # the observing seat is to move
    assert (white == expected).all()
    (box,) = state.reserves["box"]
    assert [float(white[19 + n, 0, 0]) for n in range(3)] == [
        box.get(c, 0) / 16 for c in ("white", "black", "red")
    ]
    assert (black[:22] == white[:22]).all()
    assert (black[22:24] == white[22:24][::-1]).all()


def test_planes_encode_marble_in_hand_at_origin() -> None:
    game = shibumi3d.game("spight")
    state, _ = game.apply(game.start(2), "^Ad4")
    seen = planes(game, game.observe(state, 0), 0)
    assert np.argwhere(seen[12:16]).tolist() == [[0, 3, 3]]
    held = game.start(2).point_name(15), state.held[0]
    assert held[0] == "Ad4"
    assert [float(plane.min()) for plane in seen[16:19]] == [float(held[1] == colour) for colour in range(3)]


def test_hyena_spiral_observation_is_one_row() -> None:
    """At the start, both villagers are in the village, on their way out, and nothing has been thrown yet.

    The 1 in the nine numbers of each seat stands for the way out. The 1 after them means that the observing seat is to
    move. The last number is 0.25 because this is the first of four rounds.
    """
    game = load_catalogue().get("hyena-spiral").game()
    seen = planes(game, game.observe(game.start(2, 1), 0), 0)
    walker = [0, 1, 0, 0, 0, 0, 0, 0, 0]
    assert seen.tolist() == [*walker, *walker, 1, 0, 0, 0, 0, 0, 0.25]


def test_arcanoid_observation_is_refused() -> None:
    game = load_catalogue().get("arcanoid").game()
    with pytest.raises(InvalidValueError, match="states of Arcanoid can't be encoded as numbers"):
        planes(game, game.observe(game.start(2, 1), 0), 0)


@pytest.mark.parametrize(
    ("winners", "seats", "expected"),
    [
        ((0,), 2, [1, -1]),
        ((), 2, [0, 0]),
        ((0, 1), 2, [0, 0]),
        ((1, 2), 3, [-1, 1, 1]),
        ((0,), 1, [1]),
        ((), 1, [-1]),
    ],
)
def test_returns_match_outcome(winners: tuple[int, ...], seats: int, expected: list[float]) -> None:
    assert returns(Outcome(winners, (0,) * seats, ""), seats) == expected
    assert returns(None, seats) == [0] * seats
