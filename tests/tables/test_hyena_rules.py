"""Hyena Spiral beyond its worked examples: rulings, reaching the well, whole matches, texts and file values."""

from __future__ import annotations

import os
import pickle
from collections import Counter
from dataclasses import replace
from random import Random

import pytest

import shibumi3d
from shibumi3d.catalogue import yaml_parser
from shibumi3d.rules.errors import IllegalMove, UnknownOutcomeError
from shibumi3d.rules.hyena_spiral import events as ev
from shibumi3d.rules.hyena_spiral.game import HyenaGame, check, make
from shibumi3d.rules.hyena_spiral.state import HyenaRules, Leg, State
from shibumi3d.rules.hyena_spiral.text import describe_event
from shibumi3d.rules.source import Item, Problem
from tests.tables.contract import check_random_match
from tests.tables.hyena_playthrough import FILE as PLAYTHROUGH
from tests.tables.hyena_playthrough import text as playthrough
from tests.tables.spiral import spiral

MATCHES = int(os.environ.get("SHIBUMI3D_MATCHES", "400"))
"""Number of random matches; 10,000 take minutes."""
NAMES = ("Aiko", "Ben", "Cleo", "Dora", "Eli")


def open_moves(game: HyenaGame, state: State) -> list[str]:
    return [move.text for move in game.moves(state)]


def play_moves(
    game: HyenaGame, seats: list[str], moves: str, throws: str = ""
) -> tuple[State, list[ev.Event]]:
    state = game.position(seats, stocks={"throws": throws})
    all_events: list[ev.Event] = []
    for move in moves.split():
        state, events = game.apply(state, move)
        all_events += events
    return state, all_events


# ---------------------------------------------------------------- rulings


def test_event_summary_groups_by_seat() -> None:
    """Aiko buys 12 steps for 2 tabas; then Ben's hyena walks back past her and eats her.

    The seat of the event ``Eaten`` is Aiko's, but the summary counts it among Ben's actions.
    """
    events = [
        ev.Bought(2, 12, seat=0),
        ev.Walked(30, 42, Leg.OUT, seat=0),
        ev.Walked(60, 40, Leg.BACK, seat=1),
        ev.Eaten(1, 42, Leg.BACK, seat=0),
    ]
    game = spiral()
    summary = game.summarize_events(game.start(2), events, "en", NAMES)
    assert summary == "Aiko: buys 12 steps for 2 tabas, to space 42; Ben: 20 steps to space 40, eats Aiko"


def test_bought_steps_enter_the_well_losing_surplus() -> None:
    state, _ = play_moves(spiral(), ["out 76, 2 tabas", "hyena out 0"], "buy")
    assert (state.walkers[0].leg, state.walkers[0].place, state.walkers[0].tabas) == (Leg.WELL, 80, 0)


def test_first_at_the_well_pays_no_fee() -> None:
    state, events = play_moves(spiral(), ["out 70, 5 tabas", "out 0"], "buy")
    assert state.walkers[0].tabas == 3
    assert not any(isinstance(event, ev.Paid) for event in events)


def test_due_fee_prevents_buying_steps() -> None:
    game = spiral()
    assert open_moves(game, game.position(["well, 1 paid, 1 taba", "hyena out 0"])) == ["throw"]
    assert open_moves(game, game.position(["hyena well, 9 tabas", "out 0"])) == ["throw"]
    assert open_moves(game, game.position(["hyena well, 1 paid, 4 tabas", "out 0"])) == ["throw", "buy"]


def test_all_dark_throw_at_the_well_earns_tabas() -> None:
    state, _ = play_moves(spiral(), ["well, 1 paid, 1 taba", "hyena out 0"], "throw", "0")
    assert (state.walkers[0].fees_paid, state.walkers[0].tabas, state.to_move) == (2, 0, 1)


def test_hyenas_bought_steps_count_as_departure() -> None:
    state, events = play_moves(spiral(), ["hyena well, 1 paid, 4 tabas", "well, 2 paid", "back 56"], "buy")
    # 80 - 24 = 56, so the second villager is reached; the first one hadn't left.
    assert [event.seat for event in events if isinstance(event, ev.Eaten)] == [1, 2]
    assert state.scores == (2, 0, 0)


def test_hyena_eats_nobody_on_its_way_out() -> None:
    state, _ = play_moves(spiral(), ["hyena out 16", "out 24", "back 20"], "throw", "2")
    assert [walker.leg for walker in state.walkers] == [Leg.OUT, Leg.OUT, Leg.BACK]


