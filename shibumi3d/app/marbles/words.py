"""Moves as they appear in the move list: text with pictures of marbles."""

from __future__ import annotations

import re
from collections.abc import Mapping

from shibumi3d.app.wording import rules_text
from shibumi3d.catalogue.schema import Entry
from shibumi3d.i18n import _, language, local, ntranslate
from shibumi3d.rules.marbles.colour import LETTERS
from shibumi3d.rules.marbles.pyramid import SIDES
from shibumi3d.rules.marbles.wording.naming import word
from shibumi3d.rules.marbles.wording.texts import PHRASES

MOVE = re.compile(
    r"(?P<colour>[WBR])@(?P<at>\S+)|x(?P<take>\S+)|\^(?P<lift>\S+)|>(?P<set>\S+)"
    r"|(?P<entering>[WBR])>(?P<entry>\S+)/(?P<side>[WESN])|(?P<given>[WBR])!"
)


def tokens(move: str) -> list[tuple[int, str]]:
    """Return the parts of a move as (colour, text) pairs.

    The colour is an index, drawn as a marble, or -1 for text only.
    """
    match = MOVE.fullmatch(move)
    if match is None:
        return [(-1, word(move, language()))]
    part = match.groupdict()
    if part["at"]:
        return [(LETTERS.index(part["colour"]), part["at"])]
    if part["take"]:
        return [(-1, ntranslate(language(), "takes {points}", "takes {points}", 1, points=part["take"]))]
    if part["lift"]:
        return [(-1, _("{point} to", point=part["lift"]))]
    if part["set"]:
        return [(-1, part["set"])]
    if part["entry"]:
        side = next(name for name in SIDES if name[0].upper() == part["side"])
        return [
            (
                LETTERS.index(part["entering"]),
                _("{point} from {side}", point=part["entry"], side=_(PHRASES[side])),
            )
        ]
    return [(LETTERS.index(part["given"]), _("given"))]


def rules_of(meta: object, entry: Entry) -> str:
    """Return the rules text of the variant being played or, if it has none, the text of the game."""
    texts = meta.get("rules") if isinstance(meta, Mapping) else None
    return rules_text(texts if isinstance(texts, Mapping) and local(texts) else entry.rules)
