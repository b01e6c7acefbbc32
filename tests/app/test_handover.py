"""Between two seats: the curtain says whose turn it is and nothing else, whatever game lies under it."""

from __future__ import annotations

import random
import re
from typing import TYPE_CHECKING

import numpy as np
import pytest

from shibumi3d.app.board.handover import HandoverScreen
from shibumi3d.app.pages.play.opening import Opening
from shibumi3d.app.pages.tables.screen import TablePlay
from shibumi3d.app.program import title
from shibumi3d.catalogue.catalogue import load
from shibumi3d.scene.rect import Rect
from tests.app.writing import written

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tests.app.hand import Hand

NAMES = ("Ann", "Ben", "Cem", "Dan")
SECRET = [
    entry.id
    for entry in load()
    if entry.kind == "marbles"
    and entry.players[1] > 1
    and entry.game().facts(max(2, entry.players[0])).secrets
]
TURNS = 8


def pixels(hand: Hand) -> NDArray[np.uint8]:
    """The whole window as it is drawn next."""
    got: list[NDArray[np.uint8]] = []
    hand.app.hurry()
    hand.app.root.dirty = True
    hand.app._wanted_picture = lambda: got.append(hand.app.canvas.read(Rect(0, 0, *hand.app.root.size)))
    hand.draw()
    return got[0]


def covered(hand: Hand, monkeypatch: pytest.MonkeyPatch) -> tuple[int, NDArray[np.uint8]]:
    """The seat a curtain hangs for, and its picture; it says no word but that."""
    top = hand.floating(HandoverScreen)
    said = sorted(written(monkeypatch, hand.draw).texts)
    keys = "Or hold Space · Esc: back to the games"
    assert said == sorted(["渋", "Hand over to", top.person, "Hold to look", "Games", keys])
    return top.seat, pixels(hand)


def test_there_are_games_with_secrets() -> None:
    assert {"spagyric", "spangle", "spy"} <= set(SECRET)


def test_the_curtain_shows_no_more_than_whose_turn_it_is(hand: Hand, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every game with secrets is played on; all curtains for one seat are the same to the pixel and the letter."""
    hand.app.change(motion="off")
    curtains: dict[int, NDArray[np.uint8]] = {}
    closed: dict[str, int] = dict.fromkeys(SECRET, 0)
    for game in SECRET:
        entry = load().get(game)
        seats = max(2, entry.players[0])
        chance = random.Random(game)
        play = hand.start(game, NAMES[:seats], size=entry.size)
        play.folding.show_rules()
        for _ in range(TURNS):
            while hand.app.root.floats:
                top = hand.app.root.floats[-1]
                if isinstance(top, HandoverScreen):
                    closed[game] += 1
                    assert top.person == play.names[top.seat]
                    seat, shown = covered(hand, monkeypatch)
                    assert np.array_equal(shown, curtains.setdefault(seat, shown)), game
                else:
                    assert isinstance(top, Opening)
                    play.playback.go_on()
                hand.app.root.close()
            moves = play.control.moves
            if not moves:
                break
            play.doing.play_move(chance.choice(moves))
        kept = hand.app.matches.kept
        assert kept is not None
        assert re.fullmatch(rf"\d{{4}}-\d\d-\d\d \d\d-\d\d-\d\d {game}( \d+)?\.yaml", kept.name)
        hand.app.root.close_all()
    assert all(closed.values()), "every one of these games hands over"
    assert len(curtains) > 1
    assert not np.array_equal(curtains[0], curtains[1]), "they name the seat"
    hand.app.change(motion="normal")


def test_who_takes_clicks_one_at_a_time_opens_it_by_one(hand: Hand, monkeypatch: pytest.MonkeyPatch) -> None:
    """Held a moment it opens else, by pointer and by Space: see also the tests of the page."""
    for press in ("pointer", "space"):
        hand.app.change(calm=True)
        hand.start("springe")
        curtain = hand.floating(HandoverScreen)
        said = written(monkeypatch, hand.draw).texts
        assert {"Look", "Or press Space · Esc: back to the games"} <= set(said)
        if press == "space":
            hand.key("space")
        else:
            hand.click(*hand.app.pixels(curtain.hold.rect.cx, curtain.hold.rect.cy))
        assert not any(isinstance(window, HandoverScreen) for window in hand.app.root.floats)


@pytest.mark.parametrize(("game", "seats"), [("golden-spiral", 2), ("arcanoid", 3)])
def test_at_other_tables_the_curtain_shows_no_hand_and_no_number(
    hand: Hand, monkeypatch: pytest.MonkeyPatch, game: str, seats: int
) -> None:
    """Two matches dealt and played differently: all curtains for one seat are the same to the pixel and the letter."""
    hand.app.change(motion="off")
    curtains: dict[int, NDArray[np.uint8]] = {}
    closed = 0
    for seed in (1, 2):
        chance = random.Random(seed)
        hand.app.matches.start(load().get(game), NAMES[:seats], 0, "", seed)
        page = hand.app.screen
        assert isinstance(page, TablePlay)
        hand.draw()
        for _ in range(TURNS):
            if hand.app.root.floats:
                closed += 1
                seat, shown = covered(hand, monkeypatch)
                assert np.array_equal(shown, curtains.setdefault(seat, shown)), page.match.plies[-1:]
                hand.app.root.close()
            if page.session.window:
                # All are asked at once: one looks at its own hand to answer, or nobody does.
                page.doing.press(chance.choice([-1, *page.session.window]))
                continue
            moves = page.session.moves()
            if not moves:
                assert page.match.state.to_move is None
                break
            page.doing.play_move(chance.choice(moves))
        kept = hand.app.matches.kept
        assert kept is not None
        assert re.fullmatch(rf"\d{{4}}-\d\d-\d\d \d\d-\d\d-\d\d {game}( \d+)?\.yaml", kept.name)
        hand.app.root.close_all()
    assert closed >= 2 * 3
    assert len(curtains) == seats
    hand.app.change(motion="normal")


def test_the_title_of_the_window_tells_nothing_of_a_game() -> None:
    assert title.TITLE == "Shibumi 3D"
