"""The majors and variants of Arcanoid: positions, and the effects of choices according to each card's text."""

from __future__ import annotations

import pytest

from shibumi3d.rules.arcanoid.cards import CARD_BY_NAME, SUIT_LETTERS
from shibumi3d.rules.arcanoid.game import CardGame
from shibumi3d.rules.arcanoid.state import ABDICATED, DISCARD_PILE, ENGAGED, IN_PLAY, OPEN, POOL, STOCK, State
from shibumi3d.rules.errors import IllegalMove
from tests.tables.tarot import decline_thefts, game, names, play_moves, position

S, T, C, D = range(4)


def discard_one(of: CardGame, state: State) -> State:
    """Return the state after the player to move has discarded a card and all thefts have been declined."""
    return decline_thefts(
        of, play_moves(of, state, min(text for text in texts(of, state) if text.startswith("-")))
    )


def texts(of: CardGame, state: State, seat: int | None = None) -> set[str]:
    return {move.text for move in of.moves(state, seat)}


def test_engagements_from_hand_follow_the_rules() -> None:
    """From this hand, the ace, the 4 and the 6 of swords can be engaged in any combination.

    In Arcanoid, one engages cards of the field's suit. These can be any number of cards from ace to 10, or a knave or
    knight, alone or with the ace. Couples can also be engaged: the queen and king, for example, or the Lovers with a
    court card. The knave can therefore be engaged alone, with the ace or with the Lovers. The king, whose queen isn't
    in the hand, can be engaged only with the Lovers.
    """
    of = game()
    state = position(of, hands={1: "S4 S6 SA SJ SK M6"})
    found = {text[2:] for text in texts(of, state) if text.startswith("S:") and text != "S:-"}
    assert found == {
        "S4", "S6", "SA", "S4+S6", "SA+S4", "SA+S6", "SA+S4+S6",
        "SJ", "SA+SJ", "SJ+M6", "SK+M6",
    }  # fmt: skip


def test_magician_changes_one_number() -> None:
    of = game()
    state = position(of, hands={1: "S10 T10 SH TA M1 CK"})
    found = {text for text in texts(of, state) if ":" in text and "-" not in text and "M1" in text}
    assert found == {
        "S:T10+M1", "S:S10+T10+M1", "S:TA+M1", "S:S10+TA+M1", "S:SH+TA+M1",
        "T:S10+M1", "T:S10+T10+M1", "T:S10+TA+M1", "T:S10+TA+T10+M1",
        "C:S10+M1", "C:T10+M1", "C:TA+M1", "D:S10+M1", "D:T10+M1", "D:TA+M1",
    }  # fmt: skip


def test_major_couple_covers_one_field_or_two() -> None:
    of = game()
    state = position(of, hands={1: "M3 M4 M6 S2 S3 S4"}, fields={"1D": "-"})
    found = {text.split(":")[0] for text in texts(of, state) if text.endswith(":M3+M4")}
    assert found == {"S", "T", "C", "ST", "SC", "TC"}
    assert {text.split(":")[0] for text in texts(of, state) if text.endswith(":M4+M6")} == found


def test_priestess_shows_hand_to_one_seat() -> None:
    of = game()
    state = position(of, hands={1: "M2 S2 S3 S4 S5 S6", 3: "T2 T3 T4 T5 T6 T7"}, stock="C2")
    state = play_moves(of, state, "M2>3")
    assert names(of.observe(state, 0).known_hand_cards(2)) == {"T2", "T3", "T4", "T5", "T6", "T7"}
    assert names(of.observe(state, 1).known_hand_cards(2)) == set()
    assert state.to_move == 0
    assert "C2" in names(state.known_hand_cards(0))


def test_seen_hand_is_unknown_after_hidden_discard() -> None:
    of = game()
    state = position(of, hands={1: "M2 S2 S3 S4 S5 S6", 2: "T2 T3 T4 T5 T6 T7"}, stock="C2 C3 C4")
    state = play_moves(of, state, "M2>2", "-S2", "-T2")
    assert names(of.observe(state, 0).known_hand_cards(1)) == set()
    assert "T2" not in names(of.observe(state, 0).cards_at[DISCARD_PILE])


