"""Immediate effects of moves in Arcanoid. Their automatic consequences are in :mod:`.flow`."""

from __future__ import annotations

from shibumi3d.rules.arcanoid import event as ev
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
    MAGICIAN,
    MOON,
    PRIESTESS,
    STARS,
    STRENGTH,
    SUIT,
    SUN,
    TEMPERANCE,
    TOWER,
    TRUMPS,
    WHEEL,
    WORLD,
    cards_in,
)
from shibumi3d.rules.arcanoid.flow import closing, let, steal, vote, window
from shibumi3d.rules.arcanoid.move import Move
from shibumi3d.rules.arcanoid.sets import stealable
from shibumi3d.rules.arcanoid.state import (
    ABDICATED,
    DISCARD,
    FIELD,
    FORCES,
    HAND,
    OPEN,
    RESERVE,
    SLOTS,
    STOCK,
    TABLE,
    Stand,
    Task,
    place,
)
from shibumi3d.rules.arcanoid.work import Work

CALLS = {STARS: 1, MOON: 2, SUN: 3}
"""Maximum number of calls that a player may make with each of these majors."""
ADDED = 2
"""Maximum number of cards that a turn may add to a Chariot laid out in an earlier turn."""


def act(work: Work, move: Move) -> None:
    """Apply a legal move to ``work``.

    The move completes the task on top of the stack. The tasks that result from it are pushed onto the stack.
    """
    task = work.tasks.pop()
    name = task[0]
    if name == "vote":
        assert isinstance(task[1], tuple)
        vote(work, task[1], move.kind == "yes")
        return
    work.fresh = 0
    work.step += 1
    if name == "fool":
        asked = task[3]
        assert isinstance(asked, tuple)
        (steal if move.kind == "steal" else let)(work, task, asked[0] if task[5] else move.seat)
        return
    who = task[1]
    assert isinstance(who, int)
    if name == "hermit":
        if move.kind == "extra":
            work.tasks.pop()
            work.hermit = (who, work.hermit[1] - 1)
            work.acting = who
            work.tell(ev.ExtraTurn(who=who, seat=work.seat(who), number=work.hermit[1]))
            work.tasks.append(("turn", who, 1))
        return
    if name == "wheel":
        work.tasks.append(task)
        work.discard(who, move.cards)
    elif name == "load":
        if move.kind == "load":
            assert isinstance(task[2], int)
            work.tasks.append(("load", who, task[2] - 1))
            _load(work, who, move.cards)
    elif name == "call":
        _call(work, task, move)
    else:
        _turn(work, who, move, extra=bool(task[2]))


def _turn(work: Work, who: int, move: Move, *, extra: bool) -> None:
    kind = move.kind
    if kind in ("engage", "reinforce"):
        _engage(work, who, move)
    elif kind == "discard":
        closing(work, who)
        work.discard(who, move.cards)
    elif kind == "abdicate":
        closing(work, who)
        work.abdicate(who, move.suits[0])
    elif kind == "load":
        closing(work, who)
        starting = not work.at[place(who, RESERVE)]
        # In the turn in which the Chariot is laid out, any number of cards may be loaded (-1); in later turns, one or
        # two.
        work.tasks.append(("load", who, -1 if starting else ADDED - 1))
        _load(work, who, move.cards | (1 << CHARIOT if starting else 0))
    elif kind == "unload":
        closing(work, who)
        work.discard(who, work.at[place(who, RESERVE)], shown=True)
    elif kind == "lift":
        closing(work, who)
        work.lift()
    else:
        _play(work, who, move, extra=extra)


def _load(work: Work, who: int, cards: int) -> None:
    work.leave(who, cards, place(who, RESERVE))
    work.tell(ev.Loaded(who=who, seat=work.seat(who)), cards)


