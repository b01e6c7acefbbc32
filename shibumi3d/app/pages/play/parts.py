"""Interfaces between the play page and its components."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from ...board.parts import MatchTable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from shibumi3d.rules.errors import RuleFailure
    from shibumi3d.rules.marbles.facts import MarbleFacts
    from shibumi3d.rules.marbles.move import Move
    from shibumi3d.rules.marbles.state import State
    from shibumi3d.scene.marbles.signs import Ghost, Sign
    from shibumi3d.scene.marbles.spread import Spread
    from shibumi3d.scene.marbles.stage import Stage
    from shibumi3d.scene.rect import Rect

    from ...board.adviser import Adviser
    from ...board.computers import Computers
    from ...host.view import View
    from ...marbles.controller import Controller, Preview
    from ...marbles.spots import Spot
    from ...marbles.table import Lying, Tabletop
    from .session import MarbleSession


class Table(MatchTable, Protocol):
    """The page: the match it shows, and the page's other components."""

    facts: MarbleFacts
    session: MarbleSession
    control: Controller
    stage: Stage
    taught: bool
    """Whether the page shows a lesson."""

    @property
    def state(self) -> State:
        """State shown."""

    @property
    def advice(self) -> Adviser:
        """Hints and analysis."""

    @property
    def computers(self) -> Computers:
        """Computer players of the match."""

    @property
    def doing(self) -> Acting:
        """Actions of a person in the match."""

    @property
    def pointing(self) -> Aiming:
        """Pointer and keyboard cursor."""


class Boarded(Table, Protocol):
    """The page, and how it shows the boards and what lies beside them."""

    view: View
    tabletop: Tabletop
    announced: str
    """Announcement of a new phase or game that is shown at the moment, or an empty string."""

    @property
    def signs(self) -> Signing:
        """Signs drawn over the boards."""

    @property
    def bare(self) -> bool:
        """Whether only the boards are shown, without any panels."""

    @property
    def spread(self) -> Spread | None:
        """Layout of the levels in the exploded view, or None if it is off."""

    def lying(self, time: float) -> Lying:
        """Return what lies on the table at a time of the animation."""

    def layout(self, rect: Rect) -> None:
        """Lay out the page in a rectangle."""


class Acting(Protocol):
    """Actions of a person in the match."""

    note: str
    """Message shown last."""
    note_at: Spot | None
    """Place that the message is about, or None."""
    note_over: Spot | None
    """Place under the pointer when a message about no place was shown.

    The message remains visible until the pointer leaves this place.
    """
    replaying: bool
    """Whether the last turn is being replayed."""

    def skip(self) -> None:
        """Finish all motion."""

    def quiet(self) -> None:
        """Remove the message shown last."""

    def look(self, ply: int | None) -> None:
        """Show the position after ``ply`` moves, or the current one for None."""

    def curtain(self) -> bool:
        """Cover the page if another person has to look next; return whether it was covered."""

    def play_move(self, move: Move, ends: bool = False) -> None:
        """Make the move of a button."""

    def stopped(self, problem: RuleFailure) -> None:
        """Report that the rules can't continue from here."""

    def back_to(self, step: int) -> None:
        """Undo steps of this turn until only ``step`` of them remain."""

    def choose_colour(self, number: int) -> bool:
        """Select the colour with index ``number`` in the tray; return whether there was a choice."""

    def say_choice(self, move: Move) -> str:
        """Return a move as the label of a button."""

    def meaning_of(self, word: str) -> str:
        """Return the meaning of a term of the game; empty if it needs no explanation."""


class Aiming(Protocol):
    """Pointer and keyboard cursor."""

    hover: Spot | None
    hover_marble: tuple[int, int] | None
    """Board and point of the marble under the pointer, if it is not a target."""
    overlap: list[Spot]
    """Targets that overlap under the pointer, the one in front first."""
    overlap_at: int
    looked: int | None
    """Board that the user selected, or None."""

    @property
    def active(self) -> Spot | None:
        """Place under the keyboard cursor, or else under the pointer."""

    @property
    def board(self) -> int:
        """Index of the board in use."""

    def where(self, spot: Spot) -> tuple[float, float]:
        """Return where a place appears in the window, in logical pixels."""

    def radius(self, spot: Spot) -> float:
        """Return the radius at which a marble appears there, in logical pixels."""

    def clicked_spot(self, spot: Spot) -> None:
        """Handle a click on a place of a plan."""

    def point_out(self, spot: Spot | None) -> None:
        """Handle the pointer being on a place of a plan, or on none."""

    def cancelled_at(self, spot: Spot | None) -> None:
        """Handle a right click on a place, or on none."""


class Signing(Protocol):
    """Signs drawn over the boards."""

    def flat_signs(self) -> tuple[list[Sign], list[Ghost]]:
        """Return the signs and ghosts that are drawn over a plan."""

    def target_signs(self, targets: Sequence[Spot] | None = None) -> list[Sign]:
        """Return the signs of all targets, or of the ones given."""

    def foreseen(self, preview: Preview) -> tuple[list[Sign], list[Ghost]]:
        """Return the signs and ghosts that show what a move would do."""
