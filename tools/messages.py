"""Extract, update and compile the message catalogues: ``python -m tools.messages``.

Messages are found in the syntax tree instead of by Babel's own extractor, because errors take a message and its values
in one call (``RecordError("turn {number}: {problem}", number=3, problem=error)``).
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

from shibumi3d.i18n import LANGUAGES, LOCALE_FOLDER

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "shibumi3d"
BUILT = PACKAGE / "_native"
TEMPLATE = LOCALE_FOLDER / "shibumi3d.pot"
MESSAGE_ARGUMENTS = {
    "_": 0, "N_": 0, "Message": 0, "to_message": 0, "translate": 1,
    # Functions that report a mistake in a file: the first argument is the place.
    "Problem": 1, "report_problem": 1, "report_error": 1, "Mistake": 1, "_error": 1, "_fail": 1,
    "_report": 1, "_report_expected": 2,
    # Words of the rule language take a name, two types and a meaning; verbs a name, keys and a meaning.
    "register_word": 3, "register_value": 2, "register_verb": 2,
}  # fmt: skip
"""Functions that take a message, with the index of that argument."""
BASE_ERROR = "LocalizedError"
"""Base class of the errors whose first argument is a message."""

Key = tuple[str | None, str | tuple[str, str]]
"""Context (or None) and message; the message is a pair of singular and plural if it depends on a count."""


def main(argv: list[str] | None = None) -> int:
    """Update and compile all catalogues; with ``--check``, only report outdated ones."""
    parser = argparse.ArgumentParser(prog="messages", description=main.__doc__)
    parser.add_argument(
        "--check", action="store_true", help="change nothing; exit with 1 if a catalogue is out of date"
    )
    check = parser.parse_args(argv).check
    contents = render_catalogues()
    if check:
        stale = [path for path, text in contents.items() if not path.is_file() or path.read_bytes() != text]
        for path in stale:
            print(f"{path.relative_to(ROOT)} is out of date: run 'make messages'")
        return 1 if stale else 0
    for path, text in contents.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text)
    compile_catalogues()
    return 0


def render_catalogues() -> dict[Path, bytes]:
    """Return the up-to-date content of the template and the catalogues, by path."""
    template = extract()
    contents = {TEMPLATE: format_catalogue(template)}
    for code in LANGUAGES:
        if code != "en":
            path = catalogue_path(code)
            catalogue = read_catalogue(path, code)
            # New messages have no translation yet, and obsolete ones are removed.
            catalogue.update(template, no_fuzzy_matching=True, update_header_comment=False)
            catalogue.obsolete.clear()
            contents[path] = format_catalogue(catalogue)
    return contents


def catalogue_path(code: str) -> Path:
    """Return the path of the message catalogue of a language."""
    return LOCALE_FOLDER / code / "LC_MESSAGES" / "shibumi3d.po"


def compile_catalogues(*, stale_only: bool = False) -> None:
    """Compile each ``.po`` file to a ``.mo`` file next to it.

    With ``stale_only``, ``.mo`` files that are up to date are skipped.
    """
    for path in sorted(LOCALE_FOLDER.glob("*/LC_MESSAGES/shibumi3d.po")):
        target = path.with_suffix(".mo")
        if stale_only and target.is_file() and target.stat().st_mtime >= path.stat().st_mtime:
            continue
        buffer = io.BytesIO()
        write_mo(buffer, read_catalogue(path, path.parts[-3]))
        target.write_bytes(buffer.getvalue())


def extract() -> Catalog:
    """Return a template with all messages of the package, in the order of its files."""
    catalogue = Catalog(
        project="Shibumi 3D", charset="utf-8", header_comment="# Messages of Shibumi 3D.", fuzzy=False
    )
    errors = error_classes(sources())
    for file in sources():
        name = file.relative_to(ROOT).as_posix()
        for context, text in find_messages(ast.parse(file.read_text(encoding="utf-8")), errors):
            catalogue.add(text, context=context, locations=[(name, 0)], flags=_flags(text))
    return catalogue


def sources() -> list[Path]:
    """Return the modules of the package, except the copies that a running compilation works on."""
    return [file for file in sorted(PACKAGE.rglob("*.py")) if BUILT not in file.parents]


def _flags(text: str | tuple[str, str]) -> set[str]:
    """Return a set with the flag ``python-brace-format``, or an empty set if ``text`` has no placeholders.

    The flag makes translation editors check the placeholders.
    """
    return {"python-brace-format"} if "{" in (text if isinstance(text, str) else "".join(text)) else set()


def error_classes(files: list[Path]) -> set[str]:
    """Return the names of ``LocalizedError`` and of all classes in ``files`` that derive from it.

    The first argument of these exceptions is a translatable message.
    """
    bases = {
        node.name: {ast.unparse(base).rpartition(".")[2] for base in node.bases}
        for file in files
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.ClassDef)
    }
    names = {BASE_ERROR}
    while more := {name for name, above in bases.items() if above & names} - names:
        names |= more
    return names


def find_messages(tree: ast.Module, errors: set[str]) -> Iterator[Key]:
    """Yield each message of a module, with its context or None.

    Only messages that are string literals are found. ``errors`` are the names of the exception classes whose first
    argument is a message.
    """
    within: set[ast.AST] = set()
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or not node.args:
            continue
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        texts = [_text(arg) for arg in node.args]
        first = 1 if name in ("ntranslate", "ptranslate") else 0
        if name in ("ngettext", "Plural", "ntranslate"):
            yield from _plural(node.args[first : first + 2], within)
        elif name == "npgettext":
            context, singular, plural = (*texts, None, None)[:3]
            if context and singular and plural:
                yield context, (singular, plural)
        elif name in ("pgettext", "P_", "ptranslate"):
            context, text = (*texts, None)[first : first + 2]
            if node not in within and context and text:
                yield context, text
        else:
            place = 0 if name in errors else MESSAGE_ARGUMENTS.get(name, -1)
            text = texts[place] if 0 <= place < len(texts) else None
            if text:
                yield None, text


def _plural(args: list[ast.expr], within: set[ast.AST]) -> Iterator[Key]:
    """Yield the message of a call that takes a singular and a plural, if both are literals.

    The singular may be a call to ``P_`` with a context; such calls are added to ``within``, so that they aren't
    extracted again.
    """
    if len(args) < 2:
        return
    first, many, context = args[0], _text(args[1]), None
    if isinstance(first, ast.Call) and ast.unparse(first.func) == "P_":
        within.add(first)
        context, first = _text(first.args[0]), first.args[1]
    singular = _text(first)
    if singular and many:
        yield context, (singular, many)


def _text(node: ast.expr) -> str | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def read_catalogue(path: Path, code: str) -> Catalog:
    """Read a message catalogue, or return an empty one if there is no file.

    ``code`` is the code of its language, such as "fr".
    """
    if not path.is_file():
        return Catalog(locale=code, project="Shibumi 3D", charset="utf-8", fuzzy=False)
    with path.open("rb") as file:
        return read_po(file, locale=code)


def format_catalogue(catalogue: Catalog) -> bytes:
    """Return the content of a ``.po`` file for ``catalogue``.

    Dates, line numbers and other details that would change by themselves are left out. The flag ``python-format`` is
    also removed from the messages in ``catalogue``. Babel sets this flag for messages with a percent sign, because it
    takes the sign for a placeholder of Python's ``%`` operator.
    """
    for message in catalogue:
        message.flags.discard("python-format")
    buffer = io.BytesIO()
    write_po(buffer, catalogue, width=110, include_lineno=False, omit_header=False)
    volatile = (b'"POT-Creation-Date', b'"PO-Revision-Date', b'"Generated-By', b'"Last-Translator', b'"Language-Team',
                b'"Report-Msgid-Bugs-To')  # fmt: skip
    return b"".join(
        line for line in buffer.getvalue().splitlines(keepends=True) if not line.startswith(volatile)
    )


if __name__ == "__main__":
    raise SystemExit(main())
