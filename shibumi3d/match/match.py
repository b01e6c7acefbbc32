"""A match: a game in progress with its whole history, independent of how it is displayed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING

from shibumi3d import files
from shibumi3d.i18n import MAX_VALUE_LENGTH, N_, Message, explain_crash, untranslated
from shibumi3d.match.clock import Clock, TimeLimit
from shibumi3d.match.history import PERSON, Ply, Seat, Variations
from shibumi3d.match.record import Record, RecordedResult, RecordError
from shibumi3d.match.special_moves import SPECIAL_MOVES, SWAP, apply_special_move, is_swapped
from shibumi3d.names import has_visible_text, make_distinct, normalize
from shibumi3d.rules.errors import GameFileError, IllegalMove, RuleFailure
from shibumi3d.rules.game import as_move_of, initial_state, option_values

if TYPE_CHECKING:
    from shibumi3d.catalogue.catalogue import Catalogue
    from shibumi3d.catalogue.schema import Entry
    from shibumi3d.rules.game import Deal, Event, Game, Move, Position, State

RESULT_TEXTS = {
    "none": N_("no result yet"),
    "wins": N_("{names} wins"),
    "wins-by": N_("{names} won ({reason})"),
    "scores": N_("{names} won; scores: {scores}"),
    "scores-by": N_("{names} won ({reason}); scores: {scores}"),
    "nobody-wins": N_("nobody wins"),
    "nobody-wins-by": N_("nobody won ({reason})"),
    "nobody-scores": N_("nobody won; scores: {scores}"),
    "nobody-scores-by": N_("nobody won ({reason}); scores: {scores}"),
}


_NUMBER_PATTERN = re.compile(r"\d+")
_PLACEHOLDER_PATTERN = re.compile(r"\{(\w+)\}")
_SEAT_MOVE_PATTERN = re.compile(r"([1-9][0-9]?):(\S.*)")


class Match:
    """A game, its players and the full history of moves.

    Undoing a move only moves a cursor back. The moves after the cursor can be redone until a different move is made.
    The match uses states, moves and events only through the :class:`.Game` interface. ``deal`` presets outcomes that
    would otherwise be random, in the format of :meth:`.Game.start`.

    A match can begin at a ``position`` if the game supports this; ``deal`` is then ignored. A match can also begin from
    a given ``state``, but then it can't be saved as a record. Raises ValueError if a position is given but the game
    doesn't support positions, or if the number of ``names``, the position or the deal is not valid. If a name looks
    like an earlier one, a number is added to it.

    The rule book doesn't cover repeated positions. If ``can_claim_repetition`` is set, any seat may claim a draw at the
    beginning of a turn, provided that at least three turns, including this one, began with the same position and the
    same seat to move; see :func:`.can_claim_draw` for the exceptions. ``player_types`` has one player type for each
    seat; by default, all players are human. If ``has_swap_rule`` is set, the second seat may take over the first turn
    instead of making its own. ``time_limit`` is None for a match without clocks.
    """

    def __init__(
        self,
        game: Game,
        names: Sequence[str],
        seed: int = 0,
        *,
        deal: Deal | None = None,
        position: Position | None = None,
        state: State | None = None,
        can_claim_repetition: bool = True,
        player_types: Sequence[str] = (),
        has_swap_rule: bool = False,
        time_limit: TimeLimit | None = None,
    ) -> None:
        self.game = game
        every = zip_longest(
            make_distinct([normalize(name) for name in names]), player_types[: len(names)], fillvalue=PERSON
        )
        self._seats = tuple(Seat(name, kind) for name, kind in every)
        self.seed = seed
        self.can_claim_repetition = can_claim_repetition
        self.has_swap_rule = has_swap_rule
        """Whether the second seat may use the swap rule (pie rule)."""
        self.clock = Clock(time_limit, len(names)) if time_limit is not None else None
        self._is_replaying = False
        """Whether the moves being played are read from a record."""
        self.deal = {
            name: given if isinstance(given, str) else tuple(given) for name, given in (deal or {}).items()
        }
        self._began_from_state = state is not None
        self.position = position
        """Position in which the match began, or None for the normal start of the game."""
        self._first: State = (
            state if state is not None else initial_state(game, len(names), seed, position, self.deal)
        )
        self._history: list[Ply] = []
        self._variations = Variations()
        self._cursor = 0
        self.version = 0
        """Number that grows whenever the history or the cursor changes."""
        self.undo_limit = 0
        """Number of moves at the start that :meth:`undo_step` and :meth:`undo_turn` never take back."""
        self.hints = [0] * len(self.seats)
        """Number of hints given to each seat; all stages of a hint count as one.

        Change it inside :meth:`save_once`, so that it is saved.
        """
        self.is_solution_shown = False
        """Whether the program played the solution of a puzzle.

        Change it inside :meth:`save_once`, so that it is saved.
        """
        self._path: Path | None = None
        self.autosave_problem: Message | None = None
        """Why the last autosave failed, or None if it succeeded or there has been none."""

    @property
    def seats(self) -> tuple[Seat, ...]:
        """Seats in turn order, reversed if a swap was made before the cursor."""
        return self._seats[::-1] if self.has_swap_rule and is_swapped(self) else self._seats

    @property
    def names(self) -> list[str]:
        """Names of the players by seat, after any swap of seats up to the cursor."""
        return [seat.name for seat in self.seats]

    @property
    def player_types(self) -> tuple[str, ...]:
        """Player type of each seat: "person", "random" or the level of the computer player."""
        return tuple(seat.player_type for seat in self.seats)

    def is_computer_seat(self, seat: int | None) -> bool:
        """Return whether a computer plays ``seat``; False if ``seat`` is None."""
        return seat is not None and self.seats[seat].is_computer

    @property
    def options(self) -> dict[str, int | str]:
        """Values of the game options by name, excluding size and variant."""
        return option_values(self.game.facts(len(self.seats)).options, self.game.form, len(self.seats))

    @property
    def initial_state(self) -> State:
        """State before the first move."""
        return self._first

    @property
    def state(self) -> State:
        """State at the cursor."""
        return self._history[self._cursor - 1].state if self._cursor else self._first

    def state_after(self, move_count: int) -> State:
        """Return the state after the first ``move_count`` moves of the history.

        Raises IndexError if the history has fewer moves.
        """
        return self._history[move_count - 1].state if move_count else self._first

    @property
    def plies(self) -> tuple[Ply, ...]:
        """Moves in the history up to the cursor."""
        return tuple(self._history[: self._cursor])

    @property
    def undone(self) -> tuple[Ply, ...]:
        """Moves that have been undone and can be redone."""
        return tuple(self._history[self._cursor :])

    @property
    def cursor(self) -> int:
        """Number of moves in the history that haven't been undone."""
        return self._cursor

    def legal_moves(self) -> tuple[Move, ...]:
        """Return the legal moves of the seat to move, or none if the match is over.

        Special moves, such as a claim of a draw, are not included.
        """
        return self.game.moves(self.state)

    def play(self, move: Move | str, seat: int | None = None) -> tuple[Event, ...]:
        """Make a move and return its events.

        The move is made by ``seat``, which defaults to the seat named in the move, or else the seat to move. If the
        move leads to the same state as the next undone move, the undone moves are kept. Otherwise they are discarded or
        become a variation.

        Raises :class:`IllegalMove` if the move is illegal, and RuleFailure if the rules can't carry it out. In both
        cases, nothing changes.
        """
        before: State = self.state
        if before.to_move is None:
            raise IllegalMove("'{move}' can't be played: the match is over", move=move)
        text = str(move).strip()
        if seat is None and not isinstance(move, str) and move.seat >= 0:
            seat = move.seat
        if (answer := _parse_seat_move(before, text, seat)) is not None:
            seat, text = answer
            move = as_move_of(self.game.parse(before, text, seat), seat, before)
            text = f"{seat + 1}:{text}" if seat != before.to_move else text
        state, events = (
            apply_special_move(self, text, is_replaying=self._is_replaying)
            if text in SPECIAL_MOVES
            else self.game.apply(before, move)
        )
        maker = before.to_move if seat is None else seat
        ply = Ply(maker, before.turn, text, tuple(events), state)
        again = self._history[self._cursor] if self._cursor < len(self._history) else None
        if again is None or again.state != state or (again.move == SWAP) != (text == SWAP):
            self._branch_off(ply)
        self._cursor += 1
        self.version += 1
        if self.clock is not None and text == SWAP:
            self.clock.seconds_left.reverse()  # the clocks move with the players
        if self.clock is not None and (state.turn != before.turn or state.to_move is None):
            self.clock.end_turn(maker, before.turn, state.to_move)
        self._autosave()
        return ply.events

    def _branch_off(self, ply: Ply) -> None:
        """Replace all moves after the cursor with ``ply``.

        If any turns end among the replaced moves, the old line becomes a variation, cut off after the last of these
        turns. Games with hidden information have no variations, since a variation could give away what only the
        replaced moves revealed. Variations that are now the beginning of the history are removed, except while a record
        is replayed.
        """
        ends = [
            number
            for number, gone in enumerate(self._history[self._cursor :], self._cursor + 1)
            if not gone.state.step or gone.state.to_move is None
        ]
        if ends and not self.game.facts(len(self.seats)).has_secrets:
            self._variations.add(tuple(self._history[: ends[-1]]))
        self._history[self._cursor :] = [ply]
        if not self._is_replaying:  # when a record is replayed, each line is stored as a whole
            self._variations.remove_prefixes_of(self._history)

    @property
    def variations(self) -> tuple[tuple[int, tuple[Ply, ...]], ...]:
        """Alternative lines, each as a pair: the number of moves shared with the history, and the remaining moves."""
        return self._variations.branches_from(self._history)

    def switch_to_variation(self, variation: int) -> None:
        """Switch to a variation, given by its index in :attr:`variations`, and move the cursor to its end.

        The current line becomes a variation, unless another line begins with it. Raises IndexError if there is no such
        variation.
        """
        after, plies = self.variations[variation]
        line = (*self._history[:after], *plies)
        self._variations.remove(line)
        if len(self._history) > after:
            self._variations.add(tuple(self._history))
        self._history, self._cursor = list(line), len(line)
        self.version += 1
        self._autosave()

    def count_repetitions(self) -> int:
        """Return how often the state at the cursor has occurred at the start of a turn, including this time.

        Two states count as the same if they have the same ``repetition_key``. Only turns up to the cursor are counted,
        and a swap of seats doesn't count as another occurrence. Returns 0 in the middle of a turn or after the end of
        the match.
        """
        now: State = self.state
        if now.step or now.to_move is None:
            return 0
        played = [ply.state for ply in self._history[: self._cursor] if ply.move != SWAP]
        states: list[State] = [self._first, *played]
        return sum(not state.step and state.repetition_key == now.repetition_key for state in states)

    def go_to(self, cursor: int) -> None:
        """Move the cursor to the state after the first ``cursor`` moves.

        Raises IndexError if ``cursor`` is negative or the history has fewer moves.
        """
        if not 0 <= cursor <= len(self._history):
            raise IndexError(f"the history has {len(self._history)} moves, not {cursor}")
        if cursor != self._cursor:
            before, sat = self.state, self.seats
            self._cursor = cursor
            self.version += 1
            if self.clock is not None and sat != self.seats:
                self.clock.seconds_left.reverse()
            if self.clock is not None and before.turn != self.state.turn and self.state.to_move is not None:
                # Moving the cursor earns no increment, in either direction.
                self.clock.skip_increments_before(max(before.turn, self._history[-1].state.turn))
                self.clock.end_turn(self.state.to_move, self.state.turn - 1, self.state.to_move)
            self._autosave()

    def undo_step(self) -> bool:
        """Undo one move; return False if there is none, or if the cursor would go below ``undo_limit``."""
        return self._undo_or_redo_to(self._cursor - 1)

    def redo_step(self) -> bool:
        """Redo one move; return False at the end of the history."""
        return self._undo_or_redo_to(self._cursor + 1)

    def undo_turn(self) -> bool:
        """Undo all moves of the last turn; a swap counts as a turn of its own.

        Returns False if there are no moves to undo, or if the cursor would go below ``undo_limit``.
        """
        target = self._cursor
        while target and self._history[target - 1].turn == self._history[self._cursor - 1].turn:
            if target < self._cursor and self._history[target - 1].move == SWAP:
                break
            target -= 1
        return self._undo_or_redo_to(target)

    def redo_turn(self) -> bool:
        """Redo the next turn, or the rest of the current one; a swap counts as a turn of its own.

        Returns False at the end of the history.
        """
        target = self._cursor
        while target < len(self._history) and self._history[target].turn == self._history[self._cursor].turn:
            target += 1
            if self._history[target - 1].move == SWAP:
                break
        return self._undo_or_redo_to(target)

    def _undo_or_redo_to(self, target: int) -> bool:
        if target == self._cursor or not self.undo_limit <= target <= len(self._history):
            return False
        self.go_to(target)
        return True

    def record(self, *, include_undone: bool = False) -> Record:
        """Return the match up to the cursor as a record.

        If ``include_undone`` is set, the record includes undone moves and variations. Raises :class:`RecordError` for a
        match that began from a given state.
        """
        if self._began_from_state:
            raise RecordError("a match that didn't start from the beginning can't be saved")
        outcome = self.game.outcome(self.state)
        result = (
            RecordedResult(outcome.winners, outcome.scores, outcome.reason) if outcome is not None else None
        )
        return Record(
            game=self.game.id,
            size=self.game.size,
            variant=self.game.variant,
            options=self.options,
            seats=tuple(seat.name for seat in self._seats),
            seed=self.seed,
            deal=self.deal,
            position=self.position,
            turns=_group_by_turn(self.plies),
            undone=_group_by_turn(self.undone) if include_undone else (),
            variations=tuple((after, _group_by_turn(plies)) for after, plies in self.variations)
            if include_undone
            else (),
            result=result,
            can_claim_repetition=self.can_claim_repetition,
            player_types=tuple(s.player_type for s in self._seats)
            if any(s.is_computer for s in self._seats)
            else (),
            has_swap_rule=self.has_swap_rule,
            time_limit=self.clock.time_limit if self.clock is not None else None,
            seconds_left=self.clock.whole_seconds() if self.clock is not None else (),
            hints=tuple(self.hints) if any(self.hints) else (),
            is_solution_shown=self.is_solution_shown,
            file=str((self.game.meta or {}).get("path", "")),
        )

    @classmethod
    def from_record(cls, record: Record, game: Game) -> Match:
        """Return the match described by ``record``, replayed move by move.

        If the record has no result, the moves determine it. Raises :class:`RecordError` if the record belongs to
        another game or can't be replayed, or if its result contradicts its moves. Raises GameFileError if the rules of
        the game are invalid.
        """
        try:
            return _replay_record(record, game)
        except (RecordError, GameFileError):
            raise
        except Exception as error:
            # Rules can come from other people's files: an exception in them must fail only this match.
            raise RecordError(
                "the saved game can't be replayed: {problem}", problem=explain_crash(error)
            ) from error

    def start_autosave(self, path: Path, *, save_now: bool = True) -> None:
        """Start autosaving the match to ``path`` after every change, and also save it now if ``save_now`` is set.

        Raises :class:`RecordError` for a match that can't be recorded. With ``save_now``, also raises RecordError if
        the file exists and isn't a readable record, and OSError if writing fails. Later failures don't interrupt the
        match; they are reported in ``autosave_problem``.
        """
        record = self.record(include_undone=True)
        if save_now:
            record.save(path)
        self._path = path

    @contextmanager
    def save_once(self) -> Iterator[None]:
        """Postpone autosaving to the end of the block, so that all changes in the block are saved together."""
        path, self._path = self._path, None
        before = self._cursor, self._history[: self._cursor], list(self.hints), self.is_solution_shown
        try:
            yield
        finally:
            self._path = path
            if before != (self._cursor, self._history[: self._cursor], self.hints, self.is_solution_shown):
                self._autosave()

    def _autosave(self) -> None:
        if self._path is None:
            return
        try:
            files.write(self._path, self.record(include_undone=True).to_text())
        except OSError as error:
            self.autosave_problem = Message("couldn't save the game: {reason}", reason=error)
        else:
            self.autosave_problem = None