def test_hierophant_reveals_one_suit_of_every_hand() -> None:
    of = game()
    hands = {1: "M5 S2 S3 T2 T3 T4", 2: "S4 S5 C2 C3 C4 M0", 3: "SK D2 D3 D4 D5 D6"}
    state = play_moves(of, position(of, hands=hands, stock="C9"), "M5>S")
    everybody = of.observe(state, None)
    assert [names(everybody.known_hand_cards(who)) for who in range(3)] == [
        {"S2", "S3"},
        {"S4", "S5"},
        {"SK"},
    ]
    state = play_moves(of, position(of, hands=hands, stock="C9"), "M5>M")
    assert [names(of.observe(state, None).known_hand_cards(who)) for who in range(3)] == [set(), set(), set()]
    state = play_moves(of, position(of, hands=hands, stock="C9"), "M5>F")
    assert names(of.observe(state, None).known_hand_cards(1)) == {"M0"}
    # Everyone now knows who has the Fool, so nobody else is asked.
    state = play_moves(of, state, "T:T2+T3")
    assert state.decision is not None
    assert (state.decision.kind, state.decision.seats, state.decision.visibility) == ("fool", (1,), "open")


def test_justice_lays_six_open_cards() -> None:
    of = game()
    state = position(
        of, hands={1: "M8 S2 S3 S4 S5 S6", 2: "S8 T2 T3 T4 T5 T6"}, stock="C2 S9 S10 D2 D3 D4 D5 D6"
    )
    state = play_moves(of, state, "M8")
    assert names(state.cards_at[POOL]) == {"S9", "S10", "D2", "D3", "D4", "D5"}
    assert "C2" in names(state.known_hand_cards(0))
    assert state.to_move == 0
    state = decline_thefts(of, play_moves(of, state, "-S2"))
    state = decline_thefts(of, play_moves(of, state, "S:S8+S9+S10"))
    assert names(state.engaged_cards(1, S)) == {"S8", "S9", "S10"}
    assert (state.hand_size(1), state.counts_at[POOL]) == (6, 6)
    assert "M8" in names(state.cards_at[IN_PLAY])


def test_hermit_gives_three_extra_turns() -> None:
    of = game()
    state = play_moves(of, position(of, hands={1: "M9 S2 S3 S4 S5 S6"}), "M9")
    assert state.decision is not None
    assert (state.decision.kind, state.decision.seats, state.decision.default) == ("hermit", (0,), "go")
    state = discard_one(of, play_moves(of, state, "extra"))
    state = play_moves(of, state, "go")
    assert state.to_move == 1
    state = discard_one(of, state)
    state = discard_one(of, play_moves(of, state, "extra"))
    # An extra turn doesn't change whose regular turn is next.
    state = discard_one(of, play_moves(of, state, "extra"))
    assert state.decision is not None
    assert (state.decision.kind, state.to_move) == ("turn", 2)
    assert "M9" in names(state.cards_at[DISCARD_PILE])


def test_wheel_draws_five_and_discards_down() -> None:
    of = game()
    state = position(of, hands={1: "M10 S2 S3 S4 S5 S6"}, stock="C2 C3 C4 C5 C6 C7")
    state = play_moves(of, state, "M10")
    assert state.hand_size(0) == 10
    state = play_moves(of, state, "-S2", "-S3", "-C6", "-C5")
    assert names(state.known_hand_cards(0)) == {"S4", "S5", "S6", "C2", "C3", "C4"}
    assert state.to_move == 1


@pytest.mark.parametrize(("choice", "held", "open_cards"), [("1", 7, 0), ("2", 6, 2)])
def test_strength_effect_is_permanent(choice: str, held: int, open_cards: int) -> None:
    of = game()
    state = position(of, hands={1: "M11 S2 S3 S4 S5 S6"}, stock="C2 C3 C4 C5")
    state = play_moves(of, state, f"M11>{choice}")
    assert (state.hand_size(0), state.open_cards(0).bit_count()) == (held, open_cards)
    assert names(of.observe(state, 1).open_cards(0)) == names(state.open_cards(0))
    while state.to_move != 0:
        state = discard_one(of, state)
    if open_cards:
        # Open cards are drawn first; one that is played is replaced.
        assert names(state.open_cards(0)) == {"C2", "C3"}
        state = decline_thefts(of, play_moves(of, state, "C:C2+C3"))
    else:
        state = discard_one(of, state)
    assert (state.hand_size(0), state.open_cards(0).bit_count()) == (held, open_cards)


