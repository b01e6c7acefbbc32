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

    ``positions`` is the number of positions checked. ``wins`` counts those in which the player had more than one choice
    and could win in the current turn. ``won`` counts the ``wins`` in which the player's choice won, or left a win in
    the same turn possible. ``threats`` counts the positions in which the player couldn't win in the current turn, and
    some choices, but not all, let the opponent win by the end of the next turn. ``blocked`` counts the ``threats`` in
    which the player avoided those choices. ``left_out`` is the number of positions that weren't checked, because there
    were too many ways to continue or because a rule failed. ``example`` describes the first mistake; it is empty if
    there was none.
    """

    positions: int = 0
    wins: int = 0
    won: int = 0
    threats: int = 0
    blocked: int = 0
    left_out: int = 0
    example: str = ""


class TurnSearch:
    """A search through all ways to complete a turn, which tries at most ``room`` choices in all.

    ``fast`` is a fast game in which the position is loaded. The methods make choices in it and undo them again. If they
    would need more than ``room`` choices, they raise TooManyWays, and the choices made so far are not undone.
    """

    def __init__(self, fast: Any, room: int = ROOM) -> None:
        self.fast, self.left = fast, room

    def winning_choices(self, seat: int) -> set[int]:
        """Return the choices with which ``seat`` wins, or after which it can still win in the same turn.

        A win that is shared doesn't count. Raises TooManyWays if the search exceeds its limit.
        """
        turn, found = self.fast.machine.turn, set()
        for code in self.fast.choices():
            self.make(code)
            if self.can_win(seat, turn):
                found.add(code)
            self.fast.unmake()
        return found

    def can_win(self, seat: int, turn: int) -> bool:
        """Return whether ``seat`` has won, or can still win in the turn with the number ``turn``.

        A win that is shared doesn't count. Raises TooManyWays if the search exceeds its limit.
        """
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
        """Return the choices after which ``seat`` can still keep its opponent from winning in the next turn.

        After each of them, the turn can be completed so that the opponent neither has won nor can win in the next turn.
        Raises TooManyWays if the search exceeds its limit.
        """
        turn, found = self.fast.machine.turn, set()
        for code in self.fast.choices():
            self.make(code)
            if self.can_hold(seat, turn):
                found.add(code)
            self.fast.unmake()
        return found

    def can_hold(self, seat: int, turn: int) -> bool:
        """Return whether ``seat`` can end turn ``turn`` without letting the opponent win in the next turn.

        If the match is over, return whether the opponent hasn't won; a win that both share doesn't count as a win of
        the opponent. If ``seat`` also has the next turn, return True, since the opponent has no turn in which to win.
        Raises TooManyWays if the search exceeds its limit.
        """
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
        """Make the choice ``code``, and count it towards the maximum number of choices.

        Raise TooManyWays, without making the choice, if the maximum has already been reached.
        """
        self.left -= 1
        if self.left < 0:
            raise TooManyWays
        self.fast.make(code)


def random_match(game: Any, fast: Any, chance: Random) -> list[Any]:
    """Play a random match and return, in order, its states in which a seat is to move.

    The match is stopped after :data:`LONGEST` states. ``fast`` is a fast game made from ``game``. It chooses the moves,
    and each move is also made in it, so the position that was loaded in it is lost.
    """
    state, states = game.start(2, chance.getrandbits(30)), []
    fast.load(state)
    while state.to_move is not None and len(states) < LONGEST:
        states.append(state)
        code = fast.random_move()
        fast.make(code)
        state, _ = game.apply(state, game.decode_move(state, code))
    return states


def check_choice(game: Any, fast: Any, state: Any, one: Player, found: PositionCounts) -> None:
    """Check whether player ``one`` wins at once or stops a threat, and count the result in ``found``.

    The position ``state`` counts as a possible win if a choice can win in this turn. Otherwise, it counts as a threat
    if some choices, but not all, let the opponent win in the next turn. In all other positions, and if there is only
    one choice, the player isn't asked. Positions that take too long to search, or in which a rule fails, are counted as
    left out. The first mistake becomes ``found.example``. ``fast`` is a fast game made from ``game``.
    """
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
