"""Mutation testing: ``make mutants``.

It makes one small change to the program at a time and checks whether a test fails. Cosmic Ray finds the places and
makes the changes; the seed decides which are tried. Each mutant is tested in a copy of the checkout until a test fails:
first with the fastest tests that run its line, which tools/reached.py records, then with all test files that contain
such tests, since data cached by one test may hide what another would find. Type annotations are not mutated, as they
are never run. Results are written as lines of JSON. ``--again`` tests the mutants in such a file again, each first with
the test that noticed it before, so that you can compare the tests before and after changing them.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
ENGINE, MATCH, SEARCH = "shibumi3d/rules/marbles/engine", "shibumi3d/match", "shibumi3d/search"
RULES = (
    "verbs",
    "rule_words",
    "turn_flow",
    "position",
    "board_masks",
    "examples",
    "fast_game",
    "colour_relevance",
    "game_facts",
    "language_errors",
)
LOOKAHEAD_TESTS = ("plain_uct", "computer_players", "solver", "search_limits", "problem_generation")
"""Search tests that cover the lookahead code of the engine."""
AREAS = {
    ENGINE: (
        *(f"tests/rules/test_{name}.py" for name in RULES),
        *(f"tests/search/test_{name}.py" for name in LOOKAHEAD_TESTS),
        "tests/games/test_digests.py",
        "tests/games/test_goldens.py",
    ),
    MATCH: ("tests/match", "tests/games/test_game_progress.py"),
    SEARCH: ("tests/search",),
}
"""Folders to mutate, each with the tests that cover it.

