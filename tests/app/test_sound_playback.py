"""Which sounds are played in matches and on pages, and muting; a recorder stands in for the speaker."""

from __future__ import annotations

import importlib
import json
import math
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from shibumi3d.app.host import settings
from shibumi3d.app.host.settings import VOLUMES, Settings
from shibumi3d.app.host.settings_card import SettingsCard, SoundButton
from shibumi3d.app.host.sound import LEVEL_GAIN_FACTOR, LEVEL_PITCH_FACTOR, SoundPlayer
from shibumi3d.app.pages.home.page import HomePage
from shibumi3d.app.pages.replay import ReplayPage
from shibumi3d.app.ui.button import Button
from shibumi3d.app.ui.choice import Choice
from shibumi3d.scene import motion
from shibumi3d.scene.sound_cues import SoundCue
from tests.app.recorder import Recorder

if TYPE_CHECKING:
    from tests.app.hand import Hand

WHITE_LINE = ("Aa1", "Ab1", "Aa2", "Ab2", "Aa3", "Ab3", "Aa4")
GENTLE = 10 ** (-18 / 20)


@pytest.fixture
def running_match(hand: Hand) -> Hand:
    """Start a match of Spline, discard the sounds recorded so far, and return the user who plays it."""
    hand.start("spline")
    hand.speaker.played.clear()
    return hand


def sounds(**changes: object) -> tuple[SoundPlayer, Recorder]:
    recorder, chosen = Recorder(), Settings().with_changes(**changes)
    return SoundPlayer(recorder, lambda: chosen), recorder


def touch_time(hand: Hand) -> float:
    """Return the time just after the last moving marble touches the board."""
    return hand.play.marble_scene.timeline.end_time - motion.REBOUND_MS / 1000 + 0.001


# Sounds of moves and events


def test_marble_sounds_once_when_it_lands(running_match: Hand) -> None:
    running_match.click(*running_match.spot("Ab2"))
    running_match.draw()
    assert running_match.speaker.heard() == []
    running_match.now = touch_time(running_match)
    running_match.draw()
    assert [(gain, pitch) for _, gain, pitch in running_match.speaker.played] == [
        (pytest.approx(GENTLE), 1.0)
    ]
    assert running_match.speaker.heard() == ["shell-set"]
    running_match.wait(2)
    ((_, gain, _),) = running_match.speaker.played  # the rebound
    assert gain == pytest.approx(0.3 * GENTLE)


def test_each_colour_sounds_like_its_material(running_match: Hand) -> None:
    running_match.choose("Ab2", "Ac3")
    assert running_match.speaker.heard() == ["shell-set", "stone-set"]
    one, recorder = sounds()
    for colour in (2, 3, 5, -1):
        one.play_marble(SoundCue(0.0, "slide", colour, 0))
    assert recorder.heard() == ["clay-slide", "glass-slide", "glass-slide", "glass-slide"]


def test_interrupted_animation_still_plays_every_marble_sound(running_match: Hand) -> None:
    running_match.click(*running_match.spot("Aa1"))
    running_match.draw()
    running_match.click(*running_match.spot("Ab1"))
    running_match.wait(1)
    assert running_match.speaker.heard() == ["shell-set", "stone-set"]


@pytest.mark.parametrize("changes", [{"motion": "off"}, {"reduced": True}, {"motion": "fast"}])
def test_marbles_sound_without_animations(running_match: Hand, changes: dict[str, object]) -> None:
    running_match.app.change_settings(**changes)
    running_match.choose("Ab2", "Ac3")
    assert running_match.speaker.heard() == ["shell-set", "stone-set"]


def test_undo_plays_the_lift_sound(running_match: Hand) -> None:
    running_match.choose("Ab2")
    running_match.speaker.played.clear()
    running_match.key("ctrl+z")
    running_match.wait(1)
    assert running_match.speaker.heard() == ["shell-lift"]


