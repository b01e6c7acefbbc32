"""Automatic consequences of a move: refills, votes, turn order, ends of rounds and of the match.

Pending tasks form a stack; :func:`run` carries them out until a decision is needed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from shibumi3d.i18n import N_
from shibumi3d.rules.arcanoid import event as ev
from shibumi3d.rules.arcanoid.cards import COURTS, DEVIL, FOOL, HERMIT, NUMERIC
from shibumi3d.rules.arcanoid.sets import ranked, standings, stealable
from shibumi3d.rules.arcanoid.state import (
    DISCARD,
    FIELD,
    FORCES,
    HAND,
    OPEN,
    POOL,
    SLOTS,
    STOCK,
    TABLE,
    Stand,
    State,
    Task,
    Won,
    place,
)
from shibumi3d.rules.arcanoid.work import Work, chance, fresh_deck
from shibumi3d.rules.game import Outcome

FIRST = 1 << 40
"""Index in the random sequence for choosing the first player, far above the indices used for draws."""


@dataclass(frozen=True, slots=True)
class CardOutcome(Outcome):
    """The result of a match.

    ``places`` are the seats from first to last place; seats that share a place form a group.
    """

    places: tuple[tuple[int, ...], ...] = ()


def run(work: Work, before: State) -> None:
    """Carry out pending tasks until a decision is needed or the match is over."""
    while work.over is None:
        name, *rest = work.tasks[-1]
        if name in _ASKS and _ASKS[str(name)](work, *rest):
            return
        work.tasks.pop()
        if name in _DOES:
            _DOES[str(name)](work, *rest)
        elif name == "round":
            end_round(work, before)


def closing(work: Work, who: int, *others: int) -> None:
    """Push the tasks that end a turn of ``who``.

    The tasks are: participants who have finished leave the round; ``who`` and then each of ``others`` refill their
    hands and open cards; the shared pool is refilled; and the turn ends.
    """
    work.tasks += [("end",), ("pool", who)]
    for other in reversed(others):
        work.tasks += [("slots", other, who), ("fill", other, other)]
    work.tasks += [("slots", who, who), ("fill", who, who), ("out",)]


# ---------------------------------------------------------------- draws and votes


def _draw_to(work: Work, who: int, which: str, drawer: int, again: Task) -> bool:
    """Draw one card; return whether drawing may continue.

    If it was the last card of the stock, the task ``again`` is pushed, so that drawing resumes after a vote on a new
    stock. The stock is closed without a vote if the discard pile is empty or the maximum number of new stocks is
    reached.
    """
    if not work.count[STOCK]:
        return False
    work.draw(who, which)
    if work.count[STOCK] or work.dead:
        return True
    work.tasks.append(again)
    if not work.count[DISCARD] or work.renewals >= work.rules.renewals:
        work.die()
    else:
        voters = tuple([each for each in (drawer, *work.after(drawer)) if each < work.seats])
        work.tasks.append(("vote", voters))
    return False


def _fill(work: Work, who: int, drawer: int) -> None:
    here = place(who, HAND)
    while not work.is_out(who) and work.count[here] < work.caps[who]:
        if not _draw_to(work, who, "hand", drawer, ("fill", who, drawer)):
            return


def _slots(work: Work, who: int, drawer: int) -> None:
    here = place(who, SLOTS)
    while not work.is_out(who) and work.count[here] < work.slots[who]:
        if not _draw_to(work, who, "slots", drawer, ("slots", who, drawer)):
            return


def _pool(work: Work, drawer: int) -> None:
    while work.justice and work.count[POOL] < work.rules.pool:
        if not _draw_to(work, -1, "pool", drawer, ("pool", drawer)):
            return


def _draw(work: Work, who: int, number: int) -> None:
    while number:
        number -= 1
        if not _draw_to(work, who, "hand", who, ("draw", who, number)):
            return


def vote(work: Work, voters: tuple[int, ...], yes: bool) -> None:
    """Record the vote of the first of ``voters`` on a new stock.

    A single no vote closes the stock. After the last vote, participants look at the cards that they have drawn.
    """
    work.tell(ev.Voted(seat=voters[0], who=voters[0], number=int(yes)))
    if yes and len(voters) > 1:
        work.tasks.append(("vote", voters[1:]))
        return
    if yes:
        cards = work.at[DISCARD]
        work.renewals += 1
        work.forget(cards)
        work.move(cards, STOCK)
        work.tell(ev.Renewed(number=work.count[STOCK]))
    else:
        work.die()
    for who in range(len(work.masters)):
        drawn = work.fresh & work.at[place(who, HAND)]
        if drawn:
            work.tell(ev.LookedAt(who=who, seat=work.seat(who)), drawn)
    work.fresh = 0


# ---------------------------------------------------------------- elimination and turn order


def _out(work: Work) -> None:
    leaving = [
        who
        for who in (work.acting, *work.after(work.acting))
        if not work.is_out(who) and all(stand.kind != OPEN for stand in work.stands[who * 4 : who * 4 + 4])
    ]
    for who in leaving:
        work.out |= 1 << who
        work.tell(ev.Left(who=who, seat=work.seat(who)))
        work.discard(who, work.owned(who))
        if work.hermit[0] == who:
            _end_hermit(work)
        if work.temper[0] == who:
            work.lift()
        if work.in_sight(who):
            _remove(work, who, DEVIL)
    if work.out == (1 << len(work.masters)) - 1:
        work.tasks = [("round",)]


def _remove(work: Work, who: int, card: int) -> None:
    work.tell(ev.Withdrawn(who=who, seat=work.seat(who)), 1 << card)
    work.move(1 << card, DISCARD)


def _end_hermit(work: Work) -> None:
    owner = work.hermit[0]
    work.hermit = (-1, 0)
    _remove(work, owner, HERMIT)


def _end(work: Work) -> None:
    if work.hermit[0] >= 0 and not work.hermit[1]:
        _end_hermit(work)
    work.tell(ev.TurnDone(who=work.acting, seat=work.seat(work.acting)))
    work.turn += 1
    work.step = 0
    work.tasks.append(("next",))
    if work.hermit[0] >= 0:
        work.tasks.append(("hermit", work.hermit[0]))


def _next(work: Work) -> None:
    who = work.current
    while True:
        who = work.after(who)[0] if len(work.order) > 1 else who
        if work.is_out(who):
            continue
        if who == work.skip:
            work.skip = -1
            continue
        break
    work.current = work.acting = who
    if work.seat(who) < 0:
        work.tasks += [("end",), ("pool", who), ("dummy", who)]
    else:
        work.tasks.append(("turn", who, 0))


def _dummy(work: Work, who: int) -> None:
    queue = work.queues[who - work.seats]
    if queue:
        work.tasks.append(("fill", who, who))
        work.discard(who, 1 << queue[0])
        return
    suit = next(suit for suit in range(4) if work.stand(who, suit).kind == OPEN)
    work.abdicate(who, suit)
    work.tasks.append(("out",))


# ---------------------------------------------------------------- the Fool


def window(work: Work, victim: int, suit: int, attempt: int) -> None:
    """Ask the participants who may have the Fool whether to steal a new engagement with it.

    These are the participants who, by public knowledge, may have the Fool, and who have neither engaged on the field
    nor given it up. ``attempt`` is the mask of the cards that reinforce an ace, or 0 for a new engagement.
    """
    here = work.fool_place()
    able = [
        who
        for who in work.after(victim)
        if not work.is_out(who) and work.seat(who) >= 0 and work.stand(who, suit).kind == OPEN
    ]
    if here == POOL:
        asked = able
    elif here >= 0:
        asked = [who for who in able if here in (place(who, HAND), place(who, SLOTS))]
    else:
        public = work.known[work.seats]
        asked = [
            who
            for who in able
            if work.count[place(who, HAND)] > (work.at[place(who, HAND)] & public).bit_count()
        ]
    if asked:
        work.tasks.append(("fool", victim, suit, tuple(asked), attempt, int(here >= 0)))


def let(work: Work, task: Task, who: int) -> None:
    """Decline to steal on behalf of ``who``. Any other participants who were asked may still steal."""
    name, victim, suit, asked, attempt, public = task
    assert isinstance(asked, tuple)
    left = tuple([each for each in asked if each != who])
    if left:
        work.tasks.append((name, victim, suit, left, attempt, public))


def steal(work: Work, task: Task, thief: int) -> None:
    """Play the Fool of ``thief``.

    If the engagement can be stolen, the thief takes it; if cards were added to an ace, the thief takes only these. The
    Fool is discarded in any case.
    """
    _, victim, suit, _, attempt, _ = task
    assert isinstance(victim, int)
    assert isinstance(suit, int)
    assert isinstance(attempt, int)
    stand = work.stand(victim, suit)
    forces = attempt or work.forces(victim, suit)
    work.show(1 << FOOL)
    work.move(1 << FOOL, TABLE)
    depth = max(i for i, each in enumerate(work.tasks) if each[0] == "pool")
    work.tasks.insert(depth + 1, ("spend", thief, victim))
    work.show_to(thief, forces)
    seat = work.seat(thief)
    if not stealable(forces, suit, work.rules):
        work.tell(ev.Spoilt(seat=seat, who=thief, other=victim, suits=(suit,)))
        return
    work.set_stand(victim, suit, stand if attempt else Stand())
    work.move(forces, place(thief, FIELD, suit))
    work.set_stand(thief, suit, Stand(FORCES, work.stamp(), stand.down))
    work.tell(ev.Stolen(seat=seat, who=thief, other=victim, suits=(suit,)), forces)


def _spend(work: Work, thief: int, victim: int) -> None:
    work.discard(-1, 1 << FOOL, shown=True)
    work.tasks += [("slots", thief, victim), ("fill", thief, thief)]


def _reinforced(work: Work, who: int, suit: int) -> None:
    """Discard the ace that was reinforced if the card added to it is a knave or a knight."""
    forces = work.forces(who, suit)
    court = forces & COURTS
    if court:
        # A Magician that transmuted the ace stays on the field.
        work.discard(who, forces & NUMERIC, shown=True)


# ---------------------------------------------------------------- rounds


def deal(work: Work) -> None:
    """Start a round: collect all cards, deal the hands and begin the first turn."""
    fresh_deck(work)
    people = len(work.masters)
    seats = [(work.first + i) % work.seats for i in range(work.seats)]
    work.order = [*seats, *range(work.seats, people)]
    told, work.events = work.events, []
    for who in range(people):
        for _ in range(work.rules.hand):
            work.draw(who, "hand")
    work.events = told
    work.fresh = 0
    work.current = work.acting = work.order[0]
    work.tasks = [("turn", work.current, 0)]
    work.tell(ev.Dealt(who=work.current, seat=work.first, number=work.round))


def first_seat(seed: int, seats: int) -> int:
    """Return the seat that begins a match with this seed."""
    return chance(seed, FIRST, seats)


def end_round(work: Work, before: State) -> None:
    """Reveal face-down forces, award the four fields, and start the next round or end the match.

    ``before`` is the state before the current move.
    """
    hidden = 0
    for who in range(len(work.masters)):
        for suit in range(4):
            if work.stand(who, suit).down:
                hidden |= work.forces(who, suit)
                work.set_stand(who, suit, work.stand(who, suit)._replace(down=False))
    work.show(hidden)
    work.tell(ev.RoundDone(number=work.round), hidden)
    shown = work.frozen(before)
    for suit in range(4):
        who, why = ranked(shown, suit)
        seat = work.seat(who)
        work.won += (Won(who, seat, why),)
        work.tell(ev.FieldWon(seat=seat, who=who, other=seat, suits=(suit,), word=why))
    work.turn += 1
    work.step = 0
    if work.round < work.rules.rounds:
        work.round += 1
        work.first = (work.first + 1) % work.seats
        deal(work)
        return
    work.over = outcome(work)
    work.tasks = []
    work.tell(ev.MatchDone())


REASONS = {
    "fields": {"en": N_("most fields")},
    "suits": {"en": N_("fields tied, decided by suit order")},
    "latest": {"en": N_("tied in every suit, decided by the latest field")},
    "none": {"en": N_("nobody won a field")},
    "time": {"en": N_("time ran out")},
}


def outcome(work: Work) -> CardOutcome:
    """Return the result of a match after its last round."""
    places = standings(work.won, work.seats)
    by_suit = [
        tuple([sum(won.seat == seat for won in work.won[suit::4]) for suit in range(4)])
        for seat in range(work.seats)
    ]
    scores = tuple([sum(numbers) for numbers in by_suit])
    winners = tuple(places[0])
    if not any(scores):
        winners, why = (), "none"
    elif sum(score == max(scores) for score in scores) == 1:
        why = "fields"
    else:
        why = "suits" if by_suit.count(by_suit[winners[0]]) == 1 else "latest"
    because = REASONS[why]
    return CardOutcome(
        winners, scores, because["en"], tuple(because.items()), tuple([tuple(each) for each in places])
    )


def lost_on_time(state: State, seat: int) -> CardOutcome:
    """Return the result of a match in which ``seat`` loses on time to all other seats."""
    others = tuple([each for each in range(state.seats) if each != seat])
    because = REASONS["time"]
    return CardOutcome(others, state.scores, because["en"], tuple(because.items()), (others, (seat,)))


def _asks_wheel(work: Work, who: int) -> bool:
    return work.count[place(who, HAND)] > work.caps[who]


def _asks_load(work: Work, who: int, left: int) -> bool:
    cards = work.at[place(who, HAND)] | work.at[place(who, SLOTS)] | work.at[POOL]
    return left != 0 and cards != 0


def _always(work: Work, *_: Any) -> bool:
    return True


_ASKS: dict[str, Callable[..., bool]] = {
    "turn": _always,
    "vote": _always,
    "fool": _always,
    "call": _always,
    "wheel": _asks_wheel,
    "load": _asks_load,
    "hermit": _always,
}
"""Tasks that need a decision, each with a function that returns whether there is a choice."""
_DOES: dict[str, Callable[..., None]] = {
    "fill": _fill,
    "slots": _slots,
    "pool": _pool,
    "draw": _draw,
    "out": _out,
    "end": _end,
    "next": _next,
    "dummy": _dummy,
    "spend": _spend,
    "reinforced": _reinforced,
}
