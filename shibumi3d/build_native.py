"""Compiles the engine: ``python -m shibumi3d.build_native``, or ``make native``.

The modules named in :data:`MODULES` are compiled together by mypyc, in a temporary folder that holds them and what
they import, and then put where :mod:`shibumi3d.native` finds them. Their sources stay what runs without them.
"""

from __future__ import annotations

import argparse
import ast
import os
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

from shibumi3d import native
from shibumi3d.native import FOLDER, LIBRARY, PACKAGE, SUFFIX

MODULES: tuple[str, ...] = (
    "shibumi3d.rules.marbles.bits",
    "shibumi3d.rules.marbles.engine.board",
    "shibumi3d.rules.marbles.engine.build.comprehensions",
    "shibumi3d.rules.marbles.engine.build.expressions",
    "shibumi3d.rules.marbles.engine.build.fixed",
    "shibumi3d.rules.marbles.engine.build.geometry",
    "shibumi3d.rules.marbles.engine.build.maker",
    "shibumi3d.rules.marbles.engine.build.nodes",
    "shibumi3d.rules.marbles.engine.build.program",
    "shibumi3d.rules.marbles.engine.build.values",
    "shibumi3d.rules.marbles.engine.chance",
    "shibumi3d.rules.marbles.engine.ends",
    "shibumi3d.rules.marbles.engine.exact",
    "shibumi3d.rules.marbles.engine.fast",
    "shibumi3d.rules.marbles.engine.frozen",
    "shibumi3d.rules.marbles.engine.lookahead",
    "shibumi3d.rules.marbles.engine.machine",
    "shibumi3d.rules.marbles.engine.nodes.loops",
    "shibumi3d.rules.marbles.engine.nodes.operators",
    "shibumi3d.rules.marbles.engine.nodes.places",
    "shibumi3d.rules.marbles.engine.nodes.values",
    "shibumi3d.rules.marbles.engine.play",
    "shibumi3d.rules.marbles.engine.playouts",
    "shibumi3d.rules.marbles.engine.proofs",
    "shibumi3d.rules.marbles.engine.steps.blocks",
    "shibumi3d.rules.marbles.engine.steps.branches",
    "shibumi3d.rules.marbles.engine.steps.choices",
    "shibumi3d.rules.marbles.engine.steps.picks",
    "shibumi3d.rules.marbles.engine.steps.verbs",
    "shibumi3d.rules.marbles.engine.tree",
    "shibumi3d.rules.marbles.engine.turns",
    "shibumi3d.rules.marbles.engine.workspace",
    "shibumi3d.rules.marbles.position",
    "shibumi3d.rules.marbles.pyramid",
)
"""What is compiled; every new module of the engine is named here. They may import each other in circles."""

ENGINE = "shibumi3d.rules.marbles.engine"
WIDE = "shibumi3d.rules.marbles.engine_wide"
"""Modules of :data:`ENGINE` that count sets in integers of 64 bits (``i64 as M``) are compiled a second time, in
this package, with Python's integers: for boards whose sets need more bits."""

WIDE_LIBRARY = "shibumi3d_wide__mypyc"
"""The library of these twins. It is compiled at the same time as the other, and opened for wide boards only."""

LONGEST = 1800
"""Seconds after which compiling is given up."""

# Let the C compiler inline what mypyc splits into functions: worth a fifth. Each is used where it is known.
FLAGS = ("-fvisibility=hidden", "-fno-semantic-interposition", "-Wno-error")

_NARROW = "from mypy_extensions import i64 as M"