def test_seats_home_or_eaten_are_skipped() -> None:
    state, _ = play_moves(spiral(), ["out 8", "home, 1 point", "eaten", "hyena out 0"], "throw", "2")
    assert state.to_move == 3


def test_round_ends_when_all_villagers_are_home() -> None:
    state, events = play_moves(spiral(), ["back 4", "hyena well"], "throw", "2")
    assert ev.RoundEnded(1, (1, 0)) in events
    assert state.scores == (1, 0)


def test_next_round_starts_left_without_tabas() -> None:
    state, events = play_moves(spiral(), ["hyena back 8, 7 tabas", "back 4, 3 tabas"], "throw", "2")
    assert ev.RoundStarted(2, seat=1) in events
    assert (state.round, state.to_move, state.first_seat) == (2, 1, 1)
    assert [(w.leg, w.place, w.tabas, w.is_hyena) for w in state.walkers] == [(Leg.OUT, 0, 0, False)] * 2


def test_number_of_rounds_depends_on_the_seats() -> None:
    game = spiral()
    assert [game.start(seats).rounds for seats in (2, 3, 4, 5)] == [4, 3, 4, 5]
    assert spiral(rounds=7).start(3).rounds == 7


def last_round(first: str, second: str, hunts: tuple[int, int]) -> State:
    """Return the final state of a one-round match, which ends when the first seat's villager comes home.

    ``first`` and ``second`` describe the pawns of the two seats. The second seat has the hyena. ``hunts`` sets each
    seat's number of wins as the hyena.
    """
    game = spiral(rounds=1)
    state = game.position([first, second], stocks={"throws": "2"})
    walkers = tuple(replace(w, hyena_wins=n) for w, n in zip(state.walkers, hunts, strict=True))
    return game.apply(replace(state, walkers=walkers), "throw")[0]


def test_ranking_uses_points_then_hunts_then_shares() -> None:
    ahead = last_round("back 4", "hyena out 0", (0, 0)).result
    assert ahead is not None
    assert (ahead.winners, ahead.scores, ahead.reason) == ((0,), (1, 0), "most points")
    hunted = last_round("back 4, 1 point", "hyena out 0, 2 points", (0, 1)).result
    assert hunted is not None
    assert hunted.winners == (1,)
    shared = last_round("back 4", "hyena out 0, 1 point", (0, 0)).result
    assert shared is not None
    assert shared.winners == ()


# ---------------------------------------------------------------- the exact well


def test_surplus_throw_is_void_at_an_exact_well() -> None:
    game = spiral(exact=True)
    state, events = play_moves(game, ["out 78", "out 0"], "throw", "2")
    assert state.walkers[0].place == 78
    assert ev.StepsLost(4, 0, seat=0) in events
    state, _ = play_moves(game, ["out 76", "out 0"], "throw", "2")
    assert state.walkers[0].is_hyena


def test_seat_near_an_exact_well_can_buy_entry() -> None:
    game = spiral(exact=True)
    assert open_moves(game, game.position(["out 78, 1 taba", "out 0"])) == ["throw", "enter"]
    assert open_moves(game, game.position(["out 76, 1 taba", "out 0"])) == ["throw"]
    assert open_moves(game, game.position(["out 78", "out 0"])) == ["throw"]
    assert open_moves(game, game.position(["hyena out 76, 2 tabas", "out 0"])) == ["throw", "enter"]
    assert open_moves(game, game.position(["hyena out 76, 1 taba", "out 0"])) == ["throw"]
    state, _ = play_moves(game, ["hyena out 76, 12 tabas", "out 0"], "enter")
    hyena = state.walkers[0]
    assert (hyena.leg, hyena.fees_paid, hyena.tabas) == (Leg.WELL, 1, 0)


def test_steps_past_an_exact_well_are_not_offered() -> None:
    game = spiral(exact=True)
    assert open_moves(game, game.position(["out 70, 2 tabas", "out 0"])) == ["throw"]
    assert open_moves(game, game.position(["out 68, 2 tabas", "out 0"])) == ["throw", "buy"]
    state, _ = play_moves(game, ["out 70", "out 0"], "throw", "0")
    assert (state.walkers[0].tabas, state.to_move) == (1, 1)


# ---------------------------------------------------------------- whole matches


