"""Output files of commands: existing files, links, devices, and inputs that must not be overwritten."""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path

import pytest

from shibumi3d.catalogue.catalogue import load_catalogue
from shibumi3d.cli.common import parse_non_negative, parse_positive, parse_seconds, parse_seed
from shibumi3d.cli.main import COMMANDS, make_parser
from shibumi3d.match.match import Match
from tests.attack.test_full_disk import limit_file_sizes
from tools import bench

from .conftest import Run

KINDS = ("gif", "mp4", "png", "postcard", "svg", "pdf")
unix = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such files")


@pytest.fixture
def record(tmp_path: Path) -> Path:
    """The path of a saved match of Spline in which one move has been made."""
    match = Match(load_catalogue().get("spline").game(), ["Ann", "Ben"], 7)
    match.play("W@Aa1")
    match.record().save(tmp_path / "m.yaml")
    return tmp_path / "m.yaml"


def export(run: Run, record: Path, kind: str, out: Path) -> tuple[int, str, str]:
    size = (
        ()
        if kind in ("svg", "pdf")
        else ("--size", "160x90")
        if kind != "postcard"
        else ("--size", "370x262")
    )
    return run("export", record, f"--{kind}", out, *size)


@pytest.mark.usefixtures("needs_gl")
@pytest.mark.parametrize("kind", KINDS)
class TestExport:
    def test_export_never_overwrites_its_record(self, run: Run, record: Path, kind: str) -> None:
        before = record.read_bytes()
        link = record.with_name("link")
        link.symlink_to(record)
        for out in (record, link, record.parent / ".." / record.parent.name / record.name):
            code, _, err = export(run, record, kind, out)
            assert (code, err) == (1, f"shibumi3d: {out}: it is the file being read\n")
            code, _, err = export(run, link, kind, out)
            assert (code, err) == (1, f"shibumi3d: {out}: it is the file being read\n")
        assert record.read_bytes() == before

    @unix
    def test_full_disk_keeps_the_previous_file(self, run: Run, record: Path, kind: str) -> None:
        out = record.with_name(f"out.{kind}")
        out.write_bytes(b"before")
        with limit_file_sizes(64):
            code, _, err = export(run, record, kind, out)
        assert code == 1
        # A warning that the driver's shader cache has no room either may come first.
        assert err.splitlines()[-1].startswith("shibumi3d: ")
        assert out.read_bytes() == b"before"
        assert sorted(file.name for file in record.parent.iterdir()) == ["m.yaml", out.name]

    @unix
    def test_links_are_followed_and_devices_are_kept(self, run: Run, record: Path, kind: str) -> None:
        out, there = record.with_name("link"), record.with_name("there")
        out.symlink_to(there)
        assert export(run, record, kind, out) == (0, "", "")
        assert out.is_symlink()
        assert there.stat().st_size > 500
        device = Path("/dev/full")
        assert export(run, record, kind, device)[2] == f"shibumi3d: {device}: the disk is full\n"
        assert device.is_char_device()


@pytest.mark.usefixtures("needs_gl")
def test_shot_never_overwrites_its_input(run: Run, record: Path) -> None:
    game = record.with_name("mine.yaml")
    game.write_text("extends: spline\ntitle: Mine\n", encoding="utf-8")
    for shown in (record, game):
        before = shown.read_bytes()
        assert "it is the file being read" in run("shot", shown, "--size", "80x45", "--out", shown).err
        assert shown.read_bytes() == before


@unix
@pytest.mark.usefixtures("needs_gl")
def test_film_can_be_written_to_a_pipe(record: Path) -> None:
    command = [sys.executable, "-m", "shibumi3d", "export", record, "--gif", "/dev/stdout", "--size", "80x46"]
    done = subprocess.run(command, capture_output=True, check=True)
    assert done.stdout.startswith(b"GIF89a")
    assert done.stdout.endswith(b";")


