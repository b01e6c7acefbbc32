"""The signs on the boards that show how a match ended."""

from __future__ import annotations

import math

from shibumi3d.rules.marbles.event import Ended, Placed
from shibumi3d.scene.camera import make_home_camera
from shibumi3d.scene.frame import Frame, MarkKind
from shibumi3d.scene.marbles import scene
from shibumi3d.scene.marbles.signs import Sign, SignKind, make_ending_signs
from shibumi3d.scene.palette import make_theme
from tests.rules.inline import at, inline, play

FLAT = """
    . . . | . . | .
    W B . | . .
    W B R
"""


def signs(end: str, more: str = "", last: tuple[tuple[int, int], ...] = ()) -> dict[str, list[int]]:
    """Play W@Aa3, which ends the match with the result ``end``, and return the signs that show this, by kind.

    Each sign is given by its number or, if it has none, by its point. ``more`` is added to the game file, and ``last``
    contains the cells where marbles were last set down.
    """
    game = inline(f"{more}\nturn: {{place: white}}\nend: [{{when: not (Aa3 & empty), {end}}}]")
    found: dict[str, list[int]] = {}
    for sign in make_ending_signs(play(game, at(game, FLAT), "W@Aa3"), last):
        found.setdefault(sign.kind.value, []).append(sign.number or sign.point)
    return found


def test_compared_marbles_of_all_seats_are_numbered() -> None:
    assert signs("most: count(own)") == {"lit": [0, 3, 6], "counted": [1, 4], "number": [1, 2, 3, 1, 2]}


def test_deciding_line_or_chain_is_highlighted() -> None:
    assert signs("most: longest_path(own)") == {
        "win": [0, 3, 6],
        "counted": [1, 4],
        "number": [1, 2, 3, 1, 2],
    }


def test_uncountable_comparison_shows_no_numbers() -> None:
    assert signs("most: 2 * count(own)") == {"lit": [0, 3, 6]}


def test_draw_marks_the_whole_board() -> None:
    assert signs("win: none") == {"even": [0]}


def test_ending_off_the_board_highlights_the_last_marbles() -> None:
    assert signs("win: me", "seats: none", last=((0, 6),)) == {"lit": [6]}
    assert not make_ending_signs(at(inline("turn: {place: own}"), FLAT), ((0, 6),))


def numbers(frame: Frame) -> list[int]:
    return sorted(mark.number for mark in frame.marks if mark.kind is MarkKind.NUMBER)


def test_marble_numbers_appear_one_after_another() -> None:
    game = inline("turn: {place: white}\nend: [{when: not (Aa3 & empty), most: count(own)}]")
    before = at(game, FLAT)
    after = play(game, before, "W@Aa3")
    stage = scene.MarbleScene([3])
    stage.reset(before)
    stage.play((Placed(0, 6, 0, "box"), Ended((0,), "")), 0.0)
    signs = make_ending_signs(after)

    def at_time(now: float) -> Frame:
        return stage.frame(now, make_home_camera([3], 1.6), make_theme(), signs=signs)

    lies = stage.timeline.end_time
    assert numbers(at_time(lies)) == []
    span = stage._win_end - lies
    assert numbers(at_time(lies + 0.4 * span)) == [1, 1]
    assert numbers(at_time(lies + span)) == [1, 1, 2, 2, 3]
    assert not stage.is_animating(lies + span)
    assert math.isfinite(span)


def test_marbles_that_did_not_decide_are_dimmed() -> None:
    stage = scene.MarbleScene([3])
    stage.reset(at(inline("turn: {place: own}"), FLAT))

    def strengths(*signs: Sign) -> list[float]:
        return [
            ball.saturation
            for ball in stage.frame(0.0, make_home_camera([3], 1.6), make_theme(), signs=signs).balls
        ]

    lit = strengths(Sign(SignKind.DECISIVE, 0, 0), Sign(SignKind.COUNTED, 0, 1))
    assert sorted(lit) == [scene.DIMMED_SATURATION] * 3 + [1.0] * 2
    assert set(strengths(Sign(SignKind.UNDECIDED, 0))) == {scene.UNDECIDED_SATURATION}
    assert set(strengths()) == {1.0}
