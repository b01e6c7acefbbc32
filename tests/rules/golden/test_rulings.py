"""Rulings on special cases, tested on states built from counts of Gold, Spiral medals and stars."""

from __future__ import annotations

from dataclasses import replace

import pytest

from shibumi3d.rules.golden_spiral.effects import lowest_safe_number, resolve_clash
from shibumi3d.rules.golden_spiral.flow import MoveExecution
from shibumi3d.rules.golden_spiral.state import ClashResult

from .bench import apply_joker, format_state, game, play, state_before_clash, state_before_joker


def texts(state: object) -> list[str]:
    return [move.text for move in game().moves(state)]  # type: ignore[arg-type]


def test_second_clash_without_numbers_is_won_by_spiral() -> None:
    """If neither seat can set a number, the seat with more Spiral medals wins at once.

    A number must be at least 1 and lower than the seat's own count of Gold medals. A seat with one Gold medal or none
    therefore can't set any number, and is in Default. If both seats are in Default and have equally many Spiral medals,
    the match is a draw.
    """
    for a, b, winners in (("1/4/5", "1/3/5", (0,)), ("1/4/5", "0/4/5", ())):
        flow = MoveExecution(game().rules, state_before_clash(a, b))
        flow.start_clash()
        assert flow.state.result is not None
        assert flow.state.result.winners == winners


def test_two_second_clashes_in_one_spiral() -> None:
    """A sets 7 against B's 5, which leaves A with 6 Gold and 7 Spiral medals, and B with 11 Gold and no Spiral.

    Each player asks for a second clash, and both of these clashes end in a tie. A pays 1 Gold for the first, and B 1
    Gold for the second.
    """
    after = play(game().start(2), "7", "5", "second-clash", "second-clash")
    assert (after.decision_kind, after.phase) == ("bid", 0)
    after = play(after, "3", "3")
    assert format_state(after) == "5/7/4, 11/0/4, 3"
    assert after.decision_kind == "bid"
    after = play(after, "2", "2")
    assert format_state(after) == "5/7/4, 10/0/4, 4"
    assert after.decision_kind == "reinforce"


def test_second_clash_that_ends_match_is_free() -> None:
    """A second clash that ends the match costs a star, but not the 1 Gold that it usually costs.

    In a clash, the seat that sets the lower number must lose the difference in Gold. B, with 2 Gold, announces the
    second clash and sets 1 against A's 4. B can't lose 3 Gold, so A wins.
    """
    state = state_before_joker(state_before_clash("6/2/5", "2/2/5", 3), 1)
    after = play(state, "second-clash", "pass", "4", "1")
    assert after.result is not None
    assert after.result.winners == (0,)
    assert format_state(after) == "6/2/5, 2/2/4, 3"


def test_annulment_returns_medals_left_in_discard() -> None:
    """Annulment returns only the medals that are still in the discard.

    A has lost 3 medals to the discard, which holds 3. A takes 2 back with Reserve and pays 1 into the discard. This
    leaves 2 for B's Annulment, which turns B's own 5 Spiral medals back to Gold and gives those 2 to A. B then pays 1,
    so the discard ends with 1.
    """
    state = state_before_joker(state_before_clash("4/2/5", "5/6/5", 3), 0, ClashResult(1, 5, 0, 3))
    after = play(state, "reserve", "annulment")
    assert format_state(after) == "7/2/4, 9/1/4, 1"


def test_annulment_may_exceed_thirteen_medals() -> None:
    """A had 11 Gold and 2 Spiral medals, and has lost 2 Gold in the clash.

    A's joker Reserve brings 2 Gold and costs 1. B's joker Annulment then returns the 2 that were lost, so A ends with
    12 Gold and 2 Spiral medals, 14 in all. Only Reserve is limited to 13 medals.
    """
    state = state_before_joker(state_before_clash("9/2/5", "3/7/5", 4), 0, ClashResult(1, 6, 0, 2))
    after = play(state, "reserve", "annulment")
    # Reserve: 11/2, discard 2. Payment: 10/2, discard 3. Annulment: A 12/2, discard 1; B 9/1, pays: 8/1, discard 2.
    assert format_state(after) == "12/2/4, 8/1/4, 2"


def test_annulment_prevents_opponent_joker() -> None:
    state = state_before_joker(state_before_clash("4/7/5", "11/0/5", 2), 0, ClashResult(0, 7, 1, 2))
    after = play(state, "annulment")
    assert format_state(after) == "10/0/4, 13/0/5, 1"
    assert after.decision_kind == "bid"


