"""What a seat knows in Arcanoid doesn't depend on anything that the rules hide from it.

Two cards that a viewer hasn't seen are exchanged wherever they are, and the same choice is made in both states.
The viewer's states and events must then be equal, unless the rules show one of the two cards. What events show is
listed here from the rule book, independently of what the engine stores.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from shibumi3d.rules.arcanoid.cards import (
    ALL_CARDS,
    CARD_NAMES,
    CHARIOT,
    DEVIL,
    FOOL,
    HIGH_PRIESTESS,
    MAGICIAN,
    cards_in,
    mask_of,
)
from shibumi3d.rules.arcanoid.events import CardEvent
from shibumi3d.rules.arcanoid.game import CardGame
from shibumi3d.rules.arcanoid.moves import Move
from shibumi3d.rules.arcanoid.state import ENGAGED, HAND, OPEN_CARDS, POOL, STOCK, State, place_index
from tests.tables.tarot import VARIANTS, game, names, position

S = 0
WANTED = (DEVIL, HIGH_PRIESTESS, FOOL)
"""Cards that are dealt early, because most hidden information depends on them."""


def exchanged(mask: int, one: int, other: int) -> int:
    if (mask >> one ^ mask >> other) & 1:
        mask ^= 1 << one | 1 << other
    return mask


def with_exchanged_cards(state: State, one: int, other: int) -> State:
    """Return ``state`` with the cards ``one`` and ``other`` exchanged.

    What is known of the two cards is exchanged too, and so are their places among the preset draws and in the hands of
    Automatons.
    """

    def card(number: int) -> int:
        return {one: other, other: one}.get(number, number)

    return replace(
        state,
        cards_at=tuple(exchanged(here, one, other) for here in state.cards_at),
        known_cards=tuple(exchanged(here, one, other) for here in state.known_cards),
        just_drawn=exchanged(state.just_drawn, one, other),
        preset_draws=tuple(map(card, state.preset_draws)),
        automaton_hands=tuple(tuple(map(card, queue)) for queue in state.automaton_hands),
    )


def same_choice(of: CardGame, state: State, move: Move, seat: int, one: int, other: int) -> Move | None:
    """Return ``move`` with the cards ``one`` and ``other`` exchanged, or None if that move isn't legal."""
    played = exchanged(move.cards, one, other)
    if played == move.cards:
        return move if move in of.moves(state, seat) else None
    same = (move.kind, move.suits, move.target, move.is_face_down, move.choice)
    for each in of.moves(state, seat):
        if (
            each.cards == played
            and (each.kind, each.suits, each.target, each.is_face_down, each.choice) == same
        ):
            return each
    return None


def shown_by_rule(
    before: State, move: Move, events: Sequence[CardEvent], after: State, seat: int | None
) -> int:
    """Return a mask of the cards that, by the rules, ``move`` shows to ``seat``.

    If ``seat`` is None, these are the cards that the move shows to everyone. ``before`` and ``after`` are the states
    before and after the move, and ``events`` are its events.
    """

    def mine(who: int) -> bool:
        return who >= 0 and seat is not None and before.controlling_seats[who : who + 1] == (seat,)

    def demon(who: int) -> bool:
        return who >= after.seats and after.controlling_seats[who] >= 0

    shown = 0
    if before.tasks[-1][0] == "vote":
        # Cards drawn before the vote are seen after it.
        shown |= before.just_drawn & before.cards_at[POOL]
        for who in range(before.participants):
            shown |= before.just_drawn & before.cards_at[place_index(who, OPEN_CARDS)]
            if mine(who) or demon(who):
                shown |= before.just_drawn & before.cards_at[place_index(who, HAND)]
    if move.kind in ("play", "load", "unload", "call") or (move.kind == "engage" and not move.is_face_down):
        shown |= move.cards
    if move.kind == "reinforce":
        shown |= move.cards
    if move.is_face_down:
        shown |= move.cards & (1 << CHARIOT | 1 << MAGICIAN)
    for event in events:
        kind = type(event).__name__
        there = mask_of(card for card in event.cards if card >= 0)
        if kind == "Drawn":
            if event.word != "hand" or mine(event.participant) or demon(event.participant):
                shown |= there
        elif kind == "HandSeen":
            if mine(event.participant):
                shown |= there
        elif kind in ("CardsRevealed", "Called", "RoundEnded", "Withdrawn", "Played", "Loaded"):
            shown |= there
        elif kind in ("Stolen", "StealFailed"):
            shown |= 1 << FOOL
            # The player of the Fool sees cards that are face down.
            if (
                mine(event.participant)
                and before.field_status(event.other_participant, event.suits[0]).kind == ENGAGED
            ):
                shown |= before.engaged_cards(event.other_participant, event.suits[0])
    return shown


