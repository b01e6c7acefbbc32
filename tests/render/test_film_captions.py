"""The caption below a film stays readable, however long it is."""

from __future__ import annotations

import numpy as np
import pytest

from shibumi3d.export.lettering import FILM_FOOT_HEIGHT, draw_caption
from shibumi3d.scene.style import make_style


def ink_bands(caption: str, width: int, height: int) -> list[int]:
    """Return the heights in pixels of the lines of text in a caption's image, from top to bottom.

    ``width`` and ``height`` are the size of the film's pictures, not of the caption. The height of a line is the number
    of its rows that contain ink, so it depends on the letters.
    """
    image = draw_caption(caption, width, height, make_style("day"))
    assert image.shape == (round(FILM_FOOT_HEIGHT * height), width, 3)
    has_ink = (image < 128).all(axis=2).any(axis=1)
    edges = np.flatnonzero(np.diff(np.concatenate([[False], has_ink, [False]]).astype(int)))
    return [int(stop - start) for start, stop in zip(edges[::2], edges[1::2], strict=True)]


@pytest.mark.parametrize(("width", "height"), [(640, 360), (853, 481), (1280, 720)])
def test_long_caption_has_two_lines_of_nearly_the_usual_size(width: int, height: int) -> None:
    clause = "HH pays 12 Gold to HH and "
    (usual,) = ink_bands("H", width, height)
    assert len(ink_bands(clause * 2, width, height)) == 1
    bands = ink_bands(clause.upper() * 5, width, height)
    assert len(bands) == 2
    assert min(bands) >= 0.6 * usual
    assert ink_bands("", width, height) == []
    assert len(ink_bands("H" * 90, width, height)) == 1, "there is no space to split it at"
