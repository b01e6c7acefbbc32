"""A problem that somebody solves: what of a turn is known from its row, what is counted, what is left and taken up."""

from __future__ import annotations

from dataclasses import replace

import pytest

from shibumi3d.catalogue.catalogue import load
from shibumi3d.catalogue.positions import split_position
from shibumi3d.catalogue.problems import ProvedProblem
from shibumi3d.match.solving import DONE, LATE, OPEN, RIGHT, WRONG, Solving
from shibumi3d.match.tries import FAILED, HINTED, SHOWN, SOLVED
from shibumi3d.rules.errors import IllegalMove
from tests.three_problems import THREE

GAME = load().get("spline").game()
ONE, TWO, LONG = THREE


def solving(problem: ProvedProblem, *moves: str) -> Solving:
    found = Solving(problem, GAME, ["Ann", "Ben"])
    for move in moves:
        found.match.play(move)
    return found


def test_where_it_begins() -> None:
    found = solving(LONG)
    assert (found.seat, found.match.cursor, found.left, found.at) == (1, 19, 3, 0)
    assert found.match.kinds == ("sky", "person")
    assert found.within()
    assert not found.match.undo_step()  # what led there is not taken back
    with pytest.raises(IllegalMove):
        Solving(replace(LONG, moves=(("B@Aa1",),)), GAME)


def test_turns_that_the_row_knows() -> None:
    """The key of the third is B@Ba1 and its answer W@Bb1; B@Bb1 is refuted by W@Ba1; of W@Ab4 it says nothing."""
    found = solving(LONG, "B@Ba1")
    assert (found.verdict(), found.answer(), found.within(), found.answered()) == (
        RIGHT,
        ("W@Bb1",),
        False,
        False,
    )
    found.match.play("W@Bb1")
    assert found.answered()
    found.go_on()
    assert (found.left, found.next_move(), found.within()) == (2, "B@Bc3", True)
    found = solving(LONG, "B@Bb1")
    assert (found.verdict(), found.answer(), found.turn()) == (WRONG, ("W@Ba1",), ("B@Bb1",))
    assert solving(TWO, "W@Ad4").verdict() == OPEN
    assert solving(TWO, "W@Ad4").answer() == ()


def test_a_turn_that_comes_to_the_same_as_the_key() -> None:
    also = replace(LONG, also=(("B@Bb3",),))
    assert (solving(also, "B@Bb3").verdict(), solving(also, "B@Bb3").answer()) == (RIGHT, ())
    hold = replace(also, kind="hold", n=1, line=LONG.line[:1])
    assert solving(hold, "B@Bb3").verdict() == DONE


def test_a_first_turn_that_wins_later_than_it_has_to_is_neither() -> None:
    """To win in three turns two more are left after the first, to win in one none."""
    found = solving(LONG, "B@Bb3")
    assert [found.judged(0.0, turns) for turns in (None, 2, 3)] == [RIGHT, RIGHT, LATE]
    assert [solving(ONE, "W@Ab1").judged(0.0, turns) for turns in (0, 1)] == [RIGHT, LATE]
    found = solving(LONG, "B@Ba1", "W@Bb1")
    found.go_on()
    found.match.play("B@Bb3")
    assert found.judged(0.0, 3) == RIGHT  # from the second turn on any way is right


def test_another_way_than_the_line_has_to_be_proved() -> None:
    found = solving(LONG, "B@Ba1", "W@Bb1")
    found.go_on()
    found.match.play("B@Bb3")
    assert (found.at, found.verdict(), found.answer()) == (None, OPEN, ())
    assert [found.judged(worth) for worth in (0.0, 0.5, 1.0, None)] == [RIGHT, WRONG, WRONG, WRONG]
    found.match.play("W@Bb2")
    found.go_on(2)
    assert (found.left, found.next_move()) == (2, "")


def test_done_when_it_is_won_on_any_way() -> None:
    assert solving(ONE, "W@Ac1").verdict() == DONE
    found = solving(TWO, "W@Ac3", "B@Ab1")
    found.go_on()
    assert found.left == 1
    found.match.play("W@Ac2")
    assert found.match.state.to_move is None
    assert found.verdict() == DONE
    found = solving(TWO, "W@Ac3", "B@Ad2")  # not the answer of the row: Black leaves Ac2 open all the same
    found.go_on()
    found.match.play("W@Ac2")
    assert found.verdict() == DONE


def test_done_when_the_answer_can_only_lose() -> None:
    """Whoever eats the last marble loses: White leaves one to Black."""
    cake = load().get("special-cake").game()
    problem = replace(
        ONE,
        game="special-cake",
        moves=(),
        position=split_position("...B,....,....,WB../...,...,.../..,../. 1 2"),
        line=(("Aa1+Ab1", "xAa1", "xAb1"), ("xAd4",)),
    )
    found = Solving(problem, cake, ["Ann", "Ben"])
    for move in problem.line[0]:
        found.match.play(move)
    assert (found.verdict(), found.answer(), found.lost_by_answer()) == (RIGHT, ("xAd4",), False)
    found.match.play("xAd4")
    assert found.lost_by_answer()
    found = solving(LONG, "B@Ba1", "W@Bb1")
    assert not found.lost_by_answer()


def test_hold_and_at_once() -> None:
    """The same position, asked otherwise: all but the key loses; or it is to be won within this turn."""
    hold = replace(TWO, kind="hold", n=1, line=TWO.line[:1])
    assert solving(hold, "W@Ac3").verdict() == DONE
    assert solving(hold, "W@Ad4").verdict() == OPEN
    assert [solving(hold).judged(worth) for worth in (1.0, 0.5, 0.0, None)] == [WRONG, DONE, DONE, DONE]
    once = replace(ONE, kind="once")
    assert (solving(once, "W@Ac1").verdict(), solving(once, "W@Ab1").verdict()) == (DONE, WRONG)


def test_what_came_of_it() -> None:
    found = solving(TWO)
    assert (found.came, found.tries) == (SOLVED, 1)
    found.hints = 1
    assert found.came == HINTED
    assert found.note_wrong(("W@Ab1",))
    assert not found.note_wrong(("W@Ab1",))
    assert (found.came, found.tries) == (FAILED, 2)
    found.shown = True
    assert found.came == SHOWN


def test_left_and_taken_up() -> None:
    found = solving(LONG, "B@Ba1", "W@Bb1")
    found.go_on()
    found.note_wrong(("B@Bb2",))
    found.hints, found.seconds = 2, 17.25
    found.match.play("B@Bb3")  # a turn that nobody answered yet is not kept
    again = solving(LONG)
    again.take_up(found.told())
    assert (again.match.cursor, again.left, again.at, again.came) == (21, 2, 2, FAILED)
    assert (again.hints, again.wrong, again.seconds) == (2, [("B@Bb2",)], 17.2)
    assert not again.match.undo_step()


@pytest.mark.parametrize(
    "told",
    [
        {},
        {"moves": ["B@Ba1"]},
        {"moves": ["nonsense"], "wrong": 3, "hints": -1, "seconds": "x"},
        {"moves": 7},
    ],
)
def test_what_can_not_be_taken_up_begins_anew(told: dict[str, object]) -> None:
    found = solving(LONG)
    found.take_up(told)
    assert (found.match.cursor, found.left, found.came, found.seconds) == (19, 3, SOLVED, 0.0)
