"""Loader of shader programs. Each is a file with a vertex section and a fragment section."""

from __future__ import annotations

import re
from collections.abc import Iterable

import moderngl

from shibumi3d import paths

_INCLUDE = re.compile(r'^#include "([\w.]+)"\n', re.MULTILINE)
_SECTION = re.compile(r"^// -- (vertex|fragment)\n", re.MULTILINE)
# Line references in driver logs: 0:12(3) in Mesa, 0(12) in NVIDIA drivers, 0:12 in all others.
_LOG_REFERENCE = re.compile(r"\b0(?::(\d+)(?:\(\d+\))?|\((\d+)\))")
_MAX_LINES_PER_FILE = 10_000  # Mesa mixes up file numbers, so line numbers encode the file too


class ShaderError(Exception):
    """Raised when a shader program lacks a section or does not compile.

    In the latter case, the message contains the errors reported by the driver, with file and line if the driver names
    them.
    """


def program_files(name: str) -> tuple[str, ...]:
    """Return the file names of program ``name``: its own file, followed by the files it includes."""
    own = f"{name}.glsl"
    return own, *dict.fromkeys(_INCLUDE.findall(paths.read_text("shaders", own)))


def program_sources(name: str, defines: Iterable[str] = ()) -> tuple[str, str]:
    """Return the vertex and fragment sources of program ``name``, ready to compile.

    ``defines`` are names for ``#ifdef``. ``#include "file"`` is replaced by the content of that file, and must be
    outside any ``#ifdef``. Line numbers in the sources are those in the files, plus 10,000 times the index of the file
    in :func:`program_files`. Raises :class:`ShaderError` if a section is missing.
    """
    text = paths.read_text("shaders", f"{name}.glsl")
    found = {mark[1]: mark for mark in _SECTION.finditer(text)}
    if set(found) != {"vertex", "fragment"}:
        raise ShaderError(f"{name}.glsl needs one vertex and one fragment section")
    numbers = {file: number for number, file in enumerate(program_files(name))}
    ends = sorted([*(mark.start() for mark in found.values()), len(text)])

    def finished(kind: str) -> str:
        begin = found[kind].end()
        parts = ["#version 330 core\n", *(f"#define {word}\n" for word in defines)]
        end = next(place for place in ends if place >= begin)
        for mark in (*_INCLUDE.finditer(text, begin, end), None):
            parts.append(f"#line {text.count(chr(10), 0, begin) + 1}\n")
            parts.append(text[begin : mark.start() if mark else end])
            if mark:
                parts.append(f"#line {numbers[mark[1]] * _MAX_LINES_PER_FILE + 1}\n")
                parts.append(paths.read_text("shaders", mark[1]))
                begin = mark.end()
        return "".join(parts)

    return finished("vertex"), finished("fragment")


def compile_program(ctx: moderngl.Context, name: str, defines: Iterable[str] = ()) -> moderngl.Program:
    """Compile program ``name`` with the names in ``defines`` defined.

    Raises :class:`ShaderError` if it lacks a section or does not compile.
    """
    vertex, fragment = program_sources(name, defines)
    try:
        return ctx.program(vertex_shader=vertex, fragment_shader=fragment)
    except moderngl.Error as error:
        raise ShaderError(locate_log_lines(str(error), name, defines)) from None


def locate_log_lines(log: str, name: str, defines: Iterable[str] = ()) -> str:
    """Return an error message with the lines of the driver's ``log`` that refer to program ``name``.

    In each of these lines, the first reference to the source is replaced by a file name and a line number. If no line
    refers to the source, the message contains the whole log. The first line of the message names the program and its
    ``defines``.
    """
    names = program_files(name)

    def there(match: re.Match[str]) -> str:
        number, line = divmod(int(match[1] or match[2]), _MAX_LINES_PER_FILE)
        return f"{names[number]}:{line}" if number < len(names) else match[0]

    said = [line.strip() for line in log.splitlines() if line.strip(" =")]
    lines = [_LOG_REFERENCE.sub(there, line, count=1) for line in said if _LOG_REFERENCE.search(line)] or said
    which = " ".join((f"{name}.glsl", *defines))
    return "\n".join((f"{which} does not compile:", *lines))


def set_uniforms(program: moderngl.Program, **values: object) -> None:
    """Set the uniforms of ``program`` to ``values``.

    Values that have not changed, and uniforms that the compiler optimized away, are skipped.
    """
    current_values: dict[str, object] = program.extra or {}
    program.extra = current_values
    for name, value in values.items():
        if name in current_values and current_values[name] == value:
            continue
        current_values[name] = value
        member = program.get(name, None)
        if isinstance(member, moderngl.Uniform):
            if isinstance(value, bytes):
                member.write(value)
            else:
                member.value = value


class ShaderWatcher:
    """Detector of changes to the shader files, for live reloading during development."""

    def __init__(self) -> None:
        self._known_texts = self._read_files()

    def check_for_changes(self) -> bool:
        """Return whether any shader file has changed since the last call.

        The first call returns whether any has changed since the watcher was created.
        """
        now = self._read_files()
        changed, self._known_texts = now != self._known_texts, now
        return changed

    @staticmethod
    def _read_files() -> dict[str, str]:
        folder = paths.data_root() / "shaders"
        return {item.name: item.read_text(encoding="utf-8") for item in folder.iterdir() if item.is_file()}
