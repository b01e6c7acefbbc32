"""Synthesiser of all sounds of the program.

    python -m tools.sounds

The impact of a marble is a sum of damped vibrations of its material and lower ones of the wooden board, with a few
milliseconds of noise from the contact. A slide is noise at somewhat lower frequencies. Random numbers come from
fixed seeds, so the files are the same on every machine.
"""

from __future__ import annotations

import wave
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from shibumi3d import assets
from shibumi3d.assets.sounds import VARIANTS_BY_KIND, VARIANTS_PER_PIECE_SOUND
from shibumi3d.scene import sound_cues
from shibumi3d.scene.sound_cues import ROLL_OFF_SECONDS

Samples: TypeAlias = NDArray[np.float64]
Chance: TypeAlias = (
    np.random.RandomState
)  # legacy generator, whose numbers are the same in every version of numpy

HERE = Path(assets.__file__).resolve().parent / "sounds" / "files"
SAMPLE_RATE_HZ = 22050
MAX_AMPLITUDE = 10 ** (-1 / 20)
"""Maximum amplitude of a sample, one decibel below full scale."""
FADE_IN_SECONDS, FADE_OUT_SECONDS = 0.0005, 0.01
"""Durations in seconds of the fades at the beginning and end of a file, which avoid clicks."""
LOUDNESS_DB = {
    "set": -21.0,
    "fall": -19.5,
    "slide": -31.0,
    "lift": -33.0,
    "page": -30.0,
    "tap": -27.0,
    "bowl": -21.0,
    "chip-set": -22.0,
    "taba-set": -24.0,
    "pawn-set": -23.0,
    "medal-set": -26.0,
    "die-set": -22.0,
    "card-set": -27.0,
}
"""Perceived loudness of the loudest moment, in decibels (0 is full scale).

The keys are kinds of sound, prefixed with the name of an object if the loudness differs from that of marbles.
"""
BOARD_MODES = ((186.0, 1.0, 0.060), (271.0, 0.8, 0.052), (394.0, 0.5, 0.040))


@dataclass(frozen=True)
class Material:
    """Sound properties of a material.

    ``modes`` lists its vibrations, each given by its frequency in hertz, its strength, and the time in seconds in which
    its amplitude falls to a hundredth. ``noise`` is the centre frequency of the contact noise in hertz, and ``crack``
    its strength. ``hard`` is the time in seconds that a contact takes to build up. ``body`` is the strength of the
    board's vibrations. ``tail`` is the duration of an impact in seconds.
    """

    modes: tuple[tuple[float, float, float], ...]
    noise: float
    crack: float
    hard: float
    body: float
    tail: float


MATERIALS = {
    "shell": Material(
        ((1830.0, 1.0, 0.042), (2470.0, 0.8, 0.038), (3190.0, 0.55, 0.032), (3960.0, 0.3, 0.026)),
        noise=3000.0,
        crack=0.5,
        hard=0.0007,
        body=0.55,
        tail=0.125,
    ),
    "stone": Material(
        ((1240.0, 1.0, 0.027), (1790.0, 0.8, 0.024), (2360.0, 0.5, 0.021), (2930.0, 0.3, 0.018)),
        noise=2100.0,
        crack=0.9,
        hard=0.0005,
        body=0.7,
        tail=0.12,
    ),
    "clay": Material(
        ((630.0, 1.0, 0.036), (905.0, 0.7, 0.032), (1210.0, 0.4, 0.027), (1480.0, 0.2, 0.022)),
        noise=950.0,
        crack=0.45,
        hard=0.0014,
        body=0.6,
        tail=0.12,
    ),
    "glass": Material(
        ((2710.0, 1.0, 0.125), (3940.0, 0.75, 0.1), (5230.0, 0.5, 0.08), (6570.0, 0.3, 0.06)),
        noise=5200.0,
        crack=0.35,
        hard=0.0005,
        body=0.4,
        tail=0.17,
    ),
}


