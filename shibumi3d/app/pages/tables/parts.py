"""What the parts of a page with a table of any kind ask of it and of each other."""

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
    """A page with a table: what is shown of it, what is picked, and its other parts."""

    session: Session
    scene: TableScene
    picking: Picking
    view: View
    telling: Telling
    note: str
    """What stands at the foot of the table while nothing is pointed at."""

    @property
    def computers(self) -> Computers:
        """The seats that computers play."""

    @property
    def doing(self) -> Acting:
        """What makes moves."""

    @property
    def pointer(self) -> Looking:
        """What follows the pointer and the cursor."""

    @property
    def advice(self) -> Advising:
        """What helps the person asked."""

    def layout(self, rect: Rect) -> None:
        """Put everything into a rectangle."""


class Acting(Protocol):
    """What makes moves."""

    waiting: Any
    """The move that was chosen and waits until it is confirmed."""

    def choose(self, move: Any) -> None:
        """Make the move of the person asked, or let it wait where turns are ended by hand."""

    def play_move(self, move: Any) -> None:
        """Make a move at once."""

    def look(self, ply: int | None) -> None:
        """Show the match after so many moves, or as it is now."""

    def take(self, variation: int) -> None:
        """Go on with what was done before something else was done instead."""


class Looking(Protocol):
    """What follows the pointer and the cursor."""

    def on_screen(self, spot: Spot) -> tuple[float, float]:
        """Return where a spot is seen in the view."""

    def looked(self) -> None:
        """Tell what a choice there would do."""

    def leave(self, seat: int) -> None:
        """Note that a seat makes its choice."""


class Advising(Protocol):
    """What helps the person asked."""

    @property
    def hints(self) -> list[int]:
        """How many hints each seat had."""

    def spots(self) -> frozenset[str]:
        """Return the spots that the hint marks."""

    def answer(self) -> Any:
        """Return the move that the hint marks in the list; None for none."""

    def numbered(self) -> list[tuple[str, int]]:
        """Return where the best choices are made, with their numbers."""


class Offering(Protocol):
    """The list of choices."""

    def seek(self, move: Any) -> None:
        """Bring a choice into sight; None for none."""


class FlatPlan(Protocol):
    """The table from above."""

    visible: bool
    unit: float
    """Logical pixels of a unit of the table."""

    def project(self, places: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return where places (n, 3) of the world are seen, (n, 2), in logical pixels."""
