"""Safe file access: portable names, bounded reads and atomic writes.

No function here waits for the other end of a pipe to be opened, leaves half-written files or replaces anything but
regular files.
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

from shibumi3d.i18n import FileError, untranslated

ABANDONED_AFTER_SECONDS = 24 * 3600.0
"""Age in seconds from which unfinished files are considered abandoned."""
TEMP_FILE_PREFIX = ".shibumi3d-"
"""Prefix of the names of unfinished files."""
MAX_FILE_NAME_BYTES = 143
"""Maximum length of a file name in bytes.

Most file systems allow 255 bytes, but those that encrypt file names allow no more than this.
"""
DOS_EOF = b"\x1a"
"""End-of-file mark that DOS programs append to a text, either once or until a block is full."""
_WINDOWS_DEVICE_NAME = re.compile(
    r"(?:CON|PRN|AUX|NUL|CONIN\$|CONOUT\$|CLOCK\$|(?:COM|LPT)[0-9¹²³])(?=\s*(?:\.|$))", re.IGNORECASE
)
_FD_FOLDER = re.compile(r"/(?:proc/[^/]+|dev)/fd")
"""Pattern for folders in which a process's open files are listed by descriptor number."""


# Names


def file_name(text: str, ending: str = "", empty: str = "Shibumi 3D") -> str:
    """Turn ``text`` into a file name that is valid on every system.

    A long text is shortened, but ``ending``, e.g. ``.png``, is always kept. ``empty`` is used if nothing usable
    remains of ``text``.
    """
    shown = unicodedata.normalize("NFC", "".join(map(_replace_invalid, text)))
    name = " ".join(shown.split()).lstrip(" .-").rstrip(" .") or empty
    name = (
        name.encode()[: MAX_FILE_NAME_BYTES - len(ending.encode())].decode(errors="ignore").rstrip(" .")
        + ending
    )
    if device := _WINDOWS_DEVICE_NAME.match(name):
        name = f"{device[0]}-1{name[device.end() :]}"
    return name


def _replace_invalid(char: str) -> str:
    """Return ``char``, or its replacement if it is not allowed in a file name."""
    if char in '/\\:?*"<>|':
        return "-"
    kind = unicodedata.category(char)
    if kind in ("Cc", "Zl", "Zp"):
        return " "
    return "" if kind in ("Cf", "Cs") else char


def path_in_folder(folder: Path, name: str) -> Path:
    """Return the path of the file ``name`` in ``folder``.

    Raises OSError if ``name`` isn't a plain file name, e.g. if it is ``..`` or contains a slash.
    """
    path = folder / name
    if name in ("", ".", "..") or path.name != name or path.parent != folder or "\0" in name:
        raise FileError("it would be outside its folder", path=name)
    return path


def unused_path(folder: Path, text: str, ending: str) -> Path:
    """Return an unused path in ``folder`` with a name made from ``text`` and ``ending``, numbered if necessary."""
    for number in count(1):
        path = path_in_folder(folder, file_name(text, f" {number}{ending}" if number > 1 else ending))
        if not os.path.lexists(path):
            break
    return path


def make_folder(path: Path) -> None:
    """Create the folder at ``path`` and its parents, unless it exists.

    Symbolic links are followed, even if their targets don't exist yet. Raises OSError if the folder can't be created.
    """
    Path(os.path.realpath(path)).mkdir(parents=True, exist_ok=True)


def expand_path(text: str) -> Path:
    """Return the path that a user typed, without surrounding white space and with ``~`` expanded.

    Raises OSError if it contains null characters or begins with an unknown home folder.
    """
    if "\0" in text:
        raise FileError("a path can't contain null characters")
    try:
        return Path(text.strip()).expanduser()
    except RuntimeError:
        raise FileError("there is no such home folder") from None


# Reading


def read(path: Path, max_bytes: int) -> bytes:
    """Return the content of a file, or its first ``max_bytes`` + 1 bytes if it is larger than ``max_bytes``.

    Raises OSError if the file can't be read or isn't a regular file. Never blocks on pipes or devices.
    """
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    try:
        handle = os.open(path, flags)
    except ValueError as error:
        raise FileError(untranslated(error)) from None
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise FileError("it is not a file")
    with open(handle, "rb") as stream:
        return stream.read(max_bytes + 1)


