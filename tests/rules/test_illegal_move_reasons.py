"""Reasons why a point can't be chosen, worked out by hand on positions drawn as text."""

from __future__ import annotations

from shibumi3d.rules.marbles.game import MarbleGame
from shibumi3d.rules.marbles.state import State
from tests.rules.inline import at, inline, play, problems_of


def reason_for(game: MarbleGame, state: State, name: str, lang: str = "en") -> str:
    assert state.to_move is not None
    return game.explain_illegal(game.observe(state, state.to_move), [name], lang)


HEAP = """
    W B . | . .
    R W B | W .
    W B W |
    """
"""The only marble above level A is Ba1, which rests on Aa1, Ab1, Aa2 and Ab2."""


def test_occupied_or_unsupported_point_is_explained() -> None:
    game = inline("turn: {place: own}")
    assert reason_for(game, at(game, HEAP), "Aa2") == "There is already a red marble on Aa2."
    assert reason_for(game, at(game, HEAP), "Bb2") == "Bb2 needs four marbles below: Ac3 is empty."
    assert (
        reason_for(game, at(game, HEAP), "Ca1") == "Ca1 needs four marbles below: Bb1, Ba2 and Bb2 are empty."
    )


def test_marble_of_wrong_owner_is_explained() -> None:
    game = inline("turn: {choose: [{place: own}, {take: own}]}")
    assert reason_for(game, at(game, HEAP), "Ab1") == "Ab1 belongs to ■."
    assert reason_for(game, at(game, HEAP), "Aa2") == "Aa2 is red: choose white instead."
    state = at(game, HEAP, to_move=1)
    assert reason_for(game, state, "Aa1") == "Aa1 belongs to ▲."


def test_carrying_marble_is_explained() -> None:
    game = inline("turn: {take: own}")
    state = at(
        game,
        """
        W B . | . .
        R W B | B W
        W B W |
        """,
    )
    # Ba1 and Bb1 both rest on Ab2.
    assert reason_for(game, state, "Ab2") == "Ab2 is pinned: it carries Ba1 and Bb1."
    free = inline("turn: {take: free}")
    # Aa1 carries only Ba1, so it is movable but not free.
    assert reason_for(free, at(free, HEAP), "Aa1") == "Aa1 is not free: it carries Ba1."


def test_empty_point_instead_of_marble_is_explained() -> None:
    game = inline("turn: {move: own}")
    state = at(game, HEAP)
    assert reason_for(game, state, "Ac3") == "Ac3 is empty: choose a marble to lift."
    state = play(game, state, "^Aa3")
    assert reason_for(game, state, "Aa3") == "The marble can't go back to Aa3."


def test_just_dropped_marble_is_explained() -> None:
    game = inline("turn: {move: own, to: playable - resting_on(fallen)}")
    state = at(
        game,
        """
        B B . | . .
        B B W | B .
        W B W |
        """,
    )
    # Lifting Aa1 makes Ba1 drop into its place. Ba1 is playable again, but not in this turn.
    state = play(game, state, "^Aa1")
    assert reason_for(game, state, "Ba1") == "Ba1 isn't allowed yet: Aa1 just dropped."


def test_reason_from_game_file_is_used() -> None:
    game = inline("""
        turn:
          place: own
          at: touching(red)
          because: {en: it must touch red, fr: elle doit toucher une rouge}
        """)
    state = at(
        game,
        """
        . . .
        . . .
        R . .
        """,
    )
    assert reason_for(game, state, "Ac3") == "Ac3 isn't allowed: it must touch red."
    assert reason_for(game, state, "Ac3", "fr") == "Ac3 n'est pas permis : elle doit toucher une rouge."


def test_failed_condition_reason_is_used() -> None:
    game = inline("""
        turn:
          choose:
            - - place: own
              - require: count(own) < 3
                because: {en: three are too many, fr: trois sont de trop}
            - take: own
        """)
    state = at(
        game,
        """
        . . .
        . . .
        W . W
        """,
    )
    assert reason_for(game, state, "Ab1") == "Ab1 isn't allowed: three are too many."


