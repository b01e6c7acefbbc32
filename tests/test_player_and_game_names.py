"""Player names and game titles: normalized, visible and distinguishable."""

from __future__ import annotations

from pathlib import Path

import pytest

from shibumi3d import names
from shibumi3d.app.host import settings
from shibumi3d.app.ui.text_buffer import LineBuffer
from shibumi3d.app.ui.text_input import TextField
from shibumi3d.catalogue import catalogue
from shibumi3d.cli.common import CommandError
from shibumi3d.cli.play import parse_seat_names
from shibumi3d.match.match import Match
from shibumi3d.match.record import RecordError, parse
from shibumi3d.rules.errors import GameFileError
from tests.app.hand import Hand

UNSEEN = [
    "\u200b",
    "\u2060",
    "\u00ad",
    "\u3164",
    "\u2800",
    "\u115f\u200d",
    "\ufeff \u00a0",
    "\u202e\u202c",
    "\ufe0f",
]
RECORD = "shibumi3d: 1\ngame: spline\nsize: 4\nseats: {seats}\nseed: 1\nmoves: []\n"


@pytest.mark.parametrize("name", UNSEEN)
def test_invisible_names_and_titles_are_refused(name: str) -> None:
    assert not names.has_visible_text(name)
    record, game = (
        parse(RECORD.format(seats=f'[Ann, "{name}"]')),
        catalogue.load_catalogue().get("spline").game(),
    )
    with pytest.raises(RecordError, match="seats: the name of seat 2 has no visible characters"):
        Match.from_record(record, game)
    with pytest.raises(CommandError, match=r"has no visible characters|a name is missing"):
        parse_seat_names(game, f"{name},Ben")
    text = f'title: "{name}"\nplayers: 2\nturn: {{place: own}}\n'
    with pytest.raises(GameFileError, match="1:8: title: expected text"):
        catalogue.load_catalogue().parse(text.encode(), Path("own.yaml"))


def test_visible_names_are_accepted() -> None:
    assert all(
        names.has_visible_text(name) for name in ("Ann", ".", "\u0301", "张", "👩\u200d👧", "א", "\u200bA")
    )
    record, game = (
        parse(RECORD.format(seats='["張", "\u200bA"]')),
        catalogue.load_catalogue().get("spline").game(),
    )
    assert [seat.name for seat in Match.from_record(record, game).seats] == ["張", "\u200bA"]


def test_accents_are_composed_in_names_from_every_source(hand: Hand) -> None:
    apart, one = "Zoe\u0308 A\u030a", "Zoë Å"
    game = catalogue.load_catalogue().get("spline").game()
    record = parse(RECORD.format(seats=f"[{apart}, Ben]"))
    assert Match.from_record(record, game).record().seats == (one, "Ben")
    assert parse_seat_names(game, f"{apart},Ben") == (one, "Ben")
    text = f"title: {apart}\nplayers: 2\nturn: {{place: own}}\n"
    assert catalogue.load_catalogue().parse(text.encode(), Path("own.yaml")).title == one
    hand.app.change_settings(names=(apart,))
    assert settings.load_settings(hand.app.services.config_folder).settings.names == (one,)
    assert LineBuffer(apart).text == one


def test_typed_combining_accent_joins_its_letter() -> None:
    line = LineBuffer("ab")
    line.move_to((0, 1))
    line.insert("\u0301")
    line.insert("e")
    line.insert("\u0323")
    line.insert("\u0302")
    assert (line.text, line.caret) == ("áệb", (0, 2))


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (["Ann", "Ben"], ["Ann", "Ben"]),
        (["Ann", "Ann", "Ann"], ["Ann", "Ann 2", "Ann 3"]),
        (["Ann", "Ann", "Ann 2"], ["Ann", "Ann 3", "Ann 2"]),
        (["Anna", "\u0410nn\u0430"], ["Anna", "\u0410nn\u0430 2"]),
        (["Ann", "A\u200bnn"], ["Ann", "A\u200bnn 2"]),
        (["Ann", "Ann\u00a0 "], ["Ann", "Ann\u00a0  2".replace("\u00a0  2", " 2")]),
        (["Ν", "N"], ["Ν", "N 2"]),
        (["Ill", "lIl"], ["Ill", "lIl 2"]),
        (["Zoe\u0308", "Zoë"], ["Zoe\u0308", "Zoë 2"]),
        (["Zoe", "Zoë"], ["Zoe", "Zoë"]),
        (["ann", "Ann"], ["ann", "Ann"]),
        (["", ""], ["", ""]),
    ],
)
def test_similar_looking_names_are_made_distinct(given: list[str], expected: list[str]) -> None:
    assert names.make_distinct(given) == expected
    assert names.make_distinct(expected) == expected


def test_duplicate_seat_names_are_made_distinct() -> None:
    match = Match(catalogue.load_catalogue().get("spline").game(), ["Ann", "Ann"])
    assert [seat.name for seat in match.seats] == ["Ann", "Ann 2"]
    assert match.record().seats == ("Ann", "Ann 2")


def test_undecodable_bytes_in_names_are_replaced() -> None:
    assert names.normalize("A\udcff") == "A?"


def test_form_refuses_an_invisible_name(hand: Hand) -> None:
    hand.type("spline+")
    home = hand.app.current_page
    field = hand.found("seat 1", TextField)
    field.set_value("\u3164")
    hand.push("play")
    assert hand.app.current_page is home
    assert hand.app.root.popups
    hand.key("escape")
    assert field.focused
    field.set_value("  ")
    hand.push("play")
    assert hand.play.names == ["Player 1", "Pebble 1.5"]
