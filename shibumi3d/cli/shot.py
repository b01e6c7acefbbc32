"""``shibumi3d shot``: render a picture of a game as a PNG file."""

from __future__ import annotations

import argparse
import os
import re
from math import inf
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from shibumi3d.cli.common import (
    Failure,
    add_option_option,
    add_players_option,
    add_seed_option,
    add_variant_option,
    check_room_for_shaders,
    command,
    game_of,
    integer,
    plain_failures,
    players_of,
    positive,
)
from shibumi3d.cli.replay import files_of, match_of
from shibumi3d.files import writable, write
from shibumi3d.i18n import N_, _
from shibumi3d.match import record
from shibumi3d.match.match import Match
from shibumi3d.match.record import RecordError
from shibumi3d.render.tiers import TIERS
from shibumi3d.scene.palette import BOARDS, EYES, Theme, theme

if TYPE_CHECKING:
    from shibumi3d.cli.common import Commands

_SIZE = re.compile(r"([1-9]\d{0,4})[x×]([1-9]\d{0,4})")
MOST = 8192
"""Maximum side length of a picture in pixels."""
SAMPLES = 256
"""Maximum number of renderings that can be averaged into one picture."""


def add(commands: Commands) -> None:
    """Add the ``shot`` command."""
    parser = command(commands, "shot", run, _("draw a picture of a game; needs no display"))
    parser.add_argument(
        "game",
        metavar=_("GAME|FILE"),
        help=_("a game (shown at its start) or a saved game (shown at its end)"),
    )
    parser.add_argument(
        "--at",
        type=integer,
        metavar="N",
        help=_(
            "draw the position after N turns of the saved game, or after N random turns of a game; a "
            "negative N counts from the end of the saved game"
        ),
    )
    parser.add_argument("--out", type=Path, metavar="PNG", required=True, help=_("the file to write"))
    parser.add_argument(
        "--size",
        type=pixels,
        metavar=_("WxH"),
        default=(1280, 720),
        help=_("width and height (default 1280x720)"),
    )
    add_look_options(parser)
    parser.add_argument("--board", type=positive, metavar="N", help=_("board size, when drawing a game"))
    parser.add_argument(
        "--eyes",
        choices=tuple(EYES),
        nargs="+",
        default=(),
        metavar=_("KIND"),
        help=_(
            "as seen with this kind of colour vision; several are drawn side by side: {words}",
            words=", ".join(EYES),
        ),
    )
    parser.add_argument(
        "--samples",
        type=samples,
        default=1,
        metavar="N",
        help=_("average N pictures for smoother edges (1 to {samples})", samples=SAMPLES),
    )
    parser.add_argument(
        "--small", action="store_true", help=_("make the file smaller, with slightly coarser colours")
    )
    add_variant_option(parser)
    add_option_option(parser)
    add_seed_option(parser)
    add_players_option(parser)


def add_look_options(parser: argparse.ArgumentParser) -> None:
    """Add the options for the appearance of a picture."""
    parser.add_argument("--night", action="store_true", help=_("use the night theme"))
    parser.add_argument(
        "--clear",
        action="store_true",
        help=_("use colours that everyone can tell apart, with symbols on the marbles"),
    )
    parser.add_argument(
        "--material",
        choices=tuple(BOARDS),
        metavar=_("NAME"),
        help=_("board material: {words}", words=", ".join(BOARDS)),
    )
    parser.add_argument("--above", action="store_true", help=_("seen from directly above"))
    parser.add_argument("--choices", action="store_true", help=_("mark the points that can be chosen"))
    parser.add_argument("--table", action="store_true", help=_("also show the marbles beside the boards"))
    parser.add_argument("--tier", choices=tuple(TIERS), default="medium", help=_("picture quality"))


def colours_of(args: argparse.Namespace) -> Theme:
    """Return the colour theme that the appearance options select."""
    return theme("night" if args.night else "day", "clear" if args.clear else "standard", args.material or "")


def pixels(text: str) -> tuple[int, int]:
    """Parse width and height in pixels from text such as ``1280x720``."""
    found = _SIZE.fullmatch(text)
    if found is None or max(int(found[1]), int(found[2])) > MOST:
        raise argparse.ArgumentTypeError(
            _(
                "expected a width and height such as 1280x720, each at most {most}, not '{text}'",
                most=MOST,
                text=text,
            )
        )
    return int(found[1]), int(found[2])


def samples(text: str) -> int:
    """Parse the number of renderings to average into one picture, from 1 to :data:`SAMPLES`."""
    found = positive(text, inf, "samples")
    if found > SAMPLES:
        raise argparse.ArgumentTypeError(
            _("expected a number from 1 to {most}, not '{text}'", most=SAMPLES, text=text)
        )
    return found


def run(args: argparse.Namespace) -> int:
    """Render the picture and write the PNG file."""
    reads = files_of(Path(args.game))
    with plain_failures():
        writable(args.out, reads=reads, streams=True)
    match = _subject(args)
    width, height = args.size
    try:
        from shibumi3d.cli.drawing import frame_of
        from shibumi3d.render.shot import NoGraphics, shot
    except ImportError as error:
        raise Failure(_("drawing needs a library that is not installed ({library})", library=error)) from None
    check_room_for_shaders()
    frame, camera = frame_of(
        match,
        width,
        height,
        colours=colours_of(args),
        above=args.above,
        choices=args.choices,
        table=args.table,
    )
    try:
        image = shot(
            frame,
            camera,
            width,
            height,
            tier=args.tier,
            eyes=args.eyes,
            small=args.small,
            samples=args.samples,
        )
    except NoGraphics as error:
        raise Failure(_("{problem} On Debian: apt-get install libgl1 libegl1", problem=error)) from None
    with plain_failures():
        write(args.out, image, reads=reads, streams=True)
    return 0


def _subject(args: argparse.Namespace) -> Match:
    """Return the match to draw, with its cursor at the position to draw."""
    path = Path(args.game)
    if os.path.isfile(path) and _is_record(path):
        match = match_of(path)
        if args.at is not None:
            go_to_turn(match, args.at)
        return match
    game = game_of(args.game, args.board, args.variant, args.option)
    with plain_failures():
        match = Match(
            game, [_("Player {n}", n + 1) for n in range(players_of(game, args.players))], args.seed
        )
        chance = Random(args.seed)
        while match.state.turn < (args.at or 0) and (moves := match.moves()):
            match.play(chance.choice(moves))
    return match


def _is_record(path: Path) -> bool:
    """Return whether a file is meant to be a match record, valid or not, rather than a game file."""
    try:
        record.load(path)
    except RecordError as error:
        return error.message.text != N_("{name} is not a saved Shibumi 3D game")
    return True


def go_to_turn(match: Match, turn: int) -> None:
    """Move the cursor of a match to the position after ``turn`` turns.

    A negative number counts from the end. Raises :class:`Failure` if the match has no such turn.
    """
    turns = match.state.turn if match.state.step == 0 else match.state.turn + 1
    wanted = turn if turn >= 0 else turns + turn
    if not 0 <= wanted <= turns:
        raise Failure(
            _("there is no turn {turn}: the saved game ends after turn {turns}", turns=turns, turn=turn)
        )
    match.goto(sum(ply.turn < wanted for ply in match.plies))
