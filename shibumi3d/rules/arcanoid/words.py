"""Names of cards and participants, and texts for pending decisions, moves and their effects."""

from __future__ import annotations

from collections.abc import Sequence

from shibumi3d.i18n import N_, Plural, Translatable, format_decimal, ntranslate, translate
from shibumi3d.rules.arcanoid import texts
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
from shibumi3d.rules.arcanoid.texts import PHRASES
from shibumi3d.rules.wording import capital, joined

ASK_TEXTS: dict[str, Translatable] = {
    "turn": N_("choose cards, then where they go"),
    "bare": N_("choose a field to give up"),
    "fool": N_("{who} engages {what} {on}: take it with the Fool?"),
    "fool none": N_("{who} engages {what} {on}: you can't take it without the Fool"),
    "fool all": N_("{who} engages {what} {on}: will anyone take it with the Fool?"),
    "vote": N_("the stock is empty: shuffle the discards into a new one?"),
    "hermit": Plural("play an extra turn now? 1 left", "play an extra turn now? {n} left"),
    "wheel": Plural("discard 1 card", "discard {n} cards, one by one"),
    "load": N_("put another card in the Chariot, or finish"),
    "call": N_("call a card"),
    "call again": N_("call another card, or finish"),
}
PLAY_STRENGTH_TEXTS = {
    "1": N_("Strength: one more card in hand"),
    "2": N_("Strength: two open cards"),
}
SHOWN_TEXTS = {
    "S": N_("swords"),
    "T": N_("staves"),
    "C": N_("cups"),
    "D": N_("coins"),
    "M": N_("the trumps"),
    "F": N_("the Fool"),
}


