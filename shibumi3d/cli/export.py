"""``shibumi3d export``: export a recorded match as a film, a web page, a picture or a page of diagrams."""

from __future__ import annotations

import argparse
import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from shibumi3d.catalogue.problems import ProvedProblem, parse_problem_file
from shibumi3d.cli import problems
from shibumi3d.cli.common import (
    CommandError,
    add_command,
    find_entry,
    invalid_value_error,
    open_catalogue,
    parse_integer,
    user_errors,
    warn_if_shader_cache_full,
)
from shibumi3d.cli.replay import load_match, read_start, source_files
from shibumi3d.cli.shot import add_appearance_options, go_to_turn, parse_size, theme_from_args
from shibumi3d.export import EXPORT_FORMATS, FILM_FORMATS, SHEET_FORMATS
from shibumi3d.files import check_writable, delete_abandoned, write
from shibumi3d.i18n import _, localize
from shibumi3d.match import sharing
from shibumi3d.match.marbles import marble_state
from shibumi3d.wording import game_title

if TYPE_CHECKING:
    from shibumi3d.cli.common import Commands
    from shibumi3d.export.drawing import FilmFrame
    from shibumi3d.match.match import Match

DEFAULT_SIZES = {"png": (1280, 720), "postcard": (1480, 1050), "gif": (640, 360), "mp4": (1280, 720)}
"""Default width and height in pixels, by format."""
SPEED_RANGE = (0.25, 4.0)


def register(commands: Commands) -> None:
    """Add the ``export`` command."""
    parser = add_command(
        commands,
        "export",
        run,
        _("export a saved game as a video, web page, picture or diagrams; needs no display"),
    )
    parser.add_argument(
        "file",
        metavar=_("FILE"),
        type=Path,
        nargs="+",
        help=_(
            "a saved game; for diagrams, you can also give several saved games, or the names of solo "
            "games, whose first ten deals are then drawn"
        ),
    )
    kinds = parser.add_mutually_exclusive_group(required=True)
    kinds.add_argument("--gif", type=Path, metavar=_("OUT"), help=_("write an animated GIF"))
    kinds.add_argument("--mp4", type=Path, metavar=_("OUT"), help=_("write a video"))
    kinds.add_argument(
        "--html", type=Path, metavar=_("OUT"), help=_("write a web page that replays the game in any browser")
    )
    kinds.add_argument("--png", type=Path, metavar=_("OUT"), help=_("write a PNG picture of one position"))
    kinds.add_argument(
        "--postcard",
        type=Path,
        metavar=_("OUT"),
        help=_("write a PNG picture of the final position with the game, names and date"),
    )
    kinds.add_argument(
        "--svg", type=Path, metavar=_("OUT"), help=_("write a page of diagrams and moves as SVG")
    )
    kinds.add_argument("--pdf", type=Path, metavar=_("OUT"), help=_("write the same page as PDF"))
    parser.add_argument(
        "--from",
        dest="first",
        type=parse_integer,
        metavar="N",
        help=_("start after N turns (with --png: show the position after N turns instead of the last one)"),
    )
    parser.add_argument(
        "--to", dest="last", type=parse_integer, metavar="N", help=_("stop after N turns (default: the end)")
    )
    parser.add_argument(
        "--speed", type=parse_speed, default=1.0, metavar="N", help=_("playback speed, 0.25 to 4")
    )
    parser.add_argument(
        "--size",
        type=parse_size,
        metavar=_("WxH"),
        help=_("width and height (default: 1280x720, GIF 640x360, postcard 1480x1050)"),
    )
    parser.add_argument(
        "--day",
        type=parse_day,
        metavar=_("YYYY-MM-DD"),
        help=_("date on the web page or postcard (default: the day on which the game was saved)"),
    )
    parser.add_argument(
        "--bare", action="store_true", help=_("for a video: no names or captions, only the table")
    )
    parser.add_argument("--progress", action="store_true", help=_("print progress line by line"))
    add_appearance_options(parser)


