"""Cards with a text field for going to a turn or typing a move, for tables of any kind."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol

from shibumi3d.i18n import _
from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import Style

from ..ui.button import Button
from ..ui.canvas import Canvas
from ..ui.field import Field
from ..ui.panel import Panel
from .parts import MatchTable

if TYPE_CHECKING:
    from .doing import Doing
    from .moves import Moves

TICK_SECONDS = 0.05
"""Interval between checks whether a move entered early can be played."""
LISTED = 48
"""Maximum length of the list of matching moves, in characters."""


class Written(MatchTable, Protocol):
    """Match page on which text can be typed to go to a turn or make a move."""

    @property
    def moves(self) -> Moves:
        """List of the turns played."""

    @property
    def doing(self) -> Doing:
        """Controller that carries out moves and other actions in the match."""


class LineCard(Panel):
    """Card with a text field and, below it, a line that says what Enter would do."""

    SIZE = (380, 146)

    def __init__(self, screen: Written, field: Field, name: str, verb: str) -> None:
        super().__init__("card", floating=True, name=name)
        self.screen, self.field = screen, field
        self.field.entered = self.take
        self.ok = Button(verb, self.take, kind="main", name=f"{name} now")
        self.cancel = Button(_("Cancel"), screen.app.root.close, name="cancel")
        self.add(field, self.cancel, self.ok)

    def below(self) -> tuple[str, bool]:
        """Return the line below the field, and whether the text typed so far is valid."""
        raise NotImplementedError

    def take(self) -> None:
        """Act on the text in the field."""
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
    """Card for typing a turn number; Enter shows the position after that turn."""

    def __init__(self, screen: Written) -> None:
        ends = {turn + 1: last for turn, _, _, last in screen.moves.turns if last <= screen.match.cursor}
        self.ends = {0: 0, **ends}
        hint = _("go to turn, 0 to {last}", last=max(self.ends))
        field = Field("", lambda text: self.refresh(), hint=hint, name="turn", longest=5)
        super().__init__(screen, field, "go to turn", _("Show"))

    @property
    def ply(self) -> int | None:
        """Number of moves up to the end of the chosen turn, or None if there is no such turn."""
        text = self.field.words.strip()
        return self.ends.get(int(text)) if text.isdecimal() else None

    def below(self) -> tuple[str, bool]:
        if not self.field.words.strip():
            return _("Type a turn number, then press Enter to see the board after that turn."), True
        if self.ply is None:
            return _("There is no such turn."), False
        return _("Enter shows the board after this turn."), True

    def take(self) -> None:
        ply = self.ply
        if ply is not None:
            self.screen.app.root.close()
            self.screen.doing.look(ply)


class TypeCard(LineCard):
    """Card for typing a move, with a list of the legal moves that begin with the text.

    A move may be entered early: it is then played as soon as it is the player's turn.
    """

    def __init__(self, screen: Written) -> None:
        self.found: list[Any] = []
        self.entered_early = False
        """Whether the move was entered before it could be played."""
        field = Field("", self._changed, name="typed move")
        super().__init__(screen, field, "type", _("Play"))
        self._ways: dict[Any, tuple[str, ...]] = {}
        self._read_moves()
        self.field.hint = self._hint()

    def _hint(self) -> str:
        first = next(iter(self._ways.values()), None)
        return _("type a move, such as {move}", move=first[0]) if first else _("type your next move")

    def _read_moves(self) -> None:
        """Reload the legal moves if the match has advanced since the last call."""
        doing = self.screen.doing
        moves = doing.open_moves() if self.screen.session.live else ()
        if list(moves) != list(self._ways):
            self._ways = {move: doing.spellings(move) for move in moves}
            self.field.hint = self._hint()
            self._find()

    def _changed(self, text: str) -> None:
        self.entered_early = False
        self._find()
        self.refresh()

    def _find(self) -> None:
        self.found = self._meant(lambda spelling, wanted: spelling.startswith(wanted))

    def _meant(self, fits: Callable[[str, str], bool]) -> list[Any]:
        """Return the moves that match the text.

        The first spelling of every move is tried before the second spelling of any move, and so on.
        """
        wanted = self.field.words.strip().casefold()
        for ways in zip(*self._ways.values(), strict=True):
            found = [m for m, way in zip(self._ways, ways, strict=True) if fits(way.casefold(), wanted)]
            if found:
                return found
        return []

    def take(self) -> None:
        self._read_moves()
        if not self._ways:
            if self._can_wait() and self.field.words.strip() and not self.entered_early:
                self.entered_early = True
                self._play_when_possible()
            self.refresh()
            return
        self.entered_early = False
        whole = self._meant(lambda spelling, wanted: spelling == wanted)
        meant = next((each for each in (whole, self.found) if len(each) == 1), None)
        if meant:
            self.screen.app.root.close()
            self.screen.doing.play_move(meant[0])

    def _can_wait(self) -> bool:
        """Return whether the match continues and a person will be asked for a move later."""
        session = self.screen.session
        return session.live and session.match.state.to_move is not None and bool(session.persons)

    def _play_when_possible(self) -> None:
        """Play the move that was entered early if it is legal now; otherwise, check again soon."""
        root = self.root
        if root is None or not self.entered_early:
            return
        if any(widget.covers for widget in root.floats):
            # Another player is about to take over, who must neither see this text nor play the move.
            self.field.words = ""
            self._changed("")
            return
        self._read_moves()
        if self._ways and root.top is self and not self.screen.doing.moving:
            self.take()
            self.refresh()
        elif self._ways or self._can_wait():
            self.screen.app.later(TICK_SECONDS, self._play_when_possible)
        else:
            self.entered_early = False

    def _why_none(self) -> str:
        """Return a sentence that explains why no move can be played now."""
        session = self.screen.session
        if session.match.state.to_move is None:
            return _("{text}.", text=_("The game is over"))
        if not session.live:
            return _("This is an earlier turn. Return to the current one to play.")
        if not session.persons:
            return _("Only computers are playing this match.")
        if self.entered_early:
            return _("This move will be played when it's your turn. Esc cancels.")
        return _("Enter plays this move when it's your turn.")

    def below(self) -> tuple[str, bool]:
        self._read_moves()
        if not self._ways:
            return self._why_none(), self._can_wait()
        texts, shown = [self._ways[move][0] for move in self.found], 0
        while shown < len(texts) and len("  ".join(texts[: shown + 1])) <= LISTED:
            shown += 1
        told = "  ".join(texts[:shown])
        if shown < len(texts):
            told = _("{moves}  and {n} more", len(texts) - shown, moves=told)
        return told or self.screen.doing.why_not_typed(self.field.words.strip().casefold()), bool(told)
