"""The worked examples of the specification, with the same positions, actions and results.

Seats A and B are 0 and 1; counts are Gold/Spiral/stars.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from shibumi3d.rules.errors import IllegalMove
from shibumi3d.rules.golden_spiral.effects import resolve_clash
from shibumi3d.rules.golden_spiral.flow import MoveExecution
from shibumi3d.rules.golden_spiral.state import ClashResult, State

from .bench import apply_joker, format_state, game, play, state_before_clash, state_before_joker

START = "13/0/5, 13/0/5, 0"


def start() -> State:
    return game().start(2, 1)


def test_example_1_spiral_without_jokers() -> None:
    after = play(start(), "7", "5")
    assert format_state(after) == "6/7/5, 11/0/5, 2"
    assert (after.to_move, after.decision_kind) == (0, "joker")
    after = play(after, "pass", "pass")
    assert (after.to_move, after.decision_kind) == (0, "reinforce")
    assert [move.text for move in game().moves(after)] == ["0", "1", "2"]
    after = play(after, "2")
    assert format_state(after) == "8/5/5, 11/0/5, 2"
    assert (after.decision_kind, after.turn) == ("bid", 1)


def test_example_2_equal_numbers() -> None:
    after = play(start(), "6", "6")
    assert format_state(after) == START
    assert (after.decision_kind, after.turn, after.shown_numbers) == ("bid", 1, (6, 6))


def test_example_3_number_equal_to_own_gold() -> None:
    result, faults = resolve_clash(game().rules, (9, 13), (9, 5))
    assert result is None
    assert [fault.seat for fault in faults] == [0]
    flow = MoveExecution(game().rules, state_before_clash("9/4/5", "13/0/5"))
    flow.set_number(0, 9)
    flow.set_number(1, 5)
    assert flow.state.result is not None
    assert flow.state.result.winners == (1,)


def test_example_4_unpayable_difference() -> None:
    after = play(state_before_clash("8/5/5", "11/0/5", 2), "1", "10")
    assert after.result is not None
    assert after.result.winners == (1,)
    assert after.result.reason == "Default: had to lose 9 Gold but had only 8 left"


def test_example_5_temporarily_without_gold() -> None:
    after = play(state_before_clash("8/5/5", "11/0/5", 2), "2", "10")
    assert format_state(after) == "0/5/5, 1/10/5, 10"
    assert (after.to_move, after.decision_kind) == (0, "joker")
    after = play(after, "permutation", "pass")
    assert format_state(after) == "3/0/3, 1/10/5, 12"
    assert (after.to_move, after.decision_kind) == (1, "reinforce")
    after = play(after, "2")
    assert format_state(after) == "3/0/3, 3/8/5, 12"
    assert after.decision_kind == "bid"


def test_example_6_second_clash_without_legal_number() -> None:
    after = play(start(), "12", "3")
    assert format_state(after) == "1/12/5, 4/0/5, 9"
    assert after.to_move == 0
    after = play(after, "pass", "second-clash")
    assert after.result is not None
    assert after.result.winners == (1,)
    assert format_state(after) == "1/12/5, 4/0/4, 9"


def test_example_7_annulment() -> None:
    after = play(start(), "9", "4")
    assert format_state(after) == "4/9/5, 8/0/5, 5"
    after = play(after, "pass", "annulment")
    assert format_state(after) == "13/0/5, 12/0/4, 1"


@pytest.mark.parametrize(
    ("number", "before", "joker", "amount", "result"),
    [
        (8, state_before_clash("3/2/5", "6/4/5", 11), "flame-of-hope", "", "4/4, 5/3, 10 then 3/4/4, 11"),
        (9, state_before_clash("4/4/5", "5/1/5", 12), "mirror", "", "6/5, 3/0, 12 then 5/5/4, 13"),
        (11, state_before_clash("10/2/5", "9/2/5", 3), "reserve", "", "11/2, 9/2, 2 then 10/2/4, 3"),
        (12, state_before_clash("3/4/2", "7/2/5", 10), "duplication", "2", "7/2, 3/4, 10 then 5/2/0, 12"),
        (13, state_before_clash("4/3/1", "8/1/5", 10), "joker-transfer", "3", "4/3, 8/1, 10 then 4/2/3, 11"),
        (17, state_before_clash("5/4/2", "7/2/5", 8), "interversion", "3", "8/1, 4/5, 8 then 7/1/1, 9"),
    ],
)
def test_joker_use_and_price_match_specification(
    number: int, before: State, joker: str, amount: str, result: str
) -> None:
    """The counts after a joker has been used and paid for are those of the specification.

    ``number`` is the number of the example, and ``amount`` is passed to :func:`apply_joker`. In ``result``, the part
    before "then" gives the counts before the price in medals is paid: the Gold and Spiral of seat 0, those of seat 1,
    and the number of discarded medals. The part after "then" gives the counts after the payment: seat 0's Gold, Spiral
    and stars, and the number of discarded medals. Seat 1 pays nothing, so its counts are given only in the first part;
    of that part, nothing else is compared.
    """
    after = apply_joker(before, joker, amount)
    _, other, _ = result.split(" then ")[0].split(", ")
    own, discard = result.split(" then ")[1].split(", ")
    assert "/".join(map(str, (after.gold[0], after.spiral[0], after.stars[0]))) == own
    assert f"{after.gold[1]}/{after.spiral[1]}" == other
    assert after.discarded_medals == int(discard)
    assert after.stars[1] == (2 if joker == "joker-transfer" else 5)


def test_example_8_flame_of_hope_needs_fewer_medals() -> None:
    """Flame of Hope may only be used by a player who has fewer medals than the opponent.

    In example 8, seat 0 has 5 medals, Gold and Spiral together, and seat 1 has 10.
    """
    state = state_before_joker(state_before_clash("3/2/5", "6/4/5", 11), 0)
    assert "flame-of-hope" in [move.text for move in game().moves(state)]


def test_example_10_full_reinforcement() -> None:
    """Full Reinforcement turns all of A's Spiral back to Gold; B announces nothing.

    A then has 11 Gold. The result also includes the price of the joker: two stars, and two Gold, which go to the
    discard.
    """
    state = state_before_joker(state_before_clash("2/9/5", "10/0/5", 5), 0)
    after = play(state, "full-reinforcement", "pass")
    assert format_state(after) == "9/0/3, 10/0/5, 7"


def test_example_14_first_joker_announcer() -> None:
    """Both clashes leave each seat with 5 Gold, so the medal totals decide who announces a joker first.

    The seat with fewer medals does. If the totals are equal too, nobody announces a joker. The counts before a clash
    are worked out backwards from those after it: seat 0 had 6 Gold, set 1 against 2 and lost 1 Gold; seat 1 had 7 Gold
    and turned 2 medals over to Spiral.
    """
    after = play(state_before_clash("6/2/5", "7/2/5"), "1", "2")
    assert (after.gold, after.spiral) == ((5, 5), (2, 4))
    assert (after.decision_kind, after.to_move) == ("joker", 0)
    after = play(state_before_clash("6/4/5", "7/2/5"), "1", "2")
    assert (after.gold, after.spiral) == ((5, 5), (4, 4))
    assert after.decision_kind == "reinforce"
    assert after.announced_jokers == ()


def test_example_15_both_seats_in_default() -> None:
    flow = MoveExecution(game().rules, state_before_clash("2/3/5", "3/5/5"))
    flow.set_number(0, 2)
    flow.set_number(1, 3)
    assert flow.state.result is not None
    assert flow.state.result.winners == (1,)
    assert flow.state.result.reason == "both in Default: 5 Spiral against 3"


def test_example_16_thirteen_is_shown_by_one_and_three() -> None:
    state = state_before_clash("14/0/5", "12/0/5")
    assert "13" in [move.text for move in game().moves(state)]
    assert game().rules.dice_faces[12] == (1, 3)
    assert resolve_clash(game().rules, (13, 13), (13, 1))[1][0].seat == 0


def test_example_18_annulment_after_appropriation() -> None:
    state = state_before_joker(
        state_before_clash("5/2/5", "6/2/5", 3), 0, ClashResult(1, 4, 0, 3), ("appropriation",)
    )
    with pytest.raises(IllegalMove):
        game().apply(state, "annulment")
    assert "too late" in game().explain_illegal(state, ["joker annulment"])
    for harmless in ("", "reserve", "full-reinforcement"):
        before = replace(state, announced_jokers=(harmless,))
        assert "annulment" in [move.text for move in game().moves(before)]