OBJECT_MATERIALS = {
    # An octagonal bone chip that falls into a wooden bowl.
    "chip": Material(
        ((1480.0, 1.0, 0.03), (2260.0, 0.7, 0.024), (3310.0, 0.4, 0.018)),
        noise=2600.0,
        crack=0.6,
        hard=0.0006,
        body=0.9,
        tail=0.11,
    ),
    # A small disc of fired clay that falls on others.
    "taba": Material(
        ((2150.0, 1.0, 0.05), (3420.0, 0.7, 0.04), (4810.0, 0.45, 0.03)),
        noise=3600.0,
        crack=0.4,
        hard=0.0006,
        body=0.25,
        tail=0.1,
    ),
    # Turned wood on wood.
    "pawn": Material(
        ((510.0, 1.0, 0.04), (840.0, 0.7, 0.032), (1270.0, 0.4, 0.024)),
        noise=1100.0,
        crack=0.4,
        hard=0.0012,
        body=0.8,
        tail=0.11,
    ),
    # A ringing coin.
    "medal": Material(
        ((4310.0, 1.0, 0.16), (6080.0, 0.7, 0.13), (7790.0, 0.5, 0.1), (9350.0, 0.25, 0.07)),
        noise=6200.0,
        crack=0.3,
        hard=0.0004,
        body=0.2,
        tail=0.18,
    ),
    # A cube of bone.
    "die": Material(
        ((1780.0, 1.0, 0.022), (2640.0, 0.8, 0.018), (3700.0, 0.45, 0.014)),
        noise=2500.0,
        crack=0.8,
        hard=0.0005,
        body=0.75,
        tail=0.13,
    ),
}
"""Materials of objects other than marbles."""


def _sample_times(length: float) -> Samples:
    return np.arange(round(length * SAMPLE_RATE_HZ)) / SAMPLE_RATE_HZ


def _noise(chance: Chance, count: int, middle: float, width: float) -> Samples:
    """Return ``count`` samples of noise around ``middle`` hertz, with an RMS amplitude of 1.

    White noise is filtered so that its amplitudes follow a normal curve over the logarithm of the frequency. ``width``
    is the standard deviation of this curve in octaves.
    """
    spectrum = np.fft.rfft(chance.uniform(-1.0, 1.0, count))
    octaves = np.log2(np.maximum(np.fft.rfftfreq(count, 1 / SAMPLE_RATE_HZ), 1.0) / middle)
    noise = np.fft.irfft(spectrum * np.exp(-0.5 * (octaves / width) ** 2), count)
    return np.asarray(noise / np.sqrt(np.mean(noise**2)), dtype=np.float64)


def _make_vibrations(times: Samples, modes: tuple[tuple[float, float, float], ...], attack: float) -> Samples:
    """Return the sound of vibrations that begin at time 0 and build up in ``attack`` seconds.

    ``times`` are the times of the samples in seconds; the sound is 0 at negative times. ``modes`` are given as in
    :class:`Material`.
    """
    late = np.maximum(times, 0.0)
    sound = sum(a * np.exp(-late * np.log(100) / d) * np.sin(2 * np.pi * f * late) for f, a, d in modes)
    rise = 0.5 - 0.5 * np.cos(np.pi * np.clip(times / attack, 0.0, 1.0))
    return np.asarray(sound * rise, dtype=np.float64)


def _vary_modes(
    chance: Chance, modes: tuple[tuple[float, float, float], ...]
) -> tuple[tuple[float, float, float], ...]:
    """Return ``modes`` with small random changes of their frequencies and strengths.

    They then sound as if a different marble had been struck in a different place. ``modes`` are given as in
    :class:`Material`; their decay times aren't changed.
    """
    pitch = 1 + chance.uniform(-0.015, 0.015)
    return tuple(
        (f * pitch * (1 + chance.uniform(-0.006, 0.006)), a * chance.uniform(0.7, 1.2), d)
        for f, a, d in modes
    )


