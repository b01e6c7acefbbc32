"""Card that shows the result of a match and offers what to do next."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Protocol

from shibumi3d.i18n import _, language, localize, ngettext, pgettext
from shibumi3d.match.match import Match
from shibumi3d.match.store import key_of
from shibumi3d.rules.ending import ending, reason, scored, who_won
from shibumi3d.rules.wording import capital
from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import BODY, Style
from shibumi3d.search.solver import Best, Verdict
from shibumi3d.search.worker import Answer

from ..ui import icons
from ..ui.button import Button
from ..ui.canvas import Canvas
from ..ui.core import Key
from ..ui.panel import Panel
from .part import fall
from .parts import MatchTable

if TYPE_CHECKING:
    from .doing import Sitting

WORK = 200_000
"""Maximum number of moves that the solver may try."""
ROW = 22.0
"""Height of a row in the table of results."""
HEAD, LARGE, SIGN = 66.0, 26, 10.0
"""Height of the headline and of the reason, font size of the headline, radius of the seats' symbols."""
LINE = 36.0
"""Height of a button in the menu of further actions."""
MOST, FOOT = 780.0, 14.0
"""Maximum width of the card, and its distance from the bottom edge of the view."""
TOLD = 4
"""Maximum number of seats whose scores are listed or whose symbols are shown."""


class Offers(Panel):
    """Vertical menu of buttons, which closes when a button is pressed."""

    def __init__(self, offered: Sequence[Button]) -> None:
        super().__init__("card", floating=True, name="offers")
        self.offered = offered
        for button in offered:
            button.align = 0.0
            button.action = partial(self._choose, button.action)
        self.add(*offered)

    def layout(self, rect: Rect) -> None:
        super().layout(rect)
        for number, button in enumerate(self.offered):
            button.layout(Rect(rect.x + 6, rect.y + 6 + LINE * number, rect.w - 12, LINE))

    def key(self, key: Key) -> bool:
        root = self.root
        if root is not None and key.chord in ("up", "down"):
            here = next((number for number, each in enumerate(self.offered) if each is root.focus), 0)
            root.focus = self.offered[(here + (1 if key.chord == "down" else -1)) % len(self.offered)]
            root.dirty = True
            return True
        return super().key(key)

    def _choose(self, action: Callable[[], object]) -> None:
        if self.root is not None:
            self.root.close()
        action()


class Ended(MatchTable, Protocol):
    """Page of a match that may be over."""

    @property
    def computers(self) -> Sitting:
        """Computer players of this match."""


