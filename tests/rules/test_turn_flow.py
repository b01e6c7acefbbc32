"""Turns, phases, ends and series: what can be chosen when, and who wins."""

from __future__ import annotations

from typing import Any

import pytest

from shibumi3d.rules.errors import RuleFailure
from shibumi3d.rules.marbles import basic
from shibumi3d.rules.marbles.engine.board import IS_COMPILED
from shibumi3d.rules.marbles.engine.lookahead import rollback, save
from shibumi3d.rules.marbles.engines import get_engine, get_runner
from shibumi3d.rules.marbles.event import Ended, GameStarted, Passed, Placed, TurnEnded
from shibumi3d.rules.marbles.state import State
from tests.rules.inline import at, events_of, inline, options, play

# White Aa1 Aa2, black Ab1, red Ac1.
FLAT = """
    . . . | . . | .
    W . . | . .
    W B R
"""
NEVER = "end: [{when: stuck, lose: mover}]"


def winners(state: State) -> tuple[int, ...] | None:
    """Return the winners, () if nobody wins, or None while the match continues."""
    return None if state.result is None else state.result.winners


# ---------------------------------------------------------------- looking ahead


def test_dead_end_choices_are_not_offered() -> None:
    # Ac2 touches Ac3 but not Aa3, so the second marble could not be placed after W@Aa3
    game = inline("turn: [{place: own, at: Aa3 | Ac3}, {place: red, at: touching(placed) & Ac2}]")
    assert options(game, at(game, FLAT)) == "W@Ac3"


def test_look_ahead_restores_the_machine() -> None:
    game = inline("turn: [{place: own}, {move: own}]")
    fast, engine = game.make_fast_game(2), get_engine(3)
    m: Any = fast.machine
    fast.load(at(game, FLAT))
    before = engine.save_snapshot(m)
    m.events = events = []
    held = save(m)
    for _ in range(2):
        assert engine.take_option(m, engine.pseudo_legal_choices(m)[0], None) == engine.AWAITING_CHOICE
    assert engine.save_snapshot(m) != before
    assert not events
    assert m.is_looking_ahead
    rollback(m, held)
    assert engine.save_snapshot(m) == before
    assert m.events is events
    assert not m.is_looking_ahead


def test_look_ahead_reaches_the_end_of_the_turn() -> None:
    # the west face of level A has three places; only Aa3 is left, so a pair is impossible
    game = inline("turn: {first: [[{place: own, at: west}, {place: own, at: west}], {pick: Ab1}]}")
    assert options(game, at(game, FLAT)) == "Ab1"
    # each of the three choices is only offered if the last one can still be made
    game = inline(
        "turn: [{pick: Aa1 | Ab1, as: x}, {pick: Ab1 | Ac1, as: y}, {pick: Aa1 & x & y | Ac1 & y - x}]"
    )
    state = game.start()
    assert options(game, state) == "Aa1 Ab1"
    assert options(game, play(game, state, "Aa1")) == "Ac1"


def test_look_ahead_requires_repeat_to_be_possible() -> None:
    # a marble of White is needed at Aa3, so red may not go there
    game = inline("turn: [{place: red, at: Aa3 | Ab3}, {repeat: {place: own, at: Aa3}, times: [1, 2]}]")
    assert options(game, at(game, FLAT)) == "R@Ab3"


def test_look_ahead_stops_at_chance() -> None:
    game = inline("""
        stocks: {bag: {holds: {white: 1}}, hand: {each: {}}}
        turn: [{pick: Aa1 | Ab1}, {draw: 1, from: bag, to: hand}, {place: red, from: hand}]
        end: [{when: stuck, lose: mover}]
        """)
    state = game.start()
    assert options(game, state) == "Aa1 Ab1"
    # a white marble was drawn, so the seat is stuck in the middle of its turn
    assert winners(play(game, state, "Aa1")) == (1,)


def test_look_ahead_stops_at_another_seat() -> None:
    game = inline("""
        turn: [{pick: Aa1 | Ab1}, {by: next(me), do: {place: own, at: Aa1}}]
        end: [{when: stuck, lose: mover}]
        """)
    state = at(game, FLAT)
    assert options(game, state) == "Aa1 Ab1"
    # seat 2 can't move: for 'stuck', it is the mover
    assert winners(play(game, state, "Aa1")) == (0,)


