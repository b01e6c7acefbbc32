"""If the program is killed in the middle of a problem, the progress is on disk and the session can be resumed."""

from __future__ import annotations

import subprocess
import sys

from shibumi3d.catalogue.problems import load_problems

PLAY = (sys.executable, "-m", "shibumi3d", "problems", "play", "spline")


def test_killed_problem_session_is_resumed() -> None:
    problem = next(one for one in load_problems("spline") if one.n == 2 and one.wrong)
    (wrong,), (key,), (last,) = problem.wrong[0][0], problem.line[0], problem.line[2]
    with subprocess.Popen(
        [*PLAY, str(problem.id), "--text"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8"
    ) as program:
        assert program.stdin is not None
        assert program.stdout is not None
        program.stdin.write(f"{wrong}\n{key}\n")
        program.stdin.flush()
        line = ""
        while "win in 1 turn." not in line:
            line = program.stdout.readline()
            assert line, "it ended by itself"
        program.kill()
    # Without a number, the interrupted problem is resumed.
    again = subprocess.run(
        [*PLAY, "--text"],
        input=f"{last}\nquit\n",
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=True,
    ).stdout
    assert again.startswith(f"Spline, problem {problem.id}\n")
    assert "win in 2 turns." not in again
    assert "Solved on try 2" in again
