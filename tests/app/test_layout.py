"""Every page, panel and popup in small and large windows: nothing is cut off, overlaps or leaves the window.

Pictures of boards are ignored: only what is drawn over and beside them is checked.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from shibumi3d.app.host import board_view
from shibumi3d.app.host.colour_counts import ColourCounts
from shibumi3d.app.host.courses import GameCourse, WinnabilityCourse
from shibumi3d.app.host.settings_card import SettingsCard
from shibumi3d.app.match.marble_view.board_views import LevelStrip
from shibumi3d.app.match.marble_view.choices import ChoicePanel, ColourTray, StepIndicator
from shibumi3d.app.match.marble_view.controller import Spot
from shibumi3d.app.match.marble_view.guided import GuidePage, ProblemPage
from shibumi3d.app.match.marble_view.messages import MessageLine
from shibumi3d.app.match.marble_view.page import MarbleMatchPage
from shibumi3d.app.match.marble_view.seat_cards import SeatCard
from shibumi3d.app.match.messages import StatusLine
from shibumi3d.app.match.result_bar import ResultBar
from shibumi3d.app.match.scene_view.page import SceneMatchPage
from shibumi3d.app.pages.game_designer import text_checker
from shibumi3d.app.pages.home.page import HomePage
from shibumi3d.app.pages.replay import ReplayPage
from shibumi3d.app.ui.button import Button
from shibumi3d.app.ui.choice import Choice
from shibumi3d.app.ui.list_view import ListView
from shibumi3d.app.ui.prose import FormattedText
from shibumi3d.app.ui.slider import Slider
from shibumi3d.app.ui.text_editor import TextEditor
from shibumi3d.app.ui.text_input import TextField
from shibumi3d.app.ui.widget import Widget
from shibumi3d.catalogue.problems import THEMES
from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import MIN_CLICKABLE_PX
from tests.app.at_once import AtOnce
from tests.app.hand import Hand
from tests.app.test_accessibility_tree import current_tree
from tests.app.test_accessibility_tree import naming_faults as unheard
from tests.app.test_table_keyboard_play import ARCANOID, GOLDEN, sit
from tests.app.writing import crossing, written
from tests.share import some
from tests.three_problems import three

NAMES = ("Ann", "Benedikt", "Player 3", "Dan", "Eva", "Fay", "Gus", "Hal", "Ira", "Jon")
SOLID = (
    *(Button, Choice, TextEditor, TextField, ListView, FormattedText, Slider, ColourCounts),
    *(SeatCard, ColourTray, ChoicePanel, ResultBar, StepIndicator, MessageLine, StatusLine, LevelStrip),
)
"""Widgets that must not overlap."""
ROWS = ("CardGrid games", "ListView saved", "SeatCards seats")
"""Lists whose rows may be truncated, since the whole text is shown beside them, after a click or in a tooltip."""
SIZES = ((640, 480), (700, 520), (900, 600), (1280, 720))
WINDOWS = [(size, 100, "en") for size in SIZES] + [(size, 150, "en") for size in (SIZES[0], SIZES[2])]
WINDOWS += [(size, 100, "fr") for size in (SIZES[0], SIZES[3])]
WINDOWS += [(SIZES[3], scale, language) for scale in (200, 300) for language in ("en", "fr")]
WINDOWS += [(SIZES[0], 100, language) for language in ("de", "es")]
WINDOWS += [(SIZES[3], 300, language) for language in ("de", "es")]
GAMES = (
    *(("spline", 2), ("spack", 2), ("spagyric", 2), ("springe", 2), ("spair", 2), ("spight", 2)),
    *(("spuzzle", 1), ("spin", 1), ("spruit", 1), ("spalone", 1), ("splastwo", 3), ("spindizzy", 3)),
    *(("spinca", 3), ("spanic", 6), ("spy", 6), ("spangle", 10), ("spectacular-tumble", 2)),
)
"""A selection of games with marbles, each with a number of players."""
LONG = (
    "Your moves so far are safe, but the match can't continue from here: line 12 of "
    "/home/somebody/.local/share/shibumi3d/games/my-own-game.yaml: there are more than 4,000 "
    "ways to choose here, and that is too many."
)


def kind(widget: Widget) -> str:
    return f"{type(widget).__name__} {widget.name}".strip()


def ancestors(widget: Widget) -> Iterator[Widget]:
    while widget.parent is not None:
        widget = widget.parent
        yield widget


def layout_faults(page: Widget) -> list[str]:
    root = page.root
    assert root is not None
    found = []
    solid = [w for w in page.walk() if isinstance(w, SOLID) and w.rect.w > 0 and w.rect.h > 0]
    for widget in solid:
        left, top, right, bottom = widget.rect.x, widget.rect.y, widget.rect.right, widget.rect.bottom
        if min(left, top) < -0.5 or right > root.window.w + 0.5 or bottom > root.window.h + 0.5:
            found.append(f"{kind(widget)} is not wholly in the window")
        if (
            isinstance(widget, Choice)
            and min(option.h for option in widget.option_rects()) < MIN_CLICKABLE_PX
        ):
            found.append(f"{kind(widget)} has rows that are too low to click")
    for one, other in crossing([(widget, widget.rect) for widget in solid]):
        if one not in ancestors(other) and other not in ancestors(one):
            found.append(f"{kind(one)} and {kind(other)} take the same place")
    return found


class LayoutChecker:
    """Collector of layout faults on the pages and popups that a test opens.

    Each call checks what is on the screen and adds the faults found to ``wrong``, each preceded by ``where``. Faults
    are overprinted text, text that is cut off (except in the rows of some lists), widgets that overlap or extend beyond
    the window, and choices whose rows are too low to click. Widgets are checked in the topmost popup or, if no popup is
    open, on the page. At one window size, the accessibility tree is checked too.
    """

    def __init__(self, hand: Hand, patch: pytest.MonkeyPatch) -> None:
        self.hand, self.patch = hand, patch
        self.wrong: list[str] = []
        self.pages = 0
        self.heard = hand.app.root.size == SIZES[-1]
        """Whether the accessibility tree is checked too: at one window size only, since it is the same at all."""

    def __call__(self, where: str) -> None:
        self.pages += 1
        root = self.hand.app.root
        writing = written(self.patch, self.hand.pass_over)
        found = [f"cut: {text}" for text in writing.cut if not text.startswith(ROWS)]
        found += [f"overprinted: {pair}" for pair in writing.overprinted()]
        found += layout_faults(root.popups[-1] if root.popups else root.page)
        if self.heard:
            found += [f"heard: {what}" for what in unheard(current_tree(self.hand))]
        self.wrong += [f"{where}: {text}" for text in found]


@pytest.fixture(
    params=some(map(pytest.param, WINDOWS), 3), ids=lambda p: f"{p[0][0]}x{p[0][1]} at {p[1]} %, {p[2]}"
)
def check_layout(
    hand: Hand, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> LayoutChecker:
    size, scale, language = request.param
    monkeypatch.setattr(board_view.BoardView, "render", lambda self, now, moving, aside: None)
    hand.app.change_settings(scale=scale, motion="off", language=language)
    hand.app.resize(*size)
    return LayoutChecker(hand, monkeypatch)


def test_buttons_beside_an_earlier_position_fit(hand: Hand, check_layout: LayoutChecker) -> None:
    """The button that leads back to the current position shows only its icon where its label doesn't fit."""
    play = hand.start("spline")
    play.actions.play_move(play.match.game.parse(play.match.state, "W@Ab2"))
    hand.wait(0.5)
    play.actions.view_ply(0)
    hand.wait(0.5)
    assert play.return_button.visible
    assert layout_faults(play) == []
    assert play.message_line.rect.w > 80
    for game in (GOLDEN, ARCANOID):
        table = sit(hand, game)
        table.model.viewed_ply = 0
        table.update()
        hand.wait(0.5)
        assert table.return_button.visible
        # A very small window is scrolled, so that only some of the buttons are in it.
        assert not [fault for fault in layout_faults(table) if fault.endswith("the same place")]
        assert table.undo_button.rect.x >= 0
        assert table.return_button.rect.right <= table.rect.right
        assert table.next_button.visible or table.rect.w < 600