def test_look_ahead_covers_a_long_turn() -> None:
    # the first of 385 placements is only offered because all can be completed
    game = inline(
        "stocks: {box: {holds: {red: 385}}}\nturn: [{pick: Aa1}, {repeat: {place: red}}, {require: not empty}]",
        size=10,
    )
    assert options(game, game.start()) == "Aa1"
    game = inline(
        "stocks: {box: {holds: {red: 13}}}\nturn: [{pick: Aa1}, {repeat: {place: red}}, {require: not empty}]"
    )
    assert options(game, game.start()) == ""


# ---------------------------------------------------------------- stuck, pass, nothing to do


def test_stuck_without_an_end_rule_is_a_draw() -> None:
    game = inline("turn: {place: own, at: Ba1}")
    state = at(game, FLAT)
    assert winners(state) == ()
    assert state.result is not None
    assert state.result.reason == "nobody can move"
    assert state.to_move is None
    assert game.moves(state) == ()


def test_stuck_rule_treats_the_stuck_seat_as_mover() -> None:
    game = inline(f"turn: {{place: own, at: Ab2}}\n{NEVER}")
    state = at(game, FLAT)
    assert winners(state) is None
    after, events = game.apply(state, "W@Ab2")
    assert winners(after) == (0,)
    assert events == (Placed(0, 4, 0, "box"), TurnEnded(0, 1), Ended((0,), "stuck"))


def test_stuck_combines_with_another_condition() -> None:
    game = inline(
        "turn: {place: own, at: Ab2}\nend: [{when: stuck and red & Aa1, win: mover}, {when: stuck, win: next(mover)}]"
    )
    assert winners(play(game, at(game, FLAT), "W@Ab2")) == (0,)


def test_pass_is_offered_at_the_start_of_a_turn() -> None:
    game = inline("turn: [{pick: Aa1}, {pick: Ab1}]\npass: not passed(next(me))")
    state = game.start()
    assert options(game, state) == "Aa1 pass"
    assert options(game, play(game, state, "Aa1")) == "Ab1"
    assert events_of(game, state, "pass") == [Passed(0)]
    state = play(game, state, "pass")
    assert options(game, state) == "Aa1"  # the other has just passed
    assert options(game, play(game, state, "Aa1 Ab1")) == "Aa1 pass"


def test_pass_stuck_offers_pass_only_when_stuck() -> None:
    game = inline(
        "turn: {place: own, at: Ab2}\npass: stuck\nend: [{when: all(passed(s) for s in everyone), win: seat(2)}]"
    )
    state = at(game, FLAT)
    assert options(game, state) == "W@Ab2"
    state = play(game, state, "W@Ab2")
    assert options(game, state) == "pass"
    assert state.to_move == 1
    state = play(game, state, "pass")
    assert winners(state) is None
    assert options(game, state) == "pass"
    assert winners(play(game, state, "pass")) == (1,)


def test_pass_expression_can_use_stuck() -> None:
    game = inline('turn: {place: own, at: "[Ab2, none][me]"}\npass: stuck and me == seat(2)')
    state = play(game, at(game, FLAT), "W@Ab2")
    assert options(game, state) == "pass"
    assert winners(play(game, state, "pass")) == ()  # White has neither a move nor a pass


def test_endless_passing_is_a_draw() -> None:
    game = inline("turn: {place: own, at: Ba1}\npass: stuck")
    state = at(game, FLAT)
    for turn in range(4):
        assert winners(state) is None, turn
        state = play(game, state, "pass")
    assert winners(state) == ()


def test_opening_steps_run_even_when_passing() -> None:
    game = inline("turn: [{score: 1}, {pick: Aa1}]\npass: true")
    state = game.start()
    assert state.scores == (1, 0)
    state = play(game, state, "pass")
    assert state.scores == (1, 1)


def test_failing_opening_steps_are_rolled_back() -> None:
    game = inline("turn: [{put: red, at: Ac3}, {require: not red & Ac1}, {pick: Aa1}]\npass: stuck")
    state = at(game, FLAT)
    assert options(game, state) == "pass"
    assert state.boards == at(game, FLAT).boards
    assert events_of(game, state, "pass") == [Passed(0)]


