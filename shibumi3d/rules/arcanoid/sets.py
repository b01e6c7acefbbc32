"""Sets of cards that may be engaged together, their strength, and the winner of a field."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from shibumi3d.rules.arcanoid.cards import (
    ACE,
    ACES,
    COURTS,
    EMPEROR,
    EMPRESS,
    KING,
    KNAVE,
    KNIGHT,
    LOVERS,
    MAGICIAN,
    NUMERIC,
    QUEEN,
    SUIT,
    WORLD,
    cards_in,
    minor,
    points,
)
from shibumi3d.rules.arcanoid.state import ABDICATED, FORCES, State, Won
from shibumi3d.rules.arcanoid.table import CardRules

IMPERIAL = 1 << EMPRESS | 1 << EMPEROR
RULERS = (1 << LOVERS | 1 << EMPRESS, 1 << LOVERS | 1 << EMPEROR)
"""Illegitimate couples: pairs of majors that may be engaged on any one field or split over two."""
COUPLES = ("royal", "imperial", "illegitimate")
RANKING = ("points", "illegitimate", "royal", "imperial", "world")
"""Kinds of engagements from weakest to strongest."""


def sort_of(cards: int, suit: int, table: CardRules) -> str:
    """Return the kind of engagement that a set forms on a field, or "" if it is not allowed there.

    The kinds are "numeric", "knave", "knight", "royal", "imperial", "illegitimate" and "world".
    """
    if cards == 1 << WORLD:
        return "world"
    if cards == IMPERIAL:
        return "imperial"
    if cards in RULERS:
        return "illegitimate"
    courts = cards & COURTS
    if cards >> LOVERS & 1:
        rest = cards ^ 1 << LOVERS
        return "illegitimate" if rest == courts and _one(courts) and courts & SUIT[suit] else ""
    if courts == cards == 1 << minor(suit, QUEEN) | 1 << minor(suit, KING):
        return "royal"
    magic = cards >> MAGICIAN & 1
    numbers = cards & NUMERIC
    others = numbers & ~SUIT[suit]
    if cards & ~(numbers | courts | 1 << MAGICIAN) or bin(others).count("1") != magic:
        return ""
    if not courts:
        return "numeric" if numbers else ""
    aces = not numbers or (table.ace == "guard" and _one(numbers) and numbers & ACES)
    for name, rank in (("knave", KNAVE), ("knight", KNIGHT)):
        if courts == 1 << minor(suit, rank) and aces:
            return name
    return ""


def stealable(cards: int, suit: int, table: CardRules) -> bool:
    """Return whether the Fool can steal a set.

    Couples and the World can't be stolen. With the rule "guard", a set that contains an ace can't be stolen either.
    With "foothold", an ace engaged alone can't be stolen.
    """
    sort = sort_of(cards, suit, table)
    if sort in COUPLES or sort == "world":
        return False
    if table.ace == "guard":
        return not cards & ACES
    return not (table.ace == "foothold" and foothold(cards))


def foothold(cards: int) -> bool:
    """Return whether a set is a single ace, possibly together with the Magician that transmutes it."""
    rest = cards & ~(1 << MAGICIAN)
    return _one(rest) and bool(rest & ACES)


def _one(cards: int) -> bool:
    return cards != 0 and cards & cards - 1 == 0


def value_of(cards: int, table: CardRules) -> float:
    """Return the points of a set that is not a couple.

    If the set contains a knave or knight, only that card counts. Otherwise, the points of its number cards are added
    up.
    """
    value = 0.0
    for card in cards_in(cards & (NUMERIC | COURTS)):
        rank = card % 14
        if rank == KNAVE:
            return table.knave
        if rank == KNIGHT:
            return table.knight
        value += points(card) if rank < KNAVE else 0
    return value


Strength = tuple[int, float, tuple[int, ...], int]
"""Sort key of engagements; the greatest key wins.

