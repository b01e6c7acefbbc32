"""The three games without marbles, played to the end with the keyboard alone, resumed after a crash, and replayed.

The deals are preset, so that the matches are short.
"""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from shibumi3d.app.match.privacy_screen import PrivacyScreen
from shibumi3d.app.match.scene_view.page import SceneMatchPage
from shibumi3d.catalogue.catalogue import load_catalogue
from shibumi3d.match.record import load as load_record
from shibumi3d.match.store import MatchStore
from shibumi3d.scene.registry import make_scene
from shibumi3d.scene.table_scene import NO_HIGHLIGHTS
from shibumi3d.search.players import Choice
from tests.app.hand import Hand
from tests.app.test_computer_players import Scripted

HYENA = ("hyena-spiral", {"length": 48, "rounds": 1}, {"starter": "1", "throws": "0 " * 40})
GOLDEN: tuple[str, Mapping[str, int | str], Mapping[str, str]] = ("golden-spiral", {}, {})
ARCANOID = (
    "arcanoid",
    {"rounds": 1},
    {"first": "1", "stock": "S4 S6 S7 T2 C3 M1 S9 S10 M0 T9 C8 D2 M7"},
)
ROOT = Path(__file__).parents[2]
Game = tuple[str, Mapping[str, int | str], Mapping[str, str]]


def sit(hand: Hand, game: Game, kinds: Sequence[str] = ()) -> SceneMatchPage:
    name, options, deal = game
    hand.app.change_settings(motion="off")
    hand.app.matches.start(
        load_catalogue().get(name), ["Aiko", "Ben"], 0, "", 3, deal, player_types=kinds, options=options
    )
    hand.draw()
    return hand.page(SceneMatchPage)


def lift(hand: Hand) -> None:
    if hand.app.root.popups:
        hand.floating(PrivacyScreen)
        hand.key("space", held=True)
        hand.wait(0.8)
        assert not hand.app.root.popups


def walk(hand: Hand, spot: str) -> None:
    for _ in range(80):
        if hand.page(SceneMatchPage).pointer.hovered_spot == spot:
            break
        hand.key("tab")
    assert hand.page(SceneMatchPage).pointer.hovered_spot == spot
    hand.key("enter")


def make_move_with_keys(hand: Hand, text: str) -> None:
    """Make the move with the given text, using only the keyboard.

    The spots of the move, if it has any, are chosen on the table with Tab and Enter. If it has no spots, or if several
    moves have the same spots, the move is chosen in the list of choices. If several seats are asked whether they want
    to respond, this list first shows the seats, and the seat to move is chosen there. Privacy screens are lifted.
    """
    page = hand.page(SceneMatchPage)
    lift(hand)
    if page.model.response_seats:
        row = [sign.seat for sign in page.choices.moves].index(page.match.state.to_move)
        for _ in range(row + 1):
            hand.key("down")
        hand.key("enter")
        lift(hand)
    before = page.match.cursor
    move = next(move for move in page.model.legal_moves() if move.text == text)
    picks, last = page.scene.clicks_for(move)
    for spot in sorted(picks):
        walk(hand, spot)
    if last:
        walk(hand, last)
    if page.match.cursor == before:
        # The move has a button of its own, or the clicks left a choice between several buttons.
        row = [each.text for each in page.choices.moves].index(text)
        for _ in range(row + 1):
            hand.key("down")
        hand.key("enter")
    assert page.match.cursor == before + 1
    made = page.match.plies[-1]
    assert made.move in (text, f"{made.seat + 1}:{text}")
    hand.draw()


def play(hand: Hand, choose: Callable[[Sequence[Any]], str]) -> SceneMatchPage:
    """Play the match to its end with keys, and return the page.

    Automatic moves and moves of computer players need no keys; the function only waits for them. For any other move,
    ``choose`` gets the legal moves and returns the text of the one to make. The match must be over after 300 steps at
    most, and the page must then show the result.
    """
    page = hand.page(SceneMatchPage)
    for _ in range(300):
        if page.match.state.to_move is None:
            break
        lift(hand)
        if page.model.automatic_move() or page.model.first_choosing_computer is not None:
            hand.wait(0.6)
            continue
        make_move_with_keys(hand, choose(page.model.legal_moves()))
    assert page.match.state.to_move is None
    assert page.result_bar.visible
    return page


