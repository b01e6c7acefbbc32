"""Generation of legal moves in Arcanoid."""

from __future__ import annotations

from collections.abc import Iterator

from shibumi3d.rules.arcanoid import move
from shibumi3d.rules.arcanoid.cards import (
    CHARIOT,
    DEATH,
    DEVIL,
    FOOL,
    HANGED,
    HERMIT,
    HIEROPHANT,
    JUDGEMENT,
    JUSTICE,
    KNAVE,
    KNIGHT,
    MAGICIAN,
    MAJOR,
    MINORS,
    MOON,
    NUMERIC,
    PRIESTESS,
    STARS,
    STRENGTH,
    SUN,
    TEMPERANCE,
    TOWER,
    WHEEL,
    WORLD,
    cards_in,
    minor,
)
from shibumi3d.rules.arcanoid.move import Move
from shibumi3d.rules.arcanoid.sets import IMPERIAL, RULERS, foothold, sets_for
from shibumi3d.rules.arcanoid.state import FORCES, OPEN, State, Task

PLAIN = (JUSTICE, HERMIT, WHEEL, DEATH, DEVIL, STARS, MOON, SUN)
"""Majors that are played without a further choice."""
UNCALLED = (FOOL, JUDGEMENT, WORLD)
"""Majors that can't be called."""
NAMED = (*[move.call(card) for card in range(MINORS)],)
CALLED_MAJORS = (*[move.call(card) for card in cards_in(MAJOR) if card not in UNCALLED],)
ABDICATIONS = tuple([move.abdicate(suit) for suit in range(4)])
DISCARDS = tuple([move.discard(card) for card in range(78)])
LOADS = tuple([move.load(card) for card in range(78)])


def open_moves(state: State, seat: int) -> tuple[Move, ...]:
    """Return the legal moves of a seat in a fixed order, or () if it has no decision to make."""
    ask = state.ask
    if ask is None or seat not in ask.seats:
        return ()
    task = state.tasks[-1]
    name = task[0]
    if name == "turn":
        return tuple(_turn(state, _number(task[1])))
    if name == "fool":
        return _fool(state, seat, task)
    if name == "call":
        return _call(task)
    if name == "wheel":
        return tuple([DISCARDS[card] for card in cards_in(state.hand(_number(task[1])))])
    if name == "load":
        who = _number(task[1])
        loads = [LOADS[card] for card in cards_in(state.available(who))]
        return (*loads, move.word_move("done"))
    if name == "hermit":
        return move.word_move("extra"), move.word_move("go")
    return move.word_move("yes"), move.word_move("no")


def _number(value: str | int | tuple[int, ...]) -> int:
    assert isinstance(value, int)
    return value


def asked_for(state: State, seat: int) -> int:
    """Return the participant for whom ``seat`` decides whether to steal with the Fool.

    This is usually the seat itself. But if everybody knows where the Fool is, the participants decide one after
    another, and the owner of a demon decides for the demon.
    """
    asked, public = state.tasks[-1][3], state.tasks[-1][5]
    assert isinstance(asked, tuple)
    return asked[0] if public else seat


def _fool(state: State, seat: int, task: Task) -> tuple[Move, ...]:
    who = asked_for(state, seat)
    let = move.word_move("let", seat)
    return (move.word_move("steal", seat), let) if state.available(who) >> FOOL & 1 else (let,)


def _call(task: Task) -> tuple[Move, ...]:
    _, _, card, _left, first = task
    if not first:
        return (*NAMED, move.word_move("done"))
    return NAMED + CALLED_MAJORS if card == SUN else NAMED


def tempered(state: State, who: int, suit: int) -> bool:
    """Return whether Temperance prevents a participant from engaging on a field."""
    owner, there = state.temper
    return there == suit and (owner != who or state.rules.temperance == "hard")


def may_lay_down(state: State, who: int) -> bool:
    """Return whether a participant may still engage face down in this round, without the Magician."""
    return (state.spent >> 4 * who & 15) < state.rules.secret


