"""Reasons for moves in games with chance or secrets, each checked against all outcomes by the rules alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations, product
from random import Random
from typing import Any

import pytest

import shibumi3d
from shibumi3d.i18n import Message
from shibumi3d.rules.arcanoid.cards import CARD_COUNT, CHARIOT
from shibumi3d.rules.arcanoid.moves import engagement_kind, field_winner
from shibumi3d.rules.arcanoid.state import OPEN
from shibumi3d.rules.golden_spiral.events import DefaultDeclared
from shibumi3d.rules.hyena_spiral import events as event
from shibumi3d.search import arcanoid, golden_spiral, hyena_spiral
from shibumi3d.search.explanations import explain_move
from tests.share import THOROUGH

HELPS: dict[str, Any] = {
    "hyena-spiral": hyena_spiral,
    "golden-spiral": golden_spiral,
    "arcanoid": arcanoid,
}
EVENTS = {"turns": event.BecameHyena, "home": event.CameHome, "eats": event.Eaten}


def random_choices(name: str, matches: int, most: int = 200) -> Iterator[tuple[Any, Any, Any]]:
    """Yield tuples (game, state, move) from some matches, with up to six legal moves for each state.

    ``matches`` is the number of matches, and ``most`` the maximum number of moves played in each. In each state, one of
    the seats that may act is drawn at random. The yielded moves are drawn from its legal moves, and their field
    ``seat`` is set to it. The heuristics for playouts choose the move that is played.
    """
    game = shibumi3d.game(name)
    chance = Random(name)
    for seed in range(matches):
        state: Any = game.start(seats=chance.choice((2, 3)) if name != "golden-spiral" else 2, seed=seed)
        for _ in range(most):
            if state.result is not None:
                break
            seat = chance.choice(state.decision.seats)
            view = game.observe(state, seat)
            open_now = game.moves(view, seat)
            for move in chance.sample(open_now, min(len(open_now), 6)):
                yield game, state, replace(move, seat=seat)
            whole = game.determinize(view, seat, chance)
            likely = HELPS[name].playout_move(game, whole, seat, open_now, chance)
            state, _ = game.apply(state, replace(likely, seat=seat))


def count_throws(game: Any, state: Any, seat: int, event: type, whom: int = -1, also: str = "") -> int:
    """Return for how many of the eight possible throws a turn of ``seat`` can cause a certain event.

    In Hyena Spiral, three two-sided chips are thrown, so each of the eight throws is equally likely. ``event`` is the
    class of the event. ``whom`` is the seat that the event must name in its field ``seat``, such as the owner of an
    eaten villager, or -1 for any. ``also`` is a kind of move that can start the turn in place of a throw, or "" for
    none; if such a move is legal and can cause the event, all eight throws are counted.
    """
    found = 0
    for faces in product((0, 1), repeat=3):
        forced = replace(
            state, mover=seat, is_choosing=False, last_throw=(), preset_throws=(sum(faces),), seed=1
        )
        found += any(
            isinstance(each, event) and whom in (-1, each.seat)  # type: ignore[attr-defined]
            for events in possible_events(game, forced, also)
            for each in events
        )
    return found


def possible_events(game: Any, state: Any, also: str) -> Iterator[list[Any]]:
    """Yield the events of each way to play a turn that starts with a throw or a move of the kind ``also``."""
    for move in game.moves(state):
        if move.kind not in ("throw", also):
            continue
        after, events = game.apply(state, move)
        if not after.is_choosing:
            yield list(events)
            continue
        for then in game.moves(after):
            yield [*events, *game.apply(after, then)[1]]


def at_the_spiral(game: Any, state: Any, move: Any, why: Message) -> bool:
    seat, what, values = state.to_move, why.context.removeprefix("why.spiral."), why.values
    if what.endswith("-by"):
        assert values["of"] == 8
        return move.kind == "throw" and values["n"] == count_throws(
            game, state, seat, EVENTS[what.removesuffix("-by")]
        )
    after, events = game.apply(state, move)
    if what == "turns":
        return after.walkers[seat].is_hyena and not state.walkers[seat].is_hyena
    if what == "eats":
        return bool(values["n"] == sum(isinstance(each, event.Eaten) for each in events))
    assert after.round == state.round
    if what == "near":
        return bool(
            values["n"]
            == count_throws(game, after, seat, event.Eaten, also="buy")
            > count_throws(game, state, seat, event.Eaten, also="buy")
        )
    if what == "safe":
        here, there = (
            count_throws(game, each, state.hyena_seat, event.Eaten, seat, also="buy")
            for each in (state, after)
        )
        return here > 0 == there
    assert what == "fees"
    due = sum(game.rules.villager_fees[after.walkers[seat].fees_paid :])
    return state.walkers[seat].tabas < due <= after.walkers[seat].tabas


def of_medals(game: Any, state: Any, move: Any, why: Message) -> bool:
    seat, what, values = move.seat, why.context.removeprefix("why.medals."), why.values
    whole = replace(state, secret_numbers=(0, 0), deciding_seats=(0, 1))
    answers = [int(each.number) for each in game.moves(whole, 1 - seat)]
    if what in ("higher", "highest"):
        lower = sum(answer < move.number for answer in answers)
        return (lower, len(answers)) == (values.get("n", lower), values.get("of", lower))
    assert what == "pays"

    def defaults(number: int) -> bool:
        for answer in answers:
            here = whole
            for who, each in ((seat, number), (1 - seat, answer)):
                here, events = game.apply(here, next(m for m in game.moves(here, who) if m.number == each))
            lost = [each for each in events if isinstance(each, DefaultDeclared)]
            if any(each.seat == seat and each.rule in ("too high", "difference") for each in lost):
                return True
        return False

    return defaults(move.number - 1) and not defaults(move.number)


def of_cards(game: Any, state: Any, move: Any, why: Message) -> bool:
    who, what = state.tasks[-1][1], why.context.removeprefix("why.cards.")
    others = [each for each in range(state.participants) if each != who]
    if what == "useless":
        card = move.cards.bit_length() - 1
        sets = [
            1 << card | sum(1 << each for each in more)
            for count in (0, 1, 2)
            for more in combinations(set(range(CARD_COUNT)) - {card, CHARIOT}, count)
        ]
        return not any(
            engagement_kind(each, suit, state.rules) for suit in state.open_fields(who) for each in sets
        )
    suit = int(why.values["on"].context[-1])  # type: ignore[attr-defined]
    assert suit in move.suits
    after, _ = game.apply(state, move)
    if what == "last":
        assert all(state.field_status(each, suit).kind != OPEN for each in others)
    if len(after.won_fields) > len(state.won_fields):  # the round is over
        return bool(after.won_fields[len(state.won_fields) + suit].winner == who)
    return bool(field_winner(after, suit)[0] == who)


HOLDS = {"hyena-spiral": at_the_spiral, "golden-spiral": of_medals, "arcanoid": of_cards}


def check_reasons(name: str, matches: int) -> Counter[str]:
    found: Counter[str] = Counter()
    for game, state, move in random_choices(name, matches):
        given = state if move.seat == state.to_move else game.observe(state, move.seat)
        for why in explain_move(game, given, move, max_reasons=9):
            if why.context in ("why.wins", "why.scores"):
                after, _ = game.apply(state, move)
                gained = after.scores[move.seat] - state.scores[move.seat]
                right = (
                    after.result.winners == (move.seat,)
                    if why.context == "why.wins"
                    else gained == why.values["n"]
                )
            else:
                right = HOLDS[name](game, state, move, why)
            assert right, (name, state, move, str(why))
            assert why.localize("fr") != why.localize("en")
            found[why.context] += 1
    return found


EXPECTED = {
    "hyena-spiral": {"turns", "turns-by", "home-by", "eats-by", "near", "safe", "fees"},
    "golden-spiral": {"higher", "highest", "pays"},
    "arcanoid": {"strongest", "last", "useless"},
}


@pytest.mark.parametrize(("name", "matches"), [("hyena-spiral", 12), ("golden-spiral", 20), ("arcanoid", 2)])
def test_table_move_reasons_are_true(name: str, matches: int) -> None:
    found = check_reasons(name, matches)
    assert {key.rpartition(".")[2] for key in found} >= EXPECTED[name], found


@THOROUGH
@pytest.mark.parametrize(
    ("name", "matches"), [("hyena-spiral", 120), ("golden-spiral", 300), ("arcanoid", 40)]
)
def test_table_move_reasons_are_true_in_many_matches(name: str, matches: int) -> None:
    assert check_reasons(name, matches).total() > 1_000
