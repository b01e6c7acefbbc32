"""Colours that can no longer matter: found from the rules, and treated as equal in proofs."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

import shibumi3d
from shibumi3d.rules.marbles.engine import interface
from shibumi3d.rules.marbles.engine.exhaustive_search import NO, UNDECIDED, WIN, YES
from shibumi3d.rules.marbles.engine.rules import PositionEquivalence
from shibumi3d.rules.marbles.search.relevance import find_equivalence
from shibumi3d.rules.marbles.search.symmetry import get_equivalence
from tests.marble_games import slow_in_plain_python, thinned

WHITE, BLACK, RED = 1, 2, 4


@pytest.mark.parametrize(
    ("name", "number", "of", "under"),
    [
        ("spline", 24, (WHITE, BLACK), 0),  # 10 lines of four on A, 8 of three on B, 6 of two on C
        ("spava", 68, (WHITE, BLACK), 0),  # these, and 24 of three on A, 20 of two on B, which lose
        ("splice", 24, (WHITE | RED, BLACK | RED), RED),  # one may build on red
    ],
)
def test_rules_with_lines_give_relevant_colours(
    name: str, number: int, of: tuple[int, int], under: int
) -> None:
    """In games about lines, the analysis finds all lines and the colours that count in them.

    ``number`` is the number of lines. ``of`` holds, for each seat, the mask of the colours with which it can complete a
    line. For the colours in the mask ``under``, a marble's colour counts while another marble may still be placed on
    it. In all three games, the stocks of white, black and red matter only if they can run out before the board is full.
    White and black are each used by only one seat.
    """
    seen = find_equivalence(shibumi3d.game(name).start(2)._rules)
    assert (
        len(seen.lines),
        seen.line_colours,
        seen.always_relevant_colours,
        seen.coverable_relevant_colours,
    ) == (number, of, 0, under)
    assert (seen.supply_limited_colours, seen.single_seat_colours) == (WHITE | BLACK | RED, WHITE | BLACK)


@pytest.mark.parametrize("name", ["span", "spree", "spaiji", "sploof", "spodd", "spargo", "spaghetti"])
def test_rules_with_groups_find_no_equivalence(name: str) -> None:
    """The analysis doesn't support the rules of these games, so every colour counts everywhere.

    It supports games in which marbles are only placed and colours matter only in lines. It also supports games in which
    marbles are only placed, or only removed, and colours matter only on fixed points or not at all. In Sploof and
    Spargo, marbles are both placed and removed. In Spree, players give marbles to their opponent. The other games are
    decided by groups, paths or numbers of marbles of each colour.
    """
    assert find_equivalence(shibumi3d.game(name).start(2)._rules) == PositionEquivalence()


def test_candy_variant_ignores_stocks() -> None:
    """In Special Cake's candy variant, proofs ignore the contents of the stocks.

    Colours don't matter, since a line may have any colours. After the setup, marbles are only eaten, and none is
    placed. The stocks aren't ignored in the standard game, in which a line needs two colours, or in Spectacular Tumble,
    in which marbles of the players' colours score.
    """
    assert find_equivalence(shibumi3d.game("special-cake", variant="candy").start(2)._rules).ignores_stocks
    assert not find_equivalence(shibumi3d.game("special-cake").start(2)._rules).ignores_stocks
    assert not find_equivalence(shibumi3d.game("spectacular-tumble").start(2)._rules).ignores_stocks


def test_rules_with_apex_owner_keep_apex_relevant() -> None:
    """In Splastwo, only the colour of the marble on the apex (point 29) counts: its owner wins ties.

    A level counts as finished whatever the colours of its marbles. The marbles left in the box matter too, since a
    player without marbles is skipped.
    """
    seen = find_equivalence(shibumi3d.game("splastwo").start(2)._rules)
    assert (seen.lines, seen.always_relevant_points, seen.ignores_stocks, seen.supply_limited_colours) == (
        (0,),
        1 << 29,
        False,
        0,
    )


@slow_in_plain_python
def test_colour_blind_deals_share_position_key() -> None:
    game = shibumi3d.game("special-cake", variant="candy")
    fast = game.make_fast_game(2)
    keys = set()
    for seed in (0, 1, 2):
        state = game.start(2, seed=seed)
        state, _ = game.apply(state, game.moves(state)[0])
        fast.load(state)
        keys.add(interface.ProofNumberSearch(fast.machine, get_equivalence(game, 2)).position_key())
    assert len(keys) == 1


def key(moves: str) -> int:
    game = shibumi3d.game("spline")
    state = game.start(2)
    for number, point in enumerate(moves.split()):
        state, _ = game.apply(state, f"{'WB'[number % 2]}@{point}")
    fast = game.make_fast_game(2)
    fast.load(state)
    return interface.ProofNumberSearch(fast.machine, get_equivalence(game, 2)).position_key()


def test_marbles_in_mixed_lines_share_position_key() -> None:
    """Swapping the marbles in two corners doesn't change the key if no line through either corner can win.

    In Spline, only a full line of one colour wins. In the first two positions, every line through the corners Aa1 and
    Ad4 contains both colours elsewhere, so the colours in the corners don't matter.

    In the last two, Ab1 and Ac1 are empty. Rank 1 then contains only the marble on Aa1, whose colour therefore matters.
    """
    rest = "Aa3 Aa2 Ac3 Ab2 Ab4 Ac4 Ad2 Ad3"
    assert key(f"Aa1 Ad4 {rest} Ac1 Ab1") == key(f"Ad4 Aa1 {rest} Ac1 Ab1")
    assert key(f"Aa1 Ad4 {rest}") != key(f"Ad4 Aa1 {rest}")


def proof_search_at(game: Any, start: str, box: str | None = None) -> Any:
    """Return a proof search for a position given as text, with White to move.

    ``box`` holds the colour letters of the marbles in the box. By default, the box has its initial contents without the
    marbles on the board.
    """
    stocks = None if box is None else {"box": box}
    fast = game.make_fast_game(2)
    fast.load(game.position(start, stocks=stocks))
    return interface.ProofNumberSearch(fast.machine, get_equivalence(game, 2))


def test_red_is_relevant_while_buildable() -> None:
    """In Splice, only a line of one player's colour and red wins, with at least one marble of each.

    Every line through Aa1 already has both players' colours at other points, so none of them can win. Aa1 is one of the
    four points below Ba1, and players may place their own colour on Ba1 only if one of these has a red marble. The
    colour at Aa1 therefore matters only while Ba1 is empty.
    """
    game = shibumi3d.game("splice", size=3)
    keys = [
        proof_search_at(game, f"B.B,WW.,{corner}WB/..,{above}./.").position_key()
        for above in ".W"
        for corner in "BR"
    ]
    assert keys[0] != keys[1]
    assert keys[2] == keys[3]


@pytest.mark.parametrize(
    ("box", "alike_"),
    [((8, 7, 14), True), ((7, 8, 15), True), ((6, 7, 14), False), ((7, 6, 14), False), ((7, 7, 13), False)],
)
def test_inexhaustible_stocks_share_position_key(box: tuple[int, int, int], alike_: bool) -> None:
    """Stocks of 7 white, 7 black and 14 red marbles can't run out; larger ones have the same key.

    With fewer marbles of any colour, the position key is different. In Spava, players place marbles of their own colour
    or red ones. Each player fills at most seven of the 14 empty points, and all 14 marbles could be red.
    """
    game = shibumi3d.game("spava", size=3)
    keys = []
    for number in ((7, 7, 14), box):
        letters = "".join(letter * times for letter, times in zip("WBR", number, strict=True))
        keys.append(proof_search_at(game, "...,...,.../..,../.", letters).position_key())
    assert (keys[0] == keys[1]) == alike_


@pytest.mark.parametrize(
    ("start", "worth"),
    [
        (".WW,.B.,.../..,../.", YES),  # White fills rank 3
        (".WW,.B.,..W/..,../.", YES),  # and file c besides
        (".BB,.W.,.../..,../.", UNDECIDED),  # Black could, but White is to move
        ("BWW,.B.,.../..,../.", UNDECIDED),
    ],
)
def test_win_by_filling_last_gap_is_recognized(start: str, worth: int) -> None:
    looks = proof_search_at(shibumi3d.game("spline", size=3), start)
    looks.update_relevant_masks()
    assert looks.win_by_filling_gap() == worth


@pytest.mark.parametrize(
    ("name", "size", "turns"),
    thinned(
        [
            *((name, 3, 5) for name in ("spline", "spava", "splice", "splastwo", "spree", "spire")),
            *(("spline", 4, 20), ("splice", 4, 18), ("splastwo", 4, 14)),
        ],
        3,
    ),
)
def test_proofs_agree_with_and_without_equivalence(name: str, size: int, turns: int) -> None:
    """For both players, position equivalence doesn't change the results of proofs from random positions.

    Proofs that consider single choices instead of whole turns give the same results. So does an exhaustive search,
    which uses neither position equivalence nor proof numbers.
    """
    game = shibumi3d.game(name, size=size)
    chance, fast = Random(7), game.make_fast_game(2)
    found = get_equivalence(game, 2)
    assert found.symmetry_tables
    answers: set[int] = set()
    looked_at = 0
    while looked_at < 8:
        state = game.start(2)
        while state.to_move is not None and state.turn < turns:
            state, _ = game.apply(state, chance.choice(game.moves(state)))
        if state.to_move is None:
            continue
        looked_at += 1
        fast.load(state)
        for seat in (0, 1):
            plain = interface.ProofNumberSearch(fast.machine, PositionEquivalence())
            seeing = interface.ProofNumberSearch(fast.machine, found)
            by_choice = interface.ProofNumberSearch(fast.machine, found)
            by_choice.searches_whole_turns = False
            ahead = interface.ExhaustiveSearch(fast.machine)
            plain.work_left = seeing.work_left = by_choice.work_left = ahead.work_left = 10**9
            answer = ahead.can_force(seat, WIN, 60)
            assert [one.prove(seat, WIN) for one in (plain, seeing, by_choice)] == [answer] * 3
            answers.add(answer)
    assert answers == {YES, NO}


@pytest.mark.parametrize("name", ["spree", "splastwo", "spire"])
def test_choices_kept_by_proof_lead_to_wins(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whenever a win is proved, the proof names choices that keep it, and each leads to a won position.

    Each position is searched three times: by whole turns, by single choices, and by whole turns with a switch to single
    choices if a turn leads to more than three positions. In the compiled engine, this limit can't be changed.
    """
    game = shibumi3d.game(name, size=3)
    chance, fast, found = Random(3), game.make_fast_game(2), get_equivalence(game, 2)
    wins = 0
    while wins < 6:
        state = game.start(2)
        while state.to_move is not None and state.turn < 4:
            state, _ = game.apply(state, chance.choice(game.moves(state)))
        seat = state.to_move
        if seat is None:
            continue
        fast.load(state)
        holding = []
        for whole, ways in ((True, 400), (False, 400), (True, 3)):
            monkeypatch.setattr("shibumi3d.rules.marbles.engine.proof_number_search.MAX_WAYS_PER_TURN", ways)
            proves = interface.ProofNumberSearch(fast.machine, found)
            proves.searches_whole_turns, proves.work_left = whole, 10**9
            if proves.prove(seat, WIN) == YES:
                holding.append(proves.winning_choices())
        if holding:
            wins += 1
            assert all(holding)
            for code in {code for codes in holding for code in codes}:
                fast.make(code)
                ahead = interface.ExhaustiveSearch(fast.machine)
                ahead.work_left = 10**9
                result = fast.result()
                assert result.winners == 1 << seat if result else ahead.can_force(seat, WIN, 60) == YES
                fast.unmake()
