"""Reads the shader programs: one file each, with a vertex and a fragment section."""

from __future__ import annotations

import re
from collections.abc import Iterable

import moderngl

from shibumi3d import paths

_INCLUDE = re.compile(r'^#include "([\w.]+)"\n', re.MULTILINE)
_SECTION = re.compile(r"^// -- (vertex|fragment)\n", re.MULTILINE)
# What a driver says of a line: 0:12(3) is Mesa, 0(12) NVIDIA, 0:12 all others.
_PLACE = re.compile(r"\b0(?::(\d+)(?:\(\d+\))?|\((\d+)\))")
_FILE = 10_000  # lines of a file at most: Mesa mixes up the numbers of files, so that those of lines tell the file too


class ShaderError(Exception):
    """A program that does not compile. The message names file and line of everything the driver complains about."""


def files(name: str) -> tuple[str, ...]:
    """Return the files of program ``name``: its own, then those that it includes."""
    own = f"{name}.glsl"
    return own, *dict.fromkeys(_INCLUDE.findall(paths.read_text("shaders", own)))


def sources(name: str, defines: Iterable[str] = ()) -> tuple[str, str]:
    """Return the vertex and the fragment source of program ``name``, ready for the compiler.

    ``defines`` are names for ``#ifdef``. ``#include "file"``, which must stand outside of these, is replaced by that
    file. The driver counts lines as they are in the files, each file of :func:`files` from 10,000 more on. Raises
    :class:`ShaderError` when a section is missing.
    """
    text = paths.read_text("shaders", f"{name}.glsl")
    found = {mark[1]: mark for mark in _SECTION.finditer(text)}
    if set(found) != {"vertex", "fragment"}:
        raise ShaderError(f"{name}.glsl needs one vertex and one fragment section")
    numbers = {file: number for number, file in enumerate(files(name))}
    ends = sorted([*(mark.start() for mark in found.values()), len(text)])

    def finished(kind: str) -> str:
        begin = found[kind].end()
        parts = ["#version 330 core\n", *(f"#define {word}\n" for word in defines)]
        end = next(place for place in ends if place >= begin)
        for mark in (*_INCLUDE.finditer(text, begin, end), None):
            parts.append(f"#line {text.count(chr(10), 0, begin) + 1}\n")
            parts.append(text[begin : mark.start() if mark else end])
            if mark:
                parts.append(f"#line {numbers[mark[1]] * _FILE + 1}\n")
                parts.append(paths.read_text("shaders", mark[1]))
                begin = mark.end()
        return "".join(parts)

    return finished("vertex"), finished("fragment")


def program(ctx: moderngl.Context, name: str, defines: Iterable[str] = ()) -> moderngl.Program:
    """Compile program ``name`` with ``defines``. Raises :class:`ShaderError`."""
    vertex, fragment = sources(name, defines)
    try:
        return ctx.program(vertex_shader=vertex, fragment_shader=fragment)
    except moderngl.Error as error:
        raise ShaderError(placed(str(error), name, defines)) from None


def placed(log: str, name: str, defines: Iterable[str] = ()) -> str:
    """Return what the driver says of program ``name``, with the files and lines that it means."""
    names = files(name)

    def there(match: re.Match[str]) -> str:
        number, line = divmod(int(match[1] or match[2]), _FILE)
        return f"{names[number]}:{line}" if number < len(names) else match[0]

    said = [line.strip() for line in log.splitlines() if line.strip(" =")]
    lines = [_PLACE.sub(there, line, count=1) for line in said if _PLACE.search(line)] or said
    which = " ".join((f"{name}.glsl", *defines))
    return "\n".join((f"{which} does not compile:", *lines))


def put(target: moderngl.Program, **values: object) -> None:
    """Set uniforms that are not as they were; those that the compiler found unused are passed over."""
    known: dict[str, object] = target.extra or {}
    target.extra = known
    for name, value in values.items():
        if name in known and known[name] == value:
            continue
        known[name] = value
        member = target.get(name, None)
        if isinstance(member, moderngl.Uniform):
            if isinstance(value, bytes):
                member.write(value)
            else:
                member.value = value


class Watch:
    """Tells when a file of the shaders was saved, for those who work on them."""

    def __init__(self) -> None:
        self._seen = self._texts()

    def changed(self) -> bool:
        """Return whether any file is not what it was when this was last asked."""
        now = self._texts()
        changed, self._seen = now != self._seen, now
        return changed

    @staticmethod
    def _texts() -> dict[str, str]:
        folder = paths.root() / "shaders"
        return {item.name: item.read_text(encoding="utf-8") for item in folder.iterdir() if item.is_file()}
