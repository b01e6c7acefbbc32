"""What a seat may see: stocks, boards, secret blocks and chance."""

from __future__ import annotations

from shibumi3d.rules.marbles.game import MarbleGame
from shibumi3d.rules.marbles.state import State
from tests.rules.inline import at, inline, options, play

NOTHING = {"white": 0, "black": 0, "red": 0}


def views(game: MarbleGame, state: State) -> list[State]:
    return [game.observe(state, seat) for seat in range(state.seats)]


# ---------------------------------------------------------------- stocks


def test_hidden_stocks_still_show_their_size() -> None:
    game = inline("""
        stocks:
          hand: {each: {own: 2, red: 1}, see: me}
          pile: {holds: {red: 3}, see: none}
          open: {holds: {red: 1}}
          shown: {each: {own: 1}, see: everyone - me}
        turn: {place: colours(hand), from: hand}
        """)
    first, second = views(game, game.start())
    mine = {"white": 2, "black": 0, "red": 1}
    theirs = {"white": 0, "black": 2, "red": 1}
    assert first.reserves["hand"] == (mine, {**NOTHING, "unknown": 3})
    assert second.reserves["hand"] == ({**NOTHING, "unknown": 3}, theirs)
    for view in (first, second):
        assert view.reserves["pile"] == ({**NOTHING, "unknown": 3},)
        assert view.reserves["open"] == ({**NOTHING, "red": 1},)
    assert first.reserves["shown"] == ({**NOTHING, "unknown": 1}, {**NOTHING, "black": 1})
    # the default box contains the rest, and everyone sees it
    assert first.reserves["box"] == ({"white": 6, "black": 6, "red": 3},)


def test_stock_size_can_be_hidden() -> None:
    game = inline("""
        stocks:
          hand: {each: {own: 2, red: 1}, see: me, sight: me}
          pile: {holds: {red: 3}, see: none, sight: none}
          shown: {each: {red: 1}, sight: none}
        turn: [{give: colours(hand), from: hand, to: pile}]
        """)
    state = game.start()
    after = play(game, state, "W!")
    first, second = views(game, state)
    uncounted = {**NOTHING, "unknown": -1}
    assert first.reserves["hand"] == ({"white": 2, "black": 0, "red": 1}, uncounted)
    assert second.reserves["hand"] == (uncounted, {"white": 0, "black": 2, "red": 1})
    assert first.reserves["pile"] == (uncounted,)
    # if the marbles are visible, so is their number
    assert first.reserves["shown"] == ({**NOTHING, "red": 1}, {**NOTHING, "red": 1})
    # Black only sees that it is Black's turn, not that White has given a marble away
    assert game.observe(after, 1).reserves == second.reserves


def test_hidden_stock_contents_do_not_affect_observations() -> None:
    game = inline("""
        stocks: {hand: {each: {}, see: me}, bag: {holds: {all_colours: 3}, see: none}}
        turn: [{draw: 2, from: bag, to: hand}, {repeat: {may: {place: colours(hand), from: hand}}}]
        """)
    white = game.start(deal={"bag": "WWBB"})
    red = game.start(deal={"bag": "RRBB"})
    assert white != red
    assert game.observe(white, 1) == game.observe(red, 1)
    assert game.observe(white, 0) != game.observe(red, 0)
    # now the second seat is asked; no trace of the look-ahead remains
    white, red = play(game, white, "done"), play(game, red, "done")
    assert game.observe(white, 1) == game.observe(red, 1)
    # values that a repeat stores for its round aren't visible either
    white = game.position("...,...,.../..,../.", stocks={"hand": ["", "R"]}, to_move=0)
    red = game.position("...,...,.../..,../.", stocks={"hand": ["", "W"]}, to_move=0)
    assert game.observe(white, 0) == game.observe(red, 0)


