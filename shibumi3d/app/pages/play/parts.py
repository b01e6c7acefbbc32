"""What the parts of the page on which marbles are played ask of it and of each other."""

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
    """The page: what is shown of a match with marbles, and its other parts."""

    facts: MarbleFacts
    session: MarbleSession
    control: Controller
    stage: Stage
    taught: bool
    """Whether it is a lesson."""

    @property
    def state(self) -> State:
        """The state that is shown."""

    @property
    def advice(self) -> Adviser:
        """Hints and analysis."""

    @property
    def computers(self) -> Computers:
        """The seats that computers play."""

    @property
    def doing(self) -> Acting:
        """What a person does with the match."""

    @property
    def pointing(self) -> Aiming:
        """The pointer and the cursor of the keys."""


class Boarded(Table, Protocol):
    """The page, and where its boards and what lies beside them are seen."""

    view: View
    tabletop: Tabletop
    announced: str
    """A change of phase that is told for a moment."""

    @property
    def signs(self) -> Signing:
        """What is drawn over the boards."""

    @property
    def bare(self) -> bool:
        """Whether nothing but the boards is shown."""

    @property
    def spread(self) -> Spread | None:
        """Where the levels lie when they are apart."""

    def lying(self, time: float) -> Lying:
        """Return what lies on the table at a time of the stage."""

    def layout(self, rect: Rect) -> None:
        """Put everything into a rectangle."""


class Acting(Protocol):
    """What a person does with the match."""

    note: str
    """What was said last."""
    note_at: Spot | None
    """The place that it was said of."""
    note_over: Spot | None
    """What was pointed at when something was said that is about no place."""
    replaying: bool
    """Whether the last turn is shown again."""

    def skip(self) -> None:
        """Finish what moves."""

    def quiet(self) -> None:
        """Let be answered what was said last."""

    def look(self, ply: int | None) -> None:
        """Show the match after so many moves, or as it is now."""

    def curtain(self) -> bool:
        """Lay the curtain over the page where somebody else is to look."""

    def play_move(self, move: Move, ends: bool = False) -> None:
        """Make a move that was chosen on a button."""

    def stopped(self, problem: RuleFailure) -> None:
        """Say that the rules of the game can't go on from here."""

    def back_to(self, step: int) -> None:
        """Go back within the turn until ``step`` steps of it are done."""

    def choose_colour(self, number: int) -> bool:
        """Take a colour in hand."""

    def say_choice(self, move: Move) -> str:
        """Return a choice as a button says it."""

    def meaning_of(self, word: str) -> str:
        """Return what a word means that this game calls something by."""


class Aiming(Protocol):
    """The pointer and the cursor of the keys."""

    hover: Spot | None
    hover_marble: tuple[int, int] | None
    """The marble under the pointer, where nothing can be chosen."""
    overlap: list[Spot]
    """What lies one behind the other there."""
    overlap_at: int
    looked: int | None
    """The board that was asked for among several."""

    @property
    def active(self) -> Spot | None:
        """What the pointer or the cursor is on."""

    @property
    def board(self) -> int:
        """The board in use, of several."""

    def where(self, spot: Spot) -> tuple[float, float]:
        """Return where a place is seen."""

    def radius(self, spot: Spot) -> float:
        """Return how large a marble is seen there."""

    def clicked_spot(self, spot: Spot) -> None:
        """Do what a click there does."""

    def point_out(self, spot: Spot | None) -> None:
        """Point at a place of a plan."""

    def cancelled_at(self, spot: Spot | None) -> None:
        """Do what a right click there does."""


class Signing(Protocol):
    """What is drawn over the boards."""

    def flat_signs(self) -> tuple[list[Sign], list[Ghost]]:
        """Return what is drawn over a plan."""

    def target_signs(self, targets: Sequence[Spot] | None = None) -> list[Sign]:
        """Return the signs of what may be chosen."""

    def foreseen(self, preview: Preview) -> tuple[list[Sign], list[Ghost]]:
        """Return the signs of what a choice would do."""