def entry_of_record(record: Record, catalogue: Catalogue) -> Entry:
    """Return the catalogue entry of the record's game.

    The entry is taken from ``catalogue``, or loaded from the file that the record names. Raises :class:`RecordError` if
    that file is missing or can't be read, and CatalogueError or GameFileError if the game is unknown or its file is
    invalid.
    """
    if not record.file:
        return catalogue.get(record.game)
    try:
        return catalogue.open(Path(record.file))
    except GameFileError:
        raise
    except (OSError, ValueError) as error:
        reason = (
            Message("no longer exists") if isinstance(error, FileNotFoundError) else Message("can't be read")
        )
        raise RecordError("the game file {file} {reason}", file=record.file, reason=reason) from None


def _replay_record(record: Record, game: Game) -> Match:
    # A record without a size uses the default board; a game without sizes has none.
    if (record.game, record.size or game.size, record.variant) != (game.id, game.size, game.variant):
        answer = _describe_form(record.game, record.variant, record.size)
        raise RecordError(
            "this is a saved game of {told}, not of {game}",
            told=answer,
            game=_describe_form(game.id, game.variant, game.size),
        )
    for number, name in enumerate(record.seats, 1):
        if not has_visible_text(name):
            raise RecordError("seats: the name of seat {number} has no visible characters", number=number)
    try:
        match = Match(
            game,
            record.seats,
            record.seed,
            deal=record.deal,
            position=record.position,
            can_claim_repetition=record.can_claim_repetition,
            player_types=record.player_types,
            has_swap_rule=record.has_swap_rule,
            time_limit=record.time_limit,
        )
    except GameFileError:
        raise
    except (ValueError, RuleFailure) as error:
        raise RecordError("the saved game can't be set up: {problem}", problem=error) from None
    options = match.options
    if any(options.get(name) != value for name, value in record.options.items()):
        raise RecordError(
            "this is a saved game of {game} with {told}, not {here}",
            game=game.title,
            told=_list_options(record.options),
            here=_list_options(options),
        )
    if record.hints:
        match.hints = list(record.hints)
    match.is_solution_shown = record.is_solution_shown
    match._is_replaying = True
    number = made = 0
    for number, turn in enumerate((*record.turns, *record.undone), 1):
        for move in turn:
            if move == "pass" and match.state.to_move is None:
                # Old records may contain passes after the end of the match.
                continue
            try:
                match.play(move)
            except (IllegalMove, RuleFailure) as error:
                raise RecordError(
                    "the saved game can't be replayed: in turn {number}, {problem}",
                    number=number,
                    problem=error,
                ) from None
        if number <= len(record.turns):
            made = match.cursor
    _replay_variations(match, record)
    match.go_to(made)
    match._is_replaying = False
    if record.time_limit is not None:
        match.clock = Clock(record.time_limit, len(record.seats), record.seconds_left)
        match.clock.skip_increments_before(max((ply.turn + 1 for ply in match._history), default=0))
    now = match.record().result
    if record.result is None:
        return match  # no recorded result: the moves determine it
    # The wording of a reason may change from version to version; who won may not.
    if (
        now is None
        or now.scores != record.result.scores
        or now.winners not in (record.result.winners, _winners_without_draw(record))
    ):
        answer, led = (_describe_result(result, record.seats) for result in (record.result, now))
        raise RecordError(
            "the saved game says '{told}', but replaying its moves gives '{led}'", told=answer, led=led
        )
    return match


