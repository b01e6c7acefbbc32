"""The moves of marble games, and their notation.

A move is one atomic choice, made with a single click.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from shibumi3d.rules import game
from shibumi3d.rules.marbles.pyramid import SIDES

_SIDE_PATTERN = re.compile(r"(?<=/)(?:[WESN]|west|east|south|north)$")
"""Pattern for the side at the end of a move such as ``W>Ba2/W``."""


def spell_out_side(text: str) -> str:
    """Return the text of a move for display, with the side from which a marble enters spelled out.

    For example, ``W>Ba2/W`` becomes ``W>Ba2/west``. The letter alone would be ambiguous, because W also stands for
    white. A text that names no side is returned unchanged.
    """
    return _SIDE_PATTERN.sub(lambda found: next(s for s in SIDES if s[0] == found[0][0].lower()), text)


def normalize_notation(text: str) -> str:
    """Convert a move typed by a player to the form that match records use.

    Spaces around the move are removed, and a side at its end, such as ``west`` in ``W>Ba2/west``, is shortened to its
    letter.
    """
    return _SIDE_PATTERN.sub(lambda found: found[0][0].upper(), text.strip())


@dataclass(frozen=True, slots=True)
class Move(game.Move):
    """A move: one choice by a player.

    ``kind`` is one of

    ======== ======================================================= ==========
    kind     meaning and the fields it uses                          text
    ======== ======================================================= ==========
    place    place a marble of ``colour`` from a stock on ``point``  ``W@Ab2``
    take     take the marble on ``point`` off the board              ``xAb2``
    lift     pick up the marble on ``point``                         ``^Ab2``
    set      put the marble in hand on ``point``                     ``>Bb2``
    enter    push in a ``colour`` marble at ``point`` from ``side``  ``W>Ba2/W``
    points   pick a set of points: mask ``value``                    ``Ab2+Ab3``
    colour   pick ``colour``                                         ``red``
    seat     pick seat ``value`` (from 0)                            ``seat 2``
    number   pick the number ``value``                               ``12``
    give     give a marble of ``colour`` to another stock            ``W!``
    label    pick the branch called ``label``                        its name
    done     end an optional part of the turn                        ``done``
    pass     pass the turn                                           ``pass``
    ======== ======================================================= ==========

    Points are named by level, file and rank, as in ``point_names`` of
    :class:`~shibumi3d.rules.marbles.pyramid.Pyramid`. In a game with several boards, each point is preceded by the name
    of its board and a dot (``W@left.Ab2``). An empty set of points is written as ``none``. The side of an entry is W,
    E, S or N. The text counts seats from 1, so ``seat 2`` has the ``value`` 1. ``point`` is also set if a picked set
    consists of one point. Unused ``point``, ``colour`` and ``side`` fields are -1.
    """

    board: int = 0
    point: int = -1
    colour: int = -1
    side: int = -1
    value: int = 0
    label: str = ""

    @property
    def is_on_single_point(self) -> bool:
        """Whether the move places, takes, lifts, sets down or pushes in a marble at ``point``.

        This is False for a move that picks a set of points, even if the set consists of one point.
        """
        return self.point >= 0 and not self.value

    @property
    def places_colour(self) -> bool:
        """Whether the move brings a marble of a specified colour to a point."""
        return self.point >= 0 and self.colour >= 0
