"""Review of a match in a worker process, and descriptions of its results."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from shibumi3d.app.wording import thought
from shibumi3d.i18n import _, language
from shibumi3d.match.outside_moves import names_at, swapped
from shibumi3d.rules.errors import IllegalMove
from shibumi3d.rules.kinds import USUAL
from shibumi3d.rules.marbles.wording import sentences
from shibumi3d.rules.wording import capital, within
from shibumi3d.search.review.moments import Made, Moment, Review, Worth
from shibumi3d.search.worker import Worker

from .rereading import state_after

if TYPE_CHECKING:
    from shibumi3d.match.match import Match
    from shibumi3d.rules.game import Event, State

    from ..host.solver import Later

CHOICES = 3
"""Maximum number of choices listed for a mixed strategy."""
LITTLE = 0.05
"""Minimum probability at which a choice of a mixed strategy is listed."""
MOST_KEPT = 50
"""Maximum number of finished reviews in the cache. The oldest is dropped first."""
TICK = 0.15
"""Interval between polls of the worker, in seconds."""


class Reviewer:
    """Review of one match.

    ``heard`` is called whenever there are new results. ``known`` is a cache of finished reviews; all pages share it, so
    they all show the same results for a match. ``later`` schedules a call after a delay in seconds.
    """

    def __init__(
        self, match: Match, later: Later, heard: Callable[[], None], known: dict[Hashable, Review]
    ) -> None:
        self.match, self._later, self.heard, self._known = match, later, heard, known
        self.history = match.plies
        moves = tuple([ply.move for ply in self.history])
        self._key = (match.game.id, str(match.game.form), match.first, moves, match.state)
        self._found: Review | None = None
        self._worker: Worker | None = None

    @property
    def found(self) -> Review | None:
        """Results so far, or None if there are none yet."""
        return self._known.get(self._key, self._found)

    @found.setter
    def found(self, found: Review | None) -> None:
        self._found = found
        if found is not None and found.complete:
            self._known[self._key] = found
            while len(self._known) > MOST_KEPT:
                del self._known[next(iter(self._known))]

    @property
    def possible(self) -> bool:
        """Whether the match can be reviewed.

        The match must have several seats, and it must be over, so that nothing is secret any more.
        """
        return len(self.match.seats) > 1 and bool(self.history) and self.history[-1].state.to_move is None

    @property
    def complete(self) -> bool:
        """Whether the review is finished."""
        return self.found is not None and self.found.complete

    @property
    def busy(self) -> bool:
        """Whether the review is running."""
        return self._worker is not None

    def begin(self) -> None:
        """Start the review, unless it is running, finished or not possible."""
        if self.complete or self.busy or not self.possible:
            return
        made = [Made(ply.seat, ply.turn, ply.move, ply.state) for ply in self.history]
        self._worker = Worker()
        self._worker.submit("shibumi3d.search.review.passes.review", self.match.game, self.match.first, made)
        self._later(TICK, self._look)

    def hurry(self) -> None:
        """Ask the worker to finish soon.

        The results it returns are then the final review of this match.
        """
        if self._worker is not None:
            self._worker.hurry()

    def close(self) -> None:
        """Stop the review and its worker process."""
        if self._worker is not None:
            self._worker.close()
            self._worker = None

    def _look(self) -> None:
        if self._worker is None:
            return
        answer = self._worker.poll()
        if answer is None:
            if isinstance(self._worker.report, Review) and self._worker.report is not self.found:
                self.found = self._worker.report
                self.heard()
            self._later(TICK, self._look)
            return
        if isinstance(answer.value, Review):
            self.found = replace(answer.value, complete=True)
        self.close()
        self.heard()

    # Results in words

    def marked(self) -> list[Moment]:
        """Return the turns with an annotation symbol, in the order played."""
        return [one for one in self.found.moments if one.mark] if self.found is not None else []

    def faults(self) -> list[Moment]:
        """Return the annotated turns that reduced the chance of winning, in the order played."""
        return [one for one in self.marked() if one.loss]

    def made_by(self, until: int) -> Moment | None:
        """Return the turn that ended after the first ``until`` moves.

        Returns None if there is none, or if it has neither an annotation symbol nor an optimal mixed strategy.
        """
        moments = self.found.moments if self.found is not None else ()
        return next((one for one in moments if one.until == until and (one.mark or one.mix)), None)

    def own(self) -> list[Moment]:
        """Return the mistakes of the human players, worst first.

        If no human played, return the mistakes of all seats. After a swap of seats, the first two turns are left out.
        """
        match, found = self.match, self.found
        if found is None:
            return []
        seats = range(len(match.seats))
        persons = [seat for seat in seats if not match.seats[seat].computer] or list(seats)
        if match.swap and swapped(match):
            # The player who swapped had the other seat before, so nobody is asked about the first two turns.
            return [one for one in found.faults(persons) if one.turn > 1]
        return found.faults(persons)

    def sentence(self, one: Moment) -> str:
        """Return the judgement of a turn as one line of text."""
        assert one.best is not None
        if one.mix:
            return self._mixed(one)
        sure = _("proved") if one.proved else _("about")
        if one.played is None or one.mark == "!":
            return _("{mark}  only move", mark=one.mark)
        told = _(
            "{mark}  {sure} {best}% → {played}%",
            mark=one.mark,
            sure=sure,
            best=percent(one.best),
            played=percent(one.played),
        )
        if one.better:
            told += _(". Better: {better}", better=within(self.better(one)))
        return told

    def _mixed(self, one: Moment) -> str:
        """Return a description of the optimal mixed strategy for a simultaneous move.

        The likeliest choice comes first.
        """
        state = state_after(self.match, one.at)
        names = names_at(self.match, one.at)
        often = sorted(one.mix, key=lambda each: -each[1])[:CHOICES]
        shares = [
            _(
                "{told} {n}%",
                told=within(told_turn(self.match, state, one.seat, (text,), names)),
                n=round(100 * part),
            )
            for text, part in often
            if part >= LITTLE
        ]
        return _("Best choices: {told}", told=", ".join(shares))

    def accuracies(self) -> str:
        """Return a description of the accuracy of each seat; empty until the review is complete."""
        found = self.found
        if found is None or not self.complete:
            return ""
        each = [(seat.name, found.accuracy(number)) for number, seat in enumerate(self.match.seats)]
        told = [
            _("{name} {n}% ({sure}% proved)", name=name, n=round(known[0]), sure=round(100 * known[1]))
            for name, known in each
            if known is not None
        ]
        return _("Accuracy: {told}", told=" · ".join(told)) if told else ""

    def better(self, one: Moment) -> str:
        """Return a description of the best turn that was possible instead of this one."""
        state = state_after(self.match, one.at)
        return told_turn(self.match, state, one.seat, one.better, names_at(self.match, one.at))


def percent(worth: Worth) -> int:
    """Return the chance of winning as a rounded percentage."""
    return round(100 * worth.value)


def told_turn(match: Match, state: State, seat: int, texts: Sequence[str], names: Sequence[str]) -> str:
    """Return a description of a turn, which is given as the notation of its moves.

    On tables of marbles, this is a sentence about what the moves do. On other tables, or if there is no such sentence,
    it is a list of the moves. The first illegal move and everything after it are left out.
    """
    game, said = match.game, []
    events: list[Event] = []
    for text in texts:
        try:
            move = game.parse(state, text, seat)
        except IllegalMove:
            break
        said.append(thought(match, state, seat, move, names))
        state, more = game.apply(state, move)
        events += more
    if game.kind == USUAL and (did := sentences.did(state, seat, events, language(), names)):
        return capital(did)
    return capital(_(", then ").join(said))
