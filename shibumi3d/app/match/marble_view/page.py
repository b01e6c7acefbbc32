"""Page for a match with marbles, and its elements for screen readers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from shibumi3d.catalogue.schema import Entry
from shibumi3d.i18n import _, language, pgettext
from shibumi3d.match.marbles import events_of, marble_events, marble_state
from shibumi3d.match.match import Match
from shibumi3d.match.special_moves import last_turn
from shibumi3d.rules.marbles.colours import COLOURS
from shibumi3d.rules.marbles.wording import sentences
from shibumi3d.rules.marbles.wording.names import display_name, point_name
from shibumi3d.rules.marbles.wording.terminal_text import format_contents
from shibumi3d.rules.wording import capitalize_first
from shibumi3d.scene.frame import Mark
from shibumi3d.scene.marbles.exploded_view import ExplodedView
from shibumi3d.scene.marbles.signs import Ghost, Sign, SignKind
from shibumi3d.scene.marbles.table_objects import Heap
from shibumi3d.scene.marbles.tabletop import Tabletop
from shibumi3d.scene.rect import Rect

from ...board_descriptions import BoardDescriber, level_name
from ...host import shortcuts
from ...host.board_view import BoardView
from ...ui.accessibility import Action, BoardElement
from ...ui.button import Button
from ...ui.panel import Panel
from ..accessibility import square_around
from ..evaluation import EvaluationBar
from ..game_preview import RulesExample
from ..move_list import MarbleMoveList
from ..page import MatchPage
from ..side_panel import SidePanel
from .actions import MarbleActions
from .board_views import ExplodedViewControl, FlatPlan, HiddenTargetsButton, LevelStrip
from .boards import BoardOverlay, BoardsPage
from .choices import ChoicePanel, ColourTray, StepIndicator
from .computers import MarbleComputerPlayers
from .controller import Controller, Spot
from .highlights import SignLayer
from .hints import MarbleHints
from .input import BoardPointer, TableMarbles
from .layout import PageLayout
from .messages import BackgroundTasks, MessageLine, PointLabel
from .model import MarbleMatchModel
from .picking_targets import clickable_spots
from .playback import Playback
from .seat_cards import SeatCard
from .shortcuts import MarbleShortcuts

if TYPE_CHECKING:
    from shibumi3d.rules.game import Event, State

    from ...host import Host


def list_board_elements(page: MarbleMatchPage) -> list[BoardElement]:
    """Return screen reader elements for visible marbles, empty points that can take one, and clickable spots.

    These elements are sorted by board, level (lowest first) and point. They are followed by elements for the players'
    dishes of taken marbles and, if any spot is clickable, for the colours to choose from.
    """
    marble_scene, controller, pointer = page.marble_scene, page.controller, page.pointer
    clickable = (
        clickable_spots(controller) if page.model.is_live and not controller.is_computer_turn else set[Spot]()
    )
    state = page.model.state
    describer = BoardDescriber(state.size, marble_scene.marbles, page.facts.picks_up_marbles)
    # A marble that is also clickable is listed only once, because this is a set.
    spots = {*clickable, *(Spot(board, point) for board, point in marble_scene.marbles)}
    aimed_at = {spot[:2] for spot in clickable}
    for board in set(range(len(state.board_names))) - page.model.covered_boards:
        spots |= {Spot(*hole) for hole in describer.placeable_points(board) - aimed_at}
    geometry = describer.geometry
    marked = _describe_advice(page)
    elements = []
    for spot in sorted(
        spots, key=lambda spot: (spot.board, geometry.level[spot.point], spot.point, spot.side)
    ):
        words, action_text = [geometry.point_names[spot.point]], ""
        if spot.side < 0:
            words += describer.describe_point(spot.board, spot.point)
        words += marked.get(spot[:2], ())
        if spot in controller.targets:
            action_text = controller.describe_click(spot) or _("can be chosen")
            for name in (point_name(state, spot.board, spot.point, language(), page.names), *words[:1]):
                action_text = action_text.removeprefix(name).lstrip(" –,")

        def press(spot: Spot = spot) -> None:
            pointer.on_spot_click(spot)
            page.refresh()

        elements.append(
            BoardElement(
                pointer.spot_name(spot),
                ", ".join(words),
                square_around(*pointer.spot_position(spot), pointer.spot_radius(spot)),
                press if spot in clickable else None,
                level_name(state, spot.board, spot.point, page.names),
                spot[:2] in marble_scene.marbles,
                action_text,
                describer.describe_lines(spot.board, spot.point),
            )
        )
    return [*elements, *_list_dishes(page), *(_list_colours(page) if clickable else ())]


def _describe_advice(page: MarbleMatchPage) -> dict[tuple[int, int], list[str]]:
    """Return descriptions of the marks for the hint and the analysis: a list for each (board, point).

    The result is empty on a computer player's turn.
    """
    result: dict[tuple[int, int], list[str]] = {}
    for sign in page.overlay_signs()[0] if not page.controller.is_computer_turn else ():
        place = result.setdefault((sign.board, sign.point), [])
        if sign.kind is SignKind.HINT:
            place.append(_("marked"))
        elif sign.kind is SignKind.NUMBER:
            place.append(_("number {number} of the best moves", number=sign.number))
    return result


def _list_dishes(page: MarbleMatchPage) -> list[BoardElement]:
    """Return an element for each player's dish of taken marbles.

    The element's name gives the owner and the contents of the dish.
    """
    table = page.tabletop
    heaps = page.table_contents(page.animation_time()).heaps
    elements = []
    for heap in table.own_dishes:
        marbles = Counter(COLOURS[colour] for colour in heaps[heap] if colour >= 0)
        text = _(
            "{who}'s dish: {marbles}",
            who=page.names[heap.seat],
            marbles=format_contents(marbles, language()),
        )
        position = page.view.to_window(table.layout.heaps[heap].label_position)
        elements.append(BoardElement(f"dish {heap.stock} {heap.seat}", text, square_around(*position)))
    return elements


def _list_colours(page: MarbleMatchPage) -> list[BoardElement]:
    """Return an element for each colour to choose from, or an empty list if there are fewer than two."""
    controller = page.controller

    def take(colour: int) -> Action:
        def press() -> None:
            controller.choose_colour(colour)
            page.refresh()

        return press

    def place(colour: int) -> Rect:
        position = page.table_marbles.marble_position(colour)
        return square_around(*position) if position is not None else Rect()

    return [
        BoardElement(
            f"colour {COLOURS[colour]}",
            capitalize_first(display_name(COLOURS[colour], language())),
            place(colour),
            take(colour),
            _("Colours"),
            False,
            _("selected") if colour == controller.next_colour else "",
        )
        for colour in (controller.available_colours if len(controller.available_colours) > 1 else ())
    ]


NARROW_PAGE_HEIGHT_PX = 400.0
"""Height of the page in a narrow window, in logical pixels, at which the whole table is visible without scrolling.

