"""Has a match reviewed in a process beside the window, and says in words what is found."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

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

    from ..host.solver import Later

CHOICES = 3
"""So many choices of a mix are told, at most."""
LITTLE = 0.05
"""What is right less often than that is not told."""
MOST_KEPT = 50
"""Finished reviews that are kept while the program runs."""
TICK = 0.15
"""Seconds between two looks at how far it is."""


class Reviewer:
    """Reviews one match; ``heard`` is called whenever more is known.

    ``known`` holds the finished reviews of all pages, so that every page says the same of a match.
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
        """What is known; None before anything is."""
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
        """Whether several played, and to the end: nothing of it is secret any more."""
        return len(self.match.seats) > 1 and bool(self.history) and self.history[-1].state.to_move is None

    @property
    def complete(self) -> bool:
        """Whether no more will be known."""
        return self.found is not None and self.found.complete

    @property
    def busy(self) -> bool:
        """Whether it is being found out."""
        return self._worker is not None

    def begin(self) -> None:
        """Find out what is not known yet."""
        if self.complete or self.busy or not self.possible:
            return
        made = [Made(ply.seat, ply.turn, ply.move, ply.state) for ply in self.history]
        self._worker = Worker()
        self._worker.submit("shibumi3d.search.review.passes.review", self.match.game, self.match.first, made)
        self._later(TICK, self._look)

    def hurry(self) -> None:
        """Make do with what is known by now: that is the review of this match from then on."""
        if self._worker is not None:
            self._worker.hurry()

    def close(self) -> None:
        """Find out no more."""
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

    # What it says

    def marked(self) -> list[Moment]:
        """The turns that have a mark, in the order in which they were played."""
        return [one for one in self.found.moments if one.mark] if self.found is not None else []

    def faults(self) -> list[Moment]:
        """The turns that lost something, in the order in which they were played."""
        return [one for one in self.marked() if one.loss]

    def made_by(self, until: int) -> Moment | None:
        """The turn that ended after so many moves, if there is anything to be said of it."""
        moments = self.found.moments if self.found is not None else ()
        return next((one for one in moments if one.until == until and (one.mark or one.mix)), None)

    def own(self) -> list[Moment]:
        """The turns of persons that lost something, the one that lost most first; of all where no person played."""
        match, found = self.match, self.found
        if found is None:
            return []
        seats = range(len(match.seats))
        persons = [seat for seat in seats if not match.seats[seat].computer] or list(seats)
        if match.swap and swapped(match):
            # The one who swapped sat elsewhere before: of the two first turns nobody is asked.
            return [one for one in found.faults(persons) if one.turn > 1]
        return found.faults(persons)

    def sentence(self, one: Moment) -> str:
        """What is thought of a turn, in one line."""
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
        """How often each choice would have been right where nobody knew what the others chose."""
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
        """How well each seat played, once all is known; empty before."""
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
        """The best turn, in words."""
        state = state_after(self.match, one.at)
        return told_turn(self.match, state, one.seat, one.better, names_at(self.match, one.at))


def percent(worth: Worth) -> int:
    """Return the chance to win in percent."""
    return round(100 * worth.value)


def told_turn(match: Match, state: Any, seat: int, texts: Sequence[str], names: Sequence[str]) -> str:
    """Return choices that might be made one after the other, in words."""
    game, said = match.game, []
    events: list[Any] = []
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
