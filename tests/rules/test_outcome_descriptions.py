"""Descriptions of the effects of a choice, worked out by hand on positions drawn as text."""

from __future__ import annotations

import re
from random import Random

import pytest

import shibumi3d
from shibumi3d.catalogue.schema import Entry
from shibumi3d.rules.marbles.game import MarbleGame
from shibumi3d.rules.marbles.state import State
from shibumi3d.rules.marbles.wording import sentences
from shibumi3d.rules.marbles.wording.messages import format_list, format_signed
from shibumi3d.rules.marbles.wording.names import display_name
from shibumi3d.rules.wording import capitalize_first
from tests.marble_games import marble_games
from tests.rules.inline import at, inline, play


def describe(game: MarbleGame, state: State, move: str) -> str:
    assert state.to_move is not None
    return game.describe_outcome(game.observe(state, state.to_move), game.parse(state, move))


LINES = """
    turn: {choose: [{place: own}, {move: own}]}
    end:
      - {when: any(l <= own for l in full_lines), win: me, because: {en: full line, fr: ligne complète}}
      - {when: not empty, win: none, because: {en: full board, fr: plateau plein}}
    """


def test_winning_move_describes_reason_and_points() -> None:
    game = inline(LINES)
    state = at(
        game,
        """
        . . .
        B B .
        W W .
        """,
    )
    assert describe(game, state, "W@Ac1") == "Ac1 – wins: full line, Aa1–Ac1"
    assert describe(game, state, "W@Ac2") == "Ac2 – ends the turn"


def test_lifting_describes_dropped_marbles() -> None:
    game = inline(LINES)
    state = at(
        game,
        """
        W B . | B .
        B W R | W .
        W B B |
        """,
    )
    # Aa1 carries only Ba1; Ab2 carries Ba1 and Ba2 and so is pinned.
    assert describe(game, state, "^Aa1") == "Lift Aa1 – Ba1 drops to Aa1"
    state = play(game, state, "^Aa1")
    # The white marble that dropped to Aa1 is in line with Ab2 and Ac3.
    assert describe(game, state, ">Ac3") == "Ac3 – wins: full line, Aa1–Ac3"


def test_placing_an_opponent_marble_can_make_it_win() -> None:
    game = inline("""
        turn: {place: white | black}
        end: [{when: any(l <= own for l in full_lines), win: me, because: {en: full line, fr: ligne}}]
        """)
    state = at(
        game,
        """
        . . .
        . . .
        B B .
        """,
    )
    assert describe(game, state, "B@Ac1") == "Ac1 – ■ wins: full line, Aa1–Ac1"


def test_winning_shape_other_than_a_line_lists_points() -> None:
    game = inline("""
        turn: {place: own}
        end: [{when: any(g & west & g & south and count(g) == 3 for g in groups(own)), win: me}]
        """)
    state = at(
        game,
        """
        . . .
        W . .
        W . .
        """,
    )
    reason = "any(g & west & g & south and count(g) == 3 for g in groups(own))"
    assert describe(game, state, "W@Ab1") == f"Ab1 – wins: {reason}, Aa1, Ab1 and Aa2"


def test_description_reports_every_score_change() -> None:
    game = inline("""
        turn: [{place: own}, {score: 2}, {score: "-1", to: next(me)}]
        """)
    assert describe(game, at(game), "W@Aa1") == "Aa1 – score: +2, ■ −1, ends the turn"


def test_description_reports_scores_computed_from_the_board() -> None:
    game = inline("""
        turn: {place: own | enemy}
        score: count(own)
        """)
    assert describe(game, at(game), "W@Aa1") == "Aa1 – score: +1, ends the turn"
    assert describe(game, at(game), "B@Aa1") == "Aa1 – score: ■ +1, ends the turn"


PAIRS = """
    turn:
      - place: white
      - pick: "{l for l in rows if count(l) == 2 and placed <= l and l <= filled and count(colours(l)) == 2}"
        as: pair
      - {recolour: pair, into: all_colours - colours(pair)}
    """


