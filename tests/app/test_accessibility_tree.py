"""The accessibility tree, without a display: every control has a unique name, and nothing invisible is included."""

from __future__ import annotations

from collections import Counter
from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest

from shibumi3d.app.match.privacy_screen import PrivacyScreen
from shibumi3d.app.pages.home.page import HomePage
from shibumi3d.app.platform.screen_reader import ScreenReader
from shibumi3d.app.ui.accessibility import (
    AccessibilityTree,
    AccessibleNode,
    EditableText,
    TextRecorder,
    TreeBuilder,
)
from shibumi3d.app.ui.choice import Tabs
from shibumi3d.match.match import Match
from shibumi3d.rules.search_protocols import MoveEvaluation
from tests.app.test_hidden_information import look, make_move_with_pointer
from tests.app.test_hints_and_analysis import Adviser, make_answer

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.app.hand import Hand


def current_tree(hand: Hand) -> AccessibleNode:
    screen = hand.app.current_page
    reading = TreeBuilder(hand.app.root, hand.app.canvas)
    return reading.build(
        screen.page_name, screen.announcement(), screen.board_elements(), screen.board_widget
    ).root


def naming_faults(window: AccessibleNode) -> list[str]:
    found = [node.format_tree() for node in window.walk() if node.actions and not node.name.strip()]
    for parent in window.walk():
        names = Counter((node.role, node.name) for node in parent.children if node.actions)
        found += [f"{name} {count} times" for name, count in names.items() if count > 1]
    return found


def test_every_control_has_a_unique_name(hand: Hand) -> None:
    pages = hand.app.pages
    hand.draw()
    assert naming_faults(current_tree(hand)) == []
    for number in range(5):
        pages.show_settings()
        hand.found("pages of settings", Tabs).select(number)
        hand.draw()
        assert naming_faults(current_tree(hand)) == [], f"settings {number}"
        hand.app.root.close_popups()
    for show in (
        pages.show_saved_games,
        pages.show_statistics,
        pages.show_problems,
        pages.show_game_designer,
    ):
        show()
        hand.draw()
        assert naming_faults(current_tree(hand)) == [], show.__name__
        hand.app.root.close_popups()


def test_decorative_symbols_and_markup_are_not_exposed(hand: Hand) -> None:
    """Names contain neither the kanji of groups and games nor the asterisks of the markup in the rules."""
    hand.draw()
    nodes = list(current_tree(hand).walk())
    assert any(node.name.startswith("Alignment. ") for node in nodes)
    assert any(node.name.startswith("Spline. ") for node in nodes)
    rules = next(node for node in nodes if node.role == "text" and node.name.startswith("Goal\n"))
    assert "*" not in rules.name
    assert not any(sign in node.format_tree() for node in nodes for sign in "石並終")


@pytest.mark.parametrize("name", ["spline", "speedo", "arcanoid", "golden-spiral", "hyena-spiral"])
def test_match_controls_have_unique_names(hand: Hand, name: str) -> None:
    entry = hand.app.catalogue.get(name)
    hand.app.matches.start(entry, ["Ann", "Ben", "Cem"][: entry.game().facts(None).players[0]], 0, "", 1)
    hand.app.root.close_popups()
    hand.draw()
    window = current_tree(hand)
    assert naming_faults(window) == []
    assert any(node.role in ("thing", "row") and "press" in node.actions for node in window.walk())


def test_points_expose_their_content_and_click_action(hand: Hand) -> None:
    play = hand.start("spline")
    screen = hand.app.current_page
    reading = TreeBuilder(hand.app.root, hand.app.canvas)

    def table_nodes() -> dict[str, AccessibleNode]:
        tree = reading.build("", "", screen.board_elements(), screen.board_widget)
        acts.update(tree.actions)
        return {node.name.partition(",")[0]: node for node in tree.root.walk() if node.role == "thing"}

    acts: dict[tuple[int, str], object] = {}
    before = table_nodes()
    assert len(before) == 16
    assert before["Ab2"].name == "Ab2, empty, ends the turn"
    press = acts[before["Ab2"].key, "press"]
    assert callable(press)
    press()
    hand.wait(1)
    assert [ply.move for ply in play.match.plies] == ["W@Ab2"]
    after = table_nodes()
    assert after["Ab2"].name == "Ab2, white"
    assert after["Ab2"].key == before["Ab2"].key
    assert "press" not in after["Ab2"].actions