class ResultBar(Panel):
    """Card that says who won and why, with buttons for what to do next."""

    def __init__(self, screen: Ended) -> None:
        super().__init__("card", floating=True, name="band")
        self.screen = screen
        app = screen.app
        self.rematch = Button(
            (_("Rematch") if len(screen.names) > 1 else _("Play again")),
            lambda: app.matches.rematch(screen.match, screen.entry),
            kind="main",
            name="rematch",
        )
        self.find = Button(
            _("Learn from your mistakes"),
            lambda: app.pages.find(screen.match, screen.entry, app.stage.screen),
            tip=_("Find better moves for up to three of your turns"),
            name="find the turn",
        )
        self.swap = Button(
            (pgettext("result", "Swap seats") if len(screen.names) == 2 else _("Rotate seats")),
            lambda: app.matches.rematch(screen.match, screen.entry, 1),
            tip=_("Rematch with everyone moved one seat along"),
            name="swap seats",
        )
        self.swap.visible = self.find.visible = len(screen.names) > 1
        self.same = Button(
            _("Same deal again"),
            lambda: app.matches.rematch(screen.match, screen.entry, same=True),
            name="same deal",
        )
        self.way = Button(
            _("Show solution"),
            self.show_way,
            tip=_("How this deal could have been won  Shift+H"),
            name="show the way",
        )
        self.more = Button(
            _("More…"), self._more, tip=_("Replay the match or save a picture of it"), name="more"
        )
        self.add(self.rematch, self.find, self.same, self.swap, self.way, self.more)
        self._best: tuple[object, int | None] = None, None
        """Final state for which the best earlier score was looked up, and that score or None."""

    def _more(self) -> None:
        """Open a menu with the review, the turn with the most falls, and a postcard."""
        offered = [
            Button(_("Review"), self._review, kind="quiet", name="review"),
            Button(
                _("Postcard"),
                self._postcard,
                kind="quiet",
                tip=_("Save a picture of the end with the game, names and date"),
                name="postcard",
            ),
        ]
        if fall(self.screen.match.plies) is not None:
            again = Button(
                _("Biggest fall"),
                self._fall,
                kind="quiet",
                tip=_("The turn with the biggest fall, looped in slow motion"),
                name="last fall",
            )
            offered.insert(1, again)
        card = Offers(offered)
        root, wide = self.screen.app.root, max(each.natural(self.screen.app.canvas) for each in offered) + 16

        def place(window: Rect) -> Rect:
            button, high = self.more.rect, LINE * len(offered) + 12
            x = max(8.0, min(button.right - wide, window.right - wide - 8))
            return Rect(x, max(8.0, button.y - 6 - high), wide, high)

        root.popup(card, place, focus=offered[0])

    def _review(self) -> None:
        page = self.screen
        page.app.pages.replay(page.match, page.entry)

    def _postcard(self) -> None:
        page = self.screen
        page.app.pages.postcard(page.match, page.entry)

    def _fall(self) -> None:
        """Replay the turn with the most falls, in a loop."""
        page = self.screen
        span = fall(page.match.plies)
        if span is not None:
            page.app.pages.replay(page.match, page.entry, again=span)

    @property
    def lost(self) -> bool:
        """Whether a solo or cooperative game was lost and its deal can be tried again.

        The game must have a solver, and all seats must have been played by people.
        """
        match, page = self.screen.match, self.screen
        result = match.state.result
        persons = len(page.session.persons) == len(match.seats)
        return bool(page.session.facts.solver) and persons and result is not None and not result.winners

    def show_way(self) -> None:
        """Search for a way to win the lost deal, and replay the solution.

        Once a solution has been found, the match counts as a puzzle whose solution was shown.
        """
        page = self.screen
        match, app = page.match, page.app
        if not (self.visible and self.lost):
            return

        def answered(answer: Answer) -> None:
            found = answer.value
            if not page.on_window or page.match.state is not ended:
                return
            if not isinstance(found, Verdict | Best):
                page.remark(_("{text}.", text=capital(localize(answer.error or ""))))
            elif found.moves:
                page.remark("")
                with match.saved_once():
                    app.matches.was_shown(match)
                self._show_moves(found.moves)
            else:
                sure = found.won is False if isinstance(found, Verdict) else found.proven
                page.remark(
                    _("This deal can't be won, whatever you play.")
                    if sure and not found.chance
                    else _("No solution found: there are too many possibilities to try.")
                )

        ended = match.state
        page.remark(_("Looking for a solution…"))
        name = "solve" if page.session.facts.solver == "win" else "greatest"
        # The match is over, so the solver may use the outcomes of random events that haven't happened yet.
        app.solver.ask(answered, name, match.game, match.first, work=WORK, foresee=True)

    def _show_moves(self, moves: Sequence[str]) -> None:
        """Replay a new match that starts from the same deal and has these moves."""
        page, match = self.screen, self.screen.match
        names = match.names
        fresh = Match(match.game, names, match.seed, deal=match.deal, position=match.position)
        fresh.shown = True
        for move in moves:
            fresh.play(move)
        page.app.pages.replay(fresh, page.entry, page.app.stage.screen, running=True)

    def _own_best(self) -> int | None:
        """Return the best score in earlier matches of the same variant and board size, or None.

        Matches whose solution was shown don't count.
        """
        page, match = self.screen, self.screen.match
        if not page.app.settings.results or match.position is not None:
            return None
        if self._best[0] is not match.state:
            key = key_of(page.app.matches.kept) if page.app.matches.kept is not None else ""
            form = match.game.variant, match.game.size
            scores = [
                each.scores[each.me]
                for each in page.app.results.matches(match.game.id)
                if each.scores and each.winners and not each.shown and each.key != key
                if (each.variant, each.size) == form and each.me >= 0
            ]
            self._best = match.state, max(scores, default=None)
        return self._best[1]

    def sentence(self) -> str:
        """Return who won and why or, for a solo game, the score compared with other scores.

        A solo score is compared with the proved maximum and with the player's best score.
        """
        page, state = self.screen, self.screen.match.state
        result = state.result
        if result is None:
            return ""
        shown, counted = page.match.shown, page.session.facts.counted
        if not (counted and result.winners):
            return ending(state, language(), page.names, counted=counted, shown=shown)
        score = scored(result.scores[0], counted, language())
        told = _("{text}.", text=who_won(["·"], 1, "", language(), score=score, shown=shown))
        return " ".join([told, *self._compared()])

    def headline(self) -> str:
        """Return who won, or that nobody did. For a solo game that was won, return the score."""
        page, state = self.screen, self.screen.match.state
        result = state.result
        if result is None:
            return ""
        shown, counted = page.match.shown, page.session.facts.counted
        score = scored(result.scores[0], counted, language()) if counted and result.winners else ""
        winners = [page.names[seat] for seat in result.winners]
        return capital(
            who_won(winners, len(page.names), "", language(), score=score, shown=shown, lost=result.lost)
        )

    def why(self) -> str:
        """Return the reason for the result, the scores and the hints of the winners, as one line."""
        page, result = self.screen, self.screen.match.state.result
        if result is None:
            return ""
        parts = []
        if page.session.facts.counted and result.winners:
            parts.append(" ".join(self._compared()))
        else:
            parts.append(reason(result, language()))
        if 1 < len(page.names) <= TOLD and any(result.scores):
            order = sorted(range(len(page.names)), key=lambda seat: -result.scores[seat])
            parts.append(", ".join(f"{page.names[seat]} {result.scores[seat]}" for seat in order))
        hints = sum(page.match.hints[seat] for seat in result.winners if seat < len(page.match.hints))
        if hints and not page.match.shown:
            parts.append(ngettext("with {n} hint", "with {n} hints", hints))
        return capital(" · ".join(part for part in parts if part))

    def _compared(self) -> list[str]:
        """Return the known scores for comparison: the proved maximum and the player's best."""
        page, state, parts = self.screen, self.screen.match.state, []
        most = page.entry.form(page.match.game.variant).best.get(state.size)
        if most is not None and page.match.position is None:
            parts.append(_("Best possible: {n}.", n=most))
        own = self._own_best()
        if own is not None:
            parts.append(_("Your best: {n}.", n=own))
        return parts

    def layout(self, rect: Rect) -> None:
        super().layout(rect)
        canvas = self.screen.app.canvas
        for number, buttons in enumerate(reversed(self._rows(canvas, rect.w))):
            line = Rect(rect.x + 12, rect.bottom - 52 - 40 * number, rect.w - 24, 52)
            right = line.right
            for button in buttons:
                wide = button.natural(canvas)
                button.layout(Rect(right - wide, line.cy - 16, wide, 32))
                right -= wide + 8

    def _rows(self, canvas: Canvas, most: float) -> list[list[Button]]:
        """Break the buttons into rows of at most the given width, each from right to left."""
        rows: list[list[Button]] = [[]]
        for button in reversed(self._buttons()):
            if rows[-1] and sum(each.natural(canvas) + 8 for each in (*rows[-1], button)) + 16 > most:
                rows.append([])
            rows[-1].insert(0, button)
        return rows

    def _buttons(self) -> list[Button]:
        """Return the visible buttons from right to left."""
        return [
            button
            for button in (
                self.more,
                self.way,
                self.swap,
                self.find,
                self.same,
                self.rematch,
            )
            if button.visible
        ]

    def natural(self, canvas: Canvas, most: float) -> tuple[float, float]:
        """Return the preferred width and height of the card; the width is at most ``most``."""
        self.same.visible = self.way.visible = self.lost
        rows = self._rows(canvas, most)
        buttons = max(sum(button.natural(canvas) + 8 for button in row) for row in rows)
        table = ROW * (len(self._table()) + 1) + 8 if self._table() else 0
        head = canvas.width(self.headline(), "title", LARGE) + self._signs_wide()
        long = max(head, canvas.width(self.why(), "sans", BODY)) + 40
        return min(most, max(420.0, long, buttons + 24)), HEAD + 40.0 * len(rows) + 12 + table

    def stand(self, canvas: Canvas, view: Rect, free: Rect) -> None:
        """Lay out the card at the bottom of the view.

        It is centred if that keeps it between the left and right edges of ``free``, and moved sideways otherwise.
        """
        wide, high = self.natural(canvas, min(MOST, free.w))
        x = max(free.x, min(view.cx - wide / 2, free.right - wide))
        self.layout(Rect(x, view.bottom - FOOT - high, wide, high))

    def _signs(self) -> list[int]:
        """Return the seats whose symbols precede the headline: the winners, or all if nobody won.

        There are none in a solo game, or if there would be more than :data:`TOLD`.
        """
        result = self.screen.match.state.result
        seats = len(self.screen.names)
        if result is None or seats == 1:
            return []
        found = list(result.winners) or list(range(seats))
        return found if len(found) <= TOLD else []

    def _signs_wide(self) -> float:
        return sum(2 * SIGN + 6 for _ in self._signs()) + (6 if self._signs() else 0)

    def _table(self) -> list[tuple[str, str, str]]:
        """Return the table of results for a series of matches between computers.

        The table is empty while a match is running, and for a series of only one match.
        """
        watching = self.screen.computers.watching
        series = watching.series
        if not watching.over or max(series.wanted, series.matches) == 1:
            return []
        return series.rows()

    def paint(self, canvas: Canvas, style: Style) -> None:
        super().paint(canvas, style)
        box = self.rect
        left = box.x + 18
        table = self._table()
        if table:
            head, rest = box.cut_top(ROW * (len(table) + 1) + 8)
            self._paint_table(canvas, style, head.inset(18, 8), table)
            box = rest
        won = bool(self.screen.match.state.result and self.screen.match.state.result.winners)
        head, why = Rect(left, box.y + 6, box.right - 14 - left, HEAD - 6).cut_top(36)
        for seat in self._signs():
            icons.sign(canvas, seat, head.x + SIGN, head.cy, style.action if won else style.soft, SIGN - 1)
            head = head.cut_left(2 * SIGN + 6)[1]
        head = head.cut_left(6 if self._signs() else 0)[1]
        canvas.text_fit(head, self.headline(), style.ink if won else style.soft, "title", LARGE)
        canvas.text_fit(why, self.why(), style.soft, "sans", BODY)

    def _paint_table(
        self, canvas: Canvas, style: Style, area: Rect, table: list[tuple[str, str, str]]
    ) -> None:
        """Draw the table of results, with a row for each computer and a row for draws.

        The wins and shares are aligned on the right.
        """
        series = self.screen.computers.watching.series
        said = ngettext("After {n} match", "After {n} matches", series.matches)
        canvas.text_in(Rect(area.x, area.y, area.w, ROW), said, style.soft, "sans", BODY)
        for number, (name, won, share) in enumerate(table, 1):
            line = Rect(area.x, area.y + number * ROW, area.w, ROW)
            canvas.text_in(line, name, style.ink, "bold", BODY)
            canvas.text_in(Rect(line.right - 220, line.y, 150, ROW), won, style.ink, "sans", BODY, 1)
            canvas.text_in(Rect(line.right - 60, line.y, 60, ROW), share, style.soft, "sans", BODY, 1)
