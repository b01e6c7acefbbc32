"""Choices of every kind, the setup of solo games, the flat plan, camera views and external files."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path
from time import process_time
from typing import TYPE_CHECKING, Any

import pytest

from shibumi3d import files
from shibumi3d.app.host.settings_card import SettingsCard
from shibumi3d.app.match.dialogs import TypeMoveCard
from shibumi3d.app.match.marble_view.choices import NumberStepper, ShapeButton
from shibumi3d.app.match.marble_view.controller import Controller, Spot
from shibumi3d.app.pages.home.page import HomePage
from shibumi3d.app.ui.choice import Choice
from shibumi3d.app.ui.dropdown import Dropdown
from shibumi3d.app.ui.widget import Key
from shibumi3d.catalogue import catalogue
from shibumi3d.rules.marbles.colours import COLOURS
from shibumi3d.rules.wording import capitalize_first
from shibumi3d.scene.frame import MarkKind
from shibumi3d.search.solver import SolveResult
from shibumi3d.search.worker import Answer
from tests.marble_games import marble_games
from tests.yardstick import in_time

if TYPE_CHECKING:
    from tests.app.hand import Hand


def choose_game(hand: Hand, game: str) -> HomePage:
    home = hand.page(HomePage)
    home.search_field.set_value("")
    home.game_grid.select_row([entry.id for entry in home.games_found].index(game))
    hand.draw()
    return home


def test_shape_is_placed_as_previewed_and_turns_on_screen(hand: Hand) -> None:
    from pyglet.window import key as pyglet_key

    play = hand.start("spetris")
    assert play.status_line.sentence() == "Aiko to move – choose a shape"
    cards = [child for child in play.choice_panel.children if isinstance(child, ShapeButton)]
    assert [len(card.positions) for card in cards] == [2, 3, 3]
    hand.push("answer 0")
    x, y = hand.spot("Ab2")
    hand.point(x, y)
    hand.wait(0.3)
    ghosts = [ball for ball in play.sign_layer.make_frame(hand.now, 1.7).balls if 0 < ball.alpha < 1]
    assert len(ghosts) == 2
    # Both have the colour of the player to move, and nothing glows.
    assert {ball.colour for ball in ghosts} == set(play.match.state.owned_colours(0))
    assert not [
        mark for mark in play.sign_layer.make_frame(hand.now, 1.7).marks if mark.kind is MarkKind.HALO
    ]
    first = play.message_line.current_message()[0]
    hand.key(";")
    assert play.message_line.current_message()[0] != first
    hand.native.dispatch_event("on_key_press", pyglet_key.LCTRL, 0)
    hand.native.dispatch_event("on_mouse_scroll", x, 720 - y, 0, -1)
    hand.native.dispatch_event("on_key_release", pyglet_key.LCTRL, pyglet_key.MOD_CTRL)
    assert play.message_line.current_message()[0] == first
    shown = play.controller.shapes.placing_move(play.pointer.active_spot)
    hand.push("turn shape")
    hand.point(x, y)
    turned = play.controller.shapes.placing_move(play.pointer.active_spot)
    assert turned is not None
    assert turned != shown
    hand.choose("Ab2")
    assert hand.moves == ["0", turned.text]


def test_enter_places_a_rotated_shape(hand: Hand) -> None:
    play = hand.start("spetris")
    hand.push("answer 0")
    hand.point(*hand.spot("Ab2"))
    hand.key(";")
    spot = play.pointer.active_spot
    assert spot is not None
    preview = play.controller.preview_click(spot)
    assert preview is not None
    hand.key("enter")
    assert hand.moves[-1] == preview.move.text


def test_options_that_do_not_fit_on_one_row_are_divided_evenly() -> None:
    """Seven options would also fit as rows of six and one, but rows of four and three are narrower."""
    choice = Choice(["option"] * 7, 0, lambda index: None)
    choice._text_widths = [50.0] * 7
    space = 50.0 + 2 * choice.option_padding_px
    assert [len(row) for row in choice.wrap_options(7 * space)] == [7]
    assert [len(row) for row in choice.wrap_options(6 * space)] == [4, 3]
    assert [len(row) for row in choice.wrap_options(3 * space)] == [3, 3, 1]
    assert [len(row) for row in choice.wrap_options(10)] == [1] * 7
    choice._text_widths = [50.0, 50.0, 300.0]
    assert [len(row) for row in choice.wrap_options(300)] == [2, 1]


def test_many_numbers_are_offered_on_a_slider(hand: Hand) -> None:
    entry = catalogue.load_catalogue().get("splink")
    hand.app.matches.start(entry, ["Aiko", "Ben"], 4, "auction", 1)
    hand.draw()
    assert hand.play.status_line.sentence().endswith(" · phase 1 of 2")
    hand.push("answer bid")
    slip = hand.found("slip", NumberStepper)
    assert slip.confirm_button.label == "Bid"
    hand.push("more")
    assert slip.number_field.value == "2"
    slip.on_scroll(0, 0, dx=1, dy=0, key=Key("scroll"))
    assert slip.number_field.value == "2", "scrolling sideways doesn't change the number"
    slip.number_field.set_value("999")
    assert not slip.confirm_button.enabled
    slip.number_field.set_value("12")
    hand.push("take number")
    assert hand.moves == ["bid", "12"]


def test_timeline_handle_goes_back_within_the_turn(hand: Hand) -> None:
    play = hand.start("spair")
    hand.choose("left.Aa1")
    assert hand.moves == ["W@left.Aa1"]
    assert play.step_indicator.done_count == 1
    hand.click(*hand.app.to_window_pixels(play.step_indicator.rect.x + 7, play.step_indicator.rect.cy))
    assert hand.moves == []
    assert play.marble_scene.marbles == {}


def test_single_legal_choice_is_made_automatically() -> None:
    import shibumi3d
    from shibumi3d.match.match import Match

    control = Controller(Match(shibumi3d.game("spline"), ["Aiko", "Ben"], 1))
    assert control.history.forced_move() is None
    for entry in marble_games():
        control = Controller(Match(entry.game(), [str(n) for n in range(entry.players[0])], 3))
        for _ in range(12):
            if not control.moves:
                break
            move = control.history.forced_move()
            if move is not None:
                seat = control.state.to_move
                control.play(move)
                assert control.state.to_move == seat
                assert control.state.step
            else:
                control.play(control.moves[0])


def test_chosen_hand_that_cannot_win_is_reported(hand: Hand) -> None:
    home = choose_game(hand, "spin")
    assert home.start_panel.setup.warning() == ""
    for _ in range(2):
        hand.push("more red")
    hand.push("more black")
    assert home.start_panel.setup.deal() == {"hand": "WWWWBBBBBRRRRRR"}
    assert home.start_panel.setup.warning() == "You can't win with these marbles."
    variant = hand.found("variant", Choice)
    variant.select(1)
    assert home.start_panel.setup.hand_counts == (2, 2, 2)
    hand.push("fewer white")
    hand.push("play")
    assert hand.play.match.deal == {"hand": "WBBRR"}
    assert hand.play.match.game.variant == "very easy"


def test_score_is_shown_with_the_best_score(hand: Hand) -> None:
    play = hand.start("spuzzle", ("Aiko",))
    hand.choose("Aa1")
    assert play.seat_cards[0].score() == "1 of 27"


def test_drawn_marble_is_shown_in_the_dish(hand: Hand) -> None:
    play = hand.start("spalone", ("Aiko",))
    held = play.match.state.reserves["hand"][0]
    assert held[COLOURS[play.table_contents(play.animation_time()).dish_colour or 0]] == 1
    assert not play.tray.visible


class Oracle:
    """Stand-in for the solver: it answers each request at once with ``value``.

    ``asked`` lists the requests as pairs (name, arguments).
    """

    def __init__(self) -> None:
        self.asked: list[tuple[str, tuple[Any, ...]]] = []
        self.value: Any = None

    def submit(self, then: Any, name: str, *args: Any, delay_seconds: float = 0.0, **options: Any) -> None:
        self.asked.append((name, args))
        then(Answer(self.value))

    def cancel(self) -> None:
        pass


LOST = ("This position can no longer be won.", False)


def test_lost_solo_position_is_reported_only_if_enabled(hand: Hand, monkeypatch: pytest.MonkeyPatch) -> None:
    oracle = Oracle()
    oracle.value = SolveResult(False)
    monkeypatch.setattr(hand.app, "solver", oracle)
    play = hand.start("spin", ("Aiko",))
    hand.wait(1)
    assert oracle.asked == []
    assert play.message_line.current_message() != LOST
    hand.app.pages.show_settings()
    hand.floating(SettingsCard).tabs.select(3)
    hand.found("verdicts", Choice).select(1)
    hand.key("escape")
    hand.wait(0.2)
    assert oracle.asked[-1][0] == "solve"
    assert play.message_line.current_message() == LOST
    hand.start("spline")
    hand.wait(0.2)
    assert len(oracle.asked) == 1


def test_looking_back_after_a_loss_shows_when_it_was_lost(
    hand: Hand, monkeypatch: pytest.MonkeyPatch
) -> None:
    oracle = Oracle()
    oracle.value = SolveResult(False)
    monkeypatch.setattr(hand.app, "solver", oracle)
    play = hand.start("spin", ("Aiko",))
    while play.match.state.to_move is not None:
        play.actions.play_move(play.controller.moves[0])
    hand.wait(3)
    assert oracle.asked == []
    hand.key(",")
    hand.wait(0.2)
    assert not play.model.is_live
    assert oracle.asked[-1][1][1] is play.state
    assert play.message_line.current_message() == LOST


def test_new_deal_is_searched_for_a_winnable_one(hand: Hand, monkeypatch: pytest.MonkeyPatch) -> None:
    oracle = Oracle()
    oracle.value = 77
    monkeypatch.setattr(hand.app, "solver", oracle)
    home = choose_game(hand, "spalone")
    hand.found("deals", Choice).select(1)
    home.start_panel.seed_field.set_value("5")
    hand.push("play")
    assert oracle.asked[0][0] == "find_winnable_seed"
    assert oracle.asked[0][1][1] == 5
    assert hand.play.match.seed == 77


def test_solver_does_not_block_the_window(hand: Hand) -> None:
    hand.app.change_settings(motion="off")
    hand.app.change_settings(verdicts=True)
    entry = catalogue.load_catalogue().get("spin")
    hand.app.matches.start(entry, ["Aiko"], 4, "", 1, {"hand": "WWB"})
    end = time.monotonic() + 300  # far more than it takes, even on a busy machine
    while not hand.play.background_tasks.is_lost and time.monotonic() < end:
        time.sleep(0.05)
        hand.wait(0.3)
    assert hand.play.background_tasks.is_lost
    hand.app.solver.close()
    hand.app.change_settings(motion="normal")


def test_whole_match_can_be_played_in_the_plan_view(hand: Hand) -> None:
    play = hand.start("spline-plus")
    hand.key("f2")
    hand.draw()
    assert not play.view.visible
    index = play.match.state.pyramid.point_by_name
    for name in ("Ab2", "Ac2", "Ab3", "Ac3", "Bb2", "Ad4", "Ab2", "Aa1"):
        x, y = play.flat_view.spot_position(Spot(0, index[name]))
        assert play.flat_view.rect.contains(x, y)
        hand.click(*hand.app.to_window_pixels(x, y))
        hand.wait(1)
    assert hand.moves[-2:] == ["^Ab2", ">Aa1"]
    hand.key("f2")
    assert play.view.visible


@pytest.mark.parametrize("size", [5, 6, 8])
def test_large_boards_can_be_played(hand: Hand, size: int) -> None:
    play = hand.start("spline", size=size)
    for x, y in play.point_pixels().values():
        assert play.view.rect.contains(x, y)
    hand.choose("Aa1", "Ab2")
    assert hand.moves == ["W@Aa1", "B@Ab2"]
    assert len(play.level_strip.levels) == (5 if size == 5 else 3)
    if size > 5:
        assert list(play.level_strip.levels) == [0, 1, 2]
        letter = play.level_strip._selector_rect(size - 1)
        hand.click(*hand.app.to_window_pixels(letter.cx, letter.cy))
        assert list(play.level_strip.levels) == [size - 3, size - 2, size - 1]
        play.pointer.set_cursor(Spot(0, 2))
        assert 0 in play.level_strip.levels


def test_two_boards_fit_beside_tray_and_plans(hand: Hand) -> None:
    play = hand.start("spair")
    for name, (x, y) in play.point_pixels().items():
        if not name.startswith("left."):
            # The camera moves to the left board only when that is in use.
            continue
        assert play.view.rect.contains(x, y), name
        if name.split(".")[1].startswith("A"):
            assert not play.level_strip.rect.contains(x, y), name


def test_levels_separate_while_the_key_is_held(hand: Hand) -> None:
    from pyglet.window import key

    play = hand.start("spline")
    camera = play.view.camera
    hand.key("x", held=True)
    hand.wait(1)
    assert play.exploded_layout is not None
    assert play.exploded_layout.is_complete
    hand.choose("Ab2")
    assert hand.moves == ["W@Ab2"]
    hand.native.dispatch_event("on_key_release", key.X, 0)
    hand.wait(1)
    assert play.exploded_layout is None
    assert play.view.camera == camera
    hand.key("x", held=True)
    hand.wait(0.1)
    hand.native.dispatch_event("on_key_release", key.X, 0)
    hand.wait(1)
    assert play.view.camera == camera, "let go on the way, too"
    play.view.animate_to(replace(camera, zoom=1.7))
    hand.wait(1)
    far = play.view.camera
    hand.key("x", held=True)
    hand.wait(1)
    hand.native.dispatch_event("on_key_release", key.X, 0)
    hand.wait(1)
    assert play.view.camera == far, "farther than the eye can go"


def test_zen_mode_hides_everything_but_the_board(hand: Hand) -> None:
    play = hand.start("spline")
    hand.key("z")
    assert not play.seat_cards[0].visible
    assert not play.side_panel_background.visible
    assert not any(bar.visible for bar in (play.top_bar, play.bottom_bar, play.toolbar))
    assert play.view.rect == play.rect, "the table has the whole window"
    assert play.undo_button.visible
    assert not any(button.visible for button in (play.redo_button, play.advice.hint_button))
    assert play.status_line.visible, "whose turn it is"
    hand.choose("Ab2")
    assert hand.moves == ["W@Ab2"]
    hand.key("escape")
    assert play.seat_cards[0].visible
    assert play.top_bar.visible
    assert play.bottom_bar.visible
    assert play.advice.hint_button.visible


def test_marble_can_be_dragged(hand: Hand) -> None:
    hand.start("spline-plus")
    hand.choose("Ab2", "Ad4")
    hand.drag(hand.spot("Ab2"), hand.spot("Ac2"))
    hand.wait(1)
    assert hand.moves[-2:] == ["^Ab2", ">Ac2"]
    hand.key("ctrl+z")
    hand.wait(1)
    hand.drag(hand.spot("Ab2"), (900, 600))
    hand.wait(1)
    assert hand.moves == ["W@Ab2", "B@Ad4"]


def test_move_can_be_typed(hand: Hand) -> None:
    hand.start("spline")
    hand.key("/")
    hand.type("ab2")
    assert [move.text for move in hand.floating(TypeMoveCard).matching_moves] == ["W@Ab2"]
    hand.key("enter")
    assert hand.moves == ["W@Ab2"]


def test_typed_point_on_a_higher_level_needs_no_colour(hand: Hand) -> None:
    hand.start("spline")
    hand.choose("Aa1", "Ab1", "Aa2", "Ab2")
    hand.key("/")
    hand.type("Ba1")
    assert [move.text for move in hand.floating(TypeMoveCard).matching_moves] == ["W@Ba1"]
    hand.key("enter")
    assert hand.moves[-1] == "W@Ba1"


def test_typed_point_can_be_a_prefix_of_another_name(hand: Hand) -> None:
    hand.start("spline", size=10)
    hand.key("/")
    hand.type("aa1")
    assert [move.text for move in hand.floating(TypeMoveCard).matching_moves] == ["W@Aa1", "W@Aa10"]
    hand.key("enter")
    assert hand.moves == ["W@Aa1"]


def test_typed_point_playable_in_two_colours_is_ambiguous(hand: Hand) -> None:
    hand.start("spire")
    hand.key("/")
    hand.type("aa1")
    hand.key("enter")
    assert hand.moves == []
    assert hand.floating(TypeMoveCard).feedback() == ("W@Aa1  R@Aa1", True)


@pytest.mark.parametrize("language", ["en", "fr"])
def test_illegal_typed_point_is_explained_like_a_click(hand: Hand, language: str) -> None:
    hand.app.change_settings(language=language)
    play = hand.start("spline")
    hand.choose("Aa1", "Ab2")
    asked = capitalize_first(play.controller.prompt())
    for point, spellings in {
        "Aa1": ("aa1", "W@Aa1", "xAa1"),
        "Ba1": ("Ba1", "b@ba1", "W>Ba1/west"),
        "": ("zz", "Ad4x", "B@Ad4", "Az9"),
    }.items():
        reason = ""
        if point:
            play.pointer.on_spot_click(Spot(0, play.state.pyramid.point_by_name[point]))
            reason = play.actions.message
            assert point in reason
        for typed in spellings:
            hand.key("/")
            hand.type(typed)
            hand.key("enter")
            card = hand.floating(TypeMoveCard)
            text = typed.casefold()
            unknown = {
                "en": f"No move starts with “{text}”. {asked}.",
                "fr": f"Aucun coup ne commence par « {text} ». {asked}.",
            }
            assert card.feedback() == (reason or unknown[language], False)
            hand.key("escape")
    assert hand.moves == ["W@Aa1", "B@Ab2"]


def test_typed_point_of_another_board_is_answered_by_name(hand: Hand) -> None:
    play = hand.start("spair")
    hand.choose("left.Aa1")
    for typed, board in (("right.Ba1", 1), ("left.aa1", 0), ("w@left.aa1", 0)):
        hand.key("/")
        hand.type(typed)
        spot = Spot(board, play.state.pyramid.point_by_name["Ba1" if board else "Aa1"])
        assert hand.floating(TypeMoveCard).feedback() == (play.controller.explain_illegal(spot), False)
        hand.key("escape")


def test_moves_are_copied_to_the_clipboard(hand: Hand, monkeypatch: pytest.MonkeyPatch) -> None:
    copied: list[str] = []
    monkeypatch.setattr(hand.app.services, "write_clipboard", copied.append)
    hand.start("spline")
    hand.choose("Ab2")
    hand.key("ctrl+c")
    assert "W@Ab2" in copied[0]


def test_suggested_camera_angle_hides_no_more_marbles(hand: Hand) -> None:
    play = hand.start("spectacular-tumble")
    button, before = play.hidden_targets_button, play.view.camera
    hidden = sum(button.find_hidden(before))
    assert hidden
    hand.key("v")
    hand.wait(1)
    assert play.view.camera != before
    assert sum(button.find_hidden(play.view.camera)) <= hidden
    hand.key("c")
    assert hand.app.settings.coordinates


def test_random_game_respects_the_filters(hand: Hand) -> None:
    home = hand.page(HomePage)
    hand.found("for players", Dropdown).select(1)
    assert home.games_found
    assert all(entry.players[0] == 1 for entry in home.games_found)
    hand.found("length", Dropdown).select(1)
    assert all(entry.minutes <= 10 for entry in home.games_found)
    hand.key("ctrl+f")
    assert home.selected_game is not None
    assert hand.app.settings.favourites == (home.selected_game.id,)
    home._choose_group(home.groups.index("favourites"))
    assert home.games_found == [home.selected_game]
    hand.push("random")
    assert hand.app.current_page is not home


def test_own_games_are_listed_with_their_errors(hand: Hand, tmp_path: Path) -> None:
    user_games = tmp_path / "games"
    user_games.mkdir()
    (user_games / "mine.yaml").write_text("extends: spline\ntitle: Mine\n")
    (user_games / "bad.yaml").write_text("title: Bad\nplayers: 2\ntrun: [place: own]\n")
    before = hand.app.catalogue
    try:
        hand.app.catalogue = before.with_user_games(user_games)
        hand.app.change_settings(seats={"mine": ("person", "person")})
        hand.app.pages.show_home()
        home = hand.page(HomePage)
        home._choose_group(home.groups.index("own"))
        assert [entry.title for entry in home.games_found] == ["Mine"]
        home.game_grid.select_row(1)
        assert "unknown key: 'trun'," in home.start_panel.rules_text.markup
        home.game_grid.select_row(0)
        hand.push("play")
        hand.choose("Aa1", "Ab2")
        (user_games / "mine.yaml").write_text("extends: spline\ntitle: Mine Again\n")
        hand.wait(2)
        assert hand.play.entry.title == "Mine Again"
        assert hand.moves == ["W@Aa1", "B@Ab2"]
        (user_games / "mine.yaml").write_text("extends: spline\ntitle: Mine Again\ntrun: 3\n")
        hand.wait(2)
        assert hand.play.actions.message.endswith("The old rules are still in use.")
        (user_games / "mine.yaml").write_text("extends: spline\ntitle: Mine Again\ntrun: 3\nplyers: 2\n")
        hand.wait(2)
        assert hand.play.actions.message == (
            "Line 3 of the file: unknown key: 'trun', did you mean 'turn'? There is 1 more error. "
            "The old rules are still in use."
        )
        hand.choose("Ad4")
        assert len(hand.moves) == 3
    finally:
        hand.app.catalogue = before


def test_record_can_be_opened_by_path(hand: Hand, tmp_path: Path) -> None:
    hand.start("spline")
    hand.choose("Ab2")
    path = tmp_path / "game.yaml"
    hand.play.match.record().save(path)
    hand.key("ctrl+o")
    hand.push("path")
    hand.type(str(path))
    hand.key("enter")
    assert hand.moves == ["W@Ab2"]


def test_click_on_the_board_says_that_a_colour_is_needed_first(hand: Hand) -> None:
    play = hand.start("spree")
    assert play.status_line.sentence().startswith("Aiko to move – choose a colour")
    hand.click(*hand.spot("Ab2"))
    assert play.actions.message == "Choose a colour first."


def test_move_list_names_the_points_of_a_shape(hand: Hand) -> None:
    play = hand.start("spetris")
    hand.push("answer 1")
    hand.choose("Ab2")
    ((colour, points),) = play.move_list._move_parts(play.match.plies[:2], play.names)
    assert colour == 0
    assert points.replace(" and ", "+").replace(", ", "+") == hand.moves[1]


CHAIN = """\
title: Chain
category: mixed
complexity: 1
minutes: 5
players: 2
sizes: [3]
summary: {en: A chain., fr: Une suite.}
rules: {en: A chain., fr: Une suite.}
vars: {n: 0}
turn:
  - {place: own}
  - repeat: [{pick: Aa1}, {let: {n: n + 1}}]
    times: 1500
  - {place: own}