def _strike(chance: Chance, times: Samples, at: float, material: Material, force: float) -> Samples:
    """Return the sound of a contact that begins at the time ``at``.

    ``at`` and ``times``, the times of the samples, are in seconds. ``material`` is the material of the object that
    makes the contact. A greater ``force`` makes the sound louder, lets the vibrations of the material build up faster,
    and increases the proportion of the board's vibrations and of the contact noise. The force is 1 for a marble that is
    set down.
    """
    own = _make_vibrations(times - at, _vary_modes(chance, material.modes), material.hard / force)
    body = _make_vibrations(times - at, _vary_modes(chance, BOARD_MODES), 0.002)
    late = np.maximum(times - at, 0.0)
    crack = _noise(chance, len(times), material.noise, 0.7) * np.exp(-late / 0.0016) * (times >= at)
    crack *= 1 - np.exp(-late / 0.0003)
    return force * (own + material.body * force * body + material.crack * force * crack)


def _rubbing(chance: Chance, times: Samples, material: Material) -> Samples:
    """Return the sound of a marble rubbing on wood.

    It consists of noise around two frequencies: one below the marble's lowest resonance, the other below its second
    lowest. The amplitude varies randomly, to imitate the grain of the wood.
    """
    count = len(times)
    low, high = material.modes[0][0] * 0.55, material.modes[1][0] * 0.8
    rough = 1 + 0.35 * _noise(chance, count, 70.0, 0.6)
    return (_noise(chance, count, low, 0.45) + 0.55 * _noise(chance, count, high, 0.35)) * rough


def _set(chance: Chance, material: Material) -> Samples:
    """Return the sound of an object being set down: a contact, and a faint second one as it settles.

    ``material`` is the object's material.
    """
    times = _sample_times(material.tail)
    second_contact = 0.058 + chance.uniform(-0.006, 0.006)
    return _strike(chance, times, 0.001, material, 1.0) + _strike(
        chance, times, second_contact, material, chance.uniform(0.13, 0.19)
    )


def _fall(chance: Chance, material: Material) -> Samples:
    """Return the sound of a marble that rolls off, hits hard and settles between its neighbours."""
    times = _sample_times(ROLL_OFF_SECONDS + material.tail + 0.02)
    swell = np.clip(times / ROLL_OFF_SECONDS, 0.0, 1.0) ** 1.5 * np.clip(
        (ROLL_OFF_SECONDS + 0.012 - times) / 0.012, 0.0, 1.0
    )
    sound = 0.16 * swell * _rubbing(chance, times, material) + _strike(
        chance, times, ROLL_OFF_SECONDS, material, 1.25
    )
    for after, force in ((0.038, 0.3), (0.069, 0.14)):
        at = ROLL_OFF_SECONDS + after + chance.uniform(-0.006, 0.006)
        sound = sound + _strike(chance, times, at, material, force * chance.uniform(0.8, 1.2))
    return sound


def _slide(chance: Chance, material: Material) -> Samples:
    """Return the sound of a marble that is pushed along: friction that swells and fades."""
    times = _sample_times(0.21)
    part = times / 0.21
    swell = np.sin(np.pi * part ** (0.6 + chance.uniform(-0.06, 0.06))) ** 1.6
    return swell * _rubbing(chance, times, material)


def _lift(chance: Chance, material: Material) -> Samples:
    """Return the sound of a marble lifted from its hole.

    It consists of light friction and a soft contact that the fingers keep from ringing.
    """
    times = _sample_times(0.07)
    breath = 0.5 * np.sin(np.pi * np.clip(times / 0.035, 0.0, 1.0)) ** 2
    touch = _strike(chance, times, 0.017 + chance.uniform(-0.003, 0.003), material, 0.45)
    damped = np.exp(-np.maximum(times - 0.02, 0.0) / 0.012)
    return breath * _rubbing(chance, times, material) + damped * touch