def test_hanged_man_redraws_a_hand() -> None:
    of = game()
    state = position(
        of, hands={1: "M12 S2 S3 S4 S5 S6", 2: "T2 T3 T4 T5 T6 T7"}, stock="C2 C3 C4 C5 C6 C7 C8"
    )
    state = play_moves(of, state, "M12>2")
    assert names(state.known_hand_cards(1)) == {"C2", "C3", "C4", "C5", "C6", "C7"}
    assert names(state.known_hand_cards(0)) == {"S2", "S3", "S4", "S5", "S6", "C8"}
    assert names(state.cards_at[DISCARD_PILE]) == {"M12", "T2", "T3", "T4", "T5", "T6", "T7"}


def test_death_ends_stock_and_temperance() -> None:
    of = game()
    state = position(of, hands={1: "M13 S2 S3 S4 S5 S6"}, table="M14", temperance_status=(1, T))
    state = play_moves(of, state, "M13")
    assert state.stock_closed
    assert state.counts_at[STOCK] == 0
    assert state.temperance_status == (-1, -1)
    assert state.hand_size(0) == 5
    assert state.to_move == 1


def test_temperance_needs_suit_without_forces_and_stock() -> None:
    of = game()
    fields = {"1S": "S9", "1T": "-"}
    state = position(of, hands={1: "M14 C2 C3 C4 C5 C6"}, fields=fields)
    assert {text for text in texts(of, state) if text.startswith("M14>")} == {"M14>T", "M14>C", "M14>D"}
    state = position(of, hands={1: "M14 C2 C3 C4 C5 C6"}, fields=fields, only=0, stock_closed=True)
    assert not {text for text in texts(of, state) if text.startswith("M14>")}


def test_temperance_survives_abdicated_field_but_not_its_owner() -> None:
    of = game()
    fields = {"1S": "S9", "1C": "-"}
    state = position(of, hands={1: "C2 C3 C4 C5 C6 C7"}, fields=fields, table="M14", temperance_status=(0, T))
    state = play_moves(of, state, "T:-")
    assert state.temperance_status == (0, T)
    fields |= {"1D": "-"}
    state = position(of, hands={1: "C2 C3 C4 C5 C6 C7"}, fields=fields, table="M14", temperance_status=(0, T))
    state = play_moves(of, state, "T:-")
    assert state.has_left_round(0)
    assert state.temperance_status == (-1, -1)


def test_devil_in_extra_turn_keeps_regular_turn_first() -> None:
    of = game()
    state = position(of, 2, hands={1: "M15 S3 S4 S5 S6 S7"}, table="M9", hermit_status=(0, 2), to_move=2)
    assert "Hermit: 2 turns" in of.describe_seat(state, 0)
    state = play_moves(of, discard_one(of, state), "extra", "M15", "go")
    assert state.decision is not None
    assert (state.to_move, state.decision.actor) == (0, -1)
    state = play_moves(of, discard_one(of, state), "go")
    assert state.to_move == 1
    state = play_moves(of, discard_one(of, state), "go")
    assert state.decision is not None
    assert (state.to_move, state.decision.actor) == (0, 2)


def test_demon_field_counts_for_its_master() -> None:
    of = game()
    fields = {"2S": "M21", "1S": "-", "3S": "-"}
    state = play_moves(of, position(of, hands={1: "M15 S3 S4 S5 S6 S7"}, fields=fields), "M15")
    assert [state.field_status(3, suit).kind for suit in range(4)] == [ABDICATED, OPEN, OPEN, OPEN]
    assert (state.controlling_seats[3], state.is_demon(3)) == (0, True)


def test_tower_spares_world_and_departed_seats() -> None:
    of = game()
    fields = {"2S": "S9", "2T": "-", "2C": "C9", "2D": "D9", "3S": "M21", "3T": "T9"}
    state = position(of, hands={1: "M16 C2 C3 C4 C5 C6"}, fields=fields, left_round=0b010)
    assert {text for text in texts(of, state) if text.startswith("M16>")} == {"M16>3T"}


