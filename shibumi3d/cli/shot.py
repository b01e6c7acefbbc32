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
    CommandError,
    add_command,
    add_players_option,
    add_seed_option,
    add_setting_option,
    add_variant_option,
    check_player_count,
    find_game,
    parse_integer,
    parse_positive,
    user_errors,
    warn_if_shader_cache_full,
)
from shibumi3d.cli.replay import load_match, source_files
from shibumi3d.files import check_writable, write
from shibumi3d.i18n import N_, _
from shibumi3d.match import record
from shibumi3d.match.match import Match
from shibumi3d.match.record import RecordError
from shibumi3d.render.quality_tiers import TIERS
from shibumi3d.scene.palette import BOARD_COLOURS, COLOUR_VISION_MATRICES, Theme, make_theme

if TYPE_CHECKING:
    from shibumi3d.cli.common import Commands

_SIZE = re.compile(r"([1-9]\d{0,4})[x×]([1-9]\d{0,4})")
MAX_SIDE_PX = 8192
"""Maximum side length of a picture in pixels."""
MAX_SAMPLES = 256
"""Maximum number of renderings that can be averaged into one picture."""


def register(commands: Commands) -> None:
    """Add the ``shot`` command."""
    parser = add_command(
        commands, "shot", run, _("draw one position of a game as a PNG picture; needs no display")
    )
    parser.add_argument(
        "game",
        metavar=_("GAME|FILE"),
        help=_("a game (shown at its start) or a saved game (shown at its end)"),
    )
    parser.add_argument(
        "--at",
        type=parse_integer,
        metavar="N",
        help=_(
            "draw the position after N turns of the saved game, or after N random turns of a game; a "
            "negative N counts from the end of the saved game"
        ),
    )
    parser.add_argument("--out", type=Path, metavar="PNG", required=True, help=_("the file to write"))
    parser.add_argument(
        "--size",
        type=parse_size,
        metavar=_("WxH"),
        default=(1280, 720),
        help=_("width and height (default: 1280x720)"),
    )
    add_appearance_options(parser)
    parser.add_argument(
        "--board",
        type=parse_positive,
        metavar="N",
        help=_("board size (only for a game, not for a saved game)"),
    )
    parser.add_argument(
        "--eyes",
        choices=tuple(COLOUR_VISION_MATRICES),
        nargs="+",
        default=(),
        metavar=_("KIND"),
        help=_(
            "show the picture as seen with this kind of colour vision; several kinds are drawn side by side: "
            "{words}",
            words=", ".join(COLOUR_VISION_MATRICES),
        ),
    )
    parser.add_argument(
        "--samples",
        type=parse_samples,
        default=1,
        metavar="N",
        help=_("average N pictures for smoother edges (1 to {samples})", samples=MAX_SAMPLES),
    )
    parser.add_argument(
        "--small", action="store_true", help=_("make the file smaller, with slightly coarser colours")
    )
    add_variant_option(parser)
    add_setting_option(parser)
    add_seed_option(parser)
    add_players_option(parser)


def add_appearance_options(parser: argparse.ArgumentParser) -> None:
    """Add the options for the appearance of a picture."""
    parser.add_argument("--night", action="store_true", help=_("use the night theme"))
    parser.add_argument(
        "--clear",
        action="store_true",
        help=_("use colours that everyone can tell apart, with symbols on the marbles"),
    )
    parser.add_argument(
        "--material",
        choices=tuple(BOARD_COLOURS),
        metavar=_("NAME"),
        help=_("board material: {words}", words=", ".join(BOARD_COLOURS)),
    )
    parser.add_argument("--above", action="store_true", help=_("show the boards from directly above"))
    parser.add_argument("--choices", action="store_true", help=_("mark the points that can be chosen"))
    parser.add_argument("--table", action="store_true", help=_("also show the marbles beside the boards"))
    parser.add_argument("--tier", choices=tuple(TIERS), default="medium", help=_("picture quality"))


def theme_from_args(args: argparse.Namespace) -> Theme:
    """Return the colour theme that the appearance options select."""
    return make_theme(
        "night" if args.night else "day", "clear" if args.clear else "standard", args.material or ""
    )


