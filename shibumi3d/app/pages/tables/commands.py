"""What keys do at a table of any kind."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Protocol

from ...ui.core import Key

if TYPE_CHECKING:
    from shibumi3d.match.match import Match

    from ...board.coach import Coach
    from ...board.session import Session
    from ...board.view_commands import ViewCommands
    from ...host import Host
    from ...host.view import View
    from .advice import TableAdvice
    from .doing import TableDoing
    from .lists import ChoiceList
    from .plan import TablePlan
    from .pointer import Pointer
    from .pointing import Picking


class Commanded(Protocol):
    """A table at which keys do something."""

    app: Host
    match: Match
    session: Session
    picking: Picking
    view: View
    view_commands: ViewCommands
    pointer: Pointer
    doing: TableDoing
    choices: ChoiceList
    advice: TableAdvice
    plan: TablePlan
    coach: Coach | None
    """The strip of a lesson."""

    def toggle_flat(self) -> None:
        """Show the table drawn flat, or as it lies there again."""

    def keys_of_all(self) -> dict[str, Callable[[], object]]:
        """Return what keys do on every page of a match."""

    def act_on(
        self, key: Key, actions: Mapping[str, Callable[[], object]], other: Callable[[Key], bool]
    ) -> bool:
        """Do what a key means among the ``actions``, else what ``other`` makes of it."""

    def toggle_rules(self) -> None:
        """Show the rules, or the moves again."""


class TableCommands:
    """What keys do."""

    def __init__(self, page: Commanded) -> None:
        self.page = page

    def key(self, key: Key) -> bool:
        """Does what a key means; whether it meant anything."""
        page = self.page
        actions: Mapping[str, Callable[[], object]] = {
            **page.keys_of_all(),
            "tab": lambda: page.pointer.walk(1),
            "shift+tab": lambda: page.pointer.walk(-1),
            "down": lambda: page.pointer.step(1),
            "up": lambda: page.pointer.step(-1),
            "ctrl+enter": page.doing.confirm,
            "f1": page.toggle_rules,
            "t": self.toggle_above,
            "enter": self._enter,
            "escape": self._leave,
        }
        # Keys of the window, such as Ctrl+Q, are not the page's.
        if key.chord == "escape" and page.coach is not None and not self._steps_back():
            return False
        return page.act_on(key, actions, self._other)

    def _other(self, key: Key) -> bool:
        """What a key means that no command has to itself: a choice by its key, or where the eye goes."""
        move = self.page.choices.by_key(key.chord)
        if move is not None:
            self.page.doing.choose(move)
            return True
        return self.page.view_commands.key(key)

    def _enter(self) -> None:
        page = self.page
        if page.doing.waiting is not None:
            page.doing.confirm()
        elif page.pointer.spot:
            page.pointer.click(page.pointer.spot)
        elif 0 <= page.choices.current < len(page.choices.moves):
            page.doing.choose(page.choices.moves[page.choices.current])
        elif page.session.window:
            page.doing.press(-1)

    def _steps_back(self) -> bool:
        """Whether there is anything on the page to go back from."""
        page = self.page
        picked = page.picking.picks or page.picking.slip
        return bool(picked) or page.doing.waiting is not None or not page.session.live

    def _leave(self) -> None:
        """Goes back from what is picked, from a choice that waits, from a moment long gone, or to the games."""
        page = self.page
        if page.doing.waiting is not None:
            page.doing.forget()
        elif page.picking.picks or page.picking.slip:
            page.pointer.drop()
        elif not page.session.live:
            page.doing.look(None)
        else:
            page.app.pages.home()

    def toggle_above(self) -> None:
        """Looks straight down, or as at the start."""
        if self.page.plan.visible:
            self.page.toggle_flat()
        view = self.page.view
        view.go(view.home if view.goal == view.above else view.above)
