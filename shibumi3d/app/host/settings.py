"""What a person has set, kept in the system's folder for settings.

The file is written whole beside the old one and then put in its place. A file that can't be read is set aside under
another name and the defaults are used; :attr:`Loaded.notice` says so once.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any, TypeAlias

from shibumi3d import files
from shibumi3d.names import plain
from shibumi3d.scene import palette
from shibumi3d.search.levels import kind_of

from ..text import LANGUAGES, say

THEMES = ("day", "night")
MOTIONS = ("off", "fast", "normal", "slow")
MARKS = ("always", "hover", "off")
MARBLES = ("standard", "clear")
"""Colours of marbles and board; ``clear`` can be told apart by every eye, and carries signs."""
VIEWS = 4
"""How many views of each game can be stored."""
View: TypeAlias = tuple[float, float, float]
"""Where the eye stands: yaw, pitch and zoom of a camera. It suits a board of any size."""
VOLUMES = ("soft", "gentle", "clear", "loud")
BOARDS = ("usual", "keyaki", "slate", "tatami", "kuro")
"""What boards are made of; usual is what goes with the marbles. Lacquer would suit sets without black alone."""
SIGNS = ("usual", "subtle", "strong")
SCALES = (75, 300)
"""Least and greatest size of the interface, in per cent."""
LONGEST = 1 << 20
"""How large the file may be, in bytes."""


@dataclass(frozen=True)
class Settings:
    """All settings. ``scale`` is in per cent; ``names`` are the players last used; ``size`` is that of the window."""

    theme: str = "day"
    language: str = ""
    """The code of one of :data:`.text.LANGUAGES`; empty: that of the system."""
    scale: int = 100
    motion: str = "normal"
    marks: str = "always"
    marbles: str = "standard"
    board: str = "usual"
    signs: str = "usual"
    """Of each colour on its marbles."""
    names: tuple[str, ...] = ()
    seats: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Who played each seat last, a person or a computer of some strength, by the id of the game."""
    setups: Mapping[str, Mapping[str, int | str]] = field(default_factory=dict)
    """How each game was set up last: the number of players, the size of the board, the variant, and its options."""
    size: tuple[int, int] = (1280, 720)
    place: tuple[int, ...] = ()
    """Of the window on the screen; empty: wherever the system puts it."""
    panel: bool = True
    guided: bool = False
    """Whether the first steps were offered, shown or left."""
    answers: bool = True
    """Whether a step that has one answer is taken as answered."""
    confirm: bool = False
    """Whether every turn is ended by hand, and not only one that may go on."""
    carry: bool = True
    """Whether a marble that may be lifted can be carried by a drag."""
    reduced: bool = False
    """Whether marbles fade instead of flying. It is set here alone: systems tell their own wish in too many ways."""
    stills: bool = True
    """Whether a finer picture is drawn while nothing moves, where the live one is simple."""
    attract: bool = True
    """Whether a game plays itself on the first page when that is left alone."""
    contrast: bool = False
    """Whether words, lines and marks of the interface stand out more strongly."""
    drift: bool = False
    """Whether the light of the day goes by while a game is played. No picture is drawn for it."""
    spoken: bool = False
    """Whether the title of the window says what happens, for tools that read it aloud."""
    reasons: bool = False
    """Whether computers say in one line why they played so."""
    coordinates: bool = False
    verdicts: bool = False
    """Whether it is told in a running match that it can't be won any more."""
    muted: bool = False
    volume: str = "gentle"
    marble_sounds: bool = True
    interface_sounds: bool = True
    end_sound: bool = True
    favourites: tuple[str, ...] = ()
    results: bool = True
    """Whether it is kept what was won and lost."""
    played: tuple[str, ...] = ()
    """The ids of the games that were ever begun, the last one first."""
    single: bool = True
    """Whether keys act alone; else with Ctrl, or with Alt where Ctrl and the key mean something else."""
    calm: bool = False
    """Whether clicks are few and slow: one on the heels of another counts for nothing, and what is held takes one."""
    views: Mapping[str, tuple[View | None, ...]] = field(default_factory=dict)
    """The views stored, by the id of the game."""
    eye: Mapping[str, View] = field(default_factory=dict)
    """From where the match was seen that was played last, by the name of its file; empty: as at the start."""

    @property
    def colours(self) -> palette.Theme:
        """What boards and marbles look like."""
        return palette.theme(*self.look)

    def colours_after(self, moves: int) -> palette.Theme:
        """Return the colours of the table after so many moves of a game, whose light changes as it goes on."""
        if not self.drift or self.reduced:
            return self.colours
        return replace(self.colours, hour=palette.hour(moves))

    @property
    def look(self) -> tuple[str, str, str, str]:
        """Tone, marbles, board and signs, as :func:`palette.theme` takes them."""
        board, signs = (word.replace("usual", "") for word in (self.board, self.signs))
        return self.theme, self.marbles, board, signs

    @property
    def drawn(self) -> tuple[str, str, str, bool]:
        """Tone, marbles, signs and whether contrasts are strong, as the style of the interface takes them."""
        return self.theme, self.marbles, self.look[3], self.contrast

    def travel(self, milliseconds: float) -> float:
        """Return the seconds that a motion of so many milliseconds takes; none when motion is reduced."""
        from shibumi3d.scene.motion import SPEEDS  # commands read settings and move nothing

        return 0.0 if self.reduced else milliseconds / 1000 * SPEEDS[self.motion]

    def with_(self, **changes: Any) -> Settings:
        """Return a copy with some values changed; values out of range are brought into it."""
        return _checked(replace(self, **changes))