end: [{when: not empty, win: me}]
"""


def test_long_chain_of_automatic_choices_is_played_and_saved_at_once(
    hand: Hand, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Regression test: each of the 1,500 automatic moves was drawn and saved separately.

    This took a minute and ended with the error "rules without end".
    """
    path = tmp_path / "chain.yaml"
    path.write_text(CHAIN)
    saved: list[Path] = []
    write = files.write

    def counted(file: Path, *rest: Any, **more: Any) -> None:
        saved.append(file)
        write(file, *rest, **more)

    monkeypatch.setattr(files, "write", counted)
    hand.app.matches.start(catalogue.load_catalogue().open(path), ["Aiko", "Ben"], 3, "", 1)
    hand.draw()
    play = hand.play
    saved.clear()
    started_at = process_time()
    hand.click(*hand.spot("Aa1"))
    # The window responds again within the time limit of one choice, and then continues by itself.
    assert in_time(process_time() - started_at, 5)
    assert 100 < len(hand.moves) <= 1501
    rounds = 1
    while len(hand.moves) < 1501:
        hand.wait(0.2)
        rounds += 1
        assert rounds < 40
    assert play.match.state.step == 1501
    assert {move.kind for move in play.controller.moves} == {"place"}
    assert len(saved) <= 2 * rounds + 1
    # Undo needs only a few steps, too.
    saved.clear()
    for number in range(20):
        if hand.moves:
            hand.key("ctrl+z")
            assert len(saved) <= 2 * number + 2
    assert hand.moves == []
