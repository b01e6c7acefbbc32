"""Tips: how they are read, what is refused, and whether those of every game exist in English and French."""

from __future__ import annotations

from pathlib import Path

import pytest

from shibumi3d.app.host.player_setup import lesson_match
from shibumi3d.catalogue.catalogue import Catalogue, load_catalogue
from shibumi3d.catalogue.schema import Entry
from shibumi3d.catalogue.shown_problems import find_problem, tip_lesson, tip_lessons
from shibumi3d.i18n import InvalidValueError

GAMES = [pytest.param(entry, id=entry.id) for entry in load_catalogue() if entry.tips]

GAME = """\
title: Line
turn: {place: own}
end: [{when: any(l <= own for l in full_lines), win: me}]
variants: {other: {minutes: 5}}
tips:
"""
TIP = """\
  - say: {en: Look for lines., fr: Cherchez les lignes.}
    start: "WWW.,BBB.,....,..../...,...,.../..,../."
    turn: W@Ad4
    instead: W@Ad2
"""


def catalogue(folder: Path, text: str) -> Catalogue:
    (folder / "line.yaml").write_text(text, encoding="utf-8")
    return Catalogue(folder)


def tip_problems(folder: Path, tips: str) -> list[str]:
    problems = catalogue(folder, GAME + tips).check()[1]
    return [str(problem).removeprefix("games/line.yaml:") for problem in problems]


def test_tip_is_read(tmp_path: Path) -> None:
    entry = catalogue(tmp_path, GAME + TIP).get("line")
    (tip,) = entry.tips
    assert tip.text == {"en": "Look for lines.", "fr": "Cherchez les lignes."}
    assert (tip.lesson.moves, tip.instead, tip.problem) == (("W@Ad4",), ("W@Ad2",), 0)
    assert tip_lesson("line", tip).comments == (tip.text,)
    assert tip_problems(tmp_path, TIP) == []


def test_variant_does_not_inherit_tips(tmp_path: Path) -> None:
    entry = catalogue(tmp_path, GAME + TIP).get("line")
    assert entry.with_variant("other").tips == ()


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("{en: Look for lines., fr: Cherchez les lignes.}", "{}", "6:5: tips: 'say' is missing: it holds the advice"),
        ("    instead: W@Ad2\n", "", "6:5: tips: 'instead' is missing: give a worse turn for comparison"),
        ("    turn: W@Ad4\n", "", "6:5: tips: expected the number of a problem, or a position with a turn"),
        ("W@Ad2", "W@Aa4", "6:5: tips: a move is not possible: "),
        ("instead: W@Ad2", "instead: [W@Ad2, B@Aa1]", "6:5: tips: the turn ends before the move 'B@Aa1'"),
        ("instead: W@Ad2", "problem: 3", "6:5: tips: expected the number of a problem, or a position with a turn"),
    ],
)  # fmt: skip
def test_faulty_tip_is_refused(tmp_path: Path, old: str, new: str, fault: str) -> None:
    assert old in TIP
    found = tip_problems(tmp_path, TIP.replace(old, new))
    assert any(one.startswith(fault) for one in found), found


def test_tip_needs_a_problem_that_exists() -> None:
    with pytest.raises(InvalidValueError, match="there is no problem 1000 for this game"):
        find_problem("spline", 1000)


@pytest.mark.parametrize("entry", GAMES)
def test_every_tip_is_in_english_and_french_and_can_be_played(entry: Entry) -> None:
    lessons = tip_lessons(entry.id, entry.tips)
    assert len(lessons) == len(entry.tips)
    for lesson in lessons:
        assert all(lesson.comments[0].get(language) for language in ("en", "fr"))
        match = lesson_match(entry, lesson)
        mover = match.state.to_move
        for move in lesson.moves:
            assert match.state.to_move == mover
            match.play(move)
