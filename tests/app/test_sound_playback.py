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
def playing(hand: Hand) -> Hand:
    """A match of white and black, nothing heard so far."""
    hand.start("spline")
    hand.speaker.played.clear()
    return hand


def sounds(**changes: object) -> tuple[SoundPlayer, Recorder]:
    recorder, chosen = Recorder(), Settings().with_changes(**changes)
    return SoundPlayer(recorder, lambda: chosen), recorder


def touching(hand: Hand) -> float:
    """Just after the last marble of what moves touches the board, before it rebounds."""
    return hand.play.marble_scene.timeline.end_time - motion.REBOUND_MS / 1000 + 0.001


# What sounds for what happens


def test_marble_sounds_once_when_it_lands(playing: Hand) -> None:
    playing.click(*playing.spot("Ab2"))
    playing.draw()
    assert playing.speaker.heard() == []
    playing.now = touching(playing)
    playing.draw()
    assert [(gain, pitch) for _, gain, pitch in playing.speaker.played] == [(pytest.approx(GENTLE), 1.0)]
    assert playing.speaker.heard() == ["shell-set"]
    playing.wait(2)
    ((_, gain, _),) = playing.speaker.played  # the rebound
    assert gain == pytest.approx(0.3 * GENTLE)


def test_each_colour_sounds_like_its_material(playing: Hand) -> None:
    playing.choose("Ab2", "Ac3")
    assert playing.speaker.heard() == ["shell-set", "stone-set"]
    one, recorder = sounds()
    for colour in (2, 3, 5, -1):
        one.play_marble(SoundCue(0.0, "slide", colour, 0))
    assert recorder.heard() == ["clay-slide", "glass-slide", "glass-slide", "glass-slide"]


def test_interrupted_animation_still_plays_every_marble_sound(playing: Hand) -> None:
    playing.click(*playing.spot("Aa1"))
    playing.draw()
    playing.click(*playing.spot("Ab1"))
    playing.wait(1)
    assert playing.speaker.heard() == ["shell-set", "stone-set"]


@pytest.mark.parametrize("changes", [{"motion": "off"}, {"reduced": True}, {"motion": "fast"}])
def test_marbles_sound_without_animations(playing: Hand, changes: dict[str, object]) -> None:
    playing.app.change_settings(**changes)
    playing.choose("Ab2", "Ac3")
    assert playing.speaker.heard() == ["shell-set", "stone-set"]


def test_undo_plays_the_lift_sound(playing: Hand) -> None:
    playing.choose("Ab2")
    playing.speaker.played.clear()
    playing.key("ctrl+z")
    playing.wait(1)
    assert playing.speaker.heard() == ["shell-lift"]


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


def test_refused_click_plays_a_tap(playing: Hand) -> None:
    playing.choose("Ab2")
    playing.speaker.played.clear()
    playing.choose("Ab2")
    assert playing.speaker.heard() == ["tap"]


def test_end_sound_plays_once_after_the_last_marble(playing: Hand) -> None:
    playing.choose(*WHITE_LINE[:-1])
    playing.speaker.played.clear()
    playing.click(*playing.spot("Aa4"))
    playing.draw()
    playing.now = touching(playing)
    playing.draw()
    assert playing.speaker.heard() == ["shell-set"]
    playing.now += motion.REBOUND_MS / 1000
    playing.draw()
    assert playing.speaker.heard() == ["shell-set", "bowl"]  # the rebound, then the bowl
    playing.wait(3)
    playing.key("b")
    playing.wait(3)
    assert playing.speaker.heard() == ["shell-set"]


def test_end_sound_plays_when_a_click_ends_the_animation(playing: Hand) -> None:
    playing.choose(*WHITE_LINE[:-1])
    playing.speaker.played.clear()
    playing.click(*playing.spot("Aa4"))
    playing.click(5, 400)
    playing.wait(1)
    assert playing.speaker.heard() == ["shell-set", "bowl"]