def parse_size(text: str) -> tuple[int, int]:
    """Parse a width and a height in pixels, each at most :data:`MAX_SIDE_PX`, from text such as ``1280x720``."""
    found = _SIZE.fullmatch(text)
    if found is None or max(int(found[1]), int(found[2])) > MAX_SIDE_PX:
        raise argparse.ArgumentTypeError(
            _(
                "expected a width and height such as 1280x720, each at most {most}, not '{text}'",
                most=MAX_SIDE_PX,
                text=text,
            )
        )
    return int(found[1]), int(found[2])


def parse_samples(text: str) -> int:
    """Parse the number of renderings to average into one picture, from 1 to :data:`MAX_SAMPLES`."""
    found = parse_positive(text, inf, "samples")
    if found > MAX_SAMPLES:
        raise argparse.ArgumentTypeError(
            _("expected a number from 1 to {most}, not '{text}'", most=MAX_SAMPLES, text=text)
        )
    return found


def run(args: argparse.Namespace) -> int:
    """Render the picture and write the PNG file."""
    reads = source_files(Path(args.game))
    with user_errors():
        check_writable(args.out, sources=reads, allow_streams=True)
    match = _match_to_draw(args)
    width, height = args.size
    try:
        from shibumi3d.export.drawing import make_drawing
        from shibumi3d.render.screenshot import NoGraphicsError, take_screenshot
    except ImportError as error:
        raise CommandError(
            _("drawing needs a library that is not installed ({library})", library=error)
        ) from None
    warn_if_shader_cache_full()
    drawing = make_drawing(
        match,
        width / height,
        theme=theme_from_args(args),
        from_above=args.above,
        show_choices=args.choices,
        table=args.table,
    )
    try:
        image = take_screenshot(
            drawing.draw_still(),
            drawing.camera,
            width,
            height,
            tier=args.tier,
            visions=args.eyes,
            reduce_size=args.small,
            samples=args.samples,
        )
    except NoGraphicsError as error:
        raise CommandError(_("{problem} On Debian: apt-get install libgl1 libegl1", problem=error)) from None
    with user_errors():
        write(args.out, image, sources=reads, allow_streams=True)
    return 0


def _match_to_draw(args: argparse.Namespace) -> Match:
    """Return the match to draw, with its cursor at the state to draw.

    If ``args.game`` is a record, load it, and go to turn ``args.at`` if that is given. If it is a game, start a new
    match and play up to ``args.at`` turns at random.
    """
    path = Path(args.game)
    if os.path.isfile(path) and _is_record(path):
        match = load_match(path)
        if args.at is not None:
            go_to_turn(match, args.at)
        return match
    game = find_game(args.game, args.board, args.variant, args.option)
    with user_errors():
        match = Match(
            game, [_("Player {n}", n + 1) for n in range(check_player_count(game, args.players))], args.seed
        )
        chance = Random(args.seed)
        while match.state.turn < (args.at or 0) and (moves := match.legal_moves()):
            match.play(chance.choice(moves))
    return match


def _is_record(path: Path) -> bool:
    """Return whether a file is meant to be a match record, valid or not, rather than a game file.

    A file that can't be read counts as a record.
    """
    try:
        record.load(path)
    except RecordError as error:
        return error.message.text != N_("{name} is not a saved Shibumi 3D game")
    return True


def go_to_turn(match: Match, turn: int) -> None:
    """Move the cursor of a match back to the state after ``turn`` turns.

    A negative number counts from the cursor: -1 goes to the state before the last turn. Undone moves don't count.
    Raises :class:`CommandError` if there is no such turn.
    """
    turns = match.state.turn if match.state.step == 0 else match.state.turn + 1
    wanted = turn if turn >= 0 else turns + turn
    if not 0 <= wanted <= turns:
        raise CommandError(
            _("there is no turn {turn}: the saved game ends after turn {turns}", turns=turns, turn=turn)
        )
    match.go_to(sum(ply.turn < wanted for ply in match.plies))
