"""Interfaces through which the page and its parts use each other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from ...board.parts import MatchTable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from shibumi3d.rules.game import Move
    from shibumi3d.scene.rect import Rect
    from shibumi3d.scene.table import Spot, TableScene

    from ...board.computers import Computers
    from ...board.session import Session
    from ...host.view import View
    from .pointing import Picking
    from .telling import Telling


class Table(MatchTable, Protocol):
    """Interface of the match page that its parts use."""

    session: Session
    scene: TableScene
    picking: Picking
    view: View
    telling: Telling
    note: str
    """Text of the status line while nothing that has a text of its own is under the pointer."""

    @property
    def computers(self) -> Computers:
        """Computer players."""

    @property
    def doing(self) -> Acting:
        """Actions on the match."""

    @property
    def pointer(self) -> Looking:
        """Pointer and keyboard cursor."""

    @property
    def advice(self) -> Advising:
        """Hints and analysis."""

    def layout(self, rect: Rect) -> None:
        """Lay out all widgets in ``rect``."""


class Acting(Protocol):
    """Interface of the actions in the match."""

    waiting: Any
    """Move that was chosen but not yet confirmed, or None."""

    def choose(self, move: Move) -> None:
        """Make a move; if the settings require confirmation, wait for that first."""

    def play_move(self, move: Move) -> None:
        """Make a move without asking for confirmation."""

    def look(self, ply: int | None) -> None:
        """Show the position after ``ply`` moves, or the current position if it is None."""

    def take(self, variation: int) -> None:
        """Continue the match with a variation, i.e. with moves that had been replaced by others."""


class Looking(Protocol):
    """Interface of the pointer and the keyboard cursor."""

    def on_screen(self, spot: Spot) -> tuple[float, float]:
        """Return the position of a spot in the view, in logical pixels."""

    def looked(self) -> None:
        """Update the status line for what is under the pointer or the cursor."""

    def leave(self, seat: int) -> None:
        """Record which spots exist when ``seat`` makes its move."""


class Advising(Protocol):
    """Interface of hints and analysis."""

    @property
    def hints(self) -> list[int]:
        """Number of hints given to each seat."""

    def spots(self) -> frozenset[str]:
        """Return the keys of the spots that the hint marks."""

    def answer(self) -> Any:
        """Return the move that the hint marks in the list, or None."""

    def numbered(self) -> list[tuple[str, int]]:
        """Return the spots of the best moves as pairs of key and rank."""


class Offering(Protocol):
    """Interface of the list of the legal moves."""

    def seek(self, move: Move) -> None:
        """Scroll to ``move`` if it is listed."""


class FlatPlan(Protocol):
    """Interface of the flat drawing of the table, as viewed from above."""

    visible: bool
    unit: float
    """Logical pixels per unit of the table."""

    def project(self, places: NDArray[np.float64]) -> NDArray[np.float64]:
        """Project world coordinates (n, 3) to logical pixels (n, 2)."""