Tests that find the most mutants in the least time come first.
"""
MAX_TEST_SECONDS = 120
"""Maximum CPU time, in seconds, of a test run with a mutant, since some mutants loop forever."""
MAX_FAST_SECONDS = 5.0
"""Maximum CPU time, in seconds, of the fast tests that are run first."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """One change to a source file.

    ``operator`` is the name of the Cosmic Ray operator, and ``occurrence`` the index of the changed place among all
    places in the file to which the operator applies. ``line`` is the source line before the change, stripped.
    """

    path: str
    operator: str
    occurrence: int
    line: str
    number: int
    """Index among the changes that the operator can make to identical lines of the file."""
    after: str = ""
    """The lines after the change that were not in the file before."""


@dataclass(frozen=True, slots=True)
class MutantResult:
    """Result of testing a mutant.

    ``end`` is ``killed`` if a test failed or couldn't be loaded, ``time`` if a signal ended the tests (normally because
    they ran out of CPU time), ``alive`` if no test failed, or ``gone`` if the mutated line no longer exists. ``by`` is
    the name of the test that failed, or empty. ``seconds`` is the CPU time used.
    """

    mutant: Mutant
    end: str
    by: str = ""
    seconds: float = 0.0


@cache
def _operators() -> dict[str, Any]:
    try:
        from cosmic_ray.plugins import get_operator, operator_names
    except ImportError:
        sys.exit("Cosmic Ray is not installed: run 'make mutants'")
    # Operators with arguments would have to be configured.
    return {name: get_operator(name)() for name in operator_names() if not get_operator(name).arguments()}


def mutants_of(path: str) -> Iterator[list[Mutant]]:
    """Yield the possible mutants of a file, in one list for each place and kind of operator."""
    from cosmic_ray.ast import ast_nodes, get_ast

    source = (ROOT / path).read_text(encoding="utf-8")
    lines, tree = source.splitlines(), get_ast(source)
    places: dict[tuple[object, ...], list[Mutant]] = {}
    counts: dict[tuple[str, str], int] = {}
    for name, operator in _operators().items():
        spots = [spot for node in ast_nodes(tree) for spot in operator.mutation_positions(node)]
        for occurrence, (begin, end) in enumerate(spots):
            line = lines[begin[0] - 1].strip()
            occurrence_number = counts[name, line] = counts.get((name, line), -1) + 1
            place = (begin, end, name.partition("_")[0])
            places.setdefault(place, []).append(Mutant(path, name, occurrence, line, occurrence_number))
    yield from (places[place] for place in sorted(places, key=repr))


def mutate(mutant: Mutant) -> str | None:
    """Return the source of the file with the mutation, or None if the executed code would stay the same."""
    from cosmic_ray.mutating import mutate_code

    source = (ROOT / mutant.path).read_text(encoding="utf-8")
    changed = mutate_code(source, _operators()[mutant.operator], mutant.occurrence)
    if changed is None or _dump_executed_code(changed) == _dump_executed_code(source):
        return None
    return str(changed)


def _dump_executed_code(source: str) -> str:
    """Return the syntax tree of ``source`` as text, without parts that have no effect at run time.

    Annotations, ``final`` decorators of classes and code for type checking only are left out. If ``source`` isn't valid
    Python, it is returned unchanged.
    """
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return source
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            node.returns = None
        if isinstance(node, ast.arg):
            node.annotation = None
        if isinstance(node, ast.AnnAssign):
            node.annotation = ast.Constant(None)
        if isinstance(node, ast.ClassDef):
            node.decorator_list = [
                decorator for decorator in node.decorator_list if ast.unparse(decorator) != "final"
            ]
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            node.body = [ast.Pass()]
    return ast.dump(tree)


def sample(count: int, seed: int) -> list[Mutant]:
    """Return ``count`` random mutants, or fewer if too few are found.

    The lists of :func:`mutants_of` are taken in random order, and one mutant is drawn from each. A mutant that doesn't
    change the executed code is skipped. With the same seed, a smaller sample is the beginning of a larger one.
    """
    files = sorted(
        path.relative_to(ROOT).as_posix() for area in AREAS for path in (ROOT / area).rglob("*.py")
    )
    groups = [group for path in files for group in mutants_of(path)]
    random, mutants = Random(seed), list[Mutant]()
    random.shuffle(groups)
    for group in groups:
        if len(mutants) == count:
            break
        mutant = random.choice(group)
        changed = mutate(mutant)
        if changed is not None:
            mutants.append(_record_new_lines(mutant, changed))
    return mutants


def _record_new_lines(mutant: Mutant, changed: str) -> Mutant:
    before = (ROOT / mutant.path).read_text(encoding="utf-8").splitlines()
    after = [line.strip() for line in changed.splitlines() if line not in before]
    return Mutant(
        mutant.path, mutant.operator, mutant.occurrence, mutant.line, mutant.number, "\n".join(after)
    )


def find_same(mutant: Mutant) -> Mutant | None:
    """Return the mutant of the current file that corresponds to ``mutant``, or None if there is none.

    ``mutant`` may come from an earlier version of the file. The mutant returned has the same operator, line and number,
    but its occurrence may differ. Its ``after`` is copied from ``mutant``. None is also returned if the file no longer
    exists.
    """
    if not (ROOT / mutant.path).exists():
        return None
    for group in mutants_of(mutant.path):
        for candidate in group:
            if (candidate.operator, candidate.line, candidate.number) == (
                mutant.operator,
                mutant.line,
                mutant.number,
            ):
                return Mutant(
                    candidate.path,
                    candidate.operator,
                    candidate.occurrence,
                    candidate.line,
                    candidate.number,
                    mutant.after,
                )
    return None


def area_of(path: str) -> str:
    """Return the folder in :data:`AREAS` that contains a file."""
    return next(area for area in AREAS if path.startswith(area))


def nearest_first(path: str) -> list[str]:
    """Return the test files for a source file or folder, beginning with those that import it.

    All test files that cover the area of ``path`` are returned. Those that import the file or folder come first, and
    then the others; both groups are in the order of :data:`AREAS`. ``path`` and the paths returned are relative to the
    root of the checkout.
    """
    files = [
        file
        for name in AREAS[area_of(path)]
        for file in (sorted((ROOT / name).rglob("test_*.py")) or [ROOT / name])
    ]
    module = path.removesuffix(".py").replace("/", ".")
    package, _, name = module.rpartition(".")
    imports = re.compile(
        rf"^from {re.escape(module)} import|^from {re.escape(package)} import .*\b{name}\b", re.MULTILINE
    )
    files.sort(key=lambda file: not imports.search(file.read_text(encoding="utf-8")))
    return [file.relative_to(ROOT).as_posix() for file in files]


@dataclass(frozen=True, slots=True)
class Coverage:
    """Record of which tests of an area run which lines of its source files, and how long they take.

    ``lines`` maps a source file and a line number to the tests that run the line. An empty test name stands for code
    that runs outside tests, for example while tests are collected. ``seconds`` is the CPU time of each test.
    ``outside`` holds the tests that start processes.
    """

    lines: dict[str, dict[int, set[str]]]
    seconds: dict[str, float]
    outside: set[str]

    def fast_tests(self, path: str, rows: Iterable[int]) -> list[str]:
        """Return the fastest tests that run any of the lines ``rows`` of the file ``path``.

        Together, they take at most :data:`MAX_FAST_SECONDS` seconds.
        """
        chosen_tests, spent = list[str](), 0.0
        for test in sorted(self._tests(path, rows) - {""}, key=self.seconds.__getitem__):
            spent += self.seconds[test]
            if spent > MAX_FAST_SECONDS:
                break
            chosen_tests.append(test)
        return chosen_tests

    def files(self, path: str, rows: Iterable[int]) -> list[str]:
        """Return the test files that may run one of the lines ``rows`` of the file ``path``.

        A test file is included if one of its tests runs one of these lines or starts processes, which may run any line.
        If one of the lines is run while tests are collected, all test files of the area are included. The files are in
        the order of :func:`nearest_first`.
        """
        tests = self._tests(path, rows)
        some = {test.partition("::")[0] for test in tests | self.outside}
        return [file for file in nearest_first(path) if file in some or "" in tests]

    def _tests(self, path: str, rows: Iterable[int]) -> set[str]:
        lines = self.lines.get(path, {})
        return set().union(*(lines.get(row, ()) for row in rows))


def covering_lines(source: str, changed: str) -> set[int]:
    """Return the lines whose coverage shows which tests exercise a change to a source file.

    ``source`` and ``changed`` are the texts of the file before and after the change. Lines are numbered from 1, as in
    ``source``. The result contains the lines of the changed statement, or only those of its head if it is a compound
    statement such as ``if`` or ``class``. If the head of a function, including its decorators, has changed, the result
    contains the lines of the function's body instead.
    """
    before, after = source.splitlines(), changed.splitlines()
    first = next((n for n, (a, b) in enumerate(zip(before, after, strict=False)) if a != b), 0)
    back = (n for n, (a, b) in enumerate(zip(reversed(before), reversed(after), strict=False)) if a != b)
    last = max(first, len(before) - 1 - next(back, 0))
    rows = set(range(first + 1, last + 2))
    # The walk is breadth-first, so the innermost statement comes last.
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.stmt):
            continue
        begin = min(
            (decorator.lineno for decorator in getattr(node, "decorator_list", ())), default=node.lineno
        )
        end = node.end_lineno or begin
        body = getattr(node, "body", None)
        head = body[0].lineno - 1 if body else end
        if begin <= first + 1 <= max(begin, head):
            rows = set(range(begin, max(begin, head) + 1))
            # A change to decorators or parameters takes effect when the function is called.
            if isinstance(node, ast.FunctionDef):
                rows = set(range(head + 1, end + 1))
    return rows


class CheckoutCopy:
    """Copy of the checkout, for mutating source files and running the tests on them.

    If ``thorough`` is true, the tests that only ``make thorough`` runs are included.
    """

    def __init__(self, folder: Path, thorough: bool) -> None:
        self.folder = folder
        self.marks = "not display" if thorough else "not display and not thorough"
        listed = subprocess.run(
            ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
            cwd=ROOT,
            capture_output=True,
            check=True,
            text=True,
        )
        for name in filter(None, listed.stdout.split("\0")):
            if (ROOT / name).is_file():
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(ROOT / name, folder / name)
        # Bytecode is validated by hash, since a mutated source may have the same size and time as the one before.
        command = [sys.executable, "-m", "compileall", "-q", "--invalidation-mode", "checked-hash"]
        subprocess.run([*command, "shibumi3d", "tests", "tools"], cwd=folder, check=True)

    @cache  # noqa: B019  # one copy, three areas
    def reached(self, area: str) -> Coverage:
        """Run the tests of an area without a mutation and return what they cover.

        ``area`` is a key of :data:`AREAS`. If a test fails, print a warning; after nine failures, the remaining tests
        aren't run. The result is cached, so the tests of each area are run only once.
        """
        record_path = self.folder / "reached.json"
        env = {"REACHED": str(record_path), "REACHED_FOLDERS": area}
        code, by, _ = self.run(
            nearest_first(area), 40 * MAX_TEST_SECONDS, ("-p", "tools.reached", "--maxfail=9"), env
        )
        if code:
            print(f"A test fails without any mutation: {by}", file=sys.stderr)
        record = json.loads(record_path.read_text(encoding="utf-8"))
        lines = {
            path: {int(row): set(tests) for row, tests in rows.items()}
            for path, rows in record["lines"].items()
        }
        return Coverage(lines, record["seconds"], set(record["outside"]))

    def run(
        self,
        tests: Sequence[str],
        limit: int,
        also: Sequence[str] = (),
        environment: dict[str, str] | None = None,
    ) -> tuple[int, str, float]:
        """Run tests until one fails, or until the limit of failures if ``also`` contains ``--maxfail``.

        Return the exit code of pytest, the first failed test that its summary lists (an empty string if it lists none),
        and the CPU seconds used. The exit code is negative if a signal ended pytest, for example because it used more
        CPU time than ``limit`` seconds. ``also`` holds further options of pytest, and ``environment`` further
        environment variables.
        """
        command = [
            sys.executable,
            "-m",
            "pytest",
            "-x",
            "-q",
            "-rfE",
            "-p",
            "no:cacheprovider",
            "-p",
            "no:xdist",
        ]
        command += ["--hypothesis-seed=1", "-m", self.marks, *also, *tests]
        env = os.environ | {"PYTHONPATH": str(self.folder), "SHIBUMI3D_NATIVE": "no"} | (environment or {})
        env.pop("PYTHONDONTWRITEBYTECODE", None)
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        process = subprocess.run(
            command,
            cwd=self.folder,
            env=env,
            capture_output=True,
            text=True,
            errors="replace",
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 5)),
        )
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        failed = re.search(r"^(?:FAILED|ERROR) (\S+)", process.stdout, re.MULTILINE)
        seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        return process.returncode, failed[1] if failed else "", round(seconds, 1)

    def judge(self, mutant: Mutant, first: str) -> MutantResult:
        """Test a mutant, starting with the test ``first`` unless that is empty, and return the result."""
        source = mutate(mutant)
        assert source is not None
        before = (ROOT / mutant.path).read_text(encoding="utf-8")
        reached, rows = self.reached(area_of(mutant.path)), covering_lines(before, source)
        soon, files = reached.fast_tests(mutant.path, rows), reached.files(mutant.path, rows)
        spent = 0.0
        (self.folder / mutant.path).write_text(source, encoding="utf-8")
        try:
            for some in ([first] if first else [], soon, files):
                if not some:
                    continue
                code, by, seconds = self.run(some, MAX_TEST_SECONDS)
                spent += seconds
                if code < 0:
                    return MutantResult(mutant, "time", seconds=spent)
                # Exit codes 4 and 5 mean that the named test no longer exists. For whole files, 4 means that an import
                # shared by all tests fails.
                if code in (1, 2, 3) or (code == 4 and some is files):
                    return MutantResult(mutant, "killed", by, spent)
            return MutantResult(mutant, "alive", seconds=spent)
        finally:
            shutil.copyfile(ROOT / mutant.path, self.folder / mutant.path)


def main() -> None:
    """Test mutants; print each result and append it to the output file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=300, help="number of mutants (default: 300)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--out",
        type=Path,
        required=True,
        help="file for the results; an existing file is continued",
    )
    parser.add_argument("--again", type=Path, help="test the mutants in this file again")
    parser.add_argument(
        "--alive", action="store_true", help="with --again, test only those that no test noticed"
    )
    parser.add_argument(
        "--thorough", action="store_true", help="include the tests that only 'make thorough' runs"
    )
    args = parser.parse_args()
    earlier = list(read(args.again)) if args.again else []
    todo = [(result.mutant, result.by) for result in earlier if result.end == "alive" or not args.alive]
    if not args.again:
        todo = [(mutant, "") for mutant in sample(args.count, args.seed)]
    known = {key(result.mutant) for result in read(args.out)}
    with tempfile.TemporaryDirectory() as folder:
        copy = CheckoutCopy(Path(folder), args.thorough)
        for mutant, first in todo:
            if key(mutant) in known:
                continue
            now = find_same(mutant) if args.again else mutant
            result = copy.judge(now, first) if now else MutantResult(mutant, "gone")
            with args.out.open("a", encoding="utf-8") as file:
                file.write(json.dumps(asdict(result)) + "\n")
            print(f"{result.end:6} {mutant.path}: {mutant.line} -> {mutant.after} {result.by}", flush=True)
    ends = Counter(result.end for result in read(args.out))
    print(", ".join(f"{count} {end}" for end, count in ends.most_common()))


def key(mutant: Mutant) -> tuple[str, str, str, int]:
    """Return a key that identifies a mutant even if its line has moved."""
    return mutant.path, mutant.operator, mutant.line, mutant.number


def read(path: Path) -> Iterator[MutantResult]:
    """Yield the results of mutants recorded in a file, one for each line, in order.

    Nothing is yielded if the file doesn't exist.
    """
    if path.exists():
        for line in path.read_text(encoding="utf-8").splitlines():
            data = json.loads(line)
            yield MutantResult(Mutant(**data.pop("mutant")), **data)


if __name__ == "__main__":
    main()
