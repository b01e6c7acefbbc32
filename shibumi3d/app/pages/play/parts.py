"""What the parts of the page on which marbles are played ask of it and of each other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from shibumi3d.match.match import Match
    from shibumi3d.match.ply import Ply
    from shibumi3d.rules.errors import RuleFailure
    from shibumi3d.rules.marbles import event as ev
    from shibumi3d.rules.marbles.facts import MarbleFacts
    from shibumi3d.rules.marbles.move import Move
    from shibumi3d.rules.marbles.state import State
    from shibumi3d.scene.frame import Mark
    from shibumi3d.scene.marbles.signs import Ghost, Sign
    from shibumi3d.scene.marbles.stage import Stage

    from ...board.watching import Watching
    from ...host import Host
    from ...marbles.controller import Controller, Preview
    from ...marbles.spots import Spot
    from .session import MarbleSession


class Table(Protocol):
    """The page: the match, what is shown of it, and where it is drawn."""

    app: Host
    match: Match
    names: list[str]
    facts: MarbleFacts
    session: MarbleSession
    control: Controller
    stage: Stage

    @property
    def state(self) -> State:
        """The state that is shown."""

    def now(self) -> float:
        """Return the time of the stage at this moment."""

    def refresh(self) -> None:
        """Ask for a new picture."""


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

    def chosen(self, move: Move) -> Callable[[], None]:
        """Return what a button does that makes ``move``."""

    def say_choice(self, move: Move) -> str:
        """Return a choice as a button says it."""

    def meaning_of(self, word: str) -> str:
        """Return what a word means that this game calls something by."""

    def button_choice(self) -> Move | None:
        """Return the choice that the button under the pointer makes."""

    def outside_move(self) -> str:
        """Return what the person may do beside the moves of the rules."""


class Showing(Protocol):
    """What shows what happened."""

    def happened(self, events: Sequence[ev.Event]) -> None:
        """Show a move that was made."""

    def rewound(self, gone: Sequence[Ply]) -> None:
        """Show that moves were taken back, the first of them first."""

    def show_again(self, first: int) -> None:
        """Show slowly how the moves from number ``first`` on were made."""

    def told(self) -> State:
        """Return the state of which is told."""

    def came_of(self) -> str:
        """Return what came of what was chosen in secret."""


class Sitting(Protocol):
    """The seats that computers play."""

    halted: bool
    """Whether they were stopped."""
    alone: bool
    """Whether nobody but computers plays."""
    watching: Watching

    @property
    def seconds(self) -> float:
        """For how long they may think."""

    def busy_line(self) -> str:
        """Return why nobody may choose now."""

    def thinking_line(self, seat: int) -> str:
        """Return what a seat does that thinks."""

    def pause_watching(self) -> None:
        """Wait where computers play alone."""

    def lit(self) -> tuple[list[Sign], list[Ghost]]:
        """Return the signs of the choice that comes."""

    def marks(self) -> list[Mark]:
        """Return the marks on the table of the choice that comes."""


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


class Advising(Protocol):
    """Hints and analysis."""

    @property
    def hints(self) -> list[int]:
        """How many hints each seat had."""

    def signs(self) -> tuple[list[Sign], list[Ghost]]:
        """Return the marks of a hint, and the best turns as numbered ghosts."""


class Signing(Protocol):
    """What is drawn over the boards."""

    def flat_signs(self) -> tuple[list[Sign], list[Ghost]]:
        """Return what is drawn over a plan."""

    def target_signs(self, targets: Sequence[Spot] | None = None) -> list[Sign]:
        """Return the signs of what may be chosen."""

    def foreseen(self, preview: Preview) -> tuple[list[Sign], list[Ghost]]:
        """Return the signs of what a choice would do."""
