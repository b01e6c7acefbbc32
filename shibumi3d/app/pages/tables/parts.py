"""Protocols through which the parts of this page use the page and each other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from ...board.parts import MatchTable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from shibumi3d.scene.rect import Rect
    from shibumi3d.scene.table import Spot, TableScene

    from ...board.computers import Computers
    from ...board.session import Session
    from ...host.view import View
    from .pointing import Picking
    from .telling import Telling


class Table(MatchTable, Protocol):
    """Match page, as seen by its parts."""

    session: Session
    scene: TableScene
    picking: Picking
    view: View
    telling: Telling
    note: str
    """Text of the status line while the pointer is on nothing that has a text."""

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
    """Actions on the match."""

    waiting: Any
    """Move that was chosen and has to be confirmed, or None."""

    def choose(self, move: Any) -> None:
        """Play a move, or hold it until it is confirmed if the settings ask for that."""

    def play_move(self, move: Any) -> None:
        """Play a move without asking for confirmation."""

    def look(self, ply: int | None) -> None:
        """Show the position after ``ply`` moves, or the current one if it is None."""

    def take(self, variation: int) -> None:
        """Continue the match with a variation, which had been replaced by other moves."""


class Looking(Protocol):
    """Pointer and keyboard cursor."""

    def on_screen(self, spot: Spot) -> tuple[float, float]:
        """Return the position of a spot in the view, in logical pixels."""

    def looked(self) -> None:
        """Update the status line for what is under the pointer or the cursor."""

    def leave(self, seat: int) -> None:
        """Remember which spots exist when ``seat`` makes its move."""


class Advising(Protocol):
    """Hints and analysis."""

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
    """List of the legal moves."""

    def seek(self, move: Any) -> None:
        """Scroll to ``move`` if it is listed."""


class FlatPlan(Protocol):
    """Flat drawing of the table from above."""

    visible: bool
    unit: float
    """Logical pixels per unit of the table."""

    def project(self, places: NDArray[np.float64]) -> NDArray[np.float64]:
        """Project world coordinates (n, 3) to logical pixels (n, 2)."""
