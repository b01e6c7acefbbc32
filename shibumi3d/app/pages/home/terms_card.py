"""Card for match settings that don't belong to the rules, and the button that opens it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from shibumi3d.i18n import _
from shibumi3d.match.clock import TimeLimit
from shibumi3d.match.outside_moves import swappable
from shibumi3d.rules.marbles import handicap
from shibumi3d.rules.wording import capital
from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import BODY, SMALL, Style

from ...host.terms import PACES, USUAL, Terms, pace_told
from ...marbles.counts import Counts
from ...ui.button import Button
from ...ui.canvas import Canvas
from ...ui.choice import Choice
from ...ui.core import Widget
from ...ui.drop import Drop
from ...ui.panel import Card, middle
from ...ui.tree import sentences

if TYPE_CHECKING:
    from shibumi3d.rules.game import Facts

    from ...host import Host

LINE = 46.0


def heard(terms: Terms) -> str:
    """Return the settings as screen readers announce them, e.g. ``Clock: none``."""
    pace = _("none") if terms.pace is None else pace_told(terms.pace)
    return sentences([_("Clock: {pace}", pace=pace), *map(capital, terms.more_told())])


class TermsButton(Button):
    """Button that shows the match settings and opens a card for changing them."""

    def __init__(
        self, app: Host, terms: Terms, seats: int, facts: Facts, changed: Callable[[Terms], None]
    ) -> None:
        super().__init__(
            terms.told(),
            self._open,
            name="terms",
            size=14,
            tip=_("Clocks, first player, swap rule, handicap"),
        )
        self.app, self.terms, self.changed = app, terms, changed
        self.seats, self.facts = seats, facts

        self.heard = heard(terms)

    def _take(self, terms: Terms) -> None:
        self.terms, self.label, self.heard = terms, terms.told(), heard(terms)
        self.changed(terms)
        self.refresh()

    def _open(self) -> None:
        card = TermsCard(self)
        self.app.root.popup(card, middle(card.WIDE, 116 + LINE * len(card.lines)), focus=card.lines[0][1])

    def paint(self, canvas: Canvas, style: Style) -> None:
        whole = self.label
        self.label = canvas.cut(whole, "sans", self.size, self.rect.w - 16)
        super().paint(canvas, style)
        self.label = whole


class Agreement:
    """Match settings that the players have chosen, limited to what the selected game allows.

    ``wanted`` holds the settings as chosen. Clocks require that moves are made one at a time. The swap rule requires a
    game for which :func:`.swappable` returns True. A random order of seats requires more than one seat.
    """

    def __init__(self) -> None:
        self.wanted = USUAL

    def within(self, facts: Facts | None, seats: int) -> Terms:
        """Return the chosen settings, limited to what a game with these facts allows.

        The result is :data:`.USUAL` if ``facts`` is None or moves are simultaneous. An invalid handicap is dropped.
        """
        if facts is None or facts.simultaneous:
            return USUAL
        wanted = self.wanted
        agreed = Terms(wanted.pace, wanted.lot and seats > 1, wanted.swap and swappable(facts, seats))
        try:
            more = handicap.read(wanted.handicap, facts)
        except ValueError:
            return agreed
        return replace(agreed, handicap=handicap.written(more, facts))

    def button(self, app: Host, facts: Facts | None, seats: int) -> TermsButton | None:
        """Return a button to show and change the settings, or None if the game allows none of them."""
        if facts is None or facts.simultaneous:
            return None
        return TermsButton(app, self.within(facts, seats), seats, facts, self._take)

    def _take(self, terms: Terms) -> None:
        self.wanted = terms


class TermsCard(Card):
    """Card with one line for each match setting."""

    WIDE = 480.0
    LABEL = 156.0

    def __init__(self, button: TermsButton) -> None:
        super().__init__(_("Game settings"))
        self.button = button
        self.lines: list[tuple[str, Widget]] = []
        paces = [TimeLimit.read(text) for text in PACES]
        chosen = paces.index(button.terms.pace) if button.terms.pace in paces else 0

        def set_pace(number: int) -> None:
            button._take(replace(button.terms, pace=paces[number]))

        drop = Drop([pace_told(pace) for pace in paces], chosen, set_pace, name="clock")
        self.lines.append((_("Time per player"), drop))
        if button.seats > 1:
            words = [_("seat 1"), _("random turn order")]
            self.lines.append(
                (_("First player"), Choice(words, int(button.terms.lot), self._lot, name="lot"))
            )
        if swappable(button.facts, button.seats):
            words = [_("no swap"), _("may swap")]
            self.lines.append(
                (_("Swap rule"), Choice(words, int(button.terms.swap), self._swap, name="swap"))
            )
        self.more = handicap.read(button.terms.handicap, button.facts)
        """Handicap: for each seat, the number of extra marbles of each colour."""
        found = handicap.stock(button.facts)
        for seat, begins in enumerate(found.begins if found is not None else ()):
            self.lines.append((_("Player {n} starts with", seat + 1), self._counts(seat, begins)))
        self.done = Button(_("Done"), self._close, kind="main", name="terms done")
        self.add(*(widget for _, widget in self.lines), self.done)

    def _lot(self, number: int) -> None:
        self.button._take(replace(self.button.terms, lot=bool(number)))

    def _swap(self, number: int) -> None:
        self.button._take(replace(self.button.terms, swap=bool(number)))

    def _counts(self, seat: int, begins: Sequence[int]) -> Counts:
        """Return the input field for the number of marbles of each colour that a seat starts with."""
        colours = handicap.held(begins)

        def with_(counts: Sequence[int]) -> handicap.Handicap:
            more = tuple([n - begins[colour] for colour, n in zip(colours, counts, strict=True)])
            return (*self.more[:seat], more, *self.more[seat + 1 :])

        def allowed(counts: Sequence[int]) -> bool:
            try:
                handicap.deal(with_(counts), self.button.facts)
            except ValueError:
                return False
            return True

        def take(counts: tuple[int, ...]) -> None:
            self.more = with_(counts)
            told = handicap.written(self.more, self.button.facts)
            self.button._take(replace(self.button.terms, handicap=told))

        now = tuple([begins[colour] + n for colour, n in zip(colours, self.more[seat], strict=True)])
        return Counts(now, take, name=f"begins {seat + 1}", least=0, colours=colours, allowed=allowed)

    def _close(self) -> None:
        self.button.app.root.close()

    def layout(self, rect: Rect) -> None:
        super().layout(rect)
        area = rect.inset(24, 16)
        _, area = area.cut_top(46)
        button, area = area.cut_bottom(32)
        self.done.layout(button.cut_right(96)[0])
        for _unused, widget in self.lines:
            line, area = area.cut_top(LINE - 10, 10)
            widget.layout(line.cut_left(self.LABEL + 4)[1])

    def paint(self, canvas: Canvas, style: Style) -> None:
        super().paint(canvas, style)
        for label, widget in self.lines:
            place = Rect(self.rect.x + 24, widget.rect.y, self.LABEL, widget.rect.h)
            canvas.text_fit(place, label, style.soft, "sans", BODY - 1 if len(label) < 16 else SMALL)
