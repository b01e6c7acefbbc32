"""What a person has set, kept in the system's folder for settings.

The file is written whole beside the old one and then put in its place. Of entries that can't be read the default is
used; a file that can't be read at all is set aside under another name. :attr:`Loaded.notice` says so.
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
from shibumi3d.names import plain
from shibumi3d.scene import palette
from shibumi3d.search.levels import PERSON, kind_of

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
DIGITS = 400
"""How many digits a number may have."""
FARTHEST = 1e6
"""The greatest number of a view."""
OUTSIDE = 32767
"""How far from the corner of the screen a window may stand, in pixels."""
T = TypeVar("T")


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
        """Return a copy with some values changed; values out of range are brought into it. Raises TypeError for values
        of the wrong kind.
        """
        chosen, unread = _read(changes)
        if unread:
            raise TypeError(f"not a value of {', '.join(unread)}")
        return replace(self, **chosen)


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
    """Return the settings in the folder ``place``, with the default for each entry that is missing or can't be read."""
    file = place / "settings.json"
    try:
        values = _stored(file)
    except FileNotFoundError:
        return Loaded(Settings(), first=True)
    except Exception:  # whatever somebody wrote there: it is set aside, and told
        return Loaded(Settings(), _aside(file))
    chosen, unread = _read(values)
    notice = (
        _("Some settings couldn't be read, so their defaults are used: {names}.", names=", ".join(unread))
        if unread
        else ""
    )
    return Loaded(Settings(**chosen), notice)


def language(place: Path) -> str:
    """Return the code of the language set in the folder ``place``; "" where none is, or nothing can be read."""
    try:
        values = json.loads(files.text_of(files.read(place / "settings.json", LONGEST)))
        found = values.get("language", "")
        return found if found in LANGUAGES else ""
    except Exception:  # reading the rest says what is wrong
        return ""


def save(place: Path, settings: Settings) -> str:
    """Write the settings; return "", or a sentence that says why that was not possible.

    Whatever the file has that this version doesn't understand stays there, as a newer version may have written it.
    """
    file = place / "settings.json"
    stored: dict[str, Any] = {}
    with suppress(Exception):  # what can't be read is replaced
        stored = _stored(file)
    before = json.loads(json.dumps(asdict(Settings(**_read(stored)[0]))))
    after = json.loads(json.dumps(asdict(settings)))
    try:
        files.make_folder(place)
        files.write(file, json.dumps(merged(stored, before, after), indent=1, ensure_ascii=False) + "\n")
    except OSError as problem:
        return _("Couldn't save the settings: {problem}.", problem=problem)
    return ""


def merged(stored: Any, before: Any, after: Any) -> Any:
    """Return what to store: ``stored``, with what changed between ``before`` and ``after``.

    ``before`` is what was understood of ``stored``. Keys and values that were not understood stay, at every depth.
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
    """The entries of the file. Raises OSError and ValueError."""
    data = files.read(file, LONGEST)
    if len(data) > LONGEST:
        raise ValueError("too long")
    values = json.loads(files.text_of(data), parse_int=_whole)
    if not isinstance(values, dict):
        raise ValueError("not a mapping")
    return values


def _whole(digits: str) -> int | float:
    """A number without a fraction; one that is too long to be a setting is infinite."""
    return int(digits) if len(digits) <= DIGITS else float("inf")


def _read(values: Mapping[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """The settings among ``values``, and the names of those that can't be read, or not as a whole.

    Numbers out of range are brought into it; of words that are not known the default is taken.
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
    """Reads one setting. Raises TypeError for a value of the wrong kind; entries of a value are left out instead."""

    def __init__(self) -> None:
        self.whole = True
        """Whether nothing was left out."""

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
        """The entries of a mapping that can be read."""
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
        """A list of texts, without what is none."""
        found = tuple(each for each in self.list(value) if isinstance(each, str))
        self.whole = self.whole and len(found) == len(value)
        return found

    def names(self, value: Any) -> tuple[str, ...]:
        """The names of players; a seat whose name can't be read has none."""
        named = [each if isinstance(each, str) else "" for each in self.list(value)]
        self.whole = self.whole and all(isinstance(each, str) for each in value)
        return tuple(plain(name)[:24] for name in named[:10])

    def kinds(self, value: Any) -> tuple[str, ...]:
        """Who plays each seat; whoever is not known is a person."""
        self.whole = self.whole and all(isinstance(each, str) for each in self.list(value))
        return tuple(kind_of(each) if isinstance(each, str) else PERSON for each in value)

    def setup(self, value: Any) -> dict[str, int | str]:
        """How a game was set up."""
        return self.each(value, lambda each: self.text(each) if isinstance(each, str) else self.number(each))

    def view(self, value: Any) -> View:
        yaw, pitch, zoom = (float(number) for number in self.list(value))
        if not all(abs(number) <= FARTHEST for number in (yaw, pitch, zoom)):
            raise ValueError
        return yaw, pitch, zoom

    def views(self, value: Any) -> tuple[View | None, ...]:
        """The views of one game, as many as can be stored."""
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
    """Reads one of some words; ``usual`` for any other."""
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
"""How each setting is read that is not a switch."""
