"""The moves of Arcanoid: their notation, the sets of cards that may be engaged, and the legal moves in a state."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from shibumi3d.rules import game
from shibumi3d.rules.arcanoid.cards import (
    ACE,
    ACES,
    CARD_BY_NAME,
    CARD_NAMES,
    CHARIOT,
    COURT_CARDS,
    DEATH,
    DEVIL,
    EMPEROR,
    EMPRESS,
    FOOL,
    HANGED_MAN,
    HERMIT,
    HIEROPHANT,
    HIGH_PRIESTESS,
    JUDGEMENT,
    JUSTICE,
    KING,
    KNAVE,
    KNIGHT,
    LOVERS,
    MAGICIAN,
    MAJOR_CARDS,
    MINOR_COUNT,
    MOON,
    NUMBER_CARDS,
    QUEEN,
    STARS,
    STRENGTH,
    SUIT_CARDS,
    SUIT_LETTERS,
    SUN,
    TEMPERANCE,
    TOWER,
    WHEEL_OF_FORTUNE,
    WORLD,
    card_points,
    cards_in,
    minor_card,
    modernize_card_names,
)
from shibumi3d.rules.arcanoid.state import ABDICATED, ENGAGED, OPEN, CardRules, State, Task, WonField

FACE_DOWN_SUFFIX = "*"
"""Suffix in the notation of an engagement whose cards are face down."""
HIEROPHANT_WORDS = (*SUIT_LETTERS, "M", "F")
"""What a player can ask for with the Hierophant: a suit, trumps (``M``) or the Fool (``F``)."""
MOVE_CACHE_SIZE = 1 << 14
"""Maximum number of entries in each cache of moves.