def test_turn_without_choices_ends_at_once() -> None:
    game = inline("turn: {if: me == seat(2), then: {place: own}}")
    state = game.start()
    assert state.to_move == 1
    assert play(game, state, "B@Aa1").to_move == 1


def test_match_without_any_choices_is_a_draw() -> None:
    game = inline("turn: {if: red, then: {place: own}}")
    state = game.start()
    assert winners(state) == ()
    assert state.turn == 2  # each seat had its turn


def test_end_rules_precede_the_no_choice_draw() -> None:
    game = inline("vars: {n: 0}\nturn: {let: {n: n + 1}}\nend: [{when: n == 2, win: seat(1)}]")
    assert winners(game.start()) == (0,)


def test_phase_without_choices_is_not_a_draw() -> None:
    game = inline("""
        players: 1
        phases:
          - {turns: 1, turn: {put: red, at: Aa1}}
          - {turn: {take: red}}
        """)
    assert options(game, game.start()) == "xAa1"


# ---------------------------------------------------------------- phases


def test_phase_ends_after_its_number_of_turns() -> None:
    game = inline("""
        phases:
          - {turns: 3, turn: {place: own, at: holes}}
          - {turn: {pick: Aa1}, pass: true}
        """)
    state = play(game, game.start(), "W@Aa1 B@Ab1")
    assert state.phase == 0
    state = play(game, state, "W@Ac1")
    assert (state.phase, state.to_move, options(game, state)) == (1, 1, "Aa1 pass")


def test_phase_supports_until_and_its_own_end_rules() -> None:
    game = inline("""
        phases:
          - turn: {place: own}
            until: count(filled) == 2
            end: [{when: Aa1 & own, win: me}, {as_soon_as: Ab1 & own, win: me}]
          - turn: {place: own}
            end: [{as_soon_as: Ab2 & placed, win: me}]
        end: [{when: count(filled) == 4, win: seat(2)}]
        """)
    assert winners(play(game, game.start(), "W@Aa1")) == (0,)
    assert winners(play(game, game.start(), "W@Ab1")) == (0,)
    # the end rule of the second phase doesn't end the first, nor vice versa
    state = play(game, game.start(), "W@Ab2")
    assert winners(state) is None
    state = play(game, state, "B@Aa3")
    assert state.phase == 1
    state = play(game, state, "W@Aa1")
    assert winners(state) is None
    assert winners(play(game, state, "B@Ab1")) == (1,)
    # the second phase has its own early end, which is checked before the file's
    state = play(game, game.start(), "W@Aa2 B@Aa3")
    assert winners(play(game, state, "W@Ab2")) == (0,)


def test_phase_end_rules_take_precedence_over_the_games() -> None:
    game = inline("""
        phases:
          - {turn: {place: own}, end: [{when: Aa1 & filled, win: seat(2)}]}
        end: [{when: Aa1 & filled, win: seat(1)}]
        """)
    assert winners(play(game, game.start(), "W@Aa1")) == (1,)


def test_phase_pass_replaces_the_games_pass() -> None:
    game = inline("phases: [{turns: 1, turn: {pick: Aa1}, pass: false}, {turn: {pick: Aa1}}]\npass: true")
    state = game.start()
    assert options(game, state) == "Aa1"
    assert options(game, play(game, state, "Aa1")) == "Aa1 pass"


# ---------------------------------------------------------------- ends


def test_when_rule_waits_for_the_end_of_the_turn() -> None:
    for word, after_one in (("when", None), ("as_soon_as", (0,))):
        game = inline(f"turn: [{{place: own}}, {{place: own}}]\nend: [{{{word}: Aa1 & own, win: me}}]")
        state = play(game, game.start(), "W@Aa1")
        assert winners(state) == after_one
        if after_one is None:
            assert winners(play(game, state, "W@Ab1")) == (0,)


def test_as_soon_as_rule_cuts_the_turn_short() -> None:
    # a later requirement doesn't matter yet, so the win is offered
    text = "turn: [{place: own}, {require: not own & Aa1}]\nend: [{%s: Aa1 & own, win: me}]"
    for word, offered in (("as_soon_as", True), ("when", False)):
        game = inline(text % word)
        assert ("W@Aa1" in options(game, game.start())) is offered


