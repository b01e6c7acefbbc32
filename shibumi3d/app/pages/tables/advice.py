"""Hints and analysis at tables other than marbles: marked spots, and ranks of the best moves."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, Protocol

from shibumi3d.app.wording import thought
from shibumi3d.i18n import _, language
from shibumi3d.rules.search import Considered
from shibumi3d.rules.wording import capital
from shibumi3d.scene.pen import Colour
from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import SMALL, Style

from ...board.adviser import Adviser
from ...board.standing import Standing
from ...ui.canvas import Canvas
from ...ui.core import Still
from .parts import Table

if TYPE_CHECKING:
    from shibumi3d.rules.game import Move
    from shibumi3d.scene.table import Spot

    from .parts import Offering

AROUND = 3
"""Number of nearby open spots that the first stage of a hint marks in addition to good moves."""


class Advised(Table, Protocol):
    """Interface of a table page with hints and analysis."""

    @property
    def advice(self) -> TableAdvice:
        """Hints and analysis."""

    @property
    def choices(self) -> Offering:
        """List of the legal moves."""


class TableAdvice(Adviser):
    """Hints and analysis for the person to move, based only on what that seat may know."""

    def __init__(self, page: Advised) -> None:
        self.page, self.session = page, page.session
        super().__init__(
            page,
            _("The best choice is one of those marked."),
            _("Hint: first where, then which move; a third press plays it  H"),
        )

    def settle(self) -> None:
        self.page.scene.finish()

    def make(self, move: Move) -> None:
        self.page.doing.play_move(move)

    def marked(self, move: Move) -> bool:
        return bool(self._spots(move))

    def plain(self, move: Move) -> str:
        game = self.page.match.game
        return capital(game.foretell(self.session.own_view(), move, language(), self.page.names))

    def named(self, move: Move) -> str:
        told = self.plain(move)
        for why in (capital(self.reasons()), self._why(move)):
            if why:
                told = _("{told}. {why}", told=told, why=why)
        return _("{text}.", text=told)

    def _why(self, move: Move) -> str:
        """Return the search's evidence for a move, or "" if there is none.

        The evidence is a proof, or the share of simulated games won with this move and with the next best one, or the
        fact that the move was picked at random among equally good ones.
        """
        turns = self.found.analysis.turns if self.found is not None else ()
        mine = next((turn for turn in turns if turn.moves[0] == move.text), None)
        if mine is None and len({round(100 * turn.mean) for turn in turns}) == 1:
            # The best strategy for a hidden choice is mixed: the move is drawn at random, so that others can't predict
            # it.
            return _(
                "Other choices are just as good; this one was picked at random so that nobody can guess it"
            )
        if mine is None or not mine.visits:
            return ""
        if mine.proved:
            return _("It's a forced win") if mine.low >= 1 else _("There is nothing better")
        other = next((turn for turn in turns if turn.moves[0] != move.text and turn.visits), None)
        next_best = self.move(other.moves[0]) if other is not None else None
        gained = round(100 * mine.mean)
        if other is None or next_best is None:
            return _("Wins {n} of 100 simulated games", n=gained)
        return _(
            "Wins {n} of 100 simulated games; next best is {other} with {m}",
            n=gained,
            other=self._within(next_best),
            m=round(100 * other.mean),
        )

    def _within(self, move: Move) -> str:
        """Return the text of a move in the form used within a sentence."""
        session = self.session
        state, seat = (
            (self.about, self.about.to_move) if self.looks_back else (session.own_view(), session.asked)
        )
        return thought(self.page.match, state, seat, move, self.page.names)

    def said(self, move: Move) -> str:
        """Return the label of a move, as on its button."""
        game = self.page.match.game
        view = game.view(self.about, self.about.to_move) if self.looks_back else self.session.own_view()
        return capital(game.say(view, move, language(), self.page.names))

    def _spots(self, move: Move) -> frozenset[str]:
        way = self.page.scene.way(move)
        return (way.picks | {way.last}) & self.page.scene.spots().keys()

    def spots(self) -> frozenset[str]:
        """Return the keys of the spots that the hint marks.

        In the first stage, these are the spots of the good moves and :data:`AROUND` open spots nearby. After that, they
        are only the spots of the best move.
        """
        best = self.best()
        if best is None:
            return frozenset()
        spots = self._spots(best)
        if self.stage > 1 or not spots:
            return spots
        near = [move for turn in self.near() if (move := self.move(turn.moves[0])) is not None]
        found = spots.union(*[self._spots(move) for move in near])
        every = self.page.scene.spots()
        x, y, _ = every[min(spots)].at
        others = self.page.picking.open - found

        def away(key: str) -> float:
            return (every[key].at[0] - x) ** 2 + (every[key].at[1] - y) ** 2

        return found | set(sorted(others & every.keys(), key=away)[:AROUND])

    def answer(self) -> Any:
        """Return the move that the hint marks in the list, or None.

        A move that has no spot to mark is marked from the first stage on, any other from the second stage on.
        """
        best = self.best()
        return best if best is not None and (self.stage > 1 or not self._spots(best)) else None

    def told(self) -> None:
        self.page.choices.seek(self.answer())

    def numbered(self) -> list[tuple[str, int]]:
        """Return the spots of the best moves, as pairs of key and rank; ranks start at 1.

        A spot shared by several moves gets the best of their ranks. The list is empty while the analysis is off.
        """
        if not self.analysing or self.found is None or not self.may:
            return []
        found: dict[str, int] = {}
        for number, turn in enumerate(self.found.analysis.turns, 1):
            move = self.move(turn.moves[0])
            way = self.page.scene.way(move) if move is not None else None
            for key in [] if way is None else [*way.picks, way.last]:
                if key in self.page.scene.spots():
                    found.setdefault(key, number)
        return list(found.items())


class TableStanding(Standing):
    """Evaluation bar for the seat to move, with its best moves, one per line."""

    page: Advised

    def __init__(self, page: Advised) -> None:
        super().__init__(page)
        self.page = page

    def natural(self) -> float:
        """Return the preferred height, with room for three moves."""
        return 110.0

    def turn_text(self, turn: Considered) -> str:
        move = self.page.advice.move(turn.moves[0])
        if move is not None:
            return self.page.advice.said(move)
        return turn.moves[0]

    def spaces(self, area: Rect, number: int) -> list[Rect]:
        return [Rect(area.x, area.y + 20.0 * line, area.w, 20.0) for line in range(number)]


class Discs(Still):
    """Overlay on the spots of a table: ranks of the best moves, and crosses on moves that were played."""

    def __init__(self, page: Advised) -> None:
        super().__init__("numbers")
        self.page = page
        self.crossed: Callable[[], Iterable[str]] = tuple
        """Callback that returns the keys of the spots to cross out."""

    def paint(self, canvas: Canvas, style: Style) -> None:
        page = self.page
        if page.scene.busy(page.now()):
            return
        spots = page.scene.spots()
        for key in self.crossed():
            if key in spots:
                place = self._disc(canvas, style, spots[key], style.brick)
                canvas.text_in(place, "×", style.brick, "bold", SMALL + 4, 0.5)
        for key, number in page.advice.numbered():
            place = self._disc(canvas, style, spots[key], style.action)
            canvas.text_in(place, str(number), style.ink, "bold", SMALL, 0.5)

    def _disc(self, canvas: Canvas, style: Style, spot: Spot, colour: Colour) -> Rect:
        """Draw a disc at a spot; return its bounding rectangle."""
        x, y = self.page.pointer.on_screen(spot)
        x, y = self.page.view.rect.x + x, self.page.view.rect.y + y
        canvas.disc(x, y, 10, style.card)
        canvas.ring(x, y, 10, colour, 1.5)
        return Rect(x - 10, y - 10, 20, 20)