def test_hyena_spiral_is_playable_by_keyboard(hand: Hand) -> None:
    """Every throw shows only black faces: a villager walks 12 spaces or takes 1 taba.

    For the hyena, both numbers are doubled. On this path of 48 spaces, Aiko becomes the hyena on her 4th turn, reaches
    the well on her 6th and pays 10 tabas there on her 11th. Ben takes four tabas on his way and reaches the well on his
    8th turn. After paying, he takes tabas instead of setting off for home, so he is still there when the hyena leaves
    the well, and is eaten. A hyena that lets no villager come home scores 2 points.
    """
    page = sit(hand, HYENA)

    def choose(moves: Sequence[Any]) -> str:
        texts = [move.text for move in moves]
        walker = page.match.state.walkers[page.match.state.to_move]
        late = page.match.state.to_move == 1 and walker.place >= 36 and walker.tabas < 4
        if late and "take" in texts:
            return "take"
        return next(text for text in ("go", "throw", "buy") if text in texts)

    play(hand, choose)
    made = {ply.move for ply in page.match.plies}
    assert made == {"throw", "go", "take", "pay"}
    assert page.result_bar.describe_result().startswith("Aiko wins")
    assert page.match.state.scores == (2, 0)


def test_golden_spiral_is_playable_by_keyboard(hand: Hand) -> None:
    """Aiko sets 12 against Ben's 3 and keeps one Gold medal; Ben wins with a Second Clash.

    In a clash, the player with the higher number turns over that many of their Gold medals, so Aiko turns over 12 of
    13. A number must be at least 1, and lower than the player's number of Gold medals. Aiko therefore can't set a
    number in the Second Clash, and so is in Default and loses.

    Before that, Aiko can't announce Reserve: it takes back medals only up to a total of 13, and Aiko still has 13. When
    the Reserve row is selected, the message line shows this reason; choosing the row has no effect.
    """
    page = sit(hand, GOLDEN)
    for text in ("12", "3"):
        make_move_with_keys(hand, text)
    closed = page.choices.labels[len(page.choices.moves) :]
    assert "Reserve" in closed, "Aiko has 13 medals"
    row = page.choices.labels.index("Reserve")
    for _ in range(row + 1):
        hand.key("down")
    why = page.message_line.message
    assert "13" in why
    hand.key("enter")
    assert page.match.cursor == 2
    page.choices._choose_row(row)
    assert (page.match.cursor, page.message_line.message) == (2, why)
    hand.key("up")
    assert page.message_line.message != why
    page.choices.restore_position(-1, 0.0)
    joker = {
        page.match.game.move_label(page.model.chooser_observation(), move): move.text
        for move in page.model.legal_moves()
    }
    make_move_with_keys(hand, joker["Pass"])
    joker = {
        page.match.game.move_label(page.model.chooser_observation(), move): move.text
        for move in page.model.legal_moves()
    }
    make_move_with_keys(hand, joker["Second Clash"])
    assert page.match.state.to_move is None
    assert "Ben" in page.result_bar.describe_result()
    assert "Default" in page.result_bar.describe_result()


def test_arcanoid_is_playable_by_keyboard(hand: Hand) -> None:
    """Aiko plays the 4, 6 and 7 of swords, and Ben steals them with the Fool.

    Then both abdicate all their remaining fields. Ben wins the swords, where only he has cards. If everybody has
    abdicated a field, the player who did so last wins it. In the other three fields, this is Aiko.
    """
    page = sit(hand, ARCANOID)
    for text in ("S:S4+S6+S7", "steal", "T:-", "S:-", "C:-", "T:-", "D:-", "C:-"):
        make_move_with_keys(hand, text)
    # Ben has left the round with four fields; Aiko alone is asked.
    play(hand, lambda moves: next(move.text for move in moves if move.kind == "abdicate"))
    assert page.match.state.result.scores == (3, 1)
    assert page.result_bar.describe_result().startswith("Aiko wins")


