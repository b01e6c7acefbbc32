"""The answer of a puzzle played out, stopped and taken back."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

from shibumi3d.app.results.screen import ResultsPage
from shibumi3d.match.match import Match, game_of
from shibumi3d.match.record import parse
from shibumi3d.rules.game import Considered
from shibumi3d.search import solver
from shibumi3d.search.worker import Answer
from tests.app.test_advice import Adviser, thought
from tests.app.test_computers import until

if TYPE_CHECKING:
    from tests.app.hand import Hand


def at_once(work: int | None = None) -> Callable[..., None]:
    """Answers questions to the solver without a process of its own, perhaps with less work."""

    def ask(then: Callable[[Answer], None], name: str, *args: Any, **options: Any) -> None:
        options["work"] = work or options["work"]
        then(Answer(getattr(solver, name)(*args, **options)))

    return ask


def test_the_answer_is_played_out_and_can_be_taken_back(hand: Hand) -> None:
    """Every move of it is a hint that is counted; whoever takes one back stands a turn before the end."""
    page = hand.start("spoff", ("Ann",), seed=3)
    assert page.advice.solution.button.label == "Solve"
    hand.push("solve")
    assert page.advice.solution.button.label == "Stop"
    assert page.doing.note == "Looking for an answer."
    until(hand, lambda: page.match.state.to_move is None)
    assert page.match.state.result is not None
    assert page.match.state.result.winners == (0,)
    assert page.advice.hints == [len(hand.moves)]
    assert not page.advice.solution.going
    assert not page.advice.solution.button.visible
    turns = page.match.state.turn
    hand.wait(2)
    page.doing.undo_now()
    assert page.match.state.turn == turns - 1
    assert page.advice.solution.button.visible


def test_between_two_turns_there_is_time_to_look(hand: Hand, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hand.app.solver, "ask", at_once())
    hand.start("spoff", ("Ann",), seed=3)
    hand.wait(4)  # until all is dealt
    hand.key("shift+h")
    hand.wait(0.4)
    assert hand.moves == []
    hand.wait(0.5)
    assert len(hand.moves) == 1


def test_who_presses_again_or_plays_goes_on_alone(hand: Hand, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hand.app.solver, "ask", at_once())
    page = hand.start("spoff", ("Ann",), seed=3)
    for go_on in ("stop", "play", "undo"):
        hand.push("solve")
        made = len(hand.moves)
        until(hand, lambda made=made: len(hand.moves) > made)
        assert page.advice.solution.going
        if go_on == "stop":
            hand.push("solve")
        elif go_on == "play":
            page.doing.play_move(page.control.moves[0])
        else:
            page.doing.undo_now()
        assert not page.advice.solution.going
        after = list(hand.moves)
        hand.wait(3)
        assert hand.moves == after


def test_the_best_way_found_is_played_where_a_score_counts(
    hand: Hand, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hand.app.solver, "ask", at_once(2_000))
    page = hand.start("spuzzle", ("Ann",), seed=3)
    hand.push("solve")
    found = int(page.doing.note.removeprefix("The best score found is ").removesuffix("."))
    until(hand, lambda: page.match.state.to_move is None)
    assert page.match.state.result.scores == (found,)


@pytest.mark.parametrize(
    ("game", "names"), [("spalone", ("Ann",)), ("spruit", ("Ann",)), ("spline", ("Ann", "Ben"))]
)
def test_no_answer_is_offered_where_there_is_none(hand: Hand, game: str, names: tuple[str, ...]) -> None:
    """Where marbles are still to be drawn nobody knows it, and where people play against each other there is none."""
    page = hand.start(game, names)
    assert not page.advice.solution.button.visible
    hand.key("shift+h")
    assert not page.advice.solution.going


def test_a_position_that_is_lost_is_told(hand: Hand, monkeypatch: pytest.MonkeyPatch) -> None:
    def lost(then: Callable[[Answer], None], *args: Any, **options: Any) -> None:
        then(Answer(solver.Verdict(False)))

    monkeypatch.setattr(hand.app.solver, "ask", lost)
    page = hand.start("spoff", ("Ann",), seed=3)
    hand.push("solve")
    assert page.doing.note == "No way of playing wins from here."
    assert not page.advice.solution.going


def test_what_is_shown_is_not_solved(hand: Hand, monkeypatch: pytest.MonkeyPatch) -> None:
    """The card, the file and the results say so, in both languages; nor is it solved when it is dealt again."""
    monkeypatch.setattr(hand.app.solver, "ask", at_once())
    page = hand.start("spoff", ("Ann",), seed=3)
    assert page.cards[0].gained() == []
    hand.push("solve")
    until(hand, lambda: page.match.state.to_move is None)
    assert page.cards[0].gained() == [f"{len(hand.moves)} hints", "shown"]
    kept = parse(page.match.record().text())
    assert kept.shown
    assert Match.from_record(kept, game_of(kept, page.entry)).shown
    turns = str(page.match.plies[-1].turn + 1)
    again = hand.start("spoff", ("Ann",), seed=3)
    assert again.match.shown
    assert not hand.start("spoff", ("Ann",), seed=4).match.shown
    hand.app.show_results()
    results = hand.app.screen
    assert isinstance(results, ResultsPage)
    assert results.lines() == [
        ("played", "1"),
        ("solved", "0"),
        ("shown", "1"),
        ("solved in turn", "0 now, 0 at most"),
    ]
    assert turns not in dict(results.lines()).values()
    hand.app.change(language="fr")
    results = hand.app.screen
    assert isinstance(results, ResultsPage)
    assert results.lines()[2] == ("montrées", "1")


def test_a_hint_that_plays_shows_a_puzzle(hand: Hand) -> None:
    """The first stages are told and no more; between two who play against each other the last is a hint like others."""
    for game, names, shown in (("spoff", ("Ann",), True), ("spline", ("Ann", "Ben"), False)):
        page = hand.start(game, names, seed=3)
        hand.wait(4)
        move = page.control.moves[0].text
        page.advice.thinker = Adviser(thought(Considered((move,), 60, 0.6)))
        for _ in range(2):
            hand.key("h")
            hand.wait(0.5)
        assert not page.match.shown
        hand.key("h")
        assert page.match.cursor == 1
        assert page.match.shown == shown
        assert page.advice.hints[0] == 3


def test_what_is_solved_where_it_is_laid_out_is_shown(hand: Hand, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hand.app.solver, "ask", at_once())
    page = hand.start("spoff", ("Ann",), seed=3)
    hand.wait(4)
    hand.key("e")
    hand.push("solve position")
    assert page.match.shown
