"""The page of saved games: which are listed, how they ended, searching, deleting and restoring."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path

import pytest

from shibumi3d import files
from shibumi3d.app.pages.home.saved_games import SavedGamesPage
from shibumi3d.app.pages.position_editor.page import PositionEditorPage
from shibumi3d.app.pages.replay import ReplayPage
from shibumi3d.catalogue.catalogue import load_catalogue
from shibumi3d.match.match import Match
from shibumi3d.match.store import MatchStore, match_key
from tests.app.hand import Hand
from tests.app.writing import written

NOON = datetime(2026, 3, 1, 12, 0, 5)
LINE = ["W@Aa1", "B@Aa2", "W@Ab1", "B@Ab2", "W@Ac1", "B@Ac2", "W@Ad1"]


@pytest.fixture
def page(hand: Hand) -> SavedGamesPage:
    """The page with three saved games: Chloé's Span (one move), Ann's Spline (finished), Ben's Spline (two moves)."""
    store = hand.app.store
    for number, (game, name, moves) in enumerate(
        [("span", "Chloé", 1), ("spline", "Ann", 7), ("spline", "Ben", 2)]
    ):
        match = Match(load_catalogue().get(game).game(), [name, "Zoe"])
        store.save_new(match, NOON + timedelta(minutes=number))
        for move in LINE[:moves] if game == "spline" else [match.legal_moves()[0]]:
            match.play(move)
    store.release()
    hand.app.pages.show_saved_games()
    hand.draw()
    return hand.page(SavedGamesPage)


def listed(page: SavedGamesPage) -> set[str]:
    return {file.record.seats[0] for file in page.files if file.record is not None}


def test_saved_games_can_be_filtered_and_searched(hand: Hand, page: SavedGamesPage) -> None:
    assert listed(page) == {"Chloé", "Ann", "Ben"}
    for which, names in ((1, {"Chloé", "Ben"}), (2, {"Ann"}), (0, {"Chloé", "Ann", "Ben"})):
        x, y = page.status_filter.option_rects()[which].cx, page.status_filter.rect.cy
        hand.click(*hand.app.to_window_pixels(x, y))
        assert listed(page) == names
    hand.push("search kept")
    hand.type("chloe")  # without the accent
    assert listed(page) == {"Chloé"}
    hand.key("escape")
    hand.type("spline zoe")
    assert listed(page) == {"Ann", "Ben"}
    hand.type("x")
    assert listed(page) == set()
    assert page.empty_label.visible
    assert page.empty_label.caption == "No saved games match."
    assert not page.open_button.enabled


def test_missing_result_is_added_to_a_record(hand: Hand, page: SavedGamesPage) -> None:
    """This record, written by hand, has no result, although its last move ends the match.

    Opening the record adds the result, so the match is no longer offered as unfinished. Ben's match is offered instead.
    """
    path = hand.app.store.folder / "by hand.yaml"
    moves = "".join(f"  - {move}\n" for move in LINE)
    path.write_text(
        f"shibumi3d: 1\ngame: spline\nseats: [08, Zoe]\nseed: 0\nmoves:\n{moves}", encoding="utf-8"
    )
    hand.app.matches.open_file(path)
    assert isinstance(hand.app.current_page, ReplayPage)
    assert "result: {winners: [1], scores: [0, 0], reason: full line}" in path.read_text(encoding="utf-8")
    hand.app.matches.find_unfinished()
    assert hand.app.matches.unfinished is not None
    assert hand.app.matches.unfinished.seats[0] == "Ben"