def test_unpayable_joker_price_causes_default() -> None:
    state = state_before_joker(state_before_clash("1/3/5", "6/2/5", 3), 0)
    after = play(state, "appropriation", "pass", "0")
    # The only Gold medal is paid, so none is left; two Spiral return.
    assert format_state(after).startswith("0/3/4")
    assert after.decision_kind == "reinforce"
    state = state_before_joker(state_before_clash("0/3/5", "6/2/5", 3), 0)
    after = play(state, "appropriation", "pass", "2S")
    assert after.result is not None
    assert after.result.reason == "Default: had to pay 1 Gold but had only 0 left"
    assert after.result.winners == (1,)


def test_joker_gain_may_pay_its_price() -> None:
    state = state_before_joker(state_before_clash("0/5/5", "6/2/5", 3), 0)
    after = play(state, "appropriation", "pass", "1G")
    assert format_state(after) == "0/5/4, 5/2/5, 4"


def test_joker_transfer_needs_spiral_to_pay() -> None:
    """Joker Transfer costs 1 Spiral medal, and a seat that can't pay for a joker loses by default.

    Here, the first seat's joker Appropriation takes the second seat's only Spiral medal. The second seat then can't pay
    for Joker Transfer.
    """
    state = state_before_joker(state_before_clash("5/2/5", "7/1/5", 0), 0)
    after = play(state, "appropriation", "joker-transfer", "1S", "3")
    assert after.result is not None
    assert after.result.reason == "Default: had to pay 1 Spiral but had only 0 left"


def test_sacred_fire_turns_last_discarded_medal_into_gold() -> None:
    after = apply_joker(state_before_clash("3/2/5", "6/4/5", 1), "sacred-fire")
    # Gets 2/2 and the only medal of the discard as Gold: 6/4; pays 2.
    assert format_state(after) == "4/4/3, 4/2/5, 2"


def test_great_mirror_takes_only_available_medals() -> None:
    after = apply_joker(state_before_clash("0/0/5", "3/6/5", 17), "great-mirror")
    assert format_state(after) == "1/4/3, 0/2/5, 19"


@pytest.mark.parametrize(
    ("state", "joker", "reason"),
    [
        (state_before_clash("6/7/5", "11/0/5", 2), "reserve", "▲ already has 13 medals."),
        (state_before_clash("6/5/5", "11/0/5", 0), "reserve", "The discard is empty."),
        (state_before_clash("6/7/5", "11/0/5", 2), "mirror", "Gold and Spiral aren't equal: 6 and 7."),
        (
            state_before_clash("6/7/5", "11/0/5", 2),
            "sacred-fire",
            "▲ doesn't have fewer medals than the opponent: 13 against 11.",
        ),
        (state_before_clash("6/0/5", "11/0/5", 2), "interversion", "▲ has no Spiral medals."),
        (state_before_clash("6/7/5", "11/0/0", 2), "joker-transfer", "■ has no stars left."),
        (
            state_before_clash("6/7/1", "11/0/0", 2),
            "permutation",
            "Permutation costs 2 stars, but ▲ has only 1.",
        ),
    ],
)
def test_unavailable_joker_reason_is_explained(state: object, joker: str, reason: str) -> None:
    announced = state_before_joker(state, 0)  # type: ignore[arg-type]
    assert joker not in texts(announced)
    assert game().explain_illegal(announced, [f"joker {joker}"]) == reason


def test_seats_without_stars_are_not_asked_for_jokers() -> None:
    after = play(state_before_clash("13/0/0", "13/0/0"), "7", "5")
    assert after.decision_kind == "reinforce"
    assert after.announced_jokers == ("", "")


def test_joker_amounts_are_limited_by_available_medals() -> None:
    state = state_before_joker(state_before_clash("4/2/5", "1/1/5", 10), 0)
    after = play(state, "appropriation", "pass")
    assert texts(after) == ["0", "1S", "1G"]
    after = play(state, "interversion", "pass")
    assert texts(after) == ["0", "1"]
    after = play(state, "duplication", "pass")
    assert texts(after) == ["0", "1", "2"]
    after = play(after, "2")
    # Two Spiral are exchanged for the only Gold; 2 of 5 Gold are paid.
    assert format_state(after).startswith("3/0/3, 0/3/5, 12")


