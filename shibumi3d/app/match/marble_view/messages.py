"""Messages of the page: the message line, labels beside points, and background tasks whose results they show."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from shibumi3d.i18n import _, language, localize
from shibumi3d.match.marbles import marble_state
from shibumi3d.match.special_moves import SWAP
from shibumi3d.rules.marbles.pyramid import get_pyramid
from shibumi3d.rules.marbles.state import State
from shibumi3d.rules.marbles.wording.names import colour_name
from shibumi3d.rules.wording import capitalize_first
from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import BODY_TEXT_PX, Style
from shibumi3d.search.solver import SolveResult
from shibumi3d.search.worker import Answer

from ...ui.canvas import Canvas
from ...ui.prose import ExplainedSentence
from ...ui.widget import InertWidget
from .choices import ChoiceButton
from .controller import Spot
from .interfaces import MarblePage

if TYPE_CHECKING:
    from shibumi3d.rules.marbles.move import Move


FILE_CHECK_SECONDS = 0.7
"""Interval between checks of a game file for changes, in seconds."""
MAX_SOLVER_MOVES = 60_000
"""Maximum number of moves that the solver tries when deciding whether a position can still be won."""


class BackgroundTasks:
    """Background tasks of a match page with marbles.

    They watch the game's file, and check whether a solo or cooperative match can still be won.
    """

    def __init__(self, page: MarblePage) -> None:
        self.page, self.model, self.controller, self.marble_scene = (
            page,
            page.model,
            page.controller,
            page.marble_scene,
        )
        self.is_lost = False
        """Whether to say that the match can't be won any more from the position shown."""

    def start(self) -> None:
        """Start watching the game's file; called when the page is shown.

        Built-in games have no file to watch. In lessons, the file isn't watched.
        """
        file = self.page.app.matches.game_file(self.page.entry)
        if file is not None and not self.page.is_lesson:
            self.watch_file(file, _file_stamp(file))

    def watch_file(self, file: Path, stamp: object) -> None:
        """Until the page is left, check the file every :data:`FILE_CHECK_SECONDS`, and reload the rules if it changes.

        ``stamp`` is the result of :func:`_file_stamp` when the file was last read. Reloading opens a new page. If it
        fails, the reason is shown, the match keeps its rules, and watching continues.
        """

        def check_file() -> None:
            if not self.page.is_current:
                return
            now = _file_stamp(file)
            if now in (None, stamp):
                self.watch_file(file, stamp)
                return
            problem = self.page.app.matches.reload_rules(self.model.match, self.page.entry, file)
            if isinstance(problem, str):
                self.page.actions.message, self.page.actions.message_spot = problem, None
                self.page.refresh()
                self.watch_file(file, now)

        self.page.app.schedule(FILE_CHECK_SECONDS, check_file)

    def check_whether_lost(self) -> None:
        """Ask the solver whether the players of a solo or cooperative game can still win.

        :attr:`is_lost` is False until the solver finds that the position shown can't be won. The solver is asked only
        if the user wants to be warned when the game can't be won, or if the match is over. It isn't asked in games
        played for the highest score, about the end position of a match, or again while the same position is shown.
        """
        state = self.model.state
        wanted = self.page.app.settings.verdicts or self.model.match.state.to_move is None
        if (
            self._solver_query is not None
            and self._solver_query[0] is state
            and self._solver_query[1] == wanted
        ):
            return
        query: tuple[State, bool] = (state, wanted)
        self._solver_query = query
        self.is_lost = False
        if not wanted or state.to_move is None or self.page.facts.solver != "win":
            return

        def on_answer(answer: Answer) -> None:
            verdict = answer.value
            if answer.error is None and isinstance(verdict, SolveResult) and self._solver_query is query:
                self.is_lost = verdict.is_winnable is False
                self.page.refresh()

        self.page.app.solver.submit(
            on_answer, "solve", self.model.match.game, state, max_moves=MAX_SOLVER_MOVES, delay_seconds=0.8
        )

    _solver_query: tuple[State, bool] | None = None
    """Position last checked, and whether the solver's verdict on it was wanted; None before the first check."""


def _file_stamp(file: Path) -> tuple[int, int] | None:
    """Return the modification time (in ns) and the size of a file, or None if it can't be read."""
    try:
        file_status = file.stat()
    except OSError:
        return None
    return file_status.st_mtime_ns, file_status.st_size