def _replay_variations(match: Match, record: Record) -> None:
    main = tuple(match._history)
    for after, turns in record.variations:
        if not 0 <= after <= len(main):
            raise RecordError(
                "the saved game can't be replayed: a variation starts after move {moves}, which doesn't "
                "exist",
                moves=after,
            )
        match._history, match._cursor = list(main[:after]), after
        match.version += 1
        for move in (move for turn in turns for move in turn):
            try:
                match.play(move)
            except (IllegalMove, RuleFailure) as error:
                raise RecordError(
                    "the saved game can't be replayed: in a variation, {problem}", problem=error
                ) from None
        match._variations.add(tuple(match._history))
    match._variations.remove_prefixes_of(main)
    match._history, match._cursor = list(main), len(main)
    match.version += 1


def _winners_without_draw(record: Record) -> tuple[int, ...]:
    """Return the winners in ``record``, or none if there are several seats and all of them won.

    Earlier versions recorded a draw as a win for all seats. The record must have a result.
    """
    assert record.result is not None
    winners = record.result.winners
    return () if len(record.seats) > 1 and len(winners) == len(record.seats) else winners


def _group_by_turn(plies: Sequence[Ply]) -> tuple[tuple[str, ...], ...]:
    turns: list[list[str]] = []
    last = -1
    for ply in plies:
        if ply.turn != last:
            turns.append([])
            last = ply.turn
        turns[-1].append(ply.move)
    return tuple(map(tuple, turns))


