"""All that the table says, as templates by name: one table a language. What a language lacks is given in English."""

from __future__ import annotations

from collections.abc import Sequence

from shibumi3d.rules.golden_spiral.french import FRENCH
from shibumi3d.rules.wording import filled
from shibumi3d.sayings.filling import Template

SIGNS = "▲■"
"""What the seats are called where no name is given."""

WORDS: dict[str, dict[str, Template]] = {
    "en": {
        # What is asked for
        "ask bid": "set a number from 1 to {n}",
        "ask bids": "set a number ({first}: up to {n}, {second}: up to {m})",
        "ask joker": "a joker, or pass",
        "ask amount": "{joker}: choose how much",
        "ask reinforce": ("turn {n} medal back, or none", "turn up to {n} medals back"),
        # What a choice is
        "bid": "set {n}",
        "pass": "pass",
        "announce": "announce {joker}",
        "announce none": "announce nothing",
        "turn": "turn {n} back",
        "turn none": "turn none back",
        "gold": "take {n} Gold",
        "spiral": "take {n} Spiral",
        "choose none": "take nothing",
        "destroy": "take {n} Gold away",
        "destroy none": "take nothing away",
        "swap": "give {n} Spiral for {m} Gold",
        "swap none": "swap nothing",
        "thieve": ("take {n} star", "take {n} stars"),
        "thieve none": "take no star",
        # What comes of it
        "told": "{choice} – {consequence}",
        "counts": "{seat} {gold} Gold, {spiral} Spiral",
        "both": "; ",
        "priced": "{joker} ({price})",
        "joker told": "{joker} ({price}): {effect}",
        "joker detail": "{price}\n{effect}",
        "log against": "against {n}",
        "does undo": "the clash is undone",
        "does clash": "numbers are set anew at once",
        "does restock": "up to {gold} Gold from the discard, {most} medals at most",
        "does choose": "take up to {gold} Gold, or up to {spiral} Spiral",
        "does destroy": "up to {gold} Gold of the other go to the discard",
        "does swap": "give up to {back} Spiral, take {each} Gold for each",
        "does take": "take {what}",
        "does take more": "take {what}, and {more} from the discard",
        "does thieve": "take up to {gold} stars of the other",
        "does reinforce": "all one's medals turn to Gold in the reinforcement",
        "does flip": "Gold and Spiral change places",
        "against": "against {n}: {counts}",
        "nothing happens": "nothing happens",
        "between": " · ",
        "in default": "{seat} in Default",
        "clash anew": "a new clash at once",
        "clash no number": "a new clash at once; {seat} has no number for it: Default",
        "stars left": "{counts}; {seat} {stars}",
        "stars": ("{n} star", "{n} stars"),
        "nobody speaks": "no joker",
        # Why not
        "few stars": ("{joker} takes {n} star, {have} left.", "{joker} takes {n} stars, {have} left."),
        "no more": "After {before} nothing more may be announced.",
        "after": "{joker} is too late after {before}.",
        "no room": "{seat} holds {n} medals already.",
        "no discard": "Nothing lies in the discard.",
        "no booty": "{other} has no medal.",
        "no spiral": "{seat} has no Spiral medal.",
        "no gold there": "{other} has no Gold.",
        "not fewer": "{seat} does not hold fewer medals: {mine} against {theirs}.",
        "uneven": "Gold and Spiral differ: {gold}, {spiral}.",
        "no stars there": "{other} has no star left.",
        "too high": "{n} is too high: {most} is the most with {gold} Gold.",
        "not now": "{seat} is asked now: {ask}.",
        "over": "The game is over.",
        "no number": "Two dice can't show {n}.",
        # What happened
        "line shown": "{first} {n}, {second} {m}",
        "line turned": "{seat} turns {n} to Spiral",
        "line back": "{seat} turns {n} to Gold",
        "line flipped": "{seat} turns all",
        "line lost": "{seat} loses {what}",
        "line paid": "{seat} pays {what}",
        "line regained": "{seat} gets {what} back",
        "line gained": "{seat} gets {what} from the discard",
        "line taken": "{seat} takes {what} from {other}",
        "line announced": "{seat} announces {joker}",
        "line passed": "{seat} passes",
        "line unable": "{seat} has no joker to announce",
        "line stars": ("{seat} takes {n} star", "{seat} takes {n} stars"),
        "line first": "{seat} speaks first",
        "log": "{choice}: {what}",
        "set both": "{first} set {n}, {second} {m}",
        "used": "{seat} used {joker}",
        "came": "{what}: {then}",
        "thing gold": "Gold of {seat}, {n}: it can be spent and lost, and numbers must be lower",
        "thing spiral": "Spiral of {seat}, {n}: it turns back to Gold in the reinforcement",
        "thing stars": "stars of {seat}, {n}: laid down to announce a joker",
        "thing laid": "stars laid down by {seat}, {n}",
        "thing dice": "dice of {seat}: {n}",
        "thing dice none": "dice of {seat}: no number yet",
        "thing lost": "discard, {n}: medals lost and paid",
        "thing number": "{n}, shown by {faces}",
        "line clash": "a new clash",
        "line default": "{seat} in Default: {why}",
        "medals gold": "{n} Gold",
        "medals spiral": "{n} Spiral",
        "and": " and ",
        "why too high": "{need} Gold needed for that number, {have} held",
        "why no number": "no number can be set with {have} Gold",
        "why difference": "{need} Gold to lose, {have} held",
        "why price": "{need} Gold to pay, {have} held",
        "why price spiral": "{need} Spiral to pay, {have} held",
        "why check": "{have} Gold at the end of the Spiral",
        # How it ends
        "end too high": "Default: a number too high",
        "end no number": "Default: no number to set",
        "end difference": "Default: {need} Gold to lose, {have} held",
        "end price": "Default: {need} Gold to pay, {have} held",
        "end price spiral": "Default: {need} Spiral to pay, {have} held",
        "end check": "Default: {have} Gold at the end of the Spiral",
        "end both": "both in Default: {n} Spiral against {m}",
        "end both alike": "both in Default, {n} Spiral each",
        "end limit": "{n} Spirals played",
        # The table
        "phase 0": "clash",
        "phase 1": "strategy",
        "phase 2": "jokers",
        "phase 3": "reinforcement",
        "row spiral": "Spiral {n} of {most}",
        "row seat": "{seat}: {gold} Gold, {spiral} Spiral, {stars}",
        "own": "{gold} Gold · {spiral} Spiral · {stars}",
        "row laid": ", {n} laid down",
        "row dice": "dice: {first} {n} ({faces}), {second} {m} ({others})",
        "row discard": "discard: {n}",
        "row set": "{seat} has set {n} ({faces})",
        "row spoken": "{seat}: {joker}",
        "price row": ("{n} star, {price}", "{n} stars, {price}"),
    },
    "fr": FRENCH,
}


def sentence(lang: str, key: str, n: int | None = None, **gaps: object) -> str:
    """Return the text called ``key``, its gaps filled in. ``n`` is what a template in two forms counts."""
    return filled(WORDS, lang, key, n, gaps)


def both(key: str, **gaps: int) -> tuple[tuple[str, str], ...]:
    """Return the text called ``key`` in every language."""
    return tuple((lang, sentence(lang, key, **gaps)) for lang in WORDS)


def name_of(names: Sequence[str], seat: int) -> str:
    """Return what a seat is called."""
    return names[seat] if seat < len(names) else SIGNS[seat]


def medals(lang: str, gold: int, spiral: int) -> str:
    """Return so many medals in words: "2 Gold and 1 Spiral"."""
    parts = [sentence(lang, "medals gold", gold)] if gold else []
    parts += [sentence(lang, "medals spiral", spiral)] if spiral else []
    return sentence(lang, "and").join(parts)
