"""User settings, stored as JSON in the system's configuration folder.

The file is replaced atomically. Invalid entries are replaced by their defaults, and a file that can't be read at all is
renamed; in both cases, :attr:`LoadedSettings.notice` tells the user. An unknown option, such as a theme that
doesn't exist, is replaced by the default without a notice.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

from shibumi3d import files
from shibumi3d.i18n import LANGUAGES, _
from shibumi3d.names import normalize
from shibumi3d.scene import palette
from shibumi3d.search.levels import PERSON, player_type_of

THEMES = ("day", "night")
MOTIONS = ("off", "fast", "normal", "slow")
MARKS = ("always", "hover", "off")
MARBLES = ("standard", "clear")
"""Colour schemes. ``clear`` is suitable for colour-blind players and puts symbols on the marbles."""
VIEWS_PER_GAME = 4
"""Number of camera views that can be stored for each game."""
CameraView: TypeAlias = tuple[float, float, float]
"""Camera view that is independent of the board size: yaw and pitch in degrees, and zoom."""
BEST_RUNS = ("off", "time", "moves")
"""What is shown of the best run on a deal of a solo game: nothing, its result, or its next move as well."""
VOLUMES = ("soft", "gentle", "clear", "loud")
BOARDS = ("usual", "keyaki", "slate", "tatami", "kuro")
"""Board materials; ``usual`` means the material that goes with the marbles.

Lacquer isn't offered, because it only suits sets without black marbles.
"""
SIGNS = ("usual", "subtle", "strong")
SCALE_RANGE_PERCENT = (75, 300)
"""Minimum and maximum scale of the interface, in percent."""
MAX_SETTINGS_BYTES = 1 << 20
"""Maximum size of the settings file, in bytes."""
MAX_INTEGER_DIGITS = 400
"""Maximum number of digits in an integer; longer integers are invalid."""
MAX_VIEW_VALUE = 1e6
"""Maximum absolute value of each number in a camera view."""
MAX_WINDOW_OFFSET_PX = 32767
"""Maximum absolute value of each coordinate of the window's position, in pixels."""
T = TypeVar("T")


