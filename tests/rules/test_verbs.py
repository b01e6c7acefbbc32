"""Every verb with every modifier: what can be chosen, what happens, and in which order."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from shibumi3d.rules.errors import IllegalMove
from shibumi3d.rules.marbles.event import (
    Captured,
    Chose,
    Drew,
    Dropped,
    Entered,
    Event,
    Given,
    Lifted,
    Moved,
    Passed,
    Placed,
    Pushed,
    Recoloured,
    Removed,
    Revealed,
    Scored,
    SideDropped,
    TurnEnded,
)
from shibumi3d.rules.marbles.language.verbs import VERBS
from shibumi3d.rules.marbles.pyramid import get_pyramid
from tests.rules.drawn import board
from tests.rules.inline import at, events_of, inline, options, play

WHITE, BLACK, RED = range(3)
POINT = get_pyramid(3).point_by_name

# Ba1 rests on Aa1, Ab1, Aa2 and Ab2, and carries nothing.
STEP = """
    . . . | . . | .
    W B . | R .
    W B .
"""
# Ba1 carries Ca1, so taking Aa1 makes Ba1 drop, then Ca1; Ab2 is pinned by four.
CHAIN = """
    W W W | W B | R
    W W W | B W
    W W W
"""
FLAT = """
    . . . | . . | .
    W . . | . .
    W B R
