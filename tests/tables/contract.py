"""Properties that every kind of table has, whatever its rules.

The tests call :func:`check_random_match` with the games of each kind. Further properties of a kind, such as the
number of pieces, are checked by ``also``, which is called with every state.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import pytest

from shibumi3d.match.match import Match
from shibumi3d.match.record import parse
from shibumi3d.rules.errors import IllegalMove
from shibumi3d.rules.game import Game, as_move_of

LONGEST = 5_000
"""Number of moves that no random match may exceed."""
LANGUAGES = ("en", "fr")
"""Languages in which texts are checked; the rules of every game are written in both."""


def check_random_match(
    game: Game,
    seats: int,
    seed: int,
    *,
    longest: int = LONGEST,
    every: int = 1,
    also: Callable[[Any], None] | None = None,
) -> Match:
    """Play a random match, check every state, and return the match.

    Fails if the match takes more than ``longest`` moves. If ``every`` is n, texts and views are checked only in every
    n-th state. ``also`` is a further check: if given, it is called with every state, including the last one. If several
    seats are asked, they answer in random order.
    """
    chance = Random(f"{game.id}/{game.variant}/{seats}/{seed}")
    match = Match(game, [f"P{seat + 1}" for seat in range(seats)], seed)
    assert match.state.seats == seats
    assert match.state.seed == seed
    made = 0
    while (ask := match.state.decision) is not None:
        assert made < longest, "a random match does not end"
        state = match.state
        _assert_valid_state(state)
        assert ask.seats
        assert state.to_move == ask.seats[0]
        if also is not None:
            also(state)
        seat = chance.choice(ask.seats)
        moves = game.moves(state, seat)
        _assert_valid_moves(game, state, seat, moves)
        if made % every == 0:
            _assert_consistent_views(game, state, chance)
            _assert_complete_texts(game, state, seat, chance.choice(moves))
        move = chance.choice(moves)
        before = pickle.dumps(state)
        events = match.play(as_move_of(move, seat, state))
        assert pickle.dumps(state) == before, "a state changed"
        assert match.plies[-1].seat == seat
        _assert_consistent_events(game, match.state, events)
        made += 1
    state = match.state
    assert state.to_move is None
    assert game.moves(state) == ()
    outcome = game.outcome(state)
    assert outcome is not None
    assert outcome == state.result
    assert set(outcome.winners) <= set(range(seats))
    with pytest.raises(IllegalMove):
        match.play("pass")
    if also is not None:
        also(state)
    for lang in LANGUAGES:
        assert all(isinstance(line, str) for line in game.table_lines(game.observe(state, None), lang))
    _assert_replayable(match)
    return match


def _assert_valid_state(state: Any) -> None:
    """Assert that a state has the attributes of the contract, and can be compared, hashed and pickled.

    The match must not be over.
    """
    for name in ("turn", "step", "phase", "game_number", "mover"):
        assert isinstance(getattr(state, name), int), name
    assert len(state.scores) == state.seats
    assert len(state.totals) in (0, state.seats)
    assert state.result is None
    hash(state)
    hash(state.repetition_key)
    assert pickle.loads(pickle.dumps(state)) == state


def _assert_valid_moves(game: Game, state: Any, seat: int, moves: Sequence[Any]) -> None:
    """Assert that ``seat`` has moves, and that each of them has a unique text from which it can be parsed.

    ``moves`` are the moves of ``seat`` in ``state``. Also assert that their texts contain no spaces, that an unknown
    text is refused, that the seat's own view offers moves with the same texts, and that seats that aren't asked have no
    moves. If the decision has a default, it must be the text of one of the moves.
    """
    assert moves, "nothing can be answered"
    texts = [move.text for move in moves]
    assert len(set(texts)) == len(texts)
    for move in moves:
        assert " " not in move.text
        assert move.text
        assert str(move) == move.text
        assert move.seat in ((-1, seat) if seat == state.to_move else (seat,))
        assert game.parse(state, move.text, seat) == move
    assert game.moves(state) == game.moves(state, state.to_move)
    assert [move.text for move in game.moves(game.observe(state, seat), seat)] == texts
    for other in set(range(state.seats)) - set(state.decision.seats):
        assert game.moves(state, other) == ()
    with pytest.raises(IllegalMove):
        game.parse(state, "nonsense-move", seat)
    default = state.decision.default
    assert not default or default in texts, "the default is none of the moves"


def _assert_consistent_views(game: Game, state: Any, chance: Random) -> None:
    """Assert that each seat's view agrees with the public view and with determinizations of the view.

    A view has no seed, but a determinization has one. If the seat observes its view or a determinization of it, the
    result equals the view. Observing a seat's view as ``None`` yields the public view. A view can be pickled, and has a
    decision if and only if the state has one. A determinization has the same table lines as the view and, if the seat
    must decide, the same moves. ``chance`` is used to draw the determinizations.
    """
    everybody = game.observe(state, None)
    assert everybody.seed is None
    for seat in range(state.seats):
        view = game.observe(state, seat)
        assert view.seed is None
        assert game.observe(view, seat) == view
        assert game.observe(view, None) == everybody, "a seat's view hides what everybody knows"
        whole = game.determinize(view, seat, chance)
        assert whole.seed is not None
        assert game.observe(whole, seat) == view, "a determinization does not look the same"
        assert pickle.loads(pickle.dumps(view)) == view
        assert (view.decision is None) == (state.decision is None)
        if view.decision is not None and seat in view.decision.seats:
            # Determinizations have the same moves, texts and table lines as the view.
            assert [m.text for m in game.moves(whole, seat)] == [m.text for m in game.moves(view, seat)]
        again = game.observe(whole, seat)
        for lang in LANGUAGES:
            assert game.table_lines(again, lang) == game.table_lines(view, lang)


def _assert_complete_texts(game: Game, state: Any, seat: int, move: Any) -> None:
    """Assert that the game can describe a state, a seat and a move in every language.

    The texts for the move, its outcome and the decision must have no surrounding spaces, no final period and no
    unfilled placeholder.
    """
    view = game.observe(state, seat)
    names = tuple(f"P{n + 1}" for n in range(state.seats))
    for lang in LANGUAGES:
        texts = game.move_label(view, move, lang, names), game.describe_outcome(view, move, lang, names)
        for text in (*texts, game.describe_decision(view, lang, names)):
            assert text.strip() == text
            assert text
            assert not text.endswith(".")
            assert "{" not in text
        assert game.table_lines(view, lang, names)
        assert isinstance(game.explain_illegal(view, ["nowhere"], lang, names), str)
        for text in game.describe_seat(view, seat, lang):
            assert text.strip() == text
            assert len(text) > 1, "one of several texts, not a letter of a single one"
            assert " · " not in text, "whoever needs one line joins the texts"
        assert isinstance(game.describe_stock(view, seat, lang), str)


def _assert_consistent_events(game: Game, state: Any, events: Sequence[Any]) -> None:
    """Assert that observing events again changes nothing, and that a seat sees at least what everybody sees."""
    for seat in (None, *range(state.seats)):
        observed = game.observe_events(state, events, seat)
        assert game.observe_events(state, observed, seat) == observed, (
            "observing observed events changes them"
        )
    everybody = game.observe_events(state, events, None)
    for seat in range(state.seats):
        assert game.observe_events(state, game.observe_events(state, events, seat), None) == everybody


def _assert_replayable(match: Match) -> None:
    """Assert that the record of ``match`` can be replayed, and that its turns can be undone and redone.

    The replayed match must have the same states, seats and record.
    """
    text = match.record().to_text()
    again = Match.from_record(parse(text), match.game)
    assert [ply.state for ply in again.plies] == [ply.state for ply in match.plies]
    assert [ply.seat for ply in again.plies] == [ply.seat for ply in match.plies]
    assert again.record().to_text() == text
    end = match.cursor
    while match.undo_turn():
        pass
    assert match.cursor == 0
    assert match.state == match.initial_state
    while match.redo_step():
        pass
    assert match.cursor == end


def assert_hidden_from(game: Game, state: Any, seat: int, other: Any) -> None:
    """Assert that ``state`` and ``other`` look the same to ``seat``.

    The two states must differ only in what is hidden from the seat.
    """
    assert game.observe(state, seat) == game.observe(other, seat)
    view, again = game.observe(state, seat), game.observe(other, seat)
    for lang in LANGUAGES:
        assert game.table_lines(view, lang) == game.table_lines(again, lang)
        assert game.describe_decision(view, lang) == game.describe_decision(again, lang)
