"""Properties of everything that is exposed to screen readers, on many pages and in every language."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import pytest

from shibumi3d.app.match.privacy_screen import PrivacyScreen
from shibumi3d.app.match.scene_view.page import SceneMatchPage
from shibumi3d.app.platform.screen_reader import ScreenReader
from shibumi3d.app.ui.accessibility import AccessibleNode
from shibumi3d.catalogue.catalogue import load_catalogue
from tests.app.test_table_keyboard_play import lift
from tests.share import some
from tools.pages import PAGES, Sitter, Size

if TYPE_CHECKING:
    from tests.app.hand import Hand

ROLES_PRESSED = ("button", "thing", "drop", "option", "row")
WRONG = (
    re.compile(r",\s*,"),
    re.compile(r"\b1 (points|marbles|cards|stars|turns|games|fields|matches|steps|problems|tabas)\b"),
    re.compile(r"\b1 (billes|cartes|étoiles|tours|jeux|terrains|parties|pas de|problèmes)\b"),
    re.compile(r"\b1 (Punkte|Karten|Kugeln|Sterne|Züge|Partien|Felder|Aufgaben|Tage)\b"),
    re.compile(r"\b1 (puntos|cartas|canicas|estrellas|turnos|partidas|campos|pasos|problemas|días)\b"),
    re.compile(r"\s{2,}\S"),
    re.compile(r"\.\.(?!\.)|,\.|\.,"),
)
"""What no name may contain: a double comma, a plural after 1, repeated spaces, or adjacent full stops and commas."""
TOGGLES = {
    "en": ("Night theme", "Sound, shortcut M"),
    "fr": ("Thème de nuit", "Son, raccourci M"),
    "de": ("Nachtmodus", "Ton, Tastenkürzel M"),
    "es": ("Tema nocturno", "Sonido, atajo M"),
}
BACK = re.compile(r"(Back|Retour|Zurück|Volver|Atrás)(, .*)?( \(\d\))?")
NOON = datetime(2026, 11, 25, 12, tzinfo=UTC)


def faults(window: AccessibleNode, language: str) -> Iterator[str]:
    for node in window.walk():
        line = node.format_tree().partition("\n")[0]
        if node.role == "said" and not node.value.strip():
            yield f"an empty announcement: {line}"
        elif node.role != "said" and not node.name.strip():
            yield f"no name: {line}"
        texts = [node.name] if node.role != "text" else []
        yield from [f"{wrong.pattern}: {line}" for text in texts for wrong in WRONG if wrong.search(text)]
        if node.role == "text":
            yield from [f"{wrong.pattern}: {line}" for wrong in WRONG[:5] if wrong.search(node.name)]
        if node.role in ROLES_PRESSED and node.is_enabled != bool(node.actions):
            yield f"enabled, and nothing can be done, or the other way round: {line}"
        if node.name in TOGGLES[language] and node.is_on is None:
            yield f"a switch without a state: {line}"
        if BACK.fullmatch(node.name):
            yield f"a way back that leads anywhere: {line}"
    for parent in window.walk():
        count = Counter((node.role, node.name) for node in parent.children if node.actions)
        yield from [f"{name} {many} times" for name, many in count.items() if many > 1]


@pytest.mark.parametrize("language", some(["en", "de", "fr", "es"], 2))
def test_every_page_has_valid_accessible_content(hand: Hand, language: str, tmp_path: Path) -> None:
    sitter = Sitter(hand.window, tmp_path)  # type: ignore[arg-type]
    hand.app.results.problems.now = lambda: NOON
    found, dialogs = [], 0
    for name, show in PAGES.items():
        sitter.take(Size(1280, 720), language, "day")
        hand.app.root.close_popups()
        show(sitter)
        tree = ScreenReader(hand.app, lambda: None).build_tree()
        window = tree.root
        found += [f"{name}: {fault}" for fault in faults(window, language)]
        covering = [node for node in window.walk() if node.role == "dialog"]
        dialogs += len(covering)
        if covering:
            # The popup is modal, so nothing else can be reached.
            others = [node for node in window.children if node.actions or node.children]
            assert others == covering, name
            assert tree.focus_key in {node.key for node in covering[0].walk()}, name
    hand.app.root.close_popups()
    assert found == [], "\n".join(found)
    assert dialogs > 5


def test_result_is_announced(hand: Hand) -> None:
    play = hand.start("spline")
    for move in ("W@Aa1", "B@Ab1", "W@Aa2", "B@Ab2", "W@Aa3", "B@Ab3"):
        play.match.play(move)
    assert "wins" not in hand.app.current_page.announcement()
    play.match.play("W@Aa4")
    play.update()
    announcement = hand.app.current_page.announcement()
    assert "Aiko wins" in announcement
    assert announcement.index("The match is over") < announcement.index("Aiko wins")


def test_selected_card_is_announced(hand: Hand) -> None:
    deal = {"first": "1", "stock": "S4 S6 S7 T2 C3 D5 S9 S10 C4 T9 C8 D2"}
    hand.app.matches.start(load_catalogue().get("arcanoid"), ["Aiko", "Ben"], 0, "", 2, deal)
    page = hand.page(SceneMatchPage)
    lift(hand)
    assert "Chosen" not in page.announcement()
    page.pointer.click_spot("S6")
    assert page.announcement().startswith("Chosen: the 6 of swords.")
    page.pointer.click_spot("S4")
    assert "the 6 of swords" in page.announcement().partition(".")[0]
    assert "the 4 of swords" in page.announcement().partition(".")[0]
    page.pointer.drop_picks()
    assert "Chosen" not in page.announcement()


def test_problem_task_and_verdict_are_announced(hand: Hand, tmp_path: Path) -> None:
    PAGES["problem"](Sitter(hand.window, tmp_path))  # type: ignore[arg-type]
    page = hand.app.current_page
    assert page.announcement().startswith("White to move and win in 1 turn.")
    hand.choose("Ad4")
    hand.wait(2)
    assert page.instruction_strip.instruction_text.plain_text in page.announcement()  # type: ignore[attr-defined]
    assert "win in 1 turn" not in page.announcement().partition(".")[0]


def test_unavailable_holes_are_exposed_as_disabled(hand: Hand) -> None:
    """In Spirit, a marble may not be placed in line with a free marble of its colour on the same level.

    After some moves, several empty holes are therefore forbidden, and they are exposed as disabled.
    """
    play = hand.start("spirit")
    chance, refused = Random(1), 0
    for _ in range(4):
        moves = [move.text for move in play.match.game.moves(play.match.state) if "@" in move.text]
        hand.choose(chance.choice(moves).partition("@")[2])
        window = ScreenReader(hand.app, lambda: None).build_tree().root
        holes = [node for node in window.walk() if node.role == "thing" and node.name[0] == "A"]
        assert len({node.name[:3] for node in holes}) == 16
        for node in holes:
            assert node.is_enabled == ("press" in node.actions)
        refused = max(refused, sum(node.name.endswith(", empty") for node in holes))
    assert refused >= 4, [node.name for node in holes]


def test_covered_board_exposes_no_holes(hand: Hand) -> None:
    """Spagyric begins with a privacy screen; once it is gone, the holes of the board are exposed."""

    def holes() -> list[AccessibleNode]:
        window = ScreenReader(hand.app, lambda: None).build_tree().root
        return [node for node in window.walk() if node.role == "thing"]

    hand.start("spagyric")
    hand.floating(PrivacyScreen)
    assert not holes()
    lift(hand)
    assert holes()


def test_setup_controls_have_meaningful_names(hand: Hand) -> None:
    hand.app.matches.kinds = ()  # type: ignore[attr-defined]
    hand.app.pages.show_home()
    hand.draw()
    names = [node.name for node in ScreenReader(hand.app, lambda: None).build_tree().root.walk()]
    assert "Clock: none" in names
    assert "Seed" in names
    assert any(re.match(r"Seat \d: \w", name) for name in names)
