from __future__ import annotations

import pytest

from shibumi3d.scene import motion
from shibumi3d.scene.fades import Fades, FadeTiming

SOFT = FadeTiming(80.0, 120.0)


def test_items_fade_in_when_wanted_and_out_otherwise() -> None:
    fades: Fades[str] = Fades()
    assert fades.sample({"a": SOFT}, 1.0, 1.0) == {}
    assert fades.is_fading
    assert fades.sample({"a": SOFT}, 1.04, 1.0) == {"a": pytest.approx(0.5)}
    assert fades.sample({"a": SOFT}, 1.08, 1.0) == {"a": pytest.approx(1.0)}
    assert fades.sample({"a": SOFT}, 9.0, 1.0) == {"a": 1.0}
    assert not fades.is_fading
    assert fades.sample({}, 9.0, 1.0) == {"a": 1.0}
    assert fades.sample({}, 9.06, 1.0) == {"a": pytest.approx(0.5)}
    assert fades.sample({}, 9.13, 1.0) == {}
    assert not fades.is_fading


def test_reversed_fade_continues_from_its_current_value() -> None:
    fades: Fades[str] = Fades()
    fades.sample({"a": SOFT}, 0.0, 1.0)
    assert fades.sample({}, 0.04, 1.0) == {"a": pytest.approx(0.5)}
    assert fades.sample({"a": SOFT}, 0.07, 1.0) == {"a": pytest.approx(0.25)}
    assert fades.sample({"a": SOFT}, 0.09, 1.0) == {"a": pytest.approx(0.5)}


def test_fade_follows_speed_curve_and_zero_duration() -> None:
    fades: Fades[str] = Fades()
    curved = FadeTiming(100.0, 0.0, motion.EASE_OUT)
    fades.sample({"a": curved}, 0.0, 1.8)
    assert fades.sample({"a": curved}, 0.09, 1.8) == {"a": pytest.approx(motion.EASE_OUT(0.5))}
    assert fades.sample({}, 0.09, 1.8) == {}
    assert fades.sample({"a": SOFT}, 1.0, 0.0) == {"a": 1.0}
    assert not fades.is_fading


def test_finish_completes_every_fade() -> None:
    fades: Fades[str] = Fades()
    fades.sample({"a": SOFT}, 0.0, 1.0)
    fades.sample({"a": SOFT}, 5.0, 1.0)
    fades.sample({"b": SOFT}, 5.0, 1.0)
    fades.finish()
    assert fades.sample({"b": SOFT}, 5.01, 1.0) == {"b": 1.0}
    assert not fades.is_fading
