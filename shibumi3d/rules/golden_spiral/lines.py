"""The Golden Spiral as text for a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from shibumi3d.i18n import ntranslate, translate
from shibumi3d.rules.golden_spiral import sentences
from shibumi3d.rules.golden_spiral.state import State
from shibumi3d.rules.golden_spiral.table import Tableau
from shibumi3d.rules.golden_spiral.words import name_of


def faces(table: Tableau, number: int) -> str:
    """Return the faces of the two dice that show a number, e.g. "1+4"."""
    return "+".join(map(str, table.dice[number - 1]))


def lines(table: Tableau, view: State, lang: str, names: Sequence[str]) -> list[str]:
    """Return ``view`` as lines of text.

    The lines show both seats, the discard, the dice, the visible numbers set for the next clash, and the jokers
    announced. If a joker can be announced, they list all jokers, each with its effect or why it can't be announced.
    """
    found = [translate(lang, "Spiral {n} of {most}", view.turn + (view.result is None), most=table.limit)]
    for seat in range(view.seats):
        stars = ntranslate(lang, "{n} star", "{n} stars", view.stars[seat])
        line = translate(
            lang,
            "{seat}: {gold} Gold, {spiral} Spiral, {stars}",
            seat=name_of(names, seat),
            gold=view.gold[seat],
            spiral=view.spiral[seat],
            stars=stars,
        )
        found.append(
            line + (translate(lang, ", {n} spent this Spiral", view.laid[seat]) if view.laid[seat] else "")
        )
    found.append(translate(lang, "discard: {n}", view.discard))
    if all(view.numbers):
        first, second = view.numbers
        found.append(
            translate(
                lang,
                "dice: {first} {n} ({faces}), {second} {m} ({others})",
                first,
                m=second,
                first=name_of(names, 0),
                second=name_of(names, 1),
                faces=faces(table, first),
                others=faces(table, second),
            )
        )
    for seat, bid in enumerate(view.bids):
        if bid > 0:
            found.append(
                translate(
                    lang,
                    "{seat} has set {n} ({faces})",
                    bid,
                    seat=name_of(names, seat),
                    faces=faces(table, bid),
                )
            )
    for number, id in enumerate(view.spoken):
        said = table.joker(id).called(lang) if id else translate(lang, "no joker")
        found.append(
            translate(lang, "{seat}: {joker}", seat=name_of(names, view.speaker(number)), joker=said)
        )
    if view.question == "joker" and view.to_move is not None:
        seat = view.to_move
        for joker in table.jokers:
            no = sentences.needs(table, view, seat, joker, lang, names)
            told = no or sentences.effect(table, view, seat, joker, lang, names)
            price = ntranslate(
                lang,
                "{n} star, {price}",
                "{n} stars, {price}",
                joker.stars,
                price=sentences.price(joker, lang),
            )
            found.append(f"  {'·' if no else '*'} {joker.id} ({joker.called(lang)}, {price}): {told}")
    return found
