"""Descriptions of Arcanoid's events and table, and explanations of why a selection is illegal.

The table can also be formatted as lines for a terminal.
"""

from __future__ import annotations

from collections.abc import Sequence

from shibumi3d.i18n import N_, Plural, Translatable, ntranslate, translate
from shibumi3d.rules.arcanoid import event as ev
from shibumi3d.rules.arcanoid import texts
from shibumi3d.rules.arcanoid.cards import (
    CHARIOT,
    COURTS,
    KING,
    MAJOR,
    MINORS,
    NUMBER,
    NUMERIC,
    QUEEN,
    SUIT,
    SUIT_SIZE,
    SUITS,
    TOWER,
    WORLD,
    cards_in,
    mask_of,
    names_of,
)
from shibumi3d.rules.arcanoid.move import Move
from shibumi3d.rules.arcanoid.moves import tempered
from shibumi3d.rules.arcanoid.state import ABDICATED, DISCARD, OPEN, POOL, STOCK, State
from shibumi3d.rules.arcanoid.texts import PHRASES
from shibumi3d.rules.arcanoid.words import (
    SHOWN_TEXTS,
    card_name,
    cards_told,
    effect,
    name,
    on,
    say,
    seat_name,
    strength_told,
)
from shibumi3d.rules.wording import capital

THING_TEXTS: dict[str, Translatable] = {
    "number": Plural("{card}: 1 point", "{card}: {n} points"),
    "court": N_("{card}: a court card, engaged alone or as a couple"),
    "lone": N_("{card}: a court card, engaged with its {other} or with the Lovers"),
    "major": N_("{card} ({n}): {effect}"),
    "open": N_("{who} {on}: nothing yet"),
    "given": N_("{who} {on}: given up"),
    "covered": Plural("{who} {on}: 1 card face down", "{who} {on}: {n} cards face down"),
    "forces": N_("{who} {on}: {what} ({strength})"),
    "stock": Plural("stock: 1 card", "stock: {n} cards"),
    "discard": Plural("discard pile: 1 card", "discard pile: {n} cards"),
    "seat": Plural("{who}: 1 card in hand", "{who}: {n} cards in hand"),
    "shelf": N_("play majors here"),
}
WHY_TEXTS = {
    "points": N_("the most points"),
    "illegitimate": N_("an illegitimate couple"),
    "royal": N_("the royal couple"),
    "imperial": N_("the imperial couple"),
    "world": N_("the World"),
    "cards": N_("points tied, the higher card wins"),
    "natural": N_("cards tied, the natural one wins"),
    "last": N_("the last to give it up"),
}


def line(view: State, event: ev.CardEvent, lang: str, names: Sequence[str]) -> str:
    """Describe an event in one sentence without a period, or return "" if it needs no text."""
    told = _line(view, event, lang, names)
    return capital(told)


def _line(view: State, event: ev.CardEvent, lang: str, names: Sequence[str]) -> str:
    kind = type(event)
    who = name(view, event.who, lang, names) if event.who >= 0 else ""
    other = name(view, event.other, lang, names) if event.other >= 0 else ""
    what = cards_told(event.cards, lang)
    where = on(event.suits, lang) if event.suits else ""
    suit = translate(lang, texts.SUITS[event.suits[0]]) if event.suits else ""
    if kind in (ev.Dealt, ev.Renewed, ev.ExtraTurn):
        return translate(lang, PHRASES[_NAMES[kind]], event.number, who=who)
    if kind in (ev.Drawn, ev.Discarded) and not who:
        return (
            translate(lang, "added to the shared cards: {what}", what=what)
            if kind is ev.Drawn
            else translate(lang, "discarded: {what}", what=what)
        )
    if kind in (ev.Engaged, ev.Abdicated, ev.Razed):
        key = f"{_NAMES[kind]} {event.word}".strip()
        return translate(lang, PHRASES[key], who=who, what=what, on=where, suit=suit, other=other)
    if kind is ev.Played:
        return _played(event, lang, who, other, where)
    if kind is ev.Hands and any(card >= 0 for card in event.cards):
        return translate(lang, "{who} looks at {other}'s hand: {what}", who=who, other=other, what=what)
    if kind is ev.Opened and not event.cards:
        return translate(lang, "{who} has none to show", who=who)
    if kind is ev.Called:
        key = "called" if other else "called none"
        return translate(lang, PHRASES[key], who=who, other=other, card=card_name(event.cards[0], lang))
    if kind is ev.Voted:
        return (
            translate(lang, "{who}: yes", who=who) if event.number else translate(lang, "{who}: no", who=who)
        )
    if kind is ev.RoundDone:
        return (
            translate(lang, "round {n} is over; the face-down cards were {what}", event.number, what=what)
            if event.cards
            else translate(lang, "round {n} is over", event.number, what=what)
        )
    if kind is ev.FieldWon:
        return translate(
            lang, "{who} wins {suit}: {why}", who=who, suit=suit, why=translate(lang, WHY_TEXTS[event.word])
        )
    if kind is ev.Withdrawn:
        return translate(lang, "{card} leaves the table", card=what)
    if kind in _NAMES:
        return translate(lang, PHRASES[_NAMES[kind]], who=who, other=other, what=what, on=where, suit=suit)
    return ""


