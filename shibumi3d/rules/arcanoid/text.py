"""Texts of Arcanoid: cards, pending decisions, moves, events, the table as lines, and reasons for moves.

The reasons for moves compare only face-up forces.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from shibumi3d.i18n import N_, P_, Message, Plural, Translatable, format_decimal, ntranslate, translate
from shibumi3d.rules.arcanoid import events as ev
from shibumi3d.rules.arcanoid.cards import (
    ACES,
    CARD_BY_NAME,
    CHARIOT,
    COURT_CARDS,
    DEVIL,
    FOOL,
    HANGED_MAN,
    HERMIT,
    HIEROPHANT,
    HIGH_PRIESTESS,
    JUDGEMENT,
    JUSTICE,
    KING,
    MAGICIAN,
    MAJOR_CARDS,
    MINOR_COUNT,
    NUMBER_CARDS,
    QUEEN,
    STRENGTH,
    SUIT_CARDS,
    SUIT_LETTERS,
    SUIT_SIZE,
    TEMPERANCE,
    TOWER,
    WHEEL_OF_FORTUNE,
    WORLD,
    card_names,
    cards_in,
    mask_of,
)
from shibumi3d.rules.arcanoid.moves import (
    COUPLE_KINDS,
    Move,
    deciding_participant,
    engagement_kind,
    engagement_points,
    is_blocked_by_temperance,
    is_stealable,
    strength_key,
)
from shibumi3d.rules.arcanoid.state import (
    ABDICATED,
    CHARIOT_CARDS,
    DISCARD_PILE,
    ENGAGED,
    HAND,
    OPEN,
    OPEN_CARDS,
    POOL,
    STOCK,
    CardRules,
    State,
    place_index,
)
from shibumi3d.rules.wording import capitalize_first, join_words

PHRASES: dict[str, Translatable] = {
    "cards": Plural("{n} card", "{n} cards"),
    "royal": N_("the royal couple"),
    "imperial": N_("the imperial couple"),
    "illegitimate": N_("an illegitimate couple"),
    "world": N_("the World"),
    "ask fool": N_("{who} engages {what} {on}: take it with the Fool?"),
    "ask fool none": N_("{who} engages {what} {on}: you can't take it without the Fool"),
    "ask fool all": N_("{who} engages {what} {on}: will anyone take it with the Fool?"),
    "discard": N_("discard {card}"),
    "abdicate": N_("give up {suit}"),
    "engage": N_("engage {what} {on}"),
    "engage down": N_("engage {what} face down {on}"),
    "reinforce": N_("reinforce the ace {on} with {what}"),
    "play": N_("play {card}"),
    "play priestess": N_("look at {who}'s hand"),
    "play hanged": N_("{who} draws a new hand"),
    "play temperance": N_("place Temperance on {suit}"),
    "play tower": N_("remove {who}'s cards from {suit}"),
    "play judgement": N_("{who} gives up {suit}"),
    "load": N_("put {card} in the Chariot"),
    "unload": N_("discard the Chariot and everything in it"),
    "lift": N_("remove Temperance from {suit}"),
    "call": N_("call {card}"),
    "done": N_("done"),
    "yes": N_("yes, reshuffle"),
    "no": N_("no"),
    "steal": N_("steal {what}"),
    "let": N_("let it go"),
    "extra": N_("play now"),
    "go": N_("not now"),
    "dealt": N_("round {n}: {who} begins"),
    "drawn": N_("{who} draws {what}"),
    "looked": N_("{who} looks at {what}"),
    "discarded": N_("{who} discards {what}"),
    "engaged": N_("{who} engages {what} {on}"),
    "engaged down": N_("{who} engages {what} face down {on}"),
    "engaged more": N_("{who} reinforces the ace {on} with {what}"),
    "abdicated": N_("{who} gives up {suit}"),
    "abdicated world": N_("{who} has to give up {suit}"),
    "abdicated judgement": N_("{who} has to give up {suit}"),
    "loaded": N_("{who} puts {what} in the Chariot"),
    "laid out": N_("{who} lays out the Chariot with {what}"),
    "hands": N_("{who} looks at {other}'s hand"),
    "opened": N_("{who} shows {what}"),
    "called": N_("{who} calls {card}: {other} hands it over"),
    "called none": N_("{who} calls {card}: nobody has it"),
    "stolen": N_("{who} uses the Fool to take {what} from {other} {on}"),
    "spoilt": N_("{who} loses the Fool: {other}'s cards {on} can't be taken"),
    "razed": N_("{who} removes {what} from {suit}, which is open to {other} again"),
    "razed half": N_("{who} removes half of a couple from {suit}, which is open to {other} again"),
    "renewed": Plural(
        "the discards are shuffled into a new stock of 1 card",
        "the discards are shuffled into a new stock of {n} cards",
    ),
    "died": N_("there is no stock left for this round"),
    "left": N_("{who} is done with all four fields and leaves the round"),
    "raised": N_("{who} joins the round with open cards"),
    "extra turn": Plural("{who} plays an extra turn: 1 left", "{who} plays an extra turn: {n} left"),
    "line round": N_("round {n} of {of} · stock {stock} · discard pile {discard}"),
    "line dead": N_("round {n} of {of} · no stock left · discard pile {discard}"),
    "line order": N_("turn order: {names}"),
    "own": Plural("1 field", "{n} fields"),
}
"""Templates that are looked up by name."""

AUTOMATON_NAMES = (
    P_("dummy", "the Automaton"),
    P_("dummy", "the second Automaton"),
)
SUIT_NAMES = (
    P_("suits", "swords"),
    P_("suits", "staves"),
    P_("suits", "cups"),
    P_("suits", "coins"),
)
ON_SUIT = (
    P_("on", "on swords"),
    P_("on", "on staves"),
    P_("on", "on cups"),
    P_("on", "on coins"),
)
OF_SUIT = (
    P_("of", "of swords"),
    P_("of", "of staves"),
    P_("of", "of cups"),
    P_("of", "of coins"),
)
RANK_WORDS = (
    P_("ranks", "ace"),
    P_("ranks", "2"),
    P_("ranks", "3"),
    P_("ranks", "4"),
    P_("ranks", "5"),
    P_("ranks", "6"),
    P_("ranks", "7"),
    P_("ranks", "8"),
    P_("ranks", "9"),
    P_("ranks", "10"),
    P_("ranks", "knave"),
    P_("ranks", "knight"),
    P_("ranks", "queen"),
    P_("ranks", "king"),
)
MAJOR_NAMES = (
    P_("majors", "the Fool"),
    P_("majors", "the Magician"),
    P_("majors", "the High Priestess"),
    P_("majors", "the Empress"),
    P_("majors", "the Emperor"),
    P_("majors", "the Hierophant"),
    P_("majors", "the Lovers"),
    P_("majors", "the Chariot"),
    P_("majors", "Justice"),
    P_("majors", "the Hermit"),
    P_("majors", "the Wheel"),
    P_("majors", "Strength"),
    P_("majors", "the Hanged Man"),
    P_("majors", "Death"),
    P_("majors", "Temperance"),
    P_("majors", "the Devil"),
    P_("majors", "the Tower"),
    P_("majors", "the Stars"),
    P_("majors", "the Moon"),
    P_("majors", "the Sun"),
    P_("majors", "Judgement"),
    P_("majors", "the World"),
)
MAJOR_EFFECTS: tuple[Translatable, ...] = (
    P_("effects", "take the cards that another player has just engaged on a field still open to you"),
    P_("effects", "let one number card of another suit join an engagement"),
    P_("effects", "look at a player's hand, then draw a card and play again"),
    P_(
        "effects",
        "engage it with the Emperor on one or two fields (they beat everything but the World), or engage it with "
        "the Lovers",
    ),
    P_(
        "effects",
        "engage it with the Empress on one or two fields (they beat everything but the World), or engage it with "
        "the Lovers",
    ),
    P_(
        "effects",
        "name a suit, the trumps or the Fool: everyone shows the cards they hold of that kind; then draw "
        "a card and play again",
    ),
    P_(
        "effects",
        "engage it with a court card of the field's suit, or with the Empress or the Emperor on one or two "
        "fields: the couple beats any number of points",
    ),
    P_("effects", "set cards aside, to be engaged together later"),
    Plural(
        "{n} open card for everyone to use; then draw a card and play again",
        "{n} open cards for everyone to use; then draw a card and play again",
    ),
    Plural(
        "{n} extra turn, to be taken after any player's turn",
        "{n} extra turns, each to be taken after any player's turn",
    ),
    Plural(
        "draw {n} card, then discard down to your hand size",
        "draw {n} cards, then discard down to your hand size",
    ),
    P_("effects", "{open}, or {hand}"),
    P_("effects", "one player discards their hand and draws a new one"),
    P_("effects", "the stock is discarded: nobody draws again this round"),
    P_("effects", "put it on a field where you have engaged no cards: nobody else may engage there"),
    Plural(
        "a demon joins with {n} open card, and you play for it",
        "a demon joins with {n} open cards, and you play for it",
    ),
    P_("effects", "remove an engagement of a player who is still in the round"),
    P_("effects", "call any card except a major: whoever holds it hands it over"),
    P_("effects", "like the Stars, with up to two calls"),
    P_("effects", "like the Stars, with up to three calls, or one call for a major"),
    P_("effects", "make a player give up a field that is open to them"),
    P_("effects", "win a field where nothing has happened yet; everyone else gives it up"),
)


DECISION_TEXTS: dict[str, Translatable] = {
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
MORE_OPEN_CARDS = Plural("{n} more open card", "{n} more open cards")
MORE_CARDS_IN_HAND = Plural("{n} more card in hand", "{n} more cards in hand")
"""Effect of Strength that its owner may choose instead of :data:`MORE_OPEN_CARDS`."""
SECRET_MAGICIAN_EFFECT = P_("effects", "discard it to engage other cards face down")
HARD_TEMPERANCE_EFFECT = P_(
    "effects", "put it on a field where you have engaged no cards: nobody at all may engage there"
)
HIEROPHANT_TEXTS = {
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
    if card >= MINOR_COUNT:
        return translate(lang, MAJOR_NAMES[card - MINOR_COUNT])
    rank, suit = (
        translate(lang, RANK_WORDS[card % SUIT_SIZE]),
        translate(lang, OF_SUIT[card // SUIT_SIZE]),
    )
    return translate(lang, "the {rank} {suit}", rank=rank, suit=suit)


def major_effect(card: int, rules: CardRules, lang: str) -> str:
    """Return a short description of a major's effect, or "" for a minor card."""
    if card < MINOR_COUNT:
        return ""
    text = MAJOR_EFFECTS[card - MINOR_COUNT]
    if card == STRENGTH:
        return translate(
            lang,
            text,
            open=translate(lang, MORE_OPEN_CARDS, rules.slots),
            hand=translate(lang, MORE_CARDS_IN_HAND, rules.extra),
        )
    if card == MAGICIAN and rules.magician == "secret":
        text = SECRET_MAGICIAN_EFFECT
    elif card == TEMPERANCE and rules.temperance == "hard":
        text = HARD_TEMPERANCE_EFFECT
    counts = {JUSTICE: rules.pool, HERMIT: rules.turns, WHEEL_OF_FORTUNE: rules.wheel, DEVIL: rules.hand}
    return translate(lang, text, counts.get(card))


