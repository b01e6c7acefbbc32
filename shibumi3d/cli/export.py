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
from typing import TYPE_CHECKING, Any

from shibumi3d.app.wording import titled
from shibumi3d.cli.common import (
    Failure,
    catalogue,
    check_room_for_shaders,
    command,
    integer,
    no_value,
    plain_failures,
)
from shibumi3d.cli.replay import files_of, match_of
from shibumi3d.cli.shot import add_look_options, colours_of, go_to_turn, pixels
from shibumi3d.files import sweep, writable, write
from shibumi3d.i18n import _, localize

if TYPE_CHECKING:
    from shibumi3d.cli.common import Commands
    from shibumi3d.cli.drawing import Drawing, HeapNumber, Shot, TableDrawing
    from shibumi3d.match.match import Match
    from shibumi3d.render.movie import Pixels
    from shibumi3d.render.shot import Studio

SIZES = {"png": (1280, 720), "postcard": (1480, 1050), "gif": (640, 360), "mp4": (1280, 720)}
PAGES = ("svg", "pdf")
RATES = {"gif": 20, "mp4": 30}
"""Frames per second by file type. GIF measures delays in hundredths of a second."""
SPEEDS = (0.25, 4.0)


def add(commands: Commands) -> None:
    """Add the ``export`` command."""
    parser = command(
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
        type=integer,
        metavar="N",
        help=_("start after N turns (for a picture: show this moment, not the end)"),
    )
    parser.add_argument(
        "--to", dest="last", type=integer, metavar="N", help=_("stop after N turns (default: the end)")
    )
    parser.add_argument("--speed", type=speed, default=1.0, metavar="N", help=_("playback speed, 0.25 to 4"))
    parser.add_argument(
        "--size",
        type=pixels,
        metavar=_("WxH"),
        help=_("width and height (default 1280x720, GIF 640x360, postcard 1480x1050)"),
    )
    parser.add_argument(
        "--day",
        type=day,
        metavar=_("YYYY-MM-DD"),
        help=_("date on the postcard (default: when the game was saved)"),
    )
    parser.add_argument(
        "--bare", action="store_true", help=_("for a video: no names or captions, only the table")
    )
    parser.add_argument("--progress", action="store_true", help=_("print progress line by line"))
    add_look_options(parser)


