"""Explanations of a game's terms, in the current language."""

from __future__ import annotations

from collections.abc import Sequence

from shibumi3d.catalogue.schema import Entry
from shibumi3d.i18n import language
from shibumi3d.rules.kinds import USUAL
from shibumi3d.rules.marbles.wording.glossary import explained


def meanings(entry: Entry, variant: str, words: Sequence[str]) -> list[str]:
    """Return the meaning of each word of a text about a game.

    The meaning of a word that isn't a term is empty.
    """
    return explained(words, language(), entry.form(variant).terms, marbles=entry.kind == USUAL)
