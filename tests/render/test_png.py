from __future__ import annotations

from io import BytesIO

import numpy as np
import pytest
from PIL import Image

from shibumi3d.render.png import encode_png


@pytest.mark.parametrize("channels", [3, 4])
def test_png_encoding_round_trips(channels: int) -> None:
    pixels = np.random.default_rng(1).integers(0, 256, (7, 13, channels)).astype(np.uint8)
    image = Image.open(BytesIO(encode_png(pixels)))
    image.verify()
    again = Image.open(BytesIO(encode_png(pixels)))
    assert (again.format, again.size, again.mode) == ("PNG", (13, 7), "RGB" if channels == 3 else "RGBA")
    assert np.array_equal(np.asarray(again), pixels)


def test_grey_png_is_refused() -> None:
    with pytest.raises(ValueError, match="3 or 4 channels, not 1"):
        encode_png(np.zeros((2, 2, 1), dtype=np.uint8))
