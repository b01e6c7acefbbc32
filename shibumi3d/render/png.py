"""PNG encoder, and a decoder for the files that it writes."""

from __future__ import annotations

import struct
import zlib
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

RgbImage: TypeAlias = NDArray[np.uint8]
"""An image of shape (height, width, 3), with rows from the top."""


def encode_png(pixels: NDArray[np.uint8], reduce_size: bool = False) -> bytes:
    """Return ``pixels`` (height, width, 3 or 4), with rows from the top, as a PNG file.

    ``reduce_size`` reduces the file size by about half: colour values are quantized to steps of four, and dark ones to
    steps of two, which is hardly visible. Raises ValueError for an array of any other shape.
    """
    height, width, channels = pixels.shape
    if channels not in (3, 4):
        raise ValueError(f"a picture has 3 or 4 channels, not {channels}")
    if reduce_size:
        coarse = np.array([v & 0xFE if v < 64 else v & 0xFC | v >> 6 for v in range(256)], dtype=np.uint8)
        pixels = coarse[pixels]
    rows = np.zeros((height, width * channels + 1), dtype=np.uint8)
    # Filter 1 stores the difference from the left neighbour, which compresses smooth images better.
    flat = pixels.reshape(height, width * channels)
    rows[:, 0] = 1
    rows[:, 1 : 1 + channels] = flat[:, :channels]
    rows[:, 1 + channels :] = flat[:, channels:] - flat[:, :-channels]

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", width, height, 8, 2 if channels == 3 else 6, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", header)
        + chunk(b"IDAT", zlib.compress(rows.tobytes(), 9 if reduce_size else 6))
        + chunk(b"IEND", b"")
    )


def decode_png(data: bytes) -> NDArray[np.uint8]:
    """Decode a file written by :func:`encode_png` to its pixels (height, width, 3 or 4), top row first.

    Raises ValueError if the pixels cannot be decoded, as with most PNG files from other programs.
    """
    if data[:8] != b"\x89PNG\r\n\x1a\n":
        raise ValueError("not a PNG")
    chunks: dict[bytes, bytes] = {}
    at = 8
    while at + 12 <= len(data):
        length, kind = struct.unpack(">I4s", data[at : at + 8])
        chunks[kind] = data[at + 8 : at + 8 + length]
        at += 12 + length
    try:
        width, height, _, colours, _, _, _ = struct.unpack(">IIBBBBB", chunks[b"IHDR"])
        channels = {2: 3, 6: 4}[colours]
        packed = np.frombuffer(zlib.decompress(chunks[b"IDAT"]), dtype=np.uint8)
        rows = packed.reshape(height, width * channels + 1)
    except (KeyError, struct.error, zlib.error) as problem:
        raise ValueError("the PNG file is damaged") from problem
    if (rows[:, 0] != 1).any():
        raise ValueError("the PNG file was written by another program")
    return np.cumsum(rows[:, 1:].reshape(height, width, channels), axis=1, dtype=np.uint8)
