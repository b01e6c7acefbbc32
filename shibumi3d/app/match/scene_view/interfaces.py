"""Interfaces between the match page for a table drawn by a TableScene and the parts of that page."""

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
    from .hints import SceneHints
    from .message_line import MessageLine
    from .spots import SpotSelection


class ScenePage(MatchPageInterface, Protocol):
    """Interface through which the parts of the match page use that page."""

    model: MatchModel
    scene: TableScene
    selection: SpotSelection
    view: BoardView
    message_line: MessageLine
    confirm_button: Button
    """Button that confirms the chosen move."""
    message: str
    """Text that the message line shows while no move is pending.

    If it is empty, the line describes the spot under the pointer or the cursor.
    """

    @property
    def actions(self) -> ActionsInterface:
        """The actions available to people and computer players in the match."""

    @property
    def pointer(self) -> PointerInterface:
        """Pointer and keyboard cursor."""

    @property
    def advice(self) -> SceneHints:
        """Hints and analysis."""

    def project(self, points: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Project world coordinates (n, 3) to the 3D view or, if it is shown instead, the flat drawing.

        Returns the positions (n, 2) in logical pixels, measured from the top left corner of that widget, and an array
        (n,) with the number of logical pixels per world unit at each position.
        """


class ActionsInterface(players.ActionsInterface, Protocol):
    """Interface of the actions in the match."""

    unconfirmed_move: Move | None
    """Move that was chosen but not yet confirmed, or None."""

    def choose_move(self, move: Move | ResponderChoice) -> None:
        """Make a move, or await its confirmation if the settings require it.

        If ``move`` is a :class:`.ResponderChoice`, let the chosen seat respond instead. If that seat is -1, all the
        seats asked give the default answer.
        """


class PointerInterface(Protocol):
    """Interface of the pointer and the keyboard cursor."""

    def spot_position(self, spot: Spot) -> tuple[float, float]:
        """Return the centre of a spot in logical pixels, relative to the view or flat drawing that is shown."""

    def update_message(self) -> None:
        """Update the message line, which shows the pending move, the page's message or the spot pointed at."""

    def record_spots(self, seat: int) -> None:
        """Record which spots exist when ``seat`` makes its move.

        Spots added later are shown to that seat as new.
        """