Moves are cached because playouts create the same ones repeatedly.
"""


@dataclass(frozen=True, slots=True)
class Move(game.Move):
    """A move of Arcanoid.

    ``cards`` is a mask of the cards that are engaged, played, loaded, discarded or called. For a move that unloads the
    Chariot or removes Temperance, it contains that card; for all other moves, it is 0. ``suits`` are the fields
    affected, and ``target`` is the participant affected, or -1. ``is_face_down`` is set if the cards are laid face
    down. ``choice`` is any other choice, such as the suit asked for with the Hierophant.

    The notation depends on the kind. Discard: ``-S10``. Abdicate (give up a field): ``S:-``. Engage: ``S:S4+S6`` (on
    two fields: ``SC:M3+M4``; face down: ``S:S4*``). Reinforce: like engage. Play: ``M13`` (with a participant, counted
    from 1: ``M12>3``; with a participant and a field: ``M16>3S``; with a field: ``M14>S``; with another choice:
    ``M5>T`` or ``M11>2``). Load: ``M7+C8``. Unload: ``M7-``. Lift (remove Temperance): ``M14-``. Call: ``>S10``. All
    other kinds are written as a word: done, yes, no, steal, let, extra, go.
    """

    cards: int = 0
    suits: tuple[int, ...] = ()
    target: int = -1
    is_face_down: bool = False
    choice: str = ""


@lru_cache(MOVE_CACHE_SIZE)
def make_word_move(kind: str, seat: int = -1) -> Move:
    """Return a move whose notation is a single word, such as ``done``.

    ``seat`` is the seat that makes it, or -1 for the seat to move.
    """
    return Move(kind, kind, seat=seat)


def make_discard(card: int) -> Move:
    """Return the move that discards a card."""
    return Move("discard", f"-{CARD_NAMES[card]}", cards=1 << card)


def make_abdication(suit: int) -> Move:
    """Return the move that gives up the field of ``suit``."""
    return Move("abdicate", f"{SUIT_LETTERS[suit]}:-", suits=(suit,))


@lru_cache(MOVE_CACHE_SIZE)
def make_engagement(
    card_mask: int, suits: tuple[int, ...], *, is_face_down: bool = False, kind: str = "engage"
) -> Move:
    """Return the move that engages a set on one or two fields.

    If ``kind`` is "reinforce", the move adds the set to the ace that is already engaged on the field.
    """
    fields = "".join([SUIT_LETTERS[suit] for suit in suits])
    names = "+".join([CARD_NAMES[card] for card in cards_in(card_mask)])
    text = f"{fields}:{names}{FACE_DOWN_SUFFIX if is_face_down else ''}"
    return Move(kind, text, cards=card_mask, suits=suits, is_face_down=is_face_down)


@lru_cache(MOVE_CACHE_SIZE)
def make_major_play(card: int, target: int = -1, suit: int = -1, choice: str = "") -> Move:
    """Return the move that plays a major for its effect.

    ``target`` is the participant and ``suit`` the field that the move names; each is -1 if the move names none.
    ``choice`` is any other choice, such as the suit asked for with the Hierophant, or "" if there is none.
    """
    target_text = (
        (str(target + 1) if target >= 0 else "") + (SUIT_LETTERS[suit] if suit >= 0 else "") + choice
    )
    text = CARD_NAMES[card] + (f">{target_text}" if target_text else "")
    return Move(
        "play", text, cards=1 << card, suits=(suit,) if suit >= 0 else (), target=target, choice=choice
    )


def make_load(card: int) -> Move:
    """Return the move that puts a card into the Chariot."""
    return Move("load", f"M7+{CARD_NAMES[card]}", cards=1 << card)


def make_call(card: int) -> Move:
    """Return the move that calls a card."""
    return Move("call", f">{CARD_NAMES[card]}", cards=1 << card)


_SET_PATTERN = re.compile(r"([STCD]{1,2}):([0-9A-Z+]+)(\*?)")


def normalize_notation(text: str) -> str:
    """Convert typed text to the notation of moves.

    Case is normalized, spaces are removed, old names of cards are replaced, and the cards and fields of an engagement
    are sorted.
    """
    plain = "".join(text.split())
    if plain.casefold() in ("done", "yes", "no", "steal", "let", "extra", "go"):
        return plain.casefold()
    plain = modernize_card_names(plain.upper())
    match = _SET_PATTERN.fullmatch(plain)
    if match is None:
        return plain
    names = match[2].split("+")
    if any(name not in CARD_BY_NAME for name in names):
        return plain
    cards = "+".join(sorted(names, key=CARD_BY_NAME.__getitem__))
    return f"{''.join(sorted(match[1], key=SUIT_LETTERS.index))}:{cards}{match[3]}"


IMPERIAL_COUPLE = 1 << EMPRESS | 1 << EMPEROR
RULER_COUPLES = (1 << LOVERS | 1 << EMPRESS, 1 << LOVERS | 1 << EMPEROR)
"""Illegitimate couples of two majors, which may be engaged on any one field or split over two."""
COUPLE_KINDS = ("royal", "imperial", "illegitimate")
KINDS_BY_STRENGTH = ("points", "illegitimate", "royal", "imperial", "world")
"""Kinds of engagements from weakest to strongest; "points" stands for all that are compared by their points."""


def engagement_kind(card_mask: int, suit: int, rules: CardRules) -> str:
    """Return the kind of engagement that the cards form on the field of ``suit``, or "" if they form none.

    The kinds are "numeric", "knave", "knight", "royal", "imperial", "illegitimate" and "world".
    """
    if card_mask == 1 << WORLD:
        return "world"
    if card_mask == IMPERIAL_COUPLE:
        return "imperial"
    if card_mask in RULER_COUPLES:
        return "illegitimate"
    courts = card_mask & COURT_CARDS
    if card_mask >> LOVERS & 1:
        rest = card_mask ^ 1 << LOVERS
        return (
            "illegitimate" if rest == courts and _is_single_card(courts) and courts & SUIT_CARDS[suit] else ""
        )
    if courts == card_mask == 1 << minor_card(suit, QUEEN) | 1 << minor_card(suit, KING):
        return "royal"
    foreign_count = card_mask >> MAGICIAN & 1
    numbers = card_mask & NUMBER_CARDS
    others = numbers & ~SUIT_CARDS[suit]
    if card_mask & ~(numbers | courts | 1 << MAGICIAN) or bin(others).count("1") != foreign_count:
        return ""
    if not courts:
        return "numeric" if numbers else ""
    aces = not numbers or (rules.ace == "guard" and _is_single_card(numbers) and numbers & ACES)
    for name, rank in (("knave", KNAVE), ("knight", KNIGHT)):
        if courts == 1 << minor_card(suit, rank) and aces:
            return name
    return ""


def is_stealable(card_mask: int, suit: int, rules: CardRules) -> bool:
    """Return whether the Fool can steal a set.

    Couples and the World can't be stolen. With the rule "guard", a set that contains an ace can't be stolen either.
    With "foothold", a single ace can't be stolen, whether or not the Magician transmutes it.
    """
    kind = engagement_kind(card_mask, suit, rules)
    if kind in COUPLE_KINDS or kind == "world":
        return False
    if rules.ace == "guard":
        return not card_mask & ACES
    return not (rules.ace == "foothold" and is_lone_ace(card_mask))


def is_lone_ace(card_mask: int) -> bool:
    """Return whether a set is a single ace, with or without the Magician that transmutes it."""
    rest = card_mask & ~(1 << MAGICIAN)
    return _is_single_card(rest) and bool(rest & ACES)


def _is_single_card(card_mask: int) -> bool:
    return card_mask != 0 and card_mask & card_mask - 1 == 0


def engagement_points(card_mask: int, rules: CardRules) -> float:
    """Return the points of a set that is not a couple.

    If the set contains a knave or knight, only that card counts. Otherwise, the points of its number cards are added
    up.
    """
    value = 0.0
    for card in cards_in(card_mask & (NUMBER_CARDS | COURT_CARDS)):
        rank = card % 14
        if rank == KNAVE:
            return rules.knave
        if rank == KNIGHT:
            return rules.knight
        value += card_points(card) if rank < KNAVE else 0
    return value


StrengthKey = tuple[int, float, tuple[int, ...], int]
"""Sort key of engagements; the greatest key wins.