def test_as_soon_as_rule_applies_between_engine_steps() -> None:
    game = inline("""
        turn: {choose: [[{score: 3}, {score: -5}], {place: own}]}
        end: [{as_soon_as: score >= 3, win: me}]
        """)
    state, events = game.apply(game.start(), "done")
    assert winners(state) == (0,)
    assert state.scores == (3, 0)
    assert events[-1] == Ended((0,), "score >= 3")


def test_end_rules_are_not_checked_during_setup() -> None:
    game = inline("""
        setup: [{put: white, at: Aa1}, {put: red, at: Ab1}]
        turn: {place: own}
        end: [{as_soon_as: white, win: seat(1)}]
        """)
    state = game.start()
    assert winners(state) is None
    assert winners(play(game, state, "W@Ac1")) == (0,)


def test_end_rules_are_tried_in_order() -> None:
    game = inline(
        "turn: {place: own}\nend: [{when: Aa1 & filled, win: seat(2)}, {when: filled, win: seat(1)}]"
    )
    assert winners(play(game, game.start(), "W@Aa1")) == (1,)
    assert winners(play(game, game.start(), "W@Ab1")) == (0,)


def test_each_end_rule_tries_the_mover_first() -> None:
    game = inline("players: 3\nturn: {pick: Aa1}\nend: [{when: own, win: me}]")
    # White and red are there; the mover is Black, so red (the next seat) comes before White
    state = game.position("...,...,W.R/..,../.", seats=3, to_move=1)
    assert winners(play(game, state, "Aa1")) == (2,)
    state = game.position("...,...,WBR/..,../.", seats=3, to_move=1)
    assert winners(play(game, state, "Aa1")) == (1,)


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        ("win: me", (0,)),
        ("win: none", ()),
        ("win: everyone", (0, 1, 2)),
        ("win: seat(2) | seat(3)", (1, 2)),
        ("lose: me", (1, 2)),
        ("lose: everyone", ()),
        ("lose: none", (0, 1, 2)),
        # White 2, Black 1, red 1
        ("most: count(own)", (0,)),
        ("most: -count(own)", (1, 2)),
        ("most: -count(own), tie: none", None),  # the next rule that holds decides: there is none
        ("most: -count(own), tie: mover", (0,)),
        ("most: -count(own), tie: tied", (1, 2)),
        ("most: -count(own), tie: everyone - tied", (0,)),
        ('most: -count(own), tie: "[seat(1), seat(3), seat(2)]"', (2,)),  # the first of them that is tied
        ('most: -count(own), tie: "[mover]"', None),
        ("most: [-count(own), count(own & Ac1)]", (2,)),  # red stands on Ac1
        ('most: "[-count(own), count(own & Ac1)]"', (2,)),
        ('most: "[count(own & l) for l in levels]"', (0,)),
        ('most: "range(count(own))"', (0,)),  # 0 1 against 0
        ('most: "[5, 7] if me == seat(2) else [5, 6]"', (1,)),
        ("most: 1", ()),  # all are equal: a draw
    ],
)
def test_end_rule_determines_the_winners(rule: str, expected: tuple[int, ...] | None) -> None:
    game = inline(f"players: 3\nturn: {{place: own}}\nend: [{{when: Ab2 & filled, {rule}}}]")
    # White has one marble of its own at first, and two after placing one
    state = game.position("...,...,WBR/..,../.", seats=3)
    assert winners(play(game, state, "W@Ab2")) == expected


def test_able_sees_the_position_just_reached() -> None:
    # White moves from Aa1 to Ac1. Moving back would repeat the position of two turns ago, counted in the next turn
    text = """
        turn: [{{move: own, to: {to}}}, {{require: repeats != 2}}]
        end: [{{when: not able(me), lose: me}}]
    """
    state = "...,...,W../..,../."
    narrow, wide = inline(text.format(to="Aa1 | Ac1")), inline(text.format(to="Aa1 | Ac1 | Aa3"))
    assert winners(play(narrow, narrow.position(state), "^Aa1 >Ac1")) == (1,)
    # with Aa3 empty, White could go on; but Black, who has no marble, can't, and loses
    assert winners(play(wide, wide.position(state), "^Aa1 >Ac1")) == (0,)


