"""The page of tables of any kind, on a small one: pointer, keys, buttons, curtain, computers, undo, log, replay."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

import pytest

from shibumi3d.app.board.handover import HandoverScreen
from shibumi3d.app.board.session import Session
from shibumi3d.app.board.undoing import Undo
from shibumi3d.app.pages.tables.pointing import Picking
from shibumi3d.app.pages.tables.screen import TablePlay
from shibumi3d.catalogue.catalogue import load
from shibumi3d.catalogue.schema import Entry
from shibumi3d.match.match import Match
from shibumi3d.rules import kinds
from shibumi3d.rules.game import Move
from shibumi3d.rules.hyena_spiral.game import HyenaGame
from shibumi3d.scene import kinds as scenes
from shibumi3d.scene.bare import BareScene
from shibumi3d.scene.frame import Card, Frame
from shibumi3d.scene.marbles.layout import TABLE
from shibumi3d.scene.palette import Theme
from shibumi3d.scene.table import Clicks, Pointed, Spot
from tests.app.hand import Hand
from tests.tables import sealed


class SealedScene(BareScene):
    """The hand of whoever looks, side by side; a card is picked and put down on the mat."""

    hand: Sequence[int] = ()

    def reset(self, seen: Any, sitting: int) -> None:
        self.hand = sorted(set(seen.hands[sitting]) - {0})

    def spots(self) -> Mapping[str, Spot]:
        cards = {
            f"card {n}": Spot((i * 1.2 - 2, -2.0, TABLE), 0, (0.5, 0.8)) for i, n in enumerate(self.hand)
        }
        return {**cards, "mat": Spot((0.0, 1.0, TABLE), 0.8)}

    def way(self, move: Move) -> Clicks:
        return Clicks(frozenset({f"card {move.text}"}), "mat") if move.kind == "lay" else Clicks()

    def frame(self, now: float, theme: Theme, pointed: Pointed) -> Frame:
        cards = [
            Card(spot.at, spot.half, "#FBF8F1", glyph=key[5:], edge="#2E5E5A" if key in pointed.open else "")
            for key, spot in self.spots().items()
            if key != "mat"
        ]
        return Frame(theme, (), cards=tuple(cards))


@pytest.fixture(autouse=True)
def _kind(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(kinds.MODULES, "sealed", "tests.tables.sealed")
    monkeypatch.setitem(scenes.SCENES, "sealed", f"{__name__}:SealedScene")


def entry() -> Entry:
    return load().parse(sealed.TEXT.encode(), Path("sealed.yaml"))


def begun(hand: Hand, kinds_: Sequence[str] = (), hands: Sequence[str] = ("123", "456")) -> TablePlay:
    names = ["Aiko", "Ben", "Cleo", "Dan"][: len(hands)]
    hand.app.matches.start(entry(), names, 0, "", 1, {"hands": hands}, kinds=kinds_, options={"turns": 2})
    hand.draw()
    page = hand.app.screen
    assert isinstance(page, TablePlay)
    return page


def going_on(page: TablePlay) -> bool:
    """Whether a match goes on; the process of the computers is given time to think."""
    time.sleep(0.01)
    return page.match.state.to_move is not None


def lift(hand: Hand) -> None:
    """Holds the button of the curtain until it opens."""
    curtain = hand.app.root.floats[-1]
    assert isinstance(curtain, HandoverScreen)
    hand.key("space", held=True)
    hand.wait(1.0)
    assert not hand.app.root.floats


def spot(hand: Hand, key: str) -> tuple[float, float]:
    points = hand.app.screen.trace()["points"]
    assert isinstance(points, dict)
    x, y = points[key]
    return x, y


class TestPicking:
    """Ways are written as picks, then the last."""

    MOVES: ClassVar = (Move("a", "a"), Move("b", "b"), Move("c", "c"), Move("d", "d"))
    WAYS: ClassVar = {
        "a": Clicks(frozenset({"1", "2"}), "go"),
        "b": Clicks(frozenset({"1"}), "go"),
        "c": Clicks(frozenset({"1"}), "stay"),
        "d": Clicks(frozenset(), "stay"),
    }

    def picking(self) -> Picking:
        picking = Picking()
        picking.begin(self.MOVES, lambda move: self.WAYS[move.text])
        return picking

    def test_a_click_that_ends_one_way_makes_its_move(self) -> None:
        picking = self.picking()
        assert picking.open == {"1", "2", "stay"}
        assert picking.would("stay") == self.MOVES[3]
        assert picking.click("stay").move == self.MOVES[3]

    def test_picks_come_in_any_order_and_can_be_taken_back(self) -> None:
        picking = self.picking()
        assert picking.click("2").changed
        assert picking.moves == [self.MOVES[0]]
        assert picking.open == {"1"}
        assert picking.click("1").changed
        assert picking.click("go").move == self.MOVES[0]
        assert picking.click("2").changed
        assert picking.picks == {"1"}
        assert picking.click("go").move == self.MOVES[1]
        assert picking.drop()
        assert not picking.drop()

    def test_what_is_not_open_means_nothing(self) -> None:
        picking = self.picking()
        assert picking.click("go") == picking.click("nowhere")
        assert not picking.picks

    def test_what_is_picked_stays_while_the_same_may_be_chosen(self) -> None:
        picking = self.picking()
        picking.click("2")
        assert not picking.begin(list(self.MOVES), lambda move: self.WAYS[move.text])
        assert picking.picks == {"2"}
        assert picking.begin(self.MOVES[1:], lambda move: self.WAYS[move.text])
        assert not picking.picks
        picking.click("1")
        picking.close()
        assert picking.begin(self.MOVES[1:], lambda move: self.WAYS[move.text])
        assert not picking.picks

    def test_two_moves_behind_one_click_are_asked_about(self) -> None:
        picking = Picking()
        moves = self.MOVES[:2]
        picking.begin(moves, lambda move: Clicks(frozenset(), "go"))
        assert picking.would("go") is None
        assert picking.click("go").several == moves
        assert picking.moves == list(moves)


def test_cards_are_laid_by_the_mouse_behind_a_curtain(hand: Hand) -> None:
    """Aiko lays 3 and Ben 6 without seeing each other's; 6 is higher, so Ben has a point and Aiko may cheer."""
    page = begun(hand)
    lift(hand)
    assert page.session.viewer == 0
    assert set(page.trace()["points"]) == {"card 1", "card 2", "card 3", "mat"}  # type: ignore[call-overload]
    hand.click(*spot(hand, "card 3"))
    assert page.picking.picks == {"card 3"}
    page.update()  # as when advice comes
    assert page.picking.picks == {"card 3"}
    assert page.pointer.spot == "card 3"
    hand.click(*spot(hand, "mat"))
    assert page.match.cursor == 1
    assert isinstance(hand.app.root.floats[-1], HandoverScreen)
    lift(hand)
    assert "card 6" in page.scene.spots()
    assert page.moves.told(0) == "in secret"
    hand.click(*spot(hand, "card 6"))
    hand.click(*spot(hand, "mat"))
    assert page.match.state.points == (0, 1)
    # Before the open question nobody's hand is shown.
    assert set(page.scene.spots()) == {"mat"}
    assert page.choices.labels == ["Cheer", "Be quiet"]
    assert page.choices.keys == ["1", "p"]
    hand.key("p")
    assert [ply.move for ply in page.match.plies] == ["3", "6", "quiet"]
    assert page.moves.told(0) == "Lay 3"


