"""``shibumi3d export``: convert a recorded match to a film, a picture or a page of plans."""

from __future__ import annotations

import argparse
import os
import signal
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from shibumi3d.cli.common import (
    CommandError,
    add_command,
    invalid_value_error,
    open_catalogue,
    parse_integer,
    user_errors,
    warn_if_shader_cache_full,
)
from shibumi3d.cli.replay import load_match, source_files
from shibumi3d.cli.shot import add_appearance_options, go_to_turn, parse_size, theme_from_args
from shibumi3d.files import check_writable, delete_abandoned, write
from shibumi3d.i18n import _, localize
from shibumi3d.match.marbles import marble_state
from shibumi3d.wording import game_title

if TYPE_CHECKING:
    from shibumi3d.cli.common import Commands
    from shibumi3d.export.drawing import FilmFrame, MatchDrawing, SceneDrawing, TrayCount
    from shibumi3d.export.encoder import RgbImage
    from shibumi3d.match.match import Match
    from shibumi3d.render.screenshot import OffscreenRenderer
    from shibumi3d.scene.frame import Frame

DEFAULT_SIZES = {"png": (1280, 720), "postcard": (1480, 1050), "gif": (640, 360), "mp4": (1280, 720)}
PAGE_FORMATS = ("svg", "pdf")
FRAME_RATES = {"gif": 20, "mp4": 30}
"""Frames per second by file type. GIF measures delays in hundredths of a second."""
SPEED_RANGE = (0.25, 4.0)


