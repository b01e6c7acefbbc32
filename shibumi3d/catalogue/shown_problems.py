"""Lessons that show the solution of a proved problem, for example as a tip for a game."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from types import MappingProxyType
from typing import TYPE_CHECKING

from shibumi3d.catalogue.lessons import Lesson
from shibumi3d.catalogue.problems import load_problems
from shibumi3d.i18n import InvalidValueError
from shibumi3d.rules.source import SourceLocation

if TYPE_CHECKING:
    from shibumi3d.catalogue.problems import ProvedProblem
    from shibumi3d.catalogue.tips import Tip


def show_problem(problem: ProvedProblem, comment: Mapping[str, str]) -> Lesson:
    """Return a lesson that shows the solution of a problem.

    ``comment`` is the text of the lesson by language code.
    """
    position = problem.position
    return Lesson(
        size=0,
        variant=problem.variant,
        seats=problem.seats,
        seed=problem.seed,
        boards=() if position is None else tuple(position.boards),
        stocks=MappingProxyType({})
        if position is None
        else MappingProxyType(
            {
                name: (stock,) if isinstance(stock, str) else tuple(stock)
                for name, stock in position.stocks.items()
            }
        ),
        mover=0 if position is None else position.to_move,
        phase=0 if position is None else position.phase,
        lead_moves=tuple(move for turn in problem.moves for move in turn),
        moves=problem.solution,
        effects=(),
        comments=(comment,),
        location=SourceLocation("", 1, 1),
        locations=(),
    )


def find_problem(game_name: str, number: int) -> ProvedProblem:
    """Return problem ``number`` of a built-in game.

    Raises InvalidValueError if there is no problem with this number or if several turns solve it, and
    :class:`.GameFileError` if the problem file has errors.
    """
    problem = next((one for one in load_problems(game_name) if one.id == number), None)
    if problem is None:
        raise InvalidValueError("there is no problem {number} for this game", number=number)
    if problem.also:
        raise InvalidValueError("problem {number} has more than one solution", number=number)
    return problem


def tip_lesson(game_name: str, tip: Tip) -> Lesson:
    """Return the lesson that shows a tip of a game.

    Raises InvalidValueError if the tip refers to a problem that doesn't exist or has more than one solution, and
    :class:`.GameFileError` if the problem file has errors.
    """
    return show_problem(find_problem(game_name, tip.problem), tip.text) if tip.problem else tip.lesson


def tip_lessons(game_name: str, tips: Iterable[Tip]) -> tuple[Lesson, ...]:
    """Return the lessons that show the tips of a game, skipping tips for which :func:`tip_lesson` fails."""
    lessons: list[Lesson] = []
    for tip in tips:
        with suppress(ValueError):
            lessons.append(tip_lesson(game_name, tip))
    return tuple(lessons)
