"""Command-line interface of ``python -m shibumi3d.build_native``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from shibumi3d import entry
from shibumi3d.build_native.background import build_if_needed, lower_priority
from shibumi3d.build_native.compilation import (
    BuildError,
    build_engine,
    build_lock,
    copy_compiled,
    is_compiled,
    missing_tools,
    remove_compiled,
)
from shibumi3d.build_native.sources import MODULES
from shibumi3d.native import COMPILED_FOLDER


def main(argv: Sequence[str] | None = None) -> int:
    """Compile the engine unless it is up to date, or do what the options in ``argv`` say.

    ``argv`` defaults to the arguments of the command line. Returns the exit code: 1 if compilation fails, 2 if the
    required tools are missing, and otherwise 0. With ``--ensure``, it is always 0.
    """
    parser = argparse.ArgumentParser(
        prog="python -m shibumi3d.build_native", description="Compile the engine."
    )
    how = parser.add_mutually_exclusive_group()
    how.add_argument(
        "--ensure", action="store_true", help="compile only if needed, at low priority, and never fail"
    )
    how.add_argument("--remove", action="store_true", help="remove the compiled modules")
    how.add_argument(
        "--into", type=Path, metavar="DIR", help="put the compiled modules into this folder instead"
    )
    args = parser.parse_args(argv)
    if args.ensure:
        lower_priority()
        build_if_needed()
    elif args.remove:
        remove_compiled(COMPILED_FOLDER)
    elif is_compiled():
        if args.into:
            copy_compiled(COMPILED_FOLDER, args.into)
        print("The engine is compiled, and no source has changed since.", file=sys.stderr)
    elif lacking := missing_tools():
        print(f"The engine can't be compiled: {lacking}.", file=sys.stderr)
        return 2
    else:
        return _build(args.into)
    return 0


def _build(target_folder: Path | None) -> int:
    text = f"Compiling the engine ({len(MODULES)} modules)"
    is_terminal = sys.stderr.isatty()
    if not is_terminal:
        print(f"{text} …", file=sys.stderr, flush=True)

    def show_progress(share: float) -> None:
        if is_terminal:
            print(f"\r{text} … {share:.0%} ", end="", file=sys.stderr, flush=True)

    try:
        if target_folder:
            build_engine(target_folder, show_progress)  # the folder is the caller's own, so no lock is needed
            return 0
        with build_lock(COMPILED_FOLDER, wait=True):
            if not is_compiled():
                build_engine(COMPILED_FOLDER, show_progress)
    except (BuildError, OSError) as problem:
        output = problem.output if isinstance(problem, BuildError) else ""
        print(f"{output}The engine couldn't be compiled: {problem}", file=sys.stderr)
        return 1
    finally:
        if is_terminal:
            print(file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(entry.run_entry_point(main))
