from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from shibumi3d import paths
from shibumi3d.render.models import load_model
from shibumi3d.scene.marbles import layout
from tools import models

MODELS = ("board", "dish", "bag", "box", "lid", "tray")
PAINTED = ("villager", "hyena", "plate", "jar", "chip", "bowl", "well", "hut")
SIGNS = tuple(f"sign{seat}" for seat in range(1, 6))


def triangles(name: str) -> NDArray[np.float64]:
    return load_model(name)[:, :3].astype(np.float64).reshape(-1, 3, 3)


def heights(name: str, x: float, y: float) -> list[float]:
    """Return the heights at which the vertical line through (x, y) meets a model, in ascending order."""
    met = []
    for a, b, c in triangles(name):
        sides = np.array([b[:2] - a[:2], c[:2] - a[:2]]).T
        if abs(np.linalg.det(sides)) > 1e-9:
            u, v = np.linalg.solve(sides, np.array([x, y]) - a[:2])
            if u >= -1e-6 and v >= -1e-6 and u + v <= 1 + 1e-6:
                met.append(a[2] + u * (b[2] - a[2]) + v * (c[2] - a[2]))
    return sorted(met)


@pytest.mark.parametrize("name", [*MODELS, *PAINTED, *SIGNS])
def test_model_files_match_generated_models(name: str) -> None:
    made = models
    parts = made.signs()[name] if name in SIGNS else getattr(made, name)()
    assert made.format_obj(parts) == paths.read_text("models", f"{name}.obj")


@pytest.mark.parametrize("name", [*PAINTED, *SIGNS])
def test_model_files_are_small(name: str) -> None:
    most = 100 if name in ("hut", "hyena", "well") else 25
    assert len(paths.read_text("models", f"{name}.obj")) <= most * 1024


@pytest.mark.parametrize("name", [*MODELS, *PAINTED, *SIGNS])
def test_model_faces_match_normals_and_are_few(name: str) -> None:
    faces = triangles(name)
    across = np.cross(faces[:, 1] - faces[:, 0], faces[:, 2] - faces[:, 0])
    normals = load_model(name)[:, 3:6].astype(np.float64)
    assert np.linalg.norm(normals, axis=1) == pytest.approx(1.0, abs=0.01)
    agree = np.einsum("ij,ij->i", across, normals.reshape(-1, 3, 3).mean(axis=1)) > 0
    assert agree.mean() > 0.99
    assert len(faces) <= 1500


def test_marbles_rest_on_side_pieces() -> None:
    for name, seat in (
        ("dish", layout.DISH_MARBLE_Z),
        ("tray", layout.TRAY_MARBLE_Z),
        ("box", layout.BOX_MARBLE_Z),
    ):
        assert heights(name, 0.0, 0.0)[-1] == pytest.approx(seat - layout.RADIUS - layout.TABLE_Z, abs=0.005)


def test_closed_lid_covers_marble_and_box() -> None:
    assert (
        layout.BOX_HINGE_HEIGHT + layout.TABLE_Z + heights("lid", 0.0, layout.BOX_HINGE_DISTANCE)[0]
        > layout.BOX_MARBLE_Z + layout.RADIUS
    )
    lid = triangles("lid").reshape(-1, 3)
    walls = triangles("box").reshape(-1, 3)
    assert walls[:, 2].max() == pytest.approx(layout.BOX_HINGE_HEIGHT)
    assert walls[:, :2].max() == pytest.approx(layout.BOX_HINGE_DISTANCE)
    assert lid[:, 0].max() >= layout.BOX_HINGE_DISTANCE
    assert lid[:, 1].min() <= 0.0
    assert lid[:, 1].max() >= 2 * layout.BOX_HINGE_DISTANCE


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("v 0 0 0\nv 1 0\n", "line 2: v needs 3 numbers"),
        ("v 0 0 zero\n", "line 1: could not convert string to float: 'zero'"),
        ("v 0 0 0\nvn 0 0 1\nf 1//1 1//1 2//1\n", "line 3: no such corner"),
        ("v 0 0 0\nvn 0 0 1\nf 1//1 1//1\n", "line 3: a face needs 3 corners"),
        ("v 0 0 0\nvn 0 0 1\nf 1 1 1\n", "line 3: a corner needs a point and a normal, counted from 1"),
        ("v 0 0 0\nvn 0 0 1\nf 1//1 1//1 -1//1\n", "line 3: a corner needs a point and a normal"),
        ("usemtl gold\n", "line 1: no such material: gold"),
        ("# nothing\n", "line 1: no face in the whole file"),
    ],
)
def test_broken_model_file_error_names_line(text: str, message: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paths, "read_text", lambda *_: text)
    with pytest.raises(ValueError, match=rf"^models/broken\.obj, {message}"):
        load_model.__wrapped__("broken")
