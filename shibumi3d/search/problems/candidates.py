"""Positions to be looked at for problems: of matches played by lot and between computers of unequal strength."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from shibumi3d.rules.errors import RuleFailure
from shibumi3d.rules.game import Game
from shibumi3d.rules.identity import identity
from shibumi3d.search.players import Budget, Player, player

Turn = tuple[str, ...]
MOST_TURNS = 300
"""Turns open at most: with more nobody looks at all of them."""
BACK = (1, 24)
"""From how many turns before the end of a match on it is looked at, and up to how many."""
PLAYED = 60
"""How many tries computers have for a choice in the matches that are looked at."""


@dataclass(frozen=True, slots=True)
class Demands:
    """What a problem must have: so many different turns open, so many wrong ones that do not lose at once, and a
    solution of at most so many turns of both."""

    choices: int = 6
    alive: int = 2
    longest: int = 9


USUAL = Demands()
MODEST = Demands(4, 0, 19)
"""For games of which the usual demands find next to nothing: their last turns leave few choices, and wins are long."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A position to be looked at: the beginning of a turn of ``seat`` in a match, after the ``moves`` before it."""

    game: Game
    state: Any
    moves: tuple[Turn, ...]
    before: Any = None
    """The state at which the turn before began; None at the start."""
    seed: int = 0
    real: bool = False
    """Whether computers played, and not the lot."""
    demands: Demands = USUAL

    @property
    def seat(self) -> int:
        """Who has to find something."""
        seat: int = self.state.to_move
        return seat


def after(game: Game, state: Any, turn: Turn) -> Any:
    """Return the state after a turn."""
    for move in turn:
        state, _ = game.apply(state, move)
    return state


def turns_at(game: Game, state: Any, most: int = MOST_TURNS) -> list[tuple[Turn, Any]]:
    """Return every turn that can be played at a state, each position once, with the state after it.

    Returns nothing where there are more than ``most``.
    """
    begun, seat = state.turn, state.to_move
    found: list[tuple[Turn, Any]] = []
    met: set[Any] = set()
    ways: list[tuple[Turn, Any]] = [((), state)]
    while ways:
        turn, here = ways.pop()
        if turn and (here.result is not None or here.turn != begun or here.to_move != seat):
            found.append((turn, here))
            if len(found) > most:
                return []
            continue
        for move in reversed(game.moves(here)):
            there, _ = game.apply(here, move)
            if identity(there) not in met:
                met.add(identity(there))
                ways.append(((*turn, move.text), there))
        if len(ways) > 10 * most:
            return []
    return found


def matches(
    game: Game, seed: int, seats: int | None = None
) -> Iterator[tuple[list[Any], list[Turn], int, bool]]:
    """Yield matches without end, each with the states at which turns began and ended, its turns, its seed, and whether
    computers played it: of each three one, between unequal strengths; the others are played by lot. One that is broken
    off, as it is long or its rules fail, has neither states nor turns."""
    number = seed
    while True:
        chance = Random(f"problems {number}")
        real = number % 3 == 1
        players = [player("random", number), player("random", number)]
        if real:
            players = [player("pebble", number), player("stone", number)]
            chance.shuffle(players)
        try:
            states, turns = played(game, players, chance, number if game.facts(seats).chance else 0, seats)
        except RuleFailure:
            states, turns = [], []
        if not states or states[-1].result is None:
            yield [], [], number, real  # broken off, so that whoever waits may look at the clock
        else:
            yield states, turns, number if game.facts(seats).chance else 0, real
        number += 1


def played(
    game: Game, players: Sequence[Player], chance: Random, seed: int, seats: int | None = None
) -> tuple[list[Any], list[Turn]]:
    """Return the states at which turns of a match began and ended, and its turns. A long one is left unfinished."""
    state = game.start(seats, seed)
    states: list[Any] = [state]
    turns: list[Turn] = []
    turn: Turn = ()
    while state.result is None and len(turns) < 120:
        seat = state.to_move
        moves = game.moves(state)
        if players[0].level is None or len(turns) < 2:
            text = chance.choice(moves).text
        else:
            budget = Budget(iterations=PLAYED)
            view = game.view(state, seat)
            text = players[seat % 2].choose(game, view, budget, seat=seat, moves=[m.text for m in moves]).move
        before = state.turn
        state, _ = game.apply(state, text)
        turn = (*turn, text)
        if state.turn != before or state.result is not None:
            states.append(state)
            turns.append(turn)
            turn = ()
    return states, turns


def candidates(game: Game, seed: int, seats: int | None = None) -> Iterator[list[Candidate]]:
    """Yield the positions of one match after the other, the last one first."""
    for states, turns, seeded, real in matches(game, seed, seats):
        found = []
        for back in range(BACK[0], min(BACK[1], len(turns)) + 1):
            at = len(turns) - back
            before = states[at - 1] if at else None
            if states[at].step == 0 and states[at].phase >= 0:
                found.append(Candidate(game, states[at], tuple(turns[:at]), before, seeded, real))
        yield found