def join_names(names: Sequence[str], lang: str) -> str:
    """Join names into a list for a sentence, e.g. ``a, b and c``."""
    return join_words(names, translate(lang, "and"))


def format_cards(cards: Sequence[int], lang: str) -> str:
    """Return a list of cards as text, e.g. "the ace of swords and 2 cards".

    The known cards are named in order. Unknown cards, which are -1 in ``cards``, come last and are only counted.
    Returns "" if there are no cards.
    """
    named = [card_name(card, lang) for card in cards if card >= 0]
    hidden = sum(card < 0 for card in cards)
    if hidden:
        named.append(ntranslate(lang, "{n} card", "{n} cards", hidden))
    return join_names(named, lang)


def seat_name(names: Sequence[str], seat: int, lang: str) -> str:
    """Return the name of a seat, or a phrase such as "player 2" if it has no name."""
    return names[seat] if seat < len(names) else translate(lang, "player {n}", seat + 1)


def participant_name(view: State, participant: int, lang: str, names: Sequence[str]) -> str:
    """Return the name of a participant: a seat, an Automaton or a demon."""
    if participant < view.seats:
        return seat_name(names, participant, lang)
    # A demon that joins in this move is missing from the state before the move. It belongs to the seat that moves.
    master = view.controlling_seats[participant] if participant < len(view.controlling_seats) else view.mover
    if master < 0:
        return translate(lang, AUTOMATON_NAMES[participant - view.seats])
    return translate(lang, "{seat}'s demon", seat=seat_name(names, master, lang))