def test_colours_beside_the_boards_can_be_chosen(hand: Hand) -> None:
    """In Splice, players place their own colour or red, so White chooses between white and red."""
    play = hand.start("splice")

    def colours() -> dict[str, Callable[..., object]]:
        tree = ScreenReader(hand.app, lambda: None).build_tree()
        group = next(node for node in tree.root.walk() if (node.role, node.name) == ("group", "Colours"))
        return {node.name: tree.actions[node.key, "press"] for node in group.children}

    assert list(colours()) == ["White, selected", "Red"]
    colours()["Red"]()
    assert list(colours()) == ["White", "Red, selected"]
    hand.choose("Ab2")
    assert hand.moves == ["R@Ab2"]
    # F4 skips the colours, which aren't a level.
    hand.key("f4")
    hand.key("f4")
    assert play.actions.message == "Level A: Ab2, red"


def test_hint_marks_are_exposed(hand: Hand) -> None:
    """The first hint marks the best point and its neighbours; the second marks only that point and names the colour."""
    play = hand.start("splice")
    play.advice.engine = Adviser(make_answer(MoveEvaluation(("R@Ab2",), 60, 0.64)))

    def marked() -> set[str]:
        return {
            node.name[:3]
            for node in current_tree(hand).walk()
            if node.name.endswith(", marked") or ", marked," in node.name
        }

    assert marked() == set()
    hand.key("h")
    hand.wait(0.5)
    assert marked() == {"Ab2", "Aa2", "Ac2", "Ab1", "Ab3"}
    hand.key("h")
    assert marked() == {"Ab2"}
    assert play.actions.message == "Best: Red on Ab2."


def test_privacy_screen_hides_everything_else(hand: Hand) -> None:
    hand.start("spagyric")
    look(hand)
    hand.push("answer B!")
    assert isinstance(hand.app.root.popups[-1], PrivacyScreen)
    hand.draw()
    window = current_tree(hand)
    assert not [node for node in window.walk() if node.role == "thing"]
    assert [node.role for node in window.children] == ["dialog", "said"]
    assert [node.name for node in window.walk() if node.actions] == ["Hold to show the table", "Games"]
    # The name of the next player at the screen is exposed too.
    assert [node.name.partition(".")[0] for node in window.walk() if node.role == "text"] == ["Ben"]
    tree = ScreenReader(hand.app, lambda: None).build_tree()
    back = next(node for node in tree.root.walk() if node.name == "Games")
    tree.actions[back.key, "press"]()
    assert hand.app.root.popups == []
    assert isinstance(hand.app.current_page, HomePage)


def test_only_visible_marbles_are_exposed(hand: Hand) -> None:
    play = hand.start("spy", ("Ann", "Ben", "Cem"))
    look(hand)
    while play.model.viewer == 0:
        make_move_with_pointer(hand, play.controller.moves[0])
    look(hand)
    told_of = [node.name for node in current_tree(hand).walk() if node.role == "thing"]
    covered = [play.match.state.board_names[board] for board in play.visible_position.covered_boards]
    assert covered
    assert not [name for name in told_of if any(name.startswith(f"{board}.") for board in covered)]


def test_plan_view_exposes_the_same_points_as_the_boards(hand: Hand) -> None:
    hand.start("spline")
    before = [node.name for node in current_tree(hand).walk() if node.role == "thing"]
    hand.key("f2")
    hand.draw()
    assert [node.name for node in current_tree(hand).walk() if node.role == "thing"] == before


@pytest.mark.parametrize("name", ["spline", "hyena-spiral"])
def test_replay_is_exposed(hand: Hand, name: str) -> None:
    entry = hand.app.catalogue.get(name)
    match = Match(entry.game(), ["Ann", "Ben"], 1)
    for _ in range(6):
        match.play(match.legal_moves()[0].text)
    hand.app.pages.show_replay(match, entry)
    hand.key("end")
    hand.wait(1)
    window = current_tree(hand)
    object_names = [node.name for node in window.walk() if node.role == "thing"]
    if name == "spline":
        assert len([each for each in object_names if not each.endswith(", empty")]) == 6
        assert len([each for each in object_names if each[0] == "A"]) == 16
    assert object_names
    assert naming_faults(window) == []


def test_shapes_before_names_are_not_exposed(hand: Hand) -> None:
    heard = TextRecorder(hand.app.canvas)
    for words in ("▲ Ann takes 2 of ■ Ben", "● ○", "Aa1 × Bb2"):
        heard.text(0, 0, words, None)
    assert heard.texts == ["Ann takes 2 of Ben", "● ○", "Aa1 × Bb2"]


def test_player_dialog_is_named_choose_player(hand: Hand) -> None:
    hand.push("who 2")
    hand.draw()
    window = ScreenReader(hand.app, lambda: None).build_tree().root
    assert [node.name for node in window.walk() if node.role == "dialog"] == ["Choose player"]


