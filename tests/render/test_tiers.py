from __future__ import annotations

import pytest

from shibumi3d.render.quality_tiers import TIERS, ScaleController, choose_tier


@pytest.mark.parametrize(
    ("driver", "tier"),
    [
        ("llvmpipe (LLVM 15.0.6, 256 bits)", "low"),
        ("softpipe", "low"),
        ("Google SwiftShader", "low"),
        ("Microsoft Basic Render Driver", "low"),
        ("GDI Generic", "low"),
        ("NVIDIA GeForce RTX 3060/PCIe/SSE2", "high"),
        ("Mesa Intel(R) UHD Graphics 620", "high"),
        ("Apple M2", "high"),
    ],
)
def test_tier_is_chosen_by_driver(driver: str, tier: str) -> None:
    assert choose_tier(driver) is TIERS[tier]


def test_slow_frames_reduce_scale_to_half() -> None:
    pace = ScaleController(0.67, target=1 / 30)
    assert pace.scale == 0.67
    for _ in range(100):
        pace.record_frame_time(0.1)
    assert pace.scale == 0.5


def test_fast_frames_raise_scale_to_full() -> None:
    pace = ScaleController(0.67)
    for _ in range(100):
        pace.record_frame_time(0.002)
    assert pace.scale == 1.0


def test_isolated_slow_frame_keeps_scale() -> None:
    pace = ScaleController(0.67)
    assert not pace.record_frame_time(0.5)
    assert not any(pace.record_frame_time(0.025) for _ in range(50))
    assert not any(pace.record_frame_time(time) for _ in range(50) for time in (0.5, 0.001))
    assert pace.scale == 0.67


def test_fixed_scale_does_not_change() -> None:
    pace = ScaleController(0.67)
    pace.fix_scale(0.9)
    assert not any(pace.record_frame_time(1.0) for _ in range(50))
    assert pace.scale == 0.9
    pace.fix_scale(0.0)
    assert pace.scale == 0.67
