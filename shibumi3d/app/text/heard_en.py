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
    "heard.table": "Table",
    "heard.choices": "What may be chosen",
    "heard.kinds": "Kinds of problems",
    "heard.problems": "Problems",
    "heard.results": "Results by game",
    "heard.kept-filter": "Which games are listed",
    "heard.editor": "Text of the game",
    "heard.design": "Text or mechanisms",
    "heard.line": "Moment of the match",
    "heard.to-move": "Whose turn it is",
    "heard.size": "Size of the board",
    "asked.nothing": "Nothing was played yet",
    "asked.did": "{who}: {did}",
    "asked.empty": "nothing",
    "asked.level": "{level}: {told}",
    "asked.points": "{points} points",
    "asked.nothing-own": "nothing of one's own",
    "asked.choices": ("{n} choice", "{n} choices"),
    "asked.choice": "{number} of {of}: {told}",
}
