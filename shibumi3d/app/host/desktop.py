"""What a desktop is told of the program and of the files it writes."""

from __future__ import annotations

from shibumi3d.i18n import N_, in_every_language

SUFFIX = ".shibumi3d.yaml"
"""What the names of matches end in that people write where they like."""


def texts() -> dict[str, dict[str, str]]:
    """Return by language what ``kind`` of program it is, ``what`` it offers, ``words`` to find it by, what a
    ``match`` is.
    """
    return {
        "kind": in_every_language(N_("Board games")),
        "what": in_every_language(N_("Play marble stacking games and other board games, alone or together")),
        "words": in_every_language(N_("board;games;marbles;pyramid;puzzle;")),
        "match": in_every_language(N_("Saved Shibumi 3D game")),
    }
