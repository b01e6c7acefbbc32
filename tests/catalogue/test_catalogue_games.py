"""Every game of the catalogue is complete: metadata, texts in English and French, and rules that compile."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest
import yaml

from shibumi3d.catalogue.catalogue import load_catalogue
from shibumi3d.catalogue.schema import Entry
from shibumi3d.rules.registry import DEFAULT_KIND, KIND_MODULES
from tests.sources import PACKAGE
from tests.tables.contract import LANGUAGES
from tests.typography import faults, texts_by_language

GAMES = [pytest.param(entry, id=entry.id) for entry in load_catalogue()]
FILES = sorted((PACKAGE.parent / "games").glob("*.yaml"))


def test_catalogue_has_no_errors_or_duplicate_titles() -> None:
    catalogue = load_catalogue()
    assert not catalogue.problems
    assert catalogue.check() == (len(catalogue), ())
    assert len({entry.title for entry in catalogue}) == len(catalogue)


def test_catalogue_has_every_marble_game_and_only_known_kinds() -> None:
    """The rule book and its annexes describe 67 marble games."""
    kinds = Counter(entry.kind for entry in load_catalogue())
    assert kinds[DEFAULT_KIND] == 67
    assert set(kinds) <= set(KIND_MODULES)


@pytest.mark.parametrize("entry", GAMES)
def test_game_metadata_is_complete(entry: Entry) -> None:
    # For games of other table kinds, some of these facts are unknown.
    if entry.kind == DEFAULT_KIND:
        assert entry.authors
        assert entry.year
        assert entry.book
        assert entry.page
    assert entry.category
    assert entry.complexity
    assert entry.minutes


@pytest.mark.parametrize("entry", GAMES)
def test_texts_exist_in_english_and_french(entry: Entry) -> None:
    for language in LANGUAGES:
        summary = entry.summary[language]
        assert summary[-1] in ".!?"
        assert "\n" not in summary
        assert len(entry.rules[language]) > 200
    shapes = [re.findall(r"^(#+|-) ", entry.rules[language], re.MULTILINE) for language in LANGUAGES]
    assert shapes[0] == shapes[1], "headings and lists differ between the languages"


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_texts_follow_the_typography_of_their_language(file: Path) -> None:
    texts = [*texts_by_language(yaml.safe_load(file.read_text(encoding="utf-8")))]
    assert len(texts) >= 8
    assert [(words, found) for lang, words in texts if (found := faults(lang, words))] == []


@pytest.mark.parametrize("entry", GAMES)
def test_every_variant_size_and_seat_count_starts(entry: Entry) -> None:
    for variant in ("", *entry.variants):
        form = entry.with_variant(variant)
        for size in form.sizes or (0,):
            game = form.game(size=size)
            assert (game.id, game.size, game.variant) == (entry.id, size, variant)
            for seats in range(form.players[0], form.players[1] + 1):
                state = game.start(seats, 1)
                assert not size or state.size == size
                assert game.moves(state)