def test_one_person_plays_by_keys_alone_against_computers(hand: Hand) -> None:
    page = begun(hand, ("person", "pebble"))
    while going_on(page):
        hand.wait(0.2)
        assert not hand.app.root.floats
        if page.session.asked is not None:
            assert page.session.viewer == 0
            if page.picking.open:
                hand.key("tab")
                hand.key("enter")
            if page.match.state.ask is not None and page.picking.picks:
                hand.key("tab")
                hand.key("enter")
            elif page.choices.moves and not page.picking.open:
                hand.key("down")
                hand.key("enter")
    assert page.match.state.to_move is None
    assert page.status.sentence()
    assert page.result_bar.visible


def test_undo_stops_at_what_was_turned_up_and_at_others_secrets(hand: Hand) -> None:
    page = begun(hand)
    lift(hand)
    hand.key("1")
    lift(hand)
    hand.key("ctrl+z")
    assert page.match.cursor == 1
    assert "can't be undone" in page.telling.words
    hand.key("4")
    hand.key("ctrl+z")
    assert page.match.cursor == 2


@pytest.mark.parametrize(
    ("seats", "moves", "left"),
    [
        # Both bought steps: the computer's are taken back with one's own.
        (["out 20, 4 tabas", "out 10, 4 tabas"], ["buy", "buy"], 0),
        # The computer threw: that stays, so one's own stays too.
        (["out 20, 4 tabas", "out 10, 4 tabas"], ["buy", "throw"], 2),
        # A fee that is paid by itself is no choice: the one before it is taken back.
        (["well, 1 paid, 2 tabas", "hyena out 10, 4 tabas"], ["pay", "buy"], 2),
        (["out 70, 6 tabas", "hyena out 10, 4 tabas"], ["buy", "buy", "pay"], 0),
    ],
)
def test_what_computers_did_is_taken_back_with_ones_own_or_not_at_all(
    seats: Sequence[str], moves: Sequence[str], left: int
) -> None:
    game = load().get("hyena-spiral").game()
    assert isinstance(game, HyenaGame)
    position = game.position(seats, stocks={"throws": "2"})
    match = Match(game, ["Aiko", "Ben"], kinds=["person", "pebble"], state=position)
    session = Session(match)
    for move in moves:
        match.play(move)
    Undo(session).undo()
    assert match.cursor == left


