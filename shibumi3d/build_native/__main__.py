"""Command-line interface of ``python -m shibumi3d.build_native``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from shibumi3d import entry
from shibumi3d.build_native.builder import ensure, step_back
from shibumi3d.build_native.building import BuildFailed, alone, build, compiled, copy, missing, remove
from shibumi3d.build_native.sources import MODULES
from shibumi3d.native import FOLDER


def main(argv: Sequence[str] | None = None) -> int:
    """Compile the engine, or do what the arguments request.

    Return the exit code: 1 if compilation fails, 2 if the required tools are missing.
    """
    parser = argparse.ArgumentParser(
        prog="python -m shibumi3d.build_native", description="Compile the engine."
    )
    how = parser.add_mutually_exclusive_group()
    how.add_argument(
        "--ensure", action="store_true", help="only when needed, behind all else, and never fail"
    )
    how.add_argument("--remove", action="store_true", help="take the compiled modules away")
    how.add_argument("--into", type=Path, metavar="DIR", help="put the modules there instead")
    args = parser.parse_args(argv)
    if args.ensure:
        step_back()
        ensure()
    elif args.remove:
        remove(FOLDER)
    elif compiled():
        if args.into:
            copy(FOLDER, args.into)
        print("The engine is compiled, and no source has changed since.", file=sys.stderr)
    elif lacking := missing():
        print(f"The engine is not compiled, because {lacking}.", file=sys.stderr)
        return 2
    else:
        return _build(args.into)
    return 0


def _build(into: Path | None) -> int:
    text = f"Compiling the engine ({len(MODULES)} modules)"
    shown = sys.stderr.isatty()
    if not shown:
        print(f"{text} …", file=sys.stderr, flush=True)

    def told(share: float) -> None:
        if shown:
            print(f"\r{text} … {share:.0%} ", end="", file=sys.stderr, flush=True)

    try:
        if into:
            build(into, told)  # the folder is the caller's own, so no lock is needed
            return 0
        with alone(FOLDER, wait=True):
            if not compiled():
                build(FOLDER, told)
    except (BuildFailed, OSError) as problem:
        output = problem.output if isinstance(problem, BuildFailed) else ""
        print(f"{output}The engine is not compiled: {problem}", file=sys.stderr)
        return 1
    finally:
        if shown:
            print(file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(entry.run(main))