def test_opponent_options_do_not_affect_observations() -> None:
    # whether or not the colours of the hand were tried out at 'at', the state after a pass looks the same to the
    # opponent
    game = inline("""
        stocks: {hand: {each: {}, see: me}}
        turn: {place: colours(hand), from: hand, at: playable - touching(colour)}
        pass: true
        """)
    boards = "...,...,.../..,../."
    red = game.position(boards, stocks={"hand": ["R", "W"]})
    black = game.position(boards, stocks={"hand": ["B", "W"]})
    assert game.observe(play(game, red, "pass"), 1) == game.observe(play(game, black, "pass"), 1)


def test_seed_and_deal_are_not_observable() -> None:
    game = inline("""
        stocks: {bag: {holds: {all_colours: 3}, see: none}, hand: {each: {}}}
        turn: [{place: own}, {draw: 1, from: bag, to: hand}]
        """)
    one, other = game.start(seed=1), game.start(seed=2)
    assert one != other
    assert views(game, one) == views(game, other)
    one, other = game.start(deal={"bag": "RW"}), game.start(deal={"bag": "RB"})
    assert views(game, one) == views(game, other)
    assert views(game, one)[0].seed is None
    # it becomes visible when it is drawn
    assert game.observe(play(game, one, "W@Aa1"), 0) == game.observe(play(game, other, "W@Aa1"), 0)
    one, other = play(game, one, "W@Aa1 B@Ab1"), play(game, other, "W@Aa1 B@Ab1")
    assert game.observe(one, 0) != game.observe(other, 0)


# ---------------------------------------------------------------- boards


def test_per_seat_boards_hide_other_seats_boards() -> None:
    game = inline("""
        boards: {size: 3, each: "me if me == seat(1) else everyone"}
        turn: {board: me, do: {place: own}}
        """)
    state = play(game, game.start(), ["W@seat1.Aa1", "B@seat2.Ab1"])
    first, second = views(game, state)
    assert first.boards == ("...,...,W../..,../.", "...,...,.B./..,../.")
    assert second.boards == ("...,...,.../..,../.", "...,...,.B./..,../.")
    other = play(game, game.start(), ["W@seat1.Ac1", "B@seat2.Ab1"])
    assert game.observe(other, 1) == second
    assert game.observe(other, 0) != first


def test_marble_held_on_hidden_board_is_not_observable() -> None:
    game = inline("""
        boards: {size: 3, each: me}
        turn: {board: me, do: {move: own}}
        """)
    boards = ["...,...,WW./..,../.", "...,...,.../..,../."]
    state = play(game, game.position(boards), ["^seat1.Aa1"])
    other = play(game, game.position(boards), ["^seat1.Ab1"])
    assert game.observe(state, 0).held == (0, 0, 0)
    assert game.observe(state, 1).held is None
    assert game.observe(state, 1) == game.observe(other, 1)


# ---------------------------------------------------------------- secret blocks

FISTS = """
    seats: none
    stocks: {hand: {each: {all_colours: 2}, see: me}, fist: {each: {}}}
    vars: {taken_by: {each: none}}
    turn:
      - by: everyone
        secret: true
        do:
          - {give: colours(hand), from: hand, to: fist, as: taken_by}
          - {score: count(taken_by & red)}
      - {pick: Aa1}
    """


def test_secret_block_choices_are_revealed_at_its_end() -> None:
    game = inline(FISTS)
    start = game.start()
    red, white = play(game, start, "R!"), play(game, start, "W!")
    # seat 1 has chosen; seat 2 is asked, and sees the earlier state
    assert red.to_move == 1
    seen = game.observe(red, 1)
    assert seen == game.observe(white, 1)
    assert seen.reserves["fist"] == (NOTHING, NOTHING)
    assert seen.reserves["hand"][0] == {**NOTHING, "unknown": 6}
    assert seen.scores == (0, 0)
    # seat 1 sees its own choice
    own = game.observe(red, 0)
    assert own.reserves["fist"] == ({**NOTHING, "red": 1}, NOTHING)
    assert own.reserves["hand"][0] == {"white": 2, "black": 2, "red": 1}
    # the block is over, so everyone sees the fists
    for seat in range(2):
        state = game.observe(play(game, red, "B!"), seat)
        assert state.reserves["fist"] == ({**NOTHING, "red": 1}, {**NOTHING, "black": 1})
    assert options(game, red) == options(game, white)


