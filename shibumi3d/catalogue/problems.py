"""Problems: positions with a task and exactly one solution, proved by search.

The built-in problems are in ``games/problems``. Each file holds the problems of one game and is named after it. Its
header identifies the rules under which all solutions were proved, and each row is a problem::

    rules: 0f3a52c19e77
    problems:
      - {id: 1, moves: "W@Aa1, B@Ab1", n: 2, line: "W@Ac1, B@Ad1, W@Ba1", rating: 900, work: 12}

``moves`` are the turns that lead to the position, in the notation of records, separated by ", ". If that would make the
row too long, they start from a later ``position`` of the match, in the notation of :mod:`.notation`.

``kind`` is the task of the seat to move. The default, ``win``, is to force a win in ``n`` of its own turns. ``hold`` is
to find the only turn that doesn't lose. ``once`` is to win within this turn, whatever is hidden.

``line`` starts with the solution, the only turn that accomplishes the task. For ``win``, it continues with the reply
that resists longest, and so on to the end. ``also`` lists turns that are equivalent to the solution, because of the
symmetry of the board or because the difference doesn't matter. ``wrong`` maps turns that fail to the replies that are
proved to refute them: ``{W@Ad1: B@Ac1}``.

``surprise`` is the number of simulations that most searches need to find the solution. ``themes`` are from
:data:`THEMES`. ``rating`` is the initial estimate of the difficulty, and ``work`` the number of turns examined.
``slip: true`` means that the last of ``moves`` was the mistake that made the problem possible. ``seed``, ``seats`` and
``variant`` are given only if they differ from 0, the minimum and the standard variant.

In a file with problems of several games, such as a user's own, each row also has its ``game`` and ``rules``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from typing import TYPE_CHECKING, Literal, cast, get_args

from shibumi3d import paths
from shibumi3d.catalogue import yaml_parser
from shibumi3d.catalogue.catalogue import SUFFIX, load_catalogue
from shibumi3d.catalogue.fields import FieldReader, check_keys
from shibumi3d.catalogue.notation import (
    format_position,
    format_turn,
    format_turns,
    parse_position,
    parse_turn,
    parse_turns,
)
from shibumi3d.i18n import N_, Message
from shibumi3d.rules.errors import GameFileError, ProblemList
from shibumi3d.rules.game import Position, initial_state
from shibumi3d.rules.source import Item, to_plain_data
from shibumi3d.rules.source import Problem as Mistake

if TYPE_CHECKING:
    from shibumi3d.catalogue.schema import Entry
    from shibumi3d.rules.game import Game, State

Kind = Literal["win", "hold", "once"]
Turn = tuple[str, ...]
"""The texts of the moves in a turn."""
FOLDER = "problems"
KINDS: tuple[Kind, ...] = get_args(Kind)
THEMES = (
    "at-once", "quiet", "double", "block", "capture", "sacrifice", "fall", "climb", "zugzwang", "last", "draw",
)  # fmt: skip
"""Possible themes of a problem, each with a test in :mod:`shibumi3d.search.problems.themes`."""
HEADER_KEYS = ("rules", "problems")
ROW_KEYS = (
    "id", "game", "rules", "position", "moves", "seed", "seats", "variant", "kind", "n", "line", "also", "wrong",
    "surprise", "themes", "rating", "work", "slip",
)  # fmt: skip
LIMITS = yaml_parser.Limits(size=1024 * 1024, depth=6, items=100_000)
_ID = re.compile(r" *- \{id: (\d+),")  # the start of a row; see ProvedProblem.to_row
_DIGITS = re.compile(r"\d*")
"""Pattern for leading digits."""
_PLAIN_SCALAR = re.compile(r"[A-Za-z^][A-Za-z0-9@^>+.]*(?: [A-Za-z0-9@^>+.]+)*[0-9]")
"""Pattern for a text that needs no quotes in YAML.

The text ends with a digit, as moves that name a point do, but is not a number.
"""
_TEXT_KEYS = ("because", "even", "words")
"""Keys of the rules that don't affect play, because they contain only texts."""