_SETUP = """
import sys
import setuptools
from distutils import ccompiler, sysconfig
from pathlib import Path
from mypyc.build import mypycify

def takes(flag):
    compiler = ccompiler.new_compiler()
    sysconfig.customize_compiler(compiler)
    if compiler.compiler_type != "unix":
        return False
    try:
        compiler.compile(["empty.c"], output_dir="tried", extra_preargs=["-Werror", flag])
    except Exception:
        return False
    return True

Path("empty.c").write_text("")
flags, groups = eval(sys.argv[1])
files = [file for _, files in groups for file in files]
if len(groups) == 1:
    how = {"group_name": groups[0][0]}
else:
    how = {"separate": [(files, name) for name, files in groups]}
extensions = mypycify(files, opt_level="3", debug_level="0", **how)
extensions.sort(key=lambda extension: "__mypyc" not in extension.name)  # the long ones first
taken = [flag for flag in flags if takes(flag)]
for extension in extensions:
    extension.extra_compile_args += taken
command = ["-q", "build_ext", "--build-lib", "out", "--build-temp", "tmp", "--parallel", "2"]
setuptools.setup(name="engine", packages=[], py_modules=[], ext_modules=extensions, script_args=command)
"""


class BuildFailed(Exception):
    """The engine is not compiled. The message is one line; ``output`` what the compilers said; ``refused``: whether
    the compiler does not take these sources, so that another try would end the same way."""

    def __init__(self, message: str, output: str = "", refused: bool = False) -> None:
        super().__init__(message)
        self.output = output
        self.refused = refused


_PASSING = (
    "No space left",
    "Killed signal",
    "Terminated signal",
    "out of memory",
    "MemoryError",
    "cannot allocate",
)
"""What compilers say when it is not the sources that they could not take."""


@contextmanager
def alone(folder: Path, wait: bool) -> Iterator[bool]:
    """Be the only one who compiles into ``folder``, and say whether that is so; with ``wait`` it comes to be so."""
    if os.name == "nt":
        yield True
        return
    import fcntl

    folder.mkdir(exist_ok=True)
    with (folder / "building").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
        except BlockingIOError:
            yield False
        else:
            yield True


def source_of(module: str) -> str:
    """The path of a module's source in the package; empty when it has none there."""
    path = "/".join(module.split(".")[1:])
    return next((name for name in (f"{path}.py", f"{path}/__init__.py") if (PACKAGE / name).is_file()), "")


def closure(modules: Iterable[str]) -> tuple[str, ...]:
    """The sources of ``modules`` and of everything in the package that they import, also only for types.

    The package's own first module is not among them: it only leads to the catalogue.
    """
    found: set[str] = set()
    todo = list(modules)
    while todo:
        module = todo.pop()
        name = source_of(module)
        if name and name != "__init__.py" and name not in found:
            found.add(name)
            todo += imports(module, name)
            todo.append(module.rpartition(".")[0])
    return tuple(sorted(found))


def imports(module: str, name: str) -> Iterator[str]:
    """The modules of the package that a source may import, among them names that are no modules."""
    parts = module.split(".") if name.endswith("__init__.py") else module.split(".")[:-1]
    for node in ast.walk(ast.parse((PACKAGE / name).read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name.startswith("shibumi3d."))
        elif isinstance(node, ast.ImportFrom):
            base = ".".join(parts[: len(parts) + 1 - node.level]) if node.level else ""
            whole = ".".join(part for part in (base, node.module or "") if part)
            if whole.partition(".")[0] == "shibumi3d":
                yield from (whole, *(f"{whole}.{alias.name}" for alias in node.names))


def twins(modules: Sequence[str] = MODULES) -> dict[str, str]:
    """The modules that are compiled a second time, and the names of their twins: those that use integers of 64 bits,
    and those that import such a module."""
    engine = [module for module in modules if module.startswith(f"{ENGINE}.")]
    texts = {module: (PACKAGE / source_of(module)).read_text(encoding="utf-8") for module in engine}
    known = {module: set(imports(module, source_of(module))) for module in engine}
    found = {module for module in engine if _NARROW in texts[module]}
    while more := {module for module in engine if module not in found and known[module] & found}:
        found |= more
    return {module: module.replace(ENGINE, WIDE, 1) for module in sorted(found)}


def twin_text(module: str, twinned: Iterable[str]) -> str:
    """The source of a module's twin: with integers of any size, and the twins of other modules."""
    own = set(twinned)
    packages = {name.rpartition(".")[0] for name in own}
    text = (PACKAGE / source_of(module)).read_text(encoding="utf-8")
    lines = text.replace(_NARROW, "from builtins import int as M").splitlines(keepends=True)
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ImportFrom) and node.module:
            parts = {f"{node.module}.{alias.name}" for alias in node.names} & own
            if parts and node.module in packages and len(parts) < len(node.names):
                raise BuildFailed(f"{module} imports modules with and without a twin in line {node.lineno}")
            if parts or node.module in own:
                at = node.lineno - 1
                lines[at] = lines[at].replace(ENGINE, WIDE)
    return "".join(lines)


