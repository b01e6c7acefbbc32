"""Reasons for moves, each checked against all possible play by the rules alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

import shibumi3d
from shibumi3d import native
from shibumi3d.i18n import Message
from shibumi3d.rules.errors import IllegalMove
from shibumi3d.search.explanations import explain_move
from tests.marble_games import slow_in_plain_python
from tests.rules.inline import inline
from tests.search.test_review import ONLY
from tests.share import THOROUGH

GAMES = ("spline", "splice", "spargo", "spree", "span", "sponnect", "spaiji", "speq", "spout", "spava")


class TooLong(Exception):
    """Raised if checking a reason would take too long.

    A check takes too long if it would try more moves than the limit allows, or if the reason promises a win in more
    than two turns.
    """


class ExhaustivePlay:
    """Exhaustive search that uses only the rules: the ``apply`` and ``moves`` methods of the game."""

    def __init__(self, game: Any, nodes: int) -> None:
        """Create a search that tries at most ``nodes`` moves in all its calls together.

        A call that would exceed this limit raises TooLong.
        """
        self.game, self.left = game, nodes

    def turns(self, state: Any) -> Iterator[tuple[Any, Any]]:
        """Yield each state in which the turn can end, with the last move of the turn.

        A state in which the match is over is yielded once for each last move that leads to it, and any other state only
        once. Raises TooLong if more moves have been tried, in all calls together, than the limit given to the
        constructor.
        """
        seen = set()

        def further(here: Any) -> Iterator[tuple[Any, Any]]:
            for move in self.game.moves(here):
                self.left -= 1
                if self.left < 0:
                    raise TooLong
                after, _ = self.game.apply(here, move)
                if (after, move if after.result else None) in seen:
                    continue
                seen.add((after, move if after.result else None))
                if after.result is not None or after.to_move != state.to_move:
                    yield after, move
                else:
                    yield from further(after)

        yield from further(state)

    def has_won(self, state: Any, seat: int) -> bool:
        return bool(state.result is not None and state.result.winners == (seat,))

    def winning_places(self, state: Any, seat: int) -> set[str]:
        """Return the places at which ``seat`` can win in this turn, or an empty set if ``seat`` isn't to move."""
        if state.result is not None or state.to_move != seat:
            return set()
        return {
            move.text.split("@")[-1].lstrip("^x>")
            for after, move in self.turns(state)
            if self.has_won(after, seat)
        }

    def can_force(self, state: Any, seat: int, turns: int) -> bool:
        """Return whether ``seat`` can force a win within its next ``turns`` turns."""
        if state.result is not None:
            return self.has_won(state, seat)
        if state.to_move == seat:
            return turns > 0 and any(self.can_force(after, seat, turns - 1) for after, _ in self.turns(state))
        return all(self.can_force(after, seat, turns) for after, _ in self.turns(state))

    def value(self, state: Any, seat: int) -> int:
        """Return the value of a state for ``seat`` with best play: 1 for a win, 0 for a draw, -1 for a loss."""
        if state.result is not None:
            return 1 if self.has_won(state, seat) else 0 if not state.result.winners else -1
        found = [self.value(after, seat) for after, _ in self.turns(state)]
        return max(found) if state.to_move == seat else min(found)


def is_common(places: list[set[str]], name: str) -> bool:
    return 2 * sum(name in each for each in places) >= len(places)


def is_true(game: Any, state: Any, move: Any, why: Message, nodes: int) -> bool:
    """Return whether ``why`` is a true reason for ``move``, checked with nothing but the rules.

    Raises TooLong if the check would try more than ``nodes`` moves, or if the reason is a win in more than two turns.
    """
    rules, seat = ExhaustivePlay(game, nodes), state.to_move
    after, events = game.apply(state, move)
    key: str = why.context
    values: Any = why.values
    if key == "why.wins":
        return rules.has_won(after, seat)
    if key == "why.wins-in":
        if values["n"] > 2:
            raise TooLong
        ends = after.result is not None or after.to_move != seat
        return rules.can_force(after, seat, values["n"] - ends)
    if key == "why.no-answer":
        return rules.value(after, seat) == 1
    if key == "why.only":
        others = [game.apply(state, other)[0] for other in game.moves(state) if other != move]
        return rules.value(after, seat) >= 0 and all(rules.value(other, seat) < 0 for other in others)
    if key.startswith("why.stops"):
        who = after.to_move
        places = [rules.winning_places(other, who) for other, _ in rules.turns(state) if other != after]
        said = {values[name] for name in ("place", "other") if name in values}
        count = [name for name in set().union(*places) if is_common(places, name)]
        return (
            not rules.winning_places(after, who)
            and set(count) >= said
            and len(count) == values.get("n", len(count))
        )
    if key.startswith("why.threatens"):
        places = [rules.winning_places(other, seat) for other, _ in rules.turns(after)]
        said = {values[name] for name in ("place", "other") if name in values}
        count = [name for name in set().union(*places) if is_common(places, name)]
        return (
            not rules.winning_places(after, after.to_move)
            and set(count) >= said
            and len(count) >= values.get("n", 0)
        )
    if key == "why.takes":
        before = sum(state.filled(board).bit_count() for board in range(len(state.boards)))
        now = sum(after.filled(board).bit_count() for board in range(len(after.boards)))
        return bool(before + ("@" in move.text) - now == values["n"])
    if key == "why.scores":
        return bool(after.scores[seat] - state.scores[seat] == values["n"])
    if key == "why.falls":
        return bool(len([e for e in events if type(e).__name__ in ("Dropped", "SideDropped")]) == values["n"])
    if key == "why.opens":
        here, there = ({m.text.split("@")[-1] for m in game.moves(each)} for each in (state, after))
        return values["place"] in there - here
    assert key == "why.fewest"
    others = [other for other, _ in rules.turns(state) if other != after and other.result is None]
    return len(game.moves(after)) == values["n"] and all(
        len(game.moves(each)) > values["n"] for each in others
    )