@dataclass(frozen=True, slots=True)
class ProvedProblem:
    """A problem; the module docstring explains its fields.

    ``id`` is the number of the problem within its game and is never reused. If ``seats`` is 0, the problem has as few
    seats as its game allows.
    """

    game: str
    id: int
    kind: Kind
    moves: tuple[Turn, ...]
    n: int
    line: tuple[Turn, ...]
    also: tuple[Turn, ...] = ()
    """Turns that are equivalent to the solution."""
    wrong: tuple[tuple[Turn, Turn], ...] = ()
    """Turns that fail, each with a reply that refutes it."""
    surprise: int = 0
    themes: tuple[str, ...] = ()
    rating: int = 0
    work: int = 0
    slip: bool = False
    seed: int = 0
    seats: int = 0
    variant: str = ""
    rules: str = ""
    position: Position | None = None
    """The position from which ``moves`` start, or None for the start of the game."""

    @property
    def solution(self) -> Turn:
        """The solution: the only turn that accomplishes the task, apart from the equivalent turns in ``also``."""
        return self.line[0]

    def refutation_of(self, turn: Turn) -> Turn:
        """Return the reply that refutes a wrong turn, or an empty turn if none is stored."""
        return dict(self.wrong).get(turn, ())

    def start_state(self, game: Game) -> State:
        """Return the state from which the problem is to be solved.

        Raises IllegalMove if a move that leads to this state is not legal in ``game``, and ValueError if the position
        is not valid.
        """
        state = initial_state(game, self.seats or None, self.seed, self.position)
        for turn in self.moves:
            for move in turn:
                state, _ = game.apply(state, move)
        return state

    def to_row(self, include_game: bool = False) -> str:
        """Format the problem as a row of a problem file.

        If ``include_game`` is set, the game's id and the hash of its rules are added, as in a file with problems of
        several games.
        """
        parts = [f"id: {self.id}"]
        if include_game:
            parts += [f"game: {self.game}", f"rules: {json.dumps(self.rules)}"]
        parts += [f"position: {quote_scalar(format_position(self.position))}"] if self.position else []
        parts += (
            [f"moves: {quote_scalar(format_turns(self.moves))}"] if self.moves or not self.position else []
        )
        parts += [f"{name}: {value}" for name in ("seed", "seats") if (value := getattr(self, name))]
        parts += [f"variant: {quote_scalar(self.variant)}"] if self.variant else []
        parts += [f"kind: {self.kind}"] if self.kind != KINDS[0] else []
        parts += [f"n: {self.n}", f"line: {quote_scalar(format_turns(self.line))}"]
        parts += [f"also: {quote_scalar(format_turns(self.also))}"] if self.also else []
        if self.wrong:
            pairs = (
                f"{quote_scalar(format_turn(turn))}: {quote_scalar(format_turn(to))}"
                for turn, to in self.wrong
            )
            parts.append(f"wrong: {{{', '.join(pairs)}}}")
        parts += [f"surprise: {self.surprise}"] if self.surprise else []
        parts += [f"themes: [{', '.join(self.themes)}]"] if self.themes else []
        parts += [f"rating: {self.rating}", f"work: {self.work}"]
        parts += ["slip: true"] if self.slip else []
        return f"{{{', '.join(parts)}}}"


@dataclass(frozen=True, slots=True)
class ProblemSet:
    """The problems in a file.

    If the rules have changed since the problems were proved, ``problems`` is empty and ``unavailable_reason`` explains
    why. Otherwise, ``unavailable_reason`` is None.
    """

    problems: tuple[ProvedProblem, ...]
    unavailable_reason: Message | None = None


def load_problems(game_name: str) -> tuple[ProvedProblem, ...]:
    """Return the problems of a built-in game.

    The result is empty if the game has no problem set or if its set is out of date. Raises :class:`GameFileError` with
    all errors if the set has any.
    """
    return load_problem_set(game_name).problems


@cache
def load_problem_set(game_name: str) -> ProblemSet:
    """Return the problem set of a built-in game.

    The file is read only once. The set is empty if the game has no problems, or if its rules have changed since the
    problems were proved. Raises :class:`GameFileError` if the file has errors.
    """
    entry = load_catalogue().find(game_name)
    file = paths.catalogue_folder() / FOLDER / f"{game_name}{SUFFIX}"
    if entry is None or not file.is_file():
        return ProblemSet(())
    problem_file = parse_problem_file(file.read_bytes(), f"games/{FOLDER}/{game_name}{SUFFIX}", game_name)
    if any(problem.rules != rules_hash(entry) for problem in problem_file):
        return ProblemSet(
            (),
            Message(
                "the rules of {game} have changed since its problems were verified, so the problems can't be "
                "used",
                game=entry.title,
            ),
        )
    return ProblemSet(problem_file)


@cache
def games_with_problems() -> tuple[str, ...]:
    """Return the sorted names of the built-in games that have a problem set, without reading the sets."""
    return games_with_file(FOLDER)


