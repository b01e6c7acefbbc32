"""Message line at the bottom of the page: what a click would do, or what was done last."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from shibumi3d.i18n import _, language, localize
from shibumi3d.match.outside_moves import SWAP
from shibumi3d.rules.marbles.pyramid import pyramid
from shibumi3d.rules.marbles.wording.naming import colour_name
from shibumi3d.rules.wording import capital
from shibumi3d.scene.style import BODY, Style

from ...ui.canvas import Canvas
from ...ui.sentence import Sentence
from .answers import ChoiceButton
from .parts import Table

if TYPE_CHECKING:
    from shibumi3d.rules.marbles.move import Move

    from ...board.outside import Outside
    from ...ui.button import Button
    from .background import Background


class Hinted(Table, Protocol):
    """Interface of the page that :class:`Hint` uses."""

    def told_of(self, number: int) -> str:
        """Describe the turn up to and including move number ``number``, and say who made it."""

    background: Background
    outside_moves: Outside
    claim: Button
    end_turn: Button
    pass_turn: Button


class Hint(Sentence):
    """Message line that previews the move under the pointer, or describes the last turn."""

    steady = True

    def __init__(self, screen: Hinted) -> None:
        super().__init__()
        self.screen = screen

    def sentence(self) -> tuple[str, bool]:
        """Return the message, and whether to emphasize it.

        Remarks, such as the reason why a click was refused, are emphasized, and so are problems with the rules or with
        saving.
        """
        screen = self.screen
        active, choice = screen.pointing.active, self._on_button() if screen.session.live else None
        doing, pointed = screen.doing, active is not None and active != screen.doing.note_over
        if doing.note and (doing.note_at is not None or not (pointed or choice)):
            return doing.note, True
        if screen.control.stopped:
            return _("{text}.", text=capital(localize(screen.control.stopped))), True
        if screen.session.opening:
            return "", False
        if not screen.session.live:
            return (
                _("This position can no longer be won.")
                if screen.background.lost
                else _("You're viewing an earlier position. The game itself hasn't changed.")
            ), False
        if choice is not None:
            return screen.control.foresee(choice).text, False
        if screen.control.pending is not None:
            return _(
                "{told}. Enter confirms, Esc cancels.",
                told=screen.control.foresee(screen.control.pending).text,
            ), False
        held = screen.match.state.held
        if active is None and screen.pointing.hover_marble is not None:
            board, point = screen.pointing.hover_marble
            colour = screen.stage.marbles.get((board, point), -1)
            name = pyramid(screen.state.size).names[point]
            if colour >= 0:
                name = _("{point}, {colour}", point=name, colour=colour_name(colour, language()))
            return name, False
        if active is not None:
            told = screen.control.foretell(active)
            if told:
                shapes = screen.control.shapes.choices_at(active)
                if shapes > 1:
                    number = screen.control.shapes.turned % shapes + 1
                    told = _(
                        "{told}  ({number} of {shapes}, ; to rotate)", told=told, number=number, shapes=shapes
                    )
                return told, False
            if held is not None and (held[2], held[1]) == active[:2]:
                return _("Put it back"), False
        if screen.match.autosave_problem:
            return _("{text}.", text=capital(localize(screen.match.autosave_problem))), True
        if screen.background.lost:
            return _("This position can no longer be won."), False
        if screen.claim.visible:
            swaps = screen.outside_moves.offered() == SWAP
            return _("Instead of playing, you can swap seats and take over the first turn.") if swaps else _(
                "This position has occurred three times: you can claim a draw."
            ), False
        if screen.session.came_of():
            return screen.session.came_of(), False
        plies = screen.match.plies
        if plies and screen.session.masked(len(plies) - 1):
            return _("{who} chose in secret", who=screen.names[plies[-1].seat]), False
        if plies:
            return screen.told_of(len(plies) - 1), False
        return "", False

    def _on_button(self) -> Move | None:
        """Return the move of the button under the pointer, or None."""
        button = self.screen.app.root.hover
        if isinstance(button, ChoiceButton):
            return button.choice
        if button is self.screen.end_turn:
            return self.screen.control.done
        return self.screen.control.passing if button is self.screen.pass_turn else None

    def content(self) -> object:
        return self.sentence()

    def paint(self, canvas: Canvas, style: Style) -> None:
        text, strong = self.sentence()
        self.write(canvas, self.rect, text, style.amber if strong else style.soft, "sans", BODY)
