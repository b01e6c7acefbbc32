"""Large text is as large as it was set; of a page that needs more room a part is seen, and every part can be."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from shibumi3d.app.board.match_page import MatchPage
from shibumi3d.app.host.courses import Doubt, OfGame
from shibumi3d.app.host.problems import of_game
from shibumi3d.app.pages.play.problem import ProblemPage
from shibumi3d.app.pages.replay.screen import Replay
from shibumi3d.app.program.lens import Lens
from shibumi3d.app.ui.button import Button
from shibumi3d.app.ui.listing import Listing
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
def test_text_is_as_large_as_it_was_set(
    hand: Hand, size: tuple[int, int], scale: int, page: tuple[int, int]
) -> None:
    hand.start("spline")
    hand.app.change(scale=scale)
    hand.app.resize(*size)
    assert hand.app.scale == scale / 100
    assert hand.app.root.size == page
    needed = [round(side * scale / 100) for side in page]
    assert hand.app.lens.whole == (needed[0] <= size[0] and needed[1] <= size[1])


def test_the_middle_of_the_window_moves_nothing_and_its_edges_bring_in_those_of_the_page() -> None:
    lens = Lens()
    lens.fit((1920.0, 1080.0), WINDOW)
    assert not lens.follow(640, 360, WINDOW)
    assert lens.shift == (0, 0)
    assert lens.follow(1279, 360, WINDOW)
    assert lens.shift == (640, 0)
    assert not lens.follow(640, 360, WINDOW)
    lens.follow(1279, 719, WINDOW)
    assert lens.shift == (640, 360)
    lens.follow(0, 0, WINDOW)
    assert lens.shift == (0, 0)


def test_what_is_in_sight_is_left_where_it_is_and_what_is_not_is_brought_in() -> None:
    lens = Lens()
    lens.fit((1920.0, 1080.0), WINDOW)
    assert not lens.reveal(Rect(10, 10, 50, 20), WINDOW, 3.0)
    assert lens.reveal(Rect(560, 10, 60, 20), WINDOW, 3.0)
    assert lens.shift == (3 * (620 + 8) - 1280, 0)
    lens.fit((1280.0, 720.0), WINDOW)
    assert lens.shift == (0, 0)
    assert lens.whole


def test_bars_tell_which_part_is_seen() -> None:
    lens = Lens()
    assert lens.bars(WINDOW, 9.0) == []
    lens.fit((1920.0, 720.0), WINDOW)
    lens.follow(1279, 360, WINDOW)
    (bar,) = lens.bars(WINDOW, 9.0)
    assert bar.right == pytest.approx(1280)
    assert bar.w == pytest.approx(1280 * 2 / 3)


@pytest.mark.parametrize("game", ["spline", ""])
def test_every_button_can_be_reached_with_the_pointer_and_by_keys(hand: Hand, game: str) -> None:
    if game:
        hand.start(game)
    hand.app.change(scale=300)
    hand.app.resize(*WINDOW)

    def seen(button: Button) -> bool:
        x, y = hand.app.pixels(button.rect.cx, button.rect.cy)
        return 0 <= x < WINDOW[0] and 0 <= y < WINDOW[1]

    buttons = [w for w in hand.app.root.page.walk() if isinstance(w, Button) and w.rect.w]
    met: set[Button] = set()
    for at in ((1, 1), (1279, 1), (1279, 719), (1, 719)):
        hand.point(*at)
        met |= {button for button in buttons if seen(button)}
    assert met == set(buttons)
    button = next(b for b in buttons if b.name == "settings")
    hand.point(1, 719)
    assert not seen(button)
    hand.app.root.by_keys, hand.app.root.focus, hand.app.root.dirty = True, button, True
    hand.pass_over()
    assert seen(button)
    hand.push("settings")
    assert hand.app.root.floats


def test_what_was_painted_once_is_seen_in_every_part_of_the_page(hand: Hand) -> None:
    """Widgets that stay as they were painted are not cut by the window that was then."""
    hand.start("spline")
    hand.app.change(scale=300, motion="off")
    hand.app.resize(*WINDOW)
    hand.wait(1)
    hand.point(1, 1)
    hand.draw()
    hand.point(1279, 1)
    hand.draw()
    gear = hand.app.root.find("settings")
    assert gear is not None
    area = hand.app.canvas.read(gear.rect)
    assert len({tuple(pixel) for row in area for pixel in row}) > 4


def shown_again(hand: Hand, moves: int, banded: bool = False) -> None:
    """Shows the first moves of a match again, more than it has end it; under them who stood better."""
    play = hand.start("spline")
    for _ in range(moves):
        if play.control.moves:
            play.doing.play_move(play.control.moves[0])
            hand.app.root.close_all()
    page = Replay(hand.app, play.match, play.entry)
    hand.app.show(page)
    assert page.band.possible or not banded
    page.band.visible = banded
    page.update()


def played(hand: Hand, game: str, seats: int = 2) -> MatchPage:
    """Begins a match at a table of any kind."""
    entry = hand.app.catalogue.get(game)
    hand.app.matches.start(entry, [f"Player {seat + 1}" for seat in range(seats)], entry.size, "", 1)
    page = hand.app.screen
    assert isinstance(page, MatchPage)
    return page


def ended(hand: Hand) -> MatchPage:
    """Plays a match with marbles to its end."""
    play = hand.start("spline")
    while play.control.moves:
        play.doing.play_move(play.control.moves[0])
        hand.app.root.close_all()
    hand.wait(2)
    return play


def taught(hand: Hand, game: str) -> None:
    """Shows the lesson of a game."""
    page = played(hand, game)
    hand.app.pages.lesson(page.match, page.entry)


def posed(hand: Hand) -> ProblemPage:
    """Shows the first problem of a game."""
    name = of_game("spline")[0].name
    hand.app.pages.problem(OfGame(hand.app.results.problems, "spline", name))
    page = hand.app.screen
    assert isinstance(page, ProblemPage)
    return page


ONE_COLUMN: dict[str, Callable[[Hand], object]] = {
    "games": lambda hand: hand.app.pages.home(),
    "set-up": lambda hand: hand.key("enter"),
    "kept": lambda hand: hand.app.pages.kept(),
    "results": lambda hand: hand.app.pages.results(),
    "problems": lambda hand: hand.app.pages.problems(),
    "a match": lambda hand: hand.start("spline"),
    "the end of a match": lambda hand: ended(hand),
    "a game for one": lambda hand: hand.start("spuzzle", ("Aiko",)),
    "a match shown again": lambda hand: shown_again(hand, 3),
    "a match shown again, who stood better": lambda hand: shown_again(hand, 40, banded=True),
    "a problem": lambda hand: posed(hand),
    "what an answer costs": lambda hand: posed(hand).show(),
    "is there a win": lambda hand: hand.app.pages.problem(Doubt(hand.app.results.problems)),
    "first steps": lambda hand: hand.app.pages.guide(),
    "a lesson": lambda hand: taught(hand, "spline"),
    "a table of cards": lambda hand: played(hand, "arcanoid"),
    "a table of ten seats": lambda hand: played(hand, "arcanoid", 10),
    "a table of dice": lambda hand: played(hand, "hyena-spiral"),
    "a lesson of another table": lambda hand: taught(hand, "golden-spiral"),
    "an editor of positions": lambda hand: hand.start("spline").lay_out(),
    "settings": lambda hand: hand.app.pages.settings(),
    "settings at a table": lambda hand: (hand.start("spline"), hand.app.pages.settings()),
    "keys at a table": lambda hand: (hand.start("spline"), hand.app.pages.keys()),
    "without sight": lambda hand: (hand.start("spline"), hand.app.pages.without_sight()),
    "a notice at a table": lambda hand: (hand.start("spline"), hand.app.tell("A sentence. " * 20)),
    "saving": lambda hand: hand.start("spline").save.action(),
    "a curtain": lambda hand: (hand.start("spagyric"), hand.play.doing.play_move(hand.play.control.moves[0])),
}


@pytest.mark.parametrize("width", [1280, pytest.param(1200, marks=THOROUGH)])
@pytest.mark.parametrize("page", some(ONE_COLUMN, 16))
def test_words_and_controls_are_read_in_one_column(hand: Hand, page: str, width: int) -> None:
    """A page of words is as wide as the window: it goes up and down, never sideways."""
    hand.app.change(scale=300, motion="off")
    hand.app.resize(width, 720)
    ONE_COLUMN[page](hand)
    hand.draw()
    assert hand.app.scale == 3
    root = hand.app.root
    assert root.window.w == width / 3
    top = root.floats[-1] if root.floats else root.page
    shown = list(top.walk())
    covered = [
        w.name for w in shown if isinstance(w, Button) and w.rect.w and top.at(w.rect.cx, w.rect.cy) is not w
    ]
    assert covered == []
    assert all(
        w.rect.x >= 0 and w.rect.right <= width / 3 for w in shown if w.rect.w and not isinstance(w, Listing)
    )
    for at in ((1, 1), (width - 1, 1), (width - 1, 719), (1, 719)):
        hand.point(*at)
        hand.draw()
        assert hand.app.lens.shift[0] == 0


def test_moves_and_rules_beside_the_table_are_seen_in_part(hand: Hand) -> None:
    hand.app.change(scale=300, motion="off")
    hand.app.resize(*WINDOW)
    play = hand.start("spline")
    assert hand.app.root.size == (1280 / 3, 400)
    play.folding.show_rules()
    hand.wait(0.5)
    assert hand.app.root.size == (640, 360)
    assert play.rules.visible
    play.folding.toggle()
    hand.wait(0.5)
    assert hand.app.root.size == (1280 / 3, 400)


def test_a_longer_task_makes_the_page_higher_and_leaves_the_table_as_large(hand: Hand) -> None:
    hand.app.change(scale=300, motion="off")
    hand.app.resize(*WINDOW)
    page = posed(hand)
    hand.draw()
    table, high, asked = page.view.rect, hand.app.root.size[1], page.coach.rect.h if page.coach else 0.0
    page.tell("A sentence. " * 20)
    hand.draw()
    assert page.coach is not None
    assert page.coach.rect.h > asked
    assert hand.app.root.size[1] - high == pytest.approx(page.coach.rect.h - asked)
    assert page.view.rect.h == pytest.approx(table.h)


def test_the_choices_of_other_tables_stand_below_them_and_make_way_for_moves_and_rules(hand: Hand) -> None:
    hand.app.change(scale=300, motion="off")
    hand.app.resize(*WINDOW)
    page = played(hand, "arcanoid")
    hand.draw()
    before, choices = hand.app.root.size, hand.app.root.find("choices")
    assert page.view.rect.h == pytest.approx(240)
    assert choices is not None
    assert choices.rect.y >= page.view.rect.bottom
    page.folding.toggle()
    hand.wait(0.5)
    assert hand.app.root.size == (640, 360)
    page.folding.toggle()
    hand.wait(0.5)
    assert hand.app.root.size == before


def test_in_one_column_how_it_ended_stands_below_the_table(hand: Hand) -> None:
    hand.app.change(scale=300, motion="off")
    hand.app.resize(*WINDOW)
    page = ended(hand)
    hand.draw()
    shown = page.result_bar
    assert shown.visible
    assert page.view.rect.bottom <= shown.rect.y < shown.rect.bottom <= page.bar.rect.bottom - 92