It consists of the index of the kind in :data:`KINDS_BY_STRENGTH`, the points (0 for a couple or the World), the points
of each number card in descending order, and 0 if the set contains the Magician, else 1.
"""


def strength_key(card_mask: int, suit: int, rules: CardRules) -> StrengthKey:
    """Return the sort key of a set on a field: the stronger the set, the greater the key.

    No two participants' sets on the same field have equal keys, unless the rules give knaves and knights the same
    points.
    """
    engagement = engagement_kind(card_mask, suit, rules)
    numbers = tuple(sorted((card_points(card) for card in cards_in(card_mask & NUMBER_CARDS)), reverse=True))
    kind = KINDS_BY_STRENGTH.index(engagement) if engagement in KINDS_BY_STRENGTH else 0
    natural = 0 if card_mask >> MAGICIAN & 1 else 1
    return kind, 0.0 if kind else engagement_points(card_mask, rules), numbers, natural


def field_winner(state: State, suit: int) -> tuple[int, str]:
    """Return the participant who won a field, and the rule that decided it.

    The rule is normally the winning set's kind in :data:`KINDS_BY_STRENGTH`. It is "cards" if the best rival set had
    equal points but lower cards, "natural" if the cards were equal too but the rival set contained a transmuted one, or
    "last" if everyone gave up the field and the winner did so last.
    """
    rules = state.rules
    engagements = []
    for participant in range(state.participants):
        status = state.field_status(participant, suit)
        if status.kind == ENGAGED:
            engagements.append(
                (strength_key(state.engaged_cards(participant, suit), suit, rules), participant)
            )
    if not engagements:
        last = max(
            (state.field_status(participant, suit).sequence_number, participant)
            for participant in range(state.participants)
            if state.field_status(participant, suit).kind == ABDICATED
        )
        return last[1], "last"
    engagements.sort(reverse=True)
    best = engagements[0]
    deciding_rule = KINDS_BY_STRENGTH[best[0][0]]
    if len(engagements) > 1 and engagements[1][0][:2] == best[0][:2]:
        deciding_rule = "cards" if engagements[1][0][2] != best[0][2] else "natural"
    return best[1], deciding_rule


def rank_seats(won: Sequence[WonField], seats: int) -> list[list[int]]:
    """Return, for each place from first to last, a list of the seats in it.

    ``won`` contains the fields won in all rounds: four per round, in the order of the suits. The seat with the most
    fields wins. Ties are broken by the number of fields of swords, then of staves, cups and coins. Remaining ties are
    broken in favour of the tied seat that won a field most recently. If several did so in the same round, the seat
    whose field comes first in the order of the suits is preferred. Once the winner is known, the other seats are ranked
    by the same rules. Seats without a field share the last place.
    """
    totals = [[sum(w.seat == seat for w in won[suit::4]) for suit in range(4)] for seat in range(seats)]
    left = {seat for seat in range(seats) if any(totals[seat])}
    last = [seat for seat in range(seats) if seat not in left]
    places = []
    while left:
        tied = _seats_with_most(left, [sum(totals[seat]) for seat in range(seats)])
        for suit in range(4):
            tied = _seats_with_most(tied, [totals[seat][suit] for seat in range(seats)])
        if len(tied) > 1:
            rounds = len(won) // 4
            latest = [won[4 * r + suit].seat for r in range(rounds - 1, -1, -1) for suit in range(4)]
            tied = {next(seat for seat in latest if seat in tied)}
        places.append(sorted(tied))
        left -= tied
    return [*places, last] if last else places


def _seats_with_most(seats: set[int], counts: Sequence[int]) -> set[int]:
    max_count = max(counts[seat] for seat in seats)
    return {seat for seat in seats if counts[seat] == max_count}


# ---------------------------------------------------------------- sets that may be engaged


def legal_sets(available_cards: int, required_cards: int, suit: int, rules: CardRules) -> Iterator[int]:
    """Yield the sets of cards that may be engaged on a field and contain all ``required_cards``.

    ``suit`` is the suit of the field. The other cards of a set are from ``available_cards``. Each set is yielded once.
    Couples of two majors are included, although they can also be split over two fields. The World is left out.
    """
    cards = available_cards | required_cards
    own = cards & SUIT_CARDS[suit]
    numbers, courts = own & NUMBER_CARDS, own & COURT_CARDS
    is_transmuted = rules.magician == "transmute" and bool(cards >> MAGICIAN & 1)
    foreign_cards = cards_in(cards & NUMBER_CARDS & ~SUIT_CARDS[suit]) if is_transmuted else []
    magician = 1 << MAGICIAN
    if not required_cards & ~(numbers | (magician | NUMBER_CARDS if is_transmuted else 0)):
        for some in _supersets_of(numbers & ~required_cards, required_cards & numbers):
            if some and not required_cards & ~some:
                yield some
            for foreign_card in foreign_cards:
                whole = some | magician | 1 << foreign_card
                if not required_cards & ~whole:
                    yield whole
    guards = [0]
    if rules.ace == "guard":
        guards += [1 << minor_card(suit, ACE)] if own >> minor_card(suit, ACE) & 1 else []
        guards += [magician | 1 << foreign_card for foreign_card in foreign_cards if 1 << foreign_card & ACES]
    for rank in (KNAVE, KNIGHT):
        court = 1 << minor_card(suit, rank)
        for guard in guards if courts & court else ():
            if not required_cards & ~(court | guard):
                yield court | guard
    royal = 1 << minor_card(suit, QUEEN) | 1 << minor_card(suit, KING)
    if courts & royal == royal and not required_cards & ~royal:
        yield royal
    if cards >> LOVERS & 1:
        for court in cards_in(courts):
            couple = 1 << LOVERS | 1 << court
            if not required_cards & ~couple:
                yield couple
    for couple in (IMPERIAL_COUPLE, *RULER_COUPLES):
        if cards & couple == couple and not required_cards & ~couple:
            yield couple


def _supersets_of(optional_cards: int, required_cards: int) -> Iterator[int]:
    """Yield ``required_cards`` joined with each subset of ``optional_cards``, including the empty one."""
    some = 0
    while True:
        yield required_cards | some
        if some == optional_cards:
            return
        some = (some - optional_cards) & optional_cards


TARGETLESS_MAJORS = (JUSTICE, HERMIT, WHEEL_OF_FORTUNE, DEATH, DEVIL, STARS, MOON, SUN)
"""Majors whose move names neither a target nor any other choice."""
UNCALLABLE_MAJORS = (FOOL, JUDGEMENT, WORLD)
"""Majors that can't be called."""
MINOR_CALLS = (*[make_call(card) for card in range(MINOR_COUNT)],)
MAJOR_CALLS = (*[make_call(card) for card in cards_in(MAJOR_CARDS) if card not in UNCALLABLE_MAJORS],)
ABDICATIONS = tuple([make_abdication(suit) for suit in range(4)])
DISCARDS = tuple([make_discard(card) for card in range(78)])
LOADS = tuple([make_load(card) for card in range(78)])


