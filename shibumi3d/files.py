"""Files that anybody may have put there: their names, reading them, and the one way in which they are written.

Nothing here waits, nothing is half written, and nothing takes the place of what is no file.
"""

from __future__ import annotations

import errno
import os
import re
import secrets
import shutil
import stat
import tempfile
import time
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path

from shibumi3d.i18n import NoFile, verbatim

LEFT = 24 * 3600.0
"""Seconds after which what is only half made, and was not touched since, is taken for left behind."""
PART = ".shibumi3d-"
"""How the name of what is half made begins."""
NAME = 143
"""The most bytes of a name: systems that encrypt names allow no more; all others allow 255."""
DOS_END = b"\x1a"
"""What DOS programs write behind the last line of a text, once or up to the end of a block."""
_DEVICES = re.compile(
    r"(?:CON|PRN|AUX|NUL|CONIN\$|CONOUT\$|CLOCK\$|(?:COM|LPT)[0-9¹²³])(?=\s*(?:\.|$))", re.IGNORECASE
)
_STREAMS = re.compile(r"/(?:proc/[^/]+|dev)/fd")
"""Folders in which what a program has open stands under its number."""


# Names


def file_name(text: str, ending: str = "", empty: str = "Shibumi 3D") -> str:
    """Return the name of a file that is called after ``text`` and that every system takes.

    ``ending``, such as ``.png``, follows whatever is cut off or replaced; ``empty`` is the name of what shows nothing.
    """
    shown = unicodedata.normalize("NFC", "".join(map(_in_name, text)))
    name = " ".join(shown.split()).lstrip(" .-").rstrip(" .") or empty
    name = name.encode()[: NAME - len(ending.encode())].decode(errors="ignore").rstrip(" .") + ending
    if device := _DEVICES.match(name):
        name = f"{device[0]}-1{name[device.end() :]}"
    return name


def _in_name(sign: str) -> str:
    """What stands for a sign in the name of a file."""
    if sign in '/\\:?*"<>|':
        return "-"
    kind = unicodedata.category(sign)
    if kind in ("Cc", "Zl", "Zp"):
        return " "
    return "" if kind in ("Cf", "Cs") else sign


def inside(folder: Path, name: str) -> Path:
    """Return where a file called ``name`` lies in ``folder``. Raises OSError where that would be outside of it."""
    path = folder / name
    if name in ("", ".", "..") or path.name != name or path.parent != folder or "\0" in name:
        raise NoFile("it would lie outside its folder", path=name)
    return path


def fresh(folder: Path, text: str, ending: str) -> Path:
    """Return the path of a new file in ``folder``, called after ``text``: nothing of that name is there yet."""
    for number in count(1):
        path = inside(folder, file_name(text, f" {number}{ending}" if number > 1 else ending))
        if not os.path.lexists(path):
            break
    return path


def make_folder(path: Path) -> None:
    """Make the folder at ``path`` where there is none, with those above it; links are followed. Raises OSError."""
    Path(os.path.realpath(path)).mkdir(parents=True, exist_ok=True)


def typed_path(text: str) -> Path:
    """The path that a person typed, ``~`` standing for a home. Raises OSError with a reason when it can't be one."""
    if "\0" in text:
        raise NoFile("a path holds no zeros")
    try:
        return Path(text.strip()).expanduser()
    except RuntimeError:
        raise NoFile("there is no such home") from None


# Reading


def read(path: Path, most: int) -> bytes:
    """What the file at ``path`` holds; just more than ``most`` bytes where it is larger.

    Raises OSError; folders, pipes and devices are no files, and are not waited for.
    """
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    try:
        handle = os.open(path, flags)
    except ValueError as error:
        raise NoFile(verbatim(error)) from None
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise NoFile("it is not a file")
    with open(handle, "rb") as stream:
        return stream.read(most + 1)


def read_text(path: Path, most: int) -> str:
    """Return the text in the file at ``path``. Raises OSError, for more than ``most`` bytes and for no text too."""
    data = read(path, most)
    if len(data) > most:
        raise NoFile("it is too large")
    try:
        return text_of(data)
    except UnicodeDecodeError:
        raise NoFile("it is no text") from None


def text_of(data: bytes) -> str:
    """Return the text in a file's content, without a byte order mark and the 0x1A that ends files under DOS.

    Raises UnicodeDecodeError.
    """
    return data.rstrip(DOS_END).decode("utf-8-sig")


# Writing


def write(path: Path, content: str | bytes, *, reads: Iterable[Path] = (), streams: bool = False) -> None:
    """Write the file at ``path`` in one step, as :func:`replacing` does. Raises OSError.

    Halves of characters, which no file can hold, become question marks.
    """
    data = content if isinstance(content, bytes) else content.encode("utf-8", "replace")
    with replacing(path, reads=reads, streams=streams) as part, _told_of(path), open(part, "wb") as stream:
        stream.write(data)


@contextmanager
def replacing(path: Path, *, reads: Iterable[Path] = (), streams: bool = False) -> Iterator[Path]:
    """Give an empty file to be filled, which takes the place of the one at ``path`` when the block ends.

    Until then, and for good where the block raises, the file before stays as it is. Symbolic links are followed, and
    permissions stay. Raises OSError: where the file is one of those that are being read (``reads``), where it may not
    be written, and for anything but a file; only with ``streams`` what is written goes into a device or pipe.
    """
    with _told_of(path):
        part, target, before = _begun(path, reads, streams)
    try:
        yield part
        with _told_of(path):
            if target is None:
                _pour(part, path)
            else:
                _put(part, target, before)
    finally:
        with suppress(OSError):
            os.unlink(part)


