"""The marbles that decided a match, their owners, and whether they were counted."""

from __future__ import annotations

from random import Random

import pytest

import shibumi3d
from shibumi3d.rules.marbles.bits import iter_bits
from shibumi3d.rules.marbles.deciding_marbles import find_deciding_marbles
from shibumi3d.rules.marbles.state import State
from tests.rules.inline import at, inline, play

# White Aa1 Aa2, black Ab1 Ab2, red Ac1.
FLAT = """
    . . . | . . | .
    W B . | . .
    W B R
"""


def decided_by(end: str, more: str = "") -> list[str]:
    """Describe what decided a match that ends as soon as White has placed a marble at Aa3.

    White makes this move in the position ``FLAT``. ``end`` is the part of the end rule that determines the result of
    the match, such as ``win: none``, and ``more`` contains further lines of the game's text. The description has the
    form that :func:`describe_parts` returns.
    """
    game = inline(f"{more}\nturn: {{place: white}}\nend: [{{when: not (Aa3 & empty), {end}}}]")
    return describe_parts(play(game, at(game, FLAT), "W@Aa3"))


def describe_parts(state: State) -> list[str]:
    """Describe each set of marbles that decided the match, for example as "0+ counted Aa1 Aa2".

    The number is that of the player to whom the marbles belong or for whom they count, or -1 if there is no single such
    player. A "+" means that this player won or, after -1, that anybody won. The word "counted" means that the marbles
    were counted one by one, and "joined" that they form a single line, group or chain. The names of the marbles' points
    come last.
    """
    names = state._rules.pyramid.point_names
    return [
        " ".join(
            (
                f"{part.player}{'+' * part.has_won}",
                *("counted" for _ in [0] if part.is_counted),
                *("joined" for _ in [0] if part.is_connected),
                *(names[point] for mask in part.marbles for point in iter_bits(mask)),
            )
        )
        for part in find_deciding_marbles(state)
    ]


def test_unfinished_match_has_no_deciding_marbles() -> None:
    game = inline("turn: {place: own}")
    assert find_deciding_marbles(at(game, FLAT)) == ()


@pytest.mark.parametrize(
    ("end", "found"),
    [
        # Counted marbles of both players.
        ("most: count(own)", ["0+ counted Aa1 Aa2 Aa3", "1 counted Ab1 Ab2"]),
        ("most: -count(own)", ["0 counted Aa1 Aa2 Aa3", "1+ counted Ab1 Ab2"]),
        # The value isn't the number of some marbles, so they aren't called counted.
        ("most: 2 * count(own)", ["0+ Aa1 Aa2 Aa3", "1 Ab1 Ab2"]),
        # The first of several values that differs: by level, from the top.
        (
            'most: "[count(own & levels[1]), count(own & filled)]"',
            ["0+ counted Aa1 Aa2 Aa3", "1 counted Ab1 Ab2"],
        ),
        (
            'most: "[count(own & levels[2 - k]) for k in range(3)]"',
            ["0+ counted Aa1 Aa2 Aa3", "1 counted Ab1 Ab2"],
        ),
        # The greatest group of each, the full rows of one, the longest chain.
        (
            'most: "max(count(g) for g in groups(own - Aa2))"',
            ["0 counted joined Aa1", "1+ counted joined Ab1 Ab2"],
        ),
        ('most: "count({l for l in full_lines if l <= own})"', ["0+ joined Aa1 Aa2 Aa3"]),
        ("most: longest_path(own)", ["0+ counted joined Aa1 Aa2 Aa3", "1 counted joined Ab1 Ab2"]),
        # The colour at some point, as in Spinimax.
        ("win: owner(colours(Ab2))", ["1+ Ab2"]),
        # If the only reason is that a player can't move: all marbles of the winner.
        ("lose: mover", ["1+ Ab1 Ab2"]),
        ("win: none", []),
        ("most: count(red)", []),
    ],
)
def test_deciding_marbles_match_end_condition(end: str, found: list[str]) -> None:
    assert decided_by(end) == found