def _describe_form(game: str, variant: str, size: int) -> Message | str:
    form = f"{game}{f' ({variant})' if variant else ''}"
    return Message("{game} (size {size})", game=form, size=size) if size else form


def _list_options(options: Mapping[str, int | str]) -> str:
    return ", ".join(f"{name} {value}" for name, value in options.items())


def _parse_seat_move(state: State, text: str, seat: int | None) -> tuple[int, str] | None:
    """Return the seat that makes a move and the move without its seat prefix, or None.

    None means that the seat to move makes the move, as given in ``text``. This is the result if no decision is pending,
    or if only one seat decides and ``seat`` is None or the seat to move.

    Otherwise, a prefix of ``text``, such as ``2:`` for seat 1, gives the seat if it is one of the deciding seats.
    Without such a prefix, ``seat`` gives it; if ``seat`` is None, so is the result. Raises IllegalMove if ``seat`` is
    needed but isn't one of the deciding seats.
    """
    ask = state.decision
    if ask is None or (seat in (None, state.to_move) and len(ask.seats) < 2):
        return None
    answer = _SEAT_MOVE_PATTERN.fullmatch(text)
    if answer is not None and int(answer[1]) - 1 in ask.seats:
        return int(answer[1]) - 1, answer[2]
    if seat is not None and seat not in ask.seats:
        raise IllegalMove("'{move}': seat {seat} can't move now", move=text, seat=seat + 1)
    return None if seat is None else (seat, text)


