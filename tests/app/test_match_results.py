"""Match results: stored when a match ends, counted on a page, and deleted after confirmation."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from time import monotonic, sleep

import pytest

from shibumi3d.app.pages.statistics import StatisticsPage
from shibumi3d.app.ui.canvas import Canvas
from shibumi3d.match.database import Database
from shibumi3d.match.results import FinishedMatch, ResultStore
from shibumi3d.match.store import MatchStore
from tests.app.hand import Hand

WIN = ["Aa1", "Aa2", "Ab1", "Ab2", "Ac1", "Ac2", "Ad1"]
NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
STONE = FinishedMatch(
    "a", NOON, "spline", "", 4, ("Ann", "Stone"), ("person", "stone"), (0,), (0, 0), 9, 61.5
)


def stored_results(hand: Hand) -> tuple[FinishedMatch, ...]:
    return ResultStore(hand.app.store.folder.parent / "results.sqlite").load()


def test_match_is_recorded_when_it_ends(hand: Hand) -> None:
    hand.start("spline")
    for point in WIN[:-1]:
        hand.click(*hand.spot(point))
        hand.wait(3)
    assert stored_results(hand) == ()
    unfinished_file = hand.now
    hand.click(*hand.spot(WIN[-1]))
    (match,) = stored_results(hand)
    assert (match.game, match.names, match.winners, match.turns) == ("spline", ("Aiko", "Ben"), (0,), 7)
    assert match.seconds is not None
    assert match.seconds >= unfinished_file - 1000 - 1
    # After an undo, White plays elsewhere, and Black completes the row Aa2 to Ad2. It is still one match.
    hand.wait(3)
    hand.key("ctrl+z")
    for point in ("Ba1", "Ad2"):
        hand.wait(3)
        hand.click(*hand.spot(point))
    (match,) = stored_results(hand)
    assert (match.turns, match.winners) == (8, (1,))


@pytest.fixture
def unfinished_file(hand: Hand) -> Path:
    """The file of an unfinished match of Spline, in which the next move can win.

    The file isn't open in any window.
    """
    hand.start("spline")
    for point in WIN[:-1]:
        hand.choose(point)
    path = hand.app.matches.current_path
    assert path is not None
    hand.app.matches.release_current()
    return path


def finish(hand: Hand, path: Path, moves: list[str]) -> Path:
    hand.app.matches.open_file(path)
    for move in moves:
        hand.play.actions.play_move(next(each for each in hand.play.controller.moves if str(each) == move))
        hand.wait(3)
    assert hand.app.matches.current_path is not None
    return hand.app.matches.current_path


def test_match_finished_in_two_windows_counts_once(hand: Hand, unfinished_file: Path) -> None:
    """While one window has claimed a match file, other windows continue the match in copies of the file.

    A result from a copy is stored under the key of the original file, so each result replaces the one before it.
    """
    first = MatchStore(unfinished_file.parent)
    assert first.claim(unfinished_file)
    copies = {finish(hand, unfinished_file, ["W@Ba1", "B@Ad2"]), finish(hand, unfinished_file, ["W@Ad1"])}
    first.release()
    assert len(copies) == 2
    assert unfinished_file not in copies
    assert finish(hand, unfinished_file, ["W@Ad1"]) == unfinished_file
    (match,) = stored_results(hand)
    assert (match.key, match.winners) == (unfinished_file.name, (0,))


def test_resumed_copy_counts_as_the_same_match(hand: Hand, unfinished_file: Path) -> None:
    first = MatchStore(unfinished_file.parent)
    assert first.claim(unfinished_file)
    copy = finish(hand, unfinished_file, ["W@Ba1"])
    hand.app.matches.release_current()
    finish(hand, copy, ["B@Ad2"])
    first.release()
    finish(hand, unfinished_file, ["W@Ad1"])
    assert [each.key for each in stored_results(hand)] == [unfinished_file.name]


def test_external_record_counts_once(hand: Hand, unfinished_file: Path, tmp_path: Path) -> None:
    path = tmp_path / "m.yaml"
    path.write_bytes(unfinished_file.read_bytes())
    unfinished_file.unlink()
    finish(hand, path, ["W@Ad1"])
    finish(hand, path, ["W@Ba1", "B@Ad2"])
    hand.app.matches.open_text(path.read_text())
    hand.play.actions.play_move(next(each for each in hand.play.controller.moves if str(each) == "W@Ad1"))
    hand.wait(3)
    assert [each.winners for each in stored_results(hand)] == [(0,)]


@pytest.mark.parametrize("closed", [False, True])
def test_results_that_cannot_be_written_are_saved_later(
    hand: Hand, unfinished_file: Path, monkeypatch: pytest.MonkeyPatch, closed: bool
) -> None:
    with monkeypatch.context() as busy:
        busy.setattr(Database, "replace_row", lambda *_: False)
        finish(hand, unfinished_file, ["W@Ad1"])
    assert stored_results(hand) == ()
    if closed:
        hand.app.close()
    else:
        hand.app.pages.show_statistics()
        assert [each.key for each in hand.app.results.matches()] == [unfinished_file.name], (
            "it counts already"
        )
        end = monotonic() + 20
        while not stored_results(hand) and monotonic() < end:
            sleep(0.05)
            hand.wait(1)
    assert [each.key for each in stored_results(hand)] == [unfinished_file.name]


def test_results_are_not_saved_when_disabled(hand: Hand) -> None:
    hand.app.change_settings(results=False)
    hand.start("spline")
    for point in WIN:
        hand.click(*hand.spot(point))
        hand.wait(3)
    assert stored_results(hand) == ()
    assert not (hand.app.store.folder.parent / "results.sqlite").exists()


def statistics_page(hand: Hand) -> StatisticsPage:
    """Store the results of five matches, open the statistics page and return it.

    In Spline, Ann has won two matches and lost one against Stone, and has drawn one with Ben. In Span, she has lost one
    against Stone.
    """
    results = ResultStore(hand.app.store.folder.parent / "results.sqlite")
    rows = [
        {"game": "span", "winners": (1,)},
        {},
        {"winners": (1,)},
        {"winners": (), "names": ("Ann", "Ben"), "player_types": ("person", "person")},
        {"turns": 7, "seconds": 120.0},
    ]
    for number, changes in enumerate(rows):
        changes = {"key": str(number), "ended_at": NOON + timedelta(hours=number)} | changes
        results.add(replace(STONE, **changes))  # type: ignore[arg-type]  # replace() checks the names of the fields
    hand.app.pages.show_statistics()
    hand.draw()
    return hand.page(StatisticsPage)


def test_results_page_shows_statistics(hand: Hand) -> None:
    page = statistics_page(hand)
    assert [(game, len(matches)) for game, matches in page.matches_by_game] == [("spline", 4), ("span", 1)]
    assert page.statistics() == [
        ("played", "4"),
        ("won", "2"),
        ("drawn", "1"),
        ("lost", "1"),
        ("winning streak", "1 (best: 1)"),
        ("shortest win", "7 turns"),
        ("fastest win", "1:02"),
    ]
    assert page.opponent_statistics() == [
        ("Stone", "2 won · 0 drawn · 1 lost"),
        ("Ben", "0 won · 1 drawn · 0 lost"),
    ]
    hand.key("down")
    assert page.statistics()[0] == ("played", "1")
    hand.app.change_settings(language="fr")
    page = hand.page(StatisticsPage)
    assert page.opponent_statistics()[0] == ("Pierre", "2 gagnées · 0 nulle · 1 perdue")


def test_deleting_results_needs_confirmation(hand: Hand) -> None:
    statistics_page(hand)
    hand.push("forget")
    assert len(stored_results(hand)) == 5
    hand.key("escape")  # cancel
    hand.push("forget")
    assert len(stored_results(hand)) == 5
    hand.draw()
    hand.push("cancel")
    hand.draw()
    assert not hand.app.current_page.is_confirming  # type: ignore[attr-defined]  # it is the statistics page
    hand.push("forget")
    assert len(stored_results(hand)) == 5
    hand.push("forget")
    assert stored_results(hand) == ()
    hand.key("escape")
    assert hand.app.current_page.page_name == "home"


def test_results_page_opens_by_keyboard_from_saved_games(hand: Hand) -> None:
    hand.key("ctrl+o")
    hand.push("show results")
    assert hand.app.current_page.page_name == "results"


def test_damaged_database_is_reported_and_set_aside(hand: Hand) -> None:
    path = hand.app.store.folder.parent / "results.sqlite"
    path.write_bytes(b"no database, but a long file" * 100)
    hand.app.pages.show_statistics()
    hand.wait(0.2)
    assert hand.app.root.popups, "a sentence floats over the page"
    assert (path.parent / "results.damaged-1.sqlite").exists()


def test_shared_loss_counts_as_lost(hand: Hand) -> None:
    base = ResultStore(hand.app.store.folder.parent / "results.sqlite")
    two = replace(STONE, names=("Ann", "Zoe"), player_types=("person", "person"))
    for game in ("sprout", "spline"):
        assert base.add(replace(two, key=game, game=game, winners=()))
    hand.app.pages.show_statistics()
    page = hand.page(StatisticsPage)
    for row, (game, _) in enumerate(page.matches_by_game):
        page.game_list.select_row(row)
        statistics = dict(page.statistics())
        assert (statistics["drawn"], statistics["lost"]) == (("0", "1") if game == "sprout" else ("1", "0"))


@pytest.mark.parametrize("size", [(1280, 720, 200), (1280, 720, 100), (900, 600, 200)])
def test_all_statistics_can_be_reached(
    hand: Hand, monkeypatch: pytest.MonkeyPatch, size: tuple[int, int, int]
) -> None:
    """Twenty opponents need more lines than fit into these windows, so the page scrolls.

    No line is broken between a number and its label.
    """
    results = ResultStore(hand.app.store.folder.parent / "results.sqlite")
    for number in range(20):
        opponent = chr(ord("A") + number) * 3
        results.add(
            replace(STONE, key=str(number), names=("Ann", opponent), player_types=("person", "person"))
        )
    hand.app.change_settings(language="de", scale=size[2])
    hand.app.resize(*size[:2])
    hand.app.pages.show_statistics()
    drawn: dict[str, float] = {}
    draw_text = Canvas.text

    def record(canvas: Canvas, x: float, y: float, text: str, *look: object) -> float:
        drawn[text.replace("\N{NO-BREAK SPACE}", " ")] = y
        return draw_text(canvas, x, y, text, *look)  # type: ignore[arg-type]  # the same arguments

    monkeypatch.setattr(Canvas, "text", record)
    hand.app.root.dirty = True
    hand.draw()
    page = hand.page(StatisticsPage)
    for name, _ in (*page.statistics(), *page.opponent_statistics()):
        assert drawn[name] < page.details_rect.bottom
    assert page.details_rect.bottom < page.rect.bottom
    assert not [text for text in drawn if text.startswith("verloren ") or text.endswith(" 0")]
    assert "1 gewonnen · 0 unentschieden · 0 verloren" in drawn
    assert not hand.app.page_scroll.fits_window


@pytest.mark.parametrize(
    ("game", "names", "player_types", "label"),
    [
        ("spline", ("Ann", "Stone"), ("person", "stone"), "won with hints"),
        ("spoff", ("Ann",), ("person",), "solved with hints"),
        ("spuzzle", ("Ann",), ("person",), "completed with hints"),
    ],
)
def test_results_with_hints_are_named_after_the_kind_of_game(
    hand: Hand, game: str, names: tuple[str, ...], player_types: tuple[str, ...], label: str
) -> None:
    match = replace(
        STONE, game=game, names=names, player_types=player_types, scores=(0,) * len(names), hints=2
    )
    assert ResultStore(hand.app.store.folder.parent / "results.sqlite").add(match)
    hand.app.pages.show_statistics()
    hand.page(StatisticsPage).game_list.select_row(0)
    assert (label, "1") in hand.page(StatisticsPage).statistics()
