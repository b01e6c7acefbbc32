"""Computer players in the window: setup, thinking, order of events, undo, stopping and secrets."""

from __future__ import annotations

import os
import pickle
import signal
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from shibumi3d.app.host.settings import Settings, load_settings, save_settings
from shibumi3d.app.main import fill_seat_names
from shibumi3d.app.match.marble_view.computers import HIGHLIGHT_SECONDS
from shibumi3d.app.match.marble_view.page import MarbleMatchPage
from shibumi3d.app.match.players import MOVE_PAUSE_SECONDS
from shibumi3d.app.match.privacy_screen import PrivacyScreen
from shibumi3d.app.pages.home.page import HomePage
from shibumi3d.app.ui.choice import Choice as Choices
from shibumi3d.i18n import P_, Message
from shibumi3d.search.engine_client import EngineClient, EngineFailure
from shibumi3d.search.levels import PERSON
from shibumi3d.search.players import Analysis, Choice, player
from tests.app.writing import written

if TYPE_CHECKING:
    from pathlib import Path

    from tests.app.hand import Hand


class Scripted(EngineClient):
    """Engine stand-in that answers each request with the next move of ``script``.

    The answer is there at the next poll. While ``script`` is empty, the engine stays busy unless it is cancelled or
    closed. The requests are recorded in ``asked``. ``mean`` is the value, from 0 (lost) to 1 (won), that comes with
    every answer.
    """

    def __init__(self, mean: float = 0.5) -> None:
        super().__init__()
        self.mean = mean
        self.asked: list[tuple[Any, ...]] = []
        self.script: list[str] = []
        self.open = self.hurried = self.closed = False
        self.passed = 1.5

    @property
    def is_busy(self) -> bool:
        return self.open

    @property
    def elapsed_seconds(self) -> float:
        return self.passed if self.open else 0.0

    def request_move(self, game: Any, view: Any, strength: str | int, **more: Any) -> None:
        self.asked.append((game, view, strength, more))
        self.open = True

    def poll(self) -> Choice | EngineFailure | None:
        if not self.open or not self.script:
            return None
        self.open = False
        return Choice(self.script.pop(0), Analysis(0, 0, self.mean))

    def hurry(self) -> None:
        self.hurried = True

    def cancel(self) -> None:
        self.open = False

    def close(self) -> None:
        self.open, self.closed = False, True


def play(hand: Hand, game: str, kinds: tuple[str, ...], *script: str) -> Scripted:
    """Start a match, and return the stand-in for the engine of its computer players.

    ``kinds`` holds the player type of each seat. The computer players make the moves of ``script`` in order.
    """
    names = [f"Player {n + 1}" if kind == PERSON else "Stone" for n, kind in enumerate(kinds)]
    from shibumi3d.catalogue import catalogue

    entry = catalogue.load_catalogue().get(game)
    hand.app.matches.start(entry, names, entry.size, "", 1, player_types=kinds)
    thinker = hand.play.computer_players.engine = Scripted()
    thinker.script = list(script)
    hand.draw()
    return thinker


def test_computer_moves_after_a_pause_and_shows_where(hand: Hand) -> None:
    thinker = play(hand, "spline", (PERSON, "stone"), "B@Ac3")
    hand.click(*hand.spot("Ab2"))
    moved = hand.now
    while hand.play.marble_scene.is_animating(hand.play.animation_time()):
        hand.wait(hand.step)
    still = hand.now
    assert still > moved
    assert thinker.asked[0][2] == "stone"
    hand.wait(MOVE_PAUSE_SECONDS - 0.15)
    assert hand.moves == ["W@Ab2"]
    assert hand.play.computer_players.pending_move_signs() == ([], [])
    while not hand.play.computer_players.pending_move_signs()[1]:
        hand.wait(0.05)
        assert hand.moves == ["W@Ab2"], "the goal is lit before the marble moves"
    assert hand.now - still >= MOVE_PAUSE_SECONDS + HIGHLIGHT_SECONDS
    ((ghost,), goal) = hand.play.computer_players.pending_move_signs()[1], hand.play.state.parse_point("Ac3")
    assert (ghost.board, ghost.point) == goal
    hand.wait(2)
    assert hand.moves == ["W@Ab2", "B@Ac3"]
    assert hand.play.status_line.sentence().startswith("Player 1 to move")