def test_higher_marbles_sound_softer_and_lower() -> None:
    one, recorder = sounds()
    for level in range(4):
        one.play_marble(SoundCue(0.0, "set", 0, level, 0.5))
    gains, pitches = zip(*[(gain, pitch) for _, gain, pitch in recorder.played], strict=True)
    assert gains == pytest.approx([0.5 * GENTLE * LEVEL_GAIN_FACTOR**level for level in range(4)])
    assert pitches == pytest.approx([1.0, 0.99, 0.9801, 0.970299])
    assert LEVEL_GAIN_FACTOR < 1
    assert LEVEL_PITCH_FACTOR == 0.99


def test_sound_variants_vary_without_immediate_repeats() -> None:
    one, recorder = sounds()
    for _ in range(60):
        one.play_marble(SoundCue(0.0, "set", 1, 0))
    names = [name for name, _, _ in recorder.played]
    assert all(before != after for before, after in pairwise(names))
    assert set(names) == {f"stone-set-{number}" for number in range(1, 5)}


def test_refused_click_plays_a_tap(running_match: Hand) -> None:
    running_match.choose("Ab2")
    running_match.speaker.played.clear()
    running_match.choose("Ab2")
    assert running_match.speaker.heard() == ["tap"]


def test_end_sound_plays_once_after_the_last_marble(running_match: Hand) -> None:
    running_match.choose(*WHITE_LINE[:-1])
    running_match.speaker.played.clear()
    running_match.click(*running_match.spot("Aa4"))
    running_match.draw()
    running_match.now = touch_time(running_match)
    running_match.draw()
    assert running_match.speaker.heard() == ["shell-set"]
    running_match.now += motion.REBOUND_MS / 1000
    running_match.draw()
    assert running_match.speaker.heard() == ["shell-set", "bowl"]  # the rebound, then the bowl
    running_match.wait(3)
    running_match.key("b")
    running_match.wait(3)
    assert running_match.speaker.heard() == ["shell-set"]


def test_end_sound_plays_when_a_click_ends_the_animation(running_match: Hand) -> None:
    running_match.choose(*WHITE_LINE[:-1])
    running_match.speaker.played.clear()
    running_match.click(*running_match.spot("Aa4"))
    running_match.click(5, 400)
    running_match.wait(1)
    assert running_match.speaker.heard() == ["shell-set", "bowl"]


def test_opening_a_saved_match_is_silent_but_replaying_sounds(running_match: Hand) -> None:
    running_match.choose(*WHITE_LINE)
    (kept,) = running_match.app.store.list_files()
    running_match.app.pages.show_home()
    running_match.draw()
    running_match.speaker.played.clear()
    running_match.app.matches.open_file(kept.path)
    running_match.wait(1)
    replay = running_match.app.current_page
    assert isinstance(replay, ReplayPage)
    assert running_match.speaker.heard() == ["page"]
    running_match.key("end")
    running_match.wait(1)
    assert running_match.speaker.heard() == []
    running_match.key("left")
    running_match.wait(1)
    assert running_match.speaker.heard() == ["shell-lift"]
    running_match.key("right")
    running_match.wait(1)
    assert running_match.speaker.heard() == ["shell-set", "bowl"]
    replay._scrub(6)
    running_match.wait(1)
    replay._scrub(7)
    running_match.wait(1)
    assert running_match.speaker.heard() == []


def test_fast_replay_is_silent(running_match: Hand) -> None:
    running_match.choose(*WHITE_LINE)
    running_match.push("more")
    running_match.push("review")
    running_match.speaker.played.clear()
    running_match.key("up")
    running_match.key("right")
    running_match.wait(1)
    assert running_match.speaker.heard() == ["shell-set"]
    running_match.key("up")
    running_match.key("right")
    running_match.wait(1)
    assert running_match.speaker.heard() == []


def test_page_change_sounds_except_for_the_first_page(hand: Hand) -> None:
    assert hand.speaker.heard() == []
    hand.start("spline")
    assert hand.speaker.heard() == ["page"]
    hand.app.pages.show_home()
    assert hand.speaker.heard() == ["page"]