@pytest.mark.parametrize(
    "keys",
    [
        ["list"],
        ["/", *"s:s4+s6+s7", "enter"],
        ["/", *"engage 17", "enter"],
    ],
    ids=["arrows", "notation", "label"],
)
def test_engagement_is_chosen_without_the_table(hand: Hand, keys: Sequence[str]) -> None:
    """An engagement is chosen with the arrow keys in the list, by its notation or by its label.

    The notation, or the beginning of the label, is typed after ``/``. Engagements have no keys of their own, since
    there can be over a hundred. Here, Aiko engages the 4, 6 and 7 of swords, so the label begins with "Engage 17".
    """
    page = sit(hand, ARCANOID)
    lift(hand)
    if keys == ["list"]:
        row = [move.text for move in page.choices.moves].index("S:S4+S6+S7")
        keys = [*["down"] * (row + 1), "enter"]
    for key in keys:
        hand.key(key) if len(key) > 1 or key == "/" else hand.type(key)
    assert [ply.move for ply in page.match.plies] == ["S:S4+S6+S7"]


# ---------------------------------------------------------------- crashes and replay

KILLED = """\
import os, signal, sys
from datetime import datetime
from pathlib import Path
from shibumi3d.catalogue.catalogue import load_catalogue
from shibumi3d.match.match import Match
from shibumi3d.match.store import MatchStore
from tests.app.test_table_keyboard_play import SCRIPTS
stores = []
for (name, options, deal), moves in SCRIPTS:
    match = Match(load_catalogue().get(name).game(options=options), ["Aiko", "Ben"], 3, deal=deal)
    stores.append(MatchStore(Path(sys.argv[1]) / name))
    stores[-1].save_new(match, datetime.now())
    for move in moves:
        match.play(move)
os.kill(os.getpid(), signal.SIGKILL)
"""
"""A script that saves three unfinished matches as the program does, and is then killed."""
SCRIPTS: tuple[tuple[Game, Sequence[str]], ...] = (
    (HYENA, ["throw", "go", "throw", "take", "throw"]),
    (GOLDEN, ["5", "9", "pass", "pass", "0", "7"]),
    (ARCANOID, ["S:S4+S6+S7", "let", "-D2", "T:-"]),
)


def test_everyone_is_asked_for_the_fool_at_once(hand: Hand) -> None:
    """After an engagement, all players who might hold the Fool are asked together whether they play it.

    With the Fool, a player can take the cards just engaged. No hand is shown before a player asks to look, whoever
    holds the Fool. A single Enter means "no" for everybody who hasn't answered yet.
    """
    hand.app.change_settings(motion="off")
    deal = {"first": "1", "stock": "S4 S6 S7 T2 C3 M1 S9 S10 M0 T9 C8 D2 M7 T3 T4 T5 T6 C9"}

    def start_and_engage() -> SceneMatchPage:
        hand.app.matches.start(load_catalogue().get("arcanoid"), ["Aiko", "Ben", "Cleo"], 0, "", 3, deal)
        page = hand.page(SceneMatchPage)
        page.toggle_flat_view()
        lift(hand)
        page.actions.play_move(page.match.game.parse(page.match.state, "S:S4+S6"))
        assert page.model.response_seats == (1, 2)
        return page

    page = start_and_engage()
    assert not hand.app.root.popups, "there is no privacy screen yet"
    assert page.model.observation == page.match.game.observe(page.match.state, None), "and no hand is shown"
    assert page.choices.labels == [
        "Let Ben look at their hand",
        "Let Cleo look at their hand",
        "Nobody (continue)  Enter",
    ]
    assert "with the Fool" in page.status_line.sentence()
    assert page.choices.keys == ["2", "3", "p"]
    hand.key("2")
    lift(hand)
    assert {move.text for move in page.choices.moves} == {"let", "steal"}
    make_move_with_keys(hand, "let")
    assert page.model.response_seats == (2,), "Ben, who has answered, isn't asked again"
    hand.key("enter")
    assert page.match.plies[2].move.endswith("let")
    assert page.match.state.decision.kind == "turn"
    hand.floating(PrivacyScreen)
    page = start_and_engage()
    hand.key("enter")
    assert [(ply.seat, ply.move) for ply in page.match.plies[1:]] == [(1, "let"), (2, "let")]


