"""What is laid out on the page on which marbles are played: the table, the top with the side, the foot, and what stands
over the boards."""

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
    """The page, and where its table is."""

    flat: Flat
    taking: Taking
    spreading: Spreading
    advice: Advice
    pointing: Pointing

    @property
    def narrow(self) -> bool:
        """Whether there is room for one column alone."""


class Headed(Protocol):
    """The top of the page, and what stands at its side."""

    back: Button
    top: Panel
    folding: Side

    def room(self, rect: Rect) -> Rect:
        """Return the part of the page that the match has."""

    def corner(self) -> Sequence[Button]:
        """Return the buttons at the right end of the top."""

    def lay_frame(self, rect: Rect, bar: float, side: float) -> tuple[Rect, Rect, Rect]:
        """Lay what stands around the table; return where foot, side and table are."""


class Footed(Protocol):
    """The foot of the page."""

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
    """What stands over the boards."""

    over: Over
    cards: list[SeatCard]
    tray: Tray
    answers: Answers
    plans: Plans
    hidden_targets: HiddenTargets
    standing: Standing
    tag: Tag
    result_bar: ResultBar
