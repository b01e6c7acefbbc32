"""Reword English messages in the sources and take their translations along: ``python -m tools.reword``.

A message is the key of its translations, so a better English sentence would lose them. ``tools/rewording`` holds
catalogues whose keys are today's messages: ``en.po`` gives the new wording, the others new translations. What was
applied is no longer found by its old key, so the command can run again after more were added.
"""

from __future__ import annotations

import argparse
import ast
import re
from pathlib import Path
from typing import cast

from babel.messages.catalog import Catalog

from shibumi3d.i18n import LANGUAGES
from tools import messages
from tools.messages import Key

FOLDER = Path(__file__).resolve().parent / "rewording"
MAX_LITERAL = 88
"""Characters of a string literal on one line."""

Texts = dict[Key, "str | tuple[str, str]"]


def main(argv: list[str] | None = None) -> int:
    """Replace messages in the sources by their new wording, and rewrite the catalogues of all languages."""
    parser = argparse.ArgumentParser(prog="reword", description=main.__doc__)
    parser.parse_args(argv)
    wording = texts_in(FOLDER / "en.po", "en")
    errors = messages.error_classes(messages.sources())
    for file in messages.sources():
        source = file.read_text(encoding="utf-8")
        reworded = reword(source, wording, errors)
        if reworded != source:
            file.write_text(reworded, encoding="utf-8")
    template = messages.extract()
    messages.TEMPLATE.write_bytes(messages.text_of(template))
    for code in LANGUAGES:
        if code != "en":
            path = messages.catalogue_path(code)
            moved = {
                (key[0], wording.get(key, key[1])): text
                for key, text in texts_in(FOLDER / f"{code}.po", code).items()
            }
            path.write_bytes(messages.text_of(_translated(path, code, template, moved)))
    messages.compile_catalogues()
    return 0


def texts_in(path: Path, code: str) -> Texts:
    """Return the texts of a catalogue by context and message; none if the file is missing."""
    return {
        (each.context, _plain(each.id)): _plain(each.string)
        for each in messages.read(path, code)
        if each.id and each.string
    }


def _plain(text: object) -> str | tuple[str, str]:
    """Return a message as a string, or a pair if it counts."""
    if isinstance(text, str):
        return text
    one, many = cast("tuple[str, str]", text)
    return one, many


def reword(source: str, wording: Texts, errors: set[str]) -> str:
    """Return the source of a module with the messages in ``wording`` replaced."""
    data = source.encode()
    starts = [0]
    for line in data.split(b"\n"):
        starts.append(starts[-1] + len(line) + 1)
    literals = {
        (node.lineno, node.col_offset): (node, text)
        for key, nodes in messages.marked(ast.parse(source), errors)
        if key in wording
        for node, text in zip(nodes, _forms(wording[key]), strict=True)
        if node.value != text
    }
    for (row, column), (node, text) in sorted(literals.items(), reverse=True):
        end = starts[cast(int, node.end_lineno) - 1] + cast(int, node.end_col_offset)
        data = data[: starts[row - 1] + column] + _literal(text, column).encode() + data[end:]
    return data.decode()


def _forms(text: str | tuple[str, str]) -> tuple[str, ...]:
    """Return the forms of a message: two if it counts, else one."""
    return (text,) if isinstance(text, str) else text


def _literal(text: str, indent: int) -> str:
    """Return a text as a string literal, in several lines if it is long."""
    pieces = [""]
    for word in re.findall(r"\S*\s+|\S+$", text):
        if pieces[-1] and (len(pieces[-1]) + len(word) > MAX_LITERAL or pieces[-1].endswith("\n")):
            pieces.append("")
        pieces[-1] += word
    return ("\n" + " " * indent).join(map(_quoted, pieces))


def _quoted(text: str) -> str:
    """Return a text between quotes; ``repr`` prefers single ones."""
    plain = text.replace("\\", "\\\\").replace("\n", "\\n")
    return f"'{plain}'" if '"' in text and "'" not in text else '"' + plain.replace('"', '\\"') + '"'


def _translated(path: Path, code: str, template: Catalog, moved: Texts) -> Catalog:
    """Return the catalogue of a language for the messages of ``template``; ``moved`` counts before what it had."""
    before = texts_in(path, code)
    catalogue = messages.update(messages.read(path, code), template)
    for each in catalogue:
        if each.id:
            key = (each.context, _plain(each.id))
            each.string = moved.get(key) or before.get(key) or each.string
    return catalogue


if __name__ == "__main__":
    raise SystemExit(main())
