"""File names and atomic writes, with links, devices and full disks."""

from __future__ import annotations

import ast
import errno
import os
import re
import select
import stat
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path

import pytest

from shibumi3d import files
from tests.sources import FILES, name_of, tree

unix = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such files")


class TestNames:
    @pytest.mark.parametrize(
        ("title", "name"),
        [
            ("Spline", "Spline"),
            ("Either/Or", "Either-Or"),
            ("/somewhere/Slip", "somewhere-Slip"),
            ("../x", "x"),
            ("..\\..\\x", "x"),
            ("C:\\x", "C--x"),
            ('a:b?c*d"e<f>g|h', "a-b-c-d-e-f-g-h"),
            ("Spline...", "Spline"),
            (" Spline . ", "Spline"),
            ("a\0b\nc\td\x7fe\u2028f", "a b c d e f"),
            ("right\u202eto left", "rightto left"),
            ("half \ud800 one", "half one"),
            ("Cafe\u0301", "Caf\u00e9"),
            ("Cafe\u200d\u0301", "Caf\u00e9"),
            ("", "Shibumi 3D"),
            (" / ", "Shibumi 3D"),
            ("..", "Shibumi 3D"),
            ("\u200b", "Shibumi 3D"),
            ("CON", "CON-1"),
            ("nul", "nul-1"),
            ("Com1", "Com1-1"),
            ("LPT\u00b9", "LPT\u00b9-1"),
            ("aux.txt", "aux-1.txt"),
            ("CONIN$", "CONIN$-1"),
            ("CONE", "CONE"),
            ("COM", "COM"),
            ("Ελληνικά 日本", "Ελληνικά 日本"),
            ("-rf", "rf"),
        ],
    )
    def test_title_becomes_a_safe_file_name(self, title: str, name: str) -> None:
        assert files.file_name(title) == name
        ending = " 2026.png"
        assert files.file_name(title, ending).endswith(ending)

    def test_device_name_is_recognized_before_the_first_dot(self) -> None:
        assert files.file_name("nul", ".yaml") == "nul-1.yaml"
        assert files.file_name("con ", ".yaml") == "con-1.yaml"
        assert files.file_name("con", " 2026-01-01 10.00.png") == "con 2026-01-01 10.00.png"

    @pytest.mark.parametrize("sign", ["x", "é", "日", "🙂", "e\u0301\u0302\u0303"])
    def test_long_name_is_shortened(self, sign: str, tmp_path: Path) -> None:
        name = files.file_name(sign * 400, ".png")
        assert 130 < len(name.encode()) <= 143
        assert name.endswith(".png")
        assert "\ufffd" not in name
        files.write(tmp_path / name, b"x")

    @pytest.mark.parametrize("name", ["", ".", "..", "a/b", "/a", "../a", "a\0", "a/", "a/."])
    def test_name_that_leads_outside_the_folder_is_refused(self, name: str, tmp_path: Path) -> None:
        with pytest.raises(OSError, match="outside"):
            files.path_in_folder(tmp_path, name)

    def test_unused_path_does_not_exist_yet(self, tmp_path: Path) -> None:
        found = []
        for _ in range(2):
            found.append(files.unused_path(tmp_path, "A/B", ".png"))
            files.write(found[-1], b"")
        (tmp_path / "A-B 3.png").symlink_to("nowhere")
        found.append(files.unused_path(tmp_path, "A/B", ".png"))
        assert [path.name for path in found] == ["A-B.png", "A-B 2.png", "A-B 4.png"]


def temporary_files(folder: Path) -> list[str]:
    return [file.name for file in folder.iterdir() if file.name.startswith(".")]


