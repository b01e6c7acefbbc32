"""Base class of the pages on which a match is played: the widgets around the table, and the keys."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from shibumi3d.app.wording import spoken, titled
from shibumi3d.catalogue.schema import Entry
from shibumi3d.i18n import _
from shibumi3d.match.match import Match
from shibumi3d.scene.rect import Rect

from ..host.page import Page
from ..host.screen import COLUMN
from ..host.settings_card import NightButton, SoundButton
from ..marbles import words
from ..ui.button import Button, quiet, row
from ..ui.choice import Tabs
from ..ui.core import Key, Widget
from ..ui.panel import Panel
from ..ui.prose import Explained, Prose
from ..ui.tree import sentences
from .meanings import meanings
from .outside import Outside
from .questions import MatchQuestions
from .result import ResultBar
from .saving import ask_save
from .status import Status
from .timing import Timing

if TYPE_CHECKING:
    from shibumi3d.rules.game import Event, State

    from ..host import Host
    from ..host.view import View
    from .adviser import Adviser
    from .coach import Coach
    from .commands import Commands
    from .computers import Computers
    from .doing import Doing
    from .example import Example
    from .moves import Moves
    from .session import Session
    from .side import Side
    from .view_commands import ViewCommands


TOP = 44.0
"""Height of the top bar."""


class MatchPage(Page):
    """Base class of pages on which a match is played, for tables of any kind.

    A subclass creates the parts that depend on its kind of table, such as ``session`` and ``doing``, and then calls
    :meth:`surround`.
    """

    title = "play"
    match: Match
    entry: Entry
    names: list[str]
    bare = False
    """Whether only the table is shown, without the panels around it."""
    folding: Side
    view: View
    flat: Widget
    """Flat drawing of the table, which can replace the 3D view."""
    view_commands: ViewCommands
    kept_as = ""
    """Name of the file in which the match is saved; empty if there is none."""
    ending = False
    """Whether the match is over but its final sound hasn't been played yet.

    The sound is played once nothing moves.
    """
    taught = False
    """Whether this is a lesson, whose match is not saved."""
    coach: Coach | None = None
    """Instruction strip of a lesson or problem, or None."""
    example: Example
    session: Session
    doing: Doing
    computers: Computers
    advice: Adviser
    commands: Commands
    moves: Moves

    def __init__(self, app: Host, match: Match, entry: Entry) -> None:
        Page.__init__(self, app)
        self.match, self.entry = match, entry
        self.names = match.names

    def now(self) -> float:
        """Return the current time of the table's animations, in seconds."""
        return self.app.clock()

    def update(self) -> None:
        """Update the page after a change of the state."""
        raise NotImplementedError

    def resume(self) -> bool:
        """Clear what stays on the table until the player acts; return whether anything was cleared.

        For example, a refuted turn and the reply to it stay on the table.
        """
        return False

    @property
    def seen_on(self) -> Widget | None:
        return self.flat if self.flat.visible else super().seen_on

    def heading(self) -> str:
        return titled(self.entry)

    def spoken(self) -> str:
        """Return a description of the page for screen readers.

        It includes the task of a lesson or problem, what happened, what the player must do, and at the end who won and
        why.
        """
        ended = self.session.live and self.match.state.result is not None
        return sentences(
            [
                self.coach.told.plain if self.coach is not None else "",
                super().spoken(),
                self.result_bar.sentence() if ended else "",
            ]
        )

    def words(self, state: State, seat: int, events: Sequence[Event]) -> str:
        """Return a description of a turn, or "" if the notation of its moves is clear enough.

        The turn was made by ``seat``, caused ``events`` and led to ``state``.
        """
        return ""

    def told_of(self, number: int) -> str:
        """Return who made move ``number`` and what it did, as a sentence.

        The caller must make sure that the viewer may know the move.
        """
        plies, session = self.match.plies, self.session
        did = spoken(self.match, plies, number, session.as_seen(plies[number].events))
        return _("{who}: {did}", who=self.names[plies[number].seat], did=did)

    def pointed_at(self) -> str:
        """Return the key of the item under the pointer or the keyboard cursor, or an empty string."""
        raise NotImplementedError

    def remark(self, sentence: str) -> None:
        """Show a message that isn't about a particular place on the table."""
        raise NotImplementedError

    def look_by(self, by: int) -> None:
        """Show the position ``by`` moves later, or earlier if ``by`` is negative."""
        raise NotImplementedError

    def turn_to(self, page: int) -> None:
        """Select a tab of the side panel: 0 for the moves, 1 for the rules."""
        self.tabs.chosen = page
        self.moves.visible, self.rules.visible = page == 0, page == 1
        self.example.visible = self.trial.visible = False
        if self.rect.w:
            self.layout(self.rect)
        self.refresh()

    def room(self, rect: Rect) -> Rect:
        """Return the part of the page that is available to the match."""
        return rect

    def surround(self, size: int) -> None:
        """Create the widgets around the table.

        ``size`` is the font size of the rules in pixels.
        """
        app, doing = self.app, self.doing
        self.outside_moves = Outside(self, doing)
        self.timing = Timing(self, self.match, self.outside_moves.choosing, self.outside_moves.lose_on_time)
        self.top, self.bar, self.side = Panel("page", "bottom"), Panel("page", "top"), Panel("page", "left")
        self.back = quiet(_("Games"), app.pages.home, "back", _("Back to the games"), name="back")
        self.theme = NightButton(app)
        self.sounding = SoundButton(app)
        self.gear = quiet("", app.pages.settings, "settings", _("Settings"), name="settings")
        self.book = quiet("", self.folding.show_rules, "book", _("Rules  F1"), name="rules button")
        self.handle = quiet("", self.folding.toggle, "panel", _("Moves and rules  Ctrl+B"), name="panel")
        self.save = quiet("", lambda: ask_save(self), "save", _("Save  Ctrl+S"), name="save")
        self.undo = quiet(_("Undo"), doing.undo_now, "undo", _("Undo  Ctrl+Z"), name="undo")
        self.redo = quiet(_("Redo"), doing.redo_now, "redo", _("Redo  Ctrl+Y"), name="redo")
        self.look_back = quiet(
            "", lambda: self.look_by(-1), "step-back", _("Previous move  ,"), name="look back"
        )
        self.look_on = quiet("", lambda: self.look_by(1), "step", _("Next move  ."), name="look on")
        self.again = quiet("", doing.replay_last, "again", _("Replay last turn  B"), name="again")
        self.claim = Button("", self.outside_moves.make, name="claim a draw")
        self.return_ = Button(
            _("Return"),
            lambda: doing.look(None),
            kind="main",
            name="return",
            tip=_("Back to the game"),
        )
        self.from_here = Button(
            _("Play from here"), doing.go_on_here, name="play from here", tip=_("Undo everything after this")
        )
        self.status = Status(self)
        self.questions = MatchQuestions(self)
        self.result_bar = ResultBar(self)
        self.tabs = Tabs((_("Moves"), _("Rules")), 0, self.turn_to, name="tabs")
        self.rules = Prose(words.rules_of(self.match.game.meta, self.entry), size, name="rules")
        self.trial = Button(
            _("Try it"),
            lambda: app.pages.lesson(self.match, self.entry),
            name="try it",
            tip=_("One move shows how the rule works"),
        )
        self.explained = Explained()

    def explain(self, *prose: Any) -> None:
        """Enable explanations of the game's terms within the texts ``prose``."""
        for each in prose:
            each.explain, each.met = self._explain_words, self.explained.point

    def _explain_words(self, words: Sequence[str]) -> list[str]:
        return meanings(self.entry, self.match.game.variant, words)

    def update_frame(self) -> None:
        """Update the widgets around the table after a change of the state."""
        session, match = self.session, self.match
        self.names[:] = match.names
        self.outside_moves.offer(self.claim)
        self.return_.visible = self.from_here.visible = not session.live
        self.undo.enabled = match.cursor > match.floor and session.live
        self.again.enabled = match.cursor > 0
        self.redo.enabled = bool(match.undone) and session.live
        self.look_back.enabled, self.look_on.enabled = session.cursor > 0, not session.live
        self.result_bar.visible = session.asking and match.state.to_move is None and self.coach is None
        self.computers.update()
        self.advice.update()

    def key(self, key: Key) -> bool:
        return self.commands.key(key)

    def key_up(self, key: Key) -> None:
        self.commands.key_up(key)

    def toggle_flat(self) -> None:
        """Switch between the flat drawing and the 3D view."""
        self.flat.visible = not self.flat.visible
        self.view.visible = not self.flat.visible
        self.layout(self.rect)
        self.refresh()

    def smallest(self, wide: float) -> tuple[float, float]:
        # A single column is enough unless moves and rules are shown beside the table.
        if not self.columned or wide >= self.least[0] or self.folding.called:
            return self.least
        canvas, wide = self.app.canvas, max(wide, COLUMN[0])
        canvas.scale = self.app.scale
        strip = self.coach.natural_stacked(canvas, wide) if self.coach is not None else 0.0
        return COLUMN[0], strip + self.column_high(wide)

    def column_high(self, wide: float) -> float:
        """Return the height that the page needs in a single column of the given width.

        This excludes the instruction strip of a lesson.
        """
        raise NotImplementedError

    def corner(self) -> Sequence[Button]:
        """Return the buttons at the right end of the top bar, from right to left."""
        # Theme and sound can also be changed in the settings.
        spare = (self.sounding, self.theme)
        for button in spare:
            button.visible = not (self.narrow or self.bare)
        # The first button, in the corner, opens and closes the side panel below it.
        every = (self.handle, self.gear, *spare, self.book, self.save)
        return [button for button in every if not (self.narrow and button in spare)]

    def lay_frame(
        self, rect: Rect, bar: float, side: float, *, below: bool = False
    ) -> tuple[Rect, Rect, Rect]:
        """Lay out the frame; return the rectangles of the foot, the side panel and the table.

        The frame consists of the top bar, the instruction strip of a lesson below it, and the foot, which is ``bar``
        high. The foot lies beside the side panel, which is ``side`` wide, or under it if ``below`` is true.
        """
        canvas = self.app.canvas
        canvas.scale = self.app.scale
        top, rest = rect.cut_top(TOP)
        self.top.layout(top)
        self.back.bare = self.narrow
        row(Rect(top.x + 8, top.y, 120, top.h), [self.back], canvas)
        for number, button in enumerate(self.corner()):
            button.layout(Rect(top.right - 44 - 36 * number, top.cy - 16, 32, 32))
        begin = self.back.rect.right + 10
        self.status.layout(Rect(begin, top.y, self.save.rect.x - 12 - begin, top.h))
        if below:
            foot, rest = rest.cut_bottom(bar)
            beside, table = rest.cut_right(side)
        else:
            beside, rest = rest.cut_right(side)
            foot, table = rest.cut_bottom(bar)
        if self.coach is not None:
            self.coach.stacked = self.narrow
            strip, table = table.cut_top(self.coach.natural(canvas, table.w))
            self.coach.lay(strip, canvas)
        self.bar.layout(foot)
        return foot, beside, table

    def take_over(self, before: MatchPage) -> None:
        """Copy the viewer, camera, side panel and analysis settings from the page ``before``.

        That page showed the same match, or a match that this one replaces. The selected position is copied only if the
        match is the same.
        """
        self.session.looker = before.session.looker
        if before.match is self.match:
            self.session.looking = before.session.looking
        self.computers.halted = before.computers.halted
        self.advice.analysing = before.advice.analysing
        self.view.home, self.view.camera = before.view.home, before.view.camera
        self.folding.like(before.folding)
        self.flat.visible, self.view.visible = before.flat.visible, before.view.visible

    def renewed(self) -> MatchPage:
        page = type(self)(self.app, self.match, self.entry)
        page.take_over(self)
        page.update()
        return page

    def shown(self) -> None:
        kept = self.app.matches.kept
        self.kept_as = kept.name if kept is not None else ""
        self.view_commands.restore_eye(self.kept_as)
        self.doing.curtain()

    def leave_screen(self) -> None:
        self.timing.close()
        self.keep_eye()
        self.doing.skip()
        self.computers.close()
        self.advice.close()

    def keep_eye(self) -> None:
        """Save the camera position."""
        self.view_commands.keep_eye(self.kept_as)

    def render_beside(self, now: float) -> None:
        self.example.render(now)
