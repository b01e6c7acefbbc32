"""Keep the message catalogues up to date: ``python -m tools messages`` extracts, updates and compiles them.

Messages are found in the syntax tree rather than by Babel's own extractor, since errors take their message and its
values in one call (``RecordError("turn {number}: {problem}", number=3, problem=error)``).
"""

from __future__ import annotations

import argparse
import ast
import io
from collections.abc import Iterator
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from shibumi3d.i18n import FOLDER, LANGUAGES

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "shibumi3d"
BUILT = PACKAGE / "_native"
TEMPLATE = FOLDER / "shibumi3d.pot"
POSITIONS = {
    "_": 0, "N_": 0, "Message": 0, "message": 0, "translate": 1,
    # What notes a mistake of a file: the place comes first.
    "Problem": 1, "problem": 1, "_problem": 1, "Mistake": 1, "wrong": 1, "_wrong": 1, "_stop": 1,
    # Words of the rule language: name, type, type, meaning; verbs: name, keys, meaning.
    "word": 3, "value": 2, "verb": 2,
}  # fmt: skip
"""Functions that take a message, and which of their arguments it is."""
BASE = "LocalizedError"
"""Class of the errors whose first argument is a message."""

Key = tuple[str | None, str | tuple[str, str]]
"""Context and message; a plural message has two forms."""


def main(argv: list[str] | None = None) -> int:
    """Update and compile all catalogues; with ``--check`` say instead whether that would change any."""
    parser = argparse.ArgumentParser(prog="messages", description=main.__doc__)
    parser.add_argument(
        "--check", action="store_true", help="change nothing; exit with 1 if a catalogue is out of date"
    )
    check = parser.parse_args(argv).check
    stale = [path for path, text in updated().items() if not path.is_file() or path.read_bytes() != text]
    if check:
        for path in stale:
            print(f"{path.relative_to(ROOT)} is out of date: run 'make messages'")
        return 1 if stale else 0
    for path, text in updated().items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text)
    compile_catalogues()
    return 0


def updated() -> dict[Path, bytes]:
    """Return the template and the catalogues as they should be, by path."""
    template = extract()
    found = {TEMPLATE: _text(template)}
    for code in LANGUAGES:
        if code != "en":
            path = catalogue_path(code)
            catalogue = _read(path, code)
            catalogue.update(template, no_fuzzy_matching=True, update_header_comment=False)
            catalogue.obsolete.clear()
            found[path] = _text(catalogue)
    return found


def catalogue_path(code: str) -> Path:
    """Return the path of the catalogue of a language."""
    return FOLDER / code / "LC_MESSAGES" / "shibumi3d.po"


def compile_catalogues(*, stale_only: bool = False) -> None:
    """Write the compiled catalogue beside each catalogue; ``stale_only`` leaves those that are newer."""
    for path in sorted(FOLDER.glob("*/LC_MESSAGES/shibumi3d.po")):
        target = path.with_suffix(".mo")
        if stale_only and target.is_file() and target.stat().st_mtime >= path.stat().st_mtime:
            continue
        made = io.BytesIO()
        write_mo(made, _read(path, path.parts[-3]))
        target.write_bytes(made.getvalue())


def extract() -> Catalog:
    """Return the template of all messages in the package, in the order of files."""
    catalogue = Catalog(
        project="Shibumi 3D", charset="utf-8", header_comment="# Messages of Shibumi 3D.", fuzzy=False
    )
    # The compiler works on copies inside the package, beside this check.
    files = [file for file in sorted(PACKAGE.rglob("*.py")) if BUILT not in file.parents]
    errors = _error_classes(files)
    for file in files:
        name = file.relative_to(ROOT).as_posix()
        for context, text in _messages(ast.parse(file.read_text(encoding="utf-8")), errors):
            catalogue.add(text, context=context, locations=[(name, 0)], flags=_flags(text))
    return catalogue


def _flags(text: str | tuple[str, str]) -> set[str]:
    """Return how a message is filled in, for editors that check translations."""
    return {"python-brace-format"} if "{" in (text if isinstance(text, str) else "".join(text)) else set()


def _error_classes(files: list[Path]) -> set[str]:
    """Return the names of all errors that carry a message."""
    bases = {
        node.name: {ast.unparse(base).rpartition(".")[2] for base in node.bases}
        for file in files
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.ClassDef)
    }
    found = {BASE}
    while more := {name for name, above in bases.items() if above & found} - found:
        found |= more
    return found


def _messages(tree: ast.Module, errors: set[str]) -> Iterator[Key]:
    """Yield the messages of a module."""
    within: set[ast.AST] = set()
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        texts = [
            arg.value if isinstance(arg, ast.Constant) and isinstance(arg.value, str) else None
            for arg in node.args
        ]
        if not texts:
            continue
        if name in ("ngettext", "Plural", "ntranslate"):
            first = 1 if name == "ntranslate" else 0
            yield from _plural(node.args[first : first + 2], None, within)
        elif name == "npgettext" and all(texts[:3]):
            yield texts[0], (str(texts[1]), str(texts[2]))
        elif name in ("pgettext", "P_", "ptranslate") and node not in within:
            first = 1 if name == "ptranslate" else 0
            if len(texts) > first + 1 and texts[first] and texts[first + 1]:
                yield texts[first], str(texts[first + 1])
        else:
            place = 0 if name in errors else POSITIONS.get(name, -1)
            if 0 <= place < len(texts) and (text := texts[place]):
                yield None, text


def _plural(args: list[ast.expr], context: str | None, within: set[ast.AST]) -> Iterator[Key]:
    """Yield a message that counts; its singular may be marked by ``P_``."""
    if len(args) < 2:
        return
    one, many = args
    if isinstance(one, ast.Call) and ast.unparse(one.func) == "P_":
        within.add(one)
        context, one = getattr(one.args[0], "value", None), one.args[1]
    if isinstance(one, ast.Constant) and isinstance(many, ast.Constant):
        yield context, (str(one.value), str(many.value))


def _read(path: Path, code: str) -> Catalog:
    """Return the catalogue in a file, an empty one if there is none."""
    if not path.is_file():
        return Catalog(locale=code, project="Shibumi 3D", charset="utf-8", fuzzy=False)
    with path.open("rb") as file:
        return read_po(file, locale=code)


def _text(catalogue: Catalog) -> bytes:
    """Return a catalogue as text, without what changes by itself: dates and line numbers."""
    made = io.BytesIO()
    write_po(made, catalogue, width=110, include_lineno=False, omit_header=False)
    volatile = (b'"POT-Creation-Date', b'"PO-Revision-Date', b'"Generated-By', b'"Last-Translator', b'"Language-Team',
                b'"Report-Msgid-Bugs-To')  # fmt: skip
    return b"".join(
        line for line in made.getvalue().splitlines(keepends=True) if not line.startswith(volatile)
    )


if __name__ == "__main__":
    raise SystemExit(main())
