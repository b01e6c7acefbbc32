"""Interfaces between the play page and its parts."""

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
    """The page, with the match it shows and its other parts."""

    facts: MarbleFacts
    session: MarbleSession
    control: Controller
    stage: Stage
    taught: bool
    """Whether the page shows a lesson."""

    @property
    def state(self) -> State:
        """State of the match that is shown."""

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
    """The page, and how it shows the boards and the things beside them."""

    view: View
    tabletop: Tabletop
    announced: str
    """Announcement of a new phase or game that is currently shown, or an empty string."""

    @property
    def signs(self) -> Signing:
        """Signs drawn over the boards."""

    @property
    def bare(self) -> bool:
        """Whether only the boards are shown, without panels."""

    @property
    def spread(self) -> Spread | None:
        """Layout of the levels in the exploded view, or None if it is off."""

    def lying(self, time: float) -> Lying:
        """Return the marbles and other things on the table at a given time of the animation."""

    def layout(self, rect: Rect) -> None:
        """Lay out the page in a rectangle."""


class Acting(Protocol):
    """Actions of a person in the match."""

    note: str
    """Current message."""
    note_at: Spot | None
    """Place that the current message is about, or None."""
    note_over: Spot | None
    """Place that was under the pointer when the message was shown, if the message isn't about a place.

    The message remains visible until the pointer leaves that place.
    """
    replaying: bool
    """Whether the last turn is being replayed."""

    def skip(self) -> None:
        """Finish all animations at once."""

    def quiet(self) -> None:
        """Remove the current message."""

    def look(self, ply: int | None) -> None:
        """Show the position after ``ply`` moves, or the current position if it is None."""

    def curtain(self) -> bool:
        """Cover the page if it is another person's turn to look; return whether it was covered."""

    def play_move(self, move: Move, ends: bool = False) -> None:
        """Make the move of a button."""

    def stopped(self, problem: RuleFailure) -> None:
        """Report that the rules can't continue from here."""

    def back_to(self, step: int) -> None:
        """Undo steps of this turn until only the first ``step`` of them remain."""

    def choose_colour(self, number: int) -> bool:
        """Select colour ``number`` in the tray, from 0; return whether there was a choice."""

    def say_choice(self, move: Move) -> str:
        """Return the button text for a move."""

    def meaning_of(self, word: str) -> str:
        """Return the explanation of a term used by the game, or an empty string."""


class Aiming(Protocol):
    """Pointer and keyboard cursor."""

    hover: Spot | None
    hover_marble: tuple[int, int] | None
    """Board and point of the marble under the pointer, unless it is a target; otherwise None."""
    overlap: list[Spot]
    """Targets that overlap under the pointer, frontmost first."""
    overlap_at: int
    looked: int | None
    """Index of the board that the user selected, or None."""

    @property
    def active(self) -> Spot | None:
        """Place under the keyboard cursor or, if there is none, under the pointer."""

    @property
    def board(self) -> int:
        """Index of the board in use."""

    def where(self, spot: Spot) -> tuple[float, float]:
        """Return the position of a place in the window, in logical pixels."""

    def radius(self, spot: Spot) -> float:
        """Return the apparent radius of a marble at a place, in logical pixels."""

    def clicked_spot(self, spot: Spot) -> None:
        """Handle a click on a place of a plan."""

    def point_out(self, spot: Spot | None) -> None:
        """Handle the pointer moving onto a place of a plan, or off all places (None)."""

    def cancelled_at(self, spot: Spot | None) -> None:
        """Handle a right click on a place, or on no place (None)."""


class Signing(Protocol):
    """Signs drawn over the boards."""

    def flat_signs(self) -> tuple[list[Sign], list[Ghost]]:
        """Return the signs and ghosts to draw over a plan."""

    def target_signs(self, targets: Sequence[Spot] | None = None) -> list[Sign]:
        """Return the signs of the given targets, by default all of them."""

    def foreseen(self, preview: Preview) -> tuple[list[Sign], list[Ghost]]:
        """Return the signs and ghosts that preview the effect of a move."""