def test_reinforcement_allowance_uses_gold_before_full_reinforcement() -> None:
    """The player with more Gold before Full Reinforcement may turn back only one Spiral medal.

    The player with less Gold may turn back up to two. A, with 5 Gold against B's 6, pays 2 Gold for Full Reinforcement
    and turns back all 6 of its Spiral medals, which gives it 9 Gold. B now has less Gold than A, but had more before,
    so it may turn back only one medal.
    """
    state = state_before_joker(state_before_clash("5/6/5", "6/3/5", 6), 0)
    after = play(state, "full-reinforcement", "pass")
    assert after.to_move == 1
    assert texts(after) == ["0", "1"]
    assert format_state(after) == "9/0/3, 6/3/5, 8"


def test_low_gold_at_spiral_end_causes_default() -> None:
    """A player with at most one Gold medal at the end of a Spiral is in Default and loses.

    A, with 4 Gold, sets 3, and B, with 5, sets 2; this leaves A 1 Gold and 3 Spiral medals, and B 4 Gold. If A turns no
    medal back in the reinforcement, it is in Default. If A turns two back, the match goes on.
    """
    after = play(state_before_clash("4/0/0", "5/0/0"), "3", "2")
    assert format_state(after) == "1/3/0, 4/0/0, 1"
    lost = play(after, "0")
    assert lost.result is not None
    assert lost.result.winners == (1,)
    assert lost.result.reason == "Default: 1 Gold left at the end of the Spiral"
    assert play(after, "2").result is None


def test_most_gold_wins_after_last_spiral() -> None:
    for a, b, winners in (("5/0/0", "4/6/0", (0,)), ("5/0/0", "5/1/0", (1,)), ("5/1/0", "5/1/0", ())):
        state = replace(state_before_clash(a, b), turn=39)
        after = state
        flow = MoveExecution(game().rules, after)
        flow._end_spiral()
        assert flow.state.result is not None
        assert flow.state.result.winners == winners


def test_lowest_safe_number_survives_highest_bid() -> None:
    """A seat with 11 Gold can bid at most 10, because a bid must be lower than the seat's Gold.

    The seat with the lower bid pays the difference between the two bids in Gold, and is in Default if it has less.
    Against a bid of 10, a seat with 8 Gold can therefore bid 2 (example 5 of the specification) but not 1 (example 4).
    If both seats have 13 Gold, the highest possible bid is 12, so even 1, the lowest bid, is safe.
    """
    assert lowest_safe_number(game().rules, 8, 11) == 2
    assert resolve_clash(game().rules, (8, 11), (2, 10))[1] == ()
    assert resolve_clash(game().rules, (8, 11), (1, 10))[1] != ()
    assert lowest_safe_number(game().rules, 13, 13) == 1


def test_every_number_has_its_dice_faces() -> None:
    """The faces of the two dice add up to the number, except that 1 and 6 mean 1, and 1 and 3 mean 13.

    In Golden Spiral, a player shows a number from 1 to 13 with two dice. Since 1 and 3 mean 13, the only way to show 4
    is with two 2s.
    """
    dice = game().rules.dice_faces
    assert len(dice) == 13
    for number, faces in enumerate(dice, 1):
        assert sum(faces) == {1: 7, 13: 4}.get(number, number)
    assert dice[3] == (2, 2)


def test_bid_description_covers_lowest_equal_and_highest() -> None:
    """With 6 Gold against 11, the description of setting 5 covers the opponent's numbers 1, 5 and 10.

    These are the lowest number that the opponent can set, an equal one, and the highest. Players may only set numbers
    lower than their own Gold. The player with the higher number turns that many Gold medals over to Spiral; the other
    one loses the difference in Gold. If the numbers are equal, nothing happens.
    """
    state = state_before_clash("6/7/5", "11/0/5", 2)
    description = game().describe_outcome(state, game().parse(state, "5"), "en", ["Aiko", "Ben"])
    assert description == (
        "Set 5 – against 1: Aiko 1 Gold, 12 Spiral; Ben 7 Gold, 0 Spiral · against 5: nothing happens · "
        "against 10: Aiko 1 Gold, 7 Spiral; Ben 1 Gold, 10 Spiral"
    )


