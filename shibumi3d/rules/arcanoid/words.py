"""The table in words: cards, participants, what is asked, what a choice is and brings about."""

from __future__ import annotations

from collections.abc import Sequence

from shibumi3d.rules.arcanoid.cards import (
    ACES,
    CHARIOT,
    FOOL,
    HANGED,
    HIEROPHANT,
    JUDGEMENT,
    JUSTICE,
    MAGICIAN,
    MINORS,
    PRIESTESS,
    STRENGTH,
    SUIT_SIZE,
    TEMPERANCE,
    TOWER,
    cards_in,
)
from shibumi3d.rules.arcanoid.move import Move
from shibumi3d.rules.arcanoid.moves import asked_for
from shibumi3d.rules.arcanoid.sets import COUPLES, sort_of, stealable, strength_of, value_of
from shibumi3d.rules.arcanoid.state import FORCES, HAND, RESERVE, SLOTS, State, place
from shibumi3d.rules.arcanoid.texts import one_of, text
from shibumi3d.rules.wording import capital, joined


def card_name(card: int, lang: str) -> str:
    """Return a card in words, -1 being one that is not known."""
    if card < 0:
        return text(lang, "a card")
    if card >= MINORS:
        return one_of(lang, "majors", card - MINORS)
    rank, suit = one_of(lang, "ranks", card % SUIT_SIZE), one_of(lang, "of", card // SUIT_SIZE)
    return text(lang, "minor", rank=rank, suit=suit)


def effect(card: int, lang: str) -> str:
    """Return what a major does, in a few words; empty for a minor card."""
    return one_of(lang, "effects", card - MINORS) if card >= MINORS else ""


def listed(told: Sequence[str], lang: str) -> str:
    """Return names as a list in a sentence: "a, b and c"."""
    return joined(told, text(lang, "and"))


def cards_told(cards: Sequence[int], lang: str) -> str:
    """Return cards in words: each by its name, hidden ones counted."""
    named = [card_name(card, lang) for card in cards if card >= 0]
    hidden = sum(card < 0 for card in cards)
    if hidden:
        named.append(text(lang, "cards", hidden))
    return listed(named, lang)


def seat_name(names: Sequence[str], seat: int, lang: str) -> str:
    """Return what a seat is called."""
    return names[seat] if seat < len(names) else text(lang, "player", seat + 1)


def name(view: State, who: int, lang: str, names: Sequence[str]) -> str:
    """Return what a participant is called."""
    if who < view.seats:
        return seat_name(names, who, lang)
    # Who was called a moment ago is not there yet in the state before: it serves who acts.
    master = view.masters[who] if who < len(view.masters) else view.mover
    if master < 0:
        return one_of(lang, "dummy", who - view.seats)
    return text(lang, "demon", seat=seat_name(names, master, lang))


def on(suits: Sequence[int], lang: str) -> str:
    """Return on which fields, as a phrase: "on swords", "on swords and on cups"."""
    told = [one_of(lang, "on", suit) for suit in suits]
    return told[0] if len(told) == 1 else text(lang, "two", on=told[0], other=told[1])


def strength_told(cards: int, suit: int, view: State, lang: str) -> str:
    """Return in words how strong cards are on a field: points, or what they are."""
    kind = sort_of(cards, suit, view.rules)
    if kind in COUPLES or kind == "world":
        return text(lang, kind)
    return number(value_of(cards, view.rules), lang)


def number(value: float, lang: str) -> str:
    """Return a number of points as it is written in a language."""
    told = f"{value:g}"
    return told.replace(".", ",") if lang == "fr" else told


# ---------------------------------------------------------------- what is asked, what a choice is


def ask_line(view: State, lang: str, names: Sequence[str]) -> str:
    """Return what is asked for now; empty when the match is over."""
    if view.result is not None:
        return ""
    task = view.tasks[-1]
    kind = str(task[0])
    if kind == "fool":
        victim, suit = task[1], task[2]
        assert isinstance(victim, int)
        assert isinstance(suit, int)
        what = _laid(view, victim, suit, lang)
        key = "ask fool"
        if view.ask is None or view.viewer not in view.ask.seats:
            key = "ask fool all"
        elif not view.available(asked_for(view, view.viewer)) >> FOOL & 1:
            key = "ask fool none"
        return text(lang, key, who=name(view, victim, lang, names), what=what, on=on((suit,), lang))
    if kind == "hermit":
        return text(lang, "ask hermit", view.hermit[1])
    if kind == "wheel":
        who = task[1]
        assert isinstance(who, int)
        return text(lang, "ask wheel", view.held(who) - view.caps[who])
    if kind == "call":
        return text(lang, "ask call" if task[4] else "ask call again")
    if kind == "turn":
        who = task[1]
        assert isinstance(who, int)
        places = (place(who, HAND), place(who, SLOTS), place(who, RESERVE), 2)
        return text(lang, "ask turn" if any(view.count[here] for here in places) else "ask bare")
    return text(lang, f"ask {kind}")


def _laid(view: State, who: int, suit: int, lang: str) -> str:
    """What somebody has just laid on a field, as far as it is seen."""
    here = view.field_place(who, suit)
    cards = view.at[here]
    if cards.bit_count() < view.count[here]:
        return text(lang, "cards", view.count[here])
    return strength_told(cards, suit, view, lang)


def say(view: State, move: Move, lang: str, names: Sequence[str]) -> str:
    """Return a choice as a button says it."""
    return capital(_choice(view, move, lang, names))


def _choice(view: State, move: Move, lang: str, names: Sequence[str]) -> str:
    kind = move.kind
    cards = cards_in(move.cards)
    if kind in ("discard", "load", "call"):
        return text(lang, kind, card=card_name(cards[0], lang))
    if kind in ("abdicate", "lift"):
        return text(lang, kind, suit=one_of(lang, "suits", move.suits[0]))
    if kind in ("engage", "reinforce"):
        return _engagement(view, move, lang)
    if kind == "steal":
        task = view.tasks[-1]
        assert isinstance(task[1], int)
        assert isinstance(task[2], int)
        return text(lang, "steal", what=_laid(view, task[1], task[2], lang))
    if kind == "play":
        return _major(view, move, cards[0], lang, names)
    return text(lang, kind)


def _body(view: State, move: Move) -> int:
    """The cards of an engagement that count on the field."""
    gone = 1 << CHARIOT | (1 << MAGICIAN if view.rules.magician == "secret" else 0)
    return move.cards & ~gone


def _engagement(view: State, move: Move, lang: str) -> str:
    suit = move.suits[0]
    what = strength_told(_body(view, move), suit, view, lang)
    key = "reinforce" if move.kind == "reinforce" else "engage down" if move.down else "engage"
    told = text(lang, key, what=what, on=on(move.suits, lang))
    return text(lang, "unloads", what=told) if move.cards >> CHARIOT & 1 else told


_PLAYS = {
    PRIESTESS: "play priestess",
    HANGED: "play hanged",
    TEMPERANCE: "play temperance",
    TOWER: "play tower",
    JUDGEMENT: "play judgement",
}


def _major(view: State, move: Move, card: int, lang: str, names: Sequence[str]) -> str:
    if card == HIEROPHANT:
        return text(lang, "play hierophant", what=text(lang, f"shown {move.word}"))
    if card == STRENGTH:
        return text(lang, f"play strength {move.word}")
    if card in _PLAYS:
        who = name(view, move.who, lang, names) if move.who >= 0 else ""
        suit = one_of(lang, "suits", move.suits[0]) if move.suits else ""
        return text(lang, _PLAYS[card], who=who, suit=suit)
    return text(lang, "play", card=card_name(card, lang))


# ---------------------------------------------------------------- what comes of it


def foretell(view: State, move: Move, lang: str, names: Sequence[str]) -> str:
    """Return a choice and what surely comes of it."""
    choice = say(view, move, lang, names)
    found = _consequences(view, move, lang)
    if not found:
        return choice
    return text(lang, "told", choice=choice, consequence=text(lang, "between").join(found))


def _consequences(view: State, move: Move, lang: str) -> list[str]:
    kind = move.kind
    task = view.tasks[-1]
    if task[0] != "turn":
        return []
    who = task[1]
    assert isinstance(who, int)
    if kind in ("engage", "reinforce"):
        return _of_engagement(view, who, move, lang)
    if kind == "abdicate":
        left = len(view.open_fields(who)) - 1
        return [text(lang, "leaves") if not left else text(lang, "kept")]
    if kind == "load":
        carried = view.reserve(who) & ~(1 << CHARIOT)
        return [text(lang, "all in", carried.bit_count() + 1)]
    if kind == "play":
        card = cards_in(move.cards)[0]
        told = [effect(card, lang)] if card not in _PLAYS else []
        again = card in (PRIESTESS, HIEROPHANT, JUSTICE)
        return [*told, text(lang, "again")] if again and card in _PLAYS else told
    if kind == "discard":
        return [text(lang, "draws", 1)] if view.count[0] and move.cards & view.hand(who) else []
    return []


def _of_engagement(view: State, who: int, move: Move, lang: str) -> list[str]:
    suit = move.suits[0]
    cards = _body(view, move)
    found = []
    if move.kind == "engage":
        best = _best_there(view, suit, lang)
        found += [text(lang, "best there", what=best)] if best else []
    if sort_of(cards, suit, view.rules) == "world":
        return [effect(cards_in(cards)[0], lang)]
    found.append(_danger(view, who, suit, cards, move.down, lang))
    if view.temper == (who, suit):
        found.append(text(lang, "lifts"))
    left = len(view.open_fields(who)) - (len(move.suits) if move.kind == "engage" else 0)
    if not left:
        return [*found, text(lang, "leaves")]
    drawn = min((move.cards & view.hand(who)).bit_count(), view.count[0])
    found += [text(lang, "draws", drawn)] if drawn else []
    return [*found, text(lang, "open left", left)]


def _best_there(view: State, suit: int, lang: str) -> str:
    """The strongest that lies open on a field; empty when nothing does."""
    best = None
    for who in range(view.participants):
        stand = view.stand(who, suit)
        if stand.kind == FORCES and not stand.down:
            cards = view.forces(who, suit)
            strength = strength_of(cards, suit, view.rules)
            if best is None or strength > best[0]:
                best = strength, cards
    return strength_told(best[1], suit, view, lang) if best else ""


def _danger(view: State, who: int, suit: int, cards: int, down: bool, lang: str) -> str:
    """Whether the Fool can take an engagement, by what all know."""
    if not any(
        other != who
        and view.masters[other] >= 0
        and not view.is_out(other)
        and not view.stand(other, suit).kind
        for other in range(view.participants)
    ):
        return text(lang, "safe nobody")
    if down:
        return text(lang, "in danger down")
    if stealable(cards, suit, view.rules):
        return text(lang, "in danger" if view.rules.ace == "guard" else "in danger plain")
    return text(
        lang, "safe couple" if sort_of(cards, suit, view.rules) in COUPLES or not cards & ACES else "safe ace"
    )