def test_no_tree_is_built_without_a_screen_reader(hand: Hand, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[None] = []
    monkeypatch.setattr(
        ScreenReader,
        "build_tree",
        lambda self: made.append(None) or AccessibilityTree(AccessibleNode(0, "window", ""), 0, {}),
    )
    monkeypatch.setattr(ScreenReader, "_to_tree_update", lambda *_: None)
    hand.start("spline")
    hand.wait(2)
    hand.draw()
    assert made == []
    hand.window.screen_reader._adapter = SimpleNamespace(update_if_active=lambda make_update: make_update())
    hand.window.screen_reader.is_active = True
    hand.app.root.dirty = True
    hand.draw()
    hand.window.screen_reader.is_active, hand.window.screen_reader._adapter = False, None
    assert made == [None]


def test_new_screen_reader_is_answered_before_updates(hand: Hand, monkeypatch: pytest.MonkeyPatch) -> None:
    """AccessKit holds a lock during the callback for a new screen reader, so the callback mustn't call AccessKit."""
    answers: list[object] = []
    reader = hand.window.screen_reader
    adapter = SimpleNamespace(
        update_if_active=lambda make_update: answers.append("shown"),
        update_window_focus_state=answers.append,
    )
    monkeypatch.setattr(reader, "_adapter", adapter)
    monkeypatch.setattr(reader, "_on_request", lambda: None)
    monkeypatch.setattr(ScreenReader, "_to_tree_update", lambda *_: "a window")
    reader.set_window_focus(False)
    assert reader._on_connect() == "a window"
    reader.handle_requests()
    hand.draw()
    assert answers == []
    hand.wait(1)
    assert answers[:2] == [False, "shown"]
    answers.clear()
    # A screen reader that disconnects before the update receives none.
    reader._on_disconnect()
    reader._on_connect()
    reader.handle_requests()
    reader._on_disconnect()
    hand.wait(1)
    reader.set_window_focus(True)
    assert answers == []


def test_row_of_medals_is_exposed_once(hand: Hand) -> None:
    """Each player starts with 13 Gold medals, exposed as a single node with the count in its name."""
    entry = hand.app.catalogue.get("golden-spiral")
    hand.app.matches.start(entry, ["Ann", "Ben"], 0, "", 1)
    look(hand)
    hand.draw()
    names = [node.name for node in current_tree(hand).walk() if node.role == "thing"]
    assert len([name for name in names if name.startswith("Ann's Gold: 13")]) == 1


def test_screen_reader_can_set_the_game_text(hand: Hand) -> None:
    hand.key("ctrl+d")
    tree = ScreenReader(hand.app, lambda: None).build_tree()
    editor = next(node for node in tree.root.walk() if node.role == "editor")
    tree.actions[editor.key, "set"]("title: Heard\nplayers: 2")
    editor = next(
        node
        for node in ScreenReader(hand.app, lambda: None).build_tree().root.walk()
        if node.role == "editor"
    )
    assert editor.value == "title: Heard\nplayers: 2"


def test_text_is_exposed_line_by_line(hand: Hand) -> None:
    """The lengths of characters are in UTF-8 bytes, and a word includes the space after it.

    A word is split after 255 characters, AccessKit's limit.
    """
    kit = pytest.importorskip("accesskit")
    hand.key("ctrl+d")
    reader = ScreenReader(hand.app, lambda: None)
    reader._accesskit = kit
    made = kit.Node(kit.Role.MULTILINE_TEXT_INPUT)
    text = EditableText(("né: - a", "x" * 300), (1, 3), (0, 2))
    (first, one), (second, other) = reader._to_text_runs(5, text, made)
    assert one.value == "né: - a\n"
    assert list(one.character_lengths) == [1, 2, 1, 1, 1, 1, 1, 1]
    assert list(one.word_lengths) == [2, 2, 2, 2]
    assert list(other.word_lengths) == [255, 45]
    selected = made.text_selection
    assert (selected.anchor.node, selected.anchor.character_index) == (first, 2)
    assert (selected.focus.node, selected.focus.character_index) == (second, 3)


def test_screen_reader_can_select_text(hand: Hand) -> None:
    hand.key("ctrl+d")
    tree = ScreenReader(hand.app, lambda: None).build_tree()
    editor = next(node for node in tree.root.walk() if node.role == "editor")
    assert editor.text == EditableText(tuple(editor.value.split("\n")), (0, 0), (0, 0))
    tree.actions[editor.key, "select"]((1, 2), (0, 3))
    editor = next(
        node
        for node in ScreenReader(hand.app, lambda: None).build_tree().root.walk()
        if node.role == "editor"
    )
    assert editor.text is not None
    assert editor.text[1:] == ((0, 3), (1, 2))