def read_text(path: Path, max_bytes: int) -> str:
    """Return the text in the file at ``path``.

    Raises OSError if the file can't be read, is larger than ``max_bytes`` bytes or isn't UTF-8.
    """
    data = read(path, max_bytes)
    if len(data) > max_bytes:
        raise FileError("it is too large")
    try:
        return decode_text(data)
    except UnicodeDecodeError:
        raise FileError("it is not a text file") from None


def decode_text(data: bytes) -> str:
    """Decode UTF-8 file content.

    A byte order mark at the start and DOS end-of-file marks at the end are dropped. Raises UnicodeDecodeError if the
    content isn't UTF-8.
    """
    return data.rstrip(DOS_EOF).decode("utf-8-sig")


# Writing


def write(
    path: Path, content: str | bytes, *, sources: Iterable[Path] = (), allow_streams: bool = False
) -> None:
    """Write ``content`` to the file at ``path``; for the options and errors, see :func:`atomic_replace`.

    Text is encoded as UTF-8; lone surrogates, which can't be encoded, become question marks.
    """
    data = content if isinstance(content, bytes) else content.encode("utf-8", "replace")
    with (
        atomic_replace(path, sources=sources, allow_streams=allow_streams) as part,
        _naming_in_errors(path),
        open(part, "wb") as stream,
    ):
        stream.write(data)


@contextmanager
def atomic_replace(
    path: Path, *, sources: Iterable[Path] = (), allow_streams: bool = False
) -> Iterator[Path]:
    """Yield the path of an empty temporary file, which replaces the file at ``path`` when the block ends.

    If the block raises, the old file remains unchanged. Symbolic links are followed and permissions are kept. Raises
    OSError if the file is one of ``sources``, isn't writable or isn't a regular file. If ``allow_streams`` is true,
    devices and pipes are accepted too; the content is written to them when the block ends.
    """
    with _naming_in_errors(path):
        part, target, before = _create_temp_for(path, sources, allow_streams)
    try:
        yield part
        with _naming_in_errors(path):
            if target is None:
                _copy_to_stream(part, path)
            else:
                _move_into_place(part, target, before)
    finally:
        with suppress(OSError):
            os.unlink(part)


def check_writable(path: Path, *, sources: Iterable[Path] = (), allow_streams: bool = False) -> None:
    """Raise OSError if :func:`write` couldn't start writing to ``path``.

    Call this before a long computation whose result will be written to ``path``.
    """
    with _naming_in_errors(path):
        os.unlink(_create_temp_for(path, sources, allow_streams)[0])


def set_aside(path: Path, name_for: Callable[[int], str]) -> Path:
    """Rename the file at ``path`` within its folder and return its new path.

    ``name_for`` returns a candidate name for each number from 1; the first unused name is taken. If ``path`` is a
    symbolic link to a regular file, that file is renamed and the link remains. Raises OSError if renaming fails.
    """
    file = Path(os.path.realpath(path))
    if not file.is_file():
        file = path  # the target isn't a regular file: rename the link itself
    for number in count(1):
        aside = file.with_name(name_for(number))
        if not os.path.lexists(aside):
            break
    os.replace(file, aside)
    return aside


def delete_abandoned(folder: Path, pattern: str = f"{TEMP_FILE_PREFIX}*", now: float | None = None) -> None:
    """Delete abandoned files and folders in ``folder`` that match ``pattern``.

    Only those older than :data:`ABANDONED_AFTER_SECONDS` are deleted, since running programs may use newer ones.
    Symbolic links are kept, and failures are ignored. ``now`` is in seconds since 1970, by default the system time.
    """
    now = time.time() if now is None else now
    with suppress(OSError):
        for left in folder.glob(pattern):
            with suppress(OSError):
                if left.is_symlink() or now - left.stat().st_mtime <= ABANDONED_AFTER_SECONDS:
                    continue
                if left.is_dir():
                    shutil.rmtree(left, ignore_errors=True)
                else:
                    left.unlink()


@contextmanager
def _naming_in_errors(path: Path) -> Iterator[None]:
    """Make errors name the file at ``path`` instead of its temporary file, and turn ValueError into OSError."""
    try:
        yield
    except ValueError as error:  # null characters, or characters that can't be in a name
        raise OSError(errno.EINVAL, str(error), str(path)) from None
    except FileError as error:
        raise FileError(error.message, path=path) from None
    except OSError as error:
        if error.errno is None:
            raise
        raise OSError(error.errno, error.strerror, str(path)) from None


