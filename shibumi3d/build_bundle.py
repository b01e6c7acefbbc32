"""Build a standalone bundle of the program: ``python -m shibumi3d.build_bundle``.

PyInstaller packs Python, the libraries, the package and its data into one folder. The bundle runs without an installed
Python on the kind of system on which it was built. The compiled engine is included if it exists and matches its
sources. A compressed archive of the folder is written next to it.
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
"""Modules to exclude, which libraries import if present but the program never uses.

Fonts are subset on developers' machines, so the bundle doesn't need fontTools.
"""
FILM = "imageio_ffmpeg"
RATINGS = "openskill"
NEEDED = ("copy", "itertools", "math", "statistics", "uuid")
"""Modules that PyInstaller can't detect because only compiled code of :data:`RATINGS` imports them.

See also :func:`shared`.
"""
SYSTEM = ("libstdc++.so*", "libgcc_s.so*")
"""Libraries to leave out of the bundle, since the system's OpenGL drivers bring their own.

An older copy from the build machine could keep the drivers from loading.
"""


def recipe(out: Path, work: Path, film: bool = False) -> list[str]:
    """Return the arguments for PyInstaller.

    The bundle is written to ``out``, and all intermediate files to ``work``. If ``film`` is set, ffmpeg is included.
    """
    data = [f"{paths.root() / kind}:{NAME}/_data/{kind}" for kind in paths.KINDS]
    if build_native.compiled():
        compiled = work / "compiled"
        compiled.mkdir()
        build_native.copy(FOLDER, compiled)
        # At startup, the compiled engine checks the hashes of its sources, so they are bundled too.
        data += [f"{compiled}:{NAME}/_native"]
        data += [
            f"{PACKAGE / source}:{(Path(NAME) / source).parent}"
            for source in build_native.closure(build_native.MODULES)
        ]
    arguments = ["--noconfirm", "--onedir", "--name", NAME, "--log-level", "WARN"]
    arguments += ["--distpath", str(out), "--workpath", str(work), "--specpath", str(work)]
    # Commands, table kinds and engine modules are imported by name, which PyInstaller can't detect.
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
    """Return the top-level mypyc runtime modules that belong to ``package``.

    mypyc puts code shared by the compiled modules of a package into an extension module next to the package.
    """
    files = importlib.metadata.files(package) or []
    return [file.name.partition(".")[0] for file in files if "__mypyc." in file.name and len(file.parts) == 1]


def leave_to_the_system(folder: Path) -> None:
    """Delete the libraries from a bundle that the target system must provide."""
    for pattern in SYSTEM:
        for path in folder.rglob(pattern):
            path.unlink()


def compress(folder: Path) -> Path:
    """Write an archive of a bundle next to it, named after the version and system; return its path."""
    kind = "zip" if os.name == "nt" else "gztar"
    name = f"{NAME}-{__version__}-{platform.system()}-{platform.machine()}".lower()
    return Path(shutil.make_archive(str(folder.parent / name), kind, folder.parent, folder.name))


def size(path: Path) -> int:
    """Return the size in bytes of a file, or of all files in a folder."""
    files = path.rglob("*") if path.is_dir() else [path]
    return sum(each.stat().st_size for each in files if each.is_file() and not each.is_symlink())


def main(argv: Sequence[str] | None = None) -> int:
    """Build the bundle and print its size.

    Return the exit code: 2 if a required package is missing, otherwise that of PyInstaller.
    """
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
