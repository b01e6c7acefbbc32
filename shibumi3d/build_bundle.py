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
from shibumi3d.native import COMPILED_FOLDER, PACKAGE_FOLDER

PROGRAM_NAME = "shibumi3d"
EXCLUDED_MODULES = (
    "tkinter",
    "PIL",
    "matplotlib",
    "IPython",
    "pytest",
    "setuptools",
    "mypy",
    "mypyc",
    "fontTools",
)
"""Modules to leave out: libraries import them if they are installed, but the program never uses them.

Fonts are subset on developers' machines, so the bundle doesn't need fontTools.
"""
FFMPEG_PACKAGE = "imageio_ffmpeg"
RATINGS_PACKAGE = "openskill"
HIDDEN_IMPORTS = ("copy", "itertools", "math", "statistics", "uuid")
"""Modules that PyInstaller can't detect because only compiled code of :data:`RATINGS_PACKAGE` imports them.

See also :func:`mypyc_runtime_modules`.
"""
SYSTEM_LIBRARIES = ("libstdc++.so*", "libgcc_s.so*")
"""Libraries to leave out of the bundle, since the OpenGL drivers need the system's own versions.

An older copy from the build machine could keep the drivers from loading.
"""


def pyinstaller_arguments(out: Path, work: Path, with_ffmpeg: bool = False) -> list[str]:
    """Return the arguments for PyInstaller.

    With these, PyInstaller writes the bundle to ``out`` and all intermediate files to ``work``. If ``with_ffmpeg`` is
    set, ffmpeg is included. If the engine has been compiled from the current sources, this function also copies the
    compiled engine to ``work``.
    """
    data = [f"{paths.data_root() / kind}:{PROGRAM_NAME}/_data/{kind}" for kind in paths.DATA_FOLDERS]
    if build_native.is_compiled():
        compiled = work / "compiled"
        compiled.mkdir()
        build_native.copy_compiled(COMPILED_FOLDER, compiled)
        # At startup, the compiled engine checks the hashes of its sources, so they are bundled too.
        data += [f"{compiled}:{PROGRAM_NAME}/_native"]
        data += [
            f"{PACKAGE_FOLDER / source}:{(Path(PROGRAM_NAME) / source).parent}"
            for source in build_native.source_closure(build_native.MODULES)
        ]
    arguments = ["--noconfirm", "--onedir", "--name", PROGRAM_NAME, "--log-level", "WARN"]
    arguments += ["--distpath", str(out), "--workpath", str(work), "--specpath", str(work)]
    # Commands, table kinds and engine modules are imported by name, which PyInstaller can't detect.
    arguments += ["--collect-submodules", PROGRAM_NAME, "--collect-data", PROGRAM_NAME]
    arguments += ["--collect-submodules", RATINGS_PACKAGE]
    for module in (*HIDDEN_IMPORTS, *mypyc_runtime_modules(RATINGS_PACKAGE)):
        arguments += ["--hidden-import", module]
    for item in data:
        arguments += ["--add-data", item]
    for name in (*EXCLUDED_MODULES, *([] if with_ffmpeg else [FFMPEG_PACKAGE])):
        arguments += ["--exclude-module", name]
    if with_ffmpeg:
        arguments += ["--collect-data", FFMPEG_PACKAGE]
    return [*arguments, str(PACKAGE_FOLDER / "__main__.py")]


def mypyc_runtime_modules(package: str) -> list[str]:
    """Return the names of the top-level extension modules that mypyc generated for ``package``.

    When mypyc compiles several modules of a package, it puts their code into such a module, next to the package. Raises
    PackageNotFoundError if ``package`` isn't installed.
    """
    files = importlib.metadata.files(package) or []
    return [file.name.partition(".")[0] for file in files if "__mypyc." in file.name and len(file.parts) == 1]


def delete_system_libraries(folder: Path) -> None:
    """Delete the :data:`SYSTEM_LIBRARIES` from the bundle in ``folder``."""
    for pattern in SYSTEM_LIBRARIES:
        for path in folder.rglob(pattern):
            path.unlink()


def write_archive(folder: Path) -> Path:
    """Write an archive of the bundle ``folder`` to its parent folder, and return the archive's path.

    The archive is named after the program, its version, the operating system and the processor architecture.
    """
    kind = "zip" if os.name == "nt" else "gztar"
    name = f"{PROGRAM_NAME}-{__version__}-{platform.system()}-{platform.machine()}".lower()
    return Path(shutil.make_archive(str(folder.parent / name), kind, folder.parent, folder.name))


def size_bytes(path: Path) -> int:
    """Return the size in bytes of a file, or the total size of all files in a folder.

    Files in subfolders are included. Symbolic links don't count.
    """
    files = path.rglob("*") if path.is_dir() else [path]
    return sum(file.stat().st_size for file in files if file.is_file() and not file.is_symlink())


def main(argv: Sequence[str] | None = None) -> int:
    """Build the bundle and its archive, and print their sizes.

    Return the exit code: 2 if a required package is missing, otherwise that of PyInstaller.
    """
    parser = argparse.ArgumentParser(
        prog="python -m shibumi3d.build_bundle", description="Make a folder that holds the whole program."
    )
    parser.add_argument(
        "--out", type=Path, default=Path("dist"), metavar="DIR", help="folder to write to (default: dist)"
    )
    parser.add_argument(
        "--with-film", action="store_true", help="include ffmpeg, so that the program can make videos"
    )
    args = parser.parse_args(argv)
    wanted = {"PyInstaller": "bundle"} | ({FFMPEG_PACKAGE: "film"} if args.with_film else {})
    for module, extra in wanted.items():
        if not importlib.util.find_spec(module):
            print(f"{module} is not installed: pip install 'shibumi3d[{extra}]'", file=sys.stderr)
            return 2
    out = args.out.resolve()
    with tempfile.TemporaryDirectory(prefix="shibumi3d-bundle-") as work:
        command = [
            sys.executable,
            "-m",
            "PyInstaller",
            *pyinstaller_arguments(out, Path(work), args.with_film),
        ]
        if code := subprocess.run(command, check=False).returncode:
            return code
    folder = out / PROGRAM_NAME
    delete_system_libraries(folder)
    for path in (folder, write_archive(folder)):
        print(f"{path}: {size_bytes(path) / 1e6:.0f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(entry.run_entry_point(main))
