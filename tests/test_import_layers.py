"""The structure of the package: which modules may import which, and which names and libraries they may use."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

from shibumi3d.rules.registry import DEFAULT_KIND, KIND_MODULES
from tests.sources import FILES, PACKAGE, docstrings, imports, layer_of, name_of, nodes, tree

LAYERS: dict[str, tuple[set[str], set[str]]] = {
    "i18n": (set(), set()),
    "rules": ({"deprecation", "i18n"}, set()),
    "catalogue": ({"i18n", "rules", "paths", "files", "names", "packed_lines", "intervals"}, {"yaml"}),
    "match": (
        {"deprecation", "i18n", "rules", "catalogue", "files", "names", "packed_lines"},
        {"platformdirs", "openskill"},
    ),
    "search": ({"deprecation", "i18n", "intervals", "native", "rules"}, {"numpy"}),
    "lab": (
        {"deprecation", "", "i18n", "intervals", "native", "rules", "catalogue", "search", "files"},
        {"distributed"},
    ),
    "research": (
        {"deprecation", "i18n", "rules", "catalogue"},
        {"numpy", "gymnasium", "pettingzoo", "pyspiel"},
    ),
    "scene": ({"i18n", "rules", "paths"}, {"numpy", "pyrr"}),
    "render": ({"i18n", "scene", "paths", "files"}, {"moderngl", "numpy"}),
    "assets": ({"names", "scene"}, set()),
    "packed_lines": ({"i18n"}, set()),
    "intervals": (set(), set()),
    "wording": ({"i18n", "rules", "catalogue", "match"}, set()),
    "export": (
        {"i18n", "rules", "match", "scene", "render", "assets", "wording", "files", "names"},
        {"numpy", "imageio_ffmpeg", "PIL"},
    ),
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
            "assets",
            "wording",
            "export",
            "paths",
            "files",
            "names",
        },
        {"pyglet", "moderngl", "numpy", "pyrr", "platformdirs", "accesskit", "jeepney"},
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
            "assets",
            "wording",
            "export",
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
    "deprecation": (set(), set()),
    "entry": (set(), set()),
    "native": ({"i18n", "paths"}, set()),
    "build_native": ({"entry", "native", "i18n"}, {"mypyc", "setuptools"}),
    "build_bundle": ({"", "entry", "native", "build_native", "paths"}, set()),
    "__init__": ({"native", "rules", "catalogue"}, set()),
    "__main__": ({"cli"}, set()),
}
"""What each layer may import: other parts of the package, and third-party libraries."""

ENGINE = PACKAGE / "rules" / "marbles" / "engine"
"""Folder of the engine. The engine's numbers have mypyc's types, which are imported only for type checking and
compilation."""


def test_layers_import_only_allowed_modules() -> None:
    wrong = []
    for file in FILES:
        layer = layer_of(file)
        assert layer in LAYERS, f"add the new layer {layer} to LAYERS"
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


def test_the_engine_imports_compiler_types_only_for_type_checking() -> None:
    for file in ENGINE.rglob("*.py"):
        for node in tree(file).body:
            if isinstance(node, ast.ImportFrom):
                assert node.module != "mypy_extensions", file


def test_the_engine_has_no_circular_imports() -> None:
    names = {
        f"shibumi3d.{'.'.join(f.relative_to(PACKAGE).with_suffix('').parts)}": f for f in ENGINE.rglob("*.py")
    }
    left = {name: {module for module, _ in imports(file)} & set(names) for name, file in names.items()}
    while free := [name for name, needed in left.items() if not needed & set(left)]:
        for name in free:
            del left[name]
    assert not left, "circular imports"


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


def test_no_module_names_a_game() -> None:
    """Everything about a game belongs in its YAML file; only the command line may name games.

    Names shared by a game and its table kind are covered by the next test.
    """
    names = {path.stem for path in (PACKAGE.parent / "games").glob("*.yaml")} - set(KIND_MODULES)
    assert names
    found = []
    for file in FILES:
        excluded = docstrings(file)
        for node in nodes(file):
            text = node.value if isinstance(node, ast.Constant) and node not in excluded else None
            if isinstance(text, str) and text.casefold() in names and layer_of(file) != "cli":
                found.append(f"{file.relative_to(PACKAGE)}:{node.lineno} names {text}")
    assert not found


KIND_TABLES = ("rules/registry.py", "scene/registry.py", "search/heuristics.py")
"""The modules that list the table kinds."""


def test_no_module_names_a_table_kind() -> None:
    """Only the packages of table kinds and the modules that list the kinds may name a kind other than the default."""
    names = set(KIND_MODULES) - {DEFAULT_KIND}
    found = []
    for file in FILES:
        path = file.relative_to(PACKAGE)
        package = path.parts[1].removesuffix(".py").replace("_", "-") if len(path.parts) > 1 else ""
        if path.as_posix() in KIND_TABLES or package in names:
            continue
        excluded = docstrings(file)
        for node in nodes(file):
            text = node.value if isinstance(node, ast.Constant) and node not in excluded else None
            if isinstance(text, str) and text.casefold() in names:
                found.append(f"{path}:{node.lineno} names {text}")
    assert not found


MARBLES = "shibumi3d.rules.marbles"
APP = "shibumi3d.app"
INTERNAL = tuple(
    f"{MARBLES}.{part}"
    for part in (
        "basic",
        "determinization",
        "engine",
        "engines",
        "game",
        "kind",
        "language",
        "observations",
        "preview",
        "search",
        "wording.illegal_moves",
    )
)
"""Modules internal to the rules. Other layers use the interface of games, and the values and texts of marble games."""
KIND_INDEPENDENT = ("match", "search", "render", "catalogue", "scene")
"""Layers that know nothing about marbles, except for ``scene/marbles``, which draws them, and ``ALLOWED`` modules."""
ALLOWED = {
    # The language reference is generated from the words of the language.
    "catalogue/reference.py": MARBLES,
    # What is specific to matches with marbles is in its own module, which the rest of the layer doesn't import.
    "match/marbles.py": MARBLES,
}


def modules() -> dict[str, Path]:
    found = {}
    for file in FILES:
        name = ".".join(("shibumi3d", *file.relative_to(PACKAGE).with_suffix("").parts))
        found[name.removesuffix(".__init__")] = file
    return found


def loaded(file: Path, known: dict[str, Path], *, every: bool = False) -> set[str]:
    """Return the modules of ``known`` that are named in the top-level import statements of ``file``.

    If ``every`` is true, import statements inside functions or other blocks are included too, such as those for type
    checking only. ``known`` maps the names of modules to their files.
    """
    here = ("shibumi3d", *file.relative_to(PACKAGE).with_suffix("").parts)
    found: set[str] = set()
    for node in nodes(file) if every else tree(file).body:
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = ".".join(here[: len(here) - node.level]) if node.level else ""
            module = ".".join(part for part in (base, node.module or "") if part)
            found |= {module, *(f"{module}.{alias.name}" for alias in node.names)}
    return found & known.keys()


def find_circles(graph: dict[str, set[str]]) -> list[list[str]]:
    """Return the strongly connected components that have more than one node (Tarjan's algorithm).

    ``graph`` maps each node to the nodes to which its edges lead; all of these must be keys too. Each component is a
    sorted list.
    """
    number: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    found: list[list[str]] = []

    def visit(node: str) -> None:
        number[node] = low[node] = len(number)
        stack.append(node)
        for other in sorted(graph[node]):
            if other not in number:
                visit(other)
                low[node] = min(low[node], low[other])
            elif other in stack:
                low[node] = min(low[node], number[other])
        if low[node] == number[node]:
            part = stack[stack.index(node) :]
            del stack[stack.index(node) :]
            if len(part) > 1:
                found.append(sorted(part))

    for node in graph:
        if node not in number:
            visit(node)
    return found


def test_circular_imports_are_detected() -> None:
    assert find_circles({"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"a"}}) == [["a", "b", "c"]]
    assert find_circles({"a": {"b"}, "b": set()}) == []


def test_package_has_no_circular_imports() -> None:
    """An import of a name from a package counts as an import of the package itself.

    If a package ``a`` imports its module ``a.b``, then ``from a import c`` in ``a.b`` is therefore circular; write
    ``import a.c as c`` instead.
    """
    known = modules()
    graph = {name: loaded(file, known) - {name} for name, file in known.items()}
    assert find_circles(graph) == []


def test_package_has_no_lazy_or_type_only_circular_imports() -> None:
    known = modules()
    graph = {name: loaded(file, known, every=True) - {name} for name, file in known.items()}
    assert find_circles(graph) == []


APP_LAYERS = (
    ("main",),
    ("platform",),
    ("application",),
    ("shell",),
    ("pages",),
    ("match",),
    ("host",),
    ("board_descriptions", "secret_reveals"),
    ("ui",),
)
"""The layers of the window from the top: each may import itself and those below it."""


def app_layer_of(module: str) -> int:
    """Return the layer of a module of :mod:`shibumi3d.app`, counted from 0 at the top."""
    part = module.removeprefix(f"{APP}.").partition(".")[0]
    return next(number for number, parts in enumerate(APP_LAYERS) if part in parts)


def test_app_modules_import_no_higher_app_layer() -> None:
    """Imports inside functions and for type checking count too."""
    known = modules()
    wrong = [
        f"{name} imports {other}"
        for name, file in known.items()
        if name.startswith(f"{APP}.")
        for other in loaded(file, known, every=True)
        if other.startswith(f"{APP}.") and app_layer_of(other) < app_layer_of(name)
    ]
    assert wrong == []


MARBLE_VIEW, SCENE_VIEW = f"{APP}.match.marble_view", f"{APP}.match.scene_view"
SHARED_MARBLE_VIEW = {f"{MARBLE_VIEW}.{part}" for part in ("boards", "controller", "picking_targets")}
"""Modules of the marble view that other pages with marble boards also use."""


def test_table_views_are_independent() -> None:
    """Only a table view's own modules and those in ``PROGRAM`` may import all modules of that view.

    All other modules of the window, including those of the other view, may import only two things from the view: its
    package itself, and the modules in ``SHARED_MARBLE_VIEW``.
    """
    known = modules()
    wrong = [
        f"{name} imports {other}"
        for name, file in known.items()
        if name.startswith(f"{APP}.") and not name.startswith(PROGRAM)
        for other in loaded(file, known, every=True) - {MARBLE_VIEW, SCENE_VIEW}
        if (
            other.startswith(MARBLE_VIEW)
            and not name.startswith(MARBLE_VIEW)
            and other not in SHARED_MARBLE_VIEW
        )
        or (other.startswith(SCENE_VIEW) and not name.startswith(SCENE_VIEW))
    ]
    assert wrong == []


def test_marble_click_handling_imports_no_page_or_widget() -> None:
    known = modules()
    allowed = {f"{MARBLE_VIEW}.{part}" for part in ("controller", "picking_targets")}
    for part in ("controller", "picking_targets"):
        used = loaded(known[f"{MARBLE_VIEW}.{part}"], known, every=True)
        assert {name for name in used if name.startswith(f"{APP}.")} <= allowed, part


PROGRAM = tuple(f"{APP}.{part}" for part in ("main", "platform", "application", "shell"))
"""The modules that put the program together, and may know all pages."""
BASES = {"Page", "BoardsPage"}
"""Base classes of pages that are not pages themselves."""


def page_classes() -> dict[str, Path]:
    found = dict.fromkeys(BASES, PACKAGE)
    classes = [(node, file) for file in FILES for node in nodes(file) if isinstance(node, ast.ClassDef)]
    for _ in range(len(classes)):
        more = {
            node.name: file
            for node, file in classes
            if layer_of(file) == "app"
            and node.name not in found
            and {*map(ast.unparse, node.bases)} & found.keys()
        }
        if not more:
            break
        found.update(more)
    return {name: file for name, file in found.items() if name not in BASES}


def other_pages(name: str, imported: set[str]) -> set[str]:
    """Return the imported modules that belong to a page other than that of the module ``name``.

    The result is empty if ``name`` doesn't belong to a page.
    """
    pages = f"{APP}.pages."
    if not name.startswith(pages):
        return set()
    own = name.removeprefix(pages).partition(".")[0]
    every = {module for module in imported if module.startswith(pages)}
    return {module for module in every if module.removeprefix(pages).partition(".")[0] != own}


def test_page_modules_import_no_module_of_another_page() -> None:
    """What two pages share belongs in a lower layer, even if it is imported only for type checking."""
    known = modules()
    wrong = {name: other_pages(name, loaded(file, known, every=True)) for name, file in known.items()}
    assert {name: found for name, found in wrong.items() if found} == {}
    assert other_pages(f"{APP}.pages.home.a", {f"{APP}.pages.home.b", f"{APP}.pages.replay"})


MARBLE_TYPES = {"MarbleFacts"}
"""Types by which marble games can be distinguished from others."""


def test_app_never_checks_whether_games_have_marbles() -> None:
    wrong = [
        f"{name_of(file)}:{node.lineno}"
        for file in FILES
        if layer_of(file) == "app"
        for node in nodes(file)
        if isinstance(node, ast.Call)
        and (
            ast.unparse(node.func) == "has_marbles"
            or (
                ast.unparse(node.func) == "isinstance"
                and MARBLE_TYPES & set(ast.unparse(node.args[1]).split(" | "))
            )
        )
    ]
    assert wrong == []


def test_kind_independent_layers_do_not_import_match_marbles() -> None:
    wrong = [
        name_of(file)
        for file in FILES
        if layer_of(file) in KIND_INDEPENDENT
        for module, _ in imports(file)
        if module.startswith("shibumi3d.match.marbles")
    ]
    assert wrong == []


def imported_pages(tree: ast.AST, pages: set[str]) -> set[str]:
    """Return the page classes named in ``pages`` that a module imports but doesn't subclass.

    ``tree`` is the parsed module. Only ``from`` imports count, including those within functions and those for type
    checking only.
    """
    imported = {
        alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
        if alias.name in pages
    }
    subclassed = {
        ast.unparse(base) for node in ast.walk(tree) if isinstance(node, ast.ClassDef) for base in node.bases
    }
    return imported - subclassed


def test_pages_import_no_other_page() -> None:
    """Outside ``PROGRAM``, modules import a page only to subclass it.

    They open a page through :class:`.Navigation`, without importing the page.
    """
    pages = page_classes()
    assert {
        "MarbleMatchPage",
        "SceneMatchPage",
        "ReplayPage",
        "PositionEditorPage",
        "HomePage",
    } <= pages.keys()
    assert {"GameDesignerPage", "GuidePage", "SceneExercisePage"} <= pages.keys()
    known = modules()
    wrong = {
        name: imported_pages(tree(file), {*pages})
        for name, file in known.items()
        if not name.startswith(PROGRAM)
    }
    assert {name: found for name, found in wrong.items() if found} == {}


def test_imported_pages_are_detected() -> None:
    source = "from a import MatchPage\ndef show():\n    from b import ReplayPage\nclass LessonPage(MatchPage): pass"
    assert imported_pages(ast.parse(source), {"MatchPage", "ReplayPage"}) == {"ReplayPage"}


def test_only_the_command_line_imports_the_program() -> None:
    known = modules()
    users = {
        name
        for name, file in known.items()
        if any(other.startswith(PROGRAM) for other in loaded(file, known, every=True))
    }
    assert {name for name in users if not name.startswith((*PROGRAM, "shibumi3d.cli"))} == set()


def test_type_only_and_function_imports_are_detected() -> None:
    kind = PACKAGE / "rules" / "marbles" / "kind.py"
    lazy = "shibumi3d.rules.marbles.game"
    assert lazy not in loaded(kind, modules())
    assert lazy in loaded(kind, modules(), every=True)


def test_only_the_rules_import_marble_game_internals() -> None:
    wrong = [
        f"{name_of(file)}:{line} imports {module}"
        for file in FILES
        if layer_of(file) != "rules"
        for module, line in imports(file)
        if module.startswith(INTERNAL) and not module.startswith(ALLOWED.get(name_of(file), "nothing"))
    ]
    assert not wrong


def test_kind_independent_layers_import_nothing_about_marbles() -> None:
    wrong = []
    for file in FILES:
        path = name_of(file)
        allowed = MARBLES if path.startswith("scene/marbles/") else ALLOWED.get(path, "nothing")
        if layer_of(file) in KIND_INDEPENDENT:
            wrong += [
                f"{path}:{line} imports {module}"
                for module, line in imports(file)
                if module.startswith(MARBLES) and not module.startswith(allowed)
            ]
    assert not wrong


UPPER_PACKAGES = ("search", "wording")
"""The topmost packages of the marble games; only the module ``game`` may import them."""


def test_only_the_game_module_imports_search_and_wording() -> None:
    users: dict[str, set[str]] = {package: set() for package in UPPER_PACKAGES}
    for file in FILES:
        path = file.relative_to(PACKAGE)
        if path.parts[:2] == ("rules", "marbles"):
            for package in UPPER_PACKAGES:
                found = {module for module, _ in imports(file)}
                if path.parts[2] != package and any(m.startswith(f"{MARBLES}.{package}") for m in found):
                    users[package].add(path.parts[2])
    assert users == {"search": {"game.py"}, "wording": {"game.py"}}


def private_names(file: Path) -> set[str]:
    """Return the private names defined in the classes of a file: methods, attributes and variables.

    Private names begin with exactly one underscore. A name that is only assigned when a tuple is unpacked, as in
    ``self._a, self._b = a, b``, is left out.
    """
    found: set[str] = set()
    for owner in nodes(file):
        if isinstance(owner, ast.ClassDef):
            for node in ast.walk(owner):
                if isinstance(node, ast.FunctionDef):
                    found.add(node.name)
                elif isinstance(node, ast.AnnAssign | ast.Assign):
                    for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                        if isinstance(target, ast.Attribute):
                            found.add(target.attr)
                        elif isinstance(target, ast.Name):
                            found.add(target.id)
    return {name for name in found if name.startswith("_") and not name.startswith("__")}


def private_names_of_rules() -> set[str]:
    return set().union(*[private_names(file) for file in FILES if layer_of(file) == "rules"])


def test_private_names_are_detected() -> None:
    assert {"_snapshot", "_rules", "_item", "_cache_legal_moves"} <= private_names_of_rules()


def test_only_the_rules_read_their_private_attributes() -> None:
    private = private_names_of_rules()
    wrong = [
        f"{name_of(file)}:{node.lineno} reads {ast.unparse(node)}"
        for file in FILES
        if layer_of(file) != "rules"
        for node in nodes(file)
        if isinstance(node, ast.Attribute)
        and node.attr in private
        and not (isinstance(node.value, ast.Name) and node.value.id in ("self", "cls"))
    ]
    assert not wrong


def test_exports_need_no_window() -> None:
    known = modules()
    left, found = [name for name in known if name.startswith("shibumi3d.export")], set[str]()
    while left:
        name = left.pop()
        if name not in found:
            found.add(name)
            left += loaded(known[name], known)
    assert "shibumi3d.scene.marbles.diagram" in found
    wrong = {name for name in found if name.startswith(f"{APP}.")}
    wrong |= {name for name in found if "import pyglet" in known[name].read_text(encoding="utf-8")}
    assert not wrong


TESTS = PACKAGE.parent / "tests"
PRIVATE_OF_MARBLE_GAMES = {"_snapshot", "_rules", "_rules_for", "_rules_by_seats", "_item"}
"""Private attributes of marble states and games."""


def test_only_rules_and_games_tests_read_private_attributes() -> None:
    wrong = [
        f"{file.relative_to(TESTS)}:{node.lineno} reads {ast.unparse(node)}"
        for folder in ("app", "catalogue", "cli", "match", "render", "scene", "search")
        for file in sorted((TESTS / folder).rglob("*.py"))
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute) and node.attr in PRIVATE_OF_MARBLE_GAMES
    ]
    assert not wrong
