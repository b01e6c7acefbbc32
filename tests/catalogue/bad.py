"""Invalid game files and the expected error messages; ``make goldens`` updates the messages.

Comments at the top of each file in ``tests/bad`` repeat the output of ``shibumi3d check``, without the file's name.
"""

from __future__ import annotations

from pathlib import Path

from shibumi3d.catalogue.catalogue import load_catalogue

FOLDER = Path(__file__).resolve().parents[1] / "bad"


def find_problems(path: Path) -> list[str]:
    _, problems = load_catalogue().check([path])
    return [str(problem).removeprefix(f"{path}:") for problem in problems]


def expected_problems(text: str) -> list[str]:
    lines = []
    for line in text.splitlines():
        if not line.startswith("#"):
            break
        lines.append(line.removeprefix("# "))
    return lines


def main() -> None:
    """Replace the comments at the top of each bad game file with the errors found in it, and print its name."""
    for path in sorted(FOLDER.glob("*.yaml")):
        body = path.read_text(encoding="utf-8").splitlines()[
            len(expected_problems(path.read_text(encoding="utf-8"))) :
        ]
        # The comments shift the line numbers that they mention: the first pass gives their number, the second the
        # right lines.
        path.write_text("\n".join(body) + "\n", encoding="utf-8")
        for _ in range(2):
            comments = [f"# {line}" for line in find_problems(path)]
            path.write_text("\n".join([*comments, *body]) + "\n", encoding="utf-8")
        print(path.name)


if __name__ == "__main__":
    main()