def test_every_discard_and_abdication_has_a_key(hand: Hand) -> None:
    """In Arcanoid, a digit discards a card of the hand, and a letter from C to F gives up a field.

    The digit of a card is its place in the hand. In Aiko's first turn, no other move has a key. After she has engaged
    cards on a field, Ben is asked whether he takes them with the Fool. The digit 2 now stands for Ben, who asks to see
    his hand. He doesn't have the Fool, so he can only decline, with P. That key has a meaning only while a player is
    asked. In Ben's own turn, 2 discards a card again.
    """
    hand.app.change_settings(motion="off")
    deal = {"first": "1", "stock": "S4 S6 S7 T2 C3 D5 S9 S10 C4 T9 C8 D2"}
    hand.app.matches.start(load_catalogue().get("arcanoid"), ["Aiko", "Ben"], 0, "", 2, deal)
    page = hand.page(SceneMatchPage)
    lift(hand)
    for move, label, key in zip(page.choices.moves, page.choices.labels, page.choices.keys, strict=False):
        assert bool(key) == (move.kind in ("discard", "abdicate")), label
    assert page.choices.keys[:10] == list("123456cdef")
    make_move_with_keys(hand, "S:S4+S6+S7")
    hand.key("2")
    lift(hand)
    assert page.choices.labels == ["Let it go"]
    assert page.choices.keys == ["p"]
    assert "you can't take it without the Fool" in page.status_line.sentence()
    hand.key("p")
    assert page.match.plies[-1].move.endswith("let")
    lift(hand)
    second = page.choices.moves[page.choices.keys.index("2")].text
    assert second.startswith("-")
    hand.key("2")
    assert page.match.plies[-1].move == second


