"""Check that players take immediate wins and stop threats in two-player games without hidden information.

``python -m tests.search.near`` checks 1,000 positions from random matches of each game. Wins and defences are
determined by trying every way to complete the turn, and every reply.
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
"""How many of the last choices in a match are checked, and how many random ones before them."""
ROOM = 4_000
"""Maximum number of choices tried per position; positions that need more are left out."""
LONGEST = 600


class TooManyWays(Exception):
    """Raised if the search of a position would exceed the maximum number of choices."""


@dataclass(slots=True)
class PositionCounts:
    """Counts of positions that were checked or left out, and an example of a mistake.

    ``positions`` were checked. In ``wins`` of them, the player had more than one choice and could win immediately; in
    ``won`` of these it did. In ``threats``, it had to stop a threat, and in ``blocked`` of these it did. ``left_out``
    weren't checked, because there were too many ways to continue or because a rule failed.

    A threat is a position in which some choices, but not all, let the opponent win with the next turn.
    """

    positions: int = 0
    wins: int = 0
    won: int = 0
    threats: int = 0
    blocked: int = 0
    left_out: int = 0
    example: str = ""


class TurnSearch:
    """Search through all ways to complete a turn of a fast game, up to a limit."""

    def __init__(self, fast: Any, room: int = ROOM) -> None:
        self.fast, self.left = fast, room

    def winning_choices(self, seat: int) -> set[int]:
        """Return the choices that win, or after which ``seat`` can win in the same turn."""
        turn, found = self.fast.machine.turn, set()
        for code in self.fast.choices():
            self.make(code)
            if self.can_win(seat, turn):
                found.add(code)
            self.fast.unmake()
        return found

    def can_win(self, seat: int, turn: int) -> bool:
        """Return whether ``seat`` has won or can still win in turn ``turn``."""
        result = self.fast.result()
        if result is not None:
            return bool(result.winners == 1 << seat)
        if self.fast.machine.turn != turn or self.fast.seat_to_move != seat:
            return False
        for code in self.fast.choices():
            self.make(code)
            won = self.can_win(seat, turn)
            self.fast.unmake()
            if won:
                return True
        return False

    def safe_choices(self, seat: int) -> set[int]:
        """Return the choices after which the turn can be completed so that the opponent can't win in the next turn."""
        turn, found = self.fast.machine.turn, set()
        for code in self.fast.choices():
            self.make(code)
            if self.can_hold(seat, turn):
                found.add(code)
            self.fast.unmake()
        return found

    def can_hold(self, seat: int, turn: int) -> bool:
        """Return whether ``seat`` can end turn ``turn`` so that the opponent hasn't won and can't win next turn."""
        result = self.fast.result()
        if result is not None:
            return bool(result.winners != 1 << 1 - seat)
        if self.fast.machine.turn != turn:
            if self.fast.seat_to_move == seat:
                return True  # the opponent has no turn
            return not self.can_win(1 - seat, self.fast.machine.turn)
        for code in self.fast.choices():
            self.make(code)
            good = self.can_hold(seat, turn)
            self.fast.unmake()
            if good:
                return True
        return False

    def make(self, code: int) -> None:
        """Make a choice; raise TooManyWays if this would exceed the limit."""
        self.left -= 1
        if self.left < 0:
            raise TooManyWays
        self.fast.make(code)


def random_match(game: Any, fast: Any, chance: Random) -> list[Any]:
    """Return the states of a random match before its end, but no more than the first :data:`LONGEST`."""
    state, states = game.start(2, chance.getrandbits(30)), []
    fast.load(state)
    while state.to_move is not None and len(states) < LONGEST:
        states.append(state)
        code = fast.random_move()
        fast.make(code)
        state, _ = game.apply(state, game.decode_move(state, code))
    return states


def check_choice(game: Any, fast: Any, state: Any, one: Player, found: PositionCounts) -> None:
    """Check the choice of player ``one`` against those that win or stop a threat, and count the result in ``found``."""
    seat = state.to_move
    assert seat is not None
    fast.load(state)
    ways = TurnSearch(fast)
    try:
        codes = fast.choices()
        winning = ways.winning_choices(seat)
        safe = set(codes) if winning else ways.safe_choices(seat)
    except (TooManyWays, RuleFailure):
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


def check_positions(game: Any, number: int, strength: str = "mountain", seed: int = 1) -> PositionCounts:
    fast, chance, found = game.make_fast_game(2, seed), Random(seed), PositionCounts()
    one = player(strength, seed)
    while found.positions + found.left_out < number:
        states = random_match(game, fast, chance)
        first = max(0, len(states) - LAST)
        for place in [*chance.sample(range(first), min(first, LAST)), *range(first, len(states))]:
            if found.positions + found.left_out < number:
                check_choice(game, fast, states[place], one, found)
    return found


def provable_games() -> list[str]:
    """Return the ids of the marble games for two in which wins and losses can be proved."""
    found = []
    for entry in load_catalogue():
        game = entry.game()
        if entry.kind == "marbles" and entry.players[0] <= 2 <= entry.players[-1]:
            state = game.start(2)
            if game.make_search(game.observe(state, 0), 0).can_prove:
                found.append(entry.id)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.search.near", description=__doc__)
    parser.add_argument("game", nargs="*", help="games (default: all for two)")
    parser.add_argument("--positions", type=int, default=1000, metavar="N", help="of each (default 1000)")
    parser.add_argument("--strength", default="mountain", help="who chooses (default mountain)")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    wrong = 0
    for name in args.game or provable_games():
        started_at = process_time()
        one = check_positions(load_catalogue().get(name).game(), args.positions, args.strength, args.seed)
        print(
            f"{name:<20}{one.positions:5} positions, wins found {one.won:4} of {one.wins:4}, losses blocked "
            f"{one.blocked:4} of {one.threats:4}, left out {one.left_out:4}  {process_time() - started_at:6.1f} s",
            flush=True,
        )
        if one.example:
            wrong += 1
            print(one.example, flush=True)
    raise SystemExit(bool(wrong))


if __name__ == "__main__":
    main()
