"""The CI workflows follow the rules of their hosts, as far as that can be checked locally."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
FILES = sorted((ROOT / ".github" / "workflows").glob("*.yml"))


def run_zizmor(path: Path) -> subprocess.CompletedProcess[str]:
    zizmor = Path(sys.executable).with_name("zizmor")
    if not zizmor.is_file():
        pytest.skip("zizmor is not installed")
    command = [str(zizmor), "--offline", "--no-progress", str(path)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_workflows_pass_the_linter(path: Path) -> None:
    done = run_zizmor(path)
    assert done.returncode == 0, done.stdout + done.stderr


def test_linter_detects_invalid_workflows(tmp_path: Path) -> None:
    text = FILES[0].read_text(encoding="utf-8")
    assert "actions/checkout@" in text
    wrong = tmp_path / "wrong.yml"
    wrong.write_text(
        text.replace("          persist-credentials: false\n", "          ref: ${{ github.head_ref }}\n")
    )
    assert run_zizmor(wrong).returncode
    wrong.write_text(text.replace("    steps:", "    stages:"))
    assert run_zizmor(wrong).returncode


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_workflow_header_states_tested_parts(path: Path) -> None:
    head = path.read_text(encoding="utf-8").partition("\nname:")[0]
    assert "\n# Tested: " in f"\n{head}"


@pytest.mark.parametrize("script", ["Makefile", ".ci/setup"])
def test_python_in_shell_scripts_uses_names_that_exist(script: str) -> None:
    text = (ROOT / script).read_text(encoding="utf-8")
    snippets = [code for code in re.findall(r"-c '([^']+)'", text) if "shibumi3d" in code]
    assert snippets
    for code in snippets:
        done = subprocess.run([sys.executable, "-P", "-c", code], capture_output=True, text=True, check=False)
        assert done.stderr == ""
