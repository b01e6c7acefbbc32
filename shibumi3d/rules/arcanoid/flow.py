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
"""Index of the random number that chooses the first player, far above the indices used for draws."""


@dataclass(frozen=True, slots=True)
class CardOutcome(Outcome):
    """The result of a match.

    ``ranking`` contains a tuple for each place, from first to last, with the seats in that place.
    """

    ranking: tuple[tuple[int, ...], ...] = ()


def run_tasks(state: MutableState, before: State) -> None:
    """Carry out pending tasks until a decision is needed or the match is over.

    ``before`` is the state before the current move.
    """
    while state.outcome is None:
        name, *rest = state.tasks[-1]
        if name in _DECISION_CHECKS and _DECISION_CHECKS[str(name)](state, *rest):
            return
        state.tasks.pop()
        if name in _TASK_HANDLERS:
            _TASK_HANDLERS[str(name)](state, *rest)
        elif name == "round":
            end_round(state, before)


def push_end_of_turn(state: MutableState, participant: int) -> None:
    """Push the tasks that end a turn of ``participant``.

    First, all participants without an open field leave the round. Then ``participant`` refills its hand and open cards,
    the shared pool is refilled, and the turn ends.
    """
    state.tasks += [
        ("end",),
        ("pool", participant),
        ("slots", participant, participant),
        ("fill", participant, participant),
        ("out",),
    ]


# ---------------------------------------------------------------- draws and votes


def _draw_card(
    state: MutableState, participant: int, destination: str, turn_owner: int, resume_task: Task
) -> bool:
    """Draw one card unless the stock is empty; return whether the caller should go on drawing.

    ``participant`` and ``destination`` are as in :meth:`.MutableState.draw_card`. If the card was the last one of the
    stock, the task ``resume_task`` is pushed, so that drawing resumes after a vote on a new stock. ``turn_owner`` votes
    first if it is a seat. The stock is closed without a vote if the discard pile is empty or the maximum number of new
    stocks is reached. If the stock was already closed, nothing happens apart from the draw.
    """
    if not state.counts_at[STOCK]:
        return False
    state.draw_card(participant, destination)
    if state.counts_at[STOCK] or state.stock_closed:
        return True
    state.tasks.append(resume_task)
    if not state.counts_at[DISCARD_PILE] or state.stock_renewals >= state.rules.renewals:
        state.close_stock()
    else:
        voters = tuple(
            [each for each in (turn_owner, *state.others_in_turn_order(turn_owner)) if each < state.seats]
        )
        state.tasks.append(("vote", voters))
    return False


def _refill_hand(state: MutableState, participant: int, turn_owner: int) -> None:
    hand_place = place_index(participant, HAND)
    while (
        not state.has_left_round(participant) and state.counts_at[hand_place] < state.hand_limits[participant]
    ):
        if not _draw_card(state, participant, "hand", turn_owner, ("fill", participant, turn_owner)):
            return


def _refill_open_cards(state: MutableState, participant: int, turn_owner: int) -> None:
    open_cards_place = place_index(participant, OPEN_CARDS)
    while (
        not state.has_left_round(participant)
        and state.counts_at[open_cards_place] < state.open_card_limits[participant]
    ):
        if not _draw_card(state, participant, "slots", turn_owner, ("slots", participant, turn_owner)):
            return


def _refill_pool(state: MutableState, turn_owner: int) -> None:
    while state.justice_in_play and state.counts_at[POOL] < state.rules.pool:
        if not _draw_card(state, -1, "pool", turn_owner, ("pool", turn_owner)):
            return


def _draw_cards(state: MutableState, participant: int, count: int) -> None:
    while count:
        count -= 1
        if not _draw_card(state, participant, "hand", participant, ("draw", participant, count)):
            return


