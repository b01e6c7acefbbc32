"""The laboratory: batches of matches, split into jobs that give the same results on every machine.

>>> from shibumi3d.lab import Matches, GameText, run
>>> table = GameText.from_entry("spline")
>>> rows = run(Matches(table, ("pebble", "stone"), count=2, tries=10).split())
>>> [row["number"] for row in rows]
[0, 1]

To use four processes, pass ``executor=Processes(4)`` and call :func:`run` below ``if __name__ == "__main__":``. To use
the workers of a dask scheduler, pass ``executor=scheduled("tcp://host:8786")``. With
``store=RowStore(Path("rows.db"))``, the rows are stored, so that a second run does only the jobs that are missing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from shibumi3d.deprecation import warn_renamed

if TYPE_CHECKING:
    from shibumi3d.lab.dask_executor import scheduled as scheduled
    from shibumi3d.lab.jobs import GameText as GameText
    from shibumi3d.lab.jobs import Job as Job
    from shibumi3d.lab.jobs import Judging as Judging
    from shibumi3d.lab.jobs import Matches as Matches
    from shibumi3d.lab.process_pool import Processes as Processes
    from shibumi3d.lab.row_store import RowStore as RowStore
    from shibumi3d.lab.runner import JobProgress as JobProgress
    from shibumi3d.lab.runner import JobsLostError as JobsLostError
    from shibumi3d.lab.runner import Stopped as Stopped
    from shibumi3d.lab.runner import VersionMismatchError as VersionMismatchError
    from shibumi3d.lab.runner import fill as fill
    from shibumi3d.lab.runner import run as run

__all__ = [
    "GameText",
    "Job",
    "JobProgress",
    "JobsLostError",
    "Judging",
    "Matches",
    "Processes",
    "RowStore",
    "Stopped",
    "VersionMismatchError",
    "fill",
    "run",
    "scheduled",
]
_MODULES = {
    **dict.fromkeys(("Job", "Judging", "Matches", "GameText"), "jobs"),
    **dict.fromkeys(
        ("JobProgress", "JobsLostError", "Stopped", "VersionMismatchError", "fill", "run"), "runner"
    ),
    "scheduled": "dask_executor",
    "Processes": "process_pool",
    "RowStore": "row_store",
}
"""The module that defines each name.

Modules are imported on demand, so that simple uses load neither the database nor worker processes.
"""


_FORMER_NAMES = {"Advance": "JobProgress", "Lost": "JobsLostError", "Unlike": "VersionMismatchError"}
"""Former names of classes, each with its current name."""


def __getattr__(name: str) -> Any:
    if name in _FORMER_NAMES:
        warn_renamed(name, _FORMER_NAMES[name])
        name = _FORMER_NAMES[name]
    if name in _MODULES:
        return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
    raise AttributeError(name)
