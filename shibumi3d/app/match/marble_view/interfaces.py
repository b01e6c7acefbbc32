"""Interfaces between a match page with marbles and its parts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from .. import players
from ..players import MatchPageInterface

if TYPE_CHECKING:
    from collections.abc import Sequence

    from shibumi3d.match.history import Ply
    from shibumi3d.rules.errors import RuleFailure
    from shibumi3d.rules.game import Move
    from shibumi3d.rules.marbles import event as ev
    from shibumi3d.rules.marbles.facts import MarbleFacts
    from shibumi3d.rules.marbles.state import State
    from shibumi3d.scene.frame import Frame, Mark
    from shibumi3d.scene.marbles.exploded_view import ExplodedView
    from shibumi3d.scene.marbles.scene import MarbleScene
    from shibumi3d.scene.marbles.signs import Ghost, Sign
    from shibumi3d.scene.marbles.tabletop import TableContents, Tabletop

    from ...host.board_view import BoardView
    from ...ui.button import Button
    from ...ui.panel import Panel
    from ..actions import SpecialMoves
    from ..hints import HintsAndAnalysis
    from ..model import BoardsSnapshot
    from ..move_list import MarbleMoveList
    from .controller import Controller, Preview, Spot
    from .model import MarbleMatchModel


class MarblePage(MatchPageInterface, Protocol):
    """Interface through which the parts of the marble view use the match page."""

    facts: MarbleFacts
    model: MarbleMatchModel
    controller: Controller
    marble_scene: MarbleScene
    is_lesson: bool
    special_moves: SpecialMoves
    special_move_button: Button
    end_turn_button: Button
    pass_button: Button
    view: BoardView
    tabletop: Tabletop
    banner_text: str
    """Announcement of a new phase or game while it is shown; empty if there is none."""
    bottom_bar: Panel
    move_list: MarbleMoveList

    @property
    def state(self) -> State:
        """Complete state of the position, including hidden information."""

    @property
    def advice(self) -> HintsAndAnalysis:
        """Hints and analysis."""

    @property
    def actions(self) -> ActionsInterface:
        """The actions available to players in the match."""

    @property
    def pointer(self) -> PointerInterface:
        """Pointer and keyboard cursor."""

    @property
    def sign_layer(self) -> SignLayerInterface:
        """Signs drawn over the boards."""

    def overlay_signs(self) -> tuple[list[Sign], list[Ghost]]:
        """Return the signs and ghosts for a computer player's pending move, or for hints and analysis."""

    def static_signs(self) -> list[Sign]:
        """Return the signs that don't depend on the pointer."""

    def rings(self) -> list[Mark]:
        """Return the rings around marbles beside the boards, such as those that can be taken."""

    def make_frame(
        self, now: float, aspect: float, signs: Sequence[Sign], ghosts: Sequence[Ghost] = ()
    ) -> Frame:
        """Return the frame at time ``now``, with the given signs and ghosts."""

    def to_animation_time(self, now: float) -> float:
        """Convert ``now``, a time on the app's clock, to a time on the scene's clock."""

    @property
    def exploded_layout(self) -> ExplodedView | None:
        """Layout of the levels in the exploded view, or None while they are stacked as pyramids."""

    def table_contents(self, time: float) -> TableContents:
        """Return the marbles and other objects on the table at ``time``, in seconds on the scene's clock."""

    def finish_fades(self) -> None:
        """Finish all fades immediately."""

    @property
    def snapshot(self) -> BoardsSnapshot:
        """Snapshot of the position, as the page shows it."""

    def set_stock_positions(self, plies: Sequence[Ply], events: Sequence[ev.Event]) -> None:
        """Tell the scene where on the table marbles start or end when ``events`` move them.

        Call this before animating ``events``. The last move in ``plies`` must be one of those that caused them.
        """


class ActionsInterface(players.ActionsInterface, Protocol):
    """The actions available to players in the match."""

    message: str
    """Current message; empty if there is none."""
    message_spot: Spot | None
    """Spot that the current message is about, or None."""
    message_hover_spot: Spot | None
    """Spot that was active when the last message without a spot was shown, or None if no spot was active.

    The message is hidden while another spot is active.
    """

    def play_move(self, move: Move, may_end_turn: bool = False) -> None:
        """Make a move that was chosen off the board, for example with a button.

        If ``may_end_turn`` is true, the move needs no confirmation, even if it ends the turn.
        """

    def report_rule_failure(self, problem: RuleFailure) -> None:
        """Clear the selection, and report that the match can't continue from here because its rules have failed."""

    def undo_to_step(self, step: int) -> None:
        """Undo steps of the current turn until only the first ``step`` remain, or until one can't be undone.

        No step is undone while an earlier position is shown or a computer player is to move.
        """

    def choose_colour(self, index: int) -> bool:
        """Select a colour in the tray by its index; return whether it was selected.

        Nothing is selected if the tray has only one colour or if ``index`` is too high.
        """

    def move_label(self, move: Move) -> str:
        """Return the button text for a move."""

    def explain_word(self, word: str) -> str:
        """Return the explanation of a term used by the game or the program, or an empty string if there is none."""


class PointerInterface(Protocol):
    """Interface of the pointer and the keyboard cursor in the marble view."""

    cursor: Spot | None
    hovered_spot: Spot | None
    hovered_marble: tuple[int, int] | None
    """Board and point of the marble under the pointer, or None if there is no marble there or it is a target."""
    rested_marble: tuple[int, int] | None
    """Board and point of the marble on which the pointer has rested, or None."""
    overlapping_targets: list[Spot]
    """Targets that overlap under the pointer, frontmost first."""
    overlap_index: int
    selected_board: int | None
    """Index of the board that the user selected, or None."""

    @property
    def active_spot(self) -> Spot | None:
        """Spot under the keyboard cursor or, if there is no cursor, under the pointer."""

    @property
    def board(self) -> int:
        """Index of the board in use: the selected board or, if none is selected, that of the active spot.

        If there is no active spot either, it is the board of the first target, or board 0 if there are no targets.
        """

    def spot_position(self, spot: Spot) -> tuple[float, float]:
        """Return the position of a spot in the window, in logical pixels."""

    def spot_radius(self, spot: Spot) -> float:
        """Return the apparent radius of a marble at a spot, in logical pixels."""

    def on_spot_click(self, spot: Spot) -> None:
        """Handle a click on a point of a plan."""

    def on_spot_hover(self, spot: Spot | None) -> None:
        """Handle the pointer moving onto or off a point of a plan.

        ``spot`` is None if the pointer is on no point.
        """

    def on_spot_cancel(self, spot: Spot | None) -> None:
        """Handle a right click on ``spot`` or, if ``spot`` is None, away from all spots."""


class SignLayerInterface(Protocol):
    """Signs drawn over the boards."""

    def plan_signs(self) -> tuple[list[Sign], list[Ghost]]:
        """Return the signs and ghosts to draw over a plan."""

    def target_signs(self, targets: Sequence[Spot] | None = None) -> list[Sign]:
        """Return the signs of ``targets``, by default of all legal targets."""

    def preview_signs(self, preview: Preview) -> tuple[list[Sign], list[Ghost]]:
        """Return the signs and ghosts that preview the effect of a move."""
