"""Draws the pictures of docs/games.md: every game as the first page of the window shows it, only smaller."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import numpy as np
from PIL import Image

from shibumi3d.app.shell import thumbnails
from shibumi3d.catalogue.catalogue import load_catalogue
from shibumi3d.render.png import decode_png

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "pictures" / "games"
SIZE = (200, 125)
QUALITY = 82
LOOK: thumbnails.ThemeArguments = ("day", "standard", "", "")


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    games = load_catalogue().entries
    names = {entry.id for entry in games}
    for old in FOLDER.iterdir():
        if old.stem not in names:
            old.unlink()
    with tempfile.TemporaryDirectory() as place:
        for entry in games:
            large = Path(place, f"{entry.id}.png")
            if not thumbnails.draw_game(entry, LOOK, large):
                sys.exit(f"{entry.id} has no position to draw")
            picture = Image.fromarray(np.ascontiguousarray(decode_png(large.read_bytes())[:, :, :3]))
            picture.resize(SIZE, Image.Resampling.LANCZOS).save(
                FOLDER / f"{entry.id}.webp", quality=QUALITY, method=6
            )


if __name__ == "__main__":
    main()