def test_first_marble_of_a_pair_prompts_for_the_other() -> None:
    game = inline(PAIRS)
    state = at(
        game,
        """
        . . .
        B . .
        . B .
        """,
    )
    # Of the points beside a black marble, only Aa1 touches both.
    assert describe(game, state, "W@Aa1") == "Aa1 – then choose marbles"
    state = play(game, state, "W@Aa1")
    view = game.observe(state, 0)
    moves = game.moves(state)
    first = sentences.describe_choices_at(game, view, moves, (0, 0))
    assert first == "Aa1 – choose the other marble: both turn red"
    assert describe(game, state, "Aa1+Ab1") == "Aa1 and Ab1 – Aa1 and Ab1 turn red, ends the turn"


def test_ambiguous_click_describes_both_meanings() -> None:
    game = inline("turn: {choose: [{take: own}, {move: own}]}")
    state = at(
        game,
        """
        . . .
        . . .
        W . B
        """,
    )
    line = sentences.describe_choices_at(game, game.observe(state, 0), game.moves(state), (0, 0))
    assert line == "Aa1 – take it or lift it"


def test_description_reports_captures_additions_and_transfers() -> None:
    game = inline("""
        stocks: {prison: {holds: {}}, hand: {each: {own: 3}}}
        turn:
          - place: own
          - {remove: "touching(placed) & enemy", to: prison}
          - {put: red, at: vacated}
          - {deal: own, count: 2, from: hand, to: hand(next(me))}
        """)
    state = at(
        game,
        """
        . . .
        B . .
        . B .
        """,
    )
    line = "Aa1 – captures Aa2 and Ab1, red is added on Ab1 and Aa2, 2 white to ■, ends the turn"
    assert describe(game, state, "W@Aa1") == line


def test_capture_description_names_the_captured_point() -> None:
    game = inline("turn: {move: own, onto: touching(origin)}")
    state = at(
        game,
        """
        . . .
        . . .
        W R B
        """,
    )
    state = play(game, state, "^Aa1")
    assert describe(game, state, ">Ab1") == "Ab1 – captures Ab1, ends the turn"


def test_entry_description_reports_pushes_and_drops() -> None:
    game = inline("turn: {enter: own}")
    state = at(
        game,
        """
        W B . | . .
        B W . | B .
        W B R |
        """,
    )
    # Pushed northward, Ba1 goes to Ba2 with four supports; eastward, it goes to Bb1, where only Ac2 is missing below.
    assert describe(game, state, "W>Ba1/S") == "Ba1 from the south – 1 marble is pushed, ends the turn"
    east = describe(game, state, "W>Ba1/W")
    assert east.startswith("Ba1 from the west – ")
    assert east.endswith("drops to Ac2, ends the turn")


# ---------------------------------------------------------------- whose turn comes


def test_description_reports_another_turn() -> None:
    game = inline("turn: [{place: own}, {next: me}]")
    assert describe(game, at(game), "W@Aa1") == "Aa1 – ends the turn, then ▲ plays again"


def test_description_reports_that_the_next_seat_must_pass() -> None:
    game = inline("""
        turn: {place: own, at: own or holes if me == seat(1) else none}
        pass: stuck
        """)
    assert describe(game, at(game), "W@Aa1") == "Aa1 – ends the turn, ■ can only pass"


def test_description_reports_a_draw_when_nobody_can_move() -> None:
    game = inline("turn: {place: own, at: holes if not filled else none}")
    assert describe(game, at(game), "W@Aa1") == "Aa1 – nobody wins: nobody can move"


def test_shared_win_names_every_winner() -> None:
    game = inline("""
        turn: {place: own}
        end: [{when: filled, win: everyone, because: {en: done, fr: fini}}]
        """)
    assert describe(game, at(game), "W@Aa1") == "Aa1 – ▲ and ■ share the win: done"


def test_solo_game_describes_win_loss_or_end() -> None:
    solo = "players: 1\nturn: {place: white}\nend: [{when: filled, %s, because: {en: done, fr: fini}}]"
    for rule, line in (
        ("win: me", "wins: done"),
        ("lose: me", "loses: done"),
        ("most: count(filled)", "ends the game: done"),
    ):
        game = inline(solo % rule)
        assert describe(game, at(game), "W@Aa1") == f"Aa1 – {line}"


