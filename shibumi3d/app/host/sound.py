"""Sound effects: which file to play for an event, at which volume and pitch, and the audio output.

If there is no audio device, nothing is played and no error is raised.
"""

from __future__ import annotations

import os
import random
import wave
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from io import BytesIO
from typing import Any, Protocol

from shibumi3d.scene.marbles.cue import Cue

from ..assets import sounds
from .settings import VOLUMES, Settings

DECIBELS = dict(zip(VOLUMES, (-24.0, -18.0, -12.0, -6.0), strict=True))
"""Gain of each volume setting in dB relative to full scale."""
SOFTER, LOWER = 0.87, 0.99
"""Factors by which the gain and the pitch of a marble's sound change with each level up."""
TICK_GAIN, TICK_PITCH = 0.5, 1.5
"""Gain and pitch of a clock tick, relative to the sound of a tap."""
MOST = 24
"""Maximum number of sounds that are played at the same time."""
LEAST = 0.6
"""Minimum length of a sound in seconds; shorter sounds are padded with silence.

PulseAudio doesn't even start to play sounds of 0.45 s or less.
"""


class Speaker(Protocol):
    """Audio output."""

    def open(self) -> None:
        """Open the audio device in advance, so that the first sound isn't delayed."""

    def play(self, name: str, gain: float, pitch: float) -> None:
        """Play a file of :mod:`shibumi3d.app.assets.sounds`.

        ``gain`` and ``pitch`` are factors; 1 leaves the sound unchanged.
        """

    def hush(self) -> None:
        """Stop all sounds."""


class Sounds:
    """Plays the sounds of events, according to the settings."""

    def __init__(self, speaker: Speaker, settings: Callable[[], Settings]) -> None:
        self.speaker = speaker
        self._settings = settings
        self._chance = random.Random()
        self._last: dict[str, int] = {}

    def open(self) -> None:
        """Open the audio device unless sound is muted."""
        if not self._settings().muted:
            self.speaker.open()

    def hush(self) -> None:
        """Stop all sounds."""
        self.speaker.hush()

    def touch(self, cue: Cue) -> None:
        """Play the sound of a marble or other piece that is placed, slides, falls or is lifted."""
        if self._settings().marble_sounds:
            gain, pitch = cue.gain * SOFTER**cue.level, LOWER**cue.level
            self._play(cue.thing or sounds.material(cue.colour), cue.kind, gain, pitch)

    def page(self) -> None:
        """Play the sound of a page being opened."""
        if self._settings().interface_sounds:
            self._play("", "page")

    def tap(self) -> None:
        """Play the sound of a rejected action."""
        if self._settings().interface_sounds:
            self._play("", "tap")

    def tick(self) -> None:
        """Play the clock tick, a soft high tap, during the last seconds of a player's time."""
        if self._settings().interface_sounds:
            self._play("", "tap", TICK_GAIN, TICK_PITCH)

    def bowl(self) -> None:
        """Play the sound of the end of a match."""
        if self._settings().end_sound:
            self._play("", "bowl")

    def _play(self, of: str, kind: str, gain: float = 1.0, pitch: float = 1.0) -> None:
        settings = self._settings()
        if settings.muted:
            return
        # Pick a random variant, but never the same one twice in a row.
        name = f"{of}-{kind}" if of else kind
        last = self._last.get(name)
        number = self._chance.choice([n for n in range(sounds.variants(of, kind)) if n != last] or [0])
        self._last[name] = number
        self.speaker.play(f"{name}-{number + 1}", gain * 10 ** (DECIBELS[settings.volume] / 20), pitch)


class PygletSpeaker:
    """Audio output through pyglet, opened on first use.

    After an error, it stays silent.
    """

    def __init__(self) -> None:
        self._media: Any = None
        self._silent = False
        self._sources: dict[str, Any] = {}
        self._playing: list[Any] = []

    def open(self) -> None:
        if self._media is not None or self._silent:
            return
        try:
            with _nothing_said():
                import pyglet.media
                from pyglet.media.drivers.silent.adaptation import SilentDriver
        except Exception:
            self._silent = True
        else:
            media: Any = pyglet.media
            self._media, self._silent = media, isinstance(media.get_audio_driver(), SilentDriver)

    def play(self, name: str, gain: float, pitch: float) -> None:
        self.open()
        if self._silent or len(self._playing) >= MOST:
            return
        try:
            source = self._sources.get(name)
            if source is None:
                file = _lengthened(sounds.data(name))
                source = self._sources[name] = self._media.load(f"{name}.wav", file, streaming=False)
            player = self._media.Player()
            player.volume, player.pitch = gain, pitch
            # This is called on the main thread when the sound ends. pyglet's own handler could raise an exception in
            # the event loop.
            player.on_eos = lambda: self._drop(player)
            self._playing.append(player)
            player.queue(source)
            player.play()
        except Exception:
            self._silent = True
            self.hush()

    def hush(self) -> None:
        for player in tuple(self._playing):
            self._drop(player)

    def _drop(self, player: Any) -> None:
        if player in self._playing:
            self._playing.remove(player)
            player.on_eos = _nothing  # the event may already be queued
            with suppress(Exception):
                player.delete()


def _nothing() -> None:
    pass


def _lengthened(data: bytes) -> BytesIO:
    longer = BytesIO()
    with wave.open(BytesIO(data)) as short, wave.open(longer, "wb") as file:
        file.setparams(short.getparams())
        file.writeframes(short.readframes(short.getnframes()))
        missing = round(LEAST * short.getframerate()) - short.getnframes()
        file.writeframes(bytes(max(0, missing) * short.getsampwidth()))
    longer.seek(0)
    return longer


@contextmanager
def _nothing_said() -> Iterator[None]:
    """Suppress the messages that audio libraries write to standard error if there is no device."""
    try:
        kept, nowhere = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    except OSError:
        yield
        return
    try:
        os.dup2(nowhere, 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nowhere)
