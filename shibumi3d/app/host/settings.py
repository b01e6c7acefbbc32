"""Settings of the user, stored as JSON in the system's configuration folder.

The file is replaced atomically. Invalid entries are replaced by their defaults, and a file that can't be read at all is
renamed. In both cases, :attr:`Loaded.notice` tells the user.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from shibumi3d import files
from shibumi3d.i18n import LANGUAGES, _
from shibumi3d.names import plain
from shibumi3d.scene import palette
from shibumi3d.search.levels import PERSON, kind_of

if TYPE_CHECKING:
    from shibumi3d.rules.game import State

THEMES = ("day", "night")
MOTIONS = ("off", "fast", "normal", "slow")
MARKS = ("always", "hover", "off")
MARBLES = ("standard", "clear")
"""Colour schemes. ``clear`` is suitable for colour-blind players and puts symbols on the marbles."""
VIEWS = 4
"""Number of camera views that can be stored for each game."""
View: TypeAlias = tuple[float, float, float]
"""Camera view that is independent of the board size: yaw and pitch in degrees, and zoom."""
VOLUMES = ("soft", "gentle", "clear", "loud")
BOARDS = ("usual", "keyaki", "slate", "tatami", "kuro")
"""Board materials; ``usual`` means the material that goes with the marbles.