def test_moon_calls_twice_and_may_stop() -> None:
    of = game()
    hands = {1: "M18 S3 S4 S5 S6 S7", 2: "S10 T2 T3 T4 T5 T6"}
    state = play_moves(of, position(of, hands=hands, stock="C2"), "M18", ">S2")
    assert state.decision is not None
    assert state.decision.kind == "call"
    assert "done" in texts(of, state)
    stopped = play_moves(of, state, "done")
    assert (stopped.to_move, names(stopped.known_hand_cards(0)) - {"S3", "S4", "S5", "S6", "S7"}) == (
        1,
        {"C2"},
    )
    found = play_moves(of, state, ">S10")
    assert (found.to_move, "S10" in names(found.known_hand_cards(0))) == (1, True)
    assert "C2" in names(found.known_hand_cards(1))


def test_sun_calls_one_major_first() -> None:
    of = game()
    hands = {1: "M19 S3 S4 S5 S6 S7", 2: "M3 T2 T3 T4 T5 T6"}
    state = play_moves(of, position(of, hands=hands, stock="C2"), "M19")
    called = {text for text in texts(of, state) if text.startswith(">M")}
    assert called == {f">M{n}" for n in range(22)} - {">M0", ">M20", ">M21"}
    assert "M3" in names(play_moves(of, state, ">M3").known_hand_cards(0))
    missed = play_moves(of, state, ">M4")
    assert (missed.to_move, "C2" in names(missed.known_hand_cards(0))) == (1, True)
    state = play_moves(of, state, ">S2")
    assert ">S9" in texts(of, state)
    assert not {text for text in texts(of, state) if text.startswith(">M")}


def test_called_chariot_card_is_not_handed_over() -> None:
    of = game()
    state = position(of, hands={1: "M17 S3 S4 S5 S6 S7"}, reserve={2: "M7 S10"}, stock="C2")
    state = play_moves(of, state, "M17", ">S10")
    assert names(state.known_hand_cards(0)) == {"S3", "S4", "S5", "S6", "S7", "C2"}


def test_chariot_takes_two_cards_a_turn() -> None:
    of = game()
    state = position(of, hands={1: "M7 S3 S4 S5 S6 S7"}, stock="C2 C3 C4")
    _, events = of.apply(state, of.parse(state, "M7+S3"))
    told = of.summarize_events(state, events, "en", ("Aiko", "Ben"))
    assert told == "Aiko lays out the Chariot with the 3 of swords"
    state = play_moves(of, state, "M7+S3", "M7+S4", "done")
    assert names(state.chariot_cards(0)) == {"M7", "S3", "S4"}
    assert names(state.known_hand_cards(0)) == {"S5", "S6", "S7", "C2", "C3", "C4"}
    assert "Chariot: 2 cards" in of.describe_seat(state, 0)
    while state.to_move != 0:
        state = discard_one(of, state)
    state = play_moves(of, state, "M7+S5", "M7+S6")
    assert state.to_move == 1
    while state.to_move != 0:
        state = discard_one(of, state)
    state = play_moves(of, state, "M7-")
    assert names(state.chariot_cards(0)) == set()
    assert {"M7", "S3", "S4", "S5", "S6"} <= names(state.cards_at[DISCARD_PILE])


def test_open_fool_goes_to_first_in_turn_order() -> None:
    of = game()
    state = position(
        of, hands={1: "S7 T5 T6 T7 T8 T9"}, pool="M0 D2 D3 D4 D5 D6", table="M8", justice_in_play=True
    )
    state = play_moves(of, state, "S:S7")
    assert state.decision is not None
    assert (state.decision.seats, state.decision.visibility) == ((1,), "open")
    state = play_moves(of, state, "let")
    assert state.to_move == 2
    state = play_moves(of, state, "steal")
    assert names(state.engaged_cards(2, S)) == {"S7"}
    assert (state.hand_size(2), state.counts_at[POOL]) == (6, 6)


def test_thief_taking_last_field_leaves_without_drawing() -> None:
    of = game()
    fields = {"2T": "T2", "2C": "C2", "2D": "D2"}
    state = position(of, hands={1: "S7 T5 T6 T7 T8 T9", 2: "M0 D3 D4 D5 D6 D7"}, fields=fields)
    state = play_moves(of, state, "S:S7", "2:steal")
    assert state.has_left_round(1)
    assert names(state.cards_at[DISCARD_PILE]) == {"M0", "D3", "D4", "D5", "D6", "D7"}
    assert state.hand_size(0) == 6


