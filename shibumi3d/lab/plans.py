"""Plans: YAML files that specify which games to play, with which settings, and how many matches.

    tasks:
      - what: selfplay
        games: [spline, spargo]
        seats: [stone, pebble]
        matches: 1000
      - {what: report, games: all, matches: 40, seeds: [1, 2]}

A task is repeated for every combination of its ``games``, ``sizes``, ``variants``, numbers of ``players`` and
``seeds``. Keys other than ``what`` and ``games`` can be omitted. ``all`` stands for all games in the catalogue. The
path of a game file is relative to the folder of the plan.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, product
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from shibumi3d.catalogue import yaml_parser
from shibumi3d.catalogue.catalogue import PATH_SEPARATORS, SUFFIXES, Catalogue
from shibumi3d.catalogue.fields import PLAYER_RANGE
from shibumi3d.i18n import LocalizedError, Message
from shibumi3d.lab.jobs import GameText, Job, Judging, Matches, Row, job_key, level_matches
from shibumi3d.lab.runner import program_version
from shibumi3d.rules.errors import GameFileError, ProblemList
from shibumi3d.rules.source import Item, Problem, SourceLocation
from shibumi3d.rules.table_reader import TableReader
from shibumi3d.search.players import player

if TYPE_CHECKING:
    from shibumi3d.catalogue.schema import Entry
    from shibumi3d.lab.row_store import RowStore

MAX_MATCHES = 1_000_000
"""Maximum number of matches in one task. For more, use several seeds."""
SetupCache: TypeAlias = dict[tuple[str, str, str], GameText]
"""Games with their settings, by ID, path and the settings as text."""
MAX_LIST_LENGTH = 1000
"""Maximum number of games, sizes, variants, numbers of players or seeds in a list."""
MAX_TASKS = 10_000
"""Maximum number of tasks in a plan, where each combination of game, settings and seed counts separately."""
MAX_JOBS = 500_000
"""Maximum number of jobs in a plan."""
COMBINED_KEYS = ("games", "sizes", "variants", "players", "options", "seeds")
"""Keys that the types of task share. Except for ``options``, their values are lists, all combined with each other."""
ALL_GAMES = "all"
_MAX_SEED = 10**18 - 1


@dataclass(frozen=True, slots=True)
class Task:
    """A task of a plan: the jobs for one game, with given settings and one seed.

    ``what`` is the type of the task, a key of :data:`TASK_TYPES`.
    """

    what: str
    table: GameText
    seed: int
    jobs: tuple[Job, ...]


@dataclass(frozen=True, slots=True)
class TaskProgress:
    """Progress of a task.

    ``done_count`` is the number of jobs done. ``outdated_count`` is the number of jobs that must be repeated because
    another version of the program did them. ``seconds`` is the CPU time used by the jobs done. ``missing`` describes
    the jobs still to do; successive jobs that differ only in their adjacent ranges share a description. A description
    contains the kind of the job and, if the job has them, its ``ways``, ``first``, ``count`` and players.
    """

    task: Task
    done_count: int
    outdated_count: int
    seconds: float
    missing: tuple[Mapping[str, object], ...]


def read_plan(data: bytes, path: Path, catalogue: Catalogue) -> tuple[Task, ...]:
    """Return the tasks of a plan in order; ``data`` is the content of the file at ``path``.

    If there are errors, raises :class:`GameFileError` with all of them. The rest of the plan isn't checked once there
    are more than :data:`.MAX_REPORTED_PROBLEMS` errors or the plan is too large.
    """
    problems = ProblemList()
    item = yaml_parser.parse_yaml(data, str(path), problems)
    items: list[Task] = []
    known: SetupCache = {}
    jobs = 0
    if item is not None:
        plan = TableReader(item, "plan", ("tasks",), problems)
        if isinstance(item.value, dict) and "tasks" not in item.value:
            plan.report_error("tasks", "a list of mappings")
        for row in plan.row_readers("tasks", TASK_KEYS):
            for task in _read_tasks(row, path.parent, catalogue, problems, known):
                items.append(task)
                jobs += len(task.jobs)
                if len(items) > MAX_TASKS or jobs > MAX_JOBS:
                    large = Problem(
                        row.location or item.location,
                        "the plan is too large: at most {tasks:,} tasks and {jobs:,} jobs are allowed",
                        tasks=MAX_TASKS,
                        jobs=MAX_JOBS,
                    )
                    raise GameFileError([*problems, large])
    if problems:
        raise GameFileError(problems)
    return tuple(items)


def unique_jobs(tasks: Iterable[Task]) -> list[Job]:
    """Return the jobs of several tasks without duplicates."""
    return list(dict.fromkeys(job for task in tasks for job in task.jobs))


def task_progress(tasks: Iterable[Task], store: RowStore | None) -> list[TaskProgress]:
    """Return the progress of each task, according to ``store``; if it is None, no job counts as done."""
    held = store.stored_jobs() if store is not None else {}
    result = []
    for task in tasks:
        stored = [(job, held.get(job_key(job), ("", 0.0))) for job in task.jobs]
        own_seconds = [seconds for _, (version, seconds) in stored if version == program_version()]
        others = sum(version not in ("", program_version()) for _, (version, _) in stored)
        missing = _describe_jobs(job for job, (version, _) in stored if version != program_version())
        result.append(TaskProgress(task, len(own_seconds), others, sum(own_seconds), missing))
    return result


def _describe_jobs(jobs: Iterable[Job]) -> tuple[dict[str, object], ...]:
    """Return descriptions of jobs.

    Successive jobs are merged if their ranges are adjacent and their descriptions are otherwise the same.
    """
    items: list[dict[str, object]] = []
    for job in jobs:
        row: Row = {"kind": job.kind}
        row |= {name: getattr(job, name) for name in ("ways", "first", "count") if hasattr(job, name)}
        if isinstance(job, Matches) and job.players:
            row["players"] = list(job.players)
        last = items[-1] if items else {}
        before = {"first": row.get("first", 0) - last.get("count", 0), "count": last.get("count")}
        goes_on = "first" in row and last == row | before
        if goes_on:
            last["count"] += row["count"]
        else:
            items.append(row)
    return tuple(items)


JobFactory: TypeAlias = Callable[[GameText, int], Iterator[Job]]
"""Function that yields the jobs of a task for a game and a seed."""


def _read_selfplay(table: TableReader) -> JobFactory:
    players = tuple(item.scalar_text or "" for item in _read_list(table, "seats"))
    opening, tries = (
        table.read_int("opening", 0, 1000, 2),
        table.read_int("iterations", 1, MAX_MATCHES, 0) or None,
    )
    count = table.read_int("matches", 1, MAX_MATCHES, 100)

    def make(text: GameText, seed: int) -> Iterator[Job]:
        names = tuple(player(name, place).name for place, name in enumerate(players))
        return Matches(text, names, seed, opening, tries, count=count).split()

    return make


def _read_judge(table: TableReader) -> JobFactory:
    count = table.read_int("matches", 1, MAX_MATCHES, 500)
    return lambda text, seed: Judging(text, seed, count=count).split()


def _read_strengths(table: TableReader) -> JobFactory:
    count = table.read_int("matches", 1, MAX_MATCHES, 40)
    return lambda text, seed: (job for pair in level_matches(text, seed, count) for job in pair.split())


def _read_report(table: TableReader) -> JobFactory:
    from shibumi3d.lab.report import report_jobs

    count, opening = table.read_int("matches", 1, MAX_MATCHES, 100), table.read_flag("openings", True)
    return lambda text, seed: iter(report_jobs(text, seed, count, opening))


def _read_problems(table: TableReader) -> JobFactory:
    from shibumi3d.lab.mining import MiningJob

    count = table.read_int("matches", 1, MAX_MATCHES, 100)
    return lambda text, seed: MiningJob(text, seed, count).split()


TASK_TYPES: Mapping[str, tuple[tuple[str, ...], Callable[[TableReader], JobFactory]]] = {
    "selfplay": (("seats", "opening", "iterations", "matches"), _read_selfplay),
    "judge": (("matches",), _read_judge),
    "strengths": (("matches",), _read_strengths),
    "report": (("matches", "openings"), _read_report),
    "problems": (("matches",), _read_problems),
}
"""Types of task by command name, each with its specific keys and the function that reads them."""
TWO_PLAYER_TASKS = ("strengths",)
"""Types of task whose matches always have two players, even if the game allows other numbers."""
TASK_KEYS = ("what", *COMBINED_KEYS, *sorted({word for own, _ in TASK_TYPES.values() for word in own}))


def _read_tasks(
    table: TableReader, folder: Path, catalogue: Catalogue, problems: list[Problem], known: SetupCache
) -> Iterable[Task]:
    """Return the tasks described by one item of the plan's ``tasks`` list, created on demand.

    ``table`` reads the item. If the item has errors, they are added to ``problems``, and no tasks are returned.
    ``known`` is a cache of the games that have been set up, to which new ones are added.
    """
    before = len(problems)
    if "what" not in table.items and table.items:
        table.report_error("what", "text")
    what = table.read_word("what", tuple(TASK_TYPES))
    if not what:
        return []
    own, read = TASK_TYPES[what]
    for word, item in table.items.items():
        foreign = word in TASK_KEYS and word not in ("what", *COMBINED_KEYS, *own)
        if foreign or (word == "players" and what in TWO_PLAYER_TASKS):
            problems.append(
                Problem(item.location, "{key}: a '{what}' task has no such key", key=word, what=what)
            )
    seats = _read_seat_count(table, problems) if "seats" in own else 2 if what in TWO_PLAYER_TASKS else None
    seeds = [int(str(item.value)) for item in _read_integers(table, "seeds", -_MAX_SEED, _MAX_SEED)] or [0]
    make = read(table)
    texts = [
        text
        for entry, item in _read_entries(table, folder, catalogue, problems)
        for text in _read_setups(table, entry, item, seats, problems, known)
    ]
    if len(problems) > before:
        return []
    return (
        Task(what, text, seed, tuple(islice(make(text, seed), MAX_JOBS + 1)))
        for text, seed in product(texts, seeds)
    )


def _read_list(table: TableReader, name: str) -> list[Item]:
    """Return the items of the list under the key ``name``; a single value counts as a list of one.

    Return [] if the key is missing; report an error and return [] if the list is invalid or too long. Duplicates are
    dropped from the lists under :data:`COMBINED_KEYS`.
    """
    item = table.items.get(name)
    if item is None:
        return []
    result = item.value if isinstance(item.value, list) else [item]
    if not result or any(
        isinstance(entry.value, list | dict) or entry.scalar_text is None for entry in result
    ):
        table.report_error(name, "a list of strings")
        return []
    if name in COMBINED_KEYS:  # without duplicates, so that no task is done twice
        result = list({entry.scalar_text: entry for entry in reversed(result)}.values())[::-1]
        if len(result) > MAX_LIST_LENGTH:
            table.problems.append(
                Problem(
                    item.location,
                    "{key}: the list can have at most {most} entries",
                    key=name,
                    most=MAX_LIST_LENGTH,
                )
            )
            return []
    elif len(result) > PLAYER_RANGE[1]:
        table.problems.append(
            Problem(
                item.location,
                "{key}: the list can have at most {most} entries",
                key=name,
                most=PLAYER_RANGE[1],
            )
        )
        return []
    return result


def _read_integers(table: TableReader, name: str, min_value: int, max_value: int) -> list[Item]:
    """Return the items of a list of integers; a single integer counts as a list of one.

    ``name`` is the key of the list. If the key is missing, return []. If the list is invalid, or if a value isn't an
    integer from ``min_value`` to ``max_value``, report an error and return [].
    """
    items = _read_list(table, name)
    for item in items:
        if (
            not isinstance(item.value, int)
            or isinstance(item.value, bool)
            or not min_value <= item.value <= max_value
        ):
            table.report_error(
                name, "a list of whole numbers from {least} to {most}", least=min_value, most=max_value
            )
            return []
    return items


def _read_seat_count(table: TableReader, problems: list[Problem]) -> int | None:
    """Return the number of players listed under ``seats``, or None if there is no usable list.

    A list with unknown levels is usable, but these levels are reported. If there is a usable list, a ``players`` key is
    reported too, because the list already sets the number of players.
    """
    items = _read_list(table, "seats")
    for place, item in enumerate(items):
        try:
            player(item.scalar_text or "", place)
        except ValueError as error:
            problems.append(Problem(item.location, _error_message(error)))
    if items and "players" in table.items:
        problems.append(
            Problem(
                table.items["players"].location,
                "players: leave this out; the list of 'seats' already sets the number of players",
            )
        )
    return len(items) or None


def _read_entries(
    table: TableReader, folder: Path, catalogue: Catalogue, problems: list[Problem]
) -> Iterator[tuple[Entry, Item]]:
    """Yield the entry of each game that a task lists, with the item of the plan that names the game.

    The name :data:`ALL_GAMES` stands for all games of the catalogue. A missing list, unknown games and errors in game
    files are reported.
    """
    named = _read_list(table, "games")
    if "games" not in table.items:
        table.report_error("games", "a list of strings")
    for item in named:
        name = item.scalar_text or ""
        if name == ALL_GAMES:
            yield from ((entry, item) for entry in catalogue)
            continue
        try:
            path = name.endswith(SUFFIXES) or set(name) & PATH_SEPARATORS
            yield catalogue.get(str(folder / name) if path else name), item
        except GameFileError as error:
            problems += error.problems
        except LocalizedError as error:
            problems.append(Problem(item.location, error.message))


def _read_setups(
    table: TableReader,
    entry: Entry,
    named: Item,
    seats: int | None,
    problems: list[Problem],
    known: SetupCache,
) -> Iterator[GameText]:
    """Yield the game of ``entry`` in every requested combination of size, variant and number of players.

    ``named`` is the item that names the game. ``seats`` is the number of players if the key ``players`` is missing;
    None stands for the game's default. Combinations with which the game can't be set up are reported. If there are too
    many combinations, this is reported and nothing is yielded.
    """
    options = table.items.get("options")
    chosen = {word: str(item.scalar_text) for word, item in table.sub_reader("options", None).items.items()}
    forms: list[Sequence[Item | None]] = [
        _read_integers(table, "sizes", 1, 100) or [None],
        _read_list(table, "variants") or [None],
        _read_integers(table, "players", 1, 100) or [None],
    ]
    if prod(map(len, forms)) > MAX_TASKS:
        problems.append(
            Problem(
                named.location,
                "the plan is too large: at most {tasks:,} tasks and {jobs:,} jobs are allowed",
                tasks=MAX_TASKS,
                jobs=MAX_JOBS,
            )
        )
        return
    for size, variant, players in product(*forms):
        parts: list[tuple[Item | None, dict[str, Any]]] = [
            (named, {}),
            (variant, {"variant": variant and variant.scalar_text}),
            (size, {"size": size and size.value}),
            (options, {"options": chosen}),
            (players or table.items.get("seats"), {"seats": players.value if players else seats}),
        ]
        try:
            form = {name: value for _, part in parts for name, value in part.items()}
            key = (entry.id, entry.path, repr(form))
            if key not in known:
                known[key] = GameText.from_entry(entry, **form)
            yield known[key]
        except GameFileError as error:
            problems += error.problems
        except ValueError as error:
            problems.append(Problem(_failing_setting(entry, parts) or named.location, _error_message(error)))


def _failing_setting(
    entry: Entry, parts: Iterable[tuple[Item | None, dict[str, object]]]
) -> SourceLocation | None:
    """Return the location of the first part whose settings make it impossible to set up the game.

    Each of ``parts`` is a pair: an item of the plan (or None) and the settings that it specifies. The parts are applied
    cumulatively, in order. Return None if the failing part has no item, or if the game can be set up.
    """
    form: dict[str, Any] = {}
    for item, part in parts:
        form |= part
        try:
            GameText.from_entry(entry, **form)
        except ValueError:
            return item.location if item is not None else None
    return None


def _error_message(error: ValueError) -> Message:
    return error.message if isinstance(error, LocalizedError) else Message("{text}", text=str(error))
