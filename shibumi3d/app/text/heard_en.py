"""What is heard: names of what is seen, and answers to questions, in English."""

from __future__ import annotations

from .template import Template

TEXTS: dict[str, Template] = {
    "empty": "empty",
    "may.choose": "may be chosen",
    "heard.board": "Board",
    "heard.groups": "Groups of games",
    "heard.games": "Games",
    "heard.players": "Number of players",
    "heard.length": "Length",
    "heard.level": "Difficulty",
    "heard.tabs": "Pages at the side",
    "heard.level-of": "level {letter}",
    "heard.row": "row {number}: {told}",
    "heard.column": "column {letter}: {told}",
    "heard.carries": ("carries {n}", "carries {n}"),
    "heard.fixed": "cannot be moved",
    "heard.saved": "Games kept",
    "heard.moves": "Moves",
    "heard.turns": "Turns",
    "asked.nothing": "Nothing was played yet",
    "asked.did": "{who}: {did}",
    "asked.empty": "nothing",
    "asked.level": "{level}: {told}",
    "asked.points": "{points} points",
    "asked.nothing-own": "nothing of one's own",
    "asked.choices": ("{n} choice", "{n} choices"),
    "asked.choice": "{number} of {of}: {told}",
}
