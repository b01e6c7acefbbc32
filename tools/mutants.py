"""Spoil the program in one place after another, and see whether its tests notice: ``make mutants``.

Cosmic Ray tells the places and what is put there instead; which of them are tried is drawn once for all by the seed.
Each is tried in a copy of the checkout, up to the first test that fails: first with what runs its line and takes least,
as `tools/reached.py` tells, then with all files of which a test runs it, as what tests keep may hide that others would.
Annotations are left alone, as nothing runs them. What was found is written as lines of JSON, and ``--again`` tries what
such a file names, each first with the test that noticed it then: so tests are compared before and after they change.
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
    "words",
    "turns",
    "position",
    "board",
    "examples",
    "fast",
    "relevance",
    "facts",
    "language_errors",
)
LOOKING = ("uct", "player", "solver", "bounds", "problems")
"""What looks ahead is of the engine, and tried by those who ask it."""
AREAS = {
    ENGINE: (
        *(f"tests/rules/test_{name}.py" for name in RULES),
        *(f"tests/search/test_{name}.py" for name in LOOKING),
        "tests/games/test_digests.py",
        "tests/games/test_goldens.py",
    ),
    MATCH: ("tests/match", "tests/games/test_goes_on.py"),
    SEARCH: ("tests/search",),
}
"""Folders of the program, and the tests that speak of them, those first that find most in least time."""
SECONDS = 120
"""CPU time that the tests may take for a mutant: some go round for ever."""
SOON = 5.0
"""CPU time of the tests that are tried first."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """One change: the operator of Cosmic Ray, where it applies, and the line that it changes."""

    path: str
    operator: str
    occurrence: int
    line: str
    number: int
    """Which of the like changes in such lines of the file it is."""
    after: str = ""
    """The line then."""


@dataclass(frozen=True, slots=True)
class Found:
    """How a mutant ended: ``killed`` by a test, by ``time``, or ``alive``."""

    mutant: Mutant
    end: str
    by: str = ""
    seconds: float = 0.0


@cache
def _operators() -> dict[str, Any]:
    try:
        from cosmic_ray.plugins import get_operator, operator_names
    except ImportError:
        sys.exit("Cosmic Ray is missing: make mutants")
    # What takes arguments would have to be told them.
    return {name: get_operator(name)() for name in operator_names() if not get_operator(name).arguments()}


def mutants_of(path: str) -> Iterator[list[Mutant]]:
    """The changes of a file, those of one place and one kind together."""
    from cosmic_ray.ast import ast_nodes, get_ast

    source = (ROOT / path).read_text(encoding="utf-8")
    lines, tree = source.splitlines(), get_ast(source)
    places: dict[tuple[object, ...], list[Mutant]] = {}
    met: dict[tuple[str, str], int] = {}
    for name, operator in _operators().items():
        spots = [spot for node in ast_nodes(tree) for spot in operator.mutation_positions(node)]
        for occurrence, (begin, end) in enumerate(spots):
            line = lines[begin[0] - 1].strip()
            number = met[name, line] = met.get((name, line), -1) + 1
            place = (begin, end, name.partition("_")[0])
            places.setdefault(place, []).append(Mutant(path, name, occurrence, line, number))
    yield from (places[place] for place in sorted(places, key=repr))


def mutated(mutant: Mutant) -> str | None:
    """The source of the file with the change in it, unless it runs as before."""
    from cosmic_ray.mutating import mutate_code

    source = (ROOT / mutant.path).read_text(encoding="utf-8")
    changed = mutate_code(source, _operators()[mutant.operator], mutant.occurrence)
    if changed is None or _runs(changed) == _runs(source):
        return None
    return str(changed)


def _runs(source: str) -> str:
    """What of a source is run: neither annotations nor what only the type checker sees."""
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
            node.decorator_list = [each for each in node.decorator_list if ast.unparse(each) != "final"]
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            node.body = [ast.Pass()]
    return ast.dump(tree)


def sample(count: int, seed: int) -> list[Mutant]:
    """So many changes, each in a place of its own, all places alike; fewer are the first of more."""
    files = sorted(
        path.relative_to(ROOT).as_posix() for area in AREAS for path in (ROOT / area).rglob("*.py")
    )
    places = [place for path in files for place in mutants_of(path)]
    lots, taken = Random(seed), list[Mutant]()
    lots.shuffle(places)
    for place in places:
        if len(taken) == count:
            break
        mutant = lots.choice(place)
        changed = mutated(mutant)
        if changed is not None:
            taken.append(_with_line(mutant, changed))
    return taken


def _with_line(mutant: Mutant, changed: str) -> Mutant:
    before = (ROOT / mutant.path).read_text(encoding="utf-8").splitlines()
    after = [line.strip() for line in changed.splitlines() if line not in before]
    return Mutant(
        mutant.path, mutant.operator, mutant.occurrence, mutant.line, mutant.number, "\n".join(after)
    )


def same(mutant: Mutant) -> Mutant | None:
    """The change of an earlier run in the file as it is now, if its line is still there."""
    if not (ROOT / mutant.path).exists():
        return None
    for place in mutants_of(mutant.path):
        for now in place:
            if (now.operator, now.line, now.number) == (mutant.operator, mutant.line, mutant.number):
                return Mutant(now.path, now.operator, now.occurrence, now.line, now.number, mutant.after)
    return None


def area_of(path: str) -> str:
    """Return the folder among those that are spoiled in which a file is."""
    return next(area for area in AREAS if path.startswith(area))


def nearest_first(path: str) -> list[str]:
    """The files of tests for a file of the program: those that import it, then all others of its area."""
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
class Reached:
    """Which tests of an area run each line of a file, what each test takes, and which start processes."""

    lines: dict[str, dict[int, set[str]]]
    seconds: dict[str, float]
    outside: set[str]

    def soon(self, path: str, rows: Iterable[int]) -> list[str]:
        """The tests that run one of these lines, those first that take least, as far as they take little together."""
        taken, spent = list[str](), 0.0
        for test in sorted(self._tests(path, rows) - {""}, key=self.seconds.__getitem__):
            spent += self.seconds[test]
            if spent > SOON:
                break
            taken.append(test)
        return taken

    def files(self, path: str, rows: Iterable[int]) -> list[str]:
        """The files of tests of which one runs one of these lines, or may; all where reading tests does."""
        tests = self._tests(path, rows)
        some = {test.partition("::")[0] for test in tests | self.outside}
        return [file for file in nearest_first(path) if file in some or "" in tests]

    def _tests(self, path: str, rows: Iterable[int]) -> set[str]:
        lines = self.lines.get(path, {})
        return set().union(*(lines.get(row, ()) for row in rows))


def rows_of(source: str, changed: str) -> set[int]:
    """The lines of a source that are run when what differs in the other is: of its statement, or of its function."""
    before, after = source.splitlines(), changed.splitlines()
    first = next((n for n, (a, b) in enumerate(zip(before, after, strict=False)) if a != b), 0)
    back = (n for n, (a, b) in enumerate(zip(reversed(before), reversed(after), strict=False)) if a != b)
    last = max(first, len(before) - 1 - next(back, 0))
    rows = set(range(first + 1, last + 2))
    # The innermost comes last.
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.stmt):
            continue
        begin = min((each.lineno for each in getattr(node, "decorator_list", ())), default=node.lineno)
        end = node.end_lineno or begin
        body = getattr(node, "body", None)
        head = body[0].lineno - 1 if body else end
        if begin <= first + 1 <= max(begin, head):
            rows = set(range(begin, max(begin, head) + 1))
            # What a function has when it is called counts while it is called.
            if isinstance(node, ast.FunctionDef):
                rows = set(range(head + 1, end + 1))
    return rows


class Copy:
    """A copy of the checkout in which sources are spoiled."""

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
        # By their contents, as a spoiled source may be of one size and second with the one before.
        command = [sys.executable, "-m", "compileall", "-q", "--invalidation-mode", "checked-hash"]
        subprocess.run([*command, "shibumi3d", "tests", "tools"], cwd=folder, check=True)

    @cache  # noqa: B019  # one copy, three areas
    def reached(self, area: str) -> Reached:
        """Run all tests of an area as it is, and tell what they run."""
        told = self.folder / "reached.json"
        env = {"REACHED": str(told), "REACHED_FOLDERS": area}
        code, by, _ = self.run(nearest_first(area), 40 * SECONDS, ("-p", "tools.reached", "--maxfail=9"), env)
        if code:
            print(f"Fails before anything is spoiled: {by}", file=sys.stderr)
        found = json.loads(told.read_text(encoding="utf-8"))
        lines = {
            path: {int(row): set(tests) for row, tests in rows.items()}
            for path, rows in found["lines"].items()
        }
        return Reached(lines, found["seconds"], set(found["outside"]))

    def run(
        self, tests: Sequence[str], limit: int, also: Sequence[str] = (), told: dict[str, str] | None = None
    ) -> tuple[int, str, float]:
        """Run tests up to the first that fails: how it ended, which failed, and the CPU time it took."""
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
        env = os.environ | {"PYTHONPATH": str(self.folder), "SHIBUMI3D_NATIVE": "no"} | (told or {})
        env.pop("PYTHONDONTWRITEBYTECODE", None)
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run(
            command,
            cwd=self.folder,
            env=env,
            capture_output=True,
            text=True,
            errors="replace",
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 5)),
        )
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        failed = re.search(r"^(?:FAILED|ERROR) (\S+)", done.stdout, re.MULTILINE)
        seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        return done.returncode, failed[1] if failed else "", round(seconds, 1)

    def judge(self, mutant: Mutant, first: str) -> Found:
        """Try one mutant, first with the test that is named."""
        source = mutated(mutant)
        assert source is not None
        before = (ROOT / mutant.path).read_text(encoding="utf-8")
        reached, rows = self.reached(area_of(mutant.path)), rows_of(before, source)
        soon, files = reached.soon(mutant.path, rows), reached.files(mutant.path, rows)
        spent = 0.0
        (self.folder / mutant.path).write_text(source, encoding="utf-8")
        try:
            for some in ([first] if first else [], soon, files):
                if not some:
                    continue
                code, by, seconds = self.run(some, SECONDS)
                spent += seconds
                if code < 0:
                    return Found(mutant, "time", seconds=spent)
                # 4 and 5: no test has that name any more, unless what all tests import can't be imported.
                if code in (1, 2, 3) or (code == 4 and some is files):
                    return Found(mutant, "killed", by, spent)
            return Found(mutant, "alive", seconds=spent)
        finally:
            shutil.copyfile(ROOT / mutant.path, self.folder / mutant.path)


def main() -> None:
    """Try mutants, and say how each ended."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=300, help="how many mutants")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--out",
        type=Path,
        required=True,
        help="the file of what was found; one that is there is gone on with",
    )
    parser.add_argument("--again", type=Path, help="try the mutants of this file anew")
    parser.add_argument("--alive", action="store_true", help="of these only those that no test noticed")
    parser.add_argument(
        "--thorough", action="store_true", help="with the tests that make thorough alone takes"
    )
    given = parser.parse_args()
    earlier = list(read(given.again)) if given.again else []
    todo = [(found.mutant, found.by) for found in earlier if found.end == "alive" or not given.alive]
    if not given.again:
        todo = [(mutant, "") for mutant in sample(given.count, given.seed)]
    known = {key(found.mutant) for found in read(given.out)}
    with tempfile.TemporaryDirectory() as folder:
        copy = Copy(Path(folder), given.thorough)
        for mutant, first in todo:
            if key(mutant) in known:
                continue
            now = same(mutant) if given.again else mutant
            found = copy.judge(now, first) if now else Found(mutant, "gone")
            with given.out.open("a", encoding="utf-8") as file:
                file.write(json.dumps(asdict(found)) + "\n")
            print(f"{found.end:6} {mutant.path}: {mutant.line} -> {mutant.after} {found.by}", flush=True)
    ends = Counter(found.end for found in read(given.out))
    print(", ".join(f"{count} {end}" for end, count in ends.most_common()))


def key(mutant: Mutant) -> tuple[str, str, str, int]:
    """What names a change, wherever its line has moved to."""
    return mutant.path, mutant.operator, mutant.line, mutant.number


def read(path: Path) -> Iterator[Found]:
    """What an earlier run found."""
    if path.exists():
        for line in path.read_text(encoding="utf-8").splitlines():
            told = json.loads(line)
            yield Found(Mutant(**told.pop("mutant")), **told)


if __name__ == "__main__":
    main()
