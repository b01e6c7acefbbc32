"""The numbers and flags of a file: its ``table:``, read and checked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace

from shibumi3d.rules.reading import TableReader
from shibumi3d.rules.source import Item, Problem


@dataclass(frozen=True, slots=True)
class CardRules:
    """What a file decides.

    ``hand`` cards a participant, ``pool`` cards for all and ``wheel`` cards by the majors that say so; ``turns`` of
    the Hermit; ``slots`` and ``extra``, what Strength adds in sight and in the hand. ``knave`` and ``knight`` are
    strengths. ``renewals``: how often in a round the stock is renewed at most. ``temperance`` soft: its owner lifts it
    by engaging; hard: only by a turn. ``ace`` guard: it goes with a knave or knight and keeps the Fool off; plain: a
    one; foothold: alone, it is reinforced later. ``magician`` transmute: a card changes its suit; secret: a set is laid
    face down. ``secret``: engagements that a participant may lay face down in a round. ``dummies``: participants that
    play by themselves.
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
        """Return a hash of what decides how strong cards are: much that is kept is looked up by it."""
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
"""What a file may leave to be chosen before a match."""
STRENGTHS = ("knave", "knight")
WORDS: Mapping[str, tuple[str, ...]] = {
    "temperance": ("soft", "hard"),
    "ace": ("guard", "plain", "foothold"),
    "magician": ("transmute", "secret"),
}
MOST = 12
"""The most seats and dummies together: six cards each are dealt, and some must be left."""


def read_table(item: Item | None, problems: list[Problem]) -> CardRules:
    """Return the table that a file tells; what is wrong is added to ``problems``, and the usual value stands
    instead.
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