@dataclass(frozen=True)
class Settings:
    """All user settings.

    ``scale`` is in percent, or 0 for an automatic scale. ``names`` holds the name last used at each seat, and ``size``
    is the size of the window.
    """

    theme: str = "day"
    language: str = ""
    """Language code from :data:`shibumi3d.i18n.LANGUAGES`; empty for the system's language."""
    scale: int = 0
    motion: str = "normal"
    marks: str = "always"
    marbles: str = "standard"
    board: str = "usual"
    signs: str = "usual"
    """Visibility of the symbols on marbles. Each colour has its own symbol."""
    names: tuple[str, ...] = ()
    seats: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Player type of each seat in the last match of each game, by game ID.

    A player type is :data:`.PERSON`, :data:`.RANDOM`, :data:`.ADAPTIVE` or the name of a level.
    """
    setups: Mapping[str, Mapping[str, int | str]] = field(default_factory=dict)
    """Last setup of each game, by game ID: number of players, board size, variant, options and match settings."""
    size: tuple[int, int] = (1280, 720)
    place: tuple[int, ...] = ()
    """Position of the window on the screen; empty to let the system choose."""
    panel: bool = True
    guided: bool = False
    """Whether the tutorial has been offered, left or completed."""
    answers: bool = True
    """Whether a move is played automatically if it is the only legal one."""
    confirm: bool = False
    """Whether every turn must be ended explicitly, even if no more moves are possible in it."""
    carry: bool = True
    """Whether dragging a marble that may be lifted moves the marble rather than the camera."""
    reduced: bool = False
    """Whether motion is reduced; for example, marbles fade instead of flying.

    The system's own setting for reduced motion isn't used, because every system has a different way to query it.
    """
    stills: bool = True
    """Whether high-quality stills are rendered while nothing moves, except on battery power."""
    attract: bool = True
    """Whether the home page plays a demo match when idle."""
    contrast: bool = False
    """Whether text, lines and marks are drawn with high contrast."""
    drift: bool = False
    """Whether the light changes from move to move, like daylight in the course of a day."""
    spoken: bool = False
    """Whether the window title announces what happens, for screen readers."""
    reasons: bool = False
    """Whether computer players give a one-line reason for each move."""
    coordinates: bool = False
    verdicts: bool = False
    """Whether to warn, in a solo or cooperative match, that it can no longer be won."""
    best_run: str = "off"
    muted: bool = False
    volume: str = "gentle"
    marble_sounds: bool = True
    interface_sounds: bool = True
    end_sound: bool = True
    favourites: tuple[str, ...] = ()
    results: bool = True
    """Whether results of matches are saved."""
    learning: bool = True
    """Whether the home page links to the “Learn” page."""
    played: tuple[str, ...] = ()
    """IDs of all games played, most recent first."""
    single: bool = True
    """Whether single-key shortcuts work without a modifier.

    If not, they need Ctrl, or Alt if Ctrl with the same key is another shortcut.
    """
    calm: bool = False
    """Whether double clicks are ignored, and buttons that normally must be held take a single click."""
    views: Mapping[str, tuple[CameraView | None, ...]] = field(default_factory=dict)
    """Stored camera views by game ID."""
    eye: Mapping[str, CameraView] = field(default_factory=dict)
    """Camera view of the last match, by the name of its file; empty for the home or top view."""

    @property
    def board_theme(self) -> palette.Theme:
        """Colours and materials of boards and marbles."""
        return palette.make_theme(*self.theme_arguments)

    def board_theme_after(self, moves: int) -> palette.Theme:
        """Return the theme to use after ``moves`` moves.

        If ``drift`` is on and motion isn't reduced, the light depends on the number of moves.
        """
        if not self.drift or self.reduced:
            return self.board_theme
        return replace(self.board_theme, time_of_day=palette.time_of_day_after(moves))

    @property
    def theme_arguments(self) -> tuple[str, str, str, str]:
        """Theme, marbles, board and symbols: the arguments of :func:`.make_theme`."""
        board, signs = (word.replace("usual", "") for word in (self.board, self.signs))
        return self.theme, self.marbles, board, signs

    @property
    def style_arguments(self) -> tuple[str, str, str, bool]:
        """Theme, marbles, symbols and high contrast: the arguments of :func:`.make_style`."""
        return self.theme, self.marbles, self.theme_arguments[3], self.contrast

    def animation_seconds(self, milliseconds: float) -> float:
        """Return the duration of an animation in seconds, or 0 if animation is off or motion is reduced.

        ``milliseconds`` is its duration at normal speed.
        """
        from shibumi3d.scene.motion import SPEED_FACTORS  # not needed by commands that only read settings

        return 0.0 if self.reduced else milliseconds / 1000 * SPEED_FACTORS[self.motion]

    def with_changes(self, **changes: object) -> Settings:
        """Return a copy with some settings changed.

        The interface scale and the window size are clamped to their ranges, unknown options are replaced by defaults,
        and unknown settings are ignored. Raises TypeError if a value, or any part of it, is invalid in another way.
        """
        chosen, unread = _parse_settings(changes)
        if unread:
            raise TypeError(f"not a value of {', '.join(unread)}")
        return replace(self, **chosen)


@dataclass(frozen=True)
class LoadedSettings:
    """Settings as loaded, with a message for the user if the file had errors."""

    settings: Settings
    notice: str = ""
    is_first_start: bool = False
    """Whether there was no settings file, i.e. the program is being started for the first time."""


def settings_folder() -> Path:
    """Return the folder of the settings file."""
    import platformdirs

    return Path(platformdirs.user_config_dir("shibumi3d", appauthor=False))


def load_settings(folder: Path) -> LoadedSettings:
    """Load ``settings.json`` from ``folder``, using defaults for missing and invalid entries.

    If the file exists but can't be read at all, it is renamed if possible, and all settings have their defaults.
    """
    file = folder / "settings.json"
    try:
        values = _read_file(file)
    except FileNotFoundError:
        return LoadedSettings(Settings(), is_first_start=True)
    except Exception:  # the file may contain anything: rename it and tell the user
        return LoadedSettings(Settings(), _set_file_aside(file))
    chosen, unread = _parse_settings(values)
    notice = (
        _(
            "Couldn't read some settings in {path}: {names}. Their defaults will be used.",
            path=file,
            names=", ".join(unread),
        )
        if unread
        else ""
    )
    return LoadedSettings(Settings(**chosen), notice)


def stored_language(folder: Path) -> str:
    """Return the code of the language set in the settings file in ``folder``.

    Returns an empty string if no known language is set or the file can't be read.
    """
    try:
        values = json.loads(files.decode_text(files.read(folder / "settings.json", MAX_SETTINGS_BYTES)))
        code = values.get("language", "")
        return code if code in LANGUAGES else ""
    except Exception:  # load_settings() reports the error
        return ""


def save_settings(folder: Path, settings: Settings) -> str:
    """Write the settings to a file in ``folder``; return an error message, or an empty string on success.

    Entries that this version doesn't understand are kept, since a newer version may have written them.
    """
    file = folder / "settings.json"
    stored: dict[str, object] = {}
    with suppress(Exception):  # an unreadable file is replaced
        stored = _read_file(file)
    before = json.loads(json.dumps(asdict(Settings(**_parse_settings(stored)[0]))))
    after = json.loads(json.dumps(asdict(settings)))
    try:
        files.make_folder(folder)
        files.write(
            file, json.dumps(merge_changes(stored, before, after), indent=1, ensure_ascii=False) + "\n"
        )
    except OSError as problem:
        return _("Couldn't save the settings: {problem}.", problem=problem)
    return ""


def merge_changes(stored: object, before: object, after: object) -> Any:
    """Merge the changes from ``before`` to ``after`` into ``stored``, and return the result.

    ``before`` is the part of ``stored`` that this version of the program understood. Keys and values that the program
    didn't understand are kept at every level of nesting, except at the end of a list whose length changes.
    """
    if before == after:
        return stored
    if isinstance(stored, Mapping) and isinstance(before, Mapping) and isinstance(after, Mapping):
        merged = {key: value for key, value in stored.items() if key in after or key not in before}
        for key, value in after.items():
            empty: object = {} if isinstance(value, Mapping) else None
            merged[key] = (
                merge_changes(merged[key], before.get(key, empty), value) if key in merged else value
            )
        return merged
    if isinstance(stored, list) and isinstance(before, list) and isinstance(after, list):
        pairs = zip(stored, before, after, strict=False)
        head = [merge_changes(*triple) for triple in pairs]
        more = stored[len(before) :] if len(before) == len(after) else []
        return [*head, *after[len(head) :], *more]
    return after


def _set_file_aside(file: Path) -> str:
    try:
        backup = files.set_aside(file, lambda n: f"{file.name}.unreadable{f'-{n}' if n > 1 else ''}")
    except OSError:
        return _("Couldn't read the settings, so the defaults will be used.")
    return _(
        "Couldn't read the settings, so the defaults will be used. The old file was saved as {name}.",
        name=backup.name,
    )


def _read_file(file: Path) -> dict[str, object]:
    """Return the entries of the settings file.

    Raises OSError if it can't be read, or ValueError if it is invalid.
    """
    data = files.read(file, MAX_SETTINGS_BYTES)
    if len(data) > MAX_SETTINGS_BYTES:
        raise ValueError("too long")
    values = json.loads(files.decode_text(data), parse_int=_parse_integer)
    if not isinstance(values, dict):
        raise ValueError("not a mapping")
    return values


def _parse_integer(digits: str) -> int | float:
    """Parse an integer; a text of more than :data:`MAX_INTEGER_DIGITS` characters becomes infinity."""
    return int(digits) if len(digits) <= MAX_INTEGER_DIGITS else float("inf")


def _parse_settings(values: Mapping[str, object]) -> tuple[dict[str, Any], list[str]]:
    """Return the settings in ``values``, and the names of those that are at least partly invalid.

    Settings that are entirely invalid are left out. The interface scale and the window size are clamped to their
    ranges, and unknown options are replaced by defaults.
    """
    chosen: dict[str, object] = {}
    unread: list[str] = []
    for field_ in fields(Settings):
        if field_.name not in values:
            continue
        reader = _Parser()
        read: Callable[[_Parser, object], object] = _PARSERS.get(field_.name) or _Parser.boolean
        try:
            chosen[field_.name] = read(reader, values[field_.name])
        except (TypeError, ValueError, OverflowError):
            reader.is_valid = False
        if not reader.is_valid:
            unread.append(field_.name)
    return chosen, unread


class _Parser:
    """Parser for a single setting.

    Its methods raise TypeError, ValueError or OverflowError for an invalid value. If only some entries within a value
    are invalid, they are left out or replaced, and :attr:`is_valid` becomes false.
    """

    def __init__(self) -> None:
        self.is_valid = True
        """Whether all entries of the value were valid."""

    def boolean(self, value: object) -> bool:
        if not isinstance(value, bool):
            raise TypeError
        return value

    def number(self, value: object) -> int:
        if type(value) is not int:
            raise TypeError
        return value

    def text(self, value: object) -> str:
        if not isinstance(value, str):
            raise TypeError
        return value

    def list(self, value: object) -> Sequence[object]:
        if not isinstance(value, list | tuple):
            raise TypeError
        return value

    def mapping(self, value: object, parse: Callable[[object], T]) -> dict[str, T]:
        """Parse a mapping, leaving out entries with invalid values."""
        if not isinstance(value, Mapping):
            raise TypeError
        parsed = {}
        for name, inside in value.items():
            try:
                parsed[str(name)] = parse(inside)
            except (TypeError, ValueError, OverflowError):
                self.is_valid = False
        return parsed

    def texts(self, value: object) -> tuple[str, ...]:
        """Parse a list of strings, leaving out anything else."""
        items = self.list(value)
        strings = tuple(item for item in items if isinstance(item, str))
        self.is_valid = self.is_valid and len(strings) == len(items)
        return strings

    def names(self, value: object) -> tuple[str, ...]:
        """Parse a list of player names, keeping the first ten and cutting each to 24 characters.

        An item that isn't a string becomes an empty name and makes :attr:`is_valid` false.
        """
        items = self.list(value)
        named = [item if isinstance(item, str) else "" for item in items]
        self.is_valid = self.is_valid and all(isinstance(item, str) for item in items)
        return tuple(normalize(name)[:24] for name in named[:10])

    def player_types(self, value: object) -> tuple[str, ...]:
        """Parse a list of player types, replacing unknown types with :data:`.PERSON`.

        An item that isn't a string is also replaced, and makes :attr:`is_valid` false.
        """
        items = self.list(value)
        self.is_valid = self.is_valid and all(isinstance(item, str) for item in items)
        return tuple(player_type_of(item) if isinstance(item, str) else PERSON for item in items)

    def setup(self, value: object) -> dict[str, int | str]:
        return self.mapping(
            value, lambda item: self.text(item) if isinstance(item, str) else self.number(item)
        )

    def angle(self, value: object) -> float:
        if not isinstance(value, int | float | str):
            raise TypeError
        return float(value)

    def view(self, value: object) -> CameraView:
        yaw, pitch, zoom = map(self.angle, self.list(value))
        if not all(abs(angle) <= MAX_VIEW_VALUE for angle in (yaw, pitch, zoom)):
            raise ValueError
        return yaw, pitch, zoom

    def views(self, value: object) -> tuple[CameraView | None, ...]:
        """Parse the stored camera views of a game; invalid views become None.

        The result always has :data:`VIEWS_PER_GAME` entries: surplus views are dropped, and missing ones are None.
        """
        result: list[CameraView | None] = []
        for item in self.list(value)[:VIEWS_PER_GAME]:
            try:
                result.append(None if item is None else self.view(item))
            except (TypeError, ValueError, OverflowError):
                self.is_valid = False
                result.append(None)
        return (*result, *[None] * (VIEWS_PER_GAME - len(result)))

    def size(self, value: object) -> tuple[int, int]:
        wide, high = map(self.number, self.list(value))
        return max(640, min(16384, wide)), max(400, min(16384, high))

    def place(self, value: object) -> tuple[int, ...]:
        position = tuple(map(self.number, self.list(value)))
        if len(position) not in (0, 2) or any(abs(offset) > MAX_WINDOW_OFFSET_PX for offset in position):
            raise ValueError
        return position


def _one_of(words: Sequence[str], default: str) -> Callable[[_Parser, object], str]:
    """Return a parser that keeps the given ``words`` and replaces any other word with ``default``."""
    return lambda reader, value: text if (text := reader.text(value)) in words else default


_PARSERS: dict[str, Callable[[_Parser, object], object]] = {
    "theme": _one_of(THEMES, Settings.theme),
    "language": _one_of(tuple(LANGUAGES), Settings.language),
    "scale": lambda reader, value: (
        max(SCALE_RANGE_PERCENT[0], min(SCALE_RANGE_PERCENT[1], number))
        if (number := reader.number(value))
        else 0
    ),
    "motion": _one_of(MOTIONS, Settings.motion),
    "marks": _one_of(MARKS, Settings.marks),
    "marbles": _one_of(MARBLES, Settings.marbles),
    "board": _one_of(BOARDS, Settings.board),
    "signs": _one_of(SIGNS, Settings.signs),
    "best_run": _one_of(BEST_RUNS, Settings.best_run),
    "volume": _one_of(VOLUMES, Settings.volume),
    "names": _Parser.names,
    "favourites": _Parser.texts,
    "played": _Parser.texts,
    "seats": lambda reader, value: reader.mapping(value, reader.player_types),
    "setups": lambda reader, value: reader.mapping(value, reader.setup),
    "size": _Parser.size,
    "place": _Parser.place,
    "views": lambda reader, value: {
        game: views for game, views in reader.mapping(value, reader.views).items() if any(views)
    },
    "eye": lambda reader, value: dict(list(reader.mapping(value, reader.view).items())[:1]),
}
"""Parsers for all settings that are not booleans, by name."""
