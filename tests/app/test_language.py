"""The language of the window, which comes from the system or the settings and can change while a page is shown."""

from __future__ import annotations

import pytest

from shibumi3d import i18n
from shibumi3d.app.host import settings
from shibumi3d.app.host.settings_card import SettingsCard
from shibumi3d.app.match.marble_view.page import MarbleMatchPage
from shibumi3d.app.pages.home.page import HomePage
from shibumi3d.app.pages.home.saved_games import SavedGamesPage
from shibumi3d.app.pages.replay import ReplayPage
from shibumi3d.app.ui.button import Button
from shibumi3d.app.ui.choice import Choice
from tests.app.hand import Hand


@pytest.mark.parametrize(
    ("environment", "spoken"),
    [
        ({"LANG": "fr_FR.UTF-8"}, "fr"),
        ({"LANG": "fr_CH", "LC_ALL": "en_GB.UTF-8"}, "en"),
        ({"LC_MESSAGES": "French_France"}, "fr"),
        ({"LANG": "de_AT.UTF-8"}, "de"),
        ({"LANG": "it_IT.UTF-8"}, "en"),
        ({"LANG": "C"}, "en"),
        ({"LANGUAGE": "de:fr"}, "de"),
        ({"LANGUAGE": "it:fr"}, "fr"),
        ({"LANGUAGE": "it:fr", "LANG": "it_IT.UTF-8"}, "fr"),
        ({"LANGUAGE": "it:fr_CA:en", "LC_ALL": "en_GB.UTF-8"}, "fr"),
        ({"LANGUAGE": "en:fr", "LANG": "fr_FR.UTF-8"}, "en"),
        ({"LANGUAGE": "it", "LANG": "fr_FR.UTF-8"}, "fr"),
        ({"LANG": "Spanish_Mexico.1252"}, "es"),
        ({"LANGUAGE": "", "LANG": "fr_FR.UTF-8"}, "fr"),
        ({"LANGUAGE": "fr", "LC_ALL": "C"}, "en"),
        ({"LANGUAGE": "frp:fr-BE"}, "fr"),
        ({"LANGUAGE": "frp:it"}, "en"),
    ],
)
def test_default_language_follows_the_system(environment: dict[str, str], spoken: str) -> None:
    assert i18n.system_language(environment) == spoken


def test_system_language_is_used_until_one_is_chosen(hand: Hand, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "fr_FR.UTF-8")
    hand.app.change_settings(language="")
    assert i18n.language() == "fr"
    hand.app.change_settings(language="en")
    assert i18n.language() == "en"
    assert settings.load_settings(hand.app.services.config_folder).settings.language == "en"
    hand.app.change_settings(language="xx")
    assert hand.app.settings.language == ""


def test_language_setting_applies_at_once(hand: Hand) -> None:
    home = hand.page(HomePage)
    home.search_field.set_value("sparg")
    home._choose_group(home.groups.index("capture"))
    found, group = [entry.id for entry in home.games_found], home.group
    assert (found, group) == (["spargo"], "capture")
    hand.app.pages.show_settings()
    hand.found("language", Choice).select(1)
    card = hand.floating(SettingsCard)
    assert card.heading == "Réglages"
    assert (hand.found("language", Choice).options, card.done_button.label) == (
        ("English", "Français", "Deutsch", "Español"),
        "Terminé",
    )
    hand.draw()
    again = hand.page(HomePage)
    assert again is not home
    assert ([entry.id for entry in again.games_found], again.group, again.search_field.value) == (
        found,
        group,
        "sparg",
    )
    assert again.start_panel.play_button.label == "Jouer"
    hand.found("language", Choice).select(0)
    assert hand.floating(SettingsCard).heading == "Settings"


def test_default_names_change_with_the_language(hand: Hand) -> None:
    hand.app.change_settings(names=("Aiko", "Player 2"))
    hand.app.change_settings(language="fr")
    home = hand.page(HomePage)
    assert home.start_panel.setup.names[:3] == ["Aiko", "Joueur 2", "Joueur 3"]


def test_match_continues_in_another_language(hand: Hand) -> None:
    play = hand.start("spline")
    hand.choose("Ab2", "Ac2", "Ab3")
    hand.key(",")
    match, looking = play.match, play.model.viewed_ply
    assert (looking, play.status_line.sentence()) == (2, "After turn 2")
    hand.app.change_settings(language="fr")
    hand.draw()
    assert isinstance(hand.app.current_page, MarbleMatchPage)
    assert hand.play is not play
    assert (hand.play.match, hand.play.model.viewed_ply) == (match, looking)
    assert hand.play.status_line.sentence() == "Après le tour 2"
    assert hand.found("undo", Button).label == "Annuler"
    hand.key("escape")
    hand.choose("Ac3")
    assert hand.moves == ["W@Ab2", "B@Ac2", "W@Ab3", "B@Ac3"]
    assert hand.play.status_line.sentence().startswith("À Aiko de jouer – ")


def test_replay_and_saved_games_change_language(hand: Hand) -> None:
    play = hand.start("spline")
    hand.choose("Ab2", "Ac2")
    replay = ReplayPage(hand.app, play.match, play.entry)
    hand.app.show_page(replay)
    replay.go_to(1)
    hand.app.change_settings(language="fr")
    assert isinstance(hand.app.current_page, ReplayPage)
    assert hand.app.current_page.at_ply == 1
    assert hand.app.current_page.caption().startswith("Tour 1 – ")
    hand.app.pages.show_saved_games()
    hand.app.change_settings(language="en")
    assert isinstance(hand.app.current_page, SavedGamesPage)
    assert hand.app.current_page.open_button.label == "Open"


def test_language_change_reveals_no_secrets(hand: Hand) -> None:
    play = hand.start("spy", ("Aiko", "Ben", "Cleo"))
    hand.app.root.close_popups()
    before = play.visible_position.observation, play.visible_position.covered_boards
    hand.app.change_settings(language="fr")
    assert (hand.play.visible_position.observation, hand.play.visible_position.covered_boards) == before
    assert hand.app.root.popups == []