def test_privacy_screen_sounds_once(hand: Hand) -> None:
    hand.start("spagyric")
    assert hand.app.root.popups
    assert hand.speaker.heard() == ["page"]


# Muting


def test_mute_key_silences_everything_and_is_saved(running_match: Hand) -> None:
    running_match.key("m")
    assert running_match.app.settings.muted
    assert running_match.speaker.hushed == 1
    assert settings.load_settings(running_match.app.services.config_folder).settings.muted
    running_match.choose("Ab2", "Ab2")
    running_match.app.pages.show_home()
    assert running_match.speaker.heard() == []
    running_match.key("ctrl+m")
    assert not settings.load_settings(running_match.app.services.config_folder).settings.muted
    assert running_match.speaker.heard() == ["tap"]


@pytest.mark.parametrize("page", ["home", "play", "replay"])
def test_sound_button_mutes_and_shows_the_state(hand: Hand, page: str) -> None:
    if page != "home":
        hand.start("spline")
    if page == "replay":
        hand.app.show_page(ReplayPage(hand.app, hand.play.match, hand.play.entry))
    hand.draw()
    assert hand.app.current_page.page_name == page
    button = hand.found("sound", SoundButton)
    assert button.icon == "sound"
    hand.push("sound")
    hand.draw()
    assert hand.app.settings.muted
    assert button.icon == "muted"


def test_m_types_in_the_search_field(hand: Hand) -> None:
    hand.push("search")
    hand.key("m")
    home = hand.page(HomePage)
    assert home.search_field.value == "m"
    assert not hand.app.settings.muted


def test_m_searches_and_ctrl_m_mutes_on_the_home_page(hand: Hand) -> None:
    home = hand.page(HomePage)
    hand.key("m")
    assert home.search_field.value == "m"
    assert not hand.app.settings.muted
    hand.key("ctrl+m")
    assert home.search_field.value == "m"
    assert hand.app.settings.muted


def test_mute_needs_ctrl_without_single_key_shortcuts(running_match: Hand) -> None:
    running_match.app.change_settings(single=False)
    running_match.key("m")
    assert not running_match.app.settings.muted
    running_match.key("ctrl+m")
    assert running_match.app.settings.muted


def test_mute_key_works_over_privacy_screen_and_dialogs(hand: Hand) -> None:
    hand.start("spagyric")
    assert hand.app.root.popups
    hand.key("m")
    assert hand.app.settings.muted
    assert hand.app.root.popups
    hand.app.pages.show_home()
    hand.app.pages.show_settings()
    hand.key("ctrl+m")
    assert not hand.app.settings.muted


# Settings


def test_sound_switches_silence_their_category(running_match: Hand) -> None:
    running_match.app.pages.show_settings()
    running_match.floating(SettingsCard).tabs.select(4)
    running_match.draw()
    for name in ("marble sounds", "interface sounds"):
        assert running_match.found(name, Button).is_on
        running_match.push(name)
        assert not running_match.found(name, Button).is_on
    running_match.app.root.close_popup()
    running_match.choose(*WHITE_LINE[:2], "Aa1", *WHITE_LINE[2:])
    assert running_match.speaker.heard() == ["bowl"]
    one, recorder = sounds(end_sound=False)
    one.play_match_end()
    assert recorder.heard() == []
    kept = settings.load_settings(running_match.app.services.config_folder).settings
    assert (kept.marble_sounds, kept.interface_sounds, kept.end_sound) == (False, False, True)


def test_choosing_a_volume_unmutes_and_plays_a_sample(running_match: Hand) -> None:
    running_match.key("m")
    running_match.app.pages.show_settings()
    running_match.floating(SettingsCard).tabs.select(4)
    running_match.found("volume", Choice).select(VOLUMES.index("loud"))
    assert not running_match.app.settings.muted
    ((name, gain, _),) = running_match.speaker.played
    assert name.startswith("tap")
    assert gain == pytest.approx(10 ** (-6 / 20))


