"""Playing the solution of a puzzle, stopping it and undoing it."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

from shibumi3d.app.pages.replay import ReplayPage
from shibumi3d.app.pages.statistics import StatisticsPage
from shibumi3d.match.match import Match, game_of_record
from shibumi3d.match.record import parse
from shibumi3d.rules.search_protocols import MoveEvaluation
from shibumi3d.rules.wording import describe_result
from shibumi3d.search import solver
from shibumi3d.search.worker import Answer
from tests.app.test_hints_and_analysis import Adviser, make_answer
from tests.app.writing import written

if TYPE_CHECKING:
    from shibumi3d.app.match.marble_view.page import MarbleMatchPage
    from tests.app.hand import Hand


def at_once(max_moves: int | None = None) -> Callable[..., None]:
    """Return a replacement for the solver's ``submit`` that runs in this process.

    If ``max_moves`` is given, it replaces the limit in the request.
    """

    def ask(then: Callable[[Answer], None], name: str, *args: Any, **options: Any) -> None:
        options["max_moves"] = max_moves or options["max_moves"]
        then(Answer(getattr(solver, name)(*args, **options)))

    return ask


def test_solution_is_played_and_can_be_undone(hand: Hand) -> None:
    """Each move of the solution counts as a hint. Undo goes back by one turn."""
    page = hand.start("spoff", ("Ann",), seed=3)
    assert page.advice.auto_solver.button.label == "Solve"
    hand.push("solve")
    assert page.advice.auto_solver.button.label == "Stop"
    assert page.actions.message == "Looking for a solution…"
    hand.wait_until(lambda: page.match.state.to_move is None)
    assert page.match.state.result is not None
    assert page.match.state.result.winners == (0,)
    assert page.advice.hint_counts == [len(hand.moves)]
    assert not page.advice.auto_solver.is_active
    assert not page.advice.auto_solver.button.visible
    turns = page.match.state.turn
    hand.wait(2)
    page.actions.undo()
    assert page.match.state.turn == turns - 1
    assert page.advice.auto_solver.button.visible


def test_solution_pauses_between_turns(hand: Hand, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hand.app.solver, "submit", at_once())
    hand.start("spoff", ("Ann",), seed=3)
    hand.wait(4)  # until all marbles are dealt
    hand.key("shift+h")
    hand.wait(0.4)
    assert hand.moves == []
    hand.wait(0.5)
    assert len(hand.moves) == 1


def test_solution_playback_stops_on_button_or_move(hand: Hand, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hand.app.solver, "submit", at_once())
    page = hand.start("spoff", ("Ann",), seed=3)
    for go_on in ("stop", "play", "undo"):
        hand.push("solve")
        made = len(hand.moves)
        hand.wait_until(lambda made=made: len(hand.moves) > made)
        assert page.advice.auto_solver.is_active
        if go_on == "stop":
            hand.push("solve")
        elif go_on == "play":
            page.actions.play_move(page.controller.moves[0])
        else:
            page.actions.undo()
        assert not page.advice.auto_solver.is_active
        after = list(hand.moves)
        hand.wait(3)
        assert hand.moves == after


def test_best_solution_is_played_in_scored_puzzles(hand: Hand, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hand.app.solver, "submit", at_once(2_000))
    page = hand.start("spuzzle", ("Ann",), seed=3)
    hand.push("solve")
    found = int(page.actions.message.removeprefix("Best score found: ").removesuffix("."))
    hand.wait_until(lambda: page.match.state.to_move is None)
    assert page.match.state.result.scores == (found,)


@pytest.mark.parametrize(("game", "names"), [("spline", ("Ann", "Ben"))])
def test_solve_button_is_hidden_when_no_solution_exists(
    hand: Hand, game: str, names: tuple[str, ...]
) -> None:
    """Spline, in which two players compete, has no solver."""
    page = hand.start(game, names)
    assert not page.advice.auto_solver.button.visible
    hand.key("shift+h")
    assert not page.advice.auto_solver.is_active


def test_lost_position_is_reported(hand: Hand, monkeypatch: pytest.MonkeyPatch) -> None:
    def lost(then: Callable[[Answer], None], *args: Any, **options: Any) -> None:
        then(Answer(solver.SolveResult(False)))

    monkeypatch.setattr(hand.app.solver, "submit", lost)
    page = hand.start("spoff", ("Ann",), seed=3)
    hand.push("solve")
    assert page.actions.message == "There is no way to win from here."
    assert not page.advice.auto_solver.is_active


def test_shown_solution_does_not_count_as_solved(hand: Hand, monkeypatch: pytest.MonkeyPatch) -> None:
    """The player card, the record and the statistics say that the solution was shown.

    A new match with the same deal is marked too.
    """
    monkeypatch.setattr(hand.app.solver, "submit", at_once())
    page = hand.start("spoff", ("Ann",), seed=3)
    assert page.seat_cards[0].side_notes() == []
    hand.push("solve")
    hand.wait_until(lambda: page.match.state.to_move is None)
    assert page.seat_cards[0].side_notes() == [f"{len(hand.moves)} hints", "solution shown"]
    kept = parse(page.match.record().to_text())
    assert kept.is_solution_shown
    assert Match.from_record(kept, game_of_record(kept, page.entry)).is_solution_shown
    turns = str(page.match.plies[-1].turn + 1)
    again = hand.start("spoff", ("Ann",), seed=3)
    assert again.match.is_solution_shown
    assert not hand.start("spoff", ("Ann",), seed=4).match.is_solution_shown
    hand.app.pages.show_statistics()
    results = hand.page(StatisticsPage)
    assert results.statistics() == [
        ("played", "1"),
        ("solved", "0"),
        ("solution shown", "1"),
        ("solving streak", "0 (best: 0)"),
    ]
    assert turns not in dict(results.statistics()).values()
    hand.app.change_settings(language="fr")
    results = hand.page(StatisticsPage)
    assert results.statistics()[2] == ("solution affichée", "1")


def test_playing_a_hint_marks_a_puzzle_as_shown(hand: Hand) -> None:
    """In a puzzle, the third stage of a hint plays a move and so marks the solution as shown.

    The first two stages don't. In Spline, which isn't a puzzle, the third stage plays a move without marking anything.
    """
    for game, names, shown in (("spoff", ("Ann",), True), ("spline", ("Ann", "Ben"), False)):
        page = hand.start(game, names, seed=3)
        hand.wait(4)
        move = page.controller.moves[0].text
        page.advice.engine = Adviser(make_answer(MoveEvaluation((move,), 60, 0.6)))
        for _ in range(2):
            hand.key("h")
            hand.wait(0.5)
        assert not page.match.is_solution_shown
        hand.key("h")
        assert page.match.cursor == 1
        assert page.match.is_solution_shown == shown
        assert page.advice.hint_counts[0] == 1


def test_solving_in_the_editor_marks_the_puzzle_as_shown(hand: Hand, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hand.app.solver, "submit", at_once())
    page = hand.start("spoff", ("Ann",), seed=3)
    hand.wait(4)
    hand.key("e")
    hand.push("solve position")
    assert page.match.is_solution_shown


def lose(hand: Hand, game: str, seed: int) -> MarbleMatchPage:
    """Start a solo match, lose it by always playing the first legal move, and return its page.

    ``game`` is the id of the game. Assert that the match is really lost, which depends on the deal that ``seed``
    determines.
    """
    page = hand.start(game, ("Ann",), seed=seed)
    hand.wait(4)
    while page.match.state.to_move is not None:
        page.actions.play_move(page.controller.moves[0])
    hand.wait(4)
    assert not page.match.state.result.winners
    return page


def test_lost_deal_can_be_retried_or_shown(hand: Hand, monkeypatch: pytest.MonkeyPatch) -> None:
    """In Spoff, only the initial pyramid is random; in Spalone, a random marble is drawn in every turn.

    Once the solution of a deal has been shown, it also counts as shown in a new match with this deal.
    """
    monkeypatch.setattr(hand.app.solver, "submit", at_once())
    for game, seed in (("spoff", 3), ("spalone", 6)):
        page = lose(hand, game, seed)
        assert [button.name for button in page.result_bar._visible_buttons()[-3:]] == [
            "show the way",
            "same deal",
            "rematch",
        ]
        first = page.match.initial_state
        hand.push("same deal")
        assert hand.play.match.initial_state == first
        assert hand.play.match.cursor == 0
        assert not hand.play.match.is_solution_shown
        page = lose(hand, game, seed)
        hand.push("show the way")
        replay = hand.page(ReplayPage)
        assert replay.history[-1].state.result.winners == (0,)
        assert replay.match.initial_state == first
        hand.key("escape")
        assert hand.play.match.state.result.winners == (), "the lost match stays lost"
        hand.push("same deal")
        assert hand.play.match.initial_state == first
        assert hand.play.match.is_solution_shown
    hand.app.pages.show_statistics()
    results = hand.page(StatisticsPage)
    assert results.statistics()[:2] == [("played", "2"), ("solved", "0")]


def test_unwinnable_deal_is_reported(hand: Hand, monkeypatch: pytest.MonkeyPatch) -> None:
    def lost(then: Callable[[Answer], None], *args: Any, **options: Any) -> None:
        assert options["known_chance"]
        then(Answer(solver.SolveResult(False)))

    page = lose(hand, "spoff", 3)
    monkeypatch.setattr(hand.app.solver, "submit", lost)
    hand.key("shift+h")
    assert hand.app.current_page is page
    assert page.actions.message == "This deal can't be won, whatever you play."
    assert not page.match.is_solution_shown


def test_won_deal_offers_a_new_deal_but_no_solution(hand: Hand, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hand.app.solver, "submit", at_once())
    page = hand.start("spoff", ("Ann",), seed=3)
    hand.push("solve")
    hand.wait_until(lambda: page.match.state.to_move is None)
    hand.wait(3)
    assert page.result_bar.describe_result() == "Solution shown: board cleared"
    hand.push("more")
    hand.push("review")
    assert "Ann · Solution shown: board cleared" in written(monkeypatch, hand.draw).texts
    hand.app.pages.show_saved_games()
    assert any(
        line.endswith(" · Solution shown: board cleared") for line in written(monkeypatch, hand.draw).texts
    )
    hand.app.show_page(page.rebuild())
    page = hand.play
    assert not page.result_bar.solution_button.visible
    assert not page.result_bar.same_deal_button.visible
    hand.push("rematch")
    assert hand.play.match.seed != 3


def test_seed_is_shown_for_solo_deals(hand: Hand, monkeypatch: pytest.MonkeyPatch) -> None:
    hand.start("spoff", ("Ann",), seed=4711)
    assert "seed 4711" in written(monkeypatch, hand.draw).texts
    hand.app.change_settings(language="fr")
    assert "graine 4711" in written(monkeypatch, hand.draw).texts
    hand.app.change_settings(language="en")
    for game, names in (("spuzzle", ("Ann",)), ("spinout", ("Ann", "Ben"))):
        page = hand.start(game, names, seed=4711)
        assert page.status_line.seed_text() == "", "nothing is dealt, or somebody plays against it"


def test_scored_puzzle_ends_with_score_maximum_and_best(hand: Hand, monkeypatch: pytest.MonkeyPatch) -> None:
    def played(seed: int) -> MarbleMatchPage:
        page = hand.start("spuzzle", ("Ann",))
        rng = random.Random(seed)
        while page.match.state.to_move is not None:
            page.actions.play_move(rng.choice(page.controller.moves))
        hand.wait(3)
        return page

    page = played(2)
    (first,) = page.match.state.result.scores
    assert page.result_bar.describe_result() == f"{first} marbles. Best possible: 27."
    assert "Won" not in describe_result(
        page.match.state, "en", page.names, score_unit=page.model.facts.score_unit
    )
    page = played(0)
    (second,) = page.match.state.result.scores
    assert first != second
    message = f"{second} marbles. Best possible: 27. Your best in other matches: {first}."
    assert page.result_bar.describe_result() == message
    assert {f"{second} marbles", f"Best possible: 27. Your best in other matches: {first}."} <= set(
        written(monkeypatch, hand.draw).texts
    )
    hand.app.change_settings(language="fr")
    assert (
        hand.play.result_bar.describe_result()
        == f"{second} billes. Maximum possible : 27. Votre record dans vos autres parties : {first}."
    )
    hand.app.change_settings(language="en")
    hand.app.pages.show_saved_games()
    lines = written(monkeypatch, hand.draw).texts
    assert any(f"{second} marbles" in line for line in lines)
    assert not any("Won" in line for line in lines)
    hand.app.pages.show_statistics()
    results = hand.page(StatisticsPage)
    assert results.statistics() == [("played", "2"), ("best score", str(max(first, second)))]
