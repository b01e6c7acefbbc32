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
from typing import TYPE_CHECKING, Any, Protocol

from shibumi3d.assets import sounds
from shibumi3d.scene.sound_cues import SoundCue

from .settings import VOLUMES, Settings

if TYPE_CHECKING:
    from pyglet.media import Source

GAIN_DB_BY_VOLUME = dict(zip(VOLUMES, (-24.0, -18.0, -12.0, -6.0), strict=True))
"""Gain of each volume setting in dB relative to full scale."""
LEVEL_GAIN_FACTOR, LEVEL_PITCH_FACTOR = 0.87, 0.99
"""Factors by which the gain and the pitch of a marble's sound change with each level up."""
TICK_GAIN, TICK_PITCH = 0.5, 1.5
"""Gain and pitch of a clock tick, relative to the sound of a tap."""
MAX_SIMULTANEOUS_SOUNDS = 24
MIN_SOUND_SECONDS = 0.6
"""Minimum length of a sound in seconds; shorter sounds are padded with silence.

PulseAudio doesn't even start to play sounds of 0.45 s or less.
"""


class AudioOutput(Protocol):
    """Interface of a device that plays sound files."""

    def open(self) -> None:
        """Open the audio device in advance, so that the first sound isn't delayed."""

    def play(self, name: str, gain: float, pitch: float) -> None:
        """Play the file ``name`` of :mod:`shibumi3d.assets.sounds`.

        ``gain`` and ``pitch`` are factors; 1 leaves the sound unchanged.
        """

    def stop_all(self) -> None:
        """Stop all sounds."""


class SoundPlayer:
    """Sound player that follows the user's settings."""

    def __init__(self, output: AudioOutput, get_settings: Callable[[], Settings]) -> None:
        self.output = output
        self._get_settings = get_settings
        self._random = random.Random()
        self._last_variants: dict[str, int] = {}

    def open(self) -> None:
        """Open the audio device unless sound is muted."""
        if not self._get_settings().muted:
            self.output.open()

    def mute(self) -> None:
        """Stop all sounds that are playing."""
        self.output.stop_all()

    def play_marble(self, cue: SoundCue) -> None:
        """Play the sound of a moving marble or other piece, if marble sounds are on."""
        if self._get_settings().marble_sounds:
            gain, pitch = cue.gain * LEVEL_GAIN_FACTOR**cue.level, LEVEL_PITCH_FACTOR**cue.level
            self._play(cue.object_kind or sounds.marble_material(cue.colour), cue.kind, gain, pitch)

    def play_page_turn(self) -> None:
        """Play the sound of a page being turned, if interface sounds are on."""
        if self._get_settings().interface_sounds:
            self._play("", "page")

    def play_rejected(self) -> None:
        """Play the sound of a rejected action, if interface sounds are on."""
        if self._get_settings().interface_sounds:
            self._play("", "tap")

    def play_clock_tick(self) -> None:
        """Play the clock tick, a soft high tap, if interface sounds are on.

        The clock ticks during the last seconds of a player's time.
        """
        if self._get_settings().interface_sounds:
            self._play("", "tap", TICK_GAIN, TICK_PITCH)

    def play_match_end(self) -> None:
        """Play the sound for the end of a match, unless the user has turned it off."""
        if self._get_settings().end_sound:
            self._play("", "bowl")

    def _play(self, source: str, kind: str, gain: float = 1.0, pitch: float = 1.0) -> None:
        settings = self._get_settings()
        if settings.muted:
            return
        # Pick a random variant but, if there are several, never the same one twice in a row.
        name = f"{source}-{kind}" if source else kind
        last = self._last_variants.get(name)
        variant = self._random.choice(
            [n for n in range(sounds.variant_count(source, kind)) if n != last] or [0]
        )
        self._last_variants[name] = variant
        self.output.play(
            f"{name}-{variant + 1}", gain * 10 ** (GAIN_DB_BY_VOLUME[settings.volume] / 20), pitch
        )


class PygletAudio:
    """Audio output through pyglet, opened on first use.

    After an error, it stays silent.
    """

    def __init__(self) -> None:
        self._is_open = False
        self._is_silent = False
        self._sources: dict[str, Source] = {}
        self._playing: list[Any] = []

    def open(self) -> None:
        if self._is_open or self._is_silent:
            return
        try:
            with _suppress_stderr():
                import pyglet.media
                from pyglet.media.drivers.silent.adaptation import SilentDriver
        except Exception:
            self._is_silent = True
        else:
            self._is_open = True
            media: Any = pyglet.media
            self._is_silent = isinstance(media.get_audio_driver(), SilentDriver)

    def play(self, name: str, gain: float, pitch: float) -> None:
        self.open()
        if self._is_silent or len(self._playing) >= MAX_SIMULTANEOUS_SOUNDS:
            return
        try:
            import pyglet.media

            source = self._sources.get(name)
            if source is None:
                file = _pad_with_silence(sounds.sound_data(name))
                source = self._sources[name] = pyglet.media.load(f"{name}.wav", file, streaming=False)
            player: Any = pyglet.media.Player()
            player.volume, player.pitch = gain, pitch
            # This is called on the main thread when the sound ends. pyglet's own handler could raise an exception in
            # the event loop.
            player.on_eos = lambda: self._delete_player(player)
            self._playing.append(player)
            player.queue(source)
            player.play()
        except Exception:
            self._is_silent = True
            self.stop_all()

    def stop_all(self) -> None:
        for player in tuple(self._playing):
            self._delete_player(player)

    def _delete_player(self, player: Any) -> None:
        if player in self._playing:
            self._playing.remove(player)
            player.on_eos = _do_nothing  # the event may already be queued
            with suppress(Exception):
                player.delete()


def _do_nothing() -> None:
    pass


def _pad_with_silence(data: bytes) -> BytesIO:
    longer = BytesIO()
    with wave.open(BytesIO(data)) as short, wave.open(longer, "wb") as file:
        file.setparams(short.getparams())
        file.writeframes(short.readframes(short.getnframes()))
        missing = round(MIN_SOUND_SECONDS * short.getframerate()) - short.getnframes()
        file.writeframes(bytes(max(0, missing) * short.getsampwidth()))
    longer.seek(0)
    return longer


@contextmanager
def _suppress_stderr() -> Iterator[None]:
    """Suppress output to standard error, where audio libraries write messages if there is no device."""
    try:
        original_stderr, nowhere = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    except OSError:
        yield
        return
    try:
        os.dup2(nowhere, 2)
        yield
    finally:
        os.dup2(original_stderr, 2)
        os.close(original_stderr)
        os.close(nowhere)
