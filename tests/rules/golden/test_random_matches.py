"""Properties that hold in every random match of The Golden Spiral."""

from __future__ import annotations

import pickle
from dataclasses import replace
from random import Random

import pytest

import shibumi3d
from shibumi3d.i18n import LANGUAGES
from shibumi3d.rules.errors import GameFileError, IllegalMove
from shibumi3d.rules.game import Event
from shibumi3d.rules.golden_spiral import events as ev
from shibumi3d.rules.golden_spiral import game as kind
from shibumi3d.rules.golden_spiral.state import DISCARD, State
from shibumi3d.rules.source import Problem
from tests.tables.contract import check_random_match

from .bench import game, rules
from .matches import LONGEST, random_match

MATCHES = 300


def test_random_matches_end_without_losing_medals() -> None:
    """The assertions are in :func:`.matches.random_match`."""
    for seed in range(MATCHES):
        random_match(seed)


@pytest.mark.parametrize("variant", ["", "without jokers"])
def test_golden_spiral_meets_table_contract(variant: str) -> None:
    made = shibumi3d.game("golden-spiral", variant=variant or None)

    def all_there(state: State) -> None:
        assert sum(state.gold) + sum(state.spiral) + state.discarded_medals == 26

    for seed in range(30):
        check_random_match(made, 2, seed, longest=LONGEST, also=all_there)


def test_random_matches_use_every_joker_and_default() -> None:
    used: set[str] = set()
    ends: set[str] = set()
    for seed in range(MATCHES):
        for _, _, events in random_match(seed):
            used |= {event.joker for event in events if isinstance(event, ev.JokerUsed)}
            ends |= {event.rule for event in events if isinstance(event, ev.DefaultDeclared)}
    assert used == {joker.id for joker in game().rules.jokers}
    assert {"no number", "difference", "price", "check"} <= ends


def apply_events(counts: dict[int, list[int]], events: tuple[Event, ...]) -> None:
    """Update ``counts`` for the medals that ``events`` turn over or move.

    ``counts`` maps each seat to its numbers of Gold and Spiral medals. It maps ``DISCARD`` to a list whose first number
    counts all medals there.
    """
    for event in events:
        if isinstance(event, ev.MedalsTurned):
            counts[event.seat][0] += event.spiral - event.gold
            counts[event.seat][1] += event.gold - event.spiral
        elif isinstance(event, ev.MedalsMoved):
            for holder, sign in ((event.source, -1), (event.target, 1)):
                if holder == DISCARD:
                    counts[holder][0] += sign * (event.gold + event.spiral)
                else:
                    counts[holder][0] += sign * event.gold
                    counts[holder][1] += sign * event.spiral


def test_medal_events_account_for_all_medals() -> None:
    for seed in range(50):
        counts = {0: [13, 0], 1: [13, 0], DISCARD: [0, 0]}
        for _, after, events in random_match(seed):
            apply_events(counts, events)
            assert counts == {
                0: [after.gold[0], after.spiral[0]],
                1: [after.gold[1], after.spiral[1]],
                DISCARD: [after.discarded_medals, 0],
            }


def test_star_events_account_for_all_stars() -> None:
    for seed in range(50):
        stars = [5, 5]
        for _, after, events in random_match(seed):
            for event in events:
                if isinstance(event, ev.StarsSpent):
                    stars[event.seat] -= event.number
                elif isinstance(event, ev.StarsMoved):
                    stars[event.seat] += event.number
                    stars[event.source] -= event.number
            assert tuple(stars) == after.stars


def test_matches_replay_from_move_texts() -> None:
    for seed in range(30):
        state = game().start(2, seed)
        for before, after, _ in random_match(seed):
            for move in game().moves(before):
                assert game().parse(before, move.text) == move
                assert game().apply(before, move)[0] == game().apply(before, move.text)[0]
            assert pickle.loads(pickle.dumps(before)) == before
            assert hash(pickle.loads(pickle.dumps(before))) == hash(before)
            state = after
        assert state.result is not None
        with pytest.raises(IllegalMove, match="over"):
            game().apply(state, "1")


def test_second_seat_may_set_number_first() -> None:
    start = game().start(2, 1)
    second = game().parse(start, "5", 1)
    assert (second.seat, second.text) == (1, "5")
    assert game().parse(start, "2:5") == second
    first, _ = game().apply(start, second)
    assert first.deciding_seats == (0,)
    after, _ = game().apply(first, "7")
    usual, _ = game().apply(game().apply(start, "7")[0], "5")
    assert after == usual
    with pytest.raises(IllegalMove):
        game().apply(first, "2:6")


def states(number: int) -> list[State]:
    """Return ``number`` states from random matches; in each state, a seat has set its secret number."""
    found: list[State] = []
    seed = 0
    while len(found) < number:
        found += [after for _, after, _ in random_match(seed) if any(after.secret_numbers)]
        seed += 1
    return found[:number]