def format_fields(suits: Sequence[int], lang: str) -> str:
    """Return a phrase for one or two fields, e.g. ``on swords`` or ``on swords and on cups``."""
    parts = [translate(lang, ON_SUIT[suit]) for suit in suits]
    return parts[0] if len(parts) == 1 else translate(lang, "{on} and {other}", on=parts[0], other=parts[1])


def format_strength(card_mask: int, suit: int, view: State, lang: str) -> str:
    """Format the strength of cards engaged on a field.

    This is their number of points, or the name of the couple or of the World.
    """
    kind = engagement_kind(card_mask, suit, view.rules)
    if kind in COUPLE_KINDS or kind == "world":
        return translate(lang, PHRASES[kind])
    return format_decimal(engagement_points(card_mask, view.rules), lang)


# ---------------------------------------------------------------- decisions and moves


def describe_decision(view: State, lang: str, names: Sequence[str]) -> str:
    """Describe the pending decision, or return "" if the match is over."""
    if view.result is not None:
        return ""
    task = view.tasks[-1]
    kind = str(task[0])
    if kind == "fool":
        victim, suit = task[1], task[2]
        assert isinstance(victim, int)
        assert isinstance(suit, int)
        what = _format_new_engagement(view, victim, suit, lang)
        key = "ask fool"
        if view.decision is None or view.viewer not in view.decision.seats:
            key = "ask fool all"
        elif not view.playable_cards(deciding_participant(view, view.viewer)) >> FOOL & 1:
            key = "ask fool none"
        return translate(
            lang,
            PHRASES[key],
            who=participant_name(view, victim, lang, names),
            what=what,
            on=format_fields((suit,), lang),
        )
    if kind == "hermit":
        return ntranslate(
            lang, "play an extra turn now? 1 left", "play an extra turn now? {n} left", view.hermit_status[1]
        )
    if kind == "wheel":
        participant = task[1]
        assert isinstance(participant, int)
        return ntranslate(
            lang,
            "discard 1 card",
            "discard {n} cards, one by one",
            view.hand_size(participant) - view.hand_limits[participant],
        )
    if kind == "call":
        return translate(lang, "call a card") if task[4] else translate(lang, "call another card, or finish")
    if kind == "turn":
        participant = task[1]
        assert isinstance(participant, int)
        places = (
            place_index(participant, HAND),
            place_index(participant, OPEN_CARDS),
            place_index(participant, CHARIOT_CARDS),
            2,
        )
        return (
            translate(lang, "choose cards, then where they go")
            if any(view.counts_at[place] for place in places)
            else translate(lang, "choose a field to give up")
        )
    return translate(lang, DECISION_TEXTS[kind])


def _format_new_engagement(view: State, participant: int, suit: int, lang: str) -> str:
    """Return, as text, the strength of what ``participant`` has just engaged on the field ``suit``.

    If the viewer doesn't know all of the cards, return their number instead, such as "2 cards". If cards were added to
    an ace, the ace is included, although only the added cards can be stolen.
    """
    place = view.field_place(participant, suit)
    cards = view.cards_at[place]
    if cards.bit_count() < view.counts_at[place]:
        return ntranslate(lang, "{n} card", "{n} cards", view.counts_at[place])
    return format_strength(cards, suit, view, lang)


def move_label(view: State, move: Move, lang: str, names: Sequence[str]) -> str:
    """Return the button label for a move."""
    return capitalize_first(_move_text(view, move, lang, names))


def _move_text(view: State, move: Move, lang: str, names: Sequence[str]) -> str:
    kind = move.kind
    cards = cards_in(move.cards)
    if kind in ("discard", "load", "call"):
        return translate(lang, PHRASES[kind], card=card_name(cards[0], lang))
    if kind in ("abdicate", "lift"):
        return translate(lang, PHRASES[kind], suit=translate(lang, SUIT_NAMES[move.suits[0]]))
    if kind in ("engage", "reinforce"):
        return _engagement_text(view, move, lang)
    if kind == "steal":
        task = view.tasks[-1]
        assert isinstance(task[1], int)
        assert isinstance(task[2], int)
        return translate(lang, "steal {what}", what=_format_new_engagement(view, task[1], task[2], lang))
    if kind == "play":
        return _major_text(view, move, cards[0], lang, names)
    return translate(lang, PHRASES[kind])


def _cards_left_on_field(view: State, move: Move) -> int:
    gone = 1 << CHARIOT | (1 << MAGICIAN if view.rules.magician == "secret" else 0)
    return move.cards & ~gone


def _card_on_field(card: int, suit: int, lang: str) -> str:
    """Return the name of a card on the field of ``suit``; cards of that suit are named by their rank only."""
    if card // SUIT_SIZE == suit:
        return translate(lang, RANK_WORDS[card % SUIT_SIZE])
    return card_name(card, lang)


def _engagement_text(view: State, move: Move, lang: str) -> str:
    suit = move.suits[0]
    strength = format_strength(_cards_left_on_field(view, move), suit, view, lang)
    key = "reinforce" if move.kind == "reinforce" else "engage down" if move.is_face_down else "engage"
    text = translate(lang, PHRASES[key], what=strength, on=format_fields(move.suits, lang))
    laid = cards_in(_cards_left_on_field(view, move))
    if len(laid) > 1:
        # Several sets of cards may be equally strong.
        cards = " + ".join(_card_on_field(card, suit, lang) for card in laid)
        text = translate(lang, "{text} ({cards})", text=text, cards=cards)
    return translate(lang, "unload the Chariot: {what}", what=text) if move.cards >> CHARIOT & 1 else text