def record_vote(state: MutableState, voters: tuple[int, ...], is_in_favour: bool) -> None:
    """Record the vote of ``voters[0]`` on whether to form a new stock.

    ``voters`` are the participants who have yet to vote, in order. If all vote yes, the discard pile becomes the new
    stock. A single no ends the voting and closes the stock. When the voting is over, participants look at the cards
    that they have just drawn.
    """
    state.record_event(ev.Voted(seat=voters[0], participant=voters[0], number=int(is_in_favour)))
    if is_in_favour and len(voters) > 1:
        state.tasks.append(("vote", voters[1:]))
        return
    if is_in_favour:
        cards = state.cards_at[DISCARD_PILE]
        state.stock_renewals += 1
        state.forget(cards)
        state.move_cards(cards, STOCK)
        state.record_event(ev.StockRenewed(number=state.counts_at[STOCK]))
    else:
        state.close_stock()
    for participant in range(len(state.controlling_seats)):
        drawn = state.just_drawn & state.cards_at[place_index(participant, HAND)]
        if drawn:
            state.record_event(
                ev.LookedAt(participant=participant, seat=state.controlling_seat(participant)), drawn
            )
    state.just_drawn = 0


# ---------------------------------------------------------------- elimination and turn order


def _remove_finished(state: MutableState) -> None:
    leaving = [
        participant
        for participant in (state.turn_participant, *state.others_in_turn_order(state.turn_participant))
        if not state.has_left_round(participant)
        and all(status.kind != OPEN for status in state.field_statuses[participant * 4 : participant * 4 + 4])
    ]
    for participant in leaving:
        state.left_round |= 1 << participant
        state.record_event(ev.RoundLeft(participant=participant, seat=state.controlling_seat(participant)))
        state.discard_cards(participant, state.cards_to_discard_on_leaving(participant))
        if state.hermit_status[0] == participant:
            _end_hermit(state)
        if state.temperance_status[0] == participant:
            state.remove_temperance()
        if state.is_hand_open(participant):
            _remove_from_play(state, participant, DEVIL)
    if state.left_round == (1 << len(state.controlling_seats)) - 1:
        state.tasks = [("round",)]


def _remove_from_play(state: MutableState, participant: int, card: int) -> None:
    state.record_event(
        ev.Withdrawn(participant=participant, seat=state.controlling_seat(participant)), 1 << card
    )
    state.move_cards(1 << card, DISCARD_PILE)


def _end_hermit(state: MutableState) -> None:
    owner = state.hermit_status[0]
    state.hermit_status = (-1, 0)
    _remove_from_play(state, owner, HERMIT)


def _end_turn(state: MutableState) -> None:
    if state.hermit_status[0] >= 0 and not state.hermit_status[1]:
        _end_hermit(state)
    state.record_event(
        ev.TurnEnded(participant=state.turn_participant, seat=state.controlling_seat(state.turn_participant))
    )
    state.turn += 1
    state.step = 0
    state.tasks.append(("next",))
    if state.hermit_status[0] >= 0:
        state.tasks.append(("hermit", state.hermit_status[0]))


def _start_next_turn(state: MutableState) -> None:
    participant = state.regular_turn_participant
    while True:
        participant = state.others_in_turn_order(participant)[0] if len(state.turn_order) > 1 else participant
        if state.has_left_round(participant):
            continue
        if participant == state.skipped_demon:
            state.skipped_demon = -1
            continue
        break
    state.regular_turn_participant = state.turn_participant = participant
    if state.controlling_seat(participant) < 0:
        state.tasks += [("end",), ("pool", participant), ("dummy", participant)]
    else:
        state.tasks.append(("turn", participant, 0))


def _play_automaton_turn(state: MutableState, participant: int) -> None:
    queue = state.automaton_hands[participant - state.seats]
    if queue:
        state.tasks.append(("fill", participant, participant))
        state.discard_cards(participant, 1 << queue[0])
        return
    suit = next(suit for suit in range(4) if state.field_status(participant, suit).kind == OPEN)
    state.give_up_field(participant, suit)
    state.tasks.append(("out",))