def test_opening_a_saved_match_is_silent_but_replaying_sounds(playing: Hand) -> None:
    playing.choose(*WHITE_LINE)
    (kept,) = playing.app.store.list_files()
    playing.app.pages.show_home()
    playing.draw()
    playing.speaker.played.clear()
    playing.app.matches.open_file(kept.path)
    playing.wait(1)
    replay = playing.app.current_page
    assert isinstance(replay, ReplayPage)
    assert playing.speaker.heard() == ["page"]
    playing.key("end")
    playing.wait(1)
    assert playing.speaker.heard() == []
    playing.key("left")
    playing.wait(1)
    assert playing.speaker.heard() == ["shell-lift"]
    playing.key("right")
    playing.wait(1)
    assert playing.speaker.heard() == ["shell-set", "bowl"]
    replay._scrub(6)
    playing.wait(1)
    replay._scrub(7)
    playing.wait(1)
    assert playing.speaker.heard() == []


def test_fast_replay_is_silent(playing: Hand) -> None:
    playing.choose(*WHITE_LINE)
    playing.push("more")
    playing.push("review")
    playing.speaker.played.clear()
    playing.key("up")
    playing.key("right")
    playing.wait(1)
    assert playing.speaker.heard() == ["shell-set"]
    playing.key("up")
    playing.key("right")
    playing.wait(1)
    assert playing.speaker.heard() == []


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


def test_mute_key_silences_everything_and_is_saved(playing: Hand) -> None:
    playing.key("m")
    assert playing.app.settings.muted
    assert playing.speaker.hushed == 1
    assert settings.load_settings(playing.app.services.config_folder).settings.muted
    playing.choose("Ab2", "Ab2")
    playing.app.pages.show_home()
    assert playing.speaker.heard() == []
    playing.key("ctrl+m")
    assert not settings.load_settings(playing.app.services.config_folder).settings.muted
    assert playing.speaker.heard() == ["tap"]


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
    home = hand.app.current_page
    assert isinstance(home, HomePage)
    assert home.search_field.value == "m"
    assert not hand.app.settings.muted


def test_m_searches_and_ctrl_m_mutes_on_the_home_page(hand: Hand) -> None:
    home = hand.app.current_page
    assert isinstance(home, HomePage)
    hand.key("m")
    assert home.search_field.value == "m"
    assert not hand.app.settings.muted
    hand.key("ctrl+m")
    assert home.search_field.value == "m"
    assert hand.app.settings.muted


def test_mute_needs_ctrl_without_single_key_shortcuts(playing: Hand) -> None:
    playing.app.change_settings(single=False)
    playing.key("m")
    assert not playing.app.settings.muted
    playing.key("ctrl+m")
    assert playing.app.settings.muted


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


def test_sound_switches_silence_their_category(playing: Hand) -> None:
    playing.app.pages.show_settings()
    playing.floating(SettingsCard).tabs.select(4)
    playing.draw()
    for name in ("marble sounds", "interface sounds"):
        assert playing.found(name, Button).is_on
        playing.push(name)
        assert not playing.found(name, Button).is_on
    playing.app.root.close_popup()
    playing.choose(*WHITE_LINE[:2], "Aa1", *WHITE_LINE[2:])
    assert playing.speaker.heard() == ["bowl"]
    one, recorder = sounds(end_sound=False)
    one.play_match_end()
    assert recorder.heard() == []
    kept = settings.load_settings(playing.app.services.config_folder).settings
    assert (kept.marble_sounds, kept.interface_sounds, kept.end_sound) == (False, False, True)


def test_choosing_a_volume_unmutes_and_plays_a_sample(playing: Hand) -> None:
    playing.key("m")
    playing.app.pages.show_settings()
    playing.floating(SettingsCard).tabs.select(4)
    playing.found("volume", Choice).select(VOLUMES.index("loud"))
    assert not playing.app.settings.muted
    ((name, gain, _),) = playing.speaker.played
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
        assert "couldn't be read" in loaded.notice
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
    """All drivers are tried; whichever machine this is, the error output stays empty."""
    program = (
        "import pyglet; pyglet.options.headless = True; import pyglet.window; w = pyglet.window.Window(8, 8)\n"
        "from shibumi3d.app.host.sound import PygletAudio\n"
        "s = PygletAudio(); s.play('glass-set-1', 0.0, 1.0); s.play('bowl-1', 0.0, 0.97); s.stop_all(); w.close()"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_pyglet_plays_what_it_is_given() -> None:
    """With pyglet's silent driver, which counts as no device; so it is opened by hand here."""
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
