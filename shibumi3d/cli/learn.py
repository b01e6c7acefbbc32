"""``shibumi3d learn``: train the evaluation of games by self-play.

The result is kept only if it makes the top level, sky, stronger.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING

from shibumi3d import files
from shibumi3d.cli.common import (
    CommandError,
    add_command,
    add_game_options,
    add_players_option,
    add_seed_option,
    open_catalogue,
    parse_positive,
    parse_seconds,
    print_line,
)
from shibumi3d.cli.job_runner import add_lab_options, job_runner, setup_from_args
from shibumi3d.i18n import _, format_percent, localize, ngettext

if TYPE_CHECKING:
    from shibumi3d.cli.common import Commands
    from shibumi3d.lab.training import TrainingResult

MAX_MATCHES, MOVE_SECONDS = 400, 0.03
"""Default maximum number of test matches, and default CPU time in seconds for each of their moves."""


def register(commands: Commands) -> None:
    """Add the ``learn`` command."""
    parser = add_command(
        commands,
        "learn",
        run,
        _(
            "train the computer by letting it play games against itself; Sky then uses what it has learned, "
            "but only in games where this makes it stronger. If you stop the training, it continues "
            "where it left off next time"
        ),
    )
    parser.add_argument(
        "games", metavar=_("GAME"), nargs="+", help=_("name of a game, or path of a game file")
    )
    add_game_options(parser)
    add_seed_option(parser)
    add_players_option(parser)
    parser.add_argument(
        "--matches",
        type=parse_positive,
        metavar="N",
        default=MAX_MATCHES,
        help=_(
            "maximum number of test matches, which show whether training has made Sky stronger (default: "
            "{usual})",
            usual=MAX_MATCHES,
        ),
    )
    parser.add_argument(
        "--seconds",
        type=parse_seconds,
        metavar="S",
        default=MOVE_SECONDS,
        help=_("seconds of CPU time per move in the test matches (default: {usual})", usual=MOVE_SECONDS),
    )
    where = parser.add_mutually_exclusive_group()
    where.add_argument(
        "--out",
        type=Path,
        metavar=_("FOLDER"),
        help=_("folder to save the result in (default: your data folder, where the program looks for it)"),
    )
    where.add_argument(
        "--package", action="store_true", help=_("save the result in the program itself (for developers)")
    )
    add_lab_options(parser)
    parser.add_argument("--json", action="store_true", help=_("print the result as JSON"))


def run(args: argparse.Namespace) -> int:
    """Train and test an evaluation for each game, and save it only if it makes the level "sky" stronger.

    The results are printed.
    """
    from shibumi3d.lab.training import STORE_FILE, save_if_accepted, train
    from shibumi3d.paths import cache_folder

    library = args.out or open_catalogue().learned_folder
    if args.package:
        library = _package_weights_folder()
    assert library is not None
    tables = [setup_from_args(args, name=name) for name in args.games]
    try:
        files.make_folder(library)
        if args.store is None:
            args.store = cache_folder() / STORE_FILE
            files.make_folder(args.store.parent)
    except OSError as error:
        raise CommandError(f"{error.filename}: {localize(error)}") from None

    def on_finished(result: TrainingResult) -> None:
        path = save_if_accepted(result, library, is_user_file=not args.package)
        if args.json:
            print(json.dumps(_result_json(result, path)), flush=True)
        else:
            print_line(_describe_result(result, path))

    with job_runner(args) as run_jobs:
        train(
            tables,
            lambda jobs: run_jobs(jobs)[0],
            seed=args.seed,
            seconds=args.seconds,
            max_matches=args.matches,
            parallel_jobs=args.workers,
            learned_folder="" if args.package else str(library),
            on_finished=on_finished,
        )
    return 0


def _package_weights_folder() -> Path:
    """Return the folder for the learned weights that are distributed with the program."""
    from importlib.resources import files as package_files

    return Path(str(package_files("shibumi3d.rules.marbles.search") / "weights"))


def _describe_result(result: TrainingResult, path: Path | None) -> str:
    from shibumi3d.lab.training import NOTHING_NEW
    from shibumi3d.wording import game_title

    title = game_title(result.table.load_game())
    if result.reason == NOTHING_NEW:
        return _("{game}: training found nothing new for Sky to learn", game=title)
    if result.reason is not None:
        return _("{game}: training isn't possible ({reason})", game=title, reason=localize(result.reason))
    assert result.series is not None
    low, high = result.series.interval
    share = ngettext(
        "scored {part} ({low} to {high}) in {n} match against Sky without this training",
        "scored {part} ({low} to {high}) in {n} matches against Sky without this training",
        result.series.games,
        part=format_percent(result.series.share),
        low=format_percent(low),
        high=format_percent(high),
    )
    if path is None:
        return _("{game}: {share}, not clearly better, so nothing was saved", game=title, share=share)
    return _("{game}: {share}; saved in {path}", game=title, share=share, path=path)


def _result_json(result: TrainingResult, path: Path | None) -> dict[str, object]:
    data = {
        "game": result.table.id,
        "size": result.table.size,
        "variant": result.table.variant,
        "players": result.table.seats,
        "kept": None if path is None else str(path),
    }
    if result.reason is not None:
        return {**data, "reason": localize(result.reason)}
    assert result.series is not None
    assert result.test is not None
    return {
        **data,
        "matches": result.series.games,
        "share": round(result.series.share, 4),
        "interval": [round(bound, 4) for bound in result.series.interval],
        "evidence": round(result.test.llr, 3),
        "better": result.test.is_better,
    }