def test_destination_is_highlighted_at_double_speed_too(hand: Hand) -> None:
    thinker = play(hand, "spline", ("stone", "stone"))
    hand.play.computer_players.series_controls.series.speed = 2
    thinker.script.append("W@Ab2")
    while not hand.play.computer_players.pending_move_signs()[1]:
        hand.wait(0.02)
        assert not hand.moves, "the goal is lit before the marble moves"
    hand.wait(2)
    assert hand.moves == ["W@Ab2"]


def test_thinking_draws_one_frame_a_second_without_an_animation(hand: Hand) -> None:
    hand.app.change_settings(reduced=True)
    thinker = play(hand, "spline", (PERSON, "stone"))
    hand.choose("Ab2")
    hand.wait(3)
    before = hand.pictures
    hand.wait(3)
    assert hand.pictures == before
    thinker.passed = 2.0
    hand.wait(1)
    assert hand.pictures == before + 1
    thinker.script.append("B@Ac3")
    hand.wait(3)
    assert hand.moves == ["W@Ab2", "B@Ac3"]
    hand.app.change_settings(reduced=False)
    hand.choose("Ab3")
    before = hand.pictures
    hand.wait(1)
    assert hand.pictures == before + 1 / hand.step


def test_focus_starts_at_an_available_action(hand: Hand) -> None:
    def first() -> str:
        hand.app.root.focus = None
        hand.key("tab")
        assert hand.app.root.focus is not None
        return hand.app.root.focus.name

    play(hand, "spline", (PERSON, "stone"))
    hand.choose("Ab2")
    assert hand.play.status_line.sentence() == "Stone is thinking"
    assert first() == "move now"
    hand.start("spline")
    hand.choose("Ab2", "Ac2")
    hand.play.actions.view_ply(1)
    hand.draw()
    assert first() == "return"


def test_clicks_on_the_computers_turn_only_rotate_the_view(hand: Hand) -> None:
    play(hand, "spline", (PERSON, "stone"))
    hand.choose("Ab2")
    assert hand.play.status_line.sentence() == "Stone is thinking"
    assert hand.play.controller.targets == ()
    hand.choose("Ac3")
    assert hand.moves == ["W@Ab2"]
    assert hand.play.actions.message == "Stone is thinking."
    for key in ("enter", "space", "p", "/", "1", "escape", "backspace"):
        hand.key(key)
    assert hand.moves == ["W@Ab2"]
    assert not hand.app.root.popups
    before = hand.spot("Ac3")
    hand.drag((640, 400), (700, 400))
    hand.wait(0.5)
    assert hand.spot("Ac3") != before


def test_escape_closes_popups_while_the_computer_thinks(hand: Hand) -> None:
    """Each press of Escape leaves one thing: the save dialog, zen mode, the exploded view, then the rules.

    Meanwhile, the computer goes on thinking. The person's move isn't undone, although Escape can undo a step.
    """
    thinker = play(hand, "spline", (PERSON, "stone"))
    hand.choose("Ab2")
    page = hand.play
    hand.key("f1")
    page.exploded_view.set_on(True)
    hand.key("z")
    hand.key("ctrl+s")
    hand.wait(1)
    seen = []
    for _ in range(4):
        hand.key("escape")
        hand.wait(1)
        seen.append(
            (
                bool(hand.app.root.popups),
                page.is_zen_mode,
                page.exploded_view.is_on,
                page.tabs.selected_index == 1,
            )
        )
        assert thinker.is_busy
        assert hand.moves == ["W@Ab2"]
    assert seen == [
        (False, True, True, True),
        (False, False, True, True),
        (False, False, False, True),
        (False, False, False, False),
    ]


