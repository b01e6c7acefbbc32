"""Fixtures and options that all tests share."""

from __future__ import annotations

import gc
import os
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from importlib import import_module
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# Set before the package is imported. Tests, and the programs they start, run the Python sources unless the compiled
# engine is to be tested (SHIBUMI3D_NATIVE=yes).
os.environ.setdefault("SHIBUMI3D_NATIVE", "no")
# Processes share the shaders that software OpenGL has compiled.
os.environ.setdefault(
    "MESA_SHADER_CACHE_DIR", str(Path(__file__).resolve().parents[1] / ".pytest_cache/shaders")
)

from shibumi3d import native
from shibumi3d.render import materials
from tests import share, surroundings
from tests.app.hand import hand, window  # noqa: F401  # fixtures
from tests.leftovers import Snapshot

surroundings.settle()

# Every test has its own OpenGL context, but nearly all show the same boards, so processes share baked textures.
materials.MAX_TEXTURES_IN_MEMORY = 24
materials.MAX_CACHE_FILES = 200
materials.cache_folder = Path(os.environ["MESA_SHADER_CACHE_DIR"]).parent.absolute

# On a busy machine, the time that an example takes means nothing.
settings.register_profile("all", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("all")

ROOT = Path(__file__).resolve().parent.parent

SLOW = (
    "app/test_",
    "attack/",
    "cli/",
    "games/",
    "lab/",
    "render/",
    "rules/golden/",
    "search/",
    "tables/",
    "test_docs",
    "test_contributor_guides",
    "test_wheel",
    "test_compiled_engine",
)
"""Path prefixes, relative to this folder, of the test files that ``make quick`` leaves out."""
QUICK = ("app/test_home.py", "app/test_ui", "app/test_controller")
"""Path prefixes of the test files that ``make quick`` runs although :data:`SLOW` covers them."""
MANY, EVERY = 8, 10
"""``make quick`` runs only every ``EVERY``-th case of a test that has more than ``MANY``."""


def pytest_configure(config: pytest.Config) -> None:
    """Disable fsync, and let ``share`` select cases according to the ``-m`` option."""
    # No test simulates a power failure, and waiting for the disk takes a tenth of the total time.
    os.fsync = lambda file: None
    share.everything = "not thorough" not in config.getoption("-m")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Return the number of workers: one more than the number of cores.

    Tests that run whole programs spend most of their time waiting, so the extra worker keeps the cores busy.
    """
    return (os.cpu_count() or 1) + 1


@pytest.hookimpl(tryfirst=True)
def pytest_collection(session: pytest.Session) -> None:
    """Import the test modules in every worker, each worker beginning with a different one.

    pytest rewrites the assertions of each test module and caches the result on disk, so the workers share this work.
    Nothing is imported if there are no workers, if no folder is to be collected, or if bytecode isn't written. Import
    errors are ignored here, since pytest reports them when it collects the modules.
    """
    worker = getattr(session.config, "workerinput", None)
    folders = [path for path in map(Path, session.config.args) if path.is_dir()]
    files = [file for folder in folders for file in sorted(folder.resolve().rglob("test_*.py"))]
    if worker is None or not files or sys.dont_write_bytecode:
        return
    first = len(files) * int(worker["workerid"][2:]) // worker["workercount"]
    for file in files[first:] + files[:first]:
        if not pytest_ignore_collect(file, session.config):
            # Errors in a file are reported when it is collected.
            with suppress(Exception, pytest.skip.Exception):
                import_module(".".join(file.relative_to(ROOT).with_suffix("").parts))


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """If only quick tests are selected, ignore the files that ``make quick`` leaves out."""
    if (
        "not slow" in config.getoption("-m")
        and collection_path.suffix == ".py"
        and _left_out(collection_path)
    ):
        return True
    return None


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark tests as slow, so that ``make quick`` leaves them out.

    Tests marked ``display`` are slow, and so are those in files that ``make quick`` skips. If any other test has more
    than :data:`MANY` cases, every :data:`EVERY`-th case stays quick, and the others are slow.
    """
    cases = Counter(_base_node_id(item) for item in items)
    seen_counts: Counter[str] = Counter()
    for item in items:
        test = _base_node_id(item)
        thinned = cases[test] > MANY and seen_counts[test] % EVERY
        seen_counts[test] += 1
        if thinned or item.get_closest_marker("display") or _left_out(item.path):
            item.add_marker(pytest.mark.slow)


def _left_out(path: Path) -> bool:
    """Return whether ``make quick`` skips a file altogether."""
    name = path.relative_to(ROOT / "tests").as_posix() if path.is_relative_to(ROOT / "tests") else ""
    return name.startswith(SLOW) and not name.startswith(QUICK)


def _base_node_id(item: pytest.Item) -> str:
    return item.nodeid.partition("[")[0]


SNAPSHOT = pytest.StashKey[Snapshot]()


def pytest_sessionstart(session: pytest.Session) -> None:
    """Take a :class:`Snapshot`, create the shader cache folder, and check which engine is loaded.

    Only the main process takes a snapshot. The cache folder is created because drivers don't create one whose parent is
    missing. If SHIBUMI3D_NATIVE is yes but the compiled engine isn't loaded, the session ends, since the tests would
    otherwise run the Python sources unnoticed.
    """
    if not hasattr(session.config, "workerinput"):
        is_virtual = sys.prefix != sys.base_prefix  # a system-wide Python may be changed by others
        session.config.stash[SNAPSHOT] = Snapshot(ROOT, Path(sys.prefix) if is_virtual else None)
    Path(os.environ["MESA_SHADER_CACHE_DIR"]).mkdir(parents=True, exist_ok=True)
    if os.environ["SHIBUMI3D_NATIVE"] == "yes" and not native.status.is_native:
        pytest.exit(f"The engine is {native.status}: run 'make native' first.", returncode=1)


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Fail the run if tests changed the virtual environment's files or left broken bytecode behind.

    Complete bytecode is allowed, both in the environment and in the checkout. In CI, the run also fails if git reports
    other changes to the checkout. Outside CI, such changes are ignored, because somebody may be editing files during
    the run. A system-wide installation isn't checked.
    """
    snapshot = session.config.stash.get(SNAPSHOT, None)
    if snapshot is None:
        return
    damage, edits = snapshot.damage(), snapshot.edits() if _in_ci() else []
    if damage or edits:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
        terminal = session.config.pluginmanager.get_plugin("terminalreporter")
        terminal.stats.setdefault("error", []).append(_error("what the tests left behind", [*damage, *edits]))


def _error(name: str, lines: list[str]) -> pytest.TestReport:
    """Return a report for pytest's summary about an error that wasn't caused by a particular test."""
    return pytest.TestReport(name, (name, None, name), {}, "failed", "\n".join(lines), "teardown")


def pytest_collection_finish() -> None:
    """Exclude the collected tests from garbage collection, and let it run less often.

    Otherwise, it would keep scanning the tests.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 20, 20)


