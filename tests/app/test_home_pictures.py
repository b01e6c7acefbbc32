"""The home page: thumbnails drawn in the background, filters and remembered choices."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from shibumi3d.app.host import settings
from shibumi3d.app.match.marble_view.guided import GuidePage
from shibumi3d.app.pages.home.filters import FAVOURITES, NEVER_PLAYED, RECENTLY_PLAYED
from shibumi3d.app.pages.home.page import HomePage
from shibumi3d.app.pages.ladder import LadderPage
from shibumi3d.app.shell import thumbnails
from shibumi3d.app.shell.gallery import Gallery
from shibumi3d.app.ui.dropdown import Dropdown
from shibumi3d.match.match import Match
from shibumi3d.render.png import decode_png, encode_png
from shibumi3d.rules.marbles.state import State as MarbleState
from shibumi3d.scene.marbles.scene import marbles_by_cell
from tests.app.hand import Hand
from tests.three_problems import THREE

PATIENCE = 100.0
"""Maximum time in seconds to wait for a picture, even on a busy machine."""
LOOK = ("day", "standard", "", "")


@pytest.fixture
def gallery(hand: Hand, tmp_path: Path) -> Iterator[Gallery]:
    found = hand.app.gallery
    found.folder = tmp_path / "pictures"
    yield found
    found.close()
    found.release()
    found.folder = None


def until_drawn(hand: Hand, count: int) -> list[Path]:
    folder = hand.app.gallery.folder
    assert folder is not None
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        hand.wait(0.1)
        files = sorted(folder.glob("*.png")) if folder.exists() else []
        if len(files) >= count:
            return files
        time.sleep(0.01)
    raise AssertionError("no picture was drawn")


def test_picture_names_depend_on_the_drawing_code(gallery: Gallery, monkeypatch: pytest.MonkeyPatch) -> None:
    read: set[Path] = set()
    read_bytes = Path.read_bytes

    def remembered(path: Path) -> bytes:
        read.add(path)
        return read_bytes(path)

    monkeypatch.setattr(Path, "read_bytes", remembered)
    gallery._renderer_digest = ""
    assert gallery._get_renderer_digest()
    package = Path(thumbnails.__file__).parents[2]
    assert {package / "scene" / "camera.py", package / "render" / "renderer.py"} <= read


def test_cached_picture_is_read_as_written() -> None:
    pixels = np.random.default_rng(1).integers(0, 256, (7, 5, 3), dtype=np.uint8)
    assert np.array_equal(decode_png(encode_png(pixels)), pixels)
    for wrong in (b"", b"\x89PNG\r\n\x1a\n", encode_png(pixels)[:-30], b"GIF89a"):
        with pytest.raises(ValueError, match="PNG"):
            decode_png(wrong)


def test_pictures_are_drawn_in_the_background_visible_ones_first(hand: Hand, gallery: Gallery) -> None:
    hand.app.pages.show_home()
    page = hand.page(HomePage)
    page.game_grid.scroll_to(page.game_grid.content_height)
    hand.draw()
    sight = [page.games_found[row] for row in page.game_grid.visible_rows()]
    assert page.games_found[0] not in sight
    until_drawn(hand, 1)
    hand.wait(0.5)
    drawn_now = [
        e
        for e in page.games_found
        if gallery._make_request("draw_game", gallery._game_digest(e), e).path.exists()
    ]
    assert drawn_now[0] is sight[0]
    assert gallery.game_picture(sight[0]) is not None


def test_picture_is_redrawn_only_for_other_rules_or_colours(hand: Hand, gallery: Gallery) -> None:
    entry = hand.app.catalogue.get("spline")
    first = gallery._make_request("draw_game", gallery._game_digest(entry), entry)
    again = hand.app.catalogue.get("spline")
    assert gallery._make_request("draw_game", gallery._game_digest(again), again).path == first.path
    other = hand.app.catalogue.get("spline-plus")
    assert gallery._make_request("draw_game", gallery._game_digest(other), other).path != first.path
    hand.app.change_settings(theme="night")
    assert gallery._make_request("draw_game", gallery._game_digest(entry), entry).path != first.path


def test_corrupt_cached_picture_is_redrawn(hand: Hand, gallery: Gallery) -> None:
    entry = hand.app.catalogue.get("spline")
    wanted = gallery._make_request("draw_game", gallery._game_digest(entry), entry)
    wanted.path.parent.mkdir()
    wanted.path.write_bytes(b"half of a pict")
    hand.type("spline")
    assert gallery.game_picture(entry) is None
    end = time.monotonic() + PATIENCE
    while gallery.game_picture(entry) is None and time.monotonic() < end:
        hand.wait(0.1)
        time.sleep(0.01)
    assert gallery.game_picture(entry) is not None
    assert decode_png(wanted.path.read_bytes()).shape == (
        thumbnails.PICTURE_SIZE_PX[1],
        thumbnails.PICTURE_SIZE_PX[0],
        3,
    )


def test_picture_of_a_match_reveals_no_secret(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, hand: Hand
) -> None:
    """Two matches that differ only in a secret choice have the same picture."""
    entry = hand.app.catalogue.get("springe")
    shown = []
    monkeypatch.setattr(thumbnails, "_draw_to_file", lambda game, state, *_: shown.append(state) or True)
    for number in (0, -1):
        match = Match(entry.game(), ["Ann", "Ben"], 3)
        assert match.state.is_in_secret_block
        moves = match.legal_moves()
        assert len(moves) > 1
        match.play(moves[number])
        file = tmp_path / f"{number}.yaml"
        file.write_text(match.record().to_text(), "utf-8")
        assert thumbnails.draw_match(file, entry, LOOK, tmp_path / "x.png")
        assert thumbnails.draw_position(match.record().to_text(), 1, entry, LOOK, tmp_path / "y.png")
    assert shown[0].filled(0) == shown[2].filled(0)
    assert shown[0] == shown[2]
    assert shown[1] == shown[3], "the preview of a replay doesn't show it either"


def test_problem_picture_shows_the_position_to_solve(
    hand: Hand, gallery: Gallery, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    problem, entry = THREE[0], hand.app.catalogue.get("spline")
    gallery.cancel_pending()
    assert gallery.problem_picture(problem, entry) is None
    until_drawn(hand, 1)
    hand.wait(1)
    assert gallery.problem_picture(problem, entry) is not None
    drawn: list[MarbleState] = []
    monkeypatch.setattr(
        thumbnails, "_draw_to_file", lambda game, state, *_: bool(drawn.append(state)) or True
    )
    assert thumbnails.draw_problem(problem, entry, LOOK, tmp_path / "x.png")
    assert len(marbles_by_cell(drawn[0])) == 12, "the moves that lead there have been made, no others"
    assert drawn[0].to_move == 0


def test_search_finds_games_of_other_categories(hand: Hand) -> None:
    page = hand.page(HomePage)
    page._choose_group(page.groups.index("pattern"))
    assert {entry.category for entry in page.games_found} == {"pattern"}
    hand.type("spuzzle")
    assert [entry.id for entry in page.games_found] == ["spuzzle"]
    assert page.group == "all"
    hand.type("zzz")
    assert page.games_found == []


def test_group_counts_follow_the_filters(hand: Hand) -> None:
    page = hand.page(HomePage)
    every = {
        group: sum(entry.category == group for entry in hand.app.catalogue) for group in ("score", "puzzle")
    }
    assert {group: page.group_counts[group] for group in every} == every
    hand.found("for players", Dropdown).select(1)
    alone = {
        group: sum(e.category == group and e.players[0] == 1 for e in hand.app.catalogue) for group in every
    }
    assert {group: page.group_counts[group] for group in every} == alone
    assert alone != every
    hand.type("zzz")
    assert set(page.group_counts.values()) == {0}


def test_filters_combine(hand: Hand) -> None:
    page = hand.page(HomePage)
    for name, number in (("for players", 2), ("length", 1), ("level", 1)):
        hand.found(name, Dropdown).select(number)
    assert page.games_found
    for entry in hand.app.catalogue:
        fits = entry.players[0] <= 2 <= entry.players[1] and entry.minutes <= 10 and entry.complexity <= 1
        assert (entry in page.games_found) == fits


def test_filters_work_with_mouse_and_keyboard(hand: Hand) -> None:
    page = hand.page(HomePage)
    hand.push("level")
    hand.draw()
    options = hand.app.root.top.children[0]
    row = options.row_rect(3)  # type: ignore[attr-defined]
    hand.click(*hand.app.to_window_pixels(row.cx, row.cy))
    assert not hand.app.root.popups
    assert page.game_filter.level == 3
    assert page.games_found == [entry for entry in hand.app.catalogue if entry.complexity >= 3]
    hand.app.root.focus = hand.found("level", Dropdown)
    hand.key("enter")
    hand.key("up")
    assert page.game_filter.level == 3
    hand.key("enter")
    assert page.game_filter.level == 2
    hand.key("left")
    assert page.game_filter.level == 1
    hand.key("enter")
    hand.key("escape")
    assert not hand.app.root.popups
    assert page.game_filter.level == 1


def test_recently_played_games_are_listed_newest_first(hand: Hand) -> None:
    assert hand.page(HomePage).group_counts[NEVER_PLAYED] == len(hand.app.catalogue)
    for game in ("spire", "spline", "spire"):
        hand.start(game)
    hand.app.pages.show_home()
    page = hand.page(HomePage)
    assert settings.load_settings(hand.app.services.config_folder).settings.played == ("spire", "spline")
    assert page.group_counts[NEVER_PLAYED] == len(hand.app.catalogue) - 2
    page._choose_group(page.groups.index(RECENTLY_PLAYED))
    assert [entry.id for entry in page.games_found] == ["spire", "spline"]
    page._choose_group(page.groups.index(NEVER_PLAYED))
    assert not {"spire", "spline"} & {entry.id for entry in page.games_found}


def test_match_settings_of_each_game_are_remembered(hand: Hand) -> None:
    page = hand.page(HomePage)
    entry = next(e for e in hand.app.catalogue if e.variants and len(e.sizes) > 1 and e.players[1] > 1)
    page._select_row(page.games_found.index(entry))
    other = next(size for size in entry.sizes if size != entry.size)
    page.start_panel.setup.size, page.start_panel.setup.variant = other, entry.variants[0]
    page.start_panel.start_match()
    hand.app.pages.show_home()
    page = hand.page(HomePage)
    assert page.selected_game is entry or page.selected_game == entry
    assert (page.start_panel.setup.size, page.start_panel.setup.variant) == (other, entry.variants[0])
    page._select_row(page.games_found.index(hand.app.catalogue.get("spline")))
    assert (page.start_panel.setup.size, page.start_panel.setup.variant) == (4, "")
    # Remembered choices are stored in the settings, and those that the game no longer allows are ignored.
    kept = settings.load_settings(hand.app.services.config_folder).settings
    assert kept.setups[entry.id]["size"] == other
    hand.app.change_settings(setups={"spline": {"size": 99, "variant": "no such", "players": 7}})
    page.start_panel.setup.entry = None
    page._select_row(page.games_found.index(hand.app.catalogue.get("spline")))
    assert (page.start_panel.setup.size, page.start_panel.setup.variant, page.start_panel.setup.seats) == (
        4,
        "",
        2,
    )


@pytest.mark.parametrize("kind", ["marbles", "another"])
def test_games_of_every_kind_have_pictures(hand: Hand, tmp_path: Path, kind: str) -> None:
    games = [entry for entry in hand.app.catalogue if (entry.kind == "marbles") == (kind == "marbles")]
    shown = []

    def keep(game: object, state: object, seats: int, look: object, path: Path) -> bool:
        frame, _ = thumbnails._make_frame(game, state, seats, hand.app.settings.board_theme)  # type: ignore[arg-type]
        shown.append(frame)
        return True

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(thumbnails, "_draw_to_file", keep)
        assert all(thumbnails.draw_game(entry, LOOK, tmp_path / "x.png") for entry in games)
    assert len(shown) == len(games) > 0


def test_keyboard_moves_through_the_cards(hand: Hand) -> None:
    page = hand.page(HomePage)
    games = page.game_grid
    assert games.columns > 1
    begin = games.current_row
    hand.key("right")
    assert games.current_row == begin + 1
    hand.key("down")
    assert games.current_row == begin + 1 + games.columns
    hand.key("end")
    assert games.current_row == games.row_count - 1
    last = games.row_rect(games.current_row)
    assert games.rect.y <= last.y
    assert last.bottom <= games.rect.bottom + 1
    hand.key("home")
    hand.key("f")
    assert hand.app.settings.favourites == (page.games_found[0].id,)
    assert page.group_counts[FAVOURITES] == 1
    hand.key("enter")
    assert hand.app.current_page is not page
    assert hand.app.matches.last_game_id == page.games_found[0].id


def test_r_starts_a_random_listed_game(hand: Hand) -> None:
    hand.found("for players", Dropdown).select(1)
    ids = {entry.id for entry in hand.page(HomePage).games_found}
    hand.key("right")
    hand.key("r")
    page = hand.app.current_page
    assert isinstance(page, LadderPage), "solo games open on their ladders"
    assert page.entry.id in ids


def test_letters_search_unless_the_cards_have_focus(hand: Hand) -> None:
    hand.type("r")
    assert hand.page(HomePage).game_filter.words == "r"
    assert hand.app.root.focus is hand.page(HomePage).search_field


def test_wide_windows_show_more_cards(hand: Hand) -> None:
    page = hand.page(HomePage)
    columns = []
    for size in ((640, 480), (900, 600), (1280, 720), (1920, 1080), (3840, 2160)):
        hand.app.resize(*size)
        columns.append(page.game_grid.columns)
        assert page.game_grid.row_rect(page.game_grid.columns - 1).right <= page.game_grid.rect.right
    assert columns == sorted(columns)
    assert columns[0] >= 1
    assert columns[-2] >= 5


def test_every_group_can_be_reached_in_a_narrow_window(hand: Hand) -> None:
    hand.app.resize(640, 480)
    page = hand.page(HomePage)
    assert not page.group_list.visible
    hand.found("group", Dropdown).select(page.groups.index("capture"))
    assert {entry.category for entry in page.games_found} == {"capture"}


def test_new_players_are_offered_the_first_steps(hand: Hand) -> None:
    hand.push("guide")
    assert isinstance(hand.app.current_page, GuidePage)


def test_last_match_is_resumed_with_one_click(hand: Hand) -> None:
    hand.start("spline")
    hand.choose("Aa1", "Ab1")
    hand.push("back")
    hand.push("continue")
    assert hand.moves == ["W@Aa1", "B@Ab1"]


def test_scrolling_many_games_draws_only_visible_cards(hand: Hand, monkeypatch: pytest.MonkeyPatch) -> None:
    page = hand.page(HomePage)
    page.games_found = [page.games_found[n % len(page.games_found)] for n in range(100)]
    page.game_grid.set_rows(100, 0)
    painted: list[int] = []
    paint = page.game_grid.paint_row
    monkeypatch.setattr(page.game_grid, "paint_row", lambda *a: (painted.append(a[3]), paint(*a)))
    page.game_grid.scroll_to(page.game_grid.content_height)
    hand.draw()
    assert 99 in painted
    assert len(painted) <= page.game_grid.columns * (page.game_grid.rect.h // page.game_grid.row_height + 2)