def test_turn_without_choices_does_not_count_as_able() -> None:
    game = inline("""
        turn: {if: own & holes, then: {place: own, at: Ab1 | Ac1}}
        end: [{when: not able(everyone), win: me}]
    """)
    # Black has no marble, so nothing is asked in its turns; White fills both holes, and then nobody can move
    state = play(game, game.position("...,...,W../..,../."), "W@Ab1")
    assert (winners(state), state.to_move, state.turn) == (None, 0, 2)
    assert winners(play(game, state, "W@Ac1")) == (0,)


def test_seat_may_not_leave_its_shared_part_unchanged() -> None:
    # Ba1 drops to Aa1 when that is lifted; both are white, so placing White at Ba1 restores the board
    text = """
        players: 2
        boards: {size: 3, each: everyone}
        turn: {by: everyone, secret: %s, do: {board: me, do: {move: Aa1, to: Ba1 | Ac3}}}
        """
    for secret in ("true", "false"):
        game = inline(text % secret)
        state = game.position(["...,WW.,WW./..,W./."] * 2)
        for first in ("", "^seat1.Aa1 >seat1.Ac3"):
            seat = 2 if first else 1
            lifted = play(game, play(game, state, first), f"^seat{seat}.Aa1")
            assert options(game, lifted) == f">seat{seat}.Ac3"


def test_vacated_ignores_other_seats_in_a_shared_turn() -> None:
    # White lifts Aa1; for Black, no point was filled at the start of its part and is empty now
    game = inline("""
        turn:
          by: everyone
          do:
            if: own
            then: {move: own, to: Ac3}
            else: {pick: "[count(vacated)]"}
    """)
    state = game.position("...,...,W../..,../.")
    assert options(game, play(game, state, "^Aa1 >Ac3")) == "0"


def test_single_dead_end_option_is_not_offered() -> None:
    # at the start of a turn that may be passed, the only option may be one that can't be completed; later it can't
    game = inline("turn: [{pick: Aa1}, {pick: Ab1}, {require: white}]\npass: true")
    assert options(game, game.start()) == "pass"
    state = game.position("...,...,W../..,../.")
    assert options(game, state) == "Aa1 pass"
    assert options(game, play(game, state, "Aa1")) == "Ab1"


def test_tie_none_falls_through_to_the_next_rule() -> None:
    game = inline("""
        turn: {place: own}
        end:
          - {when: Ab2 & filled, most: count(own & Aa1), tie: none}
          - {when: Ab2 & filled, most: count(own & Ab2)}
        """)
    assert winners(play(game, game.start(), "W@Ab2")) == (0,)


def test_most_value_becomes_the_score_by_default() -> None:
    text = "turn: {place: own}\nend: [{when: Ab2 & filled, most: count(own)}]"
    game = inline(text)
    state = play(game, at(game, FLAT), "W@Ab2")
    assert state.scores == (3, 1)
    game = inline(text + "\nscore: 7")
    assert play(game, at(game, FLAT), "W@Ab2").scores == (7, 7)
    game = inline("turn: [{place: own}, {score: 5}]\nend: [{when: Ab2 & filled, most: count(own)}]")
    assert play(game, at(game, FLAT), "W@Ab2").scores == (5, 0)


def test_winning_shape_sets_the_deciding_points() -> None:
    game = inline("turn: {place: own}\nend: [{when: any(l <= own for l in full_lines), win: me}]")
    state = play(game, at(game, ". . . | . . | .\nB B . | . .\nW W ."), "W@Ac1")
    assert state.result is not None
    assert state.result.deciding_points == (0b111,)
    # the numbers in a rule's loop aren't points
    game = inline("turn: {place: own}\nend: [{when: any(count(own) == n for n in range(3)), win: me}]")
    state = play(game, game.start(), "W@Ac1")
    assert state.result is not None
    assert state.result.deciding_points == (0,)


