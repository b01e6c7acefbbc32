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
    "heard.title": "Playing without sight",
    "heard.text": (
        "Everything can be done with keys, and all of it can be heard. Question mark lists the keys of a "
        "page, Tab goes on from one thing to the next, Enter presses it, Escape goes back.\n\n"
        "## With a screen reader\n\n"
        "The window tells buttons, fields, lists and dialogs by name, in the order of reading. Boards are "
        "told point by point, level by level: “Ab2, white, carries 2” is a marble, “Ab2, empty, ends the "
        "turn” a place that may be chosen. Pressing it chooses it. What happens is announced, each thing "
        "once. What you may not see is not told.\n\n"
        "Where no reader is served, the title of the window says it: *Settings*, *Sound*, *Reading aloud*, "
        "*in the title*.\n\n"
        "## Five questions\n\n"
        "Wherever there is a table five keys ask it, and the answer is read aloud.\n\n"
        "- **F3**: the last turn.\n"
        "- **F4**: what stands where the cursor is, in its row and column and on its level; where it is on no "
        "point, one level after the other.\n"
        "- **F7**: what is yours, what you are after, what you may still take, your points.\n"
        "- **F8**: how many choices there are; again: one after the other.\n"
        "- **F9**: whose turn it is, and the clocks.\n\n"
        "## On the board\n\n"
        "Tab and the arrow keys go among the points, Enter chooses. Slash types a move. H is a hint, Ctrl+Z "
        "takes back.\n\n"
        "## In a terminal\n\n"
        "“shibumi3d play spline --text” plays any game as plain lines; “help” lists the words."
    ),
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
    "heard.colours": "Colours",
    "heard.marked": "marked",
    "heard.best": "best turn {number}",
    "heard.key": "key {keys}",
    "heard.night": "Night colours",
    "heard.sound": "Sound  M",
    "heard.seed": "Seed",
    "heard.path": "Path of a file to open",
    "heard.search-saved": "Search saved games",
    "heard.adapts": "adapts to me",
    "heard.plays": "Seat {seat}: {who}",
    "heard.clock": "Clock: {pace}",
    "heard.no-clock": "none",
    "heard.picked": "Chosen: {things}",
    "heard.back-to": "Back to {page}",
    "heard.leave": "Leave this task. {back}",
    "heard.move-back": "One move back  ←",
    "heard.move-on": "One move on  →",
    "heard.and": "and",
    "heard.chosen": "chosen",
    "asked.nothing": "Nothing was played yet",
    "asked.did": "{who}: {did}",
    "asked.empty": "nothing",
    "asked.level": "{level}: {told}",
    "asked.points": ("{points} point", "{points} points"),
    "asked.nothing-own": "nothing of one's own",
    "asked.choices": ("{n} choice", "{n} choices"),
    "asked.choice": "{number} of {of}: {told}",
}
