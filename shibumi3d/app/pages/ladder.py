"""Page of a solo game's ladder: its deals as cards by level, the daily deal, random deals, and deals by seed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING

from shibumi3d.catalogue.solo import SoloDeal
from shibumi3d.i18n import N_, P_, _, ngettext
from shibumi3d.rules.wording import capitalize_first
from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import SMALL_TEXT_PX, Style
from shibumi3d.wording import game_title, variant_title

from ..host.match_settings import parse_seed
from ..host.page import Page
from ..host.player_setup import human_names
from ..host.solo import ladder_of, numbers_within_level
from ..ui import icons
from ..ui.button import Button
from ..ui.canvas import Canvas
from ..ui.label import Label
from ..ui.list_view import PictureCardGrid
from ..ui.text_input import TextField
from ..ui.widget import Key

if TYPE_CHECKING:
    from shibumi3d.catalogue.schema import Entry

    from ..host import Host

STAR_TEXTS = (P_("deal", "solved"), N_("without hints"))
SCORE_STAR_TEXTS = (N_("completed"), N_("without hints"), N_("best score"))
"""What the stars of a deal stand for if the game has a score."""
MIN_CARD_WIDTH_PX, CARD_TEXT_HEIGHT_PX, FORM_HEIGHT_PX = 132.0, 50.0, 18.0
"""Minimum width of a card, and heights of its text and of an extra line for size and variant, in logical pixels."""
STAR_SIZE_PX, STAR_PITCH_PX = 14.0, 16.0
"""Size of a star, and distance between two stars, in logical pixels."""
SEED_FIELD_WIDTH_PX = 190.0
MIN_HEIGHT_FOR_TEXT_PX = 300.0
"""Minimum height of the area with the cards for showing an explanation above them, in logical pixels."""


class LadderPage(Page):
    """Page with the deals of a solo game, grouped by level.

    The deals can be played in any order. Buttons start the next deal, the daily deal and a random deal. The user can
    enter a seed to choose the random deal. In a game without chance, an empty board takes the place of random deals.
    """

    page_name = "ladder"
    has_narrow_layout = True

    def __init__(self, app: Host, entry: Entry) -> None:
        super().__init__(app)
        self.entry, self.deals = entry, ladder_of(entry.id)
        self.deal_numbers = numbers_within_level(self.deals)
        game = entry.game()
        self.score_unit = game.facts(1).score_unit
        self.star_texts = SCORE_STAR_TEXTS if self.score_unit else STAR_TEXTS
        self.back_button = Button(_("Games"), app.pages.show_home, icon="back", kind="quiet", name="back")
        self.next_button = Button(_("Next deal"), self.play_next, kind="main", name="next deal")
        self.daily_button = Button(
            _("Daily deal"),
            self.play_daily,
            tip=_("Today's deal is the same for everyone, and you don't need to be online"),
            name="daily deal",
        )
        has_random_deals = game.facts(1).has_chance
        self.random_button = Button(
            _("Random deal") if has_random_deals else _("Empty board"),
            self.play_random,
            tip=_("A deal that may be impossible to win") if has_random_deals else "",
            name="random deal",
        )
        self.seed_field = TextField("", placeholder=_("Seed (optional)"), name="seed", max_length=40)
        self.seed_field.accessible_name = _("Seed")
        self.seed_field.visible = has_random_deals
        self.about_label = Label(
            _(
                "The best possible score for every deal has been proved. You get one star for completing a deal, one "
                "for doing so without hints, and one for reaching the best score."
            )
            if self.score_unit
            else _(
                "Every deal has been proved winnable. You get one star for solving a deal, and another for doing so "
                "without hints."
            ),
            "serif",
            16,
            "ink",
            max_lines=2,
            name="about",
        )
        self.grid = DealGrid(self)
        self.add(
            self.back_button,
            self.next_button,
            self.daily_button,
            self.random_button,
            self.seed_field,
            self.about_label,
            self.grid,
        )
        self.update_content()

    def on_day_change(self) -> None:
        self.update_content()

    def on_leave(self) -> None:
        self.app.gallery.cancel_pending()
        super().on_leave()

    def update_content(self) -> None:
        """Update the stars of the deals and the headings of the levels, and select the deal to play next."""
        solo = self.app.results.solo
        self.stars, self.runs = solo.stars(self.entry.id), solo.runs(self.entry.id)
        statistics = solo.statistics(self.entry.id)
        headings, row = {}, 0
        for level_number, count in Counter(deal.level for deal in self.deals).items():
            level_statistics = statistics[level_number]
            parts = [
                _("Level {n}", n=level_number),
                _("{found} / {all}", found=level_statistics.solved_deals, all=count),
            ]
            if level_statistics.streak > 1:
                parts.append(ngettext("{n} solved in a row", "{n} solved in a row", level_statistics.streak))
            headings[row] = " · ".join(parts)
            row += count
        self.grid.headings = headings
        following = solo.next_deal(self.entry.id)
        self.grid.set_rows(len(self.deals), self.deals.index(following) if following is not None else -1)
        if self.rect.w:
            self.layout(self.rect)
        self.refresh()

    # Actions

    def play_deal(self, row: int) -> None:
        """Play the deal on the card with index ``row``, if there is one."""
        if 0 <= row < len(self.deals):
            self.app.matches.start_deal(self.deals[row], self.entry)

    def play_next(self) -> None:
        """Play the first unsolved deal or, if all have been solved, the first deal of the ladder."""
        deal = self.app.results.solo.next_deal(self.entry.id)
        if deal is not None:
            self.app.matches.start_deal(deal, self.entry)

    def play_daily(self) -> None:
        """Play the daily deal, if there is one."""
        deal = self.app.results.solo.daily_deal(self.entry.id)
        if deal is not None:
            self.app.matches.start_deal(deal, self.entry)

    def play_random(self) -> None:
        """Play the deal for the seed in the seed field, or a random deal if the field is empty.

        If the game has no random deals, the match begins with an empty board.
        """
        seed = parse_seed(self.seed_field.value)
        self.app.matches.start(
            self.entry,
            human_names(self.app.settings.names, 1),
            self.entry.size,
            "",
            seed,
            save_as_default=False,
        )

    # Layout and drawing

    def layout(self, rect: Rect) -> None:
        super().layout(rect)
        canvas = self.app.canvas
        canvas.scale = self.app.scale
        _unused, rest = self.layout_title_bar(rect, self.back_button)
        area = rest.inset(16, 14)
        line, area = area.cut_top(32, 10)
        x = line.x
        buttons = [self.next_button, self.daily_button, self.random_button]
        for button in buttons:
            wide = min(button.preferred_width(canvas), line.w)
            if x > line.x and x + wide > line.right:
                line, area = area.cut_top(32, 10)
                x = line.x
            button.layout(Rect(x, line.y, wide, 32))
            x += wide + 10
        if self.seed_field.visible:
            if x > line.x and x + SEED_FIELD_WIDTH_PX > line.right:
                line, area = area.cut_top(32, 10)
                x = line.x
            self.seed_field.layout(Rect(x, line.y, min(SEED_FIELD_WIDTH_PX, line.right - x), 32))
        self.about_label.visible = area.h >= MIN_HEIGHT_FOR_TEXT_PX
        if self.about_label.visible:
            is_one_line = canvas.text_width(self.about_label.caption, "serif", 16) <= area.w
            words, area = area.cut_top(24 if is_one_line else 44, 4)
            self.about_label.layout(words)
        self.grid.layout(area)

    def paint(self, canvas: Canvas, style: Style) -> None:
        self.paint_title_bar(canvas, style)

    def heading(self) -> str:
        return game_title(self.entry)

    def rebuild(self) -> LadderPage:
        return LadderPage(self.app, self.entry)

    def on_key(self, key: Key) -> bool:
        if key.chord == "escape":
            self.app.pages.show_home()
            return True
        if key.chord == "enter":
            if self.root is not None and self.root.focus is self.seed_field:
                self.play_random()
            else:
                self.play_deal(self.grid.current_row)
            return True
        return self.grid.on_key(key)

    def trace_values(self) -> Mapping[str, object]:
        return {"game": self.entry.id, "stars": [self.stars[deal.name] for deal in self.deals]}


class DealGrid(PictureCardGrid):
    """Grid of deals, grouped by level.

    Each deal is a card with a picture of its starting position. A click on a card starts a match on its deal.
    """

    def __init__(self, page: LadderPage) -> None:
        self.has_forms = any(deal.variant or deal.size for deal in page.deals)
        """Whether some deals have an unusual size or a variant, so that each card needs a line for these."""
        height = CARD_TEXT_HEIGHT_PX + FORM_HEIGHT_PX * self.has_forms
        super().__init__(MIN_CARD_WIDTH_PX, height, self._paint_card, page.play_deal, name="deals")
        self.page = page

    def describe_row_graphics(self, row: int) -> str:
        stars = self.page.stars[self.page.deals[row].name]
        earned = [_(text) for text, has in zip(self.page.star_texts, stars, strict=True) if has]
        return ", ".join(earned) if earned else _("no stars yet")

    def _describe_deal(self, deal: SoloDeal) -> str:
        """Return the best possible score of a deal, preceded by the user's best score if that is lower.

        If the deal has no score, return the number of turns in its solution instead.
        """
        run = self.page.runs.get(deal.name)
        if deal.best is None:
            return ngettext("{n} turn", "{n} turns", len(deal.line))
        if run is not None and run.score < deal.best:
            return _("{score} of {best}", score=run.score, best=deal.best)
        return _("Best possible: {score}", score=deal.best)

    def _describe_form(self, deal: SoloDeal) -> str:
        """Return the size and the variant of a deal, omitting default values."""
        parts = [_("Size {size}", size=deal.size)] if deal.size else []
        parts += [variant_title(self.page.entry, deal.variant)] if deal.variant else []
        return capitalize_first(", ".join(parts))

    def _paint_card(self, canvas: Canvas, style: Style, rect: Rect, row: int, is_hovered: bool) -> None:
        deal, app = self.page.deals[row], self.page.app
        picture = app.gallery.deal_picture(deal, self.page.entry)
        lines = self.paint_picture(canvas, style, rect, picture)
        upper, lower = lines.inset(10, 0).cut_top(24)
        stars = self.page.stars[deal.name]
        width = len(stars) * STAR_PITCH_PX
        canvas.text_fit(
            upper.cut_left(upper.w - width - 4)[0],
            str(self.page.deal_numbers[deal.name]),
            style.ink,
            "title",
            17,
        )
        for place, has_star in enumerate(stars):
            x = upper.right - width + place * STAR_PITCH_PX
            colour = style.amber if has_star else style.tertiary_ink
            icons.draw_stars(canvas, x, upper.cy, colour, int(has_star), 1, STAR_SIZE_PX)
        line, lower = lower.cut_top(20)
        canvas.text_fit(line, self._describe_deal(deal), style.secondary_ink, "sans", SMALL_TEXT_PX)
        if self.has_forms:
            line = lower.cut_top(FORM_HEIGHT_PX)[0]
            canvas.text_fit(line, self._describe_form(deal), style.secondary_ink, "italic", SMALL_TEXT_PX)
        self.paint_outline(canvas, style, rect, row, is_hovered)