def _turn(state: State, who: int) -> Iterator[Move]:
    cards = state.available(who)
    for card in cards_in(cards):
        yield DISCARDS[card]
    for suit in state.open_fields(who):
        yield ABDICATIONS[suit]
    chariot = state.reserve(who)
    yield from _engagements(state, who, cards, 0)
    if chariot:
        yield from _engagements(state, who, cards, chariot)
        for card in cards_in(cards):
            yield LOADS[card]
        yield Move("unload", "M7-", cards=1 << CHARIOT)
    if state.temper[0] == who and state.rules.temperance == "hard":
        yield Move("lift", "M14-", cards=1 << TEMPERANCE, suits=(state.temper[1],))
    for card in cards_in(cards & MAJOR):
        yield from _major(state, who, card, cards)


def _engagements(state: State, who: int, cards: int, chariot: int) -> Iterator[Move]:
    """Yield the legal engagements.

    If ``chariot`` is 0, they use no cards in the Chariot. Otherwise, ``chariot`` is the mask of the Chariot and the
    cards in it, and they use all of these.
    """
    table = state.rules
    needed = chariot & ~(1 << CHARIOT)
    wheels = chariot & 1 << CHARIOT
    free = may_lay_down(state, who)
    by_magic = table.magician == "secret" and bool(cards >> MAGICIAN & 1)
    magician = 1 << MAGICIAN
    open_fields = [suit for suit in state.open_fields(who) if not tempered(state, who, suit)]
    for suit in open_fields:
        fields = (suit,)
        for some in sets_for(cards, needed, suit, table):
            yield move.engage(some | wheels, fields)
            if free:
                yield move.engage(some | wheels, fields, down=True)
            if by_magic:
                yield move.engage(some | wheels | magician, fields, down=True)
        if (cards | needed) >> WORLD & 1 and not state.touched >> suit & 1 and not needed & ~(1 << WORLD):
            yield move.engage(1 << WORLD | wheels, fields)
    for couple in (IMPERIAL, *RULERS):
        if (cards | needed) & couple == couple and not needed & ~couple:
            for i, suit in enumerate(open_fields):
                for other in open_fields[i + 1 :]:
                    yield move.engage(couple | wheels, (suit, other))
    if table.ace == "foothold":
        yield from _reinforcements(state, who, cards, needed, wheels)


def _reinforcements(state: State, who: int, cards: int, needed: int, wheels: int) -> Iterator[Move]:
    """Yield the moves that add number cards, or one knave or knight, to an ace engaged alone."""
    for suit in range(4):
        if not foothold(state.forces(who, suit)) or tempered(state, who, suit):
            continue
        courts = sum(1 << minor(suit, rank) for rank in (KNAVE, KNIGHT))
        useful = cards & (NUMERIC | courts | 1 << MAGICIAN)
        for some in sets_for(useful, needed, suit, state.rules):
            yield move.engage(some | wheels, (suit,), kind="reinforce")


def _major(state: State, who: int, card: int, cards: int) -> Iterator[Move]:
    there = [other for other in range(state.participants) if not state.is_out(other)]
    if card in PLAIN:
        yield move.play(card)
    elif card in (PRIESTESS, HANGED):
        for other in there:
            yield move.play(card, other)
    elif card == HIEROPHANT:
        for word in move.SHOWN:
            yield move.play(card, word=word)
    elif card == CHARIOT:
        for other in cards_in(cards & ~(1 << CHARIOT)):
            yield LOADS[other]
    elif card == STRENGTH:
        yield move.play(card, word="1")
        yield move.play(card, word="2")
    elif card == TEMPERANCE:
        if state.count[0]:
            for suit in range(4):
                if state.stand(who, suit).kind != FORCES:
                    yield move.play(card, suit=suit)
    elif card == TOWER:
        for other in there:
            for suit in range(4):
                if state.stand(other, suit).kind == FORCES and not world(state, other, suit):
                    yield move.play(card, other, suit)
    elif card == JUDGEMENT:
        for other in there:
            for suit in range(4):
                if state.stand(other, suit).kind == OPEN:
                    yield move.play(card, other, suit)


def world(state: State, who: int, suit: int) -> bool:
    """Return whether a participant has engaged the World on a field. The World is never face down."""
    return bool(state.forces(who, suit) >> WORLD & 1)
