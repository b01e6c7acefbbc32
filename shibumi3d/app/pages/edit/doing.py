"""What is done with a position that is laid out: set down, kept, taken back, played, copied, solved."""

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
    """A page on which something is laid out."""

    app: Host
    match: Match
    entry: Entry
    bench: Bench
    came: Screen | None
    """The page from which one came."""
    stage: Stage
    sizes: list[int]
    go: Button
    """Plays on from here."""
    solve: Button

    def now(self) -> float:
        """Return the time by which marbles move."""

    def update(self) -> None:
        """Show what follows from what is on the boards."""

    def refresh(self) -> None:
        """Ask for a new picture."""

    def stand(self, bench: Bench, before: Sequence[Bench]) -> None:
        """Go on with another bench, from which undo goes back to those ``before``."""


class Doing:
    """What keys and buttons of the page do.

    From the first change on the position is kept in a file among the games, so that nothing is lost.
    """

    def __init__(self, page: Laid) -> None:
        self.page, self.app = page, page.app
        self.path: Path | None = None
        """The file in which the position is kept."""
        self.before: list[Bench] = []
        """Benches of other sizes, the last one last, which undo goes back to."""
        self.chosen = 0
        """The colour in hand, or :data:`TAKE`."""
        self.note = ""

    def take_over(self, before: Doing) -> None:
        """Goes on where another page leaves off."""
        self.path, self.before, self.chosen = before.path, before.before, before.chosen
        before.path = None
        self.page.update()

    def choose(self, number: int) -> None:
        """Takes a colour in hand, or what takes marbles away."""
        self.chosen = number
        self.page.update()

    def touch(self, spot: Spot) -> None:
        """Does with what is in hand what a click does: the same colour again takes the marble away."""
        there = self.page.bench.colour(*spot[:2])
        if self.chosen in (TAKE, there):
            self.take(spot)
        else:
            self.done(self.page.bench.put(spot.board, spot.point, self.chosen))

    def take(self, spot: Spot) -> None:
        """Takes a marble away, if one is there and carries none."""
        if self.page.bench.colour(*spot[:2]) < 0:
            return
        why = self.page.bench.take(spot.board, spot.point)
        self.done(why)
        if why:
            self.page.stage.shake(spot.board, spot.point, self.page.now())
            self.app.sounds.tap()

    def done(self, why: str, note: str = "") -> None:
        """Something was done, or refused with the sentence ``why``."""
        self.note = why or note
        if not why:
            self.keep()
        self.page.update()

    def keep(self) -> None:
        """Keeps the position in its file, if it can be opened again from what would stand there."""
        match = self.page.bench.match
        try:
            Match.from_record(parse(match.record().text()), match.game)
            if self.path is None:
                self.path = self.app.store.keep(match, datetime.now())
            match.autosave(self.path)
        except (OSError, RecordError, GameFileError) as problem:
            self.app.warn(_("Couldn't save the game: {problem}.", problem=problem))

    def undo_now(self) -> None:
        """Takes the last step back."""
        if self.page.bench.undo():
            self.done("")
        elif self.before:
            self.page.stand(self.before.pop(), self.before)

    def redo_now(self) -> None:
        """Takes a step again that was taken back."""
        if self.page.bench.redo():
            self.done("")

    def resize(self, number: int) -> None:
        """Goes on with boards of another size."""
        try:
            variant, options = self.page.match.game.variant or None, self.page.match.options
            game = self.page.entry.game(size=self.page.sizes[number], variant=variant, options=options)
            bench = self.page.bench.resized(game)
        except (CatalogueError, GameFileError, RuleFailure, ValueError) as problem:
            self.done(_("{text}.", text=capital(localize(problem))))
        else:
            self.page.stand(bench, [*self.before, self.page.bench])

    def show_stocks(self) -> None:
        """Shows what lies beside the board."""
        card = StocksCard(self.page.bench, self.done, self.app.root.close)
        self.app.root.popup(card, middle(480, card.high))

    def copy_text(self) -> None:
        """Puts the position as text where other programs can take it from."""
        self.app.root.copy(self.page.bench.match.record().text())
        self.note = _("Position copied. Paste it with Ctrl+V.")
        self.page.refresh()

    def paste_text(self) -> None:
        """Goes on with the position that a text tells."""
        words = self.app.root.paste()
        if not words.strip():
            return  # why there is none was told already
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
        """Plays on from the position; it goes on in the file in which it is kept."""
        if not self.page.go.enabled:
            return
        path, self.path = self.path, None
        self.app.matches.play(self.page.bench.match, self.page.entry, path)
        if analysing:
            self.app.pages.analyse()

    def find_out(self) -> None:
        """Finds out who wins for sure."""
        if self.page.solve.visible and self.page.solve.enabled:
            solving.solve(self.app, self.page.bench, self._tell, self._show_way)

    def _tell(self, sentence: str) -> None:
        self.note = sentence
        self.page.refresh()

    def _show_way(self, match: Match, moves: Sequence[str]) -> None:
        """Shows a way to win, from which one comes back here; the match from which it was laid out counts as shown."""
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
