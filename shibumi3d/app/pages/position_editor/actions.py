"""Actions of the position editor: edit, save, undo, play, copy, paste and solve."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from shibumi3d.catalogue.schema import CatalogueError
from shibumi3d.i18n import _, language, localize
from shibumi3d.match.match import Match
from shibumi3d.match.record import RecordError, parse
from shibumi3d.rules.errors import GameFileError, RuleFailure
from shibumi3d.rules.wording import capitalize_first
from shibumi3d.search.solver import BestScore, SolveResult
from shibumi3d.search.worker import Answer

from ...host.solver import explain_unsolved
from ...match.marble_view.controller import Spot
from ...ui.panel import centred_placement
from .position import EditablePosition, editable_position
from .tools import REMOVE_TOOL, StocksCard

if TYPE_CHECKING:
    from shibumi3d.catalogue.schema import Entry
    from shibumi3d.scene.marbles.scene import MarbleScene

    from ...host import Host
    from ...host.board_view import BoardView
    from ...host.window_page import WindowPage
    from ...ui.button import Button


MAX_SOLVER_MOVES = 60_000
"""Maximum number of moves that the solver tries."""


def can_solve(position: EditablePosition) -> bool:
    """Return whether the solver supports the game of ``position`` with its number of players.

    It supports solo and cooperative games in which it can look for a win or the best score. It also supports two-player
    games with perfect information, unless they involve chance or simultaneous moves, or are played as a series.
    """
    facts = position.facts
    open_ = not (facts.has_secrets or facts.has_chance or facts.has_simultaneous_moves or facts.is_series)
    return bool(facts.solver) or (len(position.names) == 2 and open_)


def solve_position(
    app: Host,
    position: EditablePosition,
    on_message: Callable[[str], None],
    on_solution: Callable[[Match, tuple[str, ...]], None],
) -> None:
    """Start solving ``position`` in the background, and pass messages to ``on_message``.

    If a solution is found, ``on_solution`` is called with the position's match and the moves of the solution. In
    competitive two-player games, the result is reported only as a message. If the position changes before the search
    ends, the result is ignored.
    """
    game, match = position.game, position.match
    state = match.state

    def on_answer(answer: Answer) -> None:
        if position.match is not match:
            return  # the position has changed in the meantime
        if answer.error is not None:
            on_message(_("{text}.", text=capitalize_first(localize(answer.error))))
            return
        result = answer.value
        if isinstance(result, SolveResult | BestScore):
            won = result.is_winnable if isinstance(result, SolveResult) else result.score is not None
            if won and result.moves:
                on_solution(match, result.moves)
            else:
                on_message(explain_unsolved(result))
            return
        value, winning = result
        mover = state.to_move
        assert mover is not None
        if value == 1:
            move = game.parse(state, winning[0])
            line = game.move_label(state, move, language(), position.names)
            on_message(_("{who} has a forced win. First move: {move}.", who=position.names[mover], move=line))
        elif value == 0:
            on_message(_("{who} has a forced win.", who=position.names[1 - mover]))
        else:
            on_message(
                _("No solution found: there are too many possibilities to try.")
                if value is None
                else _("Nobody has a forced win here.")
            )

    name = {"win": "solve", "score": "find_best_score", "": "solve_two_player"}[position.facts.solver]
    on_message(_("Looking for a solution…"))
    app.solver.submit(on_answer, name, game, state, max_moves=MAX_SOLVER_MOVES)


class EditorPage(Protocol):
    """Interface through which :class:`EditorActions` and :class:`.EditorPointer` use the position editor's page."""

    app: Host
    match: Match
    entry: Entry
    position: EditablePosition
    return_to: WindowPage | None
    """Page shown when the editor is left, or None for the home page."""
    marble_scene: MarbleScene
    view: BoardView
    sizes: list[int]
    play_button: Button
    """Button that starts a match from the position."""
    solve_button: Button

    def animation_time(self) -> float:
        """Return the current time of the marbles' animations, in seconds."""

    def update(self) -> None:
        """Update the page after a change to the position."""

    def refresh(self) -> None:
        """Request a redraw."""

    def switch_position(
        self, position: EditablePosition, history: Sequence[EditablePosition], note: str = ""
    ) -> None:
        """Switch to another position, and show ``note``.

        ``history`` holds the positions to which undo can return, most recent last.
        """


