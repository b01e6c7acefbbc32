"""Games of OpenSpiel: every game whose choices have numbers, those with secrets and with chance too."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from shibumi3d.catalogue.catalogue import load
from shibumi3d.i18n import Unusable
from shibumi3d.rules.game import Game

from .numbers import MOST, choices, returns
from .seeing import planes
from .telling import Overheard

if TYPE_CHECKING:
    from shibumi3d.catalogue.schema import Entry

try:
    import pyspiel
except ImportError:
    raise Unusable(
        "{package} is needed: pip install 'shibumi3d[{extra}]'", package="open-spiel", extra="openspiel"
    ) from None

DEALS = 1_000
"""Among so many courses of chance one is drawn when a match begins."""


def register_open_spiel(*files: str | Path) -> tuple[str, ...]:
    """Register every game of the catalogue that has numbers for its choices; return the names, python_shibumi_….

    With ``files`` it registers the games in those instead, and raises Unusable where one has no numbers or is called as
    another game that is registered.

    Parameters are ``players``, else the least number of seats, and ``size``, else the usual side of the board. Chance
    is one node at the root: it draws what all throws and deals will be, which nobody is told before it shows; so games
    with chance, as games with secrets, are games of imperfect information. What a player knows is a text: every event
    as that player saw it.
    """
    known = set(pyspiel.registered_names())
    found = []
    for entry in [load().open(Path(file)) for file in files] or load().entries:
        game = entry.game()
        try:
            choices(game)
        except Unusable:
            if files:
                raise
            continue
        name = f"python_shibumi_{entry.id.replace('-', '_')}"
        if files and name in known:
            raise Unusable(
                "a game called {name} is registered already: give the file another name", name=name
            )
        if name not in known:
            kind = _type(name, game)
            pyspiel.register_game(kind, _made(kind, entry, game))
        found.append(name)
    return tuple(found)


def _type(name: str, game: Game) -> Any:
    facts = game.facts()
    least, most = game.players
    hidden = facts.secrets or facts.chance
    kinds = pyspiel.GameType
    return kinds(
        short_name=name,
        long_name=game.title,
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC if facts.chance else kinds.ChanceMode.DETERMINISTIC,
        information=kinds.Information.IMPERFECT_INFORMATION
        if hidden
        else kinds.Information.PERFECT_INFORMATION,
        utility=kinds.Utility.ZERO_SUM if least == most == 2 else kinds.Utility.GENERAL_SUM,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=most,
        min_num_players=least,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={"players": least, "size": game.size},
    )


def _made(kind: Any, entry: Entry, usual: Game) -> Callable[..., Any]:
    """Return the class of one game, as OpenSpiel calls it."""

    class SpielGame(pyspiel.Game):  # type: ignore[misc]  # the package has no types
        """A game of the catalogue."""

        def __init__(self, params: dict[str, Any] | None = None) -> None:
            params = params or {}
            size = int(params.get("size", usual.size))
            self.table = usual if size == usual.size else entry.game(size=size)
            self.seats = int(params.get("players", usual.players[0]))
            self.facts = self.table.facts(self.seats)
            self.choices = choices(self.table, self.seats)
            zero = kind.utility == pyspiel.GameType.Utility.ZERO_SUM
            info = pyspiel.GameInfo(
                num_distinct_actions=len(self.choices),
                max_chance_outcomes=DEALS if self.facts.chance else 0,
                num_players=self.seats,
                min_utility=-1.0,
                max_utility=1.0,
                utility_sum=0.0 if zero else None,
                max_game_length=MOST,
            )
            super().__init__(kind, info, params)

        def new_initial_state(self) -> Any:
            """Return a match that begins."""
            return SpielState(self)

        def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
            """Return what tells a state in numbers and words."""
            recall = iig_obs_type is not None and iig_obs_type.perfect_recall
            return Observer(self, recall)

    return SpielGame


class Reached:
    """A moment of a match and what each seat was told until then: frozen, so that copies of a state share it."""

    def __init__(self, match: Any, told: Overheard, made: int = 0) -> None:
        self.match, self.told, self.made = match, told, made

    def __deepcopy__(self, memo: dict[int, Any]) -> Reached:
        return self


class SpielState(pyspiel.State):  # type: ignore[misc]  # the package has no types
    """A match at a table."""

    def __init__(self, game: Any) -> None:
        super().__init__(game)
        self.reached: Reached | None = None
        if not game.facts.chance:
            self.reached = _begin(game, 0)

    @property
    def of(self) -> Any:
        """The game that is played."""
        return self.get_game()

    def current_player(self) -> int:
        """Return the seat that chooses, or what stands for chance and for the end."""
        if self.reached is None:
            return int(pyspiel.PlayerId.CHANCE)
        if self.is_terminal():
            return int(pyspiel.PlayerId.TERMINAL)
        return int(self.reached.match.to_move)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the courses that chance can take, all alike."""
        return [(deal, 1 / DEALS) for deal in range(DEALS)]

    def _legal_actions(self, player: int) -> list[int]:
        assert self.reached is not None
        game = self.of
        return game.choices.open(game.table.moves(self.reached.match, player))  # type: ignore[no-any-return]

    def _apply_action(self, action: int) -> None:
        game = self.of
        if self.reached is None:
            self.reached = _begin(game, action)
            return
        match, events = game.table.apply(self.reached.match, game.choices.text(action))
        told = self.reached.told.then(game.table, self.reached.match, match, events)
        self.reached = Reached(match, told, self.reached.made + 1)

    def _action_to_string(self, player: int, action: int) -> str:
        return f"chance {action}" if player == pyspiel.PlayerId.CHANCE else self.of.choices.text(action)

    def is_terminal(self) -> bool:
        """Return whether the match is over, or has gone on for too long."""
        return self.reached is not None and (
            self.reached.match.to_move is None or self.reached.made >= MOST - 1
        )

    def returns(self) -> list[float]:
        """Return what each seat has of the match, once it is over."""
        game = self.of
        outcome = game.table.outcome(self.reached.match) if self.reached is not None else None
        return returns(outcome, game.seats)

    def view(self, player: int) -> Any:
        """Return the moment as a seat may know it."""
        assert self.reached is not None
        return self.of.table.view(self.reached.match, player)

    def __str__(self) -> str:
        if self.reached is None:
            return "before chance"
        return "\n".join([*self.of.table.lines(self.reached.match), f"after {self.reached.made}"])


def _begin(game: Any, seed: int) -> Reached:
    match = game.table.start(game.seats, seed)
    return Reached(match, Overheard.of(game.table, match))


class Observer:
    """Tells states to one who plays: numbers of what is seen, and texts."""

    def __init__(self, game: Any, recall: bool) -> None:
        self.recall = recall
        self.table = game.table
        self.dict: dict[str, Any] = {}
        self.tensor = np.zeros(0, np.float32)
        if not recall:
            first = game.table.start(game.seats, 0)
            shape = planes(game.table, game.table.view(first, 0), 0).shape
            self.tensor = np.zeros(int(np.prod(shape)), np.float32)
            self.dict = {"seen": self.tensor.reshape(shape)}

    def set_from(self, state: Any, player: int) -> None:
        """Set the numbers to what a seat sees."""
        if self.dict:
            if state.reached is None:
                self.tensor.fill(0)
            else:
                self.dict["seen"][:] = planes(self.table, state.view(player), player)

    def string_from(self, state: Any, player: int) -> str:
        """Return what a seat sees, or all that it saw, as a text."""
        if state.reached is None:
            return "before chance"
        if self.recall:
            return "\n".join(state.reached.told.lines[player])
        return "\n".join(self.table.lines(state.view(player)))
