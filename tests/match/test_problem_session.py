"""A problem session: verdicts on the solver's turns, hints and errors, leaving and resuming."""

from __future__ import annotations

from dataclasses import replace

import pytest

from shibumi3d.catalogue.catalogue import load_catalogue
from shibumi3d.catalogue.notation import parse_position
from shibumi3d.catalogue.problems import ProvedProblem, load_problems
from shibumi3d.match.attempts import FAILED, HINTED, SHOWN, SOLVED
from shibumi3d.match.problem_session import CORRECT, DONE, TOO_SLOW, UNDECIDED, WRONG, ProblemSession
from shibumi3d.rules.errors import IllegalMove
from shibumi3d.search.replies import find_reply
from tests.three_problems import THREE

GAME = load_catalogue().get("spline").game()
ONE, TWO, LONG = THREE


def make_session(problem: ProvedProblem, *moves: str) -> ProblemSession:
    found = ProblemSession(problem, GAME, ["Ann", "Ben"])
    for move in moves:
        found.match.play(move)
    return found


def test_problem_session_starts_at_problem_position() -> None:
    found = make_session(LONG)
    assert (found.seat, found.match.cursor, found.turns_left, found.line_index) == (1, 19, 3, 0)
    assert found.match.player_types == ("sky", "person")
    assert found.is_turn_incomplete()
    assert not found.match.undo_step()  # the moves before the problem can't be undone
    with pytest.raises(IllegalMove):
        ProblemSession(replace(LONG, moves=(("B@Aa1",),)), GAME)


def test_stored_line_gives_verdict_and_reply() -> None:
    """In LONG, B@Ba1 is correct and is answered by W@Bb1, and B@Bb1 is refuted by W@Ba1.

    In TWO, W@Ad4 is neither the solution nor one of the stored wrong turns. It therefore has no stored reply, and can't
    be judged without a proof.
    """
    found = make_session(LONG, "B@Ba1")
    assert (found.verdict(), found.stored_reply(), found.is_turn_incomplete(), found.is_reply_complete()) == (
        CORRECT,
        ("W@Bb1",),
        False,
        False,
    )
    found.match.play("W@Bb1")
    assert found.is_reply_complete()
    found.begin_next_turn()
    assert (found.turns_left, found.next_move(), found.is_turn_incomplete()) == (2, "B@Bc3", True)
    found = make_session(LONG, "B@Bb1")
    assert (found.verdict(), found.stored_reply(), found.moves_of_turn()) == (WRONG, ("W@Ba1",), ("B@Bb1",))
    assert make_session(TWO, "W@Ad4").verdict() == UNDECIDED
    assert make_session(TWO, "W@Ad4").stored_reply() == ()


def test_reply_goes_on_while_the_solver_cannot_move() -> None:
    """White, the solver, can't move after the first move of Black's reply, so Black moves again.

    This happens near the end of the problem. Black's second move ends the match. White wins 8 to 7, so the reply itself
    accomplishes the solver's task.
    """
    name = "spuds"
    problem = next(problem for problem in load_problems(name) if problem.id == 33)
    found = ProblemSession(problem, load_catalogue().get(name).game())
    for turn in problem.line[:5]:
        for move in turn:
            found.match.play(move)
        if found.is_reply_complete():
            found.begin_next_turn()
    assert (found.verdict(), found.stored_reply()) == (CORRECT, ("xAd1", "xAc4"))
    assert find_reply(found.game, found.match.state).turn == ("xAd1", "xAc4")
    for move in found.stored_reply():
        assert not found.is_reply_complete()
        found.match.play(move)
    assert found.won_by_reply()


def test_alternative_key_turn_is_correct() -> None:
    also = replace(LONG, also=(("B@Bb3",),))
    assert (make_session(also, "B@Bb3").verdict(), make_session(also, "B@Bb3").stored_reply()) == (
        CORRECT,
        (),
    )
    hold = replace(also, kind="hold", n=1, line=LONG.line[:1])
    assert make_session(hold, "B@Bb3").verdict() == DONE


def test_first_turn_with_later_win_is_too_slow() -> None:
    """The solver has three turns to win in the problem ``LONG``, and one turn in ``ONE``.

    A first turn that wins is too slow if the win takes more than two further turns in ``LONG``, or any further turn in
    ``ONE``. After the first turn, a slower win is correct, too.
    """
    found = make_session(LONG, "B@Bb3")
    assert [found.verdict_from_proof(0.0, turns) for turns in (None, 2, 3)] == [CORRECT, CORRECT, TOO_SLOW]
    assert [make_session(ONE, "W@Ab1").verdict_from_proof(0.0, turns) for turns in (0, 1)] == [
        CORRECT,
        TOO_SLOW,
    ]
    found = make_session(LONG, "B@Ba1", "W@Bb1")
    found.begin_next_turn()
    found.match.play("B@Bb3")
    assert found.verdict_from_proof(0.0, 3) == CORRECT  # after the first turn, a slower win is correct too


