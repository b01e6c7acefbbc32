"""The compiled engine is used if it matches the sources.

Otherwise, the program runs the Python sources and says why.
"""

from __future__ import annotations

import os
import pickle
import random
import re
import shlex
import shutil
import subprocess
import sys
import time
from importlib import import_module
from pathlib import Path

import pytest

from shibumi3d import __version__, build_native, native
from shibumi3d.build_native import compilation, sources
from shibumi3d.i18n import Message

PACKAGE = Path(native.__file__).parent
SUFFIX = native.EXTENSION_SUFFIX

# A small package: two compiled modules that import each other, one from which they only read a constant, and one that
# is unrelated; in the engine, two that use 64-bit integers, one that calls one of these, and one that does neither.
SMALL = {
    "rules/__init__.py": "",
    "rules/even.py": """
from shibumi3d.rules import odd

class Even:
    def holds(self, number: int) -> bool:
        return number == 0 or odd.Odd().holds(number - 1)
""",
    "rules/odd.py": """
from typing import Final
from shibumi3d.rules import even, least

NAME: Final = "odd"

class Odd:
    def holds(self, number: int) -> bool:
        return number > least.LEAST and even.Even().holds(number - 1)
""",
    "rules/least.py": "from typing import Final\nLEAST: Final = 0\n",
    "rules/aside.py": "from shibumi3d.rules.odd import NAME\n",
    "rules/marbles/__init__.py": "",
    "rules/marbles/engine/__init__.py": "",
    "rules/marbles/engine/shared.py": """
class Shift:
    def __init__(self, by: int) -> None:
        self.by = by
""",
    "rules/marbles/engine/narrow.py": """
from __future__ import annotations
from typing import TYPE_CHECKING
from shibumi3d.rules.marbles.engine.shared import Shift

if TYPE_CHECKING:
    from mypy_extensions import i64 as M

def moved(points: M, shift: Shift) -> M:
    by: M = shift.by
    return points + by
""",
    "rules/marbles/engine/arithmetic.py": """
from __future__ import annotations
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mypy_extensions import i64 as M

def both(x: M, y: M) -> M:
    return x & y

def either(x: M, y: M) -> M:
    return x | y

def differing(x: M, y: M) -> M:
    return x ^ y

def total(x: M, y: M) -> M:
    return x + y

def difference(x: M, y: M) -> M:
    return x - y

def product(x: M, y: M) -> M:
    return x * y

def left(x: M, n: M) -> M:
    return x << n

def right(x: M, n: M) -> M:
    return x >> n

def negated(x: M) -> M:
    return -x

def inverted(x: M) -> M:
    return ~x

def seventh(x: M) -> M:
    return x // 7

def modulo_seven(x: M) -> M:
    return x % 7

def less(x: M, y: M) -> bool:
    return x < y

def equal(x: M, y: M) -> bool:
    return x == y
""",
    "rules/marbles/engine/caller.py": """
from shibumi3d.rules.marbles.engine import narrow
from shibumi3d.rules.marbles.engine.shared import Shift

def point(number: int) -> int:
    return narrow.moved(1 << number, Shift(1))
""",
}
ENGINE = "shibumi3d.rules.marbles.engine"
MODULES = (
    "shibumi3d.rules.even",
    "shibumi3d.rules.odd",
    f"{ENGINE}.shared",
    f"{ENGINE}.narrow",
    f"{ENGINE}.arithmetic",
    f"{ENGINE}.caller",
)


