"""All that marble games say, as templates by name: one table a language. What a language lacks is given in English."""

from __future__ import annotations

from collections.abc import Sequence

from shibumi3d.rules.marbles.wording.french import FRENCH, FRENCH_NAMES
from shibumi3d.rules.wording import filled, joined
from shibumi3d.sayings.filling import Template

SIGNS = "▲■◆●★⬢✚▼⬟✸"
"""The signs of the seats, in turn order: what a seat is called where no name is given."""

TEXTS: dict[str, dict[str, Template]] = {
    "en": {
        # Words
        "white": "white",
        "black": "black",
        "red": "red",
        "west": "west",
        "east": "east",
        "south": "south",
        "north": "north",
        "and": "and",
        "or": "or",
        "on": "{what} on {board}",
        "line": "{first}–{last}",
        # The table in lines
        "level": "level {level}",
        "stock of": "{stock} of {seat}",
        "stock holds": "{stock}: {held}",
        "so many": ("{n} {colour}", "{n} {colour}"),
        "scores": "score: {scores}",
        "in hand": "in hand: {colour} from {point}",
        "unknown": "unknown",
        "not counted": "hidden",
        "empty": "empty",
        # What a choice is
        "place": "place {colour} on {point}",
        "take": "take {point}",
        "lift": "lift {point}",
        "set": "set it on {point}",
        "enter": "{colour} enters {point} from the {side}",
        "give": "{colour}",
        "give to a seat": "{colour} to {seat}",
        "give to a stock": "{colour} to the {stock}",
        "done": "end the turn",
        "go on": "go on",
        "pass": "pass",
        # What comes of it
        "told": "{choice} – {consequence}",
        "between": "; ",
        "enters": "{point} from the {side}",
        "drops": "{origin} drops to {point}",
        "drop": ("{n} marble drops", "{n} marbles drop"),
        "added": ("{colour} is added on {points}", "{colour} is added on {points}"),
        "added many": ("{n} {colour} marble is added", "{n} {colour} marbles are added"),
        "score": "score {gains}",
        "then": "then {ask}",
        "then seat": "then {seat} chooses",
        "then shown": "shown when all have chosen",
        "then drawn": "then a marble is drawn",
        "turn ends": "ends the turn",
        "again": "then plays again",
        "stuck": "{seat} can only pass",
        "game ends": "ends this game of the series",
        "wins": "wins",
        "all win": "everybody wins",
        "nobody wins": "nobody wins",
        "loses": "loses",
        "match ends": "ends the game",
        "result": "{who}: {reason}",
        "result by": "{who}: {reason}, {points}",
        "there take": "take it",
        "there lift": "lift it",
        "there place": "place {colour}",
        "there enter": "enter from the {side}",
        "there points": "choose more marbles",
        "partner": ("choose the other marble", "choose the other marbles"),
        "partner point": ("choose the other point", "choose the other points"),
        "both turn": "both turn {colours}",
        "all turn": "all turn {colours}",
        # Why not
        "sentence": "{ask}.",
        "ask first": "{ask} first.",
        "over": "The game is over.",
        "covered": "That board is under a cloth.",
        "board now": "{point}: the turn is on {board} now.",
        "the board": "the {board} board",
        "seat's board": "the board of {seat}",
        "not": "Not {point}: {reason}.",
        "not now": "The rules leave {point} alone this time.",
        "only colours": "Only {colours} may go to {point}.",
        "holds": "{point} holds a {colour} marble already.",
        "belongs": "{point} belongs to {seat}.",
        "other colour": "{point} is {colour}: {colours} is asked for now.",
        "pinned": "{point} is pinned: it holds up {points}.",
        "not free": "{point} is not free: it carries {points}.",
        "is empty": "{point} is empty: {ask}.",
        "came from": "{point} is where the marble came from.",
        "unsupported": (
            "{point} needs four marbles below: {points} is empty.",
            "{point} needs four marbles below: {points} are empty.",
        ),
        "run out": "No {colours} marble is left in the {stock}.",
        "just fell": "{point} is not open: {points} just fell.",
        "holes only": "{point} is above the board: only holes are filled now.",
        "no entry on the board": "{point} is a hole: marbles enter on the levels above.",
        "no edge": "{point} is not at an edge: marbles enter from a side.",
        "no entry": "From no side can a marble enter {point}.",
        "as before": "Not {point}: everything would stand as before the turn.",
        "leads nowhere": "{point} leads nowhere: the turn could not be completed.",
        "leads nowhere as": "{point} leads nowhere: {reason}.",
        "none to place": "no marble could be set down after it",
        "no other place": "There is no other place for {point}.",
        # What has happened
        "happened": "{seat}: {line}",
        "did": "{seat} {line}",
        "was placed": "{colour} on {points}",
        "was lifted": "lifts {point}",
        "was moved": "{origin} to {point}",
        "takes": ("takes {points}", "takes {points}"),
        "takes many": ("takes {n}", "takes {n}"),
        "captures": ("captures {points}", "captures {points}"),
        "captures many": ("captures {n}", "captures {n}"),
        "removes": ("removes {points}", "removes {points}"),
        "removes many": ("removes {n}", "removes {n}"),
        "pushed": ("{n} marble is pushed", "{n} marbles are pushed"),
        "turn": ("{points} turns {colour}", "{points} turn {colour}"),
        "turn many": ("{n} marble turns {colour}", "{n} marbles turn {colour}"),
        "draws": "draws {what}",
        "draws for": "draws {what} for {seat}",
        "gives": "{what} to {seat}",
        "puts": "{what} to the {stock}",
        "marbles": ("a marble", "{n} marbles"),
        "coloured marbles": ("{n} {colour}", "{n} {colour}"),
        "new game": "game {number} begins",
        "passed": "passes",
        "chose": "chooses {choice}",
        # What comes of choices made in secret
        "beats": "{colour} beats {others}",
        "alike": "all chose {colour}",
        "votes": "{n} {label}",
        "box holds": "{stock} holds {colour}",
        "number is": "{name} is {n} now",
        "nothing comes": "nothing comes of it",
        "seat places": "{seat} places {colour}",
        "seat places it": "{seat} places it",
        "seat is next": "{seat} is next",
        # What is asked for
        "ask place": "choose a point",
        "ask place coloured": "choose a colour and a point",
        "ask enter": "choose where to enter",
        "ask take": "choose a marble to take",
        "ask lift": "choose a marble to lift",
        "ask set": "choose where it goes",
        "ask points": "choose marbles",
        "ask marble": "choose a marble",
        "ask places": "choose points",
        "ask point": "choose a point",
        "ask shape": "choose a shape",
        "ask colour": "choose a colour",
        "ask seat": "choose a player",
        "ask number": "choose a number",
        "ask give": "choose a colour",
        "ask label": "choose what to do",
        "ask labels": "choose {labels}",
        "choose": "choose ",
        "or end": "{ask}, or end the turn",
        "or go on": "{ask}, or go on",
        "or pass": "{ask}, or pass",
        "only end": "the turn may end here",
        "only go on": "nothing more is asked: go on",
        "only pass": "no move is left: pass",
    },
    "fr": FRENCH,
}

NAMES: dict[str, dict[str, str]] = {"fr": FRENCH_NAMES}
"""What stocks, boards, choices, roles and variants are called in other languages: a game file has one name for each."""


def text(lang: str, key: str, n: int | None = None, **gaps: object) -> str:
    """Return the text called ``key``, its gaps filled in. ``n`` is what a template in two forms counts."""
    return filled(TEXTS, lang, key, n, gaps)


def listed(words: Sequence[str], lang: str = "en", last: str = "and") -> str:
    """Return the words as a list in a sentence: "a, b and c"."""
    return joined(words, text(lang, last))


def signed(number: int) -> str:
    """Return a gain or a loss with its sign: "+2", "−1"."""
    return f"+{number}" if number >= 0 else f"−{-number}"
