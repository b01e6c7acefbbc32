"""A move: one atomic choice, what a person does with one click. Moves print as text and are read back from it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from shibumi3d.rules import game
from shibumi3d.rules.marbles.pyramid import SIDES

_SIDE = re.compile(r"(?<=/)(?:[WESN]|west|east|south|north)$")
"""The side of an entry, at the end of its text."""


def spelled(text: str) -> str:
    """Return the text of a move as people read it: the side of an entry in full, since W is white as well."""
    return _SIDE.sub(lambda found: next(s for s in SIDES if s[0] == found[0][0].lower()), text)


def compact(text: str) -> str:
    """Return the text of a move as it is written in records, from what people read or typed."""
    return _SIDE.sub(lambda found: found[0][0].upper(), text.strip())


@dataclass(frozen=True, slots=True)
class Move(game.Move):
    """One choice.

    ``kind`` is one of

    ======== ===================================================== ==========
    kind     meaning and the fields it uses                        text
    ======== ===================================================== ==========
    place    a marble of ``colour`` from a stock on to ``point``   ``W@Ab2``
    take     the marble on ``point`` leaves the board              ``xAb2``
    lift     the marble on ``point`` is taken in hand              ``^Ab2``
    set      the marble in hand goes to ``point``                  ``>Bb2``
    enter    ``colour`` enters ``point`` over the edge ``side``    ``W>Ba2/W``
    points   a set of points is picked: mask ``value``             ``Ab2+Ab3``
    colour   ``colour`` is picked                                  ``red``
    seat     seat ``value`` (from 0) is picked                     ``seat 2``
    number   the number ``value`` is picked                        ``12``
    give     a marble of ``colour`` goes from stock to stock       ``W!``
    label    the branch called ``label``                           its name
    done     no more: the optional part ends here                  ``done``
    pass     the turn is passed                                    ``pass``
    ======== ===================================================== ==========

    Points are named as in ``geometry.md``; on a game with several boards the board's name and a dot come first
    (``W@left.Ab2``). The side of an entry is W, E, S or N. ``point`` is -1 and ``colour`` -1 where not used.
    """

    board: int = 0
    point: int = -1
    colour: int = -1
    side: int = -1
    value: int = 0
    label: str = ""

    @property
    def on_point(self) -> bool:
        """Whether it is made by one click on a point."""
        return self.point >= 0 and not self.value

    @property
    def coloured(self) -> bool:
        """Whether it brings a marble of some colour on to a point."""
        return self.point >= 0 and self.colour >= 0
