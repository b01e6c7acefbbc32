"""Everything public in most layers has a docstring that mentions any errors raised; ruff checks the form."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache

import pytest

from tests import sources
from tests.sources import name_of, nodes, tree

LAYERS = ["rules", "match", "search", "lab", "catalogue", "scene", "render"]
"""The layers in which everything public must have a docstring."""
NO_ERRORS = {"AssertionError", "NotImplementedError", "StopIteration", "SystemExit"}
"""Exceptions that callers aren't meant to handle."""
Function = ast.FunctionDef | ast.AsyncFunctionDef


def files(layer: str) -> list[sources.Path]:
    return [file for file in sources.FILES if name_of(file).startswith(f"{layer}/")]


@cache
def classes(layer: str) -> dict[str, ast.ClassDef]:
    return {
        node.name: node for file in files(layer) for node in nodes(file) if isinstance(node, ast.ClassDef)
    }


def bases(owner: ast.ClassDef, known: dict[str, ast.ClassDef]) -> Iterator[ast.ClassDef]:
    """Yield the direct and indirect base classes of ``owner`` that are in ``known``."""
    for base in owner.bases:
        name = base.attr if isinstance(base, ast.Attribute) else getattr(base, "id", "")
        if name in known and known[name] is not owner:
            yield known[name]
            yield from bases(known[name], known)


def documents_method(owner: ast.ClassDef, name: str) -> bool:
    return any(
        isinstance(node, ast.FunctionDef) and node.name == name and ast.get_docstring(node)
        for node in owner.body
    )


def decorators(node: Function) -> str:
    return " ".join(ast.unparse(decorator) for decorator in node.decorator_list)


def undocumented(
    body: list[ast.stmt], known: dict[str, ast.ClassDef], owner: ast.ClassDef | None = None
) -> Iterator[str]:
    """Yield the names of the public classes and functions in ``body`` that have no docstring.

    Methods are named like ``A.g``; nested functions are skipped. Setters need no docstring, nor do overrides that are
    marked as such or whose base class documents the method. ``known`` contains the classes in which base classes are
    looked up, by name. ``owner`` is the class whose body this is, or None in a module.
    """
    for node in body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef) and not node.name.startswith("_"):
            is_documented = ast.get_docstring(node) is not None
            if isinstance(node, ast.FunctionDef):
                is_documented = (
                    is_documented or ".setter" in decorators(node) or "override" in decorators(node)
                )
            if not is_documented and owner is not None:
                is_documented = any(documents_method(base, node.name) for base in bases(owner, known))
            if not is_documented:
                yield f"{owner.name}.{node.name}" if owner else node.name
            if isinstance(node, ast.ClassDef):
                yield from undocumented(node.body, known, node)


def public(body: list[ast.stmt], owner: str = "") -> Iterator[tuple[str, Function]]:
    """Yield the qualified name and the node of each public function and public method of a public class.

    ``body`` is the body of a module or, if ``owner`` isn't empty, of the class with the qualified name ``owner``.
    Nested functions are skipped.
    """
    for node in body:
        if isinstance(node, ast.ClassDef | Function) and not node.name.startswith("_"):
            name = f"{owner}.{node.name}" if owner else node.name
            if isinstance(node, ast.ClassDef):
                yield from public(node.body, name)
            else:
                yield name, node


def raised(body: list[ast.stmt]) -> Iterator[str]:
    """Yield the names of the errors raised, except in ``try`` blocks that have ``except`` clauses.

    Errors in ``NO_ERRORS``, and errors raised without naming their class, as in ``raise error``, are left out. Nested
    functions and classes are skipped.
    """
    for node in body:
        if isinstance(node, ast.Raise) and node.exc is not None:
            error = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
            name = ast.unparse(error).rpartition(".")[2]
            if name[0].isupper() and name not in NO_ERRORS:
                yield name
        elif isinstance(node, ast.Try):
            parts = [] if node.handlers else [node.body]
            for part in (*parts, *(handler.body for handler in node.handlers), node.orelse, node.finalbody):
                yield from raised(part)
        elif not isinstance(node, Function | ast.ClassDef):
            for part in ("body", "orelse"):
                yield from raised(getattr(node, part, []))
            for case in getattr(node, "cases", []):
                yield from raised(case.body)


def unnamed_errors(body: list[ast.stmt]) -> Iterator[str]:
    """Yield a message for each public function that raises errors without saying so in its docstring.

    ``body`` is the body of a module; public methods of its public classes are included. A docstring that contains
    "raise" anywhere is accepted, and functions without a docstring are skipped. :func:`raised` finds the errors.
    """
    for name, node in public(body):
        docstring = ast.get_docstring(node)
        if docstring and "raise" not in docstring.lower() and (errors := set(raised(node.body))):
            yield f"{name}: does not say that it raises {', '.join(sorted(errors))}"


@pytest.mark.parametrize("layer", LAYERS)
def test_public_names_have_docstrings(layer: str) -> None:
    known = classes(layer)
    found = {name_of(file): list(undocumented(tree(file).body, known)) for file in files(layer)}
    assert found
    assert {file: names for file, names in found.items() if names} == {}


@pytest.mark.parametrize("layer", [*LAYERS, "app/host"])
def test_docstrings_name_raised_errors(layer: str) -> None:
    found = {name_of(file): list(unnamed_errors(tree(file).body)) for file in files(layer)}
    assert {file: lines for file, lines in found.items() if lines} == {}


def test_missing_docstrings_are_detected() -> None:
    source = "def f(): ...\nclass A:\n  'a'\n  def g(self): ...\n  def _h(self): ...\n"
    assert list(undocumented(ast.parse(source).body, {})) == ["f", "A.g"]


@pytest.mark.parametrize(
    ("source", "count"),
    [
        ("def f():\n  'Take it.'\n  if 1:\n    raise ValueError('none')", 1),
        ("def f():\n  'Take it. Raises ValueError if there is none.'\n  raise ValueError('none')", 0),
        ("def f():\n  'Take it.'\n  try:\n    raise ValueError('none')\n  except ValueError: ...", 0),
        ("def _f():\n  'Take it.'\n  raise ValueError('none')", 0),
    ],
)
def test_undocumented_errors_are_detected(source: str, count: int) -> None:
    assert len(list(unnamed_errors(ast.parse(source).body))) == count


def test_every_snapshot_field_is_documented() -> None:
    body = classes("rules")["Snapshot"].body
    fields = [i for i, node in enumerate(body) if isinstance(node, ast.AnnAssign)]
    assert len(fields) > 20
    for i in fields:
        after = body[i + 1] if i + 1 < len(body) else None
        text = after.value if isinstance(after, ast.Expr) else None
        assert isinstance(text, ast.Constant), ast.unparse(body[i])
