"""The effects of moves in Arcanoid, and everything that automatically follows from them up to the next decision.

Pending tasks form a stack; :func:`run_tasks` carries them out until a decision is needed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from shibumi3d.i18n import N_
from shibumi3d.rules.arcanoid import events as ev
from shibumi3d.rules.arcanoid.cards import (
    CHARIOT,
    COURT_CARDS,
    DEATH,
    DEVIL,
    FOOL,
    HANGED_MAN,
    HERMIT,
    HIEROPHANT,
    HIGH_PRIESTESS,
    JUDGEMENT,
    JUSTICE,
    MAGICIAN,
    MOON,
    NUMBER_CARDS,
    STARS,
    STRENGTH,
    SUIT_CARDS,
    SUN,
    TEMPERANCE,
    TOWER,
    TRUMPS,
    WHEEL_OF_FORTUNE,
    WORLD,
    cards_in,
)
from shibumi3d.rules.arcanoid.moves import Move, field_winner, is_stealable, rank_seats
from shibumi3d.rules.arcanoid.state import (
    ABDICATED,
    CHARIOT_CARDS,
    DISCARD_PILE,
    ENGAGED,
    FIELD,
    HAND,
    IN_PLAY,
    OPEN,
    OPEN_CARDS,
    POOL,
    STOCK,
    FieldStatus,
    MutableState,
    State,
    Task,
    WonField,
    place_index,
    random_below,
    reset_round,
)
from shibumi3d.rules.game import Outcome

FIRST_SEAT_DRAW = 1 << 40
"""Index in the random sequence for choosing the first player, far above the indices used for draws."""


@dataclass(frozen=True, slots=True)
class CardOutcome(Outcome):
    """The result of a match.

    ``ranking`` lists the seats from first to last place; seats that share a place form a group.
    """

    ranking: tuple[tuple[int, ...], ...] = ()


def run_tasks(work: MutableState, before: State) -> None:
    """Carry out pending tasks until a decision is needed or the match is over."""
    while work.outcome is None:
        name, *rest = work.tasks[-1]
        if name in _DECISION_CHECKS and _DECISION_CHECKS[str(name)](work, *rest):
            return
        work.tasks.pop()
        if name in _TASK_HANDLERS:
            _TASK_HANDLERS[str(name)](work, *rest)
        elif name == "round":
            end_round(work, before)


def push_end_of_turn(work: MutableState, participant: int, *other_participants: int) -> None:
    """Push the tasks that end a turn of ``participant``.

    The tasks are: participants who have finished leave the round; ``participant`` and then each of the others refill
    their hands and open cards; the shared pool is refilled; and the turn ends.
    """
    work.tasks += [("end",), ("pool", participant)]
    for other in reversed(other_participants):
        work.tasks += [("slots", other, participant), ("fill", other, other)]
    work.tasks += [("slots", participant, participant), ("fill", participant, participant), ("out",)]


# ---------------------------------------------------------------- draws and votes


def _draw_card(
    work: MutableState, participant: int, destination: str, turn_owner: int, resume_task: Task
) -> bool:
    """Draw one card; return whether drawing may continue.

    If it was the last card of the stock, the task ``resume_task`` is pushed, so that drawing resumes after a vote on a
    new stock. The stock is closed without a vote if the discard pile is empty or the maximum number of new stocks is
    reached.
    """
    if not work.counts_at[STOCK]:
        return False
    work.draw_card(participant, destination)
    if work.counts_at[STOCK] or work.stock_closed:
        return True
    work.tasks.append(resume_task)
    if not work.counts_at[DISCARD_PILE] or work.stock_renewals >= work.rules.renewals:
        work.close_stock()
    else:
        voters = tuple(
            [each for each in (turn_owner, *work.others_in_turn_order(turn_owner)) if each < work.seats]
        )
        work.tasks.append(("vote", voters))
    return False


def _refill_hand(work: MutableState, participant: int, turn_owner: int) -> None:
    here = place_index(participant, HAND)
    while not work.has_left_round(participant) and work.counts_at[here] < work.hand_limits[participant]:
        if not _draw_card(work, participant, "hand", turn_owner, ("fill", participant, turn_owner)):
            return


def _refill_open_cards(work: MutableState, participant: int, turn_owner: int) -> None:
    here = place_index(participant, OPEN_CARDS)
    while not work.has_left_round(participant) and work.counts_at[here] < work.open_card_limits[participant]:
        if not _draw_card(work, participant, "slots", turn_owner, ("slots", participant, turn_owner)):
            return


def _refill_pool(work: MutableState, turn_owner: int) -> None:
    while work.justice_in_play and work.counts_at[POOL] < work.rules.pool:
        if not _draw_card(work, -1, "pool", turn_owner, ("pool", turn_owner)):
            return


def _draw_cards(work: MutableState, participant: int, count: int) -> None:
    while count:
        count -= 1
        if not _draw_card(work, participant, "hand", participant, ("draw", participant, count)):
            return


def record_vote(work: MutableState, voters: tuple[int, ...], is_in_favour: bool) -> None:
    """Record the vote of the first of ``voters`` on a new stock.

    A single no vote closes the stock. After the last vote, participants look at the cards that they have drawn.
    """
    work.record_event(ev.Voted(seat=voters[0], participant=voters[0], number=int(is_in_favour)))
    if is_in_favour and len(voters) > 1:
        work.tasks.append(("vote", voters[1:]))
        return
    if is_in_favour:
        cards = work.cards_at[DISCARD_PILE]
        work.stock_renewals += 1
        work.forget(cards)
        work.move_cards(cards, STOCK)
        work.record_event(ev.StockRenewed(number=work.counts_at[STOCK]))
    else:
        work.close_stock()
    for who in range(len(work.controlling_seats)):
        drawn = work.just_drawn & work.cards_at[place_index(who, HAND)]
        if drawn:
            work.record_event(ev.LookedAt(participant=who, seat=work.controlling_seat(who)), drawn)
    work.just_drawn = 0


# ---------------------------------------------------------------- elimination and turn order


def _remove_finished(work: MutableState) -> None:
    leaving = [
        who
        for who in (work.turn_participant, *work.others_in_turn_order(work.turn_participant))
        if not work.has_left_round(who)
        and all(stand.kind != OPEN for stand in work.field_statuses[who * 4 : who * 4 + 4])
    ]
    for who in leaving:
        work.left_round |= 1 << who
        work.record_event(ev.RoundLeft(participant=who, seat=work.controlling_seat(who)))
        work.discard_cards(who, work.cards_to_discard_on_leaving(who))
        if work.hermit_status[0] == who:
            _end_hermit(work)
        if work.temperance_status[0] == who:
            work.remove_temperance()
        if work.is_hand_open(who):
            _remove_from_play(work, who, DEVIL)
    if work.left_round == (1 << len(work.controlling_seats)) - 1:
        work.tasks = [("round",)]


def _remove_from_play(work: MutableState, participant: int, card: int) -> None:
    work.record_event(
        ev.Withdrawn(participant=participant, seat=work.controlling_seat(participant)), 1 << card
    )
    work.move_cards(1 << card, DISCARD_PILE)


def _end_hermit(work: MutableState) -> None:
    owner = work.hermit_status[0]
    work.hermit_status = (-1, 0)
    _remove_from_play(work, owner, HERMIT)


def _end_turn(work: MutableState) -> None:
    if work.hermit_status[0] >= 0 and not work.hermit_status[1]:
        _end_hermit(work)
    work.record_event(
        ev.TurnEnded(participant=work.turn_participant, seat=work.controlling_seat(work.turn_participant))
    )
    work.turn += 1
    work.step = 0
    work.tasks.append(("next",))
    if work.hermit_status[0] >= 0:
        work.tasks.append(("hermit", work.hermit_status[0]))


def _start_next_turn(work: MutableState) -> None:
    who = work.regular_turn_participant
    while True:
        who = work.others_in_turn_order(who)[0] if len(work.turn_order) > 1 else who
        if work.has_left_round(who):
            continue
        if who == work.skipped_demon:
            work.skipped_demon = -1
            continue
        break
    work.regular_turn_participant = work.turn_participant = who
    if work.controlling_seat(who) < 0:
        work.tasks += [("end",), ("pool", who), ("dummy", who)]
    else:
        work.tasks.append(("turn", who, 0))


def _play_automaton_turn(work: MutableState, participant: int) -> None:
    queue = work.automaton_hands[participant - work.seats]
    if queue:
        work.tasks.append(("fill", participant, participant))
        work.discard_cards(participant, 1 << queue[0])
        return
    suit = next(suit for suit in range(4) if work.field_status(participant, suit).kind == OPEN)
    work.give_up_field(participant, suit)
    work.tasks.append(("out",))


# ---------------------------------------------------------------- the Fool


def offer_steal(work: MutableState, victim: int, suit: int, added_cards: int) -> None:
    """Ask the participants who may have the Fool whether to steal a new engagement with it.

    These are the participants who, by public knowledge, may have the Fool, and who have neither engaged on the field
    nor given it up. ``added_cards`` is the mask of the cards that reinforce an ace, or 0 for a new engagement.
    """
    here = work.public_fool_place()
    able = [
        who
        for who in work.others_in_turn_order(victim)
        if not work.has_left_round(who)
        and work.controlling_seat(who) >= 0
        and work.field_status(who, suit).kind == OPEN
    ]
    if here == POOL:
        asked = able
    elif here >= 0:
        asked = [who for who in able if here in (place_index(who, HAND), place_index(who, OPEN_CARDS))]
    else:
        public = work.known_cards[work.seats]
        asked = [
            who
            for who in able
            if work.counts_at[place_index(who, HAND)]
            > (work.cards_at[place_index(who, HAND)] & public).bit_count()
        ]
    if asked:
        work.tasks.append(("fool", victim, suit, tuple(asked), added_cards, int(here >= 0)))


def decline_steal(work: MutableState, task: Task, participant: int) -> None:
    """Decline to steal on behalf of ``participant``. Any other participants who were asked may still steal."""
    name, victim, suit, asked, attempt, public = task
    assert isinstance(asked, tuple)
    left = tuple([each for each in asked if each != participant])
    if left:
        work.tasks.append((name, victim, suit, left, attempt, public))


def steal_cards(work: MutableState, task: Task, thief: int) -> None:
    """Play the Fool of ``thief``.

    If the engagement can be stolen, the thief takes it; if cards were added to an ace, the thief takes only these. The
    Fool is discarded in any case.
    """
    _, victim, suit, _, attempt, _ = task
    assert isinstance(victim, int)
    assert isinstance(suit, int)
    assert isinstance(attempt, int)
    stand = work.field_status(victim, suit)
    forces = attempt or work.engaged_cards(victim, suit)
    work.reveal(1 << FOOL)
    work.move_cards(1 << FOOL, IN_PLAY)
    depth = max(i for i, task in enumerate(work.tasks) if task[0] == "pool")
    work.tasks.insert(depth + 1, ("spend", thief, victim))
    work.reveal_to(thief, forces)
    seat = work.controlling_seat(thief)
    if not is_stealable(forces, suit, work.rules):
        work.record_event(
            ev.StealFailed(seat=seat, participant=thief, other_participant=victim, suits=(suit,))
        )
        return
    work.set_field_status(victim, suit, stand if attempt else FieldStatus())
    work.move_cards(forces, place_index(thief, FIELD, suit))
    work.set_field_status(thief, suit, FieldStatus(ENGAGED, work.next_sequence_number(), stand.is_face_down))
    work.record_event(
        ev.Stolen(seat=seat, participant=thief, other_participant=victim, suits=(suit,)), forces
    )


def _discard_fool(work: MutableState, thief: int, victim: int) -> None:
    work.discard_cards(-1, 1 << FOOL, is_face_up=True)
    work.tasks += [("slots", thief, victim), ("fill", thief, thief)]


def _discard_reinforced_ace(work: MutableState, participant: int, suit: int) -> None:
    """Discard a reinforced ace if the card added to it is a knave or a knight."""
    forces = work.engaged_cards(participant, suit)
    court = forces & COURT_CARDS
    if court:
        # A Magician that transmuted the ace stays on the field.
        work.discard_cards(participant, forces & NUMBER_CARDS, is_face_up=True)


# ---------------------------------------------------------------- rounds


def deal_round(work: MutableState) -> None:
    """Start a round: collect all cards, deal the hands and begin the first turn."""
    reset_round(work)
    people = len(work.controlling_seats)
    seats = [(work.first_seat + i) % work.seats for i in range(work.seats)]
    work.turn_order = [*seats, *range(work.seats, people)]
    told, work.events = work.events, []
    for who in range(people):
        for _ in range(work.rules.hand):
            work.draw_card(who, "hand")
    work.events = told
    work.just_drawn = 0
    work.regular_turn_participant = work.turn_participant = work.turn_order[0]
    work.tasks = [("turn", work.regular_turn_participant, 0)]
    work.record_event(
        ev.Dealt(participant=work.regular_turn_participant, seat=work.first_seat, number=work.round)
    )


def random_first_seat(seed: int, seats: int) -> int:
    """Return the seat that begins a match with this seed."""
    return random_below(seed, FIRST_SEAT_DRAW, seats)


def end_round(work: MutableState, before: State) -> None:
    """Reveal face-down forces, award the four fields, and start the next round or end the match.

    ``before`` is the state before the current move.
    """
    hidden = 0
    for who in range(len(work.controlling_seats)):
        for suit in range(4):
            if work.field_status(who, suit).is_face_down:
                hidden |= work.engaged_cards(who, suit)
                work.set_field_status(who, suit, work.field_status(who, suit)._replace(is_face_down=False))
    work.reveal(hidden)
    work.record_event(ev.RoundEnded(number=work.round), hidden)
    shown = work.freeze(before)
    for suit in range(4):
        who, why = field_winner(shown, suit)
        seat = work.controlling_seat(who)
        work.won_fields += (WonField(who, seat, why),)
        work.record_event(
            ev.FieldWon(seat=seat, participant=who, other_participant=seat, suits=(suit,), word=why)
        )
    work.turn += 1
    work.step = 0
    if work.round < work.rules.rounds:
        work.round += 1
        work.first_seat = (work.first_seat + 1) % work.seats
        deal_round(work)
        return
    work.outcome = final_outcome(work)
    work.tasks = []
    work.record_event(ev.MatchEnded())


END_REASONS = {
    "fields": {"en": N_("most fields")},
    "suits": {"en": N_("fields tied, decided by suit order")},
    "latest": {"en": N_("tied in every suit, decided by the latest field")},
    "none": {"en": N_("nobody won a field")},
    "time": {"en": N_("time ran out")},
}


def final_outcome(work: MutableState) -> CardOutcome:
    """Return the result of a match after its last round."""
    places = rank_seats(work.won_fields, work.seats)
    by_suit = [
        tuple([sum(won.seat == seat for won in work.won_fields[suit::4]) for suit in range(4)])
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
    because = END_REASONS[why]
    return CardOutcome(
        winners, scores, because["en"], tuple(because.items()), tuple([tuple(place) for place in places])
    )


def outcome_on_time(state: State, seat: int) -> CardOutcome:
    """Return the result of a match in which ``seat`` loses on time to all other seats."""
    others = tuple([each for each in range(state.seats) if each != seat])
    because = END_REASONS["time"]
    return CardOutcome(others, state.scores, because["en"], tuple(because.items()), (others, (seat,)))


def _must_discard_for_wheel(work: MutableState, participant: int) -> bool:
    return work.counts_at[place_index(participant, HAND)] > work.hand_limits[participant]


def _can_load_more(work: MutableState, participant: int, loads_left: int) -> bool:
    cards = (
        work.cards_at[place_index(participant, HAND)]
        | work.cards_at[place_index(participant, OPEN_CARDS)]
        | work.cards_at[POOL]
    )
    return loads_left != 0 and cards != 0


def _always_asks(work: MutableState, *_: object) -> bool:
    return True


_DECISION_CHECKS: dict[str, Callable[..., bool]] = {
    "turn": _always_asks,
    "vote": _always_asks,
    "fool": _always_asks,
    "call": _always_asks,
    "wheel": _must_discard_for_wheel,
    "load": _can_load_more,
    "hermit": _always_asks,
}
"""Tasks that need a decision, each with a function that returns whether there is a choice."""
_TASK_HANDLERS: dict[str, Callable[..., None]] = {
    "fill": _refill_hand,
    "slots": _refill_open_cards,
    "pool": _refill_pool,
    "draw": _draw_cards,
    "out": _remove_finished,
    "end": _end_turn,
    "next": _start_next_turn,
    "dummy": _play_automaton_turn,
    "spend": _discard_fool,
    "reinforced": _discard_reinforced_ace,
}


MAX_CALLS = {STARS: 1, MOON: 2, SUN: 3}
"""Maximum number of calls that a player may make with each of these majors."""
MAX_CARDS_ADDED_TO_CHARIOT = 2
"""Maximum number of cards that a turn may add to a Chariot laid out in an earlier turn."""


def apply_move(work: MutableState, move: Move) -> None:
    """Apply a legal move to ``work``.

    The move completes the task on top of the stack. The tasks that result from it are pushed onto the stack.
    """
    task = work.tasks.pop()
    name = task[0]
    if name == "vote":
        assert isinstance(task[1], tuple)
        record_vote(work, task[1], move.kind == "yes")
        return
    work.just_drawn = 0
    work.step += 1
    if name == "fool":
        asked = task[3]
        assert isinstance(asked, tuple)
        (steal_cards if move.kind == "steal" else decline_steal)(
            work, task, asked[0] if task[5] else move.seat
        )
        return
    who = task[1]
    assert isinstance(who, int)
    if name == "hermit":
        if move.kind == "extra":
            work.tasks.pop()
            work.hermit_status = (who, work.hermit_status[1] - 1)
            work.turn_participant = who
            work.record_event(
                ev.ExtraTurn(participant=who, seat=work.controlling_seat(who), number=work.hermit_status[1])
            )
            work.tasks.append(("turn", who, 1))
        return
    if name == "wheel":
        work.tasks.append(task)
        work.discard_cards(who, move.cards)
    elif name == "load":
        if move.kind == "load":
            assert isinstance(task[2], int)
            work.tasks.append(("load", who, task[2] - 1))
            _load_chariot(work, who, move.cards)
    elif name == "call":
        _call_card(work, task, move)
    else:
        _apply_turn_move(work, who, move, is_extra_turn=bool(task[2]))


def _apply_turn_move(work: MutableState, participant: int, move: Move, *, is_extra_turn: bool) -> None:
    kind = move.kind
    if kind in ("engage", "reinforce"):
        _engage_cards(work, participant, move)
    elif kind == "discard":
        push_end_of_turn(work, participant)
        work.discard_cards(participant, move.cards)
    elif kind == "abdicate":
        push_end_of_turn(work, participant)
        work.give_up_field(participant, move.suits[0])
    elif kind == "load":
        push_end_of_turn(work, participant)
        starting = not work.cards_at[place_index(participant, CHARIOT_CARDS)]
        # In the turn in which the Chariot is laid out, any number of cards may be loaded (-1); in later turns, one or
        # two.
        work.tasks.append(("load", participant, -1 if starting else MAX_CARDS_ADDED_TO_CHARIOT - 1))
        _load_chariot(work, participant, move.cards | (1 << CHARIOT if starting else 0))
    elif kind == "unload":
        push_end_of_turn(work, participant)
        work.discard_cards(
            participant, work.cards_at[place_index(participant, CHARIOT_CARDS)], is_face_up=True
        )
    elif kind == "lift":
        push_end_of_turn(work, participant)
        work.remove_temperance()
    else:
        _play_major(work, participant, move, is_extra_turn=is_extra_turn)


def _load_chariot(work: MutableState, participant: int, cards: int) -> None:
    work.play_cards(participant, cards, place_index(participant, CHARIOT_CARDS))
    work.record_event(ev.Loaded(participant=participant, seat=work.controlling_seat(participant)), cards)


def _engage_cards(work: MutableState, participant: int, move: Move) -> None:
    """Engage a set on one or two fields, or reinforce an ace."""
    seat, suit = work.controlling_seat(participant), move.suits[0]
    world = bool(move.cards >> WORLD & 1)
    magic = 1 << MAGICIAN if work.rules.magician == "secret" else 0
    cards = move.cards & ~(1 << CHARIOT | magic)
    reinforced = move.kind == "reinforce"
    push_end_of_turn(work, participant)
    if move.is_face_down and not move.cards & magic:
        work.face_down_counts += 1 << 4 * participant
    work.play_cards(participant, cards, place_index(participant, FIELD, suit), is_face_down=move.is_face_down)
    word = "down" if move.is_face_down else "more" if reinforced else ""
    work.record_event(ev.Engaged(participant=participant, seat=seat, suits=move.suits, word=word), cards)
    if work.temperance_status[0] == participant and work.temperance_status[1] in move.suits:
        work.remove_temperance()
    if not reinforced:
        stamp = work.next_sequence_number()
        work.set_field_status(participant, suit, FieldStatus(ENGAGED, stamp, move.is_face_down))
        for other in move.suits[1:]:
            work.set_field_status(participant, other, FieldStatus(ENGAGED, stamp, move.is_face_down, suit))
    for other in move.suits:
        work.touched_suits |= 1 << other
    gone = move.cards & ~cards
    if gone:
        work.discard_cards(participant, gone, is_face_up=True)
    if world:
        for other in work.others_in_turn_order(participant):
            if not work.has_left_round(other) and work.field_status(other, suit).kind == OPEN:
                work.give_up_field(other, suit, "world")
    if reinforced:
        work.tasks.append(("reinforced", participant, suit))
    if move.is_face_down or (len(move.suits) == 1 and is_stealable(cards, suit, work.rules)):
        offer_steal(work, participant, suit, cards if reinforced else 0)


def _show_major(work: MutableState, participant: int, move: Move, destination: int = DISCARD_PILE) -> None:
    """Show a major and move it to the place ``destination``, i.e. the discard pile or a place in play."""
    work.play_cards(participant, move.cards, destination)
    word = "stays" if destination != DISCARD_PILE else ""
    event = ev.Played(
        participant=participant,
        seat=work.controlling_seat(participant),
        suits=move.suits,
        other_participant=move.target,
        word=word or move.choice,
    )
    work.record_event(event, move.cards)


def _play_major(work: MutableState, participant: int, move: Move, *, is_extra_turn: bool) -> None:
    card = cards_in(move.cards)[0]
    if card in (HIGH_PRIESTESS, HIEROPHANT, JUSTICE):
        _play_major_with_another_turn(work, participant, card, move, is_extra_turn=is_extra_turn)
    elif card in MAX_CALLS:
        push_end_of_turn(work, participant)
        _show_major(work, participant, move)
        work.tasks.append(("call", participant, card, MAX_CALLS[card], 1))
    elif card == HERMIT:
        push_end_of_turn(work, participant)
        _show_major(work, participant, move, IN_PLAY)
        work.hermit_status = (participant, work.rules.turns)
    elif card == WHEEL_OF_FORTUNE:
        push_end_of_turn(work, participant)
        _show_major(work, participant, move)
        work.tasks += [("wheel", participant), ("draw", participant, work.rules.wheel)]
    elif card == STRENGTH:
        _play_strength(work, participant, move)
    elif card == HANGED_MAN:
        work.tasks += [
            ("end",),
            ("pool", participant),
            ("slots", participant, participant),
            ("fill", participant, participant),
        ]
        work.tasks += [("slots", move.target, participant), ("fill", move.target, move.target)]
        _show_major(work, participant, move)
        work.discard_cards(
            move.target,
            work.cards_at[place_index(move.target, HAND)]
            | work.cards_at[place_index(move.target, OPEN_CARDS)],
        )
    elif card == DEATH:
        push_end_of_turn(work, participant)
        _show_major(work, participant, move)
        stock = work.cards_at[STOCK]
        if stock:
            work.move_cards(stock, DISCARD_PILE)
            work.record_event(ev.Discarded(), stock)
        work.close_stock()
    elif card == TEMPERANCE:
        push_end_of_turn(work, participant)
        _show_major(work, participant, move, IN_PLAY)
        work.temperance_status = (participant, move.suits[0])
    elif card == DEVIL:
        _play_devil(work, participant, move, is_extra_turn=is_extra_turn)
    elif card == TOWER:
        push_end_of_turn(work, participant)
        _show_major(work, participant, move)
        _remove_forces(work, participant, move.target, move.suits[0])
    elif card == JUDGEMENT:
        push_end_of_turn(work, participant)
        _show_major(work, participant, move, place_index(move.target, FIELD, move.suits[0]))
        work.give_up_field(move.target, move.suits[0], "judgement")


def _play_major_with_another_turn(
    work: MutableState, participant: int, card: int, move: Move, *, is_extra_turn: bool
) -> None:
    """Play the High Priestess, the Hierophant or Justice, which give the player another turn."""
    work.tasks.append(("turn", participant, int(is_extra_turn)))
    if card == JUSTICE:
        work.tasks.append(("pool", participant))
    work.tasks += [("slots", participant, participant), ("fill", participant, participant)]
    _show_major(work, participant, move, IN_PLAY if card == JUSTICE else DISCARD_PILE)
    if card == JUSTICE:
        work.justice_in_play = True
    elif card == HIGH_PRIESTESS:
        hand = work.cards_at[place_index(move.target, HAND)]
        work.reveal_to(participant, hand)
        cards = tuple(cards_in(hand))
        work.record_event(
            ev.HandSeen(
                participant=participant,
                seat=work.controlling_seat(participant),
                other_participant=move.target,
                cards=cards,
                seen_by=work.seats_that_know(hand),
            )
        )
    else:
        _reveal_automaton_hands(work, participant)
        asked = dict(zip((*"STCDMF",), (*SUIT_CARDS, TRUMPS, 1 << FOOL), strict=True))[move.choice]
        for each in (participant, *work.others_in_turn_order(participant)):
            shown = asked & (
                work.cards_at[place_index(each, HAND)] | work.cards_at[place_index(each, OPEN_CARDS)]
            )
            work.reveal(shown)
            work.record_event(
                ev.CardsRevealed(participant=each, seat=work.controlling_seat(each), word=move.choice), shown
            )


def _reveal_automaton_hands(work: MutableState, participant: int) -> None:
    """Reveal the Automatons' hands permanently, if ``participant`` is a seat and not a demon."""
    if participant < work.seats:
        for each in range(work.seats, work.seats + work.rules.dummies):
            hand = work.cards_at[place_index(each, HAND)]
            if hand & ~work.known_cards[work.seats]:
                work.reveal(hand)
                work.record_event(ev.CardsRevealed(participant=each, word="all"), hand)


