"""All that the table says, as templates by name: one table a language. What a language lacks is given in English."""

from __future__ import annotations

from collections.abc import Sequence

from shibumi3d.i18n import N_, P_, Plural, Translatable, in_every_language, translate

SIGNS = "▲■"
"""What the seats are called where no name is given."""

PHRASES: dict[str, Translatable] = {
    "bid": N_("set {n}"),
    "pass": P_("golden", "pass"),
    "turn": N_("turn {n} back"),
    "gold": N_("take {n} Gold"),
    "spiral": N_("take {n} Spiral"),
    "destroy": N_("take {n} Gold away"),
    "destroy none": N_("take nothing away"),
    "swap": N_("give {n} Spiral for {m} Gold"),
    "swap none": N_("swap nothing"),
    "thieve": Plural("take {n} star", "take {n} stars"),
    "thieve none": N_("take no star"),
    "both": N_("; "),
    "does undo": N_("the clash is undone"),
    "does clash": N_("numbers are set anew at once"),
    "does restock": N_("up to {gold} Gold from the discard, {most} medals at most"),
    "does choose": N_("take up to {gold} Gold, or up to {spiral} Spiral"),
    "does destroy": N_("up to {gold} Gold of the other go to the discard"),
    "does swap": N_("give up to {back} Spiral, take {each} Gold for each"),
    "does take": N_("take {what}"),
    "does take more": N_("take {what}, and {more} from the discard"),
    "does thieve": N_("take up to {gold} stars of the other"),
    "does reinforce": N_("all one's medals turn to Gold in the reinforcement"),
    "does flip": N_("Gold and Spiral change places"),
    "stars": Plural("{n} star", "{n} stars"),
    "few stars": Plural("{joker} takes {n} star, {have} left.", "{joker} takes {n} stars, {have} left."),
    "no more": N_("After {before} nothing more may be announced."),
    "after": N_("{joker} is too late after {before}."),
    "no room": N_("{seat} holds {n} medals already."),
    "no discard": N_("Nothing lies in the discard."),
    "no booty": N_("{other} has no medal."),
    "no spiral": N_("{seat} has no Spiral medal."),
    "no gold there": N_("{other} has no Gold."),
    "not fewer": N_("{seat} does not hold fewer medals: {mine} against {theirs}."),
    "uneven": N_("Gold and Spiral differ: {gold}, {spiral}."),
    "no stars there": N_("{other} has no star left."),
    "too high": N_("{n} is too high: {most} is the most with {gold} Gold."),
    "no number": N_("Two dice can't show {n}."),
    "end too high": N_("Default: a number too high"),
    "end no number": N_("Default: no number to set"),
    "end difference": N_("Default: {need} Gold to lose, {have} held"),
    "end price": N_("Default: {need} Gold to pay, {have} held"),
    "end price spiral": N_("Default: {need} Spiral to pay, {have} held"),
    "end check": N_("Default: {have} Gold at the end of the Spiral"),
    "end both": N_("both in Default: {n} Spiral against {m}"),
    "end both alike": N_("both in Default, {n} Spiral each"),
    "end limit": N_("{n} Spirals played"),
    "phase 0": N_("clash"),
    "phase 1": N_("strategy"),
    "phase 2": N_("jokers"),
    "phase 3": N_("reinforcement"),
}
"""Phrases that are chosen by name."""


def both(key: str, **gaps: int) -> tuple[tuple[str, str], ...]:
    """Return a phrase in every language."""
    return tuple(in_every_language(PHRASES[key], **gaps).items())


def name_of(names: Sequence[str], seat: int) -> str:
    """Return what a seat is called."""
    return names[seat] if seat < len(names) else SIGNS[seat]


def medals(lang: str, gold: int, spiral: int) -> str:
    """Return so many medals in words: "2 Gold and 1 Spiral"."""
    parts = [translate(lang, "{n} Gold", gold)] if gold else []
    parts += [translate(lang, "{n} Spiral", spiral)] if spiral else []
    return translate(lang, " and ").join(parts)