def day(text: str) -> date:
    """Parse a date in ISO 8601 format, such as 2026-11-28."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise no_value(text, "day") from None


def speed(text: str) -> float:
    """Parse a playback speed: a factor from 0.25 to 4."""
    try:
        number = float(text)
    except ValueError:
        raise no_value(text, "speed") from None
    least, most = SPEEDS
    if not least <= number <= most:
        raise argparse.ArgumentTypeError(
            _("expected a number from {least:g} to {most:g}, not '{text}'", least=least, most=most, text=text)
        )
    return number


def run(args: argparse.Namespace) -> int:
    """Draw the match and write the output file."""
    kind = next(kind for kind in (*SIZES, *PAGES) if getattr(args, kind))
    out: Path = getattr(args, kind)
    reads = [read for file in args.file for read in files_of(file)]
    with plain_failures():
        writable(out, reads=reads, streams=True)
        sweep(out.parent)
    if kind in PAGES:
        from shibumi3d.cli.sheet import sheet

        with plain_failures():
            page = sheet([match for file in args.file for match in _matches(file)], kind)
            write(out, page, reads=reads, streams=True)
        return 0
    if len(args.file) > 1:
        raise Failure(_("a video or picture can only be made from one saved game"))
    width, height = args.size or SIZES[kind]
    if kind not in ("png", "postcard") and (width % 2 or height % 2):
        raise Failure(
            _(
                "the width and height of a video must be even, not {width}x{height}",
                width=width,
                height=height,
            )
        )
    match = match_of(args.file[0])
    first, last = _range(match, args.first, args.last)
    try:
        from shibumi3d.cli.drawing import drawing_of
        from shibumi3d.cli.lettering import FOOT, HEAD
        from shibumi3d.render.movie import NoEncoder
        from shibumi3d.render.png import png
        from shibumi3d.render.shot import NoGraphics, Studio
    except ImportError as error:
        raise Failure(_("drawing needs a library that is not installed ({library})", library=error)) from None
    wide, high = width, height
    if kind == "postcard":
        from shibumi3d.cli import postcard

        _unused, wide, high = postcard.room(width, height)
    lettered = kind in RATES and not args.bare
    drawing = drawing_of(
        match,
        wide / high,
        head=HEAD if lettered else 0.0,
        foot=FOOT if lettered else 0.0,
        colours=colours_of(args),
        above=args.above,
        choices=args.choices,
        table=args.table,
    )
    check_room_for_shaders()
    try:
        with _ended_by_signals(), plain_failures(), Studio(args.tier) as studio:
            studio.renderer.pace.fix(1.0)
            drawer = _Drawer(studio, drawing, (wide, high))
            if kind == "postcard":
                match.goto(last)
                printed = args.day or date.fromtimestamp(args.file[0].stat().st_mtime)
                card = postcard.postcard(match, drawer.still(), width, height, printed)
                write(out, png(card), reads=reads, streams=True)
            elif kind == "png":
                match.goto(last if args.first is None else first)
                write(out, png(drawer.still()), reads=reads, streams=True)
            else:
                drawer.film(out, kind, (first, last), args.speed, args.progress, reads)
    except NoGraphics as error:
        raise Failure(_("{problem} On Debian: apt-get install libgl1 libegl1", problem=error)) from None
    except NoEncoder as error:
        raise Failure(localize(error)) from None
    return 0


def _matches(file: Path) -> list[Match]:
    """Return the match in a record, or the first few puzzles of a solo game."""
    if os.path.exists(file) or file.suffix:
        return [match_of(file)]
    from shibumi3d.cli.sheet import PUZZLES
    from shibumi3d.match.match import Match

    entry = catalogue().get(str(file))
    if entry.players[0] > 1:
        raise Failure(_("{game} is not a solo game: give a saved game instead", game=titled(entry)))
    puzzles = [Match(entry.game(), ["–"], seed) for seed in range(1, PUZZLES + 1)]
    # Without a random deal, all puzzles are the same: keep one.
    return list({match.first.boards: match for match in reversed(puzzles)}.values())[::-1]


def _range(match: Match, first: int | None, last: int | None) -> tuple[int, int]:
    """Convert a range of turns to a range of moves; None stands for the start or the end."""
    if last is not None:
        go_to_turn(match, last)
    end = match.cursor
    match.goto(len(match.plies) + len(match.undone))
    go_to_turn(match, first or 0)
    begin = match.cursor
    if begin > end:
        raise Failure(
            _(
                "the start (after turn {first}) is later than the end (after turn {last})",
                first=first,
                last=last,
            )
        )
    return begin, end


class _Drawer:
    """Renderer that converts the frames of a drawing to pixels and writes films."""

    def __init__(self, studio: Studio, drawing: Drawing | TableDrawing, size: tuple[int, int]) -> None:
        self._studio, self._drawing, self._size = studio, drawing, size
        self._lines: dict[int, Pixels] = {}
        self._told: str | None = None
        self._foot: Pixels

    def _pixels(self, frame: Any) -> Pixels:
        return self._studio.pixels(frame, self._drawing.camera, *self._size)

    def still(self) -> Pixels:
        """Return the picture at the cursor."""
        return self._pixels(self._drawing.still())

    def _named(self, picture: Pixels, seat: int, told: str, numbers: Sequence[HeapNumber] = ()) -> Pixels:
        """Return a frame of a film with names, caption and tray counts added.

        The names are at the top, with the acting player highlighted; the description of the move is at the bottom. The
        marble counts are on the rims of the trays.
        """
        if not self._drawing.head:
            return picture
        import numpy as np

        from shibumi3d.cli.lettering import names_line, numbered, words_line
        from shibumi3d.scene.style import style

        look = style(self._drawing.colours.tone)
        if seat not in self._lines:
            names = self._drawing.match.names
            self._lines[seat] = names_line(names, *self._size, look, seat)
        if told != self._told:
            self._told, self._foot = told, words_line(told, *self._size, look)
        head, foot = self._lines[seat], self._foot
        shown = numbered(picture, numbers, self._drawing.colours) if numbers else picture
        return np.concatenate([head, shown[len(head) : len(shown) - len(foot)], foot])

    def film(
        self,
        out: Path,
        kind: str,
        part: tuple[int, int],
        speed: float,
        progress: bool,
        reads: Sequence[Path],
    ) -> None:
        """Write a film of the moves in the range ``part``."""
        from shibumi3d.render import movie

        rate = RATES[kind]
        # A first pass counts the frames without rendering them.
        total = sum(shot.times for shot in self._drawing.film(*part, rate, speed))
        samples = []
        for place in sorted({part[0], sum(part) // 2, part[1]}):
            self._drawing.match.goto(place)
            samples.append(self._named(self.still(), -1, ""))
        shots = self._drawing.film(*part, rate, speed)
        told = _told(shots, total) if progress else shots
        pictures = (
            (self._named(self._pixels(shot.frame), shot.seat, shot.told, shot.numbers), shot.times)
            for shot in told
        )
        movie.write(out, kind, pictures, rate, samples, reads)


def _told(shots: Iterator[Shot], total: int) -> Iterator[Shot]:
    """Yield the shots unchanged while printing the progress.

    The progress is the number of frames done of ``total``, and the estimated seconds left.
    """
    begun, made, said = time.monotonic(), 0, -1
    for shot in shots:
        yield shot
        made += shot.times
        if made * 100 // total > said:
            said = made * 100 // total
            left = (time.monotonic() - begun) * (total - made) / made
            print(f"{made}/{total} {left:.0f}", flush=True)


@contextmanager
def _ended_by_signals() -> Iterator[None]:
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
