"""One off-screen context for all tests of a tier; OpenGL errors fail the test that caused them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from shibumi3d.render.screenshot import OffscreenRenderer


@pytest.fixture(scope="session")
def _low(needs_gl: None) -> Iterator[OffscreenRenderer]:
    with OffscreenRenderer("low") as studio:
        studio.renderer.scale_control.fix_scale(1.0)
        yield studio


@pytest.fixture(scope="session")
def _medium(needs_gl: None) -> Iterator[OffscreenRenderer]:
    with OffscreenRenderer("medium") as studio:
        studio.renderer.scale_control.fix_scale(1.0)
        yield studio


@pytest.fixture(scope="session")
def _high(needs_gl: None) -> Iterator[OffscreenRenderer]:
    with OffscreenRenderer("high") as studio:
        studio.renderer.scale_control.fix_scale(1.0)
        yield studio


@pytest.fixture
def low(_low: OffscreenRenderer) -> Iterator[OffscreenRenderer]:
    with _low.ctx:
        yield _low
        assert _low.ctx.error == "GL_NO_ERROR"


@pytest.fixture
def medium(_medium: OffscreenRenderer) -> Iterator[OffscreenRenderer]:
    with _medium.ctx:
        yield _medium
        assert _medium.ctx.error == "GL_NO_ERROR"


@pytest.fixture
def high(_high: OffscreenRenderer) -> Iterator[OffscreenRenderer]:
    with _high.ctx:
        yield _high
        assert _high.ctx.error == "GL_NO_ERROR"