def apply_events(state: State, events: tuple[ev.Event, ...], known: list[list[object]]) -> None:
    """Apply events to ``known``, which holds a list for each seat.

    Each list contains the seat's leg, place, tabas and points, and whether the seat is the hyena. ``state`` is any
    state of the match; only its ``length``, the place of the well, is used. Assert that the events agree with ``known``
    about where each walk begins and where a pawn is eaten.
    """
    for event in events:
        match event:
            case ev.Gained(tabas, seat=seat):
                known[seat][2] += tabas  # type: ignore[operator]
            case ev.Bought(tabas, seat=seat) | ev.Paid(tabas, seat=seat):
                known[seat][2] -= tabas  # type: ignore[operator]
            case ev.Walked(origin, place, leg, seat=seat):
                assert known[seat][1] == origin
                known[seat][:2] = [Leg.WELL if place == state.length else leg, place]
            case ev.BecameHyena(seat=seat):
                known[seat][:2] = [Leg.OUT, 0]
                known[seat][4] = True
            case ev.Eaten(place=place, leg=leg, seat=seat):
                assert known[seat][:2] == [leg, place]
                known[seat][0] = Leg.EATEN
            case ev.CameHome(points, seat=seat):
                known[seat][0] = Leg.HOME
                known[seat][3] += points  # type: ignore[operator]
            case ev.RoundEnded(_, points):
                for seat, one in enumerate(known):
                    if one[4]:
                        one[3] += points[seat]  # type: ignore[operator]
            case ev.RoundStarted():
                for one in known:
                    one[:] = [Leg.OUT, 0, 0, one[3], False]


def walker_rows(state: State) -> list[list[object]]:
    return [[w.leg, w.place, w.tabas, w.points, w.is_hyena] for w in state.walkers]


