"""Shader programs are loaded from files and reloaded after changes, and errors name file and line."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

from shibumi3d import paths
from shibumi3d.render.screenshot import OffscreenRenderer
from shibumi3d.render.shaders import (
    ShaderError,
    ShaderWatcher,
    compile_program,
    locate_log_lines,
    program_files,
    program_sources,
)
from shibumi3d.scene.camera import HOME_CAMERA
from shibumi3d.scene.marbles.scene import MarbleScene
from shibumi3d.scene.palette import make_theme


@pytest.fixture
def shaders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the shaders folder that tests can change; the program uses it instead of the original."""
    for kind in paths.DATA_FOLDERS:
        shutil.copytree(Path(str(paths.data_root())) / kind, tmp_path / "data" / kind)
    monkeypatch.setattr(paths, "data_root", lambda: tmp_path / "data")
    return tmp_path / "data" / "shaders"


def change(file: Path, old: str, new: str) -> int:
    """Replace the only occurrence of ``old`` in ``file`` with ``new``, and return the line number of the change."""
    text = file.read_text(encoding="utf-8")
    assert text.count(old) == 1
    file.write_text(text.replace(old, new), encoding="utf-8")
    return text[: text.index(old)].count("\n") + 1


def test_shader_line_numbers_match_files(shaders: Path) -> None:
    (shaders / "part.glsl").write_text("uniform float u_part;\n")
    (shaders / "small.glsl").write_text(
        '// Small.\n// -- vertex\nvoid main() {}\n// -- fragment\nin vec2 a;\n#include "part.glsl"\nin vec2 b;\n'
    )
    assert program_files("small") == ("small.glsl", "part.glsl")
    vertex, fragment = program_sources("small", ("WORD",))
    assert vertex == "#version 330 core\n#define WORD\n#line 3\nvoid main() {}\n"
    assert fragment == (
        "#version 330 core\n#define WORD\n#line 5\nin vec2 a;\n"
        "#line 10001\nuniform float u_part;\n#line 7\nin vec2 b;\n"
    )


def test_missing_shader_section_is_reported(shaders: Path) -> None:
    (shaders / "small.glsl").write_text("// -- vertex\nvoid main() {}\n")
    with pytest.raises(ShaderError, match=r"^small\.glsl needs one vertex and one fragment section$"):
        program_sources("small")


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("0:24(7): error: `x' undeclared", "table.glsl:24: error: `x' undeclared"),
        ("0(10012) : error C1503: undefined", "light.glsl:12 : error C1503: undefined"),
        ("ERROR: 0:10012: 'x' : undeclared", "ERROR: light.glsl:12: 'x' : undeclared"),
        ("out of memory", "out of memory"),
    ],
)
def test_driver_log_is_mapped_to_shader_files(said: str, shown: str) -> None:
    log = f"GLSL Compiler failed\n\nfragment_shader\n===============\n{said}\n" if ":" in said else said
    assert locate_log_lines(log, "table") == f"table.glsl does not compile:\n{shown}"


def test_compile_error_names_file_and_line(low: OffscreenRenderer, shaders: Path) -> None:
    line = change(shaders / "light.glsl", "vec3 r = sqrt(c);", "vec3 r = sqrt(nothing);")
    with pytest.raises(
        ShaderError, match=rf"^board\.glsl TOP does not compile:\nlight\.glsl:{line}: .*nothing"
    ):
        compile_program(low.ctx, "board", ("TOP",))


def test_shader_change_is_detected_once(shaders: Path) -> None:
    watch = ShaderWatcher()
    assert not watch.check_for_changes()
    change(shaders / "table.glsl", "// The table. LIT", "// A table. LIT")
    assert watch.check_for_changes()
    assert not watch.check_for_changes()


def test_broken_shader_reload_keeps_picture(needs_gl: None, shaders: Path) -> None:
    made = MarbleScene((4,))
    made.timeline.reset({(0, 0): 2})
    frame = made.frame(0.0, HOME_CAMERA, make_theme())
    with OffscreenRenderer("low") as studio, studio.ctx:
        studio.renderer.scale_control.fix_scale(1.0)
        before = studio.render(frame, HOME_CAMERA, 160, 90)
        line = change(shaders / "ball.glsl", "float sun = 1.0;", "float sun = nothing;")
        with pytest.raises(ShaderError, match=rf"ball\.glsl:{line}: "):
            studio.renderer.with_reloaded_shaders()
        assert np.array_equal(studio.render(frame, HOME_CAMERA, 160, 90), before)
        change(shaders / "ball.glsl", "float sun = nothing;", "float sun = 1.0;")
        change(
            shaders / "table.glsl",
            "f_colour = vec4(output_colour(c), 1.0);",
            "f_colour = vec4(0.0, 0.0, 1.0, 1.0);",
        )
        studio.renderer = studio.renderer.with_reloaded_shaders()
        after = studio.render(frame, HOME_CAMERA, 160, 90)
        assert tuple(after[2, 2]) == (0, 0, 255)
        assert studio.renderer.scale_control.scale == 1.0
        assert studio.ctx.error == "GL_NO_ERROR"
