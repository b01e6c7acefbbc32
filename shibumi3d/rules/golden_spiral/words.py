"""Message templates of the Golden Spiral, and short phrases built from them."""

from __future__ import annotations

from collections.abc import Sequence

from shibumi3d.i18n import N_, P_, Plural, Translatable, translate, translate_all

SIGNS = "▲■"
"""Default names of the seats."""

PHRASES: dict[str, Translatable] = {
    "bid": N_("set {n}"),
    "pass": P_("golden", "pass"),
    "turn": N_("turn {n} back"),
    "gold": N_("take {n} Gold"),
    "spiral": N_("take {n} Spiral"),
    "destroy": N_("destroy {n} Gold"),
    "destroy none": N_("destroy nothing"),
    "swap": N_("swap {n} Spiral for {m} Gold"),
    "swap none": N_("swap nothing"),
    "thieve": Plural("take {n} star", "take {n} stars"),
    "thieve none": N_("take no stars"),
    "both": N_("; "),
    "does undo": N_("undo the clash"),
    "does clash": N_("set new numbers at once"),
    "does restock": N_("take up to {gold} Gold from the discard, to a maximum of {most} medals"),
    "does choose": N_("take up to {gold} Gold, or up to {spiral} Spiral"),
    "does destroy": N_("move up to {gold} of the opponent's Gold to the discard"),
    "does swap": N_("give up to {back} Spiral and take {each} Gold for each"),
    "does take": N_("take {what}"),
    "does take more": N_("take {what}, plus {more} from the discard"),
    "does thieve": N_("take up to {gold} of the opponent's stars"),
    "does reinforce": N_("turn all your medals to Gold in the reinforcement"),
    "does flip": N_("your Gold becomes Spiral, and your Spiral becomes Gold"),
    "stars": Plural("{n} star", "{n} stars"),
    "few stars": Plural(
        "{joker} costs {n} star, only {have} left.", "{joker} costs {n} stars, only {have} left."
    ),
    "no more": N_("No joker can be announced after {before}."),
    "after": N_("It's too late for {joker} after {before}."),
    "no room": N_("{seat} already has {n} medals."),
    "no discard": N_("The discard is empty."),
    "no booty": N_("{other} has no medals."),
    "no spiral": N_("{seat} has no Spiral medals."),
    "no gold there": N_("{other} has no Gold."),
    "not fewer": N_("{seat} doesn't have fewer medals: {mine} against {theirs}."),
    "uneven": N_("Gold and Spiral aren't equal: {gold} and {spiral}."),
    "no stars there": N_("{other} has no stars left."),
    "too high": N_("{n} is too high: with {gold} Gold, the limit is {most}."),
    "no number": N_("Two dice can't show {n}."),
    "end too high": N_("Default: the number was too high"),
    "end no number": N_("Default: no number to set"),
    "end difference": N_("Default: {need} Gold to lose, only {have} left"),
    "end price": N_("Default: {need} Gold to pay, only {have} left"),
    "end price spiral": N_("Default: {need} Spiral to pay, only {have} left"),
    "end check": N_("Default: {have} Gold left at the end of the Spiral"),
    "end both": N_("both in Default: {n} Spiral against {m}"),
    "end both alike": N_("both in Default, {n} Spiral each"),
    "end limit": N_("{n} Spirals played"),
    "phase 0": N_("clash"),
    "phase 1": N_("strategy"),
    "phase 2": N_("jokers"),
    "phase 3": N_("reinforcement"),
}
"""Messages that the code looks up by keys computed at run time."""


def both(key: str, **gaps: int) -> tuple[tuple[str, str], ...]:
    """Return a phrase in every language, as pairs of language code and text."""
    return tuple(translate_all(PHRASES[key], **gaps).items())


def name_of(names: Sequence[str], seat: int) -> str:
    """Return the name of a seat, or its default name if it has none."""
    return names[seat] if seat < len(names) else SIGNS[seat]


def medals(lang: str, gold: int, spiral: int) -> str:
    """Return a number of Gold and Spiral medals as text, e.g. "2 Gold and 1 Spiral"."""
    parts = [translate(lang, "{n} Gold", gold)] if gold else []
    parts += [translate(lang, "{n} Spiral", spiral)] if spiral else []
    return translate(lang, " and ").join(parts)