def _engage(work: Work, who: int, move: Move) -> None:
    """Engage a set on one or two fields, or reinforce an ace."""
    seat, suit = work.seat(who), move.suits[0]
    world = bool(move.cards >> WORLD & 1)
    magic = 1 << MAGICIAN if work.rules.magician == "secret" else 0
    cards = move.cards & ~(1 << CHARIOT | magic)
    reinforced = move.kind == "reinforce"
    closing(work, who)
    if move.down and not move.cards & magic:
        work.spent += 1 << 4 * who
    work.leave(who, cards, place(who, FIELD, suit), unseen=move.down)
    word = "down" if move.down else "more" if reinforced else ""
    work.tell(ev.Engaged(who=who, seat=seat, suits=move.suits, word=word), cards)
    if work.temper[0] == who and work.temper[1] in move.suits:
        work.lift()
    if not reinforced:
        stamp = work.stamp()
        work.set_stand(who, suit, Stand(FORCES, stamp, move.down))
        for other in move.suits[1:]:
            work.set_stand(who, other, Stand(FORCES, stamp, move.down, suit))
    for other in move.suits:
        work.touched |= 1 << other
    gone = move.cards & ~cards
    if gone:
        work.discard(who, gone, shown=True)
    if world:
        for other in work.after(who):
            if not work.is_out(other) and work.stand(other, suit).kind == OPEN:
                work.abdicate(other, suit, "world")
    if reinforced:
        work.tasks.append(("reinforced", who, suit))
    if move.down or (len(move.suits) == 1 and stealable(cards, suit, work.rules)):
        window(work, who, suit, cards if reinforced else 0)


def _show(work: Work, who: int, move: Move, there: int = DISCARD) -> None:
    """Show a major and move it to the place ``there``, i.e. the discard pile or a place in play."""
    work.leave(who, move.cards, there)
    word = "stays" if there != DISCARD else ""
    event = ev.Played(who=who, seat=work.seat(who), suits=move.suits, other=move.who, word=word or move.word)
    work.tell(event, move.cards)


def _play(work: Work, who: int, move: Move, *, extra: bool) -> None:
    card = cards_in(move.cards)[0]
    if card in (PRIESTESS, HIEROPHANT, JUSTICE):
        _again(work, who, card, move, extra=extra)
    elif card in CALLS:
        closing(work, who)
        _show(work, who, move)
        work.tasks.append(("call", who, card, CALLS[card], 1))
    elif card == HERMIT:
        closing(work, who)
        _show(work, who, move, TABLE)
        work.hermit = (who, work.rules.turns)
    elif card == WHEEL:
        closing(work, who)
        _show(work, who, move)
        work.tasks += [("wheel", who), ("draw", who, work.rules.wheel)]
    elif card == STRENGTH:
        _strength(work, who, move)
    elif card == HANGED:
        work.tasks += [("end",), ("pool", who), ("slots", who, who), ("fill", who, who)]
        work.tasks += [("slots", move.who, who), ("fill", move.who, move.who)]
        _show(work, who, move)
        work.discard(move.who, work.at[place(move.who, HAND)] | work.at[place(move.who, SLOTS)])
    elif card == DEATH:
        closing(work, who)
        _show(work, who, move)
        stock = work.at[STOCK]
        if stock:
            work.move(stock, DISCARD)
            work.tell(ev.Discarded(), stock)
        work.die()
    elif card == TEMPERANCE:
        closing(work, who)
        _show(work, who, move, TABLE)
        work.temper = (who, move.suits[0])
    elif card == DEVIL:
        _devil(work, who, move, extra=extra)
    elif card == TOWER:
        closing(work, who)
        _show(work, who, move)
        _raze(work, who, move.who, move.suits[0])
    elif card == JUDGEMENT:
        closing(work, who)
        _show(work, who, move, place(move.who, FIELD, move.suits[0]))
        work.abdicate(move.who, move.suits[0], "judgement")


def _again(work: Work, who: int, card: int, move: Move, *, extra: bool) -> None:
    """Play the High Priestess, the Hierophant or Justice, which give the player another turn."""
    work.tasks.append(("turn", who, int(extra)))
    if card == JUSTICE:
        work.tasks.append(("pool", who))
    work.tasks += [("slots", who, who), ("fill", who, who)]
    _show(work, who, move, TABLE if card == JUSTICE else DISCARD)
    if card == JUSTICE:
        work.justice = True
    elif card == PRIESTESS:
        hand = work.at[place(move.who, HAND)]
        work.show_to(who, hand)
        cards = tuple(cards_in(hand))
        work.tell(ev.Hands(who=who, seat=work.seat(who), other=move.who, cards=cards, seen=work.seers(hand)))
    else:
        _turn_up(work, who)
        asked = dict(zip((*"STCDMF",), (*SUIT, TRUMPS, 1 << FOOL), strict=True))[move.word]
        for each in (who, *work.after(who)):
            shown = asked & (work.at[place(each, HAND)] | work.at[place(each, SLOTS)])
            work.show(shown)
            work.tell(ev.Opened(who=each, seat=work.seat(each), word=move.word), shown)