def test_series_description_stops_at_the_end_of_a_game() -> None:
    game = inline("""
        turn: {place: own}
        score: count(own)
        end: [{when: filled, win: me}]
        series: {games: 2, gain: score}
        """)
    assert describe(game, at(game), "W@Aa1") == "Aa1 – score: +1, ends this game of the series"


def test_description_mentions_that_the_turn_may_end() -> None:
    game = inline("turn: {repeat: {place: own}, times: [1, 2]}")
    assert describe(game, at(game), "W@Aa1") == "Aa1 – then choose a point, or end the turn"
    state = play(game, at(game), "W@Aa1")
    assert describe(game, state, "done") == "End the turn"
    assert game.describe_decision(game.observe(state, 0)) == "choose a point, or end the turn"


# ---------------------------------------------------------------- chance and secrets


def test_description_does_not_reveal_chance_outcomes() -> None:
    game = inline("""
        players: 1
        stocks: {bag: {holds: {white: 1, red: 1}, see: none}, hand: {each: {black: 1}}}
        turn: [{place: colours(hand), from: hand}, {draw: 1, from: bag, to: hand}]
        end: [{when: hand & white, win: me}]
        """)
    for seed in range(4):
        state = game.start(seed=seed)
        assert describe(game, state, "B@Aa1") == "Aa1 – then a marble is drawn"


def test_description_does_not_reveal_secret_choices() -> None:
    game = inline("""
        seats: none
        stocks: {hand: {each: {white: 1, red: 1}, see: me}, fist: {each: {}}}
        turn: {by: everyone, secret: true, do: {give: colours(hand), from: hand, to: fist}}
        end: [{when: fist(seat(1)) & red, win: seat(2)}]
        """)
    lines = set()
    for first in ("W!", "R!"):
        state = play(game, game.start(), first)
        lines.add(describe(game, state, "W!"))
    assert lines == {"White to the fist – revealed when everyone has chosen"}
    assert describe(game, game.start(), "W!") == "White to the fist – revealed when everyone has chosen"


def test_description_does_not_depend_on_a_hidden_hand() -> None:
    game = inline("""
        seats: none
        stocks: {hand: {each: {white: 2}, see: me}}
        turn: {place: colours(hand), from: hand, at: holes}
        end:
          - {when: not hand, win: me, because: {en: hand empty, fr: main vide}}
          - {when: hand(next(me)) & red and filled, win: next(me)}
        """)
    # The second rule depends on the opponent's hand, so its content must not change the text.
    for other in ("W", "R"):
        state = game.position("...,...,.../..,../.", stocks={"hand": ["WW", other]})
        assert describe(game, state, "W@Aa1") == "Aa1 – ends the turn"
    # The player's own hand is known, and the rule that reads it comes first.
    state = game.position("...,...,.../..,../.", stocks={"hand": ["W", "R"]})
    assert describe(game, state, "W@Aa1") == "Aa1 – wins: hand empty"


def test_description_does_not_depend_on_hidden_boards() -> None:
    game = inline(
        """
        seats: none
        boards: {each: "me if me == seat(1) else everyone"}
        turn: {board: me, do: {place: white | red}}
        end: [{when: "on(seat(1), red) and on(seat(2), filled)", win: seat(2)}]
        """,
        size=4,
    )
    for code in ("W", "R"):
        state = play(game, game.start(), f"{code}@seat1.Aa1")
        assert describe(game, state, "W@seat2.Aa1") == "Aa1 on ■'s board – ends the turn"


def test_description_names_one_of_several_boards() -> None:
    game = inline("boards: {names: [left, right]}\nturn: [{board: left, do: {place: own}}]", size=4)
    state = game.start()
    assert describe(game, state, "W@left.Aa1") == "Aa1 on the left board – ends the turn"
    assert game.move_label(state, game.moves(state)[0]) == "Place white on Aa1 on the left board"


# ---------------------------------------------------------------- the texts