def test_solo_game_can_be_won_or_lost() -> None:
    text = "players: 1\nturn: {pick: Aa1}\nend: [{when: empty, %s}]"
    game = inline(text % "win: me")
    assert winners(play(game, game.start(), "Aa1")) == (0,)
    game = inline(text % "lose: me")
    assert winners(play(game, game.start(), "Aa1")) == ()
    game = inline(text % "most: 12")
    state = play(game, game.start(), "Aa1")
    assert (winners(state), state.scores) == ((0,), (12,))


def test_score_is_computed_from_a_formula() -> None:
    game = inline("turn: {place: own}\nscore: 10 * count(own)")
    assert play(game, game.start(), "W@Aa1 B@Ab1 W@Ac1").scores == (20, 10)


def test_end_rule_reason_is_recorded_in_every_language_given() -> None:
    game = inline("""
        turn: {pick: Aa1}
        end: [{when: empty, win: me, because: {en: It is so, fr: C'est ainsi}}]
        """)
    state = play(game, game.start(), "Aa1")
    assert state.result is not None
    assert (state.result.reason, dict(state.result.reason_by_language)["fr"]) == ("It is so", "C'est ainsi")


# ---------------------------------------------------------------- setup


def test_failing_setup_is_dealt_again() -> None:
    game = inline("""
        stocks: {bag: {holds: {white: 7, black: 2}}}
        setup: [{draw: 9, from: bag, at: holes}, {require: black & Ab2}, {next: seat(2)}]
        turn: {take: own & movable}
        """)
    for seed in range(5):
        state = game.start(seed=seed)
        assert state.cells()[1] >> 4 & 1
        assert state.to_move == 1
        assert game.start(seed=seed) == state


def test_setup_that_always_fails_raises_rule_failure() -> None:
    game = inline("setup: {require: red}\nturn: {place: own}")
    with pytest.raises(RuleFailure, match="Inline: no deal meets the setup's requirements"):
        game.start()


def test_setup_can_ask_for_choices() -> None:
    game = inline("setup: [{by: everyone, do: {place: own, at: holes}}]\nturn: {pick: filled}")
    state = game.start()
    assert state.phase == -1
    state = play(game, state, "W@Aa1 B@Ab1")
    assert (state.phase, state.turn, state.to_move, options(game, state)) == (0, 0, 0, "Aa1 Ab1")


def test_setup_can_test_stuck() -> None:
    game = inline("""
        stocks: {bag: {holds: {white: 1, red: 1}}}
        setup: [{draw: 1, from: bag, at: Aa1}, {require: not stuck}]
        turn: {take: own}
        """)
    for seed in range(6):
        assert options(game, game.start(seed=seed)) == "xAa1"


# ---------------------------------------------------------------- series


def test_series_rotates_seats_and_adds_gains() -> None:
    game = inline("""
        turn: {place: own}
        end: [{when: Aa1 & own, win: me}]
        series: {games: 2, gain: 3 if me <= winners else 1}
        """)
    state = game.start()
    assert (state.player_at(0), state.owned_colours(0)) == (0, (0,))
    state, events = game.apply(state, "W@Aa1")
    assert events[-1] == GameStarted(2)
    # seats rotate by one: player 2 now has White and starts
    assert state.boards == ("...,...,.../..,../.",)
    assert (state.game_number, state.totals, state.to_move, state.owned_colours(1)) == (2, (3, 1), 1, (0,))
    state, events = game.apply(state, "W@Ab1")
    assert events == (Placed(0, 1, 0, "box"), TurnEnded(1, 2))
    assert state.to_move == 0
    state, events = game.apply(state, "B@Aa1")
    # player 1, with Black, has won again
    assert state.totals == (6, 2)
    assert events[-1] == Ended((0,), "the series is over")
    assert winners(state) == (0,)
    assert state.scores == (6, 2)


def test_series_ends_when_the_target_is_reached() -> None:
    game = inline("""
        turn: {place: own}
        end: [{when: Aa1 & own, win: me}]
        series: {target: 3, gain: count(own)}
        """)
    state = play(game, game.start(), "W@Aa1")
    assert (state.totals, state.game_number) == ((1, 0), 2)
    # player 2 places two white marbles, player 1 a black one
    state = play(game, state, "W@Ab1 B@Ac1 W@Aa1")
    assert (state.totals, state.game_number) == ((2, 2), 3)
    state = play(game, state, "W@Aa1")
    assert (state.totals, winners(state)) == ((3, 2), (0,))


