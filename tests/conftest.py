"""Fixtures and options that all tests share."""

from __future__ import annotations

import gc
import os
import sys
from collections import Counter
from contextlib import suppress
from importlib import import_module
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# Before the package is imported: tests run the sources, also those that start the program anew, unless the compiled
# engine is what is to be tested (SHIBUMI3D_NATIVE=yes).
os.environ.setdefault("SHIBUMI3D_NATIVE", "no")
# What software GL compiles for one process it need not compile for the next.
os.environ.setdefault(
    "MESA_SHADER_CACHE_DIR", str(Path(__file__).resolve().parents[1] / ".pytest_cache/shaders")
)

from shibumi3d import native
from shibumi3d.render import materials
from tests import share, surroundings
from tests.app.hand import hand, window  # noqa: F401  # fixtures
from tests.leftovers import Snapshot

surroundings.settle()

# Every test has a context of its own, and nearly all show the same boards: what one process bakes serves all.
materials.MAX_TEXTURES_IN_MEMORY = 24
materials.MAX_CACHE_FILES = 200
materials.cache_folder = Path(os.environ["MESA_SHADER_CACHE_DIR"]).parent.absolute

# How long an example takes on a busy machine decides nothing.
settings.register_profile("all", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("all")

ROOT = Path(__file__).resolve().parent.parent

SLOW = (
    "app/test_",
    "attack/",
    "cli/",
    "games/",
    "render/",
    "search/",
    "test_docs",
    "test_guides",
    "test_wheel",
    "test_native",
)
"""Files, by how their paths below this folder begin, that ``make quick`` leaves out: pages, pictures, every game."""
QUICK = ("app/test_home", "app/test_ui", "app/test_controller", "cli/test_text", "games/test_secrets")
"""Files that it takes all the same."""
MANY, EVERY = 8, 10
"""Of a test with more than so many cases it takes every tenth."""


def pytest_configure(config: pytest.Config) -> None:
    """Tell tests that have seeds within them how many are wanted."""
    # No test pulls the plug, and waiting for the disk is a tenth of the time on the clock.
    os.fsync = lambda file: None
    share.everything = "not thorough" not in config.getoption("-m")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Give each core a process to test in, and one more: tests of whole programs mostly wait."""
    return (os.cpu_count() or 1) + 1


@pytest.hookimpl(tryfirst=True)
def pytest_collection(session: pytest.Session) -> None:
    """Let each process begin to read the tests at another place: what pytest makes of a file is kept, and so is made
    once in place of once for each."""
    told = getattr(session.config, "workerinput", None)
    folders = [path for path in map(Path, session.config.args) if path.is_dir()]
    files = [file for folder in folders for file in sorted(folder.resolve().rglob("test_*.py"))]
    if told is None or not files or sys.dont_write_bytecode:
        return
    first = len(files) * int(told["workerid"][2:]) // told["workercount"]
    for file in files[first:] + files[:first]:
        if not pytest_ignore_collect(file, session.config):
            # What is wrong with a file is told where it is collected.
            with suppress(Exception, pytest.skip.Exception):
                import_module(".".join(file.relative_to(ROOT).with_suffix("").parts))


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Files that ``make quick`` leaves out it does not read either."""
    if (
        "not slow" in config.getoption("-m")
        and collection_path.suffix == ".py"
        and _left_out(collection_path)
    ):
        return True
    return None


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark as slow what ``make quick`` leaves out."""
    cases = Counter(_test_of(item) for item in items)
    met: Counter[str] = Counter()
    for item in items:
        test = _test_of(item)
        thinned = cases[test] > MANY and met[test] % EVERY
        met[test] += 1
        if thinned or item.get_closest_marker("display") or _left_out(item.path):
            item.add_marker(pytest.mark.slow)


def _left_out(path: Path) -> bool:
    """Whether ``make quick`` takes nothing of this file."""
    name = path.relative_to(ROOT / "tests").as_posix() if path.is_relative_to(ROOT / "tests") else ""
    return name.startswith(SLOW) and not name.startswith(QUICK)


def _test_of(item: pytest.Item) -> str:
    """The function whose cases differ in their parameters alone."""
    return item.nodeid.partition("[")[0]


SNAPSHOT = pytest.StashKey[Snapshot]()


def pytest_sessionstart(session: pytest.Session) -> None:
    """Tests of the compiled engine never run something else; drivers make no folder within one that is missing."""
    if not hasattr(session.config, "workerinput"):
        own = sys.prefix != sys.base_prefix  # what all of the system use, others change too
        session.config.stash[SNAPSHOT] = Snapshot(ROOT, Path(sys.prefix) if own else None)
    Path(os.environ["MESA_SHADER_CACHE_DIR"]).mkdir(parents=True, exist_ok=True)
    if os.environ["SHIBUMI3D_NATIVE"] == "yes" and not native.status.is_native:
        pytest.exit(f"The engine is {native.status}: run 'make native' first.", returncode=1)


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Fail when tests have left something in the installation, or in the checkout: that alone only in CI, as elsewhere
    somebody may edit it meanwhile."""
    snapshot = session.config.stash.get(SNAPSHOT, None)
    if snapshot is None:
        return
    damage, edits = snapshot.damage(), snapshot.edits() if _in_ci() else []
    if damage or edits:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
        terminal = session.config.pluginmanager.get_plugin("terminalreporter")
        terminal.stats.setdefault("error", []).append(_error("what the tests left behind", [*damage, *edits]))


def _error(name: str, lines: list[str]) -> pytest.TestReport:
    """An error in the summary that belongs to no test."""
    return pytest.TestReport(name, (name, None, name), {}, "failed", "\n".join(lines), "teardown")


def pytest_collection_finish() -> None:
    """What is collected stays: to look again and again whether it is garbage takes a share of the time of all tests."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 20, 20)


def pytest_report_header() -> str:
    return f"engine: {native.status}"


@pytest.fixture(autouse=True)
def _own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test reads or writes the settings and matches of whoever runs it."""
    for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME"):
        monkeypatch.setenv(name, str(tmp_path / name.lower()))


@pytest.fixture(scope="session")
def in_ci() -> bool:
    """Whether what is missing (such as GL) must fail the tests instead of skipping them."""
    return _in_ci()


def _in_ci() -> bool:
    return os.environ.get("CI", "") not in ("", "0", "false")


@pytest.fixture(scope="session")
def needs_gl(in_ci: bool) -> None:
    """Off-screen OpenGL. Where it is missing the test is skipped, in CI it fails."""
    from shibumi3d.render.screenshot import NoGraphicsError, OffscreenRenderer

    try:
        OffscreenRenderer("low").release()
    except NoGraphicsError as error:
        if in_ci:
            pytest.fail(f"{error} Install libegl1 and libgl1.")
        pytest.skip(str(error))