def test_dead_end_choice_is_explained() -> None:
    game = inline("""
        turn:
          - place: own
          - place: own
            at: touching(placed) & holes
            because: {en: the second must touch the first, fr: la seconde touche la première}
        """)
    state = at(
        game,
        """
        . B B
        . B B
        B B .
        """,
    )
    # Aa2 and Aa3 touch each other; Ac1 has no empty neighbour, and all holes around Bb2 are filled.
    assert {str(move) for move in game.moves(state)} == {"W@Aa2", "W@Aa3"}
    for name in ("Ac1", "Bb2"):
        assert reason_for(game, state, name) == f"{name} is a dead end: the second must touch the first."


def test_lifted_marble_without_target_is_explained() -> None:
    game = inline("turn: {choose: [{move: own, to: holes}, {take: enemy}]}")
    state = at(
        game,
        """
        W B B
        B B B
        B B B
        """,
    )
    # All holes are filled, and lifting Aa3 empties only its own.
    assert reason_for(game, state, "Aa3") == "The marble on Aa3 has nowhere else to go."


def test_turn_without_effect_is_explained() -> None:
    game = inline("turn: {choose: [[{take: own}, {place: own, at: holes}], {take: enemy}]}")
    state = at(
        game,
        """
        B B B
        B B B
        B B W
        """,
    )
    # After Ac1 is taken, its hole is the only one for the new marble.
    assert (
        reason_for(game, state, "Ac1")
        == "Ac1 isn't allowed: the position would be the same as before the turn."
    )


def test_missing_or_wrong_colour_is_explained() -> None:
    game = inline("""
        stocks: {hand: {each: {own: 1}}}
        turn: {choose: [{place: own, from: hand}, {take: red}]}
        """)
    state = game.position("...,...,R../..,../.", stocks={"hand": ["", ""]})
    assert reason_for(game, state, "Ab1") == "There are no white marbles left in the hand."
    game = inline("turn: {choose: [{place: own, at: holes - Aa1}, {place: red}]}")
    assert reason_for(game, game.start(), "Aa1") == "Only red can go on Aa1."


def test_holes_only_rule_is_explained() -> None:
    game = inline("turn: {place: own, at: holes}")
    state = at(
        game,
        """
        . . .
        W W .
        W W .
        """,
    )
    assert reason_for(game, state, "Ba1") == "Ba1 is above the board: only holes are allowed now."


def test_blocked_entry_is_explained() -> None:
    game = inline("turn: {enter: own, at: points - Ba2, because: {en: it is shut, fr: il est clos}}", size=4)
    state = game.position("WWWW,WBWB,WBWB,.BWB/...,...,.../..,../.")
    assert reason_for(game, state, "Aa1") == "Aa1 is a hole: marbles only enter on the levels above."
    assert reason_for(game, state, "Bb2") == "Bb2 is not on an edge: marbles enter from the side."
    assert reason_for(game, state, "Ba2") == "Ba2 isn't allowed: it is shut."
    assert reason_for(game, state, "Ca1") == "No marble can enter Ca1 from any side."


def test_other_board_and_missing_choice_are_explained() -> None:
    game = inline("boards: {names: [left, right]}\nturn: [{board: left, do: {place: own}}]", size=4)
    state = game.start()
    assert game.explain_illegal(state, ["middle.Ab2"]) == game.explain_illegal(state, ["Zz9"]) == ""
    assert (
        game.explain_illegal(state, ["right.Ab2"])
        == "Ab2 on the right board isn't allowed: you're playing on the left board now."
    )
    game = inline("turn: [{pick: colours(box), as: tint}, {place: tint}]")
    assert reason_for(game, game.start(), "Aa1") == "Choose a colour first."
    game = inline("turn: {place: own, at: own}\npass: stuck")
    assert reason_for(game, game.start(), "Aa1") == "No moves left: pass."


def test_because_must_map_languages_to_texts() -> None:
    assert problems_of("turn: {place: own, because: no}") == [
        "2:29: 'because' must be a mapping from names to values"
    ]
    assert problems_of("turn: {place: own, because: {en: no way}}") == []
