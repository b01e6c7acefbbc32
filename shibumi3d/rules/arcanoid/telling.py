"""What happened, why something can't be done, and the table as lines, in words."""

from __future__ import annotations

from collections.abc import Sequence

from shibumi3d.rules.arcanoid import event as ev
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
from shibumi3d.rules.arcanoid.texts import one_of, text
from shibumi3d.rules.arcanoid.words import (
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


def line(view: State, event: ev.CardEvent, lang: str, names: Sequence[str]) -> str:
    """Return what happened, as one sentence without a full stop; empty for what nobody needs to be told."""
    told = _line(view, event, lang, names)
    return capital(told)


def _line(view: State, event: ev.CardEvent, lang: str, names: Sequence[str]) -> str:
    kind = type(event)
    who = name(view, event.who, lang, names) if event.who >= 0 else ""
    other = name(view, event.other, lang, names) if event.other >= 0 else ""
    what = cards_told(event.cards, lang)
    where = on(event.suits, lang) if event.suits else ""
    suit = one_of(lang, "suits", event.suits[0]) if event.suits else ""
    if kind in (ev.Dealt, ev.Renewed, ev.ExtraTurn):
        return text(lang, _NAMES[kind], event.number, who=who)
    if kind in (ev.Drawn, ev.Discarded) and not who:
        return text(lang, "drawn pool" if kind is ev.Drawn else "discarded table", what=what)
    if kind in (ev.Engaged, ev.Abdicated, ev.Razed):
        key = f"{_NAMES[kind]} {event.word}".strip()
        return text(lang, key, who=who, what=what, on=where, suit=suit, other=other)
    if kind is ev.Played:
        return _played(event, lang, who, other, where)
    if kind is ev.Hands and any(card >= 0 for card in event.cards):
        return text(lang, "hands seen", who=who, other=other, what=what)
    if kind is ev.Opened and not event.cards:
        return text(lang, "opened none", who=who)
    if kind is ev.Called:
        key = "called" if other else "called none"
        return text(lang, key, who=who, other=other, card=card_name(event.cards[0], lang))
    if kind is ev.Voted:
        return text(lang, "voted yes" if event.number else "voted no", who=who)
    if kind is ev.RoundDone:
        return text(lang, "round ended down" if event.cards else "round ended", event.number, what=what)
    if kind is ev.FieldWon:
        return text(lang, "field won", who=who, suit=suit, why=text(lang, f"why {event.word}"))
    if kind is ev.Withdrawn:
        return text(lang, "removed", card=what)
    if kind in _NAMES:
        return text(lang, _NAMES[kind], who=who, other=other, what=what, on=where, suit=suit)
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
"""What events are called in the table of texts."""


def _played(event: ev.CardEvent, lang: str, who: str, other: str, where: str) -> str:
    card = card_name(event.cards[0], lang)
    if event.word in (*SUITS, "M", "F"):
        return text(lang, "played word", who=who, card=card, what=text(lang, f"shown {event.word}"))
    if other and where:
        return text(lang, "played both", who=who, card=card, other=other, on=where)
    if other:
        return text(lang, "played who", who=who, card=card, other=other)
    return text(lang, "played on" if where else "played", who=who, card=card, on=where)


# ---------------------------------------------------------------- why not


def why_not(view: State, spots: Sequence[str], lang: str, names: Sequence[str]) -> str:
    """Return why nothing can be done with some cards and a place, as a sentence.

    Cards are named as S10, a field of a participant as 2S, the discard pile as ``discard``.
    """
    seat = view.to_move
    if seat is None or not spots:
        return ""
    cards = mask_of(NUMBER[spot] for spot in spots if spot in NUMBER)
    place = next((spot for spot in spots if spot[:-1].isdecimal() and spot[-1] in SUITS), "")
    if view.tasks[-1][0] != "turn":
        return capital(text(lang, "not asked"))
    who = view.tasks[-1][1]
    assert isinstance(who, int)
    if cards & ~(view.available(who) | view.reserve(who)):
        return capital(text(lang, "no other"))
    if not place:
        return capital(_useless(view, who, cards, lang))
    owner, suit = int(place[:-1]) - 1, SUITS.index(place[-1])
    suit_name = one_of(lang, "suits", suit)
    if cards == 1 << TOWER:
        return capital(text(lang, "no tower"))
    if owner < view.participants and view.stand(owner, suit).kind != OPEN:
        told = name(view, owner, lang, names)
        return capital(text(lang, "no engaged", suit=suit_name, who=told))
    if tempered(view, who, suit):
        return capital(text(lang, "no tempered", suit=suit_name))
    return capital(_no_set(view, cards, suit, lang))


def _useless(view: State, who: int, cards: int, lang: str) -> str:
    majors = cards_in(cards & MAJOR)
    if len(majors) == 1 and cards == 1 << majors[0]:
        card = majors[0]
        return text(lang, "no major", card=card_name(card, lang), effect=effect(card, lang))
    return text(lang, "no cards")


def _no_set(view: State, cards: int, suit: int, lang: str) -> str:
    """Why cards can't be engaged together on a field that is open."""
    if cards == 1 << WORLD:
        return text(lang, "no world")
    strange = cards_in(cards & ~SUIT[suit] & (NUMERIC | COURTS))
    majors = cards_in(cards & MAJOR & ~(1 << CHARIOT))
    if majors:
        return text(lang, "no major", card=card_name(majors[0], lang), effect=effect(majors[0], lang))
    if strange:
        return text(lang, "no suit", card=card_name(strange[0], lang), of=one_of(lang, "of", suit))
    courts = cards_in(cards & COURTS)
    rank = courts[0] % SUIT_SIZE if courts else -1
    if len(courts) == 1 and cards == 1 << courts[0] and rank in (QUEEN, KING):
        told = one_of(lang, "ranks", rank), one_of(lang, "ranks", QUEEN + KING - rank)
        return text(lang, "no lone royal", rank=told[0], other=told[1])
    if courts:
        return text(lang, "no mix ace" if view.rules.ace == "guard" else "no mix")
    return text(lang, "no cards")


# ---------------------------------------------------------------- the table as lines


def lines(view: State, lang: str, names: Sequence[str]) -> list[str]:
    """Return the table as lines for a terminal: a row a participant, a column a suit, and what else lies there."""
    key = "line dead" if view.dead else "line round"
    found = [
        text(
            lang,
            key,
            view.round,
            of=view.rules.rounds,
            stock=view.count[STOCK],
            discard=view.count[DISCARD],
        )
    ]
    told = [name(view, who, lang, names) for who in range(view.participants)]
    rows = [["", *[one_of(lang, "suits", suit) for suit in range(4)], ""]]
    for who in view.order:
        cells = [_cell(view, who, suit, lang) for suit in range(4)]
        rows.append([told[who], *cells, _held(view, who, lang)])
    widths = [max(len(row[column]) for row in rows) for column in range(5)]
    for row in rows:
        cells = [cell.ljust(width) for cell, width in zip(row, widths, strict=False)]
        found.append("  ".join([*cells, row[5]]).rstrip())
    if view.justice:
        found.append(text(lang, "line pool", what=names_of(view.at[POOL]).replace("+", " ")))
    if view.hermit[0] >= 0:
        found.append(text(lang, "line hermit", view.hermit[1], who=told[view.hermit[0]]))
    if view.temper[0] >= 0:
        found.append(text(lang, "line temper", who=told[view.temper[0]], on=on(view.temper[1:], lang)))
    if view.won:
        fields = zip(range(view.seats), view.scores, strict=True)
        won = ", ".join([f"{seat_name(names, seat, lang)} {score}" for seat, score in fields])
        found.append(text(lang, "line won", names=won))
    return found


def _cell(view: State, who: int, suit: int, lang: str) -> str:
    stand = view.stand(who, suit)
    if stand.kind == OPEN:
        return text(lang, "line open")
    if stand.kind == ABDICATED:
        return text(lang, "line given")
    cards, count = view.forces(who, suit), view.count[view.field_place(who, suit)]
    if cards.bit_count() < count:
        return text(lang, "line covered", count)
    return f"{names_of(cards)} = {strength_told(cards, suit, view, lang)}"


def _held(view: State, who: int, lang: str) -> str:
    """What a participant holds, as far as it is seen."""
    if view.is_out(who):
        return text(lang, "line out")
    hand = view.hand(who)
    hidden = view.held(who) - hand.bit_count()
    shown = [*names_of(hand).replace("+", " ").split(), *(["?"] * hidden)]
    found = [text(lang, "line hand", what=" ".join(shown) or "–")]
    if view.open_cards(who):
        found.append(text(lang, "line slots", what=names_of(view.open_cards(who)).replace("+", " ")))
    if view.reserve(who):
        carried = view.reserve(who) & ~(1 << CHARIOT)
        found.append(text(lang, "line reserve", what=names_of(carried).replace("+", " ")))
    return " · ".join(found)


def own_line(view: State, seat: int, lang: str) -> str:
    """Return what a seat has won so far, and the majors that stay for it."""
    found = [text(lang, "own", view.scores[seat])]
    if view.hermit[0] == seat:
        found.append(text(lang, "own hermit", view.hermit[1]))
    if more := view.slots[seat] + view.caps[seat] - view.rules.hand:
        found.append(text(lang, "own strength", more))
    if view.temper[0] == seat:
        found.append(text(lang, "own temper", suit=one_of(lang, "suits", view.temper[1])))
    if view.reserve(seat):
        found.append(text(lang, "own chariot", view.reserve(seat).bit_count() - 1))
    return " · ".join(found)


# ---------------------------------------------------------------- what is told besides


def round_line(view: State, lang: str) -> str:
    """Return which round is played."""
    return capital(text(lang, "round of", view.round, of=view.rules.rounds)) if view.rules.rounds > 1 else ""


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
"""What a sentence about what happened tells; drawing is seen."""


def happened(view: State, events: Sequence[ev.CardEvent], lang: str, names: Sequence[str]) -> str:
    """Return what events came to: who engaged what and how strong it is, who won which field."""
    found = []
    for event in _together(events):
        told = _line(view, event, lang, names)
        if isinstance(event, ev.Engaged) and event.suits and all(card >= 0 for card in event.cards):
            told = text(lang, "strong", what=told, strength=_strength(view, event, lang))
        found.append(told)
    return text(lang, "between").join(filter(None, found))


def _together(events: Sequence[ev.CardEvent]) -> list[ev.CardEvent]:
    """The events that are told; what somebody discards before anybody else does something is told at once."""
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
    """Whether the choice itself tells what happened."""
    given = isinstance(event, ev.Abdicated) and not event.word
    return given or isinstance(event, ev.Played | ev.Loaded | ev.Discarded)


def log_line(
    before: State, move: Move, events: Sequence[ev.CardEvent], lang: str, names: Sequence[str]
) -> str:
    """Return a choice that was made and what came of it: its cards, what others lost or won by it."""
    choice, parts = say(before, move, lang, names), []
    for event in events:
        if isinstance(event, ev.Engaged):
            parts.append(cards_told(event.cards, lang))
        elif isinstance(event, ev.Drawn) and event.who >= 0:
            parts.append(text(lang, "draws", len(event.cards)))
        elif isinstance(event, _TELL) and not _chosen(event):
            parts.append(_line(before, event, lang, names))
    what = text(lang, "between").join(filter(None, parts))
    return text(lang, "log", choice=choice, what=what) if what else choice


def thing_line(view: State, spot: str, lang: str, names: Sequence[str]) -> str:
    """Return what lies at a spot: a card by name ("S10", "call M3"), a field ("1S"), a seat ("P1"), a pile."""
    key = spot.removeprefix("call ")
    if key in NUMBER:
        return _card_line(NUMBER[key], lang)
    if key in ("stock", "discard"):
        return text(lang, f"thing {key}", view.count[STOCK if key == "stock" else DISCARD])
    if key == "shelf":
        return text(lang, "thing shelf")
    if key.startswith(("P", "side ")):
        number = key.removeprefix("P").removeprefix("side ")
        who = int(number) - 1 if number.isdecimal() else view.participants
        if who >= view.participants:
            return ""
        return text(lang, "thing seat", view.held(who), who=name(view, who, lang, names))
    if key[:-1].isdecimal() and key[-1] in SUITS and int(key[:-1]) <= view.participants:
        return _field_line(view, int(key[:-1]) - 1, SUITS.index(key[-1]), lang, names)
    return ""


def _card_line(card: int, lang: str) -> str:
    """What a card is called, what it counts or does."""
    told = card_name(card, lang)
    if card >= MINORS:
        return text(lang, "thing major", card - MINORS, card=told, effect=effect(card, lang))
    rank = card % SUIT_SIZE
    if NUMERIC >> card & 1:
        return text(lang, "thing number", rank + 1, card=told)
    if rank in (QUEEN, KING):
        return text(lang, "thing lone", card=told, other=one_of(lang, "ranks", QUEEN + KING - rank))
    return text(lang, "thing court", card=told)


def _field_line(view: State, who: int, suit: int, lang: str, names: Sequence[str]) -> str:
    gaps = {"who": name(view, who, lang, names), "on": on((suit,), lang)}
    stand = view.stand(who, suit)
    if stand.kind == OPEN:
        return text(lang, "thing open", **gaps)
    if stand.kind == ABDICATED:
        return text(lang, "thing given", **gaps)
    cards, count = view.forces(who, suit), view.count[view.field_place(who, suit)]
    if cards.bit_count() < count:
        return text(lang, "thing covered", count, **gaps)
    told = strength_told(cards, suit, view, lang)
    return text(lang, "thing forces", what=cards_told(cards_in(cards), lang), strength=told, **gaps)