It consists of the index of the kind in RANKING, the points, the number cards in descending order, and 1 for natural
cards or 0 for a set with the Magician.
"""


def strength_of(cards: int, suit: int, table: CardRules) -> Strength:
    """Return the sort key of a set on a field. The keys of two participants are never equal."""
    sort = sort_of(cards, suit, table)
    numbers = tuple(sorted((points(card) for card in cards_in(cards & NUMERIC)), reverse=True))
    kind = RANKING.index(sort) if sort in RANKING else 0
    natural = 0 if cards >> MAGICIAN & 1 else 1
    return kind, 0.0 if kind else value_of(cards, table), numbers, natural


def ranked(state: State, suit: int) -> tuple[int, str]:
    """Return the winner of a field and the rule that decided the field.

    The rule is a kind in RANKING, "cards" (equal points but higher cards), "natural" (no transmuted card), or "last"
    (everyone gave up the field, the winner last).
    """
    table = state.rules
    found = []
    for who in range(state.participants):
        stand = state.stand(who, suit)
        if stand.kind == FORCES:
            found.append((strength_of(state.forces(who, suit), suit, table), who))
    if not found:
        last = max(
            (state.stand(who, suit).seq, who)
            for who in range(state.participants)
            if state.stand(who, suit).kind == ABDICATED
        )
        return last[1], "last"
    found.sort(reverse=True)
    best = found[0]
    why = RANKING[best[0][0]]
    if len(found) > 1 and found[1][0][:2] == best[0][:2]:
        why = "cards" if found[1][0][2] != best[0][2] else "natural"
    return best[1], why


def standings(won: Sequence[Won], seats: int) -> list[list[int]]:
    """Return the seats from first to last place; seats that share a place form a group.

    The seat with the most fields wins. Ties are broken by the number of fields of swords, then of staves, cups and
    coins. Remaining ties are broken in favour of the tied seat that won the most recent field, where swords come first
    within a round. Once the winner is known, the other seats are ranked by the same rules. Seats without a field share
    the last place.
    """
    totals = [[sum(w.seat == seat for w in won[suit::4]) for suit in range(4)] for seat in range(seats)]
    left = {seat for seat in range(seats) if any(totals[seat])}
    last = [seat for seat in range(seats) if seat not in left]
    places = []
    while left:
        tied = _most(left, [sum(totals[seat]) for seat in range(seats)])
        for suit in range(4):
            tied = _most(tied, [totals[seat][suit] for seat in range(seats)])
        if len(tied) > 1:
            rounds = len(won) // 4
            latest = [won[4 * r + suit].seat for r in range(rounds - 1, -1, -1) for suit in range(4)]
            tied = {next(seat for seat in latest if seat in tied)}
        places.append(sorted(tied))
        left -= tied
    return [*places, last] if last else places


def _most(seats: set[int], numbers: Sequence[int]) -> set[int]:
    most = max(numbers[seat] for seat in seats)
    return {seat for seat in seats if numbers[seat] == most}


# ---------------------------------------------------------------- sets that may be engaged


def sets_for(available: int, needed: int, suit: int, table: CardRules) -> Iterator[int]:
    """Yield every set for one field that uses ``available`` cards and contains all ``needed`` ones.

    Each set is yielded once. Couples of two majors are included as engagements on this field alone.
    """
    cards = available | needed
    own = cards & SUIT[suit]
    numbers, courts = own & NUMERIC, own & COURTS
    magic = table.magician == "transmute" and bool(cards >> MAGICIAN & 1)
    strangers = cards_in(cards & NUMERIC & ~SUIT[suit]) if magic else []
    magician = 1 << MAGICIAN
    if not needed & ~(numbers | (magician | NUMERIC if magic else 0)):
        for some in _subsets(numbers & ~needed, needed & numbers):
            if some and not needed & ~some:
                yield some
            for stranger in strangers:
                whole = some | magician | 1 << stranger
                if not needed & ~whole:
                    yield whole
    guards = [0]
    if table.ace == "guard":
        guards += [1 << minor(suit, ACE)] if own >> minor(suit, ACE) & 1 else []
        guards += [magician | 1 << stranger for stranger in strangers if 1 << stranger & ACES]
    for rank in (KNAVE, KNIGHT):
        court = 1 << minor(suit, rank)
        for guard in guards if courts & court else ():
            if not needed & ~(court | guard):
                yield court | guard
    royal = 1 << minor(suit, QUEEN) | 1 << minor(suit, KING)
    if courts & royal == royal and not needed & ~royal:
        yield royal
    if cards >> LOVERS & 1:
        for court in cards_in(courts):
            couple = 1 << LOVERS | 1 << court
            if not needed & ~couple:
                yield couple
    for couple in (IMPERIAL, *RULERS):
        if cards & couple == couple and not needed & ~couple:
            yield couple


def _subsets(free: int, base: int) -> Iterator[int]:
    """Yield each union of ``base`` and a subset of ``free``, including ``base`` itself."""
    some = 0
    while True:
        yield base | some
        if some == free:
            return
        some = (some - free) & free