def test_stock_renewal_is_counted_and_drawing_continues() -> None:
    of = game(renewals=1)
    state = position(of, 2, hands={1: "S2 S3 S4 S5 S6 S7"}, only=1, stock="D2")
    state = decline_thefts(of, play_moves(of, state, "S:S2+S3+S4"))
    state = play_moves(of, state, "yes", "yes")
    assert (state.stock_renewals, state.hand_size(0)) == (1, 6)
    assert state.counts_at[DISCARD_PILE] == 0


def test_stock_closes_without_vote_after_last_renewal() -> None:
    of = game(renewals=1)
    state = position(of, 2, hands={1: "S2 S3 S4 S5 S6 S7"}, only=1, stock="D2", stock_renewals=1)
    state = decline_thefts(of, play_moves(of, state, "S:S2+S3+S4"))
    assert state.stock_closed
    assert (state.to_move, state.hand_size(0)) == (1, 4)


def test_koblenz_allows_one_secret_engagement_a_round() -> None:
    of = game("koblenz")
    state = position(of, hands={1: "S8 S9 T4 T5 C2 C3", 2: "M0 D2 D3 D4 D5 D6"})
    state = play_moves(of, state, "S:S8+S9*")
    assert names(of.observe(state, 1).engaged_cards(0, S)) == set()
    assert of.observe(state, 1).counts_at[of.observe(state, 1).field_place(0, S)] == 2
    assert names(of.observe(state, 0).engaged_cards(0, S)) == {"S8", "S9"}
    stolen = play_moves(of, state, "2:steal")
    assert names(stolen.engaged_cards(1, S)) == {"S8", "S9"}
    assert names(of.observe(stolen, 0).engaged_cards(1, S)) == {"S8", "S9"}
    assert names(of.observe(stolen, 2).engaged_cards(1, S)) == set()
    while stolen.to_move != 0 or stolen.tasks[-1][0] != "turn":
        stolen = discard_one(of, stolen)
    assert not {text for text in texts(of, stolen) if text.endswith("*")}


def test_stealing_a_secret_couple_costs_the_fool() -> None:
    of = game("koblenz")
    state = position(of, hands={1: "SQ SK T4 T5 C2 C3", 2: "M0 D2 D3 D4 D5 D6"}, stock="D7 D8 D9")
    state = play_moves(of, state, "S:SQ+SK*", "2:steal")
    assert names(state.engaged_cards(0, S)) == {"SQ", "SK"}
    assert names(state.known_hand_cards(0)) == {"T4", "T5", "C2", "C3", "D7", "D8"}
    assert names(state.known_hand_cards(1)) == {"D2", "D3", "D4", "D5", "D6", "D9"}
    assert names(state.cards_at[DISCARD_PILE]) == {"M0"}
    assert names(of.observe(state, 1).engaged_cards(0, S)) == {"SQ", "SK"}
    assert names(of.observe(state, 2).engaged_cards(0, S)) == set()


def test_malta_secret_engagement_costs_the_magician() -> None:
    of = game("malta")
    state = position(of, hands={1: "S8 S9 M1 M3 M4 M21"})
    found = {text for text in texts(of, state) if text.endswith("*")}
    couples = {f"{suit}:M1+M3+M4*" for suit in SUIT_LETTERS}
    assert found == {"S:S8+M1*", "S:S9+M1*", "S:S8+S9+M1*"} | couples
    state = decline_thefts(of, play_moves(of, state, "S:S8+S9+M1*"))
    assert names(state.engaged_cards(0, S)) == {"S8", "S9"}
    assert "M1" in names(state.cards_at[DISCARD_PILE])


def test_secret_engagements_are_revealed_at_round_end() -> None:
    of = game("koblenz", rounds=1)
    fields = {"1S": "? S9", "1T": "T2", "1C": "C2", "2S": "S3", "2T": "T3", "2C": "-", "2D": "D3"}
    state = position(of, 2, hands={1: "D9 S4 S5 S6 S7 S8"}, fields=fields, left_round=0b10)
    assert names(of.observe(state, 1).engaged_cards(0, S)) == set()
    after, events = of.apply(state, "D:D9")
    assert after.result is not None
    assert names(of.observe(after, 1).engaged_cards(0, S)) == {"S9"}
    ends = [event for event in of.observe_events(after, events, 1) if type(event).__name__ == "RoundEnded"]
    assert ends[0].cards == (CARD_BY_NAME["S9"],)


