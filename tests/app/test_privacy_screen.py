"""The privacy screen shows whose turn it is and nothing else, in every game."""

from __future__ import annotations

import random
import re
from typing import TYPE_CHECKING

import numpy as np
import pytest

from shibumi3d import i18n
from shibumi3d.app.match.marble_view.playback import RevealCard
from shibumi3d.app.match.privacy_screen import PrivacyScreen
from shibumi3d.app.match.scene_view.page import SceneMatchPage
from shibumi3d.app.platform import window_title
from shibumi3d.catalogue.catalogue import load_catalogue
from shibumi3d.scene.rect import Rect
from tests.app.writing import written

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tests.app.hand import Hand

NAMES = ("Ann", "Ben", "Cem", "Dan")
SECRET = [
    entry.id
    for entry in load_catalogue()
    if entry.kind == "marbles"
    and entry.players[1] > 1
    and entry.game().facts(max(2, entry.players[0])).has_secrets
]
TURNS = 8


def pixels(hand: Hand) -> NDArray[np.uint8]:
    """End any fade between pages, draw the next frame and return the pixels of the whole window."""
    got: list[NDArray[np.uint8]] = []
    hand.app.page_fade.end()
    hand.app.root.dirty = True
    hand.app._pending_screenshot = lambda: got.append(
        hand.app.canvas.read_pixels(Rect(0, 0, *hand.app.root.size))
    )
    hand.draw()
    return got[0]


def check_privacy_screen(hand: Hand, monkeypatch: pytest.MonkeyPatch) -> tuple[int, NDArray[np.uint8]]:
    """Assert that the privacy screen shows only its fixed texts and the name of the next player.

    Return that player's seat and the pixels of the window.
    """
    top = hand.floating(PrivacyScreen)
    shown_texts = sorted(written(monkeypatch, hand.draw).texts)
    keys = "Or hold Space. Esc goes back to the games."
    assert shown_texts == sorted(
        ["渋", "Hand over to", top.player_name, "Hold to show the table", "Games", keys]
    )
    return top.seat, pixels(hand)


@pytest.mark.parametrize("language", ["fr", "de", "es"])
def test_hold_button_shows_its_whole_text(hand: Hand, monkeypatch: pytest.MonkeyPatch, language: str) -> None:
    hand.app.change_settings(language=language, motion="off")
    hand.start("spagyric", NAMES[:2])
    assert i18n._("Hold to show the table") in written(monkeypatch, hand.draw).texts


def test_some_games_have_secrets() -> None:
    assert {"spagyric", "spangle", "spy"} <= set(SECRET)


def test_privacy_screen_shows_only_whose_turn_it_is(hand: Hand, monkeypatch: pytest.MonkeyPatch) -> None:
    """For each seat, the privacy screen has the same pixels and texts in every marble game with secrets.

    The screens of different seats differ, because each screen shows the name of the next player.
    """
    hand.app.change_settings(motion="off")
    curtains: dict[int, NDArray[np.uint8]] = {}
    closed: dict[str, int] = dict.fromkeys(SECRET, 0)
    for game in SECRET:
        entry = load_catalogue().get(game)
        seats = max(2, entry.players[0])
        chance = random.Random(game)
        play = hand.start(game, NAMES[:seats], size=entry.size)
        play.side_panel.show_rules()
        for _ in range(TURNS):
            while hand.app.root.popups:
                top = hand.app.root.popups[-1]
                if isinstance(top, PrivacyScreen):
                    closed[game] += 1
                    assert top.player_name == play.names[top.seat]
                    seat, shown = check_privacy_screen(hand, monkeypatch)
                    assert np.array_equal(shown, curtains.setdefault(seat, shown)), game
                else:
                    assert isinstance(top, RevealCard)
                    play.playback.continue_after_reveal()
                hand.app.root.close_popup()
            moves = play.controller.moves
            if not moves:
                break
            play.actions.play_move(chance.choice(moves))
        kept = hand.app.matches.current_path
        assert kept is not None
        assert re.fullmatch(rf"\d{{4}}-\d\d-\d\d \d\d-\d\d-\d\d {game}( \d+)?\.yaml", kept.name)
        hand.app.root.close_popups()
    assert all(closed.values()), "every game shows a privacy screen"
    assert len(curtains) > 1
    assert not np.array_equal(curtains[0], curtains[1]), "privacy screens name the seat"
    hand.app.change_settings(motion="normal")


def test_privacy_screen_opens_with_a_single_click_if_configured(
    hand: Hand, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the setting ``calm``, one click or one press of Space is enough to open the privacy screen.

    By default, the mouse button or Space must be held for a moment.
    """
    for press in ("pointer", "space"):
        hand.app.change_settings(calm=True)
        hand.start("springe")
        curtain = hand.floating(PrivacyScreen)
        shown_texts = written(monkeypatch, hand.draw).texts
        assert {"Show the table", "Or press Space. Esc goes back to the games."} <= set(shown_texts)
        if press == "space":
            hand.key("space")
        else:
            hand.click(*hand.app.to_window_pixels(curtain.hold_button.rect.cx, curtain.hold_button.rect.cy))
        assert not any(isinstance(window, PrivacyScreen) for window in hand.app.root.popups)


@pytest.mark.parametrize(("game", "seats"), [("golden-spiral", 2), ("arcanoid", 3)])
def test_privacy_screen_hides_hands_and_numbers_at_other_tables(
    hand: Hand, monkeypatch: pytest.MonkeyPatch, game: str, seats: int
) -> None:
    """In two matches with different deals and moves, all privacy screens for the same seat look the same."""
    hand.app.change_settings(motion="off")
    curtains: dict[int, NDArray[np.uint8]] = {}
    closed = 0
    for seed in (1, 2):
        chance = random.Random(seed)
        hand.app.matches.start(load_catalogue().get(game), NAMES[:seats], 0, "", seed)
        page = hand.page(SceneMatchPage)
        hand.draw()
        for _ in range(TURNS):
            if hand.app.root.popups:
                closed += 1
                seat, shown = check_privacy_screen(hand, monkeypatch)
                assert np.array_equal(shown, curtains.setdefault(seat, shown)), page.match.plies[-1:]
                hand.app.root.close_popup()
            if page.model.response_seats:
                # Several seats are asked at once: one of them looks at its hand and answers, or all decline.
                page.actions.let_seat_respond(chance.choice([-1, *page.model.response_seats]))
                continue
            moves = page.model.legal_moves()
            if not moves:
                assert page.match.state.to_move is None
                break
            page.actions.play_move(chance.choice(moves))
        kept = hand.app.matches.current_path
        assert kept is not None
        assert re.fullmatch(rf"\d{{4}}-\d\d-\d\d \d\d-\d\d-\d\d {game}( \d+)?\.yaml", kept.name)
        hand.app.root.close_popups()
    assert closed >= 2 * 3
    assert len(curtains) == seats
    hand.app.change_settings(motion="normal")


def test_window_title_reveals_no_secret() -> None:
    assert window_title.PROGRAM_TITLE == "Shibumi 3D"