def _tipped(chance: Chance, material: Material) -> Samples:
    """Return the sound of a pawn that falls on its side and rolls to rest."""
    times = _sample_times(0.2)
    sound = _strike(chance, times, 0.004, material, 1.2)
    for after, force in ((0.07, 0.4), (0.115, 0.22), (0.145, 0.12)):
        sound = sound + _strike(chance, times, after + chance.uniform(-0.006, 0.006), material, force)
    return sound


def _card_slide(chance: Chance) -> Samples:
    """Return the sound of a card that slides on cloth.

    It is dry noise that swells a little faster than it fades.
    """
    times = _sample_times(0.17)
    part = times / 0.17
    swell = np.sin(np.pi * part ** (0.8 + chance.uniform(-0.08, 0.08))) ** 1.4
    rough = 1 + 0.25 * _noise(chance, len(times), 120.0, 0.6)
    return np.asarray(swell * rough * _noise(chance, len(times), 3400.0, 0.6), dtype=np.float64)


def _card_set(chance: Chance) -> Samples:
    """Return the sound of a card being put down: a soft slap of paper and vibrations of the table under it."""
    times = _sample_times(0.09)
    late = np.maximum(times - 0.002, 0.0)
    slap = _noise(chance, len(times), 1700.0 * (1 + chance.uniform(-0.1, 0.1)), 0.8) * np.exp(-late / 0.007)
    slap *= (times >= 0.002) * (1 - np.exp(-late / 0.0006))
    return np.asarray(
        slap + 0.8 * _make_vibrations(late, _vary_modes(chance, BOARD_MODES), 0.004), dtype=np.float64
    )


def _page(chance: Chance) -> Samples:
    """Return the sound of a page being turned: soft noise with fine crackles."""
    times = _sample_times(0.24)
    part = times / 0.24
    swell = np.sin(np.pi * part**0.7) ** 2 * (0.6 + 0.4 * np.cos(2 * np.pi * (part * 1.7 + chance.uniform())))
    sound = swell * _noise(chance, len(times), 2600.0, 0.8)
    for at in chance.uniform(0.02, 0.17, 26):
        late = np.maximum(times - at, 0.0)
        grain = _noise(chance, len(times), chance.uniform(2500.0, 5500.0), 0.5)
        sound = sound + chance.uniform(0.2, 0.8) * grain * np.exp(-late / 0.0015) * (times >= at)
    return sound


def _tap(chance: Chance) -> Samples:
    """Return the sound of a finger tapping on wood."""
    times = _sample_times(0.1)
    modes = ((322.0, 1.0, 0.05), (509.0, 0.6, 0.04), (874.0, 0.35, 0.026), (1290.0, 0.12, 0.016))
    return _make_vibrations(times - 0.001, _vary_modes(chance, modes), 0.003)


def _bowl(chance: Chance) -> Samples:
    """Return the sound of a bronze bowl that is struck with felt.

    Each of its vibrations has a weaker twin at a slightly higher frequency, so that the two beat slowly.
    """
    length = 2.1
    times = _sample_times(length)
    sound = np.zeros(len(times))
    for ratio, strength, decay in ((1.0, 1.0, 3.6), (2.74, 0.42, 1.9), (5.12, 0.14, 0.9), (8.0, 0.04, 0.45)):
        twin = chance.uniform(0.6, 0.9)
        modes = ((174.0 * ratio, strength, decay), (174.0 * ratio + twin, 0.3 * strength, decay))
        sound += _make_vibrations(times, modes, 0.012)
    dying = np.cos(np.pi / 2 * np.clip((times / length - 0.4) / 0.6, 0.0, 1.0)) ** 2
    return np.asarray(sound * dying, dtype=np.float64)


