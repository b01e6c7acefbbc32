"""Immediate wins and blocked threats, in every two-player game without hidden information.

``python -m tests.search.near`` checks 1,000 positions from random matches for each game, the tests fewer. Wins and
blocks are found by trying every way to complete the turn, and every reply.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from random import Random
from time import process_time
from typing import Any

from shibumi3d.catalogue.catalogue import load_catalogue
from shibumi3d.rules.errors import RuleFailure
from shibumi3d.search.players import Budget, Player, player

LAST = 6
"""Of each match the last so many choices are looked at, and as many of the others, drawn by lot."""
ROOM = 4_000
"""Choices tried at most to find out all about a position; where that is too few, the position is left out."""
LONGEST = 600


class TooMuch(Exception):
    """There are too many ways."""


@dataclass(slots=True)
class Found:
    """How many positions were looked at, in how many of them a turn wins and was found, in how many some choices let
    the other win with the next turn and another choice was made, and how many were left out."""

    positions: int = 0
    wins: int = 0
    won: int = 0
    threats: int = 0
    blocked: int = 0
    left_out: int = 0
    example: str = ""


class Ways:
    """All ways to complete a turn, tried on the fast form of a game."""

    def __init__(self, fast: Any, room: int = ROOM) -> None:
        self.fast, self.left = fast, room

    def winning(self, seat: int) -> set[int]:
        """The choices open now with which, or after which in the same turn, a seat may win."""
        turn, found = self.fast.machine.turn, set()
        for code in self.fast.choices():
            self.make(code)
            if self.wins(seat, turn):
                found.add(code)
            self.fast.unmake()
        return found

    def wins(self, seat: int, turn: int) -> bool:
        """Whether the seat has won, or may win before another turn begins."""
        result = self.fast.result()
        if result is not None:
            return bool(result.winners == 1 << seat)
        if self.fast.machine.turn != turn or self.fast.seat != seat:
            return False
        for code in self.fast.choices():
            self.make(code)
            won = self.wins(seat, turn)
            self.fast.unmake()
            if won:
                return True
        return False

    def safe(self, seat: int) -> set[int]:
        """The choices open now after which the turn can be completed so that the other can't win with the next."""
        turn, found = self.fast.machine.turn, set()
        for code in self.fast.choices():
            self.make(code)
            if self.holds(seat, turn):
                found.add(code)
            self.fast.unmake()
        return found

    def holds(self, seat: int, turn: int) -> bool:
        """Whether the turn can be completed, or is, so that the other has not won and can't with the next."""
        result = self.fast.result()
        if result is not None:
            return bool(result.winners != 1 << 1 - seat)
        if self.fast.machine.turn != turn:
            if self.fast.seat == seat:
                return True  # the other has no turn
            return not self.wins(1 - seat, self.fast.machine.turn)
        for code in self.fast.choices():
            self.make(code)
            good = self.holds(seat, turn)
            self.fast.unmake()
            if good:
                return True
        return False

    def make(self, code: int) -> None:
        """Make a choice, as long as there is room."""
        self.left -= 1
        if self.left < 0:
            raise TooMuch
        self.fast.make(code)


def random_match(game: Any, fast: Any, chance: Random) -> list[Any]:
    """The moments of a match played at random."""
    state, met = game.start(2, chance.getrandbits(30)), []
    fast.load(state)
    while state.to_move is not None and len(met) < LONGEST:
        met.append(state)
        code = fast.sample()
        fast.make(code)
        state, _ = game.apply(state, game.decode_move(state, code))
    return met


def look(game: Any, fast: Any, state: Any, one: Player, found: Found) -> None:
    """Compare a choice with all ways."""
    seat = state.to_move
    assert seat is not None
    fast.load(state)
    ways = Ways(fast)
    try:
        codes = fast.choices()
        winning = ways.winning(seat)
        safe = set(codes) if winning else ways.safe(seat)
    except (TooMuch, RuleFailure):
        found.left_out += 1
        return
    found.positions += 1
    wanted = winning or safe
    if len(codes) == 1 or not wanted or (not winning and len(safe) == len(codes)):
        return
    fast.load(state)
    texts = {game.decode_move(state, code).text for code in wanted}
    move = one.choose(game, game.observe(state, seat), Budget(iterations=8)).move
    if winning:
        found.wins += 1
        found.won += move in texts
    else:
        found.threats += 1
        found.blocked += move in texts
    if move not in texts and not found.example:
        found.example = f"{move}, not {' or '.join(sorted(texts)[:4])}, in\n" + "\n".join(
            game.table_lines(state)
        )


def searched(game: Any, number: int, strength: str = "mountain", seed: int = 1) -> Found:
    """Look at so many positions of a game."""
    fast, chance, found = game.make_fast_game(2, seed), Random(seed), Found()
    one = player(strength, seed)
    while found.positions + found.left_out < number:
        met = random_match(game, fast, chance)
        first = max(0, len(met) - LAST)
        for place in [*chance.sample(range(first), min(first, LAST)), *range(first, len(met))]:
            if found.positions + found.left_out < number:
                look(game, fast, met[place], one, found)
    return found


def for_two() -> list[str]:
    """The games in which two see all and chance has no part."""
    found = []
    for entry in load_catalogue():
        game = entry.game()
        if entry.kind == "marbles" and entry.players[0] <= 2 <= entry.players[-1]:
            state = game.start(2)
            if game.make_search(game.observe(state, 0), 0).can_prove:
                found.append(entry.id)
    return found


def main() -> None:
    """Look, and print a line a game."""
    parser = argparse.ArgumentParser(prog="python -m tests.search.near", description=__doc__)
    parser.add_argument("game", nargs="*", help="games (default: all for two)")
    parser.add_argument("--positions", type=int, default=1000, metavar="N", help="of each (default 1000)")
    parser.add_argument("--strength", default="mountain", help="who chooses (default mountain)")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    wrong = 0
    for name in args.game or for_two():
        begun = process_time()
        one = searched(load_catalogue().get(name).game(), args.positions, args.saturation, args.seed)
        print(
            f"{name:<20}{one.positions:5} positions, wins found {one.won:4} of {one.wins:4}, losses blocked "
            f"{one.blocked:4} of {one.threats:4}, left out {one.left_out:4}  {process_time() - begun:6.1f} s",
            flush=True,
        )
        if one.example:
            wrong += 1
            print(one.example, flush=True)
    raise SystemExit(bool(wrong))


if __name__ == "__main__":
    main()
