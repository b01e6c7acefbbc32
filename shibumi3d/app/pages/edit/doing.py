"""Actions of the position editor: edit, save, undo, play, copy, paste and solve."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from shibumi3d.catalogue.schema import CatalogueError
from shibumi3d.i18n import _, localize
from shibumi3d.match.match import Match
from shibumi3d.match.record import RecordError, parse
from shibumi3d.rules.errors import GameFileError, RuleFailure
from shibumi3d.rules.wording import capital

from ...marbles.controller import Spot
from ...ui.panel import middle
from . import solving
from .draft import Bench, bench_of
from .parts import TAKE, StocksCard

if TYPE_CHECKING:
    from shibumi3d.catalogue.schema import Entry
    from shibumi3d.scene.marbles.stage import Stage

    from ...host import Host
    from ...host.screen import Screen
    from ...ui.button import Button


class Laid(Protocol):
    """Interface of the position editor's page that :class:`Doing` uses."""

    app: Host
    match: Match
    entry: Entry
    bench: Bench
    came: Screen | None
    """Page to return to, or None."""
    stage: Stage
    sizes: list[int]
    go: Button
    """Button that starts a match from the position."""
    solve: Button

    def now(self) -> float:
        """Return the current time of the marbles' animations, in seconds."""

    def update(self) -> None:
        """Update the page after a change to the position."""

    def refresh(self) -> None:
        """Request a redraw."""

    def stand(self, bench: Bench, before: Sequence[Bench]) -> None:
        """Switch to another :class:`Bench`; undo can return to the benches in ``before``."""


class Doing:
    """Actions for the position editor's keys and buttons.

    After the first change, the position is autosaved to a file among the saved games.
    """

    def __init__(self, page: Laid) -> None:
        self.page, self.app = page, page.app
        self.path: Path | None = None
        """File to which the position is saved, or None if there is none yet."""
        self.before: list[Bench] = []
        """Benches of earlier board sizes, latest last, to which undo returns."""
        self.chosen = 0
        """Selected tool: the number of a colour, or :data:`TAKE`."""
        self.note = ""

    def take_over(self, before: Doing) -> None:
        """Take over the file, the undo history and the selected tool from the actions of another page."""
        self.path, self.before, self.chosen = before.path, before.before, before.chosen
        before.path = None
        self.page.update()

    def choose(self, number: int) -> None:
        """Select a colour to place, or :data:`TAKE` to remove marbles."""
        self.chosen = number
        self.page.update()

    def touch(self, spot: Spot) -> None:
        """Use the selected tool at a point, as a left click does.

        If the marble there already has the selected colour, it is removed.
        """
        there = self.page.bench.colour(*spot[:2])
        if self.chosen in (TAKE, there):
            self.take(spot)
        else:
            self.done(self.page.bench.put(spot.board, spot.point, self.chosen))

    def take(self, spot: Spot) -> None:
        """Remove the marble at a point, if there is one and it supports no other."""
        if self.page.bench.colour(*spot[:2]) < 0:
            return
        why = self.page.bench.take(spot.board, spot.point)
        self.done(why)
        if why:
            self.page.stage.shake(spot.board, spot.point, self.page.now())
            self.app.sounds.tap()

    def done(self, why: str, note: str = "") -> None:
        """Save and show a change, or show why it was refused.

        If ``why`` is empty, the change was made, and ``note`` is shown. Otherwise, ``why`` is the reason for the
        refusal.
        """
        self.note = why or note
        if not why:
            self.keep()
        self.page.update()

    def keep(self) -> None:
        """Save the position to its file, or show a warning if it couldn't be loaded again."""
        match = self.page.bench.match
        try:
            Match.from_record(parse(match.record().text()), match.game)
            if self.path is None:
                self.path = self.app.store.keep(match, datetime.now())
            match.autosave(self.path)
        except (OSError, RecordError, GameFileError) as problem:
            self.app.warn(_("Couldn't save the game: {problem}.", problem=problem))

    def undo_now(self) -> None:
        """Undo the last change, including a change of the board size."""
        if self.page.bench.undo():
            self.done("")
        elif self.before:
            self.page.stand(self.before.pop(), self.before)

    def redo_now(self) -> None:
        """Redo the last change that was undone."""
        if self.page.bench.redo():
            self.done("")

    def resize(self, number: int) -> None:
        """Change the board size to entry ``number`` of the page's list of sizes."""
        try:
            variant, options = self.page.match.game.variant or None, self.page.match.options
            game = self.page.entry.game(size=self.page.sizes[number], variant=variant, options=options)
            bench = self.page.bench.resized(game)
        except (CatalogueError, GameFileError, RuleFailure, ValueError) as problem:
            self.done(_("{text}.", text=capital(localize(problem))))
        else:
            self.page.stand(bench, [*self.before, self.page.bench])

    def show_stocks(self) -> None:
        """Open the card for editing the marbles beside the board."""
        card = StocksCard(self.page.bench, self.done, self.app.root.close)
        self.app.root.popup(card, middle(480, card.high))

    def copy_text(self) -> None:
        """Copy the position to the clipboard as text."""
        self.app.root.copy(self.page.bench.match.record().text())
        self.note = _("Position copied. Paste it with Ctrl+V.")
        self.page.refresh()

    def paste_text(self) -> None:
        """Replace the position with the one on the clipboard."""
        words = self.app.root.paste()
        if not words.strip():
            return  # the user has already been told that the clipboard is empty
        try:
            match, entry = self.app.matches.match_of(words)
            bench = bench_of(match, len(match.plies))
        except (RecordError, CatalogueError, GameFileError, RuleFailure, ValueError, TypeError) as problem:
            self.note = _("The clipboard doesn't contain a game: {problem}.", problem=problem)
            self.page.refresh()
            return
        self.page.entry = entry
        self.page.stand(bench, ())

    def play(self, analysing: bool = False) -> None:
        """Start a match from the position; the match is saved to the same file."""
        if not self.page.go.enabled:
            return
        path, self.path = self.path, None
        self.app.matches.play(self.page.bench.match, self.page.entry, path)
        if analysing:
            self.app.pages.analyse()

    def find_out(self) -> None:
        """Start the solver to find out whether a player can force a win."""
        if self.page.solve.visible and self.page.solve.enabled:
            solving.solve(self.app, self.page.bench, self._tell, self._show_way)

    def _tell(self, sentence: str) -> None:
        self.note = sentence
        self.page.refresh()

    def _show_way(self, match: Match, moves: Sequence[str]) -> None:
        """Open a replay of the solution's moves, which returns to this page.

        If the editor was opened from an unfinished match in which the solved position occurred, record in that match
        that its solution was shown.
        """
        came = getattr(self.page.came, "match", None)
        if isinstance(came, Match) and came.state.to_move is not None and self.page.bench.facts.solver:
            stood = [came.first, *[ply.state for ply in came.plies]]
            if any(state.standing == match.state.standing for state in stood):
                with came.saved_once():
                    self.app.matches.was_shown(came)
        fresh = self.page.bench.fresh()
        for move in moves:
            fresh.play(move)
        self.app.pages.replay(fresh, self.page.entry, self.app.stage.screen, running=True)