# ---------------------------------------------------------------- the Fool


def offer_steal(state: MutableState, victim: int, suit: int, added_cards: int) -> None:
    """Ask participants whether to use the Fool to steal what ``victim`` has just engaged on a field.

    Every other participant that has neither engaged on the field nor given it up is asked, unless it is publicly known
    to be unable to play the Fool. Automatons and participants that have left the round are never asked. If there is
    nobody to ask, nothing happens. ``added_cards`` is the mask of the cards that reinforce an ace, or 0 for a new
    engagement.
    """
    fool_place = state.public_fool_place()
    able = [
        participant
        for participant in state.others_in_turn_order(victim)
        if not state.has_left_round(participant)
        and state.controlling_seat(participant) >= 0
        and state.field_status(participant, suit).kind == OPEN
    ]
    if fool_place == POOL:
        asked = able
    elif fool_place >= 0:
        asked = [
            participant
            for participant in able
            if fool_place in (place_index(participant, HAND), place_index(participant, OPEN_CARDS))
        ]
    else:
        public = state.known_cards[state.seats]
        asked = [
            participant
            for participant in able
            if state.counts_at[place_index(participant, HAND)]
            > (state.cards_at[place_index(participant, HAND)] & public).bit_count()
        ]
    if asked:
        state.tasks.append(("fool", victim, suit, tuple(asked), added_cards, int(fool_place >= 0)))


def decline_steal(state: MutableState, task: Task, participant: int) -> None:
    """Push a copy of ``task`` that no longer asks ``participant``, who declines to steal.

    ``task`` is the task "fool" that :func:`offer_steal` pushed. If nobody else is left to ask, nothing is pushed.
    """
    name, victim, suit, asked, attempt, public = task
    assert isinstance(asked, tuple)
    left = tuple([each for each in asked if each != participant])
    if left:
        state.tasks.append((name, victim, suit, left, attempt, public))


def steal_cards(state: MutableState, task: Task, thief: int) -> None:
    """Make ``thief`` play the Fool to steal what was just engaged.

    ``task`` is the task "fool" that :func:`offer_steal` pushed; it says whose cards may be stolen. The Fool is revealed
    to everybody, and the thief sees the cards even if they can't be stolen. If cards were added to an ace, the thief
    takes only those. If the cards can't be stolen, the thief takes nothing. In any case, the Fool is discarded at the
    end of the turn.
    """
    _, victim, suit, _, attempt, _ = task
    assert isinstance(victim, int)
    assert isinstance(suit, int)
    assert isinstance(attempt, int)
    status = state.field_status(victim, suit)
    forces = attempt or state.engaged_cards(victim, suit)
    state.reveal(1 << FOOL)
    state.move_cards(1 << FOOL, IN_PLAY)
    depth = max(i for i, task in enumerate(state.tasks) if task[0] == "pool")
    state.tasks.insert(depth + 1, ("spend", thief, victim))
    state.reveal_to(thief, forces)
    seat = state.controlling_seat(thief)
    if not is_stealable(forces, suit, state.rules):
        state.record_event(
            ev.StealFailed(seat=seat, participant=thief, other_participant=victim, suits=(suit,))
        )
        return
    state.set_field_status(victim, suit, status if attempt else FieldStatus())
    state.move_cards(forces, place_index(thief, FIELD, suit))
    state.set_field_status(
        thief, suit, FieldStatus(ENGAGED, state.next_sequence_number(), status.is_face_down)
    )
    state.record_event(
        ev.Stolen(seat=seat, participant=thief, other_participant=victim, suits=(suit,)), forces
    )


def _discard_fool(state: MutableState, thief: int, victim: int) -> None:
    state.discard_cards(-1, 1 << FOOL, is_face_up=True)
    state.tasks += [("slots", thief, victim), ("fill", thief, thief)]


