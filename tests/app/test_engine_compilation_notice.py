"""The home page while the engine is compiled in the background."""

from __future__ import annotations

import pytest

from shibumi3d import native
from shibumi3d.app.pages.home.engine_build_status import MAX_SILENT_TICKS, EngineBuildStatus
from shibumi3d.app.pages.home.page import HomePage
from shibumi3d.i18n import Message
from tests.app.hand import Hand


@pytest.fixture
def progress_reports(hand: Hand, monkeypatch: pytest.MonkeyPatch) -> list[native.BuildProgress | None]:
    """Fake progress reports of the background build, while the home page is open.

    The last report in the list is the current one; None stands for no report. Each time the length of the list reaches
    or passes a multiple of ten, ``native.record_times`` changes, as it does after a build.
    """
    sequence: list[native.BuildProgress | None] = [None]
    monkeypatch.setattr(native, "allows_background_build", lambda: True)
    monkeypatch.setattr(native, "read_progress", lambda: sequence[-1])
    monkeypatch.setattr(EngineBuildStatus, "reported_failure", None)
    monkeypatch.setattr(EngineBuildStatus, "started_stamp", None)
    monkeypatch.setattr(native, "start_offered_build", None)
    monkeypatch.setattr(native, "record_times", lambda: (len(sequence) // 10, 0))
    hand.app.pages.show_home()
    return sequence


def build_status_text(hand: Hand) -> str:
    """Return the text of the build status on the home page; assert that it is visible exactly when it isn't empty."""
    home = hand.page(HomePage)
    text = home.build_status.label
    hand.wait(1.1)
    seen = text.visible and text.rect.bottom <= home.rect.bottom and text.rect.y >= home.game_grid.rect.bottom
    assert bool(text.caption) == seen
    return text.caption


def test_home_page_shows_compilation_progress_until_done(
    hand: Hand, progress_reports: list[native.BuildProgress | None]
) -> None:
    assert build_status_text(hand) == ""
    progress_reports.append(native.BuildProgress(0.4))
    assert build_status_text(hand) == "Compiling the engine… 40%"
    progress_reports.append(native.BuildProgress(0.62))
    assert build_status_text(hand) == "Compiling the engine… 62%"
    progress_reports.append(None)
    assert build_status_text(hand) == ""


def test_in_french(hand: Hand, progress_reports: list[native.BuildProgress | None]) -> None:
    hand.app.change_settings(language="fr")
    hand.app.pages.show_home()
    progress_reports.append(native.BuildProgress(0.4))
    assert build_status_text(hand) == "Compilation du moteur… 40 %"


def test_compilation_failure_is_reported_once(
    hand: Hand, progress_reports: list[native.BuildProgress | None]
) -> None:
    progress_reports.append(native.BuildProgress(stop_reason=Message("the disk is full")))
    assert build_status_text(hand) == (
        "Couldn't compile the engine (the disk is full). Shibumi 3D will try again the next time it starts."
    )
    hand.app.pages.show_home()
    assert build_status_text(hand) == ""
    EngineBuildStatus.reported_failure = None
    hand.app.change_settings(language="fr")
    assert build_status_text(hand) == (
        "Impossible de compiler le moteur (le disque est plein). Nouvel essai au prochain démarrage."
    )


def test_polling_stops_if_no_compiler_reports(
    hand: Hand, progress_reports: list[native.BuildProgress | None]
) -> None:
    hand.wait(2 * MAX_SILENT_TICKS)
    progress_reports.append(native.BuildProgress(0.4))
    assert build_status_text(hand) == ""
    hand.app.pages.show_home()
    assert build_status_text(hand) == "Compiling the engine… 40%"


class TestCompilationOffer:
    """The home page offers to compile the engine if ``native.start_offered_build`` is set."""

    @pytest.fixture
    def presses(
        self, hand: Hand, progress_reports: list[native.BuildProgress | None], monkeypatch: pytest.MonkeyPatch
    ) -> list[int]:
        """Show the home page, and return a list that grows by one item each time the build is started.

        A stand-in replaces the function that starts the build, so nothing is compiled.
        """
        pressed: list[int] = []

        def start() -> bool:
            pressed.append(1)
            return True

        monkeypatch.setattr(native, "start_offered_build", start)
        monkeypatch.setattr(native, "read_record", lambda: None)
        hand.app.pages.show_home()
        return pressed

    def press(self, hand: Hand, label: str) -> None:
        button = hand.app.current_page.build_status.button
        assert (button.label, button.visible) == (label, True)
        assert button.rect.bottom <= hand.app.current_page.rect.bottom
        assert button.rect.x >= hand.app.current_page.build_status.label.rect.right
        hand.push("compile")

    def test_press_starts_the_build_and_the_same_line_shows_its_progress(
        self, hand: Hand, progress_reports: list[native.BuildProgress | None], presses: list[int]
    ) -> None:
        assert build_status_text(hand) == "Make the computer players stronger:"
        assert presses == []
        self.press(hand, "Compile engine")
        assert presses == [1]
        assert build_status_text(hand) == "Compiling the engine… 0%"  # no progress has been reported yet
        progress_reports.append(native.BuildProgress(0.4))
        assert build_status_text(hand) == "Compiling the engine… 40%"
        assert not hand.app.current_page.build_status.button.visible
        progress_reports.extend([None] * 10)
        assert build_status_text(hand) == ""
        assert native.start_offered_build is None

    def test_in_french(self, hand: Hand, presses: list[int]) -> None:
        hand.app.change_settings(language="fr")
        assert build_status_text(hand) == "Rendre l'ordinateur plus fort :"
        self.press(hand, "Compiler le moteur")
        assert presses == [1]

    def test_interrupted_build_is_offered_again(
        self, hand: Hand, progress_reports: list[native.BuildProgress | None], presses: list[int]
    ) -> None:
        hand.wait(1.1)
        self.press(hand, "Compile engine")
        progress_reports.append(native.BuildProgress(stop_reason=Message("the disk is full")))
        assert build_status_text(hand) == "Couldn't compile the engine (the disk is full)."
        self.press(hand, "Compile engine")
        assert presses == [1, 1]

    def test_rejection_by_the_compiler_is_reported_and_the_offer_ends(
        self,
        hand: Hand,
        progress_reports: list[native.BuildProgress | None],
        presses: list[int],
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        hand.wait(1.1)
        self.press(hand, "Compile engine")
        monkeypatch.setattr(native, "read_record", lambda: native.BuildRecord((), {}, "error: no"))
        progress_reports.extend([None] * 10)
        assert build_status_text(hand) == "Couldn't compile the engine (error: no)."
        assert not hand.app.current_page.build_status.button.visible
        hand.wait(3.0)
        assert build_status_text(hand) == "Couldn't compile the engine (error: no)."
        hand.app.pages.show_home()
        assert build_status_text(hand) == ""