class TestStrengths:
    @pytest.mark.parametrize(
        ("content", "message"),
        [
            (b"\xff\xfe\x00", "is not a UTF-8 text file"),
            (b"a letter of mine\n", "is not a table of strengths; it was left unchanged"),
            (b"| A | B |\n", "is not a table of strengths; it was left unchanged"),
            (
                b"# Strength of the levels\n\n| game | a |\n| --- | --- |\n| Span |\n",
                "the row of 'Span' is invalid",
            ),
            (
                b"# Strength of the levels\n\n| game | a |\n| --- | --- |\n| Span | x |\n",
                "the row of 'Span' is invalid",
            ),
            (b"#" * (5 << 20), "is larger than 4096 KB"),
        ],
    )
    def test_other_files_are_refused_and_left_unchanged(
        self, tool: Run, tmp_path: Path, content: bytes, message: str
    ) -> None:
        out = tmp_path / "page.md"
        out.write_bytes(content)
        code, _, err = tool("strengths", "span", "--games", 1, "--out", out)
        assert code == 1
        assert message in err
        assert out.read_bytes() == content

    @unix
    def test_devices_are_never_read(self, run: Run, tool: Run) -> None:
        for device in ("/dev/full", "/dev/zero"):
            assert tool("strengths", "span", "--out", device).err == (
                f"shibumi3d: {device} can't be read: it is not a file\n"
            )
            assert run("list", "--markdown", device).err == (
                f"shibumi3d: {device} can't be read: it is not a file\n"
            )

    def test_solo_game_has_no_strengths(self, tool: Run) -> None:
        assert tool("strengths", "span", "spoff").err == "shibumi3d: Spoff is for 1 player, not for 2\n"

    def test_unwritable_page_is_reported_before_any_match(self, tool: Run, tmp_path: Path) -> None:
        out = tmp_path / "no folder" / "page.md"
        assert tool("strengths", "span", "--out", out).err == f"shibumi3d: {out}: no such file or folder\n"


class TestNumbers:
    @pytest.mark.parametrize("kind", [parse_positive, parse_non_negative, parse_seconds, parse_seed])
    @pytest.mark.parametrize(
        "text", ["inf", "-inf", "nan", "1e999", "1" * 30, "9" * 5000, "-" + "1" * 30, "", "x"]
    )
    def test_invalid_or_excessive_numbers_are_refused(self, kind: type, text: str) -> None:
        with pytest.raises((ValueError, argparse.ArgumentTypeError)):
            kind(text)

    def test_numbers_within_limits_are_accepted(self) -> None:
        assert (
            parse_positive("1"), parse_positive("1000000000"), parse_non_negative("0"), parse_seconds("3600"),
            parse_seconds("0.01"),
        ) == (
            1, 10**9, 0, 3600, 0.01,
        )  # fmt: skip
        for kind, text in (
            (parse_positive, "0"),
            (parse_non_negative, "-1"),
            (parse_seconds, "0"),
            (parse_seconds, "-1"),
            (parse_seconds, "3601"),
        ):
            with pytest.raises((ValueError, argparse.ArgumentTypeError)):
                kind(text)

    def test_numeric_options_refuse_infinity_and_nan(self, run: Run) -> None:
        commands = make_parser()._subparsers._group_actions[0].choices  # type: ignore[union-attr]
        assert set(commands) == set(COMMANDS)
        tried = 0
        for command in commands.values():
            for action in command._actions:
                if action.type in (None, Path) or action.type is int:
                    continue
                for text in ("inf", "nan", "1e999"):
                    with pytest.raises((ValueError, argparse.ArgumentTypeError)):
                        action.type(text)
                    tried += 1
        assert tried > 60


class TestBench:
    def test_each_benchmark_that_draws_gets_its_own_process(
        self, tool: Run, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """A process can open only one window."""
        started = []

        def measured(command: list[str], **_: object) -> subprocess.CompletedProcess[str]:
            assert command[1:3] == ["-m", "tools"]
            started.append(command[command.index("bench") :])
            figure = {"name": f"of {started[-1][1]}", "value": 2.0, "unit": "ms", "aim": "", "ratio": 0.0}
            return subprocess.CompletedProcess(command, 0, json.dumps({"figures": [figure]}), "")

        monkeypatch.setattr(bench.subprocess, "run", measured)
        out = tool("bench", "flight", "settle", "picture", "--seconds", 0.5).out
        assert started == [
            ["bench", part, "--seconds", "0.5", "--json"] for part in ("flight", "settle", "picture")
        ]
        assert [line.split("  ")[0] for line in out.splitlines()[1:]] == [
            "of flight",
            "of settle",
            "of picture",
        ]

    def test_failed_measurement_is_reported_with_its_reason(
        self, tool: Run, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        failed = subprocess.CompletedProcess(
            [], 1, "", "shibumi3d: a notice\nshibumi3d: flights can't be measured\n"
        )
        monkeypatch.setattr(bench.subprocess, "run", lambda *_, **__: failed)
        assert tool("bench", "flight", "states", "--seconds", 0.01).err == (
            "shibumi3d: flights can't be measured\n"
        )

    @pytest.mark.parametrize("text", ["inf", "nan", "-1", "0", "1e9"])
    def test_seconds_are_limited(self, tool: Run, text: str) -> None:
        code, _, err = tool("bench", "--seconds", text)
        assert code == 2
        assert f"expected a number of seconds, more than 0 and at most 3600, not '{text}'" in err