class EditorActions:
    """Actions for the position editor's keys and buttons.

    After every change, the position is autosaved to a file among the saved games.
    """

    def __init__(self, page: EditorPage) -> None:
        self.page, self.app = page, page.app
        self.autosave_path: Path | None = None
        """File to which the position is saved, or None if there is none yet."""
        self.earlier_positions: list[EditablePosition] = []
        """Positions before each change of the board size, most recent last; undo can return to them."""
        self.tool = 0
        """Selected tool: the number of a colour, or :data:`.REMOVE_TOOL`."""
        self.message = ""

    def adopt_state(self, other: EditorActions) -> None:
        """Take over the file, undo history and selected tool from ``other``, the actions of another page.

        Afterwards, ``other`` has no file.
        """
        self.autosave_path, self.earlier_positions, self.tool = (
            other.autosave_path,
            other.earlier_positions,
            other.tool,
        )
        other.autosave_path = None
        self.page.update()

    def select_tool(self, tool: int) -> None:
        """Select a colour to place, or :data:`.REMOVE_TOOL` to remove marbles."""
        self.tool = tool
        self.page.update()

    def apply_tool(self, spot: Spot) -> None:
        """Use the selected tool at a point, as a left click does.

        If the marble there already has the selected colour, it is removed.
        """
        there = self.page.position.colour_at(*spot[:2])
        if self.tool in (REMOVE_TOOL, there):
            self.remove_marble(spot)
        else:
            self.finish_change(self.page.position.place_marble(spot.board, spot.point, self.tool))

    def remove_marble(self, spot: Spot) -> None:
        """Remove the marble at a point, or show why it can't be removed.

        An empty point is ignored.
        """
        if self.page.position.colour_at(*spot[:2]) < 0:
            return
        why = self.page.position.remove_marble(spot.board, spot.point)
        self.finish_change(why)
        if why:
            self.page.marble_scene.shake(spot.board, spot.point, self.page.animation_time())
            self.app.sounds.play_rejected()

    def finish_change(self, refusal: str, note: str = "") -> None:
        """Save and show a change, or show why it was refused.

        If ``refusal`` is empty, the change was made, and ``note`` is shown. Otherwise, ``refusal`` is the
        reason.
        """
        self.message = refusal or note
        if not refusal:
            self.autosave()
        self.page.update()

    def autosave(self) -> None:
        """Save the position to its file, or to a new one if it has none yet.

        If saving fails, or if the saved position would be unreadable, show a warning instead.
        """
        match = self.page.position.match
        try:
            Match.from_record(parse(match.record().to_text()), match.game)
            if self.autosave_path is None:
                self.autosave_path = self.app.store.save_new(match, datetime.now())
            match.start_autosave(self.autosave_path)
        except (OSError, RecordError, GameFileError) as problem:
            self.app.show_warning(_("Couldn't save the game: {problem}.", problem=problem))

    def undo(self) -> None:
        """Undo the last change, whether to the position or to the board size."""
        if self.page.position.undo():
            self.finish_change("")
        elif self.earlier_positions:
            self.page.switch_position(self.earlier_positions.pop(), self.earlier_positions)

    def redo(self) -> None:
        """Redo the last undone change to the position; a change of the board size can't be redone."""
        if self.page.position.redo():
            self.finish_change("")

    def change_size(self, index: int) -> None:
        """Change the board size to ``page.sizes[index]``, or show why that isn't possible.

        If the position isn't possible on a board of that size, show the starting position and the reason instead.
        """
        try:
            variant, options = self.page.match.game.variant or None, self.page.match.options
            game = self.page.entry.game(size=self.page.sizes[index], variant=variant, options=options)
            position, reason = self.page.position.resized(game)
        except (CatalogueError, GameFileError, RuleFailure, ValueError) as problem:
            self.finish_change(_("{text}.", text=capitalize_first(localize(problem))))
        else:
            note = (
                _(
                    "This position isn't possible on a board of this size, so the starting position is shown. {reason}",
                    reason=reason,
                )
                if reason
                else ""
            )
            self.page.switch_position(position, [*self.earlier_positions, self.page.position], note)

    def show_stocks_card(self) -> None:
        """Open the card for editing the marbles beside the board."""
        card = StocksCard(self.page.position, self.finish_change, self.app.root.close_popup)
        self.app.root.open_popup(card, centred_placement(480, card.preferred_height))

    def copy_text(self) -> None:
        """Copy the position to the clipboard as text."""
        self.app.root.copy_text(self.page.position.match.record().to_text())
        self.message = _("Position copied. Paste it with Ctrl+V.")
        self.page.refresh()

    def paste_text(self) -> None:
        """Replace the game and the position with those on the clipboard, or show why that isn't possible.

        The replacement can't be undone.
        """
        text = self.app.root.paste_text()
        if not text.strip():
            return  # the user has already been told that the clipboard is empty
        try:
            match, entry = self.app.matches.parse_match(text)
            if not match.game.size:
                self.message = _("The position editor doesn't support this game.")
                self.page.refresh()
                return
            position = editable_position(match, len(match.plies))
        except (RecordError, CatalogueError, GameFileError, RuleFailure, ValueError) as problem:
            self.message = _("Couldn't open a game from the clipboard: {problem}.", problem=problem)
            self.page.refresh()
            return
        self.page.entry = entry
        self.page.switch_position(position, ())

    def start_match(self, with_analysis: bool = False) -> None:
        """Start a match from the position, and turn on the analysis if ``with_analysis`` is true.

        The match is saved to the position's file, or to a new one if the position has none. If the Play button is
        disabled, do nothing.
        """
        if not self.page.play_button.enabled:
            return
        path, self.autosave_path = self.autosave_path, None
        self.app.matches.play(self.page.position.match, self.page.entry, path)
        if with_analysis:
            self.app.pages.start_analysis()

    def solve(self) -> None:
        """Start solving the position, if the Solve button is visible and enabled."""
        if self.page.solve_button.visible and self.page.solve_button.enabled:
            solve_position(self.app, self.page.position, self._set_message, self._show_solution)

    def _set_message(self, message: str) -> None:
        self.message = message
        self.page.refresh()

    def _show_solution(self, match: Match, moves: Sequence[str]) -> None:
        """Open a replay of the solution's moves; leaving the replay returns to this page.

        In a game without opponents, the editor may have been opened from an unfinished match. If the solved position
        occurred in that match, the match records that the program has shown the solution.
        """
        source_match = getattr(self.page.return_to, "match", None)
        if (
            isinstance(source_match, Match)
            and source_match.state.to_move is not None
            and self.page.position.facts.solver
        ):
            states = [source_match.initial_state, *[ply.state for ply in source_match.plies]]
            if any(state.repetition_key == match.state.repetition_key for state in states):
                with source_match.save_once():
                    self.app.matches.mark_solution_shown(source_match)
        new_match = self.page.position.new_match()
        for move in moves:
            new_match.play(move)
        self.app.pages.show_replay(new_match, self.page.entry, self.app.current_page, autoplay=True)
