"""Moves that are replaced by others remain as a variation, in records too."""

from __future__ import annotations

import pytest

from shibumi3d.catalogue.catalogue import load_catalogue
from shibumi3d.match.match import Match
from shibumi3d.match.record import RecordError, parse


def spline(*moves: str) -> Match:
    match = Match(load_catalogue().get("spline").game(), ["Ann", "Ben"], 1)
    for move in moves:
        match.play(move)
    return match


def lines(match: Match) -> list[tuple[int, list[str]]]:
    return [(after, [ply.move for ply in plies]) for after, plies in match.variations]


def test_new_move_keeps_undone_line_as_variation() -> None:
    match = spline("W@Aa1", "B@Ab1", "W@Ac1")
    match.go_to(1)
    match.play("B@Ad4")
    assert lines(match) == [(1, ["B@Ab1", "W@Ac1"])]
    match.switch_to_variation(0)
    assert [ply.move for ply in match.plies] == ["W@Aa1", "B@Ab1", "W@Ac1"]
    assert lines(match) == [(1, ["B@Ad4"])]
    match.go_to(2)
    match.play("W@Ac2")
    assert lines(match) == [(1, ["B@Ad4"]), (2, ["W@Ac1"])]


def test_replayed_line_stops_being_variation() -> None:
    match = spline("W@Aa1", "B@Ab1")
    match.go_to(0)
    match.play("W@Ad4")
    match.go_to(0)
    match.play("W@Aa1")
    assert lines(match) == [(1, ["B@Ab1"]), (0, ["W@Ad4"])]
    match.play("B@Ab1")
    assert lines(match) == [(0, ["W@Ad4"])]


def test_undone_step_within_turn_makes_no_variation() -> None:
    match = Match(load_catalogue().get("spline-plus").game(), ["Ann", "Ben"], 1)
    for move in ("W@Aa1", "B@Ab1", "^Aa1"):
        match.play(move)
    match.undo_step()
    match.play("W@Ac1")
    assert match.variations == ()


def test_games_with_secrets_keep_no_variations() -> None:
    match = Match(load_catalogue().get("spagyric").game(), ["Ann", "Ben"], 1)
    match.play(match.legal_moves()[0])
    match.go_to(0)
    match.play(match.legal_moves()[-1])
    assert match.variations == ()


def test_variations_are_saved_in_record() -> None:
    match = spline("W@Aa1", "B@Ab1", "W@Ac1")
    plain = match.record(include_undone=True).to_text()
    assert plain.startswith("shibumi3d: 1\n")
    assert "variations" not in plain
    match.go_to(1)
    match.play("B@Ad4")
    text = match.record(include_undone=True).to_text()
    assert text.startswith("shibumi3d: 2\n")
    assert text.endswith(
        "moves:\n  - W@Aa1\n  - B@Ad4\nvariations:\n  - after: 1\n    moves:\n      - B@Ab1\n      - W@Ac1\n"
    )
    again = Match.from_record(parse(text), match.game)
    assert [ply.move for ply in again.plies] == ["W@Aa1", "B@Ad4"]
    assert lines(again) == lines(match)
    assert again.record(include_undone=True).to_text() == text
    assert "variations" not in match.record().to_text()


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ("- after: 9\n    moves: [B@Ab1]", "a variation starts after move"),
        ("- after: 1\n    moves: [B@Aa1]", "in a variation, 'B@Aa1' is not possible now"),
        ("- moves: [B@Ab1]", "expected a list of {after: …, moves: …}"),
    ],
)
def test_invalid_variation_is_refused(entry: str, message: str) -> None:
    match = spline("W@Aa1", "B@Ad4")
    text = match.record().to_text().replace("shibumi3d: 1", "shibumi3d: 2") + f"variations:\n  {entry}\n"
    with pytest.raises(RecordError) as found:
        Match.from_record(parse(text), match.game)
    assert message in str(found.value)
