"""Explanations of why a move is good.

Each explanation answers a question that is put to the engine, such as whether the move wins. Only verified reasons are
given, so there are fewer if the work limit is reached or if hidden information or chance is involved. A move is said to
stop a win that would be possible at once after at least half of the other turns, and to threaten a win that would be
possible at once after at least half of the replies.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from shibumi3d.i18n import P_, Message, Plural, Translatable
from shibumi3d.rules.errors import IllegalMove, RuleFailure, UnknownOutcomeError
from shibumi3d.rules.game import ExplainsMoves, Game, GivesReasons, Move
from shibumi3d.rules.search_protocols import FastGame, Search
from shibumi3d.search.heuristics import make_search
from shibumi3d.search.players import Choice, never_stop
from shibumi3d.search.solo import is_only_move, keeps_win, positions_after
from shibumi3d.search.solver import WORK_PER_MOVE, find_best_score

if TYPE_CHECKING:
    from shibumi3d.rules.game import State


MAX_MOVES_TRIED = 20_000
"""Default maximum number of moves tried for each question."""
MAX_REASONS = 2
"""Default maximum number of reasons given."""
FULL_WIN_SEARCH_TURNS = 6
"""Maximum number of turns after which all possible wins are searched for.

After the remaining turns, only the wins found in this way are tried.
"""
MAX_LOOKAHEAD_TURNS = 60
"""Maximum number of turns to look ahead for forced results."""
MAX_NAMED_PLACES = 2
"""Maximum number of places that are named; if there are more, only their number is given."""

MoveCodes = tuple[int, ...]
"""A sequence of moves, as the numbers that the engine uses."""

STOPS_TEXTS = (
    P_("why.stops", "stops {who} from winning at {place}"),
    P_("why.stops.line", "stops {who} from winning at {place} with the line {line}"),
    P_("why.stops.two", "stops {who} from winning at {place} or {other}"),
    Plural(
        P_("why.stops.many", "stops {who} from winning at {n} place"),
        "stops {who} from winning at {n} places",
    ),
)
THREATENS_TEXTS = (
    P_("why.threatens", "threatens to win at {place}"),
    P_("why.threatens.line", "threatens to win at {place} with the line {line}"),
    P_("why.threatens.two", "threatens to win at both {place} and {other}"),
    Plural(
        P_("why.threatens.many", "threatens to win at {n} place"), "threatens to win at any of {n} places"
    ),
)
"""Texts for a win at one place, at one place by a line, at two places, and at more places."""


class _WorkLimitReached(Exception):
    """Raised when trying another move would exceed the work limit."""


def explain_move(
    game: Game,
    state: State,
    move: Move | str | Sequence[str],
    *,
    max_moves: int = MAX_MOVES_TRIED,
    max_reasons: int = MAX_REASONS,
    names: Sequence[str] = (),
) -> tuple[Message, ...]:
    """Return the reasons for or against a move by the seat to move, the most important one first.

    ``state`` is the state before the move. ``move`` is a move, its text, or the texts of all moves of a turn. Each
    reason is a sentence without a subject or a full stop, such as "wins". There are at most ``max_reasons`` reasons,
    and they reveal no more than the seat may know. ``max_moves`` limits the moves tried when checking each possible
    reason. ``names`` contains the names of the seats. The result is empty if no reason is found or the match is over.

    Raises IllegalMove if ``move`` isn't legal. In some games, such as solo games and games with hidden information,
    this isn't checked.
    """
    seat = state.to_move
    if seat is None:
        return ()
    texts = [move] if isinstance(move, str) else [move.text] if isinstance(move, Move) else list(move)
    view = game.observe(state, seat)
    search = make_search(game, view, seat, 1)
    asked = _MoveExplainer(game, view, search, seat, texts, max_moves, names)
    result: list[Message] = []
    for question in asked.checks():
        try:
            result += question()
        except (_WorkLimitReached, RuleFailure, UnknownOutcomeError, IllegalMove, MemoryError):
            continue  # give no reason that is not verified
        finally:
            asked.reset()
        if len(result) >= max_reasons or asked.is_winning:
            break
    return tuple(result[:max_reasons])


def with_reasons(game: Game, view: State, choice: Choice, names: Sequence[str] = ()) -> Choice:
    """Return a copy of ``choice`` with the reasons for it.

    The reasons refer to the whole turn if the analysis includes it. If the view doesn't show which moves are legal,
    ``choice`` itself is returned.
    """
    moves = next(
        (turn.move_texts for turn in choice.analysis.turns if turn.move_texts[0] == choice.move),
        (choice.move,),
    )
    try:
        return replace(choice, reasons=explain_move(game, view, moves, names=names))
    except IllegalMove:  # the view does not show which moves are legal
        return choice


class _MoveExplainer:
    def __init__(
        self,
        game: Game,
        view: State,
        search: Search,
        seat: int,
        texts: Sequence[str],
        max_moves: int,
        names: Sequence[str],
    ) -> None:
        self.game, self.view, self.seat, self.texts, self.names = game, view, seat, texts, names
        self.search = search
        self.sampled_state: State = search.sampled_state
        self.max_moves = self.moves_left = max_moves
        facts = game.facts(view.seats)
        blind = (
            facts.has_secrets
            or facts.has_simultaneous_moves
            or facts.is_series
            or facts.solver != ""
            or view.seats < 2
        )
        fast = (
            None if blind or (facts.has_chance and not search.can_prove) else game.make_fast_game(view.seats)
        )
        self.fast: FastGame | None = fast
        self.is_scored = facts.has_scores
        self.is_winning = False
        """Whether the move wins by force, so that no other reason matters."""
        self.is_threatened = False
        """Whether the next player can still win at once, so that the move's own threats come too late."""
        self.move_codes: MoveCodes = ()
        self.completes_turn = False
        """Whether the moves in ``move_codes`` complete the turn."""
        self.after: State = search.sampled_state
        """State after the moves in ``texts`` if ``fast`` is set; otherwise, the state before them."""
        if fast is not None:
            self.reset()
            self.move_codes = tuple(self.parse_codes(self.sampled_state, texts))
            with self.making(self.move_codes):
                result = fast.result()
                self.completes_turn = result is not None or fast.seat_to_move != seat

    def checks(self) -> Iterator[Callable[[], list[Message]]]:
        """Yield the checks to run, those for the most important reasons first."""
        if self.fast is not None:
            yield self.check_wins
            if self.search.can_prove:
                yield self.check_forces
            if self.completes_turn:
                yield self.check_stops
                if self.search.can_prove:
                    yield self.check_only
                yield self.check_threatens
        if self.view.seats == 1:
            yield self.check_keeps_win
            yield self.check_best_score
        yield self.game_reasons
        yield self.check_gains
        if self.fast is not None and self.completes_turn:
            yield self.check_opens
            yield self.check_leaves

    # ------------------------------------------------------------ trying moves

    def reset(self) -> None:
        """Reset the work limit and, unless ``self.fast`` is None, load the sampled state into it."""
        self.moves_left = self.max_moves
        if self.fast is not None:
            self.fast.load(self.sampled_state, 0, reject_chance=True)

    def try_move(self, code: int) -> bool:
        """Make a move if it is legal; return whether it was.

        Raises _WorkLimitReached if too many moves have been tried.
        """
        assert self.fast is not None
        self.moves_left -= 1
        if self.moves_left < 0:
            raise _WorkLimitReached
        return self.fast.try_move(code)

    @contextmanager
    def making(self, turn_codes: MoveCodes) -> Iterator[bool]:
        """Make a sequence of moves for the duration of a ``with`` block; yield whether all of them are legal.

        If one of them is illegal, only the moves before it are made.
        """
        assert self.fast is not None
        number = 0
        for code in turn_codes:
            if code not in self.fast.pseudo_legal_moves() or not self.try_move(code):
                break
            number += 1
        try:
            yield number == len(turn_codes)
        finally:
            for _ in range(number):
                self.fast.unmake()

    def whole_turns(self) -> Iterator[tuple[MoveCodes, int]]:
        """Yield the complete turns of the seat to move, each with a key.

        When a turn is yielded, its moves have been made in ``self.fast``; they are unmade when the generator resumes.
        Of several turns that lead to the same position without ending the match, only one is yielded; its key is the
        hash of that position. The key of a turn that ends the match is a hash of its moves.
        """
        fast = self.fast
        assert fast is not None
        seat, visited = fast.seat_to_move, set[int]()

        def further(turn_codes: MoveCodes) -> Iterator[tuple[MoveCodes, int]]:
            for code in fast.pseudo_legal_moves():
                if not self.try_move(code):
                    continue
                key = fast.position_hash()
                ended = fast.result() is not None
                # Final positions have no key of their own, so winning turns are distinguished by their moves.
                if ended or key not in visited:
                    visited.add(key)
                    position_state = (*turn_codes, code)
                    if ended or fast.seat_to_move != seat:
                        yield position_state, hash((position_state, 0)) if ended else key
                    else:
                        yield from further(position_state)
                fast.unmake()

        yield from further(())

    def is_won_by(self, seat: int) -> bool:
        """Return whether the match is over and the seat is the only winner."""
        assert self.fast is not None
        result = self.fast.result()
        return result is not None and result.winners == 1 << seat

    def winning_turns(self, seat: int) -> list[MoveCodes]:
        """Return the turns with which a seat wins immediately as the only winner.

        The list is empty if the seat isn't to move.
        """
        assert self.fast is not None
        if self.fast.result() is not None or self.fast.seat_to_move != seat:
            return []
        return [turn_codes for turn_codes, _ in self.whole_turns() if self.is_won_by(seat)]

    def recurring_wins(self, turns: Sequence[MoveCodes], seat: int) -> dict[str, tuple[MoveCodes, MoveCodes]]:
        """Return the places where ``seat`` can win at once after at least half of ``turns``.

        Each place is mapped to one of ``turns`` and to a winning turn that can follow it. If there are more than
        :data:`FULL_WIN_SEARCH_TURNS` turns, wins are searched for only after a sample of them. After the other turns,
        only the wins found in this way are tried.
        """
        turn_by_win: dict[MoveCodes, MoveCodes] = {}
        for turn_codes in _sample_evenly(turns, FULL_WIN_SEARCH_TURNS):
            with self.making(turn_codes):
                for win in self.winning_turns(seat):
                    turn_by_win.setdefault(win, turn_codes)
        places: dict[str, tuple[MoveCodes, MoveCodes]] = {}
        hits: dict[str, set[int]] = {}
        for win, turn_codes in turn_by_win.items():
            name = self.place_of_line(turn_codes, win)
            places.setdefault(name, (turn_codes, win))
            hits.setdefault(name, set())
        if not turn_by_win:
            return {}
        named = {win: self.place_of_line(turn_codes, win) for win, turn_codes in turn_by_win.items()}
        for number, turn_codes in enumerate(turns):
            with self.making(turn_codes):
                assert self.fast is not None
                if self.fast.result() is not None or self.fast.seat_to_move != seat:
                    continue
                for win, name in named.items():
                    if number not in hits[name]:
                        with self.making(win) as open_:
                            if open_ and self.is_won_by(seat):
                                hits[name].add(number)
        return {name: places[name] for name, hit in hits.items() if 2 * len(hit) >= len(turns)}

    # ------------------------------------------------------------ names of moves and points

    def parse_codes(self, state: State, texts: Iterable[str]) -> Iterator[int]:
        """Yield the engine's move codes for a sequence of move texts.

        Each move is made in ``self.fast`` before its code is yielded. When all codes have been yielded, ``self.after``
        is set to the state after these moves, and the moves are unmade.
        """
        assert self.fast is not None
        number = 0
        for text in texts:
            made, position_state = self.game.parse(state, text), state
            code = next(
                code
                for code in self.fast.choices()
                if self.game.decode_move(position_state, code).text == made.text
            )
            self.fast.make(code)
            number += 1
            state, _ = self.game.apply(state, made)
            yield code
        self.after = state
        for _ in range(number):
            self.fast.unmake()

    def state_after(self, *ways: MoveCodes) -> State:
        state = self.sampled_state
        for turn_codes in ways:
            for code in turn_codes:
                state, _ = self.game.apply(state, self.game.decode_move(state, code))
        return state

    def place_of_line(self, *ways: MoveCodes) -> str:
        """Return the place of the last sequence of moves in ``ways``.

        The sequences are played one after another. The place of a sequence is the place of its last move that has one,
        or the text of its first move if none has a place.
        """
        name = ""
        state = self.sampled_state
        for number, turn_codes in enumerate(ways):
            for code in turn_codes:
                move = self.game.decode_move(state, code)
                state, _ = self.game.apply(state, move)
                place = self.place_of_move(move)
                if number == len(ways) - 1 and (place != move.text or not name):
                    name = place
        return name

    def place_of_move(self, move: Move) -> str:
        """Return the name of the place that a move concerns, or the move's text if no place is known."""
        return self.game.move_place(move) if isinstance(self.game, ExplainsMoves) else str(move.text)

    def seat_name(self, seat: int) -> Message | str:
        """Return the name of a seat, or words such as "the opponent" if no names were given."""
        if self.names:
            return self.names[seat]
        return (
            Message(P_("why.other", "the opponent"))
            if self.view.seats == 2
            else Message(P_("why.seat", "player {n}"), n=seat + 1)
        )

    def win_message(
        self,
        texts: Sequence[Translatable],
        places: dict[str, tuple[MoveCodes, MoveCodes]],
        first: MoveCodes,
        **values: object,
    ) -> Message:
        """Return a message that says where a seat wins.

        ``places`` maps the name of each place to moves that lead to a win there when they are played after the moves
        ``first``. ``texts`` holds four texts: for one place, for one place with the line that decides the match, for
        two places, and for more. ``values`` are further values for the message.
        """
        if len(places) > MAX_NAMED_PLACES:
            return Message(texts[3], n=len(places), **values)
        if len(places) == MAX_NAMED_PLACES:
            evaluation, other = places
            return Message(texts[2], place=evaluation, other=other, **values)
        ((place, ways),) = places.items()
        line = ""
        if isinstance(self.game, ExplainsMoves):
            line = self.game.deciding_line(self.state_after(first, *ways))
        if line:
            return Message(texts[1], place=place, line=line, **values)
        return Message(texts[0], place=place, **values)

    # ------------------------------------------------------------ reasons

    def check_wins(self) -> list[Message]:
        """Return a reason if the move wins immediately, or if a win can follow in the same turn.

        In either case, set ``is_winning``.
        """
        with self.making(self.move_codes):
            if self.is_won_by(self.seat):
                self.is_winning = True
                return [Message(P_("why.wins", "wins"))]
            assert self.fast is not None
            if self.fast.result() is None and not self.completes_turn and self.winning_turns(self.seat):
                self.is_winning = True
                return [
                    Message(
                        Plural(P_("why.wins-in", "wins this turn"), "wins in {n} turns, whatever the reply"),
                        n=1,
                    )
                ]
        return []

    def check_forces(self) -> list[Message]:
        """Return a reason if the move is proved to win against any reply, and set ``is_winning`` in this case."""
        assert self.fast is not None
        state = self.after
        asked = state.to_move
        if asked is None:
            return []
        search = make_search(self.game, self.game.observe(state, asked), asked, 1)
        work = self.max_moves * WORK_PER_MOVE // 4
        evaluations = search.prove_by_lookahead(MAX_LOOKAHEAD_TURNS, work, never_stop)
        if (
            asked != self.seat
            and evaluations
            and all(evaluation.upper_bound == 0.0 for evaluation in evaluations)
        ):
            self.is_winning = True
            turns = 1 + max(evaluation.turns_to_end for evaluation in evaluations)
            return [
                Message(
                    Plural(P_("why.wins-in", "wins this turn"), "wins in {n} turns, whatever the reply"),
                    n=(turns + 1) // 2,
                )
            ]
        if asked == self.seat and evaluations and evaluations[0].lower_bound == 1.0:
            self.is_winning = True
            return [
                Message(
                    Plural(P_("why.wins-in", "wins this turn"), "wins in {n} turns, whatever the reply"),
                    n=(evaluations[0].turns_to_end + 1) // 2,
                )
            ]
        low, high, _ = search.solve(work, never_stop)
        if (high == 0.0) if asked != self.seat else (low == 1.0):
            self.is_winning = True
            return [
                Message(
                    P_("why.no-answer", "leaves {who} only losing replies"),
                    who=self.seat_name(1 - self.seat),
                )
            ]
        return []

    def other_turns(self) -> list[MoveCodes]:
        """Return the alternatives to the move: the turns that lead to a different position."""
        with self.making(self.move_codes):
            assert self.fast is not None
            same = self.fast.position_hash()
        return [
            turn_codes
            for turn_codes, key in self.whole_turns()
            if key != same and turn_codes != self.move_codes
        ]

    def check_stops(self) -> list[Message]:
        """Return a reason if the move prevents a win by the next player.

        Set ``is_threatened`` if that player can still win at once.
        """
        assert self.fast is not None
        with self.making(self.move_codes):
            if self.fast.result() is not None:
                return []
            seat_to_move = self.fast.seat_to_move
            if self.winning_turns(seat_to_move):
                self.is_threatened = True
                return []
        others = self.other_turns()
        places = self.recurring_wins(others, seat_to_move) if others else {}
        return [self.win_message(STOPS_TEXTS, places, (), who=self.seat_name(seat_to_move))] if places else []

    def check_only(self) -> list[Message]:
        """Return a reason if the move is proved to be the only one that does not lose.

        No reason is given for a turn of several moves, or if the next player can still win at once.
        """
        if self.is_threatened:
            return []
        first = self.texts[0]
        evaluations = self.search.prove_by_lookahead(
            MAX_LOOKAHEAD_TURNS, self.max_moves * WORK_PER_MOVE // 2, never_stop
        )
        others = [evaluation for evaluation in evaluations if evaluation.move_texts[0] != first]
        if not others or any(other.upper_bound > 0.0 for other in others):
            return []
        holds = [
            evaluation
            for evaluation in evaluations
            if evaluation.move_texts[0] == first and evaluation.lower_bound > 0.0
        ]
        # A turn of several moves may still go wrong later.
        return (
            [Message(P_("why.only", "is the only way to avoid losing"))]
            if holds and len(self.texts) == 1
            else []
        )

    def check_keeps_win(self) -> list[Message]:
        """Return a reason if the solver proves that a solo game can still be won after the move.

        If this is proved to be the only such move, the reason says so. No reason is given if all moves lead to the same
        position, or if the win depends on marbles that are still to be drawn, since the solver can't know which ones.
        """
        facts = self.game.facts(1)
        if facts.solver != "win":
            return []
        start = after = self.sampled_state
        for text in self.texts:
            after, _ = self.game.apply(after, self.game.parse(after, text, self.seat))
        if len(positions_after(self.game, start)) == 1:
            return []
        if not keeps_win(self.game, after, None, self.max_moves, known_chance=False):
            return []
        # Several turns may begin with the same move, so a turn of several moves is never called the only one.
        is_only = len(self.texts) == 1 and is_only_move(
            self.game, start, self.texts[0], None, self.max_moves // 10, known_chance=False
        )
        return [
            Message(P_("why.only-win", "is the only move that keeps the win"))
            if is_only
            else Message(P_("why.keeps-win", "keeps the win"))
        ]

    def check_best_score(self) -> list[Message]:
        """Return a reason that compares the best score after a move of a solo game with the best possible score.

        No reason is given if there is only one legal move, if the move loses the game, if either score isn't proved, or
        if marbles are still to be drawn, since the solver can't know which ones.
        """
        start = after = self.sampled_state
        if self.game.facts(1).solver != "score" or len(self.game.moves(start)) < 2:
            return []
        for text in self.texts:
            after, _ = self.game.apply(after, self.game.parse(after, text, self.seat))
        best, kept = (
            find_best_score(self.game, state, max_moves=2 * self.max_moves) for state in (start, after)
        )
        if not (best.is_proved and kept.is_proved) or best.needs_chance or kept.needs_chance:
            return []
        if best.score is None or kept.score is None:
            return []
        if kept.score == best.score:
            return [
                Message(
                    P_("why.keeps-best", "keeps the best possible score of {n} within reach"), n=best.score
                )
            ]
        cost = best.score - kept.score
        return [
            Message(
                Plural(
                    P_("why.costs", "costs {n} point compared with the best possible score"),
                    "costs {n} points compared with the best possible score",
                ),
                n=cost,
            )
        ]

    def check_threatens(self) -> list[Message]:
        """Return a reason if the move threatens a win on the seat's next turn.

        No reason is given if the move ends the match or if the next player can then win at once.
        """
        assert self.fast is not None
        with self.making(self.move_codes):
            if self.is_threatened or self.fast.result() is not None:
                return []
            answers = [turn_codes for turn_codes, _ in self.whole_turns()]
        if not answers:
            return []
        complete_state, self.sampled_state = self.sampled_state, self.after
        try:
            self.fast.load(self.after, 0, reject_chance=True)
            places = self.recurring_wins(answers, self.seat)
            return [self.win_message(THREATENS_TEXTS, places, ())] if places else []
        finally:
            self.sampled_state = complete_state

    def game_reasons(self) -> list[Message]:
        if not isinstance(self.game, GivesReasons):
            return []
        move = self.game.parse(self.view, self.texts[0], self.seat)
        return list(self.game.reasons_for(self.view, move, self.seat, self.seat_name))

    def check_gains(self) -> list[Message]:
        """Return reasons based on those effects of the move that are certain.

        They give the number of marbles that the move takes, the number of points that it scores, and the number of
        marbles that it makes drop. The number of marbles taken is left out if the player chooses which ones to take. If
        the move is certain to win, the win is the only reason. Return [] if the game offers no preview of the move.
        """
        state, taken, fallen = self.view, 0, 0
        chosen = 0
        for text in self.texts:
            move = self.game.parse(state, text, self.seat)
            known = self.game.preview(state, move)
            if known is None:
                return []
            if isinstance(self.game, ExplainsMoves):
                tally = self.game.count_taken_and_fallen(known.events)
                taken += tally.get("taken", 0)
                fallen += tally.get("fallen", 0)
            chosen += move.kind in ("take", "points")
            state = known.after
            if state is None:
                break
        if state is not None and state.result is not None and state.result.winners == (self.seat,):
            return [Message(P_("why.wins", "wins"))]
        gained = 0
        if state is not None and self.is_scored:
            gained = state.scores[self.seat] - self.view.scores[self.seat]
        result = []
        if taken and not chosen:
            result.append(Message(Plural(P_("why.takes", "takes {n} marble"), "takes {n} marbles"), n=taken))
        if gained > 0:
            result.append(
                Message(Plural(P_("why.scores", "scores {n} point"), "scores {n} points"), n=gained)
            )
        if fallen:
            result.append(
                Message(Plural(P_("why.falls", "makes {n} marble drop"), "makes {n} marbles drop"), n=fallen)
            )
        return result

    def available_places(self, state: State) -> set[str]:
        """Return the names of the places at which a move can be made in ``state``.

        Moves whose place isn't known are left out. ``self.fast`` must already be in ``state``.
        """
        assert self.fast is not None
        places = set()
        for code in self.fast.choices():
            self.moves_left -= 1
            move = self.game.decode_move(state, code)
            name = self.place_of_move(move)
            if name != move.text:
                places.add(name)
        return places

    def check_opens(self) -> list[Message]:
        """Return a reason if the move makes exactly one new place available to the next player."""
        assert self.fast is not None
        before = self.available_places(self.sampled_state)
        with self.making(self.move_codes):
            if self.fast.result() is not None:
                return []
            new = (
                self.available_places(self.after)
                - before
                - {
                    self.place_of_move(self.game.decode_move(self.sampled_state, code))
                    for code in self.move_codes[:1]
                }
            )
        return [Message(P_("why.opens", "opens up {place}"), place=new.pop())] if len(new) == 1 else []

    def check_leaves(self) -> list[Message]:
        """Return a reason if the move leaves the next player fewer moves than every alternative does.

        Alternatives that end the match are ignored. No reason is given if there are no alternatives, or if the move
        itself ends the match.
        """
        assert self.fast is not None
        with self.making(self.move_codes):
            if self.fast.result() is not None:
                return []
            number, seat_to_move = len(self.fast.choices()), self.fast.seat_to_move
        others = self.other_turns()
        for turn_codes in others:
            with self.making(turn_codes):
                self.moves_left -= 1
                if self.fast.result() is None and len(self.fast.choices()) <= number:
                    return []
        return (
            [
                Message(
                    Plural(
                        P_("why.fewest", "leaves {who} only one choice"),
                        "leaves {who} only {n} choices, the fewest possible",
                    ),
                    n=number,
                    who=self.seat_name(seat_to_move),
                )
            ]
            if others
            else []
        )


def _sample_evenly(sequences: Sequence[MoveCodes], max_count: int) -> Sequence[MoveCodes]:
    if len(sequences) <= max_count:
        return sequences
    return [sequences[number * len(sequences) // max_count] for number in range(max_count)]
