"""Three problems of Spline for tests, independent of those shipped with the program."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

from shibumi3d.app.host import problems as problem_library
from shibumi3d.catalogue import problems
from shibumi3d.catalogue.catalogue import load_catalogue

ROWS = """\
  - {id: 1, moves: "W@Aa4, B@Ab4, W@Ac2, B@Aa1, W@Ab2, B@Ad3, W@Ac3, B@Ab3, W@Ad2, B@Bb2, W@Ac4, B@Aa2",\
 kind: win, n: 1, line: "W@Ac1", wrong: {"W@Ab1": "B@Ac1", "W@Ad1": "B@Ac1", "W@Aa3": "B@Ac1"}, rating: 1100}
  - {id: 2, moves: "W@Ac4, B@Ab3, W@Ab2, B@Aa2, W@Ac1, B@Ad1, W@Aa1, B@Ad3", kind: win, n: 2,\
 line: "W@Ac3, B@Ab1, W@Ac2", wrong: {"W@Ab1": "B@Ad4", "W@Ac2": "B@Ac3", "W@Ad2": "B@Ac3"}, rating: 1400}
  - {id: 3, moves: "W@Ad4, B@Ab4, W@Ac4, B@Ad2, W@Ab1, B@Ad1, W@Ab3, B@Aa1, W@Ac1, B@Ad3, W@Ab2, B@Ac2, W@Aa3, B@Aa4,\
 W@Aa2, B@Ac3, W@Ba3, B@Bc1, W@Ba2", kind: win, n: 3, line: "B@Ba1, W@Bb1, B@Bc3, W@Bb2, B@Bc2",\
 wrong: {"B@Bb1": "W@Ba1", "B@Bb2": "W@Ba1", "B@Bc2": "W@Ba1"}, rating: 1700}
"""
TEXT = f'rules: "{problems.rules_hash(load_catalogue().get("spline"))}"\nproblems:\n{ROWS}'
THREE = problems.parse_problem_file(TEXT.encode(), "three.yaml", "spline")


@contextmanager
def three(folder: Path) -> Iterator[None]:
    """Replace the built-in problems with those in ``TEXT`` for the duration of a ``with`` block.

    ``TEXT`` is written to a file in ``folder``.
    """
    folder.mkdir(exist_ok=True)
    (folder / "spline.yaml").write_text(TEXT, encoding="utf-8")
    known = (
        problems.load_problem_set,
        problems.games_with_problems,
        problems.load_ratings,
        problem_library.builtin_problems,
        problem_library.daily_schedule,
    )
    with patch.object(problems, "FOLDER", str(folder)):
        for each in known:
            each.cache_clear()
        yield
    for each in known:
        each.cache_clear()
