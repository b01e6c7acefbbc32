"""The command ``shibumi3d``: reads its arguments, hands over to a command, and says failures in one sentence."""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Sequence
from importlib import import_module

from shibumi3d import __version__, native
from shibumi3d.cli.common import Failure

# Each module has add(subparsers), which sets `run`, the function that does the work and returns the exit code.
COMMANDS = ("play", "list", "rules", "check", "perft", "selfplay", "solve", "replay", "shot", "bench")


def parser(names: Sequence[str] = COMMANDS) -> argparse.ArgumentParser:
    """The parser of the commands ``names``."""
    top = argparse.ArgumentParser(
        prog="shibumi3d",
        description="Marble games on a pyramid. Without a command the window opens.",
        epilog="'shibumi3d COMMAND --help' explains a command.",
        allow_abbrev=False,
    )
    top.add_argument("--version", action="version", version=f"Shibumi 3D {__version__} ({native.status})")
    short = top.add_argument_group("short forms")
    short.add_argument("--game", metavar="GAME", help="as 'play GAME'")
    short.add_argument("--seed", metavar="N", type=int, help="with --game: what chance decides")
    short.add_argument("--open", metavar="FILE", help="as 'replay FILE'")
    short.add_argument("--list", action="store_true", help="as 'list'")
    short.add_argument("--export", metavar="PNG", help="with --game or --open: as 'shot', needs no display")
    commands = top.add_subparsers(title="commands", metavar="COMMAND")
    for name in names:
        import_module(f"shibumi3d.cli.{name}").add(commands)
    return top


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line ``argv`` (by default that of the process) and return the exit code."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal without é prints the rest all the same
    if native.status.notice:
        print(f"shibumi3d: {native.status.notice}", file=sys.stderr)
    arguments = list(sys.argv[1:] if argv is None else argv)
    # A command named at once needs none of the others: this keeps short commands short.
    top = parser(arguments[:1] if arguments and arguments[0] in COMMANDS else COMMANDS)
    args = top.parse_args(arguments)
    if not hasattr(args, "run"):
        args = top.parse_args(_long_form(top, args))
    try:
        code: int = args.run(args)
        sys.stdout.flush()
    except Failure as failure:
        print(f"shibumi3d: {failure}", file=sys.stderr)
        return 1
    except BrokenPipeError:
        # The reader of the output has gone, as with `| head`. Nothing more can be said there.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except KeyboardInterrupt:
        print(file=sys.stderr)
        return 130
    return code


def _long_form(top: argparse.ArgumentParser, args: argparse.Namespace) -> list[str]:
    """The command that short options stand for."""
    chosen = [name for name in ("list", "game", "open") if getattr(args, name)]
    if len(chosen) > 1:
        top.error(f"--{chosen[0]} and --{chosen[1]} exclude each other")
    subject = args.game or args.open
    seed = [] if args.seed is None else ["--seed", str(args.seed)]
    if seed and not args.game:
        top.error("--seed goes with --game")
    if args.list:
        return ["list"]
    if args.export:
        if not subject:
            top.error("--export goes with --game or --open")
        return ["shot", subject, *seed, "--out", args.export]
    if args.open:
        return ["replay", args.open]
    return ["play", *([args.game] if args.game else []), *seed]
