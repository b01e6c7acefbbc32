"""The worked examples of the Arcanoid specification: positions, and effects of choices worked out by hand."""

from __future__ import annotations

import pytest

from shibumi3d.rules.arcanoid.cards import SUIT_LETTERS
from shibumi3d.rules.arcanoid.events import UNKNOWN_CARD, Abdicated, Discarded
from shibumi3d.rules.arcanoid.game import CardGame
from shibumi3d.rules.arcanoid.moves import field_winner, rank_seats
from shibumi3d.rules.arcanoid.state import (
    ABDICATED,
    DISCARD_PILE,
    OPEN,
    STOCK,
    State,
    WonField,
)
from shibumi3d.rules.errors import IllegalMove
from tests.tables.tarot import decline_thefts, game, names, play_moves, position

S, T, C, D = range(4)


def texts(of: CardGame, state: State) -> set[str]:
    return {move.text for move in of.moves(state)}


RANKED = [
    # 1: 17 points against 19; the third player gave up the field.
    ({"1S": "S4 S6 S7", "2S": "S9 S10", "3S": "-"}, "S", 2, "points"),
    # 2: a knave counts 14.5.
    ({"1C": "CJ", "2C": "C5 C10"}, "C", 2, "points"),
    ({"1C": "CJ", "2C": "C4 C10"}, "C", 1, "points"),
    # 3: a knight counts 17.5; an ace beside it adds nothing.
    ({"1D": "DH DA", "2D": "D8 D9"}, "D", 1, "points"),
    ({"1D": "DH DA", "2D": "D8 D10"}, "D", 2, "points"),
    # 4: imperial beats royal, royal beats illegitimate, which beats 55 points.
    ({"1T": "TA T2 T3 T4 T5 T6 T7 T8 T9 T10", "2T": "M6 TJ", "3T": "TQ TK", "4T": "M3 M4"}, "T", 4, "imperial"),
    ({"1T": "TA T2 T3 T4 T5 T6 T7 T8 T9 T10", "2T": "M6 TJ", "3T": "TQ TK"}, "T", 3, "royal"),
    ({"1T": "TA T2 T3 T4 T5 T6 T7 T8 T9 T10", "2T": "M6 TJ"}, "T", 2, "illegitimate"),
    # 5: if sums are equal, the highest card decides.
    ({"1S": "S4 S6", "2S": "S10"}, "S", 2, "cards"),
    # 6: if cards are equal, the natural one wins.
    ({"1S": "S10", "2S": "T10 M1"}, "S", 1, "natural"),
    # 16: if all give up, the last one wins: P1 gives up first, then P3, then P2.
    ({"1C": "-", "3C": "-", "2C": "-"}, "C", 2, "last"),
    # The World wins alone, as all others had to give up.
    ({"2D": "M21", "1D": "-", "3D": "-"}, "D", 2, "world"),
]  # fmt: skip


@pytest.mark.parametrize(("fields", "suit", "winner", "why"), RANKED)
def test_field_winner_and_deciding_rule(fields: dict[str, str], suit: str, winner: int, why: str) -> None:
    state = position(game(), 4, fields=fields)
    assert field_winner(state, SUIT_LETTERS.index(suit)) == (winner - 1, why)


def test_example_7_fool_steals_and_victim_draws_first() -> None:
    of = game()
    state = position(
        of, hands={2: "S9 S10 C2 C3 C4 C5", 3: "M0 D2 D3 D4 D5 D6"}, to_move=2, stock="T2 T3 T4 T5"
    )
    state = play_moves(of, state, "S:S9+S10")
    assert state.decision is not None
    assert state.decision.kind == "fool"
    # In turn order after P2; anyone might hold it, so all are asked.
    assert state.decision.seats == (2, 0)
    state = play_moves(of, state, "1:let", "3:steal")
    assert names(state.engaged_cards(2, S)) == {"S9", "S10"}
    assert state.field_status(1, S).kind == OPEN
    assert names(state.known_hand_cards(1)) == {"C2", "C3", "C4", "C5", "T2", "T3"}
    assert names(state.known_hand_cards(2)) == {"D2", "D3", "D4", "D5", "D6", "T4"}
    assert names(state.cards_at[DISCARD_PILE]) == {"M0"}
    assert state.to_move == 2


