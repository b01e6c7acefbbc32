"""Parameters of Arcanoid, parsed from ``table:`` in a game file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace

from shibumi3d.rules.reading import TableReader
from shibumi3d.rules.source import Item, Problem


@dataclass(frozen=True, slots=True)
class CardRules:
    """Parameters of Arcanoid.

    ``hand`` is the hand size, ``pool`` the number of shared open cards (Justice), ``wheel`` the number of cards drawn
    for the Wheel, and ``turns`` the number of extra turns (Hermit). Strength adds ``slots`` open cards or ``extra``
    cards in hand. ``knave`` and ``knight`` are the points of these cards. ``renewals`` is the maximum number of new
    stocks per round, and ``secret`` the number of engagements that a participant may lay face down in a round.
    ``dummies`` is the number of Automatons, which play by themselves.

    ``temperance`` is "soft" if its owner may engage on its field, which removes it, or "hard" if removing it takes a
    whole turn. ``ace`` is "plain" if an ace is just a 1. With "guard", it can join a knave or a knight and protects it
    from the Fool. With "foothold", an ace engaged alone can be reinforced later. ``magician`` is "transmute" if it
    changes the suit of a card, or "secret" if it lays an engagement face down.
    """

    hand: int = 6
    rounds: int = 5
    pool: int = 6
    wheel: int = 5
    turns: int = 3
    slots: int = 2
    extra: int = 1
    knave: float = 14.5
    knight: float = 17.5
    renewals: int = 5
    temperance: str = "soft"
    ace: str = "guard"
    magician: str = "transmute"
    secret: int = 0
    dummies: int = 0

    def __hash__(self) -> int:
        """Hash only the parameters that affect strength, because caches of strengths use them as keys."""
        return hash((self.knave, self.knight, self.ace, self.magician))


RANGES: Mapping[str, tuple[int, int]] = {
    "hand": (1, 6),
    "rounds": (1, 9),
    "pool": (1, 12),
    "wheel": (1, 10),
    "turns": (1, 9),
    "slots": (1, 4),
    "extra": (1, 4),
    "renewals": (0, 9),
    "secret": (0, 4),
    "dummies": (0, 2),
}
CHOICES = {name: RANGES[name] for name in ("rounds", "dummies")}
"""Options that a game file may offer before a match, with their minimum and maximum values."""
STRENGTHS = ("knave", "knight")
WORDS: Mapping[str, tuple[str, ...]] = {
    "temperance": ("soft", "hard"),
    "ace": ("guard", "plain", "foothold"),
    "magician": ("transmute", "secret"),
}
MOST = 12
"""Maximum number of seats and Automatons together.

Twelve hands of six cards leave six cards in the stock.
"""


def read_table(item: Item | None, problems: list[Problem]) -> CardRules:
    """Parse the parameters in a file.

    Errors are added to ``problems``. Invalid values are replaced by the defaults.
    """
    usual = CardRules()
    reader = TableReader(item, "table", [field.name for field in fields(CardRules)], problems)
    found: dict[str, int | float | str] = {}
    for key, (least, most) in RANGES.items():
        found[key] = reader.whole(key, least, most, getattr(usual, key))
    for key in STRENGTHS:
        found[key] = reader.number(key, 1.5, 55.5, getattr(usual, key))
        if float(found[key]) % 1 != 0.5:
            reader.wrong(key, "a number ending in .5, such as 14.5, which no sum can equal")
            found[key] = getattr(usual, key)
    for key, known in WORDS.items():
        found[key] = reader.word(key, known, getattr(usual, key))
    table = replace(usual, **found)  # type: ignore[arg-type]  # each value was checked by its name
    if table.ace == "foothold" and (table.secret or table.magician == "secret"):
        reader.wrong("ace", "a value other than 'foothold' where engagements can be face down")
    return table
