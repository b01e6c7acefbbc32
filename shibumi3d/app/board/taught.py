"""Match pages with an instruction strip, for lessons and exercises. Their matches are not saved."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from shibumi3d.app.wording import spoken
from shibumi3d.catalogue.lessons import Lesson
from shibumi3d.catalogue.schema import CatalogueError, Entry
from shibumi3d.i18n import _, language, local
from shibumi3d.match.match import Match
from shibumi3d.rules.ending import ending
from shibumi3d.rules.errors import GameFileError, RuleFailure
from shibumi3d.rules.wording import capital

from ..host.screen import Screen, back_to
from ..ui.core import Key
from .coach import Coach
from .match_page import MatchPage
from .staged import staged

if TYPE_CHECKING:
    from ..host import Host

BACK = 1.4
"""How long a wrong move stays visible before it is taken back, in seconds."""

TRY_AGAIN = ("enter", "space")
"""Keys that take back a refuted turn."""


class Taught(MatchPage):
    """Match page with an instruction strip, a :class:`Coach`.

    ``came`` is the page to return to; None means the home page.
    """

    taught = True
    came: Screen | None = None

    def __init__(self, app: Host, match: Match, entry: Entry, came: Screen | None = None) -> None:
        self.came = came
        super().__init__(app, match, entry)
        self.teach()

    def teach(self) -> None:
        """Add the instruction strip to the page."""
        self.coach = Coach(self.go, self.finish)
        self.session.in_lesson = True
        self.explain(self.coach.told)
        self.children.remove(self.explained)
        self.add(self.coach, self.explained)  # word explanations go on top
        self.back.label, self.back.tip, self.back.action = _("Back"), "", self.finish
        self.back.heard = back_to(self.came)
        self.save.enabled = False
        self.instruct()

    def instruct(self) -> None:
        """Update the instruction to the current state. Does nothing by default."""

    def leaving(self) -> str:
        """Return the screen reader label of the strip's button that leaves the page."""
        return _("Leave this task. {back}", back=back_to(self.came))

    def go(self) -> None:
        """Handle a press of the strip's button that continues. Does nothing by default."""

    def finish(self) -> None:
        """Leave the page and return to the previous one."""
        if self.came is None:
            self.app.pages.home()
        else:
            self.app.stage.show(self.came.renewed())

    def tell(self, words: str, go: str = "", done: int = 0, steps: int = 0) -> None:
        """Show ``words`` in the strip, and ``go`` as the label of the button that continues.

        There are ``steps`` progress beads, of which ``done`` are filled. The other button is labelled "Skip" until all
        beads are filled, and "Back" after that.
        """
        assert self.coach is not None
        skips = bool(steps) and done < steps
        self.coach.tell(words, go, _("Skip  Esc") if skips else _("Back"), done, steps)
        self.coach.stop.heard = "" if skips else self.leaving()
        self.lay_anew()

    def update(self) -> None:
        """Update the page and its instruction to the current state."""
        super().update()
        if self.coach is not None:
            self.instruct()

    def key(self, key: Key) -> bool:
        if super().key(key):
            return True
        if key.chord == "escape":
            self.finish()
            return True
        return False


class TrialPage(Protocol):
    """Factory for the page on which an exercise is tried out."""

    def __call__(self, app: Host, entry: Entry, lesson: Lesson, came: Screen | None) -> Screen:
        """Return the page. ``came`` is the page to return to."""


def try_it(app: Host, entry: Entry, variant: str, came: Screen, make: TrialPage) -> None:
    """Open the exercise of a variant, if it has one; ``came`` is the page to return to.

    Shows an error message if the exercise can't start.
    """
    lesson = entry.form(variant).trial
    if lesson is None:
        return
    try:
        trial = make(app, entry, lesson, came)
    except (CatalogueError, GameFileError, RuleFailure, ValueError) as problem:
        app.tell(_("Couldn't start this game: {problem}.", problem=problem))
    else:
        app.stage.show(trial)


class Tried(Taught):
    """Page that asks for the only correct move of a lesson.

    Any other legal move is shown for a moment and then taken back.
    """

    title = "trial"
    lesson: Lesson
    wrong = ""
    """Description of the wrong move that was taken back; empty if there was none."""
    _going_back = False

    def __init__(self, app: Host, entry: Entry, lesson: Lesson, came: Screen | None = None) -> None:
        self.lesson = lesson
        super().__init__(app, staged(entry, lesson), entry, came)

    def did(self) -> str:
        """Return a description of what the first move did."""
        ply = self.match.plies[0]
        said = capital(self.words(ply.state, ply.seat, ply.events))
        return said or spoken(self.match, self.match.plies, 0, ply.events)

    @property
    def solved(self) -> bool:
        """Whether the right move has been played."""
        plies = self.match.plies
        return bool(plies) and plies[0].move == self.lesson.moves[0]

    @property
    def finished(self) -> bool:
        """Whether the game is over."""
        return self.match.state.to_move is None

    def ended(self) -> str:
        """Return a description of how the game ended."""
        counted = self.session.facts.counted
        return ending(self.match.state, language(), self.names, counted=counted)

    def instruct(self) -> None:
        if self.solved:
            end = self.ended() if self.finished else ""
            self.tell(
                (
                    _("{told}. {end}.", told=self.did(), end=end)
                    if end
                    else _("{told}.", told=self.did(), end=end)
                ),
                _("Once more"),
            )
        elif self.wrong:
            self.tell(
                _(
                    "{told} – legal, but not the right move here. {asked}",
                    told=self.wrong,
                    asked=local(self.lesson.say[0]),
                )
            )
        else:
            self.tell(local(self.lesson.say[0]))

    def go(self) -> None:
        self.app.stage.show(self.renewed())

    def renewed(self) -> Tried:
        return type(self)(self.app, self.entry, self.lesson, self.came)

    def update(self) -> None:
        if self.match.plies and not self.solved and not self._going_back:
            self.wrong, self._going_back = self.did(), True
            self.app.later(BACK, self._take_back)
        super().update()

    def _take_back(self) -> None:
        self._going_back = False
        if self.app.stage.screen is self and self.match.plies and not self.solved:
            before = self.match.plies
            self.doing.skip()
            self.match.goto(0)
            self.doing.read()
            self.doing.taken_back(before)