def test_series_with_equal_totals_is_a_draw() -> None:
    game = inline(
        "turn: {place: own}\nend: [{when: filled, win: me}]\nseries: {games: 2, gain: 1 if me <= winners else 0}"
    )
    state = play(game, game.start(), "W@Aa1 W@Aa1")
    assert (state.totals, winners(state)) == ((1, 1), ())


def test_series_of_instantly_finished_games_ends() -> None:
    game = inline("turn: {place: own, at: Ba1}\nseries: {games: 1000, gain: 1}")
    if IS_COMPILED:
        # All games end before anyone makes a choice.
        state = game.start()
        assert state.to_move is None
        assert state.game_number == 1000
        return
    # In plain Python, the recursion is limited, and the error says so.
    with pytest.raises(RuleFailure, match="Inline: the rules loop forever"):
        game.start()


# ---------------------------------------------------------------- repeats


def test_ko_forbids_recreating_a_position() -> None:
    # White moves between Aa1 and Aa2, Black between Ac1 and Ac2: the position returns after two turns each, and
    # 'repeats' counts how many turns ago it occurred
    text = """
        turn: [{move: own, to: touching(origin) & (west | east)}, {require: %s}]
        """
    start = "...,...,W.B/..,../."
    moves = "^Aa1 >Aa2 ^Ac1 >Ac2 ^Aa2 >Aa1"
    free = inline(text % "true")
    state = play(free, free.position(start), moves + " ^Ac2")
    assert ">Ac1" in options(free, state)
    # after Black's second turn, four turns later, the first position occurs again
    ko = inline(text % "repeats != 4")
    state = play(ko, ko.position(start), moves)
    assert options(ko, play(ko, state, "^Ac2")) == ">Ac3"
    loose = inline(text % "repeats != 2")
    state = play(loose, loose.position(start), moves)
    assert options(loose, play(loose, state, "^Ac2")) == ">Ac1 >Ac3"
    superko = inline(text % "not repeats")
    state = play(superko, superko.position(start), moves)
    assert options(superko, play(superko, state, "^Ac2")) == ">Ac3"


def test_repeats_counts_turns_back() -> None:
    # White moves to Aa2 and back with a pass between: the second position occurred two turns ago
    game = inline("""
        turn: {choose: [{move: own, to: touching(origin) & west}, {pick: Ab2}]}
        end: [{when: repeats == 2 and moved, win: me}]
        """)
    state = play(game, game.position("...,...,W.B/..,../."), "^Aa1 >Aa2 Ab2")
    assert winners(play(game, state, "^Aa2 >Aa3")) is None
    assert winners(play(game, state, "^Aa2 >Aa1")) is None  # that stood three turns ago
    game = inline("""
        turn: {choose: [{move: own, to: touching(origin) & west}, {pick: Ab2}]}
        end: [{when: repeats == 3 and moved, win: me}]
        """)
    state = play(game, game.position("...,...,W.B/..,../."), "^Aa1 >Aa2 Ab2")
    assert winners(play(game, state, "^Aa2 >Aa1")) == (0,)


# ---------------------------------------------------------------- moves that are known


def test_moves_are_decoded_once() -> None:
    game = inline(f"turn: {{place: own, at: holes}}\n{NEVER}")
    known = {move.text: move for move in game.moves(game.start())}
    assert len(known) == 9
    after, _ = game.apply(game.start(), "W@Aa1")
    later, _ = game.apply(after, "B@Aa2")
    assert len(game.moves(later)) == 7
    assert all(known[move.text] is move for move in game.moves(later))


def test_known_moves_are_forgotten_when_there_are_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(basic, "MAX_KNOWN_MOVES", 9)
    game = inline(f"turn: {{place: own, at: holes}}\n{NEVER}")
    state = game.start()
    for text in ("W@Aa1", "B@Aa2", "W@Aa3"):
        assert text in [move.text for move in game.moves(state)]
        state, _ = game.apply(state, text)
    assert options(game, state) == "B@Ab1 B@Ac1 B@Ab2 B@Ac2 B@Ab3 B@Ac3"
    assert len(get_runner(state._rules).moves_by_code[0]) == 7 + 6  # since the third turn
