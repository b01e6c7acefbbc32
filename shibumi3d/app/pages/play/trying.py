"""Test match of a game being written, with the text of the game beside it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

from shibumi3d.catalogue.schema import CatalogueError, Entry
from shibumi3d.i18n import _
from shibumi3d.match.match import Match
from shibumi3d.match.ply import PERSON
from shibumi3d.rules.errors import GameFileError, RuleFailure
from shibumi3d.rules.kinds import USUAL
from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import SMALL, Style
from shibumi3d.search.levels import LEVELS

from ...board.rereading import replayed
from ...board.seating import named, people, shown_with, title_of
from ...board.taught import Taught
from ...ui.canvas import Canvas
from ...ui.core import Key
from ...ui.drop import Drop
from ...ui.label import Text
from .screen import Play

if TYPE_CHECKING:
    from ...host import Host
    from ...ui.editor import Editor

WIDE = 1000
"""Minimum window width at which the text is shown beside the board, in logical pixels."""
SHARE = 0.42
"""Fraction of the window width that the text takes."""
Back = Callable[[], None]


class Reading(Protocol):
    """Result of checking a text."""

    @property
    def text(self) -> str:
        """Text that was checked."""

    @property
    def entry(self) -> Entry | None:
        """Game that the text defines, or None."""


class Draft(Protocol):
    """Text of a game being written, and the result of checking it."""

    editor: Editor
    heard: Callable[[], None]
    """Function that is called when the text, its file or the result of checking it has changed."""

    @property
    def text(self) -> str:
        """Current text."""

    @property
    def good(self) -> Reading | None:
        """Last result without errors, or None."""

    @property
    def fresh(self) -> bool:
        """Whether the latest result applies to the current text."""

    def read(self) -> None:
        """Check the text immediately, without the usual delay."""

    def sentence(self) -> tuple[str, str]:
        """Return the status of the text as a sentence, and the name of the sentence's colour."""

    def save(self) -> None:
        """Save the text as one of the user's own games."""

    def rest(self) -> None:
        """Autosave the draft and stop checking it, because the page is left."""


KINDS = (PERSON, *[one.name for one in LEVELS])
"""Player types available for the other seats."""


class Trying(Taught, Play):
    """Page for a test match, which isn't saved.

    Whenever the edited text becomes valid, the match continues with the new rules.
    """

    title = "trying"
    columned = False

    def __init__(self, app: Host, match: Match, entry: Entry, draft: Draft, back: Back) -> None:
        self.draft, self.to_draft = draft, back
        self.played: Reading | None = draft.good
        """Checked text whose rules are in use, or None."""
        self.stands = Text("", "sans", SMALL, "soft", name="status")
        kind = match.kinds[-1]
        self.against = Drop(
            [_("Other players: {who}", who=title_of(each)) for each in KINDS],
            KINDS.index(kind),
            lambda number: try_out(app, self.entry, draft, back, KINDS[number]),
            name="against",
        )
        self.against.visible = len(match.seats) > 1
        super().__init__(app, match, entry)
        self.add(self.against, self.stands, draft.editor)

    def instruct(self) -> None:
        self.tell(_("This is a test game and won't be saved."), _("Once more"))

    def go(self) -> None:
        try_out(self.app, self.entry, self.draft, self.to_draft, self.kind)

    def finish(self) -> None:
        self.to_draft()

    @property
    def kind(self) -> str:
        """Player type of all seats but the first."""
        return KINDS[self.against.chosen]

    def shown(self) -> None:
        super().shown()
        self.draft.heard = self._heard
        self._heard()
        if not self.draft.fresh:
            self.draft.read()

    def leave_screen(self) -> None:
        super().leave_screen()
        self.draft.rest()

    def renewed(self) -> Trying:
        page = Trying(self.app, self.match, self.entry, self.draft, self.to_draft)
        page.take_over(self)
        return page

    def _heard(self) -> None:
        """Show the status of the draft; if the rules have changed, continue the match with them."""
        self.stands.say(*self.draft.sentence())
        good = self.draft.good
        if good is not None and good is not self.played and good.text == self.draft.text:
            if self.played is None or good.text != self.played.text:
                self._follow(good)
            else:
                self.played = good
        self.refresh()

    def _follow(self, good: Reading) -> None:
        """Continue with the new rules, or start again if they don't allow the moves made so far."""
        entry = good.entry
        if entry is None or entry.kind != USUAL:
            return
        self.played = good
        try:
            match, problem = replayed(self.match, entry)
        except (CatalogueError, GameFileError, RuleFailure, ValueError):
            match, problem = None, "-"
        if match is None or problem:
            begun = begun_with(self.app, entry, self.kind)
            if begun is None:
                return
            match = begun
        page = Trying(self.app, match, entry, self.draft, self.to_draft)
        page.take_over(self)
        page.remark(
            _("The moves don't fit the new rules. Starting over.")
            if problem
            else _("Rules reloaded. Your moves still stand.")
        )
        self.app.stage.show(page, quietly=True)

    def _parts(self, rect: Rect) -> tuple[Rect, Rect]:
        """Return the areas for the text and for the match.

        In a window narrower than :data:`WIDE` pixels, the first area has room only for selecting the opponents.
        """
        return rect.cut_left(rect.w * SHARE) if rect.w >= WIDE else rect.cut_top(46)

    def room(self, rect: Rect) -> Rect:
        return self._parts(rect)[1]

    def layout(self, rect: Rect) -> None:
        editor = self.draft.editor
        editor.visible = self.stands.visible = rect.w >= WIDE
        self.paper, _ = self._parts(rect)
        line, text = self.paper.inset(14, 7).cut_top(32, 8)
        canvas = self.app.canvas
        canvas.scale = self.app.scale
        self.against.layout(Rect(line.x, line.y, min(line.w, self.against.natural(canvas) + 12), line.h))
        stands, text = text.cut_bottom(24, 6)
        editor.layout(text)
        self.stands.layout(stands)
        super().layout(rect)

    paper = Rect()
    """Area for the text, beside or above the match."""

    def paint(self, canvas: Canvas, style: Style) -> None:
        super().paint(canvas, style)
        canvas.rect(self.paper, style.page)

    def key(self, key: Key) -> bool:
        if key.chord == "f5":
            self.go()
        elif key.chord == "ctrl+s":
            self.draft.save()
        else:
            return super().key(key)
        return True


def begun_with(app: Host, entry: Entry, kind: str) -> Match | None:
    """Return a new match in which ``kind`` plays all seats but the first.

    If the game can't be started, tell the user why and return None.
    """
    try:
        seats = shown_with(entry)
        kinds = [PERSON, *[kind] * (seats - 1)]
        return Match(entry.game(size=entry.size), named(people((), seats), kinds), seed=0, kinds=kinds)
    except (CatalogueError, GameFileError, RuleFailure, ValueError) as problem:
        app.tell(_("Couldn't start this game: {problem}.", problem=problem))
        return None


def try_out(app: Host, entry: Entry, draft: Draft, back: Back, kind: str = PERSON) -> None:
    """Start a test match of ``entry`` in which ``kind`` plays all seats but the first.

    ``back`` returns to the draft. A game that isn't played with marbles is shown on its ordinary page, without the
    text.
    """
    match = begun_with(app, entry, kind)
    if match is not None:
        app.matches.leave()
        if entry.kind == USUAL:
            app.stage.show(Trying(app, match, entry, draft, back))
        else:
            app.pages.play(match, entry)
