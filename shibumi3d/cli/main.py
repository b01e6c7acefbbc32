"""The ``shibumi3d`` command: parses arguments, runs a command and reports failures in a sentence.

Modules are imported only when they are needed, so that interrupting the program while it starts prints no traceback.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from typing import TYPE_CHECKING

from shibumi3d import entry
from shibumi3d.i18n import LANGUAGES, _, localize, shorten

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Sequence

# Each module has register(subparsers), which sets `run`, the function that executes the command and returns the exit
# code.
COMMANDS = (
    "play",
    "list",
    "rules",
    "check",
    "perft",
    "selfplay",
    "judge",
    "learn",
    "lab",
    "solve",
    "analyse",
    "review",
    "problems",
    "solo",
    "openings",
    "replay",
    "share",
    "shot",
    "export",
    "install-desktop",
    "completion",
    "build-engine",
)


MATCH_LINK_PREFIX = "shibumi3d:"
"""Beginning of links to matches, challenges and problems."""
MIN_BYTECODE_BYTES = 32 * 2**20
"""Minimum free disk space in bytes for writing bytecode; all bytecode together needs less."""


def make_parser(names: Sequence[str] = COMMANDS) -> argparse.ArgumentParser:
    """Return the argument parser of the program, with the subcommands in ``names``."""
    from importlib import import_module

    from shibumi3d import __version__, native
    from shibumi3d.cli.common import LocalizedParser, parse_seed

    top = LocalizedParser(
        prog="shibumi3d",
        description=_("Marble games on a pyramid. Without a command, the window opens."),
        epilog=_("For help on a command, run 'shibumi3d COMMAND --help'."),
        allow_abbrev=False,
    )
    top.add_argument(
        "--version",
        action="version",
        version=f"Shibumi 3D {__version__} ({localize(native.describe_progress())})",
        help=_("show program's version number and exit"),
    )
    top.add_argument("--lang", metavar="CODE", help=_("language to use: {words}", words=", ".join(LANGUAGES)))
    short = top.add_argument_group(_("shortcuts"))
    short.add_argument("--game", metavar=_("GAME"), help=_("same as 'play GAME'"))
    short.add_argument("--text", action="store_true", help=_("with --game: play in the terminal"))
    short.add_argument("--seed", metavar="N", type=parse_seed, help=_("with --game: random seed"))
    short.add_argument("--open", metavar=_("FILE"), help=_("same as 'replay FILE'"))
    short.add_argument("--list", action="store_true", help=_("same as 'list'"))
    short.add_argument(
        "--export", metavar="PNG", help=_("with --game or --open: same as 'shot'; needs no display")
    )
    commands = top.add_subparsers(title=_("commands"), metavar=_("COMMAND"))
    for name in names:
        import_module(f"shibumi3d.cli.{name.replace('-', '_')}").register(commands)
    return top


def main(argv: Sequence[str] | None = None, run: Callable[[list[str]], int] | None = None) -> int:
    """Run the command line ``argv`` (default: that of the process) and return the exit code.

    ``run`` parses and executes the arguments; by default, it runs the program's own commands.
    """
    try:
        _skip_bytecode_if_disk_full()
        return entry.run_entry_point(
            lambda: _run_with_errors(run or _run, list(sys.argv[1:] if argv is None else argv))
        )
    finally:
        if (text := sys.modules.get("shibumi3d.i18n")) is not None:
            text.force_language("")


def _run_with_errors(run: Callable[[list[str]], int], arguments: list[str]) -> int:
    """Call ``run`` with ``arguments``, escape control characters in its output, and return its exit code.

    If ``run`` raises a CommandError, or an error that :func:`.user_errors` converts to one, print the message and
    return 1. If the reader of the output has closed the pipe, return 1 without a message.
    """
    from contextlib import redirect_stderr, redirect_stdout

    from shibumi3d.cli.common import CommandError, EscapingStream, user_errors

    with redirect_stdout(EscapingStream(sys.stdout)), redirect_stderr(EscapingStream(sys.stderr)):
        try:
            with user_errors():
                try:
                    return run(arguments)
                finally:
                    sys.stdout.flush()
        except CommandError as failure:
            _print_error(
                "\n".join(map(shorten, _("{prog}: {message}", prog="shibumi3d", message=failure).split("\n")))
            )
        except BrokenPipeError:
            pass  # the reader closed the pipe, as with `| head`, so there is nowhere left to print
        return 1


def _run(arguments: list[str]) -> int:
    from shibumi3d import native

    arguments = _apply_language(arguments)
    if native.status.warning:
        _print_error(_("{prog}: {message}", prog="shibumi3d", message=native.status.warning))
    # If the first argument names a command, import only that one, so that it starts faster.
    if arguments and arguments[0] not in COMMANDS and _is_file(arguments[0]):
        arguments = ["replay", *arguments]  # to open a file, the desktop passes only its path
    elif arguments and arguments[0].startswith(("file://", MATCH_LINK_PREFIX)):
        arguments = ["replay", *arguments]  # likewise for a link
    if not arguments:
        arguments = ["play"]  # opens the window
    if arguments[0] in COMMANDS:
        names: Sequence[str] = arguments[:1]
    else:
        names = () if arguments == ["--version"] else COMMANDS
    top = make_parser(names)
    args = top.parse_args(arguments)
    if not hasattr(args, "run"):
        args = top.parse_args(_expand_shortcuts(top, args))
    code: int = args.run(args)
    return code


def _is_file(word: str) -> bool:
    return not word.startswith("-") and os.path.isfile(word)


def _apply_language(arguments: list[str]) -> list[str]:
    """Apply the option ``--lang CODE``, wherever it appears, and return the remaining arguments.

    Without the option, the language is taken from the settings, or else from the system. Raises CommandError for an
    unknown language.
    """
    from shibumi3d import i18n
    from shibumi3d.app.host import settings
    from shibumi3d.cli.common import CommandError

    left, asked = [], ""
    words = iter(arguments)
    for word in words:
        if word == "--lang":
            asked = next(words, "")
        elif word.startswith("--lang="):
            asked = word.removeprefix("--lang=")
        else:
            left.append(word)
            continue
        if asked not in (*i18n.LANGUAGES, i18n.PSEUDO_LOCALE):
            i18n.set_language(i18n.startup_language("", os.environ))
            raise CommandError(
                _(
                    "unknown language '{asked}': choose from {known}",
                    asked=asked,
                    known=", ".join(i18n.LANGUAGES),
                )
            )
    if asked:
        i18n.force_language(asked)
    else:
        i18n.set_language(
            i18n.startup_language(settings.stored_language(settings.settings_folder()), os.environ)
        )
    return left


def _skip_bytecode_if_disk_full() -> None:
    """Stop Python from writing bytecode files if the disk is nearly full.

    On a full disk, Python would leave truncated files, which it couldn't load later. Child processes inherit the
    setting. On Windows, nothing is changed.
    """
    if hasattr(os, "statvfs"):
        with suppress(OSError):
            disk = os.statvfs(sys.pycache_prefix or os.path.dirname(__file__))
            if disk.f_bavail * disk.f_frsize < MIN_BYTECODE_BYTES:
                sys.dont_write_bytecode = True
                os.environ["PYTHONDONTWRITEBYTECODE"] = "1"


def _print_error(sentence: str) -> None:
    print(sentence, file=sys.stderr)


def _expand_shortcuts(top: argparse.ArgumentParser, args: argparse.Namespace) -> list[str]:
    """Return the full command line that the shortcut options in ``args`` stand for.

    Without any of them, it is ``play``. Exits with an error message if two options can't be used together, or if an
    option needs another one that is missing.
    """
    for group in (("list", "game", "open"), ("open", "text"), ("text", "export"), ("list", "export")):
        chosen = [name for name in group if getattr(args, name)]
        if len(chosen) > 1:
            top.error(_("--{one} and --{other} can't be used together", one=chosen[0], other=chosen[1]))
    subject = args.game or args.open
    seed = [] if args.seed is None else ["--seed", str(args.seed)]
    if seed and not args.game:
        top.error(_("--seed can only be used with --game"))
    if args.list:
        return ["list"]
    if args.text:
        return ["play", *([args.game] if args.game else []), *seed, "--text"]
    if args.export:
        if not subject:
            top.error(_("--export can only be used with --game or --open"))
        return ["shot", subject, *seed, "--out", args.export]
    if args.open:
        return ["replay", args.open]
    return ["play", *([args.game] if args.game else []), *seed]