def _is_same_file(file: Path, status: os.stat_result) -> bool:
    """Return whether ``status`` belongs to the file at path ``file``."""
    try:
        return os.path.samestat(os.stat(file), status)
    except (OSError, ValueError):
        return False


def _create_temp_for(
    path: Path, sources: Iterable[Path], allow_streams: bool
) -> tuple[Path, Path | None, os.stat_result | None]:
    """Create a temporary file for ``path``; return it, its destination and the status of any existing file.

    The destination is None if ``path`` is a device or pipe, which is allowed only if ``allow_streams`` is set. Raises
    OSError if ``path`` is one of ``sources`` or can't be written to.
    """
    try:
        before = os.stat(path)
    except FileNotFoundError:
        target = Path(os.path.realpath(path))  # the target of a dangling link
        return _create_temp_file(target.parent, 0o666), target, None
    if any(_is_same_file(file, before) for file in sources):
        raise FileError("it is the file being read")
    if stat.S_ISDIR(before.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    pipe = stat.S_ISCHR(before.st_mode) or stat.S_ISFIFO(before.st_mode) or _descriptor_of(path) is not None
    if pipe and allow_streams:
        return _create_temp_file(Path(tempfile.gettempdir()), 0o600), None, before
    if pipe or not stat.S_ISREG(before.st_mode):
        raise FileError("it is not a file")
    if not os.access(path, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    target = Path(os.path.realpath(path))
    return _create_temp_file(target.parent, stat.S_IMODE(before.st_mode) & 0o777), target, before


def _create_temp_file(folder: Path, mode: int) -> Path:
    """Create an empty temporary file in ``folder`` and return its path.

    ``mode`` is the file mode as in :func:`os.open`; write permission for the owner is added to it. The name of the file
    is random, since a name derived from that of the final file might be too long.
    """
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0)
    while True:
        part = folder / f"{TEMP_FILE_PREFIX}{secrets.token_hex(8)}.part"
        with suppress(FileExistsError):
            os.close(os.open(part, flags, mode | stat.S_IWUSR))
            return part


def _move_into_place(temp: Path, target: Path, old_status: os.stat_result | None) -> None:
    """Move the finished file ``temp`` to ``target``, with the owner and permissions in ``old_status``, if given.

    The owner is kept only if the system allows it. After a crash, ``target`` has either the old or the new content.
    """
    with open(temp, "r+b") as stream:
        os.fsync(stream.fileno())
    if old_status is not None:
        if hasattr(os, "chown"):
            with suppress(OSError):  # changing the owner needs privileges
                os.chown(temp, old_status.st_uid, old_status.st_gid)
        os.chmod(temp, stat.S_IMODE(old_status.st_mode))
    os.replace(temp, target)
    if hasattr(os, "O_DIRECTORY"):  # not on Windows, where the rename itself is durable enough
        with suppress(OSError):  # the file has already been replaced
            folder = os.open(target.parent, os.O_RDONLY | os.O_DIRECTORY)
            try:
                os.fsync(folder)
            finally:
                os.close(folder)


def _descriptor_of(path: Path) -> int | None:
    """Return the file descriptor that ``path`` refers to (1 for ``/dev/stdout``), or None if there is none."""
    for _ in range(40):
        if path.name.isdecimal() and _FD_FOLDER.fullmatch(os.path.realpath(path.parent)):
            return int(path.name)
        if not os.path.islink(path):
            break
        path = path.parent / os.readlink(path)
    return None


def _copy_to_stream(temp: Path, path: Path) -> None:
    number = _descriptor_of(path)
    if number is not None:
        handle = os.dup(number)  # reopening the file would start at the first byte
    else:
        # Don't block: a pipe may never get a reader.
        flags = os.O_WRONLY | getattr(os, "O_NOCTTY", 0) | getattr(os, "O_NONBLOCK", 0)
        try:
            handle = os.open(path, flags | getattr(os, "O_BINARY", 0))
        except OSError as error:
            raise FileError("nothing is reading from it") if error.errno == errno.ENXIO else error from None
        if hasattr(os, "O_NONBLOCK"):
            os.set_blocking(handle, True)
    with open(handle, "wb") as stream, open(temp, "rb") as filled:
        shutil.copyfileobj(filled, stream)