def test_match_settings_of_every_game_fit(hand: Hand, check_layout: LayoutChecker) -> None:
    home = hand.page(HomePage)
    # All games in the smallest window, and every third game in the others.
    step = 1 if hand.app.root.size[0] <= SIZES[0][0] else 3
    for number, entry in list(enumerate(home.games_found))[::step]:
        home.game_grid.select_row(number)
        check_layout(f"{entry.id}")
        if home.is_narrow:
            home.is_setting_up = True
            hand.app.relayout()
            check_layout(f"{entry.id}, its set-up")
        if entry.variants:
            home.start_panel.setup.select_variant(entry.variants[0])
            home.start_panel._on_form_change("variant")
            check_layout(f"{entry.id}, a variant")
        if entry.players[1] > entry.players[0]:
            home.start_panel._set_seats(entry.players[1] - entry.players[0])
            check_layout(f"{entry.id}, all seats")
        home.is_setting_up = False
        hand.app.relayout()
    assert check_layout.pages > 80 / step
    assert check_layout.wrong == []


@pytest.mark.parametrize("group", [GAMES[:9], GAMES[9:]], ids=["few", "many"])
def test_match_page_of_every_game_fits(
    hand: Hand, check_layout: LayoutChecker, group: tuple[tuple[str, int], ...]
) -> None:
    for game, seats in group:
        play = hand.start(game, NAMES[:seats])
        hand.app.root.close_popups()
        check_layout(f"{game} at the start")
        chance = random.Random(game)
        for _ in range(8):
            if not play.controller.moves:
                break
            play.actions.play_move(chance.choice(play.controller.moves))
            hand.app.root.close_popups()
        check_layout(f"{game} later")
        openers: dict[str, Callable[[], None]] = {
            "flat": play.toggle_flat_view,
            "the eye above": lambda play=play: play.view.animate_to(play.view.top_view()),  # type: ignore[misc]
            "with the rules": play.side_panel.show_rules,
            "folded": lambda play=play: play.side_panel.toggle() if play.side_panel.is_expanded else None,  # type: ignore[misc]
            "bare": play.shortcut_handler.toggle_zen_mode,
        }
        for name, open_view in openers.items():
            open_view()
            hand.wait(0.5)
            check_layout(f"{game} {name}")
            if name in ("flat", "bare"):
                open_view()
    assert check_layout.wrong == []


