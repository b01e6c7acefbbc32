"""The home page, saved games and settings."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from shibumi3d.app.application import automatic_scale
from shibumi3d.app.host import settings
from shibumi3d.app.host.dialogs import MessageCard, TextCard
from shibumi3d.app.host.match_settings import parse_seed
from shibumi3d.app.host.settings_card import SettingsCard
from shibumi3d.app.host.shortcuts import ShortcutsCard
from shibumi3d.app.match.marble_view.page import MarbleMatchPage
from shibumi3d.app.pages.home.cards import HomeCard
from shibumi3d.app.pages.home.filters import PLAYER_FILTERS, fold_for_search
from shibumi3d.app.pages.home.page import HomePage
from shibumi3d.app.pages.home.saved_games import SavedGamesPage
from shibumi3d.app.pages.home.start_panel import PlayerTypeButton, PlayerTypeList, strength_of
from shibumi3d.app.platform.screen_reader import ScreenReader
from shibumi3d.app.ui.button import Button
from shibumi3d.app.ui.choice import Choice
from shibumi3d.app.ui.dropdown import Dropdown
from shibumi3d.scene.marbles.scene import marbles_by_cell
from shibumi3d.scene.pen import CAP_HEIGHT_EM
from shibumi3d.scene.rect import Rect
from shibumi3d.search.levels import LEVELS

if TYPE_CHECKING:
    from shibumi3d.app.host import Host
    from tests.app.hand import Hand


class NoteCard(HomeCard):
    """Home card with a given line below its title."""

    def __init__(self, app: Host, below: str) -> None:
        super().__init__(app, "note")
        self.below = below

    def texts(self) -> tuple[str, str]:
        return "Give it a go", self.below


@pytest.mark.parametrize("height", [60, 84, 104])
@pytest.mark.parametrize(("below", "lines"), [("Aha", 1), ("Learn by playing a short and simple match", 2)])
def test_texts_of_a_home_card_are_centred_together(
    hand: Hand, monkeypatch: pytest.MonkeyPatch, height: float, below: str, lines: int
) -> None:
    """The capitals of the title are as far from the upper edge as the last baseline is from the lower one."""
    card, canvas, drawn = NoteCard(hand.app, below), hand.app.canvas, []
    monkeypatch.setattr(canvas, "text", lambda x, y, text, colour, face, size, align: drawn.append((y, size)))
    card.layout(Rect(20, 100, 250, height))
    card.paint(canvas, hand.app.root.style)
    (title_baseline, title_size), *others = drawn
    assert len(others) == lines
    above = title_baseline - title_size * CAP_HEIGHT_EM - card.rect.y
    under = card.rect.bottom - others[-1][0]
    assert above == pytest.approx(under, abs=0.5)
    descender = 0.25 * others[-1][1]
    assert under - descender >= 2.5, "the text doesn't touch the edge"
    assert others[0][0] - others[0][1] * CAP_HEIGHT_EM - title_baseline > 0.4 * title_size, "nor the title"


def titles(hand: Hand) -> list[str]:
    return [entry.title for entry in hand.page(HomePage).games_found]


def test_match_starts_with_two_clicks(hand: Hand) -> None:
    number = titles(hand).index("Spline")
    games = hand.page(HomePage).game_grid
    games.reveal(number // games.columns * games.row_height, games.row_height)
    row = games.row_rect(number)
    hand.click(*hand.app.to_window_pixels(row.cx, row.cy))
    hand.push("play")
    assert isinstance(hand.app.current_page, MarbleMatchPage)
    assert hand.play.match.game.id == "spline"
    assert hand.play.names == ["Player 1", "Pebble 1.5"], "who plays alone does not begin against nobody"
    assert hand.play.match.player_types == ("person", "fits 1.5")
    assert hand.app.settings.seats["spline"] == ("person", "fits"), "who fits is found anew for every match"


def test_opponent_is_carried_over_to_a_new_game(hand: Hand) -> None:
    hand.app.change_settings(seats={"spava": ("person", "river")}, played=("spava",))
    hand.type("spline+")
    assert hand.page(HomePage).start_panel.setup.player_types[:2] == ["person", "river"]
    hand.app.change_settings(seats={"spava": ("person", "person")})
    hand.key("escape")
    hand.type("spree")
    assert hand.page(HomePage).start_panel.setup.player_types[:2] == ["person", "person"]


def test_cooperative_games_suggest_no_opponent(hand: Hand) -> None:
    hand.type("sprout")
    assert set(hand.page(HomePage).start_panel.setup.player_types) == {"person"}


def test_match_settings_show_the_adaptive_level(hand: Hand) -> None:
    hand.type("spline+")
    assert hand.page(HomePage).start_panel.player_buttons[1].label == "Adapts to me (now Pebble 1.5)"


def test_typing_searches_and_escape_clears(hand: Hand) -> None:
    every = titles(hand)
    hand.type("conn")
    assert hand.app.root.focus is hand.page(HomePage).search_field
    assert 0 < len(titles(hand)) < len(every)
    for entry in hand.page(HomePage).games_found:
        assert "conn" in fold_for_search(f"{entry.title} {entry.category} {entry.summary['en']}")
    hand.key("escape")
    assert titles(hand) == every
    hand.type("zzzz")
    assert titles(hand) == []
    assert hand.page(HomePage).empty_label.visible
    hand.key("enter")
    assert hand.page(HomePage).empty_label.visible, "no game is begun that was not looked for"


def test_letters_search_wherever_the_focus_is(hand: Hand) -> None:
    page = hand.page(HomePage)
    hand.key("down")  # in the list of games, R, E and F are shortcuts
    assert page.game_grid.focused
    hand.type("conn")
    assert page.search_field.value == "conn"
    hand.key("escape")
    hand.push("length")
    hand.key("escape")
    hand.type("zzzz")
    assert page.search_field.value == "zzzz"
    assert titles(hand) == []


def test_initially_selected_game_is_a_simple_one_for_two(hand: Hand) -> None:
    chosen = hand.page(HomePage).selected_game
    assert chosen is not None
    assert (chosen.id, chosen.complexity, chosen.players) == ("spline", 1, (2, 2))
    card = hand.page(HomePage).game_grid.row_rect(hand.page(HomePage).game_grid.current_row)
    assert hand.page(HomePage).game_grid.rect.contains(card.cx, card.cy), "it is in sight"


def test_good_first_games_come_first_for_those_who_are_new(hand: Hand) -> None:
    page = hand.page(HomePage)
    hand.app.change_settings(played=())
    page._update_games()
    grid = page.game_grid
    assert list(grid.headings.values()) == ["Good first games", "More games"]
    assert grid.columns == 3
    first = page.games_found[:3]
    assert [entry.id for entry in first] == ["spline", "span", "splice"], "the path of first games"
    assert sorted(entry.id for entry in page.games_found) == sorted(entry.id for entry in hand.app.catalogue)
    assert grid.row_rect(3).y - grid.row_rect(0).bottom > grid.HEADING_HEIGHT_PX, "a line of their own"
    assert grid.row_at(grid.row_rect(4).cx, grid.row_rect(4).cy) == 4
    grid.select_row(1)
    hand.key("down")
    assert grid.current_row == 4, "the card below it"
    hand.type("sp")
    assert grid.headings == {}


def test_recently_played_games_come_first_and_the_last_one_is_selected(hand: Hand) -> None:
    played = ("spargo", "arcanoid", "spline", "spair", "hyena-spiral")
    hand.app.change_settings(played=played[:3])
    page = HomePage(hand.app)
    assert page.selected_game is not None
    assert page.selected_game.id == "spargo", "after a new start too"
    hand.app.show_page(page)
    hand.draw()
    assert [entry.id for entry in page.games_found[:6]] == [*played[:3], "span", "splice", "spuzzle"]
    assert page.game_grid.headings == {0: "Recently played", 3: "Good first games", 6: "More games"}
    tree = ScreenReader(hand.app, lambda: None).build_tree().root
    rows = [node.name for node in tree.walk() if node.role == "row"]
    assert any(name.startswith("Recently played. Spargo. ") for name in rows)
    assert any(name.startswith("More games. ") for name in rows)
    hand.app.change_settings(played=played)
    page._update_games()
    assert list(page.game_grid.headings.values()) == ["Recently played", "More games"], "no longer new"


def test_the_picture_of_the_chosen_game_is_as_large_for_every_game(hand: Hand) -> None:
    page, seen = hand.page(HomePage), set()
    for name in ("spline", "arcanoid", "hyena-spiral", "spangle", "spuzzle", "spindizzy"):
        page.start_panel.show_game(hand.app.catalogue.get(name))
        hand.draw()
        assert page.view.visible
        seen.add(page.view.rect)
        assert page.start_panel.play_button.rect.bottom <= 720
    assert len(seen) == 1


def test_strength_of_a_computer_player_is_a_number_of_dots(hand: Hand) -> None:
    assert [strength_of(level.name) for level in LEVELS] == [1, 2, 3, 4, 5]
    assert strength_of("person") == strength_of("random") == strength_of("close 3") == 0
    assert strength_of("fits", "fits 1.5") == 2
    assert strength_of("fits", "fits 0") == 1
    hand.page(HomePage).start_panel._set_player_type(1, "river")
    hand.draw()
    assert hand.found("who 2", PlayerTypeButton).accessible_name.endswith("level 3 of 5")
    hand.push("who 2")
    rows = {row.label.partition(" ")[0]: row.strength for row in hand.floating(PlayerTypeList).rows}
    assert rows["Pebble"] == 1
    assert rows["Sky"] == 5
    assert rows["Human"] == 0


def test_icon_of_a_computer_player_stays_clear_of_its_dots(hand: Hand) -> None:
    """In a small window, a computer player's button has room only for the icon and the dots.

    The buttons of the seats are in two narrow columns, so the player's name isn't shown. The dots show how strong the
    player is.
    """
    hand.app.resize(700, 520)
    hand.page(HomePage).start_panel.show_game(hand.app.catalogue.get("spangle"))
    hand.draw()
    for button in hand.page(HomePage).start_panel.player_buttons[1:]:
        assert button.strength
        assert button.icon_area(button.rect).right <= button.rect.right - button.DOTS_WIDTH_PX


def test_a_page_is_darker_below_a_dialog_but_not_below_the_settings(hand: Hand) -> None:
    style, area = hand.app.root.style, Rect(250, 4, 4, 4)
    hand.wait(1)
    before = hand.app.canvas.read_pixels(area).astype(int).sum()
    hand.app.show_message("Something")
    hand.draw()
    assert hand.app.canvas.read_pixels(area).astype(int).sum() < before * (1 - style.scrim[3] / 2)
    hand.app.root.close_popups()
    hand.app.pages.show_settings()
    hand.draw()
    assert hand.app.canvas.read_pixels(area).astype(int).sum() == before


def test_at_twice_the_size_only_the_list_of_games_scrolls(hand: Hand) -> None:
    hand.app.change_settings(scale=200)
    hand.app.resize(1280, 720)
    hand.draw()
    page = hand.page(HomePage)
    assert hand.app.page_scroll.fits_window
    assert page.game_grid.content_height > page.game_grid.rect.h
    card = page.game_grid.row_rect(0)
    assert card.bottom <= page.game_grid.rect.bottom, "the first card can be seen with its title"
    hand.key("enter")
    hand.draw()
    assert hand.found("play", Button).visible


def test_at_twice_the_size_settings_keep_the_board_in_sight(hand: Hand) -> None:
    hand.app.change_settings(scale=200)
    hand.start("spline")
    hand.app.pages.show_settings()
    card = hand.floating(SettingsCard)
    assert card.board_area is not None
    assert card.board_area.w * card.board_area.h >= 0.4 * 640 * 360
    assert card.restore_button.label == "Reset this tab"
    for widget in (*(widget for _, widget in card.rows), card.done_button):
        assert card.rect.y <= widget.rect.y
        assert widget.rect.bottom <= card.rect.bottom


def test_game_list_opens_at_the_top(hand: Hand) -> None:
    """The list starts at the top, whatever was played last and however it is filtered.

    An arrow key scrolls to the selected game.
    """
    hand.start("spuzzle", ("Ann",))
    hand.key("escape")  # to the deals
    hand.key("escape")
    page = hand.page(HomePage)
    assert page.selected_game is not None
    assert page.selected_game.id == "spuzzle"
    assert page.game_grid.offset == 0
    hand.app.resize(900, 600)
    hand.app.resize(1280, 720)
    assert page.game_grid.offset == 0
    hand.key("down")
    card = page.game_grid.row_rect(page.game_grid.current_row)
    assert page.game_grid.rect.contains(card.cx, card.cy)
    assert page.game_grid.offset > 0
    page._change_filter(players=PLAYER_FILTERS.index("two"))
    assert page.game_grid.offset == 0


def test_first_steps_are_visible_at_any_window_size(hand: Hand) -> None:
    for wide, high in ((640, 480), (640, 720), (900, 600)):
        hand.app.resize(wide, high)
        hand.draw()
        card = hand.page(HomePage).tutorial_card
        assert card.visible
        assert card.rect.right <= wide
    hand.start("spline")
    hand.choose("Aa1")
    hand.app.pages.show_home()
    hand.app.resize(640, 480)
    hand.draw()
    assert hand.page(HomePage).resume_card.visible
    assert hand.page(HomePage).tutorial_card.visible
    assert hand.page(HomePage).tutorial_card.rect.x > hand.page(HomePage).resume_card.rect.right
    hand.app.change_settings(guided=True)
    hand.page(HomePage).layout(hand.page(HomePage).rect)
    assert not hand.page(HomePage).tutorial_card.visible


def test_category_filters_the_list(hand: Hand) -> None:
    groups = hand.page(HomePage).group_list
    row = groups.row_rect(hand.page(HomePage).groups.index("capture"))
    hand.click(*hand.app.to_window_pixels(row.cx, row.cy))
    assert {entry.category for entry in hand.page(HomePage).games_found} == {"capture"}


def test_game_list_is_restored_after_a_match(hand: Hand) -> None:
    groups = hand.page(HomePage).group_list
    row = groups.row_rect(hand.page(HomePage).groups.index("puzzle"))
    hand.click(*hand.app.to_window_pixels(row.cx, row.cy))
    hand.found("for players", Dropdown).select(PLAYER_FILTERS.index("solo"))
    listed = titles(hand)
    hand.type("spoff")
    hand.key("enter")
    hand.draw()
    hand.push("next deal")  # the ladder of the solo game opens first
    assert hand.play.match.game.title == "Spoff"
    hand.push("back")  # to the deals
    hand.push("back")
    assert (titles(hand), hand.page(HomePage).selected_game.title) == (listed, "Spoff")  # type: ignore[union-attr]
    assert hand.found("for players", Dropdown).selected_index == PLAYER_FILTERS.index("solo")
    hand.start("spline")
    hand.push("back")
    assert hand.page(HomePage).group == "all", "there the game just played is found"


def test_match_can_be_started_by_keyboard(hand: Hand) -> None:
    hand.type("spline+")
    hand.key("enter")
    assert hand.play.match.game.title == "Spline+"


def test_names_size_and_seed_are_used_and_names_remembered(hand: Hand) -> None:
    hand.type("spline+")
    hand.push("seat 1")
    hand.key("ctrl+a")
    hand.type("Łucja")
    hand.push("seed")
    hand.type("maple tea")
    size = hand.found("size", Choice)
    field = size.option_rects()[0]
    hand.click(*hand.app.to_window_pixels(field.cx, field.cy))
    hand.push("play")
    assert hand.play.names == ["Łucja", "Pebble 1.5"]
    assert hand.play.match.seed == parse_seed("maple tea")
    assert hand.play.match.game.size == 3
    assert settings.load_settings(hand.app.services.config_folder).settings.names[:1] == ("Łucja",)
    hand.push("back")
    chosen = hand.page(HomePage).selected_game
    assert chosen is not None
    assert chosen.title == "Spline+"


def test_seed_gives_the_same_match_everywhere() -> None:
    assert parse_seed("41") == 41
    assert parse_seed(" maple tea ") == 51512802821255
    assert 0 <= parse_seed("") < 1_000_000


def test_saved_games_are_listed_and_opened(hand: Hand) -> None:
    hand.start("spline")
    hand.choose("Aa1", "Ab1")
    hand.key("ctrl+o")
    page = hand.page(SavedGamesPage)
    assert len(page.files) == 1
    hand.push("open")
    assert hand.moves == ["W@Aa1", "B@Ab1"]


def test_broken_file_is_refused_with_a_message(hand: Hand) -> None:
    hand.app.store.folder.mkdir(parents=True)
    (hand.app.store.folder / "broken.yaml").write_text("shibumi3d: 99\n")
    hand.key("ctrl+o")
    hand.key("enter")
    notice = hand.floating(MessageCard).message_label.caption
    assert "broken.yaml was written by a newer version" in notice
    hand.key("enter")
    assert not hand.app.root.popups


def test_settings_apply_at_once_and_are_saved(hand: Hand) -> None:
    hand.push("settings")
    light = hand.found("light", Choice)
    hand.click(*hand.app.to_window_pixels(light.option_rects()[1].cx, light.rect.cy))
    assert hand.app.root.style.is_night
    size = hand.found("text size", Choice)
    hand.click(*hand.app.to_window_pixels(size.option_rects()[4].cx, size.rect.cy))
    assert hand.app.scale == pytest.approx(1.5)
    assert hand.app.root.find("text size") is not None
    assert settings.load_settings(hand.app.services.config_folder).settings.scale == 150
    hand.app.change_settings(scale=0)


@pytest.mark.parametrize(
    ("screen", "density", "scale"),
    [
        ((1280, 720), 1.0, 1.0),
        ((1920, 1080), 1.0, 1.0),
        ((1920, 1200), 1.0, 1.0),
        ((2560, 1440), 1.0, 1.5),
        ((3440, 1440), 1.0, 1.5),
        ((1440, 2560), 1.0, 1.0),
        ((3840, 2160), 1.0, 2.0),
        ((7680, 4320), 1.0, 3.0),
        # The system's own scale takes precedence.
        ((3840, 2160), 1.5, 1.5),
        ((2880, 1800), 2.0, 2.0),
    ],
)
def test_text_starts_at_a_size_that_suits_the_screen(
    screen: tuple[int, int], density: float, scale: float
) -> None:
    assert automatic_scale(screen, density) == scale


def test_a_large_screen_enlarges_the_text_unless_a_size_is_set(
    hand: Hand, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = hand.app
    monkeypatch.setattr(app.services, "screen_size", (3840, 2160))
    app.resize(3840, 2160)
    assert app.scale == 2.0
    app.change_settings(scale=100)
    assert app.scale == 1.0
    app.change_settings(scale=0)
    # A window smaller than the screen is scaled as on a screen of its size.
    app.resize(1920, 1080)
    assert app.scale == 1.5
    app.resize(1280, 720)
    assert app.scale == 1.0


def test_focus_moves_and_is_visible(hand: Hand) -> None:
    hand.key("tab")
    first = hand.app.root.focus
    assert first is not None
    assert hand.app.root.is_focus_visible
    hand.key("tab")
    assert hand.app.root.focus is not first
    hand.key("shift+tab")
    assert hand.app.root.focus is first


def test_focus_goes_from_a_name_to_the_player_type(hand: Hand) -> None:
    hand.app.change_settings(seats={"spline": ("person", "person")})
    hand.app.show_page(HomePage(hand.app))
    hand.type("spline")
    hand.app.root.focus = hand.app.root.find("seat 1")
    focused: list[str] = []
    for _ in range(4):
        hand.key("tab")
        assert hand.app.root.focus is not None
        focused.append(hand.app.root.focus.name)
    assert focused == ["who 1", "seat 2", "who 2", "size"]
    start = hand.page(HomePage).start_panel
    assert [(child.name, label) for child, label, _ in start.labels] == [
        ("seat 1", "Seat 1"),
        ("seat 2", "Seat 2"),
        ("size", "Size"),
        ("terms", "Options"),
    ]
    assert all(child.rect.cy == place.cy for child, _, place in start.labels)


def test_focus_stays_on_the_changed_setting(hand: Hand) -> None:
    hand.type("spargo")
    for name, keys in (("variant", ["right"]), ("players", ["right"]), ("who 3", ["enter", "down", "enter"])):
        hand.app.root.focus = hand.app.root.find(name)
        for key in keys:
            hand.key(key)
        hand.draw()
        assert hand.app.root.focus is hand.app.root.find(name), name
    assert hand.page(HomePage).start_panel.setup.player_types[:3] == ["person", "fits", "pebble"]


def test_enter_moves_on_in_the_settings_and_only_the_button_starts(hand: Hand) -> None:
    hand.type("spargo")
    page = hand.page(HomePage)
    for name in ("players", "seat 1", "variant", "seed"):
        hand.app.root.focus = row = hand.app.root.find(name)
        assert row is not None
        hand.key("enter")
        assert hand.app.current_page is page, name
        assert hand.app.root.focus is not row, name
    hand.app.root.focus = hand.app.root.find("play")
    hand.key("enter")
    assert hand.play.match.game.id == "spargo"


def test_ctrl_q_quits(hand: Hand) -> None:
    hand.key("ctrl+q")
    assert hand.left


def test_unreadable_settings_file_is_set_aside(tmp_path: Path) -> None:
    file = tmp_path / "settings.json"
    for text in ("{", "[]", "", '"day"'):
        file.write_text(text)
        loaded = settings.load_settings(tmp_path)
        assert loaded.settings == settings.Settings()
        assert "settings.json.unreadable" in loaded.notice
        assert not file.exists()


@pytest.mark.parametrize("text", ['{"scale": "big"}', '{"names": 1}', '{"size": [1]}'])
def test_unreadable_setting_gets_its_default(tmp_path: Path, text: str) -> None:
    (tmp_path / "settings.json").write_text(text)
    loaded = settings.load_settings(tmp_path)
    assert loaded.settings == settings.Settings()
    (name,) = json.loads(text)
    assert loaded.notice == (
        f"Couldn't read some settings in {tmp_path / 'settings.json'}: {name}. Their defaults will be used."
    )
    assert (tmp_path / "settings.json").exists()


def test_settings_out_of_range_are_clamped(tmp_path: Path) -> None:
    (tmp_path / "settings.json").write_text(json.dumps({"scale": 9000, "theme": "pink", "unknown": 1}))
    loaded = settings.load_settings(tmp_path)
    assert loaded.notice == ""
    assert loaded.settings.scale == 300
    assert loaded.settings.theme == "day"


def test_saved_settings_leave_no_temporary_file(tmp_path: Path) -> None:
    place = tmp_path / "a" / "b"
    chosen = settings.Settings().with_changes(theme="night", names=("Ann",), size=(900, 700))
    assert settings.save_settings(place, chosen) == ""
    assert settings.load_settings(place).settings == chosen
    assert [file.name for file in place.iterdir()] == ["settings.json"]


def test_preview_shows_a_position_from_mid_match(hand: Hand) -> None:
    view = hand.page(HomePage).view
    hand.type("spair")
    assert view.shown_state is None
    hand.wait(0.3)
    first = view.shown_state
    assert first is not None
    assert first.to_move is not None
    assert first.turn > 3
    assert view.marble_scene.sizes == (4, 4)
    assert view.marble_scene.marbles == marbles_by_cell(first)
    size = hand.found("size", Choice)
    size.select(0)
    hand.wait(0.3)
    assert view.marble_scene.sizes == (3, 3)
    hand.key("escape")
    hand.type("spuzzle")
    hand.wait(0.3)
    assert view.marble_scene.sizes == (4,)


def test_preview_shrinks_in_small_windows(hand: Hand) -> None:
    page = hand.page(HomePage)
    hand.type("spline")
    hand.wait(0.3)
    page.layout(Rect(0, 0, 1280, 720))
    assert page.view.visible
    assert page.start_panel.rect.y == page.view.rect.bottom
    page.layout(Rect(0, 0, 1280, 460))
    assert not page.view.visible
    assert page.start_panel.play_button.rect.bottom < 460


def test_interface_scales_to_the_chosen_size(hand: Hand) -> None:
    hand.app.change_settings(scale=150)
    assert hand.app.root.size == (1280 / 1.5, 480)
    hand.app.change_settings(scale=300)
    assert hand.app.scale == 3.0
    assert hand.app.root.size == (1280 / 3, 480)
    hand.app.resize(640, 360)
    assert hand.app.scale == pytest.approx(640 / 400), "enough of the page is seen at once"


def test_single_column_layout_selects_a_game_first(hand: Hand) -> None:
    hand.app.change_settings(scale=300)
    hand.app.resize(1280, 720)
    hand.draw()
    page = hand.page(HomePage)
    assert page.is_narrow
    assert hand.app.root.find("play") is None
    hand.type("spargo")
    card = page.game_grid.row_rect(0)
    hand.app.scroll_by_notches(0, -4)
    assert hand.app.page_scroll.offset == (0, 720), "four notches of 60, three pixels each"
    hand.app.scroll_by_notches(0, 2)
    hand.click(*hand.app.to_window_pixels(card.cx, card.y + 20))
    assert page.start_panel.setup.entry is not None
    assert page.start_panel.setup.entry.id == "spargo"
    assert hand.found("play", Button).rect.right <= 1280 / 3
    assert hand.app.root.find("games") is None
    assert hand.app.page_scroll.offset == (0, 0), "it is read from its top"
    hand.key("escape")
    assert hand.app.root.find("play") is None
    hand.key("enter")
    assert hand.app.root.find("play") is not None
    hand.type("z")
    assert hand.app.root.find("play") is None, "who looks for another game sees the games"
    assert titles(hand) == []
    hand.key("backspace")
    hand.key("enter")
    hand.key("enter")
    assert hand.play.match.game.id == "spargo"


def test_keys_scroll_the_shortcut_sheet_in_one_column(hand: Hand) -> None:
    hand.app.change_settings(scale=300)
    hand.app.resize(1280, 720)
    hand.start("spline")
    hand.app.pages.show_shortcuts()
    card = hand.floating(ShortcutsCard)
    seen = card.list.rect.h
    hand.key("pagedown")
    assert card.list.offset == pytest.approx(0.9 * seen)
    hand.key("end")
    assert card.list.offset == pytest.approx(30 * len(card.list.keys) - seen)
    hand.key("a")
    assert not hand.app.root.popups
    hand.app.change_settings(scale=100)
    hand.app.pages.show_shortcuts()
    hand.key("pagedown")
    assert not hand.app.root.popups, "where all of it is seen any key closes it"


def test_terms_in_the_summary_are_explained(hand: Hand) -> None:
    page = hand.page(HomePage)
    page.start_panel.show_game(hand.app.catalogue.get("spline"))
    hand.draw()
    summary = page.start_panel.summary
    assert summary.scroll_handle() is None, "all of it is in sight"
    top, run = next((line[0], run) for line in summary._lines for run in line[2] if run[1] == "level")
    hand.point(*hand.app.to_window_pixels(summary.rect.x + run[0] + 4, summary.rect.y + top + 8))
    hand.wait(0.7)
    assert page.start_panel.explanation.word is not None
    assert page.start_panel.explanation.word[1].startswith("level: one layer of the pyramid")


def test_rules_can_be_read_before_any_game_however_many_play(hand: Hand) -> None:
    """If the settings of a game leave no room for its rules, a button opens the rules in a card."""
    page = hand.page(HomePage)
    panel, shown_in_card = page.start_panel, set()
    for name, seats in (("spline", 2), ("spangle", 4), ("spangle", 10), ("arcanoid", 10)):
        panel.show_game(hand.app.catalogue.get(name))
        assert panel.setup.entry is not None
        panel._set_seats(seats - panel.setup.entry.players[0])
        hand.draw()
        assert panel.rules_text.visible != panel.rules_button.visible
        if panel.rules_text.visible:
            assert panel.rules_text.rect.h >= 60
            assert panel.rules_text.rect.bottom <= panel.rect.bottom
            continue
        shown_in_card.add((name, seats))
        hand.push("open rules")
        assert hand.floating(TextCard).text_area.plain_text == panel.rules_text.plain_text
        hand.key("escape")
    assert shown_in_card >= {("spangle", 4), ("spangle", 10)}


def test_rules_card_explains_words_as_the_panel_does(hand: Hand) -> None:
    panel = hand.page(HomePage).start_panel
    panel.show_game(hand.app.catalogue.get("spangle"))
    panel._set_seats(4)
    hand.draw()
    hand.push("open rules")
    hand.draw()
    card = hand.floating(TextCard)
    rules = card.text_area
    left, meaning, top = next((run[0], run[3], line[0]) for line in rules._lines for run in line[2] if run[3])
    hand.point(*hand.app.to_window_pixels(rules.rect.x + left + 4, rules.rect.y + top + 8))
    hand.wait(0.7)
    assert card.explanation.word is not None
    assert card.explanation.word[1] == meaning
    assert meaning in panel._explain_words(rules.plain_text.split())


def test_window_has_eight_bits_per_colour(hand: Hand) -> None:
    hand.app.pages.show_saved_games()
    hand.draw()
    shown = hand.app.canvas.read_pixels(Rect(4, 600, 1, 1)).reshape(-1)[:3]
    assert "".join(f"{part:02X}" for part in shown) == "F0E9DB", "the paper of the day, to the bit"


@pytest.mark.parametrize(
    ("lang", "expected"), [("en", "F3: the last turn."), ("fr", "F3 : le dernier tour.")]
)
def test_key_opens_the_screen_reader_help(hand: Hand, lang: str, expected: str) -> None:
    hand.app.change_settings(language=lang)
    hand.key("shift+f1")
    card = hand.floating(TextCard)
    assert expected in card.text_area.plain_text.split("\n")
    hand.key("escape")
    assert not hand.app.root.popups