class Small:
    """A folder with a small package that has the program's name.

    Python is run in this folder, so it imports the small package instead of the program.
    """

    def __init__(self, top: Path) -> None:
        self.top = top
        self.folder = top / "shibumi3d" / "_native"

    def make(self) -> None:
        """Write the package, including the program's code for compiling modules and loading them."""
        package = self.top / "shibumi3d"
        package.mkdir(parents=True)
        (package / "__init__.py").write_text(
            "from shibumi3d import native\nnative.enable_compiled_engine()\n"
        )
        (self.top / "pyproject.toml").write_text("")  # marks a checkout, which contains its compiled modules
        (self.top / "Makefile").write_text("")
        for name in ("entry.py", "i18n.py", "native.py", "paths.py"):
            shutil.copy(PACKAGE / name, package)
        build = package / "build_native"
        shutil.copytree(PACKAGE / "build_native", build, ignore=shutil.ignore_patterns("__pycache__"))
        sources = (build / "sources.py").read_text(encoding="utf-8")
        named, count = re.subn(
            r"^MODULES.*?^\)", f"MODULES = {MODULES!r}", sources, flags=re.DOTALL | re.MULTILINE
        )
        assert count == 1
        (build / "sources.py").write_text(named, encoding="utf-8")
        for name, text in SMALL.items():
            self.write(name, text)

    def write(self, name: str, text: str) -> None:
        path = self.top / "shibumi3d" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def run(self, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
        known = {key: value for key, value in os.environ.items() if key != native.ENGINE_VARIABLE}
        return subprocess.run(
            [sys.executable, *arguments],
            cwd=self.top,
            env={**known, **environment},
            capture_output=True,
            text=True,
            check=False,
        )

    def report(self, **environment: str) -> list[str]:
        """Run Python in the folder and return four lines about the engine that it uses.

        The first line is "compiled" or "sources", depending on where ``even`` and ``odd`` were imported from. The
        second is "True" if 7 is odd according to ``odd``, and otherwise "False". The third is the engine's status. The
        fourth is the reason why a compiled engine was rejected. It is "" if the compiled engine is in use or disabled,
        or if there is no finished build.

        ``environment`` holds additional environment variables. Raises AssertionError if Python fails.
        """
        code = (
            "from shibumi3d import native; from shibumi3d.rules import even, odd, least\n"
            f"kinds = {{one.__file__.endswith({SUFFIX!r}) for one in (even, odd)}}\n"
            "assert len(kinds) == 1 and least.__file__.endswith('.py')\n"
            "print('compiled' if kinds.pop() else 'sources', odd.Odd().holds(7), native.status, "
            "native.status.reason, sep='\\n')"
        )
        done = self.run("-c", code, **environment)
        assert done.returncode == 0, done.stderr
        return done.stdout.splitlines()

    def git(self, *arguments: str) -> None:
        user = ("-c", "user.name=Ann", "-c", "user.email=ann@example.org")
        subprocess.run(["git", *user, *arguments], cwd=self.top, check=True, capture_output=True)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory, in_ci: bool) -> Small:
    """The small package, compiled once for all tests in this module."""
    if lacking := build_native.missing_tools():
        (pytest.fail if in_ci else pytest.skip)(str(lacking))
    small = Small(tmp_path_factory.mktemp("built"))
    small.make()
    done = small.run("-m", "shibumi3d.build_native")
    assert done.returncode == 0, done.stderr
    assert done.stderr.startswith("Compiling the engine (6 modules)")
    return small


@pytest.fixture
def small(built: Small, tmp_path: Path) -> Small:
    """A copy of the small package, already compiled."""
    shutil.copytree(built.top, tmp_path / "small")
    return Small(tmp_path / "small")


def test_compiled_modules_belong_to_the_rules() -> None:
    assert all(build_native.source_path(module).startswith("rules/") for module in build_native.MODULES)
    assert len(set(build_native.MODULES)) == len(build_native.MODULES)


def test_whole_engine_is_compiled() -> None:
    """All modules of the engine but two are compiled and have twins for larger boards.

    The exceptions are the plain data of the rules, which needs weak references, and the analysis of terms, which is
    done only once, when a game is loaded.
    """
    folder = PACKAGE / "rules" / "marbles" / "engine"
    names = {path.relative_to(PACKAGE.parent).with_suffix("").as_posix() for path in folder.rglob("*.py")}
    engine = {name.replace("/", ".") for name in names if not name.endswith("__init__")}
    plain = {f"{ENGINE}.rules", f"{ENGINE}.build.term_analysis"}
    assert engine - set(build_native.MODULES) == plain
    assert all(set(build_native.twin_modules(twins=twins)) == engine - plain for twins in native.TWINS)


def test_performance_critical_modules_exist() -> None:
    """Every name in the lists of hot modules stands for a module that is compiled.

    Hot modules get the highest optimization. A name that fits no module is silently ignored. So if a module moved and
    its name in the lists weren't updated, it would become slower unnoticed.
    """
    for library in compilation.plan_libraries():
        hot = sources.HOT_MODULES if library["name"] == native.LIBRARY else sources.TWIN_HOT_MODULES
        assert len(library["hot"]) == len(hot)


def test_tests_run_the_selected_engine() -> None:
    """With ``SHIBUMI3D_NATIVE=yes``, every module in ``MODULES`` is compiled; otherwise, its source runs."""
    wanted = os.environ[native.ENGINE_VARIABLE] == "yes"
    assert native.status == native.EngineStatus(is_native=wanted)
    for name in build_native.MODULES:
        file = Path(str(import_module(name).__file__))
        assert file.is_relative_to(native.COMPILED_FOLDER) == wanted, file
        assert (file.suffix == ".py") != wanted


ON = """
import pickle, sys
import shibumi3d
from shibumi3d import native
game = shibumi3d.game(sys.argv[1])
state = pickle.loads(sys.stdin.buffer.read()) if len(sys.argv) > 2 else game.start(seats=2, seed=7)
for _ in range(2):
    state, _ = game.apply(state, game.moves(state)[-1])
sys.stdout.buffer.write(pickle.dumps((str(native.status), [str(m) for m in game.moves(state)], pickle.dumps(state))))
"""
"""A script that plays two moves, from the start or from the state read from its input.

It prints the engine status, the legal moves and the state, all pickled.
"""


