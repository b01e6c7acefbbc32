"""Page for solving a problem in a game with marbles."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from shibumi3d.catalogue.schema import Entry
from shibumi3d.i18n import _
from shibumi3d.match.solving import Solving
from shibumi3d.search.players import Analysis, Choice
from shibumi3d.search.replies import Reply
from shibumi3d.search.thinker import Progress, Thinker, Trouble
from shibumi3d.search.worker import Answer

from ...board.posed import Posed
from ...host.courses import Course
from ...host.screen import Screen
from .advice import Advice
from .computers import MarbleComputers
from .screen import Play

if TYPE_CHECKING:
    from shibumi3d.rules.game import State

    from ...host import Host


class ProblemPage(Posed, Play):
    """Match page with marbles for solving a problem."""

    def __init__(
        self, app: Host, entry: Entry, solving: Solving, course: Course, came: Screen | None = None
    ) -> None:
        self.pose(solving, course)
        super().__init__(app, solving.match, entry, came)
        self.moves.struck = True

    def make_computers(self) -> MarbleComputers:
        return Defence(self)

    def make_advice(self) -> Advice:
        return Hints(self)

    def renewed(self) -> ProblemPage:
        page = ProblemPage(self.app, self.entry, self.solving, self.course, self.came)
        page.carry_over(self)
        page.update()
        return page


class _Row(Thinker):
    """Stand-in for the thinking process, which returns the problem's replies once they are known."""

    def __init__(self, page: ProblemPage) -> None:
        super().__init__()
        self._page, self._seat = page, -1

    @property
    def busy(self) -> bool:
        return self._seat >= 0

    @property
    def seconds(self) -> float:
        return 0.0

    def ask(
        self, game: Any, view: State, strength: str | int, *, seat: int | None = None, **more: Any
    ) -> None:
        self._seat = -1 if seat is None else seat

    def poll(self) -> Progress | Choice | Trouble | None:
        choice = self._page.choice_now(self._seat) if self.busy else None
        if choice is not None:
            self._seat = -1
        return choice

    def now(self) -> None: ...

    def stop(self) -> None:
        self._seat = -1


class Defence(MarbleComputers):
    """Opponent in a problem; it previews its moves as every computer player does."""

    def __init__(self, page: ProblemPage) -> None:
        self._problem = page
        super().__init__(page, page)
        self.thinker = _Row(page)

    @property
    def seats(self) -> Sequence[int]:
        # Until a reply is known, no seat counts as a computer's, since a thinking computer causes continuous redrawing.
        return super().seats if self._problem.next_answer() else ()

    def busy_line(self) -> str:
        if self._problem.locked:
            return _("First say whether there is a win.")
        return _("{who} is replying.", who=self._problem.names[self.session.thinking or 0])

    def update(self) -> None:
        super().update()
        for button in self.buttons:
            button.visible = False


class Hints(Advice):
    """Hints for solving a problem, given in stages; analysis is turned off."""

    def __init__(self, page: ProblemPage) -> None:
        self._problem = page
        super().__init__(page)
        self.hint.tip = _("Hint in three steps  H")
        self.offered = (self.hint,)
        self.buttons = (self.hint, self.watch, self.solution.button)
        self.watch.visible = False

    def toggle(self) -> None:
        self.page.remark(_("Analysis is off while you solve a problem."))

    def update(self) -> None:
        super().update()
        problem = self._problem
        self.hint.enabled = self.hint.enabled and not (problem.ended or problem.locked or problem.showing)

    def more(self) -> None:
        if self.seat is not None and (self.found is not None or not self.stage) and self._problem.may_hint():
            super().more()

    def _ask(self) -> None:
        match, seat = self.session.match, self.seat
        state = match.state
        if self._asked is state or seat is None:
            return
        self._asked, self.found, self.complete = state, None, False
        text = self._problem.solving.next_move()
        if text:
            self._found(seat, text)
            return

        def heard(answer: Answer) -> None:
            if self._asked is state and isinstance(answer.value, Reply):
                self._found(seat, answer.value.turn[0])
                self._tell()

        self.page.app.solver.ask(heard, "replies.reply", match.game, state)

    def _found(self, seat: int, text: str) -> None:
        self.found, self.complete = Choice(text, Analysis(seat, 0, 1.0)), True
