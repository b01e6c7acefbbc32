"""Invalid game files and the expected error messages; ``make goldens`` updates the messages.

Each file in ``tests/bad`` begins with the output of ``shibumi3d check`` as comments, without the file's name.
"""

from __future__ import annotations

from pathlib import Path

from shibumi3d.catalogue.catalogue import load_catalogue

FOLDER = Path(__file__).resolve().parents[1] / "bad"


def answer(path: Path) -> list[str]:
    """What checking the file says, without its name."""
    _, problems = load_catalogue().check([path])
    return [str(problem).removeprefix(f"{path}:") for problem in problems]


def expected(text: str) -> list[str]:
    """The answer that the comments at the top of a file ask for."""
    lines = []
    for line in text.splitlines():
        if not line.startswith("#"):
            break
        lines.append(line.removeprefix("# "))
    return lines


def main() -> None:
    """Write the answers into the files."""
    for path in sorted(FOLDER.glob("*.yaml")):
        body = path.read_text(encoding="utf-8").splitlines()[
            len(expected(path.read_text(encoding="utf-8"))) :
        ]
        # The answer moves the lines it speaks of: as many comments as mistakes are needed first.
        path.write_text("\n".join(body) + "\n", encoding="utf-8")
        for _ in range(2):
            comments = [f"# {line}" for line in answer(path)]
            path.write_text("\n".join([*comments, *body]) + "\n", encoding="utf-8")
        print(path.name)


if __name__ == "__main__":
    main()
