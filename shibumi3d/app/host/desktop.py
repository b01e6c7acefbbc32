"""What a desktop is told of the program and of the files it writes."""

from __future__ import annotations

from ..text import every

SUFFIX = ".shibumi3d.yaml"
"""What the names of matches end in that people write where they like."""


def texts() -> dict[str, dict[str, str]]:
    """Return by language what ``kind`` of program it is, ``what`` it offers, ``words`` to find it by, what a
    ``match`` is.
    """
    return {
        "kind": every("desktop.kind"),
        "what": every("desktop.what"),
        "words": every("desktop.words"),
        "match": every("desktop.match"),
    }
