"""What keys and buttons do."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Protocol

from shibumi3d.match.record import RecordError
from shibumi3d.rules.wording import capital
from shibumi3d.scene.rect import Rect

from ...text import say, told
from ...ui.button import Button
from ...ui.core import Key
from .cards import GoCard, LineCard, TypeCard

if TYPE_CHECKING:
    from ...board.coach import Coach
    from ...board.result import ResultBar
    from ...board.view_commands import ViewCommands
    from ...host.view import View
    from ...ui.choice import Tabs
    from .advice import Advice
    from .cards import Written
    from .doing import MarbleDoing
    from .hidden_targets import HiddenTargets
    from .places import Places
    from .plans import Flat
    from .playback import Playback
    from .pointing import Pointing
    from .signs import Signs
    from .spreading import Spreading


class Commanded(Protocol):
    """A match in which keys do something."""

    rect: Rect
    view: View
    coach: Coach | None
    """What says on the pages of lessons what to do."""
    tabs: Tabs
    flat: Flat
    places: Places
    hidden_targets: HiddenTargets
    spreading: Spreading
    result_bar: ResultBar
    view_commands: ViewCommands

    def toggle_flat(self) -> None:
        """Show the levels flat, or the boards again."""

    def keys_of_all(self) -> dict[str, Callable[[], object]]:
        """Return what keys do on every page of a match."""

    def act_on(
        self, key: Key, actions: Mapping[str, Callable[[], object]], other: Callable[[Key], bool]
    ) -> bool:
        """Do what a key means among the ``actions``, else what ``other`` makes of it."""

    def lay_out(self) -> None:
        """Lay what is shown out on a page where it can be changed."""

    advice: Advice
    doing: MarbleDoing
    playback: Playback
    pointing: Pointing
    signs: Signs


class Commands:
    """What keys and buttons do."""

    def __init__(self, page: Commanded, table: Written) -> None:
        self.page, self.table = page, table
        self.session, self.control, self.stage = table.session, table.control, table.stage
        self.zen = False

    def view_buttons(self) -> list[Button]:
        """The buttons that lay the levels apart, and flat, and the position out."""
        return [
            Button(
                say("play.spread"),
                lambda: self.page.spreading.set(not self.page.spreading.on),
                icon="spread",
                kind="quiet",
                tip=say("play.spread.tip"),
                name="spread",
            ),
            Button(
                say("play.plan"),
                self.page.toggle_flat,
                icon="plan",
                kind="quiet",
                tip=say("play.plan.tip"),
                name="plan",
            ),
            Button("", self.page.lay_out, icon="marbles", kind="quiet", tip=say("edit.open"), name="lay out"),
        ]

    def key(self, key: Key) -> bool:
        actions: Mapping[str, Callable[[], object]] = {
            **self.page.keys_of_all(),
            "ctrl+enter": self.page.doing.finish_turn,
            "shift+h": self._solve,
            "p": self.page.doing.pass_now,
            "b": self.page.playback.replay_last,
            "f1": self.page.places.show_rules,
            "ctrl+b": self.page.places.toggle_panel,
            "l": self._next_marks,
            "k": self.toggle_threads,
            "x": lambda: self.page.spreading.set(True),
            "z": self.toggle_zen,
            "v": self.page.hidden_targets.show,
            "/": self.type_move,
            "g": self.go_to_turn,
            "e": self.page.lay_out,
            "ctrl+c": self.copy_moves,
            "f6": lambda: self._next_board(1),
            "shift+f6": lambda: self._next_board(-1),
            ";": lambda: self.turn_shape(1),
            "shift+;": lambda: self.turn_shape(-1),
        }
        return self.page.act_on(key, actions, self._other)

    def _other(self, key: Key) -> bool:
        """What a key means that no command has to itself: the view, steps back, shapes, colours, the cursor."""
        if self.page.view_commands.key(key):
            return True
        if key.chord in ("escape", "backspace") and self._step_back():
            return True
        if key.chord == "escape" and self.page.coach is None and self.table.app.root.focus is None:
            self.table.app.pages.home()  # the match is kept
            return True
        if (
            key.chord == "tab"
            and self.page.pointing.hover is not None
            and len(self.page.pointing.overlap) > 1
        ):
            self.page.pointing.overlap_at = (self.page.pointing.overlap_at + 1) % len(
                self.page.pointing.overlap
            )
            self.page.pointing.hover = self.page.pointing.overlap[self.page.pointing.overlap_at]
            self.table.refresh()
            return True
        if key.name == "enter" and self.control.shapes.turned and self.page.pointing.active is not None:
            # A shape that was turned: Enter lays it where it is shown.
            preview = self.control.preview(self.page.pointing.active)
            if preview is not None and preview.move.kind == "points":
                self.page.doing.play_move(preview.move)
                return True
        if key.chord.isdecimal():
            return self.page.doing.choose_colour(int(key.chord) - 1)
        return self.page.pointing.cursor_key(key)

    def toggle_zen(self) -> None:
        """Hides all but the board, whose turn it is and undo; or shows it again."""
        self.zen = not self.zen
        self.page.places.layout(self.page.rect)
        self.table.refresh()

    def copy_moves(self) -> None:
        """Puts the match as text where other programs can take it from."""
        if any(self.session.masked(number) for number in range(len(self.session.match.plies))):
            self.page.doing.note = say("note.secret")
        else:
            try:
                self.table.app.root.copy(self.session.match.record(undone=True).text())
                self.page.doing.note = say("note.copied")
            except RecordError as problem:
                self.page.doing.note = say("sentence", text=capital(told(problem)))
        self.page.doing.note_at = None
        self.table.refresh()

    def type_move(self) -> None:
        """Asks for a move to be typed."""
        if self.session.live and self.control.moves:
            self._ask_line(TypeCard(self.table))

    def _solve(self) -> None:
        """Plays the answer out, or shows it where the match is lost."""
        if self.session.match.state.to_move is None:
            self.page.result_bar.show_way()
        else:
            self.page.advice.solution.toggle()

    def go_to_turn(self) -> None:
        """Asks after which turn the board is to be shown."""
        if self.session.match.cursor:
            self._ask_line(GoCard(self.table))

    def _ask_line(self, card: LineCard) -> None:
        def place(window: Rect) -> Rect:
            area = self.page.view.rect if self.page.view.visible else self.page.flat.rect
            wide = min(LineCard.SIZE[0], area.w - 28)
            return Rect(area.cx - wide / 2, area.bottom - LineCard.SIZE[1] - 14, wide, LineCard.SIZE[1])

        self.table.app.root.popup(card, place, focus=card.field)

    def toggle_threads(self) -> None:
        """Shows which marbles are connected, or no longer."""
        self.page.signs.threads = not self.page.signs.threads
        self.table.refresh()

    def key_up(self, key: Key) -> None:
        if key.name == "x":
            self.page.spreading.set(False)

    def _next_board(self, by: int) -> None:
        count = len(self.stage.sizes)
        if count > 1:
            self.page.pointing.look_at_board((self.page.pointing.in_use + by) % count)

    def turn_shape(self, by: int) -> None:
        """Shows the next of the shapes that may lie where the pointer is."""
        self.control.shapes.turned += by
        self.table.refresh()

    def _next_marks(self) -> None:
        modes = ("always", "hover", "off")
        self.table.app.change(marks=modes[(modes.index(self.table.app.settings.marks) + 1) % 3])

    def _step_back(self) -> bool:
        """One step back of whatever can be gone back from on the page; whether there was any."""
        self.page.doing.skip()
        if not self.session.live:
            self.page.doing.look(None)
            return True
        if self.page.doing.step_back():
            return True
        if self.zen:
            self.toggle_zen()
            return True
        if self.page.spreading.on:
            self.page.spreading.set(False)
            return True
        if self.page.tabs.visible and self.page.tabs.chosen == 1:
            self.page.tabs.choose(0)
            return True
        if self.page.doing.note or self.page.pointing.cursor:
            self.page.doing.forget_note()
            self.page.pointing.cursor = None
            return True
        return False