def test_undo_returns_to_the_players_own_decision(hand: Hand) -> None:
    thinker = play(
        hand,
        "spline-plus",
        (
            "stone",
            PERSON,
        ),
        "W@Ab2",
        "W@Ac2",
        "W@Ad4",
    )
    hand.wait(3)
    assert hand.moves == ["W@Ab2"]
    hand.key("ctrl+z")
    assert hand.moves == ["W@Ab2"], "a person has decided nothing yet"
    assert hand.play.message_line.current_message()[0] == "There is nothing of yours to undo."
    hand.choose("Ab3")
    hand.wait(3)
    assert hand.moves == ["W@Ab2", "B@Ab3", "W@Ac2"]
    hand.key("ctrl+z")
    assert hand.moves == ["W@Ab2"]
    hand.wait(3)
    assert hand.moves == ["W@Ab2"]
    hand.key("ctrl+y")
    assert hand.moves == ["W@Ab2", "B@Ab3", "W@Ac2"]
    hand.choose("Ac3")
    asked = len(thinker.asked)
    hand.key("ctrl+z")
    hand.wait(3)
    assert hand.moves == ["W@Ab2", "B@Ab3", "W@Ac2"], "it stopped to think of what was taken back"
    assert not thinker.open
    assert len(thinker.asked) <= asked


def test_steps_of_a_computer_turn_are_shown_one_by_one(hand: Hand) -> None:
    play(hand, "spight", ("stone", PERSON), "^Ad4", ">Bc2")
    seen: list[list[str]] = []
    busy = False
    for _ in range(60):
        before, busy = busy, hand.play.marble_scene.is_animating(hand.play.animation_time())
        hand.wait(hand.step)
        if not seen or seen[-1] != hand.moves:
            seen.append(hand.moves)
            assert not before, "a step waits until the one before has been seen"
    assert seen == [[], ["^Ad4"], ["^Ad4", ">Bc2"]]


def test_stop_and_move_now_buttons(hand: Hand) -> None:
    thinker = play(hand, "spline", (PERSON, "stone"))
    hand.choose("Ab2")
    assert hand.play.seat_cards[1].page.computer_players.thinking_time_text(1) == "1 s"
    hand.push("move now")
    assert thinker.hurried
    hand.push("stop thinking")
    assert not thinker.open
    thinker.script = ["B@Ac3"]
    hand.wait(3)
    assert hand.moves == ["W@Ab2"]
    assert hand.play.status_line.sentence() == "Stone to move – paused"
    hand.push("go on thinking")
    hand.wait(3)
    assert hand.moves == ["W@Ab2", "B@Ac3"]
    hand.app.pages.show_home()
    assert thinker.closed


def test_match_between_computers_can_be_paused(hand: Hand) -> None:
    moves = ("W@Aa1", "B@Ab2", "W@Aa2", "B@Ac2", "W@Ab3")
    thinker = play(hand, "spline", ("stone", "stone"), *moves)
    hand.wait_until(lambda: hand.moves == list(moves[:3]))
    hand.push("stop thinking")
    hand.wait(3)
    assert hand.moves == list(moves[:3])
    hand.key("ctrl+z")
    assert hand.moves == list(moves[:2])
    thinker.script.insert(0, "W@Aa3")
    hand.wait(2)
    assert hand.moves == list(moves[:2])
    hand.push("go on thinking")
    hand.wait(2)
    assert hand.moves == [*moves[:2], "W@Aa3"]


def test_computer_description_is_shown_whole_or_not_at_all(
    hand: Hand, monkeypatch: pytest.MonkeyPatch
) -> None:
    hand.type("spline")
    hand.wait(0.3)
    hand.push("who 2")
    hand.push("kind mountain")
    texts = written(monkeypatch, hand.draw).texts
    assert "Mountain" in texts
    assert not [text for text in texts if text.startswith("Mountain ")]


def test_arrow_keys_move_through_player_types_from_the_current_one(hand: Hand) -> None:
    hand.push("who 2")
    hand.key("down")
    hand.key("down")
    hand.key("enter")
    home = hand.page(HomePage)
    assert home.start_panel.setup.player_types[1] == "stone"
    hand.push("who 2")
    hand.key("up")
    hand.key("enter")
    assert home.start_panel.setup.player_types[1] == "pebble"


