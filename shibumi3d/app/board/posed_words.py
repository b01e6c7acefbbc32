"""Texts of a problem's instruction strip: the task, the effect of a turn, and the result."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from shibumi3d.app.wording import PROBLEM_CAME_TEXTS, PROBLEM_TASK_TEXTS, THEME_TEXTS, format_date
from shibumi3d.i18n import Plural, Translatable, _, language, ngettext
from shibumi3d.match.solving import LATE, WRONG
from shibumi3d.match.tries import FIRST
from shibumi3d.rules.ending import ending

from ..host.courses import Streak
from .parts import MatchTable

if TYPE_CHECKING:
    from shibumi3d.catalogue.problems import Turn
    from shibumi3d.match.ply import Ply
    from shibumi3d.match.solving import Solving

    from ..host.courses import Course

PROBLEM_FAILS_TEXTS: dict[str, Translatable] = {
    "win": Plural("That doesn't win in {n} turn.", "That no longer wins in {n} turns."),
    "hold": Plural("That loses.", "That loses."),
    "once": Plural("That doesn't win at once.", "That doesn't win at once."),
}


@dataclass(frozen=True, slots=True)
class Judged:
    """Judgement of a turn.

    ``verdict`` is one of the constants in :mod:`shibumi3d.match.solving`, and ``answer`` holds the moves of the reply.
    ``turns`` is the proved number of turns that the solver still needs, or None if it is unknown.
    """

    verdict: str
    answer: Turn = ()
    turns: int | None = None


class Asking(MatchTable, Protocol):
    """Page on which a problem is solved."""

    solving: Solving
    course: Course
    ended: bool
    """Whether the problem is finished, so that further turns don't affect the result."""
    locked: bool
    """Whether the player must still answer whether there is a win."""
    showing: bool
    """Whether the solution is being played."""
    rests: bool
    """Whether the table shows the final position of the solution."""
    refuted: bool
    """Whether a wrong turn and its reply are on the table until the player acts."""
    asks_why: bool
    """Whether the player is trying turns to see their refutations."""
    sure_show: bool
    """Whether the player has been warned that showing the solution counts as a miss."""
    said: tuple[bool, bool] | None
    """The player's answer to whether there is a win, and the correct answer.

    None until the player has answered.
    """
    wrong: Turn
    """Turn that was refuted last; empty if there is none."""
    unproved: Turn | None
    """Turn that is being judged in the background, or None."""

    @property
    def known(self) -> Mapping[Turn, Judged]:
        """Judgements of turns from the current position, by turn."""

    @property
    def who(self) -> str:
        """Name of the seat that must find the solution."""

    def did(self, plies: Sequence[Ply]) -> str:
        """Return a description of what the moves of a single turn did."""


def lasted(seconds: float) -> str:
    """Format a duration as minutes and seconds, e.g. ``2:05``."""
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes}:{rest:02}"


def question(page: Asking) -> str:
    """Return the task as a sentence."""
    if page.locked:
        return _("{who} to move: is there a forced win?", who=page.names[page.match.state.to_move or 0])
    kind = page.solving.problem.kind
    return _(PROBLEM_TASK_TEXTS[kind], page.solving.left, who=page.who)


def strip(page: Asking) -> str:
    """Return the text of the instruction strip."""
    within = page.solving.within()
    known = None if within else page.known.get(page.solving.first_turn())
    if page.ended and not page.showing and (page.rests or (within and not page.asks_why)):
        return _done(page)
    if page.ended and page.refuted and not page.asks_why and known is not None:
        return f"{_done(page)} {_refuted(page)}"  # in a streak, a wrong turn ends the problem
    if page.showing:
        return _("This is the solution.")
    if page.unproved is not None:
        return _("Checking your move…")
    if known is not None and known.verdict == LATE:
        return _(
            "{turn}. That wins too, but takes longer.",
            turn=page.did(page.match.plies[page.match.floor :]),
        )
    if known is not None and known.verdict == WRONG:
        return _refuted(page)
    if page.ended:
        return _("Try any move to see why it fails.") if within else _("Correct!")
    if page.sure_show and page.course.problems.kept and within:
        return _("Showing the solution counts as a miss. Press again to show it.")
    if page.wrong:
        return _("That's not it. {task}", task=question(page))
    first = page.match.cursor == page.solving.begun and page.solving.problem.slip and not page.locked
    if first and page.match.cursor:
        slip = page.did([ply for ply in page.match.plies if ply.turn == page.match.plies[-1].turn])
        return _("{slip}. That was a mistake. {task}", slip=slip, task=question(page))
    return question(page)


def _refuted(page: Asking) -> str:
    """Return a text with what a wrong turn did, the reply to it, and why the turn is wrong."""
    plies = page.match.plies[page.match.floor :]
    own = [ply for ply in plies if ply.turn == plies[0].turn]
    other = [ply for ply in plies if ply.turn != plies[0].turn]
    if not other:
        return _("{turn}. {why}", turn=page.did(own), why=reason(page.solving, page.names))
    return _(
        "{turn}. Then {answer}. {why}",
        turn=page.did(own),
        answer=page.did(other),
        why=reason(page.solving, page.names),
    )


def reason(solving: Solving, names: Sequence[str]) -> str:
    """Return a sentence that says why a turn is wrong: how the game ended, or which goal it misses."""
    state = solving.match.state
    if solving.problem.kind != "once" and state.to_move is None:
        return _("{text}.", text=ending(state, language(), names))
    return _(PROBLEM_FAILS_TEXTS[solving.problem.kind], solving.left)


def _done(page: Asking) -> str:
    """Return a summary of the attempt: result, time, themes, state of the streak, and rating."""
    task, problems = page.solving, page.course.problems
    parts = []
    if page.said is not None:
        said, true = page.said
        parts.append(_("Correct!") if said == true else _("No."))
        parts.append(_("There is a win.") if true else _("There is no win."))
    elif isinstance(page.course, Streak) and task.wrong and not task.shown:
        parts.append(_("Missed. Press “Why not…?” to see why other moves fail."))
    else:
        time = lasted(task.seconds)
        parts.append(_(PROBLEM_CAME_TEXTS[task.came], task.tries, time=time))
    if task.problem.themes:
        themes = ", ".join(_(THEME_TEXTS[theme]) for theme in task.problem.themes)
        parts.append(_("Themes: {themes}.", themes=themes))
    day = page.course.day
    if day is not None and day != problems.today():
        parts.append(_("This was a daily problem from {date}.", date=format_date(day)))
    if isinstance(page.course, Streak):
        course = page.course
        if course.over:
            parts.append(
                ngettext("The streak is over: {n} solved.", "The streak is over: {n} solved.", course.found)
            )
        else:
            parts.append(
                ngettext(
                    "{n} solved in this streak, {missed} missed.",
                    "{n} solved in this streak, {missed} missed.",
                    course.found,
                    missed=course.missed,
                )
            )
    if page.said is not None:
        return " ".join(parts)
    rating = problems.rating()
    if rating is not None:
        parts.append(_("Rating: {value} ± {give}.", value=rating.value, give=rating.give))
    elif problems.kept:
        parts.append(
            ngettext("You get a rating after {n} problem.", "You get a rating after {n} problems.", FIRST)
        )
    return " ".join(parts)