def games_with_file(subfolder: str) -> tuple[str, ...]:
    """Return the sorted names of the games that have a file in a subfolder of the catalogue."""
    folder = paths.catalogue_folder() / subfolder
    if not folder.is_dir():
        return ()
    names = (file.name for file in folder.iterdir())
    return tuple(sorted(name.removesuffix(SUFFIX) for name in names if name.endswith(SUFFIX)))


@cache
def load_ratings(game_name: str) -> tuple[tuple[int, int], ...]:
    """Return the id and rating of each problem in a game's set, without parsing the rest of the rows.

    The result is empty if the game has no set. A set that is out of date is read too, because the rules aren't checked.
    """
    if game_name not in games_with_problems():
        return ()
    text = (paths.catalogue_folder() / FOLDER / f"{game_name}{SUFFIX}").read_text(encoding="utf-8")
    rows = ((_ID.match(line), line.rpartition(" rating: ")[2]) for line in text.splitlines())
    return tuple((int(row[1]), int(_DIGITS.match(rest)[0] or 0)) for row, rest in rows if row is not None)  # type: ignore[index]  # it matches anything


def count_problems(game_name: str) -> int:
    """Return the number of problems in a game's set, or 0 if the game has no set.

    Only the id and rating in each row are parsed. A set that is out of date is counted too.
    """
    return len(load_ratings(game_name))


def rules_hash(entry: Entry) -> str:
    """Return a hash of a game's rules, ignoring the texts in them.

    It has 12 hexadecimal digits.
    """
    rules = json.dumps(_without_texts(to_plain_data(entry.rules_item)), sort_keys=True, default=str)
    return sha256(rules.encode("utf-8", "replace")).hexdigest()[:12]


def _without_texts(value: object) -> object:
    if isinstance(value, dict):
        return {key: _without_texts(entry) for key, entry in value.items() if key not in _TEXT_KEYS}
    return [_without_texts(entry) for entry in value] if isinstance(value, list) else value


def format_problem_file(rules_hash: str, problems: Iterable[ProvedProblem]) -> str:
    """Return the content of a problem file for one game."""
    rows = "".join(f"  - {problem.to_row()}\n" for problem in problems)
    return f"rules: {json.dumps(rules_hash)}\nproblems:\n{rows}"


def parse_problem_file(data: bytes, file: str, game: str = "") -> tuple[ProvedProblem, ...]:
    """Return the problems in a file.

    ``file`` is the name used in messages. ``game`` is the game of all problems that don't name one; if it is "", each
    problem must give the id of its game and the hash of the rules. Raises :class:`GameFileError`, with all errors, if
    the file has any.
    """
    mistakes = ProblemList()
    item = yaml_parser.parse_yaml(data, file, mistakes, LIMITS)
    found: list[ProvedProblem] = []
    if item is not None and not isinstance(item.value, dict):
        mistakes.append(
            Mistake(item.location, N_("a file of problems consists of the keys 'rules' and 'problems'"))
        )
    elif item is not None and isinstance(item.value, dict):
        check_keys(item, HEADER_KEYS, Message("key"), mistakes)
        rules = FieldReader(item, mistakes).text("rules")
        rows = item.value.get("problems")
        if not isinstance(rows, Item) or not isinstance(rows.value, list):
            mistakes.append(Mistake(item.location, N_("problems: expected a list of problems")))
        else:
            found = [
                entry
                for row in rows.value
                if (entry := _read_problem(row, game, rules, mistakes)) is not None
            ]
    ids: set[tuple[str, int]] = set()
    for problem in found:
        if (problem.game, problem.id) in ids and item is not None:
            mistakes.append(
                Mistake(item.location, N_("two problems have the number {number}"), number=problem.id)
            )
        ids.add((problem.game, problem.id))
    if mistakes:
        raise GameFileError(mistakes)
    return tuple(found)


