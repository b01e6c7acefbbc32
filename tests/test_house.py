"""How the house is built: no circles among imports, no file or class that knows too much, no way round the contract."""

from __future__ import annotations

import ast
from pathlib import Path

from tests.sources import FILES, PACKAGE, imports, layer_of, name_of, nodes, tree

MARBLES = "shibumi3d.rules.marbles"
APP = "shibumi3d.app"
INNER = tuple(
    f"{MARBLES}.{part}"
    for part in (
        "basic", "engine", "engines", "foresight", "game", "hidden", "kind", "language", "secrets", "thinking",
        "wording.reasons",
    )
)  # fmt: skip
"""What only the marble rules themselves may import: others take the contract, and its own words of a table."""
ANY_TABLE = ("match", "search", "render", "catalogue", "scene")
"""The layers that know no kind of table, but for ``scene/X``, which draws the table X."""
ALLOWED = {
    # The reference of the language is made from its words.
    "catalogue/reference.py": MARBLES,
}


def modules() -> dict[str, Path]:
    """All modules of the package by name."""
    found = {}
    for file in FILES:
        name = ".".join(("shibumi3d", *file.relative_to(PACKAGE).with_suffix("").parts))
        found[name.removesuffix(".__init__")] = file
    return found


def loaded(file: Path, known: dict[str, Path], *, every: bool = False) -> set[str]:
    """The known modules that ``file`` loads when it is imported; with ``every`` also those that it imports inside
    functions and for types alone."""
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


def circles(graph: dict[str, set[str]]) -> list[list[str]]:
    """Every set of nodes of a graph that reach each other (Tarjan's strongly connected parts)."""
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


