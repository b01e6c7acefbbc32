"""The first page while the engine is compiled beside the program."""

from __future__ import annotations

import pytest

from shibumi3d import native
from shibumi3d.app.pages.home.learning import PATIENCE, Learning
from shibumi3d.app.pages.home.screen import Home
from shibumi3d.i18n import Message
from tests.app.hand import Hand


@pytest.fixture
def told(hand: Hand, monkeypatch: pytest.MonkeyPatch) -> list[native.BuildProgress | None]:
    """What builders tell, the last thing."""
    said: list[native.BuildProgress | None] = [None]
    monkeypatch.setattr(native, "watched", lambda: True)
    monkeypatch.setattr(native, "progress", lambda: said[-1])
    monkeypatch.setattr(Learning, "told", None)
    monkeypatch.setattr(Learning, "asked", None)
    monkeypatch.setattr(native, "offer", None)
    monkeypatch.setattr(native, "stamp", lambda: (len(said) // 10, 0))
    hand.app.pages.home()
    return said


def line(hand: Hand) -> str:
    """The line on the page, as far as it is seen."""
    home = hand.app.screen
    assert isinstance(home, Home)
    text = home.learning.line
    hand.wait(1.1)
    seen = text.visible and text.rect.bottom <= home.rect.bottom and text.rect.y >= home.games.rect.bottom
    assert bool(text.words) == seen
    return text.words


def test_a_quiet_line_says_how_far_it_is_and_goes_when_it_is_done(
    hand: Hand, told: list[native.BuildProgress | None]
) -> None:
    assert line(hand) == ""
    told.append(native.BuildProgress(0.4))
    assert line(hand) == "Compiling the engine… 40%"
    told.append(native.BuildProgress(0.62))
    assert line(hand) == "Compiling the engine… 62%"
    told.append(None)
    assert line(hand) == ""


def test_in_french(hand: Hand, told: list[native.BuildProgress | None]) -> None:
    hand.app.change(language="fr")
    hand.app.pages.home()
    told.append(native.BuildProgress(0.4))
    assert line(hand) == "Compilation du moteur… 40 %"


def test_what_stopped_it_is_said_once(hand: Hand, told: list[native.BuildProgress | None]) -> None:
    told.append(native.BuildProgress(stopped=Message("the disk is full")))
    assert line(hand) == (
        "Couldn't compile the engine (the disk is full). Shibumi 3D will try again at the next start."
    )
    hand.app.pages.home()
    assert line(hand) == ""
    Learning.told = None
    hand.app.change(language="fr")
    assert line(hand) == (
        "Impossible de compiler le moteur (le disque est plein). Nouvel essai au prochain démarrage."
    )


def test_where_no_builder_says_anything_nobody_looks_for_ever(
    hand: Hand, told: list[native.BuildProgress | None]
) -> None:
    hand.wait(2 * PATIENCE)
    told.append(native.BuildProgress(0.4))
    assert line(hand) == ""
    hand.app.pages.home()
    assert line(hand) == "Compiling the engine… 40%"


class TestWhereItIsOffered:
    """The program is installed, and what compiles it as well."""

    @pytest.fixture
    def presses(
        self, hand: Hand, told: list[native.BuildProgress | None], monkeypatch: pytest.MonkeyPatch
    ) -> list[int]:
        """How often a builder was started."""
        pressed: list[int] = []

        def start() -> bool:
            pressed.append(1)
            return True

        monkeypatch.setattr(native, "offer", start)
        monkeypatch.setattr(native, "read", lambda: None)
        hand.app.pages.home()
        return pressed

    def press(self, hand: Hand, label: str) -> None:
        button = hand.app.screen.learning.button
        assert (button.label, button.visible) == (label, True)
        assert button.rect.bottom <= hand.app.screen.rect.bottom
        assert button.rect.x >= hand.app.screen.learning.line.rect.right
        hand.push("compile")

    def test_a_press_begins_it_and_the_same_line_says_how_far_it_is(
        self, hand: Hand, told: list[native.BuildProgress | None], presses: list[int]
    ) -> None:
        assert line(hand) == "Make the computer players stronger:"
        assert presses == []
        self.press(hand, "Compile engine")
        assert presses == [1]
        assert line(hand) == "Compiling the engine… 0%"  # it has not said anything yet
        told.append(native.BuildProgress(0.4))
        assert line(hand) == "Compiling the engine… 40%"
        assert not hand.app.screen.learning.button.visible
        told.extend([None] * 10)
        assert line(hand) == ""
        assert native.offer is None

    def test_in_french(self, hand: Hand, presses: list[int]) -> None:
        hand.app.change(language="fr")
        assert line(hand) == "Rendre l'ordinateur plus fort :"
        self.press(hand, "Compiler le moteur")
        assert presses == [1]

    def test_what_stopped_is_offered_again(
        self, hand: Hand, told: list[native.BuildProgress | None], presses: list[int]
    ) -> None:
        hand.wait(1.1)
        self.press(hand, "Compile engine")
        told.append(native.BuildProgress(stopped=Message("the disk is full")))
        assert line(hand) == "Couldn't compile the engine (the disk is full)."
        self.press(hand, "Compile engine")
        assert presses == [1, 1]

    def test_what_the_compiler_refuses_is_said_and_not_offered_again(
        self,
        hand: Hand,
        told: list[native.BuildProgress | None],
        presses: list[int],
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        hand.wait(1.1)
        self.press(hand, "Compile engine")
        monkeypatch.setattr(native, "read", lambda: native.BuildRecord((), {}, "error: no"))
        told.extend([None] * 10)
        assert line(hand) == "Couldn't compile the engine (error: no)."
        assert not hand.app.screen.learning.button.visible
        hand.app.pages.home()
        assert line(hand) == ""