_NAMES: dict[type[ev.CardEvent], str] = {
    ev.Dealt: "dealt",
    ev.Drawn: "drawn",
    ev.LookedAt: "looked",
    ev.Discarded: "discarded",
    ev.Engaged: "engaged",
    ev.Abdicated: "abdicated",
    ev.Loaded: "loaded",
    ev.Hands: "hands",
    ev.Opened: "opened",
    ev.Stolen: "stolen",
    ev.Spoilt: "spoilt",
    ev.Razed: "razed",
    ev.Renewed: "renewed",
    ev.Died: "died",
    ev.Left: "left",
    ev.Raised: "raised",
    ev.ExtraTurn: "extra turn",
}
"""Keys of :data:`.texts.PHRASES` that name events."""


def _played(event: ev.CardEvent, lang: str, who: str, other: str, where: str) -> str:
    card = card_name(event.cards[0], lang)
    if event.word in (*SUITS, "M", "F"):
        return translate(
            lang,
            "{who} plays {card}: {what}",
            who=who,
            card=card,
            what=translate(lang, SHOWN_TEXTS[event.word]),
        )
    if other and where:
        return translate(lang, "{who} plays {card}: {other} {on}", who=who, card=card, other=other, on=where)
    if other:
        return translate(lang, "{who} plays {card}: {other}", who=who, card=card, other=other)
    return (
        translate(lang, "{who} plays {card} {on}", who=who, card=card, on=where)
        if where
        else translate(lang, "{who} plays {card}", who=who, card=card, on=where)
    )


# ---------------------------------------------------------------- illegal selections


def why_not(view: State, spots: Sequence[str], lang: str, names: Sequence[str]) -> str:
    """Explain in a sentence why the selected cards can't be used at the selected place.

    ``spots`` are cards (``S10``), a participant's field (``2S``), or ``discard`` for the discard pile. Returns "" if
    nothing is selected or nobody is to move.
    """
    seat = view.to_move
    if seat is None or not spots:
        return ""
    cards = mask_of(NUMBER[spot] for spot in spots if spot in NUMBER)
    place = next((spot for spot in spots if spot[:-1].isdecimal() and spot[-1] in SUITS), "")
    if view.tasks[-1][0] != "turn":
        return capital(translate(lang, "you can't choose that now"))
    who = view.tasks[-1][1]
    assert isinstance(who, int)
    if cards & ~(view.available(who) | view.reserve(who)):
        return capital(translate(lang, "only cards of the player to move and shared cards can be played"))
    if not place:
        return capital(_useless(view, who, cards, lang))
    owner, suit = int(place[:-1]) - 1, SUITS.index(place[-1])
    suit_name = translate(lang, texts.SUITS[suit])
    if cards == 1 << TOWER:
        return capital(
            translate(
                lang, "the Tower only removes forces of a player still in the round, and never the World"
            )
        )
    if owner < view.participants and view.stand(owner, suit).kind != OPEN:
        told = name(view, owner, lang, names)
        return capital(
            translate(
                lang,
                "{suit}: {who} has already engaged cards or given up on this field",
                suit=suit_name,
                who=told,
            )
        )
    if tempered(view, who, suit):
        return capital(
            translate(lang, "Temperance is on {suit}: all you can do there is give up", suit=suit_name)
        )
    return capital(_no_set(view, cards, suit, lang))


