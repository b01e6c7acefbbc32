"""With the script that ``completion`` prints, shells complete commands, options, games and files."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from shibumi3d.catalogue.catalogue import load_catalogue
from shibumi3d.cli.main import COMMANDS, main

COMPLETE = """
source "$1"
shift
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
COMP_LINE="$*"
COMP_POINT=${#COMP_LINE}
entry=$(complete -p shibumi3d)
[[ $entry =~ -F\\ ([^ ]+) ]]
"${BASH_REMATCH[1]}" shibumi3d "${@: -1}" "${@: -2:1}"
printf '%s\\n' "${COMPREPLY[@]}"
"""
"""Bash script that prints the completions offered by the script ``$1`` after the words ``$2``, ``$3`` and so on."""


@pytest.fixture(scope="module")
def script(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if not shutil.which("bash"):
        pytest.skip("bash is not installed")
    path = tmp_path_factory.mktemp("completion") / "shibumi3d.bash"
    with pytest.MonkeyPatch.context() as patched, path.open("w") as out:
        patched.setattr("sys.stdout", out)
        assert main(["completion", "bash"]) == 0
    return path


def completions(script: Path, folder: Path, *words: str) -> set[str]:
    done = subprocess.run(
        ["bash", "-c", COMPLETE, "bash", str(script), "shibumi3d", *words],
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
    )
    assert not done.stderr
    return set(done.stdout.split())


def test_commands_are_completed(script: Path, tmp_path: Path) -> None:
    assert completions(script, tmp_path, "") == set(COMMANDS)
    assert completions(script, tmp_path, "re") == {"replay", "review"}


def test_options_are_completed(script: Path, tmp_path: Path) -> None:
    assert completions(script, tmp_path, "play", "--se") == {"--seats", "--seed"}
    assert completions(script, tmp_path, "shot", "spline", "--tier", "") >= {"low", "high"}


def test_games_and_files_are_completed(script: Path, tmp_path: Path) -> None:
    (tmp_path / "splendid.yaml").touch()
    games = {entry.id for entry in load_catalogue() if entry.id.startswith("spl")}
    assert len(games) > 2
    assert completions(script, tmp_path, "play", "spl") == games | {"splendid.yaml"}
    assert completions(script, tmp_path, "replay", "sp") == {"splendid.yaml"}
    assert completions(script, tmp_path, "shot", "spline", "--out", "sp") == {"splendid.yaml"}


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_completion_for_other_shells(capsys: pytest.CaptureFixture[str], shell: str) -> None:
    assert main(["--lang", "fr", "completion", shell]) == 0
    out = capsys.readouterr().out
    assert all(name in out for name in (*COMMANDS, "spline-plus"))
    assert "les règles d" in out
    assert "print the rules" not in out.casefold()