def test_set_number_is_hidden_from_other_seats() -> None:
    """In 1,000 states, neither the other seat's view nor a spectator's depends on the number that was set."""
    for state in states(1_000):
        setter = 0 if state.secret_numbers[0] else 1
        open_before = replace(state, secret_numbers=(0, 0), deciding_seats=(0, 1), step=state.step - 1)
        others = [
            replace(state, secret_numbers=(n, 0) if setter == 0 else (0, n))
            for n in game().rules.legal_numbers(state.gold[setter])
        ]
        for seat in (1 - setter, None):
            seen = game().observe(open_before, seat)
            for other in others:
                assert game().observe(other, seat) == seen
                assert repr(game().observe(other, seat)) == repr(seen)
            assert game().table_lines(game().observe(state, seat)) == game().table_lines(seen)
            assert game().moves(game().observe(state, seat), 1 - setter) == game().moves(state, 1 - setter)
        assert game().observe(state, setter).secret_numbers == state.secret_numbers
        assert game().observe(state, setter).seed is None


def test_set_number_event_is_shown_only_to_its_seat() -> None:
    start = game().start(2, 1)
    after, events = game().apply(start, "7")
    assert game().observe_events(after, events, 0) == events
    assert game().observe_events(after, events, 1) == ()
    assert game().observe_events(after, events, None) == ()
    shown, events = game().apply(after, "5")
    observed = game().observe_events(shown, events, None)
    assert observed[0] == ev.NumbersRevealed((7, 5))
    assert min(shown.shown_numbers) >= 0


def test_determinization_matches_its_observation() -> None:
    chance = Random(1)
    for state in states(100):
        for seat in (0, 1):
            view = game().observe(state, seat)
            assert game().observe(game().determinize(view, seat, chance), seat) == view


def test_every_decision_move_and_event_is_described() -> None:
    for seed in range(40):
        for before, after, events in random_match(seed):
            for lang in LANGUAGES:
                for seat in before.deciding_seats:
                    view = game().observe(before, seat)
                    assert game().describe_decision(view, lang)
                    for move in game().moves(view, seat):
                        assert game().move_label(view, move, lang)
                        assert game().describe_outcome(view, move, lang, ["Aiko", "Ben"])
                        assert "{" not in game().describe_outcome(view, move, lang)
                for event in events:
                    assert "{" not in game().describe_event(event, lang)
                assert all(game().table_lines(game().observe(after, None), lang))
                assert after.result is None or dict(after.result.reason_by_language)[lang]


def test_move_preview_matches_result() -> None:
    for before, _, _ in random_match(3):
        if before.decision_kind == "bid":
            assert game().preview(before, game().moves(before)[0]) is None
            continue
        for move in game().moves(before):
            seen = game().preview(before, move)
            assert seen is not None
            assert seen.after.gold == game().apply(before, move)[0].gold


def test_longest_match_stays_below_move_limit() -> None:
    assert max(len(list(random_match(seed))) for seed in range(100)) < LONGEST


@pytest.mark.parametrize(
    ("line", "instead", "says"),
    [
        ("  medals: 13", "  medal: 13", "did you mean 'medals'"),
        ("  medals: 13", "  medals: 1", "medals: expected a whole number from 2 to 20"),
        ("when: undoable", "when: undoble", "did you mean 'undoable'"),
        ("do: flip", "do: flop", "did you mean 'flip'"),
        ("4: [2, 2]", "4: [2, 7]", "4: expected 2 whole numbers from 1 to 6"),
        ("4: [2, 2]", "4: [1, 2]", "4: expected faces that no other number uses"),
        ("4: [2, 2], ", "", "4 is missing"),
        ("{id: mirror,", "{id: reserve,", "'reserve' is already taken"),
        ("{id: mirror, ", "{", "a joker needs 'id'"),
        ("take: [3, 0], back: [0, 3]", "take: [4, 0], back: [0, 3]", "in a swap"),
    ],
)
def test_rule_file_error_names_its_line(line: str, instead: str, says: str) -> None:
    from shibumi3d.catalogue import yaml_parser

    from .bench import FILE

    text = FILE.read_text(encoding="utf-8")
    assert line in text
    wrong = text.replace(line, instead, 1)
    problems: list[Problem] = []
    item = yaml_parser.parse_yaml(wrong.encode(), "own.yaml", problems)
    assert item is not None
    kind.check(item, {"size": 0, "variant": ""}, 2, problems)
    found = [problem for problem in problems if says in str(problem.message)]
    assert found, problems
    number = text[: text.index(line)].count("\n") + 1
    assert abs(found[0].location.line - number) <= 1
    with pytest.raises(GameFileError):
        kind.make("own", "Own", item, (2, 2), {}, {})


def test_rule_file_is_valid() -> None:
    problems: list[Problem] = []
    kind.check(rules(), {"size": 0, "variant": ""}, 2, problems)
    assert problems == []