def loudness(sound: Samples) -> float:
    """Return the A-weighted level of the loudest 40 milliseconds, in decibels (0 is full scale)."""
    count = round(0.04 * SAMPLE_RATE_HZ)
    padded = np.pad(sound, count)
    square = np.fft.rfftfreq(len(padded), 1 / SAMPLE_RATE_HZ) ** 2
    weight = (12194.0**2 * square**2) / (
        (square + 20.6**2) * np.sqrt((square + 107.7**2) * (square + 737.9**2)) * (square + 12194.0**2)
    )
    heard = np.fft.irfft(
        np.fft.rfft(padded) * weight * 10 ** (2 / 20), len(padded)
    )  # 2 dB normalises the A-weighting to 0 dB at 1000 Hz
    sums = np.cumsum(np.pad(heard**2, (1, 0)))
    return float(10 * np.log10(np.max(sums[count:] - sums[:-count]) / count))


def _finish(sound: Samples, kind: str) -> NDArray[np.int16]:
    """Return the sound as 16-bit samples, faded in and out, with no DC offset and as loud as its kind.

    ``kind`` is a key of :data:`LOUDNESS_DB`, or the name of an object and such a key, joined by a hyphen. Raises
    ValueError if the peaks would exceed :data:`MAX_AMPLITUDE`.
    """
    times = np.arange(len(sound)) / SAMPLE_RATE_HZ
    rise, fade = np.clip(times / FADE_IN_SECONDS, 0.0, 1.0), np.clip(times[::-1] / FADE_OUT_SECONDS, 0.0, 1.0)
    window = (0.5 - 0.5 * np.cos(np.pi * rise)) * (0.5 - 0.5 * np.cos(np.pi * fade))
    sound = (sound - np.sum(sound * window) / np.sum(window)) * window
    target_db = LOUDNESS_DB[kind] if kind in LOUDNESS_DB else LOUDNESS_DB[kind.split("-")[-1]]
    sound = sound * 10 ** ((target_db - loudness(sound)) / 20)
    if np.max(np.abs(sound)) > MAX_AMPLITUDE:
        raise ValueError(f"sound '{kind}' would clip: lower its LOUDNESS_DB")
    return np.round(sound * 32767).astype(np.int16)


def _make_object_sound(chance: Chance, name: str, kind: str) -> Samples:
    if name == "card":
        return _card_slide(chance) if kind == "slide" else _card_set(chance)
    return _tipped(chance, OBJECT_MATERIALS[name]) if kind == "fall" else _set(chance, OBJECT_MATERIALS[name])


def sounds() -> Iterator[tuple[str, NDArray[np.int16]]]:
    """Yield the name, without extension, and the samples of each sound file."""
    of_marbles = {"set": _set, "fall": _fall, "slide": _slide, "lift": _lift}
    for m, (name, material) in enumerate(MATERIALS.items()):
        for k, (kind, play) in enumerate(of_marbles.items()):
            for index in range(VARIANTS_BY_KIND[kind]):
                chance = np.random.RandomState(1000 * m + 100 * k + index)
                yield f"{name}-{kind}-{index + 1}", _finish(play(chance, material), kind)
    for m, (name, kind) in enumerate(
        (name, kind) for name, kinds in sound_cues.OBJECT_TOUCHES.items() for kind in kinds
    ):
        for index in range(VARIANTS_PER_PIECE_SOUND):
            chance = np.random.RandomState(5000 + 100 * m + index)
            yield (
                f"{name}-{kind}-{index + 1}",
                _finish(_make_object_sound(chance, name, kind), f"{name}-{kind}"),
            )
    for kind, make_one in {"page": _page, "tap": _tap, "bowl": _bowl}.items():
        for index in range(VARIANTS_BY_KIND[kind]):
            yield f"{kind}-{index + 1}", _finish(make_one(np.random.RandomState(9000 + index)), kind)


def make(target: Path = HERE) -> None:
    """Write all sounds to ``target`` as 16-bit mono WAV files."""
    target.mkdir(parents=True, exist_ok=True)
    for name, samples in sounds():
        with wave.open(str(target / f"{name}.wav"), "wb") as file:
            file.setnchannels(1)
            file.setsampwidth(2)
            file.setframerate(SAMPLE_RATE_HZ)
            file.writeframes(samples.astype("<i2").tobytes())


if __name__ == "__main__":
    make()
