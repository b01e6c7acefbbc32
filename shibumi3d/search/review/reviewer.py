"""Reviewing a match, in several passes.

First, all turns are judged by quick searches. Then, the end of the match is proved, from the last turn backwards.
Finally, all turns are judged by longer searches, and apparent mistakes by even longer ones. The same match, seed and
number of simulations give the same review. Solo games are reviewed by their solver instead (see :mod:`.solo`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from time import monotonic
from typing import TYPE_CHECKING

from shibumi3d.rules.game import Game
from shibumi3d.search.players import REPORT_INTERVAL_SECONDS, never_stop
from shibumi3d.search.review.context import ReviewContext
from shibumi3d.search.review.estimates import QUICK_SIMULATIONS, Estimator
from shibumi3d.search.review.proofs import MAX_UNPROVED, Prover
from shibumi3d.search.review.results import Review, ReviewMove, TurnEvaluation, TurnReview
from shibumi3d.search.review.solo import can_review_solo, evaluate_solo_turn, review_solo
from shibumi3d.search.worker import limit_memory, make_hurry_callback, report_progress

if TYPE_CHECKING:
    from shibumi3d.rules.game import State

SIMULATIONS = 800
"""Number of simulations for each turn in the final pass."""
RECHECK_FACTOR = 3
"""Factor by which the number of simulations is multiplied for turns that seem to be mistakes."""


def review_in_worker(
    game: Game,
    initial_state: State,
    history: Sequence[ReviewMove],
    simulations: int = SIMULATIONS,
    seed: int = 0,
) -> Review | None:
    """Review a match inside a worker process, reporting intermediate results.

    If asked to hurry, return the results so far. Return None if there are no results.
    """
    limit_memory()
    review, last_report = None, 0.0
    for review in review_progressively(
        game, initial_state, history, simulations, seed, make_hurry_callback()
    ):
        if (now := monotonic()) - last_report >= REPORT_INTERVAL_SECONDS:
            last_report = now
            report_progress(review)
    return review


def review_progressively(
    game: Game,
    initial_state: State,
    history: Sequence[ReviewMove],
    simulations: int = SIMULATIONS,
    seed: int = 0,
    should_stop: Callable[[], bool] = never_stop,
) -> Iterator[Review]:
    """Yield the review of a match repeatedly, until it is complete or ``should_stop`` returns True.

    Each review contains the results so far. The iterator is empty if a match with several seats has no turns, or if the
    review of a solo game is stopped before any turn has been analysed.
    """
    if can_review_solo(game, initial_state.seats):
        yield from review_solo(game, initial_state, history, should_stop)
        return
    context = ReviewContext(game, initial_state, history, seed, should_stop)
    if not context.turns:
        return
    proofs = Prover(context)
    estimates = Estimator(context, proofs)
    rounds: list[tuple[Callable[[int, int], None], int, bool]] = [
        (estimates.estimate_turn, min(QUICK_SIMULATIONS, simulations), False)
    ]
    rounds.append((proofs.prove_turn, 0, True))
    if simulations > QUICK_SIMULATIONS:
        rounds += [
            (estimates.estimate_turn, simulations, False),
            (estimates.recheck_mistake, RECHECK_FACTOR * simulations, False),
        ]
    turns_searched = 0
    places = range(len(context.turns))
    for done, (act, number, backwards) in enumerate(rounds):
        turns_searched = max(turns_searched, number)
        for step, place in enumerate(reversed(places) if backwards else places):
            part = (done + step / len(places)) / len(rounds)
            if should_stop():
                yield Review(tuple(context.turns), turns_searched, progress=part)
                return
            if backwards and proofs.consecutive_unproved >= MAX_UNPROVED:
                break
            before = context.turns[place]
            act(place, number)
            if should_stop():  # an interrupted search is not reliable
                context.turns[place] = before
            yield Review(tuple(context.turns), turns_searched, progress=part)
    yield Review(tuple(context.turns), turns_searched, is_complete=True)


def evaluate_turn_in_worker(
    game: Game,
    initial_state: State,
    history: Sequence[ReviewMove],
    turn: TurnReview,
    texts: Sequence[str],
    simulations: int = SIMULATIONS,
) -> TurnEvaluation:
    """Return the evaluation of ``texts``, a turn that could have been played instead of ``turn``.

    This function is meant for a worker process, whose memory it limits.
    """
    limit_memory()
    context = ReviewContext(game, initial_state, history, 0, make_hurry_callback())
    if can_review_solo(game, initial_state.seats):
        return evaluate_solo_turn(game, context.states[turn.start], turn, texts)
    return Estimator(context, Prover(context)).evaluate_alternative(turn, texts, simulations)
