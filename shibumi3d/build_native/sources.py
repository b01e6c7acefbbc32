"""Source files of the compiled engine: its modules, their variants for wide boards and their imports."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence

from shibumi3d.native import ENGINE_PACKAGE, PACKAGE_FOLDER, WIDE, Twins, twin_source

MODULES: tuple[str, ...] = (
    "shibumi3d.rules.marbles.bits",
    "shibumi3d.rules.marbles.engine.board",
    "shibumi3d.rules.marbles.engine.build.comprehensions",
    "shibumi3d.rules.marbles.engine.build.context",
    "shibumi3d.rules.marbles.engine.build.expressions",
    "shibumi3d.rules.marbles.engine.build.geometry",
    "shibumi3d.rules.marbles.engine.build.nodes",
    "shibumi3d.rules.marbles.engine.build.program",
    "shibumi3d.rules.marbles.engine.build.values",
    "shibumi3d.rules.marbles.engine.end_rules",
    "shibumi3d.rules.marbles.engine.exhaustive_search",
    "shibumi3d.rules.marbles.engine.fast_game",
    "shibumi3d.rules.marbles.engine.interface",
    "shibumi3d.rules.marbles.engine.learned_evaluation",
    "shibumi3d.rules.marbles.engine.lookahead",
    "shibumi3d.rules.marbles.engine.machine",
    "shibumi3d.rules.marbles.engine.mcts",
    "shibumi3d.rules.marbles.engine.nodes.geometry",
    "shibumi3d.rules.marbles.engine.nodes.loops",
    "shibumi3d.rules.marbles.engine.nodes.operators",
    "shibumi3d.rules.marbles.engine.nodes.values",
    "shibumi3d.rules.marbles.engine.play",
    "shibumi3d.rules.marbles.engine.playouts",
    "shibumi3d.rules.marbles.engine.proof_number_search",
    "shibumi3d.rules.marbles.engine.snapshots",
    "shibumi3d.rules.marbles.engine.steps.blocks",
    "shibumi3d.rules.marbles.engine.steps.choices",
    "shibumi3d.rules.marbles.engine.steps.control_flow",
    "shibumi3d.rules.marbles.engine.steps.picks",
    "shibumi3d.rules.marbles.engine.steps.verbs",
    "shibumi3d.rules.marbles.engine.turns",
    "shibumi3d.rules.marbles.position",
    "shibumi3d.rules.marbles.pyramid",
)
"""Modules to compile; add every new module of the engine here.

Circular imports among them are allowed.
"""

HOT_MODULES = (
    "bits",
    "engine.board",
    "engine.end_rules",
    "engine.fast_game",
    "engine.interface",
    "engine.learned_evaluation",
    "engine.lookahead",
    "engine.machine",
    "engine.mcts",
    "engine.nodes.geometry",
    "engine.nodes.loops",
    "engine.nodes.operators",
    "engine.nodes.values",
    "engine.play",
    "engine.playouts",
    "engine.steps.blocks",
    "engine.steps.choices",
    "engine.steps.control_flow",
    "engine.steps.picks",
    "engine.steps.verbs",
    "engine.turns",
)
"""The modules of :data:`MODULES` in which searches spend most of their time.

Their names lack the common prefix ``shibumi3d.rules.marbles.``. They are compiled as a single unit at the highest
optimization level, so that calls between them can be inlined. The other modules are compiled at a lower level, which
takes less time.
"""
TWIN_HOT_MODULES = (
    "engine.board",
    "engine.lookahead",
    "engine.machine",
    "engine.nodes.geometry",
    "engine.steps.choices",
    "engine.turns",
)
"""Like :data:`HOT_MODULES`, but for the twins.

The list is shorter because the twins spend more of their time in operations on sets, and fewer people need them.
"""

_NARROW_IMPORT = "from mypy_extensions import i64 as M"


def source_path(module: str) -> str:
    """Return the path of a module's source in the package, or "" if the package has no such module."""
    path = "/".join(module.split(".")[1:])
    return next(
        (name for name in (f"{path}.py", f"{path}/__init__.py") if (PACKAGE_FOLDER / name).is_file()), ""
    )


def source_closure(modules: Iterable[str]) -> tuple[str, ...]:
    """Return the source paths of ``modules`` and of all modules of the package that they import.

    Indirect imports, imports for type checking and the packages that contain the modules count too. The ``__init__.py``
    of the whole package is left out: it only gives access to the catalogue.
    """
    result: set[str] = set()
    todo = list(modules)
    while todo:
        module = todo.pop()
        name = source_path(module)
        if name and name != "__init__.py" and name not in result:
            result.add(name)
            todo += imported_modules(module, name)
            todo.append(module.rpartition(".")[0])
    return tuple(sorted(result))


def imported_modules(module: str, path: str) -> Iterator[str]:
    """Yield the names of all modules of the package that a source file may import.

    ``module`` is the name of the module in that file, and ``path`` is the path of the file within the package. Some of
    the names belong to functions, classes or constants, since ``from package import name`` doesn't show whether
    ``name`` is a module.
    """
    parts = module.split(".") if path.endswith("__init__.py") else module.split(".")[:-1]
    for node in ast.walk(ast.parse((PACKAGE_FOLDER / path).read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name.startswith("shibumi3d."))
        elif isinstance(node, ast.ImportFrom):
            base = ".".join(parts[: len(parts) + 1 - node.level]) if node.level else ""
            whole = ".".join(part for part in (base, node.module or "") if part)
            if whole.partition(".")[0] == "shibumi3d":
                yield from (whole, *(f"{whole}.{alias.name}" for alias in node.names))


def twin_modules(modules: Sequence[str] = MODULES, twins: Twins = WIDE) -> dict[str, str]:
    """Return the modules that have twins, each mapped to the name of its twin in ``twins``.

    These are the engine modules among ``modules`` that use 64-bit integers, and those that import one of them, directly
    or indirectly.
    """
    engine = [module for module in modules if module.startswith(f"{ENGINE_PACKAGE}.")]
    texts = {module: (PACKAGE_FOLDER / source_path(module)).read_text(encoding="utf-8") for module in engine}
    imports = {module: set(imported_modules(module, source_path(module))) for module in engine}
    twinned = {module for module in engine if _NARROW_IMPORT in texts[module]}
    while more := {module for module in engine if module not in twinned and imports[module] & twinned}:
        twinned |= more
    return {module: module.replace(ENGINE_PACKAGE, twins.package, 1) for module in sorted(twinned)}


def module_twin_source(module: str, twinned_modules: Iterable[str], twins: Twins = WIDE) -> str:
    """Return the source text of a module's twin in ``twins``.

    Imports of modules in ``twinned_modules`` are redirected to the twins of these modules. In :data:`.WIDE`, sets are
    stored in Python integers instead of 64-bit integers. In other twins, the source still names 64-bit integers, which
    are replaced during compilation. Raises the same errors as :func:`.twin_source`.
    """
    text = (PACKAGE_FOLDER / source_path(module)).read_text(encoding="utf-8")
    if twins is WIDE:
        text = text.replace(_NARROW_IMPORT, "from builtins import int as M")
    return twin_source(text, module, twinned_modules, twins)
