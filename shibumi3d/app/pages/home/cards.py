"""What stands above the games: the match that was played last, and a guide for those who are new."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import RADIUS, SMALL, Style

from ...text import say, titled
from ...ui import icons
from ...ui.canvas import Canvas, Picture
from ...ui.core import Key, Widget

if TYPE_CHECKING:
    from ...host import Host


LEAST = 14
"""The least size of a title."""


class TopCard(Widget):
    """A card with a picture or an icon at its left, a title, and a line below; a click or Enter does what it says."""

    focusable = True
    shape = "hand"
    icon = "play"

    def __init__(self, app: Host, name: str) -> None:
        super().__init__(name)
        self.app = app

    def words(self) -> tuple[str, str]:
        """The title, and the line below."""
        raise NotImplementedError

    def act(self) -> None:
        """What a click does."""
        raise NotImplementedError

    def picture(self) -> Picture | None:
        """What is shown at the left, if there is anything."""
        return None

    def paint(self, canvas: Canvas, style: Style) -> None:
        canvas.rect(self.rect, style.card, RADIUS)
        title, below = self.words()
        area = self.rect
        left = min(self.rect.h * 1.55, self.rect.w * 0.4)
        needs = canvas.width(title, "title", LEAST)
        if self.pictured and self.app.gallery.folder is not None and needs < area.w - left - 18:
            picture = self.picture()
            field, area = area.cut_left(left)
            field = field.inset(5)
            if picture is None:
                canvas.rect(field, style.sunk, RADIUS - 2)
            else:
                canvas.picture(field, picture, RADIUS - 2)
            area = Rect(area.x + 6, area.y, area.w - 18, area.h)
        elif needs < area.w - 60:
            mark, area = area.inset(12, 0).cut_left(36)
            icons.draw(canvas, self.icon, mark.x + 14, mark.cy, style.action, 24)
        else:
            area = area.inset(12, 0)
        high = min(56.0, area.h)
        upper, lower = area.centred(area.w, high).cut_top(high / 2)
        size = next((s for s in range(18, LEAST, -1) if canvas.width(title, "title", s) <= upper.w), LEAST)
        canvas.text_in(upper, title, style.ink, "title", size)
        canvas.text_fit(Rect(lower.x, lower.y, lower.w, lower.h), below, style.soft, "sans", SMALL)
        if self.hovered:
            canvas.rect(self.rect, style.hover, RADIUS)
        canvas.frame(self.rect, style.hairline, RADIUS)

    pictured = False
    """Whether it has a picture."""

    def press(self, x: float, y: float, button: str, key: Key) -> bool:
        return button == "left"

    def release(self, x: float, y: float, button: str, key: Key) -> None:
        if self.rect.holds(x, y):
            self.act()

    def key(self, key: Key) -> bool:
        if key.chord in ("enter", "space"):
            self.act()
            return True
        return False


class ContinueCard(TopCard):
    """The match that was being played last; a click takes it up again."""

    pictured = True

    def __init__(self, app: Host) -> None:
        super().__init__(app, "continue")

    def words(self) -> tuple[str, str]:
        record = self.app.matches.saved
        if record is None:
            return "", ""
        entry = self.app.catalogue.find(record.game)
        turns = say("turns-played", len(record.turns))
        title = titled(entry) if entry else record.game
        people = " – ".join(record.seats)
        return say("home.continue", title=title), say("home.kept", people=people, turns=turns)

    def picture(self) -> Picture | None:
        record, path = self.app.matches.saved, self.app.matches.saved_path
        entry = self.app.catalogue.find(record.game) if record is not None else None
        if record is None or path is None or entry is None:
            return None
        return self.app.gallery.record(path, record.text(), entry)

    def act(self) -> None:
        self.app.matches.resume()


class DesignCard(TopCard):
    """Leads to where games are made."""

    icon = "pencil"

    def __init__(self, app: Host) -> None:
        super().__init__(app, "make")

    def words(self) -> tuple[str, str]:
        return say("home.design.title"), say("home.design.below")

    def act(self) -> None:
        self.app.pages.design()


class GuideCard(TopCard):
    """Shows somebody who is new what a turn is."""

    icon = "book"

    def __init__(self, app: Host) -> None:
        super().__init__(app, "guide")

    def words(self) -> tuple[str, str]:
        return say("home.new-here"), say("home.guide")

    def act(self) -> None:
        self.app.pages.guide()