@pytest.mark.slow
def test_random_matches_follow_the_rules() -> None:
    """Each player's leg, place, tabas, points and role can be rebuilt from the events of a match.

    There is at most one hyena. Nobody has fewer than 0 tabas or stands beyond the well. The number of the turn
    increases exactly when a new turn begins. Each match ends, with at least one point scored.
    """
    ended: Counter[int] = Counter()
    for number in range(MATCHES):
        rng = Random(number)
        seats, length = 2 + number % 4, (48, 60, 80)[number // 4 % 3]
        game = spiral(length, rng.choice((0, 1, 2)), exact=number % 5 == 4)
        state = game.start(seats, seed=number)
        known = walker_rows(state)
        moves = 0
        while state.to_move is not None:
            options = game.moves(state)
            assert options
            move = rng.choice(options)
            before = state
            state, events = game.apply(state, move)
            apply_events(before, events, known)
            assert known == walker_rows(state), f"match {number}, {move} of {before}"
            assert all(w.tabas >= 0 and 0 <= w.place <= length for w in state.walkers)
            assert sum(w.is_hyena for w in state.walkers) <= 1
            assert (state.turn > before.turn) == (state.step == 0)
            moves += 1
            assert moves < 20_000
        assert state.result is not None
        assert sum(state.scores) >= 1
        ended[state.round] += 1
    assert len(ended) > 1


@pytest.mark.parametrize("variant", ["", "exact well"])
@pytest.mark.parametrize("seats", [2, 3, 5])
def test_game_fulfils_the_table_contract(variant: str, seats: int) -> None:
    game = shibumi3d.game("hyena-spiral", variant=variant or None, options={"length": 48, "rounds": 1})
    check_random_match(game, seats, seats, every=7)


def test_match_replays_from_its_moves_and_seed() -> None:
    game, rng = spiral(48, 1), Random(5)
    state = game.start(3, seed=5)
    texts = []
    while moves := game.moves(state):
        move = rng.choice(moves)
        assert game.parse(state, move.text) == move
        texts.append(move.text)
        state, _ = game.apply(state, move)
    again = game.start(3, seed=5)
    for text in texts:
        again, _ = game.apply(again, text)
    assert again == state
    assert hash(again) == hash(state)
    assert pickle.loads(pickle.dumps(state)) == state
    with pytest.raises(IllegalMove, match="over"):
        game.apply(state, "throw")


def test_thrown_faces_are_binomially_distributed() -> None:
    """Of every 8 throws, on average 1, 3, 3 and 1 should show 0, 1, 2 and 3 white faces, respectively.

    Each throw uses three chips, which are white on one side and black on the other. In 8,000 throws, the standard
    deviation is 30 for the results expected 1,000 times, and 43 for those expected 3,000 times. The allowed deviation,
    220, is about five times the larger value.
    """
    game = spiral()
    found: Counter[int] = Counter()
    for seed in range(8_000):
        after, _ = game.apply(game.start(2, seed=seed), "throw")
        found[sum(after.last_throw)] += 1
    for whites, ways in enumerate((1, 3, 3, 1)):
        assert abs(found[whites] - 1_000 * ways) < 220


def test_observation_contains_no_future_throws() -> None:
    game = spiral()
    state = game.start(2, seed=3, deal={"throws": "0 1 2", "starter": "2"})
    assert state.to_move == 1
    view = game.observe(state, 0)
    assert view == game.observe(game.start(2, seed=99, deal={"starter": "2"}), None)
    with pytest.raises(UnknownOutcomeError):
        game.apply(view, "throw")
    whole = game.determinize(view, 0, Random(1))
    assert game.observe(whole, 0) == view
    assert game.preview(state, game.parse(state, "throw")).events == ()


@pytest.mark.parametrize("deal", [{"throws": "4"}, {"throws": "two"}, {"starter": "3"}, {"bag": "WWB"}])
def test_invalid_deal_is_refused(deal: dict[str, str]) -> None:
    with pytest.raises(ValueError, match=r"not '|from 1 to 2|can't set"):
        spiral().start(2, deal=deal)


@pytest.mark.parametrize(
    "seats",
    [["out 80", "out 0"], ["back 72", "out 0"], ["hyena out 0", "hyena out 0"], ["hyena back 4", "home"],
     ["well, 3 paid", "hyena out 0"], ["nowhere", "out 0"], ["out 0"]],
)  # fmt: skip
def test_invalid_position_is_refused(seats: list[str]) -> None:
    with pytest.raises(
        ValueError, match=r"place is from|must be|at most|is over|doesn't say|is for|only one"
    ):
        spiral().position(seats)


def test_position_for_another_number_of_players_is_refused() -> None:
    with pytest.raises(ValueError, match="the position has 1 seat, not 2"):
        spiral().position(["out 0"], seats=2)
    with pytest.raises(ValueError, match="the position has 2 seats, not 3"):
        spiral().position(["out 0", "out 0"], seats=3)


def test_position_with_an_unknown_seat_or_round_is_refused() -> None:
    with pytest.raises(ValueError, match="seat 3 is to move, but there is no such seat"):
        spiral().position(["out 0", "out 0"], to_move=2)
    with pytest.raises(ValueError, match="has no phase 5"):
        spiral().position(["out 0", "out 0"], phase=4)


def test_move_counts_match_with_given_throws() -> None:
    """A throw without white faces can be used in two ways; a throw with two leaves no choice.

    In Hyena Spiral, a villager who throws no white face either walks 12 spaces or takes a taba. If she throws two white
    faces, she can only walk. Here, the results of the throws are given in advance. Nobody has the 2 tabas that are
    needed to buy steps instead of throwing.
    """
    game = spiral()
    state = game.start(2, deal={"starter": "1", "throws": "0 2 0 1"})
    counts = [1]
    level = [state]
    for _ in range(5):
        level = [game.apply(each, move)[0] for each in level for move in game.moves(each)]
        counts.append(len(level))
    # throw; go or take; throw (2); throw (0) in both cases; go or take in both
    assert counts == [1, 1, 2, 2, 2, 4]


# ---------------------------------------------------------------- words


def test_decision_and_moves_are_described() -> None:
    game = spiral()
    state = game.position(["out 30, 4 tabas", "out 0"])
    throw, buy = game.moves(state)
    assert game.describe_decision(state) == "throw, or buy 12 steps for 2 tabas"
    assert game.describe_decision(state, "fr") == "lancer, ou acheter 12 pas pour 2 tabas"
    assert [game.move_label(state, move) for move in (throw, buy)] == ["Throw", "Buy 12 steps"]
    assert game.describe_outcome(state, buy) == "Buy 12 steps for 2 tabas – to space 42, 2 tabas left"
    assert game.describe_outcome(state, throw) == (
        "Throw – 3 in 8: 1 taba; 3 in 8: 4 steps to space 34; 1 in 8: 6 steps to space 36; 1 in 8: "
        "12 steps to space 42, or 1 taba"
    )


def test_move_description_names_villagers_to_be_eaten() -> None:
    game = spiral()
    state = game.position(["hyena back 72, 4 tabas", "back 60", "back 52"])
    throw, buy = game.moves(state)
    assert game.describe_outcome(state, throw, names=NAMES) == (
        "Throw – 3 in 8: 2 tabas; 3 in 8: 8 steps to space 64; 1 in 8: 12 steps to space 60, eats "
        "Ben; 1 in 8: 24 steps to space 48, eats Ben and Cleo, or 2 tabas"
    )
    assert game.describe_outcome(state, buy, "fr", NAMES).endswith(
        "à la case 48, dévore Ben et Cleo, il reste 0 taba"
    )


def test_waiting_at_the_well_is_described() -> None:
    game = spiral()
    state = game.position(["hyena well, 3 tabas", "out 0"])
    assert game.describe_decision(state) == "throw to earn tabas (3 of the 10 needed)"
    assert game.describe_outcome(state, game.moves(state)[0]) == "Throw – 4 in 8: 2 tabas; 4 in 8: nothing"


def test_illegal_choices_are_explained() -> None:
    game = spiral()
    state = game.position(["out 30, 1 taba", "out 0, 3 tabas"])
    assert (
        game.explain_illegal(state, ["tabas 1"], names=NAMES) == "12 steps cost 2 tabas, but Aiko has 1 taba."
    )
    assert game.explain_illegal(state, ["tabas 2"], names=NAMES) == (
        "These tabas belong to Ben; it's Aiko's turn."
    )
    assert game.explain_illegal(state, ["bowl"], names=NAMES) == ""
    why = "You can't pick a space: where Aiko goes is decided by the throw or by the number of steps bought."
    assert game.explain_illegal(state, ["place 42"], names=NAMES) == why
    owing = game.position(["well, 1 paid, 1 taba", "hyena out 0"])
    assert game.explain_illegal(owing, ["tabas 1"], names=NAMES).startswith("Aiko owes 2 tabas at the well")


def test_every_event_is_described_in_english_and_french() -> None:
    game, rng = spiral(48, 2), Random(1)
    state = game.start(3, seed=1)
    found: set[str] = set()
    while moves := game.moves(state):
        before = state
        state, events = game.apply(state, rng.choice(moves))
        for event in events:
            for lang in ("en", "fr"):
                description = describe_event(before, event, lang, NAMES)
                assert description or isinstance(event, ev.TurnEnded | ev.MatchEnded | ev.Walked)
                assert "{" not in description
            found.add(type(event).__name__)
        for lang in ("en", "fr"):
            assert game.table_lines(state, lang, NAMES)
            for move in game.moves(state):
                assert game.move_label(state, move, lang)
                assert game.describe_outcome(state, move, lang, NAMES)
            for seat in range(3):
                assert game.describe_seat(state, seat, lang)
    assert {"Threw", "BecameHyena", "Paid", "RoundStarted", "MatchEnded"} <= found


def test_playthrough_matches_its_recorded_text() -> None:
    assert playthrough() == PLAYTHROUGH.read_text(encoding="utf-8"), (
        "run 'python -m tests.tables.hyena_playthrough'"
    )


def test_seat_description_shows_role_and_tabas() -> None:
    game = spiral()
    state = game.position(
        ["hyena out 8, 3 tabas", "back 12, 1 taba", "well, 1 paid", "eaten", "home, 1 point"]
    )
    descriptions = [game.describe_seat(state, seat) for seat in range(5)]
    assert descriptions == [
        ("Hyena → 8", "3 tabas"),
        ("Villager ← 12", "1 taba"),
        ("At the well, 1/2 paid", "0 tabas"),
        ("Villager, eaten",),
        ("Villager, home",),
    ]
    assert game.describe_seat(state, 0, "fr") == ("Hyène → 8", "3 tabas")


@pytest.mark.parametrize(
    ("seats", "moves", "throws", "expected"),
    [
        (["out 30", "out 0"], "throw", "2", "Throw: to space 34"),
        (["out 30", "out 0"], "throw", "1", "Throw: 1 taba"),
        (["out 30", "out 0"], "throw", "0", "Throw: 0 white faces"),
        (["out 76", "out 0"], "throw", "2", "Throw: to the well, becomes the hyena"),
        (["well", "hyena out 0"], "throw", "3", "Throw: 3 white faces"),
        (["well, 1 taba", "hyena out 0"], "throw", "1", "Throw: 1 taba, pays 2 tabas"),
        (["back 4", "hyena out 0", "out 4"], "throw", "2", "Throw: home"),
        (["hyena back 60, 4 tabas", "back 40", "back 30"], "buy", "", "Buy 24 steps: to space 36, eats Ben"),
        (["well, 2 tabas", "hyena out 0"], "pay", "", "Pay 2 tabas"),
    ],
)
def test_move_list_describes_results(seats: list[str], moves: str, throws: str, expected: str) -> None:
    game = spiral()
    before = game.position(seats, stocks={"throws": throws})
    _, events = game.apply(before, moves)
    assert game.describe_move(before, game.parse(before, moves), events, "en", NAMES) == expected


def test_terminal_output_shows_the_track() -> None:
    game = spiral(48)
    lines = game.table_lines(
        game.position(["hyena back 30, 4 tabas", "back 12", "home, 1 point"]), "en", NAMES
    )
    assert lines[0] == "Round 1 of 3, 48 steps from the village to the well"
    assert lines[3] == " 10    ·   ·  <2" + "   ·" * 7
    assert lines[5] == " 30   <H" + "   ·" * 9
    assert lines[8] == "H Aiko: hyena at space 30, on the way home; 4 tabas, 0 points"


# ---------------------------------------------------------------- the file's numbers

FILE = """
throw: {0: 12, 2: 4, 3: 6}
taba: [0, 1]
buy: {pay: 2, steps: 12}
fees: [2, 2]
hyena: {times: 2, fee: 10}
points: {home: 1, hyena: 2}
"""


def rules(text: str) -> Item:
    problems: list[Problem] = []
    indented = "\n".join(f"  {row}" for row in text.strip().splitlines())
    item = yaml_parser.parse_yaml(f"table:\n{indented}\n".encode(), "x.yaml", problems)
    assert item is not None
    assert not problems
    return item


def test_default_rule_numbers_are_read() -> None:
    game = make("x", "X", rules(FILE), (2, 5), {"length": 60, "variant": ""}, {})
    assert game.rules == HyenaRules()
    assert game.start(2).length == 60
    assert make("x", "X", rules("exact: false"), (2, 5), {}, {}).rules == HyenaRules()
    exact = make("x", "X", rules(FILE + "exact: true\n"), (2, 5), {"length": 60, "variant": ""}, {})
    assert exact.rules == HyenaRules(exact_arrival=True)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("fees: [2, 2]", "fes: [2, 2]", "x.yaml:5:3: table: unknown key 'fes', did you mean 'fees'?"),
        (
            "0: 12, ",
            "0: -1, ",
            "x.yaml:2:10: throw: expected a mapping whose keys are numbers from 0 to 3 and whose values are "
            "numbers from 1 to 200",
        ),
        (
            "0: 12, ",
            "4: 12, ",
            "x.yaml:2:10: throw: expected a mapping whose keys are numbers from 0 to 3 and whose values are "
            "numbers from 1 to 200",
        ),
        ("[0, 1]", "[0]", "x.yaml:2:10: throw: no steps are given for 1 white face; add them here"),
        ("times: 2", "time: 2", "x.yaml:6:11: table: hyena: unknown key 'time', did you mean 'times'?"),
        ("fees: [2, 2]", "fees: 2", "x.yaml:5:9: fees: expected a list of whole numbers from 1 to 200"),
        ("fees: [2, 2]", "fees: []", "x.yaml:5:9: fees: expected 1 to 4 numbers"),
        ("points: {", "exact: maybe\npoints: {", "x.yaml:7:10: exact: expected true or false"),
    ],
)
def test_invalid_rule_numbers_are_reported_with_their_location(old: str, new: str, message: str) -> None:
    problems: list[Problem] = []
    assert old in FILE
    check(rules(FILE.replace(old, new)), {}, 2, problems)
    assert any(str(problem).startswith(message) for problem in problems), [str(p) for p in problems]


def test_chips_say_what_the_throws_of_the_game_file_give() -> None:
    rules = HyenaRules(steps_by_whites=(0, 5, 0, 9), tabas_by_whites=(1, 1, 1, 0))
    game = HyenaGame("spiral", "Spiral", rules, (2, 5), {"length": 80, "variant": ""})
    view = game.observe(game.start(2, 1), 0)
    assert game.describe_spot(view, "bowl") == (
        "the chips: 1 taba for 0 white faces; 5 steps or 1 taba for 1 white face; 1 taba for 2 white faces; "
        "9 steps for 3 white faces"
    )


def test_spots_of_unknown_seats_are_not_described() -> None:
    view = spiral().observe(spiral().start(2, 1), 0)
    assert spiral().describe_spot(view, "tabas 2")
    for spot in ("tabas 0", "pawn 0", "tabas 3", "pawn x"):
        assert spiral().describe_spot(view, spot) == ""