def outcome_of_theft(events: Sequence[CardEvent]) -> set[str]:
    """Return which of the events "Stolen" and "StealFailed" happened.

    From these, everyone learns whether a face-down force can be stolen.
    """
    return {type(event).__name__ for event in events} & {"Stolen", "StealFailed"}


def with_ordered_stock(state: State, rng: Random) -> State:
    """Return ``state`` with a random order fixed for the cards in its stock.

    Such a state can be compared with one in which two cards have been exchanged. Without a fixed order, each draw would
    choose at random from the cards in the stock, and might choose differently after the exchange.
    """
    stock = cards_in(state.cards_at[STOCK])
    rng.shuffle(stock)
    return replace(state, preset_draws=tuple(stock))


def deal_important_cards_early(of: CardGame, seats: int, rng: Random) -> State:
    deck = [card for card in range(78) if card not in WANTED]
    rng.shuffle(deck)
    for card in WANTED:
        deck.insert(rng.randrange(6 * seats), card)
    return of.start(seats, rng.getrandbits(30), {"stock": [CARD_NAMES[card] for card in deck]})


def choose_random(moves: Sequence[Move], rng: Random) -> Move:
    """Choose a random move, but only rarely one that gives up a field or declines.

    First a kind of move is chosen, and then a move of that kind. With a probability of 80%, the kinds that give up a
    field or decline are left out, unless there are no others. All remaining kinds are equally likely. Moves with cards
    face down are a different kind from those with cards face up, and each major that can be played is a kind of its
    own.
    """
    kinds: dict[Any, list[Move]] = {}
    for move in moves:
        kinds.setdefault((move.kind, move.cards if move.kind == "play" else 0, move.is_face_down), []).append(
            move
        )
    # Players who give up fields are soon out of the round.
    busy = [kind for kind in kinds if kind[0] not in ("abdicate", "no", "let")] or list(kinds)
    return rng.choice(kinds[rng.choice(busy if rng.random() < 0.8 else list(kinds))])


def random_moves(seed: int) -> Iterator[tuple[CardGame, State, int, Move, Random]]:
    """Play a random match of one round; before each move, yield (game, state, seat, move, random generator)."""
    rng = Random(seed)
    more = {"rounds": 1} | ({"dummies": rng.randrange(3)} if rng.random() < 0.3 else {})
    of = game(rng.choice(list(VARIANTS)), **more)
    state = deal_important_cards_early(of, rng.randrange(2, 6), rng)
    while state.result is None:
        state = with_ordered_stock(state, rng)
        assert state.decision is not None
        seat = rng.choice(state.decision.seats)
        move = choose_random(of.moves(state, seat), rng)
        yield of, state, seat, move, rng
        state, _ = of.apply(state, with_seat(state, move, seat))


def with_seat(state: State, move: Move, seat: int) -> Move:
    """Return the move with its seat set to ``seat``, or unchanged if ``seat`` is the seat to move."""
    return move if seat == state.to_move else replace(move, seat=seat)


