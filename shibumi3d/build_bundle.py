"""Makes a folder that holds the whole program, for a machine without Python: ``python -m shibumi3d.build_bundle``.

PyInstaller puts Python, the libraries, the package and its data together, for the system it runs on. The compiled
engine goes with it where it is compiled and fits its sources. Beside the folder lies one compressed file of it.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import importlib.util
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from shibumi3d import __version__, build_native, entry, paths
from shibumi3d.native import FOLDER, PACKAGE

NAME = "shibumi3d"
UNUSED = ("tkinter", "PIL", "matplotlib", "IPython", "pytest", "setuptools", "mypy", "mypyc", "fontTools")
"""What libraries would use if it were there, and no part of the program does; fonts are cut on developers' machines."""
FILM = "imageio_ffmpeg"
RATINGS = "openskill"
NEEDED = ("copy", "itertools", "math", "statistics", "uuid")
"""What it imports where it is compiled, so that nobody sees it, beside a module that all its parts share."""
SYSTEM = ("libstdc++.so*", "libgcc_s.so*")
"""What comes with the system's drivers of OpenGL: an older one of the builder's would keep these from loading."""


def recipe(out: Path, work: Path, film: bool = False) -> list[str]:
    """The arguments of PyInstaller; the bundle is written to ``out``, all else to ``work``."""
    data = [f"{paths.root() / kind}:{NAME}/_data/{kind}" for kind in paths.KINDS]
    if build_native.compiled():
        compiled = work / "compiled"
        compiled.mkdir()
        build_native.copy(FOLDER, compiled)
        # It asks for the very sources that it was compiled from.
        data += [f"{compiled}:{NAME}/_native"]
        data += [
            f"{PACKAGE / source}:{(Path(NAME) / source).parent}"
            for source in build_native.closure(build_native.MODULES)
        ]
    arguments = ["--noconfirm", "--onedir", "--name", NAME, "--log-level", "WARN"]
    arguments += ["--distpath", str(out), "--workpath", str(work), "--specpath", str(work)]
    # Commands, kinds of tables and the parts of the engine are loaded by name.
    arguments += ["--collect-submodules", NAME, "--collect-data", NAME]
    arguments += ["--collect-submodules", RATINGS]
    for each in (*NEEDED, *shared(RATINGS)):
        arguments += ["--hidden-import", each]
    for each in data:
        arguments += ["--add-data", each]
    for name in (*UNUSED, *([] if film else [FILM])):
        arguments += ["--exclude-module", name]
    if film:
        arguments += ["--collect-data", FILM]
    return [*arguments, str(PACKAGE / "__main__.py")]


def shared(package: str) -> list[str]:
    """The modules that the compiled parts of a package share, which lie beside it under a name of their own."""
    files = importlib.metadata.files(package) or []
    return [file.name.partition(".")[0] for file in files if "__mypyc." in file.name and len(file.parts) == 1]


def leave_to_the_system(folder: Path) -> None:
    """Take away from a bundle what the system it runs on has to bring."""
    for pattern in SYSTEM:
        for path in folder.rglob(pattern):
            path.unlink()


def compress(folder: Path) -> Path:
    """One file of a bundle, beside it, named after version and system."""
    kind = "zip" if os.name == "nt" else "gztar"
    name = f"{NAME}-{__version__}-{platform.system()}-{platform.machine()}".lower()
    return Path(shutil.make_archive(str(folder.parent / name), kind, folder.parent, folder.name))


def size(path: Path) -> int:
    """The bytes of a file, or of all files in a folder."""
    files = path.rglob("*") if path.is_dir() else [path]
    return sum(each.stat().st_size for each in files if each.is_file() and not each.is_symlink())


def main(argv: Sequence[str] | None = None) -> int:
    """Make the bundle and say how large it is; returns the exit code: 2 for what is missing, else PyInstaller's."""
    parser = argparse.ArgumentParser(
        prog="python -m shibumi3d.build_bundle", description="Make a folder that holds the whole program."
    )
    parser.add_argument("--out", type=Path, default=Path("dist"), metavar="DIR", help="where (default: dist)")
    parser.add_argument("--with-film", action="store_true", help="with ffmpeg, so that it makes films")
    args = parser.parse_args(argv)
    wanted = {"PyInstaller": "bundle"} | ({FILM: "film"} if args.with_film else {})
    for module, extra in wanted.items():
        if not importlib.util.find_spec(module):
            print(f"{module} is not installed: pip install 'shibumi3d[{extra}]'", file=sys.stderr)
            return 2
    out = args.out.resolve()
    with tempfile.TemporaryDirectory(prefix="shibumi3d-bundle-") as work:
        command = [sys.executable, "-m", "PyInstaller", *recipe(out, Path(work), args.with_film)]
        if code := subprocess.run(command, check=False).returncode:
            return code
    folder = out / NAME
    leave_to_the_system(folder)
    for path in (folder, compress(folder)):
        print(f"{path}: {size(path) / 1e6:.0f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(entry.run(main))
