"""``shibumi3d build-engine``: compile the engine, or remove the compiled engine."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from shibumi3d.cli.common import CommandError, add_command, print_line
from shibumi3d.i18n import _

if TYPE_CHECKING:
    from shibumi3d.cli.common import Commands


def register(commands: Commands) -> None:
    """Add the ``build-engine`` command."""
    parser = add_command(
        commands,
        "build-engine",
        run,
        _("compile the engine to make the computer players stronger; needs a C compiler"),
    )
    parser.add_argument("--remove", action="store_true", help=_("remove the compiled engine"))


def run(args: argparse.Namespace) -> int:
    """Compile the engine or, with ``--remove``, remove the compiled engine.

    The engine is compiled into the folder where the program looks for it, unless the compiled engine there is up to
    date. If another build is running, the command first waits for the end of that build, except on Windows. Raises
    :class:`CommandError` if a tool is missing or the engine can't be compiled.
    """
    from shibumi3d import build_native
    from shibumi3d.native import COMPILED_FOLDER

    if args.remove:
        build_native.remove_compiled()
        print_line(_("The compiled engine has been removed."))
        return 0
    if not build_native.is_compiled():
        if (problem := build_native.missing_tools()) is not None:
            raise CommandError(
                _(
                    "Couldn't compile the engine: {problem}. You need a C compiler and 'shibumi3d[native]'.",
                    problem=problem,
                )
            )
        try:
            with build_native.build_lock(COMPILED_FOLDER, wait=True):
                if not build_native.is_compiled():
                    build_native.build_engine(COMPILED_FOLDER, _print_progress)
        except build_native.BuildError as failed:
            raise CommandError(_("Couldn't compile the engine: {problem}", problem=failed)) from None
        finally:
            if sys.stderr.isatty():
                print(file=sys.stderr)
    print_line(_("The compiled engine is in {folder}.", folder=COMPILED_FOLDER))
    return 0


def _print_progress(share: float) -> None:
    if sys.stderr.isatty():
        print(f"\r{share:4.0%}", end="", file=sys.stderr, flush=True)
