"""Prompts of Arcanoid, the keys of its choices, and the names of its cards."""

from __future__ import annotations

import pytest

import shibumi3d
from shibumi3d.i18n import LANGUAGES, translate
from shibumi3d.match.match import Match
from shibumi3d.match.record import parse
from shibumi3d.rules.arcanoid.cards import CARD_BY_NAME, CARD_NAMES
from shibumi3d.scene.arcanoid.card_faces import COURT_LETTERS, GLYPH_PATHS, corner_glyph
from shibumi3d.scene.glyphs import GLYPHS
from tests.tables.tarot import game, names, position

HANDS = {1: "S9 S10 T2 T3 T4 T5", 2: "M0 C2 C3 C4 C5 C6", 3: "D2 D3 D4 D5 D6 D7"}


def test_only_fool_holder_is_asked_to_steal() -> None:
    of = game()
    state, _ = of.apply(position(of, hands=HANDS), "S:S9+S10")
    asked = {
        (seat, lang): of.describe_decision(of.observe(state, seat), lang, ["Ann", "Ben", "Cleo"])
        for seat in (0, 1, 2, None)
        for lang in ("en", "fr")
    }
    assert asked[1, "en"] == "Ann engages 19 on swords: take it with the Fool?"
    assert asked[2, "en"] == "Ann engages 19 on swords: you can't take it without the Fool"
    assert (
        asked[0, "en"] == asked[None, "en"] == "Ann engages 19 on swords: will anyone take it with the Fool?"
    )
    assert asked[1, "fr"] == "Ann engage 19 sur le terrain d'épées : le prendre avec le Fou ?"
    assert asked[2, "fr"] == "Ann engage 19 sur le terrain d'épées : sans le Fou, impossible de le prendre"
    assert "?" in asked[0, "fr"] == asked[None, "fr"]


def test_open_fool_is_offered_to_asked_seat() -> None:
    of = game()
    hands = {1: "S9 S10 T2 T3 T4 T5", 2: "C2 C3 C4 C5 C6 C7", 3: "D2 D3 D4 D5 D6 D7"}
    state, _ = of.apply(position(of, hands=hands, pool="M0", justice_in_play=True, table="M8"), "S:S9+S10")
    assert of.describe_decision(of.observe(state, 1)).endswith("take it with the Fool?")
    assert not of.describe_decision(of.observe(state, 1)).endswith("will anyone take it with the Fool?")


def test_discard_shortcuts_follow_hand_order() -> None:
    of = game()
    state = position(of, hands={1: "S9 S10 T2 T3 CK M16"})
    view = of.observe(state, 0)
    keys = {move.text: of.shortcut_key(view, move) for move in of.moves(state)}
    assert [keys[f"-{name}"] for name in ("S9", "S10", "T2", "T3", "CK", "M16")] == list("123456")
    # Moves that can't be undone are on keys away from the digits.
    assert [keys[f"{suit}:-"] for suit in "STCD"] == list("cdef")
    pressed = [key for key in keys.values() if key]
    assert len(set(pressed)) == len(pressed)


def test_oversized_hand_discards_have_digit_shortcuts() -> None:
    of = game()
    state = position(of, hands={1: "M10 S3 S4 S5 S6 S7"}, stock="T2 T3 T4 T5 T6")
    state, _ = of.apply(state, "M10")
    view = of.observe(state, 0)
    assert [of.shortcut_key(view, move) for move in of.moves(state)] == list("1234567890")


@pytest.mark.parametrize(
    ("language", "letters"), [("en", "JHQK"), ("fr", "VCDR"), ("de", "BRDK"), ("es", "SCQR"), ("qps", "JHQK")]
)
def test_court_card_corner_shows_its_letter(language: str, letters: str) -> None:
    for suit in range(4):
        for nth, letter in enumerate(letters):
            picture = corner_glyph(suit * 14 + 10 + nth, language)
            assert picture == f"rank {letter}"
            assert picture in GLYPHS or picture in GLYPH_PATHS


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_court_card_letters_of_a_language_can_be_drawn(language: str) -> None:
    letters = translate(language, COURT_LETTERS)
    assert len(set(letters)) == 4
    assert {f"rank {letter}" for letter in letters} <= GLYPHS.keys() | GLYPH_PATHS.keys()


