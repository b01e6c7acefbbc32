"""``shibumi3d learn``: train the evaluation of games by self-play.

The result is kept if it makes the top level, sky, stronger.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING

from shibumi3d import files
from shibumi3d.cli.common import (
    Failure,
    add_game_options,
    add_players_option,
    add_seed_option,
    catalogue,
    command,
    positive,
    say,
    seconds,
)
from shibumi3d.cli.laboratory import add_lab_options, laboratory, table_of
from shibumi3d.i18n import _, localize, ngettext, percent

if TYPE_CHECKING:
    from shibumi3d.cli.common import Commands
    from shibumi3d.lab.learning import Learned

MOST, SECONDS = 400, 0.03
"""Default maximum number of test matches, and default CPU time in seconds for each of their moves."""


def add(commands: Commands) -> None:
    """Add the ``learn`` command."""
    parser = command(
        commands,
        "learn",
        run,
        _(
            "train the computer at games through matches against itself; Sky uses what was learned "
            "where it makes Sky stronger. If you stop the training, it resumes where it left off the "
            "next time"
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
        type=positive,
        metavar="N",
        default=MOST,
        help=_(
            "most matches to play to find out whether training made Sky stronger (default: {usual})",
            usual=MOST,
        ),
    )
    parser.add_argument(
        "--seconds",
        type=seconds,
        metavar="S",
        default=SECONDS,
        help=_("seconds of CPU time per move in these matches (default: {usual})", usual=SECONDS),
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
    parser.add_argument("--json", action="store_true", help=_("print JSON"))


def run(args: argparse.Namespace) -> int:
    """Train and test the games, and keep or discard what each has learned."""
    from shibumi3d.lab.learning import keep, learn
    from shibumi3d.lab.teaching import STORE
    from shibumi3d.paths import cache_folder

    library = args.out or catalogue().library
    if args.package:
        library = _package()
    assert library is not None
    tables = [table_of(args, name=name) for name in args.games]
    try:
        files.make_folder(library)
        if args.store is None:
            args.store = cache_folder() / STORE
            files.make_folder(args.store.parent)
    except OSError as error:
        raise Failure(f"{error.filename}: {localize(error)}") from None

    def end(one: Learned) -> None:
        path = keep(one, library, own=not args.package)
        if args.json:
            print(json.dumps(_plain(one, path)), flush=True)
        else:
            say(_sentence(one, path))

    with laboratory(args) as do:
        learn(
            tables,
            lambda jobs: do(jobs)[0],
            seed=args.seed,
            seconds=args.seconds,
            most=args.matches,
            at_once=args.workers,
            told=end,
        )
    return 0


def _package() -> Path:
    """Return the folder for the learned weights that are distributed with the program."""
    from importlib.resources import files as within

    return Path(str(within("shibumi3d.rules.marbles.thinking") / "weights"))


def _sentence(one: Learned, path: Path | None) -> str:
    """Describe the outcome of learning in a sentence."""
    from shibumi3d.app.wording import titled

    title = titled(one.table.game())
    if one.reason is not None:
        return _("{game} can't be trained: {reason}", game=title, reason=localize(one.reason))
    assert one.duel is not None
    low, high = one.duel.interval
    share = ngettext(
        "scored {part} ({low} to {high}) in {n} match against untrained Sky",
        "scored {part} ({low} to {high}) in {n} matches against untrained Sky",
        one.duel.games,
        part=percent(one.duel.share),
        low=percent(low),
        high=percent(high),
    )
    if path is None:
        return _("{game}: {share}, not clearly better, so nothing was saved", game=title, share=share)
    return _("{game}: {share}, saved in {path}", game=title, share=share, path=path)


def _plain(one: Learned, path: Path | None) -> dict[str, object]:
    """Return the outcome of learning as JSON data."""
    form = {
        "game": one.table.id,
        "size": one.table.size,
        "variant": one.table.variant,
        "players": one.table.seats,
        "kept": None if path is None else str(path),
    }
    if one.reason is not None:
        return {**form, "reason": localize(one.reason)}
    assert one.duel is not None
    assert one.test is not None
    return {
        **form,
        "matches": one.duel.games,
        "share": round(one.duel.share, 4),
        "interval": [round(bound, 4) for bound in one.duel.interval],
        "evidence": round(one.test.evidence, 3),
        "better": one.test.better,
    }