def _useless(view: State, who: int, cards: int, lang: str) -> str:
    majors = cards_in(cards & MAJOR)
    if len(majors) == 1 and cards == 1 << majors[0]:
        card = majors[0]
        return translate(
            lang,
            "{card} can't be engaged this way: {effect}",
            card=card_name(card, lang),
            effect=effect(card, lang),
        )
    return translate(lang, "these cards can't be engaged together")


def _no_set(view: State, cards: int, suit: int, lang: str) -> str:
    """Return why cards can't be engaged together on a field without an engagement."""
    if cards == 1 << WORLD:
        return translate(lang, "the World needs a field where nothing has happened yet")
    strange = cards_in(cards & ~SUIT[suit] & (NUMERIC | COURTS))
    majors = cards_in(cards & MAJOR & ~(1 << CHARIOT))
    if majors:
        return translate(
            lang,
            "{card} can't be engaged this way: {effect}",
            card=card_name(majors[0], lang),
            effect=effect(majors[0], lang),
        )
    if strange:
        return translate(
            lang,
            "this field takes cards {of}, not {card}",
            card=card_name(strange[0], lang),
            of=translate(lang, texts.OF[suit]),
        )
    courts = cards_in(cards & COURTS)
    rank = courts[0] % SUIT_SIZE if courts else -1
    if len(courts) == 1 and cards == 1 << courts[0] and rank in (QUEEN, KING):
        told = translate(lang, texts.RANKS[rank]), translate(lang, texts.RANKS[QUEEN + KING - rank])
        return translate(
            lang,
            "a {rank} can't be engaged alone: it needs its {other} or the Lovers",
            rank=told[0],
            other=told[1],
        )
    if courts:
        return (
            translate(lang, "only an ace can join a knave or knight")
            if view.rules.ace == "guard"
            else translate(lang, "no other cards can join a knave, a knight or a couple")
        )
    return translate(lang, "these cards can't be engaged together")


# ---------------------------------------------------------------- the table as lines


def lines(view: State, lang: str, names: Sequence[str]) -> list[str]:
    """Return the table as lines for a terminal.

    There is a row for each participant, with a column for each suit. Below them are the majors in play, the shared
    cards and the fields won.
    """
    key = "line dead" if view.dead else "line round"
    found = [
        translate(
            lang,
            PHRASES[key],
            view.round,
            of=view.rules.rounds,
            stock=view.count[STOCK],
            discard=view.count[DISCARD],
        )
    ]
    told = [name(view, who, lang, names) for who in range(view.participants)]
    rows = [["", *[translate(lang, texts.SUITS[suit]) for suit in range(4)], ""]]
    for who in view.order:
        cells = [_cell(view, who, suit, lang) for suit in range(4)]
        rows.append([told[who], *cells, _held(view, who, lang)])
    widths = [max(len(row[column]) for row in rows) for column in range(5)]
    for row in rows:
        cells = [cell.ljust(width) for cell, width in zip(row, widths, strict=False)]
        found.append("  ".join([*cells, row[5]]).rstrip())
    if view.justice:
        found.append(translate(lang, "shared cards: {what}", what=names_of(view.at[POOL]).replace("+", " ")))
    if view.hermit[0] >= 0:
        found.append(translate(lang, "{who}'s Hermit: {n} left", view.hermit[1], who=told[view.hermit[0]]))
    if view.temper[0] >= 0:
        found.append(
            translate(lang, "{who}'s Temperance {on}", who=told[view.temper[0]], on=on(view.temper[1:], lang))
        )
    if view.won:
        fields = zip(range(view.seats), view.scores, strict=True)
        won = ", ".join([f"{seat_name(names, seat, lang)} {score}" for seat, score in fields])
        found.append(translate(lang, "fields won: {names}", names=won))
    return found


