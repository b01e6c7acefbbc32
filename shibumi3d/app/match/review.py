"""Review of a match in a worker process, and descriptions of its results."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from shibumi3d.i18n import _, language
from shibumi3d.match.marbles import marble_events, marble_state
from shibumi3d.match.special_moves import is_swapped, names_at_ply
from shibumi3d.rules.errors import IllegalMove
from shibumi3d.rules.marbles.wording import sentences
from shibumi3d.rules.registry import DEFAULT_KIND
from shibumi3d.rules.wording import capitalize_first, lowercase_first
from shibumi3d.search.review.results import Review, ReviewMove, TurnReview, ValueBounds
from shibumi3d.search.review.solo import can_review_solo
from shibumi3d.search.worker import Worker
from shibumi3d.wording import describe_move_in_sentence

if TYPE_CHECKING:
    from shibumi3d.match.match import Match
    from shibumi3d.rules.game import Event, State

    from ..host.services import Scheduler


MAX_LISTED_CHOICES = 3
"""Maximum number of choices listed for a mixed strategy."""
MIN_LISTED_PROBABILITY = 0.05
"""Minimum probability at which a choice of a mixed strategy is listed."""
MAX_CACHED_REVIEWS = 50
"""Maximum number of finished reviews in the cache. The oldest is dropped first."""
POLL_SECONDS = 0.15
"""Interval between polls of the worker, in seconds."""


class MatchReviewer:
    """Reviewer that runs the review of one match in a worker process.

    ``on_results`` is called whenever there are new results. ``cache`` holds finished reviews; all pages share it, so
    they all show the same results for a match. ``schedule`` schedules a call after a delay in seconds. The first
    ``lead`` moves are not reviewed, because they are part of the deal that is played in the match.
    """

    def __init__(
        self,
        match: Match,
        schedule: Scheduler,
        on_results: Callable[[], None],
        cache: dict[Hashable, Review],
        lead: int = 0,
    ) -> None:
        self.match, self._schedule, self.on_results, self._cache = match, schedule, on_results, cache
        self.lead = lead
        self.history = match.plies
        moves = tuple([ply.move for ply in self.history])
        self._key = (match.game.id, str(match.game.form), match.initial_state, moves, match.state)
        self._partial_review: Review | None = None
        self._worker: Worker | None = None
        self._last_report: Review | None = None
        """Latest report of the worker, or None."""

    @property
    def review(self) -> Review | None:
        """Results so far, or None if there are none yet."""
        return self._cache.get(self._key, self._partial_review)

    @review.setter
    def review(self, review: Review | None) -> None:
        self._partial_review = review
        if review is not None and review.is_complete:
            self._cache[self._key] = review
            while len(self._cache) > MAX_CACHED_REVIEWS:
                del self._cache[next(iter(self._cache))]

    @property
    def is_available(self) -> bool:
        """Whether the match can be reviewed.

        It must be over, so that nothing is secret any more. If it has a single seat, its game must have a solver.
        """
        is_over = bool(self.history) and self.history[-1].state.to_move is None
        return is_over and (len(self.match.seats) > 1 or can_review_solo(self.match.game, 1))

    @property
    def is_complete(self) -> bool:
        return self.review is not None and self.review.is_complete

    @property
    def is_running(self) -> bool:
        return self._worker is not None

    def start(self) -> None:
        """Start the review, unless it is running, finished or not possible."""
        if self.is_complete or self.is_running or not self.is_available:
            return
        moves = [ReviewMove(ply.seat, ply.turn, ply.move, ply.state) for ply in self.history[self.lead :]]
        self._worker = Worker()
        self._worker.submit(
            "shibumi3d.search.review.reviewer.review_in_worker",
            self.match.game,
            self.match.state_after(self.lead),
            moves,
        )
        self._schedule(POLL_SECONDS, self._poll)

    def hurry(self) -> None:
        """Ask the worker to finish soon.

        Whatever it then returns counts as the complete review.
        """
        if self._worker is not None:
            self._worker.hurry()

    def close(self) -> None:
        """Stop the review and its worker process."""
        if self._worker is not None:
            self._worker.close()
            self._worker = None

    def _poll(self) -> None:
        if self._worker is None:
            return
        answer = self._worker.poll()
        if answer is None:
            report = self._worker.report
            if isinstance(report, Review) and report is not self._last_report:
                self._last_report = report
                self.review = self._with_lead(report)
                self.on_results()
            self._schedule(POLL_SECONDS, self._poll)
            return
        if isinstance(answer.value, Review):
            self.review = replace(self._with_lead(answer.value), is_complete=True)
        self.close()
        self.on_results()

    def _with_lead(self, review: Review) -> Review:
        """Return ``review`` with :attr:`lead` added to the move numbers of its turns.

        The worker starts after the lead-in moves and counts from there.
        """
        turns = [
            replace(turn, start=turn.start + self.lead, end=turn.end + self.lead) for turn in review.turns
        ]
        return replace(review, turns=tuple(turns))

    # Results in words

    def marked_turns(self) -> list[TurnReview]:
        """Return the turns with an annotation symbol, in the order played.

        The list is empty if there is no review yet.
        """
        return [one for one in self.review.turns if one.mark] if self.review is not None else []

    def mistakes(self) -> list[TurnReview]:
        """Return the annotated turns that made the expected result worse, in the order played.

        Such a turn lowered the chance of winning or, in a solo game played for a score, the best possible score.
        """
        return [one for one in self.marked_turns() if one.loss]

    def turn_ending_at(self, ply: int) -> TurnReview | None:
        """Return the review of the turn that ended after the first ``ply`` moves.

        Returns None if no reviewed turn ended there, or if the turn has neither an annotation symbol nor an optimal
        mixed strategy.
        """
        moments = self.review.turns if self.review is not None else ()
        return next((one for one in moments if one.end == ply and (one.mark or one.mix)), None)

    def human_mistakes(self) -> list[TurnReview]:
        """Return the mistakes of the human players, worst first.

        If no human played, return the mistakes of all seats. After a swap of seats, the first two turns are left out.
        The list is empty if there is no review yet.
        """
        match, review = self.match, self.review
        if review is None:
            return []
        seats = range(len(match.seats))
        human_seats = [seat for seat in seats if not match.seats[seat].is_computer] or list(seats)
        if match.has_swap_rule and is_swapped(match):
            # The player who swapped had the other seat before, so nobody is asked about the first two turns.
            return [one for one in review.mistakes(human_seats) if one.turn > 1]
        return review.mistakes(human_seats)

    def describe_judgement(self, turn: TurnReview) -> str:
        """Return the judgement of a turn as one line of text."""
        assert turn.best_value is not None
        if turn.mix:
            return self._describe_mixed_strategy(turn)
        if turn.costs_points:
            return _("{mark}  {text}", mark=turn.mark, text=self._describe_solo_turn(turn))
        if len(self.match.seats) == 1 and turn.mark and turn.mark != "!":
            return _(
                "{mark}  After this, there was no way to win. Better: {better}",
                mark=turn.mark,
                better=lowercase_first(self.describe_best_turn(turn)),
            )
        certainty = _("proved") if turn.is_proved else _("estimated")
        if turn.played_value is None or turn.mark == "!":
            return _("{mark}  only move", mark=turn.mark)
        text = _(
            "{mark}  {played}% to win instead of {best}% ({sure})",
            mark=turn.mark,
            sure=certainty,
            best=value_percent(turn.best_value),
            played=value_percent(turn.played_value),
        )
        if turn.best_turn:
            text += _(". Better: {better}", better=lowercase_first(self.describe_best_turn(turn)))
        return text

    def _describe_mixed_strategy(self, turn: TurnReview) -> str:
        """Return a description of the optimal mixed strategy for a simultaneous move.

        Only the likeliest choices are listed, in order of decreasing probability.
        """
        state = self.match.state_after(turn.start)
        names = names_at_ply(self.match, turn.start)
        likeliest = sorted(turn.mix, key=lambda each: -each[1])[:MAX_LISTED_CHOICES]
        shares = [
            _(
                "{told} ({n}% of the time)",
                told=lowercase_first(describe_turn_texts(self.match, state, turn.seat, (text,), names)),
                n=round(100 * probability),
            )
            for text, probability in likeliest
            if probability >= MIN_LISTED_PROBABILITY
        ]
        return _("Best strategy: {told}", told=", ".join(shares))

    def _describe_solo_turn(self, turn: TurnReview) -> str:
        best, better = turn.best_score, lowercase_first(self.describe_best_turn(turn))
        if turn.played_score is None or best is None:
            return _(
                "A score of {best} was possible, but now the game is lost. Better: {better}",
                best=best,
                better=better,
            )
        return _(
            "A score of {best} was possible, but now the most you can reach is {played}. Better: {better}",
            best=best,
            played=turn.played_score,
            better=better,
        )

    def describe_cost(self, turn: TurnReview) -> str:
        """Return a short text that says how many points a turn of a solo game cost, or that it lost the game."""
        if turn.best_score is None or turn.played_score is None:
            return _("turn {turn}: lost", turn=turn.turn + 1)
        return _("turn {turn}: −{n}", turn=turn.turn + 1, n=turn.best_score - turn.played_score)

    def describe_solo_game(self) -> str:
        """Return a text about what was possible in a solo game.

        If the game is played for a score, the text gives the best possible score and the turns that cost points.
        Otherwise, it names the turn that gave away a win, and what should have been played. If there is no such turn,
        it may say that winning was impossible from the start or from a certain turn on. The text is empty if the review
        isn't complete, if the game has several seats, or if there is nothing to say.
        """
        review = self.review
        if review is None or not self.is_complete or len(self.match.seats) > 1:
            return ""
        scored = [turn for turn in review.turns if turn.is_scored]
        if scored:
            costs = [self.describe_cost(turn) for turn in scored if turn.costs_points]
            best = scored[0].best_score
            first_turn = scored[0].turn + 1
            if best is None:
                return ""
            begins_late = scored[0].start > self.lead
            if not costs:
                return (
                    _("From turn {turn} on, no more than {best} was possible.", turn=first_turn, best=best)
                    if begins_late
                    else _("Best possible: {n}. No turn cost any points.", n=best)
                )
            since = (
                _("On turn {turn}, a score of {best} was still possible.", turn=first_turn, best=best)
                if begins_late
                else _("Best possible: {n}.", n=best)
            )
            return f"{since} {_('{costs}.', costs=capitalize_first(', '.join(costs)))}"
        losing = next((turn for turn in review.turns if turn.lost_result == "win"), None)
        if losing is not None:
            return _(
                "You could still have won by playing this on turn {turn}: {better}.",
                turn=losing.turn + 1,
                better=lowercase_first(self.describe_best_turn(losing)),
            )
        judged = [turn for turn in review.turns if turn.best_value is not None]
        if judged and judged[0].start == self.lead and judged[0].best_value == ValueBounds(0.0, 0.0, 0.0):
            return _("This deal couldn't be won.")
        lost = next((turn for turn in judged if turn.best_value == ValueBounds(0.0, 0.0, 0.0)), None)
        if lost is not None:
            return _("From turn {turn} on, there was no way to win.", turn=lost.turn + 1)
        return ""

    def describe_accuracies(self) -> str:
        """Return a description of the accuracy of each seat.

        The text is empty if the review isn't complete or no seat has an accuracy. For a solo game, return the result of
        :meth:`describe_solo_game` instead.
        """
        review = self.review
        if review is None or not self.is_complete:
            return ""
        if len(self.match.seats) == 1:
            return self.describe_solo_game()
        accuracies = [(seat.name, review.accuracy(number)) for number, seat in enumerate(self.match.seats)]
        texts = [
            _(
                "{name} {n}% ({sure}% of turns proved)",
                name=name,
                n=round(accuracy[0]),
                sure=round(100 * accuracy[1]),
            )
            for name, accuracy in accuracies
            if accuracy is not None
        ]
        return _("Accuracy: {told}", told=" · ".join(texts)) if texts else ""

    def describe_best_turn(self, turn: TurnReview) -> str:
        """Return a description of the best turn that was possible instead of ``turn``."""
        state = self.match.state_after(turn.start)
        return describe_turn_texts(
            self.match, state, turn.seat, turn.best_turn, names_at_ply(self.match, turn.start)
        )


def value_percent(value: ValueBounds) -> int:
    """Return the value of a position as a whole percentage, from 0 (lost) to 100 (won)."""
    return round(100 * value.value)


def describe_turn_texts(
    match: Match, state: State, seat: int, move_texts: Sequence[str], names: Sequence[str]
) -> str:
    """Return a description of a turn of ``seat`` that begins in ``state``.

    ``move_texts`` is the notation of the turn's moves. In games with marbles, the description is a sentence about what
    the moves do. In other games, or if there is no such sentence, the moves are described one after the other. The
    first illegal move and everything after it are left out.
    """
    game, texts = match.game, []
    events: list[Event] = []
    for text in move_texts:
        try:
            move = game.parse(state, text, seat)
        except IllegalMove:
            break
        texts.append(describe_move_in_sentence(match, state, seat, move, names))
        state, more = game.apply(state, move)
        events += more
    if game.kind == DEFAULT_KIND:
        did = sentences.describe_actions(marble_state(state), seat, marble_events(events), language(), names)
        if did:
            return capitalize_first(did)
    return capitalize_first(_(", then ").join(texts))
