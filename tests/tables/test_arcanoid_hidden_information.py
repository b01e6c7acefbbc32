"""Views, choices, texts and decisions of Arcanoid reveal nothing that is hidden, in many random states."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest

import shibumi3d
from shibumi3d.match import visibility
from shibumi3d.match.match import Match
from shibumi3d.rules.arcanoid.cards import ALL_CARDS, FOOL
from shibumi3d.rules.arcanoid.events import UNKNOWN_CARD, CardEvent
from shibumi3d.rules.arcanoid.game import CardGame
from shibumi3d.rules.arcanoid.state import HAND, State, place_index
from tests.tables.tarot import VARIANTS, game


def random_steps(number: int, seed: int) -> Iterator[tuple[CardGame, State, State, tuple[CardEvent, ...]]]:
    """Yield ``number`` random steps of matches with random variants and numbers of seats.

    Each step consists of the game, the states before and after, and the events.
    """
    rng = Random(seed)
    names = list(VARIANTS)
    while number > 0:
        more = {"rounds": 1} | ({"dummies": rng.randrange(3)} if rng.random() < 0.3 else {})
        of = game(rng.choice(names), **more)
        state = of.start(rng.randrange(2, 11), rng.getrandbits(30))
        while state.result is None:
            assert state.decision is not None
            seat = rng.choice(state.decision.seats)
            kinds: dict[str, list[object]] = {}
            for move in of.moves(state, seat):
                kinds.setdefault(move.kind, []).append(move)
            # All kinds of moves are equally likely; otherwise, majors would hardly ever be played.
            after, events = of.apply(state, rng.choice(kinds[rng.choice(list(kinds))]))  # type: ignore[arg-type]
            if rng.random() < 0.1 and number > 0:
                number -= 1
                yield of, state, after, events
            state = after


def test_hidden_cards_do_not_affect_choices_or_sentences() -> None:
    rng = Random(12)
    for of, state, _, _ in random_steps(1000, 12):
        assert state.decision is not None
        for seat in {rng.randrange(state.seats), *state.decision.seats}:
            view = of.observe(state, seat)
            other = of.determinize(view, seat, rng)
            assert of.observe(other, seat) == view
            # Only the hidden cards differ, so moves that depend on the view must be the same.
            assert of.moves(other, seat) == of.moves(state, seat) == of.moves(view, seat)
            assert other.decision == state.decision == view.decision
            assert of.table_lines(of.observe(other, seat)) == of.table_lines(view)
            assert of.describe_decision(of.observe(other, seat)) == of.describe_decision(view)


def test_every_state_contains_each_card_once() -> None:
    rng = Random(3)
    for of, state, after, _ in random_steps(300, 3):
        for each in (state, after, of.determinize(of.observe(state, 0), 0, rng)):
            seen = 0
            for cards, count in zip(each.cards_at, each.counts_at, strict=True):
                assert cards.bit_count() == count
                assert not seen & cards
                seen |= cards
            assert seen == ALL_CARDS
            for number, queue in enumerate(each.automaton_hands):
                hand = each.known_hand_cards(each.seats + number)
                assert sum(1 << card for card in queue) == hand


def test_observed_events_reveal_no_hidden_card() -> None:
    """Observed events name a card only if the observer knows where it is.

    The observer's view shows the place of the card before or after the move. Every seat is an observer, and so is a
    spectator. Cards that were drawn, called, discarded or revealed aren't checked, nor are any cards at the end of a
    round. The events never tell an observer which other seats know the cards, unless everyone does.
    """
    for of, state, after, events in random_steps(600, 8):
        for seat in (*range(state.seats), None):
            before, then = of.observe(state, seat), of.observe(after, seat)
            known = 0
            for cards in (*before.cards_at, *then.cards_at):
                known |= cards
            fresh_round = before.round != then.round or then.result is not None
            for event in of.observe_events(after, events, seat):
                assert event.seen_by in (-1, 0, 1 << (seat if seat is not None else state.seats))
                for card in event.cards:
                    # At the end of a round, cards are gathered: those that were shown are in the new stock.
                    passed = fresh_round or type(event).__name__ in (
                        "Called",
                        "Discarded",
                        "Drawn",
                        "CardsRevealed",
                    )
                    assert card == UNKNOWN_CARD or known >> card & 1 or passed, (event, seat)


def test_face_down_discards_are_shown_to_their_owner_only() -> None:
    of = game()
    state = of.start(3, 4, {"first": "1", "stock": "S10 T2 T3 T4 T5 T6"})
    after, events = of.apply(state, "-S10")
    mine = [event.cards for event in of.observe_events(after, events, 0)]
    others = [event.cards for event in of.observe_events(after, events, 1)]
    assert (9,) in mine
    assert (9,) not in others
    assert [len(cards) for cards in mine] == [len(cards) for cards in others]


@pytest.mark.parametrize("holder", [1, 2, None])
def test_fool_window_does_not_depend_on_its_holder(holder: int | None) -> None:
    of = game()
    hands = ["S2 S3 S4 S5 S6 S7", "T2 T3 T4 T5 T6 T7", "C2 C3 C4 C5 C6 C7"]
    if holder is not None:
        hands[holder] = "M0 D2 D3 D4 D5 D6"
    state = of.start(3, 4, {"first": "1", "stock": " ".join(hands)})
    state, _ = of.apply(state, "S:S2")
    assert state.decision is not None
    assert (state.decision.kind, state.decision.seats) == ("fool", (1, 2))
    for seat in (1, 2):
        can = [move.text for move in of.moves(state, seat)]
        assert can == (["steal", "let"] if seat == holder else ["let"])
        assert [move.text for move in of.moves(of.observe(state, 0), seat)] == ["let"]


def test_publicly_gone_fool_opens_no_window() -> None:
    of = game()
    state = of.start(2, 4, {"first": "1", "stock": "S2 S3 S4 S5 S6 S7"})
    shown = [known | 1 << FOOL for known in state.known_cards]
    moved = list(state.cards_at)
    for here in (0, place_index(1, HAND)):
        moved[here] &= ~(1 << FOOL)
    moved[1] |= 1 << FOOL
    state = replace(
        state,
        cards_at=tuple(moved),
        counts_at=tuple(cards.bit_count() for cards in moved),
        known_cards=tuple(shown),
    )
    state, _ = of.apply(state, "S:S2")
    assert state.decision is not None
    assert state.decision.kind == "turn"


def test_move_list_hides_discards_but_names_engaged_cards() -> None:
    """Ann's discard, the first move, stays hidden from the others although a card is drawn after it.

    Ben's engagement isn't hidden from anyone.
    """
    of = shibumi3d.game("arcanoid")
    match = Match(
        of, ["Ann", "Ben", "Cleo"], 4, deal={"first": "1", "stock": "S2 S3 S4 S5 S6 S7 T2 T3 T4 T5 T6 T7"}
    )
    for text in ("-S2", "T:T2+T3", "3:let", "1:let"):
        match.play(text)
    assert visibility.hidden_plies(match, match.plies, 0) == frozenset()
    assert visibility.hidden_plies(match, match.plies, 1) == {0}
    assert visibility.hidden_plies(match, match.plies, visibility.ALL_SEATS) == {0}
