"""The match page for tables of any kind: pointer, keys, buttons, privacy screen, computer players, undo and replay."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

import pytest

from shibumi3d.app.match.actions import UndoHistory
from shibumi3d.app.match.model import MatchModel
from shibumi3d.app.match.privacy_screen import PrivacyScreen
from shibumi3d.app.match.scene_view.page import SceneMatchPage
from shibumi3d.app.match.scene_view.spots import SpotSelection
from shibumi3d.catalogue.catalogue import load_catalogue
from shibumi3d.catalogue.schema import Entry
from shibumi3d.match.match import Match
from shibumi3d.rules import registry as kinds
from shibumi3d.rules.game import Move
from shibumi3d.rules.hyena_spiral.game import HyenaGame
from shibumi3d.scene import registry
from shibumi3d.scene.empty_table import EmptyTableScene
from shibumi3d.scene.frame import Card, Frame
from shibumi3d.scene.marbles.layout import TABLE_Z
from shibumi3d.scene.palette import Theme
from shibumi3d.scene.table_scene import Clicks, Spot, TableHighlights
from tests.app.hand import Hand
from tests.tables import sealed


class SealedScene(EmptyTableScene):
    """A scene for the game in :mod:`tests.tables.sealed`: the viewer's cards side by side, and a mat.

    A card is played by clicking it and then the mat.
    """

    hand: Sequence[int] = ()

    def reset(self, seen: Any, perspective_seat: int) -> None:
        self.hand = sorted(set(seen.hands[perspective_seat]) - {0})

    def spots(self) -> Mapping[str, Spot]:
        cards = {
            f"card {n}": Spot((i * 1.2 - 2, -2.0, TABLE_Z), 0, (0.5, 0.8)) for i, n in enumerate(self.hand)
        }
        return {**cards, "mat": Spot((0.0, 1.0, TABLE_Z), 0.8)}

    def clicks_for(self, move: Move) -> Clicks:
        return Clicks(frozenset({f"card {move.text}"}), "mat") if move.kind == "lay" else Clicks()

    def frame(self, now: float, theme: Theme, highlights: TableHighlights) -> Frame:
        cards = [
            Card(
                spot.position,
                spot.half_size,
                "#FBF8F1",
                glyph=key[5:],
                outline="#2E5E5A" if key in highlights.clickable else "",
            )
            for key, spot in self.spots().items()
            if key != "mat"
        ]
        return Frame(theme, (), cards=tuple(cards))


@pytest.fixture(autouse=True)
def _kind(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(kinds.KIND_MODULES, "sealed", "tests.tables.sealed")
    monkeypatch.setitem(registry.SCENE_CLASSES, "sealed", f"{__name__}:SealedScene")


def entry() -> Entry:
    return load_catalogue().parse(sealed.TEXT.encode(), Path("sealed.yaml"))


def start_match(
    hand: Hand, kinds_: Sequence[str] = (), hands: Sequence[str] = ("123", "456")
) -> SceneMatchPage:
    names = ["Aiko", "Ben", "Cleo", "Dan"][: len(hands)]
    hand.app.matches.start(
        entry(), names, 0, "", 1, {"hands": hands}, player_types=kinds_, options={"turns": 2}
    )
    hand.draw()
    return hand.page(SceneMatchPage)


def is_match_running(page: SceneMatchPage) -> bool:
    """Give the engine process a moment, and return whether the match is still being played."""
    time.sleep(0.01)
    return page.match.state.to_move is not None


def lift(hand: Hand) -> None:
    curtain = hand.app.root.popups[-1]
    assert isinstance(curtain, PrivacyScreen)
    hand.key("space", held=True)
    hand.wait(1.0)
    assert not hand.app.root.popups


def spot(hand: Hand, key: str) -> tuple[float, float]:
    points = hand.app.current_page.trace_values()["points"]
    assert isinstance(points, dict)
    x, y = points[key]
    return x, y


class TestPicking:
    """Tests of selecting spots with clicks.

    For each move, ``WAYS`` gives the spots to select first and the spot to click last.
    """

    MOVES: ClassVar = (Move("a", "a"), Move("b", "b"), Move("c", "c"), Move("d", "d"))
    WAYS: ClassVar = {
        "a": Clicks(frozenset({"1", "2"}), "go"),
        "b": Clicks(frozenset({"1"}), "go"),
        "c": Clicks(frozenset({"1"}), "stay"),
        "d": Clicks(frozenset(), "stay"),
    }

    def picking(self) -> SpotSelection:
        picking = SpotSelection()
        picking.set_moves(self.MOVES, lambda move: self.WAYS[move.text])
        return picking

    def test_click_that_completes_a_move_makes_it(self) -> None:
        picking = self.picking()
        assert picking.open_spots == {"1", "2", "stay"}
        assert picking.move_at("stay") == self.MOVES[3]
        assert picking.click("stay").move == self.MOVES[3]

    def test_picks_can_be_made_in_any_order_and_undone(self) -> None:
        picking = self.picking()
        assert picking.click("2").picks_changed
        assert picking.moves == [self.MOVES[0]]
        assert picking.open_spots == {"1"}
        assert picking.click("1").picks_changed
        assert picking.click("go").move == self.MOVES[0]
        assert picking.click("2").picks_changed
        assert picking.picks == {"1"}
        assert picking.click("go").move == self.MOVES[1]
        assert picking.drop_picks()
        assert not picking.drop_picks()

    def test_click_on_an_unavailable_spot_does_nothing(self) -> None:
        picking = self.picking()
        assert picking.click("go") == picking.click("nowhere")
        assert not picking.picks

    def test_picks_stay_while_the_moves_are_the_same(self) -> None:
        picking = self.picking()
        picking.click("2")
        assert not picking.set_moves(list(self.MOVES), lambda move: self.WAYS[move.text])
        assert picking.picks == {"2"}
        assert picking.set_moves(self.MOVES[1:], lambda move: self.WAYS[move.text])
        assert not picking.picks
        picking.click("1")
        picking.clear()
        assert picking.set_moves(self.MOVES[1:], lambda move: self.WAYS[move.text])
        assert not picking.picks

    def test_click_shared_by_two_moves_returns_both_as_candidates(self) -> None:
        picking = SpotSelection()
        moves = self.MOVES[:2]
        picking.set_moves(moves, lambda move: Clicks(frozenset(), "go"))
        assert picking.move_at("go") is None
        assert picking.click("go").candidates == moves
        assert picking.moves == list(moves)


def test_cards_are_laid_by_mouse_behind_a_privacy_screen(hand: Hand) -> None:
    """Aiko plays 3 and Ben 6 without seeing each other's card.

    The 6 is higher, so Ben scores and Aiko may cheer.
    """
    page = start_match(hand)
    lift(hand)
    assert page.model.viewer == 0
    assert set(page.trace_values()["points"]) == {"card 1", "card 2", "card 3", "mat"}  # type: ignore[call-overload]
    hand.click(*spot(hand, "card 3"))
    assert page.selection.picks == {"card 3"}
    page.update()  # as when a hint arrives
    assert page.selection.picks == {"card 3"}
    assert page.pointer.hovered_spot == "card 3"
    hand.click(*spot(hand, "mat"))
    assert page.match.cursor == 1
    assert isinstance(hand.app.root.popups[-1], PrivacyScreen)
    lift(hand)
    assert "card 6" in page.scene.spots()
    assert page.move_list.describe_move(0) == "Secret move"
    hand.click(*spot(hand, "card 6"))
    hand.click(*spot(hand, "mat"))
    assert page.match.state.points == (0, 1)
    # While everybody is asked, no hand is shown.
    assert set(page.scene.spots()) == {"mat"}
    assert page.choices.labels == ["Cheer", "Be quiet"]
    assert page.choices.keys == ["1", "p"]
    hand.key("p")
    assert [ply.move for ply in page.match.plies] == ["3", "6", "quiet"]
    assert page.move_list.describe_move(0) == "Lay 3"


def test_solo_player_plays_by_keyboard_against_computers(hand: Hand) -> None:
    page = start_match(hand, ("person", "pebble"))
    while is_match_running(page):
        hand.wait(0.2)
        assert not hand.app.root.popups
        if page.model.choosing_seat is not None:
            assert page.model.viewer == 0
            if page.selection.open_spots:
                hand.key("tab")
                hand.key("enter")
            if page.match.state.decision is not None and page.selection.picks:
                hand.key("tab")
                hand.key("enter")
            elif page.choices.moves and not page.selection.open_spots:
                hand.key("down")
                hand.key("enter")
    assert page.match.state.to_move is None
    assert page.status_line.sentence()
    assert page.result_bar.visible


def test_undo_stops_at_revealed_information_and_secrets_of_others(hand: Hand) -> None:
    page = start_match(hand)
    lift(hand)
    hand.key("1")
    lift(hand)
    hand.key("ctrl+z")
    assert page.match.cursor == 1
    assert page.message_line.message == "This can't be undone: it was another player's secret choice."
    hand.key("4")
    hand.key("ctrl+z")
    assert page.match.cursor == 2
    assert page.message_line.message == "This can't be undone: something was drawn or revealed."


@pytest.mark.parametrize(
    ("seats", "moves", "left"),
    [
        # Both players bought steps: undo takes back the computer's move too.
        (["out 20, 4 tabas", "out 10, 4 tabas"], ["buy", "buy"], 0),
        # The computer threw, which can't be undone, and so neither can the player's own move.
        (["out 20, 4 tabas", "out 10, 4 tabas"], ["buy", "throw"], 2),
        # An automatic payment isn't a choice, so undo also takes back the choice before it.
        (["well, 1 paid, 2 tabas", "hyena out 10, 4 tabas"], ["pay", "buy"], 2),
        (["out 70, 6 tabas", "hyena out 10, 4 tabas"], ["buy", "buy", "pay"], 0),
    ],
)
def test_computer_moves_are_undone_only_with_the_players(
    seats: Sequence[str], moves: Sequence[str], left: int
) -> None:
    game = load_catalogue().get("hyena-spiral").game()
    assert isinstance(game, HyenaGame)
    position = game.position(seats, stocks={"throws": "2"})
    match = Match(game, ["Aiko", "Ben"], player_types=["person", "pebble"], state=position)
    session = MatchModel(match)
    for move in moves:
        match.play(move)
    UndoHistory(session).undo()
    assert match.cursor == left


def test_plan_view_plays_the_same_moves(hand: Hand) -> None:
    """In the plan view, the cards in hand lie 1.2 units apart in a row.

    They are selected and played where they are drawn.
    """
    page = start_match(hand)
    lift(hand)
    seen = spot(hand, "card 1")
    hand.key("f2")
    assert page.plan.visible
    assert not page.view.visible
    one, two, mat = (spot(hand, key) for key in ("card 1", "card 2", "mat"))
    assert one != seen
    assert two[0] - one[0] == pytest.approx(1.2 * page.plan.pixels_per_unit, abs=1.5)
    assert two[1] == one[1]
    assert mat[1] < one[1]
    hand.point(*two)
    assert page.pointer.hovered_spot == "card 2"
    assert page.plan.cursor_shape == "hand"
    hand.click(*two)
    assert page.selection.picks == {"card 2"}
    hand.click(*mat, 4)
    assert not page.selection.picks
    hand.click(*two)
    hand.click(*mat)
    assert [ply.move for ply in page.match.plies] == ["2"]
    # The other player's hand is shown only after the privacy screen.
    assert isinstance(hand.app.root.popups[-1], PrivacyScreen)
    lift(hand)
    assert {card.glyph for card in page.pointer.make_flat_frame(hand.app.clock()).cards} == {"4", "5", "6"}
    hand.key("f2")
    assert page.view.visible


def test_hovering_describes_a_choice(hand: Hand) -> None:
    page = start_match(hand, ("person", "pebble"))
    hand.wait(0.1)
    while page.model.choosing_seat is None:
        hand.wait(0.2)
    hand.click(*spot(hand, "card 2"))
    hand.point(*spot(hand, "mat"))
    assert page.message_line.message == "Lay 2"
    hand.key("escape")
    assert not page.selection.picks


def test_finished_match_can_be_replayed(hand: Hand) -> None:
    page = start_match(hand, ("pebble", "pebble"))
    while is_match_running(page):
        hand.wait(0.3)
    end = page.match.cursor
    assert page.match.state.to_move is None
    hand.key(",")
    assert page.model.cursor == end - 1
    hand.key("ctrl+home")
    assert page.model.state == page.match.initial_state
    hand.key(".")
    assert page.model.cursor == 1
    hand.key("escape")
    assert page.model.is_live


def test_game_options_are_offered_in_the_setup(hand: Hand) -> None:
    hand.app.pages.show_home()
    hand.draw()
    form = hand.app.current_page.start_panel  # type: ignore[attr-defined]
    form.show_game(entry())
    hand.draw()
    turns = next(child for child in form.children if child.name == "turns")
    assert list(turns.options) == ["1", "2", "3", "4", "5", "6"]
    assert turns.options[turns.selected_index] == "3"
    turns.select(4)
    assert form.setup.options == {"turns": 5}
    form.start_match()
    assert hand.app.current_page.match.options == {"turns": 5}  # type: ignore[attr-defined]
