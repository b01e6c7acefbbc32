"""Cards to type into at any table: a turn, a move."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol

from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import Style

from ..text import say
from ..ui.button import Button
from ..ui.canvas import Canvas
from ..ui.field import Field
from ..ui.panel import Panel
from .parts import MatchTable

if TYPE_CHECKING:
    from .doing import Doing
    from .moves import Moves

LISTED = 48
"""So many characters of the moves that are meant are listed."""


class Written(MatchTable, Protocol):
    """A match of which a line is typed."""

    @property
    def moves(self) -> Moves:
        """The list of what was played."""

    @property
    def doing(self) -> Doing:
        """What makes moves."""


class LineCard(Panel):
    """A line to type into, and a line below that says what comes of it."""

    SIZE = (380, 146)

    def __init__(self, screen: Written, field: Field, name: str, verb: str) -> None:
        super().__init__("card", floating=True, name=name)
        self.screen, self.field = screen, field
        self.field.entered = self.take
        self.ok = Button(verb, self.take, kind="main", name=f"{name} now")
        self.cancel = Button(say("cancel"), screen.app.root.close, name="cancel")
        self.add(field, self.cancel, self.ok)

    def below(self) -> tuple[str, bool]:
        """The line below, and whether what is typed can be taken."""
        raise NotImplementedError

    def take(self) -> None:
        """Does what was typed."""
        raise NotImplementedError

    def layout(self, rect: Rect) -> None:
        super().layout(rect)
        self.field.layout(Rect(rect.x + 14, rect.y + 14, rect.w - 28, 34))
        foot = Rect(rect.x + 14, rect.bottom - 46, rect.w - 28, 32)
        ok, foot = foot.cut_right(96, 8)
        self.ok.layout(ok)
        self.cancel.layout(foot.cut_right(96)[0])

    def paint(self, canvas: Canvas, style: Style) -> None:
        text, usable = self.below()
        super().paint(canvas, style)
        place = Rect(self.rect.x + 16, self.rect.y + 56, self.rect.w - 32, 36)
        canvas.text_fit(place, text, style.soft if usable else style.amber, "sans", 14)


class GoCard(LineCard):
    """A line for the number of a turn, to look at the board after it."""

    def __init__(self, screen: Written) -> None:
        ends = {turn + 1: last for turn, _, _, last in screen.moves.turns if last <= screen.match.cursor}
        self.ends = {0: 0, **ends}
        hint = say("go.hint", last=max(self.ends))
        field = Field("", lambda text: self.refresh(), hint=hint, name="turn", longest=5)
        super().__init__(screen, field, "go to turn", say("go.look"))

    @property
    def ply(self) -> int | None:
        """The number of moves up to the end of the turn typed."""
        text = self.field.words.strip()
        return self.ends.get(int(text)) if text.isdecimal() else None

    def below(self) -> tuple[str, bool]:
        if not self.field.words.strip():
            return say("go.any"), True
        if self.ply is None:
            return say("go.none"), False
        return say("go.this"), True

    def take(self) -> None:
        ply = self.ply
        if ply is not None:
            self.screen.app.root.close()
            self.screen.doing.look(ply)


class TypeCard(LineCard):
    """A line for a typed move, with the moves that begin so."""

    def __init__(self, screen: Written) -> None:
        self._ways = {move: screen.doing.spellings(move) for move in screen.doing.open_moves()}
        self.found: list[Any] = list(self._ways)
        hint = say("type.hint", move=self._ways[self.found[0]][0])
        super().__init__(
            screen, Field("", self._changed, hint=hint, name="typed move"), "type", say("type.play")
        )

    def _changed(self, text: str) -> None:
        self.found = self._meant(lambda spelling, wanted: spelling.startswith(wanted))
        self.refresh()

    def _meant(self, fits: Callable[[str, str], bool]) -> list[Any]:
        """The moves that what is typed fits: in their first way of being written, else in the next."""
        wanted = self.field.words.strip().casefold()
        for ways in zip(*self._ways.values(), strict=True):
            found = [m for m, way in zip(self._ways, ways, strict=True) if fits(way.casefold(), wanted)]
            if found:
                return found
        return []

    def take(self) -> None:
        whole = self._meant(lambda spelling, wanted: spelling == wanted)
        meant = next((each for each in (whole, self.found) if len(each) == 1), None)
        if meant:
            self.screen.app.root.close()
            self.screen.doing.play_move(meant[0])

    def below(self) -> tuple[str, bool]:
        texts, shown = [self._ways[move][0] for move in self.found], 0
        while shown < len(texts) and len("  ".join(texts[: shown + 1])) <= LISTED:
            shown += 1
        told = "  ".join(texts[:shown])
        if shown < len(texts):
            told = say("type.more", len(texts) - shown, moves=told)
        return told or self.screen.doing.why_not_typed(self.field.words.strip().casefold()), bool(told)
