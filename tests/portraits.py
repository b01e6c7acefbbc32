"""Draw the pictures of docs/games.md: every game as on the home page, but smaller.

With ``--store FOLDER``, convert screenshots in that folder to the pictures for app stores; see ``make store``.
"""

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


STORE_FOLDER = FOLDER.parent / "store"
STORE_PAGES = {
    "1-match": "end-1280x720-en",
    "2-pyramid": "game-spectacular-tumble-1280x720-en-night",
    "3-problem": "problem-1280x720-en",
    "4-arcanoid": "arcanoid-2-1280x720-en",
    "5-games": "home-1280x720-en",
}
"""Names of screenshots, by the name of the picture for app stores that is made from each."""


def convert_store_pages(folder: Path) -> None:
    STORE_FOLDER.mkdir(parents=True, exist_ok=True)
    for name, page in STORE_PAGES.items():
        picture = Image.open(folder / f"{page}.png").convert("RGB")
        picture.save(STORE_FOLDER / f"{name}.webp", quality=88, method=6)


def main() -> None:
    if sys.argv[1:2] == ["--store"]:
        convert_store_pages(Path(sys.argv[2]))
        return
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
