"""The words that expressions can use, grouped by subject, with a documented entry for each."""

from __future__ import annotations

from shibumi3d.rules.marbles.language.vocabulary import WORDS
from shibumi3d.rules.marbles.language.words.numbers import NUMBERS
from shibumi3d.rules.marbles.language.words.places import PLACES
from shibumi3d.rules.marbles.language.words.seats import SEATS
from shibumi3d.rules.marbles.language.words.standing import STANDING

for family in (PLACES, STANDING, SEATS, NUMBERS):
    WORDS.update(family)

__all__ = ["WORDS"]