def _turn_up(work: Work, who: int) -> None:
    """Reveal the Automatons' hands permanently, if ``who`` is a seat and not a demon."""
    if who < work.seats:
        for each in range(work.seats, work.seats + work.rules.dummies):
            hand = work.at[place(each, HAND)]
            if hand & ~work.known[work.seats]:
                work.show(hand)
                work.tell(ev.Opened(who=each, word="all"), hand)


def _strength(work: Work, who: int, move: Move) -> None:
    closing(work, who)
    if move.word == "2":
        work.slots[who] += work.rules.slots
        # The task pushed last runs first: open cards are drawn before the replacement for Strength.
        work.tasks.append(("slots", who, who))
    else:
        work.caps[who] += work.rules.extra
    _show(work, who, move, TABLE)


def _devil(work: Work, who: int, move: Move, *, extra: bool) -> None:
    closing(work, who)
    _show(work, who, move, TABLE)
    master = work.seat(who)
    # If only one participant is left in the round, it takes the next turn too.
    coming = next((each for each in (*work.after(work.current), work.current) if not work.is_out(each)), -1)
    if extra and coming == who:
        # The owner's regular turn comes next. The demon starts in the following round of turns.
        work.skip = len(work.masters)
    demon = work.join(master, work.rules.hand)
    work.order.insert(work.order.index(who), demon)
    work.tell(ev.Raised(who=demon, seat=master, other=who))
    for suit in range(4):
        if any(work.forces(each, suit) >> WORLD & 1 for each in range(demon)):
            work.set_stand(demon, suit, Stand(ABDICATED, work.stamp()))
    work.tasks.append(("fill", demon, who))


def _raze(work: Work, who: int, other: int, suit: int) -> None:
    """Remove the forces of ``other`` from a field.

    If they are half of a couple split over two fields, the other half remains on its field, with the cards.
    """
    link = work.stand(other, suit).link
    cards = work.forces(other, suit)
    half = link >= 0
    for there in range(4):
        if work.stand(other, there).link == suit:
            # The cards of the couple are on this field, so move them to the other one.
            work.move(cards, place(other, FIELD, there))
            work.set_stand(other, there, work.stand(other, there)._replace(link=-1))
            half = True
    work.set_stand(other, suit, Stand())
    event = ev.Razed(who=who, seat=work.seat(who), other=other, suits=(suit,), word="half" if half else "")
    work.tell(event, cards)
    if not half:
        work.move(cards, DISCARD)


def _call(work: Work, task: Task, move: Move) -> None:
    """Call a card: any other participant who has it must give it to the caller.

    If nobody has the card, the caller may be allowed another call.
    """
    _, who, card, left, first = task
    assert isinstance(who, int)
    assert isinstance(left, int)
    assert isinstance(card, int)
    if move.kind == "done":
        return
    if first:
        _turn_up(work, who)
    called, seat = move.cards, work.seat(who)
    there = 0
    for other in work.after(who):
        slots = bool(work.at[place(other, SLOTS)] & called)
        if slots or work.at[place(other, HAND)] & called:
            work.tell(ev.Called(who=who, seat=seat, other=other, cards=tuple(cards_in(called))))
            work.leave(other, called, place(who, HAND))
            depth = max(i for i, each in enumerate(work.tasks) if each[0] == "pool")
            work.tasks[depth + 1 : depth + 1] = [("slots", other, who), ("fill", other, other)]
            return
    there = left - 1
    work.tell(ev.Called(who=who, seat=seat, cards=tuple(cards_in(called))))
    # After calling a major, the player may make no more calls.
    if there and called < 1 << 56:
        work.tasks.append(("call", who, card, there, 0))