@pytest.fixture(scope="module")
def killed_matches(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with a match store for each game in :data:`SCRIPTS`, as left by a killed program.

    Each store holds one unfinished match.
    """
    place = tmp_path_factory.mktemp("killed")
    ended = subprocess.run([sys.executable, "-c", KILLED, str(place)], check=False, cwd=ROOT)
    assert ended.returncode == -signal.SIGKILL
    return place


@pytest.mark.parametrize(("game", "moves"), SCRIPTS, ids=["hyena", "golden", "arcanoid"])
def test_match_resumes_after_a_crash_without_revealing_secrets(
    hand: Hand, killed_matches: Path, game: Game, moves: Sequence[str]
) -> None:
    """All moves are restored.

    In games with secrets, a privacy screen opens first, and the secrets of the other player stay hidden.
    """
    hand.app.store = MatchStore(killed_matches / game[0])
    hand.app.pages.show_home()
    hand.draw()
    hand.app.matches.resume_unfinished()
    hand.draw()
    page = hand.page(SceneMatchPage)
    assert [ply.move for ply in page.match.plies] == list(moves)
    assert game[1].items() <= page.match.options.items()
    seat = page.model.choosing_seat
    assert seat is not None
    if game is not HYENA:
        assert page.model.viewer == seat
        hand.floating(PrivacyScreen)
        lift(hand)
    if game is GOLDEN:
        assert page.model.observation.secret_numbers == (0, 0)
        assert page.move_list.describe_move(5) == "Secret move"
    make_move_with_keys(hand, page.model.legal_moves()[0].text)
    kept = load_record(next((killed_matches / game[0]).glob("*.yaml")))
    assert sum(map(len, kept.turns)) == len(moves) + 1


@pytest.mark.parametrize(("game", "moves"), SCRIPTS, ids=["hyena", "golden", "arcanoid"])
def test_replay_steps_back_and_forth_correctly(hand: Hand, game: Game, moves: Sequence[str]) -> None:
    """After each step back or forward, the scene equals a new one made from the viewer's observation.

    An observation contains only what its viewer may know, so secrets stay hidden. The scene also equals a new one after
    a click on a move in the list. After a step back, no spot can be chosen. Escape leads back to the current position
    without a privacy screen.
    """
    page = sit(hand, game)
    for text in moves:
        lift(hand)
        page.actions.on_move_made(page.match.play(text))
    lift(hand)

    def as_it_lay() -> None:
        hand.wait(0.3)
        fresh = make_scene(page.match.game, 2)
        fresh.reset(page.model.observation, page.model.perspective_seat)
        assert page.scene.spots() == fresh.spots()
        shown = page.scene.frame(hand.now, hand.app.settings.board_theme, NO_HIGHLIGHTS)
        assert shown == fresh.frame(hand.now, hand.app.settings.board_theme, NO_HIGHLIGHTS)

    last = len(moves)
    for ply in reversed(range(last)):
        hand.key(",")
        assert page.model.cursor == ply
        assert not page.selection.open_spots
        as_it_lay()
    for ply in range(1, last + 1):
        hand.key(".")
        assert page.model.cursor == ply
        as_it_lay()
    assert page.model.is_live
    hand.key("ctrl+b")
    hand.wait(0.5)
    row = page.move_list.row_rect(page.move_list.rows.index(last // 2 - 1))
    hand.click(*hand.app.to_window_pixels(row.x + 90, row.cy))
    assert 0 < page.model.cursor < last
    as_it_lay()
    hand.key("escape")
    assert page.model.is_live
    assert not hand.app.root.popups


class SlowEngine(Scripted):
    """Engine stand-in that answers each request with the move ``text`` after ``seconds`` seconds.

    The time is measured on the window's clock.
    """

    def __init__(self, hand: Hand, text: str, seconds: float) -> None:
        super().__init__()
        self.hand, self.text, self.needs = hand, text, seconds
        self.since = 0.0

    def request_move(self, game: Any, view: Any, strength: str | int, **more: Any) -> None:
        super().request_move(game, view, strength, **more)
        self.since = self.hand.app.clock()

    def poll(self) -> Choice | None:
        if not self.open or self.hand.app.clock() < self.since + self.needs:
            return None
        self.open = False
        return Choice(self.text, None)


def test_computer_response_time_does_not_reveal_the_fool(hand: Hand) -> None:
    """Computer players who might hold the Fool answer together, however long each of them thinks.

    In Arcanoid, a player can use the Fool to take cards that another player has just engaged. Players who might hold it
    are therefore asked. The delay before their answers doesn't depend on how long they think (here, no time or 0.8 s
    each), so it doesn't reveal who holds the Fool.
    """
    taken = []
    for needs in (0.0, 0.8):
        deal = {"first": "1", "stock": "S4 S6 S7 T2 C3 M1 S9 S10 M0 T9 C8 D2 M7 T3 T4 T5 T6 C9"}
        kinds = ("person", "pebble", "pebble")
        hand.app.change_settings(motion="off")
        names = ["Aiko", "Ben", "Cleo"]
        hand.app.matches.start(load_catalogue().get("arcanoid"), names, 0, "", 3, deal, player_types=kinds)
        page = hand.page(SceneMatchPage)
        slow = page.computer_players.engine = SlowEngine(hand, "let", needs)
        page.actions.play_move("S:S4+S6")
        ask = page.match.state.decision
        assert ask is not None
        assert (ask.kind, ask.seats) == ("fool", (1, 2))
        started_at, counts = hand.app.clock(), set()
        while page.match.state.decision.kind == "fool":
            counts.add(page.match.cursor)
            hand.wait(0.1)
            assert hand.app.clock() < started_at + 10
        taken.append(round(hand.app.clock() - started_at, 1))
        assert counts == {1}, "never one answer without the other"
        assert [(ply.seat, ply.move) for ply in page.match.plies[1:3]] == [(1, "let"), (2, "let")]
        assert [more["budget"].seconds for *_, more in slow.asked[:2]] == [0.7, 0.7]
    hand.app.change_settings(motion="normal")
    assert taken[0] >= 2.0
    assert max(taken) - min(taken) <= 0.11


def test_redo_animates_the_move_again(hand: Hand) -> None:
    page = sit(hand, HYENA)
    make_move_with_keys(hand, "throw")
    make_move_with_keys(hand, "go")
    hand.app.change_settings(motion="normal")
    hand.draw()
    stood = page.match.state
    hand.key("ctrl+z")
    hand.wait(3)
    assert not page.scene.is_animating(hand.app.clock())
    hand.key("ctrl+y")
    assert page.match.state is stood
    assert page.scene.is_animating(hand.app.clock())
    hand.wait(3)
    fresh = make_scene(page.match.game, 2)
    fresh.reset(page.model.observation, page.model.perspective_seat)
    now, colours = hand.app.clock(), hand.app.settings.board_theme
    assert page.scene.top_view(now, colours, NO_HIGHLIGHTS) == fresh.top_view(now, colours, NO_HIGHLIGHTS)
