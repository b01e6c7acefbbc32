"""The pages in docs/ tell the truth: their Python runs, and the files that they name are there."""

from __future__ import annotations

import doctest
import re

from shibumi3d.catalogue.catalogue import load
from tests.test_layers import LAYERS, PACKAGE

DOCS = PACKAGE.parent / "docs"


def test_the_python_of_the_interface_runs() -> None:
    failed, tried = doctest.testfile(str(DOCS / "api.md"), module_relative=False, encoding="utf-8")
    assert tried > 15
    assert not failed


def test_the_interface_names_what_a_game_can_do() -> None:
    text = (DOCS / "api.md").read_text(encoding="utf-8")
    game = load().get("spline").game()
    for name in re.findall(r"`(\w+)(?:\([^)]*\))?`(?=[, |])", text.partition("## Search")[0]):
        if name not in ("shibumi3d",):
            assert hasattr(game, name) or name in ("size", "variant"), name


def test_the_picture_of_the_house_names_files_and_layers_that_are_there() -> None:
    text = (DOCS / "architecture.md").read_text(encoding="utf-8")
    for path in re.findall(r"`((?:app|match|rules|scene|render|search|engine|language)/[\w/.]+)`", text):
        places = (PACKAGE / path, PACKAGE / "rules/marbles" / path)
        assert any(place.exists() for place in places), path
    for path in re.findall(r"`((?:tests|docs|games)/[\w/.]*)`", text):
        assert (DOCS.parent / path).exists(), path
    for layer, (_, outside) in LAYERS.items():
        if (PACKAGE / layer).is_dir():
            assert f"| `{layer}/` |" in text, layer
            for library in outside - {"numpy", "moderngl", "pyrr", "platformdirs", "yaml"}:
                assert library in text