def test_worms_reinforces_an_ace_once() -> None:
    of = game("worms")
    state = position(of, hands={1: "S8 S9 SJ SQ SK M1"}, fields={"1S": "SA"})
    found = {text for text in texts(of, state) if text.startswith("S:")}
    assert found == {"S:S8", "S:S9", "S:S8+S9", "S:SJ"}
    more = decline_thefts(of, play_moves(of, state, "S:S8+S9"))
    assert names(more.engaged_cards(0, S)) == {"SA", "S8", "S9"}
    while more.to_move != 0:
        more = discard_one(of, more)
    assert not {text for text in texts(of, more) if text.startswith("S:")}
    court = decline_thefts(of, play_moves(of, state, "S:SJ"))
    assert names(court.engaged_cards(0, S)) == {"SJ"}
    assert "SA" in names(court.cards_at[DISCARD_PILE])


def test_worms_cannot_reinforce_an_ace_with_a_couple_from_the_chariot() -> None:
    of = game("worms")

    def reinforcements(chariot: str) -> set[str]:
        state = position(of, hands={1: "T2 T3 T4 T5 T6 T7"}, fields={"1S": "SA"}, reserve={1: chariot})
        return {text for text in texts(of, state) if text.startswith("S:")}

    assert reinforcements("M7 SJ") == {"S:SJ+M7"}
    assert reinforcements("M7 S4 S5") == {"S:S4+S5+M7"}
    for couple in ("SQ SK", "M6 SQ", "M3 M4"):
        assert not reinforcements(f"M7 {couple}")


def test_worms_theft_takes_only_the_reinforcement() -> None:
    of = game("worms")
    state = position(of, hands={1: "S8 S9 SJ SQ SK M1", 2: "M0 D2 D3 D4 D5 D6"}, fields={"1S": "SA"})
    state = play_moves(of, state, "S:SJ", "2:steal")
    assert names(state.engaged_cards(1, S)) == {"SJ"}
    assert names(state.engaged_cards(0, S)) == {"SA"}
    assert state.field_status(0, S).kind == ENGAGED
    # A single ace can't be stolen.
    state = position(of, hands={1: "SA S9 SJ SQ SK M1", 2: "M0 D2 D3 D4 D5 D6"})
    state = play_moves(of, state, "S:SA")
    assert state.decision is not None
    assert state.decision.kind == "turn"


def test_plain_ace_cannot_join_court_cards() -> None:
    of = game("mainz")
    state = position(of, hands={1: "SA SJ SH T2 T3 M1"})
    assert not {text for text in texts(of, state) if "SJ" in text and "A" in text}
    assert "S:SJ" in texts(of, state)


def test_automaton_discards_oldest_card_and_reveals_hand() -> None:
    of = game("gaza")
    state = position(of, 2, hands={1: "M17 S3 S4 S5 S6 S7", 3: "T2 T3 T4 T5 T6 T7"}, stock="C2 C3 C4 C5")
    oldest = state.automaton_hands[0][0]
    state = play_moves(of, state, "M17", ">C10")
    assert names(of.observe(state, None).known_hand_cards(2)) == {"T2", "T3", "T4", "T5", "T6", "T7"}
    state = discard_one(of, state)
    assert state.to_move == 0
    assert state.cards_at[DISCARD_PILE] >> oldest & 1
    assert names(of.observe(state, None).known_hand_cards(2)) == {"T3", "T4", "T5", "T6", "T7"}
    assert state.hand_size(2) == 6
    assert len(state.automaton_hands[0]) == 6


def test_automaton_abdicates_fields_in_order() -> None:
    of = game("gaza")
    state = position(of, 2, hands={1: "S3 S4 S5 S6 S7 S8"}, only=0, stock_closed=True, short=(3,))
    for suit in range(4):
        state = discard_one(of, discard_one(of, state))
        assert [state.field_status(2, each).kind for each in range(4)] == [ABDICATED] * (suit + 1) + [
            OPEN
        ] * (3 - suit)
    assert state.has_left_round(2)


def test_empty_hand_allows_only_abdication() -> None:
    of = game()
    state = position(of, only=0, stock_closed=True, short=(1,), hands={1: ""})
    assert texts(of, state) == {"S:-", "T:-", "C:-", "D:-"}
    with pytest.raises(IllegalMove):
        of.apply(state, "-S2")
