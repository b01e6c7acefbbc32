"""The passes of a review.

First, all turns are searched quickly. Then, the end of the match is proved, from the last turn backwards. Finally, all
turns are searched for longer. The same match, seed and number of simulations give the same review.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from time import monotonic
from typing import Any

from shibumi3d.rules.game import Game
from shibumi3d.search.players import TOLD, never
from shibumi3d.search.review.course import Course
from shibumi3d.search.review.estimates import QUICK, Estimates
from shibumi3d.search.review.moments import Judged, Made, Moment, Review
from shibumi3d.search.review.proofs import OPEN, Proofs
from shibumi3d.search.worker import bound_memory, hurried, tell

TRIES = 800
"""Number of simulations for each turn in the final pass."""
DEEPER = 3
"""Factor by which the number of simulations is increased for turns that seem to be mistakes."""


def review(
    game: Game, first: Any, history: Sequence[Made], tries: int = TRIES, seed: int = 0
) -> Review | None:
    """Review a match inside a worker process, reporting intermediate results.

    If asked to hurry, return the results so far. Return None for a match without turns.
    """
    bound_memory()
    found, told = None, 0.0
    for found in reviews(game, first, history, tries, seed, hurried_once()):
        if (now := monotonic()) - told >= TOLD:
            told = now
            tell(found)
    return found


def hurried_once() -> Callable[[], bool]:
    """Return a ``stop`` callback that returns True once the program has asked to hurry."""
    said = False

    def ask() -> bool:
        nonlocal said
        said = said or hurried()
        return said

    return ask


def reviews(
    game: Game,
    first: Any,
    history: Sequence[Made],
    tries: int = TRIES,
    seed: int = 0,
    stop: Callable[[], bool] = never,
) -> Iterator[Review]:
    """Yield the review of a match repeatedly as it progresses, until it is complete."""
    course = Course(game, first, history, seed, stop)
    if not course.moments:
        return
    proofs = Proofs(course)
    estimates = Estimates(course, proofs)
    rounds: list[tuple[Callable[[int, int], None], int, bool]] = [(estimates.look, min(QUICK, tries), False)]
    rounds.append((proofs.prove, 0, True))
    if tries > QUICK:
        rounds += [(estimates.look, tries, False), (estimates.check, DEEPER * tries, False)]
    looked = 0
    places = range(len(course.moments))
    for done, (act, number, backwards) in enumerate(rounds):
        looked = max(looked, number)
        for step, place in enumerate(reversed(places) if backwards else places):
            part = (done + step / len(places)) / len(rounds)
            if stop():
                yield Review(tuple(course.moments), looked, part=part)
                return
            if backwards and proofs.left_open >= OPEN:
                break
            before = course.moments[place]
            act(place, number)
            if stop():  # an interrupted search is not reliable
                course.moments[place] = before
            yield Review(tuple(course.moments), looked, part=part)
    yield Review(tuple(course.moments), looked, complete=True)


def judged(
    game: Game, first: Any, history: Sequence[Made], one: Moment, texts: Sequence[str], tries: int = TRIES
) -> Judged:
    """Judge an alternative to a turn that was played, inside a worker process."""
    bound_memory()
    course = Course(game, first, history, 0, hurried_once())
    return Estimates(course, Proofs(course)).tried(one, texts, tries)