def test_choices_are_described_in_french() -> None:
    game = inline(LINES)
    state = at(
        game,
        """
        . . .
        B B .
        W W .
        """,
    )
    view = game.observe(state, 0)
    assert (
        game.describe_outcome(view, game.parse(state, "W@Ac1"), "fr")
        == "Ac1 – gagne : ligne complète, Aa1–Ac1"
    )
    assert game.describe_outcome(view, game.parse(state, "W@Ac2"), "fr") == "Ac2 – termine le tour"
    assert game.move_label(view, game.parse(state, "W@Ac2"), "fr") == "Poser une blanche en Ac2"
    assert game.describe_decision(view, "fr") == "poser une bille ou en soulever une"
    assert game.explain_illegal(view, ["Ba2"], "fr") == (
        "Il faut quatre billes sous Ba2 : Aa3 et Ab3 sont vides."
    )


def test_shared_game_file_names_have_french_translations() -> None:
    assert [display_name(name, "fr") for name in ("left", "reserve", "my_own")] == [
        "gauche",
        "réserve",
        "my own",
    ]
    assert display_name("my_own") == "my own"


ENGLISH = {
    "choose",
    "the",
    "turn",
    "ends",
    "then",
    "take",
    "lift",
    "white",
    "black",
    "a",
    "to",
    "wins",
    "marble",
}


@pytest.mark.parametrize("entry", list(marble_games()), ids=lambda entry: entry.id)
def test_french_descriptions_contain_no_english(entry: Entry) -> None:
    game, chance = entry.game(), Random(entry.id)
    state, names = game.start(entry.players[0], 1), ["Ann", "Ben", "Cleo", "Dan", "Eve", "Fay"]
    for _ in range(12):
        moves = game.moves(state)
        if not moves:
            break
        view, move = game.observe(state, state.to_move), chance.choice(moves)
        describe = [
            game.describe_decision(view, "fr", names, moves=moves),
            game.move_label(view, move, "fr", names),
        ]
        describe += [
            game.describe_outcome(view, move, "fr", names),
            *game.describe_seat(view, state.to_move, "fr"),
        ]
        for line in describe:
            assert not ENGLISH & set(re.findall(r"[a-z]+", line.casefold())), line
        state, events = game.apply(state, move)
        seat = move.seat if move.seat >= 0 else view.to_move
        line = sentences.describe_turn(state, seat, events, "fr", names)
        assert not ENGLISH & set(re.findall(r"[a-z]+", line.casefold())), line


def test_lists_and_signed_numbers_are_formatted() -> None:
    assert [format_list(words) for words in ([], ["a"], ["a", "b"], ["a", "b", "c"])] == [
        "",
        "a",
        "a and b",
        "a, b and c",
    ]
    assert format_list(["a", "b"], conjunction="or") == "a or b"
    assert (format_signed(2), format_signed(-1)) == ("+2", "−1")
    assert capitalize_first("a b") == "A b"


def test_take_and_drop_are_described_in_english_and_french() -> None:
    """When the marble on Aa3 is taken, the one that rests on it drops.

    That marble entered at Ba3, from the west, in the second turn.
    """
    game = shibumi3d.game("splush")
    state = game.start(seed=1)
    for move in ("xAd4", "W>Bc2/E", "xAd3", "B>Ba3/W"):
        state, _ = game.apply(state, move)
    state, events = game.apply(state, "xAa3")
    assert sentences.describe_turn(state, 0, events, "en", ("Ann", "Ben")) == "Ann takes Aa3, 1 marble drops"
    assert sentences.describe_turn(state, 0, events, "fr", ("Ann", "Ben")) == "Ann prend Aa3, 1 bille tombe"


def test_box_description_counts_remaining_marbles() -> None:
    """The box starts with 16 marbles of each colour; all three colours are listed if the player may use them all."""
    game = shibumi3d.game("spline")
    state = game.apply(game.start(2), game.parse(game.start(2), "W@Aa1"))[0]
    assert [game.describe_stock(state, seat) for seat in (0, 1)] == ["Supply: 15 white", "Supply: 16 black"]
    assert game.describe_stock(state, 0, "fr") == "Réserve générale : 15 blanches"
    alone = shibumi3d.game("spuzzle")
    assert alone.describe_stock(alone.start(1), 0) == "Supply: 16 white, 16 black, 16 red"