MAJOR_PHRASE_KEYS = {
    HIGH_PRIESTESS: "play priestess",
    HANGED_MAN: "play hanged",
    TEMPERANCE: "play temperance",
    TOWER: "play tower",
    JUDGEMENT: "play judgement",
}


def _major_text(view: State, move: Move, card: int, lang: str, names: Sequence[str]) -> str:
    if card == HIEROPHANT:
        return translate(
            lang, "make everyone show {what}", what=translate(lang, HIEROPHANT_TEXTS[move.choice])
        )
    if card == STRENGTH:
        what = (
            translate(lang, MORE_CARDS_IN_HAND, view.rules.extra)
            if move.choice == "1"
            else translate(lang, MORE_OPEN_CARDS, view.rules.slots)
        )
        return translate(lang, "Strength: {what}", what=what)
    if card in MAJOR_PHRASE_KEYS:
        participant = participant_name(view, move.target, lang, names) if move.target >= 0 else ""
        suit = translate(lang, SUIT_NAMES[move.suits[0]]) if move.suits else ""
        return translate(lang, PHRASES[MAJOR_PHRASE_KEYS[card]], who=participant, suit=suit)
    return translate(lang, "play {card}", card=card_name(card, lang))


# ---------------------------------------------------------------- consequences


def describe_outcome(view: State, move: Move, lang: str, names: Sequence[str]) -> str:
    """Describe a move and its effects, as far as they can be known in advance from ``view``."""
    choice = move_label(view, move, lang, names)
    effects = _describe_effects(view, move, lang)
    if not effects:
        return choice
    return translate(
        lang, "{choice} – {consequence}", choice=choice, consequence=translate(lang, "; ").join(effects)
    )


def _describe_effects(view: State, move: Move, lang: str) -> list[str]:
    kind = move.kind
    task = view.tasks[-1]
    if task[0] != "turn":
        return []
    participant = task[1]
    assert isinstance(participant, int)
    if kind in ("engage", "reinforce"):
        return _describe_engagement_effects(view, participant, move, lang)
    if kind == "abdicate":
        left = len(view.open_fields(participant)) - 1
        return [translate(lang, "leaves the round") if not left else translate(lang, "costs no cards")]
    if kind == "load":
        carried = view.chariot_cards(participant) & ~(1 << CHARIOT)
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
        if card in (HIGH_PRIESTESS, HIEROPHANT):
            drawn = [ntranslate(lang, "draws 1 card", "draws {n} cards", 1)] if view.counts_at[0] else []
            return [*drawn, translate(lang, "plays again")]
        # The labels of these moves already say what happens.
        is_explained = card == STRENGTH or card in MAJOR_PHRASE_KEYS
        return [] if is_explained else [major_effect(card, view.rules, lang)]
    if kind == "discard":
        return (
            [ntranslate(lang, "draws 1 card", "draws {n} cards", 1)]
            if view.counts_at[0] and move.cards & view.known_hand_cards(participant)
            else []
        )
    return []


def _describe_engagement_effects(view: State, participant: int, move: Move, lang: str) -> list[str]:
    suit = move.suits[0]
    cards = _cards_left_on_field(view, move)
    effects = []
    if move.kind == "engage":
        best = _strongest_visible(view, suit, lang)
        effects += [translate(lang, "strongest there so far: {what}", what=best)] if best else []
    if engagement_kind(cards, suit, view.rules) == "world":
        return [major_effect(cards_in(cards)[0], view.rules, lang)]
    effects.append(_describe_steal_risk(view, participant, suit, cards, move.is_face_down, lang))
    if view.temperance_status == (participant, suit):
        effects.append(translate(lang, "Temperance leaves the field"))
    left = len(view.open_fields(participant)) - (len(move.suits) if move.kind == "engage" else 0)
    if not left:
        return [*effects, translate(lang, "leaves the round")]
    drawn = min((move.cards & view.known_hand_cards(participant)).bit_count(), view.counts_at[0])
    effects += [ntranslate(lang, "draws 1 card", "draws {n} cards", drawn)] if drawn else []
    return [*effects, ntranslate(lang, "1 field stays open", "{n} fields stay open", left)]


def _strongest_visible(view: State, suit: int, lang: str) -> str:
    """Return, as text, the strength of the strongest face-up engagement on a field.

    The text is "" if there is no such engagement.
    """
    best = None
    for participant in range(view.participants):
        status = view.field_status(participant, suit)
        if status.kind == ENGAGED and not status.is_face_down:
            cards = view.engaged_cards(participant, suit)
            strength = strength_key(cards, suit, view.rules)
            if best is None or strength > best[0]:
                best = strength, cards
    return format_strength(best[1], suit, view, lang) if best else ""


def _describe_steal_risk(
    view: State, participant: int, suit: int, card_mask: int, is_face_down: bool, lang: str
) -> str:
    """Describe whether the Fool can steal what ``participant`` is about to engage on a field.

    ``card_mask`` is the mask of the cards that will be laid on the field; an ace that they reinforce isn't included.
    The text depends on whether the cards can be stolen and on whether anyone else has an open field of this suit.
    Automatons and participants who have left the round don't count. Where the Fool is doesn't matter, even if this is
    publicly known. For cards engaged face down, the text reveals nothing about them.
    """
    if not any(
        other != participant
        and view.controlling_seats[other] >= 0
        and not view.has_left_round(other)
        and not view.field_status(other, suit).kind
        for other in range(view.participants)
    ):
        return translate(lang, "nobody can steal it")
    if is_face_down:
        return translate(lang, "whoever plays the Fool on it sees the cards, and takes them if possible")
    if is_stealable(card_mask, suit, view.rules):
        return (
            translate(lang, "can be stolen: it has no ace")
            if view.rules.ace == "guard"
            else translate(lang, "can be stolen")
        )
    return (
        translate(lang, "can't be stolen: it's a couple")
        if engagement_kind(card_mask, suit, view.rules) in COUPLE_KINDS or not card_mask & ACES
        else translate(lang, "can't be stolen: it has an ace")
    )


