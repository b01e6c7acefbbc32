"""What took long to bake, kept from one start of the program to the next."""

from __future__ import annotations

import os
import zlib
from collections.abc import Sequence
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

from shibumi3d.files import make_folder, read, sweep, write
from shibumi3d.paths import cache_folder

MOST = 32
"""Files that are kept; those used longest ago go first."""
LARGEST = 16 * 2**20
"""Bytes that a file has at most."""


def find(key: tuple[object, ...], lengths: Sequence[int]) -> list[bytes] | None:
    """Return the pictures kept under ``key``, which have so many bytes each; None where there are none, or others."""
    file = _file(key)
    unpacking = zlib.decompressobj()
    try:
        data = unpacking.decompress(read(file, LARGEST), sum(lengths) + 1)
        if len(data) != sum(lengths) or not unpacking.eof:
            return None
        os.utime(file)  # when it was used last
    except (OSError, zlib.error):
        return None
    found, at = [], 0
    for length in lengths:
        found.append(data[at : at + length])
        at += length
    return found


def keep(key: tuple[object, ...], pictures: Sequence[bytes]) -> None:
    """Keep pictures under ``key``, if the cache can be written to."""
    file = _file(key)
    with suppress(OSError):
        make_folder(file.parent)
        write(file, zlib.compress(b"".join(pictures), 1))
        sweep(file.parent)
        kept = sorted(file.parent.glob("*.z"), key=lambda one: one.stat().st_mtime)
        for old in kept[:-MOST]:
            old.unlink()


def _file(key: tuple[object, ...]) -> Path:
    return cache_folder() / "grains" / f"{sha256(repr(key).encode()).hexdigest()[:40]}.z"
