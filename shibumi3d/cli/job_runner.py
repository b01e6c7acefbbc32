"""Options, execution and progress display of commands that run jobs in several processes or on several machines."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Protocol

from shibumi3d import files
from shibumi3d.cli.common import (
    CommandError,
    check_player_count,
    find_entry,
    find_variant,
    format_cpu_time,
    parse_positive,
    parse_seed,
    print_line,
)
from shibumi3d.i18n import LocalizedError, _, format_fixed, localize, ngettext
from shibumi3d.lab.jobs import GameText

if TYPE_CHECKING:
    from shibumi3d.catalogue.schema import Entry
    from shibumi3d.lab.jobs import Job, Row
    from shibumi3d.lab.row_store import RowStore
    from shibumi3d.lab.runner import JobProgress


MAX_WORKERS = 256
"""Maximum number of worker processes."""
SCHEDULER_JOBS = 64
"""Number of jobs that a ``mine`` command gives to a scheduler at a time."""
DEFAULT_MINING_SECONDS = 60
"""Default CPU time to search each game, in seconds."""


def add_lab_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that set where jobs run and where their results are stored."""
    where = parser.add_mutually_exclusive_group()
    where.add_argument(
        "--workers",
        type=_parse_workers,
        metavar="N",
        default=1,
        help=_("number of processes that share the work, up to {most} (default: 1)", most=MAX_WORKERS),
    )
    where.add_argument(
        "--scheduler",
        metavar=_("ADDRESS"),
        help=_("use the workers of the dask scheduler at this address, such as tcp://host:8786"),
    )
    add_store_option(parser)


def add_store_option(parser: argparse.ArgumentParser) -> None:
    """Add the option ``--store`` for the file in which results are stored."""
    parser.add_argument(
        "--store",
        type=Path,
        metavar=_("FILE"),
        help=_("file to keep the results in; results that it already contains aren't computed again"),
    )


def add_mining_options(parser: argparse.ArgumentParser, out_help: str) -> None:
    """Add the arguments that all ``mine`` commands share; ``out_help`` is the help text of ``--out``."""
    parser.add_argument(
        "game", metavar=_("GAME"), nargs="+", help=_("name of a game, or path of a game file")
    )
    parser.add_argument("--out", type=Path, required=True, metavar=_("OUT"), help=out_help)
    parser.add_argument(
        "--seconds",
        type=parse_positive,
        default=DEFAULT_MINING_SECONDS,
        metavar="N",
        help=_("CPU seconds to spend on each game (default: {usual})", usual=DEFAULT_MINING_SECONDS),
    )
    parser.add_argument(
        "--seed", type=parse_seed, default=1, metavar="N", help=_("first seed (default: {usual})", usual=1)
    )
    add_lab_options(parser)


def mining_targets(args: argparse.Namespace) -> Iterator[tuple[Entry, Path]]:
    """Yield each game to search, with the file to write.

    If there are several games, or if ``args.out`` is a folder, the files are in ``args.out`` and named after their
    games. The folder is created if necessary.
    """
    several = len(args.game) > 1 or os.path.isdir(args.out)
    if several:
        files.make_folder(args.out)
    for name in args.game:
        entry = find_entry(name)
        yield entry, args.out / f"{entry.id}.yaml" if several else args.out


def mine_games(
    args: argparse.Namespace, mine_game: Callable[[argparse.Namespace, Entry, Path, RunJobs], str]
) -> int:
    """Call ``mine_game`` with each game and the file to write, print the summaries it returns, and return 0."""
    with job_runner(args) as run_jobs:
        for entry, out in mining_targets(args):
            print_line(mine_game(args, entry, out, run_jobs))
    return 0


def parallel_job_count(args: argparse.Namespace) -> int:
    """Return how many jobs a ``mine`` command runs in each batch.

    The command checks its limits after each batch. A batch has one job per worker process, or :data:`SCHEDULER_JOBS`
    jobs if there is a scheduler. A search for problems in a fixed number of matches doesn't use this number.
    """
    return SCHEDULER_JOBS if args.scheduler is not None else int(args.workers)


@contextmanager
def localized_failures() -> Iterator[None]:
    """Re-raise any :class:`LocalizedError` from the block as a :class:`CommandError`."""
    try:
        yield
    except LocalizedError as error:
        raise CommandError(localize(error)) from None


def open_store(path: Path) -> RowStore:
    """Open or create the row store at ``path``.

    A notice is printed if another program keeps the file locked for a few seconds. Raises ValueError if the file can't
    be used as a store.
    """
    from shibumi3d.lab.row_store import LOCK_SECONDS, RowStore

    return RowStore(
        path,
        lambda: print_line(
            _(
                "Another program is using {path}. Waiting for up to {seconds} seconds…",
                path=path,
                seconds=round(LOCK_SECONDS),
            ),
            to_stderr=True,
        ),
    )


def _parse_workers(text: str) -> int:
    return parse_positive(text, MAX_WORKERS)