def _read_problem(item: Item, game: str, rules_hash: str, mistakes: list[Mistake]) -> ProvedProblem | None:
    """Return the problem in the row ``item``, or None if the row is invalid.

    Errors are appended to ``mistakes``. ``game`` and ``rules_hash`` are used if the row doesn't give its own.
    """
    if not isinstance(item.value, dict):
        mistakes.append(
            Mistake(
                item.location,
                N_("expected a problem, as in {{id: 1, moves: ..., kind: win, n: 1, line: ...}}"),
            )
        )
        return None
    before = len(mistakes)
    check_keys(item, ROW_KEYS, Message("key"), mistakes)
    for key in ("id", "n", "line", *(() if game else ("game", "rules"))):
        if key not in item.value:
            mistakes.append(Mistake(item.location, N_("a problem needs the key '{key}'"), key=key))
    read = FieldReader(item, mistakes)
    kind = read.choice("kind", KINDS) if "kind" in item.value else KINDS[0]
    line = read_turns(item, "line", mistakes)
    proved_problem = ProvedProblem(
        game=read.text("game") or game,
        id=read.integer("id", 1, 10**9),
        kind=cast("Kind", kind),
        position=read_position(item, mistakes),
        moves=read_turns(item, "moves", mistakes),
        n=read.integer("n", 1, 100),
        line=line,
        also=read_turns(item, "also", mistakes),
        wrong=_read_refutations(item, mistakes),
        surprise=read.integer("surprise", 0, 10**9),
        themes=_read_themes(item, mistakes),
        rating=read.integer("rating", 0, 10_000),
        work=read.integer("work", 0, 10**12),
        slip=_read_flag(item, "slip", mistakes),
        seed=read.integer("seed", 0, 10**9),
        seats=read.integer("seats", 1, 10),
        variant=read.text("variant"),
        rules=read.text("rules") or rules_hash,
    )
    if not line and "line" in item.value and len(mistakes) == before:
        mistakes.append(
            Mistake(item.value["line"].location, N_("a problem needs the key '{key}'"), key="line")
        )
    return proved_problem if len(mistakes) == before else None


def read_turns(item: Item, key: str, mistakes: list[Mistake]) -> tuple[Turn, ...]:
    """Return the turns under ``key`` in the row ``item``, or () if there are none or they are invalid.

    Invalid notation is reported in ``mistakes``.
    """
    assert isinstance(item.value, dict)
    given = item.value.get(key)
    if given is None or given.value == "":
        return ()
    try:
        return parse_turns(given.scalar_text or "")
    except ValueError:
        mistakes.append(
            Mistake(
                given.location, N_("{key}: expected turns in the game's notation, separated by ', '"), key=key
            )
        )
        return ()


def read_position(item: Item, mistakes: list[Mistake]) -> Position | None:
    """Return the ``position`` given in ``item``, the row of a problem or deal.

    Returns None if it is missing or invalid. An invalid position is reported in ``mistakes``.
    """
    assert isinstance(item.value, dict)
    given = item.value.get("position")
    if given is None:
        return None
    try:
        return parse_position(given.scalar_text or "")
    except ValueError:
        mistakes.append(
            Mistake(
                given.location,
                N_("position: expected boards, the seat to move and the phase, as in 'W.,../. 2 1'"),
            )
        )
        return None


def _read_refutations(item: Item, mistakes: list[Mistake]) -> tuple[tuple[Turn, Turn], ...]:
    assert isinstance(item.value, dict)
    given = item.value.get("wrong")
    if given is None:
        return ()
    found: list[tuple[Turn, Turn]] = []
    try:
        if not isinstance(given.value, dict):
            raise ValueError
        for turn, answer in given.value.items():
            found.append((parse_turn(turn), parse_turn(answer.scalar_text or "")))
    except ValueError:
        mistakes.append(
            Mistake(
                given.location, N_("wrong: expected turns with the reply to each, as in {{W@Aa1: B@Ab1}}")
            )
        )
    return tuple(found)


def _read_themes(item: Item, mistakes: list[Mistake]) -> tuple[str, ...]:
    assert isinstance(item.value, dict)
    themes = FieldReader(item, mistakes).texts("themes") if item.value.get("themes") else ()
    for theme in themes:
        if theme not in THEMES:
            mark = item.value["themes"].location
            mistakes.append(
                Mistake(
                    mark,
                    N_("unknown theme '{theme}'; the themes are {themes}"),
                    theme=theme,
                    themes=", ".join(THEMES),
                )
            )
    return themes


def _read_flag(item: Item, key: str, mistakes: list[Mistake]) -> bool:
    assert isinstance(item.value, dict)
    given = item.value.get(key)
    if given is not None and not isinstance(given.value, bool):
        mistakes.append(Mistake(given.location, N_("{key}: expected true or false"), key=key))
    return given is not None and given.value is True


def quote_scalar(text: str) -> str:
    """Format a text for YAML, in double quotes unless it clearly needs none."""
    return text if _PLAIN_SCALAR.fullmatch(text) else json.dumps(text, ensure_ascii=False)