def test_unowned_colours_give_no_deciding_marbles() -> None:
    assert decided_by("win: me", "seats: none") == []


def test_series_end_shows_last_game_gains() -> None:
    """In a series, the marbles that gained points in the last game are the deciding ones.

    In each game, the first seat gains one point for each contact between a white and a black marble. In the second and
    last game, white on Aa1 touches black on Ab1, but white on Ac3 touches no black marble. Only the marbles on Aa1 and
    Ab1 are therefore deciding.
    """
    game = inline(
        "turn: {place: white | black}\n"
        "end: [{when: count(filled) > 2, win: me}]\n"
        "series: {games: 2, gain: sum(count(linked(p) & black) for p in white) if me == seat(1) else 0}"
    )
    state = game.start()
    moves = "W@Aa1 W@Ac1 W@Ac3 W@Aa1 B@Ab1 W@Ac3"
    assert describe_parts(play(game, state, moves)) == ["-1+ Aa1 Ab1"]


@pytest.mark.parametrize(
    ("end", "moves", "found"),
    [
        # Three white marbles against one black.
        ("most: count(own)", "W@Aa1 B@Ab1 W@Ac1 W@Aa2", ["0+ counted Aa1 Ac1 Aa2", "1 counted Ab1"]),
        # A draw gains nothing; in the next game, the other player has white.
        (
            "most: count(own)",
            "W@Aa1 B@Ab1 W@Ac1 B@Aa2 W@Aa1 W@Ab1 B@Ac1 W@Aa2",
            ["1+ counted Aa1 Ab1 Aa2", "0 counted Ac1"],
        ),
        # A rule without numbers doesn't say whose marbles they are.
        ("win: owner(white)", "W@Aa1 B@Ab1 W@Ac1 W@Aa2", ["-1+ counted Aa1 Ab1 Ac1 Aa2"]),
    ],
)
@pytest.mark.parametrize(
    "gain", ["score if me == winners else 0", "sum(score for s in everyone if s == me and s == winners)"]
)
def test_series_for_winners_shows_last_game_ending(end: str, moves: str, found: list[str], gain: str) -> None:
    game = inline(
        "turn: {place: white | black}\n"
        "score: count(own)\n"
        f"end: [{{when: count(filled) > 3, {end}}}]\n"
        f'series: {{target: 3, gain: "{gain}"}}'
    )
    assert describe_parts(play(game, game.start(), moves)) == found


def test_last_line_of_series_is_not_attributed_to_winner_of_series() -> None:
    """If a series is won by points that don't depend on marbles, its last line belongs to no player.

    Each turn scores a point, and a full line merely ends a game. Player 0 wins the series of two games by four points
    to three. The line that ended the last game is therefore described with the number -1 instead of a player.
    """
    game = inline(
        "turn:\n  - place: white\n  - score: 1\n"
        "end: [{when: any(l <= white for l in full_lines), win: me}]\n"
        "series: {games: 2, gain: score}"
    )
    state = play(game, game.start(), "W@Aa1 W@Aa2 W@Aa3 W@Aa1 W@Aa2 W@Ac1 W@Aa3")
    assert describe_parts(state) == ["-1+ joined Aa1 Aa2 Aa3"]


def test_secretly_chosen_colour_is_deciding() -> None:
    """In Spangle, the colour with the fewest marbles left in the bag wins for all who secretly took it.

    In this match, that colour is white, without a tie, and only one player took it. The white marbles on the board
    count as deciding; the one taken in secret doesn't.
    """
    game = shibumi3d.game("spangle")
    state, chance = game.start(4, seed=0), Random(0)
    while state.decision is not None:
        state, _ = game.apply(state, chance.choice(game.moves(state, state.decision.seats[0])))
    parts = find_deciding_marbles(state)
    boards = state._snapshot.boards[0][0]
    assert tuple(part.player for part in parts) == state.result.winners != ()
    assert all(part.marbles[0] in boards for part in parts)
    assert max(map(int.bit_count, boards)) == parts[0].marbles[0].bit_count()