def missing() -> str:
    """What compiling needs and is not here; empty when everything is."""
    if not find_spec("mypyc") or not (find_spec("setuptools") or sys.version_info < (3, 12)):
        return "mypy and setuptools are not installed"
    if os.name == "nt":
        return ""  # setuptools looks for the compiler
    command = os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc"
    if not shutil.which(shlex.split(command)[0]):
        return f"there is no C compiler ({shlex.split(command)[0]})"
    header = Path(sysconfig.get_path("include"), "Python.h")
    return "" if header.is_file() else f"Python's header files are not installed ({header})"


def build(folder: Path = FOLDER) -> None:
    """Compile the engine and put it into ``folder`` with its record. Raises :class:`BuildFailed`."""
    sources = native.hashes(closure(MODULES))
    with tempfile.TemporaryDirectory(prefix="shibumi3d-") as name:
        work = Path(name)
        for source in ("__init__.py", *sources):
            (work / "shibumi3d" / source).parent.mkdir(parents=True, exist_ok=True)
            (work / "shibumi3d" / source).touch()
        for source in sources:
            shutil.copy(PACKAGE / source, work / "shibumi3d" / source)
        twinned = twins()
        for module, twin in twinned.items():
            path = work / f"{twin.replace('.', '/')}.py"
            path.parent.mkdir(parents=True, exist_ok=True)
            (path.parent / "__init__.py").touch()
            path.write_text(twin_text(module, twinned), encoding="utf-8")
        groups = [(LIBRARY, MODULES)]
        if twinned:
            groups.append((WIDE_LIBRARY, tuple(twinned.values())))
        _compile(work, groups)
        names = [name for library, modules in groups for name in (library, *modules)]
        _install(work / "out", folder, native.BuildRecord(tuple(names), sources))


def _compile(work: Path, groups: list[tuple[str, tuple[str, ...]]]) -> None:
    """Run mypyc and the C compiler in ``work`` on modules that share a library, and show that they do."""
    files = [
        (library.removesuffix("__mypyc"), [f"{module.replace('.', '/')}.py" for module in modules])
        for library, modules in groups
    ]
    text = f"Compiling the engine ({len(MODULES)} modules), about a minute"
    shown = sys.stderr.isatty()
    if not shown:
        print(f"{text} …", file=sys.stderr, flush=True)
    begun = time.monotonic()
    with (work / "output.txt").open("w+", encoding="utf-8", errors="replace") as output:
        command = [sys.executable, "-P", "-c", _SETUP, repr((FLAGS, files))]
        with subprocess.Popen(command, cwd=work, stdout=output, stderr=subprocess.STDOUT) as running:
            while True:
                spent = time.monotonic() - begun
                if shown:
                    print(f"\r{text} … {spent:.0f} s ", end="", file=sys.stderr, flush=True)
                try:
                    running.wait(0.5)
                    break
                except subprocess.TimeoutExpired:
                    if spent > LONGEST:
                        running.kill()
        if shown:
            print(file=sys.stderr)
        output.seek(0)
        said = output.read()
    if running.returncode:
        lines = [line.strip() for line in said.splitlines() if "error" in line.casefold()]
        if spent > LONGEST:
            why = f"it takes longer than {LONGEST} s"
        elif lines:
            why = lines[0]
        elif running.returncode < 0:
            why = f"it was stopped by signal {-running.returncode}"
        else:
            why = f"it ended with status {running.returncode}"
        passing = spent > LONGEST or running.returncode < 0 or any(sign in said for sign in _PASSING)
        raise BuildFailed(why, said, refused=not passing)