def test_example_8_ace_repels_fool_except_where_plain() -> None:
    hands = {2: "SA S9 S10 C2 C3 C4", 3: "M0 D2 D3 D4 D5 D6"}
    of = game()
    state = play_moves(of, position(of, hands=hands, to_move=2), "S:SA+S9+S10")
    assert state.decision is not None
    assert state.decision.kind == "turn"
    assert state.to_move == 2
    of = game("mainz")
    state = play_moves(of, position(of, hands=hands, to_move=2), "S:SA+S9+S10", "3:steal")
    assert names(state.engaged_cards(2, S)) == {"SA", "S9", "S10"}


def test_example_9_theft_of_last_engagement_keeps_player_in() -> None:
    of = game()
    fields = {"1T": "T2", "1C": "C2", "1D": "D2"}
    state = position(
        of, hands={1: "S7 T5 T6 T7 T8 T9", 2: "M0 D3 D4 D5 D6 D7"}, fields=fields, stock="C9 C10"
    )
    state = play_moves(of, state, "S:S7", "2:steal")
    assert not state.has_left_round(0)
    assert state.field_status(0, S).kind == OPEN
    assert names(state.known_hand_cards(0)) == {"T5", "T6", "T7", "T8", "T9", "C9"}


@pytest.mark.parametrize("how", ["given up", "razed"])
def test_example_10_world_needs_untouched_suit(how: str) -> None:
    of = game()
    hands = {1: "M21 S2 S3 S4 S5 S6", 2: "M16 T2 T3 T4 T5 T6"}
    if how == "given up":
        state = position(of, hands=hands, fields={"2C": "-"})
    else:
        state = position(of, hands=hands, fields={"1C": "C9"}, to_move=2)
        state = play_moves(of, state, "M16>1C")
        while state.to_move != 0:
            state = play_moves(of, state, min(t for t in texts(of, state) if t.startswith("-")))
    assert state.to_move == 0
    assert "C:M21" not in texts(of, state)
    assert "D:M21" in texts(of, state)


def test_example_11_world_makes_all_others_abdicate() -> None:
    of = game()
    fields = {"3S": "S2", "3T": "T2", "3C": "C2"}
    state = position(of, hands={1: "M21 S3 S4 S5 S6 S7", 3: "D2 D3 D4 D5 D6 D7"}, fields=fields)
    state = play_moves(of, state, "D:M21")
    assert names(state.engaged_cards(0, D)) == {"M21"}
    assert [state.field_status(who, D).kind for who in (1, 2)] == [ABDICATED, ABDICATED]
    assert state.field_status(1, D).sequence_number < state.field_status(2, D).sequence_number
    assert state.has_left_round(2)
    assert not state.has_left_round(1)
    assert names(state.cards_at[DISCARD_PILE]) == {"D2", "D3", "D4", "D5", "D6", "D7"}


def test_example_12_soft_and_hard_temperance() -> None:
    hands = {1: "T3 S2 S3 S4 S5 S6", 2: "T10 C2 C3 C4 C5 C6"}
    of = game()
    with_card = {"hands": hands, "table": "M14", "temperance_status": (0, T)}
    state = position(of, to_move=2, **with_card)
    assert "T:T10" not in texts(of, state)
    assert "T:-" in texts(of, state)
    state = position(of, **with_card)
    assert "M14-" not in texts(of, state)
    state = decline_thefts(of, play_moves(of, state, "T:T3"))
    assert "M14" in names(state.cards_at[DISCARD_PILE])
    assert state.temperance_status == (-1, -1)
    of = game("nassau")
    state = position(of, **with_card)
    assert "T:T3" not in texts(of, state)
    state = play_moves(of, state, "M14-")
    assert state.to_move == 1
    assert "T:T10" in texts(of, state)