def test_deviation_from_line_needs_proof() -> None:
    found = make_session(LONG, "B@Ba1", "W@Bb1")
    found.begin_next_turn()
    found.match.play("B@Bb3")
    assert (found.line_index, found.verdict(), found.stored_reply()) == (None, UNDECIDED, ())
    assert [found.verdict_from_proof(worth) for worth in (0.0, 0.5, 1.0, None)] == [
        CORRECT,
        WRONG,
        WRONG,
        UNDECIDED,
    ]
    found.match.play("W@Bb2")
    found.begin_next_turn(2)
    assert (found.turns_left, found.next_move()) == (2, "")


def test_first_turn_without_a_proof_is_wrong() -> None:
    """All first turns except the solution were proved wrong when the problem was made, so no new proof is needed."""
    assert make_session(LONG, "B@Bb3").verdict_from_proof(None) == WRONG


def test_win_by_any_line_solves_problem() -> None:
    assert make_session(ONE, "W@Ac1").verdict() == DONE
    found = make_session(TWO, "W@Ac3", "B@Ab1")
    found.begin_next_turn()
    assert found.turns_left == 1
    found.match.play("W@Ac2")
    assert found.match.state.to_move is None
    assert found.verdict() == DONE
    found = make_session(TWO, "W@Ac3", "B@Ad2")  # not the reply in the problem, but Black leaves Ac2 open too
    found.begin_next_turn()
    found.match.play("W@Ac2")
    assert found.verdict() == DONE


def test_problem_is_solved_when_forced_reply_loses() -> None:
    """A problem is solved if the opponent's forced reply ends the match in the solver's favour.

    In Special Cake, the player who takes the last marble loses. White leaves Black a single marble, which Black must
    take. In the second problem, the reply doesn't end the match.
    """
    cake = load_catalogue().get("special-cake").game()
    problem = replace(
        ONE,
        game="special-cake",
        moves=(),
        position=parse_position("...B,....,....,WB../...,...,.../..,../. 1 2"),
        line=(("Aa1+Ab1", "xAa1", "xAb1"), ("xAd4",)),
    )
    found = ProblemSession(problem, cake, ["Ann", "Ben"])
    for move in problem.line[0]:
        found.match.play(move)
    assert (found.verdict(), found.stored_reply(), found.won_by_reply()) == (CORRECT, ("xAd4",), False)
    found.match.play("xAd4")
    assert found.won_by_reply()
    found = make_session(LONG, "B@Ba1", "W@Bb1")
    assert not found.won_by_reply()


def test_hold_and_win_at_once_problems_give_verdicts() -> None:
    """In a ``hold`` problem, a turn is wrong only if it is proved to lose.

    W@Ac3 is the solution of this problem. W@Ad4 isn't stored in it, so a proof is needed. A proof gives the value for
    the seat that replies: 1.0 means that this seat wins, so the turn was wrong. In a ``once`` problem, the turn itself
    must win, as W@Ac1 does.
    """
    hold = replace(TWO, kind="hold", n=1, line=TWO.line[:1])
    assert make_session(hold, "W@Ac3").verdict() == DONE
    assert make_session(hold, "W@Ad4").verdict() == UNDECIDED
    assert [make_session(hold).verdict_from_proof(worth) for worth in (1.0, 0.5, 0.0, None)] == [
        WRONG,
        DONE,
        DONE,
        DONE,
    ]
    once = replace(ONE, kind="once")
    assert (make_session(once, "W@Ac1").verdict(), make_session(once, "W@Ab1").verdict()) == (DONE, WRONG)


def test_outcome_reflects_hints_errors_and_shown_solution() -> None:
    found = make_session(TWO)
    assert (found.outcome, found.turns_tried) == (SOLVED, 1)
    found.hints = 1
    assert found.outcome == HINTED
    assert found.record_wrong_turn(("W@Ab1",))
    assert not found.record_wrong_turn(("W@Ab1",))
    assert (found.outcome, found.turns_tried) == (FAILED, 2)
    found.is_solution_shown = True
    assert found.outcome == SHOWN


def test_session_is_restored_from_saved_progress() -> None:
    found = make_session(LONG, "B@Ba1", "W@Bb1")
    found.begin_next_turn()
    found.record_wrong_turn(("B@Bb2",))
    found.hints, found.seconds = 2, 17.25
    found.match.play("B@Bb3")  # a turn without a reply isn't saved
    again = make_session(LONG)
    again.restore(found.to_json())
    assert (again.match.cursor, again.turns_left, again.line_index, again.outcome) == (21, 2, 2, FAILED)
    assert (again.hints, again.wrong_turns, again.seconds) == (2, [("B@Bb2",)], 17.2)
    assert not again.match.undo_step()


@pytest.mark.parametrize(
    "progress",
    [
        {},
        {"moves": ["B@Ba1"]},
        {"moves": ["nonsense"], "wrong": 3, "hints": -1, "seconds": "x"},
        {"moves": 7},
    ],
)
def test_invalid_saved_progress_restarts_session(progress: dict[str, object]) -> None:
    found = make_session(LONG)
    found.restore(progress)
    assert (found.match.cursor, found.turns_left, found.outcome, found.seconds) == (19, 3, SOLVED, 0.0)
