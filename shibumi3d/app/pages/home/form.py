"""Panel with the description and settings of the selected game, and the Play button."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from shibumi3d.app.wording import rules_text, titled
from shibumi3d.catalogue.problems import how_many
from shibumi3d.catalogue.schema import Entry
from shibumi3d.i18n import N_, _, language, local, localize, ngettext
from shibumi3d.names import plain, shows
from shibumi3d.rules.game import Option
from shibumi3d.rules.marbles.wording.naming import word
from shibumi3d.rules.source import Problem
from shibumi3d.rules.wording import capital
from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import BODY, SMALL, TITLE, Style
from shibumi3d.search.levels import PERSON
from shibumi3d.search.worker import Answer

from ...board.meanings import meanings
from ...board.seating import named
from ...host.courses import OfGame
from ...ui import icons
from ...ui.button import Button
from ...ui.canvas import Canvas
from ...ui.choice import Choice
from ...ui.core import Widget
from ...ui.drop import Drop
from ...ui.field import Field
from ...ui.panel import Panel
from ...ui.prose import Explained, Prose

if TYPE_CHECKING:
    from ...host import Host

from ...marbles.counts import Counts
from .chosen import Chosen
from .terms_card import TermsButton
from .who import Who

SETUP_TEXTS = {
    "players": N_("Players"),
    "size": N_("Size"),
    "variant": N_("Variant"),
    "deals": N_("Deal"),
    "repeats": N_("Repetition"),
    "terms": N_("Options"),
}

LESSON = 5
"""Number of problems offered to a user who is learning a game."""
MANY = 6
"""Maximum number of variants shown as buttons; if there are more, a drop-down list is used."""
SUMMARY = 60.0
"""Maximum height of the summary, in logical pixels."""
LABEL = 92
"""Width of the labels of the settings, in logical pixels."""
WAYS = (
    (True, 1, 42),
    (True, 1, 38),
    (True, 2, 38),
    (False, 1, 38),
    (False, 2, 38),
    (False, 3, 34),
    (False, 3, 30),
    (False, 3, 27),
)
"""Layouts in order of preference.