def compare_views(of: CardGame, state: State, seat: int, move: Move, rng: Random) -> int:
    """Assert that the places of unseen cards don't affect what a viewer observes.

    For the public (viewer None) and for each seat, two random cards that this viewer hasn't seen are exchanged.
    ``seat`` makes ``move`` in ``state``, and the corresponding move in the state with the exchanged cards. The viewer
    must observe the same in both states, before the move and after it. The comparison after the move is left out if
    there is no corresponding move, if the rules show the viewer one of the two cards, or if a theft has a different
    outcome. Viewers with fewer than two unseen cards are skipped.

    Return the number of viewers for whom both comparisons could be made. If the move ends the match or causes cards to
    be shuffled, nothing is compared, and the result is 0.
    """
    count = 0
    after, events = of.apply(state, with_seat(state, move, seat))
    if after.result is not None or any(type(event).__name__ in ("StockRenewed", "Dealt") for event in events):
        # Cards are shuffled in random order, which isn't the same after the exchange.
        return 0
    for viewer in (None, *range(state.seats)):
        seen = of.observe(state, viewer)
        hidden = cards_in(ALL_CARDS & ~mask_of(card for here in seen.cards_at for card in cards_in(here)))
        if len(hidden) < 2:
            continue
        one, other = rng.sample(hidden, 2)
        twin = with_exchanged_cards(state, one, other)
        assert of.observe(twin, viewer) == seen
        assert of.observe(twin, viewer).decision == seen.decision
        again = same_choice(of, twin, move, seat, one, other)
        if again is None:
            continue
        then, twin_events = of.apply(twin, with_seat(twin, again, seat))
        shown = shown_by_rule(state, move, events, after, viewer)
        shown |= shown_by_rule(twin, again, twin_events, then, viewer)
        if (shown >> one | shown >> other) & 1 or outcome_of_theft(events) != outcome_of_theft(twin_events):
            continue
        note = f"{move.text} by {seat}, seen by {viewer}: {CARD_NAMES[one]} and {CARD_NAMES[other]}"
        assert of.observe(then, viewer) == of.observe(after, viewer), note
        assert of.observe_events(then, twin_events, viewer) == of.observe_events(after, events, viewer), note
        for lang in ("en", "fr"):
            assert of.table_lines(of.observe(then, viewer), lang) == of.table_lines(
                of.observe(after, viewer), lang
            ), note
        if move.text == again.text:
            lines = [
                of.describe_move(whole, choice, of.observe_events(end, what, viewer))
                for whole, choice, end, what in (
                    (state, move, after, events),
                    (twin, again, then, twin_events),
                )
            ]
            assert lines[0] == lines[1], note
        count += 1
    return count


def play_declining_thefts(of: CardGame, state: State, *texts: str) -> tuple[State, tuple[CardEvent, ...]]:
    """Make the choices ``texts``, declining each theft that is offered before one of them.

    With the Fool, a player can steal cards that another has just engaged. A theft isn't declined if the next choice is
    "steal". Thefts that are offered after the last choice are left open. Return the final state and the events of the
    last choice.
    """
    events: tuple[CardEvent, ...] = ()
    for text in texts:
        while state.tasks[-1][0] == "fool" and text != "steal":
            state, _ = of.apply(state, "let")
        state, events = of.apply(state, text)
    return state, events


def with_demon(of: CardGame, stock: str, hands: dict[int, str], *rest: str) -> tuple[State, Any]:
    """Play the Devil and then the choices ``rest``; return the final state and the last choice's events.

    In Arcanoid, the Devil deals six cards from the stock to a demon; the player of the Devil then also plays for the
    demon. Here, the first of three seats plays the Devil in the game ``of``. ``hands`` maps the other seats, counted
    from 1, to their cards. ``stock`` lists the cards that are drawn first, in order; the first six of them are dealt to
    the demon. Thefts are declined as in :func:`play_declining_thefts`.
    """
    state = position(of, hands={1: "M15 S3 S4 S5 S6 S7"} | hands, stock=stock)
    return play_declining_thefts(of, state, "M15", *rest)