def card_name(card: int, lang: str) -> str:
    """Return the name of a card; -1 stands for an unknown card."""
    if card < 0:
        return translate(lang, "a card")
    if card >= MINORS:
        return translate(lang, texts.MAJORS[card - MINORS])
    rank, suit = translate(lang, texts.RANKS[card % SUIT_SIZE]), translate(lang, texts.OF[card // SUIT_SIZE])
    return translate(lang, "the {rank} {suit}", rank=rank, suit=suit)


def effect(card: int, lang: str) -> str:
    """Return a short description of a major's effect, or "" for a minor card."""
    return translate(lang, texts.EFFECTS[card - MINORS]) if card >= MINORS else ""


def listed(told: Sequence[str], lang: str) -> str:
    """Join names into a list for a sentence, e.g. ``a, b and c``."""
    return joined(told, translate(lang, "and"))


def cards_told(cards: Sequence[int], lang: str) -> str:
    """Return a list of cards as text: the names of known cards and the number of unknown ones."""
    named = [card_name(card, lang) for card in cards if card >= 0]
    hidden = sum(card < 0 for card in cards)
    if hidden:
        named.append(ntranslate(lang, "{n} card", "{n} cards", hidden))
    return listed(named, lang)


def seat_name(names: Sequence[str], seat: int, lang: str) -> str:
    """Return the name of a seat, by default ``player 1`` and so on."""
    return names[seat] if seat < len(names) else translate(lang, "player {n}", seat + 1)


def name(view: State, who: int, lang: str, names: Sequence[str]) -> str:
    """Return the name of a participant: a seat, an Automaton or a demon."""
    if who < view.seats:
        return seat_name(names, who, lang)
    # A demon that joins in this move is missing from the state before the move. It belongs to the seat that moves.
    master = view.masters[who] if who < len(view.masters) else view.mover
    if master < 0:
        return translate(lang, texts.DUMMIES[who - view.seats])
    return translate(lang, "{seat}'s demon", seat=seat_name(names, master, lang))


def on(suits: Sequence[int], lang: str) -> str:
    """Return a phrase for one or two fields, e.g. ``on swords`` or ``on swords and on cups``."""
    told = [translate(lang, texts.ON[suit]) for suit in suits]
    return told[0] if len(told) == 1 else translate(lang, "{on} and {other}", on=told[0], other=told[1])


def strength_told(cards: int, suit: int, view: State, lang: str) -> str:
    """Return the strength of the cards on a field as text.

    This is a number of points, or the name of the couple or of the World.
    """
    kind = sort_of(cards, suit, view.rules)
    if kind in COUPLES or kind == "world":
        return translate(lang, PHRASES[kind])
    return format_decimal(value_of(cards, view.rules), lang)


# ---------------------------------------------------------------- decisions and moves


def ask_line(view: State, lang: str, names: Sequence[str]) -> str:
    """Describe the pending decision, or return "" if the match is over."""
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
        return translate(
            lang, PHRASES[key], who=name(view, victim, lang, names), what=what, on=on((suit,), lang)
        )
    if kind == "hermit":
        return ntranslate(
            lang, "play an extra turn now? 1 left", "play an extra turn now? {n} left", view.hermit[1]
        )
    if kind == "wheel":
        who = task[1]
        assert isinstance(who, int)
        return ntranslate(
            lang, "discard 1 card", "discard {n} cards, one by one", view.held(who) - view.caps[who]
        )
    if kind == "call":
        return translate(lang, "call a card") if task[4] else translate(lang, "call another card, or finish")
    if kind == "turn":
        who = task[1]
        assert isinstance(who, int)
        places = (place(who, HAND), place(who, SLOTS), place(who, RESERVE), 2)
        return (
            translate(lang, "choose cards, then where they go")
            if any(view.count[here] for here in places)
            else translate(lang, "choose a field to give up")
        )
    return translate(lang, ASK_TEXTS[kind])


def _laid(view: State, who: int, suit: int, lang: str) -> str:
    """Return as text the strength of a new engagement, or the number of its face-down cards."""
    here = view.field_place(who, suit)
    cards = view.at[here]
    if cards.bit_count() < view.count[here]:
        return ntranslate(lang, "{n} card", "{n} cards", view.count[here])
    return strength_told(cards, suit, view, lang)


def say(view: State, move: Move, lang: str, names: Sequence[str]) -> str:
    """Return the label of a move for a button."""
    return capital(_choice(view, move, lang, names))


def _choice(view: State, move: Move, lang: str, names: Sequence[str]) -> str:
    kind = move.kind
    cards = cards_in(move.cards)
    if kind in ("discard", "load", "call"):
        return translate(lang, PHRASES[kind], card=card_name(cards[0], lang))
    if kind in ("abdicate", "lift"):
        return translate(lang, PHRASES[kind], suit=translate(lang, texts.SUITS[move.suits[0]]))
    if kind in ("engage", "reinforce"):
        return _engagement(view, move, lang)
    if kind == "steal":
        task = view.tasks[-1]
        assert isinstance(task[1], int)
        assert isinstance(task[2], int)
        return translate(lang, "steal {what}", what=_laid(view, task[1], task[2], lang))
    if kind == "play":
        return _major(view, move, cards[0], lang, names)
    return translate(lang, PHRASES[kind])


def _body(view: State, move: Move) -> int:
    """Return the cards of an engagement that remain on the field."""
    gone = 1 << CHARIOT | (1 << MAGICIAN if view.rules.magician == "secret" else 0)
    return move.cards & ~gone


def _engagement(view: State, move: Move, lang: str) -> str:
    suit = move.suits[0]
    what = strength_told(_body(view, move), suit, view, lang)
    key = "reinforce" if move.kind == "reinforce" else "engage down" if move.down else "engage"
    told = translate(lang, PHRASES[key], what=what, on=on(move.suits, lang))
    return translate(lang, "unload the Chariot: {what}", what=told) if move.cards >> CHARIOT & 1 else told


_PLAYS = {
    PRIESTESS: "play priestess",
    HANGED: "play hanged",
    TEMPERANCE: "play temperance",
    TOWER: "play tower",
    JUDGEMENT: "play judgement",
}


def _major(view: State, move: Move, card: int, lang: str, names: Sequence[str]) -> str:
    if card == HIEROPHANT:
        return translate(lang, "all show {what}", what=translate(lang, SHOWN_TEXTS[move.word]))
    if card == STRENGTH:
        return translate(lang, PLAY_STRENGTH_TEXTS[move.word])
    if card in _PLAYS:
        who = name(view, move.who, lang, names) if move.who >= 0 else ""
        suit = translate(lang, texts.SUITS[move.suits[0]]) if move.suits else ""
        return translate(lang, PHRASES[_PLAYS[card]], who=who, suit=suit)
    return translate(lang, "play {card}", card=card_name(card, lang))


# ---------------------------------------------------------------- consequences


def foretell(view: State, move: Move, lang: str, names: Sequence[str]) -> str:
    """Describe a move and its certain effects."""
    choice = say(view, move, lang, names)
    found = _consequences(view, move, lang)
    if not found:
        return choice
    return translate(
        lang, "{choice} – {consequence}", choice=choice, consequence=translate(lang, "; ").join(found)
    )


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
        return [translate(lang, "leaves the round") if not left else translate(lang, "costs no card")]
    if kind == "load":
        carried = view.reserve(who) & ~(1 << CHARIOT)
        return [
            ntranslate(
                lang,
                "the Chariot will hold 1 card",
                "the Chariot will hold {n} cards",
                carried.bit_count() + 1,
            )
        ]
    if kind == "play":
        card = cards_in(move.cards)[0]
        told = [effect(card, lang)] if card not in _PLAYS else []
        again = card in (PRIESTESS, HIEROPHANT, JUSTICE)
        return [*told, translate(lang, "plays again")] if again and card in _PLAYS else told
    if kind == "discard":
        return (
            [ntranslate(lang, "draws 1 card", "draws {n} cards", 1)]
            if view.count[0] and move.cards & view.hand(who)
            else []
        )
    return []


def _of_engagement(view: State, who: int, move: Move, lang: str) -> list[str]:
    suit = move.suits[0]
    cards = _body(view, move)
    found = []
    if move.kind == "engage":
        best = _best_there(view, suit, lang)
        found += [translate(lang, "strongest there so far: {what}", what=best)] if best else []
    if sort_of(cards, suit, view.rules) == "world":
        return [effect(cards_in(cards)[0], lang)]
    found.append(_danger(view, who, suit, cards, move.down, lang))
    if view.temper == (who, suit):
        found.append(translate(lang, "Temperance leaves the field"))
    left = len(view.open_fields(who)) - (len(move.suits) if move.kind == "engage" else 0)
    if not left:
        return [*found, translate(lang, "leaves the round")]
    drawn = min((move.cards & view.hand(who)).bit_count(), view.count[0])
    found += [ntranslate(lang, "draws 1 card", "draws {n} cards", drawn)] if drawn else []
    return [*found, ntranslate(lang, "1 field stays open", "{n} fields stay open", left)]


def _best_there(view: State, suit: int, lang: str) -> str:
    """Return the greatest face-up strength on a field as text, or "" if there is none."""
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
    """Say whether the Fool can steal an engagement, as far as is publicly known."""
    if not any(
        other != who
        and view.masters[other] >= 0
        and not view.is_out(other)
        and not view.stand(other, suit).kind
        for other in range(view.participants)
    ):
        return translate(lang, "nobody can steal it")
    if down:
        return translate(lang, "whoever has the Fool may look at it, and take it unless it is a couple")
    if stealable(cards, suit, view.rules):
        return (
            translate(lang, "can be stolen: it has no ace")
            if view.rules.ace == "guard"
            else translate(lang, "can be stolen")
        )
    return (
        translate(lang, "can't be stolen: it's a couple")
        if sort_of(cards, suit, view.rules) in COUPLES or not cards & ACES
        else translate(lang, "can't be stolen: it has an ace")
    )
