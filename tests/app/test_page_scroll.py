"""Pages with large text: everything that doesn't fit into the window can be reached by scrolling."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from shibumi3d.app.host.courses import GameCourse, WinnabilityCourse
from shibumi3d.app.host.problems import problems_of_game
from shibumi3d.app.match.marble_view.guided import ProblemPage
from shibumi3d.app.match.page import MatchPage
from shibumi3d.app.pages.replay import ReplayPage
from shibumi3d.app.shell.page_scroll import PageScroll
from shibumi3d.app.ui.button import Button
from shibumi3d.app.ui.list_view import ListView
from shibumi3d.scene.rect import Rect
from tests.app.hand import Hand
from tests.share import THOROUGH, some

WINDOW = (1280, 720)


@pytest.mark.parametrize(
    ("size", "scale", "page"),
    [
        ((1280, 720), 200, (640, 360)),
        ((1920, 1080), 200, (960, 540)),
        ((1920, 1080), 300, (640, 360)),
        ((1280, 720), 300, (1280 / 3, 400)),
    ],
)
def test_text_has_the_chosen_size(
    hand: Hand, size: tuple[int, int], scale: int, page: tuple[int, int]
) -> None:
    hand.start("spline")
    hand.app.change_settings(scale=scale)
    hand.app.resize(*size)
    assert hand.app.scale == scale / 100
    assert hand.app.root.size == page
    needed = [round(side * scale / 100) for side in page]
    assert hand.app.page_scroll.fits_window == (needed[0] <= size[0] and needed[1] <= size[1])


def test_pointer_at_the_window_edge_scrolls_the_page() -> None:
    lens = PageScroll()
    lens.set_sizes((1920.0, 1080.0), WINDOW)
    assert not lens.follow_pointer(640, 360, WINDOW)
    assert lens.offset == (0, 0)
    assert lens.follow_pointer(1279, 360, WINDOW)
    assert lens.offset == (640, 0)
    assert not lens.follow_pointer(640, 360, WINDOW)
    lens.follow_pointer(1279, 719, WINDOW)
    assert lens.offset == (640, 360)
    lens.follow_pointer(0, 0, WINDOW)
    assert lens.offset == (0, 0)


def test_only_hidden_widgets_are_scrolled_into_view() -> None:
    lens = PageScroll()
    lens.set_sizes((1920.0, 1080.0), WINDOW)
    assert not lens.reveal(Rect(10, 10, 50, 20), WINDOW, 3.0)
    assert lens.reveal(Rect(560, 10, 60, 20), WINDOW, 3.0)
    assert lens.offset == (3 * (620 + 8) - 1280, 0)
    lens.set_sizes((1280.0, 720.0), WINDOW)
    assert lens.offset == (0, 0)
    assert lens.fits_window


def test_scrollbars_show_the_visible_part() -> None:
    lens = PageScroll()
    assert lens.scroll_bars(WINDOW, 9.0) == []
    lens.set_sizes((1920.0, 720.0), WINDOW)
    lens.follow_pointer(1279, 360, WINDOW)
    (bar,) = lens.scroll_bars(WINDOW, 9.0)
    assert bar.right == pytest.approx(1280)
    assert bar.w == pytest.approx(1280 * 2 / 3)


@pytest.mark.parametrize("game", ["spline", ""])
def test_every_button_is_reachable_by_pointer_and_keyboard(hand: Hand, game: str) -> None:
    if game:
        hand.start(game)
    hand.app.change_settings(scale=300)
    hand.app.resize(*WINDOW)

    def seen(button: Button) -> bool:
        x, y = hand.app.to_window_pixels(button.rect.cx, button.rect.cy)
        return 0 <= x < WINDOW[0] and 0 <= y < WINDOW[1]

    buttons = [w for w in hand.app.root.page.walk() if isinstance(w, Button) and w.rect.w]
    reached: set[Button] = set()
    for at in ((1, 1), (1279, 1), (1279, 719), (1, 719)):
        hand.point(*at)
        reached |= {button for button in buttons if seen(button)}
    assert reached == set(buttons)
    button = next(b for b in buttons if b.name == "settings")
    hand.point(1, 719)
    assert not seen(button)
    hand.app.root.is_focus_visible, hand.app.root.focus, hand.app.root.dirty = True, button, True
    hand.pass_over()
    assert seen(button)
    hand.push("settings")
    assert hand.app.root.popups


def test_cached_drawing_is_not_clipped_after_scrolling(hand: Hand) -> None:
    hand.start("spline")
    hand.app.change_settings(scale=300, motion="off")
    hand.app.resize(*WINDOW)
    hand.wait(1)
    hand.point(1, 1)
    hand.draw()
    hand.point(1279, 1)
    hand.draw()
    gear = hand.app.root.find("settings")
    assert gear is not None
    area = hand.app.canvas.read_pixels(gear.rect)
    assert len({tuple(pixel) for row in area for pixel in row}) > 4


def show_replay(hand: Hand, moves: int, banded: bool = False) -> None:
    """Play up to ``moves`` moves of Spline, and open the replay of the match.

    The evaluation graph is visible if and only if ``banded`` is true.
    """
    play = hand.start("spline")
    for _ in range(moves):
        if play.controller.moves:
            play.actions.play_move(play.controller.moves[0])
            hand.app.root.close_popups()
    page = ReplayPage(hand.app, play.match, play.entry)
    hand.app.show_page(page)
    assert page.evaluation_graph.is_available or not banded
    page.evaluation_graph.visible = banded
    page.update()


def start_match(hand: Hand, game: str, seats: int = 2) -> MatchPage:
    entry = hand.app.catalogue.get(game)
    hand.app.matches.start(entry, [f"Player {seat + 1}" for seat in range(seats)], entry.size, "", 1)
    return hand.page(MatchPage)


def finish_match(hand: Hand) -> MatchPage:
    play = hand.start("spline")
    while play.controller.moves:
        play.actions.play_move(play.controller.moves[0])
        hand.app.root.close_popups()
    hand.wait(2)
    return play


def show_lesson(hand: Hand, game: str) -> None:
    page = start_match(hand, game)
    hand.app.pages.show_exercise(page.match, page.entry)


def show_problem(hand: Hand) -> ProblemPage:
    name = problems_of_game("spline")[0].name
    hand.app.pages.show_problem(GameCourse(hand.app.results.problems, "spline", name))
    return hand.page(ProblemPage)


ONE_COLUMN: dict[str, Callable[[Hand], object]] = {
    "games": lambda hand: hand.app.pages.show_home(),
    "set-up": lambda hand: hand.key("enter"),
    "kept": lambda hand: hand.app.pages.show_saved_games(),
    "results": lambda hand: hand.app.pages.show_statistics(),
    "problems": lambda hand: hand.app.pages.show_problems(),
    "a match": lambda hand: hand.start("spline"),
    "the end of a match": lambda hand: finish_match(hand),
    "a game for one": lambda hand: hand.start("spuzzle", ("Aiko",)),
    "a match shown again": lambda hand: show_replay(hand, 3),
    "a match shown again, who stood better": lambda hand: show_replay(hand, 40, banded=True),
    "a problem": lambda hand: show_problem(hand),
    "what an answer costs": lambda hand: show_problem(hand).show_solution(),
    "is there a win": lambda hand: hand.app.pages.show_problem(WinnabilityCourse(hand.app.results.problems)),
    "first steps": lambda hand: hand.app.pages.show_tutorial(),
    "a lesson": lambda hand: show_lesson(hand, "spline"),
    "a table of cards": lambda hand: start_match(hand, "arcanoid"),
    "a table of ten seats": lambda hand: start_match(hand, "arcanoid", 10),
    "a table of dice": lambda hand: start_match(hand, "hyena-spiral"),
    "a lesson of another table": lambda hand: show_lesson(hand, "golden-spiral"),
    "an editor of positions": lambda hand: hand.start("spline").edit_position(),
    "settings": lambda hand: hand.app.pages.show_settings(),
    "settings at a table": lambda hand: (hand.start("spline"), hand.app.pages.show_settings()),
    "keys at a table": lambda hand: (hand.start("spline"), hand.app.pages.show_shortcuts()),
    "without sight": lambda hand: (hand.start("spline"), hand.app.pages.show_screen_reader_help()),
    "a notice at a table": lambda hand: (hand.start("spline"), hand.app.show_message("A sentence. " * 20)),
    "saving": lambda hand: hand.start("spline").save_button.on_click(),
    "a curtain": lambda hand: (
        hand.start("spagyric"),
        hand.play.actions.play_move(hand.play.controller.moves[0]),
    ),
}


@pytest.mark.parametrize("width", [1280, pytest.param(1200, marks=THOROUGH)])
@pytest.mark.parametrize("page", some(ONE_COLUMN, 16))
def test_one_column_pages_scroll_only_vertically(hand: Hand, page: str, width: int) -> None:
    """At 300%, pages with one column scroll up and down but never sideways, and no button is covered.

    These pages are as wide as the window.
    """
    hand.app.change_settings(scale=300, motion="off")
    hand.app.resize(width, 720)
    ONE_COLUMN[page](hand)
    hand.draw()
    assert hand.app.scale == 3
    root = hand.app.root
    assert root.window.w == width / 3
    top = root.popups[-1] if root.popups else root.page
    shown = list(top.walk())
    covered = [
        w.name
        for w in shown
        if isinstance(w, Button) and w.rect.w and top.widget_at(w.rect.cx, w.rect.cy) is not w
    ]
    assert covered == []
    assert all(
        w.rect.x >= 0 and w.rect.right <= width / 3 for w in shown if w.rect.w and not isinstance(w, ListView)
    )
    for at in ((1, 1), (width - 1, 1), (width - 1, 719), (1, 719)):
        hand.point(*at)
        hand.draw()
        assert hand.app.page_scroll.offset[0] == 0


def test_side_panel_is_partly_visible_on_large_pages(hand: Hand) -> None:
    hand.app.change_settings(scale=300, motion="off")
    hand.app.resize(*WINDOW)
    play = hand.start("spline")
    assert hand.app.root.size == (1280 / 3, 400)
    play.side_panel.show_rules()
    hand.wait(0.5)
    assert hand.app.root.size == (640, 360)
    assert play.rules_text.visible
    play.side_panel.toggle()
    hand.wait(0.5)
    assert hand.app.root.size == (1280 / 3, 400)


def test_longer_task_makes_the_page_taller_not_the_table_smaller(hand: Hand) -> None:
    hand.app.change_settings(scale=300, motion="off")
    hand.app.resize(*WINDOW)
    page = show_problem(hand)
    hand.draw()
    table, high, asked = (
        page.view.rect,
        hand.app.root.size[1],
        page.instruction_strip.rect.h if page.instruction_strip else 0.0,
    )
    page.show_instruction("A sentence. " * 20)
    hand.draw()
    assert page.instruction_strip is not None
    assert page.instruction_strip.rect.h > asked
    assert hand.app.root.size[1] - high == pytest.approx(page.instruction_strip.rect.h - asked)
    assert page.view.rect.h == pytest.approx(table.h)


def test_choices_of_other_tables_are_below_the_table(hand: Hand) -> None:
    hand.app.change_settings(scale=300, motion="off")
    hand.app.resize(*WINDOW)
    page = start_match(hand, "arcanoid")
    hand.draw()
    before, choices = hand.app.root.size, hand.app.root.find("choices")
    assert page.view.rect.h == pytest.approx(240)
    assert choices is not None
    assert choices.rect.y >= page.view.rect.bottom
    page.side_panel.toggle()
    hand.wait(0.5)
    assert hand.app.root.size == (640, 360)
    page.side_panel.toggle()
    hand.wait(0.5)
    assert hand.app.root.size == before


def test_result_is_below_the_table_in_one_column(hand: Hand) -> None:
    hand.app.change_settings(scale=300, motion="off")
    hand.app.resize(*WINDOW)
    page = finish_match(hand)
    hand.draw()
    shown = page.result_bar
    assert shown.visible
    assert page.view.rect.bottom <= shown.rect.y < shown.rect.bottom <= page.bottom_bar.rect.bottom - 92