"""


def placed(point: str, colour: int, stock: str = "box") -> Placed:
    return Placed(0, POINT[point], colour, stock)


def dropped(origin: str, point: str, colour: int) -> Dropped:
    return Dropped(0, POINT[origin], POINT[point], colour)


# ---------------------------------------------------------------- place


def test_place_offers_colours_and_playable_points() -> None:
    game = inline("turn: {place: own | red}")
    # five holes are empty; Bb1 and the others lack supports
    offered = "W@Ac2 W@Aa3 W@Ab3 W@Ac3 W@Ac1 R@Ac2 R@Aa3 R@Ab3 R@Ac3 R@Ac1"
    assert sorted(options(game, at(game, STEP)).split()) == sorted(offered.split())


def test_place_at_can_use_the_colour() -> None:
    game = inline("turn: {place: all_colours, at: touching(colour)}")
    # beside white: Aa3; beside black: Ac1 Ab3 Ac2; only red (Ba1, which touches no playable point) has none
    assert options(game, at(game, STEP)) == "W@Aa3 B@Ac1 B@Ac2 B@Ab3"


def test_place_takes_from_a_stock_and_names_its_point() -> None:
    game = inline("""
        stocks: {hand: {each: {own: 1}}}
        turn: [{place: all_colours, from: hand, at: Aa1 | Ab1, as: here}, {score: count(here & own) + 5 * count(hand)}]
        """)
    state = at(game)
    assert options(game, state) == "W@Aa1 W@Ab1"
    assert events_of(game, state, "W@Ab1") == [placed("Ab1", WHITE, "hand"), Scored(0, 1)]
    after = play(game, state, "W@Ab1")
    assert after.reserves["hand"] == ({"white": 0, "black": 0, "red": 0}, {"white": 0, "black": 1, "red": 0})
    assert after.placed_points() == 0  # the next turn has begun
    assert after.boards == ("...,...,.W./..,../.",)


def test_place_requires_a_marble_in_the_stock() -> None:
    game = inline("stocks: {box: {holds: {black: 1}}}\nturn: {place: white | black, at: Aa1}")
    assert options(game, at(game)) == "B@Aa1"


# ---------------------------------------------------------------- take


def test_take_drops_carried_marbles() -> None:
    game = inline("stocks: {lost: {holds: {}}}\nturn: [{take: own, to: lost, as: gap}, {pick: gap & filled}]")
    state = at(game, CHAIN)
    # Aa1, Aa3, Ac1 and Ac3 carry one marble each; the others of level A carry two or four; Ba2 and Bb1 only carry Ca1
    assert options(game, state) == "xAa1 xAc1 xAa3 xAc3 xBb1 xBa2"
    assert events_of(game, state, "xAa1") == [
        Removed(0, POINT["Aa1"], WHITE, "lost"),
        dropped("Ba1", "Aa1", BLACK),
        dropped("Ca1", "Ba1", RED),
    ]
    state = play(game, state, "xAa1")
    assert state.boards == (board("W W W | W B | .\nW W W | R W\nB W W"),)
    assert state.reserves["lost"] == ({"white": 1, "black": 0, "red": 0},)
    assert state.fallen_points() == 1 << POINT["Aa1"] | 1 << POINT["Ba1"]
    assert options(game, state) == "Aa1"  # the name keeps the point, where another marble stands now


def test_take_to_nobody_is_impossible() -> None:
    game = inline("stocks: {hand: {each: {}}}\nturn: {first: [{take: red, to: hand(none)}, {place: own}]}")
    assert options(game, at(game, STEP)).startswith("W@")


# ---------------------------------------------------------------- move


def test_move_lifts_drops_and_sets_down() -> None:
    game = inline("turn: [{move: own, to: playable - resting_on(fallen), as: end}, {pick: end | origin}]")
    state = at(game, STEP)
    assert options(game, state) == "^Aa1 ^Aa2"
    # Ba1 falls to Aa1; only holes are left, not including Aa1
    assert events_of(game, state, "^Aa1") == [Lifted(0, POINT["Aa1"], WHITE), dropped("Ba1", "Aa1", RED)]
    lifted = play(game, state, "^Aa1")
    assert lifted.held == (WHITE, POINT["Aa1"], 0)
    assert options(game, lifted) == ">Ac1 >Ac2 >Aa3 >Ab3 >Ac3"
    assert events_of(game, lifted, ">Ac1") == [Moved(0, POINT["Aa1"], POINT["Ac1"], WHITE)]
    moved = play(game, lifted, ">Ac1")
    assert moved.held is None
    assert moved.moved_points() == 1 << POINT["Ac1"]
    assert options(game, moved) == "Aa1 Ac1"


def test_move_never_returns_to_its_origin() -> None:
    game = inline("turn: {move: own}")
    state = play(game, at(game, FLAT), "^Aa2")
    assert options(game, state) == ">Ab2 >Ac2 >Aa3 >Ab3 >Ac3"


def test_move_to_can_use_origin_and_colour() -> None:
    game = inline("turn: {move: filled, to: touching(origin) | holes & diagonal_to(colour)}")
    # Ab1 touches Ab2 (empty); the black marble is in hand, not on the board
    assert options(game, play(game, at(game, FLAT), "^Ab1")) == ">Ab2"
    # Aa1 and Aa2 are white: Ab3 is diagonal to Aa2
    assert options(game, play(game, at(game, FLAT), "^Aa1")) == ">Ab3"


def test_move_onto_captures_the_marble_there() -> None:
    game = inline("turn: [{move: own, onto: enemy, as: end}, {pick: colours(end) | taken}]")
    state = at(game, STEP)
    state = play(game, state, "^Aa1")
    # red has fallen to Aa1, the origin, which is never offered; red isn't an enemy of anyone
    assert options(game, state) == ">Ab1 >Ab2"
    assert events_of(game, state, ">Ab1") == [
        Captured(0, POINT["Ab1"], BLACK, "box"),
        Moved(0, POINT["Aa1"], POINT["Ab1"], WHITE),
    ]
    after = play(game, state, ">Ab1")
    assert options(game, after) == "white black"
    assert after.reserves["box"] == ({"white": 7, "black": 8, "red": 8},)  # 9 less 2 white, 1 black, 1 red


def test_move_onto_leaves_marbles_carried_by_the_target() -> None:
    game = inline("turn: [{move: red, onto: Ab2}, {pick: playable}]", size=3)
    state = play(game, at(game, "R . . | . . | .\nB B . | W .\nB B ."), "^Aa3 >Ab2")
    # Ba1 is still there, so its point isn't playable
    assert options(game, state) == "Ac1 Ac2 Aa3 Ab3 Ac3"


# ---------------------------------------------------------------- enter


def test_enter_requires_a_unique_landing_point() -> None:
    game = inline("turn: {enter: own}", size=4)
    # From the west, the line Ba1–Bb1 is pushed over Ad2, where its head falls. From the south, Ba2 would lack two
    # supports, and so would Bb2.
    assert options(game, game.position("....,....,BBB.,BBBB/...,...,RR./..,../.")) == "W>Ba1/W"


def test_enter_deduplicates_entries() -> None:
    game = inline("turn: {enter: own}")
    state = at(
        game,
        """
        . . . | . . | .
        B B . | . .
        B B .
        """,
    )
    # Ba1 is empty: entering from the west or the south is the same
    assert options(game, state) == "W>Ba1/W"
    assert events_of(game, state, "W>Ba1/W") == [Entered(0, POINT["Ba1"], 0, WHITE, "box")]


def events_of_entry() -> tuple[Event, ...]:
    """Return the events of White's entry at Ba1 from the west, on a board of size 4.

    The marbles on Ba1 and Bb1 are pushed; the one from Bb1 falls to the empty Ad2.
    """
    at4 = get_pyramid(4).point_by_name
    return (
        Pushed(0, at4["Bb1"], at4["Bc1"], RED),
        Pushed(0, at4["Ba1"], at4["Bb1"], BLACK),
        SideDropped(0, at4["Bc1"], at4["Ad2"], RED),
        Entered(0, at4["Ba1"], 0, WHITE, "hand"),
    )


def position_before_entry() -> str:
    return "....,....,BBB.,BBBB/...,...,BR./..,../."


def test_enter_pushes_a_line_and_drops_its_head() -> None:
    game = inline(
        "stocks: {hand: {each: {own: 1}}}\n"
        "turn: [{mark: {tail: red}}, {enter: own, from: hand, at: west, as: door}, {pick: tail | door | placed}]",
        size=4,
    )
    state = game.position(position_before_entry())
    assert "W>Ba1/W" in options(game, state)
    assert tuple(events_of(game, state, "W>Ba1/W")) == events_of_entry()
    after = play(game, state, "W>Ba1/W")
    assert after.boards == ("....,....,BBBR,BBBB/...,...,WB./..,../.",)
    assert options(game, after) == "Ad2 Ba1"  # the mark went with its marble


def test_enter_cannot_push_a_carrying_marble() -> None:
    game = inline("turn: {enter: own, at: Ba1}", size=4)
    # Ca1 rests on Ba1, so no entry is legal
    state = game.position("....,BBB.,BBBB,BBBB/...,BB.,BB./..,R./.")
    assert options(game, state) == ""


# ---------------------------------------------------------------- pick


@pytest.mark.parametrize(
    ("source", "offered", "move", "name"),
    [
        ("Aa1 | Ab1", "Aa1 Ab1", "Ab1", "Ab1"),
        ("colours(filled)", "white black red", "red", "red"),
        ("everyone", "seat 1 seat 2", "seat 2", "seat 2"),
        ("range(-1, 2)", "-1 0 1", "-1", "-1"),
        ("{l for l in rows if Ba1 <= l}", "Ba1+Bb1 Ba1+Ba2", "Ba1+Ba2", "Ba1 Ba2"),
        ("red", "Ac1", "Ac1", "Ac1"),
    ],
)
def test_pick_offers_and_names_a_value(source: str, offered: str, move: str, name: str) -> None:
    shown = "[x]" if source.startswith("range") else "x"
    game = inline(f'turn: [{{pick: "{source}", as: x}}, {{pick: "{shown}"}}]')
    state = at(game, FLAT)
    assert options(game, state) == offered
    assert events_of(game, state, [move]) == [Chose(0, move)]
    assert options(game, play(game, state, [move])) == name


@pytest.mark.parametrize(
    ("source", "offered"),
    [
        # A family may contain a set twice, a list may contain a number twice, and two options may give the same set.
        # All these points are filled, and there are four.
        ("{l for l in [Aa1 | Ab1, Ab1 | Ac1, Ab1 | Aa1] if l <= filled}", "Aa1+Ab1 Ab1+Ac1"),
        ("{l for l in [Aa1 | Ab1, Ab1 | Ac1] if l <= filled}", "Aa1+Ab1 Ab1+Ac1"),
        ("{l for l in [[Aa1, Aa1 | Ab1], [Ab1, Ab1]][count(filled) % 2] if l <= filled}", "Aa1 Aa1+Ab1"),
        ("{l for l in [[Ab1, Ab1], [Aa1, Aa1 | Ab1]][count(filled) % 2] if l <= filled}", "Ab1"),
        ("{l & Aa1 for l in [Aa1 | Ab1, Aa1 | Ac1] if l <= filled}", "Aa1"),
        ("{k for k in [2, 1, 2] if filled}", "2 1"),
        ("[k for k in [2, 1, 2] if filled]", "2 1"),
    ],
)
def test_pick_offers_each_value_once(source: str, offered: str) -> None:
    game = inline(f'turn: {{pick: "{source}"}}')
    assert options(game, at(game, FLAT)) == offered


def test_pick_stores_into_a_per_seat_var() -> None:
    game = inline("""
        vars: {mine: {each: 0}}
        turn: [{pick: "[7]", as: mine}, {pick: "[mine, mine(next(me))]"}]
        """)
    state = play(game, at(game), "7")
    assert options(game, state) == "7 0"


def test_place_as_stores_points_in_a_per_seat_var() -> None:
    game = inline("""
        vars: {last: {each: none}}
        turn: [{place: own, as: last}, {pick: last | last(next(me))}]
        """)
    state = play(game, at(game), "W@Aa1 Aa1")
    assert options(game, play(game, state, "B@Ab1")) == "Aa1 Ab1"
    state = play(game, state, "B@Ab1 Ab1 W@Ac1")
    assert options(game, state) == "Ab1 Ac1"  # White's own is new, Black's stays


def test_pick_offers_points_on_several_boards() -> None:
    game = inline("""
        boards: {names: [left, right]}
        turn: {choose: [{board: left, do: {pick: Aa1}}, {board: right, do: {pick: Aa1}}]}
        """)
    state = game.start()
    assert [(str(move), move.board) for move in game.moves(state)] == [("left.Aa1", 0), ("right.Aa1", 1)]


# ---------------------------------------------------------------- give, deal, draw


def test_give_moves_a_marble_between_stocks() -> None:
    game = inline("""
        stocks: {hand: {each: {own: 2}}}
        turn: [{give: all_colours, from: hand, to: hand(next(me)), as: tint}, {pick: tint}, {give: red}]
        """)
    state = game.start()
    assert options(game, state) == "W!"
    assert events_of(game, state, "W!") == [Given(0, WHITE, "hand", "hand", 1)]
    state = play(game, state, "W!")
    assert state.reserves["hand"][1] == {"white": 1, "black": 2, "red": 0}
    assert options(game, state) == "white"
    state = play(game, state, "white")
    # without "from" and "to", the marble goes from the box to the box
    assert events_of(game, state, "R!") == [Given(0, RED, "box", "box", -1)]


def test_deal_moves_counted_marbles_between_stocks() -> None:
    game = inline("""
        stocks: {pot: {holds: {red: 1}}, hand: {each: {own: 3}}}
        turn:
          - {deal: own, from: hand, to: pot}
          - {deal: all_colours, count: count(pot & white), from: pot, to: hand(next(me))}
          - {pick: points}
        """)
    # one white marble goes to the pot; then one of each colour should leave it, but it has no black
    state = game.start()
    assert state.result is not None
    game = inline("""
        stocks: {pot: {holds: {red: 3}}, hand: {each: {own: 3}}}
        turn:
          - {pick: Aa1}
          - {deal: own | red, count: 2, from: pot}
          - {deal: own, from: hand, to: pot}
        """)
    assert (
        game.start().result is not None
    )  # no white in the pot: it can't be done in full, so nobody is asked
    game = inline("""
        stocks: {pot: {holds: {red: 3}}, hand: {each: {own: 3}}}
        turn: [{pick: Aa1}, {deal: red, count: 2, from: pot}, {deal: own, from: hand, to: pot}]
        """)
    events = events_of(game, game.start(), "Aa1")
    assert events == [
        Chose(0, "Aa1"),
        Given(0, RED, "pot", "box", -1),
        Given(0, RED, "pot", "box", -1),
        Given(0, WHITE, "hand", "pot", -1),
    ]


def test_draw_to_a_stock_follows_the_given_deal() -> None:
    game = inline("""
        stocks: {bag: {holds: {white: 1, red: 1}}, hand: {each: {}}}
        turn: [{pick: Aa1}, {draw: 3, from: bag, to: hand}]
        """)
    state = game.start(deal={"bag": "RW"})
    # three are requested, but only two are there
    assert events_of(game, state, "Aa1") == [
        Chose(0, "Aa1"),
        Drew(0, RED, "bag", "hand"),
        Drew(0, WHITE, "bag", "hand"),
    ]
    assert play(game, state, "Aa1").reserves["bag"] == ({"white": 0, "black": 0, "red": 0},)


def test_draw_at_fills_the_lowest_points_first() -> None:
    game = inline("""
        stocks: {bag: {holds: {white: 1, red: 4}}}
        turn: [{pick: Aa1}, {draw: 9, from: bag, at: "Aa1 | Ab1 | Aa2 | Ab2 | Ba1 | Ac1"}]
        """)
    state = game.start(deal={"bag": "RRWRR"})
    # in the order of points: Aa1 Ab1 Ac1 Aa2 Ab2; nothing is left for Ba1
    assert events_of(game, state, "Aa1")[1:] == [
        placed("Aa1", RED, "bag"),
        placed("Ab1", RED, "bag"),
        placed("Ac1", WHITE, "bag"),
        placed("Aa2", RED, "bag"),
        placed("Ab2", RED, "bag"),
    ]


def test_same_seed_draws_the_same_marbles() -> None:
    game = inline("""
        stocks: {bag: {holds: {all_colours: 5}}, hand: {each: {}}}
        turn: [{draw: 5, from: bag, to: hand}, {pick: Aa1}]
        """)
    hands = [str(game.start(seed=seed).reserves["hand"][0]) for seed in (1, 1, 2, 3, 4)]
    assert hands[0] == hands[1]
    assert len(set(hands)) > 1


# ---------------------------------------------------------------- put, remove, recolour


def test_put_fills_every_point_lower_levels_first() -> None:
    game = inline("turn: [{pick: Aa1}, {put: own, at: Ba1 | Ab2}, {put: red, at: playable & Aa3, from: box}]")
    state = at(game, ". . . | . . | .\nB . . | . .\nB B .")
    assert events_of(game, state, "Aa1")[1:] == [
        placed("Ab2", WHITE),
        placed("Ba1", WHITE),
        placed("Aa3", RED),
    ]


def test_put_evaluates_at_for_each_colour() -> None:
    game = inline("turn: [{pick: Aa1}, {put: all_colours, at: touching(colour) & playable & west}]")
    # white: Aa3 beside Aa2; black and red touch no empty point on the west face
    state = at(game, FLAT)
    assert events_of(game, state, "Aa1")[1:] == [placed("Aa3", WHITE)]


@pytest.mark.parametrize(
    "step",
    [
        "{put: own, at: Aa1}",  # filled
        "{put: own, at: Ba2}",  # in the air
        "{put: own, at: Aa3, from: hand}",  # nothing there
        "{recolour: Aa1, into: red}",  # the box holds none
        "{recolour: Aa1, into: none}",
        "{deal: red, to: hand}",
        "{deal: own, from: hand(none), to: hand}",
        "{remove: Ab1}",  # it carries both Ba1 and Bb1
        "{remove: Ba1, to: hand(none)}",
        "{require: false}",
    ],
)
def test_incomplete_engine_verb_is_impossible(step: str) -> None:
    game = inline(f"stocks: {{hand: {{each: {{}}}}}}\nturn: {{first: [{step}, {{pick: Ab1}}]}}")
    state = at(game, ". . . | . . | .\nB B B | W W\nB B B", stocks={"box": "W"})
    assert options(game, state) == "Ab1"


@pytest.mark.parametrize(
    "step",
    [
        "{put: own, at: none}",
        "{put: none, at: Aa1}",
        "{remove: none}",
        "{recolour: none, into: red}",
        "{recolour: none, into: none}",
        "{deal: none, from: box, to: box}",
        "{draw: 0, from: box, to: box}",
        "{score: 0}",
        "{next: none}",
    ],
)
def test_engine_verb_on_nothing_has_no_effect(step: str) -> None:
    game = inline(f"turn: [{{pick: Aa1}}, {step}]")
    state = at(game, FLAT)
    assert events_of(game, state, "Aa1") == [Chose(0, "Aa1")]
    after = play(game, state, "Aa1")
    assert after.boards == state.boards
    assert after.to_move == 1


def test_remove_works_top_down_and_follows_drops() -> None:
    game = inline("stocks: {lost: {holds: {}}}\nturn: [{pick: Aa1}, {remove: black | Aa1, to: lost}]")
    state = at(game, CHAIN)
    # Bb2 is the highest black one, so it goes first and Ca1 falls into its place. Then Ba1, which now carries
    # nothing, then Aa1.
    assert events_of(game, state, "Aa1")[1:] == [
        Removed(0, POINT["Bb2"], BLACK, "lost"),
        dropped("Ca1", "Bb2", RED),
        Removed(0, POINT["Ba1"], BLACK, "lost"),
        Removed(0, POINT["Aa1"], WHITE, "lost"),
    ]
    # Ab1 is pinned by Ba1 and Bb1 until Bb1 is removed; then Ba1, which isn't to be removed, falls into its place
    game = inline("turn: [{pick: Aa1}, {remove: Ab1 | Bb1}]")
    state = at(game, ". . . | . . | .\nW W W | B R\nW W W")
    assert events_of(game, state, "Aa1")[1:] == [
        Removed(0, POINT["Bb1"], RED, "box"),
        Removed(0, POINT["Ab1"], WHITE, "box"),
        dropped("Ba1", "Ab1", BLACK),
    ]


def test_recolour_exchanges_marbles_with_the_box() -> None:
    game = inline("turn: [{pick: Aa1}, {recolour: west, into: red}]")
    state = at(game, "R . . | . . | .\nW . . | . .\nB . .")
    assert events_of(game, state, "Aa1")[1:] == [
        Recoloured(0, POINT["Aa1"], BLACK, RED),
        Recoloured(0, POINT["Aa2"], WHITE, RED),
    ]
    after = play(game, state, "Aa1")
    assert after.boards == (board("R . . | . . | .\nR . . | . .\nR . ."),)
    assert after.reserves["box"] == ({"white": 9, "black": 9, "red": 6},)


# ---------------------------------------------------------------- score, let, mark, next


def test_score_adds_points_to_given_seats() -> None:
    game = inline("turn: [{pick: Aa1}, {score: 2}, {score: -1, to: everyone}, {score: 0}]")
    state = game.start()
    assert events_of(game, state, "Aa1")[1:] == [Scored(0, 2), Scored(0, -1), Scored(1, -1)]
    assert play(game, state, "Aa1").scores == (1, -1)


def test_let_keeps_only_vars_beyond_the_turn() -> None:
    game = inline("""
        vars: {rounds: 0, mine: {each: 0}}
        turn:
          - let: {rounds: rounds + 1, mine: mine + 1, here: here | Aa1}
          - pick: "[rounds, 10 + mine, 20 + mine(next(me)), 30 + count(here)]"
        """)
    state = game.start()
    assert options(game, state) == "1 11 20 31"
    state = play(game, state, "1")
    assert options(game, state) == "2 11 21 31"
    assert options(game, play(game, state, "2")) == "3 12 21 31"


def test_mark_follows_dropped_marbles() -> None:
    game = inline("turn: [{mark: {old: Ca1, here: Ba1}}, {move: Aa1}, {pick: old}, {pick: here}]")
    # Ba1 falls to Aa1 and Ca1 to Ba1; White's marble goes on top, where there is no mark
    state = play(game, at(game, CHAIN), "^Aa1 >Ca1")
    assert options(game, state) == "Ba1"
    assert options(game, play(game, state, "Ba1")) == "Aa1"


def test_mark_forgets_removed_marbles() -> None:
    game = inline("turn: [{mark: {here: Ba1 | Ab1 | Aa2}}, {take: Aa1}, {take: Ab1}, {pick: here}]")
    state = at(game, ". . . | . . | .\nW W . | B .\nW W .")
    # Ba1 falls to Aa1 with its mark; Ab1 is removed; Aa2 stays
    assert options(game, play(game, state, "xAa1 xAb1")) == "Aa1 Aa2"


def test_mark_follows_a_moved_marble() -> None:
    game = inline("turn: [{mark: {here: Aa1}}, {move: Aa1}, {pick: here}]")
    state = play(game, at(game, FLAT), "^Aa1 >Ac3")
    assert options(game, state) == "Ac3"
    game = inline("turn: [{mark: {here: Ab1}}, {move: Aa1, onto: Ab1}, {pick: here | Aa2}]")
    state = play(game, at(game, FLAT), "^Aa1 >Ab1")
    assert options(game, state) == "Aa2"  # the marked marble was taken


def test_mark_in_a_var_persists_across_turns() -> None:
    game = inline("""
        vars: {bomb: none}
        turn: [{if: not bomb, then: {mark: {bomb: Ac1}}}, {pick: bomb}]
        """)
    state = play(game, at(game, FLAT), "Ac1")
    assert options(game, state) == "Ac1"


def test_next_sets_the_seat_to_move() -> None:
    game = inline("players: 3\nturn: [{pick: Aa1}, {next: previous(me)}]")
    state = game.start()
    turns = []
    for _ in range(4):
        turns.append(state.to_move)
        state = play(game, state, "Aa1")
    assert turns == [0, 2, 1, 0]


# ---------------------------------------------------------------- choose, may, first


def test_choose_offers_every_branch_until_the_first_choice() -> None:
    game = inline("turn: {choose: [{place: own, at: Aa3}, [{take: red}, {place: red, at: Ab3}]]}")
    state = at(game, FLAT)
    assert options(game, state) == "W@Aa3 xAc1"
    assert options(game, play(game, state, "xAc1")) == "R@Ab3"
    assert play(game, state, "W@Aa3").to_move == 1


def test_choose_follows_the_branch_that_can_be_completed() -> None:
    game = inline(
        "turn: {choose: [[{pick: Aa1}, {place: own, at: Ba1}], [{pick: Aa1 | Ab1}, {place: own, at: Aa3}]]}"
    )
    state = at(game, FLAT)
    assert options(game, state) == "Aa1 Ab1"
    assert options(game, play(game, state, "Aa1")) == "W@Aa3"


def test_choose_offers_labels() -> None:
    game = inline("turn: {choose: {up: {score: 1}, down: [{pick: Aa1}], never: {require: false}}}")
    state = game.start()
    assert options(game, state) == "up down"
    assert [move.label for move in game.moves(state)] == ["up", "down"]
    assert events_of(game, state, "up") == [Chose(0, "up"), Scored(0, 1)]
    assert options(game, play(game, state, "down")) == "Aa1"


def test_choose_branch_may_have_no_choices() -> None:
    game = inline("turn: {choose: [{place: own, at: Aa1}, {score: 1}]}")
    state = game.start()
    assert options(game, state) == "W@Aa1 done"
    assert events_of(game, state, "done") == [Scored(0, 1)]


def test_chance_in_a_branch_waits_until_it_is_chosen() -> None:
    game = inline("""
        stocks: {bag: {holds: {red: 2}}, hand: {each: {}}}
        turn:
          choose:
            - place: own
              at: Aa1
            - [{draw: 1, from: bag, to: hand}, {place: colours(hand), from: hand, at: Ab1}]
        """)
    state = game.start()
    assert options(game, state) == "W@Aa1 done"
    assert events_of(game, state, "done") == [Drew(0, RED, "bag", "hand")]
    assert options(game, play(game, state, "done")) == "R@Ab1"


def test_may_can_be_declined_or_done() -> None:
    game = inline("turn: [{may: {take: red}}, {place: own, at: Aa3}]")
    state = at(game, FLAT)
    assert options(game, state) == "xAc1 done"
    assert options(game, play(game, state, "done")) == "W@Aa3"
    assert options(game, play(game, state, "xAc1")) == "W@Aa3"


def test_may_is_skipped_when_impossible() -> None:
    game = inline("turn: [{may: {take: red & Aa1}}, {place: own, at: Aa3}]")
    assert options(game, at(game, FLAT)) == "W@Aa3"
    # a red marble could be taken, but then nothing could be placed
    game = inline("turn: [{may: {take: red}}, {require: red}, {place: own, at: Aa3}]")
    assert options(game, at(game, FLAT)) == "W@Aa3"


def test_first_commits_to_the_first_possible_branch() -> None:
    # the pair can't be placed completely, so the single marble is; this can't be changed later
    game = inline("turn: {first: [[{place: own, at: Aa3}, {place: own, at: Ba1}], {place: red, at: Ab3}]}")
    assert options(game, at(game, FLAT)) == "R@Ab3"
    game = inline("turn: {first: [{place: own, at: Aa3}, {place: red, at: Ab3}]}")
    assert options(game, at(game, FLAT)) == "W@Aa3"
    # 'first' checks each program alone, without what follows
    game = inline(
        "turn: [{pick: Aa1}, {first: [{place: own, at: Aa3}, {place: red, at: Ab3}]}, {require: not own & Aa3}]"
    )
    assert options(game, at(game, FLAT)) == ""
    # an empty program can always be done
    game = inline("turn: [{place: own, at: Aa3}, {first: [{place: own, at: Ba1}, []]}]")
    assert play(game, at(game, FLAT), "W@Aa3").turn == 1


# ---------------------------------------------------------------- repeat, if, require, best


def test_repeat_runs_until_impossible() -> None:
    game = inline("turn: [{pick: Aa1}, {repeat: {put: red, at: playable & west & holes}}]")
    # Aa3 is filled first; then nothing is playable there, so nothing changes
    assert events_of(game, at(game, FLAT), "Aa1")[1:] == [placed("Aa3", RED)]
    game = inline("turn: {repeat: {take: west & own}}")
    state = play(game, at(game, FLAT), "xAa2")
    assert state.to_move == 0
    assert state.turn == 0
    assert play(game, state, "xAa1").turn > 0


def test_repeat_may_ends_when_declined() -> None:
    game = inline("turn: {repeat: {may: {take: own}}}")
    state = play(game, at(game, FLAT), "xAa2")
    assert options(game, state) == "xAa1 done"
    assert play(game, state, "done").to_move == 1


@pytest.mark.parametrize(("times", "asked"), [("2", 2), ("count(own)", 2), ("0", 0), ("-1", 0)])
def test_repeat_times_asks_that_many_times(times: str, asked: int) -> None:
    game = inline(f"turn: [{{repeat: {{pick: Aa1}}, times: {times}}}, {{pick: Ab1}}]")
    state = at(game, FLAT)
    for _ in range(asked):
        assert options(game, state) == "Aa1"
        state = play(game, state, "Aa1")
    assert options(game, state) == "Ab1"


def test_repeat_times_range_allows_stopping_after_the_minimum() -> None:
    game = inline("turn: [{repeat: {pick: Aa1}, times: [1, 3]}, {pick: Ab1}]")
    state = game.start()
    seen = []
    for _ in range(3):
        seen.append(options(game, state))
        state = play(game, state, "Aa1")
    assert seen == ["Aa1", "Aa1 done", "Aa1 done"]
    assert options(game, state) == "Ab1"
    assert options(game, play(game, game.start(), "Aa1 done")) == "Ab1"


def test_repeat_times_must_be_possible_in_full() -> None:
    # three are needed but only two are there, so it can't be started
    game = inline("turn: {first: [{repeat: {take: own}, times: 3}, {pick: Ab1}]}")
    assert options(game, at(game, FLAT)) == "Ab1"


def test_if_runs_then_or_else() -> None:
    text = "turn: {if: %s, then: {pick: Aa1}, else: {pick: Ab1}}"
    for test, offered in (("red", "Aa1"), ("not red", "Ab1"), ("count(own) == 2", "Aa1")):
        game = inline(text % test)
        assert options(game, at(game, FLAT)) == offered
    game = inline("turn: [{if: not red, then: {pick: Aa1}}, {pick: Ab1}]")
    assert options(game, at(game, FLAT)) == "Ab1"


def test_require_rules_out_earlier_choices() -> None:
    game = inline("turn: [{place: own, at: Aa3 | Ab3}, {require: touching(placed) & own}]")
    assert options(game, at(game, FLAT)) == "W@Aa3"


def test_best_keeps_only_choices_with_the_greatest_value() -> None:
    game = inline("""
        vars: {edge: none}
        turn:
          best: count(empty)
          do: {repeat: {take: "{p for p in holes & south if not edge or p in touching(edge)}", as: edge}}
        """)
    state = at(game, "... | .. | .\n... | ..\nWBR")
    # each marble must be beside the last one taken: from Ab1 only one neighbour could follow; from an end, all three
    # can be taken
    assert options(game, state) == "xAa1 xAc1"
    state = play(game, state, "xAa1")
    assert options(game, state) == "xAb1"


def test_best_without_possible_choices_is_impossible() -> None:
    game = inline("turn: {first: [{best: count(empty), do: {take: Aa3}}, {pick: Ab1}]}")
    assert options(game, at(game, FLAT)) == "Ab1"


# ---------------------------------------------------------------- by, board


def test_by_set_follows_turn_order_from_the_mover() -> None:
    game = inline("players: 3\nturn: [{by: everyone, do: [{pick: me, as: who}, {score: 1}]}, {pick: me}]")
    state = game.position("...,...,.../..,../.", seats=3, to_move=1)
    asked = []
    while len(asked) < 4:
        asked.append((state.to_move, options(game, state)))
        state = play(game, state, [options(game, state)])
    # 'me' is each of them in turn, and then the mover again
    assert asked == [(1, "seat 2"), (2, "seat 3"), (0, "seat 1"), (1, "seat 2")]
    assert state.scores == (1, 1, 1)


def test_by_list_follows_its_own_order() -> None:
    game = inline('players: 3\nturn: {by: "[seat(3), seat(1), seat(3)]", do: {place: own}}')
    state = game.start()
    asked = []
    for move in ("R@Aa1", "W@Ab1", "R@Ac1"):
        asked.append(state.to_move)
        state = play(game, state, move)
    assert asked == [2, 0, 2]
    assert state.mover == 1


def test_by_nobody_is_skipped() -> None:
    game = inline("turn: [{by: none, do: {pick: Aa1}}, {pick: Ab1}]")
    assert options(game, game.start()) == "Ab1"


def test_secret_by_is_revealed_at_its_end() -> None:
    game = inline("turn: [{by: everyone, secret: true, do: {pick: range(2), as: x}}, {pick: Ab1}]")
    state = play(game, game.start(), "1")
    assert state.to_move == 1
    assert events_of(game, state, "0") == [Chose(1, "0"), Revealed((0, 1))]


def test_board_verb_selects_the_board() -> None:
    game = inline("""
        boards: {size: 3, names: [left, right]}
        turn:
          - {board: right, do: [{place: own, at: Aa1}, {pick: filled}]}
          - {pick: empty & Aa1}
          - {place: own, at: Aa1}
        """)
    state = game.start()
    assert options(game, state) == "W@right.Aa1"
    assert events_of(game, state, ["W@right.Aa1"]) == [Placed(1, POINT["Aa1"], WHITE, "box")]
    state = play(game, state, ["W@right.Aa1"])
    assert options(game, state) == "right.Aa1"
    state = play(game, state, ["right.Aa1"])
    assert options(game, state) == "left.Aa1"  # nothing stands there
    state = play(game, state, ["left.Aa1", "W@left.Aa1"])
    assert state.boards == ("...,...,W../..,../.", "...,...,W../..,../.")


def test_board_me_selects_each_seats_board() -> None:
    game = inline("boards: {size: 3, each: everyone}\nturn: [{board: me, do: {place: own}}]")
    state = play(game, game.start(), ["W@seat1.Aa1", "B@seat2.Ab1"])
    assert state.boards == ("...,...,W../..,../.", "...,...,.B./..,../.")


def test_choose_branch_may_begin_with_require() -> None:
    """A branch of ``choose`` that begins with ``require`` is offered only if its condition holds.

    A branch that contains only a condition is offered as "done". If two branches place a marble, all their choices are
    offered, but a choice that both have is offered only once.
    """
    game = inline(
        """
        turn:
          - choose:
              - place: own
              - [require: count(filled) > 1, take: filled]
              - [require: count(filled) == 1]
        """
    )
    empty, one = at(game), at(game, "W . .\n. . .\n. . .", to_move=1)
    two = at(game, "W B .\n. . .\n. . .")
    places = ["@Aa1", "@Ab1", "@Ac1", "@Aa2", "@Ab2", "@Ac2", "@Aa3", "@Ab3", "@Ac3"]
    assert options(game, empty).split() == [f"W{place}" for place in places]
    assert options(game, one).split() == [*(f"B{place}" for place in places if place != "@Aa3"), "done"]
    assert options(game, two).split()[-2:] == ["xAa3", "xAb3"]
    assert play(game, two, "xAb3").boards == one.boards
    both = inline("turn: [{choose: [{place: own}, [{require: count(filled) > 1}, {place: white}]]}]")
    black = at(both, "W B .\n. . .\n. . .", to_move=1)
    assert len(options(both, black).split()) == 14  # seven holes, of either colour
    white = at(both, "W B .\n. . .\n. . .")
    assert len(options(both, white).split()) == 7  # placing white is one choice, whichever branch it is of


# ---------------------------------------------------------------- in general


def test_turn_may_not_restore_the_position() -> None:
    game = inline("turn: [{take: own & Aa1}, {place: own}]")
    state = play(game, at(game, FLAT), "xAa1")
    assert "W@Aa1" not in options(game, state)
    assert "W@Ab2" in options(game, state)


def test_turn_may_not_restore_the_position_after_chance() -> None:
    # the null turn isn't offered, even though looking ahead stops at the draw
    game = inline("""
        stocks: {bag: {holds: {white: 2}}, hand: {each: {}}}
        turn: [{take: own & Aa1}, {draw: 1, from: bag, to: hand}, {place: own, from: hand, at: holes & west}]
        """)
    state = play(game, at(game, FLAT), "xAa1")
    assert options(game, state) == "W@Aa3"


def test_different_marble_may_replace_a_taken_one() -> None:
    game = inline("turn: [{take: own & Aa1}, {place: red, at: Aa1}]")
    state = play(game, at(game, FLAT), "xAa1")
    assert options(game, state) == "R@Aa1"


def test_illegal_move_leaves_the_state_unchanged() -> None:
    game = inline("turn: {place: own}")
    state = at(game, FLAT)
    with pytest.raises(IllegalMove, match="'W@Aa1' is not possible now"):
        game.apply(state, "W@Aa1")
    assert state == at(game, FLAT)


def test_events_end_with_turn_ended() -> None:
    game = inline("turn: {place: own}\npass: true")
    assert game.apply(game.start(), "W@Aa1")[1] == (placed("Aa1", WHITE), TurnEnded(0, 1))
    assert game.apply(game.start(), "pass")[1] == (Passed(0), TurnEnded(0, 1))


def test_state_equality_ignores_move_history_and_queries() -> None:
    game = inline("turn: {place: own | red, at: touching(colour) | Aa1 | Ab1 | Ac1}")
    one = play(game, game.start(), "W@Aa1 B@Ab1")
    # the options that were looked at earlier aren't part of a state
    assert one == play(game, game.start(), "W@Aa1 B@Ab1")
    other = play(game, game.start(), "W@Aa1")
    game.moves(other)
    game.moves(game.start())
    assert play(game, other, "B@Ab1") == one
    assert hash(play(game, other, "B@Ab1")) == hash(one)


def test_because_changes_only_the_reasons() -> None:
    plain = inline("turn: [{place: own, at: holes}, {require: count(own) < 3}]")
    telling = inline("""
        turn:
          - {place: own, at: holes, because: {en: only on the board, fr: sur le plateau seulement}}
          - {require: count(own) < 3, because: {en: two are enough}}
        """)
    assert options(plain, plain.start()) == options(telling, telling.start())
    place, require = telling._rules_for().program[:2]
    assert place.reasons == {"en": "only on the board", "fr": "sur le plateau seulement"}  # type: ignore[attr-defined]
    assert require.reasons == {"en": "two are enough"}  # type: ignore[attr-defined]


def test_every_verb_and_modifier_is_tested() -> None:
    source = Path(__file__).read_text(encoding="utf-8")
    for verb in VERBS.values():
        for key in (verb.name, *verb.modifiers):
            assert re.search(rf"\b{key}: ", source), (verb.name, key)
