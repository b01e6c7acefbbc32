"""Page of the position editor: a board, a tray of marbles, and buttons to play, analyse or solve."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from shibumi3d.catalogue.schema import CatalogueError, Entry
from shibumi3d.i18n import N_, _, language, localize_texts
from shibumi3d.match.marbles import marble_state
from shibumi3d.match.match import Match
from shibumi3d.rules.errors import GameFileError, RuleFailure
from shibumi3d.rules.marbles.bits import iter_bits
from shibumi3d.rules.marbles.colours import COLOURS
from shibumi3d.rules.wording import capitalize_first, describe_result
from shibumi3d.scene.frame import Frame
from shibumi3d.scene.marbles.signs import Ghost, Sign, SignKind
from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import BODY_TEXT_PX, HEADING_PX, Style
from shibumi3d.wording import game_title

from ...host import shortcuts
from ...host.board_view import BoardView
from ...host.window_page import back_button_label
from ...match.accessibility import board_elements
from ...match.marble_view.boards import BoardOverlay, BoardsPage
from ...match.messages import PositionAnswers
from ...match.model import OpenPosition
from ...ui.accessibility import BoardElement
from ...ui.button import Button, layout_row, shrink_to_fit
from ...ui.canvas import Canvas, paint_card_background
from ...ui.dropdown import Dropdown
from ...ui.panel import Panel
from ...ui.widget import Key
from . import actions
from .actions import EditorActions
from .pointer import EditorPointer
from .position import EditablePosition, editable_position
from .tools import REMOVE_TOOL, ToolButton

if TYPE_CHECKING:
    from ...host import Host
    from ...host.window_page import WindowPage


EDIT_TIP_TEXTS = {
    "copy": N_("Copy as text  Ctrl+C"),
    "analyse": N_("Evaluation and best moves  A"),
    "solve": N_("Look for a solution  S"),
    "play": N_("Play from here  P"),
}
EDIT_BUTTON_TEXTS = {
    "copy": N_("Copy"),
    "analyse": N_("Analyse"),
    "solve": N_("Solve"),
    "play": N_("Play from here"),
}

TOP_BAR_HEIGHT_PX, LINE_HEIGHT_PX = 44, 48
CAPTION_WIDTH_PX = 420
"""Width reserved for the message below the board, in logical pixels."""


class PositionEditorPage(BoardsPage):
    """Page of the position editor.

    Its back button leads to ``return_to`` or, if that is None, to the home page.
    """

    page_name = "edit"
    has_narrow_layout = True
    shortcuts = shortcuts.POSITION_EDITOR_SHORTCUTS
    actions: EditorActions

    def __init__(
        self, app: Host, position: EditablePosition, entry: Entry, return_to: WindowPage | None = None
    ) -> None:
        self.position, self.return_to = position, return_to
        super().__init__(app, position.match, entry)
        actions = self.actions
        self.overlay = BoardOverlay(self)
        self.questions = PositionAnswers(self)
        self.announcement_sources = (self.current_message,)
        self.top_bar, self.bottom_bar = Panel("page", "bottom"), Panel("page", "top")
        self.back_button = Button(_("Back"), self.go_back, icon="back", kind="quiet", name="back")
        self.back_button.accessible_name = back_button_label(return_to)
        self.copy_button = self._make_button("copy", actions.copy_text, "copy")
        self.analyse_button = self._make_button(
            "analyse", lambda: actions.start_match(with_analysis=True), "analysis"
        )
        self.solve_button = self._make_button("solve", actions.solve, "hint")
        self.play_button = self._make_button("play", actions.start_match, "play", "main")
        self.tool_buttons = [ToolButton(tool, actions.select_tool) for tool in range(REMOVE_TOOL + 1)]
        self.undo_button = self._make_icon_button(_("Undo  Ctrl+Z"), actions.undo, "undo")
        self.redo_button = self._make_icon_button(_("Redo  Ctrl+Y"), actions.redo, "redo")
        self.clear_button = Button(
            _("Clear"),
            lambda: actions.finish_change(self.position.clear_boards(), _("All marbles removed.")),
            kind="quiet",
            tip=_("Remove all marbles"),
            name="clear",
        )
        self.stocks_button = Button(
            _("Off-board marbles…"),
            actions.show_stocks_card,
            kind="quiet",
            tip=_("Edit the marbles that aren't on the board"),
            name="stocks",
        )
        facts, draft = position.facts, position.draft
        seats = [_("{who} to move", who=name) for name in position.names]
        self.mover_dropdown = Dropdown(
            seats,
            draft.to_move,
            lambda n: actions.finish_change(self.position.set_seat_to_move(n)),
            name="to move",
            default_index=draft.to_move,
        )
        self.mover_dropdown.visible = len(seats) > 1
        phases = [capitalize_first(localize_texts(phase)) for phase in facts.phases] or [""]
        phase = min(draft.phase, len(phases) - 1)
        self.phase_dropdown = Dropdown(
            phases,
            phase,
            lambda n: actions.finish_change(self.position.set_phase(n)),
            name="phase",
            default_index=phase,
        )
        self.phase_dropdown.visible = len(facts.phases) > 1
        self.sizes = sorted(entry.with_variant(position.match.game.variant).sizes)
        size_index = self.sizes.index(position.size) if position.size in self.sizes else 0
        self.size_dropdown = Dropdown(
            [_("Size {size}", size=size) for size in self.sizes],
            size_index,
            actions.change_size,
            name="size",
            default_index=size_index,
        )
        self.size_dropdown.visible = len(self.sizes) > 1
        self.stocks_button.visible = bool(position.editable_stocks)
        self.add(self.view, self.overlay, self.top_bar, self.bottom_bar, self.back_button)
        self.add(
            self.copy_button,
            self.analyse_button,
            self.solve_button,
            self.play_button,
            *self.tool_buttons,
            self.mover_dropdown,
            self.phase_dropdown,
            self.size_dropdown,
        )
        self.add(self.stocks_button, self.clear_button, self.undo_button, self.redo_button)
        self.update()

    def _make_button(self, name: str, action: Callable[[], None], icon: str, kind: str = "plain") -> Button:
        tip = _(EDIT_TIP_TEXTS[name])
        return Button(
            _(EDIT_BUTTON_TEXTS[name]), action, icon=icon, kind=kind, tip=tip, name=f"{name} position"
        )

    def _make_icon_button(self, tip: str, action: Callable[[], None], icon: str) -> Button:
        return Button("", action, icon=icon, kind="quiet", tip=tip, name=icon)

    is_zen_mode = True

    def make_view(self) -> BoardView:
        self.actions = EditorActions(self)
        self.pointer = EditorPointer(self, self.actions)
        view = BoardView(
            self.app,
            self.marble_scene.sizes,
            self.picture,
            on_click=self.pointer.on_click,
            on_cancel=self.pointer.on_cancel,
            on_point=self.pointer.on_point,
        )
        view.find_target = self.pointer.spot_at
        return view

    def go_back(self) -> None:
        return_to, self.return_to = self.return_to, None
        if return_to is None or return_to.page_name == "home":
            self.app.pages.show_home()
        else:
            self.app.show_page(return_to.rebuild())

    def switch_position(
        self, position: EditablePosition, history: Sequence[EditablePosition], note: str = ""
    ) -> None:
        page = type(self)(self.app, position, self.entry, self.return_to)
        page.actions.adopt_state(self.actions)
        page.actions.earlier_positions = list(history)
        page.actions.message = note
        page.actions.autosave()
        self.app.show_page(page)
        page.update()

    def board_elements(self) -> Sequence[BoardElement]:
        return board_elements(
            self.marble_scene, self.state, self.view, self.position.names, self.facts.picks_up_marbles
        )

    def heading(self) -> str:
        return _("{game}: position editor", game=game_title(self.entry))

    def rebuild(self) -> PositionEditorPage:
        page = PositionEditorPage(self.app, self.position, self.entry, self.return_to)
        page.actions.adopt_state(self.actions)
        page.view.home_camera, page.view.camera = self.view.home_camera, self.view.camera
        return page

    def on_show(self) -> None:
        path = self.actions.autosave_path
        if path is not None and not self.app.store.claim(path):
            self.actions.autosave_path = (
                None  # the match is now open in another window, so continue with a copy
            )

    def on_leave(self) -> None:
        self.app.solver.cancel()
        if self.actions.autosave_path is not None:
            self.app.store.release(self.actions.autosave_path)

    # Display

    def update(self) -> None:
        self.match, self.visible_position = self.position.match, OpenPosition(self.position.match)
        self.marble_scene.finish()
        marbles = {
            (board, point): colour
            for board, cells in enumerate(self.position.draft.boards)
            for colour, mask in enumerate(cells)
            for point in iter_bits(mask)
        }
        self.marble_scene.timeline.reset(marbles)
        is_over = self.match.state.to_move is None
        for button in (self.play_button, self.analyse_button, self.solve_button):
            button.enabled = not is_over
        self.solve_button.visible = actions.can_solve(self.position)
        for swatch in self.tool_buttons:
            swatch.is_on = swatch.tool == self.actions.tool
        self.mover_dropdown.selected_index, self.phase_dropdown.selected_index = (
            self.position.draft.to_move,
            self.position.draft.phase,
        )
        self.undo_button.enabled = self.position.can_undo or bool(self.actions.earlier_positions)
        self.redo_button.enabled = self.position.can_redo
        if self.rect.w:
            self.layout(self.rect)
        self.refresh()

    at_ply, viewer = 0, None
    """Used by :class:`.PositionAnswers`: no moves have been made, and nothing is hidden."""

    def show_note(self, sentence: str) -> None:
        self.actions.message = sentence
        self.refresh()

    def active_spot_key(self) -> str:
        """Return the name of the point under the keyboard cursor or the pointer, or "" if there is none."""
        spot = self.pointer.active_spot
        return (
            marble_state(self.match.initial_state).point_name(spot.point, spot.board)
            if spot is not None
            else ""
        )

    def current_message(self) -> str:
        """Return the message of the latest action or, if there is none, the caption."""
        return self.actions.message or self.caption()

    def caption(self) -> str:
        """Return instructions for editing, or the result if the match is over in this position."""
        if self.match.state.to_move is None:
            return _(
                "The match is over in this position – {end}.",
                end=describe_result(
                    self.match.state, language(), self.names, score_unit=self.facts.score_unit
                ),
            )
        return _("Choose a colour, then click to place a marble. Right-click a marble to remove it.")

    def picture(self, now: float, aspect: float) -> Frame:
        signs: list[Sign] = []
        ghosts: list[Ghost] = []
        if self.app.settings.marks == "always" and self.actions.tool != REMOVE_TOOL:
            signs = [
                Sign(SignKind.LEGAL, board, point)
                for board in range(len(self.marble_scene.sizes))
                for point in iter_bits(self.position.playable_mask(board))
            ]
        active_spot = self.pointer.active_spot
        if active_spot is not None:
            there = self.position.colour_at(*active_spot[:2])
            if there < 0 and self.actions.tool != REMOVE_TOOL:
                ghosts = [Ghost(active_spot.board, active_spot.point, self.actions.tool)]
            elif there >= 0 and self.actions.tool in (REMOVE_TOOL, there):
                signs.append(Sign(SignKind.DOOMED, active_spot.board, active_spot.point))
            elif there >= 0:
                signs.append(
                    Sign(SignKind.RECOLOURED, active_spot.board, active_spot.point, (self.actions.tool,))
                )
            if self.pointer.cursor is not None:
                signs.append(Sign(SignKind.CURSOR, active_spot.board, active_spot.point))
        return self.make_frame(now, aspect, signs, ghosts)

    def layout(self, rect: Rect) -> None:
        super().layout(rect)
        canvas = self.app.canvas
        canvas.scale = self.app.scale
        top, rest = rect.cut_top(TOP_BAR_HEIGHT_PX)
        self.top_bar.layout(top)
        self.back_button.is_icon_only = self.is_narrow
        layout_row(Rect(top.x + 8, top.y, 120, top.h), [self.back_button], canvas)
        right = [self.copy_button, self.analyse_button, self.solve_button, self.play_button]
        shrink_to_fit(right, canvas, top.w - 310)
        self._buttons_width = layout_row(Rect(top.x, top.y, top.w - 14, top.h), right, canvas, align=1)
        lines = self._button_lines(rect.w - 28, canvas)
        bar, rest = rest.cut_bottom(LINE_HEIGHT_PX * len(lines))
        self.bottom_bar.layout(bar)
        for index, buttons in enumerate(lines):
            layout_row(
                Rect(bar.x + 14, bar.y + LINE_HEIGHT_PX * index, bar.w - 28, LINE_HEIGHT_PX), buttons, canvas
            )
        layout_row(
            Rect(bar.x, bar.y, bar.w - 14, LINE_HEIGHT_PX),
            [self.undo_button, self.redo_button],
            canvas,
            gap=2,
            align=1,
        )
        self.view.layout(rest)
        self.overlay.layout(rest)
        self.view.fit((), [self._message_rect(CAPTION_WIDTH_PX)])

    def _button_lines(self, width: float, canvas: Canvas) -> list[list[Button]]:
        """Arrange the visible buttons of the bottom bar in rows that fit into ``width``.

        The first row begins with the tool buttons. Undo and redo aren't included, but the first row leaves room for
        them.
        """
        lines: list[list[Button]] = [[*self.tool_buttons]]
        room = width - 76  # the undo and redo buttons are at the right end of the first line
        remaining_width = room - sum(button.preferred_width(canvas) + 6 for button in self.tool_buttons)
        for button in (
            self.mover_dropdown,
            self.phase_dropdown,
            self.size_dropdown,
            self.stocks_button,
            self.clear_button,
        ):
            if not button.visible:
                continue
            need = button.preferred_width(canvas) + 6
            if need > remaining_width:
                lines.append([])
                remaining_width = width
            lines[-1].append(button)
            remaining_width -= need
        return lines

    _buttons_width = 0.0

    def _message_rect(self, max_width: float) -> Rect:
        area = self.view.rect
        wide = min(max_width, area.w - 24)
        return Rect(area.cx - wide / 2, area.bottom - 44, wide, 32)

    def draw(self, canvas: Canvas, style: Style) -> None:
        super().draw(canvas, style)
        left = self.back_button.rect.right + 10
        space = Rect(left, 0, self.rect.w - self._buttons_width - 24 - left, TOP_BAR_HEIGHT_PX)
        heading = _("{game}: position editor", game=game_title(self.entry))
        canvas.text_fit(space, heading, style.ink, "title", HEADING_PX - 2)
        text = self.current_message()
        box = self._message_rect(canvas.text_width(text, "sans", BODY_TEXT_PX) + 24)
        paint_card_background(canvas, style, box, 6)
        canvas.text_fit(box.inset(12, 0), text, style.ink, "sans", BODY_TEXT_PX)

    # Keys

    def on_key(self, key: Key) -> bool:
        editor_actions = self.actions
        actions: Mapping[str, Callable[[], object]] = {
            "escape": self.go_back,
            "ctrl+z": editor_actions.undo,
            "ctrl+shift+z": editor_actions.redo,
            "ctrl+y": editor_actions.redo,
            "ctrl+c": editor_actions.copy_text,
            "ctrl+v": editor_actions.paste_text,
            "p": editor_actions.start_match,
            "a": lambda: editor_actions.start_match(with_analysis=True),
            "s": editor_actions.solve,
            **self.questions.bindings(),
            "ctrl+o": self.app.pages.show_saved_games,
            "ctrl+n": self.app.pages.show_home,
            **{str(n + 1): partial(editor_actions.select_tool, n) for n in range(REMOVE_TOOL + 1)},
        }
        return self.handle_shortcut(key, actions, self._handle_view_key)

    def _handle_view_key(self, key: Key) -> bool:
        """Handle a key for the camera or the cursor; return whether it was handled."""
        return self.camera_controls.on_key(key) or (
            self.app.root.focus is None and self.pointer.handle_key(key)
        )

    def trace_values(self) -> Mapping[str, object]:
        state, cursor = marble_state(self.match.initial_state), self.pointer.cursor
        return {
            "points": self.pointer.click_positions(),
            "boards": list(state.boards),
            "note": self.current_message(),
            "cursor": "" if cursor is None else state.point_name(cursor.point, cursor.board),
            "chosen": "take" if self.actions.tool == REMOVE_TOOL else COLOURS[self.actions.tool],
        }


def edit_match(app: Host, match: Match, plies: int, entry: Entry) -> None:
    """Open the position editor for a match after its first ``plies`` moves.

    The editor shows the start of the turn in progress or, if the match is over after these moves, the final position.
    Leaving the editor returns to the current page. If no turn can begin there, show a message instead.
    """
    try:
        position = editable_position(match, plies)
    except (RuleFailure, ValueError) as problem:
        app.show_message(_("Couldn't start this game: {problem}.", problem=problem))
    else:
        app.show_page(PositionEditorPage(app, position, entry, app.current_page))


def edit_game(
    app: Host,
    entry: Entry,
    names: Sequence[str],
    player_types: Sequence[str],
    size: int,
    variant: str,
    options: Mapping[str, int | str],
) -> None:
    """Open the editor with the starting position of a game, for the given seats and options.

    If the game isn't played with marbles or can't begin, show a message instead.
    """
    try:
        game = entry.game(size=size, variant=variant, options=options)
        if not game.size:
            app.show_message(_("The position editor doesn't support this game."))
            return
        position = EditablePosition(game, names, random.randrange(1_000_000), player_types)
    except (CatalogueError, GameFileError, RuleFailure, ValueError) as problem:
        app.show_message(_("Couldn't start this game: {problem}.", problem=problem))
    else:
        app.show_page(PositionEditorPage(app, position, entry, app.current_page))