def test_example_13_one_no_vote_closes_stock() -> None:
    of = game()
    state = position(of, hands={1: "S2 S3 S4 S5 S6 S7"}, only=1, stock="D2")
    state = decline_thefts(of, play_moves(of, state, "S:S2+S3+S4"))
    assert state.decision is not None
    assert (state.decision.kind, state.decision.seats) == ("vote", (0,))
    # The drawn card stays covered until the vote is over, even for the player who drew it.
    assert "D2" not in names(of.observe(state, 0).known_hand_cards(0))
    state = play_moves(of, state, "yes")
    assert state.to_move == 1
    state = play_moves(of, state, "no")
    assert state.stock_closed
    assert state.decision is not None
    assert state.decision.kind == "turn"
    assert names(state.known_hand_cards(0)) == {"S5", "S6", "S7", "D2"}
    state = decline_thefts(of, play_moves(of, state, min(t for t in texts(of, state) if t.startswith("-"))))
    assert state.decision.kind == "turn"
    assert state.hand_size(1) == 5


def test_example_14_chariot_cards_join_an_engagement() -> None:
    of = game()
    state = position(of, hands={1: "C6 C10 S2 S3 S4 S5"}, reserve={1: "M7 C7 C8 C9"}, stock="D2 D3")
    state = decline_thefts(of, play_moves(of, state, "C:C6+C7+C8+C9+C10+M7"))
    assert names(state.engaged_cards(0, C)) == {"C6", "C7", "C8", "C9", "C10"}
    assert names(state.cards_at[DISCARD_PILE]) == {"M7"}
    assert names(state.known_hand_cards(0)) == {"S2", "S3", "S4", "S5", "D2", "D3"}
    # All cards that it carries go with it.
    state = position(of, hands={1: "C6 C10 S2 S3 S4 S5"}, reserve={1: "M7 C7 C8 C9"})
    assert "C:C7+C8+M7" not in texts(of, state)
    assert "C:C6+C7" not in texts(of, state)


def test_example_15_tower_destroys_half_a_couple() -> None:
    of = game()
    state = position(of, hands={2: "M16 D2 D3 D4 D5 D6"}, fields={"1SC": "M3 M4"}, to_move=2)
    state = play_moves(of, state, "M16>1C")
    assert state.field_status(0, C).kind == OPEN
    assert names(state.engaged_cards(0, S)) == {"M3", "M4"}
    assert names(state.cards_at[DISCARD_PILE]) == {"M16"}
    # The half of the couple whose cards are there: these go over to the other half.
    state = position(of, hands={2: "M16 D2 D3 D4 D5 D6"}, fields={"1SC": "M3 M4"}, to_move=2)
    state = play_moves(of, state, "M16>1S")
    assert state.field_status(0, S).kind == OPEN
    assert names(state.engaged_cards(0, C)) == {"M3", "M4"}
    assert names(state.cards_at[DISCARD_PILE]) == {"M16"}


def test_example_17_judgement_ends_round_for_target() -> None:
    of = game()
    fields = {"2S": "S2", "2C": "C2", "2D": "D2"}
    state = position(of, hands={1: "M20 S3 S4 S5 S6 S7", 2: "T2 T3 T4 T5 T6 T7"}, fields=fields)
    state = play_moves(of, state, "M20>2T")
    assert state.field_status(1, T).kind == ABDICATED
    assert state.has_left_round(1)
    assert names(state.cards_at[DISCARD_PILE]) == {"T2", "T3", "T4", "T5", "T6", "T7"}
    assert state.to_move == 2


def test_example_18_demon_plays_before_its_master() -> None:
    of = game()
    state = position(of, hands={1: "M15 S3 S4 S5 S6 S7"})
    state = play_moves(of, state, "M15")
    assert state.turn_order == (3, 0, 1, 2)
    assert state.to_move == 1
    assert state.hand_size(3) == 6
    assert names(of.observe(state, None).known_hand_cards(3)) == names(state.known_hand_cards(3))
    for expected in (2, 0):
        state = decline_thefts(
            of, play_moves(of, state, min(t for t in texts(of, state) if t.startswith("-")))
        )
        assert state.to_move == expected
    assert state.decision is not None
    assert state.decision.actor == 3