def _play_strength(work: MutableState, participant: int, move: Move) -> None:
    push_end_of_turn(work, participant)
    if move.choice == "2":
        work.open_card_limits[participant] += work.rules.slots
        # The task pushed last runs first: open cards are drawn before the replacement for Strength.
        work.tasks.append(("slots", participant, participant))
    else:
        work.hand_limits[participant] += work.rules.extra
    _show_major(work, participant, move, IN_PLAY)


def _play_devil(work: MutableState, participant: int, move: Move, *, is_extra_turn: bool) -> None:
    push_end_of_turn(work, participant)
    _show_major(work, participant, move, IN_PLAY)
    master = work.controlling_seat(participant)
    # If only one participant is left in the round, it takes the next turn too.
    coming = next(
        (
            each
            for each in (
                *work.others_in_turn_order(work.regular_turn_participant),
                work.regular_turn_participant,
            )
            if not work.has_left_round(each)
        ),
        -1,
    )
    if is_extra_turn and coming == participant:
        # The owner's regular turn comes next. The demon starts in the following round of turns.
        work.skipped_demon = len(work.controlling_seats)
    demon = work.add_participant(master, work.rules.hand)
    work.turn_order.insert(work.turn_order.index(participant), demon)
    work.record_event(ev.DemonJoined(participant=demon, seat=master, other_participant=participant))
    for suit in range(4):
        if any(work.engaged_cards(each, suit) >> WORLD & 1 for each in range(demon)):
            work.set_field_status(demon, suit, FieldStatus(ABDICATED, work.next_sequence_number()))
    work.tasks.append(("fill", demon, participant))


