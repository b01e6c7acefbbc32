"""Disk cache for baked textures, since baking takes long."""

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
"""Maximum number of cached files; the least recently used ones are deleted."""
LARGEST = 16 * 2**20
"""Maximum size of a cached file, in bytes."""


def find(key: tuple[object, ...], lengths: Sequence[int]) -> list[bytes] | None:
    """Return the images cached under ``key``, or None if they are missing or unusable.

    ``lengths`` are the expected sizes of the images in bytes. An entry with a different total size is not used.
    """
    file = _file(key)
    unpacking = zlib.decompressobj()
    try:
        data = unpacking.decompress(read(file, LARGEST), sum(lengths) + 1)
        if len(data) != sum(lengths) or not unpacking.eof:
            return None
        os.utime(file)  # the modification time records the last use
    except (OSError, zlib.error):
        return None
    found, at = [], 0
    for length in lengths:
        found.append(data[at : at + length])
        at += length
    return found


def keep(key: tuple[object, ...], pictures: Sequence[bytes]) -> None:
    """Store images in the cache under ``key``; do nothing if the cache isn't writable."""
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