def _discard_reinforced_ace(state: MutableState, participant: int, suit: int) -> None:
    """Discard a reinforced ace if the card added to it is a knave or a knight."""
    forces = state.engaged_cards(participant, suit)
    court = forces & COURT_CARDS
    if court:
        # A Magician that transmuted the ace stays on the field.
        state.discard_cards(participant, forces & NUMBER_CARDS, is_face_up=True)


# ---------------------------------------------------------------- rounds


def deal_round(state: MutableState) -> None:
    """Start a round: collect all cards, deal the hands and begin the first turn."""
    reset_round(state)
    participant_count = len(state.controlling_seats)
    seats = [(state.first_seat + i) % state.seats for i in range(state.seats)]
    state.turn_order = [*seats, *range(state.seats, participant_count)]
    events_so_far, state.events = state.events, []
    for participant in range(participant_count):
        for _ in range(state.rules.hand):
            state.draw_card(participant, "hand")
    state.events = events_so_far
    state.just_drawn = 0
    state.regular_turn_participant = state.turn_participant = state.turn_order[0]
    state.tasks = [("turn", state.regular_turn_participant, 0)]
    state.record_event(
        ev.Dealt(participant=state.regular_turn_participant, seat=state.first_seat, number=state.round)
    )


def random_first_seat(seed: int, seats: int) -> int:
    """Return the seat that takes the first turn of a match, drawn at random from the seed.

    If the deal sets that seat, the caller uses the seat from the deal instead.
    """
    return random_below(seed, FIRST_SEAT_DRAW, seats)


def end_round(state: MutableState, before: State) -> None:
    """Reveal face-down forces, award the four fields, and start the next round or end the match.

    ``before`` is the state before the current move.
    """
    hidden = 0
    for participant in range(len(state.controlling_seats)):
        for suit in range(4):
            if state.field_status(participant, suit).is_face_down:
                hidden |= state.engaged_cards(participant, suit)
                state.set_field_status(
                    participant, suit, state.field_status(participant, suit)._replace(is_face_down=False)
                )
    state.reveal(hidden)
    state.record_event(ev.RoundEnded(number=state.round), hidden)
    shown = state.freeze(before)
    for suit in range(4):
        participant, deciding_rule = field_winner(shown, suit)
        seat = state.controlling_seat(participant)
        state.won_fields += (WonField(participant, seat, deciding_rule),)
        state.record_event(
            ev.FieldWon(
                seat=seat, participant=participant, other_participant=seat, suits=(suit,), word=deciding_rule
            )
        )
    state.turn += 1
    state.step = 0
    if state.round < state.rules.rounds:
        state.round += 1
        state.first_seat = (state.first_seat + 1) % state.seats
        deal_round(state)
        return
    state.outcome = final_outcome(state)
    state.tasks = []
    state.record_event(ev.MatchEnded())


END_REASONS = {
    "fields": {"en": N_("most fields")},
    "suits": {"en": N_("tied on fields; decided by suit order")},
    "latest": {"en": N_("tied in every suit; decided by the last field won")},
    "none": {"en": N_("nobody won a field")},
    "time": {"en": N_("time ran out")},
}


