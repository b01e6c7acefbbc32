"""Everything public of the rules says what it is, and so does every field of a snapshot."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

RULES = Path(__file__).resolve().parents[2] / "shibumi3d" / "rules"
FILES = sorted(RULES.rglob("*.py"))
TREES = {file: ast.parse(file.read_text(encoding="utf-8")) for file in FILES}
CLASSES = {
    node.name: node for tree in TREES.values() for node in ast.walk(tree) if isinstance(node, ast.ClassDef)
}


def bases(owner: ast.ClassDef) -> Iterator[ast.ClassDef]:
    """The classes of the rules that a class derives from, by name."""
    for base in owner.bases:
        name = base.attr if isinstance(base, ast.Attribute) else getattr(base, "id", "")
        if name in CLASSES and CLASSES[name] is not owner:
            yield CLASSES[name]
            yield from bases(CLASSES[name])


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


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(RULES)))
def test_everything_public_says_what_it_is(file: Path) -> None:
    assert list(silent(TREES[file].body)) == []


def test_what_is_silent_is_found() -> None:
    tree = ast.parse("def f(): ...\nclass A:\n  'a'\n  def g(self): ...\n  def _h(self): ...\n")
    assert list(silent(tree.body)) == ["f", "A.g"]


def test_every_field_of_a_snapshot_says_what_it_is() -> None:
    body = CLASSES["Snapshot"].body
    fields = [i for i, node in enumerate(body) if isinstance(node, ast.AnnAssign)]
    assert len(fields) > 20
    for i in fields:
        after = body[i + 1] if i + 1 < len(body) else None
        text = after.value if isinstance(after, ast.Expr) else None
        assert isinstance(text, ast.Constant), ast.unparse(body[i])