def test_match_against_a_real_computer_starts_from_the_home_page(hand: Hand) -> None:
    """The weakest computer player is chosen for the second seat, makes a move, and is remembered for the next match."""
    home = hand.page(HomePage)
    hand.type("spline")
    hand.wait(0.2)
    hand.push("who 2")
    hand.push("kind pebble")
    hand.draw()
    assert home.start_panel.setup.player_types[:2] == [PERSON, "pebble"]
    hand.push("play")
    page = hand.page(MarbleMatchPage)
    assert page.names == ["Player 1", "Pebble"]
    hand.choose("Ab2")
    hand.wait_until(lambda: len(hand.moves) == 2)
    assert page.computer_players.engine is not None
    pid = page.computer_players.engine.pid
    assert pid is not None
    assert load_settings(hand.app.services.config_folder).settings.seats == {
        page.match.game.id: (PERSON, "pebble")
    }
    hand.app.pages.show_home()
    hand.push("continue")
    assert hand.play.match.player_types == (PERSON, "pebble")
    hand.app.matches.rematch(hand.play.match, hand.play.entry, 1)
    assert hand.play.match.player_types == ("pebble", PERSON)
    hand.wait_until(lambda: len(hand.moves) == 1)
    assert hand.play.computer_players.engine is not None
    assert hand.play.computer_players.engine.pid == pid, "the matches share a process"
    assert hand.app.settings.names[:1] == ("Player 1",)


def test_killed_engine_process_is_restarted_and_reported_once(hand: Hand) -> None:
    play(hand, "spline", (PERSON, "sky"))
    hand.play.computer_players.engine = None
    hand.choose("Ab2")
    hand.wait_until(lambda: hand.play.computer_players.thinking_seconds > 0)
    thinker = hand.play.computer_players.engine
    assert thinker is not None
    assert thinker.pid is not None
    os.kill(thinker.pid, signal.SIGKILL)
    hand.wait_until(lambda: bool(hand.app.root.popups))
    hand.key("enter")
    assert not hand.app.root.popups
    hand.push("move now")
    hand.wait_until(lambda: len(hand.moves) == 2)
    assert not hand.app.root.popups
    hand.app.pages.show_home()


@pytest.mark.parametrize("game", ["spanic", "spagyric", "spindizzy", "springe"])
def test_computers_need_no_privacy_screen_and_get_only_their_observation(hand: Hand, game: str) -> None:
    """The engine receives only its seat's observation, and the person at the screen sees only their own."""
    from shibumi3d.catalogue import catalogue

    entry = catalogue.load_catalogue().get(game)
    seats = entry.players[0]
    kinds = (PERSON, *["pebble"] * (seats - 1))
    thinker = play(hand, game, kinds)
    for _ in range(6):
        match = hand.play.match
        seat = match.state.to_move
        assert not any(isinstance(each, PrivacyScreen) for each in hand.app.root.popups)
        if seat is None:
            break
        if hand.play.visible_position.is_revealing:
            hand.key("enter")
            hand.key("enter")
            hand.wait(1)
            continue
        seen = hand.play.visible_position.observation
        assert seen == match.game.observe(match.state, 0)
        if seat == 0:
            hand.play.actions.play_move(hand.play.controller.moves[0])
        else:
            assert hand.play.controller.moves == ()
            assert hand.play.controller.observation == match.game.observe(match.state, None)
            assert not hand.play.choice_panel.visible
            hand.wait(0.2)
            for _, _, _, more in thinker.asked:
                assert more["seat"] != 0
            assert thinker.asked[-1][1] == match.game.observe(match.state, seat)
            hidden = match.game.observe(match.state, seat) != match.state
            assert not hidden or pickle.dumps(thinker.asked[-1][1]) != pickle.dumps(match.state)
            thinker.script = [match.legal_moves()[0].text]
        hand.wait(3)
    assert thinker.asked