def pytest_report_header() -> str:
    return f"engine: {native.status}"


@pytest.fixture(autouse=True)
def _own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Give each test its own folders for data, settings, caches and state instead of the user's."""
    for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME"):
        monkeypatch.setenv(name, str(tmp_path / name.lower()))


@pytest.fixture(autouse=True, scope="module")
def _end_idle_worker() -> Iterator[None]:
    """After the tests of a module, end the engine process that is kept idle for reuse."""
    yield
    if (client := sys.modules.get("shibumi3d.search.engine_client")) is not None:
        client.end_idle_worker()


@pytest.fixture(scope="session")
def in_ci() -> bool:
    """Whether tests must fail, rather than be skipped, if a requirement such as OpenGL is missing."""
    return _in_ci()


def _in_ci() -> bool:
    return os.environ.get("CI", "") not in ("", "0", "false")


@pytest.fixture(scope="session")
def needs_gl(in_ci: bool) -> None:
    """Skip the test if off-screen OpenGL is unavailable; in CI, fail it."""
    from shibumi3d.render.screenshot import NoGraphicsError, OffscreenRenderer

    try:
        OffscreenRenderer("low").release()
    except NoGraphicsError as error:
        if in_ci:
            pytest.fail(f"{error} Install libegl1 and libgl1.")
        pytest.skip(str(error))
