"""Source files of the compiled engine: its modules, their variants for wide boards and their imports."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence

from shibumi3d.native import ENGINE, PACKAGE, WIDE, twin_of

MODULES: tuple[str, ...] = (
    "shibumi3d.rules.marbles.bits",
    "shibumi3d.rules.marbles.engine.board",
    "shibumi3d.rules.marbles.engine.build.comprehensions",
    "shibumi3d.rules.marbles.engine.build.expressions",
    "shibumi3d.rules.marbles.engine.build.fixed",
    "shibumi3d.rules.marbles.engine.build.geometry",
    "shibumi3d.rules.marbles.engine.build.maker",
    "shibumi3d.rules.marbles.engine.build.nodes",
    "shibumi3d.rules.marbles.engine.build.program",
    "shibumi3d.rules.marbles.engine.build.values",
    "shibumi3d.rules.marbles.engine.chance",
    "shibumi3d.rules.marbles.engine.ends",
    "shibumi3d.rules.marbles.engine.exact",
    "shibumi3d.rules.marbles.engine.fast",
    "shibumi3d.rules.marbles.engine.frozen",
    "shibumi3d.rules.marbles.engine.lookahead",
    "shibumi3d.rules.marbles.engine.machine",
    "shibumi3d.rules.marbles.engine.nodes.loops",
    "shibumi3d.rules.marbles.engine.nodes.operators",
    "shibumi3d.rules.marbles.engine.nodes.places",
    "shibumi3d.rules.marbles.engine.nodes.totals",
    "shibumi3d.rules.marbles.engine.nodes.values",
    "shibumi3d.rules.marbles.engine.play",
    "shibumi3d.rules.marbles.engine.playouts",
    "shibumi3d.rules.marbles.engine.proofs",
    "shibumi3d.rules.marbles.engine.steps.blocks",
    "shibumi3d.rules.marbles.engine.steps.branches",
    "shibumi3d.rules.marbles.engine.steps.choices",
    "shibumi3d.rules.marbles.engine.steps.picks",
    "shibumi3d.rules.marbles.engine.steps.verbs",
    "shibumi3d.rules.marbles.engine.tree",
    "shibumi3d.rules.marbles.engine.turns",
    "shibumi3d.rules.marbles.engine.workspace",
    "shibumi3d.rules.marbles.engine.worth",
    "shibumi3d.rules.marbles.position",
    "shibumi3d.rules.marbles.pyramid",
)
"""Modules to compile; add every new module of the engine here.

Circular imports among them are allowed.
"""

HOT = (
    "bits",
    "engine.board",
    "engine.chance",
    "engine.ends",
    "engine.fast",
    "engine.lookahead",
    "engine.machine",
    "engine.nodes.loops",
    "engine.nodes.operators",
    "engine.nodes.places",
    "engine.nodes.totals",
    "engine.nodes.values",
    "engine.play",
    "engine.playouts",
    "engine.steps.blocks",
    "engine.steps.branches",
    "engine.steps.choices",
    "engine.steps.picks",
    "engine.steps.verbs",
    "engine.tree",
    "engine.turns",
    "engine.workspace",
    "engine.worth",
)
"""The modules of :data:`MODULES` in which searches spend most of their time.

Their common prefix is left out. They are compiled as a single unit at the highest optimization level, so that calls
between them can be inlined. The other modules are compiled at a lower level, which takes less time.
"""
WIDE_HOT = (
    "engine.board",
    "engine.lookahead",
    "engine.nodes.places",
    "engine.steps.choices",
    "engine.turns",
    "engine.workspace",
)
"""Like :data:`HOT`, but for the twins: the variants of modules for wide boards.

The list is shorter because twins spend half of their time in Python integer operations, which are already compiled C
code.
"""

_NARROW = "from mypy_extensions import i64 as M"


def source_of(module: str) -> str:
    """Return the path of a module's source in the package, or "" if the package has no such module."""
    path = "/".join(module.split(".")[1:])
    return next((name for name in (f"{path}.py", f"{path}/__init__.py") if (PACKAGE / name).is_file()), "")


def closure(modules: Iterable[str]) -> tuple[str, ...]:
    """Return the sources of ``modules`` and of all modules of the package that they import.

    Indirect imports and imports for type checking count too. The package's own ``__init__.py`` is left out: it only
    gives access to the catalogue.
    """
    found: set[str] = set()
    todo = list(modules)
    while todo:
        module = todo.pop()
        name = source_of(module)
        if name and name != "__init__.py" and name not in found:
            found.add(name)
            todo += imports(module, name)
            todo.append(module.rpartition(".")[0])
    return tuple(sorted(found))


def imports(module: str, name: str) -> Iterator[str]:
    """Yield the names of all modules of the package that a source file may import.

    Some of these are actually names of functions or classes, since ``from package import name`` doesn't show which it
    is.
    """
    parts = module.split(".") if name.endswith("__init__.py") else module.split(".")[:-1]
    for node in ast.walk(ast.parse((PACKAGE / name).read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name.startswith("shibumi3d."))
        elif isinstance(node, ast.ImportFrom):
            base = ".".join(parts[: len(parts) + 1 - node.level]) if node.level else ""
            whole = ".".join(part for part in (base, node.module or "") if part)
            if whole.partition(".")[0] == "shibumi3d":
                yield from (whole, *(f"{whole}.{alias.name}" for alias in node.names))


def twins(modules: Sequence[str] = MODULES) -> dict[str, str]:
    """Return the modules that are compiled twice, each mapped to the name of its twin.

    These are the modules that use 64-bit integers, and all that import such a module, directly or not.
    """
    engine = [module for module in modules if module.startswith(f"{ENGINE}.")]
    texts = {module: (PACKAGE / source_of(module)).read_text(encoding="utf-8") for module in engine}
    known = {module: set(imports(module, source_of(module))) for module in engine}
    found = {module for module in engine if _NARROW in texts[module]}
    while more := {module for module in engine if module not in found and known[module] & found}:
        found |= more
    return {module: module.replace(ENGINE, WIDE, 1) for module in sorted(found)}


def twin_text(module: str, twinned: Iterable[str]) -> str:
    """Return the source text of a module's twin.

    The twin uses integers of unlimited size, and imports the twins of all modules in ``twinned``.
    """
    text = (PACKAGE / source_of(module)).read_text(encoding="utf-8")
    return twin_of(text.replace(_NARROW, "from builtins import int as M"), module, twinned)
