"""The printed pages of a tournament: everything is on them, readable and inside the margins."""

from __future__ import annotations

from datetime import date

import pytest

from shibumi3d.catalogue.catalogue import load_catalogue
from shibumi3d.export import tournament_sheet
from shibumi3d.export.paper import PdfPage
from shibumi3d.export.sheet import MARGIN_PT, PAGE_SIZE_PT
from shibumi3d.match.tournament import (
    DOUBLE_ROUND_ROBIN,
    WIN_FIRST,
    TournamentGame,
    TournamentPlayer,
    new_tournament,
)
from shibumi3d.scene.pen import Colour
from shibumi3d.wording import describe_tournament_game

MIN_READABLE_SIZE_PT = 8


def test_all_matches_of_a_large_tournament_are_printed_large_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[tuple[int, float, float, float, str]] = []

    class RecordingPage(PdfPage):
        def draw_text(self, x: float, y: float, text: str, colour: Colour, face: str, size: float) -> None:
            drawn.append((len(self._pages), x, y, size, text))
            super().draw_text(x, y, text, colour, face, size)

    monkeypatch.setattr(tournament_sheet, "PdfPage", RecordingPage)
    players = [TournamentPlayer(f"{number} {'Abcdefghi' * 2}"[:24]) for number in range(1, 17)]
    tournament = new_tournament("Friday", DOUBLE_ROUND_ROBIN, [TournamentGame("spline")], players)
    for index in range(len(tournament.matches)):
        tournament = tournament.with_match(index, points=WIN_FIRST)
    data = tournament_sheet.draw_tournament(tournament, ["Spline"], date(2026, 3, 1))
    texts = [text for _page, _x, _y, _size, text in drawn]
    for match in tournament.matches:
        first, second = (tournament.players[number].name for number in match.players)
        assert f"{first} – {second}" in texts
    assert texts.count("1 – 0") == 240
    width, height = PAGE_SIZE_PT
    for _page, x, y, size, text in drawn:
        assert size >= MIN_READABLE_SIZE_PT
        assert MARGIN_PT <= x <= width - MARGIN_PT
        assert MARGIN_PT <= y <= height - MARGIN_PT, text
    assert len(set(drawn)) == len(drawn)
    pages = drawn[-1][0]
    assert pages > 1
    assert data.count(b"/Type/Page/") == pages
    assert b"/Count %d" % pages in data


def test_game_description_lists_only_unusual_settings() -> None:
    find = load_catalogue().get
    for game, expected in (
        (TournamentGame("spargo"), "Spargo"),
        (TournamentGame("spargo", 4, "", {}), "Spargo"),
        (
            TournamentGame("spargo", 9, "margo", {}, True, False),
            "Spargo (size 9, margo, no draw by repetition, swap rule)",
        ),
        (TournamentGame("arcanoid", 0, "", {"rounds": 3, "dummies": 0}), "Arcanoid (rounds: 3)"),
    ):
        assert describe_tournament_game(game, find(game.game)) == expected
    assert describe_tournament_game(TournamentGame("gone"), None) == "gone"
