"""The words that expressions can use, grouped by subject, with a documented entry for each."""

from __future__ import annotations

from shibumi3d.rules.marbles.language.vocabulary import WORDS
from shibumi3d.rules.marbles.language.words.numbers import NUMBER_WORDS
from shibumi3d.rules.marbles.language.words.points import POINT_WORDS
from shibumi3d.rules.marbles.language.words.position import POSITION_WORDS
from shibumi3d.rules.marbles.language.words.seats import SEAT_WORDS

for family in (POINT_WORDS, POSITION_WORDS, SEAT_WORDS, NUMBER_WORDS):
    WORDS.update(family)

__all__ = ["WORDS"]
