"""Draw the floors of the house from its imports, into docs/architecture.md: ``python -m tests.floors``.

An arrow stands for imports when a module is loaded, inside functions and for types alone.
"""

from __future__ import annotations

from pathlib import Path

from tests.sources import FILES, PACKAGE, imports

PICTURE = PACKAGE.parent / "docs" / "architecture.md"
BEGIN, END = "<!-- floors: drawn by `make docs` -->", "<!-- end of floors -->"


def rooms(folder: Path) -> dict[str, set[str]]:
    """Return for each folder in ``folder``, and each file that belongs to none, the others there that it imports."""
    inside = ".".join((PACKAGE.name, *folder.relative_to(PACKAGE).parts))
    names = {
        file.relative_to(folder).parts[0].removesuffix(".py") for file in FILES if file.is_relative_to(folder)
    }
    found: dict[str, set[str]] = {name: set() for name in names - {"__init__", "__main__"}}
    for file in FILES:
        if not file.is_relative_to(folder):
            continue
        here = file.relative_to(folder).parts[0].removesuffix(".py")
        for module, _ in imports(file):
            other = (
                module.removeprefix(f"{inside}.").partition(".")[0] if module.startswith(f"{inside}.") else ""
            )
            if here in found and other in found and other != here:
                found[here].add(other)
    return found


def floors(graph: dict[str, set[str]]) -> list[list[str]]:
    """Return the rooms by floor from the top: what is imported stands below all that imports it.

    Raises ValueError where some import each other in a circle.
    """
    left, found = dict(graph), list[list[str]]()
    while left:
        lowest = sorted(name for name, others in left.items() if not others & left.keys())
        if not lowest:
            raise ValueError(f"in a circle: {', '.join(sorted(left))}")
        found.insert(0, lowest)
        left = {name: others for name, others in left.items() if name not in lowest}
    return found


def drawing(folder: Path) -> str:
    """Return the floors of a folder as lines: each room, and the rooms that it imports from the floors below."""
    graph = rooms(folder)
    wide = max(map(len, graph))
    lines = []
    for level, names in enumerate(reversed(floors(graph))):
        lines += [
            f"{level:>2}  {name:<{wide}}  {', '.join(sorted(graph[name]))}".rstrip()
            for name in reversed(names)
        ]
    return "\n".join(reversed(lines))


def picture() -> str:
    """Return what stands between the two marks of the page."""
    whole, window = drawing(PACKAGE), drawing(PACKAGE / "app")
    return f"The package:\n\n```text\n{whole}\n```\n\nThe window, `app/`:\n\n```text\n{window}\n```\n"


def main() -> None:
    """Write the picture into the page."""
    text = PICTURE.read_text(encoding="utf-8")
    before, rest = text.split(BEGIN)
    PICTURE.write_text(f"{before}{BEGIN}\n{picture()}{END}{rest.split(END)[1]}", encoding="utf-8")


if __name__ == "__main__":
    main()
