"""Cards of the players."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Protocol

from shibumi3d.app.wording import owned
from shibumi3d.i18n import _, language, local, ngettext, pgettext
from shibumi3d.rules.marbles.colour import COLOURS
from shibumi3d.rules.marbles.wording.naming import word
from shibumi3d.rules.wording import capital
from shibumi3d.scene.pen import faded, mixed
from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import BODY, RADIUS, SMALL, Style

from ...board.seat_line import paint_time
from ...ui import icons
from ...ui.canvas import Canvas
from ...ui.core import Still
from ...ui.marble import marble
from .parts import Table

if TYPE_CHECKING:
    from ...board.timing import Timing


SMALLER = 0.8
"""Minimum scale of the text beside a name. Text that doesn't fit even at this scale is left out."""


class Carded(Table, Protocol):
    """Interface of the page that :class:`SeatCard` uses."""

    timing: Timing


class SeatCard(Still):
    """Card of a player: sign, name, roles, clock, score and marbles."""

    steady = True

    def __init__(self, screen: Carded, seat: int) -> None:
        super().__init__()
        self.screen, self.seat = screen, seat
        self.lined = False
        """Whether everything is on one line, to save room."""
        self.aimed = True
        """Whether there is room for the line with this player's goal."""
        self._explained: list[tuple[Rect, str]] = []

    def stocks(self) -> list[tuple[str, list[tuple[int, int]]]]:
        """Return the stocks to show, each as its name and pairs (colour, number).

        The name of the box is an empty string. The colour is an index into :data:`.COLOURS`, or -1 if unknown. A
        negative number means that the viewer doesn't know how many marbles there are.
        """
        state, seat = self.screen.session.told, self.seat
        mine = {COLOURS[c] for c in state.owned(seat)}
        found: list[tuple[str, list[tuple[int, int]]]] = []
        for name, holders in state.reserves.items():
            own = len(holders) == state.seats and (state.seats > 1 or name != "box")
            content = holders[state.seat_of(seat) if own else 0]
            if not own and (not mine or len(mine) == len(COLOURS)):
                continue
            shown = [
                (COLOURS.index(word) if word in COLOURS else -1, number)
                for word, number in content.items()
                if own or word in mine
            ]
            shown = [(colour, number) for colour, number in shown if number or not own]
            if not own and len(state.reserves) > 1 and not any(number for _, number in shown):
                continue
            if shown or own:
                found.append(("" if name == "box" else name.replace("_", " "), shown))
        return found

    def score(self) -> str:
        """Return the score, or an empty string if the game keeps none.

        In a solo game it is followed by the best possible score, if the game file states one.
        """
        state = self.screen.session.told
        scored = self.screen.facts.scored or any(state.scores)
        if not scored:
            return ""
        best = self.screen.entry.form(self.screen.match.game.variant).best.get(state.size)
        score = str(state.scores[self.seat])
        return (
            _("{score} of {best}", score=score, best=best) if best is not None and state.seats == 1 else score
        )

    def gained(self) -> list[str]:
        """Return notes to show beside the name, in words.

        They report the points from earlier games of a series, the matches won if only computers play, the number of
        hints, and whether the solution was shown.
        """
        totals, watching = self.screen.state.totals, self.screen.computers.watching
        gained = (
            [_("{total} carried over", total=totals[self.seat])]
            if self.screen.facts.series and totals
            else []
        )
        if watching.alone and watching.series.matches:
            gained.append(
                ngettext("{n} win", "{n} wins", watching.series.wins[watching.series.at(self.seat)])
            )
        hints = self.screen.advice.hints[self.seat]
        gained += [ngettext("{n} hint", "{n} hints", hints)] if hints else []
        return [*gained, pgettext("seat", "solution shown")] if self.screen.match.shown else gained

    def roles(self) -> list[str]:
        """Return the role names that the rules currently assign to this player, e.g. ``mediator``."""
        return list(self.screen.match.game.roles(self.screen.session.told, self.seat))

    def aim(self) -> str:
        """Return a text that says what this player owns and what their goal is, or ""."""
        return self.screen.match.game.own_line(self.screen.session.view, self.seat, language())

    def explained_at(self, x: float, y: float) -> tuple[Rect, str] | None:
        """Return the explanation at a window position and the area that it applies to, or None."""
        return next(((area, told) for area, told in self._explained if area.holds(x, y)), None)

    def wide(self, few: bool) -> float:
        """Return the preferred width; if there are ``few`` cards, long names get more room."""
        canvas = self.screen.app.canvas
        aim = canvas.width(self.aim(), "sans", SMALL) + 26 if self.aimed else 0.0
        if not few:
            return 176 if self.lined else min(224.0, max(176.0, aim))
        name, score = canvas.width(self.screen.names[self.seat], "bold", BODY), self.score()
        # Reserve room for a two-digit score and a gain, so that the card does not grow during the match.
        most = "".join(("00", *score.partition(" ")[1:]))
        taken = canvas.width(most, "bold", 17) + 34 if score else 0.0
        time = self.screen.timing.line(self.seat)
        taken += canvas.width(time.replace("1", "0"), "bold", BODY) + 12 if time else 0.0
        gained = " · ".join(self.gained())
        taken += canvas.width(gained, "italic", 14) + 8 if gained else 0.0
        return min(260.0, max(190.0, 24 + 26 + name + 8 + taken, aim))

    def natural(self, few: bool) -> float:
        """Return the preferred height."""
        stocks = len(self.stocks())
        if self.aimed and self.aim():
            return 52.0 + (20 * stocks - 2 if stocks else 0)
        return 38.0 + (22 * stocks + 6 if stocks else 0)

    def content(self) -> object:
        screen, seat = self.screen, self.seat
        if screen.computers.thinking_line(seat):
            return None  # the thinking indicator is animated
        session, turn = screen.session, screen.match.state.to_move
        gains = session.gains() if session.shut_from is None else ()
        what = screen.timing.line(seat), self.score(), self.gained(), self.roles(), self.aim(), self.stocks()
        return (
            *what,
            gains,
            turn,
            screen.state.to_move,
            screen.session.opening,
            screen.names[seat],
            self.lined,
            self.aimed,
        )

    def voice(self) -> str:
        """Return all content of the card as text for screen readers, saying what each number counts."""
        screen, seat = self.screen, self.seat
        told = owned(screen.match.game, screen.session.told, seat, screen.names, self.score())
        roles = [word(role, language()) for role in self.roles()] + self.gained()
        times = screen.timing.line(seat), screen.computers.thinking_line(seat)
        return " · ".join(filter(None, (told, *roles, *times)))

    def paint(self, canvas: Canvas, style: Style) -> None:
        state = self.screen.state
        turn = state.to_move == self.seat and not self.screen.session.opening
        box = self.rect
        canvas.shadow(box, faded(style.shadow, 1.0 if turn else 0.5))
        canvas.rect(box, style.card if turn else mixed(style.card, style.page, 0.6), RADIUS)
        canvas.frame(box, style.action if turn else style.hairline, RADIUS, 2 if turn else 1)
        aim = self.aim()
        aimed = aim != "" and self.aimed and not self.lined
        line, rest = box.inset(12, 0).cut_top(box.h if self.lined else 32 if aimed else 38)
        icons.sign(canvas, self.seat, line.x + 8, line.cy, style.action if turn else style.soft, 7)
        thinking = self.screen.computers.thinking_line(self.seat)
        if thinking:
            self._ring(canvas, style, line.x + 8, line.cy)
        time = self.screen.timing.line(self.seat)
        if time:
            # The clock takes the place of the thinking time.
            thinking = ""
        words_, score = self.screen.names[self.seat], self.score()
        right = line.right - canvas.text_in(line, score, style.ink, "bold", 17, 1) - (5 if score else 0)
        gain = (
            self.screen.session.gains()[self.seat] if score and self.screen.session.shut_from is None else 0
        )
        if gain:
            told = f"+{gain}" if gain > 0 else f"−{-gain}"
            beside = Rect(line.x, line.y + 1, right - line.x, line.h)
            right -= canvas.text_in(beside, told, style.amber, "sans", SMALL, 1) + 5
        if time:
            beside = Rect(line.x, line.y, right - line.x, line.h)
            right -= paint_time(canvas, style, beside, time, turn, self.screen.timing.short(self.seat)) + 8
        if self.lined:
            left = line.x + 32 + min(60.0, canvas.width(words_, "bold", BODY))
            right -= self._numbers(canvas, style, Rect(left, line.y, right - left, line.h))
        if thinking:
            beside = Rect(line.x, line.y, right - line.x, line.h)
            right -= canvas.text_in(beside, thinking, style.soft, "sans", SMALL, 1) + 5
        name = Rect(line.x + 26, line.y, right - line.x - 26, line.h)
        roles = " · ".join([word(role, language()) for role in self.roles()] + self.gained())
        if roles:
            # If there is little room, draw the name and the text smaller. If there is even less, draw only the name.
            wide, own = canvas.width(roles, "italic", 14), canvas.width(words_, "bold", BODY)
            long, place = name.cut_left(own if own + wide + 9 <= name.w else name.w / 2, 8)
            if place.w >= wide * SMALLER:
                name = long
                canvas.text_fit(Rect(place.x, line.y + 2, place.w, line.h), roles, style.amber, "italic", 14)
        canvas.text_fit(name, words_, style.ink if turn else style.soft, "bold", BODY)
        self._explained = [(name, self._meant(*self.roles()) or ("" if aimed else aim))]
        if aimed:
            row_, rest = rest.cut_top(15)
            row_ = Rect(row_.x + 2, row_.y - 2, row_.w - 2, row_.h)
            canvas.text_fit(row_, aim, style.ink if turn else style.soft, "sans", SMALL)
            self._explained.append((row_, local(self.screen.entry.summary)))
        for name_, shown in self.stocks() if not self.lined else ():
            row_, rest = rest.cut_top(20 if aimed else 22)
            self._explained.append((row_, self._meant(name_ or "box")))
            x = row_.x + 6
            if name_:
                x += canvas.text_in(row_, word(name_, language()), style.soft, "sans", SMALL) + 6
            x = self._marbles(canvas, style, x, row_, shown)

    def _ring(self, canvas: Canvas, style: Style, x: float, y: float) -> None:
        """Draw the thinking indicator around the seat's sign.

        A bead runs around a ring once every two seconds; with reduced motion, it doesn't move.
        """
        canvas.ring(x, y, 12, style.hairline, 2)
        turn = 0.0 if self.screen.app.settings.reduced else self.screen.computers.seconds * math.pi
        canvas.disc(x + 11 * math.sin(turn), y - 11 * math.cos(turn), 2.5, style.action)

    def _meant(self, *words: str) -> str:
        """Return explanations of words on the card, as sentences."""
        return " ".join(
            _("{text}.", text=capital(told)) for word in words if (told := self.screen.doing.meaning_of(word))
        )

    def _numbers(self, canvas: Canvas, style: Style, line: Rect) -> float:
        """Draw the marbles and numbers of all stocks at the end of the line; return their total width."""
        x = line.right
        for colour, number in reversed([each for _stock, shown in self.stocks() for each in shown]):
            told = "?" if number < 0 else str(number)
            wide = canvas.width(told, "sans", SMALL)
            if x - wide - 12 < line.x:
                break
            canvas.text_in(Rect(x - wide, line.y, wide + 1, line.h), told, style.soft, "sans", SMALL)
            marble(canvas, style, x - wide - 7, line.cy, 4.5, colour)
            x -= wide + 16
        return line.right - x

    def _marbles(
        self, canvas: Canvas, style: Style, x: float, line: Rect, shown: list[tuple[int, int]]
    ) -> float:
        if not shown:
            canvas.text_in(Rect(x, line.y, 60, line.h), "–", style.soft, "sans", SMALL)
            return x
        single = len(shown) == 1
        for colour, number in shown:
            pitch = min(13.0, (line.right - 30 - x) / max(1, number))
            if single and number <= 16 and pitch >= 8:
                for _unused in range(number):
                    marble(canvas, style, x, line.cy, 5.5, colour)
                    x += pitch
                x += 2
            else:
                marble(canvas, style, x, line.cy, 5.5, colour)
                x += 11
            told = "?" if number < 0 else str(number)
            x += canvas.text_in(Rect(x, line.y, 40, line.h), told, style.soft, "sans", SMALL) + 14
        return x