class TestWriting:
    def test_text_is_encoded_and_bytes_are_written_unchanged(self, tmp_path: Path) -> None:
        path = tmp_path / "a"
        files.write(path, "é\n\ud800")
        assert path.read_bytes() == b"\xc3\xa9\n?"
        files.write(path, b"\r\n")
        assert path.read_bytes() == b"\r\n"
        assert temporary_files(tmp_path) == []

    @pytest.mark.parametrize("where", ["os.fsync", "os.replace"])
    def test_failed_write_leaves_the_old_file_intact(
        self, where: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        path = tmp_path / "a"
        path.write_text("before")

        def full(*_: object) -> None:
            assert path.read_text() == "before"
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

        monkeypatch.setattr(where, full)
        with pytest.raises(OSError, match="No space") as caught:
            files.write(path, "after")
        assert (caught.value.errno, caught.value.filename) == (errno.ENOSPC, str(path))
        assert path.read_text() == "before"
        assert temporary_files(tmp_path) == []

    @unix
    def test_links_are_followed(self, tmp_path: Path) -> None:
        there = tmp_path / "there"
        there.mkdir()
        for name, content in (("kept", "before"), ("dangling", None)):
            if content:
                (there / name).write_text(content)
            (tmp_path / f"{name}-1").symlink_to(Path("there") / name)
            (tmp_path / name).symlink_to(f"{name}-1")
            files.write(tmp_path / name, "after")
            assert (tmp_path / name).readlink() == Path(f"{name}-1")
            assert (tmp_path / f"{name}-1").readlink() == Path("there") / name
            assert (there / name).read_text() == "after"
        assert temporary_files(tmp_path) == temporary_files(there) == []

    @unix
    def test_circular_link_and_link_into_a_missing_folder_are_refused(self, tmp_path: Path) -> None:
        (tmp_path / "a").symlink_to("b")
        (tmp_path / "b").symlink_to("a")
        (tmp_path / "c").symlink_to(tmp_path / "no folder" / "d")
        for name in ("a", "c"):
            with pytest.raises(OSError, match=name):
                files.write(tmp_path / name, "x")
            assert (tmp_path / name).is_symlink()

    @unix
    def test_folder_behind_a_dangling_link_is_created(self, tmp_path: Path) -> None:
        (tmp_path / "link").symlink_to(tmp_path / "deep" / "there")
        files.make_folder(tmp_path / "link")
        files.write(tmp_path / "link" / "a", "x")
        assert (tmp_path / "deep" / "there" / "a").read_text() == "x"

    @unix
    def test_permissions_are_kept_and_new_files_follow_the_umask(self, tmp_path: Path) -> None:
        path = tmp_path / "a"
        new = "import sys; from pathlib import Path; from shibumi3d import files; files.write(Path(sys.argv[1]), 'x')"
        subprocess.run([sys.executable, "-c", new, str(path)], umask=0o027, check=True)
        assert stat.S_IMODE(path.stat().st_mode) == 0o640
        for mode in (0o600, 0o755, 0o666):
            path.chmod(mode)
            files.write(path, "y")
            assert stat.S_IMODE(path.stat().st_mode) == mode

    def test_read_only_file_is_not_replaced(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        path = tmp_path / "a"
        path.write_text("before")
        path.chmod(0o444)
        monkeypatch.setattr("os.access", lambda *_: False)  # root may write anywhere
        with pytest.raises(PermissionError):
            files.write(path, "after")
        assert path.read_text() == "before"

    @unix
    @pytest.mark.parametrize("streams", [False, True])
    @pytest.mark.parametrize("linked", [False, True])
    def test_devices_and_pipes_are_never_replaced(self, streams: bool, linked: bool, tmp_path: Path) -> None:
        pipe = tmp_path / "pipe"
        os.mkfifo(pipe)
        for file, reason in (
            (pipe, "nothing is reading from it"),
            (Path("/dev/full"), "No space left on device"),
        ):
            path = file
            if linked:
                path = tmp_path / f"to {file.name}"
                path.symlink_to(file)
            kind = file.stat().st_mode
            with pytest.raises(OSError, match=reason if streams else "it is not a file"):
                files.write(path, "x", allow_streams=streams)
            assert file.stat().st_mode == kind
            assert path.is_symlink() == linked
        files.write(Path("/dev/null"), "x", allow_streams=True)
        assert sorted(temporary_files(tmp_path)) == []

    @unix
    def test_reader_of_a_pipe_receives_everything(self, tmp_path: Path) -> None:
        pipe, data, got = tmp_path / "pipe", os.urandom(1 << 18), bytearray()
        os.mkfifo(pipe)
        handle = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)

        def read() -> None:
            while len(got) < len(data):
                select.select([handle], [], [], 0.1)
                with suppress(BlockingIOError):
                    got.extend(os.read(handle, 1 << 16))

        reader = threading.Thread(target=read, daemon=True)
        reader.start()
        files.write(pipe, data, allow_streams=True)
        reader.join(10)
        os.close(handle)
        assert got == data

    @unix
    @pytest.mark.parametrize("name", ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"])
    @pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="only Linux has these")
    def test_output_redirected_to_a_file_is_appended(self, name: str, tmp_path: Path) -> None:
        out = tmp_path / "out"
        out.write_text("before\n")
        code = f"from shibumi3d.files import *; write(Path({name!r}), 'after\\n', allow_streams=True)"
        with out.open("a") as stream:
            subprocess.run([sys.executable, "-c", code], stdout=stream, check=True)
        assert out.read_text() == "before\nafter\n"

    def test_source_file_is_never_overwritten(self, tmp_path: Path) -> None:
        read = tmp_path / "read"
        read.write_text("before")
        names = [read, tmp_path / ".." / tmp_path.name / "read"]
        if sys.platform != "win32":
            (tmp_path / "link").symlink_to("read")
            (tmp_path / "hard").hardlink_to(read)
            names += [tmp_path / "link", tmp_path / "hard"]
        for path in names:
            with pytest.raises(OSError, match="it is the file being read"):
                files.write(path, "after", sources=[tmp_path / "gone", read])
        assert read.read_text() == "before"

    def test_folders_and_impossible_paths_are_refused(self, tmp_path: Path) -> None:
        for path in (tmp_path, tmp_path / "no" / "a", tmp_path / "a\0b", tmp_path / ("a" * 300)):
            with pytest.raises(OSError, match=re.escape(repr(str(path)))):
                files.write(path, "x")
        assert list(tmp_path.iterdir()) == []

    def test_writability_is_checked_without_creating_anything(self, tmp_path: Path) -> None:
        files.check_writable(tmp_path / "a")
        assert list(tmp_path.iterdir()) == []
        for path in (tmp_path, tmp_path / "no" / "a", tmp_path / ("a" * 300)):
            with pytest.raises(OSError, match=re.escape(repr(str(path)))):
                files.check_writable(path)

    @unix
    def test_setting_a_file_aside_keeps_the_link_to_it(self, tmp_path: Path) -> None:
        (tmp_path / "real").write_text("damaged")
        link = tmp_path / "link"
        link.symlink_to("real")
        aside = files.set_aside(link, lambda number: f"aside-{number}")
        assert aside.read_text() == "damaged"
        files.write(link, "new")
        assert (tmp_path / "real").read_text() == "new"
        assert files.set_aside(link, lambda number: f"aside-{number}").name == "aside-2"


MAKERS = {
    "native.py",
    "build_bundle.py",
    *(f"build_native/{name}.py" for name in ("compilation", "background", "compiler_process", "sources")),
}
"""Modules that handle the compiled engine, or build a bundle."""
ALLOWED_FILE_CALLS = {
    "assets/fonts/__init__.py": {"read_bytes"},  # what comes with the program
    "assets/icon/__init__.py": {"read_bytes", "read_text"},
    "assets/sounds/__init__.py": {"read_bytes"},
    "app/shell/gallery.py": {"is_file", "read_bytes"},
    "catalogue/courses.py": {"is_file", "read_bytes"},
    "catalogue/solo.py": {"read_bytes"},
    "catalogue/openings.py": {"read_bytes"},
    "cli/solo.py": {"is_file"},
    "catalogue/problems.py": {"is_dir", "is_file", "read_bytes", "read_text"},  # what comes with the program
    "paths.py": {"is_dir", "is_file", "read_bytes", "read_text"},
    "lab/runner.py": {"read_bytes"},
    "render/shader_cache.py": {"is_dir", "is_file", "os.open"},  # checks the space for the driver's cache
    "export/encoder.py": {"open"},  # a GIF, written frame by frame
    "export/web_page.py": {"read_text"},  # what comes with the program
    "render/shaders.py": {"is_file", "read_text"},
    "rules/marbles/search/certificates.py": {"is_file", "read_bytes"},
    "rules/marbles/search/playout_settings.py": {"read_text"},
    "rules/marbles/search/learned_weights.py": {"is_file"},
    "app/host/sound.py": {"open to write", "os.open"},  # writes to memory; redirects the error output
    "app/shell/trace.py": {"open to write"},  # appends lines for a test that follows them
    "entry.py": {"open", "os.open"},  # the standard streams
    "cli/install_desktop.py": {"is_dir", "is_file"},  # the user's own files
    "match/store.py": {"os.open", "os.replace"},  # lock files are empty; deleted files are moved
}


def direct_file_calls(code: ast.AST) -> set[str]:
    found = set()
    for node in ast.walk(code):
        if not isinstance(node, ast.Call):
            continue
        of = ast.unparse(node.func).rpartition(".")
        word = of[2]
        if word in ("write_text", "write_bytes", "mkdir", "mkstemp", "NamedTemporaryFile", "fdopen"):
            found.add(word)
        if word in ("read_text", "read_bytes") and of[0] and of[0] not in ("files", "paths"):
            found.add(word)
        # Before Python 3.14 these raise an error in unreadable folders; the os.path functions never do.
        if word in ("exists", "is_file", "is_dir", "is_symlink") and of[0] != "os.path":
            found.add(word)
        if of[0] in ("os", "shutil") and word in (
            "open",
            "replace",
            "rename",
            "copy",
            "copy2",
            "copyfile",
            "move",
        ):
            found.add(f"{of[0]}.{word}")
        if word == "open" and not of[0]:
            found.add(word)
        words = [
            arg.value for arg in node.args if isinstance(arg, ast.Constant) and isinstance(arg.value, str)
        ]
        if word == "open" and of[0] and any(set(each) & set("wax+") and len(each) < 4 for each in words):
            found.add("open to write")
    return found


def test_only_the_files_module_accesses_files() -> None:
    """Other modules access files through :mod:`shibumi3d.files`, which limits how much it reads.

    ``ALLOWED_FILE_CALLS`` lists the exceptions, apart from the modules in ``MAKERS``, which aren't checked.
    """
    found = {name_of(file): direct_file_calls(tree(file)) for file in FILES}
    for name in ("files.py", *MAKERS):
        del found[name]
    assert {name: there for name, there in found.items() if there} == ALLOWED_FILE_CALLS


def test_every_kind_of_file_access_is_detected() -> None:
    for code, door in (
        ("path.exists()", "exists"),
        ("path.write_bytes(x)", "write_bytes"),
        ("(a / b).write_text(x)", "write_text"),
        ("open(path)", "open"),
        ("os.open(path, 1)", "os.open"),
        ("path.open('wb')", "open to write"),
        ("wave.open(path, 'wb')", "open to write"),
        ("os.replace(a, b)", "os.replace"),
        ("shutil.copy(a, b)", "shutil.copy"),
        ("path.read_text()", "read_text"),
    ):
        assert direct_file_calls(ast.parse(code)) == {door}