def legal_moves(state: State, seat: int) -> tuple[Move, ...]:
    """Return the legal moves of a seat in a fixed order, or () if it has no decision to make."""
    ask = state.decision
    if ask is None or seat not in ask.seats:
        return ()
    task = state.tasks[-1]
    name = task[0]
    if name == "turn":
        return tuple(_turn_moves(state, _require_int(task[1])))
    if name == "fool":
        return _steal_moves(state, seat, task)
    if name == "call":
        return _call_moves(task)
    if name == "wheel":
        return tuple([DISCARDS[card] for card in cards_in(state.known_hand_cards(_require_int(task[1])))])
    if name == "load":
        participant = _require_int(task[1])
        loads = [LOADS[card] for card in cards_in(state.playable_cards(participant))]
        return (*loads, make_word_move("done"))
    if name == "hermit":
        return make_word_move("extra"), make_word_move("go")
    return make_word_move("yes"), make_word_move("no")


def _require_int(value: str | int | tuple[int, ...]) -> int:
    assert isinstance(value, int)
    return value


def deciding_participant(state: State, seat: int) -> int:
    """Return the participant for whom ``seat`` decides whether to steal with the Fool.

    If everybody knows where the Fool is, the participants decide one after another, and the one whose turn it is to
    decide is returned; if that is a demon, its owner decides for it. Otherwise, each seat decides for itself, and
    ``seat`` is returned.
    """
    asked, public = state.tasks[-1][3], state.tasks[-1][5]
    assert isinstance(asked, tuple)
    return asked[0] if public else seat


