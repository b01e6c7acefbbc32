"""Imports go one way: a layer knows only what lies below it, and only the outside libraries it needs."""

from __future__ import annotations

import ast
import sys

from shibumi3d.rules.kinds import MODULES, USUAL
from tests.sources import FILES, PACKAGE, docstrings, imports, layer_of, name_of, nodes, tree

# What each layer may import: other parts of the package, and outside libraries.
LAYERS: dict[str, tuple[set[str], set[str]]] = {
    "i18n": (set(), set()),
    "rules": ({"i18n"}, set()),
    "catalogue": ({"i18n", "rules", "paths", "files", "names"}, {"yaml"}),
    "match": ({"i18n", "rules", "catalogue", "files", "names"}, {"platformdirs", "openskill"}),
    "search": ({"i18n", "native", "rules"}, {"numpy"}),
    "lab": ({"", "i18n", "native", "rules", "catalogue", "search", "files"}, {"distributed"}),
    "research": ({"i18n", "rules", "catalogue"}, {"numpy", "gymnasium", "pettingzoo", "pyspiel"}),
    "scene": ({"i18n", "rules", "paths"}, {"numpy", "pyrr"}),
    "render": ({"i18n", "scene", "paths", "files"}, {"moderngl", "numpy", "imageio_ffmpeg"}),
    "app": (
        {
            "i18n",
            "native",
            "rules",
            "catalogue",
            "match",
            "search",
            "lab",
            "scene",
            "render",
            "paths",
            "files",
            "names",
        },
        {"pyglet", "moderngl", "numpy", "pyrr", "platformdirs", "accesskit"},
    ),
    "cli": (
        {
            "",
            "entry",
            "native",
            "build_native",
            "i18n",
            "rules",
            "catalogue",
            "match",
            "search",
            "lab",
            "scene",
            "render",
            "app",
            "paths",
            "files",
            "names",
        },
        {"numpy", "shtab"},
    ),
    "paths": (set(), {"platformdirs"}),
    "files": ({"i18n"}, set()),
    "names": (set(), set()),
    "entry": (set(), set()),
    "native": ({"i18n", "paths"}, set()),
    "build_native": ({"entry", "native", "i18n"}, {"mypyc", "setuptools"}),
    "build_bundle": ({"", "entry", "native", "build_native", "paths"}, set()),
    "__init__": ({"native", "rules", "catalogue"}, set()),
    "__main__": ({"cli"}, set()),
}

ENGINE = PACKAGE / "rules" / "marbles" / "engine"
"""The engine's numbers have types of the compiler, read by type checkers and the compiler and never when it runs."""


def test_imports_go_one_way() -> None:
    wrong = []
    for file in FILES:
        layer = layer_of(file)
        assert layer in LAYERS, f"{layer} is a new layer: say here what it may import"
        inside, outside = LAYERS[layer]
        if file.is_relative_to(ENGINE):
            outside = outside | {"mypy_extensions"}
        for module, line in imports(file):
            top, _, rest = module.partition(".")
            if top == "shibumi3d":
                part = rest.partition(".")[0]
                allowed = part == layer or part in inside
            else:
                allowed = top in sys.stdlib_module_names or top in outside
            if not allowed:
                wrong.append(f"{name_of(file)}:{line} imports {module}")
    assert not wrong


def test_the_engine_has_types_of_the_compiler_only_to_be_checked() -> None:
    for file in ENGINE.rglob("*.py"):
        for node in tree(file).body:
            if isinstance(node, ast.ImportFrom):
                assert node.module != "mypy_extensions", file


def test_the_engine_imports_in_no_circle() -> None:
    names = {
        f"shibumi3d.{'.'.join(f.relative_to(PACKAGE).with_suffix('').parts)}": f for f in ENGINE.rglob("*.py")
    }
    left = {name: {module for module, _ in imports(file)} & set(names) for name, file in names.items()}
    while free := [name for name, needed in left.items() if not needed & set(left)]:
        for name in free:
            del left[name]
    assert not left, "these import each other"


def test_only_the_app_imports_pyglet_and_only_render_and_app_moderngl() -> None:
    users: dict[str, set[str]] = {"pyglet": set(), "moderngl": set(), "yaml": set(), "pyrr": set()}
    for file in FILES:
        for module, _ in imports(file):
            if (top := module.partition(".")[0]) in users:
                users[top].add(layer_of(file))
    assert users["pyglet"] <= {"app"}
    assert users["moderngl"] <= {"render", "app"}
    assert users["yaml"] <= {"catalogue"}
    assert users["pyrr"] <= {"scene", "app"}


def test_no_python_names_a_game() -> None:
    """The engine and the program know no game: what a game is stands in its YAML file. A kind of table may be called as
    its game: who may say that is the next test's business."""
    names = {path.stem for path in (PACKAGE.parent / "games").glob("*.yaml")} - set(MODULES)
    assert names
    found = []
    for file in FILES:
        told = docstrings(file)
        for node in nodes(file):
            text = node.value if isinstance(node, ast.Constant) and node not in told else None
            if isinstance(text, str) and text.casefold() in names and layer_of(file) != "cli":
                found.append(f"{file.relative_to(PACKAGE)}:{node.lineno} names {text}")
    assert not found


def test_no_python_names_a_kind_of_table() -> None:
    """Outside the kind's own packages and the tables of kinds: what a kind is, it says itself."""
    names = set(MODULES) - {USUAL}
    found = []
    for file in FILES:
        path = file.relative_to(PACKAGE)
        package = path.parts[1].removesuffix(".py").replace("_", "-") if len(path.parts) > 1 else ""
        if path.name == "kinds.py" or package in names:
            continue
        told = docstrings(file)
        for node in nodes(file):
            text = node.value if isinstance(node, ast.Constant) and node not in told else None
            if isinstance(text, str) and text.casefold() in names:
                found.append(f"{path}:{node.lineno} names {text}")
    assert not found