@dataclass(frozen=True)
class Loaded:
    """Settings, and a sentence for the person when the file was not usable."""

    settings: Settings
    notice: str = ""
    first: bool = False
    """Whether nothing was ever set: the program starts for the first time."""


def folder() -> Path:
    """Return the folder of the settings."""
    import platformdirs

    return Path(platformdirs.user_config_dir("shibumi3d", appauthor=False))


def load(place: Path) -> Loaded:
    """Return the settings in the folder ``place``; missing ones are the usual ones."""
    file = place / "settings.json"
    try:
        data = files.read(file, LONGEST)
    except FileNotFoundError:
        return Loaded(Settings(), first=True)
    except OSError:
        return Loaded(Settings(), _aside(file))
    try:
        if len(data) > LONGEST:
            raise ValueError("too long")
        values = json.loads(files.text_of(data))
        if not isinstance(values, dict):
            raise ValueError("not a mapping")
        known = {field.name for field in fields(Settings)}
        chosen = {key: _tuple(value) for key, value in values.items() if key in known}
        return Loaded(_checked(Settings(**chosen)))
    except Exception:  # whatever somebody wrote there: it is set aside, and told
        return Loaded(Settings(), _aside(file))


def language(place: Path) -> str:
    """Return the code of the language set in the folder ``place``; "" where none is, or nothing can be read."""
    try:
        values = json.loads(files.text_of(files.read(place / "settings.json", LONGEST)))
        found = values.get("language", "")
        return found if found in LANGUAGES else ""
    except Exception:  # reading the rest says what is wrong
        return ""


def save(place: Path, settings: Settings) -> str:
    """Write the settings; return "", or a sentence that says why that was not possible."""
    file = place / "settings.json"
    try:
        files.make_folder(place)
        files.write(file, json.dumps(asdict(settings), indent=1, ensure_ascii=False) + "\n")
    except OSError as problem:
        return say("settings.not-kept", problem=problem)
    return ""


def _aside(file: Path) -> str:
    try:
        kept = files.set_aside(file, lambda n: f"{file.name}.unreadable{f'-{n}' if n > 1 else ''}")
    except OSError:
        return say("settings.unreadable")
    return say("settings.aside", name=kept.name)


def _tuple(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def _checked(settings: Settings) -> Settings:
    """Raises TypeError for values of the wrong kind; numbers and words out of range become usable ones."""
    switches = [each.name for each in fields(Settings) if each.type == "bool"]
    switched = all(isinstance(getattr(settings, name), bool) for name in switches)
    if not (isinstance(settings.scale, int) and switched):
        raise TypeError("a setting is of the wrong kind")
    if not (len(settings.size) == 2 and all(isinstance(value, int) for value in settings.size)):
        raise TypeError("the size of the window is two numbers")
    if not (len(settings.place) in (0, 2) and all(isinstance(value, int) for value in settings.place)):
        raise TypeError("the place of the window is two numbers, or none")
    if not all(isinstance(name, str) for name in (*settings.names, *settings.favourites, *settings.played)):
        raise TypeError("names are texts")
    seats = dict(settings.seats)
    if not all(isinstance(kinds, list | tuple) for kinds in seats.values()):
        raise TypeError("who plays the seats of a game is a list")
    setups = {str(game): dict(chosen) for game, chosen in dict(settings.setups).items()}
    if not all(isinstance(value, int | str) for chosen in setups.values() for value in chosen.values()):
        raise TypeError("a set-up is made of numbers and texts")
    usual = Settings()
    return replace(
        settings,
        language=settings.language if settings.language in LANGUAGES else usual.language,
        theme=settings.theme if settings.theme in THEMES else usual.theme,
        motion=settings.motion if settings.motion in MOTIONS else usual.motion,
        marbles=settings.marbles if settings.marbles in MARBLES else usual.marbles,
        board=settings.board if settings.board in BOARDS else usual.board,
        signs=settings.signs if settings.signs in SIGNS else usual.signs,
        marks=settings.marks if settings.marks in MARKS else usual.marks,
        volume=settings.volume if settings.volume in VOLUMES else usual.volume,
        scale=max(SCALES[0], min(SCALES[1], settings.scale)),
        size=(max(640, min(16384, settings.size[0])), max(400, min(16384, settings.size[1]))),
        names=tuple(plain(name)[:24] for name in settings.names[:10]),
        seats={str(game): tuple(kind_of(str(kind)) for kind in kinds) for game, kinds in seats.items()},
        setups=setups,
        eye={
            str(name): view
            for name, view in list(zip(settings.eye, _views(settings.eye.values()), strict=False))[:1]
            if view
        },
        views={str(game): _views(kept) for game, kept in dict(settings.views).items()},
    )


def _views(kept: Any) -> tuple[View | None, ...]:
    """The views of one game, as many as can be stored."""
    found = [None if view is None else tuple(float(number) for number in view) for view in kept]
    if any(view is not None and (len(view) != 3 or not all(map(math.isfinite, view))) for view in found):
        raise TypeError("a view is three numbers")
    return tuple([*found, *[None] * VIEWS][:VIEWS])  # type: ignore[arg-type]