SPOT_TEXTS: dict[str, Translatable] = {
    "number": Plural("{card}: 1 point", "{card}: {n} points"),
    "court": N_("{card}: a court card; engage it alone or as part of a couple"),
    "lone": N_("{card}: a court card; engage it with the {other} of its suit or with the Lovers"),
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
DECIDING_RULE_TEXTS = {
    "points": N_("the most points"),
    "illegitimate": N_("an illegitimate couple"),
    "royal": N_("the royal couple"),
    "imperial": N_("the imperial couple"),
    "world": N_("the World"),
    "cards": N_("tied on points; the higher card wins"),
    "natural": N_("tied on cards; the engagement without a transmuted card wins"),
    "last": N_("the last to give it up"),
}


def describe_event(view: State, event: ev.CardEvent, lang: str, names: Sequence[str]) -> str:
    """Describe an event in one sentence without a full stop, or return "" if it needs no text."""
    text = _event_text(view, event, lang, names)
    return capitalize_first(text)


def _event_text(view: State, event: ev.CardEvent, lang: str, names: Sequence[str]) -> str:
    kind = type(event)
    participant = participant_name(view, event.participant, lang, names) if event.participant >= 0 else ""
    other = (
        participant_name(view, event.other_participant, lang, names) if event.other_participant >= 0 else ""
    )
    what = format_cards(event.cards, lang)
    where = format_fields(event.suits, lang) if event.suits else ""
    suit = translate(lang, SUIT_NAMES[event.suits[0]]) if event.suits else ""
    if kind in (ev.Dealt, ev.StockRenewed, ev.ExtraTurn):
        return translate(lang, PHRASES[EVENT_PHRASE_KEYS[kind]], event.number, who=participant)
    if kind in (ev.Drawn, ev.Discarded) and not participant:
        return (
            translate(lang, "added to the shared cards: {what}", what=what)
            if kind is ev.Drawn
            else translate(lang, "discarded: {what}", what=what)
        )
    if kind in (ev.Engaged, ev.Abdicated, ev.ForcesRemoved):
        key = f"{EVENT_PHRASE_KEYS[kind]} {event.word}".strip()
        return translate(lang, PHRASES[key], who=participant, what=what, on=where, suit=suit, other=other)
    if kind is ev.Played:
        return _major_played_text(event, lang, participant, other, where)
    if kind is ev.HandSeen and any(card >= 0 for card in event.cards):
        return translate(
            lang, "{who} looks at {other}'s hand: {what}", who=participant, other=other, what=what
        )
    if kind is ev.CardsRevealed and not event.cards:
        return translate(lang, "{who} has none to show", who=participant)
    if kind is ev.Loaded and CHARIOT in event.cards:
        carried = [card for card in event.cards if card != CHARIOT]
        return translate(lang, PHRASES["laid out"], who=participant, what=format_cards(carried, lang))
    if kind is ev.Called:
        key = "called" if other else "called none"
        return translate(
            lang, PHRASES[key], who=participant, other=other, card=card_name(event.cards[0], lang)
        )
    if kind is ev.Voted:
        return (
            translate(lang, "{who}: yes", who=participant)
            if event.number
            else translate(lang, "{who}: no", who=participant)
        )
    if kind is ev.RoundEnded:
        return (
            translate(lang, "round {n} is over; the face-down cards were {what}", event.number, what=what)
            if event.cards
            else translate(lang, "round {n} is over", event.number, what=what)
        )
    if kind is ev.FieldWon:
        return translate(
            lang,
            "{who} wins {suit}: {why}",
            who=participant,
            suit=suit,
            why=translate(lang, DECIDING_RULE_TEXTS[event.word]),
        )
    if kind is ev.Withdrawn:
        return translate(lang, "{card} goes to the discard pile", card=what)
    if kind in EVENT_PHRASE_KEYS:
        return translate(
            lang,
            PHRASES[EVENT_PHRASE_KEYS[kind]],
            who=participant,
            other=other,
            what=what,
            on=where,
            suit=suit,
        )
    return ""


EVENT_PHRASE_KEYS: dict[type[ev.CardEvent], str] = {
    ev.Dealt: "dealt",
    ev.Drawn: "drawn",
    ev.LookedAt: "looked",
    ev.Discarded: "discarded",
    ev.Engaged: "engaged",
    ev.Abdicated: "abdicated",
    ev.Loaded: "loaded",
    ev.HandSeen: "hands",
    ev.CardsRevealed: "opened",
    ev.Stolen: "stolen",
    ev.StealFailed: "spoilt",
    ev.ForcesRemoved: "razed",
    ev.StockRenewed: "renewed",
    ev.StockClosed: "died",
    ev.RoundLeft: "left",
    ev.DemonJoined: "raised",
    ev.ExtraTurn: "extra turn",
}
"""Keys of :data:`PHRASES`, by type of event.

For some types, the ``word`` of the event is appended to the key.
"""


def _major_played_text(
    event: ev.CardEvent, lang: str, participant: str, other_participant: str, where: str
) -> str:
    card = card_name(event.cards[0], lang)
    if event.word in (*SUIT_LETTERS, "M", "F"):
        return translate(
            lang,
            "{who} plays {card}: {what}",
            who=participant,
            card=card,
            what=translate(lang, HIEROPHANT_TEXTS[event.word]),
        )
    if other_participant and where:
        return translate(
            lang,
            "{who} plays {card}: {other} {on}",
            who=participant,
            card=card,
            other=other_participant,
            on=where,
        )
    if other_participant:
        return translate(
            lang, "{who} plays {card}: {other}", who=participant, card=card, other=other_participant
        )
    return (
        translate(lang, "{who} plays {card} {on}", who=participant, card=card, on=where)
        if where
        else translate(lang, "{who} plays {card}", who=participant, card=card, on=where)
    )


# ---------------------------------------------------------------- illegal selections


def explain_illegal(view: State, spots: Sequence[str], lang: str, names: Sequence[str]) -> str:
    """Explain in a sentence why the selected cards can't be used at the selected place.

    ``spots`` holds the selected cards (``S10``) and the selected place, if any: a participant's field (``2S``) or the
    discard pile (``discard``). Returns "" if nothing is selected or nobody is to move.
    """
    seat = view.to_move
    if seat is None or not spots:
        return ""
    cards = mask_of(CARD_BY_NAME[spot] for spot in spots if spot in CARD_BY_NAME)
    place = next((spot for spot in spots if spot[:-1].isdecimal() and spot[-1] in SUIT_LETTERS), "")
    if view.tasks[-1][0] != "turn":
        return capitalize_first(translate(lang, "you can't choose that now"))
    participant = view.tasks[-1][1]
    assert isinstance(participant, int)
    if cards & ~(view.playable_cards(participant) | view.chariot_cards(participant)):
        return capitalize_first(
            translate(lang, "only the shared cards and those of the player to move can be played")
        )
    if not place:
        return capitalize_first(_explain_no_target(view, participant, cards, lang))
    owner, suit = int(place[:-1]) - 1, SUIT_LETTERS.index(place[-1])
    suit_name = translate(lang, SUIT_NAMES[suit])
    if cards == 1 << TOWER:
        return capitalize_first(
            translate(
                lang,
                "the Tower only removes engagements of players who are still in the round, and never the World",
            )
        )
    if owner < view.participants and view.field_status(owner, suit).kind != OPEN:
        owner_name = participant_name(view, owner, lang, names)
        return capitalize_first(
            translate(
                lang,
                "{suit}: {who} has already engaged cards on this field or given it up",
                suit=suit_name,
                who=owner_name,
            )
        )
    if is_blocked_by_temperance(view, participant, suit):
        return capitalize_first(
            translate(lang, "Temperance is on {suit}: you can't engage cards there", suit=suit_name)
        )
    return capitalize_first(_explain_no_set(view, cards, suit, lang))


def _explain_no_target(view: State, participant: int, card_mask: int, lang: str) -> str:
    majors = cards_in(card_mask & MAJOR_CARDS)
    if len(majors) == 1 and card_mask == 1 << majors[0]:
        card = majors[0]
        return translate(
            lang,
            "{card} can't be engaged this way: {effect}",
            card=card_name(card, lang),
            effect=major_effect(card, view.rules, lang),
        )
    return translate(lang, "these cards can't be engaged together")


def _explain_no_set(view: State, card_mask: int, suit: int, lang: str) -> str:
    """Explain why the cards in ``card_mask`` can't be engaged on the field of ``suit``.

    The field must still be open, and Temperance must not prevent the player from engaging cards there.
    """
    if card_mask == 1 << WORLD:
        return translate(lang, "the World needs a field where nothing has happened yet")
    foreign_cards = cards_in(card_mask & ~SUIT_CARDS[suit] & (NUMBER_CARDS | COURT_CARDS))
    majors = cards_in(card_mask & MAJOR_CARDS & ~(1 << CHARIOT))
    if majors:
        return translate(
            lang,
            "{card} can't be engaged this way: {effect}",
            card=card_name(majors[0], lang),
            effect=major_effect(majors[0], view.rules, lang),
        )
    if foreign_cards:
        return translate(
            lang,
            "this field takes only cards {of}, not {card}",
            card=card_name(foreign_cards[0], lang),
            of=translate(lang, OF_SUIT[suit]),
        )
    courts = cards_in(card_mask & COURT_CARDS)
    rank = courts[0] % SUIT_SIZE if courts else -1
    if len(courts) == 1 and card_mask == 1 << courts[0] and rank in (QUEEN, KING):
        rank_names = translate(lang, RANK_WORDS[rank]), translate(lang, RANK_WORDS[QUEEN + KING - rank])
        return translate(
            lang,
            "a {rank} can't be engaged alone: it needs the {other} of its suit or the Lovers",
            rank=rank_names[0],
            other=rank_names[1],
        )
    if courts:
        return (
            translate(lang, "no card can join a couple, and only an ace can join a knave or a knight")
            if view.rules.ace == "guard"
            else translate(lang, "no other card can join a knave, a knight or a couple")
        )
    return translate(lang, "these cards can't be engaged together")


# ---------------------------------------------------------------- the table as lines


def table_lines(view: State, lang: str, names: Sequence[str]) -> list[str]:
    """Return the table as lines for a terminal.

    The first line gives the round and the sizes of the stock and the discard pile. Below it is a table with a row for
    each participant and columns for the four suits and the participant's other cards. Where applicable, more lines
    follow for the shared cards, the Hermit, Temperance and the numbers of fields won.
    """
    key = "line dead" if view.stock_closed else "line round"
    result = [
        translate(
            lang,
            PHRASES[key],
            view.round,
            of=view.rules.rounds,
            stock=view.counts_at[STOCK],
            discard=view.counts_at[DISCARD_PILE],
        )
    ]
    parts = [participant_name(view, participant, lang, names) for participant in range(view.participants)]
    rows = [["", *[translate(lang, SUIT_NAMES[suit]) for suit in range(4)], ""]]
    for participant in view.turn_order:
        cells = [_field_cell(view, participant, suit, lang) for suit in range(4)]
        rows.append([parts[participant], *cells, _participant_cards(view, participant, lang)])
    widths = [max(len(row[column]) for row in rows) for column in range(5)]
    for row in rows:
        cells = [cell.ljust(width) for cell, width in zip(row, widths, strict=False)]
        result.append("  ".join([*cells, row[5]]).rstrip())
    if view.justice_in_play:
        result.append(
            translate(lang, "shared cards: {what}", what=card_names(view.cards_at[POOL]).replace("+", " "))
        )
    if view.hermit_status[0] >= 0:
        result.append(
            ntranslate(
                lang,
                "{who}'s Hermit: 1 extra turn left",
                "{who}'s Hermit: {n} extra turns left",
                view.hermit_status[1],
                who=parts[view.hermit_status[0]],
            )
        )
    if view.temperance_status[0] >= 0:
        result.append(
            translate(
                lang,
                "{who}'s Temperance {on}",
                who=parts[view.temperance_status[0]],
                on=format_fields(view.temperance_status[1:], lang),
            )
        )
    if view.won_fields:
        fields = zip(range(view.seats), view.scores, strict=True)
        won = ", ".join([f"{seat_name(names, seat, lang)} {score}" for seat, score in fields])
        result.append(translate(lang, "fields won: {names}", names=won))
    return result


def _field_cell(view: State, participant: int, suit: int, lang: str) -> str:
    status = view.field_status(participant, suit)
    if status.kind == OPEN:
        return translate(lang, "open")
    if status.kind == ABDICATED:
        return translate(lang, "given up")
    cards, count = view.engaged_cards(participant, suit), view.counts_at[view.field_place(participant, suit)]
    if cards.bit_count() < count:
        return translate(lang, "{n} face down", count)
    return f"{card_names(cards)} = {format_strength(cards, suit, view, lang)}"


def _participant_cards(view: State, participant: int, lang: str) -> str:
    """Return a participant's hand, open cards and the cards in its Chariot as text.

    Each hidden card of the hand is shown as "?". Open cards that are hidden because a vote on a new stock is pending
    are left out. Returns "out" if the participant has left the round.
    """
    if view.has_left_round(participant):
        return translate(lang, "out")
    hand = view.known_hand_cards(participant)
    hidden = view.hand_size(participant) - hand.bit_count()
    shown = [*card_names(hand).replace("+", " ").split(), *(["?"] * hidden)]
    parts = [translate(lang, "hand {what}", what=" ".join(shown) or "–")]
    if view.open_cards(participant):
        parts.append(
            translate(lang, "open {what}", what=card_names(view.open_cards(participant)).replace("+", " "))
        )
    if view.chariot_cards(participant):
        carried = view.chariot_cards(participant) & ~(1 << CHARIOT)
        parts.append(translate(lang, "Chariot {what}", what=card_names(carried).replace("+", " ")))
    return " · ".join(parts)


def describe_seat(view: State, seat: int, lang: str) -> tuple[str, ...]:
    """Describe a seat in phrases: the number of fields won, and any Hermit, Strength, Temperance or Chariot in play."""
    parts = [ntranslate(lang, "1 field", "{n} fields", view.scores[seat])]
    if view.hermit_status[0] == seat:
        parts.append(ntranslate(lang, "Hermit: 1 turn", "Hermit: {n} turns", view.hermit_status[1]))
    if more := view.open_card_limits[seat] + view.hand_limits[seat] - view.rules.hand:
        parts.append(ntranslate(lang, "Strength: +1 card", "Strength: +{n} cards", more))
    if view.temperance_status[0] == seat:
        parts.append(
            translate(lang, "Temperance: {suit}", suit=translate(lang, SUIT_NAMES[view.temperance_status[1]]))
        )
    if view.chariot_cards(seat):
        carried_count = view.chariot_cards(seat).bit_count() - 1
        parts.append(ntranslate(lang, "Chariot: 1 card", "Chariot: {n} cards", carried_count))
    return tuple(parts)


# ---------------------------------------------------------------- summaries and spots


def describe_round(view: State, lang: str) -> str:
    """Return the name of the current round, e.g. "Round 2 of 5", or "" if the match has a single round."""
    return (
        capitalize_first(translate(lang, "round {n} of {of}", view.round, of=view.rules.rounds))
        if view.rules.rounds > 1
        else ""
    )


SUMMARIZED_EVENTS = (
    ev.Discarded,
    ev.Engaged,
    ev.Abdicated,
    ev.Played,
    ev.Loaded,
    ev.Called,
    ev.Stolen,
    ev.StealFailed,
    ev.ForcesRemoved,
    ev.StockRenewed,
    ev.StockClosed,
    ev.RoundLeft,
    ev.DemonJoined,
    ev.RoundEnded,
    ev.FieldWon,
    ev.Dealt,
)
"""Types of events that are mentioned in a summary.

Draws are left out because players can see them on the table.
"""


def summarize_events(view: State, events: Sequence[ev.CardEvent], lang: str, names: Sequence[str]) -> str:
    """Summarize events in phrases joined by semicolons, or return "" if none is worth mentioning.

    The phrases say, for example, who engaged which cards, how strong these are, and who won which field.
    """
    parts = []
    for event in _events_to_mention(events):
        text = _event_text(view, event, lang, names)
        if isinstance(event, ev.Engaged) and event.suits and all(card >= 0 for card in event.cards):
            strength = _event_strength(view, event, lang)
            if strength != format_cards(event.cards, lang):  # for the World, both are its name
                text = translate(lang, "{what} ({strength})", what=text, strength=strength)
        parts.append(text)
    return translate(lang, "; ").join(filter(None, parts))


def _events_to_mention(events: Sequence[ev.CardEvent]) -> list[ev.CardEvent]:
    """Return the events to mention in a summary.

    These are the events whose type is in :data:`SUMMARIZED_EVENTS`, except the deal of the first round and discards of
    cards that belong to nobody. Discards of a participant are merged into one event unless an event with a different
    ``participant`` is mentioned between them.
    """
    result: list[ev.CardEvent] = []
    for event in events:
        discards = isinstance(event, ev.Discarded)
        if not isinstance(event, SUMMARIZED_EVENTS) or (isinstance(event, ev.Dealt) and event.number == 1):
            continue
        if discards and event.participant < 0:
            continue
        own = (
            next(
                (at for at in reversed(range(len(result))) if result[at].participant != event.participant), -1
            )
            + 1
        )
        before = next((at for at in range(own, len(result)) if isinstance(result[at], ev.Discarded)), -1)
        if discards and before >= 0:
            result[before] = ev.Discarded(event.participant, result[before].cards + event.cards)
        else:
            result.append(event)
    return result


def _event_strength(view: State, event: ev.CardEvent, lang: str) -> str:
    return format_strength(mask_of(event.cards), event.suits[0], view, lang)


def _repeats_move_text(event: ev.CardEvent) -> bool:
    """Return whether a move's log text leaves out an event because the text of the move covers it.

    This applies to majors played, cards put into the Chariot, and all discards. It also applies to fields given up,
    unless the World or Judgement forced this. The text of the move usually says or implies these events.
    """
    given = isinstance(event, ev.Abdicated) and not event.word
    return given or isinstance(event, ev.Played | ev.Loaded | ev.Discarded)


def describe_move(
    before: State, move: Move, events: Sequence[ev.CardEvent], lang: str, names: Sequence[str]
) -> str:
    """Describe a move and its effects, such as which cards were engaged and how many were drawn."""
    choice, parts = move_label(before, move, lang, names), []
    for event in events:
        if isinstance(event, ev.Engaged):
            parts.append(format_cards(event.cards, lang))
        elif isinstance(event, ev.Drawn) and event.participant >= 0:
            parts.append(ntranslate(lang, "draws 1 card", "draws {n} cards", len(event.cards)))
        elif isinstance(event, SUMMARIZED_EVENTS) and not _repeats_move_text(event):
            parts.append(_event_text(before, event, lang, names))
    what = translate(lang, "; ").join(filter(None, parts))
    return translate(lang, "{choice}: {what}", choice=choice, what=what) if what else choice


def describe_spot(view: State, spot: str, lang: str, names: Sequence[str]) -> str:
    """Describe what is at a spot, or return "" for a column head (``head S``) or an unknown spot.

    Descriptions exist for a card (``S10``, or ``call M3`` in the list of calls), a field (``1S``), a participant
    (``P1`` or ``side 1``), ``stock``, ``discard``, or ``shelf``, where majors are played.
    """
    key = spot.removeprefix("call ")
    if key in CARD_BY_NAME:
        return _describe_card(CARD_BY_NAME[key], view.rules, lang)
    if key in ("stock", "discard"):
        return translate(lang, SPOT_TEXTS[key], view.counts_at[STOCK if key == "stock" else DISCARD_PILE])
    if key == "shelf":
        return translate(lang, "play majors here")
    if key.startswith(("P", "side ")):
        number = key.removeprefix("P").removeprefix("side ")
        participant = int(number) - 1 if number.isdecimal() else view.participants
        if not 0 <= participant < view.participants:
            return ""
        return ntranslate(
            lang,
            "{who}: 1 card in hand",
            "{who}: {n} cards in hand",
            view.hand_size(participant),
            who=participant_name(view, participant, lang, names),
        )
    if key[:-1].isdecimal() and key[-1] in SUIT_LETTERS and 1 <= int(key[:-1]) <= view.participants:
        return _describe_field(view, int(key[:-1]) - 1, SUIT_LETTERS.index(key[-1]), lang, names)
    return ""


def _describe_card(card: int, rules: CardRules, lang: str) -> str:
    """Return the name of a card and its points, use or effect."""
    name = card_name(card, lang)
    if card >= MINOR_COUNT:
        return translate(
            lang,
            "{card} ({n}): {effect}",
            card - MINOR_COUNT,
            card=name,
            effect=major_effect(card, rules, lang),
        )
    rank = card % SUIT_SIZE
    if NUMBER_CARDS >> card & 1:
        return ntranslate(lang, "{card}: 1 point", "{card}: {n} points", rank + 1, card=name)
    if rank in (QUEEN, KING):
        return translate(
            lang,
            "{card}: a court card; engage it with the {other} of its suit or with the Lovers",
            card=name,
            other=translate(lang, RANK_WORDS[QUEEN + KING - rank]),
        )
    return translate(lang, "{card}: a court card; engage it alone or as part of a couple", card=name)


def _describe_field(view: State, participant: int, suit: int, lang: str, names: Sequence[str]) -> str:
    gaps = {"who": participant_name(view, participant, lang, names), "on": format_fields((suit,), lang)}
    status = view.field_status(participant, suit)
    if status.kind == OPEN:
        return translate(lang, "{who} {on}: nothing yet", **gaps)
    if status.kind == ABDICATED:
        return translate(lang, "{who} {on}: given up", **gaps)
    cards, count = view.engaged_cards(participant, suit), view.counts_at[view.field_place(participant, suit)]
    if cards.bit_count() < count:
        return ntranslate(
            lang, "{who} {on}: 1 card face down", "{who} {on}: {n} cards face down", count, **gaps
        )
    strength = format_strength(cards, suit, view, lang)
    return translate(
        lang,
        "{who} {on}: {what} ({strength})",
        what=format_cards(cards_in(cards), lang),
        strength=strength,
        **gaps,
    )


CARD_REASON_TEXTS = {
    "strongest": P_("why.cards.strongest", "is the strongest so far {on}"),
    "last": P_(
        "why.cards.last", "is the strongest {on}, where everyone else has already engaged cards or given up"
    ),
    "useless": P_("why.cards.useless", "discards a card that fits no open field"),
}
REASON_FIELD_TEXTS = {
    "0": P_("why.on.0", "on swords"),
    "1": P_("why.on.1", "on staves"),
    "2": P_("why.on.2", "on cups"),
    "3": P_("why.on.3", "on coins"),
}


def reasons_for(view: State, move: Move) -> Iterator[Message]:
    """Yield the reasons, if any, for a face-up engagement or a discard.

    Yields nothing for other moves, or for a discard after the Wheel of Fortune.
    """
    name, participant = view.tasks[-1][:2]
    if name != "turn" or not isinstance(participant, int):
        return
    if move.kind == "engage" and not move.is_face_down:
        cards = move.cards & ~(1 << CHARIOT)
        for suit in move.suits:
            if found := _compare_with_forces(view, participant, cards, suit):
                yield Message(CARD_REASON_TEXTS[found], on=Message(REASON_FIELD_TEXTS[f"{suit}"]))
    elif (
        move.kind == "discard"
        and move.cards & COURT_CARDS  # court cards are only ever engaged on the field of their suit
        and view.field_status(participant, (move.cards.bit_length() - 1) // SUIT_SIZE).kind != OPEN
    ):
        yield Message(P_("why.cards.useless", "discards a card that fits no open field"))


def _compare_with_forces(view: State, participant: int, card_mask: int, suit: int) -> str:
    """Return "last" or "strongest" if no other forces on a field are stronger than the cards, else "".

    ``card_mask`` holds the cards of ``participant``, and ``suit`` is the field. The result is "last" if all others have
    already engaged cards on the field or given it up. It is "" if others have face-down cards there, or if nobody else
    has engaged cards there but the field is still open to somebody else.
    """
    others = [other for other in range(view.participants) if other != participant]
    stands = [view.field_status(other, suit) for other in others]
    if any(status.kind == ENGAGED and status.is_face_down for status in stands):
        return ""
    own_strength = strength_key(card_mask, suit, view.rules)
    other_strengths = [
        strength_key(view.engaged_cards(other, suit), suit, view.rules)
        for other in others
        if view.field_status(other, suit).kind == ENGAGED
    ]
    if any(other_strength > own_strength for other_strength in other_strengths):
        return ""
    if all(status.kind != OPEN for status in stands):
        return "last"
    return "strongest" if other_strengths else ""
