"""Interfaces between a match page drawn by a TableScene and its parts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from .. import players
from ..players import MatchPageInterface

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from shibumi3d.rules.game import Move
    from shibumi3d.scene.table_scene import Spot, TableScene

    from ...host.board_view import BoardView
    from ...ui.button import Button
    from ..model import MatchModel, ResponderChoice
    from .message_line import MessageLine
    from .spots import SpotSelection


class ScenePage(MatchPageInterface, Protocol):
    """Interface through which the parts of a match page for a scene use that page."""

    model: MatchModel
    scene: TableScene
    selection: SpotSelection
    view: BoardView
    message_line: MessageLine
    confirm_button: Button
    """Button that confirms the pending move."""
    message: str
    """Text of the message line while nothing that has a text of its own is under the pointer."""

    @property
    def actions(self) -> ActionsInterface:
        """Actions on the match."""

    @property
    def pointer(self) -> PointerInterface:
        """Pointer and keyboard cursor."""

    @property
    def advice(self) -> HintsInterface:
        """Hints and analysis."""

    @property
    def plan(self) -> FlatPlanInterface:
        """Flat drawing of the table."""


class ActionsInterface(players.ActionsInterface, Protocol):
    """Interface of the actions in the match."""

    unconfirmed_move: Move | None
    """Move that was chosen but not yet confirmed, or None."""

    def choose_move(self, move: Move | ResponderChoice) -> None:
        """Make a move; if the settings require confirmation, wait for that first."""


class PointerInterface(Protocol):
    """Interface of the pointer and the keyboard cursor."""

    def spot_position(self, spot: Spot) -> tuple[float, float]:
        """Return the position of a spot in the view, in logical pixels."""

    def update_message(self) -> None:
        """Update the message line for what is under the pointer or the cursor."""

    def record_spots(self, seat: int) -> None:
        """Record which spots exist when ``seat`` makes its move."""


class HintsInterface(Protocol):
    """Interface of hints and analysis."""

    @property
    def hint_counts(self) -> list[int]:
        """Number of hints given to each seat."""

    def hinted_spots(self) -> frozenset[str]:
        """Return the keys of the spots that the hint marks."""

    def hinted_move(self) -> Move | None:
        """Return the move that the hint marks in the list, or None."""

    def ranked_spots(self) -> list[tuple[str, int]]:
        """Return the spots of the best moves as pairs of key and rank."""


class FlatPlanInterface(Protocol):
    """Interface of the flat drawing of the table, as viewed from above."""

    visible: bool
    pixels_per_unit: float
    """Logical pixels per unit of the table."""

    def project(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """Project world coordinates (n, 3) to logical pixels (n, 2)."""