def test_demon_priestess_shows_hand_only_to_master() -> None:
    of = game()
    hands = {2: "T2 T3 T4 T5 T6 T7", 3: "D2 D3 D4 D5 D6 D7"}
    state, _ = with_demon(of, "M2 C2 C3 C4 C5 C6 C7 S8 S9 S10", hands, "-T2", "-D2")
    assert state.decision is not None
    assert state.decision.actor == 3
    state, events = play_declining_thefts(of, state, "M2>2")
    seen = {"T3", "T4", "T5", "T6", "T7", "S8"}
    for viewer, known in ((0, seen), (2, set()), (None, set())):
        assert names(of.observe(state, viewer).known_hand_cards(1)) == known
        (looked,) = [
            event for event in of.observe_events(state, events, viewer) if type(event).__name__ == "HandSeen"
        ]
        assert names(mask_of(card for card in looked.cards if card >= 0)) == known
    # Its own cards are open, including those that it draws.
    assert {"C2", "S10"} <= names(of.observe(state, None).known_hand_cards(3))


@pytest.mark.parametrize("laid", ["S9+S10", "SH"])
def test_demon_secret_theft_is_known_to_master_and_victim(laid: str) -> None:
    of = game("koblenz")
    hands = {2: "S8 S9 S10 SH T6 T7"}
    state, events = with_demon(of, "M0 C2 C3 C4 C5 C6 C7", hands, f"S:{laid}*", "steal")
    taken = {"S9", "S10"} if laid == "S9+S10" else {"SH"}
    assert names(state.engaged_cards(3, S)) == taken
    for viewer, known in ((0, taken), (1, taken), (2, set()), (None, set())):
        assert names(of.observe(state, viewer).engaged_cards(3, S)) == known
        (stolen,) = [
            event for event in of.observe_events(state, events, viewer) if type(event).__name__ == "Stolen"
        ]
        assert names(mask_of(card for card in stolen.cards if card >= 0)) == known


def test_demon_secret_theft_from_master_hides_strength() -> None:
    of = game("koblenz")
    hands = {2: "T2 T3 T4 T5 T6 T7", 3: "D2 D3 D4 D5 D6 D7"}
    state, _ = with_demon(of, "M0 C2 C3 C4 C5 C6 C7", hands, "-T2", "-D2", "-C2")
    state, _ = play_declining_thefts(of, state, "S:S3+S4+S5*")
    assert state.decision is not None
    assert state.decision.actor == 3
    after, events = play_declining_thefts(of, state, "steal")
    steal = of.parse(state, "steal")
    for lang in ("en", "fr"):
        assert "12" not in of.describe_move(state, steal, of.observe_events(after, events, None), lang)


def test_last_seat_plays_regular_turn_before_demon() -> None:
    of = game()
    fields = {f"{seat}{suit}": "-" for seat in (2, 3) for suit in "STCD"}
    state = position(
        of,
        hands={1: "M9 M15 S3 S4 S5 S6"},
        short=(2, 3),
        fields=fields,
        left_round=0b110,
        stock="C2 T2 T3 T4 T5 T6 T7 C3",
    )
    state, _ = play_declining_thefts(of, state, "M9", "extra", "M15", "go")
    assert state.decision is not None
    assert (state.to_move, state.decision.kind, state.decision.actor) == (0, "turn", -1)
    state, _ = play_declining_thefts(of, state, "-S3", "go")
    assert state.decision is not None
    assert (state.to_move, state.decision.kind, state.decision.actor) == (0, "turn", 3)


@pytest.mark.parametrize("part", range(3))
def test_observations_do_not_depend_on_hidden_cards(part: int) -> None:
    rng = Random(part)
    compared_worlds = 0
    for seed in range(25 * part, 25 * (part + 1)):
        for of, state, seat, move, chance in random_moves(seed):
            demon = bool(state.decision and state.decision.actor >= 0)
            if demon or rng.random() < 0.3:
                compared_worlds += compare_views(of, state, seat, move, chance)
    assert compared_worlds > 800