def test_match_pages_of_other_tables_fit(hand: Hand, check_layout: LayoutChecker) -> None:
    for game, seats in (("arcanoid", 2), ("arcanoid", 10), ("hyena-spiral", 5), ("golden-spiral", 2)):
        entry = hand.app.catalogue.get(game)
        hand.app.matches.start(entry, list(NAMES[:seats]), entry.size, "", 1)
        page = hand.page(SceneMatchPage)
        hand.app.root.close_popups()
        check_layout(f"{game} of {seats} at the start")
        chance = random.Random(game)
        for _ in range(4 * seats):
            ask = page.match.state.decision
            if ask is None:
                break
            page.match.play(
                chance.choice(page.match.game.moves(page.match.state, ask.seats[0])), ask.seats[0]
            )
        page.model.last_viewer = page.model.choosing_seat
        page.actions.show_without_animation()
        hand.app.root.close_popups()
        check_layout(f"{game} of {seats} later")
        page.toggle_flat_view()
        check_layout(f"{game} of {seats} flat")
    while (ask := page.match.state.decision) is not None:
        page.match.play(chance.choice(page.match.game.moves(page.match.state, ask.seats[0])), ask.seats[0])
    page.actions.show_without_animation()
    hand.app.root.close_popups()
    assert page.result_bar.visible
    assert not page.is_narrow or page.result_bar.rect.y >= page.view.rect.bottom
    check_layout("the end of a match at another table")
    assert check_layout.wrong == []


def test_popups_fit(hand: Hand, check_layout: LayoutChecker) -> None:
    root = hand.app.root

    def float_(where: str) -> None:
        assert root.popups, where
        check_layout(where)
        root.close_popups()

    for sentence in ("A short sentence.", LONG):
        hand.app.show_message(sentence)
        float_(sentence[:7])
    for page in range(len(SettingsCard.TABS)):
        hand.app.pages.show_settings()
        hand.floating(SettingsCard).tabs.select(page)
        float_(f"settings {page}")
    hand.app.pages.show_shortcuts()
    float_("keys of the first page")
    for game, seats in (("spline-plus", 2), ("spy", 3), ("spagyric", 2), ("spuzzle", 1)):
        play = hand.start(game, NAMES[:seats])
        if root.popups:
            float_(f"{game}: curtain")
        hand.app.pages.show_shortcuts()
        float_("keys of a match")
        play.save_button.on_click()
        card = root.popups[-1]
        card.path_field.set_value(f"/no/such/{'place/' * 20}game.yaml")  # type: ignore[attr-defined]
        card.save_match()  # type: ignore[attr-defined]
        float_("a place that can't be written")
        play.shortcut_handler.ask_move()
        float_(f"{game}: a typed move")
        play.actions.ask_which_move(play.controller.moves[:4], Spot(0, 0))
        float_(f"{game}: several moves")
        play.actions.play_move(play.controller.moves[0])
        root.close_popups()
        play.shortcut_handler.ask_turn()
        float_(f"{game}: a turn")
    play = hand.start("spagyric", NAMES[:2])
    for _ in range(2):
        root.close_popups()
        play.actions.play_move(play.controller.moves[0])
    assert play.model.is_revealing
    float_("what was chosen in secret")
    assert check_layout.wrong == []