def random_choices(game: Any, number: int) -> Iterator[tuple[Any, Any]]:
    """Yield ``number`` states from random matches, each with a random legal move."""
    chance = Random(f"{game.id}/why")
    for seed in range(number):
        state = game.start(seed=seed)
        for _ in range(chance.randrange(30)):
            after, _ = game.apply(state, chance.choice(game.moves(state)))
            if after.to_move is None:
                break
            state = after
        yield state, chance.choice(game.moves(state))


def check_reasons(name: str, number: int, nodes: int = 5_000) -> Counter[str]:
    """Check the reasons for a random move in each of ``number`` states, and count them by kind.

    Raise AssertionError if a reason is false. Reasons that would take too long to check are counted under "open"
    instead: those for which more than ``nodes`` moves would have to be tried, and those that promise a win in more than
    two turns.
    """
    game = shibumi3d.game(name)
    found: Counter[str] = Counter()
    for state, move in random_choices(game, number):
        for why in explain_move(game, state, move, max_reasons=9, max_moves=2_500):
            try:
                assert is_true(game, state, move, why, nodes), (name, state.boards, move, str(why))
                found[why.context] += 1
            except TooLong:
                found["open"] += 1
    return found


@pytest.mark.parametrize("name", GAMES[:3])
def test_move_reasons_are_true(name: str) -> None:
    found = check_reasons(name, 8, nodes=1_500)
    assert found.total() > found["open"]


@THOROUGH
@slow_in_plain_python
@pytest.mark.parametrize("name", GAMES)
def test_move_reasons_are_true_in_many_positions(name: str) -> None:
    number = 100 if native.status.is_native else 25
    found = check_reasons(name, number, nodes=2_500)
    assert found.total() - found["open"] > number // 50


SPLINE = "W...,W...,W..B,...B/...,...,.../..,../."
"""White has an open line of three in the first file."""


def reason_texts(
    board: str, text: str, to_move: int, max_moves: int = 3_000, **more: Any
) -> list[tuple[str, str]]:
    game: Any = shibumi3d.game("spline")
    state = game.position(board, to_move=to_move)
    return [(why.context, str(why)) for why in explain_move(game, state, text, max_moves=max_moves, **more)]


def test_reason_names_the_stopped_line() -> None:
    assert reason_texts(SPLINE, "B@Aa1", 1)[0] == (
        "why.stops.line",
        "stops the opponent from winning at Aa1 with the line Aa1–Aa4",
    )
    assert "stops Ann from winning at" in reason_texts(SPLINE, "B@Aa1", 1, names=("Ann", "Ben"))[0][1]
    assert all("stops" not in words for _, words in reason_texts(SPLINE, "B@Ab4", 1))


def test_winning_move_has_no_other_reason() -> None:
    assert reason_texts(SPLINE, "W@Aa1", 0) == [("why.wins", "wins")]


def test_limited_work_gives_fewer_reasons() -> None:
    assert reason_texts(SPLINE, "B@Aa1", 1, max_moves=3) == []


def test_most_important_reasons_come_first() -> None:
    board = "W...,W...,W...,.BB./...,...,.../..,../."
    assert [key for key, _ in reason_texts(board, "B@Aa1", 1)] == ["why.stops.line", "why.threatens.line"]
    assert [key for key, _ in reason_texts(board, "B@Aa1", 1, max_reasons=1)] == ["why.stops.line"]


def test_illegal_move_cannot_be_explained() -> None:
    game = shibumi3d.game("spline")
    with pytest.raises(IllegalMove):
        explain_move(game, game.start(), "W@Da1")


def test_moves_are_decoded_in_states_in_which_they_are_legal(monkeypatch: pytest.MonkeyPatch) -> None:
    game: Any = shibumi3d.game("spline")
    decoded = []
    decode_move = type(game).decode_move

    def watch(self: Any, state: Any, code: int) -> Any:
        move = decode_move(self, state, code)
        decoded.append((state, move))
        return move

    monkeypatch.setattr(type(game), "decode_move", watch)
    explain_move(game, game.start(), "W@Aa1", max_reasons=20)
    assert {state.to_move for state, _ in decoded} == {0, 1}
    assert all(move in game.moves(state) for state, move in decoded)


@pytest.mark.parametrize("name", ["spy", "spoker", "spalone", "arcanoid", "splink"])
def test_secret_and_chance_games_give_only_certain_reasons(name: str) -> None:
    game = shibumi3d.game(name)
    state = game.start(seed=3)
    for move in game.moves(state, state.to_move)[:3]:
        found = {why.context for why in explain_move(game, state, move, max_reasons=9)}
        assert found <= {"why.takes", "why.scores", "why.falls"}


def test_only_saving_move_is_explained() -> None:
    game = inline(ONLY)
    for text, only in (("W@Aa1", True), ("W@Aa2", False)):
        found = [why.context for why in explain_move(game, game.start(2), text, max_moves=3_000)]
        assert ("why.only" in found) is only, found