def game_of_record(record: Record, entry: Entry) -> Game:
    """Return the game of ``entry`` with the record's size, variant and options.

    Raises CatalogueError if the game doesn't have them, and GameFileError if its file is invalid.
    """
    options = dict(record.options)
    return entry.game(size=record.size or None, variant=record.variant or None, options=options)


FORMER_REASONS = {
    "nobody can play on": "nobody can move",
    "the position stood three times": "the same position came up three times",
    "the time was up": "time ran out",
    "equal in what counts": "nobody is ahead",
    "equal fields, then the suits in their order": "tied on fields; decided by suit order",
    "equal in every suit, then the latest field": "tied in every suit; decided by the last field won",
    "as many points, more rounds won as the hyena": "tied on points; more rounds won as the hyena",
    "as many points and hunts": "tied on points and on rounds won as the hyena",
    "agreed to be a draw": "draw by agreement",
    "fields tied, decided by suit order": "tied on fields; decided by suit order",
    "tied in every suit, decided by the latest field": "tied in every suit; decided by the last field won",
    "tied on points, more rounds won as the hyena": "tied on points; more rounds won as the hyena",
}
"""Reasons in records of earlier versions, mapped to their current wording."""


def reason_message(english: str, numbered_reasons: Sequence[str] = ()) -> Message:
    """Return the message for ``english``, the reason that a record gives for the end of a match.

    A reason that is not built in, such as one from a game file, is not translated. ``numbered_reasons`` are the game's
    reasons with placeholders for numbers. If ``english`` matches one of them, that one becomes the template of the
    message, and the numbers become its values.
    """
    english = FORMER_REASONS.get(english, english)
    without_numbers = _NUMBER_PATTERN.sub("#", english)
    for text in numbered_reasons:
        if _PLACEHOLDER_PATTERN.sub("#", text) == without_numbers:
            names, numbers = _PLACEHOLDER_PATTERN.findall(text), map(int, _NUMBER_PATTERN.findall(english))
            return Message(text, **dict(zip(names, numbers, strict=True)))
    own = "{" not in english and "}" not in english and len(english) <= MAX_VALUE_LENGTH
    return Message(english) if own else untranslated(english)


def _describe_result(result: RecordedResult | None, names: Sequence[str]) -> Message:
    """Describe ``result`` for an error message about a record whose result contradicts its moves."""
    if result is None:
        return Message("no result yet")
    winners = [names[seat] for seat in result.winners]
    values: dict[str, object] = {"names": _join_names(winners)} if winners else {}
    if any(result.scores):
        values["scores"] = ", ".join(map(str, result.scores))
    if result.reason:
        values["reason"] = reason_message(result.reason)
    key = "scores" if "scores" in values else "wins"
    return Message(
        RESULT_TEXTS[f"{'' if winners else 'nobody-'}{key}{'-by' if result.reason else ''}"], **values
    )


def _join_names(names: Sequence[str]) -> Message | str:
    return (
        names[0]
        if len(names) == 1
        else Message("{one} and {other}", one=_join_names(names[:-1]), other=names[-1])
    )