def _steal_moves(state: State, seat: int, task: Task) -> tuple[Move, ...]:
    participant = deciding_participant(state, seat)
    let = make_word_move("let", seat)
    return (make_word_move("steal", seat), let) if state.playable_cards(participant) >> FOOL & 1 else (let,)


def _call_moves(task: Task) -> tuple[Move, ...]:
    _, _, card, _left, first = task
    if not first:
        return (*MINOR_CALLS, make_word_move("done"))
    return MINOR_CALLS + MAJOR_CALLS if card == SUN else MINOR_CALLS


def is_blocked_by_temperance(state: State, participant: int, suit: int) -> bool:
    """Return whether Temperance prevents a participant from engaging on a field."""
    owner, blocked_suit = state.temperance_status
    return blocked_suit == suit and (owner != participant or state.rules.temperance == "hard")


def may_engage_face_down(state: State, participant: int) -> bool:
    """Return whether a participant may engage face down once more in this round without using the Magician."""
    return (state.face_down_counts >> 4 * participant & 15) < state.rules.secret


def _turn_moves(state: State, participant: int) -> Iterator[Move]:
    cards = state.playable_cards(participant)
    for card in cards_in(cards):
        yield DISCARDS[card]
    for suit in state.open_fields(participant):
        yield ABDICATIONS[suit]
    chariot = state.chariot_cards(participant)
    yield from _engagement_moves(state, participant, cards, 0)
    if chariot:
        yield from _engagement_moves(state, participant, cards, chariot)
        for card in cards_in(cards):
            yield LOADS[card]
        yield Move("unload", "M7-", cards=1 << CHARIOT)
    if state.temperance_status[0] == participant and state.rules.temperance == "hard":
        yield Move("lift", "M14-", cards=1 << TEMPERANCE, suits=(state.temperance_status[1],))
    for card in cards_in(cards & MAJOR_CARDS):
        yield from _major_plays(state, participant, card, cards)


