"""Interfaces of the page's table, header, footer and overlays, for use by :class:`.places.Places`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from .parts import Boarded

if TYPE_CHECKING:
    from collections.abc import Sequence

    from shibumi3d.scene.rect import Rect

    from ...board.over import Over
    from ...board.result import ResultBar
    from ...board.side import Side
    from ...board.standing import Standing
    from ...ui.button import Button
    from ...ui.panel import Panel
    from .advice import Advice
    from .answers import Answers
    from .hidden_targets import HiddenTargets
    from .hint import Hint
    from .plans import Flat, Plans
    from .pointing import Pointing
    from .seats import SeatCard
    from .spreading import Spreading
    from .steps import StepIndicator
    from .tag import Tag
    from .taking import Taking
    from .tray import Tray


class Placed(Boarded, Protocol):
    """The page, with the parts that its layout depends on."""

    flat: Flat
    taking: Taking
    spreading: Spreading
    advice: Advice
    pointing: Pointing

    @property
    def narrow(self) -> bool:
        """Whether the page has room for only one column."""


class Headed(Protocol):
    """Header and side panel of the page."""

    back: Button
    top: Panel
    folding: Side

    def room(self, rect: Rect) -> Rect:
        """Return the part of the page that is available to the match."""

    def corner(self) -> Sequence[Button]:
        """Return the buttons at the right end of the header."""

    def lay_frame(self, rect: Rect, bar: float, side: float) -> tuple[Rect, Rect, Rect]:
        """Lay out the header and the side panel; return the areas for footer, side panel and table.

        ``bar`` is the height of the footer, ``side`` the width of the side panel.
        """


class Footed(Protocol):
    """Footer of the page: the message line and the buttons."""

    bar: Panel
    tools: Panel
    step_indicator: StepIndicator
    end_turn: Button
    pass_turn: Button
    claim: Button
    turn_it: Button
    hint: Hint
    return_: Button
    from_here: Button
    undo: Button
    redo: Button
    again: Button
    eye: list[Button]
    look_back: Button
    look_on: Button


class Above(Protocol):
    """Widgets that overlay the boards."""

    over: Over
    cards: list[SeatCard]
    tray: Tray
    answers: Answers
    plans: Plans
    hidden_targets: HiddenTargets
    standing: Standing
    tag: Tag
    result_bar: ResultBar