def _remove_forces(work: MutableState, participant: int, other_participant: int, suit: int) -> None:
    """Remove the forces of ``other_participant`` from a field.

    If they are half of a couple split over two fields, the other half remains on its field, with the cards.
    """
    link = work.field_status(other_participant, suit).linked_suit
    cards = work.engaged_cards(other_participant, suit)
    half = link >= 0
    for there in range(4):
        if work.field_status(other_participant, there).linked_suit == suit:
            # The cards of the couple are on this field, so move them to the other one.
            work.move_cards(cards, place_index(other_participant, FIELD, there))
            work.set_field_status(
                other_participant, there, work.field_status(other_participant, there)._replace(linked_suit=-1)
            )
            half = True
    work.set_field_status(other_participant, suit, FieldStatus())
    event = ev.ForcesRemoved(
        participant=participant,
        seat=work.controlling_seat(participant),
        other_participant=other_participant,
        suits=(suit,),
        word="half" if half else "",
    )
    work.record_event(event, cards)
    if not half:
        work.move_cards(cards, DISCARD_PILE)


def _call_card(work: MutableState, task: Task, move: Move) -> None:
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
        _reveal_automaton_hands(work, who)
    called, seat = move.cards, work.controlling_seat(who)
    there = 0
    for other in work.others_in_turn_order(who):
        slots = bool(work.cards_at[place_index(other, OPEN_CARDS)] & called)
        if slots or work.cards_at[place_index(other, HAND)] & called:
            work.record_event(
                ev.Called(participant=who, seat=seat, other_participant=other, cards=tuple(cards_in(called)))
            )
            work.play_cards(other, called, place_index(who, HAND))
            depth = max(i for i, task in enumerate(work.tasks) if task[0] == "pool")
            work.tasks[depth + 1 : depth + 1] = [("slots", other, who), ("fill", other, other)]
            return
    there = left - 1
    work.record_event(ev.Called(participant=who, seat=seat, cards=tuple(cards_in(called))))
    # After calling a major, the player may make no more calls.
    if there and called < 1 << 56:
        work.tasks.append(("call", who, card, there, 0))