class MessageLine(ExplainedSentence):
    """Line that shows remarks and errors, a preview of the move under the pointer, or what the last move did."""

    is_static = True

    def __init__(self, page: MarblePage, background_tasks: BackgroundTasks) -> None:
        super().__init__()
        self.page, self._background_tasks = page, background_tasks

    def current_message(self) -> tuple[str, bool]:
        """Return the message, and whether to emphasize it.

        Remarks, such as the reason why a click was refused, are emphasized, and so are errors in the rules or in saving
        the match.
        """
        page = self.page
        active, choice = page.pointer.active_spot, self._hovered_move() if page.model.is_live else None
        actions, pointed = page.actions, active is not None and active != page.actions.message_hover_spot
        if actions.message and (actions.message_spot is not None or not (pointed or choice)):
            return actions.message, True
        if page.controller.rule_failure:
            return _("{text}.", text=capitalize_first(localize(page.controller.rule_failure))), True
        if page.model.is_revealing:
            return "", False
        if not page.model.is_live:
            return (
                _("This position can no longer be won.")
                if self._background_tasks.is_lost
                else _("You're viewing an earlier position. The game itself hasn't changed.")
            ), False
        if choice is not None:
            return page.controller.describe_outcome(choice), False
        if page.controller.unconfirmed_move is not None:
            return _(
                "{told}. Enter confirms, Esc cancels.",
                told=page.controller.describe_outcome(page.controller.unconfirmed_move),
            ), False
        held = marble_state(page.match.state).held
        if active is None and page.pointer.hovered_marble is not None:
            board, point = page.pointer.hovered_marble
            colour = page.marble_scene.marbles.get((board, point), -1)
            name = get_pyramid(page.state.size).point_names[point]
            if colour >= 0:
                name = _("{point}, {colour}", point=name, colour=colour_name(colour, language()))
            return name, False
        if active is not None:
            text = page.controller.describe_click(active)
            if text:
                shapes = page.controller.shapes.orientation_count_at(active)
                if shapes > 1:
                    number = page.controller.shapes.rotation % shapes + 1
                    text = _(
                        "{told}  ({number} of {shapes}, press ; to rotate)",
                        told=text,
                        number=number,
                        shapes=shapes,
                    )
                return text, False
            if held is not None and (held[2], held[1]) == active[:2]:
                return _("Put it back"), False
        if page.match.autosave_problem:
            return _("{text}.", text=capitalize_first(localize(page.match.autosave_problem))), True
        if self._background_tasks.is_lost:
            return _("This position can no longer be won."), False
        if page.special_move_button.visible:
            if page.special_moves.available_move() != SWAP:
                return _("This position has occurred three times: you can claim a draw."), False
            return _(
                "Instead of making a move, you can swap seats and take over your opponent's first turn."
            ), False
        if page.model.reveal_outcome():
            return page.model.reveal_outcome(), False
        plies = page.match.plies
        if plies and page.model.is_ply_hidden(len(plies) - 1):
            return _("{who} chose in secret", who=page.names[plies[-1].seat]), False
        if plies:
            return page.describe_move(len(plies) - 1), False
        return "", False

    def _hovered_move(self) -> Move | None:
        """Return the move of the button under the pointer, or None."""
        button = self.page.app.root.hovered
        if isinstance(button, ChoiceButton):
            return button.choice
        if button is self.page.end_turn_button:
            return self.page.controller.finishing_move
        return self.page.controller.pass_move if button is self.page.pass_button else None

    def paint_key(self) -> object:
        return self.current_message(), self.page.is_zen_mode

    def paint(self, canvas: Canvas, style: Style) -> None:
        text, strong = self.current_message()
        area = self.rect
        if self.page.is_zen_mode and text:
            width = min(area.w, canvas.text_width(text, "sans", BODY_TEXT_PX) + 24)
            self.draw_card(canvas, style, Rect(area.x, area.cy - 16, width, 32))
            area = Rect(area.x + 12, area.y, width - 24, area.h)
        self.draw_sentence(
            canvas, area, text, style.amber if strong else style.secondary_ink, "sans", BODY_TEXT_PX
        )


def place_beside_marble(area: Rect, x: float, y: float, radius: float, width: float, height: float) -> Rect:
    """Return a rectangle of size ``width`` × ``height`` beside a marble, inside ``area`` if there is room.

    The centre of the marble is at (``x``, ``y``). The rectangle is to the right of the marble if there is room,
    otherwise to the left, above or below.
    """
    top = min(max(area.y, y - radius * 0.6 - height), area.bottom - height)
    right, left = x + radius * 0.9 + 6, x - radius * 0.9 - 6 - width
    if right + width <= area.right:
        return Rect(right, top, width, height)
    if left >= area.x:
        return Rect(left, top, width, height)
    # There is no room to the right or left.
    above, below = y - radius - 6 - height, y + radius + 6
    return Rect(
        max(area.x, min(x - width / 2, area.right - width)),
        above if above >= area.y else below,
        width,
        height,
    )


class PointLabel(InertWidget):
    """Label beside a point, showing either a message about the point or its name.

    If there is no message, the label names the spot that is active, either under the keyboard cursor or under the
    pointer. It does so only while the current position is shown and nothing moves.
    """

    def __init__(self, page: MarblePage) -> None:
        super().__init__()
        self.page = page

    def paint(self, canvas: Canvas, style: Style) -> None:
        page = self.page
        if page.actions.message_spot is not None:
            self._paint_label(canvas, style, page.actions.message_spot, page.actions.message, True)
        elif (
            page.model.is_live
            and page.pointer.active_spot is not None
            and not page.marble_scene.is_animating(page.animation_time())
        ):
            spot = page.pointer.active_spot
            name = get_pyramid(page.state.size).point_names[spot.point]
            if len(page.pointer.overlapping_targets) > 1 and page.pointer.hovered_spot == spot:
                number, count = page.pointer.overlap_index + 1, len(page.pointer.overlapping_targets)
                name = _(
                    "{point}  ({number} of {most} here, Tab for the next)",
                    point=name,
                    number=number,
                    most=count,
                )
            self._paint_label(canvas, style, spot, name, False)

    def _paint_label(self, canvas: Canvas, style: Style, spot: Spot, text: str, is_message: bool) -> None:
        page = self.page
        x, y = page.pointer.spot_position(spot)
        radius = page.pointer.spot_radius(spot)
        lines = canvas.wrap(text, "sans", 14, 300)
        width = max(canvas.text_width(line, "sans", 14) for line in lines) + 18
        height = 19 * len(lines) + 9
        box = place_beside_marble(self.rect.inset(6), x, y, radius, width, height)
        canvas.shadow(box, style.shadow)
        canvas.rect(box, style.card, 5)
        canvas.outline(box, style.amber if is_message else style.hairline, 5)
        for number, line in enumerate(lines):
            place = Rect(box.x + 9, box.y + 5 + 19 * number, width - 12, 19)
            canvas.text_in(place, line, style.amber if is_message else style.ink, "sans", 14)