def test_example_19_called_card_is_handed_over() -> None:
    of = game()
    state = position(of, hands={1: "M17 S3 S4 S5 S6 S7", 3: "S10 T2 T3 T4 T5 T6"}, stock="D2 D3")
    state = play_moves(of, state, "M17", ">S10")
    assert names(state.known_hand_cards(0)) == {"S3", "S4", "S5", "S6", "S7", "S10"}
    assert names(state.known_hand_cards(2)) == {"T2", "T3", "T4", "T5", "T6", "D2"}
    assert "S10" in names(of.observe(state, 1).known_hand_cards(0))
    assert state.to_move == 1


def test_example_20_equal_field_counts_are_ranked_by_suit() -> None:
    def won(*seats: int) -> list[WonField]:
        return [WonField(seat, seat, "points") for seat in seats]

    # P1: S 2, T 3, C 1, D 1; P2: S 2, T 2, C 3, D 0; P3 has the other six.
    fields = won(0, 0, 0, 0, 0, 0, 1, 2, 1, 0, 1, 2, 1, 1, 1, 2, 2, 1, 2, 2)
    assert [sum(w.seat == seat for w in fields) for seat in range(3)] == [7, 7, 6]
    assert [[sum(w.seat == seat for w in fields[suit::4]) for suit in range(4)] for seat in (0, 1)] == [
        [2, 3, 1, 1],
        [2, 2, 3, 0],
    ]
    assert rank_seats(fields, 3) == [[0], [1], [2]]
    # If all suits are equal, the latest field decides; players without fields share the last place.
    assert rank_seats(won(0, 1, 1, 0, 1, 0, 0, 1), 4) == [[1], [0], [2, 3]]
    assert rank_seats(won(-1, -1, -1, -1), 2) == [[0, 1]]


def test_finished_round_is_scored_and_redealt() -> None:
    of = game()
    fields = {"1S": "S2", "1T": "T2", "1C": "C2", "2S": "S3", "2T": "T3", "2C": "-", "2D": "D3"}
    state = position(of, 2, hands={1: "D9 S4 S5 S6 S7 S8"}, fields=fields, left_round=0b10)
    state = play_moves(of, state, "D:D9")
    assert [(each.seat, each.deciding_rule) for each in state.won_fields] == [
        (1, "points"),
        (1, "points"),
        (0, "points"),
        (0, "points"),
    ]
    assert state.round == 2
    assert state.to_move == 1
    assert state.scores == (2, 2)
    assert state.counts_at[STOCK] == 78 - 12
    assert state.hand_size(0) == 6


def test_illegal_move_is_refused_with_message() -> None:
    of = game()
    with pytest.raises(IllegalMove, match="is not possible now"):
        of.apply(of.start(2), "S:M99")


def test_cards_may_be_named_in_any_order() -> None:
    of = game()
    state = position(of, hands={1: "S4 S6 M3 M4 C2 C3"})
    assert of.parse(state, "s: s6 + s4").text == "S:S4+S6"
    assert of.parse(state, "cs:m4+m3").text == "SC:M3+M4"


def test_consecutive_discards_are_summarized_together() -> None:
    """All discards of a seat between events of other seats are counted together, unknown cards included."""
    arcanoid = game()
    hidden = (UNKNOWN_CARD,)
    events = [
        Discarded(0, hidden),
        Discarded(0, hidden),
        Abdicated(0, (), (2,)),
        Discarded(0, hidden),
        Discarded(1, hidden),
        Discarded(0, hidden),
    ]
    summary = arcanoid.summarize_events(arcanoid.start(2), events, "en", ("Ann", "Ben"))
    assert summary == "Ann discards 3 cards; Ann gives up cups; Ben discards 1 card; Ann discards 1 card"