def _engagement_moves(state: State, participant: int, card_mask: int, chariot_cards: int) -> Iterator[Move]:
    """Yield the legal engagements, including those that reinforce an ace.

    ``card_mask`` contains the cards that ``participant`` may use, apart from those in its Chariot. If ``chariot_cards``
    is 0, the engagements use neither the Chariot nor its cards. Otherwise, ``chariot_cards`` is the mask of the Chariot
    and its cards, and every engagement uses all of them.
    """
    rules = state.rules
    needed = chariot_cards & ~(1 << CHARIOT)
    chariot_bit = chariot_cards & 1 << CHARIOT
    free = may_engage_face_down(state, participant)
    by_magic = rules.magician == "secret" and bool(card_mask >> MAGICIAN & 1)
    magician = 1 << MAGICIAN
    open_fields = [
        suit
        for suit in state.open_fields(participant)
        if not is_blocked_by_temperance(state, participant, suit)
    ]
    for suit in open_fields:
        fields = (suit,)
        for legal_set in legal_sets(card_mask, needed, suit, rules):
            yield make_engagement(legal_set | chariot_bit, fields)
            if free:
                yield make_engagement(legal_set | chariot_bit, fields, is_face_down=True)
            if by_magic:
                yield make_engagement(legal_set | chariot_bit | magician, fields, is_face_down=True)
        if (
            (card_mask | needed) >> WORLD & 1
            and not state.touched_suits >> suit & 1
            and not needed & ~(1 << WORLD)
        ):
            yield make_engagement(1 << WORLD | chariot_bit, fields)
    for couple in (IMPERIAL_COUPLE, *RULER_COUPLES):
        if (card_mask | needed) & couple == couple and not needed & ~couple:
            for i, suit in enumerate(open_fields):
                for other in open_fields[i + 1 :]:
                    yield make_engagement(couple | chariot_bit, (suit, other))
    if rules.ace == "foothold":
        yield from _reinforcement_moves(state, participant, card_mask, needed, chariot_bit)


def _reinforcement_moves(
    state: State, participant: int, card_mask: int, required_cards: int, chariot_mask: int
) -> Iterator[Move]:
    """Yield the moves that add number cards, or one knave or knight, to an ace engaged alone.

    If one of the number cards is of another suit, the Magician is added, too. The added cards include all
    ``required_cards``. ``chariot_mask`` is the mask of the Chariot, or 0 if it isn't used.
    """
    for suit in range(4):
        if not is_lone_ace(state.engaged_cards(participant, suit)) or is_blocked_by_temperance(
            state, participant, suit
        ):
            continue
        courts = sum(1 << minor_card(suit, rank) for rank in (KNAVE, KNIGHT))
        allowed = NUMBER_CARDS | courts | 1 << MAGICIAN
        if required_cards & ~allowed:
            continue
        for legal_set in legal_sets(card_mask & allowed, required_cards, suit, state.rules):
            yield make_engagement(legal_set | chariot_mask, (suit,), kind="reinforce")


def _major_plays(state: State, participant: int, card: int, card_mask: int) -> Iterator[Move]:
    participants = [other for other in range(state.participants) if not state.has_left_round(other)]
    if card in TARGETLESS_MAJORS:
        yield make_major_play(card)
    elif card in (HIGH_PRIESTESS, HANGED_MAN):
        for other in participants:
            yield make_major_play(card, other)
    elif card == HIEROPHANT:
        for word in HIEROPHANT_WORDS:
            yield make_major_play(card, choice=word)
    elif card == CHARIOT:
        for other in cards_in(card_mask & ~(1 << CHARIOT)):
            yield LOADS[other]
    elif card == STRENGTH:
        yield make_major_play(card, choice="1")
        yield make_major_play(card, choice="2")
    elif card == TEMPERANCE:
        if state.counts_at[0]:
            for suit in range(4):
                if state.field_status(participant, suit).kind != ENGAGED:
                    yield make_major_play(card, suit=suit)
    elif card == TOWER:
        for other in participants:
            for suit in range(4):
                if state.field_status(other, suit).kind == ENGAGED and not has_engaged_world(
                    state, other, suit
                ):
                    yield make_major_play(card, other, suit)
    elif card == JUDGEMENT:
        for other in participants:
            for suit in range(4):
                if state.field_status(other, suit).kind == OPEN:
                    yield make_major_play(card, other, suit)


def has_engaged_world(state: State, participant: int, suit: int) -> bool:
    """Return whether a participant has engaged the World on a field.

    This is known even in a view, because the World can't be engaged face down.
    """
    return bool(state.engaged_cards(participant, suit) >> WORLD & 1)
