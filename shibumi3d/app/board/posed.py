"""Page on which a problem is solved: the task, refutations of wrong turns, and what comes next."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import blake2b
from typing import TYPE_CHECKING

from shibumi3d.catalogue.schema import Entry
from shibumi3d.i18n import _, language, pgettext
from shibumi3d.match.ply import PERSON, Ply
from shibumi3d.match.solving import DONE, LATE, OPEN, RIGHT, WRONG, Solving, match_at
from shibumi3d.match.tries import FAILED, HINTED, SOLVED
from shibumi3d.rules.wording import capital
from shibumi3d.search.levels import LEVELS
from shibumi3d.search.players import Analysis, Choice
from shibumi3d.search.replies import Reply
from shibumi3d.search.worker import Answer

from ..host.courses import Course, Streak
from ..ui.button import Button
from ..ui.core import Key
from .demonstration import Demonstration
from .posed_words import Judged, strip
from .seating import named, people
from .taught import TRY_AGAIN, Taught

if TYPE_CHECKING:
    from shibumi3d.catalogue.problems import ProvedProblem, Turn
    from shibumi3d.rules.game import Game, State


CARRIED = (
    "ended", "locked", "showing", "rests", "asks_why", "turned", "said", "known", "wrong", "refuted",
    "_sure_hint", "sure_show",
)  # fmt: skip
"""Attributes that a page copies from the page that it replaces."""


def seats_of(game: Game, state: State) -> list[str]:
    """Return names for seats without players.

    Seats are named after their colours if these are all different. Otherwise, they get the default names of players.
    """
    told = [
        game.own_line(game.view(state, seat), seat, language()).partition(" · ")[0]
        for seat in range(state.seats)
    ]
    return told if all(told) and len({*told}) == len(told) else people((), state.seats)


def fresh(entry: Entry, problem: ProvedProblem) -> Solving:
    """Return a new attempt at a problem, at its starting position.

    Raises CatalogueError, GameFileError, RuleFailure, IllegalMove or ValueError if the problem doesn't match the
    current rules of its game.
    """
    game = entry.game(variant=problem.variant or None)
    start = problem.begin(game)
    return Solving(problem, game, seats_of(game, start), start)


def begun(entry: Entry, problem: ProvedProblem, course: Course) -> Solving:
    """Return the attempt at the current problem of a course, continuing from any saved progress.

    Raises the same errors as :func:`fresh`.
    """
    found = fresh(entry, problem)
    found.take_up(course.left())
    return found


class Posed(Taught):
    """Base class of pages on which the player solves a problem.

    ``course`` determines the next problem.
    """

    title = "problem"
    solving: Solving
    course: Course

    def pose(self, solving: Solving, course: Course) -> None:
        """Set the problem. Call this before the match page is created."""
        self.solving, self.course = solving, course
        self.ended = False
        """Whether the problem is over, so that nothing counts any more."""
        self._locked = course.doubt
        self.showing = False
        """Whether the program is playing the solution."""
        self.rests = False
        """Whether the end of the solution is left on the board."""
        self.asks_why = False
        """Whether turns are tried only to see why they fail."""
        self.turned = self._locked and solving.problem.n > 1 and _turned(course.at)
        """Whether the problem starts after the winning turn, so that the seat to move has lost."""
        self.said: tuple[bool, bool] | None = None
        """Player's answer to whether there is a win, and the correct one; None before that."""
        self.known: dict[Turn, Judged] = {}
        """Judgements of the turns tried from the current position."""
        self.wrong: Turn = ()
        """Turn refuted last; empty if there is none."""
        self.unproved: Turn | None = None
        """Turn being judged in the background, or None."""
        self._refuted = False
        self.demonstration = Demonstration(self)
        self._sure_hint = self.sure_show = False
        """Whether the player has been told what a hint, or the solution, costs."""
        self._since: float | None = None
        """Clock time from which solving time is still to be counted; None off screen."""
        if self.turned:
            for move in solving.problem.key:
                solving.match.play(move)
            # Start the page as for other problems, so that nothing gives away which case this is.
            solving.match.floor = solving.match.cursor

    @property
    def locked(self) -> bool:
        """Whether the player must first say whether there is a win."""
        return self._locked

    @locked.setter
    def locked(self, locked: bool) -> None:
        self._locked = locked
        self.session.suspended = locked or self._refuted

    @property
    def refuted(self) -> bool:
        """Whether a turn and its reply stay on the board until the player acts."""
        return self._refuted

    @refuted.setter
    def refuted(self, refuted: bool) -> None:
        self._refuted = refuted
        self.session.suspended = self._locked or refuted

    def teach(self) -> None:
        """Create the instruction strip and its buttons."""
        self.session.suspended = self._locked
        self.yes = Button(_("There is a win"), lambda: self._say(True), kind="main", name="there is")
        self.no = Button(_("There is no win"), lambda: self._say(False), kind="main", name="there is none")
        self.answer = Button(_("Show solution"), self.show, kind="quiet", name="show the answer")
        self.why = Button(
            _("Why not…?"),
            self.look_why,
            name="why not",
            tip=_("Try any move to see why it fails"),
        )
        self.on = Button(
            _("Play on from here"),
            self.play_on,
            name="play on",
            tip=_("Start a match against the computer from this position"),
        )
        super().teach()
        assert self.coach is not None
        self.coach.take((self.yes, self.no, self.answer, self.why, self.on))
        self.instruct()

    def did(self, plies: Sequence[Ply]) -> str:
        """Return a description of what the moves of a single turn did."""
        events = [event for ply in plies for event in ply.events]
        told = self.words(plies[-1].state, plies[0].seat, events)
        return capital(told or " ".join(ply.move for ply in plies))

    @property
    def who(self) -> str:
        """Name of the seat that must find the solution."""
        return self.names[self.solving.seat]

    def instruct(self) -> None:
        over = self.ended
        self.yes.visible = self.no.visible = self.locked
        self.answer.visible = not (over or self.locked or self.showing)
        self.why.visible = over and not self.showing and self.solving.problem.kind != "once"
        self.on.visible = over and not self.showing
        self.on.label = _("Play on from the mistake") if self.solving.problem.slip else _("Play on from here")
        leads_on = over and not self.showing and self.course.at != ""
        go = pgettext("problem", "Next") if leads_on else ""
        self.tell(strip(self), _("Try again") if self._may_retry else go)

    @property
    def _may_retry(self) -> bool:
        """Whether the main button takes back a refuted turn, so that the player can try again."""
        return self.refuted and (not self.ended or self.asks_why)

    def trace(self) -> Mapping[str, object]:
        wrong = [" ".join(turn) for turn in self.solving.wrong]
        return {**super().trace(), "task": strip(self), "wrong": wrong}

    # Judging turns

    def update(self) -> None:
        super().update()
        if self.coach is not None:
            self.from_here.visible = False
            self._look()
            self.computers.update()  # the reply may only just have become known

    def _look(self) -> None:
        """Judge the turn just played, and act on the result."""
        task, state = self.solving, self.match.state
        if task.within():
            self.refuted = False
        if not self.session.live or task.within():
            return
        turn = task.first_turn()
        known = self.known.get(turn)
        answered = task.answered()
        if known is None and not answered and self.unproved != turn:
            known = self._judge(turn)
        if known is None:
            if answered:
                self._stay()
            return
        if known.verdict == DONE or (known.verdict == RIGHT and task.lost_by_answer()):
            self._solved()
        elif known.verdict != RIGHT or self._free:
            if known.verdict == RIGHT or answered or not known.answer or state.to_move is None:
                self._stay()
        elif answered:
            task.go_on(known.turns)
            self.known, self.wrong = {}, ()
            self._keep()
            self.instruct()
            if self.showing:
                self.demonstration.soon()

    @property
    def _free(self) -> bool:
        """Whether the problem is finished and turns may be tried out."""
        return self.ended and not self.showing

    def _judge(self, turn: Turn) -> Judged | None:
        """Return the judgement of the turn just made, or None if it isn't known yet.

        If it isn't known, a background process computes it.
        """
        task = self.solving
        if self.locked:
            self.remark(_("First say whether there is a win."))
            return self._note(turn, Judged(WRONG))
        verdict, answer = task.verdict(), task.answer()
        over = self.match.state.to_move is None or verdict == DONE or task.problem.kind == "once"
        if verdict == OPEN or (verdict in (RIGHT, WRONG) and not answer and not over):
            self._ask(turn, verdict)
            return None
        return self._note(turn, Judged(verdict, answer))

    def _ask(self, turn: Turn, verdict: str) -> None:
        """Ask a background process for the reply to the turn just made."""
        self.unproved = turn
        state = self.match.state

        def heard(found: Answer) -> None:
            if self.unproved != turn or self.match.state is not state:
                return
            self.unproved = None
            if isinstance(found.value, Reply):
                reply = found.value
                known = self.solving.judged(reply.worth, reply.turns) if verdict == OPEN else verdict
                self._note(turn, Judged(known, () if known == LATE else reply.turn, reply.turns))
            else:
                self._note(turn, Judged(WRONG if verdict == OPEN else verdict))
            self.update()

        self.app.solver.ask(heard, "replies.reply", self.match.game, state)
        self.instruct()

    def _note(self, turn: Turn, judged: Judged) -> Judged:
        """Store the judgement of a turn and return it. A wrong turn counts as a failed try."""
        self.known[turn], self.sure_show = judged, False
        if judged.verdict == WRONG and not self.locked:
            self.wrong = turn
            self.app.sounds.tap()
            if not self.ended and not self.showing and self.solving.note_wrong(turn):
                self._keep()
        self.instruct()
        return judged

    def next_answer(self) -> str:
        """Return the next move of the reply, or an empty string if no reply is to be played now."""
        task = self.solving
        if task.within() or self.locked or not self.session.live:
            return ""
        known = self.known.get(task.first_turn())
        if known is None or known.verdict == DONE or (known.verdict == RIGHT and self._free):
            return ""
        plies = self.match.plies[self.match.floor :]
        made = sum(ply.turn != plies[0].turn for ply in plies)
        return known.answer[made] if made < len(known.answer) else ""

    def _stay(self) -> None:
        """Leave a wrong turn and its reply on the table until the player acts.

        In a streak, a wrong turn ends the problem.
        """
        if self.refuted:
            return
        self.refuted = True
        if isinstance(self.course, Streak) and self.solving.wrong and not self.ended:
            self._end()
        self.instruct()
        self.refresh()

    def resume(self) -> bool:
        if not self.refuted:
            return False
        self._take_back()
        return True

    def key(self, key: Key) -> bool:
        if self.refuted and key.chord in TRY_AGAIN:
            self.resume()
            return True
        return super().key(key)

    def _take_back(self) -> None:
        """Return to the last position in which the player had to find a turn."""
        before, self.refuted = self.match.plies, False
        if len(before) > self.match.floor:
            self.doing.skip()
            self.match.goto(self.match.floor)
            self.doing.read()
            self.doing.taken_back(before)
        self.instruct()

    # End of the problem

    def _solved(self) -> None:
        """Finish the problem, or a line tried out later, once its last turn has been played."""
        if not self.ended or self.showing:
            self.showing, self.rests = False, True
            if not self.ended:
                self._end()
            self.instruct()
        elif not self.rests:
            self._stay()

    def _end(self, came: str = "") -> None:
        """Record the result of the attempt, and select the next problem.

        ``came`` is the result; by default, the result follows from the turns that were tried.
        """
        self._count_time()
        self.ended, task, course = True, self.solving, self.course
        came = came or task.came
        name, rated = course.at, task.problem.rating
        course.problems.add(name, rated, course.mode, came, task.tries, task.seconds, course.day)
        course.ended(came in (SOLVED, HINTED))
        course.forget()
        course.go_on()
        if course.at:
            course.leave({})
        self.update()

    def _say(self, there_is: bool) -> None:
        """Accept the player's answer to whether there is a win, and play the solution."""
        if not self.locked:
            return
        true = not self.turned
        self.locked, self.showing, self.said = False, True, (there_is, true)
        self.match.floor = self.solving.begun
        self._end(SOLVED if there_is == true else FAILED)
        if self.solving.within():
            self.demonstration.soon()
        self.update()

    # Hints and solution

    def may_hint(self) -> bool:
        """Return whether a hint may be given now; if so, count it.

        If attempts are recorded, the first call only warns that a hint affects the rating, and returns False.
        """
        if self.ended or self.locked or self.showing:
            return False
        if not self._sure_hint and self.course.problems.kept and not self.solving.hints:
            self._sure_hint = True
            self.remark(_("A hint halves the rating gain. Press H again for the hint."))
            return False
        self.solving.hints += 1
        self._keep()
        return True

    def show(self) -> None:
        """Play the solution.

        If attempts are recorded, the first call only warns that the problem will count as missed.
        """
        if self.ended or self.locked or self.showing:
            return
        if self.course.problems.kept and not self.sure_show:
            self.sure_show = True
            self.instruct()
            return
        self.solving.shown = self.showing = True
        self._keep()
        self._take_back()
        self.demonstration.soon()
        self.instruct()

    # After the problem

    def go(self) -> None:
        if self._may_retry:
            self.resume()
        elif self.ended and self.course.at:
            self.app.pages.problem(self.course, self.came)

    def finish(self) -> None:
        if self.came is not None:
            super().finish()
        else:
            self.app.pages.problems()

    def look_why(self) -> None:
        """Return to the starting position, where the player can try any turn to see its refutation."""
        if not self.ended:
            return
        before = self.match.plies
        self.doing.skip()
        self.showing, self.rests, self.refuted, self.asks_why, self.known = False, False, False, True, {}
        self.solving.again()
        self.doing.read()
        self.doing.taken_back(before)
        self.instruct()

    def play_on(self) -> None:
        """Start a match against the computer from the position of the problem."""
        problem, game, seat = self.solving.problem, self.match.game, self.solving.seat
        last = self.app.settings.seats.get(self.entry.id, ())
        other = next((kind for kind in last if kind != PERSON), LEVELS[1].name)
        kinds = [PERSON if each == seat else other for each in range(len(self.match.seats))]
        names = named(people(self.app.settings.names, len(kinds)), kinds)
        self.app.matches.play(match_at(problem, game, names, kinds), self.entry)

    # Saving and restoring

    def shown(self) -> None:
        super().shown()
        self._since = self.app.clock()
        self._look()
        if self.showing:
            self.demonstration.soon()

    def leave_screen(self) -> None:
        super().leave_screen()
        self._keep()
        self._since = None

    def _count_time(self) -> None:
        now = self.app.clock()
        if self._since is not None and not self.ended:
            self.solving.seconds += max(0.0, now - self._since)
        self._since = now

    def _keep(self) -> None:
        """Save the progress, so that the player can resume the problem later."""
        if not self.ended and not self.locked:
            self._count_time()
            self.course.leave(self.solving.told())

    def carry_over(self, before: Posed) -> None:
        """Continue from the state of ``before``, an earlier page for the same problem."""
        for name in CARRIED:
            setattr(self, name, getattr(before, name))
        self.take_over(before)

    def choice_now(self, seat: int) -> Choice | None:
        """Return the next move of the reply as a computer's choice.

        Returns None if no reply is to be played now.
        """
        text = self.next_answer()
        return Choice(text, Analysis(seat, 0, 0.5)) if text else None


def _turned(name: str) -> bool:
    """Return whether to ask about the position after the solution rather than the one before it.

    This is used for problems that ask whether there is a win. The result depends on a hash of the problem's name, and
    is true for about half of the problems.
    """
    return bool(blake2b(name.encode(), digest_size=1).digest()[0] & 1)