def setup_from_args(args: argparse.Namespace, seats: int | None = None, name: str = "") -> GameText:
    """Return the game and settings specified on the command line.

    If given, ``seats`` overrides the number of players, and ``name`` overrides the game.
    """
    entry = find_entry(name or args.game)
    options = dict(args.option)
    variant = find_variant(entry, args.variant)
    game = entry.game(size=args.size, variant=variant, options=options)
    seats = check_player_count(game, args.players if seats is None else seats)
    return GameText.from_entry(entry, seats=seats, size=args.size, variant=variant, options=options)


def run_from_args(
    args: argparse.Namespace,
    jobs: Iterable[Job],
    on_progress: Callable[[JobProgress], object] | None = None,
    *,
    return_rows: bool = True,
) -> tuple[list[Row], float]:
    """Run jobs as the options specify, and return their rows and the CPU time spent, in seconds.

    Jobs whose rows this version of the program has already stored are not repeated. ``on_progress`` is called with the
    progress; without it, the progress is shown in the terminal. If ``return_rows`` is false and there is a store, the
    rows are stored but not returned.

    If the user presses Ctrl+C, the run stops and CommandError is raised. With several processes or a scheduler, the
    jobs in progress are completed first, unless Ctrl+C is pressed again. CommandError is also raised for problems with
    the store or the workers.
    """
    with job_runner(args) as run_jobs:
        return run_jobs(jobs, on_progress, return_rows=return_rows)


class RunJobs(Protocol):
    """Function that runs jobs; see :func:`run_from_args`."""

    def __call__(
        self,
        jobs: Iterable[Job],
        on_progress: Callable[[JobProgress], object] | None = None,
        *,
        return_rows: bool = True,
    ) -> tuple[list[Row], float]:
        """Run the jobs; return their rows and the CPU time spent, in seconds.

        ``on_progress`` and ``return_rows`` work as in :func:`run_from_args`.
        """


@contextmanager
def job_runner(args: argparse.Namespace) -> Iterator[RunJobs]:
    """Yield a function that runs jobs as the options specify; see :func:`run_from_args`.

    The function can be called several times. It raises CommandError if the user interrupts the jobs, or for problems
    with the store or the workers. If the store or the scheduler can't be used at all, CommandError is raised before the
    block runs.
    """
    from shibumi3d.lab.runner import Stopped, fill, run

    with ExitStack() as stack:
        try:
            store, executor = None, None
            if args.store is not None:
                store = open_store(args.store)
            if args.scheduler is not None:
                from shibumi3d.lab.dask_executor import scheduled

                executor = stack.enter_context(scheduled(args.scheduler))
            elif args.workers > 1:
                from shibumi3d.lab.process_pool import Processes

                executor = stack.enter_context(Processes(args.workers))
        except LocalizedError as error:
            raise CommandError(localize(error)) from None

        def do(
            jobs: Iterable[Job],
            on_progress: Callable[[JobProgress], object] | None = None,
            *,
            return_rows: bool = True,
        ) -> tuple[list[Row], float]:
            line = _ProgressLine()

            def report(progress: JobProgress) -> None:
                line.seconds = progress.seconds
                (on_progress or line.show)(progress)

            try:
                if store is None or return_rows:
                    return run(jobs, executor=executor, store=store, on_progress=report), line.seconds
                fill(jobs, store, executor=executor, on_progress=report)
                return [], line.seconds
            except Stopped as stopped:
                stored_note = "" if args.store is None else _("; the results are in {path}", path=args.store)
                raise CommandError(
                    ngettext(
                        "stopped: {done} of {n} job done",
                        "stopped: {done} of {n} jobs done",
                        stopped.wanted,
                        done=stopped.done,
                    )
                    + stored_note
                ) from None
            except LocalizedError as error:
                raise CommandError(localize(error)) from None
            finally:
                line.end()

        yield do


def print_cpu_time(seconds: float, game_count: int) -> None:
    """Print the CPU time and the games per second to standard error, unless no time was spent."""
    if seconds:
        rate = game_count / seconds
        print_line(format_cpu_time(seconds, format_fixed(rate, 0 if rate >= 100 else 2)), to_stderr=True)


class _ProgressLine:
    def __init__(self) -> None:
        self.start_time = monotonic()
        self.seconds = 0.0
        """CPU time spent on the jobs so far."""
        self.is_shown = False

    def show(self, progress: JobProgress) -> None:
        """Show the current progress in one line on standard error, replacing what the line showed before.

        Nothing is shown if standard error isn't a terminal, or if there are fewer than two jobs.
        """
        done = progress.done - progress.kept
        if not sys.stderr.isatty() or progress.wanted < 2:
            return
        left = (monotonic() - self.start_time) / done * (progress.wanted - progress.done) if done else 0.0
        sentence = _("{done} of {wanted} jobs", done=progress.done, wanted=progress.wanted)
        if left:
            sentence += _(", {minutes} left", minutes=f"{int(left) // 60}:{int(left) % 60:02}")
        sys.stderr.write(f"\r{sentence:<60}")
        sys.stderr.flush()
        self.is_shown = True

    def end(self) -> None:
        """End the line, if it was shown, so that later output starts on a new line."""
        if self.is_shown:
            print_line(to_stderr=True)
