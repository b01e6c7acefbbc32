"""The program's sources as syntax trees, parsed once per process; tests must not change them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent.parent / "shibumi3d"
FILES = sorted(path for path in PACKAGE.rglob("*.py") if "_native" not in path.parts)


def name_of(file: Path) -> str:
    return file.relative_to(PACKAGE).as_posix()


@cache
def tree(file: Path) -> ast.Module:
    return ast.parse(file.read_text(encoding="utf-8"))


@cache
def nodes(file: Path) -> tuple[ast.AST, ...]:
    return tuple(ast.walk(tree(file)))


def docstrings(file: Path) -> set[ast.AST]:
    return {
        node.body[0].value
        for node in nodes(file)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
        and ast.get_docstring(node) is not None
        and isinstance(node.body[0], ast.Expr)
    }


@cache
def imports(file: Path) -> tuple[tuple[str, int], ...]:
    """Return the absolute name and the line number of each import in a file.

    Imports inside functions are included. ``import a.b`` and ``from a.b import c`` both give ``a.b``, even if ``c`` is
    a module. The top-level package is an exception: ``from shibumi3d import native`` gives ``shibumi3d.native``. A name
    imported from it that begins with an underscore gives only ``shibumi3d``.
    """
    return tuple(_imports(file))


def _imports(file: Path) -> Iterator[tuple[str, int]]:
    here = ("shibumi3d", *file.relative_to(PACKAGE).with_suffix("").parts)
    for node in nodes(file):
        if isinstance(node, ast.Import):
            for name in node.names:
                yield name.name, node.lineno
        elif isinstance(node, ast.ImportFrom):
            base = ".".join(here[: len(here) - node.level]) if node.level else ""
            module = ".".join(part for part in (base, node.module or "") if part)
            if module == "shibumi3d":
                for name in node.names:
                    yield f"shibumi3d.{name.name}" if name.name[0] != "_" else "shibumi3d", node.lineno
            else:
                yield module, node.lineno


def layer_of(file: Path) -> str:
    return file.relative_to(PACKAGE).parts[0].removesuffix(".py")
