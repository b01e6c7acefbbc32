"""The first games for a newcomer, and lessons on ideas that recur in many games, each list in its own file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

import shibumi3d.paths as paths
from shibumi3d.catalogue import yaml_parser
from shibumi3d.catalogue.catalogue import SUFFIX
from shibumi3d.catalogue.fields import FieldReader, check_keys
from shibumi3d.i18n import Message
from shibumi3d.rules.errors import GameFileError, ProblemList

FOLDER = "courses"
FIRST_GAMES_FILE, IDEAS_FILE = "first-games", "ideas"
STEP_KEYS = ("game", "problem", "say")


@dataclass(frozen=True, slots=True)
class FirstGame:
    """A step on the path of first games.

    ``game`` is the id of a game. ``adds`` maps language codes to descriptions of what this game adds to the games
    before it.
    """

    game: str
    adds: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class IdeaStep:
    """A position in a lesson on an idea.

    ``problem`` is the number of a problem within ``game``. ``text`` is the task, by language.
    """

    game: str
    problem: int
    text: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Idea:
    """A notion that recurs in several games, with positions that show it.

    ``title`` and ``text`` are given by language.
    """

    id: str
    title: Mapping[str, str]
    text: Mapping[str, str]
    steps: tuple[IdeaStep, ...]


@cache
def load_first_games() -> tuple[FirstGame, ...]:
    """Return the first games for a newcomer, in order.

    The file that lists them is read only once. Raises :class:`GameFileError` if it has errors.
    """
    problems = ProblemList()
    found = tuple(
        FirstGame(read.text("game"), read.by_language("adds"))
        for read in _read_rows(FIRST_GAMES_FILE, "games", ("game", "adds"), problems)
    )
    if problems:
        raise GameFileError(problems)
    return found


@cache
def load_ideas() -> tuple[Idea, ...]:
    """Return the lessons on ideas, in the order in which their file lists them.

    Raises :class:`GameFileError` if the file has errors.
    """
    problems = ProblemList()
    found = tuple(
        Idea(
            read.text("id"),
            read.by_language("title"),
            read.by_language("text"),
            tuple(
                IdeaStep(step.text("game"), step.integer("problem", 1, 10**9), step.by_language("say"))
                for step in read.rows("steps", STEP_KEYS)
            ),
        )
        for read in _read_rows(IDEAS_FILE, "ideas", ("id", "title", "text", "steps"), problems)
    )
    if problems:
        raise GameFileError(problems)
    return found


def _read_rows(name: str, key: str, known: tuple[str, ...], problems: ProblemList) -> list[FieldReader]:
    """Return the rows of the course file ``name``.

    The rows are listed under ``key``, the only key that the file may have. ``known`` are the keys that a row may have.
    Syntax errors, unknown keys and invalid rows are reported in ``problems``. Returns an empty list if the file doesn't
    exist, can't be parsed or doesn't hold a mapping.
    """
    file = paths.catalogue_folder() / FOLDER / f"{name}{SUFFIX}"
    if not file.is_file():
        return []
    item = yaml_parser.parse_yaml(file.read_bytes(), f"games/{FOLDER}/{file.name}", problems)
    if item is None or not isinstance(item.value, dict):
        return []
    check_keys(item, (key,), Message("key"), problems)
    return FieldReader(item, problems).rows(key, known)