def test_circles_are_found() -> None:
    assert circles({"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"a"}}) == [["a", "b", "c"]]
    assert circles({"a": {"b"}, "b": set()}) == []


def test_no_imports_go_in_circles() -> None:
    known = modules()
    graph = {name: loaded(file, known) - {name} for name, file in known.items()}
    assert circles(graph) == []


def test_no_part_needs_one_that_needs_it_lazily_or_for_types_either() -> None:
    known = modules()
    graph = {name: loaded(file, known, every=True) - {name} for name, file in known.items()}
    assert circles(graph) == []


FLOORS = (("program",), ("pages",), ("board",), ("host",), ("marbles",), ("ui",), ("wording",), ("assets",))
"""The floors of the window from the top: each knows those below it and itself. Pages do not know each other."""


def floor_of(module: str) -> int:
    """Which floor a module of the window is on, 0 at the top."""
    room = module.removeprefix(f"{APP}.").partition(".")[0]
    return next(level for level, rooms in enumerate(FLOORS) if room in rooms)


def test_nothing_imports_what_stands_above_it() -> None:
    """Not inside functions, and not for types either."""
    known = modules()
    wrong = [
        f"{name} imports {other}"
        for name, file in known.items()
        if name.startswith(f"{APP}.")
        for other in loaded(file, known, every=True)
        if other.startswith(f"{APP}.") and floor_of(other) < floor_of(name)
    ]
    assert wrong == []


PROGRAM = f"{APP}.program"
"""What puts the program together, and knows all the others."""
BASES = {"Page", "BoardScreen"}
"""What pages are made of, and no page themselves."""


def page_classes() -> dict[str, Path]:
    """The classes of pages, and where they are."""
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


def strangers(name: str, taken: set[str]) -> set[str]:
    """Which of the modules that a page's file imports are another page's."""
    pages = f"{APP}.pages."
    if not name.startswith(pages):
        return set()
    own = name.removeprefix(pages).partition(".")[0]
    every = {module for module in taken if module.startswith(pages)}
    return {module for module in every if module.removeprefix(pages).partition(".")[0] != own}


def test_no_file_of_a_page_imports_one_of_another() -> None:
    """Not for types either: what two pages share stands on a floor below them."""
    known = modules()
    wrong = {name: strangers(name, loaded(file, known, every=True)) for name, file in known.items()}
    assert {name: found for name, found in wrong.items() if found} == {}
    assert strangers(f"{APP}.pages.play.a", {f"{APP}.pages.play.b", f"{APP}.pages.learn.c"})


MARBLE_WORDS = {"MarbleFacts"}
"""By what a marble game can be told from others."""


def test_the_window_asks_no_game_whether_it_is_of_marbles() -> None:
    wrong = [
        f"{name_of(file)}:{node.lineno}"
        for file in FILES
        if layer_of(file) == "app" and "app/marbles/" not in file.as_posix()
        for node in nodes(file)
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "isinstance"
        if MARBLE_WORDS & set(ast.unparse(node.args[1]).split(" | "))
    ]
    assert wrong == []


def pages_taken(tree: ast.AST, pages: set[str]) -> set[str]:
    """The pages that are imported anywhere in a module, also for types, but for those of which it makes another."""
    taken = {
        alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
        if alias.name in pages
    }
    made = {
        ast.unparse(base) for node in ast.walk(tree) if isinstance(node, ast.ClassDef) for base in node.bases
    }
    return taken - made


def test_no_page_imports_a_page() -> None:
    """Nor does any part of one: the ways to other pages are the host's."""
    pages = page_classes()
    assert {"Play", "TablePlay", "Replay", "Edit", "Home", "Design", "Guide", "TableTrial"} <= pages.keys()
    known = modules()
    wrong = {
        name: pages_taken(tree(file), {*pages})
        for name, file in known.items()
        if not name.startswith(PROGRAM)
    }
    assert {name: taken for name, taken in wrong.items() if taken} == {}


def test_pages_that_are_imported_are_found() -> None:
    source = "from a import Play\ndef show():\n    from b import Replay\nclass Lesson(Play): pass"
    assert pages_taken(ast.parse(source), {"Play", "Replay"}) == {"Replay"}


def test_nothing_imports_the_program_but_its_own_files_and_the_command_line() -> None:
    known = modules()
    users = {
        name
        for name, file in known.items()
        if any(other.startswith(PROGRAM) for other in loaded(file, known, every=True))
    }
    assert {name for name in users if not name.startswith((PROGRAM, "shibumi3d.cli"))} == set()


def test_imports_for_types_and_inside_functions_are_found() -> None:
    kind = PACKAGE / "rules" / "marbles" / "kind.py"
    lazily = "shibumi3d.rules.marbles.game"
    assert lazily not in loaded(kind, modules())
    assert lazily in loaded(kind, modules(), every=True)


def test_nobody_above_the_rules_imports_the_inside_of_a_table() -> None:
    wrong = [
        f"{name_of(file)}:{line} imports {module}"
        for file in FILES
        if layer_of(file) != "rules"
        for module, line in imports(file)
        if module.startswith(INNER) and not module.startswith(ALLOWED.get(name_of(file), "nothing"))
    ]
    assert not wrong


def test_what_plays_any_game_knows_no_table() -> None:
    wrong = []
    for file in FILES:
        path = name_of(file)
        allowed = MARBLES if path.startswith("scene/marbles/") else ALLOWED.get(path, "nothing")
        if layer_of(file) in ANY_TABLE:
            wrong += [
                f"{path}:{line} imports {module}"
                for module, line in imports(file)
                if module.startswith(MARBLES) and not module.startswith(allowed)
            ]
    assert not wrong


ROOMS = ("thinking", "wording")
"""What stands on top of marble games as they are played, side by side."""


def test_marbles_are_played_by_what_neither_thinks_nor_speaks() -> None:
    users: dict[str, set[str]] = {room: set() for room in ROOMS}
    for file in FILES:
        path = file.relative_to(PACKAGE)
        if path.parts[:2] == ("rules", "marbles"):
            for room in ROOMS:
                found = {module for module, _ in imports(file)}
                if path.parts[2] != room and any(m.startswith(f"{MARBLES}.{room}") for m in found):
                    users[room].add(path.parts[2])
    assert users == {"thinking": {"game.py"}, "wording": {"game.py"}}


def private_names(file: Path) -> set[str]:
    """The private names of the classes in a file: what they define, and what their instances are given."""
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


def test_private_names_are_found() -> None:
    assert {"_at", "_rules", "_item", "_offer"} <= private_names_of_rules()


def test_nobody_above_the_rules_reads_their_private_fields() -> None:
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


PAPER = ("shibumi3d.cli.sheet", "shibumi3d.cli.postcard", "shibumi3d.cli.paper")
WINDOW = ("ui", "host", "board", "pages", "program")
"""The rooms of the program with a window."""


def test_paper_needs_nothing_of_the_window() -> None:
    known = modules()
    left, met = [name for name in known if name.startswith(PAPER)], set[str]()
    while left:
        name = left.pop()
        if name not in met:
            met.add(name)
            left += loaded(known[name], known)
    assert "shibumi3d.scene.marbles.diagram" in met
    wrong = {name for name in met if name.startswith(tuple(f"shibumi3d.app.{room}" for room in WINDOW))}
    wrong |= {name for name in met if "import pyglet" in known[name].read_text(encoding="utf-8")}
    assert not wrong


TESTS = PACKAGE.parent / "tests"
INSIDE = {"_at", "_rules", "_compiled", "_item"}
"""The inside of marble states and games."""


def test_only_tests_of_rules_and_games_look_inside() -> None:
    wrong = [
        f"{file.relative_to(TESTS)}:{node.lineno} reads {ast.unparse(node)}"
        for folder in ("app", "catalogue", "cli", "match", "render", "scene", "search")
        for file in sorted((TESTS / folder).rglob("*.py"))
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute) and node.attr in INSIDE
    ]
    assert not wrong