def test_court_card_letter_starts_its_french_name() -> None:
    of = game()
    for nth, letter in enumerate("VCDR"):
        assert (
            of.describe_spot(of.observe(of.start(2), 0), CARD_NAMES[10 + nth], "fr").split()[1][0].upper()
            == letter
        )


def test_former_knave_letter_is_accepted_in_moves() -> None:
    assert [CARD_NAMES[suit * 14 + 10] for suit in range(4)] == ["SJ", "TJ", "CJ", "DJ"]
    assert "SN" not in CARD_BY_NAME
    of = game()
    state = position(of, hands={1: "SA SJ T2 TJ M6 M7"})
    for old, new in (
        ("S:SN", "S:SJ"),
        ("s:sn+sa", "S:SA+SJ"),
        ("-TN", "-TJ"),
        ("T:TN + M6", "T:TJ+M6"),
        ("M7+SN", "M7+SJ"),
    ):
        assert of.parse(state, old).text == new
    assert of.start(2, deal={"stock": "SN DN"}).cards_at == of.start(2, deal={"stock": "SJ DJ"}).cards_at


def test_record_with_former_knave_letter_is_read() -> None:
    of = shibumi3d.game("arcanoid")
    match = Match(of, ["Ann", "Ben"], 4, deal={"first": "1", "stock": "SJ S3 S4 S5 S6 S7 T2 T3 T4 T5 T6 TJ"})
    for text in ("S:SJ", "let", "-TJ"):
        match.play(text)
    old = match.record().to_text().replace("SJ", "SN").replace("TJ", "TN")
    again = Match.from_record(parse(old), of)
    assert [ply.state for ply in again.plies] == [ply.state for ply in match.plies]
    assert names(again.plies[-1].state.engaged_cards(0, 0)) == {"SJ"}


def test_equally_strong_engagements_name_their_cards() -> None:
    of = game()
    state = position(of, hands={1: "S3 S4 S7 SA SJ M1", 2: "T2 T3 T4 T5 T6 T7", 3: "D2 D3 D4 D5 D6 D7"})
    labels = {move.text: of.move_label(state, move) for move in of.moves(state)}
    assert len(set(labels.values())) == len(labels)
    assert labels["S:S7"] == "Engage 7 on swords"
    assert labels["S:S3+S4"] == "Engage 7 on swords (3 + 4)"
    assert labels["S:SA+SJ"] == "Engage 14.5 on swords (ace + knave)"
    move = of.parse(state, "S:SA+SJ")
    assert of.move_label(state, move, "fr") == "Engager 14,5 sur le terrain d'épées (l'as + le valet)"


def test_effects_name_the_numbers_of_the_game_file() -> None:
    of = game(pool=1, turns=2, wheel=4, slots=3, extra=2, hand=5)
    view = of.observe(of.start(2), 0)
    assert [
        of.describe_spot(view, name, "en").partition(": ")[2] for name in ("M8", "M9", "M10", "M11", "M15")
    ] == [
        "1 open card for everyone to use; then draw a card and play again",
        "2 extra turns, each to be taken after any player's turn",
        "draw 4 cards, then discard down to your hand size",
        "3 more open cards, or 2 more cards in hand",
        "a demon joins with 5 open cards, and you play for it",
    ]
    state = position(of, hands={1: "M11"})
    view = of.observe(state, 0)
    labels = {of.move_label(view, move) for move in of.moves(state, 0) if move.text.startswith("M11")}
    assert labels == {"Strength: 3 more open cards", "Strength: 2 more cards in hand"}


def test_spots_of_unknown_players_are_not_described() -> None:
    of = game()
    view = of.observe(of.start(3), 0)
    assert of.describe_spot(view, "3S", "en")
    assert [of.describe_spot(view, spot, "en") for spot in ("0S", "4S", "hand 0", "hand 4")] == [""] * 4