@pytest.mark.parametrize("name", ["spline", "spargo"])
def test_states_pass_between_plain_and_compiled_processes(name: str) -> None:
    """States pickled by one engine can be read by the other.

    The process of the computer players may start to use the compiled engine while the window still runs the sources. If
    ``SHIBUMI3D_NATIVE`` isn't ``yes``, all processes in this test run the sources. ``make test`` sets the variable to
    ``yes`` if the engine can be compiled.
    """
    both = os.environ[native.ENGINE_VARIABLE]

    def on(switch: str, *given: bytes) -> tuple[str, list[str], bytes]:
        done = subprocess.run(
            [sys.executable, "-c", ON, name, *("on" for _ in given)],
            input=b"".join(given),
            env={**os.environ, native.ENGINE_VARIABLE: switch},
            cwd=PACKAGE.parent,
            stdout=subprocess.PIPE,
            check=True,
        )
        status, moves, state = pickle.loads(done.stdout)
        return status, moves, state

    here = on("no")
    there = on(both, here[2])
    back = on("no", there[2])
    assert there[0] == ("native" if both == "yes" else "pure Python")
    assert back[1] == on("no", on("no", here[2])[2])[1] != there[1]


def test_unused_compiled_engine_is_reported_at_startup(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from shibumi3d.cli.main import main

    status = native.EngineStatus(reason="is older than rules/odd.py")
    monkeypatch.setattr(native, "status", status)
    assert main(["rules", "spline"]) == 0
    assert capsys.readouterr().err == (
        "shibumi3d: The compiled engine is older than rules/odd.py, so it is not used and the "
        "computer players are weaker. Run 'make native' to compile it again.\n"
    )
    with pytest.raises(SystemExit):
        main(["--version"])
    out = capsys.readouterr().out
    assert out == f"Shibumi 3D {__version__} (pure Python: the compiled engine is not used)\n"


class TestCompiled:
    def test_compiled_engine_is_used(self, small: Small) -> None:
        assert small.report() == ["compiled", "True", "native", ""]

    def test_compiled_files_are_not_beside_the_sources(self, small: Small) -> None:
        places = {path.parent for path in small.top.rglob(f"*{SUFFIX}")}
        assert places == {small.folder}

    def test_sources_are_loaded_unless_the_package_enables_compiled_modules(self, small: Small) -> None:
        (small.top / "shibumi3d" / "__init__.py").write_text("")
        assert small.report()[:2] == ["sources", "True"]

    def test_compiled_engine_can_be_disabled(self, small: Small) -> None:
        assert small.report(SHIBUMI3D_NATIVE="no") == ["sources", "True", "pure Python", ""]

    def test_edited_source_is_used_and_named(self, small: Small) -> None:
        before = SMALL["rules/odd.py"]
        small.write("rules/odd.py", before.replace("number >", "number != 7 and number >"))
        status = "pure Python: the compiled engine is not used"
        assert small.report() == ["sources", "False", status, "is older than rules/odd.py"]
        small.write("rules/odd.py", before)
        assert small.report() == ["compiled", "True", "native", ""]

    def test_edited_source_that_is_only_imported_counts_too(self, small: Small) -> None:
        """The compiled engine isn't used if a module that it only imports has changed.

        The reason is that compiled code may contain constants of such a module. Here, ``LEAST`` is changed from 0 to 7.
        The sources are then used, so 7 no longer counts as odd.
        """
        small.write("rules/least.py", "from typing import Final\nLEAST: Final = 7\n")
        assert small.report()[:2] == ["sources", "False"]

    def test_several_edited_sources_are_counted(self, small: Small) -> None:
        for name in ("rules/even.py", "rules/least.py", "rules/odd.py"):
            small.write(name, SMALL[name] + "# edited\n")
        assert small.report()[3] == "is older than rules/even.py and 2 other files"

    def test_unrelated_sources_may_change(self, small: Small) -> None:
        small.write("rules/aside.py", "")
        small.write("app.py", "")
        assert small.report()[0] == "compiled"

    def test_missing_library_is_reported(self, small: Small) -> None:
        (small.folder / f"{native.LIBRARY}{SUFFIX}").unlink()
        report = small.report()
        assert (report[0], report[3]) == ("sources", f"is missing {native.LIBRARY}{SUFFIX}")

    def test_library_for_another_system_is_not_loaded(self, small: Small) -> None:
        (small.folder / f"{native.LIBRARY}{SUFFIX}").write_bytes(b"not of this machine")
        report = small.report()
        assert report[:2] == ["sources", "True"]
        assert report[3].startswith("can't be loaded (")

    def test_incomplete_build_is_not_used(self, small: Small) -> None:
        """The record is written last, so a build without one is incomplete."""
        (small.folder / native.RECORD_NAME).unlink()
        assert small.report() == ["sources", "True", "pure Python", ""]

    def test_compiled_engine_can_be_removed(self, small: Small) -> None:
        (small.folder / "of-another-python.txt").write_text("")
        assert small.run("-m", "shibumi3d.build_native", "--remove").returncode == 0
        assert {path.name for path in small.folder.iterdir()} == {"of-another-python.txt", "building"}
        assert small.report() == ["sources", "True", "pure Python", ""]

    def test_up_to_date_engine_is_not_compiled_again(self, small: Small, tmp_path: Path) -> None:
        """The compiler would fail, so success shows that it was not called."""
        for arguments in ([], ["--ensure"], ["--into", str(tmp_path)]):
            assert small.run("-m", "shibumi3d.build_native", *arguments, CC="false").returncode == 0
        assert small.report()[0] == "compiled"
        assert (tmp_path / native.RECORD_NAME).read_text() == (small.folder / native.RECORD_NAME).read_text()
        made = {path.name for path in small.folder.iterdir()} - {"building"}  # the lock file
        assert made <= {path.name for path in tmp_path.iterdir()}


def test_source_closure_includes_everything_compiled_modules_import(built: Small) -> None:
    """Modules that import compiled modules, but aren't imported by them, are left out."""
    code = "from shibumi3d import build_native as b; print(*b.source_closure(b.MODULES))"
    assert built.run("-c", code).stdout.split() == [
        "rules/__init__.py",
        "rules/even.py",
        "rules/least.py",
        "rules/marbles/__init__.py",
        "rules/marbles/engine/__init__.py",
        "rules/marbles/engine/arithmetic.py",
        "rules/marbles/engine/caller.py",
        "rules/marbles/engine/narrow.py",
        "rules/marbles/engine/shared.py",
        "rules/odd.py",
    ]


def require_library(small: Small, twins: native.Twins, in_ci: bool) -> None:
    """Skip the test, or fail it in CI on Linux, if the library of ``twins`` couldn't be built."""
    record = native.read_record(small.folder, twins.record_name)
    assert record is not None
    if record.failure:
        (pytest.fail if in_ci and sys.platform == "linux" else pytest.skip)(record.failure)


class TestTwins:
    """Modules that use 64-bit integers are also compiled as twins with wider integers, for larger boards.

    Without compilation there are no twins, because Python's integers are unbounded.
    """

    def test_only_modules_that_need_larger_integers_have_a_twin(self, built: Small) -> None:
        """Modules that use 64-bit integers or import such a module have twins; other modules have none."""
        code = "from shibumi3d import build_native as b; print(*b.twin_modules(), *b.twin_modules().values())"
        wide = "shibumi3d.rules.marbles.engine_wide"
        assert built.run("-c", code).stdout.split() == [
            f"{ENGINE}.arithmetic",
            f"{ENGINE}.caller",
            f"{ENGINE}.narrow",
            f"{wide}.arithmetic",
            f"{wide}.caller",
            f"{wide}.narrow",
        ]

    BOTH = "9 1180591620717411303425"

    def points(self, small: Small, package: str, **environment: str) -> subprocess.CompletedProcess[str]:
        code = (
            f"from shibumi3d.rules.marbles.{package} import caller; print(caller.point(3), caller.point(70))"
        )
        return small.run("-c", code, **environment)

    def test_twins_hold_more_bits(self, small: Small) -> None:
        assert self.points(small, "engine_wide").stdout.strip() == self.BOTH
        assert "int too large" in self.points(small, "engine").stderr

    @pytest.mark.parametrize(
        ("twins", "held_bits", "too_high"),
        [
            (native.DOUBLE, (3, 61, 62, 63, 64, 70, 123), 130),
            (native.TRIPLE, (3, 61, 62, 63, 64, 70, 123, 126, 127, 128, 129, 185), 195),
        ],
        ids=["128 bits", "192 bits"],
    )
    def test_twins_with_integers_of_a_fixed_size_overflow_beyond_it(
        self,
        small: Small,
        twins: native.Twins,
        held_bits: tuple[int, ...],
        too_high: int,
        in_ci: bool,
    ) -> None:
        require_library(small, twins, in_ci)
        code = f"from {twins.package} import caller, narrow; print(narrow.__file__.endswith('.py'), "
        points = f"*(caller.point(bit) for bit in {held_bits}))"
        assert small.run("-c", code + points).stdout.split() == [
            "False",
            *(str(1 << bit | 1) for bit in held_bits),
        ]
        assert "OverflowError" in small.run("-c", f"{code}caller.point({too_high}))").stderr

    def test_integers_of_192_bits_calculate_like_python(self, small: Small, in_ci: bool) -> None:
        require_library(small, native.TRIPLE, in_ci)
        names = [
            "both",
            "either",
            "differing",
            "total",
            "difference",
            "product",
            "left",
            "right",
            "negated",
            "inverted",
            "seventh",
            "modulo_seven",
            "less",
            "equal",
        ]
        code = (
            f"from random import Random; from {ENGINE}_triple import arithmetic as ours\n"
            "import operator as o; chance = Random(3)\n"
            "theirs = (o.and_, o.or_, o.xor, o.add, o.sub, o.mul, o.lshift, o.rshift, o.neg, o.inv,\n"
            "          lambda x: x // 7, lambda x: x % 7, o.lt, o.eq)\n"
            f"for name, python in zip({names!r}, theirs, strict=True):\n"
            "    for _ in range(300):\n"
            "        bits = 88 if name == 'product' else 180\n"
            "        x, y = (chance.getrandbits(chance.randint(1, bits)) * chance.choice((1, -1)) for _ in '12')\n"
            "        if name in ('left', 'right'):\n"
            "            y = chance.randrange(192 if name == 'right' else max(1, 190 - x.bit_length()))\n"
            "        if name == 'equal' and chance.random() < 0.5: y = x\n"
            "        given = (x,) if name in ('negated', 'inverted', 'seventh', 'modulo_seven') else (x, y)\n"
            "        assert getattr(ours, name)(*given) == python(*given), (name, x, y)\n"
            "print(ours.__file__.endswith('.py'))"
        )
        done = small.run("-c", code)
        assert (done.stdout.split(), done.stderr) == (["False"], "")

    def test_twin_that_the_cpp_compiler_rejects_is_left_out(
        self, built: Small, tmp_path: Path, in_ci: bool
    ) -> None:
        require_library(built, native.TRIPLE, in_ci)
        small = Small(tmp_path / "rejected")
        small.make()
        header = small.top / "shibumi3d" / "build_native" / "triple_int.h"
        # This is an error in the code that mypyc generates, but not in the header alone.
        with header.open("a", encoding="utf-8") as file:
            file.write("#ifdef MYPYC_NATIVE_shibumi3d_triple_H\n#error no\n#endif\n")
        assert small.run("-m", "shibumi3d.build_native").returncode == 0
        record = native.read_record(small.folder, native.TRIPLE.record_name)
        assert record is not None
        assert record.failure == "the C++ compiler rejects the code"
        assert self.points(small, "engine_wide").stdout.strip() == self.BOTH
        assert "is compiled" in small.run("-m", "shibumi3d.build_native").stderr  # it isn't tried again

    def test_twins_share_all_other_modules(self, small: Small) -> None:
        code = (
            f"from {ENGINE} import narrow, shared; from {ENGINE}_wide import narrow as wide\n"
            "shift = shared.Shift(1); print(narrow.moved(1, shift), wide.moved(1, shift))"
        )
        assert small.run("-c", code).stdout.split() == ["2", "2"]

    def test_plain_python_has_no_twins_and_needs_none(self, small: Small) -> None:
        assert self.points(small, "engine", SHIBUMI3D_NATIVE="no").stdout.strip() == self.BOTH
        assert "ModuleNotFoundError" in self.points(small, "engine_wide", SHIBUMI3D_NATIVE="no").stderr

    def test_no_twin_is_loaded_after_a_source_is_edited(self, small: Small) -> None:
        name = "rules/marbles/engine/narrow.py"
        small.write(name, SMALL[name] + "# edited\n")
        assert self.points(small, "engine").stdout.strip() == self.BOTH
        assert "ModuleNotFoundError" in self.points(small, "engine_wide").stderr


FAKE = """
import ast, sys
from pathlib import Path
_, libraries = ast.literal_eval(sys.argv[1])
text = Path("shibumi3d/rules/least.py").read_text()
Path("out").mkdir()
for number, each in enumerate(libraries, 1):
    print("done", number / len(libraries) - 0.1, flush=True)
    Path("out", each["name"] + SUFFIX).write_text(text * 100_000)
    print("library", each["name"], flush=True)
"""
"""Script that replaces mypyc and the C compiler; the libraries it makes contain the source that they were made from."""


LIBRARY_COUNT = 1 + len(native.TWINS)


class TestBesideTheProgram:
    """Tests of compilation in the background.

    If the compiler rejects the sources, this is remembered until the sources or the compiler change. Temporary
    failures, such as a full disk, aren't remembered, so the build is tried again next time.
    """

    @pytest.fixture
    def fresh(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Small:
        """A fresh checkout with nothing compiled and a fast stand-in for the compiler."""
        monkeypatch.delenv(native.ENGINE_VARIABLE)
        small = Small(tmp_path / "fresh")
        small.make()
        (small.top / ".gitignore").write_text("/shibumi3d/_native/\n__pycache__/\n")
        self.let(small, FAKE)
        small.git("init", "-q")
        small.git("add", ".")
        small.git("commit", "-qm", "first")
        return small

    def let(self, small: Small, code: str) -> None:
        small.write("build_native/compiler_process.py", f"SUFFIX = {SUFFIX!r}\n{code}")

    def ensure(self, small: Small, **environment: str) -> str:
        """Run ``--ensure`` and return the reason for a temporary failure that it reported, or an empty string.

        The string is empty if the build was successful, if there was nothing to do, or if the compiler rejected the
        sources, since a rejection is recorded elsewhere. ``environment`` holds additional environment variables.
        """
        done = small.run("-m", "shibumi3d.build_native", "--ensure", **environment)
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
        progress = native.read_progress(small.folder)
        return str(progress.stop_reason) if progress else ""

    def made(self, small: Small) -> tuple[str, ...]:
        """Return the source of each library that has been built.

        Assert that the libraries are complete and, unless their toolchains differ, made from the same source.
        """
        found = []
        for record, library in (
            (native.RECORD_NAME, native.LIBRARY),
            *((twins.record_name, twins.library) for twins in native.TWINS),
        ):
            known = native.read_record(small.folder, record)
            if known is not None and not known.failure:
                text = (small.folder / f"{library}{SUFFIX}").read_text()
                source = text[: len(text) // 100_000]
                assert text == source * 100_000
                found.append((source, known.toolchain))
        if len({toolchain for _, toolchain in found}) == 1:
            assert len(set(found)) == 1
        return tuple(source for source, _ in found)

    def test_build_leaves_all_libraries_and_nothing_else(self, fresh: Small) -> None:
        assert self.ensure(fresh) == ""
        assert self.made(fresh) == (SMALL["rules/least.py"],) * LIBRARY_COUNT
        assert {path.name for path in fresh.folder.iterdir()} == {
            "building",
            native.RECORD_NAME,
            f"{native.LIBRARY}{SUFFIX}",
            *(twins.record_name for twins in native.TWINS),
            *(f"{twins.library}{SUFFIX}" for twins in native.TWINS),
        }
        self.let(fresh, "raise SystemExit(1)")
        assert self.ensure(fresh) == ""  # it is not compiled again

    def test_library_that_cannot_be_compiled_is_left_out(self, fresh: Small) -> None:
        skipped = "libraries = [each for each in libraries if each['integers'] != 'double']\n"
        skipped += f"print('skipped', {native.DOUBLE.library!r}, 'no such integers', flush=True)\ntext"
        self.let(fresh, FAKE.replace("text", skipped, 1))
        assert self.ensure(fresh) == ""
        assert self.made(fresh) == (SMALL["rules/least.py"],) * (LIBRARY_COUNT - 1)
        record = native.read_record(fresh.folder, native.DOUBLE.record_name)
        assert record is not None
        assert record.failure == "no such integers"
        self.let(fresh, "raise SystemExit(1)")
        assert self.ensure(fresh) == ""  # it is not compiled again

    def test_first_library_is_used_while_the_others_are_built(self, fresh: Small, built: Small) -> None:
        shutil.copytree(built.folder, fresh.folder)
        for twins in native.TWINS:
            (fresh.folder / twins.record_name).unlink()
            (fresh.folder / f"{twins.library}{SUFFIX}").unlink()
        assert fresh.report()[0] == "compiled"
        code = (
            f"from {ENGINE} import narrow; from {ENGINE}_wide import caller; "
            "print(narrow.__file__.endswith('.py'), caller.__file__.endswith('.py'), caller.point(70))"
        )
        assert fresh.run("-c", code).stdout.split() == ["False", "True", "1180591620717411303425"]

    def test_library_of_another_build_is_not_used(self, small: Small) -> None:
        path = small.folder / native.WIDE.record_name
        path.write_text(path.read_text().replace("made ", "made 0"))
        code = f"from {ENGINE}_wide import caller; print(caller.__file__.endswith('.py'), caller.point(70))"
        assert small.run("-c", code).stdout.split() == ["True", "1180591620717411303425"]

    def test_progress_and_a_killed_build_are_reported(self, fresh: Small) -> None:
        slow = FAKE + "import time; time.sleep(60)\n"
        self.let(fresh, slow)
        with subprocess.Popen(
            [sys.executable, "-m", "shibumi3d.build_native", "--ensure"],
            cwd=fresh.top,
            env={key: value for key, value in os.environ.items() if key != native.ENGINE_VARIABLE},
        ) as running:
            end = time.monotonic() + 30
            while (progress := native.read_progress(fresh.folder)) != native.BuildProgress(0.9):
                assert time.monotonic() < end, progress
                time.sleep(0.05)
            running.kill()
        path = fresh.folder / native.PROGRESS_NAME
        long_ago = time.time() - 2 * native.STALE_SECONDS
        os.utime(path, (long_ago, long_ago))
        assert native.read_progress(fresh.folder) == native.BuildProgress(
            stop_reason=Message("it was stopped")
        )
        self.let(fresh, FAKE)
        fresh.write("rules/least.py", "LEAST = 1\n")
        fresh.git("commit", "-qam", "another")
        assert self.ensure(fresh) == ""
        assert native.read_progress(fresh.folder) is None

    def test_build_killed_at_any_time_leaves_no_partial_result(self, fresh: Small) -> None:
        pick = random.Random(7)
        started_at = time.monotonic()
        self.ensure(fresh)
        whole = time.monotonic() - started_at
        for number in range(20):
            fresh.write("rules/least.py", f"LEAST = {number}\n")
            fresh.git("commit", "-qam", "another")
            with subprocess.Popen(
                [sys.executable, "-m", "shibumi3d.build_native", "--ensure"],
                cwd=fresh.top,
                env={key: value for key, value in os.environ.items() if key != native.ENGINE_VARIABLE},
            ) as running:
                time.sleep(pick.uniform(0.2, 1.0) * whole)
                running.kill()
            self.made(fresh)
        self.ensure(fresh)
        assert self.made(fresh) == ("LEAST = 19\n",) * LIBRARY_COUNT

    def test_build_does_not_lock_the_git_index(self, fresh: Small) -> None:
        """Compiling must leave git's index alone, although ``git status`` would rewrite it.

        Git refreshes the index, under a lock, when modification times have changed. A process killed meanwhile would
        leave the lock behind, and nobody could commit.
        """
        self.ensure(fresh)
        fresh.write("rules/least.py", "LEAST = 1\n")
        fresh.git("commit", "-qam", "another")
        os.utime(fresh.top / "shibumi3d" / "rules" / "odd.py", (1, 1))
        index = fresh.top / ".git" / "index"
        before = index.read_bytes()
        self.ensure(fresh)
        assert self.made(fresh) == ("LEAST = 1\n",) * LIBRARY_COUNT
        assert index.read_bytes() == before
        fresh.git("status")
        assert index.read_bytes() != before

    def test_rejection_by_the_compiler_is_remembered_until_the_sources_change(self, fresh: Small) -> None:
        refuses = "import sys; print('error: no', file=sys.stderr); Path('x').touch(); sys.exit(1)"
        self.let(fresh, f"from pathlib import Path; {refuses}")
        assert self.ensure(fresh) == ""
        record = native.read_record(fresh.folder)
        assert record is not None
        assert record.failure == "error: no"
        assert fresh.report() == ["sources", "True", "pure Python", ""]
        self.let(fresh, FAKE)
        self.ensure(fresh)
        assert self.made(fresh) == ()  # not tried again
        fresh.write("rules/least.py", "LEAST = 0  # edited\n")
        self.ensure(fresh)
        assert self.made(fresh) == ()  # nor while it is edited
        fresh.git("commit", "-aqm", "another")
        self.ensure(fresh)
        assert self.made(fresh) == ("LEAST = 0  # edited\n",) * LIBRARY_COUNT

    def test_rejection_is_remembered_until_the_compiler_changes(self, fresh: Small) -> None:
        self.let(fresh, "import sys; sys.exit(1)")
        self.ensure(fresh)
        self.let(fresh, FAKE)
        self.ensure(fresh)
        assert self.made(fresh) == ()
        compiler = fresh.top / "compiler"
        compiler.write_text("#!/bin/sh\n")
        compiler.chmod(0o755)
        self.ensure(fresh, CC=shlex.quote(str(compiler)))
        assert len(self.made(fresh)) == LIBRARY_COUNT

    @pytest.mark.parametrize("words", ["No space left on device", "Killed signal terminated program cc1"])
    def test_temporary_failure_is_reported_and_the_build_tried_again(self, fresh: Small, words: str) -> None:
        self.let(fresh, f"import sys; print('fatal error: {words}', file=sys.stderr); sys.exit(1)")
        assert words in self.ensure(fresh)
        assert self.made(fresh) == ()
        self.let(fresh, FAKE)
        assert self.ensure(fresh) == ""
        assert len(self.made(fresh)) == LIBRARY_COUNT

    def test_only_one_process_compiles_at_a_time(self, fresh: Small) -> None:
        fcntl = pytest.importorskip("fcntl")
        fresh.folder.mkdir()
        with (fresh.folder / "building").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            self.ensure(fresh)
        assert self.made(fresh) == ()
        self.ensure(fresh)
        assert len(self.made(fresh)) == LIBRARY_COUNT

    def test_nothing_is_built_if_the_compiled_engine_is_disabled(self, fresh: Small) -> None:
        self.ensure(fresh, SHIBUMI3D_NATIVE="no")
        assert not fresh.folder.exists()

    def test_missing_compiler_is_reported(self, fresh: Small) -> None:
        self.ensure(fresh, CC="no-such-compiler")
        why = "The engine can't be compiled: no C compiler was found (no-such-compiler)"
        done = fresh.run("-m", "shibumi3d.build_native", CC="no-such-compiler")
        assert (done.returncode, done.stderr) == (2, f"{why}.\n")
        assert not fresh.folder.exists()

    def test_window_starts_the_build_only_if_it_is_needed(self, fresh: Small) -> None:
        code = "from shibumi3d import build_native as b; print(b.start_in_checkout())"
        assert fresh.run("-c", code, SHIBUMI3D_NATIVE="no").stdout == "False\n"
        assert fresh.run("-c", code, CC="no-such-compiler").stdout == "False\n"
        assert fresh.run("-c", code).stdout == "True\n"
        end = time.monotonic() + 60
        while len(self.made(fresh)) < LIBRARY_COUNT or native.read_progress(fresh.folder) is not None:
            assert time.monotonic() < end
            time.sleep(0.05)
        assert fresh.run("-c", code).stdout == "False\n"

    def test_installed_program_offers_to_compile_and_waits_for_consent(self, fresh: Small) -> None:
        (fresh.top / "pyproject.toml").unlink()
        cache = fresh.top / "cache"
        code = "from shibumi3d import build_native as b; print(b.start_in_checkout(), b.should_offer_build())"
        environment = {"XDG_CACHE_HOME": str(cache)}
        assert fresh.run("-c", code, **environment).stdout == "False True\n"
        assert fresh.run("-c", code, **environment, SHIBUMI3D_NATIVE="no").stdout == "False False\n"
        assert fresh.run("-c", code, **environment, CC="no-such-compiler").stdout == "False False\n"
        fresh.folder = cache / "shibumi3d" / "engine"
        assert self.made(fresh) == ()
        code = "from shibumi3d import build_native as b; print(b.start_build())"
        assert fresh.run("-c", code, **environment).stdout == "True\n"
        end = time.monotonic() + 60
        while len(self.made(fresh)) < LIBRARY_COUNT or native.read_progress(fresh.folder) is not None:
            assert time.monotonic() < end
            time.sleep(0.05)
        code = "from shibumi3d import build_native as b; print(b.should_offer_build())"
        assert fresh.run("-c", code, **environment).stdout == "False\n"

    def test_checkout_does_not_offer_to_compile(self, fresh: Small) -> None:
        code = "from shibumi3d import build_native as b; print(b.should_offer_build())"
        assert fresh.run("-c", code).stdout == "False\n"

    def test_version_includes_the_progress_of_the_build(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.delenv(native.ENGINE_VARIABLE)
        assert native.describe_progress(tmp_path) == native.status.message
        native.BuildProgress(0.417).write(tmp_path)
        assert str(native.describe_progress(tmp_path)).endswith("; compiling the engine: 42%")
        native.BuildProgress(stop_reason=Message("the disk is full")).write(tmp_path)
        assert "failed: the disk is full;" in str(native.describe_progress(tmp_path))
        assert "échoué : le disque est plein" in native.describe_progress(tmp_path).localize("fr")
        monkeypatch.setenv(native.ENGINE_VARIABLE, "no")
        assert native.describe_progress(tmp_path) == native.status.message

    def test_progress_file_of_another_version_is_ignored(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.delenv(native.ENGINE_VARIABLE)
        for words in ("stopped No space left on device", "stopped []", 'stopped ["a", 1]', "working soon"):
            native.write_atomically(tmp_path / native.PROGRESS_NAME, f"{words}\n")
            assert native.read_progress(tmp_path) is None


def test_damaged_build_record_is_ignored(tmp_path: Path) -> None:
    (tmp_path / native.RECORD_NAME).write_bytes(b"module \xff\n")
    assert native.read_record(tmp_path) is None


def test_sources_are_hashed_again_only_after_changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The hashes are needed twice at start-up, but unchanged sources are read only once.

    They are needed to check the compiled engine, and to decide whether to compile it again. The hash of a missing
    source is empty.
    """
    monkeypatch.setattr(native, "PACKAGE_FOLDER", tmp_path)
    (tmp_path / "rules.py").write_text("LEAST = 0\n")
    first = native.hash_sources(["rules.py", "none.py"])
    assert first["none.py"] == ""
    with monkeypatch.context() as context:
        context.setattr(Path, "read_bytes", lambda path: pytest.fail("it is read anew"))
        assert native.hash_sources(["rules.py", "none.py"]) == first
    (tmp_path / "rules.py").write_text("LEAST = 10\n")
    assert native.hash_sources(["rules.py"])["rules.py"] not in ("", first["rules.py"])
