"""*Learn from your mistakes*: shows positions before mistakes in a match and asks for better turns."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol

from shibumi3d.catalogue.schema import Entry
from shibumi3d.i18n import _, localize, ngettext, pgettext
from shibumi3d.match.match import Match
from shibumi3d.match.outside_moves import names_at
from shibumi3d.match.ply import Ply
from shibumi3d.rules.identity import identity
from shibumi3d.rules.wording import capital
from shibumi3d.search.review.moments import PASSES, Judged, Made, Moment, Review, Worth
from shibumi3d.search.worker import Answer

from ..host.screen import Screen
from ..host.solver import BackgroundSolver
from ..ui.button import Button
from ..ui.core import Key
from .own_problems import as_kept, candidate, may_keep
from .rereading import state_after, up_to
from .reviewer import Reviewer, percent, told_turn
from .taught import BACK, TRY_AGAIN, Taught

if TYPE_CHECKING:
    from shibumi3d.rules.game import State

    from ..host import Host

MOST = 3
"""Maximum number of mistakes to correct."""
PATIENCE = 12.0
"""Time in seconds after which the review is used even if it is unfinished."""


class FindPage(Protocol):
    """Factory for the page on which mistakes are corrected."""

    def __call__(
        self, app: Host, whole: Match, entry: Entry, came: Screen | None, found: Review | None = None
    ) -> Screen:
        """Return the page.

        ``came`` is the page to return to, and ``found`` the results of the match's review so far.
        """


class TurnFinder(Taught):
    """Page that shows the positions before the worst mistakes, one by one, and asks for better turns.

    A background process judges the player's tries. A turn that loses at least :data:`.moments.PASSES` points is refuted
    on the board and then taken back.
    """

    title = "find"
    whole: Match
    """Match that was played."""
    review: Reviewer
    moments: list[Moment]
    """Mistakes to correct, worst first."""
    number: int
    """Index of the current mistake."""
    right: int
    """Number of mistakes corrected."""
    _phase = "ask"
    note = ""
    """Message about the latest try."""
    _kept = False
    """Whether the player has asked to save this turn as a problem."""

    def __init__(
        self,
        app: Host,
        whole: Match,
        entry: Entry,
        came: Screen | None,
        found: Review | None = None,
        number: int = 0,
        right: int = 0,
    ) -> None:
        self.whole, self.number, self.right = whole, number, right
        self.review = Reviewer(whole, app.later, self._heard, app.reviews)
        if found is not None:
            self.review.found = found
        self.moments = self.review.own()[:MOST] if self.review.complete else []
        self._judges = BackgroundSolver(app.later)
        super().__init__(app, self._moment(), entry, came)

    def _moment(self) -> Match:
        """Return a match that starts at the position to show.

        This is the position before the current mistake. If there is none, for example because the match hasn't been
        reviewed yet, it is the final position.
        """
        whole = self.whole
        if self.one is None:
            return Match(whole.game, whole.names, whole.seed, state=whole.state)
        return Match(
            whole.game, names_at(whole, self.one.at), whole.seed, state=state_after(self.whole, self.one.at)
        )

    def teach(self) -> None:
        self.other = Button("", self.next, name="other")
        self.keeping = Button(
            _("Save as problem"),
            self.keep,
            kind="quiet",
            tip=_("Add it to your problems if there is only one solution"),
            name="keep as a problem",
        )
        self.keeping.visible = False
        super().teach()
        assert self.coach is not None
        self.coach.take((self.keeping, self.other))
        self.update()

    @property
    def phase(self) -> str:
        """Current phase: "ask", "judge", "wrong", "refuted", "right" or "shown".

        After a mistake, the phase is "wrong" until the refutation has been played, then "refuted" until the player
        acts. In "shown", the solution has been played.
        """
        return self._phase

    @phase.setter
    def phase(self, phase: str) -> None:
        self._phase = phase
        self.session.suspended = phase in ("wrong", "refuted")

    def anew(self, number: int, right: int, found: Review | None) -> TurnFinder:
        """Return a new page of this kind for another mistake, with the same camera."""
        page = type(self)(self.app, self.whole, self.entry, self.came, found, number, right)
        page.view.home, page.view.camera = self.view.home, self.view.camera
        return page

    def renewed(self) -> TurnFinder:
        return self.anew(self.number, self.right, self.review.found)

    @property
    def one(self) -> Moment | None:
        """Current mistake, or None if there is none."""
        return self.moments[self.number] if self.number < len(self.moments) else None

    def _told(self, one: Moment) -> str:
        """Return a description of the turn played in the match."""
        plies = self.whole.plies[one.at : one.until]
        events = [event for ply in plies for event in ply.events]
        texts = [ply.move.removeprefix(f"{one.seat + 1}:") for ply in plies]
        names = names_at(self.whole, one.at)
        said = self.words(plies[-1].state, one.seat, events)
        return said or told_turn(self.whole, state_after(self.whole, one.at), one.seat, texts, names)

    def shown(self) -> None:
        super().shown()
        if not self.review.complete:
            self.review.begin()
            self.app.later(PATIENCE, self._hurry)

    def _hurry(self) -> None:
        """End the review and use its results so far; if it has none yet, wait a little longer."""
        if self.review.busy and self.review.found is None:
            self.app.later(1.0, self._hurry)
        else:
            self.review.hurry()

    def leave_screen(self) -> None:
        self.review.close()
        self._judges.close()
        super().leave_screen()

    def _heard(self) -> None:
        """Show the progress of the review or, when it is finished, the first mistake."""
        if not self.on_window:
            return
        if self.review.busy:
            self.instruct()
        elif self.review.found is not None:
            self.app.stage.show(self.anew(0, 0, self.review.found))

    def instruct(self) -> None:
        one, found = self.one, self.review.found
        self._offer()
        if not self.review.complete:
            self.tell(
                _(
                    "Analysing the match: {part}%.",
                    part=round(100 * found.part) if found is not None else 0,
                )
            )
        elif one is None:
            judged = found is not None and any(each.played is not None for each in found.moments)
            if self.moments:
                self.tell(_("You found {number} of {most}.", number=self.right, most=len(self.moments)))
            else:
                self.tell(
                    _("You made no big mistakes.")
                    if judged
                    else _("The computer can't evaluate the moves of this match.")
                )
        else:
            self._instruct(one)

    def _instruct(self, one: Moment) -> None:
        """Show the instruction and the buttons for a mistake."""
        number, most = self.number, len(self.moments)
        over = self.phase in ("right", "shown")
        self.keeping.visible = over and not self._kept and may_keep(self.whole, self.entry, one)
        if over:
            self._offer(_("Play from here"), self.play_on)
            self.tell(self.note, _("Next  N"), number + 1, most)
            return
        if self.phase == "refuted":
            self._offer(_("Show  S"), self.show_better)
            self.tell(self.note, _("Try again"), number, most)
            return
        self._offer(_("Next  N"), self.next)
        asked = _("Turn {turn} – {told}. There was a better move.", turn=one.turn + 1, told=self._told(one))
        self.tell(self.note or asked, _("Show  S"), number, most)

    def tell(self, words: str, go: str = "", done: int = 0, steps: int = 0) -> None:
        super().tell(words, go, done, steps)
        assert self.coach is not None
        self.coach.stop.label = _("Back")  # leaving does not skip anything here
        self.coach.stop.heard = self.leaving()

    def _offer(self, label: str = "", action: Callable[[], None] | None = None) -> None:
        """Set up the strip's third button, or hide it if ``label`` is empty."""
        self.other.label, self.other.visible = label, bool(label)
        self.other.action = action or self.next

    def go(self) -> None:
        if self.phase in ("right", "shown"):
            self.next()
        elif not self.resume():
            self.show_better()

    def next(self) -> None:
        """Show the next mistake."""
        if self.one is not None:
            self.app.stage.show(self.anew(self.number + 1, self.right, self.review.found))

    def play_on(self) -> None:
        """Start a match from the position before the mistake."""
        if self.one is not None:
            self.app.matches.play(up_to(self.whole, self.one.at), self.entry)

    def keep(self) -> None:
        """Save the turn as a problem once a background process has proved that no other turn works."""
        one = self.one
        if one is None or self._kept:
            return

        def heard(answer: Answer) -> None:
            if not self.on_window:
                return
            found = answer.value
            name = self.app.results.problems.keep(as_kept(found, self.entry)) if found else ""
            self.note = (
                _("Saved to your problems.")
                if name
                else _("Not saved: a problem needs exactly one solution and enough other moves.")
            )
            self.update()

        self._kept, self.note = True, _("Checking that there is only one solution…")
        begun = [each.at for each in self.review.found.moments] if self.review.found else []
        self._judges.ask(heard, "problems.asking.problem_at", candidate(self.whole, one, begun))
        self.update()

    def show_better(self) -> None:
        """Play the best turn on the board."""
        one = self.one
        if one is None:
            return
        self._judges.stop()
        self._back()
        self.phase = "shown"
        self.note = _("{told}. {why}.", told=self.review.better(one), why=_why(one, one.best))
        self._play(one.better)
        self.update()

    def _play(self, texts: Sequence[str]) -> None:
        """Make moves on the board, stopping at the first illegal one."""
        for text in texts:
            move = next((move for move in self.match.moves() if move.text == text), None)
            if move is None:
                return
            self.doing.made(self.doing.make(move))

    # Turns that are tried

    def update(self) -> None:
        super().update()
        one = self.one
        if one is not None and self.phase == "ask" and self.match.plies and self._turn_over(one):
            self._judge(one)

    def _turn_over(self, one: Moment) -> bool:
        """Return whether the player has completed the turn, or the single move, that was asked for."""
        state, first = self.match.state, self.match.first
        single = (
            one.until - one.at == len(one.better) == 1
            and self.session.facts.secrets | self.session.facts.chance
        )
        return bool(single) or state.to_move != one.seat or state.turn != first.turn

    def _judge(self, one: Moment) -> None:
        """Judge the player's turn.

        The review already contains the values of the best turn and of the turn played in the match. A background
        process judges all other turns.
        """
        self.phase, self.note = "judge", _("Checking…")
        reached = self.match.state
        if identity(reached) == identity(state_after(self.whole, one.until)) and one.played is not None:
            answer = []
            for ply in self.whole.plies[one.until :]:
                if ply.turn != self.whole.plies[one.until].turn:
                    break
                answer.append(ply.move)
            self._judged(one, Judged(one.played, tuple(answer)))
            return
        texts = [ply.move for ply in self.match.plies]
        if one.best is not None and tuple(texts) == one.better:
            self._judged(one, Judged(one.best))
            return
        made = [Made(ply.seat, ply.turn, ply.move, ply.state) for ply in self.whole.plies]

        def heard(answer: Answer) -> None:
            if not self.on_window:
                return
            if isinstance(answer.value, Judged):
                self._judged(one, answer.value)
            else:
                self.phase, self.note = "ask", _("{text}.", text=capital(localize(answer.error or "")))
                self._back()
                self.update()

        self._judges.ask(heard, "review.passes.judged", self.whole.game, self.whole.first, made, one, texts)
        self.instruct()

    def _judged(self, one: Moment, found: Judged) -> None:
        """Show the judgement of the player's turn."""
        assert one.best is not None
        tried = self.did()
        if 100 * (one.best.value - found.worth.value) < PASSES:
            self.right += 1
            self.phase, self.note = (
                "right",
                _("Correct! {told}. {why}.", told=tried, why=_why(one, found.worth)),
            )
            self.update()
            return
        self.phase = "wrong"
        before = len(self.match.plies)
        self.app.later(BACK, lambda: self._answer(found, tried, before))
        self.instruct()

    def _answer(self, found: Judged, tried: str, before: int) -> None:
        """Play the refutation of a turn; both turns stay on the board until the player acts."""
        if not self.on_window or self.phase != "wrong" or len(self.match.plies) != before:
            return
        state = self.match.state
        self._play(found.answer)
        answer = self._said(state, self.match.plies[before:])
        one = self.one
        why = _fails(one, found.worth) if one is not None else ""
        self.note = (
            _("{told}. Then {answer}. {why}. Try something else.", told=tried, answer=answer, why=why)
            if answer
            else _("{told}. {why}. Try something else.", told=tried, answer=answer, why=why)
        )
        self.phase = "refuted"
        self.update()

    def resume(self) -> bool:
        if self.phase != "refuted":
            return False
        self._back()
        self.phase = "ask"
        self.update()
        return True

    def _back(self) -> None:
        """Go back to the position before the mistake."""
        before = self.match.plies
        if before:
            self.doing.skip()
            self.match.goto(0)
            self.doing.read()
            self.doing.taken_back(before)

    def did(self) -> str:
        """Return a description of the player's turn."""
        return self._said(self.match.first, self.match.plies)

    def _said(self, state: State, plies: Sequence[Ply]) -> str:
        """Return a description of a turn made on the board, starting at ``state``."""
        if not plies:
            return ""
        events = [event for ply in plies for event in ply.events]
        said = self.words(plies[-1].state, plies[0].seat, events)
        return said or told_turn(self.match, state, plies[0].seat, [ply.move for ply in plies], self.names)

    def key(self, key: Key) -> bool:
        if key.chord in TRY_AGAIN and self.resume():
            return True
        if key.chord in ("n", "s") and self.one is not None:
            if key.chord == "n":
                self.next()
            elif self.phase not in ("right", "shown"):
                self.show_better()
            return True
        return super().key(key)


def _fails(one: Moment, worth: Worth) -> str:
    """Return why the player's turn is worse than the best turn."""
    assert one.best is not None
    if worth.proved and worth.value == 0.0:
        return _("That's a forced loss")
    if worth.proved and worth.value == 0.5:
        return _("That only draws")
    return _("{tried}% to win instead of {best}%", tried=percent(worth), best=percent(one.best))


def _why(one: Moment, worth: Worth | None) -> str:
    """Return why a turn is better than the turn played in the match."""
    assert worth is not None
    assert one.played is not None
    if worth.proved and worth.value == 1.0:
        return (
            ngettext("It wins at once", "It wins in {n} turns", one.wins_in)
            if one.wins_in and worth is one.best
            else pgettext("find", "It's a forced win")
        )
    if worth.proved and worth.value == 0.5:
        return _("It holds the draw")
    return _("{best}% to win instead of {played}%", best=percent(worth), played=percent(one.played))