def _install(made: Path, folder: Path, record: native.BuildRecord) -> None:
    """Put the modules ``made`` into ``folder``: the record goes first and comes last, so that nothing half done is
    ever used."""
    try:
        folder.mkdir(exist_ok=True)
        remove(folder)
        for module in record.modules:
            shutil.copy(made / f"{module.replace('.', '/')}{SUFFIX}", folder / f"{module}{SUFFIX}")
        record.write(folder)
    except OSError as problem:
        raise BuildFailed(f"{problem.filename}: {problem.strerror}") from None


def remove(folder: Path) -> None:
    """Take away what was compiled for this Python."""
    for path in (folder / native.RECORD, *folder.glob(f"*{SUFFIX}*")):
        path.unlink(missing_ok=True)


def compiled() -> bool:
    """Whether the engine is compiled from the sources as they are."""
    record = native.read()
    return (
        record is not None
        and record.modules[1 : len(MODULES) + 1] == MODULES
        and not record.changed()
        and all((FOLDER / f"{module}{SUFFIX}").is_file() for module in record.modules)
    )


def copy(folder: Path) -> None:
    """Put what is compiled into another folder."""
    for path in (FOLDER / native.RECORD, *FOLDER.glob(f"*{SUFFIX}")):
        shutil.copy(path, folder)


def edited() -> bool:
    """Whether somebody works on the engine: its sources differ from what is committed."""
    command = ["git", "status", "--porcelain", "--", *closure(MODULES)]
    try:
        done = subprocess.run(command, cwd=PACKAGE, capture_output=True, check=False)
    except OSError:
        return False
    return done.returncode == 0 and bool(done.stdout)


def ensure() -> None:
    """Compile the engine unless that is done, can't be done, or is not wanted; what fails is said in one line.

    While somebody edits the engine's sources it is not compiled anew at every start: the program then runs the
    sources, and says so. A build that failed is tried again when other sources are committed.
    """
    if os.environ.get(native.SWITCH) == "no" or compiled():
        return
    slower = "it runs in plain Python, and computer players see less far"
    record = native.read()
    if record is not None and record.failed and (edited() or not record.changed()):
        print(f"The engine could not be compiled before: {slower}. 'make native' says why.", file=sys.stderr)
    elif record is not None and edited():
        return
    elif lacking := missing():
        print(f"The engine is not compiled, because {lacking}: {slower}.", file=sys.stderr)
    else:
        try:
            with alone(FOLDER, wait=False) as mine:
                if mine:
                    build()
        except OSError as problem:  # such as a checkout that can't be written
            print(f"The engine is not compiled ({problem}): {slower}.", file=sys.stderr)
        except BuildFailed as problem:
            if not problem.refused:
                print(
                    f"The engine is not compiled ({problem}): {slower}. It is tried again.", file=sys.stderr
                )
                return
            print(
                f"The engine can't be compiled ({problem}): {slower}. 'make native' says more.",
                file=sys.stderr,
            )
            failed = native.BuildRecord((), native.hashes(closure(MODULES)), str(problem))
            failed.write(FOLDER)


def main(argv: Sequence[str] | None = None) -> int:
    """Compile the engine, or do what the arguments say; returns the exit code: 1 when it can't be compiled, 2 when
    there is nothing to compile it with."""
    parser = argparse.ArgumentParser(
        prog="python -m shibumi3d.build_native", description="Compile the engine."
    )
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--ensure", action="store_true", help="only when needed, and never fail")
    how.add_argument("--remove", action="store_true", help="take the compiled modules away")
    how.add_argument("--into", type=Path, metavar="DIR", help="put the modules there instead")
    args = parser.parse_args(argv)
    if args.ensure:
        ensure()
    elif args.remove:
        remove(FOLDER)
    elif compiled():
        if args.into:
            copy(args.into)
        print("The engine is compiled, and no source has changed since.", file=sys.stderr)
    elif lacking := missing():
        print(f"The engine is not compiled, because {lacking}.", file=sys.stderr)
        return 2
    else:
        try:
            with alone(FOLDER, wait=True):
                if args.into or not compiled():
                    build(args.into or FOLDER)
        except BuildFailed as problem:
            print(f"{problem.output}The engine is not compiled: {problem}", file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
