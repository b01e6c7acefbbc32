"""Reads the shader programs: one file each, with a vertex and a fragment section."""

from __future__ import annotations

import re
from collections.abc import Iterable

import moderngl

from shibumi3d import paths

_INCLUDE = re.compile(r'^#include "([\w.]+)"\n', re.MULTILINE)
_SECTION = re.compile(r"^// -- (vertex|fragment)\n", re.MULTILINE)


def sources(name: str, defines: Iterable[str] = ()) -> tuple[str, str]:
    """The vertex and the fragment source of program ``name``, ready for the compiler.

    ``defines`` are names for ``#ifdef``. ``#include "file"`` is replaced by that file. Raises ``ValueError`` when a
    section is missing.
    """
    parts = _SECTION.split(paths.read_text("shaders", f"{name}.glsl"))
    found = dict(zip(parts[1::2], parts[2::2], strict=True))
    if set(found) != {"vertex", "fragment"}:
        raise ValueError(f"{name}.glsl needs one vertex and one fragment section")

    head = "".join(("#version 330 core\n", *(f"#define {word}\n" for word in defines)))

    def finished(section: str) -> str:
        return head + _INCLUDE.sub(lambda match: paths.read_text("shaders", match[1]), found[section])

    return finished("vertex"), finished("fragment")


def program(ctx: moderngl.Context, name: str, defines: Iterable[str] = ()) -> moderngl.Program:
    """Compiles program ``name`` with ``defines``."""
    vertex, fragment = sources(name, defines)
    return ctx.program(vertex_shader=vertex, fragment_shader=fragment)


def put(target: moderngl.Program, **values: object) -> None:
    """Sets uniforms; those that the compiler found unused are passed over."""
    for name, value in values.items():
        member = target.get(name, None)
        if isinstance(member, moderngl.Uniform):
            if isinstance(value, bytes):
                member.write(value)
            else:
                member.value = value