def _cell(view: State, who: int, suit: int, lang: str) -> str:
    stand = view.stand(who, suit)
    if stand.kind == OPEN:
        return translate(lang, "open")
    if stand.kind == ABDICATED:
        return translate(lang, "given up")
    cards, count = view.forces(who, suit), view.count[view.field_place(who, suit)]
    if cards.bit_count() < count:
        return translate(lang, "{n} face down", count)
    return f"{names_of(cards)} = {strength_told(cards, suit, view, lang)}"


def _held(view: State, who: int, lang: str) -> str:
    """Return the visible cards of a participant: its hand, its open cards and the Chariot."""
    if view.is_out(who):
        return translate(lang, "out")
    hand = view.hand(who)
    hidden = view.held(who) - hand.bit_count()
    shown = [*names_of(hand).replace("+", " ").split(), *(["?"] * hidden)]
    found = [translate(lang, "hand {what}", what=" ".join(shown) or "–")]
    if view.open_cards(who):
        found.append(translate(lang, "open {what}", what=names_of(view.open_cards(who)).replace("+", " ")))
    if view.reserve(who):
        carried = view.reserve(who) & ~(1 << CHARIOT)
        found.append(translate(lang, "Chariot {what}", what=names_of(carried).replace("+", " ")))
    return " · ".join(found)


def own_line(view: State, seat: int, lang: str) -> str:
    """Describe which fields a seat has won so far and which of its majors are in play."""
    found = [ntranslate(lang, "1 field won", "{n} fields won", view.scores[seat])]
    if view.hermit[0] == seat:
        found.append(translate(lang, "Hermit {n}", view.hermit[1]))
    if more := view.slots[seat] + view.caps[seat] - view.rules.hand:
        found.append(translate(lang, "Strength +{n}", more))
    if view.temper[0] == seat:
        found.append(translate(lang, "Temperance: {suit}", suit=translate(lang, texts.SUITS[view.temper[1]])))
    if view.reserve(seat):
        found.append(translate(lang, "Chariot {n}", view.reserve(seat).bit_count() - 1))
    return " · ".join(found)


# ---------------------------------------------------------------- summaries and spots


def round_line(view: State, lang: str) -> str:
    """Return a text that names the current round, or "" if the match has a single round."""
    return (
        capital(translate(lang, "round {n} of {of}", view.round, of=view.rules.rounds))
        if view.rules.rounds > 1
        else ""
    )


_TELL = (
    ev.Discarded,
    ev.Engaged,
    ev.Abdicated,
    ev.Played,
    ev.Loaded,
    ev.Called,
    ev.Stolen,
    ev.Spoilt,
    ev.Razed,
    ev.Renewed,
    ev.Died,
    ev.Left,
    ev.Raised,
    ev.RoundDone,
    ev.FieldWon,
    ev.Dealt,
)
"""Events that are mentioned in a summary.

Draws are left out because players can see them on the table.
"""


def happened(view: State, events: Sequence[ev.CardEvent], lang: str, names: Sequence[str]) -> str:
    """Summarize events, such as who engaged which cards at which strength and who won which field."""
    found = []
    for event in _together(events):
        told = _line(view, event, lang, names)
        if isinstance(event, ev.Engaged) and event.suits and all(card >= 0 for card in event.cards):
            told = translate(lang, "{what} ({strength})", what=told, strength=_strength(view, event, lang))
        found.append(told)
    return translate(lang, "; ").join(filter(None, found))


def _together(events: Sequence[ev.CardEvent]) -> list[ev.CardEvent]:
    """Return the events to mention in a summary.

    Consecutive discards by one participant are merged into a single event.
    """
    found: list[ev.CardEvent] = []
    for event in events:
        discards = isinstance(event, ev.Discarded)
        if not isinstance(event, _TELL) or (isinstance(event, ev.Dealt) and event.number == 1):
            continue
        if discards and event.who < 0:
            continue
        own = next((at for at in reversed(range(len(found))) if found[at].who != event.who), -1) + 1
        before = next((at for at in range(own, len(found)) if isinstance(found[at], ev.Discarded)), -1)
        if discards and before >= 0:
            found[before] = ev.Discarded(event.who, found[before].cards + event.cards)
        else:
            found.append(event)
    return found


