"""The shipped sounds are those that the script generates, and are short, clean and consistent."""

from __future__ import annotations

import wave
from io import BytesIO
from itertools import combinations, pairwise
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from shibumi3d.assets import sounds
from shibumi3d.rules.marbles.colours import COLOURS
from shibumi3d.scene import motion
from shibumi3d.scene.sound_cues import OBJECT_TOUCHES, ROLL_OFF_SECONDS
from tools import sounds as make

FILES = Path(sounds.__file__).parent / "files"
NAMES = sorted(path.stem for path in FILES.glob("*.wav"))
MARBLES = ("set", "slide", "fall", "lift")
LONGEST = {
    "set": 0.2,
    "slide": motion.PUSH_MS / 1000,
    "fall": ROLL_OFF_SECONDS + 0.2,
    "lift": 0.1,
    "page": 0.3,
    "tap": 0.15,
    "bowl": 2.5,
}


def kind_of(name: str) -> str:
    return name.split("-")[-2]


def samples(name: str) -> NDArray[np.int16]:
    with wave.open(BytesIO(sounds.sound_data(name))) as file:
        assert (file.getnchannels(), file.getsampwidth(), file.getframerate()) == (1, 2, 22050)
        return np.frombuffer(file.readframes(file.getnframes()), "<i2")


def normalized_samples(name: str) -> NDArray[np.float64]:
    return samples(name) / 32767


def brightness(name: str) -> float:
    """Return the spectral centroid of a sound, in hertz."""
    power = np.abs(np.fft.rfft(normalized_samples(name))) ** 2
    return float(np.sum(power * np.fft.rfftfreq(len(samples(name)), 1 / 22050)) / np.sum(power))


def test_script_reproduces_the_shipped_files() -> None:
    made = dict(make.sounds())
    assert sorted(made) == NAMES
    for name, fresh in made.items():
        kept = samples(name)
        assert len(kept) == len(fresh)
        # Other versions of numpy may round differently.
        assert np.max(np.abs(kept.astype(int) - fresh)) <= 2, name


def test_every_required_sound_exists() -> None:
    materials = {sounds.marble_material(colour) for colour in (-1, *range(6))}
    assert materials == {"shell", "stone", "clay", "glass"}
    assert dict(zip(COLOURS, map(sounds.marble_material, range(3)), strict=True)) == {
        "white": "shell",
        "black": "stone",
        "red": "clay",
    }
    wanted = [f"{m}-{k}-{n + 1}" for m in materials for k in MARBLES for n in range(4)]
    wanted += [f"{thing}-{k}-{n}" for thing, kinds in OBJECT_TOUCHES.items() for k in kinds for n in (1, 2)]
    wanted += [f"{k}-{n + 1}" for k in ("page", "tap", "bowl") for n in range(sounds.VARIANTS_BY_KIND[k])]
    assert sorted(wanted) == NAMES


def test_sound_files_are_small() -> None:
    assert sum(path.stat().st_size for path in FILES.iterdir()) < 700 * 1024


@pytest.mark.parametrize("name", NAMES)
def test_sounds_are_free_of_clicks_and_clipping(name: str) -> None:
    sound = normalized_samples(name)
    assert np.max(np.abs(sound)) <= 10 ** (-1 / 20)
    assert abs(sound[0]) < 1e-3
    assert abs(sound[-1]) < 1e-3
    assert np.max(np.abs(sound[-22:])) < 0.01  # no click at the end
    assert abs(np.mean(sound)) < 1e-4
    assert len(sound) / 22050 <= LONGEST[kind_of(name)]
    wanted = make.LOUDNESS_DB.get(name[:-2], make.LOUDNESS_DB[kind_of(name)])
    assert make.loudness(sound) == pytest.approx(wanted, abs=0.1)


def test_loudness_by_kind_of_sound() -> None:
    loud = make.LOUDNESS_DB
    assert loud["fall"] > loud["set"] > loud["slide"] + 6
    assert loud["set"] > loud["lift"] + 6


@pytest.mark.parametrize("kind", MARBLES)
def test_materials_differ_in_brightness(kind: str) -> None:
    """From bright to dull, the materials are glass, shell, stone and clay.

    Each is more than a tenth brighter than the next.
    """
    bright = [
        [brightness(f"{material}-{kind}-{n + 1}") for n in range(4)]
        for material in ("glass", "shell", "stone", "clay")
    ]
    for one, next_ in pairwise(bright):
        assert min(one) > 1.1 * max(next_)


@pytest.mark.parametrize("kind", MARBLES)
@pytest.mark.parametrize("material", ["shell", "stone", "clay", "glass"])
def test_sound_variants_differ(material: str, kind: str) -> None:
    four = [normalized_samples(f"{material}-{kind}-{n + 1}") for n in range(4)]
    for one, other in combinations(four, 2):
        assert np.sqrt(np.mean((one - other) ** 2)) > 0.3 * np.sqrt(np.mean(one**2))


def test_glass_rings_longest_and_stone_shortest() -> None:
    def ringing(material: str) -> float:
        """Return the last time, in seconds, at which a contact sound exceeds a tenth of its peak.

        The low sound of the board and everything after the first 0.05 s are left out.
        """
        sound = normalized_samples(f"{material}-set-1")
        spectrum = np.fft.rfft(sound)
        spectrum[np.fft.rfftfreq(len(sound), 1 / 22050) < 500] = 0
        loud = np.abs(np.fft.irfft(spectrum, len(sound)))[: round(0.05 * 22050)]  # before the marble settles
        return float(np.flatnonzero(loud > 0.1 * np.max(loud))[-1]) / 22050

    times = {material: ringing(material) for material in ("glass", "shell", "clay", "stone")}
    assert max(times, key=lambda material: times[material]) == "glass"
    assert min(times, key=lambda material: times[material]) == "stone"


@pytest.mark.parametrize("material", ["shell", "stone", "clay", "glass"])
def test_falls_sound_contact_after_rolling_and_sets_immediately(material: str) -> None:
    for number in range(1, 5):
        fall = np.argmax(np.abs(normalized_samples(f"{material}-fall-{number}"))) / 22050
        assert fall == pytest.approx(ROLL_OFF_SECONDS, abs=0.006)
        assert np.argmax(np.abs(normalized_samples(f"{material}-set-{number}"))) / 22050 < 0.006


def test_objects_differ_in_brightness() -> None:
    """Medals (metal) sound brightest, followed by tabas (fired clay), dice (bone) and pawns (wood).

    The sounds compared are those of objects being set down. For all objects, including chips and cards, the two
    variants of each sound differ as well.
    """
    bright = [[brightness(f"{thing}-set-{n}") for n in (1, 2)] for thing in ("medal", "taba", "die", "pawn")]
    for one, next_ in pairwise(bright):
        assert min(one) > 1.1 * max(next_)
    for thing, kinds in OBJECT_TOUCHES.items():
        for kind in kinds:
            one, other = normalized_samples(f"{thing}-{kind}-1"), normalized_samples(f"{thing}-{kind}-2")
            assert np.sqrt(np.mean((one - other) ** 2)) > 0.3 * np.sqrt(np.mean(one**2))