def test_joker_description_includes_paid_price() -> None:
    state = state_before_joker(state_before_clash("6/7/5", "11/0/5", 2), 0, ClashResult(0, 7, 1, 2))
    descriptions = {
        move.text: game().describe_outcome(state, move, "en", ["Aiko", "Ben"]) for move in game().moves(state)
    }
    # 7/6 pays 2; undoing the clash gives 13/0 against 13/0 and costs 1; two Gold are taken, 1 is paid.
    assert descriptions["permutation"] == (
        "Permutation (2 stars, 2 Gold): your Gold becomes Spiral, and your Spiral becomes Gold – "
        "Aiko 5 Gold, 6 Spiral; Ben 11 Gold, 0 Spiral"
    )
    assert descriptions["annulment"] == (
        "Annulment (1 star, 1 Gold): undo the clash – Aiko 12 Gold, 0 Spiral; Ben 13 Gold, 0 Spiral"
    )
    assert descriptions["destruction"] == (
        "Destruction (1 star, 1 Gold): move up to 2 of the opponent's Gold to the discard – Aiko 5 "
        "Gold, 7 Spiral; Ben 9 Gold, 0 Spiral"
    )
    assert (
        descriptions["second-clash"]
        == "Second Clash (1 star, 1 Gold): both players set new numbers and clash again – a new clash follows at once"
    )
    assert descriptions["joker-transfer"] == (
        "Joker Transfer (1 star, 1 Spiral): take up to 3 of the opponent's stars – Aiko 6 Gold, 6 "
        "Spiral; Ben 11 Gold, 0 Spiral; Aiko 7 stars"
    )
    assert descriptions["pass"] == "Pass"


def test_unpayable_joker_description_warns_of_default() -> None:
    state = state_before_joker(state_before_clash("0/7/5", "11/0/5", 2), 0)
    move = game().parse(state, "destruction")
    assert (
        game().describe_outcome(state, move, "en", ["Aiko", "Ben"])
        == "Destruction (1 star, 1 Gold): move up to 2 of the opponent's Gold to the discard – Aiko is in Default"
    )


def test_unavailable_joker_keeps_key_and_description() -> None:
    rules = game()
    full, bare = (
        state_before_joker(state_before_clash("6/7/5", "11/0/5", 2), 0),
        state_before_joker(state_before_clash("6/7/1", "11/0/5", 2), 0),
    )
    keys = {move.text: rules.shortcut_key(full, move) for move in rules.moves(full) if move.kind == "joker"}
    shut = {each.label: each for each in rules.unavailable_entries(bare)}
    again = {move.text: rules.shortcut_key(bare, move) for move in rules.moves(bare) if move.kind == "joker"}
    assert again.items() <= keys.items()
    used = [key for key in keys.values() if key]
    assert len(set(used)) == len(used)
    assert "permutation" in keys
    assert "permutation" not in again
    assert shut["Permutation"].key == keys["permutation"]
    assert (
        shut["Permutation"].detail
        == "2 stars, 2 Gold\nyour Gold becomes Spiral, and your Spiral becomes Gold"
    )
    for lang in ("en", "fr"):
        for joker in rules.rules.jokers:
            description = rules.describe_spot(full, f"joker {joker.id}", lang)
            assert joker.localized_name(lang) in description
            assert str(joker.price.gold or joker.price.spiral) in description
            assert "{" not in description


def test_clash_and_joker_summaries_include_counts() -> None:
    """With 6 Gold against 11, Aiko sets 3 against Ben's 5; then she uses the joker Reserve.

    In a clash, whoever sets the higher number turns that many Gold to Spiral, here 5, and the other player loses the
    difference, here 2 Gold. Reserve brings 2 Gold back from the discard and costs 1, so Aiko ends with 5.
    """
    rules, names = game(), ["Aiko", "Ben"]
    state, events = state_before_clash("6/2/5", "11/0/5", 7), []
    for text in ("3", "2:5"):
        state, more = rules.apply(state, text)
        events += more
    summary = rules.summarize_events(state, events, "en", names)
    assert summary == (
        "Aiko sets 3, Ben 5: Ben turns 5 to Spiral, Aiko loses 2 Gold; Aiko 4 Gold, 2 Spiral; Ben 6 Gold, 5 Spiral"
    )
    before, events = state, []
    for text in ("reserve", "pass"):
        state, more = rules.apply(state, text)
        events += more
    summary = rules.summarize_events(state, events, "en", names)
    assert "Aiko uses Reserve (1 star, 1 Gold): Aiko gets 2 Gold from the discard;" in summary
    assert summary.endswith("Aiko 5 Gold, 2 Spiral; Ben 6 Gold, 5 Spiral")
    move = rules.parse(before, "reserve")
    assert rules.describe_move(before, move, (), "en", names) == "Announce Reserve"
    assert rules.describe_move(before, move, (), "fr", names).startswith("Annoncer ")
    nothing = rules.parse(before, "pass")
    assert rules.describe_move(before, nothing, (), "en", names) == "Announce nothing"
    assert rules.describe_move(before, nothing, (), "fr", names) == "Ne rien annoncer"
    assert rules.describe_round(state, "fr") == "Spirale 1 sur 40"