def writable(path: Path, *, reads: Iterable[Path] = (), streams: bool = False) -> None:
    """Raise the OSError that :func:`write` would raise at once: for whoever works long before writing."""
    with _told_of(path):
        os.unlink(_begun(path, reads, streams)[0])


def set_aside(path: Path, name: Callable[[int], str]) -> Path:
    """Give the file at ``path`` another name beside it, and return where it is now. Raises OSError.

    ``name`` makes a name of a number, from 1 on. A symbolic link stays, and leads to where the next file is written.
    """
    file = Path(os.path.realpath(path))
    if not file.is_file():
        file = path  # a link to a device goes away itself
    for number in count(1):
        aside = file.with_name(name(number))
        if not os.path.lexists(aside):
            break
    os.replace(file, aside)
    return aside


def sweep(folder: Path, pattern: str = f"{PART}*", now: float | None = None) -> None:
    """Remove what is called like that in ``folder`` and what a program that was killed has left there half made.

    What can't be removed stays. What programs that still run have there is younger than :data:`LEFT`. ``now`` is the
    time in seconds since 1970, by default that of the system.
    """
    now = time.time() if now is None else now
    with suppress(OSError):
        for left in folder.glob(pattern):
            with suppress(OSError):
                if left.is_symlink() or now - left.stat().st_mtime <= LEFT:
                    continue
                if left.is_dir():
                    shutil.rmtree(left, ignore_errors=True)
                else:
                    left.unlink()


@contextmanager
def _told_of(path: Path) -> Iterator[None]:
    """Errors of the system tell of the file at ``path``, not of what stands for it meanwhile."""
    try:
        yield
    except ValueError as error:  # zeros, or signs that names can't hold
        raise OSError(errno.EINVAL, str(error), str(path)) from None
    except NoFile as error:
        raise NoFile(error.message, path=path) from None
    except OSError as error:
        if error.errno is None:
            raise
        raise OSError(error.errno, error.strerror, str(path)) from None


def _is(file: Path, there: os.stat_result) -> bool:
    """Whether a file is what was found there."""
    try:
        return os.path.samestat(os.stat(file), there)
    except (OSError, ValueError):
        return False


def _begun(
    path: Path, reads: Iterable[Path], streams: bool
) -> tuple[Path, Path | None, os.stat_result | None]:
    """A new file to be filled for ``path``, the place that it is to take, and what is there now, if anything.

    Without a place, what it holds goes into what is at ``path``.
    """
    try:
        before = os.stat(path)
    except FileNotFoundError:
        target = Path(os.path.realpath(path))  # of a link that dangles, the place that it names
        return _part(target.parent, 0o666), target, None
    if any(_is(file, before) for file in reads):
        raise NoFile("it is the file that is read")
    if stat.S_ISDIR(before.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    pipe = stat.S_ISCHR(before.st_mode) or stat.S_ISFIFO(before.st_mode) or _number(path) is not None
    if pipe and streams:
        return _part(Path(tempfile.gettempdir()), 0o600), None, before
    if pipe or not stat.S_ISREG(before.st_mode):
        raise NoFile("it is not a file")
    if not os.access(path, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    target = Path(os.path.realpath(path))
    return _part(target.parent, stat.S_IMODE(before.st_mode) & 0o777), target, before


def _part(folder: Path, mode: int) -> Path:
    """An empty file of a name of its own, which is as long as names can be: it is not made of another."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0)
    while True:
        part = folder / f"{PART}{secrets.token_hex(8)}.part"
        with suppress(FileExistsError):
            os.close(os.open(part, flags, mode | stat.S_IWUSR))
            return part


def _put(part: Path, target: Path, before: os.stat_result | None) -> None:
    """Let a file that is filled take a place, so that a crash leaves either the old or the new content there."""
    with open(part, "r+b") as stream:
        os.fsync(stream.fileno())
    if before is not None:
        if hasattr(os, "chown"):
            with suppress(OSError):  # to give files away is a privilege
                os.chown(part, before.st_uid, before.st_gid)
        os.chmod(part, stat.S_IMODE(before.st_mode))
    os.replace(part, target)
    if hasattr(os, "O_DIRECTORY"):  # not on Windows, where the rename itself is durable enough
        with suppress(OSError):  # the content is in place
            folder = os.open(target.parent, os.O_RDONLY | os.O_DIRECTORY)
            try:
                os.fsync(folder)
            finally:
                os.close(folder)


def _number(path: Path) -> int | None:
    """The number under which this program has open what ``path`` leads to, as ``/dev/stdout`` does."""
    for _ in range(40):
        if path.name.isdecimal() and _STREAMS.fullmatch(os.path.realpath(path.parent)):
            return int(path.name)
        if not os.path.islink(path):
            break
        path = path.parent / os.readlink(path)
    return None


def _pour(part: Path, path: Path) -> None:
    """Write what a file holds into the device or pipe at ``path``."""
    number = _number(path)
    if number is not None:
        handle = os.dup(number)  # opened anew it would begin at its first byte
    else:
        # Nobody may ever come to read from a pipe.
        flags = os.O_WRONLY | getattr(os, "O_NOCTTY", 0) | getattr(os, "O_NONBLOCK", 0)
        try:
            handle = os.open(path, flags | getattr(os, "O_BINARY", 0))
        except OSError as error:
            raise NoFile("nobody reads from it") if error.errno == errno.ENXIO else error from None
        if hasattr(os, "O_NONBLOCK"):
            os.set_blocking(handle, True)
    with open(handle, "wb") as stream, open(part, "rb") as filled:
        shutil.copyfileobj(filled, stream)
