"""Cards of the players in a match with marbles."""

from __future__ import annotations

import math

from shibumi3d.i18n import _, language, localize_texts, ngettext, pgettext
from shibumi3d.match.marbles import marble_state
from shibumi3d.rules.marbles.colours import COLOURS
from shibumi3d.rules.marbles.wording.names import display_name
from shibumi3d.rules.wording import capitalize_first
from shibumi3d.scene.pen import mix_colours, multiply_alpha
from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import BODY_TEXT_PX, CORNER_RADIUS_PX, SMALL_TEXT_PX, Style
from shibumi3d.wording import describe_seat

from ...ui import icons
from ...ui.canvas import Canvas
from ...ui.icons import draw_marble
from ...ui.seat_line import paint_time
from ...ui.widget import InertWidget
from ..model import Memo
from .interfaces import MarblePage

MIN_TEXT_SCALE = 0.8
"""Minimum scale of the text beside a name. Text that doesn't fit even at this scale is left out."""


class SeatCard(InertWidget):
    """Card of a player, with symbol, name, roles, clock, score, goal and marbles."""

    is_static = True

    def __init__(self, page: MarblePage, seat: int) -> None:
        super().__init__()
        self.page, self.seat = page, seat
        self.is_single_line = False
        """Whether everything is on one line, to save room."""
        self.shows_goal = True
        """Whether there is room for the line with this player's goal."""
        self._explanations: list[tuple[Rect, str]] = []
        self._goal_text = Memo(self._describe_goal, lambda: (page.model.observation, language()))
        """Text that says what this player owns and what their goal is; may be empty."""

    def visible_stocks(self) -> list[tuple[str, list[tuple[int, int]]]]:
        """Return the stocks to show, each as a display name and a list of pairs (colour, number).

        Of a shared stock, only the colours that this seat owns are listed; the stock is left out if the seat owns none
        or all of the colours, or if no marbles of its colours remain and the game has other stocks. In a solo game, a
        stock that is empty now and was empty at the start is left out too.

        The display name of the box is an empty string. The colour is an index into :data:`.COLOURS`, or -1 if it is
        unknown. A negative number means that the viewer doesn't know how many marbles there are.
        """
        state, seat = self.page.model.card_state, self.seat
        mine = {COLOURS[c] for c in state.owned_colours(seat)}
        result: list[tuple[str, list[tuple[int, int]]]] = []
        for name, holders in state.reserves.items():
            own = len(holders) == state.seats and (state.seats > 1 or name != "box")
            content = holders[state.seat_of_player(seat) if own else 0]
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
            if state.seats == 1 and not shown:
                start = marble_state(self.page.match.initial_state)
                if not any(start.reserves[name][0].values()):
                    continue  # such as a bag that setting up the board has emptied
            if shown or own:
                result.append(("" if name == "box" else name.replace("_", " "), shown))
        return result

    def score(self) -> str:
        """Return the score, or an empty string if the game keeps none.

        In a solo game, it is followed by the best score that can be achieved, if that is known.
        """
        state = self.page.model.card_state
        scored = self.page.facts.has_scores or any(state.scores)
        if not scored:
            return ""
        best = self.page.app.results.solo.best_score(self.page.match, self.page.entry)
        score = str(state.scores[self.seat])
        return _("{score} of {best}", score=score, best=best) if best is not None else score

    def side_notes(self) -> list[str]:
        """Return notes to show beside the name, in words.

        They report the points from earlier games of a series, the number of hints, and whether the solution was shown.
        If only computers play, they also report the number of matches won.
        """
        totals, controls = self.page.state.totals, self.page.computer_players.series_controls
        notes = (
            [_("{total} from earlier games", total=totals[self.seat])]
            if self.page.facts.is_series and totals
            else []
        )
        if controls.are_all_computers and controls.series.matches_played:
            notes.append(
                ngettext("{n} win", "{n} wins", controls.series.wins[controls.series.player_at(self.seat)])
            )
        hints = self.page.advice.hint_counts[self.seat]
        notes += [ngettext("{n} hint", "{n} hints", hints)] if hints else []
        return [*notes, pgettext("seat", "solution shown")] if self.page.match.is_solution_shown else notes

    def roles(self) -> list[str]:
        """Return the names of the roles that the rules currently assign to this player, such as ``mediator``."""
        return list(self.page.match.game.roles(self.page.model.card_state, self.seat))

    def _describe_goal(self) -> str:
        parts = self.page.match.game.describe_seat(self.page.model.observation, self.seat, language())
        return " · ".join(parts)

    def explanation_at(self, x: float, y: float) -> tuple[Rect, str] | None:
        """Return the area and explanation of the name, goal or stock at a window position.

        The explanation may be empty. Returns None if there is no name, goal or stock at the position.
        """
        return next(((area, text) for area, text in self._explanations if area.contains(x, y)), None)

    def preferred_width(self, few_cards: bool) -> float:
        """Return the preferred width in logical pixels.

        Set ``few_cards`` if there are only a few cards: the card then gets room for the goal, the name, the score, the
        clock and the notes, up to a limit. Otherwise, the card exceeds its minimum width only if the goal needs more
        room.
        """
        canvas = self.page.app.canvas
        aim = canvas.text_width(self._goal_text.get(), "sans", SMALL_TEXT_PX) + 26 if self.shows_goal else 0.0
        if not few_cards:
            return 176 if self.is_single_line else min(224.0, max(176.0, aim))
        name, score = canvas.text_width(self.page.names[self.seat], "bold", BODY_TEXT_PX), self.score()
        # Reserve room for a two-digit score and a gain, so that the card does not grow during the match.
        longest_score = "".join(("00", *score.partition(" ")[1:]))
        taken = canvas.text_width(longest_score, "bold", 17) + 34 if score else 0.0
        time = self.page.clocks.time_text(self.seat)
        taken += canvas.text_width(time.replace("1", "0"), "bold", BODY_TEXT_PX) + 12 if time else 0.0
        gained = " · ".join(self.side_notes())
        taken += canvas.text_width(gained, "italic", 14) + 8 if gained else 0.0
        return min(260.0, max(190.0, 24 + 26 + name + 8 + taken, aim))

    def preferred_height(self) -> float:
        """Return the preferred height of the card in logical pixels.

        This height doesn't apply if :attr:`is_single_line` is true.
        """
        stocks = len(self.visible_stocks())
        if self.shows_goal and self._goal_text.get():
            return 52.0 + (20 * stocks - 2 if stocks else 0)
        return 38.0 + (22 * stocks + 6 if stocks else 0)

    def paint_key(self) -> object:
        page, seat = self.page, self.seat
        if page.computer_players.thinking_time_text(seat):
            return None  # the thinking indicator is animated
        model, turn = page.model, page.match.state.to_move
        gains = model.score_changes if model.first_covered_choice is None else ()
        what = (
            page.clocks.time_text(seat),
            self.score(),
            self.side_notes(),
            self.roles(),
            self._goal_text.get(),
            self.visible_stocks(),
        )
        return (
            *what,
            gains,
            turn,
            page.state.to_move,
            page.model.is_revealing,
            page.names[seat],
            self.is_single_line,
            self.shows_goal,
        )

    def accessible_text(self) -> str:
        """Return the content of the card as text for screen readers.

        The text says what each number counts.
        """
        page, seat = self.page, self.seat
        description = describe_seat(page.match.game, page.model.card_state, seat, page.names, self.score())
        roles = [display_name(role, language()) for role in self.roles()] + self.side_notes()
        times = page.clocks.time_text(seat), page.computer_players.thinking_time_text(seat)
        return " · ".join(filter(None, (description, *roles, *times)))

    def paint(self, canvas: Canvas, style: Style) -> None:
        state = self.page.state
        turn = state.to_move == self.seat and not self.page.model.is_revealing
        box = self.rect
        canvas.shadow(box, multiply_alpha(style.shadow, 1.0 if turn else 0.5))
        canvas.rect(box, style.card if turn else mix_colours(style.card, style.page, 0.6), CORNER_RADIUS_PX)
        canvas.outline(box, style.action if turn else style.hairline, CORNER_RADIUS_PX, 2 if turn else 1)
        aim = self._goal_text.get()
        aimed = aim != "" and self.shows_goal and not self.is_single_line
        line, rest = box.inset(12, 0).cut_top(box.h if self.is_single_line else 32 if aimed else 38)
        icons.draw_seat_symbol(
            canvas, self.seat, line.x + 8, line.cy, style.action if turn else style.secondary_ink, 7
        )
        thinking = self.page.computer_players.thinking_time_text(self.seat)
        if thinking:
            self._paint_thinking_ring(canvas, style, line.x + 8, line.cy)
        time = self.page.clocks.time_text(self.seat)
        if time:
            # The clock takes the place of the thinking time.
            thinking = ""
        words_, score = self.page.names[self.seat], self.score()
        right = line.right - canvas.text_in(line, score, style.ink, "bold", 17, 1) - (5 if score else 0)
        gain = (
            self.page.model.score_changes[self.seat]
            if score and self.page.model.first_covered_choice is None
            else 0
        )
        if gain:
            gain_text = f"+{gain}" if gain > 0 else f"−{-gain}"
            beside = Rect(line.x, line.y + 1, right - line.x, line.h)
            right -= canvas.text_in(beside, gain_text, style.amber, "sans", SMALL_TEXT_PX, 1) + 5
        if time:
            beside = Rect(line.x, line.y, right - line.x, line.h)
            right -= (
                paint_time(canvas, style, beside, time, turn, self.page.clocks.is_time_low(self.seat)) + 8
            )
        if self.is_single_line:
            left = line.x + 32 + min(60.0, canvas.text_width(words_, "bold", BODY_TEXT_PX))
            right -= self._paint_counts(canvas, style, Rect(left, line.y, right - left, line.h))
        if thinking:
            beside = Rect(line.x, line.y, right - line.x, line.h)
            right -= canvas.text_in(beside, thinking, style.secondary_ink, "sans", SMALL_TEXT_PX, 1) + 5
        name = Rect(line.x + 26, line.y, right - line.x - 26, line.h)
        roles = " · ".join([display_name(role, language()) for role in self.roles()] + self.side_notes())
        if roles:
            # If there is little room, draw the name and the text smaller. If there is even less, draw only the name.
            wide, own = (
                canvas.text_width(roles, "italic", 14),
                canvas.text_width(words_, "bold", BODY_TEXT_PX),
            )
            long, place = name.cut_left(own if own + wide + 9 <= name.w else name.w / 2, 8)
            if place.w >= wide * MIN_TEXT_SCALE:
                name = long
                canvas.text_fit(Rect(place.x, line.y + 2, place.w, line.h), roles, style.amber, "italic", 14)
        canvas.text_fit(name, words_, style.ink if turn else style.secondary_ink, "bold", BODY_TEXT_PX)
        self._explanations = [(name, self._explain_words(*self.roles()) or ("" if aimed else aim))]
        if aimed:
            row_, rest = rest.cut_top(15)
            row_ = Rect(row_.x + 2, row_.y - 2, row_.w - 2, row_.h)
            canvas.text_fit(row_, aim, style.ink if turn else style.secondary_ink, "sans", SMALL_TEXT_PX)
            self._explanations.append((row_, localize_texts(self.page.entry.summary)))
        for name_, shown in self.visible_stocks() if not self.is_single_line else ():
            row_, rest = rest.cut_top(20 if aimed else 22)
            self._explanations.append((row_, self._explain_words(name_ or "box")))
            x = row_.x + 6
            if name_:
                x += (
                    canvas.text_in(
                        row_, display_name(name_, language()), style.secondary_ink, "sans", SMALL_TEXT_PX
                    )
                    + 6
                )
            x = self._paint_marbles(canvas, style, x, row_, shown)

    def _paint_thinking_ring(self, canvas: Canvas, style: Style, x: float, y: float) -> None:
        """Draw the thinking indicator around the seat's symbol.

        A bead runs around a ring once every two seconds; with reduced motion, it doesn't move.
        """
        canvas.ring(x, y, 12, style.hairline, 2)
        turn = (
            0.0 if self.page.app.settings.reduced else self.page.computer_players.thinking_seconds * math.pi
        )
        canvas.disc(x + 11 * math.sin(turn), y - 11 * math.cos(turn), 2.5, style.action)

    def _explain_words(self, *words: str) -> str:
        return " ".join(
            _("{text}.", text=capitalize_first(text))
            for word in words
            if (text := self.page.actions.explain_word(word))
        )

    def _paint_counts(self, canvas: Canvas, style: Style, line: Rect) -> float:
        """Draw a marble and a number for each colour in each visible stock, at the right end of ``line``.

        If there isn't enough room for all of them, the first ones are left out. Returns the width used.
        """
        x = line.right
        for colour, number in reversed([each for _stock, shown in self.visible_stocks() for each in shown]):
            text = "?" if number < 0 else str(number)
            width = canvas.text_width(text, "sans", SMALL_TEXT_PX)
            if x - width - 12 < line.x:
                break
            canvas.text_in(
                Rect(x - width, line.y, width + 1, line.h), text, style.secondary_ink, "sans", SMALL_TEXT_PX
            )
            draw_marble(canvas, style, x - width - 7, line.cy, 4.5, colour)
            x -= width + 16
        return line.right - x

    def _paint_marbles(
        self, canvas: Canvas, style: Style, x: float, line: Rect, marble_counts: list[tuple[int, int]]
    ) -> float:
        if not marble_counts:
            canvas.text_in(Rect(x, line.y, 60, line.h), "–", style.secondary_ink, "sans", SMALL_TEXT_PX)
            return x
        has_one_colour = len(marble_counts) == 1
        for colour, count in marble_counts:
            pitch = min(13.0, (line.right - 30 - x) / max(1, count))
            if has_one_colour and count <= 16 and pitch >= 8:
                for _unused in range(count):
                    draw_marble(canvas, style, x, line.cy, 5.5, colour)
                    x += pitch
                x += 2
            else:
                draw_marble(canvas, style, x, line.cy, 5.5, colour)
                x += 11
            text = "?" if count < 0 else str(count)
            x += (
                canvas.text_in(Rect(x, line.y, 40, line.h), text, style.secondary_ink, "sans", SMALL_TEXT_PX)
                + 14
            )
        return x
