"""Makes one file that holds the whole program, for a machine without Python: ``python -m shibumi3d.build_bundle``.

PyInstaller puts Python, the libraries, the package and its data together, for the system it runs on. The compiled
engine goes with it where it is compiled and fits its sources.
"""

from __future__ import annotations

import argparse
import importlib.util
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from shibumi3d import build_native, paths
from shibumi3d.native import FOLDER, PACKAGE

NAME = "shibumi3d"
UNUSED = ("tkinter", "PIL", "matplotlib", "IPython", "pytest", "setuptools", "mypy", "mypyc")
"""What libraries would use if it were there, and no part of the program does."""


def recipe(out: Path, work: Path) -> list[str]:
    """The arguments of PyInstaller; the bundle is written to ``out``, all else to ``work``."""
    data = [f"{paths.root() / kind}:{NAME}/_data/{kind}" for kind in paths.KINDS]
    if build_native.compiled():
        # It asks for the very sources that it was compiled from.
        data += [f"{FOLDER}:{NAME}/_native"]
        data += [
            f"{PACKAGE / source}:{(Path(NAME) / source).parent}"
            for source in build_native.closure(build_native.MODULES)
        ]
    arguments = ["--noconfirm", "--onefile", "--name", NAME, "--log-level", "WARN"]
    arguments += ["--distpath", str(out), "--workpath", str(work), "--specpath", str(work)]
    # Commands, kinds of tables and the parts of the engine are loaded by name.
    arguments += ["--collect-submodules", NAME, "--collect-data", NAME]
    for each in data:
        arguments += ["--add-data", each]
    for name in UNUSED:
        arguments += ["--exclude-module", name]
    if importlib.util.find_spec("imageio_ffmpeg"):
        arguments += ["--collect-data", "imageio_ffmpeg"]
    return [*arguments, str(PACKAGE / "__main__.py")]


def main(argv: Sequence[str] | None = None) -> int:
    """Make the bundle; returns the exit code: 2 without PyInstaller, else that of PyInstaller."""
    parser = argparse.ArgumentParser(
        prog="python -m shibumi3d.build_bundle", description="Make one file that holds the whole program."
    )
    parser.add_argument("--out", type=Path, default=Path("dist"), metavar="DIR", help="where (default: dist)")
    args = parser.parse_args(argv)
    if not importlib.util.find_spec("PyInstaller"):
        print("PyInstaller is not installed: pip install 'shibumi3d[bundle]'", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory(prefix="shibumi3d-bundle-") as work:
        command = [sys.executable, "-m", "PyInstaller", *recipe(args.out.resolve(), Path(work))]
        return subprocess.run(command, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