def test_secret_block_events_precede_the_view_update() -> None:
    """Events show the visible effects of a move in a secret block before the other seats' views do.

    Code that forwards events to the other seats must therefore hold them back until the block is over. Here, seat 0 has
    placed a marble, and seat 1 still has to choose.
    """
    game = inline("turn: {secret: true, by: everyone, do: {place: own}}")
    start = game.start()
    state, events = game.apply(start, "W@Aa1")
    assert state.is_in_secret_block
    assert game.observe(state, 1).boards == start.boards
    assert game.observe_events(state, events, 1) == tuple(events) == game.observe_events(state, events, 0)


def test_overlapping_secret_choices_keep_each_seats_own_view() -> None:
    game = inline("""
        players: 3
        stocks: {pot: {holds: {all_colours: 3}}}
        vars: {bids: {each: 0}, last: 0}
        turn:
          - by: everyone
            secret: true
            do: [{give: colours(pot), from: pot}, {place: red, as: here}, {take: red & here},
                 {pick: range(3), as: bids}, {let: {last: bids}}, {put: own, at: "[Aa3, Ab3, Ac3][me]"}]
          - {pick: Aa1}
        """)
    first, second = "R! R@Aa1 xAa1 2", "B! R@Ab1 xAb1 1"
    state = play(game, game.start(), f"{first} {second}")
    assert state.to_move == 2
    shown = [view.reserves["pot"][0] for view in views(game, state)]
    assert shown == [
        {"white": 3, "black": 3, "red": 2},  # without its own red one
        {"white": 3, "black": 2, "red": 3},
        {"white": 3, "black": 3, "red": 3},
    ]
    # while the second seat is choosing
    state = play(game, game.start(), f"{first} B! R@Ab1")
    boards = [view.boards[0] for view in views(game, state)]
    assert boards == ["W..,...,.../..,../.", "...,...,.R./..,../.", "...,...,.../..,../."]
    other = play(game, game.start(), f"{first} W! R@Ac1 xAc1")
    assert game.observe(state, 2) == game.observe(other, 2)
    assert game.observe(state, 0) == game.observe(other, 0)


def test_secret_progress_of_another_seat_is_hidden() -> None:
    game = inline("""
        turn:
          - by: everyone
            secret: true
            do: {choose: {much: [{pick: Aa1, as: x}, {may: {pick: Ab1}}], little: {next: me}}}
          - {pick: Ac1}
        """)
    start = game.start()
    much, little = play(game, start, "much"), play(game, start, "little")
    assert game.observe(play(game, much, "Aa1"), 1) == game.observe(much, 1)
    assert game.observe(play(game, much, "Aa1 done"), 1) == game.observe(little, 1)
    assert game.observe(much, 0) != game.observe(play(game, much, "Aa1"), 0)


def test_secret_choices_are_the_same_from_observation() -> None:
    game = inline(FISTS)
    state = play(game, game.start(), "R!")
    view = game.observe(state, 1)
    assert options(game, view) == options(game, state) == "W! B! R!"


def test_finished_match_reveals_everything() -> None:
    game = inline("""
        stocks: {bag: {holds: {red: 3}, see: none}}
        turn: {place: own}
        end: [{when: filled, win: me}]
        """)
    state = play(game, game.start(), "W@Aa1")
    assert views(game, state) == [state, state]


def test_open_game_observations_match_for_all_seats() -> None:
    game = inline("turn: [{take: own}, {place: red}]")
    state = play(game, at(game, ". . . | . . | .\nW . . | . .\nW B ."), "xAa1")
    assert views(game, state)[0] == views(game, state)[1]
