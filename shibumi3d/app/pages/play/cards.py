"""Cards to type into: a file, a turn, a move."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Protocol

from shibumi3d.rules.marbles.move import Move, spelled
from shibumi3d.rules.wording import capital
from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import Style

from ...marbles.controller import Spot
from ...text import say
from ...ui.button import Button
from ...ui.canvas import Canvas
from ...ui.field import Field
from ...ui.panel import Panel
from .parts import Table

if TYPE_CHECKING:
    from ...board.moves import MoveList
    from .parts import Acting, Aiming, Showing


LISTED = 48
"""So many characters of the moves that are meant are listed."""
_SIGN = re.compile(r"[A-Z]?[@>]|[x^]")
_PLACE = re.compile(r"(?:(?<!\w)(\w++)\.)?([a-j]{2}\d+)(?:/\w*)?$")
"""A point at the end of what was typed, in small letters, and the name of its board where that is told."""


class Written(Table, Protocol):
    """A match of which a line is typed."""

    moves: MoveList

    @property
    def doing(self) -> Acting:
        """What a person does with the match."""

    @property
    def playback(self) -> Showing:
        """What shows what happened."""

    @property
    def pointing(self) -> Aiming:
        """The pointer and the cursor of the keys."""


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
        hint = say("type.hint", move=spelled(screen.control.moves[0].text))
        super().__init__(
            screen, Field("", self._changed, hint=hint, name="typed move"), "type", say("type.play")
        )
        self.found: list[Move] = list(screen.control.moves)

    def _changed(self, text: str) -> None:
        wanted = text.strip().casefold()
        plain = [m for m in self.screen.control.moves if spelled(m.text).casefold().startswith(wanted)]
        # The colour may be left out where a point alone is meant.
        at = [m for m in self.screen.control.moves if _place(m).startswith(wanted)]
        self.found = plain or at
        self.refresh()

    def take(self) -> None:
        wanted = self.field.words.strip().casefold()
        whole = [m for m in self.found if wanted in (m.text.casefold(), spelled(m.text).casefold())]
        alone = [m for m in self.found if _place(m) == wanted]
        meant = next((each for each in (whole, alone, self.found) if len(each) == 1), None)
        if meant:
            self.screen.doing.play_move(meant[0])

    def below(self) -> tuple[str, bool]:
        texts, shown = [spelled(move.text) for move in self.found], 0
        while shown < len(texts) and len("  ".join(texts[: shown + 1])) <= LISTED:
            shown += 1
        told = "  ".join(texts[:shown])
        if shown < len(texts):
            told = say("type.more", len(texts) - shown, moves=told)
        return told or self._why_not(), bool(told)

    def _why_not(self) -> str:
        """Why nothing that is open begins so: what a click on the point that is meant would say, else what is asked."""
        screen, words = self.screen, self.field.words.strip().casefold()
        found = _PLACE.search(words[-LISTED:])
        if found is not None:
            state = screen.control.state
            boards = [name.casefold() for name in state.board_names]
            named = (found[1] or "").removeprefix("x")  # the sign of what is taken away
            board = boards.index(named) if named in boards else screen.pointing.board
            point = state.pyramid.index.get(found[2].capitalize(), -1)
            spot = Spot(board, point)
            if point >= 0 and not any(spot[:2] == (move.board, move.point) for move in screen.control.moves):
                return screen.control.reason(spot)
        # The point is not what stands in the way.
        return say("sentence", text=capital(screen.control.ask()))


def _place(move: Move) -> str:
    """A move without its colour and its sign, in small letters."""
    text = spelled(move.text)
    sign = _SIGN.match(text)
    return text[sign.end() if sign else 0 :].casefold()