def _strength(view: State, event: ev.CardEvent, lang: str) -> str:
    return strength_told(mask_of(event.cards), event.suits[0], view, lang)


def _chosen(event: ev.CardEvent) -> bool:
    """Return whether the text of the move already says what the text of the event would say."""
    given = isinstance(event, ev.Abdicated) and not event.word
    return given or isinstance(event, ev.Played | ev.Loaded | ev.Discarded)


def log_line(
    before: State, move: Move, events: Sequence[ev.CardEvent], lang: str, names: Sequence[str]
) -> str:
    """Describe a move and its effects: the cards involved, and what other participants lost or won."""
    choice, parts = say(before, move, lang, names), []
    for event in events:
        if isinstance(event, ev.Engaged):
            parts.append(cards_told(event.cards, lang))
        elif isinstance(event, ev.Drawn) and event.who >= 0:
            parts.append(ntranslate(lang, "draws 1 card", "draws {n} cards", len(event.cards)))
        elif isinstance(event, _TELL) and not _chosen(event):
            parts.append(_line(before, event, lang, names))
    what = translate(lang, "; ").join(filter(None, parts))
    return translate(lang, "{choice}: {what}", choice=choice, what=what) if what else choice


def thing_line(view: State, spot: str, lang: str, names: Sequence[str]) -> str:
    """Describe what is at a spot, or return "" if nothing is there.

    A spot is a card (``S10``, or ``call M3`` in the list of calls), a field (``1S``), a participant (``P1`` or ``side
    1``), ``stock``, ``discard``, or ``shelf``, where majors are played.
    """
    key = spot.removeprefix("call ")
    if key in NUMBER:
        return _card_line(NUMBER[key], lang)
    if key in ("stock", "discard"):
        return translate(lang, THING_TEXTS[key], view.count[STOCK if key == "stock" else DISCARD])
    if key == "shelf":
        return translate(lang, "play majors here")
    if key.startswith(("P", "side ")):
        number = key.removeprefix("P").removeprefix("side ")
        who = int(number) - 1 if number.isdecimal() else view.participants
        if who >= view.participants:
            return ""
        return ntranslate(
            lang,
            "{who}: 1 card in hand",
            "{who}: {n} cards in hand",
            view.held(who),
            who=name(view, who, lang, names),
        )
    if key[:-1].isdecimal() and key[-1] in SUITS and int(key[:-1]) <= view.participants:
        return _field_line(view, int(key[:-1]) - 1, SUITS.index(key[-1]), lang, names)
    return ""


def _card_line(card: int, lang: str) -> str:
    """Return the name of a card and its points, use or effect."""
    told = card_name(card, lang)
    if card >= MINORS:
        return translate(lang, "{card} ({n}): {effect}", card - MINORS, card=told, effect=effect(card, lang))
    rank = card % SUIT_SIZE
    if NUMERIC >> card & 1:
        return ntranslate(lang, "{card}: 1 point", "{card}: {n} points", rank + 1, card=told)
    if rank in (QUEEN, KING):
        return translate(
            lang,
            "{card}: a court card, engaged with its {other} or with the Lovers",
            card=told,
            other=translate(lang, texts.RANKS[QUEEN + KING - rank]),
        )
    return translate(lang, "{card}: a court card, engaged alone or as a couple", card=told)


def _field_line(view: State, who: int, suit: int, lang: str, names: Sequence[str]) -> str:
    gaps = {"who": name(view, who, lang, names), "on": on((suit,), lang)}
    stand = view.stand(who, suit)
    if stand.kind == OPEN:
        return translate(lang, "{who} {on}: nothing yet", **gaps)
    if stand.kind == ABDICATED:
        return translate(lang, "{who} {on}: given up", **gaps)
    cards, count = view.forces(who, suit), view.count[view.field_place(who, suit)]
    if cards.bit_count() < count:
        return ntranslate(
            lang, "{who} {on}: 1 card face down", "{who} {on}: {n} cards face down", count, **gaps
        )
    told = strength_told(cards, suit, view, lang)
    return translate(
        lang, "{who} {on}: {what} ({strength})", what=cards_told(cards_in(cards), lang), strength=told, **gaps
    )