def test_volumes_increase_without_clipping() -> None:
    gains = []
    for volume in VOLUMES:
        one, recorder = sounds(volume=volume)
        one.play_rejected()
        gains.append(recorder.played[0][1])
    assert gains == sorted(gains)
    assert 20 * math.log10(gains[VOLUMES.index(Settings().volume)]) == pytest.approx(-18)
    assert gains[-1] < 1


def test_invalid_sound_settings_are_ignored(tmp_path: Path) -> None:
    file = tmp_path / "settings.json"
    file.write_text(json.dumps({"volume": "deafening", "muted": True}))
    loaded = settings.load_settings(tmp_path)
    assert loaded.settings == Settings(muted=True)
    for wrong in ({"muted": "yes"}, {"marble_sounds": 1}, {"end_sound": None}, {"interface_sounds": []}):
        file.write_text(json.dumps(wrong))
        loaded = settings.load_settings(tmp_path)
        assert loaded.settings == Settings()
        assert "Couldn't read some settings" in loaded.notice
    file.write_text(json.dumps({"volume": 3}))
    assert settings.load_settings(tmp_path).settings == Settings()


def test_shortcut_lists_include_the_mute_key(hand: Hand) -> None:
    from shibumi3d.app.host import shortcuts
    from shibumi3d.app.host.shortcuts import ShortcutsCard

    for lines, key in (
        (shortcuts.HOME_SHORTCUTS, "Ctrl+M"),
        (shortcuts.PLAY_SHORTCUTS, "M"),
        (shortcuts.REPLAY_SHORTCUTS, "M"),
    ):
        assert (key, "sound on/off") in ShortcutsCard(lines, "").list.keys


# The real speaker


def test_missing_audio_device_is_silent_without_errors(needs_gl: None) -> None:
    """Playing sounds prints nothing and raises no error, whether or not this machine has an audio device."""
    program = (
        "import pyglet; pyglet.options.headless = True; import pyglet.window; w = pyglet.window.Window(8, 8)\n"
        "from shibumi3d.app.host.sound import PygletAudio\n"
        "s = PygletAudio(); s.play('glass-set-1', 0.0, 1.0); s.play('bowl-1', 0.0, 0.97); s.stop_all(); w.close()"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_pyglet_plays_what_it_is_given() -> None:
    """PygletAudio treats pyglet's silent driver as a missing device, so the test sets ``_is_open`` itself."""
    program = (
        "import pyglet; pyglet.options.headless = True; pyglet.options.audio = ('silent',)\n"
        "from shibumi3d.app.host.sound import PygletAudio\n"
        "s = PygletAudio(); s._is_open = True; s.play('tap-1', 0.0, 1.0)\n"
        "print(s._is_silent, [player.source is not None for player in s._playing]); s.stop_all()"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "False [True]\n", "")


def test_failed_audio_stays_off(monkeypatch: pytest.MonkeyPatch) -> None:
    from shibumi3d.app.host.sound import PygletAudio

    asked: list[str] = []

    def load(name: str, file: object, streaming: bool) -> object:
        asked.append(name)
        raise OSError("the device is gone")

    monkeypatch.setattr(importlib.import_module("pyglet.media"), "load", load)
    speaker = PygletAudio()
    speaker._is_open = True
    speaker.play("tap-1", 1.0, 1.0)
    speaker.play("tap-2", 1.0, 1.0)
    assert asked == ["tap-1.wav"]


def test_short_sounds_are_padded_with_silence() -> None:
    import wave

    from shibumi3d.app.host.sound import MIN_SOUND_SECONDS, _pad_with_silence
    from shibumi3d.assets import sounds

    data = sounds.sound_data("stone-set-1")
    with wave.open(_pad_with_silence(data)) as longer:
        assert longer.getnframes() == round(MIN_SOUND_SECONDS * 22050)
        frames = longer.readframes(longer.getnframes())
    assert frames.startswith(data[44:])
    assert set(frames[len(data) - 44 :]) == {0}
    with wave.open(_pad_with_silence(sounds.sound_data("bowl-1"))) as bowl:
        assert bowl.getnframes() == (len(sounds.sound_data("bowl-1")) - 44) // 2