def test_the_same_is_played_on_the_flat_plan(hand: Hand) -> None:
    """Cards of the hand lie in a row 1.2 apart; a card is picked and put down where the plan shows it."""
    page = begun(hand)
    lift(hand)
    seen = spot(hand, "card 1")
    hand.key("f2")
    assert page.plan.visible
    assert not page.view.visible
    one, two, mat = (spot(hand, key) for key in ("card 1", "card 2", "mat"))
    assert one != seen
    assert two[0] - one[0] == pytest.approx(1.2 * page.plan.unit, abs=1.5)
    assert two[1] == one[1]
    assert mat[1] < one[1]
    hand.point(*two)
    assert page.pointer.spot == "card 2"
    assert page.plan.shape == "hand"
    hand.click(*two)
    assert page.picking.picks == {"card 2"}
    hand.click(*mat, 4)
    assert not page.picking.picks
    hand.click(*two)
    hand.click(*mat)
    assert [ply.move for ply in page.match.plies] == ["2"]
    # The other hand is behind the curtain, and then alone on the plan.
    assert isinstance(hand.app.root.floats[-1], HandoverScreen)
    lift(hand)
    assert {card.glyph for card in page.pointer.plan(hand.app.clock()).cards} == {"4", "5", "6"}
    hand.key("f2")
    assert page.view.visible


def test_hovering_tells_what_a_choice_does(hand: Hand) -> None:
    page = begun(hand, ("person", "pebble"))
    hand.wait(0.1)
    while page.session.asked is None:
        hand.wait(0.2)
    hand.click(*spot(hand, "card 2"))
    hand.point(*spot(hand, "mat"))
    assert page.telling.words == "Lay 2"
    hand.key("escape")
    assert not page.picking.picks


def test_a_match_that_is_over_is_shown_again(hand: Hand) -> None:
    page = begun(hand, ("pebble", "pebble"))
    while going_on(page):
        hand.wait(0.3)
    end = page.match.cursor
    assert page.match.state.to_move is None
    hand.key(",")
    assert page.session.cursor == end - 1
    hand.key("ctrl+home")
    assert page.session.state == page.match.first
    hand.key(".")
    assert page.session.cursor == 1
    hand.key("escape")
    assert page.session.live


def test_options_are_offered_where_a_match_is_set_up(hand: Hand) -> None:
    hand.app.pages.home()
    hand.draw()
    form = hand.app.screen.start  # type: ignore[attr-defined]
    form.show(entry())
    hand.draw()
    turns = next(child for child in form.children if child.name == "turns")
    assert list(turns.options) == ["1", "2", "3", "4", "5", "6"]
    assert turns.options[turns.chosen] == "3"
    turns.choose(4)
    assert form.chosen.options == {"turns": 5}
    form.play()
    assert hand.app.screen.match.options == {"turns": 5}  # type: ignore[attr-defined]