Lacquer isn't offered, because it only suits sets without black marbles.
"""
SIGNS = ("usual", "subtle", "strong")
SCALES = (75, 300)
"""Minimum and maximum scale of the interface, in percent."""
LONGEST = 1 << 20
"""Maximum size of the file, in bytes."""
DIGITS = 400
"""Maximum number of digits in an integer."""
FARTHEST = 1e6
"""Maximum absolute value of each number in a camera view."""
OUTSIDE = 32767
"""Maximum distance of the window from the corner of the screen, in pixels."""
T = TypeVar("T")


@dataclass(frozen=True)
class Settings:
    """All settings.

    ``scale`` is in percent, ``names`` holds the last player name at each seat, and ``size`` is the size of the window.
    """

    theme: str = "day"
    language: str = ""
    """Language code from :data:`shibumi3d.i18n.LANGUAGES`; empty for the system's language."""
    scale: int = 100
    motion: str = "normal"
    marks: str = "always"
    marbles: str = "standard"
    board: str = "usual"
    signs: str = "usual"
    """Visibility of the symbols on marbles. Each colour has its own symbol."""
    names: tuple[str, ...] = ()
    seats: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Player types by seat in the last match of each game, by game id.

    A player type is a person or a computer's level.
    """
    setups: Mapping[str, Mapping[str, int | str]] = field(default_factory=dict)
    """Last setup of each game, by game id: number of players, board size, variant and options."""
    size: tuple[int, int] = (1280, 720)
    place: tuple[int, ...] = ()
    """Position of the window on the screen; empty to let the system choose."""
    panel: bool = True
    guided: bool = False
    """Whether the tutorial has been started or dismissed."""
    answers: bool = True
    """Whether a move is played automatically if it is the only legal one."""
    confirm: bool = False
    """Whether every turn must be ended explicitly, even if no more moves are possible in it."""
    carry: bool = True
    """Whether dragging a marble that may be lifted moves the marble rather than the camera."""
    reduced: bool = False
    """Whether marbles fade instead of flying.

    The system's own setting for reduced motion isn't used, because every system has a different way to query it.
    """
    stills: bool = True
    """Whether high-quality stills are rendered while nothing moves, if the live quality is low."""
    attract: bool = True
    """Whether the home page plays a demo match when idle."""
    contrast: bool = False
    """Whether text, lines and marks are drawn with high contrast."""
    drift: bool = False
    """Whether the light changes from move to move, like daylight in the course of a day.

    This causes no extra redraws.
    """
    spoken: bool = False
    """Whether the window title announces what happens, for screen readers."""
    reasons: bool = False
    """Whether computer players give a one-line reason for each move."""
    coordinates: bool = False
    verdicts: bool = False
    """Whether to warn, in a solo or cooperative match, that it can no longer be won."""
    muted: bool = False
    volume: str = "gentle"
    marble_sounds: bool = True
    interface_sounds: bool = True
    end_sound: bool = True
    favourites: tuple[str, ...] = ()
    results: bool = True
    """Whether results of matches are saved."""
    played: tuple[str, ...] = ()
    """Ids of all games played, most recent first."""
    single: bool = True
    """Whether single-key shortcuts work without a modifier.

    If not, they need Ctrl, or Alt if Ctrl with the same key is another shortcut.
    """
    calm: bool = False
    """Whether double clicks are ignored, and buttons that normally must be held take a single click."""
    views: Mapping[str, tuple[View | None, ...]] = field(default_factory=dict)
    """Stored camera views by game id."""
    eye: Mapping[str, View] = field(default_factory=dict)
    """Camera view of the last match, by the name of its file; empty for the default view."""

    @property
    def colours(self) -> palette.Theme:
        """Colours and materials of boards and marbles."""
        return palette.theme(*self.look)

    def colours_after(self, moves: int) -> palette.Theme:
        """Return the theme to use after ``moves`` moves.

        If ``drift`` is on, the light depends on the number of moves.
        """
        if not self.drift or self.reduced:
            return self.colours
        return replace(self.colours, hour=palette.hour(moves))

    @property
    def look(self) -> tuple[str, str, str, str]:
        """Theme, marbles, board and symbols: the arguments of :func:`palette.theme`."""
        board, signs = (word.replace("usual", "") for word in (self.board, self.signs))
        return self.theme, self.marbles, board, signs

    @property
    def drawn(self) -> tuple[str, str, str, bool]:
        """Theme, marbles, symbols and whether contrast is high: the arguments of the interface style."""
        return self.theme, self.marbles, self.look[3], self.contrast

    def travel(self, milliseconds: float) -> float:
        """Return the duration of an animation in seconds, which is 0 if motion is reduced.

        ``milliseconds`` is its duration at normal speed.
        """
        from shibumi3d.scene.motion import SPEEDS  # not needed by commands that only read settings

        return 0.0 if self.reduced else milliseconds / 1000 * SPEEDS[self.motion]

    def with_(self, **changes: Any) -> Settings:
        """Return a copy with some values changed and clamped to their ranges.

        Raises TypeError if a value has the wrong type.
        """
        chosen, unread = _read(changes)
        if unread:
            raise TypeError(f"not a value of {', '.join(unread)}")
        return replace(self, **chosen)


@dataclass(frozen=True)
class Loaded:
    """Settings as loaded, with a message for the user if the file had errors."""

    settings: Settings
    notice: str = ""
    first: bool = False
    """Whether there was no settings file, i.e. the program is being started for the first time."""


def folder() -> Path:
    """Return the folder of the settings file."""
    import platformdirs

    return Path(platformdirs.user_config_dir("shibumi3d", appauthor=False))


def load(place: Path) -> Loaded:
    """Load the settings from the folder ``place``, using defaults for missing and invalid entries."""
    file = place / "settings.json"
    try:
        values = _stored(file)
    except FileNotFoundError:
        return Loaded(Settings(), first=True)
    except Exception:  # the file may contain anything: rename it and tell the user
        return Loaded(Settings(), _aside(file))
    chosen, unread = _read(values)
    notice = (
        _("Some settings couldn't be read, so their defaults are used: {names}.", names=", ".join(unread))
        if unread
        else ""
    )
    return Loaded(Settings(**chosen), notice)


def language(place: Path) -> str:
    """Return the language code stored in the folder ``place``.

    Returns an empty string if none is set or the file can't be read.
    """
    try:
        values = json.loads(files.text_of(files.read(place / "settings.json", LONGEST)))
        found = values.get("language", "")
        return found if found in LANGUAGES else ""
    except Exception:  # load() reports the error
        return ""


def save(place: Path, settings: Settings) -> str:
    """Write the settings; return an error message, or an empty string on success.

    Entries that this version doesn't understand are kept, since a newer version may have written them.
    """
    file = place / "settings.json"
    stored: dict[str, Any] = {}
    with suppress(Exception):  # an unreadable file is replaced
        stored = _stored(file)
    before = json.loads(json.dumps(asdict(Settings(**_read(stored)[0]))))
    after = json.loads(json.dumps(asdict(settings)))
    try:
        files.make_folder(place)
        files.write(file, json.dumps(merged(stored, before, after), indent=1, ensure_ascii=False) + "\n")
    except OSError as problem:
        return _("Couldn't save the settings: {problem}.", problem=problem)
    return ""


def merged(stored: Any, before: State, after: State) -> Any:
    """Merge the changes from ``before`` to ``after`` into ``stored``, and return the result.

    ``before`` is the part of ``stored`` that this version understood. Keys and values that it didn't understand are
    kept at every level of nesting.
    """
    if before == after:
        return stored
    if isinstance(stored, Mapping) and isinstance(before, Mapping) and isinstance(after, Mapping):
        kept = {key: value for key, value in stored.items() if key in after or key not in before}
        for key, value in after.items():
            empty: Any = {} if isinstance(value, Mapping) else None
            kept[key] = merged(kept[key], before.get(key, empty), value) if key in kept else value
        return kept
    if isinstance(stored, list) and isinstance(before, list) and isinstance(after, list):
        pairs = zip(stored, before, after, strict=False)
        head = [merged(*each) for each in pairs]
        more = stored[len(before) :] if len(before) == len(after) else []
        return [*head, *after[len(head) :], *more]
    return after


def _aside(file: Path) -> str:
    try:
        kept = files.set_aside(file, lambda n: f"{file.name}.unreadable{f'-{n}' if n > 1 else ''}")
    except OSError:
        return _("Couldn't read the settings, so the defaults are used.")
    return _(
        "Couldn't read the settings, so the defaults are used. The old file was saved as {name}.",
        name=kept.name,
    )


def _stored(file: Path) -> dict[str, Any]:
    """Return the entries of the settings file.

    Raises OSError if it can't be read, or ValueError if it is invalid.
    """
    data = files.read(file, LONGEST)
    if len(data) > LONGEST:
        raise ValueError("too long")
    values = json.loads(files.text_of(data), parse_int=_whole)
    if not isinstance(values, dict):
        raise ValueError("not a mapping")
    return values


def _whole(digits: str) -> int | float:
    """Parse an integer. An integer with too many digits becomes infinity."""
    return int(digits) if len(digits) <= DIGITS else float("inf")


def _read(values: Mapping[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """Return the settings in ``values``, and the names of those that are at least partly invalid.

    Numbers are clamped to their ranges; unknown words are replaced by the default.
    """
    chosen: dict[str, Any] = {}
    unread: list[str] = []
    for each in fields(Settings):
        if each.name not in values:
            continue
        reader = _Reader()
        read: Callable[[_Reader, Any], Any] = _READ.get(each.name) or _Reader.switch
        try:
            chosen[each.name] = read(reader, values[each.name])
        except (TypeError, ValueError, OverflowError):
            reader.whole = False
        if not reader.whole:
            unread.append(each.name)
    return chosen, unread


class _Reader:
    """Parser for a single setting.

    It raises TypeError for a value of the wrong type. Invalid entries within a value are left out instead.
    """

    def __init__(self) -> None:
        self.whole = True
        """Whether no entry of the value was invalid."""

    def switch(self, value: Any) -> bool:
        if not isinstance(value, bool):
            raise TypeError
        return value

    def number(self, value: Any) -> int:
        if type(value) is not int:
            raise TypeError
        return value

    def text(self, value: Any) -> str:
        if not isinstance(value, str):
            raise TypeError
        return value

    def list(self, value: Any) -> Sequence[Any]:
        if not isinstance(value, list | tuple):
            raise TypeError
        return value

    def each(self, value: Any, read: Callable[[Any], T]) -> dict[str, T]:
        """Parse a mapping, leaving out entries with invalid values."""
        if not isinstance(value, Mapping):
            raise TypeError
        found = {}
        for name, inside in value.items():
            try:
                found[str(name)] = read(inside)
            except (TypeError, ValueError, OverflowError):
                self.whole = False
        return found

    def texts(self, value: Any) -> tuple[str, ...]:
        """Parse a list of strings, leaving out anything else."""
        found = tuple(each for each in self.list(value) if isinstance(each, str))
        self.whole = self.whole and len(found) == len(value)
        return found

    def names(self, value: Any) -> tuple[str, ...]:
        """Parse player names; invalid names become empty."""
        named = [each if isinstance(each, str) else "" for each in self.list(value)]
        self.whole = self.whole and all(isinstance(each, str) for each in value)
        return tuple(plain(name)[:24] for name in named[:10])

    def kinds(self, value: Any) -> tuple[str, ...]:
        """Parse the player type of each seat; unknown types become people."""
        self.whole = self.whole and all(isinstance(each, str) for each in self.list(value))
        return tuple(kind_of(each) if isinstance(each, str) else PERSON for each in value)

    def setup(self, value: Any) -> dict[str, int | str]:
        """Parse the setup of a game."""
        return self.each(value, lambda each: self.text(each) if isinstance(each, str) else self.number(each))

    def view(self, value: Any) -> View:
        yaw, pitch, zoom = (float(number) for number in self.list(value))
        if not all(abs(number) <= FARTHEST for number in (yaw, pitch, zoom)):
            raise ValueError
        return yaw, pitch, zoom

    def views(self, value: Any) -> tuple[View | None, ...]:
        """Parse the stored views of a game, padded to :data:`VIEWS` entries."""
        found: list[View | None] = []
        for each in self.list(value)[:VIEWS]:
            try:
                found.append(None if each is None else self.view(each))
            except (TypeError, ValueError, OverflowError):
                self.whole = False
                found.append(None)
        return (*found, *[None] * (VIEWS - len(found)))

    def size(self, value: Any) -> tuple[int, int]:
        wide, high = map(self.number, self.list(value))
        return max(640, min(16384, wide)), max(400, min(16384, high))

    def place(self, value: Any) -> tuple[int, ...]:
        found = tuple(map(self.number, self.list(value)))
        if len(found) not in (0, 2) or any(abs(number) > OUTSIDE for number in found):
            raise ValueError
        return found


def _one_of(words: Sequence[str], usual: str) -> Callable[[_Reader, Any], str]:
    """Return a parser that accepts only the given ``words`` and replaces others by ``usual``."""
    return lambda reader, value: value if reader.text(value) in words else usual


_READ: dict[str, Callable[[_Reader, Any], Any]] = {
    "theme": _one_of(THEMES, Settings.theme),
    "language": _one_of(tuple(LANGUAGES), Settings.language),
    "scale": lambda reader, value: max(SCALES[0], min(SCALES[1], reader.number(value))),
    "motion": _one_of(MOTIONS, Settings.motion),
    "marks": _one_of(MARKS, Settings.marks),
    "marbles": _one_of(MARBLES, Settings.marbles),
    "board": _one_of(BOARDS, Settings.board),
    "signs": _one_of(SIGNS, Settings.signs),
    "volume": _one_of(VOLUMES, Settings.volume),
    "names": _Reader.names,
    "favourites": _Reader.texts,
    "played": _Reader.texts,
    "seats": lambda reader, value: reader.each(value, reader.kinds),
    "setups": lambda reader, value: reader.each(value, reader.setup),
    "size": _Reader.size,
    "place": _Reader.place,
    "views": lambda reader, value: {
        game: views for game, views in reader.each(value, reader.views).items() if any(views)
    },
    "eye": lambda reader, value: dict(list(reader.each(value, reader.view).items())[:1]),
}
"""Parsers for all settings that are not booleans."""