def parse_day(text: str) -> date:
    """Parse a date in ISO 8601 format, such as 2026-11-28."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise invalid_value_error(text, "day") from None


def parse_speed(text: str) -> float:
    """Parse a playback speed: a factor from 0.25 to 4."""
    try:
        number = float(text)
    except ValueError:
        raise invalid_value_error(text, "speed") from None
    least, most = SPEED_RANGE
    if not least <= number <= most:
        raise argparse.ArgumentTypeError(
            _("expected a number from {least:g} to {most:g}, not '{text}'", least=least, most=most, text=text)
        )
    return number


def run(args: argparse.Namespace) -> int:
    """Export the matches, deals or problem that the arguments name, in the chosen format."""
    kind = next(kind for kind in EXPORT_FORMATS if getattr(args, kind))
    out: Path = getattr(args, kind)
    reads = [read for file in args.file for read in source_files(file)]
    with user_errors():
        check_writable(out, sources=reads, allow_streams=True)
        delete_abandoned(out.parent)
    if kind in SHEET_FORMATS:
        from shibumi3d.export.sheet import SheetError, draw_sheet

        with user_errors():
            try:
                page = draw_sheet([match for file in args.file for match in _load_matches(file)], kind)
            except SheetError as error:
                raise CommandError(localize(error)) from None
            write(out, page, sources=reads, allow_streams=True)
        return 0
    if len(args.file) > 1:
        raise CommandError(_("a video, web page or picture can only be made from one saved game"))
    if kind == "html":
        from shibumi3d.export.web_page import make_web_page

        if (problem := _find_problem(args.file[0])) is not None:
            page = problems.make_web_page(problem, find_entry(problem.game))
        else:
            page = make_web_page(load_match(args.file[0]), _match_date(args))
        with user_errors():
            write(out, page, sources=reads, allow_streams=True)
        return 0
    width, height = args.size or DEFAULT_SIZES[kind]
    match = load_match(args.file[0])
    first, last = _turn_range(match, args.first, args.last)
    try:
        from shibumi3d.export.drawing import make_drawing
        from shibumi3d.export.encoder import NoEncoderError
        from shibumi3d.export.film import write_film
        from shibumi3d.export.lettering import FILM_FOOT_HEIGHT, FILM_HEAD_HEIGHT
        from shibumi3d.export.postcard import draw_postcard, postcard_layout
        from shibumi3d.render.png import encode_png
        from shibumi3d.render.screenshot import NoGraphicsError, OffscreenRenderer
    except ImportError as error:
        raise CommandError(
            _("drawing needs a library that is not installed ({library})", library=error)
        ) from None
    size = postcard_layout(width, height)[1:] if kind == "postcard" else (width, height)
    has_captions = kind in FILM_FORMATS and not args.bare
    drawing = make_drawing(
        match,
        size[0] / size[1],
        top_margin=FILM_HEAD_HEIGHT if has_captions else 0.0,
        bottom_margin=FILM_FOOT_HEIGHT if has_captions else 0.0,
        theme=theme_from_args(args),
        from_above=args.above,
        show_choices=args.choices,
        # In a film, marbles come from the table beside the board and go back to it.
        table=args.table or kind in FILM_FORMATS,
    )
    warn_if_shader_cache_full()
    try:
        with _interrupt_on_signals(), user_errors(), OffscreenRenderer(args.tier) as renderer:
            renderer.renderer.scale_control.fix_scale(1.0)
            if kind in FILM_FORMATS:
                track = _report_progress if args.progress else None
                write_film(
                    out,
                    kind,
                    drawing,
                    renderer,
                    size,
                    (first, last),
                    args.speed,
                    track=track,
                    protected_paths=reads,
                )
            else:
                match.go_to(first if kind == "png" and args.first is not None else last)
                image = renderer.render(drawing.draw_still(), drawing.camera, *size)
                if kind == "postcard":
                    image = draw_postcard(match, image, width, height, _match_date(args))
                write(out, encode_png(image), sources=reads, allow_streams=True)
    except NoGraphicsError as error:
        raise CommandError(_("{problem} On Debian: apt-get install libgl1 libegl1", problem=error)) from None
    except NoEncoderError as error:
        raise CommandError(localize(error)) from None
    return 0


def _match_date(args: argparse.Namespace) -> date:
    """Return the date given by the user, or else the date on which the match file was last changed."""
    day: date | None = args.day
    return day or date.fromtimestamp(args.file[0].stat().st_mtime)


def _load_matches(file: Path) -> list[Match]:
    """Return the match recorded in ``file``, or one match for each deal if ``file`` names a solo game.

    The deals are those with the seeds from 1 to :data:`.MAX_PUZZLES`. If several deals have the same initial position,
    only the first of them is used. Raises :class:`.CommandError` if the record can't be read or if the game can't be
    played alone, :class:`.CatalogueError` if there is no such game, and GameFileError if the game's file is invalid.
    """
    if os.path.exists(file) or file.suffix:
        return [load_match(file)]
    from shibumi3d.export.sheet import MAX_PUZZLES
    from shibumi3d.match.match import Match

    entry = open_catalogue().get(str(file))
    if entry.players[0] > 1:
        raise CommandError(_("{game} is not a solo game: give a saved game instead", game=game_title(entry)))
    puzzles = [Match(entry.game(), ["–"], seed) for seed in range(1, MAX_PUZZLES + 1)]
    # Without randomness, all deals are the same: keep one.
    by_boards = {marble_state(match.initial_state).boards: match for match in reversed(puzzles)}
    return list(by_boards.values())[::-1]


def _find_problem(file: Path) -> ProvedProblem | None:
    """Return the problem in ``file``, or None if ``file`` isn't a problem file.

    Raises :class:`.CommandError` if the file has errors or doesn't contain exactly one problem.
    """
    text = read_start(file)
    if sharing.classify_file(text) != "problems":
        return None
    with user_errors():
        found = parse_problem_file(text.encode(), str(file), file.name.partition(".")[0])
    if len(found) != 1:
        raise CommandError(_("a web page can hold only one problem"))
    return found[0]


def _turn_range(match: Match, first: int | None, last: int | None) -> tuple[int, int]:
    """Return how many moves have been made after ``first`` turns and after ``last`` turns.

    If ``first`` is None, the first result is 0. If ``last`` is None, the second result is the number of moves before
    the cursor. A negative number counts from the end: -1 means all turns but the last. For ``first``, undone turns
    count too; for ``last``, only the turns before the cursor count. The cursor of the match is moved. Raises
    :class:`.CommandError` if there aren't that many turns, or if the first result is greater than the second.
    """
    if last is not None:
        go_to_turn(match, last)
    end = match.cursor
    match.go_to(len(match.plies) + len(match.undone))
    go_to_turn(match, first or 0)
    begin = match.cursor
    if begin > end:
        raise CommandError(
            _(
                "the start (after turn {first}) is later than the end (after turn {last})",
                first=first,
                last=last,
            )
        )
    return begin, end


def _report_progress(frames: Iterator[FilmFrame], total: int) -> Iterator[FilmFrame]:
    """Yield the frames unchanged, and print a line of progress whenever the whole percentage has grown.

    A line is also printed after the first frame. Each line contains the number of frames done, the number of all frames
    (``total``) and the estimated number of seconds left. Each repeat counts as a frame.
    """
    start_time, done, percent = time.monotonic(), 0, -1
    for frame in frames:
        yield frame
        done += frame.repeats
        if done * 100 // total > percent:
            percent = done * 100 // total
            left = (time.monotonic() - start_time) * (total - done) / done
            print(f"{done}/{total} {left:.0f}", flush=True)


@contextmanager
def _interrupt_on_signals() -> Iterator[None]:
    """Treat SIGTERM and SIGHUP like Ctrl+C, so that no partial file is left behind.

    Once any of the three has arrived, all of them are ignored, so that nothing interrupts the cleanup.
    """
    polite = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]

    def stop(*_: object) -> None:
        for each in (*polite, signal.SIGINT):
            signal.signal(each, signal.SIG_IGN)
        raise KeyboardInterrupt

    before = {each: signal.signal(each, stop) for each in (*polite, signal.SIGINT)}
    try:
        yield
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)