def final_outcome(state: MutableState) -> CardOutcome:
    """Return the result of a match after its last round."""
    places = rank_seats(state.won_fields, state.seats)
    by_suit = [
        tuple([sum(won.seat == seat for won in state.won_fields[suit::4]) for suit in range(4)])
        for seat in range(state.seats)
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


def _must_discard_for_wheel(state: MutableState, participant: int) -> bool:
    return state.counts_at[place_index(participant, HAND)] > state.hand_limits[participant]


def _can_load_more(state: MutableState, participant: int, loads_left: int) -> bool:
    cards = (
        state.cards_at[place_index(participant, HAND)]
        | state.cards_at[place_index(participant, OPEN_CARDS)]
        | state.cards_at[POOL]
    )
    return loads_left != 0 and cards != 0


def _always_asks(state: MutableState, *_: object) -> bool:
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
"""Tasks that may need a decision, each with a function that returns whether it does."""
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


def apply_move(state: MutableState, move: Move) -> None:
    """Apply a legal move to ``state``; the tasks that result are left for :func:`run_tasks`.

    The move answers the last task in ``state.tasks``. This task is popped, and the tasks that result from the move are
    added to the stack. Most of them are pushed. A few are inserted further down, because they must wait until the
    participant whose turn it is has refilled its hand; an example is the task that discards the Fool after an attempt
    to steal. If the move is to take an extra turn (with the Hermit), the task that starts the next turn is popped, too.
    """
    task = state.tasks.pop()
    name = task[0]
    if name == "vote":
        assert isinstance(task[1], tuple)
        record_vote(state, task[1], move.kind == "yes")
        return
    state.just_drawn = 0
    state.step += 1
    if name == "fool":
        asked = task[3]
        assert isinstance(asked, tuple)
        (steal_cards if move.kind == "steal" else decline_steal)(
            state, task, asked[0] if task[5] else move.seat
        )
        return
    participant = task[1]
    assert isinstance(participant, int)
    if name == "hermit":
        if move.kind == "extra":
            state.tasks.pop()
            state.hermit_status = (participant, state.hermit_status[1] - 1)
            state.turn_participant = participant
            state.record_event(
                ev.ExtraTurn(
                    participant=participant,
                    seat=state.controlling_seat(participant),
                    number=state.hermit_status[1],
                )
            )
            state.tasks.append(("turn", participant, 1))
        return
    if name == "wheel":
        state.tasks.append(task)
        state.discard_cards(participant, move.cards)
    elif name == "load":
        if move.kind == "load":
            assert isinstance(task[2], int)
            state.tasks.append(("load", participant, task[2] - 1))
            _load_chariot(state, participant, move.cards)
    elif name == "call":
        _call_card(state, task, move)
    else:
        _apply_turn_move(state, participant, move, is_extra_turn=bool(task[2]))


def _apply_turn_move(state: MutableState, participant: int, move: Move, *, is_extra_turn: bool) -> None:
    kind = move.kind
    if kind in ("engage", "reinforce"):
        _engage_cards(state, participant, move)
    elif kind == "discard":
        push_end_of_turn(state, participant)
        state.discard_cards(participant, move.cards)
    elif kind == "abdicate":
        push_end_of_turn(state, participant)
        state.give_up_field(participant, move.suits[0])
    elif kind == "load":
        push_end_of_turn(state, participant)
        starting = not state.cards_at[place_index(participant, CHARIOT_CARDS)]
        # In the turn in which the Chariot is laid out, any number of cards may be loaded (-1); in later turns, one or
        # two.
        state.tasks.append(("load", participant, -1 if starting else MAX_CARDS_ADDED_TO_CHARIOT - 1))
        _load_chariot(state, participant, move.cards | (1 << CHARIOT if starting else 0))
    elif kind == "unload":
        push_end_of_turn(state, participant)
        state.discard_cards(
            participant, state.cards_at[place_index(participant, CHARIOT_CARDS)], is_face_up=True
        )
    elif kind == "lift":
        push_end_of_turn(state, participant)
        state.remove_temperance()
    else:
        _play_major(state, participant, move, is_extra_turn=is_extra_turn)


def _load_chariot(state: MutableState, participant: int, card_mask: int) -> None:
    state.play_cards(participant, card_mask, place_index(participant, CHARIOT_CARDS))
    state.record_event(
        ev.Loaded(participant=participant, seat=state.controlling_seat(participant)), card_mask
    )


def _engage_cards(state: MutableState, participant: int, move: Move) -> None:
    """Engage a set on one or two fields, or reinforce an ace."""
    seat, suit = state.controlling_seat(participant), move.suits[0]
    world = bool(move.cards >> WORLD & 1)
    magic = 1 << MAGICIAN if state.rules.magician == "secret" else 0
    cards = move.cards & ~(1 << CHARIOT | magic)
    reinforced = move.kind == "reinforce"
    push_end_of_turn(state, participant)
    if move.is_face_down and not move.cards & magic:
        state.face_down_counts += 1 << 4 * participant
    state.play_cards(
        participant, cards, place_index(participant, FIELD, suit), is_face_down=move.is_face_down
    )
    word = "down" if move.is_face_down else "more" if reinforced else ""
    state.record_event(ev.Engaged(participant=participant, seat=seat, suits=move.suits, word=word), cards)
    if state.temperance_status[0] == participant and state.temperance_status[1] in move.suits:
        state.remove_temperance()
    if not reinforced:
        sequence_number = state.next_sequence_number()
        state.set_field_status(participant, suit, FieldStatus(ENGAGED, sequence_number, move.is_face_down))
        for other in move.suits[1:]:
            state.set_field_status(
                participant, other, FieldStatus(ENGAGED, sequence_number, move.is_face_down, suit)
            )
    for other in move.suits:
        state.touched_suits |= 1 << other
    gone = move.cards & ~cards
    if gone:
        state.discard_cards(participant, gone, is_face_up=True)
    if world:
        for other in state.others_in_turn_order(participant):
            if not state.has_left_round(other) and state.field_status(other, suit).kind == OPEN:
                state.give_up_field(other, suit, "world")
    if reinforced:
        state.tasks.append(("reinforced", participant, suit))
    if move.is_face_down or (len(move.suits) == 1 and is_stealable(cards, suit, state.rules)):
        offer_steal(state, participant, suit, cards if reinforced else 0)


def _show_major(state: MutableState, participant: int, move: Move, destination: int = DISCARD_PILE) -> None:
    """Reveal the major that ``move`` plays, move it to ``destination``, and record it as played.

    ``destination`` is the index of a place. Unless it is the discard pile, the event that is recorded says that the
    card stays.
    """
    state.play_cards(participant, move.cards, destination)
    word = "stays" if destination != DISCARD_PILE else ""
    event = ev.Played(
        participant=participant,
        seat=state.controlling_seat(participant),
        suits=move.suits,
        other_participant=move.target,
        word=word or move.choice,
    )
    state.record_event(event, move.cards)


def _play_major(state: MutableState, participant: int, move: Move, *, is_extra_turn: bool) -> None:
    card = cards_in(move.cards)[0]
    if card in (HIGH_PRIESTESS, HIEROPHANT, JUSTICE):
        _play_major_with_another_turn(state, participant, card, move, is_extra_turn=is_extra_turn)
    elif card in MAX_CALLS:
        push_end_of_turn(state, participant)
        _show_major(state, participant, move)
        state.tasks.append(("call", participant, card, MAX_CALLS[card], 1))
    elif card == HERMIT:
        push_end_of_turn(state, participant)
        _show_major(state, participant, move, IN_PLAY)
        state.hermit_status = (participant, state.rules.turns)
    elif card == WHEEL_OF_FORTUNE:
        push_end_of_turn(state, participant)
        _show_major(state, participant, move)
        state.tasks += [("wheel", participant), ("draw", participant, state.rules.wheel)]
    elif card == STRENGTH:
        _play_strength(state, participant, move)
    elif card == HANGED_MAN:
        state.tasks += [
            ("end",),
            ("pool", participant),
            ("slots", participant, participant),
            ("fill", participant, participant),
        ]
        state.tasks += [("slots", move.target, participant), ("fill", move.target, move.target)]
        _show_major(state, participant, move)
        state.discard_cards(
            move.target,
            state.cards_at[place_index(move.target, HAND)]
            | state.cards_at[place_index(move.target, OPEN_CARDS)],
        )
    elif card == DEATH:
        push_end_of_turn(state, participant)
        _show_major(state, participant, move)
        stock = state.cards_at[STOCK]
        if stock:
            state.move_cards(stock, DISCARD_PILE)
            state.record_event(ev.Discarded(), stock)
        state.close_stock()
    elif card == TEMPERANCE:
        push_end_of_turn(state, participant)
        _show_major(state, participant, move, IN_PLAY)
        state.temperance_status = (participant, move.suits[0])
    elif card == DEVIL:
        _play_devil(state, participant, move, is_extra_turn=is_extra_turn)
    elif card == TOWER:
        push_end_of_turn(state, participant)
        _show_major(state, participant, move)
        _remove_forces(state, participant, move.target, move.suits[0])
    elif card == JUDGEMENT:
        push_end_of_turn(state, participant)
        _show_major(state, participant, move, place_index(move.target, FIELD, move.suits[0]))
        state.give_up_field(move.target, move.suits[0], "judgement")


def _play_major_with_another_turn(
    state: MutableState, participant: int, card: int, move: Move, *, is_extra_turn: bool
) -> None:
    """Play the High Priestess, the Hierophant or Justice, and give the participant another turn.

    ``card`` is the card played. If the current turn is an extra turn (with the Hermit), ``is_extra_turn`` is set, and
    the turn that follows counts as an extra turn, too.
    """
    state.tasks.append(("turn", participant, int(is_extra_turn)))
    if card == JUSTICE:
        state.tasks.append(("pool", participant))
    state.tasks += [("slots", participant, participant), ("fill", participant, participant)]
    _show_major(state, participant, move, IN_PLAY if card == JUSTICE else DISCARD_PILE)
    if card == JUSTICE:
        state.justice_in_play = True
    elif card == HIGH_PRIESTESS:
        hand = state.cards_at[place_index(move.target, HAND)]
        state.reveal_to(participant, hand)
        cards = tuple(cards_in(hand))
        state.record_event(
            ev.HandSeen(
                participant=participant,
                seat=state.controlling_seat(participant),
                other_participant=move.target,
                cards=cards,
                seen_by=state.seats_that_know(hand),
            )
        )
    else:
        _reveal_automaton_hands(state, participant)
        asked = dict(zip((*"STCDMF",), (*SUIT_CARDS, TRUMPS, 1 << FOOL), strict=True))[move.choice]
        for each in (participant, *state.others_in_turn_order(participant)):
            shown = asked & (
                state.cards_at[place_index(each, HAND)] | state.cards_at[place_index(each, OPEN_CARDS)]
            )
            state.reveal(shown)
            state.record_event(
                ev.CardsRevealed(participant=each, seat=state.controlling_seat(each), word=move.choice), shown
            )


def _reveal_automaton_hands(state: MutableState, participant: int) -> None:
    """Reveal the Automatons' hands to everybody, unless ``participant`` is an Automaton or a demon.

    ``participant`` is the one who plays the Hierophant or calls a card. Hands that everybody knows already are skipped.
    """
    if participant < state.seats:
        for each in range(state.seats, state.seats + state.rules.dummies):
            hand = state.cards_at[place_index(each, HAND)]
            if hand & ~state.known_cards[state.seats]:
                state.reveal(hand)
                state.record_event(ev.CardsRevealed(participant=each, word="all"), hand)


def _play_strength(state: MutableState, participant: int, move: Move) -> None:
    push_end_of_turn(state, participant)
    if move.choice == "2":
        state.open_card_limits[participant] += state.rules.slots
        # The task pushed last runs first: open cards are drawn before the replacement for Strength.
        state.tasks.append(("slots", participant, participant))
    else:
        state.hand_limits[participant] += state.rules.extra
    _show_major(state, participant, move, IN_PLAY)


def _play_devil(state: MutableState, participant: int, move: Move, *, is_extra_turn: bool) -> None:
    push_end_of_turn(state, participant)
    _show_major(state, participant, move, IN_PLAY)
    master = state.controlling_seat(participant)
    # If only one participant is left in the round, it takes the next turn too.
    coming = next(
        (
            each
            for each in (
                *state.others_in_turn_order(state.regular_turn_participant),
                state.regular_turn_participant,
            )
            if not state.has_left_round(each)
        ),
        -1,
    )
    if is_extra_turn and coming == participant:
        # The owner's regular turn comes next. The demon starts in the following round of turns.
        state.skipped_demon = len(state.controlling_seats)
    demon = state.add_participant(master, state.rules.hand)
    state.turn_order.insert(state.turn_order.index(participant), demon)
    state.record_event(ev.DemonJoined(participant=demon, seat=master, other_participant=participant))
    for suit in range(4):
        if any(state.engaged_cards(each, suit) >> WORLD & 1 for each in range(demon)):
            state.set_field_status(demon, suit, FieldStatus(ABDICATED, state.next_sequence_number()))
    state.tasks.append(("fill", demon, participant))


def _remove_forces(state: MutableState, participant: int, other_participant: int, suit: int) -> None:
    """Make ``participant`` remove the forces of ``other_participant`` from the field ``suit``.

    If the forces are half of a couple split over two fields, both cards of the couple end up on the field of the other
    half. Otherwise, the forces are discarded.
    """
    link = state.field_status(other_participant, suit).linked_suit
    cards = state.engaged_cards(other_participant, suit)
    half = link >= 0
    for there in range(4):
        if state.field_status(other_participant, there).linked_suit == suit:
            # The cards of the couple are on this field, so move them to the other one.
            state.move_cards(cards, place_index(other_participant, FIELD, there))
            state.set_field_status(
                other_participant,
                there,
                state.field_status(other_participant, there)._replace(linked_suit=-1),
            )
            half = True
    state.set_field_status(other_participant, suit, FieldStatus())
    event = ev.ForcesRemoved(
        participant=participant,
        seat=state.controlling_seat(participant),
        other_participant=other_participant,
        suits=(suit,),
        word="half" if half else "",
    )
    state.record_event(event, cards)
    if not half:
        state.move_cards(cards, DISCARD_PILE)


def _call_card(state: MutableState, task: Task, move: Move) -> None:
    """Call a card: any other participant who has it must give it to the caller.

    ``task`` is the task "call", and ``move`` is the caller's choice. If the move is "done", nothing is called. Before
    the first call, the Automatons' hands are revealed, unless the caller is an Automaton or a demon. A participant who
    gives a card refills its hand and open cards after the caller has refilled its own. If nobody has the card, the
    caller may call again, unless no calls are left or the called card is a major.
    """
    _, participant, card, left, first = task
    assert isinstance(participant, int)
    assert isinstance(left, int)
    assert isinstance(card, int)
    if move.kind == "done":
        return
    if first:
        _reveal_automaton_hands(state, participant)
    called, seat = move.cards, state.controlling_seat(participant)
    for other in state.others_in_turn_order(participant):
        slots = bool(state.cards_at[place_index(other, OPEN_CARDS)] & called)
        if slots or state.cards_at[place_index(other, HAND)] & called:
            state.record_event(
                ev.Called(
                    participant=participant, seat=seat, other_participant=other, cards=tuple(cards_in(called))
                )
            )
            state.play_cards(other, called, place_index(participant, HAND))
            depth = max(i for i, task in enumerate(state.tasks) if task[0] == "pool")
            state.tasks[depth + 1 : depth + 1] = [("slots", other, participant), ("fill", other, other)]
            return
    state.record_event(ev.Called(participant=participant, seat=seat, cards=tuple(cards_in(called))))
    # After calling a major, the player may make no more calls.
    if left > 1 and called < 1 << 56:
        state.tasks.append(("call", participant, card, left - 1, 0))