def test_old_settings_load_and_unknown_player_types_become_people(tmp_path: Path) -> None:
    (tmp_path / "settings.json").write_text('{"names": ["Ann"]}')
    assert load_settings(tmp_path).settings == Settings(names=("Ann",))
    (tmp_path / "settings.json").write_text('{"seats": {"x": ["boulder", "stone"]}}')
    assert load_settings(tmp_path).settings.seats == {"x": (PERSON, "stone")}
    assert save_settings(tmp_path, load_settings(tmp_path).settings) == ""
    assert load_settings(tmp_path).settings.seats == {"x": (PERSON, "stone")}
    (tmp_path / "settings.json").write_text('{"seats": {"x": 3}}')
    assert load_settings(tmp_path).notice


TO_AND_FRO = ("^Aa1", ">Ab1", "^Ad4", ">Ac4", "^Ab1", ">Aa1", "^Ac4", ">Ad4")
"""Moves of two marbles to neighbouring holes and back, which restore the position."""


def test_draw_can_be_claimed_with_a_button(hand: Hand) -> None:
    """A draw can be claimed in Spline+ when a position occurs for the third time.

    The position after the two placements occurs again whenever both marbles have moved away and come back. When they
    have come back twice, it has therefore occurred three times.
    """
    hand.app.settings = hand.app.settings.with_changes(motion="off")
    screen = hand.start("spline-plus")
    for move in ("W@Aa1", "B@Ad4", *TO_AND_FRO, *TO_AND_FRO):
        assert not screen.special_move_button.visible
        screen.actions.play_move(next(m for m in screen.controller.moves if m.text == move))
    assert screen.special_move_button.visible
    assert (
        screen.message_line.current_message()[0]
        == "This position has occurred three times: you can claim a draw."
    )
    hand.draw()
    hand.push("claim a draw")
    hand.wait(1)
    assert screen.match.state.result.winners == ()
    assert "draw" in screen.result_bar.describe_result().casefold()
    assert hand.moves[-1] == "claim-draw"
    hand.key("ctrl+z")
    assert screen.special_move_button.visible
    assert screen.match.state.result is None


def test_computers_claim_draws_only_if_they_want_to(hand: Hand) -> None:
    hand.app.settings = hand.app.settings.with_changes(motion="off")
    script = ("W@Aa1", "B@Ad4", *TO_AND_FRO, *TO_AND_FRO, "^Aa1")
    play(hand, "spline-plus", ("stone", "stone"), *script)
    hand.wait_until(lambda: hand.play.match.state.to_move is None)
    assert hand.moves == [*script[:-1], "claim-draw"]
    hand.app.pages.show_home()
    hand.type("spline+")
    hand.wait(0.2)
    choice = hand.found("repeats", Choices)
    assert choice.options == ("draw can be claimed", "play on")
    choice.select(1)
    hand.push("play")
    assert not hand.play.match.can_claim_repetition
    hand.app.pages.show_home()
    home = hand.page(HomePage)
    for game in "spline", "spalone":
        entry = hand.app.catalogue.find(game)
        assert entry is not None
        home.start_panel.show_game(entry)
        assert hand.app.root.find("repeats") is None, "marbles that stay where they are never come back"


def test_default_name_is_the_last_player_at_that_seat() -> None:
    assert fill_seat_names(("me", "stone"), 2, ("Ann", "Ben")) == ["Ann", "stone"]
    assert fill_seat_names(("stone", "me"), 2, ("Ann",)) == ["stone", "Player 2"]
    assert fill_seat_names(("me",), 3, ()) == ["Player 1", "Player 2", "Player 3"]
    assert fill_seat_names(("Zoe", "me", "Bo"), 2, ("Ann", "Ben")) == ["Zoe", "Ben"]


class Instant(Scripted):
    """Engine stand-in that plays random moves at once."""

    def request_move(self, game: Any, view: Any, strength: str | int, **more: Any) -> None:
        chosen = player("random", len(self.asked)).choose(game, view, seat=more["seat"], moves=more["moves"])
        self.script = [chosen.move]
        super().request_move(game, view, strength, **more)


