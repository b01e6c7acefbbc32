"""Translatable messages of marble games, by key, and formatting of lists and numbers."""

from __future__ import annotations

from collections.abc import Sequence

from shibumi3d.i18n import N_, P_, Plural, Translatable, translate
from shibumi3d.rules.wording import join_words

SEAT_SYMBOLS = "▲■◆●★⬢✚▼⬟✸"
"""Symbols of the seats in turn order, used where no names are given."""

MESSAGES: dict[str, Translatable] = {
    "white": N_("white"),
    "black": N_("black"),
    "red": N_("red"),
    "west": N_("west"),
    "east": N_("east"),
    "south": N_("south"),
    "north": N_("north"),
    "and": N_("and"),
    "or": N_("or"),
    "level": N_("level {level}"),
    "unknown": N_("unknown"),
    "place": N_("place {colour} on {point}"),
    "take": N_("take {point}"),
    "lift": N_("lift {point}"),
    "set": N_("put it on {point}"),
    "enter": N_("{colour} enters {point} from the {side}"),
    "give": N_("{colour}"),
    "done": N_("end the turn"),
    "pass": N_("pass"),
    "enters": N_("{point} from the {side}"),
    "drops": N_("{origin} drops to {point}"),
    "drop": Plural("{n} marble drops", "{n} marbles drop"),
    "added": Plural("{colour} is added on {points}", "{colour} is added on {points}"),
    "added many": Plural("{n} {colour} marble is added", "{n} {colour} marbles are added"),
    "score": N_("score: {gains}"),
    "wins": N_("wins"),
    "loses": N_("loses"),
    "match ends": N_("ends the game"),
    "not": N_("{point} isn't allowed: {reason}."),
    "not now": N_("{point} can't be chosen now."),
    "only colours": N_("Only {colours} can go on {point}."),
    "holds": N_("There is already a {colour} marble on {point}."),
    "belongs": N_("{point} belongs to {seat}."),
    "other colour": N_("{point} is {colour}: choose {colours} instead."),
    "pinned": N_("{point} is pinned: it carries {points}."),
    "not free": N_("{point} is not free: it carries {points}."),
    "is empty": N_("{point} is empty: {ask}."),
    "came from": N_("The marble can't go back to {point}."),
    "run out": N_("There are no {colours} marbles left in the {stock}."),
    "just fell": N_("{point} isn't allowed yet: {points} just dropped."),
    "holes only": N_("{point} is above the board: only holes are allowed now."),
    "no entry on the board": N_("{point} is a hole: marbles only enter on the levels above."),
    "no edge": N_("{point} is not on an edge: marbles enter from the side."),
    "no entry": N_("No marble can enter {point} from any side."),
    "as before": N_("{point} isn't allowed: the position would be the same as before the turn."),
    "leads nowhere": N_("{point} is a dead end: the turn couldn't be completed."),
    "leads nowhere as": N_("{point} is a dead end: {reason}."),
    "no other place": N_("The marble on {point} has nowhere else to go."),
    "was placed": N_("{colour} on {points}"),
    "was lifted": N_("lifts {point}"),
    "was moved": N_("{origin} to {point}"),
    "takes": Plural("takes {points}", "takes {points}"),
    "takes many": Plural("takes {n} marble", "takes {n} marbles"),
    "captures": Plural("captures {points}", "captures {points}"),
    "captures many": Plural("captures {n} marble", "captures {n} marbles"),
    "removes": Plural("removes {points}", "removes {points}"),
    "removes many": Plural("removes {n} marble", "removes {n} marbles"),
    "pushed": Plural("{n} marble is pushed", "{n} marbles are pushed"),
    "turn": Plural("{points} turns {colour}", "{points} turn {colour}"),
    "turn many": Plural("{n} marble turns {colour}", "{n} marbles turn {colour}"),
    "draws": N_("draws {what}"),
    "draws for": N_("draws {what} for {seat}"),
    "gives": N_("{what} to {seat}"),
    "puts": N_("{what} to the {stock}"),
    "marbles": Plural("a marble", "{n} marbles"),
    "coloured marbles": Plural("{n} {colour}", "{n} {colour}"),
    "passed": N_("passes"),
    "chose": N_("chooses {choice}"),
    "ask points": N_("choose marbles"),
    "ask marble": N_("choose a marble"),
    "ask places": N_("choose points"),
    "ask point": N_("choose a point"),
}
"""Messages by key, such as colours, moves, events, prompts, and reasons why a point can't be chosen."""


NAME_CONTEXT = "name in a game file"
"""Translation context for names that come from game files."""
DISPLAYED_NAMES = {"box": "supply"}
"""Names in game files, mapped to the words that are displayed instead."""
GAME_FILE_NAMES = (
    P_("name in a game file", "white"),
    P_("name in a game file", "black"),
    P_("name in a game file", "red"),
    P_("name in a game file", "supply"),
    P_("name in a game file", "bag"),
    P_("name in a game file", "hand"),
    P_("name in a game file", "reserve"),
    P_("name in a game file", "discard"),
    P_("name in a game file", "lost"),
    P_("name in a game file", "goal"),
    P_("name in a game file", "gift"),
    P_("name in a game file", "bomb"),
    P_("name in a game file", "fist"),
    P_("name in a game file", "palm"),
    P_("name in a game file", "left"),
    P_("name in a game file", "right"),
    P_("name in a game file", "for"),
    P_("name in a game file", "against"),
    P_("name in a game file", "bid"),
    P_("name in a game file", "stop"),
    P_("name in a game file", "mediator"),
    P_("name in a game file", "cook"),
    P_("name in a game file", "winner"),
    P_("name in a game file", "token"),
    P_("name in a game file", "lead"),
    P_("name in a game file", "last"),
    P_("name in a game file", "out"),
)
"""Names of colours, stocks, boards, choices and roles in game files, marked for translation."""


def format_list(words: Sequence[str], lang: str = "en", conjunction: str = "and") -> str:
    """Return the words as a list in a sentence: "a, b and c".

    ``conjunction`` is the key of the conjunction, "and" or "or".
    """
    return join_words(words, translate(lang, MESSAGES[conjunction]))


def format_signed(value: int) -> str:
    """Return a number with its sign: "+2", "−1" (with a minus sign rather than a hyphen) or "+0"."""
    return f"+{value}" if value >= 0 else f"−{-value}"
