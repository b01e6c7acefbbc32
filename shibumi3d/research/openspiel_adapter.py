"""Games for OpenSpiel, with information states as text."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from shibumi3d.catalogue.catalogue import load_catalogue
from shibumi3d.i18n import InvalidValueError
from shibumi3d.rules.game import Game, State

from .encoding import MAX_MOVES, choices, planes, returns
from .observations import Observations

if TYPE_CHECKING:
    from shibumi3d.catalogue.schema import Entry


try:
    import pyspiel
except ImportError:
    raise InvalidValueError(
        "{package} is needed: pip install 'shibumi3d[{extra}]'", package="open-spiel", extra="openspiel"
    ) from None

CHANCE_OUTCOMES = 1_000
"""Number of outcomes of the chance node at the start of a match."""


def register_open_spiel(*files: str | Path) -> tuple[str, ...]:
    """Register all games in the catalogue that have numbered moves; return their OpenSpiel names.

    The names have the form ``python_shibumi_…``. If ``files`` are given, the games in those files are registered
    instead. Raises ValueError if one of them has no numbered moves or has the same name as a registered game.

    The registered games take the parameters ``players`` (by default the minimum) and ``size`` (by default the usual
    size of the game). If a game has chance, its only chance node is the root, which determines all throws and deals.
    Players do not know these until they are revealed. Such a game therefore has imperfect information, just as a game
    with hidden information does. A player's information state is a string that contains every event as that player
    observed it.
    """
    known = set(pyspiel.registered_names())
    found = []
    for entry in [load_catalogue().open(Path(file)) for file in files] or load_catalogue().entries:
        game = entry.game()
        try:
            choices(game)
        except InvalidValueError:
            if files:
                raise
            continue
        name = f"python_shibumi_{entry.id.replace('-', '_')}"
        if files and name in known:
            raise InvalidValueError("a game named {name} is already registered: rename the file", name=name)
        if name not in known:
            kind = _game_type(name, game)
            pyspiel.register_game(kind, _make_game_class(kind, entry, game))
        found.append(name)
    return tuple(found)


def _game_type(name: str, game: Game) -> pyspiel.GameType:
    facts = game.facts()
    min_seats, max_seats = game.players
    hidden = facts.has_secrets or facts.has_chance
    kinds = pyspiel.GameType
    return kinds(
        short_name=name,
        long_name=game.title,
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC
        if facts.has_chance
        else kinds.ChanceMode.DETERMINISTIC,
        information=kinds.Information.IMPERFECT_INFORMATION
        if hidden
        else kinds.Information.PERFECT_INFORMATION,
        utility=kinds.Utility.ZERO_SUM if min_seats == max_seats == 2 else kinds.Utility.GENERAL_SUM,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=max_seats,
        min_num_players=min_seats,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={"players": min_seats, "size": game.size},
    )


class SpielGame(pyspiel.Game):  # type: ignore[misc]  # the package has no types
    """A Shibumi 3D game, wrapped as an OpenSpiel game."""

    def __init__(
        self, kind: pyspiel.GameType, table: Game, seats: int, params: Mapping[str, int | str]
    ) -> None:
        self.table, self.seats = table, seats
        self.facts = table.facts(seats)
        self.choices = choices(table, seats)
        zero = kind.utility == pyspiel.GameType.Utility.ZERO_SUM
        info = pyspiel.GameInfo(
            num_distinct_actions=len(self.choices),
            max_chance_outcomes=CHANCE_OUTCOMES if self.facts.has_chance else 0,
            num_players=seats,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0 if zero else None,
            max_game_length=MAX_MOVES,
        )
        super().__init__(kind, info, params)

    def new_initial_state(self) -> SpielState:
        return SpielState(self)

    def make_py_observer(
        self, iig_obs_type: pyspiel.IIGObservationType | None = None, params: object = None
    ) -> SpielObserver:
        recall = iig_obs_type is not None and iig_obs_type.perfect_recall
        return SpielObserver(self, recall)


def _make_game_class(kind: pyspiel.GameType, entry: Entry, default_game: Game) -> type[SpielGame]:
    """Return the OpenSpiel class for a game; ``default_game`` is the game in its default size."""

    class CatalogueGame(SpielGame):
        def __init__(self, params: Mapping[str, int | str] | None = None) -> None:
            params = params or {}
            size = int(params.get("size", default_game.size))
            table = default_game if size == default_game.size else entry.game(size=size)
            super().__init__(kind, table, int(params.get("players", default_game.players[0])), params)

    return CatalogueGame


class ObservedMatch:
    """A state of a match, with what each seat has observed so far.

    It is immutable, so that copies of a :class:`SpielState` can share it.
    """

    def __init__(self, match: State, observations: Observations, moves_made: int = 0) -> None:
        self.match, self.observations, self.moves_made = match, observations, moves_made

    def __deepcopy__(self, memo: dict[int, object]) -> ObservedMatch:
        return self


class SpielState(pyspiel.State):  # type: ignore[misc]  # the package has no types
    """A state of a match as an OpenSpiel state."""

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self.observed: ObservedMatch | None = None
        if not game.facts.has_chance:
            self.observed = _start_match(game, 0)

    @property
    def game(self) -> SpielGame:
        game: SpielGame = self.get_game()
        return game

    def current_player(self) -> int:
        """Return the seat to move, or OpenSpiel's ID for the chance player or a terminal state."""
        if self.observed is None:
            return int(pyspiel.PlayerId.CHANCE)
        if self.is_terminal():
            return int(pyspiel.PlayerId.TERMINAL)
        assert self.observed.match.to_move is not None
        return self.observed.match.to_move

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the outcomes of the chance node with their probabilities, which are all equal."""
        return [(deal, 1 / CHANCE_OUTCOMES) for deal in range(CHANCE_OUTCOMES)]

    def _legal_actions(self, player: int) -> list[int]:
        assert self.observed is not None
        game = self.game
        return game.choices.legal_numbers(game.table.moves(self.observed.match, player))

    def _apply_action(self, action: int) -> None:
        game = self.game
        if self.observed is None:
            self.observed = _start_match(game, action)
            return
        match, events = game.table.apply(self.observed.match, game.choices.text(action))
        observations = self.observed.observations.after_move(game.table, self.observed.match, match, events)
        self.observed = ObservedMatch(match, observations, self.observed.moves_made + 1)

    def _action_to_string(self, player: int, action: int) -> str:
        return f"chance {action}" if player == pyspiel.PlayerId.CHANCE else self.game.choices.text(action)

    def is_terminal(self) -> bool:
        """Return whether the match is over or has been cut off after ``MAX_MOVES`` - 1 moves."""
        return self.observed is not None and (
            self.observed.match.to_move is None or self.observed.moves_made >= MAX_MOVES - 1
        )

    def returns(self) -> list[float]:
        """Return each seat's return, which is 0 until the match is over."""
        game = self.game
        outcome = game.table.outcome(self.observed.match) if self.observed is not None else None
        return returns(outcome, game.seats)

    def view(self, player: int) -> State:
        """Return the state without the information that is hidden from ``player``."""
        assert self.observed is not None
        return self.game.table.observe(self.observed.match, player)

    def __str__(self) -> str:
        if self.observed is None:
            return "before chance"
        return "\n".join(
            [*self.game.table.table_lines(self.observed.match), f"after {self.observed.moves_made}"]
        )