def test_winner_is_shown(hand: Hand, page: SavedGamesPage, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = written(monkeypatch, hand.draw).texts
    assert "Ann – Zoe · 7 turns · Ann wins: full line" in lines
    assert "Ben – Zoe · 2 turns · in progress" in lines


@pytest.mark.parametrize(
    ("game", "reason", "expected"),
    [
        (
            "sprout",
            "the marble can be neither placed nor changed",
            "Not this time: the marble can be neither placed nor changed",
        ),
        ("sprout", "the same position came up three times", "A draw: the same position came up three times"),
        (
            "spline",
            "the marble can be neither placed nor changed",
            "A draw: the marble can be neither placed nor changed",
        ),
    ],
)
def test_common_loss_is_not_a_draw(
    hand: Hand, monkeypatch: pytest.MonkeyPatch, game: str, reason: str, expected: str
) -> None:
    """A record names no winners, whether all players lost together or the match was drawn.

    Only the game and the reason tell the two apart. In Sprout, all players lose if a marble can be neither placed nor
    changed; any other reason means a draw. Spline has no rule by which all players lose, so there the same reason means
    a draw.
    """
    hand.app.store.folder.mkdir(parents=True, exist_ok=True)
    (hand.app.store.folder / "before.yaml").write_text(
        f"shibumi3d: 1\ngame: {game}\nseats: [Ann, Zoe]\nseed: 0\nmoves: [W@Aa1]\n"
        f"result: {{winners: [], scores: [0, 0], reason: {reason}}}\n",
        encoding="utf-8",
    )
    hand.app.pages.show_saved_games()
    assert f"Ann – Zoe · 1 turn · {expected}" in written(monkeypatch, hand.draw).texts


def test_reason_with_numbers_is_translated(hand: Hand, monkeypatch: pytest.MonkeyPatch) -> None:
    hand.app.store.folder.mkdir(parents=True, exist_ok=True)
    (hand.app.store.folder / "medals.yaml").write_text(
        "shibumi3d: 1\ngame: golden-spiral\nseats: [Ann, Zoe]\nseed: 0\nmoves: [bid 1, bid 1]\n"
        "result: {winners: [1], scores: [0, 0], "
        "reason: 'Default: 1 Gold left at the end of the Spiral'}\n",
        encoding="utf-8",
    )
    hand.app.change_settings(language="fr")
    hand.app.pages.show_saved_games()
    texts = written(monkeypatch, hand.draw).texts
    assert any(text.endswith("Ann gagne : Défaut : 1 Or à la fin de la Spirale") for text in texts)


def test_delete_and_restore_by_keyboard(hand: Hand, page: SavedGamesPage) -> None:
    hand.app.root.focus = page.game_list
    first = page.files[0].path
    before = [file.path for file in page.files]
    hand.key("delete")
    assert [file.path for file in page.files] == before[1:]
    assert not first.exists()
    hand.key("delete")
    assert [file.path for file in page.files] == before[2:]
    hand.key("ctrl+z")
    hand.key("ctrl+z")
    assert {file.path for file in page.files} == set(before)
    assert page.files[page.game_list.current_row].path == first
    assert not page.deletion.restore_button.visible


def test_game_open_in_another_window_is_not_deleted(hand: Hand, page: SavedGamesPage) -> None:
    other = MatchStore(hand.app.store.folder)
    assert other.claim(page.files[0].path)
    hand.app.root.focus = page.game_list
    before = list(page.files)
    hand.key("delete")
    assert hand.dismiss_message() == "Couldn't delete this file: it's open in another window."
    assert list(page.files) == before
    other.release()


def test_failed_restore_can_be_tried_again(
    hand: Hand, page: SavedGamesPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    hand.push("delete")
    hand.draw()
    restore = page.deletion.store.restore

    def fail(*paths: Path) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(page.deletion.store, "restore", fail)
    hand.push("restore")
    assert len(page.files) == 2
    assert page.deletion.restore_button.visible
    monkeypatch.setattr(page.deletion.store, "restore", restore)
    page.deletion.restore()
    assert len(page.files) == 3
    assert not page.deletion.restore_button.visible


def test_delete_with_the_mouse(hand: Hand, page: SavedGamesPage) -> None:
    hand.push("delete")
    hand.draw()
    assert len(page.files) == 2
    hand.push("restore")
    assert len(page.files) == 3


@pytest.mark.smooth
def test_thousands_of_records_are_read_once_and_incrementally(
    hand: Hand, page: SavedGamesPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Up to 128 KB are read before the page is shown; each file counts as at least 1 KB.

    The other files are read while the page is shown. No file is read twice.
    """
    opened: list[Path] = []
    read = files.read

    def counted(path: Path, most: int) -> bytes:
        if path.parent == folder:  # the home page also reads the user's own games
            opened.append(path)
        return read(path, most)

    folder = hand.app.store.folder
    data = next(folder.glob("*Ben*"), next(folder.glob("*spline*"))).read_bytes()
    for number in range(2997):
        (folder / f"{number:04}.yaml").write_bytes(data if number % 50 == 0 else b"no record")
    monkeypatch.setattr(files, "read", counted)
    lists: list[object] = []
    listed_now = type(hand.app.store)._scan_folder
    monkeypatch.setattr(
        type(hand.app.store), "_scan_folder", lambda self: lists.append(self) or listed_now(self)
    )
    hand.app.pages.show_saved_games()
    assert len(opened) == 128
    hand.draw()
    assert len(opened) == 128
    hand.wait(3)
    assert len(opened) == len(set(opened)) == 2997, "the three files already known are not read again"
    assert len(lists) == 1, "the folder is listed once"
    many = hand.page(SavedGamesPage)
    assert len(many.files) == 3000
    many.search_field.set_value("spline")
    many.status_filter.select(1)
    hand.draw()
    hand.key("delete")
    hand.app.pages.show_home()
    hand.app.pages.show_saved_games()
    assert len(opened) == 2997


def test_matches_without_moves_are_not_listed(hand: Hand) -> None:
    """The page of saved games lists neither a match without moves nor an edited position.

    The only turn of the match was undone; a hint given after that makes no difference. The files of both are kept. A
    match from the edited position is listed after its first move.
    """
    play = hand.start("spline")
    hand.choose("Ab2")
    hand.key("e")
    edit = hand.page(PositionEditorPage)
    for key in ("home", "3", "enter"):
        hand.key(key)
    laid = edit.actions.autosave_path
    assert laid is not None
    assert laid.exists()
    hand.app.matches.unfinished = None
    hand.app.pages.show_home()
    assert hand.app.matches.unfinished is not None
    assert hand.app.matches.unfinished.position is None, "the match is continued, not the edited position"
    hand.app.matches.resume_unfinished()
    hand.key("ctrl+z")
    hand.wait(1)
    assert hand.moves == []
    with hand.play.match.save_once():
        hand.play.match.hints[0] += 1
    hand.app.pages.show_home()
    assert hand.app.matches.unfinished is None
    hand.app.pages.show_saved_games()
    page = hand.page(SavedGamesPage)
    assert page.files == ()
    assert page.empty_label.caption == "No saved games yet."
    assert len(list(hand.app.store.folder.glob("*.yaml"))) == 2, "nothing is lost"
    hand.app.matches.open_file(laid)
    hand.choose("Ad4")
    hand.app.pages.show_saved_games()
    page = hand.page(SavedGamesPage)
    assert [file.path for file in page.files] == [laid]
    assert play.match.cursor == 1


@pytest.mark.parametrize("way", ["here", "variation"])
def test_finished_match_keeps_its_end_if_continued_from_earlier(hand: Hand, way: str) -> None:
    page = hand.start("spline")
    if way == "variation":
        hand.choose("Ad4")
        hand.key("ctrl+z")
    hand.choose("Aa1", "Aa2", "Ab1", "Ab2", "Ac1", "Ac2", "Ad1")
    path = hand.app.matches.current_path
    assert path is not None
    assert page.match.state.to_move is None
    before = path.read_bytes()
    if way == "here":
        hand.key("ctrl+home")
        hand.push("play from here")
        hand.wait(1)
        assert hand.moves == []
    else:
        page.actions.switch_to_variation(0)
    hand.choose("Ba1" if way == "variation" else "Ac3")
    assert path.read_bytes() == before
    assert hand.app.matches.current_path != path
    made = hand.moves
    hand.app.pages.show_saved_games()
    listed = hand.page(SavedGamesPage)
    results = {file.path == path: file.summary.result for file in listed.files if file.summary}
    assert results[True] is not None
    assert results[False] is None
    assert made
    # Both count as the same match in the statistics.
    assert {match_key(file.path) for file in listed.files} == {path.name}