Widgets below the table are not included.
"""


class MarbleMatchPage(MatchPage, BoardsPage):
    """Page for a match with marbles.

    It shows the boards, players, choices, moves and rules.
    """

    shortcuts = shortcuts.PLAY_SHORTCUTS
    has_narrow_layout = True
    model: MarbleMatchModel
    actions: MarbleActions
    computer_players: MarbleComputerPlayers
    advice: MarbleHints
    shortcut_handler: MarbleShortcuts
    flat_view: FlatPlan
    move_list: MarbleMoveList

    def copy_view_from(self, previous: MatchPage) -> None:
        super().copy_view_from(previous)
        if isinstance(previous, MarbleMatchPage):
            self.pointer.last_camera_board = previous.pointer.last_camera_board

    def __init__(self, app: Host, match: Match, entry: Entry) -> None:
        self.model = MarbleMatchModel(match)
        BoardsPage.__init__(self, app, match, entry, self.model)
        self.model.are_boxes_closed = lambda: (
            self.marble_scene.timeline.box_opening(self.animation_time()) < 1.0
        )
        self.side_panel = SidePanel(self, 280.0, 0.5)
        self.page_layout = PageLayout(self)
        self.playback = Playback(self, self.last_turn)
        self.actions = MarbleActions(self, self.playback)
        self.background_tasks = BackgroundTasks(self)
        self.shortcut_handler = MarbleShortcuts(self)
        self.table_marbles = TableMarbles(self)
        self.computer_players = self.make_computers()
        self.advice = self.make_advice()
        self.exploded_view = ExplodedViewControl(self)
        self.create_widgets(16)
        self.previous_button.tooltip, self.next_button.tooltip = (
            _("Previous turn  comma"),
            _("Next turn  full stop"),
        )
        self.seat_cards = [SeatCard(self, seat) for seat in range(len(match.seats))]
        self.tray = ColourTray(self)
        self.choice_panel = ChoicePanel(self)
        self.point_label = PointLabel(self)
        self.hidden_targets_button = HiddenTargetsButton(self, self.exploded_view)
        self.evaluation_bar = EvaluationBar(self.advice)
        self.level_strip = LevelStrip(self)
        self.board_overlay = BoardOverlay(self)
        self.flat_view = FlatPlan(self)
        self.step_indicator = StepIndicator(self)
        self.end_turn_button = Button(
            _("End turn"), self.actions.end_turn, kind="main", name="end turn", tip=_("Ctrl+Enter")
        )
        self.pass_button = Button(_("Pass"), self.actions.pass_turn, name="pass", tip=_("P"))
        self.message_line = MessageLine(self, self.background_tasks)
        self.announcement_sources = (
            lambda: self.message_line.current_message()[0],
            self.status_line.sentence,
        )
        self.rotate_shape_button = Button(
            pgettext("play", "Rotate"),
            lambda: self.actions.rotate_shape(1),
            name="turn shape",
            tip=_("Rotate the shape  semicolon"),
        )
        self.toolbar = Panel("page")
        self.view_buttons = [*self.camera_controls.make_buttons(), *self.shortcut_handler.view_buttons()]
        self.example = RulesExample(app, entry, self.initial_lesson())
        self.move_list = MarbleMoveList(
            self, self.actions.view_ply, self.actions.switch_to_variation, self.explanation_tooltip.set_word
        )
        self.enable_explanations(self.rules_text, self.example.caption, self.status_line, self.message_line)
        self.add(
            self.view,
            self.board_overlay,
            self.flat_view,
            *self.seat_cards,
            self.tray,
            self.choice_panel,
            self.level_strip,
            self.hidden_targets_button,
            self.evaluation_bar,
            self.point_label,
            self.bottom_bar,
            self.result_bar,
        )
        # Tab visits the widgets in this order: those for the current turn come first, and those that leave the match
        # last.
        self.add(
            self.toolbar,
            self.step_indicator,
            self.end_turn_button,
            self.pass_button,
            self.special_move_button,
            self.rotate_shape_button,
            self.message_line,
            self.return_button,
            self.play_from_here_button,
            *self.computer_players.buttons,
            *self.advice.buttons,
        )
        self.add(
            self.undo_button,
            self.redo_button,
            self.replay_turn_button,
            *self.view_buttons,
            self.previous_button,
            self.next_button,
        )
        self.add_top_bar()
        self.add(
            self.side_panel_button,
            self.side_panel_background,
            self.tabs,
            self.move_list,
            self.lesson_choice,
            self.example,
            self.exercise_button,
            self.rules_text,
            self.openings,
            self.explanation_tooltip,
        )
        self.select_tab(0)
        self.update()

    def narrow_layout_height(self, width: float) -> float:
        return NARROW_PAGE_HEIGHT_PX + self.page_layout.height_below_table(width, self.app.canvas)

    def make_computers(self) -> MarbleComputerPlayers:
        """Create the part of the page that makes the computer players' moves."""
        return MarbleComputerPlayers(self)

    def make_advice(self) -> MarbleHints:
        """Create the part of the page that handles hints and analysis."""
        return MarbleHints(self)

    def make_view(self) -> BoardView:
        self.controller = Controller(self.match)
        self.controller.history.plays_forced_moves = self.app.settings.answers
        self.controller.requires_end_turn = lambda: self.app.settings.confirm and not self.is_lesson
        self.pointer = BoardPointer(self)
        self.sign_layer = SignLayer(self)
        view = BoardView(
            self.app,
            self.marble_scene.sizes,
            self.sign_layer.make_frame,
            on_click=self.pointer.on_click,
            on_cancel=self.pointer.on_cancel,
            on_point=self.pointer.on_point,
        )
        view.on_grab, view.on_drop = self.pointer.on_grab, self.pointer.on_drop
        view.find_target, view.on_ctrl_wheel = self.pointer.find_target, self.pointer.on_ctrl_wheel
        view.on_quarter_turn = lambda quarters: self.exploded_view.rotate(quarters)
        return view

    def dish_heap(self) -> Heap | None:
        colour = self.controller.next_colour
        if colour is None or self.actions.is_replaying or not self.model.can_choose:
            return None
        return self.table_marbles.find_heap(colour)

    @property
    def exploded_layout(self) -> ExplodedView | None:  # type: ignore[override]
        return self.exploded_view.current_layout

    @property
    def active_board(self) -> int:
        return self.pointer.board

    def update(self) -> None:
        self._snapshot.invalidate()
        self.clocks.update()
        self.pointer.hovered_spot = self.pointer.hovered_marble = self.table_marbles.hovered_heap = None
        if len(self.controller.available_colours) > 1 and not self.tabletop.objects.has_dish:
            self.tabletop = Tabletop(marble_state(self.match.initial_state), self.facts, always_has_dish=True)
        self.pointer.cursor = self.pointer.cursor if self.pointer.cursor in self.controller.targets else None
        self.background_tasks.check_whether_lost()
        done, passing = self.controller.finishing_move, self.controller.pass_move
        self.end_turn_button.visible = self.model.can_choose and done is not None
        if done is not None:
            if done.kind == "points":
                self.end_turn_button.label = _("Confirm")
            else:
                self.end_turn_button.label = (
                    _("End turn") if self.controller.finishing_move_ends_turn() else _("Continue")
                )
        self.pass_button.visible = self.model.can_choose and passing is not None
        self.rotate_shape_button.visible = (
            self.model.is_live and len(self.controller.shapes.orientations()) > 1
        )
        self.tray.visible = self.page_layout.is_tray_needed()
        self.choice_panel.set_moves(self.controller.other_moves if self.model.can_choose else [])
        self.update_widgets()
        self.move_list.update(self.model.cursor)
        self.relayout()
        self.refresh()

    def on_show(self) -> None:
        super().on_show()
        self.background_tasks.start()
        self.computer_players.update()

    def on_leave(self) -> None:
        super().on_leave()
        self.app.solver.cancel()

    def step_by(self, steps: int) -> None:
        self.playback.look_by(steps)

    def layout(self, rect: Rect) -> None:
        super().layout(rect)
        self.page_layout.layout(rect)

    def show_note(self, sentence: str) -> None:
        self.actions.message, self.actions.message_spot, self.actions.message_hover_spot = (
            sentence,
            None,
            self.pointer.active_spot,
        )
        self.refresh()

    def animate(self, now: float) -> bool:
        moving = super().animate(now)
        self.marble_scene.timeline.speed = self.computer_players.series_controls.motion_setting(
            self.marble_scene.timeline.speed
        )
        self.background_tasks.check_whether_lost()
        moving = self.side_panel.animate(now) or moving
        if self.page_layout.is_laid_out_for_top_view != (self.view.target_camera == self.view.top_camera):
            self.page_layout.layout(self.rect)
        self.hidden_targets_button.update()
        if not moving and self.page_layout.uncover_advised_marbles():
            self.refresh()
        moving = self.example.animate(now) or moving
        if self.page_layout.is_tray_needed() != self.tray.visible:
            self.tray.visible = not self.tray.visible
            self.page_layout.layout(self.rect)
        moving = self.exploded_view.animate(now) or moving
        if not self.marble_scene.is_animating(self.to_animation_time(now)):
            self.actions.end_replay()
        return moving

    def overlay_signs(self) -> tuple[list[Sign], list[Ghost]]:
        """Return the signs and ghosts over the boards.

        On a computer player's turn, they show its pending move; otherwise, they show hints and analysis.
        """
        return (
            self.computer_players.pending_move_signs()
            if self.controller.is_computer_turn
            else self.advice.make_signs()
        )

    def rings(self) -> list[Mark]:
        return [*self.table_marbles.target_rings(), *self.computer_players.pending_move_rings()]

    def covering_rects(self) -> list[Rect]:
        shown = (
            *self.seat_cards,
            self.level_strip,
            self.tray,
            self.choice_panel,
            self.result_bar,
            self.hidden_targets_button,
        )
        if self.is_zen_mode:
            # The view extends below the message line, which has no background in zen mode.
            shown = (*shown, self.message_line)
        return [widget.rect for widget in shown if widget.visible]

    def describe_turn(self, state: State, seat: int, events: Sequence[Event]) -> str:
        return sentences.describe_turn(
            marble_state(state), seat, marble_events(events), language(), self.names
        )

    def edit_position(self) -> None:
        if not self.is_lesson:  # the position of a lesson can't be edited
            super().edit_position()

    def describe_move(self, ply: int) -> str:
        plies = self.match.plies[: ply + 1]
        turn = [plies[each] for each in last_turn(plies) if not self.model.is_ply_hidden(each)]
        events = self.model.observe_events(events_of(turn))
        return sentences.describe_turn(self.model.observation, plies[-1].seat, events, language(), self.names)

    def active_spot_key(self) -> str:
        active = self.pointer.active_spot
        return self.pointer.spot_name(active) if active is not None else ""

    def cursor_rect(self) -> Rect | None:
        cursor = self.pointer.cursor
        if cursor is None:
            return None
        x, y, radius = *self.pointer.spot_position(cursor), self.pointer.spot_radius(cursor)
        return Rect(x - radius, y - radius, 2 * radius, 2 * radius)

    def board_elements(self) -> list[BoardElement]:
        return list_board_elements(self)

    def point_pixels(self) -> dict[str, list[int]]:
        if not self.flat_view.visible:
            points = super().point_pixels()
            return {**points, **{k: v for k, v in self.pointer.click_positions().items() if k in points}}
        return {
            self.pointer.spot_name(spot): self.app.to_window_pixels(*self.flat_view.spot_position(spot))
            for spot in self.flat_view.drawn_spots()
        }

    def trace_values(self) -> Mapping[str, object]:
        pointer = self.pointer
        met = {} if self.flat_view.visible else pointer.click_positions()
        targets = [pointer.spot_name(spot) for spot in self.controller.targets]
        return {
            "points": self.point_pixels(),
            "entries": {name: place for name, place in met.items() if "/" in name},
            "targets": targets,
            "hidden": [name for name in targets if name not in met and not self.flat_view.visible],
            "behind": self.hidden_targets_button.hidden_count,
            "table": self.table_marbles.heap_positions(),
            "cursor": pointer.spot_name(pointer.cursor) if pointer.cursor is not None else "",
            "plies": [ply.move for ply in self.match.plies],
            "status": self.status_line.sentence(),
            "note": self.actions.message,
            "game": self.match.game.id,
            "over": self.result_bar.describe_result() if self.result_bar.visible else "",
        }
