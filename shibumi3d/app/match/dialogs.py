"""Dialogs of a match page, for typing a move or a turn number and for saving the match to a file."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from shibumi3d.files import expand_path, file_name
from shibumi3d.i18n import _, localize
from shibumi3d.match.record import RecordError
from shibumi3d.rules.wording import capitalize_first
from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import SMALL_TEXT_PX, Style

from ..host.desktop import MATCH_FILE_SUFFIX
from ..ui.button import Button, shrink_to_fit
from ..ui.canvas import Canvas
from ..ui.panel import Card, Panel, centred_placement
from ..ui.text_input import TextField
from .players import MatchPageInterface
from .sharing import open_share_card

if TYPE_CHECKING:
    from shibumi3d.rules.game import Move


EARLY_MOVE_POLL_SECONDS = 0.05
"""Interval between checks of whether a move entered early can be played, in seconds."""
MAX_LIST_CHARACTERS = 48
"""Maximum length of the list of matching moves, in characters."""


class TextEntryCard(Panel):
    """Card with a text field, a line of feedback on the text, and buttons to confirm or cancel."""

    SIZE_PX = (380, 146)

    def __init__(self, page: MatchPageInterface, field: TextField, name: str, button_label: str) -> None:
        super().__init__("card", is_floating=True, name=name)
        self.page, self.field = page, field
        self.field.on_enter = self.accept
        self.accept_button = Button(button_label, self.accept, kind="main", name=f"{name} now")
        self.cancel_button = Button(_("Cancel"), page.app.root.close_popup, name="cancel")
        self.add(field, self.cancel_button, self.accept_button)

    def feedback(self) -> tuple[str, bool]:
        """Return the line below the field, and whether the text typed so far is valid."""
        raise NotImplementedError

    def accept(self) -> None:
        """Act on the text in the field."""
        raise NotImplementedError

    def layout(self, rect: Rect) -> None:
        super().layout(rect)
        self.field.layout(Rect(rect.x + 14, rect.y + 14, rect.w - 28, 34))
        foot = Rect(rect.x + 14, rect.bottom - 46, rect.w - 28, 32)
        ok, foot = foot.cut_right(96, 8)
        self.accept_button.layout(ok)
        self.cancel_button.layout(foot.cut_right(96)[0])

    def paint(self, canvas: Canvas, style: Style) -> None:
        text, is_valid = self.feedback()
        super().paint(canvas, style)
        place = Rect(self.rect.x + 16, self.rect.y + 56, self.rect.w - 32, 36)
        canvas.text_fit(place, text, style.secondary_ink if is_valid else style.amber, "sans", 14)


class GoToTurnCard(TextEntryCard):
    """Card for typing a turn number; Enter shows the position after that turn."""

    def __init__(self, page: MatchPageInterface) -> None:
        ends = {turn + 1: last for turn, _, _, last in page.move_list.turns if last <= page.match.cursor}
        self.ply_by_turn = {0: 0, **ends}
        hint = _("Turn number (0 to {last})", last=max(self.ply_by_turn))
        field = TextField("", lambda text: self.refresh(), placeholder=hint, name="turn", max_length=5)
        super().__init__(page, field, "go to turn", _("Show"))

    @property
    def chosen_ply(self) -> int | None:
        """Number of moves up to the end of the chosen turn, or None if there is no such turn."""
        text = self.field.value.strip()
        return self.ply_by_turn.get(int(text)) if text.isdecimal() else None

    def feedback(self) -> tuple[str, bool]:
        if not self.field.value.strip():
            return _("Type a turn number, then press Enter to see the board after that turn."), True
        if self.chosen_ply is None:
            return _("There is no such turn."), False
        return _("Press Enter to see the board after this turn."), True

    def accept(self) -> None:
        ply = self.chosen_ply
        if ply is not None:
            self.page.app.root.close_popup()
            self.page.actions.view_ply(ply)


class TypeMoveCard(TextEntryCard):
    """Card for typing a move, with a list of the legal moves that begin with the text typed so far.

    A move can also be entered before the player's turn. It is then played when the turn comes, if it is legal.
    """

    def __init__(self, page: MatchPageInterface) -> None:
        self.matching_moves: list[Move] = []
        self.is_entered_early = False
        """Whether the move was entered before it could be played."""
        field = TextField("", self._on_text_change, name="typed move")
        super().__init__(page, field, "type", _("Play"))
        self._spellings: dict[Move, tuple[str, ...]] = {}
        self._reload_moves()
        self.field.placeholder = self._placeholder()

    def _placeholder(self) -> str:
        first = next(iter(self._spellings.values()), None)
        return _("Type a move, such as {move}", move=first[0]) if first else _("Type your next move")

    def _reload_moves(self) -> None:
        """Reload the legal moves; if they have changed, update the placeholder and the list of matching moves."""
        actions = self.page.actions
        moves = actions.legal_moves() if self.page.model.is_live else ()
        if list(moves) != list(self._spellings):
            self._spellings = {move: actions.spellings(move) for move in moves}
            self.field.placeholder = self._placeholder()
            self._find_matches()

    def _on_text_change(self, text: str) -> None:
        self.is_entered_early = False
        self._find_matches()
        self.refresh()

    def _find_matches(self) -> None:
        self.matching_moves = self._moves_matching(lambda spelling, wanted: spelling.startswith(wanted))

    def _moves_matching(self, matches: Callable[[str, str], bool]) -> list[Move]:
        """Return the moves with a spelling for which ``matches(spelling, typed_text)`` is true.

        The preferred spellings of all moves are tried first. The second spellings are tried only if no preferred one
        matches, and so on. Case is ignored, and so are spaces around the typed text.
        """
        wanted = self.field.value.strip().casefold()
        for ways in zip(*self._spellings.values(), strict=True):
            matching = [
                m for m, way in zip(self._spellings, ways, strict=True) if matches(way.casefold(), wanted)
            ]
            if matching:
                return matching
        return []

    def accept(self) -> None:
        self._reload_moves()
        if not self._spellings:
            if self._can_wait() and self.field.value.strip() and not self.is_entered_early:
                self.is_entered_early = True
                self._play_when_possible()
            self.refresh()
            return
        self.is_entered_early = False
        exact_matches = self._moves_matching(lambda spelling, wanted: spelling == wanted)
        matches = next((moves for moves in (exact_matches, self.matching_moves) if len(moves) == 1), None)
        if matches:
            self.page.app.root.close_popup()
            self.page.actions.play_move(matches[0])

    def _can_wait(self) -> bool:
        """Return whether the current position is shown and a person may have to move later."""
        model = self.page.model
        return model.is_live and model.match.state.to_move is not None and bool(model.human_seats)

    def _play_when_possible(self) -> None:
        """Once a person may move, play the move that was entered early, if it is legal.

        Until then, check again at short intervals. Stop waiting if no person will be asked for a move. If another
        player is about to take over, clear the field and stop waiting.
        """
        root = self.root
        if root is None or not self.is_entered_early:
            return
        if any(widget.covers_page for widget in root.popups):
            # Another player is about to take over, who must neither see this text nor play the move.
            self.field.value = ""
            self._on_text_change("")
            return
        self._reload_moves()
        if self._spellings and root.top is self and not self.page.actions.is_moving:
            self.accept()
            self.refresh()
        elif self._spellings or self._can_wait():
            self.page.app.schedule(EARLY_MOVE_POLL_SECONDS, self._play_when_possible)
        else:
            self.is_entered_early = False

    def _explain_no_moves(self) -> str:
        model = self.page.model
        if model.match.state.to_move is None:
            return _("{text}.", text=_("The match is over"))
        if not model.is_live:
            return _("This is an earlier turn. Return to the current one to play.")
        if not model.human_seats:
            return _("Only computers are playing this match.")
        if self.is_entered_early:
            return _("This move will be played when it's your turn. Esc cancels.")
        return _("Press Enter to have your move played as soon as it's your turn.")

    def feedback(self) -> tuple[str, bool]:
        self._reload_moves()
        if not self._spellings:
            return self._explain_no_moves(), self._can_wait()
        texts, shown = [self._spellings[move][0] for move in self.matching_moves], 0
        while shown < len(texts) and len("  ".join(texts[: shown + 1])) <= MAX_LIST_CHARACTERS:
            shown += 1
        text = "  ".join(texts[:shown])
        if shown < len(texts):
            text = _("{moves}  and {n} more", len(texts) - shown, moves=text)
        return text or self.page.actions.explain_unmatched(self.field.value.strip().casefold()), bool(text)


class SaveDialog(Card):
    """Dialog that asks where to save a match."""

    SIZE_PX = (520, 200)
    MESSAGE_HEIGHT_PX = 40.0
    _message_rect = Rect()

    def __init__(self, page: MatchPageInterface) -> None:
        super().__init__(_("Save the game"))
        self.page = page
        name = file_name(page.match.game.id, f" {date.today():%Y-%m-%d}{MATCH_FILE_SUFFIX}")
        self.path_field = TextField(
            str(Path.home() / name), name="path", max_length=400, on_enter=self.save_match
        )
        self.save_button = Button(_("Save"), self.save_match, kind="main", name="save file")
        self.cancel_button = Button(_("Cancel"), page.app.root.close_popup, name="cancel")
        self.choose_button = Button(
            _("Choose…"), self._choose_path, name="choose path", tip=_("Choose where to save the file")
        )
        self.share_button = Button(
            _("Play by post…"),
            self._open_share_card,
            icon="letter",
            kind="quiet",
            name="share",
            tip=_("Copy a link to this match, or open one  Ctrl+E"),
        )
        self.problem = ""
        self.add(self.path_field, self.choose_button, self.share_button, self.cancel_button, self.save_button)

    def layout(self, rect: Rect) -> None:
        super().layout(rect)
        area = rect.inset(24, 16)
        _, area = area.cut_top(44, 2)
        field, area = area.cut_top(34, 10)
        choose, path = field.cut_right(self.choose_button.preferred_width(self.page.app.canvas), 8)
        self.choose_button.layout(Rect(choose.x, choose.y + 1, choose.w, 32))
        self.path_field.layout(path)
        foot = area.cut_bottom(32)[0]
        ok, foot = foot.cut_right(96, 8)
        self.save_button.layout(ok)
        cancel, foot = foot.cut_right(96, 8)
        self.cancel_button.layout(cancel)
        shrink_to_fit((self.share_button,), self.page.app.canvas, foot.w)
        self.share_button.layout(foot.cut_left(self.share_button.preferred_width(self.page.app.canvas))[0])
        self._message_rect = Rect(field.x, field.bottom + 6, field.w, self.MESSAGE_HEIGHT_PX)

    def paint(self, canvas: Canvas, style: Style) -> None:
        super().paint(canvas, style)
        canvas.text_fit(self._message_rect, self.problem, style.warning, "sans", SMALL_TEXT_PX)

    def _open_share_card(self) -> None:
        self.page.app.root.close_popup()
        open_share_card(self.page)

    def _choose_path(self) -> None:
        def on_chosen(path: Path) -> None:
            if self in self.page.app.root.popups:  # the dialog may have been closed in the meantime
                self.path_field.value = str(path)
                self.save_match()

        try:
            path = expand_path(self.path_field.value)
        except OSError:
            path = Path.home()
        if not path.name:
            path /= file_name(self.page.match.game.id, MATCH_FILE_SUFFIX)
        self.page.app.file_chooser.save_file(_("Save the game"), path, on_chosen)

    def save_match(self) -> None:
        """Save the match and close the dialog, or show why it couldn't be saved."""
        try:
            self.page.match.record(include_undone=True).save(expand_path(self.path_field.value))
        except RecordError as problem:
            self.problem = capitalize_first(localize(problem))
        except OSError as problem:
            self.problem = _("Couldn't save the file: {problem}.", problem=problem)
        else:
            self.page.app.root.close_popup()
        self.refresh()


def open_save_dialog(page: MatchPageInterface) -> None:
    """Open the dialog for saving the page's match."""
    card = SaveDialog(page)
    page.app.root.open_popup(card, centred_placement(*card.SIZE_PX), focus=card.path_field)