Each consists of whether to show the summary, the number of columns of names, and the height of a line.
"""


def seed_of(text: str) -> int:
    """Return the seed for a text that the user has typed.

    A number of up to 15 digits is used as is, and an empty text gives a random seed. Any other text gives a seed that
    is the same on every machine.
    """
    text = text.strip()
    if not text:
        return random.randrange(1_000_000)
    if text.isdecimal() and len(text) <= 15:
        return int(text)
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:6], "big")


class StartPanel(Panel):
    """Panel that describes the selected game and lets the user choose its settings and start it."""

    def __init__(self, app: Host, changed: Callable[[], None], favour: Callable[[], None]) -> None:
        super().__init__("card", "left")
        self.app, self.changed, self._favour = app, changed, favour
        self.chosen = Chosen(app)
        self.option_labels: dict[str, str] = {}
        self.looking = False
        self.fields: list[Field] = []
        self.who: list[Who] = []
        self.labels: list[tuple[Widget, str, Rect]] = []
        """Widget, label and label position of each setting."""
        self.body = Prose("", 16, name="rules")
        self.summary = Prose("", 17, name="summary", measure=200)
        self.summary.focusable, self.summary.close = False, True
        self.explained = Explained()
        for prose in (self.body, self.summary):
            prose.explain, prose.met = self._explain, self.explained.point
        self.seed = Field("", hint=_("Seed (optional)"), name="seed", longest=40)
        self.seed.heard = _("Seed")
        self.go = Button(_("Play"), self.play, kind="main", name="play")
        self.edit = Button(
            "",
            lambda: lay_out(self),
            icon="marbles",
            kind="quiet",
            tip=_("Edit position  E"),
            name="lay out",
        )
        self.problems = Button("", self._problems, icon="hint", name="problems")
        self.star = Button(
            "", self._toggle_star, icon="star", kind="quiet", tip=_("Favourite  Ctrl+F"), name="favourite"
        )

    def _explain(self, words: Sequence[str]) -> list[str]:
        """Return the explanation of each word in the rules, or an empty string for words without one."""
        if self.chosen.entry is None:
            return [""] * len(words)
        return meanings(self.chosen.entry, self.chosen.variant, words)

    def show_wrong(self, name: str, problems: Sequence[Problem]) -> None:
        """Show the errors in a game file that can't be played."""
        if self.looking:
            self.stop_looking()
        self.chosen.entry = None
        self.chosen.hand = ""
        self.clear()
        lines = "\n".join(
            "- " + _("line {line}: {message}", line=problem.mark.line, message=problem.message)
            for problem in problems
        )
        self.body.say("\n\n".join((f"## {name}", _("This file can't be played yet."), lines)))
        self.add(self.body)
        self.layout(self.rect)
        self.changed()
        self.refresh()

    def show(self, entry: Entry) -> None:
        """Show another game."""
        if entry is not self.chosen.entry:
            if self.looking:
                self.stop_looking()
            self.chosen.take(entry)
            self.option_labels = {}
            self.body.say(rules_text(entry.form(self.chosen.variant).rules))
            self._build()

    def play(self) -> None:
        """Start a match with the current settings.

        If only winnable deals are wanted, search for one first; another call stops the search.
        """
        entry = self.chosen.entry
        if entry is None:
            return
        if self.looking:
            self.stop_looking()
            return
        names = [plain(field.words).strip() or _("Player {n}", n + 1) for n, field in enumerate(self.fields)]
        for field, name, kind in zip(self.fields, names, self.chosen.kinds, strict=False):
            if kind == PERSON and not shows(name):
                if self.root is not None:
                    self.root.focus = field
                self.app.tell(_("This name has no visible characters. Choose another one."))
                return
        kinds = self.chosen.kinds[: self.chosen.seats]
        names = named(names, kinds)
        seed, size, variant = seed_of(self.seed.words), self.chosen.size, self.chosen.variant
        if not (self.chosen.sure and self.chosen.may_be_sure()):
            self.app.matches.start(
                entry,
                names,
                size,
                variant,
                seed,
                self.chosen.deal(),
                kinds=kinds,
                repetition=self.chosen.claims,
                options=self.chosen.options,
                terms=self.chosen.terms.within(self.chosen.facts(), self.chosen.seats),
            )
            return

        def told(answer: Answer) -> None:
            self.stop_looking()
            if answer.error is not None:
                self.app.tell(_("{text}.", text=capital(localize(answer.error))))
            elif isinstance(answer.value, int):
                self.app.matches.start(
                    entry,
                    names,
                    size,
                    variant,
                    answer.value,
                    kinds=kinds,
                    terms=self.chosen.terms.within(self.chosen.facts(), self.chosen.seats),
                )
            else:
                self.app.tell(_("No winnable deal found. Try another seed, or allow any deal."))

        self.looking = True
        self.go.label, self.go.tip = _("Stop"), _("Looking for a winnable deal…")
        self.app.solver.ask(
            told, "find_seed", entry.game(size=size, variant=variant), seed, seats=self.chosen.seats
        )
        self.refresh()

    def _toggle_star(self) -> None:
        self._favour()
        if self.chosen.entry is not None:
            self.star.on = self.chosen.entry.id in self.app.settings.favourites

    def stop_looking(self) -> None:
        """Stop the search for a winnable deal."""
        self.looking = False
        watching = PERSON not in self.chosen.kinds[: self.chosen.seats]
        self.go.label, self.go.tip = (_("Watch") if watching else _("Play")), ""
        self.app.solver.stop()
        self.refresh()

    def _set_counts(self, counts: tuple[int, ...]) -> None:
        self.chosen.counts = counts
        self.refresh()

    def _build(self) -> None:
        entry = self.chosen.entry
        assert entry is not None
        self.clear()
        self.fields = [
            Field(self.chosen.names[n], self._named(n), name=f"seat {n + 1}", longest=24)
            for n in range(self.chosen.seats)
        ]
        like = self.chosen.like()
        self.who = [
            Who(self.app, n, self.chosen.kinds[n], self._set_kind, like) for n in range(self.chosen.seats)
        ]
        for field, kind in zip(self.fields, self.chosen.kinds, strict=False):
            field.visible = kind == PERSON
        self.go.label = _("Play") if PERSON in self.chosen.kinds[: self.chosen.seats] else _("Watch")
        least, most = entry.players
        if most > least:
            counts = [str(n) for n in range(least, most + 1)]
            self.add(Choice(counts, self.chosen.seats - least, self._set_seats, name="players"))
        # Add each name with its player type, so that Tab visits them in that order.
        for field, who in zip(self.fields, self.who, strict=True):
            self.add(field, who)
        if len(entry.sizes) > 1:
            sizes = sorted(entry.sizes)
            self.add(
                Choice([str(n) for n in sizes], sizes.index(self.chosen.size), self._set_size, name="size")
            )
        if entry.variants:
            names = [
                _("standard"),
                *(word(name.replace("-", " "), language()) for name in entry.variants),
            ]
            chosen = ("", *entry.variants).index(self.chosen.variant)
            chooser = Choice if len(names) <= MANY else Drop
            self.add(chooser(names, chosen, self._set_variant, name="variant"))
        for option in entry.options:
            shown = [str(value) for value in option.values]
            usual = self.chosen.options.get(option.name, option.usual_for(self.chosen.seats))
            place = option.values.index(usual)
            label = capital(local(option.label))
            self.option_labels[option.name] = label

            def choose(number: int, option: Option = option) -> None:
                self.chosen.options[option.name] = option.values[number]

            self.add(Choice(shown, place, choose, name=option.name))
        self.chosen.find_hand()
        if self.chosen.hand:
            self.add(Counts(self.chosen.counts, self._set_counts, name=self.chosen.hand.replace("_", " ")))
        if self.chosen.may_be_sure():
            self.add(
                Choice(
                    [_("any"), _("winnable")],
                    int(self.chosen.sure),
                    self._set_sure,
                    name="deals",
                )
            )

        def set_claims(number: int) -> None:
            self.chosen.claims = not number

        facts = self.chosen.facts()
        if (
            facts is not None
            and facts.recurs
            and self.chosen.seats > 1
            and not (facts.secrets or facts.series)
        ):
            options = [_("draw possible"), _("play on")]
            self.add(Choice(options, int(not self.chosen.claims), set_claims, name="repeats"))
        agreed = self.chosen.terms.button(self.app, self.chosen.facts(), self.chosen.seats)
        if agreed is not None:
            self.add(agreed)
        self.star.on = entry.id in self.app.settings.favourites
        game = self.chosen.game()
        self.edit.visible = game is not None and bool(
            game.size
        )  # the position editor supports only games with marbles
        self.summary.say(f"*{local(entry.summary)}*")
        self._say_problems()
        self.add(
            self.seed, self.go, self.problems, self.body, self.summary, self.edit, self.star, self.explained
        )
        self.changed()
        self.refresh()

    def _first_time(self) -> bool:
        """Return whether the user has neither played the game nor solved one of its problems."""
        entry, app = self.chosen.entry, self.app
        assert entry is not None
        return entry.id not in app.settings.played and not app.results.problems.solved(entry.id)

    def _say_problems(self) -> None:
        """Label the problem button with the number solved or, for a new game, the number offered."""
        entry = self.chosen.entry
        assert entry is not None
        every = how_many(entry.id)
        self.problems.visible = bool(every)
        if every and self._first_time():
            self.problems.label = ngettext(
                "Learn with {n} problem", "Learn with {n} problems", min(LESSON, every)
            )
        elif every:
            self.problems.label = _(
                "Problems {found} / {all}", found=self.app.results.problems.solved(entry.id), all=every
            )

    def _problems(self) -> None:
        """Open the page of the game's problems, or its first problem if the user is new to the game."""
        entry, app = self.chosen.entry, self.app
        assert entry is not None
        if self._first_time():
            app.pages.problem(OfGame(app.results.problems, entry.id, most=LESSON), app.stage.screen)
        else:
            app.pages.problems(entry.id)

    def _named(self, seat: int) -> Callable[[str], None]:
        def set_name(name: str) -> None:
            self.chosen.names[seat] = name

        return set_name

    def _set_kind(self, seat: int, kind: str) -> None:
        self.chosen.kinds[seat] = kind
        self._build()

    def _set_seats(self, number: int) -> None:
        assert self.chosen.entry is not None
        self.chosen.seats = self.chosen.entry.players[0] + number
        self._build()

    def _set_size(self, number: int) -> None:
        assert self.chosen.entry is not None
        self.chosen.size = sorted(self.chosen.entry.sizes)[number]
        self._build()

    def _set_sure(self, number: int) -> None:
        self.chosen.sure = bool(number)

    def _set_variant(self, number: int) -> None:
        assert self.chosen.entry is not None
        self.chosen.variant = ("", *self.chosen.entry.variants)[number]
        entry = self.chosen.entry.form(self.chosen.variant)
        self.body.say(rules_text(entry.rules))
        self._build()

    _below = Rect()
    _summary = True
    """Whether there is room for the summary."""

    @property
    def _apart(self) -> tuple[Widget, ...]:
        """Child widgets that do not belong to the lines of settings."""
        apart = (
            self.body,
            self.summary,
            self.edit,
            self.star,
            self.seed,
            self.go,
            self.problems,
            self.explained,
        )
        return *apart, *self.who

    def _lines(self, columns: int, wide: float) -> list[tuple[list[Widget], int]]:
        """Return the lines of settings, each as its widgets and its height in rows.

        The names of the players are laid out in ``columns`` columns.
        """
        canvas = self.app.canvas
        canvas.scale = self.app.scale
        found: list[tuple[list[Widget], int]] = []
        names: list[Widget] = [*self.fields]
        for child in self.children:
            if child in self._apart:
                continue
            if child in names:
                if names.index(child) % columns == 0:
                    found.append(([], 1))
                found[-1][0].append(child)
                continue
            rows = 1
            if isinstance(child, Choice):
                child.measure(canvas)
                rows = len(child.rows(wide - LABEL))
            found.append(([child], rows))
        return found

    def _label(self, child: Widget) -> str:
        """Return the label for a line of settings."""
        if isinstance(child, Counts):
            return capital(word(child.name, language()))
        if isinstance(child, Field):
            return _("Seat {n}", self.fields.index(child) + 1)
        return self.option_labels.get(child.name) or _(SETUP_TEXTS[child.name])

    def _head(self, wide: float, summary: bool) -> float:
        """Return the total height of the title, the authors and the summary."""
        return 40 + (22 if self._fits(self.made(), wide) else 30) + (64 if summary else 4)

    def _fits(self, text: str, wide: float) -> bool:
        return self.app.canvas.width(text, "sans", SMALL) <= wide

    def made(self) -> str:
        """Return the authors of the game and the year of its publication."""
        entry = self.chosen.entry
        if entry is None or not entry.authors:
            return ""
        people = ", ".join(entry.authors)
        return _("{people}, {year}", people=people, year=entry.year) if entry.year else people

    def least(self, wide: float) -> float:
        """Return the minimum height at width ``wide``, for the settings and a few lines of the rules."""
        if self.chosen.entry is None:
            return 0.0
        rows = sum(count for _, count in self._lines(1, wide - 48))
        more = (24 if self.chosen.hand else 0) + (40 if self.problems.visible else 0)
        return 36 + self._head(wide - 48, True) + 42 * rows + more + 52 + 110

    def layout(self, rect: Rect) -> None:
        super().layout(rect)
        self.labels = []
        area = rect.inset(24, 18)
        self.star.layout(Rect(area.right - 32, area.y + 2, 32, 32))
        self.edit.layout(self.star.rect.moved(-34, 0))
        if self.chosen.entry is None:
            self.body.layout(Rect(area.x, area.y, area.w + 12, area.h))
            return
        # If there is little room, reduce the line height, put names side by side and hide the summary.
        for summary, columns, step in WAYS:
            lines = self._lines(columns, area.w)
            need = self._head(area.w, summary) + step * sum(count for _, count in lines)
            if need + (24 if self.chosen.hand else 0) + (40 if self.problems.visible else 0) + 38 <= area.h:
                break
        self._summary = summary
        head, area = area.cut_top(self._head(area.w, summary))
        self.summary.visible = summary
        _lay_summary(self.summary, head, self.app.canvas)
        for widgets, count in lines:
            line, area = area.cut_top(step * count - 8, 8)
            if columns > 1 and widgets[0] in self.fields:
                each = (line.w + 10) / columns
                for number, field in enumerate(widgets):
                    place = Rect(line.x + each * number, line.y, each - 10, line.h)
                    label, place = place.cut_left(22)
                    self.labels.append((field, self._label(field), label))
                    self._lay_seat(field, place)
                continue
            (child,) = widgets
            label, field_ = line.cut_left(LABEL)
            if isinstance(child, Counts) and field_.w < Counts.LEAST * len(child.counts):
                label, field_ = Rect(), line
            self.labels.append((child, self._label(child), label))
            if isinstance(child, Field):
                self._lay_seat(child, field_)
            else:
                child.layout(field_)
        if self.chosen.hand:
            self._below, area = area.cut_top(20, 4)
        line, area = area.cut_top(38, 14)
        seed, go = line.cut_left(line.w - min(132, line.w / 2), 12)
        self.seed.layout(seed)
        self.go.layout(go)
        if self.problems.visible:
            line, area = area.cut_top(32, 8)
            self.problems.layout(
                Rect(line.x, line.y, min(line.w, self.problems.natural(self.app.canvas)), 32)
            )
        self.body.layout(Rect(area.x, area.y + 6, area.w + 12, area.h - 6))
        self.body.visible = area.h > 40

    def _lay_seat(self, field: Widget, place: Rect) -> None:
        """Lay out a seat's name and player type; a computer player has no name field."""
        seats: list[Widget] = [*self.fields]
        who = self.who[seats.index(field)]
        name, button = place.cut_right(34)[::-1]
        field.layout(Rect(name.x, name.y, name.w - 4, name.h))
        who.layout(button if field.visible else place)

    def paint(self, canvas: Canvas, style: Style) -> None:
        super().paint(canvas, style)
        entry = self.chosen.entry
        if entry is None:
            return
        area = self.rect.inset(24, 18)
        title, area = area.cut_top(40)
        title = Rect(
            title.x, title.y, (self.edit if self.edit.visible else self.star).rect.x - 8 - title.x, title.h
        )
        size = canvas.fitting(titled(entry), "title", range(TITLE, 15, -2), title.w)
        canvas.text_in(title, titled(entry), style.ink, "title", size)
        line, area = area.cut_top(22 if self._fits(self.made(), area.w) else 30, 4)
        canvas.text_fit(line, self.made(), style.soft, "sans", SMALL)
        seats: list[Widget] = [*self.fields]
        for child, label, place in self.labels:
            left = place.x
            if child in seats and place.w:
                icons.sign(canvas, seats.index(child), place.x + 8, place.cy, style.ink, 7)
                left += 26
            if isinstance(child, Field | Choice | Counts | Drop | TermsButton) and label and place.w >= 60:
                canvas.text_fit(
                    Rect(left, place.y, place.right - left - 4, place.h), label, style.soft, "sans", BODY - 1
                )
        if self.chosen.hand:
            canvas.text_in(self._below, self.chosen.warning(), style.brick, "sans", 14)
        if self.body.visible:
            canvas.rule(self.body.rect.x, self.body.rect.y - 10, self.body.rect.w - 12, style.hairline)


def _lay_summary(prose: Prose, head: Rect, canvas: Canvas) -> None:
    """Lay out the summary below the title, in the largest font size at which it fits."""
    for size in range(17, 12, -1):
        prose.size = size
        high = prose.natural(canvas, head.w + 16)
        if high <= SUMMARY:
            break
    prose.layout(Rect(head.x, head.bottom - SUMMARY - 2, head.w + 16, high))


def lay_out(panel: StartPanel) -> None:
    """Open the position editor for the selected game with its current settings."""
    chosen = panel.chosen
    if chosen.entry is not None and not panel.looking:
        names = [field.words.strip() or _("Player {n}", n + 1) for n, field in enumerate(panel.fields)]
        kinds = chosen.kinds[: chosen.seats]
        panel.app.pages.edit_game(
            chosen.entry, named(names, kinds), kinds, chosen.size, chosen.variant, chosen.options
        )
