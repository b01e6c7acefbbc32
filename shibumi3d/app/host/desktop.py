"""Descriptions of the program and its file type, for desktop environments."""

from __future__ import annotations

from shibumi3d.i18n import N_, in_every_language

SUFFIX = ".shibumi3d.yaml"
"""Suffix of exported match files."""


def texts() -> dict[str, dict[str, str]]:
    """Return the texts of the desktop entry by key. Each text is a mapping by language code.

    ``kind`` is the generic name of the program, ``what`` the comment, ``words`` the search keywords, and ``match`` the
    name of the file type.
    """
    return {
        "kind": in_every_language(N_("Board games")),
        "what": in_every_language(N_("Play marble stacking games and other board games, alone or together")),
        "words": in_every_language(N_("board;games;marbles;pyramid;puzzle;")),
        "match": in_every_language(N_("Saved Shibumi 3D game")),
    }