def add(commands: Commands) -> None:
    """Add the ``export`` command."""
    parser = add_command(
        commands, "export", run, _("export a saved game as a video, picture or diagrams; needs no display")
    )
    parser.add_argument(
        "file",
        metavar=_("FILE"),
        type=Path,
        nargs="+",
        help=_("a saved game; for diagrams, also several, or solo games, whose first ten puzzles are drawn"),
    )
    kinds = parser.add_mutually_exclusive_group(required=True)
    kinds.add_argument("--gif", type=Path, metavar=_("OUT"), help=_("write an animated GIF"))
    kinds.add_argument("--mp4", type=Path, metavar=_("OUT"), help=_("write a video"))
    kinds.add_argument("--png", type=Path, metavar=_("OUT"), help=_("write a picture"))
    kinds.add_argument(
        "--postcard",
        type=Path,
        metavar=_("OUT"),
        help=_("write a PNG picture of the end with the game, names and date"),
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
        help=_("start after N turns (for a picture: show this moment, not the end)"),
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
        help=_("width and height (default 1280x720, GIF 640x360, postcard 1480x1050)"),
    )
    parser.add_argument(
        "--day",
        type=parse_day,
        metavar=_("YYYY-MM-DD"),
        help=_("date on the postcard (default: when the game was saved)"),
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
    """Draw the match and write the output file."""
    kind = next(kind for kind in (*DEFAULT_SIZES, *PAGE_FORMATS) if getattr(args, kind))
    out: Path = getattr(args, kind)
    reads = [read for file in args.file for read in source_files(file)]
    with user_errors():
        check_writable(out, sources=reads, allow_streams=True)
        delete_abandoned(out.parent)
    if kind in PAGE_FORMATS:
        from shibumi3d.export.sheet import draw_sheet

        with user_errors():
            page = draw_sheet([match for file in args.file for match in _load_matches(file)], kind)
            write(out, page, sources=reads, allow_streams=True)
        return 0
    if len(args.file) > 1:
        raise CommandError(_("a video or picture can only be made from one saved game"))
    width, height = args.size or DEFAULT_SIZES[kind]
    if kind not in ("png", "postcard") and (width % 2 or height % 2):
        raise CommandError(
            _(
                "the width and height of a video must be even, not {width}x{height}",
                width=width,
                height=height,
            )
        )
    match = load_match(args.file[0])
    first, last = _turn_range(match, args.first, args.last)
    try:
        from shibumi3d.export.drawing import make_drawing
        from shibumi3d.export.encoder import NoEncoderError
        from shibumi3d.export.lettering import FILM_FOOT_HEIGHT, FILM_HEAD_HEIGHT
        from shibumi3d.render.png import encode_png
        from shibumi3d.render.screenshot import NoGraphicsError, OffscreenRenderer
    except ImportError as error:
        raise CommandError(
            _("drawing needs a library that is not installed ({library})", library=error)
        ) from None
    wide, high = width, height
    if kind == "postcard":
        from shibumi3d.export import postcard

        _unused, wide, high = postcard.postcard_layout(width, height)
    lettered = kind in FRAME_RATES and not args.bare
    drawing = make_drawing(
        match,
        wide / high,
        head=FILM_HEAD_HEIGHT if lettered else 0.0,
        foot=FILM_FOOT_HEIGHT if lettered else 0.0,
        colours=theme_from_args(args),
        above=args.above,
        choices=args.choices,
        table=args.table,
    )
    warn_if_shader_cache_full()
    try:
        with _interrupt_on_signals(), user_errors(), OffscreenRenderer(args.tier) as studio:
            studio.renderer.scale_control.fix_scale(1.0)
            drawer = FilmMaker(studio, drawing, (wide, high))
            if kind == "postcard":
                match.go_to(last)
                printed = args.day or date.fromtimestamp(args.file[0].stat().st_mtime)
                card = postcard.draw_postcard(match, drawer.render_still(), width, height, printed)
                write(out, encode_png(card), sources=reads, allow_streams=True)
            elif kind == "png":
                match.go_to(last if args.first is None else first)
                write(out, encode_png(drawer.render_still()), sources=reads, allow_streams=True)
            else:
                drawer.write_film(out, kind, (first, last), args.speed, args.progress, reads)
    except NoGraphicsError as error:
        raise CommandError(_("{problem} On Debian: apt-get install libgl1 libegl1", problem=error)) from None
    except NoEncoderError as error:
        raise CommandError(localize(error)) from None
    return 0


def _load_matches(file: Path) -> list[Match]:
    """Return the match in a record, or the first few puzzles of a solo game."""
    if os.path.exists(file) or file.suffix:
        return [load_match(file)]
    from shibumi3d.export.sheet import MAX_PUZZLES
    from shibumi3d.match.match import Match

    entry = open_catalogue().get(str(file))
    if entry.players[0] > 1:
        raise CommandError(_("{game} is not a solo game: give a saved game instead", game=game_title(entry)))
    puzzles = [Match(entry.game(), ["–"], seed) for seed in range(1, MAX_PUZZLES + 1)]
    # Without a random deal, all puzzles are the same: keep one.
    by_boards = {marble_state(match.initial_state).boards: match for match in reversed(puzzles)}
    return list(by_boards.values())[::-1]


def _turn_range(match: Match, first: int | None, last: int | None) -> tuple[int, int]:
    """Convert a range of turns to a range of moves; None stands for the start or the end."""
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


class FilmMaker:
    """Renderer that converts the frames of a drawing to pixels and writes films."""

    def __init__(
        self, studio: OffscreenRenderer, drawing: MatchDrawing | SceneDrawing, size: tuple[int, int]
    ) -> None:
        self._studio, self._drawing, self._size = studio, drawing, size
        self._lines: dict[int, RgbImage] = {}
        self._caption: str | None = None
        self._foot: RgbImage

    def _render(self, frame: Frame) -> RgbImage:
        return self._studio.render(frame, self._drawing.camera, *self._size)

    def render_still(self) -> RgbImage:
        """Return the picture at the cursor."""
        return self._render(self._drawing.draw_still())

    def _add_captions(
        self, picture: RgbImage, seat: int, caption: str, numbers: Sequence[TrayCount] = ()
    ) -> RgbImage:
        """Return a frame of a film with names, caption and tray counts added.

        The names are at the top, with the acting player highlighted; the description of the move is at the bottom. The
        marble counts are on the rims of the trays.
        """
        if not self._drawing.head:
            return picture
        import numpy as np

        from shibumi3d.export.lettering import draw_caption, draw_names, draw_tray_counts
        from shibumi3d.scene.style import make_style

        look = make_style(self._drawing.colours.tone)
        if seat not in self._lines:
            names = self._drawing.match.names
            self._lines[seat] = draw_names(names, *self._size, look, seat)
        if caption != self._caption:
            self._caption, self._foot = caption, draw_caption(caption, *self._size, look)
        head, foot = self._lines[seat], self._foot
        shown = draw_tray_counts(picture, numbers, self._drawing.colours) if numbers else picture
        return np.concatenate([head, shown[len(head) : len(shown) - len(foot)], foot])

    def write_film(
        self,
        out: Path,
        kind: str,
        part: tuple[int, int],
        speed: float,
        progress: bool,
        reads: Sequence[Path],
    ) -> None:
        """Write a film of the moves in the range ``part``."""
        from shibumi3d.export import encoder as film

        rate = FRAME_RATES[kind]
        # A first pass counts the frames without rendering them.
        total = sum(shot.repeats for shot in self._drawing.draw_film(*part, rate, speed))
        samples = []
        for place in sorted({part[0], sum(part) // 2, part[1]}):
            self._drawing.match.go_to(place)
            samples.append(self._add_captions(self.render_still(), -1, ""))
        shots = self._drawing.draw_film(*part, rate, speed)
        told = _report_progress(shots, total) if progress else shots
        pictures = (
            (
                self._add_captions(self._render(shot.frame), shot.seat, shot.caption, shot.tray_counts),
                shot.repeats,
            )
            for shot in told
        )
        film.write_film(out, kind, pictures, rate, samples, reads)


def _report_progress(shots: Iterator[FilmFrame], total: int) -> Iterator[FilmFrame]:
    """Yield the shots unchanged while printing the progress.

    The progress is the number of frames done of ``total``, and the estimated seconds left.
    """
    begun, made, said = time.monotonic(), 0, -1
    for shot in shots:
        yield shot
        made += shot.repeats
        if made * 100 // total > said:
            said = made * 100 // total
            left = (time.monotonic() - begun) * (total - made) / made
            print(f"{made}/{total} {left:.0f}", flush=True)


@contextmanager
def _interrupt_on_signals() -> Iterator[None]:
    """Treat SIGTERM and SIGHUP like Ctrl+C, so that no partial file is left behind.

    Further signals are ignored, because cleanup is then in progress.
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
