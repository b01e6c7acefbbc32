"""Games of table kinds other than marbles have French names in lists, searches, pictures and files.

Descriptions of matches and rules are in French too.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from babel.messages.pofile import read_po

import shibumi3d
from shibumi3d import i18n
from shibumi3d.app.pages.home.filters import GameFilter
from shibumi3d.catalogue.catalogue import CatalogueError, load_catalogue
from shibumi3d.cli.list import _format_table
from shibumi3d.export import postcard
from shibumi3d.match.match import Match
from shibumi3d.rules.golden_spiral import effects as jokers
from shibumi3d.rules.registry import DEFAULT_KIND
from shibumi3d.wording import describe_result, game_title
from tools import messages

NAMES = {"arcanoid": "Arcanoïd", "hyena-spiral": "Spirale de la hyène", "golden-spiral": "La Spirale d'Or"}


@pytest.fixture
def french() -> Iterator[None]:
    i18n.set_language("fr")
    yield
    i18n.set_language("en")


def test_every_other_table_has_a_french_title(french: None) -> None:
    assert {entry.id for entry in load_catalogue() if entry.kind != DEFAULT_KIND} == set(NAMES)
    for name, title in NAMES.items():
        entry = load_catalogue().get(name)
        assert game_title(entry) == game_title(entry.game()) == title
        assert load_catalogue().get(title.upper()) is entry
        assert title in _format_table([entry])
        assert GameFilter(words=title).matches(entry)
        assert GameFilter(words=entry.title).matches(entry)
    assert game_title(load_catalogue().get("spline")) == "Spline"
    with pytest.raises(CatalogueError, match="la spirale d'or"):
        load_catalogue().get("la spirale d'ot")


def test_english_titles_are_unchanged() -> None:
    assert [game_title(load_catalogue().get(name)) for name in NAMES] == [
        "Arcanoid",
        "Hyena Spiral",
        "The Golden Spiral",
    ]


def test_extending_game_keeps_its_own_title(tmp_path: Path, french: None) -> None:
    (tmp_path / "mine.yaml").write_text("title: Mine\nextends: hyena-spiral\n", "utf-8")
    assert game_title(load_catalogue().open(tmp_path / "mine.yaml")) == "Mine"


def test_own_game_keeps_its_french_title_from_the_cache(tmp_path: Path, french: None) -> None:
    folder = tmp_path / "games"
    folder.mkdir()
    (folder / "mine.yaml").write_text("title: Mine\ntitles: {fr: Le mien}\nturn: {place: own}\n", "utf-8")
    for _ in range(2):
        assert game_title(load_catalogue(folder, cache=tmp_path / "cache").get("mine")) == "Le mien"


def play_match(name: str, *moves: str) -> Match:
    match = Match(shibumi3d.game(name), ["Anne", "Benoît"], 1)
    for move in moves:
        match.play(move)
    return match


def test_french_postcard_has_a_french_result(french: None, monkeypatch: pytest.MonkeyPatch) -> None:
    # Turning 12 medals leaves one Gold, so no number can be set in a second clash.
    match = play_match("golden-spiral", "12", "3", "pass", "second-clash")
    assert match.state.result is not None
    assert describe_result(match) == "Benoît gagne : Défaut : aucun nombre à poser."
    written: list[str] = []
    monkeypatch.setattr(postcard, "draw_text", lambda card, place, text, *rest: written.append(text))
    postcard.draw_postcard(
        match,
        np.zeros((*postcard.postcard_layout(400, 300)[2:0:-1], 3), np.uint8),
        400,
        300,
        date(2024, 5, 3),
    )
    assert written[0] == "La Spirale d'Or"
    assert written[-1] == describe_result(match)
    assert not {"wins", "win", "the", "number"} & set(written[-1].split())


def test_each_term_has_one_french_translation() -> None:
    with messages.catalogue_path("fr").open("rb") as file:
        said = {(each.context, each.id): each.string for each in read_po(file, locale="fr") if each.id}
    assert len(said) > 1000
    for each in said.values():
        for word in ("défaire", "fondent", " faute"):
            assert word not in str(each).casefold(), each
    assert (said[None, "Undo"], said[None, "Redo"]) == ("Annuler", "Rétablir")
    assert said["command", "redo"] == "rétablir"


# ---------------------------------------------------------------- The Golden Spiral


def golden_spiral_after(*moves: str) -> Any:
    game = shibumi3d.game("golden-spiral")
    state: Any = game.start(seed=3)
    for move in moves:
        state, _ = game.apply(state, move)
    return game, state


def test_second_chooser_sees_their_own_limit() -> None:
    game, state = golden_spiral_after("10", "5", "joker-transfer", "second-clash", "3", "1")
    for seat in state.decision.seats:
        most = len(game.moves(state, seat))
        view = game.observe(state, seat)
        assert game.describe_decision(view) == f"choose a number from 1 to {most}"
        assert game.describe_decision(view, "fr") == f"choisir un nombre de 1 à {most}"
        assert f"you can set at most {most}" in game.explain_illegal(view, [f"number {most + 1}"])
        assert most == 7
    # A spectator sees both limits: one less than each seat's Gold.
    assert state.gold == (3, 8)
    everybody = game.observe(state, None)
    assert (
        game.describe_decision(everybody, "en", ("Ann", "Ben"))
        == "choose a number (Ann: up to 2, Ben: up to 7)"
    )
    assert (
        game.describe_decision(everybody, "fr", ("A", "B"))
        == "choisir un nombre (A : jusqu'à 2, B : jusqu'à 7)"
    )


def test_rules_text_matches_the_annulment_conditions() -> None:
    game = shibumi3d.game("golden-spiral")
    _, state = golden_spiral_after("12", "3")
    other = 1 - state.first_speaker
    annulment = game.rules.joker_by_id("annulment")
    still = {
        joker.id
        for joker in game.rules.jokers
        if jokers.unmet_condition(game.rules, replace(state, announced_jokers=(joker.id,)), other, annulment)
        is None
    }
    assert still == {"reserve", "full-reinforcement"}
    english, french = (
        load_catalogue().get("golden-spiral").rules["en"],
        load_catalogue().get("golden-spiral").rules["fr"],
    )
    assert "any joker other than Reserve or Full Reinforcement." in english
    assert "autre que Médailles de Réserve ou Renforcement Intégral" in french
    assert "confrontation est annulée" in french
    assert "reprise" not in french
    doubled = "Interversion, Flame of Hope, Mirror and Joker Transfer are single"
    assert doubled in english
    for name in ("interversion", "flame-of-hope", "mirror", "joker-transfer"):
        assert game.rules.joker_by_id(name).stars == 1
