"""Quality estimates from a few matches, tested on games that each have one fault."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from shibumi3d.catalogue.catalogue import load_catalogue
from shibumi3d.cli.main import main
from shibumi3d.search import game_quality
from shibumi3d.search.arena import PlayedMatch
from tests.marble_games import slow_in_plain_python


def make_played_match(turns: int, *winners: int, reason: str = "") -> PlayedMatch:
    return PlayedMatch(("x",) * turns, turns, tuple(winners), (0, 0), reason)


def test_summary_reports_shares_lengths_and_draws() -> None:
    equals = [
        make_played_match(10, 0),
        make_played_match(20, 0),
        make_played_match(30, 1),
        make_played_match(40),
        PlayedMatch((), 100, None, ()),
    ]
    uneven = [
        (0, make_played_match(10, 0)),
        (1, make_played_match(10, 1)),
        (0, make_played_match(10, 1)),
        (1, make_played_match(10, 0, 1)),
    ]
    found = game_quality.summarize(2, 500, equals, uneven, 7.0)
    assert (found.games, found.total, found.turns) == (9, 500, (240 / 9, 10, 100))
    # Two wins, and half a point each for the draw and the unfinished match.
    assert [one.value for one in found.seat_shares] == [0.6, 0.4]
    assert found.draws == pytest.approx(1 / 9)
    assert found.endless == pytest.approx(1 / 9)
    assert found.dead_ends == 0
    assert found.stronger_share is not None
    assert found.stronger_share.value == 2.5 / 4
    assert found.suggestions == ("endless",)


def test_wilson_bounds_match_published_values() -> None:
    # Examples from Newcombe (1998): 81 of 263, and 0 of 20.
    found = game_quality.wilson_proportion([1.0] * 81 + [0.0] * 182)
    assert (round(found.low, 4), round(found.high, 4)) == (0.2553, 0.3662)
    found = game_quality.wilson_proportion([0.0] * 20)
    assert (found.low, round(found.high, 4)) == (0.0, 0.1611)


@pytest.mark.parametrize(
    ("equals", "uneven", "choices", "hint"),
    [
        ([make_played_match(20, 0)] * 60, [], 9, "balance"),
        (
            [make_played_match(20, 0), make_played_match(20, 1)] * 100,
            [(0, make_played_match(20, 0)), (0, make_played_match(20, 1))] * 100,
            9,
            "skill",
        ),
        ([make_played_match(20)] * 50, [], 9, "draws"),
        ([make_played_match(3, 0), make_played_match(3, 1)] * 20, [], 9, "short"),
        ([make_played_match(300, 0), make_played_match(300, 1)] * 20, [], 9, "long"),
        ([make_played_match(20, 0), make_played_match(20, 1)] * 20, [], 1.5, "narrow"),
        ([make_played_match(20, 0), make_played_match(20, 1)] * 20, [], 400, "wide"),
        (
            [make_played_match(20, 0), make_played_match(20, 1)] * 20,
            [(0, make_played_match(20, 0))] * 40,
            9,
            "",
        ),
    ],
)
def test_certain_flaws_get_their_suggestion(
    equals: list[PlayedMatch], uneven: list[tuple[int, PlayedMatch]], choices: float, hint: str
) -> None:
    assert game_quality.summarize(2, 500, equals, uneven, choices).suggestions == ((hint,) if hint else ())


def test_draw_counts_solo_as_loss_and_otherwise_splits() -> None:
    assert [
        one.value for one in game_quality.summarize(3, 9, [make_played_match(10)], [], 9).seat_shares
    ] == [pytest.approx(1 / 3)] * 3
    (alone,) = game_quality.summarize(
        1, 9, [make_played_match(10), make_played_match(10, 0)], [], 9
    ).seat_shares
    assert alone.value == 0.5


def test_json_summary_includes_the_stronger_player_if_tested() -> None:
    equals = [make_played_match(20, 0), make_played_match(20, 1)]
    assert game_quality.summarize(2, 9, equals, [], 9).to_json()["stronger"] is None
    stronger = game_quality.summarize(2, 9, equals, [(0, make_played_match(20, 0))] * 20, 9).to_json()[
        "stronger"
    ]
    # The bounds for 20 of 20 mirror those for 0 of 20.
    assert stronger == {"share": 1.0, "least": 0.839, "most": 1.0}


def final_quality(text: str, games: int) -> game_quality.GameQuality:
    entry = load_catalogue().parse(text.encode(), Path("made.yaml"))
    *_, found = game_quality.measure_progressively(entry.game(size=entry.size), entry.players[0], games)
    return found


@slow_in_plain_python
def test_first_tutorial_game_is_judged_unbalanced() -> None:
    """White always loses, because White is to move when the pyramid is full.

    In this game, the players take turns placing one marble each, and a player who can't move loses. A full pyramid has
    30 marbles, and White moves first, so it is White's turn after the last marble. The stronger player is White in half
    of the matches, and therefore wins only the other half.
    """
    found = final_quality("title: x\nturn: {place: own}\nend: [{when: stuck, lose: mover}]", 20)
    assert found.turns == (30.0, 30, 30)
    assert [one.value for one in found.seat_shares] == [0.0, 1.0]
    assert found.stronger_share is not None
    assert found.stronger_share.value == 0.5
    assert "balance" in found.suggestions


def test_matches_without_a_result_are_dead_ends() -> None:
    found = final_quality(
        "title: x\nsizes: [2]\nturn: {place: own}\nend: [{when: count(own) > 20, win: me}]", 5
    )
    assert (found.dead_ends, found.draws, found.endless) == (1.0, 1.0, 0.0)
    assert found.turns == (5.0, 5, 5)
    assert found.suggestions[0] == "dead"


def test_always_solved_puzzle_is_judged_too_easy() -> None:
    found = final_quality(
        "title: x\nplayers: 1\nturn: {place: red}\nend: [{when: count(red) == 7, win: me}]", 10
    )
    assert found.seat_shares[0].value == 1
    assert found.suggestions == ("sure",)


def test_judge_command_prints_the_summary(capsys: pytest.CaptureFixture[str]) -> None:
    file = "docs/tutorial/01-a-marble-a-turn.yaml"
    assert main(["judge", file, "--games", "10", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["games"], found["turns"]["mean"], found["seats"][1]["share"]) == (10, 30.0, 1.0)
    assert main(["--lang", "fr", "judge", file, "--games", "10"]) == 0
    assert "Une place gagne trop souvent" in capsys.readouterr().out