def _start_match(game: SpielGame, seed: int) -> ObservedMatch:
    match = game.table.start(game.seats, seed)
    return ObservedMatch(match, Observations.at_start(game.table, match))


class SpielObserver:
    """OpenSpiel observer: converts what a player sees in a state to a tensor or a string.

    With perfect recall, the tensor is empty.
    """

    def __init__(self, game: SpielGame, perfect_recall: bool) -> None:
        self.recall = perfect_recall
        self.table = game.table
        self.dict: dict[str, NDArray[np.float32]] = {}
        self.tensor = np.zeros(0, np.float32)
        if not perfect_recall:
            first = game.table.start(game.seats, 0)
            shape = planes(game.table, game.table.observe(first, 0), 0).shape
            self.tensor = np.zeros(int(np.prod(shape)), np.float32)
            self.dict = {"seen": self.tensor.reshape(shape)}

    def set_from(self, state: SpielState, player: int) -> None:
        """Fill the tensor with what ``player`` sees in ``state``, or with zeros at the chance node.

        With perfect recall, do nothing.
        """
        if self.dict:
            if state.observed is None:
                self.tensor.fill(0)
            else:
                self.dict["seen"][:] = planes(self.table, state.view(player), player)

    def string_from(self, state: SpielState, player: int) -> str:
        """Return what ``player`` sees in ``state``, as a string.

        With perfect recall, return everything that the player has observed so far. At the chance node, return "before
        chance".
        """
        if state.observed is None:
            return "before chance"
        if self.recall:
            return "\n".join(state.observed.observations.lines[player])
        return "\n".join(self.table.table_lines(state.view(player)))
