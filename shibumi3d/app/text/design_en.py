"""What is said where games are made, in English."""

from __future__ import annotations

from .template import Template

TEXTS: dict[str, Template] = {
    "home.design": "Make a game  Ctrl+D",
    "home.design.title": "Make a game",
    "home.design.below": "Your own rules, tried at once",
    "design.first": "title: My game\nplayers: 2\nturn:\n  - place: own\nend:\n  - when: stuck\n    lose: mover\n",
    "design.unnamed": "No title yet",
    "design.text": "Text",
    "design.board": "Board",
    "design.new": "New",
    "design.new.tip": "Begin from nothing  Ctrl+N",
    "design.save": "Save",
    "design.save.tip": "Save among your own games  Ctrl+S",
    "design.try": "Try",
    "design.try.tip": "Play it  F5",
    "design.reading": "Reading…",
    "design.stuck": "This takes too long to read. Change it, and it is read again.",
    "design.mistakes": ("{n} mistake.", "{n} mistakes."),
    "design.before": "The board shows the last text in order.",
    "design.no-start": "No mistakes, but a match can't be played by these rules.",
    "design.good": "In order · {players} · {saved}",
    "design.saved": "saved",
    "design.unsaved": "not saved yet",
    "design.not-kept": "The draft could not be kept: {problem}",
    "design.not-yet": "There is no text in order yet that could be played.",
    "design.trying": "A trial: this match is not kept.",
    "design.anew": "Once more",
}

KEYS: dict[str, tuple[str, str]] = {
    "write-words": ("Ctrl+Space", "words that fit here"),
    "write-indent": ("Tab, Shift+Tab", "indent, back"),
    "write-undo": ("Ctrl+Z, Ctrl+Y", "undo, redo"),
    "write-leave": ("Esc", "leave the text, the page"),
    "write-copy": ("Ctrl+C, X, V", "copy, cut, paste"),
    "write-save": ("Ctrl+S", "save"),
    "write-new": ("Ctrl+N", "begin from nothing"),
    "write-try": ("F5", "try the game"),
}