def test_series_between_computers_rotates_seats_and_counts_wins(
    hand: Hand, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The players rotate one seat after each match, and wins are counted by player rather than by seat."""
    monkeypatch.setattr("shibumi3d.app.match.players.EngineClient", Instant)
    entry = hand.app.catalogue.get("spree")
    hand.app.matches.start(entry, ["Stone", "Pebble"], 3, "", 1, player_types=("stone", "pebble"))
    hand.draw()
    hand.push("how many")
    for _ in range(3):
        hand.push("speed")
    assert hand.play.computer_players.series_controls.length_button.label == "5 matches"
    assert hand.play.computer_players.series_controls.speed_button.label == "Speed ×8"
    series = hand.app.matches.series
    assert series is not None
    met: list[Any] = []

    def done() -> bool:
        if hand.play.match not in met:
            met.append(hand.play.match)
        return series.matches_played == 5

    hand.wait_until(done)
    hand.wait(5)
    assert hand.play.match is met[-1]
    assert [each.seats[0].name for each in met] == ["Stone", "Pebble"] * 2 + ["Stone"]
    winners = [each.seats[seat].name for each in met for seat in each.state.result.winners]
    assert series.wins == [winners.count("Stone"), winners.count("Pebble")]
    assert sum(series.wins) == 5
    rows = hand.play.computer_players.series_controls.series.result_rows()
    assert [name for name, _, _ in rows] == ["Stone", "Pebble", ""]
    assert rows[0][2] == f"{20 * series.wins[0]}%"
    assert rows[2][1] == "0 draws"
    hand.key("ctrl+z")
    # The seats of the fifth match are those of the first. During a match, the player cards show the wins.
    assert [card.side_notes() for card in hand.play.seat_cards] == [[rows[0][1]], [rows[1][1]]]
    hand.push("go on thinking")
    hand.wait_until(lambda: hand.play.match.state.to_move is None)
    assert series.matches_played == 5, "an end that comes again counts once"


def test_pause_between_two_matches_persists(hand: Hand, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shibumi3d.app.match.players.EngineClient", Instant)
    entry = hand.app.catalogue.get("spree")
    hand.app.matches.start(entry, ["Stone", "Pebble"], 3, "", 1, player_types=("stone", "pebble"))
    hand.draw()
    hand.push("how many")
    first = hand.play.match
    hand.wait_until(lambda: first.state.to_move is None)
    hand.push("stop thinking")
    hand.wait(8)
    assert hand.play.match is first
    hand.push("go on thinking")
    hand.wait(4)
    assert hand.play.match is not first
    assert hand.play.match.seats[0].name == "Pebble"


def test_secret_choices_between_computers_are_shown(hand: Hand, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shibumi3d.app.match.players.EngineClient", Instant)
    entry = hand.app.catalogue.get("spagyric")
    hand.app.matches.start(entry, ["Stone", "Pebble"], entry.size, "", 1, player_types=("stone", "pebble"))
    hand.draw()
    seen = 0

    def done() -> bool:
        nonlocal seen
        seen += hand.play.model.is_revealing
        return hand.play.match.cursor > 12

    hand.wait_until(done)
    assert seen > 10


class ReasonedEngine(Scripted):
    """Engine stand-in that gives a reason for its move."""

    def poll(self) -> Choice | EngineFailure | None:
        found = super().poll()
        why = (
            Message(
                P_("why.stops.line", "stops {who} from winning at {place} with the line {line}"),
                who="Ann",
                place="Ab2",
                line="Ab1–Ab4",
            ),
        )
        return replace(found, reasons=why) if isinstance(found, Choice) else found


@pytest.mark.parametrize(
    ("wanted", "expected_message"),
    [(True, "Stone: stops Ann from winning at Ab2 with the line Ab1–Ab4."), (False, "")],
)
def test_computers_explain_their_moves_if_enabled(hand: Hand, wanted: bool, expected_message: str) -> None:
    hand.app.change_settings(reasons=wanted)
    play(hand, "spline", (PERSON, "stone"))
    thinker = hand.play.computer_players.engine = ReasonedEngine()
    thinker.script = ["B@Ab2"]
    hand.choose("Aa1")
    hand.wait(4)
    assert hand.moves == ["W@Aa1", "B@Ab2"]
    assert hand.play.actions.message == expected_message
    assert thinker.asked[0][3]["names"] == (hand.play.names if wanted else None)