def test_other_pages_fit(hand: Hand, check_layout: LayoutChecker) -> None:
    for game, seats in (("spline", 2), ("spangle", 10), ("spuzzle", 1)):
        play = hand.start(game, NAMES[:seats])
        hand.app.root.close_popups()
        for _ in range(3):
            play.actions.play_move(play.controller.moves[0])
            hand.app.root.close_popups()
        hand.app.show_page(ReplayPage(hand.app, play.match, play.entry))
        check_layout(f"replay of {game}")
        page = hand.page(ReplayPage)
        page.go_to(1)
        check_layout(f"replay of {game}, a move")
    play = hand.start("spline", NAMES[:2])
    while play.controller.moves:
        play.actions.play_move(play.controller.moves[0])
        hand.app.root.close_popups()
    hand.app.show_page(shown := ReplayPage(hand.app, play.match, play.entry))
    check_layout("replay of a whole match")
    assert shown.evaluation_graph.is_available
    shown.evaluation_graph.visible = True
    shown.update()
    check_layout("replay of a whole match, who stood better")
    hand.app.pages.show_saved_games()
    check_layout("saved games")
    check_layout.patch.setattr(text_checker, "Worker", AtOnce)
    hand.app.pages.show_game_designer()
    hand.wait(0.5)
    check_layout("a game that is made")
    hand.key("f2")
    check_layout("a game that is put together")
    assert check_layout.wrong == []


def test_position_editor_fits(hand: Hand, check_layout: LayoutChecker) -> None:
    for game, seats in (
        ("spline", 2),
        ("spair", 2),
        ("spuzzle", 1),
        ("spangle", 10),
        ("spectacular-tumble", 2),
    ):
        play = hand.start(game, NAMES[:seats])
        hand.app.root.close_popups()
        play.edit_position()
        check_layout(f"{game} is laid out")
    assert check_layout.wrong == []


def test_problem_pages_fit(hand: Hand, check_layout: LayoutChecker, tmp_path: Path) -> None:
    hand.app.solver._worker = AtOnce()  # type: ignore[assignment]  # for the questions asked by the window
    problems = hand.app.results.problems
    with three(tmp_path / "sets"):
        for chosen in ("today", "streak", "doubt", "spline"):
            hand.app.pages.show_problems(chosen)
            check_layout(f"problems: {chosen}")
        hand.app.pages.show_problem(WinnabilityCourse(problems))
        check_layout("is there a win")
        hand.app.pages.show_problem(GameCourse(problems, "spline", "spline#2"))
        page = hand.page(ProblemPage)
        check_layout("a problem")
        page.show_solution()
        check_layout("what the answer costs")
        page.actions.on_move_made(page.actions.make_move("W@Ab1"))
        check_layout("a wrong turn")
        page.actions.on_move_made(page.actions.make_move("B@Ad4"))
        check_layout("and its answer")
        hand.key("enter")
        hand.wait(1)
        page.problem_session.is_solution_shown = True
        for move in ("W@Ac3", "B@Ab1", "W@Ac2"):
            page.actions.on_move_made(page.actions.make_move(move))
        page.problem_session.problem = replace(page.problem_session.problem, themes=THEMES[:3], slip=True)
        page.update_instruction()
        check_layout("what came of it")
    assert check_layout.wrong == []


def test_lesson_pages_fit(hand: Hand, check_layout: LayoutChecker) -> None:
    hand.app.pages.show_tutorial()
    guide = hand.page(GuidePage)
    while True:
        check_layout(f"first steps: {guide.next_step or 'done'}")
        if not guide.next_step:
            break
        guide.on_main_button()
    for game in ("spline", "spargo"):
        play = hand.start(game, NAMES[:2])
        hand.app.pages.show_exercise(play.match, play.entry)
        check_layout(f"a lesson of {game}")
    assert check_layout.wrong == []


def test_layout_checker_finds_overlaps_and_cut_texts(hand: Hand, monkeypatch: pytest.MonkeyPatch) -> None:
    play = hand.start("spline")
    check_layout = LayoutChecker(hand, monkeypatch)
    play.settings_button.layout(play.rules_button.rect)
    play.save_button.layout(Rect(1270, 4, 32, 32))
    play.status_line.layout(Rect(300, 0, 20, 44))
    play.message_line.rect = play.undo_button.rect
    play.actions.message = "A sentence that is much longer than its place"
    check_layout("spoilt")
    assert isinstance(play, MarbleMatchPage)
    for part in (
        "Button settings and Button rules button",
        "Button save is not wholly",
        "cut: StatusLine",
        "cut: MessageLine",
    ):
        assert any(part in text or _turned(part) in text for text in check_layout.wrong), part


def _turned(pair: str) -> str:
    one, _, other = pair.partition(" and ")
    return f"{other} and {one}" if other else pair
