"""Everything public of the rules says what it is, and so does every field of a snapshot."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache

from tests import sources
from tests.sources import layer_of, name_of, nodes, tree

FILES = [file for file in sources.FILES if layer_of(file) == "rules"]


@cache
def classes() -> dict[str, ast.ClassDef]:
    """All classes of the rules by name."""
    return {node.name: node for file in FILES for node in nodes(file) if isinstance(node, ast.ClassDef)}


def bases(owner: ast.ClassDef) -> Iterator[ast.ClassDef]:
    """The classes of the rules that a class derives from, by name."""
    for base in owner.bases:
        name = base.attr if isinstance(base, ast.Attribute) else getattr(base, "id", "")
        if name in classes() and classes()[name] is not owner:
            yield classes()[name]
            yield from bases(classes()[name])


def told_by(owner: ast.ClassDef, name: str) -> bool:
    """Whether a class says what a method of that name does."""
    return any(
        isinstance(node, ast.FunctionDef) and node.name == name and ast.get_docstring(node)
        for node in owner.body
    )


def silent(body: list[ast.stmt], owner: ast.ClassDef | None = None) -> Iterator[str]:
    """The public classes and functions without a docstring; a method may have that of the one it overrides."""
    for node in body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef) and not node.name.startswith("_"):
            told = ast.get_docstring(node) is not None
            if not told and owner is not None:
                told = any(told_by(base, node.name) for base in bases(owner))
            if not told:
                yield f"{owner.name}.{node.name}" if owner else node.name
            if isinstance(node, ast.ClassDef):
                yield from silent(node.body, node)


def test_everything_public_says_what_it_is() -> None:
    found = {name_of(file): list(silent(tree(file).body)) for file in FILES}
    assert {file: names for file, names in found.items() if names} == {}


def test_what_is_silent_is_found() -> None:
    source = "def f(): ...\nclass A:\n  'a'\n  def g(self): ...\n  def _h(self): ...\n"
    assert list(silent(ast.parse(source).body)) == ["f", "A.g"]


def test_every_field_of_a_snapshot_says_what_it_is() -> None:
    body = classes()["Snapshot"].body
    fields = [i for i, node in enumerate(body) if isinstance(node, ast.AnnAssign)]
    assert len(fields) > 20
    for i in fields:
        after = body[i + 1] if i + 1 < len(body) else None
        text = after.value if isinstance(after, ast.Expr) else None
        assert isinstance(text, ast.Constant), ast.unparse(body[i])
